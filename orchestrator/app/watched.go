package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"munshi/config"
	"munshi/orchestrator/local"
	"munshi/orchestrator/recovery"
	"munshi/orchestrator/store"
	"munshi/orchestrator/telemetry"
)

// unfinished returns a function that returns the unfinished work of the whole product for its metrics.
func unfinished(s *store.Store, cfg config.Config) func(context.Context) (telemetry.Unfinished, error) {
	return func(ctx context.Context) (telemetry.Unfinished, error) {
		b, err := s.Backlog(ctx, time.Now().Add(-recovery.WakeFollowUps-recovery.Overdue))
		return telemetry.Unfinished{
			Open: b.Turns, Oldest: b.Oldest, Reading: b.Reading, Overdue: b.Overdue,
			SpentToday: b.SpentToday, SpendingCap: cfg.Spending.InstallationDayPaise,
			Replicas: b.Replicas, ReplicaBytes: b.ReplicaBytes,
		}, err
	}
}

// folders returns the folders to which this process, and the servers that it started, write, by what they hold.
func folders(cfg config.Config) map[string]string {
	written := map[string]string{"uploads": os.TempDir()} // they are buffered there
	if cfg.Temporal.Own {
		written["data"] = cfg.Local.StateDir
	}
	return written
}

// diskFree returns how many bytes are left for each folder.
func diskFree(folders map[string]string) map[string]uint64 {
	free := map[string]uint64{}
	for holds, folder := range folders {
		if bytes, known := local.Free(folder); known {
			free[holds] = bytes
		}
	}
	return free
}

// backupsLooked is how often the folder of backups is read for its metric.
const backupsLooked = time.Minute

// newestBackup returns a function that says when the newest backup was made; zero if that is unknown.
func newestBackup(cfg config.Config) func() time.Time {
	var mu sync.Mutex
	var looked, made time.Time
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(looked) < backupsLooked {
			return made
		}
		looked = time.Now()
		ours, other, err := backupsIn(cfg.Backups.Folder)
		if made = ours.made; err == nil && ours.path == "" && cfg.Database.URL != "" && !cfg.Temporal.Own {
			made = other.made
		}
		return made
	}
}

// backup is a file in the folder of backups; its path is empty if there is none.
type backup struct {
	path string
	made time.Time
}

func (b backup) orNewer(path string, made time.Time) backup {
	if b.path == "" || made.After(b.made) {
		return backup{path, made}
	}
	return b
}

// backupsIn returns the newest backup of ours in a folder, and the newest other file: with servers of one's own,
// backups have other forms.
func backupsIn(folder string) (ours, other backup, err error) {
	if folder == "" {
		return backup{}, backup{}, nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return backup{}, backup{}, fmt.Errorf("list the backups: %w", err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
			continue
		}
		path := filepath.Join(folder, entry.Name())
		about, known := local.RecogniseBackup(path)
		switch {
		case known && !about.Made.IsZero(): // the file may have been copied since
			ours = ours.orNewer(path, about.Made)
		case known:
			ours = ours.orNewer(path, info.ModTime())
		default:
			other = other.orNewer(path, info.ModTime())
		}
	}
	return ours, other, nil
}
