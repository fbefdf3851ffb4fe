package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/message"
	"munshi/orchestrator/role"
	"munshi/orchestrator/store/db"
)

// Names for the generated row types.
type (
	Client      = db.Client
	ClientLine  = db.ClientsRow
	MatterLine  = db.MattersRow
	MatterRow   = db.MatterRow
	MatterPaper = db.MatterPapersRow
	MatterDraft = db.MatterDraftsRow
	MatterEntry = db.MatterLogRow
	MatterState = db.Matter
)

// ErrKnown means that another client already has this PAN or GSTIN.
var ErrKnown = errors.New("another client has this number")

// ClientChange is what a member can set in a client.
type ClientChange struct {
	Name, NameKey string
	PAN           *string
	Language      string
	People        json.RawMessage
	Note          string
}

// AddClient stores a new client. ErrKnown: another client has this PAN.
func (s *Store) AddClient(ctx context.Context, workspace uuid.UUID, c ClientChange) (id uuid.UUID, err error) {
	id = newID()
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		err := q.AddClient(ctx, db.AddClientParams{ID: id, WorkspaceID: workspace, Name: OneLine(c.Name),
			NameKey: clean(c.NameKey), Pan: c.PAN, Language: c.Language, People: cleanJSON(c.People),
			Note: clean(c.Note), MadeBy: "person"})
		if err != nil {
			return err
		}
		return logged(ctx, q, "client_added", &id, map[string]any{"name": c.Name})
	})
	if violates(err, "clients_pan") {
		err = ErrKnown
	}
	if err != nil {
		return uuid.Nil, fmt.Errorf("add a client: %w", err)
	}
	return id, nil
}

// addClient creates the client of a paper, or returns the existing client with its GSTIN or PAN.
func addClient(ctx context.Context, q *db.Queries, workspace uuid.UUID, n NewClient) (uuid.UUID, error) {
	if n.GSTIN != nil {
		if c, err := optional(q.ClientByGstin(ctx,
			db.ClientByGstinParams{WorkspaceID: workspace, Gstin: *n.GSTIN})); err != nil || c != nil {
			return idOf(c), err
		}
	}
	if n.PAN != nil {
		if c, err := optional(q.ClientByPan(ctx,
			db.ClientByPanParams{WorkspaceID: workspace, Pan: *n.PAN})); err != nil || c != nil {
			return idOf(c), err
		}
	}
	id, by := newID(), "munshi"
	if _, acts := ActingIn(ctx); acts {
		by = "person"
	}
	return id, q.AddClient(ctx, db.AddClientParams{ID: id, WorkspaceID: workspace, Name: OneLine(n.Name),
		NameKey: clean(n.NameKey), Pan: n.PAN, Language: "en", People: []byte("[]"), MadeBy: by})
}

func idOf(c *Client) uuid.UUID {
	if c == nil {
		return uuid.Nil
	}
	return c.ID
}

// SetClient changes a client. ErrNotFound: there is no such client; ErrKnown: another client has this PAN.
func (s *Store) SetClient(ctx context.Context, workspace, client uuid.UUID, c ClientChange) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.SetClient(ctx, db.SetClientParams{ID: client, Name: OneLine(c.Name), NameKey: clean(c.NameKey),
			Pan: c.PAN, Language: c.Language, People: cleanJSON(c.People), Note: clean(c.Note)})
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrNotFound
		}
		return logged(ctx, q, "client_changed", &client, nil)
	})
	if violates(err, "clients_pan") {
		err = ErrKnown
	}
	if err != nil {
		return fmt.Errorf("change a client: %w", err)
	}
	return nil
}

// AddGSTIN adds a GSTIN to a client. ErrKnown: another client has it; ErrNotFound: there is no such client.
func (s *Store) AddGSTIN(ctx context.Context, workspace, client uuid.UUID, gstin string) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		if _, err := q.LockClient(ctx, client); err != nil {
			return err
		}
		was, err := optional(q.ClientByGstin(ctx, db.ClientByGstinParams{WorkspaceID: workspace, Gstin: gstin}))
		if err != nil {
			return err
		}
		if was != nil && was.ID != client {
			return ErrKnown
		}
		_, err = q.AddGstin(ctx, db.AddGstinParams{WorkspaceID: workspace, Gstin: gstin, ClientID: client})
		return err
	})
	if err != nil {
		return fmt.Errorf("add a GSTIN: %w", err)
	}
	return nil
}

// RemoveGSTIN removes a GSTIN from a client. ErrNotFound: they do not have it.
func (s *Store) RemoveGSTIN(ctx context.Context, workspace, client uuid.UUID, gstin string) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.RemoveGstin(ctx, db.RemoveGstinParams{ClientID: client, Gstin: gstin})
		if err == nil && n == 0 {
			err = ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("remove a GSTIN: %w", err)
	}
	return nil
}

