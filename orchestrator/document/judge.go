package document

import (
	"strings"
	"unicode"
)

// verdict says how far a page's text layer is trusted before its picture is examined.
type verdict int

const (
	trusted    verdict = iota // it is the page's text
	unsure                    // it reads well but may be incomplete: check whether it covers the page's ink
	distrusted                // it is empty or does not read as text
)

// The thresholds were set on the sample notices and on PDFs of eight other projects. Good layers stay far below the
// first three. A layer that crosses one wrongly costs a second of recognition but is not lost, since the better text
// is kept.
const (
	// brokenShare of the characters are unknown or private code points. In fonts without a map to Unicode all
	// characters are; bullets make up less than 1 %.
	brokenShare = 0.05
	// legacyShare of the characters are in fonts that show Indian letters for Latin codes, so that what looks like
	// Hindi is stored as "dk;kZy;".
	legacyShare = 0.10
	// oddShare of the words cannot be words: more than a third in legacy Hindi whose font has an ordinary name, and
	// in bad recognition; at most a tenth in notices.
	oddShare = 0.25
	// fewWords or fewer are too few for that share to mean anything.
	fewWords = 12
	// sparseChars or fewer may be only a stamp, a page number or a footer on a scan.
	sparseChars = 150
	// pictureChars or fewer on top of a picture of half the page may be only a longer stamp, or the text of a
	// signature.
	pictureChars = 1500
	pictureShare = 0.5
	// fewLetters is the least share of letters among letters and digits. With fewer, the words may be drawn and only
	// the figures are text, or it is a genuine table.
	fewLetters = 0.3
	// hiddenShare of the characters are invisible: the layer of an earlier recognition, which may cover only a part.
	hiddenShare = 0.5
)

// judge returns how far the layer, arranged as text, can be trusted as the page's text.
func judge(l *layer, text string) verdict {
	var letters, digits, broken int
	for _, r := range text {
		switch {
		case unicode.IsLetter(r), unicode.IsMark(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		case isBroken(r):
			broken++
		}
	}
	chars := letters + digits
	all, odd := words(text)
	switch {
	case chars == 0,
		float64(broken) > brokenShare*float64(chars+broken),
		float64(l.legacyChars()) > legacyShare*float64(l.chars),
		all >= fewWords && float64(odd) > oddShare*float64(all):
		return distrusted
	case chars <= sparseChars,
		chars <= pictureChars && l.imageShare >= pictureShare,
		float64(letters) < fewLetters*float64(chars),
		float64(l.hidden) > hiddenShare*float64(l.chars):
		return unsure
	}
	return trusted
}

func isBroken(r rune) bool { return r == unicode.ReplacementChar || unicode.Is(unicode.Co, r) }

// legacyFonts are prefixes of the names, in lower case, of fonts that put Indian letters at Latin codes.
var legacyFonts = []string{
	"kruti", "krdv", "devlys", "chanakya", "walkman", "shusha", "shivaji", "aakruti", "akruti", "kundli", "agra",
	"dv-tt", "dvb-tt", "dvbw", "shree-dev", "shreedev", "shree-", "aps-", "krishna", "narad", "amanhindi",
	"bhaskar", "susha", "yogesh", "richa", "gopika", "terafont", "sulekha", "gist-", "bamini", "ml-tt",
}

// legacyChars counts the characters in legacy fonts.
func (l *layer) legacyChars() int {
	n := 0
	for _, f := range l.fonts {
		name := strings.ToLower(f.name)
		if _, rest, ok := strings.Cut(name, "+"); ok {
			name = rest // "ABCDEF+" marks a subset
		}
		for _, legacy := range legacyFonts {
			if strings.HasPrefix(name, legacy) {
				n += f.chars
				break
			}
		}
	}
	return n
}

// words counts the words in Latin letters, and how many of those cannot be words.
func words(text string) (all, odd int) {
	for word := range strings.FieldsSeq(text) {
		if latin, isOdd := inspectWord(word); latin {
			all++
			if isOdd {
				odd++
			}
		}
	}
	return all, odd
}

// sound counts the letters and digits of text that are in plausible words or numbers. It measures which of two
// readings of a page is better.
func sound(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		if _, isOdd := inspectWord(word); isOdd {
			continue
		}
		for _, r := range word {
			if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) {
				n++
			}
		}
	}
	return n
}

// inspectWord reports whether a word is in Latin letters, and whether it cannot be a word: a sign, a capital or a
// digit among small letters, no vowel, or a long run of consonants. Codes in capitals and words in other scripts are
// never odd.
func inspectWord(word string) (latin, odd bool) {
	word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var letters, vowels, small, run, longest int
	var before, last rune
	for _, r := range word {
		isLatin := unicode.Is(unicode.Latin, r)
		if unicode.IsLetter(r) && !isLatin {
			return false, false
		}
		if isLatin {
			letters++
			switch {
			case strings.ContainsRune("aeiouyAEIOUY", r) || r > unicode.MaxASCII:
				vowels++
				run = 0
			default:
				run++
				longest = max(longest, run)
			}
			if unicode.IsLower(r) {
				small++
			} else if unicode.IsLower(last) {
				odd = true // a capital after a small letter
			}
			if unicode.IsLower(r) && unicode.IsLower(before) &&
				(unicode.IsDigit(last) || strings.ContainsRune(oddSigns, last)) {
				odd = true
			}
		} else {
			run = 0
		}
		before, last = last, r
	}
	if letters < 2 {
		return false, false
	}
	if small > letters/2 && (letters >= 3 && vowels == 0 || longest >= 6) {
		odd = true
	}
	return true, odd
}

// oddSigns never occur between two small letters of a word.
const oddSigns = ";=~[]{}\\|^<>¼½¾¶§"
