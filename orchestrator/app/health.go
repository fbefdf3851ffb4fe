package app

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"munshi/orchestrator/local"
	"munshi/orchestrator/model"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// partsTime is how long a part may take to answer; after that it counts as down.
const partsTime = 2 * time.Second

// Health checks the parts that a process needs.
type Health struct {
	Store   *store.Store
	Work    workflows.Client
	Version string
	Folders []string // folders whose disks must have free space
	worker  note     // state of the worker's pollers; nil: not a worker
	model   note     // result of the check of the model's settings; empty: not checked
}

const fine = "ok"

// note is a sentence that one goroutine writes and another reads.
type note struct{ atomic.Pointer[string] }

func (n *note) note(says string) { n.Store(&says) }

// Parts returns, for each part of the product, "ok" or a plain sentence that says why it does not answer.
func (h *Health) Parts(ctx context.Context) map[string]string {
	ctx, cancel := context.WithTimeout(ctx, partsTime)
	defer cancel()
	parts := map[string]string{"postgres": fine, "temporal": fine}
	var temporalErr error
	var asked sync.WaitGroup
	asked.Go(func() { temporalErr = h.Work.Ping(ctx) })
	if shas, err := h.Store.Serving(ctx); err != nil {
		parts["postgres"] = "The database does not answer."
	} else if parts["prompts"] = fine; len(shas) == 0 {
		parts["prompts"] = "No prompts serve. Check prompts.dir and the log."
	}
	if parts["disk"] = fine; h.DiskFull() {
		parts["disk"] = "The disk is full: nothing new is taken in until there is room."
	}
	if asked.Wait(); temporalErr != nil {
		parts["temporal"] = "Temporal does not answer; what is sent now is worked on when it is back."
	}
	return parts
}

// DiskFull reports whether one of the disks is full.
func (h *Health) DiskFull() bool { return slices.ContainsFunc(h.Folders, local.Full) }

// Ready is Parts for operators, and includes the parts of a worker.
func (h *Health) Ready(ctx context.Context) (any, bool) {
	parts := h.Parts(ctx)
	for name, at := range map[string]*note{"worker": &h.worker, "model": &h.model} {
		if says := at.Load(); says != nil {
			parts[name] = *says
		}
	}
	answer := struct {
		Status  string            `json:"status"`
		Parts   map[string]string `json:"parts"`
		Version string            `json:"version"`
	}{fine, parts, h.Version}
	ready := true
	for name, says := range parts {
		if says != fine {
			answer.Status = "degraded"
			ready = ready &&
				name == "model" // a provider that is down does not make a worker unhealthy, since turns wait for it
		}
	}
	return answer, ready
}

// ModelSays stores the result of the check of the model's settings; "ok" if they are right.
func (h *Health) ModelSays(says string) { h.model.note(says) }

// checkModelAgain is how often a model is checked again after its settings were refused.
const checkModelAgain = time.Minute

// checkModels logs, and shows in the health, that a configured model will not answer, for as long as that is so. The
// model counts as down if no provider of the chain accepts its settings.
func (h *Health) checkModels(ctx context.Context, chain model.Chain, log *slog.Logger) {
	for {
		wrong := chain.Check(ctx)
		if ctx.Err() != nil {
			return
		}
		says := fine
		for _, name := range chain.Order {
			if wrong[name] == nil {
				says = fine
				break
			}
			if says == fine {
				says = problem.SentenceOf(wrong[name])
			}
		}
		h.ModelSays(says)
		for name, err := range wrong {
			log.Error(
				"the configured model will not answer as it is",
				"provider",
				name,
				"model",
				chain.Providers[name].Model,
				"error",
				problem.SentenceOf(err),
			)
		}
		if len(wrong) == 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(checkModelAgain):
		}
	}
}
