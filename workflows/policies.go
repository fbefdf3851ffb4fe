package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// The task queues. Text recognition has its own, so that a long scan does not delay a question.
const (
	TurnQueue    = "munshi-turns"
	ReadingQueue = "munshi-reading"
)

// All limits and intervals of the workflows.
const (
	cheapTime   = 30 * time.Second // one attempt at a cheap step: a few queries and some computing
	readingTime = 15 * time.Minute // one attempt at a batch of pages
	askTime     = 15 * time.Minute // one attempt at an answer; the model's own timeouts are shorter
	// one attempt at an optional question, for whose answer a person waits
	asideTime      = time.Minute
	heartbeatTime  = 10 * time.Second // silence after which a worker counts as dead
	HeartbeatEvery = time.Second      // how soon a running activity notices a stop
	giveUpAfter    = 2 * time.Hour    // a step that is not done after this time fails the turn
	batchTime      = 24 * time.Hour   // the same for a paper of a batch, which queues behind the others
	eraseTime      = 2 * time.Hour    // one attempt at a step of an erasure, which is retried for as long as necessary
	// how soon to check again whether deleted workflows are gone; Temporal needs some time for it
	eraseAgain  = 4 * time.Second
	upgradeTime = 30 * time.Minute // how long a turn that needs a newer worker waits for one

	forgottenAfter = 180 * 24 * time.Hour // a follow-up ends if nothing was received for this long

	// how long after the creation of an order the provider is first asked about it,
	firstReconcile    = 15 * time.Minute
	reconcileGrowth   = 2                  // then again after intervals that grow by this factor,
	lateAuthorisation = 3 * 24 * time.Hour // until a bank no longer reports anything
	providerTime      = 30 * time.Second   // one attempt at asking the provider, or at sending a mail
	RemindBeforeEnd   = 3 * 24 * time.Hour // how long before the end of a paid period the person is reminded

	premiumPriority = 1 // in the queues; the default is 3, Temporal's own
	batchPriority   = 4 // papers of batches queue behind turns for which somebody is waiting
	evalsPriority   = 5 // evaluations queue behind everything

	// one attempt at running the cases of an evaluation: thousands of turns, perhaps with a slow model
	tryTime     = 7 * 24 * time.Hour
	tryAttempts = 100 // after so many attempts, the reason cannot be that workers stopped
	TestsAtOnce = 4   // cases of an evaluation that run at the same time, by default
	MostAtOnce  = 32  // the highest number that an evaluation may ask for

	JudgeAttempts = 4           // attempts at asking a model to judge an answer; after these it stays unjudged
	JudgeAgain    = time.Second // wait after the first attempt; doubled after each further one

	remindHour = 9 * time.Hour                // time of day for reminders, in India
	indiaAhead = 5*time.Hour + 30*time.Minute // India is ahead of UTC by this much, all year

	requestTime = 3 * time.Second // how long a person's request waits for Temporal

	attributeLooks     = 100 // how often we ask a server whether it accepts new search attributes
	attributeLookEvery = 100 * time.Millisecond

	modelAttempts = 8           // attempts with a model that is busy or failing
	extraAttempts = 2           // attempts at something optional: a person waits for the turn to end
	AttemptsEach  = 2           // attempts at one provider before the next one in the chain is asked
	LongestWait   = time.Minute // a provider that asks us to wait longer is skipped at once if there is another

	pagesAtOnce      = 10 // pages requested from the reader in one call, if they need recognition
	recognisedAtOnce = 10 // pages recognised in one activity before other work in the queue gets its turn
	batchAtOnce      = 1  // the same for batches, which use every free reader
	partsAtOnce      = 2  // parts of a long text that are read in parallel

	piecesAtOnce      = 3 // pieces of a reply that are written in parallel
	allegationsAtOnce = 8 // allegations in one question to a model
	// how many pieces an answer, or a part of a reply, may have if it reaches the model's output limit
	goingOn        = 12
	longestLine    = 1500 // the most bytes that are written again when it is continued
	passagesOfPart = 3000 // tokens of the notice for writing a part of a reply

	maxLevels = 4   // how often the results of parts are merged into fewer parts before the answer is written
	minPart   = 200 // reading in parts needs room for at least this many tokens of text

	flushEvery = 50 * time.Millisecond // streamed text is stored at most this often
	closeTime  = 10 * time.Second      // text written before a stop is lost if it cannot be stored within this time
)

