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

// server is one of the programs that a keeper keeps up.
type server interface {
	name() string    // for people
	program() string // the program's file name, also of its log and pid file
	dataDir() string // an argument of the command, by which a left-over is recognised
	address() string
	choosePorts(*ports) error
	// prepare makes the data folder or checks it; it runs once.
	prepare(context.Context) error
	// command returns the server's command; the keeper adds output and process attributes.
	command() *exec.Cmd
	// awaitReady returns when the server that was started last answers.
	awaitReady(context.Context) error
	// stopSteps are tried in order until the server has ended.
	stopSteps() []stopStep
	// orphanSignal is what the kernel sends to the server when we die.
	orphanSignal() syscall.Signal
}

type stopStep struct {
	signal syscall.Signal
	wait   time.Duration
}

const (
	// startTimeout is generous: after a crash PostgreSQL first replays its log.
	startTimeout = 2 * time.Minute
	firstDelay   = 100 * time.Millisecond
	longestDelay = 5 * time.Second
	// Failed starts in a row after which a server is given up: the first time
	// a person is waiting, later it may heal (for instance when room is made on the disk).
	firstFailures = 3
	laterFailures = 10
)

// keeper starts a server and starts it again whenever it ends.
type keeper struct {
	server server
	state  string
	logger *slog.Logger
	out    *output

	ready     chan struct{} // closed when the server has answered for the first time
	ended     chan struct{} // closed when the server has ended for good
	hurry     chan struct{} // closed when ending must not wait any longer
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

// keep runs until ctx is done, and then returns nil, or until the server cannot
// be kept up, and then returns why.
func (k *keeper) keep(ctx context.Context) error {
	defer close(k.ended)
	defer k.out.close()
	// Linux ties "end with the parent" to the thread that started the child:
	// this goroutine keeps its thread and never gives it back.
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

// exitError reports how a server ended that nobody asked to end.
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

// run starts the server once and returns when it has ended, which it does when
// ctx is done.
func (k *keeper) run(ctx context.Context) error {
	k.out.begin()
	cmd := k.server.command()
	if cmd.Stdout == nil {
		cmd.Stdout = k.out
	}
	cmd.Stderr = k.out
	// What the server has started may hold its output open a little longer.
	cmd.WaitDelay = 2 * time.Second
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true // Ctrl-C in a terminal is for us: we end the parts in order
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

// end stops the process in good order, or at once when we are in a hurry.
func (k *keeper) end(process *os.Process, exited <-chan struct{}) {
	for _, step := range k.server.stopSteps() {
		select {
		case <-exited:
			return
		default:
		}
		_ = process.Signal(step.signal) // it may have ended just now
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

// explain turns what the server's output says into a sentence for a person,
// where it is something that the person can fix.
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
