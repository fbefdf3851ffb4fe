package law

import (
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"go.yaml.in/yaml/v3"
)

type question struct {
	Q       string
	Half    string
	Answers []string
}

func questions(t testing.TB, set string) []question {
	t.Helper()
	var all []question
	if err := yaml.Unmarshal(mustRead(t, "testdata/"+set+".yaml"), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// With the digest alone, the right provision is among the first five for 95 of 100 questions, and first
// for 75.
func TestRecall(t *testing.T) {
	x := digestIndex(t)
	type score struct{ asked, first, five int }
	var times []time.Duration
	for _, set := range []string{"questions", "questions-second", "questions-third"} {
		scores := map[string]*score{"tune": {}, "held": {}}
		for _, q := range questions(t, set) {
			s := scores[q.Half]
			s.asked++
			start := time.Now()
			hits := x.Search(Query{Words: q.Q, Today: "2026-11-23", Limit: 5})
			times = append(times, time.Since(start))
			place := slices.IndexFunc(hits, func(h Hit) bool { return slices.Contains(q.Answers, h.Act+":"+h.Number) })
			if place == 0 {
				s.first++
			}
			if place >= 0 {
				s.five++
			}
			if place != 0 && os.Getenv("MUNSHI_TEST_VERBOSE") == q.Half {
				for _, h := range hits {
					t.Logf("%q: %s:%s %.1f", q.Q, h.Act, h.Number, h.Score)
				}
			}
		}
		for half, s := range scores {
			first, five := float64(s.first)/float64(s.asked), float64(s.five)/float64(s.asked)
			t.Logf("%s, %s: %.3f first, %.3f among five, of %d", set, half, first, five, s.asked)
			if s.asked < 30 || first < 0.75 || five < 0.95 {
				t.Errorf("%s, %s: %.3f first, %.3f among five, of %d", set, half, first, five, s.asked)
			}
		}
	}
	slices.Sort(times)
	t.Logf("median %v, 95th percentile %v", times[len(times)/2], times[len(times)*95/100])
}

// digestIndex returns an index of the digest alone.
func digestIndex(t testing.TB) *Index {
	t.Helper()
	entries, err := New(Options{}).Entries()
	if err != nil {
		t.Fatal(err)
	}
	x, err := NewIndex(entries)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Numbers are found exactly, however they are written.
func TestSearchByNumber(t *testing.T) {
	l := New(Options{Today: func() string { return "2026-11-23" }})
	for _, test := range []struct{ words, act, number string }{
		{"16(4)", "cgst", "16(4)"}, {"sec 16 (4)", "cgst", "16(4)"}, {"Section 16(2)(c)", "cgst", "16(2)(c)"}, {"s. 74A", "cgst", "74A"},
		{"32", "cgst", "32"}, {"132", "cgst", "132"}, {"rule 36(4)", "cgst_rules", "36(4)"}, {"धारा 16", "cgst", "16"},
		{"dhara 16", "cgst", "16"}, {"niyam 36", "cgst_rules", "36"}, {"नियम 86A", "cgst_rules", "86A"}, {"IGST section 12", "igst", "12"},
		{"igst 16", "igst", "16"}, {"u/s 73", "cgst", "73"}, {"CGST rule 142", "cgst_rules", "142"}, {"utgst section 7", "utgst", "7"},
	} {
		hits, err := l.Search(Query{Words: test.words, Limit: 5})
		if err != nil || len(hits) == 0 || hits[0].Act != test.act || hits[0].Number != test.number {
			t.Errorf("%q finds %+v %v", test.words, hits, err)
		}
		seen := map[string]bool{}
		for _, h := range hits {
			if key := h.Act + h.Number; seen[key] {
				t.Errorf("%q finds %s twice", test.words, key)
			} else {
				seen[key] = true
			}
		}
	}
	for on, want := range map[string]string{"": "2022-10-01", "2021-09-30": "2021-01-01", "2018-01-01": "2017-07-01"} {
		hits, err := l.Search(Query{Words: "section 16(4)", On: on, Limit: 1})
		if err != nil || len(hits) != 1 || hits[0].ValidFrom != want {
			t.Errorf("16(4) on %q: %+v %v", on, hits, err)
		}
	}
	for _, words := range []string{"", "   ", "?!", "क्या है", "zzqqxx", "(((((", "999", "section 99999999999999999"} {
		if hits, err := l.Search(Query{Words: words}); err != nil || len(hits) > 0 && words != "999" {
			t.Errorf("%q finds %+v %v", words, hits, err)
		}
	}
}

// BenchmarkSearch searches the digest for the questions, and reports the 95th percentile as well as the mean: at most
// 1 ms. It measures the thread's CPU time, because on a busy machine elapsed time includes the work of other
// processes.
func BenchmarkSearch(b *testing.B) {
	x := digestIndex(b)
	all := slices.Concat(questions(b, "questions"), questions(b, "questions-second"))
	runtime.LockOSThread()
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		start := threadTime(b)
		x.Search(Query{Words: all[i%len(all)].Q, Today: "2026-11-23"})
		times = append(times, threadTime(b)-start)
	}
	reportPercentiles(b, times)
}

// BenchmarkOpen opens provisions one after the other, as their pages do, with the official text if MUNSHI_LAW_LIBRARY
// names a folder into which it was imported: at most 50 ms.
func BenchmarkOpen(b *testing.B) {
	l := New(Options{Library: os.Getenv("MUNSHI_LAW_LIBRARY"), Today: func() string { return "2026-11-23" }})
	entries, err := l.Entries()
	if err != nil {
		b.Fatal(err)
	}
	if _, err := l.Look("cgst", "16(4)", ""); err != nil { // reads the digest and the library
		b.Fatal(err)
	}
	runtime.LockOSThread()
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		e := entries[i*7%len(entries)]
		start := threadTime(b)
		if _, err := l.Look(e.Act, e.Number, ""); err != nil {
			b.Fatal(err)
		}
		times = append(times, threadTime(b)-start)
	}
	reportPercentiles(b, times)
}

// threadTime returns the CPU time of this thread.
func threadTime(b *testing.B) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Fatal(err)
	}
	return time.Duration(t.Nano())
}

func reportPercentiles(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds()), "p95-µs")
}

func FuzzSearch(f *testing.F) {
	f.Add("sec 16 (4) itc")
	f.Add("धारा 16 क्रेडिट \u200d")
	x := digestIndex(f)
	f.Fuzz(func(t *testing.T, words string) {
		x.Search(Query{Words: words, On: "2020-01-01"})
	})
}

func FuzzCompilation(f *testing.F) {
	f.Add(mustRead(f, "testdata/malgudi/malgudi_2028-01-31.txt"))
	f.Add([]byte("Malgudi Goods and Services Tax Act\n1. A.— (1) b\n2. C.— [d]1\n\f1 Subs. for “x"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := readCompilation("malgudi.txt", text, "malgudi_gst", "2028-01-31")
		if err != nil {
			return
		}
		assemble([]parsed{*p})
	})
}
