// Package site is the landing page: one document, readable without JavaScript, in English and Hindi. It is put
// together from our texts, the operator's texts and the assets of the web app when the product starts. It reads no
// personal data, and calls nothing.
package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	text "text/template"

	"github.com/yuin/goldmark"
	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"
)

//go:embed page.html en.yaml hi.yaml
var files embed.FS

// Options are the facts about this installation that the page mentions; the operator's texts may use all of them.
type Options struct {
	WebRoot         string // folder of the built web app
	Texts           string // folder of the operator's Markdown, with a folder for each language
	PublicURL       string // how people reach the product; "" if unknown
	Product         string
	ParentName      string
	ParentURL       string
	ConsultationURL string
	ContactAt       string // an e-mail address or a page; "" if not configured
	SellerName      string
	SellerAddress   string
	SellerGSTIN     string
	Paid            bool   // Premium is sold
	TestMode        bool   // payments are only simulated
	Price           string // for one period, such as ₹1
	PeriodDays      int
	Limited         bool        // uses are counted
	FreeUses        int         // number of free uses, if Limited
	Recipients      []Recipient // who gets texts to answer them; none: nothing leaves the server
	NoticeURL       string      // the operator's own notice about personal data
	VisitorDays     int         // after which a visitor's content is erased; 0: never
	DeletedDays     int         // for which deleted content can be restored
	AuditDays       int
	MaxMiB          int64 // of an upload
	MaxPages        int
}

// Recipient is a provider or host that gets texts, with the country where it processes them ("" if unknown). Local
// means that it runs on this server.
type Recipient struct {
	Name, Country string
	Local         bool
}

// Contact returns the operator's address as Markdown, or "" if there is none.
func (o Options) Contact() string {
	if o.ContactAt == "" {
		return ""
	}
	return "<" + o.ContactAt + ">"
}

// Site serves the landing page.
type Site struct {
	pages  map[string]page
	secure bool // the product is served over https
}

// page is the complete document in one language.
type page struct {
	plain, zipped []byte
	etag          string
}

// languages are the languages of the page, of which the first is the default.
var languages = []string{"en", "hi"}

// texts are the names of the operator's texts, in the order of the page.
var texts = []string{"privacy", "terms", "refunds", "contact"}

// New puts the page together. An error names the place of a mistake in the operator's texts. Without a built web app
// the page has no style, so that a server can start before the build.
func New(o Options) (*Site, error) {
	assets, err := assetsOf(o.WebRoot)
	if err != nil {
		return nil, err
	}
	layout, err := template.New("page.html").Option("missingkey=error").Funcs(template.FuncMap{"asset": assets.named}).ParseFS(files, "page.html")
	if err != nil {
		return nil, fmt.Errorf("parse the landing page: %w", err)
	}
	s := &Site{pages: map[string]page{}, secure: strings.HasPrefix(o.PublicURL, "https://")}
	for _, language := range languages {
		if s.pages[language], err = build(layout, o, language); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func build(layout *template.Template, o Options, language string) (page, error) {
	words, err := wordsIn(language, o)
	if err != nil {
		return page{}, err
	}
	own, err := ownTexts(o, language)
	if err != nil {
		return page{}, err
	}
	base := strings.TrimRight(o.PublicURL, "/")
	data := map[string]any{"Language": language, "Words": words, "Own": own, "Options": o, "Base": base,
		"Canonical": base + address(language), "English": base + address("en"), "Hindi": base + address("hi"),
		"Questions": questions(words)}
	var b bytes.Buffer
	if err := layout.Execute(&b, data); err != nil {
		return page{}, fmt.Errorf("put the landing page together: %w", err)
	}
	p := page{plain: b.Bytes(), etag: fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))[:20]}
	var zipped bytes.Buffer
	w, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(p.plain)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return page{}, fmt.Errorf("compress the landing page: %w", err)
	}
	p.zipped = zipped.Bytes()
	return p, nil
}

