package msgpack

import (
	"bytes"
	"io"
	"strings"
)

// MarshalWrite writes v in MessagePack to w, in one call of Write. Where v cannot
// be encoded, nothing is written.
//
// Errors are those of [Marshal], and of w as they are.
func MarshalWrite(w io.Writer, v any) error { return defaults.MarshalWrite(w, v) }

// UnmarshalRead decodes the one value that r has into the variable that v points
// to. It reads r to the end: bytes after the value are an error. See [Decoder]
// for several values.
//
// Errors are those of [Unmarshal], and of r as they are.
func UnmarshalRead(r io.Reader, v any) error { return defaults.UnmarshalRead(r, v) }

// MarshalWrite writes v in MessagePack to w. See [MarshalWrite].
func (c *Codec) MarshalWrite(w io.Writer, v any) error {
	// The writer gets memory that nobody else uses, now or later: it might keep
	// what it has no right to.
	var b []byte
	var err error
	if own, ok := w.(availableBuffer); ok {
		b, err = c.plans.marshalAppend(own.AvailableBuffer(), v)
	} else {
		b, err = c.plans.marshal(v)
	}
	if err != nil {
		return err
	}
	_, err = write(w, b)
	return err
}

// An availableBuffer is a writer that gives its free memory for what is written
// to it next, as bytes.Buffer and bufio.Writer do.
type availableBuffer interface{ AvailableBuffer() []byte }

// UnmarshalRead decodes the one value that r has. See [UnmarshalRead].
func (c *Codec) UnmarshalRead(r io.Reader, v any) error {
	d := c.NewDecoder(r)
	if n := remaining(r); n > 0 && (n <= c.plans.MaxTotal || c.plans.MaxTotal == 0) {
		d.buf = make([]byte, n+minRead)
	}
	// Whether more follows the value has to be known anyway. To know it first
	// saves the scan, of all but long values.
	for d.end < maxScratch && d.readErr == nil && !c.plans.AllowTrailing {
		if err := d.fill(); err != nil {
			d.readErr = err
		}
	}
	if err := d.Decode(v); err == io.EOF {
		return d.truncated()
	} else if err != nil {
		return err
	}
	if c.plans.AllowTrailing {
		return nil
	}
	if err := d.begin(); err != io.EOF {
		if err == nil {
			err = trailing(d.offset(0))
		}
		return err
	}
	return nil
}

// A lener is a reader that says how many bytes it has left.
type lener interface{ Len() int }

// inMemory returns r if it has all its bytes in memory, so that it can be
// believed how many there are; otherwise nil.
func inMemory(r io.Reader) lener {
	switch r := r.(type) {
	case *bytes.Reader:
		return r
	case *bytes.Buffer:
		return r
	case *strings.Reader:
		return r
	}
	return nil
}

// remaining returns how many bytes to expect from r, 0 if it does not say. What
// stands behind the word of an unknown reader may be a claim of its input.
func remaining(r io.Reader) int {
	if r := inMemory(r); r != nil {
		return r.Len()
	}
	if r, ok := r.(lener); ok {
		return max(0, min(r.Len(), maxScratch))
	}
	return 0
}
