package migrate

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

// canonical writes a value as the same bytes whatever Go types its numbers are
// of.
func canonical(t *testing.T, v any) []byte {
	t.Helper()
	codec, err := msgpack.New(msgpack.Config{Canonical: true})
	if err != nil {
		t.Fatal(err)
	}
	b, err := codec.Marshal(v)
	if err != nil {
		t.Fatalf("%#v: %v", v, err)
	}
	return b
}

// screened tells whether data can be given to the other libraries: one value,
// not nested so deeply that it ends the process, and without equal keys, whose
// values ugorji merges.
func screened(data []byte) bool {
	const maxLength, maxDepth = 512, 64
	codec, err := msgpack.New(msgpack.Config{MaxDepth: maxDepth, RejectDuplicates: true})
	return err == nil && len(data) <= maxLength && codec.Valid(data) == nil
}

// checkAlike reads data into any with all libraries. What two of them take must
// be the same value.
func checkAlike(t *testing.T, data []byte) (count int) {
	t.Helper()
	var got any
	if !screened(data) || msgpack.Unmarshal(data, &got) != nil || hasOwn(got) {
		return 0
	}
	want := canonical(t, got)
	for _, p := range partners {
		var theirs any
		outcome := tried(func() (outcome, error) { return "", p.unmarshal(bytes.Clone(data), &theirs) })
		if outcome != "" {
			continue // what they refuse is on the pages
		}
		count++
		if b := canonical(t, theirs); !bytes.Equal(b, want) {
			t.Errorf("% x: %s reads % x, octet % x", data, p.name, b, want)
		}
	}
	return count
}

// hasOwn tells whether there is in v what each reads in its own way: an ext,
// which one has a type of its own for, and nil as a key, which is empty to
// another.
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

// TestAlike reads messages of random types, and such with a byte changed.
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

// FuzzAlike does the same with any bytes.
func FuzzAlike(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) { checkAlike(t, data) })
}
