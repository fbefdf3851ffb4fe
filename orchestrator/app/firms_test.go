package app_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"munshi/config"
	"munshi/orchestrator/activities"
	"munshi/orchestrator/api"
	"munshi/orchestrator/app"
	"munshi/orchestrator/role"
	"munshi/workflows"
)

// A person is invited by mail, works in the firm as well as in their own workspace, gets reminders of its dates with
// links into it, and leaves; what they wrote stays.
func TestFirm(t *testing.T) {
	box := newMailbox(t)
	p := start(t, box.configure(t))
	asha, ravi := p.visitor(), p.visitor()
	for i, v := range []*person{asha, ravi} {
		v.signUp([]string{"asha@example.com", "ravi@example.com"}[i])
		v.post("/api/confirm", entry{"token": box.link(t, i+1)}, 200, nil)
	}
	asha.post("/api/firms", map[string]string{"name": " ", "called": "Asha Rao"}, 422, nil)
	var firm api.FirmLine
	asha.post("/api/firms", map[string]string{"name": "Rao  & Co", "called": "Asha Rao"}, 201, &firm)
	owner := asha.in(firm.ID)
	if me := owner.me(); me.Acting == nil || me.Acting.Name != "Rao & Co" || me.Acting.Role != "owner" || me.Acting.Called != "Asha Rao" {
		t.Fatalf("in the firm Asha is %+v", me.Acting)
	}
	if me := asha.me(); me.Acting != nil || len(me.Firms) != 1 {
		t.Fatalf("in her own workspace Asha is %+v", me)
	}
	asha.call("GET", "/api/firm", "", nil, 404, nil)

	var invited api.Invited
	owner.post("/api/firm/invitations", map[string]string{"role": "preparer", "email": "nobody"}, 422, nil)
	owner.post("/api/firm/invitations", map[string]string{"role": "preparer", "email": "ravi@example.com"}, 201, &invited)
	if !invited.Mailed {
		t.Error("the invitation was not mailed")
	}
	mail := box.text(t, 3)
	token := regexp.MustCompile(`/join#([A-Z2-7]+)`).FindStringSubmatch(mail)
	if token == nil || !strings.Contains(mail, "Asha Rao invites you to work in Rao & Co") {
		t.Fatalf("the mail says %q", mail)
	}
	var to api.InvitedTo
	ravi.post("/api/invitations/look", map[string]string{"token": token[1]}, 200, &to)
	if to.Firm != "Rao & Co" || to.By != "Asha Rao" || to.Role != "preparer" {
		t.Errorf("the link invites to %+v", to)
	}
	p.visitor().post("/api/invitations/accept", map[string]string{"token": token[1], "called": "Ravi"}, 401, nil)
	ravi.post("/api/invitations/accept", map[string]string{"token": token[1], "called": "Ravi Kulkarni"}, 200, nil)
	ravi.post("/api/invitations/accept", map[string]string{"token": token[1], "called": "Ravi"}, 410, nil)
	preparer := ravi.in(firm.ID)

	c := preparer.converse()
	preparer.answer(c, preparer.hand(c, "testdata/notice.pdf", ""))
	owner.detail(c)
	asha.call("GET", "/api/conversations/"+c, "", nil, 404, nil)
	ravi.call("GET", "/api/conversations/"+c, "", nil, 404, nil)
	f := activities.FollowUps{Store: p.app.Store, Work: p.app.Work, Mail: app.Mailer(p.app.Config.Mail), URL: "http://munshi.example", Log: p.app.Log}
	in := workflows.FollowUpInput{Workspace: firm.ID, Conversation: c, Plugin: "notice"}
	must(t, f.Remind(t.Context(), in, owner.replyDay(c), 3))
	if mail := box.text(t, 4); !strings.Contains(mail, "http://munshi.example/firm/"+firm.ID+"/app/notices/"+c) {
		t.Errorf("the reminder says %q", mail)
	}

	var all api.Firm
	owner.get("/api/firm", &all)
	at := slices.IndexFunc(all.Members, func(m api.Member) bool { return m.Name == "Ravi Kulkarni" })
	if len(all.Members) != 2 || at < 0 || all.Members[at].Email != "ravi@example.com" || all.Seats != nil {
		t.Fatalf("the firm is %+v", all)
	}
	preparer.call("DELETE", "/api/firm/members/"+all.Members[at].ID, "", nil, 403, nil)
	preparer.post("/api/firm/leave", nil, 204, nil)
	preparer.call("GET", "/api/conversations/"+c, "", nil, 403, nil)
	owner.detail(c)
	var log api.FirmLog
	owner.get("/api/firm/log", &log)
	var events []string
	for _, e := range log.Entries {
		events = append(events, e.Who+" "+e.Event)
	}
	if want := []string{"Ravi Kulkarni left", " paper_filed", "Ravi Kulkarni joined", "Asha Rao invited", "Asha Rao founded"}; !slices.Equal(events, want) {
		t.Errorf("the log reads %q", events)
	}

	asha.post("/api/erase", map[string]string{"password": password}, 409, nil)
	var e api.Erasure
	owner.post("/api/erase", map[string]string{"password": password}, 202, &e)
	owner.call("GET", "/api/firm", "", nil, 403, nil)
	must(t, p.app.Temporal.GetWorkflow(t.Context(), workflows.EraseWorkflowID(firm.ID), "").Get(t.Context(), nil))
	if where := p.tablesWith(firm.ID, c); len(where) > 0 {
		t.Errorf("after the firm was closed there is still %v", where)
	}
	if me := asha.me(); !me.SignedIn || len(me.Firms) != 0 {
		t.Errorf("with her firm closed Asha is %+v", me)
	}
}

