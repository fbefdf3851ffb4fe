// Command temporal-dev is the Temporal server that `make run` starts: one process with SQLite files and Temporal's Web
// UI, reachable only from this machine. It has its own module, so that the server's dependencies do not enter the
// product's go.mod. It is not for production, where TEMPORAL_ADDRESS must point to a real cluster.
//
// Once workflows can be started and the Web UI answers, it prints one line on standard output ("ready", followed by
// key=value pairs). The log goes to standard error. SIGINT and SIGTERM stop it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"go.temporal.io/server/common/headers"
)

func main() {
	var o options
	flag.StringVar(&o.data, "data", "", "folder of the database file temporal-<server version>.db (required)")
	flag.IntVar(&o.port, "port", 7233, "port of the server (gRPC)")
	flag.IntVar(&o.uiPort, "ui-port", 8233, "port of the Web UI")
	flag.StringVar(&o.namespace, "namespace", "default", "namespace to create when it is not there")
	flag.StringVar(&o.logLevel, "log-level", "error", "debug, info, warn or error")
	flag.StringVar(&o.codec, "codec", "", "address of a codec server, with which the Web UI shows encoded payloads")
	backup := flag.String("backup", "", "only copy the database files to this folder, also while a server uses them")
	flag.Parse()
	o.uiKey = os.Getenv(uiKeyVariable)

	// The server's garbage is short-lived and its heap small: collecting less often saves a tenth of its time, at the
	// cost of memory, which this limit bounds.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(512 << 20)
	}
	task := func() error { return run(o) }
	if *backup != "" {
		task = func() error { return copyDatabases(o.data, *backup) }
	}
	if err := task(); err != nil {
		fmt.Fprintln(os.Stderr, "temporal-dev:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	if o.data == "" || flag.NArg() > 0 {
		return errors.New("usage: temporal-dev --data FOLDER [--port N] [--ui-port N] [--namespace NAME] [--log-level " +
			"LEVEL] [--codec URL]")
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	begun := time.Now()

	// Check the two public ports first: the libraries would end the process with a stack trace.
	for _, port := range []int{o.port, o.uiPort} {
		if err := checkFree(port); err != nil {
			return err
		}
	}
	database, visibility, err := openDatabases(o.data, o.namespace)
	if err != nil {
		return err
	}
	server, err := newServer(o, database, visibility)
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return fmt.Errorf("start server: %w", err)
	}
	ui, err := newUI(o)
	if err != nil {
		return err
	}
	uiFailed := make(chan error, 1)
	go func() { uiFailed <- ui.ListenAndServe() }()

	if err := o.awaitReady(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	if ctx.Err() == nil {
		fmt.Printf("ready temporal=%s address=%s ui=%s took=%s\n",
			headers.ServerVersion, o.address(), o.uiURL(), time.Since(begun).Round(time.Millisecond))
	}
	select {
	case <-ctx.Done():
	case err := <-uiFailed:
		return fmt.Errorf("web UI stopped: %w", err)
	}
	return shutdown(server, ui)
}

// shutdown stops the server in order. It does not wait for slow services, since everything important is already in the
// file.
func shutdown(server interface{ Stop() error }, ui *http.Server) error {
	if err := ui.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "temporal-dev: close the Web UI:", err)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- server.Stop() }()
	select {
	case err := <-stopped:
		return err
	case <-time.After(3 * time.Second):
		return nil
	}
}
