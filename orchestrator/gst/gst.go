// Package gst reads an Indian GST notice: text goes in, facts come out. It finds the form, the parties, the
// provisions, the periods, the demand, the allegations and the important dates, computes what follows from them,
// and says on which page and in which words each was read. It consists of pure functions on text and the dated
// tables of package law: no model, clock, network or file. It never guesses: what it cannot read with certainty
// stays unknown, because a wrong date can cost the client the case.
package gst

import (
	"encoding/json"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/message"
)

// Page is the text of one page, and whether it was read by text recognition (OCR).
type Page struct {
	Text       string
	Recognised bool
}

// Facts is what a notice says. Amounts are rupees, dates are ISO 8601 calendar dates in India, pages count from 1.
// Unknown values are nil or empty. A text that is not a notice has only its number of pages and its flags.
type Facts struct {
	Pages    int     `json:"pages"`
	OCRPages []int   `json:"ocr_pages"`
	Form     *string `json:"form"` // as the tables name it
	// Kind is the kind of a letter without a form: "notice" for a show cause notice, "order" for an order, "" for
	// another paper or one that has a form.
	Kind              string              `json:"kind,omitempty"`
	Reference         *string             `json:"reference"`
	DIN               *string             `json:"din"`
	IssueDate         *string             `json:"issue_date"`
	GSTIN             *string             `json:"gstin"` // of the addressee
	GSTINValid        *bool               `json:"gstin_valid"`
	LegalName         *string             `json:"legal_name"`
	TradeName         *string             `json:"trade_name"`
	Officer           Officer             `json:"officer"`
	Sections          []string            `json:"sections"` // of the CGST Act, as cited
	Rules             []string            `json:"rules"`    // of the CGST Rules, as cited
	Periods           []Period            `json:"periods"`
	FraudAlleged      *bool               `json:"fraud_alleged"`
	Issues            []string            `json:"issues"` // as the tables name them
	Demand            *Demand             `json:"demand"`
	ReplyDue          ReplyDue            `json:"reply_due"`
	Hearing           *Hearing            `json:"hearing"`
	Flags             []Flag              `json:"flags"`
	Paragraphs        []Paragraph         `json:"paragraphs"`
	Unexplained       *float64            `json:"unexplained,omitempty"` // the part of the demanded tax that no charge names
	Deadlines         []Deadline          `json:"deadlines"`
	RequiredDocuments []RequiredDocument  `json:"required_documents"`
	Evidence          map[string]Evidence `json:"evidence"` // by the name of the field
	Reconciled        []Reconciled        `json:"-"`        // from the taxpayer's files, not from the paper

	// IsNotice says whether this is a GST notice or order at all; nil in facts stored before the field existed.
	IsNotice *Verdict `json:"is_notice,omitempty"`
	// Parts are the papers of a composite file; empty if there is only one.
	Parts []Part `json:"parts,omitempty"`
	// Candidates are the possible values of fields that stayed open, the best first.
	Candidates map[string][]Candidate `json:"candidates,omitempty"`
	// Proposed are values for open fields that a model proposed and code found on the page. They have no effect until
	// a person accepts them.
	Proposed map[string]Proposed `json:"proposed,omitempty"`

	// The day that reminders use, and what a person has to settle; nil in facts stored before these were computed.
	Watch     *Watch      `json:"watch,omitempty"`
	Attention []Attention `json:"attention"`

	// What a person said about the notice: when it was served, since when each portion of the tax is unpaid, the
	// values read before corrections, and the fields confirmed as read correctly.
	ServedOn  *string                    `json:"served_on,omitempty"`
	Portions  []Portion                  `json:"portions,omitempty"`
	Corrected map[string]json.RawMessage `json:"corrected,omitempty"`
	Confirmed []string                   `json:"confirmed,omitempty"`
}

// Officer is the officer who signed.
type Officer struct {
	Name         *string `json:"name"`
	Designation  *string `json:"designation"`
	Jurisdiction *string `json:"jurisdiction"`
}

// Period is one financial year, and the part of it that the notice covers.
type Period struct {
	FY   string `json:"fy"` // such as "2020-21"
	From string `json:"from"`
	To   string `json:"to"`
}

