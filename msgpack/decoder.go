package msgpack

import (
	"bytes"
	"io"
	"iter"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// UnmarshalRead decodes the only value in r into the variable that v points to.
// It reads r to the end, and bytes after the value are an error. Use a [Decoder]
// to read several values.
//
// Errors are those of [Unmarshal], except that of malformed input, which is that of a
// [Decoder]. Errors from r are returned unchanged.
func UnmarshalRead(r io.Reader, v any) error { return defaults.UnmarshalRead(r, v) }

// UnmarshalRead decodes the only value in r. See [UnmarshalRead].
func (c *Codec) UnmarshalRead(r io.Reader, v any) error {
	d := c.NewDecoder(r)
	if n := remaining(r); n > 0 && (n <= d.plans.MaxTotal || d.plans.MaxTotal == 0) {
		room := minRead
		if d.memory != nil {
			room = memoryRoom
		}
		d.buf = make([]byte, n+room)
	}
	// r must be read to its end anyway. Reading it before decoding means that
	// most values need no scan for their end and no Decoder.
	for d.end < maxScratch && d.readErr == nil && !d.plans.AllowTrailing {
		if err := d.fill(); err != nil {
			d.readErr = err
		}
	}
	if d.end > 0 && d.exhausted() && !d.plans.AliasInput { // r was given the buffer, and may keep it
		_, err := d.plans.unmarshal(nil, d.unread(), v, false)
		if err != nil {
			if _, malformed := d.value(); malformed != nil {
				return malformed
			}
		}
		return err
	}
	if err := d.Decode(v); err == io.EOF {
		e := d.fail(0, "", ErrTruncated)
		e.empty = true
		return d.plans.plainEOF(e)
	} else if err != nil {
		return err
	}
	if d.plans.AllowTrailing {
		return nil
	}
	if err := d.begin(); err != io.EOF {
		if err == nil {
			err = d.shift(&Error{Op: opUnmarshal, Err: ErrTrailing})
		}
		return err
	}
	return nil
}

// A Decoder reads MessagePack values from an [io.Reader], one after the other.
//
// It reads ahead into its own buffer. The buffer grows with the bytes that
// arrive, never with the length that a header claims. A value that should not be
// in memory as a whole is read in parts, by the methods whose names begin with
// Read: first its header, then as many values as the header announces, each with
// any method.
//
// After an error a Decoder continues as follows.
//
//   - If a well-formed value does not fit the target, [Decoder.Decode] has skipped
//     the value. A Read method has not: the value can be read with another method
//     or skipped with [Decoder.Skip].
//   - An error from the reader is returned unchanged, except that one that wraps
//     [io.EOF] inside a value becomes the reason of an *[Error], which does not match
//     io.EOF. Nothing is lost, and the next call continues where this one stopped.
//   - If the input ends between two values, the error is [io.EOF]. The next call
//     checks whether there is more input.
//   - If the input ends inside a value, the error is [ErrTruncated]. Every further
//     call returns the same error until [Decoder.Reset], unless [Decoder.Tail] is
//     set.
//   - If the bytes are not a MessagePack value, or one that is nested too deeply
//     or longer than the limit, the start of the next value is unknown. Every
//     further call returns the same error until Reset.
//
// Errors in the input are of type *[Error], with the offset in the stream. For a
// value that is not well-formed they say the same as [Valid], but without a path if it
// is skipped. A Decoder must not be used by several goroutines at the same time.
//
// The rules of the Codec's [Options] apply to each value and header that is read.
// They do not apply to what [Decoder.Skip] skips, nor to a payload that is read
// in pieces. MaxTotal limits the buffer.
//
// The zero Decoder returns an error from all calls that read, until [Decoder.Reset].
type Decoder struct {
	plans  *plans
	r      io.Reader
	memory lener // r, if all its bytes are in memory, so that Len can be trusted

	// The unread bytes are buf[start:end]. The buffer belongs to this Decoder
	// and is never pooled: a faulty reader that writes into it after its Read
	// has returned can only damage the data of this Decoder.
	buf        []byte
	start, end int
	base       int64 // offset in the stream of buf[0]
	last       int   // length of the last value
	full       bool  // the last read filled all the room there was
	lent       bool  // Buffered has returned a part of the buffer
	tail       bool  // see Tail
	readErr    error // arrived with the last bytes, or was found by More
	failed     bool  // the reader failed last; not at the end of the input

	credit  int    // bytes that were decoded, less the cost of attempts, see attempt
	typical int    // length of a recent value
	chunk   []byte // for short strings of the next values, see unmarshal
	used    int    // bytes of chunk

	scan     syntax.Scanner // of the value at start, if its end is being searched
	open     syntax.Ledger  // of the containers that are read in parts
	payload  *payload       // that is read in pieces, or nil
	skipping bool           // a Skip was interrupted: start is inside a value
	err      error          // that every further call returns
	untold   bool           // err was found by More and not returned yet
}

// NewDecoder returns a Decoder that reads from r. It may read more bytes from r
// than it decodes: see [Decoder.Buffered].
func NewDecoder(r io.Reader) *Decoder { return defaults.NewDecoder(r) }

// NewDecoder returns a Decoder that reads from r. See [NewDecoder].
func (c *Codec) NewDecoder(r io.Reader) *Decoder {
	return &Decoder{plans: c.ready(), r: r, memory: inMemory(r)}
}

// Reset makes d read from r as if it were new. The zero Decoder becomes one that
// [NewDecoder] returns. Reset keeps the buffer and the setting of [Decoder.Tail].
// Bytes that were read ahead from the old reader are dropped.
func (d *Decoder) Reset(r io.Reader) {
	d.scan.Next()
	if d.plans == nil {
		d.plans = &defaults.plans
	}
	*d = Decoder{
		plans: d.plans, r: r, memory: inMemory(r), tail: d.tail,
		buf: d.buf, lent: d.lent, chunk: d.chunk, used: d.used, credit: d.credit, typical: d.typical,
		scan: d.scan, open: d.open[:0],
	}
}

// Tail sets whether d reads a file or another input that still grows. If so,
// [ErrTruncated] does not stay: a later call continues with the same value when
// more bytes are there. This also holds for the ErrTruncated that the last call
// has returned. The default is false.
func (d *Decoder) Tail(grows bool) {
	d.tail = grows
	if e, ok := d.err.(*Error); ok && grows && e.Err == ErrTruncated {
		d.err, d.untold = nil, false
	}
}

// Decode reads the next value into the variable that v points to, like
// [Unmarshal]. It returns [io.EOF] if the input ends before a value begins.
//
// A value that arrives in several pieces may be decoded twice, the first time as
// far as it has arrived. What is decoded may share memory with the values before
// and after it, within the bounds that Unmarshal states.
func (d *Decoder) Decode(v any) error {
	if err := d.begin(); err != nil {
		return err
	}
	n, err := d.decode(v)
	if n > 0 {
		d.pass(n)
	}
	return err
}

// Values returns the remaining values of dec. An error is passed to the loop
// with the zero value of T. The loop continues after an error if dec can, for
// example after a value that does not fit T, and ends otherwise.
func Values[T any](dec *Decoder) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			var v, zero T
			before := dec.InputOffset()
			err := dec.Decode(&v)
			switch {
			case err == nil:
				if !yield(v, nil) {
					return
				}
			case err == io.EOF:
				return
			case !yield(zero, err) || dec.InputOffset() == before:
				return
			}
		}
	}
}

