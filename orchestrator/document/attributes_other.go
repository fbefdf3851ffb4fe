//go:build !linux

package document

import "syscall"

// childAttributes puts the child out of the terminal's reach: its parent alone
// ends it. Where the kernel does not, the child sees its orders end.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
