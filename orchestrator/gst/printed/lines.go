package printed

import (
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// line is a line of a paper as a row of a table: a label of words, and the amounts after it.
type line struct {
	from, to int
	label    []string // the words before the amounts
	cells    []int64  // the amounts at its end, in paise; a dash is nil
	wide     bool     // it has an amount of a thousand rupees or more
}

// readLines reads the lines of a paper as rows of tables. It does so once, for all functions that look at tables.
func (p *Paper) readLines() {
	at := 0
	for text := range strings.Lines(p.all) {
		l := line{from: at, to: at + len(text)}
		words := strings.Fields(p.low[l.from:l.to])
		n := len(words)
		for ; n > 0; n-- {
			word := words[n-1]
			if len(l.cells) > 0 && (word == "rs." || word == "rs" || word == "₹" || word == "रु." || gst.TaxHead(word) != "" && n > 1) {
				continue
			}
			paise, ok := cell(word)
			if !ok {
				break
			}
			l.cells = append(l.cells, paise)
			l.wide = l.wide || paise >= 1000_00
		}
		slices.Reverse(l.cells)
		l.label = words[:n]
		p.lines = append(p.lines, l)
		at = l.to
	}
}

// cell parses a word as an amount in a table. The amount must be grouped, have a fraction, or be below a thousand:
// years, pin codes and other bare numbers are not amounts.
func cell(word string) (int64, bool) {
	switch word {
	case "-", "–", "—", "nil":
		return 0, true
	}
	word = strings.TrimSuffix(strings.TrimSuffix(word, "/-"), ",")
	for _, mark := range []string{"₹", "rs."} {
		word = strings.TrimPrefix(word, mark)
	}
	whole, fraction, _ := strings.Cut(word, ".")
	groups := strings.Split(whole, ",")
	digits := strings.Join(groups, "")
	if digits == "" || len(digits) > 12 || len(fraction) > 2 || strings.Trim(digits+fraction, "0123456789") != "" {
		return 0, false
	}
	switch last := groups[len(groups)-1]; {
	case len(groups) > 1 && len(last) != 3, len(groups) == 1 && len(digits) > 3 && fraction == "":
		return 0, false
	}
	rupees, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, false
	}
	paise, _ := strconv.ParseInt((fraction + "00")[:2], 10, 64) // its digits were checked above
	return rupees*100 + paise, true
}

// linesIn returns the lines that begin between two offsets.
func (p *Paper) linesIn(from, to int) []line {
	var all []line
	for _, l := range p.lines {
		if l.from >= from && l.from < to {
			all = append(all, l)
		}
	}
	return all
}

// annexed matches the heading of an annexure, such as "Annexure A" or "Annexure to para 3"; named matches the mention
// of an annexure in a charge.
var (
	annexed = lazyregexp.New(`^(?:annexure|annex|appendix)\b[ :.-]*(?:to para(?:graph)?(?: no\.?)? ?([0-9a-z().]{1,6})|([a-z]{1,3}|\d{1,2}|[ivx]{1,4})\b)?`)
	named   = lazyregexp.New(`\b(?:annexure|annex|appendix)[ :.-]*([a-z]{1,3}|\d{1,2}|[ivx]{1,4})\b`)
)

// rowsOf returns the lines of a charge and of the annexures that belong to it. An annexure belongs to a charge if its
// heading has the charge's number or the charge names it. An annexure that belongs to no charge in this way is taken to
// belong to the last one.
func (p *Paper) rowsOf(s Scope) []line {
	all := p.linesIn(s.from, s.to)
	names := map[string]bool{}
	for _, m := range named.FindAllStringSubmatch(p.low[s.from:s.to], -1) {
		names[m[1]] = true
	}
	own := false
	const heading, reach = 90, 120
	for i, l := range p.lines {
		if l.from < s.to {
			continue
		}
		if m := annexed.FindStringSubmatch(p.low[l.from:l.to]); m != nil && l.to-l.from <= heading && len(l.cells) == 0 {
			own = m[1] != "" && strings.Trim(m[1], "().") == s.Part.Para || m[2] != "" && names[m[2]] ||
				m[1] == "" && (m[2] == "" || !p.namesAnnexure(m[2])) && p.isLastCharge(s)
			continue
		}
		if own && len(all) < reach+i {
			all = append(all, l)
		}
	}
	return all
}

// namesAnnexure reports whether any charge names the annexure.
func (p *Paper) namesAnnexure(name string) bool {
	return slices.ContainsFunc(p.found, func(b block) bool {
		return slices.ContainsFunc(named.FindAllStringSubmatch(p.low[b.from:b.to], -1), func(m []string) bool { return m[1] == name })
	})
}

