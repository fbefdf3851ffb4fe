package bookkeeping_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/read"
	"munshi/tools/figures/bookkeeping"
)

// TestMain lets the test binary act as the child that reads.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == read.ChildCommand {
		os.Exit(read.Child())
	}
	os.Exit(m.Run())
}

type score struct{ planted, found, right int }

type key struct {
	side, number string
	tax          int64
}

// marks counts what was planted, by what can be recognised of a document.
func marks(b *bookkeeping.Business, sides ...string) map[key][]string {
	all := map[key][]string{}
	for _, m := range b.Marks {
		if slices.Contains(sides, m.Side) {
			k := key{m.Side, strings.TrimSpace(m.Number), m.Tax}
			all[k] = append(all[k], m.Class)
		}
	}
	return all
}

// take returns the class that was planted for a record: if several documents look alike, the class that was found.
func take(planted map[key][]string, side string, r figures.Record, found string) string {
	for _, near := range []int64{0, 1, -1, 2, -2} {
		k := key{side, strings.TrimSpace(r.Number), r.Tax.Sum() + near}
		classes := planted[k]
		if len(classes) == 0 {
			continue
		}
		i := max(0, slices.Index(classes, found))
		class := classes[i]
		planted[k] = slices.Delete(classes, i, i+1)
		return class
	}
	return "not written"
}

func files(t *testing.T, b *bookkeeping.Business) []figures.File {
	t.Helper()
	paths, err := b.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r, err := read.New(read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []figures.File
	for _, p := range paths {
		f, err := r.Read(context.Background(), p, nil)
		if err != nil {
			t.Logf("%s: %v", p[strings.LastIndexByte(p, '/')+1:], err)
			continue
		}
		all = append(all, f)
	}
	return all
}

func table(all scores) string {
	var names []string
	for n := range all {
		names = append(names, n)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, n := range names {
		s := all[n]
		fmt.Fprintf(&b, "%-16s planted %6d found %6d right %6d  precision %.3f recall %.3f\n", n, s.planted, s.found, s.right, float64(s.right)/float64(max(1, s.found)),
			float64(s.right)/float64(max(1, s.planted)))
	}
	return b.String()
}

// scores are the numbers of documents of each class: planted, found, and found correctly.
type scores map[string]*score

func (s scores) of(class string) *score {
	if s[class] == nil {
		s[class] = &score{}
	}
	return s[class]
}

// judged compares what was found for the purchases with what was planted. confusion counts which class was taken
// for which; missed is the number of documents that were not read as they were written.
func judged(t *testing.T, b *bookkeeping.Business, m figures.Matching) (all scores, confusion map[string]int, missed int) {
	t.Helper()
	planted := marks(b, "books", "portal")
	all, confusion = scores{}, map[string]int{}
	count := func(side string, r figures.Record, found figures.Class) {
		class := take(planted, side, r, string(found))
		all.of(class).planted++
		all.of(string(found)).found++
		if class == string(found) {
			all.of(class).right++
			return
		}
		mistake := side + " " + class + " → " + string(found)
		confusion[mistake]++
		if show := os.Getenv("SHOW"); show != "" && strings.Contains(mistake, show) && confusion[mistake] <= 40 {
			t.Logf("%s: %s %s %s %s %s %d %v", mistake, r.GSTIN, r.Number, r.Date, r.Period, r.Kind, r.Taxable, r.Tax)
		}
	}
	for _, e := range m.Entries {
		if e.Book >= 0 {
			count("books", m.Books[e.Book], e.Class)
		}
		if e.Portal >= 0 {
			count("portal", m.Portal[e.Portal], e.Class)
		}
	}
	for k, classes := range planted {
		for _, class := range classes {
			all.of(class).planted++
			if missed++; os.Getenv("MISSED") != "" && missed < 12 {
				t.Logf("missed: %+v %s", k, class)
			}
		}
	}
	return all, confusion, missed
}

// purchases returns the plan of one of several businesses: each has a different register, and every second one
// GSTR-2A.
func purchases(i int, seed uint64, many int) bookkeeping.Plan {
	p := bookkeeping.Plan{Seed: seed, Purchases: many, Sales: 800, Year: 2023, Statement: "GSTR-2B", Register: bookkeeping.Registers[i%len(bookkeeping.Registers)]}
	switch {
	case i%2 == 1:
		p.Statement, p.Year = "GSTR-2A", 2018+i%5
	case p.Register == "zoho":
		p.Year = 2024
	}
	return p
}

func compared(b *bookkeeping.Business, all []figures.File) figures.Compared {
	return figures.Compare(fmt.Sprintf("%d-04", b.Year), fmt.Sprintf("%d-03", b.Year+1), all, figures.Rules{})
}

func TestScore(t *testing.T) {
	for i, register := range bookkeeping.Registers {
		b := bookkeeping.New(purchases(i, uint64(40+i), 3000))
		all := files(t, b)
		for _, f := range all {
			if !strings.Contains(f.Format, "JSON") {
				left := map[string]int{}
				for _, l := range f.LeftOut {
					left[l.Why]++
				}
				t.Logf("%s: %s, %d rows, left out %v, %d doubts", f.Name, f.Format, f.Rows, left, len(f.Doubts))
			}
		}
		found, confusion, missed := judged(t, b, figures.Of(compared(b, all).Matchings, figures.CreditClaimed))
		if s := found.of("matched"); s.right*100 < s.found*99 {
			t.Errorf("%s: %d of %d documents that are said to agree do", register, s.right, s.found)
		}
		t.Logf("%s %d %s: %d documents were not read as written\n%s%v", register, b.Year, b.Statement, missed, table(found), confusion)
	}
}

// Sales by document: each source against GSTR-1. The generator gives documents missing from GSTR-1 the class
// only_books, and marks nothing that is only in GSTR-1.
func TestScoreOfSales(t *testing.T) {
	for i, register := range bookkeeping.Registers {
		b := bookkeeping.New(bookkeeping.Plan{Seed: uint64(140 + i), Purchases: 200, Sales: 2000, Year: 2024, Statement: "GSTR-2B", Register: register})
		compared := figures.Compare("2024-04", "2025-03", files(t, b), figures.Rules{})
		for _, of := range []struct{ what, side string }{{figures.SalesDeclared, "register"}, {figures.InvoicesDeclared, "e-invoices"},
			{figures.MovedDeclared, "e-way bills"}} {
			m := figures.Of(compared.Matchings, of.what)
			planted := marks(b, of.side)
			all, confusion := scores{}, map[string]int{}
			count := func(class, found string) {
				all.of(class).planted++
				all.of(found).found++
				if class == found {
					all.of(class).right++
				} else {
					confusion[class+" → "+found]++
				}
			}
			for _, e := range m.Entries {
				if e.Book < 0 || e.Class == figures.SummedUp {
					continue
				}
				found := string(e.Class)
				if e.Class == figures.NotDeclared {
					found = "only_books"
				}
				count(take(planted, of.side, m.Books[e.Book], found), found)
			}
			missed := 0
			for _, classes := range planted {
				missed += len(classes)
			}
			for class, s := range all {
				if s.planted > 0 && (s.right*100 < s.found*95 || s.right*100 < s.planted*95) {
					t.Errorf("%s, %s: of %s %d were planted, %d found and %d of them right", register, of.what, class, s.planted, s.found, s.right)
				}
			}
			t.Logf("%s, %s: %d not read, %d beside\n%s%v", register, of.what, missed, m.Beside.Documents, table(all), confusion)
		}
	}
}
