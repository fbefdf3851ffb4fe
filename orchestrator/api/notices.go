package api

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/clock"
	"munshi/orchestrator/store"
)

// noticePlugin is the plugin for conversations about notices.
const noticePlugin = "notice"

// dueSoon is how many days before its reply date a notice counts as due soon.
const dueSoon = 7

// NoticeList is one page of a person's notices, and how many there are.
type NoticeList struct {
	Notices []NoticeLine `json:"notices" doc:"In the order that was asked for"`
	Total   int          `json:"total" doc:"How many match the view and the search"`
	Counts  NoticeCounts `json:"counts"`
}

// NoticeCounts says how many notices match the search, by view.
type NoticeCounts struct {
	All     int `json:"all"`
	Due     int `json:"due" doc:"A reply or hearing is due within a week, or its date is not confirmed"`
	Overdue int `json:"overdue"`
	Waiting int `json:"waiting" doc:"For documents"`
	Done    int `json:"done"`
}

// NoticeLine is a notice as a list shows it.
type NoticeLine struct {
	ID          string      `json:"id" format:"uuid" doc:"Of its conversation"`
	Title       string      `json:"title"`
	Client      *string     `json:"client"`
	GSTIN       *string     `json:"gstin"`
	Form        *string     `json:"form"`
	Reference   *string     `json:"reference" doc:"The notice's number or, if it has none, its DIN"`
	FirstYear   *string     `json:"first_year" doc:"Financial year, such as 2020-21"`
	LastYear    *string     `json:"last_year"`
	DemandPaise *int64      `json:"demand_paise" doc:"Sum of all heads, in paise"`
	ReplyBy     *string     `json:"reply_by" doc:"ISO date; null until it is confirmed"`
	WatchBy     *string     `json:"watch_by" doc:"ISO date used for reminders: the reply date, or the earliest possible one until it is confirmed, or the hearing"`
	WatchWhat   string      `json:"watch_what" enum:"reply,hearing" doc:"What the date is for"`
	Attention   []Attention `json:"attention" doc:"Why a person has to look at it first; empty if there is no reason"`
	Asked       int         `json:"asked" doc:"Documents that were requested"`
	Needed      int         `json:"needed" doc:"How many of those were not uploaded"`
	TurnState   string      `json:"turn_state" enum:"none,queued,running,answered,failed,stopped" doc:"State of the latest turn"`
	AnsweredAt  *time.Time  `json:"answered_at" doc:"When the person marked it as answered, or null"`
	CreatedAt   time.Time   `json:"created_at"`
	UpdatedAt   time.Time   `json:"updated_at"`
}

// Attention is a reason to look at this notice before others.
type Attention struct {
	Code string `json:"code" enum:"notice_doubtful,not_a_notice,no_date,unsure_date,two_dates,unsure_hearing,hearing_soon,amount_unread,form_unknown"`
	Page int    `json:"page" doc:"The page to look at; 0 for none"`
}

// hearingSoon is the only reason for attention that depends on today's date.
const hearingSoon = "hearing_soon"

// attentionOf returns the reasons for attention of a notice; an answered notice has none.
func attentionOf(l store.NoticeLine, today, soon string) []Attention {
	reasons := []Attention{}
	if l.AnsweredAt != nil {
		return reasons
	}
	_ = json.Unmarshal(l.Attention, &reasons) // valid, since we wrote it; if not, the line is shown without reasons
	if l.HearingOn != nil && *l.HearingOn >= today && *l.HearingOn <= soon {
		reasons = append(reasons, Attention{Code: hearingSoon})
	}
	return reasons
}

type noticesInput struct {
	View   string `query:"view" enum:"all,due,overdue,waiting,done" default:"all"`
	Sort   string `query:"sort" enum:"urgent,client,demand,newest" default:"urgent" doc:"Unanswered ones first: those that need attention, then by date; or by client, largest demand or newest"`
	Search string `query:"search" maxLength:"200" doc:"In the client's name, the GSTIN, the reference, the title and the names of its files"`
	Skip   int    `query:"skip" minimum:"0" maximum:"1000000"`
	Most   int    `query:"most" minimum:"1" maximum:"200" default:"50"`
}

