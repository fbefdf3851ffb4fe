package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
)

// notice stores a notice with the given facts, and returns its conversation.
func (f fixture) notice(t *testing.T, facts string) uuid.UUID {
	t.Helper()
	ctx := t.Context()
	conversation := f.converse(t, f.workspace)
	turn, _, err := f.Accept(ctx, store.NewTurn{Workspace: f.workspace, Conversation: conversation, Kind: "analysis", Text: "Here",
		Document: &store.NewDocument{Name: "notice.pdf", Pages: 1, Content: strings.NewReader("%PDF-")}})
	must(t, err)
	ref := store.Ref{Workspace: f.workspace, Conversation: conversation, Turn: turn.ID, Run: "run"}
	must(t, f.SavePage(ctx, ref, *turn.DocumentID, turns.Page{Number: 1, Text: "as printed"}, "facts", store.StepState{State: "running"}))
	must(t, f.saveFacts(ctx, ref, *turn.DocumentID, []byte(facts), "A notice", "facts"))
	must(t, f.End(ctx, ref, store.Ending{State: "answered", Text: "Done"}))
	return conversation
}

// reread puts the corrections into the facts, as a reader of notices would.
func reread(_ []byte, pages []turns.Page, corrections []store.Correction) ([]byte, string, error) {
	facts := map[string]any{"form": "DRC-01", "text": pages[0].Text, "reply_due": map[string]any{"date": "2024-06-12"}}
	for _, c := range corrections {
		switch {
		case c.Confirmed:
		case c.Field == "reply_due":
			facts["reply_due"] = map[string]any{"date": c.Value}
		default:
			facts[c.Field] = c.Value
		}
	}
	raw, err := json.Marshal(facts)
	return raw, "Corrected", err
}

// A correction applies until it is undone; the facts as read and the history of corrections stay
// stored.
func TestCorrections(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	c := f.notice(t, `{"form": "DRC-01", "legal_name": "Malnad", "reply_due": {"date": "2024-06-12"}}`)
	facts := func() map[string]any {
		n, err := f.Notice(ctx, f.workspace, c)
		must(t, err)
		var known map[string]any
		must(t, json.Unmarshal(n.Facts, &known))
		return known
	}
	say := func(field, value string) bool {
		watched, err := f.Correct(ctx, f.workspace, c, store.NewCorrection{Field: field, Value: json.RawMessage(value), Session: "abc"}, reread)
		must(t, err)
		return watched
	}
	if say("legal_name", `"Malnad Coffee"`) {
		t.Error("a day that has passed is watched")
	}
	say("legal_name", `"Malnad Coffee Traders"`)
	if got := facts(); got["legal_name"] != "Malnad Coffee Traders" || got["text"] != "as printed" {
		t.Errorf("the facts are %v", got)
	}
	soon := time.Now().AddDate(0, 0, 20).Format(time.DateOnly)
	if !say("reply_due", `"`+soon+`"`) {
		t.Error("a day that lies ahead is not watched")
	}
	d, err := f.Detail(ctx, f.workspace, c)
	must(t, err)
	if !strings.Contains(string(d.Facts), soon) || d.Conversation.Title != "Corrected" {
		t.Errorf("the conversation knows %s as %q", d.Facts, d.Conversation.Title)
	}
	undo := func(field string) error {
		_, err := f.UndoCorrection(ctx, f.workspace, c, field, reread)
		return err
	}
	must(t, undo("legal_name"))
	if got := facts(); got["legal_name"] != "Malnad Coffee" {
		t.Errorf("after one was undone the name is %v: the one before holds", got["legal_name"])
	}
	must(t, undo("legal_name"))
	must(t, undo("reply_due"))
	if got := facts(); got["legal_name"] != "Malnad" || got["text"] != nil {
		t.Errorf("after all were undone the facts are %v, not as they were read", got)
	}
	wantErr(t, undo("legal_name"), store.ErrNotFound)
	n, err := f.Notice(ctx, f.workspace, c)
	must(t, err)
	if len(n.History) != 3 || n.History[0].UndoneAt == nil || n.History[2].Session != "abc" {
		t.Errorf("what was said is kept as %+v", n.History)
	}
	stranger, err := f.NewVisitor(ctx, "stranger")
	must(t, err)
	_, err = f.Correct(ctx, stranger, c, store.NewCorrection{Field: "din", Value: json.RawMessage("null")}, reread)
	wantErr(t, err, store.ErrNotFound)
	_, err = f.Correct(ctx, f.workspace, c, store.NewCorrection{Field: "din", Value: json.RawMessage("null")},
		func([]byte, []turns.Page, []store.Correction) ([]byte, string, error) {
			return nil, "", errors.New("no")
		})
	if err == nil {
		t.Error("a correction that could not be computed was kept")
	}
}

