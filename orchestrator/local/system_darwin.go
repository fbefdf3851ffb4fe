package local

import (
	"os/exec"
	"strconv"
	"syscall"
)

// endWithParent does nothing, since macOS has no parent-death signal. The next start stops leftover processes.
func endWithParent(*syscall.SysProcAttr, syscall.Signal) {}

// commandLine returns the command line of a process, or "" if there is no such process.
func commandLine(pid int) string {
	text, err := exec.Command("ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	return string(text)
}

// ownNamespaces is false, since macOS has no user namespaces.
const ownNamespaces = false

func inOwnNamespace(*syscall.SysProcAttr) {}
