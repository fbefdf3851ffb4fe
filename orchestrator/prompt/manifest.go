package prompt

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Manifest is the content of a plugin.yaml.
type Manifest struct {
	ID       string
	Title    string
	Icon     string // name of a lucide icon
	Order    int    // position among the tabs, smallest first
	Audience string // "everyone", "members" (signed in) or "operators"
	View     View
	Inputs   []Input
	Turns    map[string]Turn
	// Translations are the texts above in other languages: by language code, and then by the text itself.
	Translations map[string]map[string]string
}

// View has the texts of the web app's generic view; for an empty one the web app uses its own.
type View struct {
	Heading     string // above the form
	Hint        string // a sentence below the heading
	Button      string // label of the button that sends the form
	Placeholder string // of the field for questions
	Note        string // below that field, such as who must review the answers
}

// Input is something that a person enters or uploads. Prompts refer to it with "input_" before its id.
type Input struct {
	ID          string
	Type        string // one of the types below
	Title       string
	Hint        string // a sentence next to the field
	Placeholder string // for a text; for a choice: of the field for questions, once something is chosen
	Required    bool
	Choices     []Option // for a choice
}

// Option is one value of a choice: what prompts get, and what a person reads. They are the same unless the manifest
// says otherwise.
type Option struct{ ID, Title string }

// Options returns the values of a choice, as prompts get them; nil for other inputs.
func (in Input) Options() []string {
	var ids []string
	for _, o := range in.Choices {
		ids = append(ids, o.ID)
	}
	return ids
}

// The types of inputs.
const (
	PDF    = "pdf"
	Words  = "text"
	Choice = "choice"
)

// Languages are the languages into which a manifest's texts can be translated.
var Languages = []string{"hi"}

// InputPrefix comes before an input's id in the name of its variable.
const InputPrefix = "input_"

// value returns what prompts get of the input. A choice is trusted, since its values come from the manifest.
func (in Input) value() Value {
	return Value{Type: Text, Untrusted: in.Type != Choice, Choices: in.Options()}
}

// Turn describes one kind of turn: what happens after a person sends something.
type Turn struct {
	Title   string
	Message string   // shown as the person's own message; see UserMessage
	Apology string   // shown as the answer if the turn fails
	Inputs  []string // ids of the inputs that it takes
	Steps   []Step
}

// Step is one step of a turn.
type Step struct {
	ID       string
	Kind     string
	Title    string            // shown while the step runs
	Settings map[string]string // settings of its kind, as in "prompt": "analyse"
}

var (
	placeholder = regexp.MustCompile(`\{([^{}]*)\}`)
	iconName    = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	audiences   = []string{"everyone", "members", "operators"}
)

// UserMessage returns Message with each {name} replaced by its value; names are such as document_type or input_side.
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
	has    []string // the values available there
}

func (c *checker) manifest(file string) (Manifest, []use) {
	text, ok := c.own(file)
	if !ok {
		return Manifest{}, nil
	}
	d := &document{c: c, file: file}
	top := d.parse(text)
	f := d.fields(top, "The manifest", []string{"id", "title", "icon", "order", "audience", "view", "inputs", "turns",
		"translations"})
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
	} else if slices.Contains(c.reg.Reserved, m.ID) {
		d.report(f["id"], "The app has a page of its own named %q: give the folder another name.", m.ID)
	}
	if m.Icon != "" && !iconName.MatchString(m.Icon) {
		d.report(f["icon"], "icon is a name from lucide.dev, such as file-search.")
	} else if m.Icon != "" && c.reg.Icons != nil {
		d.choice(f["icon"], "icon", c.reg.Icons)
	}
	m.View = d.view(f["view"])
	m.Inputs = c.inputs(d, f["inputs"])
	var uses []use
	turns := d.fields(f["turns"], "turns", slices.Sorted(maps.Keys(c.reg.Turns)))
	if f["turns"] != nil && len(f["turns"].Content) == 0 {
		d.report(f["turns"], "turns is empty: a plugin has at least one.")
	}
	for _, kind := range slices.Sorted(maps.Keys(turns)) {
		turn, used := c.turn(d, kind, turns[kind], m.Inputs)
		m.Turns[kind] = turn
		uses = append(uses, used...)
	}
	m.Translations = c.translations(d, f["translations"], m)
	for i, in := range m.Inputs {
		taken := func(t Turn) bool { return slices.Contains(t.Inputs, in.ID) }
		if in.ID != "" && len(turns) > 0 && len(c.reg.Forms) > 0 &&
			!slices.ContainsFunc(slices.Collect(maps.Values(m.Turns)), taken) {
			d.report(f["inputs"].Content[i], "No turn takes the input %q: name it under “inputs” of one.", in.ID)
		}
	}
	return m, uses
}

