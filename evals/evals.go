// Package evals says whether a prompt or a model got better: cases that people write as files, graders that judge an
// answer against what a case expects, and the comparison of two runs. It is made of pure functions over texts: it asks
// no model, starts no work, keeps nothing and knows no clock. Deterministic graders go first; what a model has judged
// is marked so, and is skipped where no model can be asked. It never decides what serves: it only says what changed.
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
	Defences = "defences" // what decides a paper, which code tells
)

// Points is the turn of a case that no model and no prompt answers: its text is a paper, and the answer is what the
// rules of law come to on it. It has no workflow.
const Points = "points"

// Case is one thing that the product is asked, with what is expected of its answer.
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
	On         string // the day on which the expectations are true law
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

// Name is how a case is named among those of all plugins.
func (c Case) Name() string { return c.Plugin + "/" + c.ID }

// SHA names the case as it is written, expectations included.
func (c Case) SHA() string { return sha(c.Plugin, c.Source) }

// Asked names what the product is asked, and nothing of what is expected: an answer to it can be graded again when the
// expectations change. The document's content is named by its own sha.
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

// Answer is what the product made of a case.
type Answer struct {
	Text         string          `json:"text"`
	Findings     []Finding       `json:"findings,omitempty"` // what the turn's check found in it
	Facts        json.RawMessage `json:"facts,omitempty"`    // what the program read of the document; nil: none
	Required     []string        `json:"required,omitempty"` // the documents that it asks for
	Points       []Ruling        `json:"points,omitempty"`   // what decides the paper, for a turn of Points
	Milliseconds int             `json:"milliseconds"`       // from the turn's first step to its end
	InputTokens  int             `json:"input_tokens"`
	OutputTokens int             `json:"output_tokens"`
	CostPaise    *int64          `json:"cost_paise"` // nil: not known
}

// Ruling is what became of one rule of law on a paper; rules that are not raised there have none.
type Ruling struct {
	ID      string `json:"id"`
	Verdict string `json:"verdict"`         // applies, may apply, does not apply
	Takes   *int64 `json:"takes,omitempty"` // paise
}

// Finding is what the turn's check says of a place in the answer, as it is stored with the answer.
type Finding struct {
	Code    string `json:"code"`
	Verdict string `json:"verdict,omitempty"`
	Message string `json:"message,omitempty"`
	Quote   string `json:"quote,omitempty"`
}

// Verdict is what one grader says of an answer.
type Verdict struct {
	Grader  string `json:"grader"`
	Hard    bool   `json:"hard,omitempty"`    // must hold for prompts to be published
	Passed  bool   `json:"passed"`            // meaningless where it was skipped
	Skipped bool   `json:"skipped,omitempty"` // it could not be judged; Says tells why
	Model   bool   `json:"model,omitempty"`   // a model has judged, or would have
	Score   int    `json:"score,omitempty"`   // 1 to 5, of a model's judgment
	Says    string `json:"says,omitempty"`    // what is missing or wrong, in a sentence; a model's reason in its own words
	Expects string `json:"expects,omitempty"` // what a model has judged by
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
	Cached     bool      `json:"cached"` // the answer is that of an earlier run, which asked the same
}

// The states of a result.
const (
	Answered = "answered"
	Failed   = "failed" // the turn failed: every expectation of the case with it
)

// Graded reports whether anything could be judged. A case whose graders were all skipped neither passed nor failed.
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

// HardFailed reports whether an expectation that must hold does not.
func (r Result) HardFailed() bool {
	for _, v := range r.Verdicts {
		if v.Hard && !v.Skipped && !v.Passed {
			return true
		}
	}
	return false
}

// Totals counts a run. A test is one case, once.
type Totals struct {
	Tests        int        `json:"tests"` // that could be judged
	Passed       int        `json:"passed"`
	Failed       int        `json:"failed"`
	Ungraded     int        `json:"ungraded"`
	HardFailed   int        `json:"hard_failed"`
	Cached       int        `json:"cached"`
	InputTokens  int        `json:"input_tokens"`
	OutputTokens int        `json:"output_tokens"`
	CostPaise    *int64     `json:"cost_paise"`   // nil: not known of every answer
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

// Count returns the totals of results. Tokens, cost and time are of what was asked in this run, not of what was kept.
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

// bySet counts the tests of each set of each plugin, in the order in which they come.
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

// NoCases is what stands in the place of an accuracy where nothing was judged.
const NoCases = "no cases"

// Accuracy is passed divided by total times 100, with two decimals and a percent sign.
func Accuracy(passed, total int) string {
	if total == 0 {
		return NoCases
	}
	return fmt.Sprintf("%.2f%%", float64(passed)/float64(total)*100)
}

// Accuracy is that of the tests.
func (t Totals) Accuracy() string { return Accuracy(t.Passed, t.Tests) }

// duration is how long something took, as people read it.
func duration(ms int) string {
	return (time.Duration(ms) * time.Millisecond).Round(10 * time.Millisecond).String()
}
