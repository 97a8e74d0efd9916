//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package disk

import (
	"io/fs"
	"os"
	"sync"
)

const nonBlocking = 0

// held has the open files of this process that are locked. These systems have no lock that belongs to an open file, so
// that other processes are not kept out.
var held struct {
	sync.Mutex
	files map[*os.File]fs.FileInfo
}

func lock(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	held.Lock()
	defer held.Unlock()
	for _, other := range held.files {
		if os.SameFile(info, other) {
			return ErrLocked
		}
	}
	if held.files == nil {
		held.files = map[*os.File]fs.FileInfo{}
	}
	held.files[f] = info
	return nil
}

func unlock(f *os.File) {
	held.Lock()
	defer held.Unlock()
	delete(held.files, f)
}
