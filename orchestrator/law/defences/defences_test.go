package defences

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/message"
)

func against(t *testing.T) Against {
	t.Helper()
	entries, err := statute.New(statute.Options{}).Entries()
	if err != nil {
		t.Fatal(err)
	}
	return Against{Digest: entries, Tables: law.Built()}
}

func TestBuiltInDefencesAreInOrder(t *testing.T) {
	rules, err := Read(builtIn, "rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range Check(builtIn, "rules", rules, against(t)) {
		t.Error(p)
	}
	if len(rules) < 80 {
		t.Errorf("%d defences, there were to be 80 at least", len(rules))
	}
}

// An English word in the Hindi name of a provision means that the catalogue lacks it.
func TestProvisionsAreNamedInHindi(t *testing.T) {
	word := regexp.MustCompile(`[A-Za-z]*[a-z]{3}[A-Za-z]*`)
	for _, r := range Built() {
		name := message.Citation(r.Provision).In("hi")
		// "(Rate)" is a part of a notification's number, and "(viii)" of a section's.
		plain := regexp.MustCompile(`\(Rate\)|\([ivx]+\)`).ReplaceAllString(name, "")
		if left := word.FindString(plain); left != "" {
			t.Errorf("%s: %q has the English word %q", r.ID, name, left)
		}
	}
}

// A paper whose amount was not read has no total that could be too high.
func TestNoTotalIsNotAddedUp(t *testing.T) {
	rule := slices.IndexFunc(Built(), func(r defence.Rule) bool { return r.ID == "total-over-the-heads" })
	if got := verdict(t, &Built()[rule], map[string]string{"paper.kind": "notice"}); got != "" {
		t.Errorf("the verdict is %q", got)
	}
}

// Each rule is tried with the facts on which it applies, with each required fact removed, and with facts on which it
// does not apply.
func TestEachDefenceOnItsFacts(t *testing.T) {
	for _, r := range Built() {
		t.Run(r.ID, func(t *testing.T) {
			want := defence.Applies
			if r.AtMost != "" {
				want = defence.MayApply
			}
			if got := verdict(t, &r, r.Examples.Holds); got != want {
				t.Errorf("on its facts the verdict is %q, not %q", got, want)
			}
			if got := verdict(t, &r, r.Examples.Otherwise(r.Examples.Not)); got == defence.Applies || got == defence.MayApply {
				t.Errorf("with %v the verdict is %q", r.Examples.Not, got)
			}
			if len(r.Proved) > 0 {
				if got := verdict(t, &r, r.Examples.Otherwise(r.Examples.Proved)); got != defence.Applies {
					t.Errorf("with %v printed the verdict is %q", r.Examples.Proved, got)
				}
			}
			may := r.AtMost != "" || !asks(&r)
			for _, name := range slices.Sorted(maps.Keys(r.Examples.Holds)) {
				without := r.Examples.Otherwise(map[string]string{name: ""})
				got := verdict(t, &r, without)
				if got == defence.Applies && standsOn(&r, name) {
					t.Errorf("it applies although nothing is known of %s", name)
				}
				may = may || got == defence.MayApply
			}
			for _, c := range r.Where { // words that make the condition uncertain
				if c.Unless != "" {
					doubtful := r.Examples.Otherwise(map[string]string{"words": r.Examples.Holds["words"] + " " + strings.Split(c.Unless, "|")[0] + " "})
					may = may || verdict(t, &r, doubtful) == defence.MayApply
				}
			}
			if !may {
				t.Error("there are no facts on which it only may apply")
			}
		})
	}
}

// asks reports whether a rule has something to ask; a rule without a question rests only on what a paper
// prints or does not print.
func asks(r *defence.Rule) bool {
	return slices.ContainsFunc(r.Where, func(c defence.Condition) bool { return c.Ask.English != "" || c.Unless != "" })
}

// Each term for the things in papers is defined once, and every term is used.
func TestVocabulary(t *testing.T) {
	files, err := filepath.Glob("rules/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	for name, words := range vocabulary() {
		if !strings.Contains(all.String(), "@"+name) {
			t.Errorf("no rule speaks of %q", name)
		}
		list := strings.Split(words, "|")
		for i, w := range list {
			if w == "" || w != strings.ToLower(w) || slices.Contains(list[:i], w) {
				t.Errorf("%s: %q is empty, has capitals or stands there twice", name, w)
			}
		}
	}
}

