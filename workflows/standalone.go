package workflows

import (
	"context"
	"fmt"
)

// Standalone asks a step's question without a workflow, for the command line. It gives prompts the same values as the
// workflow does and splits a long text into the same parts, but stores nothing.
type Standalone struct {
	Activities Activities // Model
	Render     func(prompt string, values map[string]any) (Question, error)
	Progress   func(note string)
}

// Ask lets the model write the step's answer about the material.
func (x Standalone) Ask(ctx context.Context, s Step, m PromptContext, onText func(string) error) (Answer, error) {
	a := &x.Activities
	texts := pageTexts(subjectPages(m))
	for level := 1; level <= maxLevels; level++ {
		values := a.values(m)
		if level > 1 {
			values[subject(m)], values["parts"] = "", texts
		}
		q, err := x.Render(s.Prompt, values)
		if err != nil {
			return Answer{}, err
		}
		if a.over(q) <= 0 {
			return a.Model.Ask(ctx, q, onText)
		}
		if q, err = x.Render(s.PartPrompt, a.partValues(m, "", 1, 1)); err != nil {
			return Answer{}, err
		}
		budget := -a.over(q)
		if budget < minPart {
			break
		}
		chunks := Chunks(texts, budget, a.Model.Tokens)
		texts = texts[:0:0]
		for i, chunk := range chunks {
			x.Progress(fmt.Sprintf("Reading part %d of %d", i+1, len(chunks)))
			if q, err = x.Render(s.PartPrompt, a.partValues(m, chunk, i+1, len(chunks))); err != nil {
				return Answer{}, err
			}
			part, err := a.Model.Ask(ctx, q, nil)
			if err != nil {
				return Answer{}, err
			}
			texts = append(texts, part.Text)
		}
	}
	return Answer{}, &Failure{Code: "too_long", Sentence: "The text is too long for the model, even in parts."}
}
