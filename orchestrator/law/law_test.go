package law

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"munshi/orchestrator/gst/cite"
)

// imported returns a library of these files, and the Law that reads it.
func imported(t testing.TB, paths ...string) (*Law, *Report) {
	t.Helper()
	folder := t.TempDir()
	report, err := Import{Folder: folder, Paths: paths, Today: "2030-05-01"}.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return New(Options{Library: folder, Today: func() string { return "2030-05-01" }}), report
}

// The Malgudi Goods and Services Tax Act is fictional, printed in the layouts of India Code and
// CBIC.
func TestHistoryOfAFictionalAct(t *testing.T) {
	l, report := imported(t, "testdata/malgudi")
	if len(report.Acts) != 1 || report.Acts[0].Act != "malgudi_gst" || len(report.Acts[0].Provisions) != 6 || report.Acts[0].AsOn != "2030-03-31" {
		t.Fatalf("imported %+v", report.Acts)
	}
	for _, test := range []struct{ number, on, words string }{
		{"2(2)", "2027-06-01", `(2) "lamplighter" means a person who lights more than thirty lamps in an evening.`},
		{"2(2)", "2028-05-31", `(2) "lamplighter" means a person who lights more than thirty lamps in an evening.`},
		{"2(2)", "2028-06-01", `(2) "lamplighter" means a person who lights more than forty lamps in an evening.`},
		{"3(2)(aa)", "2029-01-01", "(aa) a lamp on a boat, while it is on the river; and"},
		{"3(2)(b)", "2029-03-31", "(b) a lamp that a traveller carries,:"},
		{"3(2)(b)", "2029-04-01", "(b) a lamp that a traveller carries, where he carries it openly and by hand:"}, // a change within a change
		{"3(2)(b)", "2030-01-01", "(b) a lamp that a traveller carries, where he carries it by hand:"},
		{"3(2) proviso 1", "", "Provided that a lamp under clause (b) shall be put out at midnight."},
		{"3(2) Explanation", "", "Explanation.---For the purposes of this sub-section, dusk is when the temple bell rings."},
		{"3A(2)", "2029-04-01", "(2) Whoever puts it out shall pay ten rupees."},
		{"4", "2029-01-01", "A lantern on a cart shall pay two annas."}, // only the snapshot has its words
		{"5", "2028-01-01", "Whoever pays late shall pay one anna for each week."},
		{"5", "2028-06-01", "Whoever pays late shall pay one rupee for each week and the interest of section 9."},
	} {
		page, err := l.Look("malgudi_gst", test.number, test.on)
		if err != nil {
			t.Errorf("%s on %s: %v", test.number, test.on, err)
		} else if page.Text == nil || page.Text.Words != test.words {
			t.Errorf("%s on %s reads %+v (%s), want %q", test.number, test.on, page.Text, page.Missing, test.words)
		}
	}
	for _, test := range []struct{ number, on, missing string }{
		{"3(2)(aa)", "2028-05-31", "no such part on that date"},
		{"3A", "2029-03-31", "applies from 1 April 2029"},
		{"4", "2029-05-01", "omitted"},
		{"2", "2027-04-30", "applies from 1 May 2027"},
	} {
		page, err := l.Look("malgudi_gst", test.number, test.on)
		if err != nil || !strings.Contains(page.Missing.English, test.missing) {
			t.Errorf("%s on %s: %+v %v, want %q", test.number, test.on, page, err, test.missing)
		}
	}
	if _, err := l.Look("malgudi_gst", "99", ""); !errors.Is(err, ErrUnknown) {
		t.Errorf("section 99: %v", err)
	}
	page, err := l.Look("malgudi_gst", "3(2)(b)", "")
	if err != nil {
		t.Fatal(err)
	}
	var spans []string
	for _, v := range page.History {
		spans = append(spans, v.From+".."+v.Until)
	}
	if want := []string{"2027-05-01..2029-03-31", "2029-04-01..2029-12-31", "2030-01-01.."}; !slices.Equal(spans, want) {
		t.Errorf("the history of 3(2)(b) is %v", spans)
	}
	if want := []string{"malgudi_gst 5 names malgudi_gst 9"}; !slices.Equal(report.Unsettled, want) {
		t.Errorf("references to what is not there: %q", report.Unsettled)
	}
	if len(report.Differ) != 1 || !strings.Contains(report.Differ[0], "malgudi_gst 3: malgudi_2028-01-31.txt") {
		t.Errorf("the sources differ in %q", report.Differ) // "after the month", which the newer source does not have
	}
	refers, err := l.Look("malgudi_gst", "3", "")
	if err != nil || len(refers.Refers) != 2 || refers.Refers[0].Number != "2" || refers.Refers[1].Number != "4" {
		t.Errorf("section 3 names %+v %v", refers.Refers, err) // and section 6 of the Octroi Act is not one of ours
	}
}

