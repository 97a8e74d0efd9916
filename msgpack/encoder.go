package msgpack

import (
	"errors"
	"io"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// MarshalWrite writes v in MessagePack to w, in one call of Write. Where v cannot
// be encoded, nothing is written.
//
// Errors are those of [Marshal], and of w as they are.
func MarshalWrite(w io.Writer, v any) error { return defaults.MarshalWrite(w, v) }

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

// An Encoder writes MessagePack values to an [io.Writer], one after the other.
//
// It collects them in a buffer: call [Encoder.Flush] after the last one, and
// whenever the other side should see what there is. Values that should not be in
// memory as a whole are written in parts, by the methods that begin with Write:
// a header first, then as many values as it announces, each by whichever method
// suits. A value counts as one whatever it contains.
//
// After an error an Encoder goes on as if the call had not been made: nothing of
// a value that cannot be encoded is written, and nothing of one before which the
// writer failed. What the writer did not take stays in the buffer, and the next
// call begins with it.
//
// The Write methods write the formats they are named for. What a [Config] chooses
// otherwise is for Encode, but what it demands of a message is demanded of each
// value and header that is written, except what is in a payload in pieces.
//
// Errors are of type *[Error], but what the writer returns is passed on as it is.
// An Encoder is for one goroutine at a time.
type Encoder struct {
	plans *plans
	w     io.Writer

	// The buffer belongs to this Encoder alone and is never pooled, as the
	// writer is given it.
	buf  []byte
	open syntax.Ledger // of the containers that are written in parts
	due  uint32        // bytes of a payload that is written in pieces
}

// writeSize is how many bytes are worth a call of the writer.
const writeSize = 32 << 10

// NewEncoder returns an Encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder { return defaults.NewEncoder(w) }

// NewEncoder returns an Encoder that writes to w. See [NewEncoder].
func (c *Codec) NewEncoder(w io.Writer) *Encoder { return &Encoder{plans: &c.plans, w: w} }

// Reset makes e write to w as if it were new, but with the buffer it has. What
// was not flushed is dropped.
func (e *Encoder) Reset(w io.Writer) {
	*e = Encoder{plans: e.plans, w: w, buf: e.buf[:0], open: e.open[:0]}
}

// Encode writes v, like [Marshal].
func (e *Encoder) Encode(v any) error {
	if err := e.begin(); err != nil {
		return err
	}
	if len(e.open) == 0 {
		b, err := e.plans.marshalAppend(e.buf, v)
		e.buf = b
		return err
	}
	// Inside containers there are fewer levels left.
	mem.EscapeBelow(v) // users' methods are given copies of it
	p, data := e.plans.of(v)
	if p == nil {
		return e.end(wire.AppendNil(e.buf))
	}
	b, err := p.encodeRoot(e.buf, data, e.depth())
	if err != nil {
		return e.plans.withType(err, p.typ)
	}
	return e.end(b)
}

// Flush writes what is in the buffer. If a value is not complete that was begun
// in parts, the rest is written all the same, and the error is [ErrIncomplete],
// with how much is missing.
func (e *Encoder) Flush() error {
	if err := e.write(); err != nil {
		return err
	}
	return e.incomplete()
}

// incomplete says what the value that was begun lacks, if it does.
func (e *Encoder) incomplete() error {
	switch {
	case e.due > 0:
		return &Error{Op: opMarshal, Want: syntax.Counted(e.due, "more byte"), Err: ErrIncomplete}
	case len(e.open) > 0:
		return &Error{Op: opMarshal, Want: syntax.Counted(e.open.Due(), "more value"), Err: ErrIncomplete}
	}
	return nil
}

// begin makes ready for the next value. That the buffer is written before a
// value, not after it, leaves no doubt about what became of a value when the
// writer fails.
func (e *Encoder) begin() error {
	if e.due > 0 {
		return e.incomplete()
	}
	if len(e.buf) >= writeSize {
		return e.write()
	}
	return nil
}

// end takes the buffer with a value more.
func (e *Encoder) end(b []byte) error {
	if g := &e.plans.guard; g.on {
		if err := e.plans.checkOutput(g, b[len(e.buf):]); err != nil {
			return err
		}
	}
	e.buf = b
	e.open.Pass()
	return nil
}

// depth returns how many levels of containers may still be opened.
func (e *Encoder) depth() int { return e.plans.depth - len(e.open) }

// write writes the buffer, and keeps what the writer does not take.
func (e *Encoder) write() error {
	if len(e.buf) == 0 {
		return nil
	}
	n, err := write(e.w, e.buf)
	rest := e.buf[n:]
	if cap(e.buf) > maxScratch && len(e.buf) < cap(e.buf)/4 {
		e.buf = nil // it was for longer values than come now
	}
	e.buf = append(e.buf[:0], rest...)
	return err
}

var errWriteCount = errors.New("msgpack: the writer returned an impossible count")

// write gives b to w, whose errors may also be that it takes less without a word.
func write(w io.Writer, b []byte) (int, error) {
	n, err := w.Write(b)
	switch {
	case n < 0 || n > len(b):
		return 0, errWriteCount
	case n < len(b) && err == nil:
		return n, io.ErrShortWrite
	}
	return n, err
}
