package evals_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/cite"
)

// written is a case as it is in its file.
type written struct {
	ID    string
	Turn  string
	Input struct {
		Text     string
		Inputs   map[string]string
		Document string
		Before   []struct{ Role, Text string }
		Files    []gst.Reconciled
	}
	Category   string
	Sections   []string
	Difficulty string
	Language   string
	Set        string
	On         string
	Output     string
	Note       string
	Expect     []map[string]yaml.Node

	plugin, file string
}

func (c written) name() string { return c.plugin + "/" + c.ID }

// expects returns what the case expects of a grader, one item for each time that it is listed.
func (c written) expects(grader string) []yaml.Node {
	var found []yaml.Node
	for _, e := range c.Expect {
		if n, ok := e[grader]; ok {
			found = append(found, n)
		}
	}
	return found
}

// content reads the cases next to this test.
func content(t *testing.T) []written {
	t.Helper()
	files, err := filepath.Glob("*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("find the files of cases: %d, %v", len(files), err)
	}
	var all []written
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list struct{ Cases []written }
		decoder := yaml.NewDecoder(bytes.NewReader(raw))
		decoder.KnownFields(true)
		if err := decoder.Decode(&list); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range list.Cases {
			c.plugin, c.file = filepath.Dir(file), filepath.Base(file)
			all = append(all, c)
		}
	}
	return all
}

var (
	knownGraders = []string{"contains", "contains_all", "contains_any", "contains_none", "matches", "schema", "cites", "authorities_verified", "facts",
		"agrees", "headings", "first_page", "blanks", "limbs", "must_not_say", "required_documents", "language", "words", "latency", "cost_paise", "defences", "rubric"}
	knownTurns = map[string][]string{"lawyer": {"chat"}, "notice": {"analysis", "document", "reply", "chat", "points"}, "drafting": {"analysis"}, "summary": {"analysis", "chat"}}
)

func TestCasesAreWellFormed(t *testing.T) {
	ids := map[string]bool{}
	for _, c := range content(t) {
		if !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(c.ID) || ids[c.name()] {
			t.Errorf("%s: the id is no kebab-case, or stands there twice", c.name())
		}
		ids[c.name()] = true
		if !slices.Contains(knownTurns[c.plugin], c.Turn) {
			t.Errorf("%s: the plugin has no turn %q", c.name(), c.Turn)
		}
		if _, err := time.Parse(time.DateOnly, c.On); err != nil {
			t.Errorf("%s: the day on which it is true: %v", c.name(), err)
		}
		if c.Category == "" || !slices.Contains([]string{"basic", "intermediate"}, c.Difficulty) || !slices.Contains([]string{"en", "hi"}, c.Language) ||
			!slices.Contains([]string{"builtin", "golden", "attack", "defences"}, c.Set) {
			t.Errorf("%s: category %q, difficulty %q, language %q, set %q", c.name(), c.Category, c.Difficulty, c.Language, c.Set)
		}
		if c.Input.Text == "" && c.Input.Document == "" && len(c.Input.Inputs) == 0 {
			t.Errorf("%s: the person brings nothing", c.name())
		}
		for i, said := range c.Input.Before {
			if said.Role != []string{"user", "assistant"}[i%2] {
				t.Errorf("%s: earlier message %d is by %q", c.name(), i+1, said.Role)
			}
		}
		if len(c.Expect) == 0 {
			t.Errorf("%s expects nothing", c.name())
		}
		for _, e := range c.Expect {
			graders := 0
			for name := range e {
				switch {
				case slices.Contains(knownGraders, name):
					graders++
				case name != "hard":
					t.Errorf("%s: there is no grader %q", c.name(), name)
				}
			}
			if graders != 1 {
				t.Errorf("%s: an item of expect has %d graders", c.name(), graders)
			}
		}
		for _, n := range c.expects("matches") {
			if _, err := regexp.Compile(n.Value); err != nil {
				t.Errorf("%s: %v", c.name(), err)
			}
		}
	}
}

var provision = regexp.MustCompile(`^(CGST|IGST|NI Act|Contract Act) ([sr])\.(\d+[A-Z]{0,3}(?:\([0-9A-Za-z]+\))*)$`)

