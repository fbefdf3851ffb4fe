package workflows

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"google.golang.org/protobuf/types/known/durationpb"
)

// The search attributes with which operators can filter workflows in Temporal's Web UI.
var (
	pluginAttribute       = temporal.NewSearchAttributeKeyKeyword("MunshiPlugin")
	kindAttribute         = temporal.NewSearchAttributeKeyKeyword("MunshiTurnKind")
	conversationAttribute = temporal.NewSearchAttributeKeyKeyword("MunshiConversation")
	// to find the workflows of a person whose data is erased
	workspaceAttribute = temporal.NewSearchAttributeKeyKeyword("MunshiWorkspace")
)

// keepHistories is how long a finished workflow can be viewed and reset; Temporal's default is one day.
const keepHistories = 90 * 24 * time.Hour

// Prepare ensures that the namespace keeps histories long enough and has our search attributes. Several processes may
// call it at once, and at every start.
func Prepare(ctx context.Context, c client.Client, namespace string) error {
	ns, err := c.WorkflowService().
		DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: namespace})
	if err != nil {
		return fmt.Errorf("describe the Temporal namespace %s: %w", namespace, err)
	}
	if ns.Config.GetWorkflowExecutionRetentionTtl().AsDuration() < keepHistories {
		ns.Config.WorkflowExecutionRetentionTtl = durationpb.New(keepHistories)
		if _, err := c.WorkflowService().UpdateNamespace(ctx,
			&workflowservice.UpdateNamespaceRequest{Namespace: namespace, Config: ns.Config}); err != nil {
			return fmt.Errorf("set the retention of the Temporal namespace %s: %w", namespace, err)
		}
	}
	wanted, err := missingAttributes(ctx, c, namespace)
	if err != nil {
		return err
	}
	if len(wanted) > 0 {
		_, err = c.OperatorService().AddSearchAttributes(ctx,
			&operatorservice.AddSearchAttributesRequest{Namespace: namespace, SearchAttributes: wanted})
		var exists *serviceerror.AlreadyExists
		if err != nil && !errors.As(err, &exists) {
			return fmt.Errorf("add Temporal's search attributes: %w", err)
		}
	}
	return known(ctx, c, namespace)
}

// missingAttributes returns our search attributes that the namespace does not have.
func missingAttributes(ctx context.Context, c client.Client,
	namespace string) (map[string]enums.IndexedValueType, error) {
	missing := map[string]enums.IndexedValueType{
		pluginAttribute.GetName():       enums.INDEXED_VALUE_TYPE_KEYWORD,
		kindAttribute.GetName():         enums.INDEXED_VALUE_TYPE_KEYWORD,
		conversationAttribute.GetName(): enums.INDEXED_VALUE_TYPE_KEYWORD,
		workspaceAttribute.GetName():    enums.INDEXED_VALUE_TYPE_KEYWORD,
	}
	have, err := c.OperatorService().
		ListSearchAttributes(ctx, &operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if err != nil {
		return nil, fmt.Errorf("list Temporal's search attributes: %w", err)
	}
	for name := range have.GetCustomAttributes() {
		delete(missing, name)
	}
	return missing, nil
}

// Cluster is what an operator needs to know about a Temporal server before running Munshi on it.
type Cluster struct {
	Version   string        // of the server
	Retention time.Duration // how long the namespace keeps histories
	Prepared  bool          // retention and search attributes are as Prepare sets them
}

// Examine checks the server and the namespace without changing anything.
func Examine(ctx context.Context, c client.Client, namespace string) (Cluster, error) {
	info, err := c.WorkflowService().GetSystemInfo(ctx, &workflowservice.GetSystemInfoRequest{})
	if err != nil {
		return Cluster{}, fmt.Errorf("ask Temporal what it is: %w", err)
	}
	ns, err := c.WorkflowService().
		DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: namespace})
	if err != nil {
		return Cluster{}, fmt.Errorf("describe the Temporal namespace %s: %w", namespace, err)
	}
	missing, err := missingAttributes(ctx, c, namespace)
	if err != nil {
		return Cluster{}, err
	}
	keeps := ns.Config.GetWorkflowExecutionRetentionTtl().AsDuration()
	return Cluster{Version: info.GetServerVersion(), Retention: keeps,
		Prepared: keeps >= keepHistories && len(missing) == 0}, nil
}

