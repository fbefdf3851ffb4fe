package practice

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/message"
	"munshi/orchestrator/store"
)

// The outcomes of a line of a list.
const (
	lineNewClient  = "new_client" // a new client with a new matter
	lineNewMatter  = "new_matter" // a new matter of a known client
	lineAttached   = "attached"   // added to an existing matter, or to that of an earlier line
	lineClientOnly = "client"     // a client or a registration, without a notice
	lineKnown      = "known"      // nothing to add: the firm has it already
	lineRefused    = "refused"    // the member who imports has no permission for it
	lineUnclear    = "unclear"    // it could not be understood, or importing it failed
	lineLeft       = "left_out"   // a heading or a total, or left out by the member
)

// line is a notice or order as a list (a register or the portal's table) describes it. Dates are in ISO format.
type line struct {
	key                            string // identifies the line in its list, such as its row number
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
	of                             *uuid.UUID        // the client, if it is already known
	doubts                         []message.Message // which values could not be used, and other remarks
}

// hasNotice reports whether a line describes a notice, and not only a client.
func (l line) hasNotice() bool {
	return l.form != "" || l.kind != "" || l.reference != "" || l.issued != "" || l.due != "" || l.hearing != "" ||
		l.paise != nil || len(l.years) > 0
}

// keysOf returns the keys by which to look up the clients and papers that lines name.
func (l line) number() string {
	if n := numberKey(l.reference); len(n) >= shortestOwn {
		return n
	}
	return ""
}

// mark returns a hash by which a line is recognised when it is imported again. It covers the taxpayer, the form and the
// number or, without a number, the line's other details.
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

// keysOf returns the keys by which to look up the clients and papers that lines name.
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

// outcome is the planned outcome of a line, with the reasons.
type outcome struct {
	line
	what   string
	why    []message.Message
	matter *uuid.UUID // the existing matter, if any
	step   *store.ListedStep
	listed *uuid.UUID // the listed notice without a document that it repeats
	paper  bool       // the firm has its document
	aside  bool       // a member has marked its document as not needed
}

// planner decides where each line belongs, taking the lines before it into account.
type planner struct {
	clients []planned
	papers  []placed
	numbers map[string][]int // indexes in papers by number
	marks   map[string]int   // indexes in papers by mark
	mayAll  bool             // the member may approve and close matters
	strict  bool             // lines with different states or assignees are separate matters
}

type planned struct {
	id             uuid.UUID
	name, key, pan string
	gstins         []string
}

// placed is a paper, a listed notice or an earlier line, with the matter to which it belongs.
type placed struct {
	matter, client                         *uuid.UUID
	gstin, form, kind, track, stage, state string
	issued, due                            string
	numbers                                []string // its reference numbers
	sections                               []string // see sectionsOf
	years                                  []string
	paise                                  *int64
	assignee                               *uuid.UUID
	ours                                   bool // it is an earlier line of the same list
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
			sections: sectionsOf(k.Kind + " " + k.About), track: k.Track, stage: k.Stage, issued: orEmpty(k.Issued),
			due: orEmpty(k.Due), years: k.Years, paise: k.DemandPaise, document: k.Here, aside: k.AsideAt != nil}
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
	one.numbers = numbers
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

// place plans the outcome of a line.
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
		state: l.state, issued: l.issued, due: l.due, sections: sectionsOf(l.kind + " " + l.about), years: l.years,
		paise: l.paise, assignee: l.assignee, ours: true, step: step}
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
			// The matter gets the state of the line with the latest stage.
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

// newClient returns the client that an earlier notice of the list creates, or nil if none does. Later lines carry it too,
// so that they can be imported even if the earlier line fails.
func (p *planner) newClient(id uuid.UUID) *store.NewClient {
	for _, one := range p.papers {
		if one.ours && *one.client == id {
			return one.step.NewClient
		}
	}
	return nil
}

// clientOf returns the index of a line's client in clients, or -1 for a new client. It looks for the GSTIN, then the PAN,
// then the name, unless the PANs differ. several is true if the line has only a name that several clients share.
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

// again returns what a line repeats, or nil: by its mark, by its number or, if it has none, by form, dates and demand.
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

// with returns the paper or line whose matter a line most likely continues, or nil: of the same registration, in the
// same kind of proceeding, with a year in common. Another stage, the same form or a similar demand make it likelier.
// A matter that is about something else is left out.
func (p *planner) with(l line, client uuid.UUID) *placed {
	var best *placed
	most := 0
	apart := p.apart(l, client)
	for i := range p.papers {
		one := &p.papers[i]
		if one.matter == nil || one.client == nil || *one.client != client || one.gstin != "" && l.gstin != "" && one.gstin != l.gstin ||
			!alongside(one.track, l.track) || apart[*one.matter] ||
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

// apart returns the client's matters that a line cannot continue although registration and year may be the same. Such
// a matter has a notice under another section that demands tax or a penalty, a later stage that was issued before the
// line or an earlier one that was issued after it, or the same form with another number and another demand.
func (p *planner) apart(l line, client uuid.UUID) map[uuid.UUID]bool {
	matters := map[uuid.UUID]bool{}
	sections := sectionsOf(l.kind + " " + l.about)
	for i := range p.papers {
		one := &p.papers[i]
		if one.matter == nil || one.client == nil || *one.client != client || one.gstin != l.gstin {
			continue
		}
		later, earlier := stages[one.stage] > stages[l.stage], stages[one.stage] < stages[l.stage]
		otherWay := one.issued != "" && l.issued != "" && (later && one.issued < l.issued || earlier && one.issued > l.issued)
		otherNumber := l.form != "" && one.form == l.form && l.number() != "" && len(one.numbers) > 0 &&
			!slices.Contains(one.numbers, l.number())
		otherDemand := one.paise != nil && l.paise != nil && *one.paise > 0 && *l.paise > 0 && !near(*one.paise, *l.paise)
		if otherWay || otherNumber && otherDemand || disjoint(sections, one.sections) {
			matters[*one.matter] = true
		}
	}
	return matters
}

// disjoint reports whether two lists are not empty and have nothing in common.
func disjoint(a, b []string) bool {
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// sectionShape finds the sections that a text names; charging has the sections under which tax, or only a penalty, is
// demanded.
var (
	sectionShape = regexp.MustCompile(`(?i)(?:\bsections?|\bsec\.?|\bu/s\.?|\bs\.|धारा)\s*([0-9]{2,3}A?)\b`)
	charging     = []string{"54", "62", "63", "64", "73", "74", "74A", "76", "122", "125", "129", "130"}
)

// sectionsOf returns the charging sections that a text names.
func sectionsOf(text string) (found []string) {
	for _, m := range sectionShape.FindAllStringSubmatch(text, -1) {
		if section := strings.ToUpper(m[1]); slices.Contains(charging, section) {
			found = append(found, section)
		}
	}
	return found
}

func same(a, b *uuid.UUID) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// listedOf returns a line as it is stored.
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
