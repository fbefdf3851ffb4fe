package law

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Cited is a provision by Act and number, "cgst" and "16(4)".
type Cited struct{ Act, Number string }

// Need describes the law that is needed to answer a question.
type Need struct {
	Words  string   // the question
	Points []string // subjects of the facts, each searched for separately
	Cited  []Cited  // provisions named in the question; they come first
	Beside []Cited  // provisions that come last, if there is room
	On     string   // ISO day of the law that applies, "" for today
	Most   int      // number of provisions; 0 means 8
	Bytes  int      // of all passages together; a text longer than half of it is left out; 0 means no limit
}

// Found is a provision that was gathered.
type Found struct {
	Act     string  `json:"act"`
	Number  string  `json:"number"`
	Name    string  `json:"name"` // "section 16(4) of the CGST Act, 2017"
	Heading string  `json:"heading"`
	On      string  `json:"on"` // ISO day for which it is given
	From    string  `json:"from"`
	Until   string  `json:"until,omitempty"` // the last day, "" if in force
	Status  string  `json:"status,omitempty"`
	Digest  string  `json:"digest"`
	Hindi   string  `json:"hi,omitempty"`
	Words   string  `json:"words,omitempty"` // the official text, "" if it is not held here
	Certain string  `json:"certainty,omitempty"`
	Score   float64 `json:"-"` // from the search, 0 if it was cited
	Has     float64 `json:"-"` // share of the question's words that it has, by weight; 0 if it was cited
	Entry   *Entry  `json:"-"`
}

// weak is the share of the best score below which results are dropped.
const weak = 0.45

// Gather returns the provisions that a need asks for: first the cited ones, then search results, up to the limits. It
// returns each provision once, and leaves out a whole section if a part of it that says the same comes before.
func (l *Law) Gather(n Need) ([]Found, error) {
	entries, err := l.digest()
	if err != nil {
		return nil, err
	}
	most, today := cmp.Or(n.Most, 8), l.Today()
	var all []Found
	size := 0
	add := func(p Found) {
		if len(all) == most ||
			slices.ContainsFunc(all, func(o Found) bool { return o.Act == p.Act && o.Number == p.Number }) {
			return
		}
		if need := len(p.Digest) + len(p.Words) + len(p.Name) + len(p.Heading); n.Bytes > 0 &&
			(size+need > n.Bytes || len(p.Words) > n.Bytes/2) {
			if p.Words = ""; size+len(p.Digest)+len(p.Name)+len(p.Heading) > n.Bytes {
				return
			}
		}
		size += len(p.Digest) + len(p.Words) + len(p.Name) + len(p.Heading)
		all = append(all, p)
	}
	cited := func(list []Cited) {
		for _, c := range list {
			if e := entryOn(entries, c, cmp.Or(n.On, today)); e != nil && len(all) < most {
				add(l.found(e, entries, cmp.Or(n.On, today)))
			}
		}
	}
	cited(n.Cited)
	kept := min(len(n.Beside), most/3) // room for those that come last
	search := func(words string, limit int) error {
		if strings.TrimSpace(words) == "" || len(all) >= most-kept {
			return nil
		}
		x, err := l.index()
		if err != nil {
			return err
		}
		hits := x.Search(Query{Words: words, On: n.On, Today: today, Limit: limit})
		has := x.Has(words, hits)
		for i, h := range hits {
			if h.Score < weak*hits[0].Score {
				break
			}
			p := l.found(h.Entry, entries, cmp.Or(n.On, today))
			p.Score, p.Has = h.Score, has[i]
			if add(p); len(all) >= most-kept {
				break
			}
		}
		return nil
	}
	if err := search(n.Words, 2*most); err != nil {
		return nil, err
	}
	for _, point := range n.Points {
		if err := search(point, 2); err != nil {
			return nil, err
		}
	}
	cited(n.Beside)
	return all, nil
}