// address returns the path of the page in a language.
func address(language string) string {
	if language == languages[0] {
		return "/"
	}
	return "/?lang=" + language
}

// questions returns the questions and answers of the page in the format for search engines.
func questions(words map[string]any) any {
	list := []any{}
	for _, q := range words["questions"].([]any) {
		one := q.(map[string]any)
		list = append(list, map[string]any{"@type": "Question", "name": one["question"],
			"acceptedAnswer": map[string]any{"@type": "Answer", "text": one["answer"]}})
	}
	return map[string]any{"@context": "https://schema.org", "@type": "FAQPage", "mainEntity": list}
}

// wordsIn returns our texts in a language, filled in for this installation.
func wordsIn(language string, o Options) (map[string]any, error) {
	raw, err := files.ReadFile(language + ".yaml")
	if err != nil {
		return nil, err
	}
	var words map[string]any
	if err := yaml.Unmarshal(raw, &words); err != nil {
		return nil, fmt.Errorf("read the words of the landing page: %w", err)
	}
	say := func(key string) string { return fmt.Sprint(words[key]) }
	where := say("stays")
	if len(o.Recipients) > 0 {
		countries, _ := words["countries"].(map[string]any)
		names := make([]string, len(o.Recipients))
		for i, r := range o.Recipients {
			names[i] = strings.NewReplacer("{who}", r.Name, "{country}", inLanguage(countries, r.Country)).
				Replace(say("recipient"))
			switch {
			case r.Local:
				names[i] = strings.ReplaceAll(say("recipientLocal"), "{who}", r.Name)
			case r.Country == "":
				names[i] = strings.ReplaceAll(say("recipientUnknown"), "{who}", r.Name)
			}
		}
		where = strings.ReplaceAll(say("leaves"), "{recipients}", strings.Join(names, say("or")))
	}
	price := say("unpaid")
	switch {
	case o.TestMode:
		price = say("testMode")
	case o.Paid:
		price = say("paid")
	}
	free := say("unlimited")
	if o.Limited {
		free = say("limited")
	}
	price = strings.ReplaceAll(price, "{free}", free)
	fill := strings.NewReplacer("{product}", o.Product, "{uses}", strconv.Itoa(o.FreeUses), "{price}", o.Price,
		"{days}", strconv.Itoa(o.PeriodDays), "{kept}", strconv.Itoa(o.DeletedDays), "{megabytes}",
		strconv.FormatInt(o.MaxMiB, 10), "{pages}", strconv.Itoa(o.MaxPages), "{parent}", o.ParentName)
	words["whereTextsGo"], words["whatItCosts"] = where, price
	return filled(words, fill, strings.NewReplacer("{where}", where, "{costs}", price, "{free}",
		free)).(map[string]any), nil
}

// inLanguage returns a country's name in the language of the texts, or unchanged if it is not listed.
func inLanguage(countries map[string]any, name string) string {
	if known, ok := countries[name].(string); ok {
		return known
	}
	return name
}

// filled replaces placeholders in every text of a tree; the replacers are applied in order.
func filled(tree any, by ...*strings.Replacer) any {
	switch at := tree.(type) {
	case string:
		for _, r := range by[1:] {
			at = r.Replace(at)
		}
		return by[0].Replace(at)
	case []any:
		for i := range at {
			at[i] = filled(at[i], by...)
		}
	case map[string]any:
		for key := range at {
			at[key] = filled(at[key], by...)
		}
	}
	return tree
}

// own is one of the operator's texts.
type own struct {
	ID, Title string
	Body      template.HTML
}

