package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/durationpb"

	"munshi/tools/drills"
)

// temporalVersion is that of docker-compose.yml and tools/temporal-dev.
const temporalVersion = "v1.32.1"

// databases are those that Temporal needs, with the folders of their schemas.
var databases = map[string]string{"temporal": "temporal", "temporal_visibility": "visibility"}

func (m *machine) program(name string) string {
	return filepath.Join(m.root, ".cache", "scale", "bin", name)
}

// buildTemporal builds Temporal's server and its tool for schemas from their Go module, unless they are there.
func (m *machine) buildTemporal(ctx context.Context) error {
	for name, path := range map[string]string{"server": "cmd/server", "sql": "cmd/tools/sql"} {
		if _, err := os.Stat(m.program(name)); err == nil {
			continue
		}
		note("building go.temporal.io/server/%s", path)
		build := exec.CommandContext(ctx, "go", "install", "-trimpath", "-ldflags=-s -w",
			"go.temporal.io/server/"+path+"@"+temporalVersion)
		build.Env = append(os.Environ(), "GOBIN="+filepath.Dir(m.program(name)), "GOFLAGS=", "CGO_ENABLED=0",
			"GOWORK=off")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("build Temporal's %s: %w\n%s", name, err, out)
		}
	}
	return nil
}

// makeSchema creates Temporal's databases, with the schema that its Go module contains.
func (m *machine) makeSchema(ctx context.Context) error {
	cache, err := exec.CommandContext(ctx, "go", "env", "GOMODCACHE").Output()
	if err != nil {
		return fmt.Errorf("find Temporal's schema: %w", err)
	}
	schema := filepath.Join(strings.TrimSpace(string(cache)), "go.temporal.io", "server@"+temporalVersion, "schema",
		"postgresql", "v12")
	server, err := url.Parse(m.theirs.DatabaseURL())
	if err != nil {
		return err
	}
	password, _ := server.User.Password()
	for database, folder := range databases {
		for _, args := range [][]string{{"create"}, {"setup-schema", "--version", "0.0"},
			{"update-schema", "--schema-dir", filepath.Join(schema, folder, "versioned")}} {
			tool := exec.CommandContext(ctx, m.program("sql"), append([]string{"--db", database}, args...)...)
			tool.Env = append(os.Environ(), "SQL_PLUGIN=postgres12_pgx", "SQL_HOST="+server.Hostname(),
				"SQL_PORT="+server.Port(), "SQL_USER="+server.User.Username(), "SQL_PASSWORD="+password)
			if out, err := tool.CombinedOutput(); err != nil {
				return fmt.Errorf("make Temporal's schema (%s): %w\n%s", strings.Join(args, " "), err, out)
			}
		}
	}
	return nil
}

// temporalServer is Temporal with all its services in one process.
type temporalServer struct {
	address string
	log     string
	cmd     *exec.Cmd
}

// startTemporal starts the server as docker-compose.yml configures it. With certificates, it accepts only clients
// whose certificate one of them has signed.
func (m *machine) startTemporal(ctx context.Context, c *certificates) (*temporalServer, error) {
	database, err := url.Parse(m.theirs.DatabaseURL())
	if err != nil {
		return nil, err
	}
	password, _ := database.User.Password()
	port := strconv.Itoa(freePort())
	s := &temporalServer{address: "127.0.0.1:" + port, log: filepath.Join(m.dir, "temporal.log")}
	s.cmd = exec.Command(m.program("server"), "start")
	s.cmd.Dir = m.dir
	s.cmd.Env = append(os.Environ(), "DB=postgres12_pgx", "POSTGRES_SEEDS="+database.Hostname(),
		"DB_PORT="+database.Port(), "POSTGRES_USER="+database.User.Username(), "POSTGRES_PWD="+password,
		"DBNAME=temporal", "VISIBILITY_DBNAME=temporal_visibility", "NUM_HISTORY_SHARDS=4", "BIND_ON_IP=127.0.0.1",
		"TEMPORAL_ALLOW_NO_AUTH=true", "LOG_LEVEL=warn", "FRONTEND_GRPC_PORT="+port,
		// PostgreSQL is started with 100 connections
		"SQL_MAX_CONNS=15", "SQL_VIS_MAX_CONNS=5",
		"DYNAMIC_CONFIG_FILE_PATH="+filepath.Join(m.root, "deploy", "temporal.yaml"))
	for _, name := range []string{"FRONTEND_HTTP", "FRONTEND_MEMBERSHIP", "MATCHING_GRPC", "MATCHING_MEMBERSHIP",
		"HISTORY_GRPC", "HISTORY_MEMBERSHIP", "WORKER_GRPC", "WORKER_MEMBERSHIP"} {
		s.cmd.Env = append(s.cmd.Env, name+"_PORT="+strconv.Itoa(freePort()))
	}
	options := client.Options{HostPort: s.address}
	if c != nil {
		s.cmd.Env = append(s.cmd.Env, c.server()...)
		options.ConnectionOptions.TLS = c.client()
	}
	log, err := os.Create(s.log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	s.cmd.Stdout, s.cmd.Stderr = log, log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start Temporal: %w", err)
	}
	if err := prepareNamespace(ctx, options); err != nil {
		text, _ := os.ReadFile(s.log)
		s.stop()
		return nil, fmt.Errorf("%w\nTemporal said:\n%s", err, text[max(0, len(text)-2000):])
	}
	return s, nil
}

// prepareNamespace waits for the server, and creates the namespace as docker-compose.yml does.
func prepareNamespace(ctx context.Context, options client.Options) error {
	c, err := client.NewLazyClient(options)
	if err != nil {
		return fmt.Errorf("make a client of Temporal: %w", err)
	}
	defer c.Close()
	return drills.Await(ctx, 2*time.Minute, "Temporal's namespace", func(ctx context.Context) error {
		_, err := c.WorkflowService().RegisterNamespace(ctx, &workflowservice.RegisterNamespaceRequest{
			Namespace: "default", WorkflowExecutionRetentionPeriod: durationpb.New(90 * 24 * time.Hour)})
		if exists := new(serviceerror.NamespaceAlreadyExists); err != nil && !errors.As(err, &exists) {
			return err
		}
		// the parts of the server learn of it one after the other
		_, err = c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Namespace: "default"})
		return err
	})
}

// tell prints the kinds of events in the history of a turn's workflow; their content is encrypted.
func (m *machine) tell(ctx context.Context, turn string) {
	c, err := client.NewLazyClient(client.Options{HostPort: m.temporal.address})
	if err != nil {
		return
	}
	defer c.Close()
	events := c.GetWorkflowHistory(ctx, "turn-"+turn, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		e, err := events.Next()
		if err != nil {
			note("the history of %s: %v", turn, err)
			return
		}
		note("%s %s", e.GetEventTime().AsTime().Format("15:04:05.000"), e.GetEventType())
	}
}

func (s *temporalServer) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	timer := time.AfterFunc(30*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer timer.Stop()
	_ = s.cmd.Wait()
}
