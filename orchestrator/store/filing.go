package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/message"
	"munshi/orchestrator/store/db"
	"munshi/orchestrator/turns"
)

// PaperFacts are the details of a paper from which its client and matter are found.
type PaperFacts struct {
	GSTIN, PAN, Form, Issued, Officer *string
	GSTINValid, IsNotice              bool
	Name, NameKey                     string // of the taxpayer, as read and in the normal form used to compare names
	Track, Stage                      string
	Years, Issues                     []string
	DemandPaise                       *int64
	Own, Cited                        []string // reference numbers: its own, and those that it mentions
	Sketch                            []int64  // fingerprint of its text
}

// Sibling is another paper of the firm that may belong to the same matter.
type Sibling struct {
	db.SiblingsRow
	Numbered bool // it has a reference number of its own
}

// OnFile is what a firm already has that matches a new paper.
type OnFile struct {
	ByGSTIN, ByPAN *uuid.UUID  // the client with this number
	ByName         []uuid.UUID // clients with this name
	SameFile       *uuid.UUID  // a paper with the same bytes
	Siblings       []Sibling
}

// NewClient is a client to be created.
type NewClient struct {
	Name, NameKey string
	PAN, GSTIN    *string
}

// ClientChoice says to which client a paper belongs: an existing one or a new one; neither if this cannot be decided.
type ClientChoice struct {
	ID   *uuid.UUID
	New  *NewClient
	Sure bool
}

// MatterChoice is a matter that a paper may belong to, and why.
type MatterChoice struct {
	Matter uuid.UUID         `json:"matter"`
	Client uuid.UUID         `json:"client"`
	Paper  uuid.UUID         `json:"paper"` // the conversation of the paper that is the best reason for this choice
	Points int               `json:"points"`
	Why    []message.Message `json:"why"`
}

// Decision says where a paper belongs.
type Decision struct {
	Client     ClientChoice
	Candidates []MatterChoice // most likely first; none: a new matter
	Duplicate  *uuid.UUID     // the conversation of the same paper, if it was uploaded before
	Why        message.Message
	Sure       bool // no person needs to confirm it
}

// File stores what read found in the paper of a firm's conversation. Unless a person has already filed the paper, it
// then applies the decision of decide if that is sure, and otherwise stores it as a proposal. ErrNotFound: the
// conversation belongs to no firm, or has no paper.
func (s *Store) File(ctx context.Context, workspace, conversation uuid.UUID,
	read func(facts []byte, pages []turns.Page) (PaperFacts, error),
	decide func(PaperFacts, OnFile) Decision) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		c, err := q.FirmConversation(ctx, conversation)
		if err != nil {
			return err
		}
		kept, err := pages(ctx, q, c.DocumentID)
		if err != nil {
			return err
		}
		p, err := read(c.Facts, kept)
		if err != nil {
			return err
		}
		if err := q.LockFiling(ctx, workspace.String()); err != nil {
			return err
		}
		was, err := optional(q.Paper(ctx, c.DocumentID))
		if err != nil {
			return err
		}
		if err := putPaper(ctx, q, workspace, conversation, c.DocumentID, p); err != nil {
			return err
		}
		listed, err := arrived(ctx, q, workspace, conversation, c, p)
		if err != nil {
			return err
		}
		if was != nil && was.SettledBy != nil { // a person has filed it
			if c.MatterID == nil {
				return nil
			}
			return move(ctx, q, conversation, c.MatterID, c.MatterID)
		}
		if listed != nil && p.IsNotice { // its place was known before it came
			_, err := settleInto(ctx, q, workspace, conversation, c, p, Settling{Matter: &listed.MatterID})
			return err
		}
		known, err := knownOf(ctx, q, workspace, c, p)
		if err != nil {
			return err
		}
		return place(ctx, q, workspace, conversation, c, p, decide(p, known))
	})
	if err != nil {
		return fmt.Errorf("file a paper: %w", err)
	}
	return nil
}

// arrived marks the listed notice whose document this paper is as received, and returns it; nil if the
// paper belongs to no listed notice.
func arrived(ctx context.Context, q *db.Queries, workspace, conversation uuid.UUID, c db.FirmConversationRow,
	p PaperFacts) (*ListedNotice, error) {
	listed, err := optional(q.ListedFor(ctx, db.ListedForParams{WorkspaceID: workspace, ConversationID: conversation,
		DocumentID: c.DocumentID, Own: list(p.Own), Form: p.Form, Gstin: p.GSTIN}))
	if err != nil || listed == nil {
		return nil, err
	}
	if listed.DocumentID != nil && *listed.DocumentID == c.DocumentID {
		return listed, nil
	}
	if err := q.ArriveListed(ctx, db.ArriveListedParams{ID: listed.ID, DocumentID: &c.DocumentID}); err != nil {
		return nil, err
	}
	// If the list says that the notice was answered, the document counts as answered too.
	if listed.AnsweredOn != nil && listed.Arn != nil {
		if err := q.PutFiledNote(ctx, db.PutFiledNoteParams{ConversationID: conversation, WorkspaceID: workspace,
			Arn: *listed.Arn, FiledOn: *listed.AnsweredOn, NotedBy: listed.AddedBy}); err != nil {
			return nil, err
		}
	}
	if listed.AnsweredOn != nil || listed.Replied {
		if _, err := markAnswered(ctx, q, conversation, true); err != nil {
			return nil, err
		}
	}
	return listed, nil
}

