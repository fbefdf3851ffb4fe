package local

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"filippo.io/age"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"munshi/orchestrator/problem"
)

// The format of a backup: a gzipped tar, encrypted with age if there is a passphrase.
const (
	backupFormat   = 1
	backupAbout    = "munshi-backup.json"
	backupPassword = "postgres/password"
	backupData     = "postgres/data/"
	backupTemporal = "temporal/"
	backupFiles    = "files/"
)

// BackupAbout describes a backup. It is the first file in the backup.
type BackupAbout struct {
	Format   int       `json:"format"`
	Made     time.Time `json:"made"` // UTC
	Munshi   string    `json:"munshi"`
	Postgres string    `json:"postgres"` // major version
}

// BackupOptions say what to back up.
type BackupOptions struct {
	StateDir string
	Port     int    // port of PostgreSQL, as in Postgres
	Temporal string // path of the temporal-dev program; empty leaves out Temporal, if it runs elsewhere
	Munshi   string // our version
	// Files are additional files by their names in the backup, under which Restore returns them. Missing files are
	// left out.
	Files map[string]string
	// Passphrase encrypts the backup; if it is empty, the backup is not encrypted.
	Passphrase string
	Made       time.Time
}

// Backup writes a consistent copy of the data of a running Stack without stopping it: first Temporal's files, then
// PostgreSQL's, including the log that makes them consistent. PostgreSQL comes last because it knows best what was
// accepted; work that Temporal does not know is started again. If no Stack is running, it returns ErrNotStarted or a
// failure to connect.
func Backup(ctx context.Context, o BackupOptions, w io.Writer) (err error) {
	state, err := filepath.Abs(o.StateDir)
	if err != nil {
		return fmt.Errorf("find state folder: %w", err)
	}
	address, err := DatabaseURL(state, o.Port)
	if err != nil {
		return err
	}
	if o.Passphrase != "" {
		recipient, err := age.NewScryptRecipient(o.Passphrase)
		if err != nil {
			return fmt.Errorf("prepare the encryption: %w", err)
		}
		encrypted, err := age.Encrypt(w, recipient)
		if err != nil {
			return fmt.Errorf("begin the encryption: %w", err)
		}
		defer func() { err = errors.Join(err, encrypted.Close()) }()
		w = encrypted
	}
	packed, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
	defer func() { err = errors.Join(err, packed.Close()) }()
	out := tar.NewWriter(packed)
	defer func() {
		if err == nil { // otherwise a truncated tar would be padded, and look complete
			err = out.Close()
		}
	}()

	home := newPostgres(Postgres{}, state).home
	major, err := os.ReadFile(filepath.Join(home, "data", "PG_VERSION"))
	if err != nil {
		return folderProblem(home, err)
	}
	about, err := json.Marshal(BackupAbout{Format: backupFormat, Made: o.Made.UTC(), Munshi: o.Munshi,
		Postgres: strings.TrimSpace(string(major))})
	if err != nil {
		return err
	}
	if err := addBytes(out, backupAbout, about); err != nil {
		return err
	}
	for name, path := range o.Files {
		if err := addFile(out, backupFiles+name, path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := addFile(out, backupPassword, filepath.Join(home, "password")); err != nil {
		return err
	}
	if o.Temporal != "" {
		if err := backupTemporalFiles(ctx, out, o.Temporal, filepath.Join(state, "temporal")); err != nil {
			return err
		}
	}
	return baseBackup(ctx, out, address)
}

func addBytes(out *tar.Writer, name string, content []byte) error {
	if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(content)),
		Typeflag: tar.TypeReg}); err != nil {
		return fmt.Errorf("write %s to the backup: %w", name, err)
	}
	if _, err := out.Write(content); err != nil {
		return fmt.Errorf("write %s to the backup: %w", name, err)
	}
	return nil
}

