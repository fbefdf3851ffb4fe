package workflows

import (
	"context"
	"fmt"
	"strings"
)

// NewDraft is a document to be kept among the person's drafts.
type NewDraft struct{ Kind, Title, Text string }

// Drafts keeps what was written for a person.
type Drafts interface {
	// SaveDraft keeps what the turn wrote as a draft. A turn has one: again, it is written over unless the person has changed or
	// deleted it.
	SaveDraft(ctx context.Context, ref Ref, d NewDraft) error
}

// titleLength is how much of what the person asked for names the draft, in letters.
const titleLength = 90

// draftOf makes a draft of an answer: its sort is what was chosen, and it is called after what was asked for.
func draftOf(s Step, m Material, answer Answer) NewDraft {
	d := NewDraft{Kind: m.Inputs[s.Document], Title: strings.Join(strings.Fields(m.Message), " "), Text: answer.Text}
	if letters := []rune(d.Title); len(letters) > titleLength {
		d.Title = string(letters[:titleLength])
		if space := strings.LastIndexByte(d.Title, ' '); space > 0 {
			d.Title = d.Title[:space]
		}
		d.Title = strings.TrimRight(d.Title, " ,;:.–-") + " …"
	}
	return d
}

// SaveDraft keeps an answer as a draft.
func (a *Activities) SaveDraft(ctx context.Context, in AnswerInput) error {
	return a.refuse(ctx, in.Step.ID, func() error {
		ref := in.ref(ctx)
		answer, err := a.answer(ctx, ref, in.Answer)
		if err != nil {
			return err
		}
		m, err := a.Library.Material(ctx, ref)
		if err != nil {
			return err
		}
		if err := a.saveDraft(ctx, ref, in.Step, m, answer); err != nil {
			return err
		}
		return a.Turns.SetStep(ctx, ref, in.Step.ID, Progress{State: "done"})
	}())
}

func (a *Activities) saveDraft(ctx context.Context, ref Ref, s Step, m Material, answer Answer) error {
	if answer.Text == emptyAnswer {
		return nil // there is nothing to keep
	}
	return a.Drafts.SaveDraft(ctx, ref, draftOf(s, m, answer))
}

// askOn has the model write an answer and go on with it for as long as it reaches its limit: what was broken off in the middle
// is taken back, and written again with what follows. Each piece is kept, so that none is paid for twice.
func (a *Activities) askOn(ctx context.Context, in AskInput, m Material, values map[string]any, q Question, pen *pen) (Answer, error) {
	ref := in.ref(ctx)
	var wrote Written
	for n := 1; ; n++ {
		m.Kept = true // an earlier attempt may have kept this piece
		key, piece, found, err := a.before(ctx, ref, ResultKey{Step: in.Step.ID, Part: fmt.Sprintf("piece %d", n)}, m, q)
		switch {
		case err != nil:
			return Answer{}, err
		case found:
			err = pen.write(piece.Text)
		default:
			piece, err = a.Model.Ask(ctx, q, pen.write)
		}
		if err != nil {
			return Answer{}, err
		}
		piece.Prompt, piece.PromptSHA, piece.Bundle = q.Prompt, q.SHA, q.Bundle
		wrote = wrote.and(piece)
		text := ""
		last := piece.StopReason != "length" || n == goingOn || strings.TrimSpace(piece.Text) == ""
		if !last {
			text = unbroken(pen.text())
			values["written"] = text
			if q, err = a.Library.Render(ctx, in.Bundle, in.Plugin, in.Step.Prompt, values); err != nil {
				return Answer{}, err
			}
			last = a.over(q) > 0
		}
		if last {
			piece.Text, piece.InputTokens, piece.OutputTokens, piece.CostPaise = "", wrote.InputTokens, wrote.OutputTokens, wrote.CostPaise
			return piece, nil
		}
		if !found {
			if err := a.keep(ctx, ref, key, piece, q); err != nil {
				return Answer{}, err
			}
		}
		if err := pen.back(text); err != nil {
			return Answer{}, err
		}
	}
}

// unbroken takes off the end of a text that was broken off: the line that it broke in, or the sentence or word of a line that
// is long.
func unbroken(text string) string {
	for _, seam := range []string{"\n\n", "\n", ". ", " "} {
		if at := strings.LastIndex(text, seam); at > len(text)/2 && (seam == " " || len(text)-at < longestLine) {
			return text[:at+len(seam)]
		}
	}
	return text
}
