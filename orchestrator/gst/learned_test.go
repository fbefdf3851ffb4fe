package gst

import (
	"encoding/json"
	"reflect"
	"testing"
)

// The file of weights is read line by line with the same result as by a JSON parser, and another
// layout is left to the JSON parser.
func TestWeightsByLines(t *testing.T) {
	var want Learned
	if err := json.Unmarshal(learnedFile, &want); err != nil {
		t.Fatal(err)
	}
	if got, ok := byLines(string(learnedFile)); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("read by lines: %v, and the same as JSON: %v", ok, reflect.DeepEqual(got, want))
	}
	for _, other := range []string{"", "{}", "{\n}\n", "{\n\"day\": {\n\"kinds\": [\"a\"]}\n}\n", "{\n\"above\": [0.1]\n}\n"} {
		if _, ok := byLines(other); ok {
			t.Errorf("%q is read as a file of weights", other)
		}
	}
}
