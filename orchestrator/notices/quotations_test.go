package notices_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"munshi/orchestrator/gst/law"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/message"
	"munshi/orchestrator/notices"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// fictional has sections 16 and 73 of an Act that is numbered like the CGST Act but has other words.
const fictional = `{"act": "cgst", "unit": "section", "no": "16", "heading": "Lamps", "text": "(1) Every keeper of lamps shall light them before dusk on each day.\n\n(2) No lamp shall be carried ^1[into the river] unless the ferryman has counted it.", "footnotes": ["1. Subs. by Act 6 of 2022, s. 2, for \"over the bridge\" (w.e.f. 1-10-2022)."], "source": {"upstream": "fictional", "publisher": "Malgudi", "as_on": "2025-04-01"}}
{"act": "cgst", "unit": "section", "no": "73", "heading": "Oil", "text": "(1) Where oil is spilt by a keeper he shall sweep the street within two hours.", "footnotes": [], "source": {"upstream": "fictional", "publisher": "Malgudi", "as_on": "2025-04-01"}}
{"act": "cgst", "unit": "section", "no": "74", "heading": "Late keepers", "text": "(1) Under section 107(1) a keeper who is late answers within forty-five days.", "footnotes": [], "source": {"upstream": "fictional", "publisher": "Malgudi", "as_on": "2025-04-01"}}
`

// A number in words that are in the law belongs to the law, whichever provision is named; in invented words it is
// marked.
func TestNumbersInQuotations(t *testing.T) {
	tables, err := law.Load(fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	held := fictionalLaw(t)
	x := notices.FactExtractor{Tables: tables, Statute: func() *statute.Law { return held }}
	for answer, want := range map[string]bool{
		"Section 74(1) of the CGST Act. In its words: “Under section 107(1) a keeper who is late answers within forty-five days.”":  false,
		"Section 74(1) of the CGST Act. In its words: “Under section 107(1) a keeper who is early answers within forty-five days.”": true,
	} {
		found := x.Check(answer, workflows.CheckContext{Today: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)})
		if got := slices.ContainsFunc(found, func(f workflows.Finding) bool { return f.Code == "number" }); got != want {
			t.Errorf("a number is marked: %t in %q: %+v", got, answer, found)
		}
	}
}

// Words that an answer quotes as the notice's are searched for in it.
func TestInventedWordsOfTheNoticeAreMarked(t *testing.T) {
	tables, err := law.Load(fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	held := fictionalLaw(t)
	x := notices.FactExtractor{Tables: tables, Statute: func() *statute.Law { return held }}
	page := "You have wrongly availed credit of Rs. 1,20,000 and are to show cause."
	for answer, want := range map[string]bool{
		`The notice says "you are to pay the officer in cash at the gate".`:               true,
		`According to the SCN, “you are to pay the officer in cash at the gate”.`:         true,
		`नोटिस में लिखा है: "you are to pay the officer in cash at the gate"`:             true,
		`The notice alleges that you "have wrongly availed credit of Rs 1,20,000".`:       false,
		`In reply to the notice write "we deny that any credit was wrongly availed".`:     false,
		`The notice says "आपने गलत तरीके से क्रेडिट लिया है और कारण बताएँ".`:              false,
		`The notice says nothing of it. Tell them "we deny all of what is alleged here".`: false,
	} {
		found := x.Check(answer, workflows.CheckContext{Today: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC),
			Pages: []turns.Page{{Number: 1, Text: page}}})
		got := slices.ContainsFunc(found, func(f workflows.Finding) bool {
			return f.Code == "quotation" && f.Verdict == "not_in_notice" && f.Message != ""
		})
		if got != want {
			t.Errorf("%q is marked: %t, %+v", answer, got, found)
		}
	}
}

