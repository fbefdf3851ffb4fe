package law

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/gst/lazyregexp"
)

//go:embed synonyms.yaml
var synonymFile []byte

// Index is a search index of the digest. It is safe for concurrent use.
type Index struct {
	entries  []*Entry
	tokens   map[string]int32
	postings [][]posting // by token
	rarity   []float32   // by token
	// By entry: the tokens of its heading, of each of its terms and of each question that it answers.
	terms     [][][]int32
	concepts  *concepts
	byNumber  map[string][]int32  // "cgst:16(4)"
	group     []int32             // by entry: the first entry with its number
	root      []int32             // by entry: the first entry of its section or rule
	spellings map[string]spelling // used only while building the index
	cited     []float32           // by entry: a factor that grows with the number of entries that refer to its section
}

type posting struct {
	entry  int32
	weight float32 // of the token in the entry: all fields together, saturated
}

// Query is a search.
type Query struct {
	Words string
	On    string // ISO day: only law in force then; "" ranks past law below present law
	Today string // ISO day
	Act   string // only this Act or these Rules; "" means all
	Limit int    // number of results; 0 means 10
}

// Hit is a provision that was found.
type Hit struct {
	Act        string  `json:"act"`
	Number     string  `json:"number"`
	Heading    string  `json:"heading"`
	Digest     string  `json:"digest"`
	Text       string  `json:"text"`
	ValidFrom  string  `json:"valid_from"`
	ValidUntil string  `json:"valid_until"`
	Score      float64 `json:"score"`
	Entry      *Entry  `json:"-"`

	at int32 // the entry that was found; the hit may be another version of it
}

// The weights of the fields of an entry, and the influence of their length.
const (
	headingWeight, termsWeight, asksWeight, englishWeight, hindiWeight = 2.2, 2.6, 3.6, 1.0, 0.9
	// A word's sound relative to the word itself.
	soundWeight   = 0.45
	meaningWeight = 0.9
	saturation    = 1.4
	lengthPart    = 0.5
	// For the logarithm of the number of sections and rules that refer to one.
	citedWeight = 0.06
	wholeWeight = 1.06 // of a whole section relative to a part of it
	// The share of its best part's score that is added to a section.
	sharedWeight = 0.15
)

// NewIndex returns a search index of entries.
func NewIndex(entries []*Entry) (*Index, error) {
	concepts, err := readConcepts(synonymFile)
	if err != nil {
		return nil, err
	}
	x := &Index{
		entries:   entries,
		spellings: map[string]spelling{},
		tokens:    map[string]int32{},
		concepts:  concepts,
		byNumber:  map[string][]int32{},
		terms:     make([][][]int32, len(entries)),
	}
	type field struct {
		weight float64
		words  []string
	}
	asks := map[string][]string{} // by Act and number
	for _, e := range entries {
		asks[e.Act+":"+e.Number] = append(asks[e.Act+":"+e.Number], e.Asks...)
	}
	docs := make([][]field, len(entries))
	lengths := map[float64]float64{}
	for i, e := range entries {
		key := e.Act + ":" + e.Number
		x.byNumber[key] = append(x.byNumber[key], int32(i))
		docs[i] = []field{{headingWeight, wordsOf(e.Heading)}, {termsWeight, wordsOf(strings.Join(e.Terms, " ; "))},
			{asksWeight, wordsOf(strings.Join(asks[key], " ; "))},
			{englishWeight, wordsOf(e.English)}, {hindiWeight, wordsOf(e.Hindi)}}
		for _, f := range docs[i] {
			lengths[f.weight] += float64(len(f.words)) / float64(len(entries))
		}
	}
	for i, e := range entries {
		count := map[int32]float64{}
		for _, f := range docs[i] {
			norm := 1 - lengthPart + lengthPart*float64(len(f.words))/max(lengths[f.weight], 1)
			for token, n := range x.tokensOf(f.words) {
				count[x.id(token)] += f.weight * n / norm
			}
		}
		for token, tf := range count {
			x.postings[token] = append(x.postings[token], posting{int32(i), float32(tf / (saturation + tf))})
		}
		for _, phrase := range slices.Concat([]string{e.Heading}, e.Terms, asks[e.Act+":"+e.Number]) {
			var ids []int32
			for token := range x.tokensOf(wordsOf(phrase)) {
				ids = append(ids, x.id(token))
			}
			x.terms[i] = append(x.terms[i], ids)
		}
	}
	x.group, x.root, x.cited = make([]int32, len(entries)), make([]int32, len(entries)), make([]float32, len(entries))
	citing := map[string]map[string]bool{}
	for i, e := range entries {
		x.group[i] = x.byNumber[e.Act+":"+e.Number][0]
		for _, r := range e.Refers {
			act, number := splitReference(e.Act, r)
			root := act + ":" + rootOf(number)
			if citing[root] == nil {
				citing[root] = map[string]bool{}
			}
			citing[root][e.Act+":"+rootOf(e.Number)] = true
		}
	}
	for i, e := range entries {
		x.cited[i] = 1 + citedWeight*float32(math.Log1p(float64(len(citing[e.Act+":"+rootOf(e.Number)]))))
		if !strings.Contains(e.Number, "(") {
			x.cited[i] *= wholeWeight
		}
		x.root[i] = x.group[i]
		if whole := x.byNumber[e.Act+":"+rootOf(e.Number)]; len(whole) > 0 {
			x.root[i] = whole[0]
		}
	}
	x.rarity = make([]float32, len(x.postings))
	for t, p := range x.postings {
		n := float64(len(p))
		x.rarity[t] = float32(math.Log(1 + (float64(len(entries))-n+0.5)/(n+0.5)))
	}
	x.spellings = nil
	return x, nil
}

