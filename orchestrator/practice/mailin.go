package practice

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	netmail "net/mail"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap"
	"github.com/emersion/go-imap/client"
	"github.com/google/uuid"

	"munshi/orchestrator/api"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// Mailbox is the operator's mailbox, to which papers are sent by e-mail.
type Mailbox struct {
	Host           string // empty: no mailbox is configured
	Port           int
	User, Password string
	TLS            string // implicit, starttls or none
	Name           string // the folder, such as INBOX
	// Address is the base of the firms' secret addresses: munshi@example.com, or @in.example.com for a domain that
	// accepts mail for every name.
	Address string
	// Trusted is the authserv-id of the server whose Authentication-Results are trusted. If it is empty, the From header
	// is not verified.
	Trusted  string
	MaxBytes int64 // the maximum size of a mail
}

// MailIntake fetches mails and processes their attachments like uploaded files.
type MailIntake struct {
	Store   *store.Store
	Intake  api.Intake
	Mailbox Mailbox
	Log     *slog.Logger
}

var _ api.MailIntake = MailIntake{}

// The time limit for one session with the mail server, the number of mails fetched at a time, and how long a mail stays
// in quarantine.
const (
	imapTime       = 2 * time.Minute
	mailsAtOnce    = 50
	quarantineLife = 30 * 24 * time.Hour
)

// On implements api.MailIntake.
func (in MailIntake) On() bool { return in.Mailbox.Host != "" }

// Address implements api.MailIntake.
func (in MailIntake) Address(token string) string {
	local, domain, _ := strings.Cut(in.Mailbox.Address, "@")
	if local == "" {
		return token + "@" + domain
	}
	return local + "+" + token + "@" + domain
}

// NewToken implements api.MailIntake. The token has at least 128 random bits.
func (MailIntake) NewToken() string { return strings.ToLower(rand.Text()) }

// Poll fetches new mails and processes the waiting ones. Mails that were fetched earlier are processed even if the mail
// server cannot be reached.
func (in MailIntake) Poll(ctx context.Context, now time.Time) error {
	if !in.On() {
		return nil
	}
	fetched := in.fetch(ctx)
	return errors.Join(fetched, in.takeAll(ctx, now), in.Store.DropMails(ctx, now.Add(-quarantineLife)))
}

// fetch stores the mails that arrived since the last call. Each mail is stored before the position in the mailbox
// advances, and storing it again has no effect, so a crash in between neither loses nor duplicates a mail.
func (in MailIntake) fetch(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, imapTime)
	defer cancel()
	c, err := in.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = c.Logout() }()
	status, err := c.Select(in.Mailbox.Name, true)
	if err != nil {
		return fmt.Errorf("open the mailbox: %w", err)
	}
	place := in.Mailbox.User + "@" + in.Mailbox.Host + "/" + in.Mailbox.Name
	validity, last, err := in.Store.MailPlace(ctx, place)
	if err != nil {
		return err
	}
	if validity != int64(status.UidValidity) {
		last = 0
	}
	if status.Messages == 0 {
		return nil
	}
	since := new(imap.SeqSet)
	since.AddRange(uint32(last)+1, 0)
	uids, err := c.UidSearch(&imap.SearchCriteria{Uid: since})
	if err != nil {
		return fmt.Errorf("look what has come: %w", err)
	}
	n := 0
	slices.Sort(uids)
	for _, uid := range uids {
		if int64(uid) <= last { // a range up to "*" always includes the last mail
			continue
		}
		if n++; n > mailsAtOnce {
			return nil
		}
		raw, large, err := in.read(c, uid)
		if err != nil {
			return err
		}
		if raw != nil {
			if err := in.keep(ctx, raw, large); err != nil {
				return err
			}
		}
		if err := in.Store.SetMailPlace(ctx, place, int64(status.UidValidity), int64(uid)); err != nil {
			return err
		}
	}
	return nil
}

// connect signs in to the mail server. The connection is closed when ctx ends.
func (in MailIntake) connect(ctx context.Context) (*client.Client, error) {
	m := in.Mailbox
	dialer := net.Dialer{Timeout: mailTime}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(m.Host, fmt.Sprint(m.Port)))
	if err != nil {
		return nil, fmt.Errorf("reach the mail server: %w", err)
	}
	secure := &tls.Config{ServerName: m.Host, MinVersion: tls.VersionTLS12}
	if m.TLS == "implicit" {
		conn = tls.Client(conn, secure)
	}
	context.AfterFunc(ctx, func() { _ = conn.Close() })
	c, err := client.New(conn)
	if err == nil && m.TLS == "starttls" {
		err = c.StartTLS(secure)
	}
	if err == nil {
		err = c.Login(m.User, m.Password)
	}
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("sign in at the mail server: %w", err)
	}
	return c, nil
}

// read fetches a mail, or only its header if it is too large. raw is nil if the mail no longer exists.
func (in MailIntake) read(c *client.Client, uid uint32) (raw []byte, large bool, err error) {
	one := new(imap.SeqSet)
	one.AddNum(uid)
	sizes, err := fetchOne(c, one, imap.FetchRFC822Size)
	if err != nil || sizes == nil {
		return nil, false, err
	}
	section := &imap.BodySectionName{Peek: true}
	if large = int64(sizes.Size) > in.Mailbox.MaxBytes; large {
		section.Specifier = imap.HeaderSpecifier
	}
	m, err := fetchOne(c, one, section.FetchItem())
	if err != nil || m == nil {
		return nil, false, err
	}
	body := m.GetBody(section)
	if body == nil {
		return nil, false, nil
	}
	if raw, err = io.ReadAll(io.LimitReader(body, in.Mailbox.MaxBytes+1)); err != nil {
		return nil, false, fmt.Errorf("read a mail: %w", err)
	}
	return raw, large, nil
}

