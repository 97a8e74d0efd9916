package msgpack

import (
	"bufio"
	"io"
	"reflect"
	"strings"
	"sync"
	"time"

	octet "github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
)

// A plainness says how Octet's codec can be used for a type. The rest of this package is for
// what the codec does not do: methods that write any number of values, registered types,
// interned strings, and values that existed before.
type plainness uint8

const (
	notPlain plainness = iota
	plainNew           // decoding into a variable that is not zero can differ
	plain
)

// codecs are the codecs for the options that Octet has, too: with sorted keys, and with compact
// integers.
var codecs = sync.OnceValue(func() (list [2][2]*octet.Codec) {
	for sorted := range 2 {
		for compact := range 2 {
			o := profile.Vmihailenco()
			o.SortKeys, o.Compat.MixedInts = sorted == 1, compact == 0
			list[sorted][compact], _ = octet.New(o) // nil if the options conflict, and then not used
		}
	}
	return list
})

func codecFor(sorted, compact bool) *octet.Codec {
	s, c := 0, 0
	if sorted {
		s = 1
	}
	if compact {
		c = 1
	}
	return codecs()[s][c]
}

// findPlainness returns the plainness of t. seen are the types around it.
func (r *registry) findPlainness(t reflect.Type, seen map[reflect.Type]bool) plainness {
	if t == reflect.TypeFor[time.Time]() && r.times {
		return plain
	}
	if seen[t] || r.hasForm(t) || r.hasForm(reflect.PointerTo(t)) {
		return notPlain
	}
	seen[t] = true
	defer delete(seen, t)
	elem := func() plainness { return r.findPlainness(t.Elem(), seen) }
	switch k := t.Kind(); {
	case k >= reflect.Bool && k <= reflect.Uint64, k == reflect.Float32, k == reflect.Float64, k == reflect.String:
		return plain
	case k == reflect.Pointer:
		if t.Elem().Kind() != reflect.Pointer {
			return elem()
		}
	case k == reflect.Slice || k == reflect.Array:
		p := elem()
		switch e := t.Elem().Kind(); {
		case e == reflect.Struct, e == reflect.Pointer, e == reflect.Slice, e == reflect.Map, e == reflect.Array, e == reflect.String, k == reflect.Array:
			return min(p, plainNew) // elements keep what they have, and nil leaves arrays as they are
		}
		return p
	case k == reflect.Map:
		return min(elem(), r.findPlainness(t.Key(), seen))
	case k == reflect.Struct:
		return r.structPlainness(t, seen)
	}
	return notPlain
}

// structPlainness accepts structs whose tags have nothing but a name and omitempty.
func (r *registry) structPlainness(t reflect.Type, seen map[reflect.Type]bool) plainness {
	least, names := plain, map[string]bool{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("msgpack"), ",")
		switch {
		case name == "-" && options == "":
			continue
		case name == "-", f.Name == "_msgpack", f.Name == "_", f.Anonymous, options != "" && options != "omitempty", strings.ContainsAny(name, `'\: `):
			return notPlain
		case !f.IsExported():
			if f.Tag.Get("msgpack") != "" {
				return notPlain
			}
			continue
		}
		if name == "" {
			name = f.Name
		}
		if names[name] {
			return notPlain
		}
		names[name] = true
		if options != "" && f.Type.Kind() == reflect.Interface {
			return notPlain
		}
		least = min(least, r.findPlainness(f.Type, seen))
	}
	if len(names) == 0 {
		return notPlain
	}
	return least
}

// worthwhile reports whether the codec is faster for values of this type than the rest of
// this package.
func worthwhile(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Array, reflect.Map:
		return t != reflect.TypeFor[time.Time]()
	case reflect.Slice:
		return t.Elem().Kind() != reflect.Uint8
	}
	return false
}

// isPlain reports whether the options are those of a codec.
func (e *Encoder) isPlain() bool {
	return !e.arrays && !e.compactFloats && !e.intern && !e.omitEmpty && e.tag == "" && len(e.dict) == 0
}

func (d *Decoder) isPlain() bool {
	return !d.rejectUnknown && !d.intern && d.tag == "" && len(d.dict) == 0
}

// decodePlain decodes into the variable at, to which v points, and whose plainness allows it,
// with the codec. If that fails, ok is false, and the value is still to be decoded, by a
// function that has the error of the library.
func (d *Decoder) decodePlain(v any, at reflect.Value) (ok bool, err error) {
	if !d.isPlain() {
		return false, nil
	}
	if r, ok := d.r.(*bufio.Reader); ok && r.Buffered() == 0 {
		if _, err := d.PeekCode(); err != nil {
			return true, err
		}
	}
	codec := codecFor(false, false)
	w, all := d.window()
	if n, err := codec.UnmarshalPrefix(w, v); err == nil {
		d.advance(n)
		return true, nil
	}
	if all {
		return false, nil
	}
	// The value ends behind the window.
	b, err := d.record()
	if err == nil && codec.Unmarshal(b, v) == nil {
		return true, nil
	}
	inner := *d
	// The library takes the header of an ext before a map for a part of the map, which then ends inside of b or behind it.
	m := &memory{data: b, err: err, more: d}
	if err == io.ErrUnexpectedEOF {
		m.err, m.more = nil, nil
	}
	inner.mem, inner.r, inner.s = m, m, m
	err = inner.DecodeValue(at)
	d.unread(m.data[m.pos:])
	return true, err
}
