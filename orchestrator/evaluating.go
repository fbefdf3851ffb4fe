package main

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
	"munshi/orchestrator/api"
	"munshi/orchestrator/document"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// examiner tries the cases of evaluations: each is asked in a conversation of nobody's, in a turn like any person's that is
// pinned to the run's prompts, and goes when the run has ended. What was asked before of the same prompts and models, by the
// same program, is not asked again.
type examiner struct {
	store   *store.Store
	work    *temporalWork
	changes *store.Watch
	library *library
	reader  *document.Reader
	law     *law.Tables
	models  json.RawMessage // who answers, with which settings
	judge   *judge          // nil: nobody judges what no code can
	margin  float64         // of the publishing gate
	program func() (string, error)
	begins  *semaphore.Weighted // of a run: room for turns that begin at the same time
	free    *semaphore.Weighted // and for turns that are under way
	log     *slog.Logger
}

var _ workflows.Tests = examiner{}

func (a *app) examiner(j *judge) (examiner, error) {
	models, err := json.Marshal(a.modelSettings())
	if err != nil {
		return examiner{}, fmt.Errorf("encode the settings of the models: %w", err)
	}
	return examiner{store: a.store, work: a.work, changes: a.changes, library: a.library, reader: a.reader, law: a.law, models: models, judge: j, margin: a.cfg.Prompts.GateMargin,
		program: sync.OnceValues(ownBuild), log: a.log}, nil
}

