package app_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/emersion/go-ical"

	"munshi/orchestrator/api"
	"munshi/orchestrator/clock"
	"munshi/workflows"
)

func (v *person) brief(conversation string) (b api.Brief, facts map[string]any) {
	v.t.Helper()
	v.get("/api/conversations/"+conversation+"/brief", &b)
	must(v.t, json.Unmarshal(b.Facts, &facts))
	return b, facts
}

// replyDue returns the reply deadline shown in the brief.
func replyDue(t *testing.T, b api.Brief) (d struct {
	Date, Source string
	DaysLeft     *int `json:"days_left"`
}) {
	t.Helper()
	var r struct{ Deadlines []json.RawMessage }
	must(t, json.Unmarshal(b.Reckoning, &r))
	for _, raw := range r.Deadlines {
		var of struct{ Code string }
		must(t, json.Unmarshal(raw, &of))
		if of.Code == "reply" {
			must(t, json.Unmarshal(raw, &d))
			return d
		}
	}
	t.Fatalf("there is no deadline to reply: %s", b.Reckoning)
	return d
}

func (v *person) correct(conversation string, body map[string]any, want int) (b api.Brief) {
	v.t.Helper()
	var out any
	if want == http.StatusOK {
		out = &b
	}
	v.post("/api/conversations/"+conversation+"/corrections", body, want, out)
	return b
}

// A person corrects a fact, and everything that depends on it follows: the brief, the list, the calendar, the
// reminders and the next answer; then the correction is undone.
func TestBriefAndCorrections(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	b, facts := v.brief(c)
	if facts["gstin"] != "27ZAPCS4821K1Z6" || replyDue(t, b).Date != "2025-01-06" || len(b.Corrections) != 0 || b.AnsweredAt != nil {
		t.Fatalf("the brief is %s, %s", b.Facts, b.Reckoning)
	}
	if len(b.Papers) == 0 || b.Papers[0].State != "needed" || b.Papers[0].Reason == "" || len(b.Letters) != 2 || !strings.Contains(b.Letters[0].Text, b.Papers[0].Type) {
		t.Errorf("the papers are %+v, the letters %+v", b.Papers, b.Letters)
	}

	b = v.correct(c, map[string]any{"field": "gstin", "value": "27ZAPCS4821K1Z5"}, http.StatusOK)
	if !strings.Contains(b.Doubt.English, "check digit") || !b.Corrections[0].Here || b.Corrections[0].Field != "gstin" {
		t.Errorf("a wrong check digit is doubted as %q, kept as %+v", b.Doubt, b.Corrections)
	}
	if _, facts = v.brief(c); facts["gstin_valid"] != false || facts["corrected"].(map[string]any)["gstin"] != "27ZAPCS4821K1Z6" {
		t.Errorf("the facts are %v", facts)
	}
	v.correct(c, map[string]any{"field": "gstin", "value": "nonsense"}, http.StatusUnprocessableEntity)
	v.correct(c, map[string]any{"field": "pages", "value": 7}, http.StatusUnprocessableEntity)
	v.correct(c, map[string]any{"field": "served_on", "value": "2024-12-01"}, http.StatusUnprocessableEntity)

	parts := []map[string]any{{"label": "GSTR-3B, April 2019", "head": "CGST", "paise": 1_00_000_00, "kind": "short_paid", "from": "2019-05-20", "to": "2020-05-19"}}
	b = v.correct(c, map[string]any{"field": "portions", "value": parts}, http.StatusOK)
	if !strings.Contains(string(b.Reckoning), "GSTR-3B, April 2019") || !strings.Contains(string(b.Reckoning), `"paise":1800000,`) {
		t.Errorf("a year's interest on the part is not in the reckoning: %s", b.Reckoning)
	}
	parts[0]["to"] = "2019-05-01"
	v.correct(c, map[string]any{"field": "portions", "value": parts}, http.StatusUnprocessableEntity)
	v.post("/api/conversations/"+c+"/corrections/undo", map[string]any{"field": "portions"}, http.StatusOK, &b)
	if strings.Contains(string(b.Reckoning), "GSTR-3B, April 2019") {
		t.Error("what was taken back is still reckoned with")
	}

	soon := time.Now().In(clock.India).AddDate(0, 0, 3)
	b = v.correct(c, map[string]any{"field": "reply_due", "value": soon.Format(time.DateOnly)}, http.StatusOK)
	if d := replyDue(t, b); d.Date != soon.Format(time.DateOnly) || *d.DaysLeft != 3 {
		t.Errorf("the reply is due %+v", d)
	}
	answer := v.answer(c, v.say(c, "By when must I reply?"))
	if !strings.Contains(answer.Text, soon.Format("2 January 2006")) && !strings.Contains(answer.Text, soon.Format("02.01.2006")) {
		t.Errorf("the next answer does not know of it:\n%s", answer.Text)
	}
	var list api.NoticeList
	v.get("/api/notices?view=due&search=sahyadri", &list)
	if len(list.Notices) != 1 || list.Total != 1 || *list.Notices[0].ReplyBy != soon.Format(time.DateOnly) || *list.Notices[0].DemandPaise != 96805800 || list.Notices[0].Needed == 0 {
		t.Errorf("the list is %+v", list)
	}

	// The reply date is near: its follow-up has already stored a reminder, or will do so at nine.
	state := p.waiting(c, func(s workflows.FollowUpState) bool { return s.RemindOf == soon.Format(time.DateOnly) })
	if len(state.Documents) == 0 {
		t.Errorf("the follow-up waits for %+v", state)
	}

	v.post("/api/conversations/"+c+"/corrections/undo", map[string]any{"field": "reply_due"}, http.StatusOK, &b)
	if d := replyDue(t, b); d.Date != "2025-01-06" || len(b.Corrections) != 3 || !b.Corrections[0].Undone {
		t.Errorf("after it was undone, the reply is due %+v; said was %+v", d, b.Corrections)
	}
	v.post("/api/conversations/"+c+"/corrections/undo", map[string]any{"field": "reply_due"}, http.StatusNotFound, nil)

	stranger := p.visitor()
	stranger.converse()
	stranger.call("GET", "/api/conversations/"+c+"/brief", "", nil, http.StatusNotFound, nil)
	stranger.correct(c, map[string]any{"field": "gstin", "value": nil}, http.StatusNotFound)
}

