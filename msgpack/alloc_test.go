package msgpack_test

import (
	"bytes"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack"
)

// A report has the field types of a typical message.
type report struct {
	ID     int64
	Score  float64
	Active bool
	Name   string
	Tags   []string
	Counts map[string]uint
	Sub    struct{ X, Y int32 }
	At     time.Time
	Next   *report
}

func makeReport() *report {
	r := &report{
		ID: 1 << 40, Score: 2.5, Active: true, Name: "some name that is longer than a few words",
		Tags: []string{"a", "bb", "ccc"}, Counts: map[string]uint{"x": 1, "y": 300}, At: time.Unix(1e9, 5).UTC(),
	}
	r.Sub.X, r.Sub.Y = 1, -1
	r.Next = &report{Name: "next"}
	return r
}

// encodedWithoutAllocation holds values that MarshalAppend encodes without an
// allocation if the buffer has room.
var encodedWithoutAllocation = map[string]any{
	"nil":                      nil,
	"bool":                     true,
	"int":                      1 << 20,
	"float":                    1.5,
	"string":                   "text",
	"long string":              string(random(1000)),
	"bytes":                    random(100),
	"byte array":               &[16]byte{1},
	"complex":                  complex(1, 2),
	"time":                     time.Unix(1, 2),
	"Raw":                      msgpack.Raw{0x92, 1, 2},
	"Ext":                      msgpack.Ext{Type: 1, Data: []byte{1, 2, 3}},
	"pointer":                  new(5),
	"nil pointer":              (*int)(nil),
	"pointers to pointers":     new(new(new(5))),
	"ints":                     []int{1, 2, 3, 1 << 30, -5},
	"int8s":                    []int8{1, 2, 3},
	"floats":                   []float64{1, 2, 3},
	"bools":                    []bool{true, false},
	"strings":                  []string{"a", "b", string(random(40))},
	"slices":                   [][]int{{1}, nil, {}},
	"interfaces":               []any{1, "a", nil, []any{true}, map[string]any{"k": 1.5}},
	"array":                    &[3]int{1, 2, 3},
	"map of strings":           map[string]string{"a": "b", "c": "d"},
	"map of ints":              map[int]int{1: 2, 3: 4},
	"map of interfaces":        map[string]any{"a": 1, "b": "c"},
	"map of another type":      map[int16]myStruct{1: {2}, 3: {4}},
	"map by struct":            map[myStruct][]int{{1}: {2, 3}},
	"struct":                   myStruct{1},
	"pointer to struct":        makeReport(),
	"structs":                  []report{*makeReport(), *makeReport()},
	"struct in array form":     &asArrayStruct{A: 1, B: "b"},
	"struct with omitempty":    &nestOptional{A: &nestOptional{}},
	"embedded pointers":        &Deep{Middle{&Inner{1, "y"}, 2}},
	"nested structs":           &company{Users: make([]user, 3)},
	"struct of maps and texts": makeBush(3),
}

// skipIfInstrumented skips the test in builds that allocate more than normal ones.
// The race detector empties pools, and pointer checks (-d=checkptr=2) move
// variables from the stack to the heap.
func skipIfInstrumented(t *testing.T) {
	t.Helper()
	onStack := func() {
		var variable [64]byte
		mem.Store8(mem.Hide(mem.PtrTo(&variable[0])), 0, 1)
	}
	if heaptest.Race || testing.AllocsPerRun(10, onStack) > 0 {
		t.Skip("skipped: the build is instrumented and allocates more")
	}
}

// TestMarshalAllocations checks that MarshalAppend and Valid do not allocate, and
// that Marshal allocates only its result.
func TestMarshalAllocations(t *testing.T) {
	skipIfInstrumented(t)
	for name, v := range encodedWithoutAllocation {
		t.Run(name, func(t *testing.T) {
			data, err := msgpack.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			dst := make([]byte, 0, len(data)) // exactly enough room
			if n := testing.AllocsPerRun(100, func() { dst, _ = msgpack.MarshalAppend(dst[:0], v) }); n != 0 {
				t.Errorf("MarshalAppend: %v allocations", n)
			}
			if n := testing.AllocsPerRun(100, func() { data, _ = msgpack.Marshal(v) }); n != 1 {
				t.Errorf("Marshal: %v allocations", n)
			}
			if n := testing.AllocsPerRun(100, func() { _ = msgpack.Valid(data) }); n != 0 {
				t.Errorf("Valid: %v allocations", n)
			}
		})
	}
}

