package practice

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/api"
	"munshi/orchestrator/figures/read"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
)

// Imports imports the registers that firms kept before they used Munshi.
type Imports struct {
	Store  *store.Store
	Reader interface {
		Cells(ctx context.Context, path, name string, most int) (read.Cells, error)
	}
	Log *slog.Logger
}

var _ api.Imports = Imports{}

// mostRows is the maximum number of rows read from a register.
const mostRows = 5000

// The number of rows imported in one transaction, and how long one request keeps importing.
const (
	rowsAtOnce = 100
	importTime = 20 * time.Second
)

// Begin implements api.Imports.
func (i Imports) Begin(ctx context.Context, workspace uuid.UUID, path, name string) (uuid.UUID, error) {
	cells, err := i.Reader.Cells(ctx, path, name, mostRows)
	if err != nil {
		return uuid.Nil, err
	}
	at, found := recognise(cells.Rows)
	found.Sheet, found.Others = cells.Sheet, cells.Others
	heading := 0
	if at >= 0 {
		heading = cells.Rows[at].Number
	}
	raw, err := json.Marshal(cells.Rows)
	if err != nil {
		return uuid.Nil, fmt.Errorf("encode the rows of a register: %w", err)
	}
	columns, err := json.Marshal(found)
	if err != nil {
		return uuid.Nil, fmt.Errorf("encode the columns of a register: %w", err)
	}
	return i.Store.AddImport(ctx, workspace, store.NewImport{Name: name, Cells: raw, Columns: columns, Heading: heading,
		Rows: len(cells.Rows)})
}

// Choose implements api.Imports.
func (i Imports) Choose(ctx context.Context, workspace, id uuid.UUID, columns map[string]int) error {
	kept, err := i.Store.RegisterImport(ctx, workspace, id)
	if err != nil {
		return err
	}
	var l layout
	if err := json.Unmarshal(kept.Columns, &l); err != nil {
		return fmt.Errorf("decode the columns of a register: %w", err)
	}
	taken := map[int]bool{}
	for code, place := range columns {
		if !slices.Contains(importable(), code) || place < 0 || place >= 60 || taken[place] {
			return problem.New("import_columns", nil, nil)
		}
		taken[place] = true
	}
	l.Columns = columns
	raw, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("encode the columns of a register: %w", err)
	}
	return i.Store.SetImportColumns(ctx, workspace, id, raw, int(kept.Heading))
}

// opened is a register that is being imported, with the outcomes of its rows.
type opened struct {
	kept     store.RegisterImport
	layout   layout
	rows     []read.Row
	outcomes []outcome                   // planned, for the rows that have not been imported yet
	made     map[string]api.RegisterLine // the rows that have been dealt with, by row number
}

func (i Imports) open(ctx context.Context, workspace, id uuid.UUID) (o opened, err error) {
	if o.kept, err = i.Store.RegisterImport(ctx, workspace, id); err != nil {
		return o, err
	}
	if err := errors.Join(json.Unmarshal(o.kept.Columns, &o.layout), json.Unmarshal(o.kept.Cells, &o.rows),
		json.Unmarshal(o.kept.Made, &o.made)); err != nil {
		return o, fmt.Errorf("decode a register: %w", err)
	}
	firm, err := i.Store.Firm(ctx, workspace)
	if err != nil {
		return o, err
	}
	lines := []line{}
	for _, l := range o.lines(firm) {
		if _, done := o.made[l.key]; !done {
			lines = append(lines, l)
		}
	}
	known, err := i.Store.Known(ctx, workspace, keysOf(lines))
	if err != nil {
		return o, err
	}
	a, _ := store.ActingIn(ctx)
	p := newPlanner(known)
	p.mayAll, p.strict = a.Role.May(role.Approve), o.layout.Own
	for _, l := range lines {
		if l.state == leftOut {
			o.outcomes = append(o.outcomes, outcome{line: l, what: lineLeft, why: l.doubts})
			continue
		}
		o.outcomes = append(o.outcomes, p.place("register", l))
	}
	return o, nil
}

// leftOut is the state that marks a line as a heading or a total.
const leftOut = "left_out"

// below returns the rows below the headings.
func (o opened) below() []read.Row {
	at := slices.IndexFunc(o.rows, func(r read.Row) bool { return r.Number > int(o.kept.Heading) })
	if at < 0 {
		return nil
	}
	return o.rows[at:]
}

