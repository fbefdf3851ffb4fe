// Package stdlib replaces pgx's database/sql driver; it has none.
package stdlib

import (
	"context"
	"database/sql/driver"

	"github.com/jackc/pgx/v5"
)

type OptionOpenDB struct{}

func OptionAfterConnect(func(context.Context, *pgx.Conn) error) (o OptionOpenDB) { return o }

func GetConnector(pgx.ConnConfig, ...OptionOpenDB) driver.Connector { return nil }

func GetDefaultDriver() driver.Driver { return nil }
