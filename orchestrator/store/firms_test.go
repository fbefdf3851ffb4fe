package store_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
)

// person creates an account and returns its workspace.
func (f fixture) person(t *testing.T, name string) uuid.UUID {
	t.Helper()
	id, err := f.SignUp(t.Context(), store.NewPerson{Email: name + "@example.com", Address: name + "@example.com", Password: "x", Consent: "x", Confirmed: true},
		store.Arrival{Token: rand.Text(), Life: store.SessionLife{Idle: time.Hour, Whole: time.Hour}})
	must(t, err)
	return id
}

// firm is a firm with one member for each role.
type firm struct {
	fixture
	id      uuid.UUID
	members map[role.Role]uuid.UUID // the members' own workspaces
}

func newFirm(t *testing.T) firm {
	t.Helper()
	f := firm{fixture: newFixture(t), members: map[role.Role]uuid.UUID{}}
	f.members[role.Owner] = f.person(t, "asha")
	var err error
	f.id, err = f.FoundFirm(t.Context(), f.members[role.Owner], "Rao & Co", "Asha Rao")
	must(t, err)
	for _, r := range []role.Role{role.Partner, role.Preparer, role.Viewer} {
		f.members[r] = f.person(t, string(r))
		f.joins(t, f.members[r], r)
	}
	return f
}

// joins invites a person in the owner's name, and accepts the invitation.
func (f firm) joins(t *testing.T, person uuid.UUID, r role.Role) {
	t.Helper()
	token := rand.Text()
	_, err := f.Invite(f.as(t, role.Owner), f.id, store.NewInvitation{Token: token, Role: r, Life: time.Hour})
	must(t, err)
	_, err = f.AcceptInvitation(t.Context(), token, person, "Member "+string(r), 0)
	must(t, err)
}

func (f firm) standing(t *testing.T, r role.Role) store.Acting {
	t.Helper()
	a, err := f.Standing(t.Context(), f.id, f.members[r])
	must(t, err)
	return a
}

// as returns a context in which the member with this role acts.
func (f firm) as(t *testing.T, r role.Role) context.Context {
	t.Helper()
	return f.standing(t, r).As(t.Context())
}

func TestFirm(t *testing.T) {
	f := newFirm(t)
	firms, err := f.FirmsOf(t.Context(), f.members[role.Preparer])
	must(t, err)
	if len(firms) != 1 || firms[0].Name != "Rao & Co" || firms[0].Role != "preparer" {
		t.Errorf("the preparer's firms are %+v", firms)
	}
	all, err := f.Firm(f.as(t, role.Viewer), f.id)
	must(t, err)
	if len(all.Members) != 4 || len(all.Mail) != 4 || len(all.Invited) != 0 {
		t.Errorf("the firm is %+v", all)
	}
	if _, err := f.Standing(t.Context(), f.id, f.workspace); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a stranger's standing gives %v", err)
	}
}

// A role that may not write cannot write a row, even if the code above forgets to check; and nobody reaches another
// workspace.
func TestRowsKnowWhoActs(t *testing.T) {
	f := newFirm(t)
	c, err := f.CreateConversation(f.as(t, role.Preparer), f.id, "notice")
	must(t, err)
	viewer := f.as(t, role.Viewer)
	if _, err := f.Detail(viewer, f.id, c.ID); err != nil {
		t.Errorf("the viewer does not see it: %v", err)
	}
	_, err = f.CreateConversation(viewer, f.id, "notice")
	wantErr(t, err, store.ErrForbidden)
	wantErr(t, f.Rename(viewer, f.id, c.ID, "Mine"), store.ErrNotFound)
	wantErr(t, f.Delete(viewer, f.id, c.ID), store.ErrNotFound)
	wantErr(t, f.RenameFirm(f.as(t, role.Preparer), f.id, "Mine & Co"), store.ErrForbidden)
	_, _, err = f.FirmLog(f.as(t, role.Preparer), f.id, nil, 10)
	must(t, err)
	if entries, _, _ := f.FirmLog(f.as(t, role.Preparer), f.id, nil, 10); len(entries) != 0 {
		t.Errorf("the preparer reads %d entries of the log", len(entries))
	}
	if entries, _, _ := f.FirmLog(f.as(t, role.Partner), f.id, nil, 10); len(entries) == 0 {
		t.Error("the partner reads nothing of the log")
	}
	// A member's own rows cannot be reached through the firm, nor the firm's rows from the member's
	// own workspace.
	_, err = f.Detail(viewer, f.workspace, f.conversation)
	wantErr(t, err, store.ErrNotFound)
	_, err = f.Detail(t.Context(), f.members[role.Owner], c.ID)
	wantErr(t, err, store.ErrNotFound)
	wantErr(t, f.SetMember(f.as(t, role.Preparer), f.id, f.standing(t, role.Viewer).Member, role.Preparer, "Me", 0), store.ErrNotFound)
}

