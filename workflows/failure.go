package workflows

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
)

// superseded is the error code for a write by a run that no longer owns its turn.
const superseded = "superseded"

// NeedsNewer is the error code of a worker that cannot read a turn's prompts or run one of its steps, because a newer
// release wrote them. The turn is left to another worker; if none comes, it fails with NewerSentence.
const (
	NeedsNewer    = "needs_newer"
	NewerSentence = "The prompts of this feature were made for a newer release of Munshi than the one that runs here. " +
		"Bring every worker up to date, then try again."
)

// adviceType is the type of a cause that advises operators what to do.
const adviceType = "advice"

// internalSentence is shown for errors whose details are only in the log.
const internalSentence = "Something went wrong on our side; the log has the details under this turn's id."

// DefaultApology is shown when a turn failed before its manifest was read.
const DefaultApology = "I apologize, but I encountered an error while processing your request. Please try again."

// ErrSuperseded is returned by implementations of the interfaces if another run, or a newer attempt, now writes the
// turn.
var ErrSuperseded = errors.New("another run writes this turn")

// ErrRewritten is an ErrSuperseded: another attempt of the same run has begun the text again. If Temporal is slow,
// this may be an earlier attempt that came late, so the attempt on which the run waits has to try again. Temporal
// ignores the result of an attempt that it has given up.
var ErrRewritten = fmt.Errorf("another attempt writes the text: %w", ErrSuperseded)

// Failure is an error that an implementation of the interfaces has classified. Its code and sentence may appear in
// workflow history and on a person's screen, so they contain nothing that a person wrote.
type Failure struct {
	Code       string
	Sentence   string
	Advice     string // for operators, in the log and in history; "" if the sentence is enough
	Retryable  bool
	RetryAfter time.Duration // wait at least this long; 0 if unknown
	Cause      error
}

// Error returns the code and the cause.
func (f *Failure) Error() string {
	if f.Cause == nil {
		return f.Code
	}
	return f.Code + ": " + f.Cause.Error()
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Cause }

// refuse converts an error into what Temporal may store: a code and a sentence. An unclassified error is retried,
// since a database or disk may recover; its text goes only to the log.
func (a *Activities) refuse(ctx context.Context, step string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil && temporal.IsCanceledError(context.Cause(ctx)) {
		// cancelled by its workflow; a lost heartbeat or a stopping worker has another cause
		return temporal.NewCanceledError()
	}
	if errors.Is(err, ErrSuperseded) && !errors.Is(err, ErrRewritten) {
		return temporal.NewNonRetryableApplicationError("Another run has this turn.", superseded, nil)
	}
	info := activity.GetInfo(ctx)
	a.Log.WarnContext(ctx, "an activity failed", "turn_workflow", info.WorkflowExecution.ID, "run",
		info.WorkflowExecution.RunID, "activity", info.ActivityType.Name, "step", step, "attempt", info.Attempt,
		"error", err, "advice", adviceOf(err))
	var f *Failure
	if !errors.As(err, &f) {
		return temporal.NewApplicationError(internalSentence, "internal")
	}
	asked := info.Attempt >= modelAttempts && step != tryStep
	return temporal.NewApplicationErrorWithOptions(f.Sentence, f.Code, temporal.ApplicationErrorOptions{
		// A local activity would only be retried on this same worker.
		NonRetryable:   !f.Retryable || asked || f.Code == NeedsNewer && info.IsLocalActivity,
		NextRetryDelay: f.RetryAfter,
		Cause:          forOperators(f),
	})
}

func adviceOf(err error) string {
	var f *Failure
	errors.As(err, &f)
	if f == nil {
		return ""
	}
	return f.Advice
}

// forOperators returns the advice as a cause for the failure, which the Web UI shows; nil if there is none.
func forOperators(f *Failure) error {
	if f.Advice == "" {
		return nil
	}
	return temporal.NewApplicationError(f.Advice, adviceType)
}

// adviceIn returns the advice for operators in a failure's cause, or "".
func adviceIn(failure *temporal.ApplicationError) string {
	var advice *temporal.ApplicationError
	if failure == nil || !errors.As(failure.Unwrap(), &advice) || advice.Type() != adviceType {
		return ""
	}
	return advice.Message()
}

// attemptsAt returns how often a step asks a model that is busy or failing.
func attemptsAt(s Step) int32 {
	if s.Draft == "existing" {
		return extraAttempts
	}
	return modelAttempts
}

// extra makes an error final if it was the last attempt of an optional step, which only improves an existing answer.
func extra(ctx context.Context, s Step, err error) error {
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrSuperseded) || s.Draft != "existing" ||
		activity.GetInfo(ctx).Attempt < extraAttempts {
		return err
	}
	f := &Failure{Code: "internal", Sentence: internalSentence}
	errors.As(err, &f)
	return &Failure{Code: f.Code, Sentence: f.Sentence, Advice: f.Advice, Cause: err}
}

// alive sends heartbeats until the returned function is called, so that a stop reaches the activity and a dead worker
// is noticed.
func alive(ctx context.Context) func() {
	beat, done := context.WithCancel(ctx)
	go func() {
		tick := time.NewTicker(HeartbeatEvery)
		defer tick.Stop()
		for { // not at once: the server knows that the activity has started
			select {
			case <-beat.Done():
				return
			case <-tick.C:
				activity.RecordHeartbeat(ctx)
			}
		}
	}()
	return done
}
