package layout

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/octet-go/octet/internal/errtext"
)

// The reasons of an [Error]. Use errors.Is to test for them.
var (
	// ErrTruncated: the message ends before its last field. It matches
	// [io.ErrUnexpectedEOF]. If there are no bytes at all, the error also matches
	// [io.EOF].
	ErrTruncated error = truncated{}
	// ErrTrailing: bytes follow the message.
	ErrTrailing = errors.New("trailing data after the message")
	// ErrLength: a length or count contradicts what it counts, exceeds the frame
	// around it, or does not fit its number.
	ErrLength = errors.New("wrong length")
	// ErrRange: a value does not fit its form on the wire or its Go type, or a field
	// that is absent has a value.
	ErrRange = errors.New("value out of range")
	// ErrConst: a constant has another value.
	ErrConst = errors.New("wrong constant")
	// ErrChecksum: a checksum is wrong.
	ErrChecksum = errors.New("wrong checksum")
	// ErrVariant: a union has no variant with this tag, or none for the type of the
	// value.
	ErrVariant = errors.New("not a variant of the union")
	// ErrLimit: a value exceeds its max, or a message exceeds [Options].MaxMessage.
	ErrLimit = errors.New("size limit exceeded")
	// ErrDepth: recursive structs are nested more than 512 deep.
	ErrDepth = errors.New("nested too deeply")
	// ErrUTF8: a string with the option utf16 is not valid UTF-8 when encoding, or
	// UTF-16 when decoding.
	ErrUTF8 = errors.New("invalid UTF-8")
	// ErrTag: a type cannot be a message, because a tag or a field is wrong.
	ErrTag = errors.New("wrong declaration")
	// ErrUnsupported: a Go type has no form in a message, such as chan and map.
	ErrUnsupported = errors.New("unsupported type")
	// ErrTarget: the target of decoding is not a pointer, or a nil pointer.
	ErrTarget = errors.New("target must be a non-nil pointer")
	// ErrOptions: an option that was given to [New] is invalid.
	ErrOptions = errors.New("invalid option")
)

// truncated is the type of ErrTruncated.
type truncated struct{}

// Error returns a text that does not name the package, because it stands inside an [Error].
func (truncated) Error() string { return "truncated input" }

// Is lets callers that read from a stream test for [io.ErrUnexpectedEOF].
func (truncated) Is(target error) bool { return target == io.ErrUnexpectedEOF }

// An Error describes what could not be encoded or decoded, and where.
type Error struct {
	Path   string // to the Go value, such as Frame.Items[2].Data; it begins with the type
	Offset int64  // in bytes from the start of the data or of the message; -1 if there are no bytes
	Text   string // what happened, such as "length 4096 exceeds the 12 bytes left in Items"
	Err    error  // the reason: a sentinel of this package, or an error of a reader or a user's method

	frameEnd int      // where the frame at fault ends, until its name is in Text; -1 if it is there
	tooLong  *extent  // the range that is too long; one that ends before it is not at fault
	foreign  bool     // Text is that of a method
	atEnd    bool     // the reader ended
	empty    bool     // there was no input
	other    string   // the step that replaces the next one
	steps    []string // of the path, the innermost first
}

// Error returns the parts on one line. An example is
//
//	layout: Frame.Items[2].Data at offset 17: length 4096 exceeds the 12 bytes left in Items
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("layout: " + errtext.Path(e.Path))
	if e.Offset >= 0 {
		b.WriteString(" at offset " + strconv.FormatInt(e.Offset, 10))
	}
	text := e.Text
	if text == "" && e.Err != nil {
		text = strings.TrimPrefix(e.Err.Error(), "layout: ")
	}
	b.WriteString(": " + text)
	return b.String()
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is io.EOF and there was no input.
func (e *Error) Is(target error) bool { return e.empty && target == io.EOF }

// failure returns an error at an offset, without a path. The callers add the path
// while they return.
func failure(pos int, reason error, format string, args ...any) *Error {
	return &Error{Offset: int64(pos), Err: reason, Text: fmt.Sprintf(format, args...), frameEnd: -1}
}

// under puts one step before the path of err. The steps are joined at the end, by
// finish, so that building a long path takes linear time.
func under(step string, err *Error) *Error {
	if err.other != "" {
		step, err.other = err.other, ""
	}
	if step != "" {
		err.steps = append(err.steps, step)
	}
	return err
}

// finish completes the path of err, which begins with name.
func finish(name string, err *Error) *Error {
	var b strings.Builder
	b.WriteString(name)
	for i := range err.steps {
		writeStep(&b, err.steps[len(err.steps)-1-i])
	}
	if err.Path != "" {
		writeStep(&b, err.Path)
	}
	err.Path, err.steps = b.String(), nil
	return err
}

// writeStep adds a step to a path.
func writeStep(b *strings.Builder, step string) {
	if step[0] != '[' {
		b.WriteByte('.')
	}
	b.WriteString(step)
}

// underIndex is under for an element.
func underIndex(i int, err *Error) *Error { return under("["+strconv.Itoa(i)+"]", err) }

// failedBy returns the error for a method of the program that failed. If it failed
// with an Error of this package, its path and offset count from the value.
func failedBy(pos int, err error) *Error {
	failed := &Error{Offset: int64(pos), Err: err, frameEnd: -1}
	var e *Error
	if errors.As(err, &e) && e.Offset >= 0 {
		failed.Path, failed.Offset, failed.Text = e.Path, int64(pos)+e.Offset, e.Text
	}
	if errors.Is(err, io.EOF) {
		// The value has no bytes, but the message has.
		failed.Err = ErrTruncated
		if failed.Text == "" {
			failed.Text = strings.TrimPrefix(err.Error(), "layout: ")
		}
	}
	return failed
}

// failedBy is failedBy for a method that decodes. If it needs more bytes than its frame has, inFrame gives another reason.
func (d *decoder) failedBy(pos int, err error) *Error {
	failed := failedBy(pos, err)
	if errors.Is(failed.Err, io.ErrUnexpectedEOF) {
		failed.foreign, failed.frameEnd = true, d.end
		failed.Text = strings.TrimPrefix(cmp.Or(failed.Text, err.Error()), "layout: ")
	}
	return failed
}

// refused returns an error about what is wrong whatever the bytes are.
func refused(path string, reason error, format string, args ...any) *Error {
	return &Error{Path: path, Offset: -1, Err: reason, Text: fmt.Sprintf(format, args...), frameEnd: -1}
}

// unsupported returns the error for a type that has no form.
func unsupported(path, format string, args ...any) *Error {
	return refused(path, ErrUnsupported, format, args...)
}

// wrong returns the error for a wrong declaration.
func wrong(path, format string, args ...any) *Error { return refused(path, ErrTag, format, args...) }

// plural returns a number of bytes in words.
func plural(n int) string { return errtext.Counted(n, "byte") }

// areBytes says that there are n bytes.
func areBytes(n int) string {
	if n == 1 {
		return "1 byte is"
	}
	return plural(n) + " are"
}

// bytesAre says that n bytes are needed or left.
func bytesAre(n int, kind string) string {
	if n == 0 {
		return "none is " + kind
	}
	return areBytes(n) + " " + kind
}

// inputEnds says that a reader had some of the n bytes that are needed.
func inputEnds(n, some int) string {
	return fmt.Sprintf("%s, but the input ends after %d", bytesAre(n, "needed"), some)
}
