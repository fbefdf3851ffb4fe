package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"munshi/orchestrator/store/db"
)

// Names for the generated row types.
type (
	DraftLine    = db.DraftsRow
	VersionLine  = db.VersionsRow
	DraftVersion = db.DraftVersion
	WrittenDraft = db.DraftsOfConversationRow // a draft written by a turn
	Review       = db.ReviewsRow
)

// Who wrote the words of a part.
const (
	ByProgram = "program" // assembled from the facts; a model may rewrite it
	ByModel   = "model"
	ByPerson  = "person" // only the person changes them
)

// DraftPart is one part of a draft.
type DraftPart struct {
	ID       string `json:"id"`
	Title    string `json:"title,omitempty"` // the heading printed above it
	Point    string `json:"point,omitempty"` // the allegation that it answers
	Fixed    bool   `json:"fixed,omitempty"` // a model must not write it
	Text     string `json:"text"`            // Markdown
	By       string `json:"by"`
	Inputs   string `json:"inputs,omitempty"` // hash of the inputs when a model was asked for it
	Note     string `json:"note,omitempty"`   // what the person must know about how this part was written
	Revision int    `json:"revision"`         // number of times its text has changed
}

// Draft is a document that was written for a person.
type Draft struct {
	db.Draft
	Parts    []DraftPart
	Review   *DraftReview // the review in a firm; nil if it was never sent for review
	Reviewer bool         // the acting member is its reviewer

	was db.Draft // as read from the database
}

// ErrChanged means that someone else has changed the text since it was read.
var ErrChanged = errors.New("changed since it was read")

// sameHand is how long a person's saves go into one version, counted from the first of them; otherwise every autosave
// would make a version.
const sameHand = 10 * time.Minute

// maxDraft is the longest allowed draft, in bytes.
const maxDraft = 4 << 20

// ErrTooLong means that a draft would exceed maxDraft.
var ErrTooLong = errors.New("longer than it may be")

func draftOf(row db.Draft) (Draft, error) {
	d := Draft{Draft: row, was: row}
	if err := json.Unmarshal(row.Parts, &d.Parts); err != nil {
		return d, fmt.Errorf("decode the draft's parts: %w", err)
	}
	return d, nil
}

// DraftText returns the parts as one text in Markdown.
func DraftText(parts []DraftPart) string {
	text, _ := JoinParts(parts)
	return text
}

