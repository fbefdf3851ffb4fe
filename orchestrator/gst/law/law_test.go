package law_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/law"
)

// The built-in tables pass the same checks as an operator's folder, since both are loaded in the
// same way: Built panics if they do not.
func TestBuiltInTables(t *testing.T) {
	built := law.Built()
	if built.AsOf != "2026-11-20" || len(built.Overlaid) != 0 || len(built.Changes) != 0 {
		t.Errorf("as of %s, overlaid %v, %d changes", built.AsOf, built.Overlaid, len(built.Changes))
	}
	if len(built.Forms) < 35 || len(built.Issues) != 15 || len(built.Years) < 7 {
		t.Errorf("%d forms, %d issues, %d years", len(built.Forms), len(built.Issues), len(built.Years))
	}
	for code, want := range map[string]string{ // see domain/notice_forms.json
		"GSTR-3A": "15 days", "ASMT-10": "30 days", "ASMT-13": "60 days", "ADT-03": "90 days", "DRC-01": "", "DRC-01A": "", "DRC-01B": "7 days",
		"DRC-07": "3 months", "DRC-22": "", "REG-17": "7 working days", "REG-31": "30 days", "REG-19": "90 days", "RFD-08": "15 days", "SPL-03": "1 months",
	} {
		f := built.Form(code)
		if f == nil {
			t.Errorf("no form %s", code)
			continue
		}
		got := ""
		if f.Time != nil {
			raw, _ := json.Marshal(f.Time.Count)
			got = string(raw) + " " + f.Time.Unit
		}
		if got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
	if built.Form("XYZ-01") != nil {
		t.Error("a form that does not exist was found")
	}
}

// Each row is from domain/limitation.json, which names the notifications.
func TestLimits(t *testing.T) {
	built := law.Built()
	for _, test := range []struct {
		fy, section, state            string
		notice, order                 string
		noticeExtended, orderExtended string
	}{
		{"2017-18", "73", "29", "2022-11-07", "2023-02-07", "2023-09-30", "2023-12-31"}, // N.06/2020, N.13/2022, N.09/2023
		{"2017-18", "73", "33", "2022-11-05", "2023-02-05", "2023-09-30", "2023-12-31"}, // Tamil Nadu: due 05.02.2020
		{"2017-18", "74", "33", "2024-08-05", "2025-02-05", "", ""},
		{"2017-18", "74", "", "2024-08-07", "2025-02-07", "", ""},
		{"2018-19", "73", "", "2023-09-30", "2023-12-31", "2024-01-31", "2024-04-30"}, // N.80/2020, N.09/2023, N.56/2023
		{"2018-19", "74", "", "2025-06-30", "2025-12-31", "", ""},
		{"2019-20", "73", "", "2023-12-31", "2024-03-31", "2024-05-31", "2024-08-31"}, // N.04/2021
		{"2019-20", "74", "", "2025-09-30", "2026-03-31", "", ""},
		{"2020-21", "73", "", "2024-11-28", "2025-02-28", "", ""}, // N.40/2021; a month that ends on the 28th
		{"2020-21", "74", "", "2026-08-28", "2027-02-28", "", ""},
		{"2021-22", "73", "", "2025-09-30", "2025-12-31", "", ""},
		{"2021-22", "74", "", "2027-06-30", "2027-12-31", "", ""},
		{"2022-23", "73", "", "2026-09-30", "2026-12-31", "", ""},
		{"2022-23", "74", "", "2028-06-30", "2028-12-31", "", ""},
		{"2023-24", "73", "", "2027-09-30", "2027-12-31", "", ""},
		{"2023-24", "74", "", "2029-06-30", "2029-12-31", "", ""},
		{"2024-25", "74A", "", "2029-06-30", "", "", ""}, // 42 months after 31.12.2025
		{"2025-26", "74A", "", "2030-06-30", "", "", ""},
	} {
		l, ok := built.Limits(test.fy, test.section, test.state)
		if !ok {
			t.Errorf("%s s.%s: none", test.fy, test.section)
			continue
		}
		got := []string{iso(l.Notice), iso(l.Order), iso(l.NoticeExtended), iso(l.OrderExtended)}
		if want := []string{test.notice, test.order, test.noticeExtended, test.orderExtended}; !slices.Equal(got, want) {
			t.Errorf("%s s.%s State %q: %v, want %v", test.fy, test.section, test.state, got, want)
		}
	}
	for _, none := range [][2]string{{"2024-25", "73"}, {"2023-24", "74A"}, {"2016-17", "73"}, {"2020-21", "122"}} {
		if _, ok := built.Limits(none[0], none[1], ""); ok {
			t.Errorf("%s s.%s has limits", none[0], none[1])
		}
	}
}

func iso(d law.Day) string {
	if d.IsZero() {
		return ""
	}
	return d.ISO()
}

func TestDays(t *testing.T) {
	for _, test := range []struct {
		from   string
		months int
		want   string
	}{
		{"2025-11-30", 3, "2026-02-28"}, {"2023-11-30", 3, "2024-02-29"}, {"2026-01-31", 1, "2026-02-28"}, {"2024-02-29", 12, "2025-02-28"},
		{"2025-12-19", 3, "2026-03-19"}, {"2025-12-31", 42, "2029-06-30"}, {"2026-03-31", 1, "2026-04-30"}, {"2025-02-28", -3, "2024-11-28"},
		{"2023-12-31", -3, "2023-09-30"}, {"2026-10-31", 4, "2027-02-28"}, {"2026-12-31", 2, "2027-02-28"},
	} {
		if got := law.ParseDay(test.from).AddMonths(test.months).ISO(); got != test.want {
			t.Errorf("%s + %d months = %s, want %s", test.from, test.months, got, test.want)
		}
	}
	for _, test := range []struct {
		from string
		days int
		want string
	}{
		{"2024-02-28", 1, "2024-02-29"}, {"2025-02-28", 1, "2025-03-01"}, {"2026-03-31", 1, "2026-04-01"}, {"2024-12-31", 60, "2025-03-01"},
		{"2023-12-31", 60, "2024-02-29"}, {"2026-11-22", 30, "2026-12-22"},
	} {
		from := law.ParseDay(test.from)
		if got := from.AddDays(test.days); got.ISO() != test.want || from.DaysUntil(got) != test.days || got.DaysUntil(from) != -test.days {
			t.Errorf("%s + %d days = %s, want %s", test.from, test.days, got.ISO(), test.want)
		}
	}
	for day, fy := range map[string]string{"2026-03-31": "2025-26", "2026-04-01": "2026-27", "2017-07-01": "2017-18", "2099-04-01": "2099-00", "2000-01-01": "1999-00"} {
		if got := law.ParseDay(day).FinancialYear(); got != fy {
			t.Errorf("%s lies in %s, want %s", day, got, fy)
		}
	}
	for _, none := range []string{"", "2025-02-29", "31.12.2025", "2025-13-01", "2025-1-1"} {
		if !law.ParseDay(none).IsZero() {
			t.Errorf("%q is a day", none)
		}
	}
}

// The built-in calendar counts Monday to Friday (samples/notices/README.md) and reports which of
// these days were holidays; a calendar that excludes holidays does not count them.
func TestWorkingDays(t *testing.T) {
	built := law.Built()
	for _, test := range []struct {
		from   string
		n      int
		want   string
		within int
	}{
		{"2026-11-20", 1, "2026-11-23", 0}, // a Friday
		{"2026-11-22", 7, "2026-12-01", 0}, // a Sunday; across the end of a month
		{"2024-02-27", 3, "2024-03-01", 0}, // a leap year
		{"2025-09-26", 7, "2025-10-07", 1}, // across 2 October, a Thursday
		{"2026-08-12", 7, "2026-08-21", 0}, // 15 August is a Saturday
		{"2026-03-30", 7, "2026-04-08", 0}, // across the end of a financial year
	} {
		got, within := built.Calendar.AddWorkingDays(law.ParseDay(test.from), test.n, "")
		if got.ISO() != test.want || len(within) != test.within {
			t.Errorf("%s + %d working days = %s %v, want %s and %d holidays", test.from, test.n, got.ISO(), within, test.want, test.within)
		}
	}
	own := overlaid(t, "calendar.json", `{"as_of": "2026-11-22", "count_without_holidays": true,
		"holidays": [{"day": "2026-11-24", "name": "Guru Tegh Bahadur's Martyrdom Day", "states": ["03", "07"], "source": "State list", "certainty": "sourced", "from": "2026-01-01"}]}`)
	for state, want := range map[string]string{"03": "2026-12-02", "29": "2026-12-01"} {
		if got, within := own.Calendar.AddWorkingDays(law.ParseDay("2026-11-20"), 7, state); got.ISO() != want || within != nil {
			t.Errorf("in State %s: %s %v, want %s", state, got.ISO(), within, want)
		}
	}
	if got, _ := own.Calendar.AddWorkingDays(law.ParseDay("2025-09-26"), 7, ""); got.ISO() != "2025-10-08" {
		t.Errorf("over 2 October, left out: %s", got.ISO())
	}
	if why, closed := built.Calendar.Closed(law.ParseDay("2027-01-26"), ""); !closed || why.English != "Republic Day" {
		t.Errorf("26.01.2027: %q %v", why, closed)
	}
	if got := built.Calendar.NextOpen(law.ParseDay("2025-10-01"), "").ISO(); got != "2025-10-03" {
		t.Errorf("open after 01.10.2025 on %s", got)
	}
}

// Caps and rates on both sides of the day on which they changed
// (domain/constants.json, appeal_107 and appeal_112).
func TestRulesInForce(t *testing.T) {
	built := law.Built()
	for _, test := range []struct {
		code, of, section, on string
		percent               string
		cgst, igst            int64
	}{
		{"first_appeal", "tax", "73", "2024-10-31", "10%", 25_00_00_000, 50_00_00_000},
		{"first_appeal", "tax", "73", "2024-11-01", "10%", 20_00_00_000, 40_00_00_000}, // Finance (No.2) Act 2024
		{"tribunal", "tax", "73", "2024-10-31", "20%", 50_00_00_000, 100_00_00_000},
		{"tribunal", "tax", "73", "2026-11-22", "10%", 20_00_00_000, 40_00_00_000},
		{"first_appeal", "penalty", "122", "2025-09-30", "", 0, 0},
		{"first_appeal", "penalty", "129", "2025-09-30", "25%", 0, 0},
		{"first_appeal", "penalty", "129", "2025-10-01", "10%", 0, 0}, // Finance Act 2025 s.129
		{"first_appeal", "penalty", "122", "2025-10-01", "10%", 0, 0},
		{"tribunal", "penalty", "122", "2025-09-30", "", 0, 0},
		{"tribunal", "penalty", "122", "2025-10-01", "10%", 0, 0},
	} {
		d := built.Deposit(test.code, test.of, test.section, law.ParseDay(test.on))
		if d == nil {
			if test.percent != "" {
				t.Errorf("%s of %s on %s: none", test.code, test.of, test.on)
			}
			continue
		}
		if d.Percent.String() != test.percent || d.Caps["CGST"] != test.cgst || d.Caps["IGST"] != test.igst {
			t.Errorf("%s of %s on %s: %s, %v", test.code, test.of, test.on, d.Percent, d.Caps)
		}
	}
	for _, kind := range []string{"late_return", "short_paid", "credit"} {
		if r := built.Rate(kind, law.ParseDay("2020-04-20")); r == nil || r.Percent.String() != "18%" { // N.13/2017-CT
			t.Errorf("%s: %v", kind, r)
		}
	}
}

func overlaid(t *testing.T, name, text string) *law.Tables {
	t.Helper()
	tables, err := law.Load(fstest.MapFS{name: {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

func TestOverlay(t *testing.T) {
	tables := overlaid(t, "limitation.json", `{"as_of": "2027-01-05", "source": "N.99/2026-CT", "from": "2026-12-30", "certainty": "sourced", "years": [
		{"fy": "2024-25", "annual_return_due": "2026-03-31"},
		{"fy": "2026-27", "annual_return_due": "2027-12-31"}]}`)
	if tables.AsOf != "2027-01-05" || !slices.Equal(tables.Overlaid, []string{"limitation.json"}) {
		t.Errorf("as of %s, overlaid %v", tables.AsOf, tables.Overlaid)
	}
	if want := []law.Change{{File: "limitation.json", List: "years", Key: "2024-25"}, {File: "limitation.json", List: "years", Key: "2026-27", New: true}}; !slices.Equal(tables.Changes, want) {
		t.Errorf("changes %v", tables.Changes)
	}
	if l, ok := tables.Limits("2024-25", "74A", ""); !ok || l.Notice.ISO() != "2029-09-30" || l.Year.Source != "N.99/2026-CT" {
		t.Errorf("2024-25: %v %v", l.Notice, l.Year.Source)
	}
	if l, ok := tables.Limits("2018-19", "73", ""); !ok || l.Order.ISO() != "2023-12-31" {
		t.Error("a year that the folder does not name has changed")
	}
	if _, ok := law.Built().Limits("2026-27", "74A", ""); ok {
		t.Error("the built-in tables have changed")
	}
	// A new rate from a certain day leaves the old one in force for the days before.
	rates := overlaid(t, "interest.json", `{"as_of": "2027-01-05", "source": "N.98/2026-CT", "certainty": "sourced", "rates": [
		{"kind": "credit", "percent": 15.5, "year_days": 365, "provision": "s.50(3)", "runs": "as before", "from": "2027-01-01"}]}`)
	for day, want := range map[string]string{"2026-12-31": "18%", "2027-01-01": "15.5%"} {
		if got := rates.Rate("credit", law.ParseDay(day)).Percent.String(); got != want {
			t.Errorf("on %s: %s, want %s", day, got, want)
		}
	}
	if none, err := law.Load(fstest.MapFS{"README.md": {Data: []byte("# ours")}}); err != nil || len(none.Changes) != 0 {
		t.Errorf("an empty folder: %v, %v", none.Changes, err)
	}
}

// A folder adds to the index of provisions, and corrects entries in it; the built-in index stays
// unchanged.
func TestOverlayIndex(t *testing.T) {
	tables := overlaid(t, "index.json", `{"as_of": "2027-04-05", "source": "Finance Act 2027", "from": "2027-04-01", "certainty": "sourced",
		"provisions": [
			{"act": "cgst", "number": "16A", "heading": "Credit of a new kind"},
			{"act": "cgst", "number": "16(2)(zz)", "heading": "A new condition"},
			{"act": "cgst_rules", "number": "88B", "from": "2017-07-01", "to": "2027-03-31"}],
		"circulars": [{"number": "300/01/2027", "date": "2027-04-02", "about": "Credit of a new kind"}],
		"notifications": [{"number": "77/2027", "date": "2027-04-03", "about": "A rate"}]}`)
	context := cite.Context{Today: "2027-04-10"}
	for _, index := range []struct {
		of   *cite.Index
		want map[string]cite.Verdict
	}{
		{tables.Index, map[string]cite.Verdict{"16A": cite.Exists, "16(2)(zz)": cite.Exists, "16(2)(c)": cite.Exists, "16(4)": cite.Exists}},
		{law.Built().Index, map[string]cite.Verdict{"16A": cite.Unknown, "16(2)(zz)": cite.PartUnknown, "16(2)(c)": cite.Exists}},
	} {
		for number, want := range index.want {
			if m := index.of.Lookup("cgst", number, context); m.Verdict != want {
				t.Errorf("section %s is %s (%s), want %s", number, m.Verdict, m.Message, want)
			}
		}
	}
	if m := tables.Index.Lookup("cgst", "16A", cite.Context{Today: "2027-03-10"}); m.Verdict != cite.NotInForce || !strings.Contains(m.Message, "1 April 2027 (Finance Act 2027)") {
		t.Errorf("before its day section 16A is %+v", m)
	}
	if m := tables.Index.Lookup("cgst_rules", "88B", context); m.Verdict != cite.NotInForce || m.Heading == "" {
		t.Errorf("the omitted rule is %+v", m)
	}
	for text, want := range map[string]cite.Verdict{"See Circular No. 300/01/2027-GST.": cite.Exists, "See Notification No. 77/2027-Central Tax.": cite.Exists, "See Circular No. 301/01/2027-GST.": cite.NotVerified} {
		if marks := tables.Index.Check(text, context); len(marks) != 1 || marks[0].Verdict != want {
			t.Errorf("%s: %+v, want %s", text, marks, want)
		}
	}
	if tables.AsOf != "2027-04-05" || len(tables.Changes) != 5 {
		t.Errorf("as of %s, changes %v", tables.AsOf, tables.Changes)
	}
}

// Each paper has a name in each language in which clients are asked for papers.
func TestPapersHaveNames(t *testing.T) {
	tables := law.Built()
	for _, letter := range tables.Letters {
		if letter.Language == "en" {
			continue // these are the taxpayer's own papers
		}
		for _, issue := range tables.Issues {
			for _, d := range issue.Documents {
				if d.Names[letter.Language] == "" {
					t.Errorf("%s: %q has no name in %s", issue.Key, d.Type, letter.Name)
				}
			}
		}
	}
}

// If a folder has any mistake, the built-in tables stay in force, and the error names the file and
// the row.
func TestBadOverlays(t *testing.T) {
	const head = `{"as_of": "2026-11-22", "source": "N.1", "from": "2026-01-01", "certainty": "sourced", `
	for _, test := range []struct{ file, text, want string }{
		{"forms.json", `{"as_of": "2026-11-22",`, `forms.json:1: this is no table: it ends too early`},
		{"forms.json", "", `this is no table: it ends too early`},
		{"forms.json", "[]", `this is no table: it is a array, where { … } is wanted`},
		{"forms.json", "{\n\"as_of\": \"2026-11-22\",\n\"forms\": [nope]}", `forms.json:3: this is no table: it is not valid JSON`},
		{"forms.json", `null`, `this is no table: it is empty`},
		{"forms.json", head + `"forms": []} x`, `something stands behind the end of the table`},
		{"forms.json", head + `"form": []}`, `"form" is nothing that this table has; it has forms`},
		{"forms.json", head + `"forms": {}}`, `forms is no list of rows`},
		{"forms.json", head + `"forms": [3]}`, `forms 1: this is no row`},
		{"forms.json", head + `"forms": [{"form": "DRC-01", "knd": "notice"}]}`, `forms 1: it has no field "knd"; there are answer, answer_law, answer_title, certainty`},
		{"forms.json", head + `"forms": [{"form": "DRC-01", "kind": "letter", "law": "s", "answer": "a"}]}`, `forms 1 (DRC-01): kind is "letter": write notice, order, filing`},
		{"forms.json", head + "\"forms\": [\n{\"form\": \"DRC-01\", \"kind\": \"notice\", \"law\": \"s\", \"answer\": \"a\"},\n{\"form\": \"DRC-02\", \"kind\": \"notice\", \"law\": \"s\", \"answer\": \"a\", \"time\": {\"count\": 0, \"unit\": \"days\", \"runs_from\": \"service\"}}]}", `forms.json:3: forms 2 (DRC-02): time.count is 0: write a number from 1 to 730`},
		{"forms.json", head + `"forms": [{"form": "DRC-01", "kind": "notice", "law": "s", "answer": "a", "time": {"count": 7, "unit": "day", "runs_from": "service"}}]}`, `time.unit is "day": write days, working days, months`},
		{"forms.json", head + `"forms": [{"form": "DRC-01", "kind": "notice", "law": "s", "answer": "a", "time": {"count": 7, "units": "days"}}]}`, `unknown field "units"`},
		{"forms.json", head + `"forms": [{"form": "DRC-01", "kind": "notice", "law": "s", "answer": "a", "time": {"count": "7"}}]}`, `where a whole number is wanted`},
		{"forms.json", head + `"forms": [{"form": "DRC-01", "kind": "filing", "law": "s"}, {"form": "DRC-01", "kind": "filing", "law": "s"}]}`, `forms 2 (DRC-01): the table has this row twice`},
		{"forms.json", `{"as_of": "22.11.2026", "forms": [{"form": "X-1", "kind": "filing", "law": "s"}]}`, `as_of is "22.11.2026": write the day`},
		{"forms.json", `{"as_of": "2026-11-22", "forms": [{"form": "X-1", "kind": "filing", "law": "s"}]}`, `source is missing`},
		{"forms.json", `{"as_of": "2026-11-22", "source": "a", "from": "2026-01-01", "certainty": "sure", "forms": [{"form": "X-1", "kind": "filing", "law": "s"}]}`, `certainty is "sure": write sourced, knowledge, to be confirmed`},
		{"forms.json", `{"as_of": 7, "source": "a", "from": "2026-01-01", "certainty": "sourced", "forms": []}`, `as_of is 7: write words in quotation marks`},
		{"forms.json", head + `"forms": [{"form": "X-1", "kind": "filing", "law": "s", "to": "2025-12-31"}]}`, `it ends on 2025-12-31, before it begins on 2026-01-01`},
		{"issues.json", head + `"issues": [{"key": "x", "when": [["a||b"]]}]}`, `an empty word of which stands in every text`},
		{"issues.json", head + `"issues": [{"key": "x", "when": [["GSTR"]]}]}`, `write it in small letters`},
		{"issues.json", head + `"issues": [{"key": "x", "when": [[]]}]}`, `without terms, which would always hold`},
		{"limitation.json", head + `"years": [{"fy": "2020-22", "annual_return_due": "2022-02-28"}]}`, `fy is "2020-22", which is no financial year`},
		{"limitation.json", head + `"years": [{"fy": "2020-21", "annual_return_due": "2022-02-30"}]}`, `annual_return_due is "2022-02-30", which is no day`},
		{"limitation.json", head + `"years": [{"fy": "2020-21", "annual_return_due": "2019-12-31"}]}`, `before the financial year`},
		{"limitation.json", head + `"years": [{"fy": "2020-21", "annual_return_due": "2022-02-28", "s73_notice_extended": "2025-01-01", "s73_order_extended": "2025-04-01"}]}`, `extended_by is missing`},
		{"limitation.json", head + `"years": [{"fy": "2020-21", "annual_return_due": "2022-02-28", "earlier_due": "2022-02-20"}]}`, `earlier_due wants earlier_states`},
		{"limitation.json", head + `"sections": [{"section": "73", "words": "w", "order_months": 36, "notice_months": 3}]}`, `it wants either order_months or notice_months`},
		{"certificates.json", head + `"certificates": [{"first": "2017-07-01", "last": "2017-06-30", "circular": "c", "accountant_above": 500000}]}`, `write days as 2017-07-01`},
		{"certificates.json", head + `"certificates": [{"first": "2017-07-01", "last": "2019-03-31", "circular": "c"}]}`, `accountant_above is 0`},
		{"interest.json", head + `"rates": [{"kind": "credit", "percent": "18", "year_days": 365, "provision": "s", "runs": "r"}]}`, `"18" is no rate: write percent`},
		{"interest.json", head + `"rates": [{"kind": "credit", "percent": 180, "year_days": 365, "provision": "s", "runs": "r"}]}`, `percent is 180%: write a number from 0 to 100`},
		{"interest.json", head + `"rates": [{"kind": "credit", "percent": 18, "provision": "s", "runs": "r"}]}`, `year_days is 0`},
		{"penalties.json", head + `"penalties": [{"section": "73", "stage": "after_notice", "provision": "s", "label": "l"}]}`, `days is missing: how long to pay`},
		{"appeals.json", head + `"times": [{"code": "first_appeal", "what": "w", "months": 3, "runs_from": "receipt", "provision": "s"}]}`, `runs_from is "receipt": write service, issue`},
		{"appeals.json", head + `"predeposits": [{"code": "first_appeal", "of": "tax", "percent": 10, "provision": "s", "caps": {"GST": 5}}]}`, `caps is "GST": write IGST`},
		{"appeals.json", head + `"windows": [{"code": "tribunal", "communicated_before": "2026-05-01"}]}`, `last_day is missing`},
		{"index.json", head + `"provisions": [{"act": "gst", "number": "16A", "heading": "h"}]}`, `index.json:1: provisions (gst 16A): the index has no Act "gst": write`},
		{"index.json", head + `"provisions": [{"act": "cgst", "number": "sixteen", "heading": "h"}]}`, `is no number of a section`},
		{"index.json", head + `"provisions": [{"act": "cgst", "number": "999"}]}`, `section 999 is new: give its heading`},
		{"index.json", head + `"provisions": [{"act": "cgst", "number": "999(1)", "heading": "h"}]}`, `add that first`},
		{"index.json", head + `"circulars": [{"number": "1/1/2027"}]}`, `date is missing`},
		{"issues.json", head + `"issues": [{"key": "x", "documents": [{"type": "T", "reason": "r", "names": {"hi": ""}}]}]}`, `documents.names.hi is missing`},
		{"calendar.json", head + `"weekend": ["Funday"]}`, `weekend holds "Funday", which is no day of the week`},
		{"calendar.json", head + `"weekend": "Sunday"}`, `weekend is no list of days`},
		{"calendar.json", head + `"weekend": ["Sunday", "Monday", "Tuesday", "Wednesday"]}`, `leaves no week to work in`},
		{"calendar.json", head + `"count_without_holidays": "yes"}`, `write true or false`},
		{"calendar.json", head + `"holidays": [{"day": "02-30", "name": "x"}]}`, `day is "02-30", which is no day of the year`},
		{"calendar.json", head + `"holidays": [{"day": "2026-11-24", "name": "x", "states": ["KA"]}]}`, `states holds "KA"`},
		{"constants.json", `{}`, `no table has this name: there are forms.json`},
	} {
		tables, err := law.Load(fstest.MapFS{test.file: {Data: []byte(test.text)}})
		var problems law.Problems
		if !errors.As(err, &problems) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s\n  says %v\n  want %s", test.file, test.text, err, test.want)
			continue
		}
		for _, p := range problems {
			if p.File != test.file || p.Line < 1 {
				t.Errorf("%s: problem without its place: %+v", test.file, p)
			}
		}
		if tables.AsOf != law.Built().AsOf || len(tables.Changes) != 0 {
			t.Errorf("%s %s: the built-in tables are not in force", test.file, test.text)
		}
	}
	if _, err := law.Load(os.DirFS(t.TempDir() + "/none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// FuzzOverlay: any file gives tables or problems, never a panic, and tables that are accepted can
// be used for computing.
func FuzzOverlay(f *testing.F) {
	names := []string{"forms.json", "issues.json", "limitation.json", "interest.json", "penalties.json", "appeals.json", "calendar.json"}
	for i, name := range names {
		data, err := os.ReadFile("tables/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(i, string(data))
		f.Add(i, string(data[:len(data)/2]))
	}
	f.Add(0, `{"as_of": "2026-11-22", "forms": [null, {}, {"time": null}]}`)
	f.Fuzz(func(t *testing.T, i int, text string) {
		name := names[uint(i)%uint(len(names))]
		tables, err := law.Load(fstest.MapFS{name: {Data: []byte(text)}})
		if tables == nil {
			t.Fatal("no tables")
		}
		if err != nil && len(tables.Changes) > 0 {
			t.Error("tables with problems are in force")
		}
		day := law.ParseDay("2026-11-22")
		tables.Calendar.AddWorkingDays(day, 30, "29")
		tables.Calendar.NextOpen(day, "29")
		for _, y := range tables.Years {
			for _, section := range []string{"73", "74", "74A"} {
				tables.Limits(y.FY, section, "29")
			}
		}
		for _, code := range []string{"first_appeal", "tribunal"} {
			tables.Deposit(code, "tax", "73", day)
			tables.Time(code, day)
		}
	})
}

func BenchmarkBuilt(b *testing.B) {
	for b.Loop() {
		law.Built()
	}
}

// A circular on certificates applies to supplies within its dates: from the first day of GST, to the end of 2018-19,
// within the limits of rule 36(4), and not from 2022 on.
func TestCertificateOn(t *testing.T) {
	for day, want := range map[string]string{"2017-06-30": "", "2017-07-01": "183 0", "2019-03-31": "183 0", "2019-04-01": "193 0", "2019-10-08": "193 0", "2019-10-09": "193 20",
		"2019-12-31": "193 20", "2020-01-01": "193 10", "2021-01-01": "193 5", "2021-12-31": "193 5", "2022-01-01": ""} {
		got := ""
		if c := law.Built().CertificateOn(day); c != nil {
			got = fmt.Sprintf("%s %d", strings.TrimPrefix(c.Circular, "Circular No. ")[:3], c.Within)
			if c.AccountantAbove != 500_000 {
				t.Errorf("%s: an accountant is asked for above %d", day, c.AccountantAbove)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", day, got, want)
		}
	}
}
