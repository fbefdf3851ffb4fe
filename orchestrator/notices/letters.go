package notices

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"munshi/orchestrator/document/word"
	"munshi/orchestrator/figures"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/problem"
)

// shows says how the portal shows a supply that a supplier is asked to confirm.
var shows = map[figures.Class]string{
	figures.OnlyBooks:     "not shown",
	figures.SupplierOpen:  "return not filed",
	figures.AmountDiffers: "less tax",
}

// SupplierLetters writes a Word file with a letter to each supplier whose returns do not show supplies as the books
// do. Each letter has the invoices and the text of the certificate that is requested. If there is nobody to write to,
// the error can be shown to people.
func SupplierLetters(ctx context.Context, out io.Writer, t *law.Tables, facts gst.Facts, m figures.Matching,
	from, to string) error {
	suppliers := figures.Suppliers(t, m, from, to)
	if len(suppliers) == 0 {
		return problem.New("figures_no_letters", nil, nil)
	}
	l := letters{facts: facts, suppliers: suppliers}
	text := l.cover()
	for i := range suppliers {
		text += "\n\n---\n\n" + l.letter(i)
	}
	return WriteWordFile(ctx, out, word.Document{Title: "Letters to suppliers", Text: text, Pages: true})
}

type letters struct {
	facts     gst.Facts
	suppliers []figures.Supplier
}

func known(value *string, blank string) string {
	if value == nil || *value == "" {
		return "[" + blank + "]"
	}
	return plainWords(*value)
}

