package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/clock"
	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
)

// says changes what was read of a document, as a JSON object over the facts that are there.
func (f firm) says(t testing.TB, document uuid.UUID, facts string, args ...any) {
	t.Helper()
	f.exec(t, "update facts set facts = facts || $2 where document_id = $1", document, fmt.Sprintf(facts, args...))
}

// exec runs a statement as the owner of the database, whom row-level security does not bind.
func (f fixture) exec(t testing.TB, sql string, args ...any) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), f.url)
	must(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), sql, args...)
	must(t, err)
}

// in returns the ISO date so many days from today in India.
func in(days int) string {
	return time.Now().In(clock.India).AddDate(0, 0, days).Format(time.DateOnly)
}

// The board has what is overdue, then what has a day to confirm, then what comes, each open paper with its days; and
// nothing of another firm.
func TestBoard(t *testing.T) {
	f := newFirm(t)
	late, lateDoc := f.notice(t, "Late", "27ZAPCS4821K1Z6")
	f.says(t, lateDoc, `{"watch": {"date": %q, "what": "reply", "settled": true}, "demand": {"total": 500000}}`, in(-3))
	heard, heardDoc := f.notice(t, "Heard", "29AAPFU0939F1ZR")
	f.says(t, heardDoc, `{"watch": {"date": %q, "what": "reply", "settled": true}, "hearing": {"date": %q, "time": "11:30", "venue": "Room 4"}}`, in(40), in(5))
	open, openDoc := f.notice(t, "Open", "27AAPFU0939F1ZV")
	f.says(t, openDoc, `{"attention": [{"code": "no_date", "page": 0}], "reply_due": {"date": null}, "watch": null}`)
	soon, soonDoc := f.notice(t, "Soon", "33AAPFU0939F1Z2")
	f.says(t, soonDoc, `{"watch": {"date": %q, "what": "reply", "settled": true}}`, in(5))
	far, farDoc := f.notice(t, "Far", "24AAPFU0939F1Z1")
	f.says(t, farDoc, `{"watch": {"date": %q, "what": "reply", "settled": true}}`, in(31))
	done, doneDoc := f.notice(t, "Done", "07AAPFU0939F1ZX")
	f.says(t, doneDoc, `{"watch": {"date": %q, "what": "reply", "settled": true}}`, in(1))
	_, err := f.MarkAnswered(f.as(t, role.Preparer), f.id, done, true)
	must(t, err)

	board := func(b store.BoardQuery) (papers []uuid.UUID, first store.BoardDay) {
		t.Helper()
		b.Today, b.Until, b.Most = in(0), in(30), 50
		days, err := f.Board(f.as(t, role.Viewer), f.id, b)
		must(t, err)
		for _, d := range days {
			papers = append(papers, d.ConversationID)
		}
		if len(days) > 0 {
			first = days[0]
		}
		return papers, first
	}
	all, first := board(store.BoardQuery{})
	if want := []uuid.UUID{late, open, heard, soon}; !slices.Equal(all, want) {
		t.Errorf("the board has %v, want %v; %v is far, %v answered", all, want, far, done)
	}
	if first.Overdue != 1 || first.Undated != 1 || first.Coming != 2 || first.Hearings != 1 || first.Client != "Late" {
		t.Errorf("its first row is %+v", first)
	}
	hearings, first := board(store.BoardQuery{OnlyHearings: true})
	if !slices.Equal(hearings, []uuid.UUID{heard}) || first.At != "11:30" || first.Venue != "Room 4" {
		t.Errorf("the cause list is %v, %+v", hearings, first)
	}
	for name, test := range map[string]struct {
		filter store.MatterFilter
		want   []uuid.UUID
	}{
		"a State":        {store.MatterFilter{Region: "27"}, []uuid.UUID{late, open}},
		"an amount":      {store.MatterFilter{LeastPaise: 500000_00}, []uuid.UUID{late}},
		"nobody's":       {store.MatterFilter{Unassigned: true}, all},
		"a client":       {store.MatterFilter{Client: &first.ClientID}, []uuid.UUID{heard}},
		"another stage":  {store.MatterFilter{Stage: "appeal"}, nil},
		"of no officer":  {store.MatterFilter{Officer: "Nobody"}, nil},
		"an assignee's":  {store.MatterFilter{Assignee: &first.ClientID}, nil},
		"the notices'":   {store.MatterFilter{Stage: "notice"}, all},
		"no such amount": {store.MatterFilter{LeastPaise: 500000_01}, nil},
	} {
		if got, _ := board(store.BoardQuery{MatterFilter: test.filter}); !slices.Equal(got, test.want) {
			t.Errorf("narrowed to %s it has %v, want %v", name, got, test.want)
		}
	}
	choices, err := f.Choices(f.as(t, role.Viewer), f.id)
	must(t, err)
	if !slices.Equal(choices.Regions, []string{"07", "24", "27", "29", "33"}) || len(choices.Clients) != 6 {
		t.Errorf("it can be narrowed to %+v", choices)
	}

	other, err := f.FoundFirm(t.Context(), f.person(t, "elsewhere"), "Other & Co", "Meena")
	must(t, err)
	if days, err := f.Board(t.Context(), other, store.BoardQuery{Today: in(0), Until: in(30), Most: 50}); err != nil || len(days) > 0 {
		t.Errorf("another firm's board is %+v, %v", days, err)
	}
	if _, err := f.Board(f.as(t, role.Owner), other, store.BoardQuery{Most: 50}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a member asks for it: %v", err)
	}
}

// Views are their member's own, and go when they leave.
func TestSavedViews(t *testing.T) {
	f := newFirm(t)
	me, colleague := f.standing(t, role.Preparer), f.standing(t, role.Partner)
	must(t, f.SaveView(me.As(t.Context()), f.id, me.Member, "board", "Maharashtra", "region=27"))
	mine, err := f.SavedViews(me.As(t.Context()), f.id, me.Member)
	must(t, err)
	if len(mine) != 1 || mine[0].Name != "Maharashtra" || mine[0].Filters != "region=27" {
		t.Fatalf("my views are %+v", mine)
	}
	if theirs, err := f.SavedViews(colleague.As(t.Context()), f.id, colleague.Member); err != nil || len(theirs) > 0 {
		t.Errorf("a colleague's are %+v, %v", theirs, err)
	}
	if err := f.RemoveView(colleague.As(t.Context()), f.id, colleague.Member, mine[0].ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a colleague removes mine: %v", err)
	}
	viewer := f.standing(t, role.Viewer)
	if err := f.SaveView(viewer.As(t.Context()), f.id, viewer.Member, "board", "X", ""); !errors.Is(err, store.ErrForbidden) {
		t.Errorf("a viewer keeps one: %v", err)
	}
	for range store.MostViews - 1 {
		must(t, f.SaveView(me.As(t.Context()), f.id, me.Member, "matters", "Another", ""))
	}
	if err := f.SaveView(me.As(t.Context()), f.id, me.Member, "board", "One more", ""); !errors.Is(err, store.ErrTooMany) {
		t.Errorf("one more than may be: %v", err)
	}
	must(t, f.EndMember(me.As(t.Context()), f.id, me.Member, nil, true))
	if left, err := f.SavedViews(t.Context(), f.id, me.Member); err != nil || len(left) > 0 {
		t.Errorf("whoever left has %d views, %v", len(left), err)
	}
}
