package reference

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestDecodeIntegers(t *testing.T) {
	testDecode(t, []decodeCase{
		{"positive fixint", "7f", new(int8), int8(127), nil},
		{"negative fixint", "e0", new(int8), int8(-32), nil},
		{"uint 8", "cc ff", new(int16), int16(255), nil},
		{"uint 16", "cd ffff", new(uint16), uint16(65535), nil},
		{"uint 32", "ce ffffffff", new(uint32), uint32(1<<32 - 1), nil},
		{"uint 64", "cf ffffffffffffffff", new(uint64), uint64(math.MaxUint64), nil},
		{"int 8", "d0 80", new(int8), int8(-128), nil},
		{"int 16", "d1 8000", new(int16), int16(-32768), nil},
		{"int 32", "d2 80000000", new(int32), int32(math.MinInt32), nil},
		{"int 64", "d3 8000000000000000", new(int64), int64(math.MinInt64), nil},
		{"small number in a long format", "d3 0000000000000005", new(uint8), uint8(5), nil},
		{"nil", "c0", to(7), 0, nil},
		{"float 32", "ca 40400000", new(int8), int8(3), nil},
		{"float 64", "cb c008000000000000", new(int8), int8(-3), nil},
		{"negative zero", "cb 8000000000000000", new(uint8), uint8(0), nil},
		{"float of 2^63", "cb 43e0000000000000", new(uint64), uint64(1 << 63), nil},
		{"float of -2^63", "cb c3e0000000000000", new(int64), int64(math.MinInt64), nil},

		{"uint 8 into int8", "cc 80", new(int8), nil, ErrRange},
		{"int 16 into int8", "d1 ff7f", new(int8), nil, ErrRange},
		{"uint 64 into int64", "cf 8000000000000000", new(int64), nil, ErrRange},
		{"negative into uint", "ff", new(uint64), nil, ErrRange},
		{"256 into uint8", "cd 0100", new(uint8), nil, ErrRange},
		{"float of 2^63 into int64", "cb 43e0000000000000", new(int64), nil, ErrRange},
		{"float of 2^64 into uint64", "cb 43f0000000000000", new(uint64), nil, ErrRange},
		{"float with a fraction", "cb 3ff8000000000000", new(int), nil, ErrRange},
		{"NaN", "ca 7fc00000", new(int), nil, ErrRange},
		{"infinity", "cb 7ff0000000000000", new(int), nil, ErrRange},
		{"greatest float", "cb 7fefffffffffffff", new(uint64), nil, ErrRange},
		{"bool", "c3", new(int), nil, ErrMismatch},
		{"str", "a1 31", new(int), nil, ErrMismatch},
		{"bool into uint", "c3", new(uint), nil, ErrMismatch},
		{"array", "91 01", new(int), nil, ErrMismatch},
	})
}

