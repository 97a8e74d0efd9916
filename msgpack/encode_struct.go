package msgpack

import (
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// Structs are encoded by a list of steps. A nested struct whose fields are all
// present has no list of its own: its header and first key are part of the template
// of its first field, and its fields are steps of the outer struct.
//
// Steps whose values have a maximum length are executed by store: one check that
// dst has room for all of them, then writes without checks. If dst has too little
// room, the steps append to dst instead, which grows it by no more than necessary.

// A value holds the parts of a step that store does not use. They are separate so
// that steps are small and stay in the cache.
type value struct {
	encode  encodeFunc           // encodes the value if store cannot
	omitted func(p mem.Ptr) bool // the condition of putIf
	level   int                  // number of structs of the program that are around the value
	path    string               // from the outer struct, for errors
}

// maxInlineSteps limits the steps of a program. Beyond it, nested structs are
// encoded by calls, because the number of steps can double with each level.
const maxInlineSteps = 1 << 12

// A program encodes a struct type, or a whole message that takes one step.
type program struct {
	name     string
	levels   int // levels of nesting that every value has
	deepest  int // levels that store may open, including empty slices
	steps    []step
	values   []value    // by step
	optional bool       // fields may be omitted, or there is an inline map
	always   int        // number of fields that are never omitted
	counted  bool       // the present fields are counted before the header is written
	inline   *inlineMap // the inline map, or nil
}

// makeProgram returns the program of a value without fields that is a whole message.
func makeProgram(p *plan) *program {
	e := &program{name: p.typ.String(), steps: []step{makeStep(p.put, 0), {put: putEnd}}}
	e.values = []value{{encode: p.encode}, {}}
	// An empty slice takes a level that store does not check.
	if p.put == putList {
		e.deepest = 1
	}
	setRooms(e.steps)
	return e
}

func (k *compiler) makeStructProgram(s typeplan.Struct, asArray bool) *program {
	e := &program{name: s.Type.String(), levels: 1, optional: s.Rest != nil}
	omissions := make([]omission, len(s.Fields))
	// An array has no keys, so its elements cannot be omitted.
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
		e.inline = k.makeInlineMap(s)
	}
	// The number of fields is added to the header afterwards if it fits in the format
	// byte of a fixmap. Otherwise the fields are counted first.
	e.counted = e.optional && (len(s.Fields) >= 16 || e.inline != nil)
	b := stepBuilder{compiler: k, program: e}
	b.steps, b.values = make([]step, 0, len(s.Fields)+2), make([]value, 0, len(s.Fields)+2)
	// The header of a struct without optional fields is constant, so it is part of the
	// first template. If the fields are counted, encodeCounted writes the header.
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

// A stepBuilder builds the steps of a program.
type stepBuilder struct {
	compiler *compiler
	program  *program
	omission bool // the current field may be omitted
	steps    []step
	values   []value
	pending  []byte // constant bytes before the next value
}

// structSteps adds the steps of a struct without optional fields, which lies at
// offset in the outer struct. path and level are those of the struct.
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
			b.pending = b.compiler.plans.appendName(b.pending, f)
		}
		b.value(f, offset, path, level)
	}
}

// optional adds the steps of a field that may be omitted: a condition, then the key
// and the value, which the condition skips.
func (b *stepBuilder) optional(f *typeplan.Field, o omission) {
	if b.omission = o.op != putTemplate; !b.omission {
		b.pending = b.compiler.plans.appendName(b.pending, f)
		b.value(f, 0, "", 1)
		return
	}
	b.flush() // conditions have no template
	at := len(b.steps)
	b.add(step{put: o.op, offset: o.offset}, value{omitted: o.test}, nil)
	b.pending = b.compiler.plans.appendName(b.pending, f)
	b.value(f, 0, "", 1)
	b.flush() // the pending bytes belong to this field and must be skipped with it
	b.steps[at].setSkip(len(b.steps) - at - 1)
}

// value adds the steps for the value of a field. level is the nesting level of its
// struct in the program.
func (b *stepBuilder) value(f *typeplan.Field, offset uintptr, path string, level int) {
	path += f.GoName
	p := b.compiler.fieldPlan(f)
	if len(f.Hops) > 0 { // the field is behind embedded pointers, not at an offset
		encode := makeEncodeThrough(f.Hops, f.Offset, p.linked().encode)
		b.step(step{put: putCall, offset: offset}, value{encode: encode, level: level, path: path})
		return
	}
	offset += f.Offset
	// A struct that may be omitted is not included: levels counts only structs that
	// every value contains, so that one check of the depth is enough.
	if n := p.nested; n != nil && !b.omission && len(b.steps) < maxInlineSteps {
		b.structSteps(n.fields, n.asArray, offset, path+".", level+1)
		return
	}
	if p.put == putList { // store writes an empty slice, which is a level too
		b.program.deepest = max(b.program.deepest, level+1)
	}
	b.pending = append(b.pending, p.put.lead()...)
	b.step(step{put: p.put, offset: offset}, value{encode: p.linked().encode, level: level, path: path})
}

// makeEncodeThrough returns the encoder of a field that is reached through embedded
// pointers. If one of them is nil, the field is encoded as nil.
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

// flush adds a step for the pending bytes.
func (b *stepBuilder) flush() {
	if len(b.pending) > 0 {
		b.step(step{put: putTemplate}, value{})
	}
}

