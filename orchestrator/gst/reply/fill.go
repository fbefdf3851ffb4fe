package reply

import (
	"fmt"
	"maps"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
)

// blanks has the names by which a template can use data of a notice, with the words that are shown while the data are
// not known.
var blanks = map[string]string{
	"notice_form":    "form of the notice",
	"reference":      "reference number of the notice",
	"din":            "DIN",
	"notice_date":    "date of the notice",
	"served_on":      "date on which the notice was received",
	"reply_date":     "last date to reply",
	"hearing_date":   "date of the hearing",
	"gstin":          "GSTIN",
	"legal_name":     "legal name",
	"trade_name":     "trade name",
	"designation":    "designation of the officer",
	"jurisdiction":   "jurisdiction and address of the officer",
	"year":           "financial year",
	"provisions":     "provision under which the notice is issued",
	"demand_table":   "table of the demand by head: tax, interest, penalty",
	"demand_total":   "amount demanded",
	"tax_total":      "amount of tax",
	"penalty_stages": "penalty at each stage of payment",
	"allegations":    "answer to each allegation, paragraph by paragraph",
	"today":          "date",
	"section_named":  "73, 74 or 74A",
	"rectify_by":     "last day to apply for rectification of an order",
	"appeal_by":      "last day to appeal against an order",
}

// Blanks returns the names that a template can use, with the words shown while they are not known.
func Blanks() map[string]string { return maps.Clone(blanks) }

// Fill returns what is known about a notice for the names of Blanks, as Markdown.
func Fill(t *law.Tables, g Given) map[string]string {
	w := newWriter(t, g)
	f := w.facts
	known := map[string]string{}
	text := func(name string, value *string) {
		if value != nil {
			known[name] = escape(shorten(oneLine(*value), 300))
		}
	}
	day := func(name string, value *string) {
		if value != nil {
			known[name] = officeDate(*value)
		}
	}
	if f.Form != nil {
		known["notice_form"] = formName(escape(*f.Form))
	}
	text("reference", f.Reference)
	text("din", f.DIN)
	text("gstin", f.GSTIN)
	text("legal_name", f.LegalName)
	text("trade_name", f.TradeName)
	text("designation", f.Officer.Designation)
	text("jurisdiction", f.Officer.Jurisdiction)
	day("notice_date", f.IssueDate)
	day("served_on", f.ServedOn)
	day("reply_date", f.ReplyDue.Date)
	if f.Hearing != nil {
		day("hearing_date", &f.Hearing.Date)
	}
	for name, code := range map[string]string{"rectify_by": reckon.Rectify, "appeal_by": reckon.Appeal} {
		if d := deadline(g.Reckoning, code); d != nil {
			day(name, d.Date)
		}
	}
	known["year"] = strings.TrimPrefix(w.years(), "F.Y. ")
	known["provisions"] = w.provisions()
	known["section_named"] = w.section
	if sum, total := w.demanded(); total > 0 {
		known["demand_table"] = w.demandTable(sum, total)
		known["demand_total"] = rupees(total)
		if sum.Tax > 0 {
			known["tax_total"] = rupees(sum.Tax)
		}
	}
	known["penalty_stages"] = w.penaltyStages()
	known["allegations"] = w.answers()
	if !g.Today.IsZero() {
		known["today"] = g.Today.Printed()
	}
	return known
}

// penaltyStages returns a table of the penalty at each stage at which the demand may be paid, or "" if it is not known.
func (w *writer) penaltyStages() string {
	var rows [][]string
	for _, sheet := range w.given.Reckoning.Money {
		if sheet.Code != "penalty" {
			continue
		}
		for _, r := range sheet.Rows {
			if r.Paise != nil && r.Provision != "" {
				rows = append(rows, []string{escape(r.Label.English), r.Head, r.Rate.English, provision(r.Provision),
					figure(float64(*r.Paise) / 100)})
			}
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return table([]string{"Paid", "Head", "Rate", "Provision", "Penalty"}, rows)
}

// answers returns a paragraph for each allegation, with its words and a blank for the answer.
func (w *writer) answers() string {
	var texts []string
	for _, p := range w.points {
		if p.Allegation {
			name := "**The notice.**"
			if p.Number != "" {
				name = fmt.Sprintf("**Paragraph %s of the notice.**", escape(p.Number))
			}
			texts = append(texts, name+" It is alleged:", "> "+escape(shorten(oneLine(p.Alleged), 600)),
				"**Reply.** The allegation is "+blank("denied, explained or admitted")+", since "+
					blank("the facts, each with its annexure")+".")
		}
	}
	return strings.Join(texts, "\n\n")
}
