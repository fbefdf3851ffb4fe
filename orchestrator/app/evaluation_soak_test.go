//go:build soak && linux

package app_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"munshi/evals"
	"munshi/orchestrator/evaluation"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// markedCases writes cases that each ask about a mark of their own, and returns the marks.
func markedCases(t *testing.T, n int) (dir string, marks []string) {
	dir = t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "lawyer"), 0o755))
	var file strings.Builder
	file.WriteString("cases:\n")
	for i := range n {
		marks = append(marks, newMark())
		fmt.Fprintf(&file, "  - {id: case-%d, turn: chat, input: {text: \"What about %s?\"}, category: soak, on: 2026-11-22, expect: [{contains: %q}]}\n", i+1, marks[i], "On "+marks[i])
	}
	must(t, os.WriteFile(filepath.Join(dir, "lawyer", "cases.yaml"), []byte(file.String()), 0o600))
	return dir, marks
}

// evaluations starts runs on the cluster, as a command would.
func (c *cluster) evaluations(dir string) evaluation.Service {
	quiet := slog.New(slog.DiscardHandler)
	s, err := store.Open(c.t.Context(), c.postgres.stack.DatabaseURL(), 2)
	must(c.t, err)
	c.t.Cleanup(s.Close)
	return evaluation.Service{Store: s, Work: workflows.Client{Temporal: c.client, Namespace: "default"}, Dir: dir, Law: law.Built().Index, Log: quiet}
}

// tried runs 100 cases, 8 at once, and returns how long it took; meanwhile is called during the
// run.
func (c *cluster) tried(e evaluation.Service, meanwhile func(done func() []evals.Result)) (time.Duration, []evals.Result) {
	begun := time.Now()
	run, err := e.Start(c.t.Context(), evaluation.Wanted{By: store.ByCommand, AtOnce: 8})
	must(c.t, err)
	look := func() []evals.Result {
		results, err := evaluation.ResultsOf(c.t.Context(), e.Store, run.ID)
		must(c.t, err)
		return results
	}
	if meanwhile != nil {
		meanwhile(look)
	}
	await(c.t, "the evaluation ends", func() bool {
		run, err = e.Store.EvalRun(c.t.Context(), run.ID)
		must(c.t, err)
		return run.Ended()
	})
	took, results := time.Since(begun), look()
	if run.State != "done" || len(results) != 100 {
		c.t.Fatalf("the run is %s %s with %d results", run.State, run.Reason, len(results))
	}
	return took, results
}

// spent returns the CPU time that this process and its child processes have used: servers, worker and the stand-in
// for a model.
func spent(t *testing.T) (used time.Duration) {
	t.Helper()
	list, err := filepath.Glob("/proc/[0-9]*/stat")
	must(t, err)
	above, ticks := map[int]int{}, map[int]time.Duration{}
	for _, file := range list {
		raw, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		must(t, err)
		_, rest, _ := strings.Cut(string(raw), ") ") // after the name, which may contain any character
		f := strings.Fields(rest)
		user, _ := strconv.Atoi(f[11])
		system, _ := strconv.Atoi(f[12])
		above[pid], _ = strconv.Atoi(f[1])
		ticks[pid] = time.Duration(user+system) * 10 * time.Millisecond // Linux counts in hundredths
	}
	for pid, took := range ticks {
		at := pid
		for at > 1 && at != os.Getpid() {
			at = above[at]
		}
		if at == os.Getpid() {
			used += took
		}
	}
	return used
}

// 100 cases take little longer than the model needs, a repetition takes no time, and after a kill no finished case is
// asked again.
func TestSoakEvaluations(t *testing.T) {
	c := startCluster(t, 1, 1)
	c.model.Latency = 200 * time.Millisecond
	ideal := 100 / 8.0 * c.model.Latency.Seconds()

	dir, marks := markedCases(t, 100)
	e := c.evaluations(dir)
	idle := spent(t)
	took, results := c.tried(e, nil)
	busy := spent(t)
	again, _ := c.tried(e, nil)
	turns := 0
	for _, r := range results {
		turns += r.Answer.Milliseconds
	}
	for i, r := range results {
		if n := c.model.times(marks[i]); !r.Passed() || n != 1 {
			t.Errorf("%s passed: %v, asked %d times", r.Case, r.Passed(), n)
		}
	}

	dir, marks = markedCases(t, 100)
	e.Dir = dir
	kills, under := 0, 0
	finished := map[string]int{} // how often a case had been asked when it was seen as finished
	number := func(r evals.Result) (n int) {
		_, err := fmt.Sscanf(r.Case, "lawyer/case-%d", &n)
		must(t, err)
		return n - 1
	}
	_, results = c.tried(e, func(done func() []evals.Result) {
		for _, at := range []int{15, 40, 65, 90} {
			await(t, fmt.Sprint(at, " cases are done"), func() bool { return len(done()) >= at })
			c.workers[0].kill()
			kills++
			for _, r := range done() {
				finished[r.Case] = c.model.times(marks[number(r)])
			}
			c.workers[0].start()
		}
	})
	for name, times := range finished {
		if n := c.model.times(marks[number(evals.Result{Case: name})]); n != times {
			t.Errorf("%s was finished and is asked again: %d times, then %d", name, times, n)
		}
	}
	for i, r := range results {
		n := c.model.times(marks[i])
		if !r.Passed() || n < 1 {
			t.Errorf("%s passed: %v, asked %d times", r.Case, r.Passed(), n)
		}
		under += n - 1
	}
	if under > kills*8 {
		t.Errorf("%d cases were asked again, more than the %d that can have been under way", under, kills*8)
	}
	fmt.Printf("100 cases of 200 ms, 8 at once: %.2f × the ideal (%.1f s for %.1f s), a turn %d ms of it, of the CPU %d ms a case; the same again %.1f s; worker killed %d times: %d asked again, none that was finished\n",
		took.Seconds()/ideal, took.Seconds(), ideal, turns/len(results), (busy-idle).Milliseconds()/int64(len(results)), again.Seconds(), kills, under)
}