// Notices are also found by the names of their files, and sorted in the requested order.
func TestNotices(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	facts := func(client, gstin, due string) string {
		return fmt.Sprintf(`{"form":"DRC-01","reference":"ZD%s","legal_name":%q,"gstin":%q,"reply_due":{"date":%q},"demand":{"total":1500.5},"periods":[{"fy":"2019-20"},{"fy":"2020-21"}]}`, gstin, client, gstin, due)
	}
	overdue := f.notice(t, facts("Asha Traders", "27A", "2026-03-01"))
	soon := f.notice(t, facts("Balaji 100% Mills", "29B", "2026-03-10"))
	later := f.notice(t, facts("Chitra Exports", "33C", "2026-05-01"))
	undated := f.notice(t, `{"form":"REG-03","trade_name":"Deepak","reply_due":{"date":null}}`)
	f.converse(t, f.workspace) // a conversation without messages
	query := func(view, search string) (ids []uuid.UUID, counts store.NoticeCounts) {
		lines, counts, err := f.Notices(ctx, f.workspace, store.NoticeQuery{View: view, Search: search, Today: "2026-03-05", Soon: "2026-03-12", Most: 100})
		must(t, err)
		for _, l := range lines {
			ids = append(ids, l.ID)
		}
		return ids, counts
	}
	check := func(view, search string, want ...uuid.UUID) {
		t.Helper()
		if got, _ := query(view, search); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q with %q gives %v, want %v", view, search, got, want)
		}
	}
	check("", "", undated, overdue, soon, later) // those whose date nobody has confirmed come first
	check("due", "", undated, soon)
	check("overdue", "", overdue)
	check("", "chitra", later)
	check("", "zd29", soon)
	check("", "100%", soon)
	check("", "100_", []uuid.UUID{}...)
	check("", "  deepak ", undated)
	handed, _, err := f.Accept(ctx, store.NewTurn{Workspace: f.workspace, Conversation: later, Kind: "document", Text: "Here",
		Document: &store.NewDocument{Name: "Scan_0012 register.pdf", Type: "Purchase register", Pages: 1, Content: strings.NewReader("%PDF-")}})
	must(t, err)
	must(t, f.End(ctx, store.Ref{Workspace: f.workspace, Conversation: later, Turn: handed.ID, Run: "run"}, store.Ending{State: "answered", Text: "Done"}))
	check("", "scan_0012", later) // by the name of one of its files
	for sort, want := range map[string][]uuid.UUID{
		"client": {overdue, soon, later, undated}, // Asha, Balaji, Chitra; Deepak is no legal name, and the notice has only its title
		"newest": {undated, later, soon, overdue},
		"demand": {overdue, soon, later, undated}, // equal demands by date; those without a demand last
	} {
		lines, _, err := f.Notices(ctx, f.workspace, store.NoticeQuery{Sort: sort, Today: "2026-03-05", Soon: "2026-03-12", Most: 100})
		must(t, err)
		var got []uuid.UUID
		for _, l := range lines {
			got = append(got, l.ID)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("by %s: %v, want %v", sort, got, want)
		}
	}
	if names, err := f.NoticeNames(ctx, f.workspace, later); err != nil || fmt.Sprint(names) != "[Chitra Exports DRC-01 ZD33C]" {
		t.Errorf("a file of the notice is named by %q, %v", names, err)
	}
	if names, err := f.NoticeNames(ctx, uuid.New(), later); err != nil || names != nil {
		t.Errorf("another one's notice has the names %q, %v", names, err)
	}
	_, err = f.MarkAnswered(ctx, f.workspace, overdue, true)
	must(t, err)
	check("", "", undated, soon, later, overdue)
	check("overdue", "")
	check("done", "", overdue)

	lines, _, err := f.Notices(ctx, f.workspace, store.NoticeQuery{Today: "2026-03-05", Soon: "2026-03-12", Most: 1, Skip: 2})
	must(t, err)
	if l := lines[0]; len(lines) != 1 || l.ID != later || *l.Client != "Chitra Exports" || *l.FirstYear != "2019-20" || *l.LastYear != "2020-21" || *l.DemandPaise != 150050 || l.TurnState != "answered" {
		t.Errorf("the third of the list is %+v", lines)
	}

	// A deleted notice is hidden, can be restored, and is erased with its file after some time.
	must(t, f.Delete(ctx, f.workspace, soon))
	wantErr(t, f.Delete(ctx, f.workspace, soon), store.ErrNotFound)
	check("", "", undated, later, overdue)
	_, err = f.Detail(ctx, f.workspace, soon)
	wantErr(t, err, store.ErrNotFound)
	_, _, err = f.Accept(ctx, store.NewTurn{Workspace: f.workspace, Conversation: soon, Text: "Hello?", Kind: "chat"})
	wantErr(t, err, store.ErrNotFound)
	must(t, f.Erase(ctx, time.Now().Add(-time.Hour)))
	must(t, f.Restore(ctx, f.workspace, soon))
	check("", "", undated, soon, later, overdue)
	must(t, f.Delete(ctx, f.workspace, soon))
	chunks := f.chunks(t)
	must(t, f.Erase(ctx, time.Now().Add(time.Hour)))
	wantErr(t, f.Restore(ctx, f.workspace, soon), store.ErrNotFound)
	if left := f.chunks(t); left != chunks-1 {
		t.Errorf("%d pieces of files were stored, %d are after one of the files was erased", chunks, left)
	}
	if _, counts := query("", ""); counts.AllNotices != 3 || counts.Done != 1 || counts.Due != 1 {
		t.Errorf("the counts are %+v", counts)
	}
	open, err := f.OpenNotices(ctx, f.workspace)
	must(t, err)
	if len(open) != 2 || open[0].ID != later || !strings.Contains(string(open[0].Facts), "Chitra") {
		t.Errorf("still to be answered are %+v", open)
	}
}

