package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	tlog "go.temporal.io/sdk/log"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"munshi/config"
	"munshi/orchestrator/payload"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/telemetry"
	"munshi/workflows"
)

const (
	// prepareTime is how long a start waits for Temporal before it goes on without it.
	prepareTime = 10 * time.Second
)

// NewTemporal returns a client that connects on first use, so that the API works while Temporal is down. TLS and the
// API key of an external cluster come from Temporal's own environment variables. The codec encrypts what is sent.
// Short commands pass no telemetry.
func NewTemporal(
	cfg config.Temporal,
	codec *payload.Codec,
	w *telemetry.Telemetry,
	log *slog.Logger,
) (client.Client, error) {
	var options client.Options
	if !cfg.Own {
		var err error
		if options, err = envconfig.LoadClientOptions(envconfig.LoadClientOptionsRequest{DisableFile: true}); err != nil {
			return nil, fmt.Errorf("read Temporal's environment variables: %w", err)
		}
	}
	options.HostPort, options.Namespace = cfg.Address, cfg.Namespace
	// only ids and counts: compressing them costs more than it saves
	options.ConnectionOptions.GrpcCompression = &client.GrpcCompressionNone{}
	options.DataConverter, options.FailureConverter = codec.Converters()
	options.Logger = tlog.NewStructuredLogger(SDKLogger(log).With("part", "temporal"))
	options.ConnectionOptions.DialOptions = append(
		options.ConnectionOptions.DialOptions,
		grpc.WithChainUnaryInterceptor(forgiveHeartbeats),
	)
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

// forgiveHeartbeats lets an activity continue after a failed heartbeat. The SDK would cancel it after a second, and a
// model would be called twice for the same text. The server decides whether the worker is dead, and waits longer.
func forgiveHeartbeats(
	ctx context.Context,
	method string,
	req, reply any,
	cc *grpc.ClientConn,
	invoke grpc.UnaryInvoker,
	opts ...grpc.CallOption,
) error {
	err := invoke(ctx, method, req, reply, cc, opts...)
	if _, beat := req.(*workflowservice.RecordActivityTaskHeartbeatRequest); !beat || err == nil {
		return err
	}
	switch serviceerror.ToStatus(err).Code() {
	case codes.Unavailable,
		codes.DeadlineExceeded,
		codes.ResourceExhausted,
		codes.Aborted,
		codes.Internal,
		codes.Unknown:
		return nil // the next heartbeat follows soon
	}
	return err
}

// prepare makes the namespace ready, and retries until it is or ctx ends.
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
			return problem.New("no_namespace", problem.Params{"address": cfg.Address, "namespace": cfg.Namespace}, err)
		}
		var certificates *problem.Error
		switch {
		case warned:
		case errors.As(explainTemporal(ctx, cfg, err), &certificates):
			log.Error(certificates.Sentence(), "error", err)
		default:
			log.Warn(
				"Temporal does not answer; what people send is kept and worked on when it is there",
				"address",
				cfg.Address,
				"error",
				err,
			)
		}
		warned = true
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}