// plainWords returns text from others on one line, so that Markdown gives it no meaning, even in tables.
func plainWords(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`\\`+"`*_{}[]<>()#+-.!|~&:", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func markdownTable(heads []string, rows [][]string) string {
	var b strings.Builder
	b.WriteString("| " + strings.Join(heads, " | ") + " |\n|" + strings.Repeat(" --- |", len(heads)) + "\n")
	for _, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	return b.String()
}

// notice returns a phrase that identifies the notice.
func (l letters) notice() string {
	text := known(l.facts.Form, "form of the notice")
	if l.facts.Reference != nil {
		text += " No. " + plainWords(*l.facts.Reference)
	}
	if l.facts.IssueDate != nil {
		text += " dated " + printedDay(*l.facts.IssueDate)
	}
	return text
}

// cover returns a first page for those who send the letters.
func (l letters) cover() string {
	var rows [][]string
	limits := map[string]bool{}
	asked := false
	for i, s := range l.suppliers {
		for _, y := range s.Years {
			rows = append(rows, []string{fmt.Sprint(i + 1), nameOf(s), s.GSTIN, y.Year, fmt.Sprint(len(y.Supplies)),
				gst.Rupees(y.Tax.Sum()), asks(y)})
			for _, c := range y.Certificates {
				asked = true
				if c.Within > 0 {
					limits[fmt.Sprintf("for supplies from %s to %s, %d %%", printedDay(c.First), printedDay(c.Last),
						c.Within)] = true
				}
			}
		}
	}
	text := fmt.Sprintf("%d letters for %s, GSTIN %s, on %s. This page is not sent.\n\n", len(l.suppliers),
		known(l.facts.LegalName, "name of the taxpayer"), known(l.facts.GSTIN, "GSTIN of the taxpayer"), l.notice())
	text += markdownTable([]string{"Letter", "Supplier", "GSTIN", "Year", "Invoices", "Tax in question", "Asked for"},
		rows)
	if asked {
		text += "\nThe circulars were described from knowledge. [To be confirmed: against their text, and that these " +
			"proceedings were pending when they were issued]\n"
	}
	if len(limits) > 0 {
		all := make([]string, 0, len(limits))
		for limit := range limits {
			all = append(all, limit)
		}
		slices.Sort(all)
		text += "\nCircular No. 193/05/2023-GST holds only within the limit of rule 36(4) on the credit that " +
			"suppliers had reported: " + strings.Join(all, "; ") +
			". [To be confirmed: that the credit taken was within it]\n"
	}
	return text
}

func nameOf(s figures.Supplier) string {
	if s.Name == "" {
		return "[name of the supplier]"
	}
	return plainWords(s.Name)
}

// asks says what a supplier is asked for.
func asks(y figures.SuppliesOf) string {
	switch {
	case len(y.Certificates) == 0:
		return "confirmation"
	case y.Accountant:
		return "certificate of a CA or CMA"
	}
	return "the supplier's certificate"
}

// circulars names the circulars under which supplies are certified.
func circulars(all []law.Certificate) string {
	var names []string
	for _, c := range all {
		if !slices.Contains(names, c.Circular) {
			names = append(names, c.Circular)
		}
	}
	return strings.Join(names, " and ")
}

// letter returns the letter to one supplier, with the requested certificates.
func (l letters) letter(i int) string {
	s := l.suppliers[i]
	us, ours := known(l.facts.LegalName, "name of the taxpayer"), known(l.facts.GSTIN, "GSTIN of the taxpayer")
	var b, annexed strings.Builder
	fmt.Fprintf(&b, "## Letter %d\n\nTo\n\n**%s**\n\nGSTIN %s\n\n[address]\n\nDate: [date]\n\n", i+1, nameOf(s),
		s.GSTIN)
	fmt.Fprintf(&b, "**Subject: Confirmation of your supplies to %s, GSTIN %s**\n\nDear Sir or Madam,\n\n", us, ours)
	fmt.Fprintf(&b, "By %s the tax officer questions the credit that we took on your supplies below. Our books have "+
		"these invoices; the records of the GST portal "+
		"do not show them, or not with this tax.\n\n", l.notice())
	for _, y := range s.Years {
		fmt.Fprintf(&b, "### Financial year %s\n\n%s\n", y.Year, supplied(y))
		switch {
		case len(y.Certificates) == 0:
			b.WriteString("Please confirm in writing that you made these supplies to us, and in which GSTR-1 and " +
				"GSTR-3B you reported them and paid the tax. What is not reported yet, please report, and tell us the " +
				"return in which you do.\n\n")
		case y.Accountant:
			fmt.Fprintf(&b, "The tax in question is above ₹%s for this year. Please send us, under %s, a certificate "+
				"of a Chartered Accountant or Cost Accountant, with its UDIN, "+
				"that you made these supplies to us and paid the tax on them with GSTR-3B. A text for it is below.\n\n",
				inLakh(y.Certificates[0].AccountantAbove), circulars(y.Certificates))
			fmt.Fprintf(&annexed, "### Certificate of a Chartered Accountant or Cost Accountant, %s\n\n(%s)\n\nI have "+
				"examined the books, the invoices and the GST returns of %s, "+
				"GSTIN %s. I certify that the supplies in the invoices of the financial year %s that are listed above "+
				"were made by it to %s, GSTIN %s, and that it has paid the tax "+
				"on them, %s, in its returns in FORM GSTR-3B.\n\nReturns in which the tax was paid: "+
				"[months]\n\n[Signature, name, firm]\n\nMembership No. [number]\n\n"+
				"UDIN: [number]\n\nPlace: [place]\n\nDate: [date]\n\n", y.Year, circulars(y.Certificates), nameOf(s),
				s.GSTIN, y.Year, us, ours, taxed(y.Tax))
		default:
			fmt.Fprintf(&b, "The tax in question is not above ₹%s for this year. Please send us, under %s, your "+
				"certificate that you made these supplies to us and paid the tax on them "+
				"with GSTR-3B. A text for it is below.\n\n", inLakh(y.Certificates[0].AccountantAbove),
				circulars(y.Certificates))
			fmt.Fprintf(&annexed, "### Certificate of the supplier, %s\n\n(%s)\n\nWe, %s, GSTIN %s, certify that we "+
				"made the supplies in the invoices of the financial year %s "+
				"that are listed above to %s, GSTIN %s, and that we have paid the tax on them, %s, in our returns in "+
				"FORM GSTR-3B.\n\nReturns in which the tax was paid: [months]\n\n"+
				"[Signature and name of the authorised signatory]\n\nPlace: [place]\n\nDate: [date]\n\n", y.Year,
				circulars(y.Certificates), nameOf(s), s.GSTIN, y.Year, us, ours, taxed(y.Tax))
		}
	}
	b.WriteString("Please certify or confirm only what your own records show.\n\nYours faithfully,\n\nFor " + us +
		"\n\n[Signature and name of the authorised signatory]\n\n")
	return b.String() + annexed.String()
}

// supplied returns a table of the supplies of a year.
func supplied(y figures.SuppliesOf) string {
	var rows [][]string
	var taxable int64
	for _, u := range y.Supplies {
		taxable += u.Record.Taxable
		rows = append(rows, slices.Concat([]string{plainWords(u.Record.Number), printedDay(u.Record.Date),
			shows[u.Class], gst.Rupees(u.Record.Taxable)}, amounts(u.Tax)))
	}
	rows = append(rows, slices.Concat([]string{"Total", "", "", gst.Rupees(taxable)}, amounts(y.Tax)))
	return markdownTable([]string{"Invoice", "Date", "On the portal", "Taxable value", "IGST", "CGST", "SGST", "Cess"},
		rows)
}

func amounts(t figures.Tax) []string {
	all := make([]string, len(t))
	for head, paise := range t {
		all[head] = gst.Rupees(paise)
	}
	return all
}

// taxed writes an amount of tax by its heads.
func taxed(t figures.Tax) string {
	var parts []string
	for head, paise := range t {
		if paise != 0 {
			parts = append(parts, gst.HeadNames[head]+" "+gst.Rupees(paise))
		}
	}
	return strings.Join(parts, ", ")
}

// inLakh writes rupees with Indian digit grouping.
func inLakh(rupees int64) string { return strings.TrimPrefix(gst.Rupees(rupees*100), "₹") }
