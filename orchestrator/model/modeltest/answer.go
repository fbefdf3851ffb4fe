package modeltest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Answer is the default answer of the server. It looks like an analysis if the prompt asks for the required documents;
// it is the first words with "till" and a date if the prompt asks for the place of the reply date, denials if it asks
// how to answer allegations, and a paragraph if it asks for a part of a reply. Anything else gets a short answer. All
// but the denials say that no model wrote them.
func Answer(req Request) string {
	asks, question := false, false
	var all strings.Builder
	for _, m := range req.Messages {
		asks = asks || strings.Contains(m.Content, "Required Document(s):")
		question = strings.Contains(m.Content, "<message-")
		all.WriteString(m.Content + "\n")
	}
	switch part := partAsked.FindStringSubmatch(all.String()); {
	case strings.Contains(all.String(), "It could not tell where these particulars are"):
		return places(all.String())
	case strings.Contains(all.String(), "propose how the reply answers it"):
		return denials(all.String())
	case part != nil:
		return "The Noticee submits, of " + part[1] +
			", what a stand-in for a language model writes: nothing of it is about your notice, and […] is left as it " +
			"is. See section 16(2) of the CGST Act."
	case asks && !question:
		return analysis
	}
	return reply
}

var (
	partAsked = regexp.MustCompile(`only this one: (.*)\.`)
	pageGiven = regexp.MustCompile(`^\[Page (\d)`)
	tillDate  = regexp.MustCompile(`till \d{1,2} [A-Z][a-z]+ \d{4}`)
	keyGiven  = regexp.MustCompile(`(?m)^- key: ([^;\n]+);`)
)

// places quotes the words of the notice that begin with "till" as the place of the reply date, and adds a quotation
// that is not in the notice.
func places(prompt string) string {
	page := 0
	for line := range strings.Lines(prompt) {
		if at := pageGiven.FindStringSubmatch(line); at != nil {
			page = int(at[1][0] - '0')
		}
		if words := tillDate.FindString(line); words != "" && page > 0 {
			return fmt.Sprintf(`[{"field": "reply_due", "page": %d, "quote": %q}, {"field": "issue_date", "page": 1, "quote": "dated 1 April 2027"}]`, page, words)
		}
	}
	return "[]"
}

// denials proposes to deny each allegation whose key is in the prompt.
func denials(prompt string) string {
	type proposal struct {
		Key    string `json:"key"`
		Stance string `json:"stance"`
		Facts  string `json:"facts"`
	}
	list := []proposal{}
	for _, key := range keyGiven.FindAllStringSubmatch(prompt, -1) {
		list = append(list, proposal{key[1], "deny", "A stand-in for a language model proposes this."})
	}
	text, err := json.Marshal(list)
	if err != nil {
		return "[]"
	}
	return string(text)
}

const (
	disclaimer = "> **This is a stand-in for a language model.** No model wrote this text, and nothing in it is about " +
		"your notice.\n\n"

	reply = disclaimer + "Your question arrived with the earlier turns of this conversation. A real model would " +
		"answer it here, from the facts and the text of the notice."

	analysis = disclaimer + `## What this notice is

A show cause notice in FORM GST DRC-01 under section 73(1) of the CGST Act, 2017, for the financial year 2020-21.

## What is alleged

1. Input tax credit claimed in FORM GSTR-3B is more than what FORM GSTR-2A shows.
2. Tax on inward freight was not paid under reverse charge.

| Head | Tax | Interest | Penalty | Total |
| --- | ---: | ---: | ---: | ---: |
| IGST | ₹2,18,460 | ₹1,37,630 | ₹21,846 | ₹3,77,936 |
| CGST | ₹1,70,555 | ₹1,07,450 | ₹17,056 | ₹2,95,061 |
| SGST | ₹1,70,555 | ₹1,07,450 | ₹17,056 | ₹2,95,061 |

## What to do, and by when

File the reply in FORM GST DRC-06 by the date printed in the notice, and ask for a personal hearing under section 75(4).

## Draft reply

Before the Deputy Commissioner of State Tax

1. The Noticee submits that the demand is denied except where it is expressly admitted.
2. The difference in credit comes from invoices that the suppliers reported in a later period, as the reconciliation at **Annexure A** shows.
3. The Noticee prays that the proceedings be dropped.

Required Document(s):
- GSTR-2A and GSTR-3B reconciliation: to show, invoice by invoice, where the difference comes from
- Purchase register for FY 2020-21: to match each credit with its invoice
- Freight ledger and lorry receipts: to show which consignments were charged to tax
`
)
