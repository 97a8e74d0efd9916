package migration

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	hashicorp "github.com/hashicorp/go-msgpack/v2/codec"
	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	"github.com/ugorji/go/codec"
	vmihailencov4 "github.com/vmihailenco/msgpack/v4"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// A choice has options that a library and Octet have in common.
type choice struct{ arrays, omit, sort, short bool }

// with returns Options and a marshal function with the options, or nil if the library
// has none of them.
func (p profiled) with(c choice) (o msgpack.Options, marshal func(any) ([]byte, error)) {
	o = p.config
	o.StructAsArray, o.SortKeys = c.arrays, c.sort
	if c.short && p.name != "Hashicorp" {
		o.TypedInts, o.Compat.MixedInts, o.Compat.SignedInts = false, false, false
	}
	switch p.name {
	case "Vmihailenco":
		o.OmitEmpty = c.omit
		marshal = withVmihailenco(func(e *vmihailenco.Encoder) {
			e.UseArrayEncodedStructs(c.arrays)
			e.SetOmitEmpty(c.omit)
			e.SetSortMapKeys(c.sort)
			e.UseCompactInts(c.short)
		})
	case "VmihailencoV4":
		marshal = func(v any) ([]byte, error) {
			var b bytes.Buffer
			err := vmihailencov4.NewEncoder(&b).StructAsArray(c.arrays).SortMapKeys(c.sort).UseCompactEncoding(c.short).Encode(v)
			return b.Bytes(), err
		}
	case "Ugorji", "UgorjiExt":
		o.Compat.SortFields = c.sort
		types := codec.NewTypeInfos([]string{"msgpack"})
		marshal = withUgorji(func(h *codec.MsgpackHandle) {
			h.TypeInfos, h.WriteExt = types, p.name == "UgorjiExt"
			h.StructToArray, h.Canonical, h.PositiveIntUnsigned = c.arrays, c.sort, c.short
		})
	case "Hashicorp":
		h := new(hashicorp.MsgpackHandle)
		h.TypeInfos = hashicorp.NewTypeInfos([]string{"msgpack"})
		h.StructToArray, h.Canonical = c.arrays, c.sort
		marshal = func(v any) (b []byte, err error) {
			if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
				return []byte{0xc0}, nil // the library panics
			}
			err = hashicorp.NewEncoderBytes(&b, h).Encode(v)
			return b, err
		}
	}
	return o, marshal
}

// TestProfilesWithOptions is TestProfiles with options of the libraries beside the
// profiles, in all combinations.
func TestProfilesWithOptions(t *testing.T) {
	types := uint64(300)
	if testing.Short() {
		types = 50
	}
	for _, p := range profiles() {
		if _, marshal := p.with(choice{}); marshal == nil {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			count := 0
			for seed := range randtype.Seeds(t, types) {
				r := randtype.FromSeed(seed, profileLeaves...)
				typ, bits := r.Type(), r.Below(16)
				if !p.supports(typ) {
					continue
				}
				c := choice{bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0}
				config, marshal := p.with(c)
				config.MaxDepth = 10_000
				ours, err := msgpack.New(config)
				if err != nil {
					t.Fatal(err)
				}
				for range 10 {
					v := r.Value(typ)
					if !p.supportsValue(v) || c.arrays && p.isOld() && omits(v) { // an exception of the profiles
						continue
					}
					want, err := marshal(v.Interface())
					if err != nil {
						t.Fatalf("seed %d: the library cannot encode %v: %v", seed, typ, err)
					}
					got, err := ours.Marshal(v.Interface())
					if err != nil || !bytes.Equal(got, want) {
						t.Fatalf("seed %d, %+v: %v\nof %.300v\ngot  % .300x, %v\nwant % .300x", seed, c, typ, v, got, err, want)
					}
					count++
				}
			}
			if t.Logf("%d values", count); uint64(count) < types {
				t.Errorf("only %d values", count)
			}
		})
	}
}

// omits reports whether v contains a struct with a field that has the option omitempty.
func omits(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && omits(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if omits(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		for e := v.MapRange(); e.Next(); {
			if omits(e.Key()) || omits(e.Value()) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if strings.Contains(string(v.Type().Field(i).Tag), "omitempty") || omits(v.Field(i)) {
				return true
			}
		}
	}
	return false
}
