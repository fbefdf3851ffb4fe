package reply

import (
	"regexp"
	"strings"

	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// lastBefore74A is the end of the last year to which sections 73 and 74 apply; section 74A applies to the years after
// it (Finance (No. 2) Act, 2024; N.17/2024-CT).
const lastBefore74A = "2024-03-31"

// dated adapts a text of our own to the dates of the notice. Where the text names all sections on demands, only those
// that apply to the years of the notice are kept. If it cites a circular that was withdrawn before the date of the
// paper, a note is added.
func (w *writer) dated(text string) string {
	which := ""
	switch from, to := w.from(), w.to(); {
	case from == "" || to == "":
	case from > lastBefore74A:
		which = "section 74A"
	case to <= lastBefore74A:
		which = "section 73 or 74"
	}
	if which != "" {
		text = allOfThem.ReplaceAllString(text, which)
	}
	for _, note := range w.withdrawn(text) {
		text += " " + confirm(note)
	}
	return text
}

var (
	allOfThem = lazyregexp.New(`sections? 73 to 74A|sections? 73, 74 (?:or|and) 74A`)
	oneOfThem = regexp.MustCompile(`^(?:CGST Act )?s?\.?(7[34]A?)(?:\(|$)`)
)

// withdrawn returns what the tables say about circulars that a text cites and that were withdrawn before the paper.
func (w *writer) withdrawn(text string) []string {
	if !strings.Contains(text, "Circular") {
		return nil
	}
	today := w.given.Today
	if today.IsZero() && w.facts.IssueDate != nil {
		today = law.ParseDay(*w.facts.IssueDate)
	}
	var notes []string
	for _, m := range w.law.Index.Check(text, cite.Context{Today: today.ISO()}) {
		if m.Verdict == cite.NotInForce && strings.Contains(text[m.Start:m.End], "Circular") {
			notes = append(notes, strings.TrimSuffix(m.Message, ".")+"; see whether it applied when the supply was made")
		}
	}
	return notes
}

// provisionOf returns the provisions of a point, without those on demands that do not apply to the years of the notice.
func (w *writer) provisionOf(p defence.Point) string {
	after, before := w.from() > lastBefore74A, w.to() != "" && w.to() <= lastBefore74A
	if !after && !before {
		return p.Provision
	}
	var acts []string
	for _, act := range strings.Split(p.Provision, "; ") {
		var kept []string
		prefix := ""
		for _, one := range strings.Split(act, ", ") {
			m := oneOfThem.FindStringSubmatch(one)
			if m == nil || (m[1] == "74A") == after {
				kept = append(kept, one)
			} else if strings.HasPrefix(one, "CGST Act ") {
				prefix = "CGST Act s."
			}
		}
		if len(kept) > 0 && prefix != "" && !strings.HasPrefix(kept[0], "CGST Act ") {
			kept[0] = prefix + strings.TrimPrefix(kept[0], "s.")
		}
		if len(kept) > 0 {
			acts = append(acts, strings.Join(kept, ", "))
		}
	}
	return strings.Join(acts, "; ")
}

// outOfPeriod reports whether a point rests on section 16(5) for a notice whose returns were all due after the day up
// to which that provision saves credit, 30 November 2021.
func (w *writer) outOfPeriod(p defence.Point) bool {
	return strings.HasPrefix(p.Provision, "CGST Act s.16(5)") && w.from() > "2021-10-31"
}
