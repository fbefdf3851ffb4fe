// Package reading scores, field by field, what the program reads from labelled notices. It consists of pure functions
// on facts and labels.
package reading

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// fields are the scored fields, in the order of reports.
var fields = [...]string{"form", "reference", "din", "issue_date", "gstin", "gstin_valid", "legal_name", "officer",
	"sections", "rules", "periods", "fraud_alleged", "issues", "demand", "demand_total", "reply_due", "hearing",
	"flags", "paragraphs"}

// set has the values of a field as comparable items: those on the paper, or those read from it.
type set map[string]bool

func setOf(items ...string) set {
	s := set{}
	for _, item := range items {
		s[item] = true
	}
	return s
}

func (s set) minus(other set) set {
	rest := set{}
	for item := range s {
		if !other[item] {
			rest[item] = true
		}
	}
	return rest
}

func (s set) meets(other set) bool { return len(s.minus(other)) < len(s) }

func (s set) String() string { return strings.Join(slices.Sorted(maps.Keys(s)), ", ") }

// Tally counts for each field the items that were read correctly, read wrongly, and not read.
type Tally struct {
	Papers                  int
	right, wrong, missing   map[string]int
	misses                  []string
	datesLeft, datesOffered int // dates that were not read, and how many of them are among the candidates
	byClass                 map[string]*Tally
	// Demand totals that were not read, and how many of them are among the candidates.
	demandsLeft, demandsOffered int
}

// NewTally returns an empty tally.
func NewTally() *Tally {
	return &Tally{
		right:   map[string]int{},
		wrong:   map[string]int{},
		missing: map[string]int{},
		byClass: map[string]*Tally{},
	}
}

// Add counts what was read from a paper; facts are in the format of the API.
func (s *Tally) Add(p Labelled, facts map[string]any) {
	if s.byClass != nil {
		class := p.class()
		if s.byClass[class] == nil {
			s.byClass[class] = NewTally()
			s.byClass[class].byClass = nil
		}
		s.byClass[class].Add(p, facts)
	}
	s.Papers++
	for _, field := range []string{"issue_date", "reply_due", "hearing"} {
		if want := dateOf(p.Truth[field]); want != "" && dateOf(facts[field]) == "" {
			s.datesLeft++
			candidates, _ := facts["candidates"].(map[string]any)
			for _, c := range listOf(candidates[field]) {
				if value, ok := mapOf(c)["value"].(string); ok && strings.HasPrefix(value, want) {
					s.datesOffered++
					break
				}
			}
		}
	}
	if want := amountOf(mapOf(p.Truth["demand"])["total"]); want != 0 &&
		amountOf(mapOf(facts["demand"])["total"]) == 0 {
		s.demandsLeft++
		candidates, _ := facts["candidates"].(map[string]any)
		for _, c := range listOf(candidates["demand"]) {
			if value, _ := mapOf(c)["value"].(string); strings.HasPrefix(value, fmt.Sprintf("%.0f.", want)) {
				s.demandsOffered++
				break
			}
		}
	}
	for _, field := range fields {
		want, have := itemsOf(field, p.Truth), itemsOf(field, facts)
		if field == "sections" {
			parents := set{}
			for item := range want {
				root, _, _ := strings.Cut(item, "(")
				parents[root] = true
			}
			maps.DeleteFunc(have, func(item string, _ bool) bool { return !want[item] && parents[item] })
		}
		want, have = lenient(field, want, have, p.Note)
		missing, extra := want.minus(have), have.minus(want)
		s.right[field] += len(want) - len(missing)
		s.wrong[field] += len(extra)
		s.missing[field] += len(missing)
		if len(missing)+len(extra) > 0 {
			s.misses = append(s.misses, fmt.Sprintf("%s %s: missing [%v] extra [%v]", p.Name, field, missing, extra))
		}
	}
}

