package api

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/emersion/go-ical"
)

// A calendar is read by a parser that was written separately: lines end in CRLF and have at most 75 octets without
// cutting a character, texts are escaped, dates keep their ids, and alarms are 7, 3 and 1 days before.
func TestCalendarFile(t *testing.T) {
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	days := []CalendarDay{
		{Code: "reply", What: "Reply in FORM DRC-06", Date: "2026-03-31", Note: "printed; by the notice, page 1\nConfirm \\ check"},
		{Code: "hearing", What: "Personal hearing", Date: "2026-04-01", Time: "00:15", Place: "Room 7, GST Bhavan; Pune"},
		{Code: "appeal", What: "Appeal", Date: "2028-02-29"},
		{Code: "appeal", What: "Appeal, once more", Date: "2026-12-31"},
		{Code: "broken", What: "No day", Date: "soon"},
	}
	title := "DRC-01 · मलनाड कॉफ़ी ट्रेडर्स, हासन; \"शेष\" " + strings.Repeat("लंबा नाम ", 12)
	c := newCalendar("Notices", now)
	c.add("0197", title, "https://munshi.example/app/notices/0197", days)
	raw := string(c.bytes())
	for line := range strings.SplitSeq(strings.TrimSuffix(raw, "\r\n"), "\r\n") {
		if len(line) > 75 || strings.ContainsAny(line, "\r\n") || !utf8.ValidString(line) {
			t.Errorf("a line of %d octets: %q", len(line), line)
		}
	}
	read, err := ical.NewDecoder(strings.NewReader(raw)).Decode()
	if err != nil {
		t.Fatalf("%v in\n%s", err, raw)
	}
	if version, err := read.Props.Text("VERSION"); err != nil || version != "2.0" {
		t.Errorf("version %q (%v)", version, err)
	}
	events := read.Events()
	if len(events) != 4 {
		t.Fatalf("there are %d days", len(events))
	}
	for i, want := range []struct{ uid, start, end string }{
		{"reply-0197@munshi", "2026-03-31T00:00:00Z", "2026-04-01T00:00:00Z"},
		{"hearing-0197@munshi", "2026-03-31T18:45:00Z", "2026-03-31T19:45:00Z"}, // 00:15 in India
		{"appeal-0197@munshi", "2028-02-29T00:00:00Z", "2028-03-01T00:00:00Z"},
		{"appeal-2-0197@munshi", "2026-12-31T00:00:00Z", "2027-01-01T00:00:00Z"},
	} {
		e := events[i]
		uid, _ := e.Props.Text("UID")
		start, err := e.DateTimeStart(time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		end, err := e.DateTimeEnd(time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		if uid != want.uid || start.Format(time.RFC3339) != want.start || end.Format(time.RFC3339) != want.end {
			t.Errorf("%s from %s to %s, want %+v", uid, start.Format(time.RFC3339), end.Format(time.RFC3339), want)
		}
		var triggers []string
		for _, child := range e.Children {
			trigger := child.Props.Get("TRIGGER")
			before, err := trigger.Duration()
			if child.Name != "VALARM" || err != nil || child.Props.Get("ACTION").Value != "DISPLAY" || child.Props.Get("DESCRIPTION") == nil {
				t.Fatalf("an alarm is %+v (%v)", child, err)
			}
			triggers = append(triggers, before.String())
		}
		if got := strings.Join(triggers, " "); got != "-168h0m0s -72h0m0s -24h0m0s" {
			t.Errorf("%s reminds %s", uid, got)
		}
	}
	if summary, err := events[0].Props.Text("SUMMARY"); err != nil || summary != "Reply in FORM DRC-06 – "+strings.TrimSpace(title) && summary != "Reply in FORM DRC-06 – "+title {
		t.Errorf("it is called %q (%v)", summary, err)
	}
	if note, err := events[0].Props.Text("DESCRIPTION"); err != nil || note != "printed; by the notice, page 1\nConfirm \\ check\nhttps://munshi.example/app/notices/0197" {
		t.Errorf("the note is %q (%v)", note, err)
	}
	if place, err := events[1].Props.Text("LOCATION"); err != nil || place != "Room 7, GST Bhavan; Pune" {
		t.Errorf("the place is %q (%v)", place, err)
	}

	again := newCalendar("Notices", now)
	again.add("0197", title, "https://munshi.example/app/notices/0197", days)
	if string(again.bytes()) != raw {
		t.Error("the same days make another file")
	}
}
