package layout

import (
	"math/big"
	"reflect"
)

// Validate reports what is wrong with the declaration of t, as ErrTag.
func (c Config) Validate(t reflect.Type) (err error) {
	defer catch(&err)
	c.validate(t)
	return nil
}

func (c Config) validate(t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s := c.root(t)
	s.hard, s.static = 0, true
	v := &validator{Config: c}
	v.value(t, s, 0)
}

type validator struct {
	Config
	open []reflect.Type // structs around the value
}

func (c *validator) structure(t reflect.Type, s *scope) {
	within := 0
	for _, other := range c.open {
		if other == t {
			within++
		}
	}
	if within == 2 {
		return // recursive: checked in itself, where other fields follow, and checked already
	}
	c.open = append(c.open, t)
	defer func() { c.open = c.open[:len(c.open)-1] }()
	for i := 0; i < len(s.fields); i++ {
		f := s.fields[i]
		last := i
		if f.opt.bits > 0 {
			_, last = run(s.fields, i)
			c.run(s, i, last)
		}
		for j := i; j <= last; j++ {
			c.begin(s, j)
			s.states[j].present = true
			c.field(s, j)
		}
		for ; i <= last; i++ {
			c.finish(s, i)
		}
		i--
	}
	for i := range s.fields {
		c.sums(s, i)
	}
}

func (c *validator) run(s *scope, first, last int) {
	n := runBits(s.fields[first : last+1])
	where := s.fields[first].where
	if n > 64 || n%8 != 0 {
		fail(ErrTag, "%s: a run of %d bits", where, n)
	}
	for i := first; i <= last; i++ {
		if s.fields[i].opt.order != s.fields[first].opt.order || s.fields[i].opt.orderOf != s.fields[first].opt.orderOf {
			fail(ErrTag, "%s: a run of bits in two orders", where)
		}
		for j := first; j < i; j++ {
			if a, b := s.fields[i].opt.fill, s.fields[j].opt.fill; a != "" && b != "" && a != b {
				fail(ErrTag, "%s: a run of bits with msb and lsb", where)
			}
		}
	}
}

func (c *validator) begin(s *scope, i int) {
	s.states[i].started = true
	for _, b := range s.pending {
		if b.first == i {
			s.bounds = append(s.bounds, b)
		}
	}
}

func (c *validator) finish(s *scope, i int) {
	s.states[i].done = true
	var open []bound
	for _, b := range s.bounds {
		if b.last != i {
			open = append(open, b)
		}
	}
	s.bounds = open
}

// field checks the field i where a decoder reads it.
func (c *validator) field(s *scope, i int) {
	f := s.fields[i]
	o := f.opt
	if f.opt.none || f.path[len(f.path)-1] == 0 && f.ordersStruct() {
		return
	}
	if f.name == "_" && f.typ != reflect.TypeFor[struct{}]() && !isInteger(f.typ.Kind()) && f.typ.Kind() != reflect.Bool {
		fail(ErrTag, "%s: %v without a name", f.where, f.typ)
	}
	s.orderFor(i)
	if o.orderOf != "" {
		in, j := s.mustFind(o.orderOf, i)
		for _, k := range in.fields[j].opt.consts {
			if k.order == "" {
				fail(ErrTag, "%s: %s has a constant that names no order", f.where, o.orderOf)
			}
		}
		if len(in.fields[j].opt.consts) == 0 {
			fail(ErrTag, "%s: %s has no constants", f.where, o.orderOf)
		}
	}
	for _, k := range o.conds {
		if k.more {
			continue
		}
		in, j := s.mustFind(k.field, i)
		if t := in.fields[j].typ.Kind(); !in.states[j].done || !isInteger(t) && t != reflect.Bool {
			fail(ErrTag, "%s: %s is not an earlier number", f.where, k.field)
		}
		if in.fields[j].opt.sum != "" {
			fail(ErrTag, "%s: %s is computed after it", f.where, k.field)
		}
	}
	c.fits(f)
	for _, l := range o.links {
		in, first, last := s.findSpan(l.of, i)
		if t := in.fields[first].typ.Kind(); l.count && t != reflect.Slice && (t != reflect.String || in.fields[first].opt.utf16) {
			fail(ErrTag, "%s: %s is not a slice or string", f.where, l.of.first)
		}
		b := bound{first: first, last: last}
		switch {
		case l.count && !in.states[first].started:
			in.counts[first] = 0
		case l.count || in.states[last].done:
		case in.states[first].started:
			in.bounds = append(in.bounds, b)
		default:
			in.pending = append(in.pending, b)
		}
	}
	if o.raw == nil {
		c.value(f.typ, s, i)
	}
}

