package law

import (
	"fmt"
	"time"
)

// dayKey returns the day that is later days after an ISO day, in the format of quantities.
func dayKey(day string, later int) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	t = t.AddDate(0, 0, later)
	return fmt.Sprintf("%d-%d-%d", t.Day(), t.Month(), t.Year())
}
