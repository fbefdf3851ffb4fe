// Package mask replaces names, GSTINs and PANs in texts with placeholders and puts them back. The caller passes the
// names; the numbers are found by their format. Whether a person's texts are masked is decided elsewhere, and the
// mapping is not stored.
package mask

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Mask maps the private names and numbers in the texts of one request and its answer to placeholders. It is not safe
// for concurrent use.
type Mask struct {
	known   *regexp.Regexp    // matches the names and numbers passed to New, the longest first; nil: none
	names   map[string]string // placeholder by the text that it replaces, as returned by plain
	stands  map[string]string // the text behind each placeholder
	numbers map[string]int    // the last number used, by kind
}

// The kinds of placeholders.
const (
	party   = "PARTY"
	numberG = "GSTIN"
	numberP = "PAN"
)

// New returns a mask for the private names and numbers. A placeholder that already occurs in texts is not used again.
// The same list always gives the same placeholders.
func New(private []string, texts ...string) *Mask {
	m := &Mask{names: map[string]string{}, stands: map[string]string{}, numbers: map[string]int{}}
	for _, t := range texts {
		for _, found := range placeholder().FindAllStringSubmatch(t, -1) {
			kind, n, _ := parts(found)
			m.numbers[kind] = max(m.numbers[kind], n)
		}
	}
	var forms []string
	for _, p := range private {
		p = strings.Join(strings.Fields(p), " ")
		switch word := bare(p); {
		case len(p) < 3:
		case isGSTIN(word):
			m.add(numberG, word)
			forms = append(forms, spaced(word))
			m.add(numberP, word[2:12])
			forms = append(forms, spaced(word[2:12]))
		case isPAN(word):
			m.add(numberP, word)
			forms = append(forms, spaced(word))
		default:
			forms = append(forms, m.addName(p)...)
		}
	}
	slices.SortStableFunc(forms, func(a, b string) int { return len(b) - len(a) })
	if len(forms) > 0 {
		m.known = regexp.MustCompile(`(?i)(?:` + strings.Join(forms, "|") + `)`)
	}
	return m
}

// lazy returns an expression that is compiled on first use: most processes mask nothing.
func lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// plain returns a name in capitals and with single spaces, so that all spellings of it compare equal.
func plain(s string) string { return strings.ToUpper(strings.Join(strings.Fields(s), " ")) }

// bare returns a number in capitals, without spaces and hyphens.
func bare(s string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(s))
}

func (m *Mask) add(kind, what string) string {
	if p, known := m.names[plain(what)]; known {
		return p
	}
	m.numbers[kind]++
	p := kind + "-" + strconv.Itoa(m.numbers[kind])
	m.names[plain(what)], m.stands[p] = p, what
	return p
}

// Parts of a name that do not tell it from others: "M/s" or "Shri" before it, "Private Limited" after it.
var (
	courtesy  = lazy(`(?i)^(?:m/s\.?|messrs\.?|shri|smt\.?|sri|mr\.?|mrs\.?|ms\.?|dr\.?|the)\s+`)
	legalForm = lazy(`(?i)[\s,]+(?:\(?(?:private|pvt\.?)\)?\s+(?:limited|ltd\.?)|limited|ltd\.?|llp|l\.l\.p\.?|inc\.?|corporation|and\s+co(?:mpany|\.)?|&\s*co(?:mpany|\.)?|and\s+sons|&\s*sons)$`)
)

// shortest is the number of letters that a name without its legal form needs to be searched for as well.
const shortest = 5

// addName adds a name, and as a variant of it ("PARTY-1A") the name without its legal form. It returns the patterns
// that find them.
func (m *Mask) addName(name string) []string {
	whole := courtesy().ReplaceAllString(name, "")
	forms := []string{words(whole)}
	p := m.add(party, whole)
	core := strings.TrimRight(legalForm().ReplaceAllString(whole, ""), " ,")
	if plain(core) != plain(whole) && utf8.RuneCountInString(core) >= shortest {
		if _, known := m.names[plain(core)]; !known {
			m.names[plain(core)], m.stands[p+"A"] = p+"A", core
		}
		forms = append(forms, words(core))
	}
	return forms
}

