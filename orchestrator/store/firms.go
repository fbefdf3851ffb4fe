package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/role"
	"munshi/orchestrator/store/db"
)

// Names for the generated row types.
type (
	FirmLine   = db.FirmsOfRow
	Member     = db.MembersRow
	Invited    = db.InvitationsRow
	Invitation = db.InvitationRow
	FirmEntry  = db.FirmLogRow
	Payer      = db.PayerRow
	Mailed     = db.MailedRow
)

// Errors about firms and their members.
var (
	// ErrNoSeatLeft means that all seats of the firm are taken.
	ErrNoSeatLeft = errors.New("no seat is left")
	// ErrMember means that the person already works in the firm.
	ErrMember = errors.New("the person is a member already")
	// ErrOwner means that the change would leave the firm without its owner.
	ErrOwner = errors.New("a firm has an owner")
)

// OwnsFirms is the error when a person cannot be erased because they own firms; it has the firms' names.
type OwnsFirms struct{ Firms []string }

// Error implements error.
func (o *OwnsFirms) Error() string { return fmt.Sprintf("the person owns %d firms", len(o.Firms)) }

// FoundFirm creates a firm owned by a person, and returns its workspace.
func (s *Store) FoundFirm(ctx context.Context, person uuid.UUID, firm, name string) (uuid.UUID, error) {
	id, owner := newID(), newID()
	err := s.system(ctx, func(q *db.Queries) error {
		if err := q.CreateWorkspace(ctx, db.CreateWorkspaceParams{ID: id, Kind: "firm"}); err != nil {
			return err
		}
		if err := q.AddFirm(ctx, db.AddFirmParams{WorkspaceID: id, Name: OneLine(firm)}); err != nil {
			return err
		}
		err := q.AddMember(ctx, db.AddMemberParams{ID: owner, WorkspaceID: id, PersonID: person, Name: OneLine(name),
			Role: string(role.Owner)})
		if err != nil {
			return err
		}
		if err := note(ctx, q, &person, "firm_founded", nil); err != nil {
			return err
		}
		return addToLog(ctx, q, id, entry{member: owner, event: "founded"})
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("found a firm: %w", err)
	}
	return id, nil
}

// FirmsOf lists the firms in which a person works, by name.
func (s *Store) FirmsOf(ctx context.Context, person uuid.UUID) (firms []FirmLine, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		firms, err = q.FirmsOf(ctx, person)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the firms of a person: %w", err)
	}
	return firms, nil
}

// Standing returns a person's membership of a firm. ErrNotFound: they are no member, or there is no such firm.
func (s *Store) Standing(ctx context.Context, firm, person uuid.UUID) (Acting, error) {
	var row db.StandingRow
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		row, err = q.Standing(ctx, db.StandingParams{Firm: firm, PersonID: person})
		return err
	})
	if err != nil {
		return Acting{}, fmt.Errorf("look up what a person is in a firm: %w", err)
	}
	a := Acting{Workspace: firm, Firm: row.Firm, Member: row.MemberID, Name: row.Name, Role: role.Role(row.Role)}
	if row.ClientID != nil {
		a.Client = *row.ClientID
	}
	return a, nil
}

// Firm is a firm with its members and invitations.
type Firm struct {
	db.FirmRow
	Members []Member             // present members first, then former ones
	Mail    map[uuid.UUID]string // the members' e-mail addresses
	Invited []Invited            // invitations that can still be accepted
}

// Firm reads a firm.
func (s *Store) Firm(ctx context.Context, workspace uuid.UUID) (Firm, error) {
	f := Firm{Mail: map[uuid.UUID]string{}}
	err := s.reading(ctx, workspace, func(q *db.Queries) (err error) {
		if f.FirmRow, err = q.Firm(ctx, workspace); err != nil {
			return err
		}
		if f.Members, err = q.Members(ctx, workspace); err != nil {
			return err
		}
		f.Invited, err = q.Invitations(ctx, workspace)
		return err
	})
	if err == nil {
		err = s.systemLook(ctx, func(q *db.Queries) error {
			rows, err := q.Addresses(ctx, workspace)
			for _, r := range rows {
				f.Mail[r.ID] = r.Email
			}
			return err
		})
	}
	if err != nil {
		return Firm{}, fmt.Errorf("read the firm: %w", err)
	}
	return f, nil
}

// RenameFirm changes a firm's name.
func (s *Store) RenameFirm(ctx context.Context, workspace uuid.UUID, name string) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.RenameFirm(ctx, db.RenameFirmParams{ID: workspace, Name: OneLine(name)})
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrForbidden
		}
		return logged(ctx, q, "renamed", nil, map[string]any{"name": name})
	})
	if err != nil {
		return fmt.Errorf("rename the firm: %w", err)
	}
	return nil
}

