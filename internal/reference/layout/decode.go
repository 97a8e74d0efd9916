package layout

import (
	"encoding"
	"math/big"
	"reflect"
)

// Unmarshal decodes all of data into v, a pointer.
func (c Config) Unmarshal(data []byte, v any) (err error) {
	defer catch(&err)
	n, err := c.UnmarshalPrefix(data, v)
	if err == nil && n < len(data) {
		fail(ErrTrailing, "%d bytes after the message", len(data)-n)
	}
	return err
}

// UnmarshalPrefix decodes the first message of data into v and returns its length.
func (c Config) UnmarshalPrefix(data []byte, v any) (n int, err error) {
	n, _, err = c.decode(data, reflect.ValueOf(v).Elem())
	return n, err
}

// decode also returns for every field with if=more, in order, whether it is
// present.
func (c Config) decode(data []byte, v reflect.Value) (n int, more []bool, err error) {
	defer catch(&err)
	c.validate(v.Type())
	r := &reader{Config: c, data: data}
	root := c.root(v.Type())
	root.hard = len(data)
	n = r.value(v, root, 0, 0, c.order())
	for _, check := range r.checks {
		check()
	}
	if c.MaxMessage > 0 && n > c.MaxMessage {
		fail(ErrLimit, "message of %d bytes", n)
	}
	return n, r.more, nil
}

func (c Config) order() string {
	if c.Order == "" {
		return "be"
	}
	return c.Order
}

// root returns a scope that has a value of type t as its only field.
func (c Config) root(t reflect.Type) *scope {
	s := &scope{types: map[reflect.Type][]field{}, counts: map[int]int{}, unsaid: map[int][]link{}, order: c.order(), hard: -1}
	s.fields = []field{{typ: t, opt: parse("", "", t), where: t.String()}}
	s.states = make([]state, 1)
	return s
}

type reader struct {
	Config
	data   []byte
	more   []bool
	checks []func() // of checksums, when all spans are known
}

func (r *reader) structure(v reflect.Value, s *scope, pos int) int {
	for i := 0; i < len(s.fields); i++ {
		f := s.fields[i]
		if f.opt.bits > 0 {
			_, last := run(s.fields, i)
			pos = r.bits(v, s, i, last, pos)
			i = last
			continue
		}
		r.begin(s, i, pos)
		field := target(v, f) // allocates embedded structs, even if all fields in them are absent
		if !f.silent() && r.present(s, i, pos) {
			s.states[i].present = true
			pos = r.value(field, s, i, pos, s.orderFor(i))
		} else if !s.states[i].present {
			s.missing(i)
		}
		r.finish(s, i, pos)
		r.later(v, s, i)
	}
	return pos
}

// target returns the variable of f, and allocates the embedded structs around it.
func target(v reflect.Value, f field) reflect.Value {
	for _, j := range f.path {
		v = allocated(v).Field(j)
	}
	return v
}

// allocated follows a pointer to an embedded struct.
func allocated(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Pointer {
		return v
	}
	if v.IsNil() {
		v.Set(reflect.New(v.Type().Elem()))
	}
	return v.Elem()
}

// begin turns the lengths of fields from i on into bounds.
func (r *reader) begin(s *scope, i, pos int) {
	s.states[i].started, s.states[i].start = true, pos
	if s.isUnsaid(i) {
		s.pending = append(s.pending, bound{first: i, last: i})
	}
	limit := s.limit(i)
	for _, b := range s.pending {
		if b.first == i {
			b.end = pos + b.size
			if b.end > limit {
				fail(ErrLength, "%s: length %d exceeds the %d bytes left", s.name(i), b.size, limit-pos)
			}
			s.bounds = append(s.bounds, b)
		}
	}
}

func (r *reader) finish(s *scope, i, pos int) {
	s.states[i].end, s.states[i].done = pos, true
	for _, raw := range s.raws {
		if raw.last == i {
			raw.set()
		}
	}
	var open []bound
	for _, b := range s.bounds {
		if b.last != i {
			open = append(open, b)
		} else if b.end != pos {
			fail(ErrLength, "%s: ends at %d, its length says %d", s.name(i), pos, b.end)
		}
	}
	s.bounds = open
	if n, ok := s.counts[i]; ok && n != s.states[i].elements {
		fail(ErrLength, "%s: %d elements, its count says %d", s.name(i), s.states[i].elements, n)
	}
}

