package msgpack

import (
	"math"
	"reflect"
	"sync"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/outline"
	"github.com/octet-go/octet/msgpack/wire"
)

// Generated holds the functions that cmd/octet-gen writes for T. They encode and decode
// what is usual, and report everything else, which is then left to the plan. The plan
// uses them instead of its own loops if T has a method
//
//	func (*T) OctetMsgpack() Generated[T]
//
// Only a method with the type itself counts, so embedding T has no effect. Functions
// written for another form of T than the current one, such as other tags, are not used,
// and neither are they under Options that change the form of a type.
type Generated[T any] struct {
	Fingerprint string // of the [Form] for which the functions were written

	// Replaces reports whether Decode sets all of a used variable.
	Replaces bool

	// Append appends *v to dst like [Typed.Append]. depth is the number of levels that
	// may be opened.
	Append func(dst []byte, v *T, depth int) (_ []byte, ok bool)

	// Decode decodes the value at pos of the input into *v and returns its end, or a
	// negative number.
	Decode func(in *Input, pos int, v *T, depth int) (end int)
}

// generated holds the functions of a Generated, and the plan for the values that they
// leave. That plan uses no generated code, so a value is left only once, however deeply
// it is nested.
type generated struct {
	append      func(dst []byte, v mem.Ptr, depth int) ([]byte, bool)
	decode      func(in *Input, pos int, v mem.Ptr, depth int) int
	fingerprint string
	current     bool           // the fingerprint is that of the plan
	replaces    bool           // decode sets all of a used variable
	plan        func() *plan   // compiles it when it is first needed
	fields      *structDecoder // of the plan for structs in map form, which tells what to expect
	tries       outline.Tries
}

// use returns the codec of a type with the method m, whose result is a Generated[T].
func (Generated[T]) use(k *compiler, p *plan, c codec, m reflect.Method) codec {
	if reflect.TypeFor[T]() != p.typ {
		return c // promoted from an embedded field
	}
	g := m.Func.Interface().(func(*T) Generated[T])(new(T))
	return k.withGenerated(p, c, &generated{
		fingerprint: g.Fingerprint,
		replaces:    g.Replaces,
		append:      mem.Recast[func(dst []byte, v mem.Ptr, depth int) ([]byte, bool)](g.Append),
		decode:      mem.Recast[func(in *Input, pos int, v mem.Ptr, depth int) int](g.Decode),
	})
}

// useGenerated returns the codec of a struct type, given the one without generated code.
// It calls a method of Generated, so programs without generated code link nothing that
// only the method needs.
func (k *compiler) useGenerated(p *plan, c codec) codec {
	if p.program == nil || p.typ.Name() == "" || isPlain(p.typ) || k.plans.ignoreGenerated {
		return c
	}
	m, ok := reflect.PointerTo(p.typ).MethodByName("OctetMsgpack") // a constant, as in foreignHook
	if !ok || m.Type.NumIn() != 1 || m.Type.NumOut() != 1 {
		return c
	}
	result, ok := reflect.Zero(m.Type.Out(0)).Interface().(interface {
		use(*compiler, *plan, codec, reflect.Method) codec
	})
	if !ok {
		return c
	}
	return result.use(k, p, c, m)
}

// withGenerated returns the codec of p with the generated functions, or c if they must
// not be used under these Options.
func (k *compiler) withGenerated(p *plan, c codec, g *generated) codec {
	if !k.plans.keepsForm() {
		return c
	}
	g.fields = p.fields
	p.generated, p.emit, p.fields = g, emitPlain, nil
	g.plan = sync.OnceValue(func() *plan { return p.plans.withoutGenerated().ofType(p.typ) })
	k.atLink(func() {
		g.current = k.fingerprint(Form{k.plans, planKey{typ: p.typ}}) == g.fingerprint
	})
	p.reuse = func(d *decoder, v mem.Ptr) error {
		if !g.replaces {
			return g.plan().decodeOver(d, v)
		}
		return g.decodeValue(d, v, (*plan).decodeOver)
	}
	return codec{
		p.appendGenerated,
		func(d *decoder, v mem.Ptr) error {
			return g.decodeValue(d, v, func(p *plan, d *decoder, v mem.Ptr) error { return p.decode(d, v) })
		},
	}
}

