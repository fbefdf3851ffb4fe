package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// ReplyKind is the kind of draft that answers a notice. A notice has at most one.
const ReplyKind = "reply"

// Said is an answer to an allegation: the person's own (a nil field means no answer yet), or a
// proposed one.
type Said struct {
	Stance      *string  `json:"stance,omitempty"`
	Facts       *string  `json:"facts,omitempty"`
	Documents   []string `json:"documents,omitempty"` // nil if not given
	Authorities []string `json:"authorities,omitempty"`
}

// Point is a person's answer to an allegation, and a model's proposal for it.
type Point struct {
	Said, Proposed Said
	Revision       int // number of changes to the person's answer
}

func pointOf(row db.Point) (Point, error) {
	p := Point{Said: Said{Stance: row.Stance, Facts: row.Facts}, Revision: int(row.Revision)}
	for _, list := range []struct {
		raw  json.RawMessage
		into any
	}{{row.Documents, &p.Said.Documents}, {row.Authorities, &p.Said.Authorities}, {row.Proposed, &p.Proposed}} {
		if list.raw == nil {
			continue
		}
		if err := json.Unmarshal(list.raw, list.into); err != nil {
			return p, fmt.Errorf("decode what is said to an allegation: %w", err)
		}
	}
	return p, nil
}

func points(ctx context.Context, q *db.Queries, notice uuid.UUID) (map[string]Point, error) {
	rows, err := q.Points(ctx, notice)
	if err != nil {
		return nil, err
	}
	said := make(map[string]Point, len(rows))
	for _, row := range rows {
		if said[row.Key], err = pointOf(row); err != nil {
			return nil, err
		}
	}
	return said, nil
}

// Reply is everything from which the reply to a notice is made, and its draft.
type Reply struct {
	Notice   Notice
	Points   map[string]Point // by the allegation's key
	Reviews  []Review
	Sources  []Authority
	Taxpayer Taxpayer            // empty if nothing is stored
	Answers  map[string]Answered // to the interview's questions, by question key
	Draft    *Draft              // nil if there is none yet
	Document uuid.UUID
}

// Reply reads everything for the reply to a conversation's notice. ErrNotFound: it has no notice with known facts.
func (s *Store) Reply(ctx context.Context, workspace, conversation uuid.UUID) (Reply, error) {
	n, err := s.Notice(ctx, workspace, conversation)
	if err != nil {
		return Reply{}, err
	}
	r := Reply{Notice: n, Document: n.Document.ID}
	err = s.reading(ctx, workspace, func(q *db.Queries) error {
		if r.Points, err = points(ctx, q, r.Document); err != nil {
			return err
		}
		if r.Reviews, err = q.Reviews(ctx,
			db.ReviewsParams{NoticeID: r.Document, ConversationID: conversation}); err != nil {
			return err
		}
		if r.Sources, err = q.Authorities(ctx, conversation); err != nil {
			return err
		}
		if r.Answers, err = answers(ctx, q, r.Document); err != nil {
			return err
		}
		if r.Taxpayer, err = taxpayer(ctx, q, workspace, gstinOf(n.Facts)); err != nil {
			return err
		}
		row, err := optional(q.ReplyTo(ctx, &r.Document))
		if err != nil || row == nil {
			return err
		}
		d, err := draftOf(*row)
		if err != nil {
			return err
		}
		r.Draft = &d
		return d.reviewed(ctx, q)
	})
	if err != nil {
		return Reply{}, fmt.Errorf("read what the reply is made from: %w", err)
	}
	return r, nil
}

