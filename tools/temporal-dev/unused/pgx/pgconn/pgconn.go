// Package pgconn has the error by which Temporal tells what PostgreSQL refused.
package pgconn

type PgError struct{ Code, Message string }

func (e *PgError) Error() string { return e.Message }
