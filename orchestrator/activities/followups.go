package activities

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"go.temporal.io/sdk/activity"

	"munshi/orchestrator/account"
	"munshi/orchestrator/api"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/message"
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

func (f FollowUps) Remind(ctx context.Context, in workflows.FollowUpInput, day string, before int) error {
	workspace, conversation, err := Owned(ctx, f.Store, in.Workspace, in.Conversation)
	if err != nil {
		return err
	}
	if err := f.Store.Remind(ctx, workspace, conversation, day, before); err != nil || f.Mail == nil {
		return Fenced(ctx, f.Store, workspace, err)
	}
	mailed, err := f.Store.Mailed(ctx, workspace)
	if err != nil || len(mailed) == 0 { // a visitor, or a person who does not want mail
		return err
	}
	err = f.Store.MailReminder(ctx, workspace, conversation, day, before, func(due store.ReminderDue) error {
		mails := account.MailsIn(due.Language)
		mail := map[string]account.Mail{"hearing": mails.Hearing, "perhaps": mails.Unsettled, "none": mails.Undated,
			"reply": mails.Reminder}[due.What]
		link := fmt.Sprintf("%s%s/app/notices/%s", f.URL, api.PathOf(workspace, mailed[0].Firm), conversation)
		m := mail.With("{day}", message.Date(day).In(due.Language), "{title}", due.Title, "{link}", link)
		var errs []error
		for _, to := range mailed {
			errs = append(errs, f.Mail.Send(ctx, to.Email, m.Subject, m.Text))
		}
		return errors.Join(errs...)
	})
	if err != nil && activity.IsActivity(ctx) && activity.GetInfo(ctx).Attempt >= mailTries {
		f.Log.ErrorContext(ctx, "a reminder could not be mailed", "error", err)
		return nil
	}
	return err
}
