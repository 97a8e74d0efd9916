package output

import (
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"
)

// renameNew renames a file unless another one has the new name.
func renameNew(old, new string) error {
	switch err := unix.Renameat2(unix.AT_FDCWD, old, unix.AT_FDCWD, new, unix.RENAME_NOREPLACE); {
	case err == nil:
		return nil
	case err == unix.EINVAL: // of a file system that has no such renaming
		return fmt.Errorf("rename: %w", errors.ErrUnsupported)
	default: // ENOSYS, of an old system, is ErrUnsupported
		return &fs.PathError{Op: "rename", Path: new, Err: err}
	}
}
