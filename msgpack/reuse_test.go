package msgpack_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// TestNilSetsZero decodes a nil into variables that hold a value.
func TestNilSetsZero(t *testing.T) {
	one := 1
	for _, full := range []any{
		true, 1, int8(1), int16(1), int32(1), int64(1), uint(1), uint8(1), uint16(1), uint32(1), uint64(1),
		float32(1), 1.0, complex64(1), complex(1, 1), "a", []byte{1}, [2]byte{1, 2}, []int{1}, []string{"a"},
		[2]int{1, 2}, map[string]int{"a": 1}, map[bool]string{true: "a"}, struct{ A, B int }{1, 2},
		struct {
			A int
			b string
		}{1, "b"},
		&one, time.Unix(1, 1), msgpack.Ext{Type: 1, Data: []byte{1}}, asArrayStruct{A: 1},
		struct{ E any }{1}, struct{ E error }{errMine}, [1]any{&one}, myBytes{1}, myMap{"a": 1},
		temperature(3), point{1, 2},
	} {
		typ := reflect.TypeOf(full)
		t.Run(typ.String(), func(t *testing.T) {
			v := reflect.New(typ)
			v.Elem().Set(reflect.ValueOf(full))
			if err := msgpack.Unmarshal([]byte{0xc0}, v.Interface()); err != nil {
				t.Fatal(err)
			}
			if !v.Elem().IsZero() {
				t.Errorf("got %+v", v.Elem())
			}
			// In a field among others.
			outer := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "A", Type: typ}, text("B", "")}))
			outer.Elem().Field(0).Set(reflect.ValueOf(full))
			if err := msgpack.Unmarshal([]byte("\x82\xa1A\xc0\xa1B\xa8sixteen "), outer.Interface()); err != nil {
				t.Fatal(err)
			}
			if !outer.Elem().Field(0).IsZero() || outer.Elem().Field(1).String() != "sixteen " {
				t.Errorf("got %+v", outer.Elem())
			}
		})
	}
	if one != 1 {
		t.Error("nil went through a pointer")
	}
	var x any = &one
	if err := msgpack.Unmarshal([]byte{0xc0}, &x); err != nil || x != nil || one != 1 {
		t.Errorf("interface: got %v, %v", x, err)
	}
}

