package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store/db"
)

// Bundle is a snapshot of a plugin's folder: file names and their bytes, identified by the hash of both.
type Bundle struct {
	SHA    string
	Plugin string
	Files  map[string][]byte
}

// ErrAmbiguous means that several ids begin with the given text.
var ErrAmbiguous = errors.New("not one alone")

// Events in the history of a plugin's prompts.
const (
	PromptServed     = "served"      // saved, and used from then on
	PromptSame       = "same"        // valid, but identical to a known version: nothing changes
	PromptHeld       = "held"        // valid, but not used before the gate has tested it
	PromptBroken     = "broken"      // has mistakes: the previous version is still used
	PromptRolledBack = "rolled_back" // a person restored an earlier version
	PromptWithdrawn  = "withdrawn"   // a person removed the plugin
	PromptPublished  = "published"   // passed the gate's test, and used from then on
	PromptOverridden = "overridden"  // published by a person although the gate held it back
)

// PromptEvent is one line of the history of a plugin's prompts.
type PromptEvent struct {
	Plugin   string
	SHA      string
	Event    string
	Problems json.RawMessage // for a broken version: its mistakes, as reported
	Commit   string          // "" if the folder is no git checkout, or has uncommitted changes
	Author   string
	Reason   string // why a person published what the gate held back
	At       time.Time
}

// FolderReport is what a process found in a plugin's folder.
type FolderReport struct {
	Plugin         string
	Place          string            // identifies the prompts folder: host and path
	SHA            string            // of the folder's present content
	Files          map[string][]byte // the files; nil if they are broken
	Problems       any               // the mistakes, if the files are broken
	Held           bool              // store it, but do not use it yet
	Commit, Author string
}

// Report records what a process found in a plugin's folder, and puts new content to use. It returns the event:
// PromptSame if nothing changed, "" if the folder has an older copy.
//
// Several processes may watch the same folder or copies of different age, and none of them may undo a rollback. So
// content is put to use only when it changes: when no process has seen it without mistakes before, or when a folder
// that held the newest content returns to it (even while its process was not running). Known content that turns up in
// another place, such as a new container of an old image or a slow mount, changes nothing.
func (s *Store) Report(ctx context.Context, r FolderReport) (event string, err error) {
	files, err := json.Marshal(r.Files)
	if err != nil {
		return "", fmt.Errorf("encode the prompts of %s: %w", r.Plugin, err)
	}
	problems := json.RawMessage("[]")
	if r.Files == nil {
		if problems, err = json.Marshal(r.Problems); err != nil {
			return "", fmt.Errorf("encode the problems of %s: %w", r.Plugin, err)
		}
	}
	err = s.system(ctx, func(q *db.Queries) error {
		event = ""
		if err := q.LockPlugin(ctx, r.Plugin); err != nil {
			return err
		}
		states, err := q.FolderStates(ctx, r.Plugin)
		if err != nil {
			return err
		}
		before, err := q.PlaceHeld(ctx, db.PlaceHeldParams{Place: r.Place, Plugin: r.Plugin})
		if err != nil {
			return err
		}
		err = errors.Join(q.PlaceHolds(ctx, db.PlaceHoldsParams{Place: r.Place, Plugin: r.Plugin, Sha: r.SHA}),
			q.ForgetPlaces(ctx))
		if err != nil {
			return err
		}
		var newest db.PromptHistory
		if len(states) > 0 {
			newest = states[0]
		}
		content, err := q.KnownContent(ctx, db.KnownContentParams{Plugin: r.Plugin, Sha: r.SHA})
		if err != nil {
			return err
		}
		here, broken := newest.Sha == r.SHA, r.Files == nil
		wentBack := !here && newest.Sha == before
		switch {
		case content.Known && !here && !wentBack:
			return nil // an older copy
		case broken && here && newest.Event == PromptBroken, !broken && here && newest.Event != PromptBroken:
			event = PromptSame // not new: this process or another one has reported it
			return nil
		case broken:
			event = PromptBroken
		case r.Held && !content.Served: // content that was in use before needs no test
			event = PromptHeld
		case wentBack || !content.Served:
			event = PromptServed
		default:
			event = PromptSame
		}
		if !broken {
			if err := q.PutBundle(ctx, db.PutBundleParams{Sha: r.SHA, Plugin: r.Plugin, Files: files}); err != nil {
				return err
			}
		}
		if event == PromptHeld { // the tester of held prompts waits for this notification
			if err := q.Notify(ctx, Nobody); err != nil {
				return err
			}
		}
		if event == PromptServed {
			n, err := q.Serve(ctx, db.ServeParams{Plugin: r.Plugin, Sha: r.SHA})
			if err != nil {
				return err
			}
			if n == 0 {
				event = PromptSame // it is in use already, as when a rollback was also written to the folder
			}
		}
		return q.AddPromptEvent(ctx, db.AddPromptEventParams{Plugin: r.Plugin, Sha: r.SHA, Event: event,
			Problems: problems, CommitID: r.Commit, Author: r.Author})
	})
	if err != nil {
		return "", fmt.Errorf("note the prompts of %s: %w", r.Plugin, err)
	}
	return event, nil
}

