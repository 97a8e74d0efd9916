package scan

import (
	"fmt"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Fault describes where and why input is not valid MessagePack.
type Fault struct {
	Offset int64  // of the value at fault, in bytes from the start of the input
	Value  int64  // number of complete top-level values before it
	Path   string // of the value at fault in its top-level value; empty for the top-level value itself
	Err    error  // a sentinel of package wire

	Expected string // what the format requires here
	Found    string // what the input contains

	Window []byte // the bytes around the fault that are in memory
	Start  int64  // offset of Window[0]
	End    int64  // offset after the last byte at fault; equal to Offset if the input ends there
}

// Error returns the fault on one line, without the bytes around it.
func (f *Fault) Error() string {
	return fmt.Sprintf("%s: %s: expected %s, found %s", f.Place(), f.Reason(), f.Expected, f.Found)
}

// Unwrap returns the sentinel, for errors.Is.
func (f *Fault) Unwrap() error { return f.Err }

// Place returns the offset and path of the fault: "offset 12 (users[2])".
func (f *Fault) Place() string { return Place(f.Offset, f.Path) }

// Place formats an offset and a path for messages.
func Place(offset int64, path string) string {
	return WithPath(fmt.Sprintf("offset %d", offset), path)
}

// WithPath adds a path to a place such as "offset 12". It removes the middle of
// a long path.
func WithPath(place, path string) string {
	const end = 40
	switch steps := []rune(path); {
	case len(steps) == 0:
		return place
	case len(steps) > 3*end:
		path = string(steps[:end]) + " … " + string(steps[len(steps)-end:])
	}
	return place + " (" + path + ")"
}

// Reason returns the text of the error without the package prefix, because the
// tool adds its own prefix.
func (f *Fault) Reason() string {
	if e, ok := f.Err.(wire.Error); ok {
		return string(e)
	}
	return f.Err.Error()
}

// fault returns the Fault for the value at offset. end is the offset after the
// last byte at fault.
func (s *Scanner) fault(err error, offset, end int64, expected, found string) error {
	window, start := s.w.around(max(offset, end-keptBytes/2))
	return &Fault{
		Offset: offset, Value: s.values, Path: s.Path(), Err: err,
		Expected: expected, Found: found,
		Window: window, Start: start, End: end,
	}
}

// missingValue returns the Fault for an input that ends where a value should begin.
func (s *Scanner) missingValue() error {
	_, _, _ = s.h.Next(nil) // begins the missing value, so that the path is its path
	s.place()
	around := s.h.Around()
	c := &around[len(around)-1]
	left, what := c.Left+1, "element"
	if c.Header.Format.Kind() == wire.KindMap {
		left, what = (left+1)/2, "pair"
	}
	expected := fmt.Sprintf("%s of the %s at offset %d", errtext.Counted(left, "more "+what), c.Header.Format, c.Offset)
	if s.token.Role == Value {
		expected = fmt.Sprintf("the value of the last key of the %s at offset %d", c.Header.Format, c.Offset)
	}
	at := s.w.offset()
	return s.fault(wire.ErrTruncated, at, at, expected, "the end of the input")
}

// truncatedHeader returns the Fault for a value whose header is incomplete.
func (s *Scanner) truncatedHeader() error {
	have := s.h.Offset() - s.token.Offset
	first := s.w.buf[s.w.lo-int(have)]
	return s.fault(wire.ErrTruncated, s.token.Offset, s.h.Offset(),
		fmt.Sprintf("the length of the %s", wire.FormatOf(first)), errtext.Counted(have, "byte")+", then the end of the input")
}

// wrongHeader returns the Fault for a header that cannot stand where it does.
func (s *Scanner) wrongHeader(err error) error {
	t := &s.token
	if err == wire.ErrDepth {
		return s.fault(err, t.Offset, t.Offset+int64(t.Size),
			fmt.Sprintf("at most %d containers inside each other", wire.MaxDepth), fmt.Sprintf("another %s", t.Format))
	}
	return s.fault(err, t.Offset, t.Offset+1, "the first byte of a value", fmt.Sprintf("%#02x", s.w.buf[s.w.lo]))
}

// truncatedPayload returns the Fault for a value whose payload is incomplete.
func (s *Scanner) truncatedPayload() error {
	t := &s.token
	have := t.Payload - s.h.Rest()
	return s.fault(wire.ErrTruncated, t.Offset, s.w.offset(),
		fmt.Sprintf("%s after the header of the %s", errtext.Counted(t.Payload, "byte"), t.Format),
		fmt.Sprintf("%d, then the end of the input", have))
}
