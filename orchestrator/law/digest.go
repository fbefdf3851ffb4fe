package law

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Acts returns the Acts and Rules in the digest and the library, in display order.
func Acts() []Act {
	return []Act{
		{"cgst", "CGST Act", "Central Goods and Services Tax Act, 2017", "section"},
		{"igst", "IGST Act", "Integrated Goods and Services Tax Act, 2017", "section"},
		{"utgst", "UTGST Act", "Union Territory Goods and Services Tax Act, 2017", "section"},
		{"cess", "Compensation Cess Act", "Goods and Services Tax (Compensation to States) Act, 2017", "section"},
		{"cgst_rules", "CGST Rules", "Central Goods and Services Tax Rules, 2017", "rule"},
		{"igst_rules", "IGST Rules", "Integrated Goods and Services Tax Rules, 2017", "rule"},
	}
}

// Act is an Act, which has sections, or Rules.
type Act struct {
	ID    string `json:"id"` // as in file names and references, "cgst_rules"
	Short string `json:"short"`
	Name  string `json:"name"`
	Unit  string `json:"unit"` // "section" or "rule"
}

// Entry says in our own words what a provision says during a period. Days are ISO dates.
type Entry struct {
	Act          string     `yaml:"-" json:"act"`
	Chapter      string     `yaml:"-" json:"chapter"` // the name of its file without extension, "05-input-tax-credit"
	Number       string     `yaml:"number" json:"number"`
	Heading      string     `yaml:"heading" json:"heading"`
	HeadingHindi string     `yaml:"heading_hi" json:"heading_hi,omitempty"`
	From         string     `yaml:"from" json:"from"`
	Until        string     `yaml:"until" json:"until,omitempty"` // the last day, "" if in force
	Status       string     `yaml:"status" json:"status,omitempty"`
	English      string     `yaml:"en" json:"en"`
	Hindi        string     `yaml:"hi" json:"hi"`
	Numbers      []Quantity `yaml:"numbers" json:"numbers,omitempty"`
	Refers       []string   `yaml:"refers" json:"refers,omitempty"` // "39" for the same Act, "cgst_rules:36" for another
	Terms        []string   `yaml:"terms" json:"terms,omitempty"`
	Asks         []string   `yaml:"asks" json:"asks,omitempty"` // questions that it answers, as people type them; those of one version count for all versions
	Source       string     `yaml:"source" json:"source"`
	Certainty    string     `yaml:"certainty" json:"certainty"`
	Note         string     `yaml:"note" json:"note,omitempty"`

	file string
	line int
}

// Quantity is a number on which a provision depends.
type Quantity struct {
	What  string `yaml:"what" json:"what"`
	Value any    `yaml:"value" json:"value"` // a number, or a string such as "30 November"
	Unit  string `yaml:"unit" json:"unit"`
}

// The statuses of an entry that is not simply in force.
const (
	Omitted      = "omitted"
	NotCommenced = "not_commenced"
)

// How certain an entry is.
const (
	FromText      = "text"            // taken from the official text
	FromKnowledge = "knowledge"       // wholly or partly not from the text; the note says what
	ToBeConfirmed = "to be confirmed" // still to be checked against the text
)

var units = []string{"days", "months", "years", "percent", "rupees", "date", "times", "count", "hours", "kilometres"}

// Problem is a mistake in a file of the digest.
type Problem struct {
	File   string
	Line   int
	Number string
	What   string
}

func (p Problem) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", p.File, p.Line, p.Number, p.What)
}

// Problems are the mistakes for which a digest was rejected.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].String()
	}
	return strings.Join(lines, "\n")
}

// ReadDigest reads the entries from folders named after the Acts, such as cgst/05-input-tax-credit.yaml, in file
// order. The error is Problems if the files can be read but their content is wrong.
func ReadDigest(files fs.FS) ([]*Entry, error) {
	entries, err := readFolder(files)
	var problems Problems
	if err != nil && !errors.As(err, &problems) {
		return nil, err
	}
	problems = append(problems, validate(entries)...)
	if len(problems) > 0 {
		return entries, problems
	}
	return entries, nil
}

// readFolder reads entries without checking them against each other.
func readFolder(files fs.FS) ([]*Entry, error) {
	var entries []*Entry
	var problems Problems
	for _, act := range Acts() {
		names, err := fs.Glob(files, act.ID+"/*.yaml")
		if err != nil {
			return nil, fmt.Errorf("list the digest of the %s: %w", act.Short, err)
		}
		for _, name := range names {
			read, err := readEntries(files, name, act.ID)
			var wrong Problems
			if errors.As(err, &wrong) {
				problems = append(problems, wrong...)
			} else if err != nil {
				return nil, err
			}
			entries = append(entries, read...)
		}
	}
	if len(problems) > 0 {
		return entries, problems
	}
	return entries, nil
}

