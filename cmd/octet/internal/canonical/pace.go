package canonical

import (
	"bytes"
	"slices"

	"github.com/octet-go/octet/msgpack/wire"
)

// A Pace lets long work pause: it calls Pause again and again. An error of Pause stops the
// work. A nil Pace never pauses.
type Pace struct {
	Pause func() error

	spent int // bytes since the last call
	err   error
}

// between is the number of bytes between two pauses.
const between = 32 << 10

// Spend counts bytes that have been read or compared. It returns the error of Pause, from
// the first one on.
func (p *Pace) Spend(n int) error {
	if p == nil || p.Pause == nil {
		return nil
	}
	if p.spent += n; p.spent >= between && p.err == nil {
		p.spent = 0
		p.err = p.Pause()
	}
	return p.err
}

// End does the same as [End], with pauses.
func (p *Pace) End(data []byte) (int, error) {
	h, n, _ := wire.ConsumeHeader(data)
	n += int(h.Payload)
	for left := h.Values(); left > 0; left-- {
		h, k, _ := wire.ConsumeHeader(data[n:])
		n += k + int(h.Payload)
		left += h.Values()
		if err := p.Spend(k); err != nil {
			return n, err
		}
	}
	return n, nil
}

// Chunks calls do with one part of data after another, with pauses between them.
func (p *Pace) Chunks(data []byte, do func(part []byte)) error {
	for part := range slices.Chunk(data, between) {
		do(part)
		if err := p.Spend(len(part)); err != nil {
			return err
		}
	}
	return nil
}

// Append appends src to dst, with pauses if src is long.
func (p *Pace) Append(dst, src []byte) ([]byte, error) {
	if len(src) <= between {
		return append(dst, src...), nil
	}
	dst = slices.Grow(dst, len(src))
	err := p.Chunks(src, func(part []byte) { dst = append(dst, part...) })
	return dst, err
}

// Equal does the same as bytes.Equal, with pauses.
func (p *Pace) Equal(a, b []byte) (bool, error) {
	if len(a) != len(b) {
		return false, nil
	}
	for len(a) > between {
		if !bytes.Equal(a[:between], b[:between]) {
			return false, nil
		}
		if err := p.Spend(between); err != nil {
			return false, err
		}
		a, b = a[between:], b[between:]
	}
	return bytes.Equal(a, b), p.Spend(len(a))
}
