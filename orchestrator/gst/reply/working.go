package reply

import (
	"fmt"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
)

// Working is a comparison of figures that answers an allegation. Amounts are paise under IGST, CGST, SGST and cess.
type Working struct {
	Point     string // the key of the allegation; "" if none is about the figures
	What      string // what is compared, as package figures calls it
	Name      string // such as "Credit claimed in GSTR-3B against GSTR-2B"
	Span      string // such as "April 2023 to March 2024"
	Lines     []WorkingLine
	Sentences []string // the explanations of the difference, each on its own
	Remains   [4]int64
	Interest  [4]int64  // on Remains
	To        string    // the day up to which interest is computed, an ISO date
	PayBy     string    // the last day for a payment, an ISO date; "" if not known
	Certified string    // the circular under which suppliers certify; "" if there is none for the period
	Value     bool      // amounts are values of supplies, which have no heads, and are in the first element
	Unpaid    bool      // the rest does not show that tax is due, so no payment is computed
	Papers    [2]string // the two sources whose documents are compared; "" if sums are compared
	Documents [][]string
	Total     int // number of documents in all, the first of which are in Documents
}

// WorkingLine is a line of the table.
type WorkingLine struct {
	Label    string
	Tax      [4]int64
	Class    string // what a part of the difference is, such as "in another month's return"; "" for a sum, and for rounding
	Explains bool   // the class explains that part
}

// working returns the comparison that answers a point, or nil if there is none.
func (w *writer) working(point string) *Working {
	if i := slices.IndexFunc(w.given.Workings, func(k Working) bool { return k.Point == point }); i >= 0 {
		return &w.given.Workings[i]
	}
	return nil
}

// workingNumber returns the number of the annexure that compares the figures; it comes after the annexures of papers.
func (w *writer) workingNumber(k *Working) int {
	return len(w.annexed) + 1 + slices.IndexFunc(w.given.Workings, func(o Working) bool { return o.Name == k.Name })
}

// headsUsed reports for each head whether any line has an amount under it; tables show only those.
func (k *Working) headsUsed() (used [4]bool) {
	for _, l := range k.Lines {
		for head, paise := range l.Tax {
			used[head] = used[head] || paise != 0
		}
	}
	return used
}

// worked returns the text of a comparison: its table, the explanations of the difference, and what would be paid for
// the rest.
func (w *writer) worked(k *Working) string {
	used := k.headsUsed()
	rows := make([][]string, len(k.Lines))
	for i, l := range k.Lines {
		rows[i] = []string{escape(l.Label)}
		if k.Value {
			rows[i] = append(rows[i], gst.Rupees(l.Tax[0]))
			continue
		}
		var sum int64
		for head, paise := range l.Tax {
			if used[head] {
				rows[i] = append(rows[i], gst.Rupees(paise))
			}
			sum += paise
		}
		rows[i] = append(rows[i], gst.Rupees(sum))
	}
	p := &numbered{}
	p.plain("**" + escape(k.Name) + ", " + escape(k.Span) + "**")
	heads := []string{"", "Value"}
	if !k.Value {
		heads = heads[:1]
		for head := range gst.HeadNames {
			if used[head] {
				heads = append(heads, capital(headName(head)))
			}
		}
		heads = append(heads, "Total")
	}
	p.plain(table(heads, rows))
	p.plain(strings.Join(k.Sentences, " "))
	remains, interest := byHead(k.Remains), byHead(k.Interest)
	switch stance := w.given.Said[k.Point].Stance; {
	case remains == "":
		p.plain("Nothing remains unexplained.")
	case k.Unpaid:
		if k.Value {
			remains = gst.Rupees(k.Remains[0])
		}
		p.plain("What remains unexplained so far is " + remains + ". Nothing is admitted by this computation, and it " +
			"does not show that tax is due: what was paid is in GSTR-3B.")
	case stance == Admit:
		p.plain("What remains, " + remains + ", is admitted: " + w.payment(k, interest, "is paid"))
	default:
		text := "What remains unexplained so far is " + remains + ". Nothing is admitted by this computation. "
		if k.Certified != "" {
			text += "For supplies that the suppliers do not show, certificates under " + k.Certified +
				" are being collected. "
		}
		p.plain(text + "Were it held to be payable: " + w.payment(k, interest, "would be paid"))
	}
	if k.Papers[0] == "" {
		p.plain(fmt.Sprintf("The months are in the workbook that goes with Annexure %d, with formulas.",
			w.workingNumber(k)))
	} else {
		p.plain(fmt.Sprintf("The documents are in Annexure %d; the workbook that goes with it has every one of them, "+
			"with formulas.", w.workingNumber(k)))
	}
	return p.String()
}