// How long the server's clock may be looked for, and how often. A server refuses to be asked for work for less than two
// seconds.
const (
	clockTime      = 3 * time.Second
	clockLookEvery = 50 * time.Millisecond
)

// clockQueue is a queue into which nobody puts anything.
const clockQueue = "munshi-clock"

// Clock returns by how much the server's clock is ahead of ours. A server reports its own time only as the time of
// the last request for work; so we request some, from an empty queue.
func Clock(ctx context.Context, c client.Client, namespace string) (ahead time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, clockTime)
	defer cancel()
	queue, me, asked := &taskqueuepb.TaskQueue{Name: clockQueue}, rand.Text(), time.Now()
	go func() {
		_, _ = c.WorkflowService().PollActivityTaskQueue(ctx, &workflowservice.PollActivityTaskQueueRequest{
			Namespace: namespace, TaskQueue: queue, Identity: me}) // it ends when we have seen the time of the request
	}()
	for {
		said, err := c.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
			Namespace: namespace, TaskQueue: queue, TaskQueueType: enums.TASK_QUEUE_TYPE_ACTIVITY})
		if err != nil {
			return 0, fmt.Errorf("ask Temporal for its time: %w", err)
		}
		for _, p := range said.GetPollers() {
			if p.GetIdentity() != me {
				continue
			}
			theirs := p.GetLastAccessTime().AsTime()
			switch now := time.Now(); {
			case theirs.Before(asked):
				return theirs.Sub(asked), nil
			case theirs.After(now):
				return theirs.Sub(now), nil
			}
			return 0, nil
		}
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("ask Temporal for its time: %w", ctx.Err())
		case <-time.After(clockLookEvery):
		}
	}
}

// known waits until the server accepts our search attributes, which takes a moment after they were added.
func known(ctx context.Context, c client.Client, namespace string) error {
	var err error
	for range attributeLooks {
		_, err = c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Namespace: namespace,
			Query: workspaceAttribute.GetName() + " = 'none'"})
		var unknown *serviceerror.InvalidArgument
		if !errors.As(err, &unknown) {
			return nil // or the server is down, which the next call will show
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(attributeLookEvery):
		}
	}
	return fmt.Errorf("wait for Temporal's search attributes: %w", err)
}

// RegisterReading registers the activities of the reading queue with a worker.
func RegisterReading(w worker.Registry, a *Activities) {
	w.RegisterActivity(a.Extract)
	w.RegisterActivity(a.ReconcileFigures)
}

// Client starts, stops and inspects our workflows on a Temporal server. Calls for which a person's request may be
// waiting are given up after requestTime; the reconciler repeats later what failed.
type Client struct {
	Temporal  client.Client
	Namespace string
}

var _ Runs = Client{}

// Ping returns an error unless Temporal answers.
func (c Client) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	_, err := c.Temporal.CheckHealth(ctx, &client.CheckHealthRequest{})
	return err
}

// TurnWorkflowID returns the id of a turn's workflow.
func TurnWorkflowID(turn string) string { return "turn-" + turn }

// StartTurn starts the turn's workflow; if it was started before, nothing changes.
func (c Client) StartTurn(ctx context.Context, in TurnInput) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	return c.startTurn(ctx, in, enums.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE)
}