// lines returns the rows of a register as lines.
func (o opened) lines(firm store.Firm) []line {
	rows := o.below()
	us := map[string]bool{}
	for _, code := range []string{"issued", "received", "due", "hearing", "answered"} {
		cells := []string{}
		if place, has := o.layout.Columns[code]; has {
			for _, r := range rows {
				cells = append(cells, cellOf(r, place))
			}
		}
		us[code] = american(cells)
	}
	lines := make([]line, 0, len(rows))
	var above line
	for _, r := range rows {
		get := func(code string) string {
			place, has := o.layout.Columns[code]
			if !has {
				return ""
			}
			if c := cellOf(r, place); !nothing(c) {
				return c
			}
			return ""
		}
		l := lineOf(get, us, firm)
		l.key = strconv.Itoa(r.Number)
		switch {
		case isTotalRow(r) && l.gstin == "":
			l.state, l.doubts = leftOut, []message.Message{message.New("import.total", nil)}
		case o.isHeadingAgain(r):
			l.state, l.doubts = leftOut, []message.Message{message.New("import.heading", nil)}
		case l.client == "" && l.gstin == "" && (l.form != "" || l.kind != "" || l.reference != "") && above.key != "":
			// The client is named only once, above several rows.
			l.client, l.gstin, l.pan = above.client, above.gstin, above.pan
			l.doubts = append(l.doubts, message.New("import.client_above", message.Params{"row": above.key}))
		}
		if l.state != leftOut && (l.client != "" || l.gstin != "") {
			above = l
		}
		lines = append(lines, l)
	}
	return lines
}

// isTotalRow reports whether a row is a total, judging by its first text.
func isTotalRow(r read.Row) bool {
	for _, c := range r.Cells {
		if p := plain(c); p != "" && !isNumber(p) {
			return slices.Contains([]string{"total", "grand total", "sub total", "subtotal", "कुल", "योग", "कुल योग"}, p)
		}
	}
	return false
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(strings.ReplaceAll(s, " ", ""), 64)
	return err == nil
}

// isHeadingAgain reports whether a row repeats the headings, as on each page of a printed register.
func (o opened) isHeadingAgain(r read.Row) bool {
	at := slices.IndexFunc(o.rows, func(h read.Row) bool { return h.Number == int(o.kept.Heading) })
	return at >= 0 && slices.Equal(o.rows[at].Cells, r.Cells)
}

// lineOf reads a row. A value that cannot be read is left out and noted in doubts.
func lineOf(get func(code string) string, us map[string]bool, firm store.Firm) line {
	l := line{client: get("client"), reference: get("reference"), officer: get("officer"), arn: get("arn"), about: get("about"),
		years: yearsIn(get("years"))}
	doubt := func(code string, params message.Params) {
		l.doubts = append(l.doubts, message.New("import."+code, params))
	}
	if typed := get("gstin"); typed != "" {
		if g := gstinOf(typed); gst.ValidGSTIN(g) {
			l.gstin = g
		} else {
			doubt("bad_gstin", message.Params{"value": typed})
		}
	}
	if typed := strings.ToUpper(get("pan")); panShape.MatchString(typed) {
		l.pan = typed
	}
	if typed := get("form"); typed != "" {
		if l.form = formIn(typed); l.form == "" {
			l.kind = typed
		}
	}
	if typed := get("years"); typed != "" && len(l.years) == 0 {
		doubt("bad_years", message.Params{"value": typed})
	}
	for code, into := range map[string]*string{"issued": &l.issued, "received": &l.received, "due": &l.due,
		"hearing": &l.hearing, "answered": &l.answered} {
		typed := get(code)
		if typed == "" {
			continue
		}
		iso, ok := dayOf(typed, us[code])
		if !ok {
			doubt("bad_day", message.Params{"column": message.New("register."+code, nil), "value": typed})
			continue
		}
		*into = iso
	}
	amount := func(code string) int64 {
		typed := get(code)
		if typed == "" {
			return 0
		}
		paise, ok := paiseOf(typed)
		if !ok {
			doubt("bad_amount", message.Params{"column": message.New("register."+code, nil), "value": typed})
		}
		return paise
	}
	var sum int64
	for _, head := range []struct{ code, head string }{{"igst", "IGST"}, {"cgst", "CGST"}, {"sgst", "SGST"}, {"cess", "CESS"}} {
		if paise := amount(head.code); paise > 0 {
			sum += paise
			l.demand = append(l.demand, gst.DemandRow{Head: head.head, Tax: float64(paise) / 100})
		}
	}
	interest, penalty := amount("interest"), amount("penalty")
	if interest > 0 || penalty > 0 {
		sum += interest + penalty
		l.demand = append(l.demand, gst.DemandRow{Interest: float64(interest) / 100, Penalty: float64(penalty) / 100})
	}
	if total := amount("demand"); get("demand") != "" && (total > 0 || sum == 0) {
		l.paise = &total
	} else if sum > 0 {
		l.paise = &sum
	}
	at := stepOfWords(l.form, l.kind)
	l.track, l.stage = at.track, at.stage
	if s := stageOf(get("stage")); s != "" {
		l.stage = s
	}
	if typed := get("state"); typed != "" {
		if l.state = stateOf(typed); l.state == "" {
			doubt("unknown_state", message.Params{"value": typed})
		}
	}
	l.replied = l.answered != "" || l.arn != "" || l.state == "filed" || l.state == "heard" || l.state == "closed"
	if typed := get("assignee"); typed != "" {
		l.assignee = memberOf(typed, firm)
		if l.assignee == nil {
			doubt("unknown_member", message.Params{"value": typed})
		}
	}
	return l
}

