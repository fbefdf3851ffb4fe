package activities

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/mask"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// No GSTIN or PAN of the sample notices passes the mask.
func TestMaskingOfSamples(t *testing.T) {
	files, err := filepath.Glob("../gst/testdata/notices/*.txt")
	must(t, err)
	// The samples are not part of the repository.
	beside, err := filepath.Glob(filepath.Join(localtest.Root(t), "..", "shared", "samples", "notices", "*.txt"))
	must(t, err)
	if files = append(files, beside...); len(files) < 10 {
		t.Fatalf("%d notices found", len(files))
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		must(t, err)
		text := string(raw)
		facts, err := json.Marshal(gst.Read(law.Built(), []gst.Page{{Text: text}}))
		must(t, err)
		m := workflows.PromptContext{Facts: string(facts), Notice: []turns.Page{{Number: 1, Text: text}}}
		hidden, used := masked(workflows.Question{Private: private(m), Messages: []turns.Utterance{{Role: "user", Text: text + string(facts)}}})
		var known struct {
			GSTIN *string `json:"gstin"`
			Legal *string `json:"legal_name"`
		}
		must(t, json.Unmarshal(facts, &known))
		for _, secret := range []*string{known.GSTIN, known.Legal} {
			if secret != nil && strings.Contains(strings.ToUpper(hidden[0].Text), strings.ToUpper(*secret)) {
				t.Errorf("%s: %s gets through", filepath.Base(file), *secret)
			}
		}
		if found := mask.Numbers(hidden[0].Text); len(found) > 0 {
			t.Errorf("%s: %v gets through", filepath.Base(file), found)
		}
		if known.Legal != nil && !strings.Contains(used.Show("[PARTY-1]"), strings.Fields(*known.Legal)[0]) && !strings.Contains(*known.Legal, used.Show("[PARTY-1]")) {
			t.Errorf("%s: the name comes back as %q, want %q", filepath.Base(file), used.Show("[PARTY-1]"), *known.Legal)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
