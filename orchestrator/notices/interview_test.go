package notices

import (
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/message"
	"munshi/orchestrator/store"
)

// A client's link does not say how much depends on a question, since that was read from the notice.
func TestLinkNamesNoAmount(t *testing.T) {
	amount := message.Paise(549_500_00)
	for _, why := range []message.Message{
		message.New("interview.why.defence_amount", message.Params{"title": "Credit reversed", "amount": amount}),
		message.New("interview.why.para_amount", message.Params{"amount": amount}),
		message.New("interview.why.served", nil),
	} {
		got := whyForClient(why)
		if strings.Contains(got.English, "5,49,500") || strings.Contains(got.In("hi"), "5,49,500") || strings.Contains(got.English, "{{") || got.English == "" {
			t.Errorf("%s: %q, %q", why.Code, got.English, got.In("hi"))
		}
	}
}

// A question can be answered even if an earlier answer has more words than it has places for, and "do not know" keeps
// what was typed.
func TestInterviewSettles(t *testing.T) {
	papers := reply.Enquiry{Kind: reply.AskPapers, Places: []string{""}, Options: []string{"Purchase register", "E-way bills"}}
	day := reply.Enquiry{Kind: reply.AskDay, Places: []string{""}}
	which := reply.Enquiry{Kind: reply.AskWhich, Places: []string{"date", "amount"}}
	for name, test := range map[string]struct {
		question reply.Enquiry
		said     store.Answered
		holds    string
		words    []string
		refused  bool
	}{
		"a paper that is not asked for any more": {question: papers,
			said: store.Answered{Words: []string{"Ledger", "E-way bills"}}, words: []string{"E-way bills"}},
		"no other paper":         {question: papers, said: store.Answered{Words: []string{"Ledger"}}},
		"more words than places": {question: which, said: store.Answered{Holds: "no", Words: []string{" 3 May ", "", "x"}}, holds: "no", words: []string{"3 May", ""}},
		"not known after all":    {question: which, said: store.Answered{Holds: "yes", Words: []string{"3 May"}, Unknown: true}, words: []string{"3 May"}},
		"a day half typed":       {question: day, said: store.Answered{Words: []string{"2024"}, Unknown: true}, words: []string{"2024"}},
		"no day":                 {question: day, said: store.Answered{Words: []string{"on a Monday"}}, words: []string{"on a Monday"}, refused: true},
	} {
		got, err := settled(test.question, test.said)
		if (err != nil) != test.refused || got.Holds != test.holds || !slices.Equal(got.Words, test.words) || got.Unknown != test.said.Unknown {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if kept := within(papers, []string{"Ledger", "Purchase register"}); !slices.Equal(kept, []string{"Purchase register"}) {
		t.Errorf("shown is %q", kept)
	}
}
