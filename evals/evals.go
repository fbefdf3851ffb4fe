// Package evals measures whether a prompt or a model has become better. It has cases, which people write as files;
// graders, which check an answer against a case's expectations; and the comparison of two runs. It consists of pure
// functions on texts: it calls no model, starts nothing, stores nothing and reads no clock. Deterministic graders run
// first. A verdict of a model is marked as such, and is skipped if no model can be called. The package does not decide
// which prompts are used; it only reports what changed.
package evals

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"munshi/orchestrator/gst"
)

// The sets to which a case may belong.
const (
	Builtin  = "builtin" // the training examples of the specification
	Golden   = "golden"
	Attack   = "attack"
	Defences = "defences" // which rules about defences apply to a paper, computed by code
)

// Points is the kind of turn that needs neither a model nor a prompt: its text is a paper, and its answer the points
// of the rules about defences. It has no workflow.
const Points = "points"

// Case is one request to the product, with the expectations for the answer.
type Case struct {
	Plugin     string
	ID         string
	Turn       string // a kind of turn in the plugin's manifest, or Points
	Input      Input
	Category   string
	Sections   []string
	Difficulty string // basic or intermediate
	Language   string // en or hi
	Set        string
	On         string // the day whose law the expectations follow
	Output     string // the model answer, for Prepare
	Note       string
	Expect     []Expectation
	Source     string // the case as YAML without comments, for Parse
}

// Input is what the person sends.
type Input struct {
	Text string `yaml:"text" json:"text,omitempty"`
	// the values of the plugin's inputs, by input id
	Inputs   map[string]string `yaml:"inputs" json:"inputs,omitempty"`
	Document string            `yaml:"document" json:"document,omitempty"` // a file in the folder of documents
	Before   []Said            `yaml:"before" json:"before,omitempty"`     // earlier messages of the conversation
	// what files that were handed in come to, in paise, for a case about defences
	Files []gst.Reconciled `yaml:"files" json:"files,omitempty"`
}

// Said is an earlier message.
type Said struct {
	Role string `yaml:"role" json:"role"` // user or assistant
	Text string `yaml:"text" json:"text"`
}

// Name returns the case's name, unique among the cases of all plugins.
func (c Case) Name() string { return c.Plugin + "/" + c.ID }

// SHA returns a hash of the case as written, including the expectations.
func (c Case) SHA() string { return sha(c.Plugin, c.Source) }

// Asked returns a hash of the question and inputs without the expectations, so that an answer can be graded again when
// only the expectations change. document is the hash of the document.
func (c Case) Asked(document string) string {
	if c.Turn == Points {
		return sha(c.Plugin, c.Turn, c.Input, c.On)
	}
	return sha(c.Plugin, c.Turn, c.Input, document)
}

