package cite

import (
	"strings"
	"unicode"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/message"
)

// issuedWords matches a circular, notification, instruction or order with its number.
var issuedWords = lazyregexp.New(`(?i)\b(circulars?|notifications?|instructions?|trade notices?|removal of difficult(?:y|ies) orders?|परिपत्र|अधिसूचना)(?:s\b)? ?(?:\(|,)? ?(?:bearing |dated [^,.]{4,20}, ?)?(?:nos?\.?|number|सं\.?|संख्या)? ?[:-]? ?((?:cbic[-/ ]?)?\d{1,4}/(?:\d{1,3}/)?\d{2,4}(?: ?- ?(?:gst|central tax(?: \(rate\))?|ct(?: ?\(r(?:ate)?\))?|integrated tax(?: \(rate\))?|it|customs|state tax))?)|\b(N\. ?\d{1,3}/20\d\d-(?:CT|IT)(?: ?\(R\))?)`)

// moreIssued matches a further number in a list, "Circulars 122/41/2019 and 128/47/2019".
var moreIssued = lazyregexp.New(`(?i)^(?:,| and|,? &| or|, and|/ )? ?((?:\d{1,4}/\d{1,3}/\d{4})(?: ?- ?gst)?)`)

// issues marks the circulars and notifications that the text cites.
func (x *Index) issues(p *plain) []Mark {
	var marks []Mark
	for _, m := range issuedWords.FindAllStringSubmatchIndex(p.text, -1) {
		kind, from, to := "notification", m[0], m[1]
		number := ""
		if m[4] >= 0 {
			number = p.text[m[4]:m[5]]
			word := p.low[m[2]:m[3]]
			switch {
			case strings.HasPrefix(word, "circular"), word == "परिपत्र":
				kind = "circular"
			case strings.HasPrefix(word, "notification"), word == "अधिसूचना":
			default:
				kind = word
			}
		} else {
			number = strings.TrimSpace(strings.TrimPrefix(p.text[m[6]:m[7]], "N."))
		}
		marks = append(marks, x.issueMark(kind, number, from, to))
		for kind == "circular" {
			more := moreIssued.FindStringSubmatchIndex(p.text[to:])
			if more == nil {
				break
			}
			marks = append(marks, x.issueMark(kind, p.text[to+more[2]:to+more[3]], to+more[2], to+more[3]))
			to += more[1]
		}
	}
	return marks
}

func (x *Index) issueMark(kind, number string, from, to int) Mark {
	m := Mark{Start: from, End: to, Kind: Circular, Provision: kind + " " + number}
	if known, ok := x.issued[strings.TrimSpace(kind+" "+plainNumber(number)+" "+seriesOf(number))]; ok {
		m.Verdict, m.Heading = Exists, known.About
		what := message.New("checks.issued",
			message.Params{"kind": message.Citation(capital(kind)), "number": known.Number,
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

// seriesOf returns the series of a notification number: "" for Central Tax, "other" for one that is in no table.
func seriesOf(number string) string {
	low := lowerASCII(number)
	rate := ""
	if strings.Contains(low, "(r") {
		rate = "rate"
	}
	switch {
	case strings.Contains(low, "integrated") || strings.HasSuffix(low, "-it") || strings.Contains(low, "-it ") ||
		strings.Contains(low, "-it("):
		return strings.TrimSpace("integrated " + rate)
	case strings.Contains(low, "customs") || strings.Contains(low, "state tax"):
		return "other"
	}
	return rate
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
