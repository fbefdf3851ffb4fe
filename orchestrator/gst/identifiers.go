package gst

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"munshi/orchestrator/gst/lazyregexp"
)

// gstin is a GSTIN in the text.
type gstin struct {
	span
	number   string
	valid    bool // its check digit is right
	repaired bool // look-alike characters were corrected
}

const gstinLength = 15

// gstinShape is the format of a GSTIN: d is a digit, L a letter, a either. The fourteenth character is Z for an
// ordinary taxpayer; tax deductors, input service distributors and others have another letter.
const gstinShape = "ddLLLLLddddLaLa"

// parseGSTIN parses a word of fifteen letters and digits. The format corrects look-alike characters from text
// recognition; where it allows both a letter and a digit, the check digit decides, if the page was recognised.
func parseGSTIN(word string, recognised bool) (number string, valid, repaired, ok bool) {
	if len(word) != gstinLength {
		return "", false, false, false
	}
	number, repairs, ok := fitShape(word, gstinShape)
	if !ok || repairs > 3 || !isState(number[:2]) || number[12] == '0' && !recognised {
		return "", false, false, false
	}
	if number[13] == '2' {
		return "", false, false, false
	}
	if valid = checkDigit(number) == number[14]; valid || !recognised {
		return number, valid, repairs > 0, true
	}
	for _, i := range [...]int{12, 14} {
		if i == 12 && isDigit(number[i]) {
			continue // nearly always a digit, as it is here
		}
		if i == 14 && isLetter(number[12]) && lookalike(number[12]) != number[12] {
			break // one check digit cannot decide about two places
		}
		b := []byte(number)
		b[i] = lookalike(b[i])
		if candidate := string(b); candidate != number && checkDigit(candidate) == candidate[14] {
			return candidate, true, true, true
		}
	}
	if strings.IndexByte("ILO", number[12]) >= 0 { // the first registration in a State, misread
		return number[:12] + "1" + number[13:], false, true, true
	}
	return number, false, repairs > 0, true
}

// roundLetter returns the number with Q or D where text recognition read a zero for a letter, if the check digit then
// fits exactly one of them. Else it returns "".
func roundLetter(word, number string) (found string) {
	for i := range gstinLength {
		if gstinShape[i] != 'L' || word[i] != '0' {
			continue
		}
		for _, c := range "QD" {
			if other := number[:i] + string(c) + number[i+1:]; checkDigit(other) == other[14] {
				if found != "" {
					return ""
				}
				found = other
			}
		}
	}
	return found
}

// fitShape replaces look-alike characters by letters or digits as the format requires, where that is possible.
func fitShape(word, shape string) (fitted string, repairs int, ok bool) {
	b := []byte(strings.ToUpper(word))
	for i, c := range b {
		switch want := shape[i]; {
		case want == 'd' && !isDigit(c):
			b[i] = digitFor(c)
		case want == 'L' && !isLetter(c):
			b[i] = letterFor(c)
		}
		if b[i] == 0 {
			return "", 0, false
		}
		if b[i] != c {
			repairs++
		}
	}
	return string(b), repairs, true
}

func digitFor(c byte) byte {
	switch c {
	case 'O', 'Q', 'D':
		return '0'
	case 'I', 'L':
		return '1'
	case 'Z':
		return '2'
	case 'S':
		return '5'
	case 'G':
		return '6'
	case 'B':
		return '8'
	}
	return 0
}

func letterFor(c byte) byte {
	switch c {
	case '0':
		return 'O'
	case '1':
		return 'I'
	case '2':
		return 'Z'
	case '5':
		return 'S'
	case '6':
		return 'G'
	case '8':
		return 'B'
	}
	return 0
}

func lookalike(c byte) byte {
	if other := digitFor(c); isLetter(c) && other != 0 {
		return other
	}
	if other := letterFor(c); isDigit(c) && other != 0 {
		return other
	}
	return c
}

// checkDigit computes the fifteenth character of a GSTIN from the first fourteen: base 36, with alternating weights 1
// and 2.
func checkDigit(number string) byte {
	const code = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	sum := 0
	for i := range gstinLength - 1 {
		v := strings.IndexByte(code, number[i]) * (1 + i%2)
		sum += v/36 + v%36
	}
	return code[(36-sum%36)%36]
}

// isState reports whether two digits are the code of a State or territory.
func isState(code string) bool {
	return code >= "01" && code <= "38" || code == "97" || code == "99"
}

// scanGSTINs returns every GSTIN in the text, including those of suppliers.
func scanGSTINs(d *document) []gstin {
	var found []gstin
	for at := 0; at < len(d.text); {
		if !isAlnum(d.text[at]) {
			at++
			continue
		}
		end := at
		for end < len(d.text) && isAlnum(d.text[end]) {
			end++
		}
		if n := end - at; n == gstinLength {
			if g, ok := d.gstinAt(span{at, end}, d.text[at:end]); ok {
				found = append(found, g)
			}
		} else if n >= 2 && n <= gstinLength+1 && (isDigit(d.text[at]) || d.isRecognised(at)) {
			if g, ok := d.brokenGSTIN(at); ok {
				found = append(found, g)
				end = g.end
			}
		}
		at = end
	}
	return found
}