// JoinParts returns the parts as one Markdown text, and the byte offset at which the text of each part begins; -1 for
// a part without text.
func JoinParts(parts []DraftPart) (text string, at []int) {
	var b strings.Builder
	for _, p := range parts {
		if p.Text == "" {
			at = append(at, -1)
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		if p.Title != "" {
			b.WriteString("## " + p.Title + "\n\n")
		}
		at = append(at, b.Len())
		b.WriteString(p.Text)
	}
	return b.String(), at
}

// put stores the current state of a draft. ErrInReview: it is being reviewed.
func (d *Draft) put(ctx context.Context, q *db.Queries) error {
	if err := d.guard(ctx, q); err != nil {
		return err
	}
	for i := range d.Parts {
		d.Parts[i].Text = strings.TrimSpace(clean(d.Parts[i].Text))
	}
	raw, err := json.Marshal(d.Parts)
	if err != nil {
		return fmt.Errorf("encode the draft's parts: %w", err)
	}
	if len(raw) > maxDraft {
		return ErrTooLong
	}
	row, err := q.PutDraft(ctx, db.PutDraftParams{ID: d.ID, Title: d.Title, Parts: cleanJSON(raw),
		Text: clean(DraftText(d.Parts)), Version: d.Version})
	if err != nil {
		return err
	}
	d.Draft = row
	return putWords(ctx, q, row)
}

// putWords stores a draft's words in the search index.
func putWords(ctx context.Context, q *db.Queries, row db.Draft) error {
	return q.PutDraftWords(ctx, db.PutDraftWordsParams{DraftID: row.ID, WorkspaceID: row.WorkspaceID,
		// Hyphens become spaces here and in search queries, so DRC-06 is two words in both.
		Words: norm.NFC.String(strings.ReplaceAll(row.Title+" "+row.Text, "-", " "))})
}

// wordsQuery returns a full-text query that matches texts which contain, for every word of the search, that word or
// one that begins with it.
func wordsQuery(search string) string {
	var words []string
	for _, w := range searched(search) {
		words = append(words, w+":*")
	}
	return strings.Join(words, " & ")
}

// searched splits a search into words, normalised as in the index: lower case, and one encoding of letters with a
// nukta.
func searched(search string) []string {
	return strings.FieldsFunc(strings.ToLower(norm.NFC.String(clean(search))), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
}

// keep stores the current state as a version that can be restored. It overwrites the last version if that is by the
// same writer and recent; apart forces a new one.
func (d *Draft) keep(ctx context.Context, q *db.Queries, by string, turn *uuid.UUID, apart bool) error {
	last, err := optional(q.LatestVersion(ctx, d.ID))
	if err != nil {
		return err
	}
	var member *uuid.UUID
	if a, acts := ActingIn(ctx); acts && by == "person" {
		member = &a.Member
	}
	again := !apart && last != nil && last.MadeBy == by && same(last.MemberID, member) && !d.sealed(last.Version) &&
		(turn != nil && last.TurnID != nil && *last.TurnID == *turn ||
			turn == nil && last.TurnID == nil && time.Since(last.MadeAt) < sameHand)
	if last != nil {
		d.Version = last.Version
	}
	if !again {
		d.Version++
	}
	if err := d.put(ctx, q); err != nil {
		return err
	}
	err = q.KeepVersion(ctx, db.KeepVersionParams{DraftID: d.ID, Version: d.Version, WorkspaceID: d.WorkspaceID,
		Title: d.Title, Parts: d.Draft.Parts, MadeBy: by, TurnID: turn, MemberID: member})
	if err != nil || again || member == nil {
		return err
	}
	return d.moved(ctx, q, "draft_changed", "")
}

// NewDraft is a draft to be stored.
type NewDraft struct {
	Conversation *uuid.UUID
	Kind, Title  string
	Parts        []DraftPart
	Template     string // the template it starts from; "" for none
	Key          string // Idempotency-Key; "" means none
}

// AddDraft stores a new draft that a person requested. A second call with the same Key returns the draft of the first.
// ErrNotFound: no such conversation; ErrOtherContent: the Key was used with different content.
func (s *Store) AddDraft(ctx context.Context, workspace uuid.UUID, n NewDraft) (Draft, error) {
	d, err := s.addDraft(ctx, workspace, n)
	if violates(err, "drafts_idempotent") { // by a concurrent request with the same key
		d, err = s.addDraft(ctx, workspace, n)
	}
	return d, err
}

func (s *Store) addDraft(ctx context.Context, workspace uuid.UUID, n NewDraft) (Draft, error) {
	var d Draft
	err := s.within(ctx, workspace, func(q *db.Queries) (err error) {
		if n.Key != "" {
			before, err := optional(q.DraftByKey(ctx,
				db.DraftByKeyParams{WorkspaceID: workspace, IdempotencyKey: n.Key}))
			if err != nil {
				return err
			}
			if before != nil {
				if !same(before.Template, given(n.Template)) || !same(before.ConversationID, n.Conversation) {
					return ErrOtherContent
				}
				d, err = draftOf(*before)
				return err
			}
		}
		if n.Conversation != nil {
			if _, err = q.Conversation(ctx, *n.Conversation); err != nil {
				return err
			}
		}
		d, err = addDraft(ctx, q, workspace, n, nil)
		if err != nil {
			return err
		}
		return d.keep(ctx, q, "munshi", nil, false)
	})
	if err != nil {
		return Draft{}, fmt.Errorf("keep the draft: %w", err)
	}
	return d, nil
}

// same reports whether two optional values are equal.
func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// given returns the text as an optional value: nil if it is empty.
func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func addDraft(ctx context.Context, q *db.Queries, workspace uuid.UUID, n NewDraft, notice *uuid.UUID) (Draft, error) {
	parts := slices.Clone(n.Parts)
	for i := range parts {
		parts[i].Text = strings.TrimSpace(parts[i].Text)
	}
	raw, err := json.Marshal(append([]DraftPart{}, parts...))
	if err != nil {
		return Draft{}, fmt.Errorf("encode the draft's parts: %w", err)
	}
	row, err := q.AddDraft(ctx, db.AddDraftParams{ID: newID(), WorkspaceID: workspace, ConversationID: n.Conversation,
		NoticeID: notice, Kind: n.Kind, Title: short(n.Title, 200), Parts: cleanJSON(raw),
		Text: clean(DraftText(parts)), IdempotencyKey: given(n.Key), Template: given(n.Template)})
	if err == nil {
		err = putWords(ctx, q, row)
	}
	if err != nil {
		return Draft{}, err
	}
	return draftOf(row)
}

// Draft reads a draft. ErrNotFound: there is none in this workspace.
func (s *Store) Draft(ctx context.Context, workspace, id uuid.UUID) (Draft, error) {
	var d Draft
	err := s.reading(ctx, workspace, func(q *db.Queries) error {
		row, err := q.Draft(ctx, id)
		if err != nil {
			return err
		}
		if d, err = draftOf(row); err != nil {
			return err
		}
		return d.reviewed(ctx, q)
	})
	if err != nil {
		return Draft{}, fmt.Errorf("read the draft: %w", err)
	}
	return d, nil
}

// Drafts returns one page of the workspace's drafts, latest first. A search selects drafts that contain its words, or
// words that begin with them; "" selects all.
func (s *Store) Drafts(ctx context.Context, workspace uuid.UUID, search string, skip, most int) ([]DraftLine, error) {
	var list []DraftLine
	err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
		list, err = q.Drafts(ctx, db.DraftsParams{Search: wordsQuery(search), Skip: int32(skip), Most: int32(most)})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the drafts: %w", err)
	}
	return list, nil
}

// Edit is a person's change to a draft: a new title, or a new text for a part. Revision is the part's revision when
// the person read it.
type Edit struct {
	Title    *string
	Part     string
	Text     *string
	Revision int
}

// EditDraft stores a person's change. ErrNotFound: there is no such draft or part; ErrTooLong: the draft would be too
// long; ErrChanged: the text has changed since the person read it, so nothing was stored, and the current draft is
// returned with the error.
func (s *Store) EditDraft(ctx context.Context, workspace, id uuid.UUID, e Edit) (Draft, error) {
	return s.change(ctx, workspace, id, "save the draft", func(q *db.Queries, d *Draft) error {
		if e.Title != nil {
			d.Title = short(*e.Title, 200)
		}
		apart := false
		if e.Text != nil {
			i := slices.IndexFunc(d.Parts, func(p DraftPart) bool { return p.ID == e.Part })
			if i < 0 {
				return ErrNotFound
			}
			p, words := &d.Parts[i], strings.TrimSpace(clean(*e.Text))
			switch {
			case p.Text == words && e.Title == nil: // sent twice
				return nil
			case p.Text == words:
			case p.Revision != e.Revision:
				return ErrChanged
			default:
				apart = len(words) < len(p.Text)/2 // a version of its own: the deleted text may be wanted back
				p.Text, p.By, p.Inputs, p.Note, p.Revision = words, ByPerson, "", "", p.Revision+1
			}
		}
		return d.keep(ctx, q, "person", nil, apart)
	})
}

// RestoreDraft makes an earlier version the latest. It returns ErrNotFound if there is none.
func (s *Store) RestoreDraft(ctx context.Context, workspace, id uuid.UUID, version int) (Draft, error) {
	return s.change(ctx, workspace, id, "restore the draft", func(q *db.Queries, d *Draft) error {
		row, err := q.Version(ctx, db.VersionParams{DraftID: id, Version: int32(version)})
		if err != nil {
			return err
		}
		var restored []DraftPart
		if err := json.Unmarshal(row.Parts, &restored); err != nil {
			return fmt.Errorf("decode the version's parts: %w", err)
		}
		for i := range restored {
			p := &restored[i]
			at := slices.IndexFunc(d.Parts, func(now DraftPart) bool { return now.ID == p.ID })
			switch {
			case at >= 0 && d.Parts[at].Text == p.Text:
				*p = d.Parts[at]
			// A new revision makes saves based on the earlier text fail. ByPerson, because someone who restores a text
			// wants to keep it.
			case at >= 0:
				p.By, p.Inputs, p.Note, p.Revision = ByPerson, "", "", d.Parts[at].Revision+1
			}
		}
		d.Parts = restored
		d.Title = row.Title
		return d.keep(ctx, q, "person", nil, true)
	})
}

func (s *Store) change(ctx context.Context, workspace, id uuid.UUID, what string,
	fn func(*db.Queries, *Draft) error) (Draft, error) {
	var d Draft
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		row, err := q.LockDraft(ctx, id)
		if err != nil {
			return err
		}
		if d, err = draftOf(row); err != nil {
			return err
		}
		if err := d.reviewed(ctx, q); err != nil {
			return err
		}
		if err := fn(q, &d); err != nil {
			return err
		}
		return d.told(ctx, q)
	})
	if err != nil {
		return d, fmt.Errorf("%s: %w", what, err)
	}
	return d, nil
}