func (c Client) startTurn(ctx context.Context, in TurnInput, reuse enums.WorkflowIdReusePolicy) error {
	options := client.StartWorkflowOptions{
		ID:                                       TurnWorkflowID(in.Turn),
		TaskQueue:                                TurnQueue,
		WorkflowIDReusePolicy:                    reuse,
		WorkflowIDConflictPolicy:                 enums.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		EnableEagerStart:                         true,
		StaticSummary:                            in.Plugin + " · " + in.Kind,
		StaticDetails:                            "conversation " + in.Conversation,
		TypedSearchAttributes: temporal.NewSearchAttributes(pluginAttribute.ValueSet(in.Plugin),
			kindAttribute.ValueSet(in.Kind), conversationAttribute.ValueSet(in.Conversation),
			workspaceAttribute.ValueSet(in.Workspace)),
		Priority: temporal.Priority{FairnessKey: in.Workspace},
	}
	if in.Pinned != "" {
		options.Priority.PriorityKey = evalsPriority
	}
	_, err := c.Temporal.ExecuteWorkflow(ctx, options, Turn, in)
	if withoutAttributes(&options, err) {
		_, err = c.Temporal.ExecuteWorkflow(ctx, options, Turn, in)
	}
	var started *serviceerror.WorkflowExecutionAlreadyStarted
	if err != nil && !errors.As(err, &started) {
		return fmt.Errorf("start the turn's workflow: %w", err)
	}
	return nil
}

// FollowUpWorkflowID returns the id of the workflow that waits for a conversation's required documents.
func FollowUpWorkflowID(conversation string) string { return "followup-" + conversation }

// WakeFollowUp tells the conversation's follow-up that something has changed, and starts it if it is not running.
func (c Client) WakeFollowUp(ctx context.Context, in FollowUpInput) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	options := client.StartWorkflowOptions{
		TaskQueue:             TurnQueue,
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		StaticSummary:         in.Plugin + " · required documents",
		StaticDetails:         "conversation " + in.Conversation,
		TypedSearchAttributes: temporal.NewSearchAttributes(pluginAttribute.ValueSet(in.Plugin),
			kindAttribute.ValueSet("followup"), conversationAttribute.ValueSet(in.Conversation),
			workspaceAttribute.ValueSet(in.Workspace)),
	}
	id := FollowUpWorkflowID(in.Conversation)
	_, err := c.Temporal.SignalWithStartWorkflow(ctx, id, changed, nil, options, FollowUp, in)
	if withoutAttributes(&options, err) {
		_, err = c.Temporal.SignalWithStartWorkflow(ctx, id, changed, nil, options, FollowUp, in)
	}
	if err != nil {
		return fmt.Errorf("wake the follow-up: %w", err)
	}
	return nil
}

// OrderWorkflowID returns the id of the workflow that asks the provider about an order.
func OrderWorkflowID(order string) string { return "order-" + order }

// WatchOrder starts the workflow that asks the provider about an order after some minutes; if it is running, nothing
// changes.
func (c Client) WatchOrder(ctx context.Context, in OrderInput) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	_, err := c.Temporal.ExecuteWorkflow(ctx,
		client.StartWorkflowOptions{ID: OrderWorkflowID(in.Order), TaskQueue: TurnQueue,
			StaticSummary: "payment · order", WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
			WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING}, Order, in)
	if err != nil {
		return fmt.Errorf("watch the order: %w", err)
	}
	return nil
}

// AskAboutOrder lets the workflow ask the provider about an order at once.
func (c Client) AskAboutOrder(ctx context.Context, in OrderInput) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	options := client.StartWorkflowOptions{
		TaskQueue:             TurnQueue,
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		StaticSummary:         "payment · order",
	}
	if _, err := c.Temporal.SignalWithStartWorkflow(ctx, OrderWorkflowID(in.Order), changed, nil, options, Order,
		in); err != nil {
		return fmt.Errorf("have the provider asked: %w", err)
	}
	return nil
}

// SubscriptionWorkflowID returns the id of the workflow that watches a paid period.
func SubscriptionWorkflowID(workspace string) string { return "subscription-" + workspace }

