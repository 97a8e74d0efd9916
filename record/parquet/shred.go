package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/parquet-go/parquet-go/compress"
)

// maxValues is the number of values that one record may fill in columns. Without a limit,
// an array of nils in a list of wide structs takes thousands of times its length.
const maxValues = 4 << 20

// A shredder divides records into the values of columns.
type shredder struct {
	*columns
	values []values // of each column
	data   []byte   // records
	pos    int      // in data
	text   []byte   // JSON
	seen   []uint64 // for each field of a struct: the stamp of its last struct
	stamp  uint64
	filled int // values of the current record in lists and maps, at least
	row    int64
	kept   []byte // keys without a column and their values
	lost   losses
	open   map[*schema.Type]bool // see export
}

func newShredder(c *columns, codec compress.Codec) *shredder {
	s := &shredder{columns: c, values: make([]values, len(c.leaves)), seen: make([]uint64, c.fields), lost: losses{}}
	shared := &scratch{codec: codec}
	for i, n := range c.leaves {
		s.values[i].begin(n, shared)
	}
	return s
}

// record shreds the next record of data.
func (s *shredder) record() (err error) {
	s.filled = 0
	if s.alone {
		err = s.value(s.root, 0)
	} else if s.pos < len(s.data) && wire.FormatOf(s.data[s.pos]) == wire.Nil {
		s.pos++
		s.lose(s.root.path, "nil instead of a record")
		s.null(s.root, 0, 0)
	} else if s.root.kind == kindUnion {
		err = s.union(s.root, 0)
	} else {
		err = s.structure(s.root, 0)
	}
	if err == nil {
		s.row++
	}
	return err
}

// flush ends the pages that are large enough, or all.
func (s *shredder) flush(all bool) error {
	for i := range s.values {
		if err := s.values[i].flush(all); err != nil {
			return err
		}
	}
	return nil
}

// null adds a null to all columns of n. def is the definition level of the innermost
// value around it that is there.
func (s *shredder) null(n *node, rep, def int) {
	for i := n.first; i < n.end; i++ {
		s.values[i].null(rep, max(def, 0))
	}
}

// add adds a value to the column of n.
func (s *shredder) add(n *node, rep int, d datum) { s.values[n.first].add(rep, d) }

// lose counts a value that fits no column.
func (s *shredder) lose(path, reason string) { s.lost.add(path, reason, s.row, 1) }

// header reads the header of the next value and leaves pos at it.
func (s *shredder) header() (h wire.Header, err error) {
	h, _, err = wire.ConsumeHeader(s.data[s.pos:])
	if err == nil && int(h.Payload) > len(s.data)-s.pos-int(h.Size) {
		err = wire.ErrTruncated
	}
	return h, err
}

// skip returns the next value and moves pos behind it.
func (s *shredder) skip() (raw []byte, err error) {
	rest := s.data[s.pos:]
	n, err := wire.Skip(rest, wire.MaxDepth)
	if errors.Is(err, wire.ErrDepth) {
		var whole bool
		if n, whole, err = new(wire.Splitter).Next(rest); err == nil && !whole {
			err = wire.ErrTruncated
		}
	}
	s.pos += n
	return rest[:n], err
}

// value shreds the next value, which belongs to n.
func (s *shredder) value(n *node, rep int) error {
	if s.pos >= len(s.data) {
		return wire.ErrTruncated
	}
	if wire.Format(s.data[s.pos]) == wire.Nil {
		s.pos++
		s.null(n, rep, n.def-1)
		return nil
	}
	switch n.kind {
	case kindStruct:
		return s.structure(n, rep)
	case kindList:
		return s.list(n, rep)
	case kindMap:
		return s.pairs(n, rep)
	case kindExt:
		return s.ext(n, rep)
	case kindUnion:
		return s.union(n, rep)
	}
	v, reason, err := s.leaf(n)
	switch {
	case err != nil:
		return err
	case reason != "":
		s.lose(n.path, reason)
		s.null(n, rep, n.def-1)
	default:
		s.add(n, rep, v)
	}
	return nil
}

