package cite

import (
	"slices"
	"strings"
	"unicode"

	"munshi/orchestrator/gst/lazyregexp"
)

const (
	nameWord  = `(?:M/[sS]\.? ?|[A-Z][\w.&'’-]*(?:\([A-Z][\w. ]{0,12}\))?)`
	nameLink  = `(?:,? (?:and|of|the|for|&|in|@) (?:the )?| ?, ?|\.? )`
	partyName = nameWord + `(?:` + nameLink + nameWord + `){0,9}`
)

var (
	versus    = lazyregexp.New(` (?:v|vs|V|Vs|VS|v/s|V/s|V/S|versus|Versus|VERSUS)\.?,? (?:the )?`)
	partyEnd  = lazyregexp.New(partyName + `\.?(?: (?:& |and )?(?:ors|others|anr|another|etc)\.?)?$`)
	partyHead = lazyregexp.New(`^` + partyName +
		`(?:,? (?:& |and )?(?:ors|Ors|others|Others|anr|Anr|another|Another)\b\.?)?`)
	inRe     = lazyregexp.New(`\b[Ii]n [Rr]e:? ` + partyName)
	spokenOf = lazyregexp.New(`\b(?:in|of|per|following|under|by|on|the|see) (?:the )?(?:case of |matter of |judgment in |decision in |ruling in )?(` + partyName + `)(?:'s)? (?:judgment|judgement|ruling|decision|case|verdict)\b|\b(?:case of|judgment in|judgement in|decision in|ruling in|relied on in|held in|laid down in|reported as|ratio of|ratio in|law in) (?:M/s\.? )?(` + partyName + `)|\b[Ii]n (` + partyName + `),? (?:\([^)\n]{2,60}\),? )?the (?:Hon'ble |Honourable )?(?:[A-Z]\w+ )?(?:Supreme|High) Court`)
	reporter = lazyregexp.New(`(?i)` + strings.Join([]string{
		`(?:\[(?:19|20)\d\d\]|\((?:19|20)\d\d\)|\b(?:19|20)\d\d)(?: ?\(\d{1,3}\))?,? ?(?:\d{1,3} ?)?(?:suppl?\.? ?(?:\(\d\) ?)?)?(?:scc|scr|air|elt|e\.l\.t\.|gstl|g\.s\.t\.l\.|gstr|g\.s\.t\.r\.|gst|stt|str|s\.t\.r\.|vst|taxmann(?:\.com)?|tmi|itr|stc|taxman|centax|comp cas|tioln?|gstj|gst-online|bcr|crlj|cri\.? ?l\.? ?j\.?|all er|ac|wlr|insc|jt|scale)(?: online)?(?: ?\([a-z. &]{2,22}\))? \d{1,6}(?: ?\([a-z. &]{2,25}\))?`,
		`\b(?:19|20)\d\d-(?:v?il|tiol)-\d+-[a-z-]+`, `\b(?:19|20)\d\d scc online [a-z]{2,5} \d+`,
		`\bair (?:19|20)\d\d (?:sc|[a-z]{2,4}|supreme court) \d+`, `\bmanu/[a-z]{2,4}/\d+/\d{4}`,
		`\b(?:19|20)\d\d:[a-z]{2,6}(?:-[a-z]{2,4})?:\d+(?:-db)?`,
		`\b\d{1,3} (?:taxmann\.com|gstl|elt|str|itr|scc|vst|stc) \d{1,4}(?: ?\([a-z. &]{2,25}\))?`,
		`\b(?:w\.?p\.?|writ petition|writ tax|writ appeal|w\.a\.|civil appeal|c\.a\.|criminal appeal|special leave petition|s\.?l\.?p\.?|special civil application|r/special civil application|d\.b\. civil writ petition|c\.?w\.?p\.?|mat|wpa|appeal)(?: ?\([a-z. /]{1,12}\))?(?: ?\([a-z]{1,3}\))?,? ?(?:tax )?(?:nos?\.?|number)? ?-? ?\d{1,6}(?:-\d+)? ?(?:of|/) ?(?:19|20)\d\d`,
	}, "|"))
	// caseLink matches what may stand between a case's name and its citation, such as "reported in".
	caseLink = lazyregexp.New(`^[ ,;:(\[-]*(?:reported (?:in|as|at) |supra|decided (?:on|in) )?$`)
)

