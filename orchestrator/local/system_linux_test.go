package local_test

import "syscall"

func mountMemory(dir, size string) error {
	return syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size+",mode=0711")
}
