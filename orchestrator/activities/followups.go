package activities

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/sdk/activity"

	"munshi/orchestrator/account"
	"munshi/orchestrator/api"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/message"
	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// FollowUps implements what workflows need to wait for required documents: the documents received, from the store, and
// the reply date, from the notice's facts.
type FollowUps struct {
	Store *store.Store
	Work  FollowUpWaker
	Mail  account.Mailer // nil: no mail is sent
	URL   string         // base address of links in mails
	Log   *slog.Logger
}

// FollowUpWaker tells the workflow that waits for a conversation's documents that something has changed.
type FollowUpWaker interface {
	WakeFollowUp(ctx context.Context, in workflows.FollowUpInput) error
}

// mailTries is how often sending a reminder mail is tried, over some minutes; the app shows the reminder anyway.
const mailTries = 12

var _ workflows.FollowUps = FollowUps{}

func (f FollowUps) Wake(ctx context.Context, in workflows.FollowUpInput) error {
	if in.Workspace == store.Nobody.String() {
		return nil // evaluations hand in no documents
	}
	return f.Work.WakeFollowUp(ctx, in)
}

func (f FollowUps) Waiting(ctx context.Context, in workflows.FollowUpInput) (workflows.Waiting, error) {
	workspace, conversation, err := Owned(ctx, f.Store, in.Workspace, in.Conversation)
	if err != nil {
		return workflows.Waiting{}, err
	}
	a, err := f.Store.Awaiting(ctx, workspace, conversation)
	if err != nil {
		return workflows.Waiting{}, Fenced(ctx, f.Store, workspace, err)
	}
	w := workflows.Waiting{Closed: a.FollowUp.CloseRequested, Over: a.FollowUp.State != "waiting",
		Opened: a.FollowUp.OpenedAt, News: a.News, ReplyBy: endOf(replyDay(a.Facts))}
	if until := a.FollowUp.WatchUntil; until != nil { // not null: there is a date to remind of
		w.RemindOf, w.Also = remindedDays(a.Facts)
		w.Watched = a.FollowUp.OpenedAt
	}
	for _, r := range a.Reminded {
		if r.ReplyBy == w.RemindOf {
			w.Reminded = append(w.Reminded, int(r.Days))
		}
		for i := range w.Also {
			if also := &w.Also[i]; r.ReplyBy == also.Day {
				also.Reminded = append(also.Reminded, int(r.Days))
			}
		}
	}
	for _, d := range a.Documents {
		awaited := workflows.Awaited{ID: d.ID.String(), State: d.State}
		if d.DocumentID != nil {
			awaited.Document = d.DocumentID.String()
		}
		w.Documents = append(w.Documents, awaited)
	}
	return w, nil
}

func (f FollowUps) EndFollowUp(ctx context.Context, in workflows.FollowUpInput, ending string) (bool, error) {
	workspace, conversation, err := Owned(ctx, f.Store, in.Workspace, in.Conversation)
	if err != nil {
		return false, err
	}
	ended, err := f.Store.EndFollowUp(ctx, workspace, conversation, ending)
	return ended, Fenced(ctx, f.Store, workspace, err)
}

// replyDay returns the last day to reply as an ISO date, or "" if the facts have none.
func replyDay(facts []byte) string {
	var known struct {
		ReplyDue gst.ReplyDue `json:"reply_due"`
	}
	if json.Unmarshal(facts, &known) != nil || known.ReplyDue.Date == nil {
		return ""
	}
	return *known.ReplyDue.Date
}

// remindedDays returns the date to remind of as an ISO date ("" for none), and other reminders: about a hearing on
// another date, or that a notice has no date at all.
func remindedDays(facts []byte) (day string, also []workflows.Reminding) {
	f, err := gst.ParseFacts(facts)
	if err != nil {
		return "", nil
	}
	day, _ = f.WatchedDay()
	if f.Hearing != nil && f.Hearing.Date != day {
		also = append(also, workflows.Reminding{Day: f.Hearing.Date})
	}
	if day == "" && slices.ContainsFunc(f.Attention, func(a gst.Attention) bool { return a.Code == gst.NoDate }) {
		also = append(also, workflows.Reminding{})
	}
	return day, also
}

// endOf returns the moment at which a day ends in India; the zero time for an empty day.
func endOf(day string) time.Time {
	begin, err := time.ParseInLocation(time.DateOnly, day, clock.India)
	if err != nil {
		return time.Time{}
	}
	return begin.AddDate(0, 0, 1)
}

// recipient is a person to be reminded by mail.
type recipient struct {
	email    string
	member   uuid.UUID // uuid.Nil outside firms
	language string    // chosen by the member; "" outside firms
}

// mailed returns the people to be reminded of a conversation by mail: outside firms its owner; in a firm the assignee
// and the reviewer of its matter, or if there are none the firm's owner. Those without a confirmed address, or who do
// not want reminders, are left out.
func (f FollowUps) mailed(ctx context.Context, workspace, conversation uuid.UUID) (list []recipient, err error) {
	members, err := f.Store.MailedMembers(ctx, workspace)
	if err != nil {
		return nil, err
	}
	if len(members) == 0 { // no firm
		own, err := f.Store.Mailed(ctx, workspace)
		for _, one := range own {
			list = append(list, recipient{email: one.Email})
		}
		return list, err
	}
	answer, err := f.Store.RemindedMembers(ctx, workspace, conversation)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		theirs := slices.Contains(answer, m.ID) || len(answer) == 0 && role.Role(m.Role) == role.Owner
		if theirs && m.Reminders && m.Email != "" {
			list = append(list, recipient{m.Email, m.ID, m.Language})
		}
	}
	return list, nil
}

func (f FollowUps) Remind(ctx context.Context, in workflows.FollowUpInput, day string, before int) error {
	workspace, conversation, err := Owned(ctx, f.Store, in.Workspace, in.Conversation)
	if err != nil {
		return err
	}
	if err := f.Store.Remind(ctx, workspace, conversation, day, before); err != nil || f.Mail == nil {
		return Fenced(ctx, f.Store, workspace, err)
	}
	mailed, err := f.mailed(ctx, workspace, conversation)
	if err != nil || len(mailed) == 0 { // a visitor, or someone who does not want mail
		return err
	}
	err = f.Store.MailReminder(ctx, workspace, conversation, day, before, func(due store.ReminderDue) error {
		var errs []error
		for _, to := range mailed {
			language := cmp.Or(to.language, due.Language)
			mails := account.MailsIn(language)
			mail := map[string]account.Mail{"hearing": mails.Hearing, "perhaps": mails.Unsettled,
				"none": mails.Undated, "reply": mails.Reminder}[due.What]
			firm := to.member != uuid.Nil
			link := fmt.Sprintf("%s%s/app/notices/%s", f.URL, api.PathOf(workspace, firm), conversation)
			m := mail.With("{day}", message.Date(day).In(language), "{title}", due.Title, "{link}", link)
			send := func() error { return f.Mail.Send(ctx, to.email, m.Subject, m.Text) }
			if !firm {
				errs = append(errs, send())
				continue
			}
			_, err := f.Store.MailOnce(ctx, store.MemberMail{Workspace: workspace, Member: to.member,
				Kind: "reminder " + day, About: conversation}, time.Now(), send)
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	})
	if err != nil && activity.IsActivity(ctx) && activity.GetInfo(ctx).Attempt >= mailTries {
		f.Log.ErrorContext(ctx, "a reminder could not be mailed", "error", err)
		return nil
	}
	return err
}
