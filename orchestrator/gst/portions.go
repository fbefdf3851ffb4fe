package gst

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"munshi/orchestrator/gst/law"
)

// Portion is tax of one return, or credit of one claim, with its own days.
type Portion struct {
	Label string `json:"label"` // such as "GSTR-3B, May 2021"
	Head  string `json:"head"`  // IGST, CGST, SGST, UTGST or CESS
	Paise int64  `json:"paise"`
	// Kind tells how interest runs (rule 88B): "late_return", the part of a late
	// return that is paid in cash, from the due date; "short_paid", any other tax
	// not paid, from the due date; "credit", input tax credit wrongly availed and
	// utilised, from the day of its use.
	Kind string `json:"kind"`
	From string `json:"from"`         // the due date of the return; for "credit" the day on which it was utilised
	To   string `json:"to,omitempty"` // the day of payment or reversal; empty: not yet, so today
}

// MostPaise is more than any demand, ₹1 lakh crore: sums of it stay within an int64.
const MostPaise = 1_00_000_00_00_000 * 100

var headNames = []string{"IGST", "CGST", "SGST", "UTGST", "CESS"}

// Check says in one sentence each what cannot be in a part of the tax; without a label it is named by its number.
func (p Portion) Check(number int) error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	name := p.Label
	if name == "" {
		name = fmt.Sprintf("Part %d of the tax", number)
	}
	from, to := law.ParseDay(p.From), law.ParseDay(p.To)
	if p.Paise <= 0 || p.Paise > MostPaise {
		bad("%s has no amount that can be: write rupees above 0.", name)
	}
	switch p.Kind {
	case "late_return", "short_paid", "credit":
	default:
		bad("%s is of kind %q: choose late_return, short_paid or credit.", name, p.Kind)
	}
	if !slices.Contains(headNames, p.Head) {
		bad("%s is under %q: choose IGST, CGST, SGST, UTGST or CESS.", name, p.Head)
	}
	if p.From != "" && from.IsZero() || p.To != "" && to.IsZero() {
		bad("%s has a date that is none: write such as 2026-11-22.", name)
	}
	if !from.IsZero() && !to.IsZero() && to.Before(from) {
		bad("%s ends on %s, before it begins on %s.", name, to.Printed(), from.Printed())
	}
	return errors.Join(errs...)
}

const (
	mostPortions = 60
	mostLabel    = 100 // letters
)

// settlePortions takes the parts of the tax as a person gives them.
func (f Facts) settlePortions(given []Portion) (settled []Portion, doubt string, err error) {
	if len(given) > mostPortions {
		return nil, "", Refusal(fmt.Sprintf("These are too many parts: put together those of one month, %d in all at most.", mostPortions))
	}
	var sum int64
	for i, p := range given {
		p.Label = strings.Join(strings.Fields(p.Label), " ")
		if len([]rune(p.Label)) > mostLabel {
			return nil, "", Refusal(fmt.Sprintf("The name of part %d is too long.", i+1))
		}
		if err := p.Check(i + 1); err != nil {
			return nil, "", Refusal(strings.ReplaceAll(err.Error(), "\n", " "))
		}
		for _, date := range []string{p.From, p.To} {
			if day := law.ParseDay(date); !day.IsZero() && (day.Before(law.ParseDay("2017-07-01")) || day.Year() > 2099) {
				return nil, "", Refusal(fmt.Sprintf("Part %d names %s: GST began on 1 July 2017.", i+1, day.Printed()))
			}
		}
		sum += p.Paise
		settled = append(settled, p)
	}
	tax := 0.0
	if f.Demand != nil {
		for _, row := range f.Demand.Rows {
			tax += row.Tax
		}
	}
	if claimed := float64(sum) / 100; tax > 0 && claimed > tax+1 {
		doubt = fmt.Sprintf("The parts come to %s, more than the tax in the notice, %s. They were kept as you gave them.", rupees(claimed), rupees(tax))
	}
	return settled, doubt, nil
}