// SayPoint stores the person's answer to an allegation of the conversation's notice; nil fields stay unchanged.
// revision is that of the answer they saw. ErrNotFound: there is no notice; ErrChanged: the answer has changed since,
// and nothing was stored.
func (s *Store) SayPoint(ctx context.Context, workspace, conversation uuid.UUID, key string, said Said,
	revision int) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		c, err := q.Conversation(ctx, conversation)
		if err != nil {
			return err
		}
		if c.NoticeID == nil {
			return ErrNotFound
		}
		p := db.SayPointParams{
			DocumentID:  *c.NoticeID,
			Key:         clean(key),
			WorkspaceID: workspace,
			Stance:      said.Stance,
			Revision:    int32(revision),
		}
		if said.Facts != nil {
			facts := clean(*said.Facts)
			p.Facts = &facts
		}
		for _, list := range []struct {
			texts []string
			into  *json.RawMessage
		}{{said.Documents, &p.Documents}, {said.Authorities, &p.Authorities}} {
			if list.texts == nil {
				continue
			}
			raw, err := json.Marshal(list.texts)
			if err != nil {
				return fmt.Errorf("encode what is said to an allegation: %w", err)
			}
			*list.into = cleanJSON(raw)
		}
		kept, err := q.SayPoint(ctx, p)
		switch {
		case err != nil:
			return err
		case kept == 0:
			return ErrChanged
		}
		if err := linkLog(ctx, q, "link_answered"); err != nil {
			return err
		}
		return q.Notify(ctx, conversation)
	})
	if err != nil {
		return fmt.Errorf("keep what is said to an allegation: %w", err)
	}
	return nil
}

// Propose stores a model's proposed answers to allegations of the conversation's notice.
func (s *Store) Propose(ctx context.Context, ref Ref, proposed map[string]Said) error {
	return s.asRun(ctx, ref, "keep the proposals", func(q *db.Queries, _ Turn) error {
		c, err := q.Conversation(ctx, ref.Conversation)
		if err != nil || c.NoticeID == nil {
			return err
		}
		for key, said := range proposed {
			raw, err := json.Marshal(said)
			if err != nil {
				return fmt.Errorf("encode a proposal: %w", err)
			}
			if err := q.ProposePoint(ctx,
				db.ProposePointParams{DocumentID: *c.NoticeID, Key: clean(key), WorkspaceID: ref.Workspace,
					Proposed: cleanJSON(raw)}); err != nil {
				return err
			}
		}
		return q.Notify(ctx, ref.Conversation)
	})
}

// OpenReply updates the reply's draft to the planned parts and returns the ids of those that a model must write,
// because they were not yet written from the same inputs. If there is no draft it creates one, or returns ErrNotFound
// if mustBe. It keeps what the person wrote, and changes nothing in a draft that is being reviewed.
func (s *Store) OpenReply(ctx context.Context, ref Ref, title string, planned []DraftPart,
	mustBe bool) (write []string, err error) {
	err = s.asRun(ctx, ref, "open the draft of the reply", func(q *db.Queries, _ Turn) error {
		write = nil
		c, err := q.Conversation(ctx, ref.Conversation)
		if err != nil {
			return err
		}
		if c.NoticeID == nil {
			return ErrNotFound
		}
		row, err := optional(q.LockReply(ctx, c.NoticeID))
		var d Draft
		switch {
		case err != nil:
			return err
		case row == nil && mustBe:
			return ErrNotFound
		case row == nil:
			d, err = addDraft(ctx, q, ref.Workspace,
				NewDraft{Conversation: &ref.Conversation, Kind: ReplyKind, Title: title}, c.NoticeID)
		default:
			d, err = draftOf(*row)
		}
		if err == nil {
			err = d.reviewed(ctx, q)
		}
		if err != nil || d.Locked() {
			return err
		}
		had := d.Parts
		d.Parts, write = renewed(had, planned)
		if len(write) == 0 && !slices.EqualFunc(had, d.Parts, func(a, b DraftPart) bool {
			return a.Title == b.Title && a.Text == b.Text
		}) {
			err = d.keep(ctx, q, "munshi", &ref.Turn, false) // the program's own text is a version too
		} else {
			err = d.put(ctx, q)
		}
		if err != nil {
			return err
		}
		return q.Notify(ctx, ref.Conversation)
	})
	return write, err
}

