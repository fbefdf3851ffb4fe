package main

import (
	"context"
	"time"

	"go.temporal.io/sdk/client"

	"munshi/workflows"
)

// startTime is how long a person's request waits for Temporal; what does not reach it in this time the sweep brings.
const startTime = 3 * time.Second

// temporalWork is the API's view of the workflow engine.
type temporalWork struct {
	client    client.Client
	namespace string
}

func (w *temporalWork) Start(ctx context.Context, in workflows.TurnInput) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	return workflows.StartTurn(ctx, w.client, in)
}

func (w *temporalWork) Stop(ctx context.Context, turn string) (workflows.Standing, error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	return workflows.StopTurn(ctx, w.client, turn)
}

func (w *temporalWork) Retry(ctx context.Context, in workflows.TurnInput) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	return workflows.RetryTurn(ctx, w.client, w.namespace, in)
}

func (w *temporalWork) WakeFollowUp(ctx context.Context, in workflows.FollowUpInput) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	return workflows.WakeFollowUp(ctx, w.client, in)
}

func (w *temporalWork) Ping(ctx context.Context) error {
	_, err := w.client.CheckHealth(ctx, &client.CheckHealthRequest{})
	return err
}

func (w *temporalWork) standing(ctx context.Context, turn string) (workflows.Standing, error) {
	return workflows.StandingOf(ctx, w.client, turn)
}
