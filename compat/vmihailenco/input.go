package msgpack

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/octet-go/octet/msgpack/wire"
)

var errNoReader = errors.New("msgpack: Decoder has no reader")

// maxReserved is the number of elements for which memory is reserved before they were read.
// Each level of nested values can claim so many, with three bytes.
const maxReserved = 64

// maxStep is the number of bytes for which memory is reserved before they were read.
const maxStep = 64 << 10

// next reads a byte.
func (d *Decoder) next() (byte, error) {
	if d.s == nil {
		return 0, errNoReader
	}
	if m := d.mem; m != nil && m.pos < len(m.data) {
		m.pos++
		return m.data[m.pos-1], nil
	}
	c, err := d.s.ReadByte()
	if err == nil && d.rec != nil {
		*d.rec = append(*d.rec, c)
	}
	return c, err
}

// window returns the bytes that the reader has in memory, without reading them, and whether
// these are all that it has.
func (d *Decoder) window() (w []byte, all bool) {
	if m := d.mem; m != nil {
		return m.data[m.pos:], m.more == nil
	}
	switch r := d.r.(type) {
	case *bytes.Reader:
		d.sight = nil
		if n, err := r.WriteTo(&d.sight); n > 0 && err == nil {
			_, err = r.Seek(-n, io.SeekCurrent)
			return d.sight, err == nil
		}
		return nil, true
	case *bytes.Buffer:
		return r.Bytes(), true
	case *bufio.Reader:
		w, _ = r.Peek(r.Buffered())
	}
	return w, false
}

// A sight is a writer that keeps what is written, which a [bytes.Reader] does not copy.
type sight []byte

func (s *sight) Write(b []byte) (int, error) {
	*s = b
	return len(b), nil
}

// advance reads n bytes of the window.
func (d *Decoder) advance(n int) {
	switch r := d.r.(type) {
	case *memory:
		r.pos += n
	case *bytes.Reader:
		_, _ = r.Seek(int64(n), io.SeekCurrent)
	case *bytes.Buffer:
		r.Next(n)
	case *bufio.Reader:
		_, _ = r.Discard(n)
	}
}

// PeekCode returns the first byte of the next value without advancing.
func (d *Decoder) PeekCode() (byte, error) {
	if m := d.mem; m != nil && m.pos < len(m.data) {
		return m.data[m.pos], nil
	}
	if d.s == nil {
		return 0, errNoReader
	}
	c, err := d.s.ReadByte()
	if err != nil {
		return 0, err
	}
	return c, d.s.UnreadByte()
}

// take reads n bytes, which are valid until the next call.
func (d *Decoder) take(n int) ([]byte, error) {
	if m := d.mem; m != nil {
		m.fill(n)
		switch rest := len(m.data) - m.pos; {
		case n <= rest:
			m.pos += n
			return m.data[m.pos-n : m.pos : m.pos], nil
		case rest == 0:
			return nil, m.fault()
		default:
			m.pos = len(m.data)
			if err := m.fault(); err != io.EOF {
				return nil, err
			}
			return nil, io.ErrUnexpectedEOF
		}
	}
	b, err := d.readInto(d.buf[:0], n)
	d.buf = b
	if d.rec != nil {
		*d.rec = append(*d.rec, b...)
	}
	return b, err
}

// takeCopy reads n bytes into new memory.
func (d *Decoder) takeCopy(n int) ([]byte, error) {
	if d.mem == nil && d.rec == nil {
		return d.readInto([]byte{}, n)
	}
	b, err := d.take(n)
	return append([]byte{}, b...), err
}

// readInto reads n bytes and appends them to b.
func (d *Decoder) readInto(b []byte, n int) ([]byte, error) {
	if d.r == nil {
		return b, errNoReader
	}
	for first := true; n > 0; first = false {
		step := min(n, max(maxStep, len(b)))
		at := len(b)
		if cap(b)-at < step {
			b = append(b, make([]byte, step)...)
		}
		b = b[:at+step]
		if m, err := io.ReadFull(d.r, b[at:]); err != nil {
			if err == io.EOF && !first {
				err = io.ErrUnexpectedEOF
			}
			return b[:at+m], err
		}
		n -= step
	}
	return b, nil
}

// ReadFull reads len(buf) bytes, for example the payload of an ext.
func (d *Decoder) ReadFull(buf []byte) error {
	if d.r == nil {
		return errNoReader
	}
	_, err := io.ReadFull(d.r, buf)
	return err
}

