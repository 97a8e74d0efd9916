package reference

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestEncodeScalars(t *testing.T) {
	type (
		number int16
		text   string
	)
	testEncode(t, []encodeCase{
		{"nil", nil, "c0", nil},
		{"false", false, "c2", nil},
		{"true", true, "c3", nil},
		{"int 0", 0, "00", nil},
		{"int 127", 127, "7f", nil},
		{"int 128", 128, "cc 80", nil},
		{"int 255", int16(255), "cc ff", nil},
		{"int 256", int16(256), "cd 0100", nil},
		{"int 65535", int32(65535), "cd ffff", nil},
		{"int 65536", int32(65536), "ce 00010000", nil},
		{"int 2^32-1", int64(1<<32 - 1), "ce ffffffff", nil},
		{"int 2^32", int64(1 << 32), "cf 0000000100000000", nil},
		{"int -1", int8(-1), "ff", nil},
		{"int -32", int8(-32), "e0", nil},
		{"int -33", int8(-33), "d0 df", nil},
		{"int -128", int64(-128), "d0 80", nil},
		{"int -129", int64(-129), "d1 ff7f", nil},
		{"int -32768", int64(-32768), "d1 8000", nil},
		{"int -32769", int64(-32769), "d2 ffff7fff", nil},
		{"int -2^31", int64(math.MinInt32), "d2 80000000", nil},
		{"int -2^31-1", int64(math.MinInt32 - 1), "d3 ffffffff7fffffff", nil},
		{"int least", int64(math.MinInt64), "d3 8000000000000000", nil},
		{"uint 5", uint8(5), "05", nil},
		{"uint greatest", uint64(math.MaxUint64), "cf ffffffffffffffff", nil},
		{"named int", number(-1), "ff", nil},
		{"duration", time.Second, "ce 3b9aca00", nil},
		{"float32", float32(1.5), "ca 3fc00000", nil},
		{"float64", 1.5, "cb 3ff8000000000000", nil},
		{"negative zero", math.Copysign(0, -1), "cb 8000000000000000", nil},
		{"complex64", complex64(complex(1.5, -2)), "92 ca 3fc00000 ca c0000000", nil},
		{"complex128", complex(1.5, -2), "92 cb 3ff8000000000000 cb c000000000000000", nil},
		{"empty string", "", "a0", nil},
		{"string", "hé", "a3 68c3a9", nil},
		{"string that is not UTF-8", "\xff", "a1 ff", nil},
		{"named string", text("a"), "a1 61", nil},
		{"string of 31", strings.Repeat("a", 31), "bf" + strings.Repeat("61", 31), nil},
		{"string of 32", strings.Repeat("a", 32), "d9 20" + strings.Repeat("61", 32), nil},
		{"string of 255", strings.Repeat("a", 255), "d9 ff" + strings.Repeat("61", 255), nil},
		{"string of 256", strings.Repeat("a", 256), "da 0100" + strings.Repeat("61", 256), nil},
		{"string of 65535", strings.Repeat("a", 65535), "da ffff" + strings.Repeat("61", 65535), nil},
		{"string of 65536", strings.Repeat("a", 65536), "db 00010000" + strings.Repeat("61", 65536), nil},
		{"chan", make(chan int), "", ErrUnsupported},
		{"nil func", (func())(nil), "", ErrUnsupported},
		{"uintptr", uintptr(1), "", ErrUnsupported},
		{"unsafe pointer", reflect.ValueOf(new(int)).UnsafePointer(), "", ErrUnsupported},
	})
}

