package wire

import "sync"

// A Splitter cuts a stream of bytes into values. The bytes arrive in chunks that may
// be of any length and end anywhere, even inside a header. It finds the ends of
// values, and does not look at payloads. The zero Splitter is at the start of a
// value.
//
// It counts how many values it still expects, which takes the same small memory for
// every input, and its time is linear in the length of the input. It therefore does
// not limit the depth of nesting, and it does not know if what a header claims is in
// the input. [Skip] and [Scanner] limit the depth.
//
// A Splitter and the JSONSplitter of package transcode have the same methods.
type Splitter struct {
	owed    uint64 // values that are missing to the end of the current top-level value
	payload uint64 // bytes that are missing to the end of a payload
	head    partialHeader
}

// Next takes the bytes of chunk up to the end of the current value, and returns their
// number. If the value does not end in chunk, Next takes all of chunk, and whole is
// false. Call it again with the bytes that follow.
//
// If a value begins with a byte that no value begins with, the error is
// [ErrReserved]. The last of the n bytes is the one at fault. The Splitter counts it
// as a value, so a program can continue after it. If the headers of a value claim
// more than 2^63 values, the error is [ErrLimit].
func (s *Splitter) Next(chunk []byte) (n int, whole bool, err error) {
	end, n, err := s.split(chunk, true)
	return n, end > 0, err
}

// Last takes all of chunk, and returns the end of the last value that ends in it, or
// 0 if none does. The bytes before end complete the values before, so they can be
// processed while the others are kept. On error, n is the number of bytes taken up to
// the fault: see [Splitter.Next].
func (s *Splitter) Last(chunk []byte) (end, n int, err error) { return s.split(chunk, false) }

// split takes chunk up to the first end of a value, if once is set.
func (s *Splitter) split(chunk []byte, once bool) (end, n int, err error) {
	if s.payload > 0 {
		n = int(min(s.payload, uint64(len(chunk))))
		if s.payload -= uint64(n); s.payload > 0 {
			return 0, n, nil
		}
		if s.owed == 0 {
			end = n
		}
	}
	for n < len(chunk) && !(once && end > 0) {
		if s.head.size == 0 {
			end, n = s.skipFixed(chunk, end, n, once)
			if n >= len(chunk) {
				s.payload = uint64(n - len(chunk))
				return end, len(chunk), nil
			}
			if once && end > 0 {
				break
			}
		}
		h, size, err := s.head.consume(chunk[n:])
		n += size
		if err == ErrTruncated {
			return end, n, nil
		}
		if s.owed > 0 {
			s.owed--
		}
		if err != nil {
			if s.owed == 0 {
				end = n
			}
			return end, n, err
		}
		if s.owed += h.Values(); s.owed > 1<<63 {
			return end, n, ErrLimit
		}
		s.payload = uint64(h.Payload)
		k := int(min(s.payload, uint64(len(chunk)-n)))
		n += k
		if s.payload -= uint64(k); s.payload == 0 && s.owed == 0 {
			end = n
		}
	}
	return end, n, nil
}

// skipFixed moves n over the values whose first byte tells their length and the number
// of their values, which most values are. The result can be past the end of chunk.
func (s *Splitter) skipFixed(chunk []byte, end, n int, once bool) (int, int) {
	fixed.once.Do(makeFixedSizes)
	owed := s.owed
	for n < len(chunk) {
		f := fixed.sizes[chunk[n]]
		if f.size == 0 {
			break
		}
		if owed > 0 {
			owed--
		}
		owed += uint64(f.values)
		n += int(f.size)
		if owed == 0 && n <= len(chunk) {
			if end = n; once {
				break
			}
		}
	}
	s.owed = owed
	return end, n
}

// A fixedSize is what the first byte of a value tells about it.
type fixedSize struct {
	size   uint8 // bytes of the value without the values in it; 0 if more bytes tell
	values uint8 // number of values in it
}

// fixed has, by format byte, what the first byte of a value tells. It is made by the
// first Splitter, as short is by the first Scanner.
var fixed struct {
	once  sync.Once
	sizes [256]fixedSize
}

func makeFixedSizes() {
	for b := range fixed.sizes {
		if s := shapes[b]; s.kind == KindArray || s.kind == KindMap {
			if s.length == 0 {
				h, _, _ := ConsumeHeader([]byte{byte(b)})
				fixed.sizes[b] = fixedSize{s.header, uint8(h.Values())}
			}
		} else if s.length == 0 && s.kind != KindReserved {
			fixed.sizes[b].size = s.header + s.fixed
		}
	}
}

// A partialHeader is the beginning of a header whose rest has not arrived.
type partialHeader struct {
	bytes [6]byte
	size  uint8
}

// consume is [ConsumeHeader] for a header that may begin with the bytes of p. On
// [ErrTruncated] it keeps all of src. It returns the number of bytes taken from src,
// also on error.
func (p *partialHeader) consume(src []byte) (h Header, n int, err error) {
	if p.size == 0 {
		if h, n, err = ConsumeHeader(src); err == nil {
			return h, n, nil
		}
	}
	before := p.size
	p.size += uint8(copy(p.bytes[p.size:], src))
	h, n, err = ConsumeHeader(p.bytes[:p.size])
	switch err {
	case ErrTruncated:
		return h, len(src), err
	case nil:
		n -= int(before)
	default:
		n = 1 // a header is wrong only in its first byte
	}
	p.size = 0
	return h, n, err
}
