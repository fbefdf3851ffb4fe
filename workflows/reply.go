package workflows

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/turns"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// Said is the answer to an allegation. Stance is admit, deny, explain, or "" if there is none yet.
type Said struct {
	Stance      string   `json:"stance"`
	Facts       string   `json:"facts"`
	Documents   []string `json:"documents"`
	Authorities []string `json:"authorities"`
}

// Allegation is a passage of a notice that needs an answer, with the present answer.
type Allegation struct {
	Key, Number, Text string
	Said              Said
	Decided           bool // the person chose the stance; a proposed stance may still be replaced
	Proposed          bool // the facts are a proposal that the person has not accepted
}

// ReplyPart is a part of a reply: the program's own text, which a model rewrites unless the part is fixed.
type ReplyPart struct {
	ID, Title  string
	Allegation string // the key of the allegation that it answers, or ""
	Fixed      bool
	Text       string
	Inputs     string   // hash of everything from which it is written
	Reviews    []Review // reviews of the documents that concern it
}

// WrittenPart is a part of a reply that has been written. If Inputs is empty, it will be written again with the next
// draft.
type WrittenPart struct {
	ID, Text, Inputs string
	Own              bool   // the program's own text stays
	Note             string // TooLong, CutOff or Shortened, to be shown to the person; or ""
}

// What a person must know about how a part of a reply was written.
const (
	TooLong   = "too_long"  // the part is too long for the model: the program's own text stays
	CutOff    = "cut_off"   // the model reached its output limit: the end may be missing
	Shortened = "shortened" // the model got only excerpts of the documents' reviews
)

// Review is what was found in a document that was received.
type Review struct{ Type, Text string }

// ReplyContext is everything from which the reply to a notice is written. If it has no parts, the notice needs no
// reply.
type ReplyContext struct {
	Title       string
	Allegations []Allegation
	Parts       []ReplyPart
}

// Replies stores the answers to a notice's allegations, and the draft of the reply.
type Replies interface {
	// Reply returns what is needed to write the reply to the turn's notice. latest is a review that this turn has just
	// made, or nil.
	Reply(ctx context.Context, ref Ref, latest *Review) (ReplyContext, error)
	Propose(ctx context.Context, ref Ref, proposed map[string]Said) error
	// OpenReply updates the draft to these parts, and returns the ids of those that must be written. It creates a
	// missing draft unless existing is true.
	OpenReply(ctx context.Context, ref Ref, m ReplyContext, existing bool) (write []string, err error)
	// PutReplyPart stores a written part in the draft.
	PutReplyPart(ctx context.Context, ref Ref, p WrittenPart) error
	// KeepReply stores the draft as a version, and returns its state in plain words.
	KeepReply(ctx context.Context, ref Ref) (summary string, err error)
}

// ReplyInput identifies a step of the reply, or one piece of it.
type ReplyInput struct {
	StepInput
	Bundle     string
	Review     turns.ResultKey // this turn's review of a document; zero for none
	Batch      int             // number of a batch of allegations, counted from 1
	Part       string          // id of a part of the reply
	Number, Of int             // which piece it is, counted from 1
	Wrote      Written         // how everything was written
	Offline    bool            // no provider may be asked: nothing is proposed, and the program's own text stays
}

// Written says how a piece was written.
type Written struct {
	Prompt, PromptSHA, Bundle, Provider, Model string
	InputTokens, OutputTokens, Milliseconds    int
	CostPaise                                  *int64
}

func (w Written) and(a Answer) Written {
	sum := Written{a.Prompt, a.PromptSHA, a.Bundle, a.Provider, a.Model, w.InputTokens + a.InputTokens,
		w.OutputTokens + a.OutputTokens, w.Milliseconds + a.Milliseconds, w.CostPaise}
	if a.CostPaise != nil {
		paise := *a.CostPaise
		if w.CostPaise != nil {
			paise += *w.CostPaise
		}
		sum.CostPaise = &paise
	}
	return sum
}

func (w Written) plus(o Written) Written {
	if o.Prompt == "" {
		return w
	}
	return w.and(Answer{Prompt: o.Prompt, PromptSHA: o.PromptSHA, Bundle: o.Bundle, Provider: o.Provider,
		Model: o.Model, InputTokens: o.InputTokens, OutputTokens: o.OutputTokens, Milliseconds: o.Milliseconds,
		CostPaise: o.CostPaise})
}

