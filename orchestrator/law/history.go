package law

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/message"
)

// Provision is a section or rule with everything that the imported texts say about it.
type Provision struct {
	Act       string            `json:"act"`
	Unit      string            `json:"unit"`
	Number    string            `json:"number"`
	Heading   string            `json:"heading"`
	Chapter   string            `json:"chapter,omitempty"`
	Versions  []Version         `json:"versions"` // in order of time; nothing is held for days that they leave out
	Notes     []Footnote        `json:"notes,omitempty"`
	Witnesses []Witness         `json:"witnesses"`
	Refers    []string          `json:"refers,omitempty"`   // "39", "cgst_rules:36"
	CitedBy   []string          `json:"cited_by,omitempty"` // in the same format
	Later     []Later           `json:"later,omitempty"`    // known amendments that are not in the text held
	Gaps      []message.Message `json:"gaps,omitempty"`     // what is not held, one sentence each
}

// Version is the text during a period.
type Version struct {
	From    string    `json:"valid_from"`                // ISO day; "" means since the Act or Rules were made
	Until   string    `json:"valid_until,omitempty"`     // ISO day, the last one
	Between [2]string `json:"changed_between,omitempty"` // if a change is only visible between two snapshots: it came after the first day and by the second, which is From
	Heading string    `json:"heading"`
	Text    string    `json:"text"`
	Parts   []Part    `json:"parts"`
	Marks   []Mark    `json:"marks,omitempty"`
	Status  Status    `json:"status"`
	Source  string    `json:"source"` // the name of the file that has this text
	AsOn    string    `json:"as_on,omitempty"`
	By      []string  `json:"by,omitempty"` // the amending instruments that made this version, as named in the footnotes
	Doubts  []doubt   `json:"-"`            // parts left out because the words held are of another time
}

// Status says whether a version is the present text.
type Status string

// The statuses of a version.
const (
	Current      Status = "current"
	Historical   Status = "historical"
	NotInForce   Status = "not commenced" // printed, but a notification has yet to bring it into force
	OmittedState Status = "omitted"
	Unclear      Status = "unknown"
)

// Footnote is a footnote of the source whose text is current.
type Footnote struct {
	Number string `json:"number"`
	Text   string `json:"text"`
}

// Witness is what one source says about a provision.
type Witness struct {
	Source   string `json:"source"`
	AsOn     string `json:"as_on,omitempty"`
	SHA256   string `json:"sha256"`             // of the provision's text in the source
	Differs  string `json:"differs,omitempty"`  // the words around the first difference from the text held for its day
	Distance int    `json:"distance,omitempty"` // number of words that differ
}

// Later is an amendment that is not in the text held.
type Later struct {
	By   string `json:"by"`
	Date string `json:"date,omitempty"`
	From string `json:"from,omitempty"`
}

// witness is a reading with its marks and footnotes interpreted.
type witness struct {
	reading
	source  Source
	marked  marked
	whole   *change // the change that inserted, replaced or omitted the whole
	changes []*change
}

func newWitness(r reading, s Source) *witness {
	w := &witness{reading: r, source: s}
	if r.Omitted != "" {
		c := readFootnote("", r.Omitted, "")
		c.Kind = omitted
		w.whole, w.changes = c, []*change{c}
		w.marked = marked{pieces: []piece{{change: c}}}
		return w
	}
	notes := map[string]*change{}
	ibid := ""
	for _, n := range r.Notes {
		c := readFootnote(n.Number, n.Text, ibid)
		ibid = instrumentOf(n.Text, ibid)
		if c.HasOld && c.Kind != inserted {
			c.Old = reflow(c.Old)
			if m := numberAtStart.FindStringSubmatch(c.Old); m != nil && m[2] == r.Number {
				c.Old, _ = withoutHeading(c.Old, r.Number, "")
			}
		}
		notes[n.Number] = c
	}
	w.marked = readMarked(r.Text, r.Style, notes)
	w.changes = w.marked.changes()
	if c := w.marked.only(); c != nil && ofHeading.MatchString(c.Text) {
		w.marked = *w.marked.find(c)
		w.changes = w.marked.changes()
	}
	if c := w.marked.only(); c != nil && (c.Kind == omitted || c.Kind == substituted || c.Kind == inserted) {
		w.whole = c
		if wholeNamed.MatchString(c.Old) || len(c.Old) < 30 { // "for section 41" does not quote its words
			c.Old, c.HasOld = "", c.Kind == inserted
		}
	}
	return w
}

