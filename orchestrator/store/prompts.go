package store

import (
	"context"
	"encoding/json"
	"fmt"

	"munshi/orchestrator/store/db"
)

// Bundle is a plugin's folder as it stood: file names and their bytes, known by the sha of both.
type Bundle struct {
	SHA    string
	Plugin string
	Files  map[string][]byte
}

// Serve keeps the bundle for ever and makes it the one that serves its plugin.
func (s *Store) Serve(ctx context.Context, b Bundle) error {
	files, err := json.Marshal(b.Files)
	if err != nil {
		return fmt.Errorf("encode the prompts of %s: %w", b.Plugin, err)
	}
	err = s.system(ctx, func(q *db.Queries) error {
		if err := q.PutBundle(ctx, db.PutBundleParams{Sha: b.SHA, Plugin: b.Plugin, Files: files}); err != nil {
			return err
		}
		return q.Serve(ctx, db.ServeParams{Plugin: b.Plugin, Sha: b.SHA})
	})
	if err != nil {
		return fmt.Errorf("serve the prompts of %s: %w", b.Plugin, err)
	}
	return nil
}

// Bundle gives a bundle that served once. ErrNotFound: no such sha.
func (s *Store) Bundle(ctx context.Context, sha string) (Bundle, error) {
	var row db.Bundle
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		row, err = q.Bundle(ctx, sha)
		return err
	})
	if err != nil {
		return Bundle{}, fmt.Errorf("read the prompts %s: %w", sha, err)
	}
	return bundle(row.Sha, row.Plugin, row.Files)
}

// Serving gives the sha that serves each plugin.
func (s *Store) Serving(ctx context.Context) (map[string]string, error) {
	shas := map[string]string{}
	err := s.systemLook(ctx, func(q *db.Queries) error {
		rows, err := q.Serving(ctx)
		for _, r := range rows {
			shas[r.Plugin] = r.Sha
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read which prompts serve: %w", err)
	}
	return shas, nil
}

func bundle(sha, plugin string, files json.RawMessage) (Bundle, error) {
	b := Bundle{SHA: sha, Plugin: plugin}
	if err := json.Unmarshal(files, &b.Files); err != nil {
		return Bundle{}, fmt.Errorf("decode the prompts %s: %w", sha, err)
	}
	return b, nil
}
