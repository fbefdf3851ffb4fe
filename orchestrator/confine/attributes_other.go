//go:build !linux

package confine

import "syscall"

// Attributes returns process attributes for the child: it is in its own process group, so that Ctrl-C in a terminal
// does not reach it. If the parent dies, the child ends when its input does.
func Attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
