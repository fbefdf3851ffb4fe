package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// FigureFile is a file that was uploaded for comparison with a notice. Read describes its content without the rows,
// and Problem says why it was refused; both are nil until it has been examined.
type FigureFile = db.FigureFilesRow

// Reconciliation is the result of comparing a conversation's files.
type Reconciliation = db.Reconciliation

// FigureEntry is a document, such as an invoice, in a reconciliation, with both of its sides as JSON.
type FigureEntry struct {
	Position int             `json:"position"`
	What     string          `json:"what"`   // what is compared, such as credit_claimed
	Record   string          `json:"record"` // its identifier
	Class    string          `json:"class"`
	Own      bool            `json:"own"` // a person chose the class
	GSTIN    string          `json:"gstin"`
	Name     string          `json:"name"`
	Number   string          `json:"number"`
	Date     string          `json:"date"`
	Period   string          `json:"period"`
	Paise    int64           `json:"paise"`
	Entry    json.RawMessage `json:"entry"`
}

// entriesAtOnce is how many entries one statement sends to the database.
const entriesAtOnce = 1000

// FigureFiles lists the files of a conversation in order of arrival.
func (s *Store) FigureFiles(ctx context.Context, workspace, conversation uuid.UUID) (files []FigureFile, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		files, err = q.FigureFiles(ctx, conversation)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the files of figures: %w", err)
	}
	return files, nil
}

func addFigures(ctx context.Context, q *db.Queries, workspace, conversation uuid.UUID, files []NewDocument) error {
	for _, f := range files {
		id, err := addDocument(ctx, q, workspace, conversation, f)
		if err != nil {
			return err
		}
		if err := q.AddFigureFile(ctx, db.AddFigureFileParams{DocumentID: id, WorkspaceID: workspace}); err != nil {
			return err
		}
		if f.Type == "" {
			continue
		}
		err = q.HandInRequiredDocument(ctx,
			db.HandInRequiredDocumentParams{DocumentID: &id, ConversationID: conversation, Type: OneLine(f.Type)})
		if err != nil {
			return err
		}
	}
	return nil
}

// DropFigureFile removes a file. ErrNotFound: the conversation has no such file; ErrTurnOpen: the conversation's last
// turn has not ended.
func (s *Store) DropFigureFile(ctx context.Context, workspace, conversation, file uuid.UUID) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		if _, err := q.LockConversation(ctx, conversation); err != nil {
			return err
		}
		last, err := optional(q.LatestTurn(ctx, conversation))
		if err != nil {
			return err
		}
		if last != nil && (last.State == "queued" || last.State == "running") {
			return ErrTurnOpen
		}
		dropped, err := q.DropFigureFile(ctx, db.DropFigureFileParams{ID: file, ConversationID: conversation})
		if err == nil && dropped == 0 {
			err = ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("remove a file of figures: %w", err)
	}
	return nil
}

// NoteFigureFile stores what was read from a file, or why it was refused.
func (s *Store) NoteFigureFile(ctx context.Context, ref Ref, file uuid.UUID, read, refused json.RawMessage) error {
	return s.asRun(ctx, ref, "note what was read of a file of figures", func(q *db.Queries, _ Turn) error {
		return q.NoteFigureFile(ctx, db.NoteFigureFileParams{DocumentID: file, Read: cleanOrNil(read),
			Problem: cleanOrNil(refused)})
	})
}

func cleanOrNil(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return nil
	}
	return cleanJSON(raw)
}

// FigureClasses returns the classes that people chose for documents of a conversation, by record.
func (s *Store) FigureClasses(ctx context.Context, workspace, conversation uuid.UUID) (map[string]string, error) {
	classes := map[string]string{}
	err := s.look(ctx, workspace, func(q *db.Queries) error {
		rows, err := q.FigureClasses(ctx, conversation)
		for _, r := range rows {
			classes[r.Record] = r.Class
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the classes that a person gave: %w", err)
	}
	return classes, nil
}

// FigureColumns returns the columns that a person chose for a client's registers, as JSON by table shape.
func (s *Store) FigureColumns(ctx context.Context, workspace uuid.UUID,
	gstin string) (map[string]json.RawMessage, error) {
	chosen := map[string]json.RawMessage{}
	err := s.look(ctx, workspace, func(q *db.Queries) error {
		rows, err := q.FigureColumns(ctx, db.FigureColumnsParams{WorkspaceID: workspace, Gstin: gstin})
		for _, r := range rows {
			chosen[r.Shape] = r.Columns
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the columns of a client's registers: %w", err)
	}
	return chosen, nil
}

// PutFigureColumns stores the columns of a client's registers of one table shape; nil deletes them.
func (s *Store) PutFigureColumns(ctx context.Context, workspace uuid.UUID, gstin, shape string,
	columns json.RawMessage) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		if columns == nil {
			return q.DropFigureColumns(ctx,
				db.DropFigureColumnsParams{WorkspaceID: workspace, Gstin: gstin, Shape: shape})
		}
		return q.PutFigureColumns(ctx, db.PutFigureColumnsParams{WorkspaceID: workspace, Gstin: gstin, Shape: shape,
			Columns: columns})
	})
	if err != nil {
		return fmt.Errorf("remember the columns of a client's registers: %w", err)
	}
	return nil
}

// SaveReconciliation stores the result with a hash of its inputs, replacing the earlier one; a nil result deletes it.
func (s *Store) SaveReconciliation(ctx context.Context, ref Ref, inputs string, result json.RawMessage,
	entries []FigureEntry) error {
	return s.asRun(ctx, ref, "keep a reconciliation", func(q *db.Queries, _ Turn) error {
		if err := q.ClearFigureEntries(ctx, ref.Conversation); err != nil {
			return err
		}
		if result == nil {
			if err := q.DropReconciliation(ctx, ref.Conversation); err != nil {
				return err
			}
			return q.Notify(ctx, ref.Conversation)
		}
		for len(entries) > 0 {
			some := entries[:min(entriesAtOnce, len(entries))]
			entries = entries[len(some):]
			raw, err := json.Marshal(some)
			if err != nil {
				return fmt.Errorf("encode documents: %w", err)
			}
			if err := q.AddFigureEntries(ctx,
				db.AddFigureEntriesParams{ConversationID: ref.Conversation, WorkspaceID: ref.Workspace,
					Entries: cleanJSON(raw)}); err != nil {
				return err
			}
		}
		err := q.PutReconciliation(ctx,
			db.PutReconciliationParams{ConversationID: ref.Conversation, WorkspaceID: ref.Workspace, Inputs: inputs,
				Result: cleanJSON(result)})
		if err != nil {
			return err
		}
		return q.Notify(ctx, ref.Conversation)
	})
}

// Reconciliation reads the result of comparing a conversation's files. ErrNotFound: nothing has been compared yet.
func (s *Store) Reconciliation(ctx context.Context, workspace, conversation uuid.UUID) (r Reconciliation, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		r, err = q.Reconciliation(ctx, conversation)
		return err
	})
	if err != nil {
		return r, fmt.Errorf("read the reconciliation: %w", err)
	}
	return r, nil
}