// Nobody can change or remove an entry of the log; only erasing the firm deletes it.
func TestLogStays(t *testing.T) {
	f := newFirm(t)
	conn, err := pgx.Connect(t.Context(), f.url)
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	count := func() (n int) {
		must(t, conn.QueryRow(t.Context(), "select count(*) from firm_log").Scan(&n))
		return n
	}
	before := count()
	for _, statement := range []string{"update firm_log set event = 'nothing'", "delete from firm_log"} {
		tx, err := conn.Begin(t.Context())
		must(t, err)
		_, err = tx.Exec(t.Context(), "set local role munshi_app")
		must(t, err)
		_, err = tx.Exec(t.Context(), "select set_config('app.workspace_id', $1, true)", f.id.String())
		must(t, err)
		_, _ = tx.Exec(t.Context(), statement)
		_ = tx.Commit(t.Context())
	}
	if n := count(); n != before {
		t.Errorf("the log has %d entries, and had %d", n, before)
	}
	_, err = f.BeginErasure(t.Context(), f.id, 0, "")
	must(t, err)
	for more := true; more; {
		more, err = f.EraseRows(t.Context(), f.id)
		must(t, err)
	}
	must(t, f.EndErasure(t.Context(), f.id))
	if n := count(); n != 0 {
		t.Errorf("after the erasure of the firm its log has %d entries", n)
	}
	if firms, err := f.FirmsOf(t.Context(), f.members[role.Owner]); err != nil || len(firms) != 0 {
		t.Errorf("the owner's firms are %v (%v)", firms, err)
	}
}

func TestInvitations(t *testing.T) {
	f := newFirm(t)
	owner := f.as(t, role.Owner)
	invite := func(r role.Role, life time.Duration) (id uuid.UUID, token string) {
		token = rand.Text()
		id, err := f.Invite(owner, f.id, store.NewInvitation{Token: token, Role: r, Email: "ravi@example.com", Life: life})
		must(t, err)
		return id, token
	}
	ravi := f.person(t, "ravi")
	accept := func(token string, free int) error {
		_, err := f.AcceptInvitation(t.Context(), token, ravi, "Ravi", free)
		return err
	}
	_, old := invite(role.Preparer, -time.Second)
	wantErr(t, accept(old, 0), store.ErrNotFound)
	id, withdrawn := invite(role.Preparer, time.Hour)
	must(t, f.WithdrawInvitation(owner, f.id, id))
	wantErr(t, accept(withdrawn, 0), store.ErrNotFound)
	_, good := invite(role.Preparer, time.Hour)
	wantErr(t, accept(good, 3), store.ErrNoSeatLeft) // owner, partner, preparer
	must(t, accept(good, 4))
	_, again := invite(role.Viewer, time.Hour)
	wantErr(t, accept(good, 0), store.ErrNotFound)
	wantErr(t, accept(again, 0), store.ErrMember)
	// The member who sent the invitation has left, so the invitation is no longer valid.
	token := rand.Text()
	_, err := f.Invite(f.as(t, role.Partner), f.id, store.NewInvitation{Token: token, Role: role.Viewer, Life: time.Hour})
	must(t, err)
	must(t, f.EndMember(owner, f.id, f.standing(t, role.Partner).Member, nil, false))
	_, err = f.AcceptInvitation(t.Context(), token, f.person(t, "meera"), "Meera", 0)
	wantErr(t, err, store.ErrNotFound)
}

