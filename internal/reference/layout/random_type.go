package layout

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
)

// RandomType returns a struct type with random fields and tags that are right.
// Use it with [RandomConfig].
func RandomType(r *rand.Rand) reflect.Type {
	g := &typeGenerator{r: r}
	return g.structure(3, true)
}

type typeGenerator struct {
	r     *rand.Rand
	names int
}

func (g *typeGenerator) chance(n int) bool { return g.r.IntN(n) == 0 }

func pick[T any](g *typeGenerator, list ...T) T { return list[g.r.IntN(len(list))] }

func (g *typeGenerator) name() string {
	g.names++
	return fmt.Sprintf("F%d", g.names)
}

// structBuilder collects the fields of one struct.
type structBuilder struct {
	fields []reflect.StructField
	open   bool // the last field was one of a run of bits
}

func (b *structBuilder) add(name string, t reflect.Type, options ...string) string {
	var set []string
	for _, o := range options {
		if o != "" {
			set = append(set, o)
		}
	}
	f := reflect.StructField{Name: name, Type: t}
	if len(set) > 0 {
		f.Tag = reflect.StructTag(fmt.Sprintf("layout:%q", strings.Join(set, ",")))
	}
	if name == "_" {
		f.PkgPath = "random"
	}
	b.fields = append(b.fields, f)
	b.open = strings.Contains(string(f.Tag), "bits=") && !strings.Contains(string(f.Tag), ",end")
	return name
}

var (
	typeBytes  = reflect.TypeFor[[]byte]()
	typeString = reflect.TypeFor[string]()
	typeEmpty  = reflect.TypeFor[struct{}]()
	integers   = []reflect.Type{
		reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
		reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	}
	sizes = []string{"u8", "u16", "u24", "u32", "u48", "u64", "varint"}
)

// structure returns a struct type. If framed is true, it may take what its frame
// leaves.
func (g *typeGenerator) structure(depth int, framed bool) reflect.Type {
	b := &structBuilder{}
	if g.chance(3) {
		b.add("_", typeEmpty, pick(g, "be", "le"))
	}
	for range 1 + g.r.IntN(4) {
		g.group(b, depth)
	}
	if framed && g.chance(2) {
		g.tail(b, depth)
	}
	if !g.hasBytes(b) {
		b.add(g.name(), integers[0])
	}
	return reflect.StructOf(b.fields)
}

// hasBytes reports whether b has a number, which always takes bytes.
func (g *typeGenerator) hasBytes(b *structBuilder) bool {
	for _, f := range b.fields {
		if isInteger(f.Type.Kind()) && !strings.Contains(string(f.Tag), "if=") && f.Tag.Get("layout") != "-" {
			return true
		}
	}
	return false
}

func (g *typeGenerator) order() string { return pick(g, "", "", "be", "le") }

func (g *typeGenerator) group(b *structBuilder, depth int) {
	groups := []func(*structBuilder, int){
		g.number, g.number, g.digits, g.bits, g.bits, g.text, g.text, g.slice, g.array, g.link, g.linkAround, g.counted, g.condition,
		g.constant, g.ordered, g.checksum, g.frame, g.space, g.union, g.nested, g.none, g.embedded, g.user,
	}
	groups[g.r.IntN(len(groups))](b, depth)
}

// number adds a number of any wire width.
func (g *typeGenerator) number(b *structBuilder, _ int) {
	if g.chance(5) {
		t := pick(g, reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[bool]())
		wire := ""
		if t.Kind() == reflect.Float64 {
			wire = pick(g, "", "f32", "f64")
		}
		b.add(g.name(), t, wire, g.order())
		return
	}
	t := pick(g, append(integers, reflect.TypeFor[int](), reflect.TypeFor[uint]())...)
	wire := pick(g, "varint", "zigzag", "sleb128", "u8", "i8", "u16", "i16", "u24", "i24", "u32", "i32", "u40", "i40", "u48", "i48", "u56", "i56", "u64", "i64")
	if k := t.Kind(); k != reflect.Int && k != reflect.Uint && g.chance(3) {
		wire = ""
	}
	limit := ""
	if g.chance(6) {
		limit = "max=100"
	}
	b.add(g.name(), t, wire, g.order(), limit)
}

