package api

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/store"
)

// Evaluations runs cases and returns the results.
type Evaluations interface {
	// Cases returns the available cases; problems describes the mistakes in their files, one sentence each.
	Cases(ctx context.Context) (cases []EvalCase, problems []string, err error)
	// Start starts a run of cases. A refusal is an error of type Refusal.
	Start(ctx context.Context, by string, wanted WantedEval) (uuid.UUID, error)
	Runs(ctx context.Context, by string, most int) ([]EvalRun, error)
	// History returns the completed runs of whole sets, by plugin and set.
	History(ctx context.Context) ([]EvalSeries, error)
	// Readings returns the latest scores of the notice reader on each corpus of labelled papers, latest first.
	Readings(ctx context.Context) ([]EvalReading, error)
	// Run returns a run with its results so far. ErrNotFound: there is none.
	Run(ctx context.Context, id uuid.UUID) (EvalDetail, error)
	// Compare returns what changed from one run to another. If before is uuid.Nil, after is compared with the blessed
	// runs of its plugins. ErrNotFound: there is no such run.
	Compare(ctx context.Context, before, after uuid.UUID) (EvalComparison, error)
	// Cancel ends a run, which keeps the results it has. ErrNotFound: it has ended, or there is none.
	Cancel(ctx context.Context, id uuid.UUID) error
	// Bless makes a run the baseline for later ones. A refusal is an error of type Refusal.
	Bless(ctx context.Context, id uuid.UUID, by string) error
}

// EvalCase is a case that can be run.
type EvalCase struct {
	Name       string `json:"name" doc:"plugin/id"`
	Plugin     string `json:"plugin"`
	Set        string `json:"set" enum:"builtin,golden,attack,defences"`
	Category   string `json:"category"`
	Difficulty string `json:"difficulty"`
	Language   string `json:"language"`
}

// WantedEval says which cases to run, and how.
type WantedEval struct {
	Plugin  string   `json:"plugin,omitempty" maxLength:"60" doc:"Only the cases of a plugin; left out for all"`
	Set     string   `json:"set,omitempty" enum:"builtin,golden,attack,defences" doc:"Only the cases of a set; left out for all"`
	Cases   []string `json:"cases,omitempty" maxItems:"1000" doc:"Only these, by name; left out for all cases of the plugin and set"`
	Repeats int      `json:"repeats,omitempty" minimum:"1" maximum:"20" doc:"How often each case is tried; once, unless it is given"`
	AtOnce  int      `json:"at_once,omitempty" minimum:"1" maximum:"32" doc:"How many are tried at the same time"`
	Prompts string   `json:"prompts,omitempty" enum:"serving,folder" doc:"The live prompts, or those in the folder that are not live (a change to be tried first, or one that the gate holds back)"`
}

// EvalScore counts tests and those that passed.
type EvalScore struct {
	Name     string  `json:"name"`
	Passed   int     `json:"passed"`
	Of       int     `json:"of"`
	Accuracy string  `json:"accuracy" doc:"With two decimals and a percent sign, or no cases"`
	Low      float64 `json:"low" doc:"The lower end of the interval (Wilson, 95 %) of the true rate, 0 to 1"`
	High     float64 `json:"high"`
}

// EvalTotals are the counts of a run.
type EvalTotals struct {
	EvalScore
	Failed       int    `json:"failed"`
	Ungraded     int    `json:"ungraded" doc:"Number of cases that could not be judged, since no model is configured"`
	HardFailed   int    `json:"hard_failed" doc:"Number of cases in which a check that must pass fails"`
	Cached       int    `json:"cached" doc:"Number of cases whose answer was reused from an earlier run with the same question"`
	InputTokens  int    `json:"input_tokens"`
	OutputTokens int    `json:"output_tokens"`
	CostPaise    *int64 `json:"cost_paise,omitempty" doc:"Left out if it is not known"`
	Milliseconds int    `json:"milliseconds" doc:"Of all turns together"`
}

