package printed

import (
	"slices"
	"strings"
	"time"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// readStages computes the time limits of the law at the stage that a paper belongs to, and counts the days between
// dates that it prints. It covers appeals, revocation, registration, audit and the intimation before a notice.
func (p *Paper) readStages() {
	kind := p.Known.One("paper.kind")
	if kind == nil || p.issued.IsZero() {
		return
	}
	if v := p.Known.One("reply.last"); v != nil && len(v.At) > 0 && !v.Day.Before(p.issued) {
		p.Known.Put("reply.workdays", Value{Kind: Count, Count: workdays(p.issued, v.Day), At: v.At})
	}
	if a := p.Facts.ReplyDue.Time; a != nil && a.Unit == "working days" && len(p.at("reply_due")) > 0 {
		p.Known.Put("workdays.offered", Value{Kind: Count, Count: a.Count, At: p.at("reply_due")})
	}
	if v := p.Known.One("hearing.day"); v != nil && !v.Day.Before(p.issued) {
		p.Known.Put("hearing.days", Value{Kind: Count, Count: p.issued.DaysUntil(v.Day), At: v.At})
	}
	if v := p.Known.One("hearing.day"); v != nil && v.Day.Weekday() == time.Sunday {
		p.Known.Put("hearing.sunday", *v)
	}
	switch {
	case kind.Text == "appellate order":
		p.readTribunal()
	case strings.Contains(kind.Text, "order"), kind.Text == "summary assessment", kind.Text == "registration refusal":
		p.readAppeal(kind.Text)
	case kind.Text == "registration query":
		p.readApplied()
	case kind.Text == "audit report":
		p.readAuditTimes()
	case kind.Text == "notice":
		p.readPreNotice()
		p.readAuditTimes()
	}
	if strings.HasPrefix(kind.Text, "detention") {
		p.readTwice()
		p.readVehicles()
	}
	p.readCancelled()
	p.readColumns()
	p.readSlip()
}

// readSlip records a mistake that is apparent from the paper itself, because something in it does not agree with the
// rest.
func (p *Paper) readSlip() {
	for _, name := range []string{"column.differs", "row.differs", "annexure.differs", "demand.excess", "payment.amount"} {
		if v := p.Known.One(name); v != nil && (v.Paise > 100 || v.Yes) {
			p.Known.Put("paper.slip", Value{Kind: Truth, Yes: true, At: v.At})
			return
		}
	}
}

// readAppeal computes the last dates for the remedies against an order from the date of the order. For a person who
// received the order later, they are later.
func (p *Paper) readAppeal(kind string) {
	at := p.at("issue_date")
	p.Known.day("appeal.last", p.issued.AddMonths(3), at)
	p.Known.day("appeal.last_condonable", p.issued.AddMonths(4), at)
	if kind == "cancellation order" && p.issued.ISO() >= "2023-10-01" {
		p.Known.day("revocation.last", p.issued.AddDays(90), at)
	}
	if kind == "best judgment order" && p.issued.ISO() >= "2023-10-01" {
		p.Known.day("return.last", p.issued.AddDays(60), at)
		p.Known.day("return.last_fee", p.issued.AddDays(120), at)
	}
	p.deposit("deposit.appeal")
}

// readTribunal computes the last date for an appeal to the Tribunal: three months from the order, or a later date that
// was notified.
func (p *Paper) readTribunal() {
	last := p.issued.AddMonths(3)
	for _, w := range p.law.Windows {
		if day := law.ParseDay(w.LastDay); w.Code == "tribunal" && day.After(last) &&
			p.issued.Before(law.ParseDay(w.CommunicatedBefore)) {
			last = day
		}
	}
	p.Known.day("tribunal.last", last, p.at("issue_date"))
	p.deposit("deposit.appeal")
}

// deposit sets the fact called name to ten per cent of the order's tax, the amount to be paid with an appeal (sections
// 107(6) and 112(8)). It does so only for a tax so small that the cap on this amount cannot matter.
func (p *Paper) deposit(name string) {
	const tenth, mostTax = 10, 100_00_00_000_00
	if tax := Sum(p.DemandOf(TakesTax)); tax != nil && int64(*tax) < mostTax && p.issued.ISO() >= "2024-11-01" {
		p.Known.Put(name, Value{Kind: Money, Paise: int64(*tax) / tenth, At: p.at("demand")})
	}
}

// dayBehind returns the first date within reach after one of the words, if it is not after the paper's own date. It
// does not count if one of the words in unless is between them.
func (p *Paper) dayBehind(words string, reach int, unless ...string) (law.Day, Quote) {
	for at := 0; ; {
		start, end, ok := p.find(words, at, len(p.low))
		if !ok {
			return law.Day{}, Quote{}
		}
		at = end
		for _, d := range gst.Dates(p.low[end:min(len(p.low), end+reach)]) {
			if d.Day.After(p.issued) || hasAny(p.low[end:end+d.Start], unless...) {
				break
			}
			return d.Day, p.quote(start, end+d.End)
		}
	}
}

// readApplied reads when a registration was applied for, and counts the days from then until the query.
func (p *Paper) readApplied() {
	const near = 70
	day, q := p.dayBehind("arn|acknowledgement|application reference|application dated|application filed|application "+
		"submitted|your application|आवेदन", near, "reply", "notice", "query")
	if day.IsZero() || day == p.issued {
		return
	}
	p.Known.Put("application.day", Value{Kind: Day, Day: day, At: []Quote{q}})
	p.Known.Put("application.days", Value{Kind: Count, Count: day.DaysUntil(p.issued), At: []Quote{q}})
	n := 0
	for d := day.AddDays(1); !d.After(p.issued) && n < 100; d = d.AddDays(1) {
		if w := d.Weekday(); w != 0 && w != 6 {
			n++
		}
	}
	p.Known.Put("application.workdays", Value{Kind: Count, Count: n, At: []Quote{q}})
	p.each("aadhaar|आधार", 0, len(p.low), func(from, to int) {
		if hasAny(p.low[from:to], "done on", "authenticated", "successful", "completed", "done") &&
			!hasAny(p.low[from:to], "not done", "not authenticated", "failed", "not opted", "not completed") {
			p.Known.Put("aadhaar.done", Value{Kind: Truth, Yes: true, At: []Quote{p.quote(from, to)}})
		}
	})
}

// readAuditTimes reads when an audit began and when it ended. It computes three months from the beginning and thirty
// days from the end (section 65(4) and (6)).
func (p *Paper) readAuditTimes() {
	const near = 60
	if day, q := p.dayBehind("audit commenced|audit under section 65 began|audit under section 65 commenced|audit under section 65 was commenced|audit had commenced|audit was commenced|commencement of "+
		"audit|commencement "+
		"of the audit|date of commencement|audit began|audit begun|audit started|audit was started|audit was begun|audit "+
		"opened|books made available|records made available|made available at|made available on|commenced on|began on|started on|लेखापरीक्षा प्रारम्भ|लेखापरीक्षा प्रारंभ",
		near, "conclu", "complet", "closed", "ended"); !day.IsZero() {
		p.Known.Put("audit.began", Value{Kind: Day, Day: day, At: []Quote{q}})
		p.Known.day("audit.ends", day.AddMonths(3), []Quote{q})
		p.Known.day("audit.ends_longer", day.AddMonths(9), []Quote{q})
	}
	if day, q := p.dayBehind("audit concluded|audit was concluded|audit has been concluded|conclusion of "+
		"audit|conclusion "+
		"of the audit|audit was completed|audit completed|audit closed|audit was closed|audit ended|audit finished|audit was "+
		"finished|closure of audit|closure of the audit|completion of audit|completion of the audit|date of conclusion|date "+
		"of completion|concluded on|completed on|लेखापरीक्षा समाप्त|लेखापरीक्षा पूर्ण", near, "commenc", "began", "begun", "start"); !day.IsZero() && day.Before(p.issued) {
		p.Known.Put("audit.closed", Value{Kind: Day, Day: day, At: []Quote{q}})
		p.Known.day("audit.report_last", day.AddDays(30), []Quote{q})
	}
	switch closed := p.Known.One("audit.closed"); {
	case closed != nil:
		p.Known.Put("audit.done", *closed)
	case p.isKind("audit report"):
		p.Known.Put("audit.done", Value{Kind: Day, Day: p.issued, At: p.at("issue_date")})
	default: // the report may follow up to thirty days after the end
		if day, q := p.dayBehind("audit report was issued on|audit report issued on|audit report in form gst adt-02 dated|adt-02 dated|"+
			"audit report dated|final audit report dated", near); !day.IsZero() {
			p.Known.Put("audit.done", Value{Kind: Day, Day: day, At: []Quote{q}})
		}
	}
}

// readPreNotice counts the days from the intimation in DRC-01A, or from the audit report, to the notice.
func (p *Paper) readPreNotice() {
	const near = 60
	day, q := p.dayBehind("drc-01a|drc 01a", near, "reply", "replied", "notice", "asmt", "adt", "order")
	if day.IsZero() || day == p.issued {
		return
	}
	p.Known.Put("drc01a.day", Value{Kind: Day, Day: day, At: []Quote{q}})
	p.Known.Put("drc01a.days", Value{Kind: Count, Count: day.DaysUntil(p.issued), At: []Quote{q}})
}

// readTwice computes by how much a penalty on detained goods exceeds twice the tax on them, the limit of section
// 129(1)(a) if the owner comes forward. The paper must say that the owner came forward, or name that clause.
func (p *Paper) readTwice() {
	if _, _, ok := p.find("129(1)(b)|129(1) (b)", 0, len(p.low)); ok || p.issued.ISO() < "2022-01-01" {
		return
	}
	start, end, ok := p.find("129(1)(a)|129(1) (a)|owner * come forward|owner * came forward|owner * has come", 0,
		len(p.low))
	if !ok {
		return
	}
	if len(p.Known["goods.exempt"]) > 0 {
		return
	}
	tax, penalty := Sum(p.DemandOf(TakesTax)), p.penaltyAsked()
	if tax == nil || penalty == 0 {
		return
	}
	if over := penalty - 2*int64(*tax); over > 100 {
		p.Known.Put("penalty.over_twice", Value{Kind: Money, Paise: over,
			At: append([]Quote{p.around(start, end)}, p.at("demand")...)})
	}
}

// readCancelled reads the date from which the registration is cancelled. It also reads the first month for which the
// paper asks for a return.
func (p *Paper) readCancelled() {
	const near = 60
	for at := 0; ; {
		start, end, ok := p.find("cancelled with effect from|cancelled w.e.f|cancelled * with effect from|cancelled * "+
			"w.e.f|cancelled * effective|effective date of cancellation|cancellation effective|cancelled from|"+
			"cancelled since|cancelled on|cancellation order * dated|रद्द", at, len(p.low))
		if !ok {
			break
		}
		at = end
		from, to := p.sentence(start)
		if hasAny(p.low[from:to], "supplier", "vendor", "seller", "revoked", "restored", "revocation", "may be",
			"shall be", "liable", "propos", "will be", "should not be") {
			continue
		}
		for _, d := range gst.Dates(p.low[end:min(len(p.low), end+near)]) {
			if !d.Day.After(p.issued) {
				p.Known.add("cancelled.day", Value{Kind: Day, Day: d.Day, At: []Quote{p.quote(start, end+d.End)}})
			}
			break
		}
	}
	p.each("से निरस्त|से रद्द", 0, len(p.low), func(from, to int) {
		at, _, _ := p.find("से निरस्त|से रद्द", from, to)
		if days := gst.Dates(p.low[from:at]); len(days) > 0 && !hasAny(p.low[from:to], "आपूर्तिकर्ता", "क्यों न", "प्रस्ताव") &&
			!days[len(days)-1].Day.After(p.issued) {
			p.Known.add("cancelled.day", Value{Kind: Day, Day: days[len(days)-1].Day, At: []Quote{p.quote(from, to)}})
		}
	})
	if len(p.Known["cancelled.day"]) == 0 {
		return
	}
	var first, last law.Day
	var at []Quote
	for words := 0; ; {
		start, end, ok := p.find("tax period|return period|returns for|return for|period|कर अवधि", words, len(p.low))
		if !ok {
			break
		}
		words = end
		months := monthsIn(p.low[end:min(len(p.low), end+near)])
		if len(months) == 0 {
			continue
		}
		m := slices.MinFunc(months, func(a, b month) int { return a.first.Compare(b.first.Time) })
		l := slices.MaxFunc(months, func(a, b month) int { return a.first.Compare(b.first.Time) })
		if l.first.After(last) {
			last = l.first
			p.Known.day("default.last", last, []Quote{p.quote(start, end+l.end)})
		}
		if first.IsZero() || m.first.Before(first) {
			first, at = m.first, []Quote{p.quote(start, end+m.end)}
		}
	}
	p.Known.day("default.from", first, at)
	if n := len(p.Facts.Periods); n > 0 && !first.IsZero() { // a list of months is read whole by the facts
		if d := law.ParseDay(p.Facts.Periods[n-1].To); d.After(last.AddMonths(1)) {
			d, _ = law.NewDay(d.Year(), int(d.Month()), 1)
			p.Known.day("default.last", d, p.at("periods"))
		}
	}
}

// vehicle matches the registration number of a vehicle, such as "UP 78 KT 4471".
var vehicle = lazyregexp.New(`\b([a-z]{2})[ -]?([0-9oq]{1,2})[ -]?([a-z]{1,3})[ -]?(\d{4})\b`)

// readVehicles counts the characters in which two registration numbers of vehicles differ, since a slip in one or two
// is a minor mistake. The paper must name exactly two numbers.
func (p *Paper) readVehicles() {
	var numbers []string
	var at []Quote
	for _, m := range vehicle.FindAllStringSubmatchIndex(p.low, -1) {
		// Text recognition takes the digits of the district for letters.
		n := p.low[m[2]:m[3]] + strings.NewReplacer("o", "0", "q", "9").Replace(p.low[m[4]:m[5]]) + p.low[m[6]:m[7]] +
			p.low[m[8]:m[9]]
		if !slices.Contains(numbers, n) {
			numbers, at = append(numbers, n), append(at, p.around(m[0], m[1]))
		}
	}
	if len(numbers) != 2 || len(numbers[0]) != len(numbers[1]) {
		return
	}
	differ := 0
	for i := range numbers[0] {
		if numbers[0][i] != numbers[1][i] {
			differ++
		}
	}
	p.Known.Put("vehicle.letters", Value{Kind: Count, Count: differ, At: at})
}

// formInHead returns the form that a paper names at the head of a line or in brackets: "प्ररूप जीएसटी एमओवी-07 (FORM
// GST MOV-07)". It is used if the facts have no form.
func (p *Paper) formInHead() string {
	const head = 1500
	form := ""
	for _, m := range formName.FindAllStringSubmatchIndex(p.low[:min(len(p.low), head)], -1) {
		before := strings.TrimRight(p.all[:m[0]], " ")
		name := strings.ToUpper(p.low[m[2]:m[3]] + "-" + p.low[m[4]:m[5]])
		if kindsOfPaper[name] == "" || before != "" && !strings.HasSuffix(before, "\n") &&
			!strings.HasSuffix(before, "(") {
			continue
		}
		if form != "" && form != name {
			return ""
		}
		form = name
	}
	return form
}

var formName = lazyregexp.New(`form[ -]+gst[ -]+([a-z]{3,4})[ -]*(\d\d[a-d]?)\b`)
