package notices

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/message"
	"munshi/workflows"
)

// english matches a word that is not in Hindi; names of sub-sections do not count.
var (
	english   = regexp.MustCompile(`[a-z]{2}`)
	bracketed = regexp.MustCompile(`\([a-z]+\)`)
)

// inTables returns the names in the tables with their Hindi, as the web app has them.
func inTables(t *testing.T) map[string]string {
	t.Helper()
	raw, err := os.ReadFile("../../webapp/src/locales/hi/tables.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]string
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// sayings collects names and texts, and reports those without Hindi.
type sayings map[string]bool

func (s sayings) add(texts ...string) {
	for _, text := range texts {
		if text != "" {
			s[text] = true
		}
	}
}

func (s sayings) check(t *testing.T) {
	t.Helper()
	known, missing := inTables(t), []string{}
	for text := range s {
		cited := message.New("note", message.Params{"text": message.Citation(text)}).In("hi")
		if known[text] == "" && english.MatchString(bracketed.ReplaceAllString(cited, "")) {
			missing = append(missing, text)
		}
	}
	slices.Sort(missing)
	for i, text := range missing {
		if i == 60 {
			t.Errorf("and %d more", len(missing)-i)
			break
		}
		t.Errorf("the tables have no Hindi for %q", text)
	}
}

// papers returns the facts of notices and orders of every kind, with and without what a person adds.
func papers(tables *law.Tables, each func(gst.Facts)) {
	is := func(v bool) *bool { return &v }
	forms := []string{"", "letter", "order"}
	for _, f := range tables.Forms {
		forms = append(forms, f.Form)
	}
	time, hour := &law.Allowed{Count: 7, Unit: "working days", RunsFrom: "service"}, "11:30"
	days := []struct {
		issued, served string
		years          []string
	}{
		{"", "", []string{"2020-21"}},
		{"2025-08-12", "", []string{"2017-18"}},
		{"2025-08-08", "2025-08-12", []string{"2018-19", "2024-25"}},
		{"2023-09-28", "", []string{"2017-18", "2020-21"}},
		{"2026-01-15", "2026-01-20", []string{"2024-25", "2025-26"}},
		{"2021-06-01", "", []string{"2021-22", "2030-31"}},
	}
	claims := []*gst.Demand{
		nil,
		{Rows: []gst.DemandRow{{Head: "CGST", Tax: 50_000}, {Head: "CESS", Tax: 2_000}}},
		{Rows: []gst.DemandRow{{Head: "IGST", Tax: 70_00_00_00_000, Interest: 5_000, Penalty: 1_000}, {Head: "IGST", Tax: 500}}},
		{Rows: []gst.DemandRow{{Head: "SGST", Penalty: 40_000}}},
	}
	parts := [][]gst.Portion{nil, {
		{Head: "CGST", Kind: "short_paid", Paise: 100_00, From: "2019-05-20"}, {Head: "IGST", Kind: "late_return", Paise: 100_00, From: "2019-05-20", To: "2019-08-20"},
		{Head: "IGST", Kind: "credit", Paise: 100_00}, {Head: "IGST", Kind: "credit", Paise: 100_00, From: "2020-05-20", To: "2019-05-20"}, {Head: "IGST", Kind: "other", Paise: 100_00},
		{Head: "CGST", Kind: "short_paid", Paise: 100_00, From: "2010-05-20", To: "2011-05-20"}, {Head: "CGST", Kind: "short_paid", Paise: 100_00, From: "2016-05-20", To: "2019-05-20"},
	}}
	sections := [][]string{nil, {"73"}, {"74", "50(3)"}, {"74A", "122(1)"}, {"73(1)", "74(1)", "125"}, {"74", "74A", "122(2)"}, {"129(3)"}}
	for _, form := range forms {
		for _, cited := range sections {
			for i, day := range days {
				for j, claim := range claims {
					for _, portions := range parts {
						f := gst.Facts{Sections: cited, FraudAlleged: is((i+j)%2 == 0), Demand: claim, Portions: portions, Evidence: map[string]gst.Evidence{}, ReplyDue: gst.ReplyDue{Source: "unknown"}}
						switch form {
						case "":
						case "letter":
							f.Kind = "notice"
						case "order":
							f.Kind = "order"
						default:
							f.Form = &form
						}
						if day.issued != "" {
							f.IssueDate = &day.issued
						}
						if day.served != "" {
							f.ServedOn = &day.served
						}
						if i%2 == 0 {
							gstin := "29AABCU9603R1ZJ"
							f.GSTIN, f.GSTINValid = &gstin, is(true)
							f.Flags = []gst.Flag{{Code: "annexure_mismatch"}, {Code: "section_74_ingredients_missing"}}
							f.Hearing = &gst.Hearing{Date: "2026-01-26", Time: &hour}
						}
						switch j {
						case 1:
							f.ReplyDue.Time, f.Evidence["reply_due"] = time, gst.Evidence{Page: 1}
							f.Hearing = &gst.Hearing{Date: "2026-08-15"}
						case 2:
							f.ReplyDue = gst.ReplyDue{Date: &days[2].served, Source: "printed"}
							f.Hearing = &gst.Hearing{Date: "2026-01-2x"}
						case 3:
							if row := tables.Form(form); row != nil {
								f.ReplyDue.Time = row.Time
							}
						}
						for _, year := range day.years {
							f.Periods = append(f.Periods, gst.Period{FY: year})
						}
						each(f)
					}
				}
			}
		}
	}
}

// inHindi checks that every message within a value exists in both languages, with all its placeholders
// filled.
func inHindi(t *testing.T, value any) {
	t.Helper()
	seen := map[string]bool{}
	var look func(reflect.Value)
	say := func(m message.Message) {
		if m.IsZero() || seen[m.English] {
			return
		}
		seen[m.English] = true
		plain := english.MatchString(bracketed.ReplaceAllString(m.English, ""))
		switch hi := m.In("hi"); {
		case m.Code == "" && plain && m.Hindi == "":
			t.Errorf("a table says %q, and not in Hindi", m.English)
		case m.Code != "" && (!message.Has("en", m.Code) || !message.Has("hi", m.Code)):
			t.Errorf("%s has no words", m.Code)
		case strings.Contains(m.English+hi, "{{"), strings.Contains(m.English+hi, "%!"):
			t.Errorf("%s is said with places left: %q, %q", m.Code, m.English, hi)
		}
		for _, v := range m.Params {
			look(reflect.ValueOf(v))
		}
	}
	look = func(v reflect.Value) {
		if !v.IsValid() {
			return
		}
		if m, ok := v.Interface().(message.Message); ok {
			say(m)
			return
		}
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				look(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					look(v.Field(i))
				}
			}
		case reflect.Slice:
			for i := range v.Len() {
				look(v.Index(i))
			}
		}
	}
	look(reflect.ValueOf(value))
}