func TestMembersChange(t *testing.T) {
	f := newFirm(t)
	owner, partner, viewer := f.as(t, role.Owner), f.standing(t, role.Partner), f.standing(t, role.Viewer)
	must(t, f.SetMember(owner, f.id, viewer.Member, role.Preparer, "Vikram", 4))
	wantErr(t, f.SetMember(owner, f.id, viewer.Member, role.Owner, "Vikram", 0), store.ErrOwner)
	wantErr(t, f.SetMember(owner, f.id, f.standing(t, role.Owner).Member, role.Partner, "Asha", 0), store.ErrOwner)
	wantErr(t, f.EndMember(owner, f.id, f.standing(t, role.Owner).Member, nil, true), store.ErrOwner)
	_, err := f.BeginErasure(t.Context(), f.members[role.Owner], 0, "")
	if owns := (*store.OwnsFirms)(nil); !errors.As(err, &owns) || !slices.Equal(owns.Firms, []string{"Rao & Co"}) {
		t.Errorf("to erase the owner gives %v", err)
	}

	_, err = f.RenewCalendar(owner, f.id, "secret")
	must(t, err)
	must(t, f.HandOver(owner, f.id, partner.Member))
	if now := f.standing(t, role.Owner); now.Role != role.Partner {
		t.Errorf("who handed the firm over is %s", now.Role)
	}
	wantErr(t, f.HandOver(owner, f.id, viewer.Member), store.ErrOwner) // as they were
	must(t, f.EndMember(f.as(t, role.Owner), f.id, f.standing(t, role.Owner).Member, nil, true))
	_, err = f.Standing(t.Context(), f.id, f.members[role.Owner])
	wantErr(t, err, store.ErrNotFound)
	_, err = f.CalendarOf(t.Context(), "secret")
	wantErr(t, err, store.ErrNotFound)
	_, err = f.BeginErasure(t.Context(), f.members[role.Owner], 0, "")
	must(t, err)
	must(t, f.EndErasure(t.Context(), f.members[role.Owner]))
	all, err := f.Firm(f.as(t, role.Partner), f.id)
	must(t, err)
	at := slices.IndexFunc(all.Members, func(m store.Member) bool { return m.LeftAt != nil })
	if at < 0 || all.Members[at].Name != "Asha Rao" || all.Members[at].PersonID != nil {
		t.Fatalf("the members are %+v", all.Members)
	}
	must(t, f.ForgetMember(f.as(t, role.Partner), f.id, all.Members[at].ID, "A former member"))
	wantErr(t, f.ForgetMember(f.as(t, role.Partner), f.id, viewer.Member, "Nobody"), store.ErrNotFound)
}

// Paid seats count while the period runs, and changing the number of seats makes the remaining time longer or
// shorter.
func TestSeatsThatArePaid(t *testing.T) {
	f := newFirm(t)
	pay := func(order string, seats int) store.Subscription {
		must(t, f.StartPayment(t.Context(), store.NewPayment{Order: order, Provider: "sandbox", Workspace: f.id, Paise: 100, Currency: "INR", Seats: seats}))
		_, err := f.Settle(t.Context(), store.Charge{Order: order, Payment: "pay_" + order, State: store.Paid, Paise: 100, Currency: "INR"},
			store.Sale{Period: 20 * time.Hour, Receipt: func(int64, string) (string, json.RawMessage, error) { return "R", json.RawMessage("{}"), nil }})
		must(t, err)
		sub, err := f.Subscription(t.Context(), f.id)
		must(t, err)
		return sub
	}
	within := func(sub store.Subscription, hours float64) bool {
		left := time.Until(*sub.CurrentPeriodEnd).Hours()
		return left > hours-0.1 && left < hours+0.1
	}
	if sub := pay("o1", 2); !within(sub, 20) {
		t.Errorf("the period is %+v, want 20 hours", sub.CurrentPeriodEnd)
	}
	if sub := pay("o2", 4); !within(sub, 30) {
		t.Errorf("20 hours of 2 seats and 20 of 4 end at %+v, want 30 hours", sub.CurrentPeriodEnd)
	}
	token := rand.Text()
	_, err := f.Invite(f.as(t, role.Owner), f.id, store.NewInvitation{Token: token, Role: role.Preparer, Life: time.Hour})
	must(t, err)
	_, err = f.AcceptInvitation(t.Context(), token, f.person(t, "ravi"), "Ravi", 3)
	must(t, err) // the fourth seat
}
