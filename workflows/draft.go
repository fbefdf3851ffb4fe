package workflows

import (
	"context"
	"strings"
)

// NewDraft is a document to be stored as a draft.
type NewDraft struct{ Kind, Title, Text string }

// Drafts stores drafts.
type Drafts interface {
	// SaveDraft stores what the turn wrote as a draft. A turn has one draft: repeated calls overwrite it, unless the
	// person has changed or deleted it.
	SaveDraft(ctx context.Context, ref Ref, d NewDraft) error
}

// titleLength is the maximum length of a draft's title, in letters.
const titleLength = 90

// draftOf makes a draft from an answer: its kind is what the person chose, and its title is the beginning of their
// request.
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

// SaveDraft stores an answer as a draft.
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
