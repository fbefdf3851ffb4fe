// Command containers builds the product's image, starts docker-compose.yml with it, and breaks it on purpose. It stops
// at the first error. `make containers` runs it. It needs Debian and root, and takes about half an hour.
//
// The engine is Debian's Podman, with its storage under .cache/containers. It runs without control groups, so that it
// works inside containers and virtual machines that have none; so memory and CPU limits are not enforced.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// inside is the environment variable that marks the process in its own mount namespace.
const inside = "MUNSHI_CONTAINERS_INSIDE"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	chaosTime := flag.Duration("chaos", 5*time.Minute, "how long parts are broken at random")
	chaosSeed := flag.Uint64("seed", uint64(time.Now().Unix()), "by which chance decides what is broken")
	only := flag.String("only", "", "some parts, with commas between them, such as build,up,chaos")
	flag.Parse()
	var err error
	if os.Getenv(inside) == "" {
		err = enter()
	} else {
		err = run(ctx, *chaosTime, *chaosSeed, *only)
	}
	if errors.As(err, new(*exec.ExitError)) && os.Getenv(inside) == "" {
		os.Exit(1) // the inner process has printed the reason
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "containers:", err)
		stop()
		os.Exit(1)
	}
}

// enter runs this program again in a mount namespace where no cgroup2 file system is visible: if there is one next to
// the old hierarchies, crun uses only that.
func enter() error {
	if os.Geteuid() != 0 {
		return errors.New("run it as root: it starts a container engine of its own")
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Env = append(os.Environ(), inside+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGTERM}
	signal.Ignore(os.Interrupt) // the inner process also gets it, and cleans up
	return cmd.Run()
}

func run(ctx context.Context, chaosTime time.Duration, chaosSeed uint64, only string) (err error) {
	_ = unix.Unmount("/sys/fs/cgroup/unified", 0) // fails on most machines, which have none there
	root, err := filepath.Abs(".")
	if err != nil {
		return fmt.Errorf("find the source: %w", err)
	}
	began := time.Now()
	e, err := startEngine(ctx, root)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.stop()) }()
	if err := e.prepareImages(ctx); err != nil {
		return err
	}
	s, err := newStack(e, "munshi-drill")
	if err != nil {
		return err
	}
	s.chaosTime, s.chaosSeed = chaosTime, chaosSeed
	defer func() {
		if err != nil {
			s.explain()
		}
		err = errors.Join(err, s.down(context.WithoutCancel(ctx)))
	}()
	for _, part := range []struct {
		name, what string
		do         func(context.Context, *stack) error
	}{
		{"build", "build the image", build},
		{"inspect", "look into the image", inspect},
		{"up", "bring the stack up", bringUp},
		{"send", "send a text notice and a scan", sendNotices},
		{"confinement", "look at users, file systems and secrets", confinement},
		{"kills", "kill each part with -9 while a scan is read", kills},
		{"scale", "three of serve and of worker", scaleOut},
		{"roll", "the next version, with scans under way", roll},
		{"restore", "back up and restore into an empty stack", restore},
		{"chaos", "parts broken at random, several at once, with a provider that has storms", chaos},
		{"failover", "PostgreSQL's primary killed, its replica promoted", failOver},
	} {
		if only != "" && !slices.Contains(strings.Split(only, ","), part.name) {
			continue
		}
		fmt.Printf("\n== %s\n", part.what)
		at := time.Now()
		if err := part.do(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", part.what, err)
		}
		fmt.Printf("   held, in %s\n", time.Since(at).Round(time.Second))
	}
	e.summary()
	fmt.Printf("All held, in %s.\n", time.Since(began).Round(time.Second))
	return nil
}

func note(format string, args ...any) { fmt.Printf("   "+format+"\n", args...) }
