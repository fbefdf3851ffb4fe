package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"munshi/config"
	"munshi/orchestrator/account"
	"munshi/orchestrator/api"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// operatorCommand returns the command that makes operators. Anyone who can run it on the product's machine may become
// one.
func operatorCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "operator",
		Short: "Let people operate the product: see its prompts, their mistakes and the runs",
	}
	root.AddCommand(
		&cobra.Command{
			Use:   "link",
			Args:  cobra.NoArgs,
			Short: "Print a link that gives operator rights to the browser that opens it; it works once, within a day",
			RunE: func(cmd *cobra.Command, _ []string) error {
				a, s, err := loadWithStore(cmd)
				if err != nil {
					return err
				}
				defer s.Close()
				key := api.NewOperatorKey()
				if err := s.AddOperatorLink(cmd.Context(), key); err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), link(a.Config, "http://"+a.Config.Server.Address, key))
				fmt.Fprintf(cmd.ErrOrStderr(), "It works once, within %d hours.\n", int(store.OperatorLinkLife.Hours()))
				return nil
			},
		},
	)
	for _, c := range []struct {
		use, short, done string
		is               bool
	}{
		{"add EMAIL", "Make an account an operator's; its address must have been confirmed by mail",
			"is an operator's account now", true},
		{"remove EMAIL", "Have an account be no operator's any more", "is no operator's account now", false},
	} {
		root.AddCommand(
			&cobra.Command{
				Use:   c.use,
				Args:  cobra.ExactArgs(1),
				Short: c.short,
				RunE: func(cmd *cobra.Command, args []string) error {
					address, err := account.AddressOf(args[0])
					if err != nil {
						return problem.New("not_an_address", problem.Params{"email": args[0]}, err)
					}
					_, s, err := loadWithStore(cmd)
					if err != nil {
						return err
					}
					defer s.Close()
					err = s.SetOperator(cmd.Context(), address, c.is)
					if errors.Is(err, store.ErrNotFound) {
						return problem.New("address_not_confirmed", nil, err)
					}
					if err != nil {
						return err
					}
					fmt.Fprintln(cmd.OutOrStdout(), address, c.done)
					return nil
				},
			},
		)
	}
	return root
}

// link returns the address of the operators' page with the key, if the product listens at the given address.
func link(cfg config.Config, address, key string) string {
	if cfg.Server.PublicURL != "" {
		address = strings.TrimRight(cfg.Server.PublicURL, "/")
	}
	return api.OperatorLink(address, key)
}
