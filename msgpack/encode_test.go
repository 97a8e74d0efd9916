package msgpack_test

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// Named types of every kind.
type (
	myBool       bool
	myInt        int
	myInt8       int8
	myInt16      int16
	myInt32      int32
	myInt64      int64
	myUint       uint
	myUint8      uint8
	myUint16     uint16
	myUint32     uint32
	myUint64     uint64
	myFloat32    float32
	myFloat64    float64
	myComplex64  complex64
	myComplex128 complex128
	myString     string
	myBytes      []byte
	myOctets     []myUint8
	myArray      [2]int
	mySlice      []int
	myMap        map[string]int
	myStruct     struct{ A int }
	myPointer    *int
	myAny        any
	myRaw        msgpack.Raw // bytes: only Raw itself is a value already encoded
	myExt        msgpack.Ext // a struct: only Ext itself is an ext
	myTime       time.Time   // a struct without exported fields: only Time itself is a timestamp
)

// A conversion is a Go value and its encoding, which decodes to the same value.
type conversion struct {
	name  string
	value any
	bytes string // hexadecimal
}

func str(format string, n int) string { return format + strings.Repeat("61", n) }
func bin(format string, n int) string { return format + strings.Repeat("07", n) }

func sevens(n int) []byte { return []byte(strings.Repeat("\x07", n)) }

