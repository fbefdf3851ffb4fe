package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"munshi/orchestrator/local"
	"munshi/orchestrator/problem"
)

// backupFiles returns the files in a backup besides the databases, by their names in it.
func backupFiles(a *App) map[string]string {
	return map[string]string{
		"temporal-keys": KeysFile(a.Config),
		"munshi.yaml":   filepath.Join(a.Config.Home, "config", "munshi.yaml"),
	}
}

// Backup writes everything that `munshi run` stores to w. The product may be running; if not, it is started for the
// backup only.
func Backup(ctx context.Context, a *App, passphrase string, made time.Time, w io.Writer) error {
	cfg := a.Config
	if cfg.Database.URL != "" {
		return problem.New("backup_own_servers", nil, nil)
	}
	if _, err := local.DatabaseURL(cfg.Local.StateDir, cfg.Local.PostgresPort); errors.Is(err, local.ErrNotStarted) {
		return problem.New("backup_nothing", problem.Params{"folder": cfg.Local.StateDir}, err)
	} else if err != nil {
		return err
	}
	_, stack, err := BringUp(ctx, cfg, a.Log, nil)
	if err != nil && !errors.Is(err, local.ErrRunning) {
		return err
	}
	if stack != nil {
		defer func() { _ = stack.Stop(context.WithoutCancel(ctx)) }()
	}
	options := local.BackupOptions{
		StateDir:   cfg.Local.StateDir,
		Port:       cfg.Local.PostgresPort,
		Munshi:     a.Version,
		Passphrase: passphrase,
		Made:       made,
		Files:      backupFiles(a),
	}
	if cfg.Temporal.Address == "" {
		options.Temporal = cfg.Local.TemporalBin
	}
	return local.Backup(ctx, options, w)
}

// BackupIsEncrypted reports whether a backup needs a passphrase. It leaves the file's position unchanged.
func BackupIsEncrypted(file *os.File) (bool, error) {
	encrypted, err := local.Encrypted(file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return false, fmt.Errorf("read the backup: %w", err)
	}
	return encrypted, nil
}

// Restore creates the state folder from a backup.
func Restore(ctx context.Context, a *App, passphrase string, backup io.Reader) (local.BackupAbout, error) {
	files := backupFiles(a)
	// for comparison with the present configuration
	files["munshi.yaml"] = filepath.Join(a.Config.Local.StateDir, "munshi.yaml.restored")
	return local.Restore(ctx, local.RestoreOptions{StateDir: a.Config.Local.StateDir,
		Postgres: local.Postgres{Programs: postgresPrograms(a.Config)}, Passphrase: passphrase, Files: files}, backup)
}
