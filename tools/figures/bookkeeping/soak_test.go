//go:build soak

package bookkeeping_test

import (
	"fmt"
	"os"
	"reflect"
	"strconv"
	"testing"
	"time"

	"munshi/orchestrator/figures"
	"munshi/tools/figures/bookkeeping"
)

// Ten businesses with 30,000 to 200,000 purchases each, read from their files: precision and recall of each class are
// at least 0.99, the sums read equal those written, each document is in one class, the classes of each month add up
// to its difference, and a repetition gives the same result. SEED=2 takes other businesses, and ONLY=3 one of them.
func TestSoakScore(t *testing.T) {
	seed, _ := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	for i := range 10 {
		if only := os.Getenv("ONLY"); only != "" && only != strconv.Itoa(i) {
			continue
		}
		plan := purchases(i, 1000*(seed+1)+uint64(i), 30_000+i*170_000/9)
		t.Run(fmt.Sprintf("%d %s %s", plan.Purchases, plan.Register, plan.Statement), func(t *testing.T) { holdBusiness(t, plan) })
	}
}

func holdBusiness(t *testing.T, plan bookkeeping.Plan) {
	b := bookkeeping.New(plan)
	all := files(t, b)
	began := time.Now()
	c := compared(b, all)
	took := time.Since(began)
	if again := compared(b, all); !reflect.DeepEqual(c, again) {
		t.Error("the same files were compared in another way")
	}
	m := figures.Of(c.Matchings, figures.CreditClaimed)
	found, confusion, missed := judged(t, b, m)
	t.Logf("%d with %d documents in %.1f s, %d were not read as written\n%s%v", len(m.Books), len(m.Portal), took.Seconds(), missed, table(found), confusion)
	for class, s := range found {
		if class != "not written" && (s.right*100 < s.planted*99 || s.right*100 < s.found*99) {
			t.Errorf("%s: %d planted, %d found, %d of them right", class, s.planted, s.found, s.right)
		}
	}
	holdSums(t, b, m)
	for _, v := range c.Variances {
		for _, month := range v.Months {
			var sum figures.Tax
			for _, share := range month.Shares {
				sum = sum.Plus(share.Tax)
			}
			if sum != month.Difference() {
				t.Errorf("%s %s: the classes come to %v, the difference is %v", v.What, month.Period, sum, month.Difference())
			}
		}
	}
}

// holdSums checks that each document is in one entry, and that the sum of each side equals what was
// written.
func holdSums(t *testing.T, b *bookkeeping.Business, m figures.Matching) {
	written := map[string]int64{}
	for _, mark := range b.Marks {
		written[mark.Side] += mark.Tax
	}
	for side, of := range map[string]struct {
		records []figures.Record
		index   func(figures.Entry) int
	}{
		"books":  {m.Books, func(e figures.Entry) int { return e.Book }},
		"portal": {m.Portal, func(e figures.Entry) int { return e.Portal }},
	} {
		times := make([]int, len(of.records))
		for _, e := range m.Entries {
			if i := of.index(e); i >= 0 {
				times[i]++
			}
		}
		var sum int64
		for i, r := range of.records {
			if sum += r.Tax.Sum(); times[i] != 1 {
				t.Fatalf("%s: %s of %s is in %d entries", side, r.Number, r.GSTIN, times[i])
			}
		}
		if sum != written[side] {
			t.Errorf("%s: %d paise of tax were read, %d written", side, sum, written[side])
		}
	}
}
