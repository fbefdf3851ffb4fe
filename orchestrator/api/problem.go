package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"munshi/orchestrator/store"
)

// Problem is an RFC 9457 problem with a stable code; its detail is a sentence fit to show.
type Problem struct {
	Type   string              `json:"type" doc:"Always about:blank: the code says what it is"`
	Title  string              `json:"title"`
	Status int                 `json:"status"`
	Detail string              `json:"detail" doc:"A plain sentence fit to show"`
	Code   string              `json:"code" doc:"Stable, for programs"`
	Errors []*huma.ErrorDetail `json:"errors,omitempty" doc:"What is wrong with the request, for programmers"`

	cause error // for the log alone
}

// Error gives the sentence.
func (p *Problem) Error() string { return p.Detail }

// GetStatus gives the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType names problems as RFC 9457 does.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

func problem(status int, code, detail string) *Problem {
	return &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Code: code, Detail: detail}
}

// writeProblem answers with a problem where Huma does not.
func writeProblem(w http.ResponseWriter, p *Problem) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // the client may have gone
}

func notFound() *Problem {
	return problem(http.StatusNotFound, "not_found", "This is not here, or it is not yours.")
}

// humaProblem is how Huma's own refusals (a missing field, a wrong type) are said. What it found wrong is for programmers;
// the values, which may be a person's words, are not repeated.
func humaProblem(status int, _ string, errs ...error) huma.StatusError {
	code, detail := "invalid_request", "The request was not understood. Please reload the page and try again."
	switch {
	case status == http.StatusNotFound:
		return notFound()
	case status == http.StatusRequestEntityTooLarge:
		code, detail = "too_large", "This is too long to send."
	case status >= 500:
		code, detail = "internal", internalSentence
	}
	p := problem(status, code, detail)
	for _, err := range errs {
		var d *huma.ErrorDetail
		if !errors.As(err, &d) {
			continue
		}
		if strings.HasPrefix(d.Location, "path.") {
			return notFound() // an id that is none is nobody's
		}
		p.Errors = append(p.Errors, &huma.ErrorDetail{Message: d.Message, Location: d.Location})
	}
	return p
}

const internalSentence = "Something went wrong on our side. Nothing you wrote is lost; please try again."

// Refusal is an error about what a person gave that can be shown: the reader of documents and the prompts have such errors.
type Refusal interface {
	error
	RefusalCode() string
	Sentence() string
}

// refusalStatus is the one table from the codes of refusals to HTTP statuses; others are 422.
var refusalStatus = map[string]int{
	"not_pdf":        http.StatusUnsupportedMediaType,
	"too_large":      http.StatusRequestEntityTooLarge,
	"too_many_pages": http.StatusRequestEntityTooLarge,

	"wrong_credentials": http.StatusUnauthorized,
	"wrong_password":    http.StatusUnauthorized,
	"password_needed":   http.StatusUnauthorized,
	"address_taken":     http.StatusConflict,
	"link_spent":        http.StatusGone,
	"too_many_tries":    http.StatusTooManyRequests,
	"no_mail":           http.StatusConflict,

	"payments_off":    http.StatusConflict,
	"bad_signature":   http.StatusBadRequest,
	"payment_refused": http.StatusConflict,
	"provider_away":   http.StatusBadGateway,
	"spend_cap":       http.StatusTooManyRequests,
	"spend_cap_all":   http.StatusServiceUnavailable,
}

// toProblem is the one place where errors become answers. What is not known here is said without its details, which
// logCause logs.
func (s *server) toProblem(err error) *Problem {
	var (
		known   *Problem
		refused Refusal
	)
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &refused):
		status, ok := refusalStatus[refused.RefusalCode()]
		if !ok {
			status = http.StatusUnprocessableEntity
		}
		return problem(status, refused.RefusalCode(), refused.Sentence())
	case errors.Is(err, store.ErrNotFound):
		return notFound()
	case errors.Is(err, store.ErrTurnOpen):
		return problem(http.StatusConflict, "turn_in_progress", "A reply is still being written. Wait for it, or stop it first.")
	case errors.Is(err, store.ErrNotLast):
		return problem(http.StatusConflict, "not_last", "Only the last question can be asked anew. Reload the page, and ask this as a new one.")
	case errors.Is(err, store.ErrNoUseLeft):
		return problem(http.StatusPaymentRequired, "no_use_left", "Your free uses are spent. What you wrote is still here.")
	case errors.Is(err, store.ErrOtherContent):
		return problem(http.StatusUnprocessableEntity, "key_reused", "This Idempotency-Key was used for something else. Send this with a key of its own.")
	}
	unavailable := problem(http.StatusServiceUnavailable, "unavailable", "Munshi cannot do this just now. Nothing was sent; please try again in a moment.")
	if !errors.Is(err, context.Canceled) { // the client has gone
		unavailable.cause = err
	}
	return unavailable
}

// logCause logs why a request failed, on its way out, where the request's ids are known.
func (s *server) logCause(ctx context.Context, answer any) {
	if p, ok := answer.(*Problem); ok && p.cause != nil {
		s.Log.ErrorContext(ctx, "a request failed", "error", p.cause)
	}
}
