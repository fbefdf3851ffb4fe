package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"munshi/tools/drills"
)

// fault is a way to break a container. If the container does not recover by itself, the fault is undone after a while.
type fault struct {
	name string
	of   []string // the services that it can affect
	do   func(ctx context.Context, s *stack, c container, long time.Duration) error
}

var parts = []string{"web", "serve", "worker", "postgres", "temporal", "temporal-postgres"}

// faults are drawn from with equal chances; the service is drawn afterwards.
var faults = []fault{
	{"killed", parts, func(_ context.Context, s *stack, c container, _ time.Duration) error { return s.kill(c) }},
	{"frozen", parts, freeze},
	{"cut off", parts, cutOff},
	{"without room on its disk", []string{"serve", "worker", "postgres"}, fill},
	{"left with a provider that fails", []string{"worker"}, storm},
	{"left with a broken prompt", []string{"worker"}, breakPrompt},
}

// freeze stops all processes of a container for a while, like a machine that stalls without noticing.
func freeze(ctx context.Context, _ *stack, c container, long time.Duration) error {
	namespace, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/pid", c.Pid))
	if err != nil {
		return err
	}
	all, err := filepath.Glob("/proc/[0-9]*/ns/pid")
	if err != nil {
		return err
	}
	var stopped []int
	for _, link := range all {
		if is, err := os.Readlink(link); err != nil || is != namespace {
			continue // in another container, or ended
		}
		pid, err := strconv.Atoi(strings.Split(link, "/")[2])
		if err != nil {
			return err
		}
		if syscall.Kill(pid, syscall.SIGSTOP) == nil {
			stopped = append(stopped, pid)
		}
	}
	sleep(ctx, long)
	for _, pid := range stopped {
		_ = syscall.Kill(pid, syscall.SIGCONT) // it may have been killed meanwhile
	}
	return nil
}

// cutOff drops all packets from and to a container for a while, without telling either side.
func cutOff(ctx context.Context, s *stack, c container, long time.Duration) error {
	// Held open, since the container gets the same network namespace if it is killed and restarted meanwhile.
	network, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", c.Pid))
	if err != nil {
		return err
	}
	defer network.Close()
	in := fmt.Sprintf("--net=/proc/%d/fd/%d", os.Getpid(), network.Fd())
	rules := [][]string{{"INPUT", "!", "-i", "lo", "-j", "DROP"}, {"OUTPUT", "!", "-o", "lo", "-j", "DROP"}}
	for _, rule := range rules {
		if err := s.run(ctx, "nsenter", append([]string{in, "iptables", "-I"}, rule...)...); err != nil {
			return err
		}
	}
	sleep(ctx, long)
	for _, rule := range rules {
		if err := s.run(ctx, "nsenter", append([]string{in, "iptables", "-D"}, rule...)...); err != nil {
			return err
		}
	}
	return nil
}

// fill leaves no free byte on the disk of a container for a while: the disk with PostgreSQL's data, or the one
// with uploads.
func fill(ctx context.Context, s *stack, c container, long time.Duration) error {
	folder := fmt.Sprintf("/proc/%d/root/tmp", c.Pid)
	if strings.Contains(c.name(), "postgres") {
		folder = s.disk
	}
	s.oneAtATime.Lock() // several at once would remove each other's
	defer s.oneAtATime.Unlock()
	ballast, err := os.CreateTemp(folder, "ballast-")
	if err != nil {
		if errors.Is(err, syscall.ENOSPC) {
			return nil // full already
		}
		return err
	}
	defer func() { _ = errors.Join(ballast.Close(), os.Remove(ballast.Name())) }() // it goes with a killed container
	piece := make([]byte, 1<<20)
	for len(piece) > 0 {
		if _, err := ballast.Write(piece); err != nil {
			piece = piece[:len(piece)/2]
		}
	}
	sleep(ctx, long)
	return nil
}

// storm makes the provider of models fail for a while: it is busy, broken, silent, or breaks off.
func storm(ctx context.Context, s *stack, _ container, long time.Duration) error {
	s.provider.storms.Add(1)
	defer s.provider.storms.Add(-1)
	sleep(ctx, long)
	return nil
}

// breakPrompt makes a mistake in a prompt, as an editor may, and mends it after a while.
func breakPrompt(ctx context.Context, s *stack, _ container, long time.Duration) error {
	s.oneAtATime.Lock()
	defer s.oneAtATime.Unlock()
	for _, name := range []string{"analyse.md", "plugin.yaml"} {
		file := filepath.Join(s.prompts, "notice", name)
		right, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, append(slices.Clone(right), "\n{{ .Nonsense }}: [\n"...), 0o644); err != nil {
			return err
		}
		defer func() { _ = os.WriteFile(file, right, 0o644) }()
	}
	sleep(ctx, long)
	return nil
}

func sleep(ctx context.Context, long time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(long):
	}
}

