package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"munshi/config"
)

func load(t *testing.T, yaml string, args ...string) (config.Config, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "munshi.yaml")
	if err := os.WriteFile(file, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.String("server.address", "", "")
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	return config.Load(file, flags)
}

// Flags take precedence over the environment, the environment over the file, and the file over the defaults.
func TestWhatStandsOverWhat(t *testing.T) {
	t.Setenv("MUNSHI_HOME", "/home/of/munshi")
	c, err := load(t, "")
	if err != nil {
		t.Fatal(err)
	}
	if c.Server.Address != "127.0.0.1:8080" || c.Model.Name != "gpt-4-turbo-preview" || c.Model.MaxTokens != 2000 || *c.Model.Degrees() != 0.7 {
		t.Errorf("the defaults are %+v", c)
	}
	if c.Prompts.Dir != "/home/of/munshi/prompts" || len(c.Reading.Languages) != 2 || c.Server.Secure() {
		t.Errorf("paths %q, languages %v", c.Prompts.Dir, c.Reading.Languages)
	}
	file := "server: {address: '127.0.0.1:1', public_url: 'https://munshi.example'}\nmodel: {temperature: unset}\n"
	if c, err = load(t, file); err != nil || c.Server.Address != "127.0.0.1:1" || !c.Server.Secure() || c.Model.Degrees() != nil {
		t.Errorf("with a file: %+v %v", c.Server, err)
	}
	t.Setenv("MUNSHI_SERVER_ADDRESS", "127.0.0.1:2")
	t.Setenv("DATABASE_URL", "postgres://somewhere/munshi")
	t.Setenv("MUNSHI_READING_LANGUAGES", "eng,tam")
	if c, err = load(t, file); err != nil || c.Server.Address != "127.0.0.1:2" || c.Database.URL != "postgres://somewhere/munshi" || c.Reading.Languages[1] != "tam" {
		t.Errorf("with the environment: %+v %v", c, err)
	}
	if c, err = load(t, file, "--server.address=127.0.0.1:3"); err != nil || c.Server.Address != "127.0.0.1:3" {
		t.Errorf("with a flag: %q %v", c.Server.Address, err)
	}
}

// Each provider's settings can come from the environment alone; those of the first provider also have their
// old names.
func TestProvidersFromTheEnvironment(t *testing.T) {
	t.Setenv("MUNSHI_MODEL_KEY", "k1")
	t.Setenv("MUNSHI_MODEL_BASE_URL", "http://127.0.0.1:1/v1")
	t.Setenv("MUNSHI_MODEL_FALLBACK", "anthropic,ollama")
	t.Setenv("MUNSHI_MODEL_PROVIDERS_ANTHROPIC_KEY", "k2")
	t.Setenv("MUNSHI_MODEL_PROVIDERS_ANTHROPIC_PRICE_INPUT", "30000")
	t.Setenv("MUNSHI_MODEL_PROVIDERS_OLLAMA_CONTEXT_TOKENS", "8192")
	c, err := load(t, "model: {providers: {anthropic: {name: claude, key: k0}, mistral: {temperature: unset}}}")
	if err != nil {
		t.Fatal(err)
	}
	p := c.Model.Providers
	if c.Model.Key != "k1" || c.Model.BaseURL != "http://127.0.0.1:1/v1" || len(c.Model.Fallback) != 2 || c.Model.Fallback[1] != "ollama" {
		t.Errorf("the first: %+v", c.Model)
	}
	if p["anthropic"].Key != "k2" || p["anthropic"].Name != "claude" || p["anthropic"].PriceInput != 30000 || p["ollama"].ContextTokens != 8192 || p["mistral"].Degrees() != nil || len(p) != 6 {
		t.Errorf("the others: %+v", p)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for yaml, want := range map[string]string{
		"server: {adress: x}":                                  "adress",
		"trace: {link: 'https://jaeger.example/trace'}":        "trace.link",
		"trace: {link: 'jaeger/{trace_id}'}":                   "trace.link",
		"backups: {oldest: 0s}":                                "backups.oldest",
		"model: {calls_per_minute: -1}":                        "model.calls_per_minute",
		"model: {providers: {google: {calls_per_minute: -1}}}": "google.calls_per_minute",
		"server: {address: nowhere}":                           "server.address",
		"server: {public_url: munshi.example}":                 "server.public_url",
		"model: {temperature: warm}":                           "model.temperature",
		"model: {providers: {google: {temperature: warm}}}":    "model.providers.google.temperature",
		"model: {providers: {google: {kee: x}}}":               "kee",
		"reading: {max_pages: 0}":                              "reading.max_pages",
		"links: {parent_url: 'javascript:x'}":                  "links.parent_url",
		"log: {level: loud}":                                   "log.level",
		"log: {format: xml}":                                   "log.format",
		"server: [":                                            "not valid YAML",
	} {
		if _, err := load(t, yaml); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want it to name %q", yaml, err, want)
		}
	}
	t.Setenv("MUNSHI_CONFIG", filepath.Join(t.TempDir(), "missing.yaml"))
	if _, err := config.Load("", nil); err == nil {
		t.Error("a configuration file that was named and is missing is no error")
	}
}