func addFile(out *tar.Writer, name, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return folderProblem(filepath.Dir(path), err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("look at %s: %w", path, err)
	}
	if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: info.Size(),
		Typeflag: tar.TypeReg}); err != nil {
		return fmt.Errorf("write %s to the backup: %w", name, err)
	}
	if _, err := io.CopyN(out, file, info.Size()); err != nil {
		return fmt.Errorf("write %s to the backup: %w", name, err)
	}
	return nil
}

// backupTemporalFiles lets Temporal's program make consistent copies of its files, and adds the copies to the backup.
func backupTemporalFiles(ctx context.Context, out *tar.Writer, program, data string) error {
	copies, err := os.MkdirTemp(data, "backup-*")
	if err != nil {
		return folderProblem(data, err)
	}
	defer os.RemoveAll(copies)
	if text, err := exec.CommandContext(ctx, program, "--data", data, "--backup", copies).CombinedOutput(); err != nil {
		return fmt.Errorf("copy Temporal's files: %w: %s", err, lastLine(string(text)))
	}
	names, err := os.ReadDir(copies)
	if err != nil {
		return folderProblem(copies, err)
	}
	for _, name := range names {
		if err := addFile(out, backupTemporal+name.Name(), filepath.Join(copies, name.Name())); err != nil {
			return err
		}
	}
	return nil
}

// baseBackup uses PostgreSQL's backup over the replication protocol, since the packaged programs include no backup
// tool: https://www.postgresql.org/docs/17/protocol-replication.html, BASE_BACKUP.
func baseBackup(ctx context.Context, out *tar.Writer, address string) error {
	parsed, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("read the database's address: %w", err)
	}
	query := parsed.Query()
	query.Set("replication", "true")
	parsed.RawQuery = query.Encode()
	conn, err := pgconn.Connect(ctx, parsed.String())
	if err != nil {
		return fmt.Errorf("connect to PostgreSQL for a backup: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	// The slot makes PostgreSQL keep its log until it is in the backup; it ends with the connection.
	if err := conn.Exec(ctx,
		"CREATE_REPLICATION_SLOT munshi_backup TEMPORARY PHYSICAL RESERVE_WAL").Close(); err != nil {
		return fmt.Errorf("keep PostgreSQL's log for the backup: %w", err)
	}
	conn.Frontend().
		Send(&pgproto3.Query{String: "BASE_BACKUP (LABEL 'munshi', CHECKPOINT 'fast', WAL true, MANIFEST 'no')"})
	if err := conn.Frontend().Flush(); err != nil {
		return fmt.Errorf("ask PostgreSQL for a backup: %w", err)
	}
	archive, received := io.Pipe()
	repacked := make(chan error, 1)
	go func() {
		err := repack(out, archive)
		archive.CloseWithError(err)
		repacked <- err
	}()
	err = receiveArchive(ctx, conn, received)
	received.CloseWithError(err)
	if repackErr := <-repacked; repackErr != nil {
		return repackErr
	}
	return err
}

// receiveArchive writes the tar that PostgreSQL sends; there is only one table space.
func receiveArchive(ctx context.Context, conn *pgconn.PgConn, w *io.PipeWriter) error {
	archives := 0
	for {
		message, err := conn.ReceiveMessage(ctx)
		if err != nil {
			return fmt.Errorf("receive PostgreSQL's backup: %w", err)
		}
		switch m := message.(type) {
		case *pgproto3.CopyData:
			switch {
			case len(m.Data) == 0:
			case m.Data[0] == 'n':
				if archives++; archives > 1 {
					return errors.New("this database has table spaces of its own, which a backup does not take")
				}
			case m.Data[0] == 'd':
				if _, err := w.Write(m.Data[1:]); err != nil {
					return err
				}
			}
		case *pgproto3.ErrorResponse:
			return fmt.Errorf("PostgreSQL's backup: %w", pgconn.ErrorResponseToPgError(m))
		case *pgproto3.ReadyForQuery:
			if archives == 0 {
				return errors.New("PostgreSQL sent no backup")
			}
			return nil
		}
	}
}

// repack copies the files of PostgreSQL's tar, which has no end mark, into ours.
func repack(out *tar.Writer, archive io.Reader) error {
	in := tar.NewReader(archive)
	for {
		header, err := in.Next()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, archive)
			return err
		}
		if err != nil {
			return fmt.Errorf("read PostgreSQL's backup: %w", err)
		}
		kept := tar.Header{
			Name:     backupData + header.Name,
			Mode:     header.Mode & 0o700,
			Size:     header.Size,
			Typeflag: header.Typeflag,
			ModTime:  header.ModTime,
		}
		if header.Typeflag != tar.TypeReg && header.Typeflag != tar.TypeDir {
			return fmt.Errorf("PostgreSQL's backup has %s, which is neither a file nor a folder", header.Name)
		}
		if err := out.WriteHeader(&kept); err != nil {
			return fmt.Errorf("write PostgreSQL's files to the backup: %w", err)
		}
		if _, err := io.Copy(out, in); err != nil {
			return fmt.Errorf("write PostgreSQL's files to the backup: %w", err)
		}
	}
}