// Demand is what is claimed, by head of tax. Total is the printed total, or the sum of a table without a printed one.
// It is nil if the amounts come from sentences, which may not name all of them.
type Demand struct {
	Rows     []DemandRow `json:"rows"`
	Total    *float64    `json:"total"`
	Currency string      `json:"currency"`
	// LeftOpen names what is claimed in addition without a sum: "interest", "penalty", "fee" or "tax".
	LeftOpen []string `json:"left_open,omitempty"`
}

// DemandRow is the claim under one head (IGST, CGST, SGST, UTGST or CESS) for all years and issues.
type DemandRow struct {
	Head     string  `json:"head"`
	Tax      float64 `json:"tax"`
	Interest float64 `json:"interest"`
	Penalty  float64 `json:"penalty"`
	Fee      float64 `json:"fee"`
	Other    float64 `json:"other"`
}

// ReplyDue is the last date to reply. Source is "printed" if the notice prints the date, "computed" if it prints a
// number of days or its form has a fixed time (counted from the date of service, or from the date of issue if that is
// not known), else "unknown". Basis says in words where the date comes from, or why there is none. Time is the number
// of days that were counted, or that would be counted if the starting date were known.
type ReplyDue struct {
	Date   *string      `json:"date"`
	Source string       `json:"source"`
	Basis  *string      `json:"basis"`
	Time   *law.Allowed `json:"time,omitempty"`

	Said message.Message `json:"said,omitzero"` // the basis by its code, for other languages
}

// Hearing is the personal hearing offered. Time is in the format "15:04".
type Hearing struct {
	Date  string  `json:"date"`
	Time  *string `json:"time"`
	Venue *string `json:"venue"`
}

// Flag is a point for a professional to look at, never a conclusion.
type Flag struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Page    int    `json:"page"` // 0 if it does not concern a single page

	Said message.Message `json:"said,omitzero"` // the message by its code, for other languages
}

// Paragraph is one numbered or lettered block. Kind is its function: "charge", "narrative", "concession" (of the
// department), "operative" or "boilerplate"; facts of earlier versions have only charges, without a kind. Amounts are
// what a charge claims.
type Paragraph struct {
	Number  string         `json:"number"`
	Text    string         `json:"text"`
	Page    int            `json:"page"`
	Kind    string         `json:"kind,omitempty"`
	Amounts []ChargeAmount `json:"amounts,omitempty"`
}

// ChargeAmount is what a charge claims under one head, with the financial year if the charge names only one.
type ChargeAmount struct {
	FY string `json:"fy,omitempty"`
	DemandRow
}

// OnAppeal reports whether the paper is the order of a first appellate authority itself, which has no form and is known
// by who signed it. FORM GST APL-04 is only the summary of such an order.
func (f Facts) OnAppeal() bool {
	appeals := func(s *string) bool { return s != nil && strings.Contains(strings.ToLower(*s), "appeal") }
	return f.Form == nil && f.Kind == "order" && (appeals(f.Officer.Designation) || appeals(f.Officer.Jurisdiction))
}

// Charges returns the paragraphs that allege something.
func (f Facts) Charges() []Paragraph {
	charges := []Paragraph{}
	for _, p := range f.Paragraphs {
		if p.Kind == "charge" || p.Kind == "" {
			charges = append(charges, p)
		}
	}
	return charges
}

// Deadline is a day by which something must be done.
type Deadline struct {
	What  string `json:"what"`
	Date  string `json:"date"`
	Basis string `json:"basis"`
	Page  int    `json:"page"` // 0 if it follows only from the law
}

// RequiredDocument is a paper that helps to answer one of the issues.
type RequiredDocument struct {
	Type   string `json:"type"`
	Reason string `json:"reason"`
	Issue  string `json:"issue"`
}

// Evidence is where a fact was read: the page and the words there, and whether characters that text recognition
// confuses (O and 0, I and 1) were corrected.
type Evidence struct {
	Page     int    `json:"page"`
	Quote    string `json:"quote"`
	Repaired bool   `json:"repaired,omitempty"`
}

