package law

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// quotation is words that are presented as those of a provision, with the expected result.
type quotation struct {
	words, mutation string
	from            Cited
	want            []QuoteVerdict
}

// quotations makes quotations from every provision in a library on a day: its words, its words with other typography,
// with one word changed, of another version, and of another section.
func quotations(t *testing.T, l *Law, on string, most int) []quotation {
	t.Helper()
	library, err := l.Library()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(23, 7))
	type held struct {
		Cited
		p    *Provision
		text *plainText
	}
	var all []held
	for _, act := range library.Acts {
		for _, head := range act.Provisions {
			p, err := library.Provision(act.Act, head.Number)
			if err != nil {
				t.Fatal(err)
			}
			if v := p.At(on); v != nil && len(strings.Fields(v.Text)) >= 12 {
				all = append(all, held{Cited{act.Act, head.Number}, p, plain(v.Text)})
			}
		}
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	span := func(p *plainText) (words string, first, last int) {
		n := min(8+random.IntN(25), len(p.words)-1)
		first = random.IntN(len(p.words) - n)
		last = first + n
		return p.text[p.spans[first][0]:p.spans[last][1]], first, last
	}
	nowhere := func(p *Provision, words string) bool {
		said := piecesOf(words)
		for i := range p.Versions {
			if _, _, ok := plain(p.Versions[i].Text).find(said, 0, len(p.Versions[i].Text)); ok {
				return false
			}
		}
		return true
	}
	var out []quotation
	for i, h := range all {
		if len(out) >= most {
			break
		}
		words, first, last := span(h.text)
		if len(piecesOf(words)) != 1 || len(strings.Fields(words)) < 5 {
			continue
		}
		out = append(out, quotation{words, "exact", h.Cited, []QuoteVerdict{QuoteHolds}})
		set := strings.NewReplacer(" ", "\u00a0 ", "\"", "”", "-", "–").Replace(words)
		out = append(out, quotation{"**" + set + "**", "spaces", h.Cited, []QuoteVerdict{QuoteHolds}})

		at := first + random.IntN(last-first)
		for !isWord(h.text.words[at]) && at < last {
			at++
		}
		other := map[string]string{"shall": "may", "may": "shall", "and": "or", "or": "and", "thirty": "sixty"}[h.text.words[at]]
		if other == "" {
			other = "umbrella"
		}
		from, to := h.text.spans[first][0], h.text.spans[last][1]
		changed := h.text.text[from:h.text.spans[at][0]] + other + h.text.text[h.text.spans[at][1]:to]
		if nowhere(h.p, changed) {
			out = append(out, quotation{changed, "one word", h.Cited, []QuoteVerdict{QuoteDiffers}})
		}
		for v := range h.p.Versions {
			version := &h.p.Versions[v]
			if len(strings.Fields(version.Text)) < 12 {
				continue
			}
			words, _, _ := span(plain(version.Text))
			said := piecesOf(words)
			if len(said) != 1 || len(strings.Fields(words)) < 5 {
				continue
			}
			if _, _, now := h.text.find(said, 0, len(h.text.text)); !now {
				out = append(out, quotation{words, "another version", h.Cited, []QuoteVerdict{QuoteOtherDay}})
			}
		}
		foreign := all[(i+1)%len(all)]
		if words, _, _ := span(foreign.text); nowhere(h.p, words) && len(piecesOf(words)) == 1 {
			out = append(out, quotation{words, "another section", h.Cited, []QuoteVerdict{QuoteAbsent, QuoteDiffers}})
		}
	}
	return out
}

func isWord(w string) bool { return len(w) > 1 && w[0] >= 'A' }