// conversions holds values that are the same after encoding and decoding.
var conversions = []conversion{
	{"false", false, "c2"},
	{"true", true, "c3"},
	{"named bool", myBool(true), "c3"},

	{"int 0", 0, "00"},
	{"int 1", 1, "01"},
	{"int 127", 127, "7f"},
	{"int 128", 128, "cc 80"},
	{"int 255", 255, "cc ff"},
	{"int 256", 256, "cd 0100"},
	{"int 65535", 65535, "cd ffff"},
	{"int 65536", 65536, "ce 00010000"},
	{"int 2^31-1", math.MaxInt32, "ce 7fffffff"},
	{"int -1", -1, "ff"},
	{"int -32", -32, "e0"},
	{"int -33", -33, "d0 df"},
	{"int -128", -128, "d0 80"},
	{"int -129", -129, "d1 ff7f"},
	{"int -32768", -32768, "d1 8000"},
	{"int -32769", -32769, "d2 ffff7fff"},
	{"int -2^31", math.MinInt32, "d2 80000000"},
	{"int8 0", int8(0), "00"},
	{"int8 127", int8(127), "7f"},
	{"int8 -1", int8(-1), "ff"},
	{"int8 -32", int8(-32), "e0"},
	{"int8 -33", int8(-33), "d0 df"},
	{"int8 -128", int8(-128), "d0 80"},
	{"int16 128", int16(128), "cc 80"},
	{"int16 32767", int16(math.MaxInt16), "cd 7fff"},
	{"int16 -128", int16(-128), "d0 80"},
	{"int16 -129", int16(-129), "d1 ff7f"},
	{"int16 -32768", int16(math.MinInt16), "d1 8000"},
	{"int32 65535", int32(65535), "cd ffff"},
	{"int32 65536", int32(65536), "ce 00010000"},
	{"int32 2^31-1", int32(math.MaxInt32), "ce 7fffffff"},
	{"int32 -32769", int32(-32769), "d2 ffff7fff"},
	{"int32 -2^31", int32(math.MinInt32), "d2 80000000"},
	{"int64 127", int64(127), "7f"},
	{"int64 128", int64(128), "cc 80"},
	{"int64 2^32-1", int64(math.MaxUint32), "ce ffffffff"},
	{"int64 2^32", int64(1 << 32), "cf 0000000100000000"},
	{"int64 2^63-1", int64(math.MaxInt64), "cf 7fffffffffffffff"},
	{"int64 -32", int64(-32), "e0"},
	{"int64 -2^31", int64(math.MinInt32), "d2 80000000"},
	{"int64 -2^31-1", int64(math.MinInt32 - 1), "d3 ffffffff7fffffff"},
	{"int64 -2^63", int64(math.MinInt64), "d3 8000000000000000"},
	{"uint 127", uint(127), "7f"},
	{"uint 128", uint(128), "cc 80"},
	{"uint 2^32-1", uint(math.MaxUint32), "ce ffffffff"},
	{"uint8 127", uint8(127), "7f"},
	{"uint8 128", uint8(128), "cc 80"},
	{"uint8 255", uint8(255), "cc ff"},
	{"uint16 255", uint16(255), "cc ff"},
	{"uint16 256", uint16(256), "cd 0100"},
	{"uint16 65535", uint16(math.MaxUint16), "cd ffff"},
	{"uint32 65535", uint32(65535), "cd ffff"},
	{"uint32 65536", uint32(65536), "ce 00010000"},
	{"uint32 2^32-1", uint32(math.MaxUint32), "ce ffffffff"},
	{"uint64 2^32-1", uint64(math.MaxUint32), "ce ffffffff"},
	{"uint64 2^32", uint64(1 << 32), "cf 0000000100000000"},
	{"uint64 2^63", uint64(1 << 63), "cf 8000000000000000"},
	{"uint64 2^64-1", uint64(math.MaxUint64), "cf ffffffffffffffff"},
	{"named int", myInt(-33), "d0 df"},
	{"named int8", myInt8(-1), "ff"},
	{"named int16", myInt16(256), "cd 0100"},
	{"named int32", myInt32(-129), "d1 ff7f"},
	{"named int64", myInt64(1 << 40), "cf 0000010000000000"},
	{"named uint", myUint(200), "cc c8"},
	{"named uint8", myUint8(200), "cc c8"},
	{"named uint16", myUint16(1), "01"},
	{"named uint32", myUint32(1 << 20), "ce 00100000"},
	{"named uint64", myUint64(1 << 40), "cf 0000010000000000"},
	{"duration", time.Second, "ce 3b9aca00"},

	{"float32 1.5", float32(1.5), "ca 3fc00000"},
	{"float32 -0", float32(math.Copysign(0, -1)), "ca 80000000"},
	{"float32 greatest", float32(math.MaxFloat32), "ca 7f7fffff"},
	{"float32 least", float32(math.SmallestNonzeroFloat32), "ca 00000001"},
	{"float32 infinite", float32(math.Inf(-1)), "ca ff800000"},
	{"float64 1.5", 1.5, "cb 3ff8000000000000"},
	{"float64 integral", 1.0, "cb 3ff0000000000000"},
	{"float64 -0", math.Copysign(0, -1), "cb 8000000000000000"},
	{"float64 greatest", math.MaxFloat64, "cb 7fefffffffffffff"},
	{"float64 least", math.SmallestNonzeroFloat64, "cb 0000000000000001"},
	{"float64 infinite", math.Inf(1), "cb 7ff0000000000000"},
	{"named float32", myFloat32(1.5), "ca 3fc00000"},
	{"named float64", myFloat64(1.5), "cb 3ff8000000000000"},
	{"complex64", complex64(complex(1.5, -2)), "92 ca 3fc00000 ca c0000000"},
	{"complex128", complex(1.5, -2), "92 cb 3ff8000000000000 cb c000000000000000"},
	{"named complex64", myComplex64(0), "92 ca 00000000 ca 00000000"},
	{"named complex128", myComplex128(complex(0, 1)), "92 cb 0000000000000000 cb 3ff0000000000000"},

	{"empty string", "", "a0"},
	{"string", "hé", "a3 68c3a9"},
	{"string with zeros", "\x00\x00", "a2 0000"},
	{"string that is not UTF-8", "\xff\xfe", "a2 fffe"},
	{"string of 31", strings.Repeat("a", 31), str("bf", 31)},
	{"string of 32", strings.Repeat("a", 32), str("d9 20", 32)},
	{"string of 255", strings.Repeat("a", 255), str("d9 ff", 255)},
	{"string of 256", strings.Repeat("a", 256), str("da 0100", 256)},
	{"named string", myString("abc"), "a3 616263"},
	{"bytes", []byte{7, 7}, "c4 02 0707"},
	{"empty bytes", []byte{}, "c4 00"},
	{"nil bytes", []byte(nil), "c0"},
	{"bytes of 255", sevens(255), bin("c4 ff", 255)},
	{"bytes of 256", sevens(256), bin("c5 0100", 256)},
	{"named bytes", myBytes{1, 2}, "c4 02 0102"},
	{"bytes of a named type", myOctets{1, 255}, "c4 02 01ff"},
	{"byte array", [3]byte{1, 2, 3}, "c4 03 010203"},
	{"array of a named byte", [2]myUint8{1, 2}, "c4 02 0102"},
	{"empty byte array", [0]byte{}, "c4 00"},
	{"named Raw", myRaw{0x01}, "c4 01 01"},

	{"slice", []int{1, -1, 300}, "93 01 ff cd 012c"},
	{"empty slice", []int{}, "90"},
	{"nil slice", []int(nil), "c0"},
	{"slice of 15", make([]int, 15), "9f" + strings.Repeat("00", 15)},
	{"slice of 16", make([]int, 16), "dc 0010" + strings.Repeat("00", 16)},
	{"slice of int8", []int8{-128, -1, 0, 127}, "94 d0 80 ff 00 7f"},
	{"slice of uint16", []uint16{0, 255, 256, 65535}, "94 00 cc ff cd 0100 cd ffff"},
	{"slice of float64", []float64{0, 1.5}, "92 cb 0000000000000000 cb 3ff8000000000000"},
	{"slice of float32", []float32{0, 1.5}, "92 ca 00000000 ca 3fc00000"},
	{"slice of bool", []bool{true, false}, "92 c3 c2"},
	{"slice of strings", []string{"", "a"}, "92 a0 a1 61"},
	{"slice of slices", [][]int{{}, nil, {1}}, "93 90 c0 91 01"},
	{"slice of bytes", [][]byte{{}, nil, {1}}, "93 c4 00 c0 c4 01 01"},
	{"slice of structs", []myStruct{{1}, {2}}, "92 81 a1 41 01 81 a1 41 02"},
	{"slice of nothing", []struct{}{{}, {}}, "92 80 80"},
	{"named slice", mySlice{1}, "91 01"},
	{"array", [2]int{1, 2}, "92 01 02"},
	{"empty array", [0]int{}, "90"},
	{"array of strings", [2]string{"a", ""}, "92 a1 61 a0"},
	{"array of arrays", [2][1]bool{{true}, {false}}, "92 91 c3 91 c2"},
	{"named array", myArray{1, 2}, "92 01 02"},
	{"map", map[string]int{"a": 1}, "81 a1 61 01"},
	{"empty map", map[string]int{}, "80"},
	{"nil map", map[string]int(nil), "c0"},
	{"nil map of another type", map[bool]int8(nil), "c0"},
	{"named map", myMap{"a": 1}, "81 a1 61 01"},
	{"empty struct", struct{}{}, "80"},
	{"named struct", myStruct{5}, "81 a1 41 05"},
	{"named Ext", myExt{Type: 1, Data: []byte{2}}, "82 a4 54797065 01 a4 44617461 c4 01 02"},
	{"nil pointer", (*int)(nil), "c0"},
	{"nil named pointer", myPointer(nil), "c0"},

	{"Raw", msgpack.Raw{0x92, 1, 2}, "92 01 02"},
	{"Ext of 1", msgpack.Ext{Type: 5, Data: []byte{9}}, "d4 05 09"},
	{"Ext of 0", msgpack.Ext{Type: -128, Data: []byte{}}, "c7 00 80"},
	{"Ext of 3", msgpack.Ext{Type: 127, Data: []byte{1, 2, 3}}, "c7 03 7f 010203"},
	{"Ext of 16", msgpack.Ext{Type: 0, Data: sevens(16)}, bin("d8 00", 16)},
	{"Ext of 17", msgpack.Ext{Type: 0, Data: sevens(17)}, bin("c7 11 00", 17)},
	{"Ext of 256", msgpack.Ext{Type: 0, Data: sevens(256)}, bin("c8 0100 00", 256)},
	{"Ext that is a timestamp", msgpack.Ext{Type: -1, Data: []byte{0, 0, 0, 1}}, "d6 ff 00000001"},
	{"time of 1970", time.Unix(0, 0).UTC(), "d6 ff 00000000"},
	{"time in 32 bits", time.Unix(1<<32-1, 0).UTC(), "d6 ff ffffffff"},
	{"time in 64 bits", time.Unix(1, 1).UTC(), "d7 ff 0000000400000001"},
	{"time past 32 bits", time.Unix(1<<32, 0).UTC(), "d7 ff 0000000100000000"},
	{"time last of 64 bits", time.Unix(1<<34-1, 999999999).UTC(), "d7 ff ee6b27ffffffffff"},
	{"time in 96 bits", time.Unix(1<<34, 1).UTC(), "c7 0c ff 00000001 0000000400000000"},
	{"time before 1970", time.Unix(-1, 0).UTC(), "c7 0c ff 00000000 ffffffffffffffff"},
	{"zero time", time.Time{}, "c7 0c ff 00000000 fffffff1886e0900"},
}

