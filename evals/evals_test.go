package evals_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"munshi/evals"
	"munshi/orchestrator/gst/cite"
)

func index(t *testing.T) *cite.Index {
	t.Helper()
	x, err := cite.Open(cite.Tables())
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// caseWith returns a case with the given expectations, as YAML.
func caseWith(t *testing.T, expect string) evals.Case {
	t.Helper()
	source := "id: a\nturn: chat\ninput: {text: Why}\ncategory: c\non: 2026-11-22\nexpect:\n  - " + strings.ReplaceAll(expect, "\n", "\n    ") + "\n"
	c, err := evals.Parse("lawyer", source, index(t))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func text(s string) evals.Answer { return evals.Answer{Text: s} }

func TestGraders(t *testing.T) {
	paise := func(n int64) *int64 { return &n }
	facts := evals.Answer{Facts: json.RawMessage(`{"form":"DRC-01","gstin":"27ZAPCS4821K1Z6","sections":["73(1)","16(2)(c)"],"rules":[],"issues":[],
		"periods":[{"fy":"2020-21"}],"demand":{"total":9680.58},"reply_due":{"date":"2025-01-06"},"hearing":null}`)}
	found := func(code, verdict string) evals.Answer {
		return evals.Answer{Text: "…", Findings: []evals.Finding{{Code: code, Verdict: verdict, Quote: "this"}}}
	}
	tests := []struct {
		expect string
		answer evals.Answer
		want   string // passed, skipped, or words of the message
	}{
		{`contains: "thirty days"`, text("Within  **Thirty\ndays** of service."), "passed"},
		{`contains: "thirty days"`, text("Within a month."), `does not contain "thirty days"`},
		{`contains: "don't"`, text("You don’t."), "passed"},
		{`contains_all: [a, zebra]`, text("a cat"), `"zebra"`},
		{`contains_any: [dog, cat]`, text("a Cat"), "passed"},
		{`contains_any: [dog, cow]`, text("a cat"), "none of"},
		{`contains_none: [evade]`, text("You may evade it."), `says "evade"`},
		{`contains_none: [evade]`, text("Pay it."), "passed"},
		{`must_not_say: [no need to reply]`, text("There is No need to reply."), "says"},
		{`matches: "(?i)rs\\.? ?\\d+"`, text("about RS 40"), "passed"},
		{`matches: "^x$"`, text("y"), "does not match"},
		{`schema: {type: object, required: [a], properties: {a: {type: integer}}}`, text("```json\n{\"a\": 1}\n```"), "passed"},
		{`schema: {type: object, required: [a]}`, text(`{"b": 1}`), "schema"},
		{`schema: {type: object}`, text("no"), "not JSON"},
		{`cites: ["CGST s.16(4)", "CGST r.36"]`, text("Under section 16(4) of the CGST Act read with rule 36(4) of the CGST Rules."), "passed"},
		{`cites: ["CGST s.16(4)"]`, text("Sec. 16(4), CGST Act, 2017 bars it."), "passed"},
		{`cites: ["CGST s.16(4)"]`, text("Section 16 of the CGST Act bars it."), "CGST s.16(4)"},
		{`cites: ["CGST s.16"]`, text("Section 16(2)(c) of the CGST Act."), "passed"},
		{`cites: ["CGST s.16"]`, text("Section 161 of the CGST Act."), "does not cite"},
		{`cites: ["IGST s.12(2)"]`, text("Section 12(2) of the CGST Act."), "does not cite"},
		{`cites: ["CGST s.16(4)"]`, text("जीएसटी में धारा 16(4) के अनुसार।"), "passed"},
		{`authorities_verified: true`, text("Section 16(4) of the CGST Act."), "passed"},
		{`authorities_verified: true`, text("Section 999 of the CGST Act."), "999"},
		{`authorities_verified: true`, text("As held in Ram Traders v. Union of India, (2019) 3 SCC 12."), "Nobody can verify"},
		{`authorities_verified: true`, found("provision", "part_unknown"), "passed"},
		{`authorities_verified: true`, found("judgment", "not_verified"), `"this"`},
		{`authorities_verified: true`, found("judgment", "supplied"), "passed"},
		{`agrees: true`, found("fact", "contradicts"), "otherwise"},
		{`agrees: true`, found("figure", "not_in_document"), "otherwise"},
		{`agrees: true`, found("figure", "in_document"), "passed"},
		{`facts: {form: DRC-01, reply_by: 2025-01-06, demand_paise: 968058, gstin: 27ZAPCS4821K1Z6, section: "73", period: [2020-21], hearing: null}`, facts, "passed"},
		{`facts: {form: DRC-07}`, facts, "form is DRC-01 and should be DRC-07"},
		{`facts: {hearing: 2025-01-13}`, facts, "hearing is unknown"},
		{`facts: {reply_by: null}`, facts, "should be unknown"},
		{`facts: {form: DRC-01}`, text("no facts"), "no facts"},
		{`headings: [Allegations, "Next steps"]`, text("## 2. Allegations\nx\n**Next steps:**\ny"), "passed"},
		{`headings: [Allegations]`, text("The allegations are"), "no heading"},
		{`first_page: ["₹100"]`, text("| Point | ₹100 |\n\n## A. Brief facts\nx"), "passed"},
		{`first_page: ["₹100"]`, text("x\n\n## A. Brief facts\n₹100"), "The first page does not say"},
		{`first_page: ["₹100"]`, text("₹100"), "no first page"},
		{`blanks: 1`, text("On [… day]."), "passed"},
		{`blanks: 1`, text("On [… day] by […]."), "2 blanks"},
		{`limbs: [interest, [penalty, fine]]`, text("Interest and a fine."), "passed"},
		{`limbs: [interest, [penalty, fine]]`, text("Interest."), "1 of 2 points"},
		{`required_documents: {names: [Purchase register, GSTR-2B, Invoices, Ledger], recall: 0.75}`, evals.Answer{Required: []string{"purchase register for FY 2020-21", "GSTR-2B", "invoices"}}, "passed"},
		{`required_documents: {names: [Purchase register, GSTR-2B]}`, evals.Answer{Required: []string{"GSTR-2B"}}, "1 of 2 documents"},
		{`language: hi`, text("यह नोटिस GST के अंतर्गत है।"), "passed"},
		{`language: hi`, text("This notice is under GST."), "0%"},
		{`language: en`, text("This notice is under GST."), "passed"},
		{`words: {min: 2, max: 3}`, text("one two three"), "passed"},
		{`words: {min: 2}`, text("one"), "at least 2"},
		{`words: {max: 2}`, text("one two three"), "at most 2"},
		{`latency: 1s`, evals.Answer{Milliseconds: 999}, "passed"},
		{`latency: 1s`, evals.Answer{Milliseconds: 1001}, "at most 1s"},
		{`cost_paise: 50`, evals.Answer{CostPaise: paise(50)}, "passed"},
		{`cost_paise: 50`, evals.Answer{CostPaise: paise(51)}, "51 paise"},
		{`cost_paise: 50`, evals.Answer{}, "skipped"},
		{`defences: {late: {verdict: applies, takes: 220000}, other: {verdict: not raised}}`, evals.Answer{Points: []evals.Ruling{{ID: "late", Verdict: "applies", Takes: paise(22000000)}}}, "passed"},
		{`defences: {late: {verdict: applies}}`, evals.Answer{Points: []evals.Ruling{{ID: "late", Verdict: "may apply"}}}, "late: may apply, it should be: applies"},
		{`defences: {late: {verdict: applies, takes: 5}}`, evals.Answer{Points: []evals.Ruling{{ID: "late", Verdict: "applies", Takes: paise(400)}}}, "late does not take ₹5 away"},
		{`defences: {late: {verdict: may apply}}`, text("nothing"), "late: not raised"},
		{`rubric: {ask: "Is it kind?", pass: 4}`, text("yes"), "skipped"},
	}
	tried := map[string]bool{}
	for _, tt := range tests {
		t.Run(tt.expect, func(t *testing.T) {
			v := caseWith(t, tt.expect).Grade(tt.answer)[0]
			tried[v.Grader] = true
			switch tt.want {
			case "passed":
				if !v.Passed || v.Skipped {
					t.Errorf("got %+v", v)
				}
			case "skipped":
				if !v.Skipped || v.Says == "" {
					t.Errorf("got %+v", v)
				}
			default:
				if v.Passed || v.Skipped || !strings.Contains(v.Says, tt.want) {
					t.Errorf("got %+v, want it to say %q", v, tt.want)
				}
			}
		})
	}
	for _, name := range evals.Graders() {
		if !tried[name] {
			t.Errorf("%s was not tried", name)
		}
	}
}

func TestJudged(t *testing.T) {
	e := caseWith(t, "rubric: {ask: Is it kind, pass: 4}\nhard: true").Expect[0]
	if v := e.Judged(3, "curt"); v.Passed || !v.Model || !v.Hard || v.Says != "curt" {
		t.Errorf("got %+v", v)
	}
	if v := e.Judged(4, ""); !v.Passed {
		t.Errorf("got %+v", v)
	}
}

const good = `cases:
  - id: a
    turn: chat
    input: {text: Why}
    category: c
    on: 2026-11-22
    expect: [{contains: x}]
`

func TestMistakes(t *testing.T) {
	tests := []struct{ name, from, to, want string }{
		{"unknown field", "category: c", "kategory: c", "cases.yaml:5: kategory: there is no such field"},
		{"missing field", "    category: c\n", "", "cases.yaml:2: category: this is missing"},
		{"unknown grader", "contains: x", "contain: x", "cases.yaml:7: expect.contain: there is no such grader"},
		{"two graders", "contains: x", "contains: x, matches: y", "expect.matches: contains stands beside it"},
		{"bad pattern", "contains: x", "matches: '('", "expect.matches: this is no regular expression"},
		{"bad schema", "contains: x", "schema: {type: nonsense}", "expect.schema: this is no JSON Schema"},
		{"bad provision", "contains: x", "cites: [CGST s.999]", "expect.cites: \"CGST s.999\" is no provision"},
		{"unknown fact", "contains: x", "facts: {colour: red}", "expect.facts.colour: there is no such field"},
		{"bad language", "contains: x", "language: fr", "expect.language: write hi or en"},
		{"bad day", "on: 2026-11-22", "on: 22.11.2026", "cases.yaml:6: on: "},
		{"bad id", "id: a", "id: A b", "cases.yaml:2: id: "},
		{"nothing brought", "{text: Why}", "{}", "input: the person brings nothing"},
		{"unknown field of a comparison", "{text: Why}", "{text: Why, files: [{issue: i, colour: [1, 2, 3, 4]}]}", "input.files: there is no field colour"},
		{"unknown field of late returns", "{text: Why}", "{text: Why, files: [{late: {colour: 1}}]}", "input.files: there is no field colour"},
		{"unknown input", "{text: Why}", "{text: Why, colour: red}", "input.colour: there is no such field"},
		{"no document", "{text: Why}", "{document: a.pdf}", "input.document: there is no file documents/a.pdf"},
		{"document outside", "{text: Why}", "{document: ../a.pdf}", "input.document: "},
		{"wrong speaker", "{text: Why}", "{text: Why, before: [{role: assistant, text: x}, {role: user, text: y}]}", "input.before.role: "},
		{"no answer before", "{text: Why}", "{text: Why, before: [{role: user, text: x}]}", "input.before: the assistant"},
		{"no output", "category: c", "category: c\n    set: builtin", "output: a built-in example needs"},
		{"no yaml", "turn: chat", "turn: [chat", "cases.yaml:3: did not find expected ',' or ']' in what begins here"},
		{"twice", "turn: chat", "turn: chat\n    turn: chat", "turn: "},
		{"nothing expected", "[{contains: x}]", "[]", "expect: this has to be a list"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := fstest.MapFS{"lawyer/cases.yaml": {Data: []byte(strings.Replace(good, tt.from, tt.to, 1))}}
			cases, err := evals.Read(files, index(t))
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "lawyer/cases.yaml") {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if len(cases) != 0 {
				t.Error("a case with a mistake is given")
			}
			var p evals.Problem
			if !errors.As(err, &p) {
				t.Errorf("%T is no problem", err)
			}
		})
	}
}

func TestRead(t *testing.T) {
	cases, err := evals.Read(os.DirFS("testdata/cases"), index(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != 5 || cases[0].Name() != "lawyer/time-limit-credit" || len(evals.Choose(cases, "", evals.Builtin)) != 2 || len(evals.Choose(cases, "notice", "")) != 2 {
		t.Fatalf("read %d cases, first %s", len(cases), cases[0].Name())
	}
	for _, c := range cases {
		again, err := evals.Parse(c.Plugin, c.Source, index(t))
		if err != nil {
			t.Fatalf("%s: %v", c.Name(), err)
		}
		if again.SHA() != c.SHA() || again.Asked("d") != c.Asked("d") || again.Source != c.Source || len(again.Expect) != len(c.Expect) {
			t.Errorf("%s is another when it is read again", c.Name())
		}
	}
	// Comments and style do not change the hash of a case, and expectations do not change the hash
	// of the question.
	one := func(text string) evals.Case {
		read, err := evals.Read(fstest.MapFS{"lawyer/cases.yaml": {Data: []byte(text)}}, index(t))
		if err != nil {
			t.Fatal(err)
		}
		return read[0]
	}
	plain := one(good)
	if one(strings.Replace(good, "category: c", "category: c # why", 1)).SHA() != plain.SHA() {
		t.Error("a comment makes another case")
	}
	other := one(strings.Replace(good, "contains: x", "contains: y", 1))
	if other.SHA() == plain.SHA() || other.Asked("") != plain.Asked("") {
		t.Error("an expectation does not make another case, or makes another question")
	}
	if one(strings.Replace(good, "Why", "How", 1)).Asked("") == plain.Asked("") || plain.Asked("a") == plain.Asked("b") {
		t.Error("another question, or document, is not asked anew")
	}
}

func TestPrepare(t *testing.T) {
	cases, err := evals.Read(os.DirFS("testdata/cases"), index(t))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := evals.Prepare(cases, "You are Munshi.\n")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines, want the two built-in examples", len(lines))
	}
	want := `{"messages":[{"role":"system","content":"You are Munshi."},{"role":"user","content":"From which turnover must I register?"},{"role":"assistant","content":"Rs 40 lakh for goods, section 22."}]}`
	if lines[1] != want {
		t.Errorf("got  %s\nwant %s", lines[1], want)
	}
}

func TestAccuracy(t *testing.T) {
	for _, tt := range []struct {
		passed, of int
		want       string
	}{{0, 0, "no cases"}, {5, 5, "100.00%"}, {2, 3, "66.67%"}, {0, 5, "0.00%"}} {
		if got := evals.Accuracy(tt.passed, tt.of); got != tt.want {
			t.Errorf("%d of %d is %s, want %s", tt.passed, tt.of, got, tt.want)
		}
	}
}

func TestWilson(t *testing.T) {
	for _, tt := range []struct {
		passed, of int
		low, high  float64
	}{{0, 0, 0, 1}, {10, 10, 0.7225, 1}, {0, 10, 0, 0.2775}, {81, 263, 0.2553, 0.3662}} {
		got := evals.Wilson(tt.passed, tt.of)
		if math.Abs(got.Low-tt.low) > 0.0001 || math.Abs(got.High-tt.high) > 0.0001 {
			t.Errorf("%d of %d: %v, want %v to %v", tt.passed, tt.of, got, tt.low, tt.high)
		}
	}
}

func result(name string, repeat int, passed bool, text string) evals.Result {
	v := evals.Verdict{Grader: "contains", Passed: passed, Says: "It does not contain it."}
	return evals.Result{Case: name, Category: "c", Repeat: repeat, State: evals.Answered, Verdicts: []evals.Verdict{v}, Answer: evals.Answer{Text: text}}
}

func TestCompare(t *testing.T) {
	before := []evals.Result{result("p/a", 1, true, "one"), result("p/b", 1, true, "one"), result("p/c", 1, false, "one"), result("p/d", 1, true, "one"),
		result("p/gone", 1, true, ""), result("p/often", 1, true, "x"), result("p/often", 2, true, "x")}
	after := []evals.Result{result("p/a", 1, true, "one"), result("p/b", 1, false, "two"), result("p/c", 1, true, "one"), result("p/d", 1, true, "other"),
		result("p/new", 1, true, ""), result("p/often", 1, true, "x"), result("p/often", 2, true, "x"), result("p/often", 3, false, "x")}
	c := evals.Compare(before, after)
	names := func(list []evals.Change) (all []string) {
		for _, x := range list {
			all = append(all, x.Case)
		}
		return all
	}
	got := fmt.Sprint(names(c.Broken), names(c.Fixed), names(c.Reworded), c.Unchanged, c.Added, c.Gone)
	if want := "[p/b p/often] [p/c] [p/d] 1 [p/new] [p/gone]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if diff := c.Broken[0].Diff; !strings.Contains(diff, "-one\n") || !strings.Contains(diff, "+two\n") || c.Broken[0].Says[0] != "It does not contain it." {
		t.Errorf("the broken case says %v with the difference\n%s", c.Broken[0].Says, diff)
	}
	if same := evals.Compare(before, before); len(same.Broken)+len(same.Fixed)+len(same.Reworded) != 0 || same.Unchanged != 6 {
		t.Errorf("a run differs from itself: %+v", same)
	}
	var b strings.Builder
	if err := evals.MarkdownComparison(&b, "one", "two", c); err != nil || !strings.Contains(b.String(), "**2 broken, 1 fixed**") {
		t.Errorf("%v:\n%s", err, b.String())
	}
}

func TestGate(t *testing.T) {
	var blessed, worse []evals.Result
	for i := range 20 {
		blessed = append(blessed, result(fmt.Sprint("p/", i), 1, i > 0, ""))
		worse = append(worse, result(fmt.Sprint("p/", i), 1, i > 5, ""))
	}
	if reasons := evals.Gate(blessed, blessed, 0); len(reasons) != 0 {
		t.Errorf("as good as the blessed run, and held for %v", reasons)
	}
	if reasons := evals.Gate(blessed, worse, 0.05); len(reasons) != 6 || !strings.Contains(reasons[0], "70.00%") {
		t.Errorf("five cases lost, and the reasons are %v", reasons)
	}
	if reasons := evals.Gate(blessed, worse, 0.5); len(reasons) != 0 {
		t.Errorf("within the margin, and held for %v", reasons)
	}
	hard := result("p/19", 1, false, "")
	hard.Verdicts[0].Hard = true
	if reasons := evals.Gate(nil, []evals.Result{hard}, 1); len(reasons) != 1 || !strings.Contains(reasons[0], "must hold") {
		t.Errorf("what must hold does not, and the reasons are %v", reasons)
	}
}

func TestReports(t *testing.T) {
	skipped := result("p/z", 1, false, "")
	skipped.Verdicts = []evals.Verdict{{Grader: "rubric", Model: true, Skipped: true, Says: evals.NoJudge}}
	failed := evals.Result{Case: "q/f", Category: "c", Repeat: 1, State: evals.Failed, Error: "The model is away."}
	run := evals.Run{ID: "r1", Repeats: 1, Model: "the offline engine", Bundles: map[string]string{"p": "0123456789abcdef"},
		Results: []evals.Result{result("p/a", 1, true, "fine"), result("p/b", 1, false, "bad \x01 <text>"), skipped, failed}}
	totals := evals.Count(run.Results)
	if totals.Tests != 3 || totals.Passed != 1 || totals.Failed != 2 || totals.Ungraded != 1 || totals.Accuracy() != "33.33%" {
		t.Errorf("counted %+v", totals)
	}
	var b strings.Builder
	if err := evals.Markdown(&b, run, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"**33.33%**: 1 of 3 tests passed, 2 failed, 1 could not be judged", "- **p/b**\n  - contains: It does not contain it.", "- **q/f**\n  - The model is away.", "0123456789\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := evals.JUnit(&b, run); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<testsuite name="p" tests="3" failures="1" skipped="1"`, `<failure message="contains: It does not contain it.">`, `&lt;text&gt;`, `<failure message="The model is away.">`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, b.String())
		}
	}
}
