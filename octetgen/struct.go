package octetgen

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/octet-go/octet/internal/outline"
	"github.com/octet-go/octet/msgpack/wire"
)

// functions prints the two functions of a struct.
func (p *printer) functions(d *outline.Type) {
	of, in := p.typeName(d.Go), p.use(msgpackPath)
	p.encoding = true
	name := p.function("Append", d)
	p.printf("// %s appends *v to dst. It reports false for what the plan of %s must encode.\n", name, of)
	p.printf("func %s(dst []byte, v *%s, depth int) (_ []byte, ok bool) {\n", name, of)
	p.printf("if depth < %d {\nreturn dst, false\n}\n", p.levels(d))
	if optional(d) {
		p.encodeOptional(d)
	} else {
		p.fields(d, "v", 1)
	}
	p.flush()
	p.printf("return dst, true\n}\n\n")

	p.encoding, p.reads = false, false
	name = p.function("Decode", d)
	p.printf("// %s decodes the value at pos into *v and returns its end. It returns -1 for what the plan of %s must decode.\n", name, of)
	p.printf("func %s(in *%s.Input, pos int, v *%s, depth int) int {\n", name, in, of)
	p.printf("if depth < %d {\nreturn -1\n}\n", p.levels(d))
	start := p.body.Len()
	if optional(d) {
		p.decodeOptional(d)
	} else {
		p.fields(d, "v", 1)
	}
	p.flush()
	if p.reads {
		body := p.body.String()[start:]
		p.body.Truncate(start)
		p.printf("data := in.Bytes()\n%s", body)
	}
	p.printf("return pos\n}\n\n")
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

// flush prints what appends the pending bytes, or what compares them.
func (p *printer) flush() {
	if !p.encoding {
		p.expect(0)
	} else if len(p.pending) > 0 {
		p.printf("dst = append(dst, %s...)\n", quote(p.pending))
		p.pending = nil
	}
}

// fields prints the header and the fields of the struct x, none of which is optional.
func (p *printer) fields(d *outline.Type, x string, level int) {
	if d.Form == outline.Tuple {
		p.pending = wire.AppendArrayHeader(p.pending, uint32(len(d.Fields)))
	} else {
		p.pending = wire.AppendMapHeader(p.pending, uint32(len(d.Fields)))
	}
	for i := range d.Fields {
		f := &d.Fields[i]
		p.comment(f, x, d)
		p.pending = append(p.pending, f.Key...)
		p.value(f.Value, selector(x, d.Go, f.Index), level, false)
	}
}

// value prints what encodes or decodes x. level is the number of containers around it, and present says that it is not
// nil.
func (p *printer) value(d *outline.Type, x string, level int, present bool) {
	verb := map[bool]string{true: "Append", false: "Decode"}[p.encoding]
	switch {
	case !p.isDirect(d):
		p.call(p.use(msgpackPath)+"."+verb+"Part", x, level)
	case p.inlines(d):
		p.fields(d, x, level+1)
	case d.Go.Kind() == reflect.Struct && d.Form != outline.Time:
		p.call(p.function(verb, d), x, level)
	case d.Form == outline.Array && d.Go.Kind() == reflect.Array:
		p.array(d, x, level)
	case p.encoding:
		p.encode(d, x, level, present)
	default:
		p.decode(d, x, level)
	}
}

// call prints the call of a function that encodes or decodes x.
func (p *printer) call(function, x string, level int) {
	p.flush()
	if p.encoding {
		p.printf("if dst, ok = %s(dst, %s, depth-%d); !ok {\nreturn dst, false\n}\n", function, address(x), level)
	} else {
		p.printf("if pos = %s(in, pos, %s, depth-%d); pos < 0 {\nreturn -1\n}\n", function, address(x), level)
	}
}

// array prints the elements of the array x.
func (p *printer) array(d *outline.Type, x string, level int) {
	p.pending = wire.AppendArrayHeader(p.pending, uint32(d.Go.Len()))
	for i := range d.Go.Len() {
		at := x + "[" + strconv.Itoa(i) + "]"
		if !p.encoding && !d.Elem.Replaced {
			p.flush()
			p.clear(d.Elem, at)
		}
		p.value(d.Elem, at, level+1, false)
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
