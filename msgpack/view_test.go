package msgpack_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

func view(t *testing.T, data []byte) msgpack.View {
	t.Helper()
	v, err := msgpack.ViewOf(data)
	if err != nil {
		t.Fatalf("% x: %v", data, err)
	}
	return v
}

// accessors holds the methods that return the value of a View, each with a variable
// into which Unmarshal decodes the same.
var accessors = []struct {
	name   string
	get    func(msgpack.View) (any, error)
	target any
}{
	{"Bool", func(v msgpack.View) (any, error) { return v.Bool() }, new(bool)},
	{"Int", func(v msgpack.View) (any, error) { return v.Int() }, new(int64)},
	{"Uint", func(v msgpack.View) (any, error) { return v.Uint() }, new(uint64)},
	{"Float", func(v msgpack.View) (any, error) { return v.Float() }, new(float64)},
	{"Time", func(v msgpack.View) (any, error) { return v.Time() }, new(time.Time)},
	{"Text", func(v msgpack.View) (any, error) { return v.Text() }, new(string)},
	{"Bytes", func(v msgpack.View) (any, error) { return v.Bytes() }, new([]byte)},
	{"Ext", func(v msgpack.View) (any, error) { return v.Ext() }, new(msgpack.Ext)},
	{"Decode", func(v msgpack.View) (any, error) {
		var a any
		err := v.Decode(&a)
		return &a, err // of type *any, like the value of target
	}, new(*any)},
}

// checkAccessors compares the results of the methods with those of Unmarshal.
// Errors may differ only in the offset.
func checkAccessors(t *testing.T, v msgpack.View) {
	t.Helper()
	for _, a := range accessors {
		got, err := a.get(v)
		if a.name == "Bytes" && v.Kind() == wire.KindArray {
			checkError(t, err, msgpack.ErrMismatch)
			continue
		}
		want := reflect.New(reflect.TypeOf(a.target).Elem())
		if a.name == "Decode" {
			want.Elem().Set(reflect.New(want.Type().Elem().Elem()))
		}
		target := want.Interface()
		if a.name == "Decode" {
			target = want.Elem().Interface()
		}
		wantErr := msgpack.Unmarshal(v.Raw(), target)
		if !errors.Is(wantErr, errors.Unwrap(err)) || (err == nil) != (wantErr == nil) {
			t.Errorf("%s of % x: %v, want %v", a.name, v.Raw(), err, wantErr)
		} else if diff := randtype.Diff(want.Elem().Interface(), got); err == nil && diff != "" {
			t.Errorf("%s of % x: %s", a.name, v.Raw(), diff)
		}
	}
}

// TestViewAccessors calls each accessor for every format.
func TestViewAccessors(t *testing.T) {
	for name, text := range map[string]string{
		"nil": "c0", "false": "c2", "true": "c3", "fixint": "05", "negative fixint": "ff",
		"int 8": "d0 80", "int 64": "d3 8000000000000000", "uint 16": "cd 0100", "uint 64": "cf ffffffffffffffff",
		"integral float": "ca 3f800000", "float": "cb 3ff8000000000000", "negative float": "cb bff0000000000000", "NaN": "cb 7ff8000000000001",
		"int without a float": "cf 8000000000000001", "fixstr": "a3 616263", "empty str": "a0", "str 8": "d9 01 61", "not UTF-8": "a1 ff",
		"bin": "c4 02 6162", "empty bin": "c4 00", "ext": "d5 07 6162", "empty ext": "c7 00 05",
		"timestamp 32": "d6 ff 00000001", "timestamp 64": "d7 ff 0000000400000001", "timestamp 96": "c7 0c ff 00000001 ffffffffffffffff",
		"array": "92 01 02", "empty array": "90", "map": "81 a1 61 05", "empty map": "80",
	} {
		t.Run(name, func(t *testing.T) {
			checkAccessors(t, view(t, fromHex(t, text)))
		})
	}
}

func TestViewKindAndLen(t *testing.T) {
	for _, c := range []struct {
		bytes string
		kind  wire.Kind
		n     int
	}{
		{"c0", wire.KindNil, 0}, {"c2", wire.KindBool, 0}, {"7f", wire.KindInt, 0}, {"cd 0100", wire.KindInt, 0},
		{"ca 00000000", wire.KindFloat, 0}, {"a2 6162", wire.KindStr, 2}, {"c4 01 00", wire.KindBin, 1},
		{"d6 ff 00000000", wire.KindExt, 4}, {"dc 0001 c0", wire.KindArray, 1}, {"82 01 02 03 04", wire.KindMap, 2},
	} {
		v := view(t, fromHex(t, c.bytes))
		if v.Kind() != c.kind || v.Len() != c.n || v.IsNil() != (c.kind == wire.KindNil) {
			t.Errorf("%s: %v of %d, nil %v", c.bytes, v.Kind(), v.Len(), v.IsNil())
		}
	}
}

