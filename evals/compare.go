package evals

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/aymanbagabas/go-udiff"
)

// Interval is a confidence interval of a rate.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// z is the normal quantile for a 95% confidence interval.
const z = 1.959964

// Wilson returns the 95% Wilson interval of a pass rate, given passed out of total tests. Without tests it is 0 to 1.
func Wilson(passed, of int) Interval {
	if of == 0 {
		return Interval{0, 1}
	}
	n, p := float64(of), float64(passed)/float64(of)
	middle, spread := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return Interval{max(0, (middle-spread)/(1+z*z/n)), min(1, (middle+spread)/(1+z*z/n))}
}

// Score counts the tests of a case, a category or a grader.
type Score struct {
	Name     string   `json:"name"`
	Passed   int      `json:"passed"`
	Of       int      `json:"of"`
	Interval Interval `json:"interval"`
}

// Accuracy returns passed divided by total times 100.
func (s Score) Accuracy() string { return Accuracy(s.Passed, s.Of) }

// scores counts results by the names that names reports; a result may count for several.
func scores(results []Result, names func(Result, func(name string, passed bool))) []Score {
	all := map[string]*Score{}
	for _, r := range results {
		names(r, func(name string, passed bool) {
			if all[name] == nil {
				all[name] = &Score{Name: name}
			}
			all[name].Of++
			if passed {
				all[name].Passed++
			}
		})
	}
	list := []Score{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s := *all[name]
		s.Interval = Wilson(s.Passed, s.Of)
		list = append(list, s)
	}
	return list
}

// ByCategory counts the tests of each category.
func ByCategory(results []Result) []Score {
	return scores(results, func(r Result, count func(string, bool)) {
		if r.Graded() {
			count(r.Category, r.Passed())
		}
	})
}

// ByCase counts the repeats of each case; a case that passes only sometimes has a rate between 0 and 1.
func ByCase(results []Result) []Score {
	return scores(results, func(r Result, count func(string, bool)) {
		if r.Graded() {
			count(r.Case, r.Passed())
		}
	})
}

// ByGrader counts the verdicts of each grader. Verdicts of a model are counted separately; skipped ones are not
// counted.
func ByGrader(results []Result) []Score {
	return scores(results, func(r Result, count func(string, bool)) {
		for _, v := range r.Verdicts {
			name := v.Grader
			if v.Model {
				name += " (judged by a model)"
			}
			if !v.Skipped {
				count(name, v.Passed)
			}
		}
	})
}

// Change is a case that both runs have.
type Change struct {
	Case     string   `json:"case"`
	Category string   `json:"category"`
	Before   Score    `json:"before"`
	After    Score    `json:"after"`
	Hard     bool     `json:"hard"`    // an expectation that must hold fails in the later run
	Graders  []string `json:"graders"` // graders whose verdicts differ
	Says     []string `json:"says"`    // what is wrong in the later run, in sentences
	Diff     string   `json:"diff"`    // between the first answers, as a unified diff; "" if they are the same
}

// Comparison is what changed from one run to another.
type Comparison struct {
	Fixed      []Change `json:"fixed"`     // passed more often than before
	Broken     []Change `json:"broken"`    // passed less often
	Reworded   []Change `json:"reworded"`  // passed as often, with different answers
	Unchanged  int      `json:"unchanged"` // passed as often, with the same answers
	Added      []string `json:"added"`     // only in the later run
	Gone       []string `json:"gone"`      // only in the earlier run
	Before     Totals   `json:"before"`    // of the cases that both runs have
	After      Totals   `json:"after"`
	Graders    []Shift  `json:"graders"`
	Categories []Shift  `json:"categories"`
}

// Shift is the change of a category's or grader's score from one run to another.
type Shift struct {
	Name   string `json:"name"`
	Before Score  `json:"before"`
	After  Score  `json:"after"`
}

