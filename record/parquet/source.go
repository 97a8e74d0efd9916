package parquet

import (
	"bytes"
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

// A source gives records, as MessagePack or JSON.
type source interface {
	// fill appends whole records to buf, which is empty, until it has at least size
	// bytes, and returns [io.EOF] with the last ones. An error that wraps io.EOF, as of a
	// connection that broke, is an error. The offset is that of the first byte in the
	// input, or negative if the records are parts of blocks.
	fill(buf []byte, size int) (data []byte, offset int64, err error)
}

// open returns a source that reads r.
func open(r io.Reader, o *Options) source {
	switch o.Format {
	case MessagePack:
		return &stream{r: r}
	case JSON:
		return &lines{r: r}
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
	f.begun, f.has = true, f.scanner.Scan() // a file without records has a schema too
	s, err := f.scanner.Schema()
	if err != nil {
		return nil
	}
	return s
}

func (f *recordFile) fill(buf []byte, size int) (data []byte, offset int64, err error) {
	for len(buf) < size {
		if !f.begun {
			f.has = f.scanner.Scan()
		}
		f.begun = false
		if !f.has {
			if err := f.scanner.Err(); err != nil {
				return buf, -1, err
			}
			return buf, -1, io.EOF
		}
		buf = append(buf, f.scanner.Raw()...)
	}
	return buf, -1, nil
}

// A stream reads MessagePack values.
type stream struct {
	r        io.Reader
	splitter wire.Splitter
	rest     []byte // of a value whose end has not arrived
	offset   int64  // of the first byte of rest
}

func (s *stream) fill(buf []byte, size int) (data []byte, offset int64, err error) {
	offset = s.offset
	buf = append(buf, s.rest...)
	end, searched := 0, len(buf) // of whole values; what the splitter has seen
	for {
		if cap(buf)-len(buf) < 16<<10 {
			buf = grow(buf, size)
		}
		n, err := read(s.r, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		found, taken, bad := s.splitter.Last(buf[searched:])
		if found > 0 {
			end = searched + found
		}
		searched += taken
		if bad != nil {
			return buf[:0], offset, s.fault(buf[:searched], bad)
		}
		if len(buf)-end > MaxRecord {
			return buf[:0], offset, &Error{Record: -1, Offset: s.offset + int64(end), Err: fmt.Errorf("%w: it has more than %d bytes", ErrLimit, MaxRecord)}
		}
		if err == nil && (end == 0 || len(buf) < size) {
			continue
		}
		s.rest = append(s.rest[:0], buf[end:]...)
		s.offset += int64(end)
		if err == io.EOF && len(s.rest) > 0 {
			err = &Error{Record: -1, Offset: s.offset, Err: wire.ErrTruncated}
		}
		return buf[:end], offset, err
	}
}

// fault returns the error for data, which begins with a record and ends with the byte at
// fault. Splitter.Last does not tell where the bad record begins if it ends there too.
func (s *stream) fault(data []byte, bad error) error {
	var splitter wire.Splitter
	start := 0
	for {
		n, _, err := splitter.Next(data[start:])
		if err != nil || n == 0 {
			break
		}
		start += n
	}
	return &Error{Record: -1, Offset: s.offset + int64(start), Err: fmt.Errorf("at byte %d of it: %w", len(data)-1-start, bad)}
}

// lines reads JSON values, which usually are lines.
type lines struct {
	r      io.Reader
	rest   []byte // after the last value that was returned
	offset int64  // of the first byte of rest
}

func (l *lines) fill(buf []byte, size int) (data []byte, offset int64, err error) {
	offset = l.offset
	buf = append(buf, l.rest...)
	var splitter transcode.JSONSplitter
	end, searched := 0, 0 // of whole values; what the splitter has seen
	for {
		if cap(buf)-len(buf) < 16<<10 {
			buf = grow(buf, size)
		}
		n, err := read(l.r, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case err == io.EOF:
			end = len(buf)
		case err == nil && len(buf) < size:
			continue
		case err == nil:
			if end = lastLine(buf); end == 0 {
				found, taken, bad := splitter.Last(buf[searched:])
				if found > 0 {
					end = searched + found
				}
				searched += taken
				if bad != nil {
					end, err = len(buf), io.EOF // the shredder finds the same error
				}
			}
			if len(buf)-end > MaxRecord+size {
				return buf[:0], offset, &Error{Record: -1, Offset: l.offset + int64(end), Err: fmt.Errorf("%w: it has more than %d bytes", ErrLimit, MaxRecord)}
			}
			if end == 0 {
				continue
			}
		}
		l.rest = append(l.rest[:0], buf[end:]...)
		l.offset += int64(end)
		if offset == 0 && bytes.HasPrefix(buf[:end], byteOrderMark) {
			copy(buf, "   ") // white space, so that offsets stay right
		}
		return buf[:end], offset, err
	}
}

var (
	errReadCount  = errors.New("parquet: reader returned invalid count from Read")
	errWriteCount = errors.New("parquet: writer returned invalid count from Write")
)

// read reads at least one byte into b, or fails.
func read(r io.Reader, b []byte) (int, error) {
	for range 100 {
		n, err := r.Read(b)
		switch {
		case n < 0 || n > len(b):
			return 0, errReadCount
		case n > 0 || err != nil:
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// grow makes room in buf, whose length usually becomes size.
func grow(buf []byte, size int) []byte {
	n := 4 * cap(buf)
	if full := size + size/4; cap(buf) < full {
		n = min(max(n, 256<<10), full)
	}
	return append(make([]byte, 0, n), buf...)
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// lastLine returns the end of the last line in text that ends with a bracket and is
// followed by a line that begins with one, or 0 if there is none near the end. In valid
// JSON that is the end of a record: in a record, a comma or a colon is between brackets,
// and strings have no line ends.
func lastLine(text []byte) int {
	end := len(text)
	for range 64 {
		if end = bytes.LastIndexByte(text[:end], '\n'); end < 1 {
			return 0
		}
		before, after := text[end-1], byte(0)
		if before == '\r' && end > 1 {
			before = text[end-2]
		}
		if end+1 < len(text) {
			after = text[end+1]
		}
		if (before == '}' || before == ']') && (after == '{' || after == '[') {
			return end + 1
		}
	}
	return 0
}

// A batch is some records, with the offset of the first one.
type batch struct {
	seq, offset int64 // seq counts the batches
	data        []byte
}

// process gives batches of whole records, of about size bytes, to procs workers. At most
// procs+1 batches exist. It returns the first error.
func process(src source, procs, size int, work func(worker int, b batch) error) error {
	jobs := make(chan batch)
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
				if err := work(worker, j); err != nil {
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
		data, offset, err := src.fill(buf[:0], size)
		if len(data) > 0 {
			select {
			case jobs <- batch{seq, offset, data}:
			case <-stop:
			}
		}
		if err != nil && err != io.EOF {
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
