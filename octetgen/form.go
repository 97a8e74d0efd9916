package octetgen

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// A form is a type as package msgpack encodes it. Its Kind is FormOwn for pointers and for what is left to the plan.
type form struct {
	msgpack.Description
	typ      reflect.Type
	name     string // in the names of its functions
	err      error
	key      *form // of a map
	elem     *form // of a slice, array, map or pointer
	fields   []field
	replaces bool // decoding sets all of a used variable

	optionals int // how many fields may be absent
}

// A field is a field of a struct.
type field struct {
	*msgpack.FieldForm
	key      []byte // nil in an array
	value    *form
	index    []int
	selects  bool       // the package can write the selector
	byTag    bool       // the tag gives the type of the field another form
	optional bool       // it may be absent
	pointers []embedded // those that lead to it
}

// An embedded is an embedded pointer: its selector, and the type that it points to.
type embedded struct {
	selector string
	of       reflect.Type
}

// form returns what package msgpack says of a type.
func (p *printer) form(of msgpack.Form) *form {
	if d := p.forms[of]; d != nil {
		return d
	}
	d := &form{typ: of.Type()}
	p.forms[of] = d
	d.Description, d.err = of.Describe()
	switch kind, isList := d.typ.Kind(), d.Kind == msgpack.FormArray; {
	case kind == reflect.Pointer:
		d.Kind, d.elem = msgpack.FormOwn, p.form(msgpack.FormOf(d.typ.Elem(), nil))
		d.replaces = d.elem.replaces
	case d.err != nil || d.Checked || isList && kind != reflect.Slice && kind != reflect.Array ||
		kind == reflect.Struct && d.Kind != msgpack.FormStruct && d.Kind != msgpack.FormTime: // such as those of package atomic
		d.Kind = msgpack.FormOwn
	case isList:
		d.elem = p.form(d.Elem)
		d.replaces = kind == reflect.Slice || d.elem.replaces
	case d.Kind == msgpack.FormMap:
		d.key, d.elem = p.form(d.Key), p.form(d.Elem)
	case d.Kind == msgpack.FormStruct:
		p.addFields(d)
	default:
		d.replaces = isScalar(d)
	}
	return d
}

func (p *printer) addFields(d *form) {
	replaces := !d.Rest
	for i := range d.Fields {
		f := field{FieldForm: &d.Fields[i]}
		f.value, f.byTag = p.form(f.Form), f.Form != msgpack.FormOf(f.Form.Type(), nil)
		if f.optional = f.OmitEmpty || f.OmitZero || f.OmitNil; f.optional {
			d.optionals++
		}
		p.find(d.typ, &f)
		switch n, err := strconv.ParseInt(f.Name, 10, 64); {
		case d.AsArray:
		case !d.IntegerKeys:
			f.key = wire.AppendString(nil, f.Name)
		case err == nil:
			f.key = wire.AppendInt(nil, n)
		default:
			u, _ := strconv.ParseUint(f.Name, 10, 64)
			f.key = wire.AppendUint(nil, u)
		}
		d.fields = append(d.fields, f)
		replaces = replaces && !f.optional && !f.Nil && f.value.replaces
	}
	// Fields that are not encoded keep their values, and a type inside itself counts as one that does.
	d.replaces = replaces && encodesAll(d.typ, d.fields, nil)
}

// find sets what the selector of a field of t says: its index, the pointers, and whether the package can write it.
func (p *printer) find(t reflect.Type, f *field) {
	f.selects = true
	path := ""
	for name := range strings.SplitSeq(f.GoName, ".") {
		g, _ := target(t).FieldByName(name)
		f.selects = f.selects && (g.PkgPath == "" || g.PkgPath == p.path)
		for _, at := range g.Index {
			if t.Kind() == reflect.Pointer {
				t = t.Elem()
				f.pointers = append(f.pointers, embedded{path, t})
			}
			path, t = strings.TrimPrefix(path+"."+t.Field(at).Name, "."), t.Field(at).Type
		}
		f.index = append(f.index, g.Index...)
	}
}

