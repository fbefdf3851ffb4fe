package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// If the address names several hosts, every connection uses the first host that accepts writes.
func TestSeveralHosts(t *testing.T) {
	address, err := url.Parse(localtest.Postgres(t))
	must(t, err)
	address.Host = "127.0.0.1:1," + address.Host
	query := address.Query()
	query.Set("target_session_attrs", "read-write")
	address.RawQuery = query.Encode()
	must(t, store.Migrate(t.Context(), address.String()))
	s, err := store.Open(t.Context(), address.String(), 2)
	must(t, err)
	defer s.Close()
	if _, err := s.NewVisitor(t.Context(), "token"); err != nil {
		t.Error(err)
	}
	d, err := store.Examine(t.Context(), address.String())
	must(t, err)
	if d.Schema == 0 || d.Schema != d.Newest || d.Replica || len(d.Unusable) > 0 {
		t.Errorf("the database is %+v", d)
	}
}

// A pooler that gives each transaction another session is refused; one in session mode works. The test needs Debian's
// pgbouncer.
func TestPooler(t *testing.T) {
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		t.Skip("pgbouncer is not installed")
	}
	for _, mode := range []string{"session", "transaction"} {
		t.Run(mode, func(t *testing.T) {
			address, err := url.Parse(localtest.Postgres(t))
			must(t, err)
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			must(t, err)
			_, port, _ := net.SplitHostPort(listener.Addr().String())
			must(t, listener.Close())
			password, _ := address.User.Password()
			config := fmt.Sprintf("[databases]\n* = host=%s port=%s user=%s password=%s\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %s\n"+
				"unix_socket_dir =\nauth_type = any\npool_mode = %s\nignore_startup_parameters = extra_float_digits\n",
				address.Hostname(), address.Port(), address.User.Username(), password, port, mode)
			file := filepath.Join(localtest.Folder(t), "pgbouncer.ini")
			must(t, os.WriteFile(file, []byte(config), 0o644))
			pooler := exec.Command(program, file)
			if os.Geteuid() == 0 { // pgbouncer refuses to run as root
				pooler.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			}
			var log bytes.Buffer
			pooler.Stderr = &log
			must(t, pooler.Start())
			defer func() {
				_ = pooler.Process.Kill()
				_ = pooler.Wait()
			}()
			address.Host = "127.0.0.1:" + port
			for {
				conn, err := net.Dial("tcp", address.Host)
				if err == nil {
					must(t, conn.Close())
					break
				}
				if t.Context().Err() != nil || pooler.Process.Signal(syscall.Signal(0)) != nil {
					t.Fatalf("%v: %s", err, log.String())
				}
				time.Sleep(20 * time.Millisecond)
			}
			err = store.Migrate(t.Context(), address.String())
			var refused *problem.Error
			if errors.As(err, &refused) != (mode == "transaction") || err != nil && refused == nil {
				t.Fatalf("the start says %v", err)
			}
			if _, err := store.Examine(t.Context(), address.String()); (err != nil) != (mode == "transaction") {
				t.Errorf("the examination says %v", err)
			}
		})
	}
}
