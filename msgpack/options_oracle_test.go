package msgpack_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

// TestOptionsOracle checks that Options that change the bytes do not change the
// values: the oracle decodes them to the same value as its own bytes. If Options
// only adds checks or saves copies, a codec must decode what the oracle decodes.
func TestOptionsOracle(t *testing.T) {
	writers := map[string]*msgpack.Codec{}
	for name, c := range map[string]msgpack.Options{
		"sorted": {SortKeys: true}, "canonical": {Canonical: true}, "typed ints": {TypedInts: true}, "narrow floats": {NarrowFloats: true},
		"mixed ints": {Compat: msgpack.Compat{MixedInts: true}}, "signed ints": {Compat: msgpack.Compat{SignedInts: true}}, "old formats": {Compat: msgpack.Compat{OldFormats: true}}, "sorted fields": {Compat: msgpack.Compat{SortFields: true}},
		"struct as array": {StructAsArray: true}, "guarded": {RejectDuplicates: true, MaxElements: 1 << 20, MaxBytes: 1 << 20, MaxTotal: 1 << 24},
	} {
		writers[name] = newCodec(t, c)
	}
	readers := map[string]*msgpack.Codec{}
	for name, c := range map[string]msgpack.Options{
		"aliased": {AliasInput: true}, "guarded": {RejectDuplicates: true, MaxElements: 1 << 20}, "strict": {RejectUnknown: true, ExactArrays: true},
	} {
		readers[name] = newCodec(t, c)
	}
	seeds := uint64(500)
	if reduced() {
		seeds = 100
	}
	for seed := range randtype.Seeds(t, seeds) {
		r := randtype.FromSeed(seed, leaves...)
		typ := r.Type()
		v := r.Value(typ)
		data, err := ref.Marshal(v.Interface())
		if err != nil || len(data) > 10_000 {
			continue
		}
		want := reflect.New(typ)
		if err := ref.Unmarshal(data, want.Interface()); err != nil {
			continue // the type can be encoded but not decoded, such as an interface with methods
		}
		if _, err := writers["canonical"].Marshal(v.Interface()); errors.Is(err, msgpack.ErrDuplicateKey) {
			continue // of keys with equal bytes, such as nil and a pointer to a nil slice, the value of the last one remains
		}
		for name, codec := range writers {
			b, err := codec.Marshal(v.Interface())
			if errors.Is(err, msgpack.ErrUnsupported) && name == "struct as array" {
				continue // the other form omits a nil pointer to a type that cannot be encoded
			}
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, name, err)
			}
			got := reflect.New(typ)
			if err := ref.Unmarshal(b, got.Interface()); err != nil {
				t.Fatalf("seed %d, %s: % x: %v", seed, name, b, err)
			}
			if diff := randtype.Diff(want.Elem().Interface(), got.Elem().Interface()); diff != "" && name != "struct as array" && name != "old formats" {
				t.Errorf("seed %d, %s: %v%s", seed, name, typ, diff)
			}
			// The codec decodes its own output to the same value.
			own := reflect.New(typ)
			if err := codec.Unmarshal(b, own.Interface()); err != nil {
				t.Fatalf("seed %d, %s: decoding its own message: %v", seed, name, err)
			}
			if diff := randtype.Diff(got.Elem().Interface(), own.Elem().Interface()); diff != "" && (name != "old formats" || !strings.Contains(typ.String(), "binaryAndText")) { // the reference calls its text method
				t.Errorf("seed %d, %s: decoding its own message: %v%s", seed, name, typ, diff)
			}
		}
		for name, codec := range readers {
			got := reflect.New(typ)
			if err := codec.Unmarshal(data, got.Interface()); err != nil {
				if errors.Is(err, msgpack.ErrDuplicateKey) {
					continue
				}
				t.Fatalf("seed %d, %s: %v", seed, name, err)
			}
			if diff := randtype.Diff(want.Elem().Interface(), got.Elem().Interface()); diff != "" {
				t.Errorf("seed %d, %s: %v%s", seed, name, typ, diff)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// TestViewMemory requires that Text and Decode of a View copy, unless its Codec has
// AliasInput, and that Raw and Bytes never do.
func TestViewMemory(t *testing.T) {
	for _, alias := range []bool{false, true} {
		data := []byte("\xa4text")
		v, err := newCodec(t, msgpack.Options{AliasInput: alias}).ViewOf(data)
		if err != nil {
			t.Fatal(err)
		}
		var decoded []byte
		text, err := v.Text()
		part, err2 := v.Bytes()
		if err := errors.Join(err, err2, v.Decode(&decoded)); err != nil {
			t.Fatal(err)
		}
		data[1] = 'T'
		want := "text"
		if alias {
			want = "Text"
		}
		if text != want || string(decoded) != want || string(part) != "Text" || string(v.Raw()) != "\xa4Text" {
			t.Errorf("alias %v: got %s, %s, %s, %s", alias, text, decoded, part, v.Raw())
		}
	}
}
