package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// figure is one number of a run; its name stays the same from run to run.
type figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	More  bool    `json:"more_is_better,omitempty"`
}

// run is the result of one run of the bench.
type run struct {
	When    time.Time `json:"when"`
	Machine string    `json:"machine"`
	Figures []figure  `json:"figures"`
}

// figure records a number for comparison with later runs.
func (r *report) figure(name string, value float64, unit string) {
	r.figures = append(r.figures, figure{Name: name, Value: value, Unit: unit})
}

// milliseconds records a duration for comparison with later runs.
func (r *report) milliseconds(name string, d time.Duration) {
	r.figure(name, float64(d.Microseconds())/1000, "ms")
}

// readRuns returns the runs stored in a file; none if there is no such file.
func readRuns(file string) (runs []run, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &runs)
	}
	if err != nil {
		return nil, fmt.Errorf("read the runs of %s: %w", file, err)
	}
	return runs, nil
}

// save adds a run to those in a file.
func save(file string, r run) error {
	runs, err := readRuns(file)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(append(runs, r), "", " ")
	if err != nil {
		return fmt.Errorf("encode the runs: %w", err)
	}
	if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("keep the run: %w", err)
	}
	return nil
}

// spread has the values of one figure from several runs.
type spread struct {
	figure
	values []float64 // from best to worst
}

func (s spread) median() float64 { return s.values[(len(s.values)-1)/2] }
func (s spread) worst() float64  { return s.values[len(s.values)-1] }

// noise returns by which share of its median a figure varies without any change: the observed variation, but at least
// what is usual for CPU counters and a machine that does other work.
func (s spread) noise() float64 {
	const least = 0.1
	most, fewest := slices.Max(s.values), slices.Min(s.values)
	return max(least, (most-fewest)/max(s.median(), 1e-9))
}

// spreads returns the figures of runs, in the order in which they first occur.
func spreads(runs []run) []spread {
	var all []spread
	for _, r := range runs {
		for _, f := range r.Figures {
			at := slices.IndexFunc(all, func(s spread) bool { return s.Name == f.Name })
			if at < 0 {
				at = len(all)
				all = append(all, spread{figure: f})
			}
			all[at].values = append(all[at].values, f.Value)
		}
	}
	for _, s := range all {
		slices.SortFunc(s.values, func(a, b float64) int {
			if s.More {
				a, b = b, a
			}
			return cmp.Compare(a, b)
		})
	}
	return all
}

// against compares a run with stored ones, and returns the names of the figures that have become worse by more than
// the noise.
func against(stored []run, now run) (table string, worse []string) {
	var b strings.Builder
	b.WriteString("| what | stored, median | now | change | noise | |\n| --- | --- | --- | --- | --- | --- |\n")
	before := spreads(stored)
	for _, f := range now.Figures {
		at := slices.IndexFunc(before, func(s spread) bool { return s.Name == f.Name })
		if at < 0 || before[at].median() == 0 {
			continue
		}
		s, said := before[at], ""
		change := f.Value/s.median() - 1
		loss := change
		if f.More {
			loss = -change
		}
		switch {
		case loss > s.noise():
			said = "**worse**"
			worse = append(worse, f.Name)
		case -loss > s.noise():
			said = "better"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %+.0f %% | %.0f %% | %s |\n", f.Name, number(s.median(), f.Unit),
			number(f.Value, f.Unit), 100*change, 100*s.noise(), said)
	}
	return b.String(), worse
}

// number formats a value with its unit.
func number(v float64, unit string) string {
	digits := 1
	if v >= 100 {
		digits = 0
	}
	return strings.TrimSpace(fmt.Sprintf("%.*f %s", digits, v, unit))
}

// aims are the limits and targets of figures: upper bounds, or lower bounds where more is better.
var aims = []struct {
	name       string
	must, want float64
}{
	{overWhole, 11, 9},
	{overFirst, 9, 7},
	{perSecond, 125, 160},
	{wholeAtOnce, 320, 250},
	{overSlow, 150, 60},
	{cpuOfTurn, 13, 10},
	{briefShown, 400, 250},
	{firstPage, 2000, 1500},
	{signIn, 150, 0},
	{atRest, 350, 250},
}

