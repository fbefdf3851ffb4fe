package reply

import (
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
	put("Officer", strings.Trim(deref(f.Officer.Designation)+", "+deref(f.Officer.Jurisdiction), ", "))
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
	heading := ""
	for _, p := range parts {
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
	put("Place", g.Taxpayer.Place)
	put("Name of the signatory", g.Taxpayer.Signatory)
	put("Designation", g.Taxpayer.Designation)
	return all
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

// digits returns whole rupees in the portal's format.
func digits(rupees float64) string { return strconv.FormatInt(paise(rupees)/100, 10) }

// onPortal returns an ISO day in the portal's format, "31/12/2025"; "" for none.
func onPortal(day *string) string {
	if day == nil {
		return ""
	}
	return strings.ReplaceAll(printed(*day), ".", "/")
}

// withoutLetter removes "A. " from a heading.
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
