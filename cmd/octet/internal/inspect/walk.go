package inspect

import (
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// lookahead is the number of nodes that may wait until the length of the first
// of them is known. It lets the length of a container be printed before its
// values.
const lookahead = 4096

// chunkSize is the number of payload bytes that are read at a time.
const chunkSize = 32 << 10

// longestExt is one byte more than the longest payload that meaningOf decodes.
const longestExt = 17

// A walker turns the tokens of a scanner into nodes.
type walker struct {
	s     *scan.Scanner
	emit  func(*node) error // prints a node, which is valid only during the call
	keep  int               // maximum number of payload bytes that are kept, at least longestExt
	depth int64             // maximum number of containers around a value that is shown; negative: no limit
	limit int64             // maximum number of top-level values; negative: no limit
	paths bool              // record the paths of nodes

	ring        []node  // nodes that are not yet printed; node i is at i modulo the length
	front, back int64   // number of the oldest node in the ring, and of the next node to add
	open        []int64 // numbers of the containers that are not complete, -1 for one that is not shown

	values   int64 // complete top-level values
	findings int64
	finding  string // the first finding, with its offset and path
}

// walk prints all nodes. It returns nil at the end of the input and at the
// limit. Otherwise it returns the error of the scanner or of emit.
func (w *walker) walk() error {
	w.ring = make([]node, lookahead)
	for w.limit < 0 || w.values < w.limit {
		if err := w.next(); err != nil {
			if shown := w.show(true); shown != nil {
				return shown
			}
			if err == io.EOF {
				return nil
			}
			return err
		}
		w.close()
		if err := w.show(false); err != nil {
			return err
		}
		if w.s.Open() == 0 {
			w.values++
		}
	}
	return w.show(true)
}

// next reads a token and adds its node to the ring, unless it is too deep to be
// shown.
func (w *walker) next() error {
	t, err := w.s.Next()
	if err != nil {
		return err
	}
	var unseen node
	n, number := &unseen, int64(-1)
	if w.depth < 0 || int64(t.Depth) <= w.depth {
		n, number = w.slot(w.back), w.back
		w.back++
	}
	*n = node{Token: t, bytes: append(n.bytes[:0], w.s.Head()...), length: -1}
	if w.paths {
		n.path = w.s.Path()
	}
	switch t.Format.Kind() {
	case wire.KindArray, wire.KindMap:
		w.open = append(w.open, number)
		below := w.depth < 0 || int64(t.Depth) < w.depth
		n.open, n.hidden = below && t.Count > 0, !below && t.Count > 0
		return nil
	}
	err = w.content(n)
	if err == nil {
		n.length = int64(t.Size) + int64(t.Payload)
	}
	if n.finding != "" {
		if w.findings++; w.findings == 1 {
			w.finding = scan.Place(t.Offset, w.s.Path()) + ": " + n.finding
		}
	}
	return err
}

// content reads the payload. It keeps the beginning and checks the whole.
func (w *walker) content(n *node) error {
	var text text
	kind := n.Format.Kind()
	for w.s.Rest() > 0 {
		part, err := w.s.Payload(chunkSize)
		if room := w.keep - len(n.payload()); room > 0 {
			n.bytes = append(n.bytes, part[:min(room, len(part))]...)
		}
		if err != nil {
			n.cut = true
			return err
		}
		if kind == wire.KindStr {
			text.write(part)
		}
	}
	switch kind {
	case wire.KindStr:
		n.finding = text.finding()
	case wire.KindExt:
		n.meaning, n.finding = meaningOf(n.Ext, n.payload()[:min(longestExt, len(n.payload()))])
	}
	return nil
}

// close sets the lengths of the containers that are now complete.
func (w *walker) close() {
	for open := w.s.Open(); len(w.open) > open; {
		last := len(w.open) - 1
		if number := w.open[last]; number >= w.front {
			n := w.slot(number)
			n.length = w.s.Offset() - n.Offset
		}
		w.open = w.open[:last]
	}
}

// show prints nodes from the front of the ring. Unless all is set, it stops at
// a node whose length is not yet known.
func (w *walker) show(all bool) error {
	for w.front < w.back {
		n := w.slot(w.front)
		if n.length < 0 && !all && w.back-w.front < lookahead {
			return nil
		}
		w.front++
		if err := w.emit(n); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) slot(number int64) *node { return &w.ring[number%lookahead] }