func TestDecodeFloatsAndOtherScalars(t *testing.T) {
	type text string
	testDecode(t, []decodeCase{
		{"float 64", "cb 3ff8000000000000", new(float64), 1.5, nil},
		{"float 32", "ca 3fc00000", new(float64), 1.5, nil},
		{"float 32 into float32", "ca 3fc00000", new(float32), float32(1.5), nil},
		{"float 64 into float32", "cb 3fb999999999999a", new(float32), float32(0.1), nil},
		{"infinity into float32", "cb fff0000000000000", new(float32), float32(math.Inf(-1)), nil},
		{"greatest float32", "cb 47efffffe0000000", new(float32), float32(math.MaxFloat32), nil},
		{"more than the greatest float32", "cb 47f0000000000000", new(float32), nil, ErrRange},
		{"rounded up to infinity", "cb 47effffff0000000", new(float32), nil, ErrRange},
		{"rounded down to the greatest", "cb 47efffffefffffff", new(float32), float32(math.MaxFloat32), nil},
		{"integer", "03", new(float64), 3.0, nil},
		{"negative integer", "d1 ff7f", new(float32), float32(-129), nil},
		{"2^24 into float32", "ce 01000000", new(float32), float32(1 << 24), nil},
		{"2^24+1 into float32", "ce 01000001", new(float32), nil, ErrRange},
		{"2^24+1 into float64", "ce 01000001", new(float64), float64(1<<24 + 1), nil},
		{"2^53+1 into float64", "cf 0020000000000001", new(float64), nil, ErrRange},
		{"2^63 into float64", "cf 8000000000000000", new(float64), float64(1 << 63), nil},
		{"2^64-1 into float64", "cf ffffffffffffffff", new(float64), nil, ErrRange},
		{"-2^63 into float32", "d3 8000000000000000", new(float32), float32(-1 << 63), nil},
		{"nil float", "c0", to(1.5), 0.0, nil},
		{"bool into float", "c3", new(float64), nil, ErrMismatch},

		{"false", "c2", to(true), false, nil},
		{"true", "c3", to(false), true, nil},
		{"nil bool", "c0", to(true), false, nil},
		{"int into bool", "01", new(bool), nil, ErrMismatch},

		{"complex128", "92 cb3ff8000000000000 cbc000000000000000", new(complex128), complex(1.5, -2), nil},
		{"complex64", "92 ca3fc00000 cac0000000", new(complex64), complex64(complex(1.5, -2)), nil},
		{"complex of integers", "92 01 ff", new(complex128), complex(1, -1), nil},
		{"complex with nil", "92 c0 01", new(complex128), complex(0, 1), nil},
		{"complex64 that is too large", "92 01 cb 47f0000000000000", new(complex64), nil, ErrRange},
		{"complex64 that is not exact", "92 01 ce 01000001", new(complex64), nil, ErrRange},
		{"complex of one", "91 01", new(complex128), nil, ErrMismatch},
		{"complex of three", "93 01 01 01", new(complex128), nil, ErrMismatch},
		{"complex of strings", "92 a0 a0", new(complex128), nil, ErrMismatch},
		{"complex of a number", "01", new(complex128), nil, ErrMismatch},
		{"nil complex", "c0", to(complex(1, 1)), complex(0, 0), nil},

		{"str", "a1 61", new(string), "a", nil},
		{"bin", "c4 01 61", new(string), "a", nil},
		{"str 32", "db 00000001 61", new(text), text("a"), nil},
		{"str that is not UTF-8", "a1 ff", new(string), "\xff", nil},
		{"nil str", "c0", to("a"), "", nil},
		{"int into string", "01", new(string), nil, ErrMismatch},
		{"array into string", "91 61", new(string), nil, ErrMismatch},

		{"chan", "01", new(chan int), nil, ErrUnsupported},
		{"nil into chan", "c0", new(chan int), nil, ErrUnsupported},
		{"func", "01", new(func()), nil, ErrUnsupported},
		{"uintptr", "01", new(uintptr), nil, ErrUnsupported},
		{"unsafe pointer", "01", to(reflect.ValueOf(new(int)).UnsafePointer()), nil, ErrUnsupported},
		{"nil into pointer to chan", "c0", new(*chan int), (*chan int)(nil), nil},
		{"empty slice of chans", "90", new([]chan int), []chan int{}, nil},
	})
}

