package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"munshi/tools/drills"
)

// stack is a running docker-compose.yml with a project name.
type stack struct {
	*engine
	project string
	files   []string // Compose files
	version string
	address string // of its proxy
	secrets []string
	env     []string

	database string // the service with PostgreSQL's primary

	disk     string // the folder with the file system of PostgreSQL's data
	prompts  string // a copy of the prompts, which may be broken
	provider *provider

	chaosTime  time.Duration
	chaosSeed  uint64
	oneAtATime sync.Mutex // for faults that undo what they find
}

// newStack makes new secrets for a stack that has not been started yet.
func newStack(e *engine, project string) (*stack, error) {
	ports, err := freePorts(2)
	if err != nil {
		return nil, err
	}
	s := &stack{engine: e, project: project, files: []string{"docker-compose.yml", "tools/containers/override.yml"},
		version: "drill-1", address: "http://localhost:" + ports[0], database: "postgres"}
	database, temporal, key := secret(24), secret(24), make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	s.secrets = []string{database, temporal, base64.StdEncoding.EncodeToString(key)}
	s.env = []string{"MUNSHI_POSTGRES_PASSWORD=" + database, "TEMPORAL_POSTGRES_PASSWORD=" + temporal,
		"MUNSHI_TEMPORAL_KEYS=drill:" + s.secrets[2],
		"MUNSHI_PORT=" + ports[0], "TEMPORAL_UI_PORT=" + ports[1], "MUNSHI_PUBLIC_URL=" + s.address,
		"MUNSHI_SERVE_REPLICAS=2", "MUNSHI_WORKER_REPLICAS=2"}
	s.prompts = s.path("prompts")
	if err := os.RemoveAll(s.prompts); err != nil {
		return nil, err
	}
	if err := os.CopyFS(s.prompts, os.DirFS(filepath.Join(e.root, "prompts"))); err != nil {
		return nil, fmt.Errorf("copy the prompts: %w", err)
	}
	s.env = append(s.env, "DRILL_PROMPTS="+s.prompts)
	return s, s.addDisk(context.Background())
}

// diskSize is that of the disk with PostgreSQL's data: its log alone may take 1 GB.
const diskSize = 2 << 30

// addDisk gives a new stack a separate, empty file system for PostgreSQL's data, which can be filled.
func (s *stack) addDisk(ctx context.Context) error {
	s.removeDisk(ctx)
	file, folder := s.path("disk-"+s.project+".img"), s.path("disk-"+s.project)
	if err := errors.Join(os.RemoveAll(file), os.MkdirAll(folder, 0o755)); err != nil {
		return err
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		return err
	}
	if err := os.Truncate(file, diskSize); err != nil {
		return err
	}
	if err := s.run(ctx, "mkfs.ext4", "-q", "-m", "0", file); err != nil {
		return err
	}
	if err := s.run(ctx, "mount", "-o", "loop", file, folder); err != nil {
		return err
	}
	s.disk = folder
	data := filepath.Join(folder, "data")
	s.env = append(s.env, "DRILL_DISK="+data)
	return errors.Join(os.Mkdir(data, 0o700), os.Chown(data, 999, 999)) // postgres in its image
}

// removeDisk removes the disk of the last stack.
func (s *stack) removeDisk(ctx context.Context) {
	if s.disk == "" {
		return
	}
	_ = s.run(ctx, "umount", s.disk) // the stack is down
	_ = os.Remove(s.disk + ".img")
	s.disk = ""
}

func secret(n int) string {
	raw := make([]byte, n)
	_, _ = rand.Read(raw) // never fails
	return hex.EncodeToString(raw)
}

func freePorts(n int) (ports []string, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("find a free port: %w", err)
		}
		defer l.Close()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		ports = append(ports, port)
	}
	return ports, nil
}

// compose runs Compose with the stack's files, and returns its standard output.
func (s *stack) compose(ctx context.Context, args ...string) (string, error) {
	all := slices.Concat(s.flags(), args)
	return s.with(ctx, s.variables(), s.path("bin", "docker-compose"), all...)
}

// shell runs Compose as a person would type it, with redirections.
func (s *stack) shell(ctx context.Context, line string) error {
	_, err := s.with(ctx, s.variables(), "sh", "-euc",
		s.path("bin", "docker-compose")+" "+strings.Join(s.flags(), " ")+" "+line)
	return err
}

