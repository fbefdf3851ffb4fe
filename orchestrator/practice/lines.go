package practice

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/message"
	"munshi/orchestrator/store"
)

// What a line of a list comes to.
const (
	lineNewClient  = "new_client" // a client, and a matter of theirs
	lineNewMatter  = "new_matter"
	lineAttached   = "attached" // to a matter that is there, or to that of a line above
	lineClientOnly = "client"   // a client without a notice
	lineKnown      = "known"    // it is there already
	lineRefused    = "refused"  // who imports may not do this
	lineUnclear    = "unclear"  // it was not understood
	lineLeft       = "left_out" // a heading or a total
)

// line is a notice or order as a list names it. Days are ISO dates.
type line struct {
	key                            string // by which it is reported
	client, gstin, pan             string
	form, kind, reference, about   string
	issued, received, due, hearing string
	officer, answered, arn         string
	track, stage                   string
	years                          []string
	demand                         []gst.DemandRow // in rupees
	paise                          *int64
	state                          string
	assignee                       *uuid.UUID
	replied                        bool
	of                             *uuid.UUID        // the client, where that is known without looking
	doubts                         []message.Message // what was not taken of it
}

// hasNotice reports whether a line says more than whose it is.
func (l line) hasNotice() bool {
	return l.form != "" || l.kind != "" || l.reference != "" || l.issued != "" || l.due != "" || l.hearing != "" ||
		l.paise != nil || len(l.years) > 0
}

// number is the line's reference in the form in which numbers are compared; "" for one too short to tell papers apart.
func (l line) number() string {
	if n := numberKey(l.reference); len(n) >= shortestOwn {
		return n
	}
	return ""
}

// mark is what a line is known by when it comes again: its number, else all that it says.
func (l line) mark() string {
	whose := cmp.Or(l.gstin, nameKey(l.client))
	if l.of != nil && whose == "" {
		whose = l.of.String()
	}
	parts := []string{whose, cmp.Or(l.form, plain(l.kind)), l.number()}
	if parts[2] == "" {
		demand := ""
		if l.paise != nil {
			demand = strconv.FormatInt(*l.paise, 10)
		}
		parts = append(parts, plain(l.reference), strings.Join(l.years, ","), l.issued, l.received, l.due, l.hearing, demand,
			plain(l.about))
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "|")))
	return hex.EncodeToString(sum[:16])
}

// keysOf are by what lines name clients and papers.
func keysOf(lines []line) (k store.KnownKeys) {
	for _, l := range lines {
		for _, one := range []struct {
			value string
			into  *[]string
		}{{l.gstin, &k.GSTINs}, {l.pan, &k.PANs}, {nameKey(l.client), &k.Names}, {l.number(), &k.Numbers}, {l.mark(), &k.Marks}} {
			if one.value != "" {
				*one.into = append(*one.into, one.value)
			}
		}
	}
	return k
}

// outcome is what a line comes to, and why.
type outcome struct {
	line
	what   string
	why    []message.Message
	matter *uuid.UUID // that is there
	step   *store.ListedStep
	listed *uuid.UUID // the listed notice that it repeats, without a document
	paper  bool       // its document is there
	aside  bool       // somebody has said that it is not needed
}

// planner puts lines where they belong, each knowing of those before.
type planner struct {
	clients []planned
	papers  []placed
	numbers map[string][]int // places in papers
	marks   map[string]int
	mayAll  bool // who imports may approve and close matters
	strict  bool // lines of another state or assignee are another matter
}

type planned struct {
	id             uuid.UUID
	name, key, pan string
	gstins         []string
}

// placed is a paper, a listed notice or a line above, and where it is.
type placed struct {
	matter, client                         *uuid.UUID
	gstin, form, kind, track, stage, state string
	issued, due                            string
	years                                  []string
	paise                                  *int64
	assignee                               *uuid.UUID
	ours                                   bool // it is a line above
	listed                                 *uuid.UUID
	document, aside                        bool
	step                                   *store.ListedStep
}

