package gst

import (
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

var (
	fraudWords = [...]string{"fraud", "wilful", "willful", "suppress", "intent to evade", "intention to evade",
		"mis-statement", "misstatement", "conceal", "कपट", "छिपाव", "धोखाधड़ी", "तथ्यों को छिपा", "मिथ्या कथन"}
	// lawOfFraud lists words that show that a sentence only quotes the law of fraud.
	lawOfFraud = []string{"where it appears to the proper officer", "whether or not", "treated as suppressed",
		"cases of fraud"}

	// denied matches a denial directly before a word of fraud: "does not allege fraud", "no element of suppression",
	// "other than fraud".
	denied = lazyregexp.New(`\b(?:no|not|nor|neither|never|without|nothing|other than|absence of|lack of|(?:has|have|had|noticee|tax ?payer|dealer|you) denied)\b` +
		`(?: (?:point|para(?:graph)?|issue|charge|of (?:these|them|the [a-z]+))s?)?(?: (?:any|an?|the|been|be|being|having|of|to|by|made))*` +
		`(?: (?:reasons? (?:of|to)|on account of|amount(?:s|ing)? to|due to|(?:alleg|involv|attribut|element|case|charg|invok|evidence|suggest|imput|finding|find|found|see|seen|detect|proof|prove|sign|trace|indicat|establish|question|consider|treat|regard|constitut|notic|observ|com(?:e|ing) across|acts?\b)[a-z-]*)(?: (?:of|to|by|for|any|anything|an?|as|the|case|or|is|was))*)*` +
		`(?: (?:fraud|wil?lful|suppress|conceal|intent|mis-?stat)[a-z-]*,?(?: (?:of (?:the )?facts?|or|nor|and|by|any|with(?: an| any| the)?|to evade(?: tax)?),?)*){1,8}$`)
	// notTheCase matches a denial of everything that follows in the clause, such as "it is not alleged" or "the notice
	// does not allege". The paper or its author is the subject.
	notTheCase = lazyregexp.New(`\b(?:is|was) not (?:the |our |my )?(?:department'?s? |revenue'?s? )?(?:case|allegation|contention|charge)\b` +
		`|\bit (?:is|was|has) not (?:been )?(?:alleged|contended|suggested)\b` +
		`|\b(?:i|we|department|revenue|officer|undersigned|audit|notice|scn|letter|order)(?: (?:dated|no\.?|of|bearing) [^,;]{1,40})? (?:does|do|did|has|have|is) not (?:alleg|contend|say|suggest|imput|assert|find that)[a-z]*` +
		`|\b(?:department|revenue|officer|audit|notice|scn|order) (?:(?:has|have|had) )?(?:fail(?:s|ed) to|could not|(?:is|was) unable to) (?:show|prove|establish|bring)` +
		`|\bnobody (?:alleges|says)\b|\bcannot be said\b|\bruled? out\b`)
	// anotherClause matches the end of the clause to which a denial or a condition applies. A comma before "or" does
	// not end it.
	anotherClause = lazyregexp.New(`[;.]|,(?: (?:[^o ]|o[^r ]|or[^ ])|[^ ]|$)|\b(?:but|thereby|thus|and (?:has|have|had|is|was|wil?lfully))\b`)
	// deniedAfter matches a denial after the word of fraud: "suppression is not alleged", "fraud are absent".
	deniedAfter = lazyregexp.New(`^[^.,;:]{0,60}?\b(?:is|are|was|were|has|have|had|been|being|stands?|could|can)\b(?: [a-z]+){0,2} ?` +
		`(?:\b(?:not|never|neither)\b(?: [a-z]+){0,2} (?:alleg|made out|establish|found|prov|sustain|invok|involv|attribut|present|exist|substantiat|uph|charg|attract|born)|\babsent\b|\bruled out\b|\bdropped\b|\bset aside\b|\bwithdrawn\b)` +
		`|^[a-z]*(?: of facts?)? (?:(?:does|do|did) not (?:exist|arise|sustain)|not sustain|(?:is|are|was|were) denied|fails?(?: and\b|[,.]|\s*$))` +
		`|^[^।]{0,60}(?:आरोप|मामला|प्रकरण|बात|आशय|उद्देश्य)[^।]{0,20}नहीं`)
	// ofAnother matches a second subject, to which the rest of the sentence refers: "suppressed the turnover and its
	// books were not found".
	ofAnother = lazyregexp.New(`\band (?:its|his|her|their|it|he|she|they)\b`)
	// notShown matches "failed to show", "could not prove" and the like: a denial after these words is one that the
	// taxpayer failed to prove, so it does not deny the fraud.
	notShown = lazyregexp.New(`\b(?:fail(?:s|ed)? to|unable to|could not|cannot|did not|(?:has|have) not(?: been)?) (?:show|pro(?:ve|of)|establish|satisfy|demonstrate|explain|rebut|substantiate)[a-z]*\b`)
	// onlyIf matches words that make their clause conditional, such as "if" or "in case of fraud". It does not match
	// "in case of the supplies".
	onlyIf = lazyregexp.New(`(?:^|[ ,(])(?:(?:if|unless)(?:,[^,.;]{1,60},)?|in case (?:o[^f]|[^o])|in cases? of (?:any )?(?:fraud|wil?lful|suppress|conceal|mis-?stat)|in the event|had there been|should it|wherever|in cases where|where any)`)
	// foundOut matches words on how the fraud came to light, such as "would not have been detected", which imply that
	// there was a fraud.
	foundOut = lazyregexp.New(`\bbut for\b|\b(?:unnoticed|undetected|undiscovered)\b|\b(?:would|could|might) not have (?:been (?:noticed|detected|found|discovered|unearthed)|come to)\b`)
	// pleaded matches words for what the taxpayer says, and isRefused words that reject it.
	pleaded   = lazyregexp.New(`\b(?:plea|contention|submission|argument|explanation)s?\b|\b(?:contend|plead|submit|argue)(?:s|ed|ted)?\b|\b(?:claim|stat)(?:s|es|ed) that\b|\bclaim\b`)
	isRefused = lazyregexp.New(`\b(?:not|cannot be|can not be|nor) (?:be )?(?:accept|tenable|acceptable|correct|convincing|sustainable|true|helpful)[a-z]*|\bdoes not help\b|\bfails\b` +
		`|\b(?:is|are|was|were|stands?|found|being)(?: [a-z]+){0,2} (?:untenable|rejected|devoid of|without (?:any )?(?:merit|force|substance)|incorrect|false|afterthought|baseless)\b`)
	// asksWhether matches a label of a form that "Yes" or "No" answers, such as "whether fraud is involved" up to the
	// word of fraud; saysYes matches the answer.
	asksWhether = lazyregexp.New(`\bwhether (?:[a-z,/]+ ){0,6}[a-z-]*$`)
	saysYes     = lazyregexp.New(`^[^.;]{0,60}\byes\b`)
	// concealedWork matches, after "conceal", what builders conceal: "concealed wiring" alleges no fraud.
	concealedWork = lazyregexp.New(`^ed (?:electric(?:al)? |copper |pvc )?(?:wir|pip|plumb|conduit|cabl|cistern|hinge|fitting|light|valve)`)
)

// readFraud finds out whether fraud, wilful misstatement or suppression is alleged.
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
	if r.fraud.end == 0 && (r.invokes("74") || r.invokes("74A")) {
		r.readDeceit()
	}
	r.facts.FraudAlleged = ptr(r.fraud.end > 0)
	if r.fraud.end > 0 {
		r.cite("fraud_alleged", r.fraud)
	}
}

