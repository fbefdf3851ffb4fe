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
)

// fault is a way to break a container. If the container does not recover by itself, the fault is undone after a while.
type fault struct {
	name string
	do   func(ctx context.Context, s *stack, c container, long time.Duration) error
}

var parts = []string{"web", "serve", "worker", "postgres", "temporal", "temporal-postgres"}

var faults = []fault{
	{"killed", func(_ context.Context, s *stack, c container, _ time.Duration) error { return s.kill(c) }},
	{"frozen", freeze},
	{"cut off", cutOff},
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
		part, f := parts[random.IntN(len(parts))], faults[random.IntN(len(faults))]
		one, every := random.IntN(1<<20), random.IntN(3) == 0
		long, pause := time.Duration(2+random.IntN(14))*time.Second, time.Duration(3+random.IntN(9))*time.Second
		all, err := s.of(ctx, part)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(c container) bool { return c.State != "running" || c.Pid <= 1 })
		if len(all) > 0 && !every {
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
	note("no workflow of a turn is left open")
	return nil
}

// awaitNoneOpen waits until Temporal lists no running turn; its list of workflows lags by some seconds.
func (s *stack) awaitNoneOpen(ctx context.Context) error {
	return await(ctx, 2*time.Minute, "the workflows of turns to end", func(ctx context.Context) error {
		out, err := s.compose(ctx, "run", "--rm", "--no-deps", "-T", "temporal-namespace",
			`temporal workflow count --query "WorkflowType = 'Turn' AND ExecutionStatus = 'Running'"`)
		if err == nil && strings.TrimSpace(out) != "Total: 0" {
			err = fmt.Errorf("open: %s", out)
		}
		return err
	})
}
