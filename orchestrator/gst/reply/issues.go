package reply

// issueWords is what a reply says on one issue: its name, the facts that only the person can give, and the
// submissions of law.
type issueWords struct {
	name  string
	needs string
	law   []submission
}

// submission is a submission of law, with the conditions for using it. It names only provisions in the index, and no
// judgment.
type submission struct {
	text       string
	from       string   // the period in dispute ends on this day or later
	until      string   // the period in dispute begins on this day or before
	endsBefore string   // the whole period in dispute is before this day
	words      []string // one of these is in the allegation
	without    []string // none of these is in the allegation
	cites      []string // one of these is cited by the notice or in the allegation
	forms      []string // the notice is in one of these forms
	unless     []string // the notice is in none of these forms
	section    string   // the notice proceeds under this section
	central    bool     // it is based on a CBIC circular
	unlessRule string   // this rule is not pleaded; it says the same with the facts of the notice
}

func issueName(key string) string {
	if words, ok := issues[key]; ok {
		return words.name
	}
	return escape(key)
}

var issues = map[string]issueWords{
	"itc_2a2b_vs_3b": {
		name: "input tax credit claimed against FORM GSTR-2A or GSTR-2B",
		needs: "for each invoice in dispute: its number and date, the supplier, the tax, and why the statement does " +
			"not show it, such as reported late, in another period or under another GSTIN, import, reverse charge, " +
			"not reported",
		law: []submission{
			{text: "The Noticee submits that credit rests on the conditions of section 16(2): the tax invoice (clause " +
				"(a)), receipt of the goods or services (clause (b)) and the return under section 39 (clause (d)). A " +
				"difference between the totals of two statements does not by itself show that any of them fails for " +
				"any supply."},
			{text: "Section 16(2)(c) asks whether the tax charged on the particular supply was paid to the " +
				"Government. A difference between totals does not show, supplier by supplier and invoice by invoice, " +
				"that it was not.", cites: []string{"16(2)(c)"}},
			{text: "For the period of the notice the Act did not make credit depend on the supplier's details being " +
				"communicated to the recipient in FORM GSTR-2B: that condition is in the Act only from 01.01.2022.",
				endsBefore: "2022-01-01", unless: []string{"RFD-08"}},
			{text: "Section 16(2)(aa) is in force only from 01.01.2022. It does not govern credit of the months before.", until: "2021-12-31", from: "2022-01-01"},
			{text: "The limit by what suppliers had reported came into the Rules only on 09.10.2019 and has no " +
				"application to the period of the notice.", endsBefore: "2019-10-09"},
			{text: "From 09.10.2019 to 31.12.2019 rule 36(4) itself allowed credit beyond what suppliers had " +
				"reported, up to 20% of the eligible credit reported. A working without that allowance cannot stand: " +
				"[… working month by month].", from: "2019-10-09", until: "2019-12-31"},
			{text: "From 01.01.2020 to 31.12.2020 rule 36(4) itself allowed credit beyond what suppliers had " +
				"reported, up to 10% of the eligible credit reported. A working without that allowance cannot stand: " +
				"[… working month by month; for February to August 2020 the limit was to be applied cumulatively].",
				from: "2020-01-01", until: "2020-12-31"},
			{text: "From 01.01.2021 to 31.12.2021 rule 36(4) itself allowed credit beyond what suppliers had " +
				"reported, up to 5% of the eligible credit reported. A working without that allowance cannot stand: " +
				"[… working month by month]. [To be confirmed: for April to June 2021 the limit was to be applied " +
				"cumulatively, with the adjustment in the return of June 2021 or of the quarter that ends with it.]",
				from: "2021-01-01", until: "2021-12-31"},
			{text: "Circular 183/15/2022-GST of 27.12.2022 lays down how such differences of F.Y. 2017-18 and 2018-19 " +
				"are to be verified: on a certificate of the supplier, or of a chartered or cost accountant where the " +
				"difference for a supplier in a year is above ₹5 lakh. The Noticee asks that this be followed and " +
				"that its certificates be accepted.", until: "2019-03-31", from: "2017-07-01", central: true},
			{text: "Circular 193/05/2023-GST of 17.07.2023 carries the verification on certificates of the supplier, " +
				"or of a chartered or cost accountant, over to 01.04.2019 to 31.12.2021, from 09.10.2019 within the " +
				"limits of rule 36(4) as it then stood. The Noticee asks that this be followed and that its " +
				"certificates be accepted.", from: "2019-04-01", until: "2021-12-31", central: true},
			{text: "Where a supplier furnished its return and paid the tax later, rule 37A permits the credit to be " +
				"re-availed: [… suppliers that have since filed and paid].", from: "2022-04-01"},
		},
	},
	"gstr1_vs_3b": {
		name: "tax declared in FORM GSTR-1 against tax paid in FORM GSTR-3B",
		needs: "month by month: the tax in FORM GSTR-1, that in FORM GSTR-3B, the difference and its reason, such as " +
			"an amendment, a credit note, an advance, tax paid in a later return, an entry under a wrong head",
		law: []submission{
			{text: "The Noticee submits that tax is due on supplies, not on the difference between two statements. " +
				"Sections 37(3) and 39(9) permit errors and omissions to be rectified in a later period, and what was " +
				"so rectified is not tax unpaid."},
			{text: "Credit notes under section 34 and tax paid in a later FORM GSTR-3B or through FORM GST DRC-03 are " +
				"to be left out of the amount: [… amounts, with return or challan]."},
			{text: "Rule 88C(2) permits the difference to be explained, wholly or in part: what is explained above is " +
				"not payable.", forms: []string{"DRC-01B"}},
		},
	},
	"itc_17_5": {
		name:  "credit said to be blocked by section 17(5)",
		needs: "for each purchase in dispute: what it is, what it is used for, and the account in which it was booked",
		law: []submission{
			{text: "The Noticee submits that section 17(5) blocks only what its clauses name, and that the clause has " +
				"to be shown for each purchase."},
			{text: "Clauses (c) and (d) of section 17(5) do not reach plant and machinery, as explained at the end of " +
				"section 17, and construction is explained there to cover re-construction, renovation, additions, " +
				"alterations and repairs only to the extent of their capitalisation: [… what was capitalised, and " +
				"under which head].", cites: []string{"17(5)(c)", "17(5)(d)"}},
			{text: "Credit that was reversed in Table 4(B) of FORM GSTR-3B, or never claimed, is to be left out: [… " +
				"return and amount]."},
		},
	},
	"itc_16_4": {
		name: "credit said to be taken after the time limit of section 16(4)",
		needs: "for each invoice: its date, the financial year to which it pertains, the return in which the credit " +
			"was taken and the day on which that return was filed",
		law: []submission{
			{text: "The time limit of section 16(4) is counted from the end of the financial year to which the " +
				"invoice or debit note pertains: as it stood until 30.09.2022 to the due date of the return for the " +
				"September that follows, since 01.10.2022 to the 30 November that follows, or to the annual return if " +
				"that is earlier. The Noticee submits that it has to be tested invoice by invoice."},
			{text: "Section 16(5) allows credit of F.Y. 2017-18 to 2020-21 that was taken in a return filed up to " +
				"30.11.2021, whatever section 16(4) says: [… returns, with the days on which they were filed].",
				until: "2021-03-31"},
			{text: "[To be confirmed: where registration had been cancelled and was restored, section 16(6) gives more " +
				"time.]"},
		},
	},
	outwardIssue: {
		name: "bills said to have been issued without supply",
		needs: "for each customer: the order, the tax invoice and e-way bill, the dispatch and its transport, the " +
			"entry in the stock register and in FORM GSTR-1, and the payment received through the bank",
		law: []submission{
			{text: "The Noticee submits that it is for the department to show, invoice by invoice, that no goods or " +
				"services were supplied. What was supplied appears from the Noticee's own record: [… for each " +
				"invoice: dispatch, transport, receipt by the customer, payment]."},
			{text: "Tax charged on these invoices was declared in FORM GSTR-1 and paid in FORM GSTR-3B: [… returns " +
				"and amounts]. Where no supply is held to have been made, no tax on outward supply can be demanded as " +
				"well: Circular 171/03/2022-GST of 06.07.2022 has only the penalty of section 122(1)(ii) follow in " +
				"such a case.", central: true},
		},
	},
	"fake_invoice_nongenuine": {
		name: "purchases said not to be genuine",
		needs: "for each supplier: the order, the e-way bill and transport, the receipt into stock, the payment " +
			"through the bank, and the sale or use of what was bought",
		law: []submission{
			{text: "Whether the goods or services were received, section 16(2)(b), is a question of fact for each " +
				"invoice. The Noticee meets the burden that section 155 places on it by the documents referred to below.", words: []string{"receipt", "receiv", "16(2)(b)", "movement", "e-way", "existen", "bogus", "fake"}},
			{text: "The Noticee submits that what officers found at a supplier's premises on a later day, or the " +
				"cancellation of its registration afterwards, even with effect from an earlier day, does not show " +
				"that a supply was not made while the registration was active: [… for each supplier: dates of supply, " +
				"of the visit and of the cancellation; status on the portal on the dates of supply].",
				words: []string{"existen", "exist", "cancel", "premises", "place of business", "places of business",
					"verification"}},
			{text: "Section 16(2)(c) asks whether the tax charged on the particular supply was paid to the " +
				"Government, in cash or through admissible credit. What was done further up the chain of supply is " +
				"not the act of the Noticee: [… what the Noticee knew of it, and what the portal shows of the " +
				"suppliers' returns].", words: []string{"16(2)(c)", "suppliers discharged", "paid nothing in cash"}},
			{text: "An extract of a database of vehicles is no proof by itself of how goods travelled: [… for each " +
				"vehicle named: the number as on the e-way bill and the lorry receipt, and the explanation].",
				words: []string{"vahan", "vehicle number", "two-wheeler"}},
		},
	},
	"rcm": {
		name: "tax under reverse charge",
		needs: "for each payment: the supplier, the service, whether it is one that is notified, and whether the " +
			"supplier charged tax or reverse charge was paid",
		law: []submission{
			{text: "Section 9(3) reaches only the supplies that are notified under it. The Noticee submits that each " +
				"payment has to be shown to be for such a supply, by such a supplier, to such a recipient: [… the " +
				"notification and its entry, as it stood in the period].", cites: []string{"9(3)"}},
			{text: "Section 9(4) reaches only the supplies and the recipients that are notified under it: [… the " +
				"notification, as it stood in the period].", cites: []string{"9(4)"}},
			{text: "On freight, reverse charge is for the service of a goods transport agency, one that issues a " +
				"consignment note, and not where the agency charged the tax itself: [… consignment notes and invoices].", words: []string{"freight", "goods transport", "gta"}},
			{text: "Any tax found payable under reverse charge would, once paid, be available to the Noticee as " +
				"credit under section 16, so that the Noticee had nothing to gain by not paying it. [To be confirmed: " +
				"the purchase is used for taxable supplies and the credit is not blocked or out of time.]"},
		},
	},
	"eway_129": {
		name: "goods stopped in transit",
		needs: "the journey: invoice, e-way bill with its validity, vehicle, what happened on the way, where and when " +
			"the goods were stopped, and which documents were with them",
		law: []submission{
			{text: "Section 129(3) requires the notice within seven days of the detention and the order within seven " +
				"days of the service of the notice: [… date and hour of the detention, FORM GST MOV-06].",
				forms: []string{"MOV-07"}},
			{text: "Circular 64/38/2018-GST of 14.09.2018 names the minor errors in documents for which proceedings " +
				"under section 129 are not to be started. [To be confirmed: which of them the discrepancy is.]",
				central: true, forms: []string{"MOV-07"}},
			{text: "Rule 138(10) permits the validity of an e-way bill to be extended within eight hours from its " +
				"expiry. The delay arose as follows: [… reason for the delay].",
				words: []string{"expired", "validity", "valid e-way"}},
			{text: "The difference in quantity is explained as follows: [… how the quantity was measured, and with " +
				"what tolerance].", words: []string{"quantity", "excess"}},
			{text: "The Noticee submits that there was no intent to evade tax: [… tax charged in the invoice, its " +
				"entry in the books and in FORM GSTR-1]."},
			{text: "Section 130 is not a consequence of a breach in transit alone: the notice has to show which " +
				"clause of section 130(1) applies, and the intent to evade tax where the clause asks for it.",
				forms: []string{"MOV-10"}},
		},
	},
	"classification_rate": {
		name: "classification and rate of tax",
		needs: "what the goods or services are, what they are made of and used for, how the trade knows them, the " +
			"heading and rate applied and those proposed",
		law: []submission{
			{text: "The Noticee submits that it is for the department to show that the supply falls under the heading " +
				"that it proposes. The Noticee's own classification rests on [… heading, rate notification and its " +
				"entry, section and chapter notes]."},
			{text: "[… whether the same classification was followed and accepted before: periods, audits, letters]"},
		},
	},
	"valuation_discount": {
		name: "value of supply and discounts",
		needs: "for each credit note: the agreement, the invoices that it belongs to, and the reversal of credit by " +
			"the customer",
		law: []submission{
			{text: "A discount shown in the invoice is no part of the value by section 15(3)(a). One given after the " +
				"supply is no part of it by section 15(3)(b) where it was agreed at or before the supply, is linked " +
				"to the invoices, and the recipient reversed its credit: [… how each of the three is met]. [To be " +
				"confirmed: sections 15 and 34 as they stood in the period.]"},
		},
	},
	"refund_rejection": {
		name:  "rejection of refund",
		needs: "the answer to this objection, with the documents that bear it out",
		law: []submission{
			{text: "The Noticee submits that a paper which was not enclosed can be furnished, and that its absence is " +
				"no ground to refuse what section 54 gives. It asks that [… the paper, and its annexure] be taken on " +
				"record.", words: []string{"not enclosed", "not furnished", "not submitted", "not uploaded",
				"not legible", "declaration"}},
			{text: "The refund is to be worked out by the formula in rule 89(5): [… Net ITC with inputs, input " +
				"services and capital goods shown apart, turnover of inverted rated supply, adjusted total turnover, " +
				"tax payable].", cites: []string{"89(5)"}, words: []string{"89(5)", "net itc", "inverted"}},
			{text: "The refund is to be worked out by the formula in rule 89(4): [… Net ITC, turnover of zero-rated " +
				"supply, adjusted total turnover].", words: []string{"89(4)", "zero-rated", "zero rated", "export"},
				without: []string{"shipping bill", "manifest", "bank realisation", "brc", "firc", "section 13(8)"}},
		},
	},
	"reg_cancellation": {
		name:  "cancellation of registration",
		needs: "the answer to this reason, with dates",
		law: []submission{
			{text: "Under the proviso to rule 22(4) proceedings for returns not furnished, section 29(2)(b) or (c), " +
				"are dropped where all pending returns are furnished and the tax is paid with interest and late fee: " +
				"[… returns with their dates of filing, challans].", words: []string{"29(2)(c)", "29(2)(b)", "return"},
				forms: []string{"REG-17", "REG-31"}, unlessRule: "cancellation-file-returns"},
			{text: "As to the place of business the Noticee states: [… who was there, opening hours, whether the " +
				"place moved and when the change was applied for]. It asks for the report of the verification with " +
				"its photographs, which rule 25 requires to be uploaded.",
				words: []string{"21(a)", "conduct any business", "declared place", "locked", "not found",
					"non-functioning", "not functioning", "field visit", "does not exist"},
				forms: []string{"REG-17", "REG-31", "REG-23"}, unlessRule: "cancellation-place-of-business"},
			{text: "Section 29(2)(e) requires fraud, wilful misstatement or suppression of facts in obtaining the " +
				"registration. The notice has to say which statement was false, and how.",
				words: []string{"29(2)(e)", "fraud", "misstatement"}},
			{text: "The Noticee submits that cancellation, which brings its business to a stop, is not called for by " +
				"a default that has been or can be remedied.", words: []string{"29(2)(b)", "29(2)(c)", "not furnished",
				"not filed", "non-filing", "bank"},
				without: []string{"29(2)(e)", "fraud", "misstatement", "mis-statement", "suppression", "forged",
					"bogus", "fictitious", "non-existent"}},
		},
	},
	fraudIssue: {
		name:  "fraud, wilful misstatement or suppression of facts",
		needs: "where each transaction was recorded, declared or known to the department, with dates",
		law: []submission{
			{text: "The Noticee submits that fraud, wilful misstatement and suppression of facts to evade tax have to " +
				"be alleged with the acts that make them out, and proved by the department. That credit or tax is in " +
				"dispute does not make them out."},
			{text: "Explanation 2 to section 74 takes suppression to be the non-declaration of facts that a return, " +
				"statement or other document had to declare, or the failure to furnish information asked for in " +
				"writing. What the returns and the books showed was not suppressed: [… returns, books, letters].",
				section: "74"},
			{text: "Without these, the time limit and the penalty are those of section 73: section 75(2).",
				section: "74"},
			{text: "Without these, the penalty is that of section 74A(5)(i): section 75(2A).", section: "74A"},
		},
	},
	"interest_s50": {
		name: "interest under section 50",
		needs: "for each return: its due date, the day of filing, the tax paid in cash and from credit, and the cash " +
			"ledger between the two days",
		law: []submission{
			{text: "The Noticee submits that interest follows the tax: where none was unpaid, none is due."},
			{words: []string{"late", "belated", "delay", "after the due date", "cash", "88b(1)"},
				text: "On a return furnished after its due date, interest is due under the proviso to section 50(1) " +
					"and rule 88B(1) only on the tax paid by debit of the electronic cash ledger, from the due date " +
					"to the debit, unless the return was furnished after proceedings had begun. Cash that lay in the " +
					"ledger from the due date on bears none."},
			{text: "The Noticee's working, return by return, is [… working of interest]."},
		},
	},
	"common_credit_r42_43": {
		name: "reversal of common credit",
		needs: "month by month: the common credit, the exempt and the total turnover, the reversal made, and the " +
			"working after the year's end",
		law: []submission{
			{text: "The Noticee submits that receipts count as exempt turnover only where they are for an exempt " +
				"supply, section 2(47) and section 17(3): [… nature of the receipts]."},
			{text: "Section 17(2) and rule 42 require the reversal only of the share of exempt in total turnover, and " +
				"only of the common credit: credit used for taxable supplies alone stays out, and so does what was " +
				"reversed already. The Noticee's working is [… working under rule 42 by month and year].",
				words: []string{"42", "common", "17(2)"}},
			{text: "Credit of capital goods is spread as rule 43 has it: [… working].",
				words: []string{"rule 43", "capital goods"}},
		},
	},
	"job_work_143": {
		name:  "goods sent for job work",
		needs: "for each challan: what was sent, when, and when it came back or was supplied from the job worker's place",
		law: []submission{
			{text: "Section 143 and rule 45 permit goods to be sent to a job worker without payment of tax. What came " +
				"back, or was supplied from there, in time is not a supply to the job worker: [… challans, FORM GST " +
				"ITC-04]."},
		},
	},
}
