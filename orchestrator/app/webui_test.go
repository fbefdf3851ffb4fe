package app_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"munshi/config"
	"munshi/orchestrator/app"
	"munshi/orchestrator/local/localtest"
)

// The Web UI of `make run` opens in an operator's browser, but not for others, not under another
// site's host name, and not at the internal port.
func TestWebUIOfRunIsForOperators(t *testing.T) {
	t.Parallel()
	cfg := configured(t, func(c *config.Config) {
		c.Temporal.Address, c.Database.URL, c.Local.WebUIPort, c.Local.TemporalPort = "", localtest.Postgres(t), 0, 0
		c.Local.TemporalBin = filepath.Join(localtest.Root(t), "bin", "temporal-dev")
		c.Local.StateDir = t.TempDir()
	})
	log := slog.New(slog.DiscardHandler)
	cfg, stack, err := app.BringUp(t.Context(), cfg, log, nil)
	must(t, err)
	t.Cleanup(func() { must(t, stack.Stop(context.Background())) })
	a, err := app.Open(t.Context(), cfg, log, "test")
	must(t, err)
	p := &product{t: t, app: a}
	p.serve()
	p.run("Web UI", func(ctx context.Context) error { return a.ServeWebUI(ctx, stack) })

	path := "/api/v1/namespaces/" + cfg.Temporal.Namespace
	ask := func(v *person, address, host string) (int, string) {
		t.Helper()
		var status int
		var said string
		await(t, "the Web UI listens", func() bool {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+path, nil)
			must(t, err)
			r.Host = host
			answer, err := v.http.Do(r)
			if err != nil {
				return false
			}
			defer answer.Body.Close()
			raw, err := io.ReadAll(answer.Body)
			must(t, err)
			status, said = answer.StatusCode, string(raw)
			return true
		})
		return status, said
	}
	operator, stranger := p.visitor(), p.visitor()
	p.grant(operator)
	if status, said := ask(operator, stack.WebUIURL(), ""); status != 200 || !strings.Contains(said, "namespaceInfo") {
		t.Errorf("an operator gets %d %s", status, said)
	}
	if status, said := ask(stranger, stack.WebUIURL(), ""); status != 403 || !strings.Contains(said, "for operators") {
		t.Errorf("a stranger gets %d %s", status, said)
	}
	if status, said := ask(operator, stack.WebUIURL(), "rebound.example"); status != 421 {
		t.Errorf("another name gets %d %s", status, said)
	}
	if status, said := ask(operator, "http://"+stack.WebUIBehind(), ""); status != 403 {
		t.Errorf("the port behind gives %d %s", status, said)
	}
}