func (g *typeGenerator) digits(b *structBuilder, _ int) {
	b.add(g.name(), pick(g, integers[1:]...), fmt.Sprintf("%s=%d", pick(g, "oct", "dec"), 2+g.r.IntN(10)))
}

// bits adds one or two runs.
func (g *typeGenerator) bits(b *structBuilder, _ int) {
	if b.open {
		b.add(g.name(), integers[0])
	}
	for range 1 + g.r.IntN(2) {
		order, fill := g.order(), pick(g, "", "", "msb", "lsb")
		left := 8 * (1 + g.r.IntN(8))
		for left > 0 {
			n := 1 + g.r.IntN(min(left, 20))
			t := integers[4*g.r.IntN(2)+3]
			name := g.name()
			last := ""
			left -= n
			if left == 0 {
				last = "end"
			}
			if n == 1 && g.chance(2) {
				t = reflect.TypeFor[bool]()
			} else if n == 1 || g.chance(2) {
				t = integers[3]
			}
			value := ""
			if t.Kind() == reflect.Uint64 && g.chance(6) {
				value = "const=1"
			}
			b.add(pick(g, name, name, name, "_"), t, order, fmt.Sprintf("bits=%d", n), fill, value, last)
		}
	}
}

// text adds a string or []byte with a form of its own.
func (g *typeGenerator) text(b *structBuilder, _ int) {
	limit := ""
	if g.chance(4) {
		limit = "max=20"
	}
	if g.chance(3) {
		b.add(g.name(), typeString, "utf16", pick(g, "prefix="+pick(g, sizes...), "cstring", "fixed=8"), g.order(), limit)
		return
	}
	form := pick(g, "prefix="+pick(g, sizes...), "fixed=3", "fixed=5,fill=0xff", "cstring", "until=0x0a")
	t := pick(g, typeBytes, typeString)
	if t == typeBytes && g.chance(5) {
		form = "count=" + pick(g, sizes...)
	}
	b.add(g.name(), t, form, g.order(), limit)
}

// element returns a type for elements, all of which take at least a byte.
func (g *typeGenerator) element(depth int) reflect.Type {
	t := pick(g, integers...)
	if depth > 0 && g.chance(2) {
		t = g.structure(depth-1, false)
		if g.chance(4) {
			return reflect.PointerTo(t)
		}
	} else if g.chance(5) {
		return reflect.ArrayOf(1+g.r.IntN(3), t)
	}
	return t
}

func (g *typeGenerator) slice(b *structBuilder, depth int) {
	t := g.element(depth)
	if t.Kind() == reflect.Uint8 {
		t = integers[1]
	}
	form := pick(g, "prefix="+pick(g, sizes...), "count="+pick(g, sizes...), "fixed=2")
	if t.Kind() != reflect.Array && !hasConst(t) && g.chance(4) {
		form = "until=zero"
	}
	if g.chance(40) { // the slice cannot be written where it is present, because the zero element has too few bytes
		t = reflect.StructOf([]reflect.StructField{
			{Name: g.name(), Type: integers[0]},
			{Name: g.name(), Type: typeBytes, Tag: `layout:"fixed=3"`},
		})
		form = "until=zero,if=" + b.add(g.name(), integers[0])
	}
	if depth > 0 && g.chance(20) { // the zero element has its first number only
		var e structBuilder
		key := e.add(g.name(), pick(g, integers[:4]...))
		e.add(g.name(), typeBytes, "prefix="+pick(g, sizes...), "if="+key)
		e.add(g.name(), reflect.PointerTo(g.structure(depth-1, false)), "if="+key)
		t, form = reflect.StructOf(e.fields), "until=zero"
	}
	limit := ""
	if g.chance(5) {
		limit = "max=9"
	}
	b.add(g.name(), reflect.SliceOf(t), form, g.order(), limit)
}

// hasConst reports whether the zero value of t is not zero when decoded: it has
// a constant, a derived number or something else that is never zero.
func hasConst(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	if t == reflect.TypeFor[Tree]() || t == reflect.TypeFor[List]() {
		return true
	}
	for _, f := range fieldsOf(t) {
		o := f.opt
		if len(o.consts) > 0 || o.magic != "" || o.union != "" || len(o.conds) > 0 || o.sum != "" || len(o.links) > 0 || o.raw != nil {
			return true
		}
		for k := f.typ.Kind(); k == reflect.Slice || k == reflect.Array || k == reflect.Pointer; k = f.typ.Kind() {
			f.typ = f.typ.Elem()
		}
		if o.fixed >= 0 || hasConst(f.typ) {
			return true
		}
	}
	return false
}