// encodings holds values that differ after encoding and decoding.
var encodings = []conversion{
	{"nil Raw", msgpack.Raw(nil), "c0"},
	{"empty Raw", msgpack.Raw{}, "c0"},
	{"Ext without data", msgpack.Ext{Type: 1}, "c7 00 01"},
	{"time in another zone", time.Unix(5, 0).In(time.FixedZone("east", 3600)), "d6 ff 00000005"},
	{"NaN", math.Float64frombits(0x7ff8000000000001), "cb 7ff8000000000001"},
	{"signaling NaN", math.Float64frombits(0x7ff0000000000001), "cb 7ff0000000000001"},
	{"slice of interfaces", []any{nil, 1, "a", []int{2}, map[string]bool{"b": true}}, "95 c0 01 a1 61 91 02 81 a1 62 c3"},
	{"named interfaces", []myAny{nil, true}, "92 c0 c3"},
	{"interfaces with methods", []error{nil, error(nil)}, "92 c0 c0"},
	{"unexported type with exported fields", struct{ unexported, E int }{1, 2}, "81 a1 45 02"},
}

func TestEncode(t *testing.T) {
	if got, err := msgpack.Marshal(nil); err != nil || string(got) != "\xc0" {
		t.Errorf("nil: got % x, %v", got, err)
	}
	for _, c := range append(conversions, encodings...) {
		t.Run(c.name, func(t *testing.T) {
			v := reflect.ValueOf(c.value)
			for _, p := range places {
				if p.takes(v.Type()) {
					t.Run(p.name, func(t *testing.T) {
						checkEncode(t, p.around(v).Interface(), unhex(t, p.message(c.bytes)))
					})
				}
			}
		})
	}
}

