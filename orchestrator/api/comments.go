package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/store"
)

// CommentList lists comments that members wrote for each other.
type CommentList struct {
	Comments []Comment `json:"comments" doc:"The oldest first"`
}

// Comment is a member's comment on a matter, a draft or a paragraph of it, or a document.
type Comment struct {
	ID        string     `json:"id" format:"uuid"`
	Kind      string     `json:"kind" enum:"matter,draft,document" doc:"What it is about"`
	About     string     `json:"about" format:"uuid" doc:"The matter, draft or document"`
	Title     string     `json:"title" doc:"Of the draft, or the name of the document; of a matter empty"`
	Matter    *string    `json:"matter" format:"uuid" doc:"The matter it is in"`
	Paper     *string    `json:"paper" format:"uuid" doc:"The conversation in which that is"`
	Part      string     `json:"part" doc:"Of the draft; empty for all of it"`
	Quote     string     `json:"quote" doc:"The words of it that are meant"`
	Who       string     `json:"who"`
	Mine      bool       `json:"mine" doc:"The caller wrote it"`
	Text      string     `json:"text"`
	Mentions  []string   `json:"mentions" format:"uuid" doc:"Members"`
	CreatedAt time.Time  `json:"created_at"`
	SettledAt *time.Time `json:"settled_at" doc:"Null while it is open"`
	SettledBy string     `json:"settled_by"`
}

// TaskList lists tasks.
type TaskList struct {
	Tasks []Task `json:"tasks" doc:"Open ones first, by date"`
}

// Task is something to be done in a matter.
type Task struct {
	ID       string     `json:"id" format:"uuid"`
	Matter   string     `json:"matter" format:"uuid"`
	Client   string     `json:"client" doc:"Of the matter"`
	Text     string     `json:"text"`
	Due      *string    `json:"due" doc:"ISO date"`
	Assignee *Named     `json:"assignee"`
	DoneAt   *time.Time `json:"done_at" doc:"Null while it is open"`
}

// TransformSchema says which fields may be null.
func (Task) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "assignee")
}

func (s *server) commentRoutes(api huma.API) {
	get(api, "list-comments", "/api/comments", "What members say about a matter, a draft or a document, or to whoever "+
		"asks", s.comments)
	post(api, "add-comment", "/api/comments", "Say something about a matter, a draft or a document",
		http.StatusNoContent, s.addComment)
	post(api, "settle-comment", "/api/comments/{id}", "Note that a comment is settled, or open again",
		http.StatusNoContent, s.settleComment)
	remove(api, "remove-comment", "/api/comments/{id}", "Remove one's own comment", s.removeComment)
	get(api, "list-tasks", "/api/tasks", "What is to be done in a matter, or by whoever asks", s.tasks)
	post(api, "add-task", "/api/matters/{id}/tasks", "Add a task to a matter", http.StatusNoContent, s.addTask)
	post(api, "change-task", "/api/tasks/{id}", "Change a task, or note that it is done", http.StatusNoContent,
		s.changeTask)
	remove(api, "remove-task", "/api/tasks/{id}", "Remove a task", s.removeTask)
}

type commentsInput struct {
	Matter   string `query:"matter" maxLength:"36" doc:"About it, its drafts and its documents"`
	Draft    string `query:"draft" maxLength:"36"`
	Document string `query:"document" maxLength:"36"`
}

// oneOf parses optional ids into their targets.
func oneOf(ids map[string]**uuid.UUID) error {
	for id, into := range ids {
		if id == "" {
			continue
		}
		parsed, err := uuid.Parse(id)
		if err != nil {
			return notFound()
		}
		*into = &parsed
	}
	return nil
}

func (s *server) comments(ctx context.Context, in *commentsInput) (*body[CommentList], error) {
	a, _ := store.ActingIn(ctx)
	var c store.CommentQuery
	if err := oneOf(map[string]**uuid.UUID{in.Matter: &c.Matter, in.Draft: &c.Draft,
		in.Document: &c.Document}); err != nil {
		return nil, err
	}
	if c == (store.CommentQuery{}) {
		c.Mentioned = &a.Member
	}
	rows, err := s.Store.Comments(ctx, a.Workspace, c)
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := CommentList{Comments: []Comment{}}
	for _, r := range rows {
		k := r.Comment
		one := Comment{ID: k.ID.String(), Title: r.About, Matter: text(r.InMatter), Paper: text(k.ConversationID),
			Part: k.Part, Quote: k.Quote, Who: r.Author, Mine: k.MemberID == a.Member, Text: k.Text,
			Mentions: []string{}, CreatedAt: k.CreatedAt, SettledAt: k.SettledAt, SettledBy: r.Settler}
		switch {
		case k.DraftID != nil:
			one.Kind, one.About = "draft", k.DraftID.String()
		case k.DocumentID != nil:
			one.Kind, one.About = "document", k.DocumentID.String()
		case k.MatterID != nil:
			one.Kind, one.About = "matter", k.MatterID.String()
		}
		for _, m := range k.Mentions {
			one.Mentions = append(one.Mentions, m.String())
		}
		list.Comments = append(list.Comments, one)
	}
	return &body[CommentList]{list}, nil
}

