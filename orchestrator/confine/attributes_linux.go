package confine

import "syscall"

// Attributes puts the child out of the terminal's reach (its parent alone
// ends it), and has the kernel end it with the thread that started it.
func Attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
