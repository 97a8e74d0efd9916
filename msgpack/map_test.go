package msgpack_test

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
)

// TestMapTypes encodes maps of one entry with every kind of key and element. The
// most common types have loops of their own.
func TestMapTypes(t *testing.T) {
	type pair struct{ A, B int8 }
	keys := []conversion{
		{"string", "k", "a1 6b"},
		{"named string", myString("k"), "a1 6b"},
		{"long string", strings.Repeat("k", 32), "d9 20" + strings.Repeat("6b", 32)},
		{"empty string", "", "a0"},
		{"bool", true, "c3"},
		{"int", -200, "d1 ff38"},
		{"int8", int8(-1), "ff"},
		{"int16", int16(256), "cd 0100"},
		{"int32", int32(1 << 20), "ce 00100000"},
		{"int64", int64(-1 << 40), "d3 ffffff0000000000"},
		{"named int64", myInt64(1), "01"},
		{"uint", uint(200), "cc c8"},
		{"uint8", uint8(5), "05"},
		{"uint16", uint16(65535), "cd ffff"},
		{"uint32", uint32(math.MaxUint32), "ce ffffffff"},
		{"uint64", uint64(math.MaxUint64), "cf ffffffffffffffff"},
		{"float32", float32(1.5), "ca 3fc00000"},
		{"float64", 1.5, "cb 3ff8000000000000"},
		{"complex128", complex(1.5, 0), "92 cb 3ff8000000000000 cb 0000000000000000"},
		{"array", [2]int{1, 2}, "92 01 02"},
		{"byte array", [2]byte{1, 2}, "c4 02 0102"},
		{"struct", pair{1, 2}, "82 a1 41 01 a1 42 02"},
		{"time", time.Unix(5, 0).UTC(), "d6 ff 00000005"},
		{"text", temperature(5), "a2 3543"},
		{"binary of the pointer", point{1, 2}, "c4 02 0102"},
		{"own", appender{5}, "cc 05"},
	}
	elems := []conversion{
		{"string", "v", "a1 76"},
		{"long string", strings.Repeat("v", 300), "da 012c" + strings.Repeat("76", 300)},
		{"named string", myString("v"), "a1 76"},
		{"bool", true, "c3"},
		{"int", -200, "d1 ff38"},
		{"int64", int64(-1 << 40), "d3 ffffff0000000000"},
		{"uint", uint(200), "cc c8"},
		{"uint64", uint64(math.MaxUint64), "cf ffffffffffffffff"},
		{"uint8", uint8(200), "cc c8"},
		{"float32", float32(1.5), "ca 3fc00000"},
		{"float64", 1.5, "cb 3ff8000000000000"},
		{"slice", []int{1}, "91 01"},
		{"struct", pair{1, 2}, "82 a1 41 01 a1 42 02"},
		{"map", map[string]int{"a": 1}, "81 a1 61 01"},
		{"text", temperature(5), "a2 3543"},
		{"own of the pointer", appenderP{5}, "cc 05"},
	}
	for _, k := range keys {
		for _, e := range elems {
			t.Run(k.name+"/"+e.name, func(t *testing.T) {
				m := reflect.MakeMap(reflect.MapOf(reflect.TypeOf(k.value), reflect.TypeOf(e.value)))
				m.SetMapIndex(reflect.ValueOf(k.value), reflect.ValueOf(e.value))
				data := unhex(t, "81"+k.bytes+e.bytes)
				checkEncode(t, m.Interface(), data)
				checkDecode(t, data, m.Interface())
			})
		}
		// Interfaces hold a key or an element whose type does not change by
		// decoding.
		t.Run(k.name+"/any", func(t *testing.T) {
			checkEncode(t, map[any]any{k.value: k.value}, unhex(t, "81"+k.bytes+k.bytes))
			m := reflect.MakeMap(reflect.MapOf(reflect.TypeOf(k.value), reflect.TypeFor[any]()))
			m.SetMapIndex(reflect.ValueOf(k.value), reflect.ValueOf("v"))
			checkEncode(t, m.Interface(), unhex(t, "81"+k.bytes+"a1 76"))
			checkDecode(t, unhex(t, "81"+k.bytes+"a1 76"), m.Interface())
		})
	}
}