// TestZeroView checks that the zero View is that of a nil.
func TestZeroView(t *testing.T) {
	var zero msgpack.View
	if !zero.IsNil() || zero.Len() != 0 || zero.Raw() != nil {
		t.Errorf("%v of %d: % x", zero.Kind(), zero.Len(), zero.Raw())
	}
	for _, a := range accessors {
		got, err := a.get(zero)
		if want, _ := a.get(view(t, []byte{0xc0})); err != nil || randtype.Diff(want, got) != "" {
			t.Errorf("%s: %v, %v", a.name, got, err)
		}
	}
	for range zero.Elements() {
		t.Error("the zero View has elements")
	}
	for range zero.Entries() {
		t.Error("the zero View has entries")
	}
	_, err := zero.Get("a")
	checkError(t, err, msgpack.ErrNotFound)
	if v, err := zero.Get(); err != nil || !v.IsNil() {
		t.Errorf("without a path: %v, %v", v, err)
	}
}

// anyOf decodes a View with its own methods.
func anyOf(t *testing.T, v msgpack.View) (a any) {
	var err error
	switch v.Kind() {
	case wire.KindNil:
	case wire.KindBool:
		a, err = v.Bool()
	case wire.KindInt:
		var u uint64
		if a, err = v.Int(); err != nil {
			if u, err = v.Uint(); err == nil {
				a = u
			}
		}
	case wire.KindFloat:
		a, err = v.Float()
	case wire.KindStr:
		a, err = v.Text()
	case wire.KindBin:
		a, err = v.Bytes()
	case wire.KindArray:
		s := []any{}
		for e, err := range v.Elements() {
			if err != nil {
				t.Errorf("% x: %v", v.Raw(), err)
			}
			s = append(s, anyOf(t, e))
		}
		if len(s) != v.Len() {
			t.Errorf("% x: %d elements, Len %d", v.Raw(), len(s), v.Len())
		}
		a = s
	case wire.KindMap:
		a = mapOf(t, v)
	case wire.KindExt:
		ext, extErr := v.Ext()
		if a, err = ext, extErr; ext.Type == wire.TimestampType {
			a, err = v.Time()
		}
	}
	if err != nil {
		t.Errorf("% x: %v", v.Raw(), err)
	}
	return a
}

func mapOf(t *testing.T, v msgpack.View) any {
	m, wide, n := map[string]any{}, map[any]any{}, 0
	for e, err := range v.Entries() {
		if err != nil {
			t.Errorf("% x: %v", v.Raw(), err)
		}
		key, value := anyOf(t, e.Key), anyOf(t, e.Value)
		if s, ok := key.(string); ok {
			m[s] = value
		}
		if reflect.ValueOf(key).IsValid() && !reflect.TypeOf(key).Comparable() || e.Key.Kind() == wire.KindExt && key != any(nil) && reflect.TypeOf(key) != reflect.TypeFor[time.Time]() {
			t.Errorf("% x: Entry has no key: % x", v.Raw(), e.Key.Raw())
			continue
		}
		wide[key] = value
		n++
	}
	if n != v.Len() {
		t.Errorf("% x: %d entries, Len %d", v.Raw(), n, v.Len())
	}
	if len(m) == len(wide) {
		return m
	}
	return wide
}

// checkView compares a View with Valid, and its parts with Unmarshal.
func checkView(t *testing.T, data []byte) {
	t.Helper()
	v, err := msgpack.ViewOf(data)
	if valid := msgpack.Valid(data); fmt.Sprint(err) != fmt.Sprint(valid) {
		t.Errorf("% x: ViewOf %v, Valid %v", data, err, valid)
	}
	if err != nil {
		if v.Raw() != nil || !v.IsNil() {
			t.Errorf("% x: got a View and an error", data)
		}
		return
	}
	checkAccessors(t, v)
	var want any
	if err := msgpack.Unmarshal(data, &want); err != nil {
		return // a key that cannot be the key of a Go map
	}
	if diff := randtype.Diff(want, anyOf(t, v)); diff != "" {
		t.Errorf("% x: %s", data, diff)
	}
}

