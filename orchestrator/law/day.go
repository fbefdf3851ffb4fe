package law

import (
	"fmt"
	"time"
)

// dayKey writes an ISO day, some days later, as quantities do.
func dayKey(day string, later int) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	t = t.AddDate(0, 0, later)
	return fmt.Sprintf("%d-%d-%d", t.Day(), t.Month(), t.Year())
}
