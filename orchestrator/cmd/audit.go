package cmd

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"munshi/orchestrator/account"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// auditCommand returns the command that prints the audit log, to anyone who can run it on the product's machine.
func auditCommand() *cobra.Command {
	var since, until, event, email string
	var most int
	var asJSON bool
	c := &cobra.Command{
		Use:   "audit",
		Args:  cobra.NoArgs,
		Short: "Show who signed in, exported or erased their data, and which operator looked at a person's texts",
		RunE: func(cmd *cobra.Command, _ []string) error {
			by := store.AuditQuery{Event: event, Most: most, Until: time.Now().AddDate(0, 0, 1)}
			for text, day := range map[string]*time.Time{since: &by.Since, until: &by.Until} {
				if text == "" {
					continue
				}
				var err error
				if *day, err = time.ParseInLocation(time.DateOnly, text, clock.India); err != nil {
					return problem.New("bad_day", problem.Params{"day": text}, err)
				}
			}
			if until != "" {
				by.Until = by.Until.AddDate(0, 0, 1)
			}
			if email != "" {
				var err error
				if by.Address, err = account.AddressOf(email); err != nil {
					return err
				}
			}
			_, s, err := loadWithStore(cmd)
			if err != nil {
				return err
			}
			defer s.Close()
			lines, err := s.Audit(cmd.Context(), by)
			if err != nil {
				return err
			}
			if asJSON {
				out := json.NewEncoder(cmd.OutOrStdout())
				for _, l := range lines {
					if err := out.Encode(map[string]any{"at": l.At, "event": l.Event, "email": l.Email,
						"workspace": l.WorkspaceID, "detail": l.Detail}); err != nil {
						return fmt.Errorf("write an entry: %w", err)
					}
				}
				return nil
			}
			table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, l := range lines {
				whose := l.Email
				switch {
				case whose == "" && l.WorkspaceID != nil:
					whose = "visitor " + l.WorkspaceID.String()
				case whose == "":
					whose = "-"
				}
				detail := string(l.Detail)
				if detail == "{}" {
					detail = ""
				}
				fmt.Fprintf(
					table,
					"%s\t%s\t%s\t%s\n",
					moment(l.At),
					l.Event,
					whose,
					detail,
				)
			}
			return table.Flush()
		},
	}
	c.Flags().StringVar(&since, "since", "", "from this day on, as 2026-11-22 (India)")
	c.Flags().StringVar(&until, "until", "", "to this day")
	c.Flags().
		StringVar(&event, "event", "", "only this, such as signed_in, sign_in_refused, exported, erasure_begun, "+
			"erased, questions_seen")
	c.Flags().StringVar(&email, "email", "", "only entries of the account with this address")
	c.Flags().IntVar(&most, "most", 200, "at most this many entries, the latest ones")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object per line")
	return c
}