func standsOn(r *defence.Rule, name string) bool {
	return slices.ContainsFunc(slices.Concat(r.Raised, r.Where), func(c defence.Condition) bool { return c.Fact == name && !c.Absent })
}

func verdict(t *testing.T, r *defence.Rule, facts map[string]string) string {
	t.Helper()
	got, err := r.Try(facts)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

const sound = `id: own-rule
title: {en: "Own", hi: "अपना"}
issue: own
scope: paper
provision: CGST Act s.75(4)
law: [{act: cgst, number: "75(4)", on: 2017-07-01}]
raised:
  - {fact: paper.kind, is: [order]}
where:
  - {fact: paper.date, after: 2020-01-01}
takes: nothing
strength: procedural
plead: "On {paper.date}."
explain: {en: "It is so.", hi: "ऐसा है।"}
certainty: knowledge
source: from knowledge
examples:
  holds: {paper.kind: order, paper.date: 2021-01-01}
  not: {paper.date: 2019-01-01}
`

func TestABrokenDefenceIsRefusedWithItsLine(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"no YAML":                   {"scope: paper", "scope: [paper", "own-rule.yaml:"},
		"an unknown field":          {"scope: paper", "scoop: paper", "own-rule.yaml:4: "},
		"an unknown fact":           {"fact: paper.date, after", "fact: paper.dote, after", "own-rule.yaml:10: there is no fact \"paper.dote\""},
		"a value of another kind":   {"after: 2020-01-01", "after: soon", "own-rule.yaml:10: \"soon\" is no value of paper.date"},
		"a contradiction":           {"{fact: paper.date, after: 2020-01-01}", "{fact: paper.kind, is: [notice]}", "own-rule.yaml:10: paper.kind is order above, and notice here"},
		"days the wrong way":        {"after: 2020-01-01", "from: 2021-01-01, to: 2020-01-01", "own-rule.yaml:10: from 2021-01-01 is later than to"},
		"no Hindi":                  {", hi: \"ऐसा है।\"", "", "own-rule.yaml:14: explain is needed in English and Hindi"},
		"a blank that is no fact":   {"{paper.date}.", "{paper.dote}.", "own-rule.yaml:13: {paper.dote} is no fact"},
		"a provision not in force":  {"on: 2017-07-01", "on: 2016-07-01", "own-rule.yaml:6: the digest has no cgst 75(4) in force on 2016-07-01"},
		"an example that fails":     {"paper.date: 2021-01-01}", "paper.date: 2019-06-01}", "own-rule.yaml:17: holds: the verdict is"},
		"words that there are not":  {"{fact: paper.date, after: 2020-01-01}", "{words: \"@nothing\"}", "own-rule.yaml:10: the vocabulary has no \"@nothing\""},
		"a place for a whole paper": {"{fact: paper.date, after: 2020-01-01}", "{words: order, in: paper}", "own-rule.yaml:10: in: paper is for the words of a rule of a charge"},
		"an unknown circular":       {"scope: paper", "scope: paper\nauthority: [Circular No. 999/99/2031-GST]", "own-rule.yaml:5: Circular No. 999/99/2031-GST is not in the tables"},
		"files without facts": {"takes: nothing", "files:\n  where:\n    - {fact: files.ledger, is: [yes]}\n    - {fact: paper.kind, is: [order]}\ntakes: nothing",
			"own-rule.yaml:14: a condition here is about what the files say"},
		"a contradiction of the files": {"takes: nothing", "files:\n  where:\n    - {fact: files.statement, is: [GSTR-2B]}\n    - {fact: files.statement, is: [GSTR-2A]}\ntakes: nothing",
			"own-rule.yaml:14: files.statement is GSTR-2B above, and GSTR-2A here"},
		"a blank in what the files come to": {"takes: nothing", "files:\n  where:\n    - {fact: files.ledger, is: [yes]}\n  plead: \"By {paper.dote}.\"\ntakes: nothing",
			"own-rule.yaml:14: {paper.dote} is no fact"},
		"an amount of the files that is none": {"takes: nothing", "files:\n  where:\n    - {fact: files.ledger, is: [yes]}\n  takes: fact files.ledger\ntakes: nothing",
			"own-rule.yaml:14: files.ledger is no fact that is an amount of money"},
		"a contradiction of what proves it": {"takes: nothing", "at_most: may_apply\nproved:\n  - {fact: paper.kind, is: [notice]}\ntakes: nothing",
			"own-rule.yaml:13: paper.kind is order above, and notice here"},
	} {
		t.Run(name, func(t *testing.T) {
			broken := strings.Replace(sound, c.from, c.to, 1)
			if broken == sound {
				t.Fatal("nothing was changed")
			}
			rules, err := Load(fstest.MapFS{"defences/own-rule.yaml": {Data: []byte(broken)}}, against(t))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, it should have %q", err, c.want)
			}
			if len(rules) != len(Built()) {
				t.Errorf("%d rules serve, the built-in ones are %d", len(rules), len(Built()))
			}
		})
	}
}

