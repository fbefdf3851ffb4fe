package workflows

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"munshi/orchestrator/turns"

	"go.temporal.io/sdk/activity"
)

// ModelEmpty is the error code for an empty answer of a model: there is nothing to store or to charge for.
const ModelEmpty = "model_empty"

// AskInput identifies a question to the model: about the whole text, or about one part of a text that is too long for
// it.
type AskInput struct {
	StepInput
	Bundle string
	From   []turns.ResultKey // the results of the parts of the level below; empty on the first level
	Level  int               // of the part, counted from 1
	Part   int               // its number, counted from 1
	Parts  int
	Budget int // tokens of text in each part, as decided by Ask
	// Offline lets the offline engine answer instead of a provider that does not respond.
	Offline bool
	Older   *Older // the part of the history that notes replace, or on which they must be written; nil: none

	Law *turns.ResultKey `json:",omitempty"` // the stored result of the law step; nil: the plugin has none

	Then []Step // the remaining steps of the turn, to be done as well; nil: the workflow does them
}

// Asked is the result of a question: it was answered, or must be asked in parts.
type Asked struct {
	InputSHA string
	Parts    int
	Budget   int
	Older    *Older // a part of the history on which notes must be written first
	Ended    bool   // the following steps were done as well, so the turn has ended
}

// Ask lets the model write the step's answer, and streams it; or it returns into how many parts the text must be split
// first.
func (a *Activities) Ask(ctx context.Context, in AskInput) (Asked, error) {
	defer alive(ctx)()
	ctx = in.asks(ctx)
	asked, said, err := a.ask(ctx, in)
	switch {
	case err != nil:
		a.explain(ctx, in, err)
	case asked.Parts == 0 && asked.Older == nil && in.Then != nil:
		asked.Ended = true
		if said, err = a.revised(ctx, in, said); err == nil {
			err = a.settle(ctx, in, said)
		}
	}
	if errors.Is(err, ErrSuperseded) &&
		in.Then != nil { // an earlier attempt may have ended the turn without notifying the follow-up
		if awaited, aerr := a.Turns.Answered(ctx, in.ref(ctx)); aerr == nil {
			asked.Ended, err = true, a.told(ctx, in.TurnInput, awaited)
		}
	}
	return asked, a.refuse(ctx, in.Step.ID, err)
}

// said is an answer with the material from which it was written.
type said struct {
	Answer
	from PromptContext
}

// settle does the steps that follow an answer and ends the turn, in one go, so that the steps need not store their own
// results.
func (a *Activities) settle(ctx context.Context, in AskInput, s said) error {
	ref, e := in.ref(ctx), Ending{State: "answered", Answer: &s.Answer}
	for _, next := range in.Then {
		err := a.timed(next.Kind, func() error {
			switch next.Kind {
			case "check":
				against := s.from.checkContext()
				read, err := a.Materials.Read(ctx, ref, against.Authorities)
				if err != nil {
					return err
				}
				against.Authorities = read
				e.Findings = a.findings(s.Answer, against)
				return nil
			case "save_draft":
				return a.saveDraft(ctx, ref, next, s.from, s.Answer)
			}
			return a.required(ctx, AnswerInput{StepInput: StepInput{in.TurnInput, next}}, s.Answer)
		})
		if err != nil {
			return err
		}
	}
	return a.timed("end", func() error { return a.finish(ctx, in.TurnInput, ref, e) })
}

func (a *Activities) timed(kind string, do func() error) error {
	begun := time.Now()
	err := do()
	if a.Did != nil {
		a.Did(kind, time.Since(begun), err)
	}
	return err
}

