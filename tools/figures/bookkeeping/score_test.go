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

// TestMain lets the test's own executable be the child that reads.
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

// take returns the class that was planted for a record: the one that was found where several documents look alike.
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

func table(scores map[string]*score) string {
	var names []string
	for n := range scores {
		names = append(names, n)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, n := range names {
		s := scores[n]
		fmt.Fprintf(&b, "%-16s planted %6d found %6d right %6d  precision %.3f recall %.3f\n", n, s.planted, s.found, s.right, float64(s.right)/float64(max(1, s.found)),
			float64(s.right)/float64(max(1, s.planted)))
	}
	return b.String()
}

func TestScore(t *testing.T) {
	for i, register := range bookkeeping.Registers {
		statement, year := "GSTR-2B", 2023
		if i%2 == 1 {
			statement, year = "GSTR-2A", 2018+i
		}
		if register == "zoho" {
			year = 2024
		}
		b := bookkeeping.New(bookkeeping.Plan{Seed: uint64(40 + i), Purchases: 3000, Sales: 800, Year: year, Statement: statement, Register: register})
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
		compared := figures.Compare(fmt.Sprintf("%d-04", year), fmt.Sprintf("%d-03", year+1), all, figures.Rules{})
		purchases := figures.Of(compared.Matchings, figures.CreditClaimed)
		planted := marks(b, "books", "portal")
		scores := map[string]*score{}
		of := func(class string) *score {
			if scores[class] == nil {
				scores[class] = &score{}
			}
			return scores[class]
		}
		confusion := map[string]int{}
		count := func(side string, r figures.Record, found figures.Class) {
			class := take(planted, side, r, string(found))
			of(class).planted++
			of(string(found)).found++
			if class == string(found) {
				of(class).right++
			} else {
				confusion[side+" "+class+" → "+string(found)]++
				if len(os.Getenv("SHOW")) > 0 && strings.Contains(side+" "+class+" → "+string(found), os.Getenv("SHOW")) {
					t.Logf("%s: %s %s %s %s %s %d %v", side+" "+class+" → "+string(found), r.GSTIN, r.Number, r.Date, r.Period, r.Kind, r.Taxable, r.Tax)
				}
			}
		}
		for _, e := range purchases.Entries {
			if e.Book >= 0 {
				count("books", purchases.Books[e.Book], e.Class)
			}
			if e.Portal >= 0 {
				count("portal", purchases.Portal[e.Portal], e.Class)
			}
		}
		missed := 0
		for k, classes := range planted {
			for _, class := range classes {
				of(class).planted++
				missed++
				if len(os.Getenv("MISSED")) > 0 && missed < 12 {
					t.Logf("missed: %+v %s", k, class)
				}
			}
		}
		if s := of("matched"); s.right*100 < s.found*99 {
			t.Errorf("%s: %d of %d documents that are said to agree do", register, s.right, s.found)
		}
		t.Logf("%s %d %s: %d documents were not read as written\n%s%v", register, year, statement, missed, table(scores), confusion)
	}
}

// Sales by document: each paper against GSTR-1. The generator calls only_books what GSTR-1 does not have, and marks
// nothing that is in GSTR-1 alone.
func TestScoreOfSales(t *testing.T) {
	for i, register := range bookkeeping.Registers {
		b := bookkeeping.New(bookkeeping.Plan{Seed: uint64(140 + i), Purchases: 200, Sales: 2000, Year: 2024, Statement: "GSTR-2B", Register: register})
		compared := figures.Compare("2024-04", "2025-03", files(t, b), figures.Rules{})
		for _, of := range []struct{ what, side string }{{figures.SalesDeclared, "register"}, {figures.InvoicesDeclared, "e-invoices"},
			{figures.MovedDeclared, "e-way bills"}} {
			m := figures.Of(compared.Matchings, of.what)
			planted := marks(b, of.side)
			scores, confusion := map[string]*score{}, map[string]int{}
			count := func(class, found string) {
				for _, name := range []string{class, found} {
					if scores[name] == nil {
						scores[name] = &score{}
					}
				}
				scores[class].planted++
				if found == "" {
					return
				}
				scores[found].found++
				if class == found {
					scores[class].right++
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
			for class, s := range scores {
				if s.planted > 0 && (s.right*100 < s.found*95 || s.right*100 < s.planted*95) {
					t.Errorf("%s, %s: of %s %d were planted, %d found and %d of them right", register, of.what, class, s.planted, s.found, s.right)
				}
			}
			t.Logf("%s, %s: %d not read, %d beside\n%s%v", register, of.what, missed, m.Beside.Documents, table(scores), confusion)
		}
	}
}