// Quotations of the fictional Act get the expected results. If MUNSHI_LAW_TEXT names a folder with the official
// text, quotations are made from it too: see the measurement in docs/legal-engine.md.
func TestQuotationsAreHeldAgainstTheText(t *testing.T) {
	folders := []string{"testdata/malgudi"}
	least := 10
	if folder := os.Getenv("MUNSHI_LAW_TEXT"); folder != "" {
		folders = append(folders, folder)
		least = 300
	}
	l, _ := imported(t, folders...)
	for _, on := range []string{"2020-03-31", "2030-05-01"} {
		all := quotations(t, l, on, 1500)
		made, ticked, right, exact := map[string]int{}, 0, 0, 0
		wrong := map[string]int{}
		for _, q := range all {
			made[q.mutation]++
			got := NewQuotes(l, on).Check(q.words, []Cited{q.from}, []Cited{q.from})
			holds := len(q.want) == 1 && q.want[0] == QuoteHolds
			if holds {
				exact++
			}
			if got.Verdict == QuoteHolds {
				ticked++
				if holds {
					right++
				}
			}
			ok := false
			for _, w := range q.want {
				ok = ok || w == got.Verdict
			}
			if !ok {
				if wrong[q.mutation]++; wrong[q.mutation] <= 3 {
					t.Logf("%s of %v on %s: %s, want %v", q.mutation, q.from, on, got.Verdict, q.want)
				}
			}
		}
		t.Logf("on %s %d quotations %v: ticks precise %d of %d, complete %d of %d; misjudged %v", on, len(all), made, right, ticked, right, exact, wrong)
		if on > "2030" && len(all) < least {
			t.Errorf("%d quotations are too few", len(all))
		}
		if 100*right < 99*ticked || 100*right < 99*exact {
			t.Errorf("on %s: %d of %d ticks are right, %d of %d exact quotations have one", on, right, ticked, right, exact)
		}
		misjudged := 0
		for _, n := range wrong {
			misjudged += n
		}
		if 100*misjudged > len(all) {
			t.Errorf("on %s: %d of %d are misjudged", on, misjudged, len(all))
		}
	}
}

