package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
	"munshi/orchestrator/turns"
)

// Ref identifies a turn and the workflow run that works on it.
type Ref struct {
	Workspace, Conversation, Turn uuid.UUID
	Run                           string
	Trace                         string // the id of the run's trace; "" if there is no trace
}

// held is an error that names the run which owns the turn.
type held struct{ run string }

func (h *held) Error() string { return "run " + h.run + " has the turn" }

// asRun runs fn in a transaction that locks the turn for the run in ref. A turn without a run belongs to the first run
// that asks; a later run of the same workflow, which a reset creates, takes it over. If the run was replaced, or has
// ended the turn, asRun returns ErrSuperseded without calling fn.
func (s *Store) asRun(ctx context.Context, ref Ref, what string, fn func(*db.Queries, Turn) error) error {
	replaces := "" // the run that is known to be older than this one
	for {
		err := s.within(ctx, ref.Workspace, func(q *db.Queries) error {
			turn, err := q.LockTurn(ctx, ref.Turn)
			if err != nil {
				return err
			}
			mine := turn.RunID != nil && *turn.RunID == ref.Run
			switch {
			case mine && turn.State == "running":
				return fn(q, turn)
			case !mine && turn.RunID != nil && *turn.RunID != replaces:
				return &held{*turn.RunID}
			}
			if turn, err = take(ctx, q, ref, turn); err != nil {
				return err
			}
			return fn(q, turn)
		})
		var other *held
		if errors.As(err, &other) {
			replaces = other.run
			if err = s.isLatest(ctx, ref); err == nil {
				continue
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		return nil
	}
}

// isLatest returns ErrSuperseded if the run was replaced before its first write.
func (s *Store) isLatest(ctx context.Context, ref Ref) error {
	if s.LatestRun == nil {
		return nil
	}
	latest, err := s.LatestRun(ctx, ref.Turn)
	if err != nil {
		return fmt.Errorf("ask which run of the turn is the latest: %w", err)
	}
	if latest != ref.Run {
		return ErrSuperseded
	}
	return nil
}

// take assigns the turn to a run that does not own it yet.
func take(ctx context.Context, q *db.Queries, ref Ref, before Turn) (Turn, error) {
	turn, err := optional(q.ClaimTurn(ctx, db.ClaimTurnParams{ID: ref.Turn, RunID: ref.Run, TraceID: ref.Trace}))
	if violates(err, "turns_one_open") {
		return Turn{}, ErrSuperseded // a later turn of the conversation is running, so this one stays ended
	}
	if err != nil {
		return Turn{}, err
	}
	if turn == nil {
		return Turn{}, ErrSuperseded
	}
	if before.RunID != nil {
		if err := reopen(ctx, q, ref.Turn); err != nil {
			return Turn{}, err
		}
	}
	return *turn, q.NotifyStep(ctx, ref.Conversation)
}

// PlannedStep is a step as the manifest lists it.
type PlannedStep struct{ ID, Kind, Title string }

// Begin assigns the turn to the run and stores its steps.
func (s *Store) Begin(ctx context.Context, ref Ref, steps []PlannedStep) (begun turns.Begun, err error) {
	plan := db.AddStepsParams{TurnID: ref.Turn, WorkspaceID: ref.Workspace}
	for _, st := range steps {
		plan.Ids, plan.Kinds, plan.Titles = append(plan.Ids, st.ID), append(plan.Kinds, st.Kind), append(plan.Titles,
			st.Title)
	}
	err = s.look(ctx, ref.Workspace, func(q *db.Queries) error {
		row, err := q.BeginFirst(ctx, db.BeginFirstParams{ID: ref.Turn, RunID: ref.Run, TraceID: ref.Trace,
			Ids: plan.Ids, Kinds: plan.Kinds, Titles: plan.Titles})
		begun = turns.Begun{Stop: row.StopRequested, Awaited: row.Awaited, Premium: row.Premium}
		return err
	})
	if err == nil {
		return begun, nil
	}
	if !errors.Is(err, ErrNotFound) {
		return turns.Begun{}, fmt.Errorf("begin the turn: %w", err)
	}
	err = s.asRun(ctx, ref, "begin the turn", func(q *db.Queries, t Turn) error {
		begun.Stop = t.StopRequested
		if begun.Awaited, err = isAwaited(ctx, q, t); err != nil {
			return err
		}
		sub, err := optional(q.Subscription(ctx, t.WorkspaceID))
		if err != nil {
			return err
		}
		begun.Premium = sub != nil && sub.Premium
		if err := q.DropSteps(ctx, ref.Turn); err != nil {
			return err
		}
		if err := q.AddSteps(ctx, plan); err != nil {
			return err
		}
		return q.NotifyStep(ctx, ref.Conversation)
	})
	return begun, err
}

// isAwaited reports whether a turn has a document while the conversation's follow-up waits.
func isAwaited(ctx context.Context, q *db.Queries, t Turn) (bool, error) {
	if t.DocumentID == nil {
		return false, nil
	}
	return q.FollowUpWaits(ctx, t.ConversationID)
}

// StepState is the state of a step as it is shown.
type StepState struct {
	State       string // pending, running, done, failed
	Note        string
	Done, Total int
}

// SetStep stores the state of a step and notifies those who watch the conversation.
func (s *Store) SetStep(ctx context.Context, ref Ref, step string, st StepState) error {
	return s.asRun(ctx, ref, "note the step", func(q *db.Queries, _ Turn) error {
		return setStep(ctx, q, ref, step, st)
	})
}

// NoteStep stores what a running step is doing at the moment, without changing its progress.
func (s *Store) NoteStep(ctx context.Context, ref Ref, step, note string) error {
	return s.asRun(ctx, ref, "note what the step is at", func(q *db.Queries, _ Turn) error {
		if err := q.NoteStep(ctx, db.NoteStepParams{TurnID: ref.Turn, ID: step, Note: note}); err != nil {
			return err
		}
		return q.NotifyStep(ctx, ref.Conversation)
	})
}

// EndPiece records that piece number piece of total pieces of a step is done; repeated calls count once. The last
// piece ends the step.
func (s *Store) EndPiece(ctx context.Context, ref Ref, step string, piece, total int) error {
	return s.asRun(ctx, ref, "count a piece of the step", func(q *db.Queries, _ Turn) error {
		if err := q.EndPiece(ctx, db.EndPieceParams{TurnID: ref.Turn, ID: step, Piece: int32(piece),
			Total: int32(total)}); err != nil {
			return err
		}
		return q.NotifyStep(ctx, ref.Conversation)
	})
}

func setStep(ctx context.Context, q *db.Queries, ref Ref, step string, st StepState) error {
	err := q.SetStep(ctx, db.SetStepParams{TurnID: ref.Turn, ID: step, State: st.State, Note: st.Note,
		Done: int32(st.Done), Total: int32(st.Total)})
	if err != nil {
		return err
	}
	return q.NotifyStep(ctx, ref.Conversation)
}

// SavePage stores a page that was read, and the step's progress; a page that is already stored is not changed.
func (s *Store) SavePage(ctx context.Context, ref Ref, document uuid.UUID, p turns.Page, step string,
	st StepState) error {
	return s.asRun(ctx, ref, "keep the page", func(q *db.Queries, _ Turn) error {
		err := q.AddPage(ctx, db.AddPageParams{DocumentID: document, Number: int32(p.Number),
			WorkspaceID: ref.Workspace, Text: clean(p.Text), Method: p.Method, Confidence: p.Confidence,
			Languages: p.Languages, Width: p.Width, Height: p.Height, Words: p.Words})
		if err != nil {
			return err
		}
		return setStep(ctx, q, ref, step, st)
	})
}

// SaveFacts stores the facts computed from the notice, gives the conversation its title, and ends the step.
// Corrections made meanwhile remain in force. watched reports whether the notice has dates to remind of.
func (s *Store) SaveFacts(ctx context.Context, ref Ref, document uuid.UUID, facts []byte,
	title, step string) (watched bool, err error) {
	err = s.asRun(ctx, ref, "keep the facts", func(q *db.Queries, _ Turn) error {
		if err := q.PutFacts(ctx, db.PutFactsParams{DocumentID: document, WorkspaceID: ref.Workspace,
			Facts: facts}); err != nil {
			return err
		}
		if err := q.NoteNotice(ctx, db.NoteNoticeParams{ID: ref.Conversation, DocumentID: document}); err != nil {
			return err
		}
		if watched, err = q.WatchReply(ctx, ref.Conversation); err != nil {
			return err
		}
		if title != "" {
			if err := q.TitleConversation(ctx,
				db.TitleConversationParams{ID: ref.Conversation, Title: short(title, maxTitle)}); err != nil {
				return err
			}
		}
		return setStep(ctx, q, ref, step, StepState{State: "done"})
	})
	return watched, err
}

// SaveProposed stores proposals, as JSON by field, for fields that a notice's facts leave open, and ends the step.
func (s *Store) SaveProposed(ctx context.Context, ref Ref, document uuid.UUID, proposed json.RawMessage,
	step string) error {
	return s.asRun(ctx, ref, "keep what was proposed", func(q *db.Queries, _ Turn) error {
		if err := q.PutProposed(ctx, db.PutProposedParams{DocumentID: document,
			Proposed: cleanJSON(proposed)}); err != nil {
			return err
		}
		return setStep(ctx, q, ref, step, StepState{State: "done"})
	})
}

// Result returns the stored result of a step for these inputs. ErrNotFound: there is none.
func (s *Store) Result(ctx context.Context, ref Ref, key turns.ResultKey) (json.RawMessage, error) {
	var out json.RawMessage
	err := s.look(ctx, ref.Workspace, func(q *db.Queries) (err error) {
		out, err = q.Result(ctx, db.ResultParams{TurnID: ref.Turn, Step: key.Step, Part: key.Part,
			InputSha: key.InputSHA})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for the step's result: %w", err)
	}
	return out, nil
}

// SaveResult stores the result of a step, and ends the step unless this is only a part of it.
func (s *Store) SaveResult(ctx context.Context, ref Ref, key turns.ResultKey, output any) error {
	_, err := s.saveResult(ctx, ref, key, output, nil, nil, nil)
	return err
}

// SaveFound is like SaveResult, for a result that can be computed again: it does not wait until the disk has it.
func (s *Store) SaveFound(ctx context.Context, ref Ref, key turns.ResultKey, found any) error {
	_, err := s.saveResult(ctx, ref, key, found, nil, []statement{relaxed()}, nil)
	return err
}

// SaveAnswer is like SaveResult, for a model's answer: it also stores the question, and last, the final piece of the
// streamed text ("" if none). An answer that was not streamed has no epoch. ErrRewritten: the answer is stored, but
// another attempt is now writing the text and will continue with this answer.
func (s *Store) SaveAnswer(ctx context.Context, ref Ref, key turns.ResultKey, answer, question any, at EventID,
	last string) error {
	epoch, err := s.saveResult(ctx, ref, key, answer, question, nil, func(q *db.Queries) error {
		if last == "" {
			return nil
		}
		return q.AddLastEvent(ctx, db.AddLastEventParams{TurnID: ref.Turn, RunID: ref.Run, Epoch: at.Epoch, Seq: at.Seq,
			After: at.Seq - 1, Text: clean(last)})
	})
	if err == nil && at.Epoch > 0 && epoch != at.Epoch {
		err = ErrRewritten
	}
	return err
}

// saveResult stores the result of a step after the settings and before, in one round trip, and returns the turn's
// epoch.
func (s *Store) saveResult(
	ctx context.Context, ref Ref, key turns.ResultKey, output, question any, settings []statement,
	before func(*db.Queries) error,
) (epoch int64, err error) {
	raw, err := json.Marshal(output)
	if err != nil {
		return 0, fmt.Errorf("encode the step's result: %w", err)
	}
	var asked json.RawMessage
	if question != nil {
		if asked, err = json.Marshal(question); err != nil {
			return 0, fmt.Errorf("encode the step's question: %w", err)
		}
		asked = cleanJSON(asked)
	}
	keep := func(q *db.Queries) error {
		if before != nil {
			if err := before(q); err != nil {
				return err
			}
		}
		row, err := q.KeepResult(ctx, db.KeepResultParams{TurnID: ref.Turn, RunID: ref.Run, Step: key.Step,
			Part: key.Part, InputSha: key.InputSHA, WorkspaceID: ref.Workspace, Output: cleanJSON(raw),
			Question: asked})
		epoch = row.Epoch
		return err
	}
	as, err := asWorkspace(ctx, ref.Workspace)
	if err != nil {
		return 0, err
	}
	switch err = s.alone(ctx, append([]statement{as}, settings...), keep); {
	case errors.Is(err, ErrNotFound): // the run does not own the turn yet, or may not own it
		err = s.asRun(ctx, ref, "keep the step's result", func(q *db.Queries, _ Turn) error { return keep(q) })
		return epoch, err
	case err != nil:
		return 0, fmt.Errorf("keep the step's result: %w", err)
	}
	return epoch, nil
}

// OpenEpoch starts the turn's text again for this attempt of a step: the text of an earlier attempt is no longer
// current, and its writer can add nothing more.
func (s *Store) OpenEpoch(ctx context.Context, ref Ref, step string) (epoch int64, err error) {
	open := func(q *db.Queries) error {
		row, err := q.OpenEpoch(ctx, db.OpenEpochParams{ID: ref.Turn, RunID: ref.Run, Step: step})
		epoch = row.Epoch
		return err
	}
	switch err = s.look(ctx, ref.Workspace, open); {
	case errors.Is(err, ErrNotFound): // the run does not own the turn yet, or may not own it
		err = s.asRun(ctx, ref, "open the text", func(q *db.Queries, _ Turn) error { return open(q) })
	case err != nil:
		err = fmt.Errorf("open the text: %w", err)
	}
	return epoch, err
}

// Append adds a piece to the text of an epoch. Readers see it at once, but a crash of the database may lose it: then
// this or a later call fails, and the writer must open a new epoch and write all its text again. ErrRewritten: the
// epoch is no longer current.
func (s *Store) Append(ctx context.Context, ref Ref, at EventID, text string) error {
	added := false
	as, err := asWorkspace(ctx, ref.Workspace)
	if err != nil {
		return fmt.Errorf("add to the text: %w", err)
	}
	err = s.alone(ctx, []statement{as, relaxed()}, func(q *db.Queries) (err error) {
		added, err = q.AddEvent(ctx, db.AddEventParams{TurnID: ref.Turn, RunID: ref.Run, Epoch: at.Epoch, Seq: at.Seq,
			After: at.Seq - 1, Text: clean(text)})
		return err
	})
	if err == nil && !added {
		err = s.whyNotAdded(ctx, ref, at)
	}
	if err != nil {
		return fmt.Errorf("add to the text: %w", err)
	}
	if s.Stored != nil {
		s.Stored(ref.Conversation, Piece{at, clean(text)})
	}
	return nil
}

// whyNotAdded returns why a piece of text was refused: a newer attempt is writing, or the piece before it is missing.
func (s *Store) whyNotAdded(ctx context.Context, ref Ref, at EventID) error {
	whole := at.Seq == 1
	if !whole {
		err := s.look(ctx, ref.Workspace, func(q *db.Queries) (err error) {
			whole, err = q.EventExists(ctx,
				db.EventExistsParams{ConversationID: ref.Conversation, Epoch: at.Epoch, Seq: at.Seq - 1})
			return err
		})
		if err != nil {
			return err
		}
	}
	if !whole {
		return errors.New("the database has lost the piece before this one")
	}
	return ErrRewritten
}

// Required is a document that a reply requires.
type Required struct{ Type, Reason string }

// ReplaceRequired replaces the conversation's list of required documents. Documents that were handed in for an entry
// of the same name are kept. It opens the follow-up if a document is missing, and reports whether the follow-up waits.
func (s *Store) ReplaceRequired(ctx context.Context, ref Ref, list []Required) (waits bool, err error) {
	err = s.asRun(ctx, ref, "keep the required documents", func(q *db.Queries, _ Turn) error {
		before, err := q.RequiredDocuments(ctx, ref.Conversation)
		if err != nil {
			return err
		}
		if err := q.ClearRequiredDocuments(ctx, ref.Conversation); err != nil {
			return err
		}
		known := sameDocuments(before, list)
		for i, r := range list {
			was := known[i]
			waits = waits || was.State != "reviewed"
			err := q.AddRequiredDocument(ctx,
				db.AddRequiredDocumentParams{ID: was.ID, ConversationID: ref.Conversation, Position: int32(i),
					WorkspaceID: ref.Workspace, Type: OneLine(r.Type), Reason: OneLine(r.Reason),
					DocumentID: was.DocumentID})
			if err != nil {
				return err
			}
		}
		if waits {
			if err := q.OpenFollowUp(ctx,
				db.OpenFollowUpParams{ConversationID: ref.Conversation, WorkspaceID: ref.Workspace}); err != nil {
				return err
			}
		}
		waits, err = q.FollowUpWaits(ctx, ref.Conversation)
		return err
	})
	return waits, err
}

// sameDocuments returns a row for each document of the list: the earlier row with the same name and reason, else an
// earlier one with the same name that no other entry takes, else a new one.
func sameDocuments(before []RequiredDocumentRow, list []Required) []RequiredDocumentRow {
	rows := make([]RequiredDocumentRow, len(list))
	taken := map[uuid.UUID]bool{}
	match := func(same func(RequiredDocumentRow, Required) bool) {
		for i, r := range list {
			if rows[i].ID != uuid.Nil {
				continue
			}
			for _, was := range before {
				if !taken[was.ID] && strings.EqualFold(was.Type, OneLine(r.Type)) && same(was, r) {
					rows[i], taken[was.ID] = was, true
					break
				}
			}
		}
	}
	match(func(was RequiredDocumentRow, r Required) bool { return was.Reason == OneLine(r.Reason) })
	match(func(RequiredDocumentRow, Required) bool { return true })
	for i := range rows {
		if rows[i].ID == uuid.Nil {
			rows[i].ID = newID()
		}
	}
	return rows
}

// Ending says how a turn ends: answered with its text, stopped with what was written so far, or failed with an
// apology.
type Ending struct {
	State      string // answered, stopped, failed
	Text       string // the answer or apology; a stopped turn keeps its streamed text instead
	Provenance json.RawMessage
	Checks     json.RawMessage
	ErrorCode  string
	Sentence   string
}

// End ends the turn and stores the assistant's message in one transaction. It reports whether the turn had a document
// while the conversation's follow-up waits. Repeating it as the same run changes nothing.
func (s *Store) End(ctx context.Context, ref Ref, e Ending) (awaited bool, err error) {
	if e.State == "answered" {
		var row db.EndAnsweredRow
		err := s.look(ctx, ref.Workspace, func(q *db.Queries) (err error) {
			row, err = q.EndAnswered(ctx,
				db.EndAnsweredParams{ID: ref.Turn, RunID: ref.Run, MessageID: newID(), Text: clean(e.Text),
					Provenance: e.Provenance, Checks: checksOf(e)})
			return err
		})
		switch {
		case err == nil:
			return row.Awaited, nil
		case !errors.Is(err, ErrNotFound):
			return false, fmt.Errorf("end the turn: %w", err)
		}
	}
	err = s.asRun(ctx, ref, "end the turn", func(q *db.Queries, t Turn) error {
		if awaited, err = isAwaited(ctx, q, t); err != nil {
			return err
		}
		return end(ctx, q, t, e)
	})
	if !errors.Is(err, ErrSuperseded) {
		return awaited, err
	}
	return s.Ended(ctx, ref, e.State)
}

// Ended reports, for a turn that this run has ended in this state, whether it had a document while the conversation's
// follow-up waits. ErrSuperseded: this run has not ended it in that state.
func (s *Store) Ended(ctx context.Context, ref Ref, state string) (awaited bool, err error) {
	err = s.within(ctx, ref.Workspace, func(q *db.Queries) error {
		t, err := q.Turn(ctx, ref.Turn)
		if err != nil {
			return err
		}
		if t.RunID == nil || *t.RunID != ref.Run || t.State != state {
			return ErrSuperseded
		}
		awaited, err = isAwaited(ctx, q, t)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("look whether the turn has ended: %w", err)
	}
	return awaited, nil
}

// EndFromOutside ends a turn whose workflow never started, or was closed without ending it. If seen is given, the
// turn must be unchanged since then. ErrNotFound: it has ended or changed.
func (s *Store) EndFromOutside(ctx context.Context, workspace, turn uuid.UUID, e Ending, seen *OpenTurn) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		t, err := q.LockTurn(ctx, turn)
		if err != nil {
			return err
		}
		if t.State != "queued" && t.State != "running" {
			return ErrNotFound
		}
		if seen != nil && (t.State != seen.State || t.StopRequested != seen.Stop || deref(t.RunID) != seen.Run) {
			return ErrNotFound
		}
		return end(ctx, q, t, e)
	})
	if err != nil {
		return fmt.Errorf("end the turn from outside: %w", err)
	}
	return nil
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func checksOf(e Ending) json.RawMessage {
	if e.Checks == nil {
		return json.RawMessage("[]")
	}
	return e.Checks
}

func end(ctx context.Context, q *db.Queries, t Turn, e Ending) error {
	text, state := e.Text, "complete"
	switch e.State {
	case "failed":
		state = "failed"
	case "stopped":
		state = "stopped"
		events, err := q.Events(ctx, db.EventsParams{ConversationID: t.ConversationID, Epoch: t.Epoch})
		if err != nil {
			return err
		}
		text = ""
		for _, ev := range events {
			text += ev.Text
		}
	}
	if text != "" || e.State != "stopped" {
		err := q.PutAnswer(ctx, db.PutAnswerParams{ID: newID(), WorkspaceID: t.WorkspaceID,
			ConversationID: t.ConversationID, TurnID: t.ID, Text: clean(text), State: state, Provenance: e.Provenance,
			Checks: checksOf(e)})
		if err != nil {
			return err
		}
	}
	last := "done"
	if e.State != "answered" {
		last = "failed"
	}
	if err := q.EndSteps(ctx, db.EndStepsParams{TurnID: t.ID, State: last}); err != nil {
		return err
	}
	if err := q.EndTurn(ctx, db.EndTurnParams{ID: t.ID, State: e.State, ErrorCode: e.ErrorCode,
		ErrorSentence: e.Sentence}); err != nil {
		return err
	}
	if err := q.TouchConversation(ctx, t.ConversationID); err != nil {
		return err
	}
	return q.Notify(ctx, t.ConversationID)
}
