package local

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"munshi/orchestrator/problem"
)

// The kinds of problems that a person can solve, for errors.Is.
var (
	ErrRunning      = errors.New("already running")
	ErrPortTaken    = errors.New("port taken")
	ErrDiskFull     = errors.New("disk full")
	ErrNotInstalled = errors.New("not installed")
	ErrIncompatible = errors.New("data of another version")
	ErrDamaged      = errors.New("data not usable")
	ErrPermission   = errors.New("not permitted")
)

// because joins the kind of a problem with its cause, which may be nil.
func because(kind, cause error) error {
	if cause == nil {
		return kind
	}
	return errors.Join(kind, cause)
}

// folderProblem explains a failed read or write in a folder.
func folderProblem(folder string, err error) error {
	var known *problem.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return diskFull(folder, err)
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM), errors.Is(err, syscall.EROFS):
		return problem.New("local_no_permission", problem.Params{"folder": folder}, because(ErrPermission, err))
	default:
		return fmt.Errorf("use folder %s: %w", folder, err)
	}
}

func diskFull(folder string, cause error) error {
	return problem.New("local_disk_full", problem.Params{"folder": folder}, because(ErrDiskFull, cause))
}

// tellsDiskFull reports whether a server's output says that the disk is full.
func tellsDiskFull(output string) bool {
	return strings.Contains(output, "No space left on device") || // libc, in PostgreSQL
		strings.Contains(output, "no space left on device") || // Go
		strings.Contains(output, "database or disk is full") || // SQLite
		strings.Contains(output, "Disk quota exceeded")
}

// minimumRoom is the size of one segment of PostgreSQL's write-ahead log, without which it cannot run.
const minimumRoom = 16 << 20

// isFull reports whether the disk with a folder has too little space for a server. A server could not write this to
// its log either.
func isFull(folder string) bool { return hasLess(folder, minimumRoom) }

// roomForMore is the space that must be left before anything new is accepted, so that what was accepted can be
// finished.
const roomForMore = 64 << 20

// roomToWork is the space below which a warning is given, before the disk is full.
const roomToWork = 2 << 30

// Full reports whether the disk with a folder has no space for anything new.
func Full(folder string) bool { return hasLess(folder, roomForMore) }

// Tight reports whether the disk with a folder will be full soon.
func Tight(folder string) bool { return hasLess(folder, roomToWork) }

func hasLess(folder string, bytes uint64) bool {
	free, known := Free(folder)
	return known && free < bytes
}

// Free returns how many bytes are left for us on the disk with a folder.
func Free(folder string) (bytes uint64, known bool) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(folder, &fs); err != nil {
		return 0, false
	}
	return fs.Bavail * uint64(fs.Bsize), true
}