func (x *Index) id(token string) int32 {
	id, ok := x.tokens[token]
	if !ok {
		id = int32(len(x.postings))
		x.tokens[token] = id
		x.postings = append(x.postings, nil)
	}
	return id
}

// spell returns the stem and sound of a folded word.
func (x *Index) spell(w string) spelling {
	s, ok := x.spellings[w]
	if !ok {
		s = spelling{stem: stem(w)}
		if sound := skeleton(w); sound != "" {
			s.sound = "~" + sound
		}
		x.spellings[w] = s
	}
	return s
}

// tokensOf returns the tokens of folded words and how often each occurs.
func (x *Index) tokensOf(words []string) map[string]float64 {
	count := map[string]float64{}
	for i, w := range words {
		if meaning, _ := x.concepts.at(words, i, func(w string) string { return x.spell(w).stem }); meaning != "" {
			count["="+meaning]++
		}
		if idle[w] {
			continue
		}
		s := x.spell(w)
		count[s.stem]++
		if s.sound != "" {
			count[s.sound]++
		}
	}
	return count
}

// concepts are the synonyms, by the stem of the first word of each phrase.
type concepts struct {
	phrases map[string][]phrase // longest first
}

type phrase struct {
	stems   []string
	meaning string
}

func readConcepts(file []byte) (*concepts, error) {
	var groups [][]string
	if err := yaml.Unmarshal(file, &groups); err != nil {
		return nil, err
	}
	c := &concepts{phrases: map[string][]phrase{}}
	for _, group := range groups {
		for _, p := range group {
			var stems []string
			for _, w := range wordsOf(p) {
				stems = append(stems, stem(w))
			}
			if len(stems) > 0 {
				c.phrases[stems[0]] = append(c.phrases[stems[0]], phrase{stems, strings.ReplaceAll(group[0], " ", "-")})
			}
		}
	}
	for _, list := range c.phrases {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.stems) - len(a.stems) })
	}
	return c, nil
}

// at returns the concept that the words from i on name, and the number of these words.
func (c *concepts) at(words []string, i int, stem func(string) string) (string, int) {
	for _, p := range c.phrases[stem(words[i])] {
		if len(p.stems) > len(words)-i {
			continue
		}
		same := true
		for j := 1; j < len(p.stems) && same; j++ {
			same = stem(words[i+j]) == p.stems[j]
		}
		if same {
			return p.meaning, len(p.stems)
		}
	}
	return "", 0
}

