package app_test

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"munshi/orchestrator/api"
	"munshi/orchestrator/model/modeltest"
)

// A judgment is "not verified" until the person supplies it; then it is in the prompt and marked as theirs. The places
// of marks are counted as a browser counts.
func TestAuthorities(t *testing.T) {
	const arise = "Arise India Ltd. v. Commissioner of Trade and Taxes"
	text := "₹ धन 😀: see " + arise + " and section 16(2)(c) of the CGST Act."
	fake := &modeltest.Server{Answer: func(modeltest.Request) string { return text }}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converse()
	ask := func() []api.Check {
		t.Helper()
		answer := v.answer(c, v.say(c, "Is the credit safe?"))
		if answer.Text != text || len(answer.Checks) != 3 || answer.Checks[2].Code != "scope" {
			t.Fatalf("the answer %q has the checks %+v", answer.Text, answer.Checks)
		}
		units := utf16.Encode([]rune(answer.Text))
		for _, check := range answer.Checks[:2] {
			if got := string(utf16.Decode(units[check.Start:check.End])); got != check.Quote {
				t.Errorf("%d to %d is %q, want %q", check.Start, check.End, got, check.Quote)
			}
		}
		if check := answer.Checks[1]; check.Verdict != "exists" || check.Provision != "section 16(2)(c)" || check.Act != "CGST Act" || check.Heading == "" {
			t.Errorf("the section is %+v", check)
		}
		return answer.Checks
	}
	if checks := ask(); checks[0].Verdict != "not_verified" || checks[0].Quote != arise {
		t.Errorf("a judgment that nobody supplied is %+v", checks[0])
	}

	path := "/api/conversations/" + c + "/authorities"
	var added api.Authority
	v.post(path, map[string]string{"citation": " Arise India Limited v. Commissioner of Trade & Taxes,  2017 (10) TMI 1020 ", "court": "Delhi High Court", "date": "2017-10-26", "proposition": "A buyer in good faith keeps the credit."}, 201, &added)
	if added.Citation != "Arise India Limited v. Commissioner of Trade & Taxes, 2017 (10) TMI 1020" || added.Date != "2017-10-26" {
		t.Errorf("what was added is %+v", added)
	}
	if checks := ask(); checks[0].Verdict != "supplied" {
		t.Errorf("a judgment that the person supplied is %+v", checks[0])
	}
	requests := fake.Requests()
	if said := string(requests[len(requests)-1].Body); !strings.Contains(said, "A buyer in good faith keeps the credit.") || strings.Contains(said, "supplied no judgment") {
		t.Error("the prompt does not hold the authority")
	}
	if said := string(requests[0].Body); !strings.Contains(said, "supplied no judgment") {
		t.Error("the first prompt does not say that there is none")
	}

	v.post(path, map[string]string{"citation": "  "}, 422, nil)
	v.post(path, map[string]string{"citation": "A v. B, 2020", "date": "next week"}, 422, nil)
	v.post(path, map[string]string{"citation": strings.Repeat("x", 700)}, 422, nil)
	stranger := p.visitor()
	stranger.converse()
	stranger.call("GET", path, "", nil, 404, nil)
	stranger.post(path, map[string]string{"citation": "Mine v. Yours"}, 404, nil)
	stranger.call("DELETE", path+"/"+added.ID, "", nil, 404, nil)
	var list api.AuthorityList
	v.get(path, &list)
	if len(list.Authorities) != 1 || list.Authorities[0] != added {
		t.Errorf("the authorities are %+v", list.Authorities)
	}
	v.call("DELETE", path+"/"+added.ID, "", nil, 204, nil)
	v.get(path, &list)
	if len(list.Authorities) != 0 {
		t.Errorf("after it was removed the authorities are %+v", list.Authorities)
	}
	stranger.post(path+"/"+added.ID+"/restore", nil, 404, nil)
	v.post(path+"/"+added.ID+"/restore", nil, 204, nil)
	v.get(path, &list)
	if len(list.Authorities) != 1 || list.Authorities[0] != added {
		t.Errorf("brought back the authorities are %+v", list.Authorities)
	}
}

