package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"munshi/config"
	"munshi/orchestrator/gst/law"
)

// openLaw gives the tables of law with the operator's folder laid over them. A folder with a mistake leaves the built-in
// tables in force, and the log says so.
func openLaw(cfg config.Law, log *slog.Logger) *law.Tables {
	if cfg.Overlay == "" {
		return law.Built()
	}
	tables, err := law.Load(os.DirFS(cfg.Overlay))
	var problems law.Problems
	switch {
	case errors.As(err, &problems):
		for _, p := range problems {
			log.Warn("a table of law is wrong; the built-in tables are in force. `munshi law` checks the folder", "folder", cfg.Overlay, "problem", p.String())
		}
	case err != nil:
		log.Warn("the folder of law tables cannot be read; the built-in tables are in force", "folder", cfg.Overlay, "error", err)
	}
	return tables
}

// lawCommand is for those who keep the tables of law up to date.
func lawCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "law [DIR]", Args: cobra.MaximumNArgs(1), Short: "Check the tables of law that are laid over the built-in ones, and say what they change; needs no server",
		RunE: func(cmd *cobra.Command, args []string) error { return checkLaw(cmd, args, asJSON) }}
	c.Flags().BoolVar(&asJSON, "json", false, "print what is in force, whole, as JSON")
	return c
}

func checkLaw(cmd *cobra.Command, args []string, asJSON bool) error {
	cfg, _, err := load(cmd)
	if err != nil {
		return err
	}
	dir := append(args, cfg.Law.Overlay)[0]
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
			return sentence(fmt.Sprintf("%s in %s: the built-in tables of %s stay in force.", count(len(problems), "mistake"), besideUs(dir), built), err)
		case errors.Is(err, fs.ErrNotExist):
			return sentence(fmt.Sprintf("There is no folder %s: the built-in tables of %s are in force. Make it, or leave law.overlay empty.", dir, built), err)
		case err != nil:
			return sentence(fmt.Sprintf("The folder %s cannot be read: the built-in tables of %s are in force.", dir, built), err)
		}
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), tables)
	}
	return describeLaw(cmd.OutOrStdout(), tables, dir)
}

// describeLaw says which tables are in force, and what a folder changed in them.
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
