package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"munshi/orchestrator/app"
	"munshi/orchestrator/local"
	"munshi/orchestrator/problem"
)

// passphraseVariable is the environment variable with a backup's passphrase, for runs without a terminal.
const passphraseVariable = "MUNSHI_BACKUP_PASSPHRASE"

func backupCommand() *cobra.Command {
	var encrypt bool
	c := &cobra.Command{Use: "backup FILE", Args: cobra.ExactArgs(1),
		Short: "Save everything that `munshi run` keeps to one file, while it runs",
		Long: "Save everything that `munshi run` keeps to one file, while it runs: both databases, the keys and the " +
			"configuration. With --encrypt, or " + passphraseVariable +
			" set, only someone with the passphrase can read it."}
	c.Flags().BoolVar(&encrypt, "encrypt", false, "encrypt it with a passphrase that you are asked for")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a, err := load(cmd)
		if err != nil {
			return err
		}
		passphrase, err := passphrase(cmd, encrypt, true)
		if err != nil {
			return err
		}
		file := args[0]
		draft, err := os.OpenFile(file+local.UnfinishedBackup, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("write the backup: %w", err)
		}
		defer os.Remove(draft.Name())
		err = app.Backup(cmd.Context(), a, passphrase, time.Now(), draft)
		if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
			return err
		}
		info, err := os.Stat(draft.Name())
		if err != nil {
			return fmt.Errorf("look at the backup: %w", err)
		}
		if err := os.Rename(draft.Name(), file); err != nil {
			return fmt.Errorf("write the backup: %w", err)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s holds everything (%d KB). `munshi restore %s` restores it, here or on "+
			"another machine.\n", file, info.Size()>>10, filepath.Base(file))
		if passphrase == "" {
			fmt.Fprintln(cmd.OutOrStdout(), "It is not encrypted: anyone who can open it can read all papers and keys.")
		}
		return nil
	}
	return c
}

func restoreCommand() *cobra.Command {
	return &cobra.Command{Use: "restore FILE", Args: cobra.ExactArgs(1),
		Short: "Restore the state folder from a backup; it must not hold any data yet",
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := load(cmd)
			if err != nil {
				return err
			}
			file, err := os.Open(args[0])
			if err != nil {
				return problem.New("restore_no_file", problem.Params{"file": args[0]}, err)
			}
			defer file.Close()
			encrypted, err := app.BackupIsEncrypted(file)
			if err != nil {
				return err
			}
			passphrase, err := passphrase(cmd, encrypted, false)
			if err != nil {
				return err
			}
			about, err := app.Restore(cmd.Context(), a, passphrase, file)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Restored in %s: the data of %s. `munshi run` starts it.\n",
				a.Config.Local.StateDir, moment(about.Made))
			return nil
		}}
}

// shortestPassphrase is how many bytes the passphrase of a new backup has at least.
const shortestPassphrase = 10

// passphrase returns the passphrase from the environment or, if one is wanted, as typed by a person; a fresh one is
// typed twice, and must not be short.
func passphrase(cmd *cobra.Command, wanted, fresh bool) (string, error) {
	if given := os.Getenv(passphraseVariable); given != "" || !wanted {
		if fresh && given != "" && len(given) < shortestPassphrase {
			return "", problem.New("passphrase_short", nil, nil)
		}
		return given, nil
	}
	first, err := typed(cmd, "Passphrase: ")
	if err != nil || !fresh {
		return first, err
	}
	if len(first) < shortestPassphrase {
		return "", problem.New("passphrase_short", nil, nil)
	}
	again, err := typed(cmd, "The same again: ")
	if err == nil && again != first {
		err = problem.New("passphrase_differs", nil, nil)
	}
	return first, err
}

func typed(cmd *cobra.Command, prompt string) (string, error) {
	fmt.Fprint(cmd.ErrOrStderr(), prompt)
	if in, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(in.Fd())) {
		line, err := term.ReadPassword(int(in.Fd()))
		fmt.Fprintln(cmd.ErrOrStderr())
		if err != nil {
			return "", fmt.Errorf("read the passphrase: %w", err)
		}
		return string(line), nil
	}
	line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	if err != nil && line == "" {
		return "", problem.New("passphrase_needed", problem.Params{"variable": passphraseVariable}, err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}
