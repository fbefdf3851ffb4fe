package law

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestQuantities(t *testing.T) {
	for _, test := range []struct {
		text     string
		official bool
		want     string
	}{
		{"within thirty days, or 2 months", false, "2 30"},
		{"the two notices and three people", false, ""},
		{"one hundred and eighty days", true, "1 180 80"},
		{"one crore and fifty lakh rupees", true, "1 15000000 50 5000000"},
		{"₹1.5 crore or ₹1,00,000 or 10 लाख", false, "100000 1000000 15000000"},
		{"50 lakh rupees and 25 lakh rupees", false, "2500000 5000000"},
		{"two lakh fifty thousand rupees", false, "250000"},
		{"after 30 November 2021 or 30 नवंबर", false, "30-11 30-11-2021"},
		{"the thirtieth day of November, 2021", true, "2021 30 30-11 30-11-2021"},
		{"w.e.f. 1-10-2022", true, "1 1-10 1-10-2022 2022"},
		{"FY 2017-18 and 73,74", false, "2017-18 73 74"},
		{"eighteen per cent.", false, "18"},
		{"तीन महीने, एक व्यक्ति, 6 महीने", false, "3 6"},
		{"twenty-five thousand rupees", false, "25000"},
		{"8. Twenty", true, "20 8"},
		{"two and a half per cent. or half per cent.", true, "0.5 2.5"},
		{"more than two and a half lakh rupees", true, "250000"},
		{"one tenth of a per cent.", true, "0.1"},
	} {
		got := slices.Sorted(maps.Keys(readQuantities(test.text, test.official)))
		want := strings.Fields(test.want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q says %v, want %v", test.text, got, want)
		}
	}
}
