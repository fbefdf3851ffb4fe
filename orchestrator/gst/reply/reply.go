// Package reply writes the answer to a GST notice: its allegations as the rows of a matrix, the form in which it is
// to be answered, and the reply or the filing against an order, part by part, as Markdown, with everything that
// follows from the facts, the reckoning and what a person said. It consists of pure functions: no model, no clock, no
// network and no file. It never invents a fact, a name or a date (what nobody supplied is "[…]"), never admits what a
// person did not admit, never names a judgment that nobody supplied, and never obeys the words of the notice, which
// it only quotes.
package reply

import (
	"fmt"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/printed"
	"munshi/orchestrator/gst/reckon"
)

// Stance is how an allegation is answered; "" if not decided yet.
type Stance string

// The ways to answer an allegation.
const (
	Admit   Stance = "admit"
	Deny    Stance = "deny"
	Explain Stance = "explain"
)

// Said is what was decided or proposed for one allegation.
type Said struct {
	Stance   Stance `json:"stance"`   // chosen by the person
	Proposed Stance `json:"proposed"` // by a model or the program; a proposed admission is never used
	Facts    string `json:"facts"`    // in answer to the allegation, in plain words
	// Unconfirmed means that the facts were proposed by a model, and not confirmed by the person.
	Unconfirmed bool     `json:"unconfirmed"`
	Documents   []string `json:"documents"`   // papers by type
	Authorities []string `json:"authorities"` // citations that the person supplied
}

// Point is an allegation of the notice: a row of the matrix.
type Point struct {
	// Key is the number of the paragraph, "4.1", with "#2" if the number occurs again; for a notice without numbers
	// "issue:" and the issue, else "whole".
	Key        string                 `json:"key"`
	Number     string                 `json:"number"` // as printed, "" for none
	Page       int                    `json:"page"`   // 0 if it is not on a single page
	Alleged    string                 `json:"alleged"`
	Allegation bool                   `json:"allegation"` // false for a paragraph that only introduces, cites or asks, which needs no stance
	Issues     []string               `json:"issues"`     // found in its own words
	Documents  []gst.RequiredDocument `json:"documents"`  // that the issues require
}

// Missing returns the allegations for which the person has chosen no stance, so that they can be shown before the reply
// is exported. A proposal does not count as a stance.
func Missing(points []Point, said map[string]Said) []Point {
	open := []Point{}
	for _, p := range points {
		if p.Allegation && said[p.Key].Stance == "" {
			open = append(open, p)
		}
	}
	return open
}

// Part is one part of the reply.
type Part struct {
	// ID is "cause", "decisive", "reasons", "facts", "preliminary", "modified", "grounds", "computation", "alternative",
	// "hearing", "prayer", "verification" or "annexures"; "para:" and the key of a Point; "figures:" or "annexure:"
	// and a number for a Working; for an order also "conditions" and "condonation".
	ID    string `json:"id"`
	Title string `json:"title"` // the heading above it; "" for the paragraphs after the first one
	Point string `json:"point"` // the key of the Point that it answers
	Fixed bool   `json:"fixed"` // written entirely by the program
	Text  string `json:"text"`  // Markdown: the final text if Fixed, else a draft to work on
}

// Given is what a reply is written from.
type Given struct {
	Facts       gst.Facts
	Reckoning   reckon.Reckoning
	Said        map[string]Said // by the key of the Point
	Papers      []RequiredPaper
	Authorities []Authority
	Decides     []defence.Point // the results of the rules of law for the notice, the strongest first
	Taxpayer    Taxpayer
	Answers     map[string]Response // to the questions of the interview, by key
	Earlier     []printed.Quote     // what preceded an order, according to the order
	Workings    []Working           // comparisons of figures from the files of the portal and the books
	Application Application         // that the notice is about, if it is about one
	Today       law.Day
}

// Taxpayer is what is stored about a taxpayer for every reply: who signs it and where, and who appears under section
// 116, with their enrolment number.
type Taxpayer struct{ Signatory, Designation, Place, Representative, Enrolment string }

// RequiredPaper is a document that was asked for, with its state: "needed", "uploaded", "reviewed" or InWorkings.
type RequiredPaper struct{ Type, State string }

