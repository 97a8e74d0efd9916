package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

// An input is an open file or standard input.
type input struct {
	*bufio.Reader
	file *os.File // nil if the reader is not an *os.File
	name string   // used in messages
	path string   // as given on the command line
	size int64    // in bytes, 0 if unknown
}

// errNoName is the error for an empty file name. It usually comes from a script
// that uses an unset variable.
var errNoName = errors.New("the file name is empty")

// open opens the named file. The name "-" means standard input.
func open(path string, c *console.Console) (*input, error) {
	switch path {
	case "":
		return nil, errNoName
	case "-":
		in := &input{name: "standard input", path: path}
		in.file, _ = c.Stdin.(*os.File)
		return in.begin(c.Stdin)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, failure.Accessing(path, err)
	}
	in := &input{name: path, path: path, file: f}
	return in.begin(f)
}

// begin determines the size and allocates the buffer.
func (in *input) begin(r io.Reader) (*input, error) {
	if in.file != nil {
		info, err := in.file.Stat()
		if err != nil {
			return nil, failure.Accessing(in.name, err)
		}
		if info.Mode().IsRegular() {
			in.size = info.Size()
		}
	}
	in.Reader = bufio.NewReaderSize(r, 64<<10)
	return in, nil
}

// head returns the first bytes without consuming them. For a slow pipe, it
// returns the bytes of the first read. An input that is empty or cannot be
// read, such as a directory, is an error here, so that no output has been
// created yet.
func (in *input) head(ctx context.Context) ([]byte, error) {
	return await(ctx, nil, nil, func() ([]byte, error) {
		if _, err := in.Peek(1); err == io.EOF {
			return nil, failure.New(failure.Data, in.name, errEmpty)
		} else if err != nil {
			return nil, failure.Accessing(in.name, err)
		}
		return in.Peek(min(in.Buffered(), sniff.Enough))
	})
}

var errEmpty = errors.New("the input is empty")

func (in *input) close() {
	if in.file != nil && in.path != "-" {
		in.file.Close()
	}
}

// skip skips the first n bytes. It seeks in a regular file and reads from
// anything else.
func (in *input) skip(ctx context.Context, n int64) error {
	if n == 0 {
		return nil
	}
	if in.size > 0 && n < in.size {
		// The offset is relative because standard input may not be at its
		// beginning.
		if _, err := in.file.Seek(n-int64(in.Buffered()), io.SeekCurrent); err == nil {
			in.Reset(in.file)
			return nil
		}
	}
	skipped, err := await(ctx, nil, nil, func() (int64, error) {
		skipped, err := io.CopyN(io.Discard, in, n)
		if err == nil {
			_, err = in.Peek(1)
		}
		return skipped, err
	})
	switch err {
	case nil, errInterrupted:
		return err
	case io.EOF:
		return fmt.Errorf("--offset %d is at or past the end of %s, which has %d bytes", n, in.name, skipped)
	default:
		return failure.Accessing(in.name, err)
	}
}
