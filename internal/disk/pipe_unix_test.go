//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import "syscall"

func makePipe(path string) error { return syscall.Mkfifo(path, 0o666) }
