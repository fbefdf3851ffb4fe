package notices

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/lazyregexp"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/law/answer"
	"munshi/orchestrator/message"
	"munshi/workflows"
)

// quoting checks the quotations of a text against the law and the document.
type quoting struct {
	text  string
	marks []cite.Mark // what the text cites
	law   *statute.Quotes
	on    string          // ISO date of that law: the last day of the notice's period, or today
	now   *statute.Quotes // the law of today; nil if on is today
	today string          // ISO
	pages gst.Folded
	shelf shelf // the person's own authorities
}

// attributed is the source that a text gives for a quotation: provisions, most likely first, or something else by
// name.
type attributed struct {
	provisions []statute.Cited
	names      []cite.Mark // where the provisions are cited
	other      string
	beside     []string // other sources named in the same line, such as judgments and circulars
}

// inNotice is the verdict on words that are in the document and not in the law.
const inNotice = "in_notice"

func (q *quoting) findings() []workflows.Finding {
	var all []workflows.Finding
	var cited []statute.Cited
	for _, m := range q.marks {
		if c, ok := answer.Cited(m); ok && !slices.Contains(cited, c) {
			cited = append(cited, c)
		}
	}
	for _, w := range gst.Quotations(q.text) {
		to := q.attribute(w)
		if w.Block && len(to.provisions) == 0 {
			continue
		}
		f := workflows.Finding{Code: "quotation", Quote: q.text[w.Start:w.End], Start: w.Start, End: w.End}
		switch {
		case to.other == "":
			if q.judge(&f, w, to, cited); f.Verdict == "" && len(to.provisions) == 0 {
				if !q.shelf.quoted(&f, w.Words, "") && q.inventedOfNotice(w) {
					f.Verdict = "not_in_notice"
					f = saying(message.New("checks.quotation.not_in_notice", nil), f)
				}
			}
		case q.shelf.quoted(&f, w.Words, to.other):
		case q.pages.PageOf(w.Words) == 0:
			f.Verdict, f.Provision = string(statute.QuoteNotHeld), to.other
			f = saying(message.New("checks.quotation.not_held", message.Params{"where": message.Citation(to.other)}), f)
		}
		if f.Verdict == "" {
			continue
		}
		if f.Verdict == string(statute.QuoteHolds) || f.Verdict == inNotice || f.Verdict == inAuthority {
			// Marked at the last letter only, so that citations inside the quotation can still be opened.
			_, size := utf8.DecodeLastRuneInString(f.Quote)
			f.Start = f.End - size
		}
		all = append(all, f)
	}
	return all
}

// judge checks a quotation against the law, if it is quoted from a provision or names no source.
func (q *quoting) judge(f *workflows.Finding, w gst.Quotation, to attributed, cited []statute.Cited) {
	found := q.law.Check(w.Words, to.provisions, cited)
	today := false // the words are in the law of today, and not in that of the period
	if q.now != nil && found.Verdict != statute.QuoteHolds {
		now := q.now.Check(w.Words, to.provisions, cited)
		if now.Verdict == statute.QuoteHolds ||
			now.Verdict == statute.QuoteElsewhere && found.Verdict != statute.QuoteElsewhere {
			found, today = now, true
		}
	}
	if found.Verdict == "" {
		return
	}
	if found.Verdict == statute.QuoteAbsent || found.Verdict == statute.QuoteNotHeld ||
		found.Verdict == statute.QuoteDiffers {
		if page := q.pages.PageOf(w.Words); page > 0 {
			f.Verdict = inNotice
			*f = saying(message.New("checks.quotation.in_notice", message.Params{"page": page}), *f)
			return
		}
		for _, name := range to.beside { // "on section 16(2)(c) the court held …"
			if q.shelf.quoted(f, w.Words, name) && f.Verdict == inAuthority {
				return
			}
		}
	}
	f.Verdict = string(found.Verdict)
	f.Act, f.Provision = actNamed(found.Act)
	if f.Act == "" && len(to.names) > 0 { // the index does not have this Act
		f.Act, f.Provision = to.names[0].Act, to.names[0].Provision
	} else {
		f.Provision += " " + found.Number
	}
	where := message.New("checks.unit", message.Params{"unit": message.Citation(f.Provision)})
	if f.Act != "" {
		unit, _, _ := strings.Cut(f.Provision, " ")
		where = message.New("checks.unit_of_"+unit,
			message.Params{"unit": message.Citation(f.Provision), "act": message.Citation(f.Act)})
	}
	say := func(code, date string) {
		*f = saying(message.New("checks.quotation."+code,
			message.Params{"where": where, "date": message.Date(date), "day": message.Date(q.on),
				"reads": shortened(found.Reads)}), *f)
	}
	switch found.Verdict {
	case statute.QuoteHolds:
		switch {
		case found.From == "":
			say("holds", "")
		case today:
			say("holds_today", found.From)
		case found.Until != "" && found.Until < q.today:
			say("held_then", found.Until)
		default:
			say("holds_since", found.From)
		}
	case statute.QuoteElsewhere:
		say("elsewhere", "")
	case statute.QuoteOtherDay:
		if found.From > q.on {
			say("not_yet", found.From)
		} else {
			say("no_longer", found.Until)
		}
	case statute.QuoteDiffers:
		f.Words = found.Reads
		say("differs", "")
	case statute.QuoteAbsent:
		if to.names[0].Act == "" {
			f.Verdict = string(statute.QuoteNotHeld)
			say("no_act", "")
			break
		}
		say("absent", "")
	case statute.QuoteNotHeld:
		say("not_held", "")
	}
}

