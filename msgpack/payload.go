package msgpack

import (
	"errors"
	"io"

	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

var errPayloadOver = errors.New("msgpack: the payload is over: its Decoder has gone on")

// ReadPayload reads the header of a str, bin or ext and returns it with a reader
// of its payload, of h.Payload bytes, which need not fit in memory:
//
//	h, r, err := dec.ReadPayload()
//	_, err = io.Copy(file, r)
//
// The next call to a method of d passes what was not read, and ends the use of
// the reader. A timestamp must be well-formed.
func (d *Decoder) ReadPayload() (h wire.Header, r io.Reader, err error) {
	h, err = d.header(kinds(wire.KindStr, wire.KindBin, wire.KindExt), "str, bin or ext")
	if err != nil {
		return wire.Header{}, nil, err
	}
	if h.Ext == wire.TimestampType {
		if _, err := d.value(); err != nil {
			return wire.Header{}, nil, err
		}
	}
	if g := &d.plans.guard; g.on && uint64(h.Payload) > g.rules.Bytes {
		return wire.Header{}, nil, d.fail(0, "", ErrLimit)
	}
	d.advance(int(h.Size))
	d.payload = &payload{d, h.Payload}
	return h, d.payload, nil
}

// A payload reads what is left of the payload at the position of its Decoder.
type payload struct {
	d    *Decoder
	left uint32
}

func (p *payload) Read(b []byte) (n int, err error) {
	d := p.d
	if d.payload != p {
		return 0, errPayloadOver
	}
	if p.left == 0 {
		return 0, io.EOF
	}
	b = b[:min(uint64(len(b)), uint64(p.left))]
	if len(b) == 0 {
		return 0, nil
	}
	if d.start == d.end && len(b) >= len(d.buf) {
		n, err = d.read(b)
		d.base += int64(n)
		p.left -= uint32(n)
		return n, p.ended(err)
	}
	if d.start == d.end {
		if err := d.fill(); err != nil {
			return 0, p.ended(err)
		}
	}
	n = copy(b, d.unread())
	d.start += n
	p.left -= uint32(n)
	return n, nil
}

// finish passes what is left.
func (p *payload) finish() error {
	d := p.d
	for {
		n := min(uint64(p.left), uint64(d.end-d.start))
		d.start += int(n)
		if p.left -= uint32(n); p.left == 0 {
			d.payload = nil
			d.pass(0)
			return nil
		}
		if err := d.fill(); err != nil {
			return p.ended(err)
		}
	}
}

// ended turns the end of the input into an error, since it is not yet that of
// the payload.
func (p *payload) ended(err error) error {
	if err == io.EOF {
		return p.d.fail(0, syntax.Counted(p.left, "more byte"), ErrTruncated)
	}
	return err
}