func (s *stack) flags() []string {
	flags := []string{"-p", s.project}
	for _, file := range s.files {
		flags = append(flags, "-f", file)
	}
	return flags
}

func (s *stack) variables() []string {
	return slices.Concat(s.env, []string{"MUNSHI_VERSION=" + s.version})
}

// up starts everything that is not running, and waits until it is healthy.
func (s *stack) up(ctx context.Context) error {
	_, err := s.compose(ctx, "up", "-d", "--no-build", "--wait", "--wait-timeout", "300")
	return err
}

// down removes containers, networks and volumes.
func (s *stack) down(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	if !exists(s.path("bin", "docker-compose")) {
		return nil
	}
	_, err := s.compose(ctx, "down", "--volumes", "--remove-orphans", "--timeout", "5")
	s.removeDisk(ctx)
	return err
}

// of returns the containers of a service, oldest first.
func (s *stack) of(ctx context.Context, service string) ([]container, error) {
	labels := []string{"com.docker.compose.project=" + s.project, "com.docker.compose.service=" + service}
	found, err := s.containers(ctx, labels)
	slices.SortFunc(found, func(a, b container) int { return strings.Compare(a.name(), b.name()) })
	return found, err
}

// kill kills a container's first process, and so the whole container, like a power failure.
func (s *stack) kill(c container) error {
	if c.State != "running" || c.Pid <= 1 {
		return fmt.Errorf("%s does not run", c.name())
	}
	if err := syscall.Kill(c.Pid, syscall.SIGKILL); err != nil {
		return fmt.Errorf("kill %s: %w", c.name(), err)
	}
	return nil
}

type health struct {
	State struct {
		Running   bool
		Pid       int
		ExitCode  int
		Health    struct{ Status string }
		StartedAt time.Time
	}
	Config struct {
		Image string
		Env   []string
	}
	RestartCount int
}

func (s *stack) inspect(ctx context.Context, c container) (h health, err error) {
	err = s.ask(ctx, http.MethodGet, "/v1.41/containers/"+c.ID+"/json", &h)
	return h, err
}

// awaitHealthy waits until n containers of a service are healthy, none of them with the same process as in before.
func (s *stack) awaitHealthy(ctx context.Context, service string, n int, before ...container) error {
	return drills.Await(ctx, 3*time.Minute, service+" to be healthy", func(ctx context.Context) error {
		all, err := s.of(ctx, service)
		if err != nil {
			return err
		}
		well := 0
		for _, c := range all {
			h, err := s.inspect(ctx, c)
			if err != nil {
				return err
			}
			same := slices.ContainsFunc(before, func(b container) bool { return b.ID == c.ID && b.Pid == h.State.Pid })
			if h.State.Running && h.State.Health.Status == "healthy" && !same {
				well++
			}
		}
		if well != n {
			return fmt.Errorf("%d of %d of %s are healthy", well, n, service)
		}
		return nil
	})
}

// awaitBack waits until killed containers of a service have been restarted, and the product says that it is ready.
func (s *stack) awaitBack(ctx context.Context, service string, killed []container) error {
	err := drills.Await(ctx, time.Minute, service+" to be started again", func(ctx context.Context) error {
		all, err := s.of(ctx, service)
		if err != nil {
			return err
		}
		if len(all) != len(killed) {
			return fmt.Errorf("%d of %d are there", len(all), len(killed))
		}
		for _, c := range all {
			same := slices.ContainsFunc(killed, func(k container) bool { return k.ID == c.ID && k.Pid == c.Pid })
			if c.State != "running" || same {
				return fmt.Errorf("%s is not", c.name())
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return (&visitor{address: s.address}).do(ctx, http.MethodGet, "/api/ready", "", "", nil, nil)
}

// explain prints the last output of the containers.
func (s *stack) explain() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	all, err := s.containers(ctx, []string{"com.docker.compose.project=" + s.project})
	if err != nil {
		return
	}
	for _, c := range all {
		said, err := s.output(ctx, "sh", "-c", "podman logs --tail 12 "+c.ID+" 2>&1")
		fmt.Printf("-- %s (%s)\n%s\n", c.name(), c.State, said)
		if err != nil {
			fmt.Println(err)
		}
	}
}
