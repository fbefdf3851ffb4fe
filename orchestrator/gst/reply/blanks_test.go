package reply_test

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/printed"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/law/defences"
)

// drafted writes the reply to a paper on the day after it, as the product does before any question was answered: what
// is charged is denied, and no paper is available.
func drafted(pages []gst.Page) (gst.Facts, []reply.Part) {
	g := before(pages)
	return g.Facts, reply.Parts(tables, g)
}

func before(pages []gst.Page) reply.Given {
	f := gst.Read(tables, pages)
	day := law.ParseDay("2026-11-22")
	if f.IssueDate != nil {
		day = law.ParseDay(*f.IssueDate).AddDays(1)
	}
	f = printed.Amounted(tables, f, pages)
	g := reply.Given{Facts: f, Reckoning: reckon.Reckon(tables, f, reckon.Given{}, day), Today: day, Said: map[string]reply.Said{},
		Decides: defence.Evaluate(defences.Built(), tables, f, pages, day), Earlier: printed.Earlier(tables, f, pages), Application: reply.ApplicationIn(pages)}
	for _, point := range reply.Points(tables, f) {
		g.Said[point.Key] = reply.Said{Stance: reply.Deny}
	}
	for _, d := range f.RequiredDocuments {
		g.Papers = append(g.Papers, reply.RequiredPaper{Type: d.Type, State: "needed"})
	}
	return g
}

// interviewed answers each question of the interview about a paper, as a well-informed person does, and returns
// the number of questions.
func interviewed(pages []gst.Page, g reply.Given) (answered reply.Given, asked int) {
	questions := reply.Questions(tables, g, g.Decides)
	g.Answers, g.Said = map[string]reply.Response{}, maps.Clone(g.Said)
	var told []gst.Correction
	for _, q := range questions {
		a := reply.Response{}
		for range q.Places {
			a.Words = append(a.Words, "what the person said")
		}
		switch key, isPara := strings.CutPrefix(q.Key, reply.AskPara); {
		case isPara:
			g.Said[key] = reply.Said{Stance: reply.Deny, Facts: a.Words[0]}
			continue
		case q.Key == "served_on":
			if g.Facts.IssueDate != nil {
				told = append(told, gst.Correction{Field: "served_on", Value: []byte(`"` + *g.Facts.IssueDate + `"`)})
			}
			continue
		case q.Kind == reply.AskDay:
			a.Words[0] = g.Today.ISO()
		case q.Kind == reply.AskMoney:
			a.Words[0] = "1000"
		case q.Kind == reply.AskYear:
			a.Words[0] = "2020-21"
		case q.Kind == reply.AskWhich:
			a.Holds = "yes"
		case q.Kind == reply.AskPapers:
			a.Words = q.Options[:1]
		}
		g.Answers[q.Key] = a
	}
	g.Facts = printed.Amounted(tables, gst.Read(tables, pages, told...), pages)
	g.Reckoning = reckon.Reckon(tables, g.Facts, reckon.GivenWith(g.Facts), g.Today)
	g.Decides = defence.Evaluate(defences.Built(), tables, g.Facts, pages, g.Today, reply.AnsweredTo(g.Answers)...)
	g.Taxpayer = reply.Taxpayer{Signatory: "A. Rao", Designation: "Partner", Place: "Pune", Representative: "B. Rao", Enrolment: "MAH/1/2001"}
	return g, len(questions)
}

// labelled returns the labelled papers, page by page, by their names. The papers are not part of the repository.
func labelled(t *testing.T) map[string][]gst.Page {
	t.Helper()
	const folder = "../../../../shared/samples"
	files, _ := filepath.Glob(folder + "/notices/*.txt")
	more, _ := filepath.Glob(folder + "/notices-[ab]/*.txt")
	if files = append(files, more...); len(files) == 0 {
		t.Skip("the labelled papers are not here")
	}
	papers := map[string][]gst.Page{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var pages []gst.Page
		for page := range strings.SplitSeq(strings.TrimSuffix(string(text), "\f"), "\f") {
			pages = append(pages, gst.Page{Text: page})
		}
		papers[filepath.Base(file)] = pages
	}
	return papers
}

