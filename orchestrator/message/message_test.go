package message_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"munshi/orchestrator/message"
)

func TestMessage(t *testing.T) {
	sum := message.New("deadlines.sum.tax", message.Params{"amount": message.Paise(12_45_000_00)})
	m := message.New("deadlines.close_sums", message.Params{"sums": message.ListOf(", ", []message.Message{sum})})
	if want := "Pay tax and interest with no penalty, and close the matter: ₹12,45,000 tax"; m.English != want {
		t.Errorf("in English %q, want %q", m.English, want)
	}
	for _, c := range []struct {
		m       message.Message
		en, hi  string
		comment string
	}{
		{message.New("time.days", message.Params{"count": 1}), "1 day", "1 दिन", "one"},
		{message.New("time.months", message.Params{"count": 3}), "3 months", "3 महीने", "several"},
		{message.New("deadlines.basis.issue", message.Params{"time": message.New("time.days", message.Params{"count": 30}), "date": message.Date("2025-08-12")}),
			"30 days counted from the date of issue, 12 August 2025", "30 दिन, जारी होने की तारीख 12 अगस्त 2025 से", "a message in a message"},
		{message.New("doubts.to_confirm", message.Params{"source": message.Citation("CGST Act s.73(2) and (10)")}),
			"To be confirmed against the Act or the notification (CGST Act s.73(2) and (10)).", "अधिनियम या अधिसूचना से मिलाना है (CGST अधिनियम, धारा 73(2) और (10))।", "a citation"},
		{message.Text("Reply in FORM DRC-06", "FORM DRC-06 में उत्तर दें"), "Reply in FORM DRC-06", "FORM DRC-06 में उत्तर दें", "data"},
		{message.Text("a person's own words", ""), "a person's own words", "a person's own words", "data without Hindi"},
		{message.Sentences(message.New("limits.by_state", nil), message.Message{}), message.New("limits.by_state", nil).English, message.New("limits.by_state", nil).In("hi"), "one sentence"},
		{message.New("deadlines.sum.tax", message.Params{"amount": message.Paise(1_05)}), "₹1.05 tax", "₹1.05 टैक्स", "paise"},
		{message.New("note", message.Params{"text": message.Message{}}), ".", "", "no message in a message"},
	} {
		if c.m.English != c.en || c.m.In("hi") != c.hi {
			t.Errorf("%s: %q and %q, want %q and %q", c.comment, c.m.English, c.m.In("hi"), c.en, c.hi)
		}
		// A message that was stored and read again is the same.
		stored, err := json.Marshal(c.m)
		if err != nil {
			t.Fatal(err)
		}
		var read message.Message
		if err := json.Unmarshal(stored, &read); err != nil {
			t.Fatal(err)
		}
		if read.English != c.en || read.In("hi") != c.hi {
			t.Errorf("%s, stored as %s: %q and %q", c.comment, stored, read.English, read.In("hi"))
		}
	}
	var old message.Message
	if err := json.Unmarshal([]byte(`"the date cannot be read"`), &old); err != nil || old.English != "the date cannot be read" {
		t.Errorf("a stored string is read as %+v, %v", old, err)
	}
	if nothing, err := json.Marshal(message.Message{}); err != nil || string(nothing) != "null" {
		t.Errorf("nothing is written as %s, %v", nothing, err)
	}
}

var places = regexp.MustCompile(`\{\{(\w+)\}\}`)

