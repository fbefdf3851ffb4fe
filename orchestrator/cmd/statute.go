package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"munshi/config"
	"munshi/orchestrator/app"
	"munshi/orchestrator/document"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
)

// statuteCommands returns the commands that show the law and import its text; they need no server.
func statuteCommands() []*cobra.Command {
	var asJSON bool
	var act, on string
	show := &cobra.Command{Use: "show NUMBER", Args: cobra.ExactArgs(1),
		Short: `Show a provision, such as "16(4)", as it stood on a day`,
		RunE: withLaw(func(cmd *cobra.Command, args []string, _ *app.App, law *statute.Law) error {
			printer, err := printerFor(cmd)
			if err != nil {
				return err
			}
			return showLaw(printer, law, cmp.Or(act, "cgst"), args[0], on, asJSON)
		})}
	var limit int
	search := &cobra.Command{Use: "search WORDS…", Args: cobra.MinimumNArgs(1),
		Short: "Find the provisions that a question is about, in English, Hindi or Hinglish",
		RunE: withLaw(func(cmd *cobra.Command, args []string, _ *app.App, law *statute.Law) error {
			if err := checkDay(on); err != nil {
				return err
			}
			hits, err := law.Search(statute.Query{Words: strings.Join(args, " "), On: on, Act: act, Limit: limit})
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), hits)
			}
			printer, err := printerFor(cmd)
			if err != nil {
				return err
			}
			printHits(printer, hits)
			return nil
		})}
	for _, c := range []*cobra.Command{show, search} {
		c.Flags().StringVar(&on, "on", "", "the day, as 2021-09-30 (default: today)")
		c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	}
	show.Flags().StringVar(&act, "act", "cgst", "cgst, igst, utgst, cess, cgst_rules or igst_rules")
	search.Flags().StringVar(&act, "act", "", "only in this Act or these Rules")
	search.Flags().IntVar(&limit, "limit", 10, "at most this many results")
	var of, asOn string
	imports := &cobra.Command{Use: "import FILE|FOLDER…", Args: cobra.MinimumNArgs(1),
		Short: "Import the text of Acts, Rules and notifications: CBIC's PDFs, their text, or provision JSONL",
		RunE: withLaw(func(cmd *cobra.Command, args []string, a *app.App, _ *statute.Law) error {
			if err := checkDay(asOn); err != nil {
				return err
			}
			return importLaw(cmd, a, args, of, asOn)
		})}
	imports.Flags().StringVar(&of, "act", "", "which Act or Rules the files contain, where they do not say")
	imports.Flags().StringVar(&asOn, "as-on", "", "the day up to which they are amended, where they do not say")
	var list string
	fetch := &cobra.Command{Use: "fetch", Args: cobra.NoArgs, Short: "Download the official files that " +
		"config/law/sources.yaml names, and import them",
		RunE: withLaw(func(cmd *cobra.Command, _ []string, a *app.App, _ *statute.Law) error {
			return fetchLaw(cmd, a, list)
		})}
	fetch.Flags().StringVar(&list, "sources", "", "a different list of files")
	check := &cobra.Command{Use: "check [FOLDER]", Args: cobra.MaximumNArgs(1),
		Short: "Compare the digest of the law (or one in FOLDER) with the imported text: words in common, numbers and dates", RunE: withLaw(func(cmd *cobra.Command, args []string, _ *app.App, law *statute.Law) error {
			return checkDigest(cmd, law, args)
		})}
	return []*cobra.Command{show, search, imports, fetch, check}
}

func withLaw(run func(*cobra.Command, []string, *app.App, *statute.Law) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a, err := load(cmd)
		if err != nil {
			return err
		}
		return run(cmd, args, a, a.Statute())
	}
}

func checkDay(day string) error {
	if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
		return problem.New("law_no_day", problem.Params{"day": day}, err)
	}
	return nil
}

