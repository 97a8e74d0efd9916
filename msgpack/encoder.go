package msgpack

import (
	"errors"
	"io"
	"runtime"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// MarshalWrite writes v in MessagePack to w, with one call of Write. If v cannot
// be encoded, nothing is written.
//
// Errors are those of [Marshal]. Errors from w are returned unchanged.
func MarshalWrite(w io.Writer, v any) error { return defaults.MarshalWrite(w, v) }

// MarshalWrite writes v in MessagePack to w. See [MarshalWrite].
func (c *Codec) MarshalWrite(w io.Writer, v any) error {
	// The memory that w is given is not used for anything else, now or later,
	// because a faulty writer might keep it.
	var b []byte
	var err error
	if own, ok := w.(availableBuffer); ok {
		b, err = c.MarshalAppend(own.AvailableBuffer(), v)
	} else {
		b, err = c.Marshal(v)
	}
	if err != nil {
		return err
	}
	_, err = write(w, b)
	return err
}

// An availableBuffer is a writer that lends its free memory for the bytes that
// are written to it next, as bytes.Buffer and bufio.Writer do.
type availableBuffer interface{ AvailableBuffer() []byte }

// An Encoder writes MessagePack values to a buffer, and [Encoder.Flush] writes the
// buffer to an [io.Writer]: call Flush after the last value.
//
// Also call Flush whenever the other side should see the values so far, or have
// each value written at once by [Encoder.AutoFlush]. A value that should not be in
// memory as a whole is written in parts, by the methods whose names begin with
// Write: first its header, then as many values as the header announces, each with
// any method. [EncodeSeq] and [EncodeSeq2] do this for the values of an iterator.
//
// After an error an Encoder continues as if the call had not been made. If a value
// cannot be encoded, or if the writer failed before it, no byte of it is written.
// The bytes that the writer did not take stay in the buffer, and the next call
// begins with them.
//
// The Write methods write the formats in their names, whatever the [Options] of the
// Codec choose for Encode. The other rules of the Options apply to each value and
// header that is written, but not to a payload that is written in pieces.
//
// Errors are of type *[Error], but errors from the writer are returned unchanged.
// An Encoder must not be used by several goroutines at the same time. The zero Encoder
// returns an error from all calls that write, until [Encoder.Reset].
type Encoder struct {
	plans *plans
	w     io.Writer

	// The buffer belongs to this Encoder and is never pooled, because the writer
	// is given it.
	buf       []byte
	plan      *plan         // of the value that was encoded last
	written   int64         // offset in the output of buf[0]
	open      syntax.Ledger // of the containers that are written in parts
	due       uint32        // bytes of a payload that is written in pieces
	autoFlush bool
	plain     bool  // there is a writer, and scalars are encoded as package wire does
	err       error // that every further call returns, see sequence.end
}

// writeSize is how many bytes the buffer holds before they are written.
const writeSize = 32 << 10

// NewEncoder returns an Encoder that writes to w. Call [Encoder.Flush] after the
// last value.
func NewEncoder(w io.Writer) *Encoder { return defaults.NewEncoder(w) }

// NewEncoder returns an Encoder that writes to w. See [NewEncoder].
func (c *Codec) NewEncoder(w io.Writer) *Encoder {
	p := c.ready()
	return &Encoder{plans: p, w: w, plain: p.plainParts && w != nil}
}

// Reset makes e write to w as if it were new. The zero Encoder becomes one that
// [NewEncoder] returns. Reset keeps the buffer and the setting of
// [Encoder.AutoFlush]. Bytes that were not flushed are dropped.
func (e *Encoder) Reset(w io.Writer) {
	if e.plans == nil {
		e.plans = &defaults.plans
	}
	if w == nil {
		e.plan = nil // Encode looks for a writer only if it does not know the type
	}
	*e = Encoder{plans: e.plans, w: w, buf: e.buf[:0], plan: e.plan, open: e.open[:0], autoFlush: e.autoFlush, plain: e.plans.plainParts && w != nil}
}

// AutoFlush sets whether e writes each value when it is complete, so that no call
// of [Encoder.Flush] is needed. The default is false, which is faster because
// several values take one call of the writer.
//
// With AutoFlush, a value that the writer fails to take stays in the buffer. Do
// not encode it again: call [Encoder.Flush] until it succeeds. Without that, a later
// value that the writer fails to take may not be in the buffer, because a call that
// finds 32 KiB there writes these first. If Flush returns [ErrIncomplete], the last
// part of a value that is written in parts was not taken either.
func (e *Encoder) AutoFlush(on bool) { e.autoFlush = on }

// Encode writes v, like [Marshal].
func (e *Encoder) Encode(v any) error {
	if len(e.buf) >= writeSize || e.due > 0 || e.err != nil {
		if err := e.begin(); err != nil {
			return err
		}
	}
	mem.EscapeBelow(v) // users' methods are given copies of it
	w, data := mem.HideAny(v)
	p := e.plan
	if p == nil || p.word != w { // most streams have values of one type
		if e.w == nil {
			return e.incomplete()
		}
		p, _ = e.plans.of(v)
		e.plan = p
	}
	if p == nil {
		return e.end(wire.AppendNil(e.buf))
	}
	if p.target == nil {
		word := p.heapWord(data)
		err := e.encode(p, mem.Hide(mem.PtrTo(&word)))
		runtime.KeepAlive(&word)
		return err
	}
	p = p.target
	if len(e.open) == 0 && !e.autoFlush {
		b, err := p.appendAt(e.buf, v)
		e.buf = b
		return err
	}
	return e.encode(p, data)
}

// encode is Encode for the value at v. p is the plan of its type.
func (e *Encoder) encode(p *plan, v mem.Ptr) error {
	b, err := p.encodeMessage(e.buf, v, e.depth())
	if err != nil {
		return e.plans.withType(err, p.typ)
	}
	return e.end(b)
}

// Flush writes the bytes in the buffer. If a value that was begun in parts is not
// complete, its bytes so far are written, and the error is [ErrIncomplete], with
// how much is missing.
func (e *Encoder) Flush() error {
	if e.err != nil || e.w == nil {
		return e.incomplete()
	}
	if err := e.write(); err != nil {
		return err
	}
	return e.incomplete()
}

// incomplete returns the error that stays, or an error for the value that is not
// complete and for what it lacks, or nil.
func (e *Encoder) incomplete() error {
	switch {
	case e.w == nil:
		return &Error{Op: opMarshal, Err: errNoWriter}
	case e.err != nil:
		return e.err
	case e.due > 0:
		return &Error{Op: opMarshal, Want: errtext.Counted(e.due, "more byte"), Err: ErrIncomplete}
	case len(e.open) > 0:
		return &Error{Op: opMarshal, Want: errtext.Counted(e.open.Due(), "more value"), Err: ErrIncomplete}
	}
	return nil
}

// begin prepares for the next value. It writes a full buffer before a value, not
// after it, so that an error of the writer means that the value was not taken.
func (e *Encoder) begin() error {
	if e.due > 0 || e.err != nil || e.w == nil {
		return e.incomplete()
	}
	if len(e.buf) >= writeSize {
		return e.write()
	}
	return nil
}

// direct reports whether nothing has to be done before and after the next value but to
// append it to the buffer. If so, it counts the value.
func (e *Encoder) direct() bool {
	if len(e.buf) >= writeSize || e.due > 0 || e.autoFlush || !e.plain || e.err != nil {
		return false
	}
	if n := len(e.open); n > 0 {
		if e.open[n-1] == 1 {
			return false // completes the container
		}
		e.open[n-1]--
	}
	return true
}

// end sets the buffer to b, to which one value was appended.
func (e *Encoder) end(b []byte) error {
	if g := &e.plans.guard; g.on {
		if err := e.plans.checkOutput(g, b[len(e.buf):]); err != nil {
			return err
		}
	}
	e.buf = b
	return e.pass()
}

// pass counts one value, and writes it if it was the last part of one that is now
// complete.
func (e *Encoder) pass() error {
	e.open.Pass()
	return e.finish()
}

// finish writes the buffer if all values in it are complete and AutoFlush is set.
func (e *Encoder) finish() error {
	if e.autoFlush && len(e.open) == 0 {
		return e.write()
	}
	return nil
}

// depth returns how many levels of containers may still be opened.
func (e *Encoder) depth() int { return e.plans.depth - len(e.open) }

// write writes the buffer. It keeps the bytes that the writer does not take.
func (e *Encoder) write() error {
	if len(e.buf) == 0 {
		return nil
	}
	n, err := write(e.w, e.buf)
	e.written += int64(n)
	unwritten := e.buf[n:]
	if cap(e.buf) > maxScratch && len(e.buf) < cap(e.buf)/4 {
		e.buf = nil // the values have become shorter
	}
	e.buf = append(e.buf[:0], unwritten...)
	return err
}

var (
	errWriteCount = errors.New("msgpack: writer returned invalid count from Write")
	errNoWriter   = errors.New("Encoder without a writer: call Reset")
)

// write writes b to w and returns how many bytes w took. It is an error if w takes
// fewer than all, even if w returns none.
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
