package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sort"
	"sync"
)

// A File reads a record file. It is a snapshot: it contains the whole blocks that
// the file had when it was opened, or at the last [File.Refresh]. Its methods are
// safe for concurrent use, but Close must be the last.
//
// [Open] and [NewFile] return a File. The functions and methods that use the zero File
// return an error, or panic if they return none.
//
// Opening reads only the header. The first call that needs to know all blocks
// reads the index. In a file without one, such as a file that is still written,
// it reads the header of every block instead.
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
	places places
	walk   walk // continues at end; src is nil
}

// A partStart is a file header.
type partStart struct {
	offset, base int64
}

// maxParts is the number of joined files that can be told apart. It bounds memory.
const maxParts = 1 << 16

// Open opens a file for reading. A Writer may have it open. A [Scanner] reads pipes
// and devices, which Open refuses.
//
// A file that was cut off by a crash is opened; see [Report]. If its first bytes
// are not those of a record file, the error is [ErrFormat].
func Open(path string, o *Options) (*File, error) {
	r, size, err := openRegular(path)
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

// openRegular opens a file that has a size. The size of a pipe is 0, as if it had no
// records.
func openRegular(path string) (*os.File, int64, error) {
	check := func(info fs.FileInfo) error {
		switch {
		case info.IsDir():
			return &fs.PathError{Op: "open", Path: path, Err: errors.New("is a directory")}
		case !info.Mode().IsRegular():
			return &fs.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
		}
		return nil
	}
	// Opening a pipe waits for its writer.
	if info, err := os.Stat(path); err == nil {
		if err := check(info); err != nil {
			return nil, 0, err
		}
	}
	r, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := r.Stat()
	if err == nil {
		err = check(info)
	}
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
	return &walk{src: src, max: f.o.MaxBlock, pos: header, part: header}
}

// source returns a source for the file as it is known now.
func (f *File) source() *fileSource {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &fileSource{r: f.r, size: f.size}
}

// Metadata returns Options.Metadata of the Writer that made the file, or of the
// first file if several were joined.
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
		c := *f.known
		c.parts = append([]partStart(nil), c.parts...)
		c.places = c.places.clone()
		f.known = nil
		if err := f.extend(&c); err != nil {
			return inFile(f.path, err)
		}
		f.known = &c
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
		if err == nil && c == nil {
			c = &contents{walk: *f.walk(0)}
			c.places.every = 1
			err = f.extend(c)
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
	c := &contents{end: start, parts: []partStart{{}}, walk: *w}
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
	c.walk.pos, c.walk.next = start, records
	c.walk.src = nil
	return c, nil
}

// extend walks from the end of what is known to the end of the file.
func (f *File) extend(c *contents) error {
	w := c.walk
	w.src = &fileSource{r: f.r, size: f.size}
	c.fault = nil
	c.report.Size, c.report.Torn, c.report.Damage, c.report.Damaged, c.report.Indexed = f.size, 0, nil, 0, false
	for {
		if src := w.src.(*fileSource); c.report.Blocks > 0 && w.pos/c.report.Blocks < smallRead {
			src.ahead = largeRead // the blocks are small
		}
		s, b, err := w.step()
		if err != nil && !isPlace(err) {
			return err
		}
		c.end = w.pos
		c.walk = w
		c.walk.src = nil
		switch {
		case err != nil:
			c.fault = err
			c.report.Damage, c.report.Damaged = []Damage{{Offset: w.pos, Err: err}}, 1
			return nil
		case s == atEnd:
			if c.report.Parts != 1 {
				return nil
			}
			var err error
			c.report.Indexed, err = hasIndex(w.src, f.size, &w.header, c.report.Records)
			return err
		case s == atTear:
			c.report.Torn = f.size - w.pos
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
			c.report.Blocks++
			c.report.Records += int64(b.Records)
			c.report.Raw += int64(b.Raw)
			c.report.Stored += int64(b.Stored)
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
