package msgpack

import (
	"math"
	"strconv"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A value holds the parts of a step that emit does not need for each step. They are
// separate so that steps are small and stay in the cache. A plan also has one, for
// values that are not part of another one.
type value struct {
	emit    emitFunc   // writes the value if the loop of emit does not
	encode  encodeFunc // the simple counterpart
	path    string     // from the outer struct, for errors
	level   int        // number of containers of the program that are around the value
	need    int        // levels that the value opens without another check of the depth, and level
	plan    *plan
	step    *step    // to which the value belongs
	first   *step    // the steps of a value that is not part of another one, or of what a pointer points to; nil if emit must be called
	entry   emitFunc // of a map whose elements are of type any; nil for others
	elem    *value   // of an element, of what a pointer points to, or of a struct
	stride  uintptr  // of the elements, or of the entries of a map
	count   int      // length of an array
	least   int      // bytes that an element takes
	elemPut putOp    // of an element or key
	isArray bool
}

const (
	// maxInlineSteps limits the steps of a program. Beyond it, nested structs are
	// encoded by calls, because the number of steps can double with each level.
	maxInlineSteps = 1 << 12

	maxInlineArray = 8  // elements of an array that become steps
	maxGroup       = 56 // fields in a group of optional fields; the other 8 bits count them
	groupPlaces    = 64 // a power of two, so that a masked index needs no check
)

// A program encodes a struct type, or a value of another type that takes one step.
//
// The steps of a nested struct whose fields are all present, and of a short array, are
// part of the outer program: its header and first key are in the template of its first
// field.
type program struct {
	name   string
	plain  bool // emit must not be used
	levels int  // levels of nesting that every value has
	open   int  // levels that steps open without a check of the depth, including empty slices
	steps  []step
	values []value      // by step
	groups []fieldGroup // of a struct that omits fields; nil for others
	inline *inlineMap   // the inline map, or nil
	stride uintptr      // of the entries of a map

	// Of a struct whose fields are always present and which outer structs include.
	fields  typeplan.Struct
	asArray bool
}

// A fieldGroup is a number of fields of a struct, at most maxGroup, some of which may be
// omitted. Before any of them is written, those that are present are found, which gives
// the number for the header, and emit visits no others. A run of fields that are never
// omitted counts as one.
//
// What emit needs of a group is in one piece of memory that begins with the value of its
// first step, so that emit waits for as few loads as possible.
type fieldGroup struct {
	value      value                  // of the putFields step, or of start
	always     uint64                 // the bits of the fields that are never omitted
	count      int                    // their number; a run has one bit but several fields
	words      int                    // number of conditions, which come first, that a word is 0
	all        int                    // number of conditions
	conditions [groupPlaces]condition // of fields that are omitted if a number is 0
	tests      []conditionFunc        // of fields whose condition is a function
	fields     [groupPlaces]*step     // the first steps of the fields, see placeOf
	start      step                   // the end of the empty list before the first field
}

// A condition says when the field with a bit is omitted. onePresent is added to the bit,
// so that the sum for the fields that are present has their number in the bits above
// theirs.
type condition struct {
	bit    uint64
	offset uint32
	kind   omissionKind
}

// A conditionFunc is a condition that is a function of the struct.
type conditionFunc struct {
	bit   uint64
	omits func(p mem.Ptr) bool
}

const (
	onePresent = 1 << maxGroup
	fieldBits  = onePresent - 1
)

// groupOf returns the group that begins with the value m, which must be that of a group.
func groupOf(m *value) *fieldGroup { return mem.At[fieldGroup](mem.Hide(mem.PtrTo(m))) }

// add adds the condition for the field with the given bit.
func (g *fieldGroup) add(bit uint64, o *omission) {
	switch bit |= onePresent; {
	case o.kind == neverOmitted:
		g.always |= bit & fieldBits
		g.count++
	case o.kind == omittedByTest || uint64(o.offset) > math.MaxUint32:
		g.tests = append(g.tests, conditionFunc{bit, o.omits})
	default:
		c := condition{bit, uint32(o.offset), o.kind}
		g.conditions[g.all] = c
		g.all++
		if o.kind == omittedWord {
			g.conditions[g.words], g.conditions[g.all-1] = c, g.conditions[g.words]
			g.words++
		}
	}
}

// present returns the bits of the fields that are present in the struct at v, and the
// number of these fields. It is the simple counterpart of putFields.
func (g *fieldGroup) present(v mem.Ptr) (present uint64, count int) {
	present = g.always
	for i := range g.conditions[:g.all] {
		if c := &g.conditions[i]; !c.kind.isZero(v.Add(uintptr(c.offset))) {
			present += c.bit
		}
	}
	for i := range g.tests {
		if t := &g.tests[i]; !t.omits(v) {
			present += t.bit
		}
	}
	return present & fieldBits, g.count + int(present/onePresent)
}

// placeOf returns the index in fieldGroup.fields of the field with a bit. The highest six
// bits of the product are different for each bit. The number of the bit would serve as well,
// but in emit it takes longer on amd64: the instruction for it (BSF) waits for the previous
// value of its register, which belongs to the previous field.
func placeOf(bit uint64) uint64 { return bit * 0x03f79d71b4ca8b09 >> 58 }

// makeStructProgram returns the program of a struct type.
func (k *compiler) makeStructProgram(s *typeplan.Struct, asArray bool) *program {
	e := &program{name: s.Type.String(), plain: !fast || isPlain(s.Type), levels: 1, fields: *s, asArray: asArray}
	b := stepBuilder{compiler: k, program: e}
	b.steps, b.values = make([]step, 0, len(s.Fields)+2), make([]value, 0, len(s.Fields)+2)
	omissions := make([]omission, len(s.Fields))
	optional := s.Rest != nil
	// An array has no keys, so its elements cannot be omitted.
	if !asArray {
		for i := range s.Fields {
			omissions[i] = k.makeOmission(s, &s.Fields[i])
			optional = optional || omissions[i].kind != neverOmitted
		}
	}
	if s.Rest != nil {
		e.inline = k.makeInlineMap(s)
	}
	if optional {
		b.groups(s.Fields, omissions)
	} else {
		// The header is constant, so it is part of the first template.
		b.structSteps(s, asArray, 0, "", 1)
		b.end()
	}
	b.finish()
	return e
}

// makeProgram returns the program of a value of p, which is no struct, or a struct that
// is encoded by a call.
func (k *compiler) makeProgram(p *plan) *program {
	e := &program{name: p.typ.String()}
	b := stepBuilder{compiler: k, program: e}
	b.value(p, 0, "", 0)
	b.end()
	b.finish()
	return e
}

// A stepBuilder builds the steps of a program.
type stepBuilder struct {
	compiler *compiler
	program  *program
	omission bool // the current field may be omitted
	steps    []step
	values   []value
	pending  []byte // constant bytes before the next value
	starts   []int  // indexes of the first steps of the fields of all groups
}

// structSteps adds the steps of a struct without optional fields, which lies at
// offset in the outer struct. path and level are those of the struct.
func (b *stepBuilder) structSteps(s *typeplan.Struct, asArray bool, offset uintptr, path string, level int) {
	b.program.levels = max(b.program.levels, level)
	fix := wire.FixMap
	if asArray {
		fix = wire.FixArray
	}
	b.pending, _ = appendHeader(b.pending, fix, len(s.Fields), "", 1)
	for i := range s.Fields {
		f := &s.Fields[i]
		if !asArray {
			b.pending = b.compiler.plans.appendName(b.pending, f)
		}
		b.field(f, offset, path, level)
	}
}

// groups adds the steps of the fields of a struct, some of which may be omitted. The
// steps of each field end with putEnd.
func (b *stepBuilder) groups(fields []typeplan.Field, omissions []omission) {
	groups := make([]fieldGroup, 1, 1+len(fields)/maxGroup)
	b.step(step{put: putFields}, &value{encode: b.program.encode})
	bit := 0
	for i := range fields {
		o := &omissions[i]
		b.omission = o.kind != neverOmitted
		// A field that is never omitted continues the run of those before it.
		if b.omission || i == 0 || omissions[i-1].kind != neverOmitted {
			b.end()
			if bit == maxGroup {
				groups, bit = append(groups, fieldGroup{}), 0
			}
			b.starts = append(b.starts, len(b.steps))
			bit++
		}
		groups[len(groups)-1].add(1<<(bit-1), o)
		b.pending = b.compiler.plans.appendName(b.pending, &fields[i])
		b.field(&fields[i], 0, "", 1)
	}
	b.end()
	b.program.groups = groups
}

// field adds the steps for the value of a field. level is the nesting level of its
// struct in the program.
func (b *stepBuilder) field(f *typeplan.Field, offset uintptr, path string, level int) {
	path += f.GoName
	p := b.compiler.fieldPlan(f)
	if len(f.Hops) > 0 { // the field is behind embedded pointers, not at an offset
		encode := makeEncodeThrough(f.Hops, f.Offset, p.linked().encode)
		b.call(encode, offset, path, level)
		return
	}
	b.value(p, offset+f.Offset, path, level)
}

// value adds the steps for a value of p at offset.
func (b *stepBuilder) value(p *plan, offset uintptr, path string, level int) {
	encode := p.linked().encode
	if uint64(offset) > math.MaxUint32 {
		b.call(func(dst []byte, v mem.Ptr, depth int) ([]byte, error) {
			return encode(dst, v.Add(offset), depth)
		}, 0, path, level)
		return
	}
	// A value that may be omitted is not included: levels counts only those that
	// every value contains, so that one check of the depth is enough.
	if !b.omission && len(b.steps) < maxInlineSteps {
		switch e := p.program; {
		case e == nil || e.groups != nil:
		case p.generated != nil: // called, but its levels are checked where they would be without generated code
			b.program.levels = max(b.program.levels, level+e.levels)
		default:
			if path != "" {
				path += "."
			}
			b.structSteps(&e.fields, e.asArray, offset, path, level+1)
			return
		}
		if n := p.typ.Len; p.put == putArray && n() <= maxInlineArray {
			b.arraySteps(p.part, n(), offset, path, level+1)
			return
		}
	}
	v := value{encode: encode, path: path, level: level, plan: p}
	s := step{put: p.put, offset: uint32(offset)}
	switch p.put {
	case putList, putMap: // emit writes an empty one, which is a level too
		b.program.open = max(b.program.open, level+1)
	case putBlock:
		v.count = p.typ.Len()
		// Both bytes must be in the template of the step.
		if len(b.pending)%templateSize == templateSize-1 {
			b.flush()
		}
		b.pending = append(b.pending, byte(wire.Bin8), byte(v.count))
	}
	if lead := p.put.lead(); lead != nil && len(b.pending) == templateSize {
		s.put += putFloat32Lead - putFloat32 // saves a step for the format byte
	} else {
		b.pending = append(b.pending, lead...)
	}
	b.step(s, &v)
}

// arraySteps adds the steps for the n elements of an array.
func (b *stepBuilder) arraySteps(elem *plan, n int, offset uintptr, path string, level int) {
	b.program.levels = max(b.program.levels, level)
	b.pending, _ = appendHeader(b.pending, wire.FixArray, n, "", 1)
	for i := range n {
		b.value(elem, offset+uintptr(i)*uintptr(elem.size), path+"["+strconv.Itoa(i)+"]", level)
	}
	b.flush() // the header of an empty array
}

// call adds a step that calls encode with the value at offset.
func (b *stepBuilder) call(encode encodeFunc, offset uintptr, path string, level int) {
	b.step(step{put: putCall, offset: uint32(offset)}, &value{encode: encode, path: path, level: level})
}

// makeEncodeThrough returns the encoder of a field that is reached through embedded
// pointers. If one of them is nil, the field is encoded as nil.
//
//go:noinline
func makeEncodeThrough(hops []typeplan.Hop, offset uintptr, encode encodeFunc) encodeFunc {
	return func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		p, ok := followHops(hops, p)
		if !ok {
			return wire.AppendNil(dst), nil
		}
		return encode(dst, p.Add(offset), depth)
	}
}

