package gst

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// Known is the dates and amounts that an answer may mention, because they come from the papers.
type Known struct {
	dates   map[string]bool // ISO
	amounts []int64         // paise
}

// leastPlain is the smallest number, in paise, that counts as an amount without a sign: a smaller one is a count, a
// page or a section.
const leastPlain = 100_00

// KnownIn returns the dates and amounts of pages.
func KnownIn(pages []Page) *Known {
	k := &Known{dates: map[string]bool{}}
	for _, page := range pages {
		k.Text(page.Text)
	}
	return k
}

// Text adds the dates and amounts of a text.
func (k *Known) Text(text string) {
	for _, f := range figures(text) {
		switch {
		case f.Date != "":
			k.dates[f.Date] = true
		case f.money || f.Paise >= leastPlain:
			k.amounts = append(k.amounts, f.Paise)
		}
	}
}

// Amount adds an amount in rupees.
func (k *Known) Amount(rupees float64) {
	k.amounts = append(k.amounts, int64(math.Round(rupees*100)))
}

// JSON adds the dates and amounts in the texts of a JSON value, and its numbers unless they are small counts.
func (k *Known) JSON(value string) {
	d := json.NewDecoder(strings.NewReader(value))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return
		}
		switch token := token.(type) {
		case string:
			k.Text(token)
		case json.Number:
			if rupees, err := token.Float64(); err == nil && rupees*100 >= leastPlain {
				k.Amount(rupees)
			}
		}
	}
}

// Has reports whether a figure is known, as precisely as it is written.
func (k *Known) Has(f Figure) bool {
	if f.Date != "" {
		return k.dates[f.Date]
	}
	return slices.ContainsFunc(k.amounts, func(paise int64) bool {
		return f.Paise-f.within <= paise && paise <= f.Paise+f.within
	})
}

// bare returns only the letters and digits of a text, in lower case.
func bare(text string) string {
	low, _ := folded(text)
	return strings.Map(func(r rune) rune {
		if r < 0x80 && !isAlnum(byte(r)) {
			return -1
		}
		return r
	}, low)
}
