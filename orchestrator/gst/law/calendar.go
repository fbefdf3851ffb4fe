package law

import (
	"strconv"
	"strings"
	"time"

	"munshi/orchestrator/message"
)

// Calendar knows the days on which offices are closed.
type Calendar struct {
	Weekend []time.Weekday
	// CountWithoutHolidays excludes holidays when working days are counted, as weekends always are. It is false in
	// the built-in calendar, which does not know the holidays of the States: counting them as working days gives an
	// earlier, safer date.
	CountWithoutHolidays bool
	Holidays             []Holiday
}

// Holiday is a day on which offices are closed: "2026-03-04", or "10-02" for a day of every year. States are the GST
// codes ("29") of the States that observe it; if there are none, all do.
type Holiday struct {
	Rule
	Day    string   `json:"day"`
	Name   string   `json:"name"`
	States []string `json:"states"`
}

// Closed reports whether offices of the State (its GST code, "" if unknown) are closed on the day, and why.
func (c *Calendar) Closed(d Day, state string) (why message.Message, closed bool) {
	if h := c.holiday(d, state); h != nil {
		return h.Text("name", h.Name), true
	}
	for _, w := range c.Weekend {
		if d.Weekday() == w {
			return message.New("weekdays."+strings.ToLower(w.String()), nil), true
		}
	}
	return message.Message{}, false
}

// holiday returns the holiday that the State observes on a date, or nil if there is none.
func (c *Calendar) holiday(d Day, state string) *Holiday {
	iso := d.ISO()
	for i, h := range c.Holidays {
		if (h.Day == iso || h.Day == iso[len("2006-"):]) && h.keptIn(state) {
			return &c.Holidays[i]
		}
	}
	return nil
}

func (h Holiday) keptIn(state string) bool {
	for _, s := range h.States {
		if s == state {
			return true
		}
	}
	return len(h.States) == 0
}

// NextOpen returns the first day after d on which offices are open.
func (c *Calendar) NextOpen(d Day, state string) Day {
	for range 60 {
		d = d.AddDays(1)
		if _, closed := c.Closed(d, state); !closed {
			break
		}
	}
	return d
}

// AddWorkingDays counts n working days from the day after d. within has the holidays that were counted as working days,
// with their dates: the last date may be later by as many days.
func (c *Calendar) AddWorkingDays(d Day, n int, state string) (last Day, within []message.Message) {
	for most := 10*n + 400; n > 0 && most > 0; most-- {
		d = d.AddDays(1)
		kept := c.holiday(d, state)
		weekend := false
		for _, w := range c.Weekend {
			weekend = weekend || d.Weekday() == w
		}
		switch {
		case weekend, kept != nil && c.CountWithoutHolidays:
			continue
		case kept != nil:
			within = append(within, message.New("doubts.holiday",
				message.Params{"date": message.Date(d.ISO()), "name": kept.Text("name", kept.Name)}))
		}
		n--
	}
	return d, within
}

func (h Holiday) key() string { return strings.Join(append([]string{h.Day}, h.States...), " ") }

func (h Holiday) check(is *inspection) {
	is.need("name", h.Name)
	for _, s := range h.States {
		is.that(isState(s), "states holds %q, which is no GST code of a State: write two digits, such as \"29\"", s)
	}
	if len(h.Day) == len("01-26") {
		// A leap year, so that 29 February is accepted.
		is.that(!ParseDay("2024-"+h.Day).IsZero(), "day is %q, which is no day of the year: write month and day, such "+
			"as \"10-02\"", h.Day)
		return
	}
	is.day("day", h.Day, true)
}

func isState(code string) bool {
	n, err := strconv.Atoi(code)
	return err == nil && len(code) == 2 && (n >= 1 && n <= 38 || n >= 96 && n <= 99)
}