func newPlanner(k store.Holdings) *planner {
	p := &planner{numbers: map[string][]int{}, marks: map[string]int{}}
	for _, c := range k.Clients {
		p.clients = append(p.clients, planned{c.ID, c.Name, c.NameKey, orEmpty(c.Pan), c.Gstins})
	}
	for _, k := range k.Papers {
		p.add(placed{matter: k.MatterID, client: k.ClientID, gstin: orEmpty(k.Gstin), form: orEmpty(k.Form), track: k.Track,
			stage: k.Stage, issued: orEmpty(k.Issued), due: orEmpty(k.Due), years: k.Years, paise: k.DemandPaise,
			document: true}, "", k.Numbers...)
	}
	for _, k := range k.Listed {
		one := placed{matter: &k.MatterID, client: &k.ClientID, gstin: orEmpty(k.Gstin), form: orEmpty(k.Form), kind: k.Kind,
			track: k.Track, stage: k.Stage, issued: orEmpty(k.Issued), due: orEmpty(k.Due), years: k.Years,
			paise: k.DemandPaise, document: k.Here, aside: k.AsideAt != nil}
		if !k.Here {
			one.listed = &k.ID
		}
		numbers := []string{}
		if k.Number != "" {
			numbers = append(numbers, k.Number)
		}
		p.add(one, k.Mark, numbers...)
	}
	return p
}

