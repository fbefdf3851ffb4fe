// Package stdlib has no driver.
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
