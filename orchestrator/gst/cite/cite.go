// Package cite finds what a legal text cites and says what can be checked: provisions of the Acts and Rules in its
// index, circulars and notifications, judgments, and dates and amounts that contradict the facts of a notice. It is
// pure: text, facts and tables go in, marks come out. It uses no model, clock or network, and reads only the tables
// that it is given. It never changes a text, and it never says that a provision supports the point for which it is
// cited: a mark only says that the provision exists and was in force.
package cite

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"munshi/orchestrator/message"
)

//go:embed tables
var tableFiles embed.FS

// Tables returns the built-in tables: acts/*.json and issued.json.
func Tables() fs.FS {
	tables, err := fs.Sub(tableFiles, "tables")
	if err != nil {
		panic("cite: " + err.Error()) // cannot happen: "tables" is a valid path
	}
	return tables
}

// Index contains the Acts and Rules whose provisions can be looked up, and the known circulars and notifications.
type Index struct {
	acts   []*Act
	byID   map[string]*Act
	names  []actName        // longest first
	issued map[string]issue // by kind and number, "circular 183/15/2022"
}

type actName struct {
	text string
	act  *Act
}

// issue is a circular or a notification.
type issue struct {
	Series    string     `json:"series"` // for a notification: "" for Central Tax, "rate", "integrated", "integrated rate"
	Number    string     `json:"number"`
	Date      string     `json:"date"`
	About     string     `json:"about"`
	Says      string     `json:"says"` // what it clarifies, in English
	Hindi     string     `json:"hi"`
	Asks      []string   `json:"asks"` // questions that it answers, as people type them
	Withdrawn *withdrawn `json:"withdrawn"`

	Provisions []string `json:"provisions"` // "cgst:16"
	Source     string   `json:"source"`
	Certainty  string   `json:"certainty"` // "text" or "knowledge"
}

// withdrawn says by what and when a circular was withdrawn, or a notification was rescinded or replaced.
type withdrawn struct {
	By   string `json:"by"`
	Date string `json:"date"`
}

// Issued is a circular or a notification in the tables.
type Issued struct {
	Kind       string   `json:"kind"`             // "circular" or "notification"
	Series     string   `json:"series,omitempty"` // for a notification: "" for Central Tax, "rate", "integrated", "integrated rate"
	Number     string   `json:"number"`
	Date       string   `json:"date"` // ISO
	About      string   `json:"about"`
	English    string   `json:"en"` // what it clarifies
	Hindi      string   `json:"hi"`
	Asks       []string `json:"-"`                    // questions that it answers, as people type them
	Provisions []string `json:"provisions,omitempty"` // the provisions that it is about, "cgst:16"
	Withdrawn  string   `json:"withdrawn,omitempty"`  // ISO day from which it is no longer in force
	By         string   `json:"withdrawn_by,omitempty"`
	Source     string   `json:"source"`
	Certainty  string   `json:"certainty"` // "text" or "knowledge"
}

// Issued returns the known circulars and notifications, circulars first, each kind by date.
func (x *Index) Issued() []Issued {
	var all []Issued
	for key, i := range x.issued {
		kind, _, _ := strings.Cut(key, " ")
		one := Issued{Kind: kind, Series: i.Series, Number: i.Number, Date: i.Date, About: i.About, English: i.Says,
			Hindi: i.Hindi, Asks: i.Asks, Provisions: i.Provisions, Source: i.Source, Certainty: i.Certainty}
		if i.Withdrawn != nil {
			one.Withdrawn, one.By = i.Withdrawn.Date, i.Withdrawn.By
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b Issued) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Date, b.Date),
			strings.Compare(a.Series, b.Series), strings.Compare(a.Number, b.Number))
	})
	return all
}

// Open reads the tables from a folder like the one that Tables returns.
func Open(tables fs.FS) (*Index, error) {
	files, err := fs.Glob(tables, "acts/*.json")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("list the Acts of the index: %d found, %w", len(files), err)
	}
	x := &Index{byID: map[string]*Act{}, issued: map[string]issue{}}
	for _, file := range files {
		act := &Act{ID: strings.TrimSuffix(path.Base(file), ".json")}
		if err := readTable(tables, file, act); err != nil {
			return nil, err
		}
		if err := act.prepare(); err != nil {
			return nil, fmt.Errorf("table %s: %w", file, err)
		}
		x.acts = append(x.acts, act)
		x.byID[act.ID] = act
		for _, name := range act.Names {
			x.names = append(x.names, actName{name, act})
		}
	}
	for _, id := range []string{cgst, cgstRules} {
		if x.byID[id] == nil {
			return nil, fmt.Errorf("the index has no acts/%s.json", id)
		}
	}
	slices.SortFunc(x.names, func(a, b actName) int { return len(b.text) - len(a.text) })
	var list struct{ Circulars, Notifications []issue }
	if err := readTable(tables, "issued.json", &list); err != nil {
		return nil, err
	}
	for _, c := range list.Circulars {
		x.issued["circular "+plainNumber(c.Number)] = c
	}
	for _, n := range list.Notifications {
		x.issued[strings.TrimSpace("notification "+plainNumber(n.Number)+" "+n.Series)] = n
	}
	return x, nil
}

