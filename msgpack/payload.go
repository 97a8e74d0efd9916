package msgpack

import (
	"errors"
	"io"

	"github.com/octet-go/octet/msgpack/wire"
)

var errPayloadPassed = errors.New("msgpack: payload read after the Decoder advanced")

// ReadPayload reads the header of a str, bin or ext and returns it with a reader
// of the payload of h.Payload bytes, which need not fit in memory:
//
//	h, r, err := dec.ReadPayload()
//	_, err = io.Copy(file, r)
//
// The next call to a method of d that reads or peeks skips the rest of the payload.
// After that, the reader returns an error. A timestamp must be well-formed.
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

// A payload reads the rest of the payload at the position of its Decoder.
type payload struct {
	d    *Decoder
	left uint32
}

func (p *payload) Read(b []byte) (n int, err error) {
	d := p.d
	if d.payload != p {
		return 0, errPayloadPassed
	}
	if p.left == 0 {
		return 0, io.EOF
	}
	if d.err != nil {
		return 0, d.err
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

// finish skips the rest of the payload.
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

// ended converts io.EOF to an error, because the input must not end inside the
// payload.
func (p *payload) ended(err error) error {
	if err == io.EOF {
		return p.d.truncated()
	}
	return err
}
