package app_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/viper"
	"go.temporal.io/sdk/contrib/envconfig"
	"go.yaml.in/yaml/v3"

	"munshi/config"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/telemetry"
	"munshi/tools/chart/render"
)

// `make chart` installs the chart on a real API server. The tests here check what can be checked without one:
// everything that the chart names exists in the program, and its parts agree with each other.

// chartValues returns the chart's default values, with the three required values and then the given ones
// set.
func chartValues(t *testing.T, over string) map[string]any {
	t.Helper()
	set := map[string]any{}
	must(t, yaml.Unmarshal([]byte(read(t, "tools", "chart", "values-needed.yaml")), &set))
	must(t, yaml.Unmarshal([]byte(over), &set))
	values, err := render.Values(chartFolder(t), set)
	must(t, err)
	return values
}

func chartFolder(t *testing.T) string { return filepath.Join(localtest.Root(t), "deploy", "chart") }

func rendered(t *testing.T, values map[string]any) []render.Object {
	t.Helper()
	objects, err := render.Chart(chartFolder(t), values, render.Release{Name: "munshi", Namespace: "legal",
		APIVersions: []string{"monitoring.coreos.com/v1/ServiceMonitor", "monitoring.coreos.com/v1/PrometheusRule"}})
	must(t, err)
	return objects
}

// everything turns on all features of the chart.
func everything(t *testing.T) map[string]any {
	return chartValues(t, read(t, "tools", "chart", "values-everything.yaml"))
}

type environment map[string]string // a value; a reference to a secret is "secret/key"

func environmentOf(container any) (plain, secret environment) {
	plain, secret = environment{}, environment{}
	all, _ := render.Get(container, "env").([]any)
	for _, e := range all {
		name := fmt.Sprint(render.Get(e, "name"))
		if ref := render.Get(e, "valueFrom", "secretKeyRef"); ref != nil {
			secret[name] = fmt.Sprintf("%v/%v", render.Get(ref, "name"), render.Get(ref, "key"))
		} else {
			plain[name] = fmt.Sprint(render.Get(e, "value"))
		}
	}
	return plain, secret
}

// Variables of other programs. TestChartReachesServers checks that they have the effect that the
// chart expects.
var othersVariables = []string{"MUNSHI_CONFIG", "DATABASE_URL", "PGSSLMODE", "PGSSLROOTCERT", "PGSSLCERT", "PGSSLKEY", "TEMPORAL_ADDRESS",
	"TEMPORAL_NAMESPACE", "TEMPORAL_API_KEY", "TEMPORAL_TLS", "TEMPORAL_TLS_SERVER_NAME", "TEMPORAL_TLS_SERVER_CA_CERT_PATH",
	"TEMPORAL_TLS_CLIENT_CERT_PATH", "TEMPORAL_TLS_CLIENT_KEY_PATH"}

