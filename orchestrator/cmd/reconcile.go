package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/read"
	"munshi/orchestrator/figures/workbook"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/printed"
	"munshi/orchestrator/message"
	"munshi/orchestrator/notices"
	"munshi/orchestrator/problem"
)

// reconcileCommand returns the command that compares a notice about differences in figures with files from the portal
// and the books.
func reconcileCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "reconcile NOTICE.pdf|FACTS.json FILE…",
		Short: "Compare the returns, the portal and the books with each other and with a notice",
		Args:  cobra.MinimumNArgs(2),
		RunE:  reconcile,
	}
	c.Flags().StringP("output", "o", "", "write the annexure as a workbook, such as annexure.xlsx")
	c.Flags().String("letters", "", "write letters to the suppliers whose returns lack invoices of the books, such as "+
		"letters.docx")
	c.Flags().Bool("json", false, "print the result as JSON")
	takesToday(c)
	return c
}

func reconcile(cmd *cobra.Command, args []string) error {
	printer, err := printerFor(cmd)
	if err != nil {
		return err
	}
	a, err := load(cmd)
	if err != nil {
		return err
	}
	today, err := dayGiven(cmd)
	if err != nil {
		return err
	}
	facts, pages, err := factsIn(cmd, a, args[0])
	if err != nil {
		return err
	}
	files, err := readFigures(cmd, printer, a.Pages, facts, args[1:])
	if err != nil {
		return err
	}
	from, to := figures.PeriodOf(facts)
	compared := figures.Compare(from, to, files, figures.Rules{})
	result := compared.Against(a.Law(), facts, today)
	facts.Reconciled = compared.Facts(a.Law(), facts, figures.AsFacts(files), today)
	points := slices.DeleteFunc(defence.Evaluate(a.Defences().Rules(), a.Law(), facts, pages, today),
		func(p defence.Point) bool {
			return !slices.ContainsFunc(p.Because, func(q printed.Quote) bool { return q.File != "" })
		})
	if output, _ := cmd.Flags().GetString("output"); output != "" {
		annexure := workbook.Annexure{Facts: facts, Files: files, Reconciliation: result, Language: printer.language}
		if err := writeWhole(output, func(w io.Writer) error { return workbook.Write(w, annexure) }); err != nil {
			return err
		}
	}
	if output, _ := cmd.Flags().GetString("letters"); output != "" {
		err := writeWhole(output, func(w io.Writer) error {
			return notices.SupplierLetters(cmd.Context(), w, a.Law(), facts,
				figures.Of(result.Matchings, figures.CreditClaimed), result.From, result.To)
		})
		if err != nil {
			return err
		}
	}
	if asJSON, _ := cmd.Flags().GetBool("json"); asJSON {
		return printJSON(cmd.OutOrStdout(), struct {
			Files []figures.File `json:"files"`
			figures.Reconciliation
			Points []defence.Point `json:"points"` // the defences that the files answer
		}{files, result, points})
	}
	summarise(printer, files, result)
	if len(points) > 0 {
		fmt.Fprintln(cmd.OutOrStdout())
		describePoints(printer, points)
	}
	return nil
}