// WatchSubscription starts the workflow that watches a paid period, or lets it check again.
func (c Client) WatchSubscription(ctx context.Context, in SubscriptionInput) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	options := client.StartWorkflowOptions{TaskQueue: TurnQueue,
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE, StaticSummary: "subscription",
		TypedSearchAttributes: temporal.NewSearchAttributes(workspaceAttribute.ValueSet(in.Workspace))}
	_, err := c.Temporal.SignalWithStartWorkflow(ctx, SubscriptionWorkflowID(in.Workspace), changed, nil, options,
		Subscription, in)
	if withoutAttributes(&options, err) {
		_, err = c.Temporal.SignalWithStartWorkflow(ctx, SubscriptionWorkflowID(in.Workspace), changed, nil, options,
			Subscription, in)
	}
	if err != nil {
		return fmt.Errorf("watch the subscription: %w", err)
	}
	return nil
}

// EvaluationWorkflowID returns the id of the workflow that runs the cases of an evaluation.
func EvaluationWorkflowID(run string) string { return "evaluation-" + run }

// earlierEvaluation is the type of workflows from earlier versions, which ran each case in its own activity. This
// version cannot continue them.
const earlierEvaluation = "Evaluation"

// StartEvaluation starts the workflow of a run. If one is running, nothing changes, unless an earlier version started
// it: then it is ended and replaced. Tests that have a result keep it.
func (c Client) StartEvaluation(ctx context.Context, run string) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	d, err := c.Temporal.DescribeWorkflowExecution(ctx, EvaluationWorkflowID(run), "")
	if err == nil && stuck(d.GetWorkflowExecutionInfo()) {
		err = c.Temporal.TerminateWorkflow(ctx, EvaluationWorkflowID(run),
			d.GetWorkflowExecutionInfo().GetExecution().GetRunId(), "an earlier version began it")
	}
	var missing *serviceerror.NotFound
	if err != nil && !errors.As(err, &missing) {
		return fmt.Errorf("look for an earlier workflow of the evaluation: %w", err)
	}
	_, err = c.Temporal.ExecuteWorkflow(ctx,
		client.StartWorkflowOptions{ID: EvaluationWorkflowID(run), TaskQueue: TurnQueue, StaticSummary: "evaluation",
			Priority:                 temporal.Priority{PriorityKey: evalsPriority},
			WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
			WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING}, EvaluationRun,
		EvaluationInput{Run: run})
	if err != nil {
		return fmt.Errorf("start the evaluation's workflow: %w", err)
	}
	return nil
}

// CancelEvaluation asks the workflow of a run to end. It returns Missing if none is running.
func (c Client) CancelEvaluation(ctx context.Context, run string) (WorkflowState, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	return cancelled(c.Temporal.CancelWorkflow(ctx, EvaluationWorkflowID(run), ""), "evaluation")
}

// withoutAttributes removes the search attributes from the options if the server does not know them, for instance
// because its database was recreated: running the workflow matters more than finding it.
func withoutAttributes(options *client.StartWorkflowOptions, err error) bool {
	var invalid *serviceerror.InvalidArgument
	if !errors.As(err, &invalid) {
		return false
	}
	options.TypedSearchAttributes = temporal.SearchAttributes{}
	return true
}

// WorkflowState is the state of a workflow.
type WorkflowState string

// The states of a workflow.
const (
	Missing WorkflowState = "missing" // never started, or no longer kept by Temporal
	Running WorkflowState = "running"
	Closed  WorkflowState = "closed"
	Stuck   WorkflowState = "stuck" // running, but of a type from an earlier version: must be ended and started again
)

// stuck reports whether a workflow is running that no worker of this version can continue.
func stuck(e *workflowpb.WorkflowExecutionInfo) bool {
	return e.GetStatus() == enums.WORKFLOW_EXECUTION_STATUS_RUNNING && e.GetType().GetName() == earlierEvaluation
}

// StateOf returns the state of the workflow's latest run.
func (c Client) StateOf(ctx context.Context, id string) (WorkflowState, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	return c.state(ctx, id)
}

