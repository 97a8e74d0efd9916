//go:build unix

package durable

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a new file the owner of the old one if the system allows it.
// Otherwise the file belongs to the user who runs the tool.
func keepOwner(f *os.File, old fs.FileInfo) {
	if s, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(s.Uid), int(s.Gid))
	}
}
