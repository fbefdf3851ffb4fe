package notices_test

import (
	"encoding/json"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/notices"
	"munshi/orchestrator/turns"
)

// Only what is found on the pages is used of a model's answer: nothing if it is not a list of quotations, or hostile.
func TestProposedByAModel(t *testing.T) {
	x := notices.FactExtractor{Tables: law.Built()}
	pages := []turns.Page{{Number: 1, Text: "OFFICE OF THE STATE TAX OFFICER, WARD 6, NAGPUR\n" +
		"Subject: show cause notice under section 73 of the CGST Act, 2017 in respect of short payment of tax.\n\n" +
		"The scrutiny of returns shows that tax was short paid. You are asked to show cause why it should not be recovered.\n" +
		"The matter rests till 12 March 2027 for want of anything from your side; thereafter no further word will be heard from you.\n"}}
	const quoted = `{"field": "reply_due", "page": 1, "quote": "rests till 12 March 2027", "value": "2031-01-01"}`
	for name, c := range map[string]struct {
		answer string
		found  int
	}{
		"a list":                         {"[" + quoted + "]", 1},
		"a list in words":                {"Here it is [1]:\n```json\n[" + quoted + "]\n```", 1},
		"a list that broke off":          {"[" + quoted + `, {"field": "issue_da`, 1},
		"a value for a quotation":        {`[{"field": "reply_due", "page": 1, "quote": "2031-01-01", "value": "2031-01-01"}]`, 0},
		"a page in words":                {`[{"field": "reply_due", "page": "one", "quote": "rests till 12 March 2027"}]`, 0},
		"an object":                      {quoted, 0},
		"no JSON":                        {"The reply is due on 12 March 2027.", 0},
		"nothing":                        {"", 0},
		"ten megabytes of brackets":      {strings.Repeat("[", 10<<20), 0},
		"ten megabytes before the list":  {strings.Repeat("x", 10<<20) + "[" + quoted + "]", 0},
		"ten megabytes in the quotation": {`[{"field": "reply_due", "page": 1, "quote": "` + strings.Repeat("rests till 12 March 2027 ", 400_000) + `"}]`, 0},
		"the same many times":            {"[" + strings.Repeat(quoted+",", 300) + quoted + "]", 1},
	} {
		raw, found, dropped, err := x.Propose(pages, c.answer)
		var proposed map[string]gst.Proposed
		if err != nil || json.Unmarshal(raw, &proposed) != nil || found != c.found || len(proposed) != c.found {
			t.Errorf("%s: %s, found %d, dropped %v, error %v", name, raw, found, dropped, err)
		}
		if c.found == 1 && proposed["reply_due"].Value != "2027-03-12" {
			t.Errorf("%s: %+v", name, proposed)
		}
	}
	if open := x.Open(`{"issue_date": "2027-01-01", "is_notice": {"answer": "no"}}`); len(open) > 0 {
		t.Errorf("of a paper that is no notice are asked: %v", open)
	}
	if open := x.Open(""); len(open) > 0 {
		t.Errorf("without facts are asked: %v", open)
	}
}
