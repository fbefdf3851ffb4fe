package law

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

var (
	notificationNo  = lazyregexp.New(`(?i)\bNo\.?\s*(\d{1,3})\s?/\s?(20\d\d)\s?[-–—]?\s?(Central Tax|Integrated Tax|Union Territory Tax)?`)
	notificationDay = lazyregexp.New(`(?i)(?:dated|New Delhi|Dated)[\s,:]*(?:the )?(?:dated )?(?:the )?` + dayPattern)
	comesIntoForce  = lazyregexp.New(`(?is)come into force (?:with effect )?(?:from|on)\s+(?:the )?` + dayPattern)
	appointsDay     = lazyregexp.New(`(?is)appoints the ` + dayPattern + `,? as the date`)
	amendmentStart  = lazyregexp.New(`(?m)^\s*(\d{1,2})\.\s+(?:In the (?:said|Central|Integrated)|\(?\d?\)?\s*In the)`)
	ownEffect       = lazyregexp.New(`(?is)with effect from (?:the )?` + dayPattern)
	rulesNamed      = lazyregexp.New(`(?i)\b(?:in|after|of|for) (?:sub-rule \(\d+[A-Z]?\) of )?(rule|section) (\d{1,3}[A-Z]{0,2})\b`)
	insertedRule    = lazyregexp.New(`(?s)following (?:rule|section)s? shall be inserted[^“"]{0,60}[“"]\s*(\d{1,3}[A-Z]{1,2})\.\s*`)
	commencesAct    = lazyregexp.New(`(?is)provisions of (.{5,200}?) of the\s+said\s+Act`)
	ofTheAct        = lazyregexp.New(`(?i)\b((?:The )?Finance \(?(?:No\.? ?\d\)? )?Act,? \d{4})`)
)

// readNotification reads what a notification amends. A rule that it inserts as a whole becomes a provision. For its
// other changes only the provisions concerned are recorded, because they are not merged into the text.
func readNotification(name string, text string) (*parsed, bool) {
	flat := text[:min(len(text), 4000)]
	no := notificationNo.FindStringSubmatch(flat)
	if no == nil || !strings.Contains(strings.ToUpper(flat), "NOTIFICATION") {
		return nil, false
	}
	number := strings.TrimLeft(no[1], "0") + "/" + no[2]
	if no[3] != "" {
		number += "-" + no[3]
	}
	date, from := "", ""
	if m := notificationDay.FindStringSubmatch(flat); m != nil {
		date = dayOf(m[1:7])
	}
	if m := comesIntoForce.FindStringSubmatch(flat); m != nil {
		from = dayOf(m[1:7])
	}
	act := "cgst"
	if strings.Contains(flat, "Services Tax Rules") || strings.Contains(flat, "Tax\nRules") {
		act = "cgst_rules"
	}
	p := &parsed{
		Source: Source{Name: name, Kind: "notification", AsOn: date, Acts: []string{act}, Publisher: "CBIC, " + number},
	}
	if m := appointsDay.FindStringSubmatch(flat); m != nil { // it brings parts of an amending Act into force
		a := amendment{By: number, Date: date, From: dayOf(m[1:7]), Act: "cgst"}
		what := commencesAct.FindStringSubmatch(flat)
		by := ofTheAct.FindString(strings.Join(strings.Fields(flat), " "))
		if what != nil {
			a.About = "brings " + strings.Join(strings.Fields(what[1]), " ") + " of the " + by + " into force"
		}
		p.Source.Acts = []string{"cgst"}
		p.Amendments = append(p.Amendments, a)
		return p, true
	}
	starts := amendmentStart.FindAllStringIndex(text, -1)
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		body := text[at[0]:end]
		effect := from
		opening := body[:min(len(body), 200)]
		if m := ownEffect.FindStringSubmatch(opening); m != nil {
			effect = dayOf(m[1:7])
		}
		if m := insertedRule.FindStringSubmatchIndex(body); m != nil {
			inserted := body[m[2]:m[3]]
			words := body[m[3]:]
			if closing := strings.LastIndexAny(words, "”\""); closing > 0 {
				words = words[:closing]
			}
			// The text, beginning with the heading.
			textOf, heading := withoutHeading(reflow(inserted+words), inserted, "")
			c := note{"1", "Ins. by Notification No. " + number + " (w.e.f. " + dotted(effect) + ")."}
			p.Readings = append(p.Readings,
				reading{Act: act, Unit: unitOf(act, ""), Number: inserted, Heading: heading, Text: "^1[" + textOf + "]",
					Notes: []note{c}})
			continue
		}
		a := amendment{By: number, Date: date, From: effect, Act: act, Words: strings.Join(strings.Fields(body), " ")}
		quote := strings.IndexAny(opening, "“\"")
		if quote > 0 {
			opening = opening[:quote]
		}
		for _, m := range rulesNamed.FindAllStringSubmatchIndex(opening, -1) {
			if n := opening[m[4]:m[5]]; !slices.Contains(a.Numbers, n) {
				a.Numbers = append(a.Numbers, n)
			}
		}
		if len(a.Numbers) > 0 {
			p.Amendments = append(p.Amendments, a)
		}
	}
	return p, len(p.Amendments)+len(p.Readings) > 0
}

// dotted returns an ISO day in the form 1-10-2022.
func dotted(iso string) string {
	parts := strings.Split(iso, "-")
	if len(parts) != 3 {
		return "date not named"
	}
	return strings.TrimLeft(parts[2], "0") + "-" + strings.TrimLeft(parts[1], "0") + "-" + parts[0]
}