// NewInvitation is an invitation to work in a firm.
type NewInvitation struct {
	Token string // the secret in the link; only its hash is stored
	Role  role.Role
	Email string // who may accept it; "" for anyone with the link
	Life  time.Duration
}

// Invite stores an invitation by the acting member, and returns its id.
func (s *Store) Invite(ctx context.Context, workspace uuid.UUID, n NewInvitation) (uuid.UUID, error) {
	id, sha := newID(), sha256.Sum256([]byte(n.Token))
	by, _ := ActingIn(ctx)
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		err := q.AddInvitation(ctx, db.AddInvitationParams{ID: id, WorkspaceID: workspace, TokenSha: sha[:],
			Role: string(n.Role), Email: OneLine(n.Email), InvitedBy: by.Member, ExpiresAt: time.Now().Add(n.Life)})
		if err != nil {
			return err
		}
		return logged(ctx, q, "invited", &id, map[string]any{"role": n.Role, "email": n.Email})
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("invite: %w", err)
	}
	return id, nil
}

// InvitationRole returns the role that an invitation offers. It returns ErrNotFound if there is none.
func (s *Store) InvitationRole(ctx context.Context, workspace, invitation uuid.UUID) (r role.Role, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		name, err := q.InvitationRole(ctx, db.InvitationRoleParams{WorkspaceID: workspace, ID: invitation})
		r = role.Role(name)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("read an invitation: %w", err)
	}
	return r, nil
}

// WithdrawInvitation makes an invitation's link invalid. ErrNotFound: it was accepted, or there is none.
func (s *Store) WithdrawInvitation(ctx context.Context, workspace, invitation uuid.UUID) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.WithdrawInvitation(ctx, db.WithdrawInvitationParams{WorkspaceID: workspace, ID: invitation})
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrNotFound
		}
		return logged(ctx, q, "invitation_withdrawn", &invitation, nil)
	})
	if err != nil {
		return fmt.Errorf("withdraw an invitation: %w", err)
	}
	return nil
}

// Invitation returns the invitation of a link. ErrNotFound: it was used or withdrawn, is too old, or never existed.
func (s *Store) Invitation(ctx context.Context, token string) (i Invitation, err error) {
	sha := sha256.Sum256([]byte(token))
	err = s.systemLook(ctx, func(q *db.Queries) error {
		i, err = q.Invitation(ctx, sha[:])
		return err
	})
	if err != nil {
		return Invitation{}, fmt.Errorf("look up an invitation: %w", err)
	}
	return i, nil
}

// AcceptInvitation uses up a link: the person becomes a member of the firm with this name, and the firm's workspace is
// returned. freeSeats is the number of seats without a paid plan, 0 for any number. ErrNotFound: the link is no longer
// valid; ErrMember: the person is already a member; ErrNoSeatLeft.
func (s *Store) AcceptInvitation(ctx context.Context, token string, person uuid.UUID, name string,
	freeSeats int) (uuid.UUID, error) {
	sha := sha256.Sum256([]byte(token))
	var firm uuid.UUID
	err := s.system(ctx, func(q *db.Queries) error {
		i, err := q.Invitation(ctx, sha[:])
		if err != nil {
			return err
		}
		firm = i.WorkspaceID
		if _, err := q.LockFirm(ctx, firm); err != nil { // one acceptance at a time: seats and link are limited
			return err
		}
		if i, err = q.Invitation(ctx, sha[:]); err != nil {
			return err
		}
		if was, err := optional(q.Standing(ctx, db.StandingParams{Firm: firm, PersonID: person})); err != nil {
			return err
		} else if was != nil {
			return ErrMember
		}
		if err := seatFor(ctx, q, firm, role.Role(i.Role), freeSeats); err != nil {
			return err
		}
		member := newID()
		err = q.AddMember(ctx, db.AddMemberParams{ID: member, WorkspaceID: firm, PersonID: person, Name: OneLine(name),
			Role: i.Role})
		if err != nil {
			return err
		}
		if err := q.AcceptInvitation(ctx, db.AcceptInvitationParams{ID: i.ID, Member: member}); err != nil {
			return err
		}
		return addToLog(ctx, q, firm, entry{member: member, event: "joined", about: &member,
			detail: map[string]any{"role": i.Role}})
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("accept an invitation: %w", err)
	}
	return firm, nil
}

// seatFor returns ErrNoSeatLeft if the firm has no seat for another member with this role. The caller has locked the
// firm's row.
func seatFor(ctx context.Context, q *db.Queries, firm uuid.UUID, r role.Role, free int) error {
	if !r.Seat() || free == 0 {
		return nil
	}
	f, err := q.Firm(ctx, firm)
	if err != nil {
		return err
	}
	seats := free
	if f.Premium {
		seats = max(seats, int(f.Seats))
	}
	taken, err := q.SeatsTaken(ctx, firm)
	if err == nil && int(taken) >= seats {
		err = ErrNoSeatLeft
	}
	return err
}

// SeatsTaken counts the members of a firm who need a seat; 0 for a workspace that is not a firm.
func (s *Store) SeatsTaken(ctx context.Context, workspace uuid.UUID) (int, error) {
	var taken int32
	err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
		taken, err = q.SeatsTaken(ctx, workspace)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("count the seats that are taken: %w", err)
	}
	return int(taken), nil
}

