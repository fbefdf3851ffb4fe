package app_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/model/modeltest"
)

// summaryText is a summary of the tests' notice, with a date whose page is wrong and an amount that is not in the
// notice.
const summaryText = `## TL;DR

A show cause notice of 5 December 2024 (page 1) for **₹9,68,058** (page 1). It is § 73.

## Dates and deadlines

| Date | What | Page |
| --- | --- | --- |
| 19 August 2024 | Intimation in FORM GST DRC\-01A | 1 |
| **6 January 2025** | Reply &amp; papers | 1 |
| 13 January 2025 | Personal hearing | 2 |
| On receipt | Nothing | 1 |

## Implications

- A late fee of ₹12,34,567 (page 2).
`

func verdicts(m api.Message) string {
	var all []string
	for _, c := range m.Checks {
		if c.Code == "figure" {
			all = append(all, fmt.Sprintf("%s %s %d %s", c.Quote, c.Verdict, c.Page, c.Words))
		}
	}
	return strings.Join(all, "\n")
}

// A PDF is summarised; its dates and amounts are found in its pages, the dates go into a calendar file and the whole
// into a Word file, and a question is answered from the pages.
func TestSummary(t *testing.T) {
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
		if strings.Contains(said(r), "Give a TLDR of the document") {
			return summaryText
		}
		return "The total is ₹9,68,058 (page 1)."
	}}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converseWith("summary")
	answer := v.answer(c, v.hand(c, "testdata/notice.pdf", ""))

	if got, want := verdicts(answer), `5 December 2024 in_document 1 05/12/2024
₹9,68,058 in_document 1 968058.00
19 August 2024 in_document 1 19/08/2024
6 January 2025 in_document 1 06/01/2025
13 January 2025 other_page 1 13/01/2025
₹12,34,567 not_in_document 0 `; got != want {
		t.Errorf("looked up:\n%s\nwant\n%s", got, want)
	}
	for _, check := range answer.Checks {
		if units := []rune(answer.Text); check.Quote != string(units[check.Start:check.End]) {
			t.Errorf("%+v stands at %q", check, string(units[check.Start:check.End]))
		}
	}
	d := v.detail(c)
	if d.Plugin != "summary" || d.Title != "notice.pdf" || d.Facts != nil || d.Messages[0].Text != "Summarize this document." || len(d.RequiredDocuments) != 0 {
		t.Errorf("the conversation is %+v", d)
	}
	if first := fake.Requests()[0]; !strings.Contains(said(first), "[Page 2]") || !strings.Contains(said(first), "ZD271224038216Q") {
		t.Error("the model was not given the pages")
	}
	var list api.NoticeList
	v.get("/api/notices", &list)
	if list.Total != 0 {
		t.Error("a summary stands among the notices")
	}

	path := "/api/conversations/" + c + "/messages/" + answer.ID
	var dates api.DateList
	v.get(path+"/dates", &dates)
	want := []api.ListedDate{{Number: 1, Date: "2024-08-19", What: "Intimation in FORM GST DRC-01A", Page: 1}, {Number: 2, Date: "2025-01-06", What: "Reply & papers", Page: 1},
		{Number: 3, Date: "2025-01-13", What: "Personal hearing", Page: 2}}
	if fmt.Sprint(dates.Dates) != fmt.Sprint(want) {
		t.Errorf("the dates are %+v", dates.Dates)
	}
	cal, raw, status := p.fetch(path+"/dates.ics", v.http)
	if status != http.StatusOK {
		t.Fatalf("the calendar gives %d: %s", status, raw)
	}
	if len(cal.Events()) != 3 || !strings.Contains(raw, "DTSTART;VALUE=DATE:20250106\r\n") || !strings.Contains(raw, "UID:date-2-"+answer.ID) || !strings.Contains(raw, "SUMMARY:Reply & papers – notice.pdf") || !strings.Contains(raw, "Page 1 of the document") {
		t.Errorf("the calendar is\n%s", raw)
	}
	if cal, raw, status = p.fetch(path+"/dates.ics?pick=3,1", v.http); status != http.StatusOK || len(cal.Events()) != 2 || strings.Contains(raw, "20250106") {
		t.Errorf("of two dates:\n%s", raw)
	}
	v.call("GET", "/api/conversations/"+c+"/messages/"+c+"/dates", "", nil, http.StatusNotFound, nil)
	stranger := p.visitor()
	stranger.converse()
	stranger.call("GET", path+"/dates", "", nil, http.StatusNotFound, nil)
	if _, _, status := p.fetch(path+"/dates.ics", stranger.http); status != http.StatusNotFound {
		t.Errorf("a stranger's calendar gives %d", status)
	}

	file, name := v.download(path + "/word")
	if words := wordText(t, file); !strings.Contains(words, "₹12,34,567 [not found in the document]") || strings.Count(words, "[not found") != 1 || !strings.Contains(name, "notice-summary.docx") {
		t.Errorf("the Word file, %s, says %s", name, words)
	}

	reply := v.answer(c, v.say(c, "How much is the total?"))
	if got := verdicts(reply); got != "₹9,68,058 in_document 1 968058.00" {
		t.Errorf("in the answer to a question: %s", got)
	}
	requests := fake.Requests()
	if told := said(requests[len(requests)-1]); !strings.Contains(told, "SAHYADRI AGROVET") || !strings.Contains(told, "A show cause notice of 5 December 2024") || !strings.Contains(told, "How much is the total?") {
		t.Error("the question was asked without the document or the summary")
	}
}