func TestEncodeBytes(t *testing.T) {
	type octet uint8
	testEncode(t, []encodeCase{
		{"nil bytes", []byte(nil), "c0", nil},
		{"empty bytes", []byte{}, "c4 00", nil},
		{"bytes", []byte{1, 2}, "c4 02 0102", nil},
		{"bytes of named type", []octet{1, 2}, "c4 02 0102", nil},
		{"bytes of 255", make([]byte, 255), "c4 ff" + strings.Repeat("00", 255), nil},
		{"bytes of 256", make([]byte, 256), "c5 0100" + strings.Repeat("00", 256), nil},
		{"bytes of 65536", make([]byte, 65536), "c6 00010000" + strings.Repeat("00", 65536), nil},
		{"byte array", [3]byte{1, 2, 3}, "c4 03 010203", nil},
		{"byte array of none", [0]byte{}, "c4 00", nil},
		{"byte array of named type", [1]octet{9}, "c4 01 09", nil},
		{"bytes with methods", []textByte{1, 2}, "92 a2 2331 a2 2332", nil},
		{"byte array with methods", [1]textByte{1}, "91 a2 2331", nil},
		{"bytes that only decode themselves", []textReader{1, 2}, "92 01 02", nil},
		{"int8 is not a byte", []int8{1}, "91 01", nil},

		{"nil Raw", raw(nil), "c0", nil},
		{"empty Raw", raw{}, "c0", nil},
		{"Raw", raw{0x92, 0x01, 0xcc, 0x02}, "92 01 cc 02", nil}, // unchanged, although a shorter format exists
		{"Raw in a struct", struct{ R raw }{raw{0x01}}, "81 a1 52 01", nil},
		{"Raw with too much", raw{0x01, 0x02}, "", ErrInvalid},
		{"Raw with too little", raw{0x92, 0x02}, "", ErrInvalid},
		{"Raw of c1", raw{0xc1}, "", ErrInvalid},
		{"Raw with a malformed timestamp", raw{0xd4, 0xff, 0x00}, "", ErrInvalid},

		{"Ext of none", ext{Type: 5}, "c7 00 05", nil},
		{"Ext of 1", ext{-2, []byte{9}}, "d4 fe 09", nil},
		{"Ext of 2", ext{1, make([]byte, 2)}, "d5 01 0000", nil},
		{"Ext of 3", ext{1, make([]byte, 3)}, "c7 03 01 000000", nil},
		{"Ext of 4", ext{1, make([]byte, 4)}, "d6 01 00000000", nil},
		{"Ext of 8", ext{1, make([]byte, 8)}, "d7 01" + strings.Repeat("00", 8), nil},
		{"Ext of 16", ext{1, make([]byte, 16)}, "d8 01" + strings.Repeat("00", 16), nil},
		{"Ext of 17", ext{1, make([]byte, 17)}, "c7 11 01" + strings.Repeat("00", 17), nil},
		{"Ext of 256", ext{127, make([]byte, 256)}, "c8 0100 7f" + strings.Repeat("00", 256), nil},
		{"Ext of 65536", ext{1, make([]byte, 65536)}, "c9 00010000 01" + strings.Repeat("00", 65536), nil},
		{"Ext that is a timestamp", ext{-1, make([]byte, 4)}, "d6 ff 00000000", nil},
		{"Ext that is no timestamp", ext{-1, make([]byte, 5)}, "", ErrTimestamp},
	})
}

func TestEncodeTime(t *testing.T) {
	testEncode(t, []encodeCase{
		{"32 bits", time.Unix(1<<32-1, 0), "d6 ff ffffffff", nil},
		{"64 bits by nanoseconds", time.Unix(1, 1), "d7 ff 00000004 00000001", nil},
		{"64 bits by seconds", time.Unix(1<<32, 0), "d7 ff 00000001 00000000", nil},
		// 999,999,999 is 3b9ac9ff; shifted left by two bits it is ee6b27fc.
		{"64 bits at most", time.Unix(1<<34-1, 999_999_999), "d7 ff ee6b27ff ffffffff", nil},
		{"96 bits", time.Unix(1<<34, 0), "c7 0c ff 00000000 0000000400000000", nil},
		{"96 bits before 1970", time.Unix(-1, 1), "c7 0c ff 00000001 ffffffffffffffff", nil},
		{"zero", time.Time{}, "c7 0c ff 00000000 fffffff1886e0900", nil},
		{"in a zone", time.Unix(1, 0).In(time.FixedZone("", 3600)), "d6 ff 00000001", nil},
		{"pointer", to(time.Unix(1, 0)), "d6 ff 00000001", nil},
		{"nil pointer", (*time.Time)(nil), "c0", nil},
	})
}

