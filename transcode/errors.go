package transcode

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/octet-go/octet/msgpack/wire"
)

// ErrOptions means that a field of [Options] is out of its range. No input has
// been read then.
var ErrOptions = errors.New("transcode: invalid option")

// These are the reasons why input cannot be converted. Use [errors.Is] to find
// them in an [Error].
var (
	// ErrSyntax means that the text is not valid JSON.
	ErrSyntax = errors.New("transcode: invalid JSON")
	// ErrNumber means that MessagePack cannot represent a JSON number: the
	// number is too large, or it would lose more precision than JSON readers
	// usually accept.
	ErrNumber = errors.New("transcode: number cannot be represented")
	// ErrNaN means that a float is NaN or infinite, which JSON cannot
	// represent.
	ErrNaN = errors.New("transcode: JSON cannot represent NaN or infinity")
	// ErrKey means that a map key contains a map whose key is a map, array or
	// ext.
	ErrKey = errors.New("transcode: key cannot be represented")
	// ErrEscape means that, with Options.Reversible, an object has a name that
	// starts with a dollar sign but is not a valid escape object.
	ErrEscape = errors.New("transcode: malformed escape object")
)

// These reasons are the same values as in packages wire and msgpack. Input that
// is not MessagePack has the reason [wire.ErrReserved] or [wire.ErrTimestamp].
const (
	// ErrTruncated means that the input ends inside a value, or that it has no
	// value where there must be one. It matches [io.ErrUnexpectedEOF]. Without
	// any value, the [Error] also matches [io.EOF].
	ErrTruncated = wire.ErrTruncated
	// ErrDepth means that containers are nested deeper than Options.MaxDepth.
	ErrDepth = wire.ErrDepth
	// ErrUTF8 means that a string is not valid UTF-8, or that a JSON string
	// contains the escape of a lone surrogate.
	ErrUTF8 = wire.ErrUTF8
	// ErrDuplicateKey means that two keys of a map are the same in the output.
	ErrDuplicateKey = wire.ErrDuplicateKey
	// ErrTrailing means that more data follows a value where only one value is
	// allowed.
	ErrTrailing = wire.ErrTrailing
	// ErrLimit means that a value exceeds Options.MaxValue, or that a JSON
	// value has a string of 4 GiB or 2^32 elements, which MessagePack cannot
	// represent.
	ErrLimit = wire.ErrLimit
)

// An Error describes an error in the input and its position. Errors of the
// reader and the writer are returned as they are.
type Error struct {
	Offset int64  // offset of the error in the input, in bytes
	Start  int64  // offset of the first byte of the value with the error
	Line   int64  // line of the error in JSON, counted from 1; 0 in MessagePack
	Column int64  // its column in characters, counted from 1; 0 in MessagePack
	Value  int64  // number of values before the one with the error
	Path   string // position inside that value: .users[2].name, or "" for the value itself
	Found  string // what the input contains there, or ""
	Want   string // what is expected there, or ""
	Err    error  // the reason: a sentinel of this package or package wire, or an error that wraps one

	// Unread is what was read from a stream after the values before the one with
	// the error, if that exceeds Options.MaxValue. With the rest of the reader, it
	// is the remaining input, which can be converted in another way.
	Unread []byte

	steps []string // of the path, from the last one to the first, until join
	empty bool     // the input has no value at all
}

// Error returns all fields of e in one line.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "transcode: value %d, offset %d", e.Value, e.Offset)
	if e.Line > 0 {
		fmt.Fprintf(&b, " (line %d, column %d)", e.Line, e.Column)
	}
	if e.Path != "" {
		b.WriteString(", at ")
		b.WriteString(clipMiddle(e.Path))
	}
	b.WriteString(": ")
	if reason, ok := e.Err.(wire.Error); ok {
		b.WriteString(string(reason))
	} else {
		b.WriteString(strings.TrimPrefix(e.Err.Error(), "transcode: "))
	}
	if e.Found != "" {
		b.WriteString(": found " + e.Found)
	}
	if e.Want != "" {
		b.WriteString(", want " + e.Want)
	}
	return b.String()
}

// Unwrap returns the reason, for [errors.Is].
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is [io.EOF] and the input has no value. A program
// that takes one value after another from a source ends there.
func (e *Error) Is(target error) bool { return e.empty && target == io.EOF }

// within adds a step to the front of the path. The steps are joined only once, because the
// time and memory for a path that grows step by step are not linear in the depth.
func (e *Error) within(step string) *Error {
	e.steps = append(e.steps, step)
	return e
}

// join makes the path of the steps.
func (e *Error) join() {
	slices.Reverse(e.steps)
	e.Path, e.steps = strings.Join(e.steps, ""), nil
}

// clip shortens text that an error quotes from the input.
func clip(s string) string {
	const most = 64
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// clipMiddle removes the middle of a long path, because both ends are more
// useful.
func clipMiddle(s string) string {
	const most = 160
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most/2], "") + "…" + strings.ToValidUTF8(s[len(s)-most/2:], "")
}
