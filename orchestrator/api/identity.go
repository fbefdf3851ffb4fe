package api

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"golang.org/x/text/language"

	"munshi/orchestrator/account"
	"munshi/orchestrator/store"
)

type browserKey struct{}

// asking is what a request's context says about the caller.
type asking struct {
	browser account.Browser
	session *store.Session // nil without a session
	answers string         // the language for answers
	work    string         // proof of work; "" if none
}

// cookieName returns the name of the session cookie. Over https it has the prefix that binds it to the host.
func cookieName(secure bool) string {
	if secure {
		return "__Host-munshi"
	}
	return "munshi"
}

// knownCookieName returns the name of the cookie by which accounts recognise a browser that has signed in before.
func knownCookieName(secure bool) string { return cookieName(secure) + "-browser" }

// identifyTime is how long a request waits for its session to be looked up.
const identifyTime = 3 * time.Second

// personal reports whether the answer for a path depends on the caller. Other paths work while the database is down.
func personal(path string) bool {
	for _, prefix := range []string{"/api/health", "/api/ready", "/api/plugins", "/api/openapi"} {
		if strings.HasPrefix(path, prefix) {
			return false
		}
	}
	return strings.HasPrefix(path, "/api/")
}

// identify finds the session of a request. Without a session, the request goes on without a workspace and sees no
// personal data.
func (s *server) identify(c *gin.Context) {
	if !personal(c.Request.URL.Path) {
		return
	}
	answers := answerLanguage(c.GetHeader("Accept-Language"))
	of := asking{
		answers: answers,
		work:    c.GetHeader("Munshi-Work"),
		browser: account.Browser{Device: c.Request.UserAgent(), Address: c.ClientIP(), Language: answers},
	}
	if known, err := c.Cookie(knownCookieName(s.Secure)); err == nil && len(known) == tokenLength {
		of.browser.Known = known
	}
	acting, acts := store.Acting{}, false
	if token, err := c.Cookie(cookieName(s.Secure)); err == nil && token != "" {
		ctx, cancel := context.WithTimeout(c.Request.Context(), identifyTime)
		defer cancel()
		session, err := s.Store.Session(ctx, token, s.Accounts.Idle())
		if err == nil {
			acting, acts, err = s.standing(ctx, &session, placeOf(ctx))
		}
		switch {
		case errors.Is(err, store.ErrNotFound):
		case err != nil && c.Request.URL.Path == "/api/config": // answered even while the database is down
		case err != nil:
			p := s.toProblem(err)
			s.logCause(ctx, p)
			writeProblem(c.Writer, p)
			c.Abort()
			return
		default:
			of.browser.Token, of.session = token, &session
			if of.browser.Visitor = session.Visitor; !session.SignedIn {
				of.browser.Visitor = &session.Workspace
			}
		}
	}
	ctx := context.WithValue(c.Request.Context(), browserKey{}, of)
	if acts {
		ctx = acting.As(ctx)
	}
	c.Request = c.Request.WithContext(ctx)
}

// spoken are the languages of answers, of which the first is the default.
var spoken = language.NewMatcher([]language.Tag{language.English, language.Hindi})

// answerLanguage returns the language code that fits an Accept-Language header best.
func answerLanguage(header string) string {
	tag, _ := language.MatchStrings(spoken, header)
	base, _ := tag.Base()
	return base.String()
}

// answersIn returns the language code for the answers to a request.
func answersIn(ctx context.Context) string {
	of, _ := ctx.Value(browserKey{}).(asking)
	return of.answers
}

// browser returns the browser that sent the request.
func browser(ctx context.Context) account.Browser {
	of, _ := ctx.Value(browserKey{}).(asking)
	return of.browser
}

// sessionOf returns the session of a request, or nil.
func sessionOf(ctx context.Context) *store.Session {
	of, _ := ctx.Value(browserKey{}).(asking)
	return of.session
}

// arriving returns the browser of a sign-in request, with a token by which it will be recognised later.
func arriving(ctx context.Context) account.Browser {
	b := browser(ctx)
	if b.Known == "" {
		b.Known = newToken()
	}
	return b
}

// session returns the id of the request's session, which cannot be used to sign in; "" without a session.
func session(ctx context.Context) string {
	if of := sessionOf(ctx); of != nil {
		return of.ID.String()
	}
	return ""
}

// who returns the workspace of a request: the person's own, or that of the firm named in the address. ErrNotFound: the
// caller has no session, or is not a member of the firm.
func who(ctx context.Context) (uuid.UUID, error) {
	if placeOf(ctx) != (place{}) {
		if a, acts := store.ActingIn(ctx); acts {
			return a.Workspace, nil
		}
		return uuid.Nil, store.ErrNotFound
	}
	if of := sessionOf(ctx); of != nil {
		return of.Workspace, nil
	}
	return uuid.Nil, store.ErrNotFound
}

// welcome returns the caller's workspace. For a caller without a session it creates a visitor's workspace, and the
// cookie for it.
func (s *server) welcome(ctx context.Context) (workspace uuid.UUID, cookie string, err error) {
	if id, err := who(ctx); err == nil || placeOf(ctx) != (place{}) {
		return id, "", err
	}
	if err := s.spare(ctx, "visitor", use{"visitors", s.Abuse.Visitors, 1}); err != nil {
		return uuid.Nil, "", err
	}
	token := newToken()
	id, err := s.Store.NewVisitor(ctx, token)
	if err != nil {
		return uuid.Nil, "", err
	}
	return id, s.cookie(token), nil
}

func newToken() string { return rand.Text() + rand.Text() } // 2 × 128 bits

const tokenLength = 2 * 26

// cookieAge is how long browsers keep the cookie: as long as browsers allow. The server's session expires sooner.
const cookieAge = 400 * 24 * time.Hour

// cookie returns the session cookie for a token; an empty token deletes the cookie.
func (s *server) cookie(token string) string { return s.cookieOf(cookieName(s.Secure), token) }

func (s *server) cookieOf(name, token string) string {
	age := int(cookieAge.Seconds())
	if token == "" {
		age = -1
	}
	return (&http.Cookie{Name: name, Value: token, Path: "/", HttpOnly: true, Secure: s.Secure,
		SameSite: http.SameSiteLaxMode, MaxAge: age}).String()
}
