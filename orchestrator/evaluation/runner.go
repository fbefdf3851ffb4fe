package evaluation

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"munshi/evals"
	"munshi/orchestrator/activities"
	"munshi/orchestrator/api"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/document"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/notices"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// Runner runs the cases of evaluations. Each case is a turn in a conversation that belongs to no person, pinned to the
// run's prompts; the conversation is erased after the run. If the same program has asked the same with the same
// prompts and models before, the stored answer is used.
type Runner struct {
	Store     *store.Store
	Work      Work
	Changes   *store.Notifier
	Catalogue *plugins.Catalogue
	Reader    *document.Reader
	Law       *law.Tables
	Defences  func() []defence.Rule
	Models    json.RawMessage        // the models and their settings: ModelSettings as JSON
	Judge     *Judge                 // nil: answers that need a judge are not judged
	Margin    float64                // of the gate
	Program   func() (string, error) // identifies the build of this program
	Log       *slog.Logger

	begins *semaphore.Weighted // limits the turns of a run that are starting
	free   *semaphore.Weighted // limits the turns that are running
}

var _ workflows.Runner = Runner{}

// key returns a hash of a test and of everything that its answer depends on.
func (x Runner) key(run store.EvalRun, t store.EvalTest) (string, error) {
	program, err := x.Program()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(
		[]byte(
			strings.Join(
				[]string{program, run.Bundles[t.Plugin], string(x.Models), t.Asked, strconv.Itoa(t.Repeat)},
				"\n",
			),
		),
	)
	return hex.EncodeToString(sum[:]), nil
}

// ConversationOf returns the id of a test's conversation, which is the same in every attempt.
func ConversationOf(run uuid.UUID, number int) uuid.UUID {
	return uuid.NewSHA1(run, []byte(strconv.Itoa(number)))
}

func (x Runner) run(ctx context.Context, id string) (store.EvalRun, error) {
	run, err := uuid.Parse(id)
	if err != nil {
		return store.EvalRun{}, activities.BadID(err)
	}
	r, err := x.Store.EvalRun(ctx, run)
	if errors.Is(err, store.ErrNotFound) || err == nil && r.Ended() {
		return r, fmt.Errorf("the evaluation %s has ended: %w", id, workflows.ErrSuperseded)
	}
	return r, err
}

// left is a test of a run that has no result yet.
type left struct {
	store.EvalTest
	evals.Case
	key   string
	known json.RawMessage // the result of an earlier run with the same key; nil if there is none
}

