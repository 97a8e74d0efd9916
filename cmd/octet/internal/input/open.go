package input

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"sync/atomic"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/recordfile"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/interrupt"
)

// Options say what is known about the inputs of a command.
type Options struct {
	// Args is the command line after the name of the tool, such as
	// ["stat", "a.bin"]. Errors suggest a changed command line. It must accept
	// the flag --from, which sets Format. Without Args, errors suggest none.
	Args []string
	// Format is the format that a flag names. Default: Unknown, the format is
	// found from the file name and the first bytes.
	Format sniff.Format
	// Only is the single format that the command reads. Default: Unknown, both.
	Only sniff.Format
	// Anyway is the flag that makes the command read any bytes. Default:
	// "--from msgpack".
	Anyway string
	// Raw takes the bytes as they are in Format, without decompression and
	// without looking at them.
	Raw bool
	// Layouts accepts a foreign format that package layout/formats has, and sets
	// Input.Foreign.
	Layouts bool
	// Separators allows the byte [Separator] between the values of JSON, as in RFC 7464.
	Separators bool
	// Read counts the bytes that are read from the files, if it is not nil.
	Read *atomic.Int64
}

// An Input is an open file or standard input. It reads the bytes of a stream of
// values in Format. JSON is in UTF-8.
type Input struct {
	*bufio.Reader
	Name   string       // for messages: the path, or "standard input"
	Path   string       // as given on the command line
	Format sniff.Format // JSON or MessagePack; Unknown if the input is empty and its name does not tell

	Compression sniff.Format   // Gzip, Zstandard or Unknown
	Encoding    sniff.Encoding // of JSON in the file

	Foreign sniff.Foreign // with Options.Layouts: what the input is, if its Layout is set

	forced bool     // the format was named by a flag
	args   []string // Options.Args
	size   int64
	file   *os.File // nil if the reader is not an *os.File
	raw    tally.Reader
	closer func()

	console *console.Console
	records *recordfile.Reader // nil if the file is not a record file
	ofBlock bool               // the zstd data begins with the header of a block of a record file
}

// Separator begins a value in JSON text sequences (RFC 7464), which programs like jq write.
const Separator = 0x1e

// bufferSize is the size of the buffer of an Input.
const bufferSize = 64 << 10

// All opens the named inputs one after another. Each is closed before the next
// is opened. No paths mean standard input. All stops after the first error.
func All(ctx context.Context, c *console.Console, paths []string, o Options) iter.Seq2[*Input, error] {
	return func(yield func(*Input, error) bool) {
		for _, path := range orStdin(paths) {
			in, err := Open(ctx, c, path, o)
			if err != nil {
				yield(nil, err)
				return
			}
			more := yield(in, nil)
			in.Close()
			if !more {
				return
			}
		}
	}
}

// Open opens the named file. The name "-" means standard input. Open waits for
// the writer of a named pipe, and for the first bytes; if ctx is canceled, the error is [failure.ErrInterrupted].
func Open(ctx context.Context, c *console.Console, path string, o Options) (*Input, error) {
	opened := interrupt.Go(func() (*Input, error) {
		in, err := start(c, path)
		if err != nil {
			return nil, err
		}
		if err := in.begin(o); err != nil {
			in.Close()
			return nil, err
		}
		return in, nil
	})
	select {
	case results := <-opened:
		return results()
	case <-ctx.Done():
		go func() { // which may still be opening or reading
			if in, err := (<-opened)(); err == nil {
				in.Close()
			}
		}()
		return nil, failure.ErrInterrupted
	}
}

