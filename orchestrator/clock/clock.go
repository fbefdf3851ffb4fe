// Package clock knows where the law's days begin and end.
package clock

import "time"

// India is Indian Standard Time, UTC+05:30 all year: days of the law begin and end in it.
var India = time.FixedZone("IST", 5*60*60+30*60)

// Midnight returns when the next day of India begins.
func Midnight(now time.Time) time.Time {
	year, month, day := now.In(India).Date()
	return time.Date(year, month, day+1, 0, 0, 0, 0, India)
}