func (d *document) gstinAt(s span, word string) (gstin, bool) {
	number, valid, repaired, ok := parseGSTIN(word, d.isRecognised(s.start))
	if state := d.portalState(); !valid && len(state) == 2 && len(word) == gstinLength && d.isRecognised(s.start) &&
		gstinLabel.MatchString(d.lowIn(s.start-60, s.start)) {
		// The State is misread, and the check digit confirms everything else.
		if mended, right, _, fits := parseGSTIN(state+word[2:], true); fits && right &&
			strings.ToUpper(word)[14] == mended[14] {
			return gstin{s, mended, true, true}, true
		}
	}
	if upper := strings.ToUpper(word); strings.HasPrefix(upper, "OO") && len(word) == gstinLength &&
		d.isRecognised(s.start) {
		// No State has 00; the check digit confirms 09.
		if mended, right, _, fits := parseGSTIN("09"+word[2:], true); fits && right && upper[14] == mended[14] {
			return gstin{s, mended, true, true}, true
		}
	}
	if ok && !valid && d.isRecognised(s.start) && s.end-s.start == len(word) {
		if other := roundLetter(word, number); other != "" {
			return gstin{s, other, true, true}, true
		}
	}
	return gstin{s, number, valid, repaired}, ok
}

// portalState returns the State code in the first portal number at the head of the paper, or "" if there is none.
func (d *document) portalState() string {
	if d.stateRead {
		return d.state
	}
	d.stateRead = true
	eachWord(d.text, d.head(), func(s span) {
		if rfn, _, ok := parseRFN(d.text[s.start:s.end]); ok && rfn[0] == 'Z' && d.state == "" {
			d.state = rfn[2:4]
		}
	})
	return d.state
}

// noisyGSTIN parses a number into which text recognition inserted one character too many: a labelled one, or one that
// is alone on its line and has a right check digit. It succeeds only if leaving out one character gives exactly one number with a right check digit or, if there is none
// such, exactly one of the right format.
func (d *document) noisyGSTIN(s span, word string) (gstin, bool) {
	labelled := gstinLabel.MatchString(d.lowIn(s.start-60, s.start))
	if !d.isRecognised(s.start) || !labelled && d.lines[d.lineAt(s.start)].span != s {
		return gstin{}, false
	}
	readings := map[bool]map[string]gstin{true: {}, false: {}}
	for i := range word {
		if g, ok := d.gstinAt(s, word[:i]+word[i+1:]); ok {
			g.repaired = true
			if short := word[:i] + word[i+1:]; g.valid && strings.ToUpper(short)[14] != g.number[14] {
				continue // a check digit that was changed to fit proves nothing
			}
			readings[g.valid][g.number] = g
		}
	}
	for _, valid := range [...]bool{true, false} {
		if len(readings[valid]) > 0 && (valid || labelled) {
			for _, g := range readings[valid] {
				return g, len(readings[valid]) == 1
			}
		}
	}
	return gstin{}, false
}

// brokenGSTIN parses a number that is broken by spaces or dashes, "29 AAACB 1234 C1ZB". It is accepted only if the
// check digit is right.
func (d *document) brokenGSTIN(at int) (gstin, bool) {
	var word []byte
	end := at
	for end < len(d.text) && len(word) <= gstinLength && end-at < gstinLength+8 {
		c := d.text[end]
		if isAlnum(c) {
			word = append(word, c)
		} else if len(word) >= gstinLength || strings.IndexByte(" -.)(", c) < 0 {
			break
		}
		end++
	}
	if end < len(d.text) && isAlnum(d.text[end]) {
		return gstin{}, false
	}
	s := span{at, end}
	if len(word) == gstinLength+1 {
		return d.noisyGSTIN(s, string(word))
	}
	g, ok := d.gstinAt(s, string(word))
	if g.repaired && !d.isRecognised(at) {
		return gstin{}, false // words and figures of a sentence, taken for a misread number
	}
	return g, ok && g.valid
}

// readIdentifiers reads the noticee's GSTIN, the notice's own number and the DIN.
func (r *reading) readIdentifiers() {
	r.readGSTIN()
	r.readDIN()
	r.readReference()
}

// leastGSTIN is the chance from which a number is accepted as the addressee's.
const leastGSTIN = 0.7

// readGSTIN reads the GSTIN of the addressee: one with its own label, or in the sentence that names the noticee, but
// never one from a table of suppliers.
func (r *reading) readGSTIN() {
	const most = 2000
	d := r.doc
	found := scanGSTINs(d)
	count := map[string]int{}
	for _, g := range found {
		count[g.number]++
	}
	var all []candidate
	valid := map[string]bool{}
	for _, g := range found[:min(len(found), most)] {
		noted := r.noteGSTIN(g, count[g.number] > 1, len(count) == 1)
		r.record(GSTINQuestion, g.number, noted)
		c := candidate{span: g.span, value: g.number, repairs: g.repaired}
		r.weighLearned(&c, GSTINQuestion, "own", r.judge(GSTINQuestion, noted).Chances["own"], noted)
		valid[c.value] = g.valid
		all = append(all, c)
	}
	sorted := r.consider("gstin", all)
	won, ok := best(sorted, logit(leastGSTIN), 0.5)
	if !ok && len(r.facts.OCRPages) == 0 { // less likely by itself, but no other comes close
		won, ok = best(sorted, 0, 1)
	}
	if !ok {
		r.offer("gstin")
		return
	}
	r.facts.GSTIN, r.facts.GSTINValid = &won.value, ptr(valid[won.value])
	r.gstinAt = won.span
	r.citeAs("gstin", won.span, won.repairs)
}

