package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
	"munshi/orchestrator/turns"
)

// Nobody is the workspace for work that no person asked for, such as the cases of evaluations. Its costs are charged
// to no one.
var Nobody = uuid.Nil

// What started a run of cases.
const (
	ByCommand  = "command"
	ByOperator = "operator"
	ByTraining = "training" // the dashboard's built-in examples
	ByGate     = "gate"     // the test of new prompts before they may be used
)

// EvalCase is a copy of a case, as it was when the run was created.
type EvalCase struct {
	SHA, Plugin, ID string
	Source          string // YAML
	Asked           string // hash of the question and inputs, without the expected answer
	Document        *EvalDocument
}

// EvalDocument is a document that cases refer to.
type EvalDocument struct {
	SHA, Name string
	Data      []byte
}

// NewEvalRun is a run of cases to be created.
type NewEvalRun struct {
	By      string
	Set     string // which cases were selected, "" for all
	Chosen  []string
	Bundles map[string]string
	Repeats int
	AtOnce  int
	Cases   []EvalCase
}

// EvalRun is the current state of a run of cases.
type EvalRun struct {
	db.EvalRun
	Bundles     map[string]string
	Tests, Done int
	Held        []string // why its prompts may not be used
}

// Ended reports whether the run is final.
func (r EvalRun) Ended() bool { return r.State != "queued" && r.State != "running" }

// AddEvalRun stores a run with its cases, returns its id, and notifies those who watch Nobody. Its tests are numbered
// from 1; each case makes as many tests as there are repeats.
func (s *Store) AddEvalRun(ctx context.Context, n NewEvalRun) (uuid.UUID, error) {
	bundles, err := json.Marshal(n.Bundles)
	if err != nil {
		return uuid.Nil, fmt.Errorf("encode the prompts of the run: %w", err)
	}
	id := newID()
	err = s.system(ctx, func(q *db.Queries) error {
		if err := q.AddEvalRun(ctx, db.AddEvalRunParams{ID: id, By: n.By, Sets: n.Set,
			Chosen: append([]string{}, n.Chosen...), Bundles: bundles, Repeats: int32(n.Repeats),
			AtOnce: int32(n.AtOnce)}); err != nil {
			return err
		}
		if err := q.Notify(ctx, Nobody); err != nil {
			return err
		}
		if err := q.HoldEvalCases(ctx); err != nil {
			return err
		}
		number := int32(0)
		for _, c := range n.Cases {
			row := db.AddEvalCaseParams{Sha: c.SHA, Plugin: c.Plugin, ID: c.ID, Source: c.Source, Asked: c.Asked}
			if d := c.Document; d != nil {
				row.Document = &d.SHA
				if err := q.AddEvalDocument(ctx,
					db.AddEvalDocumentParams{Sha: d.SHA, Name: d.Name, Data: d.Data}); err != nil {
					return err
				}
			}
			if err := q.AddEvalCase(ctx, row); err != nil {
				return err
			}
			for repeat := range n.Repeats {
				number++
				if err := q.AddEvalTest(ctx,
					db.AddEvalTestParams{RunID: id, Number: number, CaseSha: c.SHA,
						Repeat: int32(repeat + 1)}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("keep the evaluation: %w", err)
	}
	return id, nil
}

func evalRun(r db.EvalRun, tests, done int32) (EvalRun, error) {
	run := EvalRun{EvalRun: r, Tests: int(tests), Done: int(done)}
	if err := errors.Join(json.Unmarshal(r.Bundles, &run.Bundles), json.Unmarshal(r.Held, &run.Held)); err != nil {
		return EvalRun{}, fmt.Errorf("decode the evaluation %s: %w", r.ID, err)
	}
	return run, nil
}

// EvalRun returns a run. It returns ErrNotFound if there is none.
func (s *Store) EvalRun(ctx context.Context, id uuid.UUID) (EvalRun, error) {
	var row db.EvalRunRow
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		row, err = q.EvalRun(ctx, id)
		return err
	})
	if err != nil {
		return EvalRun{}, fmt.Errorf("read the evaluation: %w", err)
	}
	return evalRun(row.EvalRun, row.Tests, row.Done)
}

// EvalRunLike returns the one run whose id begins with the given text. ErrNotFound: there is none; ErrAmbiguous: there
// are several.
func (s *Store) EvalRunLike(ctx context.Context, prefix string) (EvalRun, error) {
	var ids []uuid.UUID
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		ids, err = q.EvalRunsLike(ctx, prefix)
		return err
	})
	switch {
	case err != nil:
		return EvalRun{}, fmt.Errorf("look for the evaluation %s: %w", prefix, err)
	case len(ids) == 0:
		return EvalRun{}, fmt.Errorf("look for the evaluation %s: %w", prefix, ErrNotFound)
	case len(ids) > 1:
		return EvalRun{}, fmt.Errorf("look for the evaluation %s: %w", prefix, ErrAmbiguous)
	}
	return s.EvalRun(ctx, ids[0])
}

