package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

// report is what is printed at the end.
type report struct {
	head string
	rows []row
	foot []string

	figures []figure // for comparison with later runs
}

// The names of figures that have a target.
const (
	overWhole   = "chat turn over the bare call, p50, one at once"
	overFirst   = "first token over the bare call, p50, one at once"
	perSecond   = "turns a second, 32 at once, model at 0 s"
	wholeAtOnce = "whole answer, p95, 32 at once, model at 0 s"
	overSlow    = "whole answer over the bare call, p50, 32 at once, model at 500 ms"
	cpuOfTurn   = "CPU of a turn, all processes, 32 at once"
	briefShown  = "notice of two text pages: upload to brief, p50"
	firstPage   = "10-page scan: upload to the first page's text, p50"
	signIn      = "sign-in, eight at once, p95"
	atRest      = "memory at rest, all processes (PSS)"
)

// row is one line of the table.
type row struct{ what, ours, other, beside, must string }

func (r *report) add(rows ...row) { r.rows = append(r.rows, rows...) }

func (r *report) print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n\n| what | measured | beside it | over it, or ratio | must hold |\n| --- | --- | --- | --- "+
		"| --- |\n", r.head)
	for _, row := range r.rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", row.what, row.ours, row.other, row.beside, row.must)
	}
	if len(r.foot) > 0 {
		fmt.Fprintf(&b, "\n%s\n", strings.Join(r.foot, "\n"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// held says whether a required limit was kept.
func held(what string, ok bool) string {
	if ok {
		return what + ": held"
	}
	return what + ": **missed**"
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Microseconds())/1000) }

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func times(a, b time.Duration) string { return fmt.Sprintf("%.2f ×", a.Seconds()/b.Seconds()) }

func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "  …  "+format+"\n", args...)
}

// machine says when and on which machine the figures were measured.
func machine() string {
	head := fmt.Sprintf("%s, %d cores", time.Now().Format("2 January 2006"), runtime.NumCPU())
	if name := field("/proc/cpuinfo", "model name"); name != "" {
		head += " (" + name + ")"
	}
	var kib int
	if _, err := fmt.Sscan(field("/proc/meminfo", "MemTotal"), &kib); err == nil {
		head += fmt.Sprintf(", %d GB", (kib+1<<19)>>20)
	}
	head += ", " + runtime.GOOS + "/" + runtime.GOARCH
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		head += ", load before the run " + strings.Fields(string(load))[0]
	}
	return head
}

// field returns the value of a line "name: value" in one of Linux's files; "" if there is none.
func field(file, name string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
