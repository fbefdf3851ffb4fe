package app

import (
	"context"
	"testing"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
)

// A failed heartbeat does not interrupt an answer that is being written; a heartbeat that the server rejects does.
func TestForgiveHeartbeats(t *testing.T) {
	beat, other := &workflowservice.RecordActivityTaskHeartbeatRequest{}, &workflowservice.RespondActivityTaskCompletedRequest{}
	for name, c := range map[string]struct {
		request any
		err     error
		passes  bool
	}{
		"the server is away":       {beat, serviceerror.NewUnavailable("connection refused"), false},
		"the server is slow":       {beat, context.DeadlineExceeded, false},
		"the server has no time":   {beat, serviceerror.NewResourceExhausted(0, "busy"), false},
		"the activity is over":     {beat, serviceerror.NewNotFound("activity"), true},
		"nothing is wrong":         {beat, nil, false},
		"another request, no heed": {other, serviceerror.NewUnavailable("connection refused"), true},
	} {
		invoke := func(context.Context, string, any, any, *grpc.ClientConn, ...grpc.CallOption) error { return c.err }
		err := forgiveHeartbeats(t.Context(), "", c.request, nil, nil, invoke)
		if (err != nil) != c.passes {
			t.Errorf("%s: %v", name, err)
		}
	}
}
