// Package weights classifies things by observations: each observation counts for or against a kind with a weight that
// was learned from labelled papers. It is a multinomial logistic regression on sparse observations, without state:
// the same observations always give the same result.
package weights

import (
	"cmp"
	"math"
	"slices"
)

// Model has the weights for one question: for each observation, its weight for each kind.
type Model struct {
	Kinds   []string             `json:"kinds"`
	Weights map[string][]float64 `json:"weights"` // by observation, in the order of Kinds
}

// Judgement is the probability of each kind.
type Judgement struct {
	Kind    string  // the likeliest kind
	Chance  float64 // its probability
	Chances map[string]float64
}

// Judge returns the judgement that follows from observations. A nil model knows no kinds.
func (m *Model) Judge(observed []string) Judgement {
	if m == nil {
		return Judgement{}
	}
	sums := m.sums(observed)
	soften(sums)
	v := Judgement{Chances: make(map[string]float64, len(sums))}
	for k, chance := range sums {
		v.Chances[m.Kinds[k]] = chance
		if chance > v.Chance {
			v.Kind, v.Chance = m.Kinds[k], chance
		}
	}
	return v
}

func (m *Model) sums(observed []string) []float64 {
	sums := make([]float64, len(m.Kinds))
	for _, o := range observed {
		for k, w := range m.Weights[o] {
			sums[k] += w
		}
	}
	return sums
}

// soften replaces sums of weights by probabilities, which add up to one.
func soften(sums []float64) {
	most, all := slices.Max(sums), 0.0
	for k, s := range sums {
		sums[k] = math.Exp(s - most)
		all += sums[k]
	}
	for k := range sums {
		sums[k] /= all
	}
}

// Reason is one observation with its weight.
type Reason struct {
	Observation string
	Weight      float64
}

// Why returns the observations with the greatest weight for or against a kind, relative to their average weight for
// the other kinds.
func (m *Model) Why(kind string, observed []string, most int) []Reason {
	if m == nil {
		return nil
	}
	k := slices.Index(m.Kinds, kind)
	if k < 0 {
		return nil
	}
	var reasons []Reason
	for _, o := range observed {
		w, known := m.Weights[o]
		if !known {
			continue
		}
		rest := 0.0
		for j, other := range w {
			if j != k {
				rest += other
			}
		}
		if len(w) > 1 {
			rest /= float64(len(w) - 1)
		}
		reasons = append(reasons, Reason{o, w[k] - rest})
	}
	slices.SortStableFunc(reasons, func(a, b Reason) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) })
	return reasons[:min(len(reasons), most)]
}
