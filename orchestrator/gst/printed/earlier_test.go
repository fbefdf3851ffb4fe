package printed

import (
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

func factsOf(text string) Known {
	tables := law.Built()
	pages := []gst.Page{{Text: text}}
	return Read(tables, gst.Read(tables, pages), pages, law.ParseDay("2026-11-22")).Known
}

func TestTimesBeforeAnOrder(t *testing.T) {
	const detention = "FORM GST MOV-09\nORDER OF DEMAND OF PENALTY\nOrder Date: 23.06.2026\nDate of detention (MOV-06): 03.06.2026\n"
	const cancelled = "FORM GST REG-19\n[See Rule 22(3)]\nReference Number: ZA100626018820V Date: 10/06/2026\nOrder for Cancellation of Registration\n"
	for name, c := range map[string]struct{ text, fact, want string }{
		"days to a notice in a list": {detention + "Notice in FORM GST MOV-07 issued and served on: 12.06.2026\n", "detention.days", "9"},
		"days from its service":      {detention + "Notice in FORM GST MOV-07 issued and served on: 12.06.2026\n", "order.days_served", "11"},
		"the last service counts": {
			detention + "Notice in FORM GST MOV-07 issued on 04.06.2026. The notice was again served on 18.06.2026; the notice was served on 05.06.2026.\n",
			"order.days_served", "5",
		},
		"no day of service":      {detention + "Notice in FORM GST MOV-07 dated 04.06.2026.\n", "order.days_served", ""},
		"a notice of nine days":  {cancelled + "This has reference to the show cause notice ZA1 dated 01/06/2026.\n", "order.days", "9"},
		"without Sundays":        {cancelled + "This has reference to the show cause notice ZA1 dated 04/06/2026.\n", "order.workdays", "5"},
		"no hearing":             {cancelled + "The notice fixed no date for hearing.\n", "hearing.none", "yes"},
		"nobody came":            {cancelled + "No personal hearing was attended by you.\n", "hearing.none", ""},
		"the reply is no notice": {cancelled + "Whereas the show cause notice was answered by your reply dated 04/06/2026.\n", "order.days", ""},
	} {
		t.Run(name, func(t *testing.T) { is(t, factsOf(c.text), c.fact, c.want) })
	}
}

func is(t *testing.T, k Known, fact, want string) {
	t.Helper()
	got := ""
	if v := k.One(fact); v != nil {
		if got = v.Notation(); len(v.At) == 0 && fact != "composition.limit" {
			t.Errorf("%s has no quotation", fact)
		}
	}
	if got != want {
		t.Errorf("%s is %q, it should be %q", fact, got, want)
	}
}

func TestMonthsThatAreListed(t *testing.T) {
	const notice = "FORM GST REG-17\n[See rule 22(1)]\nShow Cause Notice for Cancellation of Registration\nReference No. : ZA081026055173Q Date : 09/10/2026\n"
	for words, want := range map[string]string{
		"GSTR-3B for April 2026, May 2026, June 2026, July 2026 and August 2026 are not filed.": "5",
		"You have not filed returns for April, May, June, July, August and September 2026.":     "6",
		"You have not filed returns from March 2026 to August 2026.":                            "6",
		"You have not filed returns for May, June and July 2026 onwards.":                       "",
		"You have not filed returns.": "",
	} {
		t.Run(words, func(t *testing.T) { is(t, factsOf(notice+words), "default.months", want) })
	}
}

func TestTurnoverUnderComposition(t *testing.T) {
	const notice = "FORM GST CMP-05\n[See rule 6(4)]\nNotice for denial of option to pay tax under section 10\nReference No.: ZA030726041296Y Dated 06.07.2026\n"
	text := notice + "GSTIN 03YMSPG2295H1Z9\nYour aggregate turnover in 2025-26 was Rs. 1.32 crore, above the limit of Rs. 75 lakh."
	k := factsOf(text)
	if v := k.One("composition.turnover"); v == nil || v.Paise != 1_32_00_000_00 {
		t.Errorf("the turnover is %v", v)
	}
	if v := k.One("composition.limit"); v == nil || v.Paise != 1_50_00_000_00 {
		t.Errorf("the limit of Punjab is %v", v)
	}
}

// An order under section 62 comes in FORM DRC-07 with a penalty under section 73, but the time limits of that section
// do not apply to it.
func TestAnOrderOfSection62IsOneOfBestJudgment(t *testing.T) {
	known := factsOf("FORM GST DRC-07\n[See rule 142(5)]\nSummary of Order\nReference No.: ZD3210260045581 Date: 12/10/2026\n" +
		"Section under which order is passed : Section 62\nTax Period : March 2021 (F.Y. 2020-21)\nASSESSMENT ORDER UNDER SECTION 62\n" +
		"Penalty of ten per cent is levied under section 73(9).\n")
	is(t, known, "paper.kind", "best judgment order")
	is(t, known, "paper.section", "")
}

func TestDaysThatWereGivenForAHearing(t *testing.T) {
	for words, want := range map[string]string{
		"Opportunities of personal hearing were granted on 22/01/2024 and 05/02/2024; on the second no one appeared.": "yes",
		"No opportunity of personal hearing was granted after the reply of 05/02/2024.":                               "",
		"The opportunity of personal hearing was granted as per law.":                                                 "",
	} {
		t.Run(words, func(t *testing.T) {
			is(t, factsOf("FORM GST DRC-07\n[See rule 142(5)]\nReference No.: ZD070424061937X Date: 26/04/2024\n"+words+"\n"), "hearing.given", want)
		})
	}
}
