package cmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	historypb "go.temporal.io/api/history/v1"
	tlog "go.temporal.io/sdk/log"
	"google.golang.org/protobuf/encoding/protojson"

	"munshi/orchestrator/app"
	"munshi/orchestrator/problem"
	"munshi/workflows"
)

// historiesCommand returns the command that records the workflow histories of a running product, and checks whether
// this version could continue them. Before an upgrade, record with the old version and check with the new one.
func historiesCommand() *cobra.Command {
	var check bool
	var perKind int
	c := &cobra.Command{
		Use:   "histories DIR",
		Args:  cobra.ExactArgs(1),
		Short: "Record workflow histories into DIR, or check that this version can continue them",
		RunE: func(cmd *cobra.Command, args []string) error {
			if check {
				return checkHistories(cmd, args[0])
			}
			return recordHistories(cmd, args[0], perKind)
		},
	}
	c.Flags().BoolVar(&check, "check", false, "replay the histories in DIR with this version's code; needs no server")
	c.Flags().IntVar(&perKind, "per-kind", 3, "how many of each kind and status to record")
	return c
}

func recordHistories(cmd *cobra.Command, dir string, perKind int) error {
	a, err := load(cmd)
	if err != nil {
		return err
	}
	cfg, log := a.Config, a.Log
	if cfg.Temporal.Address == "" {
		return problem.New("temporal_address_needed", nil, nil)
	}
	if _, err := os.Stat(app.KeysFile(cfg)); err == nil && cfg.Temporal.Keys == "" {
		cfg.Temporal.KeysFile = app.KeysFile(cfg) // `munshi run` sets this by itself
	}
	codec, err := app.OpenCodec(cfg, log)
	if err != nil {
		return err
	}
	c, err := app.NewTemporal(cfg.Temporal, codec, nil, log)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	return workflows.Histories(
		cmd.Context(),
		c,
		cfg.Temporal.Namespace,
		perKind,
		func(name string, h *historypb.History) error {
			if err := codec.Open(cmd.Context(), h); err != nil {
				return fmt.Errorf("decrypt %s: %w", name, err)
			}
			raw, err := protojson.MarshalOptions{Multiline: true, Indent: " "}.Marshal(h)
			if err != nil {
				return fmt.Errorf("encode a history: %w", err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d events\n", name, len(h.GetEvents()))
			return os.WriteFile(filepath.Join(dir, name+".json"), raw, 0o644)
		},
	)
}

func checkHistories(cmd *cobra.Command, dir string) error {
	a, err := load(cmd)
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		return problem.New("no_histories", problem.Params{"folder": dir}, err)
	}
	var failed []error
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("read a history: %w", err)
		}
		var h historypb.History
		if err := protojson.Unmarshal(raw, &h); err != nil {
			return fmt.Errorf("%s is not a history: %w", file, err)
		}
		verdict := "goes on"
		if err := workflows.Replay(tlog.NewStructuredLogger(app.SDKLogger(a.Log)), &h); err != nil {
			verdict = "cannot go on"
			failed = append(failed, fmt.Errorf("%s: %w", filepath.Base(file), err))
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", filepath.Base(file), verdict)
	}
	return errors.Join(failed...)
}
