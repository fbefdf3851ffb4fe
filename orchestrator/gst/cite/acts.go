package cite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"munshi/orchestrator/gst/pattern"
)

// Act is a table of provisions, as tables/acts has them; the notes in the files say what each field means.
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
	Names      []string     `json:"names"`    // in lower case
	Repealed   []string     `json:"repealed"` // ranges of numbers, "76-123"
	Provisions []*provision `json:"provisions"`

	byNumber map[string]*provision
}

// span of time and of periods in which a provision is law.
type validity struct {
	From         string `json:"from"`
	Until        string `json:"until"`
	PeriodsFrom  string `json:"periods_from"`
	PeriodsUntil string `json:"periods_until"`
	By           string `json:"by"` // "period": it must have been in force in the period of the dispute
	Never        bool   `json:"never"`
	Source       string `json:"source"`
	Note         string `json:"note"`
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

// text is what a provision said for a time.
type text struct {
	From   string `json:"from"`
	Until  string `json:"until"`
	Says   string `json:"says"`
	Source string `json:"source"`
}

var partRange = pattern.New(`^((?:\([0-9A-Za-z]+\))*)\(([0-9a-z]+)\)(?:-\(([0-9a-z]+)\))?$`)

// prepare indexes the provisions and writes out the ranges of their parts.
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

var romans = []string{"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi", "xvii", "xviii", "xix", "xx", "xxi", "xxii", "xxiii", "xxiv", "xxv"}

// ordinal reads the ends of a range and gives how its members are written.
func ordinal(first, last string) (from, to int, write func(int) string) {
	if n, err := strconv.Atoi(first); err == nil {
		to, _ = strconv.Atoi(last) // 0 is refused by the caller
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

// Has tells whether the Act has, or had, a provision of that number, parts left aside.
func (a *Act) Has(number string) bool {
	root, _, _ := strings.Cut(number, "(")
	return a.byNumber[root] != nil
}

// Heading gives the heading of a provision, parts left aside; "" when there is none.
func (a *Act) Heading(number string) string {
	root, _, _ := strings.Cut(number, "(")
	if p := a.byNumber[root]; p != nil {
		return p.Heading
	}
	return ""
}

// judge says in the mark what is known of the provision.
func (a *Act) judge(m *Mark, number string, c Context) {
	root, rest, deeper := strings.Cut(number, "(")
	p := a.byNumber[root]
	if p == nil {
		if a.repealed(root) {
			m.Verdict, m.Message = NotInForce, fmt.Sprintf("%s %s of the %s is repealed. %s", capital(a.Unit), root, a.Name, a.Note)
			return
		}
		m.Verdict, m.Message = Unknown, fmt.Sprintf("The %s has no %s %s.", a.Name, a.Unit, root)
		return
	}
	m.Heading = p.Heading
	m.Verdict = Exists
	notes := []string{}
	hold := func(what string, v validity) {
		if m.Verdict != Exists {
			return
		}
		ok, note := v.holds(what, c)
		if !ok {
			m.Verdict = NotInForce
		}
		if note != "" {
			notes = append(notes, note)
		}
	}
	hold("The "+a.Name, validity{From: a.From, Until: a.Until, By: a.By})
	hold(capital(a.Unit)+" "+root, p.validity)
	if deeper {
		p.judgePart(m, a.Unit, "("+rest, hold)
	}
	if m.Verdict == PartUnknown {
		notes = append(notes, fmt.Sprintf("%s %s exists; whether it has %s was not checked.", capital(a.Unit), root, "("+rest))
	}
	if m.Verdict == Unknown {
		first, _, _ := strings.Cut(rest, ")")
		notes = append(notes, fmt.Sprintf("%s %s of the %s has no sub-%s (%s).", capital(a.Unit), root, a.Name, a.Unit, first))
	}
	if a.Until != "" && m.Verdict == Exists {
		notes = append(notes, a.Note)
	}
	m.Message = strings.Join(notes, " ")
}

// judgePart looks the parts up from the outermost in.
func (p *provision) judgePart(m *Mark, unit, parts string, hold func(string, validity)) {
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
				hold(capital(unit)+" "+p.Number+at, part.validity)
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

// holds tells whether what is valid so was law for the notice, and what there is to say about that.
func (v validity) holds(what string, c Context) (bool, string) {
	doubt := ""
	if v.Confirm && (v.From != "" || v.Until != "" || v.Never) {
		doubt = " This is to be confirmed against the gazette."
	}
	source := ""
	if v.Source != "" {
		source = " (" + v.Source + ")"
	}
	from, to, period := c.Today, c.Today, ""
	if n := c.Notice; n != nil && n.From != "" && n.To != "" {
		from, period = n.From, " The notice is for "+n.Years+"."
		if v.By == "period" {
			to = n.To
		}
	}
	switch {
	case v.Never:
		return false, what + " never came into force" + source + "." + doubt
	case v.From != "" && to != "" && to < v.From:
		return false, what + " is in force from " + long(v.From) + source + "." + period + doubt
	case v.Until != "" && from != "" && from > v.Until:
		return false, what + " was omitted or repealed after " + long(v.Until) + source + "." + period + doubt
	}
	if n := c.Notice; n != nil && n.From != "" && n.To != "" {
		switch {
		case v.PeriodsFrom != "" && n.To < v.PeriodsFrom:
			return false, what + " is for periods from " + long(v.PeriodsFrom) + " on" + source + "." + period
		case v.PeriodsUntil != "" && n.From > v.PeriodsUntil:
			return false, what + " is for periods up to " + long(v.PeriodsUntil) + source + "." + period
		}
	}
	var notes []string
	switch {
	case v.By == "period" && v.From != "" && c.Notice != nil && c.Notice.From != "" && c.Notice.From < v.From:
		notes = append(notes, what+" is in force from "+long(v.From)+" only, so not for all of "+c.Notice.Years+source+"."+doubt)
	case v.From > "2017-07-01" && v.Until == "" && v.PeriodsFrom == "":
		notes = append(notes, what+" is in force from "+long(v.From)+source+"."+doubt)
	}
	if v.Until != "" && v.From == "" {
		notes = append(notes, what+" was law until "+long(v.Until)+source+"."+doubt)
	}
	if v.PeriodsFrom != "" {
		notes = append(notes, what+" is for periods from "+long(v.PeriodsFrom)+" on.")
	}
	if v.PeriodsUntil != "" {
		notes = append(notes, what+" is for periods up to "+long(v.PeriodsUntil)+".")
	}
	if v.Note != "" {
		notes = append(notes, v.Note)
	}
	for _, t := range v.Texts {
		if t.From != "" && to != "" && to < t.From || t.Until != "" && from != "" && from > t.Until {
			continue
		}
		notes = append(notes, strings.TrimSpace(between(t.From, t.Until))+": "+t.Says+" ("+t.Source+").")
	}
	return true, strings.Join(notes, " ")
}

func between(from, until string) string {
	switch {
	case from != "" && until != "":
		return "From " + long(from) + " to " + long(until)
	case from != "":
		return "From " + long(from) + " on"
	}
	return "Until " + long(until)
}

// long writes an ISO date as a person does.
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
