package layout

import (
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
)

// RandomValue returns a value of t that c can encode. It makes values until one
// can be encoded, which is usually the first one. If none was, it returns the last one and
// false.
func (c Config) RandomValue(r *rand.Rand, t reflect.Type) (v reflect.Value, ok bool) {
	for range 50 {
		v = reflect.New(t).Elem()
		g := &valueGenerator{Config: c, r: r, names: map[string]int{}}
		g.value(v, c.root(t), 0)
		if _, err := c.Marshal(v.Interface()); err == nil {
			return v, true
		}
	}
	return v, false
}

type valueGenerator struct {
	Config
	r     *rand.Rand
	names map[string]int // number of elements by the path of the number that counts them
}

func (g *valueGenerator) structure(v reflect.Value, s *scope) {
	absent := false // of the fields with if=more
	for i, f := range s.fields {
		target := target(v, f)
		s.states[i].done = true
		if f.silent() || f.name == "_" {
			continue
		}
		if !s.holds(i) {
			continue
		}
		if f.opt.asksMore() {
			if absent = absent || g.r.IntN(2) == 0; absent {
				continue
			}
		}
		g.value(target, s, i)
		if k := target.Kind(); isInteger(k) || k == reflect.Bool {
			s.states[i].number = f.opt.meant(numberOf(target))
		}
	}
}

func (g *valueGenerator) value(v reflect.Value, s *scope, i int) {
	o := s.fields[i].opt
	switch t := v.Type(); {
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		g.value(v.Elem(), s, i)
	case o.magic != "":
		if g.r.IntN(2) == 0 {
			setBytes(v, []byte(o.magic))
		}
	case t.Kind() == reflect.String || isBytes(t):
		setBytes(v, g.content(s, i, t))
	case t.Kind() == reflect.Slice:
		n := g.length(s, i)
		list := reflect.MakeSlice(t, n, n)
		for j := range n {
			g.value(list.Index(j), s.part(i, elementOptions(o), element(s.name(i), j)), 0)
		}
		v.Set(list)
	case t.Kind() == reflect.Array:
		for j := range t.Len() {
			g.value(v.Index(j), s.part(i, elementOptions(o), element(s.name(i), j)), 0)
		}
	case t.Kind() == reflect.Struct:
		inner := newScope(t, s, i)
		inner.path = s.name(i)
		g.structure(v, inner)
	case t.Kind() == reflect.Interface:
		g.union(v, s, i)
	case isFloat(t.Kind()):
		if v.SetFloat(float64(g.r.IntN(2000)-1000) / 8); g.r.IntN(20) == 0 {
			v.SetFloat(math.Copysign(0, -1))
		}
	default:
		g.number(v, o)
	}
}

// length returns the number of elements of the slice at the field i.
func (g *valueGenerator) length(s *scope, i int) int {
	o := s.fields[i].opt
	if o.fixed >= 0 {
		return o.fixed
	}
	for j, f := range s.fields {
		for _, l := range f.opt.links {
			if !l.count || l.of.first != s.fields[i].name {
				continue
			}
			return g.amount(s, j)*int(l.factor) + int(l.plus)
		}
	}
	if s.typ == reflect.TypeFor[Tree]() {
		return g.r.IntN(2) + g.r.IntN(2)*g.r.IntN(2) // so that trees end
	}
	for p := s.parent; p != nil; p = p.parent {
		if p.typ == s.typ {
			return g.r.IntN(2) * g.r.IntN(2)
		}
	}
	return g.r.IntN(4)
}

// amount returns the number at the field i, which counts elements. No link says less than 0.
func (g *valueGenerator) amount(s *scope, i int) int {
	path := s.name(i)
	if _, ok := g.names[path]; !ok {
		g.names[path] = g.r.IntN(5)
		for _, l := range s.fields[i].opt.links {
			for int64(g.names[path])*l.factor+l.plus < 0 {
				g.names[path]++
			}
		}
	}
	return g.names[path]
}