func readEntries(files fs.FS, name, act string) ([]*Entry, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Errorf("read the digest: %w", err)
	}
	var nodes []yaml.Node
	if err := yaml.Unmarshal(data, &nodes); err != nil {
		return nil, Problems{{File: name, What: err.Error()}}
	}
	var entries []*Entry
	var problems Problems
	for i := range nodes {
		e := &Entry{Act: act, Chapter: strings.TrimSuffix(path.Base(name), ".yaml"), file: name, line: nodes[i].Line}
		if unknown := unknownFields(&nodes[i]); len(unknown) > 0 {
			problems = append(problems,
				Problem{name, nodes[i].Line, "", "unknown field " + strings.Join(unknown, ", ")})
		}
		if err := nodes[i].Decode(e); err != nil {
			problems = append(problems, Problem{name, nodes[i].Line, e.Number, err.Error()})
			continue
		}
		e.English, e.Hindi = strings.TrimSpace(e.English), strings.TrimSpace(e.Hindi)
		entries = append(entries, e)
	}
	if len(problems) > 0 {
		return entries, problems
	}
	return entries, nil
}

var fields = []string{"number", "heading", "heading_hi", "from", "until", "status", "en", "hi", "numbers", "refers",
	"terms", "asks", "source", "certainty", "note"}

func unknownFields(n *yaml.Node) []string {
	var unknown []string
	if n.Kind != yaml.MappingNode {
		return []string{"(this is no entry)"}
	}
	for i := 0; i < len(n.Content); i += 2 {
		if !slices.Contains(fields, n.Content[i].Value) {
			unknown = append(unknown, n.Content[i].Value)
		}
	}
	return unknown
}

// validate returns the mistakes in entries, each alone and all together.
func validate(entries []*Entry) Problems {
	var problems Problems
	known := map[string][]*Entry{}
	for _, e := range entries {
		known[e.Act+":"+e.Number] = append(known[e.Act+":"+e.Number], e)
	}
	for _, e := range entries {
		problem := func(format string, args ...any) {
			problems = append(problems, Problem{e.file, e.line, e.Number, fmt.Sprintf(format, args...)})
		}
		if _, ok := ParseNumber(e.Number); !ok {
			problem("%q is no number of a provision", e.Number)
		}
		if !isDay(e.From) {
			problem("from %q is no day (2017-07-01)", e.From)
		}
		if e.Until != "" && (!isDay(e.Until) || e.Until < e.From) {
			problem("until %q is no day, or before from", e.Until)
		}
		if e.Status != "" && e.Status != Omitted && e.Status != NotCommenced {
			problem("status %q: write omitted or not_commenced, or leave it out", e.Status)
		}
		if e.English == "" || e.Hindi == "" {
			problem("en and hi are needed")
		}
		if e.Source == "" {
			problem("source is needed")
		}
		if !slices.Contains([]string{FromText, FromKnowledge, ToBeConfirmed}, e.Certainty) {
			problem("certainty %q: write text, knowledge or to be confirmed", e.Certainty)
		}
		if !strings.Contains(e.Number, "(") && e.Heading == "" {
			problem("a whole section or rule needs its heading")
		}
		for _, q := range e.Numbers {
			switch q.Value.(type) {
			case int, float64, string:
			default:
				problem("the value of %q is neither a number nor a string", q.What)
			}
			if !slices.Contains(units, q.Unit) {
				problem("unit %q of %q: write one of %s", q.Unit, q.What, strings.Join(units, ", "))
			}
		}
		for _, r := range e.Refers {
			act, number := splitReference(e.Act, r)
			if _, ok := ParseNumber(number); !ok || !isAct(act) {
				problem("refers to %q, which is no number of a provision", r)
			} else if root := rootOf(number); len(known[act+":"+root]) == 0 {
				problem("refers to %s, which the digest does not have", r)
			}
		}
	}
	for _, versions := range known {
		slices.SortStableFunc(versions, func(a, b *Entry) int { return strings.Compare(a.From, b.From) })
		for i := 1; i < len(versions); i++ {
			before, e := versions[i-1], versions[i]
			if before.Until == "" || before.Until >= e.From {
				problems = append(problems, Problem{e.file, e.line, e.Number,
					fmt.Sprintf("overlaps its version from %s until %q (%s:%d)", before.From, before.Until, before.file,
						before.line)})
			}
		}
	}
	slices.SortStableFunc(problems, func(a, b Problem) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	return problems
}

func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func isAct(id string) bool {
	return slices.ContainsFunc(Acts(), func(a Act) bool { return a.ID == id })
}

// splitReference splits "cgst_rules:36", or "36" for the Act in which it is written, into Act and number.
func splitReference(act, reference string) (string, string) {
	if other, number, ok := strings.Cut(reference, ":"); ok {
		return other, number
	}
	return act, reference
}

func rootOf(number string) string {
	root, _, _ := strings.Cut(number, "(")
	return root
}