func fetchOne(c *client.Client, which *imap.SeqSet, item imap.FetchItem) (*imap.Message, error) {
	got := make(chan *imap.Message, 4)
	if err := c.UidFetch(which, []imap.FetchItem{imap.FetchUid, item}, got); err != nil {
		return nil, fmt.Errorf("fetch a mail: %w", err)
	}
	return <-got, nil // nil: the mail no longer exists
}

// keep stores a mail for each firm to whose address it was sent. A mail that was sent to no firm is not stored.
func (in MailIntake) keep(ctx context.Context, raw []byte, large bool) error {
	m := readMail(raw, in.Mailbox.Trusted)
	for _, address := range m.to {
		token, ours := in.tokenOf(address)
		if !ours {
			continue
		}
		firm, err := in.Store.FirmOfAddress(ctx, token)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		sum := sha256.Sum256(raw)
		n := store.NewMail{Workspace: firm, SHA256: sum[:], Sender: m.from, Subject: m.subject, Files: m.files, Raw: raw}
		switch {
		case large, m.files > store.MostFiles:
			n.Problem, n.Raw, n.Files = "mail_too_large", nil, 0
		case m.broken:
			n.Problem, n.Files = "mail_unreadable", 0
		case in.Mailbox.Trusted != "" && !m.authentic:
			n.Problem = "mail_not_authentic"
		case m.files == 0:
			n.Problem = "mail_without_files"
		}
		if err := in.Store.KeepMail(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// tokenOf returns the secret part of an address, if it has the form of a firm's address.
func (in MailIntake) tokenOf(address string) (token string, ours bool) {
	local, domain, _ := strings.Cut(strings.ToLower(address), "@")
	base, home, _ := strings.Cut(strings.ToLower(in.Mailbox.Address), "@")
	if domain != home {
		return "", false
	}
	if base == "" {
		return local, true
	}
	return strings.CutPrefix(local, base+"+")
}

// takeAll processes the files of all waiting mails. A mail that fails waits for longer each time and does not hold up the
// others; in the end it goes into quarantine.
func (in MailIntake) takeAll(ctx context.Context, now time.Time) error {
	waiting, err := in.Store.WaitingMails(ctx, now)
	if err != nil {
		return err
	}
	var errs []error
	for _, m := range waiting {
		if err := in.take(ctx, m.WorkspaceID, m.ID, now); !errors.Is(err, store.ErrNotFound) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// take passes the files of a mail to the intake, one by one, and then marks the mail as done. It can safely be repeated:
// the intake accepts each file only once. Files beyond those that a batch may have are listed as left out.
func (in MailIntake) take(ctx context.Context, workspace, id uuid.UUID, now time.Time) error {
	raw, batch, err := in.Store.MailToTake(ctx, workspace, id, now)
	if err != nil {
		return err
	}
	err = attachments(raw, func(name string, content io.Reader) error {
		err := in.takeFile(ctx, workspace, batch, name, content)
		if !errors.Is(err, store.ErrTooMany) {
			return err
		}
		return in.leaveOut(ctx, workspace, batch, name)
	})
	if err != nil {
		return err
	}
	return in.Store.MailTaken(ctx, workspace, id)
}

// leaveOut lists a file that was not accepted because the batch is full.
func (in MailIntake) leaveOut(ctx context.Context, workspace, batch uuid.UUID, name string) error {
	sum := sha256.Sum256([]byte(name))
	n := store.NewFile{Workspace: workspace, Batch: batch, Name: name, SHA256: sum[:], LeftOut: true}
	var err error
	if n.Problem, err = problemOf(problem.New("batch_full.file", problem.Params{"files": store.MostFiles}, nil)); err != nil {
		return err
	}
	_, err = in.Store.TakeFile(ctx, n)
	return err
}

func (in MailIntake) takeFile(ctx context.Context, workspace, batch uuid.UUID, name string, content io.Reader) error {
	out, err := os.CreateTemp("", "munshi-mail-*")
	if err != nil {
		return fmt.Errorf("make a temporary file for an attachment: %w", err)
	}
	defer os.Remove(out.Name())
	// A badly encoded file is passed on as far as it can be read, and is then refused like any damaged file. An error
	// here would recur at each attempt, and the other files of the mail would never be processed.
	_, err = io.Copy(out, untilUnreadable{content})
	if err = errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("write an attachment to disk: %w", err)
	}
	return in.Intake.Take(ctx, workspace, batch, api.IntakeFile{Name: name, Path: out.Name(), Language: "en"})
}

// untilUnreadable treats a read error as the end of the file.
type untilUnreadable struct{ io.Reader }

// Read implements io.Reader.
func (r untilUnreadable) Read(p []byte) (n int, err error) {
	if n, err = r.Reader.Read(p); err != nil {
		err = io.EOF
	}
	return n, err
}

// addressOf returns an e-mail address without the display name, in lower case, or "" if it is not an address.
func addressOf(said string) string {
	a, err := netmail.ParseAddress(said)
	if err != nil {
		return ""
	}
	return strings.ToLower(a.Address)
}
