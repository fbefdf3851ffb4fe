package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"munshi/config"
	"munshi/orchestrator/local"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
)

// promptShelf is the history of the prompts, for a command.
type promptShelf struct {
	ctx   context.Context
	store *store.Store
	dir   string
	out   io.Writer
}

// onPrompts opens the database for a command.
func onPrompts(do func(promptShelf, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		cfg, _, err := load(cmd)
		if err != nil {
			return err
		}
		s, err := openStore(cmd.Context(), cfg)
		if err != nil {
			return err
		}
		defer s.Close()
		return do(promptShelf{cmd.Context(), s, cfg.Prompts.Dir, cmd.OutOrStdout()}, args)
	}
}

// openStore opens the configured database, or that of a `munshi run` in the same checkout.
func openStore(ctx context.Context, cfg config.Config) (*store.Store, error) {
	url, own := cfg.Database.URL, cfg.Database.URL == ""
	notRunning := func(err error) error {
		return sentence("Munshi is not running here. Start it with `make run`, or set DATABASE_URL to the database of a server.", err)
	}
	if own {
		var err error
		if url, err = local.DatabaseURL(cfg.Local.StateDir, cfg.Local.PostgresPort); errors.Is(err, local.ErrNotStarted) {
			return nil, notRunning(err)
		} else if err != nil {
			return nil, err
		}
	}
	s, err := store.Open(ctx, url, 2)
	if own && store.Away(err) {
		return nil, notRunning(err)
	}
	return s, err
}

func (p promptShelf) status() error {
	status, err := p.store.PromptStatus(p.ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "PLUGIN\tSERVES\tSINCE\tFOLDER")
	for _, s := range status {
		serves, since := "nothing", ""
		if s.Serving != nil {
			serves, since = short(s.Serving.SHA), moment(s.Serving.Since)
		}
		folder := folderSentence(s)
		if _, err := os.Stat(filepath.Join(p.dir, s.Plugin)); errors.Is(err, os.ErrNotExist) {
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
		fmt.Fprintf(p.out, "\n%s has %s, since %s%s:\n", s.Plugin, count(len(problems), "mistake"), moment(s.Folder.At), by(s.Folder))
		for _, problem := range problems {
			fmt.Fprintln(p.out, "  "+problem.String())
		}
	}
	return nil
}

// held says why the gate holds a plugin's folder back.
func (p promptShelf) held(s store.PromptStatus) error {
	if s.Folder.Event != store.PromptHeld || s.Serving == nil || s.Serving.SHA == s.Folder.SHA {
		return nil
	}
	run, err := p.store.GateRun(p.ctx, s.Plugin, s.Folder.SHA)
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

// publish has what the gate holds back serve all the same.
func (p promptShelf) publish(plugin string, override bool, reason string) error {
	if !override || strings.TrimSpace(reason) == "" {
		return sentence("What the gate holds back serves only with --override and a --reason, which are logged.", nil)
	}
	status, err := p.store.PromptStatus(p.ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(status, func(s store.PromptStatus) bool { return s.Plugin == plugin })
	if at < 0 || status[at].Folder.Event != store.PromptHeld || status[at].Serving != nil && status[at].Serving.SHA == status[at].Folder.SHA {
		return sentence(fmt.Sprintf("The gate holds nothing of %s back. `munshi prompts status` shows how it stands.", plugin), nil)
	}
	sha := status[at].Folder.SHA
	if err := p.store.Publish(p.ctx, store.Publication{Plugin: plugin, SHA: sha, Author: p.me(), Reason: strings.TrimSpace(reason)}); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "%s serves %s, although its cases say otherwise.\n", plugin, short(sha))
	return nil
}

// folderSentence says how a plugin's folder stands to what serves.
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
		return short(s.Folder.SHA) + " is held back by the publishing gate"
	}
	return short(s.Folder.SHA) + " does not serve since a rollback; the next save will"
}

// moment is a time as a person reads it.
func moment(t time.Time) string { return t.Local().Format("2 Jan 2006 15:04:05") }

func by(e store.PromptEvent) string {
	said := ""
	if e.Author != "" {
		said += " by " + e.Author
	}
	if e.Commit != "" {
		said += " in commit " + short(e.Commit)
	}
	return said
}

func (p promptShelf) log(plugin string, most int) error {
	events, err := p.store.PromptHistory(p.ctx, plugin, most)
	if err != nil {
		return err
	}
	words := map[string]string{store.PromptServed: "saved", store.PromptHeld: "saved, held back", store.PromptBroken: "broken save",
		store.PromptRolledBack: "rolled back", store.PromptWithdrawn: "withdrawn", store.PromptPublished: "passed and serves", store.PromptOverridden: "serves by override"}
	table := tabwriter.NewWriter(p.out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "WHEN\tPLUGIN\tVERSION\tWHAT\tWHO\tCOMMIT\tREASON")
	for _, e := range events {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", moment(e.At), e.Plugin, short(e.SHA), words[e.Event], e.Author, short(e.Commit), e.Reason)
	}
	return table.Flush()
}

