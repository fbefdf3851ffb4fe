package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"munshi/orchestrator/problem"
)

// lockState ensures that only one process uses the state folder. The kernel releases the lock when the process ends,
// however it ends.
func lockState(state string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(state, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, folderProblem(state, err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer file.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("lock %s: %w", file.Name(), err)
		}
		holder, _ := io.ReadAll(file)
		return nil, problem.New("local_already_running",
			problem.Params{"folder": state, "process": strings.TrimSpace(string(holder))}, because(ErrRunning, nil))
	}
	if err := file.Truncate(0); err == nil {
		_, _ = file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0) // only for the error message above
	}
	return file, nil
}

// ports stores the last used ports, so that addresses stay the same from start to start.
type ports struct {
	file  string
	kept  map[string]int
	dirty bool
}

func loadPorts(state string) (*ports, error) {
	p := &ports{file: filepath.Join(state, "ports.json"), kept: map[string]int{}}
	text, err := os.ReadFile(p.file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, folderProblem(state, err)
	}
	// With an unreadable file, only the addresses change.
	if json.Unmarshal(text, &p.kept) != nil {
		p.kept = map[string]int{}
	}
	return p, nil
}

// choose returns the port for a server: the wanted one, which must be free, or for 0 the last used one or any free
// one.
func (p *ports) choose(name string, wanted int) (int, error) {
	if wanted != 0 {
		if err := checkFree(wanted); err != nil {
			return 0, portProblem(name, wanted, err)
		}
		return wanted, nil
	}
	if port := p.kept[name]; port != 0 && checkFree(port) == nil {
		return port, nil
	}
	port, err := p.free()
	if err != nil {
		return 0, fmt.Errorf("find a free port for %s: %w", name, err)
	}
	p.kept[name] = port
	p.dirty = true
	return port, nil
}

// free returns a port on which nobody listens and which no other server was given. It is below the range from which
// the kernel takes ports for outgoing connections (from 32768 on Linux, 49152 elsewhere), since such a port could be
// taken before the server listens.
func (p *ports) free() (int, error) {
	const lowest, count, tries = 12_000, 18_000, 100
	var err error
	for range tries {
		port := lowest + rand.IntN(count)
		if slices.Contains(slices.Collect(maps.Values(p.kept)), port) {
			continue
		}
		if err = checkFree(port); err == nil {
			return port, nil
		}
	}
	return 0, fmt.Errorf("%d tries between %d and %d: %w", tries, lowest, lowest+count, err)
}

func (p *ports) save() error {
	if !p.dirty {
		return nil
	}
	text, err := json.Marshal(p.kept)
	if err != nil {
		return err
	}
	return os.WriteFile(p.file, append(text, '\n'), 0o600)
}

func checkFree(port int) error {
	listener, err := net.Listen("tcp", hostPort(port))
	if err != nil {
		return err
	}
	return listener.Close()
}

func portProblem(name string, port int, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return problem.New("local_port_taken", problem.Params{"port": port, "server": name}, because(ErrPortTaken, err))
	}
	return problem.New("local_port_refused", problem.Params{"port": port, "server": name, "reason": err},
		because(ErrPermission, err))
}

func pidFile(state string, s server) string {
	return filepath.Join(state, s.program()+".pid")
}

// endOrphan stops a server that an earlier parent left behind; on Linux the kernel has already told it to stop. The
// caller holds the lock of the state folder, so no living parent owns the server.
func endOrphan(ctx context.Context, state string, s server, logger *slog.Logger) error {
	text, err := os.ReadFile(pidFile(state, s))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return folderProblem(state, err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid <= 1 {
		return nil // the file was only partly written: no server was started after it
	}
	// Process ids are reused: only a process that runs this program on this data is ours.
	isOurs := func() bool {
		command := commandLine(pid)
		return strings.Contains(command, "/"+s.program()+" ") && strings.Contains(command, " "+s.dataDir())
	}
	if !isOurs() {
		return nil
	}
	logger.Warn(fmt.Sprintf("%s of an earlier run is still there; ending it", s.name()), "pid", pid)
	for _, step := range s.stopSteps() {
		if err := syscall.Kill(pid, step.signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return problem.New("local_earlier_run_stays",
				problem.Params{"server": s.name(), "process": pid, "reason": err}, because(ErrRunning, err))
		}
		for deadline := time.Now().Add(step.wait); time.Now().Before(deadline); {
			if !isOurs() {
				return nil
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	return problem.New("local_earlier_run_does_not_end", problem.Params{"server": s.name(), "process": pid},
		because(ErrRunning, nil))
}
