package cmd

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"munshi/config"
	"munshi/orchestrator/app"
)

// A health check gets the same answer as operators.
func TestAskReady(t *testing.T) {
	code := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/ready" {
			t.Errorf("it asks for %s", r.URL.Path)
		}
		w.WriteHeader(code)
		io.WriteString(w, `{"parts":{"temporal":"Temporal does not answer."}}`)
	}))
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	var cfg config.Config
	cfg.Server.OperatorAddress = "0.0.0.0:" + port // as in a container
	a := app.New(cfg, slog.New(slog.DiscardHandler), "test")
	must(t, askReady(t.Context(), a))
	code = http.StatusServiceUnavailable
	if err := askReady(t.Context(), a); err == nil || !strings.Contains(err.Error(), "Temporal does not answer.") {
		t.Errorf("a part that is not ready gives %v", err)
	}
	server.Close()
	if err := askReady(t.Context(), a); err == nil || !strings.Contains(err.Error(), "Nothing answers at 127.0.0.1:") {
		t.Errorf("a part that is not there gives %v", err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
