package msgpack

import (
	"math"
	"strconv"
	"time"

	"github.com/octet-go/octet/msgpack/internal/syntax"
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
	if g := &e.plans.guard; g.on && uint64(count) > g.rules.Elements {
		return failed(ErrLimit, "header of "+syntax.Counted(count, "element"))
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
	if err := e.begin(); err != nil {
		return err
	}
	return e.end(wire.AppendBool(e.buf, v))
}

// WriteInt writes an integer in the shortest format.
func (e *Encoder) WriteInt(v int64) error {
	if err := e.begin(); err != nil {
		return err
	}
	return e.end(wire.AppendInt(e.buf, v))
}

// WriteUint writes an integer in the shortest format.
func (e *Encoder) WriteUint(v uint64) error {
	if err := e.begin(); err != nil {
		return err
	}
	return e.end(wire.AppendUint(e.buf, v))
}

// WriteFloat writes a float 64.
func (e *Encoder) WriteFloat(v float64) error {
	if err := e.begin(); err != nil {
		return err
	}
	return e.end(wire.AppendFloat64(e.buf, v))
}

// WriteString writes a str. Use [Encoder.WriteStringHeader] for a long one.
func (e *Encoder) WriteString(v string) error {
	if err := e.beginLong(len(v), "string"); err != nil {
		return err
	}
	return e.end(wire.AppendString(e.buf, v))
}

// WriteBytes writes a bin, which is empty if v is nil. Use
// [Encoder.WriteBytesHeader] for a long one.
func (e *Encoder) WriteBytes(v []byte) error {
	if err := e.beginLong(len(v), "[]uint8"); err != nil {
		return err
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
	if err := e.begin(); err != nil {
		return err
	}
	return e.end(wire.AppendTime(e.buf, v))
}

// WriteExt writes an ext. Use [Encoder.WriteExtHeader] for a long one.
func (e *Encoder) WriteExt(v Ext) error { return e.Encode(&v) }

// WriteRaw writes a value that is already encoded. It checks that v is one valid
// value. If v is empty, it writes nil.
func (e *Encoder) WriteRaw(v Raw) error { return e.Encode(&v) }

// WriteStringHeader writes the header of a str of n bytes. The bytes are written
// next, with [Encoder.Write].
func (e *Encoder) WriteStringHeader(n uint32) error {
	return e.openPayload(n, wire.AppendStringHeader)
}

// WriteBytesHeader writes the header of a bin of n bytes. The bytes are written
// next, with [Encoder.Write].
func (e *Encoder) WriteBytesHeader(n uint32) error {
	return e.openPayload(n, wire.AppendBinHeader)
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
		return failed(ErrLimit, "header of "+syntax.Counted(n, "byte"))
	}
	e.buf = header(e.buf, n)
	if e.due = n; n == 0 {
		return e.pass()
	}
	return nil
}

// Write writes a piece of the str, bin or ext whose header was written last. If p
// is longer than the rest, the error is [ErrSurplus], and nothing is written.
func (e *Encoder) Write(p []byte) (n int, err error) {
	if e.err != nil {
		return 0, e.err
	}
	if uint64(len(p)) > uint64(e.due) {
		return 0, &Error{Op: opMarshal, Found: strconv.Itoa(len(p)) + " bytes", Want: syntax.Counted(e.due, "more byte"), Err: ErrSurplus}
	}
	if len(p) == 0 {
		return 0, nil
	}
	if len(e.buf)+len(p) > writeSize {
		if err := e.write(); err != nil {
			return 0, err
		}
	}
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
