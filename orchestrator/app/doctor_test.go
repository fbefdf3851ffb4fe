package app_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munshi/orchestrator/cmd"
	"munshi/orchestrator/local"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/store"
)

// installation is what a command finds in its environment.
type installation map[string]string

func (i installation) doctor(t *testing.T, args ...string) (string, error) {
	t.Helper()
	for name, value := range i {
		t.Setenv(name, value)
	}
	var out bytes.Buffer
	c := cmd.Command("test")
	c.SetArgs(append([]string{"doctor"}, args...))
	c.SetOut(&out)
	c.SetErr(&out)
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

// made returns a working installation with external servers.
func made(t *testing.T) installation {
	t.Helper()
	database := localtest.Postgres(t)
	must(t, store.Migrate(t.Context(), database))
	return installation{"DATABASE_URL": database, "TEMPORAL_ADDRESS": localtest.Temporal(t), "MUNSHI_HOME": localtest.Root(t),
		"MUNSHI_TEMPORAL_KEYS": "one:dGhlIGJlbmNoIGhhcyBubyBzZWNyZXRzIGF0IGFsbCE=", "MUNSHI_MODEL_KEY": "", "LC_ALL": "C"}
}

// backupOf returns the beginning of a backup that was made this long ago.
func backupOf(t *testing.T, age time.Duration) []byte {
	t.Helper()
	about, err := json.Marshal(local.BackupAbout{Format: 1, Made: time.Now().Add(-age)})
	must(t, err)
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	out := tar.NewWriter(packed)
	must(t, out.WriteHeader(&tar.Header{Name: "munshi-backup.json", Mode: 0o600, Size: int64(len(about))}))
	_, err = out.Write(about)
	must(t, err)
	must(t, out.Close())
	must(t, packed.Close())
	return b.Bytes()
}

// aged writes a file that was last changed this long ago.
func aged(t *testing.T, file string, age time.Duration, content []byte) {
	t.Helper()
	must(t, os.WriteFile(file, content, 0o600))
	must(t, os.Chtimes(file, time.Time{}, time.Now().Add(-age)))
}

func TestDoctorFindsNothing(t *testing.T) {
	backups := t.TempDir()
	aged(t, filepath.Join(backups, "munshi.backup"), time.Minute, backupOf(t, 61*time.Minute)) // copied later
	aged(t, filepath.Join(backups, "notes.txt"), 0, []byte("not a backup"))
	aged(t, filepath.Join(backups, "next.backup.part"), 0, backupOf(t, 0)) // still being written
	well := answering(t, `{"status": "ok", "parts": {"postgres": "ok"}, "version": "test"}`, 0)
	said, err := made(t).doctor(t, "--backups", backups, "--processes", well)
	if err != nil || strings.Contains(said, "mend") {
		t.Fatalf("%v:\n%s", err, said)
	}
	for _, part := range []string{"PostgreSQL 17 answers", "Temporal ", "The keys come from", "have no mistakes", "can be written to", "1 hours old",
		"machine and of PostgreSQL agree", "machine and of Temporal agree", "machine and of http://" + well + " agree", "is healthy and runs this release"} {
		if !strings.Contains(said, part) {
			t.Errorf("nothing is said of %q:\n%s", part, said)
		}
	}
}

// With your own servers a backup may have any form, so a person has to look at it.
func TestDoctorNamesAFileThatMayBeABackup(t *testing.T) {
	backups := t.TempDir()
	aged(t, filepath.Join(backups, "dump.sql"), 3*time.Hour, []byte("-- PostgreSQL database dump"))
	said, err := made(t).doctor(t, "--backups", backups)
	if err != nil || !strings.Contains(said, "watch The newest file in "+backups) || !strings.Contains(said, "dump.sql, 3 hours old") {
		t.Errorf("%v:\n%s", err, said)
	}
}

// Each installation has one fault, and exactly that fault is reported.
func TestDoctorFindsWhatIsBroken(t *testing.T) {
	sound := made(t)
	dir := t.TempDir()
	within := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(within("keys"), []byte(sound["MUNSHI_TEMPORAL_KEYS"]+"\n"), 0o644))
	must(t, os.Mkdir(within("backups"), 0o700))
	aged(t, within("backups/old.backup"), 50*time.Hour, []byte("age-encryption.org/v1\n-> scrypt"))
	aged(t, within("backups/notes.txt"), time.Hour, []byte("not a backup"))
	must(t, os.CopyFS(within("prompts"), os.DirFS(filepath.Join(localtest.Root(t), "prompts"))))
	must(t, os.WriteFile(within("prompts/notice/plugin.yaml"), []byte("name: [\n"), 0o600))
	password := strings.Replace(sound["DATABASE_URL"], "@", "-wrong@", 1)
	for _, c := range []struct {
		name   string
		change installation
		args   []string
		want   []string
	}{
		{"no database", installation{"DATABASE_URL": "postgres://munshi@127.0.0.1:1/munshi"}, nil, []string{"PostgreSQL does not answer at 127.0.0.1", "Check DATABASE_URL"}},
		{"a wrong password", installation{"DATABASE_URL": password}, nil, []string{"PostgreSQL does not answer at", "password authentication failed"}},
		{"an empty database", installation{"DATABASE_URL": localtest.Postgres(t)}, nil, []string{"Run `munshi migrate`"}},
		{"no Temporal", installation{"TEMPORAL_ADDRESS": "127.0.0.1:1"}, nil, []string{"Temporal does not answer at 127.0.0.1:1"}},
		{"no namespace", installation{"TEMPORAL_NAMESPACE": "elsewhere"}, nil, []string{"has no namespace elsewhere"}},
		{"no keys", installation{"MUNSHI_TEMPORAL_KEYS": ""}, nil, []string{"munshi keys new"}},
		{"keys that all can read", installation{"MUNSHI_TEMPORAL_KEYS": "", "MUNSHI_TEMPORAL_KEYS_FILE": within("keys")}, nil, []string{"chmod 600"}},
		{"a broken prompt", installation{"MUNSHI_PROMPTS_DIR": within("prompts")}, nil, []string{"have mistakes: 1", "munshi prompts lint"}},
		{"a language that is not installed", installation{"MUNSHI_READING_LANGUAGES": "eng,xyz"}, nil, []string{"Text recognition does not have xyz"}},
		{"a disk that takes nothing", installation{"TMPDIR": within("gone")}, nil, []string{"Nothing can be written to " + within("gone")}},
		{"a certificate that has ended", installation{"MUNSHI_SERVER_PUBLIC_URL": ended(t)}, nil, []string{"ended on", "Renew it"}},
		{"clocks apart", installation{"MUNSHI_SERVER_PUBLIC_URL": late(t)}, nil, []string{"Synchronise both with a time server"}},
		{"a process with another clock", nil, []string{"--processes", answering(t, `{"version": "test"}`, -90*time.Second)}, []string{"differs from this machine's by", "Synchronise both"}},
		{"a process that lacks something", nil, []string{"--processes", answering(t, `{"parts": {"disk": "The disk is full."}, "version": "test"}`, 0)}, []string{"is not healthy. disk: The disk is full."}},
		{"a process that is away", nil, []string{"--processes", "127.0.0.1:1"}, []string{"http://127.0.0.1:1 does not report its state"}},
		{"an old backup in the folder that is set", installation{"MUNSHI_BACKUPS_FOLDER": within("backups")}, nil, []string{"50 hours old", "it should be at most 26"}},
		{"an old backup", nil, []string{"--backups", within("backups"), "--oldest", "24h"}, []string{"50 hours old", "it should be at most 24"}},
		{"no backup", nil, []string{"--backups", t.TempDir()}, []string{"There is no backup in"}},
		{"in Hindi", installation{"DATABASE_URL": localtest.Postgres(t)}, []string{"--language", "hi"}, []string{"`munshi migrate` चलाएँ"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			broken := installation{}
			for name, value := range sound {
				broken[name] = value
			}
			for name, value := range c.change {
				broken[name] = value
			}
			said, err := broken.doctor(t, c.args...)
			if err == nil {
				t.Errorf("nothing is to be mended:\n%s", said)
			}
			mend := 0
			for line := range strings.Lines(said) {
				if !strings.HasPrefix(line, "mend") {
					continue
				}
				mend++
				for _, part := range c.want {
					if !strings.Contains(line, part) {
						t.Errorf("%q is not in %s", part, line)
					}
				}
			}
			if mend != 1 {
				t.Errorf("%d things are to be mended:\n%s", mend, said)
			}
		})
	}
}

// ended serves with an expired certificate.
func ended(t *testing.T) string {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, NotBefore: time.Now().AddDate(-1, 0, 0), NotAfter: time.Now().AddDate(0, 0, -1)}
	raw, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	must(t, err)
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
}

// answering is the operators' address of a running process whose clock is ahead.
func answering(t *testing.T, ready string, ahead time.Duration) (address string) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
		_, _ = io.WriteString(w, ready)
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

// late serves with a clock that is behind.
func late(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", time.Now().Add(-90*time.Second).UTC().Format(http.TimeFormat))
	}))
	t.Cleanup(s.Close)
	return s.URL
}
