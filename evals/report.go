package evals

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// Run is a run, as reports need it.
type Run struct {
	ID       string
	Began    time.Time
	Bundles  map[string]string // hash of each plugin's prompts
	Model    string            // the names of the configured models
	Settings json.RawMessage   // of the models
	Repeats  int
	Results  []Result
}

// Markdown writes a run as a Markdown report; c, if not nil, adds the comparison with the blessed run.
func Markdown(w io.Writer, r Run, c *Comparison) error {
	t := Count(r.Results)
	var b strings.Builder
	fmt.Fprintf(&b, "# Evaluation %s\n\n**%s**: %d of %d tests passed, %d failed", r.ID, t.Accuracy(), t.Passed,
		t.Tests, t.Failed)
	if t.Ungraded > 0 {
		fmt.Fprintf(&b, ", %d could not be judged", t.Ungraded)
	}
	i := Wilson(t.Passed, t.Tests)
	fmt.Fprintf(&b, ". The true rate lies between %.0f%% and %.0f%%, nineteen times of twenty.\n\n", i.Low*100,
		i.High*100)
	fmt.Fprintf(&b, "- Begun: %s\n- Answers from: %s\n", r.Began.Format("2 January 2006, 15:04 MST"), r.Model)
	for _, plugin := range slices.Sorted(maps.Keys(r.Bundles)) {
		fmt.Fprintf(&b, "- Prompts of %s: %s\n", plugin, short(r.Bundles[plugin]))
	}
	fmt.Fprintf(&b, "- Asked anew: %d, kept from earlier runs: %d; %d tokens in, %d out, %s of work, %s\n",
		len(r.Results)-t.Cached, t.Cached, t.InputTokens, t.OutputTokens, duration(t.Milliseconds), paise(t.CostPaise))
	if c != nil {
		comparison(&b, *c, "the blessed run")
	}
	table(&b, "Categories", ByCategory(r.Results))
	table(&b, "Graders", ByGrader(r.Results))
	if r.Repeats > 1 {
		var unsteady []Score
		for _, s := range ByCase(r.Results) {
			if s.Passed > 0 && s.Passed < s.Of {
				unsteady = append(unsteady, s)
			}
		}
		if len(unsteady) > 0 {
			table(&b, "Cases that pass sometimes", unsteady)
		}
	}
	if t.Failed > 0 {
		b.WriteString("\n## What failed\n")
		for _, result := range r.Results {
			if !result.Graded() || result.Passed() {
				continue
			}
			fmt.Fprintf(&b, "\n- **%s**", result.Case)
			if r.Repeats > 1 {
				fmt.Fprintf(&b, " (repeat %d)", result.Repeat)
			}
			b.WriteString("\n")
			for _, line := range faults(result) {
				fmt.Fprintf(&b, "  - %s\n", line)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// MarkdownComparison writes the comparison of two runs as Markdown.
func MarkdownComparison(w io.Writer, before, after string, c Comparison) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Evaluation %s against %s\n", after, before)
	comparison(&b, c, before)
	b.WriteString(shiftTable("Categories", c.Categories) + shiftTable("Graders", c.Graders))
	for _, group := range []struct {
		title   string
		changes []Change
	}{{"Broken", c.Broken}, {"Fixed", c.Fixed}, {"Answered in other words", c.Reworded}} {
		if len(group.changes) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n", group.title)
		for _, change := range group.changes {
			fmt.Fprintf(&b, "\n### %s\n\n%d of %d before, %d of %d after.\n", change.Case, change.Before.Passed,
				change.Before.Of, change.After.Passed, change.After.Of)
			for _, says := range change.Says {
				fmt.Fprintf(&b, "\n- %s", oneLine(says))
			}
			if change.Diff != "" {
				fmt.Fprintf(&b, "\n\n~~~~diff\n%s~~~~\n", change.Diff)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func comparison(b *strings.Builder, c Comparison, with string) {
	fmt.Fprintf(b, "\nAgainst %s: **%d broken, %d fixed**, %d answered in other words with the same verdict, %d "+
		"unchanged; %s before, %s after.\n", with,
		len(c.Broken), len(c.Fixed), len(c.Reworded), c.Unchanged, c.Before.Accuracy(), c.After.Accuracy())
	for _, group := range []struct {
		title   string
		changes []Change
	}{{"Broken", c.Broken}, {"Fixed", c.Fixed}} {
		for _, change := range group.changes {
			fmt.Fprintf(b, "- %s: %s", group.title, change.Case)
			if len(change.Graders) > 0 {
				fmt.Fprintf(b, " (%s)", strings.Join(change.Graders, ", "))
			}
			b.WriteString("\n")
		}
	}
	if len(c.Added)+len(c.Gone) > 0 {
		fmt.Fprintf(b, "- Not compared: %d new, %d gone\n", len(c.Added), len(c.Gone))
	}
}

func table(b *strings.Builder, title string, list []Score) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n| | passed | of | | between |\n| --- | ---: | ---: | ---: | --- |\n", title)
	for _, s := range list {
		fmt.Fprintf(b, "| %s | %d | %d | %s | %.0f–%.0f%% |\n", s.Name, s.Passed, s.Of, s.Accuracy(),
			s.Interval.Low*100, s.Interval.High*100)
	}
}

func shiftTable(title string, list []Shift) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n| | before | after |\n| --- | ---: | ---: |\n", title)
	for _, s := range list {
		fmt.Fprintf(&b, "| %s | %s (%d of %d) | %s (%d of %d) |\n", s.Name, s.Before.Accuracy(), s.Before.Passed,
			s.Before.Of, s.After.Accuracy(), s.After.Passed, s.After.Of)
	}
	return b.String()
}

// faults returns what is wrong with a result, in sentences.
func faults(r Result) []string {
	var list []string
	if r.State != Answered {
		list = append(list, oneLine(r.Error))
	}
	for _, v := range r.Verdicts {
		if v.Skipped || v.Passed {
			continue
		}
		line := v.Grader
		switch {
		case v.Model:
			line += fmt.Sprintf(", judged by a model, %d of 5", v.Score)
		case v.Hard:
			line += ", must hold"
		}
		list = append(list, line+": "+oneLine(v.Says))
	}
	return list
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func short(sha string) string { return sha[:min(10, len(sha))] }

func paise(p *int64) string {
	if p == nil {
		return "cost not known"
	}
	return fmt.Sprintf("₹%.2f", float64(*p)/100)
}

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes a run in the XML format that CI systems read: one suite for each plugin, one test for each case and
// repeat.
func JUnit(w io.Writer, r Run) error {
	suites := map[string]*junitSuite{}
	took := map[string]int{}
	for _, result := range r.Results {
		plugin, id, _ := strings.Cut(result.Case, "/")
		s := suites[plugin]
		if s == nil {
			s = &junitSuite{Name: plugin}
			suites[plugin] = s
		}
		c := junitCase{Class: plugin + "." + result.Category, Name: id, Time: seconds(result.Answer.Milliseconds)}
		if r.Repeats > 1 {
			c.Name += fmt.Sprintf(" (%d)", result.Repeat)
		}
		switch lines := faults(result); {
		case !result.Graded():
			s.Skipped++
			c.Skipped = &junitMessage{Message: NoJudge}
		case !result.Passed():
			s.Failures++
			c.Failure = &junitMessage{
				Message: lines[0],
				Text:    clean(strings.Join(lines, "\n") + "\n\n" + result.Answer.Text),
			}
		}
		s.Tests++
		took[plugin] += result.Answer.Milliseconds
		s.Cases = append(s.Cases, c)
	}
	var all junitSuites
	for _, plugin := range slices.Sorted(maps.Keys(suites)) {
		suites[plugin].Time = seconds(took[plugin])
		all.Suites = append(all.Suites, *suites[plugin])
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return fmt.Errorf("write the report for CI: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(ms int) string { return fmt.Sprintf("%.3f", float64(ms)/1000) }

// clean removes characters that XML cannot represent.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == '\uFFFE' || r == '\uFFFF' {
			return -1
		}
		return r
	}, text)
}