// A firm's uses are counted separately, and it pays by seats.
func TestFirmPays(t *testing.T) {
	p := start(t, func(c *config.Config) {
		twoUses(c)
		c.Payment.Provider, c.Firms.FreeSeats, c.Firms.SeatPaise = "sandbox", 4, 700
	})
	f := p.staffed("payers")
	owner, partner := f.as[role.Owner], f.as[role.Partner]
	c := partner.converse()
	partner.use(c)
	f.as[role.Preparer].use(c)
	said := map[string]string{"text": "And a third?"}
	owner.post("/api/conversations/"+c+"/messages", said, 402, nil)
	if me := owner.me(); me.Used != 2 || me.Free != 2 || !me.Limited {
		t.Errorf("the firm has used %d of %d", me.Used, me.Free)
	}
	own := *owner
	own.address = p.address
	if me := own.me(); me.Used != 0 {
		t.Errorf("the owner has used %d", me.Used)
	}
	p.joining(f, "fourth", role.Preparer)
	var invited api.Invited
	owner.post("/api/firm/invitations", map[string]string{"role": "preparer"}, 201, &invited)
	fifth := p.visitor()
	fifth.signUp("fifth@example.com")
	_, token, _ := strings.Cut(invited.Link, "#")
	join := map[string]string{"token": token, "called": "Fifth"}
	fifth.post("/api/invitations/accept", join, 409, nil)

	partner.post("/api/payments", map[string]int{"seats": 5}, 403, nil)
	var order api.PaymentOrder
	owner.post("/api/payments", map[string]int{"seats": 5}, 201, &order)
	var paid api.SandboxPayment
	owner.post("/api/payments/"+order.OrderID+"/sandbox", nil, 200, &paid)
	owner.post("/api/payments/verify", map[string]string{"order_id": order.OrderID, "payment_id": paid.PaymentID, "signature": paid.Signature}, 200, nil)
	var receipt api.Receipt
	owner.get("/api/payments/"+order.OrderID+"/receipt", &receipt)
	if receipt.TotalPaise != 5*700 {
		t.Errorf("five seats cost %d paise", receipt.TotalPaise)
	}
	fifth.post("/api/invitations/accept", join, 200, nil)
	partner.use(c)
	if own.me().Premium || !partner.me().Premium {
		t.Error("the payment is not the firm's")
	}
}

// text waits for the nth mail and returns its text.
func (m *mailbox) text(t *testing.T, n int) (text string) {
	t.Helper()
	await(t, "the mail", func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		if len(m.mails) >= n {
			text = m.mails[n-1]
		}
		return text != ""
	})
	return text
}
