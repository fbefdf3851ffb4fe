package prompt

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// TemplateFolder is the folder of document templates. It is read, stored and published like a plugin, but is
// not one.
const TemplateFolder = "_templates"

// manyLines matches the empty lines that remain of a branch that was not taken.
var manyLines = regexp.MustCompile(`\n{3,}`)

// Template is a document from which a draft may start: Markdown in the language of the prompts, filled in with what is
// known about a matter. It never changes.
type Template struct {
	ID       string // its file's name
	Title    string
	Category string
	About    string        // one sentence about its purpose
	Form     string        // its form by law, such as FORM GST DRC-06; "" for none
	Section  string        // the section on which it is based, in words; "" for none
	Answers  []string      // the forms of the papers that it answers, as in facts
	Hindi    TemplateWords // its entry in a Hindi list; "" for texts without Hindi

	prompt *Prompt
	blanks map[string]string
}

// TemplateWords are the texts for the entry of a template in a list in another language.
type TemplateWords struct{ Title, Category, About string }

// Templates returns the templates of the bundle of TemplateFolder, sorted by title.
func (b *Bundle) Templates() []Template { return b.templates }

// Fill returns the template's text with the known values, by the names in Registry.Blanks. An unknown value remains a
// blank with words that say what belongs there.
func (t Template) Fill(known map[string]string) string {
	r := &renderer{prompt: t.prompt, texts: map[string]string{}}
	for name := range t.blanks {
		if text := strings.TrimSpace(known[name]); text != "" {
			r.texts[name] = text
		}
	}
	var b strings.Builder
	t.write(&b, r, t.prompt.body)
	return strings.TrimSpace(manyLines.ReplaceAllString(b.String(), "\n\n")) + "\n"
}

func (t Template) write(b *strings.Builder, r *renderer, nodes []node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case textNode:
			b.WriteString(string(n))
		case valueNode:
			text, known := r.texts[n.ref.name]
			if !known {
				text = "[… " + t.blanks[n.ref.name] + "]"
			}
			b.WriteString(text)
		case ifNode:
			if r.holds(n, nil) {
				t.write(b, r, n.then)
			} else {
				t.write(b, r, n.otherwise)
			}
		}
	}
}

// buildTemplates checks the files of TemplateFolder.
func buildTemplates(files map[string][]byte, reg Registry, kept bool) (*Bundle, Problems) {
	c := &checker{
		plugin:   TemplateFolder,
		reg:      reg,
		kept:     kept,
		sources:  map[string]*source{},
		partials: map[string]*partial{},
	}
	c.reg.Values = nil // a template can use only the blanks
	b := &Bundle{manifest: Manifest{ID: TemplateFolder}, files: map[string][]byte{}}
	own := named(TemplateFolder, files)
	own = slices.DeleteFunc(own, func(name string) bool { return path.Dir(name) != TemplateFolder })
	titles := map[string]string{}
	for _, name := range own {
		b.files[name] = slices.Clone(files[name])
		c.sources[name] = &source{file: name, data: files[name]}
		t := c.template(name)
		if before, twice := titles[t.Title]; twice && t.Title != "" {
			c.report(name, 1, 1, "%s has the same title: people could not tell them apart.", before)
		}
		titles[t.Title] = name
		b.templates = append(b.templates, t)
	}
	if len(c.problems) > 0 {
		return nil, c.problems.Tidy()
	}
	slices.SortFunc(b.templates, func(a, b Template) int { return strings.Compare(a.Title, b.Title) })
	b.sha = hashFiles(b.files, own)
	return b, nil
}

func (c *checker) template(file string) Template {
	t := Template{
		ID:     strings.TrimSuffix(path.Base(file), ".md"),
		blanks: c.reg.Blanks,
		prompt: &Prompt{Variables: map[string]Variable{}},
	}
	if !promptName.MatchString(t.ID) {
		c.report(file, 1, 1, "A template's file has a name of small letters, digits and _, such as adjournment.md.")
		return t
	}
	text, ok := c.own(file)
	if !ok {
		return t
	}
	front, body, ok := c.split(file, text)
	if !ok {
		return t
	}
	d := &document{c: c, file: file, line: 1}
	top := d.parse(front)
	if top == nil {
		return t
	}
	const what = "The front matter"
	f := d.fields(top, what, []string{"title", "category", "about", "form", "section", "answers", "hi"})
	d.need(top, f, what, "title", "category", "about")
	for name, into := range map[string]*string{"title": &t.Title, "category": &t.Category, "about": &t.About,
		"form": &t.Form, "section": &t.Section} {
		*into = d.oneLine(f[name], name)
	}
	if hindi := f["hi"]; hindi != nil {
		words := d.fields(hindi, "hi", []string{"title", "category", "about"})
		for name, into := range map[string]*string{"title": &t.Hindi.Title, "category": &t.Hindi.Category,
			"about": &t.Hindi.About} {
			*into = d.oneLine(words[name], name)
		}
	}
	for _, item := range d.items(f["answers"], "answers") {
		t.Answers = append(t.Answers, d.oneLine(item, "The form of a paper"))
	}
	for name := range c.reg.Blanks {
		t.prompt.Variables[name] = Variable{Value: Value{Type: Text}}
	}
	if strings.TrimSpace(body) == "" {
		c.report(file, 1, 1, "This template has no text below its front matter.")
		return t
	}
	source := &compiler{checker: c, prompt: t.prompt, template: true, file: file, text: text,
		base: len(text) - len(body), used: map[string]bool{}, included: map[string]bool{},
		compiled: map[string]compiled{}}
	t.prompt.body = source.compile()
	return t
}
