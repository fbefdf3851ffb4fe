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
	"munshi/workflows"
)

// promptsCommand is for those who change prompts: what is wrong with them, which serve, and who changed what.
func promptsCommand() *cobra.Command {
	root := &cobra.Command{Use: "prompts", Short: "Check, compare, try and roll back the prompts"}

	var format string
	lint := &cobra.Command{Use: "lint [DIR]", Args: cobra.MaximumNArgs(1), Short: "Say what is wrong with the prompts; needs no server",
		RunE: func(cmd *cobra.Command, args []string) error { return lintPrompts(cmd, args, format) }}
	lint.Flags().StringVar(&format, "format", "text", "text, github (annotations of a pull request) or json")

	schema := &cobra.Command{Use: "schema [plugin|prompt]", Args: cobra.MaximumNArgs(1), ValidArgs: []string{"plugin", "prompt"},
		Short: "Print the JSON Schema of plugin.yaml, or of a prompt's front matter", RunE: func(cmd *cobra.Command, args []string) error {
			switch what := append(args, "plugin")[0]; what {
			case "plugin":
				return printJSON(cmd.OutOrStdout(), prompt.ManifestSchema(registry()))
			case "prompt":
				return printJSON(cmd.OutOrStdout(), prompt.FrontMatterSchema(registry()))
			default:
				return sentence(fmt.Sprintf("There is a schema of plugin and one of prompt, none of %q.", what), nil)
			}
		}}

	var most int
	log := &cobra.Command{Use: "log [PLUGIN]", Args: cobra.MaximumNArgs(1), Short: "Show who changed which prompts when",
		RunE: onPrompts(func(p promptShelf, args []string) error { return p.log(append(args, "")[0], most) })}
	log.Flags().IntVar(&most, "most", 20, "how many changes to show")

	render := &cobra.Command{Use: "render PLUGIN/PROMPT", Args: cobra.ExactArgs(1), Short: "Print the exact messages of a prompt in the folder, with its sample values",
		RunE: renderPrompt}
	render.Flags().Bool("sample", true, "use the sample values that the prompt's file declares")
	render.Flags().Bool("json", false, "print the messages as JSON")

	try := &cobra.Command{Use: "try PLUGIN/PROMPT --file FILE.pdf", Args: cobra.ExactArgs(1),
		Short: "Ask the model with a prompt in the folder and a file, beside the version that serves", RunE: tryPrompt}
	try.Flags().String("file", "", "the PDF to ask about")
	try.Flags().String("message", "", "the person's question, for prompts that answer one")

	root.AddCommand(lint, schema, log, render, try,
		&cobra.Command{Use: "status", Args: cobra.NoArgs, Short: "Show which prompts serve, and what is wrong with the folders",
			RunE: onPrompts(func(p promptShelf, _ []string) error { return p.status() })},
		&cobra.Command{Use: "show VERSION [FILE]", Args: cobra.RangeArgs(1, 2), Short: "Print the files of a version, or one of them; a plugin's name means what serves",
			RunE: onPrompts(promptShelf.show)},
		&cobra.Command{Use: "diff VERSION [VERSION]", Args: cobra.RangeArgs(1, 2), Short: "Compare a version with what serves, what serves (a plugin's name) with its folder, or two versions",
			RunE: onPrompts(promptShelf.diff)},
		&cobra.Command{Use: "rollback PLUGIN [VERSION]", Args: cobra.RangeArgs(1, 2), Short: "Have an earlier version serve; without one, that which served before",
			RunE: onPrompts(promptShelf.rollback)},
		&cobra.Command{Use: "withdraw PLUGIN", Args: cobra.ExactArgs(1), Short: "Take out a plugin whose folder is gone",
			RunE: onPrompts(promptShelf.withdraw)},
	)
	return root
}