func TestAnOverlayReplacesAndAdds(t *testing.T) {
	own := strings.Replace(sound, "id: own-rule", "id: order-without-hearing", 1)
	rules, err := Load(fstest.MapFS{
		"defences/own-rule.yaml":              {Data: []byte(sound)},
		"defences/order-without-hearing.yaml": {Data: []byte(own)},
	}, against(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(rules) != len(Built())+1 {
		t.Errorf("%d rules, want one more than %d", len(rules), len(Built()))
	}
	i := slices.IndexFunc(rules, func(r defence.Rule) bool { return r.ID == "order-without-hearing" })
	if i < 0 || rules[i].Title.English != "Own" {
		t.Error("the operator's rule does not stand in the place of ours")
	}
}

// Rules that are from our own knowledge, or contested, are listed for a lawyer.
func TestWhatIsUnsureIsListed(t *testing.T) {
	page, err := os.ReadFile("../../../docs/defences.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range Built() {
		if listed := strings.Contains(string(page), "| `"+r.ID+"` |"); listed != (r.Certainty != law.Sourced) {
			t.Errorf("%s is %s; listed in docs/defences.md: %v", r.ID, r.Certainty, listed)
		}
	}
}

// The evaluation set, which `munshi evals run --set defences` runs too: papers with fictional parties, and the
// results of the named rules for each.
func TestEvaluationSet(t *testing.T) {
	data, err := os.ReadFile("../../../evals/notice/defences.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			ID, On string
			Input  struct {
				Text  string
				Files []gst.Reconciled
			}
			Expect []struct {
				Defences map[string]struct {
					Verdict string
					Takes   *int64
				}
			}
		}
	}
	if err := yaml.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 60 {
		t.Errorf("%d cases, there were to be 60", len(file.Cases))
	}
	tables, rules := law.Built(), Built()
	for _, c := range file.Cases {
		t.Run(c.ID, func(t *testing.T) {
			pages := []gst.Page{{Text: c.Input.Text}}
			facts := gst.Read(tables, pages)
			facts.Reconciled = c.Input.Files
			points := defence.Evaluate(rules, tables, facts, pages, law.ParseDay(c.On))
			for id, want := range c.Expect[0].Defences {
				i := slices.IndexFunc(points, func(p defence.Point) bool { return p.ID == id })
				if i < 0 {
					if want.Verdict != "not raised" {
						t.Errorf("%s is not raised, it should be: %s", id, want.Verdict)
					}
					continue
				}
				p := points[i]
				if strings.ReplaceAll(p.Verdict, "_", " ") != want.Verdict {
					t.Errorf("%s: %s (%s%s), it should be: %s", id, p.Verdict, p.Ask, p.Why, want.Verdict)
				}
				if want.Takes != nil && (p.Amount == nil || int64(*p.Amount) != *want.Takes*100) {
					t.Errorf("%s takes %v, it should take %d", id, p.Amount, *want.Takes)
				}
			}
		})
	}
}

// BenchmarkEvaluate measures how long the rules take on papers of the evaluation set.
func BenchmarkEvaluate(b *testing.B) {
	data, err := os.ReadFile("../../../evals/notice/defences.yaml")
	if err != nil {
		b.Fatal(err)
	}
	var file struct {
		Cases []struct{ Input struct{ Text string } }
	}
	if err := yaml.Unmarshal(data, &file); err != nil {
		b.Fatal(err)
	}
	tables, rules := law.Built(), Built()
	facts, pages := make([]gst.Facts, len(file.Cases)), make([][]gst.Page, len(file.Cases))
	for i, c := range file.Cases {
		pages[i] = []gst.Page{{Text: c.Input.Text}}
		facts[i] = gst.Read(tables, pages[i])
	}
	day := law.ParseDay("2026-11-22")
	for i := 0; b.Loop(); i++ {
		at := i % len(facts)
		defence.Evaluate(rules, tables, facts[at], pages[at], day)
	}
}

// The decisive points of labelled papers, which were determined before any rule was tried on them. The papers are not
// part of the repository; without them nothing is tested.
func TestDecisivePointsOfLabelledPapers(t *testing.T) {
	const folder = "../../../../shared/samples"
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the labelled papers are not here")
	}
	data, err := os.ReadFile("testdata/papers.json")
	if err != nil {
		t.Fatal(err)
	}
	var papers []struct {
		Paper string
		// points to be found, "a|b" for either, with the verdict; "found" for applies or may apply
		Decides map[string]string
		Also    []string // other points that rightly apply, but decide nothing
	}
	if err := json.Unmarshal(data, &papers); err != nil {
		t.Fatal(err)
	}
	if len(papers) < 40 {
		t.Errorf("%d papers, there were to be 40", len(papers))
	}
	tables, rules := law.Built(), Built()
	found, of := 0, 0
	for _, p := range papers {
		text, err := os.ReadFile(folder + "/" + p.Paper + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		pages := []gst.Page{}
		for page := range strings.SplitSeq(strings.TrimSuffix(string(text), "\f"), "\f") {
			pages = append(pages, gst.Page{Text: page})
		}
		verdicts := map[string]string{}
		facts, day := gst.Read(tables, pages), law.ParseDay("2026-11-22")
		if facts.IssueDate != nil {
			day = law.ParseDay(*facts.IssueDate).AddDays(1) // while it can still be paid, or put right
		}
		for _, point := range defence.Evaluate(rules, tables, facts, pages, day) {
			verdicts[point.ID] = point.Verdict
		}
		right := slices.Clone(p.Also)
		for ids, want := range p.Decides {
			right = append(right, strings.Split(ids, "|")...)
			of++
			if slices.ContainsFunc(strings.Split(ids, "|"), func(id string) bool {
				return verdicts[id] == want || want == "found" && (verdicts[id] == defence.Applies || verdicts[id] == defence.MayApply)
			}) {
				found++
				continue
			}
			t.Logf("%s: %s should be %s; it has %v", p.Paper, ids, want, verdicts)
		}
		for id, verdict := range verdicts {
			if verdict == defence.Applies && !slices.Contains(right, id) {
				t.Errorf("%s: %s applies, it should not", p.Paper, id)
			}
		}
	}
	t.Logf("%d of %d decisive points found in %d papers", found, of, len(papers))
	if 10*found < 9*of {
		t.Errorf("%d of %d decisive points found: less than nine in ten", found, of)
	}
}

// A plea states nothing about a paper that the paper need not print, and a wrong time to answer ends no demand.
func TestPleadingsClaimNoMoreThanIsPrinted(t *testing.T) {
	for id, c := range map[string]struct{ strength, never string }{
		"credit-supplier-cancelled-later": {defence.Ends, "with retrospective effect"},
		"payment-during-a-search":         {defence.Procedural, "in the course of the search"},
		"turnover-of-form-26as":           {defence.Reduces, "Form 26AS"},
		"best-judgment-before-its-time":   {defence.Procedural, ""},
	} {
		i := slices.IndexFunc(Built(), func(r defence.Rule) bool { return r.ID == id })
		if r := Built()[i]; r.Strength != c.strength || c.never != "" && strings.Contains(r.Plead, c.never) {
			t.Errorf("%s: %s, %q", id, r.Strength, r.Plead)
		}
	}
}
