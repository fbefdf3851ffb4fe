package defences

import (
	"maps"
	"os"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/gst/defence"
)

// Sentences that have the words of a rule, on papers with all the facts of the rule's own example, and on which it must
// not apply all the same.
func TestWordsOnWhichARuleMustNotApply(t *testing.T) {
	data, err := os.ReadFile("testdata/hostile.yaml")
	if err != nil {
		t.Fatal(err)
	}
	type sentence struct {
		Rule  string
		With  map[string]string // facts other than those of the example
		Words string
	}
	var halves map[string][]sentence
	if err := yaml.Unmarshal(data, &halves); err != nil {
		t.Fatal(err)
	}
	rules := Built()
	for half, sentences := range halves {
		t.Run(half, func(t *testing.T) {
			right := 0
			for _, s := range sentences {
				i := slices.IndexFunc(rules, func(r defence.Rule) bool { return r.ID == s.Rule })
				if i < 0 {
					t.Errorf("there is no rule %q", s.Rule)
					continue
				}
				facts := rules[i].Examples.Otherwise(rules[i].Examples.Proved)
				maps.Copy(facts, s.With)
				facts["words"] = s.Words
				if verdict(t, &rules[i], facts) == defence.Applies {
					t.Errorf("%s applies on %q", s.Rule, s.Words)
					continue
				}
				right++
			}
			t.Logf("%d of %d", right, len(sentences))
		})
	}
}