// Search finds provisions, the best first, with at most one version of each.
func (x *Index) Search(q Query) []Hit {
	limit := cmp.Or(q.Limit, 10)
	asked := x.readNumbers(q.Words)
	scores := make([]float32, len(x.entries))
	wanted := x.wanted(asked.rest)
	for _, w := range wanted {
		for _, p := range x.postings[w.token] {
			scores[p.entry] += w.weight * x.rarity[w.token] * p.weight
		}
	}
	x.addTerms(scores, wanted)
	x.addNumbers(scores, asked)
	type found struct {
		entry int32
		score float32
	}
	best := make([]found, len(x.entries)) // by group
	for i := range scores {
		e := x.entries[i]
		s := scores[i]
		if s <= 0 || q.Act != "" && e.Act != q.Act {
			continue
		}
		s *= x.cited[i]
		if asked.act != "" && e.Act != asked.act && strings.TrimSuffix(e.Act, "_rules") != asked.act {
			s *= 0.6
		}
		switch {
		case q.On != "" && !e.holds(q.On):
			continue
		case q.On == "" && q.Today != "" && !e.holds(q.Today):
			s *= 0.8
		}
		if e.Status == Omitted {
			s *= 0.85
		}
		if b := &best[x.group[i]]; s > b.score {
			*b = found{int32(i), s}
		}
	}
	if len(asked.numbers) == 0 {
		parts := make([]float32, len(x.entries)) // by root: the score of its best part
		for i, f := range best {
			if r := x.root[i]; f.score > parts[r] && int(r) != i {
				parts[r] = f.score
			}
		}
		for i := range best {
			if b := &best[i]; b.score > 0 && int(x.root[i]) == i {
				b.score += sharedWeight * parts[i]
			}
		}
	}
	leading := make([]float32, len(best))
	for i, f := range best {
		leading[i] = f.score
	}
	bar := nthLargest(leading, limit)
	all := make([]found, 0, 2*limit)
	for _, f := range best {
		if f.score > 0 && f.score >= bar {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.entry, b.entry))
	})
	hits := make([]Hit, 0, min(limit, len(all)))
	for _, f := range all[:min(limit, len(all))] {
		e := x.entries[f.entry]
		if q.On == "" && q.Today != "" && !e.holds(q.Today) {
			e = x.current(e, q.Today)
		}
		hits = append(hits, Hit{Act: e.Act, Number: e.Number, Heading: x.headingOf(e), Digest: e.English,
			ValidFrom: e.From, ValidUntil: e.Until, Score: math.Round(float64(f.score)*1000) / 1000, Entry: e,
			at: f.entry})
	}
	return hits
}

// current returns the version of an entry that is in force today, if there is one: a person who names no day means
// that.
func (x *Index) current(e *Entry, today string) *Entry {
	for _, i := range x.byNumber[e.Act+":"+e.Number] {
		if x.entries[i].holds(today) {
			return x.entries[i]
		}
	}
	return e
}

// holds reports whether an entry was in force on an ISO day.
func (e *Entry) holds(day string) bool {
	return e.Status != NotCommenced && e.From <= day && (e.Until == "" || day <= e.Until)
}

// headingOf returns the heading of an entry or, if it has none, of its section.
func (x *Index) headingOf(e *Entry) string {
	if e.Heading != "" {
		return e.Heading
	}
	for _, i := range x.byNumber[e.Act+":"+rootOf(e.Number)] {
		return x.entries[i].Heading
	}
	return ""
}

type wantedToken struct {
	token  int32
	weight float32
}

// wanted returns the tokens of a question with their weights.
func (x *Index) wanted(words []string) []wantedToken {
	weights := map[string]float32{}
	meant := make([]bool, len(words))
	for i := range words {
		if meaning, n := x.concepts.at(words, i, stem); n > 0 {
			weights["="+meaning] = max(weights["="+meaning], meaningWeight*float32(min(n, 2)))
			for j := i; j < i+n; j++ {
				meant[j] = true
			}
		}
	}
	for i, w := range words {
		if idle[w] {
			continue
		}
		weight := float32(1)
		if meant[i] {
			weight = 0.5
		}
		s := stem(w)
		if _, known := x.tokens[s]; known {
			weights[s] = max(weights[s], weight)
		}
		if sound := skeleton(w); sound != "" {
			part := float32(soundWeight)
			if _, known := x.tokens[s]; !known {
				part = 0.8
			}
			weights["~"+sound] = max(weights["~"+sound], weight*part)
		}
	}
	var all []wantedToken
	for token, weight := range weights {
		if id, ok := x.tokens[token]; ok {
			all = append(all, wantedToken{id, weight})
		}
	}
	slices.SortFunc(all, func(a, b wantedToken) int { return cmp.Compare(a.token, b.token) })
	return all
}

