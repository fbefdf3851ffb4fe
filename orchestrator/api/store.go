package api

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/account"
	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
)

// Store is everything that routes read and write. A test of a route replaces only the part that the route uses.
type Store interface {
	Sessions
	Conversations
	Documents
	AuthorityStore
	NoticeStore
	Calendars
	Links
	DraftStore
	Operations
	Money
	Rights
	FirmStore
	Practice
	Boards
	Talk
}

var _ Store = (*store.Store)(nil)

// Sessions stores sessions: who the caller is, and in which browsers they are signed in.
type Sessions interface {
	NewVisitor(ctx context.Context, token string) (uuid.UUID, error)
	Session(ctx context.Context, token string, idle time.Duration) (store.Session, error)
	Devices(ctx context.Context, person uuid.UUID) (devices []store.Device, err error)
	SignOut(ctx context.Context, token, next string) (known bool, err error)
	SignOutDevice(ctx context.Context, person, session uuid.UUID) error
	SignOutElsewhere(ctx context.Context, person uuid.UUID, token string) error
	WantMail(ctx context.Context, person uuid.UUID, wanted bool) error
}

// Conversations stores conversations and the turns in them.
type Conversations interface {
	Accept(ctx context.Context, n store.NewTurn) (turn store.Turn, again bool, err error)
	CloseFollowUp(ctx context.Context, workspace, conversation uuid.UUID) error
	Conversations(ctx context.Context, workspace uuid.UUID,
		c store.ConversationQuery) (rows []store.ConversationLine, more bool, err error)
	CreateConversation(ctx context.Context, workspace uuid.UUID, plugin string) (store.Conversation, error)
	Delete(ctx context.Context, workspace, conversation uuid.UUID) error
	Detail(ctx context.Context, workspace, conversation uuid.UUID) (store.Detail, error)
	EndFromOutside(ctx context.Context, workspace, turn uuid.UUID, e store.Ending, seen *store.OpenTurn) error
	Follow(ctx context.Context, workspace, conversation uuid.UUID, at store.EventID) (f store.Following, err error)
	Plugin(ctx context.Context, workspace, conversation uuid.UUID) (plugin string, err error)
	Rename(ctx context.Context, workspace, conversation uuid.UUID, title string) error
	RequestStop(ctx context.Context, workspace, turn uuid.UUID) error
	Requeue(ctx context.Context, workspace, id uuid.UUID, free *int) (store.Turn, error)
	Restore(ctx context.Context, workspace, conversation uuid.UUID) error
	Taken(ctx context.Context, workspace, conversation uuid.UUID, key string) (bool, error)
	Turn(ctx context.Context, workspace, id uuid.UUID) (store.Turn, error)
}

// Documents stores uploaded documents with what was read from them.
type Documents interface {
	Document(ctx context.Context, workspace, id uuid.UUID) (store.Document, error)
	PageSizes(ctx context.Context, workspace, document uuid.UUID) ([]turns.Page, error)
	PageWithWords(ctx context.Context, workspace, document uuid.UUID, number int) (turns.Page, error)
	Pages(ctx context.Context, workspace, document uuid.UUID) ([]turns.Page, error)
	WriteDocument(ctx context.Context, workspace uuid.UUID, d store.Document, w io.Writer) error
}

// AuthorityStore stores the authorities that a person supplied.
type AuthorityStore interface {
	AddAuthority(ctx context.Context, a store.Authority) (store.Authority, error)
	AttachToAuthority(ctx context.Context, workspace, conversation, authority uuid.UUID,
		d store.NewDocument) (store.Authority, error)
	Authorities(ctx context.Context, workspace, conversation uuid.UUID) ([]store.Authority, error)
	RemoveAuthority(ctx context.Context, workspace, conversation, authority uuid.UUID) error
	RestoreAuthority(ctx context.Context, workspace, conversation, authority uuid.UUID) error
}

