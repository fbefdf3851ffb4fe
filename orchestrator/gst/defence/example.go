package defence

import (
	"fmt"
	"maps"

	"munshi/orchestrator/gst/printed"
)

// exampleWords is the name under which an example gives the text of the paper or charge.
const exampleWords = "words"

// Try applies the rule to the facts of an example and returns the verdict, "" if the rule is not relevant. The error
// names an unknown fact, or a value of the wrong kind.
func (r *Rule) Try(example map[string]string) (string, error) {
	k := printed.Known{}
	asPrinted := []printed.Quote{{Page: 1, Quote: "as printed"}}
	words := ""
	for name, value := range example {
		if name == exampleWords {
			words = value
			continue
		}
		kind := printed.KindOf(name)
		if kind == 0 {
			return "", fmt.Errorf("there is no fact %q", name)
		}
		v, ok := printed.ParseValue(kind, value)
		if !ok {
			return "", fmt.Errorf("%q is no value of %s", value, name)
		}
		v.At = asPrinted
		k.Put(name, v)
	}
	e := evaluation{Paper: &printed.Paper{Known: k}}
	f, raised := e.try(r, printed.ScopeOf(words, k))
	if !raised {
		return "", nil
	}
	return f.verdict, nil
}

// Otherwise returns the facts of the example with changes; an empty value removes a fact.
func (e Examples) Otherwise(changes map[string]string) map[string]string {
	facts := maps.Clone(e.Holds)
	for name, value := range changes {
		if value == "" {
			delete(facts, name)
			continue
		}
		facts[name] = value
	}
	return facts
}
