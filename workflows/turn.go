// Package workflows has the durable work of Munshi: a turn is a Temporal workflow that runs the steps in a plugin's
// manifest. Workflow code is deterministic and imports no other package of ours; side effects are in activities,
// behind small interfaces that this package defines. Texts never enter workflow history: payloads, summaries and
// failures contain ids, codes and counts.
package workflows

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"munshi/orchestrator/turns"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// TurnInput identifies a turn.
type TurnInput struct {
	Workspace, Conversation, Turn string
	Plugin, Kind                  string
	Pinned                        string `json:",omitempty"` // the bundle of prompts to use; "" for the one in use
	// Evaluation is the evaluation run to which the turn belongs, or nil. Histories use its earlier name.
	Evaluation *EvaluationLimit `json:"Trial,omitempty"`
}

// EvaluationLimit limits the evaluation run Run: on each worker at most AtOnce of its turns use a model at a time.
type EvaluationLimit struct {
	Run    string
	AtOnce int
}

// Reading is the kind of turn that reads a notice of a batch: nobody waits for it.
const Reading = "reading"

// Step is one step of a plugin's manifest.
type Step struct {
	ID, Kind, Title string
	Prompt          string // the prompt of a prompt step
	PartPrompt      string // the prompt for the parts of a text that is too long for the model
	HistoryPrompt   string // the prompt for notes on the older part of a conversation that is too long for the model
	Absent          string // required_documents: "empty" or "keep" the list if the answer has no such section
	Continue        string // prompt: "yes" to continue an answer that reaches the model's output limit
	Document        string // save_draft: the input with the kind of document
	Draft           string // draft: "new" creates the draft of the reply, "existing" updates one
	Revise          string // check: the prompt that rewrites an answer which contradicts the facts
	Tolerance       string `json:",omitempty"` // reconcile: by how many rupees documents may differ under each head
}

// Plan is what a run keeps to: the manifest's steps as they were when it started.
type Plan struct {
	Bundle  string // hash of the plugin's files
	Apology string
	Steps   []Step
	Stop    bool // the person stopped the turn before it started
	Settles bool // the last prompt step also does the steps after it; false in older histories
	Premium bool // the person has paid, so the turn has priority in the queues
	Tells   bool // a run that finds its turn ended notifies the follow-up; false in older histories
}

// State is the result of an operator's query about a running turn.
type State struct {
	Step   string
	Number int
	Of     int
}

// StateQuery is the name of the query that returns State.
const StateQuery = "state"

// a only names activities for the SDK; it is never called.
var a *Activities

// turn is a running turn.
type turn struct {
	in     TurnInput
	plan   Plan
	law    *turns.ResultKey // result of the last law step; nil if there was none
	answer turns.ResultKey  // result of the last prompt step
	checks turns.ResultKey  // result of the check step
	ended  bool             // the last prompt step has ended the turn

	offline bool   // the person accepted an answer from the offline engine
	leave   func() // cancels the call to the provider; nil if there is none
}

// Turn works on a message or file until it is answered, stopped or has failed. A failed turn fails the workflow, so
// that it can be found and reset in Temporal's Web UI; a reset repeats nothing that was finished.
func Turn(ctx workflow.Context, in TurnInput) error {
	state := State{Step: "begin"}
	if err := workflow.SetQueryHandler(ctx, StateQuery, func() (State, error) { return state, nil }); err != nil {
		return fmt.Errorf("set the state query: %w", err)
	}
	t := &turn{in: in, plan: Plan{Apology: DefaultApology}}
	workflow.GoNamed(ctx, "offline", t.awaitOffline)
	since := workflow.GetInfo(ctx).WorkflowStartTime
	err := workflow.ExecuteLocalActivity(local(ctx), a.Begin, in).Get(ctx, &t.plan)
	leaveToNewer(ctx, since, err)
	if err == nil && t.plan.Stop {
		err = temporal.NewCanceledError()
	}
	if t.plan.Premium {
		ctx = workflow.WithValue(ctx, premium{}, true)
	}
	for i, step := range t.plan.Steps {
		if err != nil || t.ended {
			break
		}
		state = State{Step: step.ID, Number: i + 1, Of: len(t.plan.Steps)}
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("Step %d of %d: %s", state.Number, state.Of, step.ID))
		run, known := steps()[step.Kind]
		if !known {
			err = temporal.NewNonRetryableApplicationError(NewerSentence, NeedsNewer, nil)
			leaveToNewer(ctx, since, err)
			break
		}
		since = workflow.Now(ctx)
		err = run(ctx, t, step)
	}
	if t.ended {
		return nil
	}
	return t.end(ctx, err)
}

