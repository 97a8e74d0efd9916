package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"sort"
	"sync"

	"github.com/octet-go/octet/internal/disk"
)

// A File reads a record file. It is a snapshot: it contains the whole blocks that
// the file had when it was opened, or at the last [File.Refresh]. If the file loses blocks
// or is truncated and written again, the error is [ErrTruncated]. Its methods are
// safe for concurrent use, but Close must be the last.
//
// [Open] and [NewFile] return a File. The functions and methods that use the zero File
// return an error, or panic if they return none.
//
// Opening reads only the header. The first call that needs to know all blocks
// reads the index. In a file without one, such as a file that is still written,
// it reads the header of every block instead, and the content of those after the last sync
// mark, which a power loss may have taken.
type File struct {
	r      io.ReaderAt
	closer io.Closer
	path   string
	o      Options
	alias  bool // o.Codec decodes values that share memory with the block

	mu     sync.Mutex
	size   int64
	header fileHeader   // the first; its size is 0 if the file is torn there
	known  *contents    // nil until it is needed
	idle   *blockReader // for At
}

// contents is what a File knows of its blocks. It does not change.
type contents struct {
	report Report
	fault  error // why reading stops at end, or nil
	end    int64 // of the last whole block or header that was found
	parts  []partStart
	many   bool // there are more parts than are listed
	tables bool // the first blocks are known from an index, which has no stored lengths
	places places
	walk   walk // continues at end; src is nil

	verified int64 // the blocks before this offset were verified, besides those that were synced
}

// A partStart is a file header.
type partStart struct {
	offset, base int64
}

// maxParts is the number of joined files that can be told apart. It bounds memory.
const maxParts = 1 << 16

// Open opens a file for reading. A Writer may have it open. A [Scanner] reads pipes,
// devices and files without a size, such as those in /proc, which Open refuses.
//
// A file that was cut off by a crash is opened; see [Report]. If its first bytes
// are not those of a record file, the error is [ErrFormat].
func Open(path string, o *Options) (*File, error) { return openFile(disk.OS, path, o) }

func openFile(d disk.Disk, path string, o *Options) (*File, error) {
	r, size, err := openSized(d, path)
	if err != nil {
		return nil, err
	}
	f, err := NewFile(r, size, o)
	if err != nil {
		r.Close()
		return nil, inFile(path, err)
	}
	f.closer, f.path = r, path
	return f, nil
}

// openSized opens a file for reading and returns its size.
func openSized(d disk.Disk, path string) (disk.File, int64, error) {
	r, err := d.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := r.Stat()
	if err != nil {
		r.Close()
		return nil, 0, err
	}
	return r, info.Size(), nil
}

// NewFile returns a File that reads the first size bytes of r, such as an object
// of a remote store.
func NewFile(r io.ReaderAt, size int64, o *Options) (*File, error) {
	options, err := checked(o)
	if err == nil && size < 0 {
		err = fault(ErrOptions, fmt.Sprintf("size %d", size))
	}
	if err != nil {
		return nil, err
	}
	f := &File{r: r, size: size, o: options, alias: aliases(options.Codec)}
	w := f.walk(0)
	switch s, _, err := w.step(); {
	case err != nil:
		return nil, err
	case s == atHeader:
		f.header = w.header
	}
	return f, nil
}

// check returns an error for the zero File.
func (f *File) check() error {
	if f.r == nil {
		return fault(errZeroFile, "")
	}
	return nil
}

// must panics for the zero File.
func (f *File) must() {
	if f.r == nil {
		panic("record: " + errZeroFile.Error())
	}
}