func TestChart(t *testing.T) {
	for name, values := range map[string]map[string]any{"as it is": chartValues(t, ""), "with everything": everything(t)} {
		t.Run(name, func(t *testing.T) {
			objects := rendered(t, values)
			operators := operatorsAnswer(t)
			queues := map[string]bool{}
			pods := 0
			for _, o := range objects {
				spec := o.PodSpec()
				if spec == nil {
					continue
				}
				pods++
				t.Run(o.Kind()+" "+o.Name(), func(t *testing.T) {
					checkRestricted(t, spec)
					container := render.Get(spec, "containers", 0)
					args, _ := render.Get(container, "args").([]any)
					if len(args) != 1 || !isCommand(fmt.Sprint(args[0])) {
						t.Errorf("there is no command %v", args)
					}
					plain, secret := environmentOf(container)
					for _, variable := range slices.Concat(slices.Collect(maps.Keys(plain)), slices.Collect(maps.Keys(secret))) {
						if !slices.Contains(othersVariables, variable) {
							checkSettings(t, [][]string{{"", variable}})
						}
					}
					checkMounts(t, spec)
					if o.Kind() != "Deployment" {
						return
					}
					cfg := configurationOf(t, objects, plain)
					for port, address := range map[string]string{"app": cfg.Server.Address, "operators": cfg.Server.OperatorAddress} {
						_, want, err := net.SplitHostPort(address)
						must(t, err)
						if got := portOf(container, port); got != want && !(port == "app" && got == "" && args[0] == "worker") {
							t.Errorf("port %s is %s, and the program listens at %s", port, got, address)
						}
					}
					drain, _ := render.Get(container, "lifecycle", "preStop", "sleep", "seconds").(int)
					if grace, _ := render.Get(spec, "terminationGracePeriodSeconds").(int); time.Duration(grace-drain)*time.Second < cfg.Server.ShutdownTime+5*time.Second {
						t.Errorf("it is killed after %d s, of which %d go by before it is told to stop, and may take %s", grace, drain, cfg.Server.ShutdownTime)
					}
					if args[0] == "worker" {
						for _, q := range cfg.Worker.Queues {
							queues[q] = true
						}
					}
					// one and a half times the CPU that one page may take, and what the process
					// itself needs
					if limit := fmt.Sprint(render.Get(container, "resources", "limits", "memory")); gibibytes(t, limit) < float64(cfg.Reading.Workers)*float64(cfg.Reading.MemoryBytes)*1.5/(1<<30)+0.5 {
						t.Errorf("%d pages at once do not go into %s", cfg.Reading.Workers, limit)
					}
					for _, probe := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
						path := fmt.Sprint(render.Get(container, probe, "httpGet", "path"))
						switch port := render.Get(container, probe, "httpGet", "port"); port {
						case "operators":
							if status := operators(path).Code; status != http.StatusOK {
								t.Errorf("%s asks operators' address for %s, which answers %d", probe, path, status)
							}
						case "app":
							if !strings.Contains(read(t, "orchestrator", "api", "openapi.yaml"), "\n  "+path+":\n    get:") {
								t.Errorf("%s asks the API for %s, which it does not have", probe, path)
							}
						default:
							t.Errorf("%s asks at port %v", probe, port)
						}
					}
				})
			}
			if pods != 5 || len(queues) != 2 {
				t.Errorf("%d kinds of pods, queues %v", pods, queues)
			}
			checkAround(t, objects, operators)
		})
	}
}

// operatorsAnswer returns a response of a process at its operators' address.
func operatorsAnswer(t *testing.T) func(path string) *httptest.ResponseRecorder {
	t.Helper()
	telem, err := telemetry.New(t.Context(), telemetry.Options{})
	must(t, err)
	telem.Backlog(func(context.Context) (telemetry.Unfinished, error) {
		return telemetry.Unfinished{Open: map[string]int{"queued": 1, "running": 1}, Reading: 1}, nil
	})
	handler := telem.Handler(func(context.Context) (any, bool) { return nil, true })
	return func(path string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
		return answer
	}
}

// configurationOf reads the configuration as a container does.
func configurationOf(t *testing.T, objects []render.Object, plain environment) config.Config {
	t.Helper()
	for name, value := range plain {
		t.Setenv(name, value)
	}
	for _, o := range objects {
		if o.Kind() == "ConfigMap" && strings.HasSuffix(o.Name(), "-settings") {
			file := filepath.Join(t.TempDir(), filepath.Base(plain["MUNSHI_CONFIG"]))
			must(t, os.WriteFile(file, []byte(render.Get(o, "data", "munshi.yaml").(string)), 0o600))
			t.Setenv("MUNSHI_CONFIG", file)
		}
	}
	cfg, err := config.Load("", nil)
	must(t, err)
	return cfg
}

func portOf(container any, name string) string {
	all, _ := render.Get(container, "ports").([]any)
	for _, p := range all {
		if render.Get(p, "name") == name {
			return fmt.Sprint(render.Get(p, "containerPort"))
		}
	}
	return ""
}

func gibibytes(t *testing.T, quantity string) float64 {
	t.Helper()
	var n float64
	var unit string
	if _, err := fmt.Sscanf(quantity, "%g%s", &n, &unit); err != nil {
		t.Fatalf("%q: %v", quantity, err)
	}
	return n * map[string]float64{"Mi": 1. / 1024, "Gi": 1}[unit]
}