// content returns bytes for a string or []byte.
func (g *valueGenerator) content(s *scope, i int, t reflect.Type) []byte {
	o := s.fields[i].opt
	n := g.r.IntN(12)
	if o.fixed >= 0 {
		n = g.r.IntN(o.fixed + 1)
		if t.Kind() == reflect.Slice && o.fillByte < 0 {
			n = o.fixed
		}
		if o.utf16 {
			n /= 2
		}
	}
	for j, f := range s.fields {
		for _, l := range f.opt.links {
			if l.of.first != s.fields[i].name || l.of.last != l.of.first {
				continue
			}
			if l.count {
				n = g.length(s, i)
			} else if slices.ContainsFunc(f.opt.links, func(l link) bool { return l.count }) {
				n = g.amount(s, j)*int(l.factor) + int(l.plus)
			} else if o.prefix == "" {
				n = -1
				for n < 0 {
					n = g.r.IntN(6)*int(l.factor) + int(l.plus)
				}
			}
		}
	}
	out := make([]byte, 0, n+4)
	for len(out) < n {
		c := byte(g.r.IntN(256))
		if t.Kind() == reflect.String {
			c = ' ' + c%95
		}
		out = append(out, c)
	}
	if o.utf16 && n < 8 && g.r.IntN(3) == 0 && o.fixed < 0 {
		out = append(out, "é\U0001F600"...)
	}
	return out
}

func (g *valueGenerator) number(v reflect.Value, o options) {
	if len(o.consts) > 0 {
		if n := g.r.IntN(len(o.consts) + 1); n > 0 {
			setNumber(v, o.consts[n-1].value, "")
		}
		return
	}
	low, high := new(big.Int), big.NewInt(1)
	narrow := func(bits int, signed bool) {
		a, b := new(big.Int), pow2(bits)
		if signed {
			a, b = new(big.Int).Neg(pow2(bits-1)), pow2(bits-1)
		}
		if low.Cmp(a) < 0 {
			low = a
		}
		if high.Cmp(b) > 0 {
			high = b
		}
	}
	if k := v.Kind(); k == reflect.Bool {
		high.SetInt64(2)
	} else if low, high = new(big.Int).Neg(pow2(64)), pow2(64); true {
		narrow(v.Type().Bits(), isSigned(k))
	}
	switch wire := o.number; {
	case o.bits > 0 && v.Kind() != reflect.Bool:
		narrow(o.bits, isSigned(v.Kind()))
	case o.base > 0:
		power := new(big.Int).Exp(big.NewInt(int64(o.base)), big.NewInt(int64(o.digits-1)), nil)
		low = new(big.Int)
		if high.Cmp(power) > 0 {
			high = power
		}
	case wire == "varint":
		narrow(64, false)
	case wire != "" && wire != "zigzag" && wire != "sleb128":
		size, _ := wireSize(wire)
		narrow(8*size, wire[0] == 'i')
	}
	if o.max != nil && high.Cmp(o.max) > 0 {
		high = new(big.Int).Add(o.max, big.NewInt(1))
	}
	setNumber(v, g.between(low, high), "")
}

// between returns a number from low to high-1: often one of the ends or a small
// one.
func (g *valueGenerator) between(low, high *big.Int) *big.Int {
	n := new(big.Int)
	switch g.r.IntN(5) {
	case 0:
		return n.Set(low)
	case 1:
		return n.Sub(high, big.NewInt(1))
	case 2, 3:
		if n.SetInt64(int64(g.r.IntN(300) - 100)); n.Cmp(low) >= 0 && n.Cmp(high) < 0 {
			return n
		}
	}
	n.SetUint64(g.r.Uint64())
	n.Mod(n, new(big.Int).Sub(high, low))
	return n.Add(n, low)
}

func (g *valueGenerator) union(v reflect.Value, s *scope, i int) {
	u := g.Unions[v.Type()]
	var tags []uint64
	for tag := range u.Variants {
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	if u.Unknown != nil && g.r.IntN(4) == 0 {
		unknown := reflect.New(u.Unknown).Elem()
		unknown.FieldByName("Tag").SetUint(100 + g.r.Uint64N(20))
		unknown.FieldByName("Data").SetBytes([]byte("unknown")[:g.r.IntN(8)])
		v.Set(unknown)
		return
	}
	variant := reflect.New(u.Variants[tags[g.r.IntN(len(tags))]]).Elem()
	g.value(variant, s.part(i, parse("", "", variant.Type()), s.name(i)), 0)
	v.Set(variant)
}
