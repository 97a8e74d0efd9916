package migration

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	shamaton "github.com/shamaton/msgpack/v3"
	"github.com/ugorji/go/codec"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// A partner is a library that exchanges messages with Octet, for the types and
// values that both handle in the same way. The tables of the migration guides
// list the others; some of them crash the process.
type partner struct {
	name      string
	marshal   func(any) ([]byte, error)
	unmarshal func([]byte, any) error
	refuses   func(reflect.Type) bool // the types in common that the library does not support
}

var partners = []partner{
	{"shamaton", shamaton.Marshal, shamaton.Unmarshal, nil},
	{"vmihailenco", vmihailenco.Marshal, vmihailenco.Unmarshal, nil},
	{"ugorji", ugorjiMarshalByTag, ugorjiUnmarshalByTag, func(t reflect.Type) bool {
		// The library cannot encode an array of one map or pointer: it takes the map for a
		// pointer to one, and may crash the process. It encodes a zero time, and a pointer to
		// one, as nil.
		return t.Kind() == reflect.Array && isPointer(t.Elem()) || t == reflect.TypeFor[*time.Time]()
	}},
}

// isPointer reports whether an interface holds values of type t as they are, because they
// are one pointer.
func isPointer(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Map, reflect.Pointer:
		return true
	case reflect.Array:
		return t.Len() == 1 && isPointer(t.Elem())
	case reflect.Struct:
		return t.NumField() == 1 && isPointer(t.Field(0).Type)
	}
	return false
}

// ugorjiByTag uses the tags of the random types.
var ugorjiByTag = tagHandle()

func tagHandle() *codec.MsgpackHandle {
	h := ugorjiHandle()
	h.TypeInfos = codec.NewTypeInfos([]string{"msgpack"})
	return h
}

func ugorjiMarshalByTag(v any) (b []byte, err error) {
	err = codec.NewEncoderBytes(&b, ugorjiByTag).Encode(v)
	return b, err
}

func ugorjiUnmarshalByTag(data []byte, v any) error {
	return codec.NewDecoderBytes(data, ugorjiByTag).Decode(v)
}

// common reports whether all libraries support the type in the same way.
func (p partner) common(t reflect.Type) bool {
	if t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[time.Duration]() {
		return true
	}
	if t.PkgPath() != "" || p.refuses != nil && p.refuses(t) { // a declared type may have methods or be recursive
		return false
	}
	switch t.Kind() {
	case reflect.Complex64, reflect.Complex128, reflect.Interface, reflect.Uintptr:
		return false
	case reflect.Slice, reflect.Array:
		return p.common(t.Elem())
	case reflect.Pointer: // a pointer to a nil value is decoded as a nil pointer
		return !slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, t.Elem().Kind()) && p.common(t.Elem())
	case reflect.Map:
		return isKey(t.Key()) && p.common(t.Key()) && p.common(t.Elem())
	case reflect.Struct:
		names := map[string]bool{} // each library resolves duplicate names differently
		for f := range fields(t) {
			tag := f.Tag.Get("msgpack")
			name := cmp.Or(tag, f.Name)
			if names[name] {
				return false
			}
			names[name] = true
			ascii := strings.IndexFunc(f.Name, func(r rune) bool { return r > '~' }) < 0
			if f.Anonymous || !f.IsExported() || !ascii || strings.Contains(tag, ",") || tag == "-" || !p.common(f.Type) {
				return false
			}
		}
	}
	return true
}

// fields iterates over the fields of a struct.
func fields(t reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

func isKey(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return true
	}
	return false
}

// staysKey reports whether what interfaces in a key hold can be in a key after decoding: a
// struct, for example, becomes a map.
func staysKey(key reflect.Value) bool {
	switch key.Kind() {
	case reflect.Interface:
		return key.IsNil() || isKey(key.Elem().Type())
	case reflect.Struct:
		for i := range key.NumField() {
			if !staysKey(key.Field(i)) {
				return false
			}
		}
	case reflect.Array:
		for i := range key.Len() {
			if !staysKey(key.Index(i)) {
				return false
			}
		}
	}
	return true
}

