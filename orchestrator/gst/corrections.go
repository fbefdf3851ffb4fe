package gst

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/message"
)

// Correction is what a person says about one field of a notice: its right value, or that the value read is right.
type Correction struct {
	Field     string          // one of Correctable
	Value     json.RawMessage // as returned by Settle; null if the field has no value, and for a confirmation
	Confirmed bool
}

// Correctable lists the fields that a person may correct, by their JSON names in the facts. They include fields that
// only a person can supply: the date of service, and the portions of the tax with their dates.
var Correctable = []string{"is_notice", "form", "reference", "din", "issue_date", "served_on", "portions", "gstin",
	"legal_name", "trade_name", "officer", "periods", "demand", "reply_due", "hearing"}

// Refusal is the reason why a correction is rejected, as a message.
type Refusal message.Message

// refused returns a refusal by its code.
func refused(code string, params message.Params) Refusal {
	return Refusal(message.New("corrections."+code, params))
}

// Error returns the message in English.
func (r Refusal) Error() string { return r.English }

// field returns a pointer to a field, or nil if it cannot be corrected.
func (f *Facts) field(name string) any {
	switch name {
	case "is_notice":
		return &f.IsNotice
	case "form":
		return &f.Form
	case "reference":
		return &f.Reference
	case "din":
		return &f.DIN
	case "issue_date":
		return &f.IssueDate
	case "served_on":
		return &f.ServedOn
	case "portions":
		return &f.Portions
	case "gstin":
		return &f.GSTIN
	case "legal_name":
		return &f.LegalName
	case "trade_name":
		return &f.TradeName
	case "officer":
		return &f.Officer.Designation
	case "periods":
		return &f.Periods
	case "demand":
		return &f.Demand
	case "reply_due":
		return &f.ReplyDue.Date
	case "hearing":
		return &f.Hearing
	}
	return nil
}

// Settle checks a value that a person gives for a field of these facts. It returns the value as it is stored, and a
// doubt about it if there is one. A value that is certainly wrong gives a Refusal.
func (f Facts) Settle(t *law.Tables, field string,
	value json.RawMessage) (settled json.RawMessage, doubt message.Message, err error) {
	into := (&Facts{}).field(field)
	if into == nil {
		return nil, doubt, refused("not_here", nil)
	}
	if err := json.Unmarshal(value, into); err != nil {
		return nil, doubt, refused("not_understood", nil)
	}
	switch v := into.(type) {
	case **string:
		if *v == nil {
			break
		}
		text := strings.Join(strings.Fields(**v), " ")
		if text == "" {
			*v = nil
			break
		}
		text, doubt, err = f.settleText(t, field, text)
		*v = &text
	case *[]Period:
		*v, err = settlePeriods(*v)
	case *[]Portion:
		*v, doubt, err = f.settlePortions(*v)
	case **Demand:
		doubt, err = settleDemand(*v)
	case **Hearing:
		err = settleHearing(*v)
	case **Verdict:
		err = settleVerdict(*v)
	}
	if err != nil {
		return nil, message.Message{}, err
	}
	settled, err = json.Marshal(into)
	if err != nil {
		return nil, message.Message{}, fmt.Errorf("encode the value of %s: %w", field, err)
	}
	return settled, doubt, nil
}

var plainDIN = lazyregexp.New(`^[A-Z0-9]{15,25}$`)

func (f Facts) settleText(t *law.Tables, field, text string) (settled string, doubt message.Message, err error) {
	if len([]rune(text)) > 300 {
		return "", doubt, refused("too_long", nil)
	}
	switch field {
	case "form":
		text = strings.TrimPrefix(strings.TrimPrefix(strings.ToUpper(text), "FORM "), "GST ")
		if t.Form(text) == nil {
			return "", doubt, refused("form", nil)
		}
	case "gstin":
		text = strings.ToUpper(strings.ReplaceAll(text, " ", ""))
		_, valid, repaired, ok := parseGSTIN(text, false)
		if !ok || repaired {
			return "", doubt, refused("gstin", nil)
		}
		if !valid {
			doubt = message.New("corrections.gstin_digit", nil)
		}
	case "din":
		text = strings.ToUpper(strings.ReplaceAll(text, " ", ""))
		if !plainDIN.MatchString(text) {
			return "", doubt, refused("din", nil)
		}
		if len(text) != 20 {
			doubt = message.New("corrections.din_length", nil)
		}
	case "issue_date", "served_on", "reply_due":
		return f.settleDate(field, text)
	}
	return text, doubt, nil
}

func (f Facts) settleDate(field, text string) (settled string, doubt message.Message, err error) {
	given := law.ParseDay(text)
	if given.IsZero() || given.Year() < 2017 || given.Year() > 2099 {
		return "", doubt, refused("date", nil)
	}
	if f.IssueDate != nil && given.Before(law.ParseDay(*f.IssueDate)) {
		issued := message.Params{"date": message.Date(*f.IssueDate)}
		switch field {
		case "served_on":
			return "", doubt, refused("served_early", issued)
		case "reply_due":
			doubt = message.New("corrections.before_issue", issued)
		}
	}
	return given.ISO(), doubt, nil
}

var yearShape = lazyregexp.New(`^(20\d\d)-(\d\d)$`)

