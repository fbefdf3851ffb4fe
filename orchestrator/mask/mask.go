// Package mask replaces names, GSTINs and PANs by placeholders, and restores them. It has pure functions over text: it
// is given the names, and finds the numbers by their format. It does not decide whose text is masked, and stores no
// mapping.
package mask

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mask maps the private names and numbers in the texts of one request and its answer to placeholders. It is not safe
// for concurrent use.
type Mask struct {
	known   *regexp.Regexp    // the names and numbers that it was given, the longest first; nil: none
	names   map[string]string // placeholder by what it stands for, as plain gives it
	stands  map[string]string // what a placeholder stands for
	numbers map[string]int    // the last number given out, by kind
}

// The kinds of placeholders.
const (
	party   = "PARTY"
	numberG = "GSTIN"
	numberP = "PAN"
)

// New makes a mask of the names and numbers; those of the texts are avoided where they have placeholders of their own.
// The same list gives the same placeholders.
func New(private []string, texts ...string) *Mask {
	m := &Mask{names: map[string]string{}, stands: map[string]string{}, numbers: map[string]int{}}
	for _, t := range texts {
		for _, found := range placeholder.FindAllStringSubmatch(t, -1) {
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

// plain returns a form that is the same for all spellings of one name.
func plain(s string) string { return strings.ToUpper(strings.Join(strings.Fields(s), " ")) }

// bare returns a number without the separators in it.
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

// Words around the name of a firm or a person that do not distinguish it from others.
var (
	courtesy  = regexp.MustCompile(`(?i)^(?:m/s\.?|messrs\.?|shri|smt\.?|sri|mr\.?|mrs\.?|ms\.?|dr\.?|the)\s+`)
	legalForm = regexp.MustCompile(`(?i)[\s,]+(?:\(?(?:private|pvt\.?)\)?\s+(?:limited|ltd\.?)|limited|ltd\.?|llp|l\.l\.p\.?|inc\.?|corporation|and\s+co(?:mpany|\.)?|&\s*co(?:mpany|\.)?|and\s+sons|&\s*sons)$`)
)

// shortest is how many letters a name has at least that is looked for without what stands around it.
const shortest = 5

// addName adds a name, and the same without courtesy and legal form as one of its variants, and returns the patterns of
// both.
func (m *Mask) addName(name string) []string {
	whole := courtesy.ReplaceAllString(name, "")
	forms := []string{words(whole)}
	p := m.add(party, whole)
	core := strings.TrimRight(legalForm.ReplaceAllString(whole, ""), " ,")
	if plain(core) != plain(whole) && utf8.RuneCountInString(core) >= shortest {
		if _, known := m.names[plain(core)]; !known {
			m.names[plain(core)], m.stands[p+"A"] = p+"A", core
		}
		forms = append(forms, words(core))
	}
	return forms
}

// words returns the pattern of a name however it is broken into lines, also as it stands in JSON.
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

// spaced returns the pattern of a number in which signs may part its letters.
func spaced(number string) string {
	letters := make([]string, len(number))
	for i := range letters {
		letters[i] = regexp.QuoteMeta(number[i : i+1])
	}
	return strings.Join(letters, `[ -]?`)
}

// word is what may be a number.
var word = regexp.MustCompile(`[0-9A-Za-z]+`)

// loose matches a GSTIN that is split or joined to other words, whose format nothing else has, and such a PAN, which is
// labelled as one.
var loose = regexp.MustCompile(`(?i)(?:\d[ -]?){2}(?:[A-Z][ -]?){5}(?:\d[ -]?){4}[A-Z][ -]?[0-9A-Z][ -]?Z[ -]?[0-9A-Z]` +
	`|\bPAN(?:\s*(?:no|number|card)\b)?[\s.:–-]*((?:[A-Z][ -]?){5}(?:\d[ -]?){4}[A-Z]\b)`)

// replaceLoose returns a text with something else for each number in pieces or joined to words, which do is told
// without the signs in it.
func replaceLoose(text string, do func(number string) string) string {
	var out strings.Builder
	at := 0
	for _, where := range loose.FindAllStringSubmatchIndex(text, -1) {
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

// Numbers returns the GSTINs and PANs of a text, each once.
func Numbers(text string) []string {
	var all []string
	add := func(number string) string {
		if !slices.Contains(all, number) {
			all = append(all, number)
		}
		return " "
	}
	for _, w := range word.FindAllString(replaceLoose(text, add), -1) {
		if w = strings.ToUpper(w); isGSTIN(w) || isPAN(w) {
			add(w)
		}
	}
	return all
}

// The shapes of the numbers: d a digit, L a letter, a either.
const (
	gstinShape = "ddLLLLLddddLaLa"
	panShape   = "LLLLLddddL"
)

// isGSTIN reports whether a word in capitals has the shape of a GSTIN, with some letters misread perhaps.
func isGSTIN(w string) bool { return fits(w, gstinShape, 3) }

func isPAN(w string) bool { return fits(w, panShape, 1) }

// Letters that text recognition confuses with digits, and the other way round.
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

// Hide returns a text with placeholders for everything private.
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
	return word.ReplaceAllStringFunc(text, func(w string) string {
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

// of returns the placeholder of words that the pattern found.
func (m *Mask) of(found string) string {
	if p, known := m.names[plain(unwritten.Replace(found))]; known {
		return p
	}
	if p, known := m.names[bare(found)]; known {
		return p
	}
	return m.add(party, found)
}

// whole reports whether what stands there is no part of a longer word.
func whole(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	escape := strings.HasSuffix(text[:start], `\n`) || strings.HasSuffix(text[:start], `\t`) // of JSON
	return (escape || !inWord(before)) && !inWord(after)
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r))
}

// placeholder is how models write a placeholder: in any case, in brackets or out of them, in bold or italics, with
// another dash, or with what Markdown puts before signs.
var placeholder = regexp.MustCompile(`(?i)\\?\[([*_~]{0,3})\s?(party|gstin|pan)\s?\\?[-_‐‑‒–— ]\s?(\d{1,4})(a?)\s?([*_~]{0,3})\\?\]|\b(party|gstin|pan)\\?[-_‐‑‒–—](\d{1,4})(a?)\b`)

// parts takes a found placeholder apart.
func parts(found []string) (kind string, n int, variant string) {
	kind, number, variant := found[2], found[3], found[4]
	if kind == "" {
		kind, number, variant = found[6], found[7], found[8]
	}
	n, _ = strconv.Atoi(number)
	return strings.ToUpper(kind), n, strings.ToUpper(variant)
}

// Show returns a text with what its placeholders stand for; a placeholder that stands for nothing stays.
func (m *Mask) Show(text string) string {
	var out strings.Builder
	at := 0
	for _, where := range placeholder.FindAllStringSubmatchIndex(text, -1) {
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

// unfinished is the end of a text that may be the beginning of a placeholder.
var unfinished = regexp.MustCompile(`(?i)(?:\\?\[[^\]\[\n]{0,40}\\?|\\|(?:^|[^\pL\pN])(?:p|pa|par|part|party|g|gs|gst|gsti|gstin|pan)(?:\\?[-_‐‑‒–—]?\d{0,4}a?|\\))$`)

// Stream passes on an answer while it is written: what may be the beginning of a placeholder waits for the rest of it.
type Stream struct {
	mask    *Mask
	out     func(string) error
	waiting string
	written strings.Builder
}

// Stream returns a stream to out.
func (m *Mask) Stream(out func(string) error) *Stream { return &Stream{mask: m, out: out} }

// Write takes the next piece of an answer.
func (s *Stream) Write(piece string) error {
	s.waiting += piece
	ready := len(s.waiting)
	if where := unfinished.FindStringIndex(s.waiting); where != nil {
		ready = where[0]
	}
	return s.pass(ready)
}

// Close passes on what is pending, after the last piece.
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