func TestDecodeSpecialTypes(t *testing.T) {
	old := time.Unix(5, 5)
	testDecode(t, []decodeCase{
		{"timestamp 32", "d6 ff ffffffff", new(time.Time), time.Unix(1<<32-1, 0).UTC(), nil},
		{"timestamp 64", "d7 ff ee6b27ff ffffffff", new(time.Time), time.Unix(1<<34-1, 999_999_999).UTC(), nil},
		{"timestamp 96", "c7 0c ff 00000001 ffffffffffffffff", new(time.Time), time.Unix(-1, 1).UTC(), nil},
		{"timestamp 32 in ext 8", "c7 04 ff 00000001", new(time.Time), time.Unix(1, 0).UTC(), nil},
		{"zero time", "c7 0c ff 00000000 fffffff1886e0900", &old, time.Time{}, nil},
		{"nil time", "c0", &old, time.Time{}, nil},
		{"too many nanoseconds", "d7 ff ee6b2800 00000000", new(time.Time), nil, ErrTimestamp},
		{"too many nanoseconds in 96 bits", "c7 0c ff 3b9aca00 0000000000000000", new(time.Time), nil, ErrTimestamp},
		{"timestamp of 3 bytes", "c7 03 ff 000000", new(time.Time), nil, ErrTimestamp},
		{"other ext", "d6 01 00000000", new(time.Time), nil, ErrMismatch},
		{"int into time", "01", new(time.Time), nil, ErrMismatch},

		{"Raw", "92 01 cc02", new(raw), raw{0x92, 0x01, 0xcc, 0x02}, nil},
		{"Raw of nil", "c0", new(raw), raw{0xc0}, nil},
		{"Raw in a struct", "81 a1 52 91 c3", new(struct{ R raw }), struct{ R raw }{raw{0x91, 0xc3}}, nil},
		{"nil into pointer to Raw", "c0", to(to(raw{1})), (*raw)(nil), nil},
		{"Raw of a malformed timestamp", "d4 ff 00", new(raw), nil, ErrTimestamp},

		{"Ext", "d5 05 0102", new(ext), ext{5, []byte{1, 2}}, nil},
		{"Ext 8", "c7 01 fe 09", new(ext), ext{-2, []byte{9}}, nil},
		{"Ext 16", "c8 0001 7f 09", new(ext), ext{127, []byte{9}}, nil},
		{"Ext 32", "c9 00000001 80 09", new(ext), ext{-128, []byte{9}}, nil},
		{"empty Ext", "c7 00 05", new(ext), ext{5, []byte{}}, nil},
		{"Ext of a timestamp", "d6 ff 00000001", new(ext), ext{-1, []byte{0, 0, 0, 1}}, nil},
		{"Ext of a malformed timestamp", "d4 ff 00", new(ext), nil, ErrTimestamp},
		{"nil Ext", "c0", &ext{1, []byte{1}}, ext{}, nil},
		{"int into Ext", "01", new(ext), nil, ErrMismatch},
		{"map into Ext", "80", new(ext), nil, ErrMismatch},
	})
}

