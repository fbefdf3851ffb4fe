package api_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"munshi/orchestrator/api"
)

// oneLaw is a law with one section.
type oneLaw struct{}

func (oneLaw) Acts() ([]api.LawAct, error) {
	return []api.LawAct{{ID: "cgst", Chapters: []api.LawChapter{}}}, nil
}

func (oneLaw) Provision(act, number, on string) (*api.LawProvision, error) {
	if act != "cgst" || number != "16(4)" {
		return nil, api.ErrNoProvision
	}
	return &api.LawProvision{Act: api.LawAct{ID: act}, Number: number, On: on}, nil
}

func (oneLaw) Search(words, _, _ string, limit int) ([]api.LawHit, error) {
	return []api.LawHit{{Act: "cgst", Number: "16(4)", Heading: words, Score: float64(limit)}}, nil
}

// Pages of the law are public, and may be cached for a while; a wrong request gets an explanation.
func TestLawRoutes(t *testing.T) {
	handler, err := api.New(api.Options{Law: oneLaw{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path   string
		status int
		has    string
	}{
		{"/api/law", 200, `"id":"cgst"`},
		{"/api/law/cgst/16(4)?on=2021-09-30", 200, `"on":"2021-09-30"`},
		{"/api/law/cgst/16(4)?on=yesterday", 422, "is not a date"},
		{"/api/law/cgst/999", 404, "law_unknown_provision"},
		{"/api/law/search?q=late%20fee&limit=3", 200, `"score":3`},
		{"/api/law/search?q=late&on=30-09-2021", 422, "is not a date"},
		{"/api/law/search", 422, "invalid_request"},
	} {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "http://localhost"+test.path, nil))
		if answer.Code != test.status || !strings.Contains(answer.Body.String(), test.has) || !json.Valid(answer.Body.Bytes()) {
			t.Errorf("%s: %d %s", test.path, answer.Code, answer.Body)
		}
		if kept := answer.Header().Get("Cache-Control"); (answer.Code == 200) != (kept == "public, max-age=300") {
			t.Errorf("%s: may be kept %q", test.path, kept)
		}
	}
}