// withoutGenerated returns plans for the same Options that use no generated code.
func (c *plans) withoutGenerated() *plans {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.plain == nil {
		c.plain = &plans{policy: c.policy}
		c.plain.ignoreGenerated = true
	}
	return c.plain
}

// keepsForm reports whether o changes neither how the usual values of a type are encoded
// nor what they are decoded to. The limits of a message are checked apart from that.
func (o *policy) keepsForm() bool {
	rest := o.Options
	rest.ExactArrays, rest.RejectUnknown, rest.RejectDuplicates, rest.RejectInvalidUTF8, rest.AllowTrailing = false, false, false, false, false
	rest.MaxDepth, rest.MaxElements, rest.MaxBytes, rest.MaxTotal = 0, 0, 0, 0
	return reflect.ValueOf(rest).IsZero()
}

// appendGenerated appends the value at v to dst. It is the encoder of a plan with
// generated code.
func (p *plan) appendGenerated(dst []byte, v mem.Ptr, depth int) ([]byte, error) {
	g := p.generated
	if g.current {
		if b, ok := g.append(dst, v, depth); ok {
			return b, nil
		}
	}
	return g.plan().append(dst, v, depth)
}

// marshalTiny returns the encoding of the value at v if that is short, and reports false
// for what plan.marshalAt must encode.
func (g *generated) marshalTiny(p *plan, v mem.Ptr) ([]byte, bool) {
	if !g.current || v.IsNil() || p.plans.guard.on || p.long.Load() > maxTiny {
		return nil, false
	}
	var buf [maxTiny]byte
	b, ok := g.append(mem.Slice(mem.Hide(mem.PtrTo(&buf)), maxTiny)[:0], v, p.plans.depth)
	if !ok || cap(b) != maxTiny {
		return nil, false
	}
	return copied(b, 0), true
}

// endMessage ends the decoding of a message by generated code, or has the plan decode it.
func (g *generated) endMessage(p *plan, d *decoder, at any, prefix bool) (int, error) {
	if d.extras != nil {
		d.release()
	}
	if d.pos == len(d.data) || d.pos > 0 && (prefix || p.plans.AllowTrailing) {
		g.tries.Done()
		if d.chunks > 0 && (g.fields == nil || g.fields.calls) { // as in plan.endMessage
			d.learn(&p.usual)
		}
		return d.pos, nil
	}
	g.tries.Left()
	return p.plans.unmarshal(g.plan(), d.data, at, prefix)
}

// decodeValue decodes the next value by generated code, or by a method of the plan.
func (g *generated) decodeValue(d *decoder, v mem.Ptr, by func(*plan, *decoder, mem.Ptr) error) error {
	if !g.current || g.tries.Skip() {
		return by(g.plan(), d, v)
	}
	start, depth, owed := d.pos, d.depth, d.owed
	// Generated code counts down the elements that may still be claimed, of which all
	// containers in the value together have at most one for each byte that is left to it.
	d.owed = uint64(d.left()) - min(uint64(d.left()), owed)
	end := g.decode((*Input)(d), start, v, depth)
	d.pos, d.depth, d.owed = end, depth, owed
	// If less is left than the containers around the value need, the plan finds which header claimed too much.
	if end >= 0 && uint64(len(d.data)-end) >= owed {
		g.tries.Done()
		return nil
	}
	d.pos = start
	g.tries.Left()
	if d.part {
		// The plan will decode the whole of the outer value, and find the error or none. If
		// it did so for this value first, it would for each value around it.
		return new(Error)
	}
	return by(g.plan(), d, v)
}

// An Input is a message that generated code decodes. Its methods read a value at a
// position in a usual format, and return the position after it. They return a negative
// position for everything else.
type Input decoder

// Bytes returns the message.
func (in *Input) Bytes() []byte { return in.data }

