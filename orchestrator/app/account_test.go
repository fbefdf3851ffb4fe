package app_test

import (
	"bufio"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"munshi/config"
	"munshi/orchestrator/account"
	"munshi/orchestrator/activities"
	"munshi/orchestrator/api"
	"munshi/orchestrator/app"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/model/modeltest"
	"munshi/workflows"
)

type entry map[string]string

const password = "a good password"

func credentials(email, password string) entry {
	return entry{"email": email, "password": password, "consent": account.Consent}
}

func (v *person) me() api.Me {
	v.t.Helper()
	var me api.Me
	v.get("/api/me", &me)
	return me
}

func (v *person) signUp(email string) api.Me {
	v.t.Helper()
	var me api.Me
	v.post("/api/sign-up", credentials(email, password), 200, &me)
	return me
}

// use asks a question and waits for the answer.
func (v *person) use(conversation string) {
	v.t.Helper()
	v.settled(conversation, v.say(conversation, "What is section 16 about?").ID, "answered")
}

// twoUses gives visitors two free uses and a small budget, and trusts this machine as a proxy.
func twoUses(c *config.Config) {
	c.Account.FreeUses, c.Server.TrustedProxies = 2, []string{"127.0.0.1"}
	c.Spending.PersonDayPaise, c.Spending.InstallationDayPaise = 100, 150
}

// The usual way: two free uses, an account that keeps the work, two more uses, and then a subscription is needed.
func TestFromVisitorToAccount(t *testing.T) {
	p := start(t, twoUses)
	asha := p.visitor()
	if me := asha.me(); me.SignedIn || me.Used != 0 || me.Free != 2 {
		t.Errorf("a stranger is %+v", me)
	}
	c := asha.converse()
	asha.use(c)
	asha.use(c)
	if me := asha.me(); me.Used != 2 {
		t.Errorf("after two questions %d are used", me.Used)
	}
	said := map[string]string{"text": "And a third?"}
	var refused api.Problem
	asha.post("/api/conversations/"+c+"/messages", said, 402, &refused)
	if refused.Code != "no_use_left" {
		t.Errorf("the third is refused with %+v", refused)
	}
	asVisitor := asha.cookie("munshi").Value
	if me := asha.signUp("Asha@Example.com"); !me.SignedIn || me.Email != "Asha@Example.com" || me.Used != 0 {
		t.Errorf("signed up, she is %+v", me)
	}
	if asha.cookie("munshi").Value == asVisitor {
		t.Error("signing up did not change the session's token")
	}
	if d := asha.detail(c); len(d.Messages) != 4 {
		t.Errorf("her conversation has %d messages, want the 4 of before", len(d.Messages))
	}
	asha.use(c)
	asha.use(c)
	asha.post("/api/conversations/"+c+"/messages", said, 402, &refused)

	// Someone who signs out is the previous visitor again, with the uses spent.
	asha.post("/api/sign-out", nil, 204, nil)
	if me := asha.me(); me.SignedIn || me.Used != 2 {
		t.Errorf("signed out, the browser is %+v", me)
	}
	asha.call("GET", "/api/conversations/"+c, "", nil, 404, nil)

	// In another browser she started as a visitor: after signing in, everything is in one account.
	phone := p.visitor()
	other := phone.converse()
	phone.use(other)
	var me api.Me
	phone.post("/api/sign-in", credentials("asha@example.COM", "a good password"), 200, &me)
	if !me.SignedIn || me.Used != 2 {
		t.Errorf("signed in on the phone, she is %+v", me)
	}
	for _, id := range []string{c, other} {
		phone.detail(id)
	}
	phone.post("/api/conversations/"+other+"/messages", said, 402, &refused)
}

