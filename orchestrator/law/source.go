package law

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"munshi/orchestrator/gst/lazyregexp"
)

// Source is an imported file of official text.
type Source struct {
	Name      string   `json:"name"`             // file name without folders
	SHA256    string   `json:"sha256"`           // of the file
	Kind      string   `json:"kind"`             // "provisions", "compilation" or "notification"
	Acts      []string `json:"acts"`             // the Acts whose provisions it has or amends
	AsOn      string   `json:"as_on"`            // ISO day up to which it is amended, "" if it does not say
	Read      string   `json:"read,omitempty"`   // ISO day on which it was copied from where it is published
	Publisher string   `json:"publisher"`        // as the file states
	Origin    string   `json:"origin,omitempty"` // address or repository from which it came
	Units     int      `json:"units"`            // number of sections or rules read
}

// reading is a section or rule as one source has it, with the marks of amendments.
type reading struct {
	Act       string    `json:"act"`
	Unit      string    `json:"unit"`
	Number    string    `json:"number"`
	Heading   string    `json:"heading"`
	Chapter   string    `json:"chapter,omitempty"`
	Text      string    `json:"text"` // one paragraph a line, without the heading
	Style     markStyle `json:"style,omitempty"`
	Notes     []note    `json:"notes,omitempty"`
	Since     string    `json:"since,omitempty"`   // ISO day on which it came into force, if the source says so
	Omitted   string    `json:"omitted,omitempty"` // what a source prints in place of an omitted provision
	Published string    `json:"-"`                 // the mark at the heading, which makes the whole a change
}

type note struct {
	Number string `json:"number"`
	Text   string `json:"text"`
}

// amendment is a change made by a notification that is not in the text held here.
type amendment struct {
	By      string   `json:"by"`             // "18/2025-Central Tax"
	Date    string   `json:"date"`           // ISO day of the notification
	From    string   `json:"from,omitempty"` // ISO day from which it applies, "" if it has several
	Act     string   `json:"act"`
	Numbers []string `json:"numbers"`         // whole sections or rules that it says it amends
	About   string   `json:"about,omitempty"` // its effect, if it brings an amending Act into force
	Words   string   `json:"words,omitempty"` // the words that make the amendment
}

// parsed is the content of a file.
type parsed struct {
	Source     Source      `json:"source"`
	Readings   []reading   `json:"readings,omitempty"`
	Amendments []amendment `json:"amendments,omitempty"`
	Defects    []string    `json:"defects,omitempty"` // what could not be read, one sentence each
}

// errNotLaw means that a file contains no provisions in a known format.
var errNotLaw = errors.New("no sections or rules were found in it")

// provisionLine is one line of the provision JSONL format, which others can write. See docs/legal-engine.md.
type provisionLine struct {
	Act       string   `json:"act"`
	Unit      string   `json:"unit"`
	No        string   `json:"no"`
	Heading   string   `json:"heading"`
	Chapter   string   `json:"chapter"`
	Text      string   `json:"text"`
	Footnotes []string `json:"footnotes"`
	Wef       []string `json:"wef"`
	Source    struct {
		Upstream  string `json:"upstream"`
		Publisher string `json:"publisher"`
		Fetched   string `json:"fetched"`
		AsOn      string `json:"as_on"`
		Via       string `json:"via"`
	} `json:"source"`
}