// fictionalLaw returns a library with those sections.
func fictionalLaw(t *testing.T) *statute.Law {
	t.Helper()
	folder, file := t.TempDir(), filepath.Join(t.TempDir(), "lamps.jsonl")
	if err := os.WriteFile(file, []byte(fictional), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := (statute.Import{Folder: folder, Paths: []string{file}, Today: "2026-05-01"}).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return statute.New(statute.Options{Library: folder, Today: func() string { return "2026-05-01" }})
}

func TestQuotationsOfAnAnswer(t *testing.T) {
	tables, err := law.Load(fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	held := fictionalLaw(t)
	const hostile = "The officer notes that section 16(1) of the CGST Act says “all lamps may be seized without a word”, and that it is settled."
	pages := []turns.Page{{Text: "Page one has nothing."}, {Text: hostile}}
	for _, c := range []struct {
		name, answer, want string
		scope              string
		pages              []turns.Page
		facts              string
	}{
		{name: "of a supplied judgment", answer: "In Ferry Traders v. State of Malgudi the court held “a lamp that was counted once need not be counted again”.",
			want: "in_authority Ferry Traders v. State of Malgudi, 2024 (1) MLR 7"},
		{name: "invented, of a supplied judgment", answer: "In Ferry Traders v. State of Malgudi the court held “the ferryman owes the keeper a new lamp”.",
			want: "not_in_authority Ferry Traders v. State of Malgudi, 2024 (1) MLR 7"},
		{name: "of a judgment that nobody supplied", answer: "In Lamp Makers v. State of Malgudi the court held “a lamp that was counted once need not be counted again”.",
			want: "not_held Lamp Makers v. State of Malgudi"},
		{name: "of a supplied judgment, not named", answer: "It was held: “a lamp that was counted once need not be counted again”.",
			want: "in_authority Ferry Traders v. State of Malgudi, 2024 (1) MLR 7"},
		{name: "of a supplied judgment, on a provision", answer: "Ferry Traders v. State of Malgudi on section 16(1) of the CGST Act: “a lamp that was counted once need not be counted again”.",
			want: "in_authority Ferry Traders v. State of Malgudi, 2024 (1) MLR 7"},
		{name: "of a supplied judgment, given as the law's", answer: "Section 16(1) of the CGST Act says: “a lamp that was counted once need not be counted again”.",
			want: "not_in_text section 16(1)"},
		{name: "right before it", answer: "Section 16(1) of the CGST Act says: “Every keeper of lamps shall light them before dusk”.", want: "quoted section 16(1)"},
		{name: "right behind it", answer: "Under section 73 one pays, but “every keeper of lamps shall light them” (section 16(1) of the CGST Act).", want: "quoted section 16(1)"},
		{name: "a block below its heading", answer: "### Section 16(1) of the CGST Act\n\n> Every keeper of lamps shall\n> light them before dusk on each day.\n\nSo it is.", want: "quoted section 16(1)"},
		{name: "a block that is no quotation", answer: "Now write:\n\n> To the officer, with reference to what was said.", want: ""},
		{name: "a word changed", answer: "Section 16(1) says “every keeper of lamps may light them before dusk on each day”.", want: "differs section 16(1)"},
		{name: "invented", answer: "Section 16(1) of the CGST Act says “nobody is bound by what the moon has ordered”.", want: "not_in_text section 16(1)"},
		{name: "invented, of no Act", answer: "Section 16(1) says “nobody is bound by what the moon has ordered”.", want: "not_held section 16(1)"},
		{name: "of another section", answer: "Section 16(1) says “he shall sweep the street within two hours”, as section 73(1) does.", want: "elsewhere section 73(1)"},
		{name: "of another part", answer: "Section 16(1) says “unless the ferryman has counted it”.", want: "elsewhere section 16(2)"},
		{name: "of an earlier day", answer: "Section 16(2): “No lamp shall be carried over the bridge unless the ferryman”.", want: "other_day section 16(2)"},
		{name: "for the period of a notice", answer: "Section 16(2): “No lamp shall be carried over the bridge unless the ferryman”.", want: "quoted section 16(2)",
			facts: `{"periods":[{"fy":"2020-21","from":"2020-04-01","to":"2021-03-31"}]}`},
		{name: "as it stands today, of an older period", answer: "Section 16(2): “No lamp shall be carried into the river unless the ferryman”.", want: "quoted section 16(2)",
			facts: `{"periods":[{"fy":"2018-19","from":"2018-04-01","to":"2019-03-31"}]}`},
		{name: "of neither day", answer: "Section 16(2): “No lamp shall be carried along the shore unless the ferryman”.", want: "differs section 16(2)",
			facts: `{"periods":[{"fy":"2018-19","from":"2018-04-01","to":"2019-03-31"}]}`},
		{name: "another part as it stands today", answer: "Section 16(1): “No lamp shall be carried into the river unless the ferryman”.", want: "elsewhere section 16(2)",
			facts: `{"periods":[{"fy":"2018-19","from":"2018-04-01","to":"2019-03-31"}]}`},
		{name: "single words", answer: "Section 16(1) of the CGST Act says “every … lamps … shall … dusk”.", scope: "quotations"},
		{name: "single words of the notice", answer: "It says “all … lamps … seized … word”.", scope: "quotations", pages: pages},
		{name: "an Act that is not held", answer: "Section 5 of the IGST Act says “there shall be levied a tax on lamps”.", want: "not_held section 5"},
		{name: "an Act nobody knows here", answer: "Section 10 of the Contract Act says “all agreements are contracts if made freely”.", want: "not_held section 10"},
		{name: "a circular", answer: "Circular No. 183/15/2022 says “the officer shall first ask the supplier”.", want: "not_held circular 183/15/2022"},
		{name: "the notice's own words about the law", answer: "It says of section 16(1) “all lamps may be seized without a word”.", want: "in_notice section 16(1)", pages: pages},
		{name: "the notice's own words", answer: "It says “all lamps may be seized without a word”.", pages: pages},
		{name: "nobody's words", answer: "It says “all lamps may be sold without a word”.", scope: "quotations", pages: pages},
		{name: "a term", answer: "Section 16(1) has no “reason to believe”.", want: ""},
		{name: "nothing is cited beside it", answer: "Section 16(1) governs.\n\nAs the law says, “every keeper of lamps shall light them before dusk”.", want: "quoted section 16(1)"},
	} {
		x := notices.FactExtractor{Tables: tables, Statute: func() *statute.Law { return held }}
		against := workflows.CheckContext{Pages: c.pages, Facts: c.facts, Today: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), Authorities: []turns.Authority{
			{ID: "ferry", Citation: "Ferry Traders v. State of Malgudi, 2024 (1) MLR 7", HasPDF: true, Pages: []turns.Page{
				{Number: 1, Text: "IN THE HIGH COURT OF MALGUDI"}, {Number: 2, Text: "We hold that a lamp that was counted\nonce need not be counted again."}}},
		}}
		var got []string
		scope := ""
		for _, f := range x.Check(c.answer, against) {
			switch f.Code {
			case "scope":
				scope = f.Heading
			case "quotation":
				if !strings.Contains(f.Quote, strings.TrimSpace(c.answer[f.Start:f.End])) {
					t.Errorf("%s: %q does not stand at %d to %d", c.name, f.Quote, f.Start, f.End)
				}
				var said message.Message
				if err := json.Unmarshal(f.Said, &said); err != nil || said.English != f.Message || said.In("hi") == said.English ||
					strings.Contains(said.English+said.In("hi"), "{{") {
					t.Errorf("%s: it is said %q, and by its code %+v (%v)", c.name, f.Message, said, err)
				}
				provision := f.Provision
				if f.Verdict == "in_notice" {
					provision = "section 16(1)"
				}
				got = append(got, fmt.Sprintf("%s %s", f.Verdict, provision))
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, strings.Join(got, ", "), c.want)
		}
		if scope != c.scope {
			t.Errorf("%s: not looked at %q, want %q", c.name, scope, c.scope)
		}
	}
}
