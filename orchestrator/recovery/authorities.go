package recovery

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// How many pages of authorities are read in one round: pages with a text layer take a millisecond each, text
// recognition half a second.
const (
	pagesInRound      = 400
	recognisedInRound = 4
	pagesAtOnce       = 4
)

// AuthorityReader reads the PDFs of authorities that people supplied, some pages in each round.
type AuthorityReader struct {
	Store  *store.Store
	Reader workflows.Reader // nil: nothing is read
	Log    *slog.Logger
}

// round counts what was read in one round.
type round struct{ pages, recognised int }

func (r round) over() bool { return r.pages >= pagesInRound || r.recognised >= recognisedInRound }

// Read reads some pages that have not been read yet. A PDF that cannot be read is logged and skipped for good. If one
// fails for another reason, the others are read, and it is tried again in the next round.
func (a AuthorityReader) Read(ctx context.Context) error {
	if a.Reader == nil {
		return nil
	}
	unread, err := a.Store.UnreadAuthorities(ctx)
	if err != nil {
		return err
	}
	var done round
	errs := make([]error, len(unread))
	for i, u := range unread {
		left, err := a.read(ctx, u, &done)
		if err == nil && !left {
			err = a.Store.AuthorityRead(ctx, u)
		}
		errs[i] = err
	}
	return errors.Join(errs...)
}

// read reads pages of a PDF, and reports whether there are more to read.
func (a AuthorityReader) read(ctx context.Context, u store.UnreadAuthority, done *round) (left bool, err error) {
	reading, err := a.Store.Reading(ctx, u.Workspace, u.Document)
	if err != nil {
		return false, fmt.Errorf("see what of an authority was read: %w", err)
	}
	missing := reading.Missing
	if len(missing) == 0 || done.over() {
		return len(missing) > 0, nil
	}
	path, remove, err := a.fetch(ctx, u)
	if err != nil {
		return false, err
	}
	defer remove()
	for len(missing) > 0 && !done.over() {
		batch := missing[:min(pagesAtOnce, len(missing))]
		err := a.Reader.Read(ctx, path, batch, func(p turns.Page) error {
			if done.pages++; p.Recognised() {
				done.recognised++
			}
			return a.Store.SaveAuthorityPage(ctx, u, p)
		})
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err != nil {
			a.Log.WarnContext(ctx, "the PDF of an authority cannot be read to its end", "document", u.Document, "error",
				err)
			return false, nil
		}
		missing = missing[len(batch):]
	}
	return len(missing) > 0, nil
}

// fetch copies a document to a file that the reader's child process can open.
func (a AuthorityReader) fetch(ctx context.Context, u store.UnreadAuthority) (path string, remove func(), err error) {
	doc, err := a.Store.Document(ctx, u.Workspace, u.Document)
	if err != nil {
		return "", nil, err
	}
	f, err := os.CreateTemp("", "munshi-*.pdf")
	if err != nil {
		return "", nil, fmt.Errorf("make a temporary file for an authority: %w", err)
	}
	remove = func() { os.Remove(f.Name()) }
	err = a.Store.WriteDocument(ctx, u.Workspace, doc, f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		remove()
		return "", nil, fmt.Errorf("copy an authority: %w", err)
	}
	return f.Name(), remove, nil
}
