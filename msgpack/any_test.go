package msgpack_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// anys holds the Go value that each format becomes in an any.
var anys = []conversion{
	{"nil", nil, "c0"},
	{"false", false, "c2"},
	{"true", true, "c3"},
	{"positive fixint", int64(127), "7f"},
	{"negative fixint", int64(-32), "e0"},
	{"uint 8", int64(255), "cc ff"},
	{"uint 16", int64(65535), "cd ffff"},
	{"uint 32", int64(math.MaxUint32), "ce ffffffff"},
	{"uint 64", int64(math.MaxInt64), "cf 7fffffffffffffff"},
	{"uint 64 beyond int64", uint64(math.MaxInt64 + 1), "cf 8000000000000000"},
	{"greatest uint 64", uint64(math.MaxUint64), "cf ffffffffffffffff"},
	{"uint 64 that is small", int64(1), "cf 0000000000000001"},
	{"int 8", int64(-128), "d0 80"},
	{"int 8 that is positive", int64(127), "d0 7f"},
	{"int 16", int64(math.MinInt16), "d1 8000"},
	{"int 32", int64(math.MinInt32), "d2 80000000"},
	{"int 64", int64(math.MinInt64), "d3 8000000000000000"},
	{"float 32", float64(1.5), "ca 3fc00000"},
	{"float 64", 1.5, "cb 3ff8000000000000"},
	{"float 64 that is integral", 1.0, "cb 3ff0000000000000"},
	{"fixstr", "a", "a1 61"},
	{"empty fixstr", "", "a0"},
	{"str 8", "a", "d9 01 61"},
	{"str 16", "a", "da 0001 61"},
	{"str 32", "a", "db 00000001 61"},
	{"str that is not UTF-8", "\xff", "a1 ff"},
	{"bin 8", []byte{1}, "c4 01 01"},
	{"empty bin 8", []byte{}, "c4 00"},
	{"bin 16", []byte{1}, "c5 0001 01"},
	{"bin 32", []byte{1}, "c6 00000001 01"},
	{"fixarray", []any{int64(1), nil}, "92 01 c0"},
	{"empty fixarray", []any{}, "90"},
	{"array 16", []any{int64(1)}, "dc 0001 01"},
	{"array 32", []any{int64(1)}, "dd 00000001 01"},
	{"fixmap", map[string]any{"a": int64(1), "b": nil}, "82 a1 61 01 a1 62 c0"},
	{"empty fixmap", map[string]any{}, "80"},
	{"map 16", map[string]any{"a": int64(1)}, "de 0001 a1 61 01"},
	{"map 32", map[string]any{"a": int64(1)}, "df 00000001 a1 61 01"},
	{"map with keys in long formats", map[string]any{"a": int64(1)}, "81 db 00000001 61 01"},
	{"map with equal keys", map[string]any{"a": int64(2)}, "82 a1 61 01 d9 01 61 02"},
	{"map by int", map[any]any{int64(1): "a"}, "81 01 a1 61"},
	{"map by nil", map[any]any{nil: "a"}, "81 c0 a1 61"},
	{"map by bool and float", map[any]any{true: int64(1), 1.5: int64(2)}, "82 c3 01 ca 3fc00000 02"},
	{"map by str, then by int", map[any]any{"a": int64(1), int64(2): int64(3)}, "82 a1 61 01 02 03"},
	{"map by int, then by str", map[any]any{"a": int64(1), int64(2): int64(3)}, "82 02 03 a1 61 01"},
	{"map by uint 64", map[any]any{uint64(math.MaxUint64): int64(1)}, "81 cf ffffffffffffffff 01"},
	{"map by time", map[any]any{time.Unix(1, 0).UTC(): int64(1)}, "81 d6 ff 00000001 01"},
	{"fixext 1", msgpack.Ext{Type: 1, Data: []byte{2}}, "d4 01 02"},
	{"ext 8", msgpack.Ext{Type: -128, Data: []byte{}}, "c7 00 80"},
	{"ext 16", msgpack.Ext{Type: 0, Data: []byte{1}}, "c8 0001 00 01"},
	{"ext 32", msgpack.Ext{Type: 127, Data: []byte{1}}, "c9 00000001 7f 01"},
	{"fixext 16", msgpack.Ext{Type: -2, Data: make([]byte, 16)}, "d8 fe" + strings.Repeat("00", 16)},
	{"timestamp 32", time.Unix(1, 0).UTC(), "d6 ff 00000001"},
	{"timestamp 64", time.Unix(1, 1).UTC(), "d7 ff 0000000400000001"},
	{"timestamp 96", time.Unix(-1, 1).UTC(), "c7 0c ff 00000001 ffffffffffffffff"},
	{"nested", []any{map[string]any{"a": []any{[]any{}}}, map[any]any{false: map[string]any{}}}, "92 81 a1 61 91 90 81 c2 80"},
}