// TestViewLikeUnmarshal compares the parts of a View with the results of Unmarshal
// for every message of the corpus.
func TestViewLikeUnmarshal(t *testing.T) {
	for _, s := range corpus() {
		if checkView(t, s.data); t.Failed() {
			t.Fatal(s.name)
		}
	}
}

// TestQueryMutated replaces bytes of many messages, and truncates the messages.
func TestQueryMutated(t *testing.T) {
	step := 23
	if reduced() {
		step = 127
	}
	for i, s := range corpus() {
		if len(s.data) > 64 || i%23 != 0 {
			continue
		}
		for at := range s.data {
			prefix := s.data[:at]
			_, err := msgpack.ViewOf(prefix)
			checkError(t, err, msgpack.ErrTruncated)
			_, err = msgpack.Get(prefix)
			checkError(t, err, msgpack.ErrTruncated)
			data := bytes.Clone(s.data)
			for b := 1; b < 256; b += step {
				data[at] = s.data[at] ^ byte(b)
				checkView(t, data)
				checkGet(t, data)
			}
			if t.Failed() {
				t.Fatal(s.name)
			}
		}
	}
}

// TestQueryHostileHeaders uses headers that claim few values, many values, or
// slightly too many, alone and at the end of a path.
func TestQueryHostileHeaders(t *testing.T) {
	for _, left := range []int{0, 1, 7, 100} {
		for _, header := range hostileHeaders(left) {
			data := append(append([]byte("\x91"), header...), bytes.Repeat([]byte{0xc0}, left)...)
			used := allocated(func() {
				checkView(t, data[1:])
				checkView(t, data)
				_, _ = msgpack.Get(data, 0, 0)
			})
			// The checks decode into an any several times.
			if bound := 64 * memoryBound(reflect.TypeFor[any](), len(data)); used > bound {
				t.Errorf("% x: %d bytes allocated", data, used)
			}
			_, err := msgpack.Get(data, 0)
			if _, wantErr := msgpack.UnmarshalPrefix(data[1:], new(msgpack.Raw)); (err == nil) != (wantErr == nil) {
				t.Errorf("% x: %v, want %v", data, err, wantErr)
			}
			if t.Failed() {
				return
			}
		}
	}
}