// words returns a pattern that finds a name in plain text or JSON, wherever its line breaks are.
func words(name string) string {
	fields := strings.Fields(name)
	for i, f := range fields {
		f = regexp.QuoteMeta(f)
		f = strings.ReplaceAll(f, "&", `(?:&|&amp;|\\u0026)`)
		f = strings.ReplaceAll(f, `"`, `\\?"`)
		fields[i] = f
	}
	return strings.Join(fields, `(?:\s|\\n|\\t)+`)
}

// spaced returns a pattern that finds a number whose characters may be separated by spaces or hyphens.
func spaced(number string) string {
	letters := make([]string, len(number))
	for i := range letters {
		letters[i] = regexp.QuoteMeta(number[i : i+1])
	}
	return strings.Join(letters, `[ -]?`)
}

// word matches a run of letters and digits, which may be a GSTIN or a PAN.
var word = lazy(`[0-9A-Za-z]+`)

// loose matches a GSTIN that is broken by spaces or joined to other words. A PAN in that state is matched only after
// the label "PAN", because other text has its format too.
var loose = lazy(`(?i)(?:\d[ -]?){2}(?:[A-Z][ -]?){5}(?:\d[ -]?){4}[A-Z][ -]?[0-9A-Z][ -]?Z[ -]?[0-9A-Z]` +
	`|\bPAN(?:\s*(?:no|number|card)\b)?[\s.:–-]*((?:[A-Z][ -]?){5}(?:\d[ -]?){4}[A-Z]\b)`)

// replaceLoose replaces each match of loose with the result of do, which gets the number without its separators.
func replaceLoose(text string, do func(number string) string) string {
	var out strings.Builder
	at := 0
	for _, where := range loose().FindAllStringSubmatchIndex(text, -1) {
		start, end := where[0], where[1]
		if where[2] >= 0 {
			start, end = where[2], where[3]
		}
		out.WriteString(text[at:start])
		out.WriteString(do(bare(text[start:end])))
		at = end
	}
	return out.String() + text[at:]
}

// Numbers returns the GSTINs and PANs of a text, without repetitions.
func Numbers(text string) []string {
	var all []string
	add := func(number string) string {
		if !slices.Contains(all, number) {
			all = append(all, number)
		}
		return " "
	}
	for _, w := range word().FindAllString(replaceLoose(text, add), -1) {
		if w = strings.ToUpper(w); isGSTIN(w) || isPAN(w) {
			add(w)
		}
	}
	return all
}

// The formats of the numbers: d is a digit, L a letter, a either of them.
const (
	gstinShape = "ddLLLLLddddLaLa"
	panShape   = "LLLLLddddL"
)

// isGSTIN reports whether a word in capitals has the format of a GSTIN; up to three characters may be misread.
func isGSTIN(w string) bool { return fits(w, gstinShape, 3) }

func isPAN(w string) bool { return fits(w, panShape, 1) }

// Digits that text recognition reads as letters, and letters that it reads as digits.
const (
	likeDigits  = "OQDILSBZG"
	likeLetters = "0125867"
)

func fits(w, shape string, misread int) bool {
	if len(w) != len(shape) {
		return false
	}
	for i := range len(w) {
		digit := '0' <= w[i] && w[i] <= '9'
		switch {
		case shape[i] == 'd' && !digit:
			if !strings.ContainsRune(likeDigits, rune(w[i])) {
				return false
			}
			misread--
		case shape[i] == 'L' && digit:
			if !strings.ContainsRune(likeLetters, rune(w[i])) {
				return false
			}
			misread--
		}
	}
	return misread >= 0
}

// Hide returns a text in which placeholders replace everything private.
func (m *Mask) Hide(text string) string {
	if m.known != nil {
		text = m.hideKnown(text)
	}
	text = replaceLoose(text, func(number string) string {
		if len(number) == len(panShape) {
			return "[" + m.add(numberP, number) + "]"
		}
		return "[" + m.add(numberG, number) + "]"
	})
	return word().ReplaceAllStringFunc(text, func(w string) string {
		switch up := strings.ToUpper(w); {
		case isGSTIN(up):
			return "[" + m.add(numberG, up) + "]"
		case isPAN(up):
			return "[" + m.add(numberP, up) + "]"
		}
		return w
	})
}

