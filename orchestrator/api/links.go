package api

import (
	"context"
	"errors"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/google/uuid"

	"munshi/orchestrator/clock"
	"munshi/orchestrator/store"
)

// A link is for somebody without an account, and for one purpose. An interview link asks what only the client knows
// about one notice, and accepts the papers that are needed. Its secret is after the "#" of the address, which
// browsers do not send; the page sends it in a header instead. A link opens no session, and shows nothing that was
// read, written or answered before.

// Link is an address for somebody without an account.
type Link struct {
	ID        uuid.UUID  `json:"id" format:"uuid"`
	Kind      string     `json:"kind" enum:"interview"`
	Recipient string     `json:"recipient" doc:"The recipient, as written by the person who made it"`
	Language  string     `json:"language" enum:"en,hi"`
	Created   time.Time  `json:"created"`
	Expires   time.Time  `json:"expires"`
	Revoked   *time.Time `json:"revoked" doc:"Null while it works"`
	Used      *time.Time `json:"used" doc:"When it was last opened; null if never"`
	Address   string     `json:"address" doc:"Returned only once, when it is created; empty afterwards"`
	Message   string     `json:"message" doc:"Message to the client, with the address and the papers needed; also returned only once"`
}

// TransformSchema says which fields may be null.
func (Link) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "revoked", "used")
}

// LinkList lists the links to a conversation.
type LinkList struct {
	Links []Link `json:"links" doc:"Latest first"`
}

// LinkInterview is what an interview link shows: the questions, and the papers that are needed.
type LinkInterview struct {
	Language  string         `json:"language" enum:"en,hi"`
	Expires   time.Time      `json:"expires"`
	Questions []LinkQuestion `json:"questions" doc:"Most important first"`
	Papers    []LinkPaper    `json:"papers"`
}

// LinkQuestion is a question without text from the notice and without earlier answers.
type LinkQuestion struct {
	Key      string   `json:"key"`
	Kind     string   `json:"kind" enum:"day,money,year,choice,words,papers"`
	Text     Sentence `json:"text"`
	Why      Sentence `json:"why"`
	Places   []string `json:"places"`
	Options  []string `json:"options"`
	Answered bool     `json:"answered" doc:"Given by this link; the answers themselves are not returned"`
}

// LinkPaper is a paper that is needed.
type LinkPaper struct {
	Type   string `json:"type"`
	Reason string `json:"reason" doc:"Why it is needed; may be empty"`
	Came   bool   `json:"came"`
}

const (
	linkHeader    = "Munshi-Link"
	linkUpload    = "/api/link/documents"
	mostDaysAlive = 30
)

func (s *server) linkRoutes(api huma.API) {
	get(api, "list-links", "/api/conversations/{id}/links", "The links to a notice that were given to others", s.links)
	post(api, "make-link", "/api/conversations/{id}/links", "Make a link by which somebody without an account answers "+
		"the interview", http.StatusCreated, s.makeLink)
	post(api, "revoke-link", "/api/links/{id}/revoke", "Have a link lead nowhere", http.StatusNoContent, s.revokeLink)
	get(api, "open-link", "/api/link", "For who was given a link: what is asked", s.openLink)
	post(api, "answer-link", "/api/link/answers", "For who was given a link: answer a question", http.StatusOK,
		s.answerLink)
	huma.Register(api, huma.Operation{
		OperationID: "hand-in-by-link", Method: http.MethodPost, Path: linkUpload,
		Summary: "Upload a requested paper, for the recipient of a link", DefaultStatus: http.StatusOK,
		SkipValidateBody: true, BodyReadTimeout: transferTime,
		Middlewares: huma.Middlewares{s.beforeLinkUpload},
		RequestBody: fileBody(map[string]*huma.Schema{"type": {Type: "string",
			Description: "The paper that it is, as it is called there"}}),
	}, s.handInByLink)
}

func linkOf(l store.Link) Link {
	return Link{ID: l.ID, Kind: l.Kind, Recipient: l.Recipient, Language: l.Language, Created: l.CreatedAt,
		Expires: l.ExpiresAt, Revoked: l.RevokedAt, Used: l.UsedAt}
}