func TestWhoIsLetIn(t *testing.T) {
	p := start(t, nil)
	p.visitor().signUp("asha@example.com")
	tests := []struct {
		name, path string
		in         entry
		status     int
		code       string
	}{
		{"a wrong password", "/api/sign-in", credentials("asha@example.com", "another password"), 401, "wrong_credentials"},
		{"No account has this address", "/api/sign-in", credentials("nobody@example.com", "a good password"), 401, "wrong_credentials"},
		{"no address", "/api/sign-in", credentials("asha", "a good password"), 422, "bad_email"},
		{"an address with a name", "/api/sign-up", credentials("Asha <a@example.com>", "a good password"), 422, "bad_email"},
		{"a line break in it", "/api/sign-up", credentials("a@example.com\r\nBcc: b@example.com", "a good password"), 422, "bad_email"},
		{"a short password", "/api/sign-up", credentials("b@example.com", "1234567"), 422, "short_password"},
		{"a huge one", "/api/sign-up", credentials("b@example.com", strings.Repeat("x", 2000)), 422, "long_password"},
		{"no consent", "/api/sign-up", entry{"email": "b@example.com", "password": "a good password"}, 422, "consent_needed"},
		{"an address that is taken", "/api/sign-up", credentials("ASHA@example.com", "a good password"), 409, "address_taken"},
		{"no such link", "/api/confirm", entry{"token": "x"}, 410, "link_spent"},
		{"no such link", "/api/password/reset", entry{"token": "x", "password": "a good password"}, 410, "link_spent"},
		{"no mail is sent", "/api/password/forgot", entry{"email": "asha@example.com"}, 409, "no_mail"},
		{"not signed in", "/api/password", entry{"old": "x", "new": "a good password"}, 401, "not_signed_in"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := p.visitor()
			v.t = t
			var problem api.Problem
			v.post(tt.path, tt.in, tt.status, &problem)
			if problem.Code != tt.code || problem.Detail == "" {
				t.Errorf("%+v, want %s", problem, tt.code)
			}
		})
	}
	v := p.visitor()
	v.get("/api/config", nil)
	v.call("GET", "/api/devices", "", nil, 401, nil)
}

// Sign-in attempts on one account from many addresses, and from one, are limited; other people can
// still sign in.
func TestTriesAreThrottled(t *testing.T) {
	p := start(t, twoUses)
	p.visitor().signUp("asha@example.com")
	p.visitor().signUp("ravi@example.com")
	known := ""
	try := func(email, password, from string) int {
		body := strings.NewReader(fmt.Sprintf(`{"email":%q,"password":%q}`, email, password))
		req, err := http.NewRequestWithContext(t.Context(), "POST", p.address+"/api/sign-in", body)
		must(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-Forwarded-For", from)
		if known != "" {
			req.AddCookie(&http.Cookie{Name: "munshi-browser", Value: known})
		}
		resp, err := http.DefaultClient.Do(req)
		must(t, err)
		resp.Body.Close()
		for _, c := range resp.Cookies() {
			if c.Name == "munshi-browser" {
				known = c.Value
			}
		}
		return resp.StatusCode
	}
	count := func(email string, from func(int) string, tries int) (refused int) {
		for i := range tries {
			if try(email, "a wrong password", from(i)) == 429 {
				refused++
			}
		}
		return refused
	}
	if status := try("asha@example.com", "a good password", "203.0.113.8"); status != 200 || known == "" {
		t.Fatalf("the owner gets %d, known %v", status, known != "")
	}
	hers := known
	known = ""
	if n := count("asha@example.com", func(int) string { return "192.0.2.1" }, 20); n < 9 {
		t.Errorf("of 20 tries from one address %d were throttled, want all but the first few", n)
	}
	if n := count("asha@example.com", func(i int) string { return fmt.Sprintf("198.51.100.%d", i) }, 60); n < 30 {
		t.Errorf("of 60 tries from as many addresses %d were throttled, want half and more", n)
	}
	if status := try("ravi@example.com", "a good password", "203.0.113.7"); status != 200 {
		t.Errorf("another person gets %d meanwhile", status)
	}
	// The allowance of one account does not affect another; the account's own browser is let in from any address, and
	// has no more attempts than others.
	if status := try("asha@example.com", "a good password", "198.51.100.200"); status != 429 {
		t.Errorf("a browser that she was never in gets %d", status)
	}
	known = hers
	if status := try("asha@example.com", "a good password", "203.0.113.9"); status != 200 || known != hers {
		t.Errorf("the owner gets %d meanwhile", status)
	}
	if n := count("asha@example.com", func(i int) string { return fmt.Sprintf("203.0.113.%d", 20+i) }, 30); n < 15 {
		t.Errorf("of 30 tries from a known browser %d were throttled", n)
	}
}

func TestDevices(t *testing.T) {
	p := start(t, nil)
	desk, phone := p.visitor(), p.visitor()
	desk.signUp("asha@example.com")
	phone.post("/api/sign-in", credentials("asha@example.com", "a good password"), 200, nil)
	var list api.DeviceList
	desk.get("/api/devices", &list)
	if len(list.Devices) != 2 || list.Devices[0].This == list.Devices[1].This {
		t.Fatalf("the devices are %+v", list.Devices)
	}
	desk.post("/api/password", entry{"old": "not this", "new": "a better password"}, 401, nil)
	var calendar api.CalendarAddress
	desk.post("/api/calendar", nil, 200, &calendar)
	before := desk.cookie("munshi").Value
	desk.post("/api/password", entry{"old": "a good password", "new": "a better password"}, 204, nil)
	if after := desk.cookie("munshi").Value; after == before || after == "" {
		t.Error("another password leaves the session its token")
	}
	desk.call("GET", *calendar.Path, "", nil, 404, nil)
	for name, v := range map[string]*person{"the desk": desk, "the phone": phone} {
		known, err := p.app.Store.KnowsBrowser(t.Context(), "asha@example.com", v.cookie("munshi-browser").Value)
		must(t, err)
		if known != (v == desk) {
			t.Errorf("with another password %s is known: %v", name, known)
		}
	}
	if phone.me().SignedIn || !desk.me().SignedIn {
		t.Error("another password leaves the other browser signed in, or not the one that set it")
	}
	phone.post("/api/sign-in", credentials("asha@example.com", "a good password"), 401, nil)
	phone.post("/api/sign-in", credentials("asha@example.com", "a better password"), 200, nil)
	desk.get("/api/devices", &list)
	for _, d := range list.Devices {
		if !d.This {
			desk.call("DELETE", "/api/devices/"+d.ID, "", nil, 204, nil)
		}
	}
	if phone.me().SignedIn {
		t.Error("the phone is still signed in")
	}
	phone.post("/api/sign-in", credentials("asha@example.com", "a better password"), 200, nil)
	phone.post("/api/devices/sign-out", nil, 204, nil)
	if desk.me().SignedIn || !phone.me().SignedIn {
		t.Error("signing out elsewhere signed out here, or not there")
	}
}

// mailbox is an SMTP server that keeps the mails it receives.
type mailbox struct {
	address    string
	mu         sync.Mutex
	mails      []string
	recipients []string
}

// mails is one mailbox for all tests, so that their products can have the same configuration.
var mails mailbox

// newMailbox returns the mailbox, empty.
func newMailbox(t *testing.T) *mailbox {
	t.Helper()
	m := &mails
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mails, m.recipients = nil, nil
	if m.address != "" {
		return m
	}
	l, err := net.Listen("tcp", "127.0.0.1:0") // until the process ends
	must(t, err)
	m.address = l.Addr().String()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go m.take(c)
		}
	}()
	return m
}

