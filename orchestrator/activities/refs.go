package activities

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/orchestrator/telemetry"
	"munshi/workflows"
)

// StoreRef returns the store's reference to a turn. The workflow knows the workspace at its start, but the visitor may
// have signed in since then.
func StoreRef(ctx context.Context, s *store.Store, r workflows.Ref) (store.Ref, error) {
	workspace, conversation, err := Owned(ctx, s, r.Workspace, r.Conversation)
	if err != nil {
		return store.Ref{}, err
	}
	turn, err := uuid.Parse(r.Turn)
	if err != nil {
		return store.Ref{}, BadID(err)
	}
	return store.Ref{Workspace: workspace, Conversation: conversation, Turn: turn, Run: r.Run,
		Trace: telemetry.TraceOf(ctx)}, nil
}

// Owned parses the ids, and returns the workspace that owns the conversation now.
func Owned(ctx context.Context, s *store.Store, workspace, conversation string) (owner, id uuid.UUID, err error) {
	if owner, err = uuid.Parse(workspace); err != nil {
		return owner, id, BadID(err)
	}
	if id, err = uuid.Parse(conversation); err != nil {
		return owner, id, BadID(err)
	}
	owner, err = s.Owner(ctx, owner)
	return owner, id, Fenced(ctx, s, owner, err)
}

// BadID returns the failure of a workflow that was started with an invalid id.
func BadID(err error) error {
	return Fail("bad_input", nil, err)
}

// Fenced converts the error of a write that was refused as too late. If the row is missing, it may just have moved to
// an account, where the next attempt will find it.
func Fenced(ctx context.Context, s *store.Store, workspace uuid.UUID, err error) error {
	switch {
	case errors.Is(err, store.ErrRewritten):
		return fmt.Errorf("%w: %w", workflows.ErrRewritten, err)
	case errors.Is(err, store.ErrSuperseded), errors.Is(err, store.ErrNotFound):
		if s.Moved(ctx, workspace) {
			return errors.New("this has gone to the account that its visitor signed in to")
		}
		// A turn that no longer exists was erased, so nobody waits for it.
		return fmt.Errorf("%w: %w", workflows.ErrSuperseded, err)
	case errors.Is(err, store.ErrTooLong):
		return Fail("draft_too_long.turn", nil, err)
	}
	return err
}

// FencedTurn is Fenced for a turn's run. A run that still has its open turn was not superseded, whatever refused the
// write: the attempt fails, with the cause in the log, and the next one tries again. Otherwise the workflow would end
// and leave the turn open.
func FencedTurn(ctx context.Context, s *store.Store, r store.Ref, err error) error {
	refused := Fenced(ctx, s, r.Workspace, err)
	if !errors.Is(refused, workflows.ErrSuperseded) || errors.Is(refused, workflows.ErrRewritten) {
		return refused
	}
	t, lost := s.Turn(ctx, r.Workspace, r.Turn)
	switch {
	case lost != nil && !errors.Is(lost, store.ErrNotFound):
		return fmt.Errorf("look whether the run still has its turn: %w", lost)
	case lost == nil && (t.State == "queued" && t.RunID == nil || t.State == "running" && t.RunID != nil && *t.RunID == r.Run):
		return errors.New("the run was refused although it has the turn: " + err.Error())
	}
	return refused
}

// Fail returns a failure that no retry can solve, with the code and sentence of a problem.
func Fail(code string, params problem.Params, cause error) *workflows.Failure {
	return failure(problem.New(code, params, cause))
}

func failure(p *problem.Error) *workflows.Failure {
	return &workflows.Failure{Code: p.Kind(), Sentence: p.Sentence(), Cause: p}
}
