package evals

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/cite"
)

// DocumentsFolder is the folder with the documents of all cases, next to the folders of the plugins.
const DocumentsFolder = "documents"

// Problem is a mistake in a file of cases.
type Problem struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Field string `json:"field,omitempty"`
	Text  string `json:"text"`
}

// Error returns the mistake and its place on one line.
func (p Problem) Error() string {
	at := p.File
	if p.Line > 0 {
		at += fmt.Sprintf(":%d", p.Line)
	}
	if p.Field != "" {
		at += ": " + p.Field
	}
	return at + ": " + p.Text
}

// Read reads the cases of every plugin in a folder, ordered by plugin, file and line. law is used to check the
// provisions in cases. The error joins one Problem for each mistake; cases without mistakes are returned even then.
func Read(folder fs.FS, law *cite.Index) ([]Case, error) {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, fmt.Errorf("read the folder of cases: %w", err)
	}
	var cases []Case
	var wrong []error
	for _, e := range entries {
		if !e.IsDir() || e.Name() == DocumentsFolder || e.Name() == "testdata" || strings.HasPrefix(e.Name(), "_") ||
			strings.HasPrefix(e.Name(), ".") {
			continue
		}
		files, err := fs.Glob(folder, e.Name()+"/*.yaml")
		if err != nil {
			return nil, fmt.Errorf("list the cases of %s: %w", e.Name(), err)
		}
		known := map[string]string{}
		for _, file := range files {
			raw, err := fs.ReadFile(folder, file)
			if err != nil {
				return nil, fmt.Errorf("read %s: %w", file, err)
			}
			r := reader{file: file, plugin: e.Name(), law: law, known: known, documents: folder}
			cases = append(cases, r.cases(raw)...)
			for _, p := range r.problems {
				wrong = append(wrong, p)
			}
		}
	}
	return cases, errors.Join(wrong...)
}

// Parse parses one case from its Source.
func Parse(plugin, source string, law *cite.Index) (Case, error) {
	r := reader{file: plugin, plugin: plugin, law: law, known: map[string]string{}}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(source), &doc); err != nil || len(doc.Content) != 1 {
		return Case{}, Problem{File: plugin, Text: "this is no case"}
	}
	c, ok := r.one(doc.Content[0])
	if !ok {
		return Case{}, r.problems[0]
	}
	return c, nil
}

// Document returns the content of a case's document, or nil if the case has none.
func Document(folder fs.FS, c Case) ([]byte, error) {
	if c.Input.Document == "" {
		return nil, nil
	}
	raw, err := fs.ReadFile(folder, path.Join(DocumentsFolder, c.Input.Document))
	if err != nil {
		return nil, fmt.Errorf("read the document of the case %s: %w", c.Name(), err)
	}
	return raw, nil
}

// reader reads one file of cases.
type reader struct {
	file, plugin string
	law          *cite.Index
	known        map[string]string // where each id was defined
	documents    fs.FS             // nil: documents are not checked
	problems     []Problem
}

func (r *reader) wrong(n *yaml.Node, field, text string, args ...any) {
	p := Problem{File: r.file, Field: field, Text: fmt.Sprintf(text, args...)}
	if n != nil {
		p.Line = n.Line
	}
	r.problems = append(r.problems, p)
}

var yamlLine = regexp.MustCompile(`^yaml: (?:unmarshal errors:\s*)?line (\d+): `)

// wrongYAML reports an error of the YAML parser as a Problem, with the parser's message and line.
func (r *reader) wrongYAML(n *yaml.Node, field string, err error) {
	text := err.Error()
	p := Problem{File: r.file, Field: field, Text: strings.TrimPrefix(text, "yaml: ")}
	if n != nil {
		p.Line = n.Line
	}
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		_, _ = fmt.Sscan(m[1], &p.Line)
		p.Text = strings.TrimPrefix(text, m[0])
		// the library counts these lines from 0, and reports where the block begins
		if strings.HasPrefix(p.Text, "did not find expected") {
			p.Line++
			p.Text += " in what begins here"
		}
	}
	r.problems = append(r.problems, p)
}

