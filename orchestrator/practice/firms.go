// Package practice has what firms need in addition to single persons: members, clients, matters, and batches of
// papers. It is independent of package notices, stores everything in the store and calls no model.
package practice

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/account"
	"munshi/orchestrator/api"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// Firms creates firms and brings people into them.
type Firms struct {
	Store        *store.Store
	Mail         account.Mailer // nil: no mail is sent
	Seats        int            // number of seats without paying; 0: any number
	URL, Product string
	Log          *slog.Logger
}

var _ api.Firms = Firms{}

// invitationLife is how long an invitation link is valid.
const invitationLife = 7 * 24 * time.Hour

// mailTime is how long an inviting member waits for the mail server to accept the mail.
const mailTime = 10 * time.Second

// How many firms one person may create, and how many people a firm may invite.
var (
	perPerson = store.Rate{Every: 15 * 24 * time.Hour, Burst: 2}
	perFirm   = store.Rate{Every: time.Minute, Burst: 60}
)

// FreeSeats implements api.Firms.
func (f Firms) FreeSeats() int { return f.Seats }

// Found creates a firm. It implements api.Firms.
func (f Firms) Found(ctx context.Context, person uuid.UUID, firm, name string) (uuid.UUID, error) {
	wait, err := f.Store.Throttle(ctx, "firms "+person.String(), perPerson)
	if err != nil {
		return uuid.Nil, err
	}
	if wait > 0 {
		return uuid.Nil, problem.New("many_firms", problem.Params{"after": wait}, nil)
	}
	return f.Store.FoundFirm(ctx, person, firm, name)
}

// Invite implements api.Firms.
func (f Firms) Invite(ctx context.Context, in api.Invitee) (api.Invited, error) {
	a, _ := store.ActingIn(ctx)
	email := strings.TrimSpace(in.Email)
	if email != "" {
		if _, err := account.AddressOf(email); err != nil {
			return api.Invited{}, err
		}
	}
	wait, err := f.Store.Throttle(ctx, "invitations "+a.Workspace.String(), perFirm)
	if err != nil {
		return api.Invited{}, err
	}
	if wait > 0 {
		return api.Invited{}, problem.New("many_invitations", problem.Params{"after": wait}, nil)
	}
	token := rand.Text() + rand.Text() // 2 × 128 bits
	id, err := f.Store.Invite(ctx, a.Workspace,
		store.NewInvitation{Token: token, Role: in.Role, Email: email, Life: invitationLife})
	if err != nil {
		return api.Invited{}, err
	}
	link := strings.TrimRight(f.URL, "/") + "/join#" + token
	out := api.Invited{ID: id.String(), Link: link}
	if email == "" || f.Mail == nil {
		return out, nil
	}
	m := account.MailsIn(in.Language).Invite.With("{by}", a.Name, "{firm}", a.Firm, "{product}", f.Product, "{link}",
		link)
	sending, cancel := context.WithTimeout(ctx, mailTime)
	defer cancel()
	if err := f.Mail.Send(sending, email, m.Subject, m.Text); err != nil {
		f.Log.WarnContext(ctx, "an invitation could not be mailed; its link is shown to whoever invites", "error", err)
		return out, nil
	}
	out.Mailed = true
	return out, nil
}

// Accept implements api.Firms.
func (f Firms) Accept(ctx context.Context, token string, person uuid.UUID, name string) (uuid.UUID, error) {
	firm, err := f.Store.AcceptInvitation(ctx, token, person, name, f.Seats)
	if err != nil {
		return uuid.Nil, fmt.Errorf("join a firm: %w", err)
	}
	return firm, nil
}