// itemsOf returns a field's values as a set of comparable items, empty if the notice has none.
func itemsOf(field string, facts map[string]any) set {
	v := facts[field]
	switch field {
	case "officer":
		return plainName(mapOf(v)["designation"])
	case "legal_name":
		return plainName(v)
	case "form", "reference", "din", "issue_date", "gstin":
		return identifiers(v)
	case "gstin_valid", "fraud_alleged":
		if b, ok := v.(bool); ok {
			return setOf(fmt.Sprint(b))
		}
		return set{}
	case "sections", "rules", "issues":
		items := set{}
		for _, item := range listOf(v) {
			items[strings.ReplaceAll(fmt.Sprint(item), " ", "")] = true
		}
		return items
	case "periods":
		return each(v, func(m map[string]any) string { return fmt.Sprint(m["fy"]) })
	case "demand":
		items := set{}
		for _, row := range listOf(mapOf(v)["rows"]) {
			for _, column := range []string{"tax", "interest", "penalty", "fee", "other"} {
				if amount := amountOf(mapOf(row)[column]); amount != 0 {
					items[fmt.Sprintf("%v %s %.0f", mapOf(row)["head"], column, amount)] = true
				}
			}
		}
		return items
	case "demand_total":
		if total := amountOf(mapOf(facts["demand"])["total"]); total != 0 {
			return setOf(fmt.Sprintf("%.0f", total))
		}
		return set{}
	case "reply_due":
		if date := dateOf(v); date != "" {
			return setOf(date + " " + fmt.Sprint(mapOf(v)["source"]))
		}
		return set{}
	case "hearing":
		if date := dateOf(v); date != "" {
			at, _ := mapOf(v)["time"].(string)
			return setOf(strings.TrimSpace(date + " " + at[:min(5, len(at))]))
		}
		return set{}
	case "flags":
		items := set{}
		for _, flag := range listOf(v) {
			if m := mapOf(flag); m != nil {
				flag = m["code"]
			}
			items[fmt.Sprint(flag)] = true
		}
		return items
	}
	// Only paragraphs with a charge are counted.
	n := 0
	if count, ok := v.(float64); ok {
		n = int(count)
	}
	for _, paragraph := range listOf(v) {
		if kind, ok := mapOf(paragraph)["kind"]; !ok || kind == "charge" {
			n++
		}
	}
	if n == 0 {
		return set{}
	}
	return setOf(fmt.Sprint(n))
}

// lenient returns the expected and the read items of a field after counting the alternates from the notes as correct.
func lenient(field string, want, have set, note map[string]any) (wanted, had set) {
	named := func(key string) set {
		items := set{}
		for _, item := range listOf(note[key]) {
			for _, inner := range append(listOf(item), item) {
				if text, ok := inner.(string); ok {
					items[strings.ReplaceAll(text, " ", "")] = true
				}
			}
		}
		return items
	}
	upper := func(s set) set {
		up := set{}
		for item := range s {
			up[strings.ToUpper(item)] = true
		}
		return up
	}
	switch field {
	case "reference", "form":
		if have.meets(upper(named(field + "_alternates"))) {
			return have, have
		}
	case "officer", "legal_name":
		for _, other := range listOf(note[field+"_alternates"]) {
			if have.meets(plainName(other)) {
				return have, have
			}
		}
	case "fraud_alleged":
		if note["fraud_any"] == true {
			return have, have
		}
	case "issues", "flags", "sections", "rules", "periods":
		key := field + "_alternates"
		if field == "issues" || field == "flags" {
			key = field + "_lenient"
		}
		neutral := named(key)
		return want.minus(neutral.minus(have)), have.minus(neutral.minus(want))
	case "demand", "demand_total":
		if len(have) == 0 && slices.Contains(listOf(note["demand_alternates"]), nil) {
			return have, have
		}
	case "reply_due":
		for item := range have {
			date, source, _ := strings.Cut(item, " ")
			wantedDate := false
			for w := range want {
				wantedDate = wantedDate || strings.HasPrefix(w, date)
			}
			if named("reply_alternates")[date] || wantedDate && named("reply_source_alternates")[source] {
				return have, have
			}
		}
	case "hearing":
		for _, other := range listOf(note["hearing_alternates"]) {
			if maps.Equal(have, itemsOf("hearing", map[string]any{"hearing": other})) {
				return have, have
			}
		}
	case "paragraphs":
		counts := set{}
		for _, key := range []string{"paras_alternates", "paragraphs_alternates", "allegation_paras_alternates",
			"paragraphs_lenient"} {
			for _, other := range listOf(note[key]) {
				if n, ok := other.(float64); ok {
					counts[fmt.Sprint(int(n))] = true
				} else if list := listOf(other); list != nil {
					counts[fmt.Sprint(len(list))] = true
				}
			}
		}
		if have.meets(counts) || len(have) == 0 && counts["0"] {
			return have, have
		}
	}
	return want, have
}

// ratio returns a share of a whole; 1 if the whole is 0.
func ratio(part, rest int) float64 {
	if part+rest == 0 {
		return 1
	}
	return float64(part) / float64(part+rest)
}

// F1 returns precision, recall and their harmonic mean for a field, or for all if field is "".
func (s *Tally) F1(field string) (precision, recall, f float64) {
	right, wrong, missing := s.right[field], s.wrong[field], s.missing[field]
	if field == "" {
		for _, name := range fields {
			right, wrong, missing = right+s.right[name], wrong+s.wrong[name], missing+s.missing[name]
		}
	}
	precision, recall = ratio(right, wrong), ratio(right, missing)
	if precision+recall > 0 {
		f = 2 * precision * recall / (precision + recall)
	}
	return precision, recall, f
}

