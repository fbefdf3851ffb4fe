package notices

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/api"
	"munshi/orchestrator/figures"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/printed"
	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// decide applies the rules about defences to the notice, together with the results of the files of figures and
// the answers. It also returns the points that follow without the answers.
func (r Replies) decide(ctx context.Context, workspace, conversation uuid.UUID, w *worked) ([]defence.Point, error) {
	if err := r.compared(ctx, workspace, conversation, w); err != nil {
		return nil, err
	}
	if r.Rules == nil {
		return nil, nil
	}
	pages, err := r.Store.Pages(ctx, workspace, w.Document)
	if err != nil {
		return nil, err
	}
	rules, text := r.Rules(), textOf(pages)
	before := defence.Evaluate(rules, r.Tables, w.facts, text, w.given.Today)
	w.given.Decides, w.given.Earlier = before, printed.Earlier(r.Tables, w.facts, text)
	w.given.Facts = printed.Amounted(r.Tables, w.given.Facts, text)
	w.given.Application = reply.ApplicationIn(text)
	if said := reply.AnsweredTo(w.given.Answers); len(said) > 0 {
		w.given.Decides = defence.Evaluate(rules, r.Tables, w.facts, text, w.given.Today, said...)
	}
	return before, nil
}

// compared adds what the files of figures come to: facts, the comparisons for the reply, and the papers that the files
// make up.
func (r Replies) compared(ctx context.Context, workspace, conversation uuid.UUID, w *worked) error {
	handed, err := activities.StoredFigures(ctx, r.Store, workspace, conversation)
	if err != nil {
		return err
	}
	w.facts = handed.Within(r.Tables, w.facts, w.given.Today)
	w.given.Facts = w.facts
	w.given.Workings = Figures{Store: r.Store, Tables: r.Tables}.workings(handed.Compared, w.facts, w.points)
	files := figures.AsFacts(handed.Files)
	for i := range w.given.Papers {
		if p := &w.given.Papers[i]; p.State == "needed" && gst.HandedIn(r.Tables, p.Type, w.facts.Periods, files) {
			p.State = "reviewed"
			if len(w.given.Workings) > 0 {
				p.State = reply.InWorkings
			}
		}
	}
	return nil
}

// annex adds the documents of the comparisons, which only the text of the reply has.
func (r Replies) annex(ctx context.Context, workspace, conversation uuid.UUID, w *worked) error {
	return Figures{Store: r.Store, Tables: r.Tables}.annex(ctx, workspace, conversation, w.given.Workings)
}

func answersOf(kept map[string]store.Answered) map[string]reply.Response {
	answers := make(map[string]reply.Response, len(kept))
	for key, a := range kept {
		answers[key] = reply.Response{Holds: a.Holds, Words: a.Words, Unknown: a.Unknown}
	}
	return answers
}

// asked returns the notice of a conversation and the questions about it.
func (r Replies) asked(ctx context.Context, workspace, conversation uuid.UUID) (worked, []reply.Enquiry, error) {
	kept, err := r.Store.Reply(ctx, workspace, conversation)
	if err != nil {
		return worked{}, nil, err
	}
	w, err := r.work(kept, time.Now())
	if err != nil {
		return w, nil, err
	}
	before, err := r.decide(ctx, workspace, conversation, &w)
	if err != nil {
		return w, nil, err
	}
	return w, reply.Questions(r.Tables, w.given, before), nil
}

