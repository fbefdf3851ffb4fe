package workflows

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
)

// superseded is the code of a write that came from a run which no longer has its turn.
const superseded = "superseded"

// NeedsNewer is the code of a fault of a worker that cannot read the prompts of a turn, or run a step of theirs, since
// a newer release wrote them: another worker may, so that the turn is left to it. Should none come, the turn fails with
// NewerSentence.
const (
	NeedsNewer    = "needs_newer"
	NewerSentence = "The prompts of this feature were made for a newer release of Munshi than the one that runs here. Bring every worker up to date, then try again."
)

// adviceType is the type of the cause that tells operators what to do.
const adviceType = "advice"

// internalSentence stands for faults whose details are in the log and nowhere else.
const internalSentence = "Something went wrong on our side; the log has the details under this turn's id."

// DefaultApology is shown when a turn failed before its manifest was read.
const DefaultApology = "I apologize, but I encountered an error while processing your request. Please try again."

// ErrSuperseded is what an implementation of the interfaces returns when another run, or a newer attempt, writes the
// turn.
var ErrSuperseded = errors.New("another run writes this turn")

// Failure is a fault that an implementation of the interfaces could classify. Its code and sentence may stand in
// workflow history and on a person's screen: they hold no text of a person.
type Failure struct {
	Code       string
	Sentence   string
	Advice     string // for operators, in the log and in history; "" where the sentence says it all
	Retryable  bool
	RetryAfter time.Duration // wait at least this long, 0 when nobody said
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

// refuse turns an error into what Temporal may keep: a code and a sentence. What cannot be classified is retried, since
// a database or a disk comes back; its text goes to the log alone.
func (a *Activities) refuse(ctx context.Context, step string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil && temporal.IsCanceledError(context.Cause(ctx)) {
		return temporal.NewCanceledError() // by its workflow; a lost heartbeat or a worker that goes cancels for another cause
	}
	if errors.Is(err, ErrSuperseded) {
		return temporal.NewNonRetryableApplicationError("Another run has this turn.", superseded, nil)
	}
	info := activity.GetInfo(ctx)
	a.Log.WarnContext(ctx, "an activity failed", "turn_workflow", info.WorkflowExecution.ID, "run", info.WorkflowExecution.RunID,
		"activity", info.ActivityType.Name, "step", step, "attempt", info.Attempt, "error", err, "advice", adviceOf(err))
	var f *Failure
	if !errors.As(err, &f) {
		return temporal.NewApplicationError(internalSentence, "internal")
	}
	asked := info.Attempt >= modelAttempts && step != tryStep
	return temporal.NewApplicationErrorWithOptions(f.Sentence, f.Code, temporal.ApplicationErrorOptions{
		// A local activity would only be repeated here.
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

// forOperators is the advice as the cause of a failure, where the Web UI shows it; nil for none.
func forOperators(f *Failure) error {
	if f.Advice == "" {
		return nil
	}
	return temporal.NewApplicationError(f.Advice, adviceType)
}

// adviceIn returns the advice for operators that a failure has as its cause, "" for none.
func adviceIn(failure *temporal.ApplicationError) string {
	var advice *temporal.ApplicationError
	if failure == nil || !errors.As(failure.Unwrap(), &advice) || advice.Type() != adviceType {
		return ""
	}
	return advice.Message()
}

// attemptsAt returns how many times a step asks a model that is busy or failing.
func attemptsAt(s Step) int32 {
	if s.Draft == "existing" {
		return extraAttempts
	}
	return modelAttempts
}

// extra makes the last fault of a step that only betters what stands one that is not tried again.
func extra(ctx context.Context, s Step, err error) error {
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrSuperseded) || s.Draft != "existing" || activity.GetInfo(ctx).Attempt < extraAttempts {
		return err
	}
	f := &Failure{Code: "internal", Sentence: internalSentence}
	errors.As(err, &f)
	return &Failure{Code: f.Code, Sentence: f.Sentence, Advice: f.Advice, Cause: err}
}

// alive heartbeats until the returned function is called, so that a stop reaches the activity and a dead worker is
// noticed.
func alive(ctx context.Context) func() {
	beat, done := context.WithCancel(ctx)
	go func() {
		tick := time.NewTicker(HeartbeatEvery)
		defer tick.Stop()
		for { // not at once: that the activity has begun, the server knows
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
