// Package law holds the GST Acts and Rules: as a digest in our own words, which is part of the program, and as the
// official text, which an operator imports. Both are dated: a provision is returned as it stood on the requested day,
// and if its text for that day is not held, the result says so. The package uses no model, no server and no PDF reader.
package law

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"munshi/orchestrator/message"
)

// Options say where the law is found. With the zero value only the digest is available.
type Options struct {
	Library string        // folder of the imported text, "" for none
	Overlay fs.FS         // an operator's folder; entries under digest/ replace the built-in ones
	Today   func() string // ISO day in India; nil uses the clock
	Log     *slog.Logger  // for an overlay or a library that cannot be used; nil uses the default
}

// Law answers questions about the law. Nothing is read before the first of them. It is safe for concurrent use.
type Law struct {
	options Options
	digest  func() ([]*Entry, error)
	byRoot  func() (map[string][]*Entry, error)
	index   func() (*Index, error)

	mu      sync.Mutex
	library *Library
	stamp   string // identifies the library's file when it was opened
	certain map[*Provision]*Provision
}

// New returns a Law.
func New(o Options) *Law {
	if o.Today == nil {
		o.Today = func() string { return time.Now().In(india()).Format(time.DateOnly) }
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	l := &Law{options: o}
	l.digest = sync.OnceValues(l.readDigest)
	l.byRoot = sync.OnceValues(func() (map[string][]*Entry, error) {
		entries, err := l.digest()
		return byRoot(entries), err
	})
	l.index = sync.OnceValues(func() (*Index, error) {
		entries, err := l.digest()
		if err != nil {
			return nil, err
		}
		return NewIndex(entries)
	})
	return l
}

func india() *time.Location { return time.FixedZone("IST", 5*3600+1800) }

// readDigest returns the built-in entries together with the operator's. A folder with mistakes is ignored.
func (l *Law) readDigest() ([]*Entry, error) {
	entries, err := unpack(packed)
	if err != nil || l.options.Overlay == nil {
		return entries, err
	}
	folder, err := fs.Sub(l.options.Overlay, "digest")
	if err != nil {
		return entries, nil //nolint:nilerr // "digest" is a valid path
	}
	merged, err := Lay(entries, folder)
	if err != nil {
		l.options.Log.Warn("the operator's digest of the law has mistakes; the built-in one is in force", "error", err)
		return entries, nil
	}
	return merged, nil
}

// Lay returns entries with an operator's added. One with the same Act, number and first day replaces the existing
// entry. The error is Problems if their content is wrong.
func Lay(entries []*Entry, folder fs.FS) ([]*Entry, error) {
	own, err := readFolder(folder)
	if err != nil || len(own) == 0 {
		return entries, err
	}
	merged := slices.DeleteFunc(slices.Clone(entries), func(e *Entry) bool {
		return slices.ContainsFunc(own, func(o *Entry) bool {
			return o.Act == e.Act && o.Number == e.Number && o.From == e.From
		})
	})
	merged = append(merged, own...)
	if problems := validate(merged); len(problems) > 0 {
		return nil, problems
	}
	return merged, nil
}

// Entries returns the digest, in the order of the Acts. It must not be changed.
func (l *Law) Entries() ([]*Entry, error) { return l.digest() }

// Today returns the ISO day in India.
func (l *Law) Today() string { return l.options.Today() }

// Library returns the imported text, or ErrNoLibrary if nothing has been imported.
func (l *Law) Library() (*Library, error) {
	if l.options.Library == "" {
		return nil, ErrNoLibrary
	}
	info, err := os.Stat(filepath.Join(l.options.Library, libraryFile))
	if err != nil {
		return nil, ErrNoLibrary
	}
	stamp := fmt.Sprint(info.ModTime().UnixNano(), info.Size())
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.library != nil && l.stamp == stamp {
		return l.library, nil
	}
	opened, err := OpenLibrary(l.options.Library)
	if err != nil {
		return nil, err
	}
	// The old library is still open for its present users; its file is closed when the last of them is done.
	l.library, l.stamp, l.certain = opened, stamp, nil
	return opened, nil
}

// provision returns a section or rule from the library, without words of another time: if the digest says that a part
// changed within a version, the version is split in two, and "[…]" replaces the part in the one to which its words do
// not belong. The error is ErrNotHeld if the library does not have it. The result must not be changed.
func (l *Law) provision(library *Library, act, number string) (*Provision, error) {
	p, err := library.Provision(act, number)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	sure := l.certain[p]
	l.mu.Unlock()
	if sure != nil {
		return sure, nil
	}
	all, err := l.byRoot()
	if err != nil {
		return nil, fmt.Errorf("read the digest of the law: %w", err)
	}
	sure = certain(p, all[rootKey(p.Act, p.Number)])
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.certain == nil {
		l.certain = map[*Provision]*Provision{}
	}
	l.certain[p] = sure
	return sure, nil
}

// text returns the official words of a provision or a part of it on an ISO day, "" if they are not held.
func (l *Law) text(act, number, day string) string {
	library, err := l.Library()
	if err != nil {
		return ""
	}
	p, err := l.provision(library, act, number)
	if err != nil {
		return ""
	}
	v := p.At(day)
	if v == nil {
		return ""
	}
	words, _ := v.Words(partName(number))
	return words
}

// partName converts a number of the digest to the library's name of a part: "54(Expl)(2)" is "54 Explanation(2)".
func partName(number string) string { return strings.Replace(number, "(Expl)", " Explanation", 1) }

// Search finds provisions, the best first. If q.Today is empty, it is set.
func (l *Law) Search(q Query) ([]Hit, error) {
	x, err := l.index()
	if err != nil {
		return nil, err
	}
	q.Today = cmp.Or(q.Today, l.Today())
	hits := x.Search(q)
	for i := range hits {
		h := &hits[i]
		h.Text = l.text(h.Act, h.Number, cmp.Or(q.On, h.ValidUntil, q.Today))
	}
	return hits, nil
}

// ErrUnknown means that neither the digest nor the library has a provision.
var ErrUnknown = errors.New("there is no such provision")

// Page is everything held on a provision, as on a day.
type Page struct {
	Act     Act    `json:"act"`
	Number  string `json:"number"`
	Heading string `json:"heading"`
	Chapter string `json:"chapter,omitempty"`
	On      string `json:"on"` // ISO day
	// Entry and Entries belong to the provision or, if the digest has none for a part, to the smallest part around it
	// that has one; their number says which.
	Entry    *Entry          `json:"digest,omitempty"`   // on that day
	Entries  []*Entry        `json:"versions,omitempty"` // of the digest, in order of time
	Parts    []*Entry        `json:"parts,omitempty"`    // entries of its parts on that day
	Text     *Text           `json:"text,omitempty"`     // official words on that day
	Missing  message.Message `json:"missing,omitzero"`   // why there is no text
	History  []PartVersion   `json:"history,omitempty"`  // of the official words
	Notes    []Footnote      `json:"notes,omitempty"`
	Refers   []Reference     `json:"refers,omitempty"`
	CitedBy  []Reference     `json:"cited_by,omitempty"`
	Later    []Later         `json:"later,omitempty"`
	Differ   []string        `json:"differ,omitempty"` // where sources of the text disagree
	Upstream *Source         `json:"source,omitempty"`
}

// Text is the official text of a provision on a day.
type Text struct {
	Words   string    `json:"words"`
	From    string    `json:"valid_from"`
	Until   string    `json:"valid_until,omitempty"`
	Between [2]string `json:"changed_between,omitempty"`
	Status  Status    `json:"status"`
	AsOn    string    `json:"as_on,omitempty"` // day up to which its source is amended
	By      []string  `json:"by,omitempty"`
	Whole   bool      `json:"whole,omitempty"` // the words are those of the whole section, because this part could not be located in it
	Parts   []Part    `json:"parts"`           // positions within Words
	Marks   []Mark    `json:"marks,omitempty"` // positions within Words
}

// Reference is a provision named by another.
type Reference struct {
	Act     string `json:"act"`
	Number  string `json:"number"`
	Heading string `json:"heading"`
}

// Look returns the page of a provision as on an ISO day ("" for today). The error is ErrUnknown if nothing is known
// about it.
func (l *Law) Look(act, number, on string) (*Page, error) {
	on = cmp.Or(on, l.Today())
	entries, err := l.digest()
	if err != nil {
		return nil, err
	}
	p := &Page{Act: actOfID(act), Number: number, On: on}
	for _, e := range entries {
		if e.Act != act {
			continue
		}
		switch {
		case strings.EqualFold(e.Number, number):
			p.Number = e.Number
			p.Entries = append(p.Entries, e)
			if e.holds(on) {
				p.Entry = e
			}
			p.Heading, p.Chapter = cmp.Or(p.Heading, e.Heading), e.Chapter
		case strings.HasPrefix(e.Number, number+"(") && e.holds(on):
			p.Parts = append(p.Parts, e)
		case e.Number == rootOf(number):
			p.Heading = cmp.Or(p.Heading, e.Heading)
			p.Chapter = e.Chapter
		}
	}
	own := len(p.Entries) > 0
	l.addText(p)
	if !own {
		p.around(entries)
	}
	if len(p.Entries) == 0 && p.Text == nil && len(p.History) == 0 && len(p.Parts) == 0 {
		return nil, fmt.Errorf("%w: %s %s %s", ErrUnknown, p.Act.Short, p.Act.Unit, number)
	}
	if own && p.Entry != nil && p.Entry.Heading != "" {
		p.Heading = p.Entry.Heading
	}
	l.addReferences(p, entries)
	return p, nil
}

// around sets the digest of the smallest part around a part that has none, such as 73 for 73(1).
func (p *Page) around(entries []*Entry) {
	for number := outer(p.Number); number != "" && len(p.Entries) == 0; number = outer(number) {
		for _, e := range entries {
			if e.Act != p.Act.ID || !strings.EqualFold(e.Number, number) {
				continue
			}
			p.Entries = append(p.Entries, e)
			if e.holds(p.On) {
				p.Entry = e
			}
		}
	}
}

// outer returns the part around a part, "16(2)" for "16(2)(aa)"; "" for a whole section or rule.
func outer(number string) string {
	if i := strings.LastIndexByte(number, '('); i > 0 {
		return number[:i]
	}
	return ""
}

func actOfID(id string) Act {
	for _, a := range Acts() {
		if a.ID == id {
			return a
		}
	}
	return Act{ID: id, Short: id, Name: id, Unit: unitOf(id, "")}
}

// addText adds the text in the library, or the reason why there is none.
func (l *Law) addText(p *Page) {
	library, err := l.Library()
	if err != nil {
		p.Missing = message.New("law_text.not_imported", nil)
		return
	}
	held, err := l.provision(library, p.Act.ID, p.Number)
	if err != nil {
		p.Missing = message.New("law_text.not_in_import", nil)
		return
	}
	p.Heading, p.Chapter = cmp.Or(p.Heading, held.Heading), cmp.Or(p.Chapter, held.Chapter)
	p.Notes, p.Later = held.Notes, held.Later
	for _, w := range held.Witnesses {
		if w.Differs != "" {
			p.Differ = append(p.Differ, fmt.Sprintf("%s (as on %s): %s", w.Source, w.AsOn, w.Differs))
		}
	}
	for _, r := range held.Refers {
		p.refer(&p.Refers, held.Act, r)
	}
	for _, r := range held.CitedBy {
		p.refer(&p.CitedBy, held.Act, r)
	}
	name := partName(p.Number)
	v := held.At(p.On)
	if v != nil {
		p.Missing = v.doubtAbout(name)
	}
	if v != nil && p.Missing.IsZero() {
		words, found := v.Words(name)
		t := &Text{
			Words:   words,
			From:    v.From,
			Until:   v.Until,
			Between: v.Between,
			Status:  v.Status,
			AsOn:    v.AsOn,
			By:      v.By,
		}
		for _, read := range held.History(name) { // a part may have been unchanged longer than its section
			if found && read.From <= p.On && (read.Until == "" || p.On <= read.Until) {
				t.From, t.Until, t.Between, t.By = read.From, read.Until, read.Between, read.By
			}
		}
		at := 0
		switch {
		case found:
			for _, part := range v.Parts {
				if part.Number == name {
					at = part.Start
				}
			}
		case held.HasPart(name):
			p.Missing = message.New("law_text.no_part", nil)
			t = nil
		default:
			t.Words, t.Whole = v.Text, true
		}
		if t != nil {
			t.cut(v, at)
			if t.Words == "" {
				p.Missing = message.New("law_text.no_words", nil)
			}
			p.Text = t
			p.Missing = message.Sentences(append([]message.Message{p.Missing}, v.leftOut(name)...)...)
		}
		for i := range library.Sources {
			if library.Sources[i].Name == v.Source {
				p.Upstream = &library.Sources[i]
			}
		}
	}
	p.History = held.History(name)
	if len(p.History) == 0 {
		p.History = held.History(held.Number)
	}
	if p.Text == nil && p.Missing.IsZero() {
		p.Missing = message.Sentences(append([]message.Message{message.New("law_text.not_held", nil)}, held.Gaps...)...)
		if first := held.Versions[0]; first.From > p.On && len(held.Gaps) == 0 {
			p.Missing = message.New("law_text.not_yet", message.Params{"date": message.Date(first.From)})
		}
		if len(held.Versions) == 1 && held.Versions[0].Status == NotInForce {
			p.Missing = message.New("law_text.not_commenced", nil)
		}
	}
}

// cut copies the parts and marks of a version that are within the words, which begin at offset at of its text.
func (t *Text) cut(v *Version, at int) {
	end := at + len(t.Words)
	for _, part := range v.Parts {
		if part.Start >= at && part.End <= end {
			part.Start, part.End = part.Start-at, part.End-at
			t.Parts = append(t.Parts, part)
		}
	}
	for _, m := range v.Marks {
		if m.End >= at && m.Start <= end {
			m.Start, m.End = max(m.Start, at)-at, min(m.End, end)-at
			t.Marks = append(t.Marks, m)
		}
	}
}

// refer adds a reference unless it is there already.
func (p *Page) refer(to *[]Reference, from, reference string) {
	act, number := splitReference(from, reference)
	if act == p.Act.ID && rootOf(number) == rootOf(p.Number) {
		return
	}
	if !slices.ContainsFunc(*to, func(r Reference) bool { return r.Act == act && r.Number == number }) {
		*to = append(*to, Reference{Act: act, Number: number})
	}
}

// addReferences adds the references in the digest, and the headings of all.
func (l *Law) addReferences(p *Page, entries []*Entry) {
	headings := map[string]string{}
	for _, e := range entries {
		if !strings.Contains(e.Number, "(") {
			headings[e.Act+":"+e.Number] = e.Heading
		}
		for _, r := range e.Refers {
			act, number := splitReference(e.Act, r)
			if act == p.Act.ID && (number == p.Number || strings.HasPrefix(number, p.Number+"(")) {
				p.refer(&p.CitedBy, e.Act, joinReference(e.Act, e.Act, e.Number))
			}
		}
	}
	for _, e := range p.Entries {
		for _, r := range e.Refers {
			p.refer(&p.Refers, e.Act, r)
		}
	}
	for _, list := range []*[]Reference{&p.Refers, &p.CitedBy} {
		for i := range *list {
			r := &(*list)[i]
			r.Heading = headings[r.Act+":"+rootOf(r.Number)]
		}
		slices.SortStableFunc(*list, func(a, b Reference) int {
			return cmp.Or(cmp.Compare(actOrder(a.Act), actOrder(b.Act)), compareNumbers(a.Number, b.Number),
				strings.Compare(a.Number, b.Number))
		})
	}
}

// ActPage is an Act with its chapters, for lists.
type ActPage struct {
	Act
	AsOn     string    `json:"as_on,omitempty"` // of the imported text, "" if there is none
	Held     int       `json:"held"`            // number of sections or rules whose text is held
	Chapters []Chapter `json:"chapters"`
}

// Chapter is a group of provisions.
type Chapter struct {
	ID         string `json:"id"` // "05-input-tax-credit"
	Title      string `json:"title"`
	Provisions []Head `json:"provisions"`
}

// Acts returns the Acts and Rules with their chapters and provisions.
func (l *Law) Acts() ([]ActPage, error) {
	entries, err := l.digest()
	if err != nil {
		return nil, err
	}
	library, _ := l.Library() // without a library there is still the digest
	var pages []ActPage
	today := l.Today()
	for _, act := range Acts() {
		page := ActPage{Act: act}
		for _, e := range entries {
			if e.Act != act.ID || strings.Contains(e.Number, "(") {
				continue
			}
			n := len(page.Chapters)
			if n == 0 || page.Chapters[n-1].ID != e.Chapter {
				page.Chapters = append(page.Chapters, Chapter{ID: e.Chapter, Title: chapterTitle(e.Chapter)})
				n++
			}
			list := &page.Chapters[n-1].Provisions
			head := Head{Number: e.Number, Heading: e.Heading, Status: statusOf(e, today)}
			if last := len(*list) - 1; last >= 0 && (*list)[last].Number == e.Number {
				(*list)[last] = head // a later version
				continue
			}
			*list = append(*list, head)
		}
		if library != nil {
			for _, a := range library.Acts {
				if a.Act == act.ID {
					page.AsOn, page.Held = a.AsOn, len(a.Provisions)
				}
			}
		}
		pages = append(pages, page)
	}
	if library != nil { // a State's Act has text but no digest
		for _, a := range library.Acts {
			if !isAct(a.Act) {
				page := ActPage{Act: actOfID(a.Act), AsOn: a.AsOn, Held: len(a.Provisions)}
				for _, h := range a.Provisions {
					if n := len(page.Chapters); n == 0 || page.Chapters[n-1].ID != h.Chapter {
						page.Chapters = append(page.Chapters, Chapter{ID: h.Chapter, Title: h.Chapter})
					}
					list := &page.Chapters[len(page.Chapters)-1].Provisions
					*list = append(*list, h)
				}
				pages = append(pages, page)
			}
		}
	}
	return pages, nil
}

func statusOf(e *Entry, today string) Status {
	switch {
	case e.Status == Omitted:
		return OmittedState
	case e.Status == NotCommenced || e.From > today:
		return NotInForce
	case e.holds(today):
		return Current
	}
	return Historical
}

// chapters are the titles of the digest's chapters in English and Hindi, by the words in their file names.
//
//go:embed chapters.json
var chapters []byte

// chapterTitles returns the titles; they are read once.
var chapterTitles = sync.OnceValue(func() map[string]string {
	var rows map[string]struct{ Title string }
	titles := map[string]string{}
	if json.Unmarshal(chapters, &rows) == nil { // a test reads it too
		for name, row := range rows {
			titles[name] = row.Title
		}
	}
	return titles
})

// chapterTitle returns the title of a chapter from its file name, such as "05-input-tax-credit". For an operator's
// own chapter it is made from the words of the name.
func chapterTitle(slug string) string {
	_, name, ok := strings.Cut(slug, "-")
	if !ok {
		return slug
	}
	if title := chapterTitles()[name]; title != "" {
		return title
	}
	name = strings.ReplaceAll(name, "-", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}
