package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// The task queues. Text recognition has its own, so that a long scan does not stand before a question.
const (
	TurnQueue    = "munshi-turns"
	ReadingQueue = "munshi-reading"
)

// The numbers of the durable work, all of them.
const (
	cheapTime      = 30 * time.Second // one attempt of a cheap step: a few queries and pure code
	readingTime    = 15 * time.Minute // one attempt at a batch of pages
	askTime        = 15 * time.Minute // one attempt at an answer; the model's own time-outs are shorter
	asideTime      = time.Minute      // one attempt at asking for what only spares a person a look at the paper: they wait for the answer
	heartbeatTime  = 10 * time.Second // silence after which a worker counts as dead
	HeartbeatEvery = time.Second      // how soon a stop reaches a running activity
	giveUpAfter    = 2 * time.Hour    // a step that cannot be done in this time fails the turn
	batchTime      = 24 * time.Hour   // and of a paper that came with many others, before which all else is read
	eraseTime      = 2 * time.Hour    // one attempt at a step of an erasure, which goes on for as long as it takes
	eraseAgain     = 4 * time.Second  // so soon it is looked again whether what was to be deleted is gone: Temporal takes its time
	upgradeTime    = 30 * time.Minute // a turn that needs a newer worker than there is waits this long for one

	forgottenAfter = 180 * 24 * time.Hour // a follow-up ends when nothing was handed in for so long

	firstReconcile    = 15 * time.Minute   // after it was made, the provider is asked about an order that is still open,
	reconcileGrowth   = 2                  // then each time after so many times as long,
	lateAuthorisation = 3 * 24 * time.Hour // until a bank says nothing any more
	providerTime      = 30 * time.Second   // one attempt at asking the provider, or at sending a mail
	RemindBeforeEnd   = 3 * 24 * time.Hour // of a paid period, the person is reminded

	premiumPriority = 1 // in the queues, where others have Temporal's 3,
	batchPriority   = 4 // papers that came many at once stand behind those for which somebody waits,
	evalsPriority   = 5 // and evaluations behind everyone

	tryTime     = 7 * 24 * time.Hour // the cases of an evaluation, which wait for their turns: thousands, of a slow model
	tryAttempts = 100                // at that: what fails so often is not the worker that died
	TestsAtOnce = 4                  // cases of an evaluation that are tried at the same time, unless it says otherwise
	MostAtOnce  = 32                 // that it may ask for

	JudgeAttempts = 4           // a model that is to judge an answer is asked this often, and then nobody judges it
	JudgeAgain    = time.Second // after the first attempt, twice as long after each other

	remindHour = 9 * time.Hour                // of the day, in India
	indiaAhead = 5*time.Hour + 30*time.Minute // of UTC, all year

	requestTime = 3 * time.Second // that a person's request waits for Temporal

	attributeLooks     = 100 // a server that has just been given search attributes is asked this often whether it takes them
	attributeLookEvery = 100 * time.Millisecond

	modelAttempts = 8           // a model that is busy or broken is asked this often
	extraAttempts = 2           // and this often for what only betters an answer that stands: a person waits for the turn to end
	AttemptsEach  = 2           // so often before the next provider of its chain is asked
	LongestWait   = time.Minute // a provider that asks to wait longer is left at once where there is another

	pagesAtOnce      = 10 // pages asked of the reader in one call, while they need recognition
	recognisedAtOnce = 10 // pages recognised in one activity before the next in the queue has its turn
	batchAtOnce      = 1  // and of papers that came many at once, which take every reader that is free
	partsAtOnce      = 2  // parts of a long text that are read at the same time

	piecesAtOnce      = 3    // pieces of a reply that are written at the same time
	allegationsAtOnce = 8    // allegations that a model is asked about at one go
	goingOn           = 12   // how often an answer, or a part of a reply, that reaches the model's limit is gone on with, the first time included
	longestLine       = 1500 // bytes of it that are at most written again for that
	passagesOfPart    = 3000 // tokens of the notice that a part of a reply is written from

	maxLevels = 4   // how often parts are put together into fewer parts before the whole is written
	minPart   = 200 // the least room for text, in tokens, with which reading in parts makes sense

	flushEvery = 50 * time.Millisecond // streamed text is stored at most this often
	closeTime  = 10 * time.Second      // what was written before a stop is stored in this time, or lost
)

