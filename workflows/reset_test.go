package workflows

import (
	"os"
	"testing"

	"go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

// A retry goes back to the workflow task that scheduled what failed, so that finished steps stay finished.
func TestFailedTask(t *testing.T) {
	raw, err := os.ReadFile("testdata/histories/2026-11-20/failed.json")
	if err != nil {
		t.Fatal(err)
	}
	var history historypb.History
	if err := protojson.Unmarshal(raw, &history); err != nil {
		t.Fatal(err)
	}
	at := failedTask(history.Events)
	var before, after []string
	for _, e := range history.Events {
		if e.GetEventType() != enums.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED {
			continue
		}
		name := e.GetActivityTaskScheduledEventAttributes().GetActivityType().GetName()
		if e.GetEventId() < at {
			before = append(before, name)
		} else {
			after = append(after, name)
		}
	}
	if len(before) != 1 || before[0] != "Extract" || len(after) != 1 || after[0] != "Ask" {
		t.Errorf("the retry goes back to event %d: %v is kept, %v is done again", at, before, after)
	}

	task := func(id int64) *historypb.HistoryEvent {
		return &historypb.HistoryEvent{EventId: id, EventType: enums.EVENT_TYPE_WORKFLOW_TASK_COMPLETED}
	}
	marker := &historypb.HistoryEvent{EventId: 5, EventType: enums.EVENT_TYPE_MARKER_RECORDED, Attributes: &historypb.HistoryEvent_MarkerRecordedEventAttributes{
		MarkerRecordedEventAttributes: &historypb.MarkerRecordedEventAttributes{WorkflowTaskCompletedEventId: 4, Failure: history.Events[len(history.Events)-1].GetWorkflowExecutionFailedEventAttributes().GetFailure()}}}
	for name, c := range map[string]struct {
		events []*historypb.HistoryEvent
		want   int64
	}{
		"a cheap step that failed":  {[]*historypb.HistoryEvent{task(4), marker, task(8)}, 4},
		"terminated by an operator": {[]*historypb.HistoryEvent{task(4), task(8)}, 8},
		"before its first task":     {nil, 0},
		"stopped by the person":     {[]*historypb.HistoryEvent{task(4), {EventId: 6, EventType: enums.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED}, task(8)}, 4},
	} {
		if got := failedTask(c.events); got != c.want {
			t.Errorf("%s: back to %d, want %d", name, got, c.want)
		}
	}
}
