package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/clock"
	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
)

// says changes the facts read from a document; the JSON object is merged into them.
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

// in returns the ISO date that is this many days from today, in India.
func in(days int) string {
	return time.Now().In(clock.India).AddDate(0, 0, days).Format(time.DateOnly)
}

// The board shows what is overdue, then the dates to confirm, then the coming dates, with all dates of each open
// paper; it shows nothing of another firm.
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
			papers = append(papers, *d.ConversationID)
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
	// Tasks are listed among them by due date, and last if they have none; each belongs to its
	// assignee.
	mine := f.standing(t, role.Preparer).Member
	paper, err := f.FiledPaper(f.as(t, role.Preparer), f.id, soon)
	must(t, err)
	soonDay, lateDay, farDay := in(5), in(-1), in(31)
	for _, task := range []store.TaskChange{{Text: "Without a day"}, {Text: "Soon", Due: &soonDay, Assignee: &mine}, {Text: "Late", Due: &lateDay, Assignee: &mine}, {Text: "Far", Due: &farDay}, {Text: "Done", Due: &soonDay}} {
		must(t, f.AddTask(f.as(t, role.Preparer), f.id, paper.Matter.ID, task))
	}
	f.exec(t, "update tasks set done_at = now() where text = 'Done'")
	for name, test := range map[string]struct {
		query store.BoardQuery
		want  string
	}{
		"everything":   {store.BoardQuery{}, "reply:0 Late:0 reply:1 hearing:2 reply:2 Soon:2 Without a day:3"},
		"tasks":        {store.BoardQuery{OnlyTasks: true}, "Late:0 Soon:2 Without a day:3"},
		"hearings":     {store.BoardQuery{OnlyHearings: true}, "hearing:2"},
		"a member's":   {store.BoardQuery{MatterFilter: store.MatterFilter{Assignee: &mine}}, "Late:0 Soon:2"},
		"nobody's":     {store.BoardQuery{OnlyTasks: true, MatterFilter: store.MatterFilter{Unassigned: true}}, "Without a day:3"},
		"of its State": {store.BoardQuery{MatterFilter: store.MatterFilter{Region: "33"}}, "Late:0 reply:2 Soon:2 Without a day:3"},
		"of another":   {store.BoardQuery{OnlyTasks: true, MatterFilter: store.MatterFilter{Region: "27"}}, ""},
	} {
		test.query.Today, test.query.Until, test.query.Most = in(0), in(30), 50
		days, err := f.Board(f.as(t, role.Viewer), f.id, test.query)
		must(t, err)
		var got []string
		for _, d := range days {
			what := d.What
			if d.Task != nil {
				what = *d.Task
			}
			got = append(got, fmt.Sprint(what, ":", d.Part))
			if d.Overdue+d.Undated+d.Coming+d.Dateless != int32(len(days)) {
				t.Errorf("%s: of %d rows there are %d overdue, %d undated, %d coming, %d without a day", name, len(days), d.Overdue, d.Undated, d.Coming, d.Dateless)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: the board has %q, want %q", name, got, test.want)
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

// Views belong to the member who saved them, and are deleted when the member leaves.
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

// A firm's papers and drafts are found by their words, in English and Hindi, only by members who may see
// them.
func TestSearch(t *testing.T) {
	f := newFirm(t)
	mine, document := f.notice(t, "Mine", "27ZAPCS4821K1Z6")
	theirs, other := f.notice(t, "Theirs", "29AAPFU0939F1ZR")
	f.exec(t, "update pages set text = $2 where document_id = $1", document, "व्यक्तिगत सुनवाई 12 मई को। गाड़ी DRC-01 under section 16(4), 4,00,000 rupees")
	f.exec(t, "update pages set text = $2 where document_id = $1", other, "A personal hearing under section 16(4)")
	f.exec(t, "select keep_words(d) from unnest($1::uuid[]) d", []uuid.UUID{document, other})
	owner := f.as(t, role.Owner)
	draft, err := f.AddDraft(owner, f.id, store.NewDraft{Kind: "reply", Title: "Reply", Parts: []store.DraftPart{{ID: "1", Text: "व्यक्तिगत सुनवाई is asked for"}}})
	must(t, err)

	search := func(as store.Acting, text, kind string) (ids []uuid.UUID, first store.FoundText) {
		t.Helper()
		found, total, _, err := f.Search(as.As(t.Context()), f.id, store.SearchQuery{Text: text, Kind: kind, Most: 20})
		must(t, err)
		if total != len(found) {
			t.Errorf("%q: %d of %d", text, len(found), total)
		}
		for _, one := range found {
			ids = append(ids, one.ID)
			first = found[0]
		}
		return ids, first
	}
	viewer := f.standing(t, role.Viewer)
	for _, test := range []struct {
		text, kind string
		want       []uuid.UUID
	}{
		{"सुनवाई", "", []uuid.UUID{draft.ID, document}},
		{"सुनवाई", "draft", []uuid.UUID{draft.ID}},
		{"व्यक्ति सुन", "document", []uuid.UUID{document}}, // beginnings of words
		{"सुन", "document", []uuid.UUID{document}},
		{"नवाई", "", nil},                    // the middle of a word is not found
		{"गाड़ी", "", []uuid.UUID{document}}, // with a letter encoded as one character
		{"DRC-01", "", []uuid.UUID{document}},
		{"section 16(4)", "", []uuid.UUID{other, document}},
		{"4,00,000", "", []uuid.UUID{document}},
		{"mine.pdf", "", []uuid.UUID{document}},
		{"hearing सुनवाई", "", nil},
		{"' & | ! :*", "", nil},
		{"", "", nil},
	} {
		if got, _ := search(viewer, test.text, test.kind); !slices.Equal(got, test.want) {
			t.Errorf("%q %s finds %v, want %v", test.text, test.kind, got, test.want)
		}
	}
	if _, first := search(viewer, "सुनवाई", "document"); first.Page != 1 || !strings.Contains(first.Excerpt, "सुनवाई") || *first.ConversationID != mine {
		t.Errorf("it is found as %+v", first)
	}

	// With the rights of the member who asks.
	filed, err := f.FiledPaper(owner, f.id, mine)
	must(t, err)
	client := viewer
	client.Role, client.Client = role.Client, filed.Matter.ClientID
	if got, _ := search(client, "section", ""); !slices.Equal(got, []uuid.UUID{document}) {
		t.Errorf("a client finds %v", got)
	}
	elsewhere, err := f.FoundFirm(t.Context(), f.person(t, "elsewhere"), "Other & Co", "Meena")
	must(t, err)
	if found, total, _, err := f.Search(t.Context(), elsewhere, store.SearchQuery{Text: "section", Most: 20}); err != nil || len(found)+total > 0 {
		t.Errorf("another firm finds %+v, %v", found, err)
	}
	must(t, f.Delete(owner, f.id, theirs))
	if got, _ := search(viewer, "section", ""); !slices.Equal(got, []uuid.UUID{document}) {
		t.Errorf("with one deleted it finds %v", got)
	}
}

// What a firm's turn has read can be found once the turn has ended; the words of a person's own papers are
// not kept.
func TestWordsOfTurns(t *testing.T) {
	f := newFirm(t)
	_, document := f.notice(t, "Kaveri", "27ZAPCS4821K1Z6")
	found, _, _, err := f.Search(f.as(t, role.Viewer), f.id, store.SearchQuery{Text: "notice kaveri", Most: 20})
	must(t, err)
	if len(found) != 1 || found[0].ID != document || !found[0].Notice || *found[0].Client != "Kaveri" || *found[0].Form != "DRC-01" {
		t.Errorf("it is found as %+v", found)
	}
}

// The workload lists every working member, and the work that is assigned to nobody; the exposure shows the demand by
// client and year.
func TestWorkload(t *testing.T) {
	f := newFirm(t)
	late, lateDoc := f.notice(t, "Late", "27ZAPCS4821K1Z6")
	f.says(t, lateDoc, `{"watch": {"date": %q, "what": "reply"}, "demand": {"total": 500000}}`, in(-3))
	_, soonDoc := f.notice(t, "Soon", "29AAPFU0939F1ZR")
	f.says(t, soonDoc, `{"watch": {"date": %q, "what": "reply"}, "hearing": {"date": %q}, "demand": {"total": 1000}}`, in(5), in(20))
	owner, partner := f.as(t, role.Owner), f.standing(t, role.Partner).Member
	filed, err := f.FiledPaper(owner, f.id, late)
	must(t, err)
	must(t, f.SetMatter(owner, f.id, filed.Matter.ID, func(store.MatterState) (store.MatterChange, error) {
		return store.MatterChange{State: "review", Assignee: &partner, Reviewer: &partner}, nil
	}))
	loads, err := f.Workload(f.as(t, role.Viewer), f.id, in(0), in(7), in(30))
	must(t, err)
	if len(loads) != 4 || loads[0].Member != nil {
		t.Fatalf("the loads are %+v", loads)
	}
	if n := loads[0]; n.Matters != 1 || n.Week != 1 || n.Month != 2 || n.Hearings != 1 || n.Overdue != 0 || n.DemandPaise != 1000_00 {
		t.Errorf("nobody answers for %+v", n)
	}
	for _, l := range loads[1:] {
		if l.Member.ID == partner && (l.Matters != 1 || l.Overdue != 1 || l.ToReview != 1 || l.DemandPaise != 500000_00) || l.Member.ID != partner && int(l.Matters)+l.ToReview > 0 {
			t.Errorf("%s answers for %+v", l.Member.Name, l)
		}
	}
	e, err := f.Exposure(f.as(t, role.Viewer), f.id, 0, 1)
	must(t, err)
	if len(e.Years) != 1 || e.Years[0].DemandPaise != 501000_00 || e.Years[0].FirstYear != "2020-21" {
		t.Errorf("the years are %+v", e.Years)
	}
	if len(e.Clients) != 1 || e.Clients[0].Name != "Late" || e.Clients[0].Total != 2 || len(e.Of) != 1 {
		t.Errorf("the clients are %+v with %+v", e.Clients, e.Of)
	}
}
