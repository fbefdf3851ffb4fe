package api

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
)

// Firms creates firms and brings people into them. A refusal is an error of type Refusal.
type Firms interface {
	// Found creates a firm owned by the person; name is how colleagues see the person.
	Found(ctx context.Context, person uuid.UUID, firm, name string) (uuid.UUID, error)
	// Invite makes a link with which somebody can join the firm of the acting member. It mails the link if an address
	// is given and mail is configured.
	Invite(ctx context.Context, in Invitee) (Invited, error)
	// Accept uses up a link for a person, who joins the firm, and returns the firm's workspace.
	Accept(ctx context.Context, token string, person uuid.UUID, name string) (uuid.UUID, error)
	// FreeSeats is how many members a firm may have without paying; 0 means any number.
	FreeSeats() int
}

// Invitee is a person to be invited, and their role.
type Invitee struct {
	Role     role.Role
	Email    string // "" if the inviting member will pass on the link
	Language string // of the mail
}

// FirmLine is a firm in which somebody works.
type FirmLine struct {
	ID   string `json:"id" format:"uuid" doc:"Its pages and routes are under /firm/ and this"`
	Name string `json:"name"`
	Role string `json:"role" enum:"owner,partner,preparer,viewer,client" doc:"The person's role there"`
}

// Acting is the caller's membership of the firm named in the address.
type Acting struct {
	FirmLine
	Member string   `json:"member" format:"uuid"`
	Called string   `json:"called" doc:"As colleagues read their name"`
	Rights []string `json:"rights" enum:"see,answer,work,invite,approve,manage,log,own" doc:"What their role may do"`
}

func actingOf(a store.Acting) *Acting {
	out := &Acting{FirmLine: FirmLine{ID: a.Workspace.String(), Name: a.Firm, Role: string(a.Role)},
		Member: a.Member.String(), Called: a.Name, Rights: []string{}}
	for _, r := range a.Role.Rights() {
		out.Rights = append(out.Rights, string(r))
	}
	return out
}

// Firm is a firm with its members.
type Firm struct {
	ID          string       `json:"id" format:"uuid"`
	Name        string       `json:"name"`
	Members     []Member     `json:"members" doc:"Current members first, then former ones, by name"`
	Invitations []Invitation `json:"invitations" doc:"Invitations that can still be accepted, latest first"`
	Taken       int          `json:"taken" doc:"Seats taken by the owner, partners and preparers"`
	Seats       *int         `json:"seats" doc:"The number of seats; null for any number"`
}

// Member is a present or former member of a firm.
type Member struct {
	ID       string     `json:"id" format:"uuid"`
	Name     string     `json:"name"`
	Email    string     `json:"email" doc:"Empty for someone who has left"`
	Role     string     `json:"role" enum:"owner,partner,preparer,viewer,client"`
	JoinedAt time.Time  `json:"joined_at"`
	LeftAt   *time.Time `json:"left_at" doc:"Null while they work there"`
	Mine     bool       `json:"mine" doc:"True for the caller"`
}

