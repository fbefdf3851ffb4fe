// Package clock defines legal days: those of India.
package clock

import "time"

// India is Indian Standard Time, UTC+05:30 all year; legal days begin and end in it.
var India = time.FixedZone("IST", 5*60*60+30*60)

// Midnight returns when the next day begins in India.
func Midnight(now time.Time) time.Time {
	year, month, day := now.In(India).Date()
	return time.Date(year, month, day+1, 0, 0, 0, 0, India)
}
