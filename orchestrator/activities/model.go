package activities

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.temporal.io/sdk/activity"

	"munshi/orchestrator/mask"
	"munshi/orchestrator/model"
	"munshi/orchestrator/problem"
	"munshi/workflows"
)

// Budget decides whether more may be spent on models, and counts the spending.
type Budget interface {
	// Afford returns an error for people if a workspace, or all together, have reached the daily limit.
	Afford(ctx context.Context, workspace string) error
	// Spend records the cost of a call; paise is nil if the cost is unknown.
	Spend(ctx context.Context, workspace string, paise *int64) error
}

// Limiter limits how many turns of an evaluation run use a model at the same time.
type Limiter interface {
	// Enter waits until the turn may use a model, and returns how long it waited. The caller must call leave
	// afterwards.
	Enter(
		ctx context.Context,
		limit *workflows.EvaluationLimit,
		turn string,
	) (waited time.Duration, leave func(), err error)
}

// ModelClient calls models for the workflows, within a budget, and masks names if that is wanted.
type ModelClient struct {
	Engine  model.Engine
	Chain   model.Chain
	Budget  Budget  // nil: costs are not counted
	Limiter Limiter // nil: no limit
	Log     *slog.Logger
}

var _ workflows.Model = ModelClient{}

// Ask lets the model write an answer. Errors are those that workflows expect.
func (c ModelClient) Ask(
	ctx context.Context,
	q workflows.Question,
	onText func(string) error,
) (workflows.Answer, error) {
	req := request(q)
	if activity.IsActivity(ctx) {
		req.Attempt = int(activity.GetInfo(ctx).Attempt)
	}
	hidden, m := masked(q)
	for _, m := range hidden {
		req.Messages = append(req.Messages, model.Message{Role: model.Role(m.Role), Text: m.Text})
	}
	turn := workflows.AskingTurn(ctx)
	req.Owner = turn.Workspace
	if err := c.afford(ctx, turn.Workspace); err != nil {
		return workflows.Answer{}, err
	}
	var waited time.Duration
	if c.Limiter != nil {
		var leave func()
		var err error
		if waited, leave, err = c.Limiter.Enter(ctx, turn.Evaluation, turn.Turn); err != nil {
			return workflows.Answer{}, err
		}
		defer leave()
	}
	began := time.Now()
	reply, err := generate(ctx, c.Engine, req, m, onText)
	took := time.Since(began)
	if c.Budget != nil {
		if serr := c.Budget.Spend(ctx, turn.Workspace, reply.Paise); serr != nil {
			c.Log.ErrorContext(ctx, "what a call to the model cost could not be noted", "error", serr)
		}
	}
	var failed *model.Error
	if errors.As(err, &failed) {
		named := "" // a mistake in the prompt, such as an unknown name
		if failed.Class == model.NotConfigured || q.Model != "" && failed.Model == q.Model {
			named = q.Prompt
		}
		f := failure(failed.Problem())
		f.Retryable, f.RetryAfter, f.Cause = failed.Retryable(), failed.RetryAfter, failed
		f.Advice = failed.Advice(named).Sentence()
		return workflows.Answer{}, f
	}
	if err != nil {
		return workflows.Answer{}, err
	}
	return workflows.Answer{
		Text:         reply.Text,
		Provider:     reply.Provider,
		Model:        reply.Model,
		StopReason:   reply.StopReason,
		InputTokens:  reply.InputTokens,
		OutputTokens: reply.OutputTokens,
		CostPaise:    reply.Paise,
		Milliseconds: int(took.Milliseconds()),
		Waited:       int(waited.Milliseconds()),
	}, nil
}

// afford returns an error for the workflow if the budget is used up.
func (c ModelClient) afford(ctx context.Context, workspace string) error {
	if c.Budget == nil {
		return nil
	}
	err := c.Budget.Afford(ctx, workspace)
	var spent *problem.Error
	if errors.As(err, &spent) {
		return failure(spent)
	}
	return err
}

// generate calls the engine, and restores the masked names in its text.
func generate(
	ctx context.Context,
	engine model.Engine,
	req model.Request,
	m *mask.Mask,
	onText func(string) error,
) (model.Reply, error) {
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

// Room returns how many tokens the messages of a question may have; 0 means no limit.
func (c ModelClient) Room(q workflows.Question) int { return c.Chain.Room(request(q)) }

// request converts a question without its messages.
func request(q workflows.Question) model.Request {
	return model.Request{Prompt: q.Prompt, Values: q.Values, Provider: q.Provider, Fallback: q.Fallback, Model: q.Model,
		Temperature: q.Temperature, MaxTokens: q.MaxTokens, Offline: q.Offline}
}

// Tokens estimates the number of tokens in a text.
func (c ModelClient) Tokens(text string) int { return model.EstimateTokens(text) }
