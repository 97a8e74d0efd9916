package schema_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// TestCompareIsTrue compares random pairs of types and then sees what one program does
// with the messages of the other. No message has a worse effect than Compare says, and
// some message has that effect.
func TestCompareIsTrue(t *testing.T) {
	pairs := uint64(1000)
	if testing.Short() || os.Getenv("OCTET_LONG") == "" {
		pairs = 400
	}
	pairs = randtype.Count(t, pairs)
	codecs := []*msgpack.Codec{}
	for _, o := range []msgpack.Options{{}, {RejectUnknown: true}, {ExactArrays: true}} {
		o.Types = unions
		c, err := msgpack.New(o)
		if err != nil {
			t.Fatal(err)
		}
		codecs = append(codecs, c)
	}
	seen := map[schema.Effect]int{}
	for seed := range randtype.Seeds(t, pairs) {
		g := generator{randtype.FromSeed(seed, leaves...)}
		from, to := codecs[0], codecs[0]
		if g.Below(4) == 0 {
			from, to = pick(g, codecs), pick(g, codecs)
		}
		old := g.structure(2)
		if g.Below(4) == 0 {
			old = g.typ(2)
		}
		new := old
		for range 1 + g.Below(2) {
			new = g.change(new, 2)
		}
		if g.Below(16) == 0 {
			new = g.typ(2)
		}
		a, b := program{from, old, schemaOf(t, old, from)}, program{to, new, schemaOf(t, new, to)}
		changes := schema.Compare(a.schema, b.schema)
		onNew, onOld := schema.Nothing, schema.Nothing
		for _, c := range changes {
			if strings.Contains(c.Text, "where old messages have") {
				continue // the types are the same, so the bytes do not show it
			}
			onNew, onOld = max(onNew, shown(c.NewReader)), max(onOld, shown(c.OldReader))
		}
		seen[witness(t, g, a, b, onNew, changes)]++
		seen[witness(t, g, b, a, onOld, changes)]++
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	for _, e := range []schema.Effect{schema.Nothing, schema.Changes, schema.Loses, schema.Fails} {
		if seen[e] < int(pairs)/40 {
			t.Errorf("the effect %v was seen only %d times", e, seen[e])
		}
	}
}

// shown returns the effect as messages show it: they do not tell a field that the reader
// never had from one that it lost.
func shown(e schema.Effect) schema.Effect {
	if e == schema.Ignores {
		return schema.Loses
	}
	return e
}

func schemaOf(t *testing.T, typ reflect.Type, c *msgpack.Codec) *schema.Schema {
	t.Helper()
	s, err := schema.OfType(typ, c)
	if err != nil {
		t.Fatalf("%v: %v", typ, err)
	}
	return s
}

// A program has one version of a type.
type program struct {
	codec  *msgpack.Codec
	typ    reflect.Type
	schema *schema.Schema
}

// refuses reports whether a program can refuse a message that follows its schema: by a
// method, or because it cannot set a field.
func (p program) refuses() bool {
	text := string(p.schema.Compact())
	return strings.Contains(text, `"go":`) || strings.Contains(text, `"encodeonly":`)
}

// witness looks for a message of w that has the effect want on a reader of r, and fails
// if a message has a worse one. It returns the effect as far as messages show it.
func witness(t *testing.T, g generator, w, r program, want schema.Effect, changes []schema.Change) schema.Effect {
	worst, values := schema.Nothing, 0
	for values = 0; values < 20 || worst < want && values < 2000; values++ {
		v := g.value(w.typ)
		message, err := w.codec.Marshal(v.Addr().Interface())
		if err != nil || w.codec.Unmarshal(message, reflect.New(w.typ).Interface()) != nil {
			continue // Compare is about messages that their own program can read
		}
		if err := w.schema.Check(message); err != nil {
			t.Errorf("%x of %v does not follow its own schema: %v", message, w.typ, err)
		}
		e, why := observe(t, w, r, message)
		if e > want {
			t.Errorf("%v\nread by %v\n%v: %v, want at most %v: %s\nmessage %x\nschemas %s\n%s", w.typ, r.typ, changes, e, want, why, message, w.schema.Compact(), r.schema.Compact())
			return e
		}
		worst = max(worst, e)
	}
	if worst < want {
		t.Errorf("%v\nread by %v\n%v: no message of %d shows %v, only %v", w.typ, r.typ, changes, values, want, worst)
	}
	return worst
}

// observe returns the effect of one message.
func observe(t *testing.T, w, r program, message []byte) (e schema.Effect, why string) {
	v := reflect.New(r.typ)
	err := r.codec.Unmarshal(message, v.Interface())
	if ok := r.schema.Check(message) == nil; ok && err != nil && !errors.Is(err, msgpack.ErrUnhashable) && !r.refuses() {
		t.Errorf("%x follows the schema of %v, but cannot be decoded: %v", message, r.typ, err)
	}
	if err != nil {
		return schema.Fails, err.Error()
	}
	again, err := r.codec.Marshal(v.Convert(reflect.PointerTo(written(r.typ))).Interface())
	if err != nil {
		t.Fatal(err)
	}
	before, after := normal(t, message, w.schema.Root.Type, r.schema.Root.Type), normal(t, again, r.schema.Root.Type, r.schema.Root.Type)
	return difference(before, after), fmt.Sprintf("%v became %v", before, after)
}

// normal returns a message as text, lists and maps, with the names that fields have in
// the type r, so that both forms of a struct are the same. w is the type of the writer,
// or nil.
func normal(t *testing.T, message msgpack.Raw, w, r *schema.Type) any {
	t.Helper()
	var any any
	if err := anyPairs(t).Unmarshal(message, &any); err != nil {
		t.Fatal(err)
	}
	return normalAny(any, w, r)
}

// anyPairs returns a codec that decodes maps with any keys.
func anyPairs(t *testing.T) *msgpack.Codec {
	t.Helper()
	pairsOnce.Do(func() { pairsCodec, pairsErr = msgpack.New(msgpack.Options{AnyMap: msgpack.AnyMapPairs}) })
	if pairsErr != nil {
		t.Fatal(pairsErr)
	}
	return pairsCodec
}

var (
	pairsOnce  sync.Once
	pairsCodec *msgpack.Codec
	pairsErr   error
)

func normalAny(v any, w, r *schema.Type) any {
	if r == nil {
		r = &schema.Type{Kind: msgpack.FormRaw}
	}
	var none schema.Type
	if w == nil || w.Kind != r.Kind {
		w = &none
	}
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return "bytes " + v
	case []byte:
		return "bytes " + string(v)
	case bool:
		return fmt.Sprint(v)
	case int64:
		return number(float64(v), fmt.Sprint(v))
	case uint64:
		return number(float64(v), fmt.Sprint(v))
	case float64:
		return number(v, "")
	case []any:
		return normalArray(v, w, r)
	case msgpack.Pairs:
		return normalMap(v, w, r)
	}
	return fmt.Sprint(v)
}

