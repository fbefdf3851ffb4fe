package local

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// The kinds of Problem, for errors.Is.
var (
	ErrRunning      = errors.New("already running")
	ErrPortTaken    = errors.New("port taken")
	ErrDiskFull     = errors.New("disk full")
	ErrNotInstalled = errors.New("not installed")
	ErrIncompatible = errors.New("data of another version")
	ErrDamaged      = errors.New("data not usable")
	ErrPermission   = errors.New("not permitted")
)

// Problem is a failure that a person can mend. Its text is one plain sentence,
// or two, that say what is wrong and what to do; errors.Is tells its kind.
type Problem struct {
	kind     error
	sentence string
	cause    error
}

// Error returns the sentence for the person.
func (p *Problem) Error() string { return p.sentence }

// Unwrap returns the kind and, where there is one, the cause.
func (p *Problem) Unwrap() []error {
	if p.cause == nil {
		return []error{p.kind}
	}
	return []error{p.kind, p.cause}
}

func problem(kind, cause error, format string, args ...any) *Problem {
	return &Problem{kind: kind, cause: cause, sentence: fmt.Sprintf(format, args...)}
}

// folderProblem explains a failed read or write below folder.
func folderProblem(folder string, err error) error {
	var known *Problem
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return diskFull(folder, err)
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM), errors.Is(err, syscall.EROFS):
		return problem(ErrPermission, err, "Munshi may not write in %s. Start it as the owner of that folder, or choose another state folder.", folder)
	default:
		return fmt.Errorf("use folder %s: %w", folder, err)
	}
}

func diskFull(folder string, cause error) *Problem {
	return problem(ErrDiskFull, cause, "The disk that holds %s is full. Free some space and start again; nothing was deleted.", folder)
}

// tellsDiskFull reports whether a server's log output says that the disk is full.
func tellsDiskFull(output string) bool {
	return strings.Contains(output, "No space left on device") || // libc, in PostgreSQL
		strings.Contains(output, "no space left on device") || // Go
		strings.Contains(output, "database or disk is full") || // SQLite
		strings.Contains(output, "Disk quota exceeded")
}

// minimumRoom is one segment of PostgreSQL's write-ahead log: with less, it cannot run.
const minimumRoom = 16 << 20

// isFull reports whether the disk that holds folder has no room for a server.
// A server that met a full disk could not write it to its log either.
func isFull(folder string) bool {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(folder, &fs); err != nil {
		return false
	}
	return fs.Bavail*uint64(fs.Bsize) < minimumRoom
}
