package notices

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/api"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/gst/reply"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// Replies puts the reply to a notice together: facts and answers from the store, and what follows from them by package
// reply.
type Replies struct {
	Store   *store.Store
	Tables  *law.Tables
	Rules   func() []defence.Rule // the rules about defences; nil: the reply pleads none
	Statute func() *statute.Law   // the law with which quotations are compared; nil: they are not compared
}

var (
	_ workflows.Replies = Replies{}
	_ api.Replies       = Replies{}
)

// worked is a reply in its current state.
type worked struct {
	store.Reply
	facts  gst.Facts
	form   reply.Form
	points []reply.Point
	said   map[string]reply.Said
	given  reply.Given
}

// mostParagraphs is how many paragraphs of a notice a draft answers; a model is asked once for each.
const mostParagraphs = 300

func (r Replies) work(kept store.Reply, today time.Time) (worked, error) {
	w := worked{Reply: kept, said: map[string]reply.Said{}}
	var err error
	if w.facts, err = gst.ParseFacts(kept.Notice.Facts); err != nil {
		return w, err
	}
	reckoned := reckon.Reckon(r.Tables, w.facts, reckon.GivenWith(w.facts), law.DayOf(today.In(clock.India)))
	w.form = reply.FormOf(r.Tables, w.facts, reckoned)
	w.points = reply.Points(r.Tables, w.facts)
	for key, p := range kept.Points {
		said := standsFor(p)
		if p.Said.Authorities == nil { // a model must not use authorities that the person did not supply
			said.Authorities = slices.DeleteFunc(slices.Clone(said.Authorities), func(citation string) bool {
				return !slices.ContainsFunc(
					kept.Sources,
					func(a store.Authority) bool { return a.Citation == citation },
				)
			})
		}
		w.said[key] = said
	}
	g := reply.Given{
		Facts: w.facts, Reckoning: reckoned, Said: w.said, Today: law.DayOf(today.In(clock.India)),
		Answers: answersOf(kept.Answers),
		Taxpayer: reply.Taxpayer{
			Signatory: kept.Taxpayer.Signatory, Designation: kept.Taxpayer.Designation, Place: kept.Taxpayer.Place,
			Representative: kept.Taxpayer.Representative, Enrolment: kept.Taxpayer.Enrolment,
		},
	}
	for _, a := range kept.Sources {
		g.Authorities = append(
			g.Authorities,
			reply.Authority{Citation: a.Citation, Court: a.Court, Decided: a.Decided, Proposition: a.Proposition},
		)
	}
	for _, p := range kept.Notice.Required {
		g.Papers = append(g.Papers, reply.RequiredPaper{Type: p.Name, State: p.State})
	}
	// Numbered in order of arrival, so that a new annexure does not change the numbers of the others.
	came := map[string]int{}
	for i, review := range kept.Reviews {
		came[review.Type] = i + 1
	}
	slices.SortStableFunc(g.Papers, func(a, b reply.RequiredPaper) int {
		late := len(kept.Reviews) + 1
		return cmp.Compare(cmp.Or(came[a.Type], late), cmp.Or(came[b.Type], late))
	})
	w.given = g
	return w, nil
}

// standsFor returns the answer to use for an allegation: the person's own, or else the proposed one. What was proposed
// together with an admission argues for it, and is used only if the person admits.
func standsFor(p store.Point) reply.Said {
	s := reply.Said{
		Stance:      reply.Stance(plainly(p.Said.Stance)),
		Proposed:    reply.Stance(plainly(p.Proposed.Stance)),
		Facts:       plainly(p.Proposed.Facts),
		Documents:   p.Proposed.Documents,
		Authorities: p.Proposed.Authorities,
	}
	if s.Proposed == reply.Admit && s.Stance != reply.Admit {
		s.Facts = ""
	}
	s.Unconfirmed = s.Facts != ""
	if p.Said.Facts != nil {
		s.Facts, s.Unconfirmed = *p.Said.Facts, false
	}
	if p.Said.Documents != nil {
		s.Documents = p.Said.Documents
	}
	if p.Said.Authorities != nil {
		s.Authorities = p.Said.Authorities
	}
	return s
}