func TestDecodeSlicesAndArrays(t *testing.T) {
	type octet uint8
	testDecode(t, []decodeCase{
		{"slice", "92 01 02", new([]int), []int{1, 2}, nil},
		{"array 16", "dc 0001 05", new([]int), []int{5}, nil},
		{"array 32", "dd 00000001 05", new([]int), []int{5}, nil},
		{"empty slice", "90", new([]int), []int{}, nil},
		{"empty over full slice", "90", to([]int{1, 2}), []int{}, nil},
		{"nil slice", "c0", to([]int{1}), []int(nil), nil},
		{"elements start from zero", "91 80", to([]struct{ A int }{{7}}), []struct{ A int }{{}}, nil},
		{"map elements start from zero", "91 81 a1 62 02", to([]map[string]int{{"a": 1}}), []map[string]int{{"b": 2}}, nil},
		{"str into slice", "a1 61", new([]int), nil, ErrMismatch},
		{"bin into slice", "c4 01 61", new([]int), nil, ErrMismatch},
		{"map into slice", "81 01 01", new([]int), nil, ErrMismatch},
		{"element of another kind", "92 01 c3", new([]int), nil, ErrMismatch},
		{"element of an array of another kind", "91 c3", new([1]int), nil, ErrMismatch},

		{"array", "92 01 02", new([2]int), [2]int{1, 2}, nil},
		{"empty array", "90", new([0]int), [0]int{}, nil},
		{"nil array", "c0", to([2]int{1, 2}), [2]int{}, nil},
		{"elements of an array start from zero", "91 80", to([1]struct{ A int }{{7}}), [1]struct{ A int }{}, nil},
		{"array with too few", "91 01", new([2]int), nil, ErrMismatch},
		{"array with too many", "93 01 02 03", new([2]int), nil, ErrMismatch},

		{"bytes from bin", "c4 02 0102", new([]byte), []byte{1, 2}, nil},
		{"bytes from str", "a2 6162", new([]byte), []byte("ab"), nil},
		{"bytes from integers", "92 01 d10002", new([]byte), []byte{1, 2}, nil},
		{"bytes from a float and nil", "92 ca40400000 c0", to([]byte{9, 9}), []byte{3, 0}, nil},
		{"bytes of named type", "c4 02 0102", new([]octet), []octet{1, 2}, nil},
		{"empty bytes", "c4 00", new([]byte), []byte{}, nil},
		{"bytes from nothing", "90", new([]byte), []byte{}, nil},
		{"nil bytes", "c0", to([]byte{1}), []byte(nil), nil},
		{"bytes from large integers", "91 cd0100", new([]byte), nil, ErrRange},
		{"bytes from int", "01", new([]byte), nil, ErrMismatch},
		{"bytes from ext", "d4 01 01", new([]byte), nil, ErrMismatch},

		{"byte array from bin", "c4 02 0102", new([2]byte), [2]byte{1, 2}, nil},
		{"byte array from str", "a2 6162", new([2]octet), [2]octet{'a', 'b'}, nil},
		{"byte array from integers", "92 01 02", new([2]byte), [2]byte{1, 2}, nil},
		{"nil byte array", "c0", to([2]byte{1, 2}), [2]byte{}, nil},
		{"byte array with too few", "c4 01 01", new([2]byte), nil, ErrMismatch},
		{"byte array with too many", "a3 616263", new([2]byte), nil, ErrMismatch},
		{"byte array with too many integers", "93 01 02 03", new([2]byte), nil, ErrMismatch},
		{"empty byte array from integers", "91 01", new([0]byte), nil, ErrMismatch},
	})
}

// TestDecodeKeepsBackingArray checks that a slice with enough capacity is
// filled and not replaced.
func TestDecodeKeepsBackingArray(t *testing.T) {
	numbers := make([]int, 1, 4)
	s := numbers
	if err := ref.Unmarshal(unhex(t, "93 07 08 09"), &s); err != nil {
		t.Fatal(err)
	}
	if numbers[0] != 7 || len(s) != 3 {
		t.Errorf("got %v, and %v in the old array", s, numbers)
	}
	if err := ref.Unmarshal(unhex(t, "95 01 02 03 04 05"), &s); err != nil {
		t.Fatal(err)
	}
	if numbers[0] != 7 || len(s) != 5 {
		t.Errorf("got %v, and %v in the old array", s, numbers)
	}
}

