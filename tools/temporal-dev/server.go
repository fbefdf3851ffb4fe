package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/headers"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/membership/static"
	"go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/primitives"
	sqliteschema "go.temporal.io/server/schema/sqlite"
	"go.temporal.io/server/temporal"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
)

const (
	host        = "127.0.0.1"
	clusterName = "active"
	storeName   = "sqlite"

	visibilityName = "sqlite-visibility"
)

type options struct {
	data, namespace, logLevel, codec, uiKey string
	port, uiPort                            int
}

func (o options) address() string { return net.JoinHostPort(host, strconv.Itoa(o.port)) }

func (o options) uiURL() string {
	return "http://" + net.JoinHostPort(host, strconv.Itoa(o.uiPort))
}

// openDatabases returns the settings of the databases in a folder (that of the workflows, and that of the list of
// workflows for the Web UI), and creates their schema and the namespace if they are missing. SQLite allows one writer
// for each file; with the list in a separate file, no workflow waits for it. The server's version is part of the file
// names, because Temporal has no migrations for SQLite: another version starts with new files.
func openDatabases(folder, namespace string) (database, visibility *config.SQL, err error) {
	if database, err = openDatabase(filepath.Join(folder, "temporal-"+headers.ServerVersion+".db")); err != nil {
		return nil, nil, err
	}
	ns, err := sqliteschema.NewNamespaceConfig(clusterName, namespace, false, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("describe namespace %s: %w", namespace, err)
	}
	if err := sqliteschema.CreateNamespaces(database, ns); err != nil {
		return nil, nil, fmt.Errorf("create namespace %s: %w", namespace, err)
	}
	list := filepath.Join(folder, "visibility-"+headers.ServerVersion+".db")
	if visibility, err = openDatabase(list); err != nil {
		return nil, nil, err
	}
	return database, visibility, slim(list)
}

// copyDatabases makes a consistent copy of each database file of a folder in target, even while a server uses them.
func copyDatabases(folder, target string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.db"))
	if err != nil {
		return fmt.Errorf("look for database files: %w", err)
	}
	for _, file := range files {
		db, err := sql.Open("sqlite", file)
		if err != nil {
			return fmt.Errorf("open %s: %w", file, err)
		}
		_, err = db.Exec("vacuum into ?", filepath.Join(target, filepath.Base(file)))
		if err := errors.Join(err, db.Close()); err != nil {
			return fmt.Errorf("copy %s: %w", file, err)
		}
	}
	return nil
}

// slim makes writes to the table that lists the workflows cheaper; otherwise the three writes per workflow cost as much
// as the workflow itself. It drops most of the 58 indexes (filters work without those for sorting), the columns for
// kinds of attributes that nobody registers, and the full-text search. All columns for keywords stay, since Temporal
// decides which of them an attribute uses. The search in lists stays for workflows with problems, pauses or changes of
// version, but not for build ids, which every workflow has.
func slim(file string) error {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return fmt.Errorf("open %s: %w", file, err)
	}
	defer db.Close()
	names := func(query string) (names []string, err error) {
		rows, err := db.Query(query)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				return nil, err
			}
			names = append(names, name)
		}
		return names, rows.Err()
	}
	indexes, err := names(`select name from sqlite_master where type = 'index' and tbl_name = 'executions_visibility' and sql is not null
		and name not in ('default_idx', 'by_workflow_id', 'by_workflow_type', 'by_status')`)
	if err != nil {
		return fmt.Errorf("list the indexes of %s: %w", file, err)
	}
	var statements []string
	for _, name := range indexes {
		statements = append(statements, "drop index "+name)
	}
	if texts, err := names(`select name from sqlite_master where name = 'executions_visibility_fts_text'`); err != nil {
		return fmt.Errorf("look into %s: %w", file, err)
	} else if len(texts) > 0 {
		statements = append(statements, "drop trigger executions_visibility_ai",
			"drop trigger executions_visibility_ad", "drop trigger executions_visibility_au",
			"drop table executions_visibility_fts_text", "drop table executions_visibility_fts_keyword_list")
		columns, err := names(`select name from pragma_table_xinfo('executions_visibility') where hidden > 0 and name in ('BinaryChecksums', 'BatcherUser')
			or hidden > 0 and name glob '*[0-9][0-9]' and name not glob 'Keyword[0-9][0-9]'`)
		if err != nil {
			return fmt.Errorf("list the columns of %s: %w", file, err)
		}
		for _, name := range columns {
			statements = append(statements, "alter table executions_visibility drop column "+name)
		}
		statements = append(statements, listSearch()...)
	}
	tx, err := db.Begin()
	if err != nil {
		return fmt.Errorf("change %s: %w", file, err)
	}
	defer tx.Rollback() //nolint:errcheck // fails after a commit
	for _, statement := range statements {
		if _, err := tx.Exec(statement); err != nil {
			return fmt.Errorf("%s in %s: %w", statement, file, err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("change %s: %w", file, err)
	}
	return nil
}

// listSearch creates the search in lists again, only for those lists that few workflows have.
func listSearch() []string {
	columns := []string{"TemporalChangeVersion", "TemporalPauseInfo", "TemporalReportedProblems",
		"TemporalUsedWorkerDeploymentVersions"}
	list := func(prefix string) string { return prefix + strings.Join(columns, ", "+prefix) }
	has := func(row string) string { return row + strings.Join(columns, " is not null or "+row) + " is not null" }
	const table = "executions_visibility_fts_keyword_list"
	enter := "insert into " + table + " (rowid, " + list("") + ") values (new.rowid, " + list("new.") + ");"
	remove := "insert into " + table + " (" + table + ", rowid, " + list("") + ") values ('delete', old.rowid, " +
		list("old.") + ");"
	trigger := func(name, event, when, do string) string {
		return "create trigger executions_visibility_" + name + " after " + event + " on executions_visibility when " +
			when + " begin " + do + " end"
	}
	return []string{
		"create virtual table " + table + " using fts5 (" + list("") + `, content='executions_visibility',
			tokenize="unicode61 remove_diacritics 0 categories 'C* L* M* N* P* S* Z*' separators '♡'")`,
		trigger("ai", "insert", has("new."), enter),
		trigger("ad", "delete", has("old."), remove),
		trigger("au", "update", has("old.")+" or "+has("new."), remove+" "+enter),
	}
}

func openDatabase(file string) (*config.SQL, error) {
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		if err := createDatabase(file); err != nil {
			return nil, fmt.Errorf("create database %s: %w", file, err)
		}
	} else if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	database := sqliteSettings(file)
	database.ConnectAttributes["journal_mode"] = "wal"
	// "normal" loses nothing when a process is killed. In a power failure the last moments may be lost, but not the
	// file: Munshi's reconciler restarts work that the store knows and Temporal does not, and the store has the
	// results of finished steps. "full" would wait for the disk ten times in each turn.
	database.ConnectAttributes["synchronous"] = "normal"
	return database, nil
}