// readDeceit finds an allegation of fraud in a paper under section 74 that describes deceit without naming fraud.
func (r *reading) readDeceit() {
	d := r.doc
	for _, m := range deceit.FindAllStringIndex(d.low, 20) {
		s := d.sentence(m[0])
		if r.alleges(s, m[1]) && !d.contains(s, "under section 122", "supplier was") {
			r.fraud = span{max(s.start, m[0]-120), min(s.end, m[1]+60)}
			return
		}
	}
}

// deceit matches words for deceit, such as "knowingly availed" or "in collusion with".
var deceit = lazyregexp.New(`\bknowingly (?:[a-z]+ )?(?:avail|claim|took|taken|us|pass|issu|enter|show|fail|omit|part)[a-z]*|\bin (?:collusion|connivance) with\b|\b(?:on|against|through|of|by) (?:the strength of )?(?:bogus|fake|sham|fabricated|forged) (?:tax )?(?:invoices?|bills?)\b|\bclandestine(?:ly)?\b|\bparallel (?:set of )?(?:books?|invoices?|bill)|जानबूझ|जान-बूझ|फर्जी (?:बीजक|इनवॉइस|बिल)`)

// alleges reports whether a sentence alleges the fraud whose word ends at an offset. It does not if it denies the
// fraud, makes it conditional, or only repeats the taxpayer's denial. A sentence that rejects that denial does allege
// the fraud.
func (r *reading) alleges(s span, at int) bool {
	d := r.doc
	before, after := d.lowIn(s.start, at), d.lowIn(at, s.end)
	if d.contains(s, lawOfFraud...) || strings.HasSuffix(before, "conceal") && concealedWork.MatchString(after) {
		return false
	}
	if asksWhether.MatchString(before) && !saysYes.MatchString(d.lowIn(at, at+120)) {
		return false // a line of a form
	}
	found := foundOut.MatchString(after)
	if reaches(notTheCase, before) {
		return false
	}
	if denied.MatchString(before) || !found && !ofAnother.MatchString(deniedAfter.FindString(after)) &&
		deniedAfter.MatchString(after) {
		// "the plea that there was no suppression is not tenable", "fails to show that there was none"
		return pleaded.MatchString(before) && isRefused.MatchString(after) || reaches(notShown, before)
	}
	return found || !reaches(onlyIf, before)
}

// deniesFraud reports whether a block contains words of fraud and none of them alleges it.
func (r *reading) deniesFraud(s span) bool {
	d := r.doc
	low := d.lowIn(s.start, min(s.end, s.start+700))
	found := false
	for _, word := range fraudWords {
		for at := 0; ; {
			i := strings.Index(low[at:], word)
			if i < 0 {
				break
			}
			at += i + len(word)
			end := s.start + at
			if r.alleges(d.sentence(end-1), end) {
				return false
			}
			found = true
		}
	}
	return found
}

// reaches reports whether the expression matches in the last clause of the text, so that it applies to what follows.
func reaches(expression *lazyregexp.Regexp, text string) bool {
	for _, m := range expression.FindAllStringIndex(text, -1) {
		if !anotherClause.MatchString(text[m[1]:]) {
			return true
		}
	}
	return false
}

// invokes reports whether the notice proceeds under the section, "73", "74" or "74A", and does not only threaten to
// or name it beside another.
func (r *reading) invokes(section string) bool {
	d := r.doc
	for _, c := range r.cited {
		root, _, _ := strings.Cut(c.number, "(")
		if c.rule || c.other || root != section {
			continue
		}
		s := d.sentence(c.start)
		if !d.contains(s, "failing which", "may be initiated", "shall be initiated", "will be initiated",
			"will be issued", "shall be issued", "may be issued", "as the case may be", "liable to be issued",
			"explanation", "section 73 or", "or section 74", "73/74", "73 or 74") {
			return true
		}
	}
	return false
}
