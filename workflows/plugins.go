package workflows

import (
	"maps"
	"slices"

	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// This file is the one list of what plugins have in Go. A plugin of files alone needs none of it changed. One that
// needs more adds its step kind to steps, its workflow to Register, and what its manifest may set to the registry in
// orchestrator/plugins/registry.go. Notice Analysis shows both: "facts" is a step in Go, and what "required_documents"
// lists is waited for by the workflow FollowUp.

// steps maps the step kinds that a manifest may name to the functions that run them.
func steps() map[string]func(workflow.Context, *turn, Step) error {
	return map[string]func(workflow.Context, *turn, Step) error{
		"extract":            extract,
		"facts":              facts,
		"open_facts":         openFacts,
		"law":                lookUp,
		"reconcile":          reconcile,
		"prompt":             prompt,
		"check":              check,
		"required_documents": requiredDocuments,
		"propose":            propose,
		"draft":              draft,
		"save_draft":         saveDraft,
	}
}

// StepKinds returns the names of the step kinds, sorted.
func StepKinds() []string { return slices.Sorted(maps.Keys(steps())) }

// Register registers everything that the turn queue needs with a worker.
func Register(w worker.Registry, a *Activities) {
	w.RegisterWorkflow(Turn)
	w.RegisterWorkflow(FollowUp)
	w.RegisterWorkflow(Order)
	w.RegisterWorkflow(Subscription)
	w.RegisterWorkflow(Erasure)
	w.RegisterWorkflow(EvaluationRun)
	w.RegisterActivity(a)
}
