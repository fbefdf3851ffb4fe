package gst

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/weights"
)

// Learned has the weights of observations, for each question that is answered with them. The command tools/weighfacts
// computes them from labelled papers and phrases and writes them to learned.json.
type Learned map[string]*weights.Model

// The questions that learned weights answer, with the possible answers.
const (
	GSTINQuestion     = "gstin"     // whether a GSTIN is the addressee's: "own" or "other"
	ReferenceQuestion = "reference" // whether a number is the paper's own: "own" or "other"
	NameQuestion      = "name"      // whether a name is the noticee's: "own" or "other"
	OfficerQuestion   = "officer"   // whether a rank is that of the officer who signed: "own" or "other"
	IssueQuestion     = "issued"    // whether a day is that of the paper: "own" or "other"
	DayQuestion       = "day"       // what a day is for
	TimeQuestion      = "time"      // what a number of days is for
)

//go:embed learned.json
var learnedFile []byte

// builtLearned returns the built-in weights.
var builtLearned = sync.OnceValue(func() Learned {
	if l, ok := byLines(string(learnedFile)); ok {
		return l
	}
	var l Learned
	if err := json.Unmarshal(learnedFile, &l); err != nil {
		panic(fmt.Sprintf("the learned weights cannot be read: %v", err)) // a test reads them
	}
	return l
})

// byLines parses the file of weights in the layout that tools/weighfacts writes, with one observation on each line. It
// takes a fifth of the time of a JSON parser. It returns false for another layout.
func byLines(file string) (Learned, bool) {
	file, opens := strings.CutPrefix(file, "{\n")
	file, closes := strings.CutSuffix(file, "\n}\n")
	l := Learned{}
	var m *weights.Model
	var all []float64 // shared by many models, to save allocations
	for line := range strings.SplitSeq(file, "\n") {
		line = strings.TrimSuffix(line, ",")
		ends := strings.HasSuffix(line, "}}")
		line = strings.TrimSuffix(line, "}}")
		at := strings.LastIndex(line, "\": ")
		if at < 1 || line[0] != '"' {
			return nil, false
		}
		if question, kinds, begins := strings.Cut(line, ": {\"kinds\": "); begins {
			m = &weights.Model{Weights: map[string][]float64{}}
			kinds = strings.TrimSuffix(kinds, ", \"weights\": {")
			if json.Unmarshal([]byte(kinds), &m.Kinds) != nil {
				return nil, false
			}
			l[strings.Trim(question, "\"")] = m
			continue
		}
		name, numbers := line[1:at], strings.Trim(line[at+3:], "[]")
		if m == nil {
			return nil, false
		}
		if strings.IndexByte(name, '\\') >= 0 && json.Unmarshal([]byte(line[:at+1]), &name) != nil {
			return nil, false
		}
		if cap(all)-len(all) < len(m.Kinds) {
			all = make([]float64, 0, 1024)
		}
		from := len(all)
		for number := range strings.SplitSeq(numbers, ",") {
			w, err := strconv.ParseFloat(number, 64)
			if err != nil {
				return nil, false
			}
			all = append(all, w)
		}
		m.Weights[name] = all[from:len(all):len(all)]
		if ends {
			m = nil
		}
	}
	return l, opens && closes
}

// judge returns the judgement that follows from observations; an empty one if nothing was learned for the question.
func (r *reading) judge(question string, noted []string) weights.Judgement {
	return r.learned[question].Judge(noted)
}

// weighLearned sets a candidate's score from its chance, and records the observations with the greatest weights as the
// reasons.
func (r *reading) weighLearned(c *candidate, question, kind string, chance float64, noted []string) {
	const most = 6
	c.score = logit(chance)
	for _, reason := range r.learned[question].Why(kind, noted, most) {
		c.why = append(c.why, fmt.Sprintf("%+.1f %s", reason.Weight, reason.Observation))
	}
}

// logit converts a chance to a sum of weights; an even chance is 0.
func logit(chance float64) float64 {
	const least = 1e-4
	chance = min(max(chance, least), 1-least)
	return math.Round(100*math.Log(chance/(1-chance))) / 100
}

// Noted is the observations on a candidate, from which weights are learned.
type Noted struct {
	Question string
	Value    string // of the candidate
	Observed []string
}

// record keeps the observations on a candidate, if they are wanted.
func (r *reading) record(question, value string, observed []string) {
	if r.observing {
		r.noted = append(r.noted, Noted{question, value, observed})
	}
}

// Observe returns the observations on each candidate in the pages, for each question, in text order. The corrections
// are the truth about the paper. No weights are used, so that learning does not depend on what was learned before.
func Observe(t *law.Tables, pages []Page, corrections ...Correction) []Noted {
	r := newReading(t, Learned{}, pages, corrections)
	r.observing = true
	return r.readAll().noted
}

// ReadBy reads like Read, with the given weights instead of the built-in ones.
func ReadBy(l Learned, t *law.Tables, pages []Page) Facts {
	return newReading(t, l, pages, nil).readAll().facts
}
