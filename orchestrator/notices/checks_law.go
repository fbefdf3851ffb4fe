package notices

import (
	"regexp"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/lazyregexp"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/law/answer"
	"munshi/orchestrator/message"
	"munshi/workflows"
)

// stand adds to each finding what the law index says about the provision on an ISO day: since when it has had its
// wording, whether the index has its text, and, for a provision that is unknown elsewhere, that it was omitted.
func stand(held *statute.Law, findings []workflows.Finding, marks []cite.Mark, on string) {
	for i, m := range marks {
		c, ok := answer.Cited(m)
		if !ok || c.Act == "" {
			continue
		}
		p, ok := held.AsOn(c, on)
		if !ok {
			continue
		}
		f := &findings[i]
		f.On, f.From, f.Until, f.Status, f.Held = p.On, p.From, p.Until, p.Status, p.Words != ""
		if !strings.EqualFold(p.Number, c.Number) { // only a provision around it is known
			continue
		}
		switch {
		case p.Status == statute.Omitted && p.From <= on && f.Verdict != string(cite.NotInForce):
			f.Verdict = string(cite.NotInForce)
			*f = saying(message.New("checks.law.omitted", message.Params{"date": message.Date(p.From)}), *f)
		case f.Verdict == string(cite.Unknown) && p.Until != "" && p.Until < on:
			f.Verdict = string(cite.NotInForce)
			*f = saying(message.New("checks.law.ended",
				message.Params{"date": message.Date(p.Until), "day": message.Date(on)}), *f)
		}
	}
}

// limited matches numbers that a text may attribute to a provision: time limits and rates.
var limited = lazyregexp.New(`(?i)\b(?:within|period of|limit of|up ?to|not exceeding|at least|not later than|(?:allows|gives|prescribes|permits|provides)(?: for)?)` +
	` (?:a |an |the )?(?:maximum |minimum |further )?(?:period of )?(\d{1,3}|[a-z]+(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?)(?: \([^)]{1,20}\))?[- ](?:working )?(days?|months?|years?)\b` +
	`|\b(\d{1,3}(?:\.\d{1,2})?) ?(%|per ?cent)`)

// sameClass says which units answer the same question.
var sameClass = map[string]string{"days": "time", "months": "time", "years": "time", "percent": "rate"}

// numbers checks the times and rates that a sentence gives for the only provision it cites, against the data of our
// digest. It does not question a number that is in the document, in the person's message or anywhere in the text of
// the section.
func numbers(held *statute.Law, text string, marks []cite.Mark, on string, pages []gst.Page,
	words []string) []workflows.Finding {
	var found []workflows.Finding
	for _, s := range sentences(text) {
		named, ok := oneProvision(marks, s)
		if !ok {
			continue
		}
		c, _ := answer.Cited(named)
		for _, at := range limited.FindAllStringSubmatchIndex(text[s[0]:s[1]], -1) {
			said, unit := group(text[s[0]:s[1]], at, 1), strings.ToLower(group(text[s[0]:s[1]], at, 2))
			if rate := group(text[s[0]:s[1]], at, 3); rate != "" {
				said, unit = rate, "percent"
			} else if !strings.HasSuffix(unit, "s") {
				unit += "s"
			}
			value, is := statute.NumberOf(said)
			if !is || stated(value, unit, pages, words) {
				continue
			}
			differs, reads := held.Doubts(c, on, value, unit, func(other string) bool {
				return sameClass[other] == sameClass[unit]
			})
			if !differs {
				continue
			}
			start, end := s[0]+at[0], s[0]+at[1]
			where := message.New("checks.unit_of_"+unitOf(named.Provision),
				message.Params{"unit": message.Citation(named.Provision), "act": message.Citation(named.Act)})
			found = append(found, saying(message.New("checks.law.number",
				message.Params{"where": where, "reads": reads}), workflows.Finding{
				Code: "number", Verdict: string(statute.QuoteDiffers), Quote: text[start:end], Start: start, End: end,
				Act: named.Act, Provision: named.Provision, Heading: named.Heading}))
		}
	}
	return found
}

