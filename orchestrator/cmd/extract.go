package cmd

import (
	"fmt"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/app"
	"munshi/orchestrator/document"
	"munshi/orchestrator/notices"
)

// readingCommands returns the commands that need no server.
func readingCommands() []*cobra.Command {
	var asJSON bool
	extract := &cobra.Command{
		Use:   "extract FILE.pdf",
		Short: "Print a PDF's text, pages separated by form feeds",
		RunE: onFile(
			func(cmd *cobra.Command, _ *app.App, pages []document.Page) error {
				if asJSON {
					for i := range pages {
						pages[i].Words = nil // encoded, of use only to the program
					}
					return printJSON(cmd.OutOrStdout(), pages)
				}
				texts := make([]string, len(pages))
				for i, p := range pages {
					texts[i] = p.Text
				}
				_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(texts, "\f"))
				return err
			}),
	}
	extract.Flags().BoolVar(&asJSON, "json", false, "print each page with how its text was read and how certain it is")
	var explain bool
	facts := &cobra.Command{
		Use:   "facts FILE.pdf",
		Short: "Print what the program itself reads from a notice, as JSON",
		RunE: onFile(
			func(cmd *cobra.Command, a *app.App, pages []document.Page) error {
				if explain {
					_, err := fmt.Fprint(
						cmd.OutOrStdout(),
						notices.FactExtractor{Tables: a.Law()}.Explain(activities.Pages(pages)),
					)
					return err
				}
				return printJSON(
					cmd.OutOrStdout(),
					notices.FactExtractor{Tables: a.Law()}.Read(activities.Pages(pages)),
				)
			}),
	}
	facts.Flags().BoolVar(&explain, "explain", false, "print what was weighed for each field, and why the best won")
	reckonFor := reckonCommand()
	analysis := &cobra.Command{
		Use:   "analyse FILE.pdf",
		Short: "Write the analysis of a notice, as Markdown",
		RunE: onFile(
			func(cmd *cobra.Command, a *app.App, pages []document.Page) error {
				language, err := languageOf(cmd)
				if err != nil {
					return err
				}
				return analyse(cmd.Context(), a, activities.Pages(pages), language, cmd.OutOrStdout(),
					cmd.ErrOrStderr())
			}),
	}
	commands := []*cobra.Command{extract, facts, reckonFor, analysis, replyCommand(), defencesCommand()}
	for _, c := range commands {
		c.Args = cobra.ExactArgs(1)
	}
	return commands
}

// onFile reads the PDF that a command names, and reports slow pages on standard error.
func onFile(do func(*cobra.Command, *app.App, []document.Page) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a, err := load(cmd)
		if err != nil {
			return err
		}
		go a.Law() // in parallel with reading the file
		pages, err := readFile(cmd, a, args[0])
		if err != nil {
			return err
		}
		return do(cmd, a, pages)
	}
}

// readFile reads a PDF for a command.
func readFile(cmd *cobra.Command, a *app.App, file string) ([]document.Page, error) {
	reader, err := app.NewReader(a.Config.Reading, a.Log)
	if err != nil {
		return nil, err
	}
	var pages []document.Page
	info, err := reader.Read(cmd.Context(), file, nil, func(p document.Page) error {
		pages = append(pages, p)
		if p.Method == document.MethodRecognition {
			fmt.Fprintf(cmd.ErrOrStderr(), "Page %d read by text recognition (%d read)\n", p.Number, len(pages))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if info.Truncated {
		fmt.Fprintln(cmd.ErrOrStderr(), "The end of this file is missing: there may be more than was read.")
	}
	sort.Slice(pages, func(i, j int) bool { return pages[i].Number < pages[j].Number })
	return pages, nil
}