// A part without a digest of its own is shown with the digest of the part around it, which gives its number.
func TestDigestOfWhatIsAround(t *testing.T) {
	l := New(Options{Today: func() string { return "2026-11-23" }})
	for _, test := range []struct{ number, of string }{
		{"16(4)", "16(4)"},
		{"161(1)", "161"},
		{"16(4)(z)", "16(4)"},
	} {
		page, err := l.Look("cgst", test.number, "2020-03-31")
		if err != nil || page.Entry == nil || page.Number != test.number || page.Entry.Number != test.of || page.Heading == "" {
			t.Errorf("%s: %+v %v, want the digest of %s", test.number, page, err, test.of)
		}
	}
	if _, err := l.Look("cgst", "999(1)", ""); !errors.Is(err, ErrUnknown) {
		t.Errorf("section 999(1): %v", err)
	}
}

// The parts of every version cover its text: they are nested, and each begins where the one before it
// may end.
func TestPartsCoverTheText(t *testing.T) {
	folders := []string{"testdata/malgudi"}
	if _, err := os.Stat("../../../shared/law/extracted"); err == nil {
		folders = append(folders, "../../../shared/law/extracted", "../../../shared/law/snapshots")
	}
	l, report := imported(t, folders...)
	library, err := l.Library()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, act := range report.Acts {
		for _, head := range act.Provisions {
			p, err := library.Provision(act.Act, head.Number)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range p.Versions {
				checked++
				if len(v.Parts) == 0 || v.Parts[0].Start != 0 || v.Parts[0].End != len(v.Text) {
					t.Fatalf("%s %s from %s: the whole is %+v of %d bytes", act.Act, head.Number, v.From, v.Parts[:1], len(v.Text))
				}
				var open []Part
				for _, part := range v.Parts {
					for len(open) > 0 && open[len(open)-1].End <= part.Start {
						open = open[:len(open)-1]
					}
					if part.Start > part.End || part.End > len(v.Text) || len(open) > 0 && part.End > open[len(open)-1].End {
						t.Errorf("%s %s from %s: %+v overlaps %+v", act.Act, head.Number, v.From, part, open)
					}
					open = append(open, part)
				}
			}
		}
	}
	if checked < 10 {
		t.Errorf("%d versions checked", checked)
	}
}