// TestMarshalOfVariables encodes local variables. They must stay on the stack, so
// no call may allocate.
func TestMarshalOfVariables(t *testing.T) {
	skipIfInstrumented(t)
	dst := make([]byte, 0, 100)
	none := func(name string, f func()) {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	none("struct by pointer", func() {
		v := myStruct{5}
		dst, _ = msgpack.MarshalAppend(dst[:0], &v)
	})
	none("struct by value", func() {
		v := struct {
			A, B int
			S    string
		}{len(dst), 2, "s"}
		dst, _ = msgpack.MarshalAppend(dst[:0], v)
	})
	none("array", func() {
		v := [4]int{len(dst), 2, 3, 4}
		dst, _ = msgpack.MarshalAppend(dst[:0], &v)
	})
	data := []byte("\x82\xa1A\x01\xa1B\x02")
	none("struct to decode into", func() {
		var v struct{ A, B int }
		_ = msgpack.Unmarshal(data, &v)
		if v.B != 2 {
			panic("not decoded")
		}
	})
}

// TestUnmarshalAllocations counts the allocations of decoding into a variable that
// already holds a decoded value.
func TestUnmarshalAllocations(t *testing.T) {
	skipIfInstrumented(t)
	for _, c := range []struct {
		name   string
		bytes  string
		target any
		want   float64
	}{
		{"bool", "\xc3", new(bool), 0},
		{"int", "\xcd\x01\x00", new(int), 0},
		{"float", "\xca\x3f\xc0\x00\x00", new(float64), 0},
		{"complex", "\x92\x01\x02", new(complex128), 0},
		{"time", "\xd6\xff\x00\x00\x00\x01", new(time.Time), 0},
		{"string", "\xa4text", new(string), 1},
		{"empty string", "\xa0", new(string), 0},
		{"bytes into their memory", "\xc4\x02ab", new([]byte), 0},
		{"byte array", "\xc4\x02ab", new([2]byte), 0},
		{"ints into their memory", "\x93\x01\x02\xcd\x01\x00", new([]int), 0},
		{"array", "\x93\x01\x02\xcd\x01\x00", new([3]int), 0},
		{"strings share", "\x93\xa1a\xa1b\xa1c", new([]string), 1},
		{"long strings do not", "\x92\xd9\xff" + str255 + "\xda\x01\x00" + str255 + "a", new([]string), 2},
		{"struct of numbers", "\x82\xa1A\x01\xa1B\x02", new(struct{ A, B int }), 0},
		{"struct of numbers in another order", "\x82\xa1B\x01\xa1A\x02", new(struct{ A, B int }), 0},
		{"struct with unknown keys", "\x83\xa1X\x91\xa1a\xa1A\x01\xa1Y\xc0", new(struct{ A, B int }), 0},
		{"struct of strings", "\x82\xa1A\xa1a\xa1B\xa1b", new(struct{ A, B string }), 1},
		{"pointers that are there", "\x81\xa1A\x81\xa1A\xc0", &nestStruct{&nestStruct{}}, 0},
		{"nested structs", "\x81\xa1A\x81\xa1B\x81\xa1C\x05", new(struct{ A struct{ B struct{ C int } } }), 0},
		{"map of numbers", "\x82\x01\x02\x03\x04", new(map[int]int), 0},
		{"map of another type", "\x82\x01\x81\xa1A\x02\x03\x80", new(map[int16]myStruct), 0},
		{"map of strings", "\x82\xa1a\xa1b\xa1c\xa1d", new(map[string]string), 1},
		{"nil into any", "\xc0", new(any), 0},
		{"bool into any", "\xc3", new(any), 0},
		{"small int into any", "\x05", new(any), 0},
		{"large int into any", "\xcd\x12\x34", new(any), 1},
		{"float into any", "\xca\x3f\xc0\x00\x00", new(any), 1},
		{"string into any", "\xa2ab", new(any), 2},          // the string, and where the interface points
		{"array into any", "\x93\x01\x02\x03", new(any), 1}, // the elements, behind what the interface points at
		{"map into any", "\x81\xa1k\x01", new(any), 2},      // the map and its first entries; the key is remembered
		{"numbers into any share", "\x94\xcd\x12\x34\xcd\x12\x35\xcd\x12\x36\xcd\x12\x37", new(any), 2},
		{"no elements into any", "\x90", new(any), 0},
		{"strings into any", "\x94\xa5first\xa6second\xa5third\xa6fourth", new(any), 3}, // the elements, one chunk with the bytes of all strings, and the string headers
		{"Ext", "\xd4\x01\x02", new(msgpack.Ext), 1},
		{"Raw", "\x92\x01\x02", new(msgpack.Raw), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := []byte(c.bytes)
			decode := func() {
				if err := msgpack.Unmarshal(data, c.target); err != nil {
					t.Fatal(err)
				}
			}
			if a, ok := c.target.(*any); ok {
				whole := decode
				decode = func() { *a = nil; whole() }
			}
			if got := testing.AllocsPerRun(100, decode); got != c.want {
				t.Errorf("%v allocations, want %v", got, c.want)
			}
		})
	}
}

