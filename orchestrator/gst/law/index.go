package law

import (
	"munshi/orchestrator/gst/cite"
)

// Provision is a section or rule, or a part of one, that an operator's folder adds to the index of what can be cited,
// or that corrects an entry in it. It is in force while the row is valid.
type Provision struct {
	Rule
	Act     string `json:"act"`    // as in the index: "cgst", "cgst_rules", "igst", …
	Number  string `json:"number"` // such as "16A", or "16(2)(ab)" for a part
	Heading string `json:"heading"`
}

func (p Provision) key() string { return p.Act + " " + p.Number }

func (p Provision) check(is *inspection) {
	is.need("act", p.Act)
	is.need("number", p.Number)
}

// Issued is a circular or notification that an operator's folder adds to the known ones.
type Issued struct {
	Rule
	Number string `json:"number"`
	Date   string `json:"date"`
	About  string `json:"about"`
}

func (i Issued) key() string { return i.Number }

func (i Issued) check(is *inspection) {
	is.need("number", i.Number)
	is.day("date", i.Date, true)
	is.need("about", i.About)
}

// layIndex adds an operator's provisions, circulars and notifications to the index. After a problem the index is
// incomplete and must not be used.
func (t *Tables) layIndex(f *file) {
	for _, p := range layRows(t, f, "provisions", []Provision(nil)) {
		err := t.Index.Add(cite.Entry{Act: p.Act, Number: p.Number, Heading: p.Heading, From: p.From, Until: p.To,
			Source: p.Source, Confirm: p.Certainty != Sourced})
		if err != nil {
			f.problem(f.lineOf(p.Number), "provisions ("+p.key()+")", "%v", err)
		}
	}
	for _, c := range layRows(t, f, "circulars", []Issued(nil)) {
		t.Index.AddCircular(c.Number, c.Date, c.About)
	}
	for _, n := range layRows(t, f, "notifications", []Issued(nil)) {
		t.Index.AddNotification(n.Number, n.Date, n.About)
	}
}