// RestoreOptions say what to restore, and where.
type RestoreOptions struct {
	StateDir   string
	Postgres   Postgres
	Passphrase string
	// Files are the target paths of additional files, by their names in the backup. Existing files are not replaced.
	Files map[string]string
}

// Restore creates the state folder from a backup. The folder must hold no data; if anything fails, it is left as it
// was. The error is a *problem.Error if a person can solve it: a wrong passphrase, a file that is no backup, a folder
// in use.
func Restore(ctx context.Context, o RestoreOptions, r io.Reader) (about BackupAbout, err error) {
	state, err := filepath.Abs(o.StateDir)
	if err != nil {
		return about, fmt.Errorf("find state folder: %w", err)
	}
	if err := os.MkdirAll(state, 0o711); err != nil {
		return about, folderProblem(state, err)
	}
	lock, err := lockState(state)
	if err != nil {
		return about, err
	}
	defer lock.Close()
	for _, part := range []string{"postgres", "temporal"} {
		if _, err := os.Lstat(filepath.Join(state, part)); !errors.Is(err, os.ErrNotExist) {
			return about, problem.New("restore_folder_in_use", problem.Params{"folder": state},
				because(ErrRunning, err))
		}
	}
	draft, err := os.MkdirTemp(state, "restore-*")
	if err != nil {
		return about, folderProblem(state, err)
	}
	defer os.RemoveAll(draft)
	if about, err = unpack(draft, o.Passphrase, r); err != nil {
		return about, err
	}
	if err := giveToServer(ctx, o.Postgres, state, filepath.Join(draft, "postgres")); err != nil {
		return about, err
	}
	var put []string // nothing half-restored stays, so that the restore can be tried again
	defer func() {
		if err != nil {
			for _, path := range put {
				_ = os.RemoveAll(path)
			}
		}
	}()
	for name, path := range o.Files {
		if _, err := os.Lstat(filepath.Join(draft, "files", name)); err != nil {
			continue // it is not in the backup
		}
		switch err := putFile(filepath.Join(draft, "files", name), path); {
		case err == nil:
			put = append(put, path)
		case !errors.Is(err, os.ErrExist):
			return about, folderProblem(filepath.Dir(path), err)
		}
	}
	for _, part := range []string{"temporal", "postgres"} {
		path := filepath.Join(state, part)
		switch err := os.Rename(filepath.Join(draft, part), path); {
		case err == nil:
			put = append(put, path)
		case !errors.Is(err, os.ErrNotExist):
			return about, folderProblem(state, err)
		}
	}
	return about, syncDir(state)
}

// putFile moves a file of the draft to its place, perhaps on another file system; os.ErrExist if a file is there.
func putFile(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	err := os.Link(from, to)
	if !errors.Is(err, syscall.EXDEV) {
		return err
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		_ = os.Remove(to)
	}
	return err
}