// propose asks the model for an answer to each allegation that the person has not decided, in batches.
func propose(ctx workflow.Context, t *turn, s Step) error {
	return t.orOffline(ctx, func(ctx workflow.Context, offline bool) error {
		in := ReplyInput{StepInput: StepInput{t.in, s}, Bundle: t.plan.Bundle, Offline: offline}
		if err := workflow.ExecuteLocalActivity(local(ctx), a.PlanProposals, in).Get(ctx, &in.Of); err != nil {
			return err
		}
		_, err := aFewAtATime[Written](ctx, piecesAtOnce, in.Of, func(ctx workflow.Context, n int) workflow.Future {
			piece := in
			piece.Batch, piece.Number = n, n
			return workflow.ExecuteActivity(asking(ctx, piece.TurnInput), a.Propose, piece)
		})
		return err
	})
}

// draft lets the model write the parts of the reply that it has not yet written from the same inputs, each as a step,
// and stores the result. If it only updates an existing draft, the turn keeps its earlier answer whatever happens,
// even if the person stops it.
func draft(ctx workflow.Context, t *turn, s Step) error {
	in := ReplyInput{StepInput: StepInput{t.in, s}, Bundle: t.plan.Bundle, Review: t.answer}
	err := t.writeReply(ctx, &in)
	if s.Draft != "existing" {
		return err
	}
	var failure *temporal.ApplicationError
	if err == nil || errors.As(err, &failure) && failure.Type() == superseded {
		return err
	}
	workflow.GetLogger(ctx).Warn("the draft of the reply was not brought up to date", "error", err)
	return nil
}

func (t *turn) writeReply(ctx workflow.Context, in *ReplyInput) error {
	opened := false
	err := t.orOffline(ctx, func(ctx workflow.Context, offline bool) error {
		in.Offline, opened = offline, false
		if offline && in.Step.Draft == "existing" {
			return nil // what a model wrote before stays
		}
		var write []string // the parts still to be written
		if err := workflow.ExecuteLocalActivity(local(ctx), a.OpenReply, *in).Get(ctx, &write); err != nil {
			return err
		}
		if in.Step.Draft == "existing" && len(write) == 0 {
			return nil
		}
		opened = true
		in.Of = len(write)
		wrote, err := aFewAtATime[Written](ctx, piecesAtOnce, len(write),
			func(ctx workflow.Context, n int) workflow.Future {
				piece := *in
				piece.Part, piece.Number = write[n-1], n
				return workflow.ExecuteActivity(asking(ctx, piece.TurnInput), a.WriteReplyPart, piece)
			})
		for _, w := range wrote {
			in.Wrote = in.Wrote.plus(w)
		}
		return err
	})
	if !opened {
		return err
	}
	settled, _ := workflow.NewDisconnectedContext(ctx) // store what was written even if the person stopped the turn
	var key turns.ResultKey
	if kerr := workflow.ExecuteLocalActivity(local(settled), a.KeepReply, *in).Get(settled, &key); err == nil {
		err = kerr
	}
	if err == nil && in.Step.Draft != "existing" {
		t.answer = key
	}
	return err
}

// undecided returns the allegations on which the person has not decided.
func (m ReplyContext) undecided() []Allegation {
	return slices.DeleteFunc(slices.Clone(m.Allegations), func(a Allegation) bool { return a.Decided })
}

// PlanProposals returns the number of batches in which the model is asked about allegations.
func (a *Activities) PlanProposals(ctx context.Context, in ReplyInput) (batches int, err error) {
	ref := in.ref(ctx)
	m, err := a.Replies.Reply(ctx, ref, nil)
	if err != nil {
		return 0, a.refuse(ctx, in.Step.ID, err)
	}
	if len(m.undecided()) > 0 && !in.Offline {
		batches = (len(m.Allegations) + allegationsAtOnce - 1) / allegationsAtOnce
	}
	state := Progress{State: "running", Total: batches}
	if batches == 0 {
		state.State = "done"
	}
	return batches, a.refuse(ctx, in.Step.ID, a.Turns.SetStep(ctx, ref, in.Step.ID, state))
}

// Propose asks the model for answers to one batch of allegations, and stores the proposals.
func (a *Activities) Propose(ctx context.Context, in ReplyInput) (Written, error) {
	defer alive(ctx)()
	ctx = in.asks(ctx)
	wrote, err := a.proposeBatch(ctx, in)
	if err != nil {
		a.explain(ctx, AskInput{StepInput: in.StepInput}, err)
	}
	return wrote, a.refuse(ctx, in.Step.ID, err)
}

