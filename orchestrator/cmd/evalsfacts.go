package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"munshi/evals/reading"
	"munshi/orchestrator/document"
	"munshi/orchestrator/evaluation"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// factsOfPapersCommand returns the command that scores what is read from labelled papers; these are outside the
// repository.
func factsOfPapersCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "facts FOLDER[:PAPER,PAPER…]…",
		Args:  cobra.MinimumNArgs(1),
		Short: "Score what is read from labelled notices, by field and kind of document, and store it for the dashboard",
		Long: `A folder holds each notice as NN.pdf with its correct facts in NN.json, as "munshi facts" names them, and in NOTES.json
what else may count as correct. Each folder is a corpus under its own name; only the counts are stored. The dashboard
shows operators the last ten of each.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dry, _ := cmd.Flags().GetBool("dry-run"); dry {
				return scorePapers(cmd, args, nil)
			}
			return onRuns(func(_ context.Context, r runs, args []string) error {
				return scorePapers(cmd, args, func(corpus string, score *reading.Tally) error {
					return evaluation.KeepReading(cmd.Context(), r.Service, corpus, r.app.Version, score)
				})
			})(cmd, args)
		},
	}
	c.Flags().Bool("dry-run", false, "print the scores and keep nothing; needs no server")
	c.Flags().String("field", "", "list what was missed of this field alone")
	return c
}

func scorePapers(cmd *cobra.Command, corpora []string, keep func(string, *reading.Tally) error) error {
	reader, err := document.New(document.Options{})
	if err != nil {
		return err
	}
	field, _ := cmd.Flags().GetString("field")
	tables := law.Built()
	for _, corpus := range corpora {
		papers, err := reading.Papers(corpus)
		if err != nil {
			return err
		}
		if len(papers) == 0 {
			return fmt.Errorf("score the papers of %s: there is no PDF", corpus)
		}
		score := reading.NewTally()
		for _, p := range papers {
			facts, err := factsOfPaper(cmd.Context(), reader, tables, p)
			if err != nil {
				return err
			}
			score.Add(p, facts)
		}
		folder, _, _ := strings.Cut(corpus, ":")
		name := filepath.Base(filepath.Clean(folder))
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n%s", name, score.Report(field))
		if keep != nil && folder == corpus { // a run on chosen papers is not stored
			if err := keep(name, score); err != nil {
				return err
			}
		}
	}
	return nil
}

// factsOfPaper reads a paper, and returns its facts in the format in which they are shown.
func factsOfPaper(ctx context.Context, reader *document.Reader, tables *law.Tables,
	p reading.Labelled) (map[string]any, error) {
	var pages []document.Page
	if _, err := reader.Read(ctx, p.PDF, nil, func(page document.Page) error {
		pages = append(pages, page)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read %s: %w", p.PDF, err)
	}
	slices.SortFunc(pages, func(a, b document.Page) int { return a.Number - b.Number })
	text := make([]gst.Page, len(pages))
	for i, page := range pages {
		text[i] = gst.Page{Text: page.Text, Recognised: page.Method == document.MethodRecognition}
	}
	raw, err := json.Marshal(gst.Read(tables, text))
	if err != nil {
		return nil, fmt.Errorf("encode the facts of %s: %w", p.Name, err)
	}
	var facts map[string]any
	if err := json.Unmarshal(raw, &facts); err != nil {
		return nil, fmt.Errorf("decode the facts of %s: %w", p.Name, err)
	}
	return facts, nil
}
