//go:build freebsd || netbsd || dragonfly

package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

func reserve(*os.File, int64, int64) error { return ErrNoReserve }

func syncMap(b []byte) error { return unix.Msync(b, unix.MS_SYNC) }
