package cmd

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/read"
	"munshi/orchestrator/figures/workbook"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/problem"
)

// reconcileCommand answers a notice that is arithmetic by files of the portal and the books.
func reconcileCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "reconcile NOTICE.pdf|FACTS.json FILE…",
		Short: "Hold the returns, the portal and the books against each other and against a notice",
		Args:  cobra.MinimumNArgs(2),
		RunE:  reconcile,
	}
	c.Flags().StringP("output", "o", "", "write the annexure as a workbook, such as annexure.xlsx")
	c.Flags().Bool("json", false, "print the result as JSON")
	takesToday(c)
	return c
}

func reconcile(cmd *cobra.Command, args []string) error {
	a, err := load(cmd)
	if err != nil {
		return err
	}
	today, err := dayGiven(cmd)
	if err != nil {
		return err
	}
	facts, _, err := factsIn(cmd, a, args[0])
	if err != nil {
		return err
	}
	files, err := readFigures(cmd, facts, args[1:])
	if err != nil {
		return err
	}
	result := figures.Reconcile(a.Law(), facts, files, today)
	if output, _ := cmd.Flags().GetString("output"); output != "" {
		if err := writeAnnexure(output, workbook.Annexure{Facts: facts, Files: files, Reconciliation: result}); err != nil {
			return err
		}
	}
	if asJSON, _ := cmd.Flags().GetBool("json"); asJSON {
		return printJSON(cmd.OutOrStdout(), struct {
			Files []figures.File `json:"files"`
			figures.Reconciliation
		}{files, result})
	}
	return summarise(cmd.OutOrStdout(), files, result)
}

// readFigures reads the files, each of which must belong to the notice.
func readFigures(cmd *cobra.Command, facts gst.Facts, paths []string) ([]figures.File, error) {
	reader, err := read.New(read.Options{})
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
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d rows read\n", path, rows)
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

// writeAnnexure writes the workbook beside its place first, so that a failure leaves nothing half written.
func writeAnnexure(output string, annexure workbook.Annexure) error {
	partial := output + ".part"
	f, err := os.Create(partial)
	if err != nil {
		return problem.New("file_cannot_be_written", problem.Params{"file": output}, err)
	}
	err = workbook.Write(f, annexure)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(partial, output)
	}
	if err != nil {
		_ = os.Remove(partial)
		return problem.New("file_cannot_be_written", problem.Params{"file": output}, err)
	}
	return nil
}

// summarise prints the result for a person.
func summarise(w io.Writer, files []figures.File, r figures.Reconciliation) error {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s: %s, %d rows", f.Name, f.Format, f.Rows)
		if len(f.LeftOut) > 0 {
			fmt.Fprintf(&b, ", %d left out", len(f.LeftOut))
		}
		b.WriteByte('\n')
	}
	if r.Repeated > 0 {
		fmt.Fprintf(&b, "%d documents stood in two files, and count once.\n", r.Repeated)
	}
	for _, of := range r.Answers {
		a := of.Outcome
		title := "Credit claimed in GSTR-3B against " + string(of.Variance.Against)
		if a.What == figures.TaxDeclared {
			title = "Tax declared in GSTR-1 against GSTR-3B"
		}
		fmt.Fprintf(&b, "\n%s, %s to %s\n", title, a.From, a.To)
		amount := func(label string, tax figures.Tax) {
			fmt.Fprintf(&b, "  %-44s %20s\n", label, gst.Rupees(tax.Sum()))
		}
		if a.Notice != nil {
			amount("The notice's figure", *a.Notice)
		}
		amount("Difference per files", a.Files)
		for _, s := range a.Shares {
			amount("  "+workbook.ClassName(s.Class), s.Tax)
		}
		amount("Explained", a.Explained)
		amount("Not explained so far", a.Remains)
		for _, p := range a.Pay {
			fmt.Fprintf(&b, "  If admitted, by DRC-03: %s %s and interest %s\n", p.Head, gst.Rupees(p.Tax), gst.Rupees(p.Interest))
		}
		if len(of.Variance.Missing) > 0 {
			fmt.Fprintf(&b, "  No GSTR-3B was handed in for %s.\n", strings.Join(of.Variance.Missing, ", "))
		}
	}
	if len(r.Answers) == 0 {
		b.WriteString("\nNothing can be compared: it takes GSTR-2A or 2B with GSTR-3B or books, or GSTR-1 with GSTR-3B.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
