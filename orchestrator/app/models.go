package app

import (
	"log/slog"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/model"
	"munshi/workflows"
)

// modelChain returns the configured providers, in the order in which they are asked.
func modelChain(m config.Model, log *slog.Logger) model.Chain {
	chain := model.Chain{
		Providers: map[string]model.Config{},
		Patience:  workflows.AttemptsEach,
		LongWait:  workflows.LongestWait,
		Log:       log,
	}
	for name, p := range m.Providers {
		chain.Providers[name] = providerConfig(m, name, "model.providers."+name, p)
	}
	first := firstProvider(m)
	if p := m.Providers[first]; p.Key == "" && p.BaseURL == "" && p.Name == "" {
		chain.Providers[first] = providerConfig(m, first, "model", m.ModelProvider)
	}
	chain.Order = append([]string{first}, m.Fallback...)
	return chain
}

// firstProvider returns the configured provider, or else the first one with a key or an address.
func firstProvider(m config.Model) string {
	if m.Provider != "" {
		return m.Provider
	}
	if m.Key != "" || m.BaseURL != "" {
		return "openai"
	}
	for _, name := range model.Providers() {
		if p := m.Providers[name]; p.Key != "" || p.BaseURL != "" {
			return name
		}
	}
	return "offline"
}

func providerConfig(m config.Model, name, settings string, p config.ModelProvider) model.Config {
	if p.Temperature == "" {
		p.Temperature = m.Temperature
	}
	if p.MaxTokens == 0 {
		p.MaxTokens = m.MaxTokens
	}
	return model.Config{
		Provider:          name,
		Settings:          settings,
		BaseURL:           p.BaseURL,
		Key:               p.Key,
		Model:             p.Name,
		ContextTokens:     p.ContextTokens,
		MaxTokens:         p.MaxTokens,
		Temperature:       p.Degrees(),
		PriceInput:        p.PriceInput,
		PriceOutput:       p.PriceOutput,
		CallsPerMinute:    p.CallsPerMinute,
		FirstTokenTimeout: m.FirstTokenTimeout,
		IdleTimeout:       m.IdleTimeout,
	}
}

func modelSummary(chain model.Chain) api.ModelSummary {
	first := chain.First()
	if first.Offline() {
		return api.ModelSummary{Offline: true, Name: "offline"}
	}
	return api.ModelSummary{Name: first.Model, Host: first.Host()}
}
