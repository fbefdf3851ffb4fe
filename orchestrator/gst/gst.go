// Package gst reads an Indian GST notice: text in, facts out. It finds the
// form, the parties, the provisions, the periods, the demand, the allegations
// and the dates that matter, computes what follows from them, and says on which
// page and in which words each was read. It is made of pure functions over text
// and the dated tables of package law. It uses no model, no clock, no network and
// no file, and it never guesses: what it cannot read surely stays unknown,
// since a wrong date costs a client the case.
package gst

import (
	"encoding/json"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/message"
)

// Page is the text of one page, and whether text recognition (OCR) read it.
type Page struct {
	Text       string
	Recognised bool
}

// Facts is what a notice says. Amounts are rupees, dates are ISO 8601 calendar
// dates of India, pages count from 1. What is unknown is nil or empty; a text
// that is no notice has no facts but its pages and its flags.
type Facts struct {
	Pages    int     `json:"pages"`
	OCRPages []int   `json:"ocr_pages"`
	Form     *string `json:"form"` // as the tables name it
	// Kind tells a letter without a form: "notice" for a show cause notice, "order"
	// for an order, "" for another paper or one that has a form.
	Kind              string              `json:"kind,omitempty"`
	Reference         *string             `json:"reference"`
	DIN               *string             `json:"din"`
	IssueDate         *string             `json:"issue_date"`
	GSTIN             *string             `json:"gstin"` // of the person addressed
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
	Unexplained       *float64            `json:"unexplained,omitempty"` // tax of the demand that no charge names
	Deadlines         []Deadline          `json:"deadlines"`
	RequiredDocuments []RequiredDocument  `json:"required_documents"`
	Evidence          map[string]Evidence `json:"evidence"` // by the name of the field

	// Whether this is a GST notice or order at all; nil in facts that were kept before it was asked.
	IsNotice *Verdict `json:"is_notice,omitempty"`
	// The papers of a composite file; empty where there is one.
	Parts []Part `json:"parts,omitempty"`
	// What a field may be that stayed open although there was something to choose from, best first.
	Candidates map[string][]Candidate `json:"candidates,omitempty"`
	// What a model proposed for a field that stayed open and code found on the page. It decides nothing until a person
	// takes it.
	Proposed map[string]Proposed `json:"proposed,omitempty"`

	// The day that reminders go by, and what a person has to settle; nil in facts that were kept before either was
	// computed.
	Watch     *Watch      `json:"watch,omitempty"`
	Attention []Attention `json:"attention"`

	// What a person said of the notice: when it was served, since when each part of the tax is unpaid, what was read in
	// the place of each field that they corrected, and which fields they found to be read right.
	ServedOn  *string                    `json:"served_on,omitempty"`
	Portions  []Portion                  `json:"portions,omitempty"`
	Corrected map[string]json.RawMessage `json:"corrected,omitempty"`
	Confirmed []string                   `json:"confirmed,omitempty"`
}

// Officer is who signed.
type Officer struct {
	Name         *string `json:"name"`
	Designation  *string `json:"designation"`
	Jurisdiction *string `json:"jurisdiction"`
}

// Period is one financial year, and the part of it that the notice is about.
type Period struct {
	FY   string `json:"fy"` // as "2020-21"
	From string `json:"from"`
	To   string `json:"to"`
}

// Demand is what is claimed, by head of tax. Total is as printed, or the sum of
// a table that prints none; it is nil where the amounts were read out of
// sentences, which may not name all of them.
type Demand struct {
	Rows     []DemandRow `json:"rows"`
	Total    *float64    `json:"total"`
	Currency string      `json:"currency"`
	// LeftOpen names what is claimed besides, without a sum: "interest", "penalty", "fee" or "tax".
	LeftOpen []string `json:"left_open,omitempty"`
}

// DemandRow is the claim under one head (IGST, CGST, SGST, UTGST or CESS) over
// all years and issues.
type DemandRow struct {
	Head     string  `json:"head"`
	Tax      float64 `json:"tax"`
	Interest float64 `json:"interest"`
	Penalty  float64 `json:"penalty"`
	Fee      float64 `json:"fee"`
	Other    float64 `json:"other"`
}

