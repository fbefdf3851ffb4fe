package api

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"

	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// NewOperatorKey returns a key for a new operator link: 260 random bits.
func NewOperatorKey() string { return rand.Text() + rand.Text() }

// OperatorLink returns the address that makes a browser an operator's, given the product's public address and a key.
func OperatorLink(address, key string) string { return address + operatorPage + "?key=" + key }

// operatorPage is the web app's page for operator links. It asks for a click before it uses the key, since link
// previews would otherwise use it up.
const operatorPage = "/operator"

// operatorCookie is the name of the cookie for an operator's session. It is separate from the cookie of people's own
// sessions.
func operatorCookie(secure bool) string {
	if secure {
		return "__Host-munshi-operator"
	}
	return "munshi-operator"
}

// operatorCookies takes that cookie from a request, under either name.
type operatorCookies struct {
	Plain string `cookie:"munshi-operator" doc:"An operator's session, over http"`
	Host  string `cookie:"__Host-munshi-operator" doc:"An operator's session, over https"`
}

func (c operatorCookies) token(secure bool) string {
	if secure {
		return c.Host
	}
	return c.Plain
}

// operates checks whether the caller is an operator, and returns a name of the session for logs. ErrNotFound: the
// caller is no operator.
func (s *server) operates(ctx context.Context, cookie string) (session string, err error) {
	if of := sessionOf(ctx); of != nil && of.Operator {
		return "of the account " + of.Workspace.String(), nil
	}
	if cookie == "" {
		return "", store.ErrNotFound
	}
	ctx, cancel := context.WithTimeout(ctx, identifyTime)
	defer cancel()
	return s.Store.OperatorSession(ctx, cookie)
}

type operatorKey struct{}

// operatorOf returns the name of the caller's operator session.
func operatorOf(ctx context.Context) string {
	session, _ := ctx.Value(operatorKey{}).(string)
	return session
}

// operator returns the name of the caller's operator session. Anyone else gets "not found", as if the operators'
// routes did not exist.
func (s *server) operator(c *gin.Context) (session string, refusal *Problem) {
	token, _ := c.Cookie(operatorCookie(s.Secure)) // "" if there is none
	session, err := s.operates(c.Request.Context(), token)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return "", refuse("not_found.address", nil)
	case err != nil:
		return "", s.toProblem(err)
	}
	return session, nil
}

// asOperator registers a route for operators.
func asOperator[I, O any](api huma.API, s *server, method, id, path, summary string,
	h func(context.Context, *I) (*O, error)) {
	only := func(ctx huma.Context, next func(huma.Context)) {
		c := humagin.Unwrap(ctx)
		session, refusal := s.operator(c)
		if refusal != nil {
			s.logCause(ctx.Context(), refusal)
			writeProblem(c.Writer, refusal)
			return
		}
		c.Header("Cache-Control", "no-store")
		next(huma.WithValue(ctx, operatorKey{}, session))
	}
	huma.Register(api, huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary,
		Middlewares: huma.Middlewares{only}}, h)
}

// OperatorsOnly returns a handler that passes operators on to next, and tells others how to become one. It reads the
// product's cookies, since browsers send them to every port of the host.
func OperatorsOnly(sessions Store, accounts Accounts, secure bool, next http.Handler) http.Handler {
	cookie := func(r *http.Request, name string) string {
		c, err := r.Cookie(name)
		if err != nil {
			return ""
		}
		return c.Value
	}
	operates := func(r *http.Request) (bool, error) {
		ctx, cancel := context.WithTimeout(r.Context(), identifyTime)
		defer cancel()
		if token := cookie(r, operatorCookie(secure)); token != "" {
			if _, err := sessions.OperatorSession(ctx, token); !errors.Is(err, store.ErrNotFound) {
				return err == nil, err
			}
		}
		token := cookie(r, cookieName(secure))
		if token == "" {
			return false, nil
		}
		session, err := sessions.Session(ctx, token, accounts.Idle())
		if errors.Is(err, store.ErrNotFound) {
			return false, nil
		}
		return err == nil && session.Operator, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		yes, err := operates(r)
		if !yes {
			code, status := "operators_only", http.StatusForbidden
			if err != nil {
				code, status = "unavailable", http.StatusServiceUnavailable
			}
			w.Header().Set("Cache-Control", "no-store")
			http.Error(w, problem.New(code, nil, err).Sentence(), status)
			return
		}
		next.ServeHTTP(w, r)
	})
}

