package law

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"munshi/orchestrator/gst/lazyregexp"
)

// quantities are the numbers and dates in a text, in a common form for words and digits, English and Hindi: "30" for
// "thirty" and "30", "1000000" for "ten lakh" and "10 लाख", "30-11" and "30-11-2021" for "thirtieth day of November,
// 2021". The values are the wording in the text.
type quantities map[string]string

// small are the words for numbers below a hundred, including ordinals.
var small = numberWords(`zero nil:0 one:1 first:1 two:2 second:2 three:3 third:3 four:4 fourth:4 five:5 fifth:5 six:6 sixth:6
	seven:7 seventh:7 eight:8 eighth:8 nine:9 ninth:9 ten:10 tenth:10 eleven:11 eleventh:11 twelve:12 twelfth:12 thirteen:13
	thirteenth:13 fourteen:14 fourteenth:14 fifteen:15 fifteenth:15 sixteen:16 sixteenth:16 seventeen:17 seventeenth:17
	eighteen:18 eighteenth:18 nineteen:19 nineteenth:19 twenty:20 twentieth:20 thirty:30 thirtieth:30 forty:40 fourty:40
	fortieth:40 fifty:50 fiftieth:50 sixty:60 sixtieth:60 seventy:70 eighty:80 ninety:90 ninetieth:90 एक:1 दो:2 तीन:3 चार:4
	पाँच:5 पांच:5 छह:6 छः:6 सात:7 आठ:8 नौ:9 दस:10 बारह:12 पंद्रह:15 पन्द्रह:15 अठारह:18 बीस:20 चौबीस:24 पच्चीस:25 तीस:30
	चालीस:40 पचास:50 साठ:60 सत्तर:70 अस्सी:80 नब्बे:90`)

// big are the words that multiply.
var big = numberWords(`hundred:100 thousand:1000 lakh:100000 lakhs:100000 lac:100000 lacs:100000 crore:10000000
	crores:10000000 सौ:100 हज़ार:1000 हजार:1000 लाख:100000 करोड़:10000000 करोड:10000000`)

var monthNumbers = numberWords(`january:1 february:2 march:3 april:4 may:5 june:6 july:7 august:8 september:9 october:10
	november:11 december:12 जनवरी:1 फरवरी:2 फ़रवरी:2 मार्च:3 अप्रैल:4 मई:5 जून:6 जुलाई:7 अगस्त:8 सितंबर:9 सितम्बर:9
	अक्टूबर:10 अक्तूबर:10 नवंबर:11 नवम्बर:11 दिसंबर:12 दिसम्बर:12`)

// counted are words that make a preceding number word a number, and not an article or a pronoun ("the two", "एक
// व्यक्ति").
var counted = wordSet(`day days month months year years week weeks hour hours per percent rupee rupees time times km kilometre
	kilometres quarter quarters working दिन दिनों महीने महीनों महीना माह साल सालों वर्ष वर्षों हफ़्ते सप्ताह घंटे घंटों प्रतिशत
	फ़ीसदी फीसदी रुपये रुपए रुपया गुना बार तिमाही किलोमीटर किमी`)

func numberWords(list string) map[string]float64 {
	words := map[string]float64{}
	for item := range strings.FieldsSeq(list) {
		word, value, _ := strings.Cut(item, ":")
		n, _ := strconv.ParseFloat(value, 64) // "zero" has no value in the list and gets 0
		words[word] = n
	}
	return words
}

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

var (
	numericDate = lazyregexp.New(`\b(\d{1,2})\s?[-./]\s?(\d{1,2})\s?[-./]\s?(\d{4})\b`)
	isoDate     = lazyregexp.New(`\b(\d{4})-(\d{2})-(\d{2})\b`)
	yearSpan    = lazyregexp.New(`\b((?:20)\d\d)\s?[-–]\s*(?:20)?(\d\d)\b`)
	halves      = lazyregexp.New(`(?i)\b(?:(one|two|three|four|five|seven|twelve)[ -]and[ -](?:a |one )?[ -]?half\b|half (?:of a )?(?:per ?cent))`)
	tenths      = lazyregexp.New(`(?i)\bone[ -]tenth of a per ?cent`)
	joined      = lazyregexp.New(`([0-9])(st|nd|rd|th)\b`)
)

// readQuantities returns the numbers and dates in a text. In official text everything that can be a number counts; in
// an entry, number words count only before a unit.
func readQuantities(text string, official bool) quantities {
	q := quantities{}
	take := func(p *lazyregexp.Regexp, keys func([]string) []string) {
		text = p.ReplaceAllStringFunc(text, func(s string) string {
			for _, key := range keys(p.FindStringSubmatch(s)) {
				q[key] = s
			}
			return " ; "
		})
	}
	take(isoDate, func(m []string) []string { return dateKeys(m[3], m[2], m[1], official) })
	take(numericDate, func(m []string) []string { return dateKeys(m[1], m[2], m[3], official) })
	take(yearSpan, func(m []string) []string {
		if official {
			return []string{m[1] + "-" + m[2], m[1], m[1][:2] + m[2]}
		}
		return []string{m[1] + "-" + m[2]}
	})
	text = halves.ReplaceAllStringFunc(text, func(s string) string {
		if n := halves.FindStringSubmatch(s)[1]; n != "" {
			return " " + plainValue(small[strings.ToLower(n)]+0.5) + " "
		}
		return " 0.5 per cent"
	})
	text = tenths.ReplaceAllString(text, " 0.1 per cent")
	tokens := numberTokens(joined.ReplaceAllString(text, "$1"), official)
	for i := 0; i < len(tokens); {
		i = q.readAt(tokens, i, official)
	}
	return q
}

