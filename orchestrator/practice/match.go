package practice

import (
	"cmp"
	"math"
	"slices"

	"github.com/google/uuid"

	"munshi/orchestrator/message"
	"munshi/orchestrator/store"
)

// Points for the reasons why a paper may belong to a matter. A matter with at least likely points is proposed; with at
// least sure points, the paper is filed without asking.
const (
	byNumber   = 100 // one mentions the other's number
	sameYears  = 30  // same registration, same years, same kind of proceeding
	nextStage  = 20  // and it is the next stage, or a later one
	sameIssue  = 20
	sameDemand = 20
	sameForm   = -40 // there is already a paper of this form, so it may be about something else in the same year
	likely     = 50
	sure       = 100
)

// sameText is the share of common words from which two papers count as scans of the same one.
const sameText = 0.8

// mostCandidates is how many matters are proposed for a paper.
const mostCandidates = 3

// decide decides where a paper belongs, given what the firm has.
func decide(p store.PaperFacts, known store.OnFile) store.Decision {
	d := store.Decision{Client: clientFor(p, known), Candidates: candidates(p, known.Siblings)}
	d.Duplicate, d.Why = duplicateOf(p, known)
	switch {
	case d.Duplicate != nil || !p.IsNotice:
	case len(d.Candidates) == 0:
		d.Sure = d.Client.Sure
	case d.Candidates[0].Points >= sure && (len(d.Candidates) == 1 || d.Candidates[1].Points < sure):
		// A matching reference number decides, unless it leads to a client other than the paper's own.
		d.Sure = !d.Client.Sure || d.Client.ID != nil && *d.Client.ID == d.Candidates[0].Client
	}
	return d
}

// clientFor finds the client of a paper: by GSTIN, by the PAN in it, or else by name, which is not sure. An unknown
// taxpayer becomes a new client if the number could be read; the client is called by that number until a paper has the
// name.
func clientFor(p store.PaperFacts, known store.OnFile) store.ClientChoice {
	switch {
	case known.ByGSTIN != nil:
		return store.ClientChoice{ID: known.ByGSTIN, Sure: true}
	case known.ByPAN != nil:
		return store.ClientChoice{ID: known.ByPAN, Sure: true}
	case p.GSTIN != nil && p.GSTINValid:
		name := cmp.Or(p.Name, *p.GSTIN)
		return store.ClientChoice{New: &store.NewClient{Name: name, NameKey: nameKey(name), PAN: p.PAN, GSTIN: p.GSTIN},
			Sure: true}
	case len(known.ByName) == 1:
		return store.ClientChoice{ID: &known.ByName[0]}
	case p.Name != "":
		return store.ClientChoice{New: &store.NewClient{Name: p.Name, NameKey: p.NameKey}}
	}
	return store.ClientChoice{}
}

// duplicateOf finds an earlier paper that this one duplicates, and says how this is known.
func duplicateOf(p store.PaperFacts, known store.OnFile) (*uuid.UUID, message.Message) {
	if known.SameFile != nil {
		return known.SameFile, message.New("filing.same_file", nil)
	}
	for _, s := range known.Siblings {
		if s.OwnSame && sameOrUnknown(p.Form, s.Form) {
			return &s.DocumentID, message.New("filing.same_number", nil)
		}
	}
	for _, s := range known.Siblings {
		same := sameOrUnknown(p.GSTIN, s.Gstin) && sameOrUnknown(p.Form, s.Form) && sameOrUnknown(p.Issued, s.Issued) &&
			!numbersDiffer(p, s)
		if same && alike(p.Sketch, s.Sketch) >= sameText {
			return &s.DocumentID, message.New("filing.same_text", nil)
		}
	}
	return nil, message.Message{}
}

// numbersDiffer reports whether both papers have numbers of their own, but none in common (OwnSame).
func numbersDiffer(p store.PaperFacts, s store.Sibling) bool {
	return len(p.Own) > 0 && s.Numbered && !s.OwnSame
}

func sameOrUnknown(a, b *string) bool { return a == nil || b == nil || *a == *b }

// candidates returns the matters to which a paper may belong, most likely first.
func candidates(p store.PaperFacts, siblings []store.Sibling) []store.MatterChoice {
	best := map[uuid.UUID]store.MatterChoice{}
	for _, s := range siblings {
		if s.MatterID == nil || s.MatterClient == nil {
			continue
		}
		c := weigh(p, s)
		c.Matter, c.Client, c.Paper = *s.MatterID, *s.MatterClient, s.ConversationID
		if was, seen := best[c.Matter]; !seen || c.Points > was.Points {
			best[c.Matter] = c
		}
	}
	list := []store.MatterChoice{}
	for _, c := range best {
		if c.Points >= likely {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b store.MatterChoice) int {
		return cmp.Or(b.Points-a.Points, slices.Compare(a.Matter[:], b.Matter[:]))
	})
	return list[:min(len(list), mostCandidates)]
}

// weigh returns the points and reasons for a paper belonging with another.
func weigh(p store.PaperFacts, s store.Sibling) (c store.MatterChoice) {
	for_ := func(points int, why message.Message) {
		c.Points += points
		if why.Code != "" {
			c.Why = append(c.Why, why)
		}
	}
	var form any = message.New("filing.document", nil)
	date := ""
	if s.Form != nil {
		form = *s.Form
	}
	if s.Issued != nil {
		date = *s.Issued
	}
	switch {
	case s.Cited: // this paper mentions it
		for_(byNumber, message.New("filing.names", message.Params{"form": form}))
	case s.Cites:
		for_(byNumber, message.New("filing.named", message.Params{"form": form}))
	}
	if p.GSTIN == nil || s.Gstin == nil || *p.GSTIN != *s.Gstin || !alongside(p.Track, s.Track) {
		return c
	}
	shared := slices.ContainsFunc(p.Years, func(y string) bool { return slices.Contains(s.Years, y) })
	if !shared {
		return c
	}
	for_(sameYears, message.New("filing.same_years", message.Params{"form": form}))
	if stages[p.Stage] > stages[s.Stage] {
		for_(nextStage, message.New("filing.next_stage", message.Params{"form": form, "date": message.Date(date)}))
	}
	if slices.ContainsFunc(p.Issues, func(i string) bool { return slices.Contains(s.Issues, i) }) {
		for_(sameIssue, message.New("filing.same_issue", nil))
	}
	if p.DemandPaise != nil && s.DemandPaise != nil && *p.DemandPaise > 0 && near(*p.DemandPaise, *s.DemandPaise) {
		for_(sameDemand, message.New("filing.same_demand", nil))
	}
	if p.Form != nil && s.Form != nil && *p.Form == *s.Form {
		for_(sameForm, message.Message{})
	}
	return c
}

// near reports whether two amounts differ by at most one per cent.
func near(a, b int64) bool { return math.Abs(float64(a-b)) <= float64(max(a, b))/100 }
