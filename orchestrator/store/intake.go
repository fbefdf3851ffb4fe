package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// OpenBatch starts an upload batch for the acting member.
func (s *Store) OpenBatch(ctx context.Context, workspace uuid.UUID) (id uuid.UUID, err error) {
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		batch := db.AddBatchParams{ID: newID(), WorkspaceID: workspace}
		if a, acts := ActingIn(ctx); acts && a.Member != uuid.Nil {
			batch.MemberID = &a.Member
		}
		id = batch.ID
		return q.AddBatch(ctx, batch)
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("begin a batch: %w", err)
	}
	return id, nil
}

// NewFile is an uploaded file of a batch.
type NewFile struct {
	Workspace, Batch uuid.UUID
	Name             string
	Bytes            int64
	SHA256           []byte
	Problem          json.RawMessage // why it cannot be accepted; nil if it can
	Document         NewDocument
	Plugin           string
	Turn             NewTurn    // the turn that reads it: its kind, text and language
	Listed           *uuid.UUID // the listed notice whose document it is said to be
	LeftOut          bool       // it, or a part of it, is refused since the batch is full; of these there may be mostLeftOut more
}

// MostFiles is how many files a batch may have, and mostLeftOut how many more it may list as left out.
const (
	MostFiles   = 500
	mostLeftOut = 50
)

// TakeFile records a file of a batch. If the file can be read and is new to the firm, it also creates a conversation
// and the turn that reads it. reading is nil if there is nothing to read, and if the batch already has this file under
// this name. ErrNotFound: there is no such batch or listed notice; ErrTooMany: it is full.
func (s *Store) TakeFile(ctx context.Context, n NewFile) (reading *Turn, err error) {
	err = s.within(ctx, n.Workspace, func(q *db.Queries) error {
		if _, err := q.Batch(ctx, n.Batch); err != nil {
			return err
		}
		if err := q.LockIntake(ctx, n.Workspace.String()); err != nil {
			return err
		}
		name := OneLine(n.Name)
		before, err := optional(q.BatchFile(ctx, db.BatchFileParams{BatchID: n.Batch, Sha256: n.SHA256, Name: name}))
		if err != nil || before != nil {
			return err
		}
		count, err := q.BatchFileCount(ctx, n.Batch)
		if err != nil {
			return err
		}
		switch {
		case n.LeftOut && count >= MostFiles+mostLeftOut:
			return nil
		case !n.LeftOut && count >= MostFiles:
			return ErrTooMany
		}
		file := db.AddBatchFileParams{ID: newID(), WorkspaceID: n.Workspace, BatchID: n.Batch, Name: name,
			Bytes: n.Bytes, Sha256: n.SHA256, ListedID: n.Listed}
		if n.Listed != nil {
			if _, err := q.LockListed(ctx, *n.Listed); err != nil {
				return err
			}
		}
		if n.Problem != nil {
			file.Problem = cleanJSON(n.Problem)
			return q.AddBatchFile(ctx, file)
		}
		same, err := optional(q.FileBefore(ctx,
			db.FileBeforeParams{WorkspaceID: n.Workspace, Plugin: n.Plugin, Sha256: n.SHA256}))
		if err != nil {
			return err
		}
		if same != nil {
			file.Repeats = same
			if n.Listed != nil {
				if err := q.ArriveListedOf(ctx, db.ArriveListedOfParams{ID: *n.Listed, ConversationID: *same}); err != nil {
					return err
				}
			}
			return q.AddBatchFile(ctx, file)
		}
		c, err := q.CreateConversation(ctx,
			db.CreateConversationParams{ID: newID(), WorkspaceID: n.Workspace, Plugin: n.Plugin})
		if err != nil {
			return err
		}
		n.Turn.Workspace, n.Turn.Conversation, n.Turn.Document = n.Workspace, c.ID, &n.Document
		turn, _, err := accept(ctx, q, n.Turn)
		if err != nil {
			return err
		}
		reading, file.ConversationID = &turn, &c.ID
		return q.AddBatchFile(ctx, file)
	})
	if err != nil {
		return nil, fmt.Errorf("take a file of a batch: %w", err)
	}
	return reading, nil
}

// BatchLine is a batch with its progress.
type BatchLine = db.BatchesRow

// TroubledFile is a file that was refused, had been uploaded before, or could not be read.
type TroubledFile = db.TroubledFilesRow

// TriagePaper is a paper that nobody has checked yet.
type TriagePaper struct {
	Notice db.Notice
	FiledPaper
	Member *string // who uploaded it in a batch; nil if it was uploaded singly
}

// LineOf returns a notice as lists show it. The state of its last turn is not known here, and set to answered.
func LineOf(n db.Notice) NoticeLine {
	return NoticeLine{ID: n.ID, WorkspaceID: n.WorkspaceID, Title: n.Title, CreatedAt: n.CreatedAt,
		UpdatedAt: n.UpdatedAt, AnsweredAt: n.AnsweredAt, Client: n.Client, Gstin: n.Gstin, Form: n.Form,
		Reference: n.Reference, FirstYear: n.FirstYear, LastYear: n.LastYear, DemandPaise: n.DemandPaise,
		ReplyBy: n.ReplyBy, Asked: n.Asked, Needed: n.Needed, WatchBy: n.WatchBy, WatchWhat: n.WatchWhat,
		HearingOn: n.HearingOn, Attention: n.Attention, OpenDate: n.OpenDate, TurnState: "answered"}
}

// Triage is what a firm still has to check.
type Triage struct {
	Batches []BatchLine // the latest first
	Files   []TroubledFile
	Papers  []TriagePaper
	Total   int // number of papers in all
	Held    int // number of mails in quarantine
}

// Triage lists what has arrived and nobody has checked yet.
func (s *Store) Triage(ctx context.Context, workspace uuid.UUID, skip, most int) (t Triage, err error) {
	err = s.reading(ctx, workspace, func(q *db.Queries) error {
		if t.Batches, err = q.Batches(ctx); err != nil {
			return err
		}
		if t.Files, err = q.TroubledFiles(ctx); err != nil {
			return err
		}
		total, err := q.TriageCount(ctx, workspace)
		if err != nil {
			return err
		}
		t.Total = int(total)
		held, err := q.CountQuarantine(ctx, workspace)
		if err != nil {
			return err
		}
		t.Held = int(held)
		rows, err := q.TriagePapers(ctx,
			db.TriagePapersParams{WorkspaceID: workspace, Most: int32(most), Skip: int32(skip)})
		if err != nil {
			return err
		}
		filed := make([]filedRow, len(rows))
		for i, r := range rows {
			filed[i] = filedRow{r.Paper, r.MatterID, r.Notice.Client, r.ClientName}
		}
		places, err := filedPapers(ctx, q, filed)
		if err != nil {
			return err
		}
		for i, r := range rows {
			t.Papers = append(t.Papers, TriagePaper{r.Notice, places[i], r.Member})
		}
		return nil
	})
	if err != nil {
		return Triage{}, fmt.Errorf("list what is to be looked at: %w", err)
	}
	return t, nil
}

// SeeFiles marks troubled files as seen, and returns how many were not seen before.
func (s *Store) SeeFiles(ctx context.Context, workspace uuid.UUID, files []uuid.UUID) (n int, err error) {
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		rows, err := q.SeeBatchFiles(ctx, files)
		n = int(rows)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("put files aside: %w", err)
	}
	return n, nil
}
