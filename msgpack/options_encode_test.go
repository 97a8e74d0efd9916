package msgpack_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// TestOptionsEncode checks the effect of each field of Options on the bytes. The
// expected bytes were derived from the specification by hand.
func TestOptionsEncode(t *testing.T) {
	type c = msgpack.Options
	type pair struct {
		B int8 `json:"b"`
		A int
	}
	type omitting struct {
		S string
		T time.Time
		N int
	}
	at := time.Date(1970, 1, 1, 0, 0, 1, 500_000_000, time.UTC)
	before := time.Date(1969, 12, 31, 23, 59, 59, 999_999_999, time.UTC)
	tests := []struct {
		name   string
		config c
		value  any
		want   string // hex
	}{
		{"struct as array", c{StructAsArray: true}, pair{1, 2}, "92 01 02"},
		{"struct as array, nested", c{StructAsArray: true}, []pair{{1, 2}}, "91 92 01 02"},
		{"json tags", c{TagKeys: []string{"msgpack", "json"}}, pair{1, 2}, "82 a1 62 01 a1 41 02"},
		{"json tags with options of encoding/json", c{TagKeys: []string{"json"}}, struct {
			A int `json:"a,string" msgpack:"b,nonsense"`
		}{1}, "81 a1 61 01"},
		{"own tag before another", c{TagKeys: []string{"msgpack", "json"}}, struct {
			A int `json:"a" msgpack:"b"`
		}{1}, "81 a1 62 01"},
		{"naming", c{Naming: msgpack.SnakeCase}, struct {
			UserID int
			Tagged int `msgpack:"Tagged"`
		}{1, 2}, "82 a7 757365725f6964 01 a6 546167676564 02"},
		{"omit empty", c{OmitEmpty: true}, omitting{N: 1, T: time.Unix(1, 0)}, "82 a1 54 d6ff00000001 a1 4e 01"},
		{"omit zero", c{OmitZero: true}, omitting{S: "s"}, "81 a1 53 a1 73"},
		{"sorted strings", c{SortKeys: true}, map[string]int{"b": 1, "": 2, "aa": 3, "a": 4}, "84 a0 02 a1 61 04 a2 6161 03 a1 62 01"},
		{"sorted ints", c{SortKeys: true}, map[int64]int8{3: 0, -1: 1, math.MinInt64: 2, 1000: 3, math.MaxInt64: 4},
			"85 d38000000000000000 02 ff 01 03 00 cd03e8 03 cf7fffffffffffffff 04"},
		{"sorted floats", c{SortKeys: true}, map[float32]bool{1: true, -1: false, float32(math.Inf(1)): true, float32(math.Inf(-1)): true},
			"84 caff800000 c3 cabf800000 c2 ca3f800000 c3 ca7f800000 c3"},
		{"sorted NaNs", c{SortKeys: true}, map[float64]bool{nan(4): true, nan(1): true, nan(3): true, nan(5): true, nan(2): true},
			"85 cb7ff8000000000001 c3 cb7ff8000000000002 c3 cb7ff8000000000003 c3 cb7ff8000000000004 c3 cb7ff8000000000005 c3"},
		{"sorted keys of all kinds", c{SortKeys: true}, map[any]any{"a": 1, 2: 2, -2: 3, 1.5: 4, true: 5, nil: 6, [1]string{"x"}: 7, uint64(math.MaxUint64): 8},
			"88 fe 03 02 02 cfffffffffffffffff 08 cb3ff8000000000000 04 a1 61 01 c0 06 c3 05 91a178 07"},
		{"sorted bool", c{SortKeys: true}, map[bool]int{true: 1, false: 0}, "82 c2 00 c3 01"},
		{"sorted structs as keys", c{SortKeys: true}, map[pair]int{{1, 2}: 1, {1, 1}: 2}, "82 82a14201a14101 02 82a14201a14102 01"},
		{"sorted within any", c{SortKeys: true}, []any{map[string]any{"b": map[string]any{"d": 1, "c": 2}, "a": 3}}, "91 82 a161 03 a162 82 a163 02 a164 01"},
		{"canonical struct", c{Canonical: true}, pair{1, 2}, "82 a1 41 02 a1 42 01"},
		{"canonical struct as array", c{Canonical: true, StructAsArray: true}, pair{1, 2}, "92 01 02"},
		{"canonical floats", c{Canonical: true}, []any{1.5, 0.1, math.NaN(), float32(math.NaN()), math.Inf(-1), math.Copysign(0, -1)},
			"96 ca3fc00000 cb3fb999999999999a ca7fc00000 ca7fc00000 caff800000 ca80000000"},
		{"narrow floats", c{NarrowFloats: true}, []float64{1.5, 0.1, math.MaxFloat64}, "93 ca3fc00000 cb3fb999999999999a cb7fefffffffffffff"},
		{"canonical complex numbers", c{Canonical: true}, []any{complex(0.1, math.NaN()), complex64(complex(nan(3), 1))},
			"92 92 cb3fb999999999999a ca7fc00000 92 ca7fc00000 ca3f800000"},
		{"narrow complex numbers", c{NarrowFloats: true}, map[complex128]complex128{1.5: complex(0.1, nan(1))},
			"81 92 ca3fc00000 ca00000000 92 cb3fb999999999999a cb7ff8000000000001"},
		{"narrow floats in a map", c{NarrowFloats: true}, map[string]float64{"a": 1}, "81 a161 ca3f800000"},
		{"typed ints", c{TypedInts: true}, struct {
			A int8
			B int16
			C int32
			D int64
			E int
			F uint8
			G uint16
			H uint32
			I uint64
			J uint
		}{-1, 1, 1, -1, 1, 1, 1, 1, 1, 1}, "8a a141 d0ff a142 d10001 a143 d200000001 a144 d3ffffffffffffffff a145 d30000000000000001" +
			"a146 cc01 a147 cd0001 a148 ce00000001 a149 cf0000000000000001 a14a cf0000000000000001"},
		{"typed ints in slices, arrays and maps", c{TypedInts: true}, []any{[]int16{1}, [1]uint32{1}, map[string]int{"a": 1}, map[int]bool{1: true}, map[string]any{"b": uint8(1)}},
			"95 91 d10001 91 ce00000001 81 a161 d30000000000000001 81 d30000000000000001 c3 81 a162 cc01"},
		{"typed ints leave bytes as they are", c{TypedInts: true}, []byte{1}, "c4 01 01"},
		{"nil slice as empty", c{NilSliceAsEmpty: true}, []any{[]int(nil), []string(nil), []byte(nil), []any(nil), map[string]int(nil), (*int)(nil)}, "96 90 90 c400 90 c0 c0"},
		{"nil map as empty", c{NilMapAsEmpty: true}, []any{map[string]int(nil), map[[1]int]int(nil), msgpack.Pairs(nil), []int(nil), map[string]any(nil)}, "95 80 80 80 c0 80"},
		{"nil map as empty, sorted", c{NilMapAsEmpty: true, SortKeys: true}, map[string]int(nil), "80"},
		{"bytes as str", c{BytesAsStr: true}, []any{[]byte("ab"), [1]byte{'c'}, []byte{}, []byte(nil)}, "94 a2 6162 a1 63 a0 c0"},
		{"RFC 3339", c{Time: msgpack.TimeRFC3339}, at.In(time.FixedZone("", 3600)), "bb" + hex.EncodeToString([]byte("1970-01-01T01:00:01.5+01:00"))},
		{"RFC 3339 in a zone with seconds", c{Time: msgpack.TimeRFC3339}, at.In(time.FixedZone("", 3601)), "b6" + hex.EncodeToString([]byte("1970-01-01T00:00:01.5Z"))},
		{"Unix", c{Time: msgpack.TimeUnix}, []time.Time{at, before}, "92 01 ff"},
		{"Unix milli", c{Time: msgpack.TimeUnixMilli}, []time.Time{at, before}, "92 cd05dc ff"},
		{"Unix micro", c{Time: msgpack.TimeUnixMicro}, []time.Time{at, before}, "92 ce0016e360 ff"},
		{"Unix nano", c{Time: msgpack.TimeUnixNano}, []time.Time{at, before}, "92 ce59682f00 ff"},
		{"Unix nano, the least", c{Time: msgpack.TimeUnixNano}, time.Unix(0, math.MinInt64), "d38000000000000000"},
		{"Unix nano, the greatest", c{Time: msgpack.TimeUnixNano}, time.Unix(0, math.MaxInt64), "cf7fffffffffffffff"},
		{"pairs", c{SortKeys: true}, msgpack.Pairs{{"b", 1}, {"a", 2}, {[]int{1}, 3}}, "83 a162 01 a161 02 9101 03"},
		{"number", c{}, []any{msgpack.Number("\xcd\x00\x01"), msgpack.Number("")}, "92 cd0001 c0"},
	}
	// These values differ after decoding into a variable of the same type: a slice
	// cannot be a key, and an any does not keep the width, the type Number or the
	// zone.
	lossy := map[string]bool{
		"sorted keys of all kinds": true, "typed ints in slices, arrays and maps": true, "RFC 3339": true, "number": true,
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want, err := hex.DecodeString(strings.ReplaceAll(test.want, " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			codec := newCodec(t, test.config)
			got, err := codec.Marshal(test.value)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("got  % x, %v\nwant % x", got, err, want)
			}
			got, err = codec.MarshalAppend([]byte("before"), test.value)
			if err != nil || !bytes.Equal(got[6:], want) {
				t.Errorf("appended: got  % x, %v\nwant % x", got, err, want)
			}
			// As the element of a slice of its type, because slices have loops of
			// their own.
			slice := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(test.value)), 1, 1)
			slice.Index(0).Set(reflect.ValueOf(test.value))
			if got, err := codec.Marshal(slice.Interface()); err != nil || !bytes.Equal(got[1:], want) {
				t.Errorf("element: got  % x, %v\nwant % x", got, err, want)
			}
			if err := codec.Valid(want); err != nil {
				t.Error(err)
			}
			if lossy[test.name] {
				return
			}
			// A codec decodes its own output.
			back := reflect.New(reflect.TypeOf(test.value))
			if err := codec.Unmarshal(want, back.Interface()); err != nil {
				t.Fatal(err)
			}
			again, err := codec.Marshal(back.Interface())
			if err != nil || !bytes.Equal(again, want) {
				t.Errorf("encoded again: got  % x, %v\nwant % x", again, err, want)
			}
		})
	}
}

