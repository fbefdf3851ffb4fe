// Package sqlite is the driver "sqlite" for Temporal's SQLite plugin, which imports it under this name. The usual
// driver is SQLite translated to Go, and compiles each statement whenever it runs, which takes a quarter of the
// server's time. This one uses SQLite itself, and caches compiled statements.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// statementsKept is the size of the cache, more than Temporal has different statements.
const statementsKept = 300

func init() { sql.Register("sqlite", sqlite{}) } // as every driver does

// Error is an error reported by SQLite.
type Error struct{ fault sqlite3.Error }

// Error returns SQLite's message.
func (e *Error) Error() string { return e.fault.Error() }

// Code returns SQLite's extended result code.
func (e *Error) Code() int { return int(e.fault.ExtendedCode) }

// told converts errors of SQLite into the type Error, which Temporal expects.
func told(err error) error {
	var fault sqlite3.Error
	if errors.As(err, &fault) {
		return &Error{fault}
	}
	return err
}

type sqlite struct{}

// Open opens a file's path, or a URI such as file:/path?mode=rwc&_pragma=journal_mode=wal.
func (sqlite) Open(name string) (driver.Conn, error) {
	var pragmas []string
	if _, query, ok := strings.Cut(name, "?"); ok && strings.HasPrefix(name, "file:") {
		settings, err := url.ParseQuery(query)
		if err != nil {
			return nil, fmt.Errorf("read the settings of %s: %w", name, err)
		}
		pragmas = settings["_pragma"]
		name += fmt.Sprintf("&_stmt_cache_size=%d", statementsKept)
	}
	opened, err := (&sqlite3.SQLiteDriver{}).Open(name)
	if err != nil {
		return nil, told(err)
	}
	c := conn{opened.(*sqlite3.SQLiteConn)}
	for _, pragma := range pragmas {
		if _, err := c.ExecContext(context.Background(), "pragma "+pragma, nil); err != nil {
			return nil, errors.Join(fmt.Errorf("pragma %s: %w", pragma, err), c.Close())
		}
	}
	return c, nil
}

// conn is a connection that does not interrupt statements when a request's context ends: statements take less time
// than it takes to prepare such an interruption.
type conn struct{ *sqlite3.SQLiteConn }

var (
	_ driver.ExecerContext  = conn{}
	_ driver.QueryerContext = conn{}
	_ driver.ConnBeginTx    = conn{}
)

func (c conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	result, err := c.SQLiteConn.ExecContext(context.WithoutCancel(ctx), query, args)
	return result, told(err)
}

func (c conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.SQLiteConn.QueryContext(context.WithoutCancel(ctx), query, args)
	return rows, told(err)
}

func (c conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	tx, err := c.SQLiteConn.BeginTx(context.WithoutCancel(ctx), opts)
	return tx, told(err)
}
