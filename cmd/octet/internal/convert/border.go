package convert

import (
	"bytes"

	"github.com/octet-go/octet/msgpack/wire"
)

// A borders finds the ends of top-level values in a buffer to which input is
// appended. It reads each byte once and validates nothing: what it finds has to be
// right only up to the first error, which the conversion then reports.
type borders interface {
	// advance reads what was appended to buf. It returns the end of the last
	// complete value, or 0 if there is none.
	advance(buf []byte) (end int)
	// drop removes the first n bytes of buf, which end with a value.
	drop(n int)
}

// jsonBorders finds the ends of JSON values by their brackets and quotes. A number
// or literal ends at the white space or the bracket that follows it.
type jsonBorders struct {
	first    bool // stop at the first end
	pos, end int
	depth    int
	inString bool
	escaped  bool // the last byte of buf escapes the next one
}

func (b *jsonBorders) advance(buf []byte) int {
	for b.pos < len(buf) && !(b.first && b.end > 0) {
		if b.inString {
			b.skipString(buf)
			continue
		}
		for b.pos < len(buf) && !special[buf[b.pos]] {
			b.pos++
		}
		if b.pos == len(buf) {
			break
		}
		c := buf[b.pos]
		b.pos++
		switch c {
		case '"':
			b.inString = true
		case '{', '[':
			b.depth++
		case '}', ']':
			b.depth = max(0, b.depth-1)
			b.ends()
		default: // white space
			b.ends()
		}
	}
	return b.end
}

// special has the bytes outside strings that begin or end values.
var special = [256]bool{'"': true, '{': true, '[': true, '}': true, ']': true, ' ': true, '\t': true, '\r': true, '\n': true}

// skipString moves to the end of the string, or to the end of buf.
func (b *jsonBorders) skipString(buf []byte) {
	if b.escaped {
		b.escaped = false
		b.pos++
	}
	for b.pos < len(buf) {
		text := buf[b.pos:]
		quote := bytes.IndexByte(text, '"')
		if quote >= 0 {
			text = text[:quote]
		}
		// A byte is escaped if an odd number of backslashes precede it.
		slashes := len(text)
		for slashes > 0 && text[slashes-1] == '\\' {
			slashes--
		}
		b.escaped = (len(text)-slashes)%2 == 1
		b.pos += len(text)
		if quote < 0 {
			return
		}
		b.pos++
		if !b.escaped {
			b.inString = false
			b.ends()
			return
		}
		b.escaped = false
	}
}

// ends notes that a value may end here.
func (b *jsonBorders) ends() {
	if b.depth == 0 {
		b.end = b.pos
	}
}

func (b *jsonBorders) drop(n int) {
	b.pos -= n
	b.end -= n
}

// msgpackBorders finds the ends of MessagePack values by counting the values that
// a value still needs.
type msgpackBorders struct {
	first bool  // stop at the first end
	pos   int64 // past the end of the buffer if a payload is incomplete
	end   int
	owed  uint64
}

func (b *msgpackBorders) advance(buf []byte) int {
	for {
		if b.owed == 0 && b.pos <= int64(len(buf)) {
			b.end = int(b.pos)
		}
		if b.pos >= int64(len(buf)) || b.first && b.end > 0 {
			return b.end
		}
		if !b.first {
			b.skipFixed(buf)
		}
		if b.pos >= int64(len(buf)) {
			continue
		}
		h, n, err := wire.ConsumeHeader(buf[b.pos:])
		if err == wire.ErrTruncated {
			return b.end
		}
		if err != nil {
			h, n = wire.Header{}, 1 // the conversion finds the error
		}
		if b.owed > 0 {
			b.owed--
		}
		b.owed += h.Values()
		b.pos += int64(n) + int64(h.Payload)
	}
}

// skipFixed moves over values whose first byte tells their length, which most
// values are.
func (b *msgpackBorders) skipFixed(buf []byte) {
	pos, owed, end := int(b.pos), b.owed, b.end
	for pos < len(buf) {
		f := fixed[buf[pos]]
		if f.size == 0 {
			break
		}
		if owed > 0 {
			owed--
		}
		owed += uint64(f.values)
		pos += int(f.size)
		if owed == 0 && pos <= len(buf) {
			end = pos
		}
	}
	b.pos, b.owed, b.end = int64(pos), owed, end
}

// A fixedSize is what the first byte of a value tells about it.
type fixedSize struct {
	size   uint8 // bytes of the value without the values in it; 0 if more bytes tell
	values uint8 // number of values in it
}

var fixed = fixedSizes()

func fixedSizes() (table [256]fixedSize) {
	for c := range table {
		if h, n, err := wire.ConsumeHeader([]byte{byte(c)}); err == nil {
			table[c] = fixedSize{uint8(n) + uint8(h.Payload), uint8(h.Values())}
		}
	}
	return table
}

func (b *msgpackBorders) drop(n int) {
	b.pos -= int64(n)
	b.end -= n
}
