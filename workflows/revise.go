package workflows

import (
	"context"
	"errors"

	"munshi/orchestrator/turns"

	"go.temporal.io/sdk/activity"
)

// revisionPart is the part name under which a revision is stored.
const revisionPart = "revision"

// revised lets the model rewrite an answer that contradicts the facts, if the check step that follows names a prompt
// for this. Meanwhile the person sees the first answer, and keeps it if they stop the turn. The second is used only if
// it is better; otherwise the first stays, with its marks.
func (a *Activities) revised(ctx context.Context, in AskInput, first said) (said, error) {
	prompt := ""
	for _, next := range in.Then {
		if next.Kind == "check" {
			prompt = next.Revise
		}
	}
	if !a.Revise || prompt == "" || first.Model == "offline" { // the offline engine writes from the facts
		return first, nil
	}
	wrong := contradictions(a.findings(first.Answer, first.from.checkContext()))
	if len(wrong) == 0 {
		return first, nil
	}
	second, err := a.revise(ctx, in, prompt, first, wrong)
	var f *Failure
	switch {
	case err != nil && ctx.Err() != nil, errors.Is(err, ErrSuperseded):
		return first, err
	case errors.As(err, &f) && !f.Retryable, err != nil && activity.GetInfo(ctx).Attempt >= extraAttempts:
		a.Log.WarnContext(ctx, "an answer that contradicts the facts could not be written once more", "turn", in.Turn,
			"error", err)
		return first, nil
	case err != nil:
		return first, err
	case second.Text == "",
		second.StopReason == "length",
		len(contradictions(a.findings(second, first.from.checkContext()))) >= len(wrong):
		return first, nil
	}
	second.Revision, second.First, second.Earlier = 2, first.Text, first.Earlier
	second.InputTokens += first.InputTokens // both were paid for
	second.OutputTokens += first.OutputTokens
	second.Milliseconds += first.Milliseconds
	if first.CostPaise != nil && second.CostPaise != nil {
		sum := *first.CostPaise + *second.CostPaise
		second.CostPaise = &sum
	} else {
		second.CostPaise = nil
	}
	return said{second, first.from}, nil
}

func contradictions(findings []Finding) []Finding {
	var wrong []Finding
	for _, f := range findings {
		if f.Code == "fact" && f.Verdict == "contradicts" {
			wrong = append(wrong, f)
		}
	}
	return wrong
}

// revise asks for an answer again, with the list of its mistakes. An answer from an earlier run or attempt is reused.
// The result is empty if the question is too long for the model.
func (a *Activities) revise(ctx context.Context, in AskInput, prompt string, first said,
	wrong []Finding) (Answer, error) {
	ref, m := in.ref(ctx), first.from
	values := a.values(m)
	list := make([]map[string]string, len(wrong))
	for i, f := range wrong {
		list[i] = map[string]string{"quote": f.Quote, "message": f.Message}
	}
	values["draft"], values["contradictions"] = first.Text, list
	q, err := a.Catalogue.Render(ctx, in.prompts(in.Bundle), prompt, values)
	if err == nil && a.over(q) > 0 {
		values["notice"], values["document"], values["history"] = "", "", []map[string]string{}
		q, err = a.Catalogue.Render(ctx, in.prompts(in.Bundle), prompt, values)
	}
	if err != nil || a.over(q) > 0 {
		return Answer{}, err
	}
	key, answer, found, err := a.before(ctx, ref, turns.ResultKey{Step: in.Step.ID, Part: revisionPart}, m, q)
	if err != nil || found {
		return answer, err
	}
	note := Progress{State: "running", Note: &Note{Code: "revising"}}
	if err := a.Turns.SetStep(ctx, ref, in.Step.ID, note); err != nil {
		return Answer{}, err
	}
	if answer, err = a.askUnseen(ctx, q); err != nil {
		return Answer{}, err
	}
	return answer, a.keep(ctx, ref, key, answer, q, StreamPiece{})
}