// header reads the header of a value of any kind. The payload of a number is not part of it.
func (d *Decoder) header() (wire.Header, error) {
	if m := d.mem; m != nil {
		if h, n, err := wire.ConsumeHeader(m.data[m.pos:]); err == nil {
			m.pos += n
			return h, nil
		}
	}
	var space [6]byte
	c, err := d.next()
	if err != nil {
		return wire.Header{}, err
	}
	space[0] = c
	n := headerLength(c)
	isExt := wire.FormatOf(c).Kind() == wire.KindExt
	last := n
	if isExt {
		last-- // the type, for whose absence there is another error
	}
	if last > 1 {
		b, err := d.take(last - 1)
		if err != nil {
			return wire.Header{}, err
		}
		copy(space[1:], b)
	}
	if isExt {
		if space[last], err = d.next(); err != nil {
			return wire.Header{}, err
		}
	}
	h, _, err := wire.ConsumeHeader(space[:n])
	if err != nil {
		err = fmt.Errorf("msgpack: unknown code %x", c)
	}
	return h, err
}

// headerLength returns the length of the header that begins with c.
func headerLength(c byte) int {
	switch wire.FormatOf(c) {
	case wire.Str8, wire.Bin8, wire.FixExt1, wire.FixExt2, wire.FixExt4, wire.FixExt8, wire.FixExt16:
		return 2
	case wire.Str16, wire.Bin16, wire.Array16, wire.Map16, wire.Ext8:
		return 3
	case wire.Ext16:
		return 4
	case wire.Str32, wire.Bin32, wire.Array32, wire.Map32:
		return 5
	case wire.Ext32:
		return 6
	}
	return 1
}

// Skip skips a value.
func (d *Decoder) Skip() error {
	if w, all := d.window(); all {
		if n, err := wire.Skip(w, maxDepth); err == nil {
			d.pass(w[:n])
			return nil
		}
	}
	for open := uint64(1); open > 0; open-- {
		// With containers of containers, each byte of the window would be read once for each.
		w, _ := d.window()
		if n, err := wire.Skip(w, 1); err == nil {
			d.pass(w[:n])
			continue
		}
		h, err := d.header()
		if err != nil {
			return err
		}
		for rest := uint64(h.Payload); rest > 0; {
			n := min(rest, maxStep)
			if _, err := d.take(int(n)); err == io.EOF && h.Format.Kind() == wire.KindExt {
				return io.ErrUnexpectedEOF // the type of an ext is there
			} else if err != nil {
				return err
			}
			rest -= n
		}
		open += h.Values()
	}
	return nil
}

// pass advances behind b, with which the window begins.
func (d *Decoder) pass(b []byte) {
	if d.rec != nil {
		*d.rec = append(*d.rec, b...)
	}
	d.advance(len(b))
}

// DecodeRaw reads a value of any kind and returns its bytes.
func (d *Decoder) DecodeRaw() (RawMessage, error) {
	if m := d.mem; m != nil {
		start := m.pos
		if err := d.Skip(); err != nil {
			return nil, err
		}
		return append(RawMessage{}, m.data[start:m.pos]...), nil
	}
	b, err := d.record()
	if err != nil {
		return nil, err
	}
	return b, nil
}

// record skips a value and returns its bytes, or after an error those that were read. d has no
// memory, whose bytes are not recorded.
func (d *Decoder) record() ([]byte, error) {
	b := []byte{}
	d.rec = &b
	err := d.Skip()
	d.rec = nil
	return b, err
}

// unread makes d read b again, which it has just read.
func (d *Decoder) unread(b []byte) {
	if len(b) == 0 {
		return
	}
	old, again := d.r.(*rewound)
	switch {
	case again && !old.beyond:
		old.pos -= len(b)
		return
	case again:
		d.r, d.s = old.r, old.s
	}
	r := &rewound{memory: memory{data: b}, r: d.r, s: d.s}
	d.r, d.s = r, r
}

// A rewound is a reader of bytes and of the reader that follows them.
type rewound struct {
	memory
	r      io.Reader
	s      io.ByteScanner
	beyond bool // r was read
}

func (r *rewound) Read(b []byte) (int, error) {
	if r.pos < len(r.data) {
		return r.memory.Read(b)
	}
	r.beyond = true
	return r.r.Read(b)
}

func (r *rewound) ReadByte() (byte, error) {
	if r.pos < len(r.data) {
		return r.memory.ReadByte()
	}
	r.beyond = true
	return r.s.ReadByte()
}

func (r *rewound) UnreadByte() error {
	if r.beyond {
		return r.s.UnreadByte()
	}
	return r.memory.UnreadByte()
}
