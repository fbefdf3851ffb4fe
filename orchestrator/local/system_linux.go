package local

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// endWithParent makes the kernel send signal to the child when the thread that starts it ends, so the caller must stay
// on its thread while the child lives.
func endWithParent(attr *syscall.SysProcAttr, signal syscall.Signal) { attr.Pdeathsig = signal }

// commandLine returns the command line of a process, or "" if there is no such process.
func commandLine(pid int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil {
		return ""
	}
	return string(bytes.ReplaceAll(text, []byte{0}, []byte{' '}))
}

// ownNamespaces is true, since Linux has user namespaces; whether this machine allows them is found out by trying.
const ownNamespaces = true

// inOwnNamespace starts the child as an ordinary user in a user namespace in which our files, which are root's, belong
// to that user.
func inOwnNamespace(attr *syscall.SysProcAttr) {
	const ordinary = 1000 // any id except root's
	attr.Cloneflags |= syscall.CLONE_NEWUSER
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: ordinary, HostID: os.Getuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: ordinary, HostID: os.Getgid(), Size: 1}}
}
