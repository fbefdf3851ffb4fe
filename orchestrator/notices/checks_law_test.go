package notices_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"munshi/orchestrator/clock"
	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/law"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/law/faq"
	"munshi/orchestrator/notices"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// Our answers to common questions must not be marked as wrong: neither for a number that the law does not have, nor
// for a provision that does not exist.
func TestCommonAnswersStandUp(t *testing.T) {
	topics, err := faq.Built()
	if err != nil {
		t.Fatal(err)
	}
	held := statute.New(statute.Options{Today: func() string { return "2026-11-27" }})
	x := notices.FactExtractor{Tables: law.Built(), Statute: func() *statute.Law { return held }}
	day := time.Date(2026, 11, 27, 0, 0, 0, 0, clock.India)
	for _, topic := range topics {
		for _, language := range []string{"en", "hi", "hinglish"} {
			for _, f := range x.Cited(topic.Answer.In(language), workflows.CheckContext{Today: day}) {
				if f.Code == "number" || f.Verdict == string(cite.Unknown) {
					t.Errorf("%s in %s: %q is marked: %s", topic.ID, language, f.Quote, f.Message)
				}
			}
		}
	}
}

// What an answer says about a provision is compared with the digest: its numbers, whether it is still in force,
// and whether it exists.
func TestWhatAnAnswerSaysOfTheLaw(t *testing.T) {
	tables, err := law.Load(fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	held := statute.New(statute.Options{Today: func() string { return "2026-05-01" }})
	x := notices.FactExtractor{Tables: tables, Statute: func() *statute.Law { return held }}
	for _, c := range []struct {
		name, answer, want string // the findings, except those about provisions that exist
		pages              []turns.Page
	}{
		{name: "the right time", answer: "An appeal lies within three months under section 107(1) of the CGST Act."},
		{name: "a wrong time", answer: "An appeal lies within 45 days under section 107(1) of the CGST Act.", want: "number differs within 45 days"},
		{name: "a wrong time in words", answer: "Under section 107(1) of the CGST Act file within forty-five days.", want: "number differs within forty-five days"},
		{name: "a wrong rate", answer: "Section 50(1) of the CGST Act sets interest at 36% a year.", want: "number differs 36%"},
		{name: "the right rate", answer: "Section 50(1) of the CGST Act sets interest at 18% a year."},
		{name: "of two provisions", answer: "Sections 73 and 107 of the CGST Act: act within 45 days."},
		{name: "the document's own", answer: "The notice gives a time of 15 days: within 15 days under section 73(1) of the CGST Act.",
			pages: []turns.Page{{Text: "Reply within 15 days of receipt."}}},
		{name: "the day after", answer: "Section 107 of the CGST Act is about appeals. The pages are due within 45 days."},
		{name: "omitted", answer: "See section 42 of the CGST Act.", want: "provision not_in_force section 42"},
		{name: "no source", answer: "It is settled that credit cannot be denied.", want: "view not_verified It is settled"},
		{name: "a heading", answer: "## What the law says\n\nSee section 16 of the CGST Act."},
		{name: "with its source", answer: "It is settled by section 16(2) of the CGST Act that conditions apply."},
		{name: "owned", answer: "In my view it is settled; to be confirmed."},
	} {
		var got []string
		for _, f := range x.Check(c.answer, workflows.CheckContext{Today: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), Pages: c.pages, Facts: factsFor(c.pages)}) {
			if f.Code == "provision" && (f.On != "2026-05-01" || f.From == "") {
				t.Errorf("%s: the days of %s are %q and %q", c.name, f.Provision, f.On, f.From)
			}
			if f.Code == "number" || f.Code == "view" || f.Verdict == "not_in_force" {
				got = append(got, fmt.Sprint(f.Code, " ", f.Verdict, " ", f.Quote))
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// factsFor returns the facts of a notice; the period is left out if it is empty.
func factsFor(pages []turns.Page) string {
	if len(pages) == 0 {
		return ""
	}
	return `{"periods":[]}`
}
