package prompt

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// checker reads a plugin's files and collects all mistakes in them.
type checker struct {
	plugin   string
	reg      Registry
	kept     bool                // the files are a version that was in use before
	sources  map[string]*source  // by path
	partials map[string]*partial // by name
	problems Problems
}

type source struct {
	file     string
	data     []byte
	text     string
	read     bool
	problems Problems // mistakes because of which it cannot be read
}

type partial struct{ file string }

func (c *checker) report(file string, line, column int, format string, args ...any) {
	c.add(Problem{File: file, Line: line, Column: column, Message: fmt.Sprintf(format, args...)})
}

func (c *checker) add(problems ...Problem) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, problems...)
	}
}

// conflict matches the markers that git leaves where two people changed the same lines.
var conflict = regexp.MustCompile(`(?m)^(<<<<<<<|>>>>>>>) `)

// own returns the text of a file of the plugin; it reports mistakes because of which the file cannot be read.
func (c *checker) own(file string) (string, bool) {
	text, ok := c.text(file)
	c.add(c.sources[file].problems...)
	return text, ok
}

// text returns a file's text with plain line ends; false if it cannot be read because of mistakes.
func (c *checker) text(file string) (string, bool) {
	s := c.sources[file]
	if s.read {
		return s.text, len(s.problems) == 0
	}
	s.read = true
	s.text = strings.ReplaceAll(strings.TrimPrefix(string(s.data), "\ufeff"), "\r\n", "\n")
	at := func(offset int, message string) {
		line, column := place(s.text, offset)
		s.problems = append(s.problems, Problem{File: file, Line: line, Column: column, Message: message})
	}
	for i, r := range s.text {
		if _, size := utf8.DecodeRuneInString(s.text[i:]); r == utf8.RuneError && size == 1 {
			at(i, "This is not UTF-8 text: save the file as UTF-8.")
			return "", false
		}
	}
	if i := strings.IndexFunc(s.text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' }); i >= 0 {
		at(i, "There is a control character here.")
	}
	if m := secret.FindStringIndex(s.text); m != nil {
		at(m[0], "This looks like a secret key. Keys belong in the configuration, never in a prompt.")
	}
	if m := conflict.FindStringIndex(s.text); m != nil && !c.kept {
		at(m[0], "Two changes meet here (git writes <<<<<<<, ======= and >>>>>>>): keep the words that are right, and "+
			"take these lines out.")
	}
	return s.text, len(s.problems) == 0
}

// place returns the line and column of an offset, both counted from 1.
func place(text string, offset int) (line, column int) {
	before := text[:min(offset, len(text))]
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}

// prompt reads a prompt's front matter and body. The result is usable only if no mistake was reported.
func (c *checker) prompt(name string) *Prompt {
	file := c.plugin + "/" + name + ".md"
	p := &Prompt{Name: c.plugin + "/" + name}
	text, ok := c.own(file)
	if !ok {
		return p
	}
	front, body, ok := c.split(file, text)
	if !ok {
		return p
	}
	d := &document{c: c, file: file, line: 1}
	top := d.parse(front)
	if top == nil {
		return p
	}
	places := c.front(d, top, p)
	if places == nil { // without its declarations the text cannot be checked
		return p
	}

	t := &compiler{
		checker: c, prompt: p, file: file, text: text, base: len(text) - len(body),
		used: map[string]bool{}, included: map[string]bool{}, compiled: map[string]compiled{},
	}
	if strings.TrimSpace(body) == "" {
		line, _ := place(text, t.base)
		c.report(file, line, 1, "This prompt has no text below its front matter.")
		return p
	}
	p.body = t.compile()
	p.partials = slices.Sorted(maps.Keys(t.included))
	if t.broken { // a variable that seems unused may be used in what could not be parsed
		return p
	}
	for _, name := range slices.Sorted(maps.Keys(p.Variables)) {
		if !t.used[name] {
			d.report(places[name], "The variable %q is declared but the text does not use it.", name)
		}
	}
	return p
}

// mark matches the first or last line of the front matter.
var mark = regexp.MustCompile(`(?m)^---[ \t]*$\n?`)

func (c *checker) split(file, text string) (front, body string, ok bool) {
	first := mark.FindStringIndex(text)
	if first == nil || first[0] != 0 {
		c.report(file, 1, 1, "A prompt begins with its front matter: a line ---, the settings, and another line ---.")
		return "", "", false
	}
	rest := text[first[1]:]
	second := mark.FindStringIndex(rest)
	if second == nil {
		c.report(file, 1, 1, "The front matter has no end: put a line --- after the settings.")
		return "", "", false
	}
	return rest[:second[0]], rest[second[1]:], true
}

// checkSizes reports prompts that leave no room in the model for any material.
func (c *checker) checkSizes(prompts map[string]*Prompt) {
	if c.reg.Room == nil || c.reg.Tokens == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(prompts)) {
		room := c.reg.Room(prompts[name].Model)
		if own := c.reg.Tokens(longest(prompts[name].body)); room > 0 && own >= room {
			c.report(c.plugin+"/"+name+".md", 1, 1, "This prompt's own words, with the shared texts it uses, are "+
				"about %d tokens; beside its answer the model takes %d. "+
				"Shorten the prompt, set a smaller max_tokens, or raise model.context_tokens if the model takes more.",
				own, room)
		}
	}
}

