package store

import (
	"testing"

	"munshi/orchestrator/local/localtest"
)

// If a worker was cut off in the middle of a transaction, its lock on a turn's row must end, or every other worker
// would wait for it.
func TestLocksOfALostProcessAreGivenUp(t *testing.T) {
	url := localtest.Postgres(t)
	if err := Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), url, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	var after string
	if err := s.pool.QueryRow(t.Context(), "show idle_in_transaction_session_timeout").Scan(&after); err != nil {
		t.Fatal(err)
	}
	if after != "30s" {
		t.Errorf("a transaction of which nothing is heard is ended after %q", after)
	}
}
