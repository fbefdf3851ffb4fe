package figures_test

import (
	"reflect"
	"testing"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/figurestest"
)

// score counts, for each class, how many records have it rightly.
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

// holdMatching checks that each record is in one entry, and that precision and recall of each class are at least 0.99,
// 0.985 of what was booked twice.
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