// settlePeriods checks periods: whole financial years such as "2020-21", or parts of them.
func settlePeriods(periods []Period) ([]Period, error) {
	if len(periods) > 12 {
		return nil, refused("years_many", nil)
	}
	settled := []Period{}
	for _, p := range periods {
		m := yearShape.FindStringSubmatch(p.FY)
		if m == nil {
			return nil, refused("years_form", nil)
		}
		start := law.ParseDay(m[1] + "-04-01")
		if start.AddMonths(12).Format("06") != m[2] {
			return nil, refused("year_none", message.Params{"year": p.FY})
		}
		whole := Period{FY: p.FY, From: start.ISO(), To: start.AddMonths(12).AddDays(-1).ISO()}
		if from, to := law.ParseDay(p.From), law.ParseDay(p.To); !from.IsZero() && !to.IsZero() && !from.After(to) &&
			!from.Before(start) && !to.After(law.ParseDay(whole.To)) {
			whole.From, whole.To = p.From, p.To
		}
		if !slices.ContainsFunc(settled, func(q Period) bool { return q.FY == p.FY }) {
			settled = append(settled, whole)
		}
	}
	slices.SortFunc(settled, func(a, b Period) int { return strings.Compare(a.FY, b.FY) })
	return settled, nil
}

const mostRupees = 1e13

func settleDemand(d *Demand) (doubt message.Message, err error) {
	if d == nil {
		return doubt, nil
	}
	if len(d.Rows) > 5 {
		return doubt, refused("heads", nil)
	}
	sum, seen := 0.0, map[string]bool{}
	for i := range d.Rows {
		row := &d.Rows[i]
		row.Head = strings.ToUpper(strings.TrimSpace(row.Head))
		if !slices.Contains(headNames, row.Head) || seen[row.Head] {
			return doubt, refused("heads", nil)
		}
		seen[row.Head] = true
		for _, amount := range []float64{row.Tax, row.Interest, row.Penalty, row.Fee, row.Other} {
			if amount < 0 || amount > mostRupees || math.Abs(amount*100-math.Round(amount*100)) > 0.01 {
				return doubt, refused("amounts", nil)
			}
			sum += amount
		}
	}
	sum = math.Round(sum*100) / 100
	switch {
	case d.Total == nil:
		d.Total = &sum
	case *d.Total < 0 || *d.Total > mostRupees:
		return doubt, refused("amounts", nil)
	case len(d.Rows) > 0 && math.Abs(*d.Total-sum) >= 1:
		doubt = message.New("corrections.total", message.Params{"sum": paise(sum), "total": paise(*d.Total)})
	}
	d.Currency = "INR"
	if d.Rows == nil {
		d.Rows = []DemandRow{}
	}
	return doubt, nil
}

var hourShape = lazyregexp.New(`^(?:[01]\d|2[0-3]):[0-5]\d$`)

func settleHearing(h *Hearing) error {
	switch {
	case h == nil:
	case law.ParseDay(h.Date).IsZero():
		return refused("hearing_day", nil)
	case h.Time != nil && !hourShape.MatchString(*h.Time):
		return refused("hearing_time", nil)
	case h.Venue != nil && len([]rune(*h.Venue)) > 300:
		return refused("hearing_place", nil)
	}
	return nil
}

// correct replaces the values of fields by a person's corrections, and keeps the values read in Corrected. It is called
// for each field after it was read, before anything is computed from it.
func (r *reading) correct(fields ...string) {
	for _, name := range fields {
		c, ok := r.corrections[name]
		if !ok {
			continue
		}
		if _, done := r.facts.Corrected[name]; done {
			continue
		}
		if c.Confirmed {
			r.facts.Confirmed = append(r.facts.Confirmed, name)
			continue
		}
		into := r.facts.field(name)
		was, err := json.Marshal(into)
		if err != nil {
			continue // cannot happen: all our values have JSON
		}
		// The value read may point into the tables of law, so the pointer is replaced and nothing is written through
		// it.
		fresh := reflect.New(reflect.TypeOf(into).Elem())
		if json.Unmarshal(c.Value, fresh.Interface()) != nil {
			continue // stored by a version with different values
		}
		reflect.ValueOf(into).Elem().Set(fresh.Elem())
		if r.facts.Corrected == nil {
			r.facts.Corrected = map[string]json.RawMessage{}
		}
		r.facts.Corrected[name] = was
		r.follow(name)
	}
}

// follow updates what depends on a corrected field.
func (r *reading) follow(field string) {
	f := &r.facts
	switch field {
	case "form":
		r.form = nil
		if f.Form != nil {
			r.form = r.law.Form(*f.Form)
		}
	case "issue_date":
		r.issued = day{}
		if f.IssueDate != nil {
			r.issued = law.ParseDay(*f.IssueDate)
		}
	case "served_on":
		if f.ServedOn != nil {
			r.served = law.ParseDay(*f.ServedOn)
		}
	case "gstin":
		f.GSTINValid = nil
		if f.GSTIN != nil {
			f.GSTINValid = ptr(checkDigit(*f.GSTIN) == (*f.GSTIN)[gstinLength-1])
		}
	case "reply_due":
		given := because("printed", "given", nil)
		if f.ReplyDue.Date == nil {
			given = because("unknown", "given_none", nil)
		}
		given.Date, given.Time = f.ReplyDue.Date, f.ReplyDue.Time
		f.ReplyDue = given
	}
}

// sure reports whether a person gave or confirmed the field.
func (r *reading) sure(field string) bool {
	_, ok := r.corrections[field]
	return ok
}
