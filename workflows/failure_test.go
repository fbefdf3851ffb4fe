package workflows

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
)

// An attempt that came late may write a turn's text at the same time as the one on which its run waits. The latter
// tries again; only a run that has lost its turn gives up.
func TestWhoTriesAgain(t *testing.T) {
	for err, again := range map[error]bool{
		fmt.Errorf("add to the text: %w", ErrRewritten):  true,
		fmt.Errorf("add to the text: %w", ErrSuperseded): false,
	} {
		a := &Activities{Log: slog.New(slog.DiscardHandler)}
		step := func(ctx context.Context) error { return a.refuse(ctx, "answer", err) }
		suite := testsuite.WorkflowTestSuite{}
		env := suite.NewTestActivityEnvironment()
		env.RegisterActivity(step)
		_, got := env.ExecuteActivity(step)
		if failure := (*temporal.ApplicationError)(nil); !errors.As(got, &failure) || failure.NonRetryable() == again {
			t.Errorf("after %q the activity's error is %v, to be tried again: %v", err, got, again)
		}
	}
}