// stated reports whether the document or the person gives a number with this unit.
func stated(value, unit string, pages []gst.Page, words []string) bool {
	says := lazyregexp.New(`(?i)\b0*` + regexp.QuoteMeta(value) + `(?:\.0+)? ?(?:\([^)]{1,20}\) ?)?(?:working )?` +
		map[string]string{"days": "days?", "months": "months?", "years": "years?", "percent": "(?:%|per ?cent)"}[unit])
	return slices.ContainsFunc(words, says.MatchString) ||
		slices.ContainsFunc(pages, func(p gst.Page) bool { return says.MatchString(p.Text) })
}

// oneProvision returns the provision cited in a stretch of text; false unless there is exactly one and the index has
// it.
func oneProvision(marks []cite.Mark, at [2]int) (cite.Mark, bool) {
	var one cite.Mark
	for _, m := range marks {
		if m.Start < at[0] || m.End > at[1] || m.Kind == cite.Contradicted {
			continue
		}
		c, ok := answer.Cited(m)
		if !ok || c.Act == "" || one.Provision != "" && (one.Provision != m.Provision || one.Act != m.Act) {
			return cite.Mark{}, false
		}
		one = m
	}
	return one, one.Provision != ""
}

// sentences returns the positions of the sentences in a text, and of the lines of lists and tables.
func sentences(text string) [][2]int {
	var all [][2]int
	start := 0
	for _, end := range sentenceEnd.FindAllStringIndex(text, -1) {
		all = append(all, [2]int{start, end[0] + 1})
		start = end[1]
	}
	return append(all, [2]int{start, len(text)})
}

// sentenceEnd matches the end of a line or sentence, but not the stop in "s. 16" or "Rs. 500".
var sentenceEnd = lazyregexp.New(`\n|[\p{Ll}\d)%”"][.?!] +|। *`)

// viewed matches phrases with which people state the law without a source.
var viewed = lazyregexp.New(`(?i)\bit is (?:well[- ])?settled\b|\bsettled (?:law|position|principle)\b|\b(?:the|gst|indian|under gst) law (?:says|provides|requires|allows|permits|prohibits|is clear|does not)\b` +
	`|\bas a matter of law\b|\b(?:courts?|tribunals?|high courts?|supreme court) (?:has|have)(?: \w+)? (?:held|ruled|decided|taken the view)\b` +
	`|न्यायालयों? ने .{0,40}(?:कहा|माना|ठहराया)|(?:कानून|क़ानून) (?:कहता है|के अनुसार)|यह (?:सुस्थापित|स्थापित) (?:विधि|कानून|क़ानून)`)

// owned matches phrases with which an answer says that something is only a view, or must still be confirmed.
var owned = lazyregexp.New(`(?i)to be confirmed|own view|in my view|\[authority to be added\]|पुष्टि|मेरी राय|मेरे विचार`)

// views returns statements of law in paragraphs that cite nothing: they are only the model's view. Headings are
// skipped.
func views(text string, marks []cite.Mark) []workflows.Finding {
	var found []workflows.Finding
	for start := 0; start < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		line := text[start:end]
		cites := slices.ContainsFunc(marks, func(m cite.Mark) bool {
			return m.Start >= start && m.End <= end && m.Kind != cite.Contradicted
		})
		if !cites && !strings.HasPrefix(line, "#") && !owned.MatchString(line) {
			for _, at := range viewed.FindAllStringIndex(line, -1) {
				found = append(found, saying(message.New("checks.law.view", nil),
					workflows.Finding{Code: "view", Verdict: string(cite.NotVerified), Quote: line[at[0]:at[1]],
						Start: start + at[0], End: start + at[1]}))
			}
		}
		start = end + 1
	}
	return found
}

func group(text string, at []int, n int) string {
	if at[2*n] < 0 {
		return ""
	}
	return text[at[2*n]:at[2*n+1]]
}

// unitOf returns "section" or "rule" from a provision's name.
func unitOf(provision string) string {
	unit, _, _ := strings.Cut(provision, " ")
	return unit
}
