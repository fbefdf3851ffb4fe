package law

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"munshi/orchestrator/gst/lazyregexp"
)

// Passage is official text with which the digest is compared.
type Passage struct {
	Act, Number string // of a section or rule, without parts; "" for a text that belongs to no single provision
	From, Until string // ISO days between which these words were in force, "" if not limited
	Name        string // the name of the source
	Text        string
}

// Passages returns everything in a library: the versions of each provision with their days, and from every source the
// footnotes, the headings and the words of amendments not merged into the text, which count for all days.
func (l *Library) Passages() ([]Passage, error) {
	files, err := l.parsedSources()
	if err != nil {
		return nil, err
	}
	var all []Passage
	for _, f := range files {
		for _, r := range f.Readings {
			text := []string{r.Heading, r.Omitted}
			for _, n := range r.Notes {
				text = append(text, n.Text)
			}
			all = append(all, Passage{Act: r.Act, Number: r.Number, Name: f.Source.Name,
				Text: strings.Join(text, "\n")},
				// The words themselves serve only to find copies, because they are those of the source's day.
				Passage{Act: r.Act, Number: r.Number, From: cmpOr(f.Source.AsOn, f.Source.Read),
					Until: cmpOr(f.Source.AsOn, f.Source.Read), Name: f.Source.Name, Text: r.Text})
		}
		for _, a := range f.Amendments {
			for _, n := range a.Numbers {
				all = append(all, Passage{Act: a.Act, Number: n, From: a.From, Name: a.By,
					Text: a.Words + " (w.e.f. " + dotted(cmpOr(a.From, a.Date)) + ")"})
			}
		}
	}
	for _, act := range l.Acts {
		for _, head := range act.Provisions {
			p, err := l.Provision(act.Act, head.Number)
			if err != nil {
				return nil, err
			}
			for _, v := range p.Versions {
				name := v.Source
				if v.From != "" {
					name += ", from " + v.From
				}
				all = append(all, Passage{Act: p.Act, Number: p.Number, From: v.From, Until: v.Until, Name: name,
					Text: p.Heading + "\n" + v.Text})
			}
		}
	}
	return all, nil
}

// overlaps reports whether a passage and an entry were in force on a common day.
func (p Passage) overlaps(e *Entry) bool {
	return (p.Until == "" || e.From <= p.Until) && (e.Until == "" || p.From <= e.Until)
}

// runLength is how many consecutive words in common make a copy.
const runLength = 12

// Findings are the results of comparing the digest with the official text.
type Findings struct {
	Copied  Problems // runs of at least runLength words in common
	Foreign Problems // numbers and dates that are not in the text of the provision
	Doubts  Problems // points to check, which are not failures
}

// Failed reports whether the digest has to be corrected.
func (f Findings) Failed() bool { return len(f.Copied)+len(f.Foreign) > 0 }

// Compare compares entries with official text.
func Compare(entries []*Entry, passages []Passage) Findings {
	var f Findings
	runs := newRuns(passages)
	held := map[string][]int{}
	said := make([]quantities, len(passages))
	forms := map[string]bool{}
	for i, p := range passages {
		key := p.Act + ":" + p.Number
		held[key] = append(held[key], i)
		said[i] = readQuantities(unmarked(p.Text), true)
		for _, at := range formName.FindAllStringSubmatchIndex(p.Text, -1) {
			forms[plainForm(p.Text[at[0]:at[1]])] = true
		}
	}
	add := func(list *Problems, e *Entry, format string, args ...any) {
		*list = append(*list, Problem{cmpOr(e.file, e.Act+"/"+e.Chapter+".yaml"), e.line, e.Number,
			fmt.Sprintf(format, args...)})
	}
	for _, e := range entries {
		if run, where := runs.find(e.English); run != "" {
			add(&f.Copied, e, "en has these words in common with %s: %q", where, run)
		}
		text := quantities{}
		for _, i := range held[e.Act+":"+rootOf(e.Number)] {
			if passages[i].overlaps(e) {
				maps.Copy(text, said[i])
			}
		}
		if len(held[e.Act+":"+rootOf(e.Number)]) == 0 {
			add(&f.Doubts, e, "no text of this provision is held to compare with")
			continue
		}
		for _, s := range e.said() {
			foreign, unknownForms := e.foreign(s.text, text, forms)
			for _, number := range foreign {
				what := fmt.Sprintf("%s says %q, which the text of %s for its days does not have", s.field, number,
					rootOf(e.Number))
				if e.Certainty == FromText {
					add(&f.Foreign, e, "%s", what)
				} else {
					add(&f.Doubts, e, "%s (certainty: %s)", what, e.Certainty)
				}
			}
			for _, form := range unknownForms {
				add(&f.Doubts, e, "%s names %s, a form that no text held here names", s.field, form)
			}
		}
		for _, day := range []string{e.From, e.Until} {
			if e.Certainty == FromText && day != "" && !originalDay(day) && !dayIn(day, text) {
				add(&f.Doubts, e, "the day %s is not in the text or footnotes of %s", day, rootOf(e.Number))
			}
		}
	}
	return f
}

type saying struct{ field, text string }

// said returns the parts of an entry that are compared with the text.
func (e *Entry) said() []saying {
	all := []saying{{"en", e.English}, {"hi", e.Hindi}}
	for _, n := range e.Numbers {
		switch v := n.Value.(type) {
		case int:
			all = append(all, saying{"numbers", strconv.Itoa(v)})
		case float64:
			all = append(all, saying{"numbers", plainValue(v)})
		case string:
			all = append(all, saying{"numbers", v})
		}
	}
	return all
}