func TestSliceKeepsItsMemory(t *testing.T) {
	decode := func(t *testing.T, data string, target any) {
		t.Helper()
		if err := msgpack.Unmarshal([]byte(data), target); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("numbers", func(t *testing.T) {
		s := []int{1, 2, 3, 4}
		first := &s[0]
		decode(t, "\x92\x08\x09", &s)
		if !reflect.DeepEqual(s, []int{8, 9}) || &s[0] != first || cap(s) != 4 {
			t.Errorf("got %v with capacity %d", s, cap(s))
		}
		decode(t, "\x93\x05\xc0\x06", &s)
		if !reflect.DeepEqual(s, []int{5, 0, 6}) || &s[0] != first {
			t.Errorf("got %v", s)
		}
		decode(t, "\x95\x01\x02\x03\x04\x05", &s)
		if !reflect.DeepEqual(s, []int{1, 2, 3, 4, 5}) || &s[0] == first || *first != 5 {
			t.Errorf("got %v, and %d where it was", s, *first)
		}
	})
	t.Run("elements are cleared", func(t *testing.T) {
		type pair struct {
			A, B int
			P    *int
		}
		s := []pair{{1, 2, new(int)}, {3, 4, new(int)}}
		first := &s[0]
		decode(t, "\x92\x81\xa1A\x09\x80", &s)
		if !reflect.DeepEqual(s, []pair{{A: 9}, {}}) || &s[0] != first {
			t.Errorf("got %v", s)
		}
	})
	t.Run("elements without pointers are cleared", func(t *testing.T) {
		type flat struct {
			A, B   int
			T      time.Time
			hidden int
		}
		s := append(make([]flat, 0, 4), flat{1, 2, time.Unix(1, 0), 3}, flat{4, 5, time.Unix(2, 0), 6}, flat{7, 8, time.Unix(3, 0), 9})[:2]
		first := &s[0]
		decode(t, "\x93\x81\xa1A\x09\x80\x81\xa1B\x01", &s)
		if !reflect.DeepEqual(s, []flat{{A: 9}, {}, {B: 1}}) || &s[0] != first {
			t.Errorf("got %v", s)
		}
		a := [2]flat{{A: 1, hidden: 1}, {B: 2, hidden: 2}}
		decode(t, "\x92\x81\xa1B\x03\x80", &a)
		if a != [2]flat{{B: 3}, {}} {
			t.Errorf("array: got %v", a)
		}
	})
	t.Run("pointers keep their variables", func(t *testing.T) {
		x := 1
		s := []*int{&x}
		decode(t, "\x91\x09", &s)
		if s[0] != &x || x != 9 {
			t.Errorf("got %d, and %d where it pointed", *s[0], x)
		}
		a := [1]*int{&x}
		decode(t, "\x91\x08", &a)
		if a[0] != &x || x != 8 {
			t.Errorf("array: got %d, and %d where it pointed", *a[0], x)
		}
		// An element beyond the length can be a copy of one within it.
		s = append(s, &x)[:1]
		decode(t, "\x92\x01\x02", &s)
		if s[0] != &x || x != 1 || *s[1] != 2 {
			t.Errorf("beyond the length: got %d and %d, and %d where both pointed", *s[0], *s[1], x)
		}
	})
	t.Run("elements refer to kept memory", func(t *testing.T) {
		type inner struct {
			N, O   int
			P      *inner
			L      []inner
			M      map[string]int
			B      []byte
			hidden int
		}
		s := []inner{{
			N: 1, O: 1, P: &inner{N: 1, O: 1, M: map[string]int{"a": 1}}, L: []inner{{N: 1, B: []byte("abc")}},
			M: map[string]int{"a": 1, "b": 2}, B: []byte("abc"), hidden: 1,
		}}
		old := s[0]
		decode(t, "\x91\x85\xa1N\x02\xa1P\x82\xa1O\x03\xa1M\xc0\xa1L\x91\x81\xa1B\xc4\x01x\xa1M\x81\xa1c\x04\xa1B\xc4\x02yz", &s)
		want := []inner{{N: 2, P: &inner{O: 3}, L: []inner{{B: []byte("x")}}, M: map[string]int{"c": 4}, B: []byte("yz")}}
		if !reflect.DeepEqual(s, want) {
			t.Errorf("got %+v, want %+v", s, want)
		}
		got := s[0]
		if got.P != old.P || &got.L[0] != &old.L[0] || &got.B[0] != &old.B[0] || got.L[0].B[0] != old.L[0].B[0] {
			t.Error("memory was not kept")
		}
		data := []byte("\x91\x84\xa1N\x02\xa1P\x81\xa1O\x03\xa1L\x91\x81\xa1B\xc4\x01x\xa1B\xc4\x02yz")
		skipIfInstrumented(t)
		if n := testing.AllocsPerRun(10, func() { _ = msgpack.Unmarshal(data, &s) }); n > 0 {
			t.Errorf("%v allocations", n)
		}
	})
	t.Run("a key that occurs again", func(t *testing.T) {
		type pair struct{ A, B int }
		type elem struct {
			P *pair
			M map[string]int
		}
		const message = "\x91\x84\xa1P\x81\xa1A\x01\xa1M\x81\xa1a\x01\xa1P\x81\xa1B\x02\xa1M\x81\xa1b\x02"
		used, want := []elem{{&pair{8, 9}, map[string]int{"x": 1}}}, []elem(nil)
		decode(t, message, &used)
		decode(t, message, &want)
		if !reflect.DeepEqual(used, want) || used[0].P.A != 1 {
			t.Errorf("got %+v, %+v, want %+v, %+v", used, used[0].P, want, want[0].P)
		}
	})
	t.Run("a struct in array form", func(t *testing.T) {
		type elem struct {
			A int
			P *int
			S string
		}
		s := []elem{{1, new(int), "a"}}
		old := s[0].P
		decode(t, "\x91\x92\x02\x03", &s)
		if !reflect.DeepEqual(s, []elem{{A: 2, P: new(3)}}) || s[0].P != old {
			t.Errorf("got %+v", s)
		}
	})
	t.Run("a large map is replaced", func(t *testing.T) {
		m := map[int]bool{}
		for i := range 1000 {
			m[i] = true
		}
		s := []map[int]bool{m}
		decode(t, "\x91\x81\x01\xc3", &s)
		if len(s[0]) != 1 || len(m) != 1000 {
			t.Errorf("got %d entries, and %d in the old map", len(s[0]), len(m))
		}
	})
	t.Run("interfaces are replaced", func(t *testing.T) {
		x := 1
		s := []any{&x}
		decode(t, "\x91\x09", &s)
		if s[0] != int64(9) || x != 1 {
			t.Errorf("got %v, and %d where it pointed", s[0], x)
		}
	})
	t.Run("elements beyond the length are zero", func(t *testing.T) {
		s := append(make([]string, 0, 3), "a", "b", "c")[:1]
		first := &s[0]
		decode(t, "\x93\xa1x\xc0\xa1z", &s)
		if !reflect.DeepEqual(s, []string{"x", "", "z"}) || &s[0] != first {
			t.Errorf("got %q", s)
		}
	})
	t.Run("bytes", func(t *testing.T) {
		b := append(make([]byte, 0, 8), "abc"...)
		first := &b[0]
		decode(t, "\xc4\x05hello", &b)
		if string(b) != "hello" || &b[0] != first {
			t.Errorf("got %q", b)
		}
		decode(t, "\x92\x01\x02", &b)
		if string(b) != "\x01\x02" || &b[0] != first {
			t.Errorf("got %q", b)
		}
		decode(t, "\xc4\x00", &b)
		if b == nil || len(b) != 0 || cap(b) != 8 {
			t.Errorf("got %v with capacity %d", b, cap(b))
		}
		decode(t, "\xc4\x09123456789", &b)
		if string(b) != "123456789" || *first != 1 {
			t.Errorf("got %q", b)
		}
	})
	t.Run("an empty array", func(t *testing.T) {
		s := []int{1}
		decode(t, "\x90", &s)
		if s == nil || len(s) != 0 || cap(s) != 1 {
			t.Errorf("got %v with capacity %d", s, cap(s))
		}
		var none []string
		decode(t, "\x90", &none)
		if none == nil {
			t.Error("got nil")
		}
	})
	t.Run("Raw and Ext have new memory", func(t *testing.T) {
		raw, data := msgpack.Raw{1, 2, 3}, []byte{1, 2, 3}
		old, ext := raw, msgpack.Ext{Type: 1, Data: data}
		decode(t, "\x07", &raw)
		decode(t, "\xd4\x05\x08", &ext)
		if old[0] != 1 || data[0] != 1 || raw[0] != 7 || ext.Data[0] != 8 {
			t.Errorf("got %v, %v; was %v, %v", raw, ext, old, data)
		}
	})
}

func TestMapKeepsItsEntries(t *testing.T) {
	m := map[string]int{"a": 1, "b": 2}
	same := m
	if err := msgpack.Unmarshal([]byte("\x82\xa1b\x05\xa1c\x06"), &m); err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"a": 1, "b": 5, "c": 6}; !reflect.DeepEqual(m, want) || !reflect.DeepEqual(same, want) {
		t.Errorf("got %v, and %v in the map it was", m, same)
	}
	// A value is decoded into a zero variable, even if its key already exists.
	type pair struct{ A, B int }
	pairs := map[int16]pair{1: {1, 2}}
	if err := msgpack.Unmarshal([]byte("\x81\x01\x81\xa1A\x09"), &pairs); err != nil || pairs[1] != (pair{A: 9}) {
		t.Errorf("got %v, %v", pairs, err)
	}
	deep := map[string][]int{"a": {1, 2, 3}}
	old := deep["a"]
	if err := msgpack.Unmarshal([]byte("\x81\xa1a\x91\x09"), &deep); err != nil || len(deep["a"]) != 1 || old[0] != 1 {
		t.Errorf("got %v, %v; was %v", deep, err, old)
	}
	x := 1
	anys := map[string]any{"a": &x}
	if err := msgpack.Unmarshal([]byte("\x81\xa1a\x09"), &anys); err != nil || anys["a"] != int64(9) || x != 1 {
		t.Errorf("got %v, %v", anys, err)
	}
}