// Close closes the file that [Open] has opened.
func (f *File) Close() error {
	if err := f.check(); err != nil {
		return err
	}
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// walk returns a walk that begins with the file header at an offset.
func (f *File) walk(header int64) *walk {
	return f.walkOf(&fileSource{r: f.r, size: f.size}, header)
}

// walkOf returns a walk like walk, which reads from src.
func (f *File) walkOf(src source, header int64) *walk {
	w := &walk{src: src, max: f.o.MaxBlock, pos: header, part: header, whole: int64(f.header.size)}
	if f.header.size > 0 {
		w.want = f.header.sum()
	}
	return w
}

// source returns a source for the file as it is known now.
func (f *File) source() *fileSource {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &fileSource{r: f.r, size: f.size}
}

// Metadata returns Options.Metadata of the Writer that made the file, or of the
// first file if several were joined. A value that has no form as any, such as a map with
// keys that are bin, is a [msgpack.Raw].
func (f *File) Metadata() map[string]any {
	f.must()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.header.metadata()
}

// Len returns the number of records. In a damaged file these are the records before
// the damage; see [File.Report].
func (f *File) Len() int64 {
	f.must()
	c, _ := f.load()
	return c.report.Records
}

// Report says what is in the file. That the file is torn or damaged is not an error
// here.
func (f *File) Report() (Report, error) {
	c, err := f.load()
	if err != nil && c.fault == nil {
		return Report{}, err
	}
	return c.report, nil
}

// Refresh finds the blocks that were written since the file was opened or last
// refreshed. The File must be from [Open], or from [NewFile] with a reader that has
// a method Stat or Size, like [os.File] and [io.SectionReader].
func (f *File) Refresh() error {
	if err := f.check(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	size, err := sizeOf(f.r) // with the lock, so that a call at the same time does not know a later size
	if err != nil {
		return inFile(f.path, err)
	}
	if f.known != nil && size < f.known.end || size < int64(f.header.size) {
		return inFile(f.path, faultAt(ErrTruncated, size, "end of file"))
	}
	if f.header.size > 0 {
		if _, _, err := f.walk(0).step(); err != nil {
			return inFile(f.path, err)
		}
	}
	old := f.size
	// A Writer that has cut off a torn end may have written as many bytes since.
	if size == old && f.header.size > 0 && (f.known == nil || f.known.end == size || f.known.report.Indexed) {
		return nil
	}
	f.size, f.idle = size, nil
	if f.header.size == 0 {
		w := f.walk(0)
		s, _, err := w.step()
		if err != nil {
			f.size = old
			return inFile(f.path, err)
		}
		if s == atHeader {
			f.header = w.header
		}
	}
	if f.known != nil {
		known := f.known
		f.known = nil
		c, err := f.extend(known)
		if err != nil {
			return inFile(f.path, err)
		}
		f.known = c
	}
	return nil
}

func sizeOf(r io.ReaderAt) (int64, error) {
	switch r := r.(type) {
	case interface{ Stat() (fs.FileInfo, error) }:
		info, err := r.Stat()
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	case interface{ Size() int64 }:
		return r.Size(), nil
	}
	return 0, fault(errors.ErrUnsupported, fmt.Sprintf("refresh of a %T", r))
}

// load finds all blocks. The error is the one that reading the file to its end
// gives; the contents are valid with an error about damage.
func (f *File) load() (*contents, error) {
	if err := f.check(); err != nil {
		return &contents{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil {
		c, err := f.index()
		if err == nil && c == nil || errors.Is(err, ErrTruncated) { // the walk finds out what is missing
			none := &contents{walk: *f.walk(0)}
			none.places.every = 1
			c, err = f.extend(none)
		}
		if err != nil {
			return &contents{}, inFile(f.path, err)
		}
		f.known = c
	}
	return f.known, inFile(f.path, f.known.fault)
}

// index returns the contents from the index, or nil if the file has none.
func (f *File) index() (*contents, error) {
	if f.header.size == 0 {
		return nil, nil
	}
	src := &fileSource{r: f.r, size: f.size}
	start, length, ok, err := findIndex(src, f.size)
	if err != nil || !ok {
		return nil, err
	}
	w := f.walk(0)
	if _, _, err := w.step(); err != nil {
		return nil, err
	}
	c := &contents{end: start, parts: []partStart{{}}, tables: true, walk: *w}
	c.places.every = 1
	c.report = Report{Size: f.size, Parts: 1, Indexed: true}
	records, ok, err := readIndex(src, &f.header, start, length, func(offset, ordinal int64, raw uint32) {
		c.places.add(place{offset, ordinal, 0})
		c.report.Blocks++
		c.report.Raw += int64(raw)
	})
	if err != nil || !ok {
		return nil, err
	}
	c.report.Records = records
	c.walk.pos, c.walk.next, c.walk.safe, c.walk.first, c.walk.marked = start, records, start, start, start
	c.walk.src = nil
	return c, nil
}

// extend returns the contents of the file up to its end. Those that are known are its
// beginning.
func (f *File) extend(known *contents) (*contents, error) {
	c := known.clone()
	if err := f.walkTo(c, math.MaxInt64); err != nil {
		return nil, err
	}
	w := c.walk
	w.src = &fileSource{r: f.r, size: f.size}
	whole, fault := w.verify(max(w.first, known.verified))
	if fault != nil && !isPlace(fault) {
		return nil, fault
	}
	if !whole {
		c = known.clone()
		if err := f.walkTo(c, w.pos); err != nil {
			return nil, err
		}
		c.stop(w.pos, fault)
	}
	c.verified = c.end
	return c, nil
}

func (c *contents) clone() *contents {
	d := *c
	d.parts = slices.Clone(c.parts)
	d.places = c.places.clone()
	return &d
}

// stop ends the contents at an offset, where the file is damaged, or torn if fault is nil.
func (c *contents) stop(at int64, fault error) {
	c.end, c.walk.pos, c.fault = at, at, fault
	if fault != nil {
		c.report.Damage, c.report.Damaged = []Damage{{Offset: at, Err: fault}}, 1
	} else {
		c.report.Torn = c.report.Size - at
	}
}

// walkTo adds to the contents what the file has up to the block at an offset, or to its end.
func (f *File) walkTo(c *contents, end int64) error {
	c.fault = nil
	c.report.Size, c.report.Torn, c.report.Damage, c.report.Damaged, c.report.Indexed = f.size, 0, nil, 0, false
	src := &fileSource{r: f.r, size: f.size}
	for {
		if c.report.Blocks > 0 && c.walk.pos/c.report.Blocks < smallRead {
			src.ahead = largeRead // the blocks are small
		}
		w := c.walk
		w.src = src
		s, b, err := w.step()
		if err != nil && !isPlace(err) {
			return err
		}
		if err == nil && s == atBlock && b.Offset >= end {
			return nil
		}
		c.end = w.pos
		c.walk = w
		c.walk.src = nil
		switch {
		case err != nil:
			c.stop(w.pos, err)
			return nil
		case s == atEnd:
			if c.report.Parts != 1 {
				return nil
			}
			var err error
			c.report.Indexed, err = hasIndex(src, src.size, &w.header, c.report.Records)
			return err
		case s == atTear:
			c.stop(w.pos, nil)
			return nil
		case s == atHeader:
			c.report.Parts++
			if len(c.parts) == maxParts {
				c.many = true
			}
			if !c.many {
				c.parts = append(c.parts, partStart{w.part, w.base})
			}
		case s == atBlock:
			c.report.add(b)
			if c.tables {
				c.report.Stored = 0
			}
			if !c.many {
				c.places.add(place{b.Offset, b.Ordinal, int32(len(c.parts) - 1)})
			}
		}
	}
}

// A place is the position of a block.
type place struct {
	offset, ordinal int64
	part            int32 // index in contents.parts
}

// maxPlaces bounds the memory that a File needs for positions to 1.5 MiB.
const maxPlaces = 1 << 16

// places has the position of every block, or of every second, fourth and so on if
// there are many. Their order is that of the file.
type places struct {
	list  []place
	every int64 // a power of two
	count int64 // of blocks
}

func (p *places) add(next place) {
	if p.count%p.every == 0 {
		if len(p.list) == maxPlaces {
			for i := range maxPlaces / 2 {
				p.list[i] = p.list[2*i]
			}
			p.list = p.list[:maxPlaces/2]
			p.every *= 2
		}
		p.list = append(p.list, next)
	}
	p.count++
}

func (p places) clone() places {
	p.list = append([]place(nil), p.list...)
	return p
}

// before returns the last place whose block begins with the ordinal or an earlier
// one. There must be places.
func (p *places) before(ordinal int64) place {
	return p.list[sort.Search(len(p.list), func(i int) bool { return p.list[i].ordinal > ordinal })-1]
}
