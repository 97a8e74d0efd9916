package octetgen

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// method prints the method of a type for package msgpack, and writes the fingerprint to hash.
func (p *printer) method(t reflect.Type, hash io.Writer) error {
	of := msgpack.FormOf(t, nil)
	fingerprint, err := of.Fingerprint()
	if err != nil {
		return err
	}
	d := p.form(of)
	if err := refused(t, p.obstacle(d)); err != nil {
		return err
	}
	io.WriteString(hash, fingerprint)
	p.printf("// OctetMsgpack returns the functions with which package msgpack encodes and decodes %s.\n", t.Name())
	p.printf("func (*%[1]s) OctetMsgpack() $msgpack$.Generated[%[1]s] {\nreturn $msgpack$.Generated[%[1]s]{\nFingerprint: %[2]q,\n%[3]sAppend: %[4]s,\nDecode: %[5]s,\n}\n}\n\n",
		t.Name(), fingerprint, either(d.replaces, "Replaces: true,\n", ""), p.function("Append", d), p.function("Decode", d))
	return nil
}

// A function encodes or decodes a struct.
type function struct {
	verb string // Append or Decode
	of   *form
}

// function returns the name of a function of a struct, which will be printed.
func (p *printer) function(verb string, d *form) string {
	if d.name == "" {
		name := d.typ.Name()
		if of := d.typ.PkgPath(); of != p.path {
			name = title(p.packages[of]) + name
		}
		d.name = p.unique(name)
	}
	if f := (function{verb, d}); !slices.Contains(p.functions, f) {
		p.functions = append(p.functions, f)
	}
	return "octet" + verb + d.name
}

func (f function) print(p *printer) {
	of, name := p.typeName(f.of.typ), "octet"+f.verb+f.of.name
	p.begin(f.verb == "Append")
	p.printf(either(p.encoding, `// %[1]s appends *v to dst. It reports false for what the plan of %[2]s must encode.
func %[1]s(dst []byte, v *%[2]s, depth int) (_ []byte, ok bool) {
`, `// %[1]s decodes the value at pos into *v and returns its end. It returns -1 for what the plan of %[2]s must decode.
func %[1]s(in *$msgpack$.Input, pos int, v *%[2]s, depth int) int {
`), name, of)
	start := p.body.Len()
	p.reads, p.levels = false, 0
	p.structure(f.of, "v", 1)
	p.flush()
	body := p.cut(start)
	p.leave("depth < %d", p.levels) // if containers would be too deep
	if p.reads && !p.encoding {
		p.printf("data := in.Bytes()\n")
	}
	p.printf("%sreturn %s\n}\n\n", body, either(p.encoding, "dst, true", "pos"))
}

// flush prints what appends the pending bytes, or what compares them.
func (p *printer) flush() {
	if !p.encoding {
		p.expect(0)
	} else if len(p.pending) > 0 {
		text := "dst"
		for piece := range slices.Chunk(p.pending, maxPiece) {
			text = fmt.Sprintf("append(%s, %s...)", text, quote(piece))
		}
		p.printf("dst = %s\n", text)
		p.pending = nil
	}
}

// expect prints a comparison with the pending bytes, and the test that so many bytes follow them.
func (p *printer) expect(after int) {
	n := len(p.pending)
	p.reads = p.reads || n+after > 0
	switch {
	case n > 0:
		p.printf("if len(data)-pos < %d || %s {\nreturn -1\n}\n", n+after, compare(p.pending, "!=", "||"))
		p.advance(n)
	case after > p.room:
		p.printf("if len(data)-pos < %d {\nreturn -1\n}\n", after)
	}
	p.pending, p.room = nil, 0
}

// compare returns the comparison of the next bytes of the message with others.
func compare(with []byte, operator, join string) string {
	var list []string
	from := "pos"
	for piece := range slices.Chunk(with, maxPiece) {
		to := fmt.Sprintf("pos+%d", len(list)*maxPiece+len(piece))
		list = append(list, fmt.Sprintf("string(data[%s:%s]) %s %s", from, to, operator, quote(piece)))
		from = to
	}
	return strings.Join(list, " "+join+" ")
}

