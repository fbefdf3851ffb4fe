package reckon_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/message"
)

var tables = law.Built()

func p[T any](v T) *T { return &v }

// notice returns the facts of a notice in FORM GST; "" means a letter.
func notice(form, issued string, more ...func(*gst.Facts)) gst.Facts {
	f := gst.Facts{GSTIN: p("29AABCU9603R1ZJ"), GSTINValid: p(true), FraudAlleged: p(false), Evidence: map[string]gst.Evidence{}, ReplyDue: gst.ReplyDue{Source: "unknown"}}
	if form != "" {
		f.Form = &form
	}
	if issued != "" {
		f.IssueDate = &issued
	}
	for _, m := range more {
		m(&f)
	}
	return f
}

func under(sections ...string) func(*gst.Facts) {
	return func(f *gst.Facts) { f.Sections = sections }
}

func years(fys ...string) func(*gst.Facts) {
	return func(f *gst.Facts) {
		for _, fy := range fys {
			f.Periods = append(f.Periods, gst.Period{FY: fy})
		}
	}
}

func kind(k string) func(*gst.Facts) {
	return func(f *gst.Facts) { f.Kind = k }
}

func fraud(f *gst.Facts) { f.FraudAlleged = p(true) }

func claims(head string, tax, interest, penalty float64) func(*gst.Facts) {
	return func(f *gst.Facts) {
		if f.Demand == nil {
			f.Demand = &gst.Demand{Currency: "INR"}
		}
		f.Demand.Rows = append(f.Demand.Rows, gst.DemandRow{Head: head, Tax: tax, Interest: interest, Penalty: penalty})
	}
}

func printed(day string) func(*gst.Facts) {
	return func(f *gst.Facts) {
		f.ReplyDue = gst.ReplyDue{Date: &day, Source: "printed"}
		f.Evidence["reply_due"] = gst.Evidence{Page: 2, Quote: day}
	}
}

func within(count int, unit, from string) func(*gst.Facts) {
	return func(f *gst.Facts) {
		f.ReplyDue = gst.ReplyDue{Date: p("2000-01-01"), Source: "computed", Time: &law.Allowed{Count: count, Unit: unit, RunsFrom: from}}
	}
}

