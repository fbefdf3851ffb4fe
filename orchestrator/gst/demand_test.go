package gst_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
)

// claimed writes a demand on one line: "IGST 1 2 3, total 6" for tax, interest and penalty.
func claimed(d *gst.Demand) string {
	if d == nil {
		return "none"
	}
	var parts []string
	for _, row := range d.Rows {
		parts = append(parts, fmt.Sprintf("%s %v %v %v", row.Head, row.Tax, row.Interest, row.Penalty))
	}
	if d.Total != nil {
		parts = append(parts, fmt.Sprintf("total %v", *d.Total))
	}
	return strings.Join(append(parts, d.LeftOpen...), ", ")
}

// Which of the printed amounts is the demand: never a part of it, an intermediate amount, or what
// was paid.
func TestWhichIsTheDemand(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"one head by the other's amount, sums in words, workings in crore": {
			"The turnover was Rs. 61.84 crore.\n\nThe noticee has short paid integrated tax of Rupees Eight Lakh Forty Five Thousand Two Hundred and Ten (₹ 8,45,210), " +
				"central tax of Rupees One Lakh Twenty Seven Thousand Four Hundred and Sixty (₹ 1,27,460) and an equal amount of State tax, adding up to ₹ 11,00,130.\n",
			"IGST 845210 0 0, CGST 127460 0 0, SGST 127460 0 0, total 1.10013e+06"},
		"the same for each head": {
			"It is therefore ascertained that tax of Rs. 0.864 lakh each under CGST and SGST is payable. Penalty at 15%, that is Rs. 12,960 under each Act, is also payable. The total is Rs. 1,98,720.\n",
			"CGST 86400 0 12960, SGST 86400 0 12960, total 198720"},
		"the charges and what they come to": {
			"C. Goods were supplied without invoice in contravention of section 31(1). Tax evaded is IGST Rs. 1.73 crore, CGST Rs. 42.70 lakh and SGST Rs. 42.70 lakh.\n\n" +
				"D. Credit of IGST Rs. 0.40 crore, CGST Rs. 2.50 lakh and SGST Rs. 2.50 lakh was taken on fake invoices, in contravention of section 16(2)(b).\n\n" +
				"E. The demand works out to IGST Rs. 2.13 crore, CGST Rs. 45.20 lakh and SGST Rs. 45.20 lakh, that is Rs. 3.034 crore of tax, and a like sum as penalty, total Rs. 6.068 crore.\n",
			"IGST 2.13e+07 0 2.13e+07, CGST 4.52e+06 0 4.52e+06, SGST 4.52e+06 0 4.52e+06, total 6.068e+07"},
		"tables alike and the one that sums them up": {
			"Summary\n\nParticulars    CGST      SGST      IGST     Total\nTotal demand   14,600    14,600    0        29,200\n\n" +
				"1. Excess credit over GSTR-2B, contrary to section 16(2)(aa).\n\nParticulars    CGST      SGST      IGST     Total\nDifference     9,600     9,600     0        19,200\n\n" +
				"2. Credit of a supplier who has not filed returns, section 16(2)(c).\n\nParticulars    CGST      SGST      IGST     Total\nDifference     4,000     4,000     0        8,000\n\n" +
				"3. Interest on belated payment under section 50(1).\n\nParticulars    CGST      SGST      IGST     Total\nDifference     1,000     1,000     0        2,000\n",
			"CGST 13600 1000 0, SGST 13600 1000 0, total 29200"},
		"years by heads, subtotals by issue, the grand total in a sentence": {
			"Para A - Common credit was not reversed under section 17(2).\n\nYear           CGST      SGST      IGST     Total\n2020-21        6,100     6,100     3,000    15,200\n2021-22        7,200     7,200     NIL      14,400\nSub-total A    13,300    13,300    3,000    29,600\n\n" +
				"Para B - Goods sent for job work were not received back, section 143(3).\n\nYear           CGST      SGST      IGST     Total\n2020-21        4,400     4,400     NIL      8,800\n2021-22        5,800     5,800     NIL      11,600\nSub-total B    10,200    10,200    NIL      20,400\n\n" +
				"Grand total of Para A and Para B: CGST Rs. 23,500/-, SGST Rs. 23,500/-, IGST Rs. 3,000/-, in all Rs. 50,000/-, payable with interest.\n",
			"IGST 3000 0 0, CGST 23500 0 0, SGST 23500 0 0, total 50000, interest"},
		"interest rows between the heads": {
			"The amount payable, as ascertained, comes to:\n\nParticulars               Amount (Rs.)\nIGST                      12,45,000/-\nInterest on IGST          2,98,800/-\nCGST                      86,400/-\nInterest on CGST          20,736/-\nKGST (State tax)          86,400/-\nInterest on KGST          20,736/-\nAggregate                 17,58,072/-\n",
			"IGST 1.245e+06 298800 0, CGST 86400 20736 0, SGST 86400 20736 0, total 1.758072e+06"},
		"in thousands, by the caption": {
			"Demand proposed (Amount in Rs. thousand)\n\nHead     Tax        Interest    Total\nIGST     1,245.5    100.5       1,346.0\nTotal    1,245.5    100.5       1,346.0\n",
			"IGST 1.2455e+06 100500 0, total 1.346e+06"},
		"a heading that does not stand over its columns, one nothing lost, and a total beside them": {
			"Details of demand\n\nSr. Rate Turnover Act POS Tax Interest Penalty Fee Others Total\n" +
				"1    0.00    0.00    IGST    NA        42,300    23,690    10,000    0.00    0.00    75,990\n" +
				"2    0.00    0.00    CGST    NA    1,86,420    1,04,395    18,642    0.00    3,09,457\n" +
				"3    0.00    0.00    SGST    NA    1,86,420    1,04,395    18,642    0.00    0.00    3,09,457\n" +
				"Total    4,15,140    2,32,480    47,284    0.00    0.00    6,94,904\n",
			"IGST 42300 23690 10000, CGST 186420 104395 18642, SGST 186420 104395 18642, total 694904"},
		"heads that do not stand over their columns": {
			"The differences that are payable are communicated in the table:\nIGST    CGST    OGST\nTax under RCM              92,430    1,33,875    1,33,875\nInterest u/s 50(1)         48,064    69,615    69,615\n" +
				"Head-wise total            1,40,494    2,03,490    2,03,490\nTotal: Rs. 5,47,474\n",
			"IGST 92430 48064 0, CGST 133875 69615 0, SGST 133875 69615 0, total 547474"},
		"a sum in words where no table can be read": {
			"The demand created under section 73(9) is as follows.\n\n(Rupees Three Lakh Forty One Thousand Three Hundred only in all.) The amount of Rupees Ten Thousand was deposited before.\n",
			"total 341300"},
		"in Hindi": {
			"प्रस्तावित मांग का विवरण :\n\nमद                     कर           शास्ति        योग\nसी.जी.एस.टी.          91,260       10,000       1,01,260\nबी.जी.एस.टी.          91,260       10,000       1,01,260\nमहायोग                1,82,520     20,000       2,02,520\n",
			"CGST 91260 0 10000, SGST 91260 0 10000, total 202520"},
		"parts in bullets, of which one cannot be read": {
			"• Short payment on outward supplies, section 9(1), as follows.\nSGST 12,500 CGST 12,5OO IGST 0 Total 25,000\n\n• Credit in excess of GSTR-2B, section 16(2)(aa), as follows.\nSGST 41,000 CGST 41,000 IGST 8,000 Total 90,000\n\n" +
				"• The shortfall in reverse charge is as follows.\nSGST 17,000 CGST 17,000 IGST 0 Total 34,000\n",
			"none"},
		"a payment is no demand": {"A sum of CGST Rs. 50,000 and SGST Rs. 50,000 was deposited by DRC-03 on 22.12.2025.\n", "none"},
	} {
		t.Run(name, func(t *testing.T) {
			got := claimed(gst.Read(tables, pagesOf(notice(test.text), false)).Demand)
			if got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// If no amount is certain enough, a person chooses; the most likely comes first.
func TestDemandIsOffered(t *testing.T) {
	text := notice("Figures of the register:\n\nHead     Amount\nCGST     4,000\nSGST     4,000\n")
	f := gst.Read(tables, pagesOf(text, false))
	if f.Demand != nil {
		t.Fatalf("demand %s", claimed(f.Demand))
	}
	for _, c := range f.Candidates["demand"] {
		if c.Value == "" || c.Page != 1 || c.Quote == "" || len(c.Why) == 0 {
			t.Errorf("candidate %+v", c)
		}
	}
	if len(f.Candidates["demand"]) == 0 {
		t.Error("nothing is offered")
	}
}

// If the table of a scan cannot be verified, the sum that its words or other amounts make likely is still offered,
// and so are the days that may be the reply date.
func TestWhatIsLikelyIsOffered(t *testing.T) {
	form := "FORM GST ASMT-10\n[See rule 99(1)]\nNotice for intimating discrepancies in the return after scrutiny\n"
	table := "\nHead     Tax        Interest    Total\nCGST     61,3       22,680      8?,980\nSGST     6,300      22.6        83,980\n"
	for name, test := range map[string]struct{ text, field, want string }{
		"the line of a total":         {form + "Date: 15/12/2025\n" + table + "Total payable if accepted: Rs.1,67,960/-\n", "demand", "167960.00"},
		"a sum in words":              {form + "Date: 15/12/2025\n" + table + "(Rupees One Lakh Sixty Seven Thousand Nine Hundred and Sixty only)\n", "demand", "167960.00"},
		"the difference on a line":    {form + "Date: 15/12/2025\n" + table + "As per GSTR-1 and GSTR-3B    18,27,872    16,59,912    1,67,960\n", "demand", "167960.00"},
		"days from an unsure date":    {form + "Seen on 4 March 2026.\n\nYou are directed to furnish a reply within 15 days of this notice.\n", "reply_due", "2026-03-19"},
		"an unsure date of issue":     {form + "Seen on 4 March 2026.\n\nYou are directed to furnish a reply.\n", "issue_date", "2026-03-04"},
		"a day that is still to come": {form + "Date: 15/12/2025\nYour reply is awaited, and 14/01/2026 is noted here.\n", "reply_due", "2026-01-14"},
	} {
		f := gst.Read(tables, pagesOf(test.text, true))

		if !slices.ContainsFunc(f.Candidates[test.field], func(c gst.Candidate) bool { return c.Value == test.want }) {
			t.Errorf("%s: %s is not offered, but %+v (issued %v, hearing %v)", name, test.want, f.Candidates[test.field], f.IssueDate, f.Hearing)
		}
	}
	hearing := form + "Seen on 4 March 2026.\n\nYou may appear before the undersigned on 17 March 2026 at 11:00.\n"
	if f := gst.Read(tables, pagesOf(hearing, true)); f.Hearing == nil || f.Hearing.Date != "2026-03-17" {
		t.Errorf("a hearing after an unsure date of issue is read as %+v", f.Hearing)
	}
}

// Words with which officers drop a point also occur in charges, where they concede nothing.
func TestChargesAreNoConcessions(t *testing.T) {
	for _, charge := range []string{
		"The ITC of Rs. 5,00,000 is not sustainable under section 16(4) and is liable to be reversed.",
		"The supplier had vacated the premises; ITC of Rs. 9,00,000 is inadmissible under section 16(2).",
		"The director stated that I accept that ITC of Rs. 4,00,000 was wrongly availed, contrary to section 17(5).",
		"No objection was raised by the noticee to the short payment of tax of Rs. 2,00,000 under section 9.",
		"आईटीसी रु. 3,00,000 धारा 16(4) के विरुद्ध गलत ली गई; स्पष्टीकरण मान्य नहीं है।",
		"कर रु. 3,00,000 का कम भुगतान धारा 39(7) के विरुद्ध है; उत्तर अमान्य है।",
	} {
		if f := gst.Read(tables, pagesOf(notice("1. "+charge+"\n\n2. Tax of Rs. 1,000 was not paid under section 9.\n"), false)); len(f.Charges()) != 2 {
			t.Errorf("%s: %+v", charge, f.Paragraphs)
		}
	}
	for _, point := range []string{
		"The charge of Rs. 5,00,000 under section 16(4) is not sustainable on the record.",
		"I accept the noticee's explanation of the difference of Rs. 5,00,000 in GSTR-2A.",
		"The objection on credit of Rs. 5,00,000 stands vacated.",
		"Late fee on the annual return of Rs. 10,000: paid by DRC-03; agreed and closed.",
		"Difference of Rs. 5,00,000 in e-way bills. Withdrawn after verification.",
		"Credit of Rs. 5,00,000 on exports. The shipping bills were produced. Dropped.",
		"रु. 3,00,000 के अंतर पर स्पष्टीकरण संतोषजनक है और मान्य किया जाता है।",
	} {
		if f := gst.Read(tables, pagesOf(notice("1. "+point+"\n\n2. Tax of Rs. 1,000 was not paid under section 9.\n"), false)); len(f.Charges()) != 1 {
			t.Errorf("%s: %+v", point, f.Paragraphs)
		}
	}
}

// A paper may have only some items of a list: the two grounds of a form that were ticked, the last paragraphs of a report.
func TestListsFromWithin(t *testing.T) {
	const credit, freight = "Credit of Rs. 88,115 is not reflected in GSTR-2B and is barred by section 16(2)(aa).",
		"Tax of Rs. 2,36,480 on freight was not paid under section 9(3)."
	for text, want := range map[string]int{
		"(f) " + credit + "\n\n(h) " + freight + "\n":                  2,
		"14. " + credit + "\n\n15. " + freight + "\n":                  2,
		"Anomaly VII " + credit + "\n\nAnomaly IX " + freight + "\n":   2,
		"Reason 7. " + credit + "\n\nReason 3. " + freight + "\n":      0, // no list has this order
		"14. " + credit + "\n\nThe tax on freight is another point.\n": 0, // one item is no list
	} {
		if f := gst.Read(tables, pagesOf(notice(text), false)); len(f.Charges()) != want {
			t.Errorf("%q has %d charges, want %d: %+v", text, len(f.Charges()), want, f.Paragraphs)
		}
	}
}

// The kind of a block follows from what it does, not from its verb; only a charge is an allegation.
func TestKindsOfParagraphs(t *testing.T) {
	text := notice("1. The noticee is registered with the department and is engaged in the supply of castings.\n\n" +
		"2. Notices were issued on 03.02.2025; the Director filed a reply on 12.03.2025.\n\n" +
		"3. Credit of CGST Rs. 40,000 and SGST Rs. 40,000 for FY 2021-22 was taken on blocked goods, contrary to section 17(5).\n\n" +
		"4. The difference of Rs. 9,000 in e-way bills was explained by cancelled invoices; the explanation is found satisfactory and the point is dropped.\n\n" +
		"5. The tax payable is CGST Rs. 50,000 and SGST Rs. 50,000, total Rs. 1,00,000.\n\n" +
		"6. You are hereby called upon to show cause why the above amount should not be recovered.\n\n" +
		"7. This notice is issued without prejudice to any other action.\n")
	f := gst.Read(tables, pagesOf(text, false))
	var got []string
	for _, p := range f.Paragraphs {
		got = append(got, p.Number+" "+p.Kind)
	}
	if want := "1 narrative, 2 narrative, 3 charge, 4 concession, 5 operative, 6 operative, 7 boilerplate"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
	charges := f.Charges()
	if len(charges) != 1 || len(charges[0].Amounts) != 2 || charges[0].Amounts[0].FY != "2021-22" || charges[0].Amounts[1].Head != "SGST" || charges[0].Amounts[1].Tax != 40000 {
		t.Errorf("charges %+v", charges)
	}
	if f.Unexplained == nil || *f.Unexplained != 20000 {
		t.Errorf("unexplained %v, want 20000", f.Unexplained)
	}
	said := ""
	for _, flag := range f.Flags {
		if flag.Code == "unexplained" {
			said = flag.Message
		}
	}
	if !strings.HasPrefix(said, "₹20,000 of the demand is not explained in any paragraph that was read.") {
		t.Errorf("flags %+v", f.Flags)
	}
}

// If a bundle contains the same pages twice, their charges count once.
func TestRepeatedPagesChargeOnce(t *testing.T) {
	text := notice("1. Credit of CGST Rs. 40,000 and SGST Rs. 40,000 for FY 2021-22 was taken on blocked goods, contrary to section 17(5).\n\n" +
		"2. Tax of CGST Rs. 5,000 and SGST Rs. 5,000 was not paid under reverse charge on freight of FY 2021-22.\n\n")
	f := gst.Read(tables, pagesOf(text+"\f"+text, false))
	var claimed float64
	for _, p := range f.Charges() {
		for _, a := range p.Amounts {
			claimed += a.Tax
		}
	}
	if n := len(f.Charges()); n != 2 || claimed != 90_000 {
		t.Errorf("%d charges of %v, want 2 of 90000", n, claimed)
	}
}

// In facts stored before paragraphs had kinds, every paragraph is a charge.
func TestChargesOfEarlierFacts(t *testing.T) {
	f, err := gst.ParseFacts(json.RawMessage(`{"paragraphs":[{"number":"1","text":"Tax was not paid.","page":1}]}`))
	if err != nil || len(f.Charges()) != 1 {
		t.Errorf("%v, %v", f.Charges(), err)
	}
}

// The reader copes with tables that are made to be slow or to overflow.
func TestHostileTables(t *testing.T) {
	text, err := os.ReadFile("testdata/notices/turnover-column.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range []string{
		strings.Repeat("CGST  9999999999999  9999999999999  9999999999999\n", 500),
		"Head  " + strings.Repeat("CGST  ", 5000) + "\nTax  " + strings.Repeat("1,000  ", 5000) + "\n",
		strings.Repeat("|", 20000), strings.Repeat("(-)", 5000), strings.Repeat("total CGST Rs. 1 crore each and ", 3000),
	} {
		gst.Read(tables, pagesOf(string(text)+"\n"+rows, true))
	}
}

// A table of tax is followed by a sentence with the penalty: neither alone is the demand. Their sum is used if it
// is printed, and otherwise left to a person.
func TestTaxInATableAndPenaltyInASentence(t *testing.T) {
	const text = `FORM GST DRC-01
Rule 142(1)
GOVERNMENT OF TELANGANA, DEPUTY COMMERCIAL TAX OFFICER
Notice No. ZD360726090413G   29-07-2026
MUSI SOLVENTS PRIVATE LIMITED  36AAPFU0939F1Z4

(A) Goods were sold at 12% in place of 18%. The tax is CGST 1,08,300 and TGST 1,08,300 for 2022-23, and CGST 86,750 and TGST 86,750 for 2023-24. Section 9(1).
(B) Credit of IGST 35,200 of 2022-23 is contrary to section 16(2)(c).

Financial year      IGST      CGST      TGST      Total
2022-23           35,200  1,08,300  1,08,300   2,51,800
2023-24                0    86,750    86,750   1,73,500
Aggregate tax     35,200  1,95,050  1,95,050   4,25,300

A penalty of ten per cent, being Rs. 42,530 in all (IGST 3,520; CGST 19,505; TGST 19,505), is due under section 73(9).`
	for more, want := range map[string]float64{" The whole claim excluding interest is Rs. 4,67,830.": 467830, "": 0} {
		f := gst.Read(tables, pagesOf(text+more+"\n", false))
		got := 0.0
		if f.Demand != nil && f.Demand.Total != nil {
			got = *f.Demand.Total
		}
		if got != want || want == 0 && len(f.Candidates["demand"]) == 0 {
			t.Errorf("with %q the demand is %v, want %v; candidates %d", more, got, want, len(f.Candidates["demand"]))
		}
	}
}