// number returns the same text for the same number.
func number(f float64, exact string) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e19 && exact == "" {
		exact = fmt.Sprintf("%.0f", f+0)
	}
	if exact == "" {
		exact = fmt.Sprint(f)
	}
	return strings.TrimPrefix(strings.Replace("#"+exact, "#-0", "#0", 1), "#")
}

func normalArray(list []any, w, r *schema.Type) any {
	out := []any{}
	switch {
	case r.Kind == msgpack.FormBin: // integers
		var b []byte
		if slices.Contains(list, nil) {
			break // nil becomes 0
		}
		for _, x := range list {
			n, _ := x.(int64)
			f, _ := x.(float64)
			b = append(b, byte(n)+byte(f))
		}
		return "bytes " + string(b)
	case r.Kind == msgpack.FormStruct:
		m := map[string]any{}
		for i, x := range list {
			if i < len(r.Fields) {
				var from *schema.Type
				if i < len(w.Fields) {
					from = w.Fields[i].Type
				}
				m["field "+r.Fields[i].Name] = normalAny(x, from, r.Fields[i].Type)
			} else {
				m[fmt.Sprint("element ", i)] = normalAny(x, nil, nil)
			}
		}
		return m
	case r.Kind == msgpack.FormUnion && len(list) == 2:
		for _, v := range r.Variants {
			if fmt.Sprint(v.Tag) == fmt.Sprint(list[0]) {
				return []any{list[0], normalAny(list[1], v.Type, v.Type)}
			}
		}
	}
	for _, x := range list {
		out = append(out, normalAny(x, w.Elem.Type, r.Elem.Type))
	}
	if r.Set && w.Set {
		sort.Slice(out, func(i, j int) bool { return fmt.Sprint(out[i]) < fmt.Sprint(out[j]) })
	}
	return out
}

