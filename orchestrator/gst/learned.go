package gst

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/weights"
)

// Learned are the weights of observations for each question that is answered by them. They come from labelled papers
// and from phrases, by the command tools/weighfacts, and are kept in learned.json for everyone to read.
type Learned map[string]*weights.Model

// The questions.
const (
	GSTINQuestion     = "gstin"     // whether a GSTIN is that of the person addressed: "own" or "other"
	ReferenceQuestion = "reference" // whether a number is the paper's: "own" or "other"
	NameQuestion      = "name"      // whether a name is the noticee's: "own" or "other"
	OfficerQuestion   = "officer"   // whether a rank is that of who signed: "own" or "other"
	IssueQuestion     = "issued"    // whether a day is that of the paper: "own" or "other"
	DayQuestion       = "day"       // what a day is for
	TimeQuestion      = "time"      // what a number of days is for
)

//go:embed learned.json
var learnedFile []byte

// builtLearned gives the weights that come with the program.
var builtLearned = sync.OnceValue(func() Learned {
	var l Learned
	if err := json.Unmarshal(learnedFile, &l); err != nil {
		panic(fmt.Sprintf("the learned weights cannot be read: %v", err)) // a test reads them
	}
	return l
})

// judge tells what observations come to; nothing where nothing was learned of the question.
func (r *reading) judge(question string, noted []string) weights.Judgement {
	return r.learned[question].Judge(noted)
}

// weighLearned gives a candidate the weight of what was observed of it for a kind, with the observations that weigh
// most.
func (r *reading) weighLearned(c *candidate, question, kind string, chance float64, noted []string) {
	const most = 6
	c.score = logit(chance)
	for _, reason := range r.learned[question].Why(kind, noted, most) {
		c.why = append(c.why, fmt.Sprintf("%+.1f %s", reason.Weight, reason.Observation))
	}
}

// logit returns a chance as a sum of weights: nothing where it is even.
func logit(chance float64) float64 {
	const least = 1e-4
	chance = min(max(chance, least), 1-least)
	return math.Round(100*math.Log(chance/(1-chance))) / 100
}

// Noted is what was observed of a candidate, for weights to be learned from it.
type Noted struct {
	Question string
	Value    string // of the candidate
	Observed []string
}

// record keeps what was observed of a candidate, where it is asked for.
func (r *reading) record(question, value string, observed []string) {
	if r.observing {
		r.noted = append(r.noted, Noted{question, value, observed})
	}
}

// Observe returns what is observed of each candidate in the pages, for each question, in the order of the text. The
// corrections stand for what is true of the paper. No weights are used: what is learned does not depend on what was
// learned before.
func Observe(t *law.Tables, pages []Page, corrections ...Correction) []Noted {
	r := newReading(t, Learned{}, pages, corrections)
	r.observing = true
	return r.readAll().noted
}

// ReadBy reads as Read does, by other weights than those that come with the program.
func ReadBy(l Learned, t *law.Tables, pages []Page) Facts {
	return newReading(t, l, pages, nil).readAll().facts
}
