package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store/db"
)

// How long a visitor's session lasts after its last use. Use is recorded at most once an hour.
const (
	sessionLife  = 180 * 24 * time.Hour
	sessionTouch = time.Hour
)

// SessionLife says how long a signed-in person's session lasts: without use (Idle), and at most (Whole).
type SessionLife struct{ Idle, Whole time.Duration }

// Session says who is using a browser.
type Session struct {
	ID        uuid.UUID
	Workspace uuid.UUID
	Visitor   *uuid.UUID // the visitor to whom the browser returns after signing out
	Email     string     // "" for a visitor
	SignedIn  bool
	Operator  bool
	Mail      bool // reminders of reply dates are also sent by mail
}

// NewVisitor creates a workspace for an unknown person and opens a session for the token, of which only the hash is
// stored.
func (s *Store) NewVisitor(ctx context.Context, token string) (uuid.UUID, error) {
	id := newID()
	err := s.system(ctx, func(q *db.Queries) error {
		if err := q.CreateWorkspace(ctx, db.CreateWorkspaceParams{ID: id, Kind: "visitor"}); err != nil {
			return err
		}
		return q.CreateSession(ctx, visitorSession(token, id))
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("create a visitor: %w", err)
	}
	return id, nil
}

func visitorSession(token string, visitor uuid.UUID) db.CreateSessionParams {
	sha := sha256.Sum256([]byte(token))
	return db.CreateSessionParams{
		TokenSha:    sha[:],
		WorkspaceID: visitor,
		ExpiresAt:   time.Now().Add(sessionLife),
		EndsAt:      time.Now().AddDate(100, 0, 0),
	}
}

// Session returns the session of a token, and extends it by idle, or by sessionLife for a visitor. ErrNotFound:
// unknown or expired.
func (s *Store) Session(ctx context.Context, token string, idle time.Duration) (Session, error) {
	sha := sha256.Sum256([]byte(token))
	var row db.SessionRow
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		row, err = q.Session(ctx, sha[:])
		return err
	})
	if err == nil && time.Since(row.SeenAt) >= sessionTouch {
		if !row.SignedIn {
			idle = sessionLife
		}
		err = s.system(ctx, func(q *db.Queries) error {
			return q.TouchSession(ctx, db.TouchSessionParams{TokenSha: sha[:], ExpiresAt: time.Now().Add(idle)})
		})
	}
	if err != nil {
		return Session{}, fmt.Errorf("look up the session: %w", err)
	}
	return Session{ID: row.ID, Workspace: row.WorkspaceID, Visitor: row.VisitorID, Email: row.Email,
		SignedIn: row.SignedIn, Operator: row.Operator, Mail: row.Mail}, nil
}

// Arrival describes a browser that signs in: its new token, its previous one ("" for none), and its user agent.
type Arrival struct {
	Token, Before string
	Known         string // the token by which we recognise the browser next time; "" for none
	Device        string
	Life          SessionLife
}

// ErrTaken means that the address already has an account.
var ErrTaken = errors.New("this address has an account")

// NewPerson is someone who signs up.
type NewPerson struct {
	Email, Address string // as typed, and in the normal form used to compare addresses
	Password       string // hash of the password
	Confirmed      bool   // the address is confirmed
	Consent        string // the version of the data notice to which they agreed
}

// SignUp turns the visitor's workspace, with all its content and running work, into an account, and signs the browser
// in. The count of used turns moves on to the browser's next visitor. ErrTaken: the address already has an account.
func (s *Store) SignUp(ctx context.Context, p NewPerson, a Arrival) (workspace uuid.UUID, err error) {
	err = s.system(ctx, func(q *db.Queries) error {
		visitor, err := leave(ctx, q, a.Before)
		if err != nil {
			return err
		}
		workspace = newID()
		next, err := nextVisitor(ctx, q, visitor)
		if err != nil {
			return err
		}
		if visitor != nil {
			workspace = *visitor
			if err := q.BecomePerson(ctx, workspace); err != nil {
				return err
			}
		} else if err := q.CreateWorkspace(ctx, db.CreateWorkspaceParams{ID: workspace, Kind: "person"}); err != nil {
			return err
		}
		row := db.CreatePersonParams{
			WorkspaceID: workspace,
			Email:       p.Email,
			Address:     p.Address,
			Password:    p.Password,
			Consent:     p.Consent,
		}
		if p.Confirmed {
			row.ConfirmedAt = ptr(time.Now())
		}
		n, err := q.CreatePerson(ctx, row)
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrTaken
		}
		if err := q.DropLetters(ctx, db.DropLettersParams{Address: p.Address, Purpose: "confirm"}); err != nil {
			return err
		}
		return enter(ctx, q, workspace, next, a, "signed_up")
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("sign up: %w", err)
	}
	return workspace, nil
}