// Without a model, a program writes the summary, and everything in it is in the document.
func TestSummaryWithoutModel(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	for _, file := range []string{"testdata/notice.pdf", "testdata/scan.pdf"} {
		c := v.converseWith("summary")
		answer := v.answer(c, v.hand(c, file, ""))
		for _, want := range []string{"## TL;DR\n", "**No language model read this document.**", "## Key points\n", "## Dates and deadlines\n", "| Date | What | Page |", "## Required actions\n", "## Implications\n"} {
			if !strings.Contains(answer.Text, want) {
				t.Errorf("the summary of %s lacks %q", file, want)
			}
		}
		if got := verdicts(answer); !strings.Contains(got, "in_document") || strings.Contains(got, "not_in_document") || strings.Contains(got, "other_page") {
			t.Errorf("looked up in %s:\n%s\n\n%s", file, got, answer.Text)
		}
		var dates api.DateList
		v.get("/api/conversations/"+c+"/messages/"+answer.ID+"/dates", &dates)
		if len(dates.Dates) == 0 {
			t.Errorf("no dates in\n%s", answer.Text)
		}
	}
	c := v.converseWith("summary")
	broken, err := os.ReadFile("testdata/web/index.html")
	must(t, err)
	var refused api.Problem
	v.upload(c, "page.pdf", "application/pdf", "", broken, http.StatusUnsupportedMediaType, &refused)
	if refused.Detail != "Please upload a PDF, JPEG, PNG, WebP or HEIC file" {
		t.Errorf("what is no PDF is refused with %+v", refused)
	}
}

// A long document is read in parts, and then as a whole.
func TestSummaryInParts(t *testing.T) {
	fake := &modeltest.Server{}
	fake.Answer = func(r modeltest.Request) string {
		switch told := said(r); {
		case strings.Contains(told, "Take notes on it"):
			return "- Something (page 1)."
		case strings.Contains(told, "Give a TLDR"):
			return summaryText
		}
		return "?"
	}
	model := withModel(t, fake)
	p := start(t, func(c *config.Config) {
		model(c)
		c.Model.ContextTokens = 8_000
	})
	v := p.visitor()
	c := v.converseWith("summary")
	answer := v.answer(c, v.hand(c, "testdata/long.pdf", ""))
	parts := 0
	for _, r := range fake.Requests() {
		if strings.Contains(said(r), "Take notes on it") {
			parts++
		}
	}
	if parts < 2 || answer.Provenance.Prompt != "summary/summarise" {
		t.Errorf("%d parts, then %s", parts, answer.Provenance.Prompt)
	}
}