// Read returns the facts of the notice on these pages. A person's corrections replace what was read (the last one for
// a field counts), and what depends on them is computed from them. Read accepts any text, takes time proportional to
// its length, and never panics.
func Read(t *law.Tables, pages []Page, corrections ...Correction) Facts {
	return read(t, pages, corrections).facts
}

func read(t *law.Tables, pages []Page, corrections []Correction) *reading {
	return newReading(t, builtLearned(), pages, corrections).readAll()
}

func newReading(t *law.Tables, l Learned, pages []Page, corrections []Correction) *reading {
	r := &reading{
		learned:     l,
		doc:         newDocument(pages),
		law:         t,
		corrections: map[string]Correction{},
		considered:  map[string][]Candidate{},
		facts: Facts{
			Pages: len(pages), OCRPages: []int{}, Sections: []string{}, Rules: []string{},
			Periods: []Period{}, Issues: []string{}, Flags: []Flag{}, Paragraphs: []Paragraph{},
			Deadlines: []Deadline{}, RequiredDocuments: []RequiredDocument{},
			Evidence: map[string]Evidence{}, ReplyDue: ReplyDue{Source: "unknown"},
		},
	}
	for i, p := range pages {
		if p.Recognised {
			r.facts.OCRPages = append(r.facts.OCRPages, i+1)
		}
	}
	for _, c := range corrections {
		r.corrections[c.Field] = c
	}
	return r
}

func (r *reading) readAll() *reading {
	r.readInjection()
	r.readForm()
	if !r.isNotice() {
		r.correct(Correctable...) // a person's values take precedence
		r.setDeadlines()
		r.setAttention()
		return r
	}
	r.correct("form")
	r.readIdentifiers()
	r.correct("reference", "din", "gstin")
	r.readIssueDate()
	r.correct("issue_date", "served_on", "portions")
	r.readParties()
	r.correct("legal_name", "trade_name")
	r.readOfficer()
	r.correct("officer")
	r.readProvisions()
	r.readPeriods()
	r.correct("periods")
	r.readTables()
	r.readParagraphs()
	r.widenPeriods()
	r.readFraud()
	r.readIssues()
	r.readDemand()
	r.correct("demand")
	r.weighDays()
	r.readHearing()
	r.correct("hearing")
	r.readReplyDue()
	r.correct("reply_due")
	r.raiseFlags()
	r.setDeadlines()
	r.requireDocuments()
	r.setAttention()
	return r
}

// reading is the state of reading one notice. Each step fills its fields from the document and from the fields filled
// before.
type reading struct {
	doc         *document
	law         *law.Tables
	corrections map[string]Correction // by field
	considered  map[string][]Candidate
	learned     Learned
	noted       []Noted // the observations, when they are wanted for learning
	observing   bool
	facts       Facts

	proseEnd    int       // the last line of the running text
	gstinAt     span      // the noticee's number
	injected    span      // words addressed to a program
	quoted      span      // words in quotation marks that begin like the heading of a form
	leadTop     span      // the head of the form that is to be answered, if another paper precedes it
	own         []span    // the parts of the text with the papers that are read
	bodyLine    int       // the first line of the running text
	periodsAt   span      // where the periods are printed
	signing     []int8    // by line: 1 if it closes a paper, -1 if not, 0 if not determined yet
	unreadAt    int       // the line, from 1, with the paper's own date, if that cannot be read
	filed       bool      // it has the heading of a form that taxpayers file
	form        *law.Form // nil if the form is not in the tables
	issued      day       // zero if the date of issue is unknown
	served      day       // zero if nobody gave the date of service
	cited       []citation
	blocks      []block
	allegations []allegation
	fraud       span     // the words that allege it
	claims      []*claim // of the tables, in text order
	charges     []charge
	together    *claim // the claim of all charges together
	days        []roleOfDay
	demandAt    span
	demanded    *claim
}

// cite records the words from which a field was read.
func (r *reading) cite(field string, s span) {
	r.citeAs(field, s, false)
}

func (r *reading) citeAs(field string, s span, repaired bool) {
	if _, done := r.facts.Evidence[field]; done || s.end <= s.start {
		return
	}
	r.facts.Evidence[field] = Evidence{Page: r.doc.page(s.start), Quote: r.doc.quote(s), Repaired: repaired}
}

func ptr[T any](v T) *T { return &v }