// ofNotice matches words that attribute the quotation after them to the notice.
var ofNotice = lazyregexp.New(`(?i)\b(?:notice|SCN|officer)\b[^.\n"“”]{0,60}\b(?:says?|said|stat(?:es|ed)|alleg(?:es|ed)|` +
	`reads?|record(?:s|ed)|mention(?:s|ed)|direct(?:s|ed)|observ(?:es|ed)|claim(?:s|ed)|assert(?:s|ed))\b[^.\n"“”]{0,40}$` +
	`|\baccording to the (?:notice|SCN|officer)\b[^.\n"“”]{0,40}$` +
	`|नोटिस[^।\n"“”]{0,60}(?:कहता|कहा|लिखा|बताता|के अनुसार)[^।\n"“”]{0,40}$`)

// inventedOfNotice reports whether words are quoted as the notice's but do not occur in it. Words in Hindi never count,
// since they may be a translation.
func (q *quoting) inventedOfNotice(w gst.Quotation) bool {
	line := q.text[strings.LastIndexByte(q.text[:w.Start], '\n')+1 : w.Start]
	hindi := strings.ContainsFunc(w.Words, func(r rune) bool { return unicode.Is(unicode.Devanagari, r) })
	return ofNotice.MatchString(line) && !hindi && strings.Join(q.pages, "") != "" && q.pages.PageOf(w.Words) == 0
}

// shortened limits a message to what a screen can show.
func shortened(words string) string {
	const most = 400
	if len(words) <= most {
		return words
	}
	return strings.ToValidUTF8(words[:strings.LastIndexByte(words[:most], ' ')], "") + " …"
}

// attribute finds the source that a text gives for a quotation: what is cited right after it, else last before it on
// the line, else elsewhere on the line, else in the heading above or a line above that ends with a colon.
func (q *quoting) attribute(w gst.Quotation) attributed {
	start := strings.LastIndexByte(q.text[:w.Start], '\n') + 1
	end := len(q.text)
	if i := strings.IndexByte(q.text[w.End:], '\n'); i >= 0 {
		end = w.End + i
	}
	var behind, before, after []cite.Mark
	for _, m := range q.marks {
		switch {
		case m.Kind == cite.Contradicted || m.Start >= w.Start && m.End <= w.End:
		case m.Start >= w.End && m.Start < end && strings.Trim(q.text[w.End:m.Start], " ,.;:([–—-*_") == "":
			behind = append(behind, m)
		case m.Start >= w.End && m.Start < end:
			after = append(after, m)
		case m.End <= w.Start && m.Start >= start:
			before = append(before, m)
		}
	}
	slices.Reverse(before)
	all := slices.Concat(behind, before)
	if len(all) == 0 {
		all = after
	}
	if len(all) == 0 {
		all = q.leading(start)
	}
	var to attributed
	for i, m := range all {
		c, ok := answer.Cited(m)
		if !ok {
			if i == 0 {
				return attributed{other: m.Provision}
			}
			to.beside = append(to.beside, m.Provision)
			continue
		}
		if !slices.Contains(to.provisions, c) {
			to.provisions, to.names = append(to.provisions, c), append(to.names, m)
		}
	}
	return to
}

// leading returns what the line above cites, if it is a heading or ends with a colon.
func (q *quoting) leading(at int) []cite.Mark {
	above := strings.TrimRight(q.text[:at], " \t\n>")
	start := strings.LastIndexByte(above, '\n') + 1
	line := strings.Trim(above[start:], " *_")
	if !strings.HasPrefix(line, "#") && !strings.HasSuffix(line, ":") {
		return nil
	}
	var all []cite.Mark
	for _, m := range q.marks {
		if m.Start >= start && m.End <= at && m.Kind != cite.Contradicted {
			all = append(all, m)
		}
	}
	slices.Reverse(all)
	return all
}

// actNamed returns how checks call an Act and its parts; "" for an unknown Act.
func actNamed(id string) (short, unit string) {
	for _, a := range statute.Acts() {
		if a.ID == id {
			return a.Short, a.Unit
		}
	}
	return "", ""
}