var wholeNamed = lazyregexp.New(`^(?i:the )?(?:section|rule|sub-section|sub-rule) [0-9A-Z()]+$`)

// namesIt reports whether a heading is more than stars or numbers.
func namesIt(heading string) bool { return len(strings.Trim(heading, "0123456789[]* .")) > 3 }

var ofHeading = lazyregexp.New(`(?i)\b(?:marginal|in the|for the) heading`)

// only returns the change to which the whole text is due, or nil.
func (m marked) only() *change {
	var found *change
	for _, p := range m.pieces {
		switch {
		case p.change != nil && found == nil:
			found = p.change
		case p.change != nil || strings.Trim(p.words, " \n.-–—]") != "":
			return nil
		}
	}
	return found
}

// last returns the last day for which a witness is certain.
func (w *witness) last() string { return cmpOr(w.source.AsOn, w.source.Read) }

// buildProvision combines the witnesses of one section or rule.
func buildProvision(ws []*witness) *Provision {
	slices.SortStableFunc(ws, func(a, b *witness) int { return cmp.Compare(b.precedence(), a.precedence()) })
	newest := ws[0]
	p := &Provision{Act: newest.Act, Unit: newest.Unit, Number: newest.Number, Heading: newest.Heading}
	for _, w := range ws {
		if !namesIt(p.Heading) {
			p.Heading = w.Heading
		}
		p.Chapter = cmpOr(p.Chapter, chapterName(w.Chapter))
	}
	pending := contradicted(ws)
	lend(ws)
	between := dateUndated(ws)
	for _, n := range newest.Notes {
		p.Notes = append(p.Notes, Footnote{n.Number, strings.Join(strings.Fields(n.Text), " ")})
	}
	since := ""
	for _, w := range ws {
		since = cmpOr(since, w.Since)
	}
	p.versions(ws, since, between)
	p.compare(ws)
	for i, w := range ws {
		if day := pending[w]; day != "" {
			p.Witnesses[i].Differs = strings.TrimPrefix(p.Witnesses[i].Differs+
				"; it prints as not yet in force what another source has in force from "+day, "; ")
		}
	}
	return p
}

// contradicted returns the witnesses that print a change as yet to be notified although another source has it in
// force on their own day.
func contradicted(ws []*witness) map[*witness]string {
	found := map[*witness]string{}
	for _, w := range ws {
		for _, c := range w.changes {
			for _, other := range ws {
				if !c.Future || other == w {
					continue
				}
				if d := w.same(c, other); d != nil && d.From != "" && d.From <= w.last() {
					found[w] = d.From
				}
			}
		}
	}
	return found
}

// precedence is the sort key of the witnesses: the latest amended first, and India Code before compilations of the
// same month.
func (w *witness) precedence() string {
	if w.source.Read != "" {
		return max(w.last(), w.source.Read)
	}
	if w.source.AsOn == "" {
		return "0"
	}
	if strings.HasPrefix(w.source.Publisher, "India Code") {
		return "9" + w.last()
	}
	return w.last()
}

func chapterName(c string) string { return strings.ToUpper(strings.Join(strings.Fields(c), " ")) }