// renewed merges the existing parts with the planned ones, and returns the ids of the parts that a model must write.
func renewed(had, planned []DraftPart) (parts []DraftPart, write []string) {
	before := map[string]DraftPart{}
	for _, p := range had {
		before[p.ID] = p
	}
	for _, p := range planned {
		was, known := before[p.ID]
		delete(before, p.ID)
		p.By, p.Note, p.Revision = ByProgram, "", was.Revision
		switch {
		case known && was.By == ByPerson:
			was.Title, was.Point, was.Fixed = p.Title, p.Point, p.Fixed
			p = was
		case p.Fixed:
		case known && was.Inputs != "" && was.Inputs == p.Inputs:
			p.Text, p.By, p.Note = was.Text, was.By, was.Note
		case known && was.Inputs != "": // keep the old text until the new one is written
			p.Text, p.By, p.Inputs, p.Note = was.Text, was.By, was.Inputs, was.Note
			write = append(write, p.ID)
		default:
			p.Inputs = ""
			write = append(write, p.ID)
		}
		if known && p.Text != was.Text {
			p.Revision++
		}
		parts = append(parts, p)
	}
	for i, p := range had { // the person's own parts keep their place, even if no longer planned
		if _, left := before[p.ID]; left && p.By == ByPerson {
			parts = slices.Insert(parts, after(parts, had[:i]), p)
		}
	}
	heading := ""
	for i := range parts { // of consecutive parts under the same heading, only the first shows it
		switch parts[i].Title {
		case "":
		case heading:
			parts[i].Title = ""
		default:
			heading = parts[i].Title
		}
	}
	return parts, write
}

// after returns the index behind the last part that came before this one and still exists; parts are the new ones,
// before those that preceded it in the draft.
func after(parts, before []DraftPart) int {
	for _, p := range slices.Backward(before) {
		if i := slices.IndexFunc(parts, func(now DraftPart) bool { return now.ID == p.ID }); i >= 0 {
			return i + 1
		}
	}
	return 0
}

// PutReplyPart stores a written part in the reply's draft, as ByModel or ByProgram, unless the person has changed that
// part meanwhile.
func (s *Store) PutReplyPart(ctx context.Context, ref Ref, written DraftPart) error {
	return s.asReply(ctx, ref, "keep a part of the reply", func(q *db.Queries, d *Draft) error {
		for i := range d.Parts {
			p := &d.Parts[i]
			if p.ID != written.ID || p.By == ByPerson || p.Inputs == written.Inputs && p.Inputs != "" {
				continue
			}
			if p.Text != written.Text {
				p.Revision++
			}
			p.Text, p.By, p.Inputs, p.Note = written.Text, written.By, written.Inputs, written.Note
			return d.put(ctx, q)
		}
		return nil
	})
}

// KeepReply stores the reply's draft as a version.
func (s *Store) KeepReply(ctx context.Context, ref Ref) error {
	return s.asReply(ctx, ref, "keep the reply", func(q *db.Queries, d *Draft) error {
		return d.keep(ctx, q, "munshi", &ref.Turn, false)
	})
}

// asReply changes the reply's draft on behalf of a turn. It does nothing if the person has deleted the draft
// meanwhile, or if it is being reviewed.
func (s *Store) asReply(ctx context.Context, ref Ref, what string, fn func(*db.Queries, *Draft) error) error {
	return s.asRun(ctx, ref, what, func(q *db.Queries, _ Turn) error {
		c, err := q.Conversation(ctx, ref.Conversation)
		if err != nil || c.NoticeID == nil {
			return err
		}
		row, err := optional(q.LockReply(ctx, c.NoticeID))
		if err != nil || row == nil {
			return err
		}
		d, err := draftOf(*row)
		if err != nil {
			return err
		}
		if err := d.reviewed(ctx, q); err != nil || d.Locked() {
			return err
		}
		if err := fn(q, &d); err != nil {
			return err
		}
		return q.Notify(ctx, ref.Conversation)
	})
}
