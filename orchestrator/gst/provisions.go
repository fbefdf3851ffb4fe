package gst

import (
	"regexp"
	"slices"
	"strings"
)

// citation is one provision cited in the text, "16(2)(c)".
type citation struct {
	span
	number string
	rule   bool
	other  bool // of another Act than CGST or SGST
}

// provisionWord is a word that announces a section or a rule.
type provisionWord struct {
	text string
	rule bool
}

var provisionWords = [...]provisionWord{
	{"sections", false}, {"section", false}, {"secs", false}, {"sec", false}, {"u/ss", false}, {"u/s", false},
	{"ss", false}, {"s", false}, {"धाराओं", false}, {"धारा", false},
	{"rules", true}, {"rule", true}, {"rr", true}, {"r", true}, {"नियम", true},
}

// readProvisions lists the sections of the CGST and State Acts and the CGST
// Rules that the notice cites, in their order, at the depth printed. A bare
// section is left out where one of its sub-sections is cited too.
func (r *reading) readProvisions() {
	r.cited = r.doc.citations(r.index)
	type key struct {
		number string
		rule   bool
	}
	parents, seen := map[key]bool{}, map[key]bool{}
	for _, c := range r.cited {
		if root, _, deeper := strings.Cut(c.number, "("); deeper && !c.other {
			parents[key{root, c.rule}] = true
		}
	}
	for _, c := range r.cited {
		k := key{c.number, c.rule}
		if c.other || seen[k] || parents[k] {
			continue
		}
		seen[k] = true
		list, name := &r.facts.Sections, "sections"
		if c.rule {
			list, name = &r.facts.Rules, "rules"
		}
		*list = append(*list, c.number)
		r.cite(name, c.span)
		r.cite(name+"."+c.number, c.span)
	}
}

// citations finds every provision cited in the text. What is no section of the
// CGST Act and no CGST rule is left out.
func (d *document) citations(law *index) []citation {
	var found []citation
	pending := -1 // first of the citations that may yet learn their Act
	for at := 0; at < len(d.low); {
		word, ok := d.provisionWordAt(at)
		if !ok {
			at = d.nextWord(at)
			continue
		}
		list, end := d.citationList(at, word, law)
		if len(list) == 0 {
			at += len(word.text)
			continue
		}
		if pending >= 0 && !joinsList(d.low[found[len(found)-1].end:at]) {
			pending = -1
		}
		switch act := d.actAfter(end); {
		case act == otherAct || d.otherActBefore(at):
			for i := range list {
				list[i].other = true
			}
			for i := pending; i >= 0 && i < len(found); i++ {
				found[i].other = true // "section 7 and section 8 of the IGST Act"
			}
			pending = -1
		case act == ownAct:
			pending = -1
		case pending < 0:
			pending = len(found)
		}
		found = append(found, list...)
		at = end
	}
	return found
}

// joinsList tells whether only "and" or a comma stands between two citations,
// so that one Act named at the end is the Act of both.
func joinsList(between string) bool {
	switch strings.TrimSpace(between) {
	case "and", ",", "&", "or", ", and":
		return true
	}
	return false
}

// nextWord gives the next offset at which a word may begin.
func (d *document) nextWord(at int) int {
	at++
	for at < len(d.low) && (isLetter(d.low[at-1]) || d.low[at-1] >= 0x80 || !isLetter(d.low[at]) && d.low[at] < 0x80) {
		at++
	}
	return at
}

func (d *document) provisionWordAt(at int) (provisionWord, bool) {
	switch c := d.low[at]; {
	case c == 's', c == 'u', c == 'r', c == 0xe0: // 0xe0 begins Devanagari
	default:
		return provisionWord{}, false
	}
	for _, w := range provisionWords {
		end := at + len(w.text)
		if !strings.HasPrefix(d.low[at:], w.text) || end < len(d.low) && (isLetter(d.low[end]) || d.low[end] >= 0x80) {
			continue
		}
		if len(w.text) <= 2 && (end >= len(d.low) || d.low[end] != '.') {
			continue // "s." and "r." need their full stop
		}
		if len(w.text) <= 2 && at > 0 && d.low[at-1] != ' ' && d.low[at-1] != '(' && d.low[at-1] != '[' && d.low[at-1] != '/' {
			continue
		}
		if end < len(d.low) && d.low[end] == '-' || at > 0 && d.low[at-1] == '/' {
			continue // "AC/Sec-7/KNP"
		}
		return w, true
	}
	return provisionWord{}, false
}

