package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"munshi/orchestrator/api"
	"munshi/orchestrator/document"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/prompt"
	"munshi/workflows"
)

// prober is the API's view of the reader of documents.
type prober struct{ reader *document.Reader }

func (p prober) Probe(ctx context.Context, path string) (pages int, damaged bool, err error) {
	info, err := p.reader.Probe(ctx, path)
	var refused *document.Refusal
	if errors.As(err, &refused) {
		err = refusedUpload{refused}
	}
	return info.Pages, info.Truncated, err
}

// refusedUpload is the reader's refusal as the API shows it.
type refusedUpload struct{ *document.Refusal }

func (r refusedUpload) RefusalCode() string { return string(r.Code) }

// pageReader is the activities' view of the reader of documents.
type pageReader struct{ reader *document.Reader }

func (p pageReader) Read(ctx context.Context, path string, pages []int, onPage func(workflows.Page) error) error {
	_, err := p.reader.Read(ctx, path, pages, func(page document.Page) error { return onPage(workPage(page)) })
	var refused *document.Refusal
	if errors.As(err, &refused) {
		return &workflows.Failure{Code: string(refused.Code), Sentence: refused.Sentence(), Cause: err}
	}
	return err
}

func workPage(p document.Page) workflows.Page {
	return workflows.Page{Number: p.Number, Text: p.Text, Recognised: p.Method == document.MethodRecognition,
		Unreadable: p.Method == document.MethodUnreadable, Method: string(p.Method),
		Confidence: p.Confidence, Languages: p.Languages, Width: p.Width, Height: p.Height, Words: p.Words}
}

// pageWords gives the words of a page that was kept, with where they stand.
func pageWords(text string, packed []byte) ([]api.PlacedWord, error) {
	words, err := document.Words(packed).Unpack()
	placed := make([]api.PlacedWord, 0, len(words))
	for _, w := range words {
		if w.Start >= 0 && w.Start < w.End && w.End <= len(text) {
			placed = append(placed, api.PlacedWord{Text: text[w.Start:w.End], Box: api.Box(w.Box)})
		}
	}
	return placed, err
}

// findQuote finds a quote in a page that was kept.
func findQuote(text string, packed []byte, quote string) (boxes []api.Box, share float64, err error) {
	words, err := document.Words(packed).Unpack()
	places, share := document.Find(text, words, quote)
	for _, b := range places {
		boxes = append(boxes, api.Box(b))
	}
	return boxes, share, err
}

// clerk is the activities' view of what is computed from a notice.
type clerk struct{ tables *law.Tables }

func (c clerk) Facts(pages []workflows.Page) (json.RawMessage, string, error) {
	facts := gst.Read(c.tables, gstPages(pages))
	raw, err := json.Marshal(facts)
	if err != nil {
		return nil, "", fmt.Errorf("encode the facts: %w", err)
	}
	return raw, titleOf(facts), nil
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
	extract := &cobra.Command{Use: "extract FILE.pdf", Short: "Print a PDF's text, pages separated by form feeds", RunE: onFile(
		func(cmd *cobra.Command, _ *app, pages []document.Page) error {
			if asJSON {
				for i := range pages {
					pages[i].Words = nil // packed, for the program alone
				}
				return printJSON(cmd.OutOrStdout(), pages)
			}
			texts := make([]string, len(pages))
			for i, p := range pages {
				texts[i] = p.Text
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(texts, "\f"))
			return err
		})}
	extract.Flags().BoolVar(&asJSON, "json", false, "print each page with how its text was got and how sure that is")
	facts := &cobra.Command{Use: "facts FILE.pdf", Short: "Print what the program itself reads from a notice, as JSON", RunE: onFile(
		func(cmd *cobra.Command, a *app, pages []document.Page) error {
			return printJSON(cmd.OutOrStdout(), gst.Read(a.law, gstPages(workPages(pages))))
		})}
	reckonFor := reckonCommand()
	analyse := &cobra.Command{Use: "analyse FILE.pdf", Short: "Write the analysis of a notice, as Markdown", RunE: onFile(
		func(cmd *cobra.Command, a *app, pages []document.Page) error {
			return a.analyse(cmd.Context(), workPages(pages), cmd.OutOrStdout(), cmd.ErrOrStderr())
		})}
	commands := []*cobra.Command{extract, facts, reckonFor, analyse, replyCommand()}
	for _, c := range commands {
		c.Args = cobra.ExactArgs(1)
	}
	return commands
}

// onFile reads the PDF that a command names, telling on standard error of pages that take their time.
func onFile(do func(*cobra.Command, *app, []document.Page) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		cfg, log, err := load(cmd)
		if err != nil {
			return err
		}
		a := &app{cfg: cfg, log: log}
		tables := make(chan *law.Tables, 1)
		go func() { tables <- openLaw(cfg.Law, log) }() // while the file is read
		pages, err := a.readFile(cmd, args[0])
		if err != nil {
			return err
		}
		a.law = <-tables
		return do(cmd, a, pages)
	}
}

// readFile reads a PDF for a command.
func (a *app) readFile(cmd *cobra.Command, file string) ([]document.Page, error) {
	reader, err := newReader(a.cfg, a.log)
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

func workPages(pages []document.Page) []workflows.Page {
	out := make([]workflows.Page, len(pages))
	for i, p := range pages {
		out[i] = workPage(p)
	}
	return out
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// analyse writes the analysis of one notice without any server: the same facts, prompts and model as a turn.
func (a *app) analyse(ctx context.Context, pages []workflows.Page, out, progress io.Writer) error {
	fmt.Fprintln(progress, "Analysing. "+a.whoAnswers())
	facts, _, err := clerk{a.law}.Facts(pages)
	if err != nil {
		return err
	}
	bundles, err := prompt.Load(os.DirFS(a.cfg.Prompts.Dir), registry())
	at := slices.IndexFunc(bundles, func(b *prompt.Bundle) bool { return b.Manifest().ID == "notice" })
	if at < 0 {
		return sentence("The notice plugin cannot be read from the prompts folder.", err)
	}
	alone, err := a.asking(bundles[at], progress)
	if err != nil {
		return err
	}
	today := time.Now().In(india)
	step := workflows.Step{Prompt: "analyse", PartPrompt: "part"}
	_, err = alone.Ask(ctx, step, workflows.Material{Notice: pages, Facts: reckoned(a.law, string(facts), today), Today: today}, func(text string) error {
		_, err := io.WriteString(out, text)
		return err
	})
	fmt.Fprintln(out)
	return err
}

// titleOf names a conversation after its notice: what it is, whose, and for when.
func titleOf(f gst.Facts) string {
	var parts []string
	if f.Form != nil {
		parts = append(parts, *f.Form)
	}
	switch {
	case f.TradeName != nil:
		parts = append(parts, *f.TradeName)
	case f.LegalName != nil:
		parts = append(parts, *f.LegalName)
	}
	if n := len(f.Periods); n > 0 {
		years := f.Periods[0].FY
		if n > 1 {
			years += " to " + f.Periods[n-1].FY
		}
		parts = append(parts, years)
	}
	return strings.Join(parts, " · ")
}