func TestStructKeepsOtherFields(t *testing.T) {
	type inner struct{ X, Y int }
	type outer struct {
		A, B int
		In   inner
		P    *inner
		M    map[string]int
		c    int
	}
	p := &inner{1, 2}
	v := outer{A: 1, B: 2, In: inner{3, 4}, P: p, M: map[string]int{"a": 1}, c: 9}
	data := []byte("\x84\xa1B\x05\xa2In\x81\xa1Y\x06\xa1P\x81\xa1X\x07\xa1M\x81\xa1b\x02")
	if err := msgpack.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	want := outer{A: 1, B: 5, In: inner{3, 6}, P: &inner{7, 2}, M: map[string]int{"a": 1, "b": 2}, c: 9}
	if !reflect.DeepEqual(v, want) || v.P != p {
		t.Errorf("got %+v, want %+v", v, want)
	}
	// In array form, with fewer and more elements than fields.
	if err := msgpack.Unmarshal([]byte("\x91\x08"), &v); err != nil || v.A != 8 || v.B != 5 || v.c != 9 {
		t.Errorf("got %+v, %v", v, err)
	}
	if err := msgpack.Unmarshal([]byte("\x96\x08\x09\xc0\xc0\xc0\xa5extra"), &v); err != nil || !reflect.DeepEqual(v, outer{A: 8, B: 9, c: 9}) {
		t.Errorf("got %+v, %v", v, err)
	}
}