func putPaper(ctx context.Context, q *db.Queries, workspace, conversation, document uuid.UUID, p PaperFacts) error {
	err := q.PutPaper(ctx, db.PutPaperParams{DocumentID: document, WorkspaceID: workspace, ConversationID: conversation,
		Gstin: p.GSTIN, Pan: p.PAN, NameKey: clean(p.NameKey), Form: lineOf(p.Form), Track: p.Track, Stage: p.Stage,
		Issued: p.Issued, Years: list(p.Years), Issues: list(p.Issues), Officer: lineOf(p.Officer),
		DemandPaise: p.DemandPaise, Sketch: list(p.Sketch)})
	if err != nil {
		return err
	}
	if err := q.DropNumbers(ctx, document); err != nil {
		return err
	}
	for _, numbers := range []db.AddNumbersParams{{Numbers: p.Own, Own: true}, {Numbers: p.Cited}} {
		numbers.DocumentID, numbers.WorkspaceID = document, workspace
		if len(numbers.Numbers) > 0 {
			if err := q.AddNumbers(ctx, numbers); err != nil {
				return err
			}
		}
	}
	return nil
}

func knownOf(ctx context.Context, q *db.Queries, workspace uuid.UUID, c db.FirmConversationRow,
	p PaperFacts) (k OnFile, err error) {
	id := func(client *db.Client, err error) (*uuid.UUID, error) {
		if err != nil || client == nil {
			return nil, err
		}
		return &client.ID, nil
	}
	if p.GSTIN != nil {
		if k.ByGSTIN, err = id(optional(q.ClientByGstin(ctx,
			db.ClientByGstinParams{WorkspaceID: workspace, Gstin: *p.GSTIN}))); err != nil {
			return k, err
		}
	}
	if p.PAN != nil {
		if k.ByPAN, err = id(optional(q.ClientByPan(ctx,
			db.ClientByPanParams{WorkspaceID: workspace, Pan: *p.PAN}))); err != nil {
			return k, err
		}
	}
	if p.NameKey != "" {
		named, err := q.ClientsByName(ctx, db.ClientsByNameParams{WorkspaceID: workspace, NameKey: p.NameKey})
		if err != nil {
			return k, err
		}
		for _, n := range named {
			k.ByName = append(k.ByName, n.ID)
		}
	}
	same, err := optional(q.SameFile(ctx,
		db.SameFileParams{WorkspaceID: workspace, Sha256: c.Sha256, ID: c.DocumentID}))
	if err != nil {
		return k, err
	}
	if same != nil {
		k.SameFile = &same.ID
	}
	rows, err := q.Siblings(ctx, db.SiblingsParams{DocumentID: c.DocumentID, WorkspaceID: workspace, Own: list(p.Own),
		Cited: list(p.Cited), Gstin: deref(p.GSTIN), Pan: deref(p.PAN)})
	for _, r := range rows {
		k.Siblings = append(k.Siblings, Sibling{r, r.Numbered})
	}
	return k, err
}

// list returns an empty list for nil, which would be null in the database.
func list[T any](of []T) []T {
	if of == nil {
		return []T{}
	}
	return of
}

// place files a paper as decided, or stores the decision as a proposal if it is not sure.
func place(ctx context.Context, q *db.Queries, workspace, conversation uuid.UUID, c db.FirmConversationRow,
	p PaperFacts, d Decision) error {
	if d.Sure {
		into := Settling{Client: d.Client.ID, New: d.Client.New}
		if len(d.Candidates) > 0 {
			into = Settling{Matter: &d.Candidates[0].Matter}
		}
		_, err := settleInto(ctx, q, workspace, conversation, c, p, into)
		return err
	}
	raw, err := json.Marshal(d.Candidates)
	if err != nil {
		return fmt.Errorf("encode where a paper may belong: %w", err)
	}
	propose := db.ProposePaperParams{
		DocumentID:  c.DocumentID,
		ClientID:    d.Client.ID,
		Candidates:  cleanJSON(raw),
		DuplicateOf: d.Duplicate,
	}
	if d.Duplicate != nil {
		if propose.Why, err = json.Marshal(d.Why); err != nil {
			return fmt.Errorf("encode why a paper is a duplicate: %w", err)
		}
	}
	if err := q.ProposePaper(ctx, propose); err != nil {
		return err
	}
	if c.MatterID == nil {
		return nil
	}
	return move(ctx, q, conversation, c.MatterID, nil)
}

