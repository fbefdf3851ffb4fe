package law

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quoted is the result of checking words that are presented as those of a provision.
type Quoted struct {
	Verdict     QuoteVerdict
	Act, Number string // the provision that has the words, or that was said to have them
	From, Until string // ISO days of the version with the words; "" if not limited
	Reads       string // if the words differ, what the provision says instead

	part string // the smallest numbered part that contains them
}

// QuoteVerdict says whether words are in the text of the law.
type QuoteVerdict string

// The verdicts on a quotation.
const (
	QuoteHolds     QuoteVerdict = "quoted"      // the provision has the words on the day
	QuoteElsewhere QuoteVerdict = "elsewhere"   // another part or provision has them on the day
	QuoteOtherDay  QuoteVerdict = "other_day"   // the provision had them on other days
	QuoteDiffers   QuoteVerdict = "differs"     // the provision is similar but differs
	QuoteAbsent    QuoteVerdict = "not_in_text" // the provision has nothing similar
	QuoteNotHeld   QuoteVerdict = "not_held"    // the text is not held here, so nothing could be compared
)

// Quotes checks the quotations in one text against the law as on a day. It caches what it reads and must be used by
// one goroutine only.
type Quotes struct {
	law     *Law
	library *Library // nil: nothing was imported
	on      string
	known   map[*Version]*plainText
	aligned int
}

// NewQuotes returns a checker for the quotations in a text, as on an ISO day ("" for today).
func NewQuotes(l *Law, on string) *Quotes {
	if on == "" {
		on = l.Today()
	}
	library, err := l.Library()
	if err != nil {
		library = nil
	}
	return &Quotes{law: l, library: library, on: on, known: map[*Version]*plainText{}}
}

// Check compares words with the provisions to which they may belong, the likeliest first; for others only an exact
// match counts. Spaces, quotation marks, Markdown and the case of the first letter are ignored, and "…" stands for
// omitted words. The verdict is "" without a provision, and if the pieces around "…" occur in the provision but are
// too short, or from parts too far apart, to be a quotation.
func (q *Quotes) Check(words string, likeliest []Cited, others []Cited) Quoted {
	said := piecesOf(words)
	if len(said) == 0 {
		return Quoted{}
	}
	held := false
	for i, c := range likeliest {
		p := q.provision(c)
		if p == nil {
			continue
		}
		held = held || i == 0
		if v := p.At(q.on); v != nil {
			if found, ok := q.holds(v, c, said); ok {
				return found
			}
			if !v.doubtAbout(partName(c.Number)).IsZero() {
				return Quoted{Verdict: QuoteNotHeld, Act: c.Act, Number: c.Number}
			}
		}
	}
	if held && q.scattered(likeliest[0], said) {
		return Quoted{}
	}
	for _, c := range likeliest {
		if found, ok := q.otherDay(c, said); ok {
			return found
		}
	}
	for _, c := range others {
		if p := q.provision(c); p != nil {
			if v := p.At(q.on); v != nil {
				if found, ok := q.holds(v, c, said); ok {
					if len(likeliest) > 0 {
						found.Verdict = QuoteElsewhere
					}
					return found
				}
			}
		}
	}
	if len(likeliest) == 0 {
		return Quoted{}
	}
	first := likeliest[0]
	if !held || mostlyDevanagari(words) { // the text held is in English
		return Quoted{Verdict: QuoteNotHeld, Act: first.Act, Number: first.Number}
	}
	if reads := q.nearest(first, said); reads != "" {
		return Quoted{Verdict: QuoteDiffers, Act: first.Act, Number: first.Number, Reads: reads}
	}
	return Quoted{Verdict: QuoteAbsent, Act: first.Act, Number: first.Number}
}

// provision returns the section or rule of a citation, nil if it is not held.
func (q *Quotes) provision(c Cited) *Provision {
	if q.library == nil || c.Act == "" {
		return nil
	}
	p, err := q.law.provision(q.library, c.Act, c.Number)
	if err != nil {
		return nil
	}
	return p
}