// TestDecodeInsideInterfaces decodes into variables to which pointers in interfaces
// point.
func TestDecodeInsideInterfaces(t *testing.T) {
	var target struct {
		A any
		E error
	}
	x, mine := 0, &myError{}
	target.A, target.E = &x, mine
	if err := msgpack.Unmarshal([]byte("\x82\xa1A\x05\xa1E\x81\xa4Code\x07"), &target); err != nil {
		t.Fatal(err)
	}
	if target.A != any(&x) || x != 5 || target.E != error(mine) || mine.Code != 7 {
		t.Errorf("got %+v, %d, %+v", target, x, mine)
	}
	// For a pointer to a nil pointer, the variable is allocated.
	var p *int
	var a any = &p
	if err := msgpack.Unmarshal([]byte{6}, &a); err != nil || a != any(&p) || *p != 6 {
		t.Errorf("got %v, %v", a, err)
	}
	// A value that is not a pointer, or is a nil pointer, is replaced.
	for _, old := range []any{"text", 5, (*int)(nil), map[string]int{}, []int{1}} {
		a := old
		if err := msgpack.Unmarshal([]byte{6}, &a); err != nil || a != int64(6) {
			t.Errorf("from %T: got %v, %v", old, a, err)
		}
	}
	// The element type of the pointer decides which values are accepted.
	a = new(string)
	if e := checkError(t, msgpack.Unmarshal([]byte{6}, &a), msgpack.ErrMismatch); e != nil && e.Want != "string" {
		t.Errorf("got %v", e)
	}
	// A value in an interface with methods is not replaced.
	var err error = myValueError{}
	checkError(t, msgpack.Unmarshal([]byte{6}, &err), msgpack.ErrMismatch)
	err = (*myError)(nil)
	checkError(t, msgpack.Unmarshal([]byte{6}, &err), msgpack.ErrMismatch)
	if e := msgpack.Unmarshal([]byte{0xc0}, &err); e != nil || err != nil {
		t.Errorf("got %v, %v", err, e)
	}
}

type (
	myError      struct{ Code int }
	myValueError struct{ Code int }
)

func (*myError) Error() string     { return "mine" }
func (myValueError) Error() string { return "mine" }

var errMine error = &myError{1}

// TestReuseShortArrays checks that arrays in the elements of a used slice count as zero, also if the
// Options accept fewer elements than an array has.
func TestReuseShortArrays(t *testing.T) {
	five := 5
	type row struct {
		N [2]int
		L [2][]int
	}
	codec := newCodec(t, msgpack.Options{Compat: msgpack.Compat{Arrays: msgpack.ArraysShort}})
	for _, used := range []any{
		[][2]int{{1, 2}}, [][2]string{{"a", "b"}}, [][2][]int{{{1}, {2}}}, [][2]map[string]int{{{"a": 1}, {"b": 2}}}, [][2]*int{{&five, &five}}, [][2]any{{1, 2}},
		[][2][2]int{{{1, 2}, {3, 4}}}, []*[2]int{{1, 2}}, [][]*[2][]int{{{{1}, {2}}}}, [][2]byte{{1, 2}}, [][2]float64{{1, 2}}, [][2]row{{{N: [2]int{1, 2}}, {L: [2][]int{{1}, {2}}}}},
		[]row{{[2]int{1, 2}, [2][]int{{1}, {2}}}}, []*row{{[2]int{1, 2}, [2][]int{{1}, {2}}}}, [1][2]int{{1, 2}}, [1][2][]int{{{1}, {2}}}, [1][2]row{{{N: [2]int{1, 2}}, {N: [2]int{1, 2}}}},
	} {
		typ := reflect.TypeOf(used)
		old, err := msgpack.Marshal(used)
		if err != nil {
			t.Fatal(err)
		}
		for _, message := range []string{
			"\x91\xc0", "\x91\x90", "\x91\x91\xc0", "\x91\x91\x07", "\x91\x91\x90", "\x91\x91\xa1x", "\x91\x91\x91\x07", "\x91\x92\xc0\x91\x07", "\x91\xc4\x01\x07", "\x91\xc4\x00",
			"\x91\x81\xa1N\x91\x07", "\x91\x82\xa1N\xc0\xa1L\xc0", "\x91\x82\xa1N\x90\xa1L\x91\x90", "\x91\x91\x81\xa1N\x91\x07",
		} {
			got, want := reflect.New(typ), reflect.New(typ)
			if err := msgpack.Unmarshal(old, got.Interface()); err != nil {
				t.Fatal(err)
			}
			if codec.Unmarshal([]byte(message), want.Interface()) != nil {
				continue // a message for another type
			}
			if err := codec.Unmarshal([]byte(message), got.Interface()); err != nil || !reflect.DeepEqual(got.Interface(), want.Interface()) {
				t.Errorf("%x into a used %v: got %v, %v, want %v", message, typ, got.Elem(), err, want.Elem())
			}
		}
	}
}
