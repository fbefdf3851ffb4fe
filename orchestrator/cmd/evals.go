package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"munshi/config"
	"munshi/evals"
	"munshi/orchestrator/activities"
	"munshi/orchestrator/app"
	"munshi/orchestrator/evaluation"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// evalsCommand returns the commands that measure prompts and models.
func evalsCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "evals",
		Short: "Run cases, compare runs, and bless the one that others are compared with",
	}

	cases := &cobra.Command{
		Use:   "cases",
		Args:  cobra.NoArgs,
		Short: "List and check the cases; needs no server",
		RunE:  listCases,
	}
	cases.Flags().String("plugin", "", "only those of a plugin")
	cases.Flags().String("set", "", "only those of a set: builtin, golden, attack or defences")
	cases.Flags().String("prepare", "", "write the built-in examples to FILE as JSON Lines for fine-tuning")

	run := &cobra.Command{
		Use:   "run",
		Args:  cobra.NoArgs,
		Short: "Run cases and compare them with the blessed run; exits with 1 if something got worse",
		RunE:  runCases,
	}
	run.Flags().String("plugin", "", "only those of a plugin")
	run.Flags().String("set", "", "only those of a set: builtin, golden, attack or defences")
	run.Flags().
		StringSlice("case", nil, "only this case, by its name as in `munshi evals cases`; may be given several times")
	run.Flags().Int("repeat", 1, "how often to try each case")
	run.Flags().Int("at-once", workflows.TestsAtOnce, "how many to try at the same time")
	run.Flags().
		String("prompts", "", "try the prompts that lie in this folder, and show what they would change; they do not serve")
	run.Flags().
		Bool("offline", false, "bring up all that is needed for the time of the run; the offline engine answers")
	run.Flags().
		String("baseline", "", "hold the run against the cases that are named in FILE, one a line, and not against "+
			"the blessed run")
	run.Flags().Bool("update", false, "write the cases that passed to the baseline's file")
	run.Flags().String("junit", "", "write a report for CI to FILE")
	run.Flags().String("markdown", "", "write a report for people to FILE")

	compare := &cobra.Command{
		Use:   "compare RUN RUN",
		Args:  cobra.ExactArgs(2),
		Short: "Show what changed from one run to another, with the answers",
		RunE:  onRuns(compareRuns),
	}
	compare.Flags().Bool("judged", false, "have the configured model say which of two different answers is better")
	compare.Flags().Uint64("seed", 1, "decides which of two answers the model reads first")

	root.AddCommand(
		factsOfPapersCommand(),
		cases,
		run,
		compare,
		&cobra.Command{Use: "list", Args: cobra.NoArgs, Short: "Show the latest runs", RunE: onRuns(listRuns)},
		&cobra.Command{
			Use:   "show RUN",
			Args:  cobra.ExactArgs(1),
			Short: "Print the report of a run",
			RunE:  onRuns(showRun),
		},
		&cobra.Command{
			Use:   "bless RUN",
			Args:  cobra.ExactArgs(1),
			Short: "Compare later runs with this one",
			RunE:  onRuns(blessRun),
		},
	)
	return root
}

func listCases(cmd *cobra.Command, _ []string) error {
	a, err := load(cmd)
	if err != nil {
		return err
	}
	all, wrong := a.Evaluations().Cases()
	plugin, _ := cmd.Flags().GetString("plugin")
	set, _ := cmd.Flags().GetString("set")
	chosen := evals.Choose(all, plugin, set)
	if file, _ := cmd.Flags().GetString("prepare"); file != "" && wrong == nil {
		instruction, err := os.ReadFile(filepath.Join(a.Config.Prompts.Dir, "_shared", "persona.md"))
		if err != nil {
			return problem.New("prepare_failed", nil, err)
		}
		lines, err := evals.Prepare(chosen, string(instruction))
		if err == nil {
			err = os.WriteFile(file, lines, 0o644)
		}
		if err != nil {
			return problem.New("prepare_failed", nil, err)
		}
		fmt.Fprintf(
			cmd.ErrOrStderr(),
			"%s in %s.\n",
			count(len(evals.Choose(chosen, "", evals.Builtin)), "training example"),
			file,
		)
		return nil
	}
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 3, ' ', 0)
	for _, c := range chosen {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", c.Name(), c.Set, c.Category, c.Language, c.Difficulty)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if wrong != nil {
		return wrong
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s, no mistake.\n", count(len(chosen), "case"))
	return nil
}

// runs gives a command access to runs of cases.
type runs struct {
	evaluation.Service
	app *app.App
	cmd *cobra.Command
}

