package evals

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// read has the facts of a notice that graders need; amounts are in rupees.
type read struct {
	Form      *string  `json:"form"`
	Reference *string  `json:"reference"`
	DIN       *string  `json:"din"`
	IssueDate *string  `json:"issue_date"`
	GSTIN     *string  `json:"gstin"`
	LegalName *string  `json:"legal_name"`
	TradeName *string  `json:"trade_name"`
	Sections  []string `json:"sections"`
	Rules     []string `json:"rules"`
	Issues    []string `json:"issues"`
	Fraud     *bool    `json:"fraud_alleged"`
	Periods   []struct {
		FY string `json:"fy"`
	} `json:"periods"`
	Demand *struct {
		Total *float64 `json:"total"`
	} `json:"demand"`
	ReplyDue struct {
		Date *string `json:"date"`
	} `json:"reply_due"`
	Hearing *struct {
		Date string `json:"date"`
	} `json:"hearing"`
}

func told[T any](v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(*v)
}

// factNames returns the facts for which a case may state an expectation. If a fact occurs several times, the function
// returns all its values; a case names one of them, or a list.
func factNames() map[string]func(read) []string {
	single := func(get func(read) string) func(read) []string {
		return func(f read) []string {
			if v := get(f); v != "" {
				return []string{v}
			}
			return nil
		}
	}
	return map[string]func(read) []string{
		"form":          single(func(f read) string { return told(f.Form) }),
		"reference":     single(func(f read) string { return told(f.Reference) }),
		"din":           single(func(f read) string { return told(f.DIN) }),
		"issue_date":    single(func(f read) string { return told(f.IssueDate) }),
		"gstin":         single(func(f read) string { return told(f.GSTIN) }),
		"legal_name":    single(func(f read) string { return told(f.LegalName) }),
		"trade_name":    single(func(f read) string { return told(f.TradeName) }),
		"reply_by":      single(func(f read) string { return told(f.ReplyDue.Date) }),
		"fraud_alleged": single(func(f read) string { return told(f.Fraud) }),
		"section":       func(f read) []string { return f.Sections },
		"rule":          func(f read) []string { return f.Rules },
		"issue":         func(f read) []string { return f.Issues },
		"hearing": single(func(f read) string {
			if f.Hearing == nil {
				return ""
			}
			return f.Hearing.Date
		}),
		"demand_paise": single(func(f read) string {
			if f.Demand == nil || f.Demand.Total == nil {
				return ""
			}
			return fmt.Sprintf("%.0f", math.Round(*f.Demand.Total*100))
		}),
		"period": func(f read) []string {
			var years []string
			for _, p := range f.Periods {
				years = append(years, p.FY)
			}
			return years
		},
	}
}

// partly names the facts for which a partial match counts: section 73 if the notice says 73(1).
var partly = map[string]bool{"section": true, "rule": true}

// facts compares the expected facts with what the program read from the document. An expected null means that nothing
// should have been read.
func facts(r *reader, n *yaml.Node, field string) (func(Answer) outcome, bool) {
	known := factNames()
	f, ok := r.fields(n, field, slices.Sorted(maps.Keys(known))...)
	if !ok {
		return nil, false
	}
	wanted := map[string][]string{}
	for name, v := range f {
		switch {
		case v.Kind == yaml.ScalarNode && v.Tag == "!!null":
			wanted[name] = nil
		case v.Kind == yaml.ScalarNode:
			wanted[name] = []string{strings.ReplaceAll(v.Value, "_", "")}
			if name != "demand_paise" {
				wanted[name] = []string{v.Value}
			}
		default:
			list, ok := several(r, v, join(field, name))
			if !ok {
				return nil, false
			}
			wanted[name] = list
		}
	}
	return func(a Answer) outcome {
		if a.Facts == nil {
			return outcome{says: "The program read no facts in this turn."}
		}
		var got read
		if err := json.Unmarshal(a.Facts, &got); err != nil {
			return outcome{says: "The facts could not be read: " + err.Error()}
		}
		var wrong []string
		for _, name := range slices.Sorted(maps.Keys(wanted)) {
			have := known[name](got)
			missed := slices.ContainsFunc(wanted[name], func(w string) bool {
				return !slices.ContainsFunc(have, func(h string) bool {
					return plain(h) == plain(w) || partly[name] && covers(h, w)
				})
			})
			if missed || wanted[name] == nil && len(have) > 0 {
				wrong = append(wrong, fmt.Sprintf("%s is %s and should be %s", name, listed(have),
					listed(wanted[name])))
			}
		}
		return passIf(len(wrong) == 0, "Read of the document: %s.", strings.Join(wrong, "; "))
	}, true
}

func listed(values []string) string {
	if len(values) == 0 {
		return "unknown"
	}
	return strings.Join(values, ", ")
}