// Report returns the misses of one field or of all, and a line for each field.
func (s *Tally) Report(field string) string {
	var b strings.Builder
	for _, miss := range s.misses {
		if name := strings.Fields(miss)[1]; field == "" || name == field+":" {
			fmt.Fprintln(&b, miss)
		}
	}
	fmt.Fprintf(&b, "%-14s precision  recall     F1  (n)\n", "field")
	for _, name := range fields {
		precision, recall, f := s.F1(name)
		fmt.Fprintf(&b, "%-14s %9.3f %7.3f %6.3f  (%d)\n", name, precision, recall, f, s.right[name]+s.missing[name])
	}
	precision, recall, f := s.F1("")
	fmt.Fprintf(&b, "dates left out: %d; offered as a candidate: %d\n", s.datesLeft, s.datesOffered)
	fmt.Fprintf(&b, "demands left out: %d; offered as a candidate: %d\n", s.demandsLeft, s.demandsOffered)
	fmt.Fprintf(&b, "%d papers: precision %.3f recall %.3f F1 %.3f; wrong reply dates %d, wrong amounts %d\n", s.Papers,
		precision, recall, f, s.wrong["reply_due"], s.wrong["demand"]+s.wrong["demand_total"])
	return b.String()
}

func mapOf(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}

func dateOf(v any) string {
	if m := mapOf(v); m != nil {
		v = m["date"]
	}
	date, _ := v.(string)
	return date
}

func amountOf(v any) float64 {
	amount, _ := v.(float64)
	return math.Round(amount)
}

func each(v any, item func(map[string]any) string) set {
	items := set{}
	for _, entry := range listOf(v) {
		items[item(mapOf(entry))] = true
	}
	return items
}

// plainName removes the parts of a name that may be omitted, such as titles and punctuation.
func plainName(v any) set {
	name, _ := v.(string)
	name = strings.NewReplacer("m/s.", "", "m/s", "", ".", " ", ",", " ").Replace(strings.ToLower(name))
	if name = strings.Join(strings.Fields(name), " "); name != "" {
		return setOf(name)
	}
	return set{}
}

func identifiers(v any) set {
	text, _ := v.(string)
	if text = strings.ToUpper(strings.ReplaceAll(text, " ", "")); text != "" {
		return setOf(text)
	}
	return set{}
}

// Field is how well a field was read, or all fields together.
type Field struct {
	Name    string `json:"name"` // "" for all
	Right   int    `json:"right"`
	Wrong   int    `json:"wrong"`
	Missing int    `json:"missing"`
}

// Class is how well the papers of one kind were read, over all fields.
type Class struct {
	Name   string `json:"name"` // the form's family, such as "DRC"; "letter" for a paper without a form, "scan" for all papers read by OCR
	Papers int    `json:"papers"`
	All    Field  `json:"all"`
}

// Scores are the results that are stored for a corpus.
type Scores struct {
	All     Field   `json:"all"`
	Fields  []Field `json:"fields"`
	Classes []Class `json:"classes"`
	// Dates and demands that were not read, and how many of them are among the candidates.
	DatesLeft      int `json:"dates_left"`
	DatesOffered   int `json:"dates_offered"`
	DemandsLeft    int `json:"demands_left"`
	DemandsOffered int `json:"demands_offered"`
}

func (s *Tally) all() Field {
	var f Field
	for _, name := range fields {
		f.Right, f.Wrong, f.Missing = f.Right+s.right[name], f.Wrong+s.wrong[name], f.Missing+s.missing[name]
	}
	return f
}

// Scores returns the counts by field and by class of paper.
func (s *Tally) Scores() Scores {
	out := Scores{
		All: s.all(), Fields: []Field{}, Classes: []Class{},
		DatesLeft: s.datesLeft, DatesOffered: s.datesOffered, DemandsLeft: s.demandsLeft,
		DemandsOffered: s.demandsOffered,
	}
	for _, name := range fields {
		out.Fields = append(out.Fields, Field{name, s.right[name], s.wrong[name], s.missing[name]})
	}
	for _, name := range slices.Sorted(maps.Keys(s.byClass)) {
		class := s.byClass[name]
		out.Classes = append(out.Classes, Class{Name: name, Papers: class.Papers, All: class.all()})
	}
	return out
}

// F1 returns the harmonic mean of precision and recall.
func (f Field) F1() float64 {
	if f.Right == 0 {
		return ratio(0, f.Wrong+f.Missing)
	}
	return 2 * float64(f.Right) / float64(2*f.Right+f.Wrong+f.Missing)
}

// Wrong returns how many items of a field were read wrongly.
func (s *Tally) Wrong(field string) int { return s.wrong[field] }

// DemandsOffered returns how many of the demands that were not read are among the candidates, and how many were not
// read in all.
func (s *Tally) DemandsOffered() (offered, left int) { return s.demandsOffered, s.demandsLeft }
