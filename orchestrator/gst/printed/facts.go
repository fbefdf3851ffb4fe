package printed

import (
	"maps"
	"slices"
	"strings"
)

// kinds lists all facts that a rule may name, with their types.
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
	"paper.under_74a": Truth, // section 74A applies to its years; both values if only to some of them
	"paper.single":    Truth, // it has one year and one charge
	"paper.credit":    Truth, // credit that was taken is in dispute
	"paper.state":     Word,  // the code of the State in the GSTIN
	"reply.last":      Day,
	"reply.days":      Count, // allowed from the date of the paper
	"hearing.day":     Day,

	// The dates that a paper names, told apart by what they are the date of.
	"notice.own_day":   Day, // of the show cause notice itself, in a notice or in an order on it
	"original.day":     Day, // of the order that an order on an appeal decides about, or that a recovery carries out
	"attachment.first": Day, // of an attachment of the same property before this one
	"recovery.day":     Day, // the date of a paper of recovery; today if its date is not read
	"refund.sixty":     Day, // sixty days after the application for a refund
	"summons.days":     Count,
	"column.only":      Truth, // a column does not add up although the total of the heads does
	"order.barred":     Truth, // the order is later than the last day for each of its years
	"notice.barred":    Truth, // no notice under section 73 can be issued any more for any year of the paper

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

	// Details on which rules depend.
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

	// What preceded an order, and other steps.
	"reply.day":        Day,   // of the reply to the notice before an order
	"reply.until":      Count, // days from then to the order
	"reply.until_work": Count, // the same without Sundays
	"reply.allowed":    Day,   // last day allowed for a reply, if that is after the order
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
	"audit.done":             Day, // the same or, if there is none, the day of its report
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

	// What letters, tables and orders say in addition.
	"corrigendum.adds":       Truth, // a corrigendum adds a charge
	"corrigendum.more":       Money, // excess of its tax over that of the notice that it changes
	"corrigendum.puts_74":    Truth, // it replaces section 73 by section 74
	"corrigendum.again":      Money, // tax on documents in its annexure that the notice had charged already
	"deposit.paid":           Money, // with an appeal, according to the paper
	"appeal.in_three":        Day,   // three months from communication of the order appealed against
	"paper.slip":             Truth, // a total, a column or an annexure of the paper does not match the rest
	"ground.differs":         Truth, // the order cancels under a clause that its notice did not name
	"effect.day":             Day,   // from which a registration is or will be cancelled
	"hearing.days_in_letter": Count, // number of days of hearing that one letter fixed
	"interest.in_ledger":     Money, // part of the interest that is on cash which was in the ledger by the due date
	"penalty.over_fifteen":   Money, // part of the penalty in an intimation above fifteen per cent of the tax
	"composition.interest":   Money, // part of the turnover that is interest on deposits, loans or advances
	"composition.without":    Money, // the turnover without that interest

	// The paper's own arithmetic.
	"row.sum":            Money, // the correct sum of a row of the demand with a wrong total
	"row.printed":        Money,
	"row.differs":        Money,
	"row.twice":          Money, // tax of a row of an annexure that is listed twice
	"interest.tax":       Money, // the tax on which the paper computes interest for days that it names
	"interest.days":      Count,
	"interest.right":     Money, // interest at 18 per cent for these days
	"interest.asked":     Money,
	"interest.beyond":    Money, // interest demanded above that
	"interest.due":       Day,   // on which the first tax of the period was due
	"interest.most":      Money, // interest at 18 per cent on all of the tax from then until the paper
	"interest.over_most": Money,
	"penalty.over_tax":   Money, // part of the penalty above the tax
	"general.penalty":    Money, // under section 125 or 122(3)
	"general.over":       Money, // part of it above the limit of both Acts together
	"words.figure":       Money, // a sum in figures
	"words.sum":          Money, // the different sum that its words state
	"words.less":         Money,
	"order.penalty_over": Money, // part of an order's penalty above what the notice proposed
	"notice.penalty":     Money,
	"charges.sum":        Money, // sum of the tax of all charges
	"charges.demand":     Money, // tax in the table of the demand
	"charges.over":       Money, // excess of that over their sum
	"payment.other":      Money, // paid, but on other points, or it is not said that it was left out
	"supplier.from":      Day,   // from which the registration of a supplier is cancelled
	"supplier.order":     Day,   // of the order that cancels it
	"eway.km":            Word,  // the distance in an e-way bill
	"eway.days":          Count, // number of days for which it is valid at that distance
	"eway.generated":     Day,
	"eway.ends":          Day, // the last day on which it is valid, until midnight
	"eway.stopped":       Day, // on which the vehicle was stopped
	"goods.twice_tax":    Money,
	"goods.over_twice":   Money, // part of the penalty above that limit, whoever came forward
	"fee.a_day":          Money,
	"fee.right":          Money, // at the notified rate for the days that the paper names
	"fee.over":           Money,
	"fee.annual_most":    Money, // highest late fee for an annual return up to 2021-22
	"fee.annual_over":    Money,
	"refund.kind":        Word, // inverted, zone, export services, export goods, excess tax, deemed export, cash ledger
	"refund.relevant":    Day,  // the relevant date by its kind
	// the same for the first month of its period, if the date is that of a return
	"refund.first_relevant": Day,
	"refund.last":           Day, // two years from the relevant date
	"refund.first":          Day, // of the application before a deficiency memo
	"refund.memo":           Day,
	"refund.memo_days":      Count,
	"refund.last_memo":      Day, // refund.last extended by these days
	"refund.sanctioned":     Money,
	"refund.late_days":      Count, // from the end of sixty days to the order
	"refund.interest":       Money,

	"return.quarterly": Truth, // a GSTR-3A to a quarterly filer for a month that does not end a quarter
	// An order counts the time for the appeal from its date although it prints a later communication.
	"appeal.overlooked": Truth,
	"refund.right_last": Day,   // two years from the payment of the right tax, for tax paid under the wrong head
	"registration.day":  Day,   // of the person, as a cancellation prints it
	"return.filed":      Day,   // on which a return was filed before a best judgment assessment
	"return.month":      Word,  // the month of that return
	"return.assessed":   Money, // tax assessed for that month
	// Additional refund by the formula of rule 89(5) since 5 July 2022, compared with the older formula that the paper
	// uses.
	"refund.formula_gain":  Money,
	"fee.over_cap":         Money, // part of the late fees of several returns above the maximum by turnover
	"appeal.added":         Money, // tax that an order on an appeal adds
	"charge.workers":       Count, // number of workers of a factory, as stated in the charge
	"charge.months_equal":  Truth, // FORM GSTR-1 and GSTR-3B are equal over several months
	"charge.annual_day":    Day,   // on which the annual return was filed
	"default.quarter":      Truth, // the only period that a quarterly filer has not filed
	"application.workdays": Count, // working days until the paper, without Saturdays and Sundays
	"aadhaar.done":         Truth,

	"difference.right":      Money, // the difference in FORM GST DRC-01B or DRC-01C, computed again by head
	"difference.over":       Money, // what the form prints above that
	"difference.zero_rated": Money, // part of it that is tax on zero-rated supplies of Table 3.1(b)
	"difference.goods":      Money, // part of it that is credit on imported goods in Table 4(A)(1)
	"difference.services":   Money, // part of it that is credit on imported services in Table 4(A)(2)
	"difference.reverse":    Money, // part of it that is credit on reverse charge in Table 4(A)
	"difference.left":       Money, // what remains after these
	"return.due":            Day,   // of the return that is said to be missing
	"default.filed":         Truth, // the paper says that this return was filed
	"statement.other":       Truth, // the paper relies on the statement of another person
	// The ground on which a refund is refused and which, according to the order, was not in the notice.
	"order.new_ground":  Word,
	"order.bare":        Truth, // the reply is rejected in a sentence without a reason
	"rectification.six": Day,   // for a rectified order: six months from the order that it changes (section 161)
	"charge.seats":      Count, // number of seats of the vehicles in a charge, the lowest

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
	"year.records_last":    Day, // until which the accounts of the year must be kept (section 36)
	"year.credit_last":     Day, // last day for the year's credit under section 16(4)

	// A charge.
	"charge.issue":           Word, // as the tables of law name issues
	"charge.cites":           Word,
	"charge.from":            Day, // of its period or, if it has none, of the paper's
	"charge.to":              Day,
	"charge.invoice_year":    Year,
	"charge.return_day":      Day,
	"charge.credit_last":     Day, // last day for the credit of the invoices' year under section 16(4)
	"charge.paid_day":        Day, // on which all of it was paid with interest
	"charge.amount":          Money,
	"charge.two_years":       Day,   // two years from the first day of the period that a charge names
	"charge.claimed_in_time": Truth, // the refund was applied for within these two years
	// the day on which the two years are said to have ended, with the days that N.13/2022-Central Tax leaves out
	"charge.two_years_longer": Day,
	"charge.turnover":         Money, // turnover of the year before the period, as stated in the charge
	"charge.day":              Day,   // the only day that it names
	"charge.month":            Day,   // the first day of the only month that it is about
	"charge.fraud_elsewhere":  Truth, // another charge of the paper alleges fraud or suppression, and this one does not
	"charge.span":             Day,   // its first and its last day, as two values of one fact
	"charge.saved_16_5":       Money, // part of the credit that was in returns filed by 30 November 2021
	"charge.return_due":       Day,   // due date of the return with the credit, from its month
	"charge.invoices_first":   Day,
	"charge.invoices_last":    Day,
	"charge.twice":            Word,  // an earlier paragraph that charges the same
	"charge.twice_amount":     Money, // the tax that both demand
	"outside.days":            Word,  // the days or the month of items that belong to another period than the paper's
	"outside.tax":             Money,
	"rate.value":              Money, // the value that a charge taxes at one rate
	"rate.percent":            Word,
	"rate.right":              Money, // the tax on it at that rate
	"rate.over":               Money, // what is demanded above that
	"heads.claimed":           Money, // credit claimed, of all heads together
	"heads.statement":         Money, // credit in the statement
	"heads.excess":            Money, // the excess in the heads that have too much
	"charge.fee_turnover":     Money, // the turnover on which a late fee for the annual return depends
	"charge.fee_most":         Money, // the highest such fee, under both Acts (N.7/2023-Central Tax)
	"charge.fee_over":         Money, // part of the demanded fee above that

	// What the taxpayer's files show about a charge, or about the only such charge of a paper.
	"files.statement":     Word,  // what the return is compared with, "GSTR-2B"
	"files.difference":    Money, // as the files have it
	"files.explained":     Money, // the part that is elsewhere in the returns
	"files.remains":       Money, // the rest
	"files.interest":      Money, // interest on the rest under rule 88B
	"files.timing":        Money, // explained by a return of another month or year
	"files.wrong_head":    Money, // entered under one head in place of another
	"files.other_table":   Money, // explained by another table of the return
	"files.amended":       Money, // explained by an amendment
	"files.reversed":      Money, // credit reversed in Table 4(B)
	"files.ledger":        Truth, // the electronic credit ledger is among the files
	"files.unused":        Money, // part of the rest that was never used, according to that ledger
	"files.interest_over": Money, // part of the demanded interest above files.interest

	// What the electronic cash ledger shows where interest is asked for on returns that were filed late.
	"files.cash":          Money, // tax of the late returns that was paid in cash after the due dates
	"files.cash_interest": Money, // on all of it
	"files.cash_over":     Money, // part of the demanded interest above files.cash_interest
	"files.lay":           Money, // part of files.cash that was in the ledger from the due date to its debit
	"files.lay_interest":  Money, // on that
	"files.late_interest": Money, // on the rest, which is due

	// Other names that the texts of a point may use.
	"years": Word, "paras": Word, "amount": Money, "remains": Money,
}

// KindOf returns the type of a fact, or 0 if there is no such fact.
func KindOf(name string) Kind { return kinds[name] }

// IsInterest reports whether a fact is an amount of interest, which the tax of a charge does not limit.
func IsInterest(name string) bool {
	return strings.Contains(name, "interest") || name == "files.cash_over"
}

// Facts returns the names of all facts, sorted.
func Facts() []string { return slices.Sorted(maps.Keys(kinds)) }

// kindsOfPaper gives, for each form, the kind of paper that it is, in words.
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
