package record

import (
	"errors"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

// The reasons of an [Error]. Use errors.Is to test for them.
var (
	// ErrFormat: the file does not begin as a record file does. It also matches
	// ErrCorrupt, because damage can have this effect.
	ErrFormat error = formatError{}
	// ErrCorrupt: the bytes are not those of a record file, or were changed after they
	// were written.
	ErrCorrupt = errors.New("corrupt data")
	// ErrVersion: the file was written in a newer version of the format.
	ErrVersion = errors.New("unsupported version of the format")
	// ErrLimit: a record or block is larger than [Options].MaxBlock, or the header of
	// the file is too large.
	ErrLimit = errors.New("size limit exceeded")
	// ErrCompressed: a block is compressed, and [Options].Decompressor is not set.
	ErrCompressed = errors.New("block is compressed and there is no Decompressor")
	// ErrInvalid: the argument of [Writer.WriteRaw] is not exactly one valid value.
	ErrInvalid = errors.New("not a single valid MessagePack value")
	// ErrOptions: a field of [Options] is out of its range, or a [Range] or [Block] is
	// impossible.
	ErrOptions = errors.New("invalid option")
	// ErrClosed: the Writer was closed. It matches [fs.ErrClosed], which the errors of
	// a closed File match too.
	ErrClosed error = closedError{}
	// ErrLocked: another Writer has the file open.
	ErrLocked = errors.New("another writer has the file open")
	// ErrNoSync: the destination of the Writer has no method Sync.
	ErrNoSync = errors.New("the destination cannot sync")
	// ErrNotFound: the file has no record with this ordinal.
	ErrNotFound = errors.New("no such record")
	// ErrTruncated: the file is shorter than it was when it was opened, read or written, or was
	// truncated and written again, or [InBlock] was asked for a block in the torn end. It
	// matches [io.ErrUnexpectedEOF]. That a crash has cut off the end of a file is otherwise
	// not an error; see [Report].
	ErrTruncated error = truncatedError{}
)

type formatError struct{}

func (formatError) Error() string        { return "unknown format" }
func (formatError) Is(target error) bool { return target == ErrCorrupt }

type truncatedError struct{}

func (truncatedError) Error() string        { return "truncated input" }
func (truncatedError) Is(target error) bool { return target == io.ErrUnexpectedEOF }

type closedError struct{}

func (closedError) Error() string        { return "already closed" }
func (closedError) Is(target error) bool { return target == fs.ErrClosed }

// errChecksum matches ErrCorrupt.
var errChecksum error = checksumError{}

type checksumError struct{}

func (checksumError) Error() string        { return ErrCorrupt.Error() }
func (checksumError) Is(target error) bool { return target == ErrCorrupt }

// The reasons for the methods of zero values.
var (
	errZeroFile    = errors.New("zero File; use Open or NewFile")
	errZeroWriter  = errors.New("zero Writer; use Create, Append or NewWriter")
	errZeroScanner = errors.New("zero Scanner; use NewScanner")
)

// An Error says what failed and where in the file. Found is text for people.
type Error struct {
	File   string // the name of the file, or empty
	Offset int64  // in bytes; -1 if the error is not about a place in the file
	Record int64  // the ordinal of the record in the file; -1 if it is not about one
	Found  string // what is there, such as "block header"; may be empty
	Err    error  // the reason: one of this package, or of package msgpack, or of the reader or writer
}

// Error returns the parts on one line. An example is
//
//	record: clicks.rec: block checksum does not match at offset 1234: corrupt data
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("record: ")
	if e.File != "" {
		b.WriteString(e.File + ": ")
	}
	found := e.Found
	if e.Record >= 0 {
		found += " in record " + strconv.FormatInt(e.Record, 10)
	}
	if e.Offset >= 0 {
		found += " at offset " + strconv.FormatInt(e.Offset, 10)
	}
	if found != "" {
		b.WriteString(strings.TrimPrefix(strings.TrimPrefix(found, " in "), " ") + ": ")
	}
	return b.String() + e.Err.Error()
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// fault returns an error without a place.
func fault(reason error, found string) *Error {
	return &Error{Offset: -1, Record: -1, Found: found, Err: reason}
}

// faultAt returns an error at an offset.
func faultAt(reason error, offset int64, found string) *Error {
	return &Error{Offset: offset, Record: -1, Found: found, Err: reason}
}

// inFile adds the path of the file to an error of this package.
func inFile(path string, err error) error {
	var e *Error
	if path == "" || !errors.As(err, &e) || e.File != "" || error(e) != err {
		return err
	}
	named := *e // err may be shared by goroutines
	named.File = path
	return &named
}
