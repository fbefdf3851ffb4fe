package cite_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"munshi/orchestrator/gst/cite"
)

// yearOf returns a notice for the financial year that begins in this year.
func yearOf(from int) *cite.Notice {
	return &cite.Notice{From: fmt.Sprintf("%d-04-01", from), To: fmt.Sprintf("%d-03-31", from+1), Years: fmt.Sprintf("FY %d-%02d", from, (from+1)%100)}
}

// The version of a provision depends on the year of the notice.
func TestLookupInTime(t *testing.T) {
	x := open(t)
	for _, test := range []struct {
		act, number string
		year        int
		verdict     cite.Verdict
		says        string // in the message, with its source
	}{
		{"cgst", "16(2)(aa)", 2020, cite.NotInForce, "from 1 January 2022"}, // Finance Act 2021 s.109, N.39/2021-CT
		{"cgst", "16(2)(aa)", 2021, cite.Exists, "not for all of FY 2021-22"},
		{"cgst", "16(2)(aa)", 2022, cite.Exists, "1 January 2022"},
		// Both versions: returns filed later fall under the new one.
		{"cgst", "16(4)", 2019, cite.Exists, "30 November"},
		{"cgst", "16(5)", 2019, cite.Exists, "2021"}, // Finance (No. 2) Act 2024 s.118
		{"cgst", "16(5)", 2022, cite.NotInForce, "periods up to 31 March 2021"},
		{"cgst", "16(6)", 2022, cite.Exists, ""},
		{"cgst", "17(5)", 2018, cite.Exists, ""},
		{"cgst", "73", 2023, cite.Exists, "periods up to"},
		{"cgst", "73", 2024, cite.NotInForce, "periods up to 31 March 2024"}, // s.73(12)
		{"cgst", "74A(5)(ii)", 2024, cite.Exists, ""},
		{"cgst", "74A", 2023, cite.NotInForce, "periods from 1 April 2024"}, // s.74A(1)
		{"cgst", "42", 2019, cite.Exists, "30 September 2022"},              // Finance Act 2022 s.107, N.18/2022-CT
		{"cgst", "42", 2023, cite.NotInForce, "30 September 2022"},
		{"cgst", "43A", 2018, cite.NotInForce, "never came into force"},
		{"cgst", "38", 2018, cite.Exists, "Furnishing details of inward supplies"},
		{"cgst", "129(2)", 2020, cite.Exists, "31 December 2021"}, // Finance Act 2021
		{"cgst", "129(2)", 2022, cite.NotInForce, "31 December 2021"},
		{"cgst", "128A", 2018, cite.Exists, ""},
		{"cgst", "122(1B)", 2024, cite.Exists, "1 October 2023"},
		{"cgst", "16(7)", 2020, cite.Unknown, "no sub-section (7)"},
		{"cgst", "31(3)(zz)", 2020, cite.PartUnknown, "did not check"},
		{"cgst", "180", 2020, cite.Unknown, "no section 180"},
		{"cgst_rules", "36(4)", 2018, cite.NotInForce, "9 October 2019"}, // N.49/2019-CT
		{"cgst_rules", "36(4)", 2019, cite.Exists, "20 %"},
		{"cgst_rules", "36(4)", 2020, cite.Exists, "10 %"}, // N.75/2019-CT; 5 % from 1-1-2021, N.94/2020-CT
		{"cgst_rules", "36(4)", 2020, cite.Exists, "5 %"},
		{"cgst_rules", "36(4)", 2022, cite.Exists, "GSTR-2B"}, // N.40/2021-CT
		{"cgst_rules", "88B", 2017, cite.Exists, "1 July 2017"},
		{"cgst_rules", "88C", 2019, cite.Exists, "26 December 2022"},
		{"cgst_rules", "88D", 2019, cite.Exists, "4 August 2023"},
		{"cgst_rules", "37A", 2019, cite.Exists, "26 December 2022"},
		{"cgst_rules", "95A", 2019, cite.NotInForce, "never came into force"}, // N.14/2022-CT
		{"cgst_rules", "164", 2019, cite.Exists, "confirmed from the gazette"},
		{"cgst_rules", "31D", 2026, cite.Exists, "1 February 2026"}, // N.20/2025-CT
		{"cgst_rules", "142B", 2023, cite.Exists, "4 August 2023"},  // N.38/2023-CT
		{"igst", "6A", 2024, cite.Exists, "1 November 2024"},        // Finance (No. 2) Act 2024, N.17/2024-CT
		{"igst", "14A", 2023, cite.Exists, "1 October 2023"},        // IGST (Amendment) Act 2023
		{"contract", "80", 2020, cite.NotInForce, "Sale of Goods Act"},
		{"ipc", "420", 2023, cite.Exists, "30 June 2024"},
		{"ipc", "420", 2025, cite.NotInForce, "30 June 2024"},
		{"bns", "318", 2020, cite.NotInForce, "1 July 2024"},
		{"bns", "318", 2025, cite.Exists, ""},
		{"ni", "138", 2020, cite.Exists, ""},
		{"igst", "5(3)", 2020, cite.Exists, ""},
	} {
		m := x.Lookup(test.act, test.number, cite.Context{Today: "2026-11-20", Notice: yearOf(test.year)})
		if m.Verdict != test.verdict || !strings.Contains(m.Message, test.says) || m.Verdict == cite.Exists && m.Heading == "" {
			t.Errorf("%s %s for FY %d is %s %q, want %s with %q", test.act, test.number, test.year, m.Verdict, m.Message, test.verdict, test.says)
		}
	}
}