// courtWords lists words of which every match of spokenOf has at least one. They are checked first, because spokenOf is
// slow and most texts have none.
var courtWords = []string{"judgment", "judgement", "ruling", "decision", "case", "verdict", "relied on in", "held in",
	"laid down in", "reported as", "ratio ", "law in", "Court"}

// notParties has capitalised words that do not occur in case names: returns, forms, things that are compared.
var notParties = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`gstr itc form table books book return returns tax igst cgst sgst cess column actual credit debit input output purchase sales
		turnover invoice invoices e-way eway tds tcs section rule act para annexure notice reply draft facts demand interest penalty old new before after this that these the
		gst r1 gstr-1 gstr-2a gstr-2b gstr-3b gstr-9 gstr-9c 2a 2b 3b 8a claimed available reported declared taxable exempt goods services movable immovable plant machinery fraud
		non-fraud registered unregistered dealer composition regular credits debits amount amounts difference period fy april march liability income-tax portal ledger reconciliation
		show cause supreme high court tribunal hon'ble department officer proper commissioner state central union india each such present instant same own first second third last leading landmark
		relevant recent earlier later above your our his her their any no every general specific worst best-case test strong weak special civil criminal bank's client's taxpayer's noticee noticee's apex
		division single full bench constitution your it in if i we you he she and or but as at on of to by for from with without all some most many one two use base business edge scn drc drc-01 drc-07 asmt-10
		justice january february march april may june july august september october november december`) {
		m[w] = true
	}
	return m
}()

// partyWords matches words that show that a name is a party's, such as "Union of India".
var partyWords = lazyregexp.New(`\b(?:Union of India|UOI|State of|Commissioner|Principal Commissioner|CCE|CIT|CGST|CST|Collector|Superintendent|Assistant|Deputy|Joint|Director|DGGI|Ltd|Limited|Pvt|Private|LLP|Traders?|Enterprises?|Industr(?:y|ies)|Corporation|Corpn|Company|Co|Sons|Bros|Brothers|Steels?|Shri|Smt|M/s|Agenc(?:y|ies)|Exports?|Energy|Airtel|Retreats|Municipal|Authority|Board|Bank|University|Trust|Society|Officer|Department|Government|Govt)\b`)

// judgments marks the cases that the text names and the reports that it cites.
func judgments(p *plain, c Context) []Mark {
	var spans [][2]int
	named := 0 // where the name of the second party of the case before begins
	for _, m := range versus.FindAllStringIndex(p.text, -1) {
		from := max(0, m[0]-110)
		if i := strings.LastIndexAny(p.text[from:m[0]], "\n|;:"); i >= 0 {
			from += i + 1
		}
		left := partyEnd.FindStringIndex(p.text[from:m[0]])
		right := partyHead.FindStringIndex(p.text[m[1]:min(m[1]+120, len(p.text))])
		if left == nil || right == nil {
			continue
		}
		a, b := from+left[0], m[1]+right[1]
		a = withoutLead(p.text, a, m[0])
		if a >= m[0] || !isParty(p.text[a:m[0]]) || !isParty(p.text[m[1]:b]) {
			continue
		}
		b = withoutTail(p.text, m[1], b)
		if n := len(spans); n > 0 && a < spans[n-1][1] && named < m[0] {
			if end, begin := apartAt(p.text, named, m[0]); begin > 0 {
				spans[n-1][1], a = end, begin
			}
		}
		spans, named = append(spans, [2]int{a, b}), m[1]
	}
	spans = append(spans, hindiCases(p.text)...)
	for _, m := range inRe.FindAllStringIndex(p.text, -1) {
		spans = append(spans, [2]int{m[0], m[1]})
	}
	var spoken [][]int
	if slices.ContainsFunc(courtWords, func(word string) bool { return strings.Contains(p.text, word) }) {
		spoken = spokenOf.FindAllStringSubmatchIndex(p.text, -1)
	}
	for _, m := range spoken {
		for g := 1; g <= 3; g++ {
			if m[2*g] < 0 {
				continue
			}
			a := withoutLead(p.text, m[2*g], m[2*g+1])
			b := withoutTail(p.text, a, m[2*g+1])
			if a < b && isParty(p.text[a:b]) && (g != 1 || b-a > 4) {
				spans = append(spans, [2]int{a, b})
			}
		}
	}
	if strings.ContainsAny(p.text, "0123456789") {
		for _, m := range reporter.FindAllStringIndex(p.text, -1) {
			spans = append(spans, [2]int{m[0], m[1]})
		}
	}
	var marks []Mark
	for _, s := range merged(p.text, spans) {
		if s[1]-s[0] < 400 { // a longer one is not a name
			marks = append(marks, judge(p.text[s[0]:s[1]], s, c))
		}
	}
	return marks
}

