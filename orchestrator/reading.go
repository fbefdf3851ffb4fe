package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"munshi/config"
	"munshi/orchestrator/document"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/model"
	"munshi/orchestrator/prompt"
	"munshi/workflows"
)

// prober is the API's view of the reader of documents.
type prober struct{ reader *document.Reader }

func (p prober) Probe(ctx context.Context, path string) (pages int, damaged bool, err error) {
	info, err := p.reader.Probe(ctx, path)
	return info.Pages, info.Damaged, err
}

// pageReader is the activities' view of the reader of documents.
type pageReader struct{ reader *document.Reader }

func (p pageReader) Read(ctx context.Context, path string, pages []int, onPage func(workflows.Page) error) error {
	err := p.reader.Read(ctx, path, pages, func(page document.Page) error { return onPage(workPage(page)) })
	var refused *document.Refusal
	if asRefusal(err, &refused) {
		return &workflows.Failure{Code: refused.Code, Sentence: refused.Sentence(), Cause: err}
	}
	return err
}

func workPage(p document.Page) workflows.Page {
	return workflows.Page{Number: p.Number, Text: p.Text, Recognised: p.Method == document.Recognition, Method: string(p.Method),
		Confidence: p.Confidence, Languages: p.Languages, Width: p.Width, Height: p.Height}
}

// law is the activities' view of what is computed from a notice.
type law struct{}

func (law) Facts(pages []workflows.Page) (json.RawMessage, string, error) {
	facts := gst.Read(gstPages(pages))
	raw, err := json.Marshal(facts)
	if err != nil {
		return nil, "", fmt.Errorf("encode the facts: %w", err)
	}
	return raw, titleOf(facts), nil
}

func (law) Check(answer, facts string) []workflows.Finding {
	findings := []workflows.Finding{}
	for _, f := range gst.Check(answer) {
		findings = append(findings, workflows.Finding(f))
	}
	return findings
}

func gstPages(pages []workflows.Page) []gst.Page {
	out := make([]gst.Page, len(pages))
	for i, p := range pages {
		out[i] = gst.Page{Text: p.Text, Recognised: p.Recognised}
	}
	return out
}

// readingCommands are those that need no server.
func readingCommands() []*cobra.Command {
	var asJSON bool
	extract := &cobra.Command{Use: "extract FILE.pdf", Short: "Print a PDF's text, pages separated by form feeds", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, _, err := load(cmd)
			if err != nil {
				return err
			}
			pages, err := readFile(cmd.Context(), cfg, args[0], nil)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), pages)
			}
			texts := make([]string, len(pages))
			for i, p := range pages {
				texts[i] = p.Text
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), strings.Join(texts, "\f"))
			return err
		}}
	extract.Flags().BoolVar(&asJSON, "json", false, "print each page with how its text was got and how sure that is")
	facts := &cobra.Command{Use: "facts FILE.pdf", Short: "Print what the program itself reads from a notice, as JSON", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, _, err := load(cmd)
			if err != nil {
				return err
			}
			pages, err := readFile(cmd.Context(), cfg, args[0], nil)
			if err != nil {
				return err
			}
			return printJSON(cmd.OutOrStdout(), gst.Read(gstPages(pages)))
		}}
	analyse := &cobra.Command{Use: "analyse FILE.pdf", Short: "Write the analysis of a notice, as Markdown", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, log, err := load(cmd)
			if err != nil {
				return err
			}
			return analyseFile(cmd.Context(), &app{cfg: cfg, log: log}, args[0], cmd.OutOrStdout(), cmd.ErrOrStderr())
		}}
	return []*cobra.Command{extract, facts, analyse}
}

// readFile reads a PDF's pages in order; progress may be nil.
func readFile(ctx context.Context, cfg config.Config, path string, progress func(read, of int)) ([]workflows.Page, error) {
	reader, err := newReader(cfg)
	if err != nil {
		return nil, err
	}
	info, err := reader.Probe(ctx, path)
	if err != nil {
		return nil, err
	}
	var pages []workflows.Page
	err = reader.Read(ctx, path, nil, func(p document.Page) error {
		pages = append(pages, workPage(p))
		if progress != nil {
			progress(len(pages), info.Pages)
		}
		return nil
	})
	sort.Slice(pages, func(i, j int) bool { return pages[i].Number < pages[j].Number })
	return pages, err
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// analyseFile writes the analysis of one notice without any server: the same reading, facts, prompt and model as a turn.
func analyseFile(ctx context.Context, a *app, path string, out, progress io.Writer) error {
	pages, err := readFile(ctx, a.cfg, path, func(read, of int) { fmt.Fprintf(progress, "\rReading page %d of %d", read, of) })
	if err != nil {
		return err
	}
	fmt.Fprintf(progress, "\nAnalysing. %s\n", a.whoAnswers())
	facts, _, err := law{}.Facts(pages)
	if err != nil {
		return err
	}
	bundles, err := prompt.Load(os.DirFS(a.cfg.Prompts.Dir), registry())
	if err != nil {
		return fmt.Errorf("load the prompts: %w", err)
	}
	engine, err := model.New(a.modelConfig())
	if err != nil {
		return err
	}
	for _, b := range bundles {
		if b.Manifest().ID == "notice" {
			m := workflows.Material{Notice: pages, Facts: string(facts)}
			return analyseWith(ctx, b, asker{engine, a.modelConfig()}, m, out, progress)
		}
	}
	return sentence("The prompts folder has no notice plugin.", nil)
}
