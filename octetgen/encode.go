package octetgen

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/octet-go/octet/internal/outline"
	"github.com/octet-go/octet/msgpack/wire"
)

// encoder prints the function that encodes a struct.
func (p *printer) encoder(d *outline.Type) {
	name, of := p.function("Append", d), p.typeName(d.Go)
	p.printf("// %s appends *v to dst. It reports false for what the plan of %s must encode.\n", name, of)
	p.printf("func %s(dst []byte, v *%s, depth int) (_ []byte, ok bool) {\n", name, of)
	p.printf("if depth < %d {\nreturn dst, false\n}\n", p.levels(d))
	if optional(d) {
		p.encodeOptional(d)
	} else {
		p.encodeFields(d, "v", 1)
	}
	p.flush()
	p.printf("return dst, true\n}\n\n")
}

// levels returns how many levels of containers the functions of a struct open themselves.
func (p *printer) levels(d *outline.Type) int {
	n := 1
	for i := range d.Fields {
		n = max(n, 1+p.levelsOf(d.Fields[i].Value))
	}
	return n
}

func (p *printer) levelsOf(d *outline.Type) int {
	switch {
	case p.inlines(d):
		return p.levels(d)
	case d.Form == outline.Pointer && p.isDirect(d):
		return p.levelsOf(d.Elem)
	case d.Form == outline.Array && p.isDirect(d):
		return 1 + p.levelsOf(d.Elem)
	}
	return 0
}

// flush prints what appends the pending bytes.
func (p *printer) flush() {
	if len(p.pending) > 0 {
		p.printf("dst = append(dst, %s...)\n", quote(p.pending))
		p.pending = nil
	}
}

// encodeFields prints the header and the fields of the struct x, none of which is optional.
func (p *printer) encodeFields(d *outline.Type, x string, level int) {
	if d.Form == outline.Tuple {
		p.pending = wire.AppendArrayHeader(p.pending, uint32(len(d.Fields)))
	} else {
		p.pending = wire.AppendMapHeader(p.pending, uint32(len(d.Fields)))
	}
	for i := range d.Fields {
		f := &d.Fields[i]
		p.comment(f, x, d)
		p.pending = append(p.pending, f.Key...)
		p.encode(f.Value, selector(x, d.Go, f.Index), level, false)
	}
}

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
			p.printf("if %s {\nn++\n}\n", condition(f, selector("v", d.Go, f.Index)))
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
			p.printf("if %s {\n", condition(f, x))
		}
		p.pending = append(p.pending, f.Key...)
		p.encode(f.Value, x, 1, isOptional(f))
		if isOptional(f) {
			p.flush()
			p.printf("}\n")
		}
	}
}

// isDirect reports whether encode and decode print more for a type than a call of its plan.
func (p *printer) isDirect(d *outline.Type) bool {
	switch d.Form {
	case outline.Bool, outline.Int, outline.Uint, outline.Float, outline.String, outline.Time:
		return p.typeName(d.Go) != ""
	case outline.Bytes:
		return d.Go.Kind() == reflect.Slice && d.Go.Elem() == reflect.TypeFor[byte]()
	case outline.Pointer:
		kind := d.Elem.Go.Kind()
		return kind != reflect.Pointer && kind != reflect.Slice && kind != reflect.Array && p.isDirect(d.Elem) && p.typeName(d.Elem.Go) != ""
	case outline.Array:
		if d.Go.Kind() == reflect.Array {
			return d.Go.Len() <= maxUnrolled && p.isDirect(d.Elem) && (d.Elem.Replaced || p.typeName(d.Elem.Go) != "")
		}
		if isScalar(d.Elem) {
			return p.isDirect(d.Elem) && p.typeName(d.Go) != ""
		}
		// The plan has loops for slices of other types that are faster.
		inner := d.Elem
		if inner.Form == outline.Pointer {
			inner = inner.Elem
		}
		return p.hasFunctions(inner) && p.typeName(d.Go) != "" && p.isDirect(d.Elem) && d.Elem.Go.Size() <= maxElement
	}
	return p.hasFunctions(d) || p.inlines(d)
}