// Provisions in a case must be in the index, and in force on the day for which the case is written.
func TestCasesNameProvisionsInForce(t *testing.T) {
	law, err := cite.Open(cite.Tables())
	if err != nil {
		t.Fatal(err)
	}
	acts := map[string]string{"CGST s": "cgst", "CGST r": "cgst_rules", "IGST s": "igst", "NI Act s": "ni", "Contract Act s": "contract"}
	for _, c := range content(t) {
		named := slices.Clone(c.Sections)
		for _, n := range c.expects("cites") {
			var list []string
			if err := n.Decode(&list); err != nil {
				t.Errorf("%s: %v", c.name(), err)
			}
			named = append(named, list...)
		}
		for _, p := range named {
			m := provision.FindStringSubmatch(p)
			if m == nil {
				t.Errorf("%s: %q is not written as CGST s.16(4), CGST r.36(4) or IGST s.12(3)", c.name(), p)
				continue
			}
			mark := law.Lookup(acts[m[1]+" "+m[2]], m[3], cite.Context{Today: c.On})
			if mark.Verdict != cite.Exists && mark.Verdict != cite.PartUnknown {
				t.Errorf("%s: %s is %s: %s", c.name(), p, mark.Verdict, mark.Message)
			}
		}
	}
}

func TestModelAnswersPassTheirOwnRule(t *testing.T) {
	fold := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	for _, c := range content(t) {
		if c.Set != "builtin" {
			continue
		}
		rules := c.expects("contains")
		if c.Output == "" || len(rules) == 0 {
			t.Errorf("%s: a built-in example has a model answer and a text that it contains", c.name())
		}
		for _, n := range rules {
			if !strings.Contains(fold(c.Output), fold(n.Value)) {
				t.Errorf("%s: the model answer does not contain %q", c.name(), n.Value)
			}
		}
	}
}

func TestThereAreEnoughCases(t *testing.T) {
	count := map[string]int{}
	for _, c := range content(t) {
		count["built-in examples"] += unit(c.Set == "builtin")
		count["attacks"] += unit(c.Set == "attack")
		count["cases in Hindi"] += unit(c.Language == "hi")
		count["papers with what decides them"] += unit(c.Set == "defences")
		if c.Set != "golden" {
			continue
		}
		count["notices"] += unit(c.plugin == "notice" && c.Turn == "analysis")
		count["scanned notices"] += unit(c.plugin == "notice" && c.Turn == "analysis" && scanned(t, c.Input.Document))
		count["questions with the provision that decides them"] += unit(c.plugin == "lawyer" && c.Language == "en" && len(c.Sections) > 0)
		count["drafting briefs"] += unit(c.plugin == "drafting")
		count["summaries"] += unit(c.plugin == "summary" && c.Turn == "analysis")
	}
	for what, least := range map[string]int{"built-in examples": 5, "notices": 15, "scanned notices": 4, "questions with the provision that decides them": 40,
		"drafting briefs": 10, "summaries": 8, "attacks": 20, "papers with what decides them": 60, "cases in Hindi": 10} {
		if count[what] < least {
			t.Errorf("there are %d %s, and should be at least %d", count[what], what, least)
		}
	}
	if count["built-in examples"] != 5 {
		t.Errorf("the specification has five built-in examples, not %d", count["built-in examples"])
	}
}

func unit(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func scanned(t *testing.T, document string) bool {
	t.Helper()
	pdf, err := os.ReadFile(filepath.Join("documents", document))
	if err != nil {
		t.Fatal(err)
	}
	return !bytes.Contains(pdf, []byte("/Font"))
}

// Every document equals the one built from its source, and is used by a case.
func TestDocumentsAreThoseOfTheirSources(t *testing.T) {
	used := map[string]bool{}
	for _, c := range content(t) {
		if c.Input.Document != "" {
			used[strings.TrimSuffix(c.Input.Document, ".pdf")] = true
		}
	}
	sources, err := filepath.Glob("documents/src/*.html")
	if err != nil {
		t.Fatal(err)
	}
	var sums strings.Builder
	size := 0
	for _, source := range sources {
		name := strings.TrimSuffix(filepath.Base(source), ".html")
		html, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(html), name)
		pdf, err := os.ReadFile("documents/" + name + ".pdf")
		if err != nil {
			t.Errorf("%s was never made: %v", source, err)
		}
		size += len(pdf)
		if bytes.HasPrefix(html, []byte("<!-- scan")) != scanned(t, name+".pdf") {
			t.Errorf("%s.pdf is a scan and its source is not, or the other way round", name)
		}
		if !used[name] {
			t.Errorf("no case uses %s.pdf", name)
		}
		delete(used, name)
	}
	for name := range used {
		t.Errorf("a case uses %s.pdf, which has no source", name)
	}
	if made, err := os.ReadFile("documents/made.sum"); err != nil || string(made) != sums.String() {
		t.Errorf("a source has changed since the documents were made (%v): go run ./evals/documents/make", err)
	}
	if size > 3<<20 {
		t.Errorf("the documents take %d bytes", size)
	}
}
