package gst

import "strings"

var numerals = map[string]int64{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
	"eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60,
	"seventy": 70, "eighty": 80, "ninety": 90, "zero": 0, "nil": 0,
}

// hindiNumerals lists the Hindi words for the numbers from 0 to 99. Spelling variants are listed separately.
var hindiNumerals = strings.Fields(`शून्य एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पन्द्रह सोलह सत्रह अठारह उन्नीस
	बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस
	चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ
	साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उनासी
	अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी नब्बे इक्यानवे बानवे तिरानवे चौरानवे पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे`)

var hindiSpellings = map[string]int64{
	"पांच": 5, "छः": 6, "छ:": 6, "पंद्रह": 15, "सतरह": 17, "अट्ठारह": 18, "बाइस": 22, "तेइस": 23, "सत्ताइस": 27,
	"अठाईस": 28, "अट्ठाइस": 28, "चवालीस": 44, "छयालीस": 46, "अठावन": 58, "चौसठ": 64, "छाछठ": 66, "अस्सि": 80,
	"बानबे": 92, "छियानबे": 96, "निन्यानबे": 99,
}

var multiples = map[string]int64{
	"hundred": 100, "hundreds": 100, "thousand": 1e3, "thousands": 1e3, "lakh": 1e5, "lakhs": 1e5, "lac": 1e5,
	"lacs": 1e5, "crore": 1e7, "crores": 1e7, "सौ": 100, "हजार": 1e3, "हज़ार": 1e3, "लाख": 1e5, "करोड़": 1e7,
}

// amountInWords parses a sum in words, "Rupees Twelve Lakh Forty Thousand and paise five only", in lower case. It
// returns -1 if the text does not begin with one.
func amountInWords(low string) int64 {
	const longest = 40 // words
	rupees, group, paise := int64(0), int64(0), int64(-1)
	named, ended := 0, false
	for i, w := range strings.FieldsFunc(low[:min(len(low), 400)], func(r rune) bool {
		return strings.ContainsRune(" -,()[].:/", r)
	}) {
		if i > longest {
			break
		}
		n, isNumeral := numeral(w)
		m, isMultiple := multiples[w]
		switch {
		case isNumeral && paise >= 0:
			paise += n
			named++
		case isNumeral:
			group += n
			named++
		case isMultiple && paise < 0 && m == 100:
			group = max(group, 1) * m
		case isMultiple && paise < 0:
			rupees += max(group, 1) * m
			group = 0
		case w == "rupees" || w == "rupee" || w == "rs" || w == "रुपये" || w == "रुपए" || w == "रूपये" || w == "inr" ||
			w == "and":
		case w == "paise" || w == "paisa" || w == "पैसे":
			if paise < 0 && named > 0 {
				paise = 0
			}
		case w == "only" || w == "मात्र" || w == "केवल":
			ended = true
		case i < 2 && (w == "₹" || w == "say" || w == "in" || w == "words" || w == "शब्दों" || w == "में"):
		default:
			ended = named > 1
			if !ended {
				return -1
			}
		}
		if ended || rupees > 1e13 {
			break
		}
	}
	rupees += group
	if named == 0 || rupees == 0 || rupees > 1e13 {
		return -1
	}
	return rupees*100 + max(paise, 0)
}

func numeral(w string) (int64, bool) {
	if n, ok := numerals[w]; ok {
		return n, true
	}
	if n, ok := hindiSpellings[w]; ok {
		return n, true
	}
	if w == "" || w[0] < 0x80 {
		return 0, false
	}
	for n, word := range hindiNumerals {
		if w == word {
			return int64(n), true
		}
	}
	return 0, false
}

// inWords returns the sum in words after an amount, as in "(Rupees Five Lakh only)", or -1 if there is none.
func (d *document) inWords(at int) int64 {
	return amountInWords(strings.TrimLeft(d.lowIn(at, at+420), " ,-./()"))
}