func (r *reader) present(s *scope, i, pos int) bool {
	if !s.holds(i) {
		return false
	}
	if !s.fields[i].opt.asksMore() {
		return true
	}
	more := pos < s.limit(i)
	r.more = append(r.more, more)
	return more
}

// later notes what can be checked only when the whole message has been read.
func (r *reader) later(v reflect.Value, s *scope, i int) {
	f := s.fields[i]
	if f.opt.raw != nil {
		in, first, last := s.findSpan(*f.opt.raw, i)
		set := func() {
			data := r.data[in.states[first].start:in.states[last].end]
			target(v, f).SetBytes(append([]byte{}, data...))
		}
		// Both are before an element is copied into its slice.
		if in.states[last].done {
			set()
		} else {
			in.raws = append(in.raws, rawBytes{last, set})
		}
	}
	if f.opt.sum != "" && s.states[i].present {
		r.checks = append(r.checks, func() {
			in, first, last := s.findSpan(f.opt.of, i)
			data, at, n := sumData(r.data, in, first, last, &s.states[i])
			if want := r.checksum(f.opt, data, at, n, f.where); want.Cmp(s.states[i].number) != 0 {
				fail(ErrChecksum, "%s: %v, want %v", s.name(i), s.states[i].number, want)
			}
		})
	}
}

// number notes that the number at the field i, which ends at pos, is n and
// follows its links.
func (r *reader) number(s *scope, i int, n *big.Int, pos int) {
	f := s.fields[i]
	s.states[i].number = n
	if len(f.opt.consts) > 0 {
		ok := false
		for _, c := range f.opt.consts {
			if !ok && c.value.Cmp(n) == 0 {
				ok, s.states[i].order = true, c.order
			}
		}
		if !ok {
			fail(ErrConst, "%s: %v", s.name(i), n)
		}
	}
	if f.opt.max != nil && n.Cmp(f.opt.max) > 0 {
		fail(ErrLimit, "%s: %v", s.name(i), n)
	}
	for _, l := range f.opt.links {
		in, first, last := s.findSpan(l.of, i)
		value := new(big.Int).Mul(n, big.NewInt(l.factor))
		value.Add(value, big.NewInt(l.plus))
		if n.Sign() < 0 || value.Sign() < 0 || value.Cmp(big.NewInt(int64(len(r.data)))) > 0 {
			fail(ErrLength, "%s: %v bytes or elements", s.name(i), value)
		}
		size := int(value.Int64())
		if l.count {
			if other, ok := in.counts[first]; ok && other != size || in.states[first].done && in.states[first].elements != size {
				fail(ErrLength, "%s: %d elements", s.name(i), size)
			}
			if !in.states[first].done {
				in.counts[first] = size
			}
			continue
		}
		b := bound{first: first, last: last, size: size, end: in.states[first].start + size}
		switch {
		case in.states[last].done:
			if in.states[last].end != b.end {
				fail(ErrLength, "%s: %d bytes, the range has %d", s.name(i), size, in.states[last].end-in.states[first].start)
			}
		case in.states[first].started:
			if b.end > in.limit(last) || b.end < pos {
				fail(ErrLength, "%s: length %d exceeds the bytes left", s.name(i), size)
			}
			in.bounds = append(in.bounds, b)
		default:
			in.pending = append(in.pending, b)
		}
	}
}

// bits reads the run of bits first to last.
func (r *reader) bits(v reflect.Value, s *scope, first, last, pos int) int {
	size := runBits(s.fields[first:last+1]) / 8
	for i := first; i <= last; i++ {
		r.begin(s, i, pos)
		s.states[i].present = true
	}
	data := r.take(s, first, pos, size)
	order := s.orderFor(first)
	bits := getFixed(data, order)
	used := 0
	for i := first; i <= last; i++ {
		o := s.fields[i].opt
		shift := used
		if fillOf(s, first, last, order) == "msb" {
			shift = size*8 - used - o.bits
		}
		used += o.bits
		n := toBits(new(big.Int).Rsh(bits, uint(shift)), o.bits)
		n = fromBits(n, o.bits, isSigned(s.fields[i].typ.Kind()))
		field := target(v, s.fields[i]) // allocates embedded structs, even if only fields without names are in them
		if s.fields[i].name != "_" {
			setNumber(field, n, s.name(i))
		}
		r.number(s, i, n, pos+size)
	}
	for i := first; i <= last; i++ {
		r.finish(s, i, pos+size)
	}
	return pos + size
}

