package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"munshi/orchestrator/plugins"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/prompt"
)

// promptsCommand returns the command for those who change prompts: to check them, to see which are in use, and who
// changed what.
func promptsCommand() *cobra.Command {
	root := &cobra.Command{Use: "prompts", Short: "Check, compare, try and roll back the prompts"}

	var format string
	lint := &cobra.Command{
		Use:   "lint [DIR]",
		Args:  cobra.MaximumNArgs(1),
		Short: "Report mistakes in the prompts; needs no server",
		RunE:  func(cmd *cobra.Command, args []string) error { return lintPrompts(cmd, args, format) },
	}
	lint.Flags().StringVar(&format, "format", "text", "text, github (annotations of a pull request) or json")

	schema := &cobra.Command{
		Use:       "schema [plugin|prompt]",
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: []string{"plugin", "prompt"},
		Short:     "Print the JSON Schema of plugin.yaml, or of a prompt's front matter",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch what := append(args, "plugin")[0]; what {
			case "plugin":
				return printJSON(cmd.OutOrStdout(), prompt.ManifestSchema(plugins.Registry()))
			case "prompt":
				return printJSON(cmd.OutOrStdout(), prompt.FrontMatterSchema(plugins.Registry()))
			default:
				return problem.New("no_such_schema", problem.Params{"schema": what}, nil)
			}
		},
	}

	var most int
	log := &cobra.Command{
		Use:   "log [PLUGIN]",
		Args:  cobra.MaximumNArgs(1),
		Short: "Show who changed which prompts when",
		RunE:  onPrompts(func(p promptHistory, args []string) error { return p.log(append(args, "")[0], most) }),
	}
	log.Flags().IntVar(&most, "most", 20, "how many changes to show")

	render := &cobra.Command{
		Use:   "render PLUGIN/PROMPT",
		Args:  cobra.ExactArgs(1),
		Short: "Print the exact messages of a prompt in the folder, with its sample values",
		RunE:  renderPrompt,
	}
	render.Flags().Bool("sample", true, "use the sample values that the prompt's file declares")
	render.Flags().Bool("json", false, "print the messages as JSON")

	try := &cobra.Command{Use: "try PLUGIN/PROMPT --file FILE.pdf", Args: cobra.ExactArgs(1),
		Short: "Ask the model with a prompt in the folder and a file, and compare with the live version", RunE: tryPrompt}
	try.Flags().String("file", "", "the PDF to ask about")
	try.Flags().String("message", "", "the person's question, for prompts that answer one")

	var override bool
	var reason string
	publish := &cobra.Command{
		Use:   "publish PLUGIN",
		Args:  cobra.ExactArgs(1),
		Short: "Make the prompts live that the gate holds back",
		RunE:  onPrompts(func(p promptHistory, args []string) error { return p.publish(args[0], override, reason) }),
	}
	publish.Flags().BoolVar(&override, "override", false, "even though its cases fail")
	publish.Flags().StringVar(&reason, "reason", "", "the reason, which is logged")

	root.AddCommand(
		lint,
		publish,
		schema,
		log,
		render,
		try,
		&cobra.Command{
			Use:   "status",
			Args:  cobra.NoArgs,
			Short: "Show which prompts are live, and the mistakes in the folders",
			RunE:  onPrompts(func(p promptHistory, _ []string) error { return p.status() }),
		},
		&cobra.Command{
			Use:   "show VERSION [FILE]",
			Args:  cobra.RangeArgs(1, 2),
			Short: "Print the files of a version, or one of them; a plugin's name means its live version",
			RunE:  onPrompts(promptHistory.show),
		},
		&cobra.Command{
			Use:   "diff VERSION [VERSION]",
			Args:  cobra.RangeArgs(1, 2),
			Short: "Compare a version with the live one, the live one (a plugin's name) with its folder, or two versions",
			RunE:  onPrompts(promptHistory.diff),
		},
		&cobra.Command{
			Use:   "rollback PLUGIN [VERSION]",
			Args:  cobra.RangeArgs(1, 2),
			Short: "Make an earlier version live again; without a version, the previous one",
			RunE:  onPrompts(promptHistory.rollback),
		},
		&cobra.Command{
			Use:   "withdraw PLUGIN",
			Args:  cobra.ExactArgs(1),
			Short: "Withdraw a plugin whose folder is gone",
			RunE:  onPrompts(promptHistory.withdraw),
		},
	)
	return root
}

// lintPrompts checks a prompts folder, or the folder of one plugin in it.
func lintPrompts(cmd *cobra.Command, args []string, format string) error {
	a, err := load(cmd)
	if err != nil {
		return err
	}
	dir, only := a.Config.Prompts.Dir, ""
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
	folders, err := prompt.ReadDir(dir)
	if err != nil {
		return problem.New("folder_unreadable", problem.Params{"folder": dir}, err)
	}
	problems, checked := prompt.Problems{}, 0
	for _, f := range folders {
		if only != "" && f.Plugin != only {
			continue
		}
		if f.Plugin != prompt.TemplateFolder {
			checked++
		}
		_, err := f.Check(a.Registry())
		var found prompt.Problems
		if !errors.As(err, &found) && err != nil {
			return err
		}
		for _, p := range found {
			p.File = besideUs(filepath.Join(dir, p.File))
			problems = append(problems, p)
		}
	}
	problems = problems.Tidy() // several plugins share some texts
	if checked == 0 {
		return problem.New("no_plugin_folder", problem.Params{"folder": dir}, nil)
	}
	if err := printProblems(cmd.OutOrStdout(), problems, format); err != nil {
		return err
	}
	if len(problems) > 0 {
		return problem.New("mistakes_in_prompts", problem.Params{"mistakes": count(len(problems), "mistake")}, nil)
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
		return problem.New("no_such_format", problem.Params{"format": format}, nil)
	}
	for _, p := range problems {
		line := p.String()
		if format == "github" {
			// The escapes of GitHub's workflow commands.
			text := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
			file := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
			line = fmt.Sprintf(
				"::error file=%s,line=%d,col=%d::%s",
				file.Replace(filepath.ToSlash(p.File)),
				p.Line,
				p.Column,
				text.Replace(p.Sentence()),
			)
		}
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}
