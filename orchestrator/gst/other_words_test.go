package gst_test

import (
	"testing"

	"munshi/orchestrator/gst"
)

// The reply date and the hearing in the words of many offices, and phrases that only look like
// them.
func TestReplyAndHearingInOtherWords(t *testing.T) {
	const (
		letter = "OFFICE OF THE SUPERINTENDENT OF CENTRAL TAX, RANGE-II, MYSURU\nC.No. IV/16/22/2026    Date: 05.08.2026\nTo\nM/s Kaveri Silks, Mysuru (GSTIN 29AAACB1234C1ZB)\n\n"
		form   = "FORM GST DRC-01\n[See rule 142(1)(a)]\nReference No.: ZD290826118860W        Date: 05/08/2026\nTo\nGSTIN: 29AAACB1234C1ZB\nName: MALWA PIPE WORKS\nSummary of Show Cause Notice\n\n"
	)
	for _, test := range []struct{ head, words, due, hearing string }{
		{form, "Objections, if you have any, may be lodged with this office latest by 4.00 PM of 07.09.2026.", "2026-09-07", ""},
		{form, "Your say in the matter must be in our hands by the 7th of September, 2026.", "2026-09-07", ""},
		{form, "The noticee is given time till 07.09.2026 to put forth its defence.", "2026-09-07", ""},
		{form, "Time for filing the reply expires on 07-09-2026.", "2026-09-07", ""},
		{form, "A period of thirty days from service is allowed for the written statement.", "2026-09-04", ""},
		{form, "A reply, supported by evidence, is to be uploaded not beyond thirty days of the date of this notice.", "2026-09-04", ""},
		{form, "You have 30 days from the receipt of this notice to respond.", "2026-09-04", ""},
		{form, "The reply must reach us by close of business on Monday 7 September 2026.", "2026-09-07", ""},
		{form, "On or before 07.09.2026 you may file your written submissions; no further time will be given.", "2026-09-07", ""},
		{form, "Written submissions: 07.09.2026. Oral hearing: 14.09.2026 at 11 AM.", "2026-09-07", "2026-09-14"},
		{form, "Should no representation be received by 07.09.2026, the matter will be decided ex parte.", "2026-09-07", ""},
		{form, "If nothing is heard from you within thirty days of receipt of this notice, it will be presumed that you have no objection.", "2026-09-04", ""},
		{form, "You may be heard in person on the 14th September 2026 at half past eleven in the forenoon.", "", "2026-09-14"},
		{form, "The case is listed for hearing before the undersigned at 11:30 hrs on Monday (14.09.2026).", "", "2026-09-14"},
		{form, "Personal hearing stands fixed for 14/09/2026, 11:30 AM; a second one for 21/09/2026 if you do not attend.", "", "2026-09-14"},
		{form, "An opportunity of hearing is extended to you on 14.09.2026.", "", "2026-09-14"},
		{form, "You are offered hearing on any of the three dates below:\n\n1st   14/09/2026   11:30 hrs\n\n2nd   21/09/2026   11:30 hrs\n\n3rd   28/09/2026   15:00 hrs", "", "2026-09-14"},
		{form, "आपका उत्तर दिनांक 07 सितम्बर, 2026 को या उससे पूर्व प्राप्त हो जाना चाहिए।", "2026-09-07", ""},
		{form, "इस नोटिस की प्राप्ति के सात कार्य दिवस के भीतर उत्तर प्रस्तुत करें।", "2026-08-14", ""},
		{form, "इस नोटिस की प्राप्ति के 15 दिन के भीतर उत्तर प्रस्तुत करें।", "2026-08-20", ""},
		{form, "You may pay the amount with interest, which in the Annexure runs up to 07.09.2026.", "", ""},
		{form, "You or your authorised representative may attend this office on 14.09.2026 at 3 pm.", "", "2026-09-14"},
		{form, "The earlier hearing of 20.07.2026 could not take place; it will now be on 14.09.2026 at 3 pm.", "", "2026-09-14"},
		{letter, "Kindly let this office have the sale ledger and bank statements within a fortnight of receiving this letter.", "2026-08-19", ""},
		{letter, "The details sought may be sent within 7 days of receipt of this letter without fail.", "2026-08-12", ""},
		{letter, "You are asked to offer your comments by 25.08.2026.", "2026-08-25", ""},
		{letter, "A reply is solicited at an early date, but not later than 25th August.", "", ""},
		{letter, "The information should reach the undersigned on or before 25.08.2026.", "2026-08-25", ""},
		{letter, "Please come to this office on 25.08.2026 at 11 AM with the books of account.", "", "2026-08-25"},
		{letter, "In your letter dated 01.07.2026 you asked for time till 31.07.2026. It is allowed till 25.08.2026 for the reply.", "2026-08-25", ""},
		{letter, "You were earlier directed to reply by 20.07.2026 but no reply has been received. A last opportunity is given till 25.08.2026.", "2026-08-25", ""},
		{form, "Tax with interest may be paid within thirty days of receipt of this notice to close the case under section 73(8).", "", ""},
		{form, "Payment to the supplier was not made in 180 days from the issue of the invoices.", "", ""},
		{form, "The material went back sixty days after the receipt of the consignment.", "", ""},
		{form, "Your reply was due by 20.07.2026 and came on 28.07.2026.", "", ""},
		{form, "The matter was posted to 20.07.2026 at 11 AM and nobody came.", "", ""},
		{form, "The officers will visit your premises on 14.09.2026 at 11 AM for stock taking.", "", ""},
	} {
		f := gst.Read(tables, pagesOf(test.head+test.words+"\n\nSuperintendent\n", false))
		due, hearing := "", ""
		if f.ReplyDue.Date != nil {
			due = *f.ReplyDue.Date
		}
		if f.Hearing != nil {
			hearing = f.Hearing.Date
		}
		if due != test.due || hearing != test.hearing {
			t.Errorf("%q: reply by %q, want %q; hearing on %q, want %q", test.words, due, test.due, hearing, test.hearing)
		}
	}
}

