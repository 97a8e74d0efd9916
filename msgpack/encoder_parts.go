package msgpack

import (
	"iter"
	"math"
	"strconv"
	"time"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/msgpack/wire"
)

// WriteArrayHeader writes the header of an array of count elements. The elements
// are written next.
func (e *Encoder) WriteArrayHeader(count uint32) error {
	return e.openContainer(wire.AppendArrayHeader, count, uint64(count))
}

// WriteMapHeader writes the header of a map of the given number of pairs. The
// pairs are written next, key before value.
func (e *Encoder) WriteMapHeader(pairs uint32) error {
	return e.openContainer(wire.AppendMapHeader, pairs, 2*uint64(pairs))
}

func (e *Encoder) openContainer(header func([]byte, uint32) []byte, count uint32, values uint64) error {
	if err := e.begin(); err != nil {
		return err
	}
	if e.depth() <= 0 {
		return failed(ErrDepth, "container header")
	}
	// The elements are checked one by one, but only the header knows their number.
	if g := &e.plans.guard; g.on && uint64(count) > g.rules.Elements {
		return failed(ErrLimit, "header of "+errtext.Counted(count, "element"))
	}
	e.buf = header(e.buf, count)
	e.open.Open(values)
	return e.finish()
}

// WriteNil writes nil.
func (e *Encoder) WriteNil() error {
	if err := e.begin(); err != nil {
		return err
	}
	return e.end(wire.AppendNil(e.buf))
}

// WriteBool writes a bool.
func (e *Encoder) WriteBool(v bool) error {
	if e.direct() {
		e.buf = wire.AppendBool(e.buf, v)
		return nil
	}
	return writeAs(e, wire.AppendBool, v)
}

// WriteInt writes an integer in the shortest format.
func (e *Encoder) WriteInt(v int64) error {
	if e.direct() {
		e.buf = wire.AppendInt(e.buf, v)
		return nil
	}
	return writeAs(e, wire.AppendInt, v)
}

// WriteUint writes an integer in the shortest format.
func (e *Encoder) WriteUint(v uint64) error {
	if e.direct() {
		e.buf = wire.AppendUint(e.buf, v)
		return nil
	}
	return writeAs(e, wire.AppendUint, v)
}

// WriteFloat writes a float 64.
func (e *Encoder) WriteFloat(v float64) error {
	if e.direct() {
		e.buf = wire.AppendFloat64(e.buf, v)
		return nil
	}
	return writeAs(e, wire.AppendFloat64, v)
}

// writeAs writes v with a function of package wire.
func writeAs[T any](e *Encoder, appendTo func([]byte, T) []byte, v T) error {
	if err := e.begin(); err != nil {
		return err
	}
	return e.end(appendTo(e.buf, v))
}

// WriteString writes a str. Use [Encoder.WriteStringHeader] for a long one.
func (e *Encoder) WriteString(v string) error {
	if len(v) < writeSize && e.direct() {
		e.buf = wire.AppendString(e.buf, v)
		return nil
	}
	if err := e.beginLong(len(v), "string"); err != nil {
		return err
	}
	if e.plans.Compat.OldFormats {
		return e.end(append(e.plans.stringHeader(e.buf, uint32(len(v))), v...))
	}
	return e.end(wire.AppendString(e.buf, v))
}

// WriteBytes writes a bin, which is empty if v is nil, or a str with OldFormats. Use
// [Encoder.WriteBytesHeader] for a long one.
func (e *Encoder) WriteBytes(v []byte) error {
	if len(v) < writeSize && e.direct() {
		e.buf = wire.AppendBin(e.buf, v)
		return nil
	}
	if err := e.beginLong(len(v), "[]uint8"); err != nil {
		return err
	}
	if e.plans.Compat.OldFormats {
		return e.end(append(e.plans.binHeader(e.buf, uint32(len(v))), v...))
	}
	return e.end(wire.AppendBin(e.buf, v))
}