// structure prints the header and the fields of the struct x. Where fields are optional, decoding tests for each key in turn.
func (p *printer) structure(d *form, x string, level int) {
	p.levels = max(p.levels, level)
	counts := p.header(d, x)
	for _, f := range d.fields {
		at := x + "." + f.GoName
		if !p.inlines(f.value) { // whose fields have comments of their own
			p.printf("// %s\n", strings.TrimPrefix(at, "v."))
		}
		if f.optional {
			p.flush()
		}
		switch {
		case f.optional && !p.encoding:
			p.printf("if left > 0 && len(data)-pos > %[1]d && %[2]s {\npos, left = pos+%[1]d, left-1\n", len(f.key), compare(f.key, "==", "&&"))
			for _, e := range f.pointers { // the plan does not set them for nil
				p.printf("if %[1]s == nil {\nif data[pos] == 0xc0 {\nreturn -1\n}\n%[1]s = new(%[2]s)\n}\n", x+"."+e.selector, p.typeName(e.of))
			}
			p.reads, p.room = true, 1
		case f.optional:
			p.printf("if %s {\n%s", p.condition(&f, x), counts)
			fallthrough
		default:
			p.pending = append(p.pending, f.key...)
		}
		p.value(f.value, at, level, p.encoding && (f.OmitEmpty || f.OmitZero))
		if f.optional {
			p.flush()
			p.printf("}\n")
		}
	}
	if counts != "" {
		p.flush()
		p.printf("dst[at] = n\n")
	}
	if d.optionals > 0 && !p.encoding {
		p.flush()
		p.printf("if left != 0 {\nreturn -1\n}\n")
	}
}

// header prints the header of the struct x. Where fields are optional, that of a map counts those that are present. If it has
// one byte for any number, it is set after them: then header returns the statement that counts one.
func (p *printer) header(d *form, x string) (counts string) {
	n, always := len(d.fields), len(d.fields)-d.optionals
	switch {
	case d.AsArray:
		p.pending = wire.AppendArrayHeader(p.pending, uint32(n))
	case d.optionals == 0:
		p.pending = wire.AppendMapHeader(p.pending, uint32(n))
	case p.encoding && n < 16:
		p.printf("at, n := len(dst), byte(%#x)\n", 0x80+always)
		p.pending = append(p.pending, 0x80)
		counts = "n++\n"
	case p.encoding:
		p.printf("n := uint32(%d)\n", always)
		for _, f := range d.fields {
			if f.optional {
				p.printf("if %s {\nn++\n}\n", p.condition(&f, x))
			}
		}
		p.printf("dst = $wire$.AppendMapHeader(dst, n)\n")
	case n < 16: // so a longer header is unusual
		p.expect(1)
		p.printf("left := int(data[pos] ^ 0x80)\nif left > %d {\nreturn -1\n}\npos++\n", n)
	default:
		p.printf("left, pos := in.Map(pos, 2)\nif pos < 0 {\nreturn -1\n}\n")
	}
	if d.optionals > 0 && !p.encoding && always > 0 {
		p.printf("left -= %d\n", always)
	}
	return counts
}

// value prints what encodes or decodes x. level is the number of containers around it, and present says that it is not
// nil.
func (p *printer) value(d *form, x string, level int, present bool) {
	verb, kind := either(p.encoding, "Append", "Decode"), d.typ.Kind()
	isNilable := kind == reflect.Map || kind == reflect.Pointer || kind == reflect.Slice
	switch {
	case p.encoding && !present && d.Kind == msgpack.FormMap:
		p.flush()
		p.printf("switch {\ncase %[1]s == nil:\ndst = append(dst, 0xc0)\ncase len(%[1]s) == 0 && depth > %[2]d:\ndst = append(dst, 0x80)\ndefault:\n", x, level)
		p.call("$msgpack$.AppendPart", x, level)
		p.printf("}\n")
	case !p.encoding && !repeatable(d) && (isNilable || !p.isDirect(d)):
		p.expect(1)
		p.printf("if data[pos] != 0xc0 {\nreturn -1\n}\n")
		if isNilable {
			p.printf("%s = nil\npos++\n", x)
		} else {
			p.call("$msgpack$.DecodePart", x, level)
		}
	case !p.encoding && d.Kind == msgpack.FormMap && kind == reflect.Map:
		p.entries(d, x, level)
	case !p.isDirect(d):
		p.call("$msgpack$."+verb+"Part", x, level)
	case p.inlines(d):
		p.structure(d, x, level+1)
	case d.Kind == msgpack.FormStruct:
		p.call(p.function(verb, d), x, level)
	case kind == reflect.Pointer:
		p.pointer(d, x, level, present)
	case d.Kind != msgpack.FormArray:
		p.scalar(d, x, present)
	case kind == reflect.Array:
		p.pending = wire.AppendArrayHeader(p.pending, uint32(d.typ.Len()))
		p.flush()
		p.elements(d, x, level+1)
	default:
		p.slice(d, x, level, present)
	}
}

// call prints the call of a function that encodes or decodes x.
func (p *printer) call(function, x string, level int) {
	p.flush()
	address := "&" + x
	if pointer, ok := strings.CutPrefix(x, "(*"); ok && strings.HasSuffix(x, ")") {
		address = strings.TrimSuffix(pointer, ")")
	}
	format := either(p.encoding, "dst, ok = %s(dst, %s, depth-%d); !ok", "pos = %s(in, pos, %s, depth-%d); pos < 0")
	p.leave(format, function, address, level)
}