func (a *Activities) proposeBatch(ctx context.Context, in ReplyInput) (Written, error) {
	ref := in.ref(ctx)
	m, err := a.Materials.Gather(ctx, ref)
	if err != nil {
		return Written{}, err
	}
	r, err := a.Replies.Reply(ctx, ref, nil)
	if err != nil {
		return Written{}, err
	}
	all := r.Allegations // a batch keeps its allegations, whatever the person decides meanwhile
	from := min((in.Batch-1)*allegationsAtOnce, len(all))
	batch := ReplyContext{Allegations: all[from:min(from+allegationsAtOnce, len(all))]}.undecided()
	if len(batch) == 0 {
		return Written{}, a.Turns.EndPiece(ctx, ref, in.Step.ID, in.Number, in.Of)
	}
	list := make([]map[string]string, len(batch))
	for i, al := range batch {
		list[i] = map[string]string{"key": al.Key, "number": al.Number, "text": al.Text}
		m.Message += al.Text + "\n" // selects the passages of the notice
	}
	values := a.values(m)
	values["allegations"] = list
	values["notice"] = a.fitting(m, passagesOfPart)
	answer, _, err := a.askPiece(ctx, in, m, values, nil, partName(in.Batch, 1))
	if err != nil {
		return Written{}, err
	}
	if err := a.Replies.Propose(ctx, ref, proposals(answer.Text, batch)); err != nil {
		return Written{}, err
	}
	return Written{}.and(answer), a.Turns.EndPiece(ctx, ref, in.Step.ID, in.Number, in.Of)
}

// proposals parses a model's proposals for a batch: the objects of a JSON array, whatever text surrounds it, and even
// if it breaks off. It skips unreadable objects, unknown keys and invalid stances.
func proposals(text string, batch []Allegation) map[string]Said {
	proposed := map[string]Said{}
	for _, raw := range Objects(text) {
		var p struct {
			Key string `json:"key"`
			Said
		}
		if json.Unmarshal(raw, &p) != nil {
			continue
		}
		known := slices.ContainsFunc(batch, func(a Allegation) bool { return a.Key == p.Key })
		if p.Stance = strings.ToLower(strings.TrimSpace(p.Stance)); known &&
			slices.Contains([]string{"", "admit", "deny", "explain"}, p.Stance) {
			proposed[p.Key] = p.Said
		}
	}
	return proposed
}

// askPiece asks the model for one piece of a reply, which is not streamed. It does not repeat a question that has a
// stored answer. cut reports whether reviews were shortened.
func (a *Activities) askPiece(ctx context.Context, in ReplyInput, m PromptContext, values map[string]any,
	reviews []Review, part string) (answer Answer, cut bool, err error) {
	ref := in.ref(ctx)
	q, cut, err := a.fit(ctx, in, m, values, reviews)
	if err != nil {
		return Answer{}, false, err
	}
	m.Kept = []string{in.Step.ID} // other pieces of the step may have been stored since
	key, answer, found, err := a.before(ctx, ref, turns.ResultKey{Step: in.Step.ID, Part: part}, m, q)
	if err != nil || found {
		return answer, cut, err
	}
	if answer, err = a.askUnseen(ctx, q); err != nil {
		return Answer{}, false, err
	}
	return answer, cut, a.keep(ctx, ref, key, answer, q, StreamPiece{})
}

// fitting returns the passages of the notice that match the message's subject.
func (a *Activities) fitting(m PromptContext, tokens int) string {
	return Passages(pageTexts(m.Notice), m.Message, tokens, a.Model.Tokens)
}