// citationList reads the provisions after the word: "16(2)(c), 17(5) and 50",
// "73(1) or (2)", "73/74". It gives the offset after them.
func (d *document) citationList(at int, word provisionWord, law *index) ([]citation, int) {
	start := at
	at += len(word.text)
	if strings.HasPrefix(d.low[at:], "(s)") {
		at += len("(s)")
	}
	at = skipAny(d.low, at, " .:-")
	if label := cellLabel.FindStringSubmatchIndex(d.low[at:min(at+120, len(d.low))]); label != nil && !word.rule {
		at += label[2]
	} else if at = d.cellBelow(start, at); at >= len(d.low) {
		return nil, start
	}
	known := law.sections
	if word.rule {
		known = law.rules
	}
	var list []citation
	base := "" // the number that a lone "(c)" goes on
	end := at
	for {
		number, stop, depth := d.citationAt(at)
		switch {
		case number != "" && number[0] != '(':
			if len(list) > 0 && !d.endsCitation(stop) {
				return list, end
			}
			root, _, _ := strings.Cut(number, "(")
			if !known[root] && !law.anyNumber {
				return list, end
			}
			if depth == 0 && len(list) == 0 {
				if subs := d.subsectionsBefore(start); len(subs) > 0 {
					for _, sub := range subs {
						list = append(list, citation{span: span{start, stop}, number: number + sub, rule: word.rule})
					}
					base, end = number+subs[len(subs)-1], stop
					break
				}
			}
			list = append(list, citation{span: span{at, stop}, number: number, rule: word.rule})
			base, end = number, stop
		case number != "" && base != "" && strings.Count(base, "(") >= depth:
			// "(i), (ii)" and "(1) and (3)" go on the level of the last part.
			for range depth {
				base = base[:strings.LastIndexByte(base, '(')]
			}
			base += number
			list = append(list, citation{span: span{at, stop}, number: base, rule: word.rule})
			end = stop
		default:
			return list, end
		}
		next := d.listSeparator(end)
		if next < 0 {
			return list, end
		}
		at = next
	}
}

// cellLabel is the rest of a label such as "Section under which show cause
// notice is issued", after which the section stands in the next cell.
var cellLabel = regexp.MustCompile(`^(?:of the act )?under which [a-z /:=-]{4,80}?(\d)`)

// cellBelow gives where the provision stands if the word that announces it is
// the last of its cell and another column follows: at the start of the next line.
func (d *document) cellBelow(wordAt, at int) int {
	i := d.lineAt(wordAt)
	l := d.lines[i]
	if len(l.cells) < 2 || i+1 >= len(d.lines) || d.lines[i+1].page != l.page {
		return at
	}
	for c, cell := range l.cells[:len(l.cells)-1] {
		if cell.end < at && l.cells[c+1].start == at && wordAt >= cell.start {
			return d.lines[i+1].start
		}
	}
	return at
}

// citationAt reads one provision: a number with its parts, or parts alone. The
// depth counts the parts in parentheses.
func (d *document) citationAt(at int) (number string, end, depth int) {
	s := d.text
	end = at
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	if end-at > 3 {
		return "", at, 0
	}
	if end > at {
		for end < len(s) && isUpper(s[end]) && end-at < 5 {
			end++
		}
		if end < len(s) && isAlnum(s[end]) {
			return "", at, 0
		}
		if end+1 < len(s) && strings.IndexByte(".,/-:", s[end]) >= 0 && isDigit(s[end+1]) && !d.isPlainNumber(end+1) {
			return "", at, 0 // a date, an amount, a number of another kind
		}
	}
	number = s[at:end]
	for end < len(s) {
		open := end
		if s[open] == ' ' {
			open++
		}
		part, stop := d.part(open)
		if part == "" {
			break
		}
		if depth == 1 && isDigits(part[1:len(part)-1]) {
			return number, stop, depth // "(8)" for "(a)": clauses have letters
		}
		number += part
		end = stop
		depth++
	}
	return number, end, depth
}

// isPlainNumber tells whether a section number follows, as in "73/74".
func (d *document) isPlainNumber(at int) bool {
	end := at
	for end < len(d.text) && isDigit(d.text[end]) {
		end++
	}
	return end-at <= 3 && (end >= len(d.text) || !isDigit(d.text[end]) && strings.IndexByte("/-.,", d.text[end]) < 0 ||
		end+1 < len(d.text) && d.text[end] != '-' && !isDigit(d.text[end+1])) && d.text[at-1] == '/'
}

// part reads one "(2)", "(aa)", "(2A)" or "(iv)".
func (d *document) part(at int) (part string, end int) {
	s := d.text
	if at >= len(s) || strings.IndexByte("({[", s[at]) < 0 {
		return "", at
	}
	end = at + 1
	for end < len(s) && isAlnum(s[end]) && end-at < 7 {
		end++
	}
	inner := s[at+1 : end]
	if inner == "" || end >= len(s) || strings.IndexByte(")}]", s[end]) < 0 || len(inner) > 5 {
		return "", at
	}
	digits := strings.TrimLeft(inner, "0123456789")
	switch {
	case len(digits) < len(inner): // 2, 2A
		if len(inner)-len(digits) > 2 || len(digits) > 2 || strings.ToUpper(digits) != digits {
			return "", at
		}
	case strings.Trim(strings.ToLower(inner), "ivxl") == "": // roman
	case len(inner) > 2 && inner != strings.Repeat(inner[:1], len(inner)):
		return "", at
	}
	return "(" + inner + ")", end + 1
}

