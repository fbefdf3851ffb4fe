package law

import "time"

// Day is a calendar date, at midnight UTC. Zero means unknown.
type Day struct{ time.Time }

// NewDay returns a date, and whether it exists.
func NewDay(year, month, dom int) (Day, bool) {
	t := time.Date(year, time.Month(month), dom, 0, 0, 0, 0, time.UTC)
	ok := month >= 1 && month <= 12 && t.Day() == dom && t.Month() == time.Month(month)
	return Day{t}, ok
}

// ParseDay parses an ISO 8601 date; it returns zero for anything else.
func ParseDay(s string) Day {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Day{}
	}
	return Day{t}
}

// DayOf returns the date of a moment in its own time zone.
func DayOf(t time.Time) Day {
	d, _ := NewDay(t.Year(), int(t.Month()), t.Day())
	return d
}

// ISO returns the date as "2025-05-12".
func (d Day) ISO() string { return d.Format(time.DateOnly) }

// Printed returns the date in the format of drafts to offices, "12.05.2025". On screen, message.Date is used.
func (d Day) Printed() string { return d.Format("02.01.2006") }

// Before reports whether the day is earlier than the other.
func (d Day) Before(other Day) bool { return d.Time.Before(other.Time) }

// After reports whether the day is later than the other.
func (d Day) After(other Day) bool { return d.Time.After(other.Time) }

// AddDays adds n days. The first day is excluded, as the General Clauses Act s.9 provides for "from".
func (d Day) AddDays(n int) Day { return Day{d.AddDate(0, 0, n)} }

// AddMonths returns the same day of a later month, or its last day if the month is shorter (General Clauses Act
// s.3(35): calendar months).
func (d Day) AddMonths(n int) Day {
	first := time.Date(d.Year(), d.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return Day{first.AddDate(0, 0, min(d.Day(), last)-1)}
}

// DaysUntil returns the number of days until the other date, negative if that is past.
func (d Day) DaysUntil(other Day) int {
	return int(other.Sub(d.Time) / (24 * time.Hour))
}

// FinancialYear returns the financial year of the day, "2020-21".
func (d Day) FinancialYear() string {
	year := d.Year()
	if d.Month() < time.April {
		year--
	}
	return yearName(year)
}
