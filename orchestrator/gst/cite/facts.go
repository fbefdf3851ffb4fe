package cite

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/message"
)

const month = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`

var (
	date = lazyregexp.New(`\b(?:(\d{1,2})(?:st|nd|rd|th)?[ -](` + month + `)\.?,?[ -](20\d\d)|(` + month +
		`) (\d{1,2})(?:st|nd|rd|th)?, (20\d\d)|(\d{1,2})[./-](\d{1,2})[./-](20\d\d)|(20\d\d)-(\d\d)-(\d\d))\b`)
	// Each of these matches the words up to the date to which they refer, such as "reply by" or "hearing fixed for".
	replyBy  = lazyregexp.New(`(?:\b(?:reply|respond|response|file (?:the |your |a )?(?:reply|response)|submit (?:the |your |a )?(?:reply|response))\b[^.;|\n]{0,70}?\b(?:by|on or before|before|not later than|no later than|latest by|due(?: on| by| date is| is)?|is|was|expires on|falls on|ends on|until|till) (?:the )?|(?:last (?:date|day)|due date|deadline|time limit)\b[^.;|\n]{0,60}?\b(?:reply|respond|response)\b[^.;|\n]{0,40}?(?:\b(?:is|was|falls on|expires on|ends on|of|on|as|by)|:|-|=) ?(?:the )?|(?:reply|response) (?:is )?due(?: date)?(?: by| on|:)? ?(?:the )?|(?:reply due|reply by|due date for reply|last date (?:to|for|of) (?:reply|replying|filing (?:the |of )?reply))[^.;\n]{0,12}?[|:] ?)$`)
	hearOn   = lazyregexp.New(`(?:\b(?:personal )?hearing\b[^.;|\n]{0,50}?\b(?:is|was|has been|stands)? ?(?:on|fixed for|scheduled for|scheduled on|fixed on|posted to|listed for|set for|is|dated|:) (?:the )?|(?:date of (?:the )?(?:personal )?hearing|personal hearing|hearing date)[^.;\n|]{0,10}?[|:] ?)$`)
	issuedOn = lazyregexp.New(`(?:\bshow cause notice\b|\bscn\b|\bthis notice\b|\bnotice in form [a-z -]*[a-z]+-\d+[a-z]?|\bnotice's date|\bdate of (?:the |this )?(?:notice|issue of (?:the |this )?notice))[^.;|\n]{0,30}?(?:\b(?:dated|issued on|of|is|was|on)|:|\|) (?:the )?$`)
	speaksOf = lazyregexp.New(`reply|respon|hearing|notice|scn|date of issue`)
	// unsure matches words that show that a sentence is about another date than the one in the facts, such as
	// "extension" or "if".
	unsure = lazyregexp.New(`\b(?:extension|extend(?:ed|s)?|extra time|more time|further time|additional time|adjourn(?:ed|ment)?|resched\w+|revised|if |unless|would have|had been|instead|earlier notice|previous(?:ly)?|not \d|wrong|differs|another date|reminder|appeal|order|supplier|filed on|was filed|submitted on|already|received on|served on|service on|counting|computed from|form's own|normally|rule gives|before that|sought|request(?:ed)?|seek|proposed|internal|draft by|aim|target|send (?:us|me)|days? before|drc-01a|part a|asmt-10|pre-show)`)
)