func (p *Paper) isLastCharge(s Scope) bool {
	return len(p.found) > 0 && p.found[len(p.found)-1].from == s.from
}

func (p *Paper) quoteLine(l line) Quote { return p.quote(l.from, l.to) }

// isTotal reports whether the row is the sum of the rows above it.
func (l line) isTotal() bool {
	return len(l.label) > 0 && isTotal(strings.TrimLeft(l.label[0], "*(")) ||
		len(l.label) > 1 && l.label[0] == "in" && strings.HasPrefix(l.label[1], "all")
}

// isRow reports whether a line is a row of a table and not prose.
func (l line) isRow() bool { return len(l.cells) > 1 && l.wide && len(l.label) < 9 }

// sentence returns the bounds of the sentence around an offset. Rows of tables have no full stops and are left out.
func (p *Paper) sentence(at int) (from, to int) {
	from, to = p.text.sentence(at)
	i, _ := slices.BinarySearchFunc(p.lines, at, func(l line, at int) int { return l.to - 1 - at })
	if i >= len(p.lines) || p.lines[i].isRow() {
		return from, to
	}
	for j := i - 1; j >= 0 && p.lines[j].to > from; j-- {
		if p.lines[j].isRow() {
			from = p.lines[j].to
		}
	}
	for j := i + 1; j < len(p.lines) && p.lines[j].from < to; j++ {
		if p.lines[j].isRow() {
			to = p.lines[j].from
		}
	}
	return from, to
}

// rowMonth matches the label of a row for a month, such as "1 apr-21" or "april 2021".
var rowMonth = lazyregexp.New(`^(?:\d{1,2}[.)]? )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ '’.-]*(?:20)?(\d\d)$`)

// month returns the first day of the month of a row, if the row's label is nothing but a month.
func (l line) month() (law.Day, bool) {
	if len(l.label) == 0 || len(l.label) > 3 {
		return law.Day{}, false
	}
	m := rowMonth.FindStringSubmatch(strings.Join(l.label, " "))
	if m == nil {
		return law.Day{}, false
	}
	i := slices.IndexFunc(monthNames[:], func(names []string) bool { return strings.HasPrefix(names[0], m[1]) })
	return law.NewDay(2000+number(m[2]), i+1, 1)
}

// id returns the number of the invoice or other document that a row is about, normalised so that two spellings of it
// are equal. It is "" if there is none; dates and GSTINs are not such numbers.
func (l line) id() string {
	for i, w := range l.label {
		if i > 5 {
			break
		}
		if id := documentNumber(w); id != "" {
			return id
		}
	}
	return ""
}

// documentNumber returns the number of a document, normalised so that two spellings of it are equal. It is "" if the
// word is not such a number.
func documentNumber(word string) string {
	word = strings.Trim(word, ".,:;()[]'\"")
	if len(word) < 4 || len(word) > 22 || len(gst.Dates(word)) > 0 {
		return ""
	}
	digits, letters, marks := 0, 0, 0
	for i := range len(word) {
		switch c := word[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z':
			letters++
		case c == '/' || c == '-':
			marks++
		default:
			return ""
		}
	}
	if digits < 2 || letters == 0 || gstinIn.MatchString(word) || shortMonth.MatchString(word) ||
		vehicle.MatchString(word) || notADocument(word) {
		return ""
	}
	if marks == 0 && letters > 4 {
		return ""
	}
	return strings.NewReplacer("/", "", "-", "").Replace(word)
}

// notADocument reports whether a word with digits is the name of a form, a year, a section or a notification.
func notADocument(word string) bool {
	for _, w := range []string{"drc", "asmt", "gstr", "reg-", "rfd", "adt-", "mov-", "cmp-", "spl-", "apl-", "pmt", "zd", "za", "zb",
		"f.y", "fy", "din", "cin", "cbic", "scn", "u/s", "s.", "section", "rule", "para", "hsn", "sac"} {
		if strings.HasPrefix(word, w) {
			return true
		}
	}
	return strings.HasSuffix(word, "-ct") || strings.HasSuffix(word, "-gst") || strings.HasSuffix(word, "th") ||
		strings.HasSuffix(word, "st") || strings.HasSuffix(word, "nd") || strings.HasSuffix(word, "rd")
}

// paiseIn returns, in paise, every number in a lower-case text that can be an amount.
func paiseIn(low string) []int64 {
	var all []int64
	for _, s := range gst.Sums(low) {
		all = append(all, s.Paise)
	}
	return all
}