func checkNil(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestViewDepth walks to the maximum depth.
func TestViewDepth(t *testing.T) {
	for _, levels := range []int{511, 512} {
		v := view(t, []byte(strings.Repeat("\x91\x81\x01", levels/2)+strings.Repeat("\x91", levels%2)+"\xc3"))
		depth := 0
		for ; v.Len() > 0; depth++ {
			next := v
			if v.Kind() == wire.KindArray {
				for e, err := range v.Elements() {
					next = e
					checkNil(t, err)
				}
			} else {
				for e, err := range v.Entries() {
					next = e.Value
					checkNil(t, err)
				}
			}
			v = next
		}
		if got, err := v.Bool(); depth != levels || !got || err != nil {
			t.Errorf("%d levels: %v, %v after %d", levels, got, err, depth)
		}
	}
	for _, levels := range []int{513, 1e6} {
		_, err := msgpack.ViewOf([]byte(strings.Repeat("\x91", levels) + "\xc3"))
		checkError(t, err, msgpack.ErrDepth)
	}
}

// TestViewMismatch checks that a loop over a value without elements yields an
// error.
func TestViewMismatch(t *testing.T) {
	v := view(t, []byte("\x92\x81\x01\x02\xa1a"))
	inner, err := v.Get(0)
	if err != nil {
		t.Fatal(err)
	}
	turns := 0
	for e, err := range inner.Elements() {
		if e := checkError(t, err, msgpack.ErrMismatch); e != nil && e.Error() != "msgpack: get at offset 1: found fixmap of 1 pair, want array: value does not fit the Go type" {
			t.Error(e)
		}
		if e.Raw() != nil {
			t.Errorf("got % x", e.Raw())
		}
		turns++
	}
	for e, err := range v.Entries() {
		if e := checkError(t, err, msgpack.ErrMismatch); e != nil && e.Error() != "msgpack: get at offset 0: found fixarray of 2 elements, want map: value does not fit the Go type" {
			t.Error(e)
		}
		if e.Key.Raw() != nil || e.Value.Raw() != nil {
			t.Errorf("got % x: % x", e.Key.Raw(), e.Value.Raw())
		}
		turns++
	}
	if turns != 2 {
		t.Errorf("%d iterations", turns)
	}
}

// TestViewOffsets checks that offsets in errors are those in the whole input.
func TestViewOffsets(t *testing.T) {
	v := view(t, []byte("\x92\x01\x81\xa1a\x92\xa1b\x81\xa1c\xc3"))
	inner, err := v.Get(1, "a")
	if err != nil {
		t.Fatal(err)
	}
	if inner, err = inner.Get(1); err != nil {
		t.Fatal(err)
	}
	for e := range inner.Entries() {
		_, err = e.Value.Int()
		if got := checkError(t, err, msgpack.ErrMismatch); got != nil && got.Offset != 11 {
			t.Errorf("Int: %v", got)
		}
		_, err = e.Value.Get("x")
		if got := checkError(t, err, msgpack.ErrMismatch); got != nil && got.Offset != 11 {
			t.Errorf("Get: %v", got)
		}
		_, err = e.Value.Bytes()
		if got := checkError(t, err, msgpack.ErrMismatch); got != nil && got.Offset != 11 {
			t.Errorf("Bytes: %v", got)
		}
	}
	err = inner.Decode(&struct{ C string }{})
	if err != nil {
		t.Error(err)
	}
	err = inner.Decode(new(map[string]string))
	if e := checkError(t, err, msgpack.ErrMismatch); e != nil && (e.Offset != 11 || e.Path != `["c"]`) {
		t.Errorf("Decode: %v", e)
	}
}

// TestViewStops checks that an iterator stops when the loop breaks.
func TestViewStops(t *testing.T) {
	turns := 0
	for range view(t, []byte("\x93\x01\x02\x03")).Elements() {
		turns++
		break
	}
	for range view(t, []byte("\x82\x01\x02\x03\x04")).Entries() {
		turns++
		break
	}
	if turns != 2 {
		t.Errorf("%d iterations", turns)
	}
}

func TestViewAllocations(t *testing.T) {
	skipIfInstrumented(t)
	data, err := msgpack.Marshal(map[string]any{
		"bool": true, "int": -5, "uint": uint64(1) << 63, "float": 1.5, "time": time.Unix(5, 6), "bytes": []byte{1, 2}, "text": "some text",
		"ext": msgpack.Ext{Type: 1, Data: []byte{1}}, "array": []int{1, 2, 300}, "map": map[string]int{"a": 1}, "integral": 2.0, "nil": nil,
	})
	if err != nil {
		t.Fatal(err)
	}
	none := func(name string, f func()) {
		t.Helper()
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	v := view(t, data)
	none("ViewOf", func() { _, _ = msgpack.ViewOf(data) })
	none("elements and entries", func() {
		sum := int64(0)
		for e := range v.Entries() {
			key, _ := e.Key.Bytes()
			if string(key) != "array" {
				continue
			}
			for e, err := range e.Value.Elements() {
				i, intErr := e.Int()
				if err != nil || intErr != nil {
					t.Fatal(err, intErr)
				}
				sum += i
			}
		}
		if sum != 303 {
			t.Fatal(sum)
		}
	})
	none("Get", func() {
		if a, err := v.Get("map", "a"); err != nil || a.Len() != 0 {
			t.Fatal(err)
		}
	})
	for _, a := range []struct {
		key string
		get func(msgpack.View) error
	}{
		{"bool", func(v msgpack.View) error { _, err := v.Bool(); return err }},
		{"int", func(v msgpack.View) error { _, err := v.Int(); return err }},
		{"integral", func(v msgpack.View) error { _, err := v.Int(); return err }},
		{"uint", func(v msgpack.View) error { _, err := v.Uint(); return err }},
		{"float", func(v msgpack.View) error { _, err := v.Float(); return err }},
		{"int", func(v msgpack.View) error { _, err := v.Float(); return err }},
		{"time", func(v msgpack.View) error { _, err := v.Time(); return err }},
		{"bytes", func(v msgpack.View) error { _, err := v.Bytes(); return err }},
		{"text", func(v msgpack.View) error { _, err := v.Bytes(); return err }},
		{"ext", func(v msgpack.View) error { _, err := v.Ext(); return err }},
		{"nil", func(v msgpack.View) error { _, err := v.Int(); return err }},
	} {
		none(a.key, func() {
			v, err := v.Get(a.key)
			if err == nil {
				err = a.get(v)
			}
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}