// fetch reads a calendar file as a calendar program does, without a cookie, and parses it with a parser that was
// written separately.
func (p *product) fetch(path string, client *http.Client) (*ical.Calendar, string, int) {
	p.t.Helper()
	resp, err := client.Get(p.address + path)
	must(p.t, err)
	defer resp.Body.Close()
	var raw bytes.Buffer
	_, err = raw.ReadFrom(resp.Body)
	must(p.t, err)
	if resp.StatusCode != http.StatusOK {
		return nil, raw.String(), resp.StatusCode
	}
	if kind := resp.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/calendar") {
		p.t.Errorf("a calendar comes as %s", kind)
	}
	cal, err := ical.NewDecoder(bytes.NewReader(raw.Bytes())).Decode()
	must(p.t, err)
	return cal, raw.String(), resp.StatusCode
}

func TestCalendars(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))

	cal, raw, _ := p.fetch("/api/conversations/"+c+"/calendar.ics", v.http)
	_, hindi, _ := p.fetch("/api/conversations/"+c+"/calendar.ics?language=hi", v.http)
	for _, line := range strings.Split(strings.ReplaceAll(hindi, "\r\n ", ""), "\r\n") {
		if strings.HasPrefix(line, "SUMMARY:") && !strings.ContainsFunc(line, func(r rune) bool { return unicode.Is(unicode.Devanagari, r) }) {
			t.Errorf("a day of the Hindi calendar is %s", line)
		}
	}
	resp, err := v.http.Get(p.address + "/api/conversations/" + c + "/calendar.ics")
	must(t, err)
	resp.Body.Close()
	if name := resp.Header.Get("Content-Disposition"); !strings.Contains(name, "drc-01") || !strings.Contains(name, "zd271224038216q") || !strings.HasSuffix(name, ".ics") {
		t.Errorf("the file is called %s", name)
	}
	uids := map[string]string{}
	for _, e := range cal.Events() {
		uids[e.Props.Get("UID").Value] = e.Props.Get("SUMMARY").Value
	}
	if what := uids["reply-"+c+"@munshi"]; !strings.Contains(what, "Reply") {
		t.Errorf("the days are %v", uids)
	}
	if !strings.Contains(raw, "DTSTART;VALUE=DATE:20250106\r\n") || !strings.Contains(raw, "DTSTART:20250113T060000Z\r\n") {
		t.Errorf("the reply is a whole day, the hearing at 11:30 in India:\n%s", raw)
	}

	var address api.CalendarAddress
	v.get("/api/calendar", &address)
	if address.Path != nil {
		t.Errorf("nobody asked for an address yet: %s", *address.Path)
	}
	v.post("/api/calendar", nil, http.StatusOK, &address)
	first := *address.Path
	if cal, _, _ = p.fetch(first, http.DefaultClient); len(cal.Events()) != len(uids) {
		t.Errorf("the feed has %d days, the notice %d", len(cal.Events()), len(uids))
	}
	v.get("/api/calendar", &address)
	if *address.Path != first {
		t.Error("the address cannot be read again")
	}
	v.post("/api/calendar", nil, http.StatusOK, &address)
	if _, _, status := p.fetch(first, http.DefaultClient); status != http.StatusNotFound {
		t.Errorf("after it was renewed the old address gives %d", status)
	}

	// Answered and deleted notices are in no calendar.
	v.post("/api/conversations/"+c+"/answered", map[string]any{"answered": true}, http.StatusNoContent, nil)
	if _, raw, status := p.fetch(*address.Path, http.DefaultClient); status != http.StatusOK && status != 0 || strings.Contains(raw, "BEGIN:VEVENT") {
		t.Errorf("an answered notice is in the feed (%d):\n%s", status, raw)
	}
	v.post("/api/conversations/"+c+"/answered", map[string]any{"answered": false}, http.StatusNoContent, nil)
	v.call("DELETE", "/api/conversations/"+c, "", nil, http.StatusNoContent, nil)
	v.call("GET", "/api/conversations/"+c, "", nil, http.StatusNotFound, nil)
	v.post("/api/conversations/"+c+"/restore", nil, http.StatusNoContent, nil)
	if cal, _, _ = p.fetch(*address.Path, http.DefaultClient); len(cal.Events()) != len(uids) {
		t.Error("a notice that was brought back is not in the feed")
	}
}