func TestDecodeMaps(t *testing.T) {
	testDecode(t, []decodeCase{
		{"map", "81 a1 61 01", new(map[string]int), map[string]int{"a": 1}, nil},
		{"map 16", "de 0001 a1 61 01", new(map[string]int), map[string]int{"a": 1}, nil},
		{"map 32", "df 00000001 a1 61 01", new(map[string]int), map[string]int{"a": 1}, nil},
		{"empty map", "80", new(map[string]int), map[string]int{}, nil},
		{"nil map", "c0", to(map[string]int{"a": 1}), map[string]int(nil), nil},
		{"entries are added", "81 a1 62 02", to(map[string]int{"a": 1}), map[string]int{"a": 1, "b": 2}, nil},
		{"last duplicate wins", "82 a1 61 01 a1 61 02", new(map[string]int), map[string]int{"a": 2}, nil},
		{"values start from zero", "81 a1 61 81 a1 42 02",
			to(map[string]struct{ A, B int }{"a": {A: 1}}), map[string]struct{ A, B int }{"a": {B: 2}}, nil},
		{"bin as string key", "81 c4 01 61 01", new(map[string]int), map[string]int{"a": 1}, nil},
		{"nil as string key", "81 c0 01", new(map[string]int), map[string]int{"": 1}, nil},
		{"integer keys", "81 cd0001 01", new(map[int8]int), map[int8]int{1: 1}, nil},
		{"array keys", "81 92 01 02 03", new(map[[2]int]int), map[[2]int]int{{1, 2}: 3}, nil},
		{"struct keys", "81 91 07 03", new(map[struct{ A int }]int), map[struct{ A int }]int{{7}: 3}, nil},
		{"time keys", "81 d6ff00000001 02", new(map[time.Time]int), map[time.Time]int{time.Unix(1, 0).UTC(): 2}, nil},
		{"any keys", "82 01 02 a1 61 03", new(map[any]int), map[any]int{int64(1): 2, "a": 3}, nil},
		{"key of another kind", "81 01 01", new(map[string]int), nil, ErrMismatch},
		{"key out of range", "81 cd0100 01", new(map[uint8]int), nil, ErrRange},
		{"array as any key", "81 90 01", new(map[any]int), nil, ErrUnhashable},
		{"array inside of a key", "81 91 90 01", new(map[struct{ A any }]int), nil, ErrUnhashable},
		{"bin as any key", "81 c40161 01", new(map[any]int), nil, ErrUnhashable},
		{"key for an interface with methods", "81 01 01", new(map[fmt.Stringer]int), nil, ErrMismatch},
		{"nil key for an interface with methods", "81 c0 01", new(map[fmt.Stringer]int), map[fmt.Stringer]int{nil: 1}, nil},
		{"element of another kind", "81 01 c3", new(map[int]int), nil, ErrMismatch},
		{"array into map", "92 01 02", new(map[int]int), nil, ErrMismatch},
	})
}

func TestDecodeAny(t *testing.T) {
	testDecode(t, []decodeCase{
		{"nil", "c0", to[any](1), nil, nil},
		{"bool", "c3", new(any), true, nil},
		{"int", "05", new(any), int64(5), nil},
		{"negative", "d0 80", new(any), int64(-128), nil},
		{"uint within int64", "cf 7fffffffffffffff", new(any), int64(math.MaxInt64), nil},
		{"uint above int64", "cf 8000000000000000", new(any), uint64(1 << 63), nil},
		{"float 32", "ca 3fc00000", new(any), 1.5, nil},
		{"float 64", "cb 3ff8000000000000", new(any), 1.5, nil},
		{"str", "a1 61", new(any), "a", nil},
		{"bin", "c4 01 61", new(any), []byte("a"), nil},
		{"empty bin", "c4 00", new(any), []byte{}, nil},
		{"array", "92 01 c0", new(any), []any{int64(1), nil}, nil},
		{"empty array", "90", new(any), []any{}, nil},
		{"map", "81 a1 61 91 01", new(any), map[string]any{"a": []any{int64(1)}}, nil},
		{"empty map", "80", new(any), map[string]any{}, nil},
		{"map with mixed keys", "82 a1 61 01 01 02", new(any), map[any]any{"a": int64(1), int64(1): int64(2)}, nil},
		{"map with time key", "81 d6ff00000001 02", new(any), map[any]any{time.Unix(1, 0).UTC(): int64(2)}, nil},
		{"map with nil key", "81 c0 02", new(any), map[any]any{nil: int64(2)}, nil},
		{"map with bin key", "81 c4 01 61 02", new(any), nil, ErrUnhashable},
		{"map with array key", "81 90 02", new(any), nil, ErrUnhashable},
		{"map with map key", "82 a1 61 01 80 02", new(any), nil, ErrUnhashable},
		{"map with ext key", "81 d4 05 01 02", new(any), nil, ErrUnhashable},
		{"timestamp", "d6 ff 00000001", new(any), time.Unix(1, 0).UTC(), nil},
		{"ext", "d4 05 01", new(any), ext{5, []byte{1}}, nil},
		{"old value is replaced", "01", to[any]("old"), int64(1), nil},
		{"old map is replaced", "81 a1 61 01", to[any](map[string]any{"b": 2}), map[string]any{"a": int64(1)}, nil},
		{"nil pointer inside is replaced", "01", to[any]((*int8)(nil)), int64(1), nil},
		{"pointer inside is decoded into", "01", to[any](new(int8)), to(int8(1)), nil},
		{"nil replaces a pointer", "c0", to[any](new(int8)), nil, nil},
		{"out of range for the pointer inside", "cd 0100", to[any](new(int8)), nil, ErrRange},
		{"interface with methods", "01", new(fmt.Stringer), nil, ErrMismatch},
		{"nil into interface with methods", "c0", to[fmt.Stringer](time.Second), nil, nil},
		{"value in interface with methods", "01", to[fmt.Stringer](time.Second), nil, ErrMismatch},
		{"pointer in interface with methods", "01", to[fmt.Stringer](new(time.Duration)), to(time.Duration(1)), nil},
	})
}

