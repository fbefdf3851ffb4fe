package reply_test

import (
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/gst/reply"
)

// written reads a paper and writes its reply, with each allegation denied.
func written(text string) (gst.Facts, string) {
	f := gst.Read(tables, []gst.Page{{Text: text}})
	return f, reply.Whole(reply.Parts(tables, given(f, reply.Said{Stance: reply.Deny})))
}

const (
	head73 = "OFFICE OF THE SUPERINTENDENT OF CENTRAL TAX, RANGE III\nSHOW CAUSE NOTICE No. 17/2025\nDated: 10.03.2026\nGSTIN: 27AAPFU0939F1ZV\n" +
		"This notice is issued under section 73(1) for the financial year 2023-24.\n\n"
	head74 = "OFFICE OF THE SUPERINTENDENT OF CENTRAL TAX, RANGE III\nSHOW CAUSE NOTICE No. 17/2025\nDated: 10.03.2026\nGSTIN: 27AAPFU0939F1ZV\n" +
		"This notice is issued under section 74(1) for the financial year 2023-24.\n\n"
	foot = "\n\nYou are called upon to show cause by 09.04.2026 why it should not be recovered.\n"
)

// Mistakes that a practitioner found in drafts, which must not return.
func TestWhatAReviewFoundWrong(t *testing.T) {
	t.Run("section 75(4) is for tax that is determined", func(t *testing.T) {
		for form, want := range map[string]string{"REG-17": "CGST Act s.29(2)", "RFD-08": "CGST Rules r.92(3)", "MOV-07": "CGST Act s.129(4)", "ADT-01": "", "DRC-01": "CGST Act s.75(4)"} {
			f := gst.Facts{Form: &form, Hearing: &gst.Hearing{Date: "2026-03-20"}, IssueDate: p("2026-03-10"), FraudAlleged: p(false), Sections: []string{"73(1)"}, ReplyDue: gst.ReplyDue{Source: "unknown"}}
			for _, d := range reckon.Reckon(tables, f, reckon.Given{}, law.ParseDay("2026-03-11")).Deadlines {
				if d.Code == reckon.Hearing && d.Provision != want {
					t.Errorf("%s: the hearing rests on %q, want %q", form, d.Provision, want)
				}
			}
			text := reply.Whole(reply.Parts(tables, given(f, reply.Said{})))
			if got := strings.Contains(text, "75(4)"); got != (form == "DRC-01") {
				t.Errorf("%s: section 75(4) is in the reply: %v", form, got)
			}
		}
	})
	t.Run("a bar that is pleaded is not conceded", func(t *testing.T) {
		for _, issued := range []string{"2025-12-01", "2023-12-20"} {
			f := scn("73", issued, map[string]string{"2025-12-01": "2021-22", "2023-12-20": "2018-19"}[issued])
			text := reply.Whole(reply.Parts(tables, given(f, reply.Said{Stance: reply.Deny})))
			if !strings.Contains(text, "**Limitation, F.Y.") {
				t.Fatalf("%s: no bar is pleaded", issued)
			}
			for _, conceded := range []string{"is in time", "was in time", "within time", "within limitation"} {
				if strings.Contains(text, conceded) {
					t.Errorf("%s: %q stands beside the bar", issued, conceded)
				}
			}
		}
	})
	t.Run("the noticee's own bills are not answered as purchases", func(t *testing.T) {
		_, sold := written(head74 + "1. The noticee issued invoices to its customers without actual supply of goods. Tax shown in them is CGST Rs. 2,00,000 and SGST Rs. 2,00,000." + foot)
		_, bought := written(head74 + "1. The noticee availed credit on invoices issued by suppliers without actual supply of goods. Credit of CGST Rs. 2,00,000 and SGST Rs. 2,00,000." + foot)
		const purchases, sales = "the receipt into stock, the payment through the bank", "for each customer:"
		if strings.Contains(sold, purchases) || !strings.Contains(sold, sales) || strings.Contains(sold, "purchases said not to be genuine") {
			t.Errorf("bills issued are answered so:\n%s", sold)
		}
		if !strings.Contains(bought, purchases) || strings.Contains(bought, sales) {
			t.Errorf("bills received are answered so:\n%s", bought)
		}
	})
	t.Run("what the department concedes is not offered for denial", func(t *testing.T) {
		f, _ := written(head73 + "1. Credit of CGST Rs. 40,000 and SGST Rs. 40,000 was taken on blocked goods, contrary to section 17(5).\n\n" +
			"2. The difference of Rs. 9,000 in e-way bills was explained by cancelled invoices; the explanation is found satisfactory and the point is dropped." + foot)
		for _, point := range reply.Points(tables, f) {
			if strings.Contains(point.Alleged, "satisfactory") {
				t.Errorf("%q is offered as an allegation", point.Alleged)
			}
		}
	})
	t.Run("a number that is printed is not called missing", func(t *testing.T) {
		f, text := written(head73 + "1. Credit of CGST Rs. 40,000 and SGST Rs. 40,000 was taken on blocked goods, contrary to section 17(5)." + foot)
		if f.Reference == nil || !strings.Contains(text, "bears the number "+*f.Reference) || strings.Contains(text, "Neither a DIN nor a reference generated on the common portal was found on the notice") {
			t.Errorf("reference %v, and the reply says\n%s", f.Reference, text)
		}
	})
	t.Run("an audit of several years is no defect", func(t *testing.T) {
		f, _ := written("FORM GST ADT-01\n[See rule 101(2)]\nReference No: ZD290226001234A\nDate: 03/02/2026\nGSTIN: 27AAPFU0939F1ZV\nPeriod: F.Y. 2021-22, 2022-23 and 2023-24\nNotice for conducting audit under section 65.\nYou are directed to produce your books on 20/02/2026.\n")
		i := slices.IndexFunc(f.Flags, func(flag gst.Flag) bool { return flag.Code == "multi_year" })
		if i < 0 || strings.Contains(f.Flags[i].Message, "objected") || !strings.Contains(f.Flags[i].Message, "not a defect") {
			t.Errorf("flags %+v", f.Flags)
		}
	})
	t.Run("a quarter is not named as its year", func(t *testing.T) {
		_, text := written(strings.Replace(head73, "for the financial year 2023-24", "for the tax period October 2023 to December 2023 (F.Y. 2023-24)", 1) +
			"1. Credit of CGST Rs. 40,000 and SGST Rs. 40,000 was taken on blocked goods, contrary to section 17(5)." + foot)
		if !strings.Contains(text, "2023-24 (01.10.2023 to 31.12.2023)") {
			t.Errorf("the period is not told in\n%s", text)
		}
	})
	t.Run("a sum of penalties is not the demand", func(t *testing.T) {
		f, _ := written(head74 + "1. The noticee issued invoices without supply of goods. Tax of CGST Rs. 2,00,000 and SGST Rs. 2,00,000 is payable.\n\n" +
			"2. Penalty of Rs. 4,00,000 under section 122(1)(ii), Rs. 50,000 under section 122(3)(a) and Rs. 50,000 under section 125 is proposed, total penalty Rs. 5,00,000." + foot)
		if f.Demand != nil && f.Demand.Total != nil && *f.Demand.Total == 500000 {
			t.Errorf("demand %+v, total %v", f.Demand.Rows, *f.Demand.Total)
		}
		tax := 0.0
		if f.Demand != nil {
			for _, row := range f.Demand.Rows {
				tax += row.Tax
			}
		}
		if tax != 0 && tax != 400000 {
			t.Errorf("the tax is %v", tax)
		}
	})
	t.Run("a registration got by fraud is no default to be remedied", func(t *testing.T) {
		const head = "Form GST REG-17\n[See Rule 22(1)]\nReference Number: ZA070726091837P    Date: 06/07/2026\nGSTIN: 27AAPFU0939F1ZV\nShow Cause Notice for Cancellation of Registration\nyour registration is liable to be cancelled for the following reasons: -\n"
		_, fraud := written(head + "1. Section 29(2)(e) - registration has been obtained by means of fraud, wilful misstatement or suppression of facts.\n")
		_, returns := written(head + "1. Returns not furnished for a continuous period of six months - Section 29(2)(c).\n")
		const remedied = "has been or can be remedied"
		if strings.Contains(fraud, remedied) || !strings.Contains(returns, remedied) {
			t.Errorf("of fraud:\n%s\n\nof returns:\n%s", fraud, returns)
		}
	})
	t.Run("quotations are the paper's words", func(t *testing.T) {
		for name, f := range notices() {
			for _, point := range reply.Points(tables, f) {
				for _, paragraph := range f.Charges() {
					if paragraph.Page == point.Page && paragraph.Number == point.Number && !strings.Contains(squeeze(paragraph.Text), squeeze(point.Alleged)) && !slices.ContainsFunc(f.Charges(), func(c gst.Paragraph) bool {
						return strings.Contains(squeeze(c.Text), squeeze(point.Alleged))
					}) {
						t.Errorf("%s: %q is no part of %q", name, point.Alleged, paragraph.Text)
					}
				}
			}
		}
	})
}

// squeeze removes all white space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }
