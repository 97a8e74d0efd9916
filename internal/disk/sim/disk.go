package sim

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/octet-go/octet/internal/disk"
)

// A Disk is a disk in memory. It has no links, no directories, and no permissions. The zero Disk is empty and can be
// used. Its methods are safe for concurrent use.
type Disk struct {
	// Step is called before each step of the code under test, without a lock, if it is not nil. A result that is not
	// nil makes the call fail.
	Step func(c Call) *Fault
	// NoReserve makes Reserve return ErrNoReserve, and NoMap makes Map fail.
	NoReserve, NoMap bool

	mu    sync.Mutex
	names map[string]*name
	ops   int // changes of names
	life  int // of the open files: those of an earlier one are dead
}

// A Call is a step of the code under test: a call, or one page of a call of WriteAt.
type Call struct {
	Kind   Kind
	Path   string
	Offset int64 // of what is read or written, or the new size
	Size   int   // in bytes
}

// A Kind is what a call does.
type Kind string

// The kinds of calls.
const (
	Open     Kind = "open"
	Stat     Kind = "stat"
	Read     Kind = "read"
	Write    Kind = "write"
	Truncate Kind = "truncate"
	Reserve  Kind = "reserve"
	Map      Kind = "map"
	Sync     Kind = "sync"
	Lock     Kind = "lock"
	Close    Kind = "close"
	Rename   Kind = "rename"
	Remove   Kind = "remove"
	SyncName Kind = "sync of a name"
)

// Changes reports whether such a call changes what is on the disk, now or after a power loss.
func (k Kind) Changes() bool {
	switch k {
	case Stat, Read, Map, Lock, Close:
		return false
	}
	return true
}

// A Fault is why a call fails. A write or read has done a part of its work before it fails.
type Fault struct {
	Err  error
	Done int // bytes of a write or read
}

// Faults are errors of system calls. Those of a disk that is full come only from calls that need room.
func Faults(k Kind) []error {
	switch k {
	case Write, Reserve, Open:
		return []error{syscall.EIO, syscall.EINTR, syscall.ENOSPC}
	}
	return []error{syscall.EIO, syscall.EINTR}
}

// A name has the inodes that were at a path: the one that a power loss cannot change, and those after it.
type name struct {
	path     string
	versions []named
}

// A named is the inode at a path after a change; nil if there was none.
type named struct {
	at    int // number of the change
	inode *inode
}

func (n *name) now() *inode { return n.versions[len(n.versions)-1].inode }

// step calls Step, and returns the error of a fault as package os does.
func (d *Disk) step(c Call) (*Fault, error) {
	if d.Step == nil {
		return nil, nil
	}
	f := d.Step(c)
	if f == nil {
		return nil, nil
	}
	return f, &fs.PathError{Op: string(c.Kind), Path: c.Path, Err: f.Err}
}

// at returns the inode at a path, or nil. The caller holds mu.
func (d *Disk) at(path string) *inode {
	if n := d.names[path]; n != nil {
		return n.now()
	}
	return nil
}

// set changes what is at a path. Changes with the same number are one.
func (d *Disk) set(path string, i *inode, at int) {
	if d.names == nil {
		d.names = map[string]*name{}
	}
	n := d.names[path]
	if n == nil {
		n = &name{path, []named{{}}}
		d.names[path] = n
	}
	n.versions = append(n.versions, named{at, i})
}

func (d *Disk) OpenFile(path string, flag int, _ fs.FileMode) (disk.File, error) {
	if _, err := d.step(Call{Kind: Open, Path: path}); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	i := d.at(path)
	switch {
	case i == nil && flag&os.O_CREATE == 0:
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	case i != nil && flag&os.O_EXCL != 0:
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrExist}
	case i == nil:
		i = &inode{sizes: []int64{0}}
		d.ops++
		d.set(path, i, d.ops)
	}
	if flag&os.O_TRUNC != 0 {
		i.truncate(0)
	}
	return &file{disk: d, inode: i, path: path, life: d.life, readOnly: flag&(os.O_RDWR|os.O_WRONLY) == 0}, nil
}

func (d *Disk) Stat(path string) (fs.FileInfo, error) {
	if _, err := d.step(Call{Kind: Stat, Path: path}); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	i := d.at(path)
	if i == nil {
		return nil, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
	}
	return info{filepath.Base(path), int64(len(i.data)), i}, nil
}

func (d *Disk) SameFile(a, b fs.FileInfo) bool { return a.Sys() == b.Sys() }

func (d *Disk) Remove(path string) error {
	if _, err := d.step(Call{Kind: Remove, Path: path}); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.at(path) == nil {
		return &fs.PathError{Op: "remove", Path: path, Err: fs.ErrNotExist}
	}
	d.ops++
	d.set(path, nil, d.ops)
	return nil
}

func (d *Disk) Rename(from, to string) error {
	if _, err := d.step(Call{Kind: Rename, Path: from}); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	i := d.at(from)
	if i == nil {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	d.ops++
	d.set(from, nil, d.ops)
	d.set(to, i, d.ops)
	return nil
}

func (d *Disk) SyncName(path string) error {
	if _, err := d.step(Call{Kind: SyncName, Path: path}); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for other, n := range d.names {
		if filepath.Dir(other) == filepath.Dir(path) {
			n.versions = []named{{inode: n.now()}}
		}
	}
	return nil
}

// An info describes a file.
type info struct {
	name  string
	size  int64
	inode *inode
}

func (i info) Name() string     { return i.name }
func (i info) Size() int64      { return i.size }
func (info) Mode() fs.FileMode  { return 0o666 }
func (info) ModTime() time.Time { return time.Time{} }
func (info) IsDir() bool        { return false }
func (i info) Sys() any         { return i.inode }

// WriteFile makes a file that is on the disk, with its name.
func (d *Disk) WriteFile(path string, data []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.set(path, newInode(data), 0)
	d.names[path].versions = d.names[path].versions[1:]
}

// ReadFile returns the content of a file, or nil if there is none.
func (d *Disk) ReadFile(path string) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := d.at(path); i != nil {
		return append([]byte{}, i.data...)
	}
	return nil
}

// Paths returns the paths of all files in no order.
func (d *Disk) Paths() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var paths []string
	for path, n := range d.names {
		if n.now() != nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// Kill ends the program: it closes all files, and gives up their locks. Calls of methods of these files are errors.
func (d *Disk) Kill() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.life++
	for _, n := range d.names {
		for _, v := range n.versions {
			if v.inode != nil {
				v.inode.store()
				v.inode.locked, v.inode.mapped = nil, false
			}
		}
	}
}

// Random returns a fault for a call that can be one of this kind, and that has done a part of its work.
func (c Call) Random(r *rand.Rand) *Fault {
	list := Faults(c.Kind)
	f := &Fault{Err: list[r.IntN(len(list))]}
	if c.Size > 0 && r.IntN(2) == 0 {
		f.Done = r.IntN(c.Size)
	}
	return f
}
