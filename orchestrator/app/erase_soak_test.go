//go:build soak && linux

package app_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"munshi/workflows"
)

// Whichever process is killed, and whenever: the data that a person wanted erased is gone from the database and from
// Temporal, and nobody else's data is missing.
func TestSoakErasureKills(t *testing.T) {
	c := startCluster(t, 2, 2)
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	stays := newBrowser(c.addresses())
	theirs, err := stays.converse(ctx)
	must(t, err)
	must(t, analysed(ctx, stays, theirs))
	kept := c.kept(theirs)

	var gone []string // texts that must not occur anywhere
	var rounds int
	var longest time.Duration
	worker, serve, temporal, postgres, everything := c.killings()
	for _, k := range []killing{worker, serve, temporal, postgres, everything} {
		for _, after := range []time.Duration{0, 100 * time.Millisecond, 400 * time.Millisecond} {
			b := newBrowser(c.addresses())
			conversation, err := b.converse(ctx)
			must(t, err)
			must(t, analysed(ctx, b, conversation))
			mark := newMark()
			running, err := b.say(ctx, conversation, "And what of "+mark+"?") // it may be running still
			must(t, err)
			owner, err := c.query(ctx, "select workspace_id::text from conversations where id = $1", conversation)
			must(t, err)
			gone = append(gone, mark, conversation, owner[0], running.ID)

			begun := time.Now()
			time.AfterFunc(after, k.kill)
			for {
				status, raw, err := b.try(ctx, "POST", "/api/erase", "application/json", "", []byte(`{"word":"erase"}`))
				must(t, err)
				// 404: the request was accepted, but its response was lost.
				if status == http.StatusAccepted || status == http.StatusNotFound {
					break
				}
				if status > 0 && status < 500 || ctx.Err() != nil {
					t.Fatalf("the erasure is refused with %d: %s", status, raw)
				}
				time.Sleep(100 * time.Millisecond)
			}
			time.Sleep(time.Until(begun.Add(after + 50*time.Millisecond))) // the kill has begun
			await(t, fmt.Sprintf("what is erased while %s is killed after %v is gone", k.name, after), func() bool {
				left, err := c.query(ctx, "select id::text from workspaces where id = $1", owner[0])
				must(t, err)
				return len(left) == 0
			})
			await(t, "its workflows are gone", func() bool {
				state, err := workflows.Client{Temporal: c.client}.StateOf(ctx, workflows.TurnWorkflowID(running.ID))
				return err == nil && state == workflows.Missing
			})
			longest = max(longest, time.Since(begun))
			rounds++
			c.awaitAPIs()
		}
	}
	conn, err := pgx.Connect(ctx, c.postgres.stack.DatabaseURL())
	must(t, err)
	defer func() { _ = conn.Close(ctx) }()
	for table, text := range dump(t, conn) {
		for _, word := range gone {
			if strings.Contains(text, word) {
				t.Errorf("%s still holds %s", table, word)
			}
		}
	}
	if now := c.kept(theirs); now != kept {
		t.Errorf("what somebody else has is changed:\n%s", difference(kept, now))
	}
	open, err := c.query(ctx, "select id::text from erasures where done_at is null")
	must(t, err)
	if len(open) > 0 {
		t.Errorf("%d erasures have not ended", len(open))
	}
	fmt.Printf("erased %d times while worker, API, Temporal, PostgreSQL or all at once are killed: nothing left: %v; the longest took %.1f s\n", rounds, !t.Failed(), longest.Seconds())
}