// SignIn signs the browser in to an account, and moves the visitor's data to the account.
func (s *Store) SignIn(ctx context.Context, workspace uuid.UUID, a Arrival) error {
	err := s.system(ctx, func(q *db.Queries) error {
		visitor, err := leave(ctx, q, a.Before)
		if err != nil {
			return err
		}
		next, err := nextVisitor(ctx, q, visitor)
		if err != nil {
			return err
		}
		if visitor != nil {
			if err := adopt(ctx, q, *visitor, workspace); err != nil {
				return err
			}
		}
		return enter(ctx, q, workspace, next, a, "signed_in")
	})
	if err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	return nil
}

// leave ends the browser's session, and returns its visitor, or nil if there was no session.
func leave(ctx context.Context, q *db.Queries, token string) (visitor *uuid.UUID, err error) {
	if token == "" {
		return nil, nil
	}
	sha := sha256.Sum256([]byte(token))
	was, err := q.Session(ctx, sha[:])
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := q.EndSession(ctx, sha[:]); err != nil {
		return nil, err
	}
	if was.SignedIn {
		return was.VisitorID, nil
	}
	return &was.WorkspaceID, nil
}

// nextVisitor creates the visitor that the browser becomes after signing out, and carries over the count of used
// turns. It is never the previous visitor: that workspace belongs to the account now, and is erased with it.
func nextVisitor(ctx context.Context, q *db.Queries, visitor *uuid.UUID) (*uuid.UUID, error) {
	if visitor == nil {
		return nil, nil
	}
	next := newID()
	if err := q.CreateWorkspace(ctx, db.CreateWorkspaceParams{ID: next, Kind: "visitor"}); err != nil {
		return nil, err
	}
	return &next, q.SpendAsBefore(ctx, db.SpendAsBeforeParams{VisitorID: next, WorkspaceID: *visitor})
}

func enter(ctx context.Context, q *db.Queries, workspace uuid.UUID, visitor *uuid.UUID, a Arrival, event string) error {
	sha := sha256.Sum256([]byte(a.Token))
	now := time.Now()
	ends := now.Add(a.Life.Whole)
	err := q.CreateSession(ctx, db.CreateSessionParams{TokenSha: sha[:], WorkspaceID: workspace, VisitorID: visitor,
		Device: short(a.Device, 200), ExpiresAt: now.Add(min(a.Life.Idle, a.Life.Whole)), EndsAt: ends})
	if err != nil {
		return err
	}
	if err := knowBrowser(ctx, q, workspace, a.Known); err != nil {
		return err
	}
	return note(ctx, q, &workspace, event, nil)
}

func knowBrowser(ctx context.Context, q *db.Queries, workspace uuid.UUID, token string) error {
	if token == "" {
		return nil
	}
	sha := sha256.Sum256([]byte(token))
	return q.KnowBrowser(ctx, db.KnowBrowserParams{TokenSha: sha[:], WorkspaceID: workspace})
}

// adopt moves everything that a visitor has to an account, except the count of used turns.
func adopt(ctx context.Context, q *db.Queries, visitor, owner uuid.UUID) error {
	n, err := q.Adopt(ctx, db.AdoptParams{Visitor: visitor, Owner: &owner})
	if err != nil || n == 0 {
		return err
	}
	if err := q.MaskAsBefore(ctx, db.MaskAsBeforeParams{Visitor: visitor, Owner: owner}); err != nil {
		return err
	}
	if err := q.MoveGivenBack(ctx, db.MoveGivenBackParams{Visitor: visitor, Owner: owner}); err != nil {
		return err
	}
	if err := q.AsKeeper(ctx); err != nil {
		return err
	}
	if err := q.MoveRows(ctx, db.MoveRowsParams{Visitor: visitor, Owner: owner}); err != nil {
		return err
	}
	return q.AsSystem(ctx)
}

