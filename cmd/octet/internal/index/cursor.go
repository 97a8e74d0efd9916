package index

import (
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Token is one value: its header and its position.
type Token struct {
	wire.Header
	Offset int
	Depth  int       // number of containers around it
	Role   scan.Role // in the innermost container
	Number int64     // in the stream, or in the innermost container, where keys and values count separately
	Line   int64     // number of the line of text on which it begins, from 0
	Parent int       // offset of the innermost container, -1 if there is none
	Last   bool      // nothing follows in the innermost container
}

// Row returns the number of the element or of the pair.
func (t *Token) Row() int64 {
	if t.Role == scan.Key || t.Role == scan.Value {
		return t.Number / 2
	}
	return t.Number
}

// IsContainer reports whether other values are inside the value.
func (t *Token) IsContainer() bool { return t.Header.Values() > 0 }

// End returns the offset after the header and the payload.
func (t *Token) End() int { return t.Offset + int(t.Size) + int(t.Payload) }

// A frame is a container that is not complete.
type frame struct {
	start int
	line  int64  // on which the container begins
	count uint64 // number of elements, or of keys and values
	next  uint64 // number of the next one
	head  wire.Header
	role  scan.Role // of the container itself
	last  bool      // nothing follows the container in its own container
}

// A Cursor reads tokens one after another.
type Cursor struct {
	data  []byte
	pos   int
	top   int64 // number of the next top-level value
	line  int64 // on which the last thing that was read ended
	stack []frame
	token Token

	// Closed, if set, is called at the end of each container that is not empty. The
	// token is the container, and its Line the one on which it ends.
	Closed func(Token)
}

// Next reads the next token. At the end of the data and at a fault it returns
// false.
func (c *Cursor) Next() bool {
	c.pop()
	if c.pos >= len(c.data) {
		return false
	}
	h, n, err := wire.ConsumeHeader(c.data[c.pos:])
	if err != nil || int64(h.Payload) > int64(len(c.data)-c.pos-n) {
		return false
	}
	t := &c.token
	*t = Token{Header: h, Offset: c.pos, Depth: len(c.stack), Parent: -1}
	if kind := h.Format.Kind(); len(c.stack) == wire.MaxDepth && (kind == wire.KindArray || kind == wire.KindMap) {
		return false
	}
	if len(c.stack) == 0 {
		t.Number = c.top
		c.top++
		c.line++
	} else {
		f := &c.stack[len(c.stack)-1]
		t.Number, t.Parent, t.Role = int64(f.next), f.start, scan.Element
		if f.head.Format.Kind() == wire.KindMap {
			t.Role = scan.Key + scan.Role(f.next&1)
		}
		f.next++
		t.Last = f.next == f.count
		if t.Role != scan.Value {
			c.line++
		}
	}
	t.Line = c.line
	c.pos += n + int(h.Payload)
	if count := h.Values(); count > 0 {
		c.stack = append(c.stack, frame{start: t.Offset, line: t.Line, count: count, head: h, role: t.Role, last: t.Last})
	}
	return true
}

// Token returns the token that Next has read.
func (c *Cursor) Token() *Token { return &c.token }

// pop removes the containers that are complete.
func (c *Cursor) pop() {
	for len(c.stack) > 0 {
		f := &c.stack[len(c.stack)-1]
		if f.next < f.count {
			return
		}
		c.line++
		c.stack = c.stack[:len(c.stack)-1]
		if c.Closed != nil {
			c.Closed(Token{Header: f.head, Offset: f.start, Depth: len(c.stack), Role: f.role, Line: c.line, Parent: -1, Last: f.last})
		}
	}
}

// skipTo continues after the value of the token, whose end is known.
func (c *Cursor) skipTo(end int) {
	c.pos = end
	c.stack = c.stack[:c.token.Depth]
}
