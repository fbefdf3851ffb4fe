// Package activities implements what the workflows call: turns, documents and drafts in the store, the context of
// prompts, models, page reading, reminders, and erasing. Each type implements an interface of package workflows; none
// decides what happens next.
package activities

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// TurnStore implements what workflows need from the store: turns with the results of their steps, the text being
// written, documents and drafts.
type TurnStore struct{ Store *store.Store }

var (
	_ workflows.TurnStore     = TurnStore{}
	_ workflows.DocumentStore = TurnStore{}
	_ workflows.StreamStore   = TurnStore{}
	_ workflows.Drafts        = TurnStore{}
)

func (t TurnStore) Begin(ctx context.Context, ref workflows.Ref, steps []workflows.Step) (turns.Begun, error) {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return turns.Begun{}, err
	}
	planned := make([]store.PlannedStep, len(steps))
	for i, s := range steps {
		planned[i] = store.PlannedStep{ID: s.ID, Kind: s.Kind, Title: s.Title}
	}
	begun, err := t.Store.Begin(ctx, r, planned)
	return begun, FencedTurn(ctx, t.Store, r, err)
}

func (t TurnStore) SetStep(ctx context.Context, ref workflows.Ref, step string, p workflows.Progress) error {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return err
	}
	return FencedTurn(ctx, t.Store, r, t.Store.SetStep(ctx, r, step, stepState(p)))
}

func (t TurnStore) NoteStep(ctx context.Context, ref workflows.Ref, step string, n workflows.Note) error {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return err
	}
	return FencedTurn(ctx, t.Store, r, t.Store.NoteStep(ctx, r, step, noteText(n)))
}

func (t TurnStore) EndPiece(ctx context.Context, ref workflows.Ref, step string, piece, total int) error {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return err
	}
	return FencedTurn(ctx, t.Store, r, t.Store.EndPiece(ctx, r, step, piece, total))
}

// stepState converts the progress of a step for the store.
func stepState(p workflows.Progress) store.StepState {
	state := store.StepState{State: p.State, Done: p.Done, Total: p.Total}
	if p.Note != nil {
		state.Note = noteText(*p.Note)
	}
	return state
}

// noteText returns a step's progress note as the store keeps it: a message as JSON, or "" if it cannot be encoded.
func noteText(n workflows.Note) string {
	raw, err := json.Marshal(noted(n))
	if err != nil {
		return ""
	}
	return string(raw)
}

// noted returns the message about what a step is doing. A note inside a note is the problem because of which the model
// is called again.
func noted(n workflows.Note) message.Message {
	params := message.Params{}
	for name, value := range n.Params {
		if within, ok := value.(workflows.Note); ok {
			why := problem.OfTurn(within.Code)
			if why.IsZero() {
				why = message.New("progress.slow", nil)
			}
			value = why
		}
		params[name] = value
	}
	return message.New("progress."+n.Code, params)
}

func (t TurnStore) Result(ctx context.Context, ref workflows.Ref, key turns.ResultKey, out any) (bool, error) {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return false, err
	}
	raw, err := t.Store.Result(ctx, r, key)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return false, fmt.Errorf("decode the result of step %q: %w", key.Step, err)
	}
	return true, nil
}

func (t TurnStore) SaveResult(ctx context.Context, ref workflows.Ref, key turns.ResultKey, result any) error {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return err
	}
	return FencedTurn(ctx, t.Store, r, t.Store.SaveResult(ctx, r, key, result))
}

func (t TurnStore) SaveFound(ctx context.Context, ref workflows.Ref, key turns.ResultKey, found any) error {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return err
	}
	return FencedTurn(ctx, t.Store, r, t.Store.SaveFound(ctx, r, key, found))
}

// keptQuestion is the part of a question that is stored with its answer.
type keptQuestion struct {
	Messages    []prompt.Message `json:"messages"`
	Model       string           `json:"model,omitempty"` // as named in the prompt's file
	Temperature *float64         `json:"temperature,omitempty"`
	MaxTokens   int              `json:"max_tokens,omitempty"`
}

func (t TurnStore) SaveAnswer(
	ctx context.Context,
	ref workflows.Ref,
	key turns.ResultKey,
	answer workflows.Answer,
	q workflows.Question,
	last workflows.StreamPiece,
) error {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return err
	}
	kept := keptQuestion{Model: q.Model, Temperature: q.Temperature, MaxTokens: q.MaxTokens}
	asked, _ := masked(q) // exactly as the provider received it
	for _, m := range asked {
		kept.Messages = append(kept.Messages, prompt.Message{Role: m.Role, Text: m.Text})
	}
	at := store.EventID{Epoch: last.Epoch, Seq: last.Seq}
	return FencedTurn(ctx, t.Store, r, t.Store.SaveAnswer(ctx, r, key, answer, kept, at, last.Text))
}

func (t TurnStore) End(ctx context.Context, ref workflows.Ref, e workflows.Ending) (bool, error) {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return false, err
	}
	end := store.Ending{State: e.State, Text: e.Apology, ErrorCode: e.Code, Sentence: e.Sentence}
	if e.Answer != nil {
		a := *e.Answer
		end.Text, a.Text = a.Text, ""
		if end.Provenance, err = json.Marshal(a); err != nil {
			return false, fmt.Errorf("encode the provenance: %w", err)
		}
	}
	if len(e.Findings) > 0 {
		if end.Checks, err = json.Marshal(e.Findings); err != nil {
			return false, fmt.Errorf("encode the findings: %w", err)
		}
	}
	awaited, err := t.Store.End(ctx, r, end)
	return awaited, FencedTurn(ctx, t.Store, r, err)
}

func (t TurnStore) Answered(ctx context.Context, ref workflows.Ref) (bool, error) {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return false, err
	}
	awaited, err := t.Store.Ended(ctx, r, "answered")
	return awaited, FencedTurn(ctx, t.Store, r, err)
}

func (t TurnStore) Open(ctx context.Context, ref workflows.Ref, step string) (int64, error) {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return 0, err
	}
	epoch, err := t.Store.OpenEpoch(ctx, r, step)
	return epoch, FencedTurn(ctx, t.Store, r, err)
}

func (t TurnStore) Append(ctx context.Context, ref workflows.Ref, epoch, seq int64, text string) error {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return err
	}
	return FencedTurn(ctx, t.Store, r, t.Store.Append(ctx, r, store.EventID{Epoch: epoch, Seq: seq}, text))
}