// left returns the tests of a run that have no result yet.
func (x Runner) left(ctx context.Context, run store.EvalRun) ([]left, error) {
	tests, err := x.Store.EvalTests(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	list, keys := make([]left, len(tests)), make([]string, len(tests))
	for i, t := range tests {
		c, err := evals.Parse(t.Plugin, t.Source, x.Law.Index)
		if err != nil {
			return nil, activities.Fail("bad_case", nil, err)
		}
		if keys[i], err = x.key(run, t); err != nil {
			return nil, err
		}
		list[i] = left{EvalTest: t, Case: c, key: keys[i]}
	}
	known, err := x.Store.EvalAnswers(ctx, keys...)
	if err != nil {
		return nil, err
	}
	for i, key := range keys {
		if list[i].Turn != evals.Points { // points cost nothing, and depend on rules that an operator may change
			list[i].known = known[key]
		}
	}
	return list, nil
}

// Begin adds the results that are known from earlier runs.
func (x Runner) Begin(ctx context.Context, id string) error {
	run, err := x.run(ctx, id)
	if err != nil {
		return err
	}
	if err := x.Store.BeginEvalRun(ctx, run.ID, x.Models); err != nil {
		return err
	}
	tests, err := x.left(ctx, run)
	if err != nil {
		return err
	}
	var results []store.EvalResult
	for _, t := range tests {
		if t.known == nil {
			continue
		}
		r, unjudged, err := x.again(t)
		if err != nil {
			return err
		}
		if unjudged {
			continue
		}
		kept, err := keptResult(t, r)
		if err != nil {
			return err
		}
		results = append(results, kept)
	}
	return x.Store.AddEvalResults(ctx, run.ID, results...)
}

// again grades a stored answer; unjudged reports that a model must judge it first.
func (x Runner) again(t left) (r evals.Result, unjudged bool, err error) {
	var before evals.Result
	if err := json.Unmarshal(t.known, &before); err != nil {
		return r, false, fmt.Errorf("decode an answer of an earlier evaluation: %w", err)
	}
	r = t.result()
	r.State, r.Answer, r.Cached = before.State, before.Answer, true
	r.Verdicts = t.Grade(r.Answer)
	for i, v := range r.Verdicts {
		if !v.Model || x.Judge == nil {
			continue
		}
		at := slices.IndexFunc(before.Verdicts, func(old evals.Verdict) bool {
			return old.Model && !old.Skipped && old.Expects == v.Expects && old.Judge == x.Judge.sha
		})
		if at < 0 {
			unjudged = true
			continue
		}
		r.Verdicts[i] = t.Expect[i].Judged(before.Verdicts[at].Score, before.Verdicts[at].Says)
		r.Verdicts[i].Judge = x.Judge.sha
	}
	return r, unjudged, nil
}

func (t left) result() evals.Result {
	return evals.Result{
		Case:       t.Name(),
		Category:   t.Category,
		Set:        t.Set,
		Difficulty: t.Difficulty,
		Language:   t.Language,
		Repeat:     t.Repeat,
	}
}

func keptResult(t left, r evals.Result) (store.EvalResult, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return store.EvalResult{}, fmt.Errorf("encode the result of %s: %w", r.Case, err)
	}
	return store.EvalResult{Number: t.Number, Key: t.key, Answered: r.State == evals.Answered, Body: body}, nil
}

// Try runs the remaining tests of a run, several at a time.
func (x Runner) Try(ctx context.Context, id string) error {
	run, err := x.run(ctx, id)
	if err != nil {
		return err
	}
	tests, err := x.left(ctx, run)
	if err != nil {
		return err
	}
	// While some turns use a model, others start, and finished ones are graded and stored.
	x.begins, x.free = semaphore.NewWeighted(int64(run.AtOnce)), semaphore.NewWeighted(int64(2*run.AtOnce))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(3 * int(run.AtOnce))
	for _, t := range tests {
		group.Go(func() error { return x.try(ctx, run, t) })
	}
	return group.Wait()
}

// try runs a test, grades the answer and stores both.
func (x Runner) try(ctx context.Context, run store.EvalRun, t left) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var r evals.Result
	var err error
	if t.known != nil {
		r, _, err = x.again(t)
	} else {
		r = t.result()
		err = x.ask(ctx, run, t, &r)
		r.Verdicts = t.Grade(r.Answer)
	}
	if err == nil && r.State == evals.Answered {
		err = x.Judge.fill(ctx, t.Case, &r, x.Log)
	}
	if err != nil {
		return err
	}
	kept, err := keptResult(t, r)
	if err != nil {
		return err
	}
	return x.Store.AddEvalResults(ctx, run.ID, kept)
}