// SetMember changes a member's role and name. ErrNotFound: they do not work in the firm; ErrOwner: the owner's role
// cannot be changed in this way; ErrNoSeatLeft.
func (s *Store) SetMember(ctx context.Context, workspace, member uuid.UUID, r role.Role, name string,
	freeSeats int) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		if _, err := q.LockFirm(ctx, workspace); err != nil {
			return err
		}
		was, err := q.LockMember(ctx, db.LockMemberParams{WorkspaceID: workspace, ID: member})
		if err != nil {
			return err
		}
		if (was.Role == string(role.Owner)) != (r == role.Owner) {
			return ErrOwner
		}
		if !role.Role(was.Role).Seat() {
			if err := seatFor(ctx, q, workspace, r, freeSeats); err != nil {
				return err
			}
		}
		if err := q.SetMember(ctx, db.SetMemberParams{WorkspaceID: workspace, ID: member, Role: string(r),
			Name: OneLine(name)}); err != nil {
			return err
		}
		return logged(ctx, q, "member_changed", &member, map[string]any{"role": r, "was": was.Role})
	})
	if err != nil {
		return fmt.Errorf("change a member: %w", err)
	}
	return nil
}

// MemberRole returns a member's role. ErrNotFound: they do not work in the firm.
func (s *Store) MemberRole(ctx context.Context, workspace, member uuid.UUID) (r role.Role, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		name, err := q.MemberRole(ctx, db.MemberRoleParams{WorkspaceID: workspace, ID: member})
		r = role.Role(name)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("look up a member: %w", err)
	}
	return r, nil
}

// EndMember ends a membership, at the member's own wish (leaves) or by someone else. Their matters and tasks go to the
// given member, or else to the owner. The firm's calendar link stops working, since they may know it. ErrNotFound: one
// of the two does not work there; ErrOwner: the member owns the firm.
func (s *Store) EndMember(ctx context.Context, workspace, member uuid.UUID, to *uuid.UUID, leaves bool) error {
	event := "member_removed"
	if leaves {
		event = "left"
	}
	end := func(q *db.Queries) error {
		was, err := q.LockMember(ctx, db.LockMemberParams{WorkspaceID: workspace, ID: member})
		if err != nil {
			return err
		}
		if was.Role == string(role.Owner) {
			return ErrOwner
		}
		heir, err := heirOf(ctx, q, workspace, member, to)
		if err != nil {
			return err
		}
		if _, err := q.HandMatters(ctx,
			db.HandMattersParams{WorkspaceID: workspace, FromMember: &member, ToMember: heir}); err != nil {
			return err
		}
		if err := q.HandTasks(ctx,
			db.HandTasksParams{WorkspaceID: workspace, FromMember: &member, ToMember: heir}); err != nil {
			return err
		}
		if err := errors.Join(q.EndMember(ctx, db.EndMemberParams{WorkspaceID: workspace, ID: member}),
			q.DropCalendarOf(ctx, workspace),
			q.DropViews(ctx, db.DropViewsParams{WorkspaceID: workspace, MemberID: member})); err != nil {
			return err
		}
		return logged(ctx, q, event, &member, nil)
	}
	var err error
	if leaves { // a member needs no right to leave
		err = s.system(ctx, end)
	} else {
		err = s.within(ctx, workspace, end)
	}
	if err != nil {
		return fmt.Errorf("end a membership: %w", err)
	}
	return nil
}

// heirOf returns the member who takes over the departing member's matters and tasks.
func heirOf(ctx context.Context, q *db.Queries, workspace, member uuid.UUID, to *uuid.UUID) (uuid.UUID, error) {
	if to == nil || *to == member {
		return q.OwnerOf(ctx, workspace)
	}
	r, err := q.MemberRole(ctx, db.MemberRoleParams{WorkspaceID: workspace, ID: *to})
	if err == nil && !role.Role(r).Seat() {
		err = ErrNotFound
	}
	return *to, err
}