// Compare returns what changed from one run to a later one, case by case.
func Compare(before, after []Result) Comparison {
	c := Comparison{Fixed: []Change{}, Broken: []Change{}, Reworded: []Change{}, Added: []string{}, Gone: []string{}}
	was, is := byCase(before), byCase(after)
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if is[name] == nil {
			c.Gone = append(c.Gone, name)
		}
	}
	var commonBefore, commonAfter []Result
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if was[name] == nil {
			c.Added = append(c.Added, name)
			continue
		}
		commonBefore, commonAfter = append(commonBefore, was[name]...), append(commonAfter, is[name]...)
		change := changed(name, was[name], is[name])
		// Compare rates, since a case may have been repeated more often in one of the runs.
		switch d := change.After.Passed*change.Before.Of - change.Before.Passed*change.After.Of; {
		case d > 0 || change.Before.Of == 0 && change.After.Passed > 0:
			c.Fixed = append(c.Fixed, change)
		case d < 0 || change.Before.Of == 0 && change.After.Of > 0:
			c.Broken = append(c.Broken, change)
		case change.Diff != "":
			c.Reworded = append(c.Reworded, change)
		default:
			c.Unchanged++
		}
	}
	c.Before, c.After = Count(commonBefore), Count(commonAfter)
	c.Graders = shifts(ByGrader(commonBefore), ByGrader(commonAfter))
	c.Categories = shifts(ByCategory(commonBefore), ByCategory(commonAfter))
	return c
}

func byCase(results []Result) map[string][]Result {
	all := map[string][]Result{}
	for _, r := range results {
		all[r.Case] = append(all[r.Case], r)
	}
	for _, repeats := range all {
		slices.SortFunc(repeats, func(a, b Result) int { return cmp.Compare(a.Repeat, b.Repeat) })
	}
	return all
}

func changed(name string, before, after []Result) Change {
	c := Change{
		Case:     name,
		Category: after[0].Category,
		Before:   scoreOf(name, before),
		After:    scoreOf(name, after),
		Graders:  []string{},
		Says:     []string{},
	}
	c.Diff = udiff.Unified("before", "after", before[0].Answer.Text, after[0].Answer.Text)
	failing := map[string]int{}
	for _, r := range before {
		for _, v := range r.Verdicts {
			if !v.Skipped && !v.Passed {
				failing[v.Grader] |= 1
			}
		}
	}
	for _, r := range after {
		c.Hard = c.Hard || r.HardFailed()
		if r.State != Answered {
			c.Says = append(c.Says, r.Error)
		}
		for _, v := range r.Verdicts {
			if !v.Skipped && !v.Passed {
				failing[v.Grader] |= 2
				if !slices.Contains(c.Says, v.Says) {
					c.Says = append(c.Says, v.Says)
				}
			}
		}
	}
	for _, grader := range slices.Sorted(maps.Keys(failing)) {
		if failing[grader] != 3 {
			c.Graders = append(c.Graders, grader)
		}
	}
	return c
}

func scoreOf(name string, results []Result) Score {
	if all := ByCase(results); len(all) > 0 {
		return all[0]
	}
	return Score{Name: name, Interval: Wilson(0, 0)}
}

func shifts(before, after []Score) []Shift {
	all := map[string]Shift{}
	for _, s := range before {
		all[s.Name] = Shift{Name: s.Name, Before: s, After: Score{Name: s.Name}}
	}
	for _, s := range after {
		shift := all[s.Name]
		shift.Name, shift.After = s.Name, s
		all[s.Name] = shift
	}
	list := []Shift{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[name])
	}
	return list
}

// Gate returns the reasons why the prompts of a run may not be published, as sentences; none means that they may.
// Every hard expectation must hold in every test, and the lower end of the pass rate's interval may be below that of
// the blessed run by at most the margin. Without a blessed run only the hard expectations count.
func Gate(blessed, run []Result, margin float64) []string {
	reasons := []string{}
	for _, r := range run {
		for _, v := range r.Verdicts {
			if v.Hard && !v.Skipped && !v.Passed {
				reasons = append(reasons, r.Case+" must hold and does not: "+v.Says)
			}
		}
		if r.State != Answered {
			reasons = append(reasons, r.Case+" was not answered: "+r.Error)
		}
	}
	if len(blessed) == 0 {
		return reasons
	}
	c := Compare(blessed, run)
	was, is := Wilson(c.Before.Passed, c.Before.Tests), Wilson(c.After.Passed, c.After.Tests)
	if was.Low-is.Low > margin {
		reasons = append(reasons, "It passes "+c.After.Accuracy()+" where the blessed run passes "+c.Before.Accuracy()+
			": more is lost than the margin allows.")
		for _, b := range c.Broken {
			reasons = append(reasons, b.Case+" passed in the blessed run and fails.")
		}
	}
	return reasons
}
