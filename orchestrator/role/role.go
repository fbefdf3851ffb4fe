// Package role says what each role in a firm may do: one table, which the API enforces for every route and the store
// passes to row-level security. docs/practice.md shows it to people.
package role

import "slices"

// Role is what someone is in a firm.
type Role string

// The roles. A firm has one owner.
const (
	Owner    Role = "owner"
	Partner  Role = "partner"
	Preparer Role = "preparer"
	Viewer   Role = "viewer"
	Client   Role = "client"
)

// All lists the roles, those that may do most first.
func All() []Role { return []Role{Owner, Partner, Preparer, Viewer, Client} }

// Right is one thing that a role may do or not.
type Right string

// The rights.
const (
	See     Right = "see"     // everything in reach
	Answer  Right = "answer"  // what is asked of a client, and hand in papers
	Work    Right = "work"    // hand in, correct, ask, write
	Invite  Right = "invite"  // preparers, viewers and clients
	Approve Right = "approve" // approve and close matters
	Manage  Right = "manage"  // members and their roles
	Log     Right = "log"     // read who did what
	Own     Right = "own"     // pay, mask, export, hand over, close the firm
)

// Rights lists the rights in the order of the table.
func Rights() []Right { return []Right{See, Answer, Work, Invite, Approve, Manage, Log, Own} }

// may is the table.
var may = map[Role][]Right{
	Owner:    {See, Answer, Work, Invite, Approve, Manage, Log, Own},
	Partner:  {See, Answer, Work, Invite, Approve, Manage, Log},
	Preparer: {See, Answer, Work, Invite},
	Viewer:   {See},
	Client:   {Answer},
}

// May reports whether a role has a right.
func (r Role) May(right Right) bool { return slices.Contains(may[r], right) }

// Rights returns what a role may do.
func (r Role) Rights() []Right { return slices.Clone(may[r]) }

// Writes reports whether a role may change anything at all.
func (r Role) Writes() bool { return r.May(Work) || r.May(Answer) }

// Seat reports whether a member of the role takes one of the firm's seats.
func (r Role) Seat() bool { return r == Owner || r == Partner || r == Preparer }

// MayGive reports whether someone of the role may give another to a member: the owner any but their own, others what is
// below a partner.
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
