package app_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/backend/memory"
	"github.com/emersion/go-imap/server"
	"github.com/google/uuid"

	"munshi/orchestrator/api"
	"munshi/orchestrator/practice"
)

// mailed returns a mail with attached files.
func mailed(from, to, subject, head string, files map[string][]byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%sFrom: %s\r\nTo: %s\r\nSubject: %s\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=xyz\r\n\r\n--xyz\r\nContent-Type: text/plain\r\n\r\nPlease see.\r\n", head, from, to, subject)
	for name, content := range files {
		fmt.Fprintf(&b, "--xyz\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=%q\r\n\r\n%s\r\n", name, base64.StdEncoding.EncodeToString(content))
	}
	b.WriteString("--xyz--\r\n")
	return b.Bytes()
}

// dying takes one file, and then fails.
type dying struct {
	api.Intake
	taken int
}

func (d *dying) Take(ctx context.Context, workspace, batch uuid.UUID, f api.IntakeFile) error {
	if d.taken++; d.taken > 1 {
		return errors.New("killed")
	}
	return d.Intake.Take(ctx, workspace, batch, f)
}

// Papers that a listed sender mails to a firm's secret address are taken once, whatever fails in between; everything
// else goes into quarantine with the reason until somebody accepts or discards it.
func TestMailIntake(t *testing.T) {
	box := memory.New()
	imap := server.New(box)
	imap.AllowInsecureAuth = true
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	go func() { _ = imap.Serve(listener) }()
	t.Cleanup(func() { _ = imap.Close() })
	user, err := box.Login(nil, "username", "password")
	must(t, err)
	inbox, err := user.GetMailbox("INBOX")
	must(t, err)
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	number, _ := strconv.Atoi(port)

	p := start(t, nil)
	owner := p.visitor()
	owner.signUp("mail-intake@example.com")
	var line api.FirmLine
	owner.post("/api/firms", map[string]string{"name": "Post & Co", "called": "Asha"}, 201, &line)
	owner, firm := owner.in(line.ID), uuid.MustParse(line.ID)
	in := practice.MailIntake{Store: p.app.Store, Intake: p.app.Intake(), Log: p.app.Log, Mailbox: practice.Mailbox{Host: "127.0.0.1", Port: number,
		User: "username", Password: "password", TLS: "none", Name: "INBOX", Address: "munshi@in.example", MaxBytes: 4 << 20}}
	token := in.NewToken()
	must(t, p.app.Store.SetMailAddress(t.Context(), firm, token))
	owner.post("/api/firm/mail-in/senders", map[string]string{"address": "no address"}, 422, nil)
	owner.post("/api/firm/mail-in/senders", map[string]string{"address": "Clerk@Client.example"}, 200, nil)
	owner.post("/api/firm/mail-in/address", nil, 409, nil) // no mailbox is configured for this product
	notice, err := os.ReadFile("testdata/notice.pdf")
	must(t, err)
	to := in.Address(token)
	arrives := func(raw []byte) {
		t.Helper()
		must(t, inbox.CreateMessage(nil, time.Now(), bytes.NewReader(raw)))
	}
	files := map[string][]byte{"notice.pdf": notice, "broken.pdf": []byte("no PDF")}
	arrives(mailed("Clerk <clerk@client.example>", to, "Papers", "", files))
	arrives(mailed("stranger@example.com", to, "Look at this", "", map[string][]byte{"other.pdf": paper("stranger")}))
	arrives(mailed("clerk@client.example", to, "Only words", "", nil))
	arrives(mailed("clerk@client.example", "munshi+nobody@in.example", "For nobody", "", files))

	// One process dies after the first file, and another before the position in the mailbox was
	// stored.
	broken := in
	broken.Intake = &dying{Intake: in.Intake}
	if err := broken.Poll(t.Context(), time.Now()); err == nil {
		t.Error("nobody has died, so that this test would prove nothing")
	}
	_, err = p.connect().Exec(t.Context(), "update mail_places set uid = 0")
	must(t, err)
	for range 2 {
		must(t, in.Poll(t.Context(), time.Now()))
	}
	count := func(sql string) (n int) {
		t.Helper()
		must(t, p.connect().QueryRow(t.Context(), sql, firm).Scan(&n))
		return n
	}
	if n := count("select count(*) from batch_files where workspace_id = $1"); n != 2 {
		t.Errorf("%d files were taken, want each once", n)
	}
	if n := count("select count(*) from conversations where workspace_id = $1"); n != 1 {
		t.Errorf("%d papers are read, want one", n)
	}
	if n := count("select count(*) from mails_in where workspace_id = $1 and state = 'taken' and raw is null"); n != 1 {
		t.Errorf("%d mails are done with", n)
	}
	var now api.MailIn
	owner.get("/api/firm/mail-in", &now)
	if len(now.Quarantine) != 2 || len(now.Senders) != 1 || now.Senders[0].Address != "clerk@client.example" {
		t.Fatalf("the firm has %+v", now)
	}
	var triage api.Triage
	if owner.get("/api/triage", &triage); triage.Held != 2 {
		t.Errorf("of %d mails in quarantine whoever looks at new documents is told", triage.Held)
	}
	why := map[string]api.QuarantinedMail{}
	for _, q := range now.Quarantine {
		why[q.Subject] = q
	}
	if q := why["Look at this"]; !strings.Contains(q.Said.English, "not on your") || q.Files != 1 {
		t.Errorf("of the stranger's mail it says %+v", q)
	}
	if q := why["Only words"]; !strings.Contains(q.Said.English, "attached") {
		t.Errorf("of a mail without files it says %+v", q)
	}
	owner.post("/api/firm/mail-in/mails/"+why["Only words"].ID, map[string]bool{"accept": true}, 404, nil)
	owner.post("/api/firm/mail-in/mails/"+why["Only words"].ID, map[string]bool{"accept": false}, 200, nil)
	owner.post("/api/firm/mail-in/mails/"+why["Look at this"].ID, map[string]bool{"accept": true}, 200, &now)
	must(t, in.Poll(t.Context(), time.Now()))
	if n := count("select count(*) from conversations where workspace_id = $1"); n != 2 || len(now.Quarantine) != 0 {
		t.Errorf("accepted, %d papers are read; in quarantine is %+v", n, now.Quarantine)
	}

	// A mail whose processing always fails does not block others, and is given up in the end.
	sick := in
	sick.Intake = &dying{Intake: in.Intake, taken: 1}
	arrives(mailed("clerk@client.example", to, "Sick", "", map[string][]byte{"sick.pdf": paper("sick")}))
	at := time.Now()
	for range 12 {
		_ = sick.Poll(t.Context(), at)
		at = at.Add(24 * time.Hour)
	}
	owner.get("/api/firm/mail-in", &now)
	if len(now.Quarantine) != 1 || !strings.Contains(now.Quarantine[0].Said.English, "several attempts") {
		t.Fatalf("a mail that cannot be taken is %+v", now.Quarantine)
	}
	owner.post("/api/firm/mail-in/mails/"+now.Quarantine[0].ID, map[string]bool{"accept": true}, 200, &now)
	must(t, in.Poll(t.Context(), time.Now()))
	if n := count("select count(*) from conversations where workspace_id = $1"); n != 3 || len(now.Quarantine) != 0 {
		t.Errorf("accepted, %d papers are read; in quarantine is %+v", n, now.Quarantine)
	}

	// A file that no longer fits into the mail's batch is listed as left out.
	arrives(mailed("clerk@client.example", to, "Full", "", map[string][]byte{"full.pdf": paper("full")}))
	_ = sick.Poll(t.Context(), time.Now())
	_, err = p.connect().Exec(t.Context(), `insert into batch_files (id, workspace_id, batch_id, name, bytes, sha256, problem)
		select gen_random_uuid(), workspace_id, batch_id, n || '.txt', 1, sha256(n::text::bytea), '{}' from mails_in, generate_series(1, 500) n
		where workspace_id = $1 and subject = 'Full'`, firm)
	must(t, err)
	must(t, in.Poll(t.Context(), time.Now()))
	if n := count("select count(*) from batch_files where workspace_id = $1 and name = 'full.pdf' and problem ->> 'code' = 'batch_full.file'"); n != 1 {
		t.Errorf("%d files are listed as left out", n)
	}

	// If the mail server authenticates senders, a forged sender is not accepted, and an authentication result in
	// the mail itself is ignored.
	in.Mailbox.Trusted = "mx.in.example"
	ours := "Authentication-Results: mx.in.example; dmarc=%s header.from=client.example\r\n"
	arrives(mailed("clerk@client.example", to, "Forged", fmt.Sprintf(ours, "fail")+fmt.Sprintf(ours, "pass"), map[string][]byte{"a.pdf": paper("forged")}))
	arrives(mailed("clerk@client.example", to, "Unsigned", "", map[string][]byte{"b.pdf": paper("unsigned")}))
	arrives(mailed("clerk@client.example", to, "Genuine", fmt.Sprintf(ours, "pass"), map[string][]byte{"c.pdf": paper("genuine")}))
	arrives(mailed("clerk@client.example", to, "Of a neighbour", "Authentication-Results: mx.in.example; dkim=pass header.d=evil.example\r\n", map[string][]byte{"d.pdf": paper("neighbour")}))
	must(t, in.Poll(t.Context(), time.Now()))
	owner.get("/api/firm/mail-in", &now)
	var held []string
	for _, q := range now.Quarantine {
		held = append(held, q.Subject)
	}
	if n := count("select count(*) from conversations where workspace_id = $1"); n != 4 || len(held) != 3 {
		t.Errorf("%d papers are read, %q are in quarantine", n, held)
	}

	must(t, p.app.Store.SetMailAddress(t.Context(), firm, in.NewToken()))
	arrives(mailed("clerk@client.example", to, "To the old address", fmt.Sprintf(ours, "pass"), map[string][]byte{"e.pdf": paper("late")}))
	must(t, in.Poll(t.Context(), time.Now()))
	if n := count("select count(*) from mails_in where workspace_id = $1 and subject = 'To the old address'"); n != 0 {
		t.Error("a mail to the address before was kept")
	}
}
