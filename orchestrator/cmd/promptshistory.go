package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"munshi/orchestrator/plugins"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
)

// promptHistory gives a command access to the history of the prompts.
type promptHistory struct {
	plugins.History
	ctx context.Context
	out io.Writer
}

// onPrompts opens the database for a command.
func onPrompts(do func(promptHistory, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a, s, err := loadWithStore(cmd)
		if err != nil {
			return err
		}
		defer s.Close()
		return do(
			promptHistory{plugins.History{Store: s, Dir: a.Config.Prompts.Dir}, cmd.Context(), cmd.OutOrStdout()},
			args,
		)
	}
}

func (p promptHistory) status() error {
	status, err := p.Store.PromptStatus(p.ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "PLUGIN\tSERVES\tSINCE\tFOLDER")
	for _, s := range status {
		serves, since := "nothing", ""
		if s.Serving != nil {
			serves, since = plugins.Short(s.Serving.SHA), moment(s.Serving.Since)
		}
		folder := folderSentence(s)
		if _, err := os.Stat(filepath.Join(p.Dir, s.Plugin)); errors.Is(err, os.ErrNotExist) {
			folder = "not here"
			if s.Serving != nil {
				folder += "; what serves goes on until `munshi prompts withdraw " + s.Plugin + "`"
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", s.Plugin, serves, since, folder)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, s := range status {
		if err := p.held(s); err != nil {
			return err
		}
		var problems prompt.Problems
		if err := json.Unmarshal(s.Folder.Problems, &problems); err != nil || len(problems) == 0 {
			continue
		}
		fmt.Fprintf(
			p.out,
			"\n%s has %s, since %s%s:\n",
			s.Plugin,
			count(len(problems), "mistake"),
			moment(s.Folder.At),
			by(s.Folder),
		)
		for _, problem := range problems {
			fmt.Fprintln(p.out, "  "+problem.String())
		}
	}
	return nil
}

// held prints why the gate holds back the prompts in a plugin's folder.
func (p promptHistory) held(s store.PromptStatus) error {
	if s.Folder.Event != store.PromptHeld || s.Serving == nil || s.Serving.SHA == s.Folder.SHA {
		return nil
	}
	run, err := p.Store.GateRun(p.ctx, s.Plugin, s.Folder.SHA)
	switch {
	case errors.Is(err, store.ErrNotFound):
		fmt.Fprintf(p.out, "\n%s waits for a worker to try its cases.\n", s.Plugin)
		return nil
	case err != nil:
		return err
	case len(run.Held) == 0:
		fmt.Fprintf(p.out, "\n%s is being tried: evaluation %s is %s.\n", s.Plugin, run.ID, run.State)
		return nil
	}
	fmt.Fprintf(p.out, "\n%s is held back by evaluation %s:\n", s.Plugin, run.ID)
	for _, reason := range run.Held {
		fmt.Fprintln(p.out, "  "+reason)
	}
	fmt.Fprintf(p.out, "Mend it, or `munshi prompts publish %s --override --reason \"…\"`.\n", s.Plugin)
	return nil
}

// publish puts prompts to use although the gate holds them back.
func (p promptHistory) publish(plugin string, override bool, reason string) error {
	if reason = strings.TrimSpace(reason); !override || reason == "" {
		return problem.New("override_needs_reason", nil, nil)
	}
	sha, err := p.Override(p.ctx, plugin, reason)
	if err == nil {
		fmt.Fprintf(p.out, "%s serves %s, although its cases say otherwise.\n", plugin, plugins.Short(sha))
	}
	return err
}

// folderSentence says how the content of a plugin's folder relates to what is in use.
func folderSentence(s store.PromptStatus) string {
	switch {
	case s.Folder.Event == store.PromptBroken && s.Serving == nil:
		return "has mistakes; nothing serves until they are mended"
	case s.Folder.Event == store.PromptBroken:
		return "has mistakes; the last good version serves"
	case s.Serving == nil:
		return "has not served yet"
	case s.Folder.SHA == s.Serving.SHA:
		return "the same"
	case s.Folder.Event == store.PromptHeld:
		return plugins.Short(s.Folder.SHA) + " is held back by the publishing gate"
	}
	return plugins.Short(s.Folder.SHA) + " does not serve since a rollback; the next save will"
}

func by(e store.PromptEvent) string {
	said := ""
	if e.Author != "" {
		said += " by " + e.Author
	}
	if e.Commit != "" {
		said += " in commit " + plugins.Short(e.Commit)
	}
	return said
}

func (p promptHistory) log(plugin string, most int) error {
	events, err := p.Store.PromptHistory(p.ctx, plugin, most)
	if err != nil {
		return err
	}
	words := map[string]string{
		store.PromptServed:     "saved",
		store.PromptHeld:       "saved, held back",
		store.PromptBroken:     "broken save",
		store.PromptRolledBack: "rolled back",
		store.PromptWithdrawn:  "withdrawn",
		store.PromptPublished:  "passed and serves",
		store.PromptOverridden: "serves by override",
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "WHEN\tPLUGIN\tVERSION\tWHAT\tWHO\tCOMMIT\tREASON")
	for _, e := range events {
		fmt.Fprintf(
			table,
			"%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			moment(e.At),
			e.Plugin,
			plugins.Short(e.SHA),
			words[e.Event],
			e.Author,
			plugins.Short(e.Commit),
			e.Reason,
		)
	}
	return table.Flush()
}

func (p promptHistory) show(args []string) error {
	b, err := p.Version(p.ctx, args[0])
	if err != nil {
		return err
	}
	if len(args) == 2 {
		for _, name := range []string{args[1], args[1] + ".md", b.Plugin + "/" + args[1],
			b.Plugin + "/" + args[1] + ".md", "_shared/" + args[1] + ".md"} {
			if data, ok := b.Files[name]; ok {
				_, err := p.out.Write(data)
				return err
			}
		}
		return problem.New(
			"no_such_file_in_version",
			problem.Params{"version": plugins.Short(b.SHA), "plugin": b.Plugin, "file": args[1]},
			nil,
		)
	}
	fmt.Fprintf(p.out, "%s %s\n", b.Plugin, b.SHA)
	for _, name := range slices.Sorted(maps.Keys(b.Files)) {
		fmt.Fprintf(p.out, "\n=== %s ===\n%s", name, b.Files[name])
	}
	return nil
}

func (p promptHistory) diff(args []string) error {
	from, err := p.Version(p.ctx, args[0])
	if err != nil {
		return err
	}
	var to store.Bundle
	switch {
	case len(args) == 2:
		if to, err = p.Version(p.ctx, args[1]); err != nil {
			return err
		}
		if to.Plugin != from.Plugin {
			return problem.New(
				"versions_of_two_plugins",
				problem.Params{"first": from.Plugin, "second": to.Plugin},
				nil,
			)
		}
	case args[0] == from.Plugin:
		if to, err = p.InFolder(from.Plugin); err != nil {
			return err
		}
	default:
		if to, err = p.Version(p.ctx, from.Plugin); err != nil {
			return err
		}
	}
	_, err = io.WriteString(p.out, unified(from, to))
	return err
}

func (p promptHistory) rollback(args []string) error {
	plugin := args[0]
	done, err := p.Rollback(p.ctx, plugin, append(args, "")[1])
	if done.Now.SHA != "" {
		fmt.Fprintf(
			p.out,
			"%s serves %s again; before, it was %s.\n",
			plugin,
			plugins.Short(done.Now.SHA),
			plugins.Short(done.Before.SHA),
		)
	}
	switch {
	case err != nil:
		return err
	case done.Why != "":
		fmt.Fprintf(
			p.out,
			"The files were left as they are: %s The next save in the folder is published again.\n",
			done.Why,
		)
	case len(done.Written) > 0:
		fmt.Fprintf(
			p.out,
			"The files are those of that version again (%s); in a git checkout, commit them.\n",
			strings.Join(done.Written, ", "),
		)
	}
	return nil
}

func (p promptHistory) withdraw(args []string) error {
	err := p.Withdraw(p.ctx, args[0])
	if err == nil {
		fmt.Fprintf(p.out, "%s is withdrawn. It comes back when its folder does.\n", args[0])
	}
	return err
}

// unified returns the differences between two versions as unified diffs.
func unified(from, to store.Bundle) string {
	var b strings.Builder
	for _, c := range store.Changes(from, to) {
		b.WriteString(c.Diff)
	}
	return b.String()
}