// An authority's PDF is stored with the matter, and is neither its notice nor a required paper; a second upload
// replaces it.
func TestAuthorityWithPDF(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	before, _ := v.brief(c)
	path := "/api/conversations/" + c + "/authorities"
	var a api.Authority
	v.post(path, map[string]string{"citation": "Arise India Ltd. v. CTT, 2017 (10) TMI 1020"}, 201, &a)
	content, err := os.ReadFile("testdata/long.pdf")
	must(t, err)
	attach := func(v *person, content []byte, want int) {
		t.Helper()
		form, body := uploadForm(t, "arise.pdf", "application/pdf", "", content)
		var out any
		if want == 200 {
			out = &a
		}
		v.call("POST", path+"/"+a.ID+"/document", form, body, want, out)
	}
	attach(v, []byte("no PDF"), 415)
	stranger := p.visitor()
	stranger.converse()
	attach(stranger, content, 404)
	attach(v, content, 200)
	if a.DocumentID == nil {
		t.Fatal("the authority has no document")
	}
	first := *a.DocumentID
	detail := v.detail(c)
	at := slices.IndexFunc(detail.Documents, func(d api.Document) bool { return d.ID == first })
	if at < 0 || detail.Documents[at].Type == "" || detail.Documents[at].Name != "arise.pdf" || detail.Documents[at].Pages < 2 {
		t.Errorf("the matter's documents are %+v", detail.Documents)
	}
	after, _ := v.brief(c)
	if after.DocumentID != before.DocumentID || !reflect.DeepEqual(after.Papers, before.Papers) {
		t.Error("an authority's PDF changes the brief")
	}
	attach(v, content, 200)
	if *a.DocumentID == first {
		t.Error("the second PDF did not take the place of the first")
	}
	v.call("GET", "/api/documents/"+first, "", nil, 404, nil)
	v.call("GET", "/api/documents/"+*a.DocumentID, "", nil, 200, nil)
	v.call("DELETE", path+"/"+a.ID, "", nil, 204, nil)
	attach(v, content, 404)
	must(t, p.app.Store.Erase(t.Context(), time.Now().Add(-time.Hour)))
	v.call("GET", "/api/documents/"+*a.DocumentID, "", nil, 200, nil)
	must(t, p.app.Store.Erase(t.Context(), time.Now().Add(time.Hour)))
	v.call("GET", "/api/documents/"+*a.DocumentID, "", nil, 404, nil)
	v.post(path+"/"+a.ID+"/restore", nil, 404, nil)
}

// The PDF of an authority is read; a question in another conversation of the same workspace gets the page about its
// subject, quotations from the PDF are marked as found with their page, and words that are not in it are marked.
// Prompts of other workspaces do not get it.
func TestAuthoritiesAreRead(t *testing.T) {
	const citation = "Sahyadri Agrovet v. State of Maharashtra, 2024 (1) TMI 7"
	const words = "rule 36(4) restricts the credit in respect of invoices not uploaded by the supplier"
	answer := "In " + citation + " it is said: “" + words + "”.\n\nIn " + citation + " it is also said: “the supplier alone answers for the tax that he kept”."
	fake := &modeltest.Server{Answer: func(modeltest.Request) string { return answer }}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	elsewhere := v.converse()
	path := "/api/conversations/" + elsewhere + "/authorities"
	var a api.Authority
	v.post(path, map[string]string{"citation": citation}, 201, &a)
	content, err := os.ReadFile("testdata/long.pdf")
	must(t, err)
	form, body := uploadForm(t, "sahyadri.pdf", "application/pdf", "", content)
	v.call("POST", path+"/"+a.ID+"/document", form, body, 200, &a)
	must(t, p.app.Reconciler().Authorities.Read(t.Context()))

	c := v.converse()
	const question = "Does rule 36(4) restrict the credit of invoices that the supplier did not upload?"
	message := v.answer(c, v.say(c, question))
	requests := fake.Requests()
	if said := string(requests[len(requests)-1].Body); !strings.Contains(said, "On page ") || !strings.Contains(said, "invoices not uploaded by the supplier") ||
		strings.Contains(said, "supplied no judgment") {
		t.Error("the prompt does not have the authority's page")
	}
	if !slices.ContainsFunc(message.Provenance.Law, func(l api.LookedUp) bool { return l.Authority == a.ID && l.Page > 0 && l.Name == citation }) {
		t.Errorf("it was written with %+v", message.Provenance.Law)
	}
	var verdicts []string
	for _, check := range message.Checks {
		if check.Code == "quotation" {
			verdicts = append(verdicts, check.Verdict)
		}
	}
	if !slices.Equal(verdicts, []string{"in_authority", "not_in_authority"}) {
		t.Errorf("the quotations are %v of %+v", verdicts, message.Checks)
	}

	stranger := p.visitor()
	c = stranger.converse()
	message = stranger.answer(c, stranger.say(c, question))
	requests = fake.Requests()
	if said := string(requests[len(requests)-1].Body); strings.Contains(said, "Sahyadri") || !strings.Contains(said, "supplied no judgment") {
		t.Error("a stranger's prompt knows of the authority")
	}
	if slices.ContainsFunc(message.Checks, func(c api.Check) bool { return c.Verdict == "in_authority" || c.Verdict == "supplied" }) {
		t.Errorf("a stranger's answer has %+v", message.Checks)
	}
}

// The authorities that a notice cites are looked up whenever its brief is read, and an answer that contradicts its
// facts is reported.
func TestNoticeIsCheckedAgainst(t *testing.T) {
	answer := "The reply is due by 1 January 2031. The total demand is ₹77. Section 16(2)(aa) and section 74A apply."
	fake := &modeltest.Server{Answer: func(modeltest.Request) string { return answer }}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converse()
	message := v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	verdicts := []string{}
	for _, check := range message.Checks {
		verdicts = append(verdicts, check.Quote+": "+check.Verdict)
	}
	got := strings.Join(verdicts, "; ")
	for _, want := range []string{"1 January 2031: contradicts", "₹77: contradicts", "section 74A: not_in_force"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not among the checks: %s", want, got)
		}
	}
	brief, _ := v.brief(c)
	if len(brief.Provisions) == 0 {
		t.Fatal("the notice's own citations are not there")
	}
	for _, provision := range brief.Provisions {
		if provision.Verdict == "" || provision.Provision == "" || provision.Verdict == "exists" && provision.Heading == "" {
			t.Errorf("a provision of the notice is %+v", provision)
		}
	}
}