// showLaw prints a provision as it was on a day: our digest and, if it was imported, the official text.
func showLaw(p printer, law *statute.Law, act, number, on string, asJSON bool) error {
	if err := checkDay(on); err != nil {
		return err
	}
	number = strings.Join(strings.Fields(number), "")
	page, err := law.Look(act, number, on)
	if errors.Is(err, statute.ErrUnknown) {
		return problem.New("law_unknown_provision", problem.Params{"number": number}, err)
	}
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(p.out, page)
	}
	unit := func(number string) message.Message {
		of := message.Params{"unit": message.Citation(page.Act.Unit + " " + number),
			"act": message.Citation(page.Act.Name)}
		return message.New("checks.unit_of_"+page.Act.Unit, of)
	}
	p.line(0, "law.heading", message.Params{"what": unit(page.Number), "heading": page.Heading})
	p.line(0, "law.on", message.Params{"day": message.Date(page.On)})
	if e := page.Entry; e != nil {
		code := "law.summary"
		if e.Number != page.Number {
			code = "law.summary_whole"
		}
		fmt.Fprintln(p.out)
		p.line(0, code, message.Params{"what": unit(e.Number), "held": held(e.From, e.Until)})
		if p.language == "hi" {
			fmt.Fprintln(p.out, e.Hindi)
		} else {
			fmt.Fprintln(p.out, e.English)
		}
		if e.Note != "" {
			p.line(0, "law.note", message.Params{"note": e.Note})
		}
		p.line(0, "law.source", message.Params{"source": e.Source, "certainty": e.Certainty})
	} else if len(page.Entries) > 0 {
		p.line(0, "law.no_summary", message.Params{"held": held(page.Entries[0].From,
			page.Entries[len(page.Entries)-1].Until)})
	}
	fmt.Fprintln(p.out)
	if t := page.Text; t != nil {
		code, of := "law.text", message.Params{"held": held(t.From, t.Until)}
		if u := page.Upstream; u != nil {
			code, of["name"], of["publisher"], of["day"] = "law.text_of", u.Name, u.Publisher, message.Date(u.AsOn)
			if u.AsOn == "" {
				code = "law.text_undated"
			}
		}
		p.line(0, code, of)
		fmt.Fprintln(p.out, t.Words)
		if t.Between[0] != "" {
			p.line(0, "law.between", message.Params{"from": message.Date(t.Between[0]),
				"until": message.Date(t.Between[1])})
		}
	}
	if !page.Missing.IsZero() {
		fmt.Fprintln(p.out, page.Missing.In(p.language))
	}
	for _, l := range page.Later {
		code := "law.later"
		if l.From == "" {
			code = "law.later_several"
		}
		p.line(0, code, message.Params{"by": message.Citation(l.By), "day": message.Date(l.From)})
	}
	return nil
}

// held says in which period a text was law, given ISO dates; "" is an open end.
func held(from, until string) message.Message {
	of := message.Params{"from": message.Date(from), "until": message.Date(until)}
	switch {
	case from == "" && until == "":
		return message.New("command.law.held.always", nil)
	case until == "":
		return message.New("command.law.held.since", of)
	case from == "":
		return message.New("command.law.held.until", of)
	}
	return message.New("command.law.held.between", of)
}

// printHits prints the results of a search.
func printHits(p printer, hits []statute.Hit) {
	if len(hits) == 0 {
		p.line(0, "law.nothing", nil)
	}
	for _, h := range hits {
		summary := h.Digest
		if p.language == "hi" && h.Entry != nil {
			summary = h.Entry.Hindi
		}
		fmt.Fprintf(p.out, "%s %s  %s (%s)\n    %s\n", h.Act, h.Number, h.Heading,
			held(h.ValidFrom, h.ValidUntil).In(p.language), summary)
	}
}

func importLaw(cmd *cobra.Command, a *app.App, paths []string, act, asOn string) error {
	reader, err := app.NewReader(a.Config.Reading, a.Log)
	if err != nil {
		return err
	}
	in := statute.Import{Folder: app.LawLibrary(a.Config), Paths: paths, Act: act, AsOn: asOn,
		Today: a.Statute().Today(), ReadPDF: func(ctx context.Context, path string) ([]string, error) {
			return pageTexts(ctx, reader, path)
		}}
	start := time.Now()
	report, err := in.Run(cmd.Context())
	var refused *problem.Error
	switch {
	case errors.As(err, &refused):
		return problem.New("law_not_imported", problem.Params{"why": refused.Sentence()}, err)
	case err != nil:
		return problem.New("law_not_imported", problem.Params{"why": err.Error() + "."}, err)
	}
	return describeImport(cmd.OutOrStdout(), report, in.Folder, time.Since(start))
}

