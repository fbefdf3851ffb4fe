//go:build !linux

package confine

import "syscall"

// Attributes puts the child out of the terminal's reach: its parent alone
// ends it. Where the kernel does not, the child sees its orders end.
func Attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