// TestOptionsEncodeErrors checks the errors that fields of Options cause when
// encoding.
func TestOptionsEncodeErrors(t *testing.T) {
	type c = msgpack.Options
	deep := map[string]any{"list": []string{"ok", "\xff"}}
	tests := []struct {
		name   string
		config c
		value  any
		reason error
		path   string
	}{
		{"year 10000 in RFC 3339", c{Time: msgpack.TimeRFC3339}, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), msgpack.ErrRange, ""},
		{"nanoseconds of the year 1", c{Time: msgpack.TimeUnixNano}, []time.Time{{}}, msgpack.ErrRange, "[0]"},
		{"one nanosecond too many", c{Time: msgpack.TimeUnixNano}, time.Unix(0, math.MaxInt64).Add(1), msgpack.ErrRange, ""},
		{"one nanosecond too few", c{Time: msgpack.TimeUnixNano}, time.Unix(0, math.MinInt64).Add(-1), msgpack.ErrRange, ""},
		{"equal keys of two types", c{SortKeys: true}, map[any]any{int8(1): 1, int16(1): 2}, msgpack.ErrDuplicateKey, ""},
		{"equal keys, canonical", c{Canonical: true}, []any{map[any]any{1: 1, uint64(1): 2, 2: 3}}, msgpack.ErrDuplicateKey, "[0]"},
		{"equal keys, floats that are narrowed", c{Canonical: true}, map[any]int{float32(1.5): 1, 1.5: 2}, msgpack.ErrDuplicateKey, ""},
		{"equal keys, NaNs", c{SortKeys: true}, map[float64]int{math.NaN(): 1, math.NaN(): 2}, msgpack.ErrDuplicateKey, ""},
		{"equal keys, named strings", c{SortKeys: true}, map[string]map[any]int{"k": {"a": 1, label("a"): 2}}, msgpack.ErrDuplicateKey, `["k"]`},
		{"equal keys, str and bin", c{SortKeys: true}, map[any]int{"a": 1, [1]byte{'a'}: 2}, msgpack.ErrDuplicateKey, ""},
		{"equal keys, pointers", c{SortKeys: true}, map[*int]int{new(5): 1, new(5): 2}, msgpack.ErrDuplicateKey, ""},
		{"equal keys, by methods", c{SortKeys: true}, map[yesNoKey]int{{true, 1}: 1, {true, 2}: 2}, msgpack.ErrDuplicateKey, ""},
		{"equal keys of two types, not sorted", c{RejectDuplicates: true}, map[any]any{int8(1): 1, int16(1): 2}, msgpack.ErrDuplicateKey, "[key 1]"},
		{"invalid UTF-8", c{RejectInvalidUTF8: true}, deep, msgpack.ErrUTF8, `["list"][1]`},
		{"invalid UTF-8 in Raw", c{RejectInvalidUTF8: true}, msgpack.Raw("\xa1\xff"), msgpack.ErrUTF8, ""},
		{"too many elements", c{MaxElements: 2}, [][]int{{1, 2, 3}}, msgpack.ErrLimit, "[0]"},
		{"too many pairs", c{MaxElements: 2}, map[int]int{1: 1, 2: 2, 3: 3}, msgpack.ErrLimit, ""},
		{"too many bytes", c{MaxBytes: 2}, []string{"ab", "abc"}, msgpack.ErrLimit, "[1]"},
		{"message too long", c{MaxTotal: 3}, "abc", msgpack.ErrLimit, ""},
		{"malformed number", c{}, []any{msgpack.Number("\xcd\x00")}, msgpack.ErrInvalid, "[0]"},
		{"number that is a string", c{}, msgpack.Number("\xa1a"), msgpack.ErrInvalid, ""},
		{"key of the inline map is a field", c{}, withRest{A: 1, More: map[string]any{"A": 2}}, msgpack.ErrDuplicateKey, `More["A"]`},
		{"inline map that is too deep", c{MaxDepth: 1}, []withRest{{}}, msgpack.ErrDepth, "[0]"},
		{"value of an inline map", c{}, withRest{More: map[string]any{"k": make(chan int)}}, msgpack.ErrUnsupported, `More["k"]`},
		{"field beside an inline map", c{}, struct {
			withRest
			F any
		}{F: make(chan int)}, msgpack.ErrUnsupported, "F"},
		{"sorted map, too deep", c{SortKeys: true, MaxDepth: 1}, []map[any]int{{1: 1, 2: 2}}, msgpack.ErrDepth, "[0]"},
		{"value of a sorted map", c{SortKeys: true}, map[any]any{1: make(chan int), 2: 3}, msgpack.ErrUnsupported, "[key]"},
		{"element of a sorted set", c{SortKeys: true}, struct {
			S map[any]struct{} `msgpack:",set"`
		}{map[any]struct{}{1: {}, [1]any{make(chan int)}: {}}}, msgpack.ErrUnsupported, "S[key][0]"},
		{"value of a map of strings", c{}, map[string][]any{"k": {1, make(chan int)}}, msgpack.ErrUnsupported, `["k"][1]`},
		{"pairs, too deep", c{MaxDepth: 1}, []msgpack.Pairs{{}}, msgpack.ErrDepth, "[0]"},
		{"key of pairs", c{}, msgpack.Pairs{{1, 2}, {make(chan int), 1}}, msgpack.ErrUnsupported, "[key]"},
		{"value of pairs", c{}, msgpack.Pairs{{1, 2}, {"k", make(chan int)}}, msgpack.ErrUnsupported, `["k"]`},
		{"inline map in array form", c{StructAsArray: true}, withRest{}, msgpack.ErrUnsupported, "More"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			codec := newCodec(t, test.config)
			_, err := codec.Marshal(test.value)
			if e := checkError(t, err, test.reason); e != nil && e.Path != test.path {
				t.Errorf("got path %q, want %q: %v", e.Path, test.path, e)
			}
			if b, err := codec.MarshalAppend([]byte("x"), test.value); !errors.Is(err, test.reason) || string(b) != "x" {
				t.Errorf("appended: got %q, %v", b, err)
			}
		})
	}
}

