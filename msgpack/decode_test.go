package msgpack_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

func TestDecode(t *testing.T) {
	for _, c := range conversions {
		t.Run(c.name, func(t *testing.T) { checkDecodeInPlaces(t, c) })
	}
}

// checkDecodeInPlaces decodes the bytes of c in all places and compares the result
// with its value.
func checkDecodeInPlaces(t *testing.T, c conversion) {
	v := reflect.ValueOf(c.value)
	for _, p := range places {
		if p.decodes(v.Type(), c.bytes) {
			t.Run(p.name, func(t *testing.T) {
				checkDecode(t, unhex(t, p.message(c.bytes)), p.around(v).Interface())
			})
		}
	}
}

// decodings holds messages that Octet does not write for their Go value: formats
// that other encoders choose, and values that convert to another type.
var decodings = []conversion{
	{"string from str 8", "a", "d9 01 61"},
	{"string from str 16", "a", "da 0001 61"},
	{"string from str 32", "a", "db 00000001 61"},
	{"string from an empty str 32", "", "db 00000000"},
	{"string from bin 8", "a", "c4 01 61"},
	{"string from bin 16", "a", "c5 0001 61"},
	{"string from bin 32", "a", "c6 00000001 61"},
	{"string from an empty bin", "", "c4 00"},
	{"named string from bin", myString("a"), "c4 01 61"},
	{"string from nil", "", "c0"},

	{"bytes from bin 16", []byte{7}, "c5 0001 07"},
	{"bytes from bin 32", []byte{7}, "c6 00000001 07"},
	{"bytes from str", []byte("ab"), "a2 6162"},
	{"bytes from an empty str", []byte{}, "a0"},
	{"bytes from str 32", []byte("a"), "db 00000001 61"},
	{"bytes from integers", []byte{0, 127, 128, 255}, "94 00 7f cc 80 d1 00ff"},
	{"bytes from an integral float and nil", []byte{3, 0}, "92 ca 40400000 c0"},
	{"bytes from an empty array", []byte{}, "90"},
	{"bytes from array 32", []byte{1}, "dd 00000001 01"},
	{"named bytes from integers", myOctets{1, 2}, "92 01 02"},
	{"byte array from str", [2]byte{'a', 'b'}, "a2 6162"},
	{"byte array from bin 32", [2]byte{1, 2}, "c6 00000002 0102"},
	{"byte array from integers", [2]byte{1, 255}, "92 01 cc ff"},
	{"byte array from array 16", [2]byte{1, 2}, "dc 0002 01 02"},
	{"byte array from nil", [2]byte{}, "c0"},
	{"empty byte array from str", [0]byte{}, "a0"},
	{"empty byte array from an array", [0]byte{}, "90"},

	{"slice from array 16", []int{1}, "dc 0001 01"},
	{"slice from array 32", []int{1}, "dd 00000001 01"},
	{"slice with nil elements", []*int{nil, nil}, "92 c0 c0"},
	{"strings from bins", []string{"a", ""}, "92 c4 01 61 c4 00"},
	{"numbers with nils", []int32{1, 0, 2}, "93 01 c0 02"},
	{"floats from integers", []float64{1, 0, -1}, "93 01 c0 ff"},
	{"array from array 32", [1]int{1}, "dd 00000001 01"},
	{"array from nil", [2]string{}, "c0"},
	{"empty array from array 16", [0]int{}, "dc 0000"},
	{"map from map 16", map[string]int{"a": 1}, "de 0001 a1 61 01"},
	{"map from map 32", map[string]int{"a": 1}, "df 00000001 a1 61 01"},
	{"map from an empty map 32", map[string]int{}, "df 00000000"},
	{"map by bytes for keys", map[string]int{"a": 1}, "81 c4 01 61 01"},
	{"map by bytes for keys of another type", map[myString]int8{"a": 1}, "81 c4 01 61 01"},
	{"map with a nil key", map[string]int{"": 1}, "81 c0 01"},
	{"map with nil elements", map[string]string{"a": ""}, "81 a1 61 c0"},
	{"map with equal keys", map[string]int{"a": 3, "b": 2}, "83 a1 61 01 a1 62 02 a1 61 03"},
	{"map with keys equal after conversion", map[int8]int{1: 3}, "82 01 02 cb 3ff0000000000000 03"},

	{"complex from integers", complex(1, -1), "92 01 ff"},
	{"complex from float 32", complex(1.5, 0), "92 ca 3fc00000 ca 00000000"},
	{"complex64 from float 64", complex64(complex(1.5, 0)), "92 cb 3ff8000000000000 cb 0000000000000000"},
	{"complex from nils", complex(0, 2), "92 c0 02"},
	{"complex from nil", complex(0, 0), "c0"},
	{"complex from array 16", complex(1, 2), "dc 0002 01 02"},
	{"complex64 from array 32", complex64(complex(1, 2)), "dd 00000002 01 02"},

	{"time from timestamp 64 that fits 32", time.Unix(1, 0).UTC(), "d7 ff 0000000000000001"},
	{"time from timestamp 96 that fits 32", time.Unix(1, 0).UTC(), "c7 0c ff 00000000 0000000000000001"},
	{"time from ext 8", time.Unix(1, 0).UTC(), "c7 04 ff 00000001"},
	{"time from ext 16", time.Unix(1, 0).UTC(), "c8 0004 ff 00000001"},
	{"time from ext 32", time.Unix(1, 0).UTC(), "c9 00000008 ff 0000000000000001"},
	{"earliest time", time.Unix(math.MinInt64, 0).UTC(), "c7 0c ff 00000000 8000000000000000"},
	{"time from nil", time.Time{}, "c0"},
	{"Ext from ext 32", msgpack.Ext{Type: 1, Data: []byte{2}}, "c9 00000001 01 02"},
	{"Ext from ext 16", msgpack.Ext{Type: 1, Data: []byte{2}}, "c8 0001 01 02"},
	{"Ext from a timestamp 96", msgpack.Ext{Type: -1, Data: make([]byte, 12)}, bin("c7 0c ff", 0) + strings.Repeat("00", 12)},
	{"Ext from nil", msgpack.Ext{}, "c0"},
	{"Raw from nil", msgpack.Raw{0xc0}, "c0"},
	{"Raw from a long format", msgpack.Raw{0xdd, 0, 0, 0, 1, 0xc3}, "dd 00000001 c3"},
	{"Raw from a map", msgpack.Raw{0x81, 0xa0, 0x90}, "81 a0 90"},

	{"struct from nil", struct{ A int }{}, "c0"},
	{"struct from array", struct{ A, B int }{1, 2}, "92 01 02"},
	{"struct from array 32", struct{ A, B int }{1, 2}, "dd 00000002 01 02"},
	{"struct from a short array", struct{ A, B int }{1, 0}, "91 01"},
	{"struct from a long array", struct{ A, B int }{1, 2}, "94 01 02 91 c3 a1 61"},
	{"struct from map 16", struct{ A, B int }{1, 2}, "de 0002 a1 41 01 a1 42 02"},
	{"struct from map 32", struct{ A, B int }{1, 2}, "df 00000002 a1 42 02 a1 41 01"},
	{"struct with bin keys", struct{ A int }{1}, "81 c4 01 41 01"},
	{"struct with keys in long formats", struct{ A, B int }{1, 2}, "82 d9 01 41 01 db 00000001 42 02"},
	{"struct with unknown keys", struct{ A int }{1}, "85 a1 42 91 c0 01 02 c0 03 a1 41 01 90 80"},
	{"struct with equal keys", struct{ A int }{2}, "82 a1 41 01 a1 41 02"},
	{"empty struct from a map", struct{}{}, "81 a1 41 01"},
	{"empty struct from an array", struct{}{}, "92 01 02"},
	{"array form from a map", asArrayStruct{A: 1, B: "b"}, "82 a1 42 a1 62 a1 41 01"},
	{"array form from an array", asArrayStruct{A: 1, B: "b"}, "92 01 a1 62"},
}