// TestEncodeLong encodes values that are too long to be tried in every place.
func TestEncodeLong(t *testing.T) {
	for _, c := range []struct {
		name   string
		value  any
		before string
		length int // of the whole message
	}{
		{"string of 65535", strings.Repeat("a", 65535), "da ffff 61", 3 + 65535},
		{"string of 65536", strings.Repeat("a", 65536), "db 00010000 61", 5 + 65536},
		{"bytes of 65535", make([]byte, 65535), "c5 ffff 00", 3 + 65535},
		{"bytes of 65536", make([]byte, 65536), "c6 00010000 00", 5 + 65536},
		{"byte array of 65536", [65536]byte{}, "c6 00010000 00", 5 + 65536},
		{"slice of 65535", make([]int, 65535), "dc ffff 00", 3 + 65535},
		{"slice of 65536", make([]int, 65536), "dd 00010000 00", 5 + 65536},
		{"slice of 65536 structs", make([]struct{}, 65536), "dd 00010000 80", 5 + 65536},
		{"map of 15", numbered(15), "8f", 1 + 15*2},
		{"map of 16", numbered(16), "de 0010", 3 + 16*2},
		{"map of 65535", numbered(65535), "de ffff", 3 + 128*2 + 128*3 + (65535-256)*4},
		{"map of 65536", numbered(65536), "df 00010000", 5 + 128*2 + 128*3 + (65536-256)*4},
		{"Ext of 65535", msgpack.Ext{Type: 1, Data: make([]byte, 65535)}, "c8 ffff 01 00", 4 + 65535},
		{"Ext of 65536", msgpack.Ext{Type: 1, Data: make([]byte, 65536)}, "c9 00010000 01 00", 6 + 65536},
		{"more than one pooled buffer", make([]byte, 3<<20), "c6 00300000 00", 5 + 3<<20},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := msgpack.Marshal(c.value)
			if err != nil {
				t.Fatal(err)
			}
			before := unhex(t, c.before)
			if string(got[:len(before)]) != string(before) || len(got) != c.length {
				t.Errorf("got % x… of %d bytes, want % x… of %d", got[:len(before)], len(got), before, c.length)
			}
			back := reflect.New(reflect.TypeOf(c.value))
			if err := msgpack.Unmarshal(got, back.Interface()); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(back.Elem().Interface(), c.value) {
				t.Error("the value differs after decoding")
			}
		})
	}
}

// numbered returns a map from each of the first n numbers to true.
func numbered(n int) map[uint32]bool {
	m := make(map[uint32]bool, n)
	for i := range n {
		m[uint32(i)] = true
	}
	return m
}

func TestMarshalAppendLeavesDstOnError(t *testing.T) {
	dst := append(make([]byte, 0, 100), "abc"...)
	got, err := msgpack.MarshalAppend(dst, []any{1, make(chan int)})
	if err == nil || string(got) != "abc" || cap(got) != cap(dst) {
		t.Errorf("got %q with capacity %d, %v", got, cap(got), err)
	}
}