func sha(parts ...any) string {
	raw, err := json.Marshal(parts)
	if err != nil {
		panic("evals: " + err.Error()) // cannot fail: texts and maps of texts
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Answer is the product's answer to a case.
type Answer struct {
	Text     string    `json:"text"`
	Findings []Finding `json:"findings,omitempty"` // findings of the turn's check step
	// what the program read from the document; nil if there is none
	Facts        json.RawMessage `json:"facts,omitempty"`
	Required     []string        `json:"required,omitempty"` // the documents that it requests
	Points       []Ruling        `json:"points,omitempty"`   // the points of the paper, for a turn of kind Points
	Milliseconds int             `json:"milliseconds"`       // from the turn's first step to its end
	InputTokens  int             `json:"input_tokens"`
	OutputTokens int             `json:"output_tokens"`
	CostPaise    *int64          `json:"cost_paise"` // nil if unknown
}

// Ruling is the result of a rule about defences on a paper; a rule that is not raised has none.
type Ruling struct {
	ID      string `json:"id"`
	Verdict string `json:"verdict"`         // applies, may apply, does not apply
	Takes   *int64 `json:"takes,omitempty"` // paise
}

// Finding is a finding of the turn's check step about a place in the answer, as stored with the answer.
type Finding struct {
	Code    string `json:"code"`
	Verdict string `json:"verdict,omitempty"`
	Message string `json:"message,omitempty"`
	Quote   string `json:"quote,omitempty"`
}

// Verdict is a grader's verdict on an answer.
type Verdict struct {
	Grader  string `json:"grader"`
	Hard    bool   `json:"hard,omitempty"`    // must hold for prompts to be published
	Passed  bool   `json:"passed"`            // meaningless if skipped
	Skipped bool   `json:"skipped,omitempty"` // it could not be judged; Says has the reason
	Model   bool   `json:"model,omitempty"`   // judged by a model, or would have been
	Score   int    `json:"score,omitempty"`   // 1 to 5, in a model's verdict
	// what is missing or wrong, in a sentence; or a model's reason in its own words
	Says    string `json:"says,omitempty"`
	Expects string `json:"expects,omitempty"` // the model that judged
	Judge   string `json:"judge,omitempty"`   // the sha of the judge's prompt
}

// Result is the result of one case in one repeat of a run.
type Result struct {
	Case       string    `json:"case"` // plugin/id
	Category   string    `json:"category"`
	Set        string    `json:"set"`
	Difficulty string    `json:"difficulty"`
	Language   string    `json:"language"`
	Repeat     int       `json:"repeat"` // counted from 1
	State      string    `json:"state"`
	Error      string    `json:"error,omitempty"` // why there is no answer, as a sentence
	Verdicts   []Verdict `json:"verdicts"`
	Answer     Answer    `json:"answer"`
	Cached     bool      `json:"cached"` // the answer was taken from an earlier run with the same question
}

// The states of a result.
const (
	Answered = "answered"
	Failed   = "failed" // the turn failed, and so did every expectation of the case
)

// Graded reports whether anything could be judged. A case whose graders were all skipped has neither passed nor
// failed.
func (r Result) Graded() bool {
	if r.State != Answered {
		return true
	}
	for _, v := range r.Verdicts {
		if !v.Skipped {
			return true
		}
	}
	return false
}

// Passed reports whether every expectation that could be judged is met.
func (r Result) Passed() bool {
	if r.State != Answered || !r.Graded() {
		return false
	}
	for _, v := range r.Verdicts {
		if !v.Skipped && !v.Passed {
			return false
		}
	}
	return true
}

// HardFailed reports whether an expectation that must hold failed.
func (r Result) HardFailed() bool {
	for _, v := range r.Verdicts {
		if v.Hard && !v.Skipped && !v.Passed {
			return true
		}
	}
	return false
}

// Totals are the counts of a run. A test is one case in one repeat.
type Totals struct {
	Tests        int        `json:"tests"` // tests that could be judged
	Passed       int        `json:"passed"`
	Failed       int        `json:"failed"`
	Ungraded     int        `json:"ungraded"`
	HardFailed   int        `json:"hard_failed"`
	Cached       int        `json:"cached"`
	InputTokens  int        `json:"input_tokens"`
	OutputTokens int        `json:"output_tokens"`
	CostPaise    *int64     `json:"cost_paise"`   // nil if unknown for at least one answer
	Milliseconds int        `json:"milliseconds"` // of all turns together
	Sets         []SetScore `json:"sets"`
}

// SetScore counts the tests of a plugin's set.
type SetScore struct {
	Plugin string `json:"plugin"`
	Set    string `json:"set"`
	Passed int    `json:"passed"`
	Of     int    `json:"of"`
}

// Count returns the totals of results. Tokens, cost and time are those of this run, without answers taken from earlier
// runs.
func Count(results []Result) Totals {
	t := Totals{CostPaise: new(int64), Sets: bySet(results)}
	for _, r := range results {
		switch {
		case !r.Graded():
			t.Ungraded++
		case r.Passed():
			t.Tests++
			t.Passed++
		default:
			t.Tests++
			t.Failed++
		}
		if r.HardFailed() {
			t.HardFailed++
		}
		if r.Cached {
			t.Cached++
			continue
		}
		t.InputTokens += r.Answer.InputTokens
		t.OutputTokens += r.Answer.OutputTokens
		t.Milliseconds += r.Answer.Milliseconds
		if t.CostPaise != nil && r.Answer.CostPaise != nil {
			*t.CostPaise += *r.Answer.CostPaise
		} else if r.State == Answered {
			t.CostPaise = nil
		}
	}
	return t
}

// bySet counts the tests of each set of each plugin, in order of appearance.
func bySet(results []Result) []SetScore {
	list := []SetScore{}
	for _, r := range results {
		if !r.Graded() {
			continue
		}
		plugin, _, _ := strings.Cut(r.Case, "/")
		at := slices.IndexFunc(list, func(s SetScore) bool { return s.Plugin == plugin && s.Set == r.Set })
		if at < 0 {
			at, list = len(list), append(list, SetScore{Plugin: plugin, Set: r.Set})
		}
		list[at].Of++
		if r.Passed() {
			list[at].Passed++
		}
	}
	return list
}

// NoCases is shown instead of an accuracy if nothing could be judged.
const NoCases = "no cases"

// Accuracy returns passed divided by total times 100, with two decimals and a percent sign.
func Accuracy(passed, total int) string {
	if total == 0 {
		return NoCases
	}
	return fmt.Sprintf("%.2f%%", float64(passed)/float64(total)*100)
}

// Accuracy returns the accuracy over the tests.
func (t Totals) Accuracy() string { return Accuracy(t.Passed, t.Tests) }

// duration formats milliseconds for people.
func duration(ms int) string {
	return (time.Duration(ms) * time.Millisecond).Round(10 * time.Millisecond).String()
}