// remindBefore is how many days before the last day to reply the person is reminded of it, the first reminder first.
var remindBefore = []int{7, 3, 1}

// remindAfter is how many days after a notice came in which no date could be read the person is asked for one.
var remindAfter = []int{1, 3, 7}

// local is for cheap steps: they run inside the workflow task and repeat until the store answers.
func local(ctx workflow.Context) workflow.Context {
	return workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		StartToCloseTimeout:    cheapTime,
		ScheduleToCloseTimeout: giveUpAfter,
		RetryPolicy:            &temporal.RetryPolicy{InitialInterval: 100 * time.Millisecond, BackoffCoefficient: 2, MaximumInterval: 10 * time.Second},
	})
}

// patient is for the cheap steps of a workflow that waits for weeks: they repeat until the store answers, however long.
func patient(ctx workflow.Context) workflow.Context {
	return workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		StartToCloseTimeout: cheapTime,
		RetryPolicy:         &temporal.RetryPolicy{InitialInterval: 100 * time.Millisecond, BackoffCoefficient: 2, MaximumInterval: time.Minute},
	})
}

// reconciling is for questions to the payment provider, which may be away for a while.
func reconciling(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    providerTime,
		ScheduleToCloseTimeout: firstReconcile,
		RetryPolicy:            &temporal.RetryPolicy{InitialInterval: 2 * time.Second, BackoffCoefficient: 2, MaximumInterval: time.Minute},
	})
}

// mailing returns a context for sending a mail, which is given up after giveUpAfter.
func mailing(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    providerTime,
		ScheduleToCloseTimeout: giveUpAfter,
		RetryPolicy:            &temporal.RetryPolicy{InitialInterval: time.Minute, BackoffCoefficient: 2},
	})
}

// premium marks what is done for someone who has paid.
type premium struct{}

// queued returns the place in the queue of what is done for the workspace.
func queued(ctx workflow.Context, workspace string) temporal.Priority {
	p := temporal.Priority{FairnessKey: workspace}
	if ctx.Value(premium{}) != nil {
		p.PriorityKey = premiumPriority
	}
	return p
}

// reading is for batches of pages. Workspaces take turns, so that one person's thousand pages do not stand before
// another's one.
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
		RetryPolicy:            &temporal.RetryPolicy{InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: 30 * time.Second},
	})
}

// preparing is for what an evaluation does before its first case and after its last.
func preparing(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    readingTime,
		ScheduleToCloseTimeout: giveUpAfter,
		HeartbeatTimeout:       heartbeatTime,
		RetryPolicy:            &temporal.RetryPolicy{InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: 30 * time.Second},
	})
}

// trying is for the cases of an evaluation.
func trying(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		ScheduleToCloseTimeout: tryTime,
		HeartbeatTimeout:       heartbeatTime,
		WaitForCancellation:    true,
		Priority:               temporal.Priority{PriorityKey: evalsPriority},
		RetryPolicy:            &temporal.RetryPolicy{InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: 30 * time.Second, MaximumAttempts: tryAttempts},
	})
}

// asking is for calls to the model.
func asking(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    askTime,
		ScheduleToCloseTimeout: giveUpAfter,
		HeartbeatTimeout:       heartbeatTime,
		WaitForCancellation:    true,
		Priority:               queued(ctx, ""),
		RetryPolicy:            &temporal.RetryPolicy{InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: time.Minute},
	})
}

// askingAside is for calls to the model without which the turn goes on.
func askingAside(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    asideTime,
		ScheduleToCloseTimeout: giveUpAfter,
		HeartbeatTimeout:       heartbeatTime,
		WaitForCancellation:    true,
		Priority:               queued(ctx, ""),
		RetryPolicy:            &temporal.RetryPolicy{InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: 5 * time.Second, MaximumAttempts: extraAttempts},
	})
}