// Interview implements api.Replies.
func (r Replies) Interview(ctx context.Context, workspace, conversation uuid.UUID) (api.Interview, error) {
	w, questions, err := r.asked(ctx, workspace, conversation)
	if err != nil {
		return api.Interview{}, err
	}
	out := api.Interview{Questions: []api.InterviewQuestion{}}
	for _, q := range questions {
		kept, said := w.Answers[q.Key]
		one := api.InterviewQuestion{
			Key: q.Key, Kind: q.Kind, Text: api.Sentence(q.Text), Why: api.Sentence(q.Why), Provision: q.Provision,
			Places: q.Places, Options: append([]string{}, q.Options...), Words: []string{},
		}
		if q.Quote != nil {
			one.Quote = (*api.PointQuote)(q.Quote)
		}
		if said {
			at := kept.At
			one.Holds, one.Unknown, one.By, one.Who, one.At = kept.Holds, kept.Unknown, kept.By, kept.Recipient, &at
			one.Words = append(one.Words, within(q, kept.Words)...)
		}
		switch point, isPara := strings.CutPrefix(q.Key, reply.AskPara); { // these answers are stored with the reply
		case isPara:
			one.Words, one.Revision = wordsOf(w.said[point].Facts, w.said[point].Unconfirmed), w.Points[point].Revision
		case q.Key == servedOn:
			if w.facts.ServedOn != nil {
				one.Words = []string{*w.facts.ServedOn}
			} else if !one.Unknown {
				one.Words = []string{}
			}
		}
		out.Questions = append(out.Questions, one)
	}
	return out, nil
}

func wordsOf(facts string, proposed bool) []string {
	if facts == "" || proposed {
		return []string{}
	}
	return []string{facts}
}

// servedOn is the question whose answer corrects a fact.
const servedOn = "served_on"

// notForClients are questions for the drafter only: to whom the paper goes, and what it asks for.
var notForClients = []string{"officer", "asks", "authority"}

// forClient reports whether a client with a link is asked a question: it must be meant for clients, and those working
// on the notice must not have answered it, except with "do not know". The client can still change their own answer
// about a paragraph until somebody else changes it.
func forClient(w worked, q reply.Enquiry) bool {
	if slices.Contains(notForClients, q.Key) {
		return false
	}
	kept := w.Answers[q.Key]
	point, isPara := strings.CutPrefix(q.Key, reply.AskPara)
	switch {
	case isPara && !w.said[point].Unconfirmed && w.said[point].Facts != "":
		return kept.By == store.ByClient && w.said[point].Facts == strings.Join(kept.Words, "\n")
	case q.Key == servedOn && w.facts.ServedOn != nil:
		return kept.By == store.ByClient
	}
	return kept.By != store.ByOwner || kept.Unknown
}

// Asked implements api.Replies.
func (r Replies) Asked(ctx context.Context, link store.Link) (api.LinkInterview, error) {
	w, questions, err := r.asked(ctx, link.WorkspaceID, *link.ConversationID)
	if err != nil {
		return api.LinkInterview{}, err
	}
	out := api.LinkInterview{Questions: []api.LinkQuestion{}, Papers: []api.LinkPaper{}}
	for _, q := range questions {
		if !forClient(w, q) {
			continue
		}
		kept := w.Answers[q.Key]
		out.Questions = append(out.Questions, api.LinkQuestion{
			Key: q.Key, Kind: q.Kind, Text: api.Sentence(q.Text), Why: api.Sentence(whyForClient(q.Why)), Places: q.Places,
			Options:  append([]string{}, q.Options...),
			Answered: kept.Link != nil && *kept.Link == link.ID,
		})
	}
	return out, nil
}

// whyForClient returns the reason for a question without the amount that depends on it: a link shows nothing that was
// read from the notice.
func whyForClient(why message.Message) message.Message {
	without, has := strings.CutSuffix(why.Code, "_amount")
	if !has {
		return why
	}
	params := maps.Clone(why.Params)
	delete(params, "amount")
	return message.New(without, params)
}

// AnswerAsked implements api.Replies.
func (r Replies) AnswerAsked(ctx context.Context, link store.Link, said api.InterviewAnswer) (watched bool, err error) {
	w, questions, err := r.asked(ctx, link.WorkspaceID, *link.ConversationID)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(questions, func(q reply.Enquiry) bool { return q.Key == said.Key })
	if i < 0 || !forClient(w, questions[i]) {
		return false, problem.New("no_question", nil, nil)
	}
	said.By, said.Link, said.Session = store.ByClient, &link.ID, "link "+link.ID.String()
	if point, isPara := strings.CutPrefix(said.Key, reply.AskPara); isPara {
		said.Revision = w.Points[point].Revision
	}
	return r.answer(ctx, link.WorkspaceID, *link.ConversationID, said, w, questions[i])
}