func (a *Activities) ask(ctx context.Context, in AskInput) (Asked, said, error) {
	ref := in.ref(ctx)
	m, err := a.Materials.Gather(ctx, ref)
	if err != nil {
		return Asked{}, said{}, err
	}
	if in.Older != nil {
		if m, err = a.noted(ctx, ref, m, *in.Older); err != nil {
			return Asked{}, said{}, err
		}
	}
	texts, err := a.texts(ctx, ref, m, in.From)
	if err != nil {
		return Asked{}, said{}, err
	}
	found, err := a.passages(ctx, ref, m, in.Law)
	if err != nil {
		return Asked{}, said{}, err
	}
	law, own := apart(found)
	values := a.values(m)
	values["authorities"] = supplied(m.Authorities, own)
	values["law"] = named(law)
	if len(in.From) > 0 {
		values[subject(m)], values["parts"] = "", texts
	}
	q, err := a.render(ctx, in, in.Step.Prompt, values)
	if err != nil {
		return Asked{}, said{}, err
	}
	room := a.Model.Room(q) / 4
	for len(law) > 0 && a.over(q) > 0 { // the subject is more important than the law about it
		law = fewer(law, room, a.Model.Tokens)
		values["law"] = named(law)
		if q, err = a.render(ctx, in, in.Step.Prompt, values); err != nil {
			return Asked{}, said{}, err
		}
		if in.Step.PartPrompt == "" {
			break // older parts of the conversation are dropped before the law is
		}
		room = 0
	}
	if over := a.over(q); over > 0 {
		if in.Step.PartPrompt != "" {
			asked, err := a.split(ctx, in, m, texts)
			return asked, said{}, err
		}
		var older *Older
		if q, older, err = a.shorten(ctx, in, m, values, over); err != nil || older != nil {
			return Asked{Older: older}, said{}, err
		}
	}
	key, answer, before, err := a.before(ctx, ref, turns.ResultKey{Step: in.Step.ID}, m, q)
	if err != nil {
		return Asked{}, said{}, err
	}
	if before {
		return Asked{InputSHA: key.InputSHA}, said{answer, m},
			a.Turns.SetStep(ctx, ref, in.Step.ID, Progress{State: "done"})
	}
	stream, err := openStream(ctx, a.Stream, ref, in.Step.ID)
	if err != nil {
		return Asked{}, said{}, err
	}
	if in.Step.Continue == "" {
		answer, err = a.Model.Ask(ctx, q, stream.write)
	} else {
		answer, err = a.askOn(ctx, in, m, values, q, stream)
	}
	if err == nil && isBlank(answer.Text+stream.text()) {
		err = &Failure{Code: ModelEmpty, Sentence: "Sorry, I could not generate a response."}
	}
	if err != nil {
		_ = stream.close() // best effort: err is the error to return
		return Asked{}, said{}, err
	}
	if written := stream.text(); written != "" {
		answer.Text = written // store exactly what was shown
	}
	answer.Prompt, answer.PromptSHA, answer.Bundle = q.Prompt, q.SHA, q.Bundle
	answer.Earlier, answer.Law = m.Earlier, sources(slices.Concat(law, own))
	last, ok := stream.rest()
	if !ok {
		err = stream.close()
	}
	if err == nil {
		err = a.keep(ctx, ref, key, answer, q, last)
	}
	if err != nil {
		_ = stream.close() // best effort: err is the error to return
	}
	return Asked{InputSHA: key.InputSHA}, said{answer, m}, err
}

// explain shows the person why there is no answer yet, if the question will be asked again.
func (a *Activities) explain(ctx context.Context, in AskInput, err error) {
	attempt := activity.GetInfo(ctx).Attempt
	var f *Failure
	switch {
	case ctx.Err() != nil || errors.Is(err, ErrSuperseded):
		return
	case !errors.As(err, &f):
		if attempt < 2 {
			return
		}
		f = &Failure{} // an evaluation or the command line shows nothing
	case !f.Retryable || attempt >= attemptsAt(in.Step):
		return
	}
	ref := in.ref(ctx)
	if in.Step.Kind == "prompt" { // its text so far is no longer valid; other steps do not touch the turn's text
		if _, err := a.Stream.Open(ctx, ref, in.Step.ID); err != nil {
			return
		}
	}
	note := Note{"again", map[string]any{"why": Note{Code: f.Code}}}
	if f.RetryAfter > 0 {
		note.Code, note.Params["count"] = "again_in", int(f.RetryAfter.Seconds())
	}
	if err := a.Turns.NoteStep(ctx, ref, in.Step.ID, note); err != nil {
		a.Log.WarnContext(ctx, "could not show why the turn waits", "turn", in.Turn, "error", err)
	}
}

// render fills in a prompt for the engine that will answer it.
func (a *Activities) render(ctx context.Context, in AskInput, prompt string, values map[string]any) (Question, error) {
	q, err := a.Catalogue.Render(ctx, in.prompts(in.Bundle), prompt, values)
	if in.Offline {
		q.Provider, q.Fallback, q.Model = "offline", []string{}, ""
	}
	return q, err
}

