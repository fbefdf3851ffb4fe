package workflows

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"munshi/orchestrator/turns"

	"go.temporal.io/sdk/activity"
)

// Ref identifies a turn and the workflow run that works on it. Every write names the run, so that a replaced run
// cannot change anything.
type Ref struct{ Workspace, Conversation, Turn, Run string }

// Progress is the state of a step.
type Progress struct {
	State       string // pending, running, done, failed
	Note        *Note  // what it is doing; nil if there is nothing to say
	Done, Total int
}

// Note says what a step is doing: a code under "progress" in the message catalogue, and the values of its sentence. A
// value is a number, a text, or another Note with the code of a problem.
type Note struct {
	Code   string
	Params map[string]any
}

// Ending says how a turn ends.
type Ending struct {
	State                   string // answered, stopped, failed
	Answer                  *Answer
	Findings                []Finding
	Apology, Code, Sentence string
}

// StreamPiece is a piece of text while it is being written.
type StreamPiece struct {
	Epoch, Seq int64
	Text       string
}

// TurnStore stores turns, their steps and the results of steps.
type TurnStore interface {
	Begin(ctx context.Context, ref Ref, steps []Step) (turns.Begun, error)
	SetStep(ctx context.Context, ref Ref, step string, p Progress) error
	// NoteStep stores what a running step is doing, without changing its progress.
	NoteStep(ctx context.Context, ref Ref, step string, n Note) error
	// EndPiece records that piece number piece of total pieces of a step is done; repeated calls count once. The last
	// piece ends the step.
	EndPiece(ctx context.Context, ref Ref, step string, piece, total int) error
	// Result decodes the stored result of a step for these inputs into out, and reports whether there is one.
	Result(ctx context.Context, ref Ref, key turns.ResultKey, out any) (bool, error)
	SaveResult(ctx context.Context, ref Ref, key turns.ResultKey, result any) error
	// SaveFound is like SaveResult, for a result that can be computed again: a crash of the database may lose it.
	SaveFound(ctx context.Context, ref Ref, key turns.ResultKey, found any) error
	// SaveAnswer is like SaveResult, for a model's answer. The question is stored with it, so that it can be shown
	// later, and so is the last piece of the streamed text, which is empty if everything is already stored.
	SaveAnswer(ctx context.Context, ref Ref, key turns.ResultKey, answer Answer, q Question, last StreamPiece) error
	// End ends the turn. awaited reports that it had a document while the conversation's follow-up waits.
	End(ctx context.Context, ref Ref, e Ending) (awaited bool, err error)
	// Answered returns what End returned, for a turn that this run has answered; otherwise ErrSuperseded.
	Answered(ctx context.Context, ref Ref) (awaited bool, err error)
}

// Document is the document of a turn.
type Document struct {
	ID        string // "" for a turn without a document, such as a form without a file
	Pages     int
	Missing   []int // pages not read yet
	WithWords int   // pages read so far that have words
}

// DocumentStore stores documents, their pages and their facts.
type DocumentStore interface {
	Document(ctx context.Context, ref Ref) (Document, error)
	Copy(ctx context.Context, ref Ref, document string, w io.Writer) error
	SavePage(ctx context.Context, ref Ref, document string, page turns.Page, step string, p Progress) error
	// SaveFacts stores the facts. watched reports whether the notice has dates to remind of.
	SaveFacts(ctx context.Context, ref Ref, document string, facts json.RawMessage,
		title, step string) (watched bool, err error)
	// SaveProposed stores proposals for fields that the facts leave open, and ends the step.
	SaveProposed(ctx context.Context, ref Ref, document string, proposed json.RawMessage, step string) error
	// ReplaceRequired stores the list, and reports whether there are documents to wait for.
	ReplaceRequired(ctx context.Context, ref Ref, list []Required) (bool, error)
}

