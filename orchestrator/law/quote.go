package law

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quoted is what the text held here says of words that somebody gives as those of a provision.
type Quoted struct {
	Verdict     QuoteVerdict
	Act, Number string // where the words stand, or were said to stand
	From, Until string // ISO days of the text in which they stand; "" where it has no such end
	Reads       string // where they differ, what stands there instead

	part string // the smallest numbered part around them
}

// QuoteVerdict is how words stand to the text of the law.
type QuoteVerdict string

// The verdicts on a quotation.
const (
	QuoteHolds     QuoteVerdict = "quoted"      // the provision reads so on the day
	QuoteElsewhere QuoteVerdict = "elsewhere"   // another part or provision reads so on the day
	QuoteOtherDay  QuoteVerdict = "other_day"   // the provision read so on other days
	QuoteDiffers   QuoteVerdict = "differs"     // the provision reads much like it, and otherwise
	QuoteAbsent    QuoteVerdict = "not_in_text" // the provision has nothing like it
	QuoteNotHeld   QuoteVerdict = "not_held"    // the text is not held here, so that nothing could be compared
)

// Quotes checks quotations of one text against the law as it stood on a day. It keeps what it reads, and is for one
// goroutine.
type Quotes struct {
	law     *Law
	library *Library // nil: nothing was imported
	on      string
	known   map[*Version]*plainText
	aligned int
}

// NewQuotes begins to check the quotations of a text, as on an ISO day, "" for today.
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

// Check compares words with the provisions to which they may belong, the likeliest first; of the others only the very
// words count. Spaces, quotation marks and the signs of Markdown make no difference, "…" stands for words that are left
// out, and the first letter may be small or capital. The verdict is "" without a provision, and where the words around
// "…" stand in the provision but are too few, or from parts too far from each other, to call them its words.
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
	if !held || mostlyDevanagari(words) { // the text is held in English
		return Quoted{Verdict: QuoteNotHeld, Act: first.Act, Number: first.Number}
	}
	if reads := q.nearest(first, said); reads != "" {
		return Quoted{Verdict: QuoteDiffers, Act: first.Act, Number: first.Number, Reads: reads}
	}
	return Quoted{Verdict: QuoteAbsent, Act: first.Act, Number: first.Number}
}

// provision returns the section or rule of a citation; nil where it is not held.
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

// fewestInPiece is how many words each piece of a quotation with "…" must have: single words stand in any provision.
const fewestInPiece = 4

// quotable reports whether the pieces are long enough to show that they are a provision's words.
func quotable(said [][]string) bool {
	return len(said) == 1 ||
		!slices.ContainsFunc(said, func(piece []string) bool { return wordsIn(piece) < fewestInPiece })
}

// wordsIn counts the words of a piece without its signs.
func wordsIn(piece []string) int {
	n := 0
	for _, w := range piece {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// scattered reports whether the pieces of a quotation with "…" stand one after the other in a provision without being a
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

// holds reports whether a version has the words, and whether in the part that is cited. Where words are left out, one
// sub-section or clause has to have all of them.
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

// inOnePart finds pieces that stand in their order in one part of a version, the smallest that has them.
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

// within reports whether a part is another one or lies in it.
func within(part, whole string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(part), strings.ToLower(whole))
	return ok && (rest == "" || rest[0] == '(' || rest[0] == ' ')
}

// smallestPart names the smallest numbered part around a stretch of a version's text, leaving provisos and explanations
// to the part to which they belong.
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

// otherDay looks for the words in the other versions of a provision, the latest first.
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
	if now != nil && !now.doubtAbout(best.part).IsZero() { // perhaps it has them too
		return Quoted{Verdict: QuoteNotHeld, Act: c.Act, Number: c.Number}, true
	}
	best.Verdict = QuoteOtherDay
	return best, true
}

// A quotation is told to differ where so much of its words stand in their order in the text.
const alike = 0.6

// Comparing words one by one takes long, so only so many quotations of a text are compared, and none that is longer.
const (
	mostAligned = 40
	longestSaid = 400 // words
)

// nearest returns what of a provision is most like the words, "" for nothing.
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

// plainText is a text as its words and signs, without what does not count in a quotation.
type plainText struct {
	text   string
	joined string // each word between two zero bytes
	at     []int  // where in joined a word begins
	words  []string
	spans  [][2]int // of the words in the text
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

// find looks for pieces one after the other within a stretch of the text, and returns where the first begins and the
// last ends.
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

// index returns the number of the word with which a piece begins, at or behind a word; -1 where it does not stand
// there.
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

// firstLetters returns a word with a small and with a capital letter.
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

// nearest returns the stretch of the text from which the fewest words have to be changed, put in or left out to get
// those that are said; "" where these are too many.
func (p *plainText) nearest(said []string) string {
	cost, next := make([]int, len(said)+1), make([]int, len(said)+1)
	// the word of the text with which the stretch begins
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

// piecesOf returns the words of a quotation, in pieces where it leaves some out, without a stop at the end of a piece,
// which may be the writer's.
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

// quoteWords splits a text into words and signs, and returns where each stands. Quotation marks, emphasis and spaces
// are left out, and dashes are one.
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
			if n := len(words); n == 0 || words[n-1] != "-" || spans[n-1][1] != at { // several are one
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

// Letters counts the letters and signs of a text in Devanagari and in Latin.
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
