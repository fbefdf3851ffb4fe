package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// WrittenDraft is a draft that a turn wrote, as the database has it.
type WrittenDraft = db.DraftsOfConversationRow

// SaveDraft keeps what the turn wrote as a draft of its own. A turn has one: what it writes again takes the place of what it
// wrote before, unless the person has changed it since or deleted it.
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
			d.Title, d.Parts = short(clean(n.Title), 200), renewedWords(d.Parts, n.Parts)
		}
		if err != nil {
			return err
		}
		return d.keep(ctx, q, "munshi", &ref.Turn, false)
	})
}

// renewedWords counts on where the words of a part have changed, so that a save which knew those of before is told.
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

// WrittenDrafts lists what the turns of a conversation wrote as drafts, latest first.
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
