package gst

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/pattern"
)

// Correction is what a person says of one field of a notice: the value that
// holds, whatever was read, or that the value as read is right.
type Correction struct {
	Field     string          // one of Correctable
	Value     json.RawMessage // as Settle gives it; null when there is none, and of a confirmation
	Confirmed bool
}

// Correctable are the fields that a person may correct, by their names in the
// JSON of the facts, and what only a person can give: the date of service, and
// the parts of the tax with their days.
var Correctable = []string{"is_notice", "form", "reference", "din", "issue_date", "served_on", "portions", "gstin", "legal_name", "trade_name",
	"periods", "demand", "reply_due", "hearing"}

// Refusal is a correction that cannot be taken, as a plain sentence.
type Refusal string

// Error gives the sentence.
func (r Refusal) Error() string { return string(r) }

// field gives where a field's value is, nil for one that cannot be corrected.
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

// Settle takes a value as a person gives it for a field of these facts, and
// gives it as it is kept, and a doubt about it, "" when there is none. What is
// surely wrong is a Refusal.
func (f Facts) Settle(t *law.Tables, field string, value json.RawMessage) (settled json.RawMessage, doubt string, err error) {
	into := (&Facts{}).field(field)
	if into == nil {
		return nil, "", Refusal("This cannot be corrected here.")
	}
	if err := json.Unmarshal(value, into); err != nil {
		return nil, "", Refusal("This value was not understood. Please give it once more.")
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
		return nil, "", err
	}
	settled, err = json.Marshal(into)
	if err != nil {
		return nil, "", fmt.Errorf("encode the value of %s: %w", field, err)
	}
	return settled, doubt, nil
}

var plainDIN = pattern.New(`^[A-Z0-9]{15,25}$`)

func (f Facts) settleText(t *law.Tables, field, text string) (settled, doubt string, err error) {
	if len([]rune(text)) > 300 {
		return "", "", Refusal("This is too long.")
	}
	switch field {
	case "form":
		text = strings.TrimPrefix(strings.TrimPrefix(strings.ToUpper(text), "FORM "), "GST ")
		if t.Form(text) == nil {
			return "", "", Refusal("This form is not known. Give its code as it is printed, such as DRC-01 or ASMT-10.")
		}
	case "gstin":
		text = strings.ToUpper(strings.ReplaceAll(text, " ", ""))
		_, valid, repaired, ok := parseGSTIN(text, false)
		if !ok || repaired {
			return "", "", Refusal("A GSTIN has 15 characters, such as 29AAACB1234C1ZB. Please compare with the paper.")
		}
		if !valid {
			doubt = "The check digit does not fit, so this number cannot be right. It was kept as you gave it; please compare once more."
		}
	case "din":
		text = strings.ToUpper(strings.ReplaceAll(text, " ", ""))
		if !plainDIN.MatchString(text) {
			return "", "", Refusal("A DIN has about 20 letters and figures and nothing else. Please compare with the paper.")
		}
		if len(text) != 20 {
			doubt = "A DIN has 20 characters; this one has another number. It was kept as you gave it."
		}
	case "issue_date", "served_on", "reply_due":
		return f.settleDate(field, text)
	}
	return text, doubt, nil
}

func (f Facts) settleDate(field, text string) (settled, doubt string, err error) {
	given := law.ParseDay(text)
	if given.IsZero() || given.Year() < 2017 || given.Year() > 2099 {
		return "", "", Refusal("Give a day, month and year since GST began in July 2017.")
	}
	if f.IssueDate != nil && given.Before(law.ParseDay(*f.IssueDate)) {
		switch field {
		case "served_on":
			return "", "", Refusal(fmt.Sprintf("The notice is dated %s, so it cannot have been served before. If that date was misread, correct it first.", law.ParseDay(*f.IssueDate).Printed()))
		case "reply_due":
			doubt = fmt.Sprintf("This is before the date of the notice, %s. It was kept as you gave it; please compare once more.", law.ParseDay(*f.IssueDate).Printed())
		}
	}
	return given.ISO(), doubt, nil
}

var yearShape = pattern.New(`^(20\d\d)-(\d\d)$`)

