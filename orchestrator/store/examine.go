package store

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"munshi/orchestrator/problem"
)

// Database is what an operator needs to know about a database before running Munshi on it.
type Database struct {
	Host     string
	User     string
	Version  int           // of PostgreSQL, such as 17
	Replica  bool          // it is read-only
	Schema   int64         // the version of Munshi's schema in it; 0 if there is none
	Newest   int64         // the version that this release needs
	Unusable []string      // the roles of Munshi that the user may not switch to
	Ahead    time.Duration // how far its clock is ahead of ours
	Replicas int           // number of replicas that follow it
	Behind   bool          // the user may see how far the replicas are behind

	Certificates []*x509.Certificate // those that it presented; none without TLS
	Ours         []*x509.Certificate // those that we presented
}

// Examine checks the database at url without changing anything. If it cannot be reached, the result has Host and User.
func Examine(ctx context.Context, url string) (d Database, err error) {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return d, fmt.Errorf("read the database address: %w", err)
	}
	d.Host, d.User = cfg.Host, cfg.User
	if err := refusePooler(ctx, cfg); err != nil {
		return d, err
	}
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return d, fmt.Errorf("reach the database: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	asked := time.Now()
	var says time.Time
	if err := conn.QueryRow(ctx, "select clock_timestamp(), current_setting('server_version_num')::int / 10000, "+
		"pg_is_in_recovery()").
		Scan(&says, &d.Version, &d.Replica); err != nil {
		return d, fmt.Errorf("ask the database what it is: %w", err)
	}
	d.Ahead = says.Sub(asked.Add(time.Since(asked) / 2))
	if over, ok := conn.PgConn().Conn().(*tls.Conn); ok {
		d.Certificates = over.ConnectionState().PeerCertificates
		for _, chain := range cfg.TLSConfig.Certificates {
			for _, raw := range chain.Certificate {
				c, err := x509.ParseCertificate(raw)
				if err != nil {
					return d, fmt.Errorf("read our own certificate: %w", err)
				}
				d.Ours = append(d.Ours, c)
			}
		}
	}
	if err := conn.QueryRow(ctx, "select count(*), pg_has_role(current_user, 'pg_read_all_stats', 'usage') "+
		"from pg_stat_replication where application_name <> 'pg_basebackup'").Scan(&d.Replicas, &d.Behind); err != nil {
		return d, fmt.Errorf("ask the database for its replicas: %w", err)
	}
	if d.Newest, err = newestMigration(); err != nil {
		return d, err
	}
	err = conn.QueryRow(ctx, "select coalesce(max(version_id), 0) from goose_db_version where is_applied").
		Scan(&d.Schema)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "42P01" { // undefined_table: no migration has run yet
		return d, nil
	}
	if err != nil {
		return d, fmt.Errorf("ask for the schema's version: %w", err)
	}
	rows, err := conn.Query(ctx, `select r from unnest($1::text[]) r
		where not exists (select from pg_roles where rolname = r and pg_has_role(current_user, oid, 'member'))`,
		[]string{"munshi_app", "munshi_system", "munshi_keeper"})
	if err != nil {
		return d, fmt.Errorf("ask for the roles: %w", err)
	}
	if d.Unusable, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
		return d, fmt.Errorf("ask for the roles: %w", err)
	}
	return d, nil
}

// refusePooler returns an error if the connection goes through a pooler that can give each transaction another
// session, as PgBouncer does in transaction mode. Roles, advisory locks and notifications, which Munshi uses, belong
// to sessions.
func refusePooler(ctx context.Context, cfg *pgx.ConnConfig) error {
	ours, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	defer ours.Close(context.WithoutCancel(ctx))
	// Behind a pooler, the process number announced at connect is made up by the pooler, so it differs from the
	// server's.
	pid, err := session(ctx, ours)
	if err != nil || pid == ours.PgConn().PID() {
		return err
	}
	other, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	defer other.Close(context.WithoutCancel(ctx))
	if shared, err := session(ctx, other); err != nil || shared != pid {
		return err
	}
	return problem.New("database_pooler", problem.Params{"host": cfg.Host}, nil)
}

// session returns the process number of the server that answers. It uses the simple protocol, since every pooler
// supports it.
func session(ctx context.Context, conn *pgx.Conn) (pid uint32, err error) {
	if err := conn.QueryRow(ctx, "select pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&pid); err != nil {
		return 0, fmt.Errorf("ask which session answers: %w", err)
	}
	return pid, nil
}

func newestMigration() (newest int64, err error) {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return 0, fmt.Errorf("list the migrations: %w", err)
	}
	for _, file := range files {
		number, _, _ := strings.Cut(strings.TrimPrefix(file, "migrations/"), "_")
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("read the number of %s: %w", file, err)
		}
		newest = max(newest, n)
	}
	return newest, nil
}