var (
	actShape     = lazyregexp.New(`^[a-z][a-z0-9_]{1,30}$`)
	spacesOnly   = lazyregexp.New(`(?m)^[ \t]{30,}$`)
	runningHead  = lazyregexp.New(`(?m)^(?:Sec|Rules?|Sections?)\. ?\d+[A-Z]*(?: ?[-–] ?\d+[A-Z]*)?\s*$`)
	chapterHead  = lazyregexp.New(`(?m)^\s*(?:\d{1,3} ?\[ ?)?CHAPTER[ -]+[IVXLC]+[A-Z]?\b.*$`)
	noteStart    = lazyregexp.New(`^\s*(\d{1,3})[.)]?\s*([A-Za-z]\S.*)$`)
	corresponds  = lazyregexp.New(`(?is)\[(?:Rules?|Sections?|Chapter)[^\]]{0,240}are given at page[^\]]*\]`)
	numberedNote = lazyregexp.New(`(?s)^(?:(\d{1,3})|\*)\.?\s+(.*)$`)
	markNumber   = lazyregexp.New(`(?:^|[^0-9A-Za-z/])\^?(\d{1,3}) ?[\[*]`)
	shortDay     = lazyregexp.New(`^(\d{1,2})-(\d{1,2})-(\d{4})$`)
)

// readJSONL reads a file of provisions, one JSON object on each line.
func readJSONL(name string, data []byte) (*parsed, error) {
	var lines []provisionLine
	scanner := bufio.NewScanner(bytes.NewReader(data))
	scanner.Buffer(nil, 4<<20)
	for n := 1; scanner.Scan(); n++ {
		if len(bytes.TrimSpace(scanner.Bytes())) == 0 {
			continue
		}
		var line provisionLine
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("line %d is no provision: %w", n, err)
		}
		if _, ok := ParseNumber(line.No); !ok || !actShape.MatchString(line.Act) || strings.TrimSpace(line.Text) == "" {
			return nil, fmt.Errorf("line %d is no provision: act %q, no %q, and %d bytes of text", n, line.Act, line.No,
				len(line.Text))
		}
		lines = append(lines, line)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("read line by line: %w", err)
	}
	if len(lines) == 0 {
		return nil, errNotLaw
	}
	p := &parsed{Source: Source{Name: name, SHA256: sum(data), Kind: "provisions", Units: len(lines)}}
	latest := ""
	for i := range lines {
		s := lines[i].Source
		p.Source.AsOn = max(p.Source.AsOn, isoOrNone(s.AsOn))
		p.Source.Read = max(p.Source.Read, isoOrNone(s.Fetched))
		p.Source.Publisher, p.Source.Origin = cmpOr(s.Publisher, s.Upstream), s.Via
		for _, w := range lines[i].Wef {
			if m := shortDay.FindStringSubmatch(w); m != nil {
				latest = max(latest, dayOf([]string{"", "", "", m[1], m[2], m[3]}))
			}
		}
		if !slices.Contains(p.Source.Acts, lines[i].Act) {
			p.Source.Acts = append(p.Source.Acts, lines[i].Act)
		}
	}
	p.Source.AsOn = cmpOr(p.Source.AsOn, latest)
	pool := &notePool{}
	bodies := make([]string, len(lines))
	for i, line := range lines {
		bodies[i] = pool.strip(i, line.Text)
	}
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if at, number := embedded(lines, i, bodies[i]); at > 0 { // the source joined two provisions
			p.Defects = append(p.Defects,
				fmt.Sprintf("%s %s stands inside %s; it was read from there", line.Act, number, line.No))
			own := line
			own.No, own.Heading, own.Footnotes, own.Text = number, "", nil, line.Text
			lines = slices.Insert(lines, i+1, own)
			bodies = slices.Insert(bodies, i+1, bodies[i][at:])
			bodies[i] = bodies[i][:at]
			for n := range pool.notes {
				if pool.notes[n].at > i {
					pool.notes[n].at++
				}
			}
		}
		r := reading{
			Act:     line.Act,
			Unit:    unitOf(line.Act, line.Unit),
			Number:  line.No,
			Heading: line.Heading,
			Chapter: line.Chapter,
			Notes:   listed(line.Footnotes),
		}
		if len(r.Notes) == 0 {
			r.Notes = pool.notesOf(i, bodies[i])
		}
		if strings.Contains(strings.ToLower(line.Heading), "omitted") && omittedLine.MatchString(line.Text) {
			m := omittedLine.FindStringSubmatch(line.Text)
			r.Heading, r.Omitted = strings.TrimSpace(m[1]), strings.Join(strings.Fields(m[2]), " ")
		} else {
			r.Text, r.Heading = withoutHeading(reflow(bodies[i]), r.Number, r.Heading)
		}
		p.Readings = append(p.Readings, r)
	}
	commencements(p.Readings)
	return p, nil
}

