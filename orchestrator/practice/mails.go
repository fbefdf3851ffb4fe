package practice

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/account"
	"munshi/orchestrator/api"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/message"
	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
)

// MemberMails sends mails to members of firms: a daily digest, and news of drafts in review. A member gets the same mail
// at most once a day.
type MemberMails struct {
	Store *store.Store
	Mail  account.Mailer // nil: no mail is sent
	URL   string         // base address of links
	Log   *slog.Logger
}

// How many days ahead the digest looks, how many dates it lists at most, and how long after a change in a review a mail
// about it may still be sent.
const (
	digestDays   = 7
	digestLines  = 40
	reviewIsNews = 24 * time.Hour
)

// Send sends the mails that are due. If one cannot be sent, the others still are.
func (m MemberMails) Send(ctx context.Context, now time.Time) error {
	if m.Mail == nil {
		return nil
	}
	return errors.Join(m.reviews(ctx, now), m.digests(ctx, now), m.Store.ForgetMails(ctx, now))
}

func (m MemberMails) digests(ctx context.Context, now time.Time) error {
	due, err := m.Store.DueDigests(ctx, now)
	if err != nil {
		return err
	}
	var errs []error
	for _, d := range due {
		mail := store.MemberMail{Workspace: d.WorkspaceID, Member: d.ID, Kind: "digest", About: d.WorkspaceID}
		_, err := m.Store.MailOnce(ctx, mail, now, func() error {
			subject, text, err := m.digest(ctx, d, now)
			if err != nil || text == "" { // nothing to report
				return err
			}
			return m.send(ctx, d.Email, subject, text)
		})
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// digest returns a mail with what is due in the member's matters and tasks, and the drafts that wait for their review.
// The text is empty if there is nothing.
func (m MemberMails) digest(ctx context.Context, d store.DigestDue, now time.Time) (subject, text string, err error) {
	now = now.In(clock.India)
	today := now.Format(time.DateOnly)
	days, err := m.Store.Board(ctx, d.WorkspaceID, store.BoardQuery{MatterFilter: store.MatterFilter{Assignee: &d.ID},
		Today: today, Until: now.AddDate(0, 0, digestDays).Format(time.DateOnly), Most: digestLines})
	if err != nil {
		return "", "", err
	}
	reviews, err := m.Store.WaitingReviews(ctx, d.WorkspaceID, d.ID, role.Role(d.Role).May(role.Approve))
	if err != nil || len(days) == 0 && len(reviews) == 0 {
		return "", "", err
	}
	mails := account.MailsIn(d.Language)
	words := mails.DigestWords
	var b strings.Builder
	heading := ""
	for _, day := range days {
		if part := [...]string{words.Overdue, words.Undated, words.Coming, words.Dateless}[day.Part]; part != heading {
			fmt.Fprintf(&b, "%s\n", part)
			heading = part
		}
		b.WriteString("- ")
		if day.Day != nil {
			b.WriteString(message.Date(*day.Day).In(d.Language) + ": ")
		}
		switch day.What {
		case "task":
			fmt.Fprintf(&b, "%s (%s)", *day.Task, day.Client)
		case "hearing":
			fmt.Fprintf(&b, "%s: %s", words.Hearing, ofMatter(day))
		default:
			fmt.Fprintf(&b, "%s: %s", words.Reply, ofMatter(day))
		}
		b.WriteString("\n")
	}
	if len(days) > 0 {
		if all := int(days[0].Overdue + days[0].Undated + days[0].Coming + days[0].Dateless); all > len(days) {
			fmt.Fprintf(&b, "- +%d\n", all-len(days))
		}
	}
	if len(reviews) > 0 {
		fmt.Fprintf(&b, "%s\n", words.Reviews)
		for _, r := range reviews {
			fmt.Fprintf(&b, "- %s\n", r.Title)
		}
	}
	here := m.URL + api.PathOf(d.WorkspaceID, true) + "/app"
	mail := mails.Digest.With("{firm}", d.Firm, "{day}", message.Date(today).In(d.Language), "{lines}",
		strings.TrimRight(b.String(), "\n"), "{link}", here+"/practice/board?assignee="+d.ID.String(), "{settings}",
		here+"/firm")
	return mail.Subject, mail.Text, nil
}

// ofMatter returns the name of a matter's client, followed by the matter's title or else the form of the paper.
func ofMatter(d store.BoardDay) string {
	if d.Title != "" {
		return d.Client + ", " + d.Title
	}
	if d.Form != nil {
		return d.Client + ", " + *d.Form
	}
	return d.Client
}

// reviews mails reviewers about drafts that were sent for review, and senders about drafts that were returned or
// approved.
func (m MemberMails) reviews(ctx context.Context, now time.Time) error {
	news, err := m.Store.ReviewNews(ctx, now.Add(-reviewIsNews))
	if err != nil {
		return err
	}
	firms := map[uuid.UUID][]store.MailedMember{}
	var errs []error
	for _, n := range news {
		if _, known := firms[n.WorkspaceID]; !known {
			if firms[n.WorkspaceID], err = m.Store.MailedMembers(ctx, n.WorkspaceID); err != nil {
				return err
			}
		}
		err := m.review(ctx, n, firms[n.WorkspaceID], now)
		if !errors.Is(err, store.ErrNotFound) { // deleted since
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (m MemberMails) review(ctx context.Context, n store.ReviewNews, members []store.MailedMember, now time.Time) error {
	draft, err := m.Store.DraftForMail(ctx, n.WorkspaceID, n.DraftID)
	if err != nil {
		return err
	}
	var errs []error
	for _, to := range members {
		sender := to.ID == n.SentBy
		switch {
		case to.Email == "" || !to.Reviews:
			continue
		case n.State != "review":
			if !sender || n.DecidedBy != nil && *n.DecidedBy == to.ID {
				continue
			}
		case sender || draft.ReviewerID != nil && *draft.ReviewerID != to.ID ||
			draft.ReviewerID == nil && !role.Role(to.Role).May(role.Approve):
			continue
		}
		mails := account.MailsIn(to.Language)
		text := map[string]account.Mail{"review": mails.ToReview, "returned": mails.Returned,
			"approved": mails.Approved}[n.State]
		here := m.URL + api.PathOf(n.WorkspaceID, true) + "/app"
		mail := text.With("{firm}", to.Firm, "{title}", draft.Title, "{by}", by(members, n), "{link}",
			here+"/drafts/"+n.DraftID.String(), "{settings}", here+"/firm")
		_, err := m.Store.MailOnce(ctx, store.MemberMail{Workspace: n.WorkspaceID, Member: to.ID, Kind: n.State,
			About: n.DraftID}, now, func() error { return m.send(ctx, to.Email, mail.Subject, mail.Text) })
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// by returns the name of the member who sent the draft or, once it is decided, of the one who decided; "" if unknown.
func by(members []store.MailedMember, n store.ReviewNews) string {
	who := n.SentBy
	if n.State != "review" && n.DecidedBy != nil {
		who = *n.DecidedBy
	}
	for _, one := range members {
		if one.ID == who {
			return one.Name
		}
	}
	return ""
}

// send sends a mail, and gives up after mailTime.
func (m MemberMails) send(ctx context.Context, to, subject, text string) error {
	ctx, cancel := context.WithTimeout(ctx, mailTime)
	defer cancel()
	return m.Mail.Send(ctx, to, subject, text)
}