// Blanks per draft over the labelled papers: before any question is answered, half of the drafts have at most
// twenty; after at most ten answers, and with the signatory known, at most eight. The amounts by paragraph add up to
// the demand, or the difference is named, and every figure has a source.
func TestDraftsOfLabelledPapers(t *testing.T) {
	papers := labelled(t)
	var counts, after []int
	by, left := map[string]int{}, map[string]int{}
	count := func(parts []reply.Part, by map[string]int) (n int) {
		for _, part := range parts {
			blanks := strings.Count(part.Text, "[…")
			n += blanks
			id, _, _ := strings.Cut(part.ID, ":")
			by[id] += blanks
		}
		return n
	}
	for _, name := range slices.Sorted(maps.Keys(papers)) {
		pages := papers[name]
		before := before(pages)
		parts := reply.Parts(tables, before)
		if len(parts) == 0 {
			continue // it is not answered with a reply
		}
		n := count(parts, by)
		counts = append(counts, n)
		if reply.FormOf(tables, before.Facts, before.Reckoning).Kind == "reply" {
			namesTheDifference(t, name, before.Facts, parts)
		}
		g, asked := interviewed(pages, before)
		if asked > reply.MostQuestions {
			t.Errorf("%s: %d questions", name, asked)
		}
		answered := reply.Parts(tables, g)
		m := count(answered, left)
		for _, of := range unsourced(g, pages, answered) {
			t.Errorf("%s: a figure stands in no source: %s", name, of)
		}
		after = append(after, m)
		t.Logf("%3d %3d %s, %d questions", n, m, name, asked)
	}
	slices.Sort(counts)
	slices.Sort(after)
	t.Logf("%d drafts, the median of blanks is %d before (by part %v) and %d after (%v)",
		len(counts), counts[len(counts)/2], by, after[len(after)/2], left)
	if after[len(after)/2] > 8 {
		t.Errorf("after the interview the median of blanks is %d, it should be 8 at most", after[len(after)/2])
	}
	if counts[len(counts)/2] > 20 {
		t.Errorf("the median of blanks is %d, it should be 20 at most", counts[len(counts)/2])
	}
}

// namesTheDifference compares the tax in the paragraphs of a paper with the tax that it demands: they must be equal,
// or the draft must name the difference.
func namesTheDifference(t *testing.T, name string, f gst.Facts, parts []reply.Part) {
	t.Helper()
	var tax, named float64
	if f.Demand != nil {
		for _, r := range f.Demand.Rows {
			tax += r.Tax
		}
	}
	for _, p := range reply.Points(tables, f) {
		charges := f.Charges()
		if i := slices.IndexFunc(charges, func(c gst.Paragraph) bool { return c.Number == p.Number && c.Page == p.Page }); i >= 0 {
			for _, a := range charges[i].Amounts {
				named += a.Tax
			}
		}
	}
	i := slices.IndexFunc(parts, func(p reply.Part) bool { return p.ID == "computation" })
	if tax == 0 || i < 0 {
		return
	}
	want := "The paragraphs come to the tax demanded."
	if difference := math.Abs(tax - named); difference > float64(max(1, len(f.Demand.Rows))) {
		if nowhere := f.Unexplained; nowhere != nil && named+*nowhere < tax-1 {
			difference -= *nowhere
		}
		want = gst.Rupees(int64(math.Round(difference * 100)))
	}
	if !strings.Contains(parts[i].Text, want) {
		t.Errorf("%s: of %v demanded %v stands in paragraphs, and the draft does not say %q:\n%s", name, tax, named, want, parts[i].Text)
	}
}