// A yesNoKey is encoded without its number.
type yesNoKey struct {
	yes bool
	n   int
}

func (k yesNoKey) MarshalText() ([]byte, error) { return yesNo(k.yes).MarshalText() }

// TestEqualKeysByDefault checks that two keys with the same encoding are both
// encoded, and that the last value wins when decoding.
func TestEqualKeysByDefault(t *testing.T) {
	data, err := msgpack.Marshal(map[any]int{int(1): 5, int8(1): 5})
	if err != nil || string(data) != "\x82\x01\x05\x01\x05" {
		t.Errorf("got % x, %v", data, err)
	}
	var m map[any]int
	if err := msgpack.Unmarshal([]byte("\x82\x01\x05\x01\x06"), &m); err != nil || len(m) != 1 || m[int64(1)] != 6 {
		t.Errorf("got %v, %v", m, err)
	}
}

type withRest struct {
	A    int
	More map[string]any `msgpack:",inline"`
	B    string         `msgpack:",omitempty"`
}

// TestCanonicalIsStable checks that equal values have equal bytes in every order of
// iteration.
func TestCanonicalIsStable(t *testing.T) {
	codec := newCodec(t, msgpack.Options{Canonical: true})
	m := map[any]any{}
	for i := range 200 {
		m[i*i*i-1000] = map[string]any{strings.Repeat("k", i%40): i, "z": []any{float64(i) / 3}}
		m[strings.Repeat("x", i)] = float32(i)
	}
	want, err := codec.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		got, err := codec.Marshal(m)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("the bytes differ from those of the first call, %v", err)
		}
	}
	// The keys are sorted.
	var pairs msgpack.Pairs
	if err := codec.Unmarshal(want, &pairs); err != nil {
		t.Fatal(err)
	}
	numbers, text := 0, ""
	last := int64(math.MinInt64)
	for _, p := range pairs {
		switch k := p.Key.(type) {
		case int64:
			if k <= last || text != "" {
				t.Fatalf("%d comes after %d and %q", k, last, text)
			}
			last, numbers = k, numbers+1
		case string:
			if k < text {
				t.Fatalf("%q comes after %q", k, text)
			}
			text = k
		}
	}
	if numbers != 200 || len(pairs) != 400 {
		t.Errorf("got %d keys, %d of them numbers", len(pairs), numbers)
	}
}

