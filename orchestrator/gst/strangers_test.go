package gst_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
)

// Faults that were found with unfamiliar papers, each shown with a text of our own. A page ends
// with a form feed.
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
	const notice = "OFFICE OF THE JOINT COMMISSIONER OF CGST, NAGPUR\nSHOW CAUSE NOTICE No. 31/JC/2026-27\nDate: 12-08-2026\nTo\nM/s TORNA TOOLS PRIVATE LIMITED\n\n"
	const uttarPradesh = "09BQNPT1332M1Z9"
	const appeals = "OFFICE OF THE COMMISSIONER (APPEALS), CGST, NAGPUR\nF.No. 65/GST/JC(A)/NGP/2026      Dated 12-06-2026\nDIN 20260656XD0000F03C92\n\nTo\nM/s TORNA TOOLS PRIVATE LIMITED\n\n"
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
		"days counted back from the hearing": {
			text: appeals + "Subject: Personal hearing in the appeal filed on 12.05.2026 against the order of 04.02.2026 - reg.\n\n" +
				"1. The order under appeal demands CGST of Rs. 3,10,000 and SGST of Rs. 3,10,000, in all Rs. 6,20,000.\n\n2. The copy of the order has not been submitted within seven days of filing.\n\n" +
				"You may appear on 10-07-2026 at 12.30 P.M. Additional submissions should be given not later than three working days before the hearing.\n",
			want: facts{"reply_due": []any{nil, "unknown"}, "hearing": []any{"2026-07-10", "12:30"}, "demand": facts{}, "demand_total": nil,
				"paragraphs": []any{}, "reference": "65/GST/JC(A)/NGP/2026"}},
		"a time that was not kept, then the time to reply": {
			text: scrutiny + "You did not file your reply within 15 days of the intimation in FORM GST DRC-01A.\n\nYou may show cause within 30 days of receipt of this notice.\n",
			want: facts{"reply_due": []any{"2026-02-14", "computed"}}},
		"an audit notice whose only day is that on which the audit begins": {
			text: "DIRECTORATE OF COMMERCIAL TAXES, AUDIT WING\nFORM GST ADT-01\nSee rule 101(2)\nReference No.: ZD190526047718F      Issued: 11 May 2026\nPeriod(s) of audit      F.Y. 2019-20 and F.Y. 2022-23\n\n" +
				"The audit shall be conducted and shall commence at your place of business on 20 May 2026. The books may be sent at the earliest.\n",
			want: facts{"reply_due": []any{"2026-05-20", "printed"}, "periods": []any{"2019-20", "2022-23"}}},
		"a time of day in words": {
			text: scrutiny + "Reply by 20.02.2026. You may appear for personal hearing on 24.02.2026 at 3-30 in the afternoon.\n",
			want: facts{"hearing": []any{"2026-02-24", "15:30"}}},
		"a hearing between two times": {
			text: scrutiny + "Reply by 20.02.2026. You may appear for personal hearing on 24.02.2026 between 11 a.m. and 1 p.m.\n",
			want: facts{"hearing": []any{"2026-02-24", "11:00"}}},
		"a time of day in a row of its own, in Hindi": {
			text: scrutiny + "क्र.   विवरण      अंकन\n1      उत्तर देने की अन्तिम तिथि      20.02.2026\n2      व्यक्तिगत सुनवाई की तिथि      24.02.2026\n3      समय      3:30 अपराह्न\n4      स्थान      कक्ष 4\n",
			want: facts{"hearing": []any{"2026-02-24", "15:30"}, "reply_due": []any{"2026-02-20", "printed"}}},
		"numbers of a directorate in a scan, and a town with its PIN code": {
			text: "DIRECTORATE GENERAL OF GST INTELLIGENCE\nZonal Unit, Surat - 395 003\nF.No. DGGI/INV/GST/118/2026 -Gr -C/310      Dated: 07/07/2026\nCBIC-DIN: 202607DSS30000B47E1F\n\n" +
				"SUMMONS\n(Under section 70 of the CGST Act, 2017)\n\nTo\nM/s Torna Tools Private Limited\n\nYou are summoned to give evidence.\n",
			recognised: true, want: facts{"din": "202607DSS30000B47E1F", "reference": "DGGI/INV/GST/118/2026-Gr-C/310"}},
		"the years of an audit, over two lines": {
			text: "CENTRAL GST AUDIT COMMISSIONERATE, SURAT\nSPOT MEMO No. 4/2026      Date: 09/10/2026\n\nTo, M/s Torna Tools Private Limited (GSTIN 27AABCT1332L1ZE). Period of\naudit: 2022-23 and 2023-24.\n\nDuring audit the following points were noticed.\n",
			want: facts{"periods": []any{"2022-23", "2023-24"}}},
		"years that the titles of charges name": {
			text: "OFFICE OF THE ASSISTANT COMMISSIONER OF CGST\nSHOW CAUSE NOTICE No. 4/2025-26      Dated 28.11.2025\nGSTIN 27AABCT1332L1ZE\n\n1. Excess credit, F.Y. 2019-20. CGST of Rs. 62,000 and SGST of Rs. 62,000 was availed in excess of GSTR-2A.\n\n" +
				"2. Credit after the time limit, F.Y. 2020-21. CGST of Rs. 31,000 and SGST of Rs. 31,000 is inadmissible under section 16(4).\n\n3. For the same acts the noticee has rendered itself liable to penalty under section 122(1)(vii).\n\n4. The year-wise particulars are:\n",
			want: facts{"periods": []any{"2019-20", "2020-21"}, "paragraphs": []any{"1", "2"}}},
		"a number of the portal beside the office's": {
			text: "OFFICE OF THE JOINT COMMISSIONER (AUDIT)\nNo. AUD-NGP/117/2025/F-2      14-11-2025\nFORM GST ADT-02\n[See rule 101(5)]\nGSTIN      27AABCT1332L1ZE\nName      TORNA TOOLS PRIVATE LIMITED\n" +
				"Audit Report No.      ZD271125035528N\nDate      14-11-2025\nPeriod      F.Y. 2021-22\n\nYour books have been examined and the findings are as under:\n\nअनुच्छेद / Para 1: Credit on a car (2021-22). CGST Rs. 9,000 and SGST Rs. 9,000 is blocked under section 17(5)(a).\nReply of the taxpayer: Not agreed.\n\n" +
				"अनुच्छेद / Para 2: Import of services (2021-22). IGST Rs. 18,000 was not paid under reverse charge.\n",
			want: facts{"flags": []any{}, "paragraphs": []any{"Para 1", "Para 2"}}},
		"an order later than the extension on which it rests": {
			text: strings.Replace(strings.Replace(order, "12/06/2026", "06/06/2026", 1), "2021-22", "2018-19", 1) + "The time was extended by Notification No. 56/2023-Central Tax dated 28/12/2023.\n",
			want: facts{"flags": []any{"extended_period_notification", "gstin_checksum", "time_barred"}}},
		"interest alone, below its working": {
			text: "FORM GST DRC-01D\n[See rule 142B]\nRef: ZD2706260710268 / Dt: 22nd June '26\n\n1. Interest on belated filing of FORM GSTR-3B is a self-assessed liability recoverable under section 75(12). Working (CGST shown; SGST identical):\n\n" +
				"Period      Due date      Filed on      Days      Liability      Credit      Cash      Interest\nJan      20.02.2026      31.03.2026      39      6,20,000      5,00,000      1,20,000      11,924\nFeb      20.03.2026      30.04.2026      41      5,10,000      4,60,000      50,000      10,312\n\n" +
				"                  CGST      SGST      Total\nInterest u/s 50      22,236      22,236      44,472\n\n2. You are directed to pay the said interest within seven days.\n\n3. Late fee for the two months has been paid and is not included.\n",
			want: facts{"demand": facts{"CGST": row(0, 22236, 0), "SGST": row(0, 22236, 0)}, "demand_total": 44472.0, "issues": []any{"interest_s50"},
				"paragraphs": []any{"1"}}},
		"a sum of both Acts below the sum of each": {
			text: scrutiny + "                  CGST      SGST\nTax                  17,700      17,700\nInterest                  6,800      6,800\nSum                  24,500      24,500\nBoth Acts                  49,000\n",
			want: facts{"demand": facts{"CGST": row(17700, 6800, 0), "SGST": row(17700, 6800, 0)}, "demand_total": 49000.0}},
		"a fee whose heads a semicolon parts": {
			text: scrutiny + "Late fee under section 47(2) is payable: CGST Rs. 10,000; SGST Rs. 10,000; total Rs. 20,000.\n",
			want: facts{"demand": facts{"CGST": facts{"fee": 10000.0}, "SGST": facts{"fee": 10000.0}}, "demand_total": 20000.0}},
		"tax and penalty on goods in transit, in Hindi": {
			text: "प्ररूप जीएसटी एमओवी-07 (FORM GST MOV-07)\nधारा 129(3) के अधीन नोटिस\nसंख्या : सचल दल/मथुरा-3/एमओवी-07/2026-27/0118      दिनांक : 09.04.2026\n\n" +
				"                  CGST      SGST      योग\nकर (Tax)      43,200      43,200      86,400\nशास्ति (Penalty) 200%      86,400      86,400      1,72,800\nकुल देय      1,29,600      1,29,600      2,59,200\n\nकारण बताएँ कि उपरोक्त कर एवं शास्ति क्यों न वसूल की जावे।\n",
			want: facts{"demand": facts{"CGST": row(43200, 0, 86400), "SGST": row(43200, 0, 86400)}, "demand_total": 259200.0}},
		"reasons counted in running text": {
			text: "FORM GST RFD-06\n[See rule 92(1)]\nOrder No. ZV270326011920B      Date 09/03/2026\n\nReasons: (i) Copies of the certificates for two invoices are not legible. (ii) The agreement with the client is not on\nrecord.\n\nThe entire amount is hereby rejected.\n",
			want: facts{"paragraphs": []any{"(i)", "(ii)"}}},
		"charges whose Roman numbers recognition spoilt": {
			text: scrutiny + "Defect-   Late fee for GSTR-9 of Rs. 100 per day was not paid: CGST Rs. 6,800; SGST Rs. 6,800.\n\nDefect-l Machining charged at 12% in the place of 18%. CGST Rs. 12,300; SGST Rs. 12,300.\n\n" +
				"Defect-ill Notice pay was not declared. CGST Rs. 5,400; SGST Rs. 5,400.\n",
			recognised: true, want: facts{"paragraphs": []any{"Defect 1", "Defect 2", "Defect 3"}}},
		"points counted by words": {
			text: scrutiny + "First, tax was short paid on scrap: CGST Rs. 4,000 and SGST Rs. 4,000.\n\nSecondly, credit on cars is blocked under section 17(5)(a): CGST Rs. 9,000 and SGST Rs. 9,000.\n",
			want: facts{"paragraphs": []any{"First", "Secondly"}}},
		"a corrigendum charges nothing of its own": {
			text: "OFFICE OF THE JOINT COMMISSIONER OF CGST, NAGPUR\nC.No. V(9)15/GST/ADJ/206/2024      Dated 14.02.2025\nCORRIGENDUM No. 1\n\nSubject: Show Cause Notice No. 88/2024 dated 26.11.2024 issued under section 73(1) for 2020-21.\n\n" +
				"(a) In para 6, for \"CGST Rs. 2,10,000 and SGST Rs. 2,10,000\" read \"CGST Rs. 5,90,000 and SGST Rs. 5,90,000\".\n\n(b) In para 7, for \"tax not paid\" read \"tax short paid under section 9(3)\".\n",
			want: facts{"paragraphs": []any{}, "demand": facts{}}},
		"the date of a covering letter is no day to reply by": {
			text: "FORM GST DRC-01C\n[See rule 88D]\nRef No: ZD271225000417Y      Date: 02/12/2025\n\n1. The credit availed exceeds that of FORM GSTR-2B by Rs. 8,01,400.\n\n2. Pay or furnish the reply in Part-B within a period of seven days.\n\n" +
				"OFFICE OF THE DEPUTY COMMISSIONER, STATE TAX, SECTOR-9\nLetter No. 771/DC/S-9/2025-26 Dated 03 December 2025\nWith reference to the intimation ZD271225000417Y you are advised to reply in Part-B only.\n",
			want: facts{"reply_due": []any{"2025-12-09", "computed"}}},
		"what paying brings within thirty days, and a hearing at a time of day, are no days to reply by": {
			text: "FORM GST DRC-01\n[See rule 100(2) & 142(1)(a)]\nReference No: ZD271223094417K      Date: 29/12/2023\nGSTIN : 27AABCT1332L1ZU\n\n5. You may file your reply in FORM GST DRC-06 on the common portal on or before 29/01/2024. You may appear before the undersigned for personal hearing " +
				"either in person or through authorised representative on 05/02/2024 at 11:30 AM at the above address. In case you fail to file reply and do not attend, the matter shall be decided ex-parte on the basis of material on record.\n\n6. If you make payment of tax stated above alongwith upto date interest within 30 days of the issue of this notice, then proceeding may be deemed to have been concluded.\n",
			want: facts{"reply_due": []any{"2024-01-29", "printed"}, "hearing": []any{"2024-02-05", "11:30"}}},
		"a best judgment order that fixes its penalty under section 73": {
			text: strings.NewReplacer("Section: 73(9)", "Section under which order is passed: 62", "2021-22", "2020-21", "12/06/2026", "12/10/2026", "ZD2706", "ZD2710").Replace(order) +
				"ASSESSMENT ORDER UNDER SECTION 62\nThe return for March 2021 was not filed. Penalty is levied under section 73(9).\n",
			want: facts{"flags": []any{"gstin_checksum"}}},
		"the portal's table below what the order adds in words": {
			text: order + "ITC of Rs. 1,60,000/- (CGST Rs. 80,000/- and SGST Rs. 80,000/-) has been availed beyond the time limit. The same is also disallowed and added to the demand.\n\nThe taxpayer is directed to pay the demand as under:\n" +
				"Sr. No.   Act      POS (Place of Supply)     Tax           Interest      Penalty     Total\n1         CGST     Maharashtra               3,92,000      3,54,368      39,200      7,85,568\n" +
				"2         SGST     Maharashtra               3,92,000      3,54,368      39,200      7,85,568\n          Total                              7,84,000      7,08,736      78,400      15,71,136\n",
			want: facts{"demand": facts{"CGST": row(392000, 354368, 39200), "SGST": row(392000, 354368, 39200)}, "demand_total": 1571136.0}},
		"whether fraud is alleged, answered in a form": {
			text: "FORM GST DRC-01\n[See rule 142(1)(a)]\nReference No.      ZD270726002277L\nIssued on      06/07/2026\nSection      74A(1)\nWhether fraud, wilful misstatement or suppression      No\n\nThe credit of IGST exceeds that in GSTR-2B.\n",
			want: facts{"fraud_alleged": false}},
		"fraud under section 74 that is told and not named": {
			text: "FORM GST DRC-01A\nPart A\n[See rule 142(1A)]\nIntimation of tax ascertained as being payable under section 74(5)\nNo. ACST/U-52/417/2026      Date: 03-03-2026\n\nFrom the toll data it is evident that no goods moved. You knowingly availed credit on bogus invoices.\n",
			want: facts{"fraud_alleged": true}},
		"a name in capitals behind its label": {
			text: "FORM GST CMP-05\n[See rule 6(4)]\nReference No. ZA220824019950U  Date - 21.08.2024\n\nTo\nGSTIN  22ADSPK9096E1Z5\nName  SHAKUNTALA KASHYAP\nAddress  Tarbahar Chowk, Bilaspur\n\nWhereas it appears that you have violated the conditions of section 10.\n",
			want: facts{"legal_name": "SHAKUNTALA KASHYAP"}},
		"a penalty equal to the tax, in a notice that prints only the tax, in lakh": {
			text: notice + "Years 2024-25; 2025-26 (April to June 2025)\n\nCredit was availed by fraud (amounts in lakh):\n\nYear         CGST      SGST      Total\n2024-25      4.20      4.20      8.40\n2025-26      1.30      1.30      2.60\nTotal        5.50      5.50      11.00\n\n" +
				"You shall show cause why (a) tax of Rs. 11.00 lakh should not be demanded; (b) penalty equal to the tax should not be imposed under section 74A(5)(ii).\n",
			want: facts{"demand": facts{"CGST": row(550000, 0, 550000), "SGST": row(550000, 0, 550000)}, "demand_total": 2200000.0,
				"periods": []any{"2024-25", "2025-26"}}},
		"a further penalty of the like amount": {
			text: notice + "Why tax of CGST Rs. 2,10,000 and SGST Rs. 2,10,000 should not be demanded; why penalty equal to the tax should not be imposed under section 74; and why a further penalty of the like amount should not be imposed under section 122.\n",
			want: facts{"demand": facts{"CGST": row(210000, 0, 420000), "SGST": row(210000, 0, 420000)}, "demand_total": 1260000.0}},
		"a penalty equal to the tax of one paragraph is not added": {
			text: notice + "Why tax of CGST Rs. 2,10,000 and SGST Rs. 2,10,000 should not be demanded, and why penalty equal to the tax in para 4 should not be imposed.\n",
			want: facts{"demand": facts{"CGST": row(210000, 0, 0), "SGST": row(210000, 0, 0)}}},
		"what the notice proposed, above the order's own table": {
			text: order + "The show cause notice proposed recovery of Rs. 3,00,000 (CGST 1,50,000 + SGST 1,50,000) as excess credit. Certificates are accepted for Rs. 60,000.\n\nAmount determined (Rs.)\n\n" + torna,
			want: facts{"demand": facts{"CGST": row(120000, 64800, 12000), "SGST": row(120000, 64800, 12000)}, "demand_total": 393600.0}},
		"a heading that recognition parted from its column": {
			text: order + "Dues (Rupees):\n\nHead     Tas          oo            Interest      Penalty      Total\nIGST     4,10,500     2,15,000                    4,10,500     10,36,000\n" +
				"CGST     0            0             5             0            0\nTotal    4,10,500     2,15,000                    4,10,500     10,36,000\n",
			recognised: true, want: facts{"demand": facts{"IGST": row(410500, 215000, 410500)}, "demand_total": 1036000.0}},
		"what recognition left of an amount is no demand": {
			text:       notice + "The goods are worth Rs. 4,80,000 and a penalty of Rs. 2,40,000/- was named. The tax on them, IGST Rs. 24 OOO, is proposed.\n",
			recognised: true, want: facts{"demand": facts{}, "demand_total": nil}},
		"amounts that a scan parted, on a form named in two scripts": {
			text: "प्ररूप जीएसटी मोव-07 / FORM GST MOV-07\nधारा 129(3) के अधीन सूचना / Notice under section 129(3)\nक्रमांक / No. : AEB/RTM/MOV-07/2026/118      दिनांक / Date : 11.05.2026\n\n" +
				"माल का मूल्य रु. 4,80, 000 तथा उस पर एकीकृत कर 5% की दर से रु. 24, 000 है। निम्न शास्ति प्रस्तावित है :\n\nशीर्ष / Head      शास्ति / Penalty (रु.)\n165      2,40, 000\nयोग / Total      2,40, 000\n",
			recognised: true, want: facts{"form": "MOV-07", "demand": facts{}, "demand_total": nil}, candidates: []string{"240000.00"}},
		"a label of the assessment year": {
			text: "FORM GST DRC-01\n[Rule 142(1)]\nRef: ZD270626014420B      Dt. 15.06.2026\n\n1) Name : Tvl. TORNA TOOLS\n2) Assessment year / tax period : 2022-23\n3) Section : 73(1)\n\nThe dealer reversed the credit in the return of January 2024.\n",
			want: facts{"periods": []any{"2022-23"}}},
		"financial years whose F recognition took for E": {
			text:       "FORM GST ADT-01 [Rule 101(2)] : Notice for audit under section 65(3)\nNo. CTA/NGP/ADT-01/77      Date : 02/02/2026\n\nYour records for EY. 2020-21 and 2021-22 are to be audited.\n",
			recognised: true, want: facts{"periods": []any{"2020-21", "2021-22"}}},
		"months that are named": {
			text: "FORM GST REG-17\n[See rule 22(1)]\nRef ZA270826011730H      03/08/2026\n\nReturns have not been furnished for a continuous period of three months, namely April 2026, May 2026 and June 2026.\n",
			want: facts{"periods": []any{"2026-27"}}},
		"a State code read as two letters": {
			text:       notice + "GSTIN: OO" + uttarPradesh[2:] + "\n",
			recognised: true, want: facts{"gstin": uttarPradesh, "gstin_valid": true}},
		"a letter too many before a number alone on its line": {
			text:       "FORM GST REG-17 [Rule 22(1)]\nRef ZA270826011730H\n03/08/2026\nO" + uttarPradesh + "\nTORNA TOOLS\n\nReturns were not furnished.\n",
			recognised: true, want: facts{"gstin": uttarPradesh, "gstin_valid": true}},
		"an order's code with its number on one line": {
			text: "ORDER UNDER SECTION 74(9) OF THE CGST ACT, 2017\nDirectorate of Commercial Taxes\nDRC-07 Ref. ZD190225052603L of 28-02-2025\nPeriod: July 2018 to March 2019\n\nThe demand is confirmed.\n",
			want: facts{"form": "DRC-07", "reply_due": []any{"2025-05-28", "computed"}}},
		"a day in words, in the year": {
			text: notice + "The written defence shall be filed on or before the twenty-sixth day of October in the year two thousand and twenty-six.\n",
			want: facts{"reply_due": []any{"2026-10-26", "printed"}}},
		"a number and a day that a narrow column breaks": {
			text: "Government of India                           C. No. IV(16)44/R-II/NGP-\nOffice of the Superintendent                  II/Misc/26/718\n" +
				"CGST & CX, Range-II, Nagpur Division-II\nTelangkhedi Road, Civil Lines,                Date: the Nineteenth\nNagpur 440001                                 November, 2026\n\n" +
				"To\nM/s Torna Tools Private Limited\nGSTIN - 27AABCT1332L1ZU\n\nYou are requested to submit the purchase registers of 2019-20 within five days from the receipt of this letter.\n\n" +
				"                                              (Vasant Kulkarni)\n                                              Superintendent, Range-II\n                                              Nagpur Division-II\n",
			want: facts{"reference": "IV(16)44/R-II/NGP-II/Misc/26/718", "issue_date": "2026-11-19", "reply_due": []any{"2026-11-24", "computed"},
				"designation": "Superintendent, Range-II"}},
		"a day in Hindi words": {
			text: "कार्यालय सहायक आयुक्त, राज्य कर, वृत्त-2, इन्दौर\nप्ररूप जीएसटी एएसएमटी-10 (FORM GST ASMT-10)\n[नियम 99(1) देखें]\nक्रमांक : 418/वृत्त-2/2026      इन्दौर, दिनांक पच्चीस नवम्बर दो हजार छब्बीस\n\n" +
				"प्रति,\nमंगल हार्डवेयर भण्डार\nजीएसटीआईएन : 27AABCM1332L1ZR\n\nआपकी विवरणियों की धारा 61 के अन्तर्गत संवीक्षा की गई।\n",
			want: facts{"issue_date": "2026-11-25"}},
		"a bill for work on notices": {
			text: "JOSHI RANADE & CO.                             MEMO OF FEES\nChartered Accountants                          No. JR/2026-27/0114\nGSTIN 27WFNFK2281N1ZV                          Date 09-11-2026\n\nClient: TORNA TOOLS PRIVATE LIMITED, Nagpur\n\n" +
				"Sr. Particulars                                                SAC      Amount (Rs.)\n\n1    Reply to notice in DRC-01 for F.Y. 2021-22 (section 73)      998231         45,000\n2    Appeal against order in DRC-07                               998231         30,000\n" +
				"     CGST 9%                                                                      6,750\n     SGST 9%                                                                      6,750\n     Total payable                                                               88,500\n\nPlease pay within 15 days.\n",
			want: facts{"form": nil, "demand_total": nil, "reply_due": []any{nil, "unknown"}}},
		"a form among the papers that a summons calls for": {
			text: "DIRECTORATE GENERAL OF GST INTELLIGENCE, NAGPUR ZONAL UNIT\nF. No. INV/DGGI/NZU/GST/118/2026                    02.11.2026\n\nSUMMONS\n(Under Section 70 of the Central Goods and Services Tax Act, 2017)\nTo\nM/s Torna Tools Private Limited\n\n" +
				"Whereas I consider your attendance necessary both to give evidence and to produce documents in your possession, you are summoned to appear before me on 09.11.2026 at 10.30 hours and to produce:\n" +
				"(a) Copies of GSTR-3B and GSTR-2B for the year 2023-24;\n(b) refund applications with Statement 3 and sanction orders in RFD-06 for the same\nyear;\n\n(Harish Rao)\nSenior Intelligence Officer\n",
			want: facts{"form": nil, "reply_due": []any{"2026-11-09", "printed"}, "issues": []any{}}},
		"what the notice proposed, in the order behind its summary": {
			text: order + "Details of demand (Rs.)\n\n" + torna + "\fORDER UNDER SECTION 73(9)\n\nThe notice proposed tax of Rs. 3,00,000/- in all, namely CGST 1,50,000 and SGST 1,50,000, with interest and a penalty.\n\nThe plea is accepted in part.\n",
			want: facts{"demand": facts{"CGST": row(120000, 64800, 12000), "SGST": row(120000, 64800, 12000)}, "demand_total": 393600.0}},
		"an order in appeal that enhances, and the appeal to the Tribunal": {
			text: "BEFORE THE DEPUTY COMMISSIONER (ST), GST APPEAL, SALEM\nDated this the 9th day of November 2026\nA.P. No. 512/2024 (GST)\nR.F.N. ZD331126004411D\n\nTvl. YERCAUD COFFEE WORKS ... Appellant\n(GSTIN 33XTBFV2240Q1ZC)\n\nORDER IN APPEAL\n(under section 107 of the TNGST Act, 2017)\n\n" +
				"This appeal is against the order of the State Tax Officer for the year 2019-20, by which tax of Rs. 4,20,000 (CGST 2,10,000 and SGST 2,10,000) and penalty of Rs. 42,000 were determined under section 73(9).\n\n" +
				"The tax is enhanced. The position after this order is as follows:\n\nParticulars                          CGST         SGST         Total\nTax as per original order            2,10,000     2,10,000     4,20,000\nTax added in appeal                  15,000       15,000       30,000\n" +
				"Tax payable                          2,25,000     2,25,000     4,50,000\nPenalty as per original order        21,000       21,000       42,000\nTotal                                2,46,000     2,46,000     4,92,000\n\n" +
				"A further appeal lies to the Appellate Tribunal under section 112 within three months from the date on which this order is communicated.\n\nSd/- P. SELVAM\nDeputy Commissioner (ST)\nGST Appeal, Salem\n",
			want: facts{"reference": "ZD331126004411D", "demand": facts{"CGST": row(225000, 0, 21000), "SGST": row(225000, 0, 21000)}, "demand_total": 492000.0,
				"reply_due": []any{"2027-02-09", "computed"}}},
		"the last row of a scan, whose columns are shifted": {
			text: scrutiny + "Statement (Rs. in lakh)\n\n Discrepancy     IGST     CGST     SGST    LatefeeCGST        LatefeeSGST        Total\n                 2.500.                                       E                  2.500\n" +
				"'OF                       0.725 0.725 -                                          1.450\n\n (3)                                       0.055              0.055              0.110\n Total           2.500 0.725 0.725 0.055                      0.055              4.060\n",
			recognised: true,
			want: facts{"demand": facts{"IGST": row(250000, 0, 0), "CGST": map[string]any{"tax": 72500.0, "fee": 5500.0}, "SGST": map[string]any{"tax": 72500.0, "fee": 5500.0}},
				"demand_total": 406000.0}},
		"a table of a scan whose lower rows are lost": {
			text: order + "Details of demand (Rs.)\n\n  Act       Tax           Interest       Penalty       Fee Others 'Total\n  IGST          2,40,000       ~--3,23,500 2.40,000                    0...     8,03,500\n" +
				" 068         3,78.400|. 48,340. 3.78.4001                   0.       01 1246140.\n 868            3,78,400/ a 487,340 378400 0                        O 12,44,140\n  Total         980,800       1298180        986,800) 00. 32,81,780\n",
			recognised: true, want: facts{"demand": facts{}, "demand_total": nil}},
		"a mail that asks for interest and fee by a day": {
			text: "From: Taxpayer Services Circle, Thrissur <tps2.tsr@example.gov.in>\nTo: accounts@example.com\nDate: Thu, 19 Nov 2026 at 4:42 PM\nSubject: Interest and late fee unpaid - 27AABCT1332L1ZU - TORNA TOOLS PRIVATE LIMITED\n\nDear Taxpayer,\n\n" +
				"Returns in GSTR-3B for the below months of FY 2025-26 have been filed late. As per section 50(1) you have to pay interest.\n\nMonth       Due date     Filed on      Days    Tax         Interest     Late fee\n" +
				"Sep 2025    20.10.2025   30.06.2026    253     2,40,000    29,944       12,650\nOct 2025    20.11.2025   30.06.2026    222     3,10,000    33,938       11,100\nTotal                                          5,50,000    63,882       23,750\n\n" +
				"Half of the interest and of the late fee is CGST and the other half SGST. Total to be paid: Rs. 87,632.\n\nThe amount will be recovered under section 79 if not paid by Monday the 30th November 2026.\n\nRegards,\nMini Abraham\nAssistant State Tax Officer\n",
			want: facts{"demand_total": 87632.0, "reply_due": []any{"2026-11-30", "printed"}, "issues": []any{"interest_s50"},
				"demand": facts{"CGST": map[string]any{"interest": 31941.0, "fee": 11875.0}, "SGST": map[string]any{"interest": 31941.0, "fee": 11875.0}}}},
		"the owner in brackets, and a subsidiary": {
			text: "OFFICE OF THE DEPUTY COMMISSIONER, STATE TAX, NASHIK\nFORM GST DRC-01A\n[See rule 142(1A)]\nReference No.: ZD270826007719G      Date : 17.08.2026\nTo\nSATPUDA SPICE ESTATES PRIVATE LIMITED (GSTIN\n27AABCS7723B1Z8),\nNashik 422001\n\n" +
				"The company gave a guarantee for the loan of its subsidiary M/s Satpuda Cold Storage Private Limited in the year 2023-24.\n",
			want: facts{"legal_name": "SATPUDA SPICE ESTATES PRIVATE LIMITED"}},
		"fraud that nobody came across": {
			text: scrutiny + "The audit party did not come across any act of fraud or suppression; all transactions are in the books. Notice under section 73 or 74 may follow.\n",
			want: facts{"fraud_alleged": false}},
		"an order of an office that is of customs too": {
			text: "GOVERNMENT OF INDIA\nOFFICE OF THE COMMISSIONER OF CUSTOMS & CENTRAL TAX (APPEALS), NAGPUR\nDIN 20260656XD0000F03C92\nOrder-in-Appeal No. NGP-APP-114-26-27\nDate of order: 12.06.2026\n" +
				"Appellant: M/s Torna Tools Private Limited\nGSTIN: 27AABCT1332L1ZU\n\nORDER-IN-APPEAL\n\n1. The appellant took transitional credit for the year 2017-18.\n2. Grounds of appeal. That we have never used the credit.\n\nORDER\nThe demand of CGST of Rs. 4,60,000/- is upheld.\n",
			want: facts{"issue_date": "2026-06-12", "gstin": "27AABCT1332L1ZU", "din": "20260656XD0000F03C92"}},
		"a notice of the GST department under an Act on professions": {
			text: "GOODS AND SERVICES TAX DEPARTMENT, GOVERNMENT OF MAHARASHTRA\nProfession Tax Branch, Nagpur\n\nNOTICE\nunder section 6 of the Maharashtra State Tax on Professions, Trades, Callings and Employments Act,\n1975\nPTO/NGP/B-118      Date: 06/11/2026\n" +
				"To\nM/s TORNA TOOLS PRIVATE LIMITED (GSTIN on record: 27AABCT1332L1ZU)\nYou are called upon to show cause why the difference of Rs. 22,500 with interest under section 9(2) should not be recovered.\n",
			want: facts{"gstin": nil, "issue_date": nil, "demand_total": nil}},
		"amounts of a scan misread by one digit, which the totals of their rows prove": {
			text:       order + "Details of demand (Rs.)\n\nAct       Tax          Interest     Penalty     Total\nCGST      2,95, 000    1,66, 750    20,500      3,92, 250°\nSGST      2,095,000    1,66, 750    20,500      3,92, 250\nTotal     4,10, 000    3,33, 500    41,000      7,84, 500\n",
			recognised: true,
			want:       facts{"demand": facts{"CGST": row(205000, 166750, 20500), "SGST": row(205000, 166750, 20500)}, "demand_total": 784500.0}},
		"a penalty that repeats the tax below its sum": {
			text: notice + "Para         IGST        CGST        SGST        Total\n3            0           6,00,000    6,00,000    12,00,000\n4            0           75,000      75,000      1,50,000\n6            3,60,000    0           0           3,60,000\n" +
				"Tax          3,60,000    6,75,000    6,75,000    17,10,000\nPenalty      3,60,000    6,75,000    6,75,000    17,10,000\nTotal        7,20,000    13,50,000   13,50,000   34,20,000\n\nYou are to show cause within 30 days why the above should not be recovered under section 74(1).\n",
			want: facts{"demand": facts{"IGST": row(360000, 0, 360000), "CGST": row(675000, 0, 675000), "SGST": row(675000, 0, 675000)}, "demand_total": 3420000.0}},
		"interest in words beside the amounts": {
			text: order + "Details of demand (Rs.)\n\n                 CGST            SGST\nTax              1,20,000        1,20,000\n\nInterest     as per act      as per act\n\nPenalty 10%      12,000          12,000\n\nTotal            1,32,000        1,32,000\n",
			want: facts{"demand": facts{"CGST": row(120000, 0, 12000), "SGST": row(120000, 0, 12000)}, "demand_total": 264000.0}},
		"the days of a contract beside the days to show cause": {
			text: notice + "GSTIN: 27AABCT1332L1ZU\n1. By clause 14 of the contract the contractor is to present a running bill within ten days.\n2. M/s Torna Tools Private Limited are called upon to show cause in writing to the Joint Commissioner, C.R. Building, Civil Lines, within 30 days of the receipt of this notice as to why tax of Rs. 2,00,000 should not be recovered under section 73(1).\n",
			want: facts{"reply_due": []any{"2026-09-11", "computed"}}},
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
