package printed

import (
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// Each text with one fact that is read from it, or "" if nothing may be read.
func TestWhatAPaperPrintsOfItself(t *testing.T) {
	const (
		summons = "DIRECTORATE GENERAL OF GST INTELLIGENCE\nDate: 02.11.2026\nSUMMONS\n(Under Section 70 of the Central Goods and Services " +
			"Tax Act, 2017)\nGSTIN 33XTBFV2240Q1ZC\nYou are summoned to appear before me on 05.11.2026 and to produce refund orders in RFD-06.\n"
		appeal = "BEFORE THE DEPUTY COMMISSIONER (ST), GST APPEAL, MADURAI\nDated 09.11.2026\nR.F.N. ZD331126007723D\nM/s X ... Appellant\n" +
			"(GSTIN 33XTBFV2240Q1ZC)\nORDER IN APPEAL\n(under section 107 of the TNGST Act, 2017)\nThis appeal is directed against the order in " +
			"DRC-07 No. ZD330824151190R dated 26.08.2024 of the respondent for the year 2019-20, by which tax of Rs. 12,40,000 was " +
			"determined under section 73(9).\n"
		attachment = "FORM GST DRC-22\nDate: 23.10.2026\nGSTIN 27XDSCV3376K1ZO\nProceedings have been launched under section 67.\n"
		quarterly  = "Form GST REG-17\nDate: 10/09/2026\nGSTIN 07YKHPB2218L1ZP\nhas not furnished returns for such continuous tax period as may " +
			"be prescribed\n"
		assessed = "FORM GST ASMT-13\nDate: 31-08-2026\nGSTIN: 29ZXCFB9034P1ZY\nAssessment order under section 62\n"
		late     = "FORM GST DRC-01A\nDate: 19.11.2026\nGSTR-3B returns were filed late. Interest and late fee at Rs. 50 per day.\n" +
			"GSTIN 32ZPGPA5581J1ZB\n"
	)
	for name, c := range map[string]struct{ text, fact, want string }{
		"a summons, whatever form it asks for": {summons, "paper.kind", "summons"},
		"three days until the attendance":      {summons, "summons.days", "3"},
		"an order on an appeal by its title":   {appeal, "paper.kind", "appellate order"},
		"the order appealed against":           {appeal, "original.day", "2024-08-26"},
		"the number behind R.F.N.":             {appeal, "paper.reference", "ZD331126007723D"},
		"an attachment before this one": {attachment + "The same accounts had been attached on 10.09.2025. They are attached again.\n",
			"attachment.first", "2025-09-10"},
		"no attachment before this one": {attachment + "The company was registered on 10.09.2018.\n", "attachment.first", ""},
		"one quarter is missing": {quarterly + "GSTR-3B of quarter April-June 2026 not filed till date. Last return on record: quarter " +
			"January-March 2026.\n", "default.quarter", "yes"},
		"two quarters are missing": {quarterly + "GSTR-3B of quarter April-June 2026 not filed till date. Last return on record: quarter " +
			"October-December 2025.\n", "default.quarter", ""},
		"a return that came before the order": {assessed + "GSTR-3B for May 2026 stands filed on 29-08-2026.\n", "return.filed", "2026-08-29"},
		"a return that was not filed":         {assessed + "GSTR-3B for May 2026 was not filed on 20-06-2026.\n", "return.filed", ""},
		"interest on the part paid by credit": {late + "Sep 2025 20.10.2025 30.06.2026 253 2,40,000 1,92,000 48,000 29,944 12,650\n",
			"interest.on_credit", "₹23,955"},
		"interest on another sum":                 {late + "Sep 2025 20.10.2025 30.06.2026 253 2,40,000 1,92,000 48,000 19,944 12,650\n", "interest.on_credit", ""},
		"a fee above the maximum of a turnover":   {late + "Sep 2025 20.10.2025 30.06.2026 253 2,40,000 1,92,000 48,000 29,944 12,650\nAggregate turnover in the previous financial year as per the system: Rs. 3.10 crore.\n", "fee.over_cap", "₹7,650"},
		"a fee without a turnover has no maximum": {late + "Sep 2025 20.10.2025 30.06.2026 253 2,40,000 1,92,000 48,000 29,944 12,650\n", "fee.over_cap", ""},
		"the day of an appeal, not of the letter that tells of it": {"FORM GST DRC-13\nDate: 20.10.2026\nGSTIN 23WGMPR3125H1ZU\nOrder DRC-07 " +
			"dated 03.09.2026. By letter dated 15.10.2026 the person says that an appeal was filed on 12.10.2026 with payment of Rs. 52,800.\n",
			"appeal.filed", "2026-10-12"},
		"what the formula of July 2022 gives more": {"FORM-GST-RFD-08\nDate: 16/10/2026\nGSTIN 09WQMCS8127H1ZD\n" +
			"a Turnover of inverted rated supply 84,00,000\nb Adjusted total turnover 1,20,00,000\nc Net ITC (inputs) 14,40,000\n" +
			"d ITC on input services, not part of Net ITC 3,60,000\ne Tax payable on (a) 4,20,000\ng Maximum refund 5,88,000\n",
			"refund.formula_gain", "₹84,000"},
		"a working by the formula in force": {"FORM-GST-RFD-08\nDate: 16/10/2026\nGSTIN 09WQMCS8127H1ZD\n" +
			"a Turnover of inverted rated supply 84,00,000\nb Adjusted total turnover 1,20,00,000\nc Net ITC (inputs) 14,40,000\n" +
			"d ITC on input services, not part of Net ITC 3,60,000\ne Tax payable on (a) 4,20,000\ng Maximum refund 6,72,000\n",
			"refund.formula_gain", ""},
		"a payment of another year is not deducted": {assessed + "An amount of Rs. 1,10,000 paid under DRC-03 was towards 2022-23 and has already been adjusted there.\n", "payment.amount", ""},
	} {
		t.Run(name, func(t *testing.T) {
			k := knownOf(c.text)
			got := ""
			if v := k.One(c.fact); v != nil {
				if got = v.Notation(); v.Kind == Money {
					got = Amount(v.Paise).String()
				}
			}
			if got != c.want {
				t.Errorf("%s is %q, not %q", c.fact, got, c.want)
			}
		})
	}
}

func TestABillIsNoNotice(t *testing.T) {
	for text, want := range map[string]bool{
		"BILL OF FEES (Tax Invoice)\nReply to show cause notice in DRC-01 for F.Y. 2022-23 (section 73), 65,000\nGSTIN 27WFNFK2281N1ZV": false,
		"QUOTATION\nDrafting of appeal in APL-01, section 73\nGSTIN 27WFNFK2281N1ZV":                                                    false,
		"FORM GST DRC-01\nDate 12-11-2026\nThe tax invoice was not shown.\nGSTIN 27WFNFK2281N1ZV":                                       true,
		"FORM GST DRC-01\nNotice on credit note and tax invoice\nGSTIN 27WFNFK2281N1ZV":                                                 true,
	} {
		pages := []gst.Page{{Text: text}}
		if got := Read(law.Built(), gst.Read(law.Built(), pages), pages, law.ParseDay("2026-11-27")).IsNotice(); got != want {
			t.Errorf("%.30q is a notice: %v", text, got)
		}
	}
}

// Recognition inserts spaces into amounts; a list of numbers is not an amount.
func TestSumsAreJoined(t *testing.T) {
	for line, want := range map[string]string{
		"Value of goods 6, 40,000":                                "Value of goods 6,40,000",
		"CGST 8,89, 200 5,92, 800 88, 920 15,70, 920":             "CGST 8,89,200 5,92,800 88,920 15,70,920",
		"sections 73, 122 and 125, 1,00,000":                      "sections 73, 122 and 125, 1,00,000",
		"rules 36, 42 and 43, chapters 10, 11 and 12 of 2,00,000": "rules 36, 42 and 43, chapters 10, 11 and 12 of 2,00,000",
	} {
		if got := joinSums(line); got != want {
			t.Errorf("%q became %q", line, got)
		}
	}
}

// The tax of each charge is that of its own row.
func TestTaxOfEachCharge(t *testing.T) {
	const head = "FORM GST DRC-01A\nDate: 17.08.2026\nGSTIN 32ZKTCM7723B1Z8\nTax ascertained under section 73(5) for 2023-24\n"
	for name, c := range map[string]struct {
		text string
		want map[string]Amount
	}{
		"matters, in a table of tax and interest by heads": {head +
			"Matter I : Guarantee. Tax under rule 28(2) on Rs. 60,00,000.\nMatter II : Rent. Tax under section 9(3) on Rs. 10,80,000.\n" +
			"The liability is abstracted below.\n\nMatter     Tax CGST     Tax SGST     Interest CGST     Interest SGST     Total\n\n" +
			"I          5,40,000     5,40,000          3,07,045          3,07,045     16,94,090\n" +
			"II           97,200       97,200            40,648            40,648     2,75,696\n\n" +
			"Total      6,37,200     6,37,200          3,47,693          3,47,693     19,69,786\n",
			map[string]Amount{"Matter I": 10_80_000_00, "Matter II": 1_94_400_00}},
		"a row for each head of each point": {head +
			"A) Output tax under section 39(7) of Rs. 49,200 was short paid.\nB) Credit barred by section 16(4), Rs. 1,86,300.\n" +
			"Point Head Tax Interest\nA CGST 24,600 15,456\nA SGST 24,600 15,456\nB IGST 1,86,300 1,26,174\nTotal 2,35,500 1,57,086\n",
			map[string]Amount{"A": 49_200_00, "B": 1_86_300_00}},
	} {
		t.Run(name, func(t *testing.T) {
			pages := []gst.Page{{Text: c.text}}
			p := Read(law.Built(), gst.Read(law.Built(), pages), pages, law.ParseDay("2026-11-27"))
			got := map[string]Amount{}
			for _, s := range p.Charges {
				got[s.Part.Para] = amountOr(Sum(s.Amounts))
			}
			for number, want := range c.want {
				if got[number] != want {
					t.Errorf("charge %s is of %v, not %v", number, got[number], want)
				}
			}
		})
	}
}

func TestATitledNoticeIsNoLetter(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"Hindi": {"कार्यालय उपायुक्त (राज्य कर), बरेली\nदिनांक 23.06.2025\n. कारण बताओ नोटिस अन्तर्गत धारा 74(1), उ.प्र. माल एवं सेवा कर अधिनियम, 2017\n" +
			"वित्तीय वर्ष 2018-19\n", "notice"},
		"English": {"Office of the Deputy Commissioner of State Tax\nDated 23.06.2025\nSHOW CAUSE NOTICE UNDER SECTION 74(1) of the GST Act\n" +
			"F.Y. 2018-19\n", "notice"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Paper{text: newText([]gst.Page{{Text: c.text}})}
			if got := p.letter(); got != c.want {
				t.Errorf("it is %q", got)
			}
		})
	}
	p := &Paper{text: newText([]gst.Page{{Text: "Office of the Superintendent\nA reply to the show cause notice under section 73 is awaited."}})}
	if got := p.letter(); got != "" {
		t.Errorf("a letter that only names a notice is %q", got)
	}
}
