// Package faq holds common questions about GST with their answers, in files that a lawyer can edit. A person's
// question is answered by the common question with the most similar wording.
package faq

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/law"
)

//go:embed questions/*.yaml
var built embed.FS

// Topic is a common question with its answer. From and Until are the ISO days between which the answer is right; ""
// means no limit.
type Topic struct {
	ID    string   `yaml:"id"`
	Asks  []string `yaml:"asks"` // wordings in English, Hindi and Hinglish
	Needs []string `yaml:"needs"`
	Avoid []string `yaml:"avoid"`
	From  string   `yaml:"from"`
	Until string   `yaml:"until"`

	Answer     Wording  `yaml:"answer"`
	Works      []Work   `yaml:"works"`
	Provisions []string `yaml:"provisions"` // "cgst 16(4)"; the decisive one first
	Certainty  string   `yaml:"certainty"`
	Source     string   `yaml:"source"`

	needs [][]string
}

// Wording is a text in each language.
type Wording struct {
	English  string `yaml:"en"`
	Hindi    string `yaml:"hi"`
	Hinglish string `yaml:"hinglish"`
}

// In returns the text in a language: "en", "hi" or "hinglish".
func (t Wording) In(language string) string {
	switch language {
	case "hi":
		return t.Hindi
	case "hinglish":
		return t.Hinglish
	}
	return t.English
}

// Work is a figure that is computed from a value in the person's question.
type Work struct {
	Take    string   `yaml:"take"` // Amount, Date or Count
	Near    []string `yaml:"near"` // words, or parts of words, near which the value must be; empty: it must be the only value of its kind
	Times   float64  `yaml:"times"`
	Least   int64    `yaml:"least"` // rupees
	Most    int64    `yaml:"most"`  // rupees
	Add     string   `yaml:"add"`   // to a date: "90 days", "3 months", "-15 days"
	Wording `yaml:",inline"`
}

// The values that a Work takes from a question.
const (
	Amount = "amount" // rupees
	Date   = "date"
	Count  = "count" // a number, for example of days
)

// How certain an answer is.
const (
	Sourced   = "sourced"
	Knowledge = "knowledge" // from the authors' own knowledge
	ToConfirm = "to_confirm"
)

// Topics are the questions in force. They are safe for concurrent use.
type Topics struct {
	read func() (*index, error)
}

type index struct {
	*law.Index
	phrases *law.Phrases
	all     []*Topic
	at      map[string]int // by the id of the topic
}

// New returns the built-in questions together with those in the folder "faq" of an operator's overlay (nil for none);
// a question with the id of a built-in one replaces it. A folder with mistakes is ignored and the log says so.
// Nothing is read before the first question.
func New(overlay fs.FS, log *slog.Logger) *Topics {
	return &Topics{read: sync.OnceValues(func() (*index, error) {
		all, err := Built()
		if err != nil {
			return nil, err
		}
		if overlay != nil {
			own, err := Read(overlay, "faq")
			if err != nil {
				log.Warn("the operator's common questions have mistakes; the built-in ones are in force", "error", err)
			} else {
				all = lay(all, own)
			}
		}
		return newIndex(all)
	})}
}

// Built returns the built-in questions.
func Built() ([]*Topic, error) { return Read(built, "questions") }

// lay replaces topics by an operator's with the same id, and adds the others.
func lay(all, own []*Topic) []*Topic {
	kept := slices.DeleteFunc(slices.Clone(all), func(q *Topic) bool {
		return slices.ContainsFunc(own, func(o *Topic) bool { return o.ID == q.ID })
	})
	return append(kept, own...)
}