// ask runs a test as a turn, after a turn that reads its document if its own turn takes none.
func (x Runner) ask(ctx context.Context, run store.EvalRun, t left, r *evals.Result) error {
	if t.Turn == evals.Points {
		r.State, r.Answer = evals.Answered, x.points(t.Case)
		return nil
	}
	c, conversation := t.Case, ConversationOf(run.ID, t.Number)
	pinned := run.Bundles[c.Plugin]
	bundle, err := x.Catalogue.Bundle(ctx, pinned)
	if errors.Is(err, store.ErrNotFound) {
		return activities.Fail("no_prompts", nil, err)
	}
	if err != nil {
		return err
	}
	info := plugins.Info(bundle.Manifest())
	at := slices.IndexFunc(info.Turns, func(turn api.PluginTurn) bool { return turn.Kind == c.Turn })
	if at < 0 {
		r.State, r.Error = evals.Failed, fmt.Sprintf("The plugin %s has no turn %s.", c.Plugin, c.Turn)
		return nil
	}
	before := make([]turns.Utterance, len(c.Input.Before))
	for i, u := range c.Input.Before {
		before[i] = turns.Utterance{Role: u.Role, Text: u.Text}
	}
	if err := x.Store.EvalConversation(ctx, conversation, c.Plugin, "chat", before); err != nil {
		return err
	}
	n := store.NewTurn{
		Workspace:    store.Nobody,
		Conversation: conversation,
		Key:          "case",
		Kind:         c.Turn,
		Text:         c.Input.Text,
		Pinned:       pinned,
		Inputs:       map[string]string{},
	}
	for _, id := range info.Turns[at].Inputs { // as the form sends them
		n.Inputs[id] = c.Input.Inputs[id]
	}
	maps.Copy(n.Inputs, c.Input.Inputs)
	documentType := ""
	if t.Document != "" {
		d, err := x.document(ctx, t.Document)
		if err != nil {
			return err
		}
		switch c.Turn {
		case "analysis":
			n.Document = d
		case "document":
			documentType = strings.ReplaceAll(strings.TrimSuffix(d.Name, filepath.Ext(d.Name)), "-", " ")
			d.Type, n.Document = documentType, d
		default: // the turn is about the document sent before
			first := store.NewTurn{
				Workspace:    store.Nobody,
				Conversation: conversation,
				Key:          "document",
				Kind:         "analysis",
				Pinned:       pinned,
				Text:         info.Message("analysis", "", nil),
				Document:     d,
			}
			turn, err := x.turn(ctx, run, first, c.Plugin)
			if err != nil {
				return err
			}
			if turn.State != "answered" {
				r.State, r.Error = evals.Failed, "The document was not read: "+turn.ErrorSentence
				return nil
			}
		}
	}
	if n.Text == "" || c.Turn != "chat" {
		n.Text = strings.TrimSpace(info.Message(c.Turn, documentType, n.Inputs))
	}
	if n.Text == "" {
		n.Text = info.Turns[at].Title
	}
	turn, err := x.turn(ctx, run, n, c.Plugin)
	if err != nil {
		return err
	}
	if turn.State != "answered" {
		r.State, r.Error = evals.Failed, turn.ErrorSentence
		return nil
	}
	r.State = evals.Answered
	r.Answer, err = x.answer(ctx, turn)
	return err
}

// points applies the rules about defences to a case whose text is the paper.
func (x Runner) points(c evals.Case) evals.Answer {
	pages, began := []gst.Page{{Text: c.Input.Text}}, time.Now()
	facts := gst.Read(x.Law, pages)
	facts.Reconciled = c.Input.Files
	found := defence.Evaluate(x.Defences(), x.Law, facts, pages, law.ParseDay(c.On))
	a := evals.Answer{Milliseconds: int(time.Since(began).Milliseconds())}
	var lines []string
	for _, p := range found {
		point := evals.Ruling{ID: p.ID, Verdict: strings.ReplaceAll(p.Verdict, "_", " ")}
		line := fmt.Sprintf("- %s (`%s`): %s", p.Title, p.ID, point.Verdict)
		if p.Amount != nil {
			paise := int64(*p.Amount)
			point.Takes = &paise
			line += ", takes away " + p.Amount.String()
		}
		a.Points, lines = append(a.Points, point), append(lines, line)
	}
	a.Text = strings.Join(lines, "\n")
	return a
}