// inWords returns the sentences that state the comparison in the paragraph that it answers: what explains the
// difference, and what remains, by class and by head. Rounding is left to the table, and so is the interest, which
// grows every day.
func (w *writer) inWords(k *Working) string {
	if k.Value {
		return ""
	}
	var lines []string
	for _, l := range k.Lines {
		if l.Class == "" || !slices.ContainsFunc(l.Tax[:], func(paise int64) bool { return max(paise, -paise) >= 100 }) {
			continue
		}
		part := "Remains"
		if l.Explains {
			part = "Explained"
		}
		lines = append(lines, "- "+part+", "+escape(l.Class)+": "+signed(l.Tax))
	}
	end := "Nothing remains unexplained."
	if remains := byHead(k.Remains); remains != "" {
		end = "What remains so far is " + remains
		if !k.Unpaid {
			end += "; its interest and the payment through FORM GST DRC-03 are stated below the table"
		}
		end += "."
	}
	return strings.Join(lines, "\n") + "\n\n" + end
}

// signed returns an amount by its heads, including negative ones, with the sum if there are
// several.
func signed(tax [4]int64) string {
	var parts []string
	var sum int64
	for head, paise := range tax {
		if paise != 0 {
			parts = append(parts, headName(head)+" "+gst.Rupees(paise))
			sum += paise
		}
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return list(parts) + ", " + gst.Rupees(sum) + " in all"
}

// headName returns the name of a head as it is written in sentences.
func headName(head int) string {
	if name := gst.HeadNames[head]; name != "CESS" {
		return name
	}
	return "cess"
}

// payment returns how much of the rest is paid, and by when.
func (w *writer) payment(k *Working, interest, paid string) string {
	text := "the tax with interest under section 50 of the CGST Act and rule 88B of the CGST Rules"
	if interest != "" {
		text += " of " + interest + " up to " + officeDate(k.To)
	}
	text += " " + paid + " through FORM GST DRC-03"
	if k.PayBy != "" {
		text += ", for which the last day is " + officeDate(k.PayBy)
	}
	return text + "."
}

// byHead returns an amount by its heads in words, or "" if it is zero.
func byHead(tax [4]int64) string {
	var parts []string
	var sum int64
	for head, paise := range tax {
		if paise > 0 {
			parts = append(parts, headName(head)+" "+gst.Rupees(paise))
			sum += paise
		}
	}
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return parts[0]
	}
	return list(parts) + ", " + gst.Rupees(sum) + " in all"
}

// workingAnnexure returns the annexure with the documents of a comparison.
func (w *writer) workingAnnexure(k *Working) string {
	rows := make([][]string, len(k.Documents))
	for i, cells := range k.Documents {
		for _, cell := range cells {
			rows[i] = append(rows[i], escape(oneLine(cell)))
		}
	}
	if k.Papers[0] == "" {
		return "Returns are compared by their sums, which are in the workbook."
	}
	text := "Documents that do not agree on both sides, the largest first. Amounts with all heads together."
	if len(rows) == 0 {
		return "Every document agrees on both sides."
	}
	if len(rows) < k.Total {
		text += fmt.Sprintf(" These are the first %d of %d; the others are in the workbook.", len(rows), k.Total)
	}
	heads := []string{"Finding", "GSTIN", "Number", "Date"}
	for _, of := range []string{"Month", "Tax"} {
		for _, paper := range k.Papers {
			heads = append(heads, of+": "+paper)
		}
	}
	return text + "\n\n" + table(heads, rows)
}