func dateKeys(day, month, year string, official bool) []string {
	d, _ := strconv.Atoi(day)
	m, _ := strconv.Atoi(month)
	keys := []string{fmt.Sprintf("%d-%d-%s", d, m, year)}
	if official {
		keys = append(keys, fmt.Sprintf("%d-%d", d, m), year, strconv.Itoa(d))
	}
	return keys
}

// readAt reads the date or number that begins at a token, if there is one, and returns the next position.
func (q quantities) readAt(tokens []string, i int, official bool) int {
	value, next, inWords, ok := numberAt(tokens, i)
	if !ok {
		return i + 1
	}
	said := strings.Join(tokens[i:next], " ")
	// "30 November", "thirtieth day of November, 2021"
	at := next
	for at < len(tokens) && at < next+4 && (tokens[at] == "day" || tokens[at] == "of" || tokens[at] == "the") {
		at++
	}
	if at < len(tokens) && value >= 1 && value <= 31 {
		if month, is := monthNumbers[tokens[at]]; is {
			day := fmt.Sprintf("%d-%d", int(value), int(month))
			if at+1 < len(tokens) && len(tokens[at+1]) == 4 && isDigits(tokens[at+1]) {
				year := tokens[at+1]
				q[day+"-"+year] = said + " " + tokens[at] + " " + year
				if official {
					q[day], q[year], q[strconv.Itoa(int(value))] = said, year, said
				}
				return at + 2
			}
			q[day] = said + " " + tokens[at]
			if official {
				q[strconv.Itoa(int(value))] = said
			}
			return at + 1
		}
	}
	if inWords && !official && (next >= len(tokens) || !counted[tokens[next]]) {
		return next
	}
	q[plainValue(value)] = said
	if official { // also each of the words alone: "one hundred and eighty", "two lakh or five lakh"
		for j := i; j < next; j++ {
			if v, ok := small[tokens[j]]; ok {
				q[plainValue(v)] = tokens[j]
			}
			if v, n, _, ok := numberAt(tokens[:next], j); ok && n == next {
				q[plainValue(v)] = strings.Join(tokens[j:next], " ")
			}
		}
	}
	return next
}

// numberAt reads numbers such as "30", "2.5 crore", "one hundred and eighty" and "two lakh fifty thousand".
func numberAt(tokens []string, i int) (value float64, next int, inWords, ok bool) {
	total, group := 0.0, 0.0
	started, inWords := false, true
	for next = i; next < len(tokens); next++ {
		word := tokens[next]
		if n, isSmall := small[word]; isSmall {
			if started &&
				!(math.Mod(group, 100) == 0 || n < 10 && math.Mod(group, 100) >= 20 && math.Mod(group, 10) == 0) {
				break
			}
			group += n
		} else if n, isBig := big[word]; isBig && started {
			switch {
			case n == 100:
				group *= 100
			default:
				total, group = total+math.Max(group, 0)*n, 0
			}
		} else if n, err := strconv.ParseFloat(word, 64); err == nil && word[0] >= '0' && word[0] <= '9' &&
			!(started && group != 0) {
			group, inWords = n, false
		} else if word == "and" && started && next+1 < len(tokens) {
			_, smallFollows := small[tokens[next+1]]
			_, bigBefore := big[tokens[next-1]]
			if !smallFollows || !bigBefore {
				break
			}
			continue
		} else {
			break
		}
		started = true
	}
	return total + group, next, inWords, started
}

func plainValue(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func isDigits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

// numberTokens splits a text into words in lower case and numbers without commas.
func numberTokens(text string, official bool) []string {
	var tokens []string
	runes := []rune(strings.ToLower(text))
	digit := func(i int) bool { return i >= 0 && i < len(runes) && runes[i] >= '0' && runes[i] <= '9' }
	for i := 0; i < len(runes); {
		start := i
		switch {
		case digit(i):
			for digit(i) || i < len(runes) && (runes[i] == ',' || runes[i] == '.') && digit(i+1) {
				i++
			}
			if !official && i < len(runes) && runes[i] >= 'a' &&
				runes[i] <= 'z' { // the 9A of a section, the 2B of a form
				for i < len(runes) && (unicode.IsLetter(runes[i]) || unicode.IsMark(runes[i])) {
					i++
				}
				tokens = append(tokens, string(runes[start:i]))
				continue
			}
			// A list such as 73,74 is not a number.
			number := string(runes[start:i])
			if parts := strings.Split(number, ","); len(parts) > 1 && !groupsOfDigits(parts) {
				tokens = append(tokens, parts...)
				continue
			}
			tokens = append(tokens, strings.ReplaceAll(number, ",", ""))
		case unicode.IsLetter(runes[i]):
			for i < len(runes) && (unicode.IsLetter(runes[i]) || unicode.IsMark(runes[i])) {
				i++
			}
			tokens = append(tokens, string(runes[start:i]))
		case unicode.IsSpace(runes[i]) || runes[i] == '-' || runes[i] == ',':
			i++ // "twenty-five", "November, 2021"
		default:
			i++
			tokens = append(tokens, string(runes[start:i]))
		}
	}
	return tokens
}

// groupsOfDigits distinguishes 1,00,000 and 100,000 from a list.
func groupsOfDigits(parts []string) bool {
	for i, p := range parts {
		p, _, _ = strings.Cut(p, ".")
		switch {
		case i == 0 && len(p) > 3,
			i > 0 && i < len(parts)-1 && len(p) != 2 && len(p) != 3,
			i == len(parts)-1 && len(p) != 3:
			return false
		}
	}
	return true
}
