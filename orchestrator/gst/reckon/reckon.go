// Package reckon computes the deadlines and amounts that follow from a notice's facts: by when each thing must be
// done, whether the notice itself was in time, and the interest, penalty and pre-deposit, each with its provision and
// what is uncertain about it. It consists of pure functions on gst.Facts and the tables of law: no clock (today is
// passed in), no network and no file. It never guesses a missing input (a row says what is missing), never moves a
// last day because of a holiday, and never concludes that a notice is invalid: that is for a professional.
package reckon

import (
	"errors"
	"fmt"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/message"
)

// Given is what the person adds, because no notice contains it. Days are ISO 8601; empty means unknown.
type Given struct {
	// Served is the day on which the notice or order reached the person. The reply and the appeal are counted from
	// it; what runs from issue is not.
	Served string `json:"served,omitempty"`
	// Portions are the tax in portions, with the days between which each was unpaid. Without them interest cannot be
	// computed, only shown for one day.
	Portions []gst.Portion `json:"portions,omitempty"`
}

// Reckoning is everything that is computed from one notice on one day. It is the JSON behind the brief, the calendar
// file and the prompts.
type Reckoning struct {
	Today      string       `json:"today"`
	Served     *string      `json:"served"` // as the person gave it, nil if nobody did
	Law        Law          `json:"law"`
	Deadlines  []Deadline   `json:"deadlines"`  // by date, those without one last
	Limitation []Limitation `json:"limitation"` // one for each financial year of the notice
	Money      []Sheet      `json:"money"`
}

// Law is the tables on which a reckoning is based.
type Law struct {
	AsOf     string   `json:"as_of"`    // the date of the newest of the tables
	Overlaid []string `json:"overlaid"` // the built-in tables that an operator's folder changed, such as "limitation.json"
}

// The codes of deadlines. New ones may be added: for an unknown code, show What.
const (
	Reply            = "reply"             // reply to the notice, in the required form
	Hearing          = "hearing"           // attend the personal hearing
	PayAndClose      = "pay_and_close"     // pay after the notice, with no penalty or a lower one
	PayReduced       = "pay_reduced"       // pay after the order, with half the penalty
	Comply           = "comply"            // do what an order asks: file the return, apply for revocation
	Appeal           = "appeal"            // first appeal, or appeal to the Tribunal
	AppealCondonable = "appeal_condonable" // the last day up to which a delay of the appeal can be condoned
	Rectify          = "rectify"           // apply for rectification of an order
	Recovery         = "recovery"          // the order cannot be recovered before this day
	OrderDue         = "order_due"         // the officer has to decide by this day
)

// Deadline is one day by which the person or (with code order_due) the officer has to do something.
type Deadline struct {
	Code string          `json:"code"`
	What message.Message `json:"what"` // such as "Reply in FORM DRC-06"
	Date *string         `json:"date"` // nil if it cannot be known; Basis then says why
	// Source is "printed" if the date is printed on the notice (or was corrected by the person), else "computed" or
	// "unknown".
	Source    string            `json:"source"`
	Basis     message.Message   `json:"basis"`     // where the date comes from and how it is counted, in words
	Provision string            `json:"provision"` // such as "CGST Act s.107(1)", "" if it follows only from the notice
	Certainty string            `json:"certainty"` // of the rule: "sourced", "knowledge" or "to be confirmed"
	Uncertain []message.Message `json:"uncertain"` // one sentence each
	DaysLeft  *int              `json:"days_left"` // from today: 0 means today, negative means past
	// FollowsService says that the day is counted from service, and so changes with the date of service that the
	// person gives.
	FollowsService bool `json:"follows_service"`
	// Holiday is set if offices are closed on the day. The day is not moved.
	Holiday  *Holiday        `json:"holiday"`
	Paise    *int64          `json:"paise"`     // the amount to pay by then, if known
	IfMissed message.Message `json:"if_missed"` // the consequence of missing it, empty if not known
	Page     int             `json:"page"`      // where the notice prints it, 0 if it follows from the law
}

// Holiday is the reason why offices are closed on a last day, and the first day on which they are open again (General
// Clauses Act s.10).
type Holiday struct {
	Name message.Message `json:"name"`
	Open string          `json:"open"`
	Note message.Message `json:"note"` // why not to rely on it
}

// The results of checking the time limit for a notice or order.
const (
	InTime            = "in_time"
	InTimeByExtension = "in_time_by_extension" // only because of notifications that are under challenge in court
	Late              = "late"                 // after the last day, even if extended
	NotKnown          = "not_known"            // a date or the row of the year is missing
)

// Limitation says whether the notice or order was in time for one financial year: a point for a professional, never a
// conclusion.
type Limitation struct {
	FY        string            `json:"fy"`
	Section   string            `json:"section"` // "73", "74" or "74A"
	What      string            `json:"what"`    // "notice" or "order"
	Dated     *string           `json:"dated"`   // the date of the notice or order
	Verdict   string            `json:"verdict"`
	LastDay   *string           `json:"last_day"`    // under the Act
	Extended  *string           `json:"extended"`    // by notification
	By        string            `json:"extended_by"` // the notifications
	Litigated bool              `json:"litigated"`   // the last day, or its extension, is under challenge in court
	OrderBy   *string           `json:"order_by"`    // for a notice: the last day for the order on it, including extensions
	Basis     message.Message   `json:"basis"`       // how the last day is counted, in words
	Provision string            `json:"provision"`
	Certainty string            `json:"certainty"`
	Uncertain []message.Message `json:"uncertain"`
}

// Sheet is one table of computed amounts.
type Sheet struct {
	Code      string            `json:"code"`  // "interest", "penalty", "detention", "first_appeal" or "tribunal"
	Title     message.Message   `json:"title"` // such as "Interest under section 50"
	Rows      []Row             `json:"rows"`
	Paise     *int64            `json:"paise"`     // the sum of the rows; nil if one is not known, or they are alternatives
	Rounding  message.Message   `json:"rounding"`  // how amounts are rounded
	Uncertain []message.Message `json:"uncertain"` // what is uncertain about the whole table
}

// Row is one line of such a table. A nil column is empty for this row; values that depend on a missing input are nil
// too.
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

// Check returns an error with one sentence for each mistake in what a person gave.
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

// Reckon computes everything that follows from a notice's facts on a day, under the law of the tables and with what
// the person gave.
func Reckon(t *law.Tables, f gst.Facts, given Given, today law.Day) Reckoning {
	r := Reckoning{Today: today.ISO(), Law: Law{AsOf: t.AsOf, Overlaid: append([]string{}, t.Overlaid...)},
		Deadlines: Deadlines(t, f, given, today), Limitation: Limits(t, f), Money: Money(t, f, given, today)}
	if given.Served != "" {
		r.Served = &given.Served
	}
	return r
}

func ptr[T any](v T) *T { return &v }
