package weights_test

import (
	"math"
	"reflect"
	"testing"

	"munshi/orchestrator/gst/weights"
)

// Learned weights distinguish the kinds, explain the result, and are the same each time.
func TestLearn(t *testing.T) {
	var examples []weights.Example
	for range 10 {
		examples = append(examples,
			weights.Example{Observed: []string{"left: reply by", "in the body"}, Kind: "reply", Weight: 1},
			weights.Example{Observed: []string{"left: dated", "in the body"}, Kind: "issue", Weight: 1})
	}
	examples = append(examples, weights.Example{Observed: []string{"seen once"}, Kind: "issue", Weight: 1})
	learning := weights.Learning{Kinds: []string{"reply", "issue"}, Rounds: 20, Decay: 0.01, Least: 2}
	m := learning.Learn(examples)
	if again := learning.Learn(examples); !reflect.DeepEqual(m, again) {
		t.Error("learning twice gives different weights")
	}
	if _, known := m.Weights["seen once"]; known {
		t.Error("what was seen once has a weight")
	}
	for observed, kind := range map[string]string{"left: reply by": "reply", "left: dated": "issue"} {
		j := m.Judge([]string{observed, "in the body", "never seen"})
		if all := j.Chances["reply"] + j.Chances["issue"]; j.Kind != kind || j.Chance < 0.9 || math.Abs(all-1) > 1e-9 {
			t.Errorf("%q is judged %+v", observed, j)
		}
		if why := m.Why(kind, []string{"in the body", observed}, 1); len(why) != 1 || why[0].Observation != observed || why[0].Weight <= 0 {
			t.Errorf("%q: the reason is %v", observed, why)
		}
	}
	var none *weights.Model
	if j := none.Judge([]string{"left: dated"}); j.Kind != "" || none.Why("issue", nil, 3) != nil {
		t.Errorf("without a model it is %+v", j)
	}
}