// sums checks the ranges of the field i.
func (c *validator) sums(s *scope, i int) {
	f := s.fields[i]
	if f.opt.raw != nil {
		if in, _, last := s.findSpan(*f.opt.raw, i); in != s && !in.states[last].done {
			fail(ErrTag, "%s: %s is decoded later", f.where, f.opt.raw.last)
		}
	}
	if f.opt.sum == "" {
		return
	}
	of, _, _ := s.findSpan(f.opt.of, i)
	for around := s; around != of; around = around.parent {
		if around.element {
			fail(ErrTag, "%s: a sum of fields outside of the element", f.where)
		}
	}
	if f.opt.own && c.Sums[f.opt.sum] == nil {
		fail(ErrTag, "%s: no sum %s", f.where, f.opt.sum)
	}
	size, known := f.opt.digits, true
	if f.opt.base == 0 {
		size, known = wireSize(wireOf(f.typ, f.opt))
	}
	fits := size*8 >= checksums[f.opt.sum]
	if f.opt.base > 0 {
		values := new(big.Int).Exp(big.NewInt(int64(f.opt.base)), big.NewInt(int64(size)), nil)
		fits = values.BitLen() > checksums[f.opt.sum]
	}
	if !known || !f.opt.own && !fits {
		fail(ErrTag, "%s: too narrow for %s", f.where, f.opt.sum)
	}
	// A circle: a checksum in the range of this one has this one in its range.
	in, first, last := s.findSpan(f.opt.of, i)
	for j := first; in == s && j <= last; j++ {
		if j == i || s.fields[j].opt.sum == "" {
			continue
		}
		other, a, b := s.findSpan(s.fields[j].opt.of, j)
		if other == s && a <= i && i <= b {
			fail(ErrTag, "%s and %s: checksums of each other", f.where, s.fields[j].where)
		}
	}
}

// fits checks that the options of f fit its type and each other.
func (c *validator) fits(f field) {
	o, t := f.opt, f.typ
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
		if t.Kind() != reflect.Struct {
			fail(ErrTag, "%s: pointer to %v", f.where, t)
		}
	}
	k := t.Kind()
	space := t == reflect.TypeFor[struct{}]()
	element := t
	for element.Kind() == reflect.Slice || element.Kind() == reflect.Array {
		element = element.Elem()
	}
	text := k == reflect.String || isBytes(t)
	slice := k == reflect.Slice && !isBytes(t)
	user := isUser(t) || isBinary(t)
	must := func(set, ok bool, option string) {
		if set && !ok {
			fail(ErrTag, "%s: %s on %v", f.where, option, f.typ)
		}
	}
	single := isInteger(k) && !user
	must(o.order != "" && o.orderOf != "", false, "two orders")
	must(o.number != "", (isInteger(element.Kind()) || isFloat(element.Kind())) && !isBytes(t) && !user && o.bits == 0 && o.base == 0, "number")
	if o.number != "" {
		must(o.number[0] == 'f', isFloat(element.Kind()), o.number)
		must(o.number[0] != 'f', isInteger(element.Kind()), o.number)
	}
	must(o.base > 0, single && o.bits == 0, "digits")
	must(o.bits > 0, (single || k == reflect.Bool) && len(o.conds) == 0 && o.sum == "" && (k == reflect.Bool && o.bits == 1 || k != reflect.Bool && o.bits <= t.Bits()), "bits")
	must(o.fill != "" || o.end, o.bits > 0, "msb, lsb and end")
	must(o.prefix != "", text || slice || user || k == reflect.Interface || k == reflect.Struct && !space, "prefix")
	must(o.count != "", (slice || isBytes(t)) && !user, "count")
	must(o.fixed >= 0, text || slice || user, "fixed")
	must(o.fillByte >= 0, text && o.fixed >= 0 && !user, "fill")
	must(o.cstring || o.until >= 0, text && !user, "terminator")
	must(o.until >= 0, !o.utf16, "until")
	must(o.untilZero, slice, "until=zero")
	must(o.untilEnd, text || slice, "until=end")
	must(o.utf16, k == reflect.String && o.magic == "" && !user && o.fixed%2 != 1, "utf16")
	must(o.utf16 && o.fillByte > 0, false, "fill of utf16")
	must(len(o.links) > 0, single && o.sum == "" && o.base == 0, "link")
	must(o.union != "", k == reflect.Interface, "switch")
	must(len(o.consts) > 0, single && len(o.links) == 0 && o.sum == "", "const")
	must(o.magic != "", text || space || k == reflect.Array && t.Elem().Kind() == reflect.Uint8 && t.Len() == len(o.magic), "magic")
	must(o.skip >= 0 || o.align > 0, space && f.name == "_", "space")
	must(o.sum != "", single && !isSigned(k), "checksum")
	must(o.max != nil, (single || text || slice) && o.magic == "", "max")
	must(o.raw != nil, isBytes(t), "raw")
	forms := 0
	for _, set := range []bool{o.prefix != "", o.fixed >= 0, o.cstring, o.until >= 0, o.count != "", o.untilZero, o.untilEnd, o.magic != "", o.skip >= 0, o.align > 0, o.raw != nil} {
		if set {
			forms++
		}
	}
	must(forms > 1, false, "two forms")
	for _, k := range o.consts {
		bits := t.Bits()
		if o.bits > 0 {
			bits = o.bits
		}
		must(true, fits(k.value, bits, isSigned(t.Kind())), "const "+k.value.String())
	}
	must(o.max != nil && orZero(o.max).Cmp(new(big.Int)) < 0, isSigned(k), "max")
	must(space && f.name == "_" && o.skip < 0 && o.align == 0 && o.magic == "", false, "no meaning")
}