// MergeClients moves all matters and GSTINs of one client (from) to another (into), and deletes the first.
// ErrNotFound: there is no such client.
func (s *Store) MergeClients(ctx context.Context, workspace, from, into uuid.UUID) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		if from == into {
			return ErrNotFound
		}
		gone, err := q.LockClient(ctx, from)
		if err != nil {
			return err
		}
		if _, err := q.LockClient(ctx, into); err != nil {
			return err
		}
		if _, err := q.MoveMatters(ctx, db.MoveMattersParams{FromClient: from, ToClient: into}); err != nil {
			return err
		}
		if err := errors.Join(q.MoveGstins(ctx, db.MoveGstinsParams{FromClient: from, ToClient: into}),
			q.MovePapers(ctx, db.MovePapersParams{FromClient: &from, ToClient: &into})); err != nil {
			return err
		}
		if _, err := q.DropClient(ctx, from); err != nil {
			return err
		}
		return logged(ctx, q, "clients_merged", &into, map[string]any{"name": gone.Name})
	})
	if err != nil {
		return fmt.Errorf("merge two clients: %w", err)
	}
	return nil
}

// DropClient deletes a client without matters. ErrNotFound: there is no such client, or they have matters.
func (s *Store) DropClient(ctx context.Context, workspace, client uuid.UUID) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		c, err := q.LockClient(ctx, client)
		if err != nil {
			return err
		}
		n, err := q.DropClient(ctx, client)
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrNotFound
		}
		return logged(ctx, q, "client_removed", &client, map[string]any{"name": c.Name})
	})
	if err != nil {
		return fmt.Errorf("remove a client: %w", err)
	}
	return nil
}

// ClientQuery selects one page of clients.
type ClientQuery struct {
	Search     string
	Skip, Most int
}

