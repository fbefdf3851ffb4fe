package api

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"munshi/orchestrator/store"
)

type (
	workspaceKey struct{}
	sessionKey   struct{}
)

// cookieName is the session cookie's: on https it is bound to the host.
func cookieName(secure bool) string {
	if secure {
		return "__Host-munshi"
	}
	return "munshi"
}

// identifyTime is how long a request waits to learn whose it is.
const identifyTime = 3 * time.Second

// personal tells whether what lies at a path depends on who asks; the rest answers while the database is away.
func personal(path string) bool {
	for _, prefix := range []string{"/api/health", "/api/ready", "/api/config", "/api/plugins", "/api/openapi"} {
		if strings.HasPrefix(path, prefix) {
			return false
		}
	}
	return strings.HasPrefix(path, "/api/")
}

// identify finds out whose request it is; a stranger's goes on without a workspace and sees nothing.
func (s *server) identify(c *gin.Context) {
	if !personal(c.Request.URL.Path) {
		return
	}
	token, err := c.Cookie(cookieName(s.Secure))
	if err != nil || token == "" {
		return
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), identifyTime)
	defer cancel()
	workspace, err := s.Store.Session(ctx, token)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return
	case err != nil:
		p := s.toProblem(err)
		s.logCause(ctx, p)
		writeProblem(c.Writer, p)
		c.Abort()
		return
	}
	sha := sha256.Sum256([]byte(token))
	of := context.WithValue(c.Request.Context(), workspaceKey{}, workspace)
	c.Request = c.Request.WithContext(context.WithValue(of, sessionKey{}, hex.EncodeToString(sha[:6])))
}

// session gives a mark of the request's session, by which it is known again and cannot be entered; "" for a stranger.
func session(ctx context.Context) string {
	mark, _ := ctx.Value(sessionKey{}).(string)
	return mark
}

// who gives the workspace of the request. ErrNotFound: a stranger.
func who(ctx context.Context) (uuid.UUID, error) {
	id, ok := ctx.Value(workspaceKey{}).(uuid.UUID)
	if !ok {
		return uuid.Nil, store.ErrNotFound
	}
	return id, nil
}

// welcome gives a stranger a workspace and the cookie that leads back to it.
func (s *server) welcome(ctx context.Context) (workspace uuid.UUID, cookie string, err error) {
	if id, err := who(ctx); err == nil {
		return id, "", nil
	}
	token := rand.Text() + rand.Text() // 2 × 128 bits
	id, err := s.Store.NewVisitor(ctx, token)
	if err != nil {
		return uuid.Nil, "", err
	}
	return id, (&http.Cookie{Name: cookieName(s.Secure), Value: token, Path: "/", HttpOnly: true, Secure: s.Secure,
		SameSite: http.SameSiteLaxMode, MaxAge: int((400 * 24 * time.Hour).Seconds())}).String(), nil
}
