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

// asking is what a request's context holds about the caller.
type asking struct {
	browser account.Browser
	session *store.Session // nil for a stranger
	answers string         // the language for answers
	work    string         // proof of work, "" for none
}

// cookieName returns the session cookie's name: on https it is bound to the host.
func cookieName(secure bool) string {
	if secure {
		return "__Host-munshi"
	}
	return "munshi"
}

// knownCookieName returns the name of the cookie by which accounts recognise a browser that was signed in before.
func knownCookieName(secure bool) string { return cookieName(secure) + "-browser" }

// identifyTime is how long a request waits to learn whose it is.
const identifyTime = 3 * time.Second

// personal reports whether the content of a path depends on the caller; other paths work while the database is down.
func personal(path string) bool {
	for _, prefix := range []string{"/api/health", "/api/ready", "/api/plugins", "/api/openapi"} {
		if strings.HasPrefix(path, prefix) {
			return false
		}
	}
	return strings.HasPrefix(path, "/api/")
}

// identify finds the session that a request belongs to. Without one the request continues with no workspace, and sees
// nobody's data.
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
		case err != nil && c.Request.URL.Path == "/api/config": // shown to everyone while the database is down
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

// spoken are the languages of answers; the first is the default.
var spoken = language.NewMatcher([]language.Tag{language.English, language.Hindi})

// answerLanguage returns the code of the language of answers that fits an Accept-Language header best.
func answerLanguage(header string) string {
	tag, _ := language.MatchStrings(spoken, header)
	base, _ := tag.Base()
	return base.String()
}

// answersIn returns the language in which the request wants its answer.
func answersIn(ctx context.Context) string {
	of, _ := ctx.Value(browserKey{}).(asking)
	return of.answers
}

// browser returns where the request comes from.
func browser(ctx context.Context) account.Browser {
	of, _ := ctx.Value(browserKey{}).(asking)
	return of.browser
}

// sessionOf returns the request's session, nil for a stranger.
func sessionOf(ctx context.Context) *store.Session {
	of, _ := ctx.Value(browserKey{}).(asking)
	return of.session
}

// arriving returns where a sign-in request comes from; the browser is recognised from then on.
func arriving(ctx context.Context) account.Browser {
	b := browser(ctx)
	if b.Known == "" {
		b.Known = newToken()
	}
	return b
}

// session returns a hash of the request's session, which identifies it and cannot be used to sign in; "" for a
// stranger.
func session(ctx context.Context) string {
	if of := sessionOf(ctx); of != nil {
		return of.ID.String()
	}
	return ""
}

// who returns the workspace that a request works in: the person's own, or that of the firm named in the address.
// ErrNotFound: the caller is a stranger, or not a member of the firm.
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

// welcome creates a workspace for a stranger and the cookie that leads back to it.
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

// cookieAge is how long browsers keep the cookie, which is as long as they keep any; the server's session expires
// sooner.
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