// step adds a step. Pending bytes that do not fit in its template are put into
// steps of their own before it.
func (b *stepBuilder) step(s step, v *value) {
	for len(b.pending) > templateSize {
		b.add(step{put: putTemplate}, new(value), b.pending[:templateSize])
		b.pending = b.pending[templateSize:]
	}
	b.add(s, v, b.pending)
	b.pending = nil
}

// add adds a step with a template.
//
//go:noinline
func (b *stepBuilder) add(s step, v *value, template []byte) {
	s.setTemplate(template)
	b.steps = append(b.steps, s)
	b.values = append(b.values, *v)
}

// flush adds a step for the pending bytes.
func (b *stepBuilder) flush() {
	if len(b.pending) > 0 {
		b.step(step{put: putTemplate}, new(value))
	}
}

// end ends a list of steps.
func (b *stepBuilder) end() {
	b.flush()
	if len(b.steps) > 0 && b.steps[len(b.steps)-1].put != putEnd {
		b.add(step{put: putEnd}, new(value), nil)
	}
}

// finish completes the program, of which only the values of steps may still lack what
// [compiler.link] sets.
func (b *stepBuilder) finish() {
	e := b.program
	if len(b.steps) == 0 {
		b.add(step{put: putEnd}, new(value), nil)
	}
	e.steps, e.values = b.steps, b.values
	e.complete()
	for i := range e.steps {
		e.steps[i].more, e.values[i].step = &e.values[i], &e.steps[i]
		e.values[i].emit = emitPlain
	}
	for i, start := range b.starts {
		e.groups[i/maxGroup].fields[placeOf(1<<(i%maxGroup))] = &e.steps[start]
	}
	for i := range e.groups {
		g := &e.groups[i]
		g.value = e.values[0]
		g.start = step{put: putEnd, more: &g.value}
		g.start.setRoom()
	}
	if e.groups != nil {
		e.steps[0].more = &e.groups[0].value
	}
	b.compiler.programs = append(b.compiler.programs, e)
}