// DecodeInteger reads the integer at pos of in, in any format. Generated code calls it.
func DecodeInteger[T anyInteger](in *Input, pos int) (v T, end int) {
	if pos >= len(in.data) {
		return 0, -1
	}
	b := in.data[pos]
	f := integerFormats[b]
	if end = pos + f.size(); f == 0 || end > len(in.data) {
		return 0, -1
	}
	n, negative := uint64(int8(b)), int8(b) < 0
	if f > 1<<8 { // no fixint
		u := f.load(mem.Bytes(in.data).Add(uintptr(pos)))
		if n, negative = u>>(f&63), f&signedInteger != 0 && int64(u) < 0; negative {
			n = uint64(int64(u) >> (f & 63))
		}
	}
	if v = T(n); uint64(v) != n || (v < 0) != negative {
		return 0, -1
	}
	return v, end
}

// String reads a string. Short strings of a message share memory as described for
// [Unmarshal].
func (in *Input) String(pos int) (s string, end int) {
	d := (*decoder)(in)
	if pos >= len(d.data) {
		return "", -1
	}
	n, start := int(d.data[pos]^byte(wire.FixStr)), pos+1
	if n > shortString {
		if d.data[pos] != byte(wire.Str8) || start == len(d.data) {
			d.pos = pos
			b, ok := d.shortBytes()
			if !ok {
				return "", -1
			}
			return d.newString(b), d.pos
		}
		n, start = int(d.data[start]), start+1
	}
	if end = start + n; end > len(d.data) {
		return "", -1
	}
	if n == 0 {
		return "", end
	}
	if n > len(d.chunk)-d.used || n >= maxShared {
		if n >= ownMemory || d.alone { // as in newString
			return string(d.data[start:end]), end
		}
		d.pos = end
		return d.newString(d.data[start:end]), end
	}
	return d.place(mem.Bytes(d.data).Add(uintptr(start)), n), end
}

// StringPointer reads a string, or nil, into the variable that old points to, or into a new
// one if old is nil. The new variables of a message share memory like its short strings.
func (in *Input) StringPointer(pos int, old *string) (s *string, end int) {
	d := (*decoder)(in)
	if pos < len(d.data) && d.data[pos] == byte(wire.Nil) {
		return nil, pos + 1
	}
	text, end := in.String(pos)
	if end < 0 {
		return old, end
	}
	if old == nil {
		d.pos = end
		old = d.newText(len(text))
	}
	*old = text
	return old, end
}

// anyInteger is the integer types, those with names too.
type anyInteger interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~uintptr
}

// NewNumber returns a variable for the number at pos that a pointer is to point to. Short
// strings and such numbers of a message share memory as described for [Unmarshal].
func NewNumber[T anyInteger | ~bool | ~float32 | ~float64](in *Input, pos int) *T {
	in.pos = pos
	return mem.At[T]((*decoder)(in).newPlain(uint64(mem.SizeOf[T]())))
}

// Binary reads bytes, or nil. It uses the memory of old if that is long enough.
func (in *Input) Binary(pos int, old []byte) (b []byte, end int) {
	d := (*decoder)(in)
	if left := d.data[min(pos, len(d.data)):]; len(left) > 1 && left[0] == byte(wire.Bin8) && old != nil { // the usual case
		if n := int(left[1]); n <= len(left)-2 && n <= cap(old) {
			return append(old[:0], left[2:2+n]...), pos + 2 + n
		}
	}
	d.pos = pos
	if d.isNil() {
		return nil, d.pos
	}
	b, ok := d.shortBytes()
	if !ok {
		return nil, -1
	}
	d.setBytes(&old, b)
	return old, d.pos
}

// Time reads a timestamp.
func (in *Input) Time(pos int) (t time.Time, end int) {
	t, n, err := wire.ConsumeTime(in.data[pos:])
	if err != nil {
		return t, -1
	}
	return t, pos + n
}

// Array reads the header of an array whose elements take at least the given number of
// bytes. It returns a negative position if the message is too short for them.
func (in *Input) Array(pos, least int) (n, end int) { return in.open(pos, wire.FixArray, least) }

// Map is [Input.Array] for a map, whose pairs take at least the given number of bytes.
func (in *Input) Map(pos, least int) (n, end int) { return in.open(pos, wire.FixMap, least) }