// TestRowsAllocations decodes many short slices of numbers, which share chunks of
// growing length. The rows in the last bytes of the message have memory of their own.
func TestRowsAllocations(t *testing.T) {
	skipIfInstrumented(t)
	rows := make([][]int, 500)
	for i := range rows {
		rows[i] = []int{i, -i}
	}
	data, err := msgpack.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	var got [][]int
	n := testing.AllocsPerRun(10, func() {
		got = nil
		err = msgpack.Unmarshal(data, &got)
	})
	if err != nil || !reflect.DeepEqual(got, rows) {
		t.Fatalf("%v, %v", got, err)
	}
	if n > 20 {
		t.Errorf("%v allocations for %d rows", n, len(rows))
	}
	if row := append(got[0], 7); cap(got[0]) != 2 || got[1][0] != 1 || row[2] != 7 {
		t.Errorf("a row has room for %d elements, and the next one is %v", cap(got[0]), got[1])
	}
}

// TestPlainStructsAllocations is the same for structs without pointers, and decodes pointers
// to such structs, which have memory of their own.
func TestPlainStructsAllocations(t *testing.T) {
	skipIfInstrumented(t)
	type point struct{ X, Y int32 }
	type shape struct {
		Points []point
		Center *point
	}
	shapes := make([]shape, 200)
	for i := range shapes {
		shapes[i] = shape{[]point{{int32(i), 1}, {2, 3}}, &point{int32(-i), 0}}
	}
	data, err := msgpack.Marshal(shapes)
	if err != nil {
		t.Fatal(err)
	}
	var got []shape
	n := testing.AllocsPerRun(10, func() {
		got = nil
		err = msgpack.Unmarshal(data, &got)
	})
	if err != nil || !reflect.DeepEqual(got, shapes) {
		t.Fatalf("%v, %v", got, err)
	}
	if n > float64(len(shapes))+20 {
		t.Errorf("%v allocations for %d shapes", n, len(shapes))
	}
	if p := append(got[0].Points, point{}); cap(got[0].Points) != 2 || len(p) != 3 {
		t.Errorf("a slice has room for %d elements", cap(got[0].Points))
	}
}

// TestTextPointersAllocations decodes many structs with pointers to strings, whose variables
// share memory in growing numbers.
func TestTextPointersAllocations(t *testing.T) {
	skipIfInstrumented(t)
	if !msgpack.Fast {
		t.Skip("skipped: only the fast paths share the variables")
	}
	type person struct{ First, Last *string }
	first, last := "a name", "another name"
	people := slices.Repeat([]person{{&first, &last}}, 100)
	data, err := msgpack.Marshal(people)
	if err != nil {
		t.Fatal(err)
	}
	var got []person
	n := testing.AllocsPerRun(10, func() {
		got = nil
		err = msgpack.Unmarshal(data, &got)
	})
	if err != nil || !reflect.DeepEqual(got, people) {
		t.Fatalf("%v, %v", got, err)
	}
	if n > 30 {
		t.Errorf("%v allocations for %d strings", n, 2*len(people))
	}
}

