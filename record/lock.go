package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// lockSuffix is appended to the path of a file for the path of its lock. The lock is
// not on the file itself because some systems would then keep readers out.
const lockSuffix = ".lock"

// A fileLock is the lock of a Writer. A crash releases it.
type fileLock struct {
	file *os.File
}

// lock takes the lock of the file with this path.
func lock(path string) (*fileLock, error) {
	name := targetOf(path) + lockSuffix // a link and its file have the same lock
	for {
		file, err := openLock(name)
		if err != nil {
			return nil, locked(path, err)
		}
		if err := tryLock(file); err != nil {
			file.Close()
			return nil, locked(path, err)
		}
		// The file may have been removed by its former owner before it was locked here.
		mine, err := file.Stat()
		if err != nil {
			file.Close()
			return nil, err
		}
		if there, err := os.Stat(name); err == nil && os.SameFile(mine, there) {
			return &fileLock{file}, nil
		}
		file.Close()
	}
}

// maxLinks is how many symbolic links are followed. Systems allow fewer.
const maxLinks = 255

// targetOf returns the path of the file that a symbolic link refers to. The file need
// not exist.
func targetOf(path string) string {
	for range maxLinks {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			return target
		}
		target, err := os.Readlink(path)
		if err != nil {
			break // not a link
		}
		if !filepath.IsAbs(target) {
			// The link can be in a directory that has several names, which matters
			// for a target that begins with "..".
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				break
			}
			target = filepath.Join(dir, target)
		}
		path = target
	}
	return path
}

func locked(path string, err error) error {
	if err == ErrLocked {
		return inFile(path, fault(ErrLocked, ""))
	}
	return err
}

// release removes the lock file and unlocks it, in this order, so that nobody locks
// a file that is about to be removed without noticing.
func (l *fileLock) release() error {
	err := releaseLock(l.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

const lockPermissions fs.FileMode = 0o666