// onRuns opens the database for a command.
func onRuns(do func(context.Context, runs, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		r, closing, err := openRuns(cmd)
		if err != nil {
			return err
		}
		defer closing()
		return do(cmd.Context(), r, args)
	}
}

// openRuns opens the configured servers, or the database of a `munshi run` in the same checkout; the worker of that
// product will find new runs there.
func openRuns(cmd *cobra.Command) (runs, func(), error) {
	a, s, err := loadWithStore(cmd)
	if err != nil {
		return runs{}, nil, err
	}
	a.Store = s
	return runs{a.Evaluations(), a, cmd}, s.Close, nil
}

// offlineRuns starts a product of its own, without a model, next to one that may be running here.
func offlineRuns(cmd *cobra.Command) (r runs, closing func(), err error) {
	unopened, err := load(cmd)
	if err != nil {
		return runs{}, nil, err
	}
	cfg, log := unopened.Config, unopened.Log
	cfg.Model = config.Model{
		ModelProvider: config.ModelProvider{MaxTokens: cfg.Model.MaxTokens, Temperature: cfg.Model.Temperature},
		Provider:      "offline",
	}
	cfg.Local.StateDir = filepath.Join(cfg.Local.StateDir, "evals")
	cfg.Local.PostgresPort, cfg.Local.TemporalPort, cfg.Local.WebUIPort = 0, 0, 0
	cfg.Database.URL, cfg.Temporal.Address, cfg.Prompts.Gate = "", "", "off"
	if log.Enabled(cmd.Context(), slog.LevelInfo) && !log.Enabled(cmd.Context(), slog.LevelDebug) {
		log = slog.New(app.FaultsOnly{Handler: log.Handler()})
	}
	p, err := printerFor(cmd)
	if err != nil {
		return runs{}, nil, err
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(cmd.Context()))
	cfg, stack, err := app.BringUp(cmd.Context(), cfg, log, p.announce)
	if err != nil {
		stop()
		return runs{}, nil, err
	}
	var a *app.App
	worked := make(chan error, 1)
	closing = func() {
		stop()
		if a != nil {
			if err := <-worked; err != nil {
				log.Error("the worker did not end well", "error", err)
			}
			a.Close()
		}
		end, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := stack.Stop(end); err != nil {
			log.Error("a part did not stop cleanly", "error", err)
		}
	}
	if a, err = app.Open(ctx, cfg, log, unopened.Version); err != nil {
		a = nil
		closing()
		return runs{}, nil, err
	}
	go func() { worked <- a.RunWorker(ctx) }()
	return runs{a.Evaluations(), a, cmd}, closing, nil
}

// cancelTime is how long a stopped command waits for its run to be cancelled.
const cancelTime = 3 * time.Second

// seen is how often a command checks the progress of a run.
const seen = 50 * time.Millisecond

// watched waits until a run has ended, prints its progress, and returns its results. Interrupting it cancels the run.
func (r runs) watched(ctx context.Context, id uuid.UUID) (store.EvalRun, []evals.Result, error) {
	out := r.cmd.ErrOrStderr()
	told, done, begun := time.Now(), -1, time.Now()
	for {
		run, err := r.Store.EvalRun(ctx, id)
		if err != nil && ctx.Err() == nil {
			return run, nil, err
		}
		if ctx.Err() != nil {
			free, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
			defer cancel()
			if err := r.Cancel(free, id); err != nil && !errors.Is(err, store.ErrNotFound) {
				return run, nil, err
			}
			return run, nil, problem.New("evaluation_stopped", nil, ctx.Err())
		}
		if run.Ended() {
			results, err := evaluation.ResultsOf(ctx, r.Store, id)
			return run, results, err
		}
		if run.Done != done && time.Since(told) > time.Second {
			fmt.Fprintf(out, "%d of %d\n", run.Done, run.Tests)
			told, done = time.Now(), run.Done
		}
		if run.State == "queued" && time.Since(begun) > 20*time.Second {
			fmt.Fprintln(out, "No worker has taken the run yet. Is Munshi running?")
			begun = time.Now()
		}
		select {
		case <-ctx.Done():
		case <-time.After(seen):
		}
	}
}

// made starts a run, waits for it, and returns its results.
func (r runs) made(ctx context.Context, w evaluation.Wanted) (store.EvalRun, []evals.Result, error) {
	w.By = store.ByCommand
	run, err := r.Start(ctx, w)
	if err != nil {
		return run, nil, err
	}
	run, results, err := r.watched(ctx, run.ID)
	if err == nil && run.State != "done" {
		err = problem.New(
			"evaluation_not_done",
			problem.Params{"run": plugins.Short(run.ID.String()), "state": run.State, "reason": run.Reason},
			nil,
		)
	}
	return run, results, err
}

