package gst_test

import (
	"slices"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// Whether a paragraph is charged depends on its list, its table and the demand, and on the kind of paper.
func TestWhatIsCharged(t *testing.T) {
	const (
		letter = "OFFICE OF THE ADDITIONAL COMMISSIONER OF CENTRAL TAX\nSHOW CAUSE NOTICE\nUnder Section 74(1)\nDated: 22.09.2026\nGSTIN 29XWKCV7714M1ZN\n"
		order  = "OFFICE OF THE ADDITIONAL COMMISSIONER\nORDER-IN-ORIGINAL No. 37/2026-27\nDate of Order: 09.10.2026\nGSTIN 24XPLCB8205N1ZW\n" +
			"BRIEF FACTS OF THE CASE\n2.1 Revenue Para 1 - credit beyond time. Credit of CGST Rs. 5,10,000 and SGST Rs. 5,10,000 was taken in the return " +
			"furnished on 22.11.2021. The credit is hit by Section 16(4).\n2.2 Revenue Para 2 - ocean freight. Tax at 5% comes to IGST Rs. 3,63,000.\n" +
			"2.3 Revenue Para 3 - delayed return. No interest was paid on the delayed payment: Rs. 1,17,962.\nDISCUSSION AND FINDINGS\n" +
			"3. On the first objection, Section 16(4) is in plain words and the plea is not acceptable.\n" +
			"4. On the second objection I find that the tax was not paid as the notification was in force.\nORDER\n"
		demand  = "5. I confirm the demand of tax of Rs. 13,83,000 (IGST Rs. 3,63,000, CGST Rs. 5,10,000, SGST Rs. 5,10,000) under Section 74(9).\n"
		table   = "Head Tax Interest Penalty Total\nIGST 3,63,000 1,17,962 3,63,000 8,43,962\nCGST 5,10,000 0 5,10,000 10,20,000\nSGST 5,10,000 0 5,10,000 10,20,000\nTotal 13,83,000 1,17,962 13,83,000 28,83,962\n"
		transit = "FORM GST MOV-07\nNOTICE UNDER SECTION 129(3)\nDt. 13/11/2026\nGSTIN 06YMPLF5518B1ZV\n" +
			"1. The conveyance HR69-C-4471 was intercepted and the driver could not produce a valid e-way bill for the goods.\n2. On scrutiny following discrepancies are found:\n" +
			"(a) validity of e-way bill ended on 01/11/2026 and was not extended, rule 138(10).\n(b) PIN code of place of delivery differs from that in the invoice.\n" +
			"3. As the goods were being moved without a valid e-way bill, penalty of Rs. 3,20,000 under section 129(1) is proposed.\n"
		attached = "FORM GST DRC-22\n[See rule 159(1)]\nProvisional attachment of property under section 83\nDate: 16.11.2026\nGSTIN 08ZAHMR2290K1ZR\n" +
			"1. Proceedings have been launched.\n2. The likely tax liability on account of non-receipt of goods is Rs. 38,40,000.\n"
		memo = "FORM GST RFD-03\n[See Rule 90(3)]\nDeficiency Memo\nReference No.: ZD031026044018F Date: 27-10-2026\nGSTIN 03XCHUB9034D1ZA\n" +
			"Upon scrutiny of your application, certain deficiencies have been noticed below:\nSr. No Description (select the reason)\n" +
			"1 Copies of invoices not uploaded\n2 Statement 1A differs from GSTR-2B by three invoices\n"
		worked = letter + "1. Short payment. The Noticee short paid tax in contravention of Section 9(1). The differential tax works out as under:\n" +
			"Sl. Recipient Taxable value Tax CGST Tax SGST\n1 State PWD, Buildings 4,20,00,000 12,60,000 12,60,000\n2 State PWD, Roads 6,50,00,000 19,50,000 19,50,000\n" +
			"Total 10,70,00,000 32,10,000 32,10,000\n2. Credit on invoices of a non-existent supplier of CGST Rs. 9,00,000 and SGST Rs. 9,00,000 was wrongly availed.\n"
	)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"an order that told what was alleged":   {order + demand + table, []string{"2.1", "2.2", "2.3"}},
		"an attachment charges nothing":         {attached, nil},
		"the list of discrepancies":             {transit, []string{"(a)", "(b)"}},
		"a paper that is wanting":               {memo, []string{"1", "2"}},
		"rows that work out a paragraph's sum":  {worked, []string{"1", "2"}},
		"why the longer time is invoked":        {worked + "3. INVOCATION OF SECTION 74. The Noticee wilfully mis-stated and suppressed the facts.\n", []string{"1", "2"}},
		"a second penalty for the acts":         {worked + "3. For the acts aforesaid the Noticee also appears liable for penalty under Section 122(2)(b).\n", []string{"1", "2"}},
		"a charge in the alternative":           {worked + "3. Without prejudice to the above, credit of IGST Rs. 40,000 was wrongly availed, contrary to Section 16(2).\n", []string{"1", "2", "3"}},
		"what the notice reserves":              {worked + "3. This notice is issued without prejudice to any other action for wrongly availed credit.\n", []string{"1", "2"}},
		"matters counted by their word":         {letter + "Matter I : Tax under section 9(3) on rent of CGST Rs. 97,200 and SGST Rs. 97,200 was not paid.\nMatter II : Tax on freight of CGST Rs. 31,500 and SGST Rs. 31,500 was not paid.\n", []string{"Matter I", "Matter II"}},
		"a table that announces what was wrong": {letter + "The following discrepancies are noticed:\nSl. Discrepancy CGST SGST\n1 Credit wrongly availed on a car 50,000 50,000\n2 Tax on scrap not paid 40,000 40,000\nTotal 90,000 90,000\n", []string{"1", "2"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, p := range gst.Read(law.Built(), []gst.Page{{Text: c.text}}).Charges() {
				got = append(got, p.Number)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("charges %q, they should be %q", got, c.want)
			}
		})
	}
}
