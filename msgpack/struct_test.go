package msgpack_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// A structCase is a struct and its message, in Go's notation. The message decodes
// to the value, or to back if back is set.
type structCase struct {
	name  string
	value any
	bytes string
	back  any
}

func testStructs(t *testing.T, cases []structCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			checkEncode(t, c.value, []byte(c.bytes))
			if c.back == nil {
				c.back = c.value
			}
			checkDecode(t, []byte(c.bytes), c.back)
			// Other code encodes structs that are inside of other values.
			slice := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(c.value)), 2, 2)
			slice.Index(0).Set(reflect.ValueOf(c.value))
			slice.Index(1).Set(reflect.ValueOf(c.value))
			checkEncode(t, slice.Interface(), []byte("\x92"+c.bytes+c.bytes))
			field := reflect.New(structOfV(reflect.TypeOf(c.value))).Elem()
			field.Field(0).Set(reflect.ValueOf(c.value))
			checkEncode(t, field.Interface(), []byte("\x81\xa1V"+c.bytes))
			field.Field(0).Set(reflect.ValueOf(c.back))
			checkDecode(t, []byte("\x81\xa1V"+c.bytes), field.Interface())
		})
	}
}

func TestStructFields(t *testing.T) {
	type node struct {
		Next *node
		V    int
	}
	type lower struct{ a, B, c int }
	one := 1
	testStructs(t, []structCase{
		{"no fields", struct{}{}, "\x80", nil},
		{"one field", struct{ A int }{1}, "\x81\xa1A\x01", nil},
		{"in order of declaration", struct{ B, A, C int }{1, 2, 3}, "\x83\xa1B\x01\xa1A\x02\xa1C\x03", nil},
		{"unexported fields are left out", lower{1, 2, 3}, "\x81\xa1B\x02", lower{B: 2}},
		{"not ASCII", struct{ Élan int }{1}, "\x81\xa5Élan\x01", nil},
		{"pointers", struct {
			P *int
			Q **int
			N *int
		}{&one, new(&one), nil}, "\x83\xa1P\x01\xa1Q\x01\xa1N\xc0", nil},
		{"recursive", node{&node{nil, 2}, 1}, "\x82\xa4Next\x82\xa4Next\xc0\xa1V\x02\xa1V\x01", nil},
		{"nested", struct {
			A struct {
				B struct{ C int }
				D int
			}
			E int
		}{}, "\x82\xa1A\x82\xa1B\x81\xa1C\x00\xa1D\x00\xa1E\x00", nil},
		{"nested and empty", struct {
			A struct{}
			B [0]int
			C int
		}{}, "\x83\xa1A\x80\xa1B\x90\xa1C\x00", nil},
		{"every scalar", struct {
			A bool
			B int8
			C int16
			D int32
			E int64
			F uint8
			G uint16
			H uint32
			I uint64
			J float32
			K float64
			L string
			M int
			N uint
		}{true, -1, -2, -3, -4, 5, 6, 7, 8, 1.5, 2.5, "l", -5, 9},
			"\x8e\xa1A\xc3\xa1B\xff\xa1C\xfe\xa1D\xfd\xa1E\xfc\xa1F\x05\xa1G\x06\xa1H\x07\xa1I\x08" +
				"\xa1J\xca\x3f\xc0\x00\x00\xa1K\xcb\x40\x04\x00\x00\x00\x00\x00\x00\xa1L\xa1l\xa1M\xfb\xa1N\x09", nil},
	})
}

