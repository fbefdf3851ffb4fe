package notices

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/google/uuid"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/workbook"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// annexedLines is how many compared documents the reply lists at most; the workbook has all.
const annexedLines = 200

// workings returns the results of a conversation's comparisons for its reply, without the documents; none if nothing
// was compared, or if the files show no excess and the notice claims none.
func (f Figures) workings(compared *figures.Compared, facts gst.Facts, points []reply.Point) []reply.Working {
	if compared == nil {
		return nil
	}
	var all []reply.Working
	for _, d := range compared.Answers(f.Tables, facts, today()) {
		o := d.Outcome
		key := figuresPoint(points, o.What)
		if key == "" && o.Notice == nil {
			continue // the notice does not allege it
		}
		k := reply.Working{Point: key, What: o.What, Name: workbook.Comparison(d.Variance).English,
			Span: workbook.Span(o.From, o.To).English, Lines: linesOf(d), Sentences: sentencesOf(d), To: today().ISO(),
			Certified: certificate(f.Tables, o), Value: figures.OfValue(o.What), Unpaid: !figures.Payable(o.What)}
		if k.Unpaid {
			for head, paise := range o.Remains {
				k.Remains[head] = max(0, paise)
			}
		}
		for _, pay := range o.Pay {
			head := gst.HeadIndex(pay.Head)
			k.Remains[head], k.Interest[head] = pay.Tax, pay.Interest
		}
		if by := payBy(f.Tables, facts); by != nil {
			k.PayBy = *by
		}
		if first, second := figures.Papers(o.What); first != "" {
			k.Papers = [2]string{lower(workbook.Paper(first).English), lower(workbook.Paper(second).English)}
		}
		all = append(all, k)
	}
	return all
}

// annex adds the documents to workings, for the annexures of the reply.
func (f Figures) annex(ctx context.Context, workspace, conversation uuid.UUID, workings []reply.Working) (err error) {
	for i := range workings {
		if k := &workings[i]; k.Papers[0] != "" {
			if k.Documents, k.Total, err = f.annexed(ctx, workspace, conversation, k.What); err != nil {
				return err
			}
		}
	}
	return nil
}

// figuresPoint returns the key of the allegation that a comparison answers: one that names both returns, or else one
// about the same issue.
func figuresPoint(points []reply.Point, what string) string {
	for _, fits := range []func(reply.Point) bool{
		func(p reply.Point) bool { return figures.Names(p.Alleged, what) },
		func(p reply.Point) bool { return slices.Contains(p.Issues, figures.IssueOf(what)) },
	} {
		if i := slices.IndexFunc(points, func(p reply.Point) bool { return p.Allegation && fits(p) }); i >= 0 {
			return points[i].Key
		}
	}
	return ""
}

// linesOf returns the table for an allegation.
func linesOf(d figures.Dispute) []reply.WorkingLine {
	o, v := d.Outcome, d.Variance
	first, second, shares := v.Sums()
	var lines []reply.WorkingLine
	if o.Notice != nil {
		lines = append(lines, reply.WorkingLine{Label: "As alleged in the notice", Tax: *o.Notice})
	}
	lines = append(lines, reply.WorkingLine{Label: workbook.First(v).English, Tax: first},
		reply.WorkingLine{Label: workbook.Second(v).English, Tax: second},
		reply.WorkingLine{Label: "Difference per the files", Tax: o.Files})
	for _, s := range shares {
		if s.Class.Explains() {
			line := reply.WorkingLine{Label: "Explained: " + lower(workbook.ClassName(s.Class)), Tax: s.Tax, Explains: true}
			if s.Class != figures.Matched { // whose part of the difference is rounding
				line.Class = lower(workbook.ClassName(s.Class))
			}
			lines = append(lines, line)
		}
	}
	for _, s := range shares {
		if !s.Class.Explains() {
			class := lower(workbook.ClassName(s.Class))
			lines = append(lines, reply.WorkingLine{Label: "Remains: " + class, Tax: s.Tax, Class: class})
		}
	}
	return append(lines, reply.WorkingLine{Label: "Remains in all", Tax: o.Remains})
}

