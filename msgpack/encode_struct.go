package msgpack

import (
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
	encode  encodeFunc
	omitted func(p mem.Ptr) bool // of a putIf
	level   int                  // containers of the same list that are open around it
	path    string               // for errors
}

// maxInlineSteps bounds how much one struct takes into its list.
const maxInlineSteps = 1 << 12

// A program encodes one struct type, or one value that needs no more than a
// step.
type program struct {
	name     string
	levels   int // containers that are always opened
	deepest  int // or perhaps, by a step without a call
	steps    []step
	values   []value // by step
	optional bool    // it does not always have the same fields
	always   int     // fields that it does have always
	counted  bool    // the fields are counted before the header is written
	rest     *rest   // an inline map; nil: none
}

// makeProgram returns the program of a value that stands alone.
func makeProgram(p *plan) *program {
	e := &program{name: p.typ.String(), steps: []step{makeStep(p.put, 0), {put: putEnd}}}
	e.values = []value{{encode: p.encode}, {}}
	if p.put == putList {
		e.deepest = 1
	}
	setRooms(e.steps)
	return e
}

func (k *compiler) makeStructProgram(s typeplan.Struct, asArray bool) *program {
	e := &program{name: s.Type.String(), levels: 1, optional: s.Rest != nil}
	omissions := make([]omission, len(s.Fields))
	if !asArray {
		for i := range s.Fields {
			omissions[i] = k.makeOmission(&s.Fields[i])
			if omissions[i].op == putTemplate {
				e.always++
			} else {
				e.optional = true
			}
		}
	}
	if s.Rest != nil {
		e.rest = k.makeRest(s)
	}
	e.counted = e.optional && (len(s.Fields) >= 16 || e.rest != nil)
	b := stepBuilder{compiler: k, program: e}
	b.steps, b.values = make([]step, 0, len(s.Fields)+2), make([]value, 0, len(s.Fields)+2)
	if !e.optional {
		b.structSteps(s, asArray, 0, "", 1)
	} else {
		if !e.counted {
			b.pending = wire.AppendMapHeader(b.pending, uint32(e.always))
		}
		for i := range s.Fields {
			b.optional(&s.Fields[i], omissions[i])
		}
	}
	b.flush()
	b.add(step{put: putEnd}, value{}, nil)
	e.steps, e.values = b.steps, b.values
	setRooms(e.steps)
	return e
}

// A stepBuilder collects steps and the bytes that precede the next value.
type stepBuilder struct {
	compiler *compiler
	program  *program
	omission bool // the field may be left out
	steps    []step
	values   []value
	pending  []byte
}

func (b *stepBuilder) structSteps(s typeplan.Struct, asArray bool, offset uintptr, path string, level int) {
	b.program.levels = max(b.program.levels, level)
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

// optional adds the steps for a field that may be left out.
func (b *stepBuilder) optional(f *typeplan.Field, o omission) {
	if b.omission = o.op != putTemplate; !b.omission {
		b.pending = appendName(b.pending, f)
		b.value(f, 0, "", 1)
		return
	}
	b.flush()
	at := len(b.steps)
	b.add(step{put: o.op, offset: o.offset}, value{omitted: o.test}, nil)
	b.pending = appendName(b.pending, f)
	b.value(f, 0, "", 1)
	b.flush()
	b.steps[at].setSkip(len(b.steps) - at - 1)
}

// value adds the steps for one field of a struct that is level containers deep.
func (b *stepBuilder) value(f *typeplan.Field, offset uintptr, path string, level int) {
	path += f.GoName
	p := b.compiler.fieldPlan(f)
	if len(f.Hops) > 0 {
		encode := makeEncodeThrough(f.Hops, f.Offset, p.linked().encode)
		b.step(step{put: putCall, offset: offset}, value{encode: encode, level: level, path: path})
		return
	}
	offset += f.Offset
	if n := p.nested; n != nil && !b.omission && len(b.steps) < maxInlineSteps {
		b.structSteps(n.fields, n.asArray, offset, path+".", level+1)
		return
	}
	if p.put == putList {
		b.program.deepest = max(b.program.deepest, level+1)
	}
	b.pending = append(b.pending, p.put.lead()...)
	b.step(step{put: p.put, offset: offset}, value{encode: p.linked().encode, level: level, path: path})
}

// makeEncodeThrough encodes a field that embedded pointers lead to; where one of
// them is nil, the field is.
func makeEncodeThrough(hops []typeplan.Hop, offset uintptr, encode encodeFunc) encodeFunc {
	return func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		p, ok := through(hops, p)
		if !ok {
			return wire.AppendNil(dst), nil
		}
		return encode(dst, p.Add(offset), depth)
	}
}

// step adds a step, after as many others as the pending bytes need.
func (b *stepBuilder) step(s step, v value) {
	for len(b.pending) > templateSize {
		b.add(step{put: putTemplate}, value{}, b.pending[:templateSize])
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
		b.step(step{put: putTemplate}, value{})
	}
}