// listSeparator steps over what joins two provisions of one list. It gives -1
// where the list ends.
func (d *document) listSeparator(at int) int {
	rest := d.low[at:]
	for _, sep := range [...]string{", and ", " and ", " & ", " or ", ", ", "/", "/ ", " / ", " to ", " read with ", " r/w ", ","} {
		if strings.HasPrefix(rest, sep) {
			next := at + len(sep)
			if next < len(d.low) && (isDigit(d.low[next]) || d.low[next] == '(') {
				return next
			}
		}
	}
	return -1
}

// endsCitation tells whether what follows a number in a list fits a provision
// rather than a count of things, "section 16 and 45 invoices".
func (d *document) endsCitation(at int) bool {
	rest := d.low[at:]
	if i, found := slices.BinarySearch(d.sentences, at+1); found && i > 0 {
		return true
	}
	if rest == "" || strings.IndexByte(",;.)/:&]", rest[0]) >= 0 || d.low[at-1] == ')' {
		return true
	}
	rest = strings.TrimPrefix(rest, " ")
	word, _, _ := strings.Cut(rest, " ")
	switch strings.TrimRight(word, ".,;:") {
	case "", "of", "and", "&", "or", "read", "r/w", "under", "to", "the", "ibid", "is", "are", "was", "were", "shall", "has", "have", "for", "as", "in", "with", "respectively", "may", "के", "का", "की", "एवं", "व", "-", "|":
		return true
	}
	return false
}

var partsBefore = regexp.MustCompile(`(?:clauses? ((?:\([a-z]{1,4}\)(?:, | and | or )?)+) ?(?:of|to) (?:the )?)?sub-? ?(?:section|rule)s? ((?:\([0-9a-z]{1,3}\)(?:, | and | or | & )?)+) ?of (?:the )?$`)

// subsectionsBefore reads "clause (c) of sub-section (2) of" before the word
// "section" and gives "(2)(c)".
func (d *document) subsectionsBefore(at int) []string {
	from := max(0, at-120)
	m := partsBefore.FindStringSubmatchIndex(d.low[from:at])
	if m == nil {
		return nil
	}
	parts := func(lo, hi int) []string {
		if lo < 0 {
			return []string{""}
		}
		var list []string
		for i := from + lo; i < from+hi; {
			part, end := d.part(i)
			if part == "" {
				i++
				continue
			}
			list = append(list, part)
			i = end
		}
		return list
	}
	var all []string
	for _, sub := range parts(m[4], m[5]) {
		for _, clause := range parts(m[2], m[3]) {
			all = append(all, sub+clause)
		}
	}
	return all
}

// withoutUnion leaves of "IGST/CGST" what is not of the Union's other Acts.
var withoutUnion = strings.NewReplacer("igst", "", "utgst", "")

type actKind int

const (
	noAct actKind = iota
	ownAct
	otherAct
)

var (
	actPhrase = regexp.MustCompile(`^[ ,]*(?:\(?(?:ibid)\)?)?(?:of|under|in) (?:the )?(?:said )?([a-z0-9&/,. ()'-]{0,110}?)\b(act|acts|rules|sanhita|code|adhiniyam|अधिनियम)\b|^ ?(?:of (?:the )?)?((?:igst|ipc|crpc|bns|bnss|bsa|cpc)\b[a-z/]*)`)
	ownWords  = regexp.MustCompile(`cgst|sgst|central goods|state goods|\b(?:[a-z]{1,3}|uttarakhand|haryana|delhi|punjab|kerala|telangana)gst\b|(?:pradesh|nadu|bengal|karnataka|maharashtra|gujarat|haryana|punjab|rajasthan|kerala|odisha|bihar|jharkhand|assam|goa|delhi|telangana|uttarakhand|tripura|manipur|sikkim) (?:gst|goods)`)
	foreign   = regexp.MustCompile(`igst|integrated|utgst|union territory|compensation|customs|income|companies|penal|nyaya|nagarik|sakshya|evidence|finance|contract|excise|limitation|general clauses|information|criminal|civil|ipc|crpc|bns|bsa|negotiable|tariff|arbitration|insolvency|partnership|constitution|sale of goods|value added|\bvat\b|service tax`)
)

// actAfter tells which Act the words after a citation name.
func (d *document) actAfter(at int) actKind {
	m := actPhrase.FindStringSubmatch(d.low[at:min(at+150, len(d.low))])
	switch {
	case m == nil:
		return noAct
	case m[3] != "":
		if ownWords.MatchString(withoutUnion.Replace(m[3])) {
			return ownAct
		}
		return otherAct
	case ownWords.MatchString(withoutUnion.Replace(m[1])):
		return ownAct
	case foreign.MatchString(m[1]):
		return otherAct
	}
	return ownAct
}

var actBefore = regexp.MustCompile(`(?:igst|integrated goods and services tax|customs|income[ -]tax|companies|penal|bns|ipc|utgst|compensation)(?: act)?(?:,? ?\d{4})? ?[,:-]? ?$`)

// otherActBefore tells whether another Act is named right before the word
// "section", as in "IGST Act, 2017, section 5(3)".
func (d *document) otherActBefore(at int) bool {
	return actBefore.MatchString(d.low[max(0, at-60):at])
}

func skipAny(s string, at int, set string) int {
	for at < len(s) && strings.IndexByte(set, s[at]) >= 0 {
		at++
	}
	return at
}