var embeddedHead = lazyregexp.New(`(?m)^ *(?:\d{1,3} ?)?\[? ?(?:Section|Rule) ?(\d{1,3}[A-Z]{0,2})\. ?[A-Z]`)

// embedded finds a section or rule that is inside the text of the previous one and has no line of its own.
func embedded(lines []provisionLine, i int, body string) (int, string) {
	for _, m := range embeddedHead.FindAllStringSubmatchIndex(body, -1) {
		number := body[m[2]:m[3]]
		if m[0] == 0 || !countsOn(lines[i].No, number) ||
			slices.ContainsFunc(lines, func(l provisionLine) bool { return l.Act == lines[i].Act && l.No == number }) {
			continue
		}
		return m[0], number
	}
	return 0, ""
}

// omittedLine matches an omitted section in India Code: "42. [Heading].---Omitted by …".
var omittedLine = lazyregexp.New(`(?s)^\s*\^?\d*\[?\s*\d+[A-Z]*\.\s*\[(.+?)\]\.?\s*[-–—]+\s*((?i:omitted)\b.*)$`)

func unitOf(act, unit string) string {
	if unit == "section" || unit == "rule" {
		return unit
	}
	if strings.HasSuffix(act, "rules") {
		return "rule"
	}
	return "section"
}

