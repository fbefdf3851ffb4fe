package gst_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
)

// What papers of strangers taught, each in words of our own. A page ends with a form feed.
func TestStrangersPapers(t *testing.T) {
	type facts = map[string]any
	row := func(tax, interest, penalty float64) map[string]any {
		all := map[string]any{}
		for name, amount := range map[string]float64{"tax": tax, "interest": interest, "penalty": penalty} {
			if amount != 0 {
				all[name] = amount
			}
		}
		return all
	}
	const order = "FORM GST DRC-07\n[See rule 142(5)]\nSummary of the order\nReference No.: ZD270626012345K      Date: 12/06/2026\n" +
		"GSTIN: 27AABCT1332L1ZU\nName: Torna Tools Private Limited\nSection: 73(9)      Financial year: 2021-22\n\n"
	const torna = "Head      Tax         Interest     Penalty     Total\nCGST      1,20,000    64,800       12,000      1,96,800\n" +
		"SGST      1,20,000    64,800       12,000      1,96,800\nTotal     2,40,000    1,29,600     24,000      3,93,600\n"
	const scrutiny = "FORM GST ASMT-10\n[See rule 99(1)]\nNotice for intimating discrepancies in the return after scrutiny\nReference: ZD090126004417K      Date: 15.01.2026\n\n"
	for name, test := range map[string]struct {
		text       string
		recognised bool
		want       facts
		candidates []string // of the demand
	}{
		"the same table in the summary and in its order": {
			text: order + "Details of demand (Rs.)\n\n" + torna + "\fORDER\n" + torna + "The noticee shall pay the above within three months.\n",
			want: facts{"demand": facts{"CGST": row(120000, 64800, 12000), "SGST": row(120000, 64800, 12000)}, "demand_total": 393600.0}},
		"what the notice said beside what the order says, under each head": {
			text: order + "Details of demand (Rs.)\n\nParticulars   CGST                       SGST\n              Proposed     Confirmed     Proposed     Confirmed\n" +
				"Tax           1,50,000     1,20,000      1,50,000     1,20,000\nInterest      81,000       64,800        81,000       64,800\n" +
				"Penalty       15,000       12,000        15,000       12,000\nTotal         2,46,000     1,96,800      2,46,000     1,96,800\n",
			want: facts{"demand": facts{"CGST": row(120000, 64800, 12000), "SGST": row(120000, 64800, 12000)}, "demand_total": 393600.0}},
		"two columns of each head of which nothing tells which claims": {
			text: order + "Details of demand (Rs.)\n\nParticulars   CGST                       SGST\n              Column I     Column II     Column I     Column II\n" +
				"Tax           1,50,000     1,20,000      1,50,000     1,20,000\nInterest      81,000       64,800        81,000       64,800\n" +
				"Penalty       15,000       12,000        15,000       12,000\nTotal         2,46,000     1,96,800      2,46,000     1,96,800\n",
			want: facts{"demand": facts{}, "demand_total": nil}, candidates: []string{"492000.00", "393600.00"}},
		"kinds proposed and confirmed side by side": {
			text: order + "Details of demand (Rs.)\n\nAct      Tax          Tax          Interest     Interest\n         proposed     confirmed    proposed     confirmed\n" +
				"CGST     1,50,000     1,20,000     81,000       64,800\nSGST     1,50,000     1,20,000     81,000       64,800\nTotal    3,00,000     2,40,000     1,62,000     1,29,600\n",
			want: facts{"demand": facts{"CGST": row(120000, 64800, 0), "SGST": row(120000, 64800, 0)}, "demand_total": 369600.0}},
		"workings by months, then the summary on the next page": {
			text: scrutiny + "Month          Due date      Filed on      Tax paid     By credit    In cash     Interest\n" +
				"May 2024       20.06.2024    02.08.2024    3,10,000     2,50,000     60,000      1,272\n" +
				"August 2024    20.09.2024    11.11.2024    2,20,000     1,40,000     80,000      2,051\n" +
				"Total                                      5,30,000     3,90,000     1,40,000    3,323\n" +
				"\fSummary of what is payable\n\nHead      Tax        Interest    Total\nIGST      42,000     3,323       45,323\nTotal     42,000     3,323       45,323\n",
			want: facts{"demand": facts{"IGST": row(42000, 3323, 0)}, "demand_total": 45323.0}},
		"the code of a form in both scripts": {
			text: "कार्यालय सहायक आयुक्त, राज्य कर, सचल दल, मथुरा\nप्ररूप जीएसटी एमओवी-07 (FORM GST MOV-07)\nधारा 129(3) के अधीन नोटिस\n" +
				"संख्या : सचल दल/मथुरा-3/एमओवी-07/2026-27/0118      दिनांक : 09.04.2026\n\n1. वाहन को रोका गया तथा माल का भौतिक सत्यापन किया गया।\n",
			want: facts{"form": "MOV-07", "reference": "सचल दल/मथुरा-3/एमओवी-07/2026-27/0118"}},
		"a heading in capitals that says more than the form": {
			text: "OFFICE OF THE STATE TAX OFFICER\nFORM GST DRC-01 AND GROUNDS OF THE NOTICE\nRef: ZD240526018834F      Date: 12.05.2026\n\nTo,\nM/s Vallabh Ferrous Limited\n",
			want: facts{"form": "DRC-01"}},
		"a number of days beside a label of its own": {
			text: scrutiny + "It appears that tax was short paid.\n\nTIME FOR YOUR REPLY - 12 (twelve) days from the date on which this notice is received.\n\n" +
				"The penalty is reduced where tax is paid within sixty days of issue of this notice.\n",
			want: facts{"reply_due": []any{"2026-01-27", "computed"}}},
		"a label of two words above the text": {
			text: "GOVERNMENT OF GOA, STATE TAXES\nShow cause notice under section 73(1)      ZD300126003349T\nDate: 12-01-2026\nExplanation due 16-02-2026\n\n" +
				"M/s Zuari Interiors Private Limited are contractors for interiors. They have not paid CGST of Rs. 62,000 and SGST of Rs. 62,000 on works at Panaji.\n\nThe contractors may show cause in writing by the date at the head.\n",
			want: facts{"reply_due": []any{"2026-02-16", "printed"}}},
		"the head that a mail program prints on every page": {
			text: "4/8/26, 9:40 AM      Mail - GST: difference in liability\n\nFrom: Superintendent, Range II <range2@example.gov.in>\nDate: Mon, 6 Apr, 2026 at 17:46\nTo: accounts@example.com\nSubject: GST: difference in liability\n\n" +
				"You are requested to offer your explanation of the difference in GSTR-1 and GSTR-3B of 2024-25 by Friday, 17 April 2026.\n\nSuperintendent of Central Tax\n\f4/8/26, 9:40 AM      Mail - GST: difference in liability\n\nDISCLAIMER: This email may contain confidential information.\n",
			want: facts{"reply_due": []any{"2026-04-17", "printed"}}},
		"an order without a form that grants the appeal of section 107": {
			text: "OFFICE OF THE DEPUTY COMMISSIONER OF STATE TAX\nORDER-IN-ORIGINAL No. 14/DC/2026-27\nDate: 03/07/2026\nGSTIN: 27AABCT1332L1ZU\n\n1. The noticee took input tax credit that section 17(5)(c) of the CGST Act, 2017 blocks.\n\nORDER\n\nThe credit is disallowed under section 73(9).\n\n" +
				"The noticee may appeal to the Joint Commissioner (Appeals) under section 107 within three months of receiving this order.\n",
			want: facts{"reply_due": []any{"2026-10-03", "computed"}}},
		"noughts too many, and letters for figures, in a number of a scan": {
			text:       "OFFICE OF THE SUPERINTENDENT\nFORM GST ADT-01\nDIN : 20260470WHO0000B3S61A\nDate: 08.04.2026\n\nNotice for conducting audit\n",
			recognised: true, want: facts{"din": "20260470WH0000B3561A"}},
		"a number of the wrong length in a scan is none": {
			text:       "OFFICE OF THE SUPERINTENDENT\nFORM GST ADT-01\nDIN : 20260470WH1100B3561\nDate: 08.04.2026\n\nNotice for conducting audit\n",
			recognised: true, want: facts{"din": nil}},
		"a number of the portal in two parts": {
			text:       "FORM GST DRC-01\n[See rule 142(1)(a)]\nReference No: ZD330624088 1527      Date: 12/06/2024\n\nTo\nName: Selvi Match Works\n",
			recognised: true, want: facts{"reference": "ZD3306240881527"}},
		"the order under appeal is another paper": {
			text: "FORM GST APL-04\n[See rule 113(1)]\nSummary of the demand after issue of order by the Appellate Authority\nOrder no. BLR-GST-APP-2-77-2026-27      Date of order : 18.05.2026\n\n" +
				"1. Name of the appellant : Kaveri Marine Products\n2. Order appealed against : Order-in-Original No. 41/2024-25 dated 17.02.2025\n3. Status of order : confirmed\n",
			want: facts{"reference": "BLR-GST-APP-2-77-2026-27"}},
		"a sign of abbreviation in Hindi": {
			text: "कार्यालय डिप्टी कमिश्नर, राज्य कर, मेरठ\nपत्रांक : 218/डि०कमि०/खण्ड-2/मेरठ/2026-27      दिनांक : 18.08.2026\n\nविषय : धारा 61 के अन्तर्गत सूचना\n",
			want: facts{"reference": "218/डि०कमि०/खण्ड-2/मेरठ/2026-27"}},
		"the digit of a twin that recognition misread, proved by the total of its row": {
			text: order + "Details of demand (Rs.)\n\nParticulars   IGST          CGST        SGST        Total\nTax           3,00,000      81,200      81,200      4,62,400\n" +
				"Interest      54,000        14,616      14,676      83,232\nTotal         3,54,000      95,816      95,816      5,45,632\n",
			recognised: true,
			want: facts{"demand": facts{"IGST": row(300000, 54000, 0), "CGST": row(81200, 14616, 0), "SGST": row(81200, 14616, 0)},
				"demand_total": 545632.0}},
		"sums that nothing calls tax, beside interest": {
			text: scrutiny + "Interest under section 50(3) up to 31.01.2026 is Rs. 41,235 under each Act.\n\nThe amounts involved are: CGST Rs. 1,70,350; SGST Rs. 1,70,350; in all Rs. 3,40,700.\n",
			want: facts{"demand": facts{}, "demand_total": 340700.0}},
		"a name whose first letter the PAN has, in Hindi": {
			text: "प्ररूप जीएसटी एएसएमटी-10 (FORM GST ASMT-10)\n[नियम 99(1) देखें]\nसंदर्भ : ZD230126018832W      दिनांक : 11.01.2026\nप्रति,\nमंगल हार्डवेयर भण्डार\nजीएसटीआईएन : 27AABCM1332L1ZR\n" +
				"वाहन प्रभारी : श्री राम आसरे\n\nआपके द्वारा प्रस्तुत विवरणियों की धारा 61 के अन्तर्गत संवीक्षा की गई।\n",
			want: facts{"legal_name": "मंगल हार्डवेयर भण्डार"}},
		"a rank in Hindi letters, and one that goes on below": {
			text: scrutiny + "It appears that tax was short paid in the year 2023-24.\n\n                    (Shaila Murthy)\n                    Assistant Commissioner of Commercial Taxes\n                    (Audit)-2.1, DGSTO-2, Mysuru\n",
			want: facts{"designation": "Assistant Commissioner of Commercial Taxes (Audit)-2.1"}},
		"a rank in the letters of another tongue": {
			text: "कार्यालय डिप्टी कमिश्नर, राज्य कर, खण्ड-2, मेरठ\nपत्रांक : 218/खण्ड-2/मेरठ/2026-27      दिनांक : 18.08.2026\nविषय : धारा 61 के अन्तर्गत सूचना\n\nधारा 73 के अन्तर्गत कर जमा नहीं किया गया, अतः कारण बतायें।\n\n                    भवदीय,\n                    डिप्टी कमिश्नर, राज्य कर\n                    खण्ड-2, मेरठ\n",
			want: facts{"designation": "डिप्टी कमिश्नर, राज्य कर"}},
		"charges that a paper counts in Hindi": {
			text: "प्ररूप जीएसटी एएसएमटी-10 (FORM GST ASMT-10)\n[नियम 99(1) देखें]\nदिनांक : 11.01.2026\n\nसंवीक्षा में निम्नलिखित विसंगतियाँ पाई गई हैं :\nविसंगति 1 : रॉयल्टी पर धारा 9(3) के अधीन प्रतिलोम प्रभार में कर जमा नहीं किया गया।\n" +
				"विसंगति 2 : विलम्ब से भुगतान किये गये कर पर धारा 50(1) के अन्तर्गत ब्याज रु. 41,200 देय है, जो जमा नहीं किया गया।\n",
			want: facts{"paragraphs": []any{"विसंगति 1", "विसंगति 2"}, "issues": []any{"rcm", "interest_s50"}}},
		"charges under a lettered part": {
			text: "GOODS AND SERVICES TAX DEPARTMENT\nFORM GST DRC-01\n[See rule 142(1)]\nDate: 12.05.2026\n\nA. Introduction\n\nA.1 The noticee is engaged in rolling of scrap into bars.\n\nB. Allegations\n\n" +
				"B.1 The noticee took credit on invoices without receipt of goods, in contravention of section 16(2)(b). CGST Rs. 4,10,000 and SGST Rs. 4,10,000.\n\nB.2 Tax under reverse charge on freight, section 9(3), was not paid. CGST Rs. 22,000 and SGST Rs. 22,000.\n",
			want: facts{"paragraphs": []any{"B.1", "B.2"}}},
		"rows of months are no charges": {
			text: scrutiny + "Credit availed in GSTR-3B is more than in GSTR-2B:\n\nPeriod                            CGST        SGST\nApril 2023 to September 2023      61,000      61,000\nOctober 2023 to March 2024        39,000      39,000\nTotal                             1,00,000    1,00,000\n",
			want: facts{"paragraphs": []any{}}},
	} {
		t.Run(name, func(t *testing.T) {
			read := gst.Read(tables, pagesOf(test.text, test.recognised))
			got := summary(read)
			for field, w := range test.want {
				if g := got[field]; !reflect.DeepEqual(g, w) {
					t.Errorf("%s = %v, want %v", field, g, w)
				}
			}
			for _, want := range test.candidates {
				if !slices.ContainsFunc(read.Candidates["demand"], func(c gst.Candidate) bool { return strings.HasPrefix(c.Value, want) }) {
					t.Errorf("%s is not among %v", want, read.Candidates["demand"])
				}
			}
		})
	}
}
