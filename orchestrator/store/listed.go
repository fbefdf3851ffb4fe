package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// ListedNotice is a notice or order that a firm knows of from its old register or from the portal's table.
type ListedNotice = db.ListedNotice

// NewListed is a listed notice to be stored. Dates are in ISO format.
type NewListed struct {
	Source string // register or portal
	// recognises the same line when it is imported again
	Mark                                                                 string
	Number                                                               string // its reference, normalised for comparison
	Reference, Form, GSTIN, Issued, Received, Due, Hearing, Officer, Arn *string
	Kind, About                                                          string
	Track, Stage                                                         string
	Years                                                                []string
	Demand                                                               json.RawMessage // rows by tax head, as in the facts of a paper
	DemandPaise                                                          *int64
	AnsweredOn                                                           *string
	Replied                                                              bool
}

// Names for the generated row types.
type (
	KnownClient = db.KnownClientsRow
	KnownPaper  = db.KnownPapersRow
	KnownListed = db.KnownListedRow
)

// Holdings are the clients, papers and listed notices of a firm with which the lines of a list are compared.
type Holdings struct {
	Clients []KnownClient
	Papers  []KnownPaper
	Listed  []KnownListed
}

// KnownKeys are the keys by which a list names clients and papers, normalised for comparison.
type KnownKeys struct{ GSTINs, PANs, Names, Numbers, Marks []string }

// Known returns the firm's clients, papers and listed notices that match the keys of a list.
func (s *Store) Known(ctx context.Context, workspace uuid.UUID, keys KnownKeys) (k Holdings, err error) {
	err = s.surveying(ctx, workspace, func(q *db.Queries) error {
		k, err = known(ctx, q, workspace, keys, nil)
		return err
	})
	if err != nil {
		return Holdings{}, fmt.Errorf("look for what a list names: %w", err)
	}
	return k, nil
}

// KnownOf returns the same as Known, with all papers and listed notices of a client.
func (s *Store) KnownOf(ctx context.Context, workspace, client uuid.UUID, keys KnownKeys) (k Holdings, err error) {
	err = s.surveying(ctx, workspace, func(q *db.Queries) error {
		k, err = known(ctx, q, workspace, keys, &client)
		return err
	})
	if err != nil {
		return Holdings{}, fmt.Errorf("look for what a client's list names: %w", err)
	}
	return k, nil
}

func known(ctx context.Context, q *db.Queries, workspace uuid.UUID, keys KnownKeys, of *uuid.UUID) (k Holdings, err error) {
	clients := []uuid.UUID{}
	if of != nil {
		clients = append(clients, *of)
	}
	if k.Clients, err = q.KnownClients(ctx, db.KnownClientsParams{WorkspaceID: workspace, Pans: list(keys.PANs),
		Names: list(keys.Names), Gstins: list(keys.GSTINs)}); err != nil {
		return k, err
	}
	for _, c := range k.Clients {
		clients = append(clients, c.ID)
	}
	if k.Papers, err = q.KnownPapers(ctx, db.KnownPapersParams{WorkspaceID: workspace, Clients: clients,
		Numbers: list(keys.Numbers)}); err != nil {
		return k, err
	}
	if k.Listed, err = q.KnownListed(ctx, db.KnownListedParams{WorkspaceID: workspace, Clients: clients,
		Marks: list(keys.Marks), Numbers: list(keys.Numbers)}); err != nil {
		return k, err
	}
	return k, nil
}

// ListedStep says what to create for one line of a list. New clients and matters have temporary ids, by which later steps
// can refer to them.
type ListedStep struct {
	Key       string // identifies the line in its list
	Client    uuid.UUID
	NewClient *NewClient
	GSTIN     *string // to be added to the client
	Matter    uuid.UUID
	NewMatter *ListedMatter
	Listed    *NewListed // nil: the line is only about the client
}

// ListedMatter is a matter to be created for a listed notice.
type ListedMatter struct {
	State    string
	Assignee *uuid.UUID
}

// Made is the result of a step.
type Made struct {
	Client, Matter, Listed *uuid.UUID
	Known                  bool // the listed notice had been added in the meantime
}

// TakeSteps carries out the steps for lines of a list in one transaction. made maps the temporary ids of clients and
// matters to the real ones; it is kept from call to call. note, if not nil, is called within the transaction with the
// result of each step.
func (s *Store) TakeSteps(ctx context.Context, workspace uuid.UUID, steps []ListedStep, made map[uuid.UUID]uuid.UUID,
	note func(q ImportNote, of []Made) error) (of []Made, err error) {
	added := map[uuid.UUID]uuid.UUID{}
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		if err := q.LockFiling(ctx, workspace.String()); err != nil {
			return err
		}
		for _, step := range steps {
			one, err := takeStep(ctx, q, workspace, step, made, added)
			if err != nil {
				return fmt.Errorf("line %s: %w", step.Key, err)
			}
			of = append(of, one)
		}
		if note == nil {
			return nil
		}
		return note(ImportNote{q}, of)
	})
	if err != nil {
		return nil, fmt.Errorf("take over lines of a list: %w", err)
	}
	for plan, is := range added {
		made[plan] = is
	}
	return of, nil
}

