//go:build soak

package app_test

import (
	"net/url"
	"os"
	"slices"
	"testing"
	"time"

	"munshi/orchestrator/api"
	"munshi/orchestrator/role"
)

// A firm with 60 members, 500 clients, 5,000 matters and 50,000 papers: how long the API needs for its board, lists
// and searches. The times are logged for docs/benchmarks.md; they cannot fail the test, which only checks that
// everything is found.
func TestSoakPracticeAtScale(t *testing.T) {
	p := startAlone(t, nil)
	f := p.staffed("scale")
	conn := p.connect()
	_, err := conn.Exec(t.Context(), "select set_config('seed.firm', $1, false)", f.id)
	must(t, err)
	seed, err := os.ReadFile("testdata/practice.sql")
	must(t, err)
	_, err = conn.PgConn().Exec(t.Context(), string(seed)).ReadAll()
	must(t, err)

	v := f.as[role.Viewer]
	measured := func(path string, out any) {
		t.Helper()
		var took []time.Duration
		for range 60 {
			from := time.Now()
			v.get(path, out)
			took = append(took, time.Since(from))
		}
		slices.Sort(took)
		t.Logf("%-55s p50 %4d ms, p95 %4d ms", path, took[29].Milliseconds(), took[56].Milliseconds())
	}
	var board api.Board
	for _, path := range []string{"/api/board", "/api/board?hearings=true", "/api/board?region=27&stage=notice", "/api/board?skip=1000"} {
		if measured(path, &board); len(board.Days) == 0 {
			t.Errorf("%s is empty", path)
		}
	}
	var matters api.MatterList
	for _, path := range []string{"/api/matters", "/api/matters?skip=4900", "/api/matters?search=Textiles&stage=notice", "/api/matters?least=5000000"} {
		if measured(path, &matters); len(matters.Matters) == 0 {
			t.Errorf("%s is empty", path)
		}
	}
	var clients api.ClientList
	measured("/api/clients", &clients)
	var choices api.ListChoices
	measured("/api/board/choices", &choices)
	var load api.Workload
	if measured("/api/workload", &load); len(load.People) < 50 {
		t.Errorf("%d people work there", len(load.People))
	}
	var exposure api.Exposure
	measured("/api/exposure", &exposure)
	var found api.SearchResult
	// A number that occurs once, a client's name, words that occur in nearly all papers, Hindi, and beginnings of
	// words.
	for _, text := range []string{"ZD270000012345V", "Client 042 Steels", "notice credit", "व्यक्तिगत सुनवाई", "turn supp 16"} {
		if measured("/api/search?text="+url.QueryEscape(text), &found); text != "turn supp 16" && len(found.Found) == 0 {
			t.Errorf("%q finds nothing", text)
		}
	}
}