// lend supplies what a footnote of one witness lacks, the day of a change or the earlier words, from another
// witness's footnote on the same change. The change records whose words they are.
func lend(ws []*witness) {
	for _, w := range ws {
		for _, c := range w.changes {
			settled := c.From != "" && (c.Kind == inserted || c.HasOld)
			if settled && (c.Kind != substituted || c.Since != "") {
				continue
			}
			for _, other := range ws {
				if other == w {
					continue
				}
				d := w.same(c, other)
				if d == nil {
					continue
				}
				if c.Since == "" && d.Since != "" && c.HasOld && bare(c.Old) == bare(d.Old) {
					c.Since, c.First = d.Since, d.First
				}
				if settled {
					continue
				}
				if c.From == "" && !c.Future || c.Future && d.From != "" && d.From <= w.last() {
					c.From, c.Future = d.From, d.Future && d.From == ""
				}
				if !c.HasOld && d.HasOld {
					c.Old, c.HasOld, c.OldBy = d.Old, true, other.source.Name
				}
			}
		}
	}
}

// same returns the change of another witness that equals c: of the same kind with the same words, or the only one of
// that kind and day.
func (w *witness) same(c *change, other *witness) *change {
	words := w.inside(c)
	var byDay []*change
	for _, d := range other.changes {
		if d.Kind != c.Kind && !(d == other.whole && c == w.whole) {
			continue
		}
		if c == w.whole && d == other.whole && (c.From == "" || d.From == "" || c.From == d.From) {
			return d
		}
		if words != "" && words == other.inside(d) && (c.From == "" || d.From == "" || c.From == d.From) {
			return d
		}
		if c.From != "" && d.From == c.From {
			byDay = append(byDay, d)
		}
	}
	if len(byDay) == 1 {
		mine := 0
		for _, e := range w.changes {
			if e.Kind == c.Kind && e.From == c.From {
				mine++
			}
		}
		if mine == 1 {
			return byDay[0]
		}
	}
	return nil
}

// inside returns the words of a change in bare form.
func (w *witness) inside(c *change) string {
	m := w.marked.find(c)
	if m == nil {
		return ""
	}
	return bare(m.all())
}

func (m *marked) find(c *change) *marked {
	for i := range m.pieces {
		if m.pieces[i].change == c {
			return &m.pieces[i].inside
		}
		if found := m.pieces[i].inside.find(c); found != nil {
			return found
		}
	}
	return nil
}

// all returns all words, of whatever time.
func (m *marked) all() string {
	var b strings.Builder
	for i := range m.pieces {
		b.WriteString(m.pieces[i].words)
		b.WriteString(m.pieces[i].inside.all())
	}
	return b.String()
}

// bare returns only the letters and digits of a text, to compare texts with different typography.
func bare(s string) string { return strings.Join(plainWords(s), "") }

// dateUndated dates changes for which no source gives a day: by the first snapshot that has them, if an earlier one
// does not. It returns between which two days they came.
func dateUndated(ws []*witness) map[string]string {
	between := map[string]string{} // from the later day to the earlier one
	for _, w := range ws {
		for _, c := range w.changes {
			if c.From != "" || c.Future || c.Kind == unclear {
				continue
			}
			words := w.inside(c)
			seen, unseen := w.last(), ""
			for _, other := range ws {
				if other == w || other.last() == "" || other.last() >= seen || house(other) != house(w) {
					continue // editors use different words, which is not a change of the law
				}
				has := words != "" && strings.Contains(bare(other.marked.all()), words) ||
					c.Kind == omitted && w.same(c, other) != nil
				if has {
					seen = min(seen, other.last())
				} else {
					unseen = max(unseen, other.last())
				}
			}
			if unseen != "" && unseen < seen {
				c.From = seen
				if w == ws[0] {
					between[seen] = unseen
				}
				c.By += " (no date)"
			}
		}
	}
	return between
}

// house returns the publisher of a source.
func house(w *witness) string {
	first, _, _ := strings.Cut(w.source.Publisher, " ")
	return strings.Trim(first, ",")
}

func dayBefore(day string) string { return shiftDay(day, -1) }

func shiftDay(day string, by int) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.AddDate(0, 0, by).Format(time.DateOnly)
}