// Publication is a request to put prompts to use that the gate held back.
type Publication struct {
	Plugin, SHA    string
	Gate           bool   // the prompts passed the gate's test; otherwise a person decided
	Author, Reason string // the person who decided, and why
}

// Publish puts prompts to use that the gate held back. ErrNotFound: the plugin has no such prompts, or, if the gate
// publishes, its folder has changed since.
func (s *Store) Publish(ctx context.Context, p Publication) error {
	event := PromptOverridden
	if p.Gate {
		event = PromptPublished
	}
	err := s.system(ctx, func(q *db.Queries) error {
		if err := q.LockPlugin(ctx, p.Plugin); err != nil {
			return err
		}
		if b, err := q.Bundle(ctx, p.SHA); err != nil || b.Plugin != p.Plugin {
			return errors.Join(err, pgx.ErrNoRows)
		}
		if p.Gate {
			states, err := q.FolderStates(ctx, p.Plugin)
			if err != nil {
				return err
			}
			if len(states) == 0 || states[0].Sha != p.SHA {
				return pgx.ErrNoRows
			}
		}
		if n, err := q.Serve(ctx, db.ServeParams{Plugin: p.Plugin, Sha: p.SHA}); err != nil || n == 0 {
			return err
		}
		return q.AddPromptEvent(ctx, db.AddPromptEventParams{Plugin: p.Plugin, Sha: p.SHA, Event: event,
			Problems: json.RawMessage("[]"), Author: p.Author, Reason: p.Reason})
	})
	if err != nil {
		return fmt.Errorf("publish the prompts of %s: %w", p.Plugin, err)
	}
	return nil
}

// KeepBundle stores a plugin's prompts without putting them to use, so that a turn can be pinned to them.
func (s *Store) KeepBundle(ctx context.Context, b Bundle) error {
	files, err := json.Marshal(b.Files)
	if err != nil {
		return fmt.Errorf("encode the prompts of %s: %w", b.Plugin, err)
	}
	err = s.system(ctx, func(q *db.Queries) error {
		return q.PutBundle(ctx, db.PutBundleParams{Sha: b.SHA, Plugin: b.Plugin, Files: files})
	})
	if err != nil {
		return fmt.Errorf("keep the prompts of %s: %w", b.Plugin, err)
	}
	return nil
}

// Rollback puts an earlier bundle of a plugin to use again. ErrNotFound: it has no such bundle.
func (s *Store) Rollback(ctx context.Context, plugin, sha, author string) error {
	err := s.system(ctx, func(q *db.Queries) error {
		if err := q.LockPlugin(ctx, plugin); err != nil {
			return err
		}
		if b, err := q.Bundle(ctx, sha); err != nil || b.Plugin != plugin {
			return errors.Join(err, pgx.ErrNoRows)
		}
		if n, err := q.Serve(ctx, db.ServeParams{Plugin: plugin, Sha: sha}); err != nil || n == 0 {
			return err
		}
		return q.AddPromptEvent(ctx, db.AddPromptEventParams{Plugin: plugin, Sha: sha, Event: PromptRolledBack,
			Problems: json.RawMessage("[]"), Author: author})
	})
	if err != nil {
		return fmt.Errorf("roll %s back: %w", plugin, err)
	}
	return nil
}

// Withdraw removes a plugin: it is no longer offered, until its folder returns. Running turns keep their bundle.
// ErrNotFound: there is no such plugin.
func (s *Store) Withdraw(ctx context.Context, plugin, author string) error {
	err := s.system(ctx, func(q *db.Queries) error {
		if err := q.LockPlugin(ctx, plugin); err != nil {
			return err
		}
		return withdraw(ctx, q, plugin, author)
	})
	if err != nil {
		return fmt.Errorf("withdraw %s: %w", plugin, err)
	}
	return nil
}

func withdraw(ctx context.Context, q *db.Queries, plugin, author string) error {
	states, err := q.FolderStates(ctx, plugin)
	if err != nil {
		return err
	}
	if len(states) == 0 || states[0].Event == PromptWithdrawn {
		return pgx.ErrNoRows
	}
	if _, err := q.Withdraw(ctx, plugin); err != nil {
		return err
	}
	if err := q.ForgetPlugin(ctx, plugin); err != nil {
		return err
	}
	return q.AddPromptEvent(ctx, db.AddPromptEventParams{Plugin: plugin, Event: PromptWithdrawn,
		Problems: json.RawMessage("[]"), Author: author})
}

