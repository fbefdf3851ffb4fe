package workflows

import (
	"context"
	"fmt"
	"strings"

	"munshi/orchestrator/turns"

	"go.temporal.io/sdk/workflow"
)

// A conversation that is longer than the model's context is not cut. Instead, notes are written on its older part,
// piece by piece, each as a step of the turn with a stored result. From then on the notes replace that part. The
// answer says so and contains the notes, so that the person sees what the model was given.

// Earlier holds the notes that replace the older part of a conversation.
type Earlier struct {
	Text     string `json:"text"`
	Through  string `json:"through"`  // the last turn that they cover
	Messages int    `json:"messages"` // how many messages they replace
}

// Older is a part of the history to be replaced by notes, counted in messages.
type Older struct {
	From, To int
	Parts    int // number of pieces in which it is read
	Budget   int // tokens of each piece
	// the notes on what comes before From; without a step: the notes that the conversation already has
	Notes turns.ResultKey
}

// earlier lets notes be written on a part of the history.
func earlier(ctx workflow.Context, in AskInput, o Older) (*Older, error) {
	in.Older, in.Parts = &o, o.Parts
	for in.Part = 1; in.Part <= o.Parts; in.Part++ {
		if err := workflow.ExecuteActivity(asking(ctx, in.TurnInput), a.AskEarlier, in).Get(ctx, &o.Notes); err != nil {
			return nil, err
		}
	}
	o.From = o.To
	return &o, nil
}

const longConversation = "This conversation is too long for the model, even as notes. Begin a new one, or check " +
	"model.context_tokens."

// AskEarlier lets the model write notes on one piece of the older part of the conversation, given the notes on what
// came before.
func (a *Activities) AskEarlier(ctx context.Context, in AskInput) (turns.ResultKey, error) {
	defer alive(ctx)()
	ctx = in.asks(ctx)
	key, err := a.askEarlier(ctx, in)
	if err != nil {
		a.explain(ctx, in, err)
	}
	return key, a.refuse(ctx, in.Step.ID, err)
}

func (a *Activities) askEarlier(ctx context.Context, in AskInput) (turns.ResultKey, error) {
	ref := in.ref(ctx)
	m, err := a.Materials.Gather(ctx, ref)
	if err != nil {
		return turns.ResultKey{}, err
	}
	before, err := a.notes(ctx, ref, m, in.Older.Notes)
	if err != nil {
		return turns.ResultKey{}, err
	}
	pieces := Chunks(transcript(m.History[in.Older.From:in.Older.To]), in.Older.Budget, a.Model.Tokens)
	if in.Part > len(pieces) {
		return turns.ResultKey{}, fmt.Errorf("piece %d of %d is not there", in.Part, len(pieces))
	}
	q, err := a.render(ctx, in, in.Step.HistoryPrompt, a.earlierValues(m, before, pieces[in.Part-1], in.Part, in.Parts))
	if err != nil {
		return turns.ResultKey{}, err
	}
	note := Progress{State: "running", Note: &Note{Code: "summarising"}, Done: in.Part - 1, Total: in.Parts}
	return a.askBeside(ctx, in, m, q, fmt.Sprintf("earlier.%d", in.Part), note)
}

// notes returns the notes of an earlier step, or those that the conversation already has.
func (a *Activities) notes(ctx context.Context, ref Ref, m PromptContext, key turns.ResultKey) (string, error) {
	if key.Step != "" {
		answer, err := a.answer(ctx, ref, key)
		return answer.Text, err
	}
	if m.Earlier != nil {
		return m.Earlier.Text, nil
	}
	return "", nil
}

// noted returns the context with messages replaced by the notes on them.
func (a *Activities) noted(ctx context.Context, ref Ref, m PromptContext, o Older) (PromptContext, error) {
	text, err := a.notes(ctx, ref, m, o.Notes)
	if err != nil {
		return m, err
	}
	stands := Earlier{Text: text, Through: m.History[o.To-1].Turn, Messages: o.To}
	if m.Earlier != nil {
		stands.Messages += m.Earlier.Messages
	}
	m.Earlier, m.History = &stands, m.History[o.To:]
	return m, nil
}

// older decides which part of the history must be replaced by notes so that the question fits. The latest messages
// keep half of the room besides the notes, so that the next questions fit too. If that was not enough before, all
// messages are replaced.
func (a *Activities) older(ctx context.Context, in AskInput, m PromptContext, values map[string]any) (*Older, error) {
	done := in.Older
	values["history"] = utterances(nil, nil, false)
	bare, err := a.render(ctx, in, in.Step.Prompt, values)
	if err != nil {
		return nil, err
	}
	asks, err := a.render(ctx, in, in.Step.HistoryPrompt, a.earlierValues(m, "", leftOut, 1, 1))
	if err != nil {
		return nil, err
	}
	room, budget := -a.over(bare), -a.over(asks)
	switch {
	case room < 0:
		return nil, &Failure{Code: "too_long", Sentence: "The question is longer than the model takes."}
	case len(m.History) == 0:
		return nil, &Failure{Code: "too_long", Sentence: longConversation}
	}
	longest := asks.MaxTokens // length of the notes, which also precede every piece except the first
	if longest == 0 || longest > budget/2 {
		longest = budget / 2
	}
	if m.Earlier != nil {
		longest = max(longest, a.Model.Tokens(m.Earlier.Text))
	}
	if budget -= longest; budget < minPart {
		return nil, &Failure{
			Code:     "too_long",
			Sentence: "The model's context is too small for this plugin's prompts. Check model.context_tokens.",
		}
	}
	to := len(m.History)
	if done == nil {
		to -= latest(m.History, (room-longest)/2, a.Model.Tokens)
	}
	o := &Older{To: to, Budget: budget, Parts: len(Chunks(transcript(m.History[:to]), budget, a.Model.Tokens))}
	if done != nil {
		o.From, o.To, o.Notes = done.To, done.To+to, done.Notes
	}
	return o, nil
}

// latest returns how many of the last messages fit into room tokens: only whole turns, and never all messages.
func latest(history []turns.Utterance, room int, tokens func(string) int) int {
	fit, n := 0, 0
	for i := len(history) - 1; i > 0; i-- {
		if room -= tokens(history[i].Text); room < 0 {
			break
		}
		if n++; history[i].Turn != history[i-1].Turn {
			fit = n
		}
	}
	return fit
}

// transcript returns messages as texts, for writing notes on them.
func transcript(history []turns.Utterance) []string {
	texts := make([]string, len(history))
	for i, u := range history {
		who := "Person"
		if u.Role == "assistant" {
			who = "Assistant"
		}
		texts[i] = who + ": " + strings.TrimSpace(u.Text)
	}
	return texts
}

func (a *Activities) earlierValues(m PromptContext, before, piece string, n, of int) map[string]any {
	values := a.partValues(m, piece, n, of)
	values["earlier"] = before
	return values
}