// Settling says into which matter a paper goes: an existing one, or a new one for an existing or new client.
type Settling struct {
	Matter, Client *uuid.UUID
	New            *NewClient
}

// SettlePaper files the paper of a conversation as the acting member decided, and returns the matter. ErrNotFound: the
// conversation has no paper, or there is no such client or matter.
func (s *Store) SettlePaper(ctx context.Context, workspace, conversation uuid.UUID,
	into Settling) (matter uuid.UUID, err error) {
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		c, err := q.FirmConversation(ctx, conversation)
		if err != nil {
			return err
		}
		if err := q.LockFiling(ctx, workspace.String()); err != nil {
			return err
		}
		row, err := q.Paper(ctx, c.DocumentID)
		if err != nil {
			return err
		}
		matter, err = settleInto(ctx, q, workspace, conversation, c,
			PaperFacts{GSTIN: row.Gstin, Track: row.Track, Stage: row.Stage}, into)
		return err
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("settle where a paper belongs: %w", err)
	}
	return matter, nil
}

// See records that a person has checked where a conversation's paper is filed. ErrNotFound: it has no paper.
func (s *Store) See(ctx context.Context, workspace, conversation uuid.UUID) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.SeePaper(ctx, conversation)
		if err == nil && n == 0 {
			err = ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("note that a paper was looked at: %w", err)
	}
	return nil
}

// settleInto files a paper into a matter, and creates the matter and its client if needed.
func settleInto(ctx context.Context, q *db.Queries, workspace, conversation uuid.UUID, c db.FirmConversationRow,
	p PaperFacts, into Settling) (uuid.UUID, error) {
	matter, client, err := matterFor(ctx, q, workspace, p, into)
	if err != nil {
		return uuid.Nil, err
	}
	if p.GSTIN != nil {
		if _, err := q.AddGstin(ctx, db.AddGstinParams{WorkspaceID: workspace, Gstin: *p.GSTIN,
			ClientID: client}); err != nil {
			return uuid.Nil, err
		}
		if p.Name != "" {
			if err := q.NameClient(ctx,
				db.NameClientParams{ID: client, Name: OneLine(p.Name), NameKey: clean(p.NameKey)}); err != nil {
				return uuid.Nil, err
			}
		}
	}
	a, acts := ActingIn(ctx)
	settle := db.SettlePaperParams{DocumentID: c.DocumentID, ClientID: &client, Seen: acts}
	if acts && a.Member != uuid.Nil {
		settle.SettledBy = &a.Member
	}
	if err := q.SettlePaper(ctx, settle); err != nil {
		return uuid.Nil, err
	}
	if err := move(ctx, q, conversation, c.MatterID, &matter); err != nil {
		return uuid.Nil, err
	}
	return matter, addToLog(ctx, q, workspace,
		entry{member: a.Member, event: "paper_filed", about: &conversation, matter: &matter})
}

func matterFor(ctx context.Context, q *db.Queries, workspace uuid.UUID, p PaperFacts,
	into Settling) (matter, client uuid.UUID, err error) {
	if into.Matter != nil {
		m, err := q.LockMatter(ctx, *into.Matter)
		return m.ID, m.ClientID, err
	}
	switch {
	case into.Client != nil:
		kept, err := q.LockClient(ctx, *into.Client)
		if err != nil {
			return uuid.Nil, uuid.Nil, err
		}
		client = kept.ID
	case into.New != nil:
		if client, err = addClient(ctx, q, workspace, *into.New); err != nil {
			return uuid.Nil, uuid.Nil, err
		}
	default:
		return uuid.Nil, uuid.Nil, ErrNotFound
	}
	matter = newID()
	return matter, client, q.AddMatter(ctx,
		db.AddMatterParams{ID: matter, WorkspaceID: workspace, ClientID: client, Track: p.Track, Stage: p.Stage})
}

// move moves a paper from one matter to another. It then counts as answered if the new matter has gone past the
// paper's stage, and as open otherwise.
func move(ctx context.Context, q *db.Queries, conversation uuid.UUID, from, to *uuid.UUID) error {
	if _, err := q.FileConversation(ctx, db.FileConversationParams{ID: conversation, MatterID: to}); err != nil {
		return err
	}
	for _, matter := range []*uuid.UUID{from, to} {
		if matter == nil {
			continue
		}
		if err := q.UnpassPapers(ctx, *matter); err != nil {
			return err
		}
		if err := q.PassPapers(ctx, *matter); err != nil {
			return err
		}
		if err := q.RefreshMatter(ctx, *matter); err != nil {
			return err
		}
	}
	if from == nil || to != nil && *from == *to {
		return nil
	}
	_, err := q.DropEmptyMatter(ctx, *from)
	return err
}