// checkRestricted requires what Pod Security "restricted" requires, a read-only file system, and no service account
// token.
func checkRestricted(t *testing.T, spec any) {
	t.Helper()
	for path, want := range map[string]any{"automountServiceAccountToken": false, "enableServiceLinks": false, "securityContext/runAsNonRoot": true, "securityContext/runAsUser": 10001, "securityContext/seccompProfile/type": "RuntimeDefault",
		"containers/0/securityContext/allowPrivilegeEscalation": false, "containers/0/securityContext/readOnlyRootFilesystem": true, "containers/0/securityContext/capabilities/drop/0": "ALL"} {
		var steps []any
		for _, s := range strings.Split(path, "/") {
			if s == "0" {
				steps = append(steps, 0)
			} else {
				steps = append(steps, s)
			}
		}
		if got := render.Get(spec, steps...); got != want {
			t.Errorf("%s is %v", path, got)
		}
	}
	if uid := found(t, read(t, "Dockerfile"), `--uid (\d+)`); uid != "10001" {
		t.Errorf("the image's user is %s", uid)
	}
}

// checkMounts requires that each path in a variable is mounted, and that each mount has a volume.
func checkMounts(t *testing.T, spec any) {
	t.Helper()
	volumes := map[string]bool{}
	all, _ := render.Get(spec, "volumes").([]any)
	for _, v := range all {
		volumes[fmt.Sprint(render.Get(v, "name"))] = true
	}
	var paths []string
	mounts, _ := render.Get(spec, "containers", 0, "volumeMounts").([]any)
	for _, m := range mounts {
		paths = append(paths, fmt.Sprint(render.Get(m, "mountPath")))
		if !volumes[fmt.Sprint(render.Get(m, "name"))] {
			t.Errorf("there is no volume for %v", m)
		}
	}
	if len(volumes) != len(mounts) {
		t.Errorf("%d volumes and %d mounts", len(volumes), len(mounts))
	}
	plain, _ := environmentOf(render.Get(spec, "containers", 0))
	for name, value := range plain {
		if strings.HasPrefix(value, "/") && !slices.ContainsFunc(paths, func(p string) bool { return value == p || strings.HasPrefix(value, p+"/") }) {
			t.Errorf("%s is %s, where nothing is mounted", name, value)
		}
	}
}

// checkAround compares the other objects with the pods that they refer to.
func checkAround(t *testing.T, objects []render.Object, operators func(string) *httptest.ResponseRecorder) {
	t.Helper()
	counted := operators("/metrics").Body.String()
	deployments := map[string]bool{}
	labels := map[string]map[string]any{}
	for _, o := range objects {
		if o.Kind() == "Deployment" {
			deployments[o.Name()] = true
			labels[o.Name()], _ = render.Get(o, "spec", "template", "metadata", "labels").(map[string]any)
		}
	}
	picks := func(selector any) (n int) {
		want, _ := selector.(map[string]any)
		for _, has := range labels {
			all := len(want) > 0
			for key, value := range want {
				all = all && has[key] == value
			}
			if all {
				n++
			}
		}
		return n
	}
	kinds := map[string]int{}
	for _, o := range objects {
		kinds[o.Kind()]++
		what := o.Kind() + " " + o.Name()
		switch o.Kind() {
		case "Secret":
			t.Errorf("%s: secrets are made by others", what)
		case "Service":
			if n := picks(render.Get(o, "spec", "selector")); n == 0 {
				t.Errorf("%s leads nowhere", what)
			}
		case "PodDisruptionBudget":
			if n := picks(render.Get(o, "spec", "selector", "matchLabels")); n != 1 {
				t.Errorf("%s is for %d kinds of pods", what, n)
			}
		case "HorizontalPodAutoscaler":
			if target := fmt.Sprint(render.Get(o, "spec", "scaleTargetRef", "name")); !deployments[target] {
				t.Errorf("%s scales %s, which is not there", what, target)
			}
			metric := render.Get(o, "spec", "metrics", 0, "external", "metric")
			if metric == nil {
				continue // by CPU
			}
			series := fmt.Sprint(render.Get(metric, "name"))
			with, _ := render.Get(metric, "selector", "matchLabels").(map[string]any)
			for label, value := range with {
				series += fmt.Sprintf(`{%s="%s"}`, label, value)
			}
			if !strings.Contains(counted, "\n"+series+" 1\n") {
				t.Errorf("%s asks for %s, which nothing counts", what, series)
			}
		case "ServiceMonitor":
			if status := operators(fmt.Sprint(render.Get(o, "spec", "endpoints", 0, "path"))).Code; status != http.StatusOK || render.Get(o, "spec", "endpoints", 0, "port") != "operators" {
				t.Errorf("%s is answered %d", what, status)
			}
			if job := fmt.Sprint(render.Get(o, "spec", "endpoints", 0, "relabelings", 0, "replacement")); !strings.Contains(read(t, "deploy", "alerts.yml"), `up{job="`+job+`"}`) {
				t.Errorf("no alert asks for the job %s", job)
			}
		case "PrometheusRule":
			var rules struct{ Groups []any }
			must(t, yaml.Unmarshal([]byte(read(t, "deploy", "alerts.yml")), &rules))
			if got, _ := render.Get(o, "spec", "groups").([]any); fmt.Sprint(got) != fmt.Sprint(rules.Groups) {
				t.Errorf("%s has other rules than deploy/alerts.yml", what)
			}
		case "ConfigMap":
			if text, is := render.Get(o, "data", "munshi.json").(string); is && strings.TrimSpace(text) != strings.TrimSpace(read(t, "deploy", "dashboard.json")) {
				t.Errorf("%s is another dashboard than deploy/dashboard.json", what)
			}
		}
	}
	for kind, n := range map[string]int{"Deployment": 3, "Job": 1, "Service": 2, "PodDisruptionBudget": 3, "NetworkPolicy": 4, "ServiceMonitor": 1, "PrometheusRule": 1, "ServiceAccount": 1} {
		if kinds[kind] != n {
			t.Errorf("%d of %s, not %d", kinds[kind], kind, n)
		}
	}
}

