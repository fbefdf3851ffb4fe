package reply

import (
	"math"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
)

// chargeOf returns the paragraph of the notice from which a point was made, or nil if there is none.
func (w *writer) chargeOf(p Point) *gst.Paragraph {
	charges := w.facts.Charges()
	if i := slices.IndexFunc(charges, func(c gst.Paragraph) bool {
		return c.Number == p.Number && c.Page == p.Page
	}); i >= 0 && p.Number != "" {
		return &charges[i]
	}
	return nil
}

// amountsOf returns what a paragraph claims, by year and head, as a sentence. It is "" if the paragraph names no amount
// under a head.
func (w *writer) amountsOf(p Point) string {
	if of, ok := w.objected[p.Key]; ok {
		return "Amount of this objection: " + gst.Rupees(of.paise) + "."
	}
	charge := w.chargeOf(p)
	if charge == nil || len(charge.Amounts) == 0 {
		return ""
	}
	var years, texts []string
	by := map[string][]string{}
	total := 0.0
	for _, a := range charge.Amounts {
		sum := a.Tax + a.Interest + a.Penalty + a.Fee + a.Other
		if sum == 0 {
			continue
		}
		total += sum
		if !slices.Contains(years, a.FY) {
			years = append(years, a.FY)
		}
		by[a.FY] = append(by[a.FY], escape(a.Head)+" "+inWords(a.DemandRow))
	}
	for _, year := range years {
		text := strings.Join(by[year], "; ")
		if year != "" {
			text = "F.Y. " + year + ": " + text
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return ""
	}
	if len(charge.Amounts) == 1 && years[0] == "" {
		return "Amount of this paragraph: " + texts[0] + "."
	}
	return "Amount of this paragraph: " + rupees(total) + " (" + strings.Join(texts, ". ") + ")."
}

// byParagraph adds to p a comparison of the tax named in the paragraphs with the tax demanded, and the difference.
func (w *writer) byParagraph(p *numbered, demanded float64) {
	if demanded == 0 || len(w.points) == 0 {
		return
	}
	if w.ofDifference() {
		p.add("The difference of " + rupees(demanded) + " is answered as a whole, by the reasons stated above.")
		return
	}
	var rows [][]string
	sum := 0.0
	for _, point := range w.points {
		if tax := w.taxOf(point); tax > 0 {
			sum += tax
			rows = append(rows, []string{strings.TrimPrefix(point.name(), "para "), figure(tax)})
		}
	}
	left := demanded - sum
	near := math.Abs(left) <= float64(max(1, len(w.facts.Demand.Rows)))
	if len(rows) > 0 {
		rows = append(rows, []string{"Sum of the paragraphs", figure(sum)})
		rows = append(rows, []string{"Tax demanded", figure(demanded)})
		p.add("The tax, paragraph by paragraph, in rupees:")
		p.plain(table([]string{"Para", "Tax"}, rows))
	}
	nowhere := 0.0
	if w.facts.Unexplained != nil {
		nowhere = *w.facts.Unexplained
	}
	switch {
	case near:
		p.add("The paragraphs come to the tax demanded.")
	case left < 0:
		p.add("The paragraphs come to "+rupees(-left)+" more than the tax demanded.",
			"The Noticee answers the demand, and asks which amounts stand in it twice or are no part of it.")
	case nowhere > 0 && left-nowhere <= 1:
		p.add(rupees(left)+" of the tax demanded is not in any paragraph read.",
			"The notice gives no ground for it; the Noticee denies it and asks for its particulars.",
			confirm("that it stands in no annexure or table of the notice"))
	case nowhere > 0:
		p.add(rupees(nowhere)+" of the tax demanded is not in any paragraph read, and "+rupees(left-nowhere)+
			" stands there under no head of tax.", "The notice gives no ground for the former; the Noticee denies it "+
			"and asks for its particulars.",
			confirm("that it stands in no annexure or table of the notice"))
	case len(w.points) == 1 && len(rows) == 0:
		p.add("The notice makes one allegation. The whole of the tax demanded, " + rupees(demanded) +
			", is in dispute under it.")
	default:
		p.add(rupees(left)+" of the tax demanded is in no paragraph read under a head of tax.",
			confirm("where the notice puts it"))
	}
}
