package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"munshi/orchestrator/store/db"
)

// pipeline is a transaction that saves round trips to the database, which cost more than most statements. A statement
// without a result (":exec" in the queries), and the begin, is held back and sent together with the next statement
// that has a result, or with the commit. An error of a held-back statement is returned by the call that sends it. The
// transaction is still all or nothing.
type pipeline struct {
	conn    *pgxpool.Conn
	waiting *pgx.Batch
}

var _ db.DBTX = (*pipeline)(nil)

// statement is an SQL statement that runs before the queries of a transaction.
type statement struct {
	sql  string
	args []any
}

// tx runs fn in one transaction that starts with the statements first.
func (s *Store) tx(ctx context.Context, first []statement, fn func(*db.Queries) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release() // a connection with an open transaction is closed
	p := &pipeline{conn: conn, waiting: &pgx.Batch{}}
	for _, st := range first {
		p.waiting.Queue(st.sql, st.args...)
	}
	if err := fn(db.New(p)); err != nil {
		if conn.Conn().PgConn().TxStatus() != 'I' {
			_, _ = conn.Exec(ctx, "rollback") // if this fails, the pool discards the connection
		}
		return plainError(err)
	}
	p.waiting.Queue("commit")
	results := p.conn.SendBatch(ctx, p.waiting)
	tag, err := skip(results, p.waiting.Len())
	if cerr := results.Close(); err == nil {
		err = cerr
	}
	if err == nil && tag.String() == "ROLLBACK" {
		err = pgx.ErrTxCommitRollback
	}
	if err != nil && conn.Conn().PgConn().TxStatus() != 'I' {
		_, _ = conn.Exec(ctx, "rollback")
	}
	return plainError(err)
}

// alone runs fn after the settings. Only the last statement of fn, and no other, may return rows. All is sent in one
// round trip, and forms one transaction.
func (s *Store) alone(ctx context.Context, settings []statement, fn func(*db.Queries) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	p := &pipeline{conn: conn, waiting: &pgx.Batch{}}
	for _, st := range settings {
		p.waiting.Queue(st.sql, st.args...)
	}
	q := &single{p, false}
	if err := fn(db.New(q)); err != nil {
		return plainError(err)
	}
	if !q.used {
		return errSingle
	}
	return nil
}

// beingErased is the database's error code for starting something in a workspace that is being erased, or whose
// content has moved to an account: see migration 18.
const beingErased = "MU001"

// notPermitted is the database's error code for a write that a row-level policy refuses.
const notPermitted = "42501"

func plainError(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrNotFound
	}
	var refused *pgconn.PgError
	switch {
	case errors.As(err, &refused) && refused.Code == beingErased:
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	case refused != nil && refused.Code == notPermitted:
		return fmt.Errorf("%w: %w", ErrForbidden, err)
	}
	return err
}

// skip reads the results of n held-back statements, and returns the last.
func skip(results pgx.BatchResults, n int) (tag pgconn.CommandTag, err error) {
	for range n {
		if tag, err = results.Exec(); err != nil {
			return tag, err
		}
	}
	return tag, nil
}

// send sends the held-back statements followed by sql, and returns the results positioned at that of sql.
func (p *pipeline) send(ctx context.Context, sql string, args []any) (pgx.BatchResults, error) {
	p.waiting.Queue(sql, args...)
	batch := p.waiting
	p.waiting = &pgx.Batch{}
	results := p.conn.SendBatch(ctx, batch)
	if _, err := skip(results, batch.Len()-1); err != nil {
		return nil, errors.Join(err, closed(results, err))
	}
	return results, nil
}

// closed closes the results, and returns an error unless it is the known one.
func closed(results pgx.BatchResults, known error) error {
	if err := results.Close(); err != nil && err.Error() != known.Error() {
		return err
	}
	return nil
}

// Exec holds the statement back if its name ends in ":exec" and no argument is a byte slice, which the caller may
// reuse.
func (p *pipeline) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	name, _, _ := strings.Cut(sql, "\n")
	waits := strings.HasSuffix(name, " :exec")
	for _, a := range args {
		if _, buffer := a.([]byte); buffer {
			waits = false
		}
	}
	if waits {
		p.waiting.Queue(sql, args...)
		return pgconn.CommandTag{}, nil
	}
	results, err := p.send(ctx, sql, args)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	tag, err := results.Exec()
	if cerr := results.Close(); err == nil {
		err = cerr
	}
	return tag, err
}

// Query sends the statement and returns its rows; the caller must close them before the next statement.
func (p *pipeline) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	results, err := p.send(ctx, sql, args)
	if err != nil {
		return nil, err
	}
	rows, err := results.Query()
	if err != nil {
		return nil, errors.Join(err, closed(results, err))
	}
	return pipelineRows{rows, results}, nil
}

// QueryRow sends the statement and returns its row; the caller must scan it before the next statement.
func (p *pipeline) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	results, err := p.send(ctx, sql, args)
	return pipelineRow{results, err}
}

type pipelineRows struct {
	pgx.Rows
	results pgx.BatchResults
}

func (r pipelineRows) Close() {
	r.Rows.Close()
	_ = r.results.Close() // an error of the statement is in Err; the next statement reports one of the connection
}

type pipelineRow struct {
	results pgx.BatchResults
	err     error
}

func (r pipelineRow) Scan(into ...any) error {
	if r.err != nil {
		return r.err
	}
	err := r.results.QueryRow().Scan(into...)
	if cerr := r.results.Close(); err == nil {
		err = cerr
	}
	return err
}

// single is a pipeline for any number of statements without results and one with rows at the end.
type single struct {
	*pipeline
	used bool
}

// errSingle reports a programming error: a second query would run without the settings of the first.
var errSingle = errors.New("not one statement that answers, as the last")

func (q *single) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if q.used {
		return pgconn.CommandTag{}, errSingle
	}
	return q.pipeline.Exec(ctx, sql, args...)
}

func (q *single) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if q.used {
		return nil, errSingle
	}
	q.used = true
	return q.pipeline.Query(ctx, sql, args...)
}

func (q *single) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if q.used {
		return pipelineRow{err: errSingle}
	}
	q.used = true
	return q.pipeline.QueryRow(ctx, sql, args...)
}