// More reports whether another value follows. It may wait for the reader. It is
// false at the end of the input, and after an error of the reader or an error that
// stays, so that a loop over the values ends. If More finds that the reader fails, the
// next call returns the error:
//
//	for dec.More() {
//		if err := dec.Decode(&v); err != nil {
//			…
//		}
//	}
//	if err := dec.Decode(&v); err != io.EOF { // the input has not ended
//		…
//	}
//
// After an error of the reader, More stays false until another call has read more.
func (d *Decoder) More() bool {
	if d.err != nil {
		return d.untold
	}
	if d.failed {
		return false
	}
	err := d.begin()
	d.untold = d.err != nil
	if d.failed {
		d.readErr = err
		return false
	}
	return err != io.EOF
}

// PeekKind returns the kind of the next value without advancing. It
// returns [io.EOF] if the input ends before a value begins.
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

// Skip skips the next value without decoding or buffering it. It returns
// [io.EOF] if the input ends before a value begins. If the reader fails inside the
// value, or the input ends there and [Decoder.Tail] is set, the next call of any method
// first skips the rest of it. A call of Skip skips only that rest, and not another value.
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

// InputOffset returns how many bytes of the stream have been decoded, read or
// skipped. Bytes that were only read ahead do not count.
func (d *Decoder) InputOffset() int64 { return d.base + int64(d.start) }