// placed is a text of the manifest that people read, and its place, as in "turns.chat.title".
type placed struct{ place, text string }

// places returns every text that people read with its place, including those of turns.
func (m Manifest) places() []placed {
	all := []placed{
		{"title", m.Title}, {"view.heading", m.View.Heading}, {"view.hint", m.View.Hint},
		{"view.button", m.View.Button},
		{"view.placeholder", m.View.Placeholder}, {"view.note", m.View.Note},
	}
	for _, in := range m.Inputs {
		at := "inputs." + in.ID + "."
		all = append(all, placed{at + "title", in.Title}, placed{at + "hint", in.Hint},
			placed{at + "placeholder", in.Placeholder})
		for _, o := range in.Choices {
			all = append(all, placed{at + "choices." + o.ID, o.Title})
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(m.Turns)) {
		t, at := m.Turns[kind], "turns."+kind+"."
		all = append(all, placed{at + "title", t.Title}, placed{at + "message", t.Message},
			placed{at + "apology", t.Apology})
		for _, s := range t.Steps {
			all = append(all, placed{at + "steps." + s.ID, s.Title})
		}
	}
	return slices.DeleteFunc(all, func(p placed) bool { return p.text == "" })
}

// Texts returns every text of the manifest that people read.
func (m Manifest) Texts() []string {
	var all []string
	for _, p := range m.places() {
		all = append(all, p.text)
	}
	return all
}

// translations reads the manifest's texts in other languages, which the file lists by their place, and returns them by
// the text itself. Older stored versions list them by the text.
func (c *checker) translations(d *document, n *yaml.Node, m Manifest) map[string]map[string]string {
	all := map[string]map[string]string{}
	texts := map[string]string{}
	for _, p := range m.places() {
		texts[p.place] = p.text
	}
	for language, of := range d.fields(n, "translations", Languages) {
		all[language] = map[string]string{}
		given := d.fields(of, "The translation", nil)
		for _, place := range slices.Sorted(maps.Keys(given)) {
			said, node := d.oneLine(given[place], "A translation"), given[place]
			text, there := texts[place]
			if !there && c.kept {
				text = place
			} else if !there {
				d.report(node, "No text of this file stands at %q.%s", place,
					didYouMean(place, slices.Collect(maps.Keys(texts))))
				continue
			}
			for _, name := range placeholder.FindAllString(text, -1) {
				if said != "" && !strings.Contains(said, name) {
					d.report(node, "The translation lacks %s.", name)
				}
			}
			if before := all[language][text]; before != "" && before != said {
				d.report(node, "The same text, %q, is translated otherwise elsewhere: %q.", text, before)
			}
			all[language][text] = said
		}
	}
	return all
}

func (d *document) view(n *yaml.Node) View {
	f := d.fields(n, "view", []string{"heading", "hint", "button", "placeholder", "note"})
	return View{
		Heading:     d.oneLine(f["heading"], "heading"),
		Hint:        d.oneLine(f["hint"], "hint"),
		Button:      d.oneLine(f["button"], "button"),
		Placeholder: d.oneLine(f["placeholder"], "placeholder"),
		Note:        d.oneLine(f["note"], "note"),
	}
}

// inputs reads the inputs, and adds a variable for each to those that the prompts of this plugin may use.
func (c *checker) inputs(d *document, n *yaml.Node) []Input {
	var inputs []Input
	c.reg.Values = maps.Clone(c.reg.Values)
	seen, pdf := map[string]bool{}, false
	for _, item := range d.items(n, "inputs") {
		in := c.input(d, item)
		switch {
		case in.ID != "" && seen[in.ID]:
			d.report(item, "Two inputs have the id %q.", in.ID)
		case in.Type == PDF && pdf:
			d.report(item, "A plugin has one input of the type pdf: what is handed in later is a document of the turn "+
				"document.")
		case in.ID != "" && in.Type != "":
			c.reg.Values[InputPrefix+in.ID] = in.value()
		}
		seen[in.ID], pdf = true, pdf || in.Type == PDF
		inputs = append(inputs, in)
	}
	return inputs
}

func (c *checker) input(d *document, n *yaml.Node) Input {
	f := d.fields(n, "An input", []string{"id", "type", "title", "hint", "placeholder", "required", "choices"})
	d.need(n, f, "An input", "id", "type", "title")
	in := Input{
		ID:          d.text(f["id"], "id"),
		Type:        d.choice(f["type"], "type", []string{PDF, Words, Choice}),
		Title:       d.oneLine(f["title"], "title"),
		Hint:        d.oneLine(f["hint"], "hint"),
		Placeholder: d.oneLine(f["placeholder"], "placeholder"),
		Required:    d.flag(f["required"], "required", true),
	}
	if in.ID != "" && !promptName.MatchString(in.ID) {
		d.report(f["id"], "id is a word of small letters, digits and _.")
	}
	for _, item := range d.items(f["choices"], "choices") {
		choice := d.option(item)
		if choice.ID != "" && slices.Contains(in.Options(), choice.ID) {
			d.report(item, "The choice %q stands here twice.", choice.ID)
		}
		in.Choices = append(in.Choices, choice)
	}
	if in.Type == Choice && len(in.Choices) == 0 {
		d.report(n, "An input of the type choice needs “choices”.")
	}
	if in.Type != "" && in.Type != Choice && f["choices"] != nil {
		d.report(f["choices"], "Only an input of the type choice has “choices”.")
	}
	switch {
	case in.Type == PDF && f["placeholder"] != nil:
		d.report(f["placeholder"], "An input of the type pdf has no “placeholder”.")
	case in.Type == Choice:
		for _, m := range placeholder.FindAllStringSubmatch(in.Placeholder, -1) {
			if m[1] != InputPrefix+in.ID {
				d.report(f["placeholder"], "This can only name the choice itself: {%s%s}.", InputPrefix, in.ID)
			}
		}
	}
	return in
}

// option reads one value of a choice: a text, or an id with its own title.
func (d *document) option(n *yaml.Node) Option {
	if n.Kind != yaml.MappingNode {
		text := d.oneLine(n, "A choice")
		return Option{text, text}
	}
	f := d.fields(n, "A choice", []string{"id", "title"})
	d.need(n, f, "A choice", "id", "title")
	return Option{ID: d.oneLine(f["id"], "id"), Title: d.oneLine(f["title"], "title")}
}

// takes reads which inputs a turn takes, and returns them with the names of their values. The turn that begins with a
// form takes all inputs unless it says otherwise.
func (c *checker) takes(d *document, kind string, n *yaml.Node, inputs []Input) (taken, has []string) {
	fit := c.reg.Forms[kind]
	add := func(in Input) {
		taken = append(taken, in.ID)
		if in.Required {
			has = append(has, InputPrefix+in.ID)
		}
	}
	if n == nil {
		for _, in := range inputs {
			if slices.Contains(fit, PDF) {
				add(in)
			}
		}
		return taken, has
	}
	if len(fit) == 0 {
		d.report(n, "A turn of the kind %s takes no inputs.", kind)
		return nil, nil
	}
	var ids []string
	for _, in := range inputs {
		ids = append(ids, in.ID)
	}
	for _, item := range d.items(n, "inputs") {
		id := d.text(item, "The id of an input")
		i := slices.Index(ids, id)
		switch {
		case id == "":
		case i < 0:
			d.report(item, "There is no input %q.%s", id, didYouMean(id, ids))
		case slices.Contains(taken, id):
			d.report(item, "The input %q stands here twice.", id)
		case inputs[i].Type != "" && !slices.Contains(fit, inputs[i].Type):
			d.report(item, "A turn of the kind %s takes no input of the type %s.", kind, inputs[i].Type)
		default:
			add(inputs[i])
		}
	}
	return taken, has
}

func (c *checker) turn(d *document, kind string, n *yaml.Node, inputs []Input) (Turn, []use) {
	f := d.fields(n, "A turn", []string{"title", "message", "apology", "inputs", "steps"})
	d.need(n, f, "The turn "+kind, "title", "apology", "steps")
	t := Turn{
		Title:   d.oneLine(f["title"], "title"),
		Message: d.oneLine(f["message"], "message"),
		Apology: d.oneLine(f["apology"], "apology"),
	}
	taken, given := c.takes(d, kind, f["inputs"], inputs)
	t.Inputs = taken
	has := slices.Concat(c.reg.Turns[kind], given)
	shown := slices.Clone(c.reg.Turns[kind])
	for _, in := range inputs {
		if slices.Contains(taken, in.ID) && in.Type != PDF {
			shown = append(shown, InputPrefix+in.ID)
		}
	}
	for _, m := range placeholder.FindAllStringSubmatch(t.Message, -1) {
		if v, ok := c.reg.Values[m[1]]; !ok || v.Type != Text || !slices.Contains(shown, m[1]) {
			d.report(f["message"], "The turn %s has no text called %q.%s", kind, m[1], didYouMean(m[1], shown))
		}
	}
	var uses []use
	ids := map[string]bool{}
	steps := d.items(f["steps"], "steps")
	if f["steps"] != nil && f["steps"].Kind == yaml.SequenceNode && len(steps) == 0 {
		d.report(f["steps"], "steps is empty: a turn has at least one.")
	}
	for _, s := range steps {
		step, used := c.step(d, kind, s, has)
		if step.ID != "" && ids[step.ID] {
			d.report(s, "Two steps of this turn have the id %q.", step.ID)
		}
		ids[step.ID] = true
		t.Steps = append(t.Steps, step)
		uses = append(uses, used...)
	}
	return t, uses
}

func (c *checker) step(d *document, turn string, n *yaml.Node, has []string) (Step, []use) {
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
		if setting.Input && !slices.Contains(has, InputPrefix+text) {
			d.report(value, "The turn %s has no input %q that is always given.%s", turn, text,
				didYouMean(InputPrefix+text, has))
		}
		s.Settings[name] = text
		if setting.Prompt {
			uses = append(uses, use{
				prompt: text, file: d.file, line: d.line + value.Line, column: value.Column,
				turn: turn, has: slices.Concat(has, setting.Gives),
			})
		}
	}
	return s, uses
}

// checkUses checks the manifest against the prompts: each prompt that is named must exist and find what it requires in
// that turn, and each prompt that exists must be named.
func (c *checker) checkUses(prompts map[string]*Prompt, uses []use) {
	names := slices.Sorted(maps.Keys(prompts))
	used := map[string]bool{}
	for _, u := range uses {
		p, ok := prompts[u.prompt]
		used[u.prompt] = true
		if !ok {
			c.report(u.file, u.line, u.column, "There is no prompt %q in this folder.%s", u.prompt,
				didYouMean(strings.TrimSuffix(u.prompt, ".md"), names))
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(p.Variables)) {
			if v := p.Variables[name]; v.Required && v.Type != "" && !slices.Contains(u.has, name) {
				advice := ""
				if strings.HasPrefix(name, InputPrefix) {
					advice = " It may be missing: say “required: false” there."
				}
				c.report(u.file, u.line, u.column, "The prompt %s requires %q, which a turn of the kind %s does not "+
					"have here.%s", u.prompt, name, u.turn, advice)
			}
		}
	}
	for _, name := range names {
		if !used[name] && len(uses) > 0 {
			c.report(c.plugin+"/"+name+".md", 1, 1, "No step in plugin.yaml uses this prompt.")
		}
	}
}