// encodesAll reports whether each field of t, which index leads to, is one of fields or has fields that are.
func encodesAll(t reflect.Type, fields []field, index []int) bool {
	for i := range t.NumField() {
		f, at := t.Field(i), append(slices.Clone(index), i)
		isField := slices.ContainsFunc(fields, func(d field) bool { return slices.Equal(d.index, at) })
		if !isField && f.Type.Size() > 0 && (f.Type.Kind() != reflect.Struct || !encodesAll(f.Type, fields, at)) {
			return false
		}
	}
	return true
}

// isScalar reports whether values of a type are no containers and not left to the plan.
func isScalar(d *form) bool {
	return d.Kind >= msgpack.FormBool && d.Kind <= msgpack.FormTime && d.Kind != msgpack.FormNumber
}

// isNumber reports whether a type is a bool or a number. The plan encodes and decodes many of them together.
func isNumber(d *form) bool { return d.Kind >= msgpack.FormBool && d.Kind <= msgpack.FormFloat }

// obstacle returns why a struct has no functions of its own, or "".
func (p *printer) obstacle(d *form) string {
	why := firstOf([]obstacle{
		{d.Kind != msgpack.FormStruct, "it has methods or a form of its own"},
		{d.Rest, "it has an inline map"},
	})
	for i := 0; i < len(d.fields) && why == ""; i++ {
		f := &d.fields[i]
		isNameless := func(e embedded) bool { return p.typeName(e.of) == "" }
		why = firstOf([]obstacle{
			{f.Nil, "the field " + f.GoName + " of an embedded pointer that is nil must be written"},
			{f.EncodeOnly, "an embedded pointer that cannot be set leads to field " + f.GoName},
			{slices.ContainsFunc(f.pointers, isNameless), "the package cannot name the embedded type that leads to field " + f.GoName},
			{f.byTag, "the tag of field " + f.GoName + " gives its type another form"},
			{f.value.err != nil, "field " + f.GoName + " has a type that cannot be encoded"},
			{!f.selects, "field " + f.GoName + " belongs to an unexported type of another package"},
			{f.optional && p.condition(f, "v") == "", "the condition for omitting field " + f.GoName + " is not supported"},
		})
	}
	return why
}

// hasFunctions reports whether values of a type are encoded and decoded by functions of this package.
func (p *printer) hasFunctions(d *form) bool { return p.obstacle(d) == "" && p.typeName(d.typ) != "" }

// inside returns the types of the fields, elements and targets of a type at any depth.
func (d *form) inside() []*form {
	list, seen := []*form{d}, map[*form]bool{nil: true}
	add := func(e *form) {
		if !seen[e] {
			seen[e] = true
			list = append(list, e)
		}
	}
	for i := 0; i < len(list); i++ {
		add(list[i].elem)
		for _, f := range list[i].fields {
			add(f.value)
		}
	}
	return list[1:]
}

// inlines reports whether the fields of a struct are encoded and decoded in the function of the struct around it.
func (p *printer) inlines(d *form) bool {
	return p.obstacle(d) == "" && d.optionals == 0 && (d.typ.Name() == "" || len(d.fields) <= maxInlined && !recursive(d))
}

// recursive reports whether a struct contains itself.
func recursive(d *form) bool { return slices.Contains(d.inside(), d) }

// condition returns the condition on which an optional field of x is present, or "" if the plan must test it.
func (p *printer) condition(f *field, x string) string {
	var list []string
	for _, e := range f.pointers {
		list = append(list, x+"."+e.selector+" != nil")
	}
	if f.OmitEmpty || f.OmitZero {
		present := p.present(f, x+"."+f.GoName)
		if present == "" {
			return ""
		}
		list = append(list, present)
	}
	return strings.Join(list, " && ")
}

