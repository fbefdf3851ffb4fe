// Package pgconn has the error type with which Temporal recognises why PostgreSQL refused something.
package pgconn

type PgError struct{ Code, Message string }

func (e *PgError) Error() string { return e.Message }