// Reply returns what is needed to write the reply to the turn's notice.
func (r Replies) Reply(
	ctx context.Context,
	ref workflows.Ref,
	latest *workflows.Review,
) (workflows.ReplyContext, error) {
	id, err := activities.StoreRef(ctx, r.Store, ref)
	if err != nil {
		return workflows.ReplyContext{}, err
	}
	kept, err := r.Store.Reply(ctx, id.Workspace, id.Conversation)
	if errors.Is(err, store.ErrNotFound) {
		return workflows.ReplyContext{}, activities.Fail("no_notice", nil, err)
	}
	if err != nil {
		return workflows.ReplyContext{}, err
	}
	if latest != nil {
		kept.Reviews = append(kept.Reviews, store.Review(*latest))
	}
	now := time.Now()
	w, err := r.work(kept, now)
	if err != nil {
		return workflows.ReplyContext{}, err
	}
	if _, err := r.decide(ctx, id.Workspace, id.Conversation, &w); err != nil {
		return workflows.ReplyContext{}, err
	}
	if err := r.annex(ctx, id.Workspace, id.Conversation, &w); err != nil {
		return workflows.ReplyContext{}, err
	}
	if n := len(w.points); n > mostParagraphs {
		return workflows.ReplyContext{}, activities.Fail(
			"too_many_paragraphs",
			problem.Params{"paragraphs": n, "most": mostParagraphs},
			nil,
		)
	}
	m := workflows.ReplyContext{Title: w.title()}
	points := map[string]reply.Point{}
	for _, p := range w.points {
		points[p.Key] = p
		if said := w.said[p.Key]; p.Allegation {
			m.Allegations = append(
				m.Allegations,
				workflows.Allegation{Key: p.Key, Number: p.Number, Text: p.Alleged, Decided: said.Stance != "",
					Proposed: said.Unconfirmed,
					Said: workflows.Said{
						Stance:      string(cmp.Or(said.Stance, said.Proposed)),
						Facts:       said.Facts,
						Documents:   said.Documents,
						Authorities: said.Authorities,
					}},
			)
		}
	}
	for _, p := range reply.Parts(r.Tables, w.given) {
		part := workflows.ReplyPart{ID: p.ID, Title: p.Title, Allegation: p.Point, Fixed: p.Fixed, Text: p.Text}
		if p.Point != "" {
			part.Reviews = append(touching(points[p.Point], w.said[p.Point], kept.Reviews),
				reconciled(w.given.Workings, p.Point)...)
		}
		if part.Inputs, err = inputsOf(p, points[p.Point], w.said[p.Point], part.Reviews); err != nil {
			return m, err
		}
		m.Parts = append(m.Parts, part)
	}
	return m, nil
}