func normalMap(pairs msgpack.Pairs, w, r *schema.Type) any {
	m := map[string]any{}
	if r.Kind == msgpack.FormUnion {
		for _, p := range pairs {
			for _, v := range r.Variants {
				if p.Key == r.Discriminator && fmt.Sprint(v.Tag) == fmt.Sprint(p.Value) {
					r = v.Type
				}
			}
		}
	}
	if r.Set {
		var out []any
		lost := false
		for _, p := range pairs {
			out = append(out, normalAny(p.Key, nil, r.Elem.Type))
			lost = lost || !slices.Contains([]string{"<nil>", "[]"}, fmt.Sprint(p.Value))
		}
		sort.Slice(out, func(i, j int) bool { return fmt.Sprint(out[i]) < fmt.Sprint(out[j]) })
		if lost {
			return keysOnly{out}
		}
		return out
	}
	floats := map[string]bool{}
	for _, p := range pairs {
		key, of := fmt.Sprint("key ", normalAny(p.Key, nil, nil)), r.Elem.Type
		if r.Kind == msgpack.FormStruct && !r.Rest {
			of = nil
		}
		if f := named(r, p.Key); f != nil {
			key, of = "field "+f.Name, f.Type
		}
		from := w.Elem.Type
		if f := named(w, p.Key); f != nil {
			from = f.Type
		}
		value := normalAny(p.Value, from, of)
		other, twice := m[key]
		_, isFloat := p.Key.(float64)
		switch {
		case twice && r.Kind == msgpack.FormStruct:
			m[key+", earlier"] = other // the reader keeps the last value only
		case twice && isFloat != floats[key]: // two keys of a map[any]T
			value = fmt.Sprint(min(fmt.Sprint(other), fmt.Sprint(value)), max(fmt.Sprint(other), fmt.Sprint(value)))
		}
		floats[key] = isFloat
		m[key] = value
	}
	return m
}

// keysOnly are the keys of a map that becomes a set, without its values.
type keysOnly struct{ keys []any }

// named returns the field of a struct that a key stands for, or nil.
func named(t *schema.Type, key any) *schema.Field {
	name := fmt.Sprint(key)
	for i := range t.Fields {
		f := &t.Fields[i]
		if _, isText := key.(string); isText != t.IntegerKeys && (f.Name == name || slices.Contains(f.Aliases, name)) {
			return f
		}
	}
	return nil
}

// difference returns the effect that turned a into b.
func difference(a, b any) (worst schema.Effect) {
	switch a := a.(type) {
	case nil:
		if b != nil {
			return schema.Changes
		}
		return schema.Nothing
	case keysOnly:
		return max(schema.Loses, difference(a.keys, b))
	case []any:
		b, ok := b.([]any)
		if !ok {
			return schema.Changes
		}
		if len(a) != len(b) {
			worst = schema.Changes
		}
		for i := range min(len(a), len(b)) {
			worst = max(worst, difference(a[i], b[i]))
		}
		return worst
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok {
			return schema.Changes
		}
		for k, x := range a {
			if y, ok := b[k]; ok {
				worst = max(worst, difference(x, y))
			} else {
				worst = schema.Loses
			}
		}
		return worst
	}
	if !reflect.DeepEqual(a, b) {
		return schema.Changes
	}
	return schema.Nothing
}