// TestMapSizes encodes maps of various numbers of entries: around those at which
// the header changes, and enough for several iterations of a loop.
func TestMapSizes(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 15, 16, 17, 100, 255, 256, 1000} {
		ints, texts, flags := map[int]uint64{}, map[string]string{}, map[uint16]bool{}
		for i := range n {
			ints[i-n/2] = uint64(i) << (i % 64)
			texts[string(random(i%80))+string(rune(i))] = string(random(i % 90))
			flags[uint16(i)] = i%2 == 0
		}
		for _, m := range []any{ints, texts, flags} {
			data, err := msgpack.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			checkDecode(t, data, m)
			// The length is the same if the buffer has exactly enough room.
			got, err := msgpack.MarshalAppend(make([]byte, 0, len(data)), m)
			if err != nil || len(got) != len(data) {
				t.Errorf("%d entries of %T: %d bytes, %v, want %d", n, m, len(got), err, len(data))
			}
		}
	}
}

// TestMapsOfNaN encodes maps with several NaN keys, which are different because NaN
// is not equal to itself.
func TestMapsOfNaN(t *testing.T) {
	nan := math.NaN()
	m := map[float64]int{nan: 1, 0: 3}
	m[nan] = 2
	data, err := msgpack.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var back map[float64]int
	if err := msgpack.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, v := range back {
		got = append(got, v)
	}
	slices.Sort(got)
	if !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("got values %v", got)
	}
	var a any
	if err := msgpack.Unmarshal(data, &a); err != nil || len(a.(map[any]any)) != 3 {
		t.Errorf("got %v, %v", a, err)
	}
}

// TestKeysOfZeroLength decodes keys of a registered type that has no ==, although
// reflect.Value.Comparable is true, because its array has no elements.
func TestKeysOfZeroLength(t *testing.T) {
	type key struct {
		_ [0][1]func()
		N byte
	}
	c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{msgpack.ExtType(5,
		func(dst []byte, k key) ([]byte, error) { return append(dst, k.N), nil },
		func(data []byte) (key, error) { return key{N: data[0]}, nil })}})
	for _, v := range []any{new(any), new(map[any]int)} {
		checkError(t, c.Unmarshal([]byte("\x81\xd4\x05\x07\x01"), v), msgpack.ErrUnhashable)
	}
	checkError(t, c.Unmarshal([]byte("\x81\x92\x01\xd4\x05\x07\x01"), new(map[[2]any]int)), msgpack.ErrUnhashable)
	checkError(t, c.Unmarshal([]byte("\x81\x81\xa1A\xd4\x05\x07\x01"), new(map[struct{ A any }]int)), msgpack.ErrUnhashable)
}

// TestMapsOfUnhashable decodes maps with keys that cannot be keys of a Go map.
func TestMapsOfUnhashable(t *testing.T) {
	type key struct{ A any }
	for _, data := range []string{
		"\x81\x90\x01", "\x81\x91\x01\x01", "\x81\x80\x01", "\x81\xc4\x00\x01", "\x81\xc4\x02ab\x01", "\x81\xd4\x01\x00\x01",
	} {
		var a any
		var m map[any]int
		var typed map[key]int
		e := checkError(t, msgpack.Unmarshal([]byte(data), &a), msgpack.ErrUnhashable)
		if e != nil && (e.Offset != 1 || e.Path != "") {
			t.Errorf("% x: got %v", data, e)
		}
		e = checkError(t, msgpack.Unmarshal([]byte(data), &m), msgpack.ErrUnhashable)
		if e != nil && (e.Offset != 1 || e.Path != "") {
			t.Errorf("% x: got %v", data, e)
		}
		inStruct := "\x81\x81\xa1A" + data[1:]
		e = checkError(t, msgpack.Unmarshal([]byte(inStruct), &typed), msgpack.ErrUnhashable)
		if e != nil && e.Offset != 1 {
			t.Errorf("% x: got %v", inStruct, e)
		}
	}
	// A timestamp and a nil can be keys.
	var a any
	err := msgpack.Unmarshal([]byte("\x82\xd6\xff\x00\x00\x00\x05\x01\xc0\x02"), &a)
	if want := map[any]any{time.Unix(5, 0).UTC(): int64(1), nil: int64(2)}; err != nil || !reflect.DeepEqual(a, want) {
		t.Errorf("got %v, %v", a, err)
	}
	// If an interface holds a pointer, the value is decoded into the variable that
	// it points to. A new key has no such variable.
	var m map[any]any
	if err := msgpack.Unmarshal([]byte("\x81\x01\x02"), &m); err != nil || m[int64(1)] != int64(2) {
		t.Errorf("got %v, %v", m, err)
	}
}