// TestStructSizes uses structs with numbers of fields near those at which the
// header changes, as maps and as arrays.
func TestStructSizes(t *testing.T) {
	for _, n := range []int{0, 1, 2, 14, 15, 16, 17, 63, 64, 65, 255, 256, 257, 300} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			fields := make([]reflect.StructField, n)
			for i := range fields {
				fields[i] = reflect.StructField{Name: fmt.Sprint("F", i), Type: reflect.TypeFor[uint16]()}
			}
			v := reflect.New(reflect.StructOf(fields)).Elem()
			var body, elements []byte
			for i := range n {
				v.Field(i).SetUint(uint64(i))
				number := unhex(t, intHex(i))
				body = append(appendStr(body, fields[i].Name), number...)
				elements = append(elements, number...)
			}
			header, arrayHeader := []byte{0x80 | byte(n)}, []byte{0x90 | byte(n)}
			if n > 15 {
				header, arrayHeader = []byte{0xde, byte(n >> 8), byte(n)}, []byte{0xdc, byte(n >> 8), byte(n)}
			}
			checkEncode(t, v.Interface(), append(header, body...))
			checkDecode(t, append(header, body...), v.Interface())
			checkDecode(t, append(arrayHeader, elements...), v.Interface())

			// Fields with omitzero. Only the first one is zero.
			optional := append([]reflect.StructField(nil), fields...)
			for i := range optional {
				optional[i].Tag = `msgpack:",omitzero"`
			}
			w := reflect.New(reflect.StructOf(optional)).Elem()
			for i := range n {
				w.Field(i).SetUint(uint64(i))
			}
			if n > 0 { // the first field is zero
				header = []byte{0x80 | byte(n-1)}
				if n > 16 {
					header = []byte{0xde, byte((n - 1) >> 8), byte(n - 1)}
				}
				body = body[len(appendStr(nil, "F0"))+1:]
			}
			checkEncode(t, w.Interface(), append(header, body...))
			checkDecode(t, append(header, body...), w.Interface())

			// The same in array form.
			w = reflect.New(reflect.StructOf(append([]reflect.StructField{inArrayForm}, fields...))).Elem()
			for i := range n {
				w.Field(i + 1).SetUint(uint64(i))
			}
			checkEncode(t, w.Interface(), append(arrayHeader, elements...))
			checkDecode(t, append(arrayHeader, elements...), w.Interface())
		})
	}
}

// TestStructKeyOrder decodes the same fields in every order.
func TestStructKeyOrder(t *testing.T) {
	type fields struct {
		A        int
		Bb       string
		Ccc      bool
		SixLongs float64
		E        []int
	}
	want := fields{1, "b", true, 2, []int{3}}
	pairs := []string{
		"\xa1A\x01", "\xa2Bb\xa1b", "\xa3Ccc\xc3", "\xa8SixLongs\xcb\x40\x00\x00\x00\x00\x00\x00\x00", "\xa1E\x91\x03",
	}
	permute(pairs, func(order []string) {
		checkDecode(t, []byte("\x85"+strings.Join(order, "")), want)
	})
}

// permute calls f with every order of list.
func permute(list []string, f func([]string)) {
	var swap func(n int)
	swap = func(n int) {
		if n == 1 {
			f(list)
			return
		}
		for i := range n {
			list[i], list[n-1] = list[n-1], list[i]
			swap(n - 1)
			list[i], list[n-1] = list[n-1], list[i]
		}
	}
	swap(len(list))
}