func TestEncodeContainers(t *testing.T) {
	fourBytes := strings.Repeat("00", 16)
	testEncode(t, []encodeCase{
		{"nil slice", []int(nil), "c0", nil},
		{"empty slice", []int{}, "90", nil},
		{"slice of 15", make([]int, 15), "9f" + strings.Repeat("00", 15), nil},
		{"slice of 16", make([]int, 16), "dc 0010" + fourBytes, nil},
		{"slice of 65536", make([]bool, 65536), "dd 00010000" + strings.Repeat("c2", 65536), nil},
		{"array", [2]int8{1, -1}, "92 01 ff", nil},
		{"array of none", [0]int{}, "90", nil},
		{"array of 16", [16]int{}, "dc 0010" + fourBytes, nil},
		{"nil map", map[string]int(nil), "c0", nil},
		{"empty map", map[string]int{}, "80", nil},
		{"map", map[string]int{"a": 1}, "81 a1 61 01", nil},
		{"map by int", map[int8]bool{-1: true}, "81 ff c3", nil},
		{"map by array", map[[2]uint16]int{{1, 2}: 3}, "81 92 01 02 03", nil},
		{"map by bytes", map[[2]byte]int{{1, 2}: 3}, "81 c4 02 0102 03", nil},
		{"map by struct", map[struct{ A int }]int{{1}: 2}, "81 81 a1 41 01 02", nil},
		{"map by time", map[time.Time]int{time.Unix(1, 0): 2}, "81 d6 ff 00000001 02", nil},
		{"map by any", map[any]any{"a": 1.5}, "81 a1 61 cb 3ff8000000000000", nil},
		{"map by nil", map[any]int{nil: 1}, "81 c0 01", nil},
		{"map by pointer", map[*int]int{to(5): 1}, "81 05 01", nil},
		{"map by text", map[textByte]int{7: 1}, "81 a2 2337 01", nil},
		{"elements of any", []any{nil, 1, "a", []byte{1}, []any{}}, "95 c0 01 a1 61 c4 01 01 90", nil},
		{"pointers", []*int{nil, to(1)}, "92 c0 01", nil},
		{"pointer to pointer", to(to(1)), "01", nil},
		{"pointer to nil pointer", to((*int)(nil)), "c0", nil},
		{"pointer to nil slice", to([]int(nil)), "c0", nil},
		{"nil pointer in any", []any{(*int)(nil)}, "91 c0", nil},

		// An unsupported type is an error only if there is a value of it.
		{"nil slice of chan", []chan int(nil), "c0", nil},
		{"empty slice of chan", []chan int{}, "90", nil},
		{"nil pointer to chan", (*chan int)(nil), "c0", nil},
		{"slice of nil chan", []chan int{nil}, "", ErrUnsupported},
		{"map by chan", map[any]int{make(chan int): 1}, "", ErrUnsupported},
		{"map of func", map[string]func(){"a": nil}, "", ErrUnsupported},
		{"chan in any", []any{make(chan int)}, "", ErrUnsupported},
	})
}

// TestEncodeMapOfMany encodes maps of numbers of entries around those at which the
// header changes.
func TestEncodeMapOfMany(t *testing.T) {
	for _, c := range []struct {
		n    int
		head string
	}{{15, "8f"}, {16, "de 0010"}, {65535, "de ffff"}, {65536, "df 00010000"}} {
		m := make(map[int32]bool, c.n)
		for i := range c.n {
			m[int32(i)] = true
		}
		got, err := ref.Marshal(m)
		if want := unhex(t, c.head); err != nil || string(got[:len(want)]) != string(want) {
			t.Errorf("map of %d: got % x, %v, want % x", c.n, got[:5], err, want)
		}
	}
}

// TestEncodeDepth encodes values at the maximum depth, deeper ones, and values
// that contain themselves.
func TestEncodeDepth(t *testing.T) {
	slices := func(levels int, inner any) any {
		for range levels {
			inner = []any{inner}
		}
		return inner
	}
	pointers := func(hops int) any {
		var v any = 1
		for range hops {
			v = to(v)
		}
		return v
	}
	type pointer *pointer
	var ownPointer pointer
	ownPointer = &ownPointer
	var ownInterface any
	ownInterface = &ownInterface
	ownSlice := make([]any, 1)
	ownSlice[0] = ownSlice
	ownMap := map[int]any{}
	ownMap[0] = ownMap
	type list struct{ Next *list }
	ownStruct := &list{}
	ownStruct.Next = ownStruct

	testEncode(t, []encodeCase{
		{"512", slices(511, []int{}), nested(511, "90"), nil},
		{"512 and a scalar", slices(512, 1), nested(512, "01"), nil},
		{"513", slices(512, []int{}), "", ErrDepth},
		{"513 with a map", slices(512, map[int]int{}), "", ErrDepth},
		{"513 with a struct", slices(512, struct{}{}), "", ErrDepth},
		{"512 and bytes", slices(512, []byte{}), nested(512, "c400"), nil},
		{"512 and a nil slice", slices(512, []int(nil)), nested(512, "c0"), nil},
		{"513 with a complex", slices(512, complex64(0)), "", ErrDepth},
		{"512 with a complex", slices(511, complex64(0)), nested(511, "92 ca00000000 ca00000000"), nil},
		{"512 with Raw", slices(511, raw{0x90}), nested(511, "90"), nil},
		{"513 with Raw", slices(512, raw{0x90}), "", ErrInvalid},
		{"513 with a method's arrays", slices(511, ownBytes{0x91, 0x90}), "", ErrInvalid},
		{"512 pointers to any", pointers(512), "01", nil},
		{"513 pointers to any", pointers(513), "", ErrDepth},
		{"pointer to a slice is no level", slices(511, to([]int{})), nested(511, "90"), nil},
		{"pointer to itself", ownPointer, "", ErrDepth},
		{"interface with itself", ownInterface, "", ErrDepth},
		{"slice with itself", ownSlice, "", ErrDepth},
		{"map with itself", ownMap, "", ErrDepth},
		{"struct with itself", ownStruct, "", ErrDepth},
	})
}