func isoOrNone(s string) string {
	if isDay(s) {
		return s
	}
	return ""
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// listed reads footnotes that are in a separate list: "1. Ins. by …". One without a number continues the one before.
func listed(footnotes []string) []note {
	var notes []note
	for _, f := range footnotes {
		m := numberedNote.FindStringSubmatch(strings.TrimSpace(f))
		switch {
		case m != nil && (m[1] == "" || noteShape.MatchString(m[2]) || len(notes) == 0 ||
			isNext(notes[len(notes)-1].Number, m[1])):
			notes = append(notes, note{cmpOr(m[1], "*"), m[2]})
		case len(notes) > 0:
			notes[len(notes)-1].Text += " " + f
		}
	}
	return notes
}

func isNext(before, number string) bool {
	b, _ := rank(digits, cmpOr(strings.Trim(before, "*"), "0"))
	n, _ := rank(digits, number)
	return n == b+1
}

// notePool collects the footnotes at the bottom of a compilation's pages. They are often inside the text of a
// provision to which they do not belong.
type notePool struct {
	notes []pooled
}

type pooled struct {
	note
	at int // the provision in whose text it is
}

// strip removes page footnotes from a text and collects them.
func (p *notePool) strip(at int, text string) string {
	var b strings.Builder
	for {
		loc := spacesOnly.FindStringIndex(text)
		if loc == nil {
			b.WriteString(text)
			break
		}
		b.WriteString(text[:loc[0]])
		foot := text[loc[1]:]
		end := len(foot)
		started := false
		offset := 0
		for _, line := range strings.SplitAfter(foot, "\n") {
			if paragraphStart.MatchString(strings.TrimSpace(line)) && finished(foot[:offset]) &&
				!notesFollow(foot[offset:]) {
				end = offset
				break
			}
			if strings.TrimSpace(line) == "" {
				if started && !footGoesOn(foot[offset:]) {
					end = offset
					break
				}
			} else {
				started = true
			}
			offset += len(line)
		}
		p.read(at, foot[:end])
		text = "\n\n" + strings.TrimLeft(foot[end:], " \n")
	}
	return corresponds.ReplaceAllString(chapterHead.ReplaceAllString(runningHead.ReplaceAllString(b.String(), ""), ""),
		"")
}

// finished reports whether the last footnote on a page is complete, so that a clause after it belongs to the law.
func finished(foot string) bool {
	last := foot
	for at := range foot {
		if (at == 0 || foot[at-1] == '\n') && noteStart.MatchString(firstLine(foot[at:])) {
			last = foot[at:]
		}
	}
	last = strings.TrimSpace(last)
	if at := notePrior.FindStringIndex(last); at != nil {
		old := last[at[1]:]
		return old != "" && strings.ContainsAny(old[:1], "\"'") &&
			strings.HasSuffix(strings.TrimRight(old, "."), "\"") ||
			strings.HasPrefix(old, "“") && strings.HasSuffix(strings.TrimRight(old, "."), "”")
	}
	return strings.HasSuffix(last, ".") && strings.Count(last, "\"")%2 == 0
}

// footGoesOn reports whether a page's footnotes continue after a line of spaces: another note follows before the next
// such line.
func footGoesOn(rest string) bool {
	if next := spacesOnly.FindStringIndex(rest); next != nil {
		rest = rest[:next[0]]
	}
	for line := range strings.SplitSeq(rest, "\n") {
		if m := noteStart.FindStringSubmatch(line); m != nil && noteShape.MatchString(m[2]) {
			return true
		}
	}
	return false
}

// notesFollow reports whether another footnote begins before the footnotes of the page end.
func notesFollow(foot string) bool {
	for line := range strings.SplitSeq(foot, "\n") {
		if strings.TrimSpace(line) == "" {
			return false
		}
		if m := noteStart.FindStringSubmatch(line); m != nil && noteShape.MatchString(m[2]) {
			return true
		}
	}
	return false
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func (p *notePool) read(at int, foot string) {
	for line := range strings.SplitSeq(foot, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "^") {
			continue
		}
		if m := noteStart.FindStringSubmatch(line); m != nil && noteShape.MatchString(m[2]) {
			p.notes = append(p.notes, pooled{note{m[1], m[2]}, at})
		} else if len(p.notes) > 0 {
			p.notes[len(p.notes)-1].Text += "\n" + line
		}
	}
}

// notesOf returns the footnotes for the marks in a text. Numbering restarts with every chapter, so of several notes
// with the number the closest is taken.
func (p *notePool) notesOf(at int, text string) []note {
	var notes []note
	seen := map[string]bool{}
	for from := 0; from < len(text); {
		m := markNumber.FindStringSubmatchIndex(text[from:])
		if m == nil {
			break
		}
		number := text[from+m[2] : from+m[3]]
		from += m[3] // "5[6[": marks may be adjacent
		if seen[number] {
			continue
		}
		seen[number] = true
		best := -1
		for i, n := range p.notes {
			if n.Number == number && distance(n.at, at) <= farthest &&
				(best < 0 || distance(n.at, at) < distance(p.notes[best].at, at)) {
				best = i
			}
		}
		if best >= 0 {
			notes = append(notes, p.notes[best].note)
		}
	}
	return notes
}

// farthest is how many provisions may be between a mark and its note.
const farthest = 8

func distance(note, mark int) int {
	if note < mark {
		// Except in a disordered source, a note is on the page of its mark or a later one.
		return farthest - 1 + mark - note
	}
	return note - mark
}

var (
	headingEnd    = lazyregexp.New(`\.?\s?(?:[-–—]{2,}|—|―|–)|[.;]\s?-|\.{2,}-?`)
	numberAtStart = lazyregexp.New(`^[\s*\x{200b}]*((?:\^?\d{0,3} ?\[ ?)?)(?:(?:Section|Rule|SECTION|RULE) ?)?(\d{1,3}[A-Z]{0,3})\s?\.\s*`)
)

// withoutHeading removes number and heading from the start of a text and returns both. A mark of amendment before
// them stays.
func withoutHeading(text, number, heading string) (string, string) {
	m := numberAtStart.FindStringSubmatch(text)
	if m == nil || m[2] != number {
		return text, tidyHeading(heading)
	}
	rest := text[len(m[0]):]
	line, _, _ := strings.Cut(rest, "\n")
	head := line[:min(len(line), 420)]
	cut, next := len(line), len(line)
	if end := headingEnd.FindStringIndex(head); end != nil {
		cut, next = end[0], end[1]
	} else if at := strings.Index(head, ". ("); at >= 0 {
		cut, next = at, at+1
	} else if at := strings.Index(head[min(len(head), matched(head, heading)):], ". "); at >= 0 && at < 160 {
		at += min(len(head), matched(head, heading))
		cut, next = at, at+1
	} else if len(line) > len(head) || !strings.Contains(rest, "\n") && namesIt(heading) && matched(head, heading) > 0 {
		cut = min(len(line), matched(head, heading))
		next = cut
	}
	found := tidyHeading(strings.NewReplacer("[", "", "]", "", "*",
		"").Replace(noteDigits.ReplaceAllString(rest[:cut], "$1")))
	prefix := strings.TrimSpace(m[1])
	if strings.Contains(line, "***") && strings.Trim(line, "0123456789^[]* .") == "" { // "95A. 1[***]": nothing is left
		return strings.TrimSpace(prefix + rest), tidyHeading(heading)
	}
	// The text closes brackets that the heading opened; brackets that the heading closes are removed with it.
	if open := strings.Count(rest[:cut], "[") - strings.Count(rest[:cut], "]"); open > 0 {
		if mm := openAny.FindString(rest[:cut]); mm != "" {
			prefix += strings.TrimSpace(mm)
		}
	}
	if found == "" {
		found = tidyHeading(heading)
	}
	if strings.HasSuffix(prefix, "[") && strings.Count(rest[:cut], "]") > strings.Count(rest[:cut], "[") {
		rest += "]" // "[110. Heading]": see newWitness for a change of the heading only
	}
	return prefix + strings.TrimLeft(rest[next:], " -–—\n"), found
}

// matched returns how many bytes a known heading takes at the start of a text, 0 if the text does not begin with it.
func matched(text, heading string) int {
	want := bare(heading)
	if want == "" {
		return 0
	}
	for at, r := range text {
		if end := at + len(string(r)); len(bare(text[:end])) >= len(want) {
			if bare(text[:end]) == want {
				return end
			}
			return 0
		}
	}
	return 0
}

var (
	noteDigits = lazyregexp.New(`(^| )\^?\d{1,3} ?(?:\[)`)
	openAny    = lazyregexp.New(`\^?\d{1,3} ?\[`)
)

func tidyHeading(h string) string {
	h = strings.Join(strings.Fields(h), " ")
	return strings.TrimRight(h, " .-–—:")
}

var (
	paragraphStart = lazyregexp.New(`^(?:\^?\d{0,3} ?\[ ?)*(?:\^?\d{0,3} ?\[ ?)?["“]?(?:\((?:\d{1,3}[A-Z]{0,2}|[a-z]{1,4}|[A-Z]{1,3})\)|Provided\b|Explanation\b|Illustrations?\b|EXPLANATION\b)`)
	labelAtStart   = lazyregexp.New(`^(?:\^?\d{0,3} ?\[ ?)*["“]?\((?:\d{1,3}[A-Z]{0,2}|[a-z]{1,4}|[A-Z]{1,3})\)`)
	awaitsNumber   = lazyregexp.New(`(?i)(?:\b(?:sub-?\s?)?(?:sections?|rules?|clauses?|paragraphs?|articles?|items?|proviso to|explanation to)|\bsub-?)$`)
	goesOn         = lazyregexp.New(`^(?:\^?\d{0,3} ?\[ ?)*\([0-9A-Za-z]{1,5}\)\]?\d*,?\s*(?:of|or|and|to|above|below|thereof|shall|is|are|,|;)\b`)
	spacedStop     = lazyregexp.New(` +([,;:.)])`)
	manySpaces     = lazyregexp.New(`[ \t\x{00a0}\x{200b}]+`)
)

// reflow returns a text with each paragraph on one line, joining lines that the source broke to fit its page.
func reflow(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r", ""), "\x00", "")
	var paragraphs []string
	blank := false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(manySpaces.ReplaceAllString(line, " "))
		if line == "" {
			blank = true
			continue
		}
		last := len(paragraphs) - 1
		switch {
		case last < 0:
			paragraphs = append(paragraphs, line)
		case startsParagraph(paragraphs[last], line, blank):
			paragraphs = append(paragraphs, line)
		case strings.HasSuffix(paragraphs[last], "-") && len(paragraphs[last]) > 1 &&
			!strings.HasSuffix(paragraphs[last], " -") && !strings.HasSuffix(paragraphs[last], "--") &&
			!strings.HasSuffix(paragraphs[last], ".-"):
			paragraphs[last] += line
		default:
			paragraphs[last] += " " + line
		}
		blank = false
	}
	return spacedStop.ReplaceAllString(strings.Join(paragraphs, "\n"), "$1")
}

