package parquet

import (
	"errors"
	"fmt"
	"strings"
)

// Reasons why an export fails. Other errors are those of the reader, of the writer, of
// package record for a record file, and a [transcode.Error] for JSON.
//
// [transcode.Error]: https://pkg.go.dev/github.com/octet-go/octet/transcode#Error
var (
	// ErrOptions: a field of Options is out of its range.
	ErrOptions = errors.New("parquet: invalid option")
	// ErrSeek: there is no schema and the input is not an [io.Seeker], so that it cannot
	// be read twice.
	ErrSeek = errors.New("parquet: without a schema, the input must be an io.Seeker")
	// ErrColumns: the schema has more than 4096 columns.
	ErrColumns = errors.New("parquet: too many columns")
	// ErrLimit: a record is longer than MaxRecord or fills too many values of columns.
	ErrLimit = errors.New("parquet: record exceeds a limit")
)

// An Error is an error in one record of MessagePack or of a record file.
type Error struct {
	Record int64 // number of records before it, or -1 if they were not counted
	Offset int64 // of the record in the input, in bytes, or -1 in a record file
	Err    error // ErrLimit, or an error of package wire
}

// Error returns all fields of e in one line.
func (e *Error) Error() string {
	text := "parquet: record"
	if e.Record >= 0 {
		text += fmt.Sprint(" ", e.Record)
	}
	if e.Offset >= 0 {
		text += fmt.Sprint(" at offset ", e.Offset)
	}
	return text + ": " + strings.TrimPrefix(e.Err.Error(), "parquet: ")
}

// Unwrap returns the reason, for [errors.Is].
func (e *Error) Unwrap() error { return e.Err }
