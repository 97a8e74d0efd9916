package layout

import (
	"fmt"
	"reflect"
)

// link adds a number that counts the bytes of a field, in a struct before it, or
// after it.
func (g *typeGenerator) link(b *structBuilder, depth int) {
	number, target := g.name(), g.name()
	t := pick(g, integers[1], integers[2], integers[3], integers[6])
	targets := func() reflect.Type {
		return pick(g, typeBytes, typeString, reflect.SliceOf(integers[1]), reflect.SliceOf(g.element(depth)))
	}
	switch g.r.IntN(5) {
	case 0:
		when := g.sometimes(b)
		b.add(number, t, "len="+target, g.order())
		if when == "" && g.chance(8) { // it is present if its length is not 0
			when = "if=more"
		}
		b.add(target, targets(), when)
	case 1:
		b.add(number, t, fmt.Sprintf("len=%s*%d%+d", target, 1+g.r.IntN(4), g.r.IntN(9)-4), pick(g, "", "varint"))
		g.number(b, depth)
		b.add(target, pick(g, typeBytes, typeString))
	case 2:
		header := reflect.StructOf([]reflect.StructField{
			{Name: number, Type: t, Tag: reflect.StructTag(`layout:"len=` + target + `"`)},
			{Name: g.name(), Type: integers[0]},
		})
		b.add(g.name(), header, g.order())
		b.add(target, targets())
	case 3:
		b.add(target, typeBytes, "prefix=u8")
		b.add(number, t, "len="+target)
	case 4: // in the frame that it measures
		var in structBuilder
		in.add(number, t, "len="+target, g.order())
		in.add(g.name(), pick(g, typeBytes, typeString), pick(g, "", "prefix=u8", "cstring"))
		in.add(g.name(), pick(g, integers...))
		b.add(target, reflect.StructOf(in.fields), "prefix="+pick(g, "u16", "u24", "varint"))
	}
}

// linkAround adds numbers that count the bytes of a range around them, with a
// rest inside.
func (g *typeGenerator) linkAround(b *structBuilder, depth int) {
	first, number, last := g.name(), g.name(), g.name()
	span := "len=" + first + ".." + last
	t := pick(g, integers[1], integers[2], integers[3])
	b.add(first, integers[0])
	b.add(number, t, span, g.order())
	if g.chance(10) { // the range is the frame of fields that may be absent
		b.add(g.name(), integers[1], "if=more")
		b.add(last, typeBytes, "prefix=u8", "if=more")
		b.add(g.name(), integers[0])
		return
	}
	g.number(b, depth)
	if g.chance(2) {
		b.add(g.name(), pick(g, typeBytes, typeString, g.structure(max(depth-1, 0), true), reflect.SliceOf(g.element(depth))))
	} else {
		g.text(b, depth)
	}
	b.add(last, t, pick(g, "", span), pick(g, "", "u16"))
	b.add(g.name(), integers[0])
}

func (g *typeGenerator) counted(b *structBuilder, depth int) {
	number, x, y := g.name(), g.name(), g.name()
	t := pick(g, integers[0], integers[1], integers[6])
	when := ""
	units := func() string {
		return pick(g, "", "", "", "+3", fmt.Sprintf("*%d%+d", 1+g.r.IntN(4), g.r.IntN(9)-4))
	}
	switch g.r.IntN(5) {
	case 0, 1:
		when = g.sometimes(b)
		b.add(number, t, "count="+x+units(), pick(g, "", "varint"))
	case 2: // as many bytes as elements
		b.add(number, t, "count="+x, "len="+y)
		b.add(y, pick(g, typeBytes, typeString))
	case 3: // the number comes last
		b.add(x, reflect.SliceOf(pick(g, integers[1:]...)), pick(g, "count=u8", "prefix=u16"))
		b.add(number, t, "count="+x+units())
		return
	default:
		b.add(number, t, "count="+x+units(), "count="+y+units(), pick(g, "", "varint"))
		b.add(y, pick(g, typeBytes, typeString))
	}
	b.add(x, reflect.SliceOf(g.element(depth)), when)
}

// sometimes returns a condition for a field whose number is there in any case, and adds the number of
// the condition, or returns "".
func (g *typeGenerator) sometimes(b *structBuilder) string {
	if !g.chance(4) {
		return ""
	}
	return "if=" + b.add(g.name(), integers[0]) + pick(g, "", "&1", "!=2")
}
