package local_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.temporal.io/sdk/client"

	"munshi/orchestrator/local"
	"munshi/orchestrator/local/localtest"
)

func backup(t *testing.T, o local.BackupOptions) []byte {
	t.Helper()
	o.Munshi, o.Made = "test", time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	var file bytes.Buffer
	if err := local.Backup(t.Context(), o, &file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// A backup taken while people write is restored in an empty folder, after the original was killed: everything
// committed before the backup is there, including the keys, and Temporal knows its workflows.
func TestBackupAndRestore(t *testing.T) {
	state := stateDir(t)
	options := both(t, state)
	stack := mustStart(t, options)
	execute(t, stack.DatabaseURL(), "create table kept (id int primary key, words text)")
	converse(t, stack.TemporalAddress(), "before-the-backup")

	ctx, stop := context.WithCancel(t.Context())
	written := make(chan int, 1)
	go func() {
		conn, err := pgx.Connect(ctx, stack.DatabaseURL())
		if err != nil {
			t.Error(err)
			written <- 0
			return
		}
		defer conn.Close(context.Background())
		for n := 1; ; n++ {
			if _, err := conn.Exec(ctx, "insert into kept values ($1, repeat('x', 1000))", n); err != nil {
				written <- n - 1
				return
			}
		}
	}()
	eventually(t, "rows are written", func() error {
		if n := count(t, stack.DatabaseURL()); n < 50 {
			return fmt.Errorf("%d rows", n)
		}
		return nil
	})
	before := count(t, stack.DatabaseURL())
	keys := filepath.Join(state, "temporal-keys")
	if err := os.WriteFile(keys, []byte("key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := backup(t, local.BackupOptions{StateDir: state, Temporal: options.Temporal.Program, Passphrase: "sea of five",
		Files: map[string]string{"temporal-keys": keys, "missing": filepath.Join(state, "nothing")}})
	stop()
	total := <-written
	mustStop(t, stack)
	if err := os.RemoveAll(filepath.Join(state, "temporal")); err != nil {
		t.Fatal(err)
	}

	other := stateDir(t)
	options.StateDir = other
	restore := local.RestoreOptions{StateDir: other, Postgres: *options.Postgres, Files: map[string]string{"temporal-keys": filepath.Join(other, "temporal-keys")}}
	for name, c := range map[string]struct {
		passphrase, want string
		file             []byte
	}{
		"no passphrase":    {"", "is encrypted", file},
		"wrong passphrase": {"sea of six", "does not open", file},
		"cut":              {"sea of five", "damaged", file[:len(file)/2]},
		"nonsense":         {"", "not a Munshi backup", []byte("hello")},
		"empty":            {"", "not a Munshi backup", nil},
	} {
		t.Run(name, func(t *testing.T) {
			restore := restore
			restore.Passphrase = c.passphrase
			_, err := local.Restore(t.Context(), restore, bytes.NewReader(c.file))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			left, err := os.ReadDir(other)
			if err != nil {
				t.Fatal(err)
			}
			for _, entry := range left {
				if entry.Name() != "lock" {
					t.Errorf("it leaves %s", entry.Name())
				}
			}
		})
	}
	restore.Passphrase = "sea of five"
	t.Run("a file that cannot be put", func(t *testing.T) {
		restore := restore
		restore.Files = map[string]string{"temporal-keys": filepath.Join(keys, "below-a-file")}
		if _, err := local.Restore(t.Context(), restore, bytes.NewReader(file)); err == nil {
			t.Fatal("it is restored without its keys")
		}
		for _, part := range []string{"temporal", "postgres"} {
			if _, err := os.Lstat(filepath.Join(other, part)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("it leaves %s", part)
			}
		}
	})
	restore.Files = map[string]string{"temporal-keys": filepath.Join(other, "kept", "temporal-keys")}
	encrypted := filepath.Join(t.TempDir(), "encrypted.backup")
	if err := os.WriteFile(encrypted, file, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ours := local.RecogniseBackup(encrypted); !ours {
		t.Error("it is not recognised as a backup")
	}
	about, err := local.Restore(t.Context(), restore, bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if about.Munshi != "test" || about.Postgres == "" {
		t.Errorf("it says of itself %+v", about)
	}
	if got := read(t, filepath.Join(other, "kept", "temporal-keys")); got != "key\n" {
		t.Errorf("the keys are %q", got)
	}
	again := mustStart(t, options)
	if n := count(t, again.DatabaseURL()); n < before || n > total {
		t.Errorf("%d rows are back; there were %d before and %d after the backup", n, before, total)
	}
	if got := answer(t, again.TemporalAddress(), "before-the-backup"); got == "" {
		t.Error("Temporal does not know the workflow")
	}
	if _, err := local.Restore(t.Context(), restore, bytes.NewReader(file)); err == nil {
		t.Error("it is restored over a folder in use")
	}
}

func count(t *testing.T, address string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(t.Context(), "select count(*) from kept").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// If nothing was ever started, there is nothing to back up.
func TestBackupOfNothing(t *testing.T) {
	err := local.Backup(t.Context(), local.BackupOptions{StateDir: filepath.Join(localtest.Folder(t), "none")}, &bytes.Buffer{})
	if err == nil {
		t.Fatal("a backup of nothing was made")
	}
}

// answer returns the result of a workflow that has ended.
func answer(t *testing.T, address, id string) (answer string) {
	t.Helper()
	c, err := client.DialContext(t.Context(), client.Options{HostPort: address, Logger: quiet{}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.GetWorkflow(t.Context(), id, "").Get(t.Context(), &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}
