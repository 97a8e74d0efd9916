package record

import (
	"errors"
	"io/fs"
	"os"

	"github.com/octet-go/octet/internal/durable"
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
	name := durable.Target(path) + lockSuffix // a link and its file have the same lock
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