// fillOf returns the end from which the run of bits is filled.
func fillOf(s *scope, first, last int, order string) string {
	for i := first; i <= last; i++ {
		if fill := s.fields[i].opt.fill; fill != "" {
			return fill
		}
	}
	if order == "le" {
		return "lsb"
	}
	return "msb"
}

// take returns the n bytes at pos.
func (r *reader) take(s *scope, i, pos, n int) []byte {
	if limit := s.limit(i); n > limit-pos {
		fail(ErrTruncated, "%s: %d bytes left, want %d", s.name(i), limit-pos, n)
	}
	return r.data[pos : pos+n]
}

// value reads the field i of s, of which v is the value.
func (r *reader) value(v reflect.Value, s *scope, i, pos int, order string) int {
	f := s.fields[i]
	o := f.opt
	if o.prefix != "" {
		n, size := readNumber(r.data[pos:s.limit(i)], o.prefix, order, s.name(i))
		pos += size
		if n.Cmp(big.NewInt(int64(s.limit(i)-pos))) > 0 {
			fail(ErrLength, "%s: length %v exceeds the %d bytes left", s.name(i), n, s.limit(i)-pos)
		}
		end := pos + int(n.Int64())
		framed := s.part(i, withoutPrefix(o), s.name(i))
		framed.hard = end
		if got := r.value(v, framed, 0, pos, order); got != end {
			fail(ErrLength, "%s: ends at %d, its prefix says %d", s.name(i), got, end)
		}
		s.states[i].elements = framed.states[0].elements
		return end
	}
	switch t := v.Type(); {
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		return r.value(v.Elem(), s, i, pos, order)
	case o.skip >= 0:
		r.take(s, i, pos, o.skip)
		return pos + o.skip
	case o.align > 0:
		n := (o.align - pos%o.align) % o.align
		r.take(s, i, pos, n)
		return pos + n
	case isUser(t):
		return r.user(v, s, i, pos)
	case isBinary(t):
		end := r.end(s, i, pos)
		err := v.Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(append([]byte{}, r.data[pos:end]...))
		if err != nil {
			fail(err, "%s", s.name(i))
		}
		return end
	case t.Kind() == reflect.String || isBytes(t) || o.magic != "":
		return r.bytes(v, s, i, pos, order)
	case t.Kind() == reflect.Slice:
		return r.slice(v, s, i, pos, order)
	case t.Kind() == reflect.Array:
		for j := range t.Len() {
			pos = r.element(v.Index(j), s, i, j, pos, order)
		}
		return pos
	case t.Kind() == reflect.Struct:
		inner := newScope(t, s, i)
		inner.order, inner.path = order, s.name(i)
		return r.structure(v, inner, pos)
	case t.Kind() == reflect.Interface:
		return r.union(v, s, i, pos, order)
	case isFloat(t.Kind()):
		x, n := readFloat(r.data[pos:s.limit(i)], wireOf(t, o), order, s.name(i))
		if f.name != "_" {
			if y := float64(float32(x)); t.Kind() == reflect.Float32 && y != x && x == x {
				fail(ErrRange, "%s: %v is not a float32", s.name(i), x)
			}
			v.SetFloat(x)
		}
		return pos + n
	}
	n, size := (*big.Int)(nil), o.digits
	if o.base > 0 {
		n = readDigits(r.take(s, i, pos, o.digits), o, s.name(i))
	} else {
		n, size = readNumber(r.data[pos:s.limit(i)], wireOf(v.Type(), o), order, s.name(i))
	}
	if f.name != "_" {
		setNumber(v, n, s.name(i))
	}
	s.states[i].end = pos + size
	r.number(s, i, n, pos+size)
	return pos + size
}
