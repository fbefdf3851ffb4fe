package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"munshi/orchestrator/store"
)

// MailChoices says which mails a member of a firm wants.
type MailChoices struct {
	Sent       bool   `json:"sent" doc:"This server sends e-mail"`
	DigestHour *int   `json:"digest_hour" minimum:"0" maximum:"23" doc:"The hour, in India, at which the daily digest is sent; null for none"`
	Reviews    bool   `json:"reviews" doc:"E-mails about drafts sent for review, returned or approved"`
	Reminders  bool   `json:"reminders" doc:"E-mails about dates in matters assigned to them or reviewed by them"`
	Language   string `json:"language" enum:"en,hi"`
}

func (s *server) mailRoutes(api huma.API) {
	get(api, "get-mail-choices", "/api/firm/mails", "What whoever asks is mailed about the firm's work", s.mailChoices)
	post(api, "set-mail-choices", "/api/firm/mails", "Say what to be mailed about the firm's work", http.StatusOK,
		s.setMailChoices)
}

func (s *server) mailChoices(ctx context.Context, _ *none) (*body[MailChoices], error) {
	a, _ := store.ActingIn(ctx)
	c, err := s.Store.MailChoices(ctx, a.Workspace, a.Member)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[MailChoices]{MailChoices{Sent: s.Config.Mail, DigestHour: c.DigestHour, Reviews: c.Reviews,
		Reminders: c.Reminders, Language: c.Language}}, nil
}

type mailChoicesInput struct {
	Body struct {
		DigestHour *int   `json:"digest_hour,omitempty" minimum:"0" maximum:"23" doc:"Left out for no digest"`
		Reviews    bool   `json:"reviews"`
		Reminders  bool   `json:"reminders"`
		Language   string `json:"language" enum:"en,hi"`
	}
}

func (s *server) setMailChoices(ctx context.Context, in *mailChoicesInput) (*body[MailChoices], error) {
	a, _ := store.ActingIn(ctx)
	b := in.Body
	err := s.Store.SetMailChoices(ctx, a.Workspace, store.MailChoices{DigestHour: b.DigestHour, Reviews: b.Reviews,
		Reminders: b.Reminders, Language: b.Language})
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.mailChoices(ctx, nil)
}
