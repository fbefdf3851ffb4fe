package reply

import (
	"strings"

	"munshi/orchestrator/gst"
)

// reasonsFor returns the reasons that Part B of a form offers for a difference, in order. For other forms there are
// none.
func (w *writer) reasonsFor() []string {
	if w.facts.Form == nil {
		return nil
	}
	if row := w.law.Form(*w.facts.Form); row != nil {
		return row.Reasons
	}
	return nil
}

// reasonsGiven returns the reasons that a person gave, each with what they said about it.
func (w *writer) reasonsGiven() []PortalField {
	var given []PortalField
	for i, reason := range w.reasonsFor() {
		if said := w.given.Answers[askReasons].at(i); said != "" {
			given = append(given, PortalField{reason, said})
		}
	}
	return given
}

// reasons returns Part B as the portal asks for it: each reason with its amount by head.
func (w *writer) reasons(mark string) string {
	if len(w.reasonsFor()) == 0 {
		return ""
	}
	p := &numbered{mark: mark}
	if sum, _ := w.demanded(); sum.Tax > 0 {
		p.add("The difference that the intimation states, in rupees:")
		p.plain(w.byHeads(sum.Tax))
	}
	given := w.reasonsGiven()
	if rows := w.explained(); len(given) == 0 && len(rows) > 0 {
		p.add("The reasons for the difference, by the returns, the portal's statements and the books:")
		p.plain(table([]string{"Reason", "Amount by head"}, rows))
		p.add(confirm("under which of the reasons of " + w.form.Name + " each amount is entered"))
		return p.String()
	}
	if len(given) == 0 {
		p.add("The difference is explained by: " + blank("the reasons of Part B that apply, each with its amount "+
			"under IGST, CGST, SGST or UTGST and cess, and its period") + ".")
		return p.String()
	}
	var rows [][]string
	for _, e := range given {
		rows = append(rows, []string{escape(e.Name), strings.TrimRight(escape(oneLine(e.Value)), ".")})
	}
	p.add("The reasons for the difference, as " + w.form.Name + " lists them:")
	p.plain(table([]string{"Reason", "Amount by head, period and explanation"}, rows))
	p.add(w.reasonsComeTo())
	return p.String()
}

// byHeads returns a table of the difference under each head.
func (w *writer) byHeads(total float64) string {
	var rows [][]string
	for _, r := range w.facts.Demand.Rows {
		rows = append(rows, []string{escape(r.Head), figure(r.Tax)})
	}
	return table([]string{"Head", "Difference"}, append(rows, []string{"Total", figure(total)}))
}

// reasonsComeTo returns a comparison of what the reasons explain with the difference, or "" if a reason states no
// certain amount.
func (w *writer) reasonsComeTo() string {
	sum, _ := w.demanded()
	left, all := paise(sum.Tax), int64(0)
	for i := range w.reasonsFor() {
		words := w.given.Answers[askReasons].at(i)
		if words == "" {
			continue
		}
		said, _, clear := statedIn(Response{Words: []string{words}})
		if !clear {
			return ""
		}
		all += said
	}
	left -= all
	switch {
	case sum.Tax == 0:
		return "The reasons come to " + gst.Rupees(all) + ". " + confirm("that this is the whole difference, or how the "+
			"rest is explained, or that it is paid through FORM GST DRC-03")
	case left == 0:
		return "The reasons come to " + gst.Rupees(all) + ", the whole of the difference."
	case left > 0:
		return "The reasons come to " + gst.Rupees(all) + "; " + gst.Rupees(left) + " of the difference is left. " +
			confirm("how the rest is explained, or that it is paid through FORM GST DRC-03")
	}
	return "The reasons come to " + gst.Rupees(all) + ". " + confirm("that is "+gst.Rupees(-left)+" more than the "+
		"difference of "+rupees(sum.Tax))
}

// explained returns rows for what the comparisons of the files explain, each class with its amount by head.
func (w *writer) explained() (rows [][]string) {
	for _, k := range w.given.Workings {
		for _, l := range k.Lines {
			if l.Explains && !k.Value {
				rows = append(rows, []string{escape(l.Class), signed(l.Tax)})
			}
		}
	}
	return rows
}
