package layout

import (
	"encoding"
	"fmt"
	"math/big"
	"reflect"
)

// Marshal encodes v. Pointers to structs are followed.
func (c Config) Marshal(v any) (out []byte, err error) {
	defer catch(&err)
	value := reflect.New(reflect.TypeOf(v)).Elem()
	value.Set(reflect.ValueOf(v))
	c.validate(value.Type())

	var w *writer
	derived := map[string]*big.Int{}
	for range 20 {
		w = c.pass(value, derived, false)
		next := w.derive()
		same := sameNumbers(derived, next)
		if derived = next; same {
			break
		}
	}
	w = c.pass(value, derived, true)
	if !sameNumbers(derived, w.derive()) {
		fail(ErrLength, "lengths do not settle")
	}
	w.checksums()
	if c.MaxMessage > 0 && len(w.out) > c.MaxMessage {
		fail(ErrLimit, "message of %d bytes", len(w.out))
	}
	// What a decoder refuses is not encoded.
	n, more, err := c.decode(w.out, reflect.New(value.Type()).Elem())
	if err != nil {
		return nil, fmt.Errorf("%w, when decoded", err)
	}
	if n != len(w.out) || fmt.Sprint(more) != fmt.Sprint(w.more) {
		fail(ErrRange, "the message would be decoded as another one")
	}
	return w.out, nil
}

func sameNumbers(a, b map[string]*big.Int) bool {
	for name, n := range a {
		if b[name] == nil || b[name].Cmp(n) != 0 {
			return false
		}
	}
	return len(a) == len(b)
}

// writer is one pass over a value.
type writer struct {
	Config
	out     []byte
	derived map[string]*big.Int // by path, as the pass before computed them
	strict  bool
	tags    map[string]*big.Int
	ending  bool // in a zero element that ends a slice
	more    []bool
	numbers []place // with links
	sums    []place
}

type place struct {
	s *scope
	i int
}

func (p place) field() field  { return p.s.fields[p.i] }
func (p place) state() *state { return &p.s.states[p.i] }
func (p place) name() string  { return p.s.name(p.i) }

func (c Config) pass(v reflect.Value, derived map[string]*big.Int, strict bool) *writer {
	w := &writer{Config: c, derived: derived, strict: strict, tags: map[string]*big.Int{}}
	w.value(v, c.root(v.Type()), 0, c.order())
	return w
}

// check fails in the strict pass.
func (w *writer) check(ok bool, reason error, format string, args ...any) {
	if !ok && w.strict {
		fail(reason, format, args...)
	}
}

// derive computes the numbers that depend on the pass.
func (w *writer) derive() map[string]*big.Int {
	next := w.tags
	for _, p := range w.numbers {
		var n *big.Int
		for _, l := range p.field().opt.links {
			in, first, last := p.s.findSpan(l.of, p.i)
			size := in.states[last].end - in.states[first].start
			if l.count {
				size = in.states[first].elements
			}
			value, rest := new(big.Int).QuoRem(big.NewInt(int64(size)-l.plus), big.NewInt(l.factor), new(big.Int))
			w.check(rest.Sign() == 0, ErrLength, "%s: %d bytes or elements are not a multiple of %d", p.name(), size, l.factor)
			w.check(value.Sign() >= 0, ErrLength, "%s: %d bytes or elements need a negative number", p.name(), size)
			w.check(n == nil || n.Cmp(value) == 0, ErrLength, "%s: %v and %v", p.name(), n, value)
			n = value
		}
		if other := next[p.name()]; other != nil {
			w.check(other.Cmp(n) == 0, ErrLength, "%s: %v and %v", p.name(), n, other)
		}
		next[p.name()] = n
	}
	return next
}

