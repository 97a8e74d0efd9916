package msgpack

import (
	"bytes"
	"io"
	"iter"

	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// UnmarshalRead decodes the one value that r has into the variable that v points
// to. It reads r to the end: bytes after the value are an error. See [Decoder]
// for several values.
//
// Errors are those of [Unmarshal], and of r as they are.
func UnmarshalRead(r io.Reader, v any) error { return defaults.UnmarshalRead(r, v) }

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

// A Decoder reads MessagePack values from an [io.Reader], one after the other.
//
// It reads ahead into a buffer of its own, waits until a value is whole, and
// decodes it from there: the buffer grows with the bytes that arrive, never with
// what a header claims. Values that should not be in memory as a whole are read
// in parts, by the methods that begin with Read: a header first, then as many
// values as it announces, each by whichever method suits.
//
// After an error a Decoder goes on as follows.
//
//   - A well-formed value that does not fit what it is decoded into has been
//     passed by [Decoder.Decode]; a Read method leaves it to be read in another
//     way, or passed with [Decoder.Skip].
//   - What the reader returns is passed on as it is, and nothing is lost: the
//     next call goes on reading where this one stopped.
//   - At its end the input is [io.EOF] between values, and [ErrTruncated] within
//     one. The next call looks whether there is more by now.
//   - Bytes that are no MessagePack value, or nested too deeply, or longer than
//     the limit, leave no way to tell where the next value begins: every further
//     call returns the same error, until Reset.
//
// Errors in the input are of type *[Error], their offsets those in the stream.
// A value that is not well-formed gives what [Valid] says of it. A Decoder is for
// one goroutine at a time.
//
// What the [Config] of its Codec demands of a message is demanded of each value
// and header that is read, but not of what [Decoder.Skip] passes, nor of what is
// in a payload that is read in pieces. MaxTotal bounds the buffer.
type Decoder struct {
	plans *plans
	r     io.Reader
	rest  lener // r, if it knows

	// Unread are buf[start:end]. The buffer belongs to this Decoder alone and
	// is never pooled: a reader that goes on writing into it after its Read has
	// returned, against its duty, spoils no data but its own.
	buf        []byte
	start, end int
	base       int64 // offset in the stream of buf[0]
	last       int   // length of what was consumed last
	full       bool  // the last read filled all the room there was
	lent       bool  // someone may hold the buffer, see Buffered
	readErr    error // came along with the last bytes

	scan     syntax.Scanner // of the value at start, as far as it has been looked at
	open     syntax.Ledger  // of the containers that are read in parts
	payload  *payload       // which is read in pieces
	skipping bool           // a Skip was interrupted: start is within a value
	err      error          // that stays
}

// NewDecoder returns a Decoder that reads from r. It may read more than it
// decodes: see [Decoder.Buffered].
func NewDecoder(r io.Reader) *Decoder { return defaults.NewDecoder(r) }

// NewDecoder returns a Decoder that reads from r. See [NewDecoder].
func (c *Codec) NewDecoder(r io.Reader) *Decoder {
	d := &Decoder{plans: &c.plans}
	d.Reset(r)
	return d
}

// Reset makes d read from r as if it were new, but with the buffer it has. What
// was read ahead of the old reader is dropped.
func (d *Decoder) Reset(r io.Reader) {
	d.scan.Next()
	*d = Decoder{plans: d.plans, r: r, buf: d.buf, scan: d.scan, open: d.open[:0], lent: d.lent}
	d.rest = inMemory(r)
}

// Decode reads the next value into the variable that v points to, like
// [Unmarshal]. It is [io.EOF] where no value begins.
func (d *Decoder) Decode(v any) error {
	if err := d.begin(); err != nil {
		return err
	}
	// Where all that will come is in the buffer, the value needs no scan before
	// it is decoded, as little as in Unmarshal.
	if d.exhausted() && len(d.open) == 0 && !d.plans.AliasInput {
		n, err := d.plans.unmarshal(d.unread(), v)
		if err == nil {
			d.pass(n)
			return nil
		}
		value, syntax := d.value()
		if syntax != nil {
			return syntax
		}
		return d.misfit(value, err)
	}
	value, err := d.value()
	if err != nil {
		return err
	}
	if err := d.unmarshal(value, v); err != nil {
		return d.misfit(value, err)
	}
	d.pass(len(value))
	return nil
}

// unmarshal decodes the value at d.start, which is whole.
func (d *Decoder) unmarshal(value []byte, v any) error {
	// The fast ways to decode want some bytes behind what they decode.
	data := d.unread()
	switch limit := d.plans.MaxTotal; {
	case d.plans.AliasInput:
		data = bytes.Clone(value) // since the buffer will hold other values
	case limit > 0 && len(data) > limit:
		data = data[:limit] // which the value has kept to
	}
	_, err := d.plans.unmarshal(data, v)
	return err
}

// misfit passes a value that could not be decoded.
func (d *Decoder) misfit(value []byte, err error) error {
	err = d.shift(err)
	d.pass(len(value))
	return err
}

// Values returns the values of dec up to the end of its input. An error comes
// with the zero value of T. The loop goes on after it if dec can, as after a
// value that does not fit T, and ends otherwise.
func Values[T any](dec *Decoder) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			var v, none T
			before := dec.InputOffset()
			err := dec.Decode(&v)
			switch {
			case err == nil:
				if !yield(v, nil) {
					return
				}
			case err == io.EOF:
				return
			case !yield(none, err) || dec.InputOffset() == before:
				return
			}
		}
	}
}