// PromptContext is what the prompts of a turn may use.
type PromptContext struct {
	Kind         string // of the turn
	Notice       []turns.Page
	Document     []turns.Page // the document sent with this turn, if it is not the notice
	DocumentID   string
	DocumentType string
	Language     string            // language of the answer, by its English name; "" for English
	Message      string            // what the person wrote in this turn
	Inputs       map[string]string // the values of the plugin's inputs, by input id
	Today        time.Time         // the day on which the turn started, in Asia/Kolkata
	Facts        string            // JSON; "" if there are none
	Earlier      *Earlier          // the notes that replace what came before the history; nil if there are none
	History      []turns.Utterance
	Required     []Required
	Authorities  []turns.Authority
	Kept         []string // the steps of this turn that have stored results
	// results of the law step, by step and the hash in the result's key
	Found   map[string]json.RawMessage
	Private []string // names and numbers that providers must not see; nil: nothing is masked
}

// CheckContext is what an answer is checked against.
type CheckContext struct {
	Facts       string // of the notice that the turn is about, as JSON; "" if there are none
	Authorities []turns.Authority
	Pages       []turns.Page // of the documents that the turn is about
	Words       []string     // texts by the person; dates and amounts in them are allowed in the answer
	Today       time.Time    // the day on which the turn started, in Asia/Kolkata
}

func (m PromptContext) checkContext() CheckContext {
	pages := subjectPages(m)
	if m.Facts != "" && len(m.Document) > 0 { // the document is not a notice
		pages = slices.Concat(m.Document, m.Notice)
	}
	words := slices.Collect(maps.Values(m.Inputs))
	words = append(words, m.Message)
	for _, u := range m.History {
		if u.Role == "user" {
			words = append(words, u.Text)
		}
	}
	return CheckContext{m.Facts, m.Authorities, pages, words, m.Today}
}

// Catalogue gives access to the prompts in use, and renders them.
type Catalogue interface {
	// Plan returns the plan of a turn by the plugin's manifest in use, or by that of the pinned bundle.
	Plan(ctx context.Context, plugin, kind, pinned string) (Plan, error)
	// Render fills in the prompt in use or, if that no longer fits, the prompt of the turn's own bundle.
	Render(ctx context.Context, from Prompts, prompt string, values map[string]any) (Question, error)
}

// Materials gathers the material for a turn's prompts.
type Materials interface {
	Gather(ctx context.Context, ref Ref) (PromptContext, error)
	// Read returns authorities with the pages of their PDFs.
	Read(ctx context.Context, ref Ref, of []turns.Authority) ([]turns.Authority, error)
}

// Prompts identifies the prompts that a run uses.
type Prompts struct {
	Plugin string
	Bundle string // the bundle with which the run was planned
	Pinned bool   // the run must use this bundle
}

// StreamStore stores text while it is written.
type StreamStore interface {
	// Open starts the turn's text again, and locks out earlier writers.
	Open(ctx context.Context, ref Ref, step string) (epoch int64, err error)
	Append(ctx context.Context, ref Ref, epoch, seq int64, text string) error
}

// Question is a rendered prompt with its model settings.
type Question struct {
	Prompt      string // plugin/name
	SHA         string // hash of the prompt's text
	Bundle      string // hash of the files of the prompt's plugin
	Messages    []turns.Utterance
	Values      map[string]any
	Private     []string // names and numbers that providers must not see; nil: nothing is masked
	Provider    string   // empty: the configured one
	Fallback    []string // nil: the configured ones
	Model       string
	Temperature *float64
	MaxTokens   int
	// Offline writes the answer without a model; nil if the plugin has no text for this.
	Offline func(values map[string]any) (string, error)
}

