package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/role"
	"munshi/orchestrator/store/db"
)

// Names for the generated row types.
type (
	Comment = db.CommentsRow
	Task    = db.TasksRow
	// TaskState is a task without the names of the members involved.
	TaskState = db.Task
)

// CommentQuery selects comments; exactly one field is set. Matter also selects comments on the matter's drafts and
// documents. Mentioned selects the open comments that mention this member.
type CommentQuery struct {
	Matter, Draft, Document, Mentioned *uuid.UUID
}

// NewComment is a member's comment on a matter, a draft or a document; exactly one of the three is set.
type NewComment struct {
	Matter, Draft, Document *uuid.UUID
	Part, Quote             string // for a draft: the part, and the words in it that the comment is about
	Text                    string
	Mentions                []uuid.UUID // members
}

// Comments lists comments, oldest first.
func (s *Store) Comments(ctx context.Context, workspace uuid.UUID, c CommentQuery) (list []Comment, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		list, err = q.Comments(ctx, db.CommentsParams{MatterID: c.Matter, DraftID: c.Draft, DocumentID: c.Document,
			Mentioned: c.Mentioned})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list comments: %w", err)
	}
	return list, nil
}

// AddComment stores a comment. ErrNotFound: its subject does not exist, or a mentioned person does not work in the
// firm.
func (s *Store) AddComment(ctx context.Context, workspace uuid.UUID, n NewComment) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		a, acts := ActingIn(ctx)
		if !acts {
			return ErrForbidden
		}
		row := db.AddCommentParams{ID: newID(), WorkspaceID: workspace, MatterID: n.Matter, DraftID: n.Draft,
			DocumentID: n.Document, Part: clean(n.Part), Quote: short(n.Quote, 300), MemberID: a.Member,
			Text: clean(n.Text), Mentions: append([]uuid.UUID{}, n.Mentions...)}
		var err error
		switch {
		case n.Matter != nil:
			_, err = q.MatterState(ctx, *n.Matter)
		case n.Draft != nil:
			var d db.Draft
			d, err = q.Draft(ctx, *n.Draft)
			row.ConversationID = d.ConversationID
		case n.Document != nil:
			var d db.Document
			d, err = q.Document(ctx, *n.Document)
			row.ConversationID = &d.ConversationID
		default:
			err = ErrNotFound
		}
		if err != nil {
			return err
		}
		for _, m := range n.Mentions {
			if err := worksHere(ctx, q, workspace, &m); err != nil {
				return err
			}
		}
		if err := q.AddComment(ctx, row); err != nil {
			return err
		}
		return commentLog(ctx, q, db.Comment{ID: row.ID, WorkspaceID: workspace, MatterID: row.MatterID,
			ConversationID: row.ConversationID}, "commented")
	})
	if err != nil {
		return fmt.Errorf("keep a comment: %w", err)
	}
	return nil
}

// SettleComment marks a comment as settled or as open again. ErrNotFound: there is no such comment.
func (s *Store) SettleComment(ctx context.Context, workspace, comment uuid.UUID, settled bool) error {
	return s.comment(ctx, workspace, comment, "settle a comment", func(q *db.Queries, a Acting, c db.Comment) error {
		if (c.SettledAt != nil) == settled {
			return nil
		}
		if err := q.SettleComment(ctx, db.SettleCommentParams{ID: c.ID, Settled: settled,
			Member: a.Member}); err != nil {
			return err
		}
		if !settled {
			return commentLog(ctx, q, c, "comment_reopened")
		}
		return commentLog(ctx, q, c, "comment_settled")
	})
}

// ErrNotAuthor means that someone else wrote it.
var ErrNotAuthor = errors.New("another wrote it")

// DropComment removes a comment written by the acting member. ErrNotFound: there is no such comment; ErrNotAuthor:
// someone else wrote it.
func (s *Store) DropComment(ctx context.Context, workspace, comment uuid.UUID) error {
	return s.comment(ctx, workspace, comment, "remove a comment", func(q *db.Queries, a Acting, c db.Comment) error {
		if c.MemberID != a.Member {
			return ErrNotAuthor
		}
		if err := q.DropComment(ctx, c.ID); err != nil {
			return err
		}
		return commentLog(ctx, q, c, "comment_removed")
	})
}

func (s *Store) comment(ctx context.Context, workspace, comment uuid.UUID, what string,
	fn func(*db.Queries, Acting, db.Comment) error) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		a, acts := ActingIn(ctx)
		if !acts {
			return ErrForbidden
		}
		c, err := q.LockComment(ctx, comment)
		if err != nil {
			return err
		}
		return fn(q, a, c)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// commentLog records an event about a comment in the firm's log, under the comment's matter.