type addCommentInput struct {
	Body struct {
		Kind     string      `json:"kind" enum:"matter,draft,document"`
		About    uuid.UUID   `json:"about" format:"uuid"`
		Part     string      `json:"part,omitempty" maxLength:"120"`
		Quote    string      `json:"quote,omitempty" maxLength:"2000"`
		Text     string      `json:"text" maxLength:"5000"`
		Mentions []uuid.UUID `json:"mentions,omitempty" maxItems:"50" format:"uuid" doc:"Members"`
	}
}

func (s *server) addComment(ctx context.Context, in *addCommentInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	b := in.Body
	n := store.NewComment{Part: b.Part, Quote: plainText(b.Quote), Text: strings.TrimSpace(plainText(b.Text)),
		Mentions: b.Mentions}
	if n.Text == "" {
		return nil, refuse("blank_comment", nil)
	}
	*map[string]**uuid.UUID{"matter": &n.Matter, "draft": &n.Draft, "document": &n.Document}[b.Kind] = &b.About
	if err := s.Store.AddComment(ctx, a.Workspace, n); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

type settleInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Settled bool `json:"settled"`
	}
}

func (s *server) settleComment(ctx context.Context, in *settleInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	if err := s.Store.SettleComment(ctx, a.Workspace, in.ID, in.Body.Settled); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

func (s *server) removeComment(ctx context.Context, in *idInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	if err := s.Store.DropComment(ctx, a.Workspace, in.ID); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

type tasksInput struct {
	Matter string `query:"matter" maxLength:"36" doc:"Left out for the caller's open tasks"`
}

func (s *server) tasks(ctx context.Context, in *tasksInput) (*body[TaskList], error) {
	a, _ := store.ActingIn(ctx)
	var t store.TaskQuery
	if err := oneOf(map[string]**uuid.UUID{in.Matter: &t.Matter}); err != nil {
		return nil, err
	}
	if t.Matter == nil {
		t.Assignee = &a.Member
	}
	rows, err := s.Store.Tasks(ctx, a.Workspace, t)
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := TaskList{Tasks: []Task{}}
	for _, r := range rows {
		list.Tasks = append(list.Tasks, Task{ID: r.Task.ID.String(), Matter: r.Task.MatterID.String(), Client: r.Client,
			Text: r.Task.Text, Due: r.Task.DueOn, Assignee: named(r.Task.AssigneeID, &r.Assignee),
			DoneAt: r.Task.DoneAt})
	}
	return &body[TaskList]{list}, nil
}

// taskBody is a change to a task; fields that are left out stay unchanged.
type taskBody struct {
	Text     *string `json:"text,omitempty" maxLength:"500"`
	Due      *string `json:"due,omitempty" maxLength:"10" doc:"ISO date; empty: none"`
	Assignee *string `json:"assignee,omitempty" maxLength:"36" doc:"A member; empty for nobody"`
	Done     *bool   `json:"done,omitempty"`
}

// of returns the task after the change.
func (b taskBody) of(is store.TaskChange) (store.TaskChange, error) {
	if b.Text != nil {
		is.Text = store.OneLine(*b.Text)
	}
	if is.Text == "" {
		return is, refuse("blank_task", nil)
	}
	if b.Due != nil {
		is.Due = nil
		if *b.Due != "" {
			if _, err := time.Parse(time.DateOnly, *b.Due); err != nil {
				return is, refuse("task_day", nil)
			}
			is.Due = b.Due
		}
	}
	if b.Assignee != nil {
		is.Assignee = nil
		if err := oneOf(map[string]**uuid.UUID{*b.Assignee: &is.Assignee}); err != nil {
			return is, err
		}
	}
	if b.Done != nil {
		is.Done = *b.Done
	}
	return is, nil
}

type taskInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body taskBody
}

func (s *server) addTask(ctx context.Context, in *taskInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	is, err := in.Body.of(store.TaskChange{})
	if err == nil {
		err = s.Store.AddTask(ctx, a.Workspace, in.ID, is)
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

func (s *server) changeTask(ctx context.Context, in *taskInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	err := s.Store.SetTask(ctx, a.Workspace, in.ID, func(was store.TaskState) (store.TaskChange, error) {
		return in.Body.of(store.TaskChange{Text: was.Text, Due: was.DueOn, Assignee: was.AssigneeID,
			Done: was.DoneAt != nil})
	})
	if err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

func (s *server) removeTask(ctx context.Context, in *idInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	if err := s.Store.DropTask(ctx, a.Workspace, in.ID); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}