func (s *server) links(ctx context.Context, in *idInput) (*body[LinkList], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if _, err := s.Store.Plugin(ctx, workspace, in.ID); err != nil {
		return nil, s.toProblem(err)
	}
	kept, err := s.Store.Links(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := LinkList{Links: make([]Link, len(kept))}
	for i, l := range kept {
		list.Links[i] = linkOf(l)
	}
	return &body[LinkList]{list}, nil
}

type makeLinkInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Recipient string `json:"recipient" maxLength:"200"`
		Language  string `json:"language" enum:"en,hi"`
		Days      int    `json:"days" minimum:"1" maximum:"30" doc:"For how many days it works"`
	}
}

func (s *server) makeLink(ctx context.Context, in *makeLinkInput) (*body[Link], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	asked, err := s.Replies.Interview(ctx, workspace, in.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		if _, err := s.Store.Plugin(ctx, workspace, in.ID); err != nil {
			return nil, s.toProblem(err)
		}
		return nil, refuse("no_notice", nil)
	case err != nil:
		return nil, s.toProblem(err)
	case len(asked.Questions) == 0:
		return nil, refuse("no_question", nil)
	}
	token := newToken()
	made, err := s.Store.MakeLink(ctx, workspace, store.NewLink{
		Kind: store.InterviewLink, Conversation: in.ID, Token: token,
		Recipient: store.OneLine(in.Body.Recipient),
		Language:  in.Body.Language, Expires: time.Now().AddDate(0, 0, min(in.Body.Days, mostDaysAlive)),
	})
	if err != nil {
		return nil, s.toProblem(err)
	}
	n, err := s.Store.Notice(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	papers, err := s.papersOf(ctx, workspace, in.ID, n)
	if err != nil {
		return nil, s.toProblem(err)
	}
	needed := slices.DeleteFunc(papers, func(p Paper) bool { return p.State != "needed" })
	link := linkOf(made)
	link.Address = strings.TrimRight(s.PublicURL, "/") + "/app/asked?language=" + made.Language + "#" + token
	until := made.ExpiresAt.In(clock.India).Format(time.DateOnly)
	if link.Message, err = s.Briefs.Invitation(n.Facts, needed, made.Language, link.Address, until); err != nil {
		return nil, s.toProblem(err)
	}
	return &body[Link]{link}, nil
}

func (s *server) revokeLink(ctx context.Context, in *idInput) (*none, error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if err := s.Store.RevokeLink(ctx, workspace, in.ID); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

// byLink returns the interview link that a request carries, and the context in which to answer it: in the firm that
// made the link, if any, and with the rights of the link instead of those of whoever opens it. ErrNotFound: the link
// is unknown, expired or of another kind.
func (s *server) byLink(ctx context.Context, token string) (context.Context, store.Link, error) {
	if len(token) != tokenLength {
		return ctx, store.Link{}, store.ErrNotFound
	}
	ctx = context.WithValue(store.AsNobody(ctx), placeKey{}, place{})
	link, firm, err := s.Store.LinkOf(ctx, token)
	if err == nil && (link.Kind != store.InterviewLink || link.ConversationID == nil) {
		err = store.ErrNotFound
	}
	if firm {
		ctx = store.ByLink(context.WithValue(ctx, placeKey{}, place{link.WorkspaceID}), link)
	}
	return ctx, link, err
}

type byLinkInput struct {
	Token string `header:"Munshi-Link" maxLength:"200" doc:"The secret of the link's address"`
}

// linkShown is the answer for a link; caches must not keep it.
type linkShown struct {
	Cache string `header:"Cache-Control"`
	Body  LinkInterview
}

func (s *server) openLink(ctx context.Context, in *byLinkInput) (*linkShown, error) {
	ctx, link, err := s.byLink(ctx, in.Token)
	if err != nil {
		return nil, s.toLinkProblem(err)
	}
	return s.asked(ctx, link)
}

func (s *server) asked(ctx context.Context, link store.Link) (*linkShown, error) {
	shown, err := s.Replies.Asked(ctx, link)
	if err != nil {
		return nil, s.toLinkProblem(err)
	}
	n, err := s.Store.Notice(ctx, link.WorkspaceID, *link.ConversationID)
	if err != nil {
		return nil, s.toLinkProblem(err)
	}
	papers, err := s.papersOf(ctx, link.WorkspaceID, *link.ConversationID, n)
	if err != nil {
		return nil, s.toProblem(err)
	}
	for _, p := range papers {
		shown.Papers = append(shown.Papers, LinkPaper{Type: p.Type, Reason: p.Reason, Came: p.State != "needed"})
	}
	shown.Language, shown.Expires = link.Language, link.ExpiresAt
	return &linkShown{Cache: "private, no-store", Body: shown}, nil
}

// toLinkProblem reports a link that is not found as no longer valid.
func (s *server) toLinkProblem(err error) *Problem {
	if errors.Is(err, store.ErrNotFound) {
		return refuse("link_over", nil)
	}
	return s.toProblem(err)
}

type answerLinkInput struct {
	Token string `header:"Munshi-Link" maxLength:"200" doc:"The secret of the link's address"`
	Body  answerBody
}

func (s *server) answerLink(ctx context.Context, in *answerLinkInput) (*linkShown, error) {
	ctx, link, err := s.byLink(ctx, in.Token)
	if err != nil {
		return nil, s.toLinkProblem(err)
	}
	said, err := in.Body.said()
	if err != nil {
		return nil, err
	}
	watched, err := s.Replies.AnswerAsked(ctx, link, said)
	switch {
	case errors.Is(err, store.ErrChanged):
		return nil, refuse("no_question", nil)
	case err != nil:
		return nil, s.toLinkProblem(err)
	}
	s.watch(ctx, link.WorkspaceID, *link.ConversationID, watched)
	return s.asked(ctx, link)
}

// beforeLinkUpload refuses an upload before its body is read, if the link is not valid or there is no disk space.
func (s *server) beforeLinkUpload(hc huma.Context, next func(huma.Context)) {
	c := humagin.Unwrap(hc)
	ctx := c.Request.Context()
	ctx, link, err := s.byLink(ctx, c.GetHeader(linkHeader))
	if err == nil {
		err = s.mayAsk(ctx, link.WorkspaceID)
	}
	if err == nil {
		err = s.spare(ctx, "upload", s.uploaded(c.Request), use{"turns", s.Abuse.FreeTurns, 1})
	}
	if err != nil {
		p := s.toLinkProblem(err)
		s.logCause(ctx, p)
		s.refuseBody(c, p)
		return
	}
	next(hc)
}

type linkUploadInput struct {
	Token   string `header:"Munshi-Link" maxLength:"200" doc:"The secret of the link's address"`
	Key     string `header:"Idempotency-Key" maxLength:"200" doc:"The same key uploads nothing again"`
	RawBody multipart.Form
}

func (s *server) handInByLink(ctx context.Context, in *linkUploadInput) (*linkShown, error) {
	ctx, link, err := s.byLink(ctx, in.Token)
	if err != nil {
		return nil, s.toLinkProblem(err)
	}
	doc, done, err := s.received(ctx, in.RawBody)
	if err != nil {
		return nil, s.toProblem(err)
	}
	defer done()
	doc.Type = store.OneLine(strings.Join(in.RawBody.Value["type"], " "))
	wanted, err := s.asked(ctx, link)
	if err != nil {
		return nil, err
	}
	if !wanted.Body.wants(doc.Type) {
		return nil, refuse("invalid_request.document_type", nil)
	}
	key := ""
	if in.Key != "" {
		key = "link " + link.ID.String() + " " + in.Key
	}
	speaks, err := s.Store.LastLanguage(ctx, link.WorkspaceID) // the language of those who work on the notice
	if err != nil {
		return nil, s.toProblem(err)
	}
	if _, err := s.acceptFor(ctx, link.WorkspaceID, *link.ConversationID, key,
		handIn{document: &doc, language: speaks}); err != nil {
		return nil, err
	}
	return s.asked(ctx, link)
}

// wants reports whether a paper is among the needed ones.
func (l LinkInterview) wants(paper string) bool {
	return slices.ContainsFunc(l.Papers, func(p LinkPaper) bool { return p.Type == paper })
}