// fewestInPiece is the number of words that each piece of a quotation with "…" must have, because single words occur
// in any provision.
const fewestInPiece = 4

// quotable reports whether the pieces are long enough to be recognised as a provision's words.
func quotable(said [][]string) bool {
	return len(said) == 1 ||
		!slices.ContainsFunc(said, func(piece []string) bool { return wordsIn(piece) < fewestInPiece })
}

// wordsIn counts the words of a piece without punctuation.
func wordsIn(piece []string) int {
	n := 0
	for _, w := range piece {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// scattered reports whether the pieces of a quotation with "…" occur in order in a provision without being a
// quotation of it.
func (q *Quotes) scattered(c Cited, said [][]string) bool {
	if len(said) == 1 {
		return false
	}
	v := q.provision(c).At(q.on)
	if v == nil {
		return false
	}
	_, _, ok := q.text(v).find(said, 0, len(v.Text))
	return ok
}

// holds reports whether a version has the words, and whether in the cited part. If words are omitted, one sub-section
// or clause must have all pieces.
func (q *Quotes) holds(v *Version, c Cited, said [][]string) (Quoted, bool) {
	if !quotable(said) {
		return Quoted{}, false
	}
	found := Quoted{Verdict: QuoteHolds, Act: c.Act, Number: c.Number, From: v.From, Until: v.Until}
	text := q.text(v)
	name := partName(c.Number)
	divided := len(said) > 1 && slices.ContainsFunc(v.Parts, func(p Part) bool { return p.Kind == "part" })
	if i := slices.IndexFunc(v.Parts, func(p Part) bool {
		return strings.EqualFold(p.Number, name) && !(divided && (p.Kind == "section" || p.Kind == "rule"))
	}); i >= 0 {
		if start, end, ok := text.find(said, v.Parts[i].Start, v.Parts[i].End); ok {
			found.part = smallestPart(v, start, end)
			return found, true
		}
	}
	start, end, ok := text.find(said, 0, len(v.Text))
	if ok && divided {
		start, end, ok = inOnePart(v, text, said)
	}
	if !ok {
		return Quoted{}, false
	}
	found.part = smallestPart(v, start, end)
	if at := found.part; at != "" && !within(at, name) && !within(name, at) {
		found.Verdict, found.Number = QuoteElsewhere, at
	}
	return found, true
}

// inOnePart finds the smallest part of a version that has the pieces in order, and where they begin and end.
func inOnePart(v *Version, text *plainText, said [][]string) (start, end int, ok bool) {
	size := len(v.Text) + 1
	for _, p := range v.Parts {
		if p.Kind == "section" || p.Kind == "rule" || p.End-p.Start >= size {
			continue
		}
		if from, to, found := text.find(said, p.Start, p.End); found {
			start, end, ok, size = from, to, true, p.End-p.Start
		}
	}
	return start, end, ok
}

// within reports whether a part equals another or is within it.
func within(part, whole string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(part), strings.ToLower(whole))
	return ok && (rest == "" || rest[0] == '(' || rest[0] == ' ')
}

// smallestPart returns the number of the smallest numbered part around a stretch of a version's text. Provisos and
// explanations count as the part to which they belong.
func smallestPart(v *Version, start, end int) string {
	name, size := "", len(v.Text)+1
	for _, p := range v.Parts {
		if p.Start <= start && end <= p.End && p.End-p.Start < size {
			name, _, _ = strings.Cut(p.Number, " ")
			size = p.End - p.Start
		}
	}
	return name
}

// otherDay searches for the words in the other versions of a provision, the latest first.
func (q *Quotes) otherDay(c Cited, said [][]string) (Quoted, bool) {
	p := q.provision(c)
	if p == nil {
		return Quoted{}, false
	}
	now := p.At(q.on)
	var best Quoted
	for i := len(p.Versions) - 1; i >= 0; i-- {
		v := &p.Versions[i]
		if v == now {
			continue
		}
		found, ok := q.holds(v, c, said)
		if !ok {
			if best.Act != "" {
				break // the words came with the version after this one
			}
			continue
		}
		if best.Act == "" {
			best = found
		}
		best.From = found.From
	}
	if best.Act == "" {
		return best, false
	}
	if now != nil && !now.doubtAbout(best.part).IsZero() { // it may have them too
		return Quoted{Verdict: QuoteNotHeld, Act: c.Act, Number: c.Number}, true
	}
	best.Verdict = QuoteOtherDay
	return best, true
}

// alike is the share of the words that must occur in order in the text for a quotation to count as differing.
const alike = 0.6

// Limits, because comparing word by word is slow: the number of quotations of a text that are compared, and the
// length of one.
const (
	mostAligned = 40
	longestSaid = 400 // words
)

// nearest returns the part of a provision that is most similar to the words, "" for none.
func (q *Quotes) nearest(c Cited, said [][]string) string {
	p := q.provision(c)
	v := p.At(q.on)
	if v == nil && len(p.Versions) > 0 {
		v = &p.Versions[len(p.Versions)-1]
	}
	all := slices.Concat(said...)
	if v == nil || v.Text == "" || len(all) > longestSaid || q.aligned >= mostAligned {
		return ""
	}
	q.aligned++
	return q.text(v).nearest(all)
}

func (q *Quotes) text(v *Version) *plainText {
	if q.known[v] == nil {
		q.known[v] = plain(v.Text)
	}
	return q.known[v]
}

// plainText is a text split into words and signs, without what quotations may change.
type plainText struct {
	text   string
	joined string // each word between two zero bytes
	at     []int  // the offset of each word in joined
	words  []string
	spans  [][2]int // the positions of the words in text
}

func plain(text string) *plainText {
	p := &plainText{text: text}
	p.words, p.spans = quoteWords(text)
	var b strings.Builder
	b.WriteByte(0)
	for _, w := range p.words {
		p.at = append(p.at, b.Len())
		b.WriteString(w)
		b.WriteByte(0)
	}
	p.joined = b.String()
	return p
}

// find searches for the pieces in order within a stretch of the text, and returns where the first begins and the last
// ends.
func (p *plainText) find(pieces [][]string, from, until int) (start, end int, ok bool) {
	first, _ := slices.BinarySearchFunc(p.spans, from, func(s [2]int, at int) int { return s[0] - at })
	for i, piece := range pieces {
		n := p.index(piece, first)
		if n < 0 || p.spans[n+len(piece)-1][1] > until {
			return 0, 0, false
		}
		if i == 0 {
			start = p.spans[n][0]
		}
		first = n + len(piece)
		end = p.spans[first-1][1]
	}
	return start, end, true
}

// index returns the number of the first word of a piece that begins at word from or later, or -1.
func (p *plainText) index(piece []string, from int) int {
	if from >= len(p.words) {
		return -1
	}
	best := -1
	for _, head := range firstLetters(piece[0]) {
		looked := "\x00" + head + "\x00" + strings.Join(piece[1:], "\x00")
		if len(piece) > 1 {
			looked += "\x00"
		}
		if i := strings.Index(p.joined[p.at[from]-1:], looked); i >= 0 {
			n, _ := slices.BinarySearch(p.at, p.at[from]+i)
			if best < 0 || n < best {
				best = n
			}
		}
	}
	return best
}

// firstLetters returns a word with a small and with a capital first letter.
func firstLetters(word string) []string {
	r, size := utf8.DecodeRuneInString(word)
	other := unicode.ToUpper(r)
	if other == r {
		other = unicode.ToLower(r)
	}
	if other == r {
		return []string{word}
	}
	return []string{word, string(other) + word[size:]}
}

// nearest returns the stretch of the text from which the fewest words must be changed, added or removed to obtain
// said; "" if these are too many.
func (p *plainText) nearest(said []string) string {
	cost, next := make([]int, len(said)+1), make([]int, len(said)+1)
	// The words of the text with which the stretches begin.
	from, nextFrom := make([]int, len(said)+1), make([]int, len(said)+1)
	for i := range cost {
		cost[i] = i
	}
	least, start, end := len(said), 0, 0
	for j, word := range p.words {
		next[0], nextFrom[0] = 0, j+1
		for i, s := range said {
			change := cost[i]
			if s != word {
				change++
			}
			next[i+1], nextFrom[i+1] = change, from[i]
			if next[i]+1 < next[i+1] {
				next[i+1], nextFrom[i+1] = next[i]+1, nextFrom[i]
			}
			if cost[i+1]+1 < next[i+1] {
				next[i+1], nextFrom[i+1] = cost[i+1]+1, from[i+1]
			}
		}
		cost, next = next, cost
		from, nextFrom = nextFrom, from
		if cost[len(said)] < least {
			least, start, end = cost[len(said)], from[len(said)], j
		}
	}
	if float64(least) > (1-alike)*float64(len(said)) || start > end {
		return ""
	}
	return strings.Join(strings.Fields(p.text[p.spans[start][0]:p.spans[end][1]]), " ")
}

// piecesOf returns the words of a quotation, split where it omits words. Punctuation at the ends of a piece is
// dropped, because it may be the writer's.
func piecesOf(words string) [][]string {
	var pieces [][]string
	for part := range strings.SplitSeq(strings.NewReplacer("[...]", "…", "[…]", "…", "(...)", "…", "....", "…", "...",
		"…", "* * *", "…", "***", "…").Replace(words), "…") {
		piece, _ := quoteWords(part)
		for len(piece) > 0 && strings.Contains(".,;:-", piece[len(piece)-1]) {
			piece = piece[:len(piece)-1]
		}
		for len(piece) > 0 && strings.Contains(".,;:-", piece[0]) {
			piece = piece[1:]
		}
		if len(piece) > 0 {
			pieces = append(pieces, piece)
		}
	}
	return pieces
}

// quoteWords splits a text into words and signs, with their positions. Quotation marks, emphasis and spaces are left
// out, and all dashes become the same sign.
func quoteWords(text string) (words []string, spans [][2]int) {
	begun := -1
	close := func(at int) {
		if begun >= 0 {
			words, spans = append(words, text[begun:at]), append(spans, [2]int{begun, at})
			begun = -1
		}
	}
	for at, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			if begun < 0 {
				begun = at
			}
			continue
		}
		close(at)
		switch {
		case unicode.IsSpace(r), strings.ContainsRune("“”„\"‘’'`´*_\\\u200b\u200c\u200d\ufeff\u00ad", r):
		case strings.ContainsRune("-‐‑‒–—−", r):
			if n := len(words); n == 0 || words[n-1] != "-" || spans[n-1][1] != at { // several dashes become one
				words, spans = append(words, "-"), append(spans, [2]int{at, at + utf8.RuneLen(r)})
			} else {
				spans[n-1][1] = at + utf8.RuneLen(r)
			}
		default:
			words, spans = append(words, string(r)), append(spans, [2]int{at, at + utf8.RuneLen(r)})
		}
	}
	close(len(text))
	return words, spans
}

func mostlyDevanagari(text string) bool {
	devanagari, latin := Letters(text)
	return devanagari > latin
}

// Letters counts the letters and vowel signs of a text in Devanagari and in Latin script.
func Letters(text string) (devanagari, latin int) {
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Devanagari, r):
			devanagari++
		case unicode.Is(unicode.Latin, r):
			latin++
		}
	}
	return devanagari, latin
}