var (
	gstinLabel = lazyregexp.New(`(?:gst[ _.]?[il1]?n|unique id|uin|gst ?(?:regn?\.?|registration|reg\.?)? ?(?:no|number|id)|(?:registration|regn\.?|identification)(?: (?:no|number|id))?|registered under|जीएसटीआईएन|जी\.?एस\.?टी\.?(?:आई\.?एन|नं|संख्या)?|पंजीयन (?:संख्या|क्रमांक))[^a-z0-9]*(?:\(if [a-z]+\)[^a-z0-9]*|(?:/|of the)? ?(?:id|uin|no|number|unique id|noticee|tax ?payer|registered person|dealer|temporary id|is)[^a-z0-9]*)*$`)
	otherParty = lazyregexp.New(`supplier|vendor|recipient of|e-?commerce|transporter|consign|counter ?part|seller|purchased from|deductor|gstin of the s|आपूर्तिकर्ता|विक्रेता`)
	ourParty   = lazyregexp.New(`noticee|tax ?payer|you are registered|having gstin|holding gstin|bearing gstin|hereinafter|in the matter of|carrying on business|^to\b|\byour (?:firm|company|concern|business|unit|registration)\b|person addressed`)
	// ownerOfGoods matches "owner of the goods", by which a notice on goods in transit means the consignor or the
	// consignee.
	ownerOfGoods = lazyregexp.New(`\bowner of (?:the )?(?:goods|conveyance)`)
	// fromFirm matches the name of a firm that supplied something, up to the label of its GSTIN: that number is not the
	// addressee's.
	fromFirm = lazyregexp.New(`\b(?:from|supplied by|issued by|invoices of) (?:m/ ?s\.?|messrs\.?) [^;()]{3,70}[,(] ?(?:gst ?in|gst no)?[^a-z0-9]{0,4}$`)
	// namedSo matches words after a GSTIN by which its holder is called the noticee from then on, such as
	// "(hereinafter".
	namedSo = lazyregexp.New(`^[ ),;]*\(?(?:hereinafter|here-in-after|"?the (?:noticee|tax ?payer))`)
)

// noteGSTIN returns the observations that show whether a number is the addressee's.
func (r *reading) noteGSTIN(g gstin, again, only bool) []string {
	d := r.doc
	o := d.observe(g.span)
	i := d.lineAt(g.start)
	l := d.lines[i]
	sentence := d.sentence(g.start)
	near := l.beside(g.start)
	left, before := "", d.low[max(0, g.start-120):g.start] // the words that label it, and those near it
	if c := l.cellOf(g.start); len(l.cells) <= 2 {
		if left = d.cellBeside(i, c); otherParty.MatchString(left) || ownerOfGoods.MatchString(left) {
			before = left + d.lowIn(l.cells[c].start, g.start) // a row of a form
		}
	}
	o.noteIf(gstinLabel.MatchString(strings.TrimSpace(left)+" ") ||
		gstinLabel.MatchString(d.lowIn(g.start-60, g.start)), "labelled as a GSTIN")
	o.noteIf(g.start-l.start < 4 && l.end-g.end < 40, "alone on its line")
	switch head := g.start < d.head().end; {
	case head && i < r.body() || i >= r.body() && r.heads(i):
		o.note("above the running text")
	case head:
		o.note("on the first page")
	default:
		o.note("behind the first page")
	}
	ours := ourParty.MatchString(d.lowIn(max(sentence.start, g.start-300), g.end)) ||
		ourParty.MatchString(d.lowIn(near.start, near.end)) || namedSo.MatchString(d.lowIn(g.end, g.end+50))
	o.noteIf(ours, "the sentence names the noticee")
	o.noteIf(!ours && i >= r.body() && d.isProse(l), "in a sentence that does not name the noticee")
	o.noteIf(ownerOfGoods.MatchString(left), "the owner of the goods, to whom they may be released")
	o.noteIf(otherParty.MatchString(d.lowIn(max(l.start, g.start-60), g.start)) || fromFirm.MatchString(before),
		"another party is named before it")
	o.noteIf(otherParty.MatchString(before) && !d.contains(sentence, "noticee", "hereinafter"),
		"another party is named near it")
	o.noteIf(len(l.cells) > 3 && !r.heads(i), "in a row of a table")
	o.noteIf(g.valid, "its check digit is right")
	o.noteIf(again, "printed again")
	o.noteIf(only, "the only one")
	return o.all
}

var dinLabel = lazyregexp.New(`(?:\b(?:cbic-? ?)?d\.?[il1]\.?n\.?\b|document identification n(?:umber|o)|डिन|दस्तावेज़? पहचान संख्या)(?: ?\(?(?:no|number|cbic)\.?\)?)?[^a-z0-9]{0,6}`)

