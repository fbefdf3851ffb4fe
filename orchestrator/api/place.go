package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"munshi/orchestrator/store"
)

// place is the workspace named in an address: a firm's, under /firm/‹id›, or, if firm is Nil, the person's own.
type place struct{ firm uuid.UUID }

// firmPath is how addresses in a firm begin.
const firmPath = "/firm/"

// PathOf returns how addresses in a workspace begin; "" for a person's own.
func PathOf(workspace uuid.UUID, firm bool) string {
	if !firm {
		return ""
	}
	return firmPath + workspace.String()
}

// splitPlace splits a path into its workspace and the path within it.
func splitPlace(path string) (p place, within string) {
	rest, found := strings.CutPrefix(path, firmPath)
	if !found {
		return place{}, path
	}
	id, within, _ := strings.Cut(rest, "/")
	firm, err := uuid.Parse(id)
	if err != nil || firm == uuid.Nil || len(id) != len(uuid.Nil.String()) {
		return place{}, path
	}
	return place{firm}, "/" + within
}

type placeKey struct{}

func placeOf(ctx context.Context) place {
	p, _ := ctx.Value(placeKey{}).(place)
	return p
}

// placed removes the workspace from the path and puts it into the context, so that the same routes serve every
// workspace.
func placed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, within := splitPlace(r.URL.Path)
		if p == (place{}) {
			next.ServeHTTP(w, r)
			return
		}
		if within == "/" {
			http.Redirect(w, r, PathOf(p.firm, true)+"/app", http.StatusFound)
			return
		}
		at := r.WithContext(context.WithValue(r.Context(), placeKey{}, p))
		at.URL = new(url.URL)
		*at.URL = *r.URL
		at.URL.Path, at.URL.RawPath = within, ""
		next.ServeHTTP(w, at)
	})
}

// standing returns the membership of the session's person in the requested firm. It returns false if they are no
// member, or if the request is for their own workspace.
func (s *server) standing(ctx context.Context, of *store.Session, at place) (store.Acting, bool, error) {
	if at == (place{}) || of == nil || !of.SignedIn {
		return store.Acting{}, false, nil
	}
	a, err := s.Store.Standing(ctx, at.firm, of.Workspace)
	if errors.Is(err, store.ErrNotFound) {
		return store.Acting{}, false, nil
	}
	return a, err == nil, err
}
