package durable

import (
	"io/fs"
	"os"
)

// Like gives a new file that is to replace another one its permissions, and its owner if the system allows that.
// Otherwise the file belongs to the user who runs the program.
func Like(f *os.File, old fs.FileInfo) error {
	keepOwner(f, old)
	return f.Chmod(old.Mode().Perm())
}