func (g *typeGenerator) array(b *structBuilder, depth int) {
	b.add(g.name(), reflect.ArrayOf(1+g.r.IntN(3), g.element(depth)), g.order())
}

func (g *typeGenerator) condition(b *structBuilder, depth int) {
	flag := b.add(g.name(), pick(g, integers[0], reflect.TypeFor[bool]()))
	second := b.add(g.name(), integers[0])
	for range 1 + g.r.IntN(3) {
		when := "if=" + flag + pick(g, "", "&1", "==1", "!=0") + pick(g, "", "", ",if="+second+"&3", ",if="+second+"!=2")
		switch g.r.IntN(4) {
		case 0:
			number := b.add(g.name(), pick(g, integers...), when)
			if g.chance(4) { // it counts as 0 where it is absent
				b.add(g.name(), integers[1], "if="+number+pick(g, "", "==0", "!=2"))
			}
		case 1:
			b.add(g.name(), typeString, "prefix=u8", when)
		case 2:
			b.add(g.name(), reflect.PointerTo(g.structure(max(depth-1, 0), false)), when)
		case 3:
			b.add(g.name(), g.structure(max(depth-1, 0), false), when)
		}
	}
}

func (g *typeGenerator) constant(b *structBuilder, _ int) {
	switch g.r.IntN(4) {
	case 0:
		t, tag := pick(g, integers...), "const=7,const=0x11"
		if t.Size() == 2 {
			tag = "const=7,const=0"
		}
		b.add(g.name(), t, tag, g.order())
	case 1:
		b.add(g.name(), pick(g, typeBytes, typeString, reflect.TypeFor[[4]byte]()), `magic=\x89PNG`)
	case 2:
		b.add("_", integers[1], "const=0x0102", g.order())
	case 3:
		b.add("_", typeEmpty, `magic=ok\x2c`)
	}
}

// ordered adds a field whose byte order an earlier one chooses.
func (g *typeGenerator) ordered(b *structBuilder, depth int) {
	number := b.add(g.name(), integers[1], g.order(), "const=1|le,const=2|be,const=0x0300|le")
	for range 1 + g.r.IntN(2) {
		t := pick(g, integers[1], integers[6], g.structure(max(depth-1, 0), false))
		b.add(g.name(), t, "order="+number)
	}
	if !b.open && g.chance(2) {
		order := "order=" + number
		b.add(g.name(), integers[0], order, "bits=5")
		b.add(g.name(), integers[1], order, "bits=11", "end")
	}
}

// checksum adds checksums of the fields before them, of fields around them and
// of each other.
func (g *typeGenerator) checksum(b *structBuilder, depth int) {
	first, sum, middle, last := g.name(), g.name(), g.name(), g.name()
	span := first + ".." + last
	t, option := integers[2], pick(g, "crc32=", "crc32c=", "adler32=")
	switch g.r.IntN(5) {
	case 0:
		t, option = integers[1], "inet="
	case 1:
		t, option = integers[0], pick(g, "sum8=", "xor8=")
	case 2:
		t, option = integers[2], "sum=blank:"
	}
	b.add(first, integers[1])
	fits := option == "sum=blank:" || t != integers[2] // the digits of others are too few
	b.add(sum, t, option+span, g.order(), map[bool]string{true: "oct=8"}[fits && g.chance(2)])
	b.add(middle, typeBytes, "prefix=u8")
	g.number(b, depth)
	if g.chance(2) {
		b.add(g.name(), integers[0], "sum8="+middle)
	}
	b.add(last, integers[0], pick(g, "", "xor8="+middle))
	if g.chance(3) {
		b.add(g.name(), typeBytes, "raw="+span)
	}
}

// frame adds a length, what it measures, and a checksum of a range that ends there.
func (g *typeGenerator) frame(b *structBuilder, depth int) {
	first, number, target, sum := g.name(), g.name(), g.name(), g.name()
	b.add(first, integers[0])
	b.add(number, pick(g, integers[1], integers[2]), "len="+target, g.order())
	b.add(target, pick(g, typeBytes, typeString, reflect.SliceOf(integers[1]), reflect.SliceOf(g.element(depth))))
	b.add(sum, integers[2], pick(g, "crc32=", "crc32c=")+pick(g, first, number, target)+".."+target, g.order())
}