func runCases(cmd *cobra.Command, _ []string) error {
	flags := cmd.Flags()
	offline, _ := flags.GetBool("offline")
	opened := openRuns
	if offline {
		opened = offlineRuns
	}
	r, closing, err := opened(cmd)
	if err != nil {
		return err
	}
	defer closing()
	ctx, w := cmd.Context(), evaluation.Wanted{}
	w.Plugin, _ = flags.GetString("plugin")
	w.Set, _ = flags.GetString("set")
	w.Chosen, _ = flags.GetStringSlice("case")
	w.Repeats, _ = flags.GetInt("repeat")
	w.AtOnce, _ = flags.GetInt("at-once")
	folder, _ := flags.GetString("prompts")
	var serving []evals.Result
	if folder != "" {
		bundles, err := r.KeepPrompts(ctx, folder, r.app.Registry())
		if err != nil {
			return err
		}
		if _, serving, err = r.made(ctx, w); err != nil { // mostly from stored answers
			return err
		}
		w.Bundles = bundles
	}
	run, results, err := r.made(ctx, w)
	if err != nil {
		return err
	}
	report := evaluation.Reported(run, results)
	worse, against, err := r.worse(ctx, report)
	if err != nil {
		return err
	}
	for flag, write := range map[string]func(io.Writer) error{
		"junit":    func(w io.Writer) error { return evals.JUnit(w, report) },
		"markdown": func(w io.Writer) error { return evals.Markdown(w, report, against) },
	} {
		if file, _ := flags.GetString(flag); file != "" {
			if err := toFile(file, write); err != nil {
				return err
			}
		}
	}
	if err := evals.Markdown(cmd.OutOrStdout(), report, against); err != nil {
		return err
	}
	if folder != "" {
		fmt.Fprintln(cmd.OutOrStdout())
		if err := evals.MarkdownComparison(cmd.OutOrStdout(), "the prompts that serve", "those of "+folder,
			evals.Compare(serving, results)); err != nil {
			return err
		}
	}
	if len(worse) > 0 {
		return problem.New("evaluation_worse", problem.Params{"reasons": strings.Join(worse, "\n- ")}, nil)
	}
	return nil
}

func toFile(file string, write func(io.Writer) error) error {
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("make the report: %w", err)
	}
	err = write(f)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// worse returns in what way the run is worse than it may be, and what it was compared with: the cases in a file, or
// else the blessed run.
func (r runs) worse(ctx context.Context, report evals.Run) (reasons []string, against *evals.Comparison, err error) {
	file, _ := r.cmd.Flags().GetString("baseline")
	if file != "" {
		reasons, err = r.heldAgainst(file, report)
		return reasons, nil, err
	}
	for _, result := range report.Results {
		for _, v := range result.Verdicts {
			if v.Hard && !v.Skipped && !v.Passed {
				reasons = append(reasons, result.Case+" must hold: "+v.Says)
			}
		}
	}
	blessed, err := r.Blessed(ctx, report.Bundles)
	if err != nil || len(blessed) == 0 {
		return reasons, nil, err
	}
	c := evals.Compare(blessed, report.Results)
	for _, b := range c.Broken {
		reasons = append(reasons, b.Case+" passed in the blessed run.")
	}
	return reasons, &c, nil
}

// heldAgainst returns those cases of a file that do not pass; with the flag to write it, it writes the file instead.
func (r runs) heldAgainst(file string, report evals.Run) (reasons []string, err error) {
	always := map[string]bool{}
	for _, s := range evals.ByCase(report.Results) {
		always[s.Name] = s.Passed == s.Of
	}
	if update, _ := r.cmd.Flags().GetBool("update"); update {
		var lines strings.Builder
		for _, s := range evals.ByCase(report.Results) {
			if always[s.Name] {
				lines.WriteString(s.Name + "\n")
			}
		}
		return nil, os.WriteFile(file, []byte(lines.String()), 0o644)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, problem.New("baseline_unreadable", problem.Params{"file": file}, err)
	}
	for _, name := range strings.Fields(string(text)) {
		if passes, tried := always[name]; tried && !passes {
			reasons = append(reasons, name+" is in the baseline.")
		}
	}
	return reasons, nil
}

