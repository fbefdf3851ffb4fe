// Package reckon computes what follows from a notice's facts in time and in
// money: by when each thing is to be done, whether the notice itself came in
// time, and what interest, penalty and pre-deposit come to, each with the
// provision it stands on and with what is uncertain about it. It is made of
// pure functions over gst.Facts and the tables of law: it knows no clock (today
// is given), no network and no file. It never guesses an input that nobody gave
// (a row says what is missing), never moves a last day off a holiday, and never
// concludes that a notice is bad: that is for a professional.
package reckon

import (
	"errors"
	"fmt"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/message"
)

// Given is what the person adds to the notice, since no notice says it. Days
// are ISO 8601; what is empty is unknown.
type Given struct {
	// Served is the day on which the notice or order reached the person. Reply
	// and appeal follow it; what runs from issue does not.
	Served string `json:"served,omitempty"`
	// Portions is the tax, part by part, with the days between which it stayed
	// unpaid: without it interest cannot be computed, only shown for a day.
	Portions []gst.Portion `json:"portions,omitempty"`
}

// Reckoning is everything that is computed from one notice on one day. It is
// the JSON that the brief, the calendar file and the prompts show.
type Reckoning struct {
	Today      string       `json:"today"`
	Served     *string      `json:"served"` // as the person gave it, nil when nobody did
	Law        Law          `json:"law"`
	Deadlines  []Deadline   `json:"deadlines"`  // by date, those without one last
	Limitation []Limitation `json:"limitation"` // one for each financial year of the notice
	Money      []Sheet      `json:"money"`
}

// Law is the tables that a reckoning stands on.
type Law struct {
	AsOf     string   `json:"as_of"`    // the day on which the newest of the tables was true
	Overlaid []string `json:"overlaid"` // what an operator's folder changed in the built-in tables, such as "limitation.json"
}

// What a deadline is, by its code. New ones may come: show What for those that
// are not known.
const (
	Reply            = "reply"             // answer the notice, in the form that it wants
	Hearing          = "hearing"           // attend the personal hearing
	PayAndClose      = "pay_and_close"     // pay after the notice, with no penalty or a lower one
	PayReduced       = "pay_reduced"       // pay after the order, with half the penalty
	Comply           = "comply"            // do what an order asks: file the return, apply for revocation
	Appeal           = "appeal"            // first appeal, or appeal to the Tribunal
	AppealCondonable = "appeal_condonable" // the last day to which delay of the appeal may be condoned
	Rectify          = "rectify"           // apply for rectification of an order
	Recovery         = "recovery"          // until then the order is not to be recovered
	OrderDue         = "order_due"         // by then the officer has to decide
)

// Deadline is one day by which something is to be done, by the person or (code
// order_due) by the officer.
type Deadline struct {
	Code string          `json:"code"`
	What message.Message `json:"what"` // such as "Reply in FORM DRC-06"
	Date *string         `json:"date"` // nil when it cannot be known; Basis then says why
	// Source is "printed" on the notice (or set right by the person),
	// "computed", or "unknown".
	Source    string            `json:"source"`
	Basis     message.Message   `json:"basis"`     // in words: where the date comes from, what it is counted from
	Provision string            `json:"provision"` // such as "CGST Act s.107(1)", "" when it stands on the notice alone
	Certainty string            `json:"certainty"` // of the rule: "sourced", "knowledge" or "to be confirmed"
	Uncertain []message.Message `json:"uncertain"` // a sentence each
	DaysLeft  *int              `json:"days_left"` // from today: 0 is today, less than 0 is over
	// FollowsService tells that the day runs from service: it changes with the
	// date of service that the person gives.
	FollowsService bool `json:"follows_service"`
	// Holiday is set when the day is one on which offices are closed. The day is
	// not moved.
	Holiday  *Holiday        `json:"holiday"`
	Paise    *int64          `json:"paise"`     // what is to be paid by then, where that is known
	IfMissed message.Message `json:"if_missed"` // what silence brings, "" when not known
	Page     int             `json:"page"`      // where the notice prints it, 0 when it follows from the law
}