const (
	// maxUnrolled is the number of elements of an array that become single values.
	maxUnrolled = 8

	// maxNumbers is the number of elements from which the plan is faster.
	maxNumbers = 32

	// maxElement is the size of elements, in bytes, for which no message can claim more memory than there is.
	maxElement = 1 << 12
)

// isScalar reports whether values of a type are no containers and not left to the plan.
func isScalar(d *outline.Type) bool {
	return d.Form >= outline.Bool && d.Form <= outline.Time
}

// isNumber reports whether a type is a bool or a number. The plan encodes and decodes many of them together.
func isNumber(d *outline.Type) bool {
	return d.Form >= outline.Bool && d.Form <= outline.Float
}

// encode prints what appends the value x. level is the number of containers around it, and present says that it is
// not nil.
func (p *printer) encode(d *outline.Type, x string, level int, present bool) {
	if !p.isDirect(d) {
		p.flush()
		p.appendPart(x, level)
		return
	}
	switch d.Form {
	case outline.Struct, outline.Tuple:
		p.encodeStruct(d, x, level)
	case outline.Array:
		p.encodeArray(d, x, level, present)
	case outline.Pointer:
		p.flush()
		if !present {
			p.printf("if %s == nil {\ndst = append(dst, 0xc0)\n} else {\n", x)
		}
		p.encode(d.Elem, pointed(x), level, true)
		p.flush()
		if !present {
			p.printf("}\n")
		}
	default:
		p.encodeScalar(d, x, present)
	}
}

// pointed returns the expression for what the pointer x points to.
func pointed(x string) string {
	return "(*" + x + ")"
}

// address returns the address of the variable x.
func address(x string) string {
	if pointer, ok := strings.CutPrefix(x, "(*"); ok && strings.HasSuffix(x, ")") {
		return strings.TrimSuffix(pointer, ")")
	}
	return "&" + x
}

func (p *printer) encodeStruct(d *outline.Type, x string, level int) {
	if p.inlines(d) {
		p.encodeFields(d, x, level+1)
		return
	}
	p.flush()
	p.printf("if dst, ok = %s(dst, %s, depth-%d); !ok {\nreturn dst, false\n}\n", p.function("Append", d), address(x), level)
}

func (p *printer) encodeArray(d *outline.Type, x string, level int, present bool) {
	if d.Go.Kind() == reflect.Array {
		p.pending = wire.AppendArrayHeader(p.pending, uint32(d.Go.Len()))
		for i := range d.Go.Len() {
			p.encode(d.Elem, x+"["+strconv.Itoa(i)+"]", level+1, false)
		}
		return
	}
	p.flush()
	if !present {
		p.printf("if %s == nil {\ndst = append(dst, 0xc0)\n} else ", x)
	}
	many := isNumber(d.Elem)
	if many {
		p.printf("if len(%s) > %d {\n", x, maxNumbers)
		p.appendPart(x, level)
		p.printf("} else {\n")
	}
	p.printf("if len(%s) < 16 {\ndst = append(dst, 0x90|byte(len(%[1]s)))\n} else if len(%[1]s) <= %s.MaxInt32 {\ndst = %s.AppendArrayHeader(dst, uint32(len(%[1]s)))\n} else {\nreturn dst, false\n}\n",
		x, p.use("math"), p.use(wirePath))
	if isScalar(d.Elem) {
		e := p.variable("e")
		p.printf("for _, %s := range %s {\n", e, x)
		p.encode(d.Elem, e, level+1, false)
	} else {
		i := p.variable("i")
		p.printf("for %s := range %s {\n", i, x)
		p.encode(d.Elem, x+"["+i+"]", level+1, false)
	}
	p.flush()
	p.printf("}\n")
	if many {
		p.printf("}\n")
	}
}

// appendPart prints what appends the value x with its plan.
func (p *printer) appendPart(x string, level int) {
	p.printf("if dst, ok = %s.AppendPart(dst, %s, depth-%d); !ok {\nreturn dst, false\n}\n", p.use(msgpackPath), address(x), level)
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

// convert returns x, which has the type t, as a value of a predeclared type.
func convert(t reflect.Type, to, x string) string {
	if t.PkgPath() == "" && t.Name() == to {
		return x
	}
	return to + "(" + x + ")"
}
