package parquet

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/transcode"
)

// inferSize is the number of bytes of records that a processor looks at for their schema
// at a time.
const inferSize = 1 << 20

// A source gives records as MessagePack.
type source interface {
	// fill appends whole records to buf until it has at least size bytes, and returns
	// [io.EOF] with the last ones.
	fill(buf []byte, size int) ([]byte, error)
	close()
}

// open returns a source that reads r.
func open(r io.Reader, o *Options) source {
	switch o.Format {
	case MessagePack:
		return &stream{r: r}
	case JSON:
		return openJSON(r, o)
	}
	return &recordFile{scanner: record.NewScanner(r, &record.Options{Decompressor: o.Decompressor, MaxBlock: MaxRecord})}
}

// A recordFile reads a record file.
type recordFile struct {
	scanner *record.Scanner
	begun   bool // Scan was called, and has is its result
	has     bool
}

// schema returns the schema in the file, or nil. One that cannot be read, because a newer
// version has written it, is as good as none.
func (f *recordFile) schema() *schema.Schema {
	f.begun, f.has = true, f.scanner.Scan()
	if !f.has {
		return nil
	}
	s, err := f.scanner.Schema()
	if err != nil {
		return nil
	}
	return s
}

func (f *recordFile) fill(buf []byte, size int) ([]byte, error) {
	for len(buf) < size {
		if !f.begun {
			f.has = f.scanner.Scan()
		}
		f.begun = false
		if !f.has {
			if err := f.scanner.Err(); err != nil {
				return buf, err
			}
			return buf, io.EOF
		}
		buf = append(buf, f.scanner.Raw()...)
	}
	return buf, nil
}

func (f *recordFile) close() {}

// A stream reads MessagePack values.
type stream struct {
	r        io.Reader
	splitter wire.Splitter
	rest     []byte // of a value whose end has not arrived
	offset   int64  // of the first byte of rest
}

func (s *stream) fill(buf []byte, size int) ([]byte, error) {
	buf = append(buf, s.rest...)
	end, searched := 0, len(buf) // of whole values; what the splitter has seen
	for {
		if cap(buf)-len(buf) < 16<<10 {
			grown := make([]byte, len(buf), max(2*cap(buf), size+size/4))
			copy(grown, buf)
			buf = grown
		}
		n, err := s.r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		found, taken, bad := s.splitter.Last(buf[searched:])
		if found > 0 {
			end = searched + found
		}
		searched += taken
		if bad != nil {
			return buf[:0], fmt.Errorf("parquet: invalid MessagePack at offset %d: %w", s.offset+int64(searched)-1, bad)
		}
		if len(buf)-end > MaxRecord {
			return buf[:0], fmt.Errorf("%w: the record at offset %d has more than %d bytes", ErrLimit, s.offset+int64(end), MaxRecord)
		}
		if err == nil && (end == 0 || len(buf) < size) {
			continue
		}
		s.rest = append(s.rest[:0], buf[end:]...)
		s.offset += int64(end)
		if errors.Is(err, io.EOF) && len(s.rest) > 0 {
			err = fmt.Errorf("parquet: record at offset %d: %w", s.offset, wire.ErrTruncated)
		}
		return buf[:end], err
	}
}

func (s *stream) close() {}

// A jsonStream reads JSON values. Package transcode converts them in other goroutines.
type jsonStream struct {
	stream
	pipe *io.PipeReader
	done sync.WaitGroup
}

func openJSON(r io.Reader, o *Options) *jsonStream {
	in, out := io.Pipe()
	s := &jsonStream{stream: stream{r: in}, pipe: in}
	s.done.Go(func() {
		_, err := transcode.ToMsgpack(out, r, o.json())
		out.CloseWithError(err) // nil is io.EOF
	})
	return s
}

// close waits until r is no longer read.
func (s *jsonStream) close() {
	s.pipe.Close()
	s.done.Wait()
}

// process gives buffers of whole records, of about size bytes, to procs workers. seq
// counts them. At most procs+1 buffers exist. It returns the first error.
func process(src source, procs, size int, work func(worker int, seq int64, data []byte) error) error {
	type job struct {
		seq  int64
		data []byte
	}
	jobs := make(chan job)
	free := make(chan []byte, procs+1)
	for range procs + 1 {
		free <- nil
	}
	stop := make(chan struct{})
	var once sync.Once
	var failure error
	fail := func(err error) {
		once.Do(func() {
			failure = err
			close(stop)
		})
	}
	var workers sync.WaitGroup
	for worker := range procs {
		workers.Go(func() {
			for j := range jobs {
				if err := work(worker, j.seq, j.data); err != nil {
					fail(err)
					return
				}
				free <- j.data
			}
		})
	}
	for seq := int64(0); ; seq++ {
		var buf []byte
		select {
		case buf = <-free:
		case <-stop:
		}
		data, err := src.fill(buf[:0], size)
		if len(data) > 0 {
			select {
			case jobs <- job{seq, data}:
			case <-stop:
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			fail(err)
		}
		select {
		case <-stop:
			err = failure
		default:
		}
		if err != nil {
			break
		}
	}
	close(jobs)
	workers.Wait()
	return failure
}