// inputsOf returns a hash of everything a part is written from. A part with the same hash need not be written again.
func inputsOf(p reply.Part, point reply.Point, said reply.Said, reviews []workflows.Review) (string, error) {
	raw, err := json.Marshal([]any{p.Title, p.Text, point.Alleged, said, reviews})
	if err != nil {
		return "", fmt.Errorf("name what a part is written from: %w", err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}

// changesHead matches the heading, in the review of a document, above what changes in the reply; the prompt
// document.md asks for it.
var changesHead = lazyregexp.New(`(?im)^#+\s*what changes in the reply.*$`)

// touching returns the reviews of those documents that an allegation asks for, or that mention its paragraph.
func touching(p reply.Point, said reply.Said, reviews []store.Review) []workflows.Review {
	var out []workflows.Review
	for _, review := range reviews {
		asked := slices.ContainsFunc(
			p.Documents,
			func(d gst.RequiredDocument) bool { return gst.SamePaper(d.Type, review.Type) },
		) ||
			slices.ContainsFunc(said.Documents, func(d string) bool { return gst.SamePaper(d, review.Type) })
		if asked || p.Number != "" && names(review.Text, p.Number) {
			out = append(out, workflows.Review(review))
		}
	}
	return out
}

// names reports whether the part of a review about changes mentions the paragraph.
func names(review, number string) bool {
	at := changesHead.FindStringIndex(review)
	if at == nil {
		return false
	}
	rest := review[at[1]:]
	if next := strings.Index(rest, "\n## "); next >= 0 {
		rest = rest[:next]
	}
	for _, word := range strings.FieldsFunc(rest, func(c rune) bool {
		return !strings.ContainsRune("0123456789.()abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", c)
	}) {
		if strings.Trim(word, ".()") == strings.Trim(number, ".()") {
			return true
		}
	}
	return false
}

func (w worked) title() string {
	return strings.Join(
		slices.DeleteFunc(
			[]string{cmp.Or(w.form.Title.English, "Reply"), w.facts.Title()},
			func(s string) bool { return s == "" },
		),
		" · ",
	)
}

func (r Replies) Propose(ctx context.Context, ref workflows.Ref, proposed map[string]workflows.Said) error {
	id, err := activities.StoreRef(ctx, r.Store, ref)
	if err != nil {
		return err
	}
	kept := map[string]store.Said{}
	for key, said := range proposed {
		kept[key] = store.Said{
			Stance:      &said.Stance,
			Facts:       &said.Facts,
			Documents:   said.Documents,
			Authorities: said.Authorities,
		}
	}
	return activities.Fenced(ctx, r.Store, id.Workspace, r.Store.Propose(ctx, id, kept))
}

func (r Replies) OpenReply(
	ctx context.Context,
	ref workflows.Ref,
	m workflows.ReplyContext,
	existing bool,
) ([]string, error) {
	id, err := activities.StoreRef(ctx, r.Store, ref)
	if err != nil {
		return nil, err
	}
	parts := make([]store.DraftPart, len(m.Parts))
	for i, p := range m.Parts {
		parts[i] = store.DraftPart{
			ID:     p.ID,
			Title:  p.Title,
			Point:  p.Allegation,
			Fixed:  p.Fixed,
			Text:   p.Text,
			Inputs: p.Inputs,
		}
	}
	write, err := r.Store.OpenReply(ctx, id, m.Title, parts, existing)
	if existing && errors.Is(err, store.ErrNotFound) {
		return nil, nil // there is no draft yet, or it was deleted
	}
	return write, activities.Fenced(ctx, r.Store, id.Workspace, err)
}

func (r Replies) PutReplyPart(ctx context.Context, ref workflows.Ref, p workflows.WrittenPart) error {
	id, err := activities.StoreRef(ctx, r.Store, ref)
	if err != nil {
		return err
	}
	part := store.DraftPart{ID: p.ID, Text: p.Text, By: store.ByModel, Inputs: p.Inputs, Note: p.Note}
	if p.Own {
		part.By = store.ByProgram
	}
	return activities.Fenced(ctx, r.Store, id.Workspace, r.Store.PutReplyPart(ctx, id, part))
}

// KeepReply stores the draft as a version, and returns a summary in the language of the turn.
func (r Replies) KeepReply(ctx context.Context, ref workflows.Ref) (string, error) {
	id, err := activities.StoreRef(ctx, r.Store, ref)
	if err != nil {
		return "", err
	}
	if err := r.Store.KeepReply(ctx, id); err != nil {
		return "", activities.Fenced(ctx, r.Store, id.Workspace, err)
	}
	kept, err := r.Store.Reply(ctx, id.Workspace, id.Conversation)
	if err != nil {
		return "", err
	}
	w, err := r.work(kept, time.Now())
	if err != nil {
		return "", err
	}
	turn, err := r.Store.TurnContext(ctx, id)
	if err != nil {
		return "", activities.Fenced(ctx, r.Store, id.Workspace, err)
	}
	return w.summary(turn.Language), nil
}

// summary describes the state of a reply in a language, for the conversation.
func (w worked) summary(language string) string {
	say := func(code string, params message.Params) string {
		return message.New("reply."+code, params).In(language)
	}
	if !w.form.Drafted() {
		return cmp.Or(w.form.Sentence.In(language), say("none", nil))
	}
	if w.Draft == nil {
		return say("deleted", nil)
	}
	var b strings.Builder
	if w.form.Name == "" {
		fmt.Fprintf(&b, "%s\n\n", say("drafted", message.Params{"title": w.form.Title}))
	} else {
		fmt.Fprintf(&b, "%s\n\n", say("drafted_in", message.Params{"title": w.form.Title, "form": w.form.Name}))
	}
	line := func(code string, count int) {
		if count > 0 {
			fmt.Fprintf(&b, "- %s\n", say(code, message.Params{"count": count}))
		}
	}
	undecided := reply.Missing(w.points, w.said)
	if len(undecided) > 0 {
		fmt.Fprintf(&b, "- %s\n", say("undecided", message.Params{"paragraphs": numbersOf(undecided)}))
	} else if slices.ContainsFunc(w.points, func(p reply.Point) bool { return p.Allegation }) {
		fmt.Fprintf(&b, "- %s\n", say("decided", nil))
	}
	own, long := 0, 0
	for _, p := range w.Draft.Parts {
		if p.Note == workflows.TooLong {
			long++
		}
		if p.By == store.ByPerson {
			own++
		}
	}
	missing := w.missing()
	line("blanks", howMany(missing, missingBlank))
	line("missing", len(missing))
	line("too_long", long)
	line("own", own)
	fmt.Fprintf(&b, "\n%s", say("review", nil))
	return b.String()
}

// numbersOf lists allegations by their numbers in the notice, at most twelve.
func numbersOf(points []reply.Point) message.Message {
	const most = 12
	var names []string
	for _, p := range points[:min(most, len(points))] {
		if p.Number != "" {
			names = append(names, p.Number)
		}
	}
	text := strings.Join(slices.Compact(names), ", ")
	switch more := len(points) - len(names); {
	case text == "":
		return message.New("reply.unnumbered", message.Params{"count": more})
	case more > 0:
		return message.New("reply.numbers_more", message.Params{"numbers": text, "count": more})
	}
	return message.New("reply.numbers", message.Params{"numbers": text})
}

// View returns the reply to a conversation's notice for its screen.
func (r Replies) View(ctx context.Context, workspace, conversation uuid.UUID) (api.Reply, *store.Draft, error) {
	kept, err := r.Store.Reply(ctx, workspace, conversation)
	if err != nil {
		return api.Reply{}, nil, err
	}
	w, err := r.work(kept, time.Now())
	if err != nil {
		return api.Reply{}, nil, err
	}
	out := api.Reply{
		Form: api.ReplyForm{
			Kind: w.form.Kind, Name: w.form.Name, Title: api.Sentence(w.form.Title),
			Sentence: api.Sentence(w.form.Sentence), Provision: w.form.Provision,
			Drafted: w.form.Drafted(),
		},
		Points: []api.ReplyPoint{},
	}
	if w.facts.GSTIN != nil {
		t := kept.Taxpayer
		out.Taxpayer = &api.Taxpayer{
			GSTIN: *w.facts.GSTIN, Signatory: t.Signatory, Designation: t.Designation, Place: t.Place,
			Representative: t.Representative, Enrolment: t.Enrolment,
		}
	}
	if kept.Notice.Answered == nil {
		out.ReplyBy = w.facts.ReplyDue.Date
	}
	for _, p := range w.points {
		said, own := w.said[p.Key], kept.Points[p.Key].Said
		if own.Facts == nil {
			said.Facts = plainly(kept.Points[p.Key].Proposed.Facts) // shown even if they are not used
		}
		point := api.ReplyPoint{
			Key:           p.Key,
			Number:        p.Number,
			Page:          p.Page,
			Alleged:       p.Alleged,
			Allegation:    p.Allegation,
			Revision:      kept.Points[p.Key].Revision,
			Stance:        string(said.Stance),
			Proposed:      string(said.Proposed),
			Facts:         said.Facts,
			FactsProposed: own.Facts == nil && said.Facts != "",
			Documents: append(
				[]string{},
				said.Documents...),
			Authorities: append([]string{}, said.Authorities...),
			Suggested:   []string{},
		}
		for _, d := range p.Documents {
			point.Suggested = append(point.Suggested, d.Type)
		}
		out.Points = append(out.Points, point)
	}
	out.Missing, out.Sheet = w.missing(), []api.SheetEntry{}
	for _, e := range reply.Sheet(r.Tables, w.given, w.drafted()) {
		out.Sheet = append(out.Sheet, api.SheetEntry(e))
	}
	return out, w.Draft, nil
}

// Check returns what each part of a draft cites, where it contradicts the facts, and where it admits something that
// the person did not admit.
func (r Replies) Check(ctx context.Context, workspace uuid.UUID, d store.Draft) (map[string][]api.Check, error) {
	found := map[string][]api.Check{}
	against := workflows.CheckContext{Today: time.Now().In(clock.India)}
	var said map[string]reply.Said
	var sources *sourcing
	admits := false // the person admits an allegation
	if d.ConversationID != nil {
		kept, err := r.Store.Reply(ctx, workspace, *d.ConversationID)
		switch {
		case errors.Is(err, store.ErrNotFound): // no notice: check against the law only
		case err != nil:
			return nil, err
		default:
			against.Facts, against.Authorities = string(kept.Notice.Facts), activities.Authorities(kept.Sources)
			if slices.ContainsFunc(against.Authorities, func(a turns.Authority) bool { return a.HasPDF }) {
				pages, err := r.Store.AuthorityPages(ctx, workspace)
				if err != nil {
					return nil, err
				}
				against.Authorities = activities.WithPages(against.Authorities, pages)
			}
			said = map[string]reply.Said{}
			for key, p := range kept.Points {
				said[key] = standsFor(p)
				admits = admits || said[key].Stance == reply.Admit
			}
			if d.Kind == store.ReplyKind {
				if sources, err = sourcingOf(ctx, r, workspace, *d.ConversationID, kept); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, p := range d.Parts {
		checks := []api.Check{}
		for _, f := range (FactExtractor{r.Tables, r.Statute}).Cited(p.Text, against) {
			check := api.Check{Code: f.Code, Verdict: f.Verdict, Message: f.Message, Quote: f.Quote, Start: f.Start,
				End: f.End, Act: f.Act, Provision: f.Provision, Heading: f.Heading, Page: f.Page, Words: f.Words}
			var sentence message.Message
			if len(f.Said) > 0 && json.Unmarshal(f.Said, &sentence) == nil { // valid, since we wrote it
				check.Said = api.Saying(sentence)
			}
			checks = append(checks, check)
		}
		checks = sources.of(p.Text, checks)
		admitted := admits // facts, grounds and pleas may mention any admission
		if p.Point != "" {
			admitted = said[p.Point].Stance == reply.Admit
		}
		if d.Kind == store.ReplyKind && p.By == store.ByModel && !admitted {
			checks = append(checks, admissions(p.Text)...)
		}
		if p.Note != "" {
			note := message.New("checks.part."+p.Note, nil)
			checks = append(checks, api.Check{Code: p.Note, Message: note.English, Said: api.Saying(note)})
		}
		found[p.ID] = checks
	}
	return found, nil
}

// admissions returns the words that admit something although nobody admitted it.
func admissions(text string) []api.Check {
	var found []api.Check
	said := message.New("checks.admission", nil)
	for _, at := range reply.Admissions(text) {
		found = append(found, api.Check{Code: "admission", Verdict: "contradicts", Quote: text[at[0]:at[1]],
			Start: at[0], End: at[1], Message: said.English, Said: api.Saying(said)})
	}
	return found
}