// orNil prints what encodes or decodes the variable x where it is nil, and the else for what follows.
func (p *printer) orNil(x string) {
	if p.encoding {
		p.flush()
		p.printf("if %s == nil {\ndst = append(dst, 0xc0)\n} else ", x)
	} else {
		p.expect(1)
		p.printf("if data[pos] == 0xc0 {\n%s = nil\npos++\n} else ", x)
	}
}

// pointer prints the pointer x.
func (p *printer) pointer(d *form, x string, level int, present bool) {
	of := p.typeName(d.elem.typ)
	if !p.encoding && d.elem.typ == reflect.TypeFor[string]() {
		p.expect(0)
		p.printf("if s, end := in.StringPointer(pos, %[1]s); end > 0 {\n%[1]s, pos = s, end\n} else {\nreturn -1\n}\n", x)
		return
	}
	if !present {
		p.orNil(x)
		p.printf("{\n")
	}
	if !p.encoding {
		variable := "new(" + of + ")"
		if isNumber(d.elem) {
			variable = "$msgpack$.NewNumber[" + of + "](in, pos)"
		}
		p.printf("if %[1]s == nil {\n%[1]s = %s\n}\n", x, variable)
		p.room = 1
	}
	p.value(d.elem, "(*"+x+")", level, p.encoding)
	if !present {
		p.flush()
		p.printf("}\n")
	}
}

// slice prints the slice x. The plan encodes and decodes many numbers together. Elements of which a message may omit parts
// are decoded into new memory; the plan knows what of used elements it may keep.
func (p *printer) slice(d *form, x string, level int, present bool) {
	const short = "dst = append(dst, 0x90|byte(len(%[1]s)))\n"
	if present {
		p.flush()
	} else {
		p.orNil(x)
	}
	part, end := func(condition string, a ...any) {
		p.printf("if "+condition+" {\n", a...)
		p.call("$msgpack$."+either(p.encoding, "Append", "Decode")+"Part", x, level)
		p.printf("} else ")
	}, "}\n"
	switch isNumbers := isNumber(d.elem); {
	case p.encoding && isNumbers:
		part("len(%s) > 15", x)
		p.printf("{\n"+short, x)
	case p.encoding:
		p.printf("if len(%[1]s) < 16 {\n"+short+"} else if len(%[1]s) <= $math$.MaxInt32 {\ndst = $wire$.AppendArrayHeader(dst, uint32(len(%[1]s)))\n} else {\nreturn dst, false\n}\n", x)
		end = ""
	case isNumbers:
		part("data[pos]&^15 != 0x90")
		p.printf("if s, end := $msgpack$.Numbers(in, pos, %[1]s); end < 0 {\nreturn -1\n} else {\n%[1]s, pos = s, end\n", x)
	default:
		n := p.variable("n")
		if !d.elem.replaces { // the plan reads the header too, so what is known to be left to it must not be claimed here
			part("len(%s) > 0", x)
		}
		p.printf("{\n%s, end := in.Array(pos, %d)\nif end < 0 {\nreturn -1\n}\n", n, p.least(d.elem))
		if !d.elem.replaces {
			part("%s > %d", n, maxClaimed)
			p.printf("{\n")
			end += "}\n"
		}
		p.printf("pos = end\n%[1]s = $msgpack$.Resize(%[1]s, %[2]s)\n", x, n)
	}
	p.elements(d, x, level+1)
	p.printf("%s", end)
}

// elements prints a loop over the slice or array x.
func (p *printer) elements(d *form, x string, level int) {
	p.levels = max(p.levels, level)
	head, at := "", ""
	if p.encoding && d.typ.Kind() == reflect.Slice && isScalar(d.elem) {
		at = p.variable("e")
		head = "_, " + at + " :="
	} else {
		i := p.variable("i")
		head, at = i+" :=", x+"["+i+"]"
	}
	start := p.body.Len()
	p.value(d.elem, at, level, false)
	p.flush()
	body := p.cut(start)
	if !strings.Contains(body, at) { // they have no fields
		head = ""
	}
	p.printf("for %s range %s {\n%s}\n", head, x, body)
}

