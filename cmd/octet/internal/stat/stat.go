// Package stat counts the values and bytes of MessagePack streams by path and by
// format, and draws them as a treemap.
//
// All elements of an array share one path, as in users[].name. All values of the
// same key also share one path. Memory is limited: see [Limits].
package stat

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// Limits bound the memory of a [Counter].
type Limits struct {
	Keys  int // maximum number of keys of one map that have a path; the other keys share the path {other}
	Paths int // maximum number of paths of the whole input
}

// A Node has the counts of one path.
type Node struct {
	Step     string // the last step of the path, as in users[].name: "users", "[]", "name"
	Path     string // the whole path; empty for the top-level values
	Depth    int
	Count    int64 // number of values
	Self     int64 // bytes of the values themselves, without what is inside them
	Keys     int64 // bytes of their keys
	Total    int64 // Self, Keys, and Total of the nodes below
	Formats  [256]int64
	Children []*Node

	byKey  map[string]*Node // by encoded key
	byStep map[string]*Node // by Step of the child
	names  int              // how many of byStep are keys

	// What AddIndex has read last: an encoded key, the node of the key after it in the same
	// map, and the node of the first key of a map.
	key              []byte
	following, first *Node
}

// A FormatCount has the counts of one format.
type FormatCount struct {
	Format wire.Format
	Count  int64
	Bytes  int64 // of headers and payloads
}

// A Counter counts the values of any number of streams.
type Counter struct {
	Limits
	Values       int64 // top-level values
	Bytes        int64
	Deepest      int  // maximum number of containers around a value
	LimitReached bool // a limit was reached
	Root         *Node

	formats [256]FormatCount
	paths   int
	stack   []*Node // for each depth: the node of the open container
	pending []int64 // for each depth: bytes of the key before the value
	key     []byte  // the beginning of the last key
	keys    []*Node // for each depth: the node of the last key
}

// NewCounter returns a Counter.
func NewCounter(l Limits) *Counter {
	return &Counter{Limits: l, Root: &Node{}, paths: 1}
}

// longestKey is the maximum number of payload bytes of a key that Add reads.
const longestKey = 64

// Add counts the values of s.
func (c *Counter) Add(s *scan.Scanner) error {
	start := s.Offset()
	inKey := -1 // depth of the key that is being read
	for {
		t, err := s.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		size := int64(t.Size) + int64(t.Payload)
		c.Deepest = max(c.Deepest, t.Depth)
		f := &c.formats[t.Format]
		f.Format = t.Format
		f.Count++
		f.Bytes += size
		if inKey < 0 && t.Role == scan.Key {
			inKey = t.Depth
			c.grow(t.Depth)
			c.pending[t.Depth] = 0
			c.key = append(c.key[:0], s.Head()...)
			part, err := s.Payload(longestKey)
			if err != nil {
				return err
			}
			c.key = append(c.key, part...)
			c.keys[t.Depth] = c.child(c.stack[t.Depth-1], c.key)
		}
		if inKey >= 0 {
			c.pending[inKey] += size
		} else {
			c.count(t, size)
		}
		open := s.Ends()
		if inKey >= 0 && open <= inKey {
			inKey = -1
		}
		if open == 0 {
			// Next skips the rest of a payload.
			c.Values++
			c.Bytes += s.Offset() + int64(s.Rest()) - start
			start = s.Offset() + int64(s.Rest())
		}
	}
}

func (c *Counter) grow(depth int) {
	for len(c.stack) <= depth {
		c.stack, c.pending, c.keys = append(c.stack, nil), append(c.pending, 0), append(c.keys, nil)
	}
}

// count counts a value that is not a key.
func (c *Counter) count(t scan.Token, size int64) {
	c.grow(t.Depth)
	n := c.Root
	switch t.Role {
	case scan.Element:
		n = c.element(c.stack[t.Depth-1])
	case scan.Value:
		n = c.keys[t.Depth]
		n.Keys += c.pending[t.Depth]
	}
	n.Count++
	n.Self += size
	n.Formats[t.Format]++
	c.stack[t.Depth] = n
}

const otherKeys = "{other}"

// child returns the node for the values of a key. key is the beginning of the
// encoded key.
func (c *Counter) child(parent *Node, key []byte) *Node {
	if n, ok := parent.byKey[string(key)]; ok {
		return n
	}
	h, _, err := wire.ConsumeHeader(key)
	if kind := h.Format.Kind(); err != nil || kind != wire.KindStr && kind != wire.KindInt {
		return c.shared(parent, "{}")
	}
	path := string(scan.AppendKeyStep([]byte(parent.Path), key, 0))
	step := strings.TrimPrefix(path[len(parent.Path):], ".")
	n, ok := parent.byStep[step] // the same key in another format, or a long key with the same beginning
	switch {
	case !ok && (parent.names >= c.Keys || c.paths >= c.Paths):
		c.LimitReached = true
		return c.shared(parent, otherKeys)
	case !ok:
		n = c.add(parent, step, path)
		parent.names++
	}
	// A key can be encoded in several formats. The limit bounds the memory for them.
	if len(parent.byKey) < 2*c.Keys {
		if parent.byKey == nil {
			parent.byKey = map[string]*Node{}
		}
		parent.byKey[string(key)] = n
	}
	return n
}

// element returns the node for the elements of an array.
func (c *Counter) element(parent *Node) *Node { return c.shared(parent, "[]") }

// shared returns the node for several keys or elements of a container.
func (c *Counter) shared(parent *Node, step string) *Node {
	n, ok := parent.byStep[step]
	if !ok {
		n = c.add(parent, step, parent.Path+step)
	}
	return n
}

func (c *Counter) add(parent *Node, step, path string) *Node {
	n := &Node{Step: step, Path: path, Depth: parent.Depth + 1}
	parent.Children = append(parent.Children, n)
	if parent.byStep == nil {
		parent.byStep = map[string]*Node{}
	}
	parent.byStep[step] = n
	c.paths++
	return n
}

// Finish computes the totals and sorts the nodes by them.
func (c *Counter) Finish() { c.Root.finish() }

func (n *Node) finish() {
	n.Total = n.Self + n.Keys
	for _, child := range n.Children {
		child.finish()
		n.Total += child.Total
	}
	slices.SortStableFunc(n.Children, func(a, b *Node) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Path, b.Path))
	})
}

// All calls visit for every node, parents first. If visit returns false, All skips
// the nodes below.
func (n *Node) All(visit func(*Node) bool) {
	if visit(n) {
		for _, child := range n.Children {
			child.All(visit)
		}
	}
}

// Used returns the formats of the values at the path, most frequent first.
func (n *Node) Used() []FormatCount {
	var list []FormatCount
	for f, count := range n.Formats {
		if count > 0 {
			list = append(list, FormatCount{Format: wire.Format(f), Count: count})
		}
	}
	slices.SortStableFunc(list, func(a, b FormatCount) int { return cmp.Compare(b.Count, a.Count) })
	return list
}

// Formats returns the formats of all values and keys, those with the most bytes
// first.
func (c *Counter) Formats() []FormatCount {
	list := slices.DeleteFunc(slices.Clone(c.formats[:]), func(f FormatCount) bool { return f.Count == 0 })
	slices.SortStableFunc(list, func(a, b FormatCount) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return list
}
