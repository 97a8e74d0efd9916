package sim

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/octet-go/octet/internal/disk"
)

const (
	sector = 512
	page   = 4096
	// mapped is the room of a file that is mapped, which stays where it is in memory.
	mapped = 1 << 19
)

// An inode is a file without its name.
type inode struct {
	data    []byte           // what programs see
	sizes   []int64          // that the file had: the one that is on the disk, and those after each change since then
	sectors map[int][]update // what may be on the disk, of the sectors that were changed since the last Sync
	lost    map[int]bool     // sectors that a Sync that failed has forgotten

	shadow []byte // of a file that is mapped: its content when it was last looked at
	mapped bool
	locked *file
}

// An update is the content of a sector after a change. The first one of a sector is what is on the disk.
type update struct {
	at   int    // index in sizes
	cut  bool   // the sector was cut off: what was there before does not come back with this size or a later one
	tail bool   // the same, of a sector whose beginning was kept: what comes now can also have an earlier size
	hole bool   // the sector has no place on the disk, so it is zero
	data []byte // nil: zeros
}

func newInode(data []byte) *inode {
	return &inode{data: bytes.Clone(data), sizes: []int64{int64(len(data))}}
}

// old returns a copy of the content of a sector, or nil if it is past the end.
func (i *inode) old(n int) []byte {
	from := n * sector
	if from >= len(i.data) {
		return nil
	}
	b := make([]byte, sector)
	copy(b, i.data[from:min(len(i.data), from+sector)])
	return b
}

// touch prepares a change of the sectors of a range.
func (i *inode) touch(from, to int) {
	if i.sectors == nil {
		i.sectors = map[int][]update{}
	}
	for n := from / sector; n*sector < to; n++ {
		if i.sectors[n] == nil {
			i.sectors[n] = []update{{data: i.old(n)}}
		}
	}
}

// touched records what a range has after a change.
func (i *inode) touched(from, to int) {
	i.sizes = append(i.sizes, int64(len(i.data)))
	for n := from / sector; n*sector < to; n++ {
		b := i.old(n)
		i.sectors[n] = append(i.sectors[n], update{at: len(i.sizes) - 1, cut: b == nil, data: b})
		delete(i.lost, n)
	}
}

// grow makes room for a size. The bytes after the old size are zero.
func (i *inode) grow(size int) {
	switch {
	case size <= cap(i.data):
		i.data = i.data[:size]
	case i.mapped:
		panic("sim: a mapped file is too large")
	default:
		i.data = append(i.data, make([]byte, size-len(i.data))...)
		clear(i.data[size:cap(i.data)])
	}
}

func (i *inode) write(b []byte, at int) {
	i.store()
	size := len(i.data)
	i.touch(min(at, size), at+len(b))
	if at+len(b) > size {
		i.grow(at + len(b))
	}
	copy(i.data[at:], b)
	i.touched(min(at, size), at+len(b))
	i.look()
}

func (i *inode) truncate(size int) {
	i.store()
	old := len(i.data)
	from, to := min(size, old), max(size, old)
	if size == old {
		return
	}
	i.touch(from, to)
	if size > old {
		i.grow(size)
		for n := (old + sector - 1) / sector; n*sector < size; n++ {
			i.sectors[n][0].hole = len(i.sectors[n]) == 1 // the program did not write it, so it has no old bytes
		}
	} else {
		clear(i.data[size:])
		i.data = i.data[:size]
	}
	i.touched(from, to)
	if list := i.sectors[size/sector]; size < old && size%sector > 0 {
		list[len(list)-1].tail = true
	}
	i.look()
}

// store records what was stored through a mapping since the last look.
func (i *inode) store() {
	if !i.mapped {
		return
	}
	from, to := -1, 0
	for at := 0; at < len(i.data); at += sector {
		end := min(at+sector, len(i.data))
		if bytes.Equal(i.data[at:end], i.shadow[at:end]) {
			continue
		}
		now := bytes.Clone(i.data[at:end])
		copy(i.data[at:end], i.shadow[at:end])
		i.touch(at, end)
		copy(i.data[at:end], now)
		if from < 0 {
			from = at
		}
		to = end
	}
	if from < 0 {
		return
	}
	i.touch(from, to) // those between are stored again
	i.touched(from, to)
	i.look()
}

// look remembers the content of a file that is mapped.
func (i *inode) look() {
	if i.mapped {
		i.shadow = append(i.shadow[:0], i.data...)
	}
}

// sync writes everything.
func (i *inode) sync() {
	i.store()
	for n := range i.sectors {
		if !i.lost[n] {
			delete(i.sectors, n)
		}
	}
	for n, list := range i.sectors { // they stay as they are, whatever the size was
		for k := range list {
			list[k].at = 0
		}
		i.sectors[n] = list
	}
	i.sizes = []int64{int64(len(i.data))}
}

