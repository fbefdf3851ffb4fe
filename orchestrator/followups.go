package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.temporal.io/sdk/activity"

	"munshi/orchestrator/account"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// followUps gives the activities the waiting for required documents: what was handed in from the store, the day to reply by
// from the notice's facts.
type followUps struct {
	store *store.Store
	work  *temporalWork
	mail  account.Mailer // nil: none is sent
	url   string         // where links in mails lead
	log   *slog.Logger
}

// mailTries is how often a reminder's mail is tried, over some minutes; the reminder itself is in the app in any case.
const mailTries = 12

var _ workflows.FollowUps = followUps{}

func (f followUps) Wake(ctx context.Context, in workflows.FollowUpInput) error {
	if in.Workspace == store.Nobody.String() {
		return nil // nobody hands anything in to an evaluation
	}
	return f.work.WakeFollowUp(ctx, in)
}

func (f followUps) Waiting(ctx context.Context, in workflows.FollowUpInput) (workflows.Waiting, error) {
	workspace, conversation, err := owned(ctx, f.store, in.Workspace, in.Conversation)
	if err != nil {
		return workflows.Waiting{}, err
	}
	a, err := f.store.Awaiting(ctx, workspace, conversation)
	if err != nil {
		return workflows.Waiting{}, fenced(ctx, f.store, workspace, err)
	}
	w := workflows.Waiting{Closed: a.FollowUp.CloseRequested, Over: a.FollowUp.State != "waiting",
		Opened: a.FollowUp.OpenedAt, News: a.News, ReplyBy: endOf(replyDay(a.Facts))}
	if until := a.FollowUp.WatchUntil; until != nil { // not null: a day that is to be reminded of
		w.RemindOf, w.Watched = replyDay(a.Facts), a.FollowUp.OpenedAt
	}
	for _, r := range a.Reminded {
		if r.ReplyBy == w.RemindOf {
			w.Reminded = append(w.Reminded, int(r.Days))
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

func (f followUps) EndFollowUp(ctx context.Context, in workflows.FollowUpInput, ending string) (bool, error) {
	workspace, conversation, err := owned(ctx, f.store, in.Workspace, in.Conversation)
	if err != nil {
		return false, err
	}
	ended, err := f.store.EndFollowUp(ctx, workspace, conversation, ending)
	return ended, fenced(ctx, f.store, workspace, err)
}

// replyDay gives the last day to reply as an ISO date; "" when the facts name none.
func replyDay(facts []byte) string {
	var known struct {
		ReplyDue gst.ReplyDue `json:"reply_due"`
	}
	if json.Unmarshal(facts, &known) != nil || known.ReplyDue.Date == nil {
		return ""
	}
	return *known.ReplyDue.Date
}

// endOf gives the moment at which a day is over in India; zero for no day.
func endOf(day string) time.Time {
	begin, err := time.ParseInLocation(time.DateOnly, day, india)
	if err != nil {
		return time.Time{}
	}
	return begin.AddDate(0, 0, 1)
}

func (f followUps) Remind(ctx context.Context, in workflows.FollowUpInput, day string, before int) error {
	workspace, conversation, err := owned(ctx, f.store, in.Workspace, in.Conversation)
	if err != nil {
		return err
	}
	if err := f.store.Remind(ctx, workspace, conversation, day, before); err != nil || f.mail == nil {
		return fenced(ctx, f.store, workspace, err)
	}
	p, err := f.store.Person(ctx, workspace)
	if errors.Is(err, store.ErrNotFound) || err == nil && (p.ConfirmedAt == nil || !p.MailReminders) {
		return nil // a visitor, or somebody who wants none
	}
	if err != nil {
		return err
	}
	err = f.store.MailReminder(ctx, workspace, conversation, day, before, func(title, language string) error {
		mails := account.MailsIn(language)
		due := endOf(day).AddDate(0, 0, -1).Format(mails.Day)
		m := mails.Reminder.With("{day}", due, "{title}", title, "{link}", fmt.Sprintf("%s/app/notices/%s", f.url, conversation))
		return f.mail.Send(ctx, p.Email, m.Subject, m.Text)
	})
	if err != nil && activity.IsActivity(ctx) && activity.GetInfo(ctx).Attempt >= mailTries {
		f.log.ErrorContext(ctx, "a reminder could not be mailed", "error", err)
		return nil
	}
	return err
}

// followUps wakes those that wait, now and then: a close may not have reached one, and Temporal may have lost one, or what
// it was told.
func (s sweeper) followUps(ctx context.Context, now time.Time) error {
	unchecked, err := s.store.UncheckedFollowUps(ctx, now.Add(-wakeFollowUps), now.Add(-wakeClosed))
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range unchecked {
		errs = append(errs, s.work.WakeFollowUp(ctx, followUpInput(f)))
	}
	return errors.Join(errs...)
}

func followUpInput(f store.OpenFollowUp) workflows.FollowUpInput {
	return workflows.FollowUpInput{Workspace: f.Workspace.String(), Conversation: f.Conversation.String(), Plugin: f.Plugin}
}