// beginLong is begin for a str or bin of n bytes, which may be too long.
func (e *Encoder) beginLong(n int, found string) error {
	if uint64(n) > math.MaxUint32 {
		return failed(ErrLimit, found)
	}
	return e.begin()
}

// WriteTime writes a timestamp.
func (e *Encoder) WriteTime(v time.Time) error {
	if err := checkTime(&v); err != nil {
		return err
	}
	return writeAs(e, wire.AppendTime, v)
}

// WriteExt writes an ext. Use [Encoder.WriteExtHeader] for a long one.
func (e *Encoder) WriteExt(v Ext) error { return e.Encode(&v) }

// WriteRaw writes a value that is already encoded. It checks that v is one valid
// value. If v is empty, it writes nil.
func (e *Encoder) WriteRaw(v Raw) error { return e.Encode(&v) }

// WriteStringHeader writes the header of a str of n bytes. The bytes are written
// next, with [Encoder.Write].
func (e *Encoder) WriteStringHeader(n uint32) error {
	return e.openPayload(n, func(dst []byte, n uint32) []byte { return e.plans.stringHeader(dst, n) })
}

// WriteBytesHeader writes the header of a bin of n bytes. The bytes are written
// next, with [Encoder.Write].
func (e *Encoder) WriteBytesHeader(n uint32) error {
	return e.openPayload(n, func(dst []byte, n uint32) []byte { return e.plans.binHeader(dst, n) })
}

// WriteExtHeader writes the header of an ext of n bytes. The bytes are written
// next, with [Encoder.Write]. The error is [ErrTimestamp] if typ is -1: write a
// timestamp with [Encoder.WriteTime].
func (e *Encoder) WriteExtHeader(typ int8, n uint32) error {
	if typ == wire.TimestampType {
		return &Error{Op: opMarshal, Found: "ext type -1 in WriteExtHeader", Want: "WriteTime", Err: ErrTimestamp}
	}
	return e.openPayload(n, func(dst []byte, n uint32) []byte { return wire.AppendExtHeader(dst, typ, n) })
}

func (e *Encoder) openPayload(n uint32, header func([]byte, uint32) []byte) error {
	if err := e.begin(); err != nil {
		return err
	}
	if g := &e.plans.guard; g.on && uint64(n) > g.rules.Bytes {
		return failed(ErrLimit, "header of "+errtext.Counted(n, "byte"))
	}
	e.buf = header(e.buf, n)
	// A payload without bytes is complete at once.
	if e.due = n; n == 0 {
		return e.pass()
	}
	return nil
}

// Write writes a piece of the str, bin or ext whose header was written last. If p
// is longer than the rest, the error is [ErrSurplus], and nothing is written.
func (e *Encoder) Write(p []byte) (n int, err error) {
	if e.err != nil || e.w == nil {
		return 0, e.incomplete()
	}
	if uint64(len(p)) > uint64(e.due) {
		return 0, &Error{Op: opMarshal, Found: errtext.Counted(len(p), "byte"), Want: errtext.Counted(e.due, "more byte"), Err: ErrSurplus}
	}
	if len(p) == 0 {
		return 0, nil
	}
	// A full buffer is written before a piece, so that an error means that nothing
	// of the piece was taken.
	if len(e.buf)+len(p) > writeSize {
		if err := e.write(); err != nil {
			return 0, err
		}
	}
	// A long piece is not copied.
	if n = len(p); n < writeSize {
		e.buf = append(e.buf, p...)
	} else {
		n, err = write(e.w, p)
		e.written += int64(n)
	}
	if e.due -= uint32(n); e.due == 0 {
		e.open.Pass()
		if err == nil {
			err = e.finish()
		}
	}
	return n, err
}

