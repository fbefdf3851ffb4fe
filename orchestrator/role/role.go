// Package role says what each role in a firm may do, in one table. The API checks it for every route, and the store
// passes it to row-level security. docs/practice.md explains it to people.
package role

import "slices"

// Role is the role of a member of a firm.
type Role string

// The roles. A firm has exactly one owner.
const (
	Owner    Role = "owner"
	Partner  Role = "partner"
	Preparer Role = "preparer"
	Viewer   Role = "viewer"
	Client   Role = "client"
)

// All lists the roles, the most powerful first.
func All() []Role { return []Role{Owner, Partner, Preparer, Viewer, Client} }

// Right is something that a role may or may not do.
type Right string

// The rights.
const (
	See     Right = "see"     // read everything that the member can reach
	Answer  Right = "answer"  // answer questions for a client, and hand in papers
	Work    Right = "work"    // upload, correct, ask, write
	Invite  Right = "invite"  // invite preparers, viewers and clients
	Approve Right = "approve" // approve drafts, and close matters
	Manage  Right = "manage"  // manage members and their roles
	Log     Right = "log"     // read who did what
	Own     Right = "own"     // pay, set masking, export, hand over and close the firm
)

// Rights lists the rights in the order of the table.
func Rights() []Right { return []Right{See, Answer, Work, Invite, Approve, Manage, Log, Own} }

// may is the table of rights.
var may = map[Role][]Right{
	Owner:    {See, Answer, Work, Invite, Approve, Manage, Log, Own},
	Partner:  {See, Answer, Work, Invite, Approve, Manage, Log},
	Preparer: {See, Answer, Work, Invite},
	Viewer:   {See},
	Client:   {Answer},
}

// May reports whether a role has a right.
func (r Role) May(right Right) bool { return slices.Contains(may[r], right) }

// Rights returns the rights of a role.
func (r Role) Rights() []Right { return slices.Clone(may[r]) }

// Writes reports whether a role may change anything at all.
func (r Role) Writes() bool { return r.May(Work) || r.May(Answer) }

// Seat reports whether a member with this role needs a seat.
func (r Role) Seat() bool { return r == Owner || r == Partner || r == Preparer }

// MayGive reports whether someone with this role may give another role to a member: the owner any except owner, others
// only those below partner.
func (r Role) MayGive(other Role) bool {
	switch other {
	case Partner:
		return r == Owner
	case Preparer, Viewer, Client:
		return r.May(Invite)
	default:
		return false
	}
}
