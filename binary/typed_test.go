package binary

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
)

// record has every kind of field, padding, blank fields and a bool.
type record struct {
	A uint8
	B uint64
	_ uint16
	C [3]struct {
		X int16
		Y float64
		Z bool
	}
	D complex64
	E bool
}

// tiny is smaller than a vector register.
type tiny struct {
	A uint8
	B uint16
}

// vast has an array that is too large to be unrolled.
type vast struct {
	A uint8
	B [300]tiny
	C uint32
}

func TestTyped(t *testing.T) {
	typedOf[record](t)
	typedOf[tiny](t)
	typedOf[vast](t)
	typedOf[blanks](t)
	typedOf[embeddedStruct](t) // its type is unexported but its fields are exported
	typedOf[unexportedNothing](t)
	typedOf[struct{}](t)
	typedOf[uint32](t)
	typedOf[bool](t)
	typedOf[[5]int16](t)
	typedOf[[9]bool](t)
	typedOf[complex128](t)
	typedOf[struct{ A, B, C, D, E, F, G, H uint64 }](t)
	typedOf[struct {
		A [40]uint8
		B uint32
		C [70]uint16
	}](t)
}

// typedOf compares a Typed with encoding/binary, for one value and for many.
func typedOf[T any](t *testing.T) {
	t.Run(reflect.TypeFor[T]().String(), func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 5))
		for _, order := range orders {
			c, err := For[T](order)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{0, 1, 2, 3, 17, 70} {
				s := make([]T, n)
				fillRandom(r, reflect.ValueOf(s))
				want, err := binary.Append(nil, order, s)
				if err != nil {
					t.Fatal(err)
				}
				if got := c.AppendSlice([]byte{7}, s); !bytes.Equal(got[1:], want) || got[0] != 7 {
					t.Fatalf("%v: AppendSlice of %d differs:\ngot  %x\nwant %x", order, n, got[1:], want)
				}
				decoded(t, c, order, want, s)
				for i := range s {
					one(t, c, want[i*c.Size():][:c.Size()], &s[i], order)
				}
			}
		}
	})
}

// decoded compares all bytes of s after decoding, including padding and blank
// fields.
func decoded[T any](t *testing.T, c Typed[T], order ByteOrder, wire []byte, s []T) {
	t.Helper()
	got, want := append([]T(nil), s...), append([]T(nil), s...)
	flip := bytes.Clone(wire)
	for i := range flip {
		flip[i] ^= 2 // makes bools other than 0 and 1, but no new NaN
	}
	if _, err := binary.Decode(flip, order, want); err != nil {
		t.Fatal(err)
	}
	if n, err := c.GetSlice(append(flip, 1), got); n != len(wire) || err != nil {
		t.Fatalf("%v: GetSlice returned %d, %v", order, n, err)
	}
	for i := range got {
		if g, w := memoryOf(reflect.ValueOf(&got[i])), memoryOf(reflect.ValueOf(&want[i])); !bytes.Equal(g, w) {
			t.Fatalf("%v: GetSlice: element %d of %d\ngot  %x\nwant %x", order, i, len(got), g, w)
		}
	}
	if len(flip) > 0 {
		if n, err := c.GetSlice(flip[1:], got); n != 0 || err == nil || err.Error() != "buffer too small" {
			t.Errorf("%v: GetSlice with one byte missing: %d, %v", order, n, err)
		}
	}
}

func one[T any](t *testing.T, c Typed[T], wire []byte, v *T, order ByteOrder) {
	t.Helper()
	dst := bytes.Repeat([]byte{0xee}, len(wire)+20)
	if n := c.Put(dst, v); n != len(wire) || !bytes.Equal(dst[:n], wire) || !bytes.Equal(dst[n:], bytes.Repeat([]byte{0xee}, 20)) {
		t.Fatalf("%v: Put: got %x, want %x", order, dst, wire)
	}
	if got := c.Append([]byte{7}, v); !bytes.Equal(got[1:], wire) || got[0] != 7 {
		t.Fatalf("%v: Append: got %x, want %x", order, got, wire)
	}
	var back T
	if n, err := c.Get(append(bytes.Clone(wire), 1), &back); n != len(wire) || err != nil || !reflect.DeepEqual(notNaNs(back), notNaNs(*v)) {
		t.Fatalf("%v: Get: %d, %v, got %v, want %v", order, n, err, back, *v)
	}
	if len(wire) == 0 {
		return
	}
	if n, err := c.Get(wire[1:], &back); n != 0 || err == nil {
		t.Errorf("%v: Get with one byte missing: %d, %v", order, n, err)
	}
	if got := outcome(func() string { c.Put(make([]byte, len(wire)-1), v); return "" }); got == "" {
		t.Errorf("%v: Put with one byte missing did not panic", order)
	}
}

