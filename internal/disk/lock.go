package disk

import (
	"io/fs"
	"os"
	"sync"
)

// held has the open files of this process that are locked, where neither the system nor the file system has a lock that
// belongs to an open file. Other processes are not kept out there.
var held struct {
	sync.Mutex
	files map[*os.File]fs.FileInfo
}

// hold locks a file for this process alone.
func hold(f *os.File) error {
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

// release ends the lock of hold, if the file has it.
func release(f *os.File) {
	held.Lock()
	defer held.Unlock()
	delete(held.files, f)
}