func (m *mailbox) take(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	say := func(line string) { _, _ = fmt.Fprintf(c, "%s\r\n", line) }
	say("220 mailbox")
	to := ""
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch verb := strings.ToUpper(strings.Fields(line + " x")[0]); verb {
		case "RCPT":
			to = strings.Trim(line[strings.Index(line, "<"):strings.Index(line, ">")], "<>")
			say("250 fine")
		case "DATA":
			say("354 go on")
			var text strings.Builder
			for {
				line, err := in.ReadString('\n')
				if err != nil || line == ".\r\n" {
					break
				}
				text.WriteString(line)
			}
			m.mu.Lock()
			m.recipients = append(m.recipients, to)
			m.mails = append(m.mails, strings.ReplaceAll(text.String(), "=\r\n", ""))
			m.mu.Unlock()
			say("250 kept")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 fine")
		}
	}
}

// configure makes the product send its mail to the mailbox.
func (m *mailbox) configure(t *testing.T) func(*config.Config) {
	return func(c *config.Config) {
		host, port, err := net.SplitHostPort(m.address)
		must(t, err)
		c.Mail = config.Mail{Host: host, From: "Munshi <munshi@example.com>", TLS: "none"}
		_, err = fmt.Sscan(port, &c.Mail.Port)
		must(t, err)
		c.Server.PublicURL = "http://munshi.example"
	}
}

// link waits for the nth mail and returns the secret of its link, "" if it has none.
func (m *mailbox) link(t *testing.T, n int) string {
	t.Helper()
	var mails []string
	await(t, fmt.Sprintf("mail %d has come", n), func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		mails = m.mails
		return len(mails) >= n
	})
	found := regexp.MustCompile(`/app#(?:confirm|reset)=3D([A-Z0-9]+)|/app#(?:confirm|reset)=([A-Z0-9]+)`).FindStringSubmatch(mails[n-1])
	if found == nil {
		return ""
	}
	return found[1] + found[2]
}