// readDIN reads the document identification number: twenty letters and digits that begin with year and month (CBIC
// Circular 122/41/2019), or what a State prints after the word DIN.
func (r *reading) readDIN() {
	d := r.doc
	for _, m := range dinLabel.FindAllStringIndex(d.low[:r.extent()], 12) {
		word, end := "", m[1]
		for end < len(d.text) && end-m[1] < 30 && len(word) < 24 {
			c := d.text[end]
			if isAlnum(c) {
				word += string(c)
			} else if c != ' ' && c != '-' || len(word) == 0 || !continuesDIN(d.text, end, len(word)) {
				break
			}
			end++
		}
		if din, repaired, ok := parseDIN(word, d.isRecognised(m[1])); ok {
			r.facts.DIN = &din
			r.citeAs("din", span{m[1], end}, repaired)
			return
		}
	}
	// Without a label, the number must have an unmistakable format and be at the head of the notice.
	head := d.head()
	for _, m := range bareDIN.FindAllStringIndex(d.text[:min(head.end, 2500)], 3) {
		din := d.text[m[0]:m[1]]
		r.facts.DIN = &din
		r.cite("din", span{m[0], m[1]})
		return
	}
}

var bareDIN = lazyregexp.New(`\b20[12]\d(?:0[1-9]|1[0-2])(?:\d{2}[A-Z]{2}|[A-Z]{2}[A-Z0-9]{2})[0-9A-F]{10}\b`)

// continuesDIN reports whether a number of fewer than twenty characters continues after a gap, instead of being
// followed by another word.
func continuesDIN(text string, at, have int) bool {
	rest := text[min(at+1, len(text)):]
	n := 0
	digit := false
	for n < len(rest) && isAlnum(rest[n]) {
		digit = digit || isDigit(rest[n])
		n++
	}
	return n > 0 && have+n <= 20 && digit
}

// parseDIN parses a document identification number. On a recognised page the format corrects look-alikes: year and
// month, four characters of the office, four zeros, and six hexadecimal digits. One zero too many or too few among
// those in the middle is corrected. A word that begins like such a number but has another length is not trusted.
func parseDIN(word string, recognised bool) (din string, repaired, ok bool) {
	const whole, head = 20, 10
	upper := strings.ToUpper(word)
	if len(word) >= whole-1 && len(word) <= whole+1 && (recognised || len(word) == whole) {
		fitted, repairs, fits := fitShape(upper[:head], "ddddddddLL")
		// the codes of some directorates begin with letters
		if lettered, fewer, ok := fitShape(upper[:head], "ddddddLLaa"); ok && (!fits || fewer < repairs) {
			fitted, repairs, fits = lettered, fewer, ok
		}
		dated := fits && fitted[:2] == "20" && fitted[4:6] >= "01" && fitted[4:6] <= "12"
		if dated && repairs <= 2 {
			tail := upper[head:]
			if recognised {
				tail = strings.Map(func(c rune) rune {
					if d := digitFor(byte(c)); d != 0 && strings.IndexByte("ILOQSZG", byte(c)) >= 0 {
						return rune(d)
					}
					return c
				}, tail)
			} else {
				tail = strings.NewReplacer("O", "0", "I", "1", "L", "1").Replace(tail)
			}
			const noughts, last = "0000", 6
			if rest := len(tail) - last; rest != len(noughts) && rest > 2 && strings.Trim(tail[:rest], "0") == "" {
				tail = noughts + tail[rest:]
			}
			if len(tail) == whole-head {
				din = fitted + tail
				return din, din != word, true
			}
		}
		if dated && recognised {
			return "", false, false
		}
	}
	// States have numbers of their own. A number with only eight digits is a director's.
	digits := strings.IndexFunc(word, func(r rune) bool { return r >= '0' && r <= '9' })
	if len(word) < 14 || digits < 0 || rfnShape(word) {
		return "", false, false
	}
	n := 0
	for i := range len(word) {
		if isDigit(word[i]) {
			n++
		}
	}
	return word, false, n >= 6
}

// parseRFN parses the number that the common portal gives to what it issues: two letters, the State, month and year,
// six digits and a check character whose rule is not published. Some prints omit the last character.
func parseRFN(word string) (rfn string, repaired, ok bool) {
	if len(word) != 15 && len(word) != 14 {
		return "", false, false
	}
	rfn, repairs, ok := fitShape(word, "LLdddddddddddda"[:len(word)])
	if ok && rfn[1] == 'O' {
		rfn, repairs = rfn[:1]+"D"+rfn[2:], repairs+1 // the portal uses no O there
	}
	if !ok || repairs > 3 || !isState(rfn[2:4]) || rfn[4:6] < "01" || rfn[4:6] > "12" || rfn[6:8] < "17" ||
		rfn[6:8] > "59" {
		return "", false, false
	}
	return rfn, repairs > 0, true
}

