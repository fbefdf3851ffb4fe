package api

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// Replies manages the reply to a notice, and checks the text of drafts.
type Replies interface {
	// View returns the reply to a conversation's notice, and separately its draft. ErrNotFound: the conversation has
	// no notice with known facts.
	View(ctx context.Context, workspace, conversation uuid.UUID) (Reply, *store.Draft, error)
	// Interview returns the questions about the notice, the most important first.
	Interview(ctx context.Context, workspace, conversation uuid.UUID) (Interview, error)
	// Answer stores an answer to a question of the interview; an empty one withdraws the previous answer. ErrChanged:
	// the answer to the paragraph has changed meanwhile, and nothing was stored.
	Answer(ctx context.Context, workspace, conversation uuid.UUID, a InterviewAnswer) (watched bool, err error)
	// Asked returns the open questions for an interview link, without any answers.
	Asked(ctx context.Context, link store.Link) (LinkInterview, error)
	// AnswerAsked stores an answer given through a link. Questions that those working on the notice have already
	// answered are not asked there.
	AnswerAsked(ctx context.Context, link store.Link, a InterviewAnswer) (watched bool, err error)
	// Check returns, for each part of a draft, its citations and where it contradicts the facts. Positions are in
	// bytes.
	Check(ctx context.Context, workspace uuid.UUID, d store.Draft) (map[string][]Check, error)
}

// replyTurn is the kind of turn that drafts the reply to a notice.
const replyTurn = "reply"

// Reply says how a notice is answered: the form, the answer to each allegation, and the draft.
type Reply struct {
	Form     ReplyForm    `json:"form"`
	ReplyBy  *string      `json:"reply_by" doc:"The last day to reply, an ISO date; null if not known, or if the notice was answered"`
	Points   []ReplyPoint `json:"points" doc:"In the order of the notice"`
	Draft    *Draft       `json:"draft" doc:"Null before the first"`
	Taxpayer *Taxpayer    `json:"taxpayer" doc:"Who signs and appears for the taxpayer of the notice; null while its GSTIN is not known"`
	Missing  []MissingOne `json:"missing" doc:"What is still missing before the paper can be sent"`
	Sheet    []SheetEntry `json:"sheet" doc:"What to enter on the portal, field by field, with the texts of the draft"`
}

// MissingOne is one thing that must be settled before the reply can be filed.
type MissingOne struct {
	Kind  string   `json:"kind" enum:"paragraph,blank,confirm,paper,date" doc:"A paragraph without an answer, a blank or a point to confirm in the draft, a paper not uploaded, or a date not confirmed"`
	What  Sentence `json:"what"`
	Point string   `json:"point" doc:"The key of the paragraph, or empty"`
}

// SheetEntry is a field of the form on the portal.
type SheetEntry struct {
	Name  string `json:"name" doc:"In English, as on the portal"`
	Value string `json:"value"`
}

// Taxpayer is what is stored about a taxpayer for every reply: who signs, where, and who represents them.
type Taxpayer struct {
	GSTIN          string `json:"gstin"`
	Signatory      string `json:"signatory"`
	Designation    string `json:"designation"`
	Place          string `json:"place"`
	Representative string `json:"representative" doc:"Who appears under section 116"`
	Enrolment      string `json:"enrolment" doc:"Their number in the roll of the bar or the institute"`
}

// ReplyForm is the form in which a notice is answered.
type ReplyForm struct {
	Kind      string   `json:"kind" enum:"reply,return,appeal,none" doc:"What answers it: a reply, a return, an appeal, or nothing"`
	Name      string   `json:"name" doc:"Such as FORM GST DRC-06; empty for a letter"`
	Title     Sentence `json:"title"`
	Sentence  Sentence `json:"sentence" doc:"What to do instead of replying; empty for a reply"`
	Provision string   `json:"provision"`
	Drafted   bool     `json:"drafted" doc:"Whether the paper is drafted here: a reply, or what is filed against an order"`
}

