package document

import (
	"strings"
	"unicode"
)

// verdict is what is thought of a page's text layer before its picture is looked at.
type verdict int

const (
	trusted    verdict = iota // it is the page's text
	unsure                    // it reads well, but may not be all: see whether it accounts for the page's ink
	distrusted                // it is empty or does not read as text
)

// The thresholds were set on the sample notices and on PDFs of eight other
// projects: good layers stay far below the first three, and whoever crosses one
// wrongly loses a second of recognition, not the layer: the better text wins.
const (
	// brokenShare of the characters are unknown or private code points. Fonts
	// without a map to Unicode give all of their text so; bullets are below 1 %.
	brokenShare = 0.05
	// legacyShare of the characters are in fonts that show Indian letters for
	// Latin codes, so that what looks like Hindi is stored as "dk;kZy;".
	legacyShare = 0.10
	// oddShare of the words cannot be words: above a third in legacy Hindi under
	// an innocent font name, and in bad recognition; at most a tenth in notices.
	oddShare = 0.25
	// fewWords are too few to tell by their share.
	fewWords = 12
	// sparseChars or fewer may be a stamp, a page number or a footer on a scan.
	sparseChars = 150
	// pictureChars or fewer above a picture of half the page may be a longer stamp, or a signature's text.
	pictureChars = 1500
	pictureShare = 0.5
	// fewLetters of all letters and digits are letters: figures whose words are
	// drawn, not written, or an honest table.
	fewLetters = 0.3
	// hiddenShare of the characters are painted invisibly: an earlier
	// recognition's layer, which may cover only a part.
	hiddenShare = 0.5
)

// judge says how far the layer, arranged as text, can be taken for the page's text.
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

// legacyFonts are beginnings and parts of the names of fonts that put Indian
// letters at Latin codes, in lower case.
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

// words counts the words in Latin letters, and those of them that cannot be words.
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

// sound counts the letters and digits of text that are in possible words or
// numbers: a measure for choosing between two readings of a page.
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

// inspectWord reports whether a word is in Latin letters and whether it cannot be a
// word: a sign, a capital or a figure in the middle of small letters, no vowel,
// or a heap of consonants. Codes in capitals are let through, and any other script is.
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

// oddSigns never stand between two small letters of a word.
const oddSigns = ";=~[]{}\\|^<>¼½¾¶§"