// NoticeStore stores notices, their dates and the answers to their allegations.
type NoticeStore interface {
	MarkAnswered(ctx context.Context, workspace, conversation uuid.UUID, answered bool) (watched bool, err error)
	Notice(ctx context.Context, workspace, conversation uuid.UUID) (store.Notice, error)
	Notices(ctx context.Context, workspace uuid.UUID,
		n store.NoticeQuery) (lines []store.NoticeLine, counts store.NoticeCounts, err error)
	OpenNotices(ctx context.Context, workspace uuid.UUID) ([]store.OpenNotice, error)
	NoticeNames(ctx context.Context, workspace, conversation uuid.UUID) ([]string, error)
	Reminders(ctx context.Context, workspace uuid.UUID, today string) ([]store.Reminder, error)
	PutTaxpayer(ctx context.Context, t store.Taxpayer) error
	FigureFiles(ctx context.Context, workspace, conversation uuid.UUID) ([]store.FigureFile, error)
	DropFigureFile(ctx context.Context, workspace, conversation, file uuid.UUID) error
	SayPoint(ctx context.Context, workspace, conversation uuid.UUID, key string, said store.Said, revision int) error
	Unsettled(ctx context.Context, workspace uuid.UUID) (int, error)
	SeeReminder(ctx context.Context, workspace, id uuid.UUID) error
}

// Links stores links for people without an account.
type Links interface {
	MakeLink(ctx context.Context, workspace uuid.UUID, n store.NewLink) (store.Link, error)
	LinkOf(ctx context.Context, token string) (link store.Link, firm bool, err error)
	Links(ctx context.Context, workspace, conversation uuid.UUID) ([]store.Link, error)
	RevokeLink(ctx context.Context, workspace, id uuid.UUID) error
	LastLanguage(ctx context.Context, workspace uuid.UUID) (string, error)
}

// Calendars stores the addresses of calendars that other programs subscribe to.
type Calendars interface {
	Calendar(ctx context.Context, workspace uuid.UUID) (store.Calendar, error)
	CalendarOf(ctx context.Context, token string) (of store.CalendarOwner, err error)
	RenewCalendar(ctx context.Context, workspace uuid.UUID, token string) (store.Calendar, error)
}

// DraftStore stores drafts and their versions.
type DraftStore interface {
	AddDraft(ctx context.Context, workspace uuid.UUID, n store.NewDraft) (store.Draft, error)
	ApproveDraft(ctx context.Context, workspace, draft uuid.UUID, read time.Time) (store.Draft, error)
	DeleteDraft(ctx context.Context, workspace, id uuid.UUID) error
	Draft(ctx context.Context, workspace, id uuid.UUID) (store.Draft, error)
	Drafts(ctx context.Context, workspace uuid.UUID, search string, skip, most int) ([]store.DraftLine, error)
	EditDraft(ctx context.Context, workspace, id uuid.UUID, e store.Edit) (store.Draft, error)
	RestoreDraft(ctx context.Context, workspace, id uuid.UUID, version int) (store.Draft, error)
	ReturnDraft(ctx context.Context, workspace, draft uuid.UUID, reason string) (store.Draft, error)
	SendDraft(ctx context.Context, workspace, draft uuid.UUID) (store.Draft, error)
	TakeBackDraft(ctx context.Context, workspace, draft uuid.UUID) (store.Draft, error)
	UndeleteDraft(ctx context.Context, workspace, id uuid.UUID) error
	Version(ctx context.Context, workspace, id uuid.UUID,
		version int) (v store.DraftVersion, parts []store.DraftPart, err error)
	Versions(ctx context.Context, workspace, id uuid.UUID) ([]store.VersionLine, error)
	WrittenDrafts(ctx context.Context, workspace, conversation uuid.UUID) ([]store.WrittenDraft, error)
}

// Operations stores what operators see.
type Operations interface {
	Bundle(ctx context.Context, sha string) (store.Bundle, error)
	EndOperatorSession(ctx context.Context, token string) error
	GateRun(ctx context.Context, plugin, sha string) (store.GateRun, error)
	OperatorSession(ctx context.Context, token string) (name string, err error)
	PromptHistory(ctx context.Context, plugin string, most int) ([]store.PromptEvent, error)
	PromptStatus(ctx context.Context) ([]store.PromptStatus, error)
	Questions(ctx context.Context, turn uuid.UUID, operator string) ([]store.Question, error)
	RecentRuns(ctx context.Context, most int) ([]store.Recent, error)
	UseOperatorLink(ctx context.Context, key, token string) error
}

// Money stores payments, and how much may still be used.
type Money interface {
	DismissPayment(ctx context.Context, workspace uuid.UUID, order string) error
	Payment(ctx context.Context, workspace uuid.UUID, order string) (p store.Payment, err error)
	Payments(ctx context.Context, workspace uuid.UUID) (list []store.Payment, err error)
	PaymentsOf(ctx context.Context, workspace uuid.UUID) (n int, latest time.Time, err error)
	Subscription(ctx context.Context, workspace uuid.UUID) (sub store.Subscription, err error)
	Throttle(ctx context.Context, key string, r store.Rate) (wait time.Duration, err error)
	Spare(ctx context.Context, key string, cost, window time.Duration) (wait time.Duration, err error)
	Owed(ctx context.Context, key string) (time.Duration, error)
	Owe(ctx context.Context, key string, cost, most time.Duration) error
}

