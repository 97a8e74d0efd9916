package msgpack

import (
	"bytes"
	"strconv"

	"github.com/octet-go/octet/msgpack/wire"
)

// A discriminator is the key of the map entry that holds the tag of a union.
type discriminator struct {
	name string
	key  []byte // name, encoded
}

// discriminator returns the discriminator with the given name, or nil if the name is
// empty.
func (r *registrar) discriminator(name string) *discriminator {
	if name == "" {
		return nil
	}
	for _, k := range r.discriminators {
		if k.name == name {
			return k
		}
	}
	k := &discriminator{name, wire.AppendString(nil, name)}
	r.discriminators = append(r.discriminators, k)
	return k
}

// find returns the offset of the tag in the map at the position of d.
func (k *discriminator) find(d *decoder, h wire.Header, want string) (tag int, err error) {
	first := d.pos + int(h.Size)
	// Union writes the tag first, so most messages need no scan.
	if h.Count > 0 && bytes.HasPrefix(d.data[first:], k.key) {
		return first + len(k.key), nil
	}
	if d.extras == nil {
		d.extras = extrasPool.Get().(*extras)
	}
	l := &d.extras.ahead
	// The last scan covers all maps up to l.end, including those inside this one.
	if d.pos >= l.end {
		if err := l.look(d); err != nil {
			return 0, err
		}
	}
	tag, ok := l.tags[place{d.pos, k}]
	if !ok {
		found := "map without the key " + strconv.Quote(k.name)
		return 0, &Error{Op: opUnmarshal, Offset: int64(d.pos), Found: found, Want: want, Err: ErrVariant}
	}
	return tag, nil
}

// A lookAhead holds the offsets of the tags in the part of the input before end. It
// finds the tags of nested unions in one scan. If each union searched for its own
// tag, a nested union would be scanned once for each union around it, which is not
// linear.
type lookAhead struct {
	data []byte
	keys []*discriminator
	end  int
	tags map[place]int
	most int // the largest size of tags so far
}

// A place is a key of a map in the input. at is the offset of the map.
type place struct {
	at  int
	key *discriminator
}

// look scans the value at d's position. Earlier tags are not needed again, because
// values are decoded in order.
func (l *lookAhead) look(d *decoder) error {
	if l.tags == nil || l.most > maxTags { // clearing it would be slow and free no memory
		l.tags, l.most = make(map[place]int), 0
	}
	clear(l.tags)
	l.data, l.keys = d.data, d.plans.discriminators
	end, err := l.value(d.pos, d.depth, d.owed)
	l.most = max(l.most, len(l.tags))
	if err != nil {
		d.pos = end
		return d.fail(err, "")
	}
	l.end = end
	return nil
}

// value scans the value at n, with the checks of wire.Skip, and returns its end. On
// error, it returns the offset of the value at fault.
func (l *lookAhead) value(n, depth int, owed uint64) (int, error) {
	h, size, err := wire.ConsumeHeader(l.data[n:])
	if err != nil {
		return n, err
	}
	kind := h.Format.Kind()
	if kind != wire.KindArray && kind != wire.KindMap {
		// A scalar, string or ext has no tags inside.
		size, err = wire.Skip(l.data[n:], 0)
		return n + size, err
	}
	switch count := h.Values(); {
	case !wire.Fits(count, owed, len(l.data)-n-size):
		return n, wire.ErrTruncated
	case depth == 0:
		return n, wire.ErrDepth
	default:
		at := n
		n += size
		for i := range count {
			if kind == wire.KindMap && i%2 == 0 {
				l.note(at, n, i == 0)
			}
			if n, err = l.value(n, depth-1, owed+count-i-1); err != nil {
				return n, err
			}
		}
		return n, nil
	}
}

// note records the key at n of the map at offset at, if it is a discriminator. It
// need not record a first key, which find recognizes itself.
func (l *lookAhead) note(at, n int, first bool) {
	h, size, err := wire.ConsumeHeader(l.data[n:])
	if err != nil || h.Format.Kind() != wire.KindStr && h.Format.Kind() != wire.KindBin ||
		uint64(h.Payload) > uint64(len(l.data)-n-size) {
		return
	}
	end := n + size + int(h.Payload)
	for _, k := range l.keys {
		if string(l.data[n+size:end]) != k.name || first && bytes.HasPrefix(l.data[n:], k.key) {
			continue
		}
		// If the key appears more than once, the first tag selects the variant, and
		// skipTag compares the others.
		if _, ok := l.tags[place{at, k}]; !ok {
			l.tags[place{at, k}] = end
		}
	}
}

// maxTags is the largest number of tags of a map that is reused.
const maxTags = 256

// release drops references to the input.
func (l *lookAhead) release() {
	l.data, l.keys, l.end = nil, nil, 0
	if l.most > maxTags {
		l.tags, l.most = nil, 0
	}
}