// contradictions marks the dates and totals that contradict the notice's facts. A sentence must clearly be about the
// fact: people lose trust through a false alarm more than through a miss.
func contradictions(p *plain, n *Notice) []Mark {
	if n == nil {
		return nil
	}
	var marks []Mark
	for _, m := range date.FindAllStringSubmatchIndex(p.low, -1) {
		iso := isoDate(p.low, m)
		if iso == "" {
			continue
		}
		start := sentenceStart(p.text, m[0])
		before := p.low[max(start, m[0]-160):m[0]]
		if !speaksOf.MatchString(before) {
			continue
		}
		sentence := p.low[start:sentenceEnd(p.text, m[1])]
		tell := func(what, fact string) {
			marks = append(marks, contradicted(m[0], m[1], what, message.Date(fact), long(fact)))
		}
		switch {
		case iso == n.Reply || iso == n.Hearing || iso == n.Issued:
			if iso == n.Hearing && n.Reply != "" && iso != n.Reply && replyBy.MatchString(before) &&
				!strings.Contains(before, "hearing") && !unsure.MatchString(sentence) {
				tell("reply", n.Reply)
			}
		case unsure.MatchString(sentence):
		case n.Hearing != "" && hearOn.MatchString(before):
			tell("hearing", n.Hearing)
		case n.Reply != "" && replyBy.MatchString(before) &&
			!strings.Contains(before[max(0, len(before)-60):], "hearing"):
			tell("reply", n.Reply)
		case n.Issued != "" && issuedOn.MatchString(before) && !strings.Contains(n.Text, p.low[m[0]:m[1]]):
			tell("issued", n.Issued)
		}
	}
	return append(append(marks, totals(p, n)...), heads(p, n)...)
}

// contradicted returns a mark for words that contradict the notice's facts. what is a code under "checks.fact", fact
// its value, and heading the value in English.
func contradicted(start, end int, what string, fact any, heading string) Mark {
	name := message.New("checks.fact."+what, nil)
	mark := Mark{Start: start, End: end, Kind: Contradicted, Verdict: Contradicts, Provision: name.English,
		Heading: heading}
	mark.say("facts_give", message.Params{"fact": fact, "what": name})
	return mark
}

func sentenceEnd(s string, at int) int {
	last := min(len(s), at+longSentence)
	for i := at; i < last; i++ {
		if s[i] == '\n' || s[i] == '.' && (i+1 == len(s) || s[i+1] == ' ' && i+2 < len(s) && isUpper(s[i+2])) {
			return i
		}
	}
	return last
}

var months = "janfebmaraprmayjunjulaugsepoctnovdec"

// isoDate returns the date of a match, or "" if there is no such date.
func isoDate(s string, m []int) string {
	group := func(n int) string {
		if m[2*n] < 0 {
			return ""
		}
		return s[m[2*n]:m[2*n+1]]
	}
	number := func(name string) int { return strings.Index(months, name[:3])/3 + 1 }
	var y, mo, d int
	switch {
	case m[2] >= 0:
		y, mo, d = atoi(group(3)), number(group(2)), atoi(group(1))
	case m[8] >= 0:
		y, mo, d = atoi(group(6)), number(group(4)), atoi(group(5))
	case m[14] >= 0:
		y, mo, d = atoi(group(9)), atoi(group(8)), atoi(group(7))
	default:
		y, mo, d = atoi(group(10)), atoi(group(11)), atoi(group(12))
	}
	t := time.Date(y, time.Month(mo), d, 0, 0, 0, 0, time.UTC)
	if t.Day() != d || int(t.Month()) != mo {
		return ""
	}
	return t.Format(time.DateOnly)
}

var (
	amount = lazyregexp.New(`(?:₹|\brs\.?|\binr) ?(\d(?:[\d,]*\d)?(?:\.\d+)?)(?: ?/-)?(?: ?(lakhs?|lacs?|crores?|cr)\b)?`)
	// totalOf matches words right before an amount that call it the total of the demand.
	totalOf  = lazyregexp.New(`\b(?:(?:total|aggregate|entire|whole|overall)(?: amount)?(?: of)?(?: the)?(?: tax)? (?:demand|amount demanded|claim|liability demanded)(?: raised| proposed| made)?(?: in (?:the|this) notice)?(?: (?:is|was|of|comes to|amounts to|adds up to|stands at|works out to|being|at|:|-))*|(?:the |a )?demand (?:totals|adds up to|amounts to|comes to|is for a total of|aggregates to|aggregating(?: to)?)|demand(?:s|ing|ed)? (?:a |in )?(?:total|all)(?: sum)?(?: of)?|total demanded(?: is|:)?|total demand ?[|:])(?: \|)? ?(?:approximately |about |only )?$`)
	columnOf = lazyregexp.New(`^[^.;|\n]{0,24}\b(?:tax|interest|penalty|fee|cess|igst|cgst|sgst|for fy|for the year|under issue|under para|on this)\b`)
)

