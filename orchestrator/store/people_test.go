package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store"
)

var life = store.SessionLife{Idle: time.Hour, Whole: 2 * time.Hour}

func (f fixture) signUp(t *testing.T, name, before string) uuid.UUID {
	t.Helper()
	id, err := f.SignUp(t.Context(), store.NewPerson{Email: name, Address: name, Password: "a hash", Confirmed: true, Consent: "test"},
		store.Arrival{Token: "session of " + name, Before: before, Life: life})
	must(t, err)
	return id
}

func (f fixture) used(t *testing.T, workspace uuid.UUID) int {
	t.Helper()
	sub, err := f.Subscription(t.Context(), workspace)
	must(t, err)
	return int(sub.UsageCount)
}

func (f fixture) try(t *testing.T, conversation uuid.UUID, workspace uuid.UUID, free int) (store.Turn, error) {
	t.Helper()
	turn, _, err := f.Accept(t.Context(), store.NewTurn{Workspace: workspace, Conversation: conversation, Text: "May I?", Kind: "chat", Free: &free})
	return turn, err
}

// With one of two free uses spent, two browser tabs send at once, each in its own conversation:
// exactly one is accepted.
func TestTwoTabsOneUse(t *testing.T) {
	f := newFixture(t)
	for range 40 {
		visitor, err := f.NewVisitor(t.Context(), uuid.NewString())
		must(t, err)
		conversations := []uuid.UUID{f.converse(t, visitor), f.converse(t, visitor), f.converse(t, visitor)}
		_, err = f.try(t, conversations[0], visitor, 2)
		must(t, err)
		var passed, refused atomic.Int32
		var tabs sync.WaitGroup
		for _, c := range conversations[1:] {
			tabs.Go(func() {
				switch _, err := f.try(t, c, visitor, 2); {
				case err == nil:
					passed.Add(1)
				case errors.Is(err, store.ErrNoUseLeft):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		tabs.Wait()
		if passed.Load() != 1 || refused.Load() != 1 || f.used(t, visitor) != 2 {
			t.Fatalf("%d passed, %d were refused, %d used", passed.Load(), refused.Load(), f.used(t, visitor))
		}
	}
}

// How a turn ends decides whether it counts as a use; a retry does not count again.
func TestUsesFollowTheTurn(t *testing.T) {
	f := newFixture(t)
	say := func(text string) func(store.Ref) {
		return func(ref store.Ref) {
			epoch, err := f.OpenEpoch(t.Context(), ref, "answer")
			must(t, err)
			if text != "" {
				must(t, f.Append(t.Context(), ref, store.EventID{Epoch: epoch, Seq: 1}, text))
			}
		}
	}
	tests := []struct {
		name  string
		write func(store.Ref)
		end   store.Ending
		used  int
	}{
		{"answered", say("Yes."), store.Ending{State: "answered", Text: "Yes."}, 1},
		{"failed", say("Ye"), store.Ending{State: "failed", Text: "Sorry."}, 0},
		{"stopped before the first token", say(""), store.Ending{State: "stopped"}, 0},
		{"stopped after it", say("Ye"), store.Ending{State: "stopped"}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			visitor, err := f.NewVisitor(t.Context(), uuid.NewString())
			must(t, err)
			turn, err := f.try(t, f.converse(t, visitor), visitor, 1)
			must(t, err)
			ref := store.Ref{Workspace: visitor, Conversation: turn.ConversationID, Turn: turn.ID, Run: "first"}
			_, err = f.Begin(t.Context(), ref, steps)
			must(t, err)
			if n := f.used(t, visitor); n != 1 {
				t.Fatalf("while it runs %d are used, want 1", n)
			}
			tt.write(ref)
			must(t, f.End(t.Context(), ref, tt.end))
			must(t, f.End(t.Context(), ref, tt.end)) // as a retry of the activity would
			if n := f.used(t, visitor); n != tt.used {
				t.Fatalf("%d are used, want %d", n, tt.used)
			}
			if tt.end.State == "answered" {
				return
			}
			// The retry counts as the same use, so it is allowed although no use is left; a partly written answer is
			// kept instead.
			again, err := f.Requeue(t.Context(), visitor, turn.ID, new(1))
			must(t, err)
			if (again.State == "queued") == (tt.used == 1) {
				t.Fatalf("tried again, the turn is %s", again.State)
			}
			if n := f.used(t, visitor); n != 1 {
				t.Fatalf("tried again, %d are used, want 1", n)
			}
			if tt.used == 1 {
				return
			}
			ref.Run = "second"
			_, err = f.Begin(t.Context(), ref, steps)
			must(t, err)
			must(t, f.End(t.Context(), ref, store.Ending{State: "answered", Text: "Yes."}))
			if n := f.used(t, visitor); n != 1 {
				t.Fatalf("answered in the end, %d are used, want 1", n)
			}
		})
	}
}

// A released use can be spent once, by whichever turn comes first: a person who stops ten turns before anything is
// written, and retries them, gets as many answers as they have uses, with or without an account.
func TestGivenBackIsHadOnce(t *testing.T) {
	for _, as := range []string{"the visitor", "signed up", "signed in"} {
		t.Run(as, func(t *testing.T) {
			f := newFixture(t)
			var turns []store.Turn
			for range 5 {
				turn, err := f.try(t, f.converse(t, f.workspace), f.workspace, 2)
				must(t, err)
				ref := store.Ref{Workspace: f.workspace, Conversation: turn.ConversationID, Turn: turn.ID, Run: "first"}
				_, err = f.Begin(t.Context(), ref, steps)
				must(t, err)
				must(t, f.End(t.Context(), ref, store.Ending{State: "stopped"}))
				turns = append(turns, turn)
			}
			owner, token := f.workspace, "token of "+t.Name()
			switch as {
			case "signed up":
				owner = f.signUp(t, "asha@example.com", token)
			case "signed in":
				owner = f.signUp(t, "asha@example.com", "")
				must(t, f.SignIn(t.Context(), owner, store.Arrival{Token: "another", Before: token, Life: life}))
			}
			for i, turn := range turns {
				_, err := f.Requeue(t.Context(), owner, turn.ID, new(2))
				if i < 2 {
					must(t, err)
				} else {
					wantErr(t, err, store.ErrNoUseLeft)
				}
			}
			if n := f.used(t, owner); n != 2 {
				t.Errorf("%d are used, want 2", n)
			}
		})
	}
}

// A turn that failed on our side can always be retried, whatever was done since, because its use was paid for.
func TestRetryIsNeverRefused(t *testing.T) {
	f := newFixture(t)
	turn, err := f.try(t, f.conversation, f.workspace, 1)
	must(t, err)
	_, err = f.Begin(t.Context(), f.ref(turn, "first"), steps)
	must(t, err)
	must(t, f.End(t.Context(), f.ref(turn, "first"), store.Ending{State: "failed", Text: "Sorry."}))
	_, err = f.try(t, f.converse(t, f.workspace), f.workspace, 1)
	must(t, err)
	again, err := f.Requeue(t.Context(), f.workspace, turn.ID, new(1))
	must(t, err)
	if again.State != "queued" {
		t.Errorf("tried again, the turn is %s", again.State)
	}
}

// A requested document can be uploaded without a use until one was reviewed, even if no use is left; any other
// upload counts.
func TestAskedForIsFree(t *testing.T) {
	f := newFixture(t)
	ask, err := f.try(t, f.conversation, f.workspace, 1)
	must(t, err)
	ref := f.ref(ask, "run")
	_, err = f.Begin(t.Context(), ref, steps)
	must(t, err)
	must(t, f.ReplaceRequired(t.Context(), ref, []store.Required{{Type: "Tax invoices"}}))
	must(t, f.End(t.Context(), ref, store.Ending{State: "answered", Text: "These"}))
	handIn := func(kind, end string) error {
		turn, _, err := f.Accept(t.Context(), store.NewTurn{Workspace: f.workspace, Conversation: f.conversation, Kind: "document", Text: "Here", Free: new(1),
			Document: &store.NewDocument{Name: "i.pdf", Type: kind, Pages: 1, Content: strings.NewReader("x")}})
		if err == nil {
			_, err = f.Begin(t.Context(), f.ref(turn, "run"), steps)
			must(t, err)
			must(t, f.End(t.Context(), f.ref(turn, "run"), store.Ending{State: end, Text: "Seen"}))
		}
		return err
	}
	wantErr(t, handIn("Holiday pictures", "answered"), store.ErrNoUseLeft)
	must(t, handIn("tax INVOICES", "failed"))
	must(t, handIn("Tax invoices", "answered"))
	wantErr(t, handIn("Tax invoices", "answered"), store.ErrNoUseLeft)
	if n := f.used(t, f.workspace); n != 1 {
		t.Errorf("%d are used, want the question alone", n)
	}
}

// Several people use one browser: what one of them moves to an account never reaches the next.
func TestOneBrowserTwoPeople(t *testing.T) {
	f := newFixture(t)
	asha := f.signUp(t, "asha@example.com", "")
	must(t, f.SignIn(t.Context(), asha, store.Arrival{Token: "Asha", Before: "token of " + t.Name(), Life: life}))
	_, err := f.SignOut(t.Context(), "Asha", "the next one")
	must(t, err)
	ravi := f.signUp(t, "ravi@example.com", "the next one")
	owner, err := f.Owner(t.Context(), ravi)
	must(t, err)
	if ravi == f.workspace || owner != ravi {
		t.Fatalf("Ravi is %v and his work belongs to %v; Asha is %v and took over %v", ravi, owner, asha, f.workspace)
	}
	_, err = f.BeginErasure(t.Context(), asha, 0, "")
	must(t, err)
	must(t, f.EndErasure(t.Context(), asha))
	if _, err := f.Person(t.Context(), ravi); err != nil {
		t.Errorf("once Asha was erased, Ravi: %v", err)
	}
}

func TestSignUpKeepsTheWorkAndLeavesTheCount(t *testing.T) {
	f := newFixture(t)
	turn, err := f.try(t, f.conversation, f.workspace, 2)
	must(t, err)
	person := f.signUp(t, "asha@example.com", "token of "+t.Name())
	if person != f.workspace {
		t.Fatal("the work of the visitor is not in the account's workspace")
	}
	if n := f.used(t, person); n != 0 {
		t.Errorf("a new account has used %d, want 0", n)
	}
	ref := store.Ref{Workspace: person, Conversation: f.conversation, Turn: turn.ID, Run: "r"}
	_, err = f.Begin(t.Context(), ref, steps) // running work continues
	must(t, err)
	must(t, f.End(t.Context(), ref, store.Ending{State: "failed", Text: "Sorry."}))
	if n := f.used(t, person); n != 0 {
		t.Errorf("a turn of before the account changed its count to %d", n)
	}
	known, err := f.SignOut(t.Context(), "session of asha@example.com", "as a visitor again")
	must(t, err)
	visitor, err := f.Session(t.Context(), "as a visitor again", time.Hour)
	must(t, err)
	if !known || visitor.SignedIn || visitor.Workspace == person || f.used(t, visitor.Workspace) != 1 {
		t.Errorf("after signing out the browser is %+v with %d uses, want a visitor with what was used", visitor, f.used(t, visitor.Workspace))
	}
	_, err = f.SignUp(t.Context(), store.NewPerson{Email: "x", Address: "asha@example.com", Password: "h", Consent: "test"}, store.Arrival{Token: "t", Life: life})
	wantErr(t, err, store.ErrTaken)
}

// Signing in to an account moves the visitor's data, and work that was started for the visitor finds it
// there.
func TestSignInBringsTheWork(t *testing.T) {
	f := newFixture(t)
	person := f.signUp(t, "asha@example.com", "")
	turn, err := f.try(t, f.conversation, f.workspace, 2)
	must(t, err)
	ref := store.Ref{Workspace: f.workspace, Conversation: f.conversation, Turn: turn.ID, Run: "r"}
	_, err = f.Begin(t.Context(), ref, steps)
	must(t, err)
	must(t, f.SignIn(t.Context(), person, store.Arrival{Token: "another browser", Before: "token of " + t.Name(), Life: life}))

	wantErr(t, f.End(t.Context(), ref, store.Ending{State: "answered", Text: "Yes."}), store.ErrNotFound)
	if !f.Moved(t.Context(), f.workspace) || f.Moved(t.Context(), person) {
		t.Error("who worked for the visitor does not learn that the work has moved, or learns it of the account too")
	}
	owner, err := f.Owner(t.Context(), f.workspace)
	must(t, err)
	if owner != person {
		t.Fatalf("the visitor's work belongs to %v, want the account", owner)
	}
	ref.Workspace = owner
	must(t, f.End(t.Context(), ref, store.Ending{State: "answered", Text: "Yes."}))
	browser, err := f.Session(t.Context(), "another browser", time.Hour)
	must(t, err)
	if f.used(t, person) != 0 || f.used(t, *browser.Visitor) != 1 {
		t.Errorf("the account has used %d, the visitor %d; want 0 and 1", f.used(t, person), f.used(t, *browser.Visitor))
	}
	list, _, err := f.Conversations(t.Context(), person, store.ConversationQuery{Most: 10})
	must(t, err)
	if len(list) != 1 {
		t.Errorf("the account has %d conversations, want the visitor's", len(list))
	}
	_, err = f.Session(t.Context(), "token of "+t.Name(), time.Hour)
	wantErr(t, err, store.ErrNotFound) // the session has a new token
}

// The rows of every table with personal data move with the person, and nobody else sees them. The tables come from
// PostgreSQL's catalogue, so that none is forgotten.
func TestEveryPersonalTable(t *testing.T) {
	f := newFixture(t)
	conn, err := pgx.Connect(t.Context(), f.url)
	must(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	var moving []string
	must(t, conn.QueryRow(t.Context(), "select moving_tables()").Scan(&moving))
	rows, err := conn.Query(t.Context(), `select c.relname, c.relrowsecurity and c.relforcerowsecurity,
			exists (select from pg_policies p where p.tablename = c.relname and p.policyname = 'own_workspace' and p.qual like '%app.workspace_id%' and p.with_check like '%app.workspace_id%')
		from pg_class c join pg_attribute a on a.attrelid = c.oid
		where c.relkind = 'r' and a.attname = 'workspace_id' and not a.attisdropped and c.relnamespace = 'public'::regnamespace order by 1`)
	must(t, err)
	// The person can neither read nor write these.
	ofSystem := []string{"audit", "erasures", "known_browsers", "people", "sessions"}
	// These stay with the workspace in which they were used.
	stays := []string{"payments", "spending", "subscriptions", "uses"}
	var name string
	var forced, own bool
	_, err = pgx.ForEachRow(rows, []any{&name, &forced, &own}, func() error {
		switch {
		case !forced:
			t.Errorf("%s: row-level security is not forced", name)
		case slices.Contains(ofSystem, name) == own:
			t.Errorf("%s: a person's own policy: %v", name, own)
		case own && slices.Contains(moving, name) == slices.Contains(stays, name):
			t.Errorf("%s: does not say whether it goes with a visitor who signs in: moving_tables() is for that", name)
		}
		return nil
	})
	must(t, err)
}

// Of many simultaneous attempts, as many are allowed as fit into the window; costs above it expire
// after a known time.
func TestSpareAndOwe(t *testing.T) {
	f := newFixture(t)
	var spared atomic.Int32
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			wait, err := f.Spare(t.Context(), "visitors|203.0.113.7", 3*time.Minute, time.Hour)
			if err == nil && wait == 0 {
				spared.Add(1)
			}
		})
	}
	all.Wait()
	if spared.Load() != 20 {
		t.Errorf("%d were spared", spared.Load())
	}
	for range 10 {
		must(t, f.Owe(t.Context(), "visitors|203.0.113.7", 30*time.Minute, 3*time.Hour))
	}
	owed, err := f.Owed(t.Context(), "visitors|203.0.113.7")
	must(t, err)
	if owed < 179*time.Minute || owed > 3*time.Hour {
		t.Errorf("%v is owed", owed)
	}
	if owed, err = f.Owed(t.Context(), "nobody"); err != nil || owed != 0 {
		t.Errorf("nobody owes %v (%v)", owed, err)
	}
}

// The spending of all visitors counts together, and never limits someone with an account.
func TestSpentByVisitors(t *testing.T) {
	f := newFixture(t)
	one, err := f.NewVisitor(t.Context(), "one")
	must(t, err)
	two, err := f.NewVisitor(t.Context(), "two")
	must(t, err)
	person := f.signUp(t, "asha@example.com", "")
	for _, who := range []uuid.UUID{one, two, person} {
		must(t, f.Spend(t.Context(), who, 100))
	}
	for who, want := range map[uuid.UUID]int64{one: 200, two: 200, person: 0} {
		if got, err := f.SpentByVisitors(t.Context(), who); err != nil || got != want {
			t.Errorf("%d paise (%v), want %d", got, err, want)
		}
	}
}

func TestThrottle(t *testing.T) {
	f := newFixture(t)
	rate := store.Rate{Every: time.Hour, Burst: 3}
	for i := range 3 {
		wait, err := f.Throttle(t.Context(), "a", rate)
		must(t, err)
		if wait != 0 {
			t.Fatalf("try %d has to wait %v", i+1, wait)
		}
	}
	wait, err := f.Throttle(t.Context(), "a", rate)
	must(t, err)
	if wait <= 0 || wait > time.Hour {
		t.Errorf("the fourth waits %v, want up to an hour", wait)
	}
	wait, err = f.Throttle(t.Context(), "b", rate)
	must(t, err)
	if wait != 0 {
		t.Errorf("another key waits %v", wait)
	}
	must(t, f.Unthrottle(t.Context(), "a"))
	wait, err = f.Throttle(t.Context(), "a", rate)
	must(t, err)
	if wait != 0 {
		t.Errorf("forgotten, it waits %v", wait)
	}
}

func TestSignOutElsewhere(t *testing.T) {
	f := newFixture(t)
	person := f.signUp(t, "asha@example.com", "token of "+t.Name())
	for i := range 3 {
		must(t, f.SignIn(t.Context(), person, store.Arrival{Token: fmt.Sprint("device ", i), Device: "Firefox", Life: life}))
	}
	devices, err := f.Devices(t.Context(), person)
	must(t, err)
	if len(devices) != 4 {
		t.Fatalf("%d devices, want 4", len(devices))
	}
	must(t, f.SignOutElsewhere(t.Context(), person, "device 1"))
	devices, err = f.Devices(t.Context(), person)
	must(t, err)
	if len(devices) != 1 {
		t.Errorf("%d devices are left, want the one that asked", len(devices))
	}
	back, err := f.Session(t.Context(), "session of asha@example.com", time.Hour)
	must(t, err)
	if back.SignedIn || back.Workspace == person {
		t.Errorf("the browser that had been a visitor's is %+v, want that visitor again", back)
	}
	wantErr(t, f.SignOutDevice(t.Context(), f.workspace, uuid.New()), store.ErrNotFound)
}

// A link to reset a password can be used once, even if two people use it at the same moment, and shows the address of
// its account.
func TestResetOnce(t *testing.T) {
	f := newFixture(t)
	person, err := f.SignUp(t.Context(), store.NewPerson{Email: "a@example.com", Address: "a@example.com", Password: "old", Consent: "test"}, store.Arrival{Token: "old session", Life: life})
	must(t, err)
	for _, token := range []string{"link", "another"} {
		must(t, f.AddLetter(t.Context(), token, store.Letter{Purpose: "reset", Email: "a@example.com", Address: "a@example.com", Life: time.Hour}))
	}
	var done, spent atomic.Int32
	var both sync.WaitGroup
	for i := range 6 {
		both.Go(func() {
			switch id, err := f.ResetPassword(t.Context(), []string{"link", "another"}[i%2], fmt.Sprint("new ", i)); {
			case err == nil && id == person:
				done.Add(1)
			case errors.Is(err, store.ErrNotFound):
				spent.Add(1)
			default:
				t.Error(id, err)
			}
		})
	}
	both.Wait()
	if done.Load() != 1 || spent.Load() != 5 {
		t.Errorf("%d passwords were set, %d refused; want 1 and 5", done.Load(), spent.Load())
	}
	p, err := f.Person(t.Context(), person)
	must(t, err)
	if p.ConfirmedAt == nil || p.Password == "old" {
		t.Errorf("the account is confirmed %v, its password is %s", p.ConfirmedAt, p.Password)
	}
	_, err = f.Session(t.Context(), "old session", time.Hour)
	wantErr(t, err, store.ErrNotFound)
}
