package site_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/site"
)

var shipped = filepath.Join("..", "..", "config", "site")

func options() site.Options {
	return site.Options{Texts: shipped, PublicURL: "https://munshi.example/", Product: "Lekha & Co", ParentName: "Vidhi", ParentURL: "https://vidhi.example",
		ConsultationURL: "https://vidhi.example/book", ContactAt: "help@vidhi.example", Paid: true, Price: "₹1", PeriodDays: 30, Limited: true, FreeUses: 2,
		VisitorDays: 180, DeletedDays: 30, AuditDays: 365, MaxMiB: 25, MaxPages: 500}
}

func made(t *testing.T, o site.Options) *site.Site {
	t.Helper()
	s, err := site.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func get(s *site.Site, address string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, address, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func TestBothLanguagesSayTheSameThings(t *testing.T) {
	trees := map[string]any{}
	for _, language := range []string{"en", "hi"} {
		raw, err := os.ReadFile(language + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		var tree map[string]any
		if err := yaml.Unmarshal(raw, &tree); err != nil {
			t.Fatal(err)
		}
		delete(tree, "countries") // English does not need it
		trees[language] = shape(tree)
	}
	if !reflect.DeepEqual(trees["en"], trees["hi"]) {
		t.Errorf("the words differ:\n%v\n%v", trees["en"], trees["hi"])
	}
}

// shape reduces a tree to its keys, lengths and placeholders.
func shape(tree any) any {
	switch at := tree.(type) {
	case map[string]any:
		for key, value := range at {
			at[key] = shape(value)
			if key == "picture" {
				at[key] = value
			}
		}
		return at
	case []any:
		for i := range at {
			at[i] = shape(at[i])
		}
		return at
	case string:
		names := map[string]bool{}
		for _, name := range regexp.MustCompile(`\{\w+\}`).FindAllString(at, -1) {
			names[name] = true
		}
		return names
	}
	return tree
}

func TestLanguages(t *testing.T) {
	s := made(t, options())
	for _, c := range []struct{ address, cookie, browser, want string }{
		{"/", "", "", "en"}, {"/?lang=hi", "", "", "hi"}, {"/", "munshi_language=hi", "en-IN", "hi"}, {"/?lang=en", "munshi_language=hi", "", "en"},
		{"/?lang=xx", "", "", "en"}, {"/", "munshi_language=xx", "", "en"}, {"/", "", "ta-IN, hi-IN;q=0.9, en;q=0.8", "hi"}, {"/", "", "en-IN, hi", "en"},
	} {
		r := get(s, c.address, "Cookie", c.cookie, "Accept-Language", c.browser)
		body := r.Body.String()
		if !strings.Contains(body, `<html lang="`+c.want+`">`) || r.Header().Get("Content-Language") != c.want {
			t.Errorf("%s with %q is not in %s", c.address, c.cookie, c.want)
		}
		kept := r.Header().Get("Set-Cookie")
		if asked := strings.HasSuffix(c.address, "=hi") || strings.HasSuffix(c.address, "=en"); asked != strings.Contains(kept, "munshi_language="+c.want) {
			t.Errorf("%s sets the cookie %q", c.address, kept)
		}
		if strings.ContainsAny(body, "{}") && regexp.MustCompile(`\{[a-z]+\}`).MatchString(body) || strings.Contains(body, "no value") {
			t.Errorf("%s leaves a placeholder: %s", c.address, regexp.MustCompile(`\{[a-z]+\}`).FindString(body))
		}
	}
}

func TestWhatSearchEnginesRead(t *testing.T) {
	body := get(made(t, options()), "/").Body.String()
	for _, want := range []string{
		`<link rel="canonical" href="https://munshi.example/">`, `hreflang="hi-IN" href="https://munshi.example/?lang=hi"`,
		`<meta property="og:image" content="https://munshi.example/social.png">`, `<meta name="description" content="An AI legal assistant`,
		`<title>Lekha &amp; Co: read the notice before you fear it</title>`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	found := regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`).FindStringSubmatch(body)
	var data struct {
		Type       string `json:"@type"`
		MainEntity []struct {
			Name           string
			AcceptedAnswer struct{ Text string }
		}
	}
	if err := json.Unmarshal([]byte(found[1]), &data); err != nil {
		t.Fatal(err)
	}
	if data.Type != "FAQPage" || len(data.MainEntity) != 6 || strings.Count(body, "<details name=") != 6 || data.MainEntity[0].Name != "What is Lekha & Co?" {
		t.Errorf("the questions are %+v", data)
	}
	o := options()
	o.PublicURL = ""
	if body := get(made(t, o), "/").Body.String(); strings.Contains(body, "canonical") || strings.Contains(body, "og:url") {
		t.Error("a page whose address is not known names one")
	}
}

func TestItSaysWhatIsTrueHere(t *testing.T) {
	for name, c := range map[string]struct {
		change     func(*site.Options)
		says, hush []string
	}{
		"paid": {func(*site.Options) {},
			[]string{"Premium is ₹1 for 30 days; nothing is debited automatically", "it does not renew automatically", "within 7 days", "Nothing you write or upload leaves this server", "https://vidhi.example/book", "Lekha &amp; Co is a product of Vidhi", "mailto:help@vidhi.example", "or a law firm"},
			[]string{"test mode"}},
		"sandbox": {func(o *site.Options) { o.TestMode = true }, []string{"no money is taken"}, []string{"₹1 for", "within 7 days"}},
		"unpaid":  {func(o *site.Options) { o.Paid = false }, []string{"Premium is not sold on this server", "Nothing is sold"}, []string{"₹1 for", "within 7 days"}},
		"unlimited": {func(o *site.Options) { o.Paid, o.Limited, o.FreeUses = false, false, 0 },
			[]string{"Using it is free and unlimited, with no account", "Using it is free and unlimited. Premium is not sold"},
			[]string{"uses are free"}},
		"sent": {func(o *site.Options) {
			o.Recipients = []site.Recipient{{Name: "OpenAI", Country: "India"}, {Name: "Elsewhere"}}
		}, []string{"goes to OpenAI, in India, or to Elsewhere (country not known)", "Admitted in part"}, []string{"Nothing you write or upload leaves"}},
		"local": {func(o *site.Options) {
			o.Recipients = []site.Recipient{{Name: "localhost:11434", Local: true}}
		}, []string{"goes to the model running at localhost:11434, which writes"}, []string{"Nothing you write or upload leaves"}},
		"bare": {func(o *site.Options) { o.ParentName, o.ParentURL, o.ConsultationURL, o.ContactAt = "", "", "", "" },
			[]string{"turn to whoever runs this server"}, []string{"Book a Consultation", "is a product of", "vidhi", "#contact", "contact below", "links.contact"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := options()
			c.change(&o)
			body := get(made(t, o), "/").Body.String()
			for _, want := range c.says {
				if !strings.Contains(body, want) {
					t.Errorf("the page does not say %q", want)
				}
			}
			for _, no := range c.hush {
				if strings.Contains(body, no) {
					t.Errorf("the page says %q", no)
				}
			}
		})
	}
	o := options()
	o.Recipients = []site.Recipient{{Name: "OpenAI", Country: "the United States of America"}}
	if body := get(made(t, o), "/?lang=hi").Body.String(); !strings.Contains(body, "OpenAI (अमेरिका)") {
		t.Error("the Hindi page does not name the country in Hindi")
	}
}

func TestCompressedAndKept(t *testing.T) {
	s := made(t, options())
	plain := get(s, "/")
	zipped := get(s, "/", "Accept-Encoding", "br, gzip;q=0.8")
	if zipped.Header().Get("Content-Encoding") != "gzip" || zipped.Header().Get("Vary") != "Accept-Encoding, Accept-Language, Cookie" || plain.Header().Get("Content-Encoding") != "" {
		t.Errorf("headers %v and %v", plain.Header(), zipped.Header())
	}
	z, err := gzip.NewReader(zipped.Body)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := io.ReadAll(z)
	if err != nil || string(whole) != plain.Body.String() {
		t.Errorf("the compressed page is another one: %v", err)
	}
	etag := zipped.Header().Get("ETag")
	if etag == plain.Header().Get("ETag") {
		t.Error("both forms have one ETag")
	}
	again := get(s, "/", "Accept-Encoding", "gzip", "If-None-Match", etag)
	if again.Code != http.StatusNotModified || again.Body.String() != "" {
		t.Errorf("a page that is known is sent again: %d", again.Code)
	}
	if r := get(s, "/", "Accept-Encoding", "gzip;q=0"); r.Header().Get("Content-Encoding") != "" {
		t.Error("gzip is sent to who refuses it")
	}
}

func TestAssetsHaveTheirBuiltNames(t *testing.T) {
	o := options()
	o.WebRoot = t.TempDir()
	write(t, filepath.Join(o.WebRoot, ".vite", "manifest.json"), `{"landing/landing.ts": {"file": "assets/l-1.js", "css": ["assets/l-2.css"]},
		"landing/pictures/whole-en-light.webp": {"file": "assets/w-3.webp"}}`)
	body := get(made(t, o), "/").Body.String()
	for _, want := range []string{`src="/assets/l-1.js"`, `href="/assets/l-2.css"`, `src="/assets/w-3.webp" width="1400" height="860"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	write(t, filepath.Join(o.WebRoot, ".vite", "manifest.json"), `{`)
	if _, err := site.New(o); err == nil {
		t.Error("a broken list of assets goes unnoticed")
	}
}

func TestMistakesInTheOperatorsTexts(t *testing.T) {
	for content, want := range map[string]string{
		"# Privacy\n\n{{.Prodct}}": "cannot be filled in",
		"# Privacy\n\n{{if}}":      "cannot be read",
		"Privacy\n\ntext":          "must begin with a line such as",
		"# Privacy\n":              "must begin with a line such as",
		"# Privacy\n\n<script>alert(1)</script>\n\n*a*": "",
	} {
		o := options()
		o.Texts = t.TempDir()
		if err := os.CopyFS(o.Texts, os.DirFS(shipped)); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(o.Texts, "en", "privacy.md"), content)
		s, err := site.New(o)
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", content, err)
		case want == "":
			if body := get(s, "/").Body.String(); strings.Contains(body, "alert(1)</script>") || !strings.Contains(body, "<em>a</em>") {
				t.Error("HTML of a text reaches the page, or its Markdown does not")
			}
		case err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "privacy.md"):
			t.Errorf("%q gives %v", content, err)
		}
	}
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