func unpack(draft, passphrase string, r io.Reader) (about BackupAbout, err error) {
	broken := func(err error) error {
		if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
			return diskFull(draft, err)
		}
		return problem.New("restore_damaged", problem.Params{"reason": err}, because(ErrDamaged, err))
	}
	start := bufio.NewReader(r)
	r = start
	encrypted, err := Encrypted(start)
	if err != nil {
		return about, err
	}
	if encrypted {
		if passphrase == "" {
			return about, problem.New("restore_encrypted", nil, ErrPermission)
		}
		identity, err := age.NewScryptIdentity(passphrase)
		if err != nil {
			return about, fmt.Errorf("prepare the decryption: %w", err)
		}
		if r, err = age.Decrypt(r, identity); err != nil {
			return about, problem.New("restore_wrong_passphrase", nil, because(ErrPermission, err))
		}
	}
	unpacked, err := gzip.NewReader(r)
	if err != nil {
		return about, broken(err)
	}
	in := tar.NewReader(unpacked)
	for first := true; ; first = false {
		header, err := in.Next()
		if errors.Is(err, io.EOF) && !first {
			break
		}
		if err != nil {
			return about, broken(err)
		}
		if first {
			if err := json.NewDecoder(in).Decode(&about); err != nil || header.Name != backupAbout {
				return about, broken(fmt.Errorf("it does not begin with %s", backupAbout))
			}
			if about.Format != backupFormat {
				return about, problem.New("restore_newer", problem.Params{"version": about.Munshi}, ErrIncompatible)
			}
			continue
		}
		if err := unpackOne(draft, header, in); err != nil {
			return about, broken(err)
		}
	}
	if _, err := os.Stat(filepath.Join(draft, "postgres", "data", "PG_VERSION")); err != nil {
		return about, broken(errors.New("it has no database"))
	}
	return about, nil
}

// RecogniseBackup reports whether a file is a backup that Backup finished writing. An encrypted one shows only that
// it is encrypted, so it may be incomplete. It returns the backup's description of itself, which is empty if it is
// encrypted.
func RecogniseBackup(path string) (about BackupAbout, ours bool) {
	if strings.HasSuffix(path, UnfinishedBackup) {
		return about, false
	}
	file, err := os.Open(path)
	if err != nil {
		return about, false
	}
	defer file.Close()
	start := bufio.NewReader(file)
	if encrypted, err := Encrypted(start); err != nil || encrypted {
		return about, encrypted
	}
	unpacked, err := gzip.NewReader(start)
	if err != nil {
		return about, false
	}
	in := tar.NewReader(unpacked)
	header, err := in.Next()
	if err != nil || header.Name != backupAbout {
		return about, false
	}
	return about, json.NewDecoder(in).Decode(&about) == nil
}

// UnfinishedBackup ends the name of a backup that is still being written.
const UnfinishedBackup = ".part"

const ageHead = "age-encryption.org/"

// Encrypted reports whether the backup at the beginning of r needs a passphrase. It does not consume a *bufio.Reader.
func Encrypted(r io.Reader) (bool, error) {
	start, ok := r.(*bufio.Reader)
	if !ok {
		start = bufio.NewReader(r)
	}
	head, err := start.Peek(len(ageHead))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("read the backup: %w", err)
	}
	return string(head) == ageHead, nil
}

func unpackOne(draft string, header *tar.Header, content io.Reader) error {
	if !filepath.IsLocal(header.Name) {
		return fmt.Errorf("%q leads out of the folder", header.Name)
	}
	path := filepath.Join(draft, header.Name)
	if header.Typeflag == tar.TypeDir {
		return os.MkdirAll(path, 0o700)
	}
	if header.Typeflag != tar.TypeReg {
		return fmt.Errorf("%q is neither a file nor a folder", header.Name)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, content); err != nil {
		_ = file.Close()
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// giveToServer gives the restored files to the user under which the server will run.
func giveToServer(ctx context.Context, options Postgres, state, home string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	p := newPostgres(options, state)
	if err := linkLibraries(options.Programs); err != nil {
		return err
	}
	if err := p.chooseUser(ctx); err != nil || p.user == nil {
		return err
	}
	return filepath.WalkDir(home, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(path, int(p.user.Uid), int(p.user.Gid))
	})
}
