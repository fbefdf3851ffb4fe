package practice

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"munshi/orchestrator/api"
	"munshi/orchestrator/practice/portal"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// Portals reads the tables of notices that the GST portal shows for a firm's clients.
type Portals struct {
	Store *store.Store
	// Text returns the text of a PDF, page after page.
	Text func(ctx context.Context, path string) (string, error)
}

var _ api.Portals = Portals{}

// mostNotices is the maximum number of rows read from a table.
const mostNotices = 1000

// Look implements api.Portals.
func (p Portals) Look(ctx context.Context, workspace, client uuid.UUID, in api.PortalTable) (api.PortalSeen, error) {
	page, err := p.Store.ClientPage(ctx, workspace, client)
	if err != nil {
		return api.PortalSeen{}, err
	}
	text := in.Text
	switch {
	case in.PDF != "":
		if text, err = p.Text(ctx, in.PDF); err != nil {
			return api.PortalSeen{}, err
		}
	case in.HTML != "":
		text = portal.Text(in.HTML)
	}
	table := portal.Read(text)
	gstin, err := whose(page.GSTINs, in.GSTIN, table.GSTINs)
	if err != nil {
		return api.PortalSeen{}, err
	}
	if len(table.Rows) == 0 && !table.Empty {
		return api.PortalSeen{}, problem.New("portal_nothing", nil, nil)
	}
	lines := []line{}
	for i, r := range table.Rows[:min(len(table.Rows), mostNotices)] {
		if l, is := noticeOf(r); is {
			l.key, l.of, l.gstin = strconv.Itoa(i+1), &client, gstin
			lines = append(lines, l)
		}
	}
	known, err := p.Store.KnownOf(ctx, workspace, client, keysOf(lines))
	if err != nil {
		return api.PortalSeen{}, err
	}
	plan := newPlanner(known)
	plan.mayAll = true
	if !slices.ContainsFunc(plan.clients, func(c planned) bool { return c.id == client }) {
		plan.clients = append(plan.clients, planned{id: client, name: page.Name, key: page.NameKey, gstins: page.GSTINs})
	}
	seen := api.PortalSeen{Rows: []api.PortalRow{}}
	steps := []store.ListedStep{}
	for _, l := range lines {
		o := plan.place("portal", l)
		row := api.PortalRow{Reference: l.reference, Form: cmp.Or(l.form, l.kind), About: l.about, Issued: l.issued, Due: l.due}
		if o.matter != nil {
			matter := o.matter.String()
			row.Matter = &matter
		}
		switch {
		case o.paper:
			row.State = "here"
		case o.aside:
			row.State = "aside"
		case o.listed != nil:
			row.State = "missing"
			seen.Missing++
		case o.step != nil:
			row.State = "new"
			seen.New++
			seen.Missing++
			steps = append(steps, *o.step)
		default:
			continue // the table lists it twice
		}
		seen.Rows = append(seen.Rows, row)
	}
	_, err = p.Store.TakeSteps(ctx, workspace, steps, map[uuid.UUID]uuid.UUID{}, func(q store.ImportNote, _ []store.Made) error {
		return q.Looked(ctx, client, map[string]any{"name": page.Name, "rows": len(seen.Rows), "new": seen.New})
	})
	if err != nil {
		return api.PortalSeen{}, err
	}
	return seen, nil
}

// whose returns the client's registration to which a page belongs: the only one that the page names, else the chosen
// one, else the client's only one. A page that names only other taxpayers is refused.
func whose(own []string, chosen string, named []string) (string, error) {
	ours := slices.DeleteFunc(slices.Clone(named), func(g string) bool { return !slices.Contains(own, g) })
	switch {
	case len(own) > 0 && len(named) > 0 && len(ours) == 0:
		return "", problem.New("portal_other", problem.Params{"gstin": named[0]}, nil)
	case len(ours) == 1:
		return ours[0], nil
	case chosen != "" && slices.Contains(own, chosen):
		return chosen, nil
	case len(own) == 1:
		return own[0], nil
	case len(own) > 1:
		return "", problem.New("portal_which", nil, nil)
	}
	return "", nil
}

// noticeOf converts a row of the portal's table to a line. It returns false if the row is not a notice to the client but,
// for example, their own reply.
func noticeOf(r portal.Row) (l line, is bool) {
	for _, cell := range []*string{&r.Reference, &r.Form, &r.By, &r.Description, &r.Kind} {
		*cell = store.OneLine(*cell)
	}
	words := " " + plain(r.Kind) + " "
	for _, own := range []string{" reply ", " replies ", " application ", " acknowledgement "} {
		if strings.Contains(words, own) && r.Form == "" {
			return l, false
		}
	}
	l = line{reference: r.Reference, form: formIn(r.Form), issued: r.Issued, due: r.Due, officer: r.By, about: r.Description,
		years: yearsIn(r.Description)}
	if l.form == "" {
		l.kind = short(cmp.Or(r.Form, r.Description, r.Kind))
	}
	if paise, ok := paiseOf(r.Amount); ok && paise > 0 {
		l.paise = &paise
	}
	at := stepOfWords(l.form, r.Kind+" "+r.Description)
	l.track, l.stage = at.track, at.stage
	return l, true
}

// short cuts a description to about 60 characters, between words.
func short(s string) string {
	letters := []rune(s)
	if len(letters) <= 60 {
		return s
	}
	cut := strings.TrimRightFunc(string(letters[:60]), func(r rune) bool { return !unicode.IsSpace(r) })
	return strings.TrimSpace(cut) + "…"
}
