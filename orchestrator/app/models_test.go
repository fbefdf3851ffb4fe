package app_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/app"
	"munshi/orchestrator/model/modeltest"
	"munshi/workflows"
)

// Which settings apply, for various configuration files.
func TestModels(t *testing.T) {
	for name, c := range map[string]struct {
		set     func(m *config.Model)
		order   string
		at, key string // of the first provider
	}{
		"nothing":          {func(*config.Model) {}, "offline", "", ""},
		"a key":            {func(m *config.Model) { m.Key = "k" }, "openai", "model", "k"},
		"an address":       {func(m *config.Model) { m.BaseURL = "http://127.0.0.1:1/v1" }, "openai", "model", ""},
		"another provider": {func(m *config.Model) { m.Provider, m.Key = "anthropic", "k" }, "anthropic", "model", "k"},
		"its section":      {func(m *config.Model) { m.Providers["anthropic"] = config.ModelProvider{Key: "k"} }, "anthropic", "model.providers.anthropic", "k"},
		"the first of sections": {func(m *config.Model) {
			m.Providers["ollama"] = config.ModelProvider{BaseURL: "http://h"}
			m.Providers["google"] = config.ModelProvider{Key: "k"}
		}, "google", "model.providers.google", "k"},
		"a key and a section":  {func(m *config.Model) { m.Key = "k"; m.Providers["mistral"] = config.ModelProvider{Key: "other"} }, "openai", "model", "k"},
		"its own section wins": {func(m *config.Model) { m.Key = "k"; m.Providers["openai"] = config.ModelProvider{Key: "own"} }, "openai", "model.providers.openai", "own"},
		"a chain":              {func(m *config.Model) { m.Key = "k"; m.Fallback = []string{"mistral", "offline"} }, "openai mistral offline", "model", "k"},
		"offline by name":      {func(m *config.Model) { m.Provider = "offline"; m.Key = "k" }, "offline", "", ""},
	} {
		cfg := config.Config{Model: config.Model{ModelProvider: config.ModelProvider{Name: "m", Temperature: "0.7", MaxTokens: 2000},
			Providers: map[string]config.ModelProvider{"openai": {}, "anthropic": {}, "google": {}, "mistral": {Temperature: "unset", MaxTokens: 9}, "ollama": {}, "compatible": {}}}}
		c.set(&cfg.Model)
		chain := app.New(cfg, discard, "test").Chain
		if got := strings.Join(chain.Order, " "); got != c.order || chain.First().Settings != c.at || chain.First().Key != c.key {
			t.Errorf("%s: order %q, first %+v", name, got, chain.First())
		}
		if m := chain.Providers["mistral"]; m.Key == "" && (m.Temperature != nil || m.MaxTokens != 9) {
			t.Errorf("%s: a section's own settings are %+v", name, m)
		}
		if g := chain.Providers["google"]; *g.Temperature != 0.7 || g.MaxTokens != 2000 {
			t.Errorf("%s: what a section leaves out is %+v", name, g)
		}
	}
}

// A person who has waited too long for a provider chooses the offline engine's answer, which comes at once
// and stays.
func TestOfflineAnswerIsTaken(t *testing.T) {
	fake := &modeltest.Server{}
	fake.Next(modeltest.Behaviour{End: modeltest.Hang}, modeltest.Behaviour{End: modeltest.Hang})
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converse()
	turn := v.hand(c, "testdata/notice.pdf", "")
	await(t, "the model is asked", func() bool { return len(fake.Requests()) > 0 })
	v.post("/api/turns/"+turn.ID+"/offline", nil, 202, nil)
	answer := v.answer(c, turn)
	if by := answer.Provenance; by.Provider != "offline" || !strings.Contains(answer.Text, "Required Document") || len(fake.Requests()) != 1 {
		t.Errorf("answered by %s after %d requests: %.80q", by.Provider, len(fake.Requests()), answer.Text)
	}
	p.keepHistory(t, "offline-taken", workflows.TurnWorkflowID(turn.ID))
	v.post("/api/turns/"+turn.ID+"/offline", nil, 202, nil) // too late: nothing changes
	if again := v.answer(c, turn); again.ID != answer.ID {
		t.Error("what was answered is answered once more")
	}
	p.visitor().post("/api/turns/"+turn.ID+"/offline", nil, 404, nil)
}

// A reply is drafted even if the provider answers nothing: nothing is proposed, the program's own text is used, and a
// model may rewrite it later.
func TestOfflineReplyIsTaken(t *testing.T) {
	var silent atomic.Bool
	fake := &modeltest.Server{Before: func(ctx context.Context, _ modeltest.Request, _ int) {
		if silent.Load() {
			<-ctx.Done()
		}
	}}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	silent.Store(true)
	asked := len(fake.Requests())
	var turn api.Turn
	v.post("/api/conversations/"+c+"/reply", struct{}{}, 202, &turn)
	await(t, "the model is asked", func() bool { return len(fake.Requests()) > asked })
	v.post("/api/turns/"+turn.ID+"/offline", nil, 202, nil)
	v.answer(c, turn)
	p.keepHistory(t, "offline-reply", workflows.TurnWorkflowID(turn.ID))
	if r := v.reply(c); r.Draft == nil || len(r.Draft.Parts) == 0 ||
		slices.ContainsFunc(r.Draft.Parts, func(p api.DraftPart) bool { return p.By != "program" || p.Text == "" && p.Title == "" }) {
		t.Errorf("the draft is %+v", r.Draft)
	}
	silent.Store(false)
	v.draftReply(c)
	if r := v.reply(c); !slices.ContainsFunc(r.Draft.Parts, func(p api.DraftPart) bool { return p.By == "model" }) {
		t.Error("a model that answers again writes nothing")
	}
}

// A provider that keeps failing is given up after the second attempt, and the answer names the model that wrote it
// and the cost.
func TestFallback(t *testing.T) {
	broken, whole := &modeltest.Server{}, &modeltest.Server{Models: []string{"claude"}}
	broken.Next(modeltest.Behaviour{Status: 500}, modeltest.Behaviour{Status: 500}, modeltest.Behaviour{Status: 500})
	second := httptest.NewServer(whole)
	t.Cleanup(second.Close)
	first := withModel(t, broken)
	p := startAlone(t, func(c *config.Config) {
		first(c)
		c.Model.Fallback = []string{"anthropic"}
		c.Model.Providers["anthropic"] = config.ModelProvider{BaseURL: second.URL + "/anthropic/v1", Key: "k", Name: "claude", PriceInput: 30_000, PriceOutput: 150_000}
	})
	v := p.visitor()
	c := v.converse()
	answer := v.answer(c, v.say(c, "What is a show cause notice?"))
	if answer.Provenance.Model != "claude" || len(broken.Requests()) != 2 || len(whole.Requests()) != 1 {
		t.Errorf("the answer is by %s, after %d and %d requests", answer.Provenance.Model, len(broken.Requests()), len(whole.Requests()))
	}
	var kept []byte
	conn, err := pgx.Connect(t.Context(), p.app.Config.Database.URL)
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	must(t, conn.QueryRow(t.Context(), "select provenance from messages where id = $1", answer.ID).Scan(&kept))
	var by workflows.Answer
	must(t, json.Unmarshal(kept, &by))
	if want := (int64(by.InputTokens)*30_000 + int64(by.OutputTokens)*150_000 + 999_999) / 1_000_000; by.Provider != "anthropic" || by.CostPaise == nil || *by.CostPaise != want || want == 0 {
		t.Errorf("kept of the answer: %s, want %d paise", kept, want)
	}
}