// versions builds the versions of the provision.
func (p *Provision) versions(ws []*witness, since string, between map[string]string) {
	days := map[string]bool{"": true}
	made := "" // the day on which it was inserted into the Act, if it was not there from the start
	for _, w := range ws {
		for _, d := range w.marked.days() {
			days[d] = true
		}
		if w.whole != nil && w.whole.Kind == inserted && !w.whole.Future {
			made = max(made, w.whole.From)
		}
	}
	for _, unseen := range between {
		days[shiftDay(unseen, 1)] = true
	}
	order := slices.Sorted(maps.Keys(days))
	pending := ""
	var lost struct { // the last reported period without text
		from, until string
		open        bool
	}
	for i, from := range order {
		until := ""
		if i+1 < len(order) {
			until = dayBefore(order[i+1])
		}
		if made != "" && from < made {
			continue
		}
		if from == "" && since != "" && until != "" && until < since {
			continue
		}
		gap := false
		for seen, unseen := range between {
			gap = gap || from > unseen && from < seen
		}
		v, ok := p.versionFor(ws, from, until)
		if gap || !ok {
			if gap {
				for seen, unseen := range between {
					if from == shiftDay(unseen, 1) {
						p.Gaps = append(p.Gaps, message.New("law_text.gap.changed",
							message.Params{"from": message.Date(unseen), "until": message.Date(seen)}))
					}
				}
			} else if !slices.ContainsFunc(ws, func(w *witness) bool { return w.absent(from, until) }) {
				if lost.open && dayBefore(from) == lost.until {
					p.Gaps = p.Gaps[:len(p.Gaps)-1]
				} else {
					lost.from = from
				}
				lost.open, lost.until = true, until
				p.Gaps = append(p.Gaps, gapSentence(lost.from, until))
			}
			pending = ""
			continue
		}
		v.From, v.Until = from, until
		if unseen := between[from]; unseen != "" {
			v.Between = [2]string{unseen, from}
		}
		if n := len(p.Versions); n > 0 && pending != "" && p.Versions[n-1].Until == dayBefore(from) &&
			bare(p.Versions[n-1].Text) == bare(v.Text) {
			p.Versions[n-1].Until = until
			continue
		}
		pending = "x"
		p.Versions = append(p.Versions, v)
	}
	if n := len(p.Versions); n > 0 {
		if p.Versions[0].From == "" && since != "" {
			p.Versions[0].From = since
		}
		last := &p.Versions[n-1]
		if last.Until == "" {
			last.Status = Current
			if strings.TrimSpace(last.Text) == "" {
				last.Status = OmittedState
			}
		}
	}
	p.future(ws[0])
	p.future(second(ws))
	if len(p.Versions) == 1 && p.Versions[0].Status == NotInForce {
		p.Gaps = nil // there is no other text
	}
	for i := range p.Versions {
		v := &p.Versions[i]
		v.Parts = partsOf(p.Number, p.Unit, v.Text)
		if !namesIt(v.Heading) {
			v.Heading = p.Heading
		}
	}
}

func second(ws []*witness) *witness {
	if len(ws) > 1 && ws[1].last() >= ws[0].last() {
		return ws[1]
	}
	return nil
}

func gapSentence(from, until string) message.Message {
	code := "between"
	switch {
	case from == "" && until == "":
		code = "all"
	case from == "":
		code = "until"
	case until == "":
		code = "from"
	}
	return message.New("law_text.gap."+code, message.Params{"from": message.Date(from), "until": message.Date(until)})
}

// versionFor returns the text for a period in which no change is known. If several witnesses have a text, it takes
// the one that differs least from the others, so that a source with an incomplete footnote is not decisive.
func (p *Provision) versionFor(ws []*witness, from, until string) (Version, bool) {
	var candidates []Version
	var apart [][]string
	best, least := -1, 0
	for _, w := range ws {
		v, indirect, ok := w.version(from, until, w == ws[0])
		if !ok || w.stale(ws, until) || slices.ContainsFunc(candidates, func(c Version) bool {
			return c.AsOn == v.AsOn && bare(c.Text) == bare(v.Text)
		}) {
			continue
		}
		candidates = append(candidates, v)
		words := plainWords(v.Text)
		apart = append(apart, words)
		if indirect {
			apart[len(apart)-1] = append(words, "\x00")
		}
	}
	for i := range candidates {
		total := 0
		for j := range candidates {
			if i != j && bare(candidates[i].Text) != bare(candidates[j].Text) {
				total += wordsApart(apart[i], apart[j])
			}
		}
		if len(candidates) == 2 && total > 40 && slices.Contains(apart[i], "\x00") {
			total++
		}
		if best < 0 || total < least-len(candidates) {
			best, least = i, total
		}
	}
	if best < 0 {
		return Version{}, false
	}
	return candidates[best], true
}

