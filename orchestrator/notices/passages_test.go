package notices_test

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/sys/unix"

	"munshi/orchestrator/gst/law"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/notices"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// A prompt gets the law that its question needs: cited provisions first, in the wording of that day, and nothing
// if the question is about something else.
func TestPassages(t *testing.T) {
	tables, err := law.Load(fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	held := fictionalLaw(t)
	x := notices.FactExtractor{Tables: tables, Statute: func() *statute.Law { return held }}
	today := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, question, facts string
		first, words          string
		none                  bool
	}{
		{name: "cited", question: "Does section 16(2) of the CGST Act cover a late return?", first: "section 16(2) of the CGST Act", words: "into the river"},
		{name: "for the period of a notice", question: "What of section 16(2)?", facts: `{"periods":[{"fy":"2020-21","from":"2020-04-01","to":"2021-03-31"}]}`,
			first: "section 16(2) of the CGST Act", words: "over the bridge"},
		{name: "searched", question: "What is the time limit to take input tax credit?", first: "section 16(4) of the CGST Act"},
		{name: "in Hindi", question: "नोटिस का जवाब न देने पर क्या होगा?", first: "of the CGST"},
		{name: "of another field", question: "Must a lease of eleven months be registered with the sub-registrar?", none: true},
		{name: "of another Act", question: "Can a director be removed under section 169 of the Companies Act?", none: true},
	} {
		got, err := x.Passages(workflows.PromptContext{Message: c.question, Facts: c.facts, Today: today})
		if err != nil {
			t.Fatal(err)
		}
		if c.none {
			if len(got) > 0 {
				t.Errorf("%s: %+v", c.name, got)
			}
			continue
		}
		if len(got) == 0 || len(got) > 6 || !strings.Contains(got[0].Name, c.first) || !strings.Contains(got[0].Words, c.words) || got[0].Says == "" {
			t.Errorf("%s: %d passages, the first %+v", c.name, len(got), got)
		}
	}
	for _, c := range []struct {
		name  string
		about workflows.PromptContext
		want  []string // the first ones, in order
		lacks string
	}{
		{name: "a notice", want: []string{"16(2)", "36(4)"}, about: workflows.PromptContext{
			Kind: "analysis", Message: "I have uploaded a GST Show Cause Notice for analysis...", Notice: []turns.Page{{Text: "A notice."}},
			Facts: `{"sections":["16(2)"],"rules":["36(4)"],"paragraphs":[{"number":"1","kind":"charge","text":"Interest for late payment of tax"}]}`}},
		{name: "a question beside a notice", want: []string{"107"}, lacks: "", about: workflows.PromptContext{
			Kind: "chat", Message: "What of section 107?", Notice: []turns.Page{{Text: "A notice."}}, Facts: `{"sections":["16(2)"]}`}},
		{name: "a document", want: []string{"107"}, lacks: "16(2)", about: workflows.PromptContext{
			Kind: "analysis", Message: "Summarize this document.", Notice: []turns.Page{{Text: "An order under the CGST Act. An appeal lies under section 107 of the CGST Act."}}}},
		{name: "a lease", about: workflows.PromptContext{
			Kind: "analysis", Message: "Summarize this document.", Notice: []turns.Page{{Text: "A lease. It ends as section 107 of the Transfer of Property Act has it."}}}},
	} {
		c.about.Today = today
		got, err := x.Passages(c.about)
		if err != nil {
			t.Fatal(err)
		}
		var numbers []string
		for _, p := range got {
			numbers = append(numbers, p.Number)
			if p.Act == "" || p.On == "" || p.Held != (p.Words != "") {
				t.Errorf("%s: the source is %+v", c.name, p.LawSource)
			}
		}
		if len(numbers) < len(c.want) || !slices.Equal(numbers[:len(c.want)], c.want) || len(c.want) == 0 && len(numbers) > 0 ||
			c.lacks != "" && slices.Contains(numbers, c.lacks) {
			t.Errorf("%s: %v", c.name, numbers)
		}
		if c.name == "a notice" && !slices.ContainsFunc(numbers, func(n string) bool { return strings.HasPrefix(n, "50") }) {
			t.Errorf("the charge of interest found %v", numbers)
		}
		if c.name == "a question beside a notice" && numbers[len(numbers)-1] != "16(2)" {
			t.Errorf("the notice's own provision is not among %v", numbers)
		}
	}
	if got, err := (notices.FactExtractor{Tables: tables}).Passages(workflows.PromptContext{Message: "What is section 16(4)?"}); err != nil || len(got) > 0 {
		t.Errorf("without a law: %+v %v", got, err)
	}
}

// After the law come the pages of the person's own authorities that are relevant to the question, and no
// others.
func TestPassagesOfAuthorities(t *testing.T) {
	held := fictionalLaw(t)
	x := notices.FactExtractor{Tables: law.Built(), Statute: func() *statute.Law { return held }}
	about := workflows.PromptContext{Message: "Must a lamp that was counted be counted again at the ferry?", Authorities: []turns.Authority{
		{ID: "a", Citation: "Oil Mills v. Union of India", Pages: []turns.Page{{Number: 1, Text: "Of oil that is spilt in the street."}}},
		{ID: "b", Citation: "Ferry Traders v. State of Malgudi", Pages: []turns.Page{{Number: 1, Text: "The appeal is of 2024."},
			{Number: 2, Text: "We hold that a lamp that was counted once need not be counted again at the ferry."}}},
		{ID: "c", Citation: "Unread v. Unknown"},
	}}
	found, err := x.Passages(about)
	if err != nil || len(found) == 0 {
		t.Fatalf("found %+v, %v", found, err)
	}
	last := found[len(found)-1]
	if last.Authority != "b" || last.Page != 2 || last.Name != "Ferry Traders v. State of Malgudi" || !strings.Contains(last.Words, "need not be counted again") {
		t.Errorf("the last passage is %+v", last)
	}
	for _, p := range found[:len(found)-1] {
		if p.Authority != "" {
			t.Errorf("beside the point: %+v", p)
		}
	}
}

// BenchmarkPassages measures the law step of a turn in CPU time: at most 2 ms.
func BenchmarkPassages(b *testing.B) {
	held := statute.New(statute.Options{Library: os.Getenv("MUNSHI_LAW_LIBRARY"), Today: func() string { return "2026-11-23" }})
	x := notices.FactExtractor{Tables: law.Built(), Statute: func() *statute.Law { return held }}
	questions := []string{
		"What is the time limit to take credit on an invoice of March 2024?", "Can credit be denied because the supplier did not pay?",
		"नोटिस का जवाब कितने दिन में देना है?", "e way bill nahi tha, gaadi pakdi gayi", "Does section 74A apply to 2024-25, and which penalty?",
	}
	today := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	if _, err := x.Passages(workflows.PromptContext{Message: questions[0], Today: today}); err != nil { // reads the digest
		b.Fatal(err)
	}
	worked := func() time.Duration { // on a busy machine, elapsed time includes the work of other processes
		var t unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
			b.Fatal(err)
		}
		return time.Duration(t.Nano())
	}
	runtime.LockOSThread()
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		start := worked()
		if _, err := x.Passages(workflows.PromptContext{Message: questions[i%len(questions)], Today: today}); err != nil {
			b.Fatal(err)
		}
		times = append(times, worked()-start)
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds()), "p95-µs")
}
