package cmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"munshi/orchestrator/app"
	"munshi/orchestrator/gst/law"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/law/defences"
	"munshi/orchestrator/law/faq"
	"munshi/orchestrator/problem"
)

// lawCommand returns the command for those who keep the law tables up to date.
func lawCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "law [DIR]",
		Args:  cobra.MaximumNArgs(1),
		Short: "Read, search and import the law; alone, check the tables that override the built-in ones; needs no server",
		RunE:  func(cmd *cobra.Command, args []string) error { return checkLaw(cmd, args, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print all the tables in force, as JSON")
	c.AddCommand(statuteCommands()...)
	return c
}

func checkLaw(cmd *cobra.Command, args []string, asJSON bool) error {
	a, err := load(cmd)
	if err != nil {
		return err
	}
	dir := append(args, a.Config.Law.Overlay)[0]
	tables := law.Built()
	if dir != "" {
		built := tables.AsOf
		tables, err = law.Load(os.DirFS(dir))
		var problems law.Problems
		switch {
		case errors.As(err, &problems):
			for _, p := range problems {
				fmt.Fprintln(cmd.OutOrStdout(), p)
			}
			return problem.New(
				"law_has_mistakes",
				problem.Params{"mistakes": count(len(problems), "mistake"), "folder": besideUs(dir), "as_of": built},
				err,
			)
		case errors.Is(err, fs.ErrNotExist):
			return problem.New("law_folder_missing", problem.Params{"folder": dir, "as_of": built}, err)
		case err != nil:
			return problem.New("law_folder_unreadable", problem.Params{"folder": dir, "as_of": built}, err)
		}
	}
	if dir != "" {
		if err := checkDefences(cmd, a, dir, tables); err != nil {
			return err
		}
		if err := checkQuestions(cmd, dir, tables); err != nil {
			return err
		}
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), tables)
	}
	return describeLaw(cmd.OutOrStdout(), tables, dir)
}

// checkDefences checks the rules in the folder "defences" of an operator's folder against the law digest and the law
// tables.
func checkDefences(cmd *cobra.Command, a *app.App, dir string, tables *law.Tables) error {
	digest, err := a.Statute().Entries()
	if err != nil {
		return err
	}
	built := len(defences.Built())
	rules, err := defences.Load(os.DirFS(dir), defences.Against{Digest: digest, Tables: tables})
	var problems defences.Problems
	switch {
	case errors.As(err, &problems):
		for _, p := range problems {
			fmt.Fprintln(cmd.OutOrStdout(), p)
		}
		return problem.New("law_has_mistakes",
			problem.Params{"mistakes": count(len(problems), "mistake"), "folder": besideUs(dir), "as_of": tables.AsOf},
			err)
	case err != nil:
		return problem.New("law_folder_unreadable", problem.Params{"folder": dir, "as_of": tables.AsOf}, err)
	}
	if added := len(rules) - built; added > 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "%s adds %s.\n", besideUs(dir), count(added, "defence"))
	}
	return nil
}

// checkQuestions checks the common questions in the folder "faq" of an operator's folder.
func checkQuestions(cmd *cobra.Command, dir string, tables *law.Tables) error {
	own, err := faq.Read(os.DirFS(dir), "faq")
	var problems statute.Problems
	switch {
	case errors.As(err, &problems):
		for _, p := range problems {
			fmt.Fprintln(cmd.OutOrStdout(), p)
		}
		return problem.New("law_has_mistakes",
			problem.Params{"mistakes": count(len(problems), "mistake"), "folder": besideUs(dir), "as_of": tables.AsOf},
			err)
	case err != nil:
		return problem.New("law_folder_unreadable", problem.Params{"folder": dir, "as_of": tables.AsOf}, err)
	}
	if len(own) > 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "%s has %s.\n", besideUs(dir), count(len(own), "common question"))
	}
	return nil
}

// describeLaw prints which law tables are in force, and what a folder changed in them.
func describeLaw(out io.Writer, t *law.Tables, dir string) error {
	lines := []string{fmt.Sprintf("Tables of law as of %s: %s, %s, %s.", t.AsOf,
		count(len(t.Forms), "form"), count(len(t.Years), "financial year"), count(len(t.Issues), "kind")+" of dispute")}
	switch {
	case dir == "":
		lines = append(lines, "No folder is laid over the built-in ones (law.overlay).")
	case len(t.Changes) == 0:
		lines = append(lines, fmt.Sprintf("%s changes nothing.", besideUs(dir)))
	default:
		lines = append(lines, fmt.Sprintf("%s changes %s:", besideUs(dir), count(len(t.Changes), "row")))
	}
	for _, c := range t.Changes {
		what := "replaces"
		if c.New {
			what = "adds"
		}
		lines = append(lines, fmt.Sprintf("  %s %s %s: %s", c.File, what, c.List, c.Key))
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}