func (m *Mask) hideKnown(text string) string {
	var out strings.Builder
	for at := 0; at < len(text); {
		found := m.known.FindStringIndex(text[at:])
		if found == nil {
			out.WriteString(text[at:])
			break
		}
		start, end := at+found[0], at+found[1]
		if !whole(text, start, end) {
			_, size := utf8.DecodeRuneInString(text[start:])
			out.WriteString(text[at : start+size])
			at = start + size
			continue
		}
		out.WriteString(text[at:start])
		out.WriteString("[" + m.of(text[start:end]) + "]")
		at = end
	}
	return out.String()
}

// unwritten undoes the JSON and HTML escapes in a name.
var unwritten = strings.NewReplacer(`\u0026`, "&", "&amp;", "&", `\n`, " ", `\t`, " ", `\"`, `"`)

// of returns the placeholder for words that the pattern found.
func (m *Mask) of(found string) string {
	if p, known := m.names[plain(unwritten.Replace(found))]; known {
		return p
	}
	if p, known := m.names[bare(found)]; known {
		return p
	}
	return m.add(party, found)
}

// whole reports whether text[start:end] is not part of a longer word.
func whole(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	escape := strings.HasSuffix(text[:start], `\n`) || strings.HasSuffix(text[:start], `\t`) // of JSON
	return (escape || !inWord(before)) && !inWord(after)
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r))
}

// placeholder matches a placeholder as models write it: in any case, with or without brackets, in bold or italics,
// with another kind of dash, or with Markdown's backslashes.
var placeholder = lazy(`(?i)\\?\[([*_~]{0,3})\s?(party|gstin|pan)\s?\\?[-_‐‑‒–— ]\s?(\d{1,4})(a?)\s?([*_~]{0,3})\\?\]|\b(party|gstin|pan)\\?[-_‐‑‒–—](\d{1,4})(a?)\b`)

// parts splits a match of placeholder into kind, number and variant.
func parts(found []string) (kind string, n int, variant string) {
	kind, number, variant := found[2], found[3], found[4]
	if kind == "" {
		kind, number, variant = found[6], found[7], found[8]
	}
	n, _ = strconv.Atoi(number)
	return strings.ToUpper(kind), n, strings.ToUpper(variant)
}

// Show returns a text in which the original names and numbers replace their placeholders. A placeholder that the mask
// did not give out stays as it is.
func (m *Mask) Show(text string) string {
	var out strings.Builder
	at := 0
	for _, where := range placeholder().FindAllStringSubmatchIndex(text, -1) {
		found := make([]string, len(where)/2)
		for i := range found {
			if where[2*i] >= 0 {
				found[i] = text[where[2*i]:where[2*i+1]]
			}
		}
		kind, n, variant := parts(found)
		what, known := m.stands[kind+"-"+strconv.Itoa(n)+variant]
		if !known {
			continue
		}
		out.WriteString(text[at:where[0]])
		out.WriteString(found[1] + what + found[5])
		at = where[1]
	}
	out.WriteString(text[at:])
	return out.String()
}

// unfinished matches the end of a text that may be the beginning of a placeholder.
var unfinished = lazy(`(?i)(?:\\?\[[^\]\[\n]{0,40}\\?|\\|(?:^|[^\pL\pN])(?:p|pa|par|part|party|g|gs|gst|gsti|gstin|pan)(?:\\?[-_‐‑‒–—]?\d{0,4}a?|\\))$`)

// Stream passes on an answer as it is written. It holds back what may be the beginning of a placeholder until the
// rest arrives.
type Stream struct {
	mask    *Mask
	out     func(string) error
	waiting string
	written strings.Builder
}

// Stream returns a stream that passes the answer, with names restored, to out.
func (m *Mask) Stream(out func(string) error) *Stream { return &Stream{mask: m, out: out} }

// Write takes the next piece of an answer.
func (s *Stream) Write(piece string) error {
	s.waiting += piece
	ready := len(s.waiting)
	if where := unfinished().FindStringIndex(s.waiting); where != nil {
		ready = where[0]
	}
	return s.pass(ready)
}

// Close passes on what is held back, after the last piece.
func (s *Stream) Close() error { return s.pass(len(s.waiting)) }

// Text returns all that was passed on.
func (s *Stream) Text() string { return s.written.String() }

func (s *Stream) pass(ready int) error {
	text := s.mask.Show(s.waiting[:ready])
	s.waiting = s.waiting[ready:]
	if text == "" {
		return nil
	}
	s.written.WriteString(text)
	return s.out(text)
}
