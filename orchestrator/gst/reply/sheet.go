package reply

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// PortalField is one field of a form on the portal: its English name as on the portal, and the value to paste.
type PortalField struct{ Name, Value string }

// Sheet returns the values to enter for a paper on the portal, field by field: the data of the notice or order, each
// amount by head in whole rupees without commas, and the texts of the paper's parts without Markdown. Unknown values
// are left out.
func Sheet(t *law.Tables, g Given, parts []Part) []PortalField {
	w := newWriter(t, g)
	all := []PortalField{}
	if !w.form.Drafted() {
		return all
	}
	put := func(name, value string) {
		if value = strings.TrimSpace(value); value != "" {
			all = append(all, PortalField{name, value})
		}
	}
	of, f := w.form.filing(), w.facts
	paper := "notice"
	if of != nil {
		paper = "order"
	}
	put("GSTIN", deref(f.GSTIN))
	put("Legal name", deref(f.LegalName))
	put("Trade name", deref(f.TradeName))
	put("Reference number of the "+paper, deref(f.Reference))
	put("Date of the "+paper, onPortal(f.IssueDate))
	put("Date of communication", onPortal(f.ServedOn))
	if officer := w.officer(); !strings.Contains(officer, "[…") && !strings.HasPrefix(officer, "Proper Officer") {
		put("Officer", Plain(officer))
	}
	put("Period", strings.TrimPrefix(w.years(), "F.Y. "))
	if f.Demand != nil {
		for _, row := range f.Demand.Rows {
			putAmounts(put, row)
		}
	}
	if of != nil {
		for _, sheet := range g.Reckoning.Money {
			if sheet.Code != of.deposit || of.deposit == "" {
				continue
			}
			for _, row := range sheet.Rows {
				if row.Paise != nil && row.Base != nil {
					put("Pre-deposit, "+row.Head, digits(float64(*row.Paise)/100))
				}
			}
		}
	}
	for _, e := range w.reasonsGiven() {
		put(e.Name, e.Value)
	}
	w.ofTheForm(put)
	heading, discrepancy := "", 0
	for _, p := range parts {
		if w.is("ASMT-10") && strings.HasPrefix(p.ID, "para:") { // FORM GST ASMT-11 has a row for each of them
			discrepancy++
			alleged, answer := quoteAndRest(p.Text)
			put(fmt.Sprintf("Discrepancy %d", discrepancy), alleged)
			put(fmt.Sprintf("Reply to discrepancy %d", discrepancy), answer)
			continue
		}
		if slices.Contains([]string{"cause", "decisive", "reasons", "computation", "verification", "annexures"}, p.ID) {
			continue
		}
		text := Plain(p.Text)
		if name := withoutLetter(p.Title); name != "" || heading == "" {
			heading = name
			put(heading, text)
		} else if n := len(all); n > 0 { // the paragraphs after the first one are under its heading
			all[n-1].Value += "\n\n" + text
		}
	}
	put("Documents uploaded", documentsIn(parts))
	put("Place", g.Taxpayer.Place)
	put("Name of the signatory", g.Taxpayer.Signatory)
	put("Designation", g.Taxpayer.Designation)
	return all
}

// ofTheForm adds the fields that one form has and others do not.
func (w *writer) ofTheForm(put func(name, value string)) {
	a := w.given.Application
	if w.is("REG-03", "RFD-08") {
		put("Application reference number (ARN)", a.Number)
		if !a.On.IsZero() {
			day := a.On.ISO()
			put("Date of the application", onPortal(&day))
		}
	}
	switch {
	case w.is("REG-03"):
		if said := w.given.Answers[askModify]; said.known() && said.Holds != "" {
			put("Whether the application is modified", map[string]string{"yes": "Yes", "no": "No"}[said.Holds])
			put("Fields that are modified", said.at(0))
		}
	case w.is("RFD-08"):
		for _, of := range []struct {
			name  string
			paise int64
		}{{"Refund claimed", a.Claimed}, {"Proposed to be rejected", w.refused}} {
			if of.paise > 0 {
				put(of.name, digits(float64(of.paise)/100))
			}
		}
	case w.form.Name == "FORM GST DRC-06":
		put("Option for personal hearing", "Yes")
	}
}

// quoteAndRest divides a paragraph of a draft into what it quotes and the answer, without its heading.
func quoteAndRest(text string) (quote, rest string) {
	var quoted, others []string
	for _, block := range strings.Split(text, "\n\n") {
		switch {
		case strings.HasPrefix(block, "> "):
			quoted = append(quoted, Plain(block))
		case strings.HasPrefix(block, "**Reply "):
		default:
			others = append(others, Plain(block))
		}
	}
	return strings.Join(quoted, "\n\n"), strings.Join(others, "\n\n")
}

// documentsIn returns the annexures of a draft, each on a line.
func documentsIn(parts []Part) string {
	i := slices.IndexFunc(parts, func(p Part) bool { return p.ID == "annexures" })
	if i < 0 {
		return ""
	}
	var names []string
	for _, line := range strings.Split(parts[i].Text, "\n") {
		if cells := strings.Split(line, " | "); len(cells) > 1 && strings.HasPrefix(cells[0], "| Annexure ") {
			names = append(names, strings.TrimPrefix(cells[0], "| ")+": "+Plain(strings.TrimSuffix(cells[1], " |")))
		}
	}
	return strings.Join(names, "\n")
}

func putAmounts(put func(name, value string), row gst.DemandRow) {
	for _, c := range []struct {
		name   string
		amount float64
	}{{"Tax", row.Tax}, {"Interest", row.Interest}, {"Penalty", row.Penalty}, {"Fee", row.Fee}, {"Other", row.Other}} {
		if c.amount != 0 {
			put(c.name+", "+row.Head, digits(c.amount))
		}
	}
}

// digits returns an amount as whole rupees in the portal's format.
func digits(rupees float64) string { return strconv.FormatInt(paise(rupees)/100, 10) }

// onPortal returns an ISO date in the portal's format, such as "31/12/2025", or "" if there is none.
func onPortal(day *string) string {
	if day == nil {
		return ""
	}
	return strings.ReplaceAll(officeDate(*day), ".", "/")
}

// withoutLetter returns a heading without a letter such as "A. " before it.
func withoutLetter(title string) string {
	if len(title) > 3 && title[1:3] == ". " {
		return title[3:]
	}
	return title
}

var (
	tableRule = regexp.MustCompile(`(?m)^\|(?: *:?-+:? *\|)+\n?`)
	emphasis  = regexp.MustCompile(`\*\*|(?m)^> ?|(?m)^#+ +|(?m)^\| | \|$`)
	escaped   = regexp.MustCompile(`\\([\\*_#|!~\[\]()` + "`" + `])`)
)

// Plain returns a text of a paper without Markdown; table cells are separated by bars.
func Plain(markdown string) string {
	text := emphasis.ReplaceAllString(tableRule.ReplaceAllString(markdown, ""), "")
	text = escaped.ReplaceAllString(text, "$1")
	return strings.TrimSpace(strings.NewReplacer("&lt;", "<", "&gt;", ">", "\u200b", "").Replace(text))
}
