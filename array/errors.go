package array

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// These are the reasons inside an [Error], for errors.Is. Errors of the system
// are inside as well: errors.Is(err, fs.ErrExist) works.
var (
	// ErrType means that the elements of a file have another type than the
	// program asked for.
	ErrType = errors.New("type does not match")
	// ErrUnsupported means that a file is well-formed, but Go has no type for its
	// elements, or a part of it exceeds a limit of this package.
	ErrUnsupported = errors.New("not supported")
	// ErrFormat means that a file is malformed or has another format.
	ErrFormat = errors.New("malformed file")
	// ErrTruncated means that a file is shorter than its header says, or has
	// become shorter since it was opened.
	ErrTruncated = errors.New("file is truncated")
	// ErrShape means that elements do not fill whole rows of the array, or that a
	// shape does not match the number of elements.
	ErrShape = errors.New("shape does not match")
	// ErrHeaderFull means that the header of a .npy file has no room for a longer
	// length.
	ErrHeaderFull = errors.New("header is full")
	// ErrRange means that elements outside of the array were written.
	ErrRange = errors.New("index out of range")
	// ErrReadOnly means that the file was opened with Options.ReadOnly.
	ErrReadOnly = errors.New("file is read-only")
	// ErrSync means that an earlier Sync failed, so it is unknown which values
	// are on the disk.
	ErrSync = errors.New("earlier sync failed")
	// ErrFault means that mapped memory could not be accessed.
	ErrFault = errors.New("memory fault")
	// ErrClosed is the error of the methods of a closed File.
	ErrClosed = os.ErrClosed
)

// An Error is the error of every function of this package. Only io.EOF, from
// ReadAt and [Read], is not wrapped.
type Error struct {
	Op     string // what failed, such as "open"
	File   string // the name of the file, or "" for a stream
	Offset int64  // where in the file, or -1
	Err    error
}

// Error returns all fields on one line.
func (e *Error) Error() string {
	text := "array: " + e.Op
	if e.File != "" {
		text += " " + e.File
	}
	text += ": " + e.Err.Error()
	if e.Offset >= 0 {
		text += fmt.Sprintf(" (offset %d)", e.Offset)
	}
	return text
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// wrap returns err as an Error. An Error that is already complete stays as it
// is.
func wrap(op, path string, err error) error {
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(err, &known) {
		if known.Op == "" {
			known.Op, known.File = op, path
		}
		return known
	}
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err // the Error names the operation and the file itself
	}
	return &Error{Op: op, File: path, Offset: -1, Err: err}
}

// fault returns an error about the bytes at offset. wrap adds the operation and
// the path.
func fault(offset int64, reason error, format string, args ...any) error {
	return &Error{Offset: offset, Err: fmt.Errorf("%w: %s", reason, fmt.Sprintf(format, args...))}
}