// stale reports whether the earlier words that a witness quotes may be too recent for a day: another source has an
// amendment in between that this witness does not know.
func (w *witness) stale(ws []*witness, until string) bool {
	if until == "" {
		return false
	}
	for _, c := range w.changes {
		if c.From <= until || c.Kind == inserted || c.Old == "" {
			continue
		}
		for _, other := range ws {
			for _, d := range other.changes {
				if d.From > until && d.From < c.From &&
					!slices.ContainsFunc(w.changes, func(e *change) bool { return e.From == d.From }) {
					return true
				}
			}
		}
	}
	return false
}

// absent reports whether, according to a witness, the provision did not exist yet because all of it was inserted
// later.
func (w *witness) absent(from, until string) bool {
	day := cmpOr(until, from)
	if w.whole != nil && w.whole.Future {
		return true
	}
	for _, p := range w.marked.pieces {
		if p.change == nil && strings.Trim(p.words, " \n.]") != "" ||
			p.change != nil && (p.change.Kind != inserted || p.change.holds(day)) {
			return false
		}
	}
	return len(w.marked.pieces) > 0
}

// version returns the text for a period according to one witness. indirect is set if it relies on a footnote that
// quotes a whole provision, or on words of another witness.
func (w *witness) version(from, until string, newest bool) (v Version, indirect, ok bool) {
	day := w.last() // a day of the period for which the witness is reliable
	if until != "" && (day == "" || day > until) {
		day = until
	}
	if day < from {
		if until != "" || !newest {
			return v, false, false
		}
		day = from
	}
	text, marks, why, lent := w.marked.asOn(day)
	for _, c := range why {
		if c.From != "" || day < w.last() && c.Kind != unclear {
			// No source quotes the words, or a change has no day and the source was printed after it.
			return v, false, false
		}
	}
	if w.whole != nil && w.whole.Future {
		return v, false, false
	}
	if strings.TrimSpace(text) == "" && (w.whole == nil || w.whole.Kind != omitted) {
		return v, false, false // the source has lost the text
	}
	v = Version{
		Heading: w.Heading,
		Text:    text,
		Marks:   marks,
		Status:  Historical,
		Source:  w.source.Name,
		AsOn:    w.source.AsOn,
	}
	tidyVersion(&v)
	for _, c := range w.changes {
		if c.From == from && from != "" && !slices.Contains(v.By, c.By) {
			v.By = append(v.By, c.By)
		}
		indirect = indirect || !c.holds(day) && len(c.Old) > 500
	}
	return v, indirect || lent, true
}

// tidyVersion trims the ends of a text and removes double spaces left by omitted words.
func tidyVersion(v *Version) {
	var b strings.Builder
	moved := make([]int, len(v.Text)+1)
	lead := len(v.Text) - len(strings.TrimLeft(v.Text, " \n"))
	for i := 0; i < len(v.Text); i++ {
		moved[i] = b.Len()
		c := v.Text[i]
		out := b.Len()
		switch {
		case i < lead:
			continue
		case c == ' ' && (i+1 == len(v.Text) ||
			strings.IndexByte(" ,.;:\n", v.Text[i+1]) >= 0 && !strings.HasPrefix(v.Text[i+1:], "..")):
			continue
		case (c == ' ' || c == '\n') && out > 0 && strings.HasSuffix(b.String()[max(0, out-1):], "\n"):
			continue
		}
		b.WriteByte(c)
	}
	moved[len(v.Text)] = b.Len()
	v.Text = strings.TrimRight(b.String(), " \n")
	for i := range v.Marks {
		v.Marks[i].Start = min(moved[v.Marks[i].Start], len(v.Text))
		v.Marks[i].End = min(moved[v.Marks[i].End], len(v.Text))
	}
}