// lintPrompts checks a prompts folder, or one plugin's folder in it.
func lintPrompts(cmd *cobra.Command, args []string, format string) error {
	cfg, log, err := load(cmd)
	if err != nil {
		return err
	}
	dir, only := cfg.Prompts.Dir, ""
	if len(args) > 0 {
		dir = filepath.Clean(args[0])
		if _, err := os.Stat(filepath.Join(dir, "plugin.yaml")); err == nil {
			whole, err := filepath.Abs(dir)
			if err != nil {
				return err
			}
			dir, only = filepath.Dir(whole), filepath.Base(whole)
		}
	}
	folders, err := prompt.Read(os.DirFS(dir))
	if err != nil {
		return sentence(fmt.Sprintf("The folder %s cannot be read.", dir), err)
	}
	problems, checked := prompt.Problems{}, 0
	for _, f := range folders {
		if only != "" && f.Plugin != only {
			continue
		}
		checked++
		_, err := f.Check((&app{cfg: cfg, log: log}).registry())
		var found prompt.Problems
		if !errors.As(err, &found) && err != nil {
			return err
		}
		for _, p := range found {
			if p.File = besideUs(filepath.Join(dir, p.File)); !slices.Contains(problems, p) { // several use the same shared text
				problems = append(problems, p)
			}
		}
	}
	if checked == 0 {
		return sentence(fmt.Sprintf("There is no plugin folder in %s.", dir), nil)
	}
	if err := printProblems(cmd.OutOrStdout(), problems, format); err != nil {
		return err
	}
	if len(problems) > 0 {
		return sentence(fmt.Sprintf("%s in the prompts.", count(len(problems), "mistake")), nil)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s in %s: no mistake.\n", count(checked, "plugin"), besideUs(dir))
	return nil
}

func printProblems(out io.Writer, problems prompt.Problems, format string) error {
	switch format {
	case "json":
		return printJSON(out, problems)
	case "text", "github":
	default:
		return sentence(fmt.Sprintf("There is no format %q: use text, github or json.", format), nil)
	}
	for _, p := range problems {
		line := p.String()
		if format == "github" {
			// As GitHub's workflow commands want it.
			text := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
			file := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
			line = fmt.Sprintf("::error file=%s,line=%d,col=%d::%s", file.Replace(filepath.ToSlash(p.File)), p.Line, p.Column, text.Replace(p.Message))
		}
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

// besideUs gives a path as it is typed from the current folder, where that is shorter.
func besideUs(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if near, err := filepath.Rel(here, path); err == nil && !strings.HasPrefix(near, "..") {
		return near
	}
	return path
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

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
			folder = "not here; what serves goes on until `munshi prompts withdraw " + s.Plugin + "`"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", s.Plugin, serves, since, folder)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, s := range status {
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
		return short(s.Folder.SHA) + " is held back until it was tried"
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
		store.PromptRolledBack: "rolled back", store.PromptWithdrawn: "withdrawn"}
	table := tabwriter.NewWriter(p.out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "WHEN\tPLUGIN\tVERSION\tWHAT\tWHO\tCOMMIT")
	for _, e := range events {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", moment(e.At), e.Plugin, short(e.SHA), words[e.Event], e.Author, short(e.Commit))
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
	folders, err := prompt.Read(os.DirFS(p.dir))
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
		if (e.Event == store.PromptServed || e.Event == store.PromptRolledBack) && e.SHA != now {
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
	folders, err := prompt.Read(os.DirFS(p.dir))
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
		if err := replace(filepath.Join(p.dir, name), changed[name]); err != nil {
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

// replace writes a file whole or not at all.
func replace(file string, data []byte) error {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
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

// folderPrompt gives the prompt that a command names, from the configured folder.
func folderPrompt(cmd *cobra.Command, name string) (*app, *prompt.Bundle, string, error) {
	cfg, log, err := load(cmd)
	if err != nil {
		return nil, nil, "", err
	}
	a := &app{cfg: cfg, log: log}
	plugin, file, _ := strings.Cut(name, "/")
	file = strings.TrimSuffix(file, ".md")
	folders, err := prompt.Read(os.DirFS(cfg.Prompts.Dir))
	if err != nil {
		return nil, nil, "", sentence(fmt.Sprintf("The folder %s cannot be read.", cfg.Prompts.Dir), err)
	}
	for _, f := range folders {
		if f.Plugin != plugin {
			continue
		}
		b, err := f.Check(a.registry())
		if err != nil {
			return nil, nil, "", sentence("This plugin has mistakes:\n"+err.Error(), err)
		}
		if b.Prompt(file) == nil {
			return nil, nil, "", sentence(fmt.Sprintf("There is no prompt %q in %s; there are %s.", file, plugin, strings.Join(b.Prompts(), ", ")), nil)
		}
		return a, b, file, nil
	}
	return nil, nil, "", sentence(fmt.Sprintf("There is no plugin %q. Write a plugin and a prompt, as in notice/analyse.", plugin), nil)
}

func renderPrompt(cmd *cobra.Command, args []string) error {
	_, b, name, err := folderPrompt(cmd, args[0])
	if err != nil {
		return err
	}
	messages, err := b.Render(name, b.Prompt(name).Samples())
	if err != nil {
		return err
	}
	if asJSON, _ := cmd.Flags().GetBool("json"); asJSON {
		return printJSON(cmd.OutOrStdout(), messages)
	}
	for _, m := range messages {
		fmt.Fprintf(cmd.OutOrStdout(), "=== %s ===\n%s\n\n", m.Role, m.Text)
	}
	return nil
}

// tryPrompt has the model answer with the folder's prompt and with the one that serves.
func tryPrompt(cmd *cobra.Command, args []string) error {
	a, mine, name, err := folderPrompt(cmd, args[0])
	if err != nil {
		return err
	}
	step, turn := stepOf(mine, name)
	if step.Prompt == "" {
		return sentence(fmt.Sprintf("%s takes notes for another prompt and cannot be tried alone: try that one with a long file.", args[0]), nil)
	}
	material, err := a.material(cmd, turn)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	ask := func(b *prompt.Bundle, title string) error {
		fmt.Fprintf(out, "# %s (%s)\n\n", title, short(b.SHA()))
		engine, err := a.models().Open()
		if err != nil {
			return err
		}
		alone := workflows.Alone{
			Activities: workflows.Activities{Model: asker{engine, a.models()}},
			Render: func(name string, values map[string]any) (workflows.Question, error) {
				return render(b, name, values)
			},
			Progress: func(note string) { fmt.Fprintln(cmd.ErrOrStderr(), note) },
		}
		step, _ := stepOf(b, name)
		_, err = alone.Ask(cmd.Context(), step, material, func(text string) error { _, err := io.WriteString(out, text); return err })
		fmt.Fprint(out, "\n\n")
		return err
	}
	fmt.Fprintln(cmd.ErrOrStderr(), a.whoAnswers())
	if err := ask(mine, "With the folder's version"); err != nil {
		return err
	}
	serving, why := a.servingBundle(cmd.Context(), mine.Manifest().ID)
	switch {
	case why != "":
		fmt.Fprintln(out, "# The version that serves\n\n"+why)
		return nil
	case serving.SHA() == mine.SHA():
		fmt.Fprintln(out, "# The version that serves\n\nIt is the same.")
		return nil
	case serving.Prompt(name) == nil:
		fmt.Fprintf(out, "# The version that serves\n\nIt has no prompt %s.\n", name)
		return nil
	}
	if err := ask(serving, "With the version that serves"); err != nil {
		return err
	}
	before, after := store.Bundle{SHA: serving.SHA(), Files: serving.Files()}, store.Bundle{SHA: mine.SHA(), Files: mine.Files()}
	fmt.Fprintf(out, "# What differs\n\n```diff\n%s```\n", unified(before, after))
	return nil
}

// stepOf gives the step that asks with the prompt, and its kind of turn.
func stepOf(b *prompt.Bundle, name string) (workflows.Step, string) {
	turns := b.Manifest().Turns
	for _, kind := range slices.Sorted(maps.Keys(turns)) {
		for _, s := range turns[kind].Steps {
			if s.Settings["prompt"] == name {
				return workflows.Step{Prompt: name, PartPrompt: s.Settings["part_prompt"]}, kind
			}
		}
	}
	return workflows.Step{}, ""
}

// material is what a turn of the kind would speak about, from the command's file and message.
func (a *app) material(cmd *cobra.Command, turn string) (workflows.Material, error) {
	file, _ := cmd.Flags().GetString("file")
	message, _ := cmd.Flags().GetString("message")
	m := workflows.Material{Message: message, Today: time.Now().In(india)}
	if file == "" && turn != "chat" {
		return m, sentence("Name the PDF to ask about with --file.", nil)
	}
	if message == "" && turn == "chat" {
		return m, sentence("Ask something with --message.", nil)
	}
	if file == "" {
		return m, nil
	}
	pages, err := a.readFile(cmd, file)
	if err != nil {
		return m, err
	}
	if turn == "document" {
		m.Document, m.DocumentType = workPages(pages), strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		return m, nil
	}
	m.Notice = workPages(pages)
	facts, _, err := law{}.Facts(m.Notice)
	m.Facts = string(facts)
	return m, err
}

// servingBundle gives what serves a plugin, or a sentence that says why it cannot.
func (a *app) servingBundle(ctx context.Context, plugin string) (*prompt.Bundle, string) {
	s, err := openStore(ctx, a.cfg)
	if err != nil {
		return nil, sentenceOf(err)
	}
	defer s.Close()
	l := newLibrary(s, a.log, a.cfg.Prompts.Dir, registry())
	b, err := l.serving(ctx, plugin)
	if err != nil {
		return nil, sentenceOf(err)
	}
	return b, ""
}