// A circular or notification in the tables is not "unverified"; one that was withdrawn is reported as withdrawn,
// and a number is looked up in its series.
func TestIssued(t *testing.T) {
	x := open(t)
	for _, test := range []struct {
		text    string
		verdict cite.Verdict
		says    string
	}{
		{"Circular No. 183/15/2022-GST", cite.Exists, "27 December 2022"},
		{"Circular 212/6/2024", cite.NotInForce, "withdrawn or replaced by 253/10/2025"},
		{"Circular No. 107/26/2019-GST", cite.NotInForce, "127/46/2019"},
		{"Notification No. 13/2017-Central Tax (Rate)", cite.Exists, "28 June 2017"},
		{"Notification No. 13/2017-Central Tax", cite.Exists, "28 June 2017"},
		{"Notification No. 10/2017-Integrated Tax (Rate)", cite.Exists, "28 June 2017"},
		{"Notification No. 10/2017-Integrated Tax", cite.Exists, "13 October 2017"},
		{"Notification No. 1/2017-Central Tax (Rate)", cite.NotInForce, "9/2025"},
		{"Notification No. 50/2017-Customs", cite.NotVerified, ""},
		{"N.13/2017-CT (Rate)", cite.Exists, "13/2017-Central Tax (Rate) of 28 June 2017"},
		{"N. 13/2017-CT(R)", cite.Exists, "13/2017-Central Tax (Rate)"},
		{"N.10/2017-IT (Rate)", cite.Exists, "10/2017-Integrated Tax (Rate)"},
		{"N.13/2017-CT", cite.Exists, "Notification 13/2017 of"},
		{"N.13/2017-UTT (Rate)", cite.NotVerified, ""},
		{"N.13/2017-ST (Rate)", cite.NotVerified, ""},
		{"Notification No. 13/2017-Central Tax(Rate)", cite.Exists, "Central Tax (Rate)"},
		{"Notification No. 13/2017 – Central Tax (Rate)", cite.Exists, "Central Tax (Rate)"},
		{"Notification No. 13/2017 Central Tax (Rate)", cite.Exists, "Central Tax (Rate)"},
		{"Notification No. 13/2017-C.T. (Rate)", cite.Exists, "Central Tax (Rate)"},
		{"Notification No. 13/2017-CTR", cite.Exists, "Central Tax (Rate)"},
		{"Notification No. 13/2017-CT Rate", cite.Exists, "Central Tax (Rate)"},
		{"Notification No. 13/2017 (Rate)", cite.Exists, "Central Tax (Rate)"},
		{"Notification No. 8/2017-I.T. (Rate)", cite.Exists, "Integrated Tax (Rate)"},
		{"Notification No. 13/2017-State Tax (Rate)", cite.NotVerified, ""},
		{"Notification No. 13/2017-State Tax", cite.NotVerified, ""},
		{"Notification No. 13/2017-Union Territory Tax (Rate)", cite.NotVerified, ""},
		{"Notification No. 1/2017-Compensation Cess (Rate)", cite.NotVerified, ""},
		{"Notification No. 1/2017-Compensation Cess", cite.NotVerified, ""},
		{"अधिसूचना संख्या 13/2017-केन्द्रीय कर (दर)", cite.Exists, "Central Tax (Rate)"},
		{"Circular No. 999/99/2031-GST", cite.NotVerified, ""},
	} {
		marks := x.Check("It rests on "+test.text+" alone.", cite.Context{Today: "2026-11-20"})
		if len(marks) != 1 || marks[0].Verdict != test.verdict || !strings.Contains(marks[0].Message, test.says) {
			t.Errorf("%s: %+v", test.text, marks)
		}
	}
	for text, want := range map[string][]string{ // the series is printed once for several numbers
		"Notifications 12/2017 and 13/2017-Central Tax (Rate)":                          {"12/2017-Central Tax (Rate)", "13/2017-Central Tax (Rate)"},
		"Notification Nos. 11/2017-Central Tax (Rate) and 8/2017-Integrated Tax (Rate)": {"11/2017-Central Tax (Rate)", "8/2017-Integrated Tax (Rate)"},
		"N.12/2017 and 13/2017-CT (Rate)":                                               {"12/2017-Central Tax (Rate)", "13/2017-Central Tax (Rate)"},
		"Notification No. 13/2017-Central Tax (Rate) and No. 12/2017":                   {"13/2017-Central Tax (Rate)", "12/2017-Central Tax (Rate)"},
	} {
		marks := x.Check("It rests on "+text+".", cite.Context{Today: "2026-11-20"})
		if len(marks) != len(want) {
			t.Errorf("%s: %+v", text, marks)
			continue
		}
		for i, m := range marks {
			if m.Verdict != cite.Exists || !strings.Contains(m.Message, want[i]+" of") {
				t.Errorf("%s: %s %q, want %s", text, m.Verdict, m.Message, want[i])
			}
		}
	}
	// The name of a tax after a number is not the series of that number.
	marks := x.Check("By Notification No. 13/2017 central tax is due, and by it integrated tax.", cite.Context{Today: "2026-11-20"})
	if len(marks) != 1 || marks[0].Provision != "notification 13/2017" {
		t.Errorf("%+v", marks)
	}
	circulars, settled := 0, 0
	for _, i := range x.Issued() {
		if i.Kind == "circular" {
			circulars++
		}
		if i.English != "" && i.Hindi != "" {
			settled++
		}
		if i.Number == "" || len(i.Date) != len("2017-07-01") || i.About == "" || i.Source == "" || i.Certainty == "" {
			t.Errorf("%+v is not whole", i)
		}
	}
	if circulars < 60 || settled < 120 {
		t.Errorf("%d circulars, %d with what they settle", circulars, settled)
	}
}

