// Package sqlite3 has the SQLite result codes that Temporal's code uses.
package sqlite3

// The codes with which SQLite refuses a duplicate row.
const (
	SQLITE_CONSTRAINT            = 19
	SQLITE_CONSTRAINT_PRIMARYKEY = 1555
	SQLITE_CONSTRAINT_UNIQUE     = 2067
)
