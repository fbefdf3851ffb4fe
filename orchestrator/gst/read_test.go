package gst_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
)

// FuzzRead: any text gives facts that are valid JSON, with evidence that is in the text's pages.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/notices/*.txt")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), false)
		f.Add(strings.ReplaceAll(string(text), " ", "\n"), true)
	}
	f.Add("", false)
	f.Add("\f\f\x00\xff within ( ) days section ( of the", true)
	f.Fuzz(func(t *testing.T, text string, recognised bool) {
		pages := pagesOf(text, recognised)
		facts := gst.Read(tables, pages)
		if facts.Pages != len(pages) {
			t.Errorf("%d pages, want %d", facts.Pages, len(pages))
		}
		for field, e := range facts.Evidence {
			if e.Page < 1 || e.Page > len(pages) {
				t.Errorf("%s is on page %d of %d", field, e.Page, len(pages))
			}
			if strings.TrimSpace(e.Quote) == "" {
				t.Errorf("%s has no quote", field)
			}
		}
		if due := facts.ReplyDue; (due.Date == nil) != (due.Source == "unknown") {
			t.Errorf("reply due %v from %q", due.Date, due.Source)
		}
		if _, err := json.Marshal(facts); err != nil {
			t.Error(err)
		}
	})
}

// A title to the left of a date does not label it, wherever the word "dated" is in the title.
func TestTitleBesideDate(t *testing.T) {
	text := "Office of the State Tax Officer, GST, Pune\n\nOrder issued on    12/05/2025\nShow cause notice given this    13/05/2025\nYou are hereby directed to reply.\n"
	if facts := gst.Read(tables, []gst.Page{{Text: text}}); facts.Pages != 1 {
		t.Errorf("%d pages, want 1", facts.Pages)
	}
}

// BenchmarkRead shows that time grows in proportion to length. The notice is followed by an
// annexure of its own paragraphs, as in long notices.
func BenchmarkRead(b *testing.B) {
	text, err := os.ReadFile("testdata/notices/scn-multi-year-s73.txt")
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, 10, 100, 300, 1000} {
		b.Run(fmt.Sprintf("pages=%d", n), func(b *testing.B) {
			pages := []gst.Page{{Text: string(text)}}
			for i := 1; i < n; i++ {
				pages = append(pages, gst.Page{Text: "Annexure to the notice\n" + string(text)})
			}
			b.ReportAllocs()
			for b.Loop() {
				gst.Read(tables, pages)
			}
		})
	}
}

// BenchmarkReadHostile reads text made to be slow: each line must take about
// four times as long at four times the length.
func BenchmarkReadHostile(b *testing.B) {
	head := "FORM GST ASMT-10\nReference No.: ZD290226015577R Date: 05/02/2026\n"
	for _, unit := range []string{
		"section 73, ", "within 15 days reply ", "reply by 10/03/2026 you should ", "1. not paid CGST Rs. 100\n", "tax total CGST 1,000 1,000\n",
		"Particulars CGST SGST Total\nDifference 1 1 2\n", "hearing on 10/03/2026 ", "fraud ", "27AAPFU0939F1ZV ", "धारा 16 ", "a",
	} {
		for _, size := range []int{50_000, 200_000} {
			b.Run(fmt.Sprintf("%.12q/bytes=%d", unit, size), func(b *testing.B) {
				pages := []gst.Page{{Text: head + strings.Repeat(unit, size/len(unit))}}
				for b.Loop() {
					gst.Read(tables, pages)
				}
			})
		}
	}
}

// When text recognition confuses letters and digits that look alike, the reader never returns
// another date or number: it reads the right one, or nothing.
func TestNoiseNeverMakesAnotherDate(t *testing.T) {
	files, _ := filepath.Glob("testdata/notices/*.txt")
	noise := map[rune][]rune{'0': {'O', 'o'}, '1': {'l', 'I'}, '5': {'S'}, '8': {'B'}, '2': {'Z'}, '6': {'G'}, 'O': {'0'}, 'I': {'1'}, 'l': {'1'}, 'S': {'5'}, ' ': {' ', ' ', ' ', '\n'}}
	random := rand.New(rand.NewPCG(1, 2))
	wrong := map[string]int{}
	for _, file := range files {
		if strings.Contains(file, "ocr") || strings.Contains(file, "scan") {
			continue // noisy already: further changes may undo the first
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		clean := gst.Read(tables, pagesOf(string(text), false))
		recognised := gst.Read(tables, pagesOf(string(text), true))
		for try := range 6 {
			rate := []float64{0.005, 0.02, 0.08}[try%3]
			noisy := strings.Map(func(r rune) rune {
				if to := noise[r]; len(to) > 0 && random.Float64() < rate {
					return to[random.IntN(len(to))]
				}
				return r
			}, string(text))
			got := gst.Read(tables, pagesOf(noisy, true))
			check := func(field string, got, clean, recognised *string) {
				if got != nil && (clean == nil || *got != *clean) && (recognised == nil || *got != *recognised) {
					wrong[field]++
					t.Errorf("%s, noise %g: %s is %s", filepath.Base(file), rate, field, *got)
				}
			}
			check("reply date", got.ReplyDue.Date, clean.ReplyDue.Date, recognised.ReplyDue.Date)
			check("date of issue", got.IssueDate, clean.IssueDate, recognised.IssueDate)
			if got.GSTINValid != nil && *got.GSTINValid {
				check("GSTIN", got.GSTIN, clean.GSTIN, recognised.GSTIN)
			}
			if got.Hearing != nil {
				var a, b *string
				if clean.Hearing != nil {
					a = &clean.Hearing.Date
				}
				if recognised.Hearing != nil {
					b = &recognised.Hearing.Date
				}
				check("hearing", &got.Hearing.Date, a, b)
			}
		}
	}
	if t.Failed() {
		t.Log(wrong)
	}
}
