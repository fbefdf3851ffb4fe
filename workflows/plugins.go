package workflows

import (
	"maps"
	"slices"

	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// This file lists everything that plugins have in Go. A plugin that consists of files needs no change here. One that
// needs more adds its step kind to steps, its workflow to Register, and its settings in the manifest to
// orchestrator/plugins/registry.go. Notice Analysis shows both: its step kind "facts" is implemented in Go, and the
// workflow FollowUp waits for the documents listed by "required_documents".

// steps maps the step kinds in manifests to the functions that run them.
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

// StepKinds returns the sorted names of the step kinds.
func StepKinds() []string { return slices.Sorted(maps.Keys(steps())) }

// Register registers with a worker everything for the turn queue.
func Register(w worker.Registry, a *Activities) {
	w.RegisterWorkflow(Turn)
	w.RegisterWorkflow(FollowUp)
	w.RegisterWorkflow(Order)
	w.RegisterWorkflow(Subscription)
	w.RegisterWorkflow(Erasure)
	w.RegisterWorkflow(EvaluationRun)
	w.RegisterActivity(a)
}