// value checks that the type t can be the value of the field i.
func (c *validator) value(t reflect.Type, s *scope, i int) {
	f := s.fields[i]
	o := f.opt
	if o.prefix != "" {
		part := s.part(i, withoutPrefix(o), "")
		part.hard = 0
		c.value(t, part, 0)
		return
	}
	_, counted := s.counts[i]
	switch {
	case t.Kind() == reflect.Pointer:
		if t.Elem().Kind() != reflect.Struct {
			fail(ErrTag, "%s: pointer to %v", f.where, t.Elem())
		}
		c.value(t.Elem(), s, i)
	case o.skip >= 0 || o.align > 0 || o.magic != "" || o.bits > 0 || o.base > 0 || isUser(t):
	case isBinary(t):
		if o.fixed < 0 && !hasBound(s, i) && s.hard < 0 {
			fail(ErrTag, "%s: %v needs a length", f.where, t)
		}
	case t.Kind() == reflect.String || isBytes(t):
		if !o.cstring && o.until < 0 && o.fixed < 0 && o.count == "" && !counted {
			s.rest(i)
		}
	case t.Kind() == reflect.Slice:
		if o.fixed < 0 && o.count == "" && !o.untilZero && !counted {
			s.rest(i)
		}
		c.element(t.Elem(), s, i)
	case t.Kind() == reflect.Array:
		c.element(t.Elem(), s, i)
	case t.Kind() == reflect.Struct:
		c.structure(t, newScope(t, s, i))
	case t.Kind() == reflect.Interface:
		c.union(t, s, i)
	default:
		wireOf(t, o)
	}
}

func (c *validator) element(t reflect.Type, s *scope, i int) {
	if t.Kind() == reflect.Interface {
		fail(ErrTag, "%s: union in a slice", s.fields[i].where)
	}
	part := s.part(i, elementOptions(s.fields[i].opt), "")
	part.element = true
	if n, known := part.typeSize(0, t); known && n == 0 {
		fail(ErrTag, "%s: elements without bytes", s.fields[i].where)
	}
	c.value(t, part, 0)
}

func (c *validator) union(t reflect.Type, s *scope, i int) {
	f := s.fields[i]
	u, ok := c.Unions[t]
	if f.opt.union == "" || !ok {
		fail(ErrTag, "%s: union without switch or variants", f.where)
	}
	in, j := s.mustFind(f.opt.union, i)
	if !in.states[j].done || !isInteger(in.fields[j].typ.Kind()) {
		fail(ErrTag, "%s: %s is not an earlier number", f.where, f.opt.union)
	}
	if u.Unknown != nil {
		s.rest(i)
	}
	for _, variant := range u.Variants {
		c.value(variant, s.part(i, parse("", "", variant), ""), 0)
	}
}