// apartAt returns where one case ends and the next begins in a list such as "A v. B, C v. D". from and to enclose the
// text between the two "v.", which has a name of each case. begin is 0 if nothing divides it.
func apartAt(s string, from, to int) (end, begin int) {
	for _, sign := range []string{", ", " and "} {
		if i := strings.LastIndex(s[from:to], sign); i > 0 {
			return from + i, from + i + len(sign)
		}
	}
	return 0, 0
}

// judge returns a mark for a cited case, which says whether the person supplied the case.
func judge(quote string, s [2]int, c Context) Mark {
	m := Mark{Start: s[0], End: s[1], Kind: Judgment, Provision: quote, Verdict: NotVerified}
	m.say("judgment_unknown", nil)
	said := letters(quote)
	for _, a := range c.Authorities {
		if SameAuthority(quote, a) {
			m.Verdict = Supplied
			m.say("judgment_supplied", nil)
			return m
		}
	}
	if c.Notice != nil && len(said) > 8 && strings.Contains(letters(c.Notice.Text), said) {
		m.say("judgment_of_notice", nil)
	}
	return m
}

// SameAuthority reports whether a text and the citation of a supplied case mean the same case, however shortened.
func SameAuthority(quote, citation string) bool {
	said, given := letters(quote), letters(citation)
	return given != "" && (contains(given, said) || contains(said, given) || sameCase(quote, citation))
}

// contains reports whether the longer text contains the shorter, which must be long enough to be meaningful.
func contains(long, short string) bool { return len(short) >= 8 && strings.Contains(long, short) }

// sameCase reports whether two citations have the same two parties in the same order, however shortened.
func sameCase(a, b string) bool {
	a, b = withoutReport(a), withoutReport(b)
	ma, mb := versus.FindStringIndex(a), versus.FindStringIndex(b)
	if ma == nil || mb == nil {
		return false
	}
	return sameParty(a[:ma[0]], b[:mb[0]]) && sameParty(a[ma[1]:], b[mb[1]:])
}

// withoutReport returns the names in a citation, without the reference to a law report.
func withoutReport(citation string) string {
	if at := reporter.FindStringIndex(citation); at != nil && at[0] > 0 {
		return citation[:at[0]]
	}
	return citation
}

func sameParty(a, b string) bool {
	wa, wb := partyKey(a), partyKey(b)
	return len(wa) > 0 && len(wb) > 0 && (wa[0] == wb[0] || isInitials(wa, wb) || isInitials(wb, wa))
}

// isInitials reports whether a is the initials of b, as "CTT" is of "Commissioner of Trade and Taxes".
func isInitials(a, b []string) bool {
	initials := ""
	for _, w := range b {
		if w != "of" && w != "and" {
			initials += w[:1]
		}
	}
	return len(a) == 1 && len(a[0]) > 1 && strings.HasPrefix(initials, a[0])
}

var notKey = map[string]bool{"m": true, "s": true, "ms": true, "the": true, "shri": true, "smt": true}

func partyKey(s string) []string {
	var key []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if !notKey[w] {
			key = append(key, w)
		}
	}
	if len(key) > 2 && key[0] == "union" && key[2] == "india" {
		key[0] = "uoi"
	}
	return key
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// withoutLead returns the offset at which a name in s[from:to] begins, after words that belong to the sentence: "In",
// "See", "The Supreme Court in".
func withoutLead(s string, from, to int) int {
	words := leadWord.FindAllStringIndex(s[from:to], -1)
	for _, w := range words {
		word := strings.Trim(lowerASCII(s[from+w[0]:from+w[1]]), ".,: ")
		if !leads[word] {
			return from + w[0]
		}
	}
	return to
}

var (
	leadWord = lazyregexp.New(`[^ ]+`)
	leads    = func() map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(`in see also as per the following relying on upon under this that case of matter hon'ble supreme high court held cited citing case cases judgment decision ruling
			and by noticee relies reliance is placed our your further however thus hence moreover similarly like unlike cf e.g i.e where here there it while since when although reference section rule para point 1 2 3 4 5 authorities authority law
			apex delhi bombay madras calcutta gujarat karnataka kerala allahabad patna orissa telangana rajasthan landmark leading recent well-known
			does did do is was can could will would should has have had what how why after`) {
			m[w] = true
		}
		return m
	}()
)