// encoder returns the function that encodes the struct. It calls store if dst has
// enough room, and continues where store has stopped. The header of a struct with
// optional fields is one byte, which first counts the fields that are never omitted.
// The number of the other fields is added to it after they have been written.
//
// It is not inlined: in a copy, the compiler would not inline what the function calls.
//
//go:noinline
func (e *program) encoder() encodeFunc {
	if e.counted {
		return e.encodeCounted
	}
	return func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		first := &e.steps[0]
		if depth < e.levels { // one check for all structs of the program
			return dst, failed(ErrDepth, e.name)
		}
		if fast && cap(dst) == 0 {
			dst = make([]byte, 0, first.room) // once, instead of growing bit by bit
		}
		header := len(dst)
		// store does not check the depth of the slices that it writes, so all of them
		// must be allowed.
		if fast && cap(dst)-len(dst) >= int(first.room) && depth >= e.deepest {
			n, s, count := store(first, mem.Bytes(dst), header, p)
			dst = dst[:n]
			if s.put != putEnd {
				return e.finish(dst, header, s, count, p, depth)
			}
			dst[header] += byte(count) // at most 15 in all, which fits in the low bits of a fixmap
			return dst, nil
		}
		dst, count, err := e.run(dst, p, depth, 0, false)
		if err == nil {
			dst[header] += byte(count)
		}
		return dst, err
	}
}

// finish continues at s, where store has stopped. The output of the value at p
// begins at dst[header].
func (e *program) finish(dst []byte, header int, s *step, count int, p mem.Ptr, depth int) ([]byte, error) {
	dst, more, err := e.run(dst, p, depth, e.index(s), true)
	if err == nil {
		dst[header] += byte(count + more)
	}
	return dst, err
}

// isFlat reports whether store can execute all steps, except for long strings and
// invalid times.
func (e *program) isFlat() bool {
	for i := range e.steps {
		switch e.steps[i].put {
		case putCall, putNilable, putList, putIf:
			return false
		}
	}
	return true
}

// encodeCounted encodes a struct with 16 fields or more or with an inline map. The
// size of its header depends on the number of entries, so they are counted first.
func (e *program) encodeCounted(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	if depth < e.levels {
		return dst, failed(ErrDepth, e.name)
	}
	// IsZero methods are called twice, here and for the fields. Their results must
	// agree, which is checked below.
	fields, entries := e.countPresent(p), 0
	if e.inline != nil {
		entries = e.inline.len(p)
	}
	dst, err := appendHeader(dst, wire.FixMap, e.always+fields+entries, e.name, depth)
	if err != nil {
		return dst, err
	}
	dst, count, err := e.run(dst, p, depth, 0, false)
	switch {
	case err != nil:
		return dst, err
	case count != fields: // IsZero has returned another result, or the struct was modified
		return dst, failed(ErrInvalid, e.name+" that was modified during encoding")
	case e.inline != nil:
		return e.inline.encode(dst, p, entries, depth-1)
	}
	return dst, nil
}

// index returns the index of s in e.steps.
func (e *program) index(s *step) int {
	return mem.Distance(mem.PtrTo(&e.steps[0]), mem.PtrTo(s)) / mem.SizeOf[step]()
}

// run executes the steps from index i to the end for the value at p, with store
// where dst has enough room and with calls otherwise. stored means that the template
// of the first step has been written. count is the number of optional fields that
// are present.
func (e *program) run(dst []byte, p mem.Ptr, depth, i int, stored bool) (_ []byte, count int, err error) {
	for ; ; i++ {
		s := &e.steps[i]
		// Each case writes the template of s, so that only its value is missing.
		switch room := cap(dst) - len(dst); {
		case stored:
			stored = false
		// A step that needed a call has grown dst, so store may be able to
		// continue.
		case fast && room >= int(s.room) && depth >= e.deepest:
			n, last, more := store(s, mem.Bytes(dst), len(dst), p)
			dst, s, count = dst[:n], last, count+more
		default: // too little room: append grows dst by what this step needs
			dst = append(dst, s.template[:s.size]...)
		}
		// After a long string, more steps may fit: continue without a call for each.
		if fast && s.put == putString && depth >= e.deepest {
			var more int
			dst, s, more = storeLong(dst, s, p)
			count += more
		}
		i = e.index(s)
		v := &e.values[i]
		switch {
		case s.put == putEnd:
			return dst, count, nil
		case s.put == putTemplate:
			continue
		case s.put.isCondition():
			if v.omits(s, p) { // store has stopped here, or did not run
				i += s.skip()
			} else {
				count++
			}
			continue
		}
		dst = dst[:len(dst)-len(s.put.lead())] // encode writes the format byte itself
		if dst, err = v.encode(dst, p.Add(s.offset), depth-v.level); err != nil {
			return dst, count, under(v.path, err)
		}
	}
}

// countPresent returns the number of optional fields of the struct at p that are present.
func (e *program) countPresent(p mem.Ptr) (count int) {
	for i := range e.steps {
		if s := &e.steps[i]; s.put.isCondition() && !e.values[i].omits(s, p) {
			count++
		}
	}
	return count
}

// omits evaluates s, a condition, for the struct at p. It is the simple counterpart
// of the conditions in store.
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
