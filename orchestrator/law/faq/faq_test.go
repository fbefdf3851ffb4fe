package faq_test

import (
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"munshi/orchestrator/law"
	"munshi/orchestrator/law/faq"
)

// Every built-in question can be read, cites provisions that are in the digest, and states the same amounts in
// each language.
func TestBuilt(t *testing.T) {
	all, err := faq.Built()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := law.New(law.Options{}).Entries()
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range all {
		for _, p := range q.Provisions {
			act, number, _ := strings.Cut(p, " ")
			root, _, _ := strings.Cut(number, "(")
			if !slices.ContainsFunc(entries, func(e *law.Entry) bool { return e.Act == act && e.Number == root }) {
				t.Errorf("%s: the digest has no %s", q.ID, p)
			}
		}
		for _, w := range q.Works {
			for _, text := range []string{w.English, w.Hindi, w.Hinglish} {
				if !strings.Contains(text, "{result}") {
					t.Errorf("%s: %q does not say what was worked out", q.ID, text)
				}
			}
		}
	}
}

const one = `- id: bills
  asks: [How do I number my bills, bill ka number kaise likhein, बिल का नंबर कैसे लिखें]
  needs: [number|नंबर]
  answer: {en: One series., hi: एक क्रम।, hinglish: Ek series.}
  provisions: ["cgst_rules 46"]
  certainty: sourced
  source: rule 46
`

func folder(text string) fs.FS { return fstest.MapFS{"faq/own.yaml": {Data: []byte(text)}} }

// A file with a mistake is refused with the line and the mistake.
func TestMistakes(t *testing.T) {
	for want, text := range map[string]string{
		"own.yaml:1: bills: field colour not found": strings.Replace(one, "  needs:", "  colour: red\n  needs:", 1),
		"en, hi and hinglish":                       strings.Replace(one, ", hinglish: Ek series.", "", 1),
		`"section 46" is no provision`:              strings.Replace(one, "cgst_rules 46", "section 46", 1),
		"certainty is":                              strings.Replace(one, "sourced", "sure", 1),
		"names no source":                           strings.Replace(one, "rule 46", `""`, 1),
		"an empty word":                             strings.Replace(one, "number|", "number| |", 1),
		"is also in own.yaml":                       one + one,
		"at least three ways":                       strings.Replace(one, ", bill ka number kaise likhein", "", 1),
		"it takes an amount, a date or a count": strings.Replace(one, "  certainty",
			"  works: [{take: colour, en: a, hi: a, hinglish: a}]\n  certainty", 1),
		"cannot be added to a date": strings.Replace(one, "  certainty",
			"  works: [{take: date, add: soon, en: a, hi: a, hinglish: a}]\n  certainty", 1),
		"say by what": strings.Replace(one, "  certainty",
			"  works: [{take: amount, en: a, hi: a, hinglish: a}]\n  certainty", 1),
	} {
		if _, err := faq.Read(folder(text), "faq"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// An operator's question replaces ours, one with a mistake does not, and a missing folder counts as empty.
func TestOverlay(t *testing.T) {
	find := func(overlay fs.FS) []faq.Match {
		t.Helper()
		found, err := faq.New(overlay, slog.New(slog.DiscardHandler)).Find(
			"how do I number my bills", "how do I number my bills", "2026-11-27", nil)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if found := find(folder(one)); len(found) == 0 || found[0].ID != "bills" {
		t.Errorf("the operator's question is not found: %+v", found)
	}
	for _, overlay := range []fs.FS{folder("- id: x\n"), fstest.MapFS{}, nil} {
		if found := find(overlay); len(found) > 0 && found[0].ID == "bills" {
			t.Error("a question was found that nobody has")
		}
	}
}

// Every wording of a question finds it; otherwise there is a mistake in its required words or in those of another
// question.
func TestAsksFindTheirQuestion(t *testing.T) {
	all, err := faq.Built()
	if err != nil {
		t.Fatal(err)
	}
	topics := faq.New(nil, slog.New(slog.DiscardHandler))
	asked, found := 0, 0
	for _, q := range all {
		for i, ask := range q.Asks {
			if i%4 > 0 { // a quarter of them is enough
				continue
			}
			near, err := topics.Find(ask, ask, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			asked++
			if len(near) > 0 && near[0].ID == q.ID {
				found++
			}
		}
	}
	if found < asked*95/100 {
		t.Errorf("of %d ways to ask %d lead to their question", asked, found)
	}
	t.Logf("of %d ways to ask %d lead to their question", asked, found)
}