// spoiltRFN parses a portal number that text recognition broke in two, "ZD330624088 1527H", or whose last letter it
// read as a closing bracket, "ZD161026000914)". limit is the end of the line.
func (d *document) spoiltRFN(s span, limit int) (whole span, rfn string, ok bool) {
	const whole15, leastPart = 15, 6
	word := d.text[s.start:s.end]
	switch n := len(word); {
	case n == whole15-1 && s.end < limit && strings.IndexByte(")]", d.text[s.end]) >= 0 &&
		!strings.ContainsAny(d.text[d.lines[d.lineAt(s.start)].start:s.start], "(["):
		s.end, word = s.end+1, word+"J"
	case n >= leastPart && n < whole15 && s.end+1 < limit && d.text[s.end] == ' ' && isLetter(word[0]):
		end := s.end + 1 + whole15 - n
		if end > limit || end < limit && isAlnum(d.text[end]) {
			return s, "", false
		}
		for _, c := range []byte(d.text[s.end+1 : end]) {
			if !isAlnum(c) {
				return s, "", false
			}
		}
		word += d.text[s.end+1 : end]
		s.end = end
	default:
		return s, "", false
	}
	rfn, _, ok = parseRFN(word)
	return s, rfn, ok
}

func rfnShape(word string) bool {
	_, _, ok := parseRFN(word)
	return ok
}

// otherPaper matches words before a number that make it the number of another paper, such as "refer to" or "earlier".
var otherPaper = lazyregexp.New(`refer to\b|^read\b ?[:.(]|scn ref\S* ?(?:no|number)?\W*$|earlier|bearing|drc ?-? ?01a ref|arn|acknowledg\S*|application ref\S* ?(?:no|number)?\W*$|case proceeding|vide|your ref\S* ?(?:no|number)?\W*$|asmt ?-? ?10 ref|notice ref\S* ?(?:no|number)?\W*$`)

// appealedOrder matches the label of the order against which an appeal was filed; telephone matches the label of a
// telephone number or a PIN code.
var (
	appealedOrder = lazyregexp.New(`\b(?:appealed against|under appeal|impugned)\b`)
	// numberOfAppeal matches the label of the number under which an appeal or a case is registered, such as "Appeal
	// No."
	numberOfAppeal = lazyregexp.New(`\b(?:a\.? ?p|appeal|appl|case|o\.? ?a|w\.? ?p)\b\.? ?(?:no|number)\b[ .:-]*$`)
	telephone      = lazyregexp.New(`\b(?:ph|phone|tel|telephone|mob|mobile|fax|pin)\b[ .:-]*(?:no)?[ .:-]*$`)
)

// leastReference is the chance from which a number is accepted as the paper's own.
const leastReference = 0.3

// readReference finds the paper's own number: the portal's if it is printed, else that of the notice, the letter or
// the file. Numbers of earlier papers are ignored.
func (r *reading) readReference() {
	found := r.numbers()
	portal := slices.ContainsFunc(found, func(c candidate) bool { return c.rfn && r.heads(r.doc.lineAt(c.start)) })
	for i := range found {
		c := &found[i]
		noted := r.noteNumber(*c, portal)
		r.record(ReferenceQuestion, c.value, noted)
		r.weighLearned(c, ReferenceQuestion, "own", r.judge(ReferenceQuestion, noted).Chances["own"], noted)
		switch before := r.doc.labelBefore(c.start); {
		case appealedOrder.MatchString(before):
			c.weigh(-6, "the number of the order under appeal")
		case telephone.MatchString(before):
			c.weigh(-6, "a telephone number")
		case portal && !c.rfn && numberOfAppeal.MatchString(before):
			c.weigh(-6, "the number of the appeal, beside that of the order")
		}
	}
	sorted := r.consider("reference", found)
	won, ok := likeliest(sorted, leastReference)
	if !ok { // a portal number is hardly ever that of another paper if it is the only one
		won, ok = r.onlyPortalNumber(sorted)
	}
	if !ok {
		won, ok = r.onlyOfficeNumber(sorted)
	}
	if !ok {
		return
	}
	r.facts.Reference = &won.value
	r.citeAs("reference", won.span, won.repairs)
}

// onlyPortalNumber returns the portal number at the head of the paper, if it is the only one and is not labelled as
// another paper's.
func (r *reading) onlyPortalNumber(sorted []candidate) (won candidate, ok bool) {
	d := r.doc
	for _, c := range sorted {
		if !c.rfn || !r.heads(d.lineAt(c.start)) || otherPaper.MatchString(d.labelBefore(c.start)) {
			continue
		}
		if ok && c.value != won.value {
			return candidate{}, false
		}
		won, ok = c, true
	}
	return won, ok
}

// onlyOfficeNumber returns the office's number that has a label at the head of the paper, if it is the only one there.
func (r *reading) onlyOfficeNumber(sorted []candidate) (won candidate, ok bool) {
	d := r.doc
	for _, c := range sorted {
		if !r.heads(d.lineAt(c.start)) || strings.Count(c.value, "/") < 2 {
			continue
		}
		before := d.lowIn(max(d.lines[d.lineAt(c.start)].start, c.start-24), c.start)
		if otherPaper.MatchString(before) || !labelOfNumber.MatchString(before) {
			continue
		}
		if ok && c.value != won.value {
			return candidate{}, false
		}
		won, ok = c, true
	}
	return won, ok
}

// labelOfNumber matches the end of a label for the number of a paper or its file, such as "Ref. No."
var labelOfNumber = lazyregexp.New(`(?:\b(?:no|number|ref|reference)|संख्या|सं|क्रमांक|पत्रांक|फाइल)[ .:–-]*$`)