// The alert rules and the dashboard exist only in deploy/; the chart has links to them.
func TestChartCopiesNothing(t *testing.T) {
	files, err := os.ReadDir(filepath.Join(chartFolder(t), "files"))
	must(t, err)
	for _, f := range files {
		if to, err := os.Readlink(filepath.Join(chartFolder(t), "files", f.Name())); err != nil || to != "../../"+f.Name() {
			t.Errorf("%s is no link to deploy/: %q %v", f.Name(), to, err)
		}
	}
	if len(files) != 2 {
		t.Errorf("%d files", len(files))
	}
}

// The variables of other programs that the chart sets make connections to PostgreSQL and Temporal use TLS, check
// the servers' certificates, and present ours.
func TestChartReachesServers(t *testing.T) {
	dir := t.TempDir()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"db.example"}, NotAfter: time.Now().AddDate(1, 0, 0)}
	raw, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	must(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	for _, o := range rendered(t, everything(t)) {
		if o.Kind() != "Deployment" {
			continue
		}
		plain, secret := environmentOf(render.Get(o.PodSpec(), "containers", 0))
		for name, value := range plain {
			if strings.Contains(value, "/tls/") {
				block := &pem.Block{Type: "CERTIFICATE", Bytes: raw}
				if strings.HasSuffix(value, ".key") {
					block = &pem.Block{Type: "PRIVATE KEY", Bytes: private}
				}
				value = filepath.Join(dir, value)
				must(t, os.MkdirAll(filepath.Dir(value), 0o700))
				must(t, os.WriteFile(value, pem.EncodeToMemory(block), 0o600))
			}
			t.Setenv(name, value)
		}
		for name := range secret {
			t.Setenv(name, "postgres://munshi@db.example/munshi")
		}
		database, err := pgx.ParseConfig(os.Getenv("DATABASE_URL"))
		must(t, err)
		if s := database.TLSConfig; s == nil || s.RootCAs == nil || len(s.Certificates) != 1 || s.ServerName != "db.example" || len(database.Fallbacks) != 0 {
			t.Errorf("%s reaches the database with %+v", o.Name(), s)
		}
		options, err := envconfig.LoadClientOptions(envconfig.LoadClientOptionsRequest{DisableFile: true})
		must(t, err)
		if s := options.ConnectionOptions.TLS; s == nil || s.RootCAs == nil || len(s.Certificates) != 1 || s.ServerName != "temporal.internal" || s.InsecureSkipVerify || options.Credentials == nil {
			t.Errorf("%s reaches Temporal with %+v", o.Name(), s)
		}
	}
}

