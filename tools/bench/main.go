// Command bench measures the cost of Munshi's durability, and prints one Markdown table. It compares a chat turn with
// the bare model call in it, the same with a million messages in the store, and the reading of PDFs with the usual
// commands; it also measures the memory of each process, how pages load in a browser, and how responsive typing is
// there. Both sides of every ratio are measured alternately in one run, so that noise affects both. It starts the
// product by itself, with the processes and the durability of a real installation, in a folder that it removes
// afterwards. With --url it measures another installation, and with --peer another product's chat endpoint. It fails
// only if something goes wrong, never because of a number; --compare compares a run with stored ones and says what has
// become worse.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := bench(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// settings are the command-line flags.
type settings struct {
	root    string   // the checkout
	only    []string // parts to measure; nil: all
	quick   bool
	apart   bool
	url     string
	address string // of the imitated model
	peer    peer   // without url: none
	save    string // file to which the run is added
	compare string // file with the runs to compare with
	write   string // document into which the table of stored runs is written

	atOnce    []int
	latencies []time.Duration
}

func (s settings) wants(part string) bool { return len(s.only) == 0 || slices.Contains(s.only, part) }

// of returns how often to do something: n times, or a tenth of that for a quick run.
func (s settings) of(n int) int {
	if s.quick {
		return max(n/10, 3)
	}
	return n
}

var parts = []string{"turns", "waits", "age", "pdf", "memory", "pages"}

func parse(args []string) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&s.root, "root", ".", "the checkout, with bin/ built")
	only := flags.String("only", "", "some parts, with commas between them: "+strings.Join(parts, ", "))
	flags.BoolVar(&s.quick, "quick", false, "a tenth of the work, to see that all runs")
	flags.BoolVar(&s.apart, "apart", false, "API and worker in processes of their own, as serve and worker, instead "+
		"of as make run has them")
	atOnce := flags.String("at-once", "1,8,32", "how many turns at once")
	latencies := flags.String("latency", "0s,500ms", "how long the stand-in model waits before its first token")
	flags.StringVar(&s.url, "url", "", "put the load of turns on this Munshi instead of one of our own")
	flags.StringVar(&s.address, "model", "127.0.0.1:0", "where the stand-in model listens; a server given by --url or "+
		"--peer has to ask it")
	flags.StringVar(&s.peer.url, "peer", "", "put the same load on this chat endpoint too, such as "+
		"http://localhost:3000/api/v1/prediction/1")
	flags.StringVar(&s.peer.body, "peer-body", `{"question": {{text}}}`,
		"its JSON body; {{text}} becomes the question as a JSON string, {{id}} a new id in each turn")
	flags.StringVar(&s.save, "save", "", "add the run to those of this file")
	flags.StringVar(&s.compare, "compare", "", "hold the run against those of this file, and name what got worse by "+
		"more than the noise")
	flags.StringVar(&s.write, "write", "", "measure nothing: write the table of the stored runs that this document "+
		"names into it")
	flags.Func("peer-header", "a header of it, such as 'Authorization: Bearer …'; may be repeated", s.peer.addHeader)
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if *only != "" {
		s.only = strings.Split(*only, ",")
	}
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("there is no argument %q; see --help", flags.Arg(0))
	case slices.ContainsFunc(s.only, func(part string) bool { return !slices.Contains(parts, part) }):
		return s, fmt.Errorf("--only takes %s", strings.Join(parts, ", "))
	case s.url != "" && *only != "" && *only != "turns":
		return s, errors.New("--url measures turns only")
	}
	for _, word := range strings.Split(*atOnce, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return s, fmt.Errorf("--at-once takes numbers such as 1,8,32, not %q", word)
		}
		s.atOnce = append(s.atOnce, n)
	}
	for _, word := range strings.Split(*latencies, ",") {
		d, err := time.ParseDuration(word)
		if err != nil || d < 0 {
			return s, fmt.Errorf("--latency takes times such as 0s,500ms, not %q", word)
		}
		s.latencies = append(s.latencies, d)
	}
	var err error
	s.root, err = filepath.Abs(s.root)
	return s, err
}

func bench(ctx context.Context, args []string) error {
	s, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if s.write != "" {
		return write(s.write)
	}
	began := time.Now()
	r := &report{head: machine()}
	if s.url == "" && s.wants("pdf") {
		if err := pdfs(ctx, s, r); err != nil {
			return err
		}
	}
	if s.wants("turns") || s.wants("waits") || s.wants("age") || s.wants("memory") || s.wants("pages") {
		if err := load(ctx, s, r); err != nil {
			return err
		}
	}
	r.foot = append(r.foot, fmt.Sprintf("The run took %.0f s.", time.Since(began).Seconds()))
	if err := r.print(os.Stdout); err != nil {
		return err
	}
	return keep(s, run{began, r.head, r.figures})
}

// keep compares a run with stored ones, and adds it to a file, if the flags say so.
func keep(s settings, now run) error {
	if s.compare != "" {
		stored, err := readRuns(s.compare)
		if err != nil {
			return err
		}
		table, worse := against(stored, now)
		fmt.Printf("\nAgainst the %d runs of %s:\n\n%s\n", len(stored), s.compare, table)
		if len(worse) > 0 {
			fmt.Printf("Worse by more than the noise: %s.\n", strings.Join(worse, "; "))
		} else {
			fmt.Println("Nothing is worse by more than the noise.")
		}
	}
	if s.save == "" {
		return nil
	}
	return save(s.save, now)
}

// load measures everything that needs a server and a model.
func load(ctx context.Context, s settings, r *report) (err error) {
	// Connections stay open, like those of a browser or a worker.
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	defer client.CloseIdleConnections()
	m, err := listen(s.address, client)
	if err != nil {
		return err
	}
	defer m.close()
	targets := []named{{munshi{s.url, client}, ""}}
	if s.peer.url != "" {
		s.peer.client = client
		targets = append(targets, named{s.peer, "the peer: "})
	}
	if s.url != "" {
		return turns(ctx, s, turnLoads(s), r, m, nil, targets...)
	}
	p, err := bringUp(ctx, s.root, m.url(), s.apart)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop(context.WithoutCancel(ctx))) }()
	ours := munshi{p.address, client}
	targets[0].target = ours
	if s.wants("memory") || s.wants("waits") {
		if err := rest(r, p); err != nil {
			return err
		}
	}
	if s.wants("turns") || s.wants("memory") {
		if err := turns(ctx, s, turnLoads(s), r, m, p, targets...); err != nil {
			return p.explain(err)
		}
	}
	if s.wants("waits") {
		if err := waits(ctx, s, r, ours); err != nil {
			return p.explain(err)
		}
	}
	if s.wants("memory") {
		if err := memory(r, p); err != nil {
			return err
		}
	}
	if s.wants("pages") {
		if err := pages(ctx, s, r, p.address); err != nil {
			return p.explain(err)
		}
		if err := typing(ctx, s, r, m, ours); err != nil {
			return p.explain(err)
		}
	}
	if s.wants("age") {
		if err := age(ctx, s, r, ours, p); err != nil {
			return p.explain(err)
		}
	}
	return nil
}