// Holiday is why offices are closed on a last day, and the first day on which
// they are open again (General Clauses Act s.10).
type Holiday struct {
	Name message.Message `json:"name"`
	Open string          `json:"open"`
	Note message.Message `json:"note"` // why not to count on it
}

// What became of the time limit for a notice or order.
const (
	InTime            = "in_time"
	InTimeByExtension = "in_time_by_extension" // only through notifications that are before the courts
	Late              = "late"                 // after the last day, extended or not
	NotKnown          = "not_known"            // a date or the year's row is missing
)

// Limitation is whether the notice or order came in time for one financial
// year: a point for a professional, never a conclusion.
type Limitation struct {
	FY        string            `json:"fy"`
	Section   string            `json:"section"` // "73", "74" or "74A"
	What      string            `json:"what"`    // "notice" or "order"
	Dated     *string           `json:"dated"`   // the date of the notice or order
	Verdict   string            `json:"verdict"`
	LastDay   *string           `json:"last_day"`    // by the Act
	Extended  *string           `json:"extended"`    // by notification
	By        string            `json:"extended_by"` // the notifications
	Litigated bool              `json:"litigated"`   // the last day, or its extension, is before the courts
	OrderBy   *string           `json:"order_by"`    // for a notice: the last day for the order on it, extended or not
	Basis     message.Message   `json:"basis"`       // how the last day is counted, in words
	Provision string            `json:"provision"`
	Certainty string            `json:"certainty"`
	Uncertain []message.Message `json:"uncertain"`
}

// Sheet is one worked table of money.
type Sheet struct {
	Code      string            `json:"code"`  // "interest", "penalty", "detention", "first_appeal" or "tribunal"
	Title     message.Message   `json:"title"` // such as "Interest under section 50"
	Rows      []Row             `json:"rows"`
	Paise     *int64            `json:"paise"`     // the sum of the rows; nil where one is not known, or they are alternatives
	Rounding  message.Message   `json:"rounding"`  // how amounts are rounded
	Uncertain []message.Message `json:"uncertain"` // what is uncertain about all of it
}

// Row is one line of a worked table. A nil column is empty for this row; where
// Missing names an input, what depends on it is nil too.
type Row struct {
	Label     message.Message   `json:"label"`
	Head      string            `json:"head"` // IGST, CGST, SGST, UTGST, CESS, or "" for all heads together
	Base      *int64            `json:"base"` // in paise
	Rate      message.Message   `json:"rate"` // such as "18% a year", "10%, at least ₹10,000"
	From      *string           `json:"from"` // the first day counted
	To        *string           `json:"to"`   // the last day counted
	Days      *int              `json:"days"`
	Paise     *int64            `json:"paise"`
	Provision string            `json:"provision"`
	Certainty string            `json:"certainty"`
	Note      message.Message   `json:"note"`
	Missing   []message.Message `json:"missing"` // the inputs that nobody gave, such as "the due date of the return"
}

// Check says in one sentence each what cannot be in what a person gave.
func (g Given) Check() error {
	var errs []error
	if g.Served != "" && law.ParseDay(g.Served).IsZero() {
		errs = append(errs, fmt.Errorf("The date of service %q is no date: write such as 2026-11-22.", g.Served))
	}
	for i, p := range g.Portions {
		errs = append(errs, p.Check(i+1))
	}
	return errors.Join(errs...)
}

// Reckon computes everything that follows from a notice's facts on a day, under
// the law of the tables and with what the person gave.
func Reckon(t *law.Tables, f gst.Facts, given Given, today law.Day) Reckoning {
	r := Reckoning{Today: today.ISO(), Law: Law{AsOf: t.AsOf, Overlaid: append([]string{}, t.Overlaid...)},
		Deadlines: Deadlines(t, f, given, today), Limitation: Limits(t, f), Money: Money(t, f, given, today)}
	if given.Served != "" {
		r.Served = &given.Served
	}
	return r
}

func ptr[T any](v T) *T { return &v }
