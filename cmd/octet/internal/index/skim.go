package index

import "github.com/octet-go/octet/msgpack/wire"

// wholeSizes has, by format byte, the number of bytes of a value whose format byte tells
// it, or 0. Most values in most files are such.
var wholeSizes = makeWholeSizes()

func makeWholeSizes() (sizes [256]uint8) {
	for b := range sizes {
		h, n, err := wire.ConsumeHeader([]byte{byte(b), 0, 0, 0, 0, 0})
		if err == nil && n == 1 && h.Format.Kind() != wire.KindArray && h.Format.Kind() != wire.KindMap {
			sizes[b] = uint8(n + int(h.Payload))
		}
	}
	return sizes
}

// WholeSize returns the number of bytes of a value if its first byte tells it, or 0. It is
// 0 for all arrays and maps.
func WholeSize(first byte) int { return int(wholeSizes[first]) }

// Skim moves the cursor before the token that contains an offset, or to the first fault
// before it. Tokens before the place where the cursor is stay read.
func (c *Cursor) Skim(to int) { c.skim(to) }

// skim reads the tokens that end at or before an offset. It stops before a token that
// [Cursor.Next] may not be able to read. It returns the number of the tokens and the
// greatest depth of one.
//
// It does the same as Next, but keeps what changes with every token in variables of one
// loop, and makes no Token: an index needs none. Closed is not called.
func (c *Cursor) skim(to int) (tokens int64, deepest int) {
	c.pop()
	if c.wrong {
		return 0, 0
	}
	const stream = 1 << 62 // as if the stream were an array with so many elements
	around, lines, data := append(c.around[:0], c.s.Open()...), c.lines, c.data[:min(to, len(c.data))]
	pos, line := c.pos, c.line
	left, pairs := uint64(stream)-uint64(c.top), uint64(0) // of the innermost container; pairs is 1 in a map
	inner := func() {
		left, pairs = stream-uint64(c.top), 0
		if d := len(around); d > 0 {
			left = around[d-1].Left
			if around[d-1].Header.Format.Kind() == wire.KindMap {
				pairs = 1
			}
		}
	}
	inner()
	for pos < len(data) {
		var h wire.Header
		size := WholeSize(data[pos])
		if size == 0 {
			var err error
			if h, size, err = wire.ConsumeHeader(data[pos:]); err != nil || len(around) >= wire.MaxDepth {
				break
			}
			size += int(min(int64(h.Payload), int64(len(data)))) // an int can have 32 bits
		}
		if size > len(data)-pos {
			break
		}
		left--
		line += int64(1 - pairs&^left) // the value of a pair is on the line of its key
		tokens++
		deepest = max(deepest, len(around))
		if n := h.Values(); n > 0 {
			if d := len(around); d > 0 {
				around[d-1].Left = left
			} else {
				c.top = int64(stream - left)
			}
			around = append(around, wire.Container{Header: h, Offset: int64(pos), Left: n})
			lines = append(lines, line)
			inner()
		}
		pos += size
		for left == 0 {
			d := len(around) - 1
			around, lines = around[:d], lines[:d]
			line++
			inner()
		}
	}
	if d := len(around); d > 0 {
		around[d-1].Left = left
	} else {
		c.top = int64(stream - left)
	}
	c.line, c.around = line, around
	c.resume(pos, around, lines)
	return tokens, deepest
}