// What follows from a notice (dates, limitation, money), and how it is answered, exists in Hindi for every notice.
func TestReckoningSpeaksHindi(t *testing.T) {
	tables := law.Built()
	var reckonings []reckon.Reckoning
	var forms []reply.Form
	papers(tables, func(f gst.Facts) {
		for _, today := range []string{"2026-11-22", "2024-10-01"} {
			r := reckon.Reckon(tables, f, reckon.GivenWith(f), law.ParseDay(today))
			reckonings = append(reckonings, r)
			forms = append(forms, reply.FormOf(tables, f, r))
		}
	})
	inHindi(t, reckonings)
	inHindi(t, forms)
}

// The points to look at, the source of the reply date, and the messages about a correction exist in Hindi.
func TestWhatIsReadSpeaksHindi(t *testing.T) {
	tables, all := law.Built(), sayings{}
	notices, err := filepath.Glob("../gst/testdata/notices/*.txt")
	if err != nil || len(notices) < 20 {
		t.Fatalf("the notices were not found: %d, %v", len(notices), err)
	}
	for _, path := range notices {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var pages, recognised []gst.Page
		for text := range bytes.SplitSeq(raw, []byte("\f")) {
			pages, recognised = append(pages, gst.Page{Text: string(text)}), append(recognised, gst.Page{Text: string(text), Recognised: true})
		}
		for _, f := range []gst.Facts{gst.Read(tables, pages), gst.Read(tables, recognised),
			gst.Read(tables, pages, gst.Correction{Field: "served_on", Value: json.RawMessage(`"2026-10-01"`)}), gst.Read(tables, pages, gst.Correction{Field: "reply_due", Value: json.RawMessage(`null`)})} {
			for _, flag := range f.Flags {
				if flag.Said.English != flag.Message {
					t.Errorf("%s: the point %s has no code for its sentence", path, flag.Code)
				}
			}
			if basis := f.ReplyDue.Basis; basis != nil && f.ReplyDue.Said.English != *basis {
				t.Errorf("%s: the reply date's basis %q has no code", path, *basis)
			}
			inHindi(t, f)
			inHindi(t, reckon.Reckon(tables, f, reckon.GivenWith(f), law.ParseDay("2026-11-22")))
		}
	}
	for _, issue := range tables.Issues {
		for _, d := range issue.Documents {
			all.add(d.Type, d.Reason)
		}
	}
	all.check(t)
}