// numbers returns everything that has the format of a number of the portal or of an office, on the first page and at
// the head of the paper that is to be answered.
func (r *reading) numbers() []candidate {
	const most = 200
	d := r.doc
	head := d.head()
	var all []candidate
	var joined []int // where the second halves of numbers begin
	for _, l := range d.lines {
		if l.start >= head.end && (l.start < r.leadTop.start || l.start >= r.leadTop.end) || len(all) >= most {
			continue
		}
		var portal []span
		eachWord(d.text, l.span, func(s span) {
			rfn, repaired, ok := parseRFN(d.text[s.start:s.end])
			if len(rfn) == 14 && d.isRecognised(s.start) {
				if whole, other, closed := d.spoiltRFN(s, l.end); closed {
					s, rfn, repaired = whole, other, true
				}
			}
			// "ZD270326118822)" has lost its last letter.
			if !ok && d.isRecognised(s.start) {
				s, rfn, ok = d.spoiltRFN(s, l.end)
				repaired = true
			}
			if ok && rfn[0] != 'A' && (len(rfn) == 15 || s.end >= len(d.text) || d.text[s.end] == ' ') {
				all = append(all, candidate{span: s, value: rfn, repairs: repaired, rfn: true})
				portal = append(portal, s)
			}
		})
		last := 0
		eachPlace(d.text, l.span, func(at int) {
			if at < last {
				return
			}
			limit := l.end
			if !d.isRecognised(at) { // where recognition inserts gaps into numbers
				limit = l.cells[l.cellOf(at)].end
			}
			s, ok := d.numberAt(at, limit)
			if ok && !notANumber.MatchString(d.low[s.start:s.end]) && !d.isPIN(s) &&
				!containsAny(d.low[s.start:s.end], "//", "@", "www.") &&
				!slices.ContainsFunc(portal, func(p span) bool {
					return s.start < p.end && p.start < s.end
				}) {
				value, repaired := d.numberIn(s)
				if rest := d.restOfNumber(s); rest != "" {
					value += rest
					if below, ok := d.wrappedInto(d.lineAt(s.start), d.lines[d.lineAt(s.start)].cellOf(s.start)); ok {
						joined = append(joined, below.start)
					}
				}
				if slices.Contains(joined, s.start) {
					return // the second half of a number
				}
				all = append(all, candidate{span: s, value: value, repairs: repaired})
				last = s.end
			}
		})
	}
	return all
}

// restOfNumber returns the continuation, in the cell below, of a number that ends its cell with a dash or a slash,
// because a narrow column broke it there.
func (d *document) restOfNumber(s span) string {
	i := d.lineAt(s.start)
	l := d.lines[i]
	c := l.cellOf(s.start)
	if end := l.cells[c].end; end != s.end+1 || d.text[s.end] != '-' && d.text[s.end] != '/' {
		return ""
	}
	sign := d.text[s.end : s.end+1]
	below, ok := d.wrappedInto(i, c)
	if !ok {
		return ""
	}
	if more := restOfNumber.FindString(d.text[below.start:below.end]); strings.ContainsAny(more, "0123456789") {
		return sign + more
	}
	return ""
}

// restOfNumber matches the second half of a number that a narrow column broke in two. It is alone in its cell or before
// the date.
var restOfNumber = lazyregexp.New(`^[A-Za-z0-9()&.]+(?:[/-][A-Za-z0-9()&.]+)*`)

// isPIN reports whether something that looks like a number is a town and the first half of its PIN code: "Nashik-422
// 010".
func (d *document) isPIN(s span) bool {
	return townAndCode.MatchString(d.low[s.start:s.end]) && restOfCode.MatchString(d.lowIn(s.end, s.end+5))
}

var (
	townAndCode = lazyregexp.New(`^[a-z.]+-[1-9][0-9]{2}$`)
	restOfCode  = lazyregexp.New(`^ [0-9]{3}(?:[^0-9]|$)`)
)

// eachPlace calls visit for each offset in a line at which a word begins or continues after a colon, bracket or dash.
func eachPlace(text string, l span, visit func(at int)) {
	for at := l.start; at < l.end; at++ {
		if text[at] != ' ' && (at == l.start || strings.IndexByte(" :(-", text[at-1]) >= 0) {
			visit(at)
		}
	}
}

// notANumber matches words that have the format of an office's number but are a year, provisions, a return, a PIN code
// or an amount.
var notANumber = lazyregexp.New(`^(?:(?:20)?[0-9]{2}-(?:20)?[0-9]{2}|[0-9]{1,3}[a-z]{0,2}(?:\([0-9a-z]+\))*(?:[/-][0-9]{1,3}[a-z]{0,2}(?:\([0-9a-z]+\))*)*|(?:form[ -]*)?(?:gst[ -]*)?(?:form|gst|gstr|drc|asmt|adt|reg|rfd|mov|cmp|apl|pct|spl|itc|ins)[ -]*[0-9]{1,2}[a-z]{0,2}(?:[/-].{0,8})?|[0-9,.]+/-|[a-z]+-[0-9]{1,2}|(?:[a-z]+[a-z.]*)?-? ?[1-9][0-9]{2} ?[0-9]{3}|-.*|rs\.?[0-9,./-]+)$`)

