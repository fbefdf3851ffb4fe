package cite

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

var (
	leadToAct = lazyregexp.New(`^[ ,)\]]*(?:\([^()\n|]{0,70}\)[ ,]*)?(?:(?:and )?(?:the |its )?(?:(?:first|second|third) )?(?:proviso|explanation(?: \d)?)(?: thereto)?[ ,]*)?(?:ibid[ ,]*)?(?:(?:of|under|in|as per|from) )?(?:both )?(?:the )?(?:said |same |aforesaid |principal |erstwhile |amended |old |new |respective |corresponding |central )?`)
	stateAct  = lazyregexp.New(`^(?:[a-z]{1,3}gst(?: ?/ ?[a-z]{0,3}gst)*|[a-z]+(?: [a-z]+){0,2} (?:gst|goods (?:and|&) services? tax))(?:,? \d{4})? ?(act|acts|rules)\b`)
	theAct    = lazyregexp.New(`^(?:act|acts|rules|अधिनियम)\b`)
	// otherName and otherLow match the name of an Act that is not in the index, such as "Indian Contract Act", up to
	// the word that makes it a law. otherLow matches it in lower case.
	otherName = lazyregexp.New(`^((?:(?:[A-Z][\w&.'’/()-]*|of|and|the|for|on|to|&|\([A-Za-z .&]{2,40}\)|No\. ?\d+\)?|\(No\. ?\d\)),? ){1,11}?(?:Act|Acts|Code|Rules|Sanhita|Adhiniyam|Constitution|Regulations?|Ordinance)\b|Constitution(?: of India)?\b|(?:CrPC|Cr\.P\.C\.|CPC|C\.P\.C\.|BNSS|BSA|FEMA|PMLA|RERA|IBC|UTGST|CEA|SEBI|MSMED|FERA|CPGRAMS)\b(?: Act)?)`)
	otherLow  = lazyregexp.New(`^((?:[a-z&.'/-]+,? ){1,7}?(?:act|code|sanhita|adhiniyam|constitution)\b)`)
	// endOfSentence matches a full stop after a word that is not an abbreviation.
	endOfSentence = lazyregexp.New(`(?:[a-z]{3}|\d|\))\. [A-Z]`)
	notAName      = lazyregexp.New(`\b(?:is|are|was|were|be|been|by|under|that|which|has|have|had|with|shall|may|not|this|these|when|where|if|as|from|at|it|he|they|you|can|must|will|would|does|do|provides?|appl(?:y|ies)|read|section|sections|rule|rules|but|or|invoked|demand|notice|reply)\b`)
)

// actAfter returns the Act named after a citation: one in the index, or another by its name.
func (f *finder) actAfter(at int) (act *Act, other string, end int) {
	window := f.text[at:min(at+190, len(f.text))]
	if i := strings.IndexAny(window, "\n|;"); i >= 0 {
		window = window[:i]
	}
	if end := endOfSentence.FindStringIndex(window); end != nil {
		window = window[:end[0]]
	}
	low := f.low[at : at+len(window)]
	lead := len(leadToAct.FindString(low))
	if i := strings.IndexByte(low, '.'); i >= 0 && i < lead {
		return nil, "", at
	}
	rest := low[lead:]
	of := lead > 0 && (strings.Contains(low[:lead], "of ") || strings.Contains(low[:lead], "under ") ||
		strings.Contains(low[:lead], "in "))
	if m := stateAct.FindStringSubmatch(rest); m != nil && !foreignGST.MatchString(withoutOwn(m[0])) {
		id := cgst
		if m[1] == "rules" {
			id = cgstRules
		}
		return f.byID[id], "", at + lead + len(m[0])
	}
	if n := f.nameAt(rest); n != nil {
		end := len(n.text)
		if n.act.ID == "igst" && slashOwn.MatchString(rest[end:]) {
			return f.byID[cgst], "", at + lead + end
		}
		if tail := rest[end:]; strings.HasPrefix(tail, " rules") && n.act.ID == "igst" {
			return nil, "IGST Rules", at + lead + end
		} else if strings.HasPrefix(tail, " rules") && n.act.ID == cgst {
			return f.byID[cgstRules], "", at + lead + end
		}
		return n.act, "", at + lead + end
	}
	if m := otherName.FindString(window[lead:]); m != "" && !strings.HasPrefix(m, "Act") &&
		(of || !strings.Contains(m, " ") || !strings.Contains(low[:lead], ",")) {
		name := strings.TrimPrefix(strings.TrimSuffix(m, ","), "the ")
		if !notAName.MatchString(lowerASCII(name)) || strings.HasSuffix(name, "Rules") {
			if strings.HasPrefix(name, "Constitution") {
				name = "Constitution of India"
			}
			return nil, name, at + lead + len(m)
		}
	}
	if of {
		if m := otherLow.FindString(rest); m != "" && !notAName.MatchString(m) && !strings.HasPrefix(m, "act") &&
			!theAct.MatchString(rest) && strings.Count(m, " ") > 0 {
			return nil, strings.ToUpper(m[:1]) + m[1:], at + lead + len(m)
		}
	}
	return nil, "", at
}

