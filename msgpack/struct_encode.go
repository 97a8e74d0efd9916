package msgpack

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// Structs are encoded by a list of steps. Nested structs that are always there
// have none of their own: their header and first key end up in the template of
// their first field, and their fields are steps of the outer struct.
//
// A run of steps whose values have a bound is written after one check that dst
// has room for all of it, by unchecked stores through a pointer. Where the room
// does not suffice, the steps append to dst instead, which grows it by no more
// than it needs.

// A value is what a step does not need as long as all goes fast.
type value struct {
	encode encodeFunc
	level  int    // containers of the same list that are open around it
	path   string // for errors
}

// maxInlineSteps bounds how much one struct takes into its list.
const maxInlineSteps = 1 << 12

// A structEncoder encodes one struct type.
type structEncoder struct {
	name   string
	levels int // containers that are always opened
	steps  []step
	values []value // by step

	// For structs that do not always have the same fields, nil for all others:
	omitted []func(mem.Ptr) bool // by field; nil: never
	fields  []fieldSteps         // by field
	rest    *rest                // an inline map; nil: none
	array   bool                 // a field that is left out is nil instead
}

// A fieldSteps is the part of the steps that belongs to one field.
type fieldSteps struct {
	from int
	hops []typeplan.Hop
}

func (k *compiler) makeStructEncoder(s typeplan.Struct, asArray bool) *structEncoder {
	e := &structEncoder{name: s.Type.String(), array: asArray, levels: 1, omitted: []func(mem.Ptr) bool{}}
	optional := false
	for i := range s.Fields {
		test := k.makeOmitted(&s.Fields[i], asArray)
		e.omitted = append(e.omitted, test)
		optional = optional || test != nil
	}
	if s.Rest != nil {
		e.rest = k.makeRest(s)
		optional = true
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
			e.fields = append(e.fields, fieldSteps{from, f.Hops})
			b.add(step{kind: stepEnd}, value{}, nil)
		}
	}
	b.flush()
	b.add(step{kind: stepEnd}, value{}, nil)
	e.steps, e.values = b.steps, b.values
	setRooms(e.steps)
	return e
}

// A stepBuilder collects steps and the bytes that precede the next value.
type stepBuilder struct {
	compiler *compiler
	encoder  *structEncoder
	nest     bool // nested structs become steps of the same list
	steps    []step
	values   []value
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
	if n := p.nested; b.nest && n != nil && len(b.steps) < maxInlineSteps {
		b.structSteps(n.fields, n.asArray, offset, path+".", level+1)
		return
	}
	kind := p.stored
	if kind == scalarNone {
		kind = stepCall
	}
	b.pending = append(b.pending, kind.lead()...)
	b.step(step{kind: kind, offset: offset}, value{p.linked().encode, level, path})
}

// step adds a step, after as many others as the pending bytes need.
func (b *stepBuilder) step(s step, v value) {
	for len(b.pending) > templateSize {
		b.add(step{kind: stepTemplate}, value{}, b.pending[:templateSize])
		b.pending = b.pending[templateSize:]
	}
	b.add(s, v, b.pending)
	b.pending = nil
}

func (b *stepBuilder) add(s step, v value, template []byte) {
	s.setTemplate(template)
	b.steps = append(b.steps, s)
	b.values = append(b.values, v)
}

func (b *stepBuilder) flush() {
	if len(b.pending) > 0 {
		b.step(step{kind: stepTemplate}, value{})
	}
}

// encoder returns the function that encodes the struct.
func (e *structEncoder) encoder() encodeFunc {
	if e.omitted != nil {
		return e.encodeOptional
	}
	first, name, levels := &e.steps[0], e.name, e.levels
	return func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		if depth < levels {
			return dst, failed(ErrDepth, name)
		}
		if fast && cap(dst) == 0 {
			dst = make([]byte, 0, first.room) // once, instead of growing bit by bit
		}
		if !fast || cap(dst)-len(dst) < int(first.room) {
			return e.run(dst, p, depth, 0, false)
		}
		// The start of run, without the call, is all of it for a flat struct.
		n, s := store(first, mem.Bytes(dst), len(dst), p)
		if s.kind == stepEnd {
			return dst[:n], nil
		}
		return e.run(dst[:n], p, depth, e.index(s), true)
	}
}

// index returns which of the steps s is.
func (e *structEncoder) index(s *step) int {
	return mem.Distance(mem.PtrTo(&e.steps[0]), mem.PtrTo(s)) / mem.SizeOf[step]()
}

// run does the steps from i on for the struct at p, up to the next stepEnd.
// stored says that the template of the first is there already.
func (e *structEncoder) run(dst []byte, p mem.Ptr, depth, i int, stored bool) ([]byte, error) {
	for ; ; i++ {
		switch room := cap(dst) - len(dst); {
		case stored:
			stored = false
		case fast && room >= int(e.steps[i].room):
			n, s := store(&e.steps[i], mem.Bytes(dst), len(dst), p)
			dst, i = dst[:n], e.index(s)
		default:
			dst = append(dst, e.steps[i].template[:e.steps[i].size]...)
		}
		s, v := &e.steps[i], &e.values[i]
		switch s.kind {
		case stepEnd:
			return dst, nil
		case stepTemplate:
			continue
		}
		var err error
		dst = dst[:len(dst)-len(s.kind.lead())] // which encode writes itself
		if dst, err = v.encode(dst, p.Add(s.offset), depth-v.level); err != nil {
			return dst, under(v.path, err)
		}
	}
}

// encodeOptional encodes a struct whose fields are not always all there. The
// tests come first, since their number is in the header.
func (e *structEncoder) encodeOptional(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	if depth < e.levels {
		return dst, failed(ErrDepth, e.name)
	}
	var few [4]uint64
	absent := few[:]
	if len(e.fields) > 64*len(few) {
		absent = make([]uint64, (len(e.fields)+63)/64)
	}
	var err error
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
		if e.rest != nil {
			count += e.rest.len(p)
		}
		if dst, err = appendMapHeader(dst, count, e.name, depth); err != nil {
			return dst, err
		}
	}
	for i := range e.fields {
		f := &e.fields[i]
		if absent[i/64]>>(i%64)&1 != 0 {
			if e.array {
				dst = wire.AppendNil(dst)
			}
			continue
		}
		at, _ := through(f.hops, p)
		if dst, err = e.run(dst, at, depth, f.from, false); err != nil {
			return dst, err
		}
	}
	if e.rest != nil {
		return e.rest.encode(dst, p, depth-1)
	}
	return dst, nil
}