// The paper's own date in its closing words, and a paper that reports what was done before and after it.
func TestIssueDateInOtherWords(t *testing.T) {
	const head = "OFFICE OF THE STATE TAX OFFICER, WARD 4, NASHIK\nFORM GST DRC-01\n[See rule 142(1)(a)]\nSummary of Show Cause Notice\nTo\nGSTIN: 27AAPFU0939F1ZV\nName: MALWA PIPE WORKS\n\nShow cause why tax should not be recovered. "
	for words, want := range map[string]string{
		"\n\nGiven under my hand and the seal of this office at Nashik to-day, the 5th of August, 2026.\n\nState Tax Officer":               "2026-08-05",
		"\n\nSigned and delivered at Nashik on this 5th day of August 2026\n\nState Tax Officer":                                            "2026-08-05",
		"\n\nPronounced in the open court on 05.08.2026.\n\nState Tax Officer":                                                              "2026-08-05",
		"\n\nThis report bears the signature of the undersigned of the 5th August, 2026.\n\n(H. Rao)\nState Tax Officer":                    "2026-08-05",
		"\n\nNashik, the fifth of August, 2026\nState Tax Officer":                                                                          "2026-08-05",
		"The premises were visited on 07.08.2026.\n\nNashik, 05.08.2026\nState Tax Officer":                                                 "",
		"The goods were detained on 03.08.2026 and the statement was recorded on 04.08.2026.\n\nNashik, 05.08.2026\nState Tax Officer":      "2026-08-05",
		"The notice issued on 05.06.2026 was not answered, and records were seized on 04.08.2026.\n\nNashik, 05.08.2026\nState Tax Officer": "2026-08-05",
		"The appeal was presented on 06.08.2026 and was heard on 07.08.2026.\n\nOrder dated 05.08.2026 of this office\nState Tax Officer":   "",
	} {
		f := gst.Read(tables, pagesOf(head+words+"\n", false))
		got := ""
		if f.IssueDate != nil {
			got = *f.IssueDate
		}
		if got != want {
			t.Errorf("%q: issued %q, want %q", words, got, want)
		}
	}
}