// ReplyPoint is a paragraph of the notice, and the answer to it.
type ReplyPoint struct {
	Key           string   `json:"key"`
	Number        string   `json:"number" doc:"As the notice prints it; empty for none"`
	Page          int      `json:"page" doc:"0 if it is not on a single page"`
	Alleged       string   `json:"alleged" doc:"In the notice's own words"`
	Allegation    bool     `json:"allegation" doc:"False if no answer is needed"`
	Stance        string   `json:"stance" enum:",admit,deny,explain" doc:"What the person decided; empty until then"`
	Proposed      string   `json:"proposed" enum:",admit,deny,explain" doc:"What was proposed; empty for nothing"`
	Facts         string   `json:"facts"`
	FactsProposed bool     `json:"facts_proposed" doc:"True if the facts are a suggestion that the person has not kept yet"`
	Documents     []string `json:"documents" doc:"The printed words that prove it"`
	Authorities   []string `json:"authorities" doc:"Those that support it, among the ones the person supplied"`
	Suggested     []string `json:"suggested" doc:"Documents needed for this kind of allegation"`
	Revision      int      `json:"revision" doc:"Must be sent with the answer"`
}

func (s *server) reply(ctx context.Context, in *idInput) (*body[Reply], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	r, draft, err := s.Replies.View(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if draft != nil {
		d, err := s.shown(ctx, workspace, *draft)
		if err != nil {
			return nil, s.toProblem(err)
		}
		r.Draft = &d
	}
	return &body[Reply]{r}, nil
}

type pointInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Key         string    `json:"key" maxLength:"80"`
		Stance      *string   `json:"stance,omitempty" enum:",admit,deny,explain" doc:"Left out to keep it as it is"`
		Facts       *string   `json:"facts,omitempty" doc:"Left out to keep them as they are"`
		Documents   *[]string `json:"documents,omitempty" maxItems:"50"`
		Authorities *[]string `json:"authorities,omitempty" maxItems:"50"`
		Revision    int       `json:"revision,omitempty" doc:"The paragraph's revision when it was read"`
	}
}

// maxPointFacts is the maximum length of the facts in the answer to an allegation, in bytes: they go into a prompt.
const maxPointFacts = 8 << 10

func (s *server) sayPoint(ctx context.Context, in *pointInput) (*body[Reply], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	r, _, err := s.Replies.View(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if !slices.ContainsFunc(r.Points, func(p ReplyPoint) bool { return p.Key == in.Body.Key }) {
		return nil, refuse("no_point", nil)
	}
	said := store.Said{Stance: in.Body.Stance}
	if f := in.Body.Facts; f != nil {
		facts := strings.TrimSpace(plainText(*f))
		if len(facts) > maxPointFacts {
			return nil, refuse("facts_too_long", nil)
		}
		said.Facts = &facts
	}
	for _, list := range []struct {
		given *[]string
		into  *[]string
	}{{in.Body.Documents, &said.Documents}, {in.Body.Authorities, &said.Authorities}} {
		if list.given == nil {
			continue
		}
		*list.into = []string{}
		for _, text := range *list.given {
			text = strings.TrimSpace(plainText(text))
			switch {
			case text == "":
			case len(text) > maxCitation:
				return nil, refuse("name_too_long", nil)
			default:
				*list.into = append(*list.into, text)
			}
		}
	}
	err = s.Store.SayPoint(ctx, workspace, in.ID, in.Body.Key, said, in.Body.Revision)
	switch {
	case errors.Is(err, store.ErrChanged):
		return nil, refuse("point_changed", nil)
	case err != nil:
		return nil, s.toProblem(err)
	}
	return s.reply(ctx, &idInput{ID: in.ID})
}

type draftReplyInput struct {
	ID  uuid.UUID `path:"id" format:"uuid"`
	Key string    `header:"Idempotency-Key" maxLength:"200" doc:"The same key returns the turn that was already made"`
}

// draftReply starts a turn that drafts the reply, or drafts again the parts whose inputs have changed.
func (s *server) draftReply(ctx context.Context, in *draftReplyInput) (*body[Turn], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	r, draft, err := s.Replies.View(ctx, workspace, in.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		if _, err := s.Store.Plugin(ctx, workspace, in.ID); err != nil {
			return nil, s.toProblem(err)
		}
		return nil, refuse("no_notice", nil)
	case err != nil:
		return nil, s.toProblem(err)
	case draft != nil && draft.Locked():
		return nil, refuse("in_review", nil)
	case !r.Form.Drafted:
		return nil, refuse("no_reply_wanted", problem.Params{"reason": message.Message(r.Form.Sentence)})
	}
	return s.accept(ctx, in.ID, in.Key, handIn{kind: replyTurn})
}

// TransformSchema says which fields may be null.
func (Reply) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "draft", "taxpayer")
}