// notNaNs formats a value so that NaNs can be compared.
func notNaNs(v any) string {
	b, err := binary.Append(nil, BigEndian, v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func TestForErrors(t *testing.T) {
	type named struct {
		Header struct{ Names [2][]string }
	}
	cases := []struct {
		name, got, want string
	}{
		{"struct", forError[named](), "binary: binary.named.Header.Names[] of type []string: not fixed-size"},
		{"int", forError[int](), "binary: int of type int: not fixed-size"},
		{"slice", forError[[]uint8](), "binary: []uint8 of type []uint8: not fixed-size"},
		{"pointer", forError[*uint8](), "binary: *uint8 of type *uint8: not fixed-size"},
		{"any", forError[any](), "binary: interface {} of type interface {}: not fixed-size"},
		{"fixed", forError[record](), "<nil>"},
	}
	for _, c := range cases {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, c.got, c.want)
		}
	}
	if _, err := For[uint16](nil); err == nil {
		t.Error("For with a nil byte order returned no error")
	}
	_, err := For[named](BigEndian)
	if e, ok := errors.AsType[*Error](err); !ok || e.Path != "Header.Names[]" || !errors.Is(err, ErrUnsupported) {
		t.Errorf("got %#v", err)
	}
}

func forError[T any]() string {
	_, err := For[T](BigEndian)
	if err == nil {
		return "<nil>"
	}
	return err.Error()
}

// TestTypedUnexported checks that unexported fields are encoded but not
// decoded, in a standard and a custom byte order.
func TestTypedUnexported(t *testing.T) {
	for _, order := range orders {
		c, err := For[unexportedField](order)
		if err != nil {
			t.Fatal(err)
		}
		v := unexportedField{1, 2, 3}
		want, _ := binary.Append(nil, order, v)
		if got := c.Append(nil, &v); !bytes.Equal(got, want) {
			t.Errorf("%v: got %x, want %x", order, got, want)
		}
		old := v
		n, err := c.Get(make([]byte, 100), &v)
		if n != 0 || !errors.Is(err, ErrUnexported) || v != old {
			t.Errorf("%v: Get returned %d, %v", order, n, err)
		}
		if want := "binary: binary.unexportedField.b of type uint32: cannot decode unexported field"; err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
		if n, err := c.GetSlice(make([]byte, 100), make([]unexportedField, 2)); n != 0 || !errors.Is(err, ErrUnexported) {
			t.Errorf("%v: GetSlice returned %d, %v", order, n, err)
		}
	}
}

func TestTypedUnexportedPath(t *testing.T) {
	for want, got := range map[string]error{
		"binary: binary.embeddedNumber.namedUint16 of type binary.namedUint16: cannot decode unexported field": getError[embeddedNumber](),
		"binary: binary.embeddedArray.namedArray[] of type uint16: cannot decode unexported field":             getError[embeddedArray](),
		"binary: [2]binary.unexportedField[].b of type uint32: cannot decode unexported field":                 getError[[2]unexportedField](),
		"binary: struct { a [8]uint64 }.a[] of type uint64: cannot decode unexported field":                    getError[struct{ a [8]uint64 }](),
	} {
		if got == nil || got.Error() != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
}

func getError[T any]() error {
	c, err := For[T](BigEndian)
	if err == nil {
		_, err = c.Get(make([]byte, 100), new(T))
	}
	return err
}

func TestTypedNil(t *testing.T) {
	typedNil[record](t)
	typedNil[vast](t)
	typedNil[[8]uint64](t)
}

func typedNil[T any](t *testing.T) {
	for _, order := range orders {
		c, _ := For[T](order)
		b := make([]byte, c.Size())
		for name, f := range map[string]func(){"Put": func() { c.Put(b, nil) }, "Get": func() { _, _ = c.Get(b, nil) }} {
			got := outcome(func() string { f(); return "no panic" })
			if got != "panic: runtime error: invalid memory address or nil pointer dereference" {
				t.Errorf("%T: %s(nil) in %v: %s", c, name, order, got)
			}
		}
	}
}
