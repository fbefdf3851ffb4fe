// Package workercomponent starts no workers in clouds.
package workercomponent

import "go.uber.org/fx"

// Module adds nothing to the server's worker service.
var Module = fx.Options()