// need returns the levels that a value of the program opens at least, or may open
// without a check of the depth.
func (e *program) need() int { return max(e.levels, e.open) }

// encode is the encoder of a struct type, the simple counterpart of emit. It has emit write
// the fields of a struct that omits some if emit cannot begin with the struct.
func (e *program) encode(dst []byte, v mem.Ptr, depth int) (_ []byte, err error) {
	if depth < e.levels { // one check for all structs of the program
		return dst, failed(ErrDepth, e.name)
	}
	if e.groups == nil {
		return appendSteps(&e.steps[0], dst, v, depth)
	}
	var room [4]uint64
	present, count := e.present(room[:0], v)
	entries := 0
	if e.inline != nil {
		entries = e.inline.len(v)
	}
	if dst, err = appendHeader(dst, wire.FixMap, count+entries, e.name, depth); err != nil {
		return dst, err
	}
	for i, set := range present {
		if !e.plain && depth >= e.need() {
			base, n, limit, err := emit(&e.groups[i].start, mem.Bytes(dst), len(dst), cap(dst), v, depth, 0, 0, set)
			if dst = mem.Slice(base, limit)[:n]; err != nil {
				return dst, err
			}
			continue
		}
		for ; set != 0; set &= set - 1 {
			if dst, err = appendSteps(e.groups[i].fields[placeOf(set&-set)], dst, v, depth); err != nil {
				return dst, err
			}
		}
	}
	if e.inline != nil {
		return e.inline.encode(dst, v, entries, depth-1)
	}
	return dst, nil
}

// present appends the bits of the fields that are present in the struct at v, for each
// group, and returns their number.
func (e *program) present(dst []uint64, v mem.Ptr) (present []uint64, count int) {
	for i := range e.groups {
		set, n := e.groups[i].present(v)
		dst = append(dst, set)
		count += n
	}
	return dst, count
}

// emitStruct writes a struct that is not part of the program around it.
func emitStruct(m *value, base mem.Ptr, n, limit int, v mem.Ptr, depth int) (_ mem.Ptr, _, _ int, err error) {
	if base, n, limit, err = m.elem.write(base, n, limit, v, depth-m.level); err != nil {
		err = under(m.path, err)
	}
	return base, n, limit, err
}

// isDirect reports whether emit can begin with the steps of the program: it has no
// optional fields, or one group of them whose conditions are not functions.
func (e *program) isDirect() bool {
	return e.groups == nil || len(e.groups) == 1 && e.inline == nil && len(e.groups[0].tests) == 0 && len(e.fields.Fields) <= math.MaxUint16
}