func (w *writer) structure(v reflect.Value, s *scope) {
	for i := 0; i < len(s.fields); i++ {
		f := s.fields[i]
		if f.opt.bits > 0 {
			_, last := run(s.fields, i)
			w.bits(v, s, i, last)
			i = last
			continue
		}
		st := &s.states[i]
		st.started, st.start = true, len(w.out)
		if !f.silent() {
			target, ok := w.target(v, f)
			if ok && w.present(target, s, i) {
				st.present = true
				w.value(target, s, i, s.orderFor(i))
			}
		}
		st.end, st.done = len(w.out), true
	}
}

// target returns the value of f. It follows pointers to embedded structs.
func (w *writer) target(v reflect.Value, f field) (reflect.Value, bool) {
	for _, j := range f.path {
		if v.Kind() == reflect.Pointer {
			if v = w.pointee(v, f.where); !v.IsValid() {
				return v, false
			}
		}
		v = v.Field(j)
	}
	return v, true
}

// pointee returns what v points to. That is not valid if v is nil, which is an error, except
// in the zero element that ends a slice: its pointers have zero targets.
func (w *writer) pointee(v reflect.Value, where string) reflect.Value {
	if v.IsNil() && w.ending {
		return reflect.New(v.Type().Elem()).Elem()
	}
	w.check(!v.IsNil(), ErrRange, "%s: nil", where)
	return v.Elem()
}

func (w *writer) present(v reflect.Value, s *scope, i int) bool {
	if !s.holds(i) {
		w.check(isUnset(v), ErrRange, "%s: absent, but not zero", s.name(i))
		return false
	}
	if !s.fields[i].opt.asksMore() {
		return true
	}
	w.more = append(w.more, !isUnset(v))
	return !isUnset(v)
}

// number returns the number to write for the field i.
func (w *writer) number(v reflect.Value, s *scope, i int) *big.Int {
	o := s.fields[i].opt
	n := new(big.Int)
	if s.fields[i].name != "_" {
		n = numberOf(v)
	}
	n = o.meant(n)
	if len(o.links) > 0 {
		n = new(big.Int)
		w.numbers = append(w.numbers, place{s, i})
	}
	if d := w.derived[s.name(i)]; d != nil {
		n = d
		w.check(fits(n, v.Type().Bits(), isSigned(v.Kind())), ErrLength, "%s: %v", s.name(i), n)
	}
	if o.sum != "" {
		n = new(big.Int)
		w.sums = append(w.sums, place{s, i})
	}
	s.states[i].number = n
	known := len(o.consts) == 0
	for _, c := range o.consts {
		if !known && c.value.Cmp(n) == 0 {
			known, s.states[i].order = true, c.order
		}
	}
	if !known {
		w.check(false, ErrConst, "%s: %v", s.name(i), n)
		s.states[i].order = o.consts[0].order
	}
	w.check(o.max == nil || n.Cmp(orZero(o.max)) <= 0, ErrLimit, "%s: %v", s.name(i), n)
	return n
}

func orZero(n *big.Int) *big.Int {
	if n == nil {
		return new(big.Int)
	}
	return n
}

func (w *writer) bits(v reflect.Value, s *scope, first, last int) {
	size := runBits(s.fields[first:last+1]) / 8
	order := s.orderFor(first)
	bits, used := new(big.Int), 0
	for i := first; i <= last; i++ {
		s.states[i] = state{started: true, done: true, present: true, start: len(w.out), end: len(w.out) + size}
		f := s.fields[i]
		target, ok := w.target(v, f)
		n := new(big.Int)
		if ok {
			n = w.number(target, s, i)
		}
		w.check(fits(n, f.opt.bits, isSigned(f.typ.Kind())), w.reason(s, i), "%s: %v does not fit %d bits", s.name(i), n, f.opt.bits)
		shift := used
		if fillOf(s, first, last, order) == "msb" {
			shift = size*8 - used - f.opt.bits
		}
		used += f.opt.bits
		bits.Or(bits, new(big.Int).Lsh(toBits(n, f.opt.bits), uint(shift)))
	}
	w.out = append(w.out, putFixed(bits, size, order)...)
}

// reason is why a number may not fit its width.
func (w *writer) reason(s *scope, i int) error {
	if w.derived[s.name(i)] != nil {
		return ErrLength
	}
	return ErrRange
}

