package inspect

import (
	"bytes"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

const (
	// longestNested is the longest payload in which MessagePack is looked for. It
	// is kept in memory.
	longestNested = 1 << 20
	// deepestNested is the maximum number of payloads inside each other.
	deepestNested = 8
)

// nested adds the values of the MessagePack in a bin or ext below its node.
func (w *walker) nested(n *node) error {
	kind := n.Format.Kind()
	if kind != wire.KindBin && kind != wire.KindExt || n.elided() > 0 || w.inner == deepestNested {
		return nil
	}
	payload := bytes.Clone(n.payload()) // the node may be printed and used again
	depth, path, offset := n.Depth+1, w.s.Path()+"!", n.Offset+int64(n.Size)
	n.bytes = n.bytes[:min(len(n.bytes), int(n.Size)+w.keep)]
	values := messages(payload)
	if values == 0 || n.meaning.value != "" || w.o.Depth >= 0 && int64(depth-w.shift()) > w.o.Depth {
		return nil
	}
	if w.child == nil {
		w.child = &walker{ring: make([]node, lookahead)}
	}
	inner := w.child
	*inner = walker{
		s: scan.New(bytes.NewReader(payload), offset), o: w.o, keep: w.keep, inner: w.inner + 1,
		ring: inner.ring, keys: inner.keys, child: inner.child,
	}
	inner.o.Path, inner.o.Limit = nil, -1
	if w.o.Depth >= 0 {
		inner.o.Depth = w.o.Depth - int64(depth-w.shift())
	}
	inner.emit = func(m *node) error {
		copied, _ := w.add(m.Token)
		own := copied.bytes[:0]
		*copied = *m
		copied.bytes = append(own, m.bytes...)
		copied.Depth += depth
		copied.path = path + m.path
		if m.Depth == 0 {
			copied.Role, copied.inner, copied.Last = scan.Element, true, int(m.Index) == values-1
		}
		return w.show(false)
	}
	err := inner.walk()
	if w.result.Findings == 0 && inner.result.Findings > 0 {
		w.result.Finding = inner.result.Finding + " (inside " + kind.String() + " " + w.s.Path() + ")"
	}
	w.result.Findings += inner.result.Findings
	return err
}

// shift returns what must be subtracted from the depth of a node to get the
// number of containers between it and the selected value.
func (w *walker) shift() int {
	if w.o.JSON {
		return w.base
	}
	return 0
}

// messages returns the number of MessagePack values of which data consists. It
// returns 0 if data is something else, or if it does not begin with an array or
// a map: almost any bytes are a sequence of small integers.
func messages(data []byte) (n int) {
	if len(data) < 2 {
		return 0
	}
	if kind := wire.FormatOf(data[0]).Kind(); kind != wire.KindArray && kind != wire.KindMap {
		return 0
	}
	for ; len(data) > 0; n++ {
		size, err := wire.Skip(data, wire.MaxDepth)
		if err != nil {
			return 0
		}
		data = data[size:]
	}
	return n
}
