package workflows

import (
	"context"
	"strings"
)

// NewDraft is a document to be kept among the person's drafts.
type NewDraft struct{ Kind, Title, Text string }

// Drafts keeps what was written for a person.
type Drafts interface {
	// SaveDraft keeps what the turn wrote as a draft. A turn has one: again, it is written over unless the person has
	// changed or deleted it.
	SaveDraft(ctx context.Context, ref Ref, d NewDraft) error
}

// titleLength is how much of what the person asked for names the draft, in letters.
const titleLength = 90

// draftOf makes a draft of an answer: its sort is what was chosen, and it is called after what was asked for.
func draftOf(s Step, m PromptContext, answer Answer) NewDraft {
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
		m, err := a.Materials.Gather(ctx, ref)
		if err != nil {
			return err
		}
		if err := a.saveDraft(ctx, ref, in.Step, m, answer); err != nil {
			return err
		}
		return a.Turns.SetStep(ctx, ref, in.Step.ID, Progress{State: "done"})
	}())
}

func (a *Activities) saveDraft(ctx context.Context, ref Ref, s Step, m PromptContext, answer Answer) error {
	return a.Drafts.SaveDraft(ctx, ref, draftOf(s, m, answer))
}
