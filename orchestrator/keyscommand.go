package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/vault"
)

// openVault gives the codec of what Temporal keeps. For a Temporal of its own the product makes the keys by itself; for another,
// several processes need the same ones, and somebody has to give them.
func openVault(cfg config.Config, log *slog.Logger) (*vault.Codec, error) {
	t := cfg.Temporal
	seal := t.Encryption == "on"
	switch {
	case t.Keys != "":
		ring, err := vault.Parse(t.Keys)
		if err != nil {
			return nil, sentence(fmt.Sprintf("The keys in temporal.keys (MUNSHI_TEMPORAL_KEYS) cannot be read: %v.", err), err)
		}
		return vault.NewCodec(vault.Fixed(ring), seal), nil
	case t.KeysFile == "" && !t.Own && seal:
		return nil, sentence("What Temporal keeps is to be encrypted, and there are no keys. Make them with `munshi keys new FILE` and set temporal.keys_file "+
			"(MUNSHI_TEMPORAL_KEYS_FILE) to the file, for every process that serves or works, or MUNSHI_TEMPORAL_KEYS to what is in it. "+
			"To go without, set temporal.encryption (MUNSHI_TEMPORAL_ENCRYPTION) to off.", nil)
	case t.KeysFile == "" && !t.Own:
		return vault.NewCodec(vault.Fixed(nil), false), nil
	}
	file := keysFile(cfg)
	if t.KeysFile == "" && seal {
		if err := makeKeys(file); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	keys, err := vault.Follow(file, log)
	if errors.Is(err, fs.ErrNotExist) && t.KeysFile == "" {
		return vault.NewCodec(vault.Fixed(nil), false), nil // encryption was never on
	}
	if err != nil {
		return nil, sentence(fmt.Sprintf("The keys of what Temporal keeps cannot be used: %v. `munshi keys new %s` makes new ones where there were none.", err, file), err)
	}
	return vault.NewCodec(keys, seal), nil
}

// keysFile is where the keyring is, unless the configuration holds it.
func keysFile(cfg config.Config) string {
	if cfg.Temporal.KeysFile != "" {
		return cfg.Temporal.KeysFile
	}
	return filepath.Join(cfg.Local.StateDir, "temporal-keys")
}

func makeKeys(file string) error {
	ring, err := vault.New(time.Now())
	if err != nil {
		return err
	}
	return vault.Create(file, ring)
}

// codecURL is where the Web UI that `run` brings up has payloads decrypted; "" when that is not known before the product listens.
func codecURL(s config.Server) string {
	if s.PublicURL != "" {
		return strings.TrimRight(s.PublicURL, "/") + api.CodecPath
	}
	host, port, err := net.SplitHostPort(s.Address)
	if err != nil || port == "0" {
		return ""
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + api.CodecPath
}

// webUIOrigin is the origin of Temporal's Web UI, "" when its address is not known.
func webUIOrigin(cfg config.Temporal) (string, error) {
	if cfg.WebUIURL == "" {
		return "", nil
	}
	u, err := url.Parse(cfg.WebUIURL)
	if err != nil {
		return "", fmt.Errorf("read temporal.web_ui_url: %w", err)
	}
	return u.Scheme + "://" + u.Host, nil
}

// keysCommand makes and changes the keys of what Temporal keeps. It shows a key only where it is asked to write to its output.
func keysCommand() *cobra.Command {
	root := &cobra.Command{Use: "keys", Short: "Make and change the keys by which what Temporal keeps is encrypted; FILE is temporal.keys_file unless given"}
	var addOnly bool
	var to string
	fileOf := func(cmd *cobra.Command, args []string) (string, error) {
		if len(args) > 0 {
			return args[0], nil
		}
		cfg, _, err := load(cmd)
		if err == nil && cfg.Temporal.Keys != "" {
			err = sentence("The keys are in temporal.keys (MUNSHI_TEMPORAL_KEYS), which no command can change. Name a file that holds them, and put what is in it there afterwards.", nil)
		}
		return keysFile(cfg), err
	}
	inFile := func(file string, err error) error {
		switch {
		case errors.Is(err, fs.ErrExist):
			return sentence(fmt.Sprintf("%s is there already, and what is encrypted with its keys needs them. `munshi keys rotate` adds a new one.", file), err)
		case errors.Is(err, fs.ErrNotExist):
			return sentence(fmt.Sprintf("There are no keys in %s, or no such folder. `munshi keys new %s` makes some in a folder that is there.", file, file), err)
		}
		return err
	}
	create := &cobra.Command{Use: "new [FILE]", Args: cobra.MaximumNArgs(1), Short: "Make a keyring with one key in a new file; - prints it instead",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "-" {
				ring, err := vault.New(time.Now())
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
			if err := makeKeys(file); err != nil {
				return inFile(file, err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "There is a new key in %s. Keep a copy where only you can read it: without it nobody can go on with, or look into, what is encrypted.\n", file)
			return nil
		}}
	rotate := &cobra.Command{Use: "rotate [FILE]", Args: cobra.MaximumNArgs(1), Short: "Encrypt with a new key from now on; the older ones still decrypt",
		Long: "Encrypt with a new key from now on; the older ones still decrypt. Processes that read this file notice by themselves. Where each has a file of its own, or " +
			"the keys in its environment, first give all of them the new key with --add-only, and when all have it, have it encrypt with --to.",
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := fileOf(cmd, args)
			if err != nil {
				return err
			}
			err = vault.Change(file, func(r *vault.Keyring) error {
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
		}}
	rotate.Flags().BoolVar(&addOnly, "add-only", false, "add a key that does not encrypt yet")
	rotate.Flags().StringVar(&to, "to", "", "have this key of the file encrypt, instead of a new one")
	rotate.MarkFlagsMutuallyExclusive("add-only", "to")
	list := &cobra.Command{Use: "list [FILE]", Args: cobra.MaximumNArgs(1), Short: "List the ids of the keys; the first one encrypts",
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := fileOf(cmd, args)
			if err != nil {
				return err
			}
			ring, err := vault.Read(file)
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
		}}
	root.AddCommand(create, rotate, list)
	return root
}