// EvalRun is a run of cases, in its current state.
type EvalRun struct {
	ID         uuid.UUID         `json:"id" format:"uuid"`
	By         string            `json:"by" enum:"command,operator,training,gate"`
	State      string            `json:"state" enum:"queued,running,done,failed,cancelled"`
	Reason     string            `json:"reason" doc:"Why it failed, in a sentence; otherwise empty"`
	Set        string            `json:"set" doc:"Which cases; empty for all"`
	Chosen     []string          `json:"chosen" doc:"The cases that were chosen by name; empty for a whole set"`
	Bundles    map[string]string `json:"bundles" doc:"The sha of each plugin's prompts"`
	Model      string            `json:"model" doc:"Who answered, in words"`
	Offline    bool              `json:"offline" doc:"The offline engine answered"`
	Repeats    int               `json:"repeats"`
	Tests      int               `json:"tests"`
	Done       int               `json:"done" doc:"Of the tests"`
	Totals     EvalTotals        `json:"totals" doc:"Of the part done so far"`
	Held       []string          `json:"held" doc:"Why the gate does not publish its prompts, in sentences"`
	BlessedFor []string          `json:"blessed_for" doc:"The plugins whose later runs are compared with this one"`
	CreatedAt  time.Time         `json:"created_at"`
	FinishedAt *time.Time        `json:"finished_at,omitempty"`
	URL        string            `json:"url" doc:"The workflow in Temporal's Web UI; empty if its address is not known"`
}

// EvalVerdict is the verdict of one grader on an answer.
type EvalVerdict struct {
	Grader  string `json:"grader"`
	Hard    bool   `json:"hard" doc:"It must pass before prompts can be published"`
	Passed  bool   `json:"passed"`
	Skipped bool   `json:"skipped" doc:"It could not be judged; the field says gives the reason"`
	Model   bool   `json:"model" doc:"A model judged it, or would have"`
	Score   int    `json:"score,omitempty" doc:"Score given by a model, 1 to 5"`
	Says    string `json:"says" doc:"What is missing or wrong, in a sentence"`
}

// EvalResult is the result of one case in one repeat.
type EvalResult struct {
	Case         string        `json:"case" doc:"plugin/id"`
	Category     string        `json:"category"`
	Set          string        `json:"set"`
	Difficulty   string        `json:"difficulty"`
	Language     string        `json:"language"`
	Repeat       int           `json:"repeat"`
	Outcome      string        `json:"outcome" enum:"passed,failed,ungraded"`
	Error        string        `json:"error" doc:"Why there is no answer; empty if there is one"`
	Verdicts     []EvalVerdict `json:"verdicts"`
	Output       string        `json:"output"`
	Milliseconds int           `json:"milliseconds"`
	InputTokens  int           `json:"input_tokens"`
	OutputTokens int           `json:"output_tokens"`
	Cached       bool          `json:"cached"`
}

// EvalDetail is a run with its results so far.
type EvalDetail struct {
	EvalRun
	Results    []EvalResult `json:"results"`
	Categories []EvalScore  `json:"categories"`
	Graders    []EvalScore  `json:"graders"`
	Cases      []EvalScore  `json:"cases" doc:"With several repeats, one that passes sometimes lies between"`
}

// EvalChange is a case that both compared runs have.
type EvalChange struct {
	Case     string    `json:"case"`
	Category string    `json:"category"`
	Before   EvalScore `json:"before"`
	After    EvalScore `json:"after"`
	Hard     bool      `json:"hard" doc:"A check that must pass fails after the change"`
	Graders  []string  `json:"graders" doc:"Graders whose verdict differs from before"`
	Says     []string  `json:"says" doc:"What is wrong after, in sentences"`
	Diff     string    `json:"diff" doc:"The difference between the first answers, as a unified diff; empty if they are the same"`
}

// EvalShift is the change of a category's or grader's score from one run to another.
type EvalShift struct {
	Name   string    `json:"name"`
	Before EvalScore `json:"before"`
	After  EvalScore `json:"after"`
}

// EvalComparison is what changed from one run to another.
type EvalComparison struct {
	Fixed      []EvalChange `json:"fixed"`
	Broken     []EvalChange `json:"broken"`
	Reworded   []EvalChange `json:"reworded" doc:"Same verdict, different wording"`
	Unchanged  int          `json:"unchanged"`
	Added      []string     `json:"added" doc:"Only in the later run"`
	Gone       []string     `json:"gone" doc:"Only in the earlier run"`
	Before     EvalScore    `json:"before" doc:"Of the cases that both have"`
	After      EvalScore    `json:"after"`
	Categories []EvalShift  `json:"categories"`
	Graders    []EvalShift  `json:"graders"`
}