// chaos breaks parts of the stack, several at once, in an order given by a seed, while notices are uploaded. It checks
// that every accepted turn gets exactly one answer and one charge.
func chaos(ctx context.Context, s *stack) error {
	note("%s, with the seed %d", s.chaosTime, s.chaosSeed)
	if err := s.addProvider(ctx); err != nil {
		return err
	}
	defer s.provider.close()
	began, err := s.now(ctx)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(s.chaosSeed, 0))
	replicas := map[string]int{}
	for service := range services {
		all, err := s.of(ctx, service)
		if err != nil {
			return err
		}
		replicas[service] = len(all)
	}
	var mu sync.Mutex
	var sent []accepted
	var wrong error
	fail := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		wrong = errors.Join(wrong, err)
	}
	end := time.Now().Add(s.chaosTime)
	var people, broken sync.WaitGroup
	for _, file := range []string{textNotice, scan} {
		people.Go(func() {
			for time.Now().Before(end) && ctx.Err() == nil {
				a, err := s.send(ctx, file)
				if err != nil {
					fail(fmt.Errorf("hand a notice in: %w", err))
					return
				}
				mu.Lock()
				sent = append(sent, a)
				mu.Unlock()
				sleep(ctx, 4*time.Second)
			}
		})
	}
	counts := map[string]int{}
	for time.Now().Before(end) && ctx.Err() == nil {
		f := faults[random.IntN(len(faults))]
		part := f.of[random.IntN(len(f.of))]
		one, every := random.IntN(1<<20), random.IntN(3) == 0
		long, pause := time.Duration(2+random.IntN(14))*time.Second, time.Duration(3+random.IntN(9))*time.Second
		all, err := s.of(ctx, part)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(c container) bool { return c.State != "running" || c.Pid <= 1 })
		// A fault that affects only one service is not a fault of a container.
		if len(all) > 0 && (!every || len(f.of) == 1) {
			all = []container{all[one%len(all)]}
		}
		for _, c := range all {
			counts[part+" "+f.name]++
			broken.Go(func() {
				err := f.do(ctx, s, c, long)
				if err != nil && exists(fmt.Sprintf("/proc/%d", c.Pid)) { // otherwise another fault ended it first
					fail(fmt.Errorf("%s was to be %s: %w", c.name(), f.name, err))
				}
			})
		}
		sleep(ctx, pause)
	}
	broken.Wait()
	people.Wait()
	if wrong != nil {
		return wrong
	}
	found, err := s.answered(ctx, sent...)
	if err != nil {
		return err
	}
	for service, n := range replicas {
		if err := s.awaitHealthy(ctx, service, n); err != nil {
			return err
		}
	}
	if err := s.awaitNoneOpen(ctx); err != nil {
		return err
	}
	if err := s.audit(ctx, began, len(sent)); err != nil {
		return err
	}
	// the offline engine answers again
	s.env = append(s.env, "MUNSHI_MODEL_PROVIDER=", "MUNSHI_MODEL_BASE_URL=", "MUNSHI_MODEL_FALLBACK=")
	var what []string
	for name, n := range counts {
		what = append(what, fmt.Sprintf("%s %d×", name, n))
	}
	slices.Sort(what)
	note("%s", strings.Join(what, ", "))
	var took []time.Duration
	for _, r := range found {
		took = append(took, r.Finished.Sub(r.Created))
	}
	slices.Sort(took)
	note("%d turns were accepted; each is answered and charged once, half of them within %s, the slowest in %s",
		len(sent), took[len(took)/2].Round(100*time.Millisecond), took[len(took)-1].Round(100*time.Millisecond))
	note("of the answers %d are the provider's, which was asked %d times and failed %d of them", s.written(ctx), s.provider.asked.Load(),
		s.provider.failed.Load())
	note("no workflow of a turn is left open, no turn and no use; nothing was accepted that nobody knows of")
	return nil
}

func (s *stack) now(ctx context.Context) (string, error) {
	at, err := s.query(ctx, "select now()")
	return strings.TrimSpace(at), err
}

// written returns how many answers the stand-in for a model has written.
func (s *stack) written(ctx context.Context) int {
	out, err := s.query(ctx, "select count(*) from messages where role = 'assistant' and text like '%stand-in for a language model%'")
	if err != nil {
		return -1
	}
	n, _ := strconv.Atoi(strings.TrimSpace(out))
	return n
}

// audit searches the whole database for leftovers: turns that are open or of which no visitor was informed, uses
// that are neither settled nor released, and files that belong to no document.
func (s *stack) audit(ctx context.Context, since string, sent int) error {
	out, err := s.query(ctx, fmt.Sprintf(`select
		(select count(*) from turns where state in ('queued', 'running')) || ' turns are open, ' ||
		(select count(*) from uses where state = 'reserved') || ' uses are reserved, ' ||
		(select count(*) from blob_chunks b where not exists (select from documents d where d.id = b.blob_id)) || ' pieces of files are of no document, ' ||
		(select count(*) - %d from turns where created_at >= '%s') || ' turns are of nobody'`, sent, since))
	if err != nil {
		return err
	}
	if found := strings.TrimSpace(out); found != "0 turns are open, 0 uses are reserved, 0 pieces of files are of no document, 0 turns are of nobody" {
		return errors.New(found)
	}
	return nil
}

// awaitNoneOpen waits until Temporal lists no running turn; its list of workflows lags by some seconds.
func (s *stack) awaitNoneOpen(ctx context.Context) error {
	return drills.Await(ctx, 2*time.Minute, "the workflows of turns to end", func(ctx context.Context) error {
		out, err := s.compose(ctx, "run", "--rm", "--no-deps", "-T", "temporal-namespace",
			`temporal workflow count --query "WorkflowType = 'Turn' AND ExecutionStatus = 'Running'"`)
		if err == nil && strings.TrimSpace(out) != "Total: 0" {
			err = fmt.Errorf("open: %s", out)
		}
		return err
	})
}