// memberOf returns the member with the given name or e-mail address, or nil if there is none, or more than one.
func memberOf(typed string, firm store.Firm) (found *uuid.UUID) {
	for _, m := range firm.Members {
		if m.LeftAt != nil || !role.Role(m.Role).Seat() {
			continue
		}
		if nameKey(m.Name) != nameKey(typed) && !strings.EqualFold(firm.Mail[m.ID], strings.TrimSpace(typed)) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &m.ID
	}
	return found
}

// demandRows encodes a demand by tax head as it is stored in the facts of a paper.
func demandRows(rows []gst.DemandRow) json.RawMessage {
	if len(rows) == 0 {
		return nil
	}
	raw, err := json.Marshal(rows)
	if err != nil {
		return nil // cannot happen: rows of numbers can always be encoded
	}
	return raw
}

// Shown implements api.Imports.
func (i Imports) Shown(ctx context.Context, workspace, id uuid.UUID, w api.ImportWindow) (api.RegisterImport, error) {
	o, err := i.open(ctx, workspace, id)
	if err != nil {
		return api.RegisterImport{}, err
	}
	return o.shown(w), nil
}

func (o opened) shown(w api.ImportWindow) api.RegisterImport {
	out := api.RegisterImport{ID: o.kept.ID.String(), Name: o.kept.Name, Sheet: o.layout.Sheet, Others: list(o.layout.Others),
		Done: o.kept.DoneAt != nil, Begun: len(o.made) > 0, Taken: len(o.made), Values: importable(), Columns: []api.RegisterColumn{},
		Counts: map[string]int{}, Rows: []api.RegisterLine{}}
	var head read.Row
	if at := slices.IndexFunc(o.rows, func(r read.Row) bool { return r.Number == int(o.kept.Heading) }); at >= 0 {
		head = o.rows[at]
	}
	below, width := o.below(), len(head.Cells)
	for _, r := range below {
		width = max(width, len(r.Cells))
	}
	for place := range width {
		c := api.RegisterColumn{Place: place, Heading: cellOf(head, place), Samples: []string{}}
		for code, at := range o.layout.Columns {
			if at == place {
				c.Value = code
			}
		}
		for _, r := range below {
			if len(c.Samples) == 3 {
				break
			}
			if cell := cellOf(r, place); cell != "" {
				c.Samples = append(c.Samples, readable(c.Value, cell))
			}
		}
		if c.Heading != "" || len(c.Samples) > 0 {
			out.Columns = append(out.Columns, c)
		}
	}
	all := make([]api.RegisterLine, 0, len(o.outcomes)+len(o.made))
	for _, one := range o.made {
		all = append(all, one)
	}
	for _, one := range o.outcomes {
		all = append(all, one.said())
	}
	slices.SortFunc(all, func(a, b api.RegisterLine) int { return a.Row - b.Row })
	for _, one := range all {
		out.Counts[one.What]++
		if w.What == "" || w.What == one.What {
			out.Total++
			if out.Total > w.Skip && len(out.Rows) < w.Most {
				out.Rows = append(out.Rows, one)
			}
		}
	}
	return out
}

// readable returns a cell as it is shown: day numbers from Excel as dates, and long texts shortened.
func readable(code, cell string) string {
	switch code {
	case "issued", "received", "due", "hearing", "answered":
		if !strings.ContainsAny(cell, "./- ") {
			if iso, ok := dayOf(cell, false); ok {
				return iso
			}
		}
	}
	if letters := []rune(cell); len(letters) > 80 {
		return string(letters[:80]) + "…"
	}
	return cell
}

func list(of []string) []string {
	if of == nil {
		return []string{}
	}
	return of
}

// said returns a row and its outcome for the API.
func (o outcome) said() api.RegisterLine {
	row, _ := strconv.Atoi(o.key) // the key is always a row number
	out := api.RegisterLine{Row: row, What: o.what, Client: cmp.Or(o.client, o.gstin), GSTIN: o.gstin,
		Form: cmp.Or(o.form, o.kind), Reference: o.reference, Issued: o.issued, Due: o.due, Why: []api.Sentence{}}
	for _, w := range o.why {
		out.Why = append(out.Why, api.Sentence(w))
	}
	if o.matter != nil {
		id := o.matter.String()
		out.Matter = &id
	}
	return out
}