// FigureQuery selects documents of a reconciliation.
type FigureQuery struct {
	What   string // the comparison
	Class  string // "" for all, "open" for those whose sides do not agree
	Sort   string // "" for month and supplier; or amount, supplier, date
	Search string // in the supplier's GSTIN and name, and the number
	Skip   int
	Most   int
}

// FigureEntries returns one page of a reconciliation's entries, and how many match in all.
func (s *Store) FigureEntries(ctx context.Context, workspace, conversation uuid.UUID,
	by FigureQuery) (entries []FigureEntry, total int, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		rows, err := q.FigureEntries(ctx,
			db.FigureEntriesParams{ConversationID: conversation, What: by.What, Class: by.Class,
				Search: containing(by.Search), Sort: by.Sort, Most: int32(by.Most), Skip: int32(by.Skip)})
		for _, r := range rows {
			entries = append(entries, FigureEntry{Position: int(r.Position), What: r.What, Record: r.Record,
				Class: r.Class, Own: r.Own, Entry: r.Entry})
			total = int(r.Total)
		}
		return err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list the documents of the reconciliation: %w", err)
	}
	return entries, total, nil
}

// AllFigureEntries returns every entry of a reconciliation.
func (s *Store) AllFigureEntries(ctx context.Context,
	workspace, conversation uuid.UUID) (entries []FigureEntry, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		entries, err = allFigureEntries(ctx, q, conversation)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the documents of the reconciliation: %w", err)
	}
	return entries, nil
}

func allFigureEntries(ctx context.Context, q *db.Queries, conversation uuid.UUID) ([]FigureEntry, error) {
	rows, err := q.AllFigureEntries(ctx, conversation)
	entries := make([]FigureEntry, len(rows))
	for i, r := range rows {
		entries[i] = FigureEntry{
			Position: i,
			What:     r.What,
			Record:   r.Record,
			Class:    r.Class,
			Own:      r.Own,
			Entry:    r.Entry,
		}
	}
	return entries, err
}

// ErrNoRecord means that a reconciliation has no entry for this record.
var ErrNoRecord = errors.New("the reconciliation has no such document")

// ClassFigure stores the class that a person chose for an entry; later comparisons keep it. again recomputes the
// result from the current entries. ErrNotFound: nothing has been compared; ErrNoRecord: no such entry; ErrTurnOpen:
// the files are being compared.
func (s *Store) ClassFigure(ctx context.Context, workspace, conversation uuid.UUID, record, class string,
	again func(result json.RawMessage, entries []FigureEntry) (json.RawMessage, error)) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		if _, err := q.LockConversation(ctx, conversation); err != nil {
			return err
		}
		last, err := optional(q.LatestTurn(ctx, conversation))
		if err != nil {
			return err
		}
		if last != nil && last.Kind == FiguresTurn && (last.State == "queued" || last.State == "running") {
			return ErrTurnOpen
		}
		kept, err := q.Reconciliation(ctx, conversation)
		if err != nil {
			return err
		}
		changed, err := q.ClassFigureEntry(ctx,
			db.ClassFigureEntryParams{ConversationID: conversation, Record: record, Class: class, Own: true})
		switch {
		case err != nil:
			return err
		case changed == 0:
			return ErrNoRecord
		}
		if err := q.PutFigureClass(ctx,
			db.PutFigureClassParams{ConversationID: conversation, Record: record, WorkspaceID: workspace,
				Class: class}); err != nil {
			return err
		}
		entries, err := allFigureEntries(ctx, q, conversation)
		if err != nil {
			return err
		}
		result, err := again(kept.Result, entries)
		if err != nil {
			return err
		}
		err = q.PutReconciliation(ctx, db.PutReconciliationParams{ConversationID: conversation, WorkspaceID: workspace,
			Inputs: kept.Inputs, Result: cleanJSON(result)})
		if err != nil {
			return err
		}
		return q.Notify(ctx, conversation)
	})
	if err != nil {
		return fmt.Errorf("give a document another class: %w", err)
	}
	return nil
}

// FiguresTurn is the kind of turn that compares files of figures.
const FiguresTurn = "figures"
