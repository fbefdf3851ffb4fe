package account

import (
	"context"
	"fmt"

	gomail "github.com/wneessen/go-mail"
)

// Post sends mail by SMTP.
type Post struct {
	Host           string
	Port           int
	User, Password string // without User, mail is sent without authentication
	From           string
	TLS            string // starttls, implicit or none
}

var _ Mailer = Post{}

// Send sends a plain text mail.
func (p Post) Send(ctx context.Context, to, subject, text string) error {
	m := gomail.NewMsg()
	if err := m.From(p.From); err != nil {
		return fmt.Errorf("write the sender of a mail: %w", err)
	}
	if err := m.To(to); err != nil {
		return fmt.Errorf("write the recipient of a mail: %w", err)
	}
	m.Subject(subject)
	m.SetBodyString(gomail.TypeTextPlain, text+"\n")
	options := []gomail.Option{gomail.WithPort(p.Port)}
	switch p.TLS {
	case "implicit":
		options = append(options, gomail.WithSSL())
	case "none":
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if p.User != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(p.User),
			gomail.WithPassword(p.Password))
	}
	client, err := gomail.NewClient(p.Host, options...)
	if err != nil {
		return fmt.Errorf("prepare to send a mail: %w", err)
	}
	if err := client.DialAndSendWithContext(ctx, m); err != nil {
		return fmt.Errorf("send a mail: %w", err)
	}
	return nil
}