// Confirm implements api.Imports.
func (i Imports) Confirm(ctx context.Context, workspace, id uuid.UUID, leave []int, w api.ImportWindow) (api.RegisterImport, error) {
	mine, err := i.Store.TakeImport(ctx, workspace, id)
	if err != nil {
		return api.RegisterImport{}, err
	}
	o, err := i.open(ctx, workspace, id)
	if err != nil {
		return api.RegisterImport{}, err
	}
	if !mine {
		if o.kept.DoneAt != nil {
			return o.shown(w), nil
		}
		return api.RegisterImport{}, problem.New("import_under_way", nil, nil)
	}
	until := time.Now().Add(importTime)
	became := map[uuid.UUID]uuid.UUID{}
	for len(o.outcomes) > 0 && time.Now().Before(until) {
		part := o.outcomes[:min(rowsAtOnce, len(o.outcomes))]
		if err := i.take(ctx, workspace, id, part, leave, became); err != nil {
			return api.RegisterImport{}, errors.Join(err, i.end(ctx, workspace, id, o.kept.Name, false))
		}
		o.outcomes = o.outcomes[len(part):]
	}
	if err := i.end(ctx, workspace, id, o.kept.Name, len(o.outcomes) == 0); err != nil {
		return api.RegisterImport{}, err
	}
	return i.Shown(ctx, workspace, id, w)
}

// take imports rows together or, if that fails, one by one, so that one bad row does not stop the others.
func (i Imports) take(ctx context.Context, workspace, id uuid.UUID, part []outcome, leave []int,
	became map[uuid.UUID]uuid.UUID) error {
	err := i.takeTogether(ctx, workspace, id, part, leave, became, nil)
	if err == nil || ctx.Err() != nil || store.Away(err) || store.Full(err) || errors.Is(err, store.ErrForbidden) {
		return err
	}
	i.Log.WarnContext(ctx, "rows of a register are taken over one by one", "error", err)
	for n := range part {
		one := part[n : n+1]
		if err := i.takeTogether(ctx, workspace, id, one, leave, became, nil); err != nil {
			if ctx.Err() != nil || store.Away(err) {
				return err
			}
			i.Log.WarnContext(ctx, "a row of a register could not be taken over", "error", err)
			failed := []message.Message{message.New("import.failed", nil)}
			if err := i.takeTogether(ctx, workspace, id, one, leave, became, failed); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeTogether imports rows in one transaction. If failed is not nil, it only records that they could not be imported,
// with failed as the reason.
func (i Imports) takeTogether(ctx context.Context, workspace, id uuid.UUID, part []outcome, leave []int,
	became map[uuid.UUID]uuid.UUID, failed []message.Message) error {
	steps, of := []store.ListedStep{}, []int{}
	made := map[string]api.RegisterLine{}
	for n, one := range part {
		row, _ := strconv.Atoi(one.key) // the key is always a row number
		switch {
		case failed != nil:
			one.what, one.why = lineUnclear, failed
		case slices.Contains(leave, row):
			one.what, one.why = lineLeft, []message.Message{message.New("import.left", nil)}
		case one.step != nil:
			steps, of = append(steps, *one.step), append(of, n)
		}
		made[one.key] = one.said()
	}
	_, err := i.Store.TakeSteps(ctx, workspace, steps, became, func(q store.ImportNote, all []store.Made) error {
		for n, m := range all {
			one := made[part[of[n]].key]
			if m.Known {
				one.What, one.Why = lineKnown, []api.Sentence{api.Sentence(message.New("import.listed_there", nil))}
			}
			if m.Matter != nil {
				matter := m.Matter.String()
				one.Matter = &matter
			}
			made[part[of[n]].key] = one
		}
		raw, err := json.Marshal(made)
		if err != nil {
			return fmt.Errorf("encode what became of rows: %w", err)
		}
		return q.Rows(ctx, id, raw)
	})
	return err
}

// end marks an import as done or, if it is not, releases it so that the next request can continue.
func (i Imports) end(ctx context.Context, workspace, id uuid.UUID, name string, done bool) error {
	notices, clients := 0, 0
	if done {
		kept, err := i.Store.RegisterImport(ctx, workspace, id)
		if err != nil {
			return err
		}
		made := map[string]api.RegisterLine{}
		if err := json.Unmarshal(kept.Made, &made); err != nil {
			return fmt.Errorf("decode what became of rows: %w", err)
		}
		for _, one := range made {
			switch one.What {
			case lineNewClient:
				clients++
				notices++
			case lineNewMatter, lineAttached:
				notices++
			case lineClientOnly:
				clients++
			}
		}
	}
	return i.Store.EndImport(context.WithoutCancel(ctx), workspace, id, name, done, notices, clients)
}