// Invitation is an invitation that can still be accepted.
type Invitation struct {
	ID        string    `json:"id" format:"uuid"`
	Role      string    `json:"role" enum:"partner,preparer,viewer,client"`
	Email     string    `json:"email" doc:"Who it is for, if somebody was named"`
	By        string    `json:"by" doc:"Who invites"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
}

// Invited is a new invitation.
type Invited struct {
	ID     string `json:"id" format:"uuid"`
	Link   string `json:"link" doc:"The link, which works once. It is shown only now"`
	Mailed bool   `json:"mailed" doc:"It is on its way by e-mail"`
}

// InvitedTo is what an invitation link offers.
type InvitedTo struct {
	Firm      string    `json:"firm"`
	By        string    `json:"by" doc:"Who invites"`
	Role      string    `json:"role" enum:"partner,preparer,viewer,client"`
	ExpiresAt time.Time `json:"expires_at"`
}

// FirmLog is one page of a firm's log.
type FirmLog struct {
	Entries []FirmEntry `json:"entries" doc:"Latest first"`
	More    bool        `json:"more" doc:"There are earlier ones"`
}

// FirmEntry is an event in a firm's log.
type FirmEntry struct {
	ID     string         `json:"id" format:"uuid"`
	At     time.Time      `json:"at"`
	Who    string         `json:"who" doc:"Empty: Munshi"`
	Event  string         `json:"event" doc:"Such as joined, member_removed, approved"`
	About  *string        `json:"about" format:"uuid" doc:"The row that it is about, even if that has been deleted"`
	Named  string         `json:"named" doc:"The member or draft that it is about; empty for anything else"`
	Matter *Named         `json:"matter" doc:"The matter that it concerns, by its client and its title or forms"`
	Detail map[string]any `json:"detail"`
}

// TransformSchema says which fields may be null.
func (FirmEntry) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "matter")
}

// mostName is the maximum length of the names of firms and members, in letters.
const mostName = 100

func (s *server) firmRoutes(api huma.API) {
	post(api, "found-firm", "/api/firms", "Found a firm", http.StatusCreated, s.foundFirm)
	post(api, "look-at-invitation", "/api/invitations/look", "What the link of an invitation invites to", http.StatusOK,
		s.lookAtInvitation)
	post(api, "accept-invitation", "/api/invitations/accept", "Join a firm by the link of an invitation", http.StatusOK,
		s.acceptInvitation)
	get(api, "get-firm", "/api/firm", "The firm, with who works in it", s.firm)
	post(api, "rename-firm", "/api/firm", "Give the firm another name", http.StatusNoContent, s.renameFirm)
	post(api, "invite", "/api/firm/invitations", "Invite somebody to work in the firm", http.StatusCreated, s.invite)
	remove(api, "withdraw-invitation", "/api/firm/invitations/{id}", "Withdraw an invitation", s.withdrawInvitation)
	post(api, "change-member", "/api/firm/members/{id}", "Give a member another role or name", http.StatusNoContent,
		s.changeMember)
	remove(api, "remove-member", "/api/firm/members/{id}", "Remove a member from the firm", s.removeMember)
	post(api, "forget-member", "/api/firm/members/{id}/forget", "Take the name of a member who left out of the firm's "+
		"records", http.StatusNoContent, s.forgetMember)
	post(api, "leave-firm", "/api/firm/leave", "Leave the firm", http.StatusNoContent, s.leaveFirm)
	post(api, "hand-over", "/api/firm/owner", "Make another member the owner; whoever was is a partner then",
		http.StatusNoContent, s.handOver)
	get(api, "list-firm-log", "/api/firm/log", "Who did what in the firm", s.firmLog)
}

// nameOf returns a name on one line. It refuses a name that is blank or too long.
func nameOf(text string) (string, error) {
	name := store.OneLine(text)
	switch {
	case name == "":
		return "", refuse("blank_name", nil)
	case utf8.RuneCountInString(name) > mostName:
		return "", refuse("long_name", nil)
	}
	return name, nil
}

type foundInput struct {
	Body struct {
		Name   string `json:"name" maxLength:"1000" doc:"Of the firm"`
		Called string `json:"called" maxLength:"1000" doc:"The person's own name, as colleagues read it"`
	}
}

func (s *server) foundFirm(ctx context.Context, in *foundInput) (*body[FirmLine], error) {
	person, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	name, err := nameOf(in.Body.Name)
	if err != nil {
		return nil, err
	}
	called, err := nameOf(in.Body.Called)
	if err != nil {
		return nil, err
	}
	id, err := s.Firms.Found(ctx, person, name, called)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[FirmLine]{FirmLine{ID: id.String(), Name: name, Role: string(role.Owner)}}, nil
}

type invitationInput struct {
	Body struct {
		Token string `json:"token" minLength:"1" maxLength:"200" doc:"From the link's fragment"`
	}
}

func (s *server) lookAtInvitation(ctx context.Context, in *invitationInput) (*body[InvitedTo], error) {
	i, err := s.Store.Invitation(ctx, in.Body.Token)
	if err != nil {
		return nil, s.spent(err)
	}
	return &body[InvitedTo]{InvitedTo{Firm: i.Firm, By: i.InvitedBy, Role: i.Role, ExpiresAt: i.ExpiresAt}}, nil
}

// spent returns the problem for a failed invitation link: if it was not found, it says that the link is used or too
// old.
func (s *server) spent(err error) *Problem {
	p := s.toProblem(err)
	if p.Code == "not_found" {
		return refuse("link_spent", nil)
	}
	return p
}

type acceptInput struct {
	Body struct {
		Token  string `json:"token" minLength:"1" maxLength:"200" doc:"From the link's fragment"`
		Called string `json:"called" maxLength:"1000" doc:"The person's own name, as colleagues read it"`
	}
}

func (s *server) acceptInvitation(ctx context.Context, in *acceptInput) (*body[FirmLine], error) {
	person, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	called, err := nameOf(in.Body.Called)
	if err != nil {
		return nil, err
	}
	id, err := s.Firms.Accept(ctx, in.Body.Token, person, called)
	if err != nil {
		return nil, s.spent(err)
	}
	a, err := s.Store.Standing(ctx, id, person)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[FirmLine]{FirmLine{ID: id.String(), Name: a.Firm, Role: string(a.Role)}}, nil
}

func (s *server) firm(ctx context.Context, _ *none) (*body[Firm], error) {
	a, _ := store.ActingIn(ctx)
	f, err := s.Store.Firm(ctx, a.Workspace)
	if err != nil {
		return nil, s.toProblem(err)
	}
	out := Firm{ID: f.ID.String(), Name: f.Name, Members: []Member{}, Invitations: []Invitation{}}
	for _, m := range f.Members {
		out.Members = append(out.Members,
			Member{ID: m.ID.String(), Name: m.Name, Email: f.Mail[m.ID], Role: m.Role, JoinedAt: m.JoinedAt,
				LeftAt: m.LeftAt, Mine: m.ID == a.Member})
		if m.LeftAt == nil && role.Role(m.Role).Seat() {
			out.Taken++
		}
	}
	if seats := s.Firms.FreeSeats(); seats > 0 {
		if f.Premium {
			seats = max(seats, int(f.Seats))
		}
		out.Seats = &seats
	}
	if !a.Role.May(role.Invite) {
		return &body[Firm]{out}, nil
	}
	for _, i := range f.Invited {
		out.Invitations = append(out.Invitations,
			Invitation{ID: i.ID.String(), Role: i.Role, Email: i.Email, By: i.InvitedBy, CreatedAt: i.CreatedAt,
				ExpiresAt: i.ExpiresAt})
	}
	return &body[Firm]{out}, nil
}

type renameFirmInput struct {
	Body struct {
		Name string `json:"name" maxLength:"1000"`
	}
}

func (s *server) renameFirm(ctx context.Context, in *renameFirmInput) (*none, error) {
	name, err := nameOf(in.Body.Name)
	if err != nil {
		return nil, err
	}
	a, _ := store.ActingIn(ctx)
	if err := s.Store.RenameFirm(ctx, a.Workspace, name); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

type inviteInput struct {
	Body struct {
		Role  string `json:"role" enum:"partner,preparer,viewer"`
		Email string `json:"email,omitempty" maxLength:"1000" doc:"The address the link is mailed to; left out if the person shares it"`
	}
}

func (s *server) invite(ctx context.Context, in *inviteInput) (*body[Invited], error) {
	a, _ := store.ActingIn(ctx)
	as := role.Role(in.Body.Role)
	if !a.Role.MayGive(as) {
		return nil, refuse("not_allowed", nil)
	}
	invited, err := s.Firms.Invite(ctx, Invitee{Role: as, Email: in.Body.Email, Language: answersIn(ctx)})
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[Invited]{invited}, nil
}

func (s *server) withdrawInvitation(ctx context.Context, in *idInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	as, err := s.Store.InvitationRole(ctx, a.Workspace, in.ID)
	if err == nil && !a.Role.MayGive(as) {
		return nil, refuse("not_allowed", nil)
	}
	if err == nil {
		err = s.Store.WithdrawInvitation(ctx, a.Workspace, in.ID)
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

// mayChange returns the acting member, or refuses if they may not change a member of that role: partners cannot change
// partners, and nobody can change the owner.
func (s *server) mayChange(ctx context.Context, member uuid.UUID) (store.Acting, error) {
	a, _ := store.ActingIn(ctx)
	is, err := s.Store.MemberRole(ctx, a.Workspace, member)
	switch {
	case err != nil:
		return a, s.toProblem(err)
	case is == role.Owner:
		return a, refuse("owner_stays", nil)
	case !a.Role.MayGive(is):
		return a, refuse("not_allowed", nil)
	}
	return a, nil
}

type memberInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Role string `json:"role" enum:"partner,preparer,viewer"`
		Name string `json:"name" maxLength:"1000"`
	}
}

func (s *server) changeMember(ctx context.Context, in *memberInput) (*none, error) {
	a, err := s.mayChange(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	name, err := nameOf(in.Body.Name)
	if err != nil {
		return nil, err
	}
	as := role.Role(in.Body.Role)
	if !a.Role.MayGive(as) {
		return nil, refuse("not_allowed", nil)
	}
	if err := s.Store.SetMember(ctx, a.Workspace, in.ID, as, name, s.Firms.FreeSeats()); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

type removeMemberInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
	To string    `query:"to" maxLength:"36" doc:"The member who takes over their matters; left out for the owner"`
}

// heir parses the id of the member who takes over the matters.
func heir(id string) (*uuid.UUID, error) {
	if id == "" {
		return nil, nil
	}
	to, err := uuid.Parse(id)
	if err != nil {
		return nil, notFound()
	}
	return &to, nil
}

func (s *server) removeMember(ctx context.Context, in *removeMemberInput) (*none, error) {
	a, err := s.mayChange(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	to, err := heir(in.To)
	if err != nil {
		return nil, err
	}
	if err := s.Store.EndMember(ctx, a.Workspace, in.ID, to, false); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

func (s *server) forgetMember(ctx context.Context, in *idInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	if err := s.Store.ForgetMember(ctx, a.Workspace, in.ID, formerMember); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

// formerMember is stored in place of a former member's name; the web app replaces it by words in the language of the
// screen.
const formerMember = "—"

type leaveInput struct {
	To string `query:"to" maxLength:"36" doc:"The member who takes over their matters; left out for the owner"`
}

func (s *server) leaveFirm(ctx context.Context, in *leaveInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	to, err := heir(in.To)
	if err != nil {
		return nil, err
	}
	if err := s.Store.EndMember(ctx, a.Workspace, a.Member, to, true); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

type ownerInput struct {
	Body struct {
		Member   uuid.UUID `json:"member" format:"uuid" doc:"A partner or preparer"`
		Password string    `json:"password" maxLength:"4000" doc:"Of the owner's account"`
	}
}

func (s *server) handOver(ctx context.Context, in *ownerInput) (*none, error) {
	person, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Accounts.Knows(ctx, person, in.Body.Password, browser(ctx)); err != nil {
		return nil, s.toProblem(err)
	}
	a, _ := store.ActingIn(ctx)
	if err := s.Store.HandOver(ctx, a.Workspace, in.Body.Member); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

type firmLogInput struct {
	Before string `query:"before" maxLength:"36" doc:"An entry; the ones before it are returned"`
	Most   int    `query:"most" minimum:"1" maximum:"200" default:"50"`
}

func (s *server) firmLog(ctx context.Context, in *firmLogInput) (*body[FirmLog], error) {
	a, _ := store.ActingIn(ctx)
	var before *uuid.UUID
	if in.Before != "" {
		id, err := uuid.Parse(in.Before)
		if err != nil {
			return nil, notFound()
		}
		before = &id
	}
	entries, more, err := s.Store.FirmLog(ctx, a.Workspace, before, in.Most)
	if err != nil {
		return nil, s.toProblem(err)
	}
	out := FirmLog{Entries: []FirmEntry{}, More: more}
	for _, e := range entries {
		one := FirmEntry{ID: e.ID.String(), At: e.At, Who: e.Who, Event: e.Event, About: text(e.About),
			Named: e.Subject, Detail: map[string]any{}}
		if e.MatterID != nil {
			name := cmp.Or(e.Title, strings.Join(slices.Compact(e.Forms), " → "))
			one.Matter = &Named{ID: e.MatterID.String(), Name: strings.TrimSuffix(e.Client+", "+name, ", ")}
		}
		_ = json.Unmarshal(e.Detail, &one.Detail) // valid, since we wrote it; if not, the entry is still shown
		out.Entries = append(out.Entries, one)
	}
	return &body[FirmLog]{out}, nil
}
