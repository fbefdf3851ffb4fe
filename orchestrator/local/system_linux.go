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