// ForgetUnserved removes plugins that are not in use and whose folders are gone from place, such as a folder with a
// misspelt name. A plugin in use stays, since its folder may only be unmounted for a moment.
func (s *Store) ForgetUnserved(ctx context.Context, place string, present []string) error {
	err := s.system(ctx, func(q *db.Queries) error {
		gone, err := q.ForgetUnserved(ctx, db.ForgetUnservedParams{Place: place, Present: present})
		if err != nil {
			return err
		}
		for _, plugin := range gone {
			if err := q.LockPlugin(ctx, plugin); err != nil {
				return err
			}
			held, err := q.HeldAnywhere(ctx, plugin)
			if err == nil && !held {
				err = withdraw(ctx, q, plugin, "")
			}
			if err != nil && !errors.Is(err, pgx.ErrNoRows) {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("forget the prompts whose folders are gone: %w", err)
	}
	return nil
}

// Bundle returns a bundle by its sha. ErrNotFound: no such sha.
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

// BundleLike returns the only bundle whose hash begins with the given text. ErrNotFound: there is none; ErrAmbiguous:
// there are several.
func (s *Store) BundleLike(ctx context.Context, prefix string) (Bundle, error) {
	var shas []string
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		shas, err = q.BundlesLike(ctx, prefix)
		return err
	})
	switch {
	case err != nil:
		return Bundle{}, fmt.Errorf("look for the prompts %s: %w", prefix, err)
	case len(shas) == 0:
		return Bundle{}, fmt.Errorf("look for the prompts %s: %w", prefix, ErrNotFound)
	case len(shas) > 1:
		return Bundle{}, fmt.Errorf("look for the prompts %s: %w", prefix, ErrAmbiguous)
	}
	return s.Bundle(ctx, shas[0])
}

// ServingPlugin says which bundle of a plugin is in use, and since when.
type ServingPlugin struct {
	Plugin, SHA string
	Since       time.Time
}

// Serving returns the hash of the bundle in use, by plugin.
func (s *Store) Serving(ctx context.Context) (map[string]string, error) {
	shas := map[string]string{}
	serving, err := s.ServingSince(ctx)
	for _, r := range serving {
		shas[r.Plugin] = r.SHA
	}
	return shas, err
}

// ServingSince returns the bundle in use for each plugin, sorted by plugin.
func (s *Store) ServingSince(ctx context.Context) ([]ServingPlugin, error) {
	var serving []ServingPlugin
	err := s.systemLook(ctx, func(q *db.Queries) error {
		rows, err := q.Serving(ctx)
		for _, r := range rows {
			serving = append(serving, ServingPlugin{r.Plugin, r.Sha, r.Since})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read which prompts serve: %w", err)
	}
	return serving, nil
}

// PromptStatus is the state of a plugin's prompts.
type PromptStatus struct {
	Plugin  string
	Serving *ServingPlugin // nil if no bundle is in use
	Folder  PromptEvent    // the latest event about its folder
}

// PromptStatus returns the state of the prompts of every plugin that has not been withdrawn, sorted by plugin.
func (s *Store) PromptStatus(ctx context.Context) ([]PromptStatus, error) {
	serving, err := s.ServingSince(ctx)
	if err != nil {
		return nil, err
	}
	folders, err := s.promptEvents(ctx, func(q *db.Queries) ([]db.PromptHistory, error) {
		return q.FolderStates(ctx, "")
	})
	if err != nil {
		return nil, err
	}
	var status []PromptStatus
	for _, f := range folders { // includes every plugin in use, since its bundle came from a folder
		p := PromptStatus{Plugin: f.Plugin, Folder: f}
		if at := slices.IndexFunc(serving, func(now ServingPlugin) bool { return now.Plugin == f.Plugin }); at >= 0 {
			p.Serving = &serving[at]
		}
		if p.Serving != nil || f.Event != PromptWithdrawn {
			status = append(status, p)
		}
	}
	return status, nil
}

// PromptHistory returns the latest events of a plugin, or of all plugins if it is "", newest first.
func (s *Store) PromptHistory(ctx context.Context, plugin string, most int) ([]PromptEvent, error) {
	return s.promptEvents(ctx, func(q *db.Queries) ([]db.PromptHistory, error) {
		return q.PromptHistory(ctx, db.PromptHistoryParams{Plugin: plugin, Most: int32(most)})
	})
}

func (s *Store) promptEvents(ctx context.Context,
	read func(*db.Queries) ([]db.PromptHistory, error)) ([]PromptEvent, error) {
	var events []PromptEvent
	err := s.systemLook(ctx, func(q *db.Queries) error {
		rows, err := read(q)
		for _, r := range rows {
			events = append(events, PromptEvent{Plugin: r.Plugin, SHA: r.Sha, Event: r.Event, Problems: r.Problems,
				Commit: r.CommitID, Author: r.Author, Reason: r.Reason, At: r.At})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the history of the prompts: %w", err)
	}
	return events, nil
}

func bundle(sha, plugin string, files json.RawMessage) (Bundle, error) {
	b := Bundle{SHA: sha, Plugin: plugin}
	if err := json.Unmarshal(files, &b.Files); err != nil {
		return Bundle{}, fmt.Errorf("decode the prompts %s: %w", sha, err)
	}
	return b, nil
}
