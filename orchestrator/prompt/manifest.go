package prompt

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Manifest is what a plugin.yaml says.
type Manifest struct {
	ID       string
	Title    string
	Icon     string // a name of the lucide icons
	Order    int    // place among the tabs, smallest first
	Audience string // "everyone", "members" (signed in) or "operators"
	Inputs   []Input
	Turns    map[string]Turn
}

// Input is something that a person gives to begin.
type Input struct {
	ID      string
	Type    string // "pdf", "text" or "choice"
	Title   string
	Choices []string // of a choice
}

// Turn is what happens after a person sent something of one kind.
type Turn struct {
	Title   string
	Message string // shown as the person's own words; see UserMessage
	Apology string // shown as the answer when the turn failed
	Steps   []Step
}

// Step is one step of a turn.
type Step struct {
	ID       string
	Kind     string
	Title    string            // shown while the step runs
	Settings map[string]string // what its kind takes, as in "prompt": "analyse"
}

var (
	placeholder = regexp.MustCompile(`\{([^{}]*)\}`)
	iconName    = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	audiences   = []string{"everyone", "members", "operators"}
)

// UserMessage gives Message with each {name} replaced by the value of that name.
func (t Turn) UserMessage(values map[string]string) string {
	return placeholder.ReplaceAllStringFunc(t.Message, func(s string) string { return values[s[1:len(s)-1]] })
}

// use is one place in the manifest where a prompt is named.
type use struct {
	prompt string
	file   string
	line   int
	column int
	turn   string
	has    []string // the values that are there
}

func (c *checker) manifest(file string) (Manifest, []use) {
	text, ok := c.text(file)
	if !ok {
		return Manifest{}, nil
	}
	d := &document{c: c, file: file}
	top := d.parse(text)
	f := d.fields(top, "The manifest", []string{"id", "title", "icon", "order", "audience", "inputs", "turns"})
	d.need(top, f, "The manifest", "id", "title", "icon", "order", "audience", "turns")
	m := Manifest{
		ID:       d.text(f["id"], "id"),
		Title:    d.oneLine(f["title"], "title"),
		Icon:     d.text(f["icon"], "icon"),
		Order:    d.integer(f["order"], "order", 1, 1000),
		Audience: d.choice(f["audience"], "audience", audiences),
		Turns:    map[string]Turn{},
	}
	if m.ID != "" && m.ID != c.plugin {
		d.report(f["id"], "id must be the name of the folder, %q.", c.plugin)
	}
	if m.Icon != "" && !iconName.MatchString(m.Icon) {
		d.report(f["icon"], "icon is a name from lucide.dev, such as file-search.")
	}
	for _, n := range d.items(f["inputs"], "inputs") {
		m.Inputs = append(m.Inputs, c.input(d, n))
	}
	var uses []use
	turns := d.fields(f["turns"], "turns", slices.Sorted(maps.Keys(c.reg.Turns)))
	if f["turns"] != nil && len(f["turns"].Content) == 0 {
		d.report(f["turns"], "turns is empty: a plugin has at least one.")
	}
	for _, kind := range slices.Sorted(maps.Keys(turns)) {
		turn, used := c.turn(d, kind, turns[kind])
		m.Turns[kind] = turn
		uses = append(uses, used...)
	}
	return m, uses
}

func (c *checker) input(d *document, n *yaml.Node) Input {
	f := d.fields(n, "An input", []string{"id", "type", "title", "choices"})
	d.need(n, f, "An input", "id", "type", "title")
	in := Input{
		ID:    d.text(f["id"], "id"),
		Type:  d.choice(f["type"], "type", []string{"pdf", "text", "choice"}),
		Title: d.oneLine(f["title"], "title"),
	}
	if in.ID != "" && !promptName.MatchString(in.ID) {
		d.report(f["id"], "id is a word of small letters, digits and _.")
	}
	for _, item := range d.items(f["choices"], "choices") {
		in.Choices = append(in.Choices, d.oneLine(item, "A choice"))
	}
	if in.Type == "choice" && len(in.Choices) == 0 {
		d.report(n, "An input of the type choice needs “choices”.")
	}
	if in.Type != "" && in.Type != "choice" && f["choices"] != nil {
		d.report(f["choices"], "Only an input of the type choice has “choices”.")
	}
	return in
}