// leaveToNewer leaves the turn to another worker if the error says that this one is too old for it, as long as another
// may still come. Failing the workflow task by a panic is the only way to make Temporal offer it to any worker.
// Nothing of the failed task is kept, so a newer worker continues as if this one had not tried.
func leaveToNewer(ctx workflow.Context, since time.Time, err error) {
	var failure *temporal.ApplicationError
	if errors.As(err, &failure) && failure.Type() == NeedsNewer && workflow.Now(ctx).Sub(since) < upgradeTime {
		panic("this worker is too old for the turn's prompts and leaves it to another")
	}
}

// end ends the turn in the store, even if the workflow's own context is cancelled.
func (t *turn) end(ctx workflow.Context, err error) error {
	settled, _ := workflow.NewDisconnectedContext(ctx)
	in := EndInput{TurnInput: t.in, Answer: t.answer, Checks: t.checks}
	var failure *temporal.ApplicationError
	switch {
	case err == nil:
		in.State = "answered"
	case t.plan.Stop || errors.Is(ctx.Err(), workflow.ErrCanceled):
		in.State = "stopped"
		err = temporal.NewCanceledError()
	case errors.As(err, &failure) && failure.Type() == superseded:
		if !t.plan.Tells {
			return nil
		}
		// Another run owns this turn; or this run has ended it, but the worker was killed before it notified anyone.
		return workflow.ExecuteLocalActivity(local(settled), a.Tell, t.in).Get(settled, nil)
	default:
		in.State, in.Apology, in.Code, in.Sentence = "failed", t.plan.Apology, "internal", internalSentence
		if failure != nil {
			in.Code, in.Sentence = failure.Type(), failure.Message()
		}
		// The person sees the sentence; operators see in the workflow what to do about it.
		err = temporal.NewApplicationErrorWithCause(cmp.Or(adviceIn(failure), in.Sentence), in.Code, err)
	}
	if serr := workflow.ExecuteLocalActivity(local(settled), a.End, in).Get(settled, nil); serr != nil {
		var failure *temporal.ApplicationError
		if errors.As(serr, &failure) && failure.Type() == superseded {
			return nil
		}
		return serr
	}
	return err
}

// extract reads the turn's document in batches, so that a long scan does not occupy a reader for long.
func extract(ctx workflow.Context, t *turn, s Step) error {
	for {
		var left int
		if err := workflow.ExecuteActivity(reading(ctx, t.in), a.Extract, StepInput{t.in, s}).Get(ctx,
			&left); err != nil || left == 0 {
			return err
		}
	}
}

func facts(ctx workflow.Context, t *turn, s Step) error {
	return workflow.ExecuteLocalActivity(local(ctx), a.ReadFacts, StepInput{t.in, s}).Get(ctx, nil)
}

// takeOffline is the signal with which a person accepts an answer from the offline engine if a provider does not
// respond.
const takeOffline = "take_offline"

// awaitOffline waits for that signal, and then cancels the call to the provider.
func (t *turn) awaitOffline(ctx workflow.Context) {
	workflow.GetSignalChannel(ctx, takeOffline).Receive(ctx, nil)
	if t.offline = true; t.leave != nil {
		t.leave()
	}
}

// orOffline runs do with a provider, and runs it again without one as soon as the person accepts an answer from the
// offline engine.
func (t *turn) orOffline(ctx workflow.Context, do func(ctx workflow.Context, offline bool) error) error {
	if !t.offline {
		trying, leave := workflow.WithCancel(ctx)
		t.leave = leave
		err := do(trying, false)
		t.leave = nil
		if err == nil || !t.offline || ctx.Err() != nil {
			return err
		}
	}
	return do(ctx, true)
}

// prompt asks the model or, once the person accepts that, the offline engine.
func prompt(ctx workflow.Context, t *turn, s Step) error {
	in := AskInput{StepInput: StepInput{t.in, s}, Bundle: t.plan.Bundle, Then: t.plan.then(s), Law: t.law}
	return t.orOffline(ctx, func(ctx workflow.Context, offline bool) error {
		in.Offline = offline
		return t.ask(ctx, in)
	})
}