// The import of the official texts next to the repository, if they are there: every section and rule, within a
// minute, and days on which cases depend.
func TestImportOfTheOfficialTexts(t *testing.T) {
	if _, err := os.Stat("../../../shared/law/extracted"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the official texts are not here")
	}
	start := time.Now()
	l, report := imported(t, "../../../shared/law/extracted", "../../../shared/law/snapshots", "../../../shared/law/schedules")
	t.Logf("%d files in %v", len(report.Read), time.Since(start))
	for _, want := range []struct {
		act   string
		count int
	}{{"cgst", 190 + 3}, {"igst", 28}, {"utgst", 29}, {"cess", 15}, {"cgst_rules", 208}, {"igst_rules", 8}} {
		i := slices.IndexFunc(report.Acts, func(a ActText) bool { return a.Act == want.act })
		if i < 0 || len(report.Acts[i].Provisions) != want.count {
			t.Errorf("%s: %+v, want %d", want.act, report.Acts, want.count)
		}
	}
	for _, test := range []struct{ act, number, on, says, not string }{
		{"cgst", "16(4)", "2019-09-30", "month of September", "thirtieth day of November"},
		{"cgst", "16(4)", "2023-04-01", "thirtieth day of November", "month of September following"},
		{"cgst", "16(2)(aa)", "2022-01-01", "statement of outward supplies", ""},
		{"cgst_rules", "36(4)", "2020-06-01", "10 per cent", ""},
		{"cgst_rules", "36(4)", "2021-06-01", "5 per cent", ""},
		{"cgst_rules", "36(4)", "2022-06-01", "GSTR-2B", "5 per cent"},
		{"cgst", "129(1)", "2021-12-31", "one hundred per cent", ""},
		{"cgst", "42", "2021-01-01", "matched", ""},
	} {
		page, err := l.Look(test.act, test.number, test.on)
		if err != nil || page.Text == nil || !strings.Contains(page.Text.Words, test.says) || test.not != "" && strings.Contains(page.Text.Words, test.not) {
			t.Errorf("%s %s on %s does not say %q: %v", test.act, test.number, test.on, test.says, err)
		}
	}
	start = time.Now()
	library, err := l.Library()
	if err != nil {
		t.Fatal(err)
	}
	// The target is 50 ms; a busy machine gets more.
	if _, err := library.Provision("cgst", "2"); err != nil || time.Since(start) > time.Second {
		t.Errorf("section 2 opened in %v: %v", time.Since(start), err)
	}
	entries, err := l.Entries()
	if err != nil {
		t.Fatal(err)
	}
	passages, err := library.Passages()
	if err != nil {
		t.Fatal(err)
	}
	f := Compare(entries, passages)
	for _, p := range f.Copied {
		t.Errorf("copied: %s", p)
	}
	if _, err := os.Stat("../../../shared/law/notifications"); err != nil {
		for _, p := range f.Foreign { // with the notifications, which are PDFs, `munshi law check` finds more
			t.Logf("number: %s", p)
		}
	}
}

// A failed import leaves the library unchanged; a file in a folder that is not law is skipped.
func TestImportIsAtomic(t *testing.T) {
	folder, files := t.TempDir(), t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(files, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	run := func(paths ...string) (*Report, error) {
		return Import{Folder: folder, Paths: paths, Today: "2030-05-01", ReadPDF: func(context.Context, string) ([]string, error) {
			return nil, errors.New("this file is encrypted")
		}}.Run(context.Background())
	}
	if _, err := run("testdata/malgudi/malgudi.jsonl"); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(folder, libraryFile))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"broken.jsonl":    `{"act":"malgudi_gst","no":"1","text":"x"}` + "\n{",
		"noact.jsonl":     `{"no":"1","text":"x"}`,
		"traversal.jsonl": `{"act":"../../etc","no":"1","text":"x"}`,
		"empty.jsonl":     "\n",
		"poem.txt":        "Tyger Tyger, burning bright",
		"locked.pdf":      "%PDF-1.7",
		"table.csv":       "a,b",
	} {
		if _, err := run(put(name, text)); err == nil {
			t.Errorf("%s was imported", name)
		}
	}
	if _, err := run(filepath.Join(files, "missing.jsonl")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	after, err := os.ReadFile(filepath.Join(folder, libraryFile))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the library has changed: %v", err)
	}
	put("malgudi_2028-01-31.txt", string(mustRead(t, "testdata/malgudi/malgudi_2028-01-31.txt")))
	report, err := run(files)
	if err != nil || len(report.Read) != 1 || len(report.Refused) != 6 {
		t.Errorf("the folder: %d read, %d refused, %v", len(report.Read), len(report.Refused), err)
	}
	left, err := filepath.Glob(filepath.Join(folder, ".library-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q %v", left, err)
	}
	// The same file again replaces the first.
	if report, err = run("testdata/malgudi/malgudi.jsonl"); err != nil || len(report.Sources) != 2 {
		t.Errorf("imported again: %+v %v", report.Sources, err)
	}
}

