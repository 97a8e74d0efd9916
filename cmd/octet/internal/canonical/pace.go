package canonical

import "github.com/octet-go/octet/msgpack/wire"

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