func takeStep(ctx context.Context, q *db.Queries, workspace uuid.UUID, step ListedStep,
	made, added map[uuid.UUID]uuid.UUID) (one Made, err error) {
	become := func(plan uuid.UUID) uuid.UUID {
		for _, all := range []map[uuid.UUID]uuid.UUID{added, made} {
			if is, known := all[plan]; known {
				return is
			}
		}
		return plan
	}
	a, _ := ActingIn(ctx)
	if step.Listed != nil {
		was, err := optional(q.ListedByMark(ctx, db.ListedByMarkParams{WorkspaceID: workspace, Mark: step.Listed.Mark}))
		if err != nil || was != nil {
			return Made{Known: true}, err
		}
	}
	client := become(step.Client)
	if step.NewClient != nil && client == step.Client {
		if client, err = addClient(ctx, q, workspace, *step.NewClient); err != nil {
			return one, err
		}
		added[step.Client] = client
		if err := logged(ctx, q, "client_added", &client, map[string]any{"name": step.NewClient.Name}); err != nil {
			return one, err
		}
	} else if _, err := q.LockClient(ctx, client); err != nil {
		return one, err
	}
	one.Client = &client
	if step.GSTIN != nil {
		if _, err := q.AddGstin(ctx, db.AddGstinParams{WorkspaceID: workspace, Gstin: *step.GSTIN,
			ClientID: client}); err != nil {
			return one, err
		}
	}
	if step.Listed == nil {
		return one, nil
	}
	l := *step.Listed
	matter := become(step.Matter)
	if step.NewMatter != nil && matter == step.Matter {
		matter = newID()
		if err := q.AddListedMatter(ctx, db.AddListedMatterParams{ID: matter, WorkspaceID: workspace, ClientID: client,
			Track: l.Track, Stage: l.Stage, State: step.NewMatter.State, AssigneeID: step.NewMatter.Assignee}); err != nil {
			return one, err
		}
		added[step.Matter] = matter
	} else if _, err := q.LockMatter(ctx, matter); err != nil {
		return one, err
	}
	one.Matter = &matter
	id := newID()
	row := db.AddListedParams{ID: id, WorkspaceID: workspace, MatterID: matter, Source: l.Source, Mark: l.Mark,
		Number: l.Number, Reference: lineOf(l.Reference), Form: lineOf(l.Form), Kind: OneLine(l.Kind),
		About: OneLine(l.About), Gstin: l.GSTIN, Track: l.Track, Stage: l.Stage, Years: list(l.Years), Issued: l.Issued,
		Received: l.Received, Due: l.Due, Hearing: l.Hearing, Officer: lineOf(l.Officer), Demand: []byte("[]"),
		DemandPaise: l.DemandPaise, AnsweredOn: l.AnsweredOn,
		Replied: l.Replied, Arn: lineOf(l.Arn)}
	if l.Demand != nil {
		row.Demand = cleanJSON(l.Demand)
	}
	if a.Member != uuid.Nil {
		row.AddedBy = &a.Member
	}
	if _, err := q.AddListed(ctx, row); err != nil {
		return one, err
	}
	one.Listed = &id
	name := deref(row.Reference)
	return one, addToLog(ctx, q, workspace, entry{member: a.Member, event: "listed_" + l.Source, about: &id, matter: &matter,
		detail: map[string]any{"name": name}})
}

// ImportNote records results within the transaction of TakeSteps.
type ImportNote struct{ q *db.Queries }

// Rows records the outcomes of rows of an import, by row number.
func (n ImportNote) Rows(ctx context.Context, id uuid.UUID, made json.RawMessage) error {
	return n.q.NoteMade(ctx, db.NoteMadeParams{ID: id, Made: cleanJSON(made)})
}

// Looked records that a member has checked a client's portal, with details for the log. ErrNotFound: there is no such
// client.
func (n ImportNote) Looked(ctx context.Context, client uuid.UUID, detail map[string]any) error {
	rows, err := n.q.LookedAtPortal(ctx, client)
	if err != nil {
		return err
	}
	if rows == 0 {
		return ErrNotFound
	}
	return logged(ctx, n.q, "portal_looked", &client, detail)
}

// UnlookedClient is a client whose portal nobody has checked for some time.
type UnlookedClient = db.UnlookedRow

