package reckon

import "munshi/orchestrator/gst"

// GivenWith returns what the person added to the notice, from its facts.
func GivenWith(f gst.Facts) Given {
	given := Given{Portions: f.Portions}
	if f.ServedOn != nil {
		given.Served = *f.ServedOn
	}
	return given
}
