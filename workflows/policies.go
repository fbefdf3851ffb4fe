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

// All limits and intervals of the durable work.
const (
	cheapTime   = 30 * time.Second // one attempt of a cheap step: a few queries and pure code
	readingTime = 15 * time.Minute // one attempt at a batch of pages
	askTime     = 15 * time.Minute // one attempt at an answer; the model's own time-outs are shorter
	// one attempt at asking for what only saves a person a look at the paper: they wait for the answer
	asideTime      = time.Minute
	heartbeatTime  = 10 * time.Second // silence after which a worker counts as dead
	HeartbeatEvery = time.Second      // how soon a stop reaches a running activity
	giveUpAfter    = 2 * time.Hour    // a step that cannot be done in this time fails the turn
	batchTime      = 24 * time.Hour   // the same for a paper that came with many others, behind which it queues
	eraseTime      = 2 * time.Hour    // one attempt at a step of an erasure, which goes on for as long as it takes
	// how soon to check again whether deleted workflows are gone: Temporal takes its time
	eraseAgain  = 4 * time.Second
	upgradeTime = 30 * time.Minute // how long a turn that needs a newer worker waits for one

	forgottenAfter = 180 * 24 * time.Hour // a follow-up ends when nothing was handed in for this long

	firstReconcile    = 15 * time.Minute   // after an order was made, when the provider is first asked about it,
	reconcileGrowth   = 2                  // then each time after this many times as long,
	lateAuthorisation = 3 * 24 * time.Hour // until a bank no longer reports anything
	providerTime      = 30 * time.Second   // one attempt at asking the provider, or at sending a mail
	RemindBeforeEnd   = 3 * 24 * time.Hour // how long before the end of a paid period the person is reminded

	premiumPriority = 1 // priority in the queues; others have Temporal's default, 3
	batchPriority   = 4 // papers that came many at once queue behind those for which somebody waits
	evalsPriority   = 5 // and evaluations behind everyone

	// the cases of an evaluation, which wait for their turns: thousands, with a slow model
	tryTime     = 7 * 24 * time.Hour
	tryAttempts = 100 // attempts at that: after so many failures a dying worker is not the reason
	TestsAtOnce = 4   // cases of an evaluation that run at the same time, unless it says otherwise
	MostAtOnce  = 32  // that it may ask for

	JudgeAttempts = 4           // attempts at asking a model to judge an answer, after which it stays unjudged
	JudgeAgain    = time.Second // after the first attempt; doubled after each further one

	remindHour = 9 * time.Hour                // hour of the day, in India
	indiaAhead = 5*time.Hour + 30*time.Minute // ahead of UTC, all year

	requestTime = 3 * time.Second // how long a person's request waits for Temporal

	attributeLooks     = 100 // how often a server with new search attributes is asked whether it accepts them
	attributeLookEvery = 100 * time.Millisecond

	modelAttempts = 8           // attempts with a model that is busy or broken
	extraAttempts = 2           // attempts at what only improves an existing answer: a person waits for the turn to end
	AttemptsEach  = 2           // attempts before the next provider of the chain is asked
	LongestWait   = time.Minute // a provider that asks to wait longer is left at once where there is another

	pagesAtOnce      = 10 // pages requested from the reader in one call, while they need recognition
	recognisedAtOnce = 10 // pages recognised in one activity before the next one in the queue gets its turn
	batchAtOnce      = 1  // the same for papers that came many at once, which use every free reader
	partsAtOnce      = 2  // parts of a long text that are read at the same time

	piecesAtOnce      = 3 // pieces of a reply that are written at the same time
	allegationsAtOnce = 8 // allegations in one question to a model
	// how often an answer, or a part of a reply, that reaches the model's limit is continued, the first time included
	goingOn        = 12
	longestLine    = 1500 // the most bytes of it that are written again for that
	passagesOfPart = 3000 // tokens of the notice from which a part of a reply is written

	maxLevels = 4   // how often parts are merged into fewer parts before the whole is written
	minPart   = 200 // the smallest room for text, in tokens, with which reading in parts makes sense

	flushEvery = 50 * time.Millisecond // streamed text is stored at most this often
	closeTime  = 10 * time.Second      // what was written before a stop is stored within this time, or lost
)

// remindBefore is how many days before the last day to reply the person is reminded, the first reminder first.
var remindBefore = []int{7, 3, 1}

// remindAfter is how many days after the arrival of a notice without a readable date the person is asked for one.
var remindAfter = []int{1, 3, 7}

// local returns the context for cheap steps: they run inside the workflow task and repeat until the store answers.
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

// patient returns the context for the cheap steps of a workflow that waits for weeks: they repeat until the store
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

// mailing returns a context for sending a mail, which is abandoned after giveUpAfter.
func mailing(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    providerTime,
		ScheduleToCloseTimeout: giveUpAfter,
		RetryPolicy:            &temporal.RetryPolicy{InitialInterval: time.Minute, BackoffCoefficient: 2},
	})
}

// premium marks work for someone who has paid.
type premium struct{}

// queued returns the priority of work for the workspace.
func queued(ctx workflow.Context, workspace string) temporal.Priority {
	p := temporal.Priority{FairnessKey: workspace}
	if ctx.Value(premium{}) != nil {
		p.PriorityKey = premiumPriority
	}
	return p
}

// reading returns the context for batches of pages. Workspaces take turns, so that one person's thousand pages do not
// delay another's single page.
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

// preparing returns the context for what an evaluation does before its first case and after its last.
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

// asking returns the context for calls to the model.
func asking(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    askTime,
		ScheduleToCloseTimeout: giveUpAfter,
		HeartbeatTimeout:       heartbeatTime,
		WaitForCancellation:    true,
		Priority:               queued(ctx, ""),
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    time.Minute,
		},
	})
}

// askingAside returns the context for optional calls to the model.
func askingAside(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    asideTime,
		ScheduleToCloseTimeout: giveUpAfter,
		HeartbeatTimeout:       heartbeatTime,
		WaitForCancellation:    true,
		Priority:               queued(ctx, ""),
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    5 * time.Second,
			MaximumAttempts:    extraAttempts,
		},
	})
}