// withoutTail returns the offset at which the name in s[from:to] ends, without the continuation of the sentence after
// it: "… Union of India, The Court".
func withoutTail(s string, from, to int) int {
	name := s[from:to]
	for _, stop := range []string{", The ", ". The ", ", It ", ". It ", ". In ", ", In ", " In ", " Section",
		", Section", ". Section", ", Supreme", ", Delhi", ", Bombay", ", Madras", ", Calcutta", ", Gujarat",
		". Therefore", ". Hence", ". This", ", WP", ", W.P", ", Civil", ", AIR"} {
		if i := strings.Index(name, stop); i > 0 {
			name = name[:i]
		}
	}
	if i := strings.Index(name, ". "); i > 0 && len(name[:i]) > 3 && !abbreviation.MatchString(name[max(0, i-6):i]) &&
		!strings.HasSuffix(name[:i], "M/s") && !strings.HasSuffix(name[:i], "Corpn") {
		name = name[:i]
	}
	return from + len(strings.TrimRight(name, " ,.;"))
}

// isParty reports whether the words can be a party to a case, and not things that are compared.
func isParty(name string) bool {
	if partyWords.MatchString(name) {
		return true
	}
	named := false
	for w := range strings.FieldsSeq(name) {
		w = strings.Trim(w, ".,;:()'\"")
		low := lowerASCII(w)
		if len(low) < 2 || !isUpper(w[0]) {
			continue
		}
		if notParties[low] || strings.HasPrefix(low, "gstr") || strings.HasPrefix(low, "drc") ||
			strings.HasPrefix(low, "asmt") {
			continue
		}
		if strings.ToUpper(w) == w && len(w) < 4 && strings.ContainsAny(w, "0123456789") {
			continue
		}
		named = true
	}
	return named
}

// hindiCases returns the offsets of cases that are named as "X बनाम Y".
func hindiCases(s string) [][2]int {
	const word = "बनाम"
	var spans [][2]int
	for at := 0; ; {
		i := strings.Index(s[at:], " "+word+" ")
		if i < 0 {
			return spans
		}
		mid := at + i
		from, to := mid, mid+len(word)+2
		for range 3 { // further words may belong to the sentence, not the name
			first := max(0, from-80)
			j := first + strings.LastIndexAny(s[first:from], " \n|(,")
			if j < first || s[j+1:from] == "" || stopHindi[s[j+1:from]] {
				break
			}
			from = j
			if s[j] != ' ' {
				break
			}
		}
		from = min(from+1, mid)
		for range 3 {
			end := strings.IndexAny(s[to:min(to+100, len(s))], " \n|),।")
			if end < 0 {
				break
			}
			if stopHindi[s[to:to+end]] || end == 0 {
				break
			}
			to += end
			if to >= len(s) || s[to] != ' ' {
				break
			}
			to++
		}
		spans = append(spans, [2]int{from, len(strings.TrimRight(s[:to], " "))})
		at = to
		if at >= len(s) {
			return spans
		}
	}
}

var stopHindi = map[string]bool{"में": true, "के": true, "का": true, "की": true, "को": true, "ने": true, "और": true,
	"मामले": true, "निर्णय": true, "है": true, "पर": true, "से": true, "कि": true, "वाद": true, "जैसे": true,
	"मामला": true}

// merged joins spans that overlap, and the name of a case with the citation after it. It does not join two cases of a
// list.
func merged(s string, spans [][2]int) [][2]int {
	slices.SortStableFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	var out [][2]int
	for _, span := range spans {
		if n := len(out); n > 0 {
			last := &out[n-1]
			if span[0] < last[1] || span[0]-last[1] < 40 && caseLink.MatchString(s[last[1]:span[0]]) &&
				isReport(s[span[0]:span[1]]) {
				last[1] = max(last[1], span[1])
				continue
			}
		}
		out = append(out, span)
	}
	return out
}

// isReport reports whether a text begins with the reference to a law report, and not with the name of a case.
func isReport(s string) bool {
	at := reporter.FindStringIndex(s)
	return at != nil && at[0] == 0
}
