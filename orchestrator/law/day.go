package law

import (
	"fmt"
	"time"
)

// dayKey adds a number of days to an ISO day, and returns the result as quantities writes it: "30-11-2021". It returns
// "" if the day cannot be read.
func dayKey(day string, later int) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	t = t.AddDate(0, 0, later)
	return fmt.Sprintf("%d-%d-%d", t.Day(), t.Month(), t.Year())
}
