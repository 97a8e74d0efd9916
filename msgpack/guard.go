package msgpack

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A guard is what a Config demands of the bytes of a message, whatever they are
// decoded into or came from. It is checked in a pass of its own, so that the
// plans know nothing of it and no way around it is left: not through values
// that are passed over, nor Raw, nor users' methods.
type guard struct {
	on       bool // there is anything to check
	pass     bool // and it is within the message
	total    uint64
	elements uint64 // of one array, pairs of one map
	bytes    uint64 // of one str, bin or ext
	utf8     bool
	unique   bool // no key twice
}

// guard makes the guard of c.
func (c *Config) guard() guard {
	limit := func(n int) uint64 {
		if n == 0 {
			return math.MaxUint64
		}
		return uint64(n)
	}
	pass := c.MaxElements > 0 || c.MaxBytes > 0 || c.RejectInvalidUTF8 || c.RejectDuplicates
	return guard{
		on:       pass || c.MaxTotal > 0,
		pass:     pass,
		total:    limit(c.MaxTotal),
		elements: limit(c.MaxElements),
		bytes:    limit(c.MaxBytes),
		utf8:     c.RejectInvalidUTF8,
		unique:   c.RejectDuplicates,
	}
}

// encoded checks the one value in b, which has been encoded.
func (g *guard) encoded(b []byte) error {
	if uint64(len(b)) > g.total {
		return failed(ErrLimit, "message of "+counted(uint64(len(b)), "byte"))
	}
	if !g.pass {
		return nil
	}
	w := guardWalk{guard: g, data: b}
	if err := w.value(math.MaxInt); err != nil {
		return w.error(opMarshal, err)
	}
	return nil
}

// check checks the first value in data, which is about to be decoded, and
// returns its end. It finds faults of all kinds, broken values among them.
func (g *guard) check(op string, data []byte, depth int) (end int, err error) {
	w := guardWalk{guard: g, data: data}
	if uint64(len(data)) > g.total {
		w.data = data[:g.total]
	}
	err = w.value(depth)
	if err == wire.ErrTruncated && len(w.data) < len(data) {
		return 0, &Error{Op: op, Found: "message of more than " + counted(g.total, "byte"), Err: ErrLimit}
	}
	if err != nil {
		return 0, w.error(op, err)
	}
	return w.pos, nil
}

// A guardWalk passes over one value. Its position is that of the fault when it
// ends with one.
type guardWalk struct {
	*guard
	data []byte
	pos  int
	owed uint64   // as in a decoder
	keys []mapKey // of the maps that are open, if they have few
}

func (w *guardWalk) error(op string, reason error) error {
	e := validateError(w.data, w.pos, reason)
	e.Op = op
	if op == opMarshal {
		e.Offset = 0
	}
	return e
}

// value passes one value that may be nested depth levels deep.
func (w *guardWalk) value(depth int) error {
	h, size, err := wire.ConsumeHeader(w.data[w.pos:])
	if err != nil {
		return err
	}
	content := w.pos + size
	rest := uint64(len(w.data) - content)
	kind := h.Format.Kind()
	switch kind {
	case wire.KindArray, wire.KindMap:
		if !wire.Fits(h.Values(), w.owed, len(w.data)-content) {
			return ErrTruncated
		}
		if uint64(h.Count) > w.elements {
			return ErrLimit
		}
		if depth == 0 {
			return ErrDepth
		}
		w.pos = content
		return w.elementsOf(h, depth-1)
	}
	if kind == wire.KindStr || kind == wire.KindBin || kind == wire.KindExt {
		if uint64(h.Payload) > w.bytes {
			return ErrLimit
		}
	}
	if uint64(h.Payload) > rest {
		return ErrTruncated
	}
	payload := w.data[content : content+int(h.Payload)]
	if kind == wire.KindStr && w.utf8 && !utf8.Valid(payload) {
		return ErrUTF8
	}
	if kind == wire.KindExt && h.Ext == wire.TimestampType {
		if _, _, err := wire.ParseTimestamp(payload); err != nil {
			return err
		}
	}
	w.pos = content + len(payload)
	return nil
}

// elementsOf passes what is in a container.
func (w *guardWalk) elementsOf(h wire.Header, depth int) error {
	owed := w.owed
	set := keySet{base: len(w.keys)}
	unique := w.unique && h.Format.Kind() == wire.KindMap
	for i := range h.Values() {
		w.owed = owed + h.Values() - i - 1
		start := w.pos
		if err := w.value(depth); err != nil {
			return err
		}
		if unique && i%2 == 0 && !w.add(&set, makeMapKey(w.data[start:w.pos])) {
			w.pos = start
			return ErrDuplicateKey
		}
	}
	w.keys = w.keys[:set.base]
	w.owed = owed
	return nil
}

// A keySet holds the keys of one map: in the list of the walk from base on while
// they are few, else in a Go map, whose hash nobody can foresee.
type keySet struct {
	base int
	many map[mapKey]struct{}
}

const fewKeys = 16

// add reports whether the key is new to the set.
func (w *guardWalk) add(s *keySet, k mapKey) bool {
	if s.many != nil {
		n := len(s.many)
		s.many[k] = struct{}{}
		return len(s.many) > n
	}
	keys := w.keys[s.base:]
	if slices.Contains(keys, k) {
		return false
	}
	if len(keys) < fewKeys {
		w.keys = append(w.keys, k)
		return true
	}
	s.many = make(map[mapKey]struct{}, fewKeys+1)
	for _, k := range keys {
		s.many[k] = struct{}{}
	}
	s.many[k] = struct{}{}
	w.keys = w.keys[:s.base]
	return true
}

// A mapKey is a key of a map in a form that is the same for keys that count as
// equal.
type mapKey struct {
	kind   wire.Kind
	number uint64
	bytes  string // of the input
}

// makeMapKey makes the form of the valid value b.
func makeMapKey(b []byte) mapKey {
	h, size, _ := wire.ConsumeHeader(b)
	k := mapKey{kind: h.Format.Kind()}
	switch k.kind {
	case wire.KindInt:
		if u, _, err := wire.ConsumeUint(b); err == nil {
			k.number = u
			return k
		}
		i, _, _ := wire.ConsumeInt(b)
		return mapKey{kind: wire.KindReserved, number: uint64(i)} // below zero, which no other key is
	case wire.KindFloat:
		if f, _, _ := wire.ConsumeFloat64(b); f != 0 { // 0 and -0 are equal
			k.number = math.Float64bits(f)
		}
	case wire.KindStr, wire.KindBin:
		k.kind, k.bytes = wire.KindStr, mem.String(b[size:])
	default:
		k.bytes = mem.String(b)
	}
	return k
}
