package evaluation

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"munshi/evals"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/model"
	"munshi/orchestrator/store"
)

// ModelSetting is the part of a provider's settings on which answers depend.
type ModelSetting struct {
	Provider    string   `json:"provider"`
	Model       string   `json:"model,omitempty"`
	Host        string   `json:"host,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
	MaxTokens   int      `json:"max_tokens,omitempty"`
	Context     int      `json:"context_tokens,omitempty"`
}

// ModelSettings returns the settings of the providers, in the order in which they are asked. A prompt may name others,
// but that counts as part of the prompts.
func ModelSettings(chain model.Chain) []ModelSetting {
	if chain.Offline() {
		return []ModelSetting{{Provider: "offline"}}
	}
	var list []ModelSetting
	for _, name := range chain.Order {
		c := chain.Providers[name]
		list = append(list, ModelSetting{name, c.Model, c.Host(), c.Temperature, c.MaxTokens, c.ContextTokens})
	}
	return list
}

// Reported converts a run for reports and comparisons.
func Reported(run store.EvalRun, results []evals.Result) evals.Run {
	return evals.Run{
		ID:       run.ID.String(),
		Began:    run.CreatedAt.In(clock.India),
		Bundles:  run.Bundles,
		Model:    WhoAnswered(run.Settings),
		Settings: run.Settings,
		Repeats:  int(run.Repeats),
		Results:  results,
	}
}

// offlineEngine is the name for what answers when no model is configured.
const offlineEngine = "the offline engine"

// WhoAnswered returns the names of the models in a run's settings.
func WhoAnswered(settings json.RawMessage) string {
	var models []ModelSetting
	_ = json.Unmarshal(settings, &models) // empty before the run has started
	var names []string
	for _, m := range models {
		switch {
		case m.Provider == "offline":
			names = append(names, offlineEngine)
		default:
			names = append(names, m.Model+" of "+m.Provider)
		}
	}
	return strings.Join(names, ", then ")
}

// OwnBuild returns a hash of this program, since another build may read, check or answer differently.
func OwnBuild(version string) (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("look for this program: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("look at this program: %w", err)
	}
	return fmt.Sprint(version, info.Size(), info.ModTime().UnixNano()), nil
}
