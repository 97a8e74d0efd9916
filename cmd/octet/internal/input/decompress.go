package input

import (
	"bufio"
	"errors"
	"io"
	"runtime"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

// maxWindow is the largest zstd window that is accepted, in bytes. The decoder
// keeps a window in memory. The zstd command uses at most 8 MiB by default.
const maxWindow = 32 << 20

// decompress adds the layer that decompresses the input. Several compressed
// parts, one after another, are one stream, as for the gzip and zstd commands.
func (in *Input) decompress(c sniff.Format) error {
	in.Compression = c
	if c == sniff.Gzip {
		r, err := gzip.NewReader(in.Reader)
		if err != nil {
			return compressionError{c, err}
		}
		r.Multistream(false)
		in.Reader = bufio.NewReaderSize(decompressor{&members{in.Reader, r}, c}, bufferSize)
		return nil
	}
	r, err := zstd.NewReader(in.Reader, zstd.WithDecoderConcurrency(min(runtime.GOMAXPROCS(0), 2)),
		zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return compressionError{c, err}
	}
	in.closer = func() { go r.Close() } // Close waits for the current Read, which may never return
	in.Reader = bufio.NewReaderSize(decompressor{r, c}, bufferSize)
	return nil
}

// members reads all members of gzip data. gzip.Reader does so too, but has the same error for a
// header that is cut and for a few bytes that are no header.
type members struct {
	from *bufio.Reader
	r    *gzip.Reader
}

func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.r.Read(p)
		if err != io.EOF {
			return n, err
		}
		if n > 0 {
			return n, nil // the next call returns io.EOF
		}
		switch magic, err := m.from.Peek(2); {
		case len(magic) == 0:
			return 0, err
		case !strings.HasPrefix("\x1f\x8b", string(magic)):
			return 0, errTrailing
		}
		if err := m.r.Reset(m.from); err != nil {
			return 0, err
		}
		m.r.Multistream(false)
	}
}

// A decompressor marks the errors of compressed data.
type decompressor struct {
	r io.Reader
	c sniff.Format
}

func (d decompressor) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	switch {
	case errors.Is(err, zstd.ErrMagicMismatch): // the first header was there
		err = compressionError{d.c, errTrailing}
	case err != nil && err != io.EOF:
		err = compressionError{d.c, err}
	}
	return n, err
}

// errTrailing is the cause of an error for bytes that begin no other part of compressed data.
var errTrailing = errors.New("other data")

// A compressionError is an error in compressed data.
type compressionError struct {
	c   sniff.Format
	err error
}

func (e compressionError) Error() string {
	switch {
	case errors.Is(e.err, io.ErrUnexpectedEOF) || errors.Is(e.err, io.EOF):
		return "truncated " + e.c.String() + " data"
	case e.err == errTrailing:
		return "other data follows the " + e.c.String() + " data"
	case e.largeWindow():
		return "the zstd data needs a window of more than 32 MiB"
	case e.dictionary():
		return "the zstd data needs the dictionary that it was compressed with"
	case errors.Is(e.err, gzip.ErrChecksum) || errors.Is(e.err, zstd.ErrCRCMismatch):
		return "damaged " + e.c.String() + " data: the checksum does not match"
	}
	return "damaged " + e.c.String() + " data"
}

// largeWindow reports whether the data needs too large a window.
func (e compressionError) largeWindow() bool {
	return errors.Is(e.err, zstd.ErrWindowSizeExceeded) || errors.Is(e.err, zstd.ErrDecoderSizeExceeded)
}

// dictionary reports whether the data needs a dictionary.
func (e compressionError) dictionary() bool { return errors.Is(e.err, zstd.ErrUnknownDictionary) }

func (e compressionError) Unwrap() error { return e.err }
