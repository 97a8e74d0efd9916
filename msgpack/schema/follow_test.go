package schema_test

import (
	"errors"
	"os"
	"reflect"
	"testing"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// options returns Options in which some fields have random values: all that are bools and
// choices, also those of Compat. They may conflict.
func (g generator) options() msgpack.Options {
	o := msgpack.Options{Types: unions}
	for _, s := range []reflect.Value{reflect.ValueOf(&o).Elem(), reflect.ValueOf(&o.Compat).Elem()} {
		for i := range s.NumField() {
			f := s.Field(i)
			if !f.CanSet() || g.Below(6) > 0 {
				continue
			}
			switch f.Kind() {
			case reflect.Bool:
				f.SetBool(true)
			case reflect.Uint8:
				f.SetUint(uint64(g.Below(6)))
			}
		}
	}
	return o
}

// TestFollow requires that what a program writes follows the schema of the type, and can be
// decoded, for random types and Options, and that both survive the text form.
func TestFollow(t *testing.T) {
	list := append(leaves[:len(leaves):len(leaves)], randtype.LeafOf(func(r *randtype.Rand) msgpack.Pairs {
		return []msgpack.Pairs{nil, {}, {{Key: "a", Value: int64(1)}}, {{Key: int64(1)}, {Value: "x"}}}[r.Below(4)]
	}))
	types, checked := uint64(4000), 0
	if os.Getenv("OCTET_LONG") == "" {
		types = 1500
	}
	for seed := range randtype.Seeds(t, types) {
		g := generator{randtype.FromSeed(seed, list...)}
		o := g.options()
		c, err := msgpack.New(o)
		if err != nil {
			continue
		}
		typ := g.Type()
		if g.Below(3) == 0 {
			typ = pick(g, list).Type
		}
		if g.Below(3) == 0 {
			typ = reflect.PointerTo(typ)
		}
		s, err := schema.OfType(typ, c)
		if err != nil {
			continue
		}
		parsed, err := schema.Parse([]byte(s.String()))
		if err != nil {
			t.Fatalf("seed %d: %v: %v\n%s", seed, typ, err, s)
		}
		for range 4 {
			data, err := c.Marshal(g.Value(typ).Addr().Interface())
			if err != nil {
				continue
			}
			if err := errors.Join(s.Check(data), parsed.Check(data)); err != nil {
				t.Fatalf("seed %d: %v with %+v: %.200x: %v", seed, typ, o, data, err)
			}
			if err := c.Unmarshal(data, reflect.New(typ).Interface()); err != nil && !errors.Is(err, msgpack.ErrUnhashable) {
				t.Fatalf("seed %d: %v with %+v: %.200x follows the schema: %v", seed, typ, o, data, err)
			}
			checked++
		}
	}
	if t.Logf("%d messages", checked); checked < int(types)/4 && !testing.Short() {
		t.Errorf("only %d messages", checked)
	}
}