func (f fixture) chunks(t *testing.T) int {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), f.url)
	must(t, err)
	defer conn.Close(t.Context())
	var n int
	must(t, conn.QueryRow(t.Context(), "select count(*) from blob_chunks").Scan(&n))
	return n
}

func TestReminders(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	day, today := time.Now().AddDate(0, 0, 5).Format(time.DateOnly), time.Now().Format(time.DateOnly)
	c := f.notice(t, `{"form":"DRC-01","legal_name":"Asha","reply_due":{"date":"`+day+`"}}`)
	a, err := f.Awaiting(ctx, f.workspace, c)
	must(t, err)
	if a.FollowUp.State != "idle" || a.FollowUp.WatchUntil == nil {
		t.Fatalf("the reply date is watched as %+v", a.FollowUp)
	}
	must(t, f.Remind(ctx, f.workspace, c, day, 7))
	must(t, f.Remind(ctx, f.workspace, c, day, 3))
	must(t, f.Remind(ctx, f.workspace, c, day, 3))
	must(t, f.Remind(ctx, f.workspace, c, "2020-01-01", 1)) // about a date that was corrected since
	list, err := f.Reminders(ctx, f.workspace, today)
	must(t, err)
	if len(list) != 1 || list[0].Days != 3 || *list[0].Client != "Asha" || list[0].ConversationID != c {
		t.Fatalf("the reminders are %+v", list)
	}
	a, err = f.Awaiting(ctx, f.workspace, c)
	must(t, err)
	if len(a.Reminded) != 3 {
		t.Errorf("reminded of %+v", a.Reminded)
	}
	stranger, err := f.NewVisitor(ctx, "stranger")
	must(t, err)
	wantErr(t, f.SeeReminder(ctx, stranger, list[0].ID), store.ErrNotFound)
	if theirs, err := f.Reminders(ctx, stranger, today); err != nil || len(theirs) != 0 {
		t.Errorf("a stranger sees %+v (%v)", theirs, err)
	}
	must(t, f.SeeReminder(ctx, f.workspace, list[0].ID))
	if list, err = f.Reminders(ctx, f.workspace, today); err != nil || len(list) != 0 {
		t.Errorf("after the last was put aside there are %+v (%v)", list, err)
	}
	watched, err := f.MarkAnswered(ctx, f.workspace, c, true)
	must(t, err)
	if a, err = f.Awaiting(ctx, f.workspace, c); err != nil || watched || a.FollowUp.WatchUntil != nil {
		t.Errorf("an answered notice is watched: %+v (%v)", a.FollowUp, err)
	}
	if watched, err = f.MarkAnswered(ctx, f.workspace, c, false); err != nil || !watched {
		t.Errorf("one that is open again is watched: %t (%v)", watched, err)
	}
	// The reconciler wakes the follow-up although it waits for no documents.
	lost, err := f.UncheckedFollowUps(ctx, time.Now().Add(time.Hour), time.Now())
	must(t, err)
	if len(lost) != 1 || lost[0].Conversation != c {
		t.Errorf("the reconciler would wake %+v", lost)
	}
	// If that fails, the follow-up is due again within minutes; if it succeeds, only after a day.
	due := func(within time.Duration) int {
		list, err := f.UncheckedFollowUps(ctx, time.Now().Add(time.Hour+within), time.Now())
		must(t, err)
		return len(list)
	}
	if again := due(2 * time.Minute); again != 1 {
		t.Errorf("a follow-up that could not be woken is due again: %d", again)
	}
	must(t, f.WokeFollowUp(ctx, c))
	if again := due(-2 * time.Hour); again != 0 {
		t.Errorf("one that was woken just now is due: %d", again)
	}
}