// numberIn returns an office's number as printed, correcting letters that recognition confused with digits.
func (d *document) numberIn(s span) (number string, repaired bool) {
	number = d.text[s.start:s.end]
	if !d.isRecognised(s.start) {
		return number, false
	}
	plain := strings.ReplaceAll(number, " ", "")
	number = digitRun.ReplaceAllStringFunc(plain, func(run string) string {
		if strings.ContainsAny(run, "123456789") {
			return strings.ReplaceAll(run, "O", "0") // "2O25" between slashes is a year
		}
		return run
	})
	number = zeroBeforeLetters.ReplaceAllString(number, "O$1")
	return number, number != plain
}

// noteNumber returns the observations that show whether a number is the paper's own.
func (r *reading) noteNumber(c candidate, portal bool) []string {
	d := r.doc
	o := d.observe(c.span)
	i := d.lineAt(c.start)
	l := d.lines[i]
	low := d.low[c.start:c.end]
	if !c.rfn {
		low += lowerASCII(d.restOfNumber(c.span))
	}
	switch {
	case c.rfn:
		o.note("a number of the portal, " + c.value[:2])
		o.noteIf(r.isOrder(), "a number of the portal on an order")
	case portal:
		o.note("an office's number beside one of the portal")
	default:
		o.note("an office's number")
	}
	slashes := strings.Count(low, "/")
	o.note("slashes " + strconv.Itoa(min(slashes, 4)))
	o.noteIf(len(low) < 8, "short")
	o.noteIf(len(low) > 18, "long")
	o.noteIf(strings.Trim(low, "0123456789/-") == "", "no letters in it")
	o.noteIf(yearIn.MatchString(low), "a year in it")
	o.noteIf(r.heads(i), "above the running text")
	o.noteIf(i < 4, "in the first lines")
	o.noteIf(r.heads(i) && titledNumber.MatchString(d.lowIn(l.start, c.start)), "behind the title of the paper")
	o.noteIf(r.hasTitledNumber() && fileNumber.MatchString(d.lowIn(l.start, c.start)),
		"the number of a file, beside the paper's")
	o.noteIf(c.start == l.start, "opens its line")
	o.noteIf(r.inReferences(i), "in a list of references")
	o.noteIf(subjectLine.MatchString(d.low[l.start:l.end]), "in the subject")
	o.noteIf(len(d.datesIn(l.beside(c.start))) > 0, "on a line with a date")
	o.noteIf(strings.Contains(d.lowIn(l.start, l.end), "din"), "on a line with a DIN")
	o.noteIf(strings.Count(d.low[d.head().start:d.head().end], low) > 1, "printed again")
	if g := r.facts.GSTIN; g != nil && c.rfn {
		o.noteIf(c.value[2:4] == (*g)[:2], "of the noticee's State")
	}
	return o.all
}

// hasTitledNumber reports whether a number follows the title of the paper.
func (r *reading) hasTitledNumber() bool {
	d := r.doc
	return slices.ContainsFunc(d.lines[:min(len(d.lines), r.body()+1)], func(l line) bool {
		return titleNumbered.MatchString(d.low[l.start:l.end])
	})
}

var (
	titleNumbered = lazyregexp.New(`^(?:show[ -]cause[ -]notice|scn|order[ -]in[ -](?:original|appeal)|demand notice)[ ,-]*(?:no|number|#)[ .:,-]*[a-z0-9(/-]*[0-9]`)
	// titledNumber matches the title of a paper that its number follows, such as "SHOW CAUSE NOTICE No."; fileNumber
	// matches the label of its file number.
	titledNumber = lazyregexp.New(`^(?:show[ -]cause[ -]notice|scn|order[ -]in[ -](?:original|appeal)|notice|order|demand notice|summons|audit report|intimation|memo(?:randum)?)[ ,-]*(?:no|number|#)[ .:,-]*$`)
	fileNumber   = lazyregexp.New(`(?:\b(?:f|c|file) ?\.? ?(?:no|number)|फा ?\.? ?सं|फाइल)[ ./:a-z-]*$`)
)

var yearIn = lazyregexp.New(`(?:^|[^0-9])(?:20[12][0-9]|[12][0-9]-[12][0-9])(?:[^0-9]|$)`)

var (
	referenceList = lazyregexp.New(`^(?:ref(?:erence)?s?|read|संदर्भ|सन्दर्भ)\.? ?[:.-]+ ?\(?(?:1|i|a)[.)]`)
	referenceItem = lazyregexp.New(`^\(?(?:\d|[ivx]{1,4}|[a-h])[.)]`)
)

// inReferences reports whether a line belongs to the list of papers that a letter refers to: "Ref: 1. Show cause
// notice … 2. Reminder …".
func (r *reading) inReferences(line int) bool {
	d := r.doc
	for i := line; i >= max(0, line-6); i-- {
		switch low := d.low[d.lines[i].start:d.lines[i].end]; {
		case referenceList.MatchString(low):
			return true
		case !referenceItem.MatchString(low) && i < line && d.lines[i+1].first:
			return false
		}
	}
	return false
}

// labelBefore returns the words before the offset on its line or, if there are none, the line above.
func (d *document) labelBefore(offset int) string {
	i := d.lineAt(offset)
	start := d.lines[i].start
	if offset-start < 3 && i > 0 {
		start = d.lines[i-1].start
	}
	return andDate.ReplaceAllString(d.lowIn(max(start, offset-60), offset), "")
}

