package activities

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/store"
)

// Reconciled reads the result of a conversation's comparison of figures, without its documents; nil if nothing was
// compared.
func Reconciled(ctx context.Context, s *store.Store,
	workspace, conversation uuid.UUID) (*figures.Compared, time.Time, error) {
	kept, err := s.Reconciliation(ctx, workspace, conversation)
	if errors.Is(err, store.ErrNotFound) {
		return nil, time.Time{}, nil
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	var c figures.Compared
	if err := json.Unmarshal(kept.Result, &c); err != nil {
		return nil, time.Time{}, fmt.Errorf("decode a reconciliation: %w", err)
	}
	return &c, kept.ComputedAt, nil
}

// ReadFigures returns what was read of the files of figures of a conversation, without their rows.
func ReadFigures(ctx context.Context, s *store.Store, workspace, conversation uuid.UUID) ([]figures.File, error) {
	kept, err := s.FigureFiles(ctx, workspace, conversation)
	if err != nil {
		return nil, err
	}
	var files []figures.File
	for _, file := range kept {
		if file.Read == nil {
			continue
		}
		var f figures.File
		if err := json.Unmarshal(file.Read, &f); err != nil {
			return nil, fmt.Errorf("decode what was read of a file: %w", err)
		}
		files = append(files, f)
	}
	return files, nil
}

// WithFigures adds the results of the files that were handed in for a notice to its facts.
func WithFigures(ctx context.Context, s *store.Store, t *law.Tables, workspace, conversation uuid.UUID,
	f gst.Facts, today law.Day) (gst.Facts, error) {
	compared, _, err := Reconciled(ctx, s, workspace, conversation)
	if err != nil || compared == nil {
		return f, err
	}
	files, err := ReadFigures(ctx, s, workspace, conversation)
	if err != nil {
		return f, err
	}
	f.Reconciled = compared.Facts(t, f, figures.AsFacts(files), today)
	return f, nil
}
