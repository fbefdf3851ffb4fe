//go:build soak && linux

package store_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store"
)

// debian is a PostgreSQL server of Debian's package, run with the commands of docs/operations.md.
type debian struct {
	t        *testing.T
	programs string
	dir      string // with data, base and archive
	port     string
	as       *syscall.Credential
}

func newDebian(t *testing.T) *debian {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pg_basebackup")
	postgres, err := user.Lookup("postgres")
	if len(found) == 0 || err != nil || os.Geteuid() != 0 {
		t.Skip("Debian's package postgresql is not installed, or we are not root")
	}
	uid, _ := strconv.Atoi(postgres.Uid)
	gid, _ := strconv.Atoi(postgres.Gid)
	dir, err := os.MkdirTemp("/var/tmp", "munshi-point-in-time-") // PostgreSQL's user can enter it
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.Chown(dir, uid, gid))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	d := &debian{t, filepath.Dir(found[len(found)-1]), dir, port, &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	t.Cleanup(func() { _ = d.command("pg_ctl -D data stop -m immediate").Run() })
	return d
}

func (d *debian) command(line string) *exec.Cmd {
	cmd := exec.Command("sh", "-euc", line)
	cmd.Dir = d.dir
	cmd.Env = []string{"PATH=" + d.programs + ":/usr/bin:/bin", "PGHOST=" + d.dir, "PGPORT=" + d.port, "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: d.as}
	return cmd
}

func (d *debian) run(line string) {
	d.t.Helper()
	d.t.Log(line)
	out, err := d.command(line).CombinedOutput()
	if err != nil {
		d.t.Fatalf("%v\n%s", err, out)
	}
}

func (d *debian) url() string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%s/postgres?sslmode=disable", d.port)
}

// After a recovery to a moment, everything accepted before it is there, whether it comes from the base backup or only
// from the archived log; later changes, such as a deletion by mistake, are not.
func TestSoakPointInTime(t *testing.T) {
	d := newDebian(t)
	d.run("initdb -D data -A trust -E UTF8 --locale=C.UTF-8 >/dev/null && mkdir archive")
	d.run(`cat >>data/postgresql.conf <<'CONF'
archive_mode = on
archive_command = 'test ! -f ` + d.dir + `/archive/%f && cp %p ` + d.dir + `/archive/%f'
listen_addresses = '127.0.0.1'
unix_socket_directories = '` + d.dir + `'
CONF`)
	start := "pg_ctl -D data -o '-p " + d.port + "' -w -l log start"
	d.run(start)
	must(t, store.Migrate(t.Context(), d.url()))
	accept := func(text string) store.Turn {
		t.Helper()
		s, err := store.Open(t.Context(), d.url(), 4)
		must(t, err)
		defer s.Close()
		visitor, err := s.NewVisitor(t.Context(), "token of "+text)
		must(t, err)
		c, err := s.CreateConversation(t.Context(), visitor, "notice")
		must(t, err)
		turn, _, err := s.Accept(t.Context(), store.NewTurn{Workspace: visitor, Conversation: c.ID, Text: text, Kind: "chat"})
		must(t, err)
		return turn
	}
	row := func(sql string, args ...any) (value string) {
		t.Helper()
		conn, err := pgx.Connect(t.Context(), d.url())
		must(t, err)
		defer conn.Close(context.WithoutCancel(t.Context()))
		must(t, conn.QueryRow(t.Context(), sql, args...).Scan(&value))
		return value
	}
	before := accept("before the base backup")
	d.run("pg_basebackup -D base -c fast -X none --no-sync")
	after := accept("after the base backup")
	time.Sleep(1100 * time.Millisecond)
	moment := row("select now()::text")
	time.Sleep(1100 * time.Millisecond)
	late := accept("after the moment")
	if gone := row("with gone as (delete from workspaces where kind = 'visitor' returning 1) select count(*)::text from gone"); gone != "3" {
		t.Fatalf("%s workspaces were deleted, want 3", gone)
	}
	row("select pg_switch_wal()::text") // so that the last of the log is archived too
	archived := row("select pg_walfile_name(pg_current_wal_lsn())")
	for range 100 {
		if row("select coalesce(max(last_archived_wal), '') from pg_stat_archiver") >= archived[:len(archived)-1] {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	d.run("pg_ctl -D data stop -m immediate && mv data lost && cp -a base data && touch data/recovery.signal")
	d.run(`cat >>data/postgresql.conf <<'CONF'
restore_command = 'cp ` + d.dir + `/archive/%f %p'
recovery_target_time = '` + moment + `'
recovery_target_action = 'promote'
CONF`)
	d.run(start)
	for range 300 {
		if row("select pg_is_in_recovery()::text") == "false" {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	var there []string
	for _, turn := range []store.Turn{before, after, late} {
		there = append(there, row("select count(*)::text from turns t join messages m on m.turn_id = t.id where t.id = $1 and t.state = 'queued'", turn.ID))
	}
	if got := strings.Join(there, " "); got != "1 1 0" {
		t.Errorf("of the turns before the backup, after it and after the moment there are %s, want 1 1 0", got)
	}
	if accepted := accept("after the recovery"); accepted.ID == late.ID {
		t.Error("nothing new is accepted")
	}
}
