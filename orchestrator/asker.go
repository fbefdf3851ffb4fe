package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"go.temporal.io/sdk/activity"

	"munshi/orchestrator/mask"
	"munshi/orchestrator/model"
	"munshi/workflows"
)

// asker is the activities' view of the model.
type asker struct {
	engine model.Engine
	chain  model.Chain
	tally  tally
	few    *turnstiles
	log    *slog.Logger
}

var _ workflows.Model = asker{}

// Ask has the model write, and says in the workflow's terms what went wrong.
func (a asker) Ask(ctx context.Context, q workflows.Question, onText func(string) error) (workflows.Answer, error) {
	req := request(q)
	if activity.IsActivity(ctx) {
		req.Attempt = int(activity.GetInfo(ctx).Attempt)
	}
	hidden, m := masked(q)
	for _, m := range hidden {
		req.Messages = append(req.Messages, model.Message{Role: model.Role(m.Role), Text: m.Text})
	}
	turn := workflows.Asker(ctx)
	if err := a.tally.afford(ctx, turn.Workspace); err != nil {
		var spent *turnedDown
		if errors.As(err, &spent) {
			return workflows.Answer{}, &workflows.Failure{Code: spent.code, Sentence: spent.sentence}
		}
		return workflows.Answer{}, err
	}
	waited, leave, err := a.few.enter(ctx, turn.Trial, turn.Turn)
	if err != nil {
		return workflows.Answer{}, err
	}
	defer leave()
	began := time.Now()
	reply, err := generate(ctx, a.engine, req, m, onText)
	took := time.Since(began)
	if serr := a.tally.spend(ctx, turn.Workspace, reply.Paise); serr != nil {
		a.log.ErrorContext(ctx, "what a call to the model cost could not be noted", "error", serr)
	}
	var failed *model.Error
	if errors.As(err, &failed) {
		said := failed.Sentence()
		if failed.Class == model.UnknownModel && q.Model != "" && failed.Model == q.Model {
			said = fmt.Sprintf("The prompt %s names the model %s, which the provider does not offer. Change it there, or leave it out.", q.Prompt, q.Model)
		}
		if failed.Class == model.NotConfigured {
			said = fmt.Sprintf("The prompt %s names a model provider without settings. %s", q.Prompt, said)
		}
		return workflows.Answer{}, &workflows.Failure{Code: "model_" + string(failed.Class), Sentence: said,
			Retryable: failed.Retryable(), RetryAfter: failed.RetryAfter, Cause: failed}
	}
	if err != nil {
		return workflows.Answer{}, err
	}
	return workflows.Answer{Text: reply.Text, Provider: reply.Provider, Model: reply.Model, StopReason: reply.StopReason,
		InputTokens: reply.InputTokens, OutputTokens: reply.OutputTokens, CostPaise: reply.Paise, Milliseconds: int(took.Milliseconds()), Waited: int(waited.Milliseconds())}, nil
}

// masked gives the messages of a question as a provider may see them, and the mask that they were given; nil: none.
func masked(q workflows.Question) ([]workflows.Utterance, *mask.Mask) {
	if q.Private == nil {
		return q.Messages, nil
	}
	texts := make([]string, len(q.Messages))
	for i, m := range q.Messages {
		texts[i] = m.Text
	}
	m := mask.New(q.Private, texts...)
	hidden := slices.Clone(q.Messages)
	for i := range hidden {
		hidden[i].Text = m.Hide(hidden[i].Text)
	}
	return hidden, m
}

// generate asks the engine, and takes the mask off what it writes.
func generate(ctx context.Context, engine model.Engine, req model.Request, m *mask.Mask, onText func(string) error) (model.Reply, error) {
	if m == nil {
		return engine.Generate(ctx, req, onText)
	}
	shown := m.Stream(func(piece string) error {
		if onText == nil {
			return nil
		}
		return onText(piece)
	})
	reply, err := engine.Generate(ctx, req, shown.Write)
	if cerr := shown.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("pass on the end of an answer: %w", cerr)
	}
	if shown.Text() != "" {
		reply.Text = shown.Text()
	}
	return reply, err
}

// Room tells how many tokens the messages of a question may have, 0 for no limit.
func (a asker) Room(q workflows.Question) int { return a.chain.Room(request(q)) }

// request is a question without its messages.
func request(q workflows.Question) model.Request {
	return model.Request{Prompt: q.Prompt, Values: q.Values, Provider: q.Provider, Fallback: q.Fallback, Model: q.Model,
		Temperature: q.Temperature, MaxTokens: q.MaxTokens}
}

// Tokens estimates the tokens of a text.
func (a asker) Tokens(text string) int { return model.EstimateTokens(text) }
