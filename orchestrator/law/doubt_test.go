package law

import (
	"strings"
	"testing"
)

// The text that a source gives for a day is not shown if its number belongs to another time, because the source's
// footnotes do not go back far enough.
func TestWordsOfAnotherDay(t *testing.T) {
	share := func(value int) []Quantity { return []Quantity{{What: "share", Value: value, Unit: "percent"}} }
	entries := []*Entry{
		{Act: "cgst_rules", Number: "9(4)", From: "2019-10-09", Until: "2019-12-31", Numbers: share(20)},
		{Act: "cgst_rules", Number: "9(4)", From: "2020-01-01", Numbers: share(10)},
		{Act: "cgst_rules", Number: "9(5)", From: "2020-01-01", Numbers: share(30)},
	}
	for _, c := range []struct {
		day, number, words string
		want               bool
	}{
		{"2019-12-01", "9(4)", "shall not exceed [10 per cent.]", true},
		{"2019-12-01", "9(4)", "shall not exceed twenty per cent.", false},
		{"2020-02-01", "9(4)", "shall not exceed 10 per cent.", false},
		{"2019-12-01", "9(4)", "shall not exceed one half", false}, // neither number: nothing is known
		{"2020-02-01", "9(5)", "shall not exceed 10 per cent.", false},
		{"2018-02-01", "9(4)", "shall not exceed 10 per cent.", false}, // no summary for that day
	} {
		if got := misread(entries, "cgst_rules", c.number, c.day, c.words); got != c.want {
			t.Errorf("rule %s on %s, %q: %v", c.number, c.day, c.words, got)
		}
	}
}

// If the digest knows a change that the text does not have, the changed part is left out for the days concerned, and
// nothing else.
func TestChangeThatTheTextDoesNotHave(t *testing.T) {
	text := "(1) A lamp shall be carried on the bridge.\n(2) The ferryman may refuse a person without a lamp.\nProvided that a child shall not be refused.\n(3) A boat shall be moored."
	made := func(from, until, asOn, text string) Version {
		v := Version{From: from, Until: until, AsOn: asOn, Text: text, Parts: partsOf("9", "section", text), Status: Current}
		at := strings.Index(text, "child")
		if at > 0 {
			v.Marks = []Mark{{Start: at, End: at + 5, Kind: "inserted"}}
		}
		return v
	}
	summaries := []*Entry{
		{Act: "malgudi_gst", Number: "9(2)", From: "2018-01-01", Until: "2020-03-31"},
		{Act: "malgudi_gst", Number: "9(2)", From: "2020-04-01"},
		{Act: "malgudi_gst", Number: "9(3)", From: "2018-01-01"},
	}
	for _, c := range []struct {
		name            string
		versions        []Version
		doubtful, clean []string // days
		why             string
	}{
		{"the source is newer: its words are those after the change", []Version{made("2018-01-01", "", "2024-01-01", text)},
			[]string{"2018-01-01", "2020-03-31"}, []string{"2020-04-01", "2026-01-01"}, "law_text.after_change"},
		{"the source is older: its words are those before the change", []Version{made("2018-01-01", "", "2019-01-01", text)},
			[]string{"2020-04-01", "2026-01-01"}, []string{"2018-01-01", "2020-03-31"}, "law_text.before_change"},
		{"the text has the change", []Version{made("2018-01-01", "2020-03-31", "2024-01-01", strings.Replace(text, "may refuse", "shall refuse", 1)), made("2020-04-01", "", "2024-01-01", text)},
			nil, []string{"2018-01-01", "2020-03-31", "2020-04-01"}, ""},
		{"the text has another change, of another part", []Version{made("2018-01-01", "2019-03-31", "2024-01-01", strings.Replace(text, "boat", "raft", 1)), made("2019-04-01", "", "2024-01-01", text)},
			[]string{"2018-06-01", "2019-03-31", "2019-04-01", "2020-03-31"}, []string{"2020-04-01"}, "law_text.after_change"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := certain(&Provision{Act: "malgudi_gst", Number: "9", Unit: "section", Versions: c.versions}, summaries)
			for _, day := range c.clean {
				v := p.At(day)
				if words, _ := v.Words("9(2)"); !strings.Contains(words, "ferryman") || len(v.Doubts) > 0 {
					t.Errorf("on %s the part reads %q, doubts %v", day, words, v.Doubts)
				}
			}
			for _, day := range c.doubtful {
				v := p.At(day)
				if _, has := v.Words("9(2)"); has || strings.Contains(v.Text, "ferryman") || strings.Contains(v.Text, "child") || !strings.Contains(v.Text, "\n(2) […]\n(3) ") {
					t.Errorf("on %s it reads %q", day, v.Text)
				}
				if first, _ := v.Words("9(1)"); first != "(1) A lamp shall be carried on the bridge." {
					t.Errorf("on %s (1) reads %q", day, first)
				}
				if third, _ := v.Words("9(3)"); !strings.HasSuffix(third, "shall be moored.") || len(v.Marks) > 0 {
					t.Errorf("on %s (3) reads %q, marks %v", day, third, v.Marks)
				}
				if got := v.doubtAbout("9(2) proviso 1"); got.Code != c.why {
					t.Errorf("on %s the reason is %q, want %q", day, got.Code, c.why)
				}
				if got := v.doubtAbout("9(3)"); !got.IsZero() {
					t.Errorf("on %s (3) is doubtful: %v", day, got)
				}
			}
		})
	}
}