// Answer is a model's answer, and how it was written.
type Answer struct {
	Text         string `json:"text"`
	Prompt       string `json:"prompt"`
	PromptSHA    string `json:"prompt_sha"`
	Bundle       string `json:"bundle"`
	Provider     string `json:"provider"`
	Model        string `json:"model"`
	StopReason   string `json:"stop_reason"`
	InputTokens  int    `json:"input_tokens"`
	OutputTokens int    `json:"output_tokens"`
	CostPaise    *int64 `json:"cost_paise"`   // an estimate; nil if unknown
	Milliseconds int    `json:"milliseconds"` // time that the model took
	// milliseconds before that in which it waited for other turns of its evaluation
	Waited int `json:"waited,omitempty"`
	// the notes that replaced the older part of the conversation
	Earlier  *Earlier          `json:"earlier,omitempty"`
	Law      []turns.LawSource `json:"law,omitempty"`      // the provisions of the law given to the model
	Revision int               `json:"revision,omitempty"` // 2 for an answer that was written a second time
	First    string            `json:"first,omitempty"`    // the first answer, if there was a revision
}

// Model writes answers.
type Model interface {
	Ask(ctx context.Context, q Question, onText func(string) error) (Answer, error)
	// Room returns how many tokens the messages of a question may have in addition to its answer; 0 means no limit.
	Room(q Question) int
	// Tokens estimates the number of tokens in a text, erring on the high side.
	Tokens(text string) int
}

// Reader reads pages of a PDF file. onPage is called for one page at a time, as soon as each is ready.
type Reader interface {
	Read(ctx context.Context, path string, pages []int, onPage func(turns.Page) error) error
}

// Finding is a finding of the check step on an answer, as it is stored. Start and End are byte positions in the
// answer, whose text never changes; both are 0 if the finding has no place. Old findings have only a code
// (unknown_provision, cut_off), a message and a quotation.
type Finding struct {
	Code      string `json:"code"` // provision, circular, judgment, quotation, number, fact, figure, claim, view, scope or cut_off
	Message   string `json:"message"`
	Quote     string `json:"quote"`
	Start     int    `json:"start,omitempty"`
	End       int    `json:"end,omitempty"`
	Verdict   string `json:"verdict,omitempty"`
	Act       string `json:"act,omitempty"`
	Provision string `json:"provision,omitempty"`
	Heading   string `json:"heading,omitempty"`
	Page      int    `json:"page,omitempty"`  // the page of the document with this figure
	Words     string `json:"words,omitempty"` // and the words around it on that page

	// For a provision in the law index: the day for which it was looked up, since when it has its wording and the last
	// day of that (all ISO), whether it was omitted, and whether the index has its official text.
	On     string `json:"on,omitempty"`
	From   string `json:"from,omitempty"`
	Until  string `json:"until,omitempty"`
	Status string `json:"status,omitempty"`
	Held   bool   `json:"held,omitempty"`

	Said json.RawMessage `json:"said,omitempty"` // the message with its code, for every language
}

// Law reads facts from a notice and checks answers against them.
type Law interface {
	Facts(pages []turns.Page) (facts json.RawMessage, title string, err error)
	// Open returns the fields that the facts leave open and about which a model may be asked; none if the facts cannot
	// be parsed.
	Open(facts string) []string
	// Propose checks a model's statement of where open fields are printed. It returns what was found on those pages,
	// as JSON by field, how many fields were found, and how many proposals were dropped, by reason.
	Propose(pages []turns.Page, answer string) (proposed json.RawMessage, found int, dropped map[string]int, err error)
	Check(answer string, against CheckContext) []Finding
	// Passages returns passages of law about the subject of a turn, most relevant first.
	Passages(about PromptContext) ([]turns.LawPassage, error)
}

// Filing finds the client and matter of a paper in a firm; outside firms it does nothing.
type Filing interface {
	File(ctx context.Context, workspace, conversation string) error
}

