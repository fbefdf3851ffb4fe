package law

import "math"

// Phrases compares a question with groups of phrasings, in any of the languages, that mean the same. It is safe for
// concurrent use.
type Phrases struct {
	index  *Index // for the synonyms
	ids    map[string]int32
	weight []float64 // by token: its rarity among the groups
	groups [][]phrasing
}

type phrasing struct {
	tokens []int32
	size   float64 // sum of the weights of its tokens
}

// NewPhrases prepares groups of phrasings for comparison.
func NewPhrases(groups [][]string) (*Phrases, error) {
	index, err := NewIndex(nil)
	if err != nil {
		return nil, err
	}
	p := &Phrases{index: index, ids: map[string]int32{}, groups: make([][]phrasing, len(groups))}
	var in []float64 // number of groups that have a token
	var last []int   // the last group in which a token was counted, from 1
	for i, group := range groups {
		for _, text := range group {
			var one phrasing
			for token := range p.tokens(text) {
				id, known := p.ids[token]
				if !known {
					id = int32(len(in))
					p.ids[token], in, last = id, append(in, 0), append(last, 0)
				}
				if last[id] != i+1 {
					last[id] = i + 1
					in[id]++
				}
				one.tokens = append(one.tokens, id)
			}
			p.groups[i] = append(p.groups[i], one)
		}
	}
	n := float64(len(groups))
	p.weight = make([]float64, len(in))
	for token, id := range p.ids {
		p.weight[id] = math.Log(1 + (n-in[id]+0.5)/(in[id]+0.5))
		if token[0] == '~' {
			p.weight[id] *= soundPart
		}
	}
	for _, group := range p.groups {
		for i := range group {
			for _, id := range group[i].tokens {
				group[i].size += p.weight[id]
			}
		}
	}
	return p, nil
}

// soundPart is the weight of a word's sound relative to the word.
const soundPart = 0.5

func (p *Phrases) tokens(text string) map[string]bool {
	all := map[string]bool{}
	words := wordsOf(text)
	for i, w := range words {
		if meaning, _ := p.index.concepts.at(words, i, stem); meaning != "" {
			all["="+meaning] = true
		}
		if idle[w] {
			continue
		}
		all[stem(w)] = true
		if sound := skeleton(w); sound != "" {
			all["~"+sound] = true
		}
	}
	return all
}

// Compare returns for each group how close its closest phrasing comes to a question, from 0 to 1. lacks is the weight
// of what the phrasing says and the question does not, tells that of what the question says in addition, as a story
// does. Words that are in no phrasing do not count.
func (p *Phrases) Compare(question string, lacks, tells float64) []float64 {
	asked, whole := make([]float64, len(p.weight)), 0.0
	for token := range p.tokens(question) {
		if id, known := p.ids[token]; known {
			asked[id] = p.weight[id]
			whole += p.weight[id]
		}
	}
	near := make([]float64, len(p.groups))
	for i, group := range p.groups {
		for _, one := range group {
			common := 0.0
			for _, id := range one.tokens {
				common += asked[id]
			}
			if common > 0 {
				near[i] = max(near[i], common/(common+lacks*(one.size-common)+tells*(whole-common)))
			}
		}
	}
	return near
}