var (
	provisionName = lazyregexp.New(`(?i)(?:\bsub-)?(?:\b(?:sections?|rules?|ss?\.|clauses?|articles?|chapters?|part)|उप-?धारा(?:ओं|एँ|एं)?|उप-?नियम(?:ों)?|धारा(?:ओं|एँ|एं)?|नियम(?:ों)?|खंड(?:ों)?|खण्ड(?:ों)?|अध्याय)\s*` +
		`(\d{0,3}[A-Z]{0,2}(?:\([0-9A-Za-z]+\))*(?:(?:\s*,\s*|\s+(?:and|or|to|read with|और|या|से|व|तथा)\s+|\s*[-–/]\s*)\d{1,3}[A-Z]{0,2}(?:\([0-9A-Za-z]+\))*(?:\s|[,.;:)—–-]|$))*)`)
	formName     = lazyregexp.New(`\b(?:GST )?(?:GSTR|REG|CMP|DRC|RFD|ASMT|APL|PMT|ITC|TRAN|ENR|EWB|INS|INV|MIS|ADT|CPD|PCT|SPL|TRC|STL|ARA|SRM|STK|UB|IRN)[ -]{0,3}\d{1,2}[A-Z]?\b`)
	partNumber   = lazyregexp.New(`\([0-9A-Za-z]{1,5}\)`)
	issuedNumber = lazyregexp.New(`\b0*(\d{1,3})/(\d{4})\b`)
	rootNumber   = lazyregexp.New(`\d{1,3}[A-Z]{0,2}`)
)

func plainForm(s string) string {
	s = strings.TrimPrefix(s, "GST ")
	letters := strings.TrimRight(s, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	number := strings.TrimLeft(s[len(letters):], "0")
	return strings.Trim(letters, " -") + "-" + number
}

// foreign returns the numbers in said that the text of the provision does not have, and the forms that no text names.
func (e *Entry) foreign(said string, text quantities, forms map[string]bool) (numbers, unknownForms []string) {
	said = formName.ReplaceAllStringFunc(said, func(form string) string {
		if len(forms) > 0 && !forms[plainForm(form)] {
			unknownForms = append(unknownForms, form)
		}
		return " "
	})
	said = provisionName.ReplaceAllStringFunc(said, func(s string) string {
		for _, at := range rootNumber.FindAllStringIndex(partNumber.ReplaceAllString(s, ""), -1) {
			root := partNumber.ReplaceAllString(s, "")[at[0]:at[1]]
			if !e.mayName(root) && text[strings.TrimRight(root, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == "" {
				numbers = append(numbers, strings.TrimSpace(s))
			}
		}
		return " "
	})
	said = issuedNumber.ReplaceAllStringFunc(said, func(s string) string {
		m := issuedNumber.FindStringSubmatch(s)
		if text[m[1]] == "" || text[m[2]] == "" {
			numbers = append(numbers, s)
		}
		return " "
	})
	said = partNumber.ReplaceAllString(said, " ")
	for key, words := range readQuantities(said, false) {
		if _, ok := text[key]; !ok {
			numbers = append(numbers, words)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), unknownForms
}

// mayName reports whether an entry may name a section or rule that its text does not: itself, and those it refers to.
func (e *Entry) mayName(root string) bool {
	if root == rootOf(e.Number) {
		return true
	}
	return slices.ContainsFunc(e.Refers, func(r string) bool {
		_, number := splitReference(e.Act, r)
		return rootOf(number) == root
	})
}

// originalDay reports whether the Acts and Rules as first made came into force on a day.
func originalDay(day string) bool { return day == "2017-06-22" || day == "2017-07-01" }

// dayIn reports whether a text names a day, or the day after it, as it would for the last day of a version.
func dayIn(day string, text quantities) bool {
	return text[dayKey(day, 0)] != "" || text[dayKey(day, 1)] != ""
}

// unmarked returns official text without the marks of amendments, ^1[ and ], which separate its words.
func unmarked(text string) string {
	return bracket.ReplaceAllString(amendmentMark.ReplaceAllString(text, " "), " ")
}

var (
	amendmentMark = lazyregexp.New(`\^\d+(?:\[|\b)|\b\d{1,3} ?\[|\]\d{0,3}`)
	bracket       = lazyregexp.New(`[\[\]*]`)
)

// runs knows every run of runLength words of the official text.
type runs struct {
	seed  maphash.Seed
	where map[uint64]int32
	names []string
}

func newRuns(passages []Passage) *runs {
	r := &runs{seed: maphash.MakeSeed(), where: map[uint64]int32{}}
	for i, p := range passages {
		name := p.Name
		if p.Number != "" {
			name = p.Act + " " + p.Number + " (" + p.Name + ")"
		}
		r.names = append(r.names, name)
		for run := range slices.Values(windows(plainWords(unmarked(p.Text)))) {
			r.where[maphash.String(r.seed, run)] = int32(i)
		}
	}
	return r
}

// find returns the longest run of runLength or more words that a text shares with the official one, and its source.
func (r *runs) find(text string) (run, where string) {
	words := plainWords(text)
	from, best, bestLength := -1, -1, 0
	var bestWhere int32
	for i, window := range windows(words) {
		at, ok := r.where[maphash.String(r.seed, window)]
		if !ok {
			from = -1
			continue
		}
		if from < 0 {
			from = i
		}
		if length := i - from + runLength; length > bestLength {
			best, bestLength, bestWhere = from, length, at
		}
	}
	if best < 0 {
		return "", ""
	}
	return strings.Join(words[best:best+bestLength], " "), r.names[bestWhere]
}

func windows(words []string) []string {
	var all []string
	for i := 0; i+runLength <= len(words); i++ {
		all = append(all, strings.Join(words[i:i+runLength], " "))
	}
	return all
}

// plainWords returns the words of a text in lower case, without punctuation.
func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}