type operatorInput struct {
	Body struct {
		Key string `json:"key" doc:"From the link that munshi run or munshi operator link printed"`
	}
}

type operatorOutput struct {
	SetCookie string `header:"Set-Cookie" doc:"The operator's session"`
}

// becomeOperator opens an operator's session for whoever has the link.
func (s *server) becomeOperator(ctx context.Context, in *operatorInput) (*operatorOutput, error) {
	token := NewOperatorKey()
	err := s.Store.UseOperatorLink(ctx, in.Body.Key, token)
	if errors.Is(err, store.ErrNotFound) {
		return nil, refuse("not_found.operator_link", nil)
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.operatorSession(token, 0), nil
}

// endOperator ends an operator's session.
func (s *server) endOperator(ctx context.Context, in *operatorCookies) (*operatorOutput, error) {
	if err := s.Store.EndOperatorSession(ctx, in.token(s.Secure)); err != nil {
		return nil, s.toProblem(err)
	}
	return s.operatorSession("", -1), nil
}

// operatorSession sets the session cookie; with age 0 the cookie lasts until the browser is closed.
func (s *server) operatorSession(token string, age int) *operatorOutput {
	return &operatorOutput{SetCookie: (&http.Cookie{Name: operatorCookie(s.Secure), Value: token, Path: "/",
		HttpOnly: true, Secure: s.Secure, SameSite: http.SameSiteLaxMode, MaxAge: age}).String()}
}

// RunList lists recent turns.
type RunList struct {
	Runs []Run `json:"runs" doc:"Latest first"`
}

// Run is a turn as operators see it: without its text and its owner.
type Run struct {
	Turn         string    `json:"turn" format:"uuid"`
	Plugin       string    `json:"plugin"`
	Kind         string    `json:"kind"`
	State        string    `json:"state" enum:"queued,running,answered,failed,stopped"`
	ErrorCode    string    `json:"error_code" doc:"Why it failed; otherwise empty"`
	CreatedAt    time.Time `json:"created_at"`
	Milliseconds *int64    `json:"milliseconds,omitempty" doc:"From its first step to its end; left out until it has ended"`
	URL          string    `json:"url" doc:"The workflow in Temporal's Web UI; empty if its address is not known"`
	TraceURL     string    `json:"trace_url" doc:"The trace of its latest run; empty if it has none, or no address of traces is set"`
}

// runsShown is how many turns the list returns; Temporal's Web UI has them all.
const runsShown = 50

func (s *server) runs(ctx context.Context, _ *none) (*body[RunList], error) {
	recent, err := s.Store.RecentRuns(ctx, runsShown)
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := RunList{Runs: make([]Run, len(recent))}
	for i, r := range recent {
		run := Run{
			Turn:      r.ID.String(),
			Plugin:    r.Plugin,
			Kind:      r.Kind,
			State:     r.State,
			ErrorCode: r.ErrorCode,
			CreatedAt: r.CreatedAt,
		}
		if r.StartedAt != nil && r.FinishedAt != nil {
			took := r.FinishedAt.Sub(*r.StartedAt).Milliseconds()
			run.Milliseconds = &took
		}
		if s.RunsURL != "" {
			run.URL = s.RunsURL + workflows.TurnWorkflowID(run.Turn)
		}
		if s.TraceURL != nil {
			run.TraceURL = s.TraceURL(r.TraceID)
		}
		list.Runs[i] = run
	}
	return &body[RunList]{list}, nil
}
