package app_test

import (
	"testing"

	"go.temporal.io/api/workflowservice/v1"
)

// An operator finds workflows by each of our search attributes, and those that have problems. Temporal chooses the
// columns of the attributes, so that a list without some of its columns would show here on most days.
func TestWorkflowsAreFound(t *testing.T) {
	p := start(t, nil)
	for _, query := range []string{"MunshiPlugin = 'notice'", "MunshiTurnKind = 'chat'", "MunshiConversation = 'none'",
		"TemporalReportedProblems IN ('category=WorkflowTaskFailed')", "WorkflowType = 'Turn' AND ExecutionStatus = 'Failed'"} {
		request := &workflowservice.CountWorkflowExecutionsRequest{Namespace: p.app.Config.Temporal.Namespace, Query: query}
		if _, err := p.app.Temporal.CountWorkflow(t.Context(), request); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
}