// Activities are the steps of the workflows that have side effects.
type Activities struct {
	Turns     TurnStore
	Documents DocumentStore
	FollowUps FollowUps
	Replies   Replies
	Figures   Figures
	Filing    Filing // nil: papers are not filed
	Payments  Payments
	Drafts    Drafts
	Erase     Eraser
	Runs      Runs
	Runner    Runner
	Catalogue Catalogue
	Materials Materials
	Stream    StreamStore
	Model     Model
	Reader    Reader
	Law       Law
	Proposes  bool // ask a model for fields that the reader left open; false if no model is configured
	Revise    bool // let a model rewrite answers that contradict the facts
	Log       *slog.Logger
	// called for each step that follows an answer in the same activity; nil: not called
	Did func(kind string, took time.Duration, err error)
}

// StepInput identifies a step of a turn.
type StepInput struct {
	TurnInput
	Step Step
}

// askingTurn is the context key for the turn that is calling a model.
type askingTurn struct{}

// AskingTurn returns the turn that is calling a model in an activity; empty if unknown. It is not part of the
// question, since that is stored.
func AskingTurn(ctx context.Context) TurnInput {
	turn, _ := ctx.Value(askingTurn{}).(TurnInput)
	return turn
}

func (in TurnInput) asks(ctx context.Context) context.Context {
	return context.WithValue(ctx, askingTurn{}, in)
}

// prompts returns which prompts a turn uses, if its run was planned with this bundle.
func (in TurnInput) prompts(bundle string) Prompts {
	return Prompts{in.Plugin, bundle, in.Pinned != ""}
}

func (in TurnInput) ref(ctx context.Context) Ref {
	return Ref{in.Workspace, in.Conversation, in.Turn, activity.GetInfo(ctx).WorkflowExecution.RunID}
}

// Begin assigns the turn to this run and takes its plan from the manifest in use.
func (a *Activities) Begin(ctx context.Context, in TurnInput) (Plan, error) {
	plan, err := a.Catalogue.Plan(ctx, in.Plugin, in.Kind, in.Pinned)
	if err != nil {
		return Plan{}, a.refuse(ctx, "begin", err)
	}
	begun, err := a.Turns.Begin(ctx, in.ref(ctx), plan.Steps)
	if err == nil && begun.Awaited {
		err = a.wake(ctx, in)
	}
	if err != nil {
		return Plan{}, a.refuse(ctx, "begin", err)
	}
	plan.Stop, plan.Premium, plan.Settles, plan.Tells = begun.Stop, begun.Premium, true, true
	return plan, nil
}

// wake makes the conversation's follow-up check again.
func (a *Activities) wake(ctx context.Context, in TurnInput) error {
	return a.FollowUps.Wake(ctx, FollowUpInput{Workspace: in.Workspace, Conversation: in.Conversation,
		Plugin: in.Plugin})
}

// Extract reads pages of the turn's document until one batch of pages has been recognised, and returns how many are
// left.
func (a *Activities) Extract(ctx context.Context, in StepInput) (left int, err error) {
	defer alive(ctx)()
	left, err = a.extract(ctx, in)
	return left, a.refuse(ctx, in.Step.ID, err)
}

