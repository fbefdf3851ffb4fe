package api

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"munshi/orchestrator/store"
)

type workspaceKey struct{}

// cookieName is the session cookie's: on https it is bound to the host.
func cookieName(secure bool) string {
	if secure {
		return "__Host-munshi"
	}
	return "munshi"
}

// identify finds out whose request it is; a stranger's goes on without a workspace and sees nothing.
func (s *server) identify(c *gin.Context) {
	token, err := c.Cookie(cookieName(s.Secure))
	if err != nil || token == "" {
		return
	}
	workspace, err := s.Store.Session(c.Request.Context(), token)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return
	case err != nil:
		p := s.toProblem(err).(*Problem)
		c.AbortWithStatusJSON(p.Status, p)
		return
	}
	c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), workspaceKey{}, workspace))
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