func mustRead(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A download is kept only if it is complete and matches the list.
func TestFetch(t *testing.T) {
	site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/lamps.txt" {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte("a lamp"))
	}))
	defer site.Close()
	folder := t.TempDir()
	for _, test := range []struct{ path, sha, says string }{
		{"/lamps.txt", "", ""},
		{"/lamps.txt", sum([]byte("a lamp")), ""},
		{"/lamps.txt", sum([]byte("a torch")), "sha256"},
		{"/gone.txt", "", "404"},
	} {
		list, err := ReadOfficials([]byte("- {name: lamps.txt, address: \"" + site.URL + test.path + "\", as_on: 2030-01-01, sha256: \"" + test.sha + "\"}"))
		if err != nil {
			t.Fatal(err)
		}
		paths, err := FetchAll(context.Background(), site.Client(), list, folder)
		if test.says == "" && (err != nil || len(paths) != 1 || string(mustRead(t, paths[0])) != "a lamp") || test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
			t.Errorf("%+v: %q %v", test, paths, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".download-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	for _, list := range []string{"- {name: ../x, address: \"https://a/b\"}", "- {name: x, address: \"http://a/b\"}", "- {name: x, address: \"https://a/b\", as_on: soon}", "{"} {
		if _, err := ReadOfficials([]byte(list)); err == nil {
			t.Errorf("%s is taken", list)
		}
	}
	official, err := os.ReadFile("../../config/law/sources.yaml")
	if list, wrong := ReadOfficials(official); err != nil || wrong != nil || len(list) == 0 {
		t.Errorf("the list of the configuration: %v %v", err, wrong)
	}
}

// A new rule that a notification inserts as a whole is read; its other changes are recorded and not
// merged.
func TestNotification(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "4-2030.txt")
	text := "NOTIFICATION\nNo. 4/2030 – Central Tax\nNew Delhi, the 3rd March, 2030\nG.S.R. 1 In exercise of the powers conferred by section 164 of the Central Goods and Services\nTax Act, 2017, the Government makes the following rules to amend the Central Goods and Services Tax Rules, 2017, namely:—\n" +
		"1.  (1) These rules may be called the Lamp Rules.\n(2) They shall come into force with effect from 1st day of April, 2030.\n" +
		"2.  In the said rules, in rule 5, in sub-rule (2), for the words \"ten days\", the words \"twelve days\" shall be substituted.\n" +
		"3.  In the said rules, after rule 5, the following rule shall be inserted, namely: -\n\"5A. Lamps in trains. - (1) A lamp in a train shall be hooded.\n(2) The guard shall see to it.\".\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	rules := filepath.Join(folder, "rules.jsonl")
	line := `{"act":"cgst_rules","unit":"rule","no":"5","heading":"Lamps","text":"(1) A lamp shall be lit.\n\n(2) It shall burn for ten days.","source":{"as_on":"2029-01-01","publisher":"x"}}`
	if err := os.WriteFile(rules, []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	l, _ := imported(t, file, rules)
	page, err := l.Look("cgst_rules", "5A(2)", "2030-04-01")
	if err != nil || page.Text == nil || page.Text.Words != "(2) The guard shall see to it." {
		t.Errorf("the new rule: %+v %v", page, err)
	}
	page, err = l.Look("cgst_rules", "5(2)", "2030-05-01")
	if err != nil || len(page.Later) != 1 || page.Later[0] != (Later{"4/2030-Central Tax", "2030-03-03", "2030-04-01"}) || !strings.Contains(page.Text.Words, "ten days") {
		t.Errorf("the changed rule: %+v %v", page, err)
	}
}

// The packed digest in the program equals the files, and has no mistakes of form.
func TestDigestIsPacked(t *testing.T) {
	want, err := ReadDigest(os.DirFS("digest"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := New(Options{}).Entries()
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d entries are packed, the files have %d: run `make generate-digest`", len(got), len(want))
	}
	for i := range want {
		a, b := *got[i], *want[i]
		b.file, b.line = "", 0
		for j := range b.Numbers { // JSON has no integer type
			if n, ok := b.Numbers[j].Value.(int); ok {
				b.Numbers = slices.Clone(b.Numbers)
				b.Numbers[j].Value = float64(n)
			}
		}
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%s %s is packed as %+v: run `make generate-digest`", b.Act, b.Number, a)
		}
	}
}

// Every section and rule in the index of citations has an entry.
func TestDigestCoversTheIndex(t *testing.T) {
	index, err := cite.Open(cite.Tables())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := New(Options{}).Entries()
	if err != nil {
		t.Fatal(err)
	}
	for act, least := range map[string]int{"cgst": 190, "cgst_rules": 212, "igst": 28} {
		provisions := index.Act(act).Provisions
		if len(provisions) < least {
			t.Errorf("the index has %d provisions of %s", len(provisions), act)
		}
		for _, p := range provisions {
			if !slices.ContainsFunc(entries, func(e *Entry) bool { return e.Act == act && e.Number == p.Number }) {
				t.Errorf("the digest has no %s %s, %s", act, p.Number, p.Heading)
			}
		}
	}
}

// An operator's entries replace ours; a folder with a mistake changes nothing.
func TestOverlay(t *testing.T) {
	good := "- {number: \"36\", heading: Books, from: 2017-07-01, en: Keep them for ever., hi: हमेशा रखें।, source: us, certainty: knowledge}\n"
	for _, test := range []struct {
		name, file, says string
	}{
		{"good", good, "Keep them for ever."},
		{"a day that is none", strings.Replace(good, "2017-07-01", "July", 1), ""},
		{"no YAML", "- {", ""},
		{"refers to nothing", strings.Replace(good, "source", "refers: [\"999\"], source", 1), ""},
	} {
		l := New(Options{Overlay: fstest.MapFS{"digest/cgst/own.yaml": {Data: []byte(test.file)}}, Today: func() string { return "2026-11-23" }})
		page, err := l.Look("cgst", "36", "")
		if err != nil || page.Entry == nil || (page.Entry.English == "Keep them for ever.") != (test.says != "") {
			t.Errorf("%s: %+v %v", test.name, page, err)
		}
	}
}

// The comparison with the official text finds copied passages, and numbers that are not in the
// text.
func TestCompare(t *testing.T) {
	passages := []Passage{{Act: "cgst", Number: "5", From: "2017-07-01", Name: "the Act", Text: "Every lamplighter shall, before the evening bell has rung twice, light thirty lamps on the bridge within two hours and report by the thirtieth day of November."}}
	entry := func(english, hindi string) *Entry {
		return &Entry{Act: "cgst", Number: "5", From: "2017-07-01", English: english, Hindi: hindi, Certainty: FromText}
	}
	for _, test := range []struct {
		english, hindi  string
		copied, foreign int
	}{
		{"A lamplighter lights 30 lamps in 2 hours and reports by 30 November.", "30 दीये, 30 नवंबर तक", 0, 0},
		{"He shall, before the evening bell has rung twice, light thirty lamps on the bridge, says the Act.", "x", 1, 0},
		{"Forty days, 31 November, ₹500.", "x", 0, 3},
		{"30 lamps", "40 दिन में", 0, 1},
		{"See section 5(3), and section 77.", "x", 0, 1},
	} {
		f := Compare([]*Entry{entry(test.english, test.hindi)}, passages)
		if len(f.Copied) != test.copied || len(f.Foreign) != test.foreign {
			t.Errorf("%q: copied %v, foreign %v", test.english, f.Copied, f.Foreign)
		}
	}
}