// A notice waits for documents as long as its follow-up does, and its list of missing documents stays
// known afterwards.
func TestNoticesThatWaitForDocuments(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	c := f.notice(t, `{"form":"DRC-01"}`)
	turn, _, err := f.Accept(ctx, store.NewTurn{Workspace: f.workspace, Conversation: c, Kind: "chat", Text: "Which papers?"})
	must(t, err)
	ref := store.Ref{Workspace: f.workspace, Conversation: c, Turn: turn.ID, Run: "run"}
	must(t, f.ReplaceRequired(ctx, ref, []store.Required{{Type: "Tax invoices"}, {Type: "Ledger"}}))
	must(t, f.End(ctx, ref, store.Ending{State: "answered", Text: "These"}))
	check := func(when string, want int32) {
		t.Helper()
		lines, counts, err := f.Notices(ctx, f.workspace, store.NoticeQuery{View: "waiting", Today: "2026-03-05", Soon: "2026-03-12", Most: 9})
		must(t, err)
		all, _, err := f.Notices(ctx, f.workspace, store.NoticeQuery{Today: "2026-03-05", Soon: "2026-03-12", Most: 9})
		must(t, err)
		if counts.Waiting != want || len(lines) != int(want) || all[0].Needed != 2 || all[0].Asked != 2 {
			t.Errorf("%s: %d listed, %d counted, %d of %d outstanding", when, len(lines), counts.Waiting, all[0].Needed, all[0].Asked)
		}
	}
	check("asked for", 1)
	must(t, f.CloseFollowUp(ctx, f.workspace, c))
	check("closed", 0)
}

// People are reminded of a hearing as well as of the reply date, each under its own name; for a
// notice without any date they are asked for one during a week.
func TestRemindersOfHearingsAndOfNoDate(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	in := func(days int) string { return time.Now().AddDate(0, 0, days).Format(time.DateOnly) }
	heard := f.notice(t, `{"form":"DRC-01","reply_due":{"date":"`+in(3)+`"},"hearing":{"date":"`+in(9)+`"},"watch":{"date":"`+in(3)+`","what":"reply","settled":true},"attention":[]}`)
	undated := f.notice(t, `{"form":"RFD-03","reply_due":{"date":null},"attention":[{"code":"no_date","page":0}]}`)
	for c, days := range map[uuid.UUID]int{heard: 9, undated: 7} {
		a, err := f.Awaiting(ctx, f.workspace, c)
		must(t, err)
		if until := a.FollowUp.WatchUntil; until == nil || until.Before(time.Now().AddDate(0, 0, days-1)) {
			t.Errorf("it is watched until %v, less than %d days", until, days)
		}
	}
	must(t, f.Remind(ctx, f.workspace, heard, in(3), 3))
	must(t, f.Remind(ctx, f.workspace, heard, in(9), 7))
	must(t, f.Remind(ctx, f.workspace, undated, "", 1))
	for _, due := range []struct {
		notice uuid.UUID
		day    string
		before int
		what   string
	}{{heard, in(3), 3, "reply"}, {heard, in(9), 7, "hearing"}, {undated, "", 1, "none"}} {
		what := ""
		must(t, f.MailReminder(ctx, f.workspace, due.notice, due.day, due.before, func(d store.ReminderDue) error { what = d.What; return nil }))
		if what != due.what {
			t.Errorf("of %q a mail tells as %q, want %q", due.day, what, due.what)
		}
	}
	list, err := f.Reminders(ctx, f.workspace, in(0))
	must(t, err)
	if len(list) != 2 || list[0].What != "reply" || list[1].What != "hearing" || !list[1].Settled {
		t.Fatalf("the reminders are %+v", list)
	}
	must(t, f.SeeReminder(ctx, f.workspace, list[0].ID))
	if list, err = f.Reminders(ctx, f.workspace, in(0)); err != nil || len(list) != 1 || list[0].What != "hearing" {
		t.Errorf("with the reply put aside there are %+v (%v)", list, err)
	}
	if list, err = f.Reminders(ctx, f.workspace, in(10)); err != nil || len(list) != 0 {
		t.Errorf("after the hearing there are %+v (%v)", list, err)
	}
}