// beside writes a table of stored runs with a column for each file: the median and the worst value of each figure, and
// which limits and targets it reaches.
func beside(files []string) (string, error) {
	var b strings.Builder
	var columns [][]spread
	var names []figure
	b.WriteString("| what |")
	for i, file := range files {
		runs, err := readRuns(file)
		if err != nil {
			return "", err
		}
		if len(runs) == 0 {
			return "", fmt.Errorf("%s has no runs", file)
		}
		columns = append(columns, spreads(runs))
		fmt.Fprintf(&b, " %s, %s: median (worst) of %d |", strings.TrimSuffix(baseName(file), ".json"),
			runs[0].When.Format("2 January 2006"), len(runs))
		for _, s := range columns[i] {
			if !slices.ContainsFunc(names, func(f figure) bool { return f.Name == s.Name }) {
				names = append(names, s.figure)
			}
		}
	}
	b.WriteString(" must hold / aim | |\n| --- |" + strings.Repeat(" --- |", len(files)+2) + "\n")
	for _, f := range names {
		fmt.Fprintf(&b, "| %s |", f.Name)
		last, known := 0.0, false
		for _, column := range columns {
			at := slices.IndexFunc(column, func(s spread) bool { return s.Name == f.Name })
			if known = at >= 0; !known {
				b.WriteString(" – |")
				continue
			}
			s := column[at]
			last = s.median()
			fmt.Fprintf(&b, " %s (%s) |", number(s.median(), f.Unit), number(s.worst(), f.Unit))
		}
		b.WriteString(reached(f, last, known) + "\n")
	}
	return b.String(), nil
}

// reached says which limit and which target a figure has, and whether the value keeps them.
func reached(f figure, value float64, known bool) string {
	for _, a := range aims {
		if a.name != f.Name {
			continue
		}
		sign, holds := "≤", func(limit float64) bool { return value <= limit }
		if f.More {
			sign, holds = "≥", func(limit float64) bool { return value >= limit }
		}
		wanted, said := fmt.Sprintf("%s %g", sign, a.must), "missed"
		if a.want != 0 {
			wanted += fmt.Sprintf(" / %g", a.want)
		}
		switch {
		case !known:
			said = "not measured"
		case a.want != 0 && holds(a.want):
			said = "aim reached"
		case holds(a.must):
			said = "holds"
		}
		return " " + wanted + " | " + said + " |"
	}
	return " | |"
}

func baseName(file string) string { return file[strings.LastIndexByte(file, '/')+1:] }

// The lines of a document around the table of stored runs.
const (
	tableBegins = "<!-- written by `go run ./tools/bench --write`, from "
	tableEnds   = "<!-- the end of what is written from runs -->"
)

// write inserts the table of the stored runs that a document names into that document.
func write(document string) error {
	text, err := os.ReadFile(document)
	if err != nil {
		return fmt.Errorf("read the document: %w", err)
	}
	now, err := written(string(text), document[:strings.LastIndexByte(document, '/')+1])
	if err != nil {
		return fmt.Errorf("write the table into %s: %w", document, err)
	}
	if err := os.WriteFile(document, []byte(now), 0o644); err != nil {
		return fmt.Errorf("write the document: %w", err)
	}
	return nil
}

// written returns a document with the table of the runs that it names; their files are below folder.
func written(text, folder string) (string, error) {
	head, rest, begins := strings.Cut(text, tableBegins)
	names, rest, named := strings.Cut(rest, " -->\n")
	_, tail, ends := strings.Cut(rest, tableEnds)
	if !begins || !named || !ends {
		return "", fmt.Errorf("it has no line that begins with %q and one with %q", tableBegins, tableEnds)
	}
	var files []string
	for _, name := range strings.Fields(names) {
		files = append(files, folder+name)
	}
	table, err := beside(files)
	if err != nil {
		return "", err
	}
	return head + tableBegins + names + " -->\n\n" + table + "\n" + tableEnds + tail, nil
}
