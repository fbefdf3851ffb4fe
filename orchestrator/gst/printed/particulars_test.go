package printed

import (
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// knownOf reads a paper and returns its facts.
func knownOf(text string) Known {
	pages := []gst.Page{{Text: text}}
	tables := law.Built()
	return Read(tables, gst.Read(tables, pages), pages, law.ParseDay("2026-11-26")).Known
}

// printedIn returns a fact of a paper in the format of a draft, a day as an ISO date, "" if it is not
// known.
func printedIn(text, fact string) string {
	k := knownOf(text)
	switch {
	case len(k[fact]) == 0:
		return ""
	case k[fact][0].Kind == Day:
		return k[fact][0].Day.ISO()
	}
	return k.Shown(fact, "")
}

func TestParticulars(t *testing.T) {
	detained := "FORM GST MOV-07\nNOTICE UNDER SECTION 129(3)\nDate: 03-08-2026\nGSTIN 23ABDFN9031K1Z8\n"
	cancelled := "Form GST REG-17\nReference Number: ZA071025064428X Date: 17/10/2025\nGSTIN 07BKZPG5512F1ZD\n" +
		"your registration is liable to be cancelled for the following reasons:\n"
	asked := "\nYou are hereby directed to furnish a reply to the notice within seven working days."
	for name, c := range map[string]struct {
		text, fact, want string // "" if the fact is not known
	}{
		"the value of the consignment":          {detained + "The total value of the consignment including tax is Rs. 46,728.", "goods.value_most", "₹46,728"},
		"a value without tax":                   {detained + "The value of the goods is Rs. 40,000.", "goods.value_most", "₹56,000"},
		"goods that bear no tax":                {detained + "Common salt, nil rate of tax, value Rs. 1,89,000. The owner has come forward. Penalty Rs. 94,500.", "goods.exempt_excess", "₹90,720"},
		"nobody came for them":                  {detained + "Common salt, nil rate of tax, value Rs. 1,89,000. Penalty Rs. 94,500.", "goods.exempt_excess", "₹85,050"},
		"reasons of the portal's list":          {cancelled + "1 Others\n2 Non compliance of any specified provisions in the GST Act or the Rules" + asked, "reasons.bare", "yes"},
		"a reason that is a fact":               {cancelled + "1 Returns for six months were not furnished" + asked, "reasons.bare", ""},
		"a reason with the officer's visit":     {cancelled + "1 Rule 21(a). Observations: the premises were visited" + asked, "reasons.bare", ""},
		"the day of a resolution plan":          {"FORM GST DRC-01\nDate: 21/08/2025\nThe resolution plan was approved by the Tribunal on 14.03.2023.", "plan.day", "2023-03-14"},
		"a plan that is only spoken of":         {"FORM GST DRC-01\nDate: 21/08/2025\nA resolution plan is awaited since 14.03.2023.", "plan.day", ""},
		"the audit's first day":                 {"FORM GST ADT-01\nDate: 05/11/2024\nI propose to conduct the said audit at my office on 02/12/2024.", "audit.workdays", "18"},
		"a notice of audit that came late":      {"FORM GST ADT-01\nDate: 05/11/2024\nI propose to conduct the said audit at my office on 02/12/2024.\nRECEIVED 12 NOV 2024", "audit.workdays", "13"},
		"the turnover of one not registered":    {"FORM GST ASMT-14\nDate 11/08/2026\nYou sold goods worth Rs. 31,40,000 during the year.", "assessed.turnover", "₹31,40,000"},
		"an order over its notice":              {order("Show cause notice ZD330825019884L dated 28/08/2025 proposed to recover tax of Rs. 4,10,000."), "order.excess", "₹1,25,000"},
		"an order of no more than its notice":   {order("Show cause notice ZD330825019884L dated 28/08/2025 proposed to recover tax of Rs. 5,35,000."), "order.excess", ""},
		"a notice to one who has died":          {"FORM GST DRC-01\nDate: 29/08/2025\nName: LATE SH. HARBANS SINGH\nSection 73", "addressee.deceased", "yes"},
		"a notice to one whose father has died": {"FORM GST DRC-01\nDate: 29/08/2025\nName: GURPREET SINGH S/O LATE HARBANS SINGH\nSection 73", "addressee.deceased", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := printedIn(c.text, c.fact); got != c.want {
				t.Errorf("%s is %q, it should be %q", c.fact, got, c.want)
			}
		})
	}
}

