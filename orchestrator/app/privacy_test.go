package app

import (
	"log/slog"
	"slices"
	"testing"

	"munshi/config"
	"munshi/orchestrator/api"
)

// People are told who receives their text, before they send any.
func TestDataUse(t *testing.T) {
	tests := []struct {
		name   string
		change func(*config.Config)
		want   []api.Recipient
	}{
		{"offline", func(*config.Config) {}, []api.Recipient{}},
		{"on this machine", func(c *config.Config) { c.Model.Provider = "ollama" }, []api.Recipient{{Name: "Ollama", Host: "127.0.0.1:11434", Local: true}}},
		{"a provider", func(c *config.Config) { c.Model.Key = "k" }, []api.Recipient{{Name: "OpenAI", Host: "api.openai.com", Country: "the United States of America"}}},
		{"elsewhere", func(c *config.Config) { c.Model.Key, c.Model.BaseURL = "k", "https://llm.example.com/v1" }, []api.Recipient{{Host: "llm.example.com"}}},
		{"elsewhere, in a known country", func(c *config.Config) {
			c.Model.Key, c.Model.BaseURL, c.Privacy.Country = "k", "https://llm.example.com/v1", "India"
		}, []api.Recipient{{Host: "llm.example.com", Country: "India"}}},
		{"two", func(c *config.Config) {
			c.Model.Key, c.Model.Fallback = "k", []string{"mistral", "offline"}
			c.Model.Providers = map[string]config.ModelProvider{"mistral": {Key: "k"}}
		}, []api.Recipient{{Name: "OpenAI", Host: "api.openai.com", Country: "the United States of America"}, {Name: "Mistral", Host: "api.mistral.ai", Country: "France"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var cfg config.Config
			tt.change(&cfg)
			if got := dataUse(cfg, modelChain(cfg.Model, slog.New(slog.DiscardHandler))).Recipients; !slices.Equal(got, tt.want) {
				t.Errorf("people are told %+v, want %+v", got, tt.want)
			}
		})
	}
}
