package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"munshi/tools/drills"
)

// engine is a Podman service with its own storage, used through its API socket.
type engine struct {
	root      string // the product's source
	dir       string // the engine's storage, and everything built for it
	env       []string
	service   *exec.Cmd
	api       *http.Client
	stopTests context.CancelFunc
	standIns  []string
}

const containersConf = `[containers]
default_ulimits = ["nofile=20000:20000", "nproc=32768:32768"]
cgroups = "disabled"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "crun"
[network]
network_backend = "netavark"
`

var packages = []string{"podman", "buildah", "crun", "netavark", "aardvark-dns", "iptables", "nftables", "catatonit",
	"uidmap", "mmdebstrap"}

func startEngine(ctx context.Context, root string) (*engine, error) {
	e := &engine{root: root, dir: filepath.Join(root, ".cache", "containers")}
	if err := os.MkdirAll(filepath.Join(e.dir, "tmp"), 0o755); err != nil {
		return nil, fmt.Errorf("make the engine's folder: %w", err)
	}
	socket := filepath.Join(e.dir, "podman.sock")
	storage := fmt.Sprintf("[storage]\ndriver = \"overlay\"\ngraphroot = %q\nrunroot = %q\n", e.path("storage"),
		e.path("run"))
	for name, text := range map[string]string{"containers.conf": containersConf, "storage.conf": storage} {
		if err := os.WriteFile(e.path(name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	e.env = append(os.Environ(), "CONTAINERS_CONF="+e.path("containers.conf"),
		"CONTAINERS_STORAGE_CONF="+e.path("storage.conf"), "TMPDIR="+e.path("tmp"), "DOCKER_HOST=unix://"+socket,
		"DOCKER_BUILDKIT=0", "COMPOSE_MENU=0", "COMPOSE_PROGRESS=plain")
	if _, err := exec.LookPath("podman"); err != nil || !exists("/usr/bin/mmdebstrap") {
		fmt.Println("installing the container engine")
		install := append([]string{"install", "-qy", "--no-install-recommends"}, packages...)
		if err := e.run(ctx, "apt-get", install...); err != nil {
			return nil, err
		}
	}
	for _, kind := range []string{"container", "volume"} { // left by a run that was killed
		if err := e.run(ctx, "podman", kind, "rm", "--all", "--force"); err != nil {
			return nil, err
		}
	}
	_ = os.Remove(socket)
	e.service = exec.Command("podman", "system", "service", "--time=0", "unix://"+socket)
	e.service.Env = e.env
	e.service.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	log, err := os.Create(e.path("engine.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	e.service.Stdout, e.service.Stderr = log, log
	if err := e.service.Start(); err != nil {
		return nil, fmt.Errorf("start the engine: %w", err)
	}
	e.api = &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context,
		_, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	if err := drills.Await(ctx, time.Minute, "the engine's API", func(ctx context.Context) error {
		return e.ask(ctx, http.MethodGet, "/_ping", nil)
	}); err != nil {
		return nil, errors.Join(err, e.stop())
	}
	var tests context.Context
	tests, e.stopTests = context.WithCancel(context.WithoutCancel(ctx))
	go e.testHealth(tests)
	return e, nil
}

func (e *engine) stop() error {
	if e.stopTests != nil {
		e.stopTests()
	}
	if err := e.service.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("stop the engine: %w", err)
	}
	_ = e.service.Wait() // it reports that it was stopped
	return nil
}

func (e *engine) path(parts ...string) string {
	return filepath.Join(append([]string{e.dir}, parts...)...)
}

// testHealth runs the containers' health checks, which Podman would leave to systemd.
func (e *engine) testHealth(ctx context.Context) {
	for ctx.Err() == nil {
		running, err := e.containers(ctx, nil)
		for _, c := range running {
			if err == nil && c.State == "running" {
				one, done := context.WithTimeout(ctx, 10*time.Second)
				// the result appears in the container's state
				_ = e.ask(one, http.MethodGet, "/v4.0.0/libpod/containers/"+c.ID+"/healthcheck", nil)
				done()
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(2 * time.Second):
		}
	}
}

type container struct {
	ID     string `json:"Id"`
	Names  []string
	State  string
	Pid    int
	Labels map[string]string
}

func (c container) name() string { return strings.Join(c.Names, ",") }

// containers returns the containers with these labels, including stopped ones.
func (e *engine) containers(ctx context.Context, labels []string) (found []container, err error) {
	filters, err := json.Marshal(map[string][]string{"label": labels})
	if err != nil {
		return nil, err
	}
	path := "/v4.0.0/libpod/containers/json?all=true&filters=" + url.QueryEscape(string(filters))
	err = e.ask(ctx, http.MethodGet, path, &found)
	return found, err
}

// ask sends a request to the engine's API, and decodes the answer.
func (e *engine) ask(ctx context.Context, method, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, "http://engine"+path, nil)
	if err != nil {
		return err
	}
	resp, err := e.api.Do(req)
	if err != nil {
		return fmt.Errorf("ask the engine: %w", err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("ask the engine: %w", err)
	}
	if resp.StatusCode >= 300 {
		return fmt.Errorf("the engine answers %s with %s: %s", path, resp.Status, raw)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(raw, out)
}

// run runs a program in the engine's environment, and shows its output only if it fails.
func (e *engine) run(ctx context.Context, program string, args ...string) error {
	_, err := e.output(ctx, program, args...)
	return err
}

func (e *engine) output(ctx context.Context, program string, args ...string) (string, error) {
	return e.with(ctx, nil, program, args...)
}

func (e *engine) with(ctx context.Context, env []string, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = e.root, append(e.env[:len(e.env):len(e.env)], env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 30 * time.Second
	var out, all bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, &all), &all
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, drills.LastLines(all.String(), 40))
	}
	return out.String(), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (e *engine) summary() {
	fmt.Println()
	for _, line := range e.standIns {
		fmt.Println("Not the published image:", line)
	}
	fmt.Println("Not enforced: memory and CPU limits (the engine ran without control groups).")
}
