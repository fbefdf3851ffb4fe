package cmd

import (
	"cmp"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"munshi/orchestrator/app"
	"munshi/orchestrator/problem"
)

// marks are printed before findings, by verdict.
var marks = map[app.Verdict]string{app.Fine: "ok   ", app.Watch: "watch", app.Mend: "mend "}

// doctorCommand returns the command that checks the installation on this machine.
func doctorCommand() *cobra.Command {
	e := app.Examination{}
	c := &cobra.Command{Use: "doctor", Args: cobra.NoArgs,
		Short: "Check this installation and say what to fix; it changes nothing",
		Long: "Check this installation, with the configuration that serve and worker have: database, Temporal, " +
			"clocks, keys, certificates, prompts,\ntext recognition, disks, models, the public address, running " +
			"processes that are named, and backups. Exit code 1 if there is something to fix."}
	c.Flags().StringVar(&e.Backups, "backups", "", "the folder where backups are put (default: backups.folder)")
	c.Flags().DurationVar(&e.Oldest, "oldest", 0, "how old the newest backup may be (default: backups.oldest)")
	c.Flags().StringSliceVar(&e.Processes, "processes", nil,
		"the operators' addresses of running processes, such as serve-1:9464,worker-1:9464")
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		a, err := load(cmd)
		if err != nil {
			return err
		}
		language, err := languageOf(cmd)
		if err != nil {
			return err
		}
		e.Now = time.Now()
		e.Backups = cmp.Or(e.Backups, a.Config.Backups.Folder)
		e.Oldest = cmp.Or(e.Oldest, a.Config.Backups.Oldest)
		mend := 0
		for _, f := range app.Examine(cmd.Context(), a, e) {
			if f.Verdict == app.Mend {
				mend++
			}
			fmt.Fprintln(cmd.OutOrStdout(), marks[f.Verdict], f.Message.In(language))
		}
		if mend > 0 {
			return problem.New("doctor_found", problem.Params{"count": mend}, nil)
		}
		return nil
	}
	return c
}
