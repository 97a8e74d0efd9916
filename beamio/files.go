package beamio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/record"
)

// A file is an open record file on a filesystem of Beam.
type file struct {
	*record.File
	ranged bool // reading from an offset does not read what is before it
	close  func() error
	expect func(from, to int64) // tells a Store what will be read, or nil
}

// open opens a record file of a known size, and a version of it in a Store.
func open(ctx context.Context, path, version string, size int64, o record.Options) (*file, error) {
	fs, err := filesystemOf(ctx, path)
	if err != nil {
		return nil, err
	}
	f := &file{}
	var r io.ReadCloser
	if s, ok := fs.(kept); ok && version != "" {
		r, err = s.OpenVersion(ctx, path, version, size)
	} else {
		r, err = fs.OpenRead(ctx, path)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("beamio: %w", err), fs.Close())
	}
	var at io.ReaderAt
	switch s := r.(type) {
	case io.ReaderAt:
		at, f.ranged = s, true
	case io.ReadSeeker:
		at, f.ranged = &seekReader{r: s}, true
	default:
		at = &forwardReader{r: r, open: func() (io.ReadCloser, error) { return fs.OpenRead(ctx, path) }}
	}
	f.close = func() error {
		err := r.Close()
		if s, ok := at.(*forwardReader); ok {
			err = s.r.Close() // it may have opened the file again, and closed r
		}
		return errors.Join(err, fs.Close())
	}
	if e, ok := r.(interface{ Expect(from, to int64) }); ok {
		f.expect = e.Expect
	}
	if s, ok := r.(interface{ Size() int64 }); ok && version == "" {
		size = s.Size() // which is that of the version
	}
	if f.File, err = record.NewFile(at, size, &o); err != nil {
		f.close()
		return nil, inFile(path, err)
	}
	return f, nil
}

// reads says which bytes will be read.
func (f *file) reads(from, to int64) {
	if f.expect != nil {
		f.expect(from, to)
	}
}

// Close replaces that of record.File, which does not close the reader.
func (f *file) Close() error { return f.close() }

// isTorn reports whether reading a block has failed because a power loss has taken its content. The file ends there.
func (f *file) isTorn(b record.Block, err error) bool {
	if !errors.Is(err, record.ErrTruncated) {
		return false
	}
	r, e := f.Report()
	return e == nil && r.Torn > 0 && b.Offset >= r.Size-r.Torn
}

// wholeBefore returns the blocks up to the torn end of the file, if that begins before an offset: it reads the
// blocks before the offset, which are passed otherwise.
func (f *file) wholeBefore(start int64, blocks iter.Seq2[record.Block, error]) iter.Seq2[record.Block, error] {
	return func(yield func(record.Block, error) bool) {
		for b, err := range blocks {
			if err == nil && b.Offset < start {
				for _, e := range record.InBlock[msgpack.Raw](f.File, b) {
					if f.isTorn(b, e) {
						return
					}
					break
				}
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

// inFile adds the path to an error.
func inFile(path string, err error) error { return fmt.Errorf("beamio: %s: %w", path, err) }

// A seekReader makes a ReaderAt of a Seeker.
type seekReader struct {
	mu sync.Mutex
	r  io.ReadSeeker
}

func (s *seekReader) ReadAt(b []byte, offset int64) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.r.Seek(offset, io.SeekStart); err != nil {
		return 0, err
	}
	return full(s.r, b)
}

// full reads len(b) bytes. Unlike io.ReadFull, it returns io.EOF for any fewer, as
// ReadAt does.
func full(r io.Reader, b []byte) (int, error) {
	n, err := io.ReadFull(r, b)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}

// forwardWindow is how many of the last bytes a forwardReader keeps. Package record
// reads a header, sometimes with some bytes after it, and then goes back to it to read
// the block. The first reads, of the file header, are kept as well.
const forwardWindow = 256 << 10

// A forwardReader makes a ReaderAt of a Reader. It reads and drops what is before an
// offset, and opens the file again to go back further than its window.
type forwardReader struct {
	open func() (io.ReadCloser, error)

	mu     sync.Mutex
	r      io.ReadCloser
	head   []byte // the start of the file, up to the size of a window
	window []byte // the bytes before pos, at most twice the size of a window
	pos    int64
}

func (f *forwardReader) ReadAt(b []byte, offset int64) (n int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if end := offset + int64(len(b)); end <= int64(len(f.head)) {
		return copy(b, f.head[offset:]), nil
	}
	if offset < f.pos-int64(len(f.window)) {
		if err := f.restart(); err != nil {
			return 0, err
		}
	}
	for f.pos < offset {
		if _, err := f.more(min(offset-f.pos, forwardWindow)); err != nil {
			return 0, err
		}
	}
	n = copy(b, f.window[int64(len(f.window))-(f.pos-offset):])
	for n < len(b) && err == nil {
		var next []byte
		next, err = f.more(min(int64(len(b)-n), forwardWindow))
		n += copy(b[n:], next)
	}
	return n, err
}

// more reads at most one window and returns it.
func (f *forwardReader) more(n int64) ([]byte, error) {
	if len(f.window) > forwardWindow {
		f.window = f.window[:copy(f.window, f.window[len(f.window)-forwardWindow:])]
	}
	have := len(f.window)
	f.window = append(f.window, make([]byte, n)...)
	got, err := full(f.r, f.window[have:])
	f.window = f.window[:have+got]
	next := f.window[have:]
	if f.pos == int64(len(f.head)) && len(f.head) < forwardWindow {
		f.head = append(f.head, next...)
	}
	f.pos += int64(got)
	return next, err
}

func (f *forwardReader) restart() error {
	r, err := f.open()
	if err != nil {
		return err
	}
	f.r.Close() // it was only read
	f.r, f.pos, f.window = r, 0, f.window[:0]
	return nil
}

// openAll opens a record file to read all of it.
func openAll(ctx context.Context, fs filesystem.Interface, path string, o record.Options) (*file, error) {
	var size int64
	if _, ok := fs.(kept); !ok { // opening it in a Store returns the size
		var err error
		if size, err = fs.Size(ctx, path); err != nil {
			return nil, fmt.Errorf("beamio: size of %s: %w", path, err)
		}
	}
	return open(ctx, path, "", size, o)
}
