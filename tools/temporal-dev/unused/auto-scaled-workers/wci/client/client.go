// Package client replaces the client for workers that the server starts in clouds; here there are none.
package client

import (
	"context"

	"go.temporal.io/api/deployment/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/auto-scaled-workers/wci/workflow/iface"
	"go.temporal.io/server/common/namespace"
	"go.uber.org/fx"
)

// Module provides the client to the server.
var Module = fx.Provide(func() Client { return Client{} })

// Client reports that there are no such workers, and starts none.
type Client struct{}

type version = deployment.WorkerDeploymentVersion

var errNone = serviceerror.NewNotFound("this server starts no workers")

func (Client) DescribeWorkerControllerInstance(context.Context, *namespace.Namespace,
	*version) (*iface.Instance, []byte, error) {
	return nil, nil, errNone
}

func (Client) UpdateWorkerControllerInstance(context.Context, *namespace.Namespace, *version, []byte, string,
	map[string]iface.ScalingGroupSpecUpdate, []string) (*iface.Instance, error) {
	return nil, errNone
}

func (Client) ValidateWorkerControllerInstanceSpec(context.Context, *namespace.Namespace, *version, string,
	map[string]iface.ScalingGroupSpecUpdate, []string) error {
	return errNone
}

func (Client) DeleteWorkerControllerInstance(context.Context, *namespace.Namespace, *version, string) error {
	return nil
}
