package figures_test

import (
	"reflect"
	"testing"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/figurestest"
)

// score counts, for each class, how many records have it correctly.
type score struct{ planted, found, right int }

func scores(c figurestest.Business, m figures.Matching) map[figures.Class]*score {
	all := map[figures.Class]*score{}
	for _, class := range figures.Classes() {
		all[class] = &score{}
	}
	count := func(planted, found figures.Class) {
		all[planted].planted++
		all[found].found++
		if planted == found {
			all[found].right++
		}
	}
	for _, e := range m.Entries {
		if e.Book >= 0 {
			count(c.BookClasses[e.Book], e.Class)
		}
		if e.Portal >= 0 {
			count(c.PortalClasses[e.Portal], e.Class)
		}
	}
	return all
}

// holdMatching checks that each record is in one entry, and that precision and recall of each class are at least
// 0.99, or 0.985 for bills booked twice.
func holdMatching(t *testing.T, c figurestest.Business) figures.Matching {
	t.Helper()
	m := figures.Match(c.Books, c.Portal, figures.Rules{})
	books, portal := make([]int, len(c.Books)), make([]int, len(c.Portal))
	for _, e := range m.Entries {
		if e.Book >= 0 {
			books[e.Book]++
		}
		if e.Portal >= 0 {
			portal[e.Portal]++
		}
	}
	for _, side := range [][]int{books, portal} {
		for i, times := range side {
			if times != 1 {
				t.Fatalf("record %d is in %d entries", i, times)
			}
		}
	}
	for class, s := range scores(c, m) {
		if s.planted == 0 && s.found == 0 {
			continue
		}
		least := 990
		if class == figures.BookedTwice {
			least = 985 // which of two bookings is the repetition cannot always be told
		}
		if s.right*1000 < s.planted*least || s.right*1000 < s.found*least {
			t.Errorf("%s: %d planted, %d found, %d of them right", class, s.planted, s.found, s.right)
		}
	}
	return m
}

func TestClassesAreFound(t *testing.T) {
	for seed, portal := range []figures.Source{figures.GSTR2B, figures.GSTR2A, figures.GSTR2B} {
		c := figurestest.New(figurestest.Design{Seed: uint64(seed), Invoices: 3000, Portal: portal, FirstYear: 2023})
		m := holdMatching(t, c)
		if again := figures.Match(c.Books, c.Portal, figures.Rules{}); !reflect.DeepEqual(m, again) {
			t.Error("the same input was matched in another way")
		}
	}
}

// Mistakes of bookkeepers that are recognised: each is a purchase in the books and a document on the portal.
func TestMistakesOfBookkeepers(t *testing.T) {
	const supplier = "29AABCF1234K1Z5"
	portal := func(number string) figures.Record {
		return figures.Record{Source: figures.GSTR2B, Kind: figures.Invoice, GSTIN: supplier, Name: "Fictional Steel", Number: number, Date: "2024-05-04",
			Period: "2024-05", Taxable: 1000_00, Tax: figures.Tax{180_00}}
	}
	book := func(number string, change func(*figures.Record)) figures.Record {
		r := portal(number)
		r.Source = figures.Purchases
		change(&r)
		return r
	}
	part := func(number, date string, taxable, tax int64) figures.Record {
		r := portal(number)
		r.Date, r.Taxable, r.Tax = date, taxable, figures.Tax{tax}
		return r
	}
	for name, c := range map[string]struct {
		books, portal []figures.Record
		want          map[figures.Class]int
	}{
		"a letter O among digits": {[]figures.Record{book("RCH24OOO875", func(r *figures.Record) { r.Date = "2024-05-23" })},
			[]figures.Record{portal("RCH24000875")}, map[figures.Class]int{figures.Matched: 1}},
		"no GSTIN, another amount": {[]figures.Record{book("T754", func(r *figures.Record) { r.GSTIN, r.Tax = "", figures.Tax{18_00} }), book("T755", func(*figures.Record) {})},
			[]figures.Record{portal("T754"), portal("T755")}, map[figures.Class]int{figures.AmountDiffers: 1, figures.Matched: 1}},
		"entered twice, one line below the other": {[]figures.Record{book("A/9", func(r *figures.Record) { r.Tax, r.Taxable, r.Alike = figures.Tax{360_00}, 2000_00, 2 })},
			[]figures.Record{portal("A/9")}, map[figures.Class]int{figures.Matched: 1, figures.BookedTwice: 1}},
		"the bills of a month in one voucher": {[]figures.Record{book("JV 7", func(r *figures.Record) { r.Date = "2024-05-31" })},
			[]figures.Record{part("A/9", "2024-05-04", 700_00, 126_00), part("A/12", "2024-05-11", 300_00, 54_00)}, map[figures.Class]int{figures.InParts: 2}},
		"another rate, and a bill whose tax happens to make up for it": {[]figures.Record{book("A/9", func(*figures.Record) {})},
			[]figures.Record{part("A/9", "2024-05-04", 1000_00, 108_00), part("A/12", "2024-05-11", 1000_00, 72_00)},
			map[figures.Class]int{figures.AmountDiffers: 1, figures.OnlyPortal: 1}},
		"two equal items": {[]figures.Record{book("A/9", func(r *figures.Record) { r.Alike = 2 })}, []figures.Record{portal("A/9")},
			map[figures.Class]int{figures.Matched: 1}},
	} {
		found := map[figures.Class]int{}
		for _, e := range figures.Match(c.books, c.portal, figures.Rules{}).Entries {
			found[e.Class]++
		}
		if !reflect.DeepEqual(found, c.want) {
			t.Errorf("%s: found %v", name, found)
		}
	}
}