func TestCalendar(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	_, err := f.Calendar(ctx, f.workspace)
	wantErr(t, err, store.ErrNotFound)
	_, err = f.RenewCalendar(ctx, f.workspace, "first")
	must(t, err)
	renewed, err := f.RenewCalendar(ctx, f.workspace, "second")
	must(t, err)
	if known, err := f.Calendar(ctx, f.workspace); err != nil || known.Token != "second" || renewed.Token != "second" {
		t.Errorf("the secret is %q (%v)", known.Token, err)
	}
	_, err = f.CalendarOf(ctx, "first")
	wantErr(t, err, store.ErrNotFound)
	if whose, err := f.CalendarOf(ctx, "second"); err != nil || whose.WorkspaceID != f.workspace || whose.Firm {
		t.Errorf("it is %v's (%v)", whose, err)
	}
}

// A notice is listed, and reminders are sent, by the earliest date that may be its reply date until a person has
// confirmed it; such notices come first, also among those due soon. Notices with a hearing in the coming week come
// first too; answered notices do not.
func TestWhatNeedsAttentionStandsFirst(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	soon := f.notice(t, `{"form":"ASMT-10","reply_due":{"date":"2026-03-06"},"watch":{"date":"2026-03-06","what":"reply","settled":true},"attention":[]}`)
	heard := f.notice(t, `{"form":"ASMT-10","reply_due":{"date":"2026-05-06"},"hearing":{"date":"2026-03-08"},"watch":{"date":"2026-05-06","what":"reply","settled":true},"attention":[]}`)
	two := f.notice(t, `{"form":"ASMT-10","reply_due":{"date":null},"watch":{"date":"2099-06-01","what":"reply","settled":false},"attention":[{"code":"two_dates","page":2}]}`)
	unread := f.notice(t, `{"form":"DRC-01","reply_due":{"date":"2026-04-01"},"watch":{"date":"2026-04-01","what":"reply","settled":true},"attention":[{"code":"amount_unread","page":1}]}`)
	query := func(view string) (ids []uuid.UUID) {
		t.Helper()
		lines, counts, err := f.Notices(ctx, f.workspace, store.NoticeQuery{View: view, Today: "2026-03-05", Soon: "2026-03-12", Most: 100})
		must(t, err)
		if counts.Due != 3 {
			t.Errorf("due soon are %d, want the one with a day, the one that is heard and the one whose day is open", counts.Due)
		}
		for _, l := range lines {
			ids = append(ids, l.ID)
		}
		return ids
	}
	if got, want := fmt.Sprint(query("")), fmt.Sprint([]uuid.UUID{two, heard, unread, soon}); got != want {
		t.Errorf("they are listed %v, want %v", got, want)
	}
	if got, want := fmt.Sprint(query("due")), fmt.Sprint([]uuid.UUID{two, heard, soon}); got != want {
		t.Errorf("due soon are %v, want %v", got, want)
	}
	n, err := f.Unsettled(ctx, f.workspace)
	must(t, err)
	if n != 1 {
		t.Errorf("%d are not settled, want 1", n)
	}
	watched, err := f.MarkAnswered(ctx, f.workspace, two, false)
	must(t, err)
	if !watched {
		t.Error("the day that may be it is not watched")
	}
	_, err = f.MarkAnswered(ctx, f.workspace, two, true)
	must(t, err)
	if n, err = f.Unsettled(ctx, f.workspace); err != nil || n != 0 {
		t.Errorf("once it is answered %d are not settled (%v)", n, err)
	}
}

func TestNoticesByClient(t *testing.T) {
	f := newFixture(t)
	unknown := f.notice(t, `{"form":"REG-03"}`) // its title, "A notice", is not the name of a client
	balaji := f.notice(t, `{"legal_name":"Balaji Mills"}`)
	asha := f.notice(t, `{"legal_name":"ASHA Traders"}`)
	query := store.NoticeQuery{Sort: "client", Today: "2026-03-05", Soon: "2026-03-12", Most: 100}
	lines, _, err := f.Notices(t.Context(), f.workspace, query)
	must(t, err)
	var got []uuid.UUID
	for _, l := range lines {
		got = append(got, l.ID)
	}
	if want := []uuid.UUID{asha, balaji, unknown}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("by client: %v, want %v, the client that is not known last", got, want)
	}
}