// createDatabase creates the schema under another name and renames the file, so that a kill never leaves half a schema
// under the final name.
func createDatabase(file string) error {
	draft := file + ".new"
	for _, left := range []string{draft, draft + "-journal"} {
		if err := os.Remove(left); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := sqliteschema.SetupSchema(sqliteSettings(draft)); err != nil {
		return err
	}
	return os.Rename(draft, file)
}

func sqliteSettings(file string) *config.SQL {
	return &config.SQL{
		PluginName: sqlite.PluginName,
		// It becomes part of a URI, in which "?", "#" and "%" are special.
		DatabaseName:      (&url.URL{Path: file}).EscapedPath(),
		ConnectAttributes: map[string]string{"mode": "rwc"},
	}
}

func newServer(o options, database, visibility *config.SQL) (temporal.Server, error) {
	ports, err := freePorts(3)
	if err != nil {
		return nil, err
	}
	service := func(port int) config.Service {
		return config.Service{RPC: config.RPC{GRPCPort: port, BindOnIP: host}}
	}
	services := map[string]config.Service{
		string(primitives.FrontendService): service(o.port),
		string(primitives.HistoryService):  service(ports[0]),
		string(primitives.MatchingService): service(ports[1]),
		string(primitives.WorkerService):   service(ports[2]),
	}
	hosts := map[primitives.ServiceName]static.Hosts{}
	for name, s := range services {
		hosts[primitives.ServiceName(name)] = static.SingleLocalHost(net.JoinHostPort(host,
			strconv.Itoa(s.RPC.GRPCPort)))
	}
	archivalOff := config.Archival{
		History:    config.HistoryArchival{State: config.ArchivalDisabled},
		Visibility: config.VisibilityArchival{State: config.ArchivalDisabled},
	}
	cfg := &config.Config{
		Global: config.Global{Membership: config.Membership{
			MaxJoinDuration:  30 * time.Second,
			BroadcastAddress: host,
		}},
		Persistence: config.Persistence{
			DefaultStore:     storeName,
			VisibilityStore:  visibilityName,
			NumHistoryShards: 1, // SQLite has one writer, so more shards would only add polling
			DataStores: map[string]config.DataStore{
				storeName:      {SQL: database},
				visibilityName: {SQL: visibility},
			},
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10,
			MasterClusterName:        clusterName,
			CurrentClusterName:       clusterName,
			ClusterInformation: map[string]cluster.ClusterInformation{
				clusterName: {Enabled: true, InitialFailoverVersion: 1, RPCAddress: o.address()},
			},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		Services:            services,
		Archival:            archivalOff,
		NamespaceDefaults: config.NamespaceDefaults{Archival: config.ArchivalNamespaceDefaults{
			History:    config.HistoryArchivalNamespaceDefaults{State: config.ArchivalDisabled},
			Visibility: config.VisibilityArchivalNamespaceDefaults{State: config.ArchivalDisabled},
		}},
		PublicClient: config.PublicClient{HostPort: o.address()},
	}
	logger := log.NewZapLogger(log.BuildZapLogger(log.Config{Level: o.logLevel}))
	authorizer, err := authorization.GetAuthorizerFromConfig(&cfg.Global.Authorization)
	if err != nil {
		return nil, fmt.Errorf("set up authorization: %w", err)
	}
	claims, err := authorization.GetClaimMapperFromConfig(&cfg.Global.Authorization, logger)
	if err != nil {
		return nil, fmt.Errorf("set up claims: %w", err)
	}
	server, err := temporal.NewServer(
		temporal.WithConfig(cfg),
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithStaticHosts(hosts),
		temporal.WithLogger(logger),
		temporal.WithAuthorizer(authorizer),
		temporal.WithClaimMapper(func(*config.Config) authorization.ClaimMapper { return claims }),
		temporal.WithDynamicConfigClient(tuning()),
	)
	if err != nil {
		return nil, fmt.Errorf("configure server: %w", err)
	}
	return server, nil
}

// tuning returns settings with which one machine needs 10 to 15 ms for a turn. With the defaults, which are made for
// clusters, every hop waits up to 50 ms for the next poll of its queue.
func tuning() dynamicconfig.StaticClient {
	return dynamicconfig.StaticClient{
		dynamicconfig.TransferProcessorMaxPollRPS.Key():         2000,
		dynamicconfig.TimerProcessorMaxPollRPS.Key():            500,
		dynamicconfig.VisibilityProcessorMaxPollRPS.Key():       200,
		dynamicconfig.MatchingNumTaskqueueReadPartitions.Key():  1,
		dynamicconfig.MatchingNumTaskqueueWritePartitions.Key(): 1,
		// One person's thousand pages must not delay another's single page.
		dynamicconfig.MatchingEnableFairness.Key(): true,
		// The default cache is for a machine that does nothing else.
		dynamicconfig.HistoryCacheHostLevelMaxSize.Key(): 8096,
		// The Web UI and the checks at start list workflows more than 10 times a second.
		dynamicconfig.FrontendMaxNamespaceVisibilityRPSPerInstance.Key(): 100,
		// A closed workflow can be deleted only after the queue that closed it has recorded its progress, by default
		// half a minute later.
		dynamicconfig.TransferProcessorUpdateAckInterval.Key(): 2 * time.Second,
		// Nothing is sent anywhere.
		dynamicconfig.EnableServerVersionCheck.Key(): false,
	}
}

// awaitReady returns when the server accepts requests for the namespace and the Web UI answers.
func (o options) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	conn, err := grpc.NewClient(o.address(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return fmt.Errorf("connect to server: %w", err)
	}
	defer conn.Close()
	checks := []func() error{
		func() error {
			answer, err := grpc_health_v1.NewHealthClient(conn).Check(ctx,
				&grpc_health_v1.HealthCheckRequest{Service: workflowservice.WorkflowService_ServiceDesc.ServiceName})
			if err == nil && answer.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
				err = fmt.Errorf("server is %s", answer.GetStatus())
			}
			return err
		},
		func() error {
			_, err := workflowservice.NewWorkflowServiceClient(conn).
				DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: o.namespace})
			return err
		},
		func() error {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, o.uiURL()+"/healthz", nil)
			if err != nil {
				return err
			}
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				return err
			}
			answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				return fmt.Errorf("web UI answered %s", answer.Status)
			}
			return nil
		},
	}
	for _, check := range checks {
		for err := check(); err != nil; err = check() {
			select {
			case <-ctx.Done():
				return fmt.Errorf("wait for server: %w", err)
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	return nil
}

func checkFree(port int) error {
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return err
	}
	return listener.Close()
}

// freePorts returns n different ports on which nobody listens. They are below the range from which the kernel takes
// ports for outgoing connections, since such a port could be taken before the services listen.
func freePorts(n int) ([]int, error) {
	const lowest, count, tries = 12_000, 18_000, 100
	var ports []int
	var err error
	for range tries {
		port := lowest + rand.IntN(count)
		if slices.Contains(ports, port) {
			continue
		}
		if err = checkFree(port); err != nil {
			continue
		}
		if ports = append(ports, port); len(ports) == n {
			return ports, nil
		}
	}
	return nil, fmt.Errorf("find %d free ports: %w", n, err)
}
