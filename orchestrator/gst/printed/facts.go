package printed

import (
	"maps"
	"slices"
	"strings"
)

// kinds are all facts that a rule may name, with their types.
var kinds = map[string]Kind{
	"today": Day,

	// The paper, according to the facts.
	"paper.kind":      Word,  // notice, order, intimation, scrutiny, audit notice, audit report, … (see kindsOfPaper)
	"paper.form":      Word,  // "DRC-01"; not set for a letter
	"paper.section":   Word,  // the section under which it proceeds: 73, 74 or 74A
	"paper.date":      Day,   // of issue; and the date of an earlier notice of its own, if it names one
	"paper.fraud":     Truth, // whether fraud, wilful misstatement or suppression is alleged
	"paper.cites":     Word,  // each section of the CGST Act that it cites, as cited
	"paper.rules":     Word,  // each rule that it cites
	"paper.reference": Word,  // the portal's number
	"paper.din":       Word,
	"paper.side":      Word, // central or state
	"paper.officer":   Word, // superintendent, assistant, deputy, joint, additional, inspector
	"paper.years":     Count,
	"paper.under_74a": Truth, // section 74A is for its years; both values if only for some of them
	"paper.single":    Truth, // it has one year and one charge
	"paper.credit":    Truth, // credit that was taken is in dispute
	"paper.state":     Word,  // the code of the State in the GSTIN
	"reply.last":      Day,
	"reply.days":      Count, // allowed from the date of the paper
	"hearing.day":     Day,

	// Which date is which.
	"notice.own_day":   Day, // of the show cause notice itself, in a notice or in an order on it
	"original.day":     Day, // of the order that an order on an appeal decides about, or that a recovery carries out
	"attachment.first": Day, // of an attachment of the same property before this one
	"recovery.day":     Day, // of a paper that recovers; today if its date is not read
	"refund.sixty":     Day, // sixty days from the application for a refund
	"summons.days":     Count,
	"column.only":      Truth, // a column does not add up although the total of the heads does
	"order.barred":     Truth, // the order is later than the last day for each of its years
	"notice.barred":    Truth, // no notice under section 73 can come any more for any year of the paper

	// What it demands.
	"demand.total":     Money,
	"demand.tax":       Money,
	"demand.interest":  Money,
	"demand.penalty":   Money,
	"demand.fee":       Money,
	"demand.excess":    Money, // excess of the printed total over the sum of the heads
	"penalty.over_ten": Money, // part of the penalty above ten per cent of the tax or ten thousand rupees
	"central.tax":      Money, // CGST
	"integrated.tax":   Money, // IGST

	// Particulars on which rules depend.
	"payment.amount":          Money, // already paid, according to the paper itself
	"payment.day":             Day,   // on which tax and interest were paid by DRC-03, according to the paper itself
	"interest.percent":        Count, // as charged
	"interest.over":           Money, // part of the interest above 18 per cent
	"notice.day":              Day,   // for an order: date of the preceding notice
	"order.by":                Day,   // for an order under section 74A: twelve months from its notice
	"order.by_longer":         Day,   // six months later, if the time was extended
	"pay.by_notice":           Day,   // for an order under section 73 or 74: thirty days from its notice
	"pay.last":                Day,   // last day to pay and close the proceedings with no penalty or a lower one
	"drc01a.mentioned":        Truth,
	"hearing.held":            Truth, // an order says that the person was heard
	"hearing.given":           Truth, // an order names a day that was given for a hearing
	"hearing.offered":         Truth, // the paper offers a hearing
	"reply.filed":             Truth, // an order says that a reply was filed
	"hearing.none":            Truth, // an order itself says that nobody was heard
	"order.days":              Count, // for an order: days since the preceding notice
	"order.workdays":          Count, // the same without Sundays
	"order.days_served":       Count, // for a detention: days from the service of the notice to the order
	"service.day":             Day,   // for a detention: service of the notice before the order
	"detention.day":           Day,
	"detention.days":          Count, // days from the detention to the notice
	"application.day":         Day,   // of the application for a refund
	"application.days":        Count, // days from the application to the paper
	"refund.item":             Money, // part of a refund that one reason denies
	"reclaimed.amount":        Money, // credit in Table 4(D)(1) that a working adds
	"audit.day":               Day,
	"audit.workdays":          Count, // from the notice to the audit
	"order.day":               Day,   // for a recovery or attachment: date of the order on which it is based
	"recovery.from":           Day,   // three months from that order (section 78)
	"attachment.ends":         Day,   // one year from the order of provisional attachment (section 83(2))
	"rectification.last":      Day,   // for an order: three months from its date (section 161)
	"default.months":          Count, // number of months for which returns are said to be missing
	"parallel.day":            Day,   // date of a notice by the other administration on the same matter
	"redetermination.ordered": Truth, // an appellate authority, tribunal or court directs it under section 75(2)
	"tax.paid_whole":          Day,   // on which all of the tax was paid, according to the paper
	"appeal.filed":            Day,   // for an order on an appeal
	// Four months from communication of the order appealed against (section 107(1) and (4)).
	"appeal.condonable":    Day,
	"appeal.no_power":      Truth, // the order says that it has no power to condone the delay
	"interest.on_credit":   Money, // part of the interest on late returns that is on tax paid by credit
	"composition.turnover": Money, // as stated in the notice
	"composition.limit":    Money, // limit of section 10(1)
	"days.offered":         Count, // days printed as the time to answer
	"goods.value":          Money, // of a detained consignment
	// The same including tax, at the highest rate unless the paper says that tax is included.
	"goods.value_most":    Money,
	"goods.exempt":        Truth, // the goods bear no tax, according to the paper
	"goods.exempt_excess": Money, // part of the penalty above what section 129(1) allows for them
	"reasons.bare":        Truth, // a notice for cancellation has no fact among its reasons
	"addressee.deceased":  Truth, // according to the name in the paper
	"plan.day":            Day,   // on which a resolution plan was approved
	"assessed.turnover":   Money, // of a person who is not registered
	"notice.tax":          Money, // proposed by the notice before an order
	"order.excess":        Money, // excess of the order's tax over notice.tax
	"annexure.differs":    Truth, // the paper's annexure computes another amount than the paper demands
	"return.day":          Day,   // on which the return with the credit was filed

	// What went before an order, and other steps.
	"reply.day":        Day,   // of the reply to the notice before an order
	"reply.until":      Count, // days from then to the order
	"reply.until_work": Count, // the same without Sundays
	"reply.allowed":    Day,   // until when a reply was allowed, if that is after the order
	"hearing.later":    Day,   // of a hearing that an order names, if that is after the order
	"revision.begins":  Day,   // six months from the order to be revised (section 108(2))
	"revision.ends":    Day,   // three years from it
	"auction.day":      Day,
	"auction.days":     Count, // from the notice of auction to the first bid or the auction
	"owner.came":       Truth, // the owner of detained goods came forward

	// Times at the stage of a paper.
	"reply.workdays":         Count, // the same as reply.days without Sundays
	"hearing.days":           Count, // from the paper to the hearing
	"hearing.sunday":         Day,   // of the hearing, if that is a Sunday
	"appeal.last":            Day,   // for an order: three months from its date (section 107(1))
	"appeal.last_condonable": Day,   // one month later (section 107(4))
	"deposit.appeal":         Money, // ten per cent of the order's tax
	"tribunal.last":          Day,   // for an order on an appeal (section 112(1))
	"revocation.last":        Day,   // for a cancellation: ninety days from the order (rule 23(1))
	"return.last":            Day,   // for an order under section 62: sixty days from it
	"return.last_fee":        Day,   // sixty days later, with a further late fee
	"audit.began":            Day,
	"audit.ends":             Day, // three months from then (section 65(4))
	"audit.ends_longer":      Day, // six months later
	"audit.closed":           Day,
	"audit.done":             Day, // the same, else the day of its report
	"audit.report_last":      Day, // thirty days from then (section 65(6))
	"drc01a.day":             Day,
	"drc01a.days":            Count, // from DRC-01A to the notice
	"workdays.offered":       Count, // printed as the time to answer
	"vehicle.letters":        Count, // number of characters in which two vehicle numbers in the paper differ
	"column.sum":             Money, // the correct sum of a column with a wrong total
	"column.printed":         Money,
	"column.differs":         Money,
	"penalty.over_twice":     Money, // part of the penalty on goods above two hundred per cent of their tax
	"cancelled.day":          Day,   // from which the registration of the person is cancelled
	"default.from":           Day,   // the first month for which the paper asks for a return
	"default.last":           Day,   // and the last

	// What letters, tables and orders say besides.
	"corrigendum.adds":       Truth, // a corrigendum adds a charge
	"corrigendum.more":       Money, // of the tax over that of the notice that it changes
	"corrigendum.puts_74":    Truth, // it puts section 74 for section 73
	"corrigendum.again":      Money, // tax of documents in its annexure that the notice had charged
	"deposit.paid":           Money, // with an appeal, as the paper says
	"appeal.in_three":        Day,   // three months from communication of the order appealed against
	"paper.slip":             Truth, // a total, a column or an annexure of the paper does not fit the rest
	"ground.differs":         Truth, // an order cancels for another clause than the notice before it
	"effect.day":             Day,   // from which a registration is cancelled or is to be
	"hearing.days_in_letter": Count, // of hearing that one letter fixed
	"interest.in_ledger":     Money, // of the interest, on cash that lay in the ledger by the due date
	"penalty.over_fifteen":   Money, // of the penalty in an intimation over fifteen per cent of the tax
	"composition.interest":   Money, // of the turnover, what is interest on deposits, loans or advances
	"composition.without":    Money, // the turnover without that interest

	// The paper's own arithmetic.
	"row.sum":            Money, // the correct sum of a row of the demand with a wrong total
	"row.printed":        Money,
	"row.differs":        Money,
	"row.twice":          Money, // tax of a row of an annexure that stands there twice
	"interest.tax":       Money, // of which the paper works out interest for days that it names
	"interest.days":      Count,
	"interest.right":     Money, // at 18 per cent for these days
	"interest.asked":     Money,
	"interest.beyond":    Money, // what is asked for above that
	"interest.due":       Day,   // on which the first tax of the period fell due
	"interest.most":      Money, // at 18 per cent on all of the tax from then until the paper
	"interest.over_most": Money,
	"penalty.over_tax":   Money, // part of the penalty above the tax
	"general.penalty":    Money, // under section 125 or 122(3)
	"general.over":       Money, // part of it above the limit of both Acts together
	"words.figure":       Money, // a sum in figures
	"words.sum":          Money, // which its words say otherwise
	"words.less":         Money,
	"order.penalty_over": Money, // of an order's penalty over what the notice proposed
	"notice.penalty":     Money,
	"charges.sum":        Money, // of the tax of all charges
	"charges.demand":     Money, // the tax of the table of the demand
	"charges.over":       Money, // part of that above their sum
	"payment.other":      Money, // paid, but on other points, or it is not said that it was left out
	"supplier.from":      Day,   // from which the registration of a supplier is cancelled
	"supplier.order":     Day,   // of the order that cancels it
	"eway.km":            Word,  // the distance in an e-way bill
	"eway.days":          Count, // for which it is valid by that
	"eway.generated":     Day,
	"eway.ends":          Day, // to the midnight of which it is valid
	"eway.stopped":       Day, // on which the vehicle was stopped
	"goods.twice_tax":    Money,
	"goods.over_twice":   Money, // part of the penalty above that, whoever came forward
	"fee.a_day":          Money,
	"fee.right":          Money, // at the notified rate for the days that the paper names
	"fee.over":           Money,
	"fee.annual_most":    Money, // of the late fee for an annual return to 2021-22
	"fee.annual_over":    Money,
	"refund.kind":        Word, // inverted, zone, export services, export goods, excess tax, deemed export, cash ledger
	"refund.relevant":    Day,  // the relevant date by its kind
	// the same for the first month of its period, if the date is that of a return
	"refund.first_relevant": Day,
	"refund.last":           Day, // two years from the relevant date
	"refund.first":          Day, // of the application before a deficiency memo
	"refund.memo":           Day,
	"refund.memo_days":      Count,
	"refund.last_memo":      Day, // refund.last with these days
	"refund.sanctioned":     Money,
	"refund.late_days":      Count, // from the end of sixty days to the order
	"refund.interest":       Money,

	"return.quarterly":     Truth, // a GSTR-3A for a month of a quarterly filer that does not end a quarter
	"appeal.overlooked":    Truth, // an order counts an appeal's time from its date although it prints a later communication
	"refund.right_last":    Day,   // two years from the payment of the right tax, for tax paid under the wrong head
	"registration.day":     Day,   // of the person, as a cancellation prints it
	"return.filed":         Day,   // before an assessment to the best of judgment
	"return.month":         Word,  // of that return
	"return.assessed":      Money, // for that month
	"refund.formula_gain":  Money, // by the formula of rule 89(5) since 5 July 2022 over the older one that a paper uses
	"fee.over_cap":         Money, // of the late fees of several returns, above the maximum by turnover
	"appeal.added":         Money, // of tax by an order on an appeal
	"charge.workers":       Count, // of a factory, as the charge names them
	"charge.months_equal":  Truth, // FORM GSTR-1 and GSTR-3B are equal over several months
	"charge.annual_day":    Day,   // on which the annual return was filed
	"default.quarter":      Truth, // the only period that a quarterly filer has not filed
	"application.workdays": Count, // to the paper, without Saturdays and Sundays
	"aadhaar.done":         Truth,

	"difference.right":      Money, // of FORM GST DRC-01B or DRC-01C, subtracted again head by head
	"difference.over":       Money, // what the form prints above that
	"difference.zero_rated": Money, // of it, tax on zero-rated supplies of Table 3.1(b)
	"difference.imports":    Money, // of it, credit of imports in Table 4(A)
	"difference.reverse":    Money, // of it, credit of reverse charge in Table 4(A)
	"difference.left":       Money, // what these leave
	"return.due":            Day,   // of the return that is said to be in default
	"default.filed":         Truth, // the paper says that this return was filed
	"statement.other":       Truth, // it relies on the statement of somebody else
	"order.new_ground":      Word,  // on which a refund is refused, and which was not in the notice by the order's account
	"order.bare":            Truth, // the reply is rejected in a sentence without a reason
	"rectification.six":     Day,   // for a rectified order: six months from the order that it changes (section 161)
	"charge.seats":          Count, // of the vehicles of a charge, the fewest

	// A financial year of the paper.
	"year.fy":       Year,
	"year.from":     Day,
	"year.to":       Day,
	"year.notice73": Day, // these are last days, under the Act
	// By notification, else under the Act; up to the end of the month if the counting of the day is disputed.
	"year.notice73_longer": Day,
	"year.order73":         Day,
	"year.order73_longer":  Day,
	"year.notice74":        Day,
	"year.notice74_longer": Day,
	"year.order74":         Day,
	"year.order74_longer":  Day,
	"year.notice74a":       Day,
	"year.extended_by":     Word,
	"year.records_last":    Day, // until which the year's accounts are to be kept (section 36)
	"year.credit_last":     Day, // for the year's credit under section 16(4)

	// A charge.
	"charge.issue":           Word, // as the tables of law name issues
	"charge.cites":           Word,
	"charge.from":            Day, // of its period, else of the paper's
	"charge.to":              Day,
	"charge.invoice_year":    Year,
	"charge.return_day":      Day,
	"charge.credit_last":     Day, // for the credit of the invoices' year under section 16(4)
	"charge.paid_day":        Day, // on which all of it was paid with interest
	"charge.amount":          Money,
	"charge.two_years":       Day,   // two years from the first day of the period that a charge names
	"charge.claimed_in_time": Truth, // the refund was applied for within them
	// the day on which the two years are said to have ended, with the days that N.13/2022-Central Tax leaves out
	"charge.two_years_longer": Day,
	"charge.turnover":         Money, // of the year before the period, as the charge names it
	"charge.day":              Day,   // the only day that it names
	"charge.month":            Day,   // the first of the one month that it is about
	"charge.fraud_elsewhere":  Truth, // another charge of the paper alleges fraud or hiding, and this one does not
	"charge.span":             Day,   // its first and its last day, as two values of one fact
	"charge.saved_16_5":       Money, // of the credit, what was in returns filed by 30 November 2021
	"charge.return_due":       Day,   // on which the return with the credit was due, by its month
	"charge.invoices_first":   Day,
	"charge.invoices_last":    Day,
	"charge.twice":            Word,  // an earlier paragraph that charges the same
	"charge.twice_amount":     Money, // the tax that both charge
	"outside.days":            Word,  // the days or the month of what is of another period than the paper's
	"outside.tax":             Money,
	"rate.value":              Money, // that a charge taxes at one rate
	"rate.percent":            Word,
	"rate.right":              Money, // the tax that makes
	"rate.over":               Money, // what is asked for above that
	"heads.claimed":           Money, // credit of all heads together
	"heads.statement":         Money, // as the statement has it
	"heads.excess":            Money, // of the heads with too much
	"charge.fee_turnover":     Money, // on which a late fee for the annual return depends
	"charge.fee_most":         Money, // of such a fee, under both Acts (N.7/2023-Central Tax)
	"charge.fee_over":         Money, // of the fee that is asked for, over that

	// What the files that the taxpayer handed in come to on a charge, or on the only such charge of a paper.
	"files.statement":     Word,  // what the return is compared with, "GSTR-2B"
	"files.difference":    Money, // as the files have it
	"files.explained":     Money, // the part that stands elsewhere in the returns
	"files.remains":       Money, // the rest
	"files.interest":      Money, // on the rest, by rule 88B
	"files.timing":        Money, // explained by a return of another month or year
	"files.wrong_head":    Money, // entered under one head in place of another
	"files.other_table":   Money, // explained by another table of the return
	"files.amended":       Money, // explained by an amendment
	"files.reversed":      Money, // credit reversed in Table 4(B)
	"files.ledger":        Truth, // the electronic credit ledger is among the files
	"files.unused":        Money, // by that ledger, of the rest, what was never used
	"files.interest_over": Money, // of the interest that the paper asks for, over files.interest

	// What the electronic cash ledger shows where interest is asked for on returns that were filed late.
	"files.cash":          Money, // of their tax, what was paid in cash after the due dates
	"files.cash_interest": Money, // on all of it
	"files.cash_over":     Money, // of the interest that the paper asks for, over files.cash_interest
	"files.lay":           Money, // of files.cash, what lay in the ledger from the due date to its debit
	"files.lay_interest":  Money, // on that
	"files.late_interest": Money, // on the rest, which is due

	// Other names that the texts of a point may use.
	"years": Word, "paras": Word, "amount": Money, "remains": Money,
}

