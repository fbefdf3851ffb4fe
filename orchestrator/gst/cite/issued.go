package cite

import (
	"slices"
	"strings"
	"unicode"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/message"
)

// A notification is identified by its number and its series. "12/2017-Central Tax" and "12/2017-Central Tax (Rate)" are
// two notifications, and those of integrated tax, of cess, of a Union territory and of a State have numbers of their
// own.
const (
	issuedNumber = `(?:cbic[-/ ]?)?\d{1,4}/(?:\d{1,3}/)?\d{2,4}`
	seriesName   = `central tax|integrated tax|state tax|union territory tax|(?:gst )?compensation cess|customs|` +
		`केंद्रीय कर|केन्द्रीय कर|एकीकृत कर|समेकित कर|राज्य कर|संघ राज्य ?क्षेत्र कर|क्षतिपूर्ति उपकर|प्रतिकर उपकर`
	seriesLetters = `gst\b|u\.?t\.?(?:t\b|t\.|\b)|[ci]tr\b|[cis]\.?t(?:\.|\b)|c\.?c(?:\.|\b)|(?:comp\.? )?cess\b`
	rateSeries    = ` ?\( ?(?:r|rate|दर) ?\)`
	// The name of a series follows a dash, or the number directly if it has capitals; its letters follow only a dash.
	issuedSeries = `(?:(?: ?[-–—] ?(?:` + seriesName + `|` + seriesLetters + `)|` +
		` ?\(? ?(?-i:Central Tax|Integrated Tax|State Tax|Union Territory Tax|Compensation Cess)\)?)(?:` + rateSeries +
		`| rate\b)?|` + rateSeries + `)`
)

// issuedWords matches a circular, notification, instruction or order with its number.
var issuedWords = lazyregexp.New(`(?i)(\b(?:circulars?|notifications?|instructions?|trade notices?|` +
	`removal of difficult(?:y|ies) orders?)|परिपत्र|अधिसूचना(?:ओं|एं|एँ)?)(?:s\b)? ?(?:\(|,)? ?(?:bearing |dated [^,.]{4,20}, ?)?` +
	`(?:nos?\.?|number|सं\.?|संख्या)? ?[:-]? ?(` + issuedNumber + issuedSeries + `?)|` +
	`\bN\. ?(\d{1,3}/20\d\d` + issuedSeries + `?)`)

// moreIssued matches a further number in a list, such as "and 128/47/2019" in "Circulars 122/41/2019 and 128/47/2019".
var moreIssued = lazyregexp.New(`(?i)^(?:, ?(?:and )?| and | ?& ?| or |/ ?| एवं | और | तथा )(?:nos?\. ?)?` +
	`(\d{1,4}/(?:\d{1,3}/)?20\d\d` + issuedSeries + `?)`)

// issues marks the circulars and notifications that the text cites.
func (x *Index) issues(p *plain) []Mark {
	var marks []Mark
	for _, m := range issuedWords.FindAllStringSubmatchIndex(p.text, -1) {
		kind := "notification"
		number := [2]int{m[6], m[7]}
		if m[4] >= 0 {
			number = [2]int{m[4], m[5]}
			switch word := p.low[m[2]:m[3]]; {
			case strings.HasPrefix(word, "circular"), word == "परिपत्र":
				kind = "circular"
			case strings.HasPrefix(word, "notification"), strings.HasPrefix(word, "अधिसूचना"):
			default:
				kind = word
			}
		}
		numbers := [][2]int{number}
		for kind == "circular" || kind == "notification" {
			to := numbers[len(numbers)-1][1]
			more := moreIssued.FindStringSubmatchIndex(p.text[to:min(to+120, len(p.text))])
			if more == nil || (strings.Count(p.text[to+more[2]:to+more[3]], "/") == 2) != (kind == "circular") {
				break
			}
			numbers = append(numbers, [2]int{to + more[2], to + more[3]})
		}
		from := m[0]
		for i, at := range numbers {
			marks = append(marks, x.issueMark(kind, p.text[at[0]:at[1]], seriesIn(p, numbers, i), from, at[1]))
			if i+1 < len(numbers) {
				from = numbers[i+1][0]
			}
		}
	}
	return marks
}

