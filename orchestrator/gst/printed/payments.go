package printed

import (
	"slices"

	"munshi/orchestrator/gst"
)

// told lists words of sentences that ask someone to pay, or say that nothing was paid or that the payment was counted.
// These sentences name no payment to be deducted.
var told = [...]string{"requested to", "you may", "kindly", "may be paid", "to be paid", "required to", "directed to", "shall pay",
	"if you", "either", "is payable", "not paid", "should pay", "advised to", "by paying", "will be paid", "should you", "refund",
	"has been adjusted", "have been adjusted", "already adjusted", "already been adjusted", "after adjusting", "not deposited"}

// notCounted lists words that say that the demand leaves out a payment.
const notCounted = "not considered|not been considered|not adjusted|not been adjusted|not set off|not been set off|not taken into|" +
	"not been taken into|not appropriated|not been appropriated|not accounted|not been accounted|not given credit|no credit * given|" +
	"not reduced|not been reduced|without adjust|without giving|without considering|recovered again|demanded again|yet to be " +
	"appropriated|yet to be adjusted|remains to be appropriated|remains to be adjusted|to be appropriated|not deducted|not been deducted|ignored|not reckoned|not excluded|has not been given|समायोजित नहीं|समायोजन नहीं"

// elsewhere lists words that say that a payment was for something other than the demand.
const elsewhere = "other point|other para|other observation|other issue|other objection|other discrepan|remaining point|remaining " +
	"para|remaining objection|accepted point|accepted para|accepted objection|settled para|paras settled|stand settled|stands " +
	"settled|have been closed|has been closed|is closed|are closed|stands closed|stand closed|not part of this notice|not a part of " +
	"this|not covered by this|not the subject|unrelated|minor para|rest of the para|another matter|another period|other year"

// doubted lists words that say that a payment is only claimed.
const doubted = "claims to have|claimed to have|claim of payment|claim that|no such payment|payment is not found|payment was not found|" +
	"not traceable|not reflected|not borne out|no record of|could not be verified|not verifiable|is not visible|not available on the portal"

// argued lists words with which a paper reports what the taxpayer says.
var argued = [...]string{"argued", "contended", "contention", "submitted that", "pleaded", "averred", "prayed", "in its reply",
	"in his reply", "in their reply", "according to the noticee", "the noticee says", "the taxpayer says", "noticee claims",
	"the appellant says", "says the appellant", "appellant had said", "the applicant says", "says the noticee", "as he says", "as they say"}

// IsArgued reports whether printed words are what somebody argued.
func IsArgued(words string) bool { return hasAny(lower(words), argued[:]...) }

// readPayments reads what the paper itself says was already paid. Sentences that tell someone to pay do not count.
// Payments on other points go into a fact of their own. So do payments by challan, unless the paper says that the
// demand leaves them out.
func (p *Paper) readPayments() {
	var sum, other Amount
	var quotes, others []Quote
	var seen []Amount
	for at := 0; ; {
		start, end, ok := p.find("drc-03|drc 03|drc03|under protest|challan|cpin|cin |debit entry|cash ledger|चालान|पूर्व में जमा", at, len(p.low))
		if !ok {
			break
		}
		at = end
		from, to := p.sentence(start)
		words := p.low[from:to]
		form := hasAny(words, "drc-03", "drc 03", "drc03", "under protest")
		late := hasAny(words, "late", "delay", "return", "3b", "refund", "delivery", "e-way", "due date", "tr-6") ||
			hasAny(words, "in cash") && !hasAny(words, "debit entry", "challan", "cpin")
		if !hasAny(words, "paid", "deposited", "deposit of", "discharged", "remitted", "debited", "जमा कर", "जमा की") ||
			hasAny(words, told[:]...) || !form && late {
			continue
		}
		var paid []gst.Sum
		for _, s := range gst.Sums(words) {
			if s.Marked && s.Paise >= 100_00 {
				paid = append(paid, s)
			}
		}
		if len(paid) > 2 && paid[0].Paise == sumOfSums(paid[1:]) &&
			hasAny(words[paid[0].End:paid[1].Start], "gst", "tax", "कर") { // followed by its heads
			paid = paid[:1]
		}
		if len(paid) != 1 {
			continue
		}
		q, amount := p.quote(from, to), Amount(paid[0].Paise)
		if slices.Contains(quotes, q) || slices.Contains(others, q) || slices.Contains(seen, amount) {
			continue // the same amount mentioned again
		}
		seen = append(seen, amount)
		_, next := p.sentence(min(to+1, len(p.low)))
		_, _, left := p.find(notCounted, from, next)
		_, _, away := p.find(elsewhere, from, to)
		_, _, doubt := p.find(doubted, from, next)
		switch {
		case away, doubt, !form && !left:
			other, others = other+amount, append(others, q)
		default:
			sum, quotes = sum+amount, append(quotes, q)
		}
	}
	if p.tellsOfBalance() {
		return
	}
	if sum > 0 {
		p.Known.Put("payment.amount", Value{Kind: Money, Paise: int64(sum), At: quotes})
	}
	if other > 0 {
		p.Known.Put("payment.other", Value{Kind: Money, Paise: int64(other), At: others})
	}
}

func sumOfSums(all []gst.Sum) int64 {
	var sum int64
	for _, s := range all {
		sum += s.Paise
	}
	return sum
}