// TestManyFieldsAllocations decodes structs with more fields than a header of one byte can
// say. What their pointers point to shares memory as it does in others.
func TestManyFieldsAllocations(t *testing.T) {
	skipIfInstrumented(t)
	if !msgpack.Fast {
		t.Skip("skipped: only the fast paths share the variables")
	}
	type fields15 struct {
		A, B, C, D, E, F, G *int
		H, I, J, K, L, M, N *string
		O                   bool
	}
	type fields16 struct {
		fields15
		P bool
	}
	type outer struct{ Inner fields16 }
	n, text := 1000, "some text"
	few := fields15{&n, &n, &n, &n, &n, &n, &n, &text, &text, &text, &text, &text, &text, &text, true}
	many := fields16{few, true}
	for form, c := range map[string]*msgpack.Codec{"maps": newCodec(t, msgpack.Options{}), "arrays": newCodec(t, msgpack.Options{StructAsArray: true})} {
		for _, v := range []any{&few, &many, &outer{many}} {
			data, err := c.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			got := reflect.New(reflect.TypeOf(v).Elem())
			n := testing.AllocsPerRun(100, func() {
				got.Elem().SetZero()
				err = c.Unmarshal(data, got.Interface())
			})
			if err != nil || !reflect.DeepEqual(got.Interface(), v) {
				t.Fatalf("%T: %v", v, err)
			}
			if n > 3 {
				t.Errorf("%T, %s: %v allocations", v, form, n)
			}
		}
	}
}

var str255 = string(random(255))

// TestSingleStringTakesItsOwnMemory decodes messages of which only one string is
// kept. It must have an allocation of its own length: a chunk for several strings
// would be as long as the rest of the input.
func TestSingleStringTakesItsOwnMemory(t *testing.T) {
	skipIfInstrumented(t)
	if !msgpack.Fast {
		t.Skip("without the fast paths, the string is part of a chunk")
	}
	type named struct {
		ID   int
		Name string
	}
	const rounds = 1000
	unknown := "\xa7unknown\xd9\x60" + string(random(96)) + "\xa4more\xd9\x60" + string(random(96))
	for how, data := range map[string][]byte{
		"first": []byte("\x84\xa4Name\xa5short" + unknown + "\xa2ID\x01"),
		"last":  []byte("\x84" + unknown + "\xa2ID\x01\xa4Name\xa5short"),
	} {
		var v named
		used := allocated(func() {
			for range rounds {
				if err := msgpack.Unmarshal(data, &v); err != nil {
					t.Fatal(err)
				}
			}
		})
		if v.Name != "short" || used > 32*rounds {
			t.Errorf("%s: got %q, %d bytes allocated, want at most 32", how, v.Name, used/rounds)
		}
	}
}

// TestSharedMemoryOfLengths decodes slices of every length that shares memory with numbers
// behind pointers, before and after these.
func TestSharedMemoryOfLengths(t *testing.T) {
	type value struct {
		Before  []byte
		Numbers []int32
		A, B, C *int64
		S       *string
		After   []byte
	}
	a, s := int64(7), "text"
	for n := range 300 {
		v := value{bytes.Repeat([]byte{1}, n), make([]int32, n/4), &a, &a, &a, &s, bytes.Repeat([]byte{2}, 300-n)}
		for _, v := range []value{v, {Before: v.Before, A: &a, S: &s}, {Numbers: v.Numbers, B: &a, After: v.After}} {
			data, err := msgpack.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			var got value
			if err := msgpack.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, v) {
				t.Fatalf("%d bytes: %v %v", n, got, err)
			}
		}
	}
}

// TestEmptyNestedAllocations checks that a struct in an interface is analyzed once, and not
// each time it is encoded.
func TestEmptyNestedAllocations(t *testing.T) {
	skipIfInstrumented(t)
	type inner struct {
		A, B, C, D int `msgpack:",omitempty"`
	}
	v := struct {
		V any `msgpack:",omitempty"`
	}{inner{D: 1}}
	codec := newCodec(t, msgpack.Options{Compat: msgpack.Compat{Empty: msgpack.EmptyNested}})
	buf := make([]byte, 0, 100)
	n := testing.AllocsPerRun(100, func() {
		if b, err := codec.MarshalAppend(buf, &v); err != nil || string(b) != "\x81\xa1V\x81\xa1D\x01" {
			t.Fatalf("got %x, %v", b, err)
		}
	})
	if n > 2 { // a copy of the value in the interface
		t.Errorf("%v allocations", n)
	}
}
