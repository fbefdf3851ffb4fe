package reply_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/printed"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/law/defences"
)

var update = flag.Bool("update", false, "write the golden replies anew, for a person to read in the diff")

// golden is what testdata/golden/NAME.yaml says about the paper NAME.txt: who answers what on which day, and what the
// reply must contain. The reply itself is NAME.md.
type golden struct {
	Today  string              `yaml:"today"`
	Served string              `yaml:"served"`
	Signs  reply.Taxpayer      `yaml:"signs"`
	Said   map[string]said     `yaml:"said"`    // by paragraph
	Answer map[string]response `yaml:"answers"` // by question of the interview
	Papers []string            `yaml:"papers"`  // handed in
	Expect struct {
		Decisive string   `yaml:"decisive"` // the first point on the first page, "" if nothing is to be pleaded
		Amounts  []string `yaml:"amounts"`  // as the reply must state them
		Blanks   int      `yaml:"blanks"`   // at most
		Has      []string `yaml:"has"`
		HasNot   []string `yaml:"has_not"` // text that would contradict the paper or the answers
	} `yaml:"expect"`
}

type said struct {
	Stance reply.Stance `yaml:"stance"`
	Facts  string       `yaml:"facts"`
}

type response struct {
	Holds string   `yaml:"holds"`
	Words []string `yaml:"words"`
}

// The golden replies are whole papers that a person has read. When one changes, the test shows how, and
//
//	go test ./orchestrator/gst/reply -run TestGoldenReplies -update
//
// writes them again, for a person to read in the diff.
func TestGoldenReplies(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d golden replies: %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) { goldenReply(t, strings.TrimSuffix(file, ".yaml")) })
	}
}

