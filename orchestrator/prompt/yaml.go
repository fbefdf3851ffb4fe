package prompt

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// document reads YAML strictly and reports all mistakes with their places. Its methods accept nil for what is missing.
type document struct {
	c    *checker
	file string
	line int // number of lines in the file before the YAML
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)

// parse returns the top node, or nil after reporting mistakes.
func (d *document) parse(text string) *yaml.Node {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var top yaml.Node
	err := decoder.Decode(&top)
	if errors.Is(err, io.EOF) {
		d.c.report(d.file, d.line+1, 1, "There is no YAML here.")
		return nil
	}
	if err == nil {
		if second := decoder.Decode(new(yaml.Node)); !errors.Is(second, io.EOF) {
			d.c.report(d.file, d.line+1, 1, "There is more than one YAML document here: a line --- begins another.")
			return nil
		}
		return top.Content[0]
	}
	line, said := 1, err.Error()
	if m := yamlLine.FindStringSubmatch(said); m != nil {
		said = m[2]
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = n
			if strings.HasPrefix(said, "did not find expected") { // the library counts these lines from 0
				line++
			}
		}
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	line = min(line, len(lines))
	column := 1 + len(lines[line-1]) - len(strings.TrimLeft(lines[line-1], " \t"))
	if strings.Contains(said, "cannot start any token") {
		said += " (a tab, or a sign that needs quotes)"
	}
	if strings.Contains(said, "mapping values are not allowed") {
		said += " (a text that holds a colon needs quotes)"
	}
	d.c.report(d.file, d.line+line, column, "This is not valid YAML: %s.", said)
	return nil
}

func (d *document) report(n *yaml.Node, format string, args ...any) {
	d.c.report(d.file, d.line+n.Line, n.Column, format, args...)
}

// fields returns the values of a mapping by key. known is nil if any key is allowed. what names the mapping in error
// messages.
func (d *document) fields(n *yaml.Node, what string, known []string) map[string]*yaml.Node {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		d.report(n, "%s is a list of “name: value” lines.", what)
		return nil
	}
	fields := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		name := key.Value
		switch {
		case key.Kind != yaml.ScalarNode || key.Tag == "!!merge" || key.Anchor != "":
			d.report(key, "A name must be a plain word.")
		case value.Kind == yaml.AliasNode || value.Anchor != "":
			d.report(value, "Anchors and aliases (& and *) are not used here: write the value out, or put it in quotes.")
		case known != nil && !slices.Contains(known, name):
			d.report(key, "%s has no setting %q.%s", what, name, didYouMean(name, known))
		case fields[name] != nil:
			d.report(key, "%q is set twice.", name)
		default:
			fields[name] = value
		}
	}
	return fields
}

// keys returns the key nodes of a mapping by name, so that mistakes can be reported with their line.
func keys(n *yaml.Node) map[string]*yaml.Node {
	places := map[string]*yaml.Node{}
	if n != nil && n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			places[n.Content[i].Value] = n.Content[i]
		}
	}
	return places
}

func (d *document) items(n *yaml.Node, what string) []*yaml.Node {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		d.report(n, "%s is a list, each item on a line that begins with “- ”.", what)
		return nil
	}
	for _, item := range n.Content {
		if item.Kind == yaml.AliasNode || item.Anchor != "" {
			d.report(item, "Anchors and aliases (& and *) are not used here: write the value out, or put it in quotes.")
			return nil
		}
	}
	return n.Content
}

// need reports fields that are missing in parent.
func (d *document) need(parent *yaml.Node, fields map[string]*yaml.Node, what string, names ...string) {
	for _, name := range names {
		if parent != nil && parent.Kind == yaml.MappingNode && fields[name] == nil && keys(parent)[name] == nil {
			d.report(parent, "%s needs %q.", what, name)
		}
	}
}

func (d *document) text(n *yaml.Node, what string) string {
	if n == nil {
		return ""
	}
	switch {
	case n.Kind == yaml.ScalarNode && (n.Tag == "!!int" || n.Tag == "!!float" || n.Tag == "!!bool" ||
		n.Tag == "!!timestamp"):
		d.report(n, "%s is a text: put %s in quotes.", what, n.Value)
	case n.Kind != yaml.ScalarNode || n.Tag != "!!str":
		d.report(n, "%s is a text.", what)
	case strings.TrimSpace(n.Value) == "":
		d.report(n, "%s is empty.", what)
	default:
		return n.Value
	}
	return ""
}

// oneLine returns a text that must be on one line.
func (d *document) oneLine(n *yaml.Node, what string) string {
	text := strings.TrimSpace(d.text(n, what))
	if strings.Contains(text, "\n") {
		d.report(n, "%s stands on one line.", what)
		return ""
	}
	return text
}

func (d *document) choice(n *yaml.Node, what string, choices []string) string {
	text := d.text(n, what)
	if text != "" && !slices.Contains(choices, text) {
		d.report(n, "%s cannot be %q: use %s.%s", what, text, either(choices), didYouMean(text, choices))
		return ""
	}
	return text
}

func (d *document) flag(n *yaml.Node, what string, otherwise bool) bool {
	if n == nil {
		return otherwise
	}
	var b bool
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" || n.Decode(&b) != nil {
		d.report(n, "%s is true or false.", what)
		return otherwise
	}
	return b
}

func (d *document) number(n *yaml.Node, what string, least, most float64) (float64, bool) {
	if n == nil {
		return 0, false
	}
	var f float64
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" && n.Tag != "!!float" || n.Decode(&f) != nil ||
		!(f >= least && f <= most) {
		if most >= 1e15 { // in effect no limit
			d.report(n, "%s is a number.", what)
		} else {
			d.report(n, "%s is a number from %s to %s.", what, formatNumber(least), formatNumber(most))
		}
		return 0, false
	}
	return f, true
}

func (d *document) integer(n *yaml.Node, what string, least, most int) int {
	f, ok := d.number(n, what, float64(least), float64(most))
	if ok && f != float64(int(f)) {
		d.report(n, "%s is a whole number.", what)
	}
	return int(f)
}

// either returns the choices as `"a", "b" or "c"`.
func either(choices []string) string {
	quoted := make([]string, len(choices))
	for i, c := range slices.Sorted(slices.Values(choices)) {
		quoted[i] = fmt.Sprintf("%q", c)
	}
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}