// seriesIn returns the series of a number in a list, which may be printed once for several numbers, as in "12/2017 and
// 13/2017-Central Tax (Rate)". It is the number's own series, else that of the next number that has one, else that of
// the last number before that has one.
func seriesIn(p *plain, numbers [][2]int, at int) string {
	for _, n := range append(slices.Clone(numbers[at:]), backwards(numbers[:at])...) {
		if series, named := seriesOf(p.text[n[0]:n[1]]); named {
			return series
		}
	}
	return ""
}

func backwards(numbers [][2]int) [][2]int {
	numbers = slices.Clone(numbers)
	slices.Reverse(numbers)
	return numbers
}

func (x *Index) issueMark(kind, number, series string, from, to int) Mark {
	m := Mark{Start: from, End: to, Kind: Circular, Provision: kind + " " + number}
	if known, ok := x.issued[strings.TrimSpace(kind+" "+plainNumber(number)+" "+series)]; ok {
		m.Verdict, m.Heading = Exists, known.About
		what := message.New("checks.issued",
			message.Params{"kind": message.Citation(capital(kind)), "number": known.Number + seriesNames[known.Series],
				"date": message.Date(known.Date)})
		var gone message.Message
		if w := known.Withdrawn; w != nil {
			m.Verdict = NotInForce
			gone = message.New("checks.withdrawn",
				message.Params{"by": message.Citation(w.By), "date": message.Date(w.Date)})
		}
		m.saying(what, gone)
		return m
	}
	m.Verdict = NotVerified
	m.say("issued_unknown", message.Params{"kind": message.Citation(kind)})
	return m
}

// seriesNames gives, for each series, the name that follows the numbers of its notifications.
var seriesNames = map[string]string{"rate": "-Central Tax (Rate)", "integrated": "-Integrated Tax",
	"integrated rate": "-Integrated Tax (Rate)"}

var (
	numberItself = lazyregexp.New(`(?i)^(?:cbic[-/ ]?)?[\d/]+`)
	isRate       = lazyregexp.New(`(?:\( ?(?:r|rate|दर) ?\)|rate|tr)$`)
	isIntegrated = lazyregexp.New(`^(?:integrated|एकीकृत|समेकित|i\.?t)`)
	isCentral    = lazyregexp.New(`^(?:central|केंद्रीय|केन्द्रीय|c\.?t|gst)`)
)

// seriesOf returns the series printed after a number: "" for Central Tax, "other" for one that the tables do not have.
// named is false if none is printed.
func seriesOf(number string) (series string, named bool) {
	behind := strings.Trim(lowerASCII(number[len(numberItself.FindString(number)):]), " -–—")
	rate := ""
	if isRate.MatchString(behind) {
		rate = "rate"
	}
	name := strings.TrimLeft(behind, "( ")
	switch {
	case behind == "":
		return "", false
	case isIntegrated.MatchString(name):
		return strings.TrimSpace("integrated " + rate), true
	case isCentral.MatchString(name), isRate.FindString(behind) == behind:
		return rate, true
	}
	return "other", true
}

// plainNumber returns a number in the form "183/15/2022", without the text around it.
func plainNumber(s string) string {
	s = strings.TrimLeft(lowerASCII(s), "cbi-/ ")
	if i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsDigit(r) && r != '/' }); i >= 0 {
		s = s[:i]
	}
	parts := strings.Split(strings.Trim(s, "/"), "/")
	for i := range parts {
		if parts[i] = strings.TrimLeft(parts[i], "0"); parts[i] == "" {
			parts[i] = "0"
		}
	}
	return strings.Join(parts, "/")
}