func (s *server) notices(ctx context.Context, in *noticesInput) (*body[NoticeList], error) {
	list := NoticeList{Notices: []NoticeLine{}}
	workspace, err := who(ctx)
	if err != nil {
		return &body[NoticeList]{list}, nil // someone without a session has none yet
	}
	today, soon := todayAndSoon()
	q := store.NoticeQuery{
		View:   in.View,
		Sort:   in.Sort,
		Search: plainText(in.Search),
		Skip:   in.Skip,
		Most:   in.Most,
		Today:  today,
		Soon:   soon,
	}
	lines, counts, err := s.Store.Notices(ctx, workspace, q)
	if err != nil {
		return nil, s.toProblem(err)
	}
	for _, l := range lines {
		list.Notices = append(list.Notices, noticeLine(l, today, soon))
	}
	list.Counts = NoticeCounts{
		All:     int(counts.AllNotices),
		Due:     int(counts.Due),
		Overdue: int(counts.Overdue),
		Waiting: int(counts.Waiting),
		Done:    int(counts.Done),
	}
	list.Total = map[string]int{"all": list.Counts.All, "due": list.Counts.Due, "overdue": list.Counts.Overdue,
		"waiting": list.Counts.Waiting, "done": list.Counts.Done}[in.View]
	return &body[NoticeList]{list}, nil
}

// todayAndSoon returns today in India, and the last day that counts as due soon.
func todayAndSoon() (today, soon string) {
	now := time.Now().In(clock.India)
	return now.Format(time.DateOnly), now.AddDate(0, 0, dueSoon).Format(time.DateOnly)
}

func noticeLine(l store.NoticeLine, today, soon string) NoticeLine {
	return NoticeLine{ID: l.ID.String(), Title: l.Title, Client: l.Client, GSTIN: l.Gstin, Form: l.Form,
		Reference: l.Reference, FirstYear: l.FirstYear, LastYear: l.LastYear, DemandPaise: l.DemandPaise,
		ReplyBy: l.ReplyBy, WatchBy: l.WatchBy, WatchWhat: cmp.Or(orEmpty(l.WatchWhat), "reply"),
		Attention: attentionOf(l, today, soon), Asked: int(l.Asked), Needed: int(l.Needed), TurnState: l.TurnState,
		AnsweredAt: l.AnsweredAt, CreatedAt: l.CreatedAt, UpdatedAt: l.UpdatedAt}
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

type answeredInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Answered bool `json:"answered" doc:"False: it still has to be answered"`
	}
}

func (s *server) markAnswered(ctx context.Context, in *answeredInput) (*none, error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	watched, err := s.Store.MarkAnswered(ctx, workspace, in.ID, in.Body.Answered)
	if err != nil {
		return nil, s.toProblem(err)
	}
	s.watch(ctx, workspace, in.ID, watched)
	return &none{}, nil
}

func (s *server) deleteConversation(ctx context.Context, in *idInput) (*none, error) {
	return s.ofMine(ctx, in.ID, s.Store.Delete)
}

func (s *server) restoreConversation(ctx context.Context, in *idInput) (*none, error) {
	return s.ofMine(ctx, in.ID, s.Store.Restore)
}

// ofMine runs an operation on a conversation that belongs to the caller.
func (s *server) ofMine(ctx context.Context, id uuid.UUID,
	do func(context.Context, uuid.UUID, uuid.UUID) error) (*none, error) {
	workspace, err := who(ctx)
	if err == nil {
		err = do(ctx, workspace, id)
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &none{}, nil
}

// ReminderList lists the person's reminders.
type ReminderList struct {
	Reminders []Reminder `json:"reminders" doc:"The nearest day first"`
	Unsettled int        `json:"unsettled" doc:"Open notices whose reply date nobody has confirmed"`
}

// Reminder is a reminder of a reply date or a hearing.
type Reminder struct {
	ID             string    `json:"id" format:"uuid"`
	ConversationID string    `json:"conversation_id" format:"uuid"`
	Title          string    `json:"title" doc:"Of the conversation"`
	ReplyBy        string    `json:"reply_by" doc:"ISO date"`
	What           string    `json:"what" enum:"reply,hearing" doc:"What the date is for"`
	Settled        bool      `json:"settled" doc:"False: the date has to be confirmed"`
	RemindedAt     time.Time `json:"reminded_at"`
}

func (s *server) reminders(ctx context.Context, _ *none) (*body[ReminderList], error) {
	list := ReminderList{Reminders: []Reminder{}}
	workspace, err := who(ctx)
	if err != nil {
		return &body[ReminderList]{list}, nil
	}
	rows, err := s.Store.Reminders(ctx, workspace, time.Now().In(clock.India).Format(time.DateOnly))
	if err != nil {
		return nil, s.toProblem(err)
	}
	if list.Unsettled, err = s.Store.Unsettled(ctx, workspace); err != nil {
		return nil, s.toProblem(err)
	}
	for _, r := range rows {
		list.Reminders = append(list.Reminders,
			Reminder{ID: r.ID.String(), ConversationID: r.ConversationID.String(), Title: r.Title, ReplyBy: r.ReplyBy,
				What: r.What, Settled: r.Settled, RemindedAt: r.RemindedAt})
	}
	return &body[ReminderList]{list}, nil
}

func (s *server) seeReminder(ctx context.Context, in *idInput) (*none, error) {
	return s.ofMine(ctx, in.ID, s.Store.SeeReminder)
}