// over returns how many tokens a question has more than the model accepts.
func (a *Activities) over(q Question) int {
	room := a.Model.Room(q)
	if room == 0 {
		return 0
	}
	need := 0
	for _, m := range q.Messages {
		need += a.Model.Tokens(m.Text)
	}
	return need - room
}

// AskPart lets the model read one part of a long text; the answer is written from the results of all parts.
func (a *Activities) AskPart(ctx context.Context, in AskInput) (turns.ResultKey, error) {
	defer alive(ctx)()
	ctx = in.asks(ctx)
	key, err := a.askPart(ctx, in)
	if err != nil {
		a.explain(ctx, in, err)
	}
	return key, a.refuse(ctx, in.Step.ID, err)
}

func (a *Activities) askPart(ctx context.Context, in AskInput) (turns.ResultKey, error) {
	ref := in.ref(ctx)
	m, err := a.Materials.Gather(ctx, ref)
	if err != nil {
		return turns.ResultKey{}, err
	}
	texts, err := a.texts(ctx, ref, m, in.From)
	if err != nil {
		return turns.ResultKey{}, err
	}
	chunks := Chunks(texts, in.Budget, a.Model.Tokens)
	if in.Part > len(chunks) {
		return turns.ResultKey{}, fmt.Errorf("part %d of %d is not there", in.Part, len(chunks))
	}
	q, err := a.render(ctx, in, in.Step.PartPrompt, a.partValues(m, chunks[in.Part-1], in.Part, in.Parts))
	if err != nil {
		return turns.ResultKey{}, err
	}
	note := Progress{
		State: "running",
		Note:  &Note{"reading_part", map[string]any{"number": in.Part, "total": in.Parts}},
		Done:  in.Part - 1,
		Total: in.Parts,
	}
	return a.askBeside(ctx, in, m, q, partName(in.Level, in.Part), note)
}

// askBeside lets the model write something that only the turn itself uses, and stores it.
func (a *Activities) askBeside(ctx context.Context, in AskInput, m PromptContext, q Question, part string,
	note Progress) (turns.ResultKey, error) {
	ref := in.ref(ctx)
	key, _, found, err := a.before(ctx, ref, turns.ResultKey{Step: in.Step.ID, Part: part}, m, q)
	if err != nil || found {
		return key, err
	}
	if err := a.Turns.SetStep(ctx, ref, in.Step.ID, note); err != nil {
		return turns.ResultKey{}, err
	}
	answer, err := a.askUnseen(ctx, q)
	if err != nil {
		return turns.ResultKey{}, err
	}
	return key, a.keep(ctx, ref, key, answer, q, StreamPiece{})
}

// askUnseen asks the model a question whose answer is not streamed.
func (a *Activities) askUnseen(ctx context.Context, q Question) (Answer, error) {
	answer, err := a.Model.Ask(ctx, q, nil)
	answer.Prompt, answer.PromptSHA, answer.Bundle = q.Prompt, q.SHA, q.Bundle
	return answer, err
}

