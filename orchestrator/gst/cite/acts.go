package cite

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/message"
)

// Act is a table of provisions, as in tables/acts; the notes in these files explain the fields.
type Act struct {
	ID         string       `json:"-"`
	AsOf       string       `json:"as_of"`
	Name       string       `json:"name"`
	Short      string       `json:"short"`
	Unit       string       `json:"unit"` // "section" or "rule"
	From       string       `json:"from"`
	Until      string       `json:"until"`
	By         string       `json:"by"`
	Note       string       `json:"note"`
	NoteHindi  string       `json:"note_hi"`
	Names      []string     `json:"names"`    // in lower case
	Repealed   []string     `json:"repealed"` // ranges of numbers, "76-123"
	Provisions []*provision `json:"provisions"`

	byNumber map[string]*provision
}

// validity is the period in which a provision is in force, and the financial years to which it applies.
type validity struct {
	From         string `json:"from"`
	Until        string `json:"until"`
	PeriodsFrom  string `json:"periods_from"`
	PeriodsUntil string `json:"periods_until"`
	By           string `json:"by"` // "period": it must have been in force in the period of the dispute
	Never        bool   `json:"never"`
	Source       string `json:"source"`
	SourceHindi  string `json:"source_hi"`
	Note         string `json:"note"`
	NoteHindi    string `json:"note_hi"`
	Confirm      bool   `json:"confirm"`
	Texts        []text `json:"texts"`
}

type provision struct {
	Number  string `json:"number"`
	Heading string `json:"heading"`
	Has     string `json:"has"`
	All     bool   `json:"all"`
	Parts   []part `json:"parts"`
	validity

	parts map[string]bool
}

type part struct {
	At      string `json:"at"`
	Heading string `json:"heading"`
	validity
}

// text is what a provision said during a period.
type text struct {
	From   string `json:"from"`
	Until  string `json:"until"`
	Says   string `json:"says"`
	Source string `json:"source"`

	SaysHindi   string `json:"says_hi"`
	SourceHindi string `json:"source_hi"`
}

var partRange = lazyregexp.New(`^((?:\([0-9A-Za-z]+\))*)\(([0-9a-z]+)\)(?:-\(([0-9a-z]+)\))?$`)

// prepare indexes the provisions and expands the ranges of their parts.
func (a *Act) prepare() error {
	a.byNumber = map[string]*provision{}
	for _, p := range a.Provisions {
		if a.byNumber[p.Number] != nil {
			return fmt.Errorf("%s %s stands there twice", a.Unit, p.Number)
		}
		a.byNumber[p.Number] = p
		p.parts = map[string]bool{}
		for _, part := range p.Parts {
			p.parts[part.At] = true
		}
		for item := range strings.FieldsSeq(p.Has) {
			if !strings.Contains(item, "-") {
				p.parts[item] = true
				continue
			}
			m := partRange.FindStringSubmatch(item)
			if m == nil {
				return fmt.Errorf("%s %s: %q is no range of parts", a.Unit, p.Number, item)
			}
			from, to, write := ordinal(m[2], m[3])
			if from == 0 || to < from {
				return fmt.Errorf("%s %s: %q is no range of parts", a.Unit, p.Number, item)
			}
			for n := from; n <= to; n++ {
				p.parts[m[1]+"("+write(n)+")"] = true
			}
		}
	}
	return nil
}

var romans = []string{"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv",
	"xvi", "xvii", "xviii", "xix", "xx", "xxi", "xxii", "xxiii", "xxiv", "xxv"}

// ordinal parses the ends of a range. It returns them as numbers, with a function that writes the members of the
// range.
func ordinal(first, last string) (from, to int, write func(int) string) {
	if n, err := strconv.Atoi(first); err == nil {
		to, _ = strconv.Atoi(last) // the caller rejects 0
		return n, to, strconv.Itoa
	}
	if first == "i" && slices.Contains(romans, last) && last != "" {
		return 1, slices.Index(romans, last), func(n int) string { return romans[n] }
	}
	if len(first) != 1 || len(last) != 1 {
		return 0, 0, nil
	}
	return int(first[0]), int(last[0]), func(n int) string { return string(rune(n)) }
}