// entryOn returns the entry of a provision on a day, or of the smallest part around it. If none was in force then, it
// returns the last that began before the day, else the first.
func entryOn(entries []*Entry, c Cited, on string) *Entry {
	for number := c.Number; number != ""; number = outer(number) {
		var best *Entry
		for _, e := range entries {
			if e.Act != c.Act || !strings.EqualFold(e.Number, number) {
				continue
			}
			if e.holds(on) {
				return e
			}
			if best == nil || e.From <= on {
				best = e
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

func (l *Law) found(e *Entry, entries []*Entry, on string) Found {
	day := on
	if e.Until != "" && e.Until < day {
		day = e.Until
	}
	if e.From > day {
		day = e.From
	}
	heading := e.Heading
	if heading == "" {
		if whole := entryOn(entries, Cited{e.Act, rootOf(e.Number)}, day); whole != nil {
			heading = whole.Heading
		}
	}
	return Found{Act: e.Act, Number: e.Number, Name: Name(e.Act, e.Number), Heading: heading, On: on, From: e.From,
		Until: e.Until, Status: e.Status, Digest: e.English, Hindi: e.Hindi, Words: l.text(e.Act, e.Number, day),
		Certain: e.Certainty, Entry: e}
}

// Since returns the earlier entries of a provision that were in force on or after an ISO day, the latest first; none
// for "".
func (l *Law) Since(e *Entry, day string) []*Entry {
	entries, err := l.digest()
	if err != nil || day == "" {
		return nil
	}
	var all []*Entry
	for _, o := range entries {
		if o.Act == e.Act && o.Number == e.Number && o.From < e.From && o.Until >= day {
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b *Entry) int { return cmp.Compare(b.From, a.From) })
	return all
}

// Name returns the citation of a provision, "section 16(4) of the CGST Act, 2017".
func Name(act, number string) string {
	in := map[string]string{"cgst": "CGST Act, 2017", "igst": "IGST Act, 2017", "utgst": "UTGST Act, 2017",
		"cess": "GST (Compensation to States) Act, 2017", "cgst_rules": "CGST Rules, 2017",
		"igst_rules": "IGST Rules, 2017"}[act]
	unit := "section"
	if strings.HasSuffix(act, "_rules") {
		unit = "rule"
	}
	in = cmp.Or(in, actOfID(act).Name)
	if strings.HasPrefix(number, "Schedule") {
		return fmt.Sprintf("%s of the %s", number, in)
	}
	return fmt.Sprintf("%s %s of the %s", unit, number, in)
}

// Covers returns the share of a question's words that the best provision has, weighted by rarity; 1 is all. Words
// that do not occur in the law count as rare.
func (l *Law) Covers(question string) (float64, error) {
	x, err := l.index()
	if err != nil {
		return 0, err
	}
	return float64(slices.Max(x.coverage(question))), nil
}

// Has returns the share of a question's words that each hit has, weighted by rarity; 1 is all.
func (x *Index) Has(question string, hits []Hit) []float64 {
	has, all := make([]float64, len(hits)), x.coverage(question)
	for i, h := range hits {
		has[i] = float64(all[h.at])
	}
	return has
}

// coverage returns for each entry the share of the question's words that it has.
func (x *Index) coverage(question string) []float32 {
	best := make([]float32, len(x.entries))
	asked := x.readNumbers(question)
	var known [][]wantedToken // by word
	unknown := 0
	for _, w := range asked.rest {
		if idle[w] {
			continue
		}
		if tokens := x.wanted([]string{w}); len(tokens) > 0 {
			known = append(known, tokens)
		} else {
			unknown++
		}
	}
	if len(known) == 0 {
		return best
	}
	const rare = 6 // for a word that no entry has
	total := rare * float32(unknown)
	counted := make([]int, len(x.entries)) // the last word counted for an entry, from 1
	for word, tokens := range known {
		heaviest := float32(0)
		for _, t := range tokens {
			heaviest = max(heaviest, x.rarity[t.token])
		}
		total += heaviest
		for _, t := range tokens {
			for _, p := range x.postings[t.token] {
				if counted[p.entry] <= word {
					counted[p.entry] = word + 1
					best[p.entry] += heaviest
				}
			}
		}
	}
	for i := range best {
		best[i] /= total
	}
	return best
}

// AsOn returns a provision, or the smallest part around it, on an ISO day. It reports false if the law held here has
// none.
func (l *Law) AsOn(c Cited, on string) (Found, bool) {
	entries, err := l.digest()
	if err != nil {
		return Found{}, false
	}
	e := entryOn(entries, c, on)
	if e == nil {
		return Found{}, false
	}
	return l.found(e, entries, on), true
}

// NumberOf converts a number in digits or English words ("45", "forty-five") to the form in which numbers are
// compared.
func NumberOf(said string) (string, bool) {
	value, next, _, ok := numberAt(numberTokens(said, true), 0)
	if !ok || next < len(numberTokens(said, true)) {
		return "", false
	}
	return plainValue(value), true
}

// Doubts reports whether a provision does not have a number that is attributed to it: the digest has other numbers of
// the same class for the provision, a part of it or the part around it on an ISO day, and no version of the section
// in the digest or in the text held has the number. It also returns what the digest has, "30 days (days to pay
// without penalty)".
func (l *Law) Doubts(c Cited, on, value, unit string, class func(unit string) bool) (bool, string) {
	entries, err := l.digest()
	if err != nil {
		return false, ""
	}
	var has []string
	for _, e := range entries {
		if e.Act != c.Act || rootOf(e.Number) != rootOf(c.Number) {
			continue
		}
		if _, says := readQuantities(e.English, true)[value]; says {
			return false, ""
		}
		if unit == "percent" && value == "100" && asMuchAsTax.MatchString(e.English) {
			return false, ""
		}
		if _, says := readQuantities(l.text(e.Act, e.Number, e.From), true)[value]; says {
			return false, ""
		}
		near := strings.EqualFold(e.Number, c.Number) || within(e.Number, c.Number) || within(c.Number, e.Number)
		for _, n := range e.Numbers {
			v := fmt.Sprint(n.Value)
			if f, err := strconv.ParseFloat(v, 64); err == nil {
				v = plainValue(f)
			}
			if n.Unit == unit && (v == value || unit == "percent" && wholeRate(n.What, fmt.Sprint(n.Value), value)) {
				return false, ""
			}
			if said := fmt.Sprintf("%s %s (%s)", v, n.Unit, n.What); near && class(n.Unit) && e.holds(on) &&
				len(has) < 3 {
				has = append(has, said)
			}
		}
	}
	return len(has) > 0, strings.Join(has, ", ")
}

// asMuchAsTax matches how the digest says that a penalty is a hundred per cent of the tax.
var asMuchAsTax = regexp.MustCompile(`(?i)\b(?:as much as|equal to|equals) (?:the )?tax\b`)

// wholeRate reports whether a text may give value, in percent, where the digest has rate. People pay what the central Act
// asks and as much under the State's Act, and below the highest rate that an Act allows any rate may be notified.
func wholeRate(what, rate, value string) bool {
	limit, err := strconv.ParseFloat(rate, 64)
	said, wrong := strconv.ParseFloat(value, 64)
	if err != nil || wrong != nil {
		return false
	}
	if strings.Contains(what, "central tax") {
		if said == 2*limit {
			return true
		}
		limit *= 2
	}
	return strings.Contains(what, "highest") && said <= limit
}