// unfit replaces the next value, which does not fit n, by null.
func (s *shredder) unfit(n *node, rep int, h wire.Header) error {
	s.lose(n.path, misfit(n, h))
	s.null(n, rep, n.def-1)
	_, err := s.skip()
	return err
}

// grow counts the columns of another element of a list or map.
func (s *shredder) grow(n *node) error {
	if s.filled += n.end - n.first; s.filled > maxValues {
		return fmt.Errorf("%w: it fills more than %d values of columns", ErrLimit, maxValues)
	}
	return nil
}

func (s *shredder) list(n *node, rep int) error {
	h, err := s.header()
	if err != nil {
		return err
	}
	if h.Format.Kind() != wire.KindArray {
		return s.unfit(n, rep, h)
	}
	s.pos += int(h.Size)
	if h.Count == 0 {
		s.null(n, rep, n.def)
	}
	for range h.Count {
		if err := s.grow(n); err != nil {
			return err
		}
		if err := s.value(n.elem, rep); err != nil {
			return err
		}
		rep = n.elem.rep
	}
	return nil
}

func (s *shredder) pairs(n *node, rep int) error {
	h, err := s.header()
	if err != nil {
		return err
	}
	if h.Format.Kind() != wire.KindMap {
		return s.unfit(n, rep, h)
	}
	s.pos += int(h.Size)
	var keys keySet
	empty := true
	for range h.Count {
		if err := s.grow(n); err != nil {
			return err
		}
		key, reason, err := s.leaf(n.key)
		if err != nil {
			return err
		}
		if reason == "" && keys.has(key) {
			reason = "key occurs more than once"
		}
		if reason != "" {
			s.lose(n.path, reason)
			if _, err := s.skip(); err != nil {
				return err
			}
			continue
		}
		s.add(n.key, rep, key)
		if err := s.value(n.elem, rep); err != nil {
			return err
		}
		rep, empty = n.elem.rep, false
	}
	if empty {
		s.null(n, rep, n.def)
	}
	return nil
}

// A keySet finds keys that occur twice in a map.
type keySet struct {
	few  []datum
	many map[string]bool // if there are many keys
}

// has reports whether key is in the set, and adds it.
func (k *keySet) has(key datum) bool {
	if k.many == nil && len(k.few) < 16 {
		for _, other := range k.few {
			if other.bits == key.bits && string(other.text) == string(key.text) {
				return true
			}
		}
		k.few = append(k.few, key)
		return false
	}
	name := func(d datum) string { return string(binary.LittleEndian.AppendUint64(nil, d.bits)) + string(d.text) }
	if k.many == nil {
		k.many = map[string]bool{}
		for _, other := range k.few {
			k.many[name(other)] = true
		}
	}
	text := name(key)
	if k.many[text] {
		return true
	}
	k.many[text] = true
	return false
}

func (s *shredder) ext(n *node, rep int) error {
	h, err := s.header()
	if err != nil {
		return err
	}
	if h.Format.Kind() != wire.KindExt || !n.typ.AnyExt && h.Ext != n.typ.Ext {
		return s.unfit(n, rep, h)
	}
	s.pos += int(h.Size)
	s.add(n.fields[0], rep, datum{bits: uint64(uint32(int32(h.Ext)))})
	s.add(n.fields[1], rep, datum{text: s.data[s.pos:][:h.Payload]})
	s.pos += int(h.Payload)
	return nil
}

