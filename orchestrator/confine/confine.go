// Package confine limits the harm that an untrusted file can do: the file is read by a child process of this program,
// which limits its own memory, CPU time and writing before it opens the file. The packages that read files define the
// protocol.
package confine

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// TooSlow is the exit status of a process that has used up its CPU time.
const TooSlow = 3

// Self limits how many bytes of data this process may map, and the size of files that it may write.
func Self(memory, written int64) error {
	for _, limit := range []struct {
		name     string
		resource int
		bytes    uint64
	}{
		// Not the address space, since Go reserves more of it than any file needs.
		{"memory", unix.RLIMIT_DATA, uint64(memory)},
		{"files written", unix.RLIMIT_FSIZE, uint64(written)},
		{"core dump", unix.RLIMIT_CORE, 0},
	} {
		if err := unix.Setrlimit(limit.resource, &unix.Rlimit{Cur: limit.bytes, Max: limit.bytes}); err != nil {
			return fmt.Errorf("limit %s: %w", limit.name, err)
		}
	}
	tooSlow := make(chan os.Signal, 1)
	signal.Notify(tooSlow, syscall.SIGXCPU)
	go func() {
		<-tooSlow
		os.Exit(TooSlow)
	}()
	return nil
}

// CPU allows this process this much more CPU time, give or take a second.
func CPU(more time.Duration) error {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return fmt.Errorf("measure CPU time: %w", err)
	}
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CPU, &limit); err != nil {
		return fmt.Errorf("limit CPU time: %w", err)
	}
	limit.Cur = min(limit.Max, uint64(used.Utime.Sec+used.Stime.Sec)+uint64(max(1, more.Seconds())))
	if err := unix.Setrlimit(unix.RLIMIT_CPU, &limit); err != nil {
		return fmt.Errorf("limit CPU time: %w", err)
	}
	return nil
}

// OutOfMemory reports whether an output contains the message that Go or C++ prints when memory runs out.
func OutOfMemory(words string) bool {
	for _, sign := range []string{"out of memory", "cannot allocate memory", "std::bad_alloc"} {
		if strings.Contains(words, sign) {
			return true
		}
	}
	return false
}

// Tail keeps the end of a process's output.
type Tail struct {
	mu    sync.Mutex
	bytes []byte
}

const tailBytes = 4 << 10

// Write implements io.Writer.
func (t *Tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes = append(t.bytes, b...)
	if extra := len(t.bytes) - tailBytes; extra > 0 {
		t.bytes = append(t.bytes[:0], t.bytes[extra:]...)
	}
	return len(b), nil
}

// String returns the end of the output.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(bytes.ToValidUTF8(t.bytes, nil)))
}
