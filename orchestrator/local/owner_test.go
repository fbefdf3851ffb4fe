package local_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"munshi/orchestrator/local"
)

// As root, in a folder that no other user can enter, the data stays in the state folder if the kernel allows it.
func TestRootKeepsItsDataInTheStateFolder(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root has to become somebody else for PostgreSQL")
	}
	if exec.Command("unshare", "--user", "--map-user=1000", "true").Run() != nil {
		t.Skip("this kernel allows no user namespaces")
	}
	dir := t.TempDir() // only we can enter it
	state := filepath.Join(dir, ".munshi")
	options := onlyPostgres(t, state)
	stack := mustStart(t, options)
	execute(t, stack.DatabaseURL(), "create table kept (id int)")
	mustStop(t, stack)
	if info, err := os.Lstat(filepath.Join(state, "postgres")); err != nil || !info.IsDir() {
		t.Fatalf("the database is no folder of the state folder: %v, %v", info, err)
	}

	// So that the copy is real and has its own data.
	copied := filepath.Join(dir, "copy")
	if out, err := exec.Command("cp", "-a", state, copied).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	options.StateDir = copied
	second := mustStart(t, options)
	execute(t, second.DatabaseURL(), "drop table kept")
	mustStop(t, second)
	options.StateDir = state
	execute(t, mustStart(t, options).DatabaseURL(), "insert into kept values (1)")
}

// If another user runs the server, a copied state folder is refused, and a moved one is not.
func TestDataOutsideKnowTheirStateFolder(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root keeps data outside")
	}
	dir := t.TempDir()
	state := filepath.Join(dir, ".munshi")
	t.Cleanup(func() { removeOutside(t, filepath.Join(dir, "moved")) })
	options := onlyPostgres(t, state)
	local.AsOtherUser(options.Postgres)
	stack := mustStart(t, options)
	execute(t, stack.DatabaseURL(), "create table kept (id int)")
	mustStop(t, stack)

	copied := filepath.Join(dir, "copied")
	if out, err := exec.Command("cp", "-a", state, copied).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	options.StateDir = copied
	if text := mustFail(t, options, local.ErrRunning); !strings.Contains(text, "munshi backup") || !strings.Contains(text, state) {
		t.Errorf("the sentence is %q", text)
	}

	if err := os.RemoveAll(copied); err != nil {
		t.Fatal(err)
	}
	options.StateDir = filepath.Join(dir, "moved")
	if err := os.Rename(state, options.StateDir); err != nil {
		t.Fatal(err)
	}
	execute(t, mustStart(t, options).DatabaseURL(), "insert into kept values (1)")
}

func removeOutside(t *testing.T, state string) {
	outside, err := filepath.EvalSymlinks(filepath.Join(state, "postgres"))
	if err == nil && strings.HasPrefix(outside, "/var/lib/munshi/") {
		err = os.RemoveAll(outside)
	}
	if err != nil {
		t.Error(err)
	}
}