func (c Client) state(ctx context.Context, id string) (WorkflowState, error) {
	d, err := c.Temporal.DescribeWorkflowExecution(ctx, id, "")
	var missing *serviceerror.NotFound
	switch {
	case errors.As(err, &missing):
		return Missing, nil
	case err != nil:
		return "", fmt.Errorf("describe the workflow %s: %w", id, err)
	}
	if stuck(d.GetWorkflowExecutionInfo()) {
		return Stuck, nil
	}
	switch d.GetWorkflowExecutionInfo().GetStatus() {
	case enums.WORKFLOW_EXECUTION_STATUS_COMPLETED, enums.WORKFLOW_EXECUTION_STATUS_FAILED,
		enums.WORKFLOW_EXECUTION_STATUS_CANCELED,
		enums.WORKFLOW_EXECUTION_STATUS_TERMINATED, enums.WORKFLOW_EXECUTION_STATUS_TIMED_OUT:
		return Closed, nil
	}
	return Running, nil // or paused by an operator
}

// LatestRun returns the id of the latest run of the turn's workflow.
func (c Client) LatestRun(ctx context.Context, turn string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	d, err := c.Temporal.DescribeWorkflowExecution(ctx, TurnWorkflowID(turn), "")
	if err != nil {
		return "", fmt.Errorf("describe the turn's workflow: %w", err)
	}
	return d.GetWorkflowExecutionInfo().GetExecution().GetRunId(), nil
}

// StopTurn asks the turn's workflow to stop. It returns Missing if none is running.
func (c Client) StopTurn(ctx context.Context, turn string) (WorkflowState, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	return cancelled(c.Temporal.CancelWorkflow(ctx, TurnWorkflowID(turn), ""), "turn")
}

// TakeOffline lets the offline engine answer instead of the provider that the turn is asking. It returns Missing if no
// workflow is running.
func (c Client) TakeOffline(ctx context.Context, turn string) (WorkflowState, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	err := c.Temporal.SignalWorkflow(ctx, TurnWorkflowID(turn), "", takeOffline, nil)
	var missing *serviceerror.NotFound
	switch {
	case errors.As(err, &missing):
		return Missing, nil
	case err != nil:
		return "", fmt.Errorf("tell the turn's workflow to answer offline: %w", err)
	}
	return Running, nil
}

func cancelled(err error, what string) (WorkflowState, error) {
	var missing *serviceerror.NotFound
	if errors.As(err, &missing) {
		return Missing, nil
	}
	if err != nil {
		return "", fmt.Errorf("stop the %s's workflow: %w", what, err)
	}
	return Running, nil
}

// RetryTurn resets a closed workflow to just before its failure, so that finished steps are not repeated; later
// signals, updates and cancel requests are dropped. A workflow that no longer exists is started again; a running one
// is not changed.
func (c Client) RetryTurn(ctx context.Context, in TurnInput) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	state, err := c.state(ctx, TurnWorkflowID(in.Turn))
	switch {
	case err != nil:
		return err
	case state == Missing:
		return c.startTurn(ctx, in, enums.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE)
	case state == Running:
		return nil
	}
	run, event, err := c.resetPoint(ctx, TurnWorkflowID(in.Turn))
	if err != nil {
		return err
	}
	if event == 0 { // it ended before its first task: start it again, since stored results will be reused
		return c.startTurn(ctx, in, enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
	}
	_, err = c.Temporal.ResetWorkflowExecution(ctx, &workflowservice.ResetWorkflowExecutionRequest{
		Namespace:                 c.Namespace,
		WorkflowExecution:         &commonpb.WorkflowExecution{WorkflowId: TurnWorkflowID(in.Turn), RunId: run},
		Reason:                    "retried by the person",
		WorkflowTaskFinishEventId: event,
		RequestId:                 "retry-" + run, // two retries of the same run create only one new run
		ResetReapplyExcludeTypes: []enums.ResetReapplyExcludeType{enums.RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL,
			enums.RESET_REAPPLY_EXCLUDE_TYPE_UPDATE,
			//nolint:staticcheck // new servers never apply them again, older ones do
			enums.RESET_REAPPLY_EXCLUDE_TYPE_CANCEL_REQUEST},
	})
	if err != nil {
		return fmt.Errorf("reset the turn's workflow: %w", err)
	}
	return nil
}