func goldenReply(t *testing.T, base string) {
	text, err := os.ReadFile(base + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	var want golden
	if err := yaml.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	paper, err := os.ReadFile(base + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	var pages []gst.Page
	for page := range strings.SplitSeq(strings.TrimSuffix(string(paper), "\f"), "\f") {
		pages = append(pages, gst.Page{Text: page})
	}
	g := want.given(t, pages)
	parts := reply.Parts(tables, g)
	got := reply.Whole(parts) + "\n\n## Fields for the portal\n"
	for _, f := range reply.Sheet(tables, g, parts) {
		if len(f.Value) > 90 || strings.Contains(f.Value, "\n") {
			f.Value = "(as above)"
		}
		got += fmt.Sprintf("\n- %s: %s", f.Name, f.Value)
	}
	got += "\n"
	want.grade(t, g, pages, parts)
	if *update {
		if err := os.WriteFile(base+".md", []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(base + ".md")
	if err != nil {
		t.Fatal(err)
	}
	if d := difference(string(kept), got); d != "" {
		t.Errorf("the reply has changed; read it, and renew it with\n"+
			"go test ./orchestrator/gst/reply -run TestGoldenReplies -update\n%s", d)
	}
}

// given is everything from which the reply is written.
func (w golden) given(t *testing.T, pages []gst.Page) reply.Given {
	t.Helper()
	var told []gst.Correction
	if w.Served != "" {
		told = append(told, gst.Correction{Field: "served_on", Value: []byte(`"` + w.Served + `"`)})
	}
	g := reply.Given{Today: law.ParseDay(w.Today), Taxpayer: w.Signs, Said: map[string]reply.Said{},
		Answers: map[string]reply.Response{}, Application: reply.ApplicationIn(pages)}
	g.Facts = printed.Amounted(tables, gst.Read(tables, pages, told...), pages)
	g.Reckoning = reckon.Reckon(tables, g.Facts, reckon.GivenWith(g.Facts), g.Today)
	for key, a := range w.Answer {
		g.Answers[key] = reply.Response{Holds: a.Holds, Words: a.Words}
	}
	points := reply.Points(tables, g.Facts)
	for key, s := range w.Said {
		if !slices.ContainsFunc(points, func(p reply.Point) bool { return p.Key == key }) {
			t.Errorf("the paper has no paragraph %q", key)
		}
		g.Said[key] = reply.Said{Stance: s.Stance, Facts: s.Facts}
	}
	for _, p := range points {
		if _, ok := g.Said[p.Key]; !ok && p.Allegation {
			g.Said[p.Key] = reply.Said{Stance: reply.Deny}
		}
	}
	for _, d := range g.Facts.RequiredDocuments {
		state := "needed"
		if slices.Contains(w.Papers, d.Type) {
			state = "reviewed"
		}
		g.Papers = append(g.Papers, reply.RequiredPaper{Type: d.Type, State: state})
	}
	for _, paper := range w.Papers {
		if !slices.ContainsFunc(g.Papers, func(p reply.RequiredPaper) bool { return p.Type == paper }) {
			g.Papers = append(g.Papers, reply.RequiredPaper{Type: paper, State: "reviewed"})
		}
	}
	before := defence.Evaluate(defences.Built(), tables, g.Facts, pages, g.Today)
	g.Decides = defence.Evaluate(defences.Built(), tables, g.Facts, pages, g.Today, reply.AnsweredTo(g.Answers)...)
	g.Earlier = printed.Earlier(tables, g.Facts, pages)
	asked := reply.Questions(tables, g, before)
	for key := range w.Answer {
		if !slices.ContainsFunc(asked, func(q reply.Enquiry) bool { return q.Key == key }) {
			var keys []string
			for _, q := range asked {
				keys = append(keys, q.Key)
			}
			t.Errorf("the interview does not ask %q, it asks %q", key, keys)
		}
	}
	return g
}

// grade checks a reply for what a practitioner expects of it: the decisive point first, amounts, few blanks, and
// nothing that contradicts the paper or the answers.
func (w golden) grade(t *testing.T, g reply.Given, pages []gst.Page, parts []reply.Part) {
	t.Helper()
	whole := reply.Whole(parts)
	first := ""
	if i := slices.IndexFunc(parts, func(p reply.Part) bool { return p.ID == "decisive" }); i >= 0 {
		if rows := tableRows.FindAllStringSubmatch(parts[i].Text, -1); len(rows) > 1 {
			first = rows[1][1]
		}
	}
	if first != w.Expect.Decisive {
		t.Errorf("the first page begins with %q, it should begin with %q", first, w.Expect.Decisive)
	}
	for _, a := range slices.Concat(w.Expect.Amounts, w.Expect.Has) {
		if !strings.Contains(whole, a) {
			t.Errorf("the reply does not say %q", a)
		}
	}
	for _, a := range w.Expect.HasNot {
		if strings.Contains(withoutQuotes(whole), a) {
			t.Errorf("the reply says %q", a)
		}
	}
	if n := strings.Count(whole, "[…"); n > w.Expect.Blanks {
		t.Errorf("%d blanks, %d at most", n, w.Expect.Blanks)
	}
	for _, d := range g.Decides {
		if d.Verdict == defence.DoesNotApply && d.Plead != "" && strings.Contains(whole, d.Plead) {
			t.Errorf("it pleads %s, which does not apply", d.ID)
		}
	}
	for _, of := range unsourced(g, pages, parts) {
		t.Errorf("a figure stands in no source: %s", of)
	}
	c := contextOf(g.Facts)
	c.Today = g.Today.ISO()
	text := withoutQuotes(whole)
	for _, m := range tables.Index.Check(text, c) {
		if m.Verdict != cite.Exists && m.Verdict != cite.Contradicts {
			t.Errorf("%q is %s: %s", text[m.Start:m.End], m.Verdict, m.Message)
		}
	}
}

// tableRows matches the first column of table rows, heading included.
var tableRows = regexp.MustCompile(`(?m)^\| ([^|]*[^-| ][^|]*?) \|`)

// unsourced returns the dates and amounts of a draft without a known source.
func unsourced(g reply.Given, pages []gst.Page, parts []reply.Part) []string {
	sources := reply.SourcesOf(tables, g, pages)
	var without []string
	for _, part := range parts {
		text := withoutQuotes(part.Text)
		for _, f := range sources.In(text) {
			if f.Kind == "" {
				without = append(without, fmt.Sprintf("%s in %s: …%s…", text[f.Start:f.End], part.ID,
					oneLineOf(text[max(0, f.Start-60):min(len(text), f.End+40)])))
			}
		}
	}
	return without
}

func oneLineOf(text string) string { return strings.Join(strings.Fields(text), " ") }

// difference returns the lines in which two texts differ, with the line before each place; "" if they
// are equal.
func difference(kept, got string) string {
	a, b := strings.Split(kept, "\n"), strings.Split(got, "\n")
	// the length of the longest common subsequence from each pair of lines on
	same := make([][]int, len(a)+1)
	for i := range same {
		same[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				same[i][j] = same[i+1][j+1] + 1
			} else {
				same[i][j] = max(same[i+1][j], same[i][j+1])
			}
		}
	}
	var out []string
	inPlace := false
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if i < len(a) && j < len(b) && a[i] == b[j] {
			i, j, inPlace = i+1, j+1, false
			continue
		}
		if !inPlace {
			out = append(out, fmt.Sprintf("@@ line %d @@", i+1))
			inPlace = true
		}
		if j == len(b) || i < len(a) && same[i+1][j] >= same[i][j+1] {
			out, i = append(out, "- "+a[i]), i+1
		} else {
			out, j = append(out, "+ "+b[j]), j+1
		}
	}
	return strings.Join(out, "\n")
}

// A difference between two replies names the differing lines and nothing else.
func TestDifference(t *testing.T) {
	if d := difference("a\nb\nc", "a\nb\nc"); d != "" {
		t.Error(d)
	}
	if d, want := difference("a\nb\nc", "a\nx\nc\nd"), "@@ line 2 @@\n- b\n+ x\n@@ line 4 @@\n+ d"; d != want {
		t.Errorf("%q, want %q", d, want)
	}
}