// andDate matches the words "and date" at the end of a label for a number and its date.
var andDate = lazyregexp.New(` ?(?:&|and) date\W*$`)

var subjectLine = lazyregexp.New(`^(?:sub|subject|ref|reference|विषय|please refer|read)\b ?\.? ?[:-]+ ?(?:[a-z]{2,} |\d[.)])`)

// numberAt parses an office's number, "V(GST)15-33/JC/ADJ/2025": no spaces except beside its slashes, at least one
// digit, and a slash or a dash.
func (d *document) numberAt(at, limit int) (span, bool) {
	if at < limit && d.isRecognised(at) && strings.IndexByte("!|'", d.text[at]) >= 0 {
		at++ // a slash before the number
	}
	if dates := d.datesIn(span{at + 1, limit}); len(dates) > 0 {
		limit = dates[0].start // its date follows: "V/15-22/Adj/2025 / 4 May 2025"
	}
	end := at
	for end < limit {
		c := d.text[end]
		if c == ' ' {
			if next, _, _ := strings.Cut(d.text[end+1:limit], " "); end-at < 9 && strings.Count(next, "/") > 1 &&
				strings.ContainsAny(d.text[at:end], "0123456789") {
				end += 1 + len(next) // "V(18) Ref/DC/MBD/77/2026"
				break
			}
			if next, _, _ := strings.Cut(d.text[end+1:limit], " "); strings.Count(d.text[at:end], "/") > 1 &&
				strings.Contains(next, "/") {
				end += 1 + len(next) // "DGGI/INT/77/2026-Gr B-O/o JD-RU/218"
				continue
			}
			if next, _, _ := strings.Cut(d.text[end+1:limit], " "); end > at && d.text[end-1] >= 0x80 &&
				d.text[at] >= 0x80 && d.behindColon(at) && strings.Count(next, "/") > 1 {
				end += 1 + len(next) // "सचल दल/मथुरा-3/2026-27/418"
				break
			}
			if next, _, _ := strings.Cut(d.text[end+1:limit], " "); end > at && d.text[end-1] >= 0x80 &&
				strings.Contains(d.text[at:end], "/") && strings.Contains(next, "/") {
				end += 1 + len(next) // "418/सचल दल-3/मथुरा"
				break
			}
			slashed := end > at && (d.text[end-1] == '/' || d.text[end-1] == '-') ||
				end+1 < limit && d.text[end+1] == '/' ||
				// "DGGI/INV/914/2026 -Gr -B/22", with the gaps that text recognition inserts
				end+2 < limit && d.text[end+1] == '-' && isAlnum(d.text[end+2]) && d.isRecognised(at) &&
					strings.Count(d.text[at:end], "/") > 1
			if !slashed {
				break
			}
		} else if !isAlnum(c) && c < 0x80 && strings.IndexByte("/-()._&", c) < 0 {
			break
		}
		end++
	}
	if d.isRecognised(at) && goesOn(strings.Fields(d.lowIn(end, min(limit, end+30)))) {
		return span{}, false
	}
	number := strings.TrimRight(d.text[at:end], " .-/(&_")
	if strings.Count(number, "(") < strings.Count(number, ")") {
		number = strings.TrimRight(number, ")")
	}
	if len(number) < 4 || utf8.RuneCountInString(number) > 60 || !strings.ContainsAny(number, "0123456789") ||
		!strings.ContainsAny(number, "/-") {
		return span{}, false
	}
	if when, stop, ok := parseDate(d.low, at); ok && stop >= at+len(number) && !when.IsZero() {
		return span{}, false
	}
	return span{at, at + len(number)}, true
}

// behindColon reports whether the offset follows the colon of a label.
func (d *document) behindColon(at int) bool {
	return strings.HasSuffix(strings.TrimRight(d.text[max(0, at-4):at], " -"), ":")
}

// goesOn reports whether a number continues after a gap inserted by recognition: the next word, or the one after a
// short one, is part of a number.
func goesOn(words []string) bool {
	if len(words) == 0 {
		return false
	}
	_, _, date := parseDate(words[0], 0)
	return strings.Contains(words[0], "/") && len(words[0]) > 1 && !date ||
		len(words) > 1 && words[1][0] == '/' && len(words[1]) > 1
}

// digitRun matches a part of an office's number that consists of digits, or of digits and the letter O.
var digitRun = lazyregexp.New(`\b[0-9O]{2,}\b`)

// zeroBeforeLetters matches a part of an office's number that consists of letters and before which text recognition put
// a zero, such as "/0A/".
var zeroBeforeLetters = lazyregexp.New(`\b0([A-Z]{1,4})\b`)

// lostReference matches what is left of a portal number that text recognition misread.
var lostReference = lazyregexp.New(`\bz[a-z0-9]{2,4}[0-9]{7,}`)

// extent returns how far into the document its own particulars may be: the first pages of a long one.
func (r *reading) extent() int {
	d := r.doc
	if page := d.page(d.begin) + 3; page < len(d.pageStarts) {
		return d.pageStarts[page]
	}
	return len(d.text)
}