// version finds what a person names: a plugin, for what serves it, or the beginning of a sha.
func (p promptShelf) version(name string) (store.Bundle, error) {
	serving, err := p.store.Serving(p.ctx)
	if err != nil {
		return store.Bundle{}, err
	}
	if sha := serving[name]; sha != "" {
		return p.store.Bundle(p.ctx, sha)
	}
	b, err := p.store.BundleLike(p.ctx, strings.ToLower(name))
	switch {
	case errors.Is(err, store.ErrNotFound):
		return b, sentence(fmt.Sprintf("There is no plugin and no version %s. `munshi prompts log` lists them; a save with mistakes is no version.", name), err)
	case errors.Is(err, store.ErrAmbiguous):
		return b, sentence(fmt.Sprintf("Several versions begin with %s: write more of it.", name), err)
	}
	return b, err
}

func (p promptShelf) show(args []string) error {
	b, err := p.version(args[0])
	if err != nil {
		return err
	}
	if len(args) == 2 {
		for _, name := range []string{args[1], args[1] + ".md", b.Plugin + "/" + args[1], b.Plugin + "/" + args[1] + ".md", "_shared/" + args[1] + ".md"} {
			if data, ok := b.Files[name]; ok {
				_, err := p.out.Write(data)
				return err
			}
		}
		return sentence(fmt.Sprintf("The version %s of %s has no file %s.", short(b.SHA), b.Plugin, args[1]), nil)
	}
	fmt.Fprintf(p.out, "%s %s\n", b.Plugin, b.SHA)
	for _, name := range slices.Sorted(maps.Keys(b.Files)) {
		fmt.Fprintf(p.out, "\n=== %s ===\n%s", name, b.Files[name])
	}
	return nil
}

func (p promptShelf) diff(args []string) error {
	from, err := p.version(args[0])
	if err != nil {
		return err
	}
	var to store.Bundle
	switch {
	case len(args) == 2:
		if to, err = p.version(args[1]); err != nil {
			return err
		}
		if to.Plugin != from.Plugin {
			return sentence(fmt.Sprintf("The one is a version of %s, the other of %s.", from.Plugin, to.Plugin), nil)
		}
	case args[0] == from.Plugin:
		if to, err = p.folder(from.Plugin); err != nil {
			return err
		}
	default:
		if to, err = p.version(from.Plugin); err != nil {
			return err
		}
	}
	_, err = io.WriteString(p.out, unified(from, to))
	return err
}

// folder gives a plugin's folder as it lies there, with mistakes or without.
func (p promptShelf) folder(plugin string) (store.Bundle, error) {
	folders, err := prompt.ReadDir(p.dir)
	if err != nil {
		return store.Bundle{}, sentence(fmt.Sprintf("The folder %s cannot be read.", p.dir), err)
	}
	at := slices.IndexFunc(folders, func(f prompt.Folder) bool { return f.Plugin == plugin })
	if at < 0 {
		return store.Bundle{}, sentence(fmt.Sprintf("There is no folder %s.", filepath.Join(p.dir, plugin)), nil)
	}
	b := store.Bundle{SHA: folders[at].SHA, Plugin: plugin, Files: map[string][]byte{}}
	for _, name := range folders[at].Files() {
		if b.Files[name], err = os.ReadFile(filepath.Join(p.dir, name)); err != nil {
			return b, fmt.Errorf("read the prompts: %w", err)
		}
	}
	return b, nil
}

// unified gives what differs between two versions, file by file.
func unified(from, to store.Bundle) string {
	var b strings.Builder
	for _, c := range store.Changes(from, to) {
		b.WriteString(c.Diff)
	}
	return b.String()
}