// withoutOwn returns "" for a name such as "IGST/CGST Act" that includes the CGST or SGST Act, else the name.
func withoutOwn(name string) string {
	if strings.Contains(name, "cgst") || strings.Contains(name, "sgst") {
		return ""
	}
	return name
}

var (
	foreignGST = lazyregexp.New(`^(?:igst|utgst|ugst|integrated|union|[a-z ]*territor)`)
	slashOwn   = lazyregexp.New(`^(?: act)?(?:,? \d{4})? ?/ ?(?:cgst|sgst)`)
)

// nameAt returns the Act in the index that is named at the beginning of s, or nil if there is none.
func (x *Index) nameAt(s string) *actName {
	for i, n := range x.names {
		if strings.HasPrefix(s, n.text) &&
			(len(s) == len(n.text) || !isAlnum(s[len(n.text)]) && s[len(n.text)] < 0x80 ||
				s[len(n.text)] >= 0x80 && n.text[0] < 0x80) {
			return &x.names[i]
		}
	}
	return nil
}

var (
	beforeTail  = lazyregexp.New(`(?:,? ?\d{4}\)?)?(?:'s)?[ ,:-]*(?:(?:की|के|का) ?)?(?:के अंतर्गत )?(?:under |vide )?$`)
	otherBefore = lazyregexp.New(`(?:(?:[A-Z][\w&.'-]*|of|and|the|for|\([A-Za-z .]{2,30}\)) ){1,7}(?:Act|Code|Sanhita|Rules|Constitution)$|(?:Constitution(?: of India)?|CrPC|CPC|BNSS|BSA|UTGST|FEMA|PMLA)(?: Act)?$`)
	hindiBefore = lazyregexp.New(`(?:[\x{0900}-\x{097F}]+ ){0,4}[\x{0900}-\x{097F}]*(?:अधिनियम|संहिता|संविधान)$`)
	orderBefore = lazyregexp.New(`\border [ivxl]+$`)
	notHindi    = lazyregexp.New(`उक्त|इस|उस`)
)

// actBefore returns the Act named directly before the word "section", as in "IGST Act, 2017, section 5(3)".
func (f *finder) actBefore(at int) (act *Act, other string) {
	from := max(0, at-110)
	if i := strings.LastIndexAny(f.low[from:at], "\n|;"); i >= 0 {
		from += i + 1
	}
	low := f.low[from:at]
	low = low[:len(low)-len(beforeTail.FindString(low))]
	bare := strings.TrimSuffix(low, " ")
	for i, n := range f.names {
		if strings.HasSuffix(bare, n.text) &&
			(len(bare) == len(n.text) ||
				!isAlnum(bare[len(bare)-len(n.text)-1]) && bare[len(bare)-len(n.text)-1] != '-') {
			// After a head of tax, as in "IGST, section 16", no Act is named.
			if n.text == "cgst" || n.text == "sgst" || n.text == "igst" {
				if strings.TrimRight(f.low[from+len(bare):at], " ") != "" {
					return nil, ""
				}
			}
			return f.names[i].act, ""
		}
	}
	text := f.text[from : from+len(bare)]
	if m := otherBefore.FindString(text); m != "" {
		m = strings.TrimPrefix(m, "the ")
		for _, skip := range []string{"and ", "of ", "for ", "the ", "The ", "Under ", "As per ", "In "} {
			m = strings.TrimPrefix(m, skip)
		}
		if m = strings.TrimPrefix(m, "the "); !notAName.MatchString(lowerASCII(m)) && strings.Contains(m, " ") ||
			!strings.Contains(m, " ") && m != "Act" && m != "Rules" && m != "Code" {
			return nil, m
		}
	}
	if orderBefore.MatchString(low) {
		return nil, "Code of Civil Procedure, 1908"
	}
	if m := hindiBefore.FindString(text); m != "" && !notHindi.MatchString(m) && m != "अधिनियम" &&
		!strings.Contains(m, "कर अधिनियम") || strings.Contains(m, "आयकर") {
		words := strings.Fields(m)
		return nil, strings.Join(words[max(0, len(words)-3):], " ")
	}
	return nil, ""
}

// mention is a place where an Act in the index is named.
type mention struct {
	at  int
	act *Act
}