// Values only refer to secrets by name: secret settings of ours cannot be set as plain values, and a name
// cannot contain a secret.
func TestChartRefusesSecrets(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(read(t, "deploy", "chart", "values.schema.json")))
	must(t, err)
	must(t, compiler.AddResource("values.json", schema))
	compiled, err := compiler.Compile("values.json")
	must(t, err)
	accepts := func(values map[string]any) error {
		raw, err := json.Marshal(values)
		must(t, err)
		plain, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
		must(t, err)
		return compiled.Validate(plain)
	}
	for _, good := range []map[string]any{chartValues(t, ""), everything(t)} {
		if err := accepts(good); err != nil {
			t.Fatal(err)
		}
	}
	settings := viper.New()
	settings.SetConfigType("yaml")
	must(t, settings.ReadConfig(strings.NewReader(read(t, "config", "munshi.yaml"))))
	secret := regexp.MustCompile(`(^|[._])(key|keys|password|secret|key_secret|webhook_secret)$|^database\.url$`)
	refused := 0
	for _, path := range settings.AllKeys() {
		set := viper.New()
		set.Set("settings."+path, "sesame")
		over, err := yaml.Marshal(set.AllSettings())
		must(t, err)
		err = accepts(chartValues(t, string(over)))
		if is := secret.MatchString(path); is && err == nil {
			t.Errorf("the secret %s may be written down", path)
		} else if is {
			refused++
		} else if err != nil && !strings.HasPrefix(path, "server.") && !strings.HasPrefix(path, "database.") && !strings.HasPrefix(path, "temporal.") && !strings.HasPrefix(path, "worker.") {
			t.Errorf("%s cannot be set: %v", path, err)
		}
	}
	if refused < 12 {
		t.Errorf("only %d secrets are known", refused)
	}
	for _, bad := range []string{"secrets: {MUNSHI_MODEL_KEY: sesame}", "secrets: {MUNSHI_MODEL_KEY: {value: sesame}}", "database: {url: 'postgres://munshi:sesame@db/munshi'}", "temporal: {keys: sesame}",
		"temporal: {keys: {secret: a, key: b, value: sesame}}", "publicUrl: 'https://munshi:sesame@munshi.example'", "password: sesame", "workers: {turns: {queues: [tunrs]}}",
		"prompts: {folders: {notice: a}, volume: {emptyDir: {}}}"} {
		if err := accepts(chartValues(t, bad)); err == nil {
			t.Errorf("accepted: %s", bad)
		}
	}
	// each queue needs a worker
	if _, err := render.Chart(chartFolder(t), chartValues(t, "workers: {reading: null}"), render.Release{Name: "munshi"}); err == nil || !strings.Contains(err.Error(), "nobody works on the queue reading") {
		t.Errorf("without a reader: %v", err)
	}
}

// A folder of prompts from a ConfigMap consists of links to a link, as the kubelet makes them, and is mounted
// over the one in the image.
func TestChartMountsFolderOfPrompts(t *testing.T) {
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS(filepath.Join(localtest.Root(t), "prompts"))))
	folder, version := filepath.Join(dir, "notice"), "..2026_11_27_12_00_00.1"
	must(t, os.Mkdir(filepath.Join(folder, version), 0o700))
	must(t, os.Symlink(version, filepath.Join(folder, "..data")))
	files, err := os.ReadDir(folder)
	must(t, err)
	for _, f := range files {
		if f.Type().IsRegular() {
			must(t, os.Rename(filepath.Join(folder, f.Name()), filepath.Join(folder, version, f.Name())))
			must(t, os.Symlink(filepath.Join("..data", f.Name()), filepath.Join(folder, f.Name())))
		}
	}
	read, err := prompt.ReadDir(dir)
	must(t, err)
	there, err := prompt.ReadDir(filepath.Join(localtest.Root(t), "prompts"))
	must(t, err)
	if !slices.EqualFunc(read, there, func(a, b prompt.Folder) bool { return fmt.Sprintf("%v", a) == fmt.Sprintf("%v", b) }) {
		t.Error("the prompts are others than those of the image")
	}
}
