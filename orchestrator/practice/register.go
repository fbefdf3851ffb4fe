package practice

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"munshi/orchestrator/api"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/message"
	"munshi/orchestrator/store"
)

// Register writes a firm's register of notices.
type Register struct{}

var _ api.Register = Register{}

// column is a column of the register: the code of its heading, its width in letters, and its value for a row. Dates
// are written as dates, amounts in rupees, and nil as an empty cell.
type column struct {
	code  string
	width float64
	of    func(r store.RegisterRow, d demanded, say func(string) string) any
}

// demanded is a demand by head, in paise.
type demanded struct{ igst, cgst, sgst, cess, interest, penalty int64 }

func columns() []column {
	word := func(of func(store.RegisterRow) *string) func(store.RegisterRow, demanded, func(string) string) any {
		return func(r store.RegisterRow, _ demanded, _ func(string) string) any { return of(r) }
	}
	date := func(of func(store.RegisterRow) *string) func(store.RegisterRow, demanded, func(string) string) any {
		return func(r store.RegisterRow, _ demanded, _ func(string) string) any { return dateOf(of(r)) }
	}
	sum := func(of func(demanded) int64) func(store.RegisterRow, demanded, func(string) string) any {
		return func(_ store.RegisterRow, d demanded, _ func(string) string) any {
			if of(d) == 0 {
				return nil
			}
			return rupees(of(d))
		}
	}
	return []column{
		{"client", 32, word(func(r store.RegisterRow) *string { return &r.Client })},
		{"gstin", 18, word(func(r store.RegisterRow) *string { return r.Gstin })},
		{"form", 11, word(func(r store.RegisterRow) *string { return r.Form })},
		{"reference", 22, word(func(r store.RegisterRow) *string { return r.Reference })},
		{"years", 18, func(r store.RegisterRow, _ demanded, _ func(string) string) any { return years(r) }},
		{"issued", 12, date(func(r store.RegisterRow) *string { return r.Issued })},
		{"received", 12, func(r store.RegisterRow, _ demanded, _ func(string) string) any {
			if served := dateOf(&r.ServedOn); served != nil || r.Listed {
				return served
			}
			return day(r.CreatedAt)
		}},
		{"due", 12, date(func(r store.RegisterRow) *string { return r.ReplyBy })},
		{"hearing", 12, date(func(r store.RegisterRow) *string { return r.HearingOn })},
		{"igst", 14, sum(func(d demanded) int64 { return d.igst })},
		{"cgst", 14, sum(func(d demanded) int64 { return d.cgst })},
		{"sgst", 14, sum(func(d demanded) int64 { return d.sgst })},
		{"cess", 14, sum(func(d demanded) int64 { return d.cess })},
		{"interest", 14, sum(func(d demanded) int64 { return d.interest })},
		{"penalty", 14, sum(func(d demanded) int64 { return d.penalty })},
		{"demand", 16, func(r store.RegisterRow, _ demanded, _ func(string) string) any {
			if r.DemandPaise == nil {
				return nil
			}
			return rupees(*r.DemandPaise)
		}},
		{"officer", 28, word(func(r store.RegisterRow) *string { return r.Officer })},
		{"stage", 12, func(r store.RegisterRow, _ demanded, say func(string) string) any {
			return say(in("stages", r.Stage))
		}},
		{"assignee", 20, word(func(r store.RegisterRow) *string { return r.Assignee })},
		{"state", 20, func(r store.RegisterRow, _ demanded, say func(string) string) any {
			if !slices.Contains(states(), r.State) {
				return r.State
			}
			return say(in("states", r.State))
		}},
		{"answered", 12, func(r store.RegisterRow, _ demanded, _ func(string) string) any {
			if r.AnsweredAt == nil {
				return dateOf(&r.AnsweredOn)
			}
			return day(*r.AnsweredAt)
		}},
		{"arn", 20, word(func(r store.RegisterRow) *string { return r.Arn })},
	}
}

type rupees int64 // in paise, but written as rupees