// TestMapsOfPointers checks that each decoded pointer is a new key.
func TestMapsOfPointers(t *testing.T) {
	var m map[*int]*int
	if err := msgpack.Unmarshal([]byte("\x82\x01\x02\x01\x03"), &m); err != nil || len(m) != 2 {
		t.Fatalf("got %v, %v", m, err)
	}
	for k := range m {
		if *k != 1 {
			t.Errorf("got key %d", *k)
		}
	}
	checkEncode(t, map[*int]*int{m0(m): nil}, []byte("\x81\x01\xc0"))
	checkEncode(t, map[any]bool{m0(m): true}, []byte("\x81\x01\xc3"))
}

// m0 returns one of the keys of m.
func m0(m map[*int]*int) *int {
	for k := range m {
		return k
	}
	return nil
}

// TestMapStatesAreIndependent decodes nested maps of one type, which take their
// variables from one pool.
func TestMapStatesAreIndependent(t *testing.T) {
	type m map[int8]any
	v := m{1: m{2: m{3: []m{{4: m{}}, {5: "x"}}}}}
	data, err := msgpack.Marshal(v)
	if want := "\x81\x01\x81\x02\x81\x03\x92\x81\x04\x80\x81\x05\xa1x"; err != nil || string(data) != want {
		t.Fatalf("got % x, %v, want % x", data, err, want)
	}
	type nested map[int8]nested
	n := nested{1: {2: {3: nil, 4: {}}}, 5: {6: {7: {8: nil}}}}
	data, err = msgpack.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	checkDecode(t, data, n)
}

// An emptier calls its function when it is encoded. The function removes entries of
// the map that contains the emptier.
type emptier struct{ clear func() }

func (e emptier) AppendMsgpack(dst []byte) ([]byte, error) {
	e.clear()
	return append(dst, 0xc3), nil
}

// TestMapsModifiedDuringEncoding modifies maps after the header has announced their
// number of entries. Maps are read in place, see mem.MapGroups.
func TestMapsModifiedDuringEncoding(t *testing.T) {
	for _, n := range []int{3, 20} {
		texts, ints, anys, own := map[string]any{}, map[int]any{}, map[any]any{}, map[int8]emptier{}
		for i := range n {
			texts[string(rune('a'+i))] = emptier{func() { clear(texts) }}
			ints[i] = emptier{func() { clear(ints) }}
			anys[i] = emptier{func() { clear(anys) }}
			own[int8(i)] = emptier{func() { clear(own) }}
		}
		for _, m := range []any{texts, ints, anys, own} {
			checkChanged(t, m)
		}
	}
	// Here encoding replaces two entries, so that the number of entries stays the
	// same. This need not be an error, but a result must have seven different keys.
	m := map[string]any{}
	for i := range 7 {
		m[string(rune('a'+i))] = emptier{func() {
			delete(m, "f")
			delete(m, "g")
			m["new"], m["newer"] = 1, 1
		}}
	}
	if b, err := msgpack.Marshal(m); err == nil {
		var back map[string]any
		if err := msgpack.Unmarshal(b, &back); err != nil || len(back) != 7 {
			t.Errorf("got %v, %v", back, err)
		}
	}
	// The method of a key replaces the entry. Where this is no error, the element is that of the key.
	key, replaced := &emptier{}, map[any]any{}
	key.clear = func() {
		delete(replaced, key)
		replaced["new"] = 1
	}
	replaced[key] = "old"
	if b, err := msgpack.Marshal(replaced); err == nil && string(b) != "\x81\xc3\xa3old" && !heaptest.Race {
		t.Errorf("got % x", b)
	}
}