func TestQuotes(t *testing.T) {
	l, _ := imported(t, "testdata/malgudi")
	levy, lamp := Cited{"malgudi_gst", "3"}, Cited{"malgudi_gst", "2(1)"}
	for _, c := range []struct {
		name, words, on string
		likeliest       []Cited
		others          []Cited
		want            QuoteVerdict
		number          string
	}{
		{name: "its words", words: "a tax of five annas shall be paid on every lamp", likeliest: []Cited{levy}, want: QuoteHolds, number: "3"},
		{name: "words left out", words: "A tax of five annas … that burns after dusk", likeliest: []Cited{levy}, want: QuoteHolds, number: "3"},
		{name: "few words around what is left out", words: "tax … shall be … on lamp … that burns", likeliest: []Cited{levy}, want: QuoteAbsent, number: "3"},
		{name: "single words that do stand there", words: "tax … shall … every … dusk", likeliest: []Cited{levy}, want: ""},
		{name: "single words of nothing", words: "tax … shall … every … dusk", others: []Cited{levy}, want: ""},
		{name: "one long piece and one word", words: "a tax of five annas shall be paid … dusk", likeliest: []Cited{levy}, want: ""},
		{name: "from two sub-sections", words: "A tax of five annas … within thirty days, as section 6", likeliest: []Cited{levy}, want: ""},
		{name: "within one sub-section", words: "No tax shall be paid … a lamp that a traveller carries", likeliest: []Cited{levy}, want: QuoteHolds, number: "3"},
		{name: "in the wrong order", words: "that burns after dusk … a tax of five annas", likeliest: []Cited{levy}, want: QuoteAbsent, number: "3"},
		{name: "another sum", words: "A tax of six annas shall be paid on every lamp", likeliest: []Cited{levy}, want: QuoteDiffers, number: "3"},
		{name: "invented", words: "no lamp shall ever be lit by a stranger of the town", likeliest: []Cited{levy}, want: QuoteAbsent, number: "3"},
		{name: "of another part", words: "a person who lights more than forty lamps in an evening", likeliest: []Cited{lamp}, want: QuoteElsewhere, number: "2(2)"},
		{name: "before the change", words: "a person who lights more than thirty lamps in an evening", likeliest: []Cited{{"malgudi_gst", "2(2)"}}, want: QuoteOtherDay, number: "2(2)"},
		{name: "then", words: "a person who lights more than thirty lamps in an evening", on: "2027-12-31", likeliest: []Cited{{"malgudi_gst", "2(2)"}}, want: QuoteHolds, number: "2(2)"},
		{name: "not yet", words: "a person who lights more than forty lamps in an evening", on: "2027-12-31", likeliest: []Cited{{"malgudi_gst", "2(2)"}}, want: QuoteOtherDay, number: "2(2)"},
		{name: "not held", words: "a tax of five annas shall be paid on every lamp", likeliest: []Cited{{"cgst", "9"}}, want: QuoteNotHeld, number: "9"},
		{name: "an unknown Act", words: "a tax of five annas shall be paid on every lamp", likeliest: []Cited{{"", "9"}}, want: QuoteNotHeld, number: "9"},
		{name: "in Hindi", words: "हर दीपक पर पाँच आने का कर दिया जाएगा", likeliest: []Cited{levy}, want: QuoteNotHeld, number: "3"},
		{name: "of nothing, found", words: "a tax of five annas shall be paid on every lamp", others: []Cited{levy}, want: QuoteHolds, number: "3"},
		{name: "of nothing", words: "no lamp shall ever be lit by a stranger", others: []Cited{levy}, want: ""},
		{name: "of another that is cited", words: "a tax of five annas shall be paid on every lamp", likeliest: []Cited{lamp}, others: []Cited{lamp, levy}, want: QuoteElsewhere, number: "3"},
	} {
		got := NewQuotes(l, c.on).Check(c.words, c.likeliest, c.others)
		if got.Verdict != c.want || got.Number != c.number {
			t.Errorf("%s: %+v, want %s of %s", c.name, got, c.want, c.number)
		}
	}
	if got := NewQuotes(l, "").Check("A tax of six annas shall be paid on every lamp", []Cited{levy}, nil); got.Reads != "A tax of five annas shall be paid on every lamp" {
		t.Errorf("the text is said to read %q", got.Reads)
	}
	none := New(Options{})
	if got := NewQuotes(none, "2024-01-01").Check("A tax of six annas shall be paid", []Cited{levy}, nil); got.Verdict != QuoteNotHeld {
		t.Errorf("without a text: %+v", got)
	}
}

// A long invented quotation, and a large number of them, are checked in limited time.
func TestHostileQuotations(t *testing.T) {
	l, _ := imported(t, "testdata/malgudi")
	q := NewQuotes(l, "")
	long := strings.Repeat("a tax of six annas shall ", 20000)
	for range 200 {
		if got := q.Check("a tax of six annas shall be paid by all", []Cited{{"malgudi_gst", "3"}}, nil); got.Verdict != QuoteDiffers && got.Verdict != QuoteAbsent {
			t.Fatalf("%+v", got)
		}
	}
	if q.aligned != mostAligned {
		t.Errorf("%d quotations were compared word by word, at most %d may be", q.aligned, mostAligned)
	}
	q = NewQuotes(l, "")
	if got := q.Check(long, []Cited{{"malgudi_gst", "3"}}, nil); got.Verdict != QuoteAbsent {
		t.Errorf("a long one: %s", got.Verdict)
	}
	if q.aligned != 0 {
		t.Error("a quotation longer than a provision was compared word by word")
	}
	for _, words := range []string{"", "…", "“”", "...", "\x00\x00 \x00", "\xff\xfe a b c", "***"} {
		q.Check(words, []Cited{{"malgudi_gst", "3"}}, nil)
	}
}
