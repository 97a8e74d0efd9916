package octetgen

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/octet-go/octet/internal/outline"
)

// expect prints a comparison with the pending bytes, and the test that so many bytes follow them.
func (p *printer) expect(after int) {
	n := len(p.pending)
	p.reads = p.reads || n+after > 0
	switch {
	case n > 0:
		p.printf("if len(data)-pos < %d || string(data[pos:pos+%d]) != %s {\nreturn -1\n}\n", n+after, n, quote(p.pending))
		p.advance(n)
	case after > 0:
		p.printf("if len(data)-pos < %d {\nreturn -1\n}\n", after)
	}
	p.pending = nil
}

// advance prints what moves the position.
func (p *printer) advance(n int) {
	if n == 1 {
		p.printf("pos++\n")
	} else {
		p.printf("pos += %d\n", n)
	}
}

// decodeOptional prints a loop over the fields of a struct, some of which may be absent.
func (p *printer) decodeOptional(d *outline.Type) {
	p.printf("left, pos := in.Map(pos, 2)\nif pos < 0 {\nreturn -1\n}\n")
	p.printf("for ; left > 0; left-- {\nkey, end := in.Key(pos)\nif end < 0 {\nreturn -1\n}\npos = end\nswitch string(key) {\n")
	for i := range d.Fields {
		f := &d.Fields[i]
		p.printf("case %s:\n", strconv.Quote(f.Name))
		p.value(f.Value, selector("v", d.Go, f.Index), 1, false)
		p.flush()
	}
	p.printf("default:\nreturn -1\n}\n}\n")
}

// decode prints what decodes into the variable x.
func (p *printer) decode(d *outline.Type, x string, level int) {
	switch d.Form {
	case outline.Array:
		p.decodeSlice(d, x, level)
	case outline.Pointer:
		p.expect(1)
		p.printf("if data[pos] == 0xc0 {\n%s = nil\npos++\n} else {\nif %[1]s == nil {\n%[1]s = new(%s)\n}\n", x, p.typeName(d.Elem.Go))
		p.value(d.Elem, pointed(x), level, true)
		p.flush()
		p.printf("}\n")
	default:
		p.decodeScalar(d, x)
	}
}

func (p *printer) decodeSlice(d *outline.Type, x string, level int) {
	n, i := p.variable("n"), p.variable("i")
	p.expect(1)
	p.printf("if data[pos] == 0xc0 {\n%s = nil\npos++\n} else {\n%s, end := in.Array(pos, %d)\nif end < 0 {\nreturn -1\n}\n", x, n, p.least(d.Elem))
	if isNumber(d.Elem) {
		p.printf("if %s > %d {\nend = %s.DecodePart(in, pos, %s, depth-%d)\nif end < 0 {\nreturn -1\n}\npos = end\n} else {\n", n, maxNumbers, p.use(msgpackPath), address(x), level)
	}
	p.printf("pos = end\n%[1]s = %[2]s.Resize(%[1]s, %[3]s)\nfor %[4]s := range %[1]s {\n", x, p.use(msgpackPath), n, i)
	at := x + "[" + i + "]"
	if !d.Elem.Replaced {
		p.clear(d.Elem, at)
	}
	p.value(d.Elem, at, level+1, false)
	p.flush()
	p.printf("}\n}\n")
	if isNumber(d.Elem) {
		p.printf("}\n")
	}
}

// clear prints what sets the variable x to zero.
func (p *printer) clear(d *outline.Type, x string) {
	if d.Go.Kind() == reflect.Pointer {
		p.printf("%s = nil\n", x)
	} else {
		p.printf("%s = %s{}\n", x, p.typeName(d.Go))
	}
}

// decodeScalar prints what decodes a value that is not a container.
func (p *printer) decodeScalar(d *outline.Type, x string) {
	own := func(y string) string {
		if d.Go.PkgPath() == "" {
			return y
		}
		return p.typeName(d.Go) + "(" + y + ")"
	}
	switch d.Form {
	case outline.Bool:
		p.expect(1)
		p.printf("if data[pos]|1 != 0xc3 {\nreturn -1\n}\n%s = data[pos] == 0xc3\npos++\n", x)
	case outline.Int, outline.Uint:
		p.expect(1)
		t, b, test, read, wide := p.typeName(d.Go), "data[pos]", "b <= 127", "Uint", "uint64"
		if d.Form == outline.Int {
			b, test, read, wide = "int8(data[pos])", "b >= -32", "Int", "int64"
		}
		fits, value := "", "n"
		if t != wide {
			fits, value = fmt.Sprintf(" && %s(%s(n)) == n", wide, t), t+"(n)"
		}
		p.printf("if b := %s; %s {\n%s, pos = %s(b), pos+1\n} else if n, end := in.%s(pos); end > 0%s {\n%[3]s, pos = %[7]s, end\n} else {\nreturn -1\n}\n", b, test, x, t, read, fits, value)
	case outline.Float:
		bits := d.Go.Bits()
		p.pending = append(p.pending, floatFormat(bits))
		p.expect(bits / 8)
		p.printf("%s = %s\npos += %d\n", x, own(fmt.Sprintf("%s.Float%dfrombits(%s.BigEndian.Uint%[2]d(data[pos:]))", p.use("math"), bits, p.use("encoding/binary"))), bits/8)
	case outline.String:
		p.flush()
		p.printf("if s, end := in.String(pos); end > 0 {\n%s, pos = %s, end\n} else {\nreturn -1\n}\n", x, own("s"))
	case outline.Bytes:
		p.flush()
		p.printf("if b, end := in.Binary(pos, %[1]s); end > 0 {\n%[1]s, pos = b, end\n} else {\nreturn -1\n}\n", x)
	case outline.Time:
		p.flush()
		p.printf("if t, end := in.Time(pos); end > 0 {\n%s, pos = t, end\n} else {\nreturn -1\n}\n", x)
	}
}
