package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	tlog "go.temporal.io/sdk/log"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"munshi/config"
	"munshi/orchestrator/vault"
	"munshi/orchestrator/watch"
	"munshi/workflows"
)

const (
	// startTime is how long a person's request waits for Temporal; what does not reach it in this time the sweep brings.
	startTime = 3 * time.Second
	// prepareTime is how long a start waits for Temporal before it goes on without.
	prepareTime = 10 * time.Second
)

// newTemporal makes a client that connects when it is first used, so that the API takes in what people send while Temporal
// is away. TLS and the API key of a cluster elsewhere come from Temporal's own environment variables. The codec encrypts what
// it sends. A command that no one watches has no watch.
func newTemporal(cfg config.Temporal, codec *vault.Codec, w *watch.Watch, log *slog.Logger) (client.Client, error) {
	var options client.Options
	if !cfg.Own {
		var err error
		if options, err = envconfig.LoadClientOptions(envconfig.LoadClientOptionsRequest{DisableFile: true}); err != nil {
			return nil, fmt.Errorf("read Temporal's environment variables: %w", err)
		}
	}
	options.HostPort, options.Namespace = cfg.Address, cfg.Namespace
	options.ConnectionOptions.GrpcCompression = &client.GrpcCompressionNone{} // ids and counts: packing them costs more than sending them
	options.DataConverter, options.FailureConverter = codec.Converters()
	options.Logger = tlog.NewStructuredLogger(sdkLogger(log).With("part", "temporal"))
	options.ConnectionOptions.DialOptions = append(options.ConnectionOptions.DialOptions, grpc.WithChainUnaryInterceptor(forgiveHeartbeats))
	if w != nil {
		var err error
		if options.Interceptors, err = w.Interceptors(); err != nil {
			return nil, err
		}
		options.MetricsHandler = w.Temporal()
	}
	c, err := client.NewLazyClient(options)
	if err != nil {
		return nil, fmt.Errorf("make the client of Temporal at %s: %w", cfg.Address, err)
	}
	return c, nil
}

// forgiveHeartbeats lets an activity go on when a heartbeat does not get through. The SDK would cancel it after a second,
// and a model would be asked twice for the same; whether the worker counts as dead is for the server to say, which waits
// longer.
func forgiveHeartbeats(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	err := invoke(ctx, method, req, reply, cc, opts...)
	if _, beat := req.(*workflowservice.RecordActivityTaskHeartbeatRequest); !beat || err == nil {
		return err
	}
	switch serviceerror.ToStatus(err).Code() {
	case codes.Unavailable, codes.DeadlineExceeded, codes.ResourceExhausted, codes.Aborted, codes.Internal, codes.Unknown:
		return nil // the next one is due in a moment
	}
	return err
}

// prepare makes the namespace ready, trying until it is or ctx ends.
func prepare(ctx context.Context, c client.Client, cfg config.Temporal, log *slog.Logger) error {
	for warned := false; ; {
		err := workflows.Prepare(ctx, c, cfg.Namespace)
		var missing *serviceerror.NamespaceNotFound
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &missing):
			return sentence(fmt.Sprintf("Temporal at %s has no namespace %s. Create it, or set temporal.namespace.", cfg.Address, cfg.Namespace), err)
		}
		if !warned {
			log.Warn("Temporal does not answer; what people send is kept and worked on when it is there", "address", cfg.Address, "error", err)
			warned = true
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

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

func (w *temporalWork) WatchOrder(ctx context.Context, in workflows.OrderInput) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	return workflows.WatchOrder(ctx, w.client, in)
}

func (w *temporalWork) AskAboutOrder(ctx context.Context, in workflows.OrderInput) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	return workflows.AskAboutOrder(ctx, w.client, in)
}

func (w *temporalWork) WatchSubscription(ctx context.Context, in workflows.SubscriptionInput) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	return workflows.WatchSubscription(ctx, w.client, in)
}

func (w *temporalWork) Erase(ctx context.Context, workspace string) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	return workflows.StartErasure(ctx, w.client, workflows.EraseInput{Workspace: workspace})
}

// Evaluate has the cases of a run tried.
func (w *temporalWork) Evaluate(ctx context.Context, run uuid.UUID) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	return workflows.StartEvaluation(ctx, w.client, workflows.EvaluationInput{Run: run.String()})
}

// CancelEvaluation has a run end with the results that it has.
func (w *temporalWork) CancelEvaluation(ctx context.Context, run uuid.UUID) (workflows.Standing, error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	return workflows.CancelEvaluation(ctx, w.client, run.String())
}

func (w *temporalWork) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	_, err := w.client.CheckHealth(ctx, &client.CheckHealthRequest{})
	return err
}

func (w *temporalWork) standing(ctx context.Context, id string) (workflows.Standing, error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	return workflows.StandingOf(ctx, w.client, id)
}

func (w *temporalWork) latestRun(ctx context.Context, turn uuid.UUID) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	return workflows.LatestRun(ctx, w.client, turn.String())
}