// Clients lists clients by name, and returns how many match in all.
func (s *Store) Clients(ctx context.Context, workspace uuid.UUID,
	c ClientQuery) (lines []ClientLine, total int, err error) {
	search := containing(c.Search)
	err = s.reading(ctx, workspace, func(q *db.Queries) error {
		if lines, err = q.Clients(ctx, db.ClientsParams{Search: search, Most: int32(c.Most),
			Skip: int32(c.Skip)}); err != nil {
			return err
		}
		n, err := q.ClientCount(ctx, search)
		total = int(n)
		return err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list the clients: %w", err)
	}
	return lines, total, nil
}

// ClientPage is a client with their GSTINs, the taxpayer details stored for them, and matters.
type ClientPage struct {
	Client
	GSTINs    []string
	Taxpayers map[string]Taxpayer // by GSTIN
	Matters   []MatterLine        // closed ones last
	Listed    []ListedNotice      // notices whose document has not been received: by due date, dismissed ones last
}

// ClientPage reads a client. ErrNotFound: there is no such client.
func (s *Store) ClientPage(ctx context.Context, workspace, client uuid.UUID) (p ClientPage, err error) {
	p.Taxpayers = map[string]Taxpayer{}
	err = s.reading(ctx, workspace, func(q *db.Queries) error {
		if p.Client, err = q.Client(ctx, client); err != nil {
			return err
		}
		if p.GSTINs, err = q.Gstins(ctx, client); err != nil {
			return err
		}
		for _, gstin := range p.GSTINs {
			kept, err := taxpayer(ctx, q, workspace, gstin)
			if err != nil {
				return err
			}
			if kept.Gstin != "" {
				p.Taxpayers[gstin] = kept
			}
		}
		if p.Listed, err = q.ClientListed(ctx, client); err != nil {
			return err
		}
		p.Matters, err = q.Matters(ctx, db.MattersParams{ClientID: &client, Closed: true, Most: 500})
		return err
	})
	if err != nil {
		return ClientPage{}, fmt.Errorf("read a client: %w", err)
	}
	return p, nil
}

// MatterFilter filters lists of matters and of their dates; a zero field does not filter.
type MatterFilter struct {
	Client, Assignee *uuid.UUID
	Unassigned       bool // only those without an assignee
	Stage, Officer   string
	Region           string // the State's code, with which the matter's GSTINs begin
	LeastPaise       int64  // the smallest demand
}

// MatterQuery selects one page of matters.
type MatterQuery struct {
	MatterFilter
	State, Search string
	Closed        bool // include closed ones
	Skip, Most    int
}

// Matters lists matters, and returns how many match in all. Those with a date to confirm come first, then the rest by
// their next date.
func (s *Store) Matters(ctx context.Context, workspace uuid.UUID,
	m MatterQuery) (lines []MatterLine, total int, err error) {
	search := containing(m.Search)
	err = s.surveying(ctx, workspace, func(q *db.Queries) error {
		lines, err = q.Matters(ctx, db.MattersParams{ClientID: m.Client, AssigneeID: m.Assignee,
			Unassigned: m.Unassigned, Stage: m.Stage, Officer: m.Officer, Region: m.Region, LeastPaise: m.LeastPaise,
			State: m.State, Search: search, Closed: m.Closed, Most: int32(m.Most), Skip: int32(m.Skip)})
		if err != nil {
			return err
		}
		n, err := q.MatterCount(ctx, db.MatterCountParams{ClientID: m.Client, AssigneeID: m.Assignee,
			Unassigned: m.Unassigned, Stage: m.Stage, Officer: m.Officer, Region: m.Region, LeastPaise: m.LeastPaise,
			State: m.State, Search: search, Closed: m.Closed})
		total = int(n)
		return err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list the matters: %w", err)
	}
	return lines, total, nil
}

// MatterPage is a matter with everything on its page.
type MatterPage struct {
	MatterRow
	Papers      []MatterPaper
	Listed      []ListedNotice // notices whose document has not been received
	Drafts      []MatterDraft
	Authorities []db.MatterAuthoritiesRow
	Answers     []db.MatterAnswersRow
	HandedIn    []db.MatterHandedInRow
	Log         []MatterEntry
	Members     []Member
}

// MatterPage reads a matter. ErrNotFound: there is no such matter.
func (s *Store) MatterPage(ctx context.Context, workspace, matter uuid.UUID) (p MatterPage, err error) {
	err = s.reading(ctx, workspace, func(q *db.Queries) error {
		if p.MatterRow, err = q.Matter(ctx, matter); err != nil {
			return err
		}
		if p.Papers, err = q.MatterPapers(ctx, &matter); err != nil {
			return err
		}
		if p.Listed, err = q.MatterListed(ctx, matter); err != nil {
			return err
		}
		if p.Drafts, err = q.MatterDrafts(ctx, &matter); err != nil {
			return err
		}
		if p.Authorities, err = q.MatterAuthorities(ctx, &matter); err != nil {
			return err
		}
		if p.Answers, err = q.MatterAnswers(ctx, &matter); err != nil {
			return err
		}
		if p.HandedIn, err = q.MatterHandedIn(ctx, &matter); err != nil {
			return err
		}
		if p.Log, err = q.MatterLog(ctx, &matter); err != nil {
			return err
		}
		p.Members, err = q.Members(ctx, workspace)
		return err
	})
	if err != nil {
		return MatterPage{}, fmt.Errorf("read a matter: %w", err)
	}
	return p, nil
}

// MatterChange is what a member can set in a matter.
type MatterChange struct {
	Title, Note, State string
	Assignee, Reviewer *uuid.UUID
}

// Matter reads a matter's row. ErrNotFound: there is no such matter.
func (s *Store) Matter(ctx context.Context, workspace, matter uuid.UUID) (m MatterRow, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		m, err = q.Matter(ctx, matter)
		return err
	})
	if err != nil {
		return MatterRow{}, fmt.Errorf("read a matter: %w", err)
	}
	return m, nil
}

// SetMatter replaces a matter by what change makes of its current state. ErrNotFound: there is no such matter, or the
// assignee or reviewer does not work in the firm.
func (s *Store) SetMatter(ctx context.Context, workspace, matter uuid.UUID,
	change func(MatterState) (MatterChange, error)) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		was, err := q.LockMatter(ctx, matter)
		if err != nil {
			return err
		}
		is, err := change(was)
		if err != nil {
			return err
		}
		for _, m := range []*uuid.UUID{is.Assignee, is.Reviewer} {
			if m == nil {
				continue
			}
			if r, err := q.MemberRole(ctx, db.MemberRoleParams{WorkspaceID: workspace, ID: *m}); err != nil {
				return err
			} else if !role.Role(r).Seat() {
				return ErrNotFound
			}
		}
		_, err = q.SetMatter(ctx, db.SetMatterParams{ID: matter, Title: OneLine(is.Title), Note: clean(is.Note),
			State: is.State, AssigneeID: is.Assignee, ReviewerID: is.Reviewer})
		if err != nil {
			return err
		}
		return logMatter(ctx, q, workspace, was, is)
	})
	if err != nil {
		return fmt.Errorf("change a matter: %w", err)
	}
	return nil
}

