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

// A Cursor reads tokens one after another.
type Cursor struct {
	data  []byte
	pos   int
	top   int64 // number of the next top-level value
	line  int64 // on which the last thing that was read ended
	outer int   // number of the containers around everything it reads that s and lines leave out
	s     wire.Scanner
	lines []int64 // on which the containers begin that were not found to be complete
	wrong bool    // the last call of Next found a fault
	token Token

	around []wire.Container // memory of skim

	// Closed, if set, is called at the end of each container that is not empty. The
	// token is the container, and its Line the one on which it ends.
	Closed func(Token)
}

// Next reads the next token. At the end of the data and at a fault it returns
// false.
func (c *Cursor) Next() bool {
	c.pop()
	if c.pos >= len(c.data) || c.wrong {
		return false
	}
	h, n, err := c.s.Next(c.data[c.pos:])
	if err != nil || int64(h.Payload) > int64(len(c.data)-c.pos-n) {
		c.wrong = true
		return false
	}
	around := c.s.Around()
	role, number, last := scan.Position(around)
	c.token = Token{Header: h, Offset: c.pos, Depth: c.outer + len(around), Role: role, Number: int64(number), Parent: -1, Last: last}
	if len(around) == 0 {
		c.token.Number = c.top
		c.top++
	} else {
		c.token.Parent = int(around[len(around)-1].Offset)
	}
	if role != scan.Value {
		c.line++
	}
	c.token.Line = c.line
	c.pos += n
	c.pos += c.s.Payload(c.data[c.pos:])
	if h.Values() > 0 {
		c.lines = append(c.lines, c.line)
	}
	return true
}

// Token returns the token that Next has read.
func (c *Cursor) Token() *Token { return &c.token }

// depth returns the number of containers around what Next reads next, after pop.
func (c *Cursor) depth() int { return c.outer + len(c.lines) }

// pop removes the containers that are complete.
func (c *Cursor) pop() {
	if c.wrong {
		return
	}
	for open := len(c.s.Open()); len(c.lines) > open; {
		around := c.s.Around()[:len(c.lines)]
		d := len(around) - 1
		c.line++
		c.lines = c.lines[:d]
		if c.Closed != nil {
			role, _, last := scan.Position(around[:d])
			c.Closed(Token{Header: around[d].Header, Offset: int(around[d].Offset), Depth: c.outer + d, Role: role, Line: c.line, Parent: -1, Last: last})
		}
	}
}

// skipTo continues after the value of the token, whose end is known.
func (c *Cursor) skipTo(end int) { c.resume(end, c.s.Around(), c.lines[:c.token.Depth-c.outer]) }

// resume continues between two values inside containers that begin on the lines.
func (c *Cursor) resume(pos int, around []wire.Container, lines []int64) {
	c.pos = pos
	c.s.Reset(int64(pos), around)
	c.lines = append(c.lines[:0], lines...)
}