// future adds the text as it will be when a change that is printed but not in force commences.
func (p *Provision) future(w *witness) {
	if w == nil || !slices.ContainsFunc(w.changes, func(c *change) bool { return c.Future }) {
		return
	}
	if slices.ContainsFunc(p.Versions, func(v Version) bool { return v.Status == NotInForce }) {
		return
	}
	all := map[*change]bool{}
	for _, c := range w.changes {
		if c.Future {
			all[c] = true
			c.Future = false
		}
	}
	text, marks, _, _ := w.marked.asOn("9999-12-31")
	v := Version{
		Heading: w.Heading,
		Text:    text,
		Marks:   marks,
		Status:  NotInForce,
		Source:  w.source.Name,
		AsOn:    w.source.AsOn,
	}
	for c := range all {
		c.Future = true
		if !slices.Contains(v.By, c.By) {
			v.By = append(v.By, c.By)
		}
	}
	slices.Sort(v.By)
	tidyVersion(&v)
	p.Versions = append(p.Versions, v)
}

// compare compares what each witness says for its day with the text held for that day.
func (p *Provision) compare(ws []*witness) {
	for _, w := range ws {
		out := Witness{Source: w.source.Name, AsOn: w.last()}
		text, _, _, _ := w.marked.asOn(cmpOr(w.last(), "9999-12-31"))
		out.SHA256 = sum([]byte(text))
		day := w.last()
		if w.whole != nil && w.whole.From != "" {
			day = max(day, w.whole.From)
		}
		against := ""
		if v := p.at(day); v != nil && v.Source != w.source.Name {
			against = v.Text
		} else if w != ws[0] { // it is held for its day because it knows more: compare with the newest
			if v, _, ok := ws[0].version(day, day, false); ok {
				against = v.Text
			}
		}
		if against != "" || p.at(day) != nil && p.at(day).Source != w.source.Name {
			out.Differs, out.Distance = firstDifference(against, text)
			for _, c := range ws[0].changes {
				if out.Differs != "" && c.From != "" && c.From <= w.last() && c.Kind != omitted && ws[0] != w &&
					!strings.Contains(bare(w.marked.all()), ws[0].inside(c)) {
					out.Differs += "; it does not have the change with effect from " + c.From
					break
				}
			}
		}
		p.Witnesses = append(p.Witnesses, out)
	}
}

// at returns the version in force on a day, nil if none is held.
func (p *Provision) at(day string) *Version {
	for i := range p.Versions {
		v := &p.Versions[i]
		if v.Status != NotInForce && (v.From == "" || v.From <= day) && (v.Until == "" || day <= v.Until) {
			return v
		}
	}
	return nil
}

// firstDifference compares the words of two texts. It returns those around the first difference, and how many words
// differ. Typography does not count.
func firstDifference(a, b string) (string, int) {
	if bare(a) == bare(b) {
		return "", 0
	}
	x, y := plainWords(a), plainWords(b)
	start := 0
	for start < len(x) && start < len(y) && x[start] == y[start] {
		start++
	}
	n := wordsApart(x[start:], y[start:])
	show := func(w []string) string {
		from := max(0, start-3)
		return strings.Join(w[min(from, len(w)):min(start+6, len(w))], " ")
	}
	return fmt.Sprintf("%q against %q", show(x), show(y)), n
}

// wordsApart returns roughly how many words of either text the other lacks.
func wordsApart(x, y []string) int {
	count := map[string]int{}
	for _, w := range x {
		count[w]++
	}
	for _, w := range y {
		count[w]--
	}
	n := 0
	for _, c := range count {
		n += max(c, -c)
	}
	return max(n, 1)
}
