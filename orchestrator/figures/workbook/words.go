package workbook

import (
	"munshi/orchestrator/figures"
	"munshi/orchestrator/message"
)

// Class returns the description of a class.
func Class(c figures.Class) message.Message { return message.New("figures.class."+string(c), nil) }

// ClassName returns the description of a class in English.
func ClassName(c figures.Class) string { return Class(c).English }

// Comparison returns what is compared with what.
func Comparison(v figures.Variance) message.Message {
	return message.New("figures.compared."+v.What, message.Params{"against": string(v.Against)})
}

// First returns the name of the first side of a comparison, such as the credit claimed.
func First(v figures.Variance) message.Message { return message.New("figures.first."+v.What, nil) }

// Second returns the name of the second side of a comparison.
func Second(v figures.Variance) message.Message {
	return message.New("figures.second."+v.What, message.Params{"against": string(v.Against)})
}

// Span returns the months from first to last, each such as "2023-04".
func Span(first, last string) message.Message {
	if first == last {
		return message.New("month", message.Params{"month": message.Month(first)})
	}
	return message.New("span", message.Params{"from": message.Month(first), "to": message.Month(last)})
}

// Paper returns the name of a source.
func Paper(s figures.Source) message.Message {
	switch s {
	case figures.Purchases:
		return message.New("figures.paper.books", nil)
	case figures.GSTR2A, figures.GSTR2B:
		return message.New("figures.paper.portal", nil)
	case figures.Sales:
		return message.New("figures.paper.sales", nil)
	case figures.EWayBills:
		return message.New("figures.paper.eway_bills", nil)
	case figures.EInvoices:
		return message.New("figures.paper.e_invoices", nil)
	}
	return message.Text(string(s), string(s))
}

// Notes returns what a reader of a comparison should know but cannot see in its amounts: what it leaves out, and how
// little sums can prove.
func Notes(v figures.Variance) (all []message.Message) {
	beside := message.Params{"count": v.Beside.Documents, "amount": message.Paise(v.Beside.Tax.Sum())}
	switch v.What {
	case figures.MovedDeclared:
		if v.Beside.Documents > 0 {
			all = append(all, message.New("figures.note.no_eway_bill", beside))
		}
	case figures.SalesInvoiced, figures.InvoicesDeclared:
		if v.Beside.Documents > 0 {
			all = append(all, message.New("figures.note.consumers", beside))
		}
	case figures.TDSTurnover, figures.TCSTurnover:
		all = append(all, message.New("figures.note.withheld", nil))
	case figures.AnnualTax, figures.AnnualPayable, figures.AnnualTurnover, figures.AnnualCredit,
		figures.AnnualNetCredit, figures.AuditedTurnover, figures.AuditedTax, figures.AuditedCredit:
		all = append(all, message.New("figures.note.annual", nil))
	}
	_, _, shares := v.Sums()
	for _, s := range shares {
		if s.Class == figures.SummedUp {
			all = append(all, message.New("figures.note.summed_up", nil))
		}
	}
	if !figures.Payable(v.What) {
		all = append(all, message.New("figures.note.not_payable", nil))
	}
	return all
}