// remindBefore is how many days before the last day to reply the person is reminded, in order of time.
var remindBefore = []int{7, 3, 1}

// remindAfter is how many days after the arrival of a notice without a readable date the person is asked for one.
var remindAfter = []int{1, 3, 7}

// local returns the context for cheap steps: they run inside the workflow task, and are retried until the store
// answers.
func local(ctx workflow.Context) workflow.Context {
	return workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		StartToCloseTimeout:    cheapTime,
		ScheduleToCloseTimeout: giveUpAfter,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    100 * time.Millisecond,
			BackoffCoefficient: 2,
			MaximumInterval:    10 * time.Second,
		},
	})
}

// patient returns the context for cheap steps of a workflow that waits for weeks: they are retried until the store
// answers, however long that takes.
func patient(ctx workflow.Context) workflow.Context {
	return workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		StartToCloseTimeout: cheapTime,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    100 * time.Millisecond,
			BackoffCoefficient: 2,
			MaximumInterval:    time.Minute,
		},
	})
}

// reconciling returns the context for questions to the payment provider, which may be down for a while.
func reconciling(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    providerTime,
		ScheduleToCloseTimeout: firstReconcile,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    2 * time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    time.Minute,
		},
	})
}

// mailing returns the context for sending a mail, which is given up after giveUpAfter.
func mailing(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    providerTime,
		ScheduleToCloseTimeout: giveUpAfter,
		RetryPolicy:            &temporal.RetryPolicy{InitialInterval: time.Minute, BackoffCoefficient: 2},
	})
}

// premium is the context key that marks work for someone who has paid.
type premium struct{}

// queued returns the priority for a workspace's work.
func queued(ctx workflow.Context, workspace string) temporal.Priority {
	p := temporal.Priority{FairnessKey: workspace}
	if ctx.Value(premium{}) != nil {
		p.PriorityKey = premiumPriority
	}
	return p
}

// reading returns the context for reading batches of pages. Workspaces take turns, so that one person's thousand pages
// do not delay another's single page.
func reading(ctx workflow.Context, in TurnInput) workflow.Context {
	priority, giveUp := queued(ctx, in.Workspace), giveUpAfter
	if in.Kind == Reading {
		priority.PriorityKey, giveUp = batchPriority, batchTime
	}
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		TaskQueue:              ReadingQueue,
		StartToCloseTimeout:    readingTime,
		ScheduleToCloseTimeout: giveUp,
		HeartbeatTimeout:       heartbeatTime,
		WaitForCancellation:    true,
		Priority:               priority,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    30 * time.Second,
		},
	})
}

// preparing returns the context for the activities before an evaluation's first case and after its last.
func preparing(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    readingTime,
		ScheduleToCloseTimeout: giveUpAfter,
		HeartbeatTimeout:       heartbeatTime,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    30 * time.Second,
		},
	})
}

// trying returns the context for the cases of an evaluation.
func trying(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		ScheduleToCloseTimeout: tryTime,
		HeartbeatTimeout:       heartbeatTime,
		WaitForCancellation:    true,
		Priority:               temporal.Priority{PriorityKey: evalsPriority},
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    30 * time.Second,
			MaximumAttempts:    tryAttempts,
		},
	})
}

// asking returns the context for calls to the model. Workspaces take turns, as with reading.
func asking(ctx workflow.Context, in TurnInput) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    askTime,
		ScheduleToCloseTimeout: giveUpAfter,
		HeartbeatTimeout:       heartbeatTime,
		WaitForCancellation:    true,
		Priority:               queued(ctx, in.Workspace),
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    time.Minute,
		},
	})
}

// askingAside returns the context for optional calls to the model.
func askingAside(ctx workflow.Context, in TurnInput) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    asideTime,
		ScheduleToCloseTimeout: giveUpAfter,
		HeartbeatTimeout:       heartbeatTime,
		WaitForCancellation:    true,
		Priority:               queued(ctx, in.Workspace),
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    5 * time.Second,
			MaximumAttempts:    extraAttempts,
		},
	})
}