// entries prints what decodes the map x. Like the plan, it adds to the entries of a used map and replaces their elements. The
// plan does the same for elements that it must decode, but an empty map needs no call of it.
func (p *printer) entries(d *form, x string, level int) {
	p.levels = max(p.levels, level+1)
	of, ofKey, ofElem := p.typeName(d.typ), p.typeName(d.key.typ), p.typeName(d.elem.typ)
	if !isScalar(d.key) || !p.isDirect(d.key) || !p.isDirect(d.elem) || ofElem == "" || of == "" {
		p.expect(1)
		p.printf("if data[pos] == 0x80 && %s != nil {\npos++\n} else ", x)
		p.call("$msgpack$.DecodePart", x, level)
		return
	}
	n, key, e := p.variable("n"), p.variable("key"), p.variable("e")
	p.orNil(x)
	p.printf("{\n%s, end := in.Map(pos, %d)\nif end < 0 {\nreturn -1\n}\n", n, p.least(d.key)+p.least(d.elem))
	p.printf("if pos = end; %[1]s == nil {\n%[1]s = make(%[2]s, %[3]s)\n}\nfor range %[3]s {\nvar %[4]s %[5]s\nvar %[6]s %[7]s\n", x, of, n, key, ofKey, e, ofElem)
	p.value(d.key, key, level+1, false)
	p.value(d.elem, e, level+1, false)
	p.flush()
	p.printf("%s[%s] = %s\n}\n}\n", x, key, e)
}

// integerEncoder is what encodes integers. Small numbers are frequent. The others vary in width, which the processor cannot
// predict, so that branches for all widths take 7 % longer.
const integerEncoder = "if uint64(%[1]s) <= 127 {\ndst = append(dst, byte(%[1]s))\n} else {\ndst = $msgpack$.AppendInteger(dst, %[1]s)\n}\n"

// scalars has what encodes and what decodes values that are no containers: %[1]s is the variable, %[2]s that as a
// predeclared type, %[3]s its type, %[4]d its bits, and %[5]d the bytes that are tested before.
var scalars = map[msgpack.FormKind]struct{ encode, decode string }{
	msgpack.FormBool: {
		"dst = $wire$.AppendBool(dst, %[2]s)\n",
		"if data[pos]|1 != 0xc3 {\nreturn -1\n}\n%[1]s = data[pos] == 0xc3\npos++\n",
	},
	msgpack.FormInt: {
		integerEncoder,
		"if b := int8(data[pos]); b >= -32 {\n%[1]s, pos = %[3]s(b), pos+1\n} else if n, end := $msgpack$.DecodeInteger[%[3]s](in, pos); end > 0 {\n%[1]s, pos = n, end\n} else {\nreturn -1\n}\n",
	},
	msgpack.FormUint: {
		integerEncoder,
		"if b := data[pos]; b <= 127 {\n%[1]s, pos = %[3]s(b), pos+1\n} else if n, end := $msgpack$.DecodeInteger[%[3]s](in, pos); end > 0 {\n%[1]s, pos = n, end\n} else {\nreturn -1\n}\n",
	},
	msgpack.FormFloat: {
		"dst = $binary$.BigEndian.AppendUint%[4]d(dst, $math$.Float%[4]dbits(%[2]s))\n",
		"%[1]s = %[3]s($math$.Float%[4]dfrombits($binary$.BigEndian.Uint%[4]d(data[pos:])))\npos += %[5]d\n",
	},
	msgpack.FormStr: {
		"if len(%[1]s) > $math$.MaxInt32 {\nreturn dst, false\n}\ndst = $wire$.AppendString(dst, %[2]s)\n",
		"if s, end := in.String(pos); end > 0 {\n%[1]s, pos = %[3]s(s), end\n} else {\nreturn -1\n}\n",
	},
	msgpack.FormBin: {
		"if len(%[1]s) <= $math$.MaxInt32 {\ndst = $wire$.AppendBin(dst, %[1]s)\n} else {\nreturn dst, false\n}\n",
		"if b, end := in.Binary(pos, %[1]s); end > 0 {\n%[1]s, pos = b, end\n} else {\nreturn -1\n}\n",
	},
	msgpack.FormTime: {
		"if %[1]s.Nanosecond() > 999999999 {\nreturn dst, false\n}\ndst = $wire$.AppendTimestamp(dst, %[1]s.Unix(), uint32(%[1]s.Nanosecond()))\n",
		"if t, end := in.Time(pos); end > 0 {\n%[1]s, pos = t, end\n} else {\nreturn -1\n}\n",
	},
}

// scalar prints the value x, which is no container.
func (p *printer) scalar(d *form, x string, present bool) {
	code, predeclared, after := scalars[d.Kind], convert(d.typ, d.typ.Kind().String(), x), 0
	switch d.Kind {
	case msgpack.FormBool, msgpack.FormInt, msgpack.FormUint:
		after = 1
	case msgpack.FormFloat:
		after = d.Bits / 8
		p.pending = append(p.pending, map[int]byte{32: byte(wire.Float32), 64: byte(wire.Float64)}[d.Bits])
	}
	if !p.encoding {
		p.expect(after)
		p.printf(code.decode, x, predeclared, p.typeName(d.typ), d.Bits, after)
		return
	}
	if p.flush(); d.Kind == msgpack.FormBin && !present {
		p.orNil(x)
	}
	p.printf(code.encode, x, predeclared, p.typeName(d.typ), d.Bits)
}