// fit renders the step's prompt. If it is too long for the model, it uses fewer passages of the notice, then excerpts
// of the reviews (cut reports this), and then drops the oldest messages.
func (a *Activities) fit(ctx context.Context, in ReplyInput, m PromptContext, values map[string]any,
	reviews []Review) (q Question, cut bool, err error) {
	passages, history, room := passagesOfPart, m.History, 0
	for _, r := range reviews {
		room += a.Model.Tokens(r.Text)
	}
	for {
		q, err := a.Catalogue.Render(ctx, in.prompts(in.Bundle), in.Step.Prompt, values)
		over := a.over(q)
		if err != nil || over <= 0 {
			return q, cut, err
		}
		switch {
		case passages > minPart:
			passages /= 2
			values["notice"] = a.fitting(m, passages)
		case room > minPart:
			room, cut = max(room-over, minPart), true
			values["reviews"] = listed(excerpts(reviews, m.Message, room, a.Model.Tokens))
		case len(history) > 0:
			history = history[1:]
			values["history"] = utterances(m.Earlier, history, true)
		default:
			return Question{}, false, &Failure{
				Code:     TooLong,
				Sentence: "A part of the reply needs more than the model takes. Check model.context_tokens.",
			}
		}
	}
}

// excerpts returns from each review the passages that share the most words with the part's subject, within budget
// tokens in total. Short reviews stay whole. Omissions are marked.
func excerpts(reviews []Review, about string, budget int, tokens func(string) int) []Review {
	order := make([]int, len(reviews))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return tokens(reviews[i].Text) - tokens(reviews[j].Text) })
	cut := slices.Clone(reviews)
	for n, i := range order {
		share := budget / (len(order) - n)
		if r := &cut[i]; tokens(r.Text) > share {
			r.Text = Passages([]string{"[" + r.Type + "]\n" + r.Text}, about, share, tokens)
		}
		budget -= min(tokens(cut[i].Text), share)
	}
	return cut
}

// listed returns reviews in the format for prompts.
func listed(reviews []Review) []map[string]string {
	list := make([]map[string]string, len(reviews))
	for i, r := range reviews {
		list[i] = map[string]string{"type": r.Type, "text": r.Text}
	}
	return list
}

// OpenReply updates the draft of the reply to the current plan, and returns the ids of the parts that must be written.
func (a *Activities) OpenReply(ctx context.Context, in ReplyInput) (write []string, err error) {
	return write, a.refuse(ctx, in.Step.ID, func() error {
		ref := in.ref(ctx)
		m, err := a.reply(ctx, in)
		if err != nil {
			return err
		}
		if len(m.Parts) > 0 {
			if write, err = a.Replies.OpenReply(ctx, ref, m, in.Step.Draft == "existing"); err != nil {
				return err
			}
		}
		state := Progress{State: "running", Total: len(write)}
		if len(write) == 0 {
			state.State = "done"
		}
		return a.Turns.SetStep(ctx, ref, in.Step.ID, state)
	}())
}

// reply returns what is needed to write the reply, including the review that the turn has just made.
func (a *Activities) reply(ctx context.Context, in ReplyInput) (ReplyContext, error) {
	ref := in.ref(ctx)
	var latest *Review
	if in.Review.Step != "" {
		answer, err := a.answer(ctx, ref, in.Review)
		if err != nil {
			return ReplyContext{}, err
		}
		m, err := a.Materials.Gather(ctx, ref)
		if err != nil {
			return ReplyContext{}, err
		}
		if len(m.Document) > 0 { // not for files of figures, which have their own part in the reply
			latest = &Review{Type: m.DocumentType, Text: answer.Text}
		}
	}
	return a.Replies.Reply(ctx, ref, latest)
}

// WriteReplyPart lets the model write one part of the reply, and continue it if it reaches the output limit. If the
// part is too long for the model, the program's own text stays, with a mark, and the other parts continue; offline the
// text stays too.
func (a *Activities) WriteReplyPart(ctx context.Context, in ReplyInput) (Written, error) {
	defer alive(ctx)()
	ctx = in.asks(ctx)
	wrote, err := a.writeReplyPart(ctx, in)
	if err != nil {
		a.explain(ctx, AskInput{StepInput: in.StepInput}, err)
	}
	return wrote, a.refuse(ctx, in.Step.ID, extra(ctx, in.Step, err))
}