func TestArrayForm(t *testing.T) {
	type pair struct{ A, B int }
	type arrayPair struct {
		_    struct{} `msgpack:",as_array"`
		A, B int
	}
	type below struct {
		X int
		Y *int
	}
	testStructs(t, []structCase{
		{"by a blank field", arrayPair{A: 1, B: 2}, "\x92\x01\x02", nil},
		{"by a blank field at the end", struct {
			A int
			_ struct{} `msgpack:",as_array"`
		}{A: 1}, "\x91\x01", nil},
		{"no fields in array form", struct {
			_ struct{} `msgpack:",as_array"`
		}{}, "\x90", nil},
		{"one of two fields in array form", struct {
			A pair `msgpack:",as_array"`
			B pair
		}{pair{1, 2}, pair{3, 4}}, "\x82\xa1A\x92\x01\x02\xa1B\x82\xa1A\x03\xa1B\x04", nil},
		{"pointer to a struct in array form", struct {
			A *pair `msgpack:"a,as_array"`
			B *pair `msgpack:"b,as_array"`
		}{&pair{1, 2}, nil}, "\x82\xa1a\x92\x01\x02\xa1b\xc0", nil},
		{"nested struct in map form", struct {
			_ struct{} `msgpack:",as_array"`
			A pair
			B []pair
		}{A: pair{1, 2}, B: []pair{{3, 4}}}, "\x92\x82\xa1A\x01\xa1B\x02\x91\x82\xa1A\x03\xa1B\x04", nil},
		{"nested struct in array form", struct {
			_ struct{} `msgpack:",as_array"`
			A pair     `msgpack:",as_array"`
			B arrayPair
		}{A: pair{1, 2}, B: arrayPair{A: 3, B: 4}}, "\x92\x92\x01\x02\x92\x03\x04", nil},
		{"keeps the positions of empty fields", struct {
			_ struct{} `msgpack:",as_array"`
			A int      `msgpack:",omitempty"`
			B string   `msgpack:",omitzero"`
			C *int     `msgpack:",omitempty,omitzero"`
			D int      `msgpack:"-"`
			E []int    `msgpack:",omitempty"`
		}{D: 5}, "\x94\x00\xa0\xc0\xc0", struct {
			_ struct{} `msgpack:",as_array"`
			A int      `msgpack:",omitempty"`
			B string   `msgpack:",omitzero"`
			C *int     `msgpack:",omitempty,omitzero"`
			D int      `msgpack:"-"`
			E []int    `msgpack:",omitempty"`
		}{}},
		{"with inlined fields", struct {
			_  struct{} `msgpack:",as_array"`
			In pair     `msgpack:",inline"`
			C  int
		}{In: pair{1, 2}, C: 3}, "\x93\x01\x02\x03", nil},
		{"with an inlined pointer", struct {
			_  struct{} `msgpack:",as_array"`
			In *pair    `msgpack:",inline"`
			C  int
		}{In: &pair{1, 2}, C: 3}, "\x93\x01\x02\x03", nil},
		{"with an inlined pointer that is nil", struct {
			_  struct{} `msgpack:",as_array"`
			In *below   `msgpack:",inline"`
			C  int
		}{C: 3}, "\x93\xc0\xc0\x03", nil},
		{"with an inlined pointer at the end", struct {
			_  struct{} `msgpack:",as_array"`
			C  int
			In *below `msgpack:",inline"`
		}{C: 3, In: &below{X: 4}}, "\x93\x03\x04\xc0", nil},
	})
}

// TestArrayFormOfOneField encodes one type in both forms.
func TestArrayFormOfOneField(t *testing.T) {
	type pair struct{ A int }
	type both struct {
		X pair `msgpack:",as_array"`
		Y pair
		Z []pair
		M *pair `msgpack:",as_array"`
		N *pair
	}
	v := both{pair{1}, pair{2}, []pair{{3}}, &pair{4}, &pair{5}}
	checkEncode(t, v, []byte("\x85\xa1X\x91\x01\xa1Y\x81\xa1A\x02\xa1Z\x91\x81\xa1A\x03\xa1M\x91\x04\xa1N\x81\xa1A\x05"))
	// Both forms are decoded in each place.
	checkDecode(t, []byte("\x85\xa1X\x81\xa1A\x01\xa1Y\x91\x02\xa1Z\x91\x91\x03\xa1M\x81\xa1A\x04\xa1N\x91\x05"), v)
	checkEncode(t, pair{6}, []byte("\x81\xa1A\x06"))
}

// TestManyNestedFields uses more fields than one list of steps may have.
func TestManyNestedFields(t *testing.T) {
	typ := reflect.TypeFor[uint8]()
	var want []byte
	body := []byte{7}
	for range 4 { // 12^4 fields
		fields := make([]reflect.StructField, 12)
		want = []byte{0x8c}
		for i := range fields {
			fields[i] = reflect.StructField{Name: string(rune('A' + i)), Type: typ}
			want = append(appendStr(want, fields[i].Name), body...)
		}
		typ, body = reflect.StructOf(fields), want
	}
	v := reflect.New(typ)
	fill(v.Elem(), 7)
	got, err := msgpack.Marshal(v.Interface())
	if err != nil || string(got) != string(want) {
		t.Fatalf("got %d bytes, %v, want %d", len(got), err, len(want))
	}
	back := reflect.New(typ)
	if err := msgpack.Unmarshal(got, back.Interface()); err != nil || !reflect.DeepEqual(back.Interface(), v.Interface()) {
		t.Errorf("got another value after decoding, %v", err)
	}
}

// fill sets all numbers in nested structs.
func fill(v reflect.Value, n uint64) {
	if v.Kind() == reflect.Uint8 {
		v.SetUint(n)
		return
	}
	for i := range v.NumField() {
		fill(v.Field(i), n)
	}
}