// The tables are read strictly, so that an operator's folder with a mistake is refused.
func TestTablesWithMistakes(t *testing.T) {
	for name, act := range map[string]string{
		"no JSON":          `{`,
		"a range backward": `{"unit": "section", "provisions": [{"number": "1", "has": "(5)-(2)"}]}`,
		"twice":            `{"unit": "section", "provisions": [{"number": "1"}, {"number": "1"}]}`,
	} {
		good := `{"unit": "section", "provisions": []}`
		tables := fstest.MapFS{"acts/cgst.json": {Data: []byte(act)}, "acts/cgst_rules.json": {Data: []byte(good)}, "issued.json": {Data: []byte(`{}`)}}
		if _, err := cite.Open(tables); err == nil {
			t.Errorf("%s: the tables were taken", name)
		}
	}
	if _, err := cite.Open(fstest.MapFS{}); err == nil {
		t.Error("an empty folder was taken")
	}
}

// Every date and every range in the built-in tables is valid.
func TestBuiltInTables(t *testing.T) {
	x := open(t)
	for id, number := range map[string]string{"cgst": "174", "cgst_rules": "164", "igst": "25", "contract": "238", "bns": "358", "ipc": "511", "ni": "148"} {
		if act := x.Act(id); act == nil || !act.Has(number) || act.Heading(number) == "" || act.AsOf == "" {
			t.Errorf("the table %s does not reach %s", id, number)
		}
	}
}