// HandOver makes another member the owner of the firm, and the acting owner a partner. ErrNotFound: the new owner does
// not work in the firm, or the acting member is not its owner.
func (s *Store) HandOver(ctx context.Context, workspace, to uuid.UUID) error {
	from, _ := ActingIn(ctx)
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		if _, err := q.LockFirm(ctx, workspace); err != nil {
			return err
		}
		owner, err := q.LockMember(ctx, db.LockMemberParams{WorkspaceID: workspace, ID: from.Member})
		if err != nil {
			return err
		}
		next, err := q.LockMember(ctx, db.LockMemberParams{WorkspaceID: workspace, ID: to})
		if err != nil {
			return err
		}
		if owner.Role != string(role.Owner) || owner.ID == next.ID || !role.Role(next.Role).Seat() {
			return ErrOwner
		}
		if err := q.SetMember(ctx, db.SetMemberParams{WorkspaceID: workspace, ID: owner.ID, Role: string(role.Partner),
			Name: owner.Name}); err != nil {
			return err
		}
		if err := q.SetMember(ctx, db.SetMemberParams{WorkspaceID: workspace, ID: next.ID, Role: string(role.Owner),
			Name: next.Name}); err != nil {
			return err
		}
		return logged(ctx, q, "handed_over", &to, nil)
	})
	if err != nil {
		return fmt.Errorf("hand the firm over: %w", err)
	}
	return nil
}

// ForgetMember replaces the name of a former member in the firm's records by the given one. ErrNotFound: there is no
// such former member.
func (s *Store) ForgetMember(ctx context.Context, workspace, member uuid.UUID, name string) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.ForgetMember(ctx, db.ForgetMemberParams{WorkspaceID: workspace, ID: member, Name: OneLine(name)})
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrNotFound
		}
		return logged(ctx, q, "member_forgotten", &member, nil)
	})
	if err != nil {
		return fmt.Errorf("forget a member's name: %w", err)
	}
	return nil
}

// Payer returns who pays for a workspace. ErrNotFound: the workspace is a visitor's or was erased.
func (s *Store) Payer(ctx context.Context, workspace uuid.UUID) (p Payer, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		p, err = q.Payer(ctx, workspace)
		return err
	})
	if err != nil {
		return Payer{}, fmt.Errorf("look up who pays: %w", err)
	}
	return p, nil
}

// Mailed lists who gets mail reminders about a workspace's dates.
func (s *Store) Mailed(ctx context.Context, workspace uuid.UUID) (list []Mailed, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		list, err = q.Mailed(ctx, workspace)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look up who is reminded: %w", err)
	}
	return list, nil
}

// FirmLog returns entries of the firm's log, latest first, older than the entry before if it is given, and whether
// there are more.
func (s *Store) FirmLog(ctx context.Context, workspace uuid.UUID, before *uuid.UUID,
	most int) (entries []FirmEntry, more bool, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		entries, err = q.FirmLog(ctx, db.FirmLogParams{Before: before, Most: int32(most) + 1})
		return err
	})
	if err != nil {
		return nil, false, fmt.Errorf("read the firm's log: %w", err)
	}
	if more = len(entries) > most; more {
		entries = entries[:most]
	}
	return entries, more, nil
}

// entry is one event in a firm's log.
type entry struct {
	member uuid.UUID // who did it; Nil for Munshi or a guest
	who    string    // a guest's name
	event  string
	about  *uuid.UUID
	matter *uuid.UUID
	detail map[string]any
}

// logged adds what the acting member did to the firm's log. A person's own workspace has no log.
func logged(ctx context.Context, q *db.Queries, event string, about *uuid.UUID, detail map[string]any) error {
	a, acts := ActingIn(ctx)
	if !acts {
		return nil
	}
	return addToLog(ctx, q, a.Workspace, entry{member: a.Member, event: event, about: about, detail: detail})
}

func addToLog(ctx context.Context, q *db.Queries, workspace uuid.UUID, e entry) error {
	raw := []byte("{}")
	if e.detail != nil {
		var err error
		if raw, err = json.Marshal(e.detail); err != nil {
			return fmt.Errorf("encode the detail: %w", err)
		}
	}
	row := db.AddToLogParams{ID: newID(), WorkspaceID: workspace, Who: OneLine(e.who), Event: e.event, About: e.about,
		MatterID: e.matter, Detail: cleanJSON(raw)}
	if e.member != uuid.Nil {
		row.MemberID = &e.member
	}
	return q.AddToLog(ctx, row)
}