// SignOut ends a token's session and signs the browser in as its visitor under the token next. known is false if there
// was no session.
func (s *Store) SignOut(ctx context.Context, token, next string) (known bool, err error) {
	err = s.system(ctx, func(q *db.Queries) error {
		sha := sha256.Sum256([]byte(token))
		was, err := q.EndSession(ctx, sha[:])
		if err != nil {
			return err
		}
		if err := note(ctx, q, &was.WorkspaceID, "signed_out", nil); err != nil {
			return err
		}
		if known = was.VisitorID != nil; !known {
			return nil
		}
		return q.CreateSession(ctx, visitorSession(next, *was.VisitorID))
	})
	if err != nil {
		return false, fmt.Errorf("sign out: %w", err)
	}
	return known, nil
}

// Device is a browser in which a person is signed in.
type Device = db.SessionsRow

// Devices returns the browsers in which a person is signed in, most recently used first.
func (s *Store) Devices(ctx context.Context, person uuid.UUID) (devices []Device, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		devices, err = q.Sessions(ctx, person)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the devices: %w", err)
	}
	return devices, nil
}

// SignOutDevice signs a person out of one browser. ErrNotFound: the person is not signed in there.
func (s *Store) SignOutDevice(ctx context.Context, person, session uuid.UUID) error {
	return s.signOutOf(ctx, person, &session, "")
}

// SignOutElsewhere signs a person out of every browser except the one with this token.
func (s *Store) SignOutElsewhere(ctx context.Context, person uuid.UUID, token string) error {
	return s.signOutOf(ctx, person, nil, token)
}

func (s *Store) signOutOf(ctx context.Context, person uuid.UUID, session *uuid.UUID, except string) error {
	sha := sha256.Sum256([]byte(except))
	err := s.system(ctx, func(q *db.Queries) error {
		if session != nil {
			devices, err := q.Sessions(ctx, person)
			if err != nil {
				return err
			}
			found := false
			for _, d := range devices {
				found = found || d.ID == *session
			}
			if !found {
				return ErrNotFound
			}
		}
		if _, err := q.LeaveSession(ctx,
			db.LeaveSessionParams{WorkspaceID: person, ID: session, ExceptSha: sha[:],
				ExpiresAt: time.Now().Add(sessionLife)}); err != nil {
			return err
		}
		return note(ctx, q, &person, "signed_out_elsewhere", nil)
	})
	if err != nil {
		return fmt.Errorf("sign out of other devices: %w", err)
	}
	return nil
}

// Person is someone with an account.
type Person = db.PersonRow

// Person returns an account. It returns ErrNotFound if there is none.
func (s *Store) Person(ctx context.Context, workspace uuid.UUID) (p Person, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		p, err = q.Person(ctx, workspace)
		return err
	})
	if err != nil {
		return Person{}, fmt.Errorf("look up the person: %w", err)
	}
	return p, nil
}

// WantMail stores whether the person wants reminders of reply dates by mail.
func (s *Store) WantMail(ctx context.Context, person uuid.UUID, wanted bool) error {
	err := s.system(ctx, func(q *db.Queries) error {
		return q.MailReminders(ctx, db.MailRemindersParams{WorkspaceID: person, Wanted: wanted})
	})
	if err != nil {
		return fmt.Errorf("note whether mail is wanted: %w", err)
	}
	return nil
}

// Credentials returns the account of an address, and its password's hash. ErrNotFound: the address has none.
func (s *Store) Credentials(ctx context.Context, address string) (workspace uuid.UUID, hash string, err error) {
	var row db.PersonByAddressRow
	err = s.systemLook(ctx, func(q *db.Queries) error {
		row, err = q.PersonByAddress(ctx, address)
		return err
	})
	if err != nil {
		return uuid.Nil, "", fmt.Errorf("look up the address: %w", err)
	}
	return row.WorkspaceID, row.Password, nil
}

// KnowsBrowser reports whether the browser with this token has signed in to the account of an address before.
func (s *Store) KnowsBrowser(ctx context.Context, address, token string) (known bool, err error) {
	sha := sha256.Sum256([]byte(token))
	err = s.systemLook(ctx, func(q *db.Queries) error {
		known, err = q.BrowserKnown(ctx, db.BrowserKnownParams{TokenSha: sha[:], Address: address})
		return err
	})
	if err != nil {
		return false, fmt.Errorf("look whether the browser is known: %w", err)
	}
	return known, nil
}

