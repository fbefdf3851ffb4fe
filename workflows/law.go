package workflows

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"go.temporal.io/sdk/workflow"

	"munshi/orchestrator/turns"
)

// lookUp stores passages of law about the turn's subject, for the prompts of later steps.
func lookUp(ctx workflow.Context, t *turn, s Step) error {
	t.law = &turns.ResultKey{}
	return workflow.ExecuteLocalActivity(local(ctx), a.LookUp, StepInput{t.in, s}).Get(ctx, t.law)
}

// LookUp searches the law for the turn's subject, and returns the key under which the result was stored. It calls no
// model.
func (a *Activities) LookUp(ctx context.Context, in StepInput) (turns.ResultKey, error) {
	key := turns.ResultKey{Step: in.Step.ID}
	return key, a.refuse(ctx, in.Step.ID, func() error {
		ref := in.ref(ctx)
		m, err := a.Materials.Gather(ctx, ref)
		if err != nil {
			return err
		}
		found, err := a.find(ctx, ref, m)
		if err != nil {
			return err
		}
		names := make([]string, len(found))
		for i, p := range found {
			names[i] = strings.TrimSpace(p.Act + " " + p.Number)
			if p.Authority != "" { // its name was written by the person
				names[i] = fmt.Sprintf("authority %s page %d", p.Authority, p.Page)
			}
		}
		trace.SpanFromContext(ctx).SetAttributes(attribute.String("munshi.law", strings.Join(names, ", ")))
		if key.InputSHA, err = sha(found); err != nil {
			return err
		}
		return a.Turns.SaveFound(ctx, ref, key, found)
	}())
}

// find returns passages of law about the material.
func (a *Activities) find(ctx context.Context, ref Ref, m PromptContext) (found []turns.LawPassage, err error) {
	if m.Authorities, err = a.Materials.Read(ctx, ref, m.Authorities); err != nil {
		return nil, err
	}
	if found, err = a.Law.Passages(m); err != nil {
		return nil, fmt.Errorf("look up the law: %w", err)
	}
	return found, nil
}

// passages returns the result of a law step; none if there was no such step. If a crash of the database lost the
// result, it searches again.
func (a *Activities) passages(ctx context.Context, ref Ref, m PromptContext,
	key *turns.ResultKey) (found []turns.LawPassage, err error) {
	if key == nil {
		return nil, nil
	}
	kept, ok := m.Found[key.Step+" "+key.InputSHA]
	if !ok {
		return a.find(ctx, ref, m)
	}
	if err := json.Unmarshal(kept, &found); err != nil {
		return nil, fmt.Errorf("decode what the step %s found in the law: %w", key.Step, err)
	}
	return found, nil
}

// apart separates provisions from pages of a person's own authorities.
func apart(found []turns.LawPassage) (law, own []turns.LawPassage) {
	for _, p := range found {
		if p.Authority == "" {
			law = append(law, p)
		} else {
			own = append(own, p)
		}
	}
	return law, own
}

// supplied returns the authorities that a prompt may cite: those of the conversation, and others with pages among the
// passages; each with its passages.
func supplied(authorities []turns.Authority, found []turns.LawPassage) []map[string]string {
	list := []map[string]string{}
	for _, a := range authorities {
		said := a.Proposition
		for _, p := range found {
			if p.Authority == a.ID {
				said = strings.TrimSpace(fmt.Sprintf("%s On page %d it says: “%s”", said, p.Page, p.Words))
			}
		}
		if !a.Elsewhere || said != a.Proposition {
			list = append(list, map[string]string{"citation": a.Citation, "court": a.Court, "date": a.Decided,
				"proposition": said})
		}
	}
	return list
}

// named returns passages in the format for prompts.
func named(found []turns.LawPassage) []map[string]string {
	list := make([]map[string]string, len(found))
	for i, p := range found {
		list[i] = map[string]string{"name": p.Name, "heading": p.Heading, "says": p.Says, "words": p.Words,
			"from": p.From, "until": p.Until, "status": p.Status}
	}
	return list
}

// fewer returns passages that fit into most tokens: the last ones first lose their official text, and are then
// dropped.
func fewer(found []turns.LawPassage, most int, tokens func(string) int) []turns.LawPassage {
	found = slices.Clone(found)
	need := func() (all int) {
		for _, p := range found {
			all += tokens(p.Name + p.Heading + p.Says + p.Words)
		}
		return all
	}
	for i := len(found) - 1; i >= 0 && need() > most; i-- {
		found[i].Words, found[i].Held = "", false
	}
	for len(found) > 0 && need() > most {
		found = found[:len(found)-1]
	}
	return found
}

// sources returns the provisions given to the model for an answer.
func sources(found []turns.LawPassage) []turns.LawSource {
	var list []turns.LawSource
	for _, p := range found {
		list = append(list, p.LawSource)
	}
	return list
}