// Has reports whether the Act has, or had, a provision with that number, ignoring its parts.
func (a *Act) Has(number string) bool {
	root, _, _ := strings.Cut(number, "(")
	return a.byNumber[root] != nil
}

// Heading returns the heading of a provision, ignoring its parts, or "" if there is none.
func (a *Act) Heading(number string) string {
	root, _, _ := strings.Cut(number, "(")
	if p := a.byNumber[root]; p != nil {
		return p.Heading
	}
	return ""
}

// judge sets the verdict of a mark, and its message, from what is known about the provision.
func (a *Act) judge(m *Mark, number string, c Context) {
	root, rest, deeper := strings.Cut(number, "(")
	p := a.byNumber[root]
	if p == nil {
		if a.repealed(root) {
			m.Verdict = NotInForce
			m.saying(message.New("checks.repealed", message.Params{"what": a.named(root)}),
				message.Text(a.Note, a.NoteHindi))
			return
		}
		m.Verdict = Unknown
		m.say("no_unit", message.Params{"act": message.Citation(a.Name), "unit": message.Citation(a.Unit + " " + root)})
		return
	}
	m.Heading = p.Heading
	m.Verdict = Exists
	var notes []message.Message
	hold := func(what message.Message, v validity) {
		if m.Verdict != Exists {
			return
		}
		ok, said := v.holds(what, c)
		if !ok {
			m.Verdict = NotInForce
		}
		notes = append(notes, said...)
	}
	hold(message.New("checks.the_act", message.Params{"act": message.Citation(a.Name)}),
		validity{From: a.From, Until: a.Until, By: a.By})
	hold(unit(a.Unit, root), p.validity)
	if deeper {
		p.judgePart(m, a.Unit, "("+rest, hold)
	}
	if m.Verdict == PartUnknown {
		notes = append(notes, message.New("checks.part_unknown",
			message.Params{"unit": unit(a.Unit, root), "part": "(" + rest}))
	}
	if m.Verdict == Unknown {
		first, _, _ := strings.Cut(rest, ")")
		notes = append(notes, message.New("checks.no_sub_"+a.Unit,
			message.Params{"what": a.named(root), "part": "(" + first + ")"}))
	}
	if a.Until != "" && m.Verdict == Exists {
		notes = append(notes, message.Text(a.Note, a.NoteHindi))
	}
	m.saying(notes...)
}

// unit returns a section or a rule by its number, for a message.
func unit(name, number string) message.Message {
	return message.New("checks.unit", message.Params{"unit": message.Citation(capital(name) + " " + number)})
}

// named returns a section or a rule with its Act, for a message.
func (a *Act) named(number string) message.Message {
	return message.New("checks.unit_of_"+a.Unit,
		message.Params{"unit": message.Citation(capital(a.Unit) + " " + number), "act": message.Citation(a.Name)})
}

// judgePart checks the parts of a cited provision, from the outermost inwards, and lowers the mark's verdict where one
// does not exist or is not known.
func (p *provision) judgePart(m *Mark, kind, parts string, hold func(message.Message, validity)) {
	if len(p.parts) == 0 {
		m.Verdict = worse(m.Verdict, PartUnknown)
		return
	}
	for end := range parts {
		if parts[end] != ')' {
			continue
		}
		at := parts[:end+1]
		if !p.parts[at] {
			verdict := PartUnknown
			if p.All && strings.Count(at, "(") == 1 {
				verdict = Unknown
			}
			m.Verdict = worse(m.Verdict, verdict)
			return
		}
		for _, part := range p.Parts {
			if part.At == at {
				hold(unit(kind, p.Number+at), part.validity)
				if part.Heading != "" {
					m.Heading = part.Heading
				}
			}
		}
	}
}

func worse(now, then Verdict) Verdict {
	if now == Exists {
		return then
	}
	return now
}