// readFigures reads the files; each must belong to the notice's taxpayer.
func readFigures(cmd *cobra.Command, p printer, pages read.Pages, facts gst.Facts,
	paths []string) ([]figures.File, error) {
	reader, err := read.New(read.Options{Pages: pages})
	if err != nil {
		return nil, err
	}
	gstin := ""
	if facts.GSTIN != nil {
		gstin = *facts.GSTIN
	}
	from, to := figures.PeriodOf(facts)
	files := make([]figures.File, 0, len(paths))
	for _, path := range paths {
		file, err := reader.Read(cmd.Context(), path, func(rows int) {
			if rows%20_000 == 0 {
				fmt.Fprintln(cmd.ErrOrStderr(),
					message.New("progress.read_file", message.Params{"file": path, "count": rows}).In(p.language))
			}
		})
		if err != nil {
			return nil, err
		}
		if err := read.Check(file, gstin, from, to); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// writeWhole writes a file under a temporary name and then renames it, so that a failure leaves no partial file.
func writeWhole(output string, write func(io.Writer) error) error {
	partial := output + ".part"
	f, err := os.Create(partial)
	if err != nil {
		return problem.New("file_cannot_be_written", problem.Params{"file": output}, err)
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(partial, output)
	}
	var said *problem.Error
	if err != nil {
		_ = os.Remove(partial)
		if errors.As(err, &said) {
			return said
		}
		return problem.New("file_cannot_be_written", problem.Params{"file": output}, err)
	}
	return nil
}

// summarise prints the result.
func summarise(p printer, files []figures.File, r figures.Reconciliation) {
	for _, f := range files {
		code, of := "figures.file", message.Params{"file": f.Name, "format": f.Format, "count": f.Rows}
		if len(f.LeftOut) > 0 {
			code, of["left"] = "figures.left_out", len(f.LeftOut)
		}
		p.line(0, code, of)
	}
	if r.Repeated > 0 {
		p.line(0, "figures.repeated", message.Params{"count": r.Repeated})
	}
	for _, of := range r.Answers {
		a := of.Outcome
		fmt.Fprintf(p.out, "\n%s, %s\n", workbook.Comparison(of.Variance).In(p.language),
			workbook.Span(a.From, a.To).In(p.language))
		amount := func(indent int, label string, tax figures.Tax) {
			fmt.Fprintf(p.out, "%*s%-*s %20s\n", indent, "", 46-indent, label, gst.Rupees(tax.Sum()))
		}
		if a.Notice != nil {
			amount(2, p.text("figures.notice", nil), *a.Notice)
		}
		first, second, _ := of.Variance.Sums()
		amount(2, workbook.First(of.Variance).In(p.language), first)
		amount(2, workbook.Second(of.Variance).In(p.language), second)
		amount(2, p.text("figures.files", nil), a.Files)
		for _, s := range a.Shares {
			amount(4, workbook.Class(s.Class).In(p.language), s.Tax)
		}
		amount(2, p.text("figures.explained", nil), a.Explained)
		amount(2, p.text("figures.remains", nil), a.Remains)
		for _, due := range a.Pay {
			p.line(2, "figures.pay", message.Params{"head": due.Head, "tax": gst.Rupees(due.Tax),
				"interest": gst.Rupees(due.Interest)})
		}
		for _, note := range workbook.Notes(of.Variance) {
			fmt.Fprintln(p.out, "  "+note.In(p.language))
		}
		if missing := of.Variance.Missing; len(missing) > 0 {
			months := make([]any, len(missing))
			for i, month := range missing {
				months[i] = message.Month(month)
			}
			p.line(2, "figures.missing", message.Params{"months": message.List{Items: months, By: "and"}})
		}
	}
	if r.Late != nil {
		summariseLate(p, r)
	}
	if len(r.Answers) == 0 && r.Late == nil {
		fmt.Fprintln(p.out, "\n"+message.New("figures.nothing", nil).In(p.language))
	}
}

// summariseLate prints the interest on late returns: what the notice demands, and how this is made up according
// to the ledgers.
func summariseLate(p printer, r figures.Reconciliation) {
	l := r.Late
	say := func(code string, params message.Params) string {
		return message.New("figures.late."+code, params).In(p.language)
	}
	fmt.Fprintf(p.out, "\n%s, %s\n", say("title", nil), workbook.Span(r.From, r.To).In(p.language))
	amount := func(indent int, code string, paise int64) {
		fmt.Fprintf(p.out, "%*s%-*s %20s\n", indent, "", 46-indent, say(code, nil), gst.Rupees(paise))
	}
	for _, of := range l.Returns {
		fmt.Fprintln(p.out, "  "+say("return", message.Params{"month": message.Month(of.Period),
			"day": message.Date(of.Paid), "cash": gst.Rupees(of.Cash.Sum()), "lay": gst.Rupees(of.Lay.Sum()),
			"count": of.Days}))
	}
	if l.Notice != nil {
		amount(2, "notice", *l.Notice)
	}
	amount(4, "due", l.Interest.Sum())
	amount(4, "on_lay", l.OnLay().Sum())
	if l.OnCredit != nil {
		amount(4, "on_credit", *l.OnCredit)
	}
	if l.Notice != nil {
		amount(4, "other", l.Other())
	}
	for _, doubt := range workbook.LateDoubts(l) {
		fmt.Fprintln(p.out, "  "+doubt.In(p.language))
	}
}