// encoder returns the function that encodes the struct.
func (e *program) encoder() encodeFunc {
	if e.counted {
		return e.encodeCounted
	}
	return func(dst []byte, p mem.Ptr, depth int) ([]byte, error) { return e.encode(dst, p, depth) }
}

// encode appends the value at p, by store if there is room for what store does,
// and goes on from where store has stopped. The header of a struct whose fields
// are not always all there is one byte, to which their number is added when they
// have been written.
//
// It is not inlined, because what it calls would not be inlined any more.
//
//go:noinline
func (e *program) encode(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	first := &e.steps[0]
	if depth < e.levels {
		return dst, failed(ErrDepth, e.name)
	}
	if fast && cap(dst) == 0 {
		dst = make([]byte, 0, first.room) // once, instead of growing bit by bit
	}
	header := len(dst)
	if fast && cap(dst)-len(dst) >= int(first.room) && depth >= e.deepest {
		n, s, found := store(first, mem.Bytes(dst), header, p)
		dst = dst[:n]
		if s.put != putEnd {
			return e.finish(dst, header, s, found, p, depth)
		}
		dst[header] += byte(found)
		return dst, nil
	}
	dst, found, err := e.run(dst, p, depth, 0, false)
	if err == nil {
		dst[header] += byte(found)
	}
	return dst, err
}

// finish goes on where store has stopped, at s, with the value at p, which begins
// at dst[header].
func (e *program) finish(dst []byte, header int, s *step, found int, p mem.Ptr, depth int) ([]byte, error) {
	dst, more, err := e.run(dst, p, depth, e.index(s), true)
	if err == nil {
		dst[header] += byte(found + more)
	}
	return dst, err
}

// isFlat reports whether store does all the steps, but for long strings.
func (e *program) isFlat() bool {
	for i := range e.steps {
		switch e.steps[i].put {
		case putCall, putNilable, putList, putIf:
			return false
		}
	}
	return true
}

// encodeCounted encodes a struct of so many fields, or of an inline map, that the
// size of its header depends on how many there are.
func (e *program) encodeCounted(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	if depth < e.levels {
		return dst, failed(ErrDepth, e.name)
	}
	present, entries := e.present(p), 0
	if e.rest != nil {
		entries = e.rest.len(p)
	}
	dst, err := appendMapHeader(dst, e.always+present+entries, e.name, depth)
	if err != nil {
		return dst, err
	}
	dst, found, err := e.run(dst, p, depth, 0, false)
	switch {
	case err != nil:
		return dst, err
	case found != present: // a method IsZero has said something else this time
		return dst, failed(ErrInvalid, e.name+" that was modified during encoding")
	case e.rest != nil:
		return e.rest.encode(dst, p, entries, depth-1)
	}
	return dst, nil
}

// index returns which of the steps s is.
func (e *program) index(s *step) int {
	return mem.Distance(mem.PtrTo(&e.steps[0]), mem.PtrTo(s)) / mem.SizeOf[step]()
}

// run does the steps from i to the end for the value at p. stored says that the
// template of the first is there already. It counts the optional fields that
// there are.
func (e *program) run(dst []byte, p mem.Ptr, depth, i int, stored bool) (_ []byte, count int, err error) {
	for ; ; i++ {
		s := &e.steps[i]
		switch room := cap(dst) - len(dst); {
		case stored:
			stored = false
		case fast && room >= int(s.room) && depth >= e.deepest:
			n, last, found := store(s, mem.Bytes(dst), len(dst), p)
			dst, s, count = dst[:n], last, count+found
		default:
			dst = append(dst, s.template[:s.size]...)
		}
		if fast && s.put == putString && depth >= e.deepest {
			var found int
			dst, s, found = storeLong(dst, s, p)
			count += found
		}
		i = e.index(s)
		v := &e.values[i]
		switch {
		case s.put == putEnd:
			return dst, count, nil
		case s.put == putTemplate:
			continue
		case s.put.isCondition():
			if v.omits(s, p) {
				i += s.skip()
			} else {
				count++
			}
			continue
		}
		dst = dst[:len(dst)-len(s.put.lead())] // which encode writes itself
		if dst, err = v.encode(dst, p.Add(s.offset), depth-v.level); err != nil {
			return dst, count, under(v.path, err)
		}
	}
}

// present counts the optional fields that the struct at p has.
func (e *program) present(p mem.Ptr) (count int) {
	for i := range e.steps {
		if s := &e.steps[i]; s.put.isCondition() && !e.values[i].omits(s, p) {
			count++
		}
	}
	return count
}

// omits does the step s, a condition, for the struct at p.
func (v *value) omits(s *step, p mem.Ptr) bool {
	at := p.Add(s.offset)
	switch s.put {
	case putIf8:
		return mem.Load8(at, 0) == 0
	case putIf16:
		return mem.Load16(at, 0) == 0
	case putIf32:
		return mem.Load32(at, 0) == 0
	case putIf64:
		return mem.Load64(at, 0) == 0
	case putIfFloat32:
		return *mem.At[float32](at) == 0
	case putIfFloat64:
		return *mem.At[float64](at) == 0
	}
	return v.omitted(p)
}