// one returns the run whose id begins with the prefix.
func (r runs) one(ctx context.Context, prefix string) (store.EvalRun, []evals.Result, error) {
	run, err := r.Store.EvalRunLike(ctx, prefix)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return run, nil, problem.New("no_such_run", problem.Params{"run": prefix}, err)
	case errors.Is(err, store.ErrAmbiguous):
		return run, nil, problem.New("ambiguous_run", problem.Params{"run": prefix}, err)
	case err != nil:
		return run, nil, err
	}
	results, err := evaluation.ResultsOf(ctx, r.Store, run.ID)
	return run, results, err
}

func compareRuns(ctx context.Context, r runs, args []string) error {
	before, was, err := r.one(ctx, args[0])
	if err != nil {
		return err
	}
	after, is, err := r.one(ctx, args[1])
	if err != nil {
		return err
	}
	out, c := r.cmd.OutOrStdout(), evals.Compare(was, is)
	if err := evals.MarkdownComparison(out, before.ID.String(), after.ID.String(), c); err != nil {
		return err
	}
	if judged, _ := r.cmd.Flags().GetBool("judged"); !judged {
		return nil
	}
	return r.better(ctx, was, is, slices.Concat(c.Broken, c.Fixed, c.Reworded))
}

// better lets a model judge, case by case, which of two answers is better.
func (r runs) better(ctx context.Context, before, after []evals.Result, changes []evals.Change) error {
	out := r.cmd.OutOrStdout()
	engine, err := r.app.Chain.Open()
	if err != nil {
		return problem.New("model_settings_wrong", problem.Params{"reason": err.Error()}, err)
	}
	j, err := r.app.Judge(activities.ModelClient{Engine: engine, Chain: r.app.Chain, Log: r.app.Log})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "\n## Judged by a model")
	if j == nil {
		fmt.Fprintln(out, "\n"+evals.NoJudge)
		return nil
	}
	cases, err := r.Cases()
	if err != nil {
		return err
	}
	seed, _ := r.cmd.Flags().GetUint64("seed")
	first := func(results []evals.Result, name string) string {
		return results[slices.IndexFunc(results, func(x evals.Result) bool { return x.Case == name })].Answer.Text
	}
	fmt.Fprintln(out)
	for _, change := range changes {
		at := slices.IndexFunc(cases, func(c evals.Case) bool { return c.Name() == change.Case })
		if change.Diff == "" || at < 0 {
			continue
		}
		which, reason, err := j.Better(ctx, cases[at], first(before, change.Case), first(after, change.Case), seed)
		if err != nil {
			which, reason = "not judged", problem.SentenceOf(err)
		}
		fmt.Fprintf(out, "- %s: %s. %s\n", change.Case, which, reason)
	}
	return nil
}

func listRuns(ctx context.Context, r runs, _ []string) error {
	list, err := r.Store.EvalRuns(ctx, "", 20)
	if err != nil {
		return err
	}
	blessed, err := r.Store.Blessed(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(r.cmd.OutOrStdout(), 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "RUN\tBEGUN\tBY\tSTATE\tACCURACY\tPASSED\tMODEL\tBLESSED FOR")
	for _, run := range list {
		var t evals.Totals
		_ = json.Unmarshal(run.Totals, &t) // empty before its end
		var plugins []string
		for plugin, b := range blessed {
			if b.RunID == run.ID {
				plugins = append(plugins, plugin)
			}
		}
		slices.Sort(plugins)
		fmt.Fprintf(
			table,
			"%s\t%s\t%s\t%s\t%s\t%d of %d\t%s\t%s\n",
			run.ID,
			moment(run.CreatedAt),
			run.By,
			run.State,
			t.Accuracy(),
			t.Passed,
			t.Tests,
			evaluation.WhoAnswered(run.Settings),
			strings.Join(plugins, ", "),
		)
	}
	return table.Flush()
}

func showRun(ctx context.Context, r runs, args []string) error {
	run, results, err := r.one(ctx, args[0])
	if err != nil {
		return err
	}
	report := evaluation.Reported(run, results)
	blessed, err := r.Blessed(ctx, report.Bundles)
	if err != nil {
		return err
	}
	var against *evals.Comparison
	if len(blessed) > 0 {
		c := evals.Compare(blessed, results)
		against = &c
	}
	return evals.Markdown(r.cmd.OutOrStdout(), report, against)
}

func blessRun(ctx context.Context, r runs, args []string) error {
	run, _, err := r.one(ctx, args[0])
	if err != nil {
		return err
	}
	plugins, err := r.Bless(ctx, run, plugins.History{Dir: r.app.Config.Prompts.Dir}.Me(ctx))
	if err != nil {
		return err
	}
	fmt.Fprintf(r.cmd.OutOrStdout(), "Later runs of %s are held against %s.\n", strings.Join(plugins, ", "), run.ID)
	return nil
}