// nameOf returns the name of an input for messages.
func nameOf(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// start opens the file and determines its size.
func start(c *console.Console, path string) (*Input, error) {
	in := &Input{Path: path, Name: nameOf(path), console: c}
	var r io.Reader
	switch path {
	case "":
		return nil, failure.ErrNoName
	case "-":
		in.file, _ = c.Stdin.(*os.File)
		r = c.Stdin
	default:
		f, err := os.Open(path)
		if err != nil {
			return nil, failure.Accessing(path, err)
		}
		in.file, r = f, f
	}
	if in.file != nil {
		info, err := in.file.Stat()
		if err != nil {
			return nil, failure.Accessing(in.Name, err)
		}
		if info.Mode().IsRegular() {
			in.size = info.Size()
		}
	}
	if in.file != nil && c.IsOutput(in.file) {
		in.Close()
		return nil, failure.OutputToo(in.Name)
	}
	in.raw.R = r
	in.Reader = bufio.NewReaderSize(&in.raw, bufferSize)
	return in, nil
}

// begin looks at the first bytes and adds the layers that decode them.
func (in *Input) begin(o Options) error {
	in.args, in.raw.Sum = o.Args, o.Read
	in.forced = o.Raw || o.Format != sniff.Unknown
	if o.Anyway == "" {
		o.Anyway = "--from msgpack"
	}
	if o.Raw {
		in.Format = o.Format
		_, err := in.head()
		return err
	}
	head, err := in.head()
	if err != nil {
		return err
	}
	if len(head) > 0 && head[0] == sniff.RecordMagic[0] && len(head) < sniff.RecordHead && sniff.Compression(head) != sniff.Unknown {
		head, _ = in.Peek(sniff.RecordHead) // an error is returned again when the bytes are read
	}
	cut := sniff.IsRecordCut(in.Path, head)
	if compression := sniff.Compression(head); compression != sniff.Unknown || cut {
		if cut || sniff.IsRecord(head) {
			if o.Format == sniff.Unknown {
				o.Format = sniff.MessagePack
			}
			err = in.openRecords()
		} else {
			in.ofBlock = len(head) > 8 && string(head[:4]) == sniff.RecordMagic && head[8] == 2 // as a torn end that was moved aside
			err = in.decompress(compression)
		}
		if err != nil {
			return in.Explain(err)
		}
		if head, err = in.head(); err != nil {
			return err
		}
		if inner := sniff.Compression(head); inner != sniff.Unknown && in.Compression != sniff.Unknown && o.Format == sniff.Unknown {
			return in.compressedTwice(inner, head)
		}
	}
	if o.Format != sniff.MessagePack {
		encoding := sniff.EncodingByBytes
		if o.Format == sniff.JSON || sniff.ByName(in.Path) == sniff.JSON {
			encoding = sniff.EncodingOfJSON
		}
		if e := encoding(head); e != (sniff.Encoding{}) {
			in.Encoding = e
			in.Reader = bufio.NewReaderSize(sniff.NewUTF8(in.Reader, e), bufferSize)
			if head, err = in.head(); err != nil {
				return err
			}
		}
	}
	if o.Separators && len(head) > 0 && head[0] == Separator && o.Format == sniff.Unknown {
		o.Format = sniff.JSON // otherwise it would be the integer 30
	}
	if err := in.choose(o, head); err != nil {
		return err
	}
	if o.Separators && in.Format == sniff.JSON {
		in.Reader = bufio.NewReaderSize(separated{in.Reader}, bufferSize)
	}
	return nil
}

// A separated reader replaces each Separator by a tab, which is white space between values
// and, like the separator, an error in a string.
type separated struct{ r io.Reader }

func (s separated) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	for i := range b[:n] {
		if b[i] == Separator {
			b[i] = '\t'
		}
	}
	return n, err
}

// first lists the first bytes of compressed data and of byte order marks.
var first = []byte("\x1f\x28\x50\x51\x52\x53\x54\x55\x56\x57\x58\x59\x5a\x5c\x5d\x5e\x5f\xff\xfe\x00")

// head returns the first bytes without consuming them: what the first read
// returned, so that a slow pipe is not waited for. It returns no bytes if the
// input is empty.
func (in *Input) head() ([]byte, error) {
	if _, err := in.Peek(1); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, in.Explain(err)
	}
	// A few bytes may be the beginning of a signature or of a byte order mark.
	if head, _ := in.Peek(min(in.Buffered(), 4)); len(head) < 4 && bytes.IndexByte(first, head[0]) >= 0 {
		_, _ = in.Peek(4) // an error is returned again when the bytes are read
	}
	head, _ := in.Peek(min(in.Buffered(), sniff.MaxHead))
	return head, nil
}

// Size returns the number of bytes of the file, and 0 if it is not known.
func (in *Input) Size() int64 { return in.size }

// Plain reports whether the offsets in the stream are those in the file.
func (in *Input) Plain() bool {
	return in.Compression == sniff.Unknown && in.Encoding == sniff.Encoding{}
}

// Consumed returns the number of bytes that were read from the file so far. It
// may be called while another goroutine reads.
func (in *Input) Consumed() int64 { return in.raw.N() }

// Skip skips the first n bytes of the stream. It seeks in a plain regular file
// and reads from anything else. If the stream has fewer bytes, Skip returns
// their number and io.EOF.
func (in *Input) Skip(n int64) (skipped int64, err error) {
	if in.Plain() && in.size > 0 && n < in.size {
		// The offset is relative because standard input may not be at its
		// beginning.
		if _, err := in.file.Seek(n-int64(in.Buffered()), io.SeekCurrent); err == nil {
			in.Reset(&in.raw)
			return n, nil
		}
	}
	skipped, err = io.CopyN(io.Discard, in.Reader, n)
	if err == nil {
		_, err = in.Peek(1)
	}
	return skipped, err
}

// Close closes the file, unless it is standard input. It notes if a record file was
// read to a torn end.
func (in *Input) Close() {
	if in.records != nil {
		if torn := in.records.Torn(); torn > 0 {
			in.console.Note("octet: %s: the last %s are not a whole block; the records before them were read", in.Name, console.Plural(torn, "byte"))
		}
		in.records = nil
	}
	if in.closer != nil {
		in.closer()
		in.closer = nil
	}
	if in.file != nil && in.Path != "-" {
		in.file.Close()
	}
}

// OffsetError returns the error for a flag --offset that is past the end.
func (in *Input) OffsetError(offset, size int64) error {
	return fmt.Errorf("--offset %d is at or past the end of %s, which has %s", offset, errtext.Line(in.Name), console.Plural(size, "byte"))
}