func (r *reader) cases(raw []byte) []Case {
	var doc yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(raw))
	if err := decoder.Decode(&doc); err != nil {
		r.wrongYAML(nil, "", err)
		return nil
	}
	root := doc.Content[0]
	fields, ok := r.fields(root, "", "cases")
	if !ok || fields["cases"] == nil {
		r.wrong(root, "cases", "the file has to hold a list of cases")
		return nil
	}
	if fields["cases"].Kind != yaml.SequenceNode {
		r.wrong(fields["cases"], "cases", "this has to be a list")
		return nil
	}
	var cases []Case
	for _, n := range fields["cases"].Content {
		if c, ok := r.one(n); ok {
			cases = append(cases, c)
		}
	}
	return cases
}

// fields returns the values of a mapping by name; every name must be in allowed.
func (r *reader) fields(n *yaml.Node, field string, allowed ...string) (map[string]*yaml.Node, bool) {
	if n.Kind != yaml.MappingNode {
		r.wrong(n, field, "this has to be a mapping of names to values")
		return nil, false
	}
	values, ok := map[string]*yaml.Node{}, true
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i]
		switch {
		case !slices.Contains(allowed, name.Value):
			r.wrong(name, join(field, name.Value), "there is no such field; there are %s", strings.Join(allowed, ", "))
			ok = false
		case values[name.Value] != nil:
			r.wrong(name, join(field, name.Value), "this stands there twice")
			ok = false
		default:
			values[name.Value] = n.Content[i+1]
		}
	}
	return values, ok
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "." + b
}

var (
	caseID  = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	choices = map[string][]string{
		"difficulty": {"basic", "intermediate"},
		"language":   {"en", "hi"},
		"set":        {Builtin, Golden, Attack, Defences},
	}
)

// one parses a case, and reports whether it has no mistakes.
func (r *reader) one(n *yaml.Node) (Case, bool) {
	before := len(r.problems)
	f, _ := r.fields(n, "", "id", "turn", "input", "category", "sections", "difficulty", "language", "set", "on",
		"output", "note", "expect")
	if f == nil {
		return Case{}, false
	}
	c := Case{Plugin: r.plugin, Difficulty: "basic", Language: "en", Set: Golden}
	text := func(name string, into *string, required bool) {
		v := f[name]
		switch {
		case v == nil && required:
			r.wrong(n, name, "this is missing")
		case v == nil:
		case v.Kind != yaml.ScalarNode:
			r.wrong(v, name, "this has to be a text")
		default:
			if *into = v.Value; required && strings.TrimSpace(v.Value) == "" {
				r.wrong(v, name, "this is empty")
			}
			if among := choices[name]; among != nil && !slices.Contains(among, v.Value) {
				r.wrong(v, name, "%q is none of %s", v.Value, strings.Join(among, ", "))
			}
		}
	}
	text("id", &c.ID, true)
	text("turn", &c.Turn, true)
	text("category", &c.Category, true)
	text("difficulty", &c.Difficulty, false)
	text("language", &c.Language, false)
	text("set", &c.Set, false)
	text("on", &c.On, true)
	text("output", &c.Output, false)
	text("note", &c.Note, false)
	if c.ID != "" && !caseID.MatchString(c.ID) {
		r.wrong(f["id"], "id", "%q is not of small letters and digits with hyphens between", c.ID)
	}
	if at := r.known[c.ID]; at != "" {
		r.wrong(f["id"], "id", "%q is also the id of the case at %s", c.ID, at)
	} else if c.ID != "" {
		r.known[c.ID] = fmt.Sprintf("%s:%d", r.file, f["id"].Line)
	}
	if c.On != "" {
		if _, err := time.Parse(time.DateOnly, c.On); err != nil {
			r.wrong(f["on"], "on", "%q is no day; write it as 2026-11-22", c.On)
		}
	}
	if c.Set == Builtin && c.Output == "" {
		r.wrong(n, "output", "a built-in example needs its model answer")
	}
	if v := f["sections"]; v != nil {
		if err := v.Decode(&c.Sections); err != nil {
			r.wrongYAML(v, "sections", err)
		}
	}
	r.input(n, f["input"], &c.Input)
	switch v := f["expect"]; {
	case v == nil:
		r.wrong(n, "expect", "this is missing: what is the answer judged by?")
	case v.Kind != yaml.SequenceNode || len(v.Content) == 0:
		r.wrong(v, "expect", "this has to be a list, and not an empty one")
	default:
		for _, e := range v.Content {
			if x, ok := r.expectation(e); ok {
				c.Expect = append(c.Expect, x)
			}
		}
	}
	if len(r.problems) > before {
		return Case{}, false
	}
	c.Source = plainYAML(n)
	return c, true
}

