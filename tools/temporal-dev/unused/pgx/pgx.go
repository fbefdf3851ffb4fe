// Package pgx has the names that Temporal's store in PostgreSQL mentions. No connection can be configured.
package pgx

import "errors"

type (
	Conn       struct{}
	ConnConfig struct{}
	TypeMap    struct{}
)

func ParseConfig(string) (*ConnConfig, error) { return nil, errors.ErrUnsupported }

func (*Conn) TypeMap() *TypeMap { return nil }

func (*TypeMap) RegisterDefaultPgType(any, string) {}