// More reports whether there is more to read: false where the input ends as it
// may, between values. It may wait for the reader. Errors it leaves to the call
// that follows.
func (d *Decoder) More() bool { return d.begin() != io.EOF }

// PeekKind returns the kind of the next value without passing it. It is [io.EOF]
// where no value begins.
func (d *Decoder) PeekKind() (wire.Kind, error) {
	if err := d.begin(); err != nil {
		return wire.KindReserved, err
	}
	k := wire.FormatOf(d.buf[d.start]).Kind()
	if k == wire.KindReserved {
		return k, d.malformed(0, ErrReserved)
	}
	return k, nil
}

// Skip passes the next value, whatever it is, without building or buffering it.
// It is [io.EOF] where no value begins. If the reader fails within the value,
// Skip can be called again to pass the rest; other methods do that first.
func (d *Decoder) Skip() error {
	if d.skipping && d.err == nil {
		return d.finishSkip()
	}
	if err := d.begin(); err != nil {
		return err
	}
	d.skipping = true
	return d.finishSkip()
}

func (d *Decoder) finishSkip() error {
	for {
		whole, err := d.scan.Scan(d.unread(), d.depth())
		passed := min(d.scan.Pos, uint64(d.end-d.start))
		d.start += int(passed)
		d.scan.Pos -= passed
		if err != nil {
			return d.malformed(0, err)
		}
		if whole {
			d.skipping = false
			d.pass(0)
			return nil
		}
		if err := d.more(); err != nil {
			return err
		}
	}
}

// InputOffset returns how many bytes of the stream have been passed: what was
// decoded, read or skipped, without what was only read ahead.
func (d *Decoder) InputOffset() int64 { return d.base + int64(d.start) }

// Buffered returns a reader of the bytes that were read ahead and not passed.
// They and what is still in the Decoder's reader are the rest of the input, for
// whoever takes over. The reader keeps its bytes, whatever is done with d later.
func (d *Decoder) Buffered() io.Reader {
	d.lent = true
	return bytes.NewReader(d.unread())
}

// begin makes sure that a value begins at d.start. First it finishes what an
// earlier call has left undone.
func (d *Decoder) begin() error {
	if d.err != nil {
		return d.err
	}
	if d.payload != nil {
		if err := d.payload.finish(); err != nil {
			return err
		}
	}
	if d.skipping {
		if err := d.finishSkip(); err != nil {
			return err
		}
	}
	if d.start == d.end {
		return d.more()
	}
	return nil
}

// value waits until the value at d.start is whole and returns its bytes, which
// are the buffer's. It does not wait for more than the limit allows.
func (d *Decoder) value() ([]byte, error) {
	for {
		data, limit := d.unread(), d.plans.MaxTotal
		over := limit > 0 && len(data) > limit
		if over {
			data = data[:limit] // what is beyond must not be the first fault that is found
		}
		whole, err := d.scan.Scan(data, d.depth())
		switch {
		case err != nil:
			return nil, d.malformed(int(d.scan.Pos), err)
		case whole:
			end := d.start + int(d.scan.Pos)
			return d.buf[d.start:end:end], nil
		case over || limit > 0 && d.scan.Pos > uint64(limit):
			d.err = &Error{Op: opUnmarshal, Offset: d.offset(0), Found: "message of more than " + syntax.Counted(uint64(limit), "byte"), Err: ErrLimit}
			return nil, d.err
		}
		if err := d.more(); err != nil {
			return nil, err
		}
	}
}

// pass passes n bytes, with which a value ends.
func (d *Decoder) pass(n int) {
	d.advance(n)
	d.open.Pass()
}

// advance passes n bytes, of which the scanner knows nothing any more.
func (d *Decoder) advance(n int) {
	d.start += n
	d.last = n
	d.scan.Next()
}

// depth returns how many levels of containers may still be opened.
func (d *Decoder) depth() int { return d.plans.depth - len(d.open) }

// malformed makes the error that stays, for a fault i bytes on. What surrounds
// the fault is known unless the value is being skipped.
func (d *Decoder) malformed(i int, reason error) error {
	d.err = d.fail(i, "", reason)
	return d.err
}

// fail makes an error for what is i bytes on, inside the value at d.start.
func (d *Decoder) fail(i int, want string, reason error) error {
	unread := d.unread()
	e := &Error{Op: opUnmarshal, Offset: d.offset(i), Path: syntax.PathTo(unread, i), Want: want, Err: reason}
	e.found(unread[i:])
	return e
}

// truncated says that the input ends within a value. That is no error that
// stays: the reader may be one that has more later.
func (d *Decoder) truncated() error {
	if d.skipping {
		return d.fail(0, "", ErrTruncated)
	}
	if d.start == d.end && len(d.open) > 0 {
		return d.fail(0, syntax.Counted(d.open.Due(), "more value"), ErrTruncated)
	}
	at, _ := wire.Skip(d.unread(), d.depth()) // which finds a claim that is too large, as Valid does
	return d.fail(at, "", ErrTruncated)
}

// shift turns an offset in the value at d.start to one in the stream.
func (d *Decoder) shift(err error) error {
	if e, ok := err.(*Error); ok {
		e.Offset += d.offset(0)
	}
	return err
}

// offset returns where in the stream the byte i after d.start lies.
func (d *Decoder) offset(i int) int64 { return d.base + int64(d.start) + int64(i) }