// resetPoint returns the run, and the event id of the workflow task that scheduled what failed; events before it are
// kept. The id is 0 if there is no such task.
func (c Client) resetPoint(ctx context.Context, id string) (run string, event int64, err error) {
	d, err := c.Temporal.DescribeWorkflowExecution(ctx, id, "")
	if err != nil {
		return "", 0, fmt.Errorf("describe the turn's workflow: %w", err)
	}
	run = d.GetWorkflowExecutionInfo().GetExecution().GetRunId()
	h, err := HistoryOf(ctx, c.Temporal, id, run)
	if err != nil {
		return "", 0, err
	}
	return run, failedTask(h.GetEvents()), nil
}

// failedTask returns the completed workflow task that led to the failure, or 0 if none was completed. A failure in the
// history is final, since retries leave no event, and the first one ended the turn.
func failedTask(events []*historypb.HistoryEvent) int64 {
	scheduledBy := map[int64]int64{}
	var last int64
	for _, e := range events {
		switch e.GetEventType() {
		case enums.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
			scheduledBy[e.GetEventId()] = e.GetActivityTaskScheduledEventAttributes().GetWorkflowTaskCompletedEventId()
		case enums.EVENT_TYPE_ACTIVITY_TASK_FAILED:
			return scheduledBy[e.GetActivityTaskFailedEventAttributes().GetScheduledEventId()]
		case enums.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT:
			return scheduledBy[e.GetActivityTaskTimedOutEventAttributes().GetScheduledEventId()]
		// reset to before the stop, so that it is not applied again
		case enums.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED:
			return last
		case enums.EVENT_TYPE_MARKER_RECORDED: // the end of a local activity
			if m := e.GetMarkerRecordedEventAttributes(); m.GetFailure() != nil {
				return m.GetWorkflowTaskCompletedEventId()
			}
		case enums.EVENT_TYPE_WORKFLOW_TASK_COMPLETED:
			last = e.GetEventId()
		}
	}
	return last
}

// StartErasure starts the workflow that erases someone's data; if it is running, nothing changes.
func (c Client) StartErasure(ctx context.Context, workspace string) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	options := client.StartWorkflowOptions{
		ID: EraseWorkflowID(workspace), TaskQueue: TurnQueue, StaticSummary: "erasure",
		// starts it again if an operator ended it
		WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		TypedSearchAttributes:    temporal.NewSearchAttributes(kindAttribute.ValueSet("erasure")),
	}
	_, err := c.Temporal.ExecuteWorkflow(ctx, options, Erasure, EraseInput{Workspace: workspace})
	if withoutAttributes(&options, err) {
		_, err = c.Temporal.ExecuteWorkflow(ctx, options, Erasure, EraseInput{Workspace: workspace})
	}
	if err != nil {
		return fmt.Errorf("start the erasure: %w", err)
	}
	return nil
}

// Delete implements Runs.
func (c Client) Delete(ctx context.Context, id, run string) (gone bool, err error) {
	_, err = c.Temporal.WorkflowService().DeleteWorkflowExecution(ctx, &workflowservice.DeleteWorkflowExecutionRequest{
		Namespace: c.Namespace, WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: id, RunId: run}})
	var missing *serviceerror.NotFound
	if errors.As(err, &missing) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("delete the workflow %s: %w", id, err)
	}
	return false, nil
}

// Of implements Runs.
func (c Client) Of(ctx context.Context, workspace string, each func(id, run string) error) error {
	query := workspaceAttribute.GetName() + " = '" + workspace + "'"
	for token := []byte(nil); ; {
		page, err := c.Temporal.ListWorkflow(ctx,
			&workflowservice.ListWorkflowExecutionsRequest{Namespace: c.Namespace, Query: query, NextPageToken: token})
		if err != nil {
			return fmt.Errorf("list the workflows of a workspace: %w", err)
		}
		for _, x := range page.GetExecutions() {
			if err := each(x.GetExecution().GetWorkflowId(), x.GetExecution().GetRunId()); err != nil {
				return err
			}
		}
		if token = page.GetNextPageToken(); len(token) == 0 {
			return nil
		}
	}
}
