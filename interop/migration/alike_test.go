package migration

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

// canonical encodes a value so that the Go types of its numbers make no
// difference.
func canonical(t *testing.T, v any) []byte {
	t.Helper()
	codec, err := msgpack.New(msgpack.Options{Canonical: true})
	if err != nil {
		t.Fatal(err)
	}
	b, err := codec.Marshal(v)
	if err != nil {
		t.Fatalf("%#v: %v", v, err)
	}
	return b
}

// screened reports whether data can be passed to the other libraries. It must be one
// value, it must not be nested so deeply that it crashes them, and it must have no
// duplicate keys, because ugorji merges their values.
func screened(data []byte) bool {
	const maxLength, maxDepth = 512, 64
	codec, err := msgpack.New(msgpack.Options{MaxDepth: maxDepth, RejectDuplicates: true})
	return err == nil && len(data) <= maxLength && codec.Valid(data) == nil
}

// checkAlike decodes data into any with all libraries. All libraries that
// accept it must return the same value.
func checkAlike(t *testing.T, data []byte) (count int) {
	t.Helper()
	var got any
	if !screened(data) || msgpack.Unmarshal(data, &got) != nil || hasOwn(got) {
		return 0
	}
	want := canonical(t, got)
	for _, p := range partners {
		var theirs any
		outcome := outcomeOf(func() (outcome, error) { return "", p.unmarshal(bytes.Clone(data), &theirs) })
		if outcome != "" {
			continue // the migration guides list what they reject
		}
		count++
		if b := canonical(t, theirs); !bytes.Equal(b, want) {
			t.Errorf("% x: %s decoded % x, octet % x", data, p.name, b, want)
		}
	}
	return count
}

// hasOwn reports whether v contains a value that the libraries decode differently: an
// ext, for which one library has its own type, or nil as a key, which another library
// decodes to an empty key.
func hasOwn(v any) bool {
	switch v := reflect.ValueOf(v); v.Kind() {
	case reflect.Struct:
		return v.Type() == reflect.TypeFor[msgpack.Ext]()
	case reflect.Slice:
		for i := range v.Len() {
			if v.Type().Elem().Kind() == reflect.Interface && hasOwn(v.Index(i).Interface()) {
				return true
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if it.Key().Interface() == nil || hasOwn(it.Key().Interface()) || hasOwn(it.Value().Interface()) {
				return true
			}
		}
	}
	return false
}

// TestAlike decodes messages of random types, some of them with one byte
// changed.
func TestAlike(t *testing.T) {
	count := 0
	for seed := range uint64(4000) {
		r := randtype.FromSeed(seed)
		data, err := msgpack.Marshal(r.Value(r.Type()).Interface())
		if err != nil || len(data) == 0 {
			continue
		}
		count += checkAlike(t, data)
		for range 4 {
			changed := bytes.Clone(data)
			changed[int(r.Bits()%uint64(len(data)))] = byte(r.Below(256))
			count += checkAlike(t, changed)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d compared", count)
	if count < 10000 {
		t.Errorf("only %d compared", count)
	}
}

// FuzzAlike does the same with arbitrary bytes.
func FuzzAlike(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) { checkAlike(t, data) })
}
