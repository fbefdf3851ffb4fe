package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"munshi/orchestrator/problem"
)

// server is a program that a keeper starts and restarts.
type server interface {
	name() string    // name to show to people
	program() string // file name of the program, and of its log and pid file
	dataDir() string // an argument of its command line, by which a leftover process is recognised
	address() string
	choosePorts(*ports) error
	// prepare creates or checks the data folder; it is called once.
	prepare(context.Context) error
	// command returns the command that starts the server; the keeper adds its output and process attributes.
	command() *exec.Cmd
	// awaitReady returns when the process started last answers.
	awaitReady(context.Context) error
	// stopSteps are tried in order until the server has ended.
	stopSteps() []stopStep
	// orphanSignal is the signal that the kernel sends to the server when we die.
	orphanSignal() syscall.Signal
}

type stopStep struct {
	signal syscall.Signal
	wait   time.Duration
}

const (
	// startTimeout is long, since PostgreSQL replays its log after a crash.
	startTimeout = 2 * time.Minute
	firstDelay   = 100 * time.Millisecond
	longestDelay = 5 * time.Second
	// Number of consecutive failed starts after which a server is given up. At the first start a person is waiting;
	// later the cause may disappear by itself, for instance a full disk.
	firstFailures = 3
	laterFailures = 10
)

// keeper starts a server, and restarts it whenever it ends.
type keeper struct {
	server server
	state  string
	logger *slog.Logger
	out    *output

	ready     chan struct{} // closed when the server has answered for the first time
	ended     chan struct{} // closed when the server has ended for good
	hurry     chan struct{} // closed when the server must end without further delay
	hurryOnce sync.Once
}

func newKeeper(s server, state string, logger *slog.Logger) *keeper {
	k := &keeper{
		server: s,
		state:  state,
		logger: logger,
		ready:  make(chan struct{}),
		ended:  make(chan struct{}),
		hurry:  make(chan struct{}),
	}
	var told time.Time
	k.out = &output{path: filepath.Join(state, "log", s.program()+".log"), onFull: func() {
		if now := time.Now(); now.Sub(told) > time.Minute {
			told = now
			logger.Error(diskFull(state, nil).Error())
		}
	}}
	return k
}

// keep runs until ctx is done, and then returns nil, or until the server cannot be kept running, and then returns why.
func (k *keeper) keep(ctx context.Context) error {
	defer close(k.ended)
	defer k.out.close()
	// On Linux, a child with a parent-death signal gets it when the thread that started it ends. So this goroutine
	// stays on its thread.
	runtime.LockOSThread()

	if err := k.server.prepare(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return k.explain(err)
	}
	failures := 0
	for {
		err := k.run(ctx)
		if ctx.Err() != nil {
			return nil
		}
		var ran *exitError
		if errors.As(err, &ran) && ran.wasReady {
			failures = 0
		} else {
			failures++
			err = k.explain(err)
		}
		var known *problem.Error
		switch {
		case failures == 0:
		case !k.wasReady() && (errors.As(err, &known) || failures >= firstFailures), failures >= laterFailures:
			return err
		}
		if errors.As(err, &known) {
			k.logger.Warn(known.Error() + " Trying again.")
		} else {
			k.logger.Warn(fmt.Sprintf("%s stopped (%v); starting it again", k.server.name(), err))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(min(firstDelay<<failures, longestDelay)):
		}
	}
}

func (k *keeper) wasReady() bool {
	select {
	case <-k.ready:
		return true
	default:
		return false
	}
}

// exitError says how a server ended without being asked to.
type exitError struct {
	wasReady bool
	cause    error
}

func (e *exitError) Error() string {
	if e.cause == nil {
		return "exit status 0"
	}
	return e.cause.Error()
}

func (e *exitError) Unwrap() error { return e.cause }

// run starts the server once, and returns when it has ended; it stops the server when ctx is done.
func (k *keeper) run(ctx context.Context) error {
	k.out.begin()
	cmd := k.server.command()
	if cmd.Stdout == nil {
		cmd.Stdout = k.out
	}
	cmd.Stderr = k.out
	// Children of the server may keep its output open somewhat longer.
	cmd.WaitDelay = 2 * time.Second
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true // Ctrl-C in a terminal reaches only us, so that we can stop the parts in order
	endWithParent(cmd.SysProcAttr, k.server.orphanSignal())
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", k.server.program(), err)
	}
	exited := make(chan struct{})
	exit := &exitError{}
	go func() {
		exit.cause = cmd.Wait()
		close(exited)
	}()
	defer k.end(cmd.Process, exited)
	if err := os.WriteFile(pidFile(k.state, k.server), []byte(strconv.Itoa(cmd.Process.Pid)+"\n"), 0o600); err != nil {
		return folderProblem(k.state, err)
	}

	starting, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	go func() {
		select {
		case <-exited:
			cancel()
		case <-starting.Done():
		}
	}()
	if err := k.server.awaitReady(starting); err != nil {
		select {
		case <-exited:
			return exit
		default:
			return fmt.Errorf("%s does not answer: %w", k.server.name(), err)
		}
	}
	if k.wasReady() {
		k.logger.Info(k.server.name() + " answers again")
	} else {
		close(k.ready)
	}
	select {
	case <-exited:
		exit.wasReady = true
		return exit
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end stops the process step by step, or faster after kill was called.
func (k *keeper) end(process *os.Process, exited <-chan struct{}) {
	for _, step := range k.server.stopSteps() {
		select {
		case <-exited:
			return
		default:
		}
		_ = process.Signal(step.signal) // fails if it has just ended
		select {
		case <-exited:
			return
		case <-time.After(step.wait):
		case <-k.hurry:
			_ = process.Kill()
			<-exited
			return
		}
	}
	<-exited
}

func (k *keeper) kill() { k.hurryOnce.Do(func() { close(k.hurry) }) }

// explain turns the server's output into a sentence for people, if it reports something that they can solve.
func (k *keeper) explain(err error) error {
	var known *problem.Error
	text := k.out.text() + "\n" + err.Error()
	switch {
	case errors.As(err, &known):
		return err
	case tellsDiskFull(text), errors.Is(err, syscall.ENOSPC), isFull(k.state), isFull(k.server.dataDir()):
		return diskFull(k.server.dataDir(), err)
	case strings.Contains(strings.ToLower(text), "address already in use"):
		return problem.New("local_port_was_taken",
			problem.Params{"server": k.server.name(), "address": k.server.address()}, because(ErrPortTaken, err))
	case errors.Is(err, os.ErrPermission):
		return problem.New("local_not_started", problem.Params{"server": k.server.name(), "reason": err},
			because(ErrPermission, err))
	}
	if line := lastLine(k.out.text()); line != "" {
		return fmt.Errorf("%s did not start (%w): %s (the whole log: %s)", k.server.name(), err, line, k.out.path)
	}
	return fmt.Errorf("%s did not start: %w", k.server.name(), err)
}