func (r *reader) input(of, n *yaml.Node, into *Input) {
	if n == nil {
		r.wrong(of, "input", "this is missing: what does the person bring?")
		return
	}
	f, ok := r.fields(n, "input", "text", "inputs", "document", "before", "files")
	if !ok {
		return
	}
	if err := n.Decode(into); err != nil {
		r.wrongYAML(n, "input", err)
		return
	}
	if into.Text == "" && into.Document == "" && len(into.Inputs) == 0 {
		r.wrong(n, "input", "the person brings nothing: give a text, a document or inputs")
	}
	if v := f["files"]; v != nil {
		if err := strictly(v, &[]gst.Reconciled{}); err != nil {
			r.wrong(v, "input.files", "%s", unknownField.ReplaceAllString(err.Error(), "there is no field $1"))
			return
		}
	}
	if v := f["before"]; v != nil && v.Kind == yaml.SequenceNode {
		for i, said := range v.Content {
			if _, ok := r.fields(said, "input.before", "role", "text"); !ok {
				return
			}
			want := []string{"user", "assistant"}[i%2]
			if got := into.Before[i].Role; got != want {
				r.wrong(said, "input.before.role",
					"this is said by %q and should be by %q: they take turns, the user first", got, want)
			}
		}
		if len(v.Content)%2 != 0 {
			r.wrong(v, "input.before", "the assistant has to have answered what was said before")
		}
	}
	if d := into.Document; d != "" {
		switch {
		case !fs.ValidPath(d) || path.Ext(d) != ".pdf":
			r.wrong(f["document"], "input.document", "%q is no name of a PDF file in %s", d, DocumentsFolder)
		case r.documents != nil:
			if _, err := fs.Stat(r.documents, path.Join(DocumentsFolder, d)); err != nil {
				r.wrong(f["document"], "input.document", "there is no file %s/%s", DocumentsFolder, d)
			}
		}
	}
}

// strictly decodes a node, in which every name must be a field.
func strictly(n *yaml.Node, into any) error {
	raw, err := yaml.Marshal(n)
	if err != nil {
		return err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(raw))
	decoder.KnownFields(true)
	return decoder.Decode(into)
}

// unknownField matches an error of the YAML library about an unknown field. Its line is that in the text of the node.
var unknownField = regexp.MustCompile(`(?s)^yaml: unmarshal errors:\s*line \d+: field (\S+) not found in type \S+`)

// plainYAML returns a case as YAML without comments and in one style, so that its hash depends only on its content.
func plainYAML(n *yaml.Node) string {
	var bare func(n *yaml.Node) *yaml.Node
	bare = func(n *yaml.Node) *yaml.Node {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		out := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value}
		if n.Kind == yaml.ScalarNode &&
			n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			out.Style = yaml.DoubleQuotedStyle // so that a text which looks like a number stays a text
		}
		for _, child := range n.Content {
			out.Content = append(out.Content, bare(child))
		}
		return out
	}
	raw, err := yaml.Marshal(bare(n))
	if err != nil {
		panic("evals: " + err.Error()) // it came from YAML, so it can be written as YAML
	}
	return string(raw)
}

// Choose returns the cases of a plugin and a set or, if there are names (plugin/id), only those of them; "" means all.
func Choose(cases []Case, plugin, set string, names ...string) []Case {
	var chosen []Case
	for _, c := range cases {
		if (plugin == "" || c.Plugin == plugin) && (set == "" || c.Set == set) &&
			(len(names) == 0 || slices.Contains(names, c.Name())) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// trained is a training example in the format of providers' fine-tuning.
type trained struct {
	Messages [3]message `json:"messages"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Prepare writes the built-in examples as JSON Lines for fine-tuning. Each has three messages: the instruction, the
// person's message and the model answer.
func Prepare(cases []Case, instruction string) ([]byte, error) {
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	lines.SetEscapeHTML(false)
	for _, c := range cases {
		if c.Set != Builtin {
			continue
		}
		err := lines.Encode(trained{[3]message{{"system", strings.TrimSpace(instruction)},
			{"user", strings.TrimSpace(c.Input.Text)}, {"assistant", strings.TrimSpace(c.Output)}}})
		if err != nil {
			return nil, fmt.Errorf("write the training example %s: %w", c.Name(), err)
		}
	}
	return out.Bytes(), nil
}