// integer appends n, or its low bits in a pass that is not strict.
func (w *writer) integer(wire, order string, n *big.Int, where string, reason error) {
	if size, known := wireSize(wire); !w.strict {
		if known {
			n = fromBits(toBits(n, 8*size), 8*size, wire[0] == 'i')
		} else if n.Sign() < 0 && wire == "varint" {
			n = new(big.Int)
		}
	}
	w.out = appendNumber(w.out, wire, order, n, where, reason)
}

// value appends the field i of s, of which v is the value.
func (w *writer) value(v reflect.Value, s *scope, i int, order string) {
	f := s.fields[i]
	o := f.opt
	if o.prefix != "" {
		before := w.out
		w.out = nil
		// The content starts after the prefix, whose size is known only when the
		// content is: offsets matter to spans and to align.
		size, _ := wireSize(o.prefix)
		for ; ; size++ {
			w.out = append(append([]byte{}, before...), make([]byte, size)...)
			snapshot := *w
			framed := s.part(i, withoutPrefix(o), s.name(i))
			w.value(v, framed, 0, order)
			content := w.out[len(before)+size:]
			head := &writer{strict: w.strict}
			head.integer(o.prefix, order, big.NewInt(int64(len(content))), s.name(i), ErrLength)
			if len(head.out) == size {
				copy(w.out[len(before):], head.out)
				s.states[i].elements = framed.states[0].elements
				return
			}
			*w = snapshot
		}
	}
	switch t := v.Type(); {
	case t.Kind() == reflect.Pointer:
		if v = w.pointee(v, s.name(i)); v.IsValid() {
			w.value(v, s, i, order)
		}
	case o.skip >= 0:
		w.out = append(w.out, make([]byte, o.skip)...)
	case o.align > 0:
		for len(w.out)%o.align != 0 {
			w.out = append(w.out, 0)
		}
	case isUser(t):
		before := len(w.out)
		out, err := addressable(v).(appender).AppendLayout(w.out)
		if err != nil {
			fail(err, "%s", s.name(i))
		}
		w.check(o.fixed < 0 || len(out)-before == o.fixed, ErrLength, "%s: %d bytes", s.name(i), len(out)-before)
		w.out = out
	case isBinary(t):
		data := w.binary(v, s.name(i))
		w.check(o.fixed < 0 || len(data) == o.fixed, ErrLength, "%s: %d bytes", s.name(i), len(data))
		w.out = append(w.out, data...)
	case t.Kind() == reflect.String || isBytes(t) || o.magic != "":
		w.bytes(v, s, i, order)
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		w.slice(v, s, i, order)
	case t.Kind() == reflect.Struct:
		inner := newScope(t, s, i)
		inner.order, inner.path = order, s.name(i)
		w.structure(v, inner)
	case t.Kind() == reflect.Interface:
		w.union(v, s, i, order)
	case isFloat(t.Kind()):
		x := 0.0
		if f.name != "_" {
			x = v.Float()
		}
		w.out = appendFloat(w.out, wireOf(t, o), order, x, s.name(i))
	case o.base > 0:
		n := w.number(v, s, i)
		if !w.strict {
			n = new(big.Int)
		}
		w.out = appendDigits(w.out, o, n, s.name(i))
		if o.sum != "" {
			copy(w.out[len(w.out)-o.digits:], make([]byte, o.digits))
		}
	default:
		w.integer(wireOf(t, o), order, w.number(v, s, i), s.name(i), w.reason(s, i))
	}
}

func addressable(v reflect.Value) any {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface()
}

func (w *writer) binary(v reflect.Value, where string) (data []byte) {
	var err error
	switch x := addressable(v).(type) {
	case encoding.BinaryAppender:
		data, err = x.AppendBinary(nil)
	case encoding.BinaryMarshaler:
		data, err = x.MarshalBinary()
	}
	if err != nil {
		fail(err, "%s", where)
	}
	return data
}