// holds reports whether something with this validity applied to the notice, and returns messages about that.
func (v validity) holds(what message.Message, c Context) (bool, []message.Message) {
	// say says when it applies, with the source if known.
	say := func(code string, params message.Params) message.Message {
		all := message.Params{"what": what, "source": sourceOf(v.Source, v.SourceHindi)}
		maps.Copy(all, params)
		if v.Source != "" {
			code += "_source"
		}
		return message.New("checks.holds."+code, all)
	}
	day := func(iso string) message.Params { return message.Params{"date": message.Date(iso)} }
	var doubt, period message.Message
	if v.Confirm && (v.From != "" || v.Until != "" || v.Never) {
		doubt = message.New("checks.gazette", nil)
	}
	from, to := c.Today, c.Today
	n := c.Notice
	if n != nil && n.From != "" && n.To != "" {
		from, period = n.From, message.New("checks.notice_years", message.Params{"years": years(n.Years)})
		if v.By == "period" {
			to = n.To
		}
	}
	switch {
	case v.Never:
		return false, []message.Message{say("never", nil), doubt}
	case v.From != "" && to != "" && to < v.From:
		return false, []message.Message{say("from", day(v.From)), period, doubt}
	case v.Until != "" && from != "" && from > v.Until:
		return false, []message.Message{say("ended", day(v.Until)), period, doubt}
	}
	if !period.IsZero() {
		switch {
		case v.PeriodsFrom != "" && n.To < v.PeriodsFrom:
			return false, []message.Message{say("periods_from", day(v.PeriodsFrom)), period}
		case v.PeriodsUntil != "" && n.From > v.PeriodsUntil:
			return false, []message.Message{say("periods_until", day(v.PeriodsUntil)), period}
		}
	}
	var notes []message.Message
	switch {
	case v.By == "period" && v.From != "" && n != nil && n.From != "" && n.From < v.From:
		notes = append(notes, say("from_only", message.Params{"date": message.Date(v.From), "years": years(n.Years)}),
			doubt)
	case v.From > "2017-07-01" && v.Until == "" && v.PeriodsFrom == "":
		notes = append(notes, say("from", day(v.From)), doubt)
	}
	if v.Until != "" && v.From == "" {
		notes = append(notes, say("until", day(v.Until)), doubt)
	}
	if v.PeriodsFrom != "" {
		notes = append(notes, message.New("checks.holds.periods_from",
			message.Params{"what": what, "date": message.Date(v.PeriodsFrom)}))
	}
	if v.PeriodsUntil != "" {
		notes = append(notes, message.New("checks.holds.periods_until",
			message.Params{"what": what, "date": message.Date(v.PeriodsUntil)}))
	}
	if v.Note != "" {
		notes = append(notes, message.Text(v.Note, v.NoteHindi))
	}
	for _, t := range v.Texts {
		if t.From != "" && to != "" && to < t.From || t.Until != "" && from != "" && from > t.Until {
			continue
		}
		notes = append(notes, message.New("checks.text."+between(t.From, t.Until),
			message.Params{"from": message.Date(t.From), "until": message.Date(t.Until),
				"says": message.Text(t.Says, t.SaysHindi), "source": sourceOf(t.Source, t.SourceHindi)}))
	}
	return true, notes
}

// sourceOf returns the name of a source for a message. One without Hindi is translated like the name of a provision.
func sourceOf(english, hindi string) any {
	if hindi == "" {
		return message.Citation(english)
	}
	return message.Text(english, hindi)
}

// between returns the code of the message for a period from one date until another, either of which may be missing.
func between(from, until string) string {
	switch {
	case from != "" && until != "":
		return "between"
	case from != "":
		return "from"
	}
	return "until"
}

// years returns, for a message, the years of a notice as its facts give them, such as "FY 2017-18 to 2019-20".
func years(text string) message.Message {
	first, last, several := strings.Cut(strings.TrimPrefix(text, "FY "), " to ")
	if several {
		return message.New("checks.years", message.Params{"first": first, "last": last})
	}
	return message.New("checks.year", message.Params{"year": first})
}

// long returns an ISO date as "2 January 2006".
func long(iso string) string {
	t, err := time.Parse(time.DateOnly, iso)
	if err != nil {
		return iso
	}
	return t.Format("2 January 2006")
}

func (a *Act) repealed(number string) bool {
	n, err := strconv.Atoi(strings.TrimRight(number, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	if err != nil {
		return false
	}
	for _, r := range a.Repealed {
		first, last, _ := strings.Cut(r, "-")
		from, _ := strconv.Atoi(first)
		to, _ := strconv.Atoi(last)
		if from <= n && n <= to {
			return true
		}
	}
	return false
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