// exchange encodes v with one library and decodes it with the other.
func exchange(t *testing.T, v reflect.Value, how string, marshal func(any) ([]byte, error), unmarshal func([]byte, any) error) {
	t.Helper()
	data, err := marshal(v.Interface())
	if err != nil {
		t.Errorf("%s: %v: writing: %v", how, v.Type(), err)
		return
	}
	got := reflect.New(v.Type())
	if err := unmarshal(data, got.Interface()); err != nil {
		t.Errorf("%s: %v from % .100x: decoding: %v", how, v.Type(), data, err)
		return
	}
	if diff := randtype.Diff(v.Interface(), got.Elem().Interface()); diff != "" {
		t.Errorf("%s: %v from % .100x: %s", how, v.Type(), data, diff)
	}
}

func (p partner) exchange(t *testing.T, v reflect.Value) {
	t.Helper()
	exchange(t, v, "from octet to "+p.name, msgpack.Marshal, p.unmarshal)
	exchange(t, v, "from "+p.name+" to octet", p.marshal, msgpack.Unmarshal)
}

// TestExchange exchanges random values of random types in both directions.
func TestExchange(t *testing.T) {
	for _, p := range partners {
		t.Run(p.name, func(t *testing.T) {
			count, structs := 0, 0
			for seed := range uint64(8000) {
				r := randtype.FromSeed(seed)
				typ := r.Type()
				if !p.common(typ) {
					continue
				}
				count++
				if typ.Kind() == reflect.Struct {
					structs++
				}
				if p.exchange(t, r.Value(typ)); t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
			t.Logf("%d values, %d of them structs", count, structs)
			if count < 2000 || structs < 300 {
				t.Errorf("only %d values, %d of them structs", count, structs)
			}
		})
	}
}

// FuzzExchange derives a type and a value from its input.
func FuzzExchange(f *testing.F) {
	f.Fuzz(func(t *testing.T, decisions []byte) {
		r := randtype.FromBytes(decisions)
		typ := r.Type()
		v := r.Value(typ)
		for _, p := range partners {
			if p.common(typ) {
				p.exchange(t, v)
			}
		}
	})
}

// TestExchangeGenerated does the same with the generated code of msgp for one
// type with all features. That code does not decode nil into slices and maps,
// and decodes an empty array into a nil slice as nil.
func TestExchangeGenerated(t *testing.T) {
	for seed := range uint64(2000) {
		exchangeGenerated(t, randtype.FromSeed(seed))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzExchangeGenerated(f *testing.F) {
	f.Fuzz(func(t *testing.T, decisions []byte) { exchangeGenerated(t, randtype.FromBytes(decisions)) })
}

func exchangeGenerated(t *testing.T, r *randtype.Rand) {
	codec, err := msgpack.New(msgpack.Options{NilSliceAsEmpty: true, NilMapAsEmpty: true})
	if err != nil {
		t.Fatal(err)
	}
	v := r.Value(reflect.TypeFor[generatedAll]())
	withoutNils(v)
	v = v.Addr()
	marshal := func(v any) ([]byte, error) { return codec.Marshal(v) }
	unmarshal := func(data []byte, v any) error {
		err := msgpUnmarshal(data, v)
		withoutNils(reflect.ValueOf(v).Elem())
		return err
	}
	exchange(t, v.Elem(), "from octet to msgp", marshal, unmarshal)
	exchange(t, v.Elem(), "from msgp to octet", func(v any) ([]byte, error) { a := v.(generatedAll); return msgpMarshal(&a) }, msgpack.Unmarshal)
}

// withoutNils replaces nil slices and maps by empty ones.
func withoutNils(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			withoutNils(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for it := v.MapRange(); it.Next(); {
			e := reflect.New(v.Type().Elem()).Elem()
			e.Set(it.Value())
			withoutNils(e)
			v.SetMapIndex(it.Key(), e)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			withoutNils(v.Elem())
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			withoutNils(v.Field(i))
		}
	}
}