func day(at time.Time) time.Time {
	y, m, d := at.In(clock.India).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// dateOf returns an ISO date as a date for a spreadsheet, or nil if it is none.
func dateOf(iso *string) any {
	if iso == nil {
		return nil
	}
	at, err := time.Parse(time.DateOnly, *iso)
	if err != nil {
		return nil
	}
	return at
}

func years(r store.RegisterRow) any {
	switch {
	case r.FirstYear == nil:
		return nil
	case r.LastYear == nil || *r.LastYear == *r.FirstYear:
		return *r.FirstYear
	}
	return *r.FirstYear + " – " + *r.LastYear
}

// demandOf adds up a demand by head. Facts have rupees, as printed.
func demandOf(raw json.RawMessage) (d demanded) {
	var rows []gst.DemandRow
	if json.Unmarshal(raw, &rows) != nil {
		return d // without heads there is still the total
	}
	paise := func(amount float64) int64 { return int64(math.Round(amount * 100)) }
	for _, r := range rows {
		switch r.Head {
		case "IGST":
			d.igst += paise(r.Tax)
		case "CGST":
			d.cgst += paise(r.Tax)
		case "SGST", "UTGST":
			d.sgst += paise(r.Tax)
		case "CESS":
			d.cess += paise(r.Tax)
		}
		d.interest += paise(r.Interest)
		d.penalty += paise(r.Penalty) + paise(r.Fee) + paise(r.Other)
	}
	return d
}

// Write implements api.Register. The workbook has one sheet, in English ("en") or Hindi ("hi").
func (Register) Write(w io.Writer, rows []store.RegisterRow, language string) error {
	say := func(code string) string { return message.New("register."+code, nil).In(language) }
	book := excelize.NewFile()
	defer book.Close()
	sheet := say("sheet")
	if err := book.SetSheetName("Sheet1", sheet); err != nil {
		return fmt.Errorf("name the sheet of the register: %w", err)
	}
	dates := "dd.mm.yyyy"
	styles := map[string]int{}
	for name, style := range map[string]*excelize.Style{
		"head":  {Font: &excelize.Font{Bold: true}, Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"}},
		"date":  {CustomNumFmt: &dates},
		"money": {NumFmt: 4},
	} {
		id, err := book.NewStyle(style)
		if err != nil {
			return fmt.Errorf("make the styles of the register: %w", err)
		}
		styles[name] = id
	}
	out, err := book.NewStreamWriter(sheet)
	if err != nil {
		return fmt.Errorf("begin the register: %w", err)
	}
	all := columns()
	head := make([]any, len(all))
	for i, c := range all {
		head[i] = excelize.Cell{StyleID: styles["head"], Value: say(c.code)}
		if err := out.SetColWidth(i+1, i+1, c.width); err != nil {
			return fmt.Errorf("set the widths of the register: %w", err)
		}
	}
	if err := out.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2",
		ActivePane: "bottomLeft"}); err != nil {
		return fmt.Errorf("keep the headings of the register in sight: %w", err)
	}
	if err := out.SetRow("A1", head); err != nil {
		return fmt.Errorf("write the headings of the register: %w", err)
	}
	for i, r := range rows {
		cells, d := make([]any, len(all)), demandOf(r.Demand)
		for j, c := range all {
			switch value := c.of(r, d, say).(type) {
			case *string:
				if value != nil {
					cells[j] = harmless(*value)
				}
			case string:
				cells[j] = harmless(value)
			case time.Time:
				cells[j] = excelize.Cell{StyleID: styles["date"], Value: value}
			case rupees:
				cells[j] = excelize.Cell{StyleID: styles["money"], Value: float64(value) / 100}
			}
		}
		if err := out.SetRow(fmt.Sprintf("A%d", i+2), cells); err != nil {
			return fmt.Errorf("write a row of the register: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("end the register: %w", err)
	}
	if err := book.Write(w); err != nil {
		return fmt.Errorf("write the register: %w", err)
	}
	return nil
}

// harmless returns a text that is safe in a cell: on one line, and with an apostrophe before anything that a
// spreadsheet program could take for a formula, also in a copy saved as text.
func harmless(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s != "" && strings.ContainsRune("=+-@|", rune(s[0])) {
		return "'" + s
	}
	return s
}

// states lists the states of a matter, in their order.
func states() []string {
	return []string{"new", "settled", "waiting", "drafting", "review", "approved", "filed", "heard", "closed"}
}

// in returns the code of a text in a group of the register's texts.
func in(group, code string) string { return group + "." + code }