// longest returns the text of a prompt if each branch takes the longer way.
func longest(nodes []node) string {
	var b strings.Builder
	longer := func(x, y []node) string {
		s, t := longest(x), longest(y)
		if len(t) > len(s) {
			return t
		}
		return s
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case textNode:
			b.WriteString(string(n))
		case includeNode:
			b.WriteString(longest(n.body))
		case ifNode:
			b.WriteString(longer(n.then, n.otherwise))
		case rangeNode:
			b.WriteString(longer(n.body, n.otherwise))
		}
	}
	return b.String()
}

// front reads the front matter and returns the nodes of the declarations; nil if they cannot be read.
func (c *checker) front(d *document, top *yaml.Node, p *Prompt) map[string]*yaml.Node {
	f := d.fields(top, "The front matter", []string{"purpose", "model", "output", "variables"})
	d.need(top, f, "The front matter", "purpose", "variables")
	p.Purpose = d.oneLine(f["purpose"], "purpose")
	p.Output = "markdown"
	if f["output"] != nil {
		p.Output = d.choice(f["output"], "output", []string{"markdown", "text", "json"})
	}
	if f["model"] != nil {
		m := d.fields(f["model"], "model", []string{"provider", "name", "fallback", "temperature", "max_tokens"})
		if m["provider"] != nil {
			p.Model.Provider = d.choice(m["provider"], "provider", c.reg.Providers)
		}
		p.Model.Name = d.oneLine(m["name"], "name")
		if m["fallback"] != nil {
			p.Model.Fallback = []string{}
			for _, item := range d.items(m["fallback"], "fallback") {
				p.Model.Fallback = append(p.Model.Fallback, d.choice(item, "fallback", c.reg.Providers))
			}
		}
		if t, ok := d.number(m["temperature"], "temperature", 0, 2); ok {
			p.Model.Temperature = &t
		}
		p.Model.MaxTokens = d.integer(m["max_tokens"], "max_tokens", 1, 1_000_000)
	}
	variables := d.fields(f["variables"], "variables", nil)
	if variables == nil {
		return nil
	}
	p.Variables = map[string]Variable{}
	places := keys(f["variables"])
	known := slices.Sorted(maps.Keys(c.reg.Values))
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		value, ok := c.reg.Values[name]
		if !ok {
			d.report(places[name], "There is no variable %q.%s", name, didYouMean(name, known))
			p.Variables[name] = Variable{} // declared, so that its uses are not reported as well
			continue
		}
		p.Variables[name] = c.variable(d, name, value, variables[name])
	}
	return places
}

func (c *checker) variable(d *document, name string, value Value, n *yaml.Node) Variable {
	what := fmt.Sprintf("The variable %q", name)
	f := d.fields(n, what, []string{"type", "required", "untrusted", "sample"})
	d.need(n, f, what, "type", "sample")
	v := Variable{Value: value, Required: d.flag(f["required"], "required", true)}
	if t := d.choice(f["type"], "type",
		[]string{string(Text), string(Number), string(List), string(Conversation)}); t != "" && Type(t) != value.Type {
		d.report(f["type"], "%s is of the type %s.", what, value.Type)
	}
	if said := d.flag(f["untrusted"], "untrusted", false); said != value.Untrusted && n.Kind == yaml.MappingNode {
		at := n
		if f["untrusted"] != nil {
			at = f["untrusted"]
		}
		if value.Untrusted {
			d.report(at, "%s comes from outside: say “untrusted: true”.", what)
		} else {
			d.report(at, "%s comes from the program itself: leave “untrusted” out.", what)
		}
	}
	if f["sample"] != nil {
		v.Sample = d.value(f["sample"], "sample", value)
	}
	return v
}

// value parses a YAML value into the form that Render needs. what names it in error messages.
func (d *document) value(n *yaml.Node, what string, value Value) any {
	switch value.Type {
	case Text:
		if value.Choices != nil && !d.c.kept {
			return d.choice(n, what, value.Choices)
		}
		return d.text(n, what)
	case Number:
		f, _ := d.number(n, what, -1e15, 1e15)
		return f
	case Conversation:
		turns := []Message{}
		for _, item := range d.items(n, what) {
			f := d.fields(item, "A turn of the conversation", []string{"role", "text"})
			d.need(item, f, "A turn of the conversation", "role", "text")
			turns = append(turns, Message{Role: d.choice(f["role"], "role", []string{User, Assistant}),
				Text: d.text(f["text"], "text")})
		}
		return turns
	}
	if len(value.Fields) == 0 {
		texts := []string{}
		for _, item := range d.items(n, what) {
			texts = append(texts, d.text(item, "An item of the list"))
		}
		return texts
	}
	items := []map[string]string{}
	for _, item := range d.items(n, what) {
		f := d.fields(item, "An item of the list", value.Fields)
		d.need(item, f, "An item of the list", value.Fields...)
		texts := map[string]string{}
		for name, field := range f {
			texts[name] = d.text(field, name)
		}
		items = append(items, texts)
	}
	return items
}