// totals marks amounts that are called the total of the demand but are not.
func totals(p *plain, n *Notice) []Mark {
	if len(n.Totals) == 0 {
		return nil
	}
	var marks []Mark
	tell := func(from, to int) {
		marks = append(marks, contradicted(from, to, "total", rupees(n.Totals[0]), rupees(n.Totals[0])))
	}
	for _, m := range amount.FindAllStringSubmatchIndex(p.low, -1) {
		start := sentenceStart(p.text, m[0])
		before := p.low[max(start, m[0]-120):m[0]]
		if !totalOf.MatchString(before) || columnOf.MatchString(p.low[m[1]:min(m[1]+60, len(p.low))]) {
			continue
		}
		if unsureTotal.MatchString(p.low[start:m[0]]) {
			continue
		}
		if !n.isTotal(p.low, m) {
			tell(m[0], m[1])
		}
	}
	demandTables(p, n, tell)
	return marks
}

var unsureTotal = lazyregexp.New(`\b(?:if |reduce[sd]? to|reduced|revised|earlier|drc-01a|drop(?:ped)? to|remaining|balance|instead|should be|but |differs|our (?:computation|working)|admitted|not |per year|for each)`)

// isTotal reports whether the amount of a match may be called the total.
func (n *Notice) isTotal(s string, m []int) bool { return isOne(s, m, n.Totals) }

// isOne reports whether the amount of a match is one of these sums, as precisely as it is written.
func isOne(s string, m []int, sums []float64) bool {
	value, within, ok := valueOf(s, m)
	return !ok || slices.ContainsFunc(sums, func(sum float64) bool { return math.Abs(sum-value) <= within })
}

// valueOf returns the amount of a match in rupees, and by how much the exact sum may differ from it.
func valueOf(s string, m []int) (value, within float64, ok bool) {
	digits := strings.ReplaceAll(s[m[2]:m[3]], ",", "")
	value, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0, 0, false
	}
	if m[4] < 0 {
		return value, 1, true
	}
	unit := 1e5
	if s[m[4]] == 'c' {
		unit = 1e7
	}
	_, after, _ := strings.Cut(digits, ".")
	return value * unit, unit * math.Pow(10, -float64(len(after))) * 0.51, true
}

var (
	headColumn = lazyregexp.New(`\b(?:head|act|tax head)\b`)
	totalRow   = lazyregexp.New(`^ ?\| ?(?:grand )?total(?: demand)? ?\|`)
	cellAmount = lazyregexp.New(`^ ?(?:₹|rs\.?)? ?(\d[\d,]*(?:\.\d+)?)(?:/-)?()() ?$`)
)

// demandTables checks the row Total in tables of the demand by head, whose first column is Head and last Total.
func demandTables(p *plain, n *Notice, tell func(from, to int)) {
	start, ours := 0, false
	for line := range strings.SplitSeq(p.low, "\n") {
		at := start
		start += len(line) + 1
		if !strings.HasPrefix(strings.TrimSpace(line), "|") {
			ours = false
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		last := strings.TrimSpace(cells[len(cells)-1])
		if headColumn.MatchString(cells[0]) && strings.HasPrefix(last, "total") && strings.Contains(line, "tax") &&
			(strings.Contains(line, "penalty") || strings.Contains(line, "interest")) {
			ours = true
			continue
		}
		if !ours || !totalRow.MatchString(line) {
			continue
		}
		m := cellAmount.FindStringSubmatchIndex(last)
		if m == nil {
			continue
		}
		from := at + strings.LastIndex(line, last)
		shifted := []int{from + m[0], from + m[1], from + m[2], from + m[3], -1, -1}
		if !n.isTotal(p.low, shifted) {
			tell(from, from+len(last))
		}
	}
}

// rupees returns an amount with lakh and crore grouping.
func rupees(v float64) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', -1, 64)
	whole, paise, _ := strings.Cut(s, ".")
	var groups []string
	for size := 3; len(whole) > size; size = 2 {
		groups = append([]string{whole[len(whole)-size:]}, groups...)
		whole = whole[:len(whole)-size]
	}
	s = "₹" + strings.Join(append([]string{whole}, groups...), ",")
	if paise != "" {
		s += "." + (paise + "0")[:2]
	}
	return s
}
