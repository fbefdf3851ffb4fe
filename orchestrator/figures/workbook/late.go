package workbook

import (
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/message"
)

// LateDoubts returns what a reader of the interest on late returns should know but cannot see in its amounts.
func LateDoubts(l *figures.Late) []message.Message {
	all := []message.Message{message.New("figures.late.due_dates", nil)}
	if len(l.Missing) > 0 {
		months := make([]any, len(l.Missing))
		for i, month := range l.Missing {
			months[i] = message.Month(month)
		}
		all = append(all, message.New("figures.late.missing",
			message.Params{"months": message.List{Items: months, By: "and"}}))
	}
	if l.AfterNotice {
		all = append(all, message.New("figures.late.after_notice", nil))
	}
	if l.Relaxed {
		all = append(all, message.New("figures.late.relaxed", nil))
	}
	if l.Quarterly {
		all = append(all, message.New("figures.late.quarterly", nil))
	}
	if l.Together {
		all = append(all, message.New("figures.late.together", nil))
	}
	if !l.Earlier.IsZero() {
		all = append(all, message.New("figures.late.earlier", message.Params{"amount": message.Paise(l.Earlier.Sum())}))
	}
	if l.OnCredit == nil {
		all = append(all, message.New("figures.late.no_credit_ledger", nil))
	}
	return all
}

// The columns of the sheet of late returns.
const (
	daysColumn, cashColumn, layColumn, onCashColumn, dueInterestColumn = 4, 6, 7, 8, 9
)

// late lays out the interest on late returns: each debit of the cash ledger under each head, and the notice's interest
// with the reasons for the difference. It returns nil if there is none.
func (b *builder) late() *page {
	l := b.annexure.Reconciliation.Late
	if l == nil {
		return nil
	}
	say := func(code string) string { return b.in(message.New("figures.late."+code, nil)) }
	p := &page{name: say("sheet"), about: say("about"), widths: []float64{34, 12, 12, 8, 9, 18, 18, 18, 18}}
	p.rows = append(p.rows, b.titled(say("title")), []any{},
		b.heading(b.say("month", nil), say("due_on"), say("paid_on"), say("days"), b.say("head", nil), say("cash"),
			say("lay"), say("on_cash"), say("due")))
	from := len(p.rows) + 1
	for _, r := range l.Returns {
		for head, cash := range r.Cash {
			if cash == 0 {
				continue
			}
			at := len(p.rows) + 1
			interest := func(on string, of, paise int64) excelize.Cell {
				if r.Rate == nil || reckon.Interest(of, r.Rate, r.Days) != paise {
					return b.rupees(paise) // the rate changed in between
				}
				return b.formula(fmt.Sprintf("ROUND(ROUND((%s)*%d*%s/10000/%d,2),0)", on, r.Rate.Percent.Hundredths(),
					cellAt(daysColumn, at), r.Rate.YearDays), paise)
			}
			p.rows = append(p.rows, []any{r.Period, r.Due, r.Paid,
				excelize.Cell{Formula: days(r.Due, r.Paid), Value: r.Days}, gst.HeadNames[head], b.rupees(cash),
				b.rupees(r.Lay[head]), interest(cellAt(cashColumn, at), cash, r.OnCash[head]),
				interest(cellAt(cashColumn, at)+"-"+cellAt(layColumn, at), cash-r.Lay[head], r.Interest[head])})
		}
	}
	to, sums := len(p.rows), len(p.rows)+1
	row := []any{b.say("together", nil), nil, nil, nil, nil}
	for n, paise := range []int64{l.Cash.Sum(), l.Lay.Sum(), l.OnCash.Sum(), l.Interest.Sum()} {
		if to < from {
			row = append(row, b.rupees(0))
			continue
		}
		column := cashColumn + n
		row = append(row, b.formula(fmt.Sprintf("SUM(%s:%s)", cellAt(column, from), cellAt(column, to)), paise))
	}
	p.rows = append(p.rows, row, []any{})
	b.lateReasons(p, l, sums)
	for _, doubt := range LateDoubts(l) {
		p.rows = append(p.rows, []any{}, []any{excelize.Cell{StyleID: b.wrap, Value: b.in(doubt)}})
	}
	return p
}

// lateReasons lays out what makes up the notice's interest. The row with the sums is above.
func (b *builder) lateReasons(p *page, l *figures.Late, sums int) {
	line := func(code string, amount excelize.Cell) int {
		p.rows = append(p.rows, []any{b.in(message.New("figures.late."+code, nil)), amount})
		return len(p.rows)
	}
	asked := 0
	if l.Notice != nil {
		asked = line("notice", b.rupees(*l.Notice))
	}
	dueCell, onCash := cellAt(dueInterestColumn, sums), cellAt(onCashColumn, sums)
	first := line("due", b.formula(dueCell, l.Interest.Sum()))
	last := line("on_lay", b.formula(onCash+"-"+dueCell, l.OnLay().Sum()))
	if l.OnCredit != nil {
		last = line("on_credit", b.rupees(*l.OnCredit))
	}
	if l.Notice != nil {
		line("other", b.formula(fmt.Sprintf("%s-SUM(%s:%s)", cellAt(2, asked), cellAt(2, first), cellAt(2, last)), l.Other()))
	}
}

// days returns a formula for the days from one day to another. Dates are written out in full, since programs differ
// in what they recognise as a date.
func days(from, to string) string {
	date := func(day string) string { return "DATE(" + strings.ReplaceAll(day, "-", ",") + ")" }
	return date(to) + "-" + date(from)
}
