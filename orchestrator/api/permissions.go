package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
)

// free marks an operation that needs no right in a firm: it concerns no workspace, or only the person themselves.
const free role.Right = ""

// needs maps each operation to the right that it needs in a firm. In their own workspace people have all rights.
var needs = map[string]role.Right{
	// Operations open to everyone, and those on a person's own account.
	"accept-invitation": free, "become-operator": free, "change-password": free, "config": free, "confirm": free,
	"end-operator": free, "forgot-password": free, "found-firm": free, "get-calendar-feed": free, "get-erasure": free,
	"get-me": free, "get-provision": free, "health": free, "list-devices": free, "list-law": free,
	"list-templates": free, "look-at-invitation": free, "payment-webhook": free, "plugins": free, "ready": free,
	"reset-password": free, "search-law": free, "sign-in": free, "sign-out": free, "sign-out-device": free,
	"sign-out-elsewhere": free, "sign-up": free, "want-mail": free,
	// Operations through a client's link, which is checked instead.
	"answer-link": free, "hand-in-by-link": free, "open-link": free,
	// Operations of operators, which check the caller themselves.
	"bless-eval-run": free, "cancel-eval-run": free, "compare-eval-runs": free, "compare-prompts": free,
	"get-eval-history": free, "get-eval-run": free, "get-training": free, "list-eval-cases": free,
	"list-eval-readings": free, "list-eval-runs": free, "list-prompt-versions": free, "list-prompts": free,
	"list-questions": free, "list-runs": free, "preview-prompt": free, "preview-prompts": free, "run-training": free,
	"start-eval-run": free,

	"find-quote": role.See, "follow-conversation": role.See, "get-brief": role.See, "get-calendar": role.See,
	"get-conversation": role.See, "get-document": role.See, "get-draft": role.See, "get-draft-version": role.See,
	"get-draft-word": role.See, "get-figure-entries": role.See, "get-figures": role.See,
	"get-figures-workbook": role.See, "get-supplier-letters": role.See, "get-firm": role.See, "get-interview": role.See,
	"get-message-dates": role.See, "get-message-word": role.See, "get-notice-calendar": role.See, "get-page": role.See,
	"get-reply": role.See, "list-authorities": role.See, "list-conversations": role.See,
	"list-draft-versions": role.See, "list-drafts": role.See, "list-links": role.See, "list-message-dates": role.See,
	"list-notices": role.See, "list-pages": role.See, "list-reminders": role.See, "list-written-drafts": role.See,

	"add-authority": role.Work, "answer-question": role.Work, "attach-to-authority": role.Work,
	"begin-draft": role.Work, "choose-figure-columns": role.Work, "class-figure": role.Work,
	"close-follow-up": role.Work, "correct-fact": role.Work, "create-conversation": role.Work,
	"delete-conversation": role.Work, "delete-draft": role.Work, "draft-reply": role.Work, "edit-draft": role.Work,
	"keep-taxpayer": role.Work, "make-link": role.Work, "mark-answered": role.Work, "post-document": role.Work,
	"post-figures": role.Work, "post-message": role.Work, "remove-authority": role.Work, "remove-figures": role.Work,
	"rename-conversation": role.Work, "renew-calendar": role.Work, "restore-authority": role.Work,
	"restore-conversation": role.Work, "restore-draft-version": role.Work, "retry-turn": role.Work,
	"revoke-link": role.Work, "say-to-point": role.Work, "see-reminder": role.Work, "stop-turn": role.Work,
	"take-offline-answer": role.Work, "undelete-draft": role.Work, "undo-correction": role.Work,

	"get-client": role.See, "get-filing": role.See, "get-matter": role.See, "list-clients": role.See,
	"list-matters": role.See, "add-client": role.Work, "add-gstin": role.Work, "change-client": role.Work,
	"change-matter": role.Work, "file-paper": role.Work, "merge-client": role.Approve, "remove-client": role.Approve,
	"remove-gstin": role.Work, "see-paper": role.Work, "get-triage": role.See, "open-batch": role.Work,
	"add-batch-file": role.Work, "put-aside": role.Work, "analyse-paper": role.Work,

	"get-board": role.See, "list-choices": role.See, "list-views": role.See, "save-view": role.Work,
	"remove-view": role.Work, "get-workload": role.See, "get-exposure": role.See, "search": role.See,
	"get-register": role.See, "import-register": role.Work, "get-register-import": role.Work,
	"choose-register-columns": role.Work, "confirm-register-import": role.Work,
	"look-at-portal": role.Work, "change-listed": role.Work,
	"send-draft": role.Work, "take-back-draft": role.Work, "return-draft": role.Work, "approve-draft": role.Approve,
	"note-filed": role.Work, "undo-filed": role.Work, "attach-acknowledgement": role.Work,
	"list-comments": role.See, "add-comment": role.Work, "settle-comment": role.Work, "remove-comment": role.Work,
	"get-mail-in": role.Work, "settle-mail": role.Work, "renew-mail-address": role.Manage,
	"add-mail-sender": role.Manage, "remove-mail-sender": role.Manage,
	"get-mail-choices": role.Work, "set-mail-choices": role.Work,
	"list-tasks": role.See, "add-task": role.Work, "change-task": role.Work, "remove-task": role.Work,

	"invite": role.Invite, "withdraw-invitation": role.Invite, "change-member": role.Manage,
	"forget-member": role.Manage, "remove-member": role.Manage, "rename-firm": role.Manage, "list-firm-log": role.Log,
	"leave-firm": free,

	"dismiss-payment": role.Own, "erase": role.Own, "export": role.Own, "get-billing": role.Own,
	"get-payment": role.Own, "get-privacy": role.Own, "get-receipt": role.Own, "hand-over": role.Own,
	"pay-in-sandbox": role.Own, "set-privacy": role.Own, "start-payment": role.Own, "verify-payment": role.Own,
}

