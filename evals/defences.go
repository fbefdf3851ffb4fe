package evals

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// NotRaised is the verdict that a case expects for a rule that does not apply to the paper in any way.
const NotRaised = "not raised"

// defences passes if each named rule has the expected verdict and reduces the demand by the expected amount, in
// rupees.
func defences(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
	wanted := map[string]struct {
		Verdict string `yaml:"verdict"`
		Takes   *int64 `yaml:"takes"`
	}{}
	if err := n.Decode(&wanted); err != nil {
		r.wrongYAML(n, field, err)
		return nil, false
	}
	verdicts := []string{"applies", "may apply", "does not apply", NotRaised}
	for id, want := range wanted {
		if !slices.Contains(verdicts, want.Verdict) {
			r.wrong(n, field, "%s: the verdict %q is none of %s", id, want.Verdict, strings.Join(verdicts, ", "))
			return nil, false
		}
	}
	if len(wanted) == 0 {
		r.wrong(n, field, "name at least one rule, with its verdict")
		return nil, false
	}
	return func(a Answer) outcome {
		var wrong []string
		for id, want := range wanted {
			got := Ruling{ID: id, Verdict: NotRaised}
			if i := slices.IndexFunc(a.Points, func(p Ruling) bool { return p.ID == id }); i >= 0 {
				got = a.Points[i]
			}
			switch {
			case got.Verdict != want.Verdict:
				wrong = append(wrong, fmt.Sprintf("%s: %s, it should be: %s", id, got.Verdict, want.Verdict))
			case want.Takes != nil && (got.Takes == nil || *got.Takes != *want.Takes*100):
				wrong = append(wrong, fmt.Sprintf("%s does not take ₹%d away", id, *want.Takes))
			}
		}
		slices.Sort(wrong)
		return passIf(len(wrong) == 0, "%s.", strings.Join(wrong, "; "))
	}, true
}