// The addressee under labels that are in no list, and the paper's own number among those that it refers to.
func TestNamesAndNumbersInOtherLayouts(t *testing.T) {
	for _, test := range []struct{ head, name, reference string }{
		{"FORM GST DRC-01\nReference No.: ZD290826118860W   Date: 05/08/2026\nGSTIN   29WXEPK4410M1ZP\nName (Legal)                RAMESH GOWDA\nTrade name                  TUNGA PUMPS\nSummary of Show Cause Notice\n", "RAMESH GOWDA", "ZD290826118860W"},
		{"प्ररूप GST DRC-01\nसंदर्भ क्रमांक   ZD290826118860W     दिनांक   05.08.2026\nजीएसटीआईएन   29WXEPK4410M1ZP\nकरदाता का नाम          रमेश गौड़ा\nव्यापार नाम            तुंगा पंप्स\n", "रमेश गौड़ा", "ZD290826118860W"},
		{"FORM GST APL-04\nOrder no.   ZD290826118860W     Date of order   05/08/2026\n1. GSTIN                        29WXEPK4410M1ZP\n2. Name of the appellant        RAMESH GOWDA\n", "RAMESH GOWDA", "ZD290826118860W"},
		{"FORM GST RFD-08\nSCN No.: ED4/RFD08/164/2026-27   Date: 05.08.2026\nTo: 29WCJCT4081Q1ZQ, Tunga Cloud Analytics Private Limited, Indiranagar, Bengaluru\n", "Tunga Cloud Analytics Private Limited", "ED4/RFD08/164/2026-27"},
		{"Office of the Deputy Commissioner, Mysuru\nRFN: ZD290826118860W\nDated 05.08.2026\nTo\nM/s Tunga Tyres Pvt Ltd, Mysuru\nGSTIN: 29WCJCT4081Q1ZQ\nREMINDER\nRef: 1. Show cause notice in FORM GST DRC-01, ZD291225040018J, dated 29.12.2025.\n2. Reminder-I dated 07.02.2026.\n", "Tunga Tyres Pvt Ltd", "ZD290826118860W"},
		{"DIRECTORATE GENERAL OF GST INTELLIGENCE\nFile No. DGGI/INT/77/2026-Gr B-O/o JD-RU/218\nDate: 05.08.2026\nTo\nM/s Tunga Tyres Pvt Ltd (GSTIN 29WCJCT4081Q1ZQ), Mysuru\nSubject: calling for records\n", "Tunga Tyres Pvt Ltd", "DGGI/INT/77/2026-Gr B-O/o JD-RU/218"},
	} {
		f := gst.Read(tables, pagesOf(test.head+"\nIt is seen that tax was short paid.\n\nSuperintendent\n", false))
		if f.LegalName == nil || *f.LegalName != test.name || f.Reference == nil || *f.Reference != test.reference {
			t.Errorf("%q: %q, %q", test.head, value(f.LegalName), value(f.Reference))
		}
	}
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// The kinds of numbered blocks whose words alone would mislead.
func TestBlocksThatChargeNothing(t *testing.T) {
	const form = "FORM GST DRC-01\n[See rule 142(1)(a)]\nReference No.: ZD290826118860W        Date: 05/08/2026\nTo\nGSTIN: 29AAACB1234C1ZB\nName: MALWA PIPE WORKS\nSummary of Show Cause Notice\n\n"
	for _, test := range []struct{ words, kind string }{
		{"1. Where any amount remains unpaid and no reason is given, it shall be recovered under section 79.", "operative"},
		{"1. It is made clear that no allegation of fraud, wilful misstatement or suppression of facts is levelled against you.", "narrative"},
		{"1. Intelligence was gathered by the wing that the noticee was clearing goods without invoices.", "narrative"},
		{"1. Job work beyond one year. The tax of Rs. 22,140 was paid with interest by DRC-03. Para settled.", "concession"},
		{"1. The noticee's plea that recovered solvent is exempt has been accepted and dropped.", "concession"},
		{"1. On the first charge the amounts were salary, not consideration. The charge fails and I drop it.", "concession"},
		{"1. Credit of Rs. 40,000 was taken on motor cars, contrary to section 17(5).", "charge"},
	} {
		f := gst.Read(tables, pagesOf(form+test.words+"\n2. Tax of Rs. 1,000 was not paid under section 9.\n", false))
		if len(f.Paragraphs) == 0 || f.Paragraphs[0].Kind != test.kind {
			t.Errorf("%q: %+v", test.words, f.Paragraphs)
		}
	}
}