func TestDecodePointers(t *testing.T) {
	testDecode(t, []decodeCase{
		{"allocated", "01", new(*int), to(1), nil},
		{"allocated twice", "01", new(**int), to(to(1)), nil},
		{"nil", "c0", to(to(1)), (*int)(nil), nil},
		{"outer pointer becomes nil", "c0", to(to(to(1))), (**int)(nil), nil},
		{"merged into the existing value", "81 a1 41 05", to(&struct{ A, B int }{1, 2}), &struct{ A, B int }{5, 2}, nil},
	})
	there := 1
	p := &there
	if err := ref.Unmarshal([]byte{0x02}, &p); err != nil || there != 2 {
		t.Errorf("the target of the pointer changed to %d, %v", there, err)
	}
}

func TestDecodeDepth(t *testing.T) {
	type endless *endless
	var own any
	own = &own
	type list struct{ Next []list }
	deepest := nested(512, "01")
	testDecode(t, []decodeCase{
		{"513 into any", nested(513, "01"), new(any), nil, ErrDepth},
		{"513 empty into any", nested(512, "90"), new(any), nil, ErrDepth},
		{"513 with a map into any", nested(512, "80"), new(any), nil, ErrDepth},
		{"513 into Raw", nested(512, "90"), new(raw), nil, ErrDepth},
		{"512 into Raw", deepest, new(raw), raw(unhex(t, deepest)), nil},
		{"512 into a method", deepest, new(everything), everything{"msgpack", string(unhex(t, deepest))}, nil},
		{"513 into a method", nested(513, "01"), new(everything), nil, ErrDepth},
		{"512 in Raw and the struct around", "81 a1 52" + deepest, new(struct{ R raw }), nil, ErrDepth},
		{"512 in a method and the slice around", "91" + deepest, new([]everything), nil, ErrDepth},
		{"513 in an unknown field", "81 a1 78" + deepest, new(struct{}), nil, ErrDepth},
		{"512 in an unknown field", "81 a1 78" + nested(511, "01"), new(struct{}), struct{}{}, nil},
		{"513 in an unknown key", "81" + deepest + "01", new(struct{}), nil, ErrDepth},
		{"513 in a surplus element", "91" + deepest, new(struct{}), nil, ErrDepth},
		{"10^6 unfinished arrays", strings.Repeat("91", 1_000_000), new(any), nil, ErrDepth},
		{"10^6 arrays, complete", nested(1_000_000, "01"), new(any), nil, ErrDepth},
		{"recursive pointer type", "01", new(endless), nil, ErrDepth},
		{"an interface that holds its own address", "01", &own, nil, ErrDepth},
		{"513 into lists", nested(512, "90"), new(list), nil, ErrDepth},
	})
	for _, inner := range []string{"01", "a161", "c0", "c400"} {
		if err := ref.Unmarshal(unhex(t, nested(512, inner)), new(any)); err != nil {
			t.Errorf("512 arrays around %s: %v", inner, err)
		}
	}
	for levels, want := range map[int]error{511: nil, 512: ErrDepth} {
		target := reflect.TypeFor[complex128]()
		for range levels {
			target = reflect.SliceOf(target)
		}
		if err := ref.Unmarshal(unhex(t, nested(levels, "92 01 02")), reflect.New(target).Interface()); !errors.Is(err, want) {
			t.Errorf("%d slices around a complex: got %v, want %v", levels, err, want)
		}
	}
}