// firmOnly are the operations that exist only in a firm.
var firmOnly = map[string]bool{
	"get-firm": true, "rename-firm": true, "invite": true, "withdraw-invitation": true, "change-member": true,
	"remove-member": true, "forget-member": true, "leave-firm": true, "hand-over": true, "list-firm-log": true,
	"list-clients": true, "add-client": true, "get-client": true, "change-client": true, "remove-client": true,
	"merge-client": true, "add-gstin": true, "remove-gstin": true, "list-matters": true, "get-matter": true,
	"change-matter": true, "get-filing": true, "file-paper": true, "see-paper": true, "get-triage": true,
	"open-batch": true, "add-batch-file": true, "put-aside": true, "get-board": true, "list-choices": true,
	"list-views": true, "save-view": true, "remove-view": true, "get-workload": true, "get-exposure": true,
	"search": true, "get-register": true, "import-register": true, "get-register-import": true,
	"choose-register-columns": true, "confirm-register-import": true,
	"look-at-portal": true, "change-listed": true,
	"send-draft": true, "take-back-draft": true, "return-draft": true, "approve-draft": true, "note-filed": true,
	"undo-filed": true, "attach-acknowledgement": true, "list-comments": true, "add-comment": true,
	"settle-comment": true, "remove-comment": true, "list-tasks": true, "add-task": true, "change-task": true,
	"remove-task": true, "get-mail-choices": true, "set-mail-choices": true,
	"get-mail-in": true, "settle-mail": true, "renew-mail-address": true, "add-mail-sender": true,
	"remove-mail-sender": true,
}

// Needs returns the right that an operation needs in a firm (free if none), and whether it exists only in firms. known
// is false if the operation is not in the table; every firm refuses it then.
func Needs(operation string) (right role.Right, inFirm, known bool) {
	right, known = needs[operation]
	return right, firmOnly[operation], known
}

// begins are the operations that start something new, or take money; they are refused while the disk is full. Those
// that start a turn check the disk themselves, since a repeated request must still get its answer. Changes to
// existing content, such as the words of a draft, are accepted as long as the database can store them: only what was
// stored is acknowledged.
var begins = map[string]bool{
	"sign-up": true, "found-firm": true, "invite": true, "start-payment": true, "begin-draft": true, "make-link": true,
	"add-authority": true, "add-client": true, "add-gstin": true, "add-comment": true, "add-task": true,
	"open-batch": true, "analyse-paper": true, "import-register": true, "confirm-register-import": true,
	"look-at-portal": true, "attach-acknowledgement": true, "run-training": true, "start-eval-run": true,
}

// permit refuses an operation for which the caller has no right in the firm named in the address, or for which the disk
// has no room.
func (s *server) permit(hc huma.Context, next func(huma.Context)) {
	p := permitted(hc.Context(), hc.Operation().OperationID)
	if p == nil && begins[hc.Operation().OperationID] && s.room() != nil {
		p = refuse("disk_full", nil)
	}
	if p != nil {
		writeProblem(humagin.Unwrap(hc).Writer, p)
		return
	}
	next(hc)
}

func permitted(ctx context.Context, operation string) *Problem {
	right, inFirm, known := Needs(operation)
	if placeOf(ctx) == (place{}) {
		if inFirm {
			return refuse("not_in_firm", nil)
		}
		return nil
	}
	a, acts := store.ActingIn(ctx)
	switch {
	case known && right == free && (!inFirm || acts):
		return nil
	case !acts:
		return nobody(ctx)
	case !known || !a.Role.May(right):
		return refuse("not_allowed", nil)
	}
	return nil
}

// nobody returns the refusal for a caller who does not belong to the workspace named in the address.
func nobody(ctx context.Context) *Problem {
	switch of := sessionOf(ctx); {
	case placeOf(ctx) == (place{}):
		return notFound()
	case of == nil || !of.SignedIn:
		return refuse("not_signed_in", nil)
	default:
		return refuse("not_a_member", nil)
	}
}
