// Package recordfile reads and writes record files as streams of MessagePack values.
package recordfile

import (
	"errors"
	"io"
	"math"
	"slices"
	"sync/atomic"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/zstd"
)

// MaxBlock is the largest number of bytes of records in a block that the format allows.
const MaxBlock = 128 << 20

// Options returns the options to read any record file, and to write blocks that are
// compressed if compress is set.
func Options(compress bool) (record.Options, error) {
	c, err := zstd.New(zstd.Default)
	if err != nil {
		return record.Options{}, err
	}
	o := record.Options{Decompressor: c, MaxBlock: MaxBlock}
	if compress {
		o.Compressor = c
	}
	return o, nil
}

// Described is a record file with metadata and a schema. A [record.File] and a [record.Scanner] are.
type Described interface {
	Metadata() map[string]any
	Schema() (*schema.Schema, error)
}

// Describe gives a new file with records of f its metadata and schema. A schema that cannot be read is left out.
func Describe(o *record.Options, f Described) {
	o.Metadata, o.Schema = f.Metadata(), nil
	if s, err := f.Schema(); err == nil {
		o.Schema = s
	}
}

// A Reader reads the values of a record file as one stream, without the headers of
// the file. Like package record, it stops before an incomplete block at the end of
// the file.
type Reader struct {
	scanner *record.Scanner
	rest    []byte // of the current value
	torn    atomic.Int64
}

// NewReader returns a Reader for the record file that r reads.
func NewReader(r io.Reader) (*Reader, error) {
	o, err := Options(false)
	if err != nil {
		return nil, err
	}
	return &Reader{scanner: record.NewScanner(r, &o)}, nil
}

// Read implements [io.Reader]. It copies several records into b, because records are
// usually small.
func (r *Reader) Read(b []byte) (int, error) {
	n := 0
	for n < len(b) {
		if len(r.rest) == 0 {
			if n >= len(b)/2 && n > 0 {
				break // reading the next block may have to wait for data
			}
			if !r.scanner.Scan() {
				if n > 0 {
					break // the next call returns the error
				}
				if err := r.scanner.Err(); err != nil {
					return 0, err
				}
				r.torn.Store(r.scanner.Report().Torn)
				return 0, io.EOF
			}
			r.rest = r.scanner.Raw()
		}
		copied := copy(b[n:], r.rest)
		n, r.rest = n+copied, r.rest[copied:]
	}
	return n, nil
}

// Metadata and Schema are those of the scanner. They are known when Read has returned, and must not be called while it reads.
func (r *Reader) Metadata() map[string]any        { return r.scanner.Metadata() }
func (r *Reader) Schema() (*schema.Schema, error) { return r.scanner.Schema() }

// Torn returns the number of bytes at the end of the file that are not a whole block.
// It is 0 until Read has returned [io.EOF]. It may be called while another goroutine reads.
func (r *Reader) Torn() int64 { return r.torn.Load() }

// A Writer divides a stream of MessagePack values into the records of a file.
type Writer struct {
	pipe *io.PipeWriter
	done chan struct{}
	err  error // the error of the goroutine, set before done is closed
}

// NewWriter returns a Writer that writes a record file to w, described as from, if that is not nil. Its goroutine ends with
// Close, which does not close w.
func NewWriter(w io.Writer, compress bool, from Described) (*Writer, error) {
	o, err := Options(compress)
	if err != nil {
		return nil, err
	}
	if from != nil {
		Describe(&o, from)
	}
	o.MaxBlock = 0 // so that programs can read the file without an option
	records, err := record.NewWriter(withoutSync{w}, &o)
	if err != nil {
		return nil, err
	}
	in, pipe := io.Pipe()
	out := &Writer{pipe: pipe, done: make(chan struct{})}
	go func() {
		defer close(out.done)
		out.err = copyValues(records, in)
		in.CloseWithError(out.err) // so that Write returns instead of blocking
	}()
	return out, nil
}

// withoutSync hides the method Sync of a file, because the owner of the file calls it.
type withoutSync struct{ io.Writer }

// copyValues writes each value of r as one record, up to the first error. Even after
// an error it completes the file.
func copyValues(w *record.Writer, r io.Reader) error {
	err := divide(r, w.WriteRaw)
	if closed := w.Close(); err == nil {
		err = closed
	}
	return err
}

// divide calls emit for each value of r.
func divide(r io.Reader, emit func(msgpack.Raw) error) error {
	b := make([]byte, 0, 64<<10)
	for {
		// An incomplete value is parsed again only after the data has doubled, so that
		// the total time is linear.
		for want := 2*len(b) + 1; len(b) < want; {
			if len(b) == cap(b) {
				b = slices.Grow(b, len(b))
			}
			n, err := r.Read(b[len(b):cap(b)])
			b = b[:len(b)+n]
			if err == io.EOF {
				rest, err := emitComplete(b, emit)
				if err == nil && len(rest) > 0 {
					err = io.ErrUnexpectedEOF
				}
				return err
			}
			if err != nil {
				return err
			}
		}
		rest, err := emitComplete(b, emit)
		if err != nil {
			return err
		}
		b = b[:copy(b, rest)]
	}
}

// emitComplete calls emit for each complete value at the beginning of b, and returns
// the bytes after them.
func emitComplete(b []byte, emit func(msgpack.Raw) error) (rest []byte, err error) {
	for len(b) > 0 {
		n, err := wire.Skip(b, math.MaxInt32)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err == nil {
			err = emit(b[:n])
		}
		if err != nil {
			return nil, err
		}
		b = b[n:]
	}
	return b, nil
}

// Write implements [io.Writer]. The bytes need not end where a value ends.
func (w *Writer) Write(b []byte) (int, error) { return w.pipe.Write(b) }

// Close completes the file. It returns the first error of the Writer. Further calls
// return the same error.
func (w *Writer) Close() error {
	w.pipe.Close()
	<-w.done
	return w.err
}