func (p *planner) add(one placed, mark string, numbers ...string) {
	at := len(p.papers)
	p.papers = append(p.papers, one)
	for _, n := range numbers {
		p.numbers[n] = append(p.numbers[n], at)
	}
	if mark != "" {
		p.marks[mark] = at
	}
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// place says what a line comes to.
func (p *planner) place(source string, l line) (o outcome) {
	o = outcome{line: l, why: slices.Clone(l.doubts)}
	because := func(what, code string, params message.Params) outcome {
		o.what = what
		if code != "" {
			o.why = append([]message.Message{message.New("import."+code, params)}, o.why...)
		}
		return o
	}
	client, several := p.clientOf(l)
	switch {
	case several:
		return because(lineUnclear, "several_clients", message.Params{"name": l.client})
	case client < 0 && l.client == "" && l.gstin == "":
		return because(lineUnclear, "no_client", nil)
	}
	if again := p.again(l, client); again != nil {
		o.matter, o.listed, o.paper, o.aside = again.matter, again.listed, again.document, again.aside
		switch {
		case again.ours:
			o.matter = nil
			return because(lineKnown, "twice", nil)
		case again.document:
			return because(lineKnown, "document_there", nil)
		}
		return because(lineKnown, "listed_there", nil)
	}
	if !l.hasNotice() && client >= 0 {
		if l.gstin == "" || slices.Contains(p.clients[client].gstins, l.gstin) {
			return because(lineKnown, "client_there", nil)
		}
	}
	if l.hasNotice() && (l.state == "closed" || l.state == "approved") && !p.mayAll {
		return because(lineRefused, "may_not_close", nil)
	}
	step := &store.ListedStep{Key: l.key}
	made := client < 0
	if made {
		id := uuid.New()
		name := cmp.Or(l.client, l.gstin)
		n := &store.NewClient{Name: name, NameKey: nameKey(name)}
		pan := cmp.Or(panOf(l.gstin), l.pan)
		if pan != "" {
			n.PAN = &pan
		}
		if l.gstin != "" {
			n.GSTIN = &l.gstin
		}
		step.Client, step.NewClient = id, n
		client = len(p.clients)
		p.clients = append(p.clients, planned{id: id, name: name, key: n.NameKey, pan: pan})
	} else {
		step.Client = p.clients[client].id
		step.NewClient = p.newClient(step.Client)
	}
	if l.gstin != "" && !slices.Contains(p.clients[client].gstins, l.gstin) {
		step.GSTIN = &l.gstin
		p.clients[client].gstins = append(p.clients[client].gstins, l.gstin)
	}
	o.step = step
	if !l.hasNotice() {
		return because(lineClientOnly, "", nil)
	}
	step.Listed = listedOf(source, l)
	one := placed{client: &step.Client, gstin: l.gstin, form: l.form, kind: l.kind, track: l.track, stage: l.stage,
		state: l.state, issued: l.issued, due: l.due, years: l.years, paise: l.paise, assignee: l.assignee, ours: true,
		step: step}
	defer func() {
		numbers := []string{}
		if n := l.number(); n != "" {
			numbers = append(numbers, n)
		}
		p.add(one, l.mark(), numbers...)
	}()
	if with := p.with(l, step.Client); with != nil {
		step.Matter, one.matter = *with.matter, with.matter
		if with.ours {
			one.state = with.state
			step.NewMatter = with.step.NewMatter
			// How a matter stands is what is said of its latest stage.
			if later := stages[l.stage] >= stages[with.stage]; later && l.state != "" {
				step.NewMatter.State, one.state = l.state, l.state
			}
			if step.NewMatter.Assignee == nil {
				step.NewMatter.Assignee = l.assignee
			}
			return because(lineAttached, "with_line", message.Params{"row": with.step.Key})
		}
		o.matter = with.matter
		return because(lineAttached, "with_matter", nil)
	}
	step.Matter = uuid.New()
	one.matter = &step.Matter
	step.NewMatter = &store.ListedMatter{State: cmp.Or(l.state, "new"), Assignee: l.assignee}
	one.state = step.NewMatter.State
	if made {
		return because(lineNewClient, "", nil)
	}
	return because(lineNewMatter, "", nil)
}

// newClient returns the client to be made that a line above has, nil where it is there: so that a line can be taken over
// though the one above could not.
func (p *planner) newClient(id uuid.UUID) *store.NewClient {
	for _, one := range p.papers {
		if one.ours && *one.client == id {
			return one.step.NewClient
		}
	}
	return nil
}

// clientOf finds whose line it is, as the place among the clients, -1 for somebody new: by registration, then by PAN,
// else by name, where no other PAN speaks against it. several means that a name alone is not enough.
func (p *planner) clientOf(l line) (at int, several bool) {
	if l.of != nil {
		return slices.IndexFunc(p.clients, func(c planned) bool { return c.id == *l.of }), false
	}
	if l.gstin != "" {
		if i := slices.IndexFunc(p.clients, func(c planned) bool { return slices.Contains(c.gstins, l.gstin) }); i >= 0 {
			return i, false
		}
	}
	pan := cmp.Or(panOf(l.gstin), l.pan)
	if pan != "" {
		if i := slices.IndexFunc(p.clients, func(c planned) bool { return c.pan == pan }); i >= 0 {
			return i, false
		}
	}
	key, found := nameKey(l.client), -1
	if key == "" {
		return -1, false
	}
	for i, c := range p.clients {
		if c.key != key || pan != "" && c.pan != "" {
			continue
		}
		if found >= 0 {
			return -1, pan == "" && l.gstin == ""
		}
		found = i
	}
	return found, false
}

// again finds what a line repeats: by its mark, by its number, else by form, days and demand.
func (p *planner) again(l line, client int) *placed {
	if at, known := p.marks[l.mark()]; known && l.hasNotice() {
		return &p.papers[at]
	}
	fits := func(a, b string) bool { return a == "" || b == "" || a == b }
	if n := l.number(); n != "" {
		for _, at := range p.numbers[n] {
			if one := &p.papers[at]; fits(one.form, l.form) && fits(one.gstin, l.gstin) {
				return one
			}
		}
		return nil
	}
	if client < 0 || l.issued == "" && l.due == "" {
		return nil
	}
	for i := range p.papers {
		one := &p.papers[i]
		samePaise := one.paise == nil && l.paise == nil || one.paise != nil && l.paise != nil && *one.paise == *l.paise
		if one.client != nil && *one.client == p.clients[client].id && one.form == l.form && plain(one.kind) == plain(l.kind) &&
			one.issued == l.issued && one.due == l.due && samePaise && fits(one.gstin, l.gstin) {
			return one
		}
	}
	return nil
}

// with finds the matter that a line continues: of the same registration and years, in the same kind of proceeding, at
// another stage.
func (p *planner) with(l line, client uuid.UUID) *placed {
	var best *placed
	most := 0
	for i := range p.papers {
		one := &p.papers[i]
		if one.matter == nil || one.client == nil || *one.client != client || one.gstin != "" && l.gstin != "" && one.gstin != l.gstin ||
			!alongside(one.track, l.track) ||
			!slices.ContainsFunc(l.years, func(y string) bool { return slices.Contains(one.years, y) }) {
			continue
		}
		if p.strict && one.ours && (cmp.Or(one.state, "new") != cmp.Or(l.state, "new") || !same(one.assignee, l.assignee)) {
			continue
		}
		points := sameYears
		if one.stage != l.stage {
			points += nextStage
		}
		if one.form != "" && one.form == l.form {
			points += sameForm
		}
		if one.paise != nil && l.paise != nil && *l.paise > 0 && near(*one.paise, *l.paise) {
			points += sameDemand
		}
		if points >= likely && points > most {
			best, most = one, points
		}
	}
	return best
}

func same(a, b *uuid.UUID) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// listedOf returns a line as it is kept.
func listedOf(source string, l line) *store.NewListed {
	or := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	return &store.NewListed{Source: source, Mark: l.mark(), Number: l.number(), Reference: or(l.reference), Form: or(l.form),
		Kind: l.kind, About: l.about, GSTIN: or(l.gstin), Track: l.track, Stage: l.stage, Years: l.years, Issued: or(l.issued),
		Received: or(l.received), Due: or(l.due), Hearing: or(l.hearing), Officer: or(l.officer), Demand: demandRows(l.demand),
		DemandPaise: l.paise, AnsweredOn: or(l.answered), Replied: l.replied, Arn: or(l.arn)}
}
