package app_test

import (
	"strings"
	"testing"
	"time"

	"munshi/orchestrator/api"
	"munshi/orchestrator/clock"
)

// Members of a firm get a digest at their chosen hour, and mails about drafts in review; each mail at most once a day,
// and none that they have turned off.
func TestMemberMails(t *testing.T) {
	box := newMailbox(t)
	p := start(t, box.configure(t))
	asha, ravi := p.visitor(), p.visitor()
	for i, v := range []*person{asha, ravi} {
		v.signUp([]string{"asha-mails@example.com", "ravi-mails@example.com"}[i])
		v.post("/api/confirm", entry{"token": box.link(t, i+1)}, 200, nil)
	}
	var firm api.FirmLine
	asha.post("/api/firms", map[string]string{"name": "Mails & Co", "called": "Asha Rao"}, 201, &firm)
	owner := asha.in(firm.ID)
	var invited api.Invited
	owner.post("/api/firm/invitations", map[string]string{"role": "preparer"}, 201, &invited)
	_, token, _ := strings.Cut(invited.Link, "#")
	ravi.post("/api/invitations/accept", map[string]string{"token": token, "called": "Ravi"}, 200, nil)
	preparer := ravi.in(firm.ID)
	send := func() {
		t.Helper()
		must(t, p.app.Mails().Send(t.Context(), time.Now()))
	}
	count := func() int {
		box.mu.Lock()
		defer box.mu.Unlock()
		return len(box.mails)
	}

	var choices api.MailChoices
	owner.get("/api/firm/mails", &choices)
	if choices.DigestHour != nil || !choices.Reviews || !choices.Reminders || !choices.Sent {
		t.Errorf("at first Asha is mailed %+v", choices)
	}
	preparer.post("/api/firm/mails", map[string]any{"digest_hour": 0, "reviews": true, "reminders": true, "language": "hi"}, 200, nil)
	send()
	if n := count(); n != 2 { // there is nothing to report
		t.Fatalf("%d mails, want those of the sign-ups", n)
	}

	c := preparer.converse()
	preparer.answer(c, preparer.hand(c, "testdata/notice.pdf", ""))
	today := time.Now().In(clock.India).Format(time.DateOnly)
	owner.post("/api/matters/"+preparer.filing(c).Matter.ID+"/tasks", map[string]string{"text": "Call the officer", "due": today, "assignee": owner.me().Acting.Member}, 204, nil)
	owner.post("/api/firm/mails", map[string]any{"digest_hour": 0, "reviews": true, "reminders": true, "language": "en"}, 200, nil)
	for range 3 {
		send()
	}
	if mail := box.text(t, 3); !strings.Contains(mail, "Call the officer") || !strings.Contains(mail, "/firm/"+firm.ID+"/app/practice/board") {
		t.Errorf("the digest says %q", mail)
	}

	var templates api.TemplateList
	preparer.get("/api/templates", &templates)
	var d api.Draft
	preparer.post("/api/drafts", map[string]string{"template": templates.Templates[0].ID}, 201, &d)
	preparer.post("/api/drafts/"+d.ID, map[string]string{"title": "A letter on cloves"}, 200, nil)
	preparer.post("/api/drafts/"+d.ID+"/send", nil, 200, nil)
	for range 2 {
		send()
	}
	if mail := box.text(t, 4); !strings.Contains(mail, "A letter on cloves") || !strings.Contains(mail, "Ravi has sent") {
		t.Errorf("the mail to the reviewer says %q", mail)
	}
	owner.post("/api/drafts/"+d.ID+"/return", map[string]string{"reason": " "}, 422, nil)
	owner.post("/api/drafts/"+d.ID+"/return", map[string]string{"reason": "Say more."}, 200, nil)
	for range 2 {
		send()
	}
	if mail := box.text(t, 5); !strings.Contains(mail, "=E0=A4=B2=E0=A5=8C=E0=A4=9F=E0=A4=BE=E0=A4=AF=E0=A4=BE") {
		t.Errorf("the mail to the preparer, who reads Hindi, says %q", mail)
	}
	preparer.post("/api/firm/mails", map[string]any{"reviews": false, "reminders": true, "language": "hi"}, 200, nil)
	preparer.post("/api/drafts/"+d.ID+"/send", nil, 200, &d)
	owner.post("/api/drafts/"+d.ID+"/approve", map[string]any{"read": d.UpdatedAt}, 200, nil)
	send()
	if n := count(); n != 5 {
		t.Errorf("%d mails, want no second one of the same day, and none that was turned off", n)
	}
}
