package gst

import (
	"encoding/json"
	"fmt"
	"strings"
)

// ParseFacts decodes facts that were stored as JSON.
func ParseFacts(raw []byte) (Facts, error) {
	var f Facts
	if err := json.Unmarshal(raw, &f); err != nil {
		return f, fmt.Errorf("decode the facts: %w", err)
	}
	return f, nil
}

// Title returns a name for the conversation about a notice: what it is, whose, and for which year. It is "" if
// neither the form nor the person is known, because the file's name then says more than a year.
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
