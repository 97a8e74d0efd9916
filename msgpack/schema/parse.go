package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/octet-go/octet/msgpack"
)

// ErrSyntax: a text is not a schema that [Parse] can read.
var ErrSyntax = errors.New("schema: invalid schema")

// Parse reads the text form. A schema that [Schema.String] has written is read back as
// it was. Of other JSON Schemas it reads those whose types all have the keyword msgpack.
// The error is [ErrSyntax], and says where.
func Parse(text []byte) (*Schema, error) {
	o, err := readJSON(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	p := parser{types: map[string]*Type{}}
	defs, _ := o.get("$defs").(object)
	for _, d := range defs {
		p.types[d.name] = &Type{Name: d.name}
	}
	for _, d := range defs {
		at := "$defs/" + d.name
		t, null := p.typ(d.value, at)
		if null || p.err == nil && !canBeNamed(t) {
			p.fail(at, "is not the definition of an array, map, struct or union")
		}
		t.Name = d.name
		*p.types[d.name] = t
	}
	s := &Schema{Root: p.value(o, "")}
	p.checkVariants(defs, s.Root.Type)
	if p.err != nil {
		return nil, p.err
	}
	return s, nil
}

// maxLength is the largest length of a value in MessagePack, and of one in Go.
const maxLength = min(math.MaxUint32, math.MaxInt)

func canBeNamed(t Type) bool {
	t.Name = "T"
	return isNamed(&t)
}

// A parser reads types. It keeps the first error.
type parser struct {
	types map[string]*Type
	err   error
}

// fail notes an error at a JSON pointer.
func (p *parser) fail(at, why string) {
	if p.err == nil {
		p.err = fmt.Errorf("%w: /%s %s", ErrSyntax, at, why)
	}
}

// value reads the keywords for a place.
func (p *parser) value(v any, at string) Value {
	o, ok := v.(object)
	if !ok {
		p.fail(at, "is not a schema")
		return Value{Type: &Type{}}
	}
	null := false
	if either, ok := o.get("anyOf").([]any); ok && len(either) == 2 {
		o, _ = either[0].(object)
		null = true
	}
	if ref, ok := o.get("$ref").(string); ok {
		name, local := strings.CutPrefix(ref, "#/$defs/")
		t := p.types[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
		if !local || t == nil {
			p.fail(at, "refers to "+strconv.Quote(ref)+", which is not in $defs")
			t = &Type{}
		}
		return Value{t, null}
	}
	t, null := p.typ(o, at)
	return Value{&t, null}
}

// typ reads the keywords for a type.
func (p *parser) typ(v any, at string) (t Type, null bool) {
	o, _ := v.(object)
	k := keywords{p, o, at}
	own, ok := o.get(vocabulary).(object)
	if !ok {
		p.fail(at, `has no keyword "msgpack"`)
		return t, false
	}
	m := keywords{p, own, at + "/" + vocabulary}
	t.Length = -1
	kind := m.text("kind")
	for t.Kind = 0; t.Kind <= msgpack.FormUnion && t.Kind.String() != kind; {
		t.Kind++
	}
	if t.Kind > msgpack.FormUnion {
		p.fail(at, "has the unknown kind "+strconv.Quote(kind))
		return Type{}, false
	}
	switch t.Kind {
	case msgpack.FormOwn:
		t.Name = m.text("go")
	case msgpack.FormInt, msgpack.FormUint:
		t.Bits = m.oneOf("bits", 8, 16, 32, 64)
	case msgpack.FormFloat:
		t.Bits = m.oneOf("bits", 32, 64)
	case msgpack.FormStr, msgpack.FormBin:
		if own.get("go") != nil {
			t.Name, t.Checked = m.text("go"), true
		}
		if own.get("length") != nil {
			t.Length = m.number("length", 0, maxLength)
		}
	case msgpack.FormTime:
		form := slices.Index(timeForms, m.text("form"))
		if form < 0 {
			p.fail(at, "has an unknown form of time")
		}
		t.Time = msgpack.TimeForm(max(form, 0))
	case msgpack.FormExt:
		if t.AnyExt = own.get("ext") == nil; !t.AnyExt {
			t.Ext = int8(m.number("ext", -128, 127))
		}
	case msgpack.FormArray:
		if t.Elem, t.Set = k.value("items"), m.flag("set"); t.Set {
			t.RejectUnknown, t.ExactArrays = m.flag("rejectunknown"), m.flag("exactarrays")
		}
		if o.get("minItems") != nil {
			t.Length = k.number("minItems", 0, maxLength)
		}
	case msgpack.FormMap:
		t.Key, t.Elem, t.Pairs = m.value("key"), k.value("additionalProperties"), m.flag("pairs")
	case msgpack.FormStruct:
		p.structure(&t, k, m)
	case msgpack.FormUnion:
		p.union(&t, k, m)
	}
	return t, m.flag("nil")
}

// structure reads the keywords for a struct.
func (p *parser) structure(t *Type, k, m keywords) {
	t.AsArray, t.IntegerKeys = m.flag("asarray"), m.flag("integerkeys")
	t.RejectUnknown, t.ExactArrays = m.flag("rejectunknown"), m.flag("exactarrays")
	field := func(name string, v any, at string) {
		f := Field{Value: p.value(v, at), Name: name}
		o, _ := v.(object)
		own, _ := o.get(vocabulary + "-field").(object)
		g := keywords{p, own, at + "/" + vocabulary + "-field"}
		if t.AsArray {
			f.Name = g.text("name")
		}
		f.Required, f.EncodeOnly = g.flag("required"), g.flag("encodeonly")
		f.OmitEmpty, f.OmitZero, f.OmitNil = g.flag("omitempty"), g.flag("omitzero"), g.flag("omitnil")
		f.NilInside = g.flag("nilinside")
		if own.get("aliases") != nil {
			for _, a := range g.list("aliases") {
				name, _ := a.(string)
				f.Aliases = append(f.Aliases, name)
			}
		}
		t.Fields = append(t.Fields, f)
	}
	switch {
	case !t.AsArray:
		properties, ok := k.get("properties").(object)
		if !ok {
			p.fail(k.at, "has no properties")
		}
		for _, f := range properties {
			field(f.name, f.value, k.at+"/properties/"+f.name)
		}
		if t.Rest = k.get("additionalProperties") != nil; t.Rest {
			t.Elem = k.value("additionalProperties")
		}
	case k.get("prefixItems") != nil:
		for i, v := range k.list("prefixItems") {
			field("", v, k.at+"/prefixItems/"+strconv.Itoa(i))
		}
	}
	used := map[string]bool{}
	for i := range t.Fields {
		f := &t.Fields[i]
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			if used[name] {
				p.fail(k.at, "has the key "+strconv.Quote(name)+" twice")
			}
			used[name] = true
			if t.IntegerKeys && !isInteger(name) {
				p.fail(k.at, "has the key "+strconv.Quote(name)+", which is not an integer")
			}
		}
	}
}

// isInteger reports whether name is an integer of 64 bits in its usual form.
func isInteger(name string) bool {
	i, err := strconv.ParseInt(name, 10, 64)
	if err == nil {
		return strconv.FormatInt(i, 10) == name
	}
	u, err := strconv.ParseUint(name, 10, 64)
	return err == nil && strconv.FormatUint(u, 10) == name
}

// union reads the keywords for a union.
func (p *parser) union(t *Type, k, m keywords) {
	if m.get("discriminator") != nil {
		t.Discriminator = m.text("discriminator")
	}
	used := map[any]bool{}
	for i, v := range k.list("oneOf") {
		at := k.at + "/oneOf/" + strconv.Itoa(i)
		o, _ := v.(object)
		if o.get("type") == "null" {
			continue
		}
		of := keywords{p, o, at}
		var tag, value any
		if t.Discriminator == "" {
			if items := of.list("prefixItems"); len(items) == 2 {
				tag, value = items[0], items[1]
			}
		} else {
			properties, _ := o.get("properties").(object)
			tag = properties.get(t.Discriminator)
			if all := of.list("allOf"); len(all) == 1 {
				value = all[0]
			}
		}
		c, _ := tag.(object)
		v := Variant{Value: p.value(value, at), Tag: c.get("const")}
		if n, ok := v.Tag.(json.Number); ok {
			i, err := n.Int64()
			if err != nil {
				p.fail(at, "has a tag that is not an integer of 64 bits")
			}
			v.Tag = i
		} else if _, ok := v.Tag.(string); !ok {
			p.fail(at, "has no tag")
			v.Tag = ""
		}
		if used[v.Tag] {
			p.fail(at, "has a tag that occurs twice")
		}
		used[v.Tag] = true
		t.Variants = append(t.Variants, v)
	}
}

// checkVariants reports variants that have no place for the tag. Types can refer to later
// ones, so it is called at the end.
func (p *parser) checkVariants(defs object, root *Type) {
	w := writer{variants: map[*Type]bool{}, seen: map[*Type]bool{}}
	w.collect(root)
	for _, d := range defs {
		w.collect(p.types[d.name])
	}
	for t := range w.seen {
		for _, v := range t.Variants {
			if t.Discriminator != "" && (v.Type.Kind != msgpack.FormStruct || v.Type.AsArray || v.Type.IntegerKeys || v.Nil) {
				p.fail("$defs/"+t.Name, "has a variant that is not a struct with names as keys")
			}
		}
	}
}

// keywords is an object with its place.
type keywords struct {
	*parser
	object
	at string
}

func (k keywords) text(name string) string {
	s, ok := k.get(name).(string)
	if !ok {
		k.fail(k.at, "has no text "+strconv.Quote(name))
	}
	return s
}

func (k keywords) flag(name string) bool {
	switch v := k.get(name).(type) {
	case bool:
		return v
	case nil:
		return false
	}
	k.fail(k.at+"/"+name, "is not true or false")
	return false
}

func (k keywords) list(name string) []any {
	l, ok := k.get(name).([]any)
	if !ok {
		k.fail(k.at, "has no list "+strconv.Quote(name))
	}
	return l
}

func (k keywords) value(name string) Value {
	return k.parser.value(k.get(name), k.at+"/"+name)
}

func (k keywords) number(name string, least, most int64) int {
	n, _ := k.get(name).(json.Number)
	i, err := n.Int64()
	if err != nil || i < least || i > most {
		k.fail(k.at+"/"+name, fmt.Sprintf("is not an integer from %d to %d", least, most))
		return 0
	}
	return int(i)
}

func (k keywords) oneOf(name string, of ...int) int {
	n := k.number(name, 0, 64)
	if !slices.Contains(of, n) {
		k.fail(k.at+"/"+name, fmt.Sprintf("is not one of %d", of))
		return of[0]
	}
	return n
}
