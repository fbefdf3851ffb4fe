// Package reply lays out the answer to a GST notice: its allegations as the rows
// of a matrix, the form in which it is to be answered, and the reply, or what is
// filed against an order, part by part, as Markdown, with everything in it that follows from the facts, the
// reckoning and what a person said. It is made of pure functions: it knows no
// model, no clock, no network and no file. It never invents a fact, a name or a
// date (what nobody supplied stands as "[…]"), never admits what a person did
// not admit, never names a judgment that nobody supplied, and never follows the
// words of the notice, which it only quotes.
package reply

import (
	"fmt"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
)

// Stance is how an allegation is answered; "" while it is not.
type Stance string

// The stances.
const (
	Admit   Stance = "admit"
	Deny    Stance = "deny"
	Explain Stance = "explain"
)

// Said is what was decided or proposed for one allegation.
type Said struct {
	Stance   Stance `json:"stance"`   // the person's own
	Proposed Stance `json:"proposed"` // a model's or the program's; an admission is never taken from it
	Facts    string `json:"facts"`    // in answer to the allegation, in plain words
	// Unconfirmed tells that the facts are a model's proposal, which the person has not made their own.
	Unconfirmed bool     `json:"unconfirmed"`
	Documents   []string `json:"documents"`   // papers by their type
	Authorities []string `json:"authorities"` // citations that the person supplied
}

// Point is an allegation of the notice: a row of the matrix.
type Point struct {
	// Key is the paragraph's number, "4.1", with "#2" where a number stands there
	// again; "issue:" and the issue for a notice that numbers nothing, else "whole".
	Key        string                 `json:"key"`
	Number     string                 `json:"number"` // as printed, "" for none
	Page       int                    `json:"page"`   // 0 where it is on no single page
	Alleged    string                 `json:"alleged"`
	Allegation bool                   `json:"allegation"` // false for what only introduces, cites or asks: it needs no stance
	Issues     []string               `json:"issues"`     // found in its own words
	Documents  []gst.RequiredDocument `json:"documents"`  // that the issues call for
}

// Missing returns the allegations on which the person has taken no stance, which
// are shown before the reply is exported. A proposal is no stance.
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
	// ID is "cause", "decisive", "reasons", "facts", "preliminary", "para:" and the key of a Point,
	// "grounds", "computation", "alternative", "hearing", "prayer",
	// "verification" or "annexures", "figures:" or "annexure:" and a number for a Working; on an order also
	// "conditions" and "condonation".
	ID    string `json:"id"`
	Title string `json:"title"` // the heading that stands above it; "" for the paragraphs after the first one
	Point string `json:"point"` // the key of the Point that it answers
	Fixed bool   `json:"fixed"` // written whole by the program
	Text  string `json:"text"`  // Markdown: all of it when Fixed, else a draft to work on
}

// Given is what a reply is written from. Said is by the keys of the points.
type Given struct {
	Facts       gst.Facts
	Reckoning   reckon.Reckoning
	Said        map[string]Said
	Papers      []Paper
	Authorities []Authority
	Decides     []defence.Point // what the rules of law come to on the notice, the strongest first
	Taxpayer    Taxpayer
	Answers     map[string]Response // to the questions of the interview, by their keys
	Earlier     []defence.Quote     // what an order says went before it
	Workings    []Working           // comparisons of figures by files of the portal and the books
	Today       law.Day
}

// Taxpayer is what is kept of a taxpayer for every reply: who signs it and where, and who appears under section 116,
// with their number in the roll of the bar or the institute.
type Taxpayer struct{ Signatory, Designation, Place, Representative, Enrolment string }

// Paper is a document that was asked for: "needed", "uploaded" or "reviewed".
type Paper struct{ Type, State string }

// Authority is a judgment or other authority that the person supplied.
type Authority struct{ Citation, Court, Decided, Proposition string }

// Parts writes the reply, part by part, in the order in which they stand; for an
// order what is filed against it. A paper that is answered by neither has none:
// FormOf says what to do instead.
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
			part.Title = fmt.Sprintf("%c. Para-wise reply", letter)
		}
		parts = append(parts, part)
		parts = w.addWorkings(parts, p.Key)
	}
	parts = w.addWorkings(parts, "")
	if len(w.points) > 0 {
		letter++
	}
	add("grounds", "Grounds", false, w.grounds)
	add("computation", "Computation, interest and penalty", true, w.computation)
	add("alternative", "Alternative pleas and leave to add", false, w.alternative)
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
	return parts
}

// addWorkings adds the comparisons that answer a point.
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
