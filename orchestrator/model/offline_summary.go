package model

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"munshi/orchestrator/gst/lazyregexp"
)

// How much of a document a summary shows.
const (
	mostAmounts = 10
	mostDates   = 60
	mostDuties  = 15
	mostQuoted  = 220
)

// summary quotes a document under the headings that a model would use. It judges nothing.
func (n *notice) summary() {
	document := n.text
	n.say("summary")
	text := withoutPageMarks(document)
	if strings.TrimSpace(text) == "" {
		n.say("summary_unreadable")
		return
	}
	n.say("size", "pages", strconv.Itoa(len(pageMark.FindAllString(document, -1))), "words",
		strconv.Itoa(len(strings.Fields(text))))
	if kind := paperOf(text); kind != "" {
		n.say("looks_like", "kind", kind)
	}
	if opening := passageTexts(document, 1); len(opening) > 0 {
		n.say("begins", "quote", quote(opening[0], 240))
	}
	all := sentences(document)
	n.sayMoney(all)
	n.sayDates(all)
	n.sayDuties(all)
	n.say("implications")
}

// sentences splits a document's passages into sentences. A line of a form or table, with wide gaps between its cells,
// counts as a sentence.
func sentences(document string) []passage {
	var all []passage
	for _, p := range splitPassages(row.ReplaceAllString(document, "\n$0\n")) {
		for rest := p.text; rest != ""; {
			end := len(rest)
			if at := sentenceEnd.FindStringSubmatchIndex(rest); at != nil {
				end = max(at[3], at[5])
			}
			all = append(all, passage{p.page, strings.TrimSpace(rest[:end])})
			rest = strings.TrimSpace(rest[end:])
		}
	}
	return all
}

var (
	sentenceEnd = lazyregexp.New(`[a-z0-9)%/-]{2}([.;?!]) +[A-Z(“"]|(।)`) // not after "Rs." or "No."
	row         = lazyregexp.New(`(?m)^.*\S {3,}\S.*$`)
	moneyIn     = lazyregexp.New(`(?i)(?:₹|\brs\.?|\binr) ?([0-9][0-9,]*)(?:\.[0-9]+)?(?:/-)?(?: ?(lakhs?|lacs?|crores?)\b)?`)
	dutyWords   = lazyregexp.New(`(?i)\b(?:shall|must|is required to|are required to|is directed to|are directed to|within [0-9a-z() ]{1,40}(?:days?|months?|weeks?|hours?)|on or before|not later than|no later than|last date|due date|due on|deadline)\b|अंतिम तिथि|के भीतर`)
)

// sayMoney quotes the places with the largest amounts.
func (n *notice) sayMoney(all []passage) {
	n.say("heading_key")
	type worth struct {
		at     int
		amount float64
	}
	var found []worth
	seen := map[string]bool{}
	for i, p := range all {
		largest := 0.0
		for _, m := range moneyIn.FindAllStringSubmatch(p.text, -1) {
			amount, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
			if err != nil {
				continue
			}
			switch {
			case strings.HasPrefix(strings.ToLower(m[2]), "l"):
				amount *= 1e5
			case m[2] != "":
				amount *= 1e7
			}
			largest = max(largest, amount)
		}
		if largest > 0 && !seen[p.text] {
			seen[p.text] = true
			found = append(found, worth{i, largest})
		}
	}
	if len(found) == 0 {
		n.say("money_none")
		return
	}
	slices.SortStableFunc(found, func(a, b worth) int { return cmp.Compare(b.amount, a.amount) })
	shown := found[:min(len(found), mostAmounts)]
	slices.SortFunc(shown, func(a, b worth) int { return cmp.Compare(a.at, b.at) })
	n.say("money", "number", more(len(found), mostAmounts))
	for _, w := range shown {
		p := all[w.at]
		n.say("bullet", "quote", around(p.text, moneyIn.FindStringIndex(p.text)), "page", strconv.Itoa(p.page))
	}
}

// more returns how many items of a list are not shown, or "" if all are.
func more(length, shown int) string {
	if length <= shown {
		return ""
	}
	return strconv.Itoa(length - shown)
}

// sayDates lists each date once, with the first place where it occurs.
func (n *notice) sayDates(all []passage) {
	n.say("heading_dates")
	type dated struct {
		iso string
		passage
	}
	var found []dated
	seen := map[string]bool{}
	for _, p := range all {
		for _, at := range datePattern.FindAllStringIndex(p.text, -1) {
			iso := isoOf(p.text[at[0]:at[1]])
			if iso == "" || seen[iso] {
				continue
			}
			seen[iso] = true
			found = append(found, dated{iso, passage{p.page, around(p.text, at)}})
		}
	}
	if len(found) == 0 {
		n.say("dates_none")
		return
	}
	slices.SortStableFunc(found, func(a, b dated) int { return cmp.Compare(a.iso, b.iso) })
	n.say("dates")
	for _, d := range found[:min(len(found), mostDates)] {
		n.say("dated", "date", n.date(d.iso), "quote", d.text, "page", strconv.Itoa(d.page))
	}
	n.say("dates_end", "number", more(len(found), mostDates))
}

// sayDuties quotes sentences with a duty or a deadline.
func (n *notice) sayDuties(all []passage) {
	n.say("heading_actions")
	count := 0
	seen := map[string]bool{}
	for _, p := range all {
		at := dutyWords.FindStringIndex(p.text)
		if at == nil || seen[p.text] {
			continue
		}
		seen[p.text] = true
		if count++; count > mostDuties {
			continue
		}
		if count == 1 {
			n.say("actions")
		}
		n.say("action", "number", strconv.Itoa(count), "quote", around(p.text, at), "page", strconv.Itoa(p.page))
	}
	if count == 0 {
		n.say("actions_none")
	} else if left := more(count, mostDuties); left != "" {
		n.say("actions_more", "number", left)
	}
}

// around quotes a text or, if it is long, the part around a match.
func around(text string, at []int) string {
	runes := len([]rune(text[:at[0]]))
	if runes <= mostQuoted/2 || len([]rune(text)) <= mostQuoted {
		return quote(text, mostQuoted)
	}
	rest := string([]rune(text)[runes-mostQuoted/2:])
	if _, after, ok := strings.Cut(rest, " "); ok {
		rest = after
	}
	return quote("… "+rest, mostQuoted)
}

var ordinal = lazyregexp.New(`([0-9])(?:st|nd|rd|th)\b`)

// isoOf parses a date found by datePattern; "" if there is no such day.
func isoOf(written string) string {
	s := ordinal.ReplaceAllString(strings.NewReplacer(",", "", ".", "-", "/", "-", " ", "-").Replace(written), "$1")
	parts := strings.Split(s, "-")
	if len(parts) != 3 {
		return ""
	}
	if name := parts[1]; len(name) > 3 {
		parts[1] = name[:3]
	}
	s = strings.Join(parts, "-")
	for _, layout := range [...]string{"2-1-2006", "2-1-06", "2-Jan-2006", "2-Jan-06"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}