func lower(s string) string {
	if strings.HasPrefix(s, "GST") || strings.HasPrefix(s, "E-") {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// sentencesOf returns sentences that say what explains a difference.
func sentencesOf(d figures.Dispute) []string {
	o := d.Outcome
	var said []string
	if o.Notice != nil && *o.Notice != o.Files {
		said = append(said, fmt.Sprintf("The notice has a difference of %s, the returns and the portal's records one of %s.", gst.Rupees(o.Notice.Sum()), gst.Rupees(o.Files.Sum())))
	}
	if total := o.Files.Sum(); total > 0 && !o.Differs() {
		said = append(said, fmt.Sprintf("Of %s, %s is explained.", gst.Rupees(total), gst.Rupees(o.Explained.Sum())))
	}
	_, _, shares := d.Variance.Sums()
	for _, s := range shares {
		text := explains[s.Class]
		if text == "" || s.Tax.Sum() == 0 {
			continue
		}
		said = append(said, fmt.Sprintf(text, gst.Rupees(s.Tax.Sum())))
	}
	if !d.Variance.Reversed.IsZero() {
		said = append(said, fmt.Sprintf("Credit of %s was reversed in table 4(B) of GSTR-3B, which is not adjusted here.", gst.Rupees(d.Variance.Reversed.Sum())))
	}
	for _, note := range workbook.Notes(d.Variance) {
		said = append(said, note.English)
	}
	return said
}

// explains says how each class explains a part of a difference.
var explains = map[figures.Class]string{
	figures.OtherMonth: "%s stands in the other return of another month of the same financial year, and is timing alone.",
	figures.AcrossYear: "%s stands in the other return of another financial year. [To be confirmed: that it was taken " +
		"within the time of section 16(4)]",
	figures.WrongHead:  "%s stands under another head on one side: the same tax as IGST, or as CGST and SGST.",
	figures.OtherTable: "%s stands in another line of table 4(A) of GSTR-3B, and was not claimed twice.",
	figures.Replaced:   "%s was amended later, and the amendment counts instead.",
}

// certificate returns the circulars under which suppliers certify supplies that they reported late or not at all; ""
// if one of the months has none.
func certificate(t *law.Tables, o figures.Outcome) string {
	if o.What != figures.CreditClaimed || o.Remains.Sum() <= 0 {
		return ""
	}
	var all []law.Certificate
	for _, month := range figures.Months(o.From, o.To) {
		c := t.CertificateOn(month + "-01")
		if c == nil {
			return ""
		}
		all = append(all, *c)
	}
	return circulars(all)
}

// annexed returns the first documents that do not agree, and how many there are in all.
func (f Figures) annexed(ctx context.Context, workspace, conversation uuid.UUID,
	what string) (rows [][]string, total int, err error) {
	list, err := f.Entries(ctx, workspace, conversation,
		store.FigureQuery{What: what, Class: "open", Sort: "amount", Most: annexedLines})
	if err != nil {
		return nil, 0, err
	}
	for _, e := range list.Entries {
		shown := cmp.Or(e.Books, e.Portal)
		row := []string{workbook.ClassName(figures.Class(e.Class)), shown.GSTIN, shown.Number, printedDay(shown.Date),
			"", "", "", ""}
		if e.Books != nil {
			row[4], row[6] = e.Books.Period, gst.Rupees(sum(e.Books.Tax))
		}
		if e.Portal != nil {
			row[5], row[7] = e.Portal.Period, gst.Rupees(sum(e.Portal.Tax))
		}
		rows = append(rows, row)
	}
	return rows, list.Total, nil
}

// printedDay formats an ISO date as 31.03.2024.
func printedDay(iso string) string {
	parts := strings.Split(iso, "-")
	if len(parts) != 3 {
		return iso
	}
	return parts[2] + "." + parts[1] + "." + parts[0]
}

// reconciled returns the results of comparisons for a point, for the model that writes about it.
func reconciled(workings []reply.Working, point string) []workflows.Review {
	var out []workflows.Review
	for _, k := range workings {
		if k.Point == point && point != "" {
			out = append(out, workflows.Review{Type: "Comparison of the figures by files of the portal and the books",
				Text: k.Name + ", " + k.Span + ". " + strings.Join(k.Sentences, " ") +
					" The table with these figures follows the paragraph by itself."})
		}
	}
	return out
}

// Letters writes the letters to the suppliers in a conversation's comparison.
func (f Figures) Letters(ctx context.Context, workspace, conversation uuid.UUID, out io.Writer) error {
	facts, compared, err := f.whole(ctx, workspace, conversation)
	if err != nil {
		return err
	}
	if compared == nil {
		return problem.New("figures_no_letters", nil, nil)
	}
	return SupplierLetters(ctx, out, f.Tables, facts, figures.Of(compared.Matchings, figures.CreditClaimed),
		cmp.Or(compared.From, "0000"), cmp.Or(compared.To, "9999"))
}
