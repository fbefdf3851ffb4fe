package api

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// Problem is an RFC 9457 problem with a stable code; its detail is a sentence that can be shown.
type Problem struct {
	Type   string              `json:"type" doc:"Always about:blank; the code says what the problem is"`
	Title  string              `json:"title"`
	Status int                 `json:"status"`
	Detail string              `json:"detail" doc:"A plain sentence that can be shown"`
	Code   string              `json:"code" doc:"Stable, for programs"`
	Errors []*huma.ErrorDetail `json:"errors,omitempty" doc:"What is wrong with the request, for programmers"`

	Said *Sentence `json:"said,omitempty" doc:"The detail by its code, for other languages"`

	Work *Proof `json:"work,omitempty" doc:"What a browser has to compute before the request is accepted"`

	cause error         // for the log only
	after time.Duration // when to try again; 0 if unknown
}

// Error returns the problem's sentence.
func (p *Problem) Error() string { return p.Detail }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// soon is the retry time for too many requests, if no other is known.
const soon = time.Minute

// GetHeaders returns the headers of the answer: when to try again.
func (p *Problem) GetHeaders() http.Header {
	h, after := http.Header{}, p.after
	if after == 0 && p.Status == http.StatusTooManyRequests {
		after = soon
	}
	if after > 0 {
		h.Set("Retry-After", strconv.FormatInt(int64((after+time.Second-1)/time.Second), 10))
	}
	return h
}

// ContentType returns the media type of RFC 9457.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// refuse returns the problem with a code from the message catalogue.
func refuse(code string, params problem.Params) *Problem {
	return answerOf(problem.New(code, params, nil))
}

// answerOf converts an error with a code into the API's answer.
func answerOf(p *problem.Error) *Problem {
	status := statusOf(p)
	after, _ := p.Params["after"].(time.Duration)
	said := p.Message()
	return &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: said.English,
		Code: p.Kind(), Said: Saying(said), after: after}
}

// writeProblem sends a problem from handlers outside Huma. Its length is given, so that a client knows at once that the
// answer is complete.
func writeProblem(w http.ResponseWriter, p *Problem) {
	said, _ := json.Marshal(p) // it holds nothing that has no JSON
	maps.Copy(w.Header(), p.GetHeaders())
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Content-Length", strconv.Itoa(len(said)))
	w.WriteHeader(p.Status)
	_, _ = w.Write(said) // fails if the client has disconnected
}

func notFound() *Problem {
	return refuse("not_found", nil)
}

// humaProblem makes the answer for Huma's own refusals, such as a missing field or a wrong type. The details are for
// programmers; they leave out the values, which may be a person's text.
func humaProblem(status int, _ string, errs ...error) huma.StatusError {
	code := "invalid_request"
	switch {
	case status == http.StatusNotFound:
		return notFound()
	case status == http.StatusRequestEntityTooLarge:
		code = "too_large.request"
	case status == http.StatusRequestTimeout || slices.ContainsFunc(errs, slow):
		code, status = "slow_request", http.StatusRequestTimeout
	case status >= 500:
		code = "internal"
	}
	p := refuse(code, nil)
	p.Status, p.Title = status, http.StatusText(status)
	for _, err := range errs {
		var d *huma.ErrorDetail
		if !errors.As(err, &d) {
			continue
		}
		if strings.HasPrefix(d.Location, "path.") {
			return notFound() // an invalid id cannot exist
		}
		p.Errors = append(p.Errors, &huma.ErrorDetail{Message: d.Message, Location: d.Location})
	}
	return p
}