// keep stores an answer with its question and the last piece of its text. It tries as long as necessary, since the
// answer has been paid for.
func (a *Activities) keep(ctx context.Context, ref Ref, key turns.ResultKey, answer Answer, q Question,
	last StreamPiece) error {
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		err := a.Turns.SaveAnswer(ctx, ref, key, answer, q, last)
		if err == nil || errors.Is(err, ErrSuperseded) || ctx.Err() != nil {
			return err
		}
		a.Log.WarnContext(ctx, "an answer could not be stored; trying again", "turn", ref.Turn, "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// split decides into how many parts the texts must be split for reading.
func (a *Activities) split(ctx context.Context, in AskInput, m PromptContext, texts []string) (Asked, error) {
	q, err := a.render(ctx, in, in.Step.PartPrompt, a.partValues(m, "", 1, 1))
	if err != nil {
		return Asked{}, err
	}
	budget := -a.over(q)
	if budget < minPart {
		return Asked{}, &Failure{
			Code:     "too_long",
			Sentence: "The model's context is too small for this plugin's prompts. Check model.context_tokens.",
		}
	}
	return Asked{Parts: len(Chunks(texts, budget, a.Model.Tokens)), Budget: budget}, nil
}

// shorten removes the least important things from a question until it fits: first passages unrelated to the question,
// with a mark; then the oldest messages, which are replaced by notes, or by a mark if the plugin has no prompt for
// notes.
func (a *Activities) shorten(ctx context.Context, in AskInput, m PromptContext, values map[string]any,
	over int) (Question, *Older, error) {
	texts := pageTexts(subjectPages(m))
	whole := 0
	for _, t := range texts {
		whole += a.Model.Tokens(t)
	}
	values[subject(m)] = Passages(texts, m.Message, max(whole-over, 0), a.Model.Tokens)
	for history := m.History; ; history = history[1:] {
		values["history"] = utterances(m.Earlier, history, len(history) < len(m.History))
		q, err := a.render(ctx, in, in.Step.Prompt, values)
		if err != nil || a.over(q) <= 0 {
			return q, nil, err
		}
		if in.Step.HistoryPrompt != "" {
			older, err := a.older(ctx, in, m, values)
			return Question{}, older, err
		}
		if len(history) == 0 {
			return Question{}, nil, &Failure{Code: "too_long", Sentence: "The question is longer than the model takes."}
		}
	}
}

// before returns the result of the same question from an earlier run or attempt.
func (a *Activities) before(ctx context.Context, ref Ref, key turns.ResultKey, m PromptContext,
	q Question) (turns.ResultKey, Answer, bool, error) {
	var err error
	if key.InputSHA, err = sha(q.SHA, q.Messages, q.Model, q.Temperature, q.MaxTokens); err != nil {
		return key, Answer{}, false, err
	}
	if !slices.Contains(m.Kept, key.Step) {
		return key, Answer{}, false, nil
	}
	var answer Answer
	found, err := a.Turns.Result(ctx, ref, key, &answer)
	return key, answer, found, err
}

// texts returns what a question is about: the pages, or the results of the parts of the level below.
func (a *Activities) texts(ctx context.Context, ref Ref, m PromptContext, from []turns.ResultKey) ([]string, error) {
	if len(from) == 0 {
		return pageTexts(subjectPages(m)), nil
	}
	texts := make([]string, len(from))
	for i, key := range from {
		part, err := a.answer(ctx, ref, key)
		if err != nil {
			return nil, err
		}
		texts[i] = part.Text
	}
	return texts, nil
}

// subject returns the name of the prompt value with the long text of the turn.
func subject(m PromptContext) string {
	if len(m.Document) > 0 {
		return "document"
	}
	return "notice"
}

func subjectPages(m PromptContext) []turns.Page {
	if len(m.Document) > 0 {
		return m.Document
	}
	return m.Notice
}

// PrivateValue is the key, among the values of a prompt, of what providers must not see; no prompt can name it.
const PrivateValue = " private"

// values returns everything that prompts may use; each prompt declares what it uses.
func (a *Activities) values(m PromptContext) map[string]any {
	required := make([]map[string]string, len(m.Required))
	for i, r := range m.Required {
		required[i] = map[string]string{"type": r.Type, "reason": r.Reason, "state": r.State}
	}
	values := map[string]any{
		"notice": join(pageTexts(m.Notice)), "document": join(pageTexts(m.Document)), "document_type": m.DocumentType,
		"facts": m.Facts, "message": m.Message, "history": utterances(m.Earlier, m.History, false),
		"required_documents": required, "authorities": supplied(m.Authorities, nil), PrivateValue: m.Private,
		"parts": []string{}, "turn": m.Kind, "inputs": m.Inputs,
		"today": m.Today.Format(time.DateOnly),
	}
	if m.Language != "" { // keeps the hash of English questions the same as before there was a choice of language
		values["language"] = m.Language
	}
	return values
}

func (a *Activities) partValues(m PromptContext, text string, n, of int) map[string]any {
	return map[string]any{PrivateValue: m.Private, "part": text, "part_number": n, "part_count": of,
		"document_type": m.DocumentType, "facts": m.Facts, "message": m.Message, "inputs": m.Inputs,
		"today": m.Today.Format(time.DateOnly)}
}

func utterances(notes *Earlier, history []turns.Utterance, cut bool) []map[string]string {
	list := make([]map[string]string, 0, len(history)+2)
	if notes != nil {
		list = append(list, map[string]string{"role": "user",
			"text": "[Notes stand for the earlier messages of this conversation, which is too long to be given " +
				"whole:]\n\n" + notes.Text})
	}
	if cut {
		list = append(list, map[string]string{"role": "user",
			"text": "[Earlier messages are left out here for length.]"})
	}
	for _, u := range history {
		list = append(list, map[string]string{"role": u.Role, "text": u.Text})
	}
	return list
}
