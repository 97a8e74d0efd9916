//go:build unix

package output

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a new file the owner of the old one where the system allows
// it; where not, the file belongs to the person who wrote it.
func keepOwner(f *os.File, old fs.FileInfo) {
	if s, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(s.Uid), int(s.Gid))
	}
}
