package array

import (
	"errors"
	"io"
)

// Errors for readers and writers that violate the rules of package io.
var (
	errReadCount  = errors.New("reader returned invalid count from Read")
	errWriteCount = errors.New("writer returned invalid count from Write")
)

// maxEmptyReads is the number of consecutive reads that may return neither data
// nor an error, as in package bufio.
const maxEmptyReads = 100

// readFull is like io.ReadFull, for readers that may violate the rules of
// io.Reader.
func readFull(r io.Reader, b []byte) (n int, err error) {
	for empty := 0; n < len(b) && err == nil; {
		var got int
		got, err = r.Read(b[n:])
		switch {
		case got < 0 || got > len(b)-n:
			return n, errReadCount
		case got > 0:
			empty = 0
		case err == nil:
			if empty++; empty == maxEmptyReads {
				return n, io.ErrNoProgress
			}
		}
		n += got
	}
	switch {
	case n == len(b):
		return n, nil
	case n > 0 && err == io.EOF:
		return n, io.ErrUnexpectedEOF
	}
	return n, err
}

// writeFull writes b with one call of Write.
func writeFull(w io.Writer, b []byte) error {
	n, err := w.Write(b)
	switch {
	case err != nil || n == len(b):
		return err
	case n < 0 || n > len(b):
		return errWriteCount
	}
	return io.ErrShortWrite
}
