package law

import (
	"fmt"
	"strings"

	"munshi/orchestrator/message"
)

// Limits is the last days for the notice and the order of one financial year under one section, under the Act and as
// extended by notifications. A day that is not known, or was not extended, is zero.
type Limits struct {
	Section Section
	Year    Year
	// ReturnDue is the due date of the annual return from which the days were counted. If it differs by State and the
	// State is unknown, it is the later one and ByState is true.
	ReturnDue                     Day
	ByState                       bool
	Notice, Order                 Day
	NoticeExtended, OrderExtended Day
}

// Limits returns the last dates of a financial year under "73", "74" or "74A", for a State (its GST code, "" if
// unknown). It returns false if the tables do not have the section or year, or the section is not for that year.
func (t *Tables) Limits(fy, section, state string) (Limits, bool) {
	var l Limits
	for _, s := range t.Sections {
		if s.Section == section && s.FirstFY <= fy && (s.LastFY == "" || fy <= s.LastFY) {
			l.Section = s
		}
	}
	for _, y := range t.Years {
		if y.FY == fy {
			l.Year = y
		}
	}
	if l.Section.Section == "" || l.Year.FY == "" {
		return Limits{}, false
	}
	l.ReturnDue = ParseDay(l.Year.AnnualReturnDue)
	if l.Year.EarlierDue != "" {
		l.ByState = state == ""
		for _, s := range l.Year.EarlierStates {
			if s == state {
				l.ReturnDue = ParseDay(l.Year.EarlierDue)
			}
		}
	}
	if l.Section.NoticeMonths > 0 {
		l.Notice = l.ReturnDue.AddMonths(l.Section.NoticeMonths)
		return l, true
	}
	l.Order = l.ReturnDue.AddMonths(l.Section.OrderMonths)
	l.Notice = l.Order.AddMonths(-l.Section.NoticeMonthsBeforeOrder)
	if section == "73" {
		l.NoticeExtended, l.OrderExtended = ParseDay(l.Year.NoticeExtended), ParseDay(l.Year.OrderExtended)
	}
	return l, true
}

// Note returns the tables' note on the year under the section, or "" if there is none.
func (l Limits) Note() string {
	switch l.Section.Section {
	case "73":
		return l.Year.S73Note
	case "74":
		return l.Year.S74Note
	}
	return ""
}

// Remark returns the note as a sentence.
func (l Limits) Remark() message.Message {
	return l.Year.Sentence("s"+l.Section.Section+"_note", l.Note())
}

// Clause returns the note as part of a sentence, without its full stop.
func (l Limits) Clause() message.Message {
	note := l.Note()
	if note == "" {
		return message.Message{}
	}
	return message.Text(note, strings.TrimSuffix(l.Year.Hindi["s"+l.Section.Section+"_note"], "।"))
}

// yearName returns the name of the financial year that begins in a year, "2020-21".
func yearName(year int) string { return fmt.Sprintf("%d-%02d", year, (year+1)%100) }