func order(words string) string {
	return "FORM GST DRC-07\nReference No. ZD331225140062V Date 29/12/2025\nGSTIN: 33ACWFS1180H1Z4\nSection under which demand is created: 73(9)\n" + words +
		"\nAct Tax Interest Penalty Total\nCGST 2,67,500 1,80,563 26,750 4,74,813\nSGST 2,67,500 1,80,563 26,750 4,74,813\nTotal 5,35,000 3,61,126 53,500 9,49,626"
}

func TestWordsWithOthersBetween(t *testing.T) {
	text := newText([]gst.Page{{Text: "The supplier, a firm of Surat, has not filed its returns. Nobody came. The goods were sent."}})
	for words, want := range map[string]bool{
		"supplier * not filed":     true,
		"supplier * came":          false, // in another sentence
		"plier * not filed":        false,
		"nothing|supplier * filed": true,
	} {
		if _, _, ok := text.find(words, 0, len(text.low)); ok != want {
			t.Errorf("%q is found: %v", words, ok)
		}
	}
}

// A quotation is printed on its page, even if the reader joined cells or shortened the words.
func TestQuotationsArePrinted(t *testing.T) {
	text := newText([]gst.Page{{Text: "Head Tax\nIGST 3,12,400\nCGST 1,47,850"}, {Text: "The notice goes on here."}})
	for _, c := range []struct {
		quote Quote
		want  string
	}{
		{Quote{Page: 1, Quote: "Head Tax IGST 3,12,400 CGST 1,47,850"}, "Head Tax IGST 3,12,400 CGST 1,47,850"},
		{Quote{Page: 1, Quote: "Head Tax IGST 3,12,400…"}, "Head Tax IGST 3,12,400"},
		{Quote{Page: 1, Quote: "Head Tax IGST 3,12,400 SGST 9"}, "Head Tax IGST 3,12,400"},
		{Quote{Page: 2, Quote: "Head Tax IGST 3,12,400"}, ""},
		{Quote{Page: 2, Quote: "The n0tice goes on"}, ""},
		{Quote{Page: 3, Quote: "The notice"}, ""},
	} {
		if got := text.printed(c.quote); got != c.want {
			t.Errorf("%+v is quoted as %q", c.quote, got)
		}
	}
}

func TestAmountsOfYears(t *testing.T) {
	total := 11_13_000.0
	facts := gst.Facts{
		Kind:    "notice",
		Periods: []gst.Period{{FY: "2021-22", From: "2021-04-01", To: "2022-03-31"}, {FY: "2022-23", From: "2022-04-01", To: "2023-03-31"}},
		Demand:  &gst.Demand{Rows: []gst.DemandRow{{Head: "IGST", Tax: total}}, Total: &total},
	}
	for name, c := range map[string]struct {
		rows string
		want Amount // of the first year; 0 for none
	}{
		"a column beside another":       {"Financial year CIF value (Rs.) IGST (Rs.)\n2021-22 12,40,00,000 6,20,000\n2022-23 9,86,00,000 4,93,000\nTotal 22,26,00,000 11,13,000", 6_20_000_00},
		"a sentence":                    {"The credit is Rs. 11,13,000 (2021-22: Rs. 6,20,000; 2022-23: Rs. 4,93,000).", 6_20_000_00},
		"rows that do not make the sum": {"2021-22 12,40,00,000 6,30,000\n2022-23 9,86,00,000 4,93,000", 0},
		"one year only":                 {"2021-22 6,20,000", 0},
	} {
		p := Read(law.Built(), facts, []gst.Page{{Text: c.rows}}, law.Day{})
		if got := amountOr(Sum(p.Years[0].Amounts)); got != c.want {
			t.Errorf("%s: %s, it should be %s", name, got, c.want)
		}
	}
}

// Central and State tax on the same supply are equal: if they differ, one of them was misread, and no amount is
// returned.
func TestHeadsThatCannotBe(t *testing.T) {
	if evenly([]Head{{"CGST", 41_00}, {"SGST", 41_375_00}}) != nil {
		t.Error("unequal heads are believed")
	}
	if got := evenly([]Head{{"IGST", 41_00}, {"CGST", 41_375_50}, {"SGST", 41_375_00}}); len(got) != 3 {
		t.Error("a difference of paise is not believed")
	}
}