// Rights stores people's choices about their data, exports it and erases it.
type Rights interface {
	DocumentsAfter(ctx context.Context, workspace, after uuid.UUID) (documents []store.Document, err error)
	Exported(ctx context.Context, workspace uuid.UUID,
		file func(table string) (row func(json.RawMessage) error, err error)) error
	Person(ctx context.Context, workspace uuid.UUID) (p store.Person, err error)
	AuditOf(ctx context.Context, workspace uuid.UUID, most int) (entries []store.AuditEntry, err error)
	BeginErasure(ctx context.Context, workspace uuid.UUID, payments int, keptUntil string) (e store.Erasure, err error)
	Erasure(ctx context.Context, id uuid.UUID) (e store.Erasure, err error)
	Mask(ctx context.Context, workspace uuid.UUID) (mask *bool, err error)
	Note(ctx context.Context, workspace *uuid.UUID, event string, detail map[string]any) error
	SetMask(ctx context.Context, workspace uuid.UUID, mask bool) error
}

// FirmStore stores firms, their members and their log.
type FirmStore interface {
	EndMember(ctx context.Context, workspace, member uuid.UUID, to *uuid.UUID, leaves bool) error
	Firm(ctx context.Context, workspace uuid.UUID) (store.Firm, error)
	FirmLog(ctx context.Context, workspace uuid.UUID, before *uuid.UUID,
		most int) (entries []store.FirmEntry, more bool, err error)
	FirmsOf(ctx context.Context, person uuid.UUID) (firms []store.FirmLine, err error)
	ForgetMember(ctx context.Context, workspace, member uuid.UUID, name string) error
	HandOver(ctx context.Context, workspace, to uuid.UUID) error
	AddMailSender(ctx context.Context, workspace uuid.UUID, address string) error
	MailIn(ctx context.Context, workspace uuid.UUID) (m store.MailIn, err error)
	RemoveMailSender(ctx context.Context, workspace, sender uuid.UUID) error
	SetMailAddress(ctx context.Context, workspace uuid.UUID, token string) error
	SettleMail(ctx context.Context, workspace, id uuid.UUID, accept bool) error
	MailChoices(ctx context.Context, workspace, member uuid.UUID) (store.MailChoices, error)
	SetMailChoices(ctx context.Context, workspace uuid.UUID, c store.MailChoices) error
	Invitation(ctx context.Context, token string) (i store.Invitation, err error)
	InvitationRole(ctx context.Context, workspace, invitation uuid.UUID) (r role.Role, err error)
	MemberRole(ctx context.Context, workspace, member uuid.UUID) (r role.Role, err error)
	RenameFirm(ctx context.Context, workspace uuid.UUID, name string) error
	SeatsTaken(ctx context.Context, workspace uuid.UUID) (int, error)
	SetMember(ctx context.Context, workspace, member uuid.UUID, r role.Role, name string, freeSeats int) error
	Standing(ctx context.Context, firm, person uuid.UUID) (store.Acting, error)
	WithdrawInvitation(ctx context.Context, workspace, invitation uuid.UUID) error
}

