package practice

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
)

// paperOf returns the details by which a paper is filed: its facts, its own reference numbers and those that it
// mentions, and a sketch of its words.
func paperOf(f gst.Facts, pages []turns.Page) store.PaperFacts {
	at := stepOf(f)
	p := store.PaperFacts{Form: f.Form, Track: at.track, Stage: at.stage, Issued: f.IssueDate, Years: []string{},
		Issues: append([]string{}, f.Issues...), Name: nameIn(f), NameKey: nameKey(nameIn(f)), Officer: officerOf(f),
		IsNotice: f.IsNotice == nil ||
			f.IsNotice.Answer != "no", GSTINValid: f.GSTINValid != nil && *f.GSTINValid}
	if f.GSTIN != nil {
		p.GSTIN = f.GSTIN
		if pan := panOf(*f.GSTIN); pan != "" {
			p.PAN = &pan
		}
	}
	for _, period := range f.Periods {
		p.Years = append(p.Years, period.FY)
	}
	if f.Demand != nil && f.Demand.Total != nil {
		paise := int64(math.Round(*f.Demand.Total * 100))
		p.DemandPaise = &paise
	}
	for _, own := range []*string{f.Reference, f.DIN} {
		if own != nil {
			if n := numberKey(*own); len(n) >= shortestOwn && !slices.Contains(p.Own, n) {
				p.Own = append(p.Own, n)
			}
		}
	}
	p.Cited = slices.DeleteFunc(numbersIn(pages), func(n string) bool { return slices.Contains(p.Own, n) })
	p.Sketch = sketchOf(pages)
	return p
}

func nameIn(f gst.Facts) string {
	for _, name := range []*string{f.LegalName, f.TradeName} {
		if name != nil && *name != "" {
			return *name
		}
	}
	return ""
}

func officerOf(f gst.Facts) *string {
	for _, word := range []*string{f.Officer.Jurisdiction, f.Officer.Designation, f.Officer.Name} {
		if word != nil && *word != "" {
			return word
		}
	}
	return nil
}

var panShape = lazyregexp.New(`^[A-Z]{5}[0-9]{4}[A-Z]$`)

// panOf returns the PAN in a GSTIN, or "", since some numbers contain no PAN.
func panOf(gstin string) string {
	if len(gstin) != 15 || !panShape.MatchString(gstin[2:12]) {
		return ""
	}
	return gstin[2:12]
}

// nameKey returns a name in the normal form used to compare names.
func nameKey(name string) string {
	name = strings.ToUpper(norm.NFKC.String(name))
	for long, short := range map[string]string{"PRIVATE": "PVT", "LIMITED": "LTD", " AND ": " ", "COMPANY": "CO"} {
		name = strings.ReplaceAll(name, long, short)
	}
	name = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "M/S."), "M/S"), "MESSRS")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) {
			return r
		}
		return -1
	}, name)
}

// The minimum length of reference numbers: official ones have fifteen or twenty characters, those of an office's own
// files fewer.
const (
	shortestOwn   = 6
	shortestCited = 8
	mostCited     = 120
)

// lookalikes turns letters into the digits that they resemble, so that numbers are equal even if text recognition has
// confused them.
var lookalikes = strings.NewReplacer("O", "0", "Q", "0", "D", "0", "I", "1", "L", "1", "Z", "2", "S", "5", "B", "8",
	"G", "6")

// numberKey returns a number in the normal form used to compare numbers: only letters and digits, with look-alikes as
// digits.
func numberKey(number string) string {
	return lookalikes.Replace(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, strings.ToUpper(number)))
}

var (
	numberShape = lazyregexp.New(`[A-Za-z0-9](?:[A-Za-z0-9]|[/.\-](?:[A-Za-z0-9]))*[A-Za-z0-9]`)
	gstinShape  = lazyregexp.New(`^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]{3}$`)
	dateShape   = lazyregexp.New(`^\d{1,4}[/.\-]\d{1,2}[/.\-]\d{1,4}$|^\d{4}-\d{2}$`)
)

// numbersIn returns the possible reference numbers in a text, in order and without repetitions: words of letters and
// digits that are long enough, have enough digits, and are no GSTIN, date or amount.
func numbersIn(pages []turns.Page) []string {
	found := []string{}
	for _, page := range pages {
		for _, word := range numberShape.FindAllString(page.Text, -1) {
			if len(word) < shortestCited || len(word) > 60 || gstinShape.MatchString(strings.ToUpper(word)) ||
				dateShape.MatchString(word) {
				continue
			}
			digits := 0
			letters := strings.IndexFunc(word, func(r rune) bool {
				return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '/'
			})
			for _, r := range word {
				if r >= '0' && r <= '9' {
					digits++
				}
			}
			if digits < 4 || letters < 0 && digits < 12 {
				continue
			}
			if key := numberKey(word); len(key) >= shortestCited && !slices.Contains(found, key) {
				if found = append(found, key); len(found) == mostCited {
					return found
				}
			}
		}
	}
	return found
}

// sketchSize is how many hashes a sketch has at most. A sketch is the smallest hashes of a text's words: two papers
// share about the same proportion of their sketches as of their words (bottom-k MinHash).
const sketchSize = 96

// sketchOf returns the sketch of a text. It uses words of at least four characters in the normal form of numbers, so
// that another scan of the same paper has nearly the same sketch.
func sketchOf(pages []turns.Page) []int64 {
	hashes := map[int64]bool{}
	for _, page := range pages {
		for _, word := range strings.FieldsFunc(strings.ToUpper(page.Text), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r)
		}) {
			if len(word) < 4 {
				continue
			}
			h := fnv.New64a()
			_, _ = h.Write([]byte(lookalikes.Replace(word))) // writing to a hash never fails
			hashes[int64(h.Sum64()>>1)] = true
		}
	}
	sketch := make([]int64, 0, len(hashes))
	for h := range hashes {
		sketch = append(sketch, h)
	}
	slices.Sort(sketch)
	return sketch[:min(len(sketch), sketchSize)]
}

// alike estimates from their sketches which proportion of their words two papers share, from 0 to 1.
func alike(a, b []int64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	// Go through the smallest hashes of both together, and count those that both have.
	i, j, shared, seen := 0, 0, 0, 0
	for seen < sketchSize && (i < len(a) || j < len(b)) {
		seen++
		switch {
		case j == len(b) || i < len(a) && cmp.Less(a[i], b[j]):
			i++
		case i == len(a) || cmp.Less(b[j], a[i]):
			j++
		default:
			shared++
			i, j = i+1, j+1
		}
	}
	return float64(shared) / float64(seen)
}
