package inspect

import (
	"fmt"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

const (
	// lookahead is the number of nodes that may wait until the length of the
	// first of them is known. It lets the length of a container be printed before
	// its values.
	lookahead = 4096
	// unseenLookahead is the same for values that are not shown, which take no
	// memory.
	unseenLookahead = 1 << 20
	// chunkSize is the number of payload bytes that are read at a time.
	chunkSize = 32 << 10
	// longestExt is one byte more than the longest payload that meaningOf
	// decodes.
	longestExt = 17
	// firstElements is the number of elements that are shown of an array or map
	// with more than longArray of them.
	firstElements = 50
	longArray     = 60
)

// A walker turns the tokens of a scanner into nodes.
type walker struct {
	s    *scan.Scanner
	o    Options
	emit func(*node) error // prints a node, which is valid only during the call
	keep int               // maximum number of payload bytes that are kept, at least longestExt

	ring        []node // nodes that are not yet printed; node i is at i modulo the length
	front, back int64  // number of the oldest node in the ring, and of the next node to add
	unseen      int64  // values that were read and not added since the last node
	open        []container

	scratch  node
	match    *locate.Matcher // for Options.Path; nil if it is the whole value
	at       bool            // the token is the value at Options.Path
	base     int             // depth of that value, if selected
	selected bool            // the input is in such a value
	keys     keys
	inner    int     // number of bin and ext values around the input
	child    *walker // for the MessagePack in bin and ext values

	result Result
}

// A container is an array or map that is not complete.
type container struct {
	number int64  // of its node, -1 if it is not shown
	more   int64  // number of the node that stands for the elements that are not shown, -1 if there is none
	count  uint64 // number of elements or pairs
	unseen bool   // nothing in it is shown
}

// walk prints all nodes. It returns nil at the end of the input and at the
// limit. Otherwise it returns the error of the scanner or of emit.
func (w *walker) walk() error {
	if w.ring == nil {
		w.ring = make([]node, lookahead)
	}
	if len(w.o.Path) > 0 {
		w.match = w.o.Path.Matcher()
	}
	for w.o.Limit < 0 || w.result.Values < w.o.Limit {
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
			w.result.Values++
		}
	}
	return w.show(true)
}

// next reads a token and adds its node to the ring, unless it is not to be
// shown.
func (w *walker) next() error {
	t, err := w.s.Next()
	if err != nil {
		return err
	}
	w.keys.begin(t, w.s.Head())
	w.at = w.match != nil && w.match.Begin(t, w.s.Head())
	n, number, err := w.place(t)
	if err != nil {
		return err
	}
	unseen := number < 0
	if unseen {
		w.unseen++
	}
	switch t.Format.Kind() {
	case wire.KindArray, wire.KindMap:
		below := w.o.Depth < 0 || int64(t.Depth-w.base) < w.o.Depth
		n.open, n.hidden = below && t.Count > 0, !below && t.Count > 0
		inside := w.match == nil || w.selected
		w.open = append(w.open, container{number: number, more: -1, count: uint64(t.Count), unseen: unseen && inside})
		return nil
	}
	err = w.content(n)
	if err == nil {
		n.length = int64(t.Size) + int64(t.Payload)
		if first, twice := w.keys.end(t); twice && n.finding == "" {
			n.finding = "duplicate key, first at offset " + itoa(first)
		}
	}
	if n.finding != "" {
		w.find(n.finding, t.Offset)
	}
	if err == nil && !unseen && w.o.Nested {
		return w.nested(n)
	}
	return err
}

// find counts a finding about the value at the offset.
func (w *walker) find(finding string, offset int64) {
	if w.result.Findings++; w.result.Findings == 1 {
		w.result.Finding = scan.Place(offset, w.s.Path()) + ": " + finding
	}
}