func find(t *testing.T, all []reckon.Deadline, code string) *reckon.Deadline {
	t.Helper()
	i := slices.IndexFunc(all, func(d reckon.Deadline) bool { return d.Code == code })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// Each deadline of a notice, with the rule that sets it. The date of service changes only deadlines
// that run from service.
func TestDeadlines(t *testing.T) {
	demand := []func(*gst.Facts){under("73(1)"), years("2022-23"), claims("IGST", 100000, 0, 0)}
	with := func(more ...func(*gst.Facts)) []func(*gst.Facts) { return append(slices.Clone(demand), more...) }
	for _, test := range []struct {
		name   string
		facts  gst.Facts
		served string
		code   string
		date   string // "" if it must be unknown, "-" if there must be none
		source string
		moves  bool
	}{
		{"printed governs", notice("DRC-01", "2026-09-15", with(printed("2026-10-15"))...), "", reckon.Reply, "2026-10-15", "printed", false},
		{"printed governs over service", notice("DRC-01", "2026-09-15", with(printed("2026-10-15"))...), "2026-09-25", reckon.Reply, "2026-10-15", "printed", false},
		{"nothing printed on DRC-01", notice("DRC-01", "2026-09-15", demand...), "2026-09-25", reckon.Reply, "", "unknown", false},
		{"ASMT-10, 30 days, no service", notice("ASMT-10", "2026-01-31", within(30, "days", "service")), "", reckon.Reply, "2026-03-02", "computed", true},
		{"ASMT-10, from service", notice("ASMT-10", "2026-01-31", within(30, "days", "service")), "2026-02-05", reckon.Reply, "2026-03-07", "computed", true},
		{"leap year", notice("ASMT-10", "2024-01-30", within(30, "days", "service")), "", reckon.Reply, "2024-02-29", "computed", true},
		{"over the end of the financial year", notice("RFD-08", "2026-03-20", within(15, "days", "service")), "", reckon.Reply, "2026-04-04", "computed", true},
		{"from issue, whenever served", notice("", "2026-01-31", within(15, "days", "issue")), "2026-02-20", reckon.Reply, "2026-02-15", "computed", false},
		{"REG-17, working days", notice("REG-17", "2026-11-20", within(7, "working days", "service")), "", reckon.Reply, "2026-12-01", "computed", true},
		{"REG-17, served on a Friday", notice("REG-17", "2026-11-20", within(7, "working days", "service")), "2026-11-27", reckon.Reply, "2026-12-08", "computed", true},
		{"SPL-03, a month", notice("SPL-03", "2026-01-30", within(1, "months", "service")), "2026-01-31", reckon.Reply, "2026-02-28", "computed", true},
		{"issue unknown, service known", notice("ASMT-10", "", within(30, "days", "service")), "2026-02-05", reckon.Reply, "2026-03-07", "computed", true},
		{"neither known", notice("ASMT-10", "", within(30, "days", "service")), "", reckon.Reply, "", "unknown", true},
		{"service before issue is no service", notice("ASMT-10", "2026-01-31", within(30, "days", "service")), "2026-01-05", reckon.Reply, "2026-03-02", "computed", true},

		// s.73(8), 74(8): 30 days of issue; s.74A(8), (9): 60 days of issue (domain/notice_forms.json, DRC-01).
		{"pay and close, s.73", notice("DRC-01", "2024-01-31", demand...), "", reckon.PayAndClose, "2024-03-01", "computed", false},
		{"pay and close, s.73, served later", notice("DRC-01", "2026-09-15", demand...), "2026-09-25", reckon.PayAndClose, "2026-10-15", "computed", false},
		{"pay and close, s.74", notice("DRC-01", "2026-12-15", under("74(1)"), fraud, years("2022-23"), claims("CGST", 100, 0, 0)), "", reckon.PayAndClose, "2027-01-14", "computed", false},
		{"pay and close, s.74A", notice("DRC-01", "2026-09-15", under("74A(1)"), years("2024-25"), claims("CGST", 100, 0, 0)), "2026-09-25", reckon.PayAndClose, "2026-11-14", "computed", false},
		{"pay and close, s.74A, over February", notice("DRC-01", "2027-12-31", under("74A(1)"), years("2024-25"), claims("CGST", 100, 0, 0)), "", reckon.PayAndClose, "2028-02-29", "computed", false},
		{"no window before a notice", notice("DRC-01A", "2026-09-15", demand...), "", reckon.PayAndClose, "-", "", false},
		{"no window on a scrutiny", notice("ASMT-10", "2026-09-15", under("61"), claims("CGST", 100, 0, 0)), "", reckon.PayAndClose, "-", "", false},
		{"no window without a date", notice("DRC-01", "", demand...), "2026-09-25", reckon.PayAndClose, "", "unknown", false},

		// s.107(1), (4): three months of communication and one more (domain/constants.json, appeal_107).
		{"appeal, from service", notice("DRC-07", "2025-12-19", demand...), "2025-12-24", reckon.Appeal, "2026-03-24", "computed", true},
		{"appeal, service unknown", notice("DRC-07", "2025-12-19", demand...), "", reckon.Appeal, "2026-03-19", "computed", true},
		{"appeal, end of November", notice("DRC-07", "2025-11-30", demand...), "2025-11-30", reckon.Appeal, "2026-02-28", "computed", true},
		{"appeal, end of November before a leap year", notice("DRC-07", "2023-11-30", demand...), "2023-11-30", reckon.Appeal, "2024-02-29", "computed", true},
		{"condonable", notice("DRC-07", "2025-12-19", demand...), "2025-12-24", reckon.AppealCondonable, "2026-04-24", "computed", true},
		{"condonable, the earlier of two counts", notice("DRC-07", "2025-11-30", demand...), "", reckon.AppealCondonable, "2026-03-28", "computed", true},
		{"recovery, s.78", notice("DRC-07", "2025-12-19", demand...), "2025-12-31", reckon.Recovery, "2026-03-31", "computed", true},
		{"rectification, s.161, from the order's date", notice("DRC-07", "2025-12-19", demand...), "2025-12-31", reckon.Rectify, "2026-03-19", "computed", false},
		{"half the penalty, s.74(11)", notice("DRC-07", "2026-01-15", under("74(9)"), fraud, years("2021-22"), claims("CGST", 100, 0, 0)), "2026-01-31", reckon.PayReduced, "2026-03-02", "computed", true},
		{"half the penalty, s.74A(9)(iii)", notice("DRC-07", "2027-01-15", under("74A(6)"), fraud, years("2024-25"), claims("CGST", 100, 0, 0)), "2027-01-31", reckon.PayReduced, "2027-04-01", "computed", true},
		{"no half without fraud", notice("DRC-07", "2026-01-15", demand...), "", reckon.PayReduced, "-", "", false},
		// s.112(1), (6), and the window for old orders (domain/constants.json, appeal_112).
		{"tribunal", notice("APL-04", "2026-06-30", demand...), "2026-07-10", reckon.Appeal, "2026-10-10", "computed", true},
		{"tribunal, condonable three months", notice("APL-04", "2026-06-30", demand...), "2026-07-10", reckon.AppealCondonable, "2027-01-10", "computed", true},
		{"tribunal, communicated before 1.5.2026", notice("APL-04", "2024-02-01", demand...), "", reckon.Appeal, "2026-07-31", "computed", true},
		{"tribunal, on 30.4.2026", notice("APL-04", "2026-04-30", demand...), "", reckon.Appeal, "2026-07-31", "computed", true},
		{"tribunal, on 1.5.2026", notice("APL-04", "2026-05-01", demand...), "", reckon.Appeal, "2026-08-01", "computed", true},
		// What an order requires besides an appeal: s.62(2), s.30.
		{"ASMT-13", notice("ASMT-13", "2026-02-10"), "2026-02-12", reckon.Comply, "2026-04-13", "computed", true},
		{"ASMT-13 can be appealed", notice("ASMT-13", "2026-02-10"), "2026-02-12", reckon.Appeal, "2026-05-12", "computed", true},
		{"REG-19, 90 days", notice("REG-19", "2026-03-10"), "", reckon.Comply, "2026-06-08", "computed", true},
		{"REG-19 before 1 October 2023, 30 days", notice("REG-19", "2023-05-03"), "", reckon.Comply, "2023-06-02", "computed", true},
		// Letters without a form whose kind is known.
		{"a notice as a letter", notice("", "2026-09-15", with(kind("notice"))...), "", reckon.PayAndClose, "2026-10-15", "computed", false},
		{"an order as a letter", notice("", "2025-11-27", with(kind("order"))...), "2025-12-01", reckon.Appeal, "2026-03-01", "computed", true},
		{"no window on a reminder", notice("", "2026-09-15", demand...), "", reckon.PayAndClose, "-", "", false},
		{"no order by on an order", notice("", "2025-11-27", with(kind("order"))...), "", reckon.OrderDue, "-", "", false},
		{"a reply form on an order is none", notice("DRC-07", "2026-03-10", demand...), "", reckon.Reply, "-", "", false},
		{"the order on a notice, s.73(10)", notice("DRC-01", "2026-09-15", demand...), "", reckon.OrderDue, "2026-12-31", "computed", false},
		{"the order on a notice, s.74A(7)", notice("DRC-01", "2026-02-28", under("74A(1)"), years("2024-25"), claims("CGST", 100, 0, 0)), "", reckon.OrderDue, "2027-02-28", "computed", false},
	} {
		all := reckon.Deadlines(tables, test.facts, reckon.Given{Served: test.served}, law.ParseDay("2026-11-22"))
		d := find(t, all, test.code)
		switch {
		case d == nil && test.date == "-":
		case d == nil:
			t.Errorf("%s: no %s", test.name, test.code)
		case test.date == "-":
			t.Errorf("%s: %s on %v", test.name, test.code, d.Date)
		default:
			got := ""
			if d.Date != nil {
				got = *d.Date
				left := law.ParseDay("2026-11-22").DaysUntil(law.ParseDay(got))
				if d.DaysLeft == nil || *d.DaysLeft != left {
					t.Errorf("%s: days left %v, want %d", test.name, d.DaysLeft, left)
				}
			}
			if got != test.date || d.Source != test.source || d.FollowsService != test.moves {
				t.Errorf("%s: %s %s, follows service %v; want %s %s, %v", test.name, got, d.Source, d.FollowsService, test.date, test.source, test.moves)
			}
			if d.Basis.IsZero() || d.Certainty == "" || d.Uncertain == nil || d.What.IsZero() {
				t.Errorf("%s: no basis, certainty or name: %+v", test.name, d)
			}
		}
	}
}

// A last day on a holiday is flagged with the next open day, and is not moved.
func TestHolidays(t *testing.T) {
	for _, test := range []struct{ day, why, open string }{
		{"2026-10-04", "Sunday", "2026-10-05"},
		{"2026-10-03", "Saturday", "2026-10-05"},
		{"2026-10-02", "Gandhi Jayanti", "2026-10-05"},
		{"2027-01-26", "Republic Day", "2027-01-27"},
		{"2026-12-31", "", ""},
	} {
		d := find(t, reckon.Deadlines(tables, notice("DRC-01", "2026-09-01", printed(test.day)), reckon.Given{}, law.ParseDay("2026-09-02")), reckon.Reply)
		if *d.Date != test.day {
			t.Errorf("%s was moved to %s", test.day, *d.Date)
		}
		if d.Holiday == nil {
			if test.why != "" {
				t.Errorf("%s is not flagged", test.day)
			}
			continue
		}
		if d.Holiday.Name.English != test.why || d.Holiday.Open != test.open || !strings.Contains(d.Holiday.Note.English, "General Clauses Act s.10") {
			t.Errorf("%s: %+v", test.day, d.Holiday)
		}
	}
	// Holidays among working days are reported; an operator's calendar can exclude them.
	reg17 := notice("REG-17", "2025-09-26", within(7, "working days", "service"))
	d := find(t, reckon.Deadlines(tables, reg17, reckon.Given{}, law.Day{}), reckon.Reply)
	if *d.Date != "2025-10-07" || !strings.Contains(message.Sentences(d.Uncertain...).English, "2 October 2025, Gandhi Jayanti") || d.DaysLeft != nil {
		t.Errorf("REG-17 over 2 October: %s %v", *d.Date, d.Uncertain)
	}
	own, err := law.Load(fstest.MapFS{"calendar.json": {Data: []byte(`{"as_of": "2026-11-22", "count_without_holidays": true}`)}})
	if err != nil {
		t.Fatal(err)
	}
	if d := find(t, reckon.Deadlines(own, reg17, reckon.Given{}, law.Day{}), reckon.Reply); *d.Date != "2025-10-08" {
		t.Errorf("with a calendar that leaves holidays out: %s", *d.Date)
	}
}

// The pay-and-close deadline names the amount to pay: tax, interest as claimed, and the penalty of
// the section (domain/constants.json, penalty).
func TestPayAndCloseAmount(t *testing.T) {
	for _, test := range []struct {
		name  string
		facts gst.Facts
		paise int64
		says  string
	}{
		{"s.73(8): no penalty", notice("DRC-01", "2026-09-15", under("73(1)"), claims("IGST", 192400, 138528, 19240)), 33092800, "no penalty"},
		{"s.74(8): 25%", notice("DRC-01", "2026-09-15", under("74(1)"), fraud, claims("IGST", 1001, 0, 1001)), 125100, "25%"}, // 250.25 is ₹250
		{"s.74A(8)(ii): no penalty", notice("DRC-01", "2026-09-15", under("74A(1)"), years("2024-25"), claims("CGST", 100, 18, 0)), 11800, "no penalty"},
		{"s.74A(9)(ii): 25%", notice("DRC-01", "2026-09-15", under("74A(1)"), fraud, years("2024-25"), claims("CGST", 100, 18, 100)), 14300, "25%"},
	} {
		d := find(t, reckon.Deadlines(tables, test.facts, reckon.Given{}, law.ParseDay("2026-09-16")), reckon.PayAndClose)
		if d == nil || d.Paise == nil || *d.Paise != test.paise || !strings.Contains(d.What.English, test.says) {
			t.Errorf("%s: %+v", test.name, d)
		}
	}
}

// Verdicts on both sides of each last day (domain/limitation.json).
func TestLimitation(t *testing.T) {
	tamilNadu := func(f *gst.Facts) { f.GSTIN = p("33AABCU9603R1ZU") }
	order := "DRC-07"
	for _, test := range []struct {
		form, section, fy, issued string
		more                      func(*gst.Facts)
		verdict                   string
		litigated                 bool
	}{
		{"DRC-01", "73(1)", "2017-18", "2022-11-07", nil, reckon.InTime, true},
		{"DRC-01", "73(1)", "2017-18", "2022-11-07", tamilNadu, reckon.InTimeByExtension, true},
		{"DRC-01", "73(1)", "2017-18", "2022-11-08", nil, reckon.InTimeByExtension, true}, // N.09/2023-CT
		{"DRC-01", "73(1)", "2017-18", "2023-09-30", nil, reckon.InTimeByExtension, true},
		{"DRC-01", "73(1)", "2017-18", "2023-10-01", nil, reckon.Late, true},
		{"DRC-01", "73(1)", "2018-19", "2023-09-30", nil, reckon.InTime, true},
		{"DRC-01", "73(1)", "2018-19", "2024-01-31", nil, reckon.InTimeByExtension, true}, // N.56/2023-CT
		{"DRC-01", "73(1)", "2018-19", "2024-02-01", nil, reckon.Late, true},
		{"DRC-01", "73(1)", "2019-20", "2024-05-31", nil, reckon.InTimeByExtension, true},
		{"DRC-01", "73(1)", "2019-20", "2024-06-01", nil, reckon.Late, true},
		{"DRC-01", "73(1)", "2020-21", "2024-11-28", nil, reckon.InTime, true},
		// The counting of three months is in dispute.
		{"DRC-01", "73(1)", "2020-21", "2024-11-29", nil, reckon.Late, true},
		{"DRC-01", "73(1)", "2021-22", "2025-09-30", nil, reckon.InTime, false},
		{"DRC-01", "73(1)", "2021-22", "2025-10-01", nil, reckon.Late, false},
		{"DRC-01", "73(1)", "2022-23", "2026-09-30", nil, reckon.InTime, false},
		{"DRC-01", "73(1)", "2022-23", "2026-10-01", nil, reckon.Late, false},
		{"DRC-01", "74(1)", "2017-18", "2024-08-07", nil, reckon.InTime, false},
		{"DRC-01", "74(1)", "2017-18", "2024-08-06", tamilNadu, reckon.Late, false},
		{"DRC-01", "74(1)", "2018-19", "2025-07-01", nil, reckon.Late, false},
		{"DRC-01", "74(1)", "2020-21", "2026-08-31", nil, reckon.Late, true},
		{order, "73(9)", "2017-18", "2023-02-07", nil, reckon.InTime, true},
		{order, "73(9)", "2017-18", "2023-12-31", nil, reckon.InTimeByExtension, true},
		{order, "73(9)", "2017-18", "2024-01-01", nil, reckon.Late, true},
		{order, "73(9)", "2019-20", "2024-08-31", nil, reckon.InTimeByExtension, true},
		{order, "73(9)", "2020-21", "2025-03-01", nil, reckon.Late, true},
		{order, "74(9)", "2019-20", "2026-03-31", nil, reckon.InTime, false},
		{"DRC-01", "74A(1)", "2024-25", "2029-06-30", nil, reckon.InTime, false},
		{"DRC-01", "74A(1)", "2024-25", "2029-07-01", nil, reckon.Late, false},
		// 12 months from a notice whose date is not in the order's facts.
		{order, "74A(6)", "2024-25", "2029-07-01", nil, reckon.NotKnown, false},
		{"DRC-01", "73(1)", "2024-25", "2026-07-01", nil, reckon.NotKnown, false},
		{"DRC-01", "74A(1)", "2040-41", "2026-07-01", nil, reckon.NotKnown, false},
		{"DRC-01", "73(1)", "2021-22", "", nil, reckon.NotKnown, false},
	} {
		f := notice(test.form, test.issued, under(test.section), years(test.fy))
		if strings.HasPrefix(test.section, "74(") {
			fraud(&f)
		}
		if test.more != nil {
			test.more(&f)
		}
		all := reckon.Limits(tables, f)
		if len(all) != 1 || all[0].Verdict != test.verdict || all[0].Litigated != test.litigated {
			t.Errorf("%s s.%s %s of %s: %+v, want %s", test.form, test.section, test.fy, test.issued, all, test.verdict)
		}
	}
	if all := reckon.Limits(tables, notice("ASMT-10", "2026-01-01", under("73(1)"), years("2017-18"))); len(all) != 0 {
		t.Errorf("a scrutiny has limitation: %+v", all)
	}
	several := reckon.Limits(tables, notice("DRC-01", "2024-01-15", under("73"), years("2017-18", "2018-19", "2019-20")))
	got := []string{}
	for _, l := range several {
		got = append(got, l.Verdict)
	}
	if want := []string{reckon.Late, reckon.InTimeByExtension, reckon.InTimeByExtension}; !slices.Equal(got, want) {
		t.Errorf("three years: %v, want %v", got, want)
	}
}

func sheet(all []reckon.Sheet, code string) *reckon.Sheet {
	if i := slices.IndexFunc(all, func(s reckon.Sheet) bool { return s.Code == code }); i >= 0 {
		return &all[i]
	}
	return nil
}

// Interest: amount × 18% × days / 365, excluding the due date and including the day of payment
// (s.50(1), (2); N.13/2017-CT), to the nearest rupee (s.170).
func TestInterest(t *testing.T) {
	for _, test := range []struct {
		kind      string
		rupees    int64
		from, to  string
		days      int
		paise     int64
		provision string
	}{
		{"short_paid", 1_00_000, "2021-04-20", "2022-04-20", 365, 18_000_00, "50(1)"},
		{"short_paid", 1_00_000, "2023-04-20", "2024-04-20", 366, 18_049_00, "50(1)"}, // across 29 February: 18,049.32
		{"short_paid", 1_00_000, "2024-02-28", "2024-03-01", 2, 99_00, "50(1)"},       // 98.63
		{"short_paid", 1_00_000, "2023-02-28", "2023-03-01", 1, 49_00, "50(1)"},       // 49.32
		{"late_return", 5_00_000, "2022-03-20", "2022-04-05", 16, 3_945_00, "50(1)"},  // across 31 March: 3,945.21
		{"credit", 2_50_000, "2020-06-20", "2021-01-31", 225, 27_740_00, "50(3)"},     // 27,739.73
		{"credit", 2_50_000, "2020-06-20", "", 2346, 2_89_233_00, "50(3)"},            // to 22.11.2026: 2,89,232.88
		{"short_paid", 100, "2026-11-22", "2026-11-22", 0, 0, "50(1)"},
		{"short_paid", 50_00_000_00_000, "2025-11-22", "2026-11-22", 365, 9_00_000_00_000_00, "50(1)"},
	} {
		given := reckon.Given{Portions: []gst.Portion{{Label: "GSTR-3B", Head: "IGST", Paise: test.rupees * 100, Kind: test.kind, From: test.from, To: test.to}}}
		s := sheet(reckon.Money(tables, notice("DRC-01", "2026-09-15"), given, law.ParseDay("2026-11-22")), "interest")
		if s == nil || len(s.Rows) != 1 {
			t.Errorf("%+v: %+v", test, s)
			continue
		}
		row := s.Rows[0]
		if row.Days == nil || *row.Days != test.days || row.Paise == nil || *row.Paise != test.paise || *s.Paise != test.paise || !strings.Contains(row.Provision, test.provision) || len(row.Missing) > 0 {
			got, _ := json.Marshal(row)
			t.Errorf("%s ₹%d from %s to %s: %s\n  want %d days, %d paise", test.kind, test.rupees, test.from, test.to, got, test.days, test.paise)
		}
	}
	// A new rate splits the days.
	own, err := law.Load(fstest.MapFS{"interest.json": {Data: []byte(`{"as_of": "2027-02-01", "source": "N.98/2026-CT", "certainty": "sourced", "rates": [
		{"kind": "short_paid", "percent": 12, "year_days": 365, "provision": "s.50(1)", "runs": "as before", "from": "2027-01-01"}]}`)}})
	if err != nil {
		t.Fatal(err)
	}
	given := reckon.Given{Portions: []gst.Portion{{Label: "x", Head: "CGST", Paise: 1_00_000_00, Kind: "short_paid", From: "2026-12-20", To: "2027-01-20"}}}
	s := sheet(reckon.Money(own, notice("DRC-01", "2026-09-15"), given, law.ParseDay("2027-02-01")), "interest")
	var got []string
	for _, row := range s.Rows {
		got = append(got, fmt.Sprintf("%s %s %s %d %d", row.Rate, *row.From, *row.To, *row.Days, *row.Paise/100))
	}
	if want := []string{"18% a year 2026-12-21 2026-12-31 11 542", "12% a year 2027-01-01 2027-01-20 20 658"}; !slices.Equal(got, want) || *s.Paise != 1_200_00 {
		t.Errorf("over a new rate: %q, want %q", got, want)
	}
	// Without dates, a row says what is missing, and the interest for one day.
	s = sheet(reckon.Money(tables, notice("DRC-01", "2026-09-15", under("73(1)", "50(3)"), claims("IGST", 73000, 36000, 0)), reckon.Given{}, law.ParseDay("2026-11-22")), "interest")
	if row := s.Rows[0]; row.Paise != nil || !slices.ContainsFunc(row.Missing, func(m message.Message) bool { return m.Code == "money.missing.utilised" }) || s.Paise != nil {
		t.Errorf("no days given: %+v", row)
	}
	if row := s.Rows[1]; row.Paise == nil || *row.Paise != 36_00 {
		t.Errorf("a day: %+v", row)
	}
	if row := s.Rows[2]; *row.Paise != 36000_00 || !strings.Contains(row.Note.English, "1000 days") {
		t.Errorf("as claimed: %+v", row)
	}
}

// Penalty by section and stage (domain/constants.json, penalty).
func TestPenalty(t *testing.T) {
	for _, test := range []struct {
		name  string
		facts gst.Facts
		want  []string
	}{
		{"s.73: nil, nil, 10% or ₹10,000", notice("DRC-01", "2026-09-15", under("73(1)"), claims("IGST", 192400, 0, 0), claims("CGST", 264750, 0, 0), claims("SGST", 99999, 0, 0)),
			[]string{"s.73(5), (6)  0", "s.73(8)  0", "s.73(9) IGST 19240", "s.73(9) CGST 26475", "s.73(9) SGST 10000"}},
		{"s.74: 15, 25, 100, 50%", notice("DRC-01", "2026-09-15", under("74(1)"), fraud, claims("IGST", 2_00_001, 0, 0)),
			[]string{"s.74(5), (6)  30000", "s.74(8)  50000", "s.74(1), (9)  200001", "s.74(11)  100001"}}, // 100000.50 goes up
		{"s.74A without fraud", notice("DRC-01", "2026-09-15", under("74A(1)"), years("2024-25"), claims("CGST", 50000, 0, 0)),
			[]string{"s.74A(8)(i)  0", "s.74A(8)(ii)  0", "s.74A(5)(i) CGST 10000"}},
		{"s.74A with fraud", notice("DRC-01", "2026-09-15", under("74A(1)"), fraud, years("2024-25"), claims("CGST", 50000, 0, 0)),
			[]string{"s.74A(9)(i)  7500", "s.74A(9)(ii)  12500", "s.74A(5)(ii)  50000", "s.74A(9)(iii)  25000"}},
		{"s.122(1), the higher of tax and ₹10,000", notice("DRC-01", "2026-09-15", under("122(1)(ii)"), claims("CGST", 4000, 0, 0), claims("SGST", 40000, 0, 0)),
			[]string{"s.122(1) CGST 10000", "s.122(1) SGST 40000"}},
		{"s.122(2)(b) with fraud, s.125", notice("DRC-01", "2026-09-15", under("122(2)(b)", "125"), fraud, claims("CGST", 40000, 0, 0)),
			[]string{"s.122(2)(b) CGST 40000", "s.125  -"}},
		{"s.122(1A) is another", notice("DRC-01", "2026-09-15", under("122(1A)"), claims("CGST", 4000, 0, 0)), nil},
		{"before section 74A began", notice("DRC-01", "2024-10-31", under("74A(1)"), years("2024-25"), claims("CGST", 4000, 0, 0)), nil},
		{"no tax known", notice("DRC-01", "2026-09-15", under("73(1)")), nil},
	} {
		var got []string
		if s := sheet(reckon.Money(tables, test.facts, reckon.Given{}, law.ParseDay("2026-11-22")), "penalty"); s != nil {
			for _, row := range s.Rows {
				amount := "-"
				if row.Paise != nil {
					amount = fmt.Sprint(*row.Paise / 100)
				}
				got = append(got, strings.TrimPrefix(row.Provision, "CGST Act ")+" "+row.Head+" "+amount)
			}
			if s.Paise != nil {
				t.Errorf("%s: alternatives were added up", test.name)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// Pre-deposits, with the caps on both sides of 1.11.2024 and 1.10.2025
// (domain/constants.json, appeal_107 and appeal_112).
func TestDeposits(t *testing.T) {
	big := []func(*gst.Facts){under("73(9)"), years("2020-21"), claims("IGST", 600_00_00_000, 1, 1), claims("CGST", 300_00_00_000, 0, 0), claims("SGST", 1_00_005, 0, 0)}
	onlyPenalty := []func(*gst.Facts){under("122(1)"), claims("CGST", 0, 0, 50_000), claims("SGST", 0, 0, 50_000)}
	detained := []func(*gst.Facts){under("129(3)"), claims("IGST", 0, 0, 2_00_000)}
	for _, test := range []struct {
		name, code, today string
		facts             gst.Facts
		want              []int64 // rupees, by row; nil for no table
	}{
		{"10%, caps of 20 and 40 crore", "first_appeal", "2026-11-22", notice("DRC-07", "2024-08-01", big...), []int64{40_00_00_000, 20_00_00_000, 10_001}},
		{"10%, caps of 25 and 50 crore", "first_appeal", "2024-10-31", notice("DRC-07", "2024-08-01", big...), []int64{50_00_00_000, 25_00_00_000, 10_001}},
		{"the day of the change", "first_appeal", "2024-11-01", notice("DRC-07", "2024-08-01", big...), []int64{40_00_00_000, 20_00_00_000, 10_001}},
		{"tribunal, 10%", "tribunal", "2026-11-22", notice("DRC-07", "2024-08-01", big...), []int64{40_00_00_000, 20_00_00_000, 10_001}},
		{"tribunal, 20% before", "tribunal", "2024-10-31", notice("DRC-07", "2024-08-01", big...), []int64{100_00_00_000, 50_00_00_000, 20_001}},
		{"penalty alone, 10%", "first_appeal", "2025-10-01", notice("DRC-07", "2025-08-01", onlyPenalty...), []int64{5_000, 5_000}},
		{"penalty alone, nothing before", "first_appeal", "2025-09-30", notice("DRC-07", "2025-08-01", onlyPenalty...), nil},
		{"penalty under s.129(3), 25% before", "first_appeal", "2025-09-30", notice("DRC-07", "2025-08-01", detained...), []int64{50_000}},
		{"penalty under s.129(3), 10%", "first_appeal", "2025-10-01", notice("DRC-07", "2025-08-01", detained...), []int64{20_000}},
		{"penalty alone, tribunal", "tribunal", "2025-10-01", notice("DRC-07", "2025-08-01", onlyPenalty...), []int64{5_000, 5_000}},
		{"a notice, if the order demands it", "first_appeal", "2026-11-22", notice("DRC-01", "2026-09-15", under("73(1)"), claims("CGST", 1_000, 0, 0)), []int64{100}},
		{"none for a scrutiny", "first_appeal", "2026-11-22", notice("ASMT-10", "2026-09-15", claims("CGST", 1_000, 0, 0)), nil},
		{"no cap is known for cess", "first_appeal", "2026-11-22", notice("DRC-07", "2026-09-15", claims("CESS", 1_000, 0, 0)), []int64{100}},
	} {
		var got []int64
		sum := int64(0)
		s := sheet(reckon.Money(tables, test.facts, reckon.Given{}, law.ParseDay(test.today)), test.code)
		if s != nil {
			for _, row := range s.Rows {
				got, sum = append(got, *row.Paise/100), sum+*row.Paise
			}
			if s.Paise == nil || *s.Paise != sum {
				t.Errorf("%s: sum %v, want %d", test.name, s.Paise, sum)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// s.129(1): 200% of the tax for the owner; else 50% of the value or 200% of the
// tax (domain/notice_forms.json, MOV-07).
func TestDetention(t *testing.T) {
	s := sheet(reckon.Money(tables, notice("MOV-07", "2026-09-15", under("129(1)"), claims("IGST", 18_000, 0, 36_000)), reckon.Given{}, law.ParseDay("2026-11-22")), "detention")
	if s == nil || len(s.Rows) != 2 || *s.Rows[0].Paise != 36_000_00 || s.Rows[1].Paise != nil || s.Rows[1].Missing[0].Code != "money.missing.goods_value" {
		t.Errorf("%+v", s)
	}
}

// Impossible values from a person are refused with a reason.
func TestGivenCheck(t *testing.T) {
	good := gst.Portion{Head: "IGST", Kind: "credit", Paise: 100, From: "2026-01-01"}
	for _, test := range []struct {
		given reckon.Given
		want  string
	}{
		{reckon.Given{Served: "2026-02-28", Portions: []gst.Portion{good}}, ""},
		{reckon.Given{Served: "28.02.2026"}, "is no date"},
		{reckon.Given{Portions: []gst.Portion{{Head: "GST", Kind: "credit", Paise: 1}}}, "choose IGST"},
		{reckon.Given{Portions: []gst.Portion{{Head: "IGST", Kind: "late", Paise: 1}}}, "choose late return"},
		{reckon.Given{Portions: []gst.Portion{{Head: "IGST", Kind: "credit"}}}, "no valid amount"},
		{reckon.Given{Portions: []gst.Portion{{Head: "IGST", Kind: "credit", Paise: 1 << 62}}}, "no valid amount"},
		{reckon.Given{Portions: []gst.Portion{{Label: "May", Head: "IGST", Kind: "credit", Paise: 1, From: "2026-02-30"}}}, "May has an invalid date"},
		{reckon.Given{Portions: []gst.Portion{{Head: "IGST", Kind: "credit", Paise: 1, From: "2026-02-02", To: "2026-02-01"}}}, "before it starts"},
	} {
		err := test.given.Check()
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%+v: %v, want %q", test.given, err, test.want)
		}
	}
}

// The facts are converted to JSON and back before the computation, as in the store, and for every
// notice of the tests the result is valid JSON with its doubts.
func TestReckonNotices(t *testing.T) {
	files, err := filepath.Glob("../testdata/notices/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatalf("notices: %v, %d found", err, len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(gst.Read(tables, []gst.Page{{Text: string(text)}}))
		if err != nil {
			t.Fatal(err)
		}
		var facts gst.Facts
		if err := json.Unmarshal(raw, &facts); err != nil {
			t.Fatal(err)
		}
		r := reckon.Reckon(tables, facts, reckon.Given{}, law.ParseDay("2026-11-22"))
		if out, err := json.Marshal(r); err != nil || strings.Contains(string(out), "null,\"uncertain\"") {
			t.Errorf("%s: %v %s", file, err, out)
		}
		// Without a date of service, the reckoning uses the basis in the facts.
		if d := find(t, r.Deadlines, reckon.Reply); d != nil && facts.ReplyDue.Date != nil && (d.Date == nil || *d.Date != *facts.ReplyDue.Date) {
			t.Errorf("%s: reply by %v, the facts say %s", file, d.Date, *facts.ReplyDue.Date)
		}
		if len(r.Lines()) < 1 {
			t.Errorf("%s: no lines", file)
		}
	}
}

// FuzzReckon: facts of any JSON, as a person may have corrected them, never
// make it panic.
func FuzzReckon(f *testing.F) {
	f.Add(`{"form": "DRC-01", "issue_date": "2026-09-15", "sections": ["73(1)"], "periods": [{"fy": "2020-21"}], "demand": {"rows": [{"head": "IGST", "tax": 1e300}]}}`, "2026-10-01", int64(100))
	f.Add(`{"form": "DRC-07", "sections": ["", "74A"], "gstin": "x", "gstin_valid": true, "hearing": {"date": "nope"}, "reply_due": {"source": "computed", "time": {"count": 9999999, "unit": "working days"}}}`, "x", int64(-1))
	f.Add(`{"form": "APL-04", "issue_date": "0001-01-01", "reply_due": {"date": "bad", "source": "printed"}, "demand": {"rows": [{"tax": -5, "penalty": 1e308}]}}`, "", int64(1)<<62)
	f.Fuzz(func(t *testing.T, text, served string, paise int64) {
		var facts gst.Facts
		if json.Unmarshal([]byte(text), &facts) != nil {
			return
		}
		given := reckon.Given{Served: served, Portions: []gst.Portion{{Head: "IGST", Kind: "credit", Paise: paise, From: served}}}
		r := reckon.Reckon(tables, facts, given, law.ParseDay("2026-11-22"))
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
		r.Lines()
	})
}
