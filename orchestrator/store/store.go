// Package store keeps all durable data in PostgreSQL: workspaces, conversations, documents and their pages, and turns
// with the results of their steps. It never decides what a turn does next (workflows do), and never shows one
// workspace's rows to another: every table with personal data has forced row-level security, and each transaction
// names its workspace.
package store

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"syscall"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"munshi/orchestrator/store/db"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Errors that callers distinguish.
var (
	// ErrNotFound means that no such row exists in this workspace.
	ErrNotFound = errors.New("not found")
	// ErrTurnOpen means that the conversation's last turn has not ended.
	ErrTurnOpen = errors.New("a turn of this conversation is still open")
	// ErrNotLast means that only the last question of a conversation can be asked again.
	ErrNotLast = errors.New("this is not the last question")
	// ErrAskedBefore means that the document already has a turn of this kind.
	ErrAskedBefore = errors.New("this was asked of the document before")
	// ErrOtherContent means that an Idempotency-Key was reused with different content.
	ErrOtherContent = errors.New("the key was used for other content")
	// ErrSuperseded means that another run or a newer attempt now writes this turn, or that the turn has ended.
	ErrSuperseded = errors.New("another run writes this turn")
	// ErrRewritten is an ErrSuperseded: another attempt has begun the text again. It may be an earlier one that came
	// late.
	ErrRewritten = fmt.Errorf("another attempt writes the text: %w", ErrSuperseded)
)

// Store gives access to the database through a pool of connections.
type Store struct {
	// LatestRun returns the latest run of the turn's workflow. It is called when a run needs a turn that another run
	// owns. If nil, a run not seen before counts as later. It must be set before the first use.
	LatestRun func(ctx context.Context, turn uuid.UUID) (string, error)

	// Stored receives each stored piece of text, for readers in this process; it may be nil. It must be set before the
	// first use.
	Stored func(conversation uuid.UUID, p Piece)

	pool   *pgxpool.Pool
	owners sync.Map // cache of Owner
}

// Migrate brings the database at url to the newest schema; several processes may call it at once. The role in url must
// own the schema, and must be able to create roles unless munshi_app, munshi_system and munshi_keeper exist and are
// granted to it.
func Migrate(ctx context.Context, url string) error {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return fmt.Errorf("read the database address: %w", err)
	}
	if err := refusePooler(ctx, cfg); err != nil {
		return err
	}
	conn := stdlib.OpenDB(*cfg)
	defer conn.Close()
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return fmt.Errorf("make the migration lock: %w", err)
	}
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("open the embedded migrations: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectPostgres, conn, dir, goose.WithSessionLocker(locker))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	return nil
}

// Away reports whether err means that nothing answers at the database's address, or that the database is still
// starting, so that a retry may help. A refused password does not count.
func Away(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code == "57P03" // cannot_connect_now
	}
	var connect *pgconn.ConnectError
	return errors.As(err, &connect)
}

// Full reports whether err means that the disk was full.
func Full(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code == "53100" // disk_full
	}
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// silence is the PostgreSQL setting that limits how long a transaction may stay open without a
// statement.
const silence = "idle_in_transaction_session_timeout"

// Open connects to the migrated database at url with at most conns connections. Every connection uses the role
// munshi_app, to which row-level security applies.
func Open(ctx context.Context, url string, conns int) (*Store, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read the database address: %w", err)
	}
	if conns > 0 {
		cfg.MaxConns = int32(conns)
	}
	cfg.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		if _, err := c.Exec(ctx, "set role munshi_app"); err != nil {
			return err
		}
		// Rows are selected by id, so a generic plan is as good as a custom one, which would take longer to plan than
		// to run.
		if _, err := c.Exec(ctx, "set plan_cache_mode = force_generic_plan"); err != nil {
			return err
		}
		// If the network loses a client in the middle of a transaction, PostgreSQL would otherwise notice only after
		// two hours, and keep its locks until then.
		if _, set := cfg.ConnConfig.RuntimeParams[silence]; set {
			return nil // the address sets it already
		}
		_, err := c.Exec(ctx, "set "+silence+" = '30s'")
		return err
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("reach the database: %w", err)
	}
	return &Store{pool: pool}, nil
}

// Close waits for running queries and closes all connections.
func (s *Store) Close() { s.pool.Close() }

// Ping checks that the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.pool.Ping(ctx) }

// asSystem returns the setting for a transaction that belongs to no person.
func asSystem() statement {
	return statement{"select set_config('role', 'munshi_system', true)", nil}
}

// asApp returns the setting that undoes asSystem within a transaction.
func asApp() statement {
	return statement{"select set_config('role', 'munshi_app', true)", nil}
}

// relaxed returns the setting for writes that a crash of the database may lose.
func relaxed() statement {
	return statement{"select set_config('synchronous_commit', 'off', true)", nil}
}

// within runs fn in a transaction that reads and writes only rows of the workspace.
func (s *Store) within(ctx context.Context, workspace uuid.UUID, fn func(*db.Queries) error) error {
	as, err := asWorkspace(ctx, workspace)
	if err != nil {
		return err
	}
	return s.tx(ctx, []statement{{sql: "begin"}, as}, fn)
}

// reading runs fn in a read-only transaction on a consistent snapshot of the workspace's rows.
func (s *Store) reading(ctx context.Context, workspace uuid.UUID, fn func(*db.Queries) error) error {
	as, err := asWorkspace(ctx, workspace)
	if err != nil {
		return err
	}
	return s.tx(ctx, []statement{{sql: "begin isolation level repeatable read, read only"}, as}, fn)
}

// look runs fn, which must make exactly one query, on the rows of the workspace.
func (s *Store) look(ctx context.Context, workspace uuid.UUID, fn func(*db.Queries) error) error {
	as, err := asWorkspace(ctx, workspace)
	if err != nil {
		return err
	}
	return s.alone(ctx, []statement{as}, fn)
}

// surveying is like reading, for lists over many rows with many optional filters. Each query gets its own plan, since
// a generic plan would take minutes for some filters.
func (s *Store) surveying(ctx context.Context, workspace uuid.UUID, fn func(*db.Queries) error) error {
	as, err := asWorkspace(ctx, workspace)
	if err != nil {
		return err
	}
	planned := statement{"select set_config('plan_cache_mode', 'force_custom_plan', true)", nil}
	return s.tx(ctx, []statement{{sql: "begin isolation level repeatable read, read only"}, as, planned}, fn)
}

// system runs fn in a transaction with the role for work that belongs to no person.
func (s *Store) system(ctx context.Context, fn func(*db.Queries) error) error {
	return s.tx(ctx, []statement{{sql: "begin"}, asSystem()}, fn)
}

// systemLook runs fn, which must make exactly one query, with the role of system.
func (s *Store) systemLook(ctx context.Context, fn func(*db.Queries) error) error {
	return s.alone(ctx, []statement{asSystem()}, fn)
}

// violates reports whether err is a violation of the named unique index.
func violates(err error, index string) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe) && pe.Code == "23505" && pe.ConstraintName == index
}

// newID returns a new id; ids sort by the time they were made.
func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }
