package api

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
)

// DraftReview is the state of a draft's review.
type DraftReview struct {
	State    string     `json:"state" enum:"review,returned,approved,undone" doc:"undone: it was approved and has changed since"`
	Version  int        `json:"version" doc:"That was sent"`
	Sent     Named      `json:"sent" doc:"Who sent it"`
	SentAt   time.Time  `json:"sent_at"`
	Decided  *Named     `json:"decided" doc:"Who returned or approved it"`
	DecideAt *time.Time `json:"decided_at"`
	Approved *int       `json:"approved" doc:"The version that was approved"`
	Reason   string     `json:"reason" doc:"The reason for returning it; otherwise empty"`
}

// TransformSchema says which fields may be null.
func (DraftReview) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "decided")
}

// reviewed adds the state of the draft's review, and what the caller may do about it.
func (d *Draft) reviewed(ctx context.Context, of store.Draft) {
	d.Acts = []string{}
	a, acts := store.ActingIn(ctx)
	if !acts {
		return
	}
	if of.Review != nil {
		r := of.Review.DraftReview
		d.State = r.State
		d.Review = &DraftReview{State: r.State, Version: int(r.Version),
			Sent: Named{r.SentBy.String(), of.Review.Sender}, SentAt: r.SentAt,
			Decided: named(r.DecidedBy, &of.Review.Decider), DecideAt: r.DecidedAt, Reason: r.Reason}
		if r.ApprovedVersion != nil {
			version := int(*r.ApprovedVersion)
			d.Review.Approved = &version
		}
	}
	d.Locked = of.Locked()
	may := func(act string, when bool) {
		if when {
			d.Acts = append(d.Acts, act)
		}
	}
	inReview := d.State == store.InReview
	may("send", a.Role.May(role.Work) && !inReview && !of.Approved())
	may("take_back", inReview && of.Review.DraftReview.SentBy == a.Member)
	may("return", inReview && of.Reviewer)
	may("approve", a.Role.May(role.Approve) && !of.Approved())
}

func (s *server) reviewRoutes(api huma.API) {
	post(api, "send-draft", "/api/drafts/{id}/send", "Send a draft for review: from then on its reviewer alone "+
		"changes it",
		http.StatusOK, s.ofReview(DraftStore.SendDraft))
	post(api, "take-back-draft", "/api/drafts/{id}/take-back", "Take back a draft that one has sent for review",
		http.StatusOK, s.ofReview(DraftStore.TakeBackDraft))
	post(api, "return-draft", "/api/drafts/{id}/return", "Return a draft that was sent for review to its preparer",
		http.StatusOK, s.returnDraft)
	post(api, "approve-draft", "/api/drafts/{id}/approve", "Approve a draft; any later change undoes it", http.StatusOK,
		s.approveDraft)
}

// ofReview returns a handler that changes the review of a draft and answers with the draft.
func (s *server) ofReview(change func(of DraftStore, ctx context.Context, workspace, draft uuid.UUID) (store.Draft,
	error)) func(context.Context, *idInput) (*body[Draft], error) {
	return func(ctx context.Context, in *idInput) (*body[Draft], error) {
		a, _ := store.ActingIn(ctx)
		d, err := change(s.Store, ctx, a.Workspace, in.ID)
		if err != nil {
			return nil, s.toProblem(err)
		}
		return s.showDraft(ctx, a.Workspace, d)
	}
}

type returnInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Reason string `json:"reason" maxLength:"2000" doc:"The reason, for its preparer"`
	}
}

func (s *server) returnDraft(ctx context.Context, in *returnInput) (*body[Draft], error) {
	reason := strings.TrimSpace(plainText(in.Body.Reason))
	if reason == "" {
		return nil, refuse("blank_reason", nil)
	}
	return s.ofReview(func(of DraftStore, ctx context.Context, workspace, draft uuid.UUID) (store.Draft, error) {
		return of.ReturnDraft(ctx, workspace, draft, reason)
	})(ctx, &idInput{ID: in.ID})
}

type approveInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Read time.Time `json:"read" doc:"The draft's updated_at when it was read"`
	}
}

func (s *server) approveDraft(ctx context.Context, in *approveInput) (*body[Draft], error) {
	return s.ofReview(func(of DraftStore, ctx context.Context, workspace, draft uuid.UUID) (store.Draft, error) {
		d, err := of.ApproveDraft(ctx, workspace, draft, in.Body.Read)
		if errors.Is(err, store.ErrChanged) {
			err = refuse("changed_since_read", nil)
		}
		return d, err
	})(ctx, &idInput{ID: in.ID})
}
