package weights

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Example is the observations on one thing, with its kind. Weight is how much the example counts.
type Example struct {
	Observed []string
	Kind     string
	Weight   float64
}

// Learning has the parameters for learning weights.
type Learning struct {
	Kinds  []string
	Rounds int     // passes over all examples
	Decay  float64 // how strongly weights are pulled towards zero
	Least  int     // the number of examples in which an observation must occur
}

// Learn returns the weights under which the examples are most likely. The result depends only on the examples and
// their order. With few examples it would depend on which came last, so the weights are averaged over several runs in
// different orders.
func (l Learning) Learn(examples []Example) *Model {
	const runs = 5
	count := map[string]int{}
	for _, e := range examples {
		for _, o := range e.Observed {
			count[o]++
		}
	}
	mean := &Model{Kinds: l.Kinds, Weights: map[string][]float64{}}
	for run := range runs {
		l.run(examples, count, rand.New(rand.NewPCG(uint64(run), 12345)), func(o string, w []float64) {
			if mean.Weights[o] == nil {
				mean.Weights[o] = make([]float64, len(l.Kinds))
			}
			for k := range w {
				mean.Weights[o][k] += w[k] / runs
			}
		})
	}
	return mean
}

// run makes several passes over the examples, each in another order, and gives the average weights of the later
// passes.
func (l Learning) run(examples []Example, count map[string]int, random *rand.Rand,
	give func(observation string, weights []float64)) {
	const rate = 0.3
	m := &Model{Kinds: l.Kinds, Weights: map[string][]float64{}}
	slopes, mean := map[string][]float64{}, map[string][]float64{}
	for round := range l.Rounds {
		for _, i := range random.Perm(len(examples)) {
			e := examples[i]
			chances := m.sums(e.Observed)
			soften(chances)
			truth := slices.Index(l.Kinds, e.Kind)
			for _, o := range e.Observed {
				if count[o] < l.Least {
					continue
				}
				w, g := m.Weights[o], slopes[o]
				if w == nil {
					w, g = make([]float64, len(l.Kinds)), make([]float64, len(l.Kinds))
					m.Weights[o], slopes[o] = w, g
				}
				for k := range w {
					slope := chances[k]
					if k == truth {
						slope--
					}
					slope = e.Weight*slope + l.Decay*w[k]
					g[k] += slope * slope
					w[k] -= rate * slope / math.Sqrt(g[k]+1e-8)
				}
			}
		}
		if later := l.Rounds - l.Rounds/2; round >= l.Rounds-later {
			for o, w := range m.Weights {
				if mean[o] == nil {
					mean[o] = make([]float64, len(l.Kinds))
				}
				for k := range w {
					mean[o][k] += w[k] / float64(later)
				}
			}
		}
	}
	for o, w := range mean {
		give(o, w)
	}
}