// to waits for the nth mail and returns its recipient.
func (m *mailbox) to(t *testing.T, n int) string {
	t.Helper()
	m.link(t, n)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.recipients[n-1]
}

// With a mail server, an account is created only through the link, and nobody learns which addresses
// have an account.
func TestAccountsByMail(t *testing.T) {
	box := newMailbox(t)
	p := start(t, box.configure(t))
	asha := p.visitor()
	c := asha.converse()
	if me := asha.signUp("asha@example.com"); me.SignedIn {
		t.Error("signed in before the address was confirmed")
	}
	asha.post("/api/sign-in", credentials("asha@example.com", "a good password"), 401, nil)
	secret := box.link(t, 1)

	// Another person who clicks the link in their own browser needs the password.
	stranger := p.visitor()
	stranger.post("/api/confirm", entry{"token": secret}, 401, nil)
	stranger.post("/api/confirm", entry{"token": secret, "password": "guessed that"}, 401, nil)
	var me api.Me
	asha.post("/api/confirm", entry{"token": secret}, 200, &me)
	if !me.SignedIn {
		t.Error("the link did not sign in")
	}
	asha.detail(c)
	asha.post("/api/confirm", entry{"token": secret}, 410, nil)

	// Signing up again with an address that has an account gives the same answer as the first time.
	again := p.visitor()
	if me := again.signUp("ASHA@example.com"); me.SignedIn {
		t.Error("somebody was let in to an account that exists")
	}
	if box.link(t, 2) != "" {
		t.Error("the mail to an address that has an account holds a link that makes one")
	}

	// Mail goes to the address that has the account, not to one that only looks like it.
	fullwidth := p.visitor()
	fullwidth.signUp("\uff52avi@example.com")
	if to := box.to(t, 3); to != "ravi@example.com" {
		t.Errorf("the link that makes an account of ravi@example.com goes to %s", to)
	}

	again.post("/api/password/forgot", entry{"email": "nobody@example.com"}, 202, nil)
	again.post("/api/password/forgot", entry{"email": "asha@example.com"}, 202, nil)
	secret = box.link(t, 4)
	again.post("/api/password/reset", entry{"token": secret, "password": "a better password"}, 200, &me)
	if !me.SignedIn || asha.me().SignedIn {
		t.Error("the new password did not sign in, or left the old session open")
	}
	again.post("/api/password/reset", entry{"token": secret, "password": "a third password"}, 410, nil)
	again.post("/api/sign-out", nil, 204, nil)
	again.post("/api/sign-in", credentials("asha@example.com", "a good password"), 401, nil)
	again.post("/api/sign-in", credentials("asha@example.com", "a better password"), 200, nil)

	// Only a person with a confirmed address can be an operator.
	again.call("GET", "/api/prompts", "", nil, 404, nil)
	must(t, p.app.Store.SetOperator(t.Context(), "asha@example.com", true))
	again.get("/api/prompts", nil)
}

// Someone who signs in while an answer is being written finds it in the account, and can retry what fails there.
func TestSigningInWhileAnAnswerIsWritten(t *testing.T) {
	fake := &modeltest.Server{TokenDelay: 20 * time.Millisecond}
	p := start(t, withModel(t, fake))
	p.visitor().signUp("asha@example.com")
	v := p.visitor()
	c := v.converse()
	v.use(c)
	turn := v.say(c, "Tell me everything.")
	s := v.follow(c, "")
	for e := range s.events {
		if seen, _ := gather(t, e, "", ""); seen != "" {
			break
		}
	}
	s.close()
	v.post("/api/sign-in", credentials("asha@example.com", "a good password"), 200, nil)
	d := v.settled(c, turn.ID)
	if d.Turn.State != "answered" || len(d.Messages) != 4 {
		t.Fatalf("the turn is %s, with %d messages", d.Turn.State, len(d.Messages))
	}
	if me := v.me(); me.Used != 0 {
		t.Errorf("the account has used %d, want none: they were the visitor's", me.Used)
	}
	fake.Next(modeltest.Behaviour{Status: 400})
	failing := v.say(c, "And this?")
	if d := v.settled(c, failing.ID); d.Turn.State != "failed" {
		t.Fatalf("the turn is %s", d.Turn.State)
	}
	if me := v.me(); me.Used != 0 {
		t.Errorf("a failed turn counts as a use: %d", me.Used)
	}
	v.post("/api/turns/"+failing.ID+"/retry", nil, 202, nil)
	v.settled(c, failing.ID, "answered")
	if me := v.me(); me.Used != 1 {
		t.Errorf("tried again and answered, %d are used, want 1", me.Used)
	}
}