func checkChanged(t *testing.T, m any) {
	t.Helper()
	b, err := msgpack.Marshal(m)
	if e := checkError(t, err, msgpack.ErrInvalid); e != nil && !strings.HasSuffix(e.Found, " that was modified during encoding") {
		t.Errorf("%T: got % x, %v", m, b, e)
	}
}

// TestMapsByLayout encodes maps, and decodes maps that are filled as maps of other types with
// the same layout. Each is then used as what it is, also after the garbage collector has run.
func TestMapsByLayout(t *testing.T) {
	type (
		word  string
		count int64
		many  []*int
	)
	const entries = 100
	testMap(t, entries, func(i int) word { return word(fmt.Sprint("key ", i)) }, func(i int) time.Duration { return time.Duration(i) })
	testMap(t, entries, func(i int) string { return fmt.Sprint(i) }, func(i int) float32 { return float32(i) + 0.5 })
	testMap(t, entries, func(i int) string { return fmt.Sprint(i) }, func(i int) int8 { return int8(-i) })
	testMap(t, entries, func(i int) string { return fmt.Sprint(i) }, func(i int) uint16 { return uint16(i * 500) })
	testMap(t, entries, func(i int) string { return fmt.Sprint(i) }, func(i int) bool { return i%3 == 0 })
	testMap(t, entries, func(i int) string { return fmt.Sprint(i) }, func(i int) *word { w := word(fmt.Sprint("at ", i)); return &w })
	testMap(t, entries, func(i int) string { return fmt.Sprint(i) }, func(i int) many { return many{&i, nil} })
	testMap(t, entries, func(i int) string { return fmt.Sprint(i) }, func(i int) map[count]word { return map[count]word{count(i): "x"} })
	testMap(t, entries, func(i int) string { return fmt.Sprint(i) }, func(i int) time.Time { return time.Unix(int64(i), 5).UTC() })
	testMap(t, entries, func(i int) count { return count(-i) }, func(i int) any { return fmt.Sprint(i) })
	testMap(t, entries, func(i int) int { return -i }, func(i int) float64 { return float64(i) })
	testMap(t, entries, func(i int) uint64 { return math.MaxUint64 - uint64(i) }, func(i int) word { return word(fmt.Sprint(i)) })
	testMap(t, entries, func(i int) uint { return uint(i) }, func(i int) *int { return &i })
	// The slots of elements without bytes have padding.
	testMap(t, entries, func(i int) string { return fmt.Sprint(i) }, func(int) struct{} { return struct{}{} })
	testMap(t, entries, func(i int) int32 { return int32(-i) }, func(int) struct{} { return struct{}{} })
	testMap(t, entries, func(i int) uint8 { return uint8(i) }, func(int) [0]int64 { return [0]int64{} })
}

func testMap[K comparable, V any](t *testing.T, n int, key func(int) K, elem func(int) V) {
	t.Helper()
	want := make(map[K]V)
	for i := range n {
		want[key(i)] = elem(i)
	}
	data, err := ref.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var back map[K]V
	if b, err := msgpack.Marshal(want); err != nil || len(b) != len(data) {
		t.Fatalf("%T: encoded as %d bytes, %v; want %d", want, len(b), err, len(data))
	} else if err := msgpack.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, want) {
		t.Fatalf("%T: encoded as %v, %v", want, back, err)
	}
	maps := []map[K]V{nil, {}, {key(1): elem(2), key(3): elem(4)}}
	for i := range maps {
		if err := msgpack.Unmarshal(data, &maps[i]); err != nil {
			t.Fatalf("%T: %v", want, err)
		}
	}
	runtime.GC()
	for _, got := range maps {
		for i := range n {
			if v, ok := got[key(i)]; !ok || !reflect.DeepEqual(v, elem(i)) {
				t.Errorf("%T: entry %v is %v", want, key(i), v)
			}
			delete(got, key(i))
		}
		if len(got) != 0 {
			t.Errorf("%T: %d entries remain", want, len(got))
		}
		got[key(0)] = elem(0)
	}
}
