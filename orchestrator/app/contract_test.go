package app_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"munshi/orchestrator/api"
)

// contract is the committed API contract; every response in these tests is checked against it.
var contract = sync.OnceValues(func() (routers.Router, error) {
	raw, err := api.OpenAPI()
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		return nil, err
	}
	return gorillamux.NewRouter(doc)
})

// checkContract fails the test if a response differs from what the OpenAPI document promises.
func checkContract(t testing.TB, req *http.Request, resp *http.Response, body []byte) {
	t.Helper()
	if !strings.Contains(resp.Header.Get("Content-Type"), "json") {
		return
	}
	router, err := contract()
	must(t, err)
	bare := req.Clone(t.Context())
	bare.URL.Scheme, bare.URL.Host, bare.Host = "", "", ""
	if at := strings.Index(bare.URL.Path, "/api/"); at > 0 { // in a firm
		bare.URL.Path = bare.URL.Path[at:]
	}
	route, params, err := router.FindRoute(bare)
	if err != nil {
		if resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s %s is not in the contract: %v", req.Method, req.URL.Path, err)
		}
		return
	}
	in := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: bare, PathParams: params, Route: route},
		Status:                 resp.StatusCode, Header: resp.Header, Body: io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	if err := openapi3filter.ValidateResponse(t.Context(), in); err != nil {
		t.Errorf("%s %s breaks the contract: %v", req.Method, req.URL.Path, err)
	}
}
