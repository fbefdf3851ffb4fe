package app_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/local/localtest"
)

// The metrics that the alerts and the dashboard query exist in the product, and the runbook has a section for
// each alert.
func TestAlerts(t *testing.T) {
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Annotations map[string]string
			}
		}
	}
	must(t, yaml.Unmarshal([]byte(read(t, "deploy", "alerts.yml")), &rules))
	runbook, tests := read(t, "docs", "runbook.md"), read(t, "deploy", "alerts_test.yml")
	var asked []string
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			asked = append(asked, r.Expr)
			if !strings.Contains(runbook, "\n## "+r.Alert+"\n") || r.Annotations["runbook_url"] != "docs/runbook.md#"+strings.ToLower(r.Alert) {
				t.Errorf("the runbook has no section that %s leads to", r.Alert)
			}
			if !strings.Contains(tests, "alertname: "+r.Alert+"\n        exp_alerts:\n") {
				t.Errorf("no test has %s fire", r.Alert)
			}
		}
	}
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	must(t, json.Unmarshal([]byte(read(t, "deploy", "dashboard.json")), &dashboard))
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			asked = append(asked, target.Expr)
		}
	}
	if len(asked) < 20 {
		t.Fatalf("only %d questions are asked", len(asked))
	}
	counted := read(t, "orchestrator", "telemetry", "metrics.go")
	for _, name := range regexp.MustCompile(`\bmunshi_\w+`).FindAllString(strings.Join(asked, "\n"), -1) {
		if name = strings.TrimSuffix(name, "_bucket"); !strings.Contains(counted, `"`+name+`"`) {
			t.Errorf("nothing counts %s", name)
		}
	}
}

// promtool confirms that each alert fires, and stays silent, when it should; the test needs Debian's package
// prometheus.
func TestAlertsFire(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed")
	}
	check := exec.Command(promtool, "test", "rules", "alerts_test.yml")
	check.Dir = filepath.Join(localtest.Root(t), "deploy")
	if said, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	must(t, json.Unmarshal([]byte(read(t, "deploy", "dashboard.json")), &dashboard))
	rules := "groups:\n- name: dashboard\n  rules:\n"
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			rules += "  - record: asked\n    expr: '" + target.Expr + "'\n"
		}
	}
	file := filepath.Join(t.TempDir(), "rules.yml")
	must(t, os.WriteFile(file, []byte(rules), 0o600))
	if said, err := exec.Command(promtool, "check", "rules", "--lint=none", file).CombinedOutput(); err != nil {
		t.Errorf("the dashboard asks what Prometheus does not understand: %v: %s", err, said)
	}
}