// TestDecodeAny decodes each format into a variable of type any, alone and inside
// other values.
func TestDecodeAny(t *testing.T) {
	for _, c := range anys {
		t.Run(c.name, func(t *testing.T) {
			decode := func(bytes string, target any) any {
				t.Helper()
				if err := msgpack.Unmarshal(unhex(t, bytes), target); err != nil {
					t.Errorf("%s: %v", bytes, err)
				}
				return reflect.ValueOf(target).Elem().Interface()
			}
			check := func(got, want any) {
				t.Helper()
				if !reflect.DeepEqual(got, want) {
					t.Errorf("got  %#v\nwant %#v", got, want)
				}
			}
			check(decode(c.bytes, new(any)), c.value)
			check(decode(c.bytes, new(myAny)), c.value)
			check(decode("91"+c.bytes, new([]any)), []any{c.value})
			check(decode("91"+c.bytes, new([1]any)), [1]any{c.value})
			check(decode("91"+c.bytes, new(any)), []any{c.value})
			check(decode("81 a1 61"+c.bytes, new(map[string]any)), map[string]any{"a": c.value})
			check(decode("81 01"+c.bytes, new(map[int]any)), map[int]any{1: c.value})
			check(decode("81 c3"+c.bytes, new(map[bool]any)), map[bool]any{true: c.value})
			check(decode("81 a1 61"+c.bytes, new(any)), map[string]any{"a": c.value})
			check(decode("81 01"+c.bytes, new(any)), map[any]any{int64(1): c.value})
			check(decode("81 a1 41"+c.bytes, new(struct{ A any })), struct{ A any }{c.value})
			if c.bytes != "c0" {
				check(decode(c.bytes, new(*any)), &c.value)
			}
		})
	}
}

// TestAnyKeepsItsNumbers decodes so many numbers that they share memory, and checks
// that none overwrites another.
func TestAnyKeepsItsNumbers(t *testing.T) {
	var want []any
	for i := range 1000 {
		want = append(want, int64(i)<<(i%63), float64(i)/3, -int64(i), fmt.Sprint(i), math.MaxUint64-uint64(i))
	}
	data, err := msgpack.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var first, second any
	for _, target := range []*any{&first, &second} {
		if err := msgpack.Unmarshal(data, target); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(first, any(want)) || !reflect.DeepEqual(second, first) {
		t.Error("some values differ after decoding")
	}
	// A second message must not change the values of the first.
	kept := first.([]any)[997:1003]
	text := fmt.Sprint(kept)
	var other any
	for range 100 {
		if err := msgpack.Unmarshal([]byte("\x92\xcd\x01\x00\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"), &other); err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(kept) != text {
		t.Errorf("got %v, was %s", kept, text)
	}
}

// TestAnyKeys decodes a map several times. It has more keys than the cache of keys
// holds, and keys too long for it.
func TestAnyKeys(t *testing.T) {
	want := map[string]any{}
	for i := range 2000 {
		want[fmt.Sprintf("%0*d", i%50, i)] = int64(i)
	}
	data, err := msgpack.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		var got any
		if err := msgpack.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, any(want)) {
			t.Fatalf("the map differs after decoding, %v", err)
		}
	}
}

