package defences

import (
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
)

// The results of single rules on a paper, with the amount that they take away; "" if a rule is not raised.
func TestWhatRulesComeTo(t *testing.T) {
	const (
		intimation = "FORM GST DRC-01A\nIntimation of tax ascertained as payable under section 73(5)\nDate 16/11/2026\nGSTIN 29XKMFM7714C1ZX\n"
		penalties  = "Act Tax Interest Penalty Total\nCGST 1,00,000 0 15,000 1,15,000\nSGST 1,00,000 0 15,000 1,15,000\n"
		audit      = "FORM GST ADT-02\nAudit Report under Section 65(6)\nReference No.: ZD321026019905E Date: 30-10-2026\nGSTIN: 29XKMFM7714C1ZX\n" +
			"F.Y. 2023-24\nThe audit was commenced at your place of business on 05-01-2026.\n"
		corrigendum = "OFFICE OF THE SUPERINTENDENT OF CENTRAL TAX\nDate: 21.10.2026\nCORRIGENDUM\nTo: M/s. A. GSTIN 29XKMFM7714C1ZX\nShow Cause Notice " +
			"dated 18.09.2026 for the period 2022-23, issued under Section 73(1), for invoices ZC-88123 and ZC-90417 of Zephyr, is amended:\n"
		inserted = "(ii) After paragraph 6 the following paragraph shall be inserted: integrated tax of Rs. 9,40,000 was payable under reverse " +
			"charge as in the Annexure.\nANNEXURE\n1 Zephyr ZC-88123 14.06.2022 18,00,000 3,24,000\n2 Kestrel KD/23/044 08.02.2023 34,22,222 6,16,000\n"
		puts74    = "(i) For \"Section 73(1)\", wherever occurring, read \"Section 74(1)\".\n"
		detention = "FORM GST MOV-07\nNOTICE UNDER SECTION 129(3)\nDt. 13/11/2026\nGSTIN 06YMPLF5518B1ZV\n"
		appeared  = " On 05/11/2026 the owner appeared with a letter.\nTotal penalty proposed Rs. 3,20,000.\n"
		notice74  = "FORM GST DRC-01\nDate 22/09/2026\nSection under which show cause notice is issued 74\nF.Y. 2021-22\nGSTIN 29XKMFM7714C1ZX\n" +
			"Act Tax Interest Penalty Total\nCGST 15,20,000 0 0 15,20,000\nSGST 15,20,000 0 0 15,20,000\nTotal 30,40,000 0 0 30,40,000\n" +
			"1. Credit was availed by suppression of facts.\nPara Year CGST SGST Total\n5 2021-22 9,00,000 9,00,000 18,00,000\n"
		letter = "Office of the Deputy Commissioner of State Tax\nLetter No. 2118 Dated 12.11.2026\nGSTIN 20WMSTO9916F1ZX\nSub.: Fixation of date of " +
			"hearing in SCN No. ZD200926014402V dated 22.09.2026, F.Y. 2022-23\nYou may file your reply by 16.11.2026. "
		order = "FORM GST DRC-01\nDate 12/02/2025\nSection under which show cause notice is issued 74\nF.Y. 2020-21\nGSTIN 24XPLCB8205N1ZW\n"
		late  = "1. Credit beyond time. Credit of CGST Rs. 5,10,000 and SGST Rs. 5,10,000 on invoices of the year 2020-21 was taken in the return furnished " +
			"on 22.11.2021, and credit of IGST Rs. 2,40,000 on invoices of the same year in the return furnished on "
		rent = "FORM GST DRC-01\nSHOW CAUSE NOTICE\nDate: 03/11/2026\nSection under which show cause notice is issued 74A\nF.Y. 2024-25\nGSTIN 06XKBZN2214H1ZF\n" +
			"1. Reverse charge on rent of godown. Tax under reverse charge under Section 9(3) on rent paid to Smt. B, who is not registered, was not paid:\n"
		other = "2. Credit. Credit of CGST Rs. 50,000 and HGST Rs. 50,000 was wrongly availed in contravention of Section 16(2).\n3. Summary of the demand\n" +
			"Paragraph IGST CGST HGST Total\n1 0 2,16,000 2,16,000 4,32,000\n2 0 50,000 50,000 1,00,000\nTax 0 2,66,000 2,66,000 5,32,000\n"
		defaulted = "FORM GSTR - 3A\n[See rule 68]\nReference No: ZA211126073340U "
		october   = "GSTIN: 21YBHDM3308P1ZN\nNotice to return defaulter u/s 46 for not filing return\nType of Return - GSTR-3B\n" +
			"Tax Period - OCT 2026 (filing frequency: Monthly)\nYou are requested to furnish the said return within 15 days.\n"
		table = "Head Tax Interest Penalty Total\nIGST 2,40,000 0 24,000 2,64,000\nCGST 5,10,000 0 51,000 5,61,000\nSGST 5,10,000 0 51,000 5,61,000\n" +
			"Total 12,60,000 0 1,26,000 13,86,000\n"
		order73 = "FORM GST DRC-07\nOrder under section 73\nReference No.: ZD070225019911K Date: 12/02/2025\nSection under which order is passed 73\n" +
			"F.Y. 2020-21\nGSTIN 24XPLCB8205N1ZW\nIssue No. 1 : Scrap. Tax on scrap, CGST 45,000 and SGST 45,000, is confirmed as proposed.\n"
		onOrder  = "Head Tax Interest Penalty Total\nCGST 92,500 0 9,250 1,01,750\nSGST 92,500 0 9,250 1,01,750\nTotal 1,85,000 0 18,500 2,03,500\n"
		credit2B = "FORM GST DRC-01C\nPART-A (System Generated)\nRef No: ZD270926140083R Date: 30/09/2026\nGSTIN: 27XDVSW7716C1Z4\n" +
			"Tax period: AUG 2026\nDescription IGST CGST SGST Cess Total\nITC available in FORM GSTR-2B 3,90,000 1,24,000 1,24,000 0 6,38,000\n" +
			"FORM GSTR-3B 6,42,000 1,55,000 1,55,000 0 9,52,000\nExcess input tax credit availed 2,52,000 31,000 31,000 0 3,14,000\nTable 4(A)\n"
		cancelled = "FORM GST REG-19\nReference Number : ZA030825049926L Date : 14/08/2025\nGSTIN / UIN : 03SGXPS7781D1ZA\n" +
			"Date of registration : 05/09/2018\nOrder for Cancellation of Registration\n"
		attached  = "FORM GST DRC-22\nProvisional attachment of property under section 83\nDate: 16/11/2026\nGSTIN 27XDVSW7716C1Z4\n"
		rectified = "FORM GST DRC-08\nRectification of Order\nReference no.: ZD241026009917P Date: 05/10/2026\nGSTIN 24WRNCE7138L1ZM\n" +
			"Original order ZD241225048130M dated 24/12/2025, section 73, F.Y. 2021-22\n"
		tcs = "FORM GST DRC-01\nSHOW CAUSE NOTICE\nDate: 03/11/2026\nSection under which show cause notice is issued 74A\nF.Y. 2025-26\n" +
			"GSTIN 06XKBZN2214H1ZF\n1. TCS. Tax collected at source under section 52(1) at 1% was short deposited: CGST Rs. 60,000 and HGST Rs. 60,000.\n" +
			"Act Tax Interest Penalty Total\nCGST 60,000 0 0 60,000\nHGST 60,000 0 0 60,000\nTotal 1,20,000 0 0 1,20,000\n"
		composition = "FORM GST DRC-01A\nIntimation of tax ascertained as payable under section 73(5)\nDate 16/11/2026\nGSTIN 10XBNPJ3372A1ZM\nF.Y. 2022-23\n"
		appealed    = "FORM GST APL-04\nOrder in appeal under section 107\nDate: 20/06/2025\nGSTIN 24XPLCB8205N1ZW\n" +
			"Order appealed against: ZD240125048130M dated 02/01/2025, communicated on 10/01/2025. Tax Rs. 1,00,000.\n" +
			"The appeal was filed on 06/05/2025. Counted from the date of the order it is beyond four months and is barred by limitation. I have no power to condone.\n"
	)
	for _, c := range []struct{ name, text, rule, verdict, amount string }{
		{"penalty before a notice", intimation + "F.Y. 2022-23\n" + penalties, "penalty-before-notice-73", defence.Applies, "₹30,000"},
		{"of a year of section 74A", intimation + "F.Y. 2024-25\n" + penalties, "penalty-before-notice-73", defence.DoesNotApply, ""},
		{"by section 74A", intimation + "F.Y. 2024-25\n" + penalties, "penalty-before-notice-74a", defence.Applies, "₹30,000"},
		{"not by section 74A", intimation + "F.Y. 2022-23\n" + penalties, "penalty-before-notice-74a", "", ""},

		{"an audit that ended late", audit + "The audit was concluded on 20-10-2026.\n", "audit-beyond-nine-months", defence.Applies, ""},
		{"only its report is late", audit, "audit-beyond-nine-months", defence.MayApply, ""},
		{"an audit in time", audit + "The audit was concluded on 01-10-2026.\n", "audit-beyond-nine-months", defence.DoesNotApply, ""},

		{"a charge added too late", corrigendum + inserted, "corrigendum-after-the-last-day-73", defence.Applies, "₹9,40,000"},
		{"with section 74", corrigendum + puts74 + inserted, "corrigendum-after-the-last-day-73", defence.MayApply, "₹9,40,000"},
		{"section 74 without fraud", corrigendum + puts74 + inserted, "corrigendum-puts-section-74", defence.MayApply, ""},
		{"section 74 with fraud", corrigendum + puts74 + "(iii) The noticee suppressed facts with intent to evade tax.\n", "corrigendum-puts-section-74", defence.DoesNotApply, ""},
		{"no section 74", corrigendum + inserted, "corrigendum-puts-section-74", "", ""},
		{"an invoice again", corrigendum + inserted, "corrigendum-charges-again", defence.MayApply, "₹3,24,000"},

		{"nine days from MOV-06", detention + "Goods were detained by order in FORM GST MOV-06 dt. 04/11/2026." + appeared, "detention-notice-late", defence.Applies, "₹3,20,000"},
		{"seven days from MOV-06", detention + "Goods intercepted on 02/11/2026 were detained by order in FORM GST MOV-06 dt. 06/11/2026." + appeared, "detention-notice-late", defence.DoesNotApply, ""},

		{"a year of a row", notice74 + "9 2020-21 6,20,000 6,20,000 12,40,000\nTotal 15,20,000 15,20,000 30,40,000\n", "time-limit-74-notice", defence.Applies, "₹12,40,000"},
		{"no year out of time", notice74 + "9 2022-23 6,20,000 6,20,000 12,40,000\nTotal 15,20,000 15,20,000 30,40,000\n", "time-limit-74-notice", defence.DoesNotApply, ""},

		{"a hearing before the reply", letter + "Hearing is fixed on 15.11.2026 at 10:30 AM.\n", "hearing-before-reply-75", defence.Applies, ""},
		{"a hearing after the reply", letter + "Hearing is fixed on 18.11.2026 at 10:30 AM.\n", "hearing-before-reply-75", defence.DoesNotApply, ""},
		{"a hearing too soon", letter + "Hearing is fixed on 15.11.2026 at 10:30 AM.\n", "hearing-too-soon", defence.MayApply, ""},
		{"a hearing on a Sunday", letter + "Hearing is fixed on 15.11.2026 at 10:30 AM.\n", "hearing-on-a-sunday", defence.MayApply, ""},
		{"a hearing on a Wednesday", letter + "Hearing is fixed on 18.11.2026 at 10:30 AM.\n", "hearing-on-a-sunday", "", ""},
		{"a letter names its notice", letter + "Hearing is fixed on 18.11.2026 at 10:30 AM.\n", "no-notice-in-time-73", "", ""},

		{"late credit in two returns", order + late + "14.12.2021. It is hit by Section 16(4).\n2. Freight. Tax of IGST Rs. 1,000 was short paid.\n" + table,
			"credit-16-5-in-part", defence.Applies, "₹10,20,000"},
		{"late credit in time", order + late + "29.11.2021. It is hit by Section 16(4).\n2. Freight. Tax of IGST Rs. 1,000 was short paid.\n" + table,
			"credit-16-5-in-part", "", ""},

		{"rent on both sides of a first day", rent + "April 2024 to September 2024 12,00,000 2,16,000\nOctober 2024 2,00,000 36,000\nNovember 2024 to March 2025 " +
			"10,00,000 1,80,000\nTotal 24,00,000 4,32,000\n" + other, "reverse-charge-shop-rent-before-october-2024", defence.Applies, "₹2,16,000"},
		{"rent in one row", rent + "April 2024 to March 2025 24,00,000 4,32,000\n" + other, "reverse-charge-shop-rent-before-october-2024", defence.MayApply, "₹4,32,000"},
		{"rows that do not make the charge", rent + "April 2024 to September 2024 12,00,000 2,16,000\nNovember 2024 to March 2025 5,00,000 90,000\n" + other,
			"reverse-charge-shop-rent-before-october-2024", defence.MayApply, "₹4,32,000"},
		{"rent of a dwelling on both sides", strings.NewReplacer("godown", "a residential dwelling", "2024-25", "2022-23", "2024", "2022", "2025", "2023", "September", "June",
			"October", "July").Replace(rent) + "April 2022 to June 2022 6,00,000 1,08,000\nJuly 2022 2,00,000 36,000\nAugust 2022 to March 2023 16,00,000 " +
			"2,88,000\nTotal 24,00,000 4,32,000\n" + other, "reverse-charge-dwelling-before-july-2022", defence.Applies, "₹1,08,000"},
		{"a dwelling of the municipality", strings.NewReplacer("godown", "a guest house of the municipality", "2024-25", "2021-22", "2024", "2021", "2025", "2022").Replace(rent) +
			"April 2021 to March 2022 24,00,000 4,32,000\n" + other, "reverse-charge-dwelling-before-july-2022", defence.MayApply, "₹4,32,000"},

		{"tax first seen in the order", order73 + "Issue No. 2 : Freight. While writing this order I have noticed that tax on freight was not paid, CGST 47,500 and SGST 47,500.\n" +
			onOrder, "order-on-a-point-first-seen-in-it", defence.Applies, "₹95,000"},
		{"interest first seen in the order", order73 + "Issue No. 2 : Interest. While writing this order I have noticed that interest on CGST 47,500 and SGST 47,500 was not paid.\n" +
			onOrder, "order-on-a-point-first-seen-in-it", "", ""},
		{"interest that needs no notice", order73 + "Issue No. 2 : Delay. CGST 47,500 and SGST 47,500 were paid late. Interest is payable by section 75(9). For this point no notice is needed.\n" +
			onOrder, "order-on-a-point-first-seen-in-it", defence.MayApply, "₹95,000"},

		{"imported services", credit2B + "(2) Import of services 1,80,000 0 0\n", "credit-difference-imports", defence.Applies, "₹1,80,000"},
		{"imported goods", credit2B + "(1) Import of goods 1,80,000 0 0\n", "credit-difference-imports", "", ""},
		{"imported goods in the statement", credit2B + "(1) Import of goods 1,80,000 0 0\n", "credit-difference-imported-goods", defence.MayApply, ""},

		{"a report not attached", cancelled + "The report of the Inspector dated 06/08/2025, copy not attached, says that the place is closed.\n",
			"cancellation-on-a-report-not-given", defence.Applies, ""},
		{"a paper of the reply not attached", cancelled + "The report of the Inspector dated 06/08/2025 was sent to you. The rent agreement was not attached to the reply.\n",
			"cancellation-on-a-report-not-given", "", ""},
		{"effect before the grant", cancelled + "The effective date of cancellation of your registration is 01/07/2017.\n",
			"cancellation-before-the-registration", defence.MayApply, ""},

		{"seven days to object", attached + "You may file an objection in FORM GST DRC-22A within seven days of the attachment.\n",
			"attachment-objection-at-any-time", defence.Applies, ""},
		{"seven days for the bank", attached + "You may file an objection in FORM GST DRC-22A. The bank shall state the balance within seven days.\n",
			"attachment-objection-at-any-time", "", ""},
		{"an account of the wife", attached + "The savings account of the wife of the director is attached.\n", "attachment-of-somebody-elses-account", defence.MayApply, ""},
		{"a wife who has no account here", attached + "The account of the company is attached. The order was handed to the wife of the director.\n",
			"attachment-of-somebody-elses-account", "", ""},

		{"collection at half the rate", tcs, "tcs-half-per-cent-from-july-2024", defence.MayApply, ""},
		{"composition tax that was paid", composition + "Tax Rs. 1,62,000 paid by CMP-08 can not be considered.\n", "composition-tax-to-be-set-off", defence.MayApply, ""},
		{"composition tax and another refusal", composition + "Tax Rs. 1,62,000 was paid by CMP-08. A further adjournment is not allowed.\n",
			"composition-tax-to-be-set-off", "", ""},
		{"the time for appeal from communication", appealed, "appeal-delay-counted-from-the-order", defence.Applies, ""},

		{"a rectification on another view", rectified + "The inspecting authority is of the opinion that the rate is 18%.\n", "rectification-of-a-debatable-point", defence.MayApply, ""},
		{"a rectification that was asked for", rectified + "The application of the dealer is accepted: it is of the view that the rate is 12%.\n",
			"rectification-of-a-debatable-point", defence.DoesNotApply, ""},
		{"a late rectification", rectified + "The rate is changed.\n", "rectification-after-six-months", defence.MayApply, ""},
		{"a late rectification that was asked for", rectified + "On the application of the taxpayer the demand is reduced.\n",
			"rectification-after-six-months", defence.DoesNotApply, ""},

		{"a notice before the return was due", defaulted + "Date: 19/11/2026\n" + october, "return-default-premature", defence.Applies, ""},
		{"a notice after it", defaulted + "Date: 19/12/2026\n" + october, "return-default-premature", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tables, pages := law.Built(), []gst.Page{{Text: c.text}}
			points := defence.Evaluate(Built(), tables, gst.Read(tables, pages), pages, law.ParseDay("2026-11-27"))
			verdict, amount := "", ""
			if i := slices.IndexFunc(points, func(p defence.Point) bool { return p.ID == c.rule }); i >= 0 {
				verdict = points[i].Verdict
				if a := points[i].Amount; a != nil {
					amount = a.String()
				}
			}
			if verdict != c.verdict || amount != c.amount {
				t.Errorf("%s is %q with %q, it should be %q with %q", c.rule, verdict, amount, c.verdict, c.amount)
			}
		})
	}
}