type asArrayStruct struct {
	_ struct{} `msgpack:",as_array"`
	A int
	B string
}

func TestDecodeOtherForms(t *testing.T) {
	for _, c := range decodings {
		t.Run(c.name, func(t *testing.T) { checkDecodeInPlaces(t, c) })
	}
}

// A refusal is a message that cannot be decoded into a type.
type refusal struct {
	name   string
	bytes  string
	target any // of the type
	err    error
}

var refusals = []refusal{
	{"bool from 1", "01", false, msgpack.ErrMismatch},
	{"bool from str", "a4 74727565", false, msgpack.ErrMismatch},
	{"int from bool", "c3", 0, msgpack.ErrMismatch},
	{"int from str", "a1 31", 0, msgpack.ErrMismatch},
	{"int from bin", "c4 01 31", int8(0), msgpack.ErrMismatch},
	{"int from array", "91 01", 0, msgpack.ErrMismatch},
	{"int from a timestamp", "d6 ff 00000001", 0, msgpack.ErrMismatch},
	{"uint from map", "80", uint16(0), msgpack.ErrMismatch},
	{"float from bool", "c2", 0.0, msgpack.ErrMismatch},
	{"float from str", "a3 312e35", 0.0, msgpack.ErrMismatch},
	{"float32 from ext", "d4 01 02", float32(0), msgpack.ErrMismatch},
	{"string from int", "01", "", msgpack.ErrMismatch},
	{"string from bool", "c3", "", msgpack.ErrMismatch},
	{"string from float", "ca 3fc00000", "", msgpack.ErrMismatch},
	{"string from array", "91 61", "", msgpack.ErrMismatch},
	{"string from ext", "d4 01 61", "", msgpack.ErrMismatch},
	{"named string from map", "80", myString(""), msgpack.ErrMismatch},
	{"bytes from int", "01", []byte(nil), msgpack.ErrMismatch},
	{"bytes from map", "80", []byte(nil), msgpack.ErrMismatch},
	{"bytes from ext", "d4 01 61", []byte(nil), msgpack.ErrMismatch},
	{"byte array from a short bin", "c4 01 01", [2]byte{}, msgpack.ErrMismatch},
	{"byte array from a long bin", "c4 03 010203", [2]byte{}, msgpack.ErrMismatch},
	{"byte array from a short str", "a1 61", [2]byte{}, msgpack.ErrMismatch},
	{"byte array from a short array", "91 01", [2]byte{}, msgpack.ErrMismatch},
	{"byte array from a long array", "93 01 02 03", [2]byte{}, msgpack.ErrMismatch},
	{"byte array from ext of its length", "d5 01 0102", [2]byte{}, msgpack.ErrMismatch},
	{"byte array from uint of its length", "cd 0102", [2]byte{}, msgpack.ErrMismatch},
	{"byte array from float of its length", "ca 3fc00000", [4]byte{}, msgpack.ErrMismatch},
	{"empty byte array from nothing else", "01", [0]byte{}, msgpack.ErrMismatch},
	{"empty byte array from an empty map", "80", [0]byte{}, msgpack.ErrMismatch},
	{"slice from str", "a1 61", []int(nil), msgpack.ErrMismatch},
	{"slice from bin", "c4 01 01", []int(nil), msgpack.ErrMismatch},
	{"slice from map", "80", []string(nil), msgpack.ErrMismatch},
	{"slice from int", "01", []struct{}(nil), msgpack.ErrMismatch},
	{"array from fewer", "91 01", [2]int{}, msgpack.ErrMismatch},
	{"array from more", "93 01 02 03", [2]int{}, msgpack.ErrMismatch},
	{"array from an empty one", "90", [2]int{}, msgpack.ErrMismatch},
	{"array from map", "82 01 02 03 04", [2]int{}, msgpack.ErrMismatch},
	{"empty array from one", "91 01", [0]int{}, msgpack.ErrMismatch},
	{"map from array", "90", map[string]int(nil), msgpack.ErrMismatch},
	{"map from str", "a0", map[bool]int(nil), msgpack.ErrMismatch},
	{"map from bool", "c2", map[int]any(nil), msgpack.ErrMismatch},
	{"struct from int", "01", struct{ A int }{}, msgpack.ErrMismatch},
	{"struct from str", "a1 41", struct{ A int }{}, msgpack.ErrMismatch},
	{"struct from bin", "c4 01 41", struct{ A int }{}, msgpack.ErrMismatch},
	{"struct from ext", "d4 01 41", struct{}{}, msgpack.ErrMismatch},
	{"complex from a number", "01", complex(0, 0), msgpack.ErrMismatch},
	{"complex from one", "91 01", complex(0, 0), msgpack.ErrMismatch},
	{"complex from three", "93 01 02 03", complex64(0), msgpack.ErrMismatch},
	{"complex from map", "82 01 02 03 04", complex64(0), msgpack.ErrMismatch},
	{"complex from strings", "92 a0 a0", complex(0, 0), msgpack.ErrMismatch},
	{"complex64 from an integer that is not a float32", "92 ce 01000001 00", complex64(0), msgpack.ErrRange},
	{"complex128 from an integer that is not a float64", "92 00 cf 0020000000000001", complex(0, 0), msgpack.ErrRange},
	{"time from int", "01", time.Time{}, msgpack.ErrMismatch},
	{"time from str", "a1 61", time.Time{}, msgpack.ErrMismatch},
	{"time from another ext", "d6 01 00000001", time.Time{}, msgpack.ErrMismatch},
	{"time from 1 byte", "d4 ff 00", time.Time{}, msgpack.ErrTimestamp},
	{"time from 0 bytes", "c7 00 ff", time.Time{}, msgpack.ErrTimestamp},
	{"time from 5 bytes", "c7 05 ff 0000000000", time.Time{}, msgpack.ErrTimestamp},
	{"time from 16 bytes", "d8 ff" + strings.Repeat("00", 16), time.Time{}, msgpack.ErrTimestamp},
	{"time with 10^9 nanoseconds", "d7 ff ee6b280000000000", time.Time{}, msgpack.ErrTimestamp},
	{"time with 10^9 nanoseconds in 96 bits", "c7 0c ff 3b9aca00 0000000000000000", time.Time{}, msgpack.ErrTimestamp},
	{"Ext from a malformed timestamp", "d4 ff 00", msgpack.Ext{}, msgpack.ErrTimestamp},
	{"Raw from a malformed timestamp", "d4 ff 00", msgpack.Raw{}, msgpack.ErrTimestamp},
	{"Ext from bin", "c4 01 01", msgpack.Ext{}, msgpack.ErrMismatch},
	{"Ext from int", "01", msgpack.Ext{}, msgpack.ErrMismatch},
	{"bytes from 256", "91 cd 0100", []byte(nil), msgpack.ErrRange},
	{"bytes from -1", "91 ff", []byte(nil), msgpack.ErrRange},
	{"bytes from strings", "91 a1 61", []byte(nil), msgpack.ErrMismatch},
	{"byte array from 256", "92 00 cd 0100", [2]byte{}, msgpack.ErrRange},
	{"chan", "01", (chan int)(nil), msgpack.ErrUnsupported},
	{"func", "c0", (func())(nil), msgpack.ErrUnsupported},
	{"uintptr", "01", uintptr(0), msgpack.ErrUnsupported},
	{"struct without exported fields", "80", struct{ a int }{}, msgpack.ErrUnsupported},
	{"time by another name", "d6 ff 00000001", myTime{}, msgpack.ErrUnsupported},
	{"interface with methods", "01", (*fmt.Stringer)(nil), msgpack.ErrMismatch},
	{"reserved byte", "c1", 0, msgpack.ErrReserved},
	{"reserved byte for a string", "c1", "", msgpack.ErrReserved},
	{"reserved byte for a struct", "c1", struct{ A int }{}, msgpack.ErrReserved},
	{"reserved byte for bytes", "c1", []byte{}, msgpack.ErrReserved},
	{"reserved byte for a map", "c1", map[string]int{}, msgpack.ErrReserved},
	{"reserved byte in a Raw", "91 c1", msgpack.Raw{}, msgpack.ErrReserved},
}

// TestDecodeRefuses checks that messages that do not fit a type are errors in
// every place, with the path and an offset inside the value.
func TestDecodeRefuses(t *testing.T) {
	for _, c := range refusals {
		t.Run(c.name, func(t *testing.T) {
			typ := reflect.TypeOf(c.target)
			for _, p := range places {
				if !p.decodes(typ, c.bytes) {
					continue
				}
				t.Run(p.name, func(t *testing.T) {
					data := unhex(t, p.message(c.bytes))
					err := msgpack.Unmarshal(data, reflect.New(p.typ(typ)).Interface())
					e := checkError(t, err, c.err)
					if e == nil {
						return
					}
					begin := len(unhex(t, p.before))
					if e.Op != "unmarshal" || int(e.Offset) < begin || int(e.Offset) >= begin+len(unhex(t, c.bytes)) {
						t.Errorf("%v: offset is not in the value, from %d", e, begin)
					}
					if !strings.HasPrefix(e.Path, p.path) {
						t.Errorf("%v: path is not that of the value, %s", e, p.path)
					}
				})
			}
		})
	}
}