// statuses maps the codes of problems to HTTP statuses; all others are 422. A code with its variant takes precedence
// over the code alone.
var statuses = map[string]int{
	"address_taken":            http.StatusConflict,
	"already_member":           http.StatusConflict,
	"analysed":                 http.StatusConflict,
	"another_reply":            http.StatusConflict,
	"bad_signature":            http.StatusBadRequest,
	"batch_full":               http.StatusConflict,
	"client_known":             http.StatusConflict,
	"changed_since_read":       http.StatusConflict,
	"cross_origin":             http.StatusForbidden,
	"disk_full":                http.StatusInsufficientStorage,
	"draft_changed":            http.StatusConflict,
	"draft_too_long":           http.StatusRequestEntityTooLarge,
	"export_again":             http.StatusTooManyRequests,
	"fair_use":                 http.StatusTooManyRequests,
	"import_under_way":         http.StatusConflict,
	"in_review":                http.StatusConflict,
	"internal":                 http.StatusInternalServerError,
	"invalid_request.payloads": http.StatusBadRequest,
	"law_unknown_provision":    http.StatusNotFound,
	"link_spent":               http.StatusGone,
	"many_senders":             http.StatusConflict,
	"many_views":               http.StatusConflict,
	"no_mail_in":               http.StatusConflict,
	"mask_always":              http.StatusConflict,
	"message_too_long":         http.StatusRequestEntityTooLarge,
	"method_not_allowed":       http.StatusMethodNotAllowed,
	"no_mail":                  http.StatusConflict,
	"link_over":                http.StatusNotFound,
	"no_notice":                http.StatusConflict,
	"no_point":                 http.StatusNotFound,
	"no_question":              http.StatusNotFound,
	"no_reply_wanted":          http.StatusConflict,
	"no_seat_left":             http.StatusConflict,
	"no_template":              http.StatusNotFound,
	"no_use_left":              http.StatusPaymentRequired,
	"not_a_member":             http.StatusForbidden,
	"not_allowed":              http.StatusForbidden,
	"not_author":               http.StatusConflict,
	"not_failed":               http.StatusConflict,
	"not_found":                http.StatusNotFound,
	"not_in_firm":              http.StatusNotFound,
	"not_in_review":            http.StatusConflict,
	"not_last":                 http.StatusConflict,
	"not_pdf":                  http.StatusUnsupportedMediaType,
	"not_reviewer":             http.StatusConflict,
	"not_signed_in":            http.StatusUnauthorized,
	"nothing_kept":             http.StatusNotFound,
	"owner_of_firm":            http.StatusConflict,
	"owner_stays":              http.StatusConflict,
	"password_needed":          http.StatusUnauthorized,
	"payment_refused":          http.StatusConflict,
	"payments_off":             http.StatusConflict,
	"point_changed":            http.StatusConflict,
	"prepare_failed":           http.StatusInternalServerError,
	"provider_away":            http.StatusBadGateway,
	"slow_request":             http.StatusRequestTimeout,
	"spend_cap":                http.StatusTooManyRequests,
	"spend_cap_all":            http.StatusServiceUnavailable,
	"spend_cap_visitors":       http.StatusTooManyRequests,
	"too_large":                http.StatusRequestEntityTooLarge,
	"too_many_authorities":     http.StatusConflict,
	"too_many_pages":           http.StatusRequestEntityTooLarge,
	"too_many_photographs":     http.StatusRequestEntityTooLarge,
	"too_many_pixels":          http.StatusRequestEntityTooLarge,
	"too_many_tries":           http.StatusTooManyRequests,
	"training_failed":          http.StatusServiceUnavailable,
	"turn_in_progress":         http.StatusConflict,
	"unavailable":              http.StatusServiceUnavailable,
	"unknown_plugin":           http.StatusNotFound,
	"work_needed":              http.StatusTooManyRequests,
	"wrong_credentials":        http.StatusUnauthorized,
	"wrong_host":               http.StatusMisdirectedRequest,
	"wrong_password":           http.StatusUnauthorized,
}

// statusOf returns the HTTP status of a problem.
func statusOf(p *problem.Error) int {
	if status, ok := statuses[p.Code]; ok {
		return status
	}
	if status, ok := statuses[p.Kind()]; ok {
		return status
	}
	return http.StatusUnprocessableEntity
}

// toProblem turns errors into answers; it is the only place that does. An unknown error is answered without details,
// which logCause logs.
func (s *server) toProblem(err error) *Problem {
	var (
		known   *Problem
		refused *problem.Error
	)
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &refused):
		return answerOf(refused)
	case errors.Is(err, store.ErrNotFound):
		return notFound()
	case errors.Is(err, store.ErrTurnOpen):
		return refuse("turn_in_progress", nil)
	case errors.Is(err, store.ErrNotLast):
		return refuse("not_last", nil)
	case errors.Is(err, store.ErrAskedBefore):
		return refuse("analysed", nil)
	case errors.Is(err, store.ErrNoUseLeft):
		return refuse("no_use_left", nil)
	case errors.Is(err, store.ErrOtherContent):
		return refuse("key_reused", nil)
	case errors.Is(err, store.ErrForbidden):
		return refuse("not_allowed", nil)
	case errors.Is(err, store.ErrKnown):
		return refuse("client_known", nil)
	case errors.Is(err, store.ErrNoSeatLeft):
		return refuse("no_seat_left", nil)
	case errors.Is(err, store.ErrMember):
		return refuse("already_member", nil)
	case errors.Is(err, store.ErrInReview):
		return refuse("in_review", nil)
	case errors.Is(err, store.ErrNotInReview):
		return refuse("not_in_review", nil)
	case errors.Is(err, store.ErrNotReviewer):
		return refuse("not_reviewer", nil)
	case errors.Is(err, store.ErrNotAuthor):
		return refuse("not_author", nil)
	case errors.Is(err, store.ErrOwner):
		return refuse("owner_stays", nil)
	}
	unavailable := refuse("unavailable", nil)
	if store.Full(err) {
		unavailable = refuse("disk_full", nil)
	}
	if !errors.Is(err, context.Canceled) { // cancelled: the client has disconnected
		unavailable.cause = err
	}
	return unavailable
}

// logCause logs why a request failed. It is called where the log knows the request's ids.
func (s *server) logCause(ctx context.Context, answer any) {
	if p, ok := answer.(*Problem); ok && p.cause != nil {
		s.Log.ErrorContext(ctx, "a request failed", "error", p.cause)
	}
}