func (a *Activities) extract(ctx context.Context, in StepInput) (int, error) {
	ref := in.ref(ctx)
	doc, err := a.Documents.Document(ctx, ref)
	if err != nil {
		return 0, err
	}
	if doc.ID == "" {
		return 0, a.Turns.SetStep(ctx, ref, in.Step.ID, Progress{State: "done"})
	}
	read := doc.Pages - len(doc.Missing)
	progress := func(recognised bool) Progress {
		code := "reading_page"
		if recognised {
			code = "recognising_page"
		}
		return Progress{State: "running", Done: read, Total: doc.Pages,
			Note: &Note{code, map[string]any{"number": min(read+1, doc.Pages), "total": doc.Pages}}}
	}
	if len(doc.Missing) > 0 {
		if err := a.Turns.SetStep(ctx, ref, in.Step.ID, progress(false)); err != nil {
			return 0, err
		}
		path, remove, err := a.fetch(ctx, ref, doc.ID)
		if err != nil {
			return 0, err
		}
		defer remove()
		recognised, size, most := 0, pagesAtOnce, recognisedAtOnce
		if in.Kind == Reading {
			size, most = batchAtOnce, batchAtOnce
		}
		for len(doc.Missing) > 0 && recognised < most {
			batch := doc.Missing[:min(size, len(doc.Missing))]
			before := recognised
			err := a.Reader.Read(ctx, path, batch, func(p turns.Page) error {
				read++
				if p.Recognised() {
					recognised++
				}
				if strings.TrimSpace(p.Text) != "" {
					doc.WithWords++
				}
				return a.Documents.SavePage(ctx, ref, doc.ID, p, in.Step.ID, progress(p.Recognised()))
			})
			if err != nil {
				return 0, err
			}
			doc.Missing = doc.Missing[len(batch):]
			if recognised == before {
				size *= 4 // pages with a text layer take a millisecond each
			}
		}
	}
	switch {
	case len(doc.Missing) > 0:
		return len(doc.Missing), nil
	case doc.WithWords == 0:
		return 0, &Failure{Code: "nothing_read", Sentence: "No words could be read on any page of this document. " +
			"Please scan or download it again, and upload the new copy."}
	}
	return 0, a.Turns.SetStep(ctx, ref, in.Step.ID, Progress{State: "done", Done: doc.Pages, Total: doc.Pages})
}

// fetch copies the document to a file that the reader's process can open.
func (a *Activities) fetch(ctx context.Context, ref Ref, document string) (path string, remove func(), err error) {
	f, err := os.CreateTemp("", "munshi-*.pdf")
	if err != nil {
		return "", nil, fmt.Errorf("make a temporary file for the document: %w", err)
	}
	remove = func() { os.Remove(f.Name()) }
	err = a.Documents.Copy(ctx, ref, document, f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		remove()
		return "", nil, fmt.Errorf("copy the document: %w", err)
	}
	return f.Name(), remove, nil
}

// ReadFacts computes the facts that the program itself can read from the notice.
func (a *Activities) ReadFacts(ctx context.Context, in StepInput) error {
	return a.refuse(ctx, in.Step.ID, func() error {
		ref := in.ref(ctx)
		m, err := a.Materials.Gather(ctx, ref)
		if err != nil {
			return err
		}
		if m.DocumentID == "" {
			return a.Turns.SetStep(ctx, ref, in.Step.ID, Progress{State: "done"})
		}
		facts, title, err := a.Law.Facts(m.Notice)
		if err != nil {
			return fmt.Errorf("read the facts: %w", err)
		}
		watched, err := a.Documents.SaveFacts(ctx, ref, m.DocumentID, facts, title, in.Step.ID)
		if err == nil && a.Filing != nil {
			err = a.Filing.File(ctx, in.Workspace, in.Conversation)
		}
		if err != nil || !watched {
			return err
		}
		return a.wake(ctx, in.TurnInput)
	}())
}

// AnswerInput identifies a step that works on the answer of a prompt step.
type AnswerInput struct {
	StepInput
	Answer turns.ResultKey
}

// Check checks the answer against the facts (or the document, if there are none) and the law index, and stores its
// findings.
func (a *Activities) Check(ctx context.Context, in AnswerInput) error {
	return a.refuse(ctx, in.Step.ID, func() error {
		ref := in.ref(ctx)
		answer, err := a.answer(ctx, ref, in.Answer)
		if err != nil {
			return err
		}
		m, err := a.Materials.Gather(ctx, ref)
		if err != nil {
			return err
		}
		key := turns.ResultKey{Step: in.Step.ID, InputSHA: in.Answer.InputSHA}
		if m.Authorities, err = a.Materials.Read(ctx, ref, m.Authorities); err != nil {
			return err
		}
		return a.Turns.SaveResult(ctx, ref, key, a.findings(answer, m.checkContext()))
	}())
}

