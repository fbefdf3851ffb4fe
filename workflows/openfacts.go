package workflows

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"munshi/orchestrator/turns"
)

// longestProposals is how many bytes of an answer are searched for proposals, which are a few short quotations.
const longestProposals = 64 << 10

// OpenFactsInput identifies a step that asks a model where the fields are printed that the reader left open.
type OpenFactsInput struct {
	StepInput
	Bundle string
	Skip   bool // there is nothing more to ask
}

// openFacts asks the model where the open fields are printed. Whatever happens, the turn continues, unless the person
// stops it: a proposal only saves them a search in the paper.
func openFacts(ctx workflow.Context, t *turn, s Step) error {
	in := OpenFactsInput{StepInput: StepInput{t.in, s}, Bundle: t.plan.Bundle, Skip: t.offline}
	var open int
	err := workflow.ExecuteLocalActivity(local(ctx), a.PlanOpenFacts, in).Get(ctx, &open)
	if err != nil || open == 0 {
		return err
	}
	trying, leave := workflow.WithCancel(ctx)
	t.leave = leave
	err = workflow.ExecuteActivity(askingAside(trying, t.in), a.AskOpenFacts, in).Get(ctx, nil)
	t.leave = nil
	var failure *temporal.ApplicationError
	if err == nil || ctx.Err() != nil || errors.As(err, &failure) && failure.Type() == superseded {
		return err
	}
	workflow.GetLogger(ctx).Warn("nothing was proposed for what the reader left open", "error", err)
	in.Skip = true
	return workflow.ExecuteLocalActivity(local(ctx), a.PlanOpenFacts, in).Get(ctx, &open)
}

// PlanOpenFacts returns how many fields of the notice a model must be asked about; if none, or if no model is
// configured, the step is done.
func (a *Activities) PlanOpenFacts(ctx context.Context, in OpenFactsInput) (open int, err error) {
	return open, a.refuse(ctx, in.Step.ID, func() error {
		ref := in.ref(ctx)
		if a.Proposes && !in.Skip {
			m, err := a.Materials.Gather(ctx, ref)
			if err != nil {
				return err
			}
			if m.DocumentID != "" {
				open = len(a.Law.Open(m.Facts))
			}
		}
		state := Progress{State: "running"}
		if open == 0 {
			state.State = "done"
		}
		return a.Turns.SetStep(ctx, ref, in.Step.ID, state)
	}())
}

// AskOpenFacts asks the model where the open fields are printed. It stores the proposals that are found on the pages
// and agree with the other facts. The others are counted by reason in the log and the trace, without their text.
func (a *Activities) AskOpenFacts(ctx context.Context, in OpenFactsInput) error {
	defer alive(ctx)()
	ctx = in.asks(ctx)
	return a.refuse(ctx, in.Step.ID, a.askOpenFacts(ctx, in))
}

func (a *Activities) askOpenFacts(ctx context.Context, in OpenFactsInput) error {
	ref := in.ref(ctx)
	m, err := a.Materials.Gather(ctx, ref)
	if err != nil {
		return err
	}
	open := a.Law.Open(m.Facts)
	q, err := a.fitOpenFacts(ctx, in, m, open)
	if err != nil {
		return err
	}
	key, answer, found, err := a.before(ctx, ref, turns.ResultKey{Step: in.Step.ID}, m, q)
	if err == nil && !found {
		if answer, err = a.askUnseen(ctx, q); err == nil {
			answer.Text = strings.ToValidUTF8(answer.Text[:min(len(answer.Text), longestProposals)], "")
			err = a.keep(ctx, ref, key, answer, q, StreamPiece{})
		}
	}
	if err != nil {
		return err
	}
	proposed, count, dropped, err := a.Law.Propose(m.Notice, answer.Text)
	if err != nil {
		return err
	}
	counts := make([]string, 0, len(dropped))
	for _, why := range slices.Sorted(maps.Keys(dropped)) {
		counts = append(counts, why+" "+strconv.Itoa(dropped[why]))
	}
	trace.SpanFromContext(ctx).SetAttributes(attribute.StringSlice("munshi.open", open),
		attribute.Int("munshi.proposed", count), attribute.StringSlice("munshi.dropped", counts))
	a.Log.InfoContext(ctx, "a model was asked for what the reader left open", "turn", in.Turn, "attempt",
		activity.GetInfo(ctx).Attempt, "open", open, "proposed", count, "dropped", counts)
	return a.Documents.SaveProposed(ctx, ref, m.DocumentID, proposed, in.Step.ID)
}

// fitOpenFacts renders the question. If that is too long for the model, it includes only the passages of the notice in
// which the fields may be printed.
func (a *Activities) fitOpenFacts(ctx context.Context, in OpenFactsInput, m PromptContext,
	open []string) (Question, error) {
	const tries = 6
	texts := pageTexts(m.Notice)
	values := a.values(m)
	values["open"] = open
	budget := 0
	for _, text := range texts {
		budget += a.Model.Tokens(text)
	}
	about := strings.ReplaceAll(strings.Join(open, " "), "_", " ") +
		" date reply hearing by on or before total demand amount number"
	for range tries {
		q, err := a.Catalogue.Render(ctx, in.prompts(in.Bundle), in.Step.Prompt, values)
		over := a.over(q)
		if err != nil || over <= 0 {
			return q, err
		}
		if budget = min(budget-over, budget*3/4); budget < minPart {
			break
		}
		values["notice"] = Passages(texts, about, budget, a.Model.Tokens)
	}
	return Question{}, &Failure{
		Code:     TooLong,
		Sentence: "The model takes too little to be asked what the reader left open. Check model.context_tokens.",
	}
}

// Objects returns the objects of the JSON array in a model's answer, whatever text surrounds it, and even if it breaks
// off. It reads only as much of the answer as a few proposals need.
func Objects(text string) []json.RawMessage {
	text = text[:min(len(text), longestProposals)]
	const tries = 64 // give up after this many brackets that do not open an array of objects
	for range tries {
		at := strings.IndexByte(text, '[')
		if at < 0 {
			break
		}
		text = text[at:]
		list := json.NewDecoder(strings.NewReader(text))
		text = text[1:]
		_, err := list.Token() // the opening bracket
		var objects []json.RawMessage
		for err == nil && list.More() {
			var raw json.RawMessage
			if err = list.Decode(&raw); err == nil && raw[0] == '{' {
				objects = append(objects, raw)
			}
		}
		if len(objects) > 0 {
			return objects
		}
	}
	return nil
}