func commentLog(ctx context.Context, q *db.Queries, c db.Comment, event string) error {
	a, _ := ActingIn(ctx)
	matter := c.MatterID
	if c.ConversationID != nil {
		of, err := optional(q.Conversation(ctx, *c.ConversationID))
		if err != nil {
			return err
		}
		if of != nil {
			matter = of.MatterID
		}
	}
	return addToLog(ctx, q, c.WorkspaceID, entry{member: a.Member, event: event, about: &c.ID, matter: matter})
}

// worksHere returns ErrNotFound if the member does not work in the firm. A nil member is allowed.
func worksHere(ctx context.Context, q *db.Queries, workspace uuid.UUID, member *uuid.UUID) error {
	if member == nil {
		return nil
	}
	r, err := q.MemberRole(ctx, db.MemberRoleParams{WorkspaceID: workspace, ID: *member})
	switch {
	case err != nil:
		return err
	case !role.Role(r).Seat():
		return ErrNotFound
	}
	return nil
}

// TaskQuery selects the tasks of a matter, or the open tasks of a member.
type TaskQuery struct{ Matter, Assignee *uuid.UUID }

// TaskChange is what a member can set in a task.
type TaskChange struct {
	Text     string
	Due      *string // ISO date
	Assignee *uuid.UUID
	Done     bool
}

// Tasks lists tasks, open ones first, by due date.
func (s *Store) Tasks(ctx context.Context, workspace uuid.UUID, t TaskQuery) (list []Task, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		list, err = q.Tasks(ctx, db.TasksParams{MatterID: t.Matter, AssigneeID: t.Assignee})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list tasks: %w", err)
	}
	return list, nil
}

// AddTask adds a task to a matter. ErrNotFound: there is no such matter, or the assignee does not work in the firm.
func (s *Store) AddTask(ctx context.Context, workspace, matter uuid.UUID, t TaskChange) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		a, acts := ActingIn(ctx)
		if !acts {
			return ErrForbidden
		}
		if _, err := q.MatterState(ctx, matter); err != nil {
			return err
		}
		if err := worksHere(ctx, q, workspace, t.Assignee); err != nil {
			return err
		}
		id := newID()
		t.Text = OneLine(t.Text)
		if err := q.AddTask(ctx, db.AddTaskParams{ID: id, WorkspaceID: workspace, MatterID: matter, Text: t.Text,
			DueOn: t.Due, AssigneeID: t.Assignee, MadeBy: a.Member}); err != nil {
			return err
		}
		return taskLog(ctx, q, db.Task{ID: id, WorkspaceID: workspace, MatterID: matter, Text: t.Text}, "task_added")
	})
	if err != nil {
		return fmt.Errorf("add a task: %w", err)
	}
	return nil
}

// SetTask replaces a task by what change makes of its current state. ErrNotFound: there is no such task, or the
// assignee does not work in the firm.
func (s *Store) SetTask(ctx context.Context, workspace, task uuid.UUID,
	change func(TaskState) (TaskChange, error)) error {
	return s.task(ctx, workspace, task, "change a task", func(q *db.Queries, a Acting, was db.Task) error {
		is, err := change(was)
		if err != nil {
			return err
		}
		if !same(was.AssigneeID, is.Assignee) {
			if err := worksHere(ctx, q, workspace, is.Assignee); err != nil {
				return err
			}
		}
		if err := q.SetTask(ctx, db.SetTaskParams{ID: was.ID, Text: OneLine(is.Text), DueOn: is.Due,
			AssigneeID: is.Assignee, Done: is.Done, Member: a.Member}); err != nil {
			return err
		}
		event := "task_changed"
		switch done := was.DoneAt != nil; {
		case is.Done && !done:
			event = "task_done"
		case !is.Done && done:
			event = "task_reopened"
		case was.Text == is.Text && same(was.DueOn, is.Due) && same(was.AssigneeID, is.Assignee):
			return nil
		}
		return taskLog(ctx, q, was, event)
	})
}

// DropTask removes a task. ErrNotFound: there is no such task.
func (s *Store) DropTask(ctx context.Context, workspace, task uuid.UUID) error {
	return s.task(ctx, workspace, task, "remove a task", func(q *db.Queries, _ Acting, was db.Task) error {
		if err := q.DropTask(ctx, was.ID); err != nil {
			return err
		}
		return taskLog(ctx, q, was, "task_removed")
	})
}

func (s *Store) task(ctx context.Context, workspace, task uuid.UUID, what string,
	fn func(*db.Queries, Acting, db.Task) error) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		a, acts := ActingIn(ctx)
		if !acts {
			return ErrForbidden
		}
		t, err := q.LockTask(ctx, task)
		if err != nil {
			return err
		}
		return fn(q, a, t)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func taskLog(ctx context.Context, q *db.Queries, t db.Task, event string) error {
	a, _ := ActingIn(ctx)
	return addToLog(ctx, q, t.WorkspaceID, entry{member: a.Member, event: event, about: &t.ID, matter: &t.MatterID,
		detail: map[string]any{"name": t.Text}})
}
