package stat

import (
	"bytes"

	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/msgpack/wire"
)

// AddIndex does the same as [Counter.Add] for data that is in memory and indexed. It is
// several times as fast: it decides by the first byte what most values are, and expects
// the keys of a map in the order of an earlier map at the same path. If the data is
// malformed, it counts the values that are complete and returns the fault. An error of
// watch stops it.
func (c *Counter) AddIndex(x *index.Index, watch index.Watch) error {
	w := walker{Counter: c, data: x.Data[:x.End]}
	if err := w.run(watch); err != nil {
		return err
	}
	if x.Fault != nil {
		return x.Fault
	}
	return nil
}

// A walker counts the values of data in memory.
type walker struct {
	*Counter
	data   []byte
	around []container // from the stream to the innermost
	key    int         // number of containers around the key that is being read, 0 if there is none
}

// A container is an open container that is not empty, or the stream.
type container struct {
	left  uint64 // values that have not begun; keys and values count separately
	isMap bool
	node  *Node
	child *Node // of the elements, or of the last key
	start int   // of the last key
}

// watched is the number of bytes between two calls of the watch.
const watched = 32 << 10

func (w *walker) run(watch index.Watch) error {
	const stream = 1 << 62 // more than the values of any stream
	w.around = append(w.around, container{left: stream, child: w.Root})
	next, start := 0, 0
	for pos := 0; pos < len(w.data); {
		if pos >= next {
			if err := watch.Call(pos, len(w.data)); err != nil {
				return err
			}
			next = pos + watched
		}
		pos = w.value(pos)
		if len(w.around) == 1 {
			w.Values++
			w.Bytes += int64(pos - start)
			start = pos
		}
	}
	return nil
}

// value counts the value at an offset and returns the end of it, or of its header if
// others are inside.
func (w *walker) value(pos int) (end int) {
	values, isMap := uint64(0), false
	first := w.data[pos]
	size := index.WholeSize(first)
	switch {
	case size > 0:
	case first&0xf0 == byte(wire.FixMap):
		size, values, isMap = 1, 2*uint64(first&0x0f), true
	case first&0xf0 == byte(wire.FixArray):
		size, values = 1, uint64(first&0x0f)
	default:
		h, n, _ := wire.ConsumeHeader(w.data[pos:]) // cannot fail because the value is indexed
		size, values, isMap = n+int(h.Payload), h.Values(), h.Format.Kind() == wire.KindMap
	}
	end = pos + size
	format := formatOf[first]
	w.Deepest = max(w.Deepest, len(w.around)-1)
	f := &w.formats[format]
	f.Format = format
	f.Count++
	f.Bytes += int64(size)

	var node *Node
	c := &w.around[len(w.around)-1]
	c.left--
	switch {
	case w.key > 0: // inside a key
	case c.isMap && c.left&1 == 1:
		w.key, c.start = len(w.around), pos
		w.next(c, w.data[pos:end])
	default:
		if c.child == nil {
			c.child = w.element(c.node)
		}
		if node = c.child; c.isMap {
			node.Keys += int64(pos - c.start)
		}
		node.Count++
		node.Self += int64(size)
		node.Formats[format]++
	}
	if values > 0 {
		w.around = append(w.around, container{left: values, isMap: isMap, node: node})
		return end
	}
	n := len(w.around)
	for n > 1 && w.around[n-1].left == 0 {
		n--
	}
	w.around = w.around[:n]
	if n <= w.key {
		w.key = 0
	}
	return end
}

// next sets the child of c to the node of the next key. It is usually the one of the key
// that came next in an earlier map.
func (w *walker) next(c *container, key []byte) {
	expected := &c.node.first
	if c.child != nil {
		expected = &c.child.following
	}
	if n := *expected; n != nil && bytes.Equal(n.key, key) {
		c.child = n
		return
	}
	_, size, _ := wire.ConsumeHeader(key)
	n := w.child(c.node, key[:min(len(key), size+longestKey)])
	n.key = key
	*expected, c.child = n, n
}

// formatOf has the format of each first byte.
var formatOf = makeFormats()

func makeFormats() (formats [256]wire.Format) {
	for b := range formats {
		formats[b] = wire.FormatOf(byte(b))
	}
	return formats
}
