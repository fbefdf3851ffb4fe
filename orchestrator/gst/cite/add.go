package cite

import (
	"fmt"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

// Entry is an addition to the index: a section or rule, or a part of one.
type Entry struct {
	Act     string // id such as "cgst"
	Number  string // such as "16A", or "16(2)(ab)" for a part of an existing section
	Heading string // "" keeps the known heading
	From    string // the first day in force
	Until   string // the last day, "" if in force
	Source  string
	Confirm bool // its source is uncertain
}

var provisionShape = lazyregexp.New(`^\d{1,3}[A-Z]{0,3}(?:\([0-9A-Za-z]{1,5}\))*$`)

// Add adds a provision to the index, or corrects an existing one, whose other parts stay. The index must not be in
// use yet. The error is a sentence for the operator.
func (x *Index) Add(p Entry) error {
	act := x.byID[p.Act]
	if act == nil {
		return fmt.Errorf("the index has no Act %q: write %s", p.Act, strings.Join(x.ids(), ", "))
	}
	if !provisionShape.MatchString(p.Number) {
		return fmt.Errorf("%q is no number of a %s: write such as 16A, or 16(2)(ab) for a part", p.Number, act.Unit)
	}
	root, rest, deeper := strings.Cut(p.Number, "(")
	valid := validity{From: p.From, Until: p.Until, Source: p.Source, Confirm: p.Confirm}
	known := act.byNumber[root]
	switch {
	case deeper && known == nil:
		return fmt.Errorf("the %s has no %s %s of which this could be a part: add that first", act.Name, act.Unit, root)
	case deeper:
		added := part{At: "(" + rest, Heading: p.Heading, validity: valid}
		known.Parts = append(deleteAt(known.Parts, added.At), added)
		for end := range added.At { // the parts that contain it exist too
			if added.At[end] == ')' {
				known.parts[added.At[:end+1]] = true
			}
		}
	case known == nil:
		if p.Heading == "" {
			return fmt.Errorf("%s %s is new: give its heading", act.Unit, root)
		}
		added := &provision{Number: root, Heading: p.Heading, validity: valid, parts: map[string]bool{}}
		act.Provisions, act.byNumber[root] = append(act.Provisions, added), added
	default:
		if p.Heading != "" {
			known.Heading = p.Heading
		}
		known.validity = valid
	}
	return nil
}

func deleteAt(parts []part, at string) []part {
	var kept []part
	for _, p := range parts {
		if p.At != at {
			kept = append(kept, p)
		}
	}
	return kept
}

func (x *Index) ids() []string {
	var ids []string
	for _, a := range x.acts {
		ids = append(ids, a.ID)
	}
	return ids
}

// AddCircular adds a CBIC circular to the index.
func (x *Index) AddCircular(number, date, about string) {
	x.issued["circular "+plainNumber(number)] = issue{Number: number, Date: date, About: about}
}

// AddNotification adds a notification (Central Tax) to the index.
func (x *Index) AddNotification(number, date, about string) {
	x.issued["notification "+plainNumber(number)] = issue{Number: number, Date: date, About: about}
}
