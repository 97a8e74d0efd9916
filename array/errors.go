package array

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// The reasons of an [Error]. Use errors.Is to test for them. Errors of the system are
// inside as well: errors.Is(err, fs.ErrExist) works.
var (
	// ErrType: the elements of a file have another type or byte order than the
	// program asked for.
	ErrType = errors.New("type does not match")
	// ErrUnsupported: a file is well-formed, but Go has no type for its elements, or
	// it is not a regular file.
	ErrUnsupported = errors.New("not supported")
	// ErrFormat: a file does not have the format that was asked for, or, if none was,
	// any format that can be recognized.
	ErrFormat = errors.New("unknown format")
	// ErrVersion: the version of the .npy format is not 1.0, 2.0 or 3.0.
	ErrVersion = errors.New("unsupported version of the format")
	// ErrCorrupt: the header of a .npy file is malformed.
	ErrCorrupt = errors.New("corrupt data")
	// ErrTruncated: a file is shorter than its header says, or has become shorter
	// since it was opened, or a stream ends inside an array. It matches
	// [io.ErrUnexpectedEOF]. The error for a .npy array of which there is not a single
	// byte also matches [io.EOF].
	ErrTruncated error = truncatedError{}
	// ErrTrailing: bytes follow an array that should be the last one.
	ErrTrailing = errors.New("trailing data after the array")
	// ErrLimit: an array is larger than an int or a limit of this package allows.
	ErrLimit = errors.New("size limit exceeded")
	// ErrOptions: a [Format] or [Options] is invalid, or has no meaning for the
	// function.
	ErrOptions = errors.New("invalid option")
	// ErrShape: elements do not fill whole rows of the array, or a shape does not
	// match the number of elements.
	ErrShape = errors.New("shape does not match")
	// ErrHeaderFull: the header of a .npy file has no room for a longer length.
	ErrHeaderFull = errors.New("header is full")
	// ErrRange: elements outside of the array were read or written.
	ErrRange = errors.New("index out of range")
	// ErrReadOnly: the file was opened with [Options].ReadOnly.
	ErrReadOnly = errors.New("file is read-only")
	// ErrLocked: another File has the file open for writing.
	ErrLocked = errors.New("file is open for writing")
	// ErrSync: an earlier Sync failed, so it is unknown which values are on the disk.
	ErrSync = errors.New("earlier sync failed")
	// ErrFault: mapped memory could not be accessed.
	ErrFault = errors.New("memory fault")
	// ErrNoSlice: the elements of a file cannot be a slice; see [File.Slice].
	ErrNoSlice = errors.New("no slice of the file")
	// ErrClosed: the File was closed. It is [fs.ErrClosed].
	ErrClosed = fs.ErrClosed
)

// errZero is the reason for the methods of a zero File, and errZeroReader of a zero
// Reader.
var (
	errZero       = errors.New("zero File; use Open or Create")
	errZeroReader = errors.New("zero Reader; use NewReader")
)

// A truncatedError is ErrTruncated, or, if it is true, the error for empty input.
type truncatedError struct{ empty bool }

func (truncatedError) Error() string { return "truncated input" }

func (e truncatedError) Is(target error) bool {
	return target == ErrTruncated || target == io.ErrUnexpectedEOF || e.empty && target == io.EOF
}

// An Error is the error of every function of this package. Only io.EOF, from
// ReadAt and [Read], is not wrapped.
type Error struct {
	Op     string // what failed, such as "open"
	File   string // the name of the file, or of the array in a .npz file; "" for a stream
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
