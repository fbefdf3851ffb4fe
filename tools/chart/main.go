// Command chart lints the Helm chart of deploy/chart, checks its output against the schemas of Kubernetes, and
// installs, upgrades, rolls back and uninstalls it on a real API server. It stops at the first error. `make chart`
// runs it.
//
// The API server, its controllers and scheduler, Helm and kubeconform are built from their Go modules, which takes
// about half an hour the first time; etcd is Debian's. There is no kubelet: this program only reports what a kubelet
// would do to pods (kubelet.go), and nothing of the product runs.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"munshi/tools/drills"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "chart:", err)
		stop()
		os.Exit(1)
	}
}

// drill is what the steps share.
type drill struct {
	root    string // the product's source
	dir     string // everything that is built, and kept while it runs
	cluster *cluster
	kubelet *kubelet
	metrics *metricsServer
	secrets map[string]string // values that must not be found anywhere
	before  string            // the manifest that was installed first
}

func run(ctx context.Context) (err error) {
	root, err := filepath.Abs(".")
	if err != nil {
		return fmt.Errorf("find the source: %w", err)
	}
	began := time.Now()
	d := &drill{root: root, dir: filepath.Join(root, ".cache", "chart")}
	defer func() { err = errors.Join(err, d.stop()) }()
	for _, part := range []struct {
		what string
		do   func(context.Context) error
	}{
		{"have the programs", d.programs},
		{"lint", d.lint},
		{"render, and look for secrets", d.render},
		{"hold it against the schemas", d.schemas},
		{"start an API server", d.start},
		{"what is refused", d.refusals},
		{"install", d.install},
		{"upgrade to other values", d.upgrade},
		{"drain a node", d.drain},
		{"let the backlog grow", d.backlog},
		{"ask whether it is ready, as `helm test` does", d.test},
		{"look for secrets in what the cluster keeps", d.kept},
		{"roll back", d.rollback},
		{"uninstall", d.uninstall},
	} {
		fmt.Printf("\n== %s\n", part.what)
		at := time.Now()
		if err := part.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", part.what, err)
		}
		fmt.Printf("   held, in %s\n", time.Since(at).Round(time.Second))
	}
	fmt.Println(
		"\nAccepted by the API server, never run: everything that a kubelet or a network does (see docs/operations.md).",
	)
	fmt.Printf("All held, in %s.\n", time.Since(began).Round(time.Second))
	return nil
}

func (d *drill) stop() error {
	if d.cluster == nil {
		return nil
	}
	return d.cluster.stop()
}

func note(format string, args ...any) { fmt.Printf("   "+format+"\n", args...) }

func (d *drill) path(parts ...string) string {
	return filepath.Join(append([]string{d.dir}, parts...)...)
}

// command runs a program to its end and returns its output, which is also part of an error.
func (d *drill) command(ctx context.Context, env []string, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = d.root, append(os.Environ(), env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 30 * time.Second
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%s %s: %w\n%s%s", filepath.Base(program), strings.Join(args, " "), err,
			drills.LastLines(out.String(), 30), drills.LastLines(said.String(), 30))
	}
	return out.String(), nil
}
