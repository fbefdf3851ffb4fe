// Package workercomponent replaces the component that starts workers in clouds; it starts none.
package workercomponent

import "go.uber.org/fx"

// Module adds nothing to the server's worker service.
var Module = fx.Options()
