package local

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"munshi/orchestrator/problem"
)

// temporal is the Temporal development server, built from tools/temporal-dev.
type temporal struct {
	options      Temporal
	data         string
	port, uiPort int
	// where the Web UI itself listens; it differs from uiPort if the Web UI is served by someone else
	uiBehind int
	answered chan struct{} // closed when the process started last is ready
}

func newTemporal(options Temporal, state string) *temporal {
	if options.Namespace == "" {
		options.Namespace = "default"
	}
	return &temporal{options: options, data: filepath.Join(state, "temporal")}
}

func (t *temporal) name() string                 { return "Temporal" }
func (t *temporal) program() string              { return "temporal-dev" }
func (t *temporal) dataDir() string              { return t.data }
func (t *temporal) address() string              { return hostPort(t.port) }
func (t *temporal) webUIURL() string             { return "http://" + hostPort(t.uiPort) }
func (t *temporal) webUIBehind() string          { return hostPort(t.uiBehind) }
func (t *temporal) orphanSignal() syscall.Signal { return syscall.SIGKILL } // a kill loses nothing that was committed

func (t *temporal) choosePorts(p *ports) (err error) {
	if t.port, err = p.choose(t.name(), t.options.Port); err != nil {
		return err
	}
	if t.uiPort, err = p.choose("Temporal's Web UI", t.options.WebUIPort); err != nil {
		return err
	}
	if t.uiBehind = t.uiPort; t.options.WebUIKey != "" {
		t.uiBehind, err = p.choose("Temporal's Web UI behind its door", 0)
	}
	return err
}

func (t *temporal) prepare(context.Context) error {
	if _, err := os.Stat(t.options.Program); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return problem.New("local_temporal_missing", problem.Params{"program": t.options.Program},
				because(ErrNotInstalled, err))
		}
		return folderProblem(filepath.Dir(t.options.Program), err)
	}
	if err := os.MkdirAll(t.data, 0o700); err != nil {
		return folderProblem(t.data, err)
	}
	return nil
}

func (t *temporal) command() *exec.Cmd {
	cmd := exec.Command(t.options.Program,
		"--data", t.data,
		"--port", strconv.Itoa(t.port),
		"--ui-port", strconv.Itoa(t.uiBehind),
		"--namespace", t.options.Namespace,
	)
	if t.options.CodecURL != "" {
		cmd.Args = append(cmd.Args, "--codec", t.options.CodecURL)
	}
	cmd.Dir = t.data
	// not an argument, since everyone can see those
	cmd.Env = append(os.Environ(), "TEMPORAL_DEV_UI_KEY="+t.options.WebUIKey)
	answered := make(chan struct{})
	t.answered = answered
	cmd.Stdout = &lineWatch{prefix: "ready ", found: func() { close(answered) }}
	return cmd
}

func (t *temporal) awaitReady(ctx context.Context) error {
	select {
	case <-t.answered:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *temporal) stopSteps() []stopStep {
	return []stopStep{{syscall.SIGTERM, 5 * time.Second}, {syscall.SIGKILL, 5 * time.Second}}
}
