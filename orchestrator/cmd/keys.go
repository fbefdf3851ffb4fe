package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"munshi/orchestrator/app"
	"munshi/orchestrator/payload"
	"munshi/orchestrator/problem"

	"github.com/spf13/cobra"
)

// keysCommand returns the command that creates and replaces the keys for what Temporal stores. It prints a key only
// when asked to write to standard output.
func keysCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "keys",
		Short: "Create and change the keys that encrypt what Temporal keeps; FILE is temporal.keys_file unless given",
	}
	var addOnly bool
	var to string
	fileOf := func(cmd *cobra.Command, args []string) (string, error) {
		if len(args) > 0 {
			return args[0], nil
		}
		a, err := load(cmd)
		if err != nil {
			return "", err
		}
		if a.Config.Temporal.Keys != "" {
			err = problem.New("keys_in_environment", nil, nil)
		}
		return app.KeysFile(a.Config), err
	}
	inFile := func(file string, err error) error {
		switch {
		case errors.Is(err, fs.ErrExist):
			return problem.New("keys_exist", problem.Params{"file": file}, err)
		case errors.Is(err, fs.ErrNotExist):
			return problem.New("keys_file_missing", problem.Params{"file": file}, err)
		}
		return err
	}
	create := &cobra.Command{
		Use:   "new [FILE]",
		Args:  cobra.MaximumNArgs(1),
		Short: "Create a keyring with one key in a new file; - prints it instead",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "-" {
				ring, err := payload.New(time.Now())
				if err != nil {
					return err
				}
				_, err = fmt.Fprint(cmd.OutOrStdout(), ring.Reveal())
				return err
			}
			file, err := fileOf(cmd, args)
			if err != nil {
				return err
			}
			if err := app.MakeKeys(file); err != nil {
				return inFile(file, err)
			}
			fmt.Fprintf(
				cmd.OutOrStdout(),
				"There is a new key in %s. Keep a copy where only you can read it: without it nobody can go on with, "+
					"or look into, what is encrypted.\n",
				file,
			)
			return nil
		},
	}
	rotate := &cobra.Command{
		Use:   "rotate [FILE]",
		Args:  cobra.MaximumNArgs(1),
		Short: "Encrypt with a new key from now on; older keys still decrypt",
		Long: "Encrypt with a new key from now on; older keys still decrypt. Processes that read this file notice " +
			"automatically. Where each has its own file, or gets the keys from its environment, first give all of them " +
			"the new key with --add-only, and when all have it, encrypt with it by --to.",
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := fileOf(cmd, args)
			if err != nil {
				return err
			}
			err = payload.Change(file, func(r *payload.Keyring) error {
				if to != "" {
					return r.Use(to)
				}
				id, err := r.Add(time.Now(), !addOnly)
				to = id
				return err
			})
			if err != nil {
				return inFile(file, err)
			}
			does := "encrypts from now on"
			if addOnly {
				does = "can decrypt; have it encrypt with --to " + to
			}
			fmt.Fprintf(cmd.OutOrStdout(), "The key %s %s.\n", to, does)
			return nil
		},
	}
	rotate.Flags().BoolVar(&addOnly, "add-only", false, "add a key that does not encrypt yet")
	rotate.Flags().StringVar(&to, "to", "", "encrypt with this key of the file, instead of a new one")
	rotate.MarkFlagsMutuallyExclusive("add-only", "to")
	list := &cobra.Command{
		Use:   "list [FILE]",
		Args:  cobra.MaximumNArgs(1),
		Short: "List the ids of the keys; the first one encrypts",
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := fileOf(cmd, args)
			if err != nil {
				return err
			}
			ring, err := payload.Read(file)
			if err != nil {
				return inFile(file, err)
			}
			for i, id := range ring.IDs() {
				does := "decrypts"
				if i == 0 {
					does = "encrypts"
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s  %s\n", id, does)
			}
			return nil
		},
	}
	root.AddCommand(create, rotate, list)
	return root
}