func (a *Activities) findings(answer Answer, against CheckContext) []Finding {
	findings := a.Law.Check(answer.Text, against)
	if answer.StopReason == "length" {
		const sentence = "The answer reached the model's limit of length here and may be incomplete. Ask it to go on."
		// cannot fail: strings only
		said, _ := json.Marshal(map[string]string{"code": "checks.cut_off", "en": sentence})
		findings = append(findings, Finding{Code: CutOff, Message: sentence, Said: said})
	}
	return findings
}

// RequiredDocuments stores the list of required documents in the answer.
func (a *Activities) RequiredDocuments(ctx context.Context, in AnswerInput) error {
	return a.refuse(ctx, in.Step.ID, func() error {
		ref := in.ref(ctx)
		answer, err := a.answer(ctx, ref, in.Answer)
		if err != nil {
			return err
		}
		if err := a.required(ctx, in, answer); err != nil {
			return err
		}
		return a.Turns.SetStep(ctx, ref, in.Step.ID, Progress{State: "done"})
	}())
}

func (a *Activities) required(ctx context.Context, in AnswerInput, answer Answer) error {
	list, found := RequiredIn(answer.Text)
	if !found && in.Step.Absent == "keep" {
		return nil
	}
	waits, err := a.Documents.ReplaceRequired(ctx, in.ref(ctx), list)
	if err != nil || !waits {
		return err
	}
	return a.wake(ctx, in.TurnInput)
}

func (a *Activities) answer(ctx context.Context, ref Ref, key turns.ResultKey) (Answer, error) {
	var answer Answer
	found, err := a.Turns.Result(ctx, ref, key, &answer)
	if err == nil && !found {
		err = fmt.Errorf("the answer of step %q is not kept", key.Step)
	}
	return answer, err
}

// EndInput says how a turn ends.
type EndInput struct {
	TurnInput
	State                   string
	Answer, Checks          turns.ResultKey
	Apology, Code, Sentence string
}

// End ends the turn and stores the assistant's message.
func (a *Activities) End(ctx context.Context, in EndInput) error {
	return a.refuse(ctx, "end", func() error {
		ref := in.ref(ctx)
		e := Ending{State: in.State, Apology: in.Apology, Code: in.Code, Sentence: in.Sentence}
		if in.State == "answered" && in.Answer.Step != "" {
			answer, err := a.answer(ctx, ref, in.Answer)
			if err != nil {
				return err
			}
			e.Answer = &answer
			if in.Checks.Step != "" {
				if _, err := a.Turns.Result(ctx, ref, in.Checks, &e.Findings); err != nil {
					return err
				}
			}
		}
		return a.finish(ctx, in.TurnInput, ref, e)
	}())
}

func (a *Activities) finish(ctx context.Context, in TurnInput, ref Ref, e Ending) error {
	awaited, err := a.Turns.End(ctx, ref, e)
	if err != nil {
		return err
	}
	return a.told(ctx, in, awaited)
}

// Tell notifies the follow-up about a turn that this run has answered; for any other turn it does nothing.
func (a *Activities) Tell(ctx context.Context, in TurnInput) error {
	awaited, err := a.Turns.Answered(ctx, in.ref(ctx))
	if errors.Is(err, ErrSuperseded) {
		return nil
	}
	if err == nil {
		err = a.told(ctx, in, awaited)
	}
	return a.refuse(ctx, "end", err)
}

// told notifies the conversation's follow-up that the turn has ended, if it waits for the turn's document.
func (a *Activities) told(ctx context.Context, in TurnInput, awaited bool) error {
	if !awaited {
		return nil
	}
	return a.wake(ctx, in)
}

// sha returns a hash of inputs that is the same in every process and version.
func sha(parts ...any) (string, error) {
	raw, err := json.Marshal(parts)
	if err != nil {
		return "", fmt.Errorf("name the inputs: %w", err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}

func partName(level, n int) string { return strconv.Itoa(level) + "." + strconv.Itoa(n) }