// place returns the node for a token. The number is -1 if the value is not
// shown.
func (w *walker) place(t scan.Token) (n *node, number int64, err error) {
	if w.match != nil && !w.selects(t) {
		return w.unshown(t), -1, nil
	}
	depth := t.Depth - w.base
	if w.o.Depth >= 0 && int64(depth) > w.o.Depth {
		return w.unshown(t), -1, nil
	}
	if depth > 0 {
		parent := &w.open[t.Depth-1]
		if parent.unseen || parent.more >= 0 {
			return w.unshown(t), -1, nil
		}
		if !w.o.All && !w.o.JSON && parent.count > longArray && t.Index >= firstElements {
			more, number := w.add(t)
			more.omitted, more.pairs = int64(parent.count-t.Index), t.Role != scan.Element
			more.Role, more.Depth, more.Last, more.bytes = scan.Element, depth, true, more.bytes[:0]
			parent.more = number
			return w.unshown(t), -1, w.show(false)
		}
	}
	n, number = w.add(t)
	if w.o.JSON {
		n.path = w.s.Path()
		return n, number, nil
	}
	n.Depth = depth
	if w.selected && depth == 0 {
		n.Role, n.Last = scan.Top, true
	}
	return n, number, nil
}

// unshown returns a node that is not in the ring.
func (w *walker) unshown(t scan.Token) *node {
	n := &w.scratch
	*n = node{Token: t, bytes: append(n.bytes[:0], w.s.Head()...), length: -1}
	return n
}

// add adds a node to the ring.
func (w *walker) add(t scan.Token) (*node, int64) {
	n, number := w.slot(w.back), w.back
	w.back++
	w.unseen = 0
	*n = node{Token: t, bytes: append(n.bytes[:0], w.s.Head()...), length: -1}
	return n, number
}

// selects reports whether the token is the value at Options.Path or inside it.
func (w *walker) selects(t scan.Token) bool {
	if w.selected && t.Depth > w.base {
		return true
	}
	w.selected = w.at
	if w.selected {
		w.base = t.Depth
		w.result.Selected++
	}
	return w.selected
}

// content reads the payload. It keeps the beginning and checks the whole.
func (w *walker) content(n *node) error {
	var text scan.Text
	kind := n.Format.Kind()
	keep := w.keep
	if w.o.Nested && (kind == wire.KindBin || kind == wire.KindExt) && n.Payload <= longestNested {
		keep = max(keep, int(n.Payload))
	}
	for w.s.Rest() > 0 {
		part, err := w.s.Payload(chunkSize)
		if room := keep - len(n.payload()); room > 0 {
			n.bytes = append(n.bytes, part[:min(room, len(part))]...)
		}
		if err != nil {
			n.cut = true
			return err
		}
		w.keys.write(n.Token, part)
		if w.match != nil {
			w.match.Write(part)
		}
		if kind == wire.KindStr {
			text.Write(part)
		}
	}
	switch kind {
	case wire.KindStr:
		if at := text.Invalid(); at >= 0 {
			n.finding = fmt.Sprintf("invalid UTF-8 at byte %d of the str", at)
		}
	case wire.KindExt:
		n.meaning, n.finding = meaningOf(n.Ext, n.payload()[:min(longestExt, len(n.payload()))])
	}
	return nil
}

// close sets the lengths of the containers that are now complete.
func (w *walker) close() {
	for open := w.s.Open(); len(w.open) > open; {
		last := w.open[len(w.open)-1]
		for _, number := range []int64{last.number, last.more} {
			if number >= w.front {
				n := w.slot(number)
				n.length = w.s.Offset() - n.Offset
			}
		}
		w.open = w.open[:len(w.open)-1]
	}
	w.keys.close(w.s.Open())
}

// show prints nodes from the front of the ring. Unless all is set, it stops at
// a node whose length is not yet known.
func (w *walker) show(all bool) error {
	for w.front < w.back {
		n := w.slot(w.front)
		if n.length < 0 && !all && w.back-w.front < lookahead && w.unseen < unseenLookahead {
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
