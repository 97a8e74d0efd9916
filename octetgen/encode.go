package octetgen

import (
	"github.com/octet-go/octet/internal/outline"
	"github.com/octet-go/octet/msgpack/wire"
)

// encodeOptional prints the same for a struct with optional fields.
func (p *printer) encodeOptional(d *outline.Type) {
	always := 0
	for i := range d.Fields {
		if !isOptional(&d.Fields[i]) {
			always++
		}
	}
	p.printf("n := %d\n", always)
	for i := range d.Fields {
		if f := &d.Fields[i]; isOptional(f) {
			p.printf("if %s {\nn++\n}\n", p.condition(f, selector("v", d.Go, f.Index)))
		}
	}
	if len(d.Fields) < 16 {
		p.printf("dst = append(dst, 0x80|byte(n))\n")
	} else {
		p.printf("dst = %s.AppendMapHeader(dst, uint32(n))\n", p.use(wirePath))
	}
	for i := range d.Fields {
		f := &d.Fields[i]
		x := selector("v", d.Go, f.Index)
		p.comment(f, "v", d)
		if isOptional(f) {
			p.flush()
			p.printf("if %s {\n", p.condition(f, x))
		}
		p.pending = append(p.pending, f.Key...)
		p.value(f.Value, x, 1, isOptional(f))
		if isOptional(f) {
			p.flush()
			p.printf("}\n")
		}
	}
}

// encode prints what appends the value x.
func (p *printer) encode(d *outline.Type, x string, level int, present bool) {
	switch d.Form {
	case outline.Array:
		p.encodeSlice(d, x, level, present)
	case outline.Pointer:
		p.flush()
		if !present {
			p.printf("if %s == nil {\ndst = append(dst, 0xc0)\n} else {\n", x)
		}
		p.value(d.Elem, pointed(x), level, true)
		p.flush()
		if !present {
			p.printf("}\n")
		}
	default:
		p.encodeScalar(d, x, present)
	}
}

func (p *printer) encodeSlice(d *outline.Type, x string, level int, present bool) {
	p.flush()
	if !present {
		p.printf("if %s == nil {\ndst = append(dst, 0xc0)\n} else ", x)
	}
	many := isNumber(d.Elem)
	if many {
		p.printf("if len(%s) > %d {\n", x, maxNumbers)
		p.call(p.use(msgpackPath)+".AppendPart", x, level)
		p.printf("} else {\n")
	}
	p.printf("if len(%s) < 16 {\ndst = append(dst, 0x90|byte(len(%[1]s)))\n} else if len(%[1]s) <= %s.MaxInt32 {\ndst = %s.AppendArrayHeader(dst, uint32(len(%[1]s)))\n} else {\nreturn dst, false\n}\n",
		x, p.use("math"), p.use(wirePath))
	if isScalar(d.Elem) {
		e := p.variable("e")
		p.printf("for _, %s := range %s {\n", e, x)
		p.value(d.Elem, e, level+1, false)
	} else {
		i := p.variable("i")
		p.printf("for %s := range %s {\n", i, x)
		p.value(d.Elem, x+"["+i+"]", level+1, false)
	}
	p.flush()
	p.printf("}\n")
	if many {
		p.printf("}\n")
	}
}

// encodeScalar prints what appends a value that is not a container.
func (p *printer) encodeScalar(d *outline.Type, x string, present bool) {
	switch d.Form {
	case outline.Bool:
		p.flush()
		p.printf("dst = %s.AppendBool(dst, %s)\n", p.use(wirePath), convert(d.Go, "bool", x))
	case outline.Int, outline.Uint:
		p.flush()
		test, verb, wide := x+" <= 127", "AppendUint", "uint64"
		if d.Form == outline.Int {
			test, verb, wide = "0 <= "+x+" && "+test, "AppendInt", "int64"
		}
		p.printf("if %s {\ndst = append(dst, byte(%s))\n} else {\ndst = %s.%s(dst, %s)\n}\n", test, x, p.use(wirePath), verb, convert(d.Go, wide, x))
	case outline.Float:
		bits := d.Go.Bits()
		p.pending = append(p.pending, floatFormat(bits))
		p.flush()
		p.printf("dst = %s.BigEndian.AppendUint%d(dst, %s.Float%[2]dbits(%[4]s))\n", p.use("encoding/binary"), bits, p.use("math"), convert(d.Go, d.Go.Kind().String(), x))
	case outline.String:
		p.flush()
		p.printf("if len(%[1]s) < 32 {\ndst = append(append(dst, 0xa0|byte(len(%[1]s))), %[1]s...)\n} else if len(%[1]s) <= %[2]s.MaxInt32 {\ndst = %[3]s.AppendString(dst, %[4]s)\n} else {\nreturn dst, false\n}\n",
			x, p.use("math"), p.use(wirePath), convert(d.Go, "string", x))
	case outline.Bytes:
		p.flush()
		if !present {
			p.printf("if %s == nil {\ndst = append(dst, 0xc0)\n} else ", x)
		}
		p.printf("if len(%[1]s) < 256 {\ndst = append(append(dst, 0xc4, byte(len(%[1]s))), %[1]s...)\n} else if len(%[1]s) <= %[2]s.MaxInt32 {\ndst = %[3]s.AppendBin(dst, %[1]s)\n} else {\nreturn dst, false\n}\n",
			x, p.use("math"), p.use(wirePath))
	case outline.Time:
		p.flush()
		p.printf("if %[1]s.Nanosecond() > 999999999 {\nreturn dst, false\n}\ndst = %[2]s.AppendTime(dst, %[1]s)\n", x, p.use(wirePath))
	}
}

// floatFormat returns the format byte of a float.
func floatFormat(bits int) byte {
	if bits == 32 {
		return byte(wire.Float32)
	}
	return byte(wire.Float64)
}