// document returns a case's document, ready for a turn.
func (x Runner) document(ctx context.Context, sha string) (*store.NewDocument, error) {
	d, err := x.Store.EvalDocument(ctx, sha)
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp("", "munshi-eval-*.pdf")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file for a document: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(d.Data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, fmt.Errorf("write a document to disk: %w", err)
	}
	info, err := x.Reader.Probe(ctx, f.Name())
	var refused *problem.Error
	if errors.As(err, &refused) {
		return nil, activities.Fail(
			"case_document",
			problem.Params{"document": d.Name, "reason": refused.Sentence()},
			err,
		)
	}
	if err != nil {
		return nil, err
	}
	return &store.NewDocument{
		Name:    d.Name,
		Pages:   info.Pages,
		Damaged: info.Truncated,
		Content: bytes.NewReader(d.Data),
	}, nil
}

// lookAnyway is how often to check whether a turn has ended, in case its notification was lost.
const lookAnyway = 2 * time.Second

// turn runs a turn and waits until it has ended. If an earlier attempt has started the turn, it waits for that; Finish
// stops turns that nobody waits for any more.
func (x Runner) turn(ctx context.Context, run store.EvalRun, n store.NewTurn, plugin string) (store.Turn, error) {
	if err := x.free.Acquire(ctx, 1); err != nil {
		return store.Turn{}, err
	}
	defer x.free.Release(1)
	if err := x.begins.Acquire(ctx, 1); err != nil {
		return store.Turn{}, err
	}
	begun := sync.OnceFunc(func() { x.begins.Release(1) })
	defer begun()
	changed, unwatch := x.Changes.Conversation(n.Conversation)
	defer unwatch()
	t, _, err := x.Store.Accept(ctx, n)
	if err != nil {
		return store.Turn{}, err
	}
	in := api.TurnInput(t, plugin)
	in.Evaluation = &workflows.EvaluationLimit{Run: run.ID.String(), AtOnce: int(run.AtOnce)}
	if t.State == "queued" {
		if err := x.Work.StartTurn(ctx, in); err != nil {
			x.Log.WarnContext(
				ctx,
				"the workflow of a test could not be started now; the reconciler will",
				"turn",
				t.ID,
				"error",
				err,
			)
		}
	}
	for t.State == "queued" || t.State == "running" {
		if t.State == "running" {
			begun()
		}
		select {
		case <-ctx.Done():
			return store.Turn{}, ctx.Err()
		case <-changed:
		case <-time.After(lookAnyway):
		}
		now, err := x.Store.Turn(ctx, t.WorkspaceID, t.ID)
		if err != nil && ctx.Err() == nil {
			return store.Turn{}, err
		}
		if err == nil {
			t = now
		}
	}
	return t, nil
}

// answer returns the answer of a turn.
func (x Runner) answer(ctx context.Context, turn store.Turn) (evals.Answer, error) {
	d, err := x.Store.Detail(ctx, turn.WorkspaceID, turn.ConversationID)
	if err != nil {
		return evals.Answer{}, err
	}
	a := evals.Answer{Facts: d.Facts}
	for _, m := range d.Messages {
		if m.TurnID == turn.ID && m.Role == "assistant" {
			a.Text = m.Text
			if err := json.Unmarshal(m.Checks, &a.Findings); err != nil {
				return evals.Answer{}, fmt.Errorf("decode what was found in an answer: %w", err)
			}
		}
	}
	bundle, err := x.Catalogue.Bundle(ctx, turn.Pinned)
	if err != nil {
		return evals.Answer{}, err
	}
	steps := bundle.Manifest().Turns[turn.Kind].Steps
	has := func(kind string) bool {
		return slices.ContainsFunc(steps, func(s prompt.Step) bool { return s.Kind == kind })
	}
	switch {
	case has("propose"): // it drafts a reply, which is graded instead of the message
		if err := x.drafted(ctx, turn, &a); err != nil {
			return evals.Answer{}, err
		}
	case !has("check"):
		a.Findings = nil // nothing was checked
	}
	for _, r := range d.Required {
		a.Required = append(a.Required, r.Type)
	}
	tokens, err := x.Store.EvalTokens(ctx, turn.ConversationID, turn.ID)
	if turn.StartedAt != nil && turn.FinishedAt != nil {
		a.Milliseconds = int((turn.FinishedAt.Sub(*turn.StartedAt) - tokens.Waited).Milliseconds())
	}
	a.InputTokens, a.OutputTokens, a.CostPaise = tokens.Input, tokens.Output, tokens.Paise
	return a, err
}

