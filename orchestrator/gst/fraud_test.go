package gst_test

import (
	"testing"

	"munshi/orchestrator/gst"
)

// Whether fraud is alleged depends on what the sentence says about it, not on the word alone: notices deny it,
// quote it, and answer a taxpayer's denial.
func TestFraudByItsWords(t *testing.T) {
	const head = "FORM GST DRC-01\n[See rule 142(1)(a)]\nReference No.: ZD230826118860W        Date: 12/08/2026\nTo\nGSTIN: 23ZKPPD4487N1ZX\nName: MALWA PIPE WORKS\nSummary of Show Cause Notice\n\n"
	for _, test := range []struct {
		words string
		want  bool
	}{
		{"The sales were kept out of the books and the facts were thus suppressed with intent to evade tax.", true},
		{"You did not declare the sales and thereby suppressed facts from the department.", true},
		{"The registered person not only misdeclared the turnover but wilfully suppressed it in three returns.", true},
		{"The plea that there was no suppression of facts is not tenable, the slips having been found hidden.", true},
		{"Your contention that there is no fraud cannot be accepted.", true},
		{"Tax was evaded by reason of fraud, and section 74(1) applies.", true},
		{"The dealer knew of his liability and concealed it from the department.", true},
		{"Tax was not paid by willful mis-statement.", true},
		{"कर का भुगतान तथ्यों को छिपाकर नहीं किया गया।", true},
		{"Tax was short paid.", false},
		{"Tax was short paid, for any reason, other than the reason of fraud or suppression.", false},
		{"This is not a case of fraud.", false},
		{"I do not find any fraud, wilful misstatement or suppression of facts in the present case.", false},
		{"It is not the department's case that there was any fraud, or that facts were suppressed to evade tax.", false},
		{"Neither fraud nor suppression of facts is attributed to you.", false},
		{"The ingredients of fraud or wilful misstatement are absent here.", false},
		{"The charge of suppression of facts is not made out on the record.", false},
		{"The allegation of suppression fails and is dropped.", false},
		{"The tax is recoverable for a reason other than fraud or any wilful misstatement.", false},
		{"If suppression of facts comes to light later, proceedings under section 74 will follow.", false},
		{"No evidence of wilful misstatement has been found.", false},
		{"The short payment was not due to fraud.", false},
		{"The noticee submitted that there was no suppression of facts.", false},
		{"In the absence of any suppression of facts the demand is raised under section 73(1).", false},
		{"तथ्यों के छिपाव का कोई आरोप नहीं है।", false},
		{"The noticee claimed input tax credit by fraud on the strength of false invoices.", true},
		{"The State Tax Officer found that the noticee suppressed its turnover and filed incorrect returns.", true},
		{"The taxpayer has claimed ITC by suppression of facts with intent to evade tax, by filing incorrect returns.", true},
		{"In case of the supplies to M/s ABC Traders, the noticee wilfully suppressed the taxable value with intent to evade tax.", true},
		{"If the department had not verified the records, the suppression would have gone unnoticed.", true},
		{"If the department had not verified the records the suppression would have gone unnoticed.", true},
		{"The suppression of facts by the noticee could not have been noticed but for the audit.", true},
		{"By suppressing its outward supplies the taxpayer fails to pay the tax due.", true},
		{"The noticee does not hold any tax invoice for these supplies and has wilfully suppressed the facts with intent to evade tax.", true},
		{"The noticee did not find it necessary to declare these supplies and thereby suppressed them wilfully with intent to evade tax.", true},
		{"In the absence of any reply, suppression of turnover stands established.", true},
		{"The noticee declared no turnover other than exports and wilfully suppressed its domestic supplies.", true},
		{"Input tax credit is denied, as the noticee wilfully suppressed the facts.", true},
		{"The noticee paid no amount and suppressed the facts.", true},
		{"In case of fraud, the penalty equals the tax.", false},
		{"If, on verification, fraud is found, section 74 will apply.", false},
		{"The notice does not allege that facts were suppressed.", false},
		{"The noticee has denied any suppression of facts.", false},
		{"The noticee suppressed the turnover and its books were not found.", true},
		{"The noticee fails to show that there was no suppression of facts.", true},
		{"There is no allegation of fraud, wilful misstatement and suppression of facts with intent to evade tax.", false},
		{"The notice dated 1 May 2026 does not allege that facts were suppressed.", false},
		{"The department has failed to establish suppression of facts.", false},
		{"It has not been shown by the noticee that there was no suppression.", true},
		{"Neither point involves any fraud or suppression; the facts are in your books.", false},
		{"Proceedings under section 73 will follow, the audit not having found anything to suggest wilful misstatement.", false},
		{"Neither point was answered, and the noticee suppressed the facts.", true},
		{"A thick concealed wiring was supplied.", false},
	} {
		f := gst.Read(tables, pagesOf(head+test.words+"\n", false))
		if f.FraudAlleged == nil || *f.FraudAlleged != test.want {
			t.Errorf("%q: alleged %v, want %v", test.words, f.FraudAlleged, test.want)
		}
	}
}