// addTerms raises entries with a term that covers much of the question and has little else.
func (x *Index) addTerms(scores []float32, wanted []wantedToken) {
	weight := make([]float32, len(x.postings))
	total := float32(0)
	for _, w := range wanted {
		weight[w.token] = w.weight * x.rarity[w.token]
		total += weight[w.token]
	}
	if total == 0 {
		return
	}
	// Only entries that already lead: the others cannot reach the top.
	bar := nthLargest(scores, 60)
	for i, s := range scores {
		if s <= 0 || s < bar {
			continue
		}
		best := float32(0)
		for _, term := range x.terms[i] {
			common, size := float32(0), float32(0)
			for _, t := range term {
				common += weight[t]
				size += x.rarity[t]
			}
			if common == 0 {
				continue
			}
			best = max(best, common/total*(common/(common+0.35*size)))
		}
		scores[i] += total * best * 0.9
	}
}

// nthLargest returns the n-th largest positive score, 0 if there are fewer.
func nthLargest(scores []float32, n int) float32 {
	top := make([]float32, 0, n) // ascending
	for _, s := range scores {
		if s <= 0 || len(top) == n && s <= top[0] {
			continue
		}
		at, _ := slices.BinarySearch(top, s)
		if len(top) < n {
			top = slices.Insert(top, at, s)
			continue
		}
		copy(top, top[1:at])
		top[at-1] = s
	}
	if len(top) < n {
		return 0
	}
	return top[0]
}

// asked is what a question names by number.
type asked struct {
	act     string // "cgst" if an Act is named
	unit    string // "section" or "rule" if stated
	numbers []string
	rest    []string // folded words that are not numbers
}

var (
	numberAsked = lazyregexp.New(`(?i)(?:\b(sections?|sec\.?|u/s\.?|ss?\.|dhara|rules?|r\.|niyam|article)\s*|(धारा|नियम)\s*)?\b(\d{1,3}[A-Z]{0,3})((?:\s*\(\s*[0-9A-Za-z]{1,5}\s*\))*)`)
	counts      = lazyregexp.New(`(?i)^\s*(?:%|per\s?cent|percent|days?\b|months?\b|years?\b|lakhs?\b|crores?\b|rupees|rs\b|km\b|hours?\b|din\b|saal\b|mahine|दिन|महीने|साल|लाख|करोड़|प्रतिशत|रुपये|घंटे|किमी)`)
	actsAsked   = lazyregexp.New(`(?i)\b(cgst|igst|utgst|cess|sgst)\b|आईजीएसटी|सीजीएसटी`)
	formAsked   = lazyregexp.New(`(?i)\b(gstr|reg|cmp|drc|rfd|asmt|apl|pmt|itc|tran|enr|ewb|ins|inv|mis|adt|pct|spl)\s?-?\s?(\d{1,2}[a-z]?)\b`)
)