func newIndex(all []*Topic) (*index, error) {
	x := &index{all: all, at: map[string]int{}}
	var entries []*law.Entry
	var asks [][]string
	for i, q := range all {
		x.at[q.ID] = i
		asks = append(asks, q.Asks)
		entries = append(entries, &law.Entry{Act: "faq", Number: q.ID, Asks: q.Asks,
			English: q.Answer.English, Hindi: q.Answer.Hindi + " " + q.Answer.Hinglish})
	}
	var err error
	if x.Index, err = law.NewIndex(entries); err == nil {
		x.phrases, err = law.NewPhrases(asks)
	}
	if err != nil {
		return nil, fmt.Errorf("prepare the common questions for searching: %w", err)
	}
	return x, nil
}

// Match is a topic that was found. Near says how close it comes to the question, from 0 to 1: by its closest wording,
// and by all words of it and of its answer.
type Match struct {
	*Topic
	Near float64
}

const (
	mostLooked = 40
	mostFound  = 5

	// The weights of what a wording has and the question lacks, and of what the question has in addition.
	lacks, tells = 0.2, 0.2

	searchWeight = 2.0

	citedWeight = 1.15 // for a topic whose provision is named
	lackWeight  = 0.65 // for each group of required words that are missing
	avoidWeight = 0.6  // if a word shows that another question is meant
)

// Find returns the topics closest to a question, the closest first. words are the words of text without dates and
// amounts, on is the ISO day asked about ("" for any), cited are the provisions named, such as "cgst 16(4)".
func (s *Topics) Find(text, words, on string, cited []string) ([]Match, error) {
	x, err := s.read()
	if err != nil {
		return nil, err
	}
	near := x.phrases.Compare(words, lacks, tells)
	hits := x.Search(law.Query{Words: words, Limit: mostLooked})
	for _, h := range hits {
		near[x.at[h.Number]] += searchWeight * h.Score / hits[0].Score
	}
	folded := law.Fold(text)
	var found []Match
	for i, q := range x.all {
		if near[i] == 0 || !q.holds(on) {
			continue
		}
		if slices.ContainsFunc(q.Provisions, func(p string) bool { return citedBy(cited, p) }) {
			near[i] *= citedWeight
		}
		near[i] *= q.fits(folded) / (1 + searchWeight)
		found = append(found, Match{q, near[i]})
	}
	slices.SortStableFunc(found, func(a, b Match) int { return cmp.Compare(b.Near, a.Near) })
	return found[:min(mostFound, len(found))], nil
}

// holds reports whether the answer is right on an ISO day.
func (q *Topic) holds(on string) bool {
	return on == "" || (q.From == "" || q.From <= on) && (q.Until == "" || on <= q.Until)
}

// citedBy reports whether a provision, a part of it or a whole of which it is a part is cited.
func citedBy(cited []string, provision string) bool {
	return slices.ContainsFunc(cited, func(c string) bool {
		return c == provision || strings.HasPrefix(provision, c+"(") || strings.HasPrefix(c, provision+"(")
	})
}

// fits returns a factor that is reduced for each group of needed words missing in the folded question, and for each
// word that shows that another question is meant.
func (q *Topic) fits(folded string) float64 {
	has := func(part string) bool { return strings.Contains(folded, part) }
	fit := 1.0
	for _, group := range q.needs {
		if !slices.ContainsFunc(group, has) {
			fit *= lackWeight
		}
	}
	if slices.ContainsFunc(q.Avoid, has) {
		fit *= avoidWeight
	}
	return fit
}

// Read reads the topics from the YAML files of a folder. The error is law.Problems if the files can be read but their
// content is wrong. A missing folder has none.
func Read(files fs.FS, folder string) ([]*Topic, error) {
	names, err := fs.Glob(files, folder+"/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list the common questions: %w", err)
	}
	var all []*Topic
	var problems law.Problems
	seen := map[string]string{}
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read the common questions: %w", err)
		}
		var nodes []yaml.Node
		if err := yaml.Unmarshal(data, &nodes); err != nil {
			problems = append(problems, law.Problem{File: name, Line: 1, What: err.Error()})
			continue
		}
		for i := range nodes {
			q, wrong := readQuestion(&nodes[i])
			if at := seen[q.ID]; at != "" {
				wrong = append(wrong, "the id "+q.ID+" is also in "+at)
			}
			seen[q.ID] = path.Base(name)
			for _, w := range wrong {
				problems = append(problems, law.Problem{File: name, Line: nodes[i].Line, Number: q.ID, What: w})
			}
			all = append(all, q)
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return all, nil
}

