package activities

import (
	"encoding/json"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/mask"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// A model that is asked for open facts sees no number of the page, and what it quotes with a placeholder is found
// there once the number is restored.
func TestProposalQuotedUnderTheMask(t *testing.T) {
	const number = "27AAACB1234C1ZF"
	page := `OFFICE OF THE STATE TAX OFFICER, WARD 6, NAGPUR
Subject: show cause notice under section 73 of the CGST Act, 2017 in respect of short payment of tax.
The scrutiny of returns shows that tax was short paid. You are asked to show cause why it should not be recovered.
The paper trail closes with ` + number + ` and rests till 12 March 2027 for want of anything from your side.
`
	pages := []gst.Page{{Text: page}}
	facts, err := json.Marshal(gst.Read(law.Built(), pages))
	must(t, err)
	m := workflows.PromptContext{Facts: string(facts), Notice: []turns.Page{{Number: 1, Text: page}}}
	hidden, used := masked(workflows.Question{Private: private(m), Messages: []turns.Utterance{{Role: "user", Text: page}}})
	seen := hidden[0].Text
	if strings.Contains(seen, number) || len(mask.Numbers(seen)) > 0 {
		t.Fatalf("the model sees %q", seen)
	}
	from := strings.Index(seen, "The paper trail")
	quoted := seen[from : from+strings.Index(seen[from:], "2027")+len("2027")]
	if !strings.Contains(quoted, "[") {
		t.Fatalf("no placeholder in %q", quoted)
	}
	found, dropped := gst.Propose(law.Built(), pages, []gst.Proposal{{Field: "reply_due", Page: 1, Quote: used.Show(quoted)}})
	if p, ok := found.Proposed["reply_due"]; !ok || p.Value != "2027-03-12" {
		t.Errorf("proposed %+v, dropped %v", found.Proposed, dropped)
	}
	if _, dropped := gst.Propose(law.Built(), pages, []gst.Proposal{{Field: "reply_due", Page: 1, Quote: quoted}}); dropped[gst.DropNotThere] != 1 {
		t.Errorf("with the placeholder it is found: %v", dropped)
	}
}