func FuzzCheck(f *testing.F) {
	x := open(f)
	for _, file := range []string{"testdata/sentences.txt", "testdata/sentences-later.txt", "testdata/sentences-third.txt"} {
		for _, s := range readLabelled(f, file) {
			f.Add(s.text)
		}
	}
	f.Add("section \xff16(2)(c\x00) v. | धारा १६(४")
	context := contextOf(f, "notice for FY 2020-21")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, m := range x.Check(text, context) {
			if m.Start < end || m.End <= m.Start || m.End > len(text) {
				t.Fatalf("a mark from %d to %d after %d in %q", m.Start, m.End, end, text)
			}
			if utf8.ValidString(text) && !utf8.ValidString(text[m.Start:m.End]) {
				t.Fatalf("the mark %q cuts a letter in %q", text[m.Start:m.End], text)
			}
			end = m.End
			if _, err := json.Marshal(m); err != nil || m.Verdict == "" || m.Kind == "" {
				t.Fatalf("the mark %+v: %v", m, err)
			}
		}
	})
}

// BenchmarkCheck shows that time grows in proportion to length: ten times the text takes about ten times as
// long.
func BenchmarkCheck(b *testing.B) {
	x := open(b)
	context := contextOf(b, "notice for FY 2020-21")
	var text strings.Builder
	for _, s := range readLabelled(b, "testdata/sentences.txt") {
		text.WriteString(s.text + "\n\n")
	}
	for _, times := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("bytes=%d", times*text.Len()), func(b *testing.B) {
			long := strings.Repeat(text.String(), times)
			for b.Loop() {
				x.Check(long, context)
			}
		})
	}
}

// BenchmarkCheckHostile checks text made to be slow: each must take about four times as long at four times the length.
func BenchmarkCheckHostile(b *testing.B) {
	x := open(b)
	context := contextOf(b, "notice for FY 2020-21")
	for _, unit := range []string{
		"section 73, ", "A v. B ", " v. ", "reply by ", "reply by 12.12.2030 ", "the total demand is ₹5 ", "धारा 16 ", " बनाम ", "क बनाम ख ", "Circular 1/1/2020 ", "(2020) ", "2020 (1) TMI ", "In re ",
		"section 1 of the ", "Act ", "| ", "|\n", "# ", "*", "[a](", "<", "a", "S. ", "A. ", "CGST Act ", "notice dated ", "1/", "16(2)(", "\\",
	} {
		for _, size := range []int{5_000, 20_000} {
			b.Run(fmt.Sprintf("%.12q/bytes=%d", unit, size), func(b *testing.B) {
				text := strings.Repeat(unit, size/len(unit))
				for b.Loop() {
					x.Check(text, context)
				}
			})
		}
	}
}
