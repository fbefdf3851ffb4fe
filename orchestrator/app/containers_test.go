package app_test

import (
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"

	"munshi/config"
	"munshi/orchestrator/cmd"
	"munshi/orchestrator/local/localtest"
)

// `make containers` builds the images and runs them, in about twenty minutes. The tests here check what can be
// checked without that: everything that the files name exists, and the parts agree with each other and with the rest
// of the repository.

func read(t *testing.T, path ...string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(append([]string{localtest.Root(t)}, path...)...))
	must(t, err)
	return string(raw)
}

func found(t *testing.T, text, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("nothing is like %s", pattern)
	}
	return m[1]
}

// Everything from which the program is built is copied into the build stage: each of our packages, and the embedded
// files.
func TestDockerfileCopiesWhatIsBuilt(t *testing.T) {
	root := localtest.Root(t)
	list := exec.Command("go", "list", "-deps", "-f", `{{if .Module}}{{if .Module.Main}}{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}/{{.}}
{{end}}{{range .EmbedFiles}}{{$dir}}/{{.}}
{{end}}{{end}}{{end}}`, "./orchestrator")
	list.Dir = root
	out, err := list.Output()
	must(t, err)
	_, build, _ := strings.Cut(read(t, "Dockerfile"), " AS build")
	build, _, _ = strings.Cut(build, "\nFROM")
	var copied []string
	for _, m := range regexp.MustCompile(`(?m)^COPY (.*) \S+$`).FindAllStringSubmatch(build, -1) {
		copied = append(copied, strings.Fields(m[1])...)
	}
	files := strings.Fields(string(out))
	if len(files) < 100 {
		t.Fatalf("only %d files are listed", len(files))
	}
	missing := map[string]bool{}
	for _, file := range files {
		path, err := filepath.Rel(root, file)
		must(t, err)
		top, _, _ := strings.Cut(path, "/")
		if !slices.Contains(copied, top) {
			missing[top] = true
		}
	}
	if len(missing) > 0 {
		t.Errorf("the build needs %v, which the Dockerfile does not copy to it", slices.Sorted(maps.Keys(missing)))
	}
}

