package scan

import (
	"fmt"

	"github.com/octet-go/octet/msgpack/wire"
)

// A Fault says where and why input is not MessagePack.
type Fault struct {
	Offset int64  // of the value at fault, in bytes from the start of the input
	Value  int64  // how many complete values the stream holds before it
	Path   string // of the value at fault within its top-level value; empty for that value itself
	Err    error  // a sentinel of package wire

	Expected string // what the format asks for at this place
	Found    string // what is there

	Window []byte // bytes around the fault, as far as they are in memory
	Start  int64  // offset of Window[0]
	End    int64  // offset behind the last byte at fault; Offset where the input ends there
}

// Error returns the fault on one line, without the bytes around it.
func (f *Fault) Error() string {
	return fmt.Sprintf("%s: %s: expected %s, found %s", f.Place(), f.Reason(), f.Expected, f.Found)
}

// Unwrap returns the sentinel, for errors.Is.
func (f *Fault) Unwrap() error { return f.Err }

// Place returns the offset and path of the fault: "offset 12 (users[2])".
func (f *Fault) Place() string { return Place(f.Offset, f.Path) }

// Place returns an offset and a path in the words of all messages of the tool.
// Of the path into a deep nest the middle is left out.
func Place(offset int64, path string) string {
	const end = 40
	switch steps := []rune(path); {
	case len(steps) == 0:
		return fmt.Sprintf("offset %d", offset)
	case len(steps) > 3*end:
		path = string(steps[:end]) + " … " + string(steps[len(steps)-end:])
	}
	return fmt.Sprintf("offset %d (%s)", offset, path)
}

// Reason returns the sentinel's text without the prefix of its package, since
// the tool puts its own in front.
func (f *Fault) Reason() string {
	if e, ok := f.Err.(wire.Error); ok {
		return string(e)
	}
	return f.Err.Error()
}

// fault makes the Fault of the value that begins at offset and whose last byte
// at fault is before end.
func (s *Scanner) fault(err error, offset, end int64, expected, found string) error {
	window, start := s.w.around(max(offset, end-behind/2))
	return &Fault{
		Offset: offset, Value: s.values, Path: s.Path(), Err: err,
		Expected: expected, Found: found,
		Window: window, Start: start, End: end,
	}
}

// missing describes an input that ends where a value should begin.
func (s *Scanner) missing() error {
	f := s.stack[len(s.stack)-1]
	left, what := f.left, "element"
	if f.format.Kind() == wire.KindMap {
		left, what = (f.left+1)/2, "pair"
	}
	s.place() // the path is that of the missing value
	expected := fmt.Sprintf("%s of the %s at offset %d", plural(left, "more "+what), f.format, f.offset)
	if s.token.Role == Value {
		expected = fmt.Sprintf("the value of the key before it, in the %s at offset %d", f.format, f.offset)
	}
	at := s.w.offset()
	return s.fault(wire.ErrTruncated, at, at, expected, "the end of the input")
}

// cut describes a value whose payload is not all there.
func (s *Scanner) cut() error {
	t := &s.token
	have := t.Payload - s.unread
	return s.fault(wire.ErrTruncated, t.Offset, s.w.offset(),
		fmt.Sprintf("%s after the header of the %s", plural(t.Payload, "byte"), t.Format),
		fmt.Sprintf("%d, then the end of the input", have))
}

// plural returns a count with its noun.
func plural[N int | uint32 | uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
