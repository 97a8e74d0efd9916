//go:build freebsd || netbsd || dragonfly

package array

import (
	"os"

	"golang.org/x/sys/unix"
)

func reserve(*os.File, int64, int64) error { return errNoReserve }

func syncMap(b []byte) error { return unix.Msync(b, unix.MS_SYNC) }