func (a *Activities) writeReplyPart(ctx context.Context, in ReplyInput) (Written, error) {
	ref := in.ref(ctx)
	r, err := a.reply(ctx, in)
	if err != nil {
		return Written{}, err
	}
	at := slices.IndexFunc(r.Parts, func(p ReplyPart) bool { return p.ID == in.Part })
	if at < 0 { // the facts were corrected meanwhile
		return Written{}, a.Turns.EndPiece(ctx, ref, in.Step.ID, in.Number, in.Of)
	}
	part := r.Parts[at]
	if in.Offline { // without inputs, so that a model may write it later
		own := WrittenPart{ID: part.ID, Text: strings.TrimSpace(part.Text), Own: true}
		if err := a.Replies.PutReplyPart(ctx, ref, own); err != nil {
			return Written{}, err
		}
		return Written{}, a.Turns.EndPiece(ctx, ref, in.Step.ID, in.Number, in.Of)
	}
	m, err := a.Materials.Gather(ctx, ref)
	if err != nil {
		return Written{}, err
	}
	values, about := a.partOfReply(m, r, part)
	m.Message = about // selects the passages of the notice
	values["notice"] = a.fitting(m, passagesOfPart)
	var wrote Written
	done := WrittenPart{ID: part.ID, Inputs: part.Inputs}
	for n := 1; ; n++ {
		values["written"] = done.Text
		answer, cut, err := a.askPiece(ctx, in, m, values, part.Reviews, part.ID+"."+strconv.Itoa(n))
		if tooLong(err) {
			if done.Note = CutOff; strings.TrimSpace(done.Text) == "" {
				done.Note, done.Inputs = TooLong, "" // another model or setting may accept it
			}
			break
		}
		if err != nil {
			return Written{}, err
		}
		if cut {
			done.Note = Shortened
		}
		wrote = wrote.and(answer)
		done.Text += answer.Text
		if answer.StopReason != "length" || strings.TrimSpace(answer.Text) == "" {
			break
		}
		if n == goingOn {
			done.Note = CutOff
			break
		}
		done.Text = unbroken(done.Text)
	}
	if done.Text = strings.TrimSpace(done.Text); done.Text == "" {
		done.Text = strings.TrimSpace(part.Text)
	}
	done.Own = done.Text == strings.TrimSpace(part.Text)
	if err := a.Replies.PutReplyPart(ctx, ref, done); err != nil {
		return Written{}, err
	}
	return wrote, a.Turns.EndPiece(ctx, ref, in.Step.ID, in.Number, in.Of)
}

// tooLong reports whether err means that a question is too long for the model, by our count or the provider's.
func tooLong(err error) bool {
	var f *Failure
	return errors.As(err, &f) && (f.Code == TooLong || f.Code == "model_too_long")
}

// partOfReply returns the values for writing a part of a reply, and words that describe its subject.
func (a *Activities) partOfReply(m PromptContext, r ReplyContext,
	part ReplyPart) (values map[string]any, about string) {
	values = a.values(m)
	values["section"], values["skeleton"] = part.Title, part.Text
	values["allegation"], values["stance"], values["answer"] = "", "", ""
	about = part.Title + " " + part.Text
	for _, al := range r.Allegations {
		if part.Allegation != "" && al.Key == part.Allegation {
			values["allegation"], values["answer"] = al.Text, al.Said.Facts
			if al.Proposed {
				values["answer"] = "[Proposed, and not confirmed by the person:] " + al.Said.Facts
			}
			values["stance"] = al.Said.Stance
			if al.Said.Stance == "admit" && !al.Decided { // only the person may admit
				values["stance"] = ""
			}
			values["section"] = "Reply to paragraph " + al.Number // the heading may be for all paragraphs together
			if al.Number == "" {
				values["section"] = "Reply to this allegation"
			}
			about = al.Text + " " + al.Said.Facts
		}
	}
	values["reviews"] = listed(part.Reviews)
	return values, about
}

// KeepReply stores the draft as a version, and a summary as the turn's answer.
func (a *Activities) KeepReply(ctx context.Context, in ReplyInput) (turns.ResultKey, error) {
	var key turns.ResultKey
	return key, a.refuse(ctx, in.Step.ID, func() error {
		ref := in.ref(ctx)
		summary, err := a.Replies.KeepReply(ctx, ref)
		if err != nil {
			return err
		}
		w := in.Wrote
		answer := Answer{Text: summary, Prompt: w.Prompt, PromptSHA: w.PromptSHA, Bundle: w.Bundle,
			Provider: w.Provider, Model: w.Model, StopReason: "stop", InputTokens: w.InputTokens,
			OutputTokens: w.OutputTokens, CostPaise: w.CostPaise, Milliseconds: w.Milliseconds}
		if key.InputSHA, err = sha(summary); err != nil {
			return fmt.Errorf("name the reply's note: %w", err)
		}
		key.Step = in.Step.ID
		return a.Turns.SaveResult(ctx, ref, key, answer)
	}())
}
