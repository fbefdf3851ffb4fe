package workflows

import (
	"context"
	"fmt"
	"strings"

	"go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
)

// Histories calls each with the latest histories of every kind of our workflows, running and closed, at most perKind
// for each kind and status, with a name that tells them apart. They contain ids, codes and counts, and nothing that a
// person wrote.
func Histories(ctx context.Context, c client.Client, namespace string, perKind int,
	each func(name string, h *historypb.History) error) error {
	seen := map[string]int{}
	request := &workflowservice.ListWorkflowExecutionsRequest{
		Namespace: namespace,
		Query:     "WorkflowType IN ('Turn', 'FollowUp', 'Erasure')",
	}
	for {
		page, err := c.ListWorkflow(ctx, request)
		if err != nil {
			return fmt.Errorf("list the workflows: %w", err)
		}
		for _, e := range page.GetExecutions() {
			kind := kindOf(e.GetSearchAttributes().GetIndexedFields()[kindAttribute.GetName()].GetData())
			name := strings.ToLower(fmt.Sprintf("%s-%s", kind, e.GetStatus()))
			if seen[name]++; seen[name] > perKind {
				continue
			}
			h, err := HistoryOf(ctx, c, e.GetExecution().GetWorkflowId(), e.GetExecution().GetRunId())
			if err != nil {
				return err
			}
			if err := each(fmt.Sprintf("%s-%d", name, seen[name]), h); err != nil {
				return err
			}
		}
		if request.NextPageToken = page.GetNextPageToken(); len(request.NextPageToken) == 0 {
			return nil
		}
	}
}

// kindOf decodes a keyword as Temporal stores it, which is JSON.
func kindOf(raw []byte) string { return strings.Trim(string(raw), `"`) }

// HistoryOf returns the complete history of a run; run "" means the latest.
func HistoryOf(ctx context.Context, c client.Client, id, run string) (*historypb.History, error) {
	h := &historypb.History{}
	iter := c.GetWorkflowHistory(ctx, id, run, false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for iter.HasNext() {
		e, err := iter.Next()
		if err != nil {
			return nil, fmt.Errorf("read the history of %s: %w", id, err)
		}
		h.Events = append(h.Events, e)
	}
	return h, nil
}

// Replay runs this version's workflow code on a history recorded by any version. An error means that this version
// could not continue that workflow.
func Replay(logger log.Logger, h *historypb.History) error {
	r := worker.NewWorkflowReplayer()
	r.RegisterWorkflow(Turn)
	r.RegisterWorkflow(FollowUp)
	r.RegisterWorkflow(Order)
	r.RegisterWorkflow(Subscription)
	r.RegisterWorkflow(Erasure)
	r.RegisterWorkflow(EvaluationRun)
	if err := r.ReplayWorkflowHistory(logger, h); err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	return nil
}
