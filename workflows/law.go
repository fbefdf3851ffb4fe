package workflows

import (
	"context"
	"fmt"

	"go.temporal.io/sdk/workflow"

	"munshi/orchestrator/turns"
)

// lookUp keeps what the law says of what the turn is about, for the prompts after it.
func lookUp(ctx workflow.Context, t *turn, s Step) error {
	t.law = &turns.ResultKey{}
	return workflow.ExecuteLocalActivity(local(ctx), a.LookUp, StepInput{t.in, s}).Get(ctx, t.law)
}

// LookUp finds what the law says of what a turn is about, and gives under what it was kept. No model is asked.
func (a *Activities) LookUp(ctx context.Context, in StepInput) (turns.ResultKey, error) {
	key := turns.ResultKey{Step: in.Step.ID}
	return key, a.refuse(ctx, in.Step.ID, func() error {
		ref := in.ref(ctx)
		m, err := a.Materials.Gather(ctx, ref)
		if err != nil {
			return err
		}
		found, err := a.Law.Passages(m)
		if err != nil {
			return fmt.Errorf("look up the law: %w", err)
		}
		if key.InputSHA, err = sha(found); err != nil {
			return err
		}
		return a.Turns.SaveResult(ctx, ref, key, found)
	}())
}

// passages gives what a law step found, as prompts name it.
func (a *Activities) passages(ctx context.Context, ref Ref, key turns.ResultKey) ([]map[string]string, error) {
	var found []turns.LawPassage
	held, err := a.Turns.Result(ctx, ref, key, &found)
	if err != nil {
		return nil, err
	}
	if !held {
		return nil, fmt.Errorf("what the step %s found in the law is gone", key.Step)
	}
	list := make([]map[string]string, len(found))
	for i, p := range found {
		list[i] = map[string]string{"name": p.Name, "heading": p.Heading, "says": p.Says, "words": p.Words, "from": p.From, "until": p.Until, "status": p.Status}
	}
	return list, nil
}