// pageTexts reads a PDF in the way uploads are read: in child processes with limits.
func pageTexts(ctx context.Context, reader *document.Reader, path string) ([]string, error) {
	var texts []string
	_, err := reader.Read(ctx, path, nil, func(p document.Page) error {
		for len(texts) < p.Number {
			texts = append(texts, "")
		}
		texts[p.Number-1] = p.Text
		return nil
	})
	return texts, err
}

func describeImport(out io.Writer, r *statute.Report, folder string, took time.Duration) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Imported %s in %.1f s into %s:\n", count(len(r.Read), "file"), took.Seconds(), besideUs(folder))
	for _, a := range r.Acts {
		fmt.Fprintf(&b, "  %s: %s in %s, amended to %s\n", a.Act, count(len(a.Provisions), a.Unit),
			count(a.Versions, "version"), cmp.Or(a.AsOn, "a day that no source says"))
	}
	part := func(what string, lines []string, shown int) {
		if len(lines) == 0 {
			return
		}
		fmt.Fprintf(&b, "%s: %d\n", what, len(lines))
		for _, line := range lines[:min(shown, len(lines))] {
			fmt.Fprintf(&b, "  %s\n", line)
		}
		if len(lines) > shown {
			fmt.Fprintf(&b, "  … `munshi law import` keeps the whole list in the library\n")
		}
	}
	var later []string
	for _, l := range r.Later {
		later = append(later, fmt.Sprintf("%s (%s): %s %s", l.By, cmp.Or(l.From, l.Date), l.Act,
			cmp.Or(strings.Join(l.Numbers, ", "), l.About)))
	}
	part("Later amendments known, not merged", later, 20)
	part("References to what is not held", r.Unsettled, 20)
	part("Days whose text is not held", r.Gaps, 20)
	part("Could not be read", r.Defects, 20)
	part("Sources that differ from the text held for their day", r.Differ, 8)
	for _, f := range r.Refused {
		fmt.Fprintf(&b, "Not imported: %s (%v)\n", besideUs(f.File), f.Why)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func fetchLaw(cmd *cobra.Command, a *app.App, file string) error {
	data := config.LawSources
	if file != "" {
		var err error
		if data, err = os.ReadFile(file); err != nil {
			return problem.New("law_not_imported", problem.Params{"why": err.Error() + "."}, err)
		}
	}
	list, err := statute.ReadOfficials(data)
	if err != nil {
		return err
	}
	client := &http.Client{Timeout: 5 * time.Minute}
	paths, failed := statute.FetchAll(cmd.Context(), client, list, filepath.Join(app.LawLibrary(a.Config), "downloads"))
	if failed != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "%v\nDownload such files by hand and run `munshi law import FILE`.\n", failed)
	}
	if len(paths) == 0 {
		return problem.New("law_not_downloaded", nil, failed)
	}
	return importLaw(cmd, a, paths, "", "")
}

func checkDigest(cmd *cobra.Command, law *statute.Law, args []string) error {
	out := cmd.OutOrStdout()
	entries, err := law.Entries()
	var problems statute.Problems
	if len(args) > 0 {
		entries, err = statute.ReadDigest(os.DirFS(args[0]))
	}
	if err != nil && !errors.As(err, &problems) {
		return err
	}
	var passages []statute.Passage
	library, err := law.Library()
	switch {
	case errors.Is(err, statute.ErrNoLibrary):
		fmt.Fprintln(out, "No text is imported (`munshi law import`): only the form of the digest was checked.")
	case err != nil:
		return err
	default:
		if passages, err = library.Passages(); err != nil {
			return err
		}
	}
	f := statute.Compare(entries, passages)
	for _, part := range []struct {
		what string
		list statute.Problems
	}{{"wrong", problems}, {"copied", f.Copied}, {"number", f.Foreign}, {"doubt", f.Doubts}} {
		for _, p := range part.list {
			fmt.Fprintf(out, "%-7s %s\n", part.what, p)
		}
	}
	fmt.Fprintf(out, "%s: %d mistakes of form, %d runs of twelve words in common with the official text, %d numbers "+
		"or dates that it does not have, %d doubts.\n",
		fmt.Sprintf("%d entries", len(entries)), len(problems), len(f.Copied), len(f.Foreign), len(f.Doubts))
	if len(problems) > 0 || f.Failed() {
		return problem.New("law_digest_has_mistakes", nil, nil)
	}
	return nil
}
