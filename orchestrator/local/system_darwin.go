package local

import (
	"os/exec"
	"strconv"
	"syscall"
)

// endWithParent does nothing: macOS has no such request. The next start ends
// what was left behind.
func endWithParent(*syscall.SysProcAttr, syscall.Signal) {}

// commandLine returns what the process was started with, or "" when there is no such process.
func commandLine(pid int) string {
	text, err := exec.Command("ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return ""
	}
	return string(text)
}

// ownNamespaces says that there are no user namespaces here.
const ownNamespaces = false

func inOwnNamespace(*syscall.SysProcAttr) {}
