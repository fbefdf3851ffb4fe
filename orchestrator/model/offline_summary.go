package model

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// How much of a document the engine shows.
const (
	mostAmounts = 10
	mostDates   = 60
	mostDuties  = 15
	mostQuoted  = 220
)

// summary puts together what a document's own words say, under the headings that a model is asked for. It weighs nothing.
func summary(document string) string {
	var b strings.Builder
	b.WriteString("## TL;DR\n\n**No language model read this document.** A program put this together from the words on its pages. It lists what stands there and cannot weigh it: read the pages themselves before you act.\n\n")
	text := withoutPageMarks(document)
	if strings.TrimSpace(text) == "" {
		b.WriteString("No text could be read from the document. If it is a photograph or a scan, upload a sharper one, or the original PDF.")
		return b.String()
	}
	pages := len(pageMark.FindAllString(document, -1))
	fmt.Fprintf(&b, "It has %s and %s.", counted(pages, "page"), counted(len(strings.Fields(text)), "word"))
	switch kind := paperOf(text); kind {
	case "":
	case aNotice:
		b.WriteString(" By its words it looks like a GST notice or order: Notice Analysis reads those, and reckons by when to answer.")
	default:
		fmt.Fprintf(&b, " By its words it looks like %s.", kind)
	}
	if opening := passageTexts(document, 1); len(opening) > 0 {
		fmt.Fprintf(&b, " It begins with:\n\n> %s\n\n", quote(opening[0], 240))
	}
	all := sentences(document)
	writeAmounts(&b, all)
	writeDates(&b, all)
	writeDuties(&b, all)
	b.WriteString("## Implications\n\nWithout a language model the program cannot say what follows from this document. " +
		"Where a date is near or an amount is large, show it to a lawyer or a chartered accountant.")
	return b.String()
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// sentences cuts a document's passages where a sentence ends. The lines of a form or table, with wide gaps between their
// cells, stand for themselves.
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
	sentenceEnd = regexp.MustCompile(`[a-z0-9)%/-]{2}([.;?!]) +[A-Z(“"]|(।)`) // not after "Rs." or "No."
	row         = regexp.MustCompile(`(?m)^.*\S {3,}\S.*$`)
	moneyIn     = regexp.MustCompile(`(?i)(?:₹|\brs\.?|\binr) ?([0-9][0-9,]*)(?:\.[0-9]+)?(?:/-)?(?: ?(lakhs?|lacs?|crores?)\b)?`)
	dutyWords   = regexp.MustCompile(`(?i)\b(?:shall|must|is required to|are required to|is directed to|are directed to|within [0-9a-z() ]{1,40}(?:days?|months?|weeks?|hours?)|on or before|not later than|no later than|last date|due date|due on|deadline)\b|अंतिम तिथि|के भीतर`)
)

func writeAmounts(b *strings.Builder, all []passage) {
	b.WriteString("## Key points\n\n")
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
		b.WriteString("No amount of money was found in it.\n\n")
		return
	}
	slices.SortStableFunc(found, func(a, b worth) int { return cmp.Compare(b.amount, a.amount) })
	shown := found[:min(len(found), mostAmounts)]
	slices.SortFunc(shown, func(a, b worth) int { return cmp.Compare(a.at, b.at) })
	b.WriteString("Where it speaks of money")
	if more := len(found) - len(shown); more > 0 {
		fmt.Fprintf(b, ", the largest amounts (%d more places are not shown)", more)
	}
	b.WriteString(":\n\n")
	for _, w := range shown {
		p := all[w.at]
		fmt.Fprintf(b, "- %s (page %d)\n", around(p.text, moneyIn.FindStringIndex(p.text)), p.page)
	}
	b.WriteByte('\n')
}

// writeDates lists each date once, where it stands first.
func writeDates(b *strings.Builder, all []passage) {
	b.WriteString("## Dates and deadlines\n\n")
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
		b.WriteString("No date was found in it that the program can read.\n\n")
		return
	}
	slices.SortStableFunc(found, func(a, b dated) int { return cmp.Compare(a.iso, b.iso) })
	b.WriteString("| Date | What | Page |\n| --- | --- | --- |\n")
	for _, d := range found[:min(len(found), mostDates)] {
		fmt.Fprintf(b, "| %s | %s | %d |\n", longDate(d.iso), d.text, d.page)
	}
	if more := len(found) - mostDates; more > 0 {
		fmt.Fprintf(b, "\nNot shown: %s.\n", counted(more, "later date"))
	}
	b.WriteByte('\n')
}

func writeDuties(b *strings.Builder, all []passage) {
	b.WriteString("## Required actions\n\n")
	n, more := 0, 0
	seen := map[string]bool{}
	for _, p := range all {
		at := dutyWords.FindStringIndex(p.text)
		if at == nil || seen[p.text] {
			continue
		}
		seen[p.text] = true
		if n == mostDuties {
			more++
			continue
		}
		if n++; n == 1 {
			b.WriteString("Sentences that tell someone to do something, or by when:\n\n")
		}
		fmt.Fprintf(b, "%d. %s (page %d)\n", n, around(p.text, at), p.page)
	}
	switch {
	case n == 0:
		b.WriteString("No sentence was found that says “shall”, “must”, “within” or “on or before”.\n")
	case more > 0:
		fmt.Fprintf(b, "\nNot shown: %s of this kind.\n", counted(more, "sentence"))
	}
	b.WriteByte('\n')
}

// around quotes a text, or of a long one the part that has the place in it.
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

var ordinal = regexp.MustCompile(`([0-9])(?:st|nd|rd|th)\b`)

// isoOf reads a date as datePattern finds it, "" for a day that there is not.
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
