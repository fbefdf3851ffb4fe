//go:build soak && linux

package app_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"munshi/orchestrator/api"
	"munshi/orchestrator/model/modeltest"
)

// The worker is killed half-way through the parts of a 300-page summary, and again while the whole is written:
// finished parts are not asked again.
func TestSoakSummaryKill(t *testing.T) {
	c := startCluster(t, 1, 1, "MUNSHI_MODEL_CONTEXT_TOKENS=16000")
	const half = 12
	var (
		mu    sync.Mutex
		begun = map[string]int{} // how often each question was asked
		parts int                // different ones
		whole int
	)
	atHalf, atWhole := make(chan struct{}), make(chan struct{})
	c.model.Answer = func(r modeltest.Request) string {
		if strings.Contains(said(r), "Take notes on it") {
			return "- A notice, and what it says (page 1)."
		}
		return summaryText
	}
	c.model.Before = func(ctx context.Context, r modeltest.Request, token int) {
		told := said(r)
		part := strings.Contains(told, "Take notes on it")
		mu.Lock()
		if token == 0 {
			if begun[told]++; begun[told] == 1 && part {
				parts++
			}
			if !part {
				whole++
			}
		}
		holdPart := part && token == 2 && begun[told] == 1 && parts == half
		holdWhole := !part && token == 5 && whole == 1
		mu.Unlock()
		reached := map[bool]chan struct{}{holdPart: atHalf, holdWhole: atWhole}[true]
		if reached == nil {
			return
		}
		close(reached)
		<-ctx.Done() // its client is killed
	}

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	b := newBrowser(c.addresses())
	var conversation api.Conversation
	must(t, b.ask(ctx, "POST", "/api/conversations", "application/json", []byte(`{"plugin":"summary"}`), &conversation))
	paper, err := os.ReadFile(repeat(t, "testdata/notice.pdf", 150))
	must(t, err)
	turn, err := b.hand(ctx, conversation.ID, "", paper)
	must(t, err)

	await := func(what string, reached chan struct{}) {
		select {
		case <-reached:
		case <-ctx.Done():
			t.Fatalf("it never came to %s", what)
		}
	}
	await("the middle of the parts", atHalf)
	restart(c.workers)
	await("the whole", atWhole)
	restart(c.workers)
	text, d, err := b.follow(ctx, conversation.ID, turn.ID)
	must(t, err)

	last := d.Messages[len(d.Messages)-1]
	if d.Turn.State != "answered" || last.Text != summaryText || text != last.Text {
		t.Errorf("the turn is %s: %q", d.Turn.State, last.Text)
	}
	mu.Lock()
	defer mu.Unlock()
	again := 0
	for told, n := range begun {
		if n > 2 {
			t.Errorf("asked %d times: %.200s", n, told)
		}
		if n > 1 && strings.Contains(told, "Take notes on it") {
			again++
		}
	}
	const atOnce = 2 // parts under way when the worker dies
	if parts < half+4 || again > atOnce || whole != 2 {
		t.Errorf("%d parts, %d of them asked again, the whole %d times", parts, again, whole)
	}
	fmt.Printf("a 300-page summary in %d parts, its worker killed at part %d and while the whole was written: %d pages read, %d parts asked again (at most the %d under way), the whole asked twice, answered once: %v\n",
		parts, half, d.Documents[0].PagesRead, again, atOnce, !t.Failed())
}
