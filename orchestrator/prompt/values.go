package prompt

import (
	"fmt"
	"strings"

	"munshi/orchestrator/problem"

	"go.yaml.in/yaml/v3"
)

// ValueError says in a plain sentence what is wrong with a value for a prompt.
type ValueError struct {
	Variable string // "" if all values together are too long
	Message  string
}

// Error returns the sentence.
func (e *ValueError) Error() string { return e.Message }

// As lets errors.As convert the error into a problem that can be shown to people.
func (e *ValueError) As(target any) bool {
	p, ok := target.(**problem.Error)
	if ok {
		*p = problem.New("wrong_value", problem.Params{"message": e.Message}, e)
	}
	return ok
}

func wrong(name, format string, args ...any) error {
	return &ValueError{name, name + " " + fmt.Sprintf(format, args...) + "."}
}

// Typed returns values for Render from what a person typed for some of the variables; the others have their samples. A
// text is used as typed, everything else is parsed as YAML, in the form of the samples in the prompt's file. Empty
// values count as missing. The error is a ValueError.
func (p *Prompt) Typed(typed map[string]string) (map[string]any, error) {
	values := p.Samples()
	for name, text := range typed {
		v, ok := p.Variables[name]
		if !ok {
			return nil, &ValueError{name, fmt.Sprintf("%s has no variable %q.", p.Name, name)}
		}
		delete(values, name)
		if strings.TrimSpace(text) == "" {
			continue
		}
		value, err := v.typed(name, text)
		if err != nil {
			return nil, err
		}
		values[name] = value
	}
	return values, nil
}

func (v Variable) typed(name, text string) (any, error) {
	var n *yaml.Node
	c := &checker{}
	d := &document{c: c}
	if v.Type == Text {
		n = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	} else {
		n = d.parse(text)
	}
	value := d.value(n, name, v.Value)
	if len(c.problems) == 0 {
		return value, nil
	}
	var said []string
	for _, p := range c.problems.Tidy() {
		if v.Type == List || v.Type == Conversation {
			p.Message = fmt.Sprintf("%s, line %d: %s", name, p.Line, p.Message)
		}
		said = append(said, p.Message)
	}
	return nil, &ValueError{name, strings.Join(said, " ")}
}

// SampleText returns the sample as a person would type it. See Prompt.Typed.
func (v Variable) SampleText() string {
	switch sample := v.Sample.(type) {
	case string:
		return sample
	case float64:
		return formatNumber(sample)
	}
	items, _ := asItems(v.Sample, v.Fields)
	fields := v.Fields
	if turns, ok := v.Sample.([]Message); ok {
		fields = []string{"role", "text"}
		for _, turn := range turns {
			items = append(items, map[string]string{"role": turn.Role, "text": turn.Text})
		}
	}
	if len(items) == 0 {
		return ""
	}
	text := func(s string) *yaml.Node {
		n := new(yaml.Node)
		n.SetString(s)
		return n
	}
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, item := range items {
		n := text(item[""])
		if len(fields) > 0 {
			n = &yaml.Node{Kind: yaml.MappingNode}
			for _, f := range fields {
				n.Content = append(n.Content, text(f), text(item[f]))
			}
		}
		list.Content = append(list.Content, n)
	}
	out, _ := yaml.Marshal(list) // cannot fail: the nodes were made here
	return string(out)
}
