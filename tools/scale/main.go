// Command scale measures how Munshi scales on this machine: one, two, four and six workers with a Temporal server on
// PostgreSQL, the CPU time of a turn in each part, thousands of waiting follow-ups, and thousands of live event
// streams over three of serve. It also tests that server with TLS, and checks whether anything periodic scans a whole
// table. It starts all servers and processes by itself, in a folder that it removes afterwards, and prints a table.
// `make scale` runs it.
//
// Temporal's server is built from its Go module, which takes some minutes the first time. Everything shares the cores
// of one machine, including the load program. It ends with an error if something breaks or a requirement is not met.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "scale:", err)
		stop()
		os.Exit(1)
	}
}

// settings are the command-line flags.
type settings struct {
	root       string
	only       []string // parts to measure; nil: all
	workers    []int
	rounds     int           // how often each number of workers is measured
	roundTime  time.Duration // how long each time
	atOnce     int           // turns at the same time
	workspaces int
	followUps  int
	streams    int
	rates      []int // pieces of text a second, over all streams
}

var parts = []struct {
	name, what string
	do         func(context.Context, *machine) error
}{
	{"tls", "Temporal on PostgreSQL with TLS and client certificates", secure},
	{"workers", "one worker and more", throughput},
	{"crowd", "many workspaces and waiting follow-ups", crowd},
	{"streams", "live events over three of serve", streams},
}

func parse(args []string) (s settings, err error) {
	flags := flag.NewFlagSet("scale", flag.ContinueOnError)
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	flags.StringVar(&s.root, "root", ".", "the checkout, with bin/munshi built")
	only := flags.String("only", "", "some parts, with commas between them: "+strings.Join(names, ", "))
	workers := flags.String("workers", "1,2,4,6", "numbers of workers")
	flags.IntVar(&s.rounds, "rounds", 3, "how often each number of workers is measured, in turn")
	flags.DurationVar(&s.roundTime, "time", 20*time.Second, "how long each time")
	flags.IntVar(&s.atOnce, "at-once", 32, "turns at the same time")
	flags.IntVar(&s.workspaces, "workspaces", 100_000, "workspaces in the database")
	flags.IntVar(&s.followUps, "follow-ups", 10_000, "waiting follow-ups")
	flags.IntVar(&s.streams, "streams", 5_000, "live event streams")
	rates := flags.String("rates", "50,200,500,1000", "pieces of text a second, over all streams")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("there is no argument %q; see --help", flags.Arg(0))
	}
	if *only != "" {
		s.only = strings.Split(*only, ",")
	}
	for _, name := range s.only {
		if !slices.Contains(names, name) {
			return s, fmt.Errorf("--only takes %s, not %q", strings.Join(names, ", "), name)
		}
	}
	if s.workers, err = numbers(*workers); err != nil {
		return s, err
	}
	if s.rates, err = numbers(*rates); err != nil {
		return s, err
	}
	s.root, err = filepath.Abs(s.root)
	return s, err
}

func numbers(text string) (all []int, err error) {
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a number", word)
		}
		all = append(all, n)
	}
	return all, nil
}

func run(ctx context.Context, args []string) (err error) {
	s, err := parse(args)
	if err != nil {
		return err
	}
	began := time.Now()
	m := &machine{settings: s, report: &report{head: fmt.Sprintf("%s, %d cores, load before the run %s",
		began.UTC().Format("2 January 2006, 15:04 UTC"), runtime.NumCPU(), load())}}
	defer func() { err = errors.Join(err, m.stop(context.WithoutCancel(ctx))) }()
	if err := m.start(ctx); err != nil {
		return err
	}
	for _, p := range parts {
		if len(s.only) > 0 && !slices.Contains(s.only, p.name) {
			continue
		}
		fmt.Printf("\n== %s\n", p.what)
		at := time.Now()
		if err := p.do(ctx, m); err != nil {
			m.explain()
			return fmt.Errorf("%s: %w", p.what, err)
		}
		fmt.Printf("   measured in %s, load now %s\n", time.Since(at).Round(time.Second), load())
	}
	m.report.print(time.Since(began))
	if len(m.report.missed) > 0 {
		return fmt.Errorf("not as it must be: %s", strings.Join(m.report.missed, "; "))
	}
	return nil
}

// load returns the machine's load averages of one and five minutes.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	f := strings.Fields(string(text))
	return f[0] + " and " + f[1]
}

func note(format string, args ...any) { fmt.Printf("   "+format+"\n", args...) }

// report is the table that is printed at the end.
type report struct {
	head   string
	rows   [][2]string
	missed []string // requirements that were not met
}

func (r *report) add(what, measured string, args ...any) {
	measured = fmt.Sprintf(measured, args...)
	note("%s: %s", what, measured)
	r.rows = append(r.rows, [2]string{what, measured})
}

// must records the result of a check that has to pass.
func (r *report) must(holds bool, what string) string {
	if holds {
		return what + ": held"
	}
	r.missed = append(r.missed, what)
	return what + ": **missed**"
}

func (r *report) print(took time.Duration) {
	fmt.Printf("\n%s, after it %s; the run took %s\n\n| what | measured |\n| --- | --- |\n", r.head, load(),
		took.Round(time.Second))
	for _, row := range r.rows {
		fmt.Printf("| %s | %s |\n", row[0], row[1])
	}
}

// quantile returns the smallest value that a share q of the values does not exceed.
func quantile(values []time.Duration, q float64) time.Duration {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
