package telemetry

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
	http.MethodDelete, http.MethodOptions}

// Requests observes every request: a span that continues the browser's trace, metrics by route, a debug log line, and
// a warning for our own errors. It records route templates, and only ids from an address, since a person may type
// anything into an address. (otelhttp would record complete addresses, and the client's network address.)
func (t *Telemetry) Requests(log *slog.Logger) gin.HandlerFunc {
	return func(c *gin.Context) {
		begun := time.Now()
		method, route := c.Request.Method, c.FullPath()
		if !slices.Contains(methods, method) {
			method = "other"
		}
		ctx := c.Request.Context()
		var span trace.Span
		switch {
		case route == "":
			route = "web" // files of the web app, and unknown addresses
		case t.traces != nil && !strings.HasSuffix(route, "/events"): // a stream lasts as long as its tab is open
			ctx = traceContext.Extract(ctx, propagation.HeaderCarrier(c.Request.Header))
			ctx, span = t.tracer.Start(ctx, method+" "+route, trace.WithSpanKind(trace.SpanKindServer),
				trace.WithAttributes(
					attribute.String("http.request.method", method), attribute.String("http.route", route)))
		}
		if id, err := uuid.Parse(c.Param("id")); err == nil {
			ctx = With(ctx, slog.String(whose(route), id.String()))
		}
		c.Request = c.Request.WithContext(ctx)
		c.Next()

		status, took := c.Writer.Status(), time.Since(begun)
		t.requests.WithLabelValues(method, route, class(status)).Inc()
		if !strings.HasPrefix(c.Writer.Header().Get("Content-Type"), "text/event-stream") {
			t.requestTime.WithLabelValues(method, route).Observe(took.Seconds())
		}
		if span != nil {
			span.SetAttributes(attribute.Int("http.response.status_code", status))
			if status >= 500 {
				span.SetStatus(codes.Error, class(status))
			}
			span.End()
		}
		level, message := slog.LevelDebug, "a request was answered"
		if status >= 500 {
			level, message = slog.LevelWarn, "a request could not be answered"
		}
		log.Log(ctx, level, message, "method", method, "route", route, "status", status, "took", took)
	}
}

// whose says what the id in a route belongs to.
func whose(route string) string {
	switch {
	case strings.HasPrefix(route, "/api/turns/"):
		return "turn"
	case strings.HasPrefix(route, "/api/documents/"):
		return "document"
	}
	return "conversation"
}
