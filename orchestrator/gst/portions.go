package gst

import (
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/message"
)

// Portion is the tax of one return, or the credit of one claim, with its own dates.
type Portion struct {
	Label string `json:"label"` // such as "GSTR-3B, May 2021"
	Head  string `json:"head"`  // IGST, CGST, SGST, UTGST or CESS
	Paise int64  `json:"paise"`
	// Kind says how interest runs (rule 88B): "late_return", the part of a late return that is paid in cash, from the
	// due date; "short_paid", any other unpaid tax, from the due date; "credit", input tax credit wrongly availed and
	// utilised, from the day of its use.
	Kind string `json:"kind"`
	From string `json:"from"`         // the due date of the return; for "credit" the day on which it was utilised
	To   string `json:"to,omitempty"` // the day of payment or reversal; empty: not yet, so today
}

// MostPaise is more than any demand: ₹1 lakh crore. Sums of such amounts still fit into an int64.
const MostPaise = 1_00_000_00_00_000 * 100

var headNames = []string{"IGST", "CGST", "SGST", "UTGST", "CESS"}

// Check returns an error with one sentence for each mistake in a portion. number names a portion without a label.
func (p Portion) Check(number int) error {
	if bad := p.wrong(number); len(bad) > 0 {
		return Refusal(message.Sentences(bad...))
	}
	return nil
}

// wrong returns the mistakes in a portion.
func (p Portion) wrong(number int) []message.Message {
	var all []message.Message
	name := message.Text(p.Label, "")
	if p.Label == "" {
		name = message.New("corrections.part", message.Params{"number": number})
	}
	bad := func(code string, params message.Params) {
		params["part"] = name
		all = append(all, message.New("corrections."+code, params))
	}
	from, to := law.ParseDay(p.From), law.ParseDay(p.To)
	if p.Paise <= 0 || p.Paise > MostPaise {
		bad("part_amount", message.Params{})
	}
	switch p.Kind {
	case "late_return", "short_paid", "credit":
	default:
		bad("part_kind", message.Params{})
	}
	if !slices.Contains(headNames, p.Head) {
		bad("part_head", message.Params{"head": strconv.Quote(p.Head)})
	}
	if p.From != "" && from.IsZero() || p.To != "" && to.IsZero() {
		bad("part_date", message.Params{})
	}
	if !from.IsZero() && !to.IsZero() && to.Before(from) {
		bad("part_ends", message.Params{"from": message.Date(p.From), "to": message.Date(p.To)})
	}
	return all
}

const (
	mostPortions = 60
	mostLabel    = 100 // in letters
)

// settlePortions checks the portions of the tax that a person gives.
func (f Facts) settlePortions(given []Portion) (settled []Portion, doubt message.Message, err error) {
	if len(given) > mostPortions {
		return nil, doubt, refused("parts_many", message.Params{"most": mostPortions})
	}
	var sum int64
	for i, p := range given {
		p.Label = strings.Join(strings.Fields(p.Label), " ")
		if len([]rune(p.Label)) > mostLabel {
			return nil, doubt, refused("part_name", message.Params{"number": i + 1})
		}
		if err := p.Check(i + 1); err != nil {
			return nil, doubt, err
		}
		for _, date := range []string{p.From, p.To} {
			if day := law.ParseDay(date); !day.IsZero() &&
				(day.Before(law.ParseDay("2017-07-01")) || day.Year() > 2099) {
				return nil, doubt, refused("part_before", message.Params{"number": i + 1, "date": message.Date(date)})
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
		doubt = message.New("corrections.parts_over", message.Params{"sum": paise(claimed), "tax": paise(tax)})
	}
	return settled, doubt, nil
}