// KindOf returns the type of a fact, 0 if it does not exist.
func KindOf(name string) Kind { return kinds[name] }

// IsInterest reports whether a fact is an amount of interest, which the tax of a charge does not limit.
func IsInterest(name string) bool {
	return strings.Contains(name, "interest") || name == "files.cash_over"
}

// Facts returns the names of all facts, sorted.
func Facts() []string { return slices.Sorted(maps.Keys(kinds)) }

// kindsOfPaper are the kinds of papers in words, by their forms.
var kindsOfPaper = map[string]string{
	"DRC-01": "notice", "DRC-02": "notice", "DRC-07": "order", "DRC-01A": "intimation", "ASMT-10": "scrutiny",
	"ADT-01": "audit notice", "ADT-02": "audit report", "ADT-03": "special audit", "DRC-01B": "liability difference",
	"DRC-01C": "credit difference", "DRC-01D": "recovery intimation", "DRC-13": "garnishee", "DRC-22": "attachment",
	"GSTR-3A": "return default", "ASMT-13": "best judgment order", "ASMT-14": "best judgment notice",
	"ASMT-16": "summary assessment", "REG-03": "registration query", "REG-17": "cancellation notice",
	"REG-31": "suspension", "REG-19": "cancellation order", "REG-23": "revocation notice",
	"CMP-05": "composition notice", "RFD-03": "deficiency memo", "RFD-08": "refund notice",
	"MOV-07": "detention notice", "MOV-09": "detention order", "RFD-06": "refund order",
	"MOV-10": "confiscation notice", "SPL-03": "waiver notice", "APL-04": "appellate order",
	"DRC-08": "rectified order", "REG-05": "registration refusal", "MOV-11": "confiscation order",
	"ASMT-15": "unregistered order",
	"DRC-10":  "auction notice", "DRC-17": "auction notice", "DRC-16": "property attachment",
	"MOV-02": "inspection order", "MOV-06": "detention notice",
	"RVN-01": "revision notice", "ASMT-02": "provisional query", "PCT-03": "practitioner notice",
}

// PaperKinds returns the kinds of papers in words, including letters without a form.
func PaperKinds() []string {
	return append(slices.Sorted(maps.Values(kindsOfPaper)), "letter", "corrigendum", "appeal letter", "hearing letter", "summons")
}
