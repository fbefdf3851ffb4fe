package main

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// The same load can be applied to any chat endpoint: here to the stand-in model itself.
func TestPeer(t *testing.T) {
	m, err := listen("127.0.0.1:0", http.DefaultClient)
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	asked := func(body string) (*report, error) {
		s, err := parse([]string{"--quick", "--peer", m.url() + "/chat/completions", "--peer-header", "X-Any: thing", "--peer-body", body})
		if err != nil {
			t.Fatal(err)
		}
		s.peer.client = http.DefaultClient
		r := &report{}
		return r, turns(t.Context(), s, []turnLoad{{8, 2, 16, 0}}, r, m, nil, named{s.peer, ""}, named{s.peer, "the peer: "})
	}

	r, err := asked(`{"model": "stand-in", "stream": true, "messages": [{"role": "user", "content": {{text}}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if err := r.print(&table); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| chat turn, 8 at once, model at 0s: turns a second | ", "| the peer: chat turn, 8 at once, model at 0s: turns a second | ",
		"| 0 errors |", "The model was asked once for each of the 64 turns."} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, table.String())
		}
	}

	for body, want := range map[string]string{`{"model": ""}`: "400", `{`: "no valid JSON"} {
		if _, err := asked(body); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the body %s gives %v, want an error with %q", body, err, want)
		}
	}
}

func TestFlagsThatDoNotFit(t *testing.T) {
	for _, args := range []string{"--only speed", "turns", "--url http://x --only pdf", "--peer-header broken", "--at-once 0", "--latency fast"} {
		if _, err := parse(strings.Fields(args)); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}

func TestQuantile(t *testing.T) {
	var s samples
	for i := range 100 {
		s = append(s, sample{first: time.Duration(100 - i), whole: time.Duration(i)})
	}
	if s.whole(.5) != 50 || s.whole(.95) != 95 || s.first(.5) != 51 || s[:1].whole(.95) != 0 || (samples)(nil).whole(.5) != 0 {
		t.Errorf("p50 %v, p95 %v, p50 of first %v", s.whole(.5), s.whole(.95), s.first(.5))
	}
}
