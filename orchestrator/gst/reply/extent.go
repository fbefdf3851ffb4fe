package reply

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/printed"
)

// onLedger is the rule on interest whose question is answered by the one on the credit ledger, too.
const onLedger = "interest-on-credit-not-utilised"

// answerTo returns the answer to the question of a rule, even if another question of the interview asked it.
func (w *writer) answerTo(p defence.Point) Response {
	own := w.given.Answers[AskDefence+p.ID]
	if ledger := w.given.Answers[askLedger]; p.ID == onLedger && !own.known() && ledger.known() {
		return ledger
	}
	return own
}

// headBefore matches a head of tax right before an amount, such as "cgst of".
var headBefore = lazyregexp.New(`(?:igst|cgst|sgst|utgst|cess)(?: of)? ?$`)

// statedIn returns the amount, in paise, that a person states in answer to a question: the sum of those under heads of
// tax, or the only one. named is false if they state none, clear is false if it is not certain which amount is meant.
func statedIn(a Response) (paise int64, named, clear bool) {
	low := strings.ToLower(strings.Join(a.Words, " ; "))
	var heads, others []int64
	total := int64(0)
	for _, s := range gst.Sums(low) {
		switch {
		case !s.Marked:
		case headBefore.MatchString(low[:s.Start]):
			heads = append(heads, s.Paise)
			total += s.Paise
		default:
			others = append(others, s.Paise)
		}
	}
	switch {
	case len(heads)+len(others) == 0:
		return 0, false, false
	case len(others) == 0, len(others) == 1 && others[0] == total:
		return total, true, true
	case len(heads) == 0 && len(others) == 1:
		return others[0], true, true
	}
	return 0, true, false
}

// falls is how much a point takes away from the demand.
type falls struct {
	paise   int64
	upTo    bool // the most that it can be, because a fact is open
	unclear bool // the person states amounts from which it cannot be computed
}

// fallsBy returns how much of an amount of the notice a point removes. This is what the person stated, up to that
// amount, or else all of it. most is nil if the rule names no amount.
func (w *writer) fallsBy(p defence.Point, most *printed.Amount) falls {
	limit := int64(0)
	if most != nil {
		limit = int64(*most)
	}
	if p.Verdict != defence.MayApply {
		return falls{paise: limit}
	}
	a := w.answerTo(p)
	if a.Holds != "yes" {
		return falls{paise: limit, upTo: true}
	}
	if p.ID == onLedger { // what is stated there is a balance, and no part of the demand
		return falls{paise: limit, upTo: true}
	}
	said, named, clear := statedIn(a)
	if most == nil {
		sum, _ := w.demanded()
		limit = paise(sum.Tax)
	}
	switch {
	case named && clear && said <= limit:
		return falls{paise: said}
	case named:
		return falls{unclear: true}
	case most == nil:
		return falls{}
	}
	return falls{paise: limit}
}

// words returns the amount as it is written in a sentence, such as "up to ₹1,000", or "" if there is none.
func (f falls) words() string {
	if f.paise == 0 {
		return ""
	}
	text := printed.Amount(f.paise).String()
	if f.upTo {
		return "up to " + text
	}
	return text
}

// admittedOf returns the tax of a paragraph that is admitted, in paise and in words with its heads. It is 0, with a
// blank for the draft, if the paragraph has no amount or the person names another sum.
func (w *writer) admittedOf(p Point) (paiseOf int64, words string) {
	if of, ok := w.objected[p.Key]; ok {
		return of.paise, gst.Rupees(of.paise)
	}
	charge := w.chargeOf(p)
	tax := paise(w.taxOf(p))
	if charge == nil || tax == 0 {
		return 0, ""
	}
	for _, s := range gst.Sums(strings.ToLower(w.given.Said[p.Key].Facts)) {
		if s.Marked && s.Paise != tax && !slices.ContainsFunc(charge.Amounts, func(a gst.ChargeAmount) bool {
			return paise(a.Tax) == s.Paise
		}) {
			return 0, "" // they name another sum
		}
	}
	var heads []string
	for _, a := range charge.Amounts {
		if a.Tax > 0 {
			heads = append(heads, escape(a.Head)+" "+rupees(a.Tax))
		}
	}
	return tax, list(heads)
}
