package main

import (
	"strings"
	"testing"
	"unicode/utf16"

	"munshi/orchestrator/api"
	"munshi/orchestrator/model/modeltest"
)

// A judgment is "not verified" until the person supplies it; then it is in the prompt and marked as theirs. The places of
// marks are counted as a browser counts.
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
		if answer.Text != text || len(answer.Checks) != 2 {
			t.Fatalf("the answer %q has the checks %+v", answer.Text, answer.Checks)
		}
		units := utf16.Encode([]rune(answer.Text))
		for _, check := range answer.Checks {
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
	stranger.call("DELETE", path+"/"+added.ID, "", nil, 204, nil)
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
}

// What a notice cites is looked up whenever its brief is read, and an answer that contradicts its facts is told of.
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