func (p promptShelf) rollback(args []string) error {
	plugin := args[0]
	serving, err := p.store.Serving(p.ctx)
	if err != nil {
		return err
	}
	now := serving[plugin]
	if now == "" {
		return sentence(fmt.Sprintf("No plugin %s serves. `munshi prompts status` lists them.", plugin), nil)
	}
	var target store.Bundle
	if len(args) == 2 {
		if target, err = p.version(args[1]); err != nil {
			return err
		}
		if target.Plugin != plugin {
			return sentence(fmt.Sprintf("%s is a version of %s, not of %s.", short(target.SHA), target.Plugin, plugin), nil)
		}
	} else if target, err = p.previous(plugin, now); err != nil {
		return err
	}
	if target.SHA == now {
		return sentence(fmt.Sprintf("The version %s of %s serves already.", short(now), plugin), nil)
	}
	if _, err := prompt.Open(target.Files, registry()); err != nil {
		return sentence(fmt.Sprintf("The version %s does not fit this release of Munshi any more:\n%v", short(target.SHA), err), err)
	}
	if err := p.store.Rollback(p.ctx, plugin, target.SHA, p.me()); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "%s serves %s again; before, it was %s.\n", plugin, short(target.SHA), short(now))
	written, why, err := p.writeBack(target)
	switch {
	case err != nil:
		return err
	case why != "":
		fmt.Fprintf(p.out, "The files were left as they are: %s The next save in the folder is published again.\n", why)
	case len(written) > 0:
		fmt.Fprintf(p.out, "The files are those of that version again (%s); in a git checkout, commit them.\n", strings.Join(written, ", "))
	}
	return nil
}

// previous gives the version that served before the present one.
func (p promptShelf) previous(plugin, now string) (store.Bundle, error) {
	const enough = 1000
	events, err := p.store.PromptHistory(p.ctx, plugin, enough)
	if err != nil {
		return store.Bundle{}, err
	}
	for _, e := range events {
		if slices.Contains([]string{store.PromptServed, store.PromptRolledBack, store.PromptPublished, store.PromptOverridden}, e.Event) && e.SHA != now {
			return p.store.Bundle(p.ctx, e.SHA)
		}
	}
	return store.Bundle{}, sentence(fmt.Sprintf("No other version of %s has served.", plugin), nil)
}

// me is who works here, as far as it can be told.
func (p promptShelf) me() string {
	if name := gitUser(p.ctx, p.dir); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// writeBack makes the folder what the version was, and tells which files it wrote and removed, or why it did not.
func (p promptShelf) writeBack(target store.Bundle) (written []string, why string, err error) {
	folders, err := prompt.ReadDir(p.dir)
	if err != nil {
		return nil, "the prompts folder cannot be read from here.", nil
	}
	now := map[string]bool{} // the plugin's files that lie there
	var others []string
	changed := map[string][]byte{}
	for name, data := range target.Files {
		if there, err := os.ReadFile(filepath.Join(p.dir, name)); err != nil || string(there) != string(data) {
			changed[name] = data
		}
	}
	for _, f := range folders {
		for _, name := range f.Files() {
			if f.Plugin == target.Plugin {
				now[name] = true
			} else if changed[name] != nil {
				others = append(others, fmt.Sprintf("%s, which %s uses too", name, f.Plugin))
			}
		}
	}
	if others != nil {
		return nil, fmt.Sprintf("that version has another text in %s.", strings.Join(others, ", and in ")), nil
	}
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if err := p.replace(name, changed[name]); err != nil {
			if written != nil {
				return nil, "", fmt.Errorf("write %s: %w", name, err)
			}
			return nil, fmt.Sprintf("%s cannot be written.", besideUs(filepath.Join(p.dir, name))), nil
		}
		written = append(written, name)
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, kept := target.Files[name]; !kept && strings.HasPrefix(name, target.Plugin+"/") {
			if err := os.Remove(filepath.Join(p.dir, name)); err != nil {
				return nil, "", fmt.Errorf("remove a file that the version did not have: %w", err)
			}
			written = append(written, name+" removed")
		}
	}
	return written, "", nil
}

// replace writes a file of the prompts folder whole or not at all. A link is followed within the folder only.
func (p promptShelf) replace(name string, data []byte) error {
	dir, err := filepath.EvalSymlinks(p.dir)
	if err != nil {
		return err
	}
	folder, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.Dir(name)))
	if err != nil {
		return err
	}
	file := filepath.Join(folder, filepath.Base(name))
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	if inside, err := filepath.Rel(dir, file); err != nil || !filepath.IsLocal(inside) {
		return fmt.Errorf("%s leads out of the prompts folder", name)
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".munshi-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

func (p promptShelf) withdraw(args []string) error {
	if _, err := os.Stat(filepath.Join(p.dir, args[0])); err == nil {
		return sentence(fmt.Sprintf("The folder %s is there. Remove it first: a plugin is taken out when its folder is gone.", besideUs(filepath.Join(p.dir, args[0]))), nil)
	}
	err := p.store.Withdraw(p.ctx, args[0], p.me())
	if errors.Is(err, store.ErrNotFound) {
		return sentence(fmt.Sprintf("No plugin %s serves. `munshi prompts status` lists them.", args[0]), err)
	}
	if err == nil {
		fmt.Fprintf(p.out, "%s is withdrawn. It comes back when its folder does.\n", args[0])
	}
	return err
}
