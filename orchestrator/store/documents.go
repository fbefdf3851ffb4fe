package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
	"munshi/orchestrator/turns"
)

const chunkSize = 1 << 20

// chunkWriter stores a document's bytes in chunks of 1 MiB, so that no statement and no reader holds the whole file.
type chunkWriter struct {
	ctx       context.Context
	q         *db.Queries
	workspace uuid.UUID
	blob      uuid.UUID
	sum       hash.Hash
	size      int64
}

func (w *chunkWriter) copy(r io.Reader) error {
	buf := make([]byte, chunkSize)
	for n := int32(0); ; n++ {
		got, err := io.ReadFull(r, buf)
		if got > 0 {
			w.sum.Write(buf[:got])
			w.size += int64(got)
			if err := w.q.AddBlobChunk(w.ctx,
				db.AddBlobChunkParams{BlobID: w.blob, N: n, WorkspaceID: w.workspace, Data: buf[:got]}); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the upload: %w", err)
		}
	}
}

// Document returns a document's row. ErrNotFound: it does not belong to this workspace.
func (s *Store) Document(ctx context.Context, workspace, id uuid.UUID) (Document, error) {
	var d Document
	err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
		d, err = q.Document(ctx, id)
		return err
	})
	if err != nil {
		return Document{}, fmt.Errorf("read the document: %w", err)
	}
	return d, nil
}

// WriteDocument writes a document's bytes to w.
func (s *Store) WriteDocument(ctx context.Context, workspace uuid.UUID, d Document, w io.Writer) error {
	for n := int32(0); int64(n)*chunkSize < d.Bytes; n++ {
		var data []byte
		err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
			data, err = q.BlobChunk(ctx, db.BlobChunkParams{BlobID: d.ID, N: n})
			return err
		})
		if err != nil {
			return fmt.Errorf("read chunk %d of the document: %w", n, err)
		}
		if _, err := w.Write(data); err != nil {
			return fmt.Errorf("pass the document on: %w", err)
		}
	}
	return nil
}

// Pages returns the pages read from a document, in order.
func (s *Store) Pages(ctx context.Context, workspace, document uuid.UUID) ([]turns.Page, error) {
	var list []turns.Page
	err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
		list, err = pages(ctx, q, document)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	return list, nil
}

func pages(ctx context.Context, q *db.Queries, document uuid.UUID) ([]turns.Page, error) {
	rows, err := q.Pages(ctx, document)
	list := make([]turns.Page, len(rows))
	for i, r := range rows {
		list[i] = turns.Page{
			Number:     int(r.Number),
			Text:       r.Text,
			Method:     r.Method,
			Confidence: r.Confidence,
			Languages:  r.Languages,
			Width:      r.Width,
			Height:     r.Height,
		}
	}
	return list, err
}

// PageSizes returns the pages read from a document, in order, without their texts.
func (s *Store) PageSizes(ctx context.Context, workspace, document uuid.UUID) ([]turns.Page, error) {
	var list []turns.Page
	err := s.look(ctx, workspace, func(q *db.Queries) error {
		rows, err := q.PageSizes(ctx, document)
		list = make([]turns.Page, len(rows))
		for i, r := range rows {
			list[i] = turns.Page{Number: int(r.Number), Method: r.Method, Width: r.Width, Height: r.Height}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the pages' sizes: %w", err)
	}
	return list, nil
}

// PageWithWords returns one page with the positions of its words. ErrNotFound: it has not been read, or does not
// belong to this workspace.
func (s *Store) PageWithWords(ctx context.Context, workspace, document uuid.UUID, number int) (turns.Page, error) {
	var p turns.Page
	err := s.look(ctx, workspace, func(q *db.Queries) error {
		r, err := q.PageWithWords(ctx, db.PageWithWordsParams{DocumentID: document, Number: int32(number)})
		p = turns.Page{Number: int(r.Number), Text: r.Text, Method: r.Method, Confidence: r.Confidence,
			Languages: r.Languages, Width: r.Width, Height: r.Height, Words: r.Words}
		return err
	})
	if err != nil {
		return turns.Page{}, fmt.Errorf("read the page: %w", err)
	}
	return p, nil
}

// Reading reports how far a document has been read.
type Reading struct {
	Missing   []int // numbers of the pages not read yet
	WithWords int   // pages read so far that have words
}

// Reading returns how far a document has been read.
func (s *Store) Reading(ctx context.Context, workspace, document uuid.UUID) (Reading, error) {
	var r Reading
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		missing, err := q.MissingPages(ctx, document)
		if err != nil {
			return err
		}
		for _, n := range missing {
			r.Missing = append(r.Missing, int(n))
		}
		withWords, err := q.PagesWithWords(ctx, document)
		r.WithWords = int(withWords)
		return err
	})
	if err != nil {
		return Reading{}, fmt.Errorf("look how far the document was read: %w", err)
	}
	return r, nil
}

// NewDocument is an uploaded PDF.
type NewDocument struct {
	Name    string
	Type    string // the type that the person chose; empty for a notice
	Pages   int
	Damaged bool
	Content io.Reader
}

func addDocument(ctx context.Context, q *db.Queries, workspace, conversation uuid.UUID,
	n NewDocument) (uuid.UUID, error) {
	id := newID()
	w := &chunkWriter{ctx: ctx, q: q, workspace: workspace, blob: id, sum: sha256.New()}
	if err := w.copy(n.Content); err != nil {
		return uuid.Nil, err
	}
	return id, q.AddDocument(ctx, db.AddDocumentParams{
		ID: id, WorkspaceID: workspace, ConversationID: conversation, Name: OneLine(n.Name), Type: OneLine(n.Type),
		Bytes: w.size, Sha256: w.sum.Sum(nil), Pages: int32(n.Pages), Damaged: n.Damaged,
	})
}
