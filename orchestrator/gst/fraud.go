package gst

import (
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

var (
	fraudWords = [...]string{"fraud", "wilful", "willful", "suppress", "intent to evade", "intention to evade", "mis-statement", "misstatement", "conceal", "कपट", "छिपाव", "धोखाधड़ी", "तथ्यों को छिपा", "मिथ्या कथन"}
	// Words around them that deny fraud, quote the law, or warn of what may come.
	noFraud = []string{
		"other than fraud", "other than the reason of fraud", "other than by reason of", "reasons other than", "reason other than", "for any reason, other than",
		"no fraud", "not a case of fraud", "without any fraud", "not involving fraud", "not involve fraud", "absence of fraud", "cases of fraud", "no suppression",
		"no wilful", "not wilful", "denied", "where it appears to the proper officer", "whether or not", "without fraud", "no intent", "not alleged", "treated as suppressed",
	}

	// denied is a denial right before a word of fraud: "does not allege fraud", "no element of suppression", "no allegation of".
	denied = lazyregexp.New(`\b(?:no|not|nor|neither|never|without|nothing)\b(?: (?:any|an?|the|been|be|being|of|to|by|made))*(?: (?:alleg|involv|attribut|element|case|charg|invok|evidence|suggest|imput|intention|wil?lful|fraud|suppress|misst|mis-st|finding|find|found|see|seen|notic|detect|proof|prove|sign|trace|indicat|establish|ground|reason|question|consider|treat|regard|due|amount|constitut)[a-z-]*,?(?: (?:of|to|by|for|any|an?|as|the|case|or|and|is|was))*)*(?:[ ,]*(?:fraud|wil?lful|suppress|conceal|intent|mis-?stat)[a-z-]*,?(?: (?:of facts?|or|and|any|to evade(?: tax)?))*){1,3}$`)
	// notTheCase denies all that its clause goes on to say.
	notTheCase = lazyregexp.New(`\b(?:(?:is|was) not (?:the |our |my )?(?:department'?s? |revenue'?s? )?(?:case|allegation|contention|charge)|(?:does|do|did|has|have|is|are) not (?:alleg|contend|say|suggest|find|found|imput|assert|hold)[a-z]*|nobody (?:alleges|says)|cannot be said)\b(?: that\b)?[^.;]*$|\b(?:absence|lack) of (?:any )?[^.;]{0,40}$|\bother than (?:by )?(?:the )?(?:reasons? of |on account of )?[^.;]{0,60}$|\bruled? out [^.;]{0,30}$`)
	// deniedAfter is a denial behind the word: "suppression is not alleged", "fraud are absent".
	deniedAfter = lazyregexp.New(`^[^.;:]{0,90}?\b(?:is|are|was|were|has|have|had|been|being|stands?|could|can|does|do|did)\b(?: [a-z]+){0,2} ?(?:\b(?:not|never|neither)\b(?: [a-z]+){0,2} (?:alleg|made out|establish|found|prov|sustain|notic|invok|involv|attribut|present|exist|substantiat|uph|charg|attract|born)|\bnot(?:there|present)\b|\babsent\b|\bruled out\b|\bdropped\b|\bset aside\b|\bfails?\b|\bwithdrawn\b)|^[^.;:]{0,60}\b(?:fails?\b|not sustain)|^[^।]{0,60}(?:आरोप|मामला|प्रकरण|बात|आशय|उद्देश्य)[^।]{0,20}नहीं`)
	// onlyIf makes what it says depend on something.
	onlyIf = lazyregexp.New(`(?:^|[ ,(])(?:if|in case|in the event|unless|had there been|should it|wherever|in cases where|where any)\b[^.;]*$`)
	// saidByOther is what the taxpayer says, and refused what is thought of it.
	saidByOther = lazyregexp.New(`\b(?:plea|contention|claim|submission|argument|explanation|statement|stand)s?\b|\b(?:contend|plead|claim|submit|argue|state)(?:s|ed)?\b|\bsays\b`)
	isRefused   = lazyregexp.New(`\b(?:not|cannot be|can not be|nor) (?:be )?(?:accept|tenable|acceptable|correct|convincing|sustainable|true|helpful)[a-z]*|\b(?:untenable|rejected|devoid of|without (?:any )?(?:merit|force|substance)|incorrect|false|afterthought|baseless|does not help|fails)\b`)
)

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
			if r.alleges(s, at) {
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

// alleges tells whether a sentence with a word of fraud that ends at an offset alleges it: it does not deny it, does not make it
// depend on something, and does not only repeat the taxpayer's denial. To refuse that denial is to allege.
func (r *reading) alleges(s span, at int) bool {
	d := r.doc
	before, after := d.lowIn(s.start, at), d.lowIn(at, s.end)
	negated := d.contains(s, noFraud...) || denied.MatchString(before) || notTheCase.MatchString(before) || deniedAfter.MatchString(after)
	if saidByOther.MatchString(before) && isRefused.MatchString(after) {
		return negated // "the plea that there was no suppression is not tenable"
	}
	return !negated && !onlyIf.MatchString(before)
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