// EvalPoint is the score of a plugin's set in one run.
type EvalPoint struct {
	EvalScore
	Run            uuid.UUID `json:"run" format:"uuid"`
	At             time.Time `json:"at" doc:"When the run was started"`
	By             string    `json:"by" enum:"command,operator,training,gate"`
	Prompts        string    `json:"prompts" doc:"The sha of the plugin's prompts"`
	Model          string    `json:"model" doc:"Who answered, in words"`
	PromptsChanged bool      `json:"prompts_changed" doc:"Since the point before"`
	ModelChanged   bool      `json:"model_changed" doc:"Since the point before: another model, or other settings of it"`
	Blessed        bool      `json:"blessed" doc:"Later runs of the plugin are compared with this one"`
}

// EvalSeries is the score of a plugin's set over time.
type EvalSeries struct {
	Plugin string      `json:"plugin"`
	Set    string      `json:"set" enum:"builtin,golden,attack,defences"`
	Points []EvalPoint `json:"points" doc:"Earliest first. Runs of chosen cases and unfinished runs are left out"`
}

// EvalHistory is the score of each set of each plugin over time.
type EvalHistory struct {
	Series []EvalSeries `json:"series"`
}

// EvalReading is the score of the notice reader on a corpus of labelled papers.
type EvalReading struct {
	ID             uuid.UUID      `json:"id" format:"uuid"`
	At             time.Time      `json:"at"`
	Corpus         string         `json:"corpus"`
	Version        string         `json:"version" doc:"Of Munshi; empty where it is not known"`
	Papers         int            `json:"papers"`
	All            ReadingScore   `json:"all"`
	Fields         []ReadingScore `json:"fields" doc:"By field of the facts"`
	Classes        []ReadingScore `json:"classes" doc:"By kind of paper: the family of its form, letter, or other if it is not a GST notice"`
	DatesLeft      int            `json:"dates_left" doc:"Dates that are still open"`
	DatesOffered   int            `json:"dates_offered" doc:"Those among the candidates"`
	DemandsLeft    int            `json:"demands_left"`
	DemandsOffered int            `json:"demands_offered"`
}

// ReadingScore counts what was read correctly for one field, or one kind of paper.
type ReadingScore struct {
	Name    string  `json:"name"`
	Right   int     `json:"right"`
	Wrong   int     `json:"wrong"`
	Missing int     `json:"missing"`
	F1      float64 `json:"f1" minimum:"0" maximum:"1" doc:"The harmonic mean of precision and recall"`
}

// EvalReadingList lists scores of the notice reader.
type EvalReadingList struct {
	Readings []EvalReading `json:"readings" doc:"Latest first; at most ten of each corpus"`
}

// EvalCaseList lists the cases.
type EvalCaseList struct {
	Cases    []EvalCase `json:"cases"`
	Problems []string   `json:"problems" doc:"Mistakes in the files of cases, each with file, line and field"`
}

// EvalRunList lists the latest runs.
type EvalRunList struct {
	Runs []EvalRun `json:"runs" doc:"Latest first"`
}

func (s *server) evalRoutes(api huma.API) {
	asOperator(api, s, http.MethodGet, "list-eval-cases", "/api/evals/cases", "For operators: which cases there are",
		s.evalCases)
	asOperator(api, s, http.MethodGet, "get-eval-history", "/api/evals/history",
		"For operators: how each set of cases went over time", s.evalHistory)
	asOperator(api, s, http.MethodGet, "list-eval-readings", "/api/evals/readings",
		"For operators: how well notices of labelled corpora were read", s.evalReadings)
	asOperator(api, s, http.MethodGet, "list-eval-runs", "/api/evals/runs", "For operators: the latest runs of cases",
		s.evalRuns)
	asOperator(api, s, http.MethodPost, "start-eval-run", "/api/evals/runs", "For operators: have cases tried",
		s.startEval)
	asOperator(api, s, http.MethodGet, "get-eval-run", "/api/evals/runs/{id}",
		"For operators: a run with its answers and verdicts so far", s.evalRun)
	asOperator(api, s, http.MethodPost, "cancel-eval-run", "/api/evals/runs/{id}/cancel",
		"For operators: end a run with the results that it has", s.cancelEval)
	asOperator(api, s, http.MethodPost, "bless-eval-run", "/api/evals/runs/{id}/bless",
		"For operators: hold later runs against this one", s.blessEval)
	asOperator(api, s, http.MethodGet, "compare-eval-runs", "/api/evals/runs/{id}/comparison",
		"For operators: what changed from another run to this one", s.compareEvals)
	get(api, "get-training", "/api/training", "The accuracy over the built-in examples, as it was last measured",
		s.training)
	post(api, "run-training", "/api/training", "Measure the accuracy over the built-in examples", http.StatusAccepted,
		s.runTraining)
}

