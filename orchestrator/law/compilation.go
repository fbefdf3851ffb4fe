package law

import (
	"fmt"
	"slices"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

var (
	// The two layouts in which CBIC prints an Act or Rules: "* Section 16. Heading.-" on a line of its own with the
	// footnotes after the section, and "16. Heading.— (1) …" with the footnotes at the bottom of the page.
	namedHead  = lazyregexp.New(`(?m)^[ \t*\x{200b}]*(?:(?:\^?\d{1,3} ?)?\[ ?)?(?:Section|Rule) (\d{1,3}[A-Z]{0,3})\s?\.`)
	plainHead  = lazyregexp.New(`(?m)^[ \t]*\[?(\d{1,3}[A-Z]{0,3})\. *[A-Z“"\[]`)
	noteLine   = lazyregexp.New(`^\s*(\d{1,3})\s?\.?\s+(\S.*)$`)
	numberLine = lazyregexp.New(`^\s*(\d{1,3})\s*$`)
	pageNumber = lazyregexp.New(`^\s*(?:Page )?\d{1,3}(?: of \d{1,3})?\s*$`)
	enforced   = lazyregexp.New(`(?i)^\W*Enforced w\.?e\.?f\s?\.?\s*` + dayPattern)
	scheduleAt = lazyregexp.New(`(?m)^\s*(?:SCHEDULE I\b|FORMS?\s*$|FORM GST CMP)`)
	lastUpdate = lazyregexp.New(`(?i)(?:last updated|as amended up ?to|amended till|updated (?:as on|up ?to)|as on)\s*[:–-]?\s*(?:the )?(?:(\d{1,2})(?:st|nd|rd|th)?[- ](January|February|March|April|May|June|July|August|September|October|November|December)[-, ]+(\d{4})|(\d{1,2})[./-](\d{1,2})[./-](\d{4}))`)
	dayInName  = lazyregexp.New(`(\d{4}-\d{2}-\d{2})`)
	chapterIs  = lazyregexp.New(`(?m)^\s*(?:\d{1,3} ?)?\[? ?(CHAPTER[ -]+[IVXLC]+[A-Z]?)\b`)
	titleOf    = lazyregexp.New(`(?i)([A-Z][A-Za-z ]{3,40}?)\s+Goods\s+and\s+Services\s+Tax\s*(?:\([A-Za-z ]+\))?\s*(Act|Rules)?`)
)

// readCompilation reads an Act or Rules from the text of a CBIC PDF, whose pages end with form feeds if known. act
// and asOn say which Act it is and up to which day it is amended, if the file does not say so.
func readCompilation(name string, data []byte, act, asOn string) (*parsed, error) {
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	named := namedHead.FindAllStringSubmatchIndex(text, -1)
	p := &parsed{
		Source: Source{Name: name, SHA256: sum(data), Kind: "compilation", Publisher: "CBIC, by the file's typography"},
	}
	head := text[:min(len(text), 6000)]
	p.Source.AsOn = cmpOr(asOn, asOnOf(name, head))
	if act == "" {
		act = actOf(name, head)
	}
	if act == "" {
		return nil, fmt.Errorf("%w: it does not say of which Act or Rules it is; say so with --act", errNotLaw)
	}
	p.Source.Acts = []string{act}
	if len(named) >= 2 && len(named) >= len(plainHead.FindAllStringSubmatchIndex(text, -1))/4 {
		p.Readings = readNamed(text, act)
	} else {
		p.Readings = readPlain(text, act)
	}
	if len(p.Readings) == 0 {
		return nil, errNotLaw
	}
	commencements(p.Readings)
	p.Source.Units = len(p.Readings)
	return p, nil
}

func asOnOf(name, head string) string {
	if m := lastUpdate.FindStringSubmatch(head); m != nil {
		if day := dayOf(m[1:7]); day != "" {
			return day
		}
	}
	return dayInName.FindString(name)
}

// actOf finds out which Act or Rules a file contains, from its title or else its name. It returns an id such as
// "cgst", or "mgst_rules" derived from a State's name.
func actOf(name, head string) string {
	flat := strings.Join(strings.Fields(head), " ")
	for _, m := range titleOf.FindAllStringSubmatchIndex(flat, 3) {
		whose := strings.ToLower(strings.TrimSpace(flat[m[2]:m[3]]))
		whose = strings.TrimPrefix(strings.TrimPrefix(whose, "the "), "this ")
		rules := strings.Contains(strings.ToLower(flat[m[0]:min(len(flat), m[1]+30)]), "rules")
		id := map[string]string{"central": "cgst", "integrated": "igst", "union territory": "utgst"}[whose]
		if id == "" {
			words := strings.Fields(whose)
			if len(words) == 0 || len(words) > 4 {
				continue
			}
			id = strings.Join(words, "_") + "_gst"
		}
		if rules {
			id += "_rules"
		}
		return id
	}
	for _, a := range []string{"cgst_rules", "igst_rules", "cgst", "igst", "utgst", "cess"} {
		if strings.HasPrefix(strings.ToLower(name), a) {
			return a
		}
	}
	return ""
}

// block is the position of a section or rule in a file.
type block struct {
	number     string
	start, end int
}

// inOrder keeps those places that look like the start of a section and have increasing numbers. This drops lines of
// tables, lists and quotations.
func inOrder(places [][]int, text string, skip func(string) bool) []block {
	var all []block
	for _, at := range places {
		number := text[at[2]:at[3]]
		if n := len(all); n > 0 && all[n-1].number == number && !skip(text[all[n-1].start:]) {
			continue // a footnote quotes the earlier version of the section
		}
		all = append(all, block{number: number, start: at[0]})
	}
	// The longest run of increasing numbers, each close to the one before.
	best := make([]int, len(all))
	from := make([]int, len(all))
	last := -1
	for i := range all {
		best[i], from[i] = 1, -1
		if skip(text[all[i].start:]) {
			best[i] = -1 << 20
			continue
		}
		for j := i - 1; j >= 0 && j >= i-60; j-- {
			if best[j] > 0 && countsOn(all[j].number, all[i].number) && best[j]+1 > best[i] {
				best[i], from[i] = best[j]+1, j
			}
		}
		if last < 0 || best[i] >= best[last] && all[i].number != all[last].number {
			last = i
		}
	}
	var kept []block
	for i := last; i >= 0 && best[i] > 0; i = from[i] {
		kept = append(kept, all[i])
	}
	slices.Reverse(kept)
	for i := range kept {
		kept[i].end = len(text)
		if i+1 < len(kept) {
			kept[i].end = kept[i+1].start
		}
	}
	return kept
}

func countsOn(before, number string) bool {
	a, x := rank(digits, before)
	b, y := rank(digits, number)
	return b == a && y > x || b > a && b <= a+4
}

// readNamed reads the layout "* Section 16. Heading.-" with footnotes after each section.
func readNamed(text, act string) []reading {
	text = strings.ReplaceAll(text, "\f", "\n\n")
	if at := lastSchedule(text); at > 0 {
		text = text[:at]
	}
	blocks := inOrder(namedHead.FindAllStringSubmatchIndex(text, -1), text, func(s string) bool { return false })
	chapters := chapterIs.FindAllStringSubmatchIndex(text, -1)
	var readings []reading
	for _, b := range blocks {
		r := reading{Act: act, Unit: unitOf(act, ""), Number: b.number, Chapter: chapterAt(text, chapters, b.start)}
		var body []string
		own := false // set once the footnotes begin
		for line := range strings.SplitSeq(text[b.start:b.end], "\n") {
			line = strings.Trim(line, " \t\u200b")
			if m := enforced.FindStringSubmatch(line); m != nil {
				r.Since = dayOf(m[1:7])
				continue
			}
			if chapterIs.MatchString(line) && len(body) > 0 {
				if !own || strings.ToUpper(line) == line {
					break
				}
			}
			m := noteLine.FindStringSubmatch(line)
			switch {
			case m != nil && noteShape.MatchString(m[2]) && (!own && m[1] == "1" || own):
				own = true
				r.Notes = append(r.Notes, note{m[1], m[2]})
			case own && len(r.Notes) > 0:
				r.Notes[len(r.Notes)-1].Text += "\n" + line
			default:
				body = append(body, line)
			}
		}
		whole := strings.Join(body, "\n")
		r.Text, r.Heading = withoutHeading(reflowHead(whole), b.number, "")
		readings = append(readings, r)
	}
	return readings
}

// reflowHead reflows a section whose heading may extend over several lines; the heading ends at its dash.
func reflowHead(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for len(lines) > 1 && !strings.HasPrefix(strings.TrimSpace(lines[1]), "(") && !headingEnd.MatchString(lines[0]) &&
		len(lines[0]) < 400 && strings.TrimSpace(lines[1]) != "" {
		lines[0] += " " + strings.TrimSpace(lines[1])
		lines = slices.Delete(lines, 1, 2)
	}
	return reflow(strings.Join(lines, "\n"))
}

func lastSchedule(text string) int {
	at := -1
	for _, m := range scheduleAt.FindAllStringIndex(text, -1) {
		if m[0] > len(text)/2 {
			at = m[0]
			break
		}
	}
	return at
}

func chapterAt(text string, chapters [][]int, at int) string {
	name := ""
	for _, c := range chapters {
		if c[0] > at {
			break
		}
		name = strings.Join(strings.Fields(strings.ReplaceAll(text[c[2]:c[3]], "-", " ")), " ")
	}
	return name
}

// readPlain reads the layout "16. Heading.— (1) …" with footnotes at the bottom of the pages.
func readPlain(text, act string) []reading {
	var b strings.Builder
	var notes []note
	for page := range strings.SplitSeq(text, "\f") {
		body, feet := footOf(strings.Split(page, "\n"))
		b.WriteString(strings.Join(body, "\n") + "\n")
		notes = append(notes, feet...)
	}
	text = b.String()
	if at := lastSchedule(text); at > 0 {
		text = text[:at]
	}
	blocks := inOrder(plainHead.FindAllStringSubmatchIndex(text, -1), text, func(s string) bool {
		return !headingEnd.MatchString(strings.Join(strings.Fields(s[:min(len(s), 400)]), " "))
	})
	chapters := chapterIs.FindAllStringSubmatchIndex(text, -1)
	var readings []reading
	for _, bl := range blocks {
		r := reading{Act: act, Unit: unitOf(act, ""), Number: bl.number, Chapter: chapterAt(text, chapters, bl.start)}
		body := text[bl.start:bl.end]
		if c := chapterIs.FindStringIndex(body); c != nil && c[0] > 0 {
			body = body[:c[0]]
		}
		r.Notes = usedIn(body, notes)
		r.Text, r.Heading = withoutHeading(reflow(marksFirst(body)), bl.number, "")
		readings = append(readings, r)
	}
	return readings
}

// footOf separates a page's footnotes from its text, and drops running heads and page numbers.
func footOf(lines []string) (body []string, notes []note) {
	for len(lines) > 0 && (strings.TrimSpace(lines[len(lines)-1]) == "" ||
		pageNumber.MatchString(lines[len(lines)-1])) {
		lines = lines[:len(lines)-1]
	}
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if i == 0 && strings.HasPrefix(line, "CHAPTER ") && len(strings.Fields(line)) > 2 {
			continue // running head
		}
		number, rest := "", ""
		if m := numberLine.FindStringSubmatch(line); m != nil && i+1 < len(lines) &&
			noteShape.MatchString(strings.TrimSpace(lines[i+1])) {
			number = m[1]
		} else if m := noteLine.FindStringSubmatch(line); m != nil && noteShape.MatchString(m[2]) &&
			!strings.Contains(line[:min(len(line), 5)], ".") {
			number, rest = m[1], m[2]
		}
		switch {
		case number != "" && (len(notes) > 0 || strings.TrimSpace(before(lines, i)) == "" || rest != ""):
			notes = append(notes, note{number, rest})
		case len(notes) > 0:
			n := &notes[len(notes)-1]
			n.Text = strings.TrimSpace(n.Text + "\n" + line)
		default:
			body = append(body, lines[i])
		}
	}
	return body, notes
}

func before(lines []string, i int) string {
	if i == 0 {
		return ""
	}
	return lines[i-1]
}

// usedIn returns the notes whose numbers follow a closing bracket in a text.
func usedIn(text string, notes []note) []note {
	var used []note
	for _, n := range notes {
		if strings.Contains(text, "]"+n.Number) {
			used = append(used, n)
		}
	}
	return used
}