// EvalRuns returns the latest runs of one starter, or of all if by is "", latest first.
func (s *Store) EvalRuns(ctx context.Context, by string, most int) ([]EvalRun, error) {
	var rows []db.EvalRunsRow
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		rows, err = q.EvalRuns(ctx, db.EvalRunsParams{By: by, Most: int32(most)})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the evaluations: %w", err)
	}
	runs := make([]EvalRun, len(rows))
	for i, r := range rows {
		if runs[i], err = evalRun(r.EvalRun, r.Tests, r.Done); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// PastEvalRun is a completed run of a whole set of cases.
type PastEvalRun struct {
	db.EvalHistoryRow
	Bundles map[string]string
}

// EvalHistory returns the latest completed runs of whole sets, latest first, with a limit (each) per set and starter.
func (s *Store) EvalHistory(ctx context.Context, each int) ([]PastEvalRun, error) {
	var rows []db.EvalHistoryRow
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		rows, err = q.EvalHistory(ctx, int32(each))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list past evaluations: %w", err)
	}
	runs := make([]PastEvalRun, len(rows))
	for i, r := range rows {
		runs[i].EvalHistoryRow = r
		if err := json.Unmarshal(r.Bundles, &runs[i].Bundles); err != nil {
			return nil, fmt.Errorf("decode the prompts of the evaluation %s: %w", r.ID, err)
		}
	}
	return runs, nil
}

// EraseEvalRuns deletes the runs that ended before a time, the cases that only these runs used, and the readings of
// corpora from before that time. Blessed runs are kept.
func (s *Store) EraseEvalRuns(ctx context.Context, before time.Time) error {
	err := s.system(ctx, func(q *db.Queries) error {
		n, err := q.EraseEvalRuns(ctx, &before)
		if err == nil {
			err = q.EraseEvalReadings(ctx, before)
		}
		if err != nil || n == 0 {
			return err
		}
		if err := q.LockEvalCases(ctx); err != nil {
			return err
		}
		if err := q.EraseEvalCases(ctx); err != nil {
			return err
		}
		return q.EraseEvalDocuments(ctx)
	})
	if err != nil {
		return fmt.Errorf("erase old evaluations: %w", err)
	}
	return nil
}

// OpenEvalRun is a run that has not ended, with what the reconciler needs.
type OpenEvalRun = db.OpenEvalRunsRow

// OpenEvalRuns returns the runs that were created before the time and have not ended.
func (s *Store) OpenEvalRuns(ctx context.Context, before time.Time) (open []OpenEvalRun, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		open, err = q.OpenEvalRuns(ctx, before)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the open evaluations: %w", err)
	}
	return open, nil
}

// BeginEvalRun records that a run has started, and its model settings. ErrNotFound: it has ended, or there is no such
// run.
func (s *Store) BeginEvalRun(ctx context.Context, id uuid.UUID, settings json.RawMessage) error {
	return s.changeEvalRun(ctx, "begin the evaluation", func(q *db.Queries) (int64, error) {
		return q.BeginEvalRun(ctx, db.BeginEvalRunParams{ID: id, Settings: settings})
	})
}

// EvalEnding is how a run ends.
type EvalEnding struct {
	State, Reason string
	Totals        json.RawMessage
	Held          []string // why its prompts may not be used; nil if this was not checked
}

// EndEvalRun ends a run for good. ErrNotFound: it has ended already, or there is no such run.
func (s *Store) EndEvalRun(ctx context.Context, id uuid.UUID, e EvalEnding) error {
	held, err := json.Marshal(append([]string{}, e.Held...))
	if err != nil {
		return fmt.Errorf("encode why prompts are held: %w", err)
	}
	return s.changeEvalRun(ctx, "end the evaluation", func(q *db.Queries) (int64, error) {
		return q.EndEvalRun(ctx, db.EndEvalRunParams{ID: id, State: e.State, Reason: e.Reason, Totals: e.Totals,
			Held: held})
	})
}

// CancelEvalRun requests that a run be ended. ErrNotFound: it has ended, or there is no such run.
func (s *Store) CancelEvalRun(ctx context.Context, id uuid.UUID) error {
	return s.changeEvalRun(ctx, "cancel the evaluation", func(q *db.Queries) (int64, error) {
		return q.CancelEvalRun(ctx, id)
	})
}