// TestDecodeDepthBelowPointers checks that pointers to pointers count as levels
// in addition to the containers of the message.
func TestDecodeDepthBelowPointers(t *testing.T) {
	shallow := ref
	shallow.MaxDepth = 2
	for _, c := range []struct {
		name   string
		data   string // hexadecimal
		target any    // the target of two pointers
		err    error
	}{
		{"scalar", "05", new(int), nil},
		{"bytes", "c4 01 05", new([]byte), nil},
		{"slice", "91 05", new([]int), ErrDepth},
		{"array", "91 05", new([1]int), ErrDepth},
		{"bytes from an array", "91 05", new([]byte), ErrDepth},
		{"map", "81 05 05", new(map[int]int), ErrDepth},
		{"struct", "80", new(struct{}), ErrDepth},
		{"complex", "92 01 02", new(complex64), ErrDepth},
		{"any", "90", new(any), ErrDepth}, // the pointer to the any is also a level
		{"Raw", "90", new(raw), ErrDepth},
		{"method", "90", new(everything), ErrDepth},
	} {
		var target any = c.target
		target = to(target)
		target = to(target)
		if err := shallow.Unmarshal(unhex(t, c.data), to(target)); !errors.Is(err, c.err) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.err)
		}
	}
	for _, c := range []struct{ name, data string }{
		{"unknown field", "81 a1 78 90"},
		{"unknown key", "81 90 01"},
		{"surplus element", "91 90"},
	} {
		var target any = new(struct{})
		if err := shallow.Unmarshal(unhex(t, c.data), to(to(target))); !errors.Is(err, ErrDepth) {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
}

// TestTargets checks that a target must be a non-nil pointer.
func TestTargets(t *testing.T) {
	for _, c := range []struct {
		name   string
		target any
	}{
		{"nil", nil},
		{"value", 1},
		{"nil pointer", (*int)(nil)},
		{"map", map[string]int{}},
	} {
		if err := ref.Unmarshal([]byte{0x80}, c.target); !errors.Is(err, ErrTarget) {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
}

// TestOtherLimits uses a MessagePack with another MaxDepth and without the types
// Raw and Ext.
func TestOtherLimits(t *testing.T) {
	shallow := MessagePack{MaxDepth: 2}
	if err := shallow.Valid([]byte{0x91, 0x90}); err != nil {
		t.Errorf("2 of 2 levels: %v", err)
	}
	if err := shallow.Valid([]byte{0x91, 0x91, 0x90}); !errors.Is(err, ErrDepth) {
		t.Errorf("3 of 2 levels: %v", err)
	}
	if _, err := shallow.Marshal([][][]int{{{}}}); !errors.Is(err, ErrDepth) {
		t.Errorf("3 levels with MaxDepth 2: %v", err)
	}
	if err := shallow.Unmarshal([]byte{0xd4, 0x05, 0x01}, new(any)); !errors.Is(err, ErrUnsupported) {
		t.Errorf("ext without an Ext type: %v", err)
	}
}
