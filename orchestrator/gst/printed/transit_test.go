package printed

import "testing"

func TestValidityOnTheRoad(t *testing.T) {
	paper := func(form, words string) string {
		return "FORM GST " + form + "\nDate 23.07.2025\nGSTIN 09AACFN8812Q1ZB\n" + words + "\n"
	}
	for name, r := range map[string]reading{
		"four days":              {paper("MOV-09", "1. Intercepted on 08.07.2025; MOV-07 dated 12.07.2025.\n2. E-way bill 8113 4471 9920 generated on 05.07.2025 at 10.15 AM for a distance of 640 km had expired."), "eway.ends", "09.07.2025"},
		"a hundred before 2021":  {paper("MOV-09", "1. Intercepted on 08.07.2020; MOV-07 dated 12.07.2020.\n2. E-way bill generated on 05.07.2020 for a distance of 640 km had expired."), "eway.ends", "12.07.2020"},
		"stopped":                {paper("MOV-07", "The vehicle was stopped on 09.07.2025. The e-way bill was generated on 05.07.2025. Distance 1,120 km."), "eway.stopped", "09.07.2025"},
		"over dimensional cargo": {paper("MOV-07", "Stopped on 09.07.2025. Over dimensional cargo. The e-way bill was generated on 05.07.2025. Distance 1,120 km."), "eway.ends", ""},
		"two e-way bills":        {paper("MOV-07", "Stopped on 09.07.2025. One e-way bill was generated on 05.07.2025, the other was generated on 07.07.2025. Distance 1,120 km."), "eway.ends", ""},
		"a fresh one":            {paper("MOV-07", "Stopped on 09.07.2025. A fresh e-way bill was generated on 10.07.2025. Distance 1,120 km."), "eway.ends", ""},
		"no distance":            {paper("MOV-07", "Stopped on 09.07.2025. The e-way bill was generated on 05.07.2025."), "eway.ends", ""},
		"half the value":         {paper("MOV-07", "Stopped on 19.07.2025. Value of goods Rs. 3,00,000 and tax @ 18% Rs. 54,000. Penalty of Rs. 1,50,000 is proposed."), "goods.over_twice", "₹42,000"},
		"twice the tax":          {paper("MOV-07", "Stopped on 19.07.2025. Value of goods Rs. 3,00,000 and tax @ 18% Rs. 54,000. Penalty of Rs. 1,08,000 is proposed."), "goods.over_twice", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

func TestSuppliersAndInvoices(t *testing.T) {
	charge := func(words string) string {
		return notice("9,000", "1. Credit of CGST Rs. 9,000 and SGST Rs. 9,000: "+words+"\n")
	}
	for name, r := range map[string]reading{
		"from when":           {charge("the registration of the supplier was cancelled vide order dated 14.11.2022 with effect from 01.07.2017."), "supplier.from", "01.07.2017"},
		"by which order":      {charge("the registration of the supplier was cancelled vide order dated 14.11.2022 with effect from 01.07.2017."), "supplier.order", "14.11.2022"},
		"the person's own":    {charge("your registration was cancelled with effect from 01.07.2017."), "supplier.from", ""},
		"the last invoice":    {charge("The tax invoices are dated between 05.05.2021 and 30.12.2021."), "charge.invoices_last", "1: 30.12.2021"},
		"the first":           {charge("The tax invoices are dated between 05.05.2021 and 30.12.2021."), "charge.invoices_first", "1: 05.05.2021"},
		"a return's day":      {charge("the invoices were entered in the return filed on 30.12.2021."), "charge.invoices_last", ""},
		"the month of it":     {charge("invoices of F.Y. 2020-21, section 16(4), taken in the return for October 2021."), "charge.return_due", "1: 20.11.2021"},
		"the last month":      {charge("invoices of F.Y. 2020-21, section 16(4), beyond the due date of the return for September 2021."), "charge.return_due", ""},
		"a filing in a month": {charge("invoices of F.Y. 2020-21, section 16(4), return filed in October 2021."), "charge.return_due", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

func TestRefundsByTheirKind(t *testing.T) {
	paper := func(form, words string) string {
		return "FORM GST " + form + "\nDate 30.06.2025\nGSTIN 29AADCQ9910E1Z8\nYour application ARN AA290325071662B dated 28.03.2025 for refund " + words + "\n"
	}
	services := "of IGST paid on export of services for April 2023. Invoices were raised on 03.03.2023; the consideration was received in foreign exchange on 02.04.2023."
	for name, r := range map[string]reading{
		"services exported":     {paper("RFD-06", services), "refund.last", "02.04.2025"},
		"goods exported":        {paper("RFD-08", "on export of goods. The vessel sailed on 10.04.2023 and the invoice is of 01.03.2023."), "refund.last", "10.04.2025"},
		"an inverted duty":      {paper("RFD-08", "on account of inverted duty structure for the period October 2022 to December 2022."), "refund.last", "20.01.2025"},
		"an invoice alone":      {paper("RFD-08", "on export of goods. The invoice is of 01.03.2023."), "refund.last", ""},
		"with days left out":    {paper("RFD-08", "on export of goods. The vessel sailed on 10.04.2020."), "refund.last", "29.02.2024"},
		"days to a memo":        {paper("RFD-08", "on account of inverted duty structure for the period October 2022 to December 2022. The first application dated 12.12.2024 was returned by deficiency memo in RFD-03 dated 24.12.2024."), "refund.memo_days", "12"},
		"interest after sixty":  {paper("RFD-06", services+"\nThe refund of Rs. 12,00,000 is sanctioned to the extent of Rs. 8,50,000. The balance of Rs. 3,50,000 is rejected."), "refund.interest", "₹4,751"},
		"nothing is sanctioned": {paper("RFD-06", services+"\nThe refund of Rs. 12,00,000 is rejected in full."), "refund.interest", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

func TestLateFees(t *testing.T) {
	for name, r := range map[string]reading{
		"a monthly return": {notice("9,000", "1. Late fee for GSTR-3B at Rs. 200 per day for 41 days Rs. 8,200.\n"), "fee.over", "₹6,150"},
		"fifty a day":      {notice("9,000", "1. Late fee for GSTR-3B at Rs. 50 per day for 41 days Rs. 2,050.\n"), "fee.over", ""},
		"days miscounted":  {notice("9,000", "1. Late fee for GSTR-3B due on 20.05.2021, filed on 30.05.2021, 41 days at Rs. 50 per day, Rs. 2,050.\n"), "fee.over", "₹1,550"},
		"an annual return": {notice("9,000", "1. Late fee of Rs. 36,500 for delay of 365 days in GSTR-9 at Rs. 100 per day under each Act. Turnover of the year is Rs. 90,00,000.\n"), "fee.annual_over", "₹28,000"},
		"within a quarter": {notice("9,000", "1. Late fee of Rs. 20,000 for GSTR-9 at Rs. 100 per day under each Act. Turnover of the year is Rs. 90,00,000.\n"), "fee.annual_over", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}

func TestHeadsTogether(t *testing.T) {
	for name, r := range map[string]reading{
		"in words":       {notice("9,000", "1. ITC: IGST claimed Rs. 4,00,000 against GSTR-2B Rs. 3,00,000; CGST and SGST claimed Rs. 2,50,000 each against GSTR-2B Rs. 3,00,000 each, section 16(2).\n"), "heads.claimed", "1: ₹9,00,000"},
		"of a statement": {notice("9,000", "1. ITC: IGST claimed Rs. 4,00,000 against GSTR-2B Rs. 3,00,000; CGST and SGST claimed Rs. 2,50,000 each against GSTR-2B Rs. 3,00,000 each, section 16(2).\n"), "heads.statement", "1: ₹9,00,000"},
		"none too small": {notice("9,000", "1. ITC: IGST claimed Rs. 4,00,000 against GSTR-2B Rs. 3,00,000; CGST and SGST claimed Rs. 3,50,000 each against GSTR-2B Rs. 3,00,000 each, section 16(2).\n"), "heads.claimed", ""},
	} {
		t.Run(name, func(t *testing.T) { r.check(t) })
	}
}
