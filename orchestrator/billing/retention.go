package billing

import (
	"time"

	"munshi/orchestrator/clock"
)

// RecordsKept returns the day until which the records of a payment must be kept: 72 months from the due date of the
// annual return of its year (CGST Act, s. 36), which is 31 December after the year's end (s. 44 with rule 80).
func RecordsKept(paid time.Time) string {
	paid = paid.In(clock.India)
	year := paid.Year() // the year in which the financial year ends
	if paid.Month() >= time.April {
		year++
	}
	return time.Date(year+6, time.December, 31, 0, 0, 0, 0, clock.India).Format(time.DateOnly)
}

// OldestRecords returns the start of the oldest financial year whose payment records must still be kept: by
// RecordsKept, those of a financial year until the end of the sixth year after the one in which it ends.
func OldestRecords(now time.Time) time.Time {
	return time.Date(now.In(clock.India).Year()-7, time.April, 1, 0, 0, 0, 0, clock.India)
}