// readQuestion reads one topic and returns the mistakes in it.
func readQuestion(node *yaml.Node) (*Topic, []string) {
	q := &Topic{}
	text, err := yaml.Marshal(node)
	if err != nil {
		return q, []string{err.Error()}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text)) // decoding a node alone would accept unknown fields
	decoder.KnownFields(true)
	var mistakes *yaml.TypeError
	if err := decoder.Decode(q); errors.As(err, &mistakes) {
		for i, m := range mistakes.Errors { // "line 3: field colour not found in type faq.Question"
			_, m, _ = strings.Cut(m, ": ")
			mistakes.Errors[i], _, _ = strings.Cut(m, " in type ")
		}
		return q, mistakes.Errors
	} else if err != nil {
		return q, []string{err.Error()}
	}
	for _, group := range q.Needs {
		q.needs = append(q.needs, strings.Split(law.Fold(group), "|"))
	}
	for i, a := range q.Avoid {
		q.Avoid[i] = law.Fold(a)
	}
	var wrong []string
	miss := func(when bool, what string) {
		if when {
			wrong = append(wrong, what)
		}
	}
	miss(q.ID == "", "it has no id")
	miss(len(q.Asks) < 3, "at least three ways to ask it are needed")
	miss(!whole(q.Answer), "the answer has to be there in en, hi and hinglish")
	miss(len(q.Provisions) > 4, "name at most four provisions")
	miss(!slices.Contains([]string{Sourced, Knowledge, ToConfirm}, q.Certainty),
		"certainty is sourced, knowledge or to_confirm")
	miss(q.Source == "", "it names no source")
	for _, group := range slices.Concat(append(slices.Clone(q.needs), q.Avoid)...) {
		miss(strings.TrimSpace(group) == "", "an empty word is in needs or avoid")
	}
	for _, p := range q.Provisions {
		act, number, ok := strings.Cut(p, " ")
		miss(!ok || number == "" || !slices.ContainsFunc(law.Acts(), func(a law.Act) bool { return a.ID == act }),
			fmt.Sprintf("%q is no provision (cgst 16(4))", p))
	}
	for i := range q.Works {
		if err := q.Works[i].check(); err != nil {
			wrong = append(wrong, fmt.Sprintf("works %d: %v", i+1, err))
		}
	}
	return q, wrong
}

func whole(t Wording) bool { return t.English != "" && t.Hindi != "" && t.Hinglish != "" }

// check returns the first mistake in a work.
func (w *Work) check() error {
	for i, n := range w.Near {
		w.Near[i] = strings.ToLower(n)
	}
	switch {
	case !whole(w.Wording):
		return errors.New("its text has to be there in en, hi and hinglish")
	case w.Take != Amount && w.Take != Date && w.Take != Count:
		return fmt.Errorf("it takes an amount, a date or a count, not %q", w.Take)
	case w.Take == Date:
		if _, _, ok := w.Span(); !ok {
			return fmt.Errorf("%q cannot be added to a date (90 days, 3 months, 2 years)", w.Add)
		}
	case w.Times == 0:
		return errors.New("say by what it is multiplied (times)")
	}
	return nil
}

// Span returns what is added to a date, in months and days.
func (w *Work) Span() (months, days int, ok bool) {
	var n int
	var unit string
	if _, err := fmt.Sscanf(w.Add, "%d %s", &n, &unit); err != nil {
		return 0, 0, false
	}
	switch strings.TrimSuffix(unit, "s") {
	case "day":
		return 0, n, true
	case "month":
		return n, 0, true
	case "year":
		return 12 * n, 0, true
	}
	return 0, 0, false
}