func TestInlineMapEncodes(t *testing.T) {
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"entries", withRest{A: 1, More: map[string]any{"x": 2}}, "\x82\xa1A\x01\xa1x\x02"},
		{"nil", withRest{A: 1, B: "b"}, "\x82\xa1A\x01\xa1B\xa1b"},
		{"behind a nil pointer", struct{ *withRest }{}, "\x80"},
		{"behind a pointer", struct{ *withRest }{&withRest{More: map[string]any{"x": nil}}}, "\x82\xa1A\x00\xa1x\xc0"},
		{"without other fields", struct {
			M map[string]int `msgpack:",inline"`
		}{map[string]int{"x": 1}}, "\x81\xa1x\x01"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := msgpack.Marshal(test.value)
			if err != nil || string(got) != test.want {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
		})
	}
	codec := newCodec(t, msgpack.Options{SortKeys: true})
	checkCodec(t, codec, withRest{A: 1, More: map[string]any{"z": int64(1), "b": int64(2), "x": int64(3)}, B: "b"},
		[]byte("\x85\xa1A\x01\xa1B\xa1b\xa1b\x02\xa1x\x03\xa1z\x01"))
}

func TestNaming(t *testing.T) {
	tests := []struct{ name, snake, camel string }{
		{"A", "a", "a"}, {"ID", "id", "id"}, {"UserID", "user_id", "userId"}, {"HTTPServer2", "http_server2", "httpServer2"},
		{"X509Cert", "x509_cert", "x509Cert"}, {"JSONToXML", "json_to_xml", "jsonToXml"}, {"Already_Snake", "already_snake", "alreadySnake"},
		{"Größe", "größe", "größe"}, {"ÜberCool", "über_cool", "überCool"}, {"A_", "a", "a"},
	}
	for _, test := range tests {
		if got := msgpack.SnakeCase(test.name); got != test.snake {
			t.Errorf("snake case of %s: got %s, want %s", test.name, got, test.snake)
		}
		if got := msgpack.CamelCase(test.name); got != test.camel {
			t.Errorf("camel case of %s: got %s, want %s", test.name, got, test.camel)
		}
	}
}

// nan returns the quiet NaN with the given payload.
func nan(payload uint64) float64 { return math.Float64frombits(0x7ff8<<48 | payload) }
