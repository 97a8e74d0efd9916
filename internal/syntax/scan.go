package syntax

import "github.com/octet-go/octet/msgpack/wire"

// A Scanner finds the end of one value whose bytes arrive in pieces. It continues
// where it stopped, so its time is linear in the length of the value, however small
// the pieces are. It keeps only counts, so a header with a large claim takes no
// memory. The zero Scanner is at the start of a value.
//
// It reports the same faults as [wire.Skip], except that it does not refuse a
// container whose header claims more than the input holds, because the length of
// the input is not known yet.
type Scanner struct {
	// Pos is the number of bytes that have been scanned. It can be larger than the
	// number of bytes that have arrived.
	Pos   uint64
	left  uint64   // values that the innermost container expects
	outer []uint64 // values that the containers around it expect
	begun bool
}

// Next prepares the Scanner for another value.
func (s *Scanner) Next() {
	s.Pos, s.begun = 0, false
	s.outer = s.outer[:0]
}

// Begun reports whether Scan was called for the current value.
func (s *Scanner) Begun() bool { return s.begun }

// Scan continues with data, which holds the bytes of the value that have arrived so
// far. It reports whether the value is complete; its length is then s.Pos. If not,
// call Scan again when more bytes have arrived. On error, s.Pos is the offset of the
// fault.
func (s *Scanner) Scan(data []byte, depth int) (whole bool, err error) {
	if !s.begun {
		s.begun, s.left = true, 1
	}
	if s.Pos > uint64(len(data)) {
		return false, nil
	}
	pos, left := int(s.Pos), s.left
	for {
		for left > 0 && pos < len(data) {
			b := data[pos]
			var size int
			if b&0xe0 == byte(wire.FixStr) {
				size = 1 + int(b&31) // faster than the table
			} else {
				size = int(plainSizes[b])
			}
			if size == 0 || size > len(data)-pos {
				break
			}
			pos += size
			left--
		}
		for left == 0 && len(s.outer) > 0 {
			left = s.outer[len(s.outer)-1]
			s.outer = s.outer[:len(s.outer)-1]
		}
		s.Pos, s.left = uint64(pos), left
		if left == 0 {
			return true, nil
		}
		// Most containers are a fixmap or fixarray, which need no full header.
		if pos < len(data) && data[pos]&0xe0 == byte(wire.FixMap) && len(s.outer) < depth {
			s.outer = append(s.outer, left-1)
			if left = uint64(data[pos] & 15); data[pos] < byte(wire.FixArray) {
				left *= 2
			}
			pos++
			continue
		}
		h, size, err := wire.ConsumeHeader(data[pos:])
		if err == wire.ErrTruncated {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		switch h.Format.Kind() {
		case wire.KindArray, wire.KindMap:
			if len(s.outer) >= depth {
				return false, wire.ErrDepth
			}
			s.outer = append(s.outer, left-1)
			left = h.Values()
			pos += size
			continue
		}
		end := uint64(pos+size) + uint64(h.Payload)
		if h.Ext == wire.TimestampType { // h.Ext is 0 unless the value is an ext
			if h.Payload <= 12 && end > uint64(len(data)) {
				return false, nil
			}
			if _, err := wire.Skip(data[pos:min(end, uint64(len(data)))], 0); err != nil {
				return false, wire.ErrTimestamp
			}
		}
		left--
		if end > uint64(len(data)) {
			s.Pos, s.left = end, left
			return false, nil
		}
		pos = int(end)
	}
}

// plainSizes holds, by format byte, the length of the value if the format byte
// determines it, and 0 otherwise.
var plainSizes = makePlainSizes()

func makePlainSizes() (sizes [256]uint8) {
	for b := range sizes {
		h, n, err := wire.ConsumeHeader([]byte{byte(b)})
		if err == nil && n == 1 && h.Format.Kind() != wire.KindArray && h.Format.Kind() != wire.KindMap {
			sizes[b] = uint8(n) + uint8(h.Payload)
		}
	}
	return sizes
}

// A Ledger holds, for each open container that is read or written in parts, how many
// values it still expects, from the outermost to the innermost. A container that is
// complete is removed, together with the containers around it of which it was the
// last value. The innermost container therefore always expects a value.
type Ledger []uint64

// Pass counts one value.
func (l *Ledger) Pass() {
	if n := len(*l); n > 0 {
		(*l)[n-1]--
		l.closeComplete()
	}
}

// Open counts the header of a container of the given number of values.
func (l *Ledger) Open(values uint64) {
	if n := len(*l); n > 0 {
		(*l)[n-1]--
	}
	*l = append(*l, values)
	l.closeComplete()
}

// closeComplete removes the containers that are complete.
func (l *Ledger) closeComplete() {
	n := len(*l)
	for n > 0 && (*l)[n-1] == 0 {
		n--
	}
	*l = (*l)[:n]
}

// Due returns the number of values that the open containers still expect. It is a
// minimum, because these values can be containers.
func (l Ledger) Due() (values uint64) {
	for _, n := range l {
		values += n
	}
	return values
}