// Someone with a confirmed address gets at most one reminder a day for each notice, until they turn reminders off.
func TestRemindersByMail(t *testing.T) {
	box := newMailbox(t)
	p := start(t, box.configure(t))
	asha := p.visitor()
	asha.signUp("asha@example.com")
	asha.post("/api/confirm", entry{"token": box.link(t, 1)}, 200, nil)
	c := asha.converse()
	asha.settled(c, asha.hand(c, filepath.Join("testdata", "notice.pdf"), "").ID, "answered")
	day := asha.replyDay(c)
	f := activities.FollowUps{Store: p.app.Store, Work: p.app.Work, Mail: app.Mailer(p.app.Config.Mail), URL: "http://munshi.example", Log: p.app.Log}
	in := workflows.FollowUpInput{Workspace: p.workspaceOf(t, asha.detail(c).Turn.ID).String(), Conversation: c, Plugin: "notice"}
	for range 2 {
		must(t, f.Remind(t.Context(), in, day, 3))
	}
	must(t, f.Remind(t.Context(), in, day, 1))
	asha.post("/api/me/mail", map[string]bool{"wanted": false}, 204, nil)
	must(t, f.Remind(t.Context(), in, day, 7))
	if me := asha.me(); me.Mail {
		t.Error("mail is still wanted")
	}
	box.mu.Lock()
	defer box.mu.Unlock()
	if len(box.mails) != 3 || !strings.Contains(box.mails[1], "http://munshi.example/app/notices/"+c) {
		t.Errorf("%d mails, want that of the sign-up and two reminders: %q", len(box.mails), box.mails[1:])
	}
}

// Someone who uses Munshi in Hindi gets mails in Hindi: at sign-up, before a reply date, and when a paid period ends.
func TestMailsInHindi(t *testing.T) {
	box := newMailbox(t)
	p := start(t, box.configure(t))
	asha := p.visitor()
	asha.speaks = "hi"
	asha.signUp("asha@example.com")
	asha.post("/api/confirm", entry{"token": box.link(t, 1)}, 200, nil)
	c := asha.converse()
	asha.settled(c, asha.hand(c, filepath.Join("testdata", "notice.pdf"), "").ID, "answered")
	f := activities.FollowUps{Store: p.app.Store, Work: p.app.Work, Mail: app.Mailer(p.app.Config.Mail), URL: "http://munshi.example", Log: p.app.Log}
	workspace := p.workspaceOf(t, asha.detail(c).Turn.ID).String()
	must(t, f.Remind(t.Context(), workflows.FollowUpInput{Workspace: workspace, Conversation: c, Plugin: "notice"}, asha.replyDay(c), 3))
	must(t, p.app.Billing().MailOfEnd(t.Context(), workspace, time.Date(2026, 12, 1, 0, 0, 0, 0, clock.India)))
	box.mu.Lock()
	defer box.mu.Unlock()
	if len(box.mails) != 3 {
		t.Fatalf("%d mails, want that of the sign-up and two reminders", len(box.mails))
	}
	for i, want := range []string{"पुष्टि करें कि यह ई-मेल पता आपका है", "इस नोटिस का जवाब", "आपका प्रीमियम 1 दिसंबर 2026 को खत्म होता है"} {
		_, text, _ := strings.Cut(box.mails[i], "\r\n\r\n")
		read, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(text)))
		must(t, err)
		if !strings.Contains(string(read), want) {
			t.Errorf("mail %d does not say %q: %s", i+1, want, read)
		}
	}
}

// replyDay returns the reply date of a notice.
func (v *person) replyDay(conversation string) string {
	v.t.Helper()
	var list api.NoticeList
	v.get("/api/notices", &list)
	for _, n := range list.Notices {
		if n.ID == conversation && n.ReplyBy != nil {
			return *n.ReplyBy
		}
	}
	v.t.Fatal("the notice has no reply date")
	return ""
}
