package telemetry

import (
	"context"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// ModelCall is one observed call to a model.
type ModelCall struct {
	telemetry *Telemetry
	span      trace.Span
	provider  string
	model     string
	begun     time.Time
	first     time.Duration
}

// AskModel starts observing a call to a model. The returned context only has a span; nothing about it is sent to the
// provider.
func (t *Telemetry) AskModel(ctx context.Context, provider, model string) (context.Context, *ModelCall) {
	ctx, span := t.tracer.Start(ctx, "ask "+model, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "chat"), attribute.String("gen_ai.request.model", model)))
	return ctx, &ModelCall{telemetry: t, span: span, provider: provider, model: model, begun: time.Now()}
}

// Text records that the model has written some text.
func (c *ModelCall) Text() {
	if c.first == 0 {
		c.first = max(time.Since(c.begun), 1)
	}
}

// Done ends the call with its outcome (ok, stopped, or the class of the error), the HTTP status if there was one, the
// numbers of input and output tokens, and their price in paise if it is known.
func (c *ModelCall) Done(outcome string, status, input, output int, paise *int64) {
	took, t := time.Since(c.begun), c.telemetry
	t.modelCalls.WithLabelValues(c.provider, c.model, outcome).Inc()
	t.modelTime.WithLabelValues(c.provider, c.model, outcome).Observe(took.Seconds())
	if c.first > 0 {
		t.firstToken.WithLabelValues(c.provider, c.model).Observe(c.first.Seconds())
	}
	t.modelTokens.WithLabelValues(c.provider, c.model, "input").Add(float64(input))
	t.modelTokens.WithLabelValues(c.provider, c.model, "output").Add(float64(output))
	if paise != nil {
		t.modelPaise.WithLabelValues(c.provider, c.model).Add(float64(*paise))
	}
	if c.span.IsRecording() {
		c.span.SetAttributes(attribute.Int("gen_ai.usage.input_tokens", input),
			attribute.Int("gen_ai.usage.output_tokens", output),
			attribute.Int64("munshi.first_token_ms", c.first.Milliseconds()))
		if status != 0 {
			c.span.SetAttributes(attribute.Int("http.response.status_code", status))
		}
		if outcome != "ok" {
			c.span.SetAttributes(attribute.String("error.type", outcome))
			c.span.SetStatus(codes.Error, outcome)
		}
	}
	c.span.End()
}

// class returns the class of an HTTP status, as in 2xx.
func class(status int) string { return strconv.Itoa(status/100) + "xx" }