// Answer implements api.Replies.
func (r Replies) Answer(
	ctx context.Context,
	workspace, conversation uuid.UUID,
	said api.InterviewAnswer,
) (watched bool, err error) {
	w, questions, err := r.asked(ctx, workspace, conversation)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(questions, func(q reply.Enquiry) bool { return q.Key == said.Key })
	if i < 0 {
		return false, problem.New("no_question", nil, nil)
	}
	said.By, said.Link = store.ByOwner, nil
	return r.answer(ctx, workspace, conversation, said, w, questions[i])
}

// answer stores an answer where it belongs.
func (r Replies) answer(
	ctx context.Context,
	workspace, conversation uuid.UUID,
	said api.InterviewAnswer,
	w worked,
	question reply.Enquiry,
) (watched bool, err error) {
	key, session := said.Key, said.Session
	a, err := settled(question, said.Answered)
	if err != nil {
		return false, err
	}
	empty := a.Holds == "" && len(a.Words) == 0 && !a.Unknown
	switch point, isPara := strings.CutPrefix(key, reply.AskPara); {
	case isPara:
		facts := strings.Join(a.Words, "\n")
		was := strings.Join(wordsOf(w.said[point].Facts, w.said[point].Unconfirmed), "\n")
		if a.By == store.ByOwner {
			a.Words = nil
		}
		if !a.Unknown && facts != was {
			err = r.Store.SayPoint(ctx, workspace, conversation, point, store.Said{Facts: &facts}, said.Revision)
			ctx = store.Noted(ctx)
		}
	case key == servedOn && !a.Unknown && !empty:
		watched, err = r.served(ctx, workspace, conversation, session, &a.Words[0])
		ctx, a.Words = store.Noted(ctx), nil
	case key == servedOn && w.facts.ServedOn != nil:
		watched, err = r.served(ctx, workspace, conversation, session, nil)
		ctx = store.Noted(ctx)
	}
	if err != nil {
		return watched, err
	}
	if empty {
		return watched, r.Store.SayAnswer(ctx, workspace, conversation, key, nil)
	}
	return watched, r.Store.SayAnswer(ctx, workspace, conversation, key, &a)
}

// served corrects the date of service in the facts; a nil day means that it is unknown.
func (r Replies) served(ctx context.Context, workspace, conversation uuid.UUID, session string,
	day *string) (bool, error) {
	value, err := json.Marshal(day)
	if err != nil {
		return false, fmt.Errorf("encode the day of service: %w", err)
	}
	b := Briefs{Store: r.Store, Tables: r.Tables}
	_, watched, err := b.Correct(ctx, workspace, conversation,
		store.NewCorrection{Field: servedOn, Value: value, Session: session})
	return watched, err
}

// within returns those words of an answer for which the question still has a place, since the question may have
// changed with the notice and the uploads.
func within(q reply.Enquiry, words []string) []string {
	if q.Kind == reply.AskPapers {
		return slices.DeleteFunc(slices.Clone(words), func(paper string) bool {
			return !slices.Contains(q.Options, paper)
		})
	}
	return words[:min(len(words), len(q.Places))]
}

// settled adapts an answer to the kind of its question. The answer "do not know" keeps an earlier answer.
func settled(q reply.Enquiry, a store.Answered) (store.Answered, error) {
	if q.Kind != reply.AskWhich || a.Unknown {
		a.Holds = ""
	}
	var words []string
	for _, word := range a.Words {
		words = append(words, strings.TrimSpace(word))
	}
	a.Words = within(q, words)
	if !slices.ContainsFunc(a.Words, func(word string) bool { return word != "" }) {
		a.Words = nil
	}
	if a.Unknown || a.Words == nil {
		return a, nil
	}
	one := a.Words[0]
	valid := true
	switch q.Kind {
	case reply.AskDay:
		valid = !law.ParseDay(one).IsZero()
	case reply.AskMoney:
		_, err := strconv.ParseUint(one, 10, 40)
		valid = err == nil
	case reply.AskYear:
		_, valid = printed.ParseValue(printed.Year, one)
	}
	if !valid {
		return a, problem.New("bad_answer", nil, nil)
	}
	return a, nil
}