// present is condition for the field x itself.
func (p *printer) present(f *field, x string) string {
	t, zeroer := f.value.typ, reflect.TypeFor[interface{ IsZero() bool }]()
	switch k := t.Kind(); {
	case f.value.Kind == msgpack.FormTime:
		return "!" + x + ".IsZero()"
	case f.OmitZero && t == reflect.TypeFor[*time.Time]():
		return x + " != nil && !" + x + ".IsZero()"
	case f.OmitZero && (t.Implements(zeroer) || reflect.PointerTo(t).Implements(zeroer)) || t.PkgPath() == "sync/atomic":
		return ""
	case (k == reflect.Slice || k == reflect.Map) && f.OmitEmpty:
		return "len(" + x + ") != 0"
	case k == reflect.Float32 || k == reflect.Float64:
		return x + " != 0"
	}
	return p.nonzero(t, x)
}

// repeatable reports whether decoding a message twice gives what decoding it once gives. The
// plan decodes what generated code has begun to decode, so this must be true of everything
// before that. It is false of a map with keys that need not be equal to themselves, or
// that are a new pointer each time: they would be in the map twice.
func repeatable(d *form) bool {
	return !slices.ContainsFunc(append(d.inside(), d), func(e *form) bool {
		return (e.Kind == msgpack.FormMap || e.Set) && e.typ.Kind() == reflect.Map && !isStable(e.typ.Key())
	})
}

// isStable reports whether a key of type t is equal to itself when it is decoded again.
func isStable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128, reflect.Pointer, reflect.Interface, reflect.Chan:
		return false
	case reflect.Array:
		return isStable(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if t != reflect.TypeFor[time.Time]() && !isStable(t.Field(i).Type) {
				return false
			}
		}
	}
	return true
}

// least returns the smallest number of bytes that a value takes.
func (p *printer) least(d *form) int {
	if !p.hasFunctions(d) || d.optionals > 0 || recursive(d) {
		return 1
	}
	n := 1
	for _, f := range d.fields {
		n += len(f.key) + p.least(f.value)
	}
	return n
}

// isDirect reports whether more is printed for a type than a call of its plan.
func (p *printer) isDirect(d *form) bool {
	switch kind := d.typ.Kind(); {
	case kind == reflect.Pointer:
		in := d.elem.typ
		return in.Kind() != reflect.Pointer && in.Kind() != reflect.Slice && in.Kind() != reflect.Array && p.isDirect(d.elem) && p.typeName(in) != ""
	case d.Kind == msgpack.FormBin:
		return kind == reflect.Slice && d.typ.Elem() == reflect.TypeFor[byte]()
	case isScalar(d):
		return p.typeName(d.typ) != ""
	case d.Kind != msgpack.FormArray:
		return p.hasFunctions(d) || p.inlines(d)
	case kind == reflect.Array:
		return d.typ.Len() < 16 && isScalar(d.elem) && p.isDirect(d.elem) // the plan writes many numbers together
	case isScalar(d.elem):
		return p.isDirect(d.elem) && p.typeName(d.typ) != ""
	}
	// The plan has loops for slices of other types that are faster.
	inner := d.elem
	if inner.typ.Kind() == reflect.Pointer {
		inner = inner.elem
	}
	return p.hasFunctions(inner) && p.typeName(d.typ) != "" && p.isDirect(d.elem) && d.elem.typ.Size() <= maxElement
}

const (
	// maxInlined is the number of fields of a struct that is inlined.
	maxInlined = 4

	// maxPiece is the number of constant bytes that the compiler copies or compares without a call.
	maxPiece = 16

	// maxElement is the size of elements, in bytes, for which no message can claim more memory than there is.
	maxElement = 1 << 12

	// maxClaimed is the number of elements up to which a slice is made before its elements are decoded, if an element
	// takes a single byte of the message. It does not depend on their size, which differs between machines.
	maxClaimed = 256
)