// Practice stores the clients and matters of a firm.
type Practice interface {
	AddClient(ctx context.Context, workspace uuid.UUID, c store.ClientChange) (id uuid.UUID, err error)
	AddGSTIN(ctx context.Context, workspace, client uuid.UUID, gstin string) error
	AttachAcknowledgement(ctx context.Context, workspace, conversation uuid.UUID, d store.NewDocument) error
	ClientPage(ctx context.Context, workspace, client uuid.UUID) (p store.ClientPage, err error)
	Clients(ctx context.Context, workspace uuid.UUID,
		c store.ClientQuery) (lines []store.ClientLine, total int, err error)
	Unlooked(ctx context.Context, workspace uuid.UUID, days int) (list []store.UnlookedClient, err error)
	SetListed(ctx context.Context, workspace, id uuid.UUID, aside, replied *bool) (client uuid.UUID, err error)
	DropClient(ctx context.Context, workspace, client uuid.UUID) error
	DropFiled(ctx context.Context, workspace, conversation uuid.UUID) (watched bool, err error)
	FiledPaper(ctx context.Context, workspace, conversation uuid.UUID) (p store.FiledPaper, err error)
	Matter(ctx context.Context, workspace, matter uuid.UUID) (m store.MatterRow, err error)
	MatterPage(ctx context.Context, workspace, matter uuid.UUID) (p store.MatterPage, err error)
	Matters(ctx context.Context, workspace uuid.UUID,
		m store.MatterQuery) (lines []store.MatterLine, total int, err error)
	NoteFiled(ctx context.Context, workspace, conversation uuid.UUID, arn, day string) (watched bool, err error)
	MergeClients(ctx context.Context, workspace, from, into uuid.UUID) error
	OpenBatch(ctx context.Context, workspace uuid.UUID) (id uuid.UUID, err error)
	RemoveGSTIN(ctx context.Context, workspace, client uuid.UUID, gstin string) error
	See(ctx context.Context, workspace, conversation uuid.UUID) error
	SeeFiles(ctx context.Context, workspace uuid.UUID, files []uuid.UUID) (n int, err error)
	SetClient(ctx context.Context, workspace, client uuid.UUID, c store.ClientChange) error
	SetMatter(ctx context.Context, workspace, matter uuid.UUID,
		change func(store.MatterState) (store.MatterChange, error)) error
	SettlePaper(ctx context.Context, workspace, conversation uuid.UUID,
		into store.Settling) (matter uuid.UUID, err error)
	Triage(ctx context.Context, workspace uuid.UUID, skip, most int) (t store.Triage, err error)
}

// Boards reads lists across all matters of a firm.
type Boards interface {
	Board(ctx context.Context, workspace uuid.UUID, b store.BoardQuery) (days []store.BoardDay, err error)
	Choices(ctx context.Context, workspace uuid.UUID) (c store.Choices, err error)
	Exposure(ctx context.Context, workspace uuid.UUID, skip, most int) (e store.Exposure, err error)
	Register(ctx context.Context, workspace uuid.UUID, m store.MatterFilter,
		closed bool) (rows []store.RegisterRow, err error)
	RemoveView(ctx context.Context, workspace, member, view uuid.UUID) error
	SaveView(ctx context.Context, workspace, member uuid.UUID, page, name, filters string) error
	SavedViews(ctx context.Context, workspace, member uuid.UUID) (views []store.SavedView, err error)
	Search(ctx context.Context, workspace uuid.UUID,
		in store.SearchQuery) (found []store.FoundText, total int, words []string, err error)
	Workload(ctx context.Context, workspace uuid.UUID, today, week, month string) (loads []store.Load, err error)
}

// Talk stores the comments and tasks of a firm's members.
type Talk interface {
	AddComment(ctx context.Context, workspace uuid.UUID, n store.NewComment) error
	AddTask(ctx context.Context, workspace, matter uuid.UUID, t store.TaskChange) error
	Comments(ctx context.Context, workspace uuid.UUID, c store.CommentQuery) (list []store.Comment, err error)
	DropComment(ctx context.Context, workspace, comment uuid.UUID) error
	DropTask(ctx context.Context, workspace, task uuid.UUID) error
	SetTask(ctx context.Context, workspace, task uuid.UUID,
		change func(store.TaskState) (store.TaskChange, error)) error
	SettleComment(ctx context.Context, workspace, comment uuid.UUID, settled bool) error
	Tasks(ctx context.Context, workspace uuid.UUID, t store.TaskQuery) (list []store.Task, err error)
}

// Accounts signs people up and in.
type Accounts interface {
	Mails() bool         // whether links are sent by mail
	Idle() time.Duration // how long an unused session lasts
	SignUp(ctx context.Context, e account.Entry, b account.Browser) (token string, err error)
	Confirm(ctx context.Context, secret, password string, b account.Browser) (token string, err error)
	SignIn(ctx context.Context, e account.Entry, b account.Browser) (token string, err error)
	Forgot(ctx context.Context, email string, b account.Browser) error
	Reset(ctx context.Context, secret, password string, b account.Browser) (token string, err error)
	ChangePassword(ctx context.Context, person uuid.UUID, old, password string,
		b account.Browser) (token string, err error)
	Knows(ctx context.Context, person uuid.UUID, password string, b account.Browser) error
	Forget(ctx context.Context, email string) error
}

// Notifier reports changes in a conversation; the returned function ends this.
type Notifier interface {
	ReadAlong(id uuid.UUID) (changed <-chan struct{}, pieces <-chan store.Piece, end func())
}

var (
	_ Accounts = (*account.Accounts)(nil)
	_ Notifier = (*store.Notifier)(nil)
)
