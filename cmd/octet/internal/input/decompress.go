package input

import (
	"bufio"
	"errors"
	"io"
	"runtime"

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
		in.Reader = bufio.NewReaderSize(decompressor{r, c}, bufferSize)
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

// A decompressor marks the errors of compressed data.
type decompressor struct {
	r io.Reader
	c sniff.Format
}

func (d decompressor) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err != nil && err != io.EOF {
		err = compressionError{d.c, err}
	}
	return n, err
}

// A compressionError is an error in compressed data.
type compressionError struct {
	c   sniff.Format
	err error
}

func (e compressionError) Error() string {
	switch {
	case errors.Is(e.err, io.ErrUnexpectedEOF) || errors.Is(e.err, io.EOF):
		return "truncated " + e.c.String() + " data"
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
