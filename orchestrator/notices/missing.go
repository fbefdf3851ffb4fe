package notices

import (
	"regexp"
	"slices"
	"strings"

	"munshi/orchestrator/api"
	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/message"
)

// What may be missing of a paper.
const (
	missingParagraph = "paragraph"
	missingBlank     = "blank"
	missingConfirm   = "confirm"
	missingPaper     = "paper"
	missingDate      = "date"
)

// openIn finds what a draft leaves open: places for what nobody supplied, and notes to who signs it.
var openIn = regexp.MustCompile(`\[(?:…([^\]]*)|(To be confirmed: |Proposed: |An admission needs |To be attached)([^\]]*))\]`)

// missing lists what has to be settled before the paper may go out: the paragraphs that nobody decided, the days that
// nobody gave, the papers that were asked for and are not there, and what the draft leaves open. A paper that the draft
// asks for stands there once.
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
		for _, m := range openIn.FindAllStringSubmatch(p.Text, -1) {
			switch {
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

// drafted returns the parts of the draft as they stand, none where nothing was drafted.
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

// howMany counts those of one kind.
func howMany(all []api.MissingOne, kind string) int {
	return len(slices.DeleteFunc(slices.Clone(all), func(m api.MissingOne) bool { return m.Kind != kind }))
}