func (c *checker) turn(d *document, kind string, n *yaml.Node) (Turn, []use) {
	f := d.fields(n, "A turn", []string{"title", "message", "apology", "steps"})
	d.need(n, f, "The turn "+kind, "title", "apology", "steps")
	t := Turn{
		Title:   d.oneLine(f["title"], "title"),
		Message: d.oneLine(f["message"], "message"),
		Apology: d.oneLine(f["apology"], "apology"),
	}
	has := c.reg.Turns[kind]
	for _, m := range placeholder.FindAllStringSubmatch(t.Message, -1) {
		if v, ok := c.reg.Values[m[1]]; !ok || v.Type != Text || !slices.Contains(has, m[1]) {
			d.report(f["message"], "The turn %s has no text called %q.%s", kind, m[1], didYouMean(m[1], has))
		}
	}
	var uses []use
	ids := map[string]bool{}
	steps := d.items(f["steps"], "steps")
	if f["steps"] != nil && f["steps"].Kind == yaml.SequenceNode && len(steps) == 0 {
		d.report(f["steps"], "steps is empty: a turn has at least one.")
	}
	for _, s := range steps {
		step, used := c.step(d, kind, s)
		if step.ID != "" && ids[step.ID] {
			d.report(s, "Two steps of this turn have the id %q.", step.ID)
		}
		ids[step.ID] = true
		t.Steps = append(t.Steps, step)
		uses = append(uses, used...)
	}
	return t, uses
}

func (c *checker) step(d *document, turn string, n *yaml.Node) (Step, []use) {
	common := []string{"id", "kind", "title"}
	f := d.fields(n, "A step", nil)
	d.need(n, f, "A step", common...)
	s := Step{
		ID:       d.text(f["id"], "id"),
		Kind:     d.choice(f["kind"], "kind", slices.Collect(maps.Keys(c.reg.Steps))),
		Title:    d.oneLine(f["title"], "title"),
		Settings: map[string]string{},
	}
	if s.ID != "" && !promptName.MatchString(s.ID) {
		d.report(f["id"], "id is a word of small letters, digits and _.")
	}
	if s.Kind == "" {
		return s, nil
	}
	kind := c.reg.Steps[s.Kind]
	known := append(slices.Sorted(maps.Keys(kind.Settings)), common...)
	d.fields(n, "A step of the kind "+s.Kind, known)
	var uses []use
	for _, name := range slices.Sorted(maps.Keys(kind.Settings)) {
		setting, value := kind.Settings[name], f[name]
		if value == nil {
			if setting.Required {
				d.need(n, f, "A step of the kind "+s.Kind, name)
			}
			continue
		}
		var text string
		if setting.Choices != nil {
			text = d.choice(value, name, setting.Choices)
		} else {
			text = d.oneLine(value, name)
		}
		if text == "" {
			continue
		}
		s.Settings[name] = text
		if setting.Prompt {
			uses = append(uses, use{
				prompt: text, file: d.file, line: d.line + value.Line, column: value.Column,
				turn: turn, has: slices.Concat(c.reg.Turns[turn], setting.Gives),
			})
		}
	}
	return s, uses
}

// checkUses holds the manifest against the prompts: each that is named exists
// and has in that turn what it requires, and each that exists is named.
func (c *checker) checkUses(prompts map[string]*Prompt, uses []use) {
	names := slices.Sorted(maps.Keys(prompts))
	used := map[string]bool{}
	for _, u := range uses {
		p, ok := prompts[u.prompt]
		used[u.prompt] = true
		if !ok {
			c.report(u.file, u.line, u.column, "There is no prompt %q in this folder.%s", u.prompt, didYouMean(strings.TrimSuffix(u.prompt, ".md"), names))
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(p.Variables)) {
			if v := p.Variables[name]; v.Required && v.Type != "" && !slices.Contains(u.has, name) {
				c.report(u.file, u.line, u.column, "The prompt %s requires %q, which a turn of the kind %s does not have here.", u.prompt, name, u.turn)
			}
		}
	}
	for _, name := range names {
		if !used[name] && len(uses) > 0 {
			c.report(c.plugin+"/"+name+".md", 1, 1, "No step in plugin.yaml uses this prompt.")
		}
	}
}