// EncodeSeq writes an array of the n elements of s. It encodes them one at a time,
// as [Encoder.Encode] does, so the array need not fit in memory.
//
// The error is [ErrIncomplete] or [ErrSurplus] if s does not have n elements. If
// nothing of the array has been written to the writer, e drops the array and can be
// used further. Otherwise, every further call to e returns the same error until
// [Encoder.Reset].
func EncodeSeq[T any](e *Encoder, n int, s iter.Seq[T]) (err error) {
	q, err := e.beginSeq(n, "element", wire.AppendArrayHeader, 1)
	if err != nil {
		return err
	}
	defer q.end(&err) // also if s panics
	for v := range s {
		if err = q.next(); err == nil {
			err = underAny(q.count-1, e.Encode(&v))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// EncodeSeq2 writes a map of the n pairs of s, in the order of s. It does not
// detect duplicate keys. Otherwise it is like [EncodeSeq].
func EncodeSeq2[K, V any](e *Encoder, n int, s iter.Seq2[K, V]) (err error) {
	q, err := e.beginSeq(n, "pair", wire.AppendMapHeader, 2)
	if err != nil {
		return err
	}
	defer q.end(&err)
	for k, v := range s {
		if err = q.next(); err == nil {
			err = e.Encode(&k)
		}
		if err == nil {
			err = underAny(k, e.Encode(&v))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// underAny puts an index or a key before the path of err. It returns nil and
// errors of the writer unchanged.
func underAny(key any, err error) error {
	if _, ok := err.(*Error); !ok {
		return err
	}
	if i, ok := key.(int); ok {
		return underIndex(i, err)
	}
	return underKey(key, err)
}

// A sequence is a container that is written from an iterator. Until its end the
// ledger expects one value more than the header announces, so that neither the
// last element nor anything else completes it too early.
type sequence struct {
	e       *Encoder
	start   int64  // offset of the header in the output
	level   int    // of the container in the ledger
	unit    string // "element" or "pair"
	size    int    // values of one element
	n       int    // elements that the header announces
	count   int    // elements so far
	misused bool   // the iterator has used the encoder
}

func (e *Encoder) beginSeq(n int, unit string, header func([]byte, uint32) []byte, size int) (*sequence, error) {
	if n < 0 || uint64(n) > math.MaxUint32 {
		return nil, failed(ErrLimit, "sequence of "+strconv.Itoa(n)+" "+unit+"s")
	}
	if err := e.begin(); err != nil {
		return nil, err
	}
	q := &sequence{e: e, start: e.written + int64(len(e.buf)), unit: unit, size: size, n: n}
	err := e.openContainer(header, uint32(n), uint64(size)*uint64(n)+1)
	q.level = len(e.open)
	return q, err
}

// next counts one element, which is encoded next.
func (q *sequence) next() error {
	if err := q.check(); err != nil {
		return err
	}
	if q.count == q.n {
		return failed(ErrSurplus, "sequence of more than "+errtext.Counted(q.n, q.unit))
	}
	q.count++
	return nil
}

// check makes sure that all values were encoded and no others.
func (q *sequence) check() error {
	e, left := q.e, uint64(q.size)*uint64(q.n-q.count)
	if e.due > 0 || len(e.open) != q.level || e.open[q.level-1] != left+1 {
		q.misused = true
		return failed(ErrInvalid, "sequence whose iterator used the Encoder")
	}
	return nil
}

// end completes the container, unless there was an error or there is one now.
func (q *sequence) end(err *error) {
	if *err == nil {
		*err = q.check()
	}
	if *err == nil && q.count < q.n {
		*err = &Error{Op: opMarshal, Found: "sequence of " + errtext.Counted(q.count, q.unit), Want: errtext.Counted(q.n, q.unit), Err: ErrIncomplete}
	}
	e := q.e
	switch {
	case *err == nil:
		*err = e.pass()
	case e.written <= q.start && !q.misused:
		// Nothing of the container was written: continue as if there had been no
		// call.
		e.buf = e.buf[:q.start-e.written]
		if e.open = e.open[:q.level-1]; q.level > 1 {
			e.open[q.level-2]++
		}
	default:
		e.err = *err
	}
}