// structure shreds a struct in the form that its type says.
func (s *shredder) structure(n *node, rep int) error {
	h, err := s.header()
	if err != nil {
		return err
	}
	want := wire.KindMap
	if n.typ.AsArray {
		want = wire.KindArray
	}
	if h.Format.Kind() != want {
		return s.unfit(n, rep, h)
	}
	s.pos += int(h.Size)
	s.stamp++
	stamp := s.stamp
	seen := s.seen[n.seen:][:len(n.names)]
	present := 0
	kept, restPairs := len(s.kept), uint32(0)
	for i, next := uint32(0), 0; i < h.Count; i++ {
		f, key := next, []byte(nil)
		if !n.typ.AsArray {
			if f, key, err = s.fieldOf(n, next); err != nil {
				return err
			}
		} else if f >= len(n.names) {
			f = -1
		}
		next = f + 1
		switch {
		case f >= 0 && seen[f] != stamp:
			seen[f] = stamp
			present++
			if err := s.value(n.fields[f], rep); err != nil {
				return err
			}
			continue
		case f >= 0:
			s.lose(n.fields[f].path, "key occurs more than once")
		case n.typ.AsArray:
			s.lose(n.path, "array has more elements than there are fields")
			next = len(n.names)
		case n.tag != "" && isText(key, n.tag):
			if _, err := s.skip(); err != nil {
				return err
			}
			continue
		case !n.rest:
			s.lose(join(n.path, printable(key)), "there is no column for this key")
		}
		raw, err := s.skip()
		if err != nil {
			return err
		}
		if f < 0 && n.rest {
			s.kept = append(append(s.kept, key...), raw...)
			restPairs++
		}
	}
	if present < len(n.names) {
		for i := range n.names {
			if seen[i] != stamp {
				s.null(n.fields[i], rep, n.def)
			}
		}
	}
	if n.rest {
		s.others(n, rep, s.kept[kept:], restPairs)
		s.kept = s.kept[:kept]
	}
	return nil
}

// fieldOf reads a key and returns the number of its field, or -1 and the key itself. The
// field next is tried first, because the keys usually follow in the order of the fields.
func (s *shredder) fieldOf(n *node, next int) (f int, key []byte, err error) {
	start := s.pos
	h, err := s.header()
	if err != nil {
		return 0, nil, err
	}
	kind := h.Format.Kind()
	switch {
	case kind == wire.KindInt && n.typ.IntegerKeys:
		raw := s.data[start:][:int(h.Size)+int(h.Payload)]
		s.pos += len(raw)
		var digits [20]byte
		i, u, big := integer(h, raw)
		text := strconv.AppendInt(digits[:0], i, 10)
		if big {
			text = strconv.AppendUint(digits[:0], u, 10)
		}
		if f, ok := n.index[string(text)]; ok {
			return f, nil, nil
		}
		return -1, raw, nil
	case (kind == wire.KindStr || kind == wire.KindBin) && !n.typ.IntegerKeys:
		s.pos += int(h.Size) + int(h.Payload)
		name := s.data[start+int(h.Size) : s.pos]
		if next < len(n.names) && n.names[next] == string(name) {
			return next, nil, nil
		}
		if f, ok := n.index[string(name)]; ok {
			return f, nil, nil
		}
	default:
		if _, err := s.skip(); err != nil {
			return 0, nil, err
		}
	}
	return -1, s.data[start:s.pos], nil
}

// others adds the keys that have no field, as one JSON object.
func (s *shredder) others(n *node, rep int, pairs []byte, count uint32) {
	rest := n.fields[len(n.fields)-1]
	if count == 0 {
		s.null(rest, rep, n.def)
		return
	}
	v, reason := s.json(append(wire.AppendMapHeader(nil, count), pairs...))
	if reason != "" {
		s.lose(rest.path, reason)
		s.null(rest, rep, n.def)
		return
	}
	s.add(rest, rep, v)
}

// printable returns a key for reports.
func printable(key []byte) string {
	if text, _, err := wire.ConsumeString(key); err == nil {
		return short(string(text))
	}
	if i, _, err := wire.ConsumeInt(key); err == nil {
		return strconv.FormatInt(i, 10)
	}
	if h, _, err := wire.ConsumeHeader(key); err == nil {
		return "(" + h.Format.Kind().String() + ")"
	}
	return "(key)"
}

// short returns a name of reasonable length.
func short(name string) string {
	if len(name) > 64 {
		name = name[:64] + "…"
	}
	return strings.ToValidUTF8(name, "\uFFFD")
}
