package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/role"
)

// Acting is the member of a firm who makes a request, with their role. If a context carries one, every transaction
// passes it to row-level security, and only the firm's workspace can be reached.
type Acting struct {
	Workspace uuid.UUID // the firm's
	Firm      string
	Member    uuid.UUID
	Name      string
	Role      role.Role

	// What they may see, if limited: a client's matters, or one matter. Nil means no limit.
	Client, Matter uuid.UUID
}

type actingKey struct{}

// As returns a context in which the member a acts.
func (a Acting) As(ctx context.Context) context.Context {
	return context.WithValue(ctx, actingKey{}, a)
}

// AsNobody returns a context in which Munshi itself acts, even if a member acts in ctx.
func AsNobody(ctx context.Context) context.Context {
	return context.WithValue(ctx, actingKey{}, nil)
}

// ActingIn returns the member who acts in a context. It returns false in a person's own workspace and where Munshi
// itself acts.
func ActingIn(ctx context.Context) (Acting, bool) {
	a, ok := ctx.Value(actingKey{}).(Acting)
	return a, ok
}

// ErrForbidden means that row-level security did not allow the acting member to write.
var ErrForbidden = errors.New("whoever acts may not write this")

// asWorkspace returns the SQL statement that limits a transaction to the rows of the workspace which the acting member
// may see.
func asWorkspace(ctx context.Context, id uuid.UUID) (statement, error) {
	a, acts := ActingIn(ctx)
	if !acts {
		return statement{"select set_config('app.workspace_id', $1, true)", []any{id.String()}}, nil
	}
	if a.Workspace != id {
		return statement{}, fmt.Errorf("a member of %s asks for rows of %s: %w", a.Workspace, id, ErrNotFound)
	}
	yes := func(right bool) string {
		if right {
			return "yes"
		}
		return "no"
	}
	only := func(id uuid.UUID) string {
		if id == uuid.Nil {
			return ""
		}
		return id.String()
	}
	return statement{
		`select set_config('app.workspace_id', $1, true), set_config('app.writes', $2, true), set_config('app.manages', $3, true),
			set_config('app.reads_log', $4, true), set_config('app.client_id', $5, true), set_config('app.matter_id', $6, true),
			set_config('app.approves', $7, true)`,
		[]any{id.String(), yes(a.Role.Writes()), yes(a.Role.May(role.Manage)), yes(a.Role.May(role.Log)),
			only(a.Client), only(a.Matter), yes(a.Role.May(role.Approve))},
	}, nil
}