func ownTexts(o Options, language string) ([]own, error) {
	list := make([]own, 0, len(texts))
	for _, id := range texts {
		name := filepath.Join(o.Texts, language, id+".md")
		t, err := text.New(filepath.Base(name)).Option("missingkey=error").ParseFiles(name)
		if err != nil {
			return nil, fmt.Errorf("the text %s cannot be read: %w", name, err)
		}
		var markdown strings.Builder
		if err := t.Execute(&markdown, o); err != nil {
			return nil, fmt.Errorf("the text %s cannot be filled in: %w", name, err)
		}
		first, body, _ := strings.Cut(strings.TrimSpace(markdown.String()), "\n")
		title, found := strings.CutPrefix(first, "# ")
		says := strings.TrimSpace(body) != ""
		if depends := strings.Contains(t.Root.String(), "{{"); !found || !says && !depends {
			return nil, fmt.Errorf("the text %s must begin with a line such as “# Privacy”, and go on after it", name)
		}
		if !says {
			continue // it does not apply here, such as a contact that is not configured
		}
		var html bytes.Buffer
		if err := goldmark.Convert([]byte(body), &html); err != nil {
			return nil, fmt.Errorf("the text %s cannot be read: %w", name, err)
		}
		// goldmark removes HTML and unsafe links.
		list = append(list, own{id, title, template.HTML(html.String())})
	}
	return list, nil
}

// assets are the files of the built web app by source file.
type assets map[string]struct {
	File string   `json:"file"`
	CSS  []string `json:"css"`
}

func assetsOf(root string) (assets, error) {
	raw, err := os.ReadFile(filepath.Join(root, ".vite", "manifest.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of the web app's files: %w", err)
	}
	var a assets
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, fmt.Errorf("read the list of the web app's files: %w", err)
	}
	return a, nil
}

// named returns the path of the built file for a source; "landing/landing.css" stands for the style of the entry.
func (a assets) named(source string) string {
	if one, ok := a[source]; ok {
		return "/" + one.File
	}
	if css := a["landing/landing.ts"].CSS; source == "landing/landing.css" && len(css) > 0 {
		return "/" + css[0]
	}
	return ""
}

// ServeHTTP sends the page in the language of the address, and stores that language in a cookie. Without a language in
// the address, it takes the one in the cookie, or else the first in the browser's list that the page has, as the web
// app does.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	lang := preferred(r.Header.Get("Accept-Language"))
	if kept, err := r.Cookie(cookie); err == nil && s.pages[kept.Value].plain != nil {
		lang = kept.Value
	}
	if asked := r.URL.Query().Get("lang"); s.pages[asked].plain != nil {
		lang = asked
		http.SetCookie(w, &http.Cookie{Name: cookie, Value: asked, Path: "/", MaxAge: 365 * 24 * 60 * 60,
			Secure: s.secure, SameSite: http.SameSiteLaxMode})
	}
	p, h := s.pages[lang], w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", lang)
	h.Set("Cache-Control", "no-cache")
	h.Add("Vary", "Accept-Encoding, Accept-Language, Cookie")
	body, etag := p.plain, `"`+p.etag+`"`
	if zips(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		body, etag = p.zipped, `"`+p.etag+`-gzip"`
	}
	h.Set("ETag", etag)
	if strings.Contains(r.Header.Get("If-None-Match"), etag) { // a proxy may have made it weak
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // fails if the client has disconnected
	}
}

// spoken are the languages of the page, of which the first is the default.
var spoken = language.NewMatcher([]language.Tag{language.English, language.Hindi})

// preferred returns the language of the page that fits an Accept-Language header best.
func preferred(accepts string) string {
	tag, _ := language.MatchStrings(spoken, accepts)
	base, _ := tag.Base()
	return base.String()
}

// cookie is the name of the cookie with the chosen language.
const cookie = "munshi_language"

// zips reports whether a client accepts gzip.
func zips(accepts string) bool {
	for one := range strings.SplitSeq(accepts, ",") {
		coding, q, _ := strings.Cut(strings.TrimSpace(one), ";")
		if coding == "gzip" {
			weight, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(q), "q="), 64)
			return err != nil || weight > 0
		}
	}
	return false
}

// Host returns the host of an address, to be shown for a parent brand without a name.
func Host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}