func readTable(tables fs.FS, file string, into any) error {
	data, err := fs.ReadFile(tables, file)
	if err != nil {
		return fmt.Errorf("read table %s: %w", file, err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("read table %s: %w", file, err)
	}
	return nil
}

// The Act and Rules assumed for a citation without an Act, in a matter of GST.
const (
	cgst      = "cgst"
	cgstRules = "cgst_rules"
)

// Act returns an Act or Rules by id, or nil if the index does not have it.
func (x *Index) Act(id string) *Act { return x.byID[id] }

// Kind is the kind of a mark.
type Kind string

// The kinds of marks.
const (
	Provision    Kind = "provision"
	Circular     Kind = "circular" // or notification, instruction, order of a board
	Judgment     Kind = "judgment" // a case by name, by its reporter, or by its number in court
	Contradicted Kind = "fact"     // a date or an amount that contradicts the facts
)

// Verdict is the result of a check.
type Verdict string

// The verdicts. Only Exists and Supplied are positive, and neither says that the point is supported.
const (
	Exists      Verdict = "exists"       // in the index, and in force if that was checked
	PartUnknown Verdict = "part_unknown" // the section exists, but the index does not have this part of it
	Unknown     Verdict = "unknown"      // the Act has no such provision
	NotInForce  Verdict = "not_in_force" // omitted, repealed, or not for this period
	NotCovered  Verdict = "not_covered"  // an Act outside the index, or none is named
	NotVerified Verdict = "not_verified" // a circular outside the tables, or a judgment that nobody supplied
	Supplied    Verdict = "supplied"     // a judgment that the person supplied
	Contradicts Verdict = "contradicts"  // it contradicts the facts
)

// Mark is one thing found in a text. Start and End are byte offsets in the text as given.
type Mark struct {
	Start, End int
	Kind       Kind
	Verdict    Verdict
	Act        string // the Act of the provision, "CGST Act", in its short form
	Provision  string // "section 16(2)(aa)"
	Heading    string // of the provision, or the subject of a circular
	Message    string // a sentence or two for the person, in English

	Said message.Message // the message for all languages
}

// say sets the mark's message by its code.
func (m *Mark) say(code string, params message.Params) { m.saying(message.New("checks."+code, params)) }

// saying sets the mark's messages, joined into one.
func (m *Mark) saying(all ...message.Message) {
	m.Said = message.Sentences(all...)
	m.Message = m.Said.English
}

// Context is what a text is checked against. The zero value is for a text that is not about a notice.
type Context struct {
	Today       string   // ISO date on which the text was written
	Notice      *Notice  // nil if there is none
	Authorities []string // citations that the person supplied
}

// Notice has the facts of a notice that the check needs. Dates are ISO, amounts rupees.
type Notice struct {
	Issued  string // date of issue, "" if unknown
	From    string // first and last day of the periods, "" if unknown
	To      string
	Years   string // the periods as a person writes them, "FY 2020-21"
	Reply   string // last day to reply, "" if unknown
	Hearing string
	Form    string
	Totals  []float64 // amounts that may rightly be called the total of the demand; empty: not known
	Heads   []HeadSums
	Text    string // text of the notice, to find what it cites itself
}

// HeadSums is a demand under one head of tax, in rupees: tax, interest and so on, and their sums.
type HeadSums struct {
	Head string // "IGST"
	Sums []float64
}

// Check returns marks for everything that the text, in Markdown, cites, and for what contradicts the facts, in text
// order.
func (x *Index) Check(text string, c Context) []Mark {
	p := newPlain(text)
	var marks []Mark
	found := x.find(p, true)
	x.infer(p, found, c)
	for _, f := range found {
		marks = append(marks, x.judge(f, c))
	}
	marks = append(marks, x.issues(p)...)
	marks = append(marks, judgments(p, c)...)
	marks = append(marks, contradictions(p, c.Notice)...)
	for i := range marks {
		marks[i].Start, marks[i].End = p.source(marks[i].Start, marks[i].End)
	}
	return apart(marks)
}

// apart returns the marks sorted, without those that overlap an earlier one.
func apart(marks []Mark) []Mark {
	slices.SortStableFunc(marks, func(a, b Mark) int { return a.Start - b.Start })
	kept := marks[:0]
	end := -1
	for _, m := range marks {
		if m.Start < end {
			continue
		}
		kept = append(kept, m)
		end = m.End
	}
	return kept
}

// judge returns a mark for a citation with what the index knows about it.
func (x *Index) judge(f Citation, c Context) Mark {
	m := Mark{Start: f.Start, End: f.End, Kind: Provision, Provision: f.Unit() + " " + f.Number}
	switch {
	case f.Act != nil:
		m.Act = f.Act.Short
		f.Act.judge(&m, f.Number, c)
	case f.Other != "":
		m.Act, m.Verdict = f.Other, NotCovered
		m.say("act_not_covered", message.Params{"act": message.Citation(f.Other)})
	default:
		m.Verdict = NotCovered
		m.say("act_not_named", nil)
	}
	return m
}

// Lookup returns a mark with what the index knows about one provision of an Act, such as "16(2)(aa)".
func (x *Index) Lookup(act, number string, c Context) Mark {
	return x.judge(Citation{Act: x.byID[act], Rule: act == cgstRules, Number: number}, c)
}