// told notifies those who watch the draft's conversation.
func (d *Draft) told(ctx context.Context, q *db.Queries) error {
	if d.ConversationID == nil {
		return nil
	}
	return q.Notify(ctx, *d.ConversationID)
}

// Versions lists the versions of a draft, latest first. ErrNotFound: there is no such draft.
func (s *Store) Versions(ctx context.Context, workspace, id uuid.UUID) ([]VersionLine, error) {
	var list []VersionLine
	err := s.reading(ctx, workspace, func(q *db.Queries) error {
		if _, err := q.Draft(ctx, id); err != nil {
			return err
		}
		var err error
		list, err = q.Versions(ctx, id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the draft's versions: %w", err)
	}
	return list, nil
}

// Version reads a version of a draft. It returns ErrNotFound if there is none.
func (s *Store) Version(ctx context.Context, workspace, id uuid.UUID,
	version int) (v DraftVersion, parts []DraftPart, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) (err error) {
		v, err = q.Version(ctx, db.VersionParams{DraftID: id, Version: int32(version)})
		return err
	})
	if err == nil {
		err = json.Unmarshal(v.Parts, &parts)
	}
	if err != nil {
		return v, nil, fmt.Errorf("read the draft's version: %w", err)
	}
	return v, parts, nil
}

// DeleteDraft deletes a draft so that it can be restored. It returns ErrNotFound if there is none, and ErrInReview
// while it is in review.
func (s *Store) DeleteDraft(ctx context.Context, workspace, id uuid.UUID) error {
	_, err := s.change(ctx, workspace, id, "delete the draft", func(q *db.Queries, d *Draft) error {
		if d.Locked() {
			return ErrInReview
		}
		if _, err := q.DeleteDraft(ctx, id); err != nil {
			return err
		}
		return d.noted(ctx, q, "draft_deleted")
	})
	return err
}

