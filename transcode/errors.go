package transcode

import (
	"errors"
	"fmt"
	"strings"

	"github.com/octet-go/octet/msgpack/wire"
)

// The reasons for which input cannot be converted, found with [errors.Is]
// inside an [Error]. Others are those of package wire: [wire.ErrTruncated]
// where the input ends within a value, [wire.ErrDepth], [wire.ErrReserved] and
// [wire.ErrTimestamp].
var (
	// ErrSyntax: the text is not JSON.
	ErrSyntax = errors.New("transcode: invalid JSON")
	// ErrNumber: a JSON number has no counterpart in MessagePack: it is too
	// large, or cannot be kept without rounding beyond what JSON readers do.
	ErrNumber = errors.New("transcode: number cannot be represented")
	// ErrNaN: NaN and the infinities have no JSON notation.
	ErrNaN = errors.New("transcode: float is not a number in JSON")
	// ErrKey: a map, array or ext is a key inside a key.
	ErrKey = errors.New("transcode: key cannot be represented")
	// ErrEscape: under Options.Reversible, an object whose name starts with a
	// dollar sign is not one that the package writes.
	ErrEscape = errors.New("transcode: malformed escape object")
)

// These reasons are the same values as in packages wire and msgpack.
const (
	// ErrUTF8: a string is not valid UTF-8, or a JSON string escapes half of a
	// surrogate pair.
	ErrUTF8 = wire.ErrUTF8
	// ErrDuplicateKey: a map has two keys that are the same in the output.
	ErrDuplicateKey = wire.ErrDuplicateKey
	// ErrTrailing: more data follows the one value that was asked for.
	ErrTrailing = wire.ErrTrailing
	// ErrLimit: a value exceeds Options.MaxValue, or a JSON value has a string
	// of 4 GiB or 2^32 elements, which MessagePack cannot write.
	ErrLimit = wire.ErrLimit
)

// An Error is a fault in the input and where it lies. Errors of the reader or
// the writer are not wrapped in it.
type Error struct {
	Offset int64  // bytes of the input before the fault
	Value  int64  // values of the input before the one at fault
	Path   string // inside that value: .users[2].name, or "" for the value itself
	Found  string // what stands there, or ""
	Want   string // what would be right, or ""
	Err    error  // the reason: a sentinel of this package or package wire, or an error that wraps one
}

// Error says all that e holds in one line.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "transcode: value %d, offset %d", e.Value, e.Offset)
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

// within adds the step into the container that holds the fault's path.
func (e *Error) within(step string) *Error {
	e.Path = step + e.Path
	return e
}

// clip shortens text that an error quotes from the input.
func clip(s string) string {
	const most = 64
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// clipMiddle shortens a path, whose both ends tell the most.
func clipMiddle(s string) string {
	const most = 160
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most/2], "") + "…" + strings.ToValidUTF8(s[len(s)-most/2:], "")
}