// SetPassword changes the password, invalidates the links to reset it, and signs the account out everywhere except in
// the arriving browser, which gets the new token.
func (s *Store) SetPassword(ctx context.Context, workspace uuid.UUID, hash string, a Arrival) error {
	err := s.system(ctx, func(q *db.Queries) error {
		p, err := q.Person(ctx, workspace)
		if err != nil {
			return err
		}
		if err := setPassword(ctx, q, workspace, p.Address, hash, a.Before); err != nil {
			return err
		}
		if err := knowBrowser(ctx, q, workspace, a.Known); err != nil {
			return err
		}
		was, is := sha256.Sum256([]byte(a.Before)), sha256.Sum256([]byte(a.Token))
		return q.RenewSession(ctx, db.RenewSessionParams{TokenSha: was[:], NextSha: is[:], WorkspaceID: workspace})
	})
	if err != nil {
		return fmt.Errorf("change the password: %w", err)
	}
	return nil
}

// ResetPassword uses up a reset link from a mail: it changes the password, signs the account out everywhere, and marks
// the address as confirmed. ErrNotFound: the link was used or has expired.
func (s *Store) ResetPassword(ctx context.Context, token, hash string) (workspace uuid.UUID, err error) {
	sha := sha256.Sum256([]byte(token))
	err = s.system(ctx, func(q *db.Queries) error {
		address, err := q.UseLetter(ctx, db.UseLetterParams{TokenSha: sha[:], Purpose: "reset"})
		if err != nil {
			return err
		}
		p, err := q.PersonByAddress(ctx, address)
		if err != nil {
			return err
		}
		workspace = p.WorkspaceID
		if err := q.ConfirmPerson(ctx, workspace); err != nil {
			return err
		}
		return setPassword(ctx, q, workspace, address, hash, "")
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("reset the password: %w", err)
	}
	return workspace, nil
}

// setPassword also removes the access that the old password gave: sessions, reset links, the calendar's address, and
// recognised browsers.
func setPassword(ctx context.Context, q *db.Queries, workspace uuid.UUID, address, hash, except string) error {
	if err := q.SetPassword(ctx, db.SetPasswordParams{WorkspaceID: workspace, Password: hash}); err != nil {
		return err
	}
	if err := q.DropLetters(ctx, db.DropLettersParams{Address: address, Purpose: "reset"}); err != nil {
		return err
	}
	if err := errors.Join(q.DropCalendarOf(ctx, workspace), q.ForgetBrowsers(ctx, workspace)); err != nil {
		return err
	}
	sha := sha256.Sum256([]byte(except))
	if _, err := q.LeaveSession(ctx, db.LeaveSessionParams{WorkspaceID: workspace, ExceptSha: sha[:],
		ExpiresAt: time.Now().Add(sessionLife)}); err != nil {
		return err
	}
	return note(ctx, q, &workspace, "password_changed", nil)
}

// Letter is what is stored for a link in a mail; Purpose is confirm or reset.
type Letter struct {
	Purpose        string
	Email, Address string
	Password       string     // confirm only: the hash of the chosen password
	Consent        string     // confirm only
	Visitor        *uuid.UUID // confirm only: the visitor who signed up
	Life           time.Duration
}

// AddLetter stores a letter under the hash of the token in its link.
func (s *Store) AddLetter(ctx context.Context, token string, l Letter) error {
	sha := sha256.Sum256([]byte(token))
	err := s.system(ctx, func(q *db.Queries) error {
		return q.AddLetter(ctx, db.AddLetterParams{TokenSha: sha[:], Purpose: l.Purpose, Email: l.Email,
			Address: l.Address, Password: l.Password, Consent: l.Consent, VisitorID: l.Visitor,
			ExpiresAt: time.Now().Add(l.Life)})
	})
	if err != nil {
		return fmt.Errorf("keep the letter: %w", err)
	}
	return nil
}

// Letter returns what is stored for a link, which remains valid until it is used up. ErrNotFound: there is none, or it
// has expired.
func (s *Store) Letter(ctx context.Context, token, purpose string) (Letter, error) {
	sha := sha256.Sum256([]byte(token))
	var l Letter
	err := s.systemLook(ctx, func(q *db.Queries) error {
		row, err := q.Letter(ctx, db.LetterParams{TokenSha: sha[:], Purpose: purpose})
		l = Letter{
			Purpose:  row.Purpose,
			Email:    row.Email,
			Address:  row.Address,
			Password: row.Password,
			Consent:  row.Consent,
			Visitor:  row.VisitorID,
		}
		return err
	})
	if err != nil {
		return Letter{}, fmt.Errorf("read the letter: %w", err)
	}
	return l, nil
}

// SetOperator makes an account an operator's, or takes that right away. ErrNotFound: the address has no account, or is
// not confirmed.
func (s *Store) SetOperator(ctx context.Context, address string, operator bool) error {
	err := s.system(ctx, func(q *db.Queries) error {
		id, err := q.MakeOperator(ctx, db.MakeOperatorParams{Address: address, Operator: operator})
		if err != nil {
			return err
		}
		return note(ctx, q, &id, "operator", map[string]any{"is": operator})
	})
	if err != nil {
		return fmt.Errorf("change who operates: %w", err)
	}
	return nil
}

// Rate limits how often something may be done: Burst times at once, then once in every period Every.
type Rate struct {
	Every time.Duration
	Burst int
}

// Throttle counts an attempt under a key, across all processes. It returns how long to wait until the attempt is
// allowed; 0 means now.
func (s *Store) Throttle(ctx context.Context, key string, r Rate) (wait time.Duration, err error) {
	return s.Spare(ctx, key, r.Every, r.Every*time.Duration(r.Burst))
}

// Spare is like Throttle for attempts of different cost. A cost is a duration: it counts until that much time has
// passed. Costs of up to window together are allowed at once.
func (s *Store) Spare(ctx context.Context, key string, cost, window time.Duration) (wait time.Duration, err error) {
	var ms int64
	err = s.alone(ctx, []statement{asSystem(), relaxed()}, func(q *db.Queries) error {
		ms, err = q.Throttle(ctx, db.ThrottleParams{Key: key, EveryMs: cost.Milliseconds(),
			WindowMs: window.Milliseconds()})
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("look how often this was done: %w", err)
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// Owed returns how long it takes until the costs counted under a key have expired.
func (s *Store) Owed(ctx context.Context, key string) (time.Duration, error) {
	var ms int64
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		ms, err = q.Owed(ctx, key)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("look how much was done: %w", err)
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// Owe adds a cost under a key, also when it is above what Spare allows; the sum never exceeds most.
func (s *Store) Owe(ctx context.Context, key string, cost, most time.Duration) error {
	err := s.system(ctx, func(q *db.Queries) error {
		return q.Owe(ctx, db.OweParams{Key: key, CostMs: cost.Milliseconds(), MostMs: most.Milliseconds()})
	})
	if err != nil {
		return fmt.Errorf("count what is done: %w", err)
	}
	return nil
}

// Unthrottle resets the count of the key.
func (s *Store) Unthrottle(ctx context.Context, key string) error {
	if err := s.system(ctx, func(q *db.Queries) error { return q.Unthrottle(ctx, key) }); err != nil {
		return fmt.Errorf("forget how often this was done: %w", err)
	}
	return nil
}

// Note adds an entry to the audit log: what was done, in which workspace, and details that contain no text of a
// person.
func (s *Store) Note(ctx context.Context, workspace *uuid.UUID, event string, detail map[string]any) error {
	if err := s.system(ctx, func(q *db.Queries) error { return note(ctx, q, workspace, event, detail) }); err != nil {
		return fmt.Errorf("note %s: %w", event, err)
	}
	return nil
}

func note(ctx context.Context, q *db.Queries, workspace *uuid.UUID, event string, detail map[string]any) error {
	raw := json.RawMessage("{}")
	if detail != nil {
		var err error
		if raw, err = json.Marshal(detail); err != nil {
			return fmt.Errorf("encode the detail: %w", err)
		}
	}
	return q.Note(ctx, db.NoteParams{WorkspaceID: workspace, Event: event, Detail: raw})
}

// ownerKept is how long Owner caches its answers. A caller that finds nothing there should call Moved.
const ownerKept = 30 * time.Second

type ownerSeen struct {
	owner uuid.UUID
	until time.Time
}

// Owner returns the workspace that now holds the content of the given one, for workflows that were started earlier: a
// visitor's content moves to the account when the visitor signs in. ErrNotFound: the workspace was erased.
func (s *Store) Owner(ctx context.Context, workspace uuid.UUID) (uuid.UUID, error) {
	if seen, known := s.owners.Load(workspace); known && time.Now().Before(seen.(ownerSeen).until) {
		return seen.(ownerSeen).owner, nil
	}
	var owner uuid.UUID
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		owner, err = q.Owner(ctx, workspace)
		return err
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("look up whose the work is: %w", err)
	}
	s.owners.Store(workspace, ownerSeen{owner, time.Now().Add(ownerKept)})
	return owner, nil
}

// Moved reports whether a workspace's content has moved to another one; it does not use the cache of Owner.
func (s *Store) Moved(ctx context.Context, workspace uuid.UUID) bool {
	s.owners.Delete(workspace)
	owner, err := s.Owner(ctx, workspace)
	return err == nil && owner != workspace
}

func ptr[T any](v T) *T { return &v }