// drafted replaces the answer by the draft of the reply and what its screen shows. A paper that takes no reply has no
// draft, and keeps the answer.
func (x Runner) drafted(ctx context.Context, turn store.Turn, a *evals.Answer) error {
	kept, err := x.Store.Reply(ctx, turn.WorkspaceID, turn.ConversationID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if kept.Draft != nil {
		a.Text = store.DraftText(kept.Draft.Parts)
	}
	a.Findings = nil
	for _, f := range (notices.FactExtractor{Tables: x.Law}).Cited(a.Text,
		workflows.CheckContext{Facts: string(kept.Notice.Facts), Authorities: activities.Authorities(kept.Sources),
			Today: turn.CreatedAt.In(clock.India)}) {
		a.Findings = append(a.Findings, evals.Finding{Code: f.Code, Verdict: f.Verdict, Quote: f.Quote})
	}
	return nil
}

// Finish computes the totals of a run, ends it, stops its remaining turns, and erases the conversations of its cases.
func (x Runner) Finish(ctx context.Context, e workflows.RunEnding) error {
	id, err := uuid.Parse(e.Run)
	if err != nil {
		return activities.BadID(err)
	}
	run, err := x.Store.EvalRun(ctx, id)
	if err != nil {
		return err
	}
	if !run.Ended() {
		if err := x.end(ctx, run, e); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	conversations := make([]uuid.UUID, run.Tests)
	for i := range conversations {
		conversations[i] = ConversationOf(run.ID, i+1)
	}
	if err := x.stop(ctx, conversations); err != nil {
		return err
	}
	return x.Store.EraseEvalConversations(ctx, conversations...)
}

// stop stops the running turns of conversations, because their run was cancelled or has failed.
func (x Runner) stop(ctx context.Context, conversations []uuid.UUID) error {
	open, err := x.Store.OpenEvalTurns(ctx, conversations...)
	if err != nil {
		return err
	}
	for _, turn := range open {
		err := x.Store.RequestStop(ctx, store.Nobody, turn)
		if err == nil {
			_, err = x.Work.StopTurn(ctx, turn.String())
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("stop the turn of a test: %w", err)
		}
	}
	return nil
}

func (x Runner) end(ctx context.Context, run store.EvalRun, e workflows.RunEnding) error {
	results, err := ResultsOf(ctx, x.Store, run.ID)
	if err != nil {
		return err
	}
	totals, err := json.Marshal(evals.Count(results))
	if err != nil {
		return fmt.Errorf("encode the totals of the evaluation: %w", err)
	}
	ending := store.EvalEnding{State: e.State, Reason: e.Reason, Totals: totals}
	if run.By == store.ByGate {
		if ending.Held, err = x.gate(ctx, run, e, results); err != nil {
			return err
		}
	}
	return x.Store.EndEvalRun(ctx, run.ID, ending)
}

// ResultsOf returns the results of a run, in the order of its tests.
func ResultsOf(ctx context.Context, s *store.Store, run uuid.UUID) ([]evals.Result, error) {
	rows, err := s.EvalResults(ctx, run)
	if err != nil {
		return nil, err
	}
	results := make([]evals.Result, len(rows))
	for i, r := range rows {
		if err := json.Unmarshal(r.Body, &results[i]); err != nil {
			return nil, fmt.Errorf("decode a result of the evaluation: %w", err)
		}
	}
	return results, nil
}