// forget is a Sync that fails: the system does not know any more what it has to write.
func (i *inode) forget() {
	i.store()
	if i.lost == nil {
		i.lost = map[int]bool{}
	}
	for n := range i.sectors {
		i.lost[n] = true
	}
}

// A file is an open file.
type file struct {
	disk     *Disk
	inode    *inode
	path     string
	life     int
	readOnly bool
	closed   bool
}

// begin begins a step. If it returns no error, the caller must unlock the disk.
func (f *file) begin(kind Kind, offset int64, size int) (*Fault, error) {
	fault, err := f.disk.step(Call{kind, f.path, offset, size})
	f.disk.mu.Lock()
	switch {
	case f.closed || f.life != f.disk.life:
		fault, err = nil, &fs.PathError{Op: string(kind), Path: f.path, Err: fs.ErrClosed}
	case err == nil && f.readOnly && kind.Changes() && kind != Sync:
		err = &fs.PathError{Op: string(kind), Path: f.path, Err: fs.ErrPermission}
	}
	if err != nil && fault == nil {
		f.disk.mu.Unlock()
	}
	return fault, err
}

func (f *file) Name() string { return f.path }

func (f *file) Stat() (fs.FileInfo, error) {
	fault, err := f.begin(Stat, 0, 0)
	if fault != nil {
		f.disk.mu.Unlock()
	}
	if err != nil {
		return nil, err
	}
	defer f.disk.mu.Unlock()
	return info{filepath.Base(f.path), int64(len(f.inode.data)), f.inode}, nil
}

func (f *file) ReadAt(b []byte, offset int64) (int, error) {
	fault, err := f.begin(Read, offset, len(b))
	if err != nil && fault == nil {
		return 0, err
	}
	defer f.disk.mu.Unlock()
	if fault != nil {
		b = b[:min(fault.Done, len(b))]
	}
	n := 0
	if offset < int64(len(f.inode.data)) {
		n = copy(b, f.inode.data[offset:])
	}
	if err == nil && n < len(b) {
		err = io.EOF
	}
	return n, err
}

// WriteAt writes page by page, so that a crash can come between two of them.
func (f *file) WriteAt(b []byte, offset int64) (int, error) {
	done := 0
	for first := true; first || done < len(b); first = false {
		at := offset + int64(done)
		n := min(len(b)-done, page-int(at%page))
		fault, err := f.begin(Write, at, n)
		if err != nil && fault == nil {
			return done, err
		}
		if fault != nil {
			n = min(fault.Done, n)
		}
		if n > 0 {
			f.inode.write(b[done:done+n], int(at))
		}
		f.disk.mu.Unlock()
		if done += n; err != nil {
			return done, err
		}
	}
	return done, nil
}

func (f *file) From(offset int64) (io.Writer, error) { return io.NewOffsetWriter(f, offset), nil }

// simple is for calls that change something or fail.
func (f *file) simple(kind Kind, offset int64, change, fails func() error) error {
	fault, err := f.begin(kind, offset, 0)
	if err != nil && fault == nil {
		return err
	}
	defer f.disk.mu.Unlock()
	if fault != nil {
		return errors.Join(err, fails())
	}
	return change()
}

func nothing() error { return nil }

func (f *file) Truncate(size int64) error {
	return f.simple(Truncate, size, func() error { f.inode.truncate(int(size)); return nil }, nothing)
}

func (f *file) Sync() error {
	return f.simple(Sync, 0, func() error { f.inode.sync(); return nil }, func() error { f.inode.forget(); return nil })
}

func (f *file) Lock() error {
	return f.simple(Lock, 0, func() error {
		if f.inode.locked != nil && f.inode.locked != f {
			return disk.ErrLocked
		}
		f.inode.locked = f
		return nil
	}, nothing)
}

func (f *file) Reserve(_, end int64) error {
	return f.simple(Reserve, end, func() error {
		if f.disk.NoReserve {
			return disk.ErrNoReserve
		}
		return nil
	}, nothing)
}

// Map returns the memory of the file itself. There can be one mapping that is used at a time.
func (f *file) Map(size int64, _ bool) (b []byte, err error) {
	err = f.simple(Map, 0, func() error {
		if f.disk.NoMap || size > mapped {
			return errors.ErrUnsupported
		}
		i := f.inode
		if !i.mapped {
			i.data = append(make([]byte, 0, mapped), i.data...)
			i.mapped = true
			i.look()
		}
		b = i.data[:size:size]
		return nil
	}, nothing)
	return b, err
}

// Close closes the file even if it fails.
func (f *file) Close() error {
	end := func() error {
		f.inode.store()
		f.closed = true
		if f.inode.locked == f {
			f.inode.locked = nil
		}
		return nil
	}
	return f.simple(Close, 0, end, end)
}
