// Package evals measures whether a prompt or a model got better. It has cases that people write as files, graders that
// judge an answer against what a case expects, and the comparison of two runs. It consists of pure functions over
// texts: it calls no model, starts no work, stores nothing and reads no clock. Deterministic graders run first; a
// verdict of a model is marked as such, and is skipped where no model can be called. The package never decides which
// prompts serve; it only reports what changed.
package evals

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The sets that a case may belong to.
const (
	Builtin  = "builtin" // the training examples of the specification
	Golden   = "golden"
	Attack   = "attack"
	Defences = "defences" // which rules of law apply to a paper, computed by code
)

// Points is the kind of turn that neither a model nor a prompt answers: its text is a paper, and the answer is the
// result of the rules of law on it. It has no workflow.
const Points = "points"

// Case is one request to the product, with what is expected of the answer.
type Case struct {
	Plugin     string
	ID         string
	Turn       string // a kind of turn of the plugin's manifest, or Points
	Input      Input
	Category   string
	Sections   []string
	Difficulty string // basic or intermediate
	Language   string // en or hi
	Set        string
	On         string // the day for which the expectations are correct law
	Output     string // the model answer, for Prepare
	Note       string
	Expect     []Expectation
	Source     string // the case as YAML, without comments: Parse reads it again
}

// Input is what the person brings.
type Input struct {
	Text     string            `yaml:"text" json:"text,omitempty"`
	Inputs   map[string]string `yaml:"inputs" json:"inputs,omitempty"`     // for the plugin's inputs, by their ids
	Document string            `yaml:"document" json:"document,omitempty"` // a file in the folder of documents
	Before   []Said            `yaml:"before" json:"before,omitempty"`     // earlier messages of the conversation
}

// Said is an earlier message.
type Said struct {
	Role string `yaml:"role" json:"role"` // user or assistant
	Text string `yaml:"text" json:"text"`
}

// Name returns the case's name, unique among the cases of all plugins.
func (c Case) Name() string { return c.Plugin + "/" + c.ID }

// SHA returns a hash of the case as it is written, expectations included.
func (c Case) SHA() string { return sha(c.Plugin, c.Source) }

// Asked returns a hash of what the product is asked, without the expectations, so that an answer can be graded again
// when the expectations change. The document is identified by its own hash.
func (c Case) Asked(document string) string {
	if c.Turn == Points {
		return sha(c.Plugin, c.Turn, c.Input, c.On)
	}
	return sha(c.Plugin, c.Turn, c.Input, document)
}

func sha(parts ...any) string {
	raw, err := json.Marshal(parts)
	if err != nil {
		panic("evals: " + err.Error()) // texts and maps of texts
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Answer is what the product answered to a case.
type Answer struct {
	Text         string          `json:"text"`
	Findings     []Finding       `json:"findings,omitempty"` // what the turn's check found in it
	Facts        json.RawMessage `json:"facts,omitempty"`    // what the program read from the document; nil: nothing was read
	Required     []string        `json:"required,omitempty"` // the documents that it asks for
	Points       []Ruling        `json:"points,omitempty"`   // the rules that apply to the paper, for a turn of kind Points
	Milliseconds int             `json:"milliseconds"`       // from the turn's first step to its end
	InputTokens  int             `json:"input_tokens"`
	OutputTokens int             `json:"output_tokens"`
	CostPaise    *int64          `json:"cost_paise"` // nil: unknown
}

// Ruling is the result of one rule of law on a paper; a rule that is not raised has none.
type Ruling struct {
	ID      string `json:"id"`
	Verdict string `json:"verdict"`         // applies, may apply, does not apply
	Takes   *int64 `json:"takes,omitempty"` // paise
}

// Finding is what the turn's check says about a place in the answer, as it is stored with the answer.
type Finding struct {
	Code    string `json:"code"`
	Verdict string `json:"verdict,omitempty"`
	Message string `json:"message,omitempty"`
	Quote   string `json:"quote,omitempty"`
}

// Verdict is one grader's judgment of an answer.
type Verdict struct {
	Grader  string `json:"grader"`
	Hard    bool   `json:"hard,omitempty"`    // must hold for prompts to be published
	Passed  bool   `json:"passed"`            // meaningless if skipped
	Skipped bool   `json:"skipped,omitempty"` // it could not be judged; Says has the reason
	Model   bool   `json:"model,omitempty"`   // judged by a model, or would have been
	Score   int    `json:"score,omitempty"`   // 1 to 5, of a model's judgment
	Says    string `json:"says,omitempty"`    // what is missing or wrong, in a sentence; a model's reason in its own words
	Expects string `json:"expects,omitempty"` // the model that judged
	Judge   string `json:"judge,omitempty"`   // the sha of the judge's prompt
}

// Result is one case, once, in a run.
type Result struct {
	Case       string    `json:"case"` // plugin/id
	Category   string    `json:"category"`
	Set        string    `json:"set"`
	Difficulty string    `json:"difficulty"`
	Language   string    `json:"language"`
	Repeat     int       `json:"repeat"` // from 1
	State      string    `json:"state"`
	Error      string    `json:"error,omitempty"` // why there is no answer, in a sentence
	Verdicts   []Verdict `json:"verdicts"`
	Answer     Answer    `json:"answer"`
	Cached     bool      `json:"cached"` // the answer was taken from an earlier run that asked the same
}

// The states of a result.
const (
	Answered = "answered"
	Failed   = "failed" // the turn failed, and with it every expectation of the case
)

// Graded reports whether anything could be judged. A case whose graders were all skipped has neither passed nor failed.
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

// Passed reports whether every expectation that could be judged was met.
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

// Totals counts the tests of a run. A test is one case in one repeat.
type Totals struct {
	Tests        int        `json:"tests"` // that could be judged
	Passed       int        `json:"passed"`
	Failed       int        `json:"failed"`
	Ungraded     int        `json:"ungraded"`
	HardFailed   int        `json:"hard_failed"`
	Cached       int        `json:"cached"`
	InputTokens  int        `json:"input_tokens"`
	OutputTokens int        `json:"output_tokens"`
	CostPaise    *int64     `json:"cost_paise"`   // nil: unknown for at least one answer
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

// Count returns the totals of results. Tokens, cost and time cover what this run asked, not answers taken from earlier
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

// NoCases is shown instead of an accuracy where nothing was judged.
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

// duration formats a duration for people.
func duration(ms int) string {
	return (time.Duration(ms) * time.Millisecond).Round(10 * time.Millisecond).String()
}