// Unlooked returns at most twenty clients whose portal nobody has checked for the given number of days, the longest
// first. Each row has the total number of such clients.
func (s *Store) Unlooked(ctx context.Context, workspace uuid.UUID, days int) (list []UnlookedClient, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		list, err = q.Unlooked(ctx, int32(days))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list clients whose portal nobody looks at: %w", err)
	}
	return list, nil
}

// RegisterImport is a register that is being imported.
type RegisterImport = db.RegisterImport

// NewImport is a register that has been read but not imported yet. AddImport stores it.
type NewImport struct {
	Name           string
	Cells, Columns json.RawMessage
	Heading, Rows  int
}

// AddImport stores a register that is to be imported, and deletes imports that are more than a week old.
func (s *Store) AddImport(ctx context.Context, workspace uuid.UUID, n NewImport) (id uuid.UUID, err error) {
	id = newID()
	cells, err := linesJSON(n.Cells)
	if err != nil {
		return uuid.Nil, fmt.Errorf("clean the cells of a register: %w", err)
	}
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		if err := q.DropRegisterImports(ctx, workspace); err != nil {
			return err
		}
		row := db.AddRegisterImportParams{ID: id, WorkspaceID: workspace, Name: OneLine(n.Name),
			Cells: cells, Columns: cleanJSON(n.Columns), Heading: int32(n.Heading), Rows: int32(n.Rows)}
		if a, acts := ActingIn(ctx); acts && a.Member != uuid.Nil {
			row.MemberID = &a.Member
		}
		return q.AddRegisterImport(ctx, row)
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("keep a register to import: %w", err)
	}
	return id, nil
}

// RegisterImport returns a register that is being imported. ErrNotFound: there is no such import.
func (s *Store) RegisterImport(ctx context.Context, workspace, id uuid.UUID) (i RegisterImport, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		i, err = q.RegisterImport(ctx, id)
		return err
	})
	if err != nil {
		return RegisterImport{}, fmt.Errorf("read a register to import: %w", err)
	}
	return i, nil
}

// SetImportColumns saves what the columns of a register hold. ErrNotFound: there is no such register, or some of its rows
// have been imported.
func (s *Store) SetImportColumns(ctx context.Context, workspace, id uuid.UUID, columns json.RawMessage, heading int) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.SetImportColumns(ctx, db.SetImportColumnsParams{ID: id, Columns: cleanJSON(columns),
			Heading: int32(heading)})
		if err == nil && n == 0 {
			err = ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("choose the columns of a register: %w", err)
	}
	return nil
}

// TakeImport reserves an import for a minute. mine is false if another request has reserved it, or if it is done.
func (s *Store) TakeImport(ctx context.Context, workspace, id uuid.UUID) (mine bool, err error) {
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.TakeImport(ctx, id)
		mine = n > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("begin to import a register: %w", err)
	}
	return mine, nil
}

// EndImport releases the import of a register or, if done, ends it and records in the firm's log how many notices and
// clients were added.
func (s *Store) EndImport(ctx context.Context, workspace, id uuid.UUID, name string, done bool, notices, clients int) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		if !done {
			return q.LeaveImport(ctx, id)
		}
		if err := q.EndImport(ctx, id); err != nil {
			return err
		}
		return logged(ctx, q, "register_imported", &id, map[string]any{"name": name, "notices": notices, "clients": clients})
	})
	if err != nil {
		return fmt.Errorf("end the import of a register: %w", err)
	}
	return nil
}

// SetListed sets whether a listed notice is put aside, as its document is not needed, and whether it was replied to. A nil
// leaves that unchanged. ErrNotFound: there is no such notice.
func (s *Store) SetListed(ctx context.Context, workspace, id uuid.UUID, aside, replied *bool) (client uuid.UUID, err error) {
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		was, err := q.LockListed(ctx, id)
		if err != nil {
			return err
		}
		l := was.ListedNotice
		client = was.ClientID
		is := db.SetListedParams{ID: id, Aside: l.AsideAt != nil, Replied: l.Replied || l.AnsweredOn != nil}
		a, _ := ActingIn(ctx)
		note := func(event string) error {
			return addToLog(ctx, q, workspace, entry{member: a.Member, event: event, about: &id, matter: &l.MatterID,
				detail: map[string]any{"name": deref(l.Reference)}})
		}
		if aside != nil && *aside != is.Aside {
			is.Aside = *aside
			event := "listed_back"
			if is.Aside {
				event = "listed_aside"
			}
			if err := note(event); err != nil {
				return err
			}
		}
		if replied != nil && *replied != is.Replied {
			is.Replied = *replied
			event := "listed_open"
			if is.Replied {
				event = "listed_replied"
			}
			if err := note(event); err != nil {
				return err
			}
		}
		return q.SetListed(ctx, is)
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("change a listed notice: %w", err)
	}
	return client, nil
}