// ReplyDue is the last day to answer. Source is "printed" when the notice
// prints the date, "computed" when it prints a number of days or its form has a
// fixed time (counted from the date of issue, the date of service being
// unknown), else "unknown". Basis says in words where the date comes from, or
// why there is none. Time is the days that were counted, or would be if it were
// known from when.
type ReplyDue struct {
	Date   *string      `json:"date"`
	Source string       `json:"source"`
	Basis  *string      `json:"basis"`
	Time   *law.Allowed `json:"time,omitempty"`

	Said message.Message `json:"said,omitzero"` // the basis by its code, for other languages
}

// Hearing is the personal hearing offered. Time is "15:04".
type Hearing struct {
	Date  string  `json:"date"`
	Time  *string `json:"time"`
	Venue *string `json:"venue"`
}

// Flag is a point for a professional to look at, never a conclusion.
type Flag struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Page    int    `json:"page"` // 0 when it concerns no single page

	Said message.Message `json:"said,omitzero"` // the message by its code, for other languages
}

// Paragraph is one numbered or lettered block. Kind is what it does: "charge", "narrative", "concession" of the
// department, "operative" or "boilerplate"; facts of earlier versions have charges alone, and no kind. Amounts are what
// a charge claims.
type Paragraph struct {
	Number  string         `json:"number"`
	Text    string         `json:"text"`
	Page    int            `json:"page"`
	Kind    string         `json:"kind,omitempty"`
	Amounts []ChargeAmount `json:"amounts,omitempty"`
}

// ChargeAmount is what a charge claims under one head, and for which financial year where it names one alone.
type ChargeAmount struct {
	FY string `json:"fy,omitempty"`
	DemandRow
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

// Deadline is a day by which something is to be done.
type Deadline struct {
	What  string `json:"what"`
	Date  string `json:"date"`
	Basis string `json:"basis"`
	Page  int    `json:"page"` // 0 when it follows from the law alone
}

// RequiredDocument is a paper that helps to answer one of the issues.
type RequiredDocument struct {
	Type   string `json:"type"`
	Reason string `json:"reason"`
	Issue  string `json:"issue"`
}

// Evidence is where a fact was read: the page and its words there, and whether
// letters that text recognition confuses (O and 0, I and 1) were set right.
type Evidence struct {
	Page     int    `json:"page"`
	Quote    string `json:"quote"`
	Repaired bool   `json:"repaired,omitempty"`
}

// Read returns the facts of the notice on these pages. A person's corrections
// take the place of what was read (the last one for a field counts), and what
// depends on them is worked out from them. It takes any text, in time that grows
// with its length, and never panics.
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
		r.correct(Correctable...) // a person knows better
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

// reading is one notice being read. Each step fills its fields from the
// document and from the fields filled before it.
type reading struct {
	doc         *document
	law         *law.Tables
	corrections map[string]Correction // by field
	considered  map[string][]Candidate
	learned     Learned
	noted       []Noted // what was observed, where it is to be learned from
	observing   bool
	facts       Facts

	proseEnd    int       // the last line of the running text
	gstinAt     span      // the number of the noticee
	injected    span      // words meant for a program
	quoted      span      // words in quotation marks that begin as the heading of a form
	leadTop     span      // the head of the form that is to be answered, where another paper stands before it
	own         []span    // of the text: the papers of the file that are read
	bodyLine    int       // the first line of the running text
	periodsAt   span      // where the periods are printed
	signing     []int8    // by line: 1 where it closes a paper, -1 where it does not, 0 where nobody asked
	unreadAt    int       // the line, from 1, of the paper's own date that cannot be read
	filed       bool      // it has the heading of a form that taxpayers file
	form        *law.Form // nil when the form is not one of the table's
	issued      day       // zero when the date of issue is unknown
	served      day       // zero when nobody gave the date of service
	cited       []citation
	blocks      []block
	allegations []allegation
	fraud       span     // the words that allege it
	claims      []*claim // of the tables, in the order of the text
	charges     []charge
	together    *claim // what the charges claim together
	days        []roleOfDay
	demandAt    span
	demanded    *claim
}

// cite notes where a field was read.
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