func (g *typeGenerator) space(b *structBuilder, _ int) {
	b.add("_", typeEmpty, pick(g, "skip=1", "skip=3", "align=4", "align=8"))
}

func (g *typeGenerator) union(b *structBuilder, depth int) {
	for _, f := range b.fields {
		if f.Name == "Mode" {
			return
		}
	}
	b.add("Mode", integers[0])
	tag := b.add(g.name(), pick(g, integers[0], integers[1], integers[6]), pick(g, "", "varint"))
	if g.chance(2) {
		b.add(g.name(), reflect.TypeFor[any](), "switch="+tag, "prefix="+pick(g, sizes...))
		return
	}
	size, body := g.name(), g.name()
	b.add(size, integers[1], "len="+body)
	b.add(body, reflect.TypeFor[any](), "switch="+tag)
}

func (g *typeGenerator) nested(b *structBuilder, depth int) {
	if depth == 0 {
		g.number(b, 0)
		return
	}
	switch g.r.IntN(5) {
	case 4:
		b.add(g.name(), pick(g, reflect.TypeFor[Tree](), reflect.TypeFor[*List](), reflect.TypeFor[List]()), g.order())
	case 0:
		b.add(g.name(), g.structure(depth-1, false), g.order())
	case 1:
		b.add(g.name(), reflect.PointerTo(g.structure(depth-1, false)), g.order())
	case 2:
		b.add(g.name(), g.structure(depth-1, true), "prefix="+pick(g, sizes...))
	case 3:
		size, inner := g.name(), g.name()
		b.add(size, integers[1], "len="+inner)
		b.add(inner, g.structure(depth-1, true))
	}
}

// embedded adds the fields of an embedded struct, or of a pointer to one.
func (g *typeGenerator) embedded(b *structBuilder, depth int) {
	if depth == 0 {
		return
	}
	t := g.structure(depth-1, false)
	if g.chance(2) {
		t = reflect.PointerTo(t)
	}
	b.add(g.name(), t, g.order())
	b.fields[len(b.fields)-1].Anonymous = true
}

// user adds a type with methods.
func (g *typeGenerator) user(b *structBuilder, _ int) {
	switch g.r.IntN(4) {
	case 0:
		b.add(g.name(), reflect.TypeFor[UserText](), pick(g, "", "prefix=u16", "prefix=varint"))
	case 1:
		b.add(g.name(), reflect.TypeFor[BinaryText](), pick(g, "prefix=u16", "prefix=u8", "fixed=2"))
	case 2:
		size, text := g.name(), g.name()
		b.add(size, integers[1], "len="+text)
		b.add(text, pick(g, reflect.TypeFor[UserText](), reflect.TypeFor[BinaryText]()))
	case 3:
		b.add(g.name(), reflect.SliceOf(reflect.TypeFor[UserText]()), "count=u8")
	}
}

func (g *typeGenerator) none(b *structBuilder, _ int) {
	b.add(g.name(), pick(g, integers...), "-")
}

// tail adds a field that takes the rest of the frame, and fields of known size
// after it, or fields that may be absent.
func (g *typeGenerator) tail(b *structBuilder, depth int) {
	if g.chance(3) {
		when := pick(g, "if=more", "if=more", "if=more,if="+b.add(g.name(), integers[0]))
		for range 1 + g.r.IntN(2) {
			b.add(g.name(), pick(g, integers...), when)
		}
		b.add(g.name(), typeBytes, "prefix=u16", when)
		return
	}
	end, rest := pick(g, "", "", "until=end"), g.name()
	if g.chance(3) { // the frame is that of a number, unless this is absent
		condition := b.add(g.name(), integers[0])
		number := g.name()
		b.add(number, integers[1], "len="+number+".."+rest, "if="+condition)
	}
	b.add(rest, pick(g, typeBytes, typeString, reflect.SliceOf(integers[1]), reflect.SliceOf(g.element(depth))), end)
	for range g.r.IntN(3) {
		b.add(g.name(), pick(g, integers...), g.order())
	}
}