func (s *Store) changeEvalRun(ctx context.Context, what string, change func(*db.Queries) (int64, error)) error {
	err := s.system(ctx, func(q *db.Queries) error {
		n, err := change(q)
		if err == nil && n == 0 {
			return ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// EvalTest is one case in one repeat of a run.
type EvalTest struct {
	Number, Repeat        int
	Plugin, Source, Asked string
	Document              string // its sha, "" for none
}

// EvalTests returns the tests of a run that have no result yet.
func (s *Store) EvalTests(ctx context.Context, run uuid.UUID) ([]EvalTest, error) {
	var tests []EvalTest
	err := s.systemLook(ctx, func(q *db.Queries) error {
		rows, err := q.EvalTests(ctx, run)
		for _, r := range rows {
			tests = append(tests, EvalTest{Number: int(r.Number), Repeat: int(r.Repeat), Plugin: r.Plugin,
				Source: r.Source, Asked: r.Asked, Document: deref(r.Document)})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list what is left of the evaluation: %w", err)
	}
	return tests, nil
}

// EvalDocument returns a document that cases refer to. It returns ErrNotFound if there is none.
func (s *Store) EvalDocument(ctx context.Context, sha string) (EvalDocument, error) {
	var r db.EvalDocumentRow
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		r, err = q.EvalDocument(ctx, sha)
		return err
	})
	if err != nil {
		return EvalDocument{}, fmt.Errorf("read a document of the evaluation: %w", err)
	}
	return EvalDocument{SHA: sha, Name: r.Name, Data: r.Data}, nil
}

// EvalResult is the result of a test. Key is a hash of the program, the prompts, the model and the question.
type EvalResult struct {
	Number   int
	Key      string
	Answered bool
	Body     json.RawMessage
}

// AddEvalResults stores results of a run; a test that already has one keeps it.
func (s *Store) AddEvalResults(ctx context.Context, run uuid.UUID, results ...EvalResult) error {
	if len(results) == 0 {
		return nil
	}
	err := s.system(ctx, func(q *db.Queries) error {
		for _, r := range results {
			if err := q.AddEvalResult(ctx,
				db.AddEvalResultParams{RunID: run, Number: int32(r.Number), Key: r.Key, Answered: r.Answered,
					Body: cleanJSON(r.Body)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep results of the evaluation: %w", err)
	}
	return nil
}

// EvalResults returns the results of a run, in the order of its tests.
func (s *Store) EvalResults(ctx context.Context, run uuid.UUID) ([]EvalResult, error) {
	var results []EvalResult
	err := s.systemLook(ctx, func(q *db.Queries) error {
		rows, err := q.EvalResults(ctx, run)
		for _, r := range rows {
			results = append(results, EvalResult{Number: int(r.Number), Body: r.Body})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the results of the evaluation: %w", err)
	}
	return results, nil
}

// EvalAnswers returns the latest stored results with an answer, by key, from any run.
func (s *Store) EvalAnswers(ctx context.Context, keys ...string) (map[string]json.RawMessage, error) {
	answers := map[string]json.RawMessage{}
	err := s.systemLook(ctx, func(q *db.Queries) error {
		rows, err := q.EvalAnswers(ctx, keys)
		for _, r := range rows {
			answers[r.Key] = r.Body
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for answers of earlier evaluations: %w", err)
	}
	return answers, nil
}

// Bless makes a run the baseline with which later runs of these plugins are compared.
func (s *Store) Bless(ctx context.Context, run uuid.UUID, by string, plugins ...string) error {
	err := s.system(ctx, func(q *db.Queries) error {
		for _, plugin := range plugins {
			if err := q.Bless(ctx, db.BlessParams{Plugin: plugin, RunID: run, By: by}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("bless the evaluation: %w", err)
	}
	return nil
}

// EvalBaseline is a plugin's blessed run.
type EvalBaseline = db.EvalBaseline

// Blessed returns the blessed runs by plugin.
func (s *Store) Blessed(ctx context.Context) (map[string]EvalBaseline, error) {
	blessed := map[string]EvalBaseline{}
	err := s.systemLook(ctx, func(q *db.Queries) error {
		rows, err := q.Blessed(ctx)
		for _, b := range rows {
			blessed[b.Plugin] = b
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read which evaluations are blessed: %w", err)
	}
	return blessed, nil
}

// EvalConversation ensures that the workspace Nobody has the conversation, and stores the earlier messages as turns of
// this kind.
func (s *Store) EvalConversation(ctx context.Context, id uuid.UUID, plugin, kind string,
	before []turns.Utterance) error {
	err := s.within(ctx, Nobody, func(q *db.Queries) error {
		n, err := q.EvalConversation(ctx, db.EvalConversationParams{ID: id, WorkspaceID: Nobody, Plugin: plugin})
		if err != nil || n == 0 {
			return err
		}
		at := time.Now().Add(-time.Duration(len(before)+1) * time.Minute)
		var turn uuid.UUID
		for i, u := range before {
			if u.Role == "user" {
				turn = newID()
				said := at.Add(time.Duration(i) * time.Minute)
				if err := q.EvalSaid(ctx,
					db.EvalSaidParams{ID: turn, WorkspaceID: Nobody, ConversationID: id, Kind: kind,
						At: said}); err != nil {
					return err
				}
			}
			err := q.AddMessage(ctx, db.AddMessageParams{ID: newID(), WorkspaceID: Nobody, ConversationID: id,
				TurnID: turn, Role: u.Role, Text: clean(u.Text), State: "complete",
				CreatedAt: at.Add(time.Duration(i) * time.Minute)})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("begin the conversation of a test: %w", err)
	}
	return nil
}

// EvalTokens counts what models read and wrote in a conversation. Paise is nil if the cost is unknown. Waited is how
// long the last turn had to wait for a model because other turns of the evaluation were using it.
type EvalTokens struct {
	Input, Output int
	Paise         *int64
	Waited        time.Duration
}

// EvalTokens counts the tokens of a conversation of Nobody, up to its turn last.
func (s *Store) EvalTokens(ctx context.Context, conversation, last uuid.UUID) (t EvalTokens, err error) {
	err = s.look(ctx, Nobody, func(q *db.Queries) error {
		row, err := q.EvalTokens(ctx, db.EvalTokensParams{ConversationID: conversation, TurnID: last})
		t.Input, t.Output, t.Waited = int(row.InputTokens), int(row.OutputTokens), time.Duration(row.Waited)*time.Millisecond
		if row.CostPaise >= 0 {
			t.Paise = &row.CostPaise
		}
		return err
	})
	if err != nil {
		return t, fmt.Errorf("count what a test has cost: %w", err)
	}
	return t, nil
}

// OpenEvalTurns returns those turns of these conversations of Nobody that have not ended.
func (s *Store) OpenEvalTurns(ctx context.Context, conversations ...uuid.UUID) (open []uuid.UUID, err error) {
	err = s.look(ctx, Nobody, func(q *db.Queries) error {
		open, err = q.OpenEvalTurns(ctx, conversations)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the open turns of the evaluation: %w", err)
	}
	return open, nil
}

// EraseEvalConversations deletes conversations of Nobody with everything in them.
func (s *Store) EraseEvalConversations(ctx context.Context, ids ...uuid.UUID) error {
	err := s.within(ctx, Nobody, func(q *db.Queries) error {
		for _, id := range ids {
			if err := q.EraseEvalConversation(ctx, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("erase what a test was asked in: %w", err)
	}
	return nil
}

// GateRun is the run that tests prompts for the gate.
type GateRun struct {
	ID    uuid.UUID
	State string
	Held  []string // when it has ended: why the prompts may not be used
}

// GateRun returns the latest run in which the gate tests these prompts of the plugin. It returns ErrNotFound if there
// is none.
func (s *Store) GateRun(ctx context.Context, plugin, sha string) (GateRun, error) {
	var row db.GateRunRow
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		row, err = q.GateRun(ctx, db.GateRunParams{Plugin: plugin, Sha: sha})
		return err
	})
	run := GateRun{ID: row.ID, State: row.State}
	if err == nil {
		err = json.Unmarshal(row.Held, &run.Held)
	}
	if err != nil {
		return GateRun{}, fmt.Errorf("look for the run that tries the prompts: %w", err)
	}
	return run, nil
}

// EvalReading is the score of the notice reader on a corpus of labelled papers.
type EvalReading = db.EvalReading

// AddEvalReading stores a score of the reader, with a new ID and the current time.
func (s *Store) AddEvalReading(ctx context.Context, r EvalReading) error {
	err := s.system(ctx, func(q *db.Queries) error {
		return q.AddEvalReading(ctx, db.AddEvalReadingParams{ID: uuid.New(), Corpus: r.Corpus, Version: r.Version,
			Papers: r.Papers, Scores: r.Scores})
	})
	if err != nil {
		return fmt.Errorf("keep how the corpus %s was read: %w", r.Corpus, err)
	}
	return nil
}

// EvalReadings returns the latest readings of every corpus, latest first, with a limit (each) per corpus.
func (s *Store) EvalReadings(ctx context.Context, each int) (list []EvalReading, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		list, err = q.EvalReadings(ctx, int32(each))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list how corpora were read: %w", err)
	}
	return list, nil
}
