package printed

import "testing"

func TestChargedTwice(t *testing.T) {
	const food = "1. Credit on catering, invoices AC/211 dated 14.06.2021 and AC/237 dated 09.08.2021 of M/s Annapurna Caterers, is blocked by section 17(5). CGST Rs. 5,000 and SGST Rs. 5,000.\n"
	for name, r := range map[string]reading{
		"the same invoices":      {notice("10,000", food+"2. Credit was taken after the time limit in section 16(4) on invoices AC-211 dated 14.06.2021 and AC-237 dated 09.08.2021. CGST Rs. 5,000 and SGST Rs. 5,000.\n"), "charge.twice", "2: 1"},
		"other invoices":         {notice("10,000", food+"2. Credit was taken after the time limit in section 16(4) on invoices BD/11 dated 15.06.2021. CGST Rs. 5,100 and SGST Rs. 5,100.\n"), "charge.twice", ""},
		"the same supplier":      {notice("9,000", "1. Credit on M/s Malnad Steel Traders is denied, section 16(2)(c), tax not paid: CGST Rs. 4,500 SGST Rs. 4,500.\n2. Credit on M/s Malnad Steel Traders is denied, section 16(2)(b), goods not received: CGST Rs. 4,500 SGST Rs. 4,500.\n"), "charge.twice_amount", "2: ₹9,000"},
		"the same turnover":      {notice("1,08,000", "1. Sales in e-way bills not in GSTR-1: Rs. 9,00,000 taxable @ 12%, section 9(1): CGST Rs. 54,000, SGST Rs. 54,000.\n2. Receipts in Form 26AS not in GSTR-3B: Rs. 9,00,000 taxable @ 12%, section 9(1): CGST Rs. 54,000, SGST Rs. 54,000.\n"), "charge.twice", "2: 1"},
		"one return, two papers": {notice("1,63,000", "1. Sales in GSTR-1 exceed the turnover in GSTR-3B, section 9(1): CGST Rs. 54,000, SGST Rs. 54,000.\n2. Sales in e-way bills exceed the turnover in GSTR-3B, section 9(1): CGST Rs. 1,09,000, SGST Rs. 1,09,000.\n"), "charge.twice_amount", "2: ₹1,08,000"},
		"two returns":            {notice("1,63,000", "1. Sales in GSTR-1 exceed the turnover in GSTR-3B, section 9(1): CGST Rs. 54,000, SGST Rs. 54,000.\n2. Sales in e-way bills exceed the turnover in GSTR-1, section 9(1): CGST Rs. 1,09,000, SGST Rs. 1,09,000.\n"), "charge.twice_amount", ""},
		"another turnover":       {notice("1,08,000", "1. Sales in e-way bills not in GSTR-1: Rs. 9,00,000 taxable @ 12%, section 9(1): CGST Rs. 54,000, SGST Rs. 54,000.\n2. Rent received not in GSTR-3B: Rs. 6,00,000 taxable @ 18%, section 9(1): CGST Rs. 54,000, SGST Rs. 54,000.\n"), "charge.twice", ""},
		"a carrier's freight":    {notice("55,000", "1. Freight of Rs. 9,60,000 paid to M/s Rau Roadlines, section 9(3): CGST Rs. 24,000, SGST Rs. 24,000.\n2. Transport of Rs. 12,40,000 (M/s Rau Roadlines Rs. 9,60,000, M/s Dhar Transport Rs. 2,80,000), section 9(3): CGST Rs. 31,000, SGST Rs. 31,000.\n"), "charge.twice_amount", "2: ₹48,000"},
		"another sum to him":     {notice("55,000", "1. Freight of Rs. 9,60,000 paid to M/s Rau Roadlines, section 9(3): CGST Rs. 24,000, SGST Rs. 24,000.\n2. Loading of Rs. 12,40,000 paid to M/s Rau Roadlines, section 9(3): CGST Rs. 31,000, SGST Rs. 31,000.\n"), "charge.twice", ""},
		"a notification in both": {notice("10,000", "1. Freight, reverse charge, notification 13/2017-CT dated 28.06.2017, section 9(3): CGST Rs. 5,000 and SGST Rs. 5,000.\n2. Legal fees, reverse charge, notification 13/2017-CT dated 28.06.2017, section 9(3): CGST Rs. 5,100 and SGST Rs. 5,100.\n"), "charge.twice", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

func TestOutsideThePeriod(t *testing.T) {
	rows := func(last string) string {
		return notice("9,000", "1. Invoices not declared, section 9(1), CGST Rs. 9,000 and SGST Rs. 9,000\nMC/22/201 dated 16.07.2021 Rs. 40,000 CGST 3,600 SGST 3,600\n"+
			"MC/22/219 dated 09.09.2021 Rs. 30,000 CGST 2,700 SGST 2,700\n"+last+"\n")
	}
	for name, r := range map[string]reading{
		"a row":             {rows("MC/22/314 dated 18.04.2022 Rs. 30,000 CGST 2,700 SGST 2,700"), "outside.tax", "1: ₹5,400"},
		"all within":        {rows("MC/22/314 dated 18.03.2022 Rs. 30,000 CGST 2,700 SGST 2,700"), "outside.tax", ""},
		"its month":         {notice("9,000", "1. Hire of a car, invoice of August 2019, reverse charge, section 9(3): CGST Rs. 9,000 and SGST Rs. 9,000.\n"), "outside.days", "1: August 2019"},
		"its year":          {notice("9,000", "1. Hire of an excavator in FY 2019-20, supplier unregistered, section 9(4): CGST Rs. 9,000 and SGST Rs. 9,000.\n"), "outside.days", "1: F.Y. 2019-20"},
		"a year declared":   {notice("9,000", "1. Sales were declared in FY 2022-23 and not in time, section 9(1): CGST Rs. 9,000 and SGST Rs. 9,000.\n"), "outside.days", ""},
		"a month within":    {notice("9,000", "1. Hire of a car, invoice of August 2021, reverse charge, section 9(3): CGST Rs. 9,000 and SGST Rs. 9,000.\n"), "outside.days", ""},
		"late credit":       {notice("9,000", "1. Credit on an invoice of August 2019 taken after the time limit of section 16(4): CGST Rs. 9,000 and SGST Rs. 9,000.\n"), "outside.days", ""},
		"of a later return": {notice("9,000", "1. Sales were shown in the return of August 2022 and not in time, section 9(1): CGST Rs. 9,000 and SGST Rs. 9,000.\n"), "outside.days", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

func TestPayments(t *testing.T) {
	for name, r := range map[string]reading{
		"a challan left out":    {notice("9,000", "1. Tax short paid. The dealer remitted Rs. 5,000 through challan on 14-10-2024; the payment has not been set off here.\n"), "payment.amount", "₹5,000"},
		"a challan":             {notice("9,000", "1. Tax short paid. The dealer remitted Rs. 5,000 through challan on 14-10-2024 during the visit.\n"), "payment.other", "₹5,000"},
		"a debit entry":         {notice("9,000", "1. The noticee paid Rs. 5,000 on 05.02.2024 in cash ledger (debit entry DC2402240098112), which remains to be appropriated.\n"), "payment.amount", "₹5,000"},
		"told to pay":           {notice("9,000", "1. Tax short paid. The dealer is directed to deposit Rs. 5,000 through challan.\n"), "payment.other", ""},
		"on other points":       {notice("9,000", "1. Tax short paid. Rs. 5,000 was paid by DRC-03 on 14-10-2024 on other points of the audit.\n"), "payment.amount", ""},
		"kept apart":            {notice("9,000", "1. Tax short paid. Rs. 5,000 was paid by DRC-03 on 14-10-2024 on other points of the audit.\n"), "payment.other", "₹5,000"},
		"a late return":         {notice("9,000", "1. Tax of Rs. 5,000 was paid from the cash ledger belatedly with the return of May.\n"), "payment.other", ""},
		"named twice":           {notice("9,000", "1. Rs. 5,000 was paid by DRC-03 dated 14-10-2024.\n2. The sum of Rs. 5,000 deposited by DRC-03 is not adjusted.\n"), "payment.amount", "₹5,000"},
		"only claimed":          {notice("9,000", "1. The noticee claims to have paid Rs. 5,000 by DRC-03 dated 02/01/2024 but no such payment is found.\n"), "payment.amount", ""},
		"the department denies": {notice("9,000", "1. The claim that Rs. 5,000 was paid is not borne out; DRC-03 was not deposited.\n"), "payment.amount", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}