// modelSetting is what of a provider's settings an answer depends on.
type modelSetting struct {
	Provider    string   `json:"provider"`
	Model       string   `json:"model,omitempty"`
	Host        string   `json:"host,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
	MaxTokens   int      `json:"max_tokens,omitempty"`
	Context     int      `json:"context_tokens,omitempty"`
}

// modelSettings gives who is asked, in order. A prompt may name another; that is part of the prompts.
func (a *app) modelSettings() []modelSetting {
	chain := a.models()
	if chain.Offline() {
		return []modelSetting{{Provider: "offline"}}
	}
	var list []modelSetting
	for _, name := range chain.Order {
		c := chain.Providers[name]
		list = append(list, modelSetting{name, c.Model, c.Host(), c.Temperature, c.MaxTokens, c.ContextTokens})
	}
	return list
}

// ownBuild names this program as it was built: another one may read, check or answer otherwise.
func ownBuild() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("look for this program: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("look at this program: %w", err)
	}
	return fmt.Sprint(version, info.Size(), info.ModTime().UnixNano()), nil
}

// key names what is asked by whom: what has the same key has the same answer.
func (x examiner) key(run store.EvalRun, t store.EvalTest) (string, error) {
	program, err := x.program()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{program, run.Bundles[t.Plugin], string(x.models), t.Asked, strconv.Itoa(t.Repeat)}, "\n")))
	return hex.EncodeToString(sum[:]), nil
}

// conversationOf names the conversation of a test, the same in every attempt.
func conversationOf(run uuid.UUID, number int) uuid.UUID {
	return uuid.NewSHA1(run, []byte(strconv.Itoa(number)))
}

func (x examiner) run(ctx context.Context, id string) (store.EvalRun, error) {
	run, err := uuid.Parse(id)
	if err != nil {
		return store.EvalRun{}, badID(err)
	}
	r, err := x.store.EvalRun(ctx, run)
	if errors.Is(err, store.ErrNotFound) || err == nil && r.Ended() {
		return r, fmt.Errorf("the evaluation %s has ended: %w", id, workflows.ErrSuperseded)
	}
	return r, err
}

// left is a test of a run that has no result.
type left struct {
	store.EvalTest
	evals.Case
	key   string
	known json.RawMessage // the result of an earlier run that asked the same; nil where none did
}

// left gives the tests of a run that have no result.
func (x examiner) left(ctx context.Context, run store.EvalRun) ([]left, error) {
	tests, err := x.store.EvalTests(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	list, keys := make([]left, len(tests)), make([]string, len(tests))
	for i, t := range tests {
		c, err := evals.Parse(t.Plugin, t.Source, x.law.Index)
		if err != nil {
			return nil, &workflows.Failure{Code: "bad_case", Sentence: "A case of this evaluation cannot be read any more.", Cause: err}
		}
		if keys[i], err = x.key(run, t); err != nil {
			return nil, err
		}
		list[i] = left{EvalTest: t, Case: c, key: keys[i]}
	}
	known, err := x.store.EvalAnswers(ctx, keys...)
	if err != nil {
		return nil, err
	}
	for i, key := range keys {
		list[i].known = known[key]
	}
	return list, nil
}

// Begin keeps what is known as results of the run.
func (x examiner) Begin(ctx context.Context, id string) error {
	run, err := x.run(ctx, id)
	if err != nil {
		return err
	}
	if err := x.store.BeginEvalRun(ctx, run.ID, x.models); err != nil {
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
	return x.store.AddEvalResults(ctx, run.ID, results...)
}

// again grades an answer that is known; unjudged tells that a model has to judge it first.
func (x examiner) again(t left) (r evals.Result, unjudged bool, err error) {
	var before evals.Result
	if err := json.Unmarshal(t.known, &before); err != nil {
		return r, false, fmt.Errorf("decode an answer of an earlier evaluation: %w", err)
	}
	r = t.result()
	r.State, r.Answer, r.Cached = before.State, before.Answer, true
	r.Verdicts = t.Grade(r.Answer)
	for i, v := range r.Verdicts {
		if !v.Model || x.judge == nil {
			continue
		}
		at := slices.IndexFunc(before.Verdicts, func(old evals.Verdict) bool {
			return old.Model && !old.Skipped && old.Expects == v.Expects && old.Judge == x.judge.sha
		})
		if at < 0 {
			unjudged = true
			continue
		}
		r.Verdicts[i] = t.Expect[i].Judged(before.Verdicts[at].Score, before.Verdicts[at].Says)
		r.Verdicts[i].Judge = x.judge.sha
	}
	return r, unjudged, nil
}

func (t left) result() evals.Result {
	return evals.Result{Case: t.Name(), Category: t.Category, Set: t.Set, Difficulty: t.Difficulty, Language: t.Language, Repeat: t.Repeat}
}

func keptResult(t left, r evals.Result) (store.EvalResult, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return store.EvalResult{}, fmt.Errorf("encode the result of %s: %w", r.Case, err)
	}
	return store.EvalResult{Number: t.Number, Key: t.key, Answered: r.State == evals.Answered, Body: body}, nil
}

// Try has what is left of a run worked on: when a turn has ended, the next begins.
func (x examiner) Try(ctx context.Context, id string) error {
	run, err := x.run(ctx, id)
	if err != nil {
		return err
	}
	tests, err := x.left(ctx, run)
	if err != nil {
		return err
	}
	// While some are with a model, the next are made ready, and the last are kept and graded.
	x.begins, x.free = semaphore.NewWeighted(int64(run.AtOnce)), semaphore.NewWeighted(int64(2*run.AtOnce))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(3 * int(run.AtOnce))
	for _, t := range tests {
		group.Go(func() error { return x.try(ctx, run, t) })
	}
	return group.Wait()
}

// try has a case worked on, grades the answer and keeps both.
func (x examiner) try(ctx context.Context, run store.EvalRun, t left) error {
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
		err = x.judged(ctx, t.Case, &r)
	}
	if err != nil {
		return err
	}
	kept, err := keptResult(t, r)
	if err != nil {
		return err
	}
	return x.store.AddEvalResults(ctx, run.ID, kept)
}

// ask has the case worked on as a turn, after one that reads its document where the case's own takes none.
func (x examiner) ask(ctx context.Context, run store.EvalRun, t left, r *evals.Result) error {
	c, conversation := t.Case, conversationOf(run.ID, t.Number)
	pinned := run.Bundles[c.Plugin]
	bundle, err := x.library.bundle(ctx, pinned)
	if errors.Is(err, store.ErrNotFound) {
		return &workflows.Failure{Code: "no_prompts", Sentence: "The prompts of this evaluation are not kept any more.", Cause: err}
	}
	if err != nil {
		return err
	}
	info := pluginInfo(bundle.Manifest())
	at := slices.IndexFunc(info.Turns, func(turn api.PluginTurn) bool { return turn.Kind == c.Turn })
	if at < 0 {
		r.State, r.Error = evals.Failed, fmt.Sprintf("The plugin %s has no turn %s.", c.Plugin, c.Turn)
		return nil
	}
	before := make([]store.Utterance, len(c.Input.Before))
	for i, u := range c.Input.Before {
		before[i] = store.Utterance(u)
	}
	if err := x.store.EvalConversation(ctx, conversation, c.Plugin, "chat", before); err != nil {
		return err
	}
	n := store.NewTurn{Workspace: store.Nobody, Conversation: conversation, Key: "case", Kind: c.Turn, Text: c.Input.Text, Pinned: pinned, Inputs: map[string]string{}}
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
		default: // the turn is about a document that was handed in before
			first := store.NewTurn{Workspace: store.Nobody, Conversation: conversation, Key: "document", Kind: "analysis", Pinned: pinned,
				Text: info.Message("analysis", "", nil), Document: d}
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

// document gives the document of a case, ready to be handed in.
func (x examiner) document(ctx context.Context, sha string) (*store.NewDocument, error) {
	d, err := x.store.EvalDocument(ctx, sha)
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
	info, err := x.reader.Probe(ctx, f.Name())
	var refused *document.Refusal
	if errors.As(err, &refused) {
		return nil, &workflows.Failure{Code: string(refused.Code), Sentence: d.Name + ": " + refused.Sentence(), Cause: err}
	}
	if err != nil {
		return nil, err
	}
	return &store.NewDocument{Name: d.Name, Pages: info.Pages, Damaged: info.Truncated, Content: bytes.NewReader(d.Data)}, nil
}

// lookAnyway is how often it is looked whether a turn has ended where nothing was heard of it.
const lookAnyway = 2 * time.Second

// turn has a turn worked on, and waits until it has ended. An earlier attempt's is found and waited for; Finish stops what nobody waits
// for any more.
func (x examiner) turn(ctx context.Context, run store.EvalRun, n store.NewTurn, plugin string) (store.Turn, error) {
	if err := x.free.Acquire(ctx, 1); err != nil {
		return store.Turn{}, err
	}
	defer x.free.Release(1)
	if err := x.begins.Acquire(ctx, 1); err != nil {
		return store.Turn{}, err
	}
	begun := sync.OnceFunc(func() { x.begins.Release(1) })
	defer begun()
	changed, unwatch := x.changes.Conversation(n.Conversation)
	defer unwatch()
	t, _, err := x.store.Accept(ctx, n)
	if err != nil {
		return store.Turn{}, err
	}
	in := workflows.TurnInput{Workspace: t.WorkspaceID.String(), Conversation: t.ConversationID.String(), Turn: t.ID.String(), Plugin: plugin, Kind: t.Kind, Pinned: t.Pinned,
		Trial: &workflows.Trial{Run: run.ID.String(), AtOnce: int(run.AtOnce)}}
	if t.State == "queued" {
		if err := x.work.Start(ctx, in); err != nil {
			x.log.WarnContext(ctx, "the workflow of a test could not be started now; the sweep will", "turn", t.ID, "error", err)
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
		now, err := x.store.Turn(ctx, t.WorkspaceID, t.ID)
		if err != nil && ctx.Err() == nil {
			return store.Turn{}, err
		}
		if err == nil {
			t = now
		}
	}
	return t, nil
}

// answer gives what came of a turn.
func (x examiner) answer(ctx context.Context, turn store.Turn) (evals.Answer, error) {
	d, err := x.store.Detail(ctx, turn.WorkspaceID, turn.ConversationID)
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
	bundle, err := x.library.bundle(ctx, turn.Pinned)
	if err != nil {
		return evals.Answer{}, err
	}
	steps := bundle.Manifest().Turns[turn.Kind].Steps
	has := func(kind string) bool {
		return slices.ContainsFunc(steps, func(s prompt.Step) bool { return s.Kind == kind })
	}
	switch {
	case has("propose"): // it drafts a reply: that is what is graded, and not what is said of it
		if err := x.drafted(ctx, turn, &a); err != nil {
			return evals.Answer{}, err
		}
	case !has("check"):
		a.Findings = nil // nobody has looked
	}
	for _, r := range d.Required {
		a.Required = append(a.Required, r.Type)
	}
	tokens, err := x.store.EvalTokens(ctx, turn.ConversationID, turn.ID)
	if turn.StartedAt != nil && turn.FinishedAt != nil {
		a.Milliseconds = int((turn.FinishedAt.Sub(*turn.StartedAt) - tokens.Waited).Milliseconds())
	}
	a.InputTokens, a.OutputTokens, a.CostPaise = tokens.Input, tokens.Output, tokens.Paise
	return a, err
}

// drafted puts the draft of the reply in the place of the answer, with what the desk shows beside it. A paper that takes no reply
// has none: what is said of that is the answer.
func (x examiner) drafted(ctx context.Context, turn store.Turn, a *evals.Answer) error {
	kept, err := x.store.Reply(ctx, turn.WorkspaceID, turn.ConversationID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if kept.Draft != nil {
		a.Text = store.DraftText(kept.Draft.Parts)
	}
	a.Findings = nil
	for _, f := range (clerk{x.law}).Check(a.Text, workflows.Bearings{Facts: string(kept.Notice.Facts), Authorities: authoritiesOf(kept.Sources), Today: turn.CreatedAt.In(india)}) {
		a.Findings = append(a.Findings, evals.Finding{Code: f.Code, Verdict: f.Verdict, Quote: f.Quote})
	}
	return nil
}

// Finish counts what came of a run, ends it, stops what is still worked on, and erases what its cases were asked in.
func (x examiner) Finish(ctx context.Context, e workflows.RunEnding) error {
	id, err := uuid.Parse(e.Run)
	if err != nil {
		return badID(err)
	}
	run, err := x.store.EvalRun(ctx, id)
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
		conversations[i] = conversationOf(run.ID, i+1)
	}
	if err := x.stop(ctx, conversations); err != nil {
		return err
	}
	return x.store.EraseEvalConversations(ctx, conversations...)
}

// stop stops the turns of conversations that are still worked on: their run was cancelled, or has failed.
func (x examiner) stop(ctx context.Context, conversations []uuid.UUID) error {
	open, err := x.store.OpenEvalTurns(ctx, conversations...)
	if err != nil {
		return err
	}
	for _, turn := range open {
		err := x.store.RequestStop(ctx, store.Nobody, turn)
		if err == nil {
			_, err = x.work.Stop(ctx, turn.String())
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("stop the turn of a test: %w", err)
		}
	}
	return nil
}

func (x examiner) end(ctx context.Context, run store.EvalRun, e workflows.RunEnding) error {
	results, err := resultsOf(ctx, x.store, run.ID)
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
	return x.store.EndEvalRun(ctx, run.ID, ending)
}

// resultsOf gives the results that a run has, in the order of its tests.
func resultsOf(ctx context.Context, s *store.Store, run uuid.UUID) ([]evals.Result, error) {
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