// evalsShown is how many runs the list returns.
const evalsShown = 100

func (s *server) evalCases(ctx context.Context, _ *none) (*body[EvalCaseList], error) {
	cases, problems, err := s.Evals.Cases(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[EvalCaseList]{EvalCaseList{append([]EvalCase{}, cases...), append([]string{}, problems...)}}, nil
}

func (s *server) evalHistory(ctx context.Context, _ *none) (*body[EvalHistory], error) {
	series, err := s.Evals.History(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[EvalHistory]{EvalHistory{append([]EvalSeries{}, series...)}}, nil
}

func (s *server) evalReadings(ctx context.Context, _ *none) (*body[EvalReadingList], error) {
	list, err := s.Evals.Readings(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[EvalReadingList]{EvalReadingList{append([]EvalReading{}, list...)}}, nil
}

func (s *server) evalRuns(ctx context.Context, _ *none) (*body[EvalRunList], error) {
	list, err := s.Evals.Runs(ctx, "", evalsShown)
	if err != nil {
		return nil, s.toProblem(err)
	}
	for i := range list {
		list[i].URL = s.evalURL(list[i].ID)
	}
	return &body[EvalRunList]{EvalRunList{list}}, nil
}

func (s *server) evalURL(id uuid.UUID) string {
	if s.RunsURL == "" {
		return ""
	}
	return s.RunsURL + "evaluation-" + id.String()
}

type startEvalInput struct{ Body WantedEval }

func (s *server) startEval(ctx context.Context, in *startEvalInput) (*body[EvalDetail], error) {
	if err := s.room(); err != nil {
		return nil, s.toProblem(err)
	}
	id, err := s.Evals.Start(ctx, store.ByOperator, in.Body)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.evalRun(ctx, &idInput{ID: id})
}

func (s *server) evalRun(ctx context.Context, in *idInput) (*body[EvalDetail], error) {
	run, err := s.Evals.Run(ctx, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	run.URL = s.evalURL(run.ID)
	return &body[EvalDetail]{run}, nil
}

func (s *server) cancelEval(ctx context.Context, in *idInput) (*body[EvalDetail], error) {
	if err := s.Evals.Cancel(ctx, in.ID); err != nil && !errors.Is(err, store.ErrNotFound) { // it has ended meanwhile
		return nil, s.toProblem(err)
	}
	return s.evalRun(ctx, in)
}

func (s *server) blessEval(ctx context.Context, in *idInput) (*body[EvalDetail], error) {
	if err := s.Evals.Bless(ctx, in.ID, operatorOf(ctx)); err != nil {
		return nil, s.toProblem(err)
	}
	return s.evalRun(ctx, in)
}

type compareInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	With string    `query:"with" format:"uuid" doc:"The earlier run; left out for the blessed runs of the plugins"`
}

func (s *server) compareEvals(ctx context.Context, in *compareInput) (*body[EvalComparison], error) {
	before := uuid.Nil
	if in.With != "" {
		before = uuid.MustParse(in.With) // the format has been checked
	}
	c, err := s.Evals.Compare(ctx, before, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[EvalComparison]{c}, nil
}

// Training is the accuracy of the model on the built-in examples.
type Training struct {
	State      string          `json:"state" enum:"none,running,done,failed" doc:"none if it was never measured"`
	Accuracy   float64         `json:"accuracy" doc:"Passed divided by total times 100; 0 where there is nothing to divide"`
	Shown      string          `json:"shown" doc:"The accuracy with two decimals and a percent sign, or no cases"`
	Metrics    TrainingMetrics `json:"metrics"`
	Contains   *EvalScore      `json:"contains,omitempty" doc:"How many answers contain the expected text, regardless of other checks; left out until measured"`
	Done       int             `json:"done" doc:"Of the examples, while it runs"`
	Of         int             `json:"of"`
	Error      string          `json:"error" doc:"Why it failed; otherwise empty"`
	Cached     bool            `json:"cached" doc:"Measured earlier, less than an hour ago"`
	FinishedAt *time.Time      `json:"finished_at,omitempty"`
	Model      string          `json:"model" doc:"Who answered, in words; empty for the offline engine, or if not known yet"`
	Offline    bool            `json:"offline" doc:"The offline engine answered"`
	Run        string          `json:"run" doc:"For operators: the run; empty for others"`
}

// TrainingMetrics are the counts behind the accuracy.
type TrainingMetrics struct {
	TotalTests  int `json:"totalTests"`
	PassedTests int `json:"passedTests"`
	FailedTests int `json:"failedTests"`
}

// Texts that the specification fixes.
const (
	evaluateFailed = "Failed to evaluate model"
)

// trainingFresh is how long everyone but operators gets the last measurement instead of a new one.
const trainingFresh = time.Hour

// lastTraining returns the latest measurement, and whether one is running or was made recently.
func (s *server) lastTraining(ctx context.Context) (t Training, fresh bool, err error) {
	runs, err := s.Evals.Runs(ctx, store.ByTraining, 1)
	if err != nil {
		return t, false, err
	}
	if len(runs) == 0 {
		return Training{State: "none", Shown: "no cases"}, false, nil
	}
	r := runs[0]
	t = Training{State: r.State, Shown: r.Totals.Accuracy, Done: r.Done, Of: r.Tests, FinishedAt: r.FinishedAt,
		Run: r.ID.String(), Metrics: TrainingMetrics{r.Totals.Of, r.Totals.Passed, r.Totals.Failed}}
	if t.Offline = r.Offline; !t.Offline {
		t.Model = r.Model
	}
	if r.Totals.Of > 0 {
		t.Accuracy = float64(r.Totals.Passed) / float64(r.Totals.Of) * 100
	}
	switch r.State {
	case "queued", "running":
		t.State, fresh = "running", true
	case "done":
		fresh = r.FinishedAt != nil && time.Since(*r.FinishedAt) < trainingFresh
		detail, err := s.Evals.Run(ctx, r.ID)
		if err != nil {
			return t, false, err
		}
		if at := slices.IndexFunc(detail.Graders, func(g EvalScore) bool { return g.Name == "contains" }); at >= 0 {
			t.Contains = &detail.Graders[at]
		}
	default:
		t.State, t.Error = "failed", evaluateFailed
	}
	return t, fresh, nil
}

// told responds with a measurement, without the details that only operators may see.
func (s *server) told(ctx context.Context, t Training, cookie string) (*body[Training], error) {
	if _, err := s.operates(ctx, cookie); err != nil {
		if !errors.Is(err, store.ErrNotFound) {
			return nil, s.toProblem(err)
		}
		t.Run = ""
	}
	return &body[Training]{t}, nil
}

func (s *server) training(ctx context.Context, in *operatorCookies) (*body[Training], error) {
	t, _, err := s.lastTraining(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.told(ctx, t, in.token(s.Secure))
}

// runTraining starts a measurement. Others than operators get the last one if it was made within the hour, and
// if one is running, everyone gets that.
func (s *server) runTraining(ctx context.Context, in *operatorCookies) (*body[Training], error) {
	_, err := s.operates(ctx, in.token(s.Secure))
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, s.toProblem(err)
	}
	operates := err == nil
	t, fresh, err := s.lastTraining(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if t.State == "running" || fresh && !operates {
		t.Cached = t.State == "done"
		return s.told(ctx, t, in.token(s.Secure))
	}
	if _, problems, err := s.Evals.Cases(ctx); err != nil || len(problems) > 0 {
		refused := refuse("prepare_failed", nil)
		refused.cause = err
		return nil, refused
	}
	if _, err := s.Evals.Start(ctx, store.ByTraining, WantedEval{Set: "builtin"}); err != nil {
		refused := refuse("training_failed", nil)
		refused.cause = err
		return nil, refused
	}
	if t, _, err = s.lastTraining(ctx); err != nil {
		return nil, s.toProblem(err)
	}
	return s.told(ctx, t, in.token(s.Secure))
}