// InWorkings is the state of a paper that files of figures replace: the annexure with their comparison is used instead
// of it.
const InWorkings = "in workings"

// Authority is a judgment or other authority that the person supplied.
type Authority struct{ Citation, Court, Decided, Proposition string }

// Parts returns the parts of the reply in order, or for an order those of the filing against it. It returns none for a
// paper that takes neither: FormOf says what to do instead.
func Parts(t *law.Tables, g Given) []Part {
	w := newWriter(t, g)
	if of := w.form.filing(); of != nil {
		return w.onOrder(of)
	}
	if w.form.Kind != "reply" {
		return []Part{}
	}
	parts := []Part{{ID: "cause", Fixed: true, Text: w.cause()}}
	if text := w.decisive(); text != "" {
		parts = append(parts, Part{ID: "decisive", Title: "What decides the matter", Fixed: true, Text: text})
	} else if text := w.inBrief(); text != "" {
		parts = append(parts, Part{ID: "decisive", Title: "The answers in brief", Fixed: true, Text: text})
	}
	letter := 'A'
	add := func(id, title string, fixed bool, write func(mark string) string) {
		text := write(string(letter))
		if text == "" {
			return
		}
		parts = append(parts, Part{ID: id, Title: fmt.Sprintf("%c. %s", letter, title), Fixed: fixed, Text: text})
		letter++
	}
	add("reasons", "Reasons for the difference", true, w.reasons)
	add("facts", "Brief facts", false, w.briefFacts)
	add("preliminary", "Preliminary submissions", false, w.preliminary)
	for i, p := range w.points {
		part := Part{ID: "para:" + p.Key, Point: p.Key, Text: w.paragraph(fmt.Sprintf("%c%d", letter, i+1), p)}
		if i == 0 {
			part.Title = fmt.Sprintf("%c. %s", letter, w.answersTitle())
		}
		parts = append(parts, part)
		parts = w.addWorkings(parts, p.Key)
		if c := w.lateFor(p.Key); c != nil {
			parts = append(parts, Part{ID: "figures:late", Fixed: true, Text: w.late(c, p.Key)})
		}
	}
	parts = w.addWorkings(parts, "")
	if len(w.points) > 0 {
		letter++
	}
	add("modified", "Changes in the application", true, w.modified)
	switch {
	case w.isQuery():
	case w.ofDifference(): // the portal takes reasons with their amounts, and no pleading
		add("computation", "Computation", true, w.computation)
	default:
		add("grounds", "Grounds", false, w.grounds)
		add("computation", "Computation, interest and penalty", true, w.computation)
		add("alternative", "Alternative pleas and leave to add", false, w.alternative)
	}
	add("hearing", "Personal hearing", true, w.hearing)
	add("prayer", "Prayer", true, w.prayer)
	parts = append(parts,
		Part{ID: "verification", Title: "Verification", Fixed: true, Text: w.verification()},
		Part{ID: "annexures", Title: "Index of annexures", Fixed: true, Text: w.annexures()})
	for i := range g.Workings {
		k := &g.Workings[i]
		parts = append(parts, Part{ID: fmt.Sprintf("annexure:%d", i+1), Fixed: true, Text: w.workingAnnexure(k),
			Title: fmt.Sprintf("Annexure %d: %s", w.workingNumber(k), k.Name)})
	}
	return w.called(parts)
}

// addWorkings returns the parts with the comparisons of figures that answer a point.
func (w *writer) addWorkings(parts []Part, point string) []Part {
	for i := range w.given.Workings {
		if k := &w.given.Workings[i]; k.Point == point {
			parts = append(parts, Part{ID: fmt.Sprintf("figures:%d", i+1), Fixed: true, Text: w.worked(k)})
		}
	}
	return parts
}

// Whole joins parts into one text, each under its heading.
func Whole(parts []Part) string {
	var texts []string
	for _, p := range parts {
		if p.Title != "" {
			texts = append(texts, "## "+p.Title)
		}
		texts = append(texts, p.Text)
	}
	return strings.Join(texts, "\n\n")
}
