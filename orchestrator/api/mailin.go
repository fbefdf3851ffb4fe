package api

import (
	"context"
	"errors"
	"net/http"
	"net/mail"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// MailIntake receives papers by e-mail.
type MailIntake interface {
	// On reports whether the operator has configured a mailbox.
	On() bool
	// Address returns the e-mail address of a firm for its secret part.
	Address(token string) string
	// NewToken returns a new secret part for an address.
	NewToken() string
}

// MailIn holds a firm's settings for receiving papers by e-mail, and the mails in quarantine.
type MailIn struct {
	On         bool              `json:"on" doc:"Whether this server can receive papers by e-mail"`
	Address    string            `json:"address" doc:"The firm's secret address; empty if it has none yet"`
	Senders    []MailSender      `json:"senders" doc:"The senders whose e-mails are accepted"`
	Quarantine []QuarantinedMail `json:"quarantine" doc:"The e-mails in quarantine, newest first"`
}

// MailSender is a sender whose e-mails are accepted.
type MailSender struct {
	ID      string `json:"id" format:"uuid"`
	Address string `json:"address"`
}

// QuarantinedMail is an e-mail whose files were not accepted automatically.
type QuarantinedMail struct {
	ID         string    `json:"id" format:"uuid"`
	Sender     string    `json:"sender" doc:"The sender according to the e-mail; empty if it names none or several"`
	Subject    string    `json:"subject"`
	Files      int       `json:"files" doc:"The number of attached files; if 0, the e-mail cannot be accepted"`
	Said       Sentence  `json:"said" doc:"Why it is in quarantine"`
	ReceivedAt time.Time `json:"received_at"`
}

func (s *server) mailInRoutes(api huma.API) {
	get(api, "get-mail-in", "/api/firm/mail-in", "Get the settings for receiving papers by e-mail, and the e-mails in quarantine",
		s.mailIn)
	post(api, "renew-mail-address", "/api/firm/mail-in/address", "Give the firm a new secret address", http.StatusOK,
		s.renewMailAddress)
	post(api, "add-mail-sender", "/api/firm/mail-in/senders", "Add a sender whose e-mails are accepted", http.StatusOK,
		s.addMailSender)
	remove(api, "remove-mail-sender", "/api/firm/mail-in/senders/{id}", "Remove a sender from the list", s.removeMailSender)
	post(api, "settle-mail", "/api/firm/mail-in/mails/{id}", "Accept an e-mail in quarantine, or discard it",
		http.StatusOK, s.settleMail)
}

func (s *server) mailIn(ctx context.Context, _ *none) (*body[MailIn], error) {
	a, _ := store.ActingIn(ctx)
	m, err := s.Store.MailIn(ctx, a.Workspace)
	if err != nil {
		return nil, s.toProblem(err)
	}
	out := MailIn{On: s.MailIntake.On(), Senders: []MailSender{}, Quarantine: []QuarantinedMail{}}
	if out.On && m.Token != "" {
		out.Address = s.MailIntake.Address(m.Token)
	}
	for _, one := range m.Senders {
		out.Senders = append(out.Senders, MailSender{one.ID.String(), one.Address})
	}
	for _, one := range m.Quarantine {
		why := problem.New(one.Problem, nil, nil)
		out.Quarantine = append(out.Quarantine, QuarantinedMail{ID: one.ID.String(), Sender: one.Sender,
			Subject: one.Subject, Files: int(one.Files), Said: Sentence(why.Message()), ReceivedAt: one.ReceivedAt})
	}
	return &body[MailIn]{out}, nil
}

func (s *server) renewMailAddress(ctx context.Context, _ *none) (*body[MailIn], error) {
	a, _ := store.ActingIn(ctx)
	if !s.MailIntake.On() {
		return nil, refuse("no_mail_in", nil)
	}
	if err := s.Store.SetMailAddress(ctx, a.Workspace, s.MailIntake.NewToken()); err != nil {
		return nil, s.toProblem(err)
	}
	return s.mailIn(ctx, nil)
}

type mailSenderInput struct {
	Body struct {
		Address string `json:"address" maxLength:"320"`
	}
}

func (s *server) addMailSender(ctx context.Context, in *mailSenderInput) (*body[MailIn], error) {
	a, _ := store.ActingIn(ctx)
	address, err := mail.ParseAddress(store.OneLine(in.Body.Address))
	if err != nil {
		return nil, refuse("bad_email", nil)
	}
	err = s.Store.AddMailSender(ctx, a.Workspace, address.Address)
	if errors.Is(err, store.ErrTooMany) {
		err = problem.New("many_senders", problem.Params{"most": store.MostSenders}, err)
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.mailIn(ctx, nil)
}

func (s *server) removeMailSender(ctx context.Context, in *idInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	if err := s.Store.RemoveMailSender(ctx, a.Workspace, in.ID); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

type settleMailInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Accept bool `json:"accept" doc:"True to process its files, false to discard it"`
	}
}

func (s *server) settleMail(ctx context.Context, in *settleMailInput) (*body[MailIn], error) {
	a, _ := store.ActingIn(ctx)
	if err := s.Store.SettleMail(ctx, a.Workspace, in.ID, in.Body.Accept); err != nil {
		return nil, s.toProblem(err)
	}
	return s.mailIn(ctx, nil)
}