func TestDockerfile(t *testing.T) {
	root := localtest.Root(t)
	dockerfile := strings.ReplaceAll(read(t, "Dockerfile"), "\\\n", " ")
	sent := strings.Fields(strings.ReplaceAll(read(t, ".dockerignore"), "!", ""))
	stages := map[string]bool{}
	installed := map[string]bool{}
	for line := range strings.Lines(dockerfile) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "FROM":
			if !regexp.MustCompile(`^[a-z]+:\d|^debian:bookworm-\d`).MatchString(words[1]) {
				t.Errorf("the image %s has no exact version", words[1])
			}
			if len(words) == 4 {
				stages[words[3]] = true
			}
		case words[0] == "COPY" && strings.HasPrefix(words[1], "--from="):
			if stage := strings.TrimPrefix(words[1], "--from="); !stages[stage] {
				t.Errorf("there is no stage %s to copy from", stage)
			}
		case words[0] == "COPY":
			for _, source := range words[1 : len(words)-1] {
				if _, err := os.Stat(filepath.Join(root, source)); err != nil {
					t.Errorf("%q is copied and not there: %v", source, err)
				}
				if top, _, _ := strings.Cut(source, "/"); !slices.Contains(sent, top) {
					t.Errorf("%q is copied, and .dockerignore keeps it back", source)
				}
			}
		case words[0] == "RUN":
			for _, w := range words {
				installed[w] = true
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^    (\S+) +/usr/`).FindAllStringSubmatch(found(t, read(t, "tools", "setup", "packages"), `(?s)packages='(.*?)'`), -1) {
		if !installed[m[1]] {
			t.Errorf("the product needs %s, which the image does not install", m[1])
		}
	}
	if want := "golang:" + found(t, read(t, "go.mod"), `(?m)^go (\S+)`) + "-bookworm"; !strings.Contains(dockerfile, "FROM "+want) {
		t.Errorf("the image is not built with %s", want)
	}
	if commands := found(t, dockerfile, `HEALTHCHECK .* CMD \["/munshi/bin/munshi", "(\w+)"\]`); !isCommand(commands) {
		t.Errorf("there is no command %s", commands)
	}
	checkSettings(t, regexp.MustCompile(`\b(MUNSHI_[A-Z_]+)=`).FindAllStringSubmatch(dockerfile, -1))
	if strings.LastIndex(dockerfile, "\nUSER munshi\n") < strings.LastIndex(dockerfile, "\nRUN ") {
		t.Error("the image does not end as an ordinary user")
	}
	_, final, _ := strings.Cut(dockerfile, "\nFROM debian:")
	for _, folder := range []string{"config/munshi.yaml", "config/site", "evals", "prompts", "webapp/dist"} { // under MUNSHI_HOME
		if !strings.Contains(final, " /munshi/"+folder+"\n") {
			t.Errorf("the image has no %s", folder)
		}
	}
	for _, shell := range []string{"/bin/sh", "/bin/dash", "/bin/bash"} {
		if !strings.Contains(final, " "+shell+" ") && !strings.Contains(final, " "+shell+"\n") {
			t.Errorf("the image keeps %s", shell)
		}
	}
}

func isCommand(name string) bool {
	for _, c := range cmd.Command("test").Commands() {
		if c.Name() == name {
			return true
		}
	}
	return false
}

// checkSettings requires that each of our variables sets something.
func checkSettings(t *testing.T, names [][]string) {
	t.Helper()
	settings := viper.New()
	settings.SetConfigType("yaml")
	must(t, settings.ReadConfig(strings.NewReader(read(t, "config", "munshi.yaml"))))
	known := map[string]bool{"MUNSHI_HOME": true}
	for _, key := range settings.AllKeys() {
		known["MUNSHI_"+strings.ToUpper(strings.ReplaceAll(key, ".", "_"))] = true
	}
	for _, name := range names {
		if !known[name[1]] {
			t.Errorf("%s sets nothing", name[1])
		}
	}
}

type composeService struct {
	Image         string
	Build         any
	User          string
	Init          bool
	ReadOnly      bool     `yaml:"read_only"`
	Privileged    bool     `yaml:"privileged"`
	ContainerName string   `yaml:"container_name"`
	CapDrop       []string `yaml:"cap_drop"`
	SecurityOpt   []string `yaml:"security_opt"`
	Command       []string
	Ports         []string
	Volumes       []string
	Environment   map[string]string
	Healthcheck   *struct{ Disable bool }
	DependsOn     map[string]struct{ Condition string } `yaml:"depends_on"`
	Deploy        struct {
		Replicas  string
		Resources struct {
			Limits struct{ CPUs, Memory string }
		}
	}
}

func TestCompose(t *testing.T) {
	text := read(t, "docker-compose.yml")
	var compose struct {
		Services map[string]composeService
		Volumes  map[string]any
	}
	must(t, yaml.Unmarshal([]byte(text), &compose))
	once := func(name string) bool { // runs to its end
		for _, s := range compose.Services {
			if s.DependsOn[name].Condition == "service_completed_successfully" {
				return true
			}
		}
		return false
	}
	for name, s := range compose.Services {
		wrong := func(format string, args ...any) { t.Helper(); t.Errorf(name+": "+format, args...) }
		if s.Build == nil && !regexp.MustCompile(`:\d+\.\d+`).MatchString(s.Image) {
			wrong("the image %q has no exact version", s.Image)
		}
		if !s.Init || !s.ReadOnly || s.Privileged || !slices.Equal(s.CapDrop, []string{"ALL"}) || len(s.SecurityOpt) != 1 || strings.HasPrefix(s.User, "0") {
			wrong("it is not held to what it needs")
		}
		if s.ContainerName != "" || len(s.Ports) > 0 && s.Deploy.Replicas != "" {
			wrong("a name or a port of the machine keeps it from running twice")
		}
		if s.Deploy.Resources.Limits.CPUs == "" || s.Deploy.Resources.Limits.Memory == "" {
			wrong("it has no limits")
		}
		// The Dockerfile's own health check is lost in images of the OCI format.
		if !once(name) && s.Healthcheck == nil {
			wrong("nobody looks whether it is well")
		}
		for on, how := range s.DependsOn {
			other, there := compose.Services[on]
			switch {
			case !there:
				wrong("it waits for %s, which is not there", on)
			case how.Condition == "service_healthy" && (other.Build == nil && other.Healthcheck == nil || once(on)):
				wrong("%s never gets healthy", on)
			case how.Condition != "service_healthy" && how.Condition != "service_completed_successfully":
				wrong("it does not say what it waits for in %s", on)
			}
		}
		for _, v := range s.Volumes {
			source, _, _ := strings.Cut(v, ":")
			if path, ours := strings.CutPrefix(source, "./"); ours {
				if _, err := os.Stat(filepath.Join(localtest.Root(t), path)); err != nil || !strings.HasSuffix(v, ":ro") {
					wrong("the mount %s: %v", v, err)
				}
			} else if _, there := compose.Volumes[source]; !there {
				wrong("there is no volume %s", source)
			}
		}
		if s.Build != nil {
			if len(s.Command) != 1 || !isCommand(s.Command[0]) {
				wrong("there is no command %v", s.Command)
			}
			for variable := range s.Environment {
				if strings.HasPrefix(variable, "MUNSHI_") {
					checkSettings(t, [][]string{{"", variable}})
				}
			}
		}
	}

	versions := read(t, "tools", "temporal-dev", "go.mod")
	for name, module := range map[string]string{"temporal": "go.temporal.io/server", "temporal-ui": "github.com/temporalio/ui-server/v2"} {
		want := found(t, versions, regexp.QuoteMeta(module)+` v(\S+)`)
		if _, got, _ := strings.Cut(compose.Services[name].Image, ":"); got != want {
			t.Errorf("%s is version %s, and make run's is %s", name, got, want)
		}
	}

	example := map[string]string{}
	for line := range strings.Lines(read(t, ".env.example")) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(line, "#") {
			example[name] = value
		}
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`\$\{(\w+)`).FindAllStringSubmatch(text, -1) {
		used[m[1]] = true
		if _, there := example[m[1]]; !there {
			t.Errorf(".env.example does not have %s", m[1])
		}
	}
	for name, value := range example {
		if !used[name] {
			t.Errorf("%s of .env.example is used nowhere", name)
		}
		if value != "" && (strings.Contains(name, "PASSWORD") || strings.Contains(name, "KEY")) {
			t.Errorf(".env.example holds a secret: %s", name)
		}
	}
}

// Behind the proxy each person has an address of their own, by which sign-ins are limited.
func TestComposeBelievesItsProxy(t *testing.T) {
	t.Setenv("MUNSHI_SERVER_TRUSTED_PROXIES", found(t, read(t, "docker-compose.yml"), `MUNSHI_SERVER_TRUSTED_PROXIES: (\S+)`))
	cfg, err := config.Load(filepath.Join(localtest.Root(t), "config", "munshi.yaml"), nil)
	must(t, err)
	router := gin.New()
	must(t, router.SetTrustedProxies(cfg.Server.TrustedProxies))
	c := gin.CreateTestContextOnly(httptest.NewRecorder(), router)
	c.Request = httptest.NewRequestWithContext(t.Context(), "POST", "/", nil)
	c.Request.RemoteAddr = "172.18.0.5:40000"
	c.Request.Header.Set("X-Forwarded-For", "203.0.113.9")
	if ip := c.ClientIP(); ip != "203.0.113.9" {
		t.Errorf("a request through the proxy comes from %s", ip)
	}
}