// The findings in answers and drafts, and the headings of provisions of the GST Acts and Rules, exist in Hindi.
func TestChecksSpeakHindi(t *testing.T) {
	tables, all := law.Built(), sayings{}
	contexts := []cite.Context{{Today: "2026-11-22"}}
	for _, year := range []int{2017, 2019, 2021, 2025} {
		contexts = append(contexts, cite.Context{Today: "2026-11-22", Notice: &cite.Notice{Issued: "2026-08-03", Reply: "2026-09-02", Hearing: "2026-08-30", Totals: []float64{5000},
			From: fmt.Sprintf("%d-04-01", year), To: fmt.Sprintf("%d-03-31", year+2), Years: fmt.Sprintf("FY %d-%d to %d-%d", year, (year+1)%100, year+1, (year+2)%100)}})
	}
	said := []message.Message{}
	mark := func(m cite.Mark) {
		if m.Message != m.Said.English {
			t.Errorf("the mark says %q, and by its code %q", m.Message, m.Said.English)
		}
		said = append(said, m.Said)
		if m.Kind != cite.Contradicted { // its text contains the fact
			all.add(m.Heading)
		}
		if m.Kind == cite.Provision && m.Verdict != cite.NotCovered {
			all.add(m.Act, m.Provision)
		}
	}
	for _, act := range []string{"cgst", "cgst_rules", "igst"} {
		raw, err := os.ReadFile("../gst/cite/tables/acts/" + act + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var table struct {
			Provisions []struct {
				Number string
				Parts  []struct{ At string }
			}
		}
		if err := json.Unmarshal(raw, &table); err != nil || len(table.Provisions) < 20 {
			t.Fatalf("the table of %s was not read: %v", act, err)
		}
		for _, p := range table.Provisions {
			numbers := []string{p.Number, p.Number + "(1)", p.Number + "(99)"}
			for _, part := range p.Parts {
				numbers = append(numbers, p.Number+part.At)
			}
			for _, number := range numbers {
				for _, c := range contexts {
					mark(tables.Index.Lookup(act, number, c))
				}
			}
		}
		mark(tables.Index.Lookup(act, "999", contexts[0]))
	}
	raw, err := os.ReadFile("../gst/cite/tables/issued.json")
	if err != nil {
		t.Fatal(err)
	}
	var issued struct{ Circulars, Notifications []struct{ Number string } }
	if err := json.Unmarshal(raw, &issued); err != nil {
		t.Fatal(err)
	}
	text := "The last day to reply is 5 August 2026. The personal hearing is on 6 August 2026. The notice dated 7 August 2026 says so. The total demand is ₹7,000. " +
		"See Circular 999/1/2031, Notification 98/2031, section 5 of the Customs Act.\nUnion of India v. Bharti Airtel Ltd.\nArticle 14."
	for _, c := range issued.Circulars {
		text += "\nCircular " + c.Number + "."
	}
	for _, n := range issued.Notifications {
		text += "\nNotification " + n.Number + "."
	}
	for _, c := range contexts {
		for _, m := range tables.Index.Check(text, c) {
			mark(m)
		}
	}
	for _, code := range []string{workflows.TooLong, workflows.CutOff, workflows.Shortened} {
		said = append(said, message.New("checks.part."+code, nil))
	}
	inHindi(t, said)
	all.check(t)
}
