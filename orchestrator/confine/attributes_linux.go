package confine

import "syscall"

// Attributes returns process attributes for the child: it is in its own process group, so that Ctrl-C in a terminal
// does not reach it, and the kernel kills it when the thread that started it ends.
func Attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
