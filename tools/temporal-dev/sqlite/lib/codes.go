// Package sqlite3 has the result codes that Temporal's code mentions.
package sqlite3

// The codes by which SQLite refuses a row that is there already.
const (
	SQLITE_CONSTRAINT            = 19
	SQLITE_CONSTRAINT_PRIMARYKEY = 1555
	SQLITE_CONSTRAINT_UNIQUE     = 2067
)
