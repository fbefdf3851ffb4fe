package gst

import (
	"strings"

	"munshi/orchestrator/gst/pattern"
)

var (
	fraudWords = [...]string{"fraud", "wilful", "willful", "suppress", "intent to evade", "intention to evade", "mis-statement", "misstatement", "कपट", "छिपाव"}
	// Words around them that deny fraud, quote the law, or warn of what may come.
	noFraud = []string{
		"other than fraud", "other than the reason of fraud", "other than by reason of", "reasons other than", "reason other than", "for any reason, other than",
		"no fraud", "not a case of fraud", "without any fraud", "not involving fraud", "not involve fraud", "absence of fraud", "cases of fraud", "no suppression",
		"no wilful", "not wilful", "denied", "where it appears to the proper officer", "whether or not", "without fraud", "no intent", "not alleged", "treated as suppressed",
	}
)

// denied is a denial right before a word of fraud: "does not allege fraud", "no element of suppression", "no allegation of".
var denied = pattern.New(`\b(?:no|not|nor|neither|never|without|nothing)\b(?: (?:any|an?|the|been|be|being|of|to|by|made))*(?: (?:alleg|involv|attribut|element|case|charg|invok|evidence|suggest|imput|intention|wil?lful|fraud|suppress|misst|mis-st|finding|question)[a-z-]*,?(?: (?:of|to|by|any|the|case|or|and|is|was))*)*(?:[ ,]*(?:fraud|wil?lful|suppress|intent|mis-?stat)[a-z-]*,?(?: (?:of facts?|or|and|any|to evade(?: tax)?))*){1,3}$`)

// readFraud tells whether fraud, wilful misstatement or suppression is alleged.
func (r *reading) readFraud() {
	d := r.doc
	for _, word := range fraudWords {
		for at := 0; r.fraud.end == 0; {
			i := strings.Index(d.low[at:], word)
			if i < 0 {
				break
			}
			at += i + len(word)
			s := d.sentence(at - 1)
			if !d.contains(s, noFraud...) && !denied.MatchString(d.lowIn(s.start, at)) {
				r.fraud = span{max(s.start, at-120), min(s.end, at+60)}
				break
			}
			at = max(at, min(s.end, len(d.low)))
		}
	}
	r.facts.FraudAlleged = ptr(r.fraud.end > 0)
	if r.fraud.end > 0 {
		r.cite("fraud_alleged", r.fraud)
	}
}

// invokes tells whether the notice proceeds under the section, "73", "74" or
// "74A", rather than threatens to, or names it beside another.
func (r *reading) invokes(section string) bool {
	d := r.doc
	for _, c := range r.cited {
		root, _, _ := strings.Cut(c.number, "(")
		if c.rule || c.other || root != section {
			continue
		}
		s := d.sentence(c.start)
		if !d.contains(s, "failing which", "may be initiated", "shall be initiated", "will be initiated", "will be issued", "shall be issued", "may be issued",
			"as the case may be", "liable to be issued", "explanation", "section 73 or", "or section 74", "73/74", "73 or 74") {
			return true
		}
	}
	return false
}