// ask asks for an answer. A text that is too long for the model is first read in parts, each as a step, then the
// results of the parts in fewer parts, until they fit.
func (t *turn) ask(ctx workflow.Context, in AskInput) error {
	for in.Level = 1; in.Level <= maxLevels; in.Level++ {
		var asked Asked
		if err := workflow.ExecuteActivity(asking(ctx, in.TurnInput), a.Ask, in).Get(ctx, &asked); err != nil {
			return err
		}
		if asked.Older != nil {
			older, err := earlier(ctx, in, *asked.Older)
			if err != nil {
				return err
			}
			in.Older = older
			continue
		}
		if asked.Parts == 0 {
			t.answer, t.ended = turns.ResultKey{Step: in.Step.ID, InputSHA: asked.InputSHA}, asked.Ended
			return nil
		}
		in.Parts, in.Budget = asked.Parts, asked.Budget
		from, err := parts(ctx, in)
		if err != nil {
			return err
		}
		in.From, in.Parts, in.Budget = from, 0, 0
	}
	return temporal.NewNonRetryableApplicationError("The text is too long for the model, even in parts.", "too_long",
		nil)
}

// then returns the steps after a prompt step if they are all cheap and end the turn. The activity that gets the answer
// does them at once, so that the person need not wait for a round trip through the server and a worker.
func (p Plan) then(s Step) []Step {
	if !p.Settles {
		return nil
	}
	at := slices.IndexFunc(p.Steps, func(other Step) bool { return other.ID == s.ID })
	rest := p.Steps[at+1:]
	for _, next := range rest {
		if !slices.Contains([]string{"check", "required_documents", "save_draft"}, next.Kind) {
			return nil
		}
	}
	return append([]Step{}, rest...)
}

// parts reads every part of a level.
func parts(ctx workflow.Context, in AskInput) ([]turns.ResultKey, error) {
	return aFewAtATime[turns.ResultKey](ctx, partsAtOnce, in.Parts, func(ctx workflow.Context, n int) workflow.Future {
		part := in
		part.Part = n
		return workflow.ExecuteActivity(asking(ctx, in.TurnInput), a.AskPart, part)
	})
}

// aFewAtATime runs pieces of work, numbered from 1, with at most atOnce in parallel, and returns their results. The
// first error cancels the others, since they would cost money for nothing.
func aFewAtATime[T any](ctx workflow.Context, atOnce int64, count int,
	start func(workflow.Context, int) workflow.Future) ([]T, error) {
	ctx, cancel := workflow.WithCancel(ctx)
	defer cancel()
	made := make([]T, count)
	var failed error
	tickets, wait := workflow.NewSemaphore(ctx, atOnce), workflow.NewWaitGroup(ctx)
	for n := range count {
		if err := tickets.Acquire(ctx, 1); err != nil {
			break // cancelled by the person, or because a piece failed
		}
		wait.Add(1)
		workflow.GoNamed(ctx, "piece "+strconv.Itoa(n+1), func(ctx workflow.Context) {
			defer wait.Done()
			defer tickets.Release(1)
			if err := start(ctx, n+1).Get(ctx, &made[n]); err != nil && failed == nil {
				failed = err
				cancel()
			}
		})
	}
	wait.Wait(ctx)
	if failed == nil {
		failed = ctx.Err()
	}
	return made, failed
}

func check(ctx workflow.Context, t *turn, s Step) error {
	t.checks = turns.ResultKey{Step: s.ID, InputSHA: t.answer.InputSHA}
	return workflow.ExecuteLocalActivity(local(ctx), a.Check, AnswerInput{StepInput{t.in, s}, t.answer}).Get(ctx, nil)
}

func requiredDocuments(ctx workflow.Context, t *turn, s Step) error {
	return workflow.ExecuteLocalActivity(local(ctx), a.RequiredDocuments, AnswerInput{StepInput{t.in, s}, t.answer}).
		Get(ctx, nil)
}

// saveDraft stores the answer as a draft.
func saveDraft(ctx workflow.Context, t *turn, s Step) error {
	return workflow.ExecuteLocalActivity(local(ctx), a.SaveDraft, AnswerInput{StepInput{t.in, s}, t.answer}).
		Get(ctx, nil)
}