// UndeleteDraft restores a deleted draft. ErrNotFound: it no longer exists; ErrChanged: its notice has another reply
// by now.
func (s *Store) UndeleteDraft(ctx context.Context, workspace, id uuid.UUID) error {
	err := s.changed(ctx, workspace, "bring back the draft", func(q *db.Queries) (int64, error) {
		n, err := q.UndeleteDraft(ctx, id)
		if err != nil || n == 0 {
			return n, err
		}
		row, err := q.Draft(ctx, id)
		if err != nil {
			return 0, err
		}
		d := Draft{Draft: row}
		return n, d.noted(ctx, q, "draft_restored")
	})
	if violates(err, "drafts_one_reply") {
		return fmt.Errorf("bring back the draft: %w", ErrChanged)
	}
	return err
}

func (s *Store) changed(ctx context.Context, workspace uuid.UUID, what string,
	fn func(*db.Queries) (int64, error)) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := fn(q)
		if err == nil && n == 0 {
			return ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// SaveDraft stores what a turn wrote as the turn's draft. Writing again replaces it, unless a person has changed or
// deleted it, or it is locked for review.
func (s *Store) SaveDraft(ctx context.Context, ref Ref, n NewDraft) error {
	return s.asRun(ctx, ref, "keep what was written as a draft", func(q *db.Queries, _ Turn) error {
		row, err := optional(q.DraftOfTurn(ctx, &ref.Turn))
		if err != nil {
			return err
		}
		var d Draft
		if row == nil {
			d, err = addDraft(ctx, q, ref.Workspace, n, nil)
		} else {
			last, lerr := q.LatestVersion(ctx, row.ID)
			if lerr != nil || row.DeletedAt != nil || last.MadeBy != "munshi" {
				return lerr
			}
			d, err = draftOf(*row)
			d.Title, d.Parts = short(n.Title, 200), renewedWords(d.Parts, n.Parts)
		}
		if err == nil {
			err = d.reviewed(ctx, q)
		}
		if err != nil || d.Locked() {
			return err
		}
		return d.keep(ctx, q, "munshi", &ref.Turn, false)
	})
}

// renewedWords sets the revisions of the new parts: one more than before where the text has changed, so that a save
// based on the earlier text fails.
func renewedWords(had, now []DraftPart) []DraftPart {
	for i := range now {
		for _, was := range had {
			if was.ID == now[i].ID {
				now[i].Revision = was.Revision
				if was.Text != now[i].Text {
					now[i].Revision++
				}
			}
		}
	}
	return now
}

// WrittenDrafts lists the drafts that the turns of a conversation wrote, latest first.
func (s *Store) WrittenDrafts(ctx context.Context, workspace, conversation uuid.UUID) ([]WrittenDraft, error) {
	var list []WrittenDraft
	err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
		list, err = q.DraftsOfConversation(ctx, &conversation)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list what was written in the conversation: %w", err)
	}
	return list, nil
}
