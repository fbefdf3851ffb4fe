package gst

import (
	"encoding/json"
	"slices"
	"strings"

	"munshi/orchestrator/gst/law"
)

// Watch is the day that reminders and the calendar use: the reply date if it is settled. Until a person has settled
// it, it is the earliest day that may be the reply date or the hearing.
type Watch struct {
	Date    string `json:"date"`
	What    string `json:"what"`    // "reply" or "hearing"
	Settled bool   `json:"settled"` // false: still to be confirmed
}

// Attention is a reason for a person to look at the notice first. Page is the page concerned, or 0 if there is none.
type Attention struct {
	Code string `json:"code"`
	Page int    `json:"page"`
}

// The reasons, in the order in which they are listed.
const (
	NoticeDoubtful = "notice_doubtful" // it is not certain that the paper is a notice
	NotANotice     = "not_a_notice"    // it looks like something else, and nobody has confirmed that
	NoDate         = "no_date"         // no day to reply was read, and there are no candidates
	UnsureDate     = "unsure_date"     // one day may be it
	TwoDates       = "two_dates"       // several days may be it
	UnsureHearing  = "unsure_hearing"  // a hearing is mentioned but its day is not certain
	AmountUnread   = "amount_unread"   // it makes a demand whose total could not be read
	FormUnknown    = "form_unknown"    // neither the form is known, which fixes a time, nor the day to reply
)

// setAttention computes the day to watch and what a person has to settle. It runs after everything was read and
// corrected.
func (r *reading) setAttention() {
	f := &r.facts
	f.Attention = []Attention{}
	r.dropSettled()
	need := func(code string, page int) { f.Attention = append(f.Attention, Attention{Code: code, Page: page}) }
	if f.IsNotice != nil && f.IsNotice.Answer == "no" {
		if !r.sure("is_notice") {
			need(NotANotice, 0)
		}
		return
	}
	if f.IsNotice != nil && f.IsNotice.Answer == "doubtful" {
		need(NoticeDoubtful, 0)
	}
	switch replies := f.Candidates["reply_due"]; {
	case f.ReplyDue.Date != nil:
		f.Watch = &Watch{Date: *f.ReplyDue.Date, What: "reply", Settled: true}
	case r.sure("reply_due"): // the person said that there is none
		if f.Hearing != nil {
			f.Watch = &Watch{Date: f.Hearing.Date, What: "hearing", Settled: true}
		}
	default:
		f.Watch = f.earliest()
		switch len(replies) {
		case 0:
			need(NoDate, 0)
		case 1:
			need(UnsureDate, replies[0].Page)
		default:
			need(TwoDates, replies[0].Page)
		}
	}
	if open := f.Candidates["hearing"]; len(open) > 0 {
		need(UnsureHearing, open[0].Page)
	}
	if !r.sure("demand") && (f.Demand == nil || f.Demand.Total == nil && len(f.Demand.Rows) == 0) && f.claims() {
		page := 1
		if open := f.Candidates["demand"]; len(open) > 0 {
			page = open[0].Page
		}
		need(AmountUnread, page)
	}
	if f.Form == nil && !r.sure("form") && f.ReplyDue.Date == nil && !r.sure("reply_due") {
		need(FormUnknown, 0)
	}
}

// dropSettled removes the candidates of the fields that a person settled. The quotation of the candidate
// with the person's value becomes the field's evidence.
func (r *reading) dropSettled() {
	f := &r.facts
	for field, open := range f.Candidates {
		if !r.sure(field) {
			continue
		}
		delete(f.Candidates, field)
		said := string(r.corrections[field].Value)
		for _, c := range open {
			if c.Page > 0 && (strings.Contains(said, `"`+c.Value+`"`) || strings.Contains(said, `"total":`+c.Value)) {
				f.Evidence[field] = Evidence{Page: c.Page, Quote: c.Quote}
			}
		}
	}
	if len(f.Candidates) == 0 {
		f.Candidates = nil
	}
}

// earliest returns the first of the days that may be the reply date or the hearing, or nil if there is none.
func (f *Facts) earliest() *Watch {
	var first *Watch
	consider := func(date, what string) {
		if !law.ParseDay(date).IsZero() && (first == nil || date < first.Date) {
			first = &Watch{Date: date, What: what}
		}
	}
	for _, c := range f.Candidates["reply_due"] {
		consider(c.Value, "reply")
	}
	if f.Hearing != nil {
		consider(f.Hearing.Date, "hearing")
	}
	for _, c := range f.Candidates["hearing"] {
		date, _, _ := strings.Cut(c.Value, " ")
		consider(date, "hearing")
	}
	return first
}

// demanding lists the forms that claim an amount.
var demanding = []string{
	"DRC-01", "DRC-01A", "DRC-01B", "DRC-01C", "DRC-01D", "DRC-02", "DRC-07", "DRC-08", "DRC-13",
	"ASMT-13", "ASMT-14", "ASMT-15", "ASMT-16", "MOV-07", "MOV-09", "MOV-10", "MOV-11",
}

// demandSections lists the sections under which a letter claims an amount.
var demandSections = []string{"63", "73", "74", "74A", "76", "122", "125", "129", "130"}

// claims reports whether the paper claims an amount.
func (f *Facts) claims() bool {
	if len(f.Candidates["demand"]) > 0 {
		return true
	}
	if f.Form != nil {
		return slices.Contains(demanding, *f.Form)
	}
	return slices.ContainsFunc(f.Sections, func(s string) bool {
		root, _, _ := strings.Cut(s, "(")
		return slices.Contains(demandSections, root)
	})
}

// WatchedDay returns the day that reminders use as an ISO date, or "" if there is none. Facts stored before Watch
// existed use their reply date.
func (f Facts) WatchedDay() (day string, settled bool) {
	switch {
	case f.Watch != nil:
		return f.Watch.Date, f.Watch.Settled
	case f.ReplyDue.Date != nil:
		return *f.ReplyDue.Date, true
	case f.Hearing != nil:
		return f.Hearing.Date, false
	}
	return "", false
}

// settleVerdict checks a person's answer to whether the paper is a notice.
func settleVerdict(v *Verdict) error {
	if v == nil || v.Answer != "yes" && v.Answer != "no" {
		return refused("verdict", nil)
	}
	v.Reasons = []string{"you said so"}
	return nil
}

// UnmarshalJSON also accepts the plain answer "yes" or "no", as a person gives it.
func (v *Verdict) UnmarshalJSON(raw []byte) error {
	type plain Verdict
	if len(raw) > 0 && raw[0] == '"' {
		*v = Verdict{}
		return json.Unmarshal(raw, &v.Answer)
	}
	return json.Unmarshal(raw, (*plain)(v))
}