// TestExtTypeIsData checks that the type of an ext in the input does not select a
// Go type.
func TestExtTypeIsData(t *testing.T) {
	for typ := -128; typ < 128; typ++ {
		if typ == -1 {
			continue
		}
		var got any
		err := msgpack.Unmarshal([]byte{0xd5, byte(typ), 1, 2}, &got)
		if want := (msgpack.Ext{Type: int8(typ), Data: []byte{1, 2}}); err != nil || !reflect.DeepEqual(got, any(want)) {
			t.Errorf("type %d: got %#v, %v", typ, got, err)
		}
	}
}

// TestTimestampLengths decodes exts of type -1 of every length. Only three lengths
// are timestamps.
func TestTimestampLengths(t *testing.T) {
	for n := range 40 {
		data := append([]byte{0xc7, byte(n), 0xff}, make([]byte, n)...)
		var want error
		if n != 4 && n != 8 && n != 12 {
			want = msgpack.ErrTimestamp
		}
		for _, target := range []any{new(any), new(time.Time), new(msgpack.Ext), new(msgpack.Raw), new(every)} {
			if err := msgpack.Unmarshal(data, target); !errors.Is(err, want) {
				t.Errorf("%d bytes into %T: %v", n, target, err)
			}
		}
		passedOver := append([]byte("\x81\xa1u"), data...)
		for message, err := range map[string]error{
			"Valid":           msgpack.Valid(data),
			"what is skipped": msgpack.Unmarshal(passedOver, new(struct{})),
		} {
			if !errors.Is(err, want) {
				t.Errorf("%d bytes, %s: %v", n, message, err)
			}
		}
		if _, err := msgpack.Marshal(msgpack.Ext{Type: -1, Data: make([]byte, n)}); !errors.Is(err, want) {
			t.Errorf("%d bytes encoded: %v", n, err)
		}
		if _, err := msgpack.Marshal(msgpack.Raw(data)); (err == nil) != (want == nil) {
			t.Errorf("%d bytes as Raw: %v", n, err)
		}
	}
}

// TestRawInsideAny encodes a Raw wherever an any can hold it, and decodes it where
// an any holds a pointer to a Raw.
func TestRawInsideAny(t *testing.T) {
	raw := msgpack.Raw{0x91, 5}
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"Raw":           {any(raw), "91 05"},
		"slice":         {[]any{raw, &raw}, "92 91 05 91 05"},
		"map":           {map[string]any{"a": raw}, "81 a1 61 91 05"},
		"map of any":    {map[any]any{true: raw}, "81 c3 91 05"},
		"pairs":         {msgpack.Pairs{{raw, raw}}, "81 91 05 91 05"},
		"field":         {struct{ A any }{raw}, "81 a1 41 91 05"},
		"nil":           {[]any{msgpack.Raw(nil)}, "91 c0"},
		"in interfaces": {[]any{any([]any{any(raw)})}, "91 91 91 05"},
	} {
		got, err := msgpack.Marshal(c.value)
		if want := unhex(t, c.want); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: got % x, %v, want % x", name, got, err, want)
		}
	}
	for name, broken := range map[string]msgpack.Raw{"cut short": {0x91}, "two": {1, 2}, "reserved": {0xc1}} {
		_, err := msgpack.Marshal(map[string]any{"a": []any{broken}})
		if e := checkError(t, err, msgpack.ErrInvalid); e != nil && e.Path != `["a"][0]` {
			t.Errorf("%s: %v", name, e)
		}
	}
	into := struct{ A any }{new(msgpack.Raw)}
	data := unhex(t, "81 a1 41 91 07")
	err := msgpack.Unmarshal(data, &into)
	clear(data)
	if got, want := *into.A.(*msgpack.Raw), unhex(t, "91 07"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got % x, %v, want % x, in memory of its own", got, err, want)
	}
}