// Buffered returns a reader of the bytes that were read ahead. These bytes and
// the bytes left in the Decoder's reader are the rest of the input. Later calls to
// d do not change the bytes of the returned reader.
func (d *Decoder) Buffered() io.Reader {
	d.lent = true
	return bytes.NewReader(d.unread())
}

// begin makes sure that a value begins at d.start. Before that it finishes what
// an earlier call has left incomplete.
func (d *Decoder) begin() error {
	if d.err != nil {
		d.untold = false
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

// decode decodes the value at d.start and returns its length, without advancing.
// The length is 0 if the end of the value was not found.
func (d *Decoder) decode(v any) (n int, err error) {
	ahead := d.attempt()
	if len(ahead) > 0 {
		if n, err = d.unmarshal(ahead, v); err == nil {
			d.addCredit(n)
			return n, nil
		}
		d.credit = max(0, d.credit-attemptCost*len(ahead))
	}
	n, malformed := d.value()
	if malformed != nil {
		return 0, malformed
	}
	if n > len(ahead) { // otherwise the attempt had the whole value, and its error is the result
		data := d.unread() // fast decoding may load bytes past the value
		switch limit := d.plans.MaxTotal; {
		case d.plans.AliasInput:
			data = bytes.Clone(data[:n]) // because the buffer is used again
		case limit > 0 && len(data) > limit:
			data = data[:limit]
		}
		if _, err = d.unmarshal(data, v); err == nil {
			d.addCredit(n)
		}
	}
	return n, d.shift(err)
}

// The end of a value in a stream is not known. Most values are short and complete
// in the buffer, so it is faster to decode them at once, as Unmarshal does, than
// to look for their end first. If a value turns out to be incomplete, it has to be
// decoded again, and the memory of the attempt is lost. Hence an attempt at n
// bytes is made only after attemptCost times n bytes have been decoded, which
// limits the loss, and never at more than maxAttempt bytes. There is one attempt
// for each value, however many pieces it arrives in.
const (
	attemptCost = 8
	maxAttempt  = 4 << 10
)

// attempt returns the bytes from which to decode the value at d.start although its
// end is not known, or none.
func (d *Decoder) attempt() []byte {
	if d.scan.Begun() || d.plans.AliasInput || d.plans.guard.on {
		return nil
	}
	unread := d.unread()
	if n := min(len(unread), d.credit/attemptCost); n > 0 && n >= d.typical && d.credit >= 2*attemptCost*d.typical {
		return unread[:n]
	}
	if d.exhausted() {
		return unread // nothing is lost, because no more bytes will come
	}
	return nil
}

// addCredit counts a value of n bytes that was decoded.
func (d *Decoder) addCredit(n int) {
	d.credit = min(d.credit+n, attemptCost*maxAttempt)
	d.typical = max(n, d.typical-d.typical/8)
}

// unmarshal decodes the first value in data and returns its length.
//
// It is plans.unmarshal, except that the strings of successive values share
// chunks: the memory that one value leaves free is used by the next. The bounds
// are those of a single message, see newString.
func (d *Decoder) unmarshal(data []byte, v any) (int, error) {
	p, target := d.plans.of(v)
	if p == nil || p.elem == nil || target.IsNil() || d.plans.guard.on {
		return d.plans.unmarshal(nil, data, v, true)
	}
	mem.EscapeBelow(v) // users' methods are given parts of it
	var c decoder      // set field by field: a literal is made elsewhere and copied
	c.data, c.depth, c.plans = data, d.depth(), d.plans
	c.chunk, c.used, c.stream, c.likely = d.chunk, d.used, true, min(d.typical, len(data))
	d.chunk = nil // a method that calls d again must not use the same memory
	err := p.elem.decode(mem.At[decoder](mem.Hide(mem.PtrTo(&c))), target)
	d.chunk, d.used = c.chunk, c.used
	if c.extras != nil {
		c.release()
	}
	if err != nil {
		return 0, d.plans.withType(err, p.elem.typ)
	}
	return c.pos, nil
}

// value waits until the value at d.start is whole and returns its length. It
// does not wait for more bytes than the limit allows.
func (d *Decoder) value() (int, error) {
	for {
		data, limit := d.unread(), d.plans.MaxTotal
		over := limit > 0 && len(data) > limit
		if over {
			data = data[:limit] // the limit must be reported before any fault after it
		}
		whole, err := d.scan.Scan(data, d.depth())
		switch {
		case err != nil:
			return 0, d.malformed(int(d.scan.Pos), err)
		case whole:
			return int(d.scan.Pos), nil
		case over || limit > 0 && d.scan.Pos > uint64(limit):
			d.err = d.shift(&Error{Op: opUnmarshal, Found: "message of more than " + errtext.Counted(limit, "byte"), Err: ErrLimit})
			return 0, d.err
		}
		if err := d.more(); err != nil {
			return 0, err
		}
	}
}

// pass advances by the last n bytes of a value and counts the value.
func (d *Decoder) pass(n int) {
	d.advance(n)
	d.open.Pass()
}

// advance advances by n bytes. The scanner starts again after them.
func (d *Decoder) advance(n int) {
	d.start += n
	d.last = n
	d.failed = false
	if d.scan.Begun() {
		d.scan.Next()
	}
}

// depth returns how many levels of containers may still be opened.
func (d *Decoder) depth() int { return d.plans.depth - len(d.open) }

// malformed returns the error for a fault i bytes after d.start, which all further
// calls return too. The path to the fault is known unless the value is skipped.
func (d *Decoder) malformed(i int, reason error) error {
	d.err = d.fail(i, "", reason)
	return d.err
}

// fail returns an error for the byte i bytes after d.start, inside the value there.
func (d *Decoder) fail(i int, want string, reason error) *Error {
	unread := d.unread()
	e := &Error{Op: opUnmarshal, Offset: d.InputOffset() + int64(i), Path: syntax.PathTo(unread, i), Want: want, Err: reason}
	e.found(unread[i:])
	if reason != ErrTruncated {
		e.Found = syntax.DescribeArriving(unread[i:])
	}
	return e
}

// truncated returns the error for input that ends inside a value. All further calls
// return it too, unless the input may still grow.
func (d *Decoder) truncated() error {
	at, want := 0, ""
	switch {
	case d.payload != nil:
		want = errtext.Counted(d.payload.left, "more byte")
	case d.skipping:
	case d.start == d.end && len(d.open) > 0:
		want = errtext.Counted(d.open.Due(), "more value")
	default:
		at, _ = wire.Skip(d.unread(), d.depth()) // finds a claim that is too large, as Valid does
	}
	err := d.fail(at, want, ErrTruncated)
	if !d.tail {
		d.err = err
	}
	return err
}

// shift turns the offset in err from one in the value at d.start into one in the
// stream.
func (d *Decoder) shift(err error) error {
	if e, ok := err.(*Error); ok {
		e.Offset += d.InputOffset()
	}
	return err
}
