package local

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// endWithParent asks the kernel to send signal to the child when the thread
// that started it ends: the caller must stay on that thread while the child lives.
func endWithParent(attr *syscall.SysProcAttr, signal syscall.Signal) { attr.Pdeathsig = signal }

// commandLine returns what the process was started with, or "" when there is no such process.
func commandLine(pid int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil {
		return ""
	}
	return string(bytes.ReplaceAll(text, []byte{0}, []byte{' '}))
}

// ownNamespaces says that the kernel knows user namespaces; whether it allows them shows when one is asked for.
const ownNamespaces = true

// inOwnNamespace starts the child as an ordinary user of a user namespace in which our own files, root's, belong to it.
func inOwnNamespace(attr *syscall.SysProcAttr) {
	const ordinary = 1000 // any number but root's
	attr.Cloneflags |= syscall.CLONE_NEWUSER
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: ordinary, HostID: os.Getuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: ordinary, HostID: os.Getgid(), Size: 1}}
}