func startsParagraph(before, line string, blank bool) bool {
	if paragraphStart.MatchString(line) {
		if labelAtStart.MatchString(line) &&
			(awaitsNumber.MatchString(before) ||
				goesOn.MatchString(line) && !strings.ContainsAny(before[len(before)-1:], ".;:-,")) {
			return false
		}
		if labelAtStart.MatchString(line) && goesOn.MatchString(line) && strings.HasSuffix(before, ",") {
			return false
		}
		return true
	}
	if !blank {
		return false
	}
	r := []rune(strings.TrimLeft(line, "[^0123456789 \"“"))
	if len(r) == 0 || unicode.IsLower(r[0]) {
		return false
	}
	return strings.ContainsAny(string([]rune(before)[len([]rune(before))-1:]), ".;:-—–]")
}

var commencedFor = lazyregexp.New(`(?i)^` + dayPattern + `,? for sections? (.+?) vide`)

// commencements reads from the footnotes of section 1 when the other sections came into force.
func commencements(readings []reading) {
	for i := range readings {
		if readings[i].Number != "1" {
			continue
		}
		var lines []string
		for _, n := range readings[i].Notes {
			lines = append(lines, daySplit.ReplaceAllString(n.Text, "\n$1"))
		}
		for line := range strings.SplitSeq(strings.Join(lines, "\n"), "\n") {
			m := commencedFor.FindStringSubmatch(strings.TrimSpace(line))
			if m == nil {
				continue
			}
			day := dayOf(m[1:7])
			for j := range readings {
				if readings[j].Act == readings[i].Act && inList(m[7], readings[j].Number) {
					readings[j].Since = day
				}
			}
		}
	}
}

var daySplit = lazyregexp.New(` (\d{1,2}(?:st|nd|rd|th),? (?:January|February|March|April|May|June|July|August|September|October|November|December),? \d{4},? for sections?)`)

var listItem = lazyregexp.New(`(\d{1,3}[A-Z]?)(?:\s*to\s*(\d{1,3}[A-Z]?))?`)

// inList reports whether a number is in a list such as "6 to 9, 11 to 21, 42 except the proviso to sub-section (9) of
// section 42, 43".
func inList(list, number string) bool {
	list = exceptions.ReplaceAllString(list, "")
	n, suffix := rank(digits, number)
	if suffix != "" {
		return false
	}
	for _, m := range listItem.FindAllStringSubmatchIndex(list, -1) {
		from, _ := rank(digits, list[m[2]:m[3]])
		to := from
		if m[4] >= 0 {
			to, _ = rank(digits, list[m[4]:m[5]])
		}
		if from <= n && n <= to {
			return true
		}
	}
	return false
}

var exceptions = lazyregexp.New(`except the proviso to sub-section \(\d+\) of section \d+`)