// logMatter records changes to a matter in the firm's log, one entry for each changed field.
func logMatter(ctx context.Context, q *db.Queries, workspace uuid.UUID, was db.Matter, is MatterChange) error {
	a, _ := ActingIn(ctx)
	note := func(event string, about *uuid.UUID, detail map[string]any) error {
		return addToLog(ctx, q, workspace,
			entry{member: a.Member, event: event, about: about, matter: &was.ID, detail: detail})
	}
	differ := func(a, b *uuid.UUID) bool { return (a == nil) != (b == nil) || a != nil && *a != *b }
	var errs []error
	if was.State != is.State {
		errs = append(errs, note("state", nil, map[string]any{"state": is.State, "was": was.State}))
	}
	if differ(was.AssigneeID, is.Assignee) {
		errs = append(errs, note("assigned", is.Assignee, nil))
	}
	if differ(was.ReviewerID, is.Reviewer) {
		errs = append(errs, note("reviewer", is.Reviewer, nil))
	}
	if was.Title != is.Title || was.Note != is.Note {
		errs = append(errs, note("matter_noted", nil, nil))
	}
	return errors.Join(errs...)
}

// FiledPaper says where the paper of a conversation is filed or may belong.
type FiledPaper struct {
	Paper      db.Paper
	Name       string  // of the taxpayer, as read
	ClientName *string // of the client to whom it seems to belong
	Matter     *MatterLine
	Candidates []FiledCandidate
	Duplicate  *FiledDuplicate
}

// FiledCandidate is a matter that a paper may belong to.
type FiledCandidate struct {
	MatterLine
	Why  []message.Message
	Sure bool
}

// FiledDuplicate is an earlier paper that this one seems to duplicate.
type FiledDuplicate struct {
	Conversation uuid.UUID
	Title        string
	Why          message.Message
}

// sureOf is the number of points from which a candidate is certain: one of the papers mentions the other's reference
// number.
const sureOf = 100

// FiledPaper returns where the paper of a conversation is filed or may belong. ErrNotFound: it has no paper.
func (s *Store) FiledPaper(ctx context.Context, workspace, conversation uuid.UUID) (p FiledPaper, err error) {
	err = s.reading(ctx, workspace, func(q *db.Queries) error {
		row, err := q.PaperOf(ctx, conversation)
		if err != nil {
			return err
		}
		all, err := filedPapers(ctx, q, []filedRow{{row.Paper, row.MatterID, row.Name, row.ClientName}})
		if err == nil {
			p = all[0]
		}
		return err
	})
	if err != nil {
		return FiledPaper{}, fmt.Errorf("read where a paper is filed: %w", err)
	}
	return p, nil
}

// filedRow is a paper with its matter, the taxpayer's name in it, and the client to whom it seems to belong.
type filedRow struct {
	paper        db.Paper
	matter       *uuid.UUID
	name, client *string
}

// filedPapers adds to the papers what they refer to: the matters where they are or may belong, and the papers they
// seem to duplicate.
func filedPapers(ctx context.Context, q *db.Queries, rows []filedRow) ([]FiledPaper, error) {
	candidates := make([][]MatterChoice, len(rows))
	matters, repeated := []uuid.UUID{}, []uuid.UUID{}
	for i, r := range rows {
		if err := json.Unmarshal(r.paper.Candidates, &candidates[i]); err != nil {
			return nil, fmt.Errorf("decode where a paper may belong: %w", err)
		}
		for _, c := range candidates[i] {
			matters = append(matters, c.Matter)
		}
		if r.matter != nil {
			matters = append(matters, *r.matter)
		}
		if r.paper.DuplicateOf != nil {
			repeated = append(repeated, *r.paper.DuplicateOf)
		}
	}
	lines := map[uuid.UUID]*MatterLine{}
	if len(matters) > 0 {
		found, err := q.Matters(ctx, db.MattersParams{Ids: matters, Closed: true, Most: int32(len(matters))})
		if err != nil {
			return nil, err
		}
		for _, l := range found {
			lines[l.ID] = &l
		}
	}
	titles := map[uuid.UUID]db.TitlesOfPapersRow{}
	if len(repeated) > 0 {
		found, err := q.TitlesOfPapers(ctx, repeated)
		if err != nil {
			return nil, err
		}
		for _, t := range found {
			titles[t.DocumentID] = t
		}
	}
	filed := make([]FiledPaper, len(rows))
	for i, r := range rows {
		p := FiledPaper{Paper: r.paper, ClientName: r.client}
		if r.name != nil {
			p.Name = *r.name
		}
		if r.matter != nil {
			p.Matter = lines[*r.matter]
		}
		for _, c := range candidates[i] {
			if line := lines[c.Matter]; line != nil {
				p.Candidates = append(p.Candidates, FiledCandidate{*line, c.Why, c.Points >= sureOf})
			}
		}
		if r.paper.DuplicateOf != nil {
			if d, there := titles[*r.paper.DuplicateOf]; there {
				p.Duplicate = &FiledDuplicate{Conversation: d.ID, Title: d.Title}
				if r.paper.Why != nil {
					if err := json.Unmarshal(r.paper.Why, &p.Duplicate.Why); err != nil {
						return nil, fmt.Errorf("decode why a paper is a duplicate: %w", err)
					}
				}
			}
		}
		filed[i] = p
	}
	return filed, nil
}