// Each code has a text in both languages, with the same placeholders.
func TestCataloguesAgree(t *testing.T) {
	texts := map[string]map[string]string{}
	for _, language := range []string{"en", "hi"} {
		texts[language] = message.Catalogue(language)
		for code, text := range texts[language] {
			if strings.TrimSpace(text) == "" || strings.Count(text, "{") != 2*len(places.FindAllString(text, -1)) {
				t.Errorf("%s: %s is %q", language, code, text)
			}
		}
	}
	if len(texts["en"]) < 150 {
		t.Fatalf("only %d codes", len(texts["en"]))
	}
	named := func(text string) []string {
		var all []string
		for _, m := range places.FindAllStringSubmatch(text, -1) {
			all = append(all, m[1])
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	devanagari := regexp.MustCompile(`\p{Devanagari}`)
	for code, en := range texts["en"] {
		hi, ok := texts["hi"][code]
		switch {
		case !ok:
			t.Errorf("hi.json has no words for %s", code)
		case !slices.Equal(named(en), named(hi)):
			t.Errorf("%s has the places %v in English and %v in Hindi", code, named(en), named(hi))
		case regexp.MustCompile(`[a-z]{2}`).MatchString(places.ReplaceAllString(en, "")) && !devanagari.MatchString(hi) && places.ReplaceAllString(hi, "") != "":
			t.Errorf("%s is not in Hindi: %q", code, hi)
		}
	}
	for code := range texts["hi"] {
		if texts["en"][code] == "" && !strings.HasPrefix(code, "citations.") {
			t.Errorf("en.json has no words for %s", code)
		}
	}
	// One thing has one Hindi word, spelled in one way, wherever it is read; the official word may follow in brackets.
	plain := map[string]string{
		"कम्पोज़िशन": "कंपोज़िशन", "कंपोजिशन": "कंपोज़िशन", "पंजीकरण": "रजिस्ट्रेशन", "पंजीकृत": "रजिस्टर्ड",
		"अपंजीकृत": "बिना रजिस्ट्रेशन वाला", "आपूर्ति": "सप्लाई", "न्यायाधिकरण": "ट्रिब्यूनल",
		"आयुक्त": "कमिश्नर", "अफ़सर": "अधिकारी", "प्रमाणपत्र": "सर्टिफ़िकेट", "निदेशक": "डायरेक्टर",
		"व्यवसाय": "कारोबार", "पैराग्राफ़": "पैरा", "संयंत्र": "प्लांट", "छीजन": "वेस्टेज", "विफल": "फ़ेल",
		"प्रयास": "कोशिश", "अस्वीकृति": "नामंज़ूरी", "फीस": "फ़ीस", "फॉर्म": "फ़ॉर्म", "फर्म": "फ़र्म",
		"दफ्तर": "दफ़्तर", "मुफ्त": "मुफ़्त", "खिलाफ": "खिलाफ़", "फरवरी": "फ़रवरी", "दस्तावेज": "दस्तावेज़",
		"क़ानून": "कानून", "ग़लत": "गलत", "ख़त्म": "खत्म", "तारीख़": "तारीख", "बाक़ी": "बाकी", "जांच": "जाँच",
		"मांग": "माँग", "दुगुना": "दोगुना",
	}
	word := regexp.MustCompile(`\(?[\p{Devanagari}\x{200c}\x{200d}]+`)
	ofRule := regexp.MustCompile(`\bhi: "[^"]*"`) // other words of a rule are looked for in notices
	for _, pattern := range []string{
		"hi.json", "../../webapp/src/locales/hi/*.json", "../../prompts/_shared/*_hi.md", "../law/defences/rules/*.yaml",
	} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no text is %s: %v", pattern, err)
		}
		for _, path := range paths {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			said := string(raw)
			if filepath.Ext(path) == ".yaml" {
				said = strings.Join(ofRule.FindAllString(said, -1), "\n")
			}
			for _, w := range word.FindAllString(said, -1) {
				if instead := plain[w]; instead != "" {
					t.Errorf("%s says %s, elsewhere %s is said", path, w, instead)
				}
			}
		}
	}
}

// Every code in the source is in the catalogues, and every code of the catalogues is used in the source.
func TestCodesAreUsed(t *testing.T) {
	exact, begun, literals := map[string]bool{}, map[string]bool{}, map[string]bool{}
	files := token.NewFileSet()
	look := func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					literals[text] = true
				}
			}
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || !isNew(call.Fun) {
				return true
			}
			first := call.Args[0]
			for {
				sum, ok := first.(*ast.BinaryExpr)
				if !ok {
					break
				}
				first = sum.X
			}
			if lit, ok := first.(*ast.BasicLit); ok {
				code, _ := strconv.Unquote(lit.Value)
				if first == call.Args[0] {
					exact[code] = true
				} else {
					begun[code] = true
				}
			}
			return true
		})
		return nil
	}
	for _, folder := range []string{"..", "../../workflows"} {
		if err := filepath.WalkDir(folder, look); err != nil {
			t.Fatal(err)
		}
	}
	for code := range exact {
		if !message.Has("en", code) {
			t.Errorf("en.json has no %s", code)
		}
	}
	own := []string{"months.", "and", "weekdays.", "problems.", "operators."} // package problem tests the last two
	said := func(code string) bool {
		if exact[code] || literals[code] || slices.ContainsFunc(own, func(o string) bool { return strings.HasPrefix(code, o) }) {
			return true
		}
		for start := range begun {
			if rest, ok := strings.CutPrefix(code, start); ok && madeOf(rest, literals) {
				return true
			}
		}
		return false
	}
	for code := range message.Catalogue("en") {
		plain := strings.TrimSuffix(strings.TrimSuffix(code, "_one"), "_other")
		used := said(plain)
		// Suffixes that the source adds to a code.
		for _, suffix := range []string{"_printed", "_sums", "_if", "_law", "_source", "_unsure", "_74a"} {
			if base, ok := strings.CutSuffix(plain, suffix); ok {
				used = used || literals[suffix] && said(base)
			}
		}
		if !used {
			t.Errorf("nothing says %s", code)
		}
	}
}

// madeOf reports whether the parts of a code, between its dots, are in the source.
func madeOf(rest string, literals map[string]bool) bool {
	if literals[rest] || literals[strings.ReplaceAll(rest, "_", " ")] {
		return true
	}
	return !slices.ContainsFunc(strings.Split(rest, "."), func(part string) bool { return !literals[part] })
}

func isNew(fun ast.Expr) bool {
	s, ok := fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "New" {
		return false
	}
	of, ok := s.X.(*ast.Ident)
	return ok && of.Name == "message"
}
