package gst

import (
	"encoding/json"
	"fmt"
	"strings"
)

// ParseFacts reads facts that were kept as JSON.
func ParseFacts(raw []byte) (Facts, error) {
	var f Facts
	if err := json.Unmarshal(raw, &f); err != nil {
		return f, fmt.Errorf("decode the facts: %w", err)
	}
	return f, nil
}

// Title names a conversation after its notice: what it is, whose, and for when. It is "" where neither the form nor the
// person is known: a year alone is no name, and the file's name says more.
func (f Facts) Title() string {
	var parts []string
	if f.Form != nil {
		parts = append(parts, *f.Form)
	}
	switch {
	case f.TradeName != nil:
		parts = append(parts, *f.TradeName)
	case f.LegalName != nil:
		parts = append(parts, *f.LegalName)
	}
	if n := len(f.Periods); n > 0 && len(parts) > 0 {
		years := f.Periods[0].FY
		if n > 1 {
			years += " to " + f.Periods[n-1].FY
		}
		parts = append(parts, years)
	}
	return strings.Join(parts, " · ")
}
