package msgpack

import (
	"math"
	"math/bits"
	"slices"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A struct is encoded by a list of steps. Each stores a template of up to 16
// bytes, which are the same for every value (headers, keys, the format byte of
// fixed-width kinds), and then writes one value. Nested structs that are always
// there have no step of their own: their header and first key end up in the
// template of their first field.
//
//	type Point struct{ X, Y int; Name string }
//
//	step   template            value
//	1      83 a1 'X'           int at offset 0
//	2      a1 'Y'              int at offset 8
//	3      a4 'N' 'a' 'm' 'e'  string at offset 16
//
// A run of steps whose values have a bound is written after one check that dst
// has room for all of it, by unchecked stores through a pointer. Where the room
// does not suffice, the steps append to dst instead, which grows it by no more
// than it needs.
type step struct {
	low, high uint64 // the template
	size      uint8  // bytes of it that count
	kind      stepKind
	level     uint8   // containers of the same list that are open around the value
	room      uint32  // for all steps up to the next that needs a check of its own
	offset    uintptr // of the value
	encode    encodeFunc
	path      string // of the value, for errors
}

// A stepKind is a scalar, or one of the following.
type stepKind = scalar

const (
	stepTemplate stepKind = scalarNone       // no value
	stepCall     stepKind = scalarString + 1 // the value is encoded by a call
)

const (
	templateSize = 16
	// shortString is the longest str that a run copies itself: the longest
	// whose length stands in the format byte.
	shortString = 31
	// maxInlineFields keeps the steps of one list below what their sums can
	// count.
	maxInlineFields = 1 << 12
)

// bound returns the room that the value of a step takes at most, when the run
// writes it itself.
func bound(kind stepKind) uint32 {
	switch kind {
	case stepTemplate, stepCall:
		return 0
	case scalarString:
		return 1 + shortString
	}
	return maxInteger
}

// A structEncoder encodes one struct type.
type structEncoder struct {
	name   string
	levels int // containers that are always opened
	steps  []step

	// For structs of which fields can be left out:
	omitted []func(mem.Ptr) bool // by field; nil: never
	fields  []fieldSteps         // by field
	array   bool                 // a field that is left out is nil instead
}

// A fieldSteps is the part of the steps that belongs to one field.
type fieldSteps struct {
	from, to int
	hops     []typeplan.Hop
}

func (k *compiler) makeStructEncoder(s typeplan.Struct, asArray bool) *structEncoder {
	e := &structEncoder{name: s.Type.String(), array: asArray, levels: 1}
	optional := false
	for i := range s.Fields {
		test := makeOmitted(&s.Fields[i], asArray)
		e.omitted = append(e.omitted, test)
		optional = optional || test != nil
	}
	b := stepBuilder{compiler: k, encoder: e, nest: !optional}
	if !optional {
		b.structSteps(s, asArray, 0, "", 1)
		e.omitted = nil
	} else {
		for i := range s.Fields {
			f := &s.Fields[i]
			from := len(b.steps)
			if !asArray {
				b.pending = appendName(b.pending, f)
			}
			b.value(f, 0, "", 1)
			b.flush()
			e.fields = append(e.fields, fieldSteps{from, len(b.steps), f.Hops})
		}
	}
	b.flush()
	e.steps = b.finish()
	return e
}

// A stepBuilder collects steps and the bytes that precede the next value.
type stepBuilder struct {
	compiler *compiler
	encoder  *structEncoder
	nest     bool // nested structs become steps of the same list
	steps    []step
	pending  []byte
}

func (b *stepBuilder) structSteps(s typeplan.Struct, asArray bool, offset uintptr, path string, level int) {
	b.encoder.levels = max(b.encoder.levels, level)
	if asArray {
		b.pending = wire.AppendArrayHeader(b.pending, uint32(len(s.Fields)))
	} else {
		b.pending = wire.AppendMapHeader(b.pending, uint32(len(s.Fields)))
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		if !asArray {
			b.pending = appendName(b.pending, f)
		}
		b.value(f, offset, path, level)
	}
}

// value adds the steps for one field of a struct that is level containers deep.
func (b *stepBuilder) value(f *typeplan.Field, offset uintptr, path string, level int) {
	offset += f.Offset
	path += f.GoName
	p := b.compiler.fieldPlan(f)
	if n := p.nested; b.nest && n != nil && level < math.MaxUint8 && len(b.steps) < maxInlineFields {
		b.structSteps(n.fields, n.asArray, offset, path+".", level+1)
		return
	}
	kind := p.scalar
	switch kind {
	case scalarNone:
		kind = stepCall
	case scalarFloat32:
		b.pending = append(b.pending, byte(wire.Float32))
	case scalarFloat64:
		b.pending = append(b.pending, byte(wire.Float64))
	}
	b.step(step{kind: kind, offset: offset, encode: p.linked().encode, path: path, level: uint8(level)})
}

// step adds a step, after as many others as the pending bytes need.
func (b *stepBuilder) step(s step) {
	for len(b.pending) > templateSize {
		b.add(step{kind: stepTemplate}, b.pending[:templateSize])
		b.pending = b.pending[templateSize:]
	}
	b.add(s, b.pending)
	b.pending = nil
}

func (b *stepBuilder) add(s step, template []byte) {
	var words [templateSize]byte
	s.size = uint8(copy(words[:], template))
	p := mem.PtrTo(&words[0])
	s.low, s.high = mem.Load64(p, 0), mem.Load64(p, 8)
	b.steps = append(b.steps, s)
}

func (b *stepBuilder) flush() {
	if len(b.pending) > 0 {
		b.step(step{kind: stepTemplate})
	}
}

// finish sums up the room from the end. A template is stored in full length, so
// the last one of a run needs room beyond the bytes that count.
func (b *stepBuilder) finish() []step {
	room := uint32(templateSize)
	for i, s := range slices.Backward(b.steps) {
		if s.kind == stepCall {
			room = templateSize
		}
		room += uint32(s.size) + bound(s.kind)
		b.steps[i].room = room
	}
	return b.steps
}

func (e *structEncoder) encode(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	if depth < e.levels {
		return dst, failed(ErrDepth, e.name)
	}
	if e.omitted != nil {
		return e.encodeOptional(dst, p, depth)
	}
	return e.run(dst, p, depth, e.steps)
}

// run does the steps for the struct at p.
func (e *structEncoder) run(dst []byte, p mem.Ptr, depth int, steps []step) ([]byte, error) {
	if !fast || len(steps) == 0 || cap(dst)-len(dst) < int(steps[0].room) {
		return e.runChecked(dst, p, depth, steps)
	}
	base, n := mem.Bytes(dst), len(dst)
	for i := range steps {
		s := &steps[i]
		mem.Store64(base, n, s.low)
		mem.Store64(base, n+8, s.high)
		n += int(s.size)
		v := p.Add(s.offset)
		switch s.kind {
		case stepTemplate:
		case scalarBool:
			mem.Store8(base, n, byte(wire.False)|mem.Load8(v, 0))
			n++
		case scalarInt8:
			n = storeInt(base, n, int64(*mem.At[int8](v)))
		case scalarInt16:
			n = storeInt(base, n, int64(*mem.At[int16](v)))
		case scalarInt32:
			n = storeInt(base, n, int64(*mem.At[int32](v)))
		case scalarInt64:
			n = storeInt(base, n, *mem.At[int64](v))
		case scalarUint8:
			n = storeUint(base, n, uint64(*mem.At[uint8](v)))
		case scalarUint16:
			n = storeUint(base, n, uint64(*mem.At[uint16](v)))
		case scalarUint32:
			n = storeUint(base, n, uint64(*mem.At[uint32](v)))
		case scalarUint64:
			n = storeUint(base, n, *mem.At[uint64](v))
		case scalarFloat32: // the format byte is in the template
			mem.Store32BE(base, n, *mem.At[uint32](v))
			n += 4
		case scalarFloat64:
			mem.Store64BE(base, n, *mem.At[uint64](v))
			n += 8
		case scalarString:
			str := *mem.At[string](v)
			if len(str) <= shortString {
				mem.Store8(base, n, byte(wire.FixStr)|byte(len(str)))
				copyShort(base, n+1, str)
				n += 1 + len(str)
				continue
			}
			fallthrough
		default:
			var err error
			if dst, err = s.encode(dst[:n], v, depth-int(s.level)); err != nil {
				return dst, under(s.path, err)
			}
			rest := steps[i+1:]
			if len(rest) > 0 && cap(dst)-len(dst) < int(rest[0].room) {
				return e.runChecked(dst, p, depth, rest)
			}
			base, n = mem.Bytes(dst), len(dst)
		}
	}
	return dst[:n], nil
}

// runChecked does the same by appending.
func (e *structEncoder) runChecked(dst []byte, p mem.Ptr, depth int, steps []step) ([]byte, error) {
	for i := range steps {
		s := &steps[i]
		var words [templateSize]byte
		mem.Store64(mem.PtrTo(&words[0]), 0, s.low)
		mem.Store64(mem.PtrTo(&words[0]), 8, s.high)
		dst = append(dst, words[:s.size]...)
		v := p.Add(s.offset)
		switch s.kind {
		case stepTemplate:
			continue
		case scalarFloat32, scalarFloat64:
			dst = dst[:len(dst)-1] // the format byte comes again
		}
		var err error
		if dst, err = s.encode(dst, v, depth-int(s.level)); err != nil {
			return dst, under(s.path, err)
		}
	}
	return dst, nil
}

// encodeOptional encodes a struct whose fields are not always all there. The
// tests come first, since their number is in the header.
func (e *structEncoder) encodeOptional(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	var few [4]uint64
	absent := few[:]
	if len(e.fields) > 64*len(few) {
		absent = make([]uint64, (len(e.fields)+63)/64)
	}
	count := len(e.fields)
	for i, test := range e.omitted {
		if test != nil && test(p) {
			absent[i/64] |= 1 << (i % 64)
		}
	}
	if e.array {
		dst = wire.AppendArrayHeader(dst, uint32(count))
	} else {
		for _, w := range absent {
			count -= bits.OnesCount64(w)
		}
		dst = wire.AppendMapHeader(dst, uint32(count))
	}
	var err error
	for i := range e.fields {
		f := &e.fields[i]
		if absent[i/64]>>(i%64)&1 != 0 {
			if e.array {
				dst = wire.AppendNil(dst)
			}
			continue
		}
		at, _ := through(f.hops, p)
		if dst, err = e.run(dst, at, depth, e.steps[f.from:f.to]); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// copyShort copies s, of at most 31 bytes, to base+n by words that overlap
// rather than by a call.
func copyShort(base mem.Ptr, n int, s string) {
	p, size := mem.StringBytes(s), len(s)
	switch {
	case size >= 16:
		a, b := mem.Load64(p, 0), mem.Load64(p, 8)
		c, d := mem.Load64(p, size-16), mem.Load64(p, size-8)
		mem.Store64(base, n, a)
		mem.Store64(base, n+8, b)
		mem.Store64(base, n+size-16, c)
		mem.Store64(base, n+size-8, d)
	case size >= 8:
		a, b := mem.Load64(p, 0), mem.Load64(p, size-8)
		mem.Store64(base, n, a)
		mem.Store64(base, n+size-8, b)
	case size >= 4:
		a, b := mem.Load32(p, 0), mem.Load32(p, size-4)
		mem.Store32(base, n, a)
		mem.Store32(base, n+size-4, b)
	case size > 0:
		mem.Store8(base, n, mem.Load8(p, 0))
		mem.Store8(base, n+size/2, mem.Load8(p, size/2))
		mem.Store8(base, n+size-1, mem.Load8(p, size-1))
	}
}