func (in *Input) open(pos int, fix wire.Format, least int) (n, end int) {
	if pos >= len(in.data) {
		return 0, -1
	}
	b := in.data[pos]
	n, end = int(b&15), pos+1
	if b&^15 != byte(fix) {
		h, _, err := wire.ConsumeHeader(in.data[pos:])
		if err != nil || h.Format.Kind() != fix.Kind() || uint64(h.Count) > math.MaxInt32 {
			return 0, -1
		}
		n, end = int(h.Count), pos+int(h.Size)
	}
	if uint64(n) > in.owed || uint64(n)*uint64(least) > uint64(len(in.data)-end) {
		return 0, -1
	}
	in.owed -= uint64(n)
	return n, end
}

// Resize returns a slice of n elements, in the memory of s if that is long enough. Its
// elements may have old values, but only those of s, because the elements beyond its
// length can be copies of others.
func Resize[S ~[]E, E any](s S, n int) S {
	if s == nil || cap(s) < n {
		return make(S, n)
	}
	if n > len(s) {
		clear(s[len(s):n])
	}
	return s[:n]
}

// Numbers reads the header of an array of up to 15 numbers. It returns a slice for them,
// which has the memory of s if that is long enough, and else shares some as by [NewNumber].
func Numbers[S ~[]E, E anyInteger | ~bool | ~float32 | ~float64](in *Input, pos int, s S) (_ S, end int) {
	if pos >= len(in.data) {
		return s, -1
	}
	n, end := int(in.data[pos]&15), pos+1
	if n > len(in.data)-end || uint64(n) > in.owed {
		return s, -1
	}
	in.owed -= uint64(n)
	if s != nil && n <= cap(s) {
		return s[:n], end
	}
	in.pos = end
	size := n * mem.SizeOf[E]()
	return mem.SliceOf[E](mem.Slice((*decoder)(in).newPlain(uint64(size)), size)), end
}

// DecodePart decodes the value at pos of in into *v, like [Unmarshal]. Generated code
// calls it for types that it does not decode itself.
func DecodePart[T any](in *Input, pos int, v *T, depth int) (end int) {
	return decodePart((*decoder)(in), pos, v, depth)
}

func decodePart(d *decoder, pos int, v any, depth int) (end int) {
	p, at := d.plans.of(v)
	claims, part := d.owed, d.part
	d.pos, d.depth, d.part = pos, depth, true
	// What may not be claimed any more is owed. Otherwise each part of a value inside
	// another part could claim all bytes again.
	d.owed = uint64(d.left()) - min(uint64(d.left()), claims)
	err := p.elem.decode(d, at)
	if d.owed, d.part = claims, part; err != nil {
		return -1
	}
	return d.pos
}

// AppendPart appends *v to dst, like [MarshalAppend]. Generated code calls it for types
// that it does not encode itself. dst must not be empty.
func AppendPart[T any](dst []byte, v *T, depth int) (_ []byte, ok bool) {
	return appendPart(dst, v, depth)
}

func appendPart(dst []byte, v any, depth int) (_ []byte, ok bool) {
	p, at := defaults.plans.of(v)
	if e := p.elem; e.begin != nil && depth >= e.root.need {
		base, n, limit, err := emit(e.begin, mem.Bytes(dst), len(dst), cap(dst), at, depth, 1, 0, 0)
		if err != nil {
			return dst, false
		}
		return mem.Slice(base, limit)[:n], true
	}
	b, err := p.elem.append(dst, at, depth)
	return b, err == nil
}

// AppendInteger appends v in its shortest format. Generated code calls it. It may write
// to the free capacity of the result.
func AppendInteger[T anyInteger](dst []byte, v T) []byte {
	n := len(dst)
	switch {
	case cap(dst)-n >= maxInteger && (v < 0 || int64(v) >= 0):
		return dst[:storeInteger(mem.Bytes(dst), n, int64(v))]
	case v < 0:
		return wire.AppendInt(dst, int64(v))
	}
	return wire.AppendUint(dst, uint64(v))
}
