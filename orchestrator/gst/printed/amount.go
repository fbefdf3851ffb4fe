package printed

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"munshi/orchestrator/gst"
)

// Amount is money in paise. In JSON it is in rupees, as in the facts.
type Amount int64

// MarshalJSON encodes the amount in rupees.
func (a Amount) MarshalJSON() ([]byte, error) {
	if a%100 == 0 {
		return strconv.AppendInt(nil, int64(a)/100, 10), nil
	}
	return fmt.Appendf(nil, "%.2f", float64(a)/100), nil
}

// UnmarshalJSON decodes an amount in rupees.
func (a *Amount) UnmarshalJSON(data []byte) error {
	var rupees float64
	if err := json.Unmarshal(data, &rupees); err != nil {
		return fmt.Errorf("read an amount in rupees: %w", err)
	}
	*a = paiseOf(rupees)
	return nil
}

// String returns the amount in the Indian format, "₹12,45,000".
func (a Amount) String() string { return gst.Rupees(int64(a)) }

// Paise returns the amount in paise; a nil amount is 0.
func (a *Amount) Paise() int64 {
	if a == nil {
		return 0
	}
	return int64(*a)
}

func paiseOf(rupees float64) Amount { return Amount(math.Round(rupees * 100)) }

// The parts of the demand that fall if a rule's point succeeds.
const (
	TakesAll      = "all"      // the whole demand of the paper or year
	TakesTax      = "tax"      // the tax of the paper
	TakesInterest = "interest" // the interest that the paper quantifies
	TakesPenalty  = "penalty"  // the penalty that the paper quantifies
	TakesFee      = "fee"      // the late fee
	TakesOverTen  = "penalty over ten percent"
	// TakesOverQuarter is the penalty above the amount that closes the proceedings: a quarter of the tax before an
	// order, half of it after one (section 74(8) and (11)).
	TakesOverQuarter = "penalty over a quarter"
	TakesOverHalf    = "penalty over a half"
)

// Total returns the total that the paper demands. It returns false if there is none.
func (p *Paper) Total() (Amount, bool) {
	d := p.Facts.Demand
	if d == nil {
		return 0, false
	}
	if d.Total != nil {
		return paiseOf(*d.Total), true
	}
	if sum := Sum(p.DemandOf(TakesAll)); sum != nil {
		return *sum, true
	}
	return 0, false
}

// DemandOf returns one part of the demand, such as the tax or the interest, by head.
func (p *Paper) DemandOf(what string) []Head {
	if p.Facts.Demand == nil {
		return nil
	}
	var heads []Head
	var sum Amount
	for _, r := range p.Facts.Demand.Rows {
		a := r.Tax + r.Interest + r.Penalty + r.Fee + r.Other
		switch what {
		case TakesTax:
			a = r.Tax
		case TakesInterest:
			a = r.Interest
		case TakesPenalty:
			a = r.Penalty
		case TakesFee:
			a = r.Fee
		case TakesOverTen:
			a = overTen(r)
		case TakesOverQuarter:
			a = max(0, r.Penalty-r.Tax/4)
		case TakesOverHalf:
			a = max(0, r.Penalty-r.Tax/2)
		}
		if a > 0 {
			heads = append(heads, Head{r.Head, paiseOf(a)})
			sum += paiseOf(a)
		}
	}
	if d := p.Facts.Demand; what == TakesAll && d.Total != nil && sum != paiseOf(*d.Total) {
		return []Head{{"", paiseOf(*d.Total)}} // the printed total is what is demanded
	}
	return heads
}

// overTen returns the part of a penalty under one head that exceeds ten per cent of the tax or ten thousand rupees,
// whichever is higher.
func overTen(r gst.DemandRow) float64 {
	if r.Tax == 0 {
		return 0
	}
	return max(0, r.Penalty-max(math.Round(r.Tax/10), 10_000)) // in whole rupees, section 170
}
