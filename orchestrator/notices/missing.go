package notices

import (
	"slices"
	"strings"

	"munshi/orchestrator/api"
	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/message"
)

// What may still be missing in a reply.
const (
	missingParagraph = "paragraph"
	missingBlank     = "blank"
	missingConfirm   = "confirm"
	missingPaper     = "paper"
	missingDate      = "date"
)

// openIn matches what a draft leaves open: blanks for what nobody supplied, and notes to the signatory.
var openIn = lazyregexp.New(`\[(?:…([^\]]*)|(To be confirmed: |Proposed: |An admission needs |To be attached)([^\]]*))\]`)

// missing lists what must be settled before the reply can be filed: allegations without a decision, unknown dates,
// requested papers that have not been received, and what the draft leaves open. A paper that the draft also mentions
// is listed once.
func (w worked) missing() []api.MissingOne {
	all := []api.MissingOne{}
	if !w.form.Drafted() {
		return all
	}
	add := func(kind string, what message.Message, point string) {
		all = append(all, api.MissingOne{Kind: kind, What: api.Sentence(what), Point: point})
	}
	if w.form.Kind == "reply" {
		for _, p := range reply.Missing(w.points, w.said) {
			if p.Number == "" {
				add(missingParagraph, message.New("missing.whole", nil), p.Key)
			} else {
				add(missingParagraph, message.New("missing.paragraph", message.Params{"para": p.Number}), p.Key)
			}
		}
	}
	if w.facts.ServedOn == nil {
		add(missingDate, message.New("missing.served", nil), "")
	}
	if w.facts.IssueDate == nil {
		add(missingDate, message.New("missing.issued", nil), "")
	}
	parts, text := w.drafted(), strings.Builder{}
	for _, p := range parts {
		text.WriteString(p.Text)
	}
	for _, paper := range w.given.Papers {
		if paper.State == "needed" && !strings.Contains(text.String(), paper.Type) {
			add(missingPaper, message.Text(paper.Type, ""), "")
		}
	}
	for _, p := range parts {
		for _, at := range openIn.FindAllStringSubmatchIndex(p.Text, -1) {
			m := make([]string, len(at)/2)
			for i := range m {
				if at[2*i] >= 0 {
					m[i] = p.Text[at[2*i]:at[2*i+1]]
				}
			}
			switch {
			case m[2] == toBeAttached: // the cell of the index names it
				add(missingPaper, message.Text(reply.Plain(cellBefore(p.Text[:at[0]])), ""), p.Point)
			case m[2] != "":
				add(missingConfirm, message.Text(reply.Plain(strings.TrimPrefix(m[2], "To be confirmed: ")+m[3]), ""),
					p.Point)
			case strings.TrimSpace(m[1]) == "":
				add(missingBlank, message.New("missing.blank", nil), p.Point)
			default:
				add(missingBlank, message.Text(reply.Plain(m[1]), ""), p.Point)
			}
		}
	}
	return all
}

const toBeAttached = "To be attached"

// cellBefore returns the words of a table's cell before its end.
func cellBefore(text string) string {
	return strings.TrimSpace(text[strings.LastIndexAny(text, "|\n")+1:])
}

// drafted returns the current parts of the draft, or none if there is no draft.
func (w worked) drafted() []reply.Part {
	if w.Draft == nil {
		return nil
	}
	parts := make([]reply.Part, len(w.Draft.Parts))
	for i, p := range w.Draft.Parts {
		parts[i] = reply.Part{ID: p.ID, Title: p.Title, Point: p.Point, Fixed: p.Fixed, Text: p.Text}
	}
	return parts
}

// howMany counts the items of one kind.
func howMany(all []api.MissingOne, kind string) int {
	return len(slices.DeleteFunc(slices.Clone(all), func(m api.MissingOne) bool { return m.Kind != kind }))
}