// infer sets the Act of citations that have none beside them: the Act last named in their sentence, else in their
// paragraph, else the only one that the text names, else, in a matter of GST, the CGST Act or Rules. It takes the
// first of these that has such a provision.
func (x *Index) infer(p *plain, found []Citation, c Context) {
	var mentions []mention
	for at := range len(p.low) {
		if at > 0 && (isAlnum(p.low[at-1]) || p.low[at-1] >= 0x80) {
			continue
		}
		// These words are the names of heads of tax, too.
		if n := x.nameAt(p.low[at:]); n != nil && n.text != "cgst" && n.text != "sgst" && n.text != "igst" {
			mentions = append(mentions, mention{at, n.act})
		}
	}
	gst := c.Notice != nil || gstWords.MatchString(p.low)
	var only *Act
	for _, m := range mentions {
		if only == nil {
			only = m.act
		} else if only != m.act {
			only = nil
			break
		}
	}
	for i, f := range found {
		if f.Act != nil || f.Other != "" {
			continue
		}
		if f.Article {
			found[i].Other = "Constitution of India"
			continue
		}
		sentence, paragraph := sentenceStart(p.text, f.Start), max(0, f.Start-longParagraph)
		paragraph += strings.LastIndexByte(p.text[paragraph:f.Start], '\n') + 1
		own := x.byID[cgst]
		if f.Rule {
			own = x.byID[cgstRules]
		}
		var candidates []*Act
		said := saysTheAct(p.low, f.End)
		var inParagraph *Act
		before, _ := slices.BinarySearchFunc(mentions, f.Start, func(m mention, at int) int { return m.at - at })
		for before--; before >= 0 && mentions[before].at >= sentence; before-- {
			candidates = append(candidates, mentions[before].act)
		}
		if before >= 0 && mentions[before].at >= paragraph {
			inParagraph = mentions[before].act
		}
		if inParagraph != nil {
			candidates = append(candidates, inParagraph)
		}
		if said && gst && c.Notice != nil {
			candidates = []*Act{own}
		}
		if only != nil {
			candidates = append(candidates, only)
		}
		if gst {
			candidates = append(candidates, own)
		}
		if len(candidates) == 0 && len(mentions) > 0 {
			candidates = append(candidates, mentions[0].act)
		}
		for _, act := range candidates {
			if act.Unit != own.Unit && f.Rule {
				continue
			}
			if act.Has(f.Number) && act.Unit == f.Unit() {
				found[i].Act = act
				break
			}
		}
		if found[i].Act == nil && gst {
			found[i].Act = own
		}
		if found[i].Act == nil && len(candidates) > 0 && candidates[0].Unit == f.Unit() {
			found[i].Act = candidates[0]
		}
	}
}

var gstWords = lazyregexp.New(`gst|goods and services tax|जीएसटी|माल और सेवा कर|माल एवं सेवा कर`)

func saysTheAct(low string, at int) bool {
	rest := low[at:min(at+60, len(low))]
	return theAct.MatchString(rest[len(leadToAct.FindString(rest)):])
}

// Limits on how far a sentence and a paragraph are examined, so that the time is proportional to the length of the
// text.
const (
	longSentence  = 600
	longParagraph = 4000
)

// sentenceStart returns the offset at which the sentence around an offset begins.
func sentenceStart(s string, at int) int {
	first := max(0, at-longSentence)
	for i := at - 1; i > first; i-- {
		switch {
		case s[i] == '\n':
			return i + 1
		case (s[i] == '.' || s[i] == '?' || s[i] == '!') && i+1 < len(s) && s[i+1] == ' ' && i+2 < len(s) &&
			(isUpper(s[i+2]) || s[i+2] >= 0x80):
			if !abbreviation.MatchString(s[max(0, i-6):i]) {
				return i + 1
			}
		case strings.HasPrefix(s[i:], "।"):
			return i + len("।")
		}
	}
	return first
}

var abbreviation = lazyregexp.New(`(?i)(?:^|[ (/])(?:s|r|sec|secs|ss|u/s|no|nos|rs|art|m/s|mr|mrs|dr|v|vs|ltd|pvt|co|i\.e|e\.g|para|cl|viz|shri|smt|st|govt|w\.e\.f)$`)

var tableHeader = lazyregexp.New(`^ ?(?:sections?|provisions?|provision of law|law|section/rule|sections? and rules?|धारा|प्रावधान)(?: of law| involved| invoked| cited)? ?$`)

// columns returns the provisions in a table column headed Section or Provision, where the word is not repeated.
func columns(p *plain, found []Citation) []Citation {
	taken := func(at int) bool {
		for _, f := range found {
			if f.Start <= at && at < f.End {
				return true
			}
		}
		return false
	}
	var more []Citation
	column := -1
	start := 0
	for line := range strings.SplitSeq(p.low, "\n") {
		at := start
		start += len(line) + 1
		trimmed := strings.TrimSpace(line)
		if !strings.HasPrefix(trimmed, "|") {
			column = -1
			continue
		}
		cell := -1
		for raw := range strings.SplitSeq(line, "|") {
			from := at
			at += len(raw) + 1
			cell++
			if column < 0 || cell != column {
				continue
			}
			f := finder{plain: p}
			text := strings.TrimLeft(raw, " ")
			from += len(raw) - len(text)
			if text == "" || !isDigit(text[0]) || taken(from) {
				continue
			}
			w := word{}
			list, _ := f.list(from, w)
			for i := range list {
				if list[i].End <= from+len(text) {
					list[i].Start = list[i].At
					more = append(more, list[i])
				}
			}
		}
		if column < 0 {
			i := 0
			for raw := range strings.SplitSeq(line, "|") {
				if tableHeader.MatchString(raw) {
					column = i
				}
				i++
			}
		}
	}
	return more
}