// settlePeriods takes whole financial years, as "2020-21", or parts of them.
func settlePeriods(periods []Period) ([]Period, error) {
	if len(periods) > 12 {
		return nil, Refusal("These are too many years for one notice.")
	}
	settled := []Period{}
	for _, p := range periods {
		m := yearShape.FindStringSubmatch(p.FY)
		if m == nil {
			return nil, Refusal("Give each financial year as 2020-21.")
		}
		start := law.ParseDay(m[1] + "-04-01")
		if start.AddMonths(12).Format("06") != m[2] {
			return nil, Refusal(fmt.Sprintf("%s is no financial year: it ends in the year after it begins, as in 2020-21.", p.FY))
		}
		whole := Period{FY: p.FY, From: start.ISO(), To: start.AddMonths(12).AddDays(-1).ISO()}
		if from, to := law.ParseDay(p.From), law.ParseDay(p.To); !from.IsZero() && !to.IsZero() && !from.After(to) && !from.Before(start) && !to.After(law.ParseDay(whole.To)) {
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

func settleDemand(d *Demand) (doubt string, err error) {
	if d == nil {
		return "", nil
	}
	if len(d.Rows) > 5 {
		return "", Refusal("Give one line for each head of tax: IGST, CGST, SGST, UTGST and CESS.")
	}
	sum, seen := 0.0, map[string]bool{}
	for i := range d.Rows {
		row := &d.Rows[i]
		row.Head = strings.ToUpper(strings.TrimSpace(row.Head))
		if !slices.Contains(headNames, row.Head) || seen[row.Head] {
			return "", Refusal("Give one line for each head of tax: IGST, CGST, SGST, UTGST and CESS.")
		}
		seen[row.Head] = true
		for _, amount := range []float64{row.Tax, row.Interest, row.Penalty, row.Fee, row.Other} {
			if amount < 0 || amount > mostRupees || math.Abs(amount*100-math.Round(amount*100)) > 0.01 {
				return "", Refusal("Give amounts in rupees and paise, not less than nought.")
			}
			sum += amount
		}
	}
	sum = math.Round(sum*100) / 100
	switch {
	case d.Total == nil:
		d.Total = &sum
	case *d.Total < 0 || *d.Total > mostRupees:
		return "", Refusal("Give amounts in rupees and paise, not less than nought.")
	case len(d.Rows) > 0 && math.Abs(*d.Total-sum) >= 1:
		doubt = fmt.Sprintf("The heads add up to %s, not to the total of %s. Both were kept as you gave them.", rupees(sum), rupees(*d.Total))
	}
	d.Currency = "INR"
	if d.Rows == nil {
		d.Rows = []DemandRow{}
	}
	return doubt, nil
}

var hourShape = pattern.New(`^(?:[01]\d|2[0-3]):[0-5]\d$`)

func settleHearing(h *Hearing) error {
	switch {
	case h == nil:
	case law.ParseDay(h.Date).IsZero():
		return Refusal("Give the day of the hearing as day, month and year.")
	case h.Time != nil && !hourShape.MatchString(*h.Time):
		return Refusal("Give the time of the hearing as 11:30.")
	case h.Venue != nil && len([]rune(*h.Venue)) > 300:
		return Refusal("The place of the hearing is too long.")
	}
	return nil
}

// correct puts what a person said in the place of what was read, and keeps that
// beside it. It is called for each field once that was read, before anything is
// computed from it.
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
			continue // no value of ours is without JSON
		}
		// What was read may point into the tables of law: another value takes its place, none is written into it.
		fresh := reflect.New(reflect.TypeOf(into).Elem())
		if json.Unmarshal(c.Value, fresh.Interface()) != nil {
			continue // kept by a version that knew other values
		}
		reflect.ValueOf(into).Elem().Set(fresh.Elem())
		if r.facts.Corrected == nil {
			r.facts.Corrected = map[string]json.RawMessage{}
		}
		r.facts.Corrected[name] = was
		r.follow(name)
	}
}

// follow has what stands on a corrected field follow it.
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
		f.ReplyDue.Source, f.ReplyDue.Basis = "printed", ptr("as you gave it")
		if f.ReplyDue.Date == nil {
			f.ReplyDue.Source, f.ReplyDue.Basis = "unknown", ptr("you said that the notice names none")
		}
	}
}

// sure tells that a person gave or confirmed the field.
func (r *reading) sure(field string) bool {
	_, ok := r.corrections[field]
	return ok
}