// readNumbers finds the provisions that a question names: "sec 16 (4)", "rule 36(4)", "धारा 16", "igst 12". A number
// that is not called a section, such as the 180 of "180 days" or the 2B of a statement, is treated as an ordinary
// word.
func (x *Index) readNumbers(question string) asked {
	var a asked
	text := question
	numbers := strings.ContainsAny(question, "0123456789")
	if numbers {
		text = formAsked.ReplaceAllStringFunc(question, func(s string) string { // the 3B of GSTR-3B is not a provision
			m := formAsked.FindStringSubmatch(s)
			return " " + m[1] + "\u2063" + m[2] + " " // kept apart from numbers; see below
		})
	}
	if m := actsAsked.FindStringSubmatch(text); m != nil {
		switch l := strings.ToLower(m[0]); {
		case strings.Contains(l, "igst") || strings.Contains(l, "आईजीएसटी"):
			a.act = "igst"
		case l == "utgst" || l == "cess":
			a.act = l
		case strings.Contains(l, "cgst") || strings.Contains(l, "सीजीएसटी"):
			a.act = "cgst"
		}
	}
	if !numbers {
		a.rest = wordsOf(text)
		return a
	}
	bareWords := len(strings.Fields(actsAsked.ReplaceAllString(text, " ")))
	var rest strings.Builder
	last := 0
	for _, m := range numberAsked.FindAllStringSubmatchIndex(text, -1) {
		if m[6] > 0 && strings.HasSuffix(text[:m[6]], "\u2063") || counts.MatchString(text[m[1]:]) {
			continue
		}
		unit := ""
		if m[2] >= 0 {
			unit = strings.ToLower(text[m[2]:m[3]])
		} else if m[4] >= 0 {
			unit = text[m[4]:m[5]]
		}
		number := strings.ToUpper(text[m[6]:m[7]])
		parts := strings.Join(strings.Fields(text[m[8]:m[9]]), "")
		named := unit != "" || parts != "" || bareWords == 1 ||
			strings.TrimLeft(number, "0123456789") != "" && x.has(number)
		if !named {
			continue
		}
		switch unit {
		case "rule", "rules", "r.", "niyam", "नियम":
			a.unit = "rule"
		case "":
		default:
			a.unit = "section"
		}
		a.numbers = append(a.numbers, number+parts)
		rest.WriteString(text[last:m[0]] + " ")
		last = m[1]
	}
	rest.WriteString(text[last:])
	a.rest = wordsOf(strings.ReplaceAll(rest.String(), "\u2063", " "))
	if len(a.numbers) > 0 {
		a.rest = slices.DeleteFunc(a.rest, func(w string) bool {
			return w == "cgst" || w == "igst" || w == "utgst" || w == "act" || w == "rules"
		})
	}
	return a
}

// has reports whether any Act has a section or rule with a number.
func (x *Index) has(number string) bool {
	return slices.ContainsFunc(Acts(), func(a Act) bool { return len(x.byNumber[a.ID+":"+number]) > 0 })
}

// addNumbers raises the provisions that are named, then their parts, then the sections that they are part of.
func (x *Index) addNumbers(scores []float32, a asked) {
	exact, part, whole, refers := float32(60), float32(42), float32(30), float32(0)
	if a.content() >= 2 { // then the other words decide among these provisions
		exact, part, whole, refers = 16, 14, 10, 6
	}
	for _, number := range a.numbers {
		for i, e := range x.entries {
			fits := a.fits(e)
			add := float32(0)
			switch {
			case !fits:
				continue
			case strings.EqualFold(e.Number, number):
				add = exact
			case len(e.Number) > len(number) && strings.EqualFold(e.Number[:len(number)], number) &&
				e.Number[len(number)] == '(':
				add = part
			case len(number) > len(e.Number) && strings.EqualFold(number[:len(e.Number)], e.Number) &&
				number[len(e.Number)] == '(':
				add = whole + float32(strings.Count(e.Number, "("))
			case refers > 0 && slices.ContainsFunc(e.Refers, func(r string) bool {
				_, n := splitReference(e.Act, r)
				return n == number
			}):
				add = refers
			default:
				continue
			}
			if e.Act != "cgst" && e.Act != "cgst_rules" && a.act == "" || e.Act == "cgst_rules" && a.unit == "" {
				add *= 0.7
			}
			scores[i] += add
		}
	}
}

// content counts the meaningful words of a question that are not numbers.
func (a asked) content() int {
	n := 0
	for _, w := range a.rest {
		if !idle[w] {
			n++
		}
	}
	return n
}

// fits reports whether a question that names a number can mean an entry, by its Act and unit.
func (a asked) fits(e *Entry) bool {
	rules := strings.HasSuffix(e.Act, "_rules")
	switch {
	case a.unit == "rule" && !rules, a.unit == "section" && rules:
		return false
	case a.act != "" && strings.TrimSuffix(e.Act, "_rules") != a.act:
		return false
	}
	return true
}
