package reply_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/law/defences"
)

// drafted writes the reply to a paper on the day after it, as the product does before anybody was asked anything: what is charged
// is denied, no paper is there.
func drafted(pages []gst.Page) (gst.Facts, []reply.Part) {
	f := gst.Read(tables, pages)
	day := law.ParseDay("2026-11-22")
	if f.IssueDate != nil {
		day = law.ParseDay(*f.IssueDate).AddDays(1)
	}
	g := reply.Given{Facts: f, Reckoning: reckon.Reckon(tables, f, reckon.Given{}, day), Today: day, Said: map[string]reply.Said{},
		Decides: defence.Evaluate(defences.Built(), tables, f, pages, day)}
	for _, point := range reply.Points(tables, f) {
		g.Said[point.Key] = reply.Said{Stance: reply.Deny}
	}
	for _, d := range f.RequiredDocuments {
		g.Papers = append(g.Papers, reply.Paper{Type: d.Type, State: "needed"})
	}
	return f, reply.Parts(tables, g)
}

// Blanks per draft over the labelled papers, before anybody was asked: half of the drafts have at most twenty. The papers are not
// part of the repository.
func TestBlanksOfDrafts(t *testing.T) {
	const folder = "../../../../shared/samples"
	files, _ := filepath.Glob(folder + "/notices/*.txt")
	more, _ := filepath.Glob(folder + "/notices-a/*.txt")
	if files = append(files, more...); len(files) == 0 {
		t.Skip("the labelled papers are not here")
	}
	var counts []int
	by := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var pages []gst.Page
		for page := range strings.SplitSeq(strings.TrimSuffix(string(text), "\f"), "\f") {
			pages = append(pages, gst.Page{Text: page})
		}
		_, parts := drafted(pages)
		if len(parts) == 0 {
			continue // it is not answered with a reply
		}
		n := 0
		for _, part := range parts {
			blanks := strings.Count(part.Text, "[…")
			n += blanks
			id, _, _ := strings.Cut(part.ID, ":")
			by[id] += blanks
		}
		counts = append(counts, n)
		t.Logf("%3d %s", n, filepath.Base(file))
	}
	slices.Sort(counts)
	sum := 0
	for _, n := range counts {
		sum += n
	}
	t.Logf("%d drafts, %d blanks, the median is %d; by part %v", len(counts), sum, counts[len(counts)/2], by)
	if counts[len(counts)/2] > 20 {
		t.Errorf("the median of blanks is %d, it should be 20 at most", counts[len(counts)/2])
	}
}
