package layout_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// roundTrip encodes v, compares the bytes, and decodes them.
func roundTrip(t *testing.T, c *layout.Codec, v any, want string) {
	t.Helper()
	b, err := c.Marshal(v)
	if err != nil || string(b) != want {
		t.Errorf("%+v: % x, %v, want % x", v, b, err, want)
		return
	}
	back := reflect.New(reflect.TypeOf(v).Elem())
	if err := c.Unmarshal(b, back.Interface()); err != nil || !same(back, reflect.ValueOf(v)) {
		t.Errorf("% x: %s, %v, want %s", b, dump(back), err, dump(reflect.ValueOf(v)))
	}
	for n := range len(b) {
		if err := c.Unmarshal(b[:n], reflect.New(reflect.TypeOf(v).Elem()).Interface()); err == nil {
			t.Errorf("% x is accepted", b[:n])
		}
	}
}

// refuse requires an error of encoding.
func refuse(t *testing.T, c *layout.Codec, v any, reason error, text string) {
	t.Helper()
	if b, err := c.Marshal(v); !errors.Is(err, reason) || !strings.Contains(err.Error(), text) {
		t.Errorf("%T: % x, %v, want %s", v, b, err, text)
	}
}

// refuseBytes requires an error of decoding.
func refuseBytes(t *testing.T, c *layout.Codec, v any, data string, reason error, text string) {
	t.Helper()
	if err := c.Unmarshal([]byte(data), v); !errors.Is(err, reason) || !strings.Contains(err.Error(), text) {
		t.Errorf("%T of % x: %v, want %s", v, data, err, text)
	}
}

// TestAbsentNumbers has numbers that may be absent, and fields of which they are the lengths. If the number is absent,
// the field must be empty, unless another number gives its length.
func TestAbsentNumbers(t *testing.T) {
	type one struct {
		F uint8
		N uint8 `layout:"if=F,len=A"`
		A []byte
		E uint8
	}
	type two struct {
		F uint8
		N uint8 `layout:"if=F==1,len=A"`
		M uint8 `layout:"if=F==2,len=A"`
		A []byte
		E uint8
	}
	type counted struct {
		F uint8
		N uint8 `layout:"if=F,count=A"`
		A []uint16
		E uint8
	}
	c := codec(t)
	roundTrip(t, c, &one{F: 1, N: 2, A: []byte("ab"), E: 9}, "\x01\x02ab\x09")
	roundTrip(t, c, &two{F: 1, N: 2, A: []byte("ab"), E: 9}, "\x01\x02ab\x09")
	roundTrip(t, c, &two{F: 2, M: 2, A: []byte("ab"), E: 9}, "\x02\x02ab\x09")
	roundTrip(t, c, &counted{F: 1, N: 1, A: []uint16{7}, E: 9}, "\x01\x01\x00\x07\x09")
	refuse(t, c, &one{A: []byte("ab")}, layout.ErrLength, "the number is absent, but A has 2 bytes")
	refuse(t, c, &two{A: []byte("ab")}, layout.ErrLength, "the number is absent, but A has 2 bytes")
	refuse(t, c, &counted{A: []uint16{7}}, layout.ErrLength, "the number is absent, but A has 1 element")
}

// TestUnionValues has unions that cannot be encoded.
func TestUnionValues(t *testing.T) {
	type message struct {
		T uint8
		A shape `layout:"switch=T"`
	}
	type both struct {
		T uint8
		S struct {
			A shape `layout:"switch=T,prefix=u8"`
		}
		P *struct {
			B shape `layout:"switch=T"`
		}
	}
	type open struct {
		T uint8
		A any `layout:"switch=T"`
	}
	type constant struct {
		T uint8 `layout:"const=1,const=3"`
		P *struct {
			A shape `layout:"switch=T"`
		}
	}
	type limited struct {
		T uint8 `layout:"max=1"`
		P *struct {
			A shape `layout:"switch=T"`
		}
	}
	c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{
		layout.Union[shape](layout.VariantOf[dot](1), layout.VariantOf[*line](2)),
		layout.Union[any](layout.VariantOf[*dot](1), layout.KeepUnknown()),
	}})
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, c, &message{T: 1, A: dot{5}}, "\x01\x05")
	roundTrip(t, c, &message{T: 2, A: &line{1, 2}}, "\x02\x00\x01\x00\x02")
	refuse(t, c, &message{}, layout.ErrVariant, "nil interface")
	refuse(t, c, &message{A: polygon{}}, layout.ErrVariant, "layout_test.polygon is not a variant of the union")
	refuse(t, c, &message{A: (*line)(nil)}, layout.ErrRange, "nil pointer")
	roundTrip(t, c, &open{T: 1, A: &dot{5}}, "\x01\x05")
	roundTrip(t, c, &open{T: 9, A: layout.Unknown{Tag: 9, Data: []byte{}}}, "\x09")
	refuse(t, c, &open{A: layout.Unknown{Tag: 1}}, layout.ErrVariant, "the tag 1 of an Unknown is that of a variant")
	refuse(t, c, &open{A: dot{}}, layout.ErrVariant, "layout_test.dot is not a variant")
	refuse(t, c, &open{A: (*dot)(nil)}, layout.ErrRange, "nil pointer")

	set := func(a, b shape) *both {
		v := &both{P: &struct {
			B shape `layout:"switch=T"`
		}{b}}
		v.S.A = a
		return v
	}
	agree := set(dot{5}, dot{6})
	agree.T = 1
	roundTrip(t, c, agree, "\x01\x01\x05\x06")
	refuse(t, c, set(dot{5}, &line{}), layout.ErrVariant, "the unions that switch on T require different tags, 1 and 2")
	refuse(t, c, &constant{P: &struct {
		A shape `layout:"switch=T"`
	}{&line{}}}, layout.ErrConst, "found 2, want 1 or 3")
	refuse(t, c, &limited{P: &struct {
		A shape `layout:"switch=T"`
	}{&line{}}}, layout.ErrLimit, "2 exceeds the maximum 1")
}

// The types with methods of the test below.
type (
	marshaled struct{ S string } // has MarshalBinary, but not AppendBinary
	tooMuch   struct{ N int }    // returns N from DecodeLayout
	nested    struct{}           // fails with an error of this package
	oneWay    struct{ V uint8 }  // can only be decoded
)

func (m marshaled) MarshalBinary() ([]byte, error) {
	if m.S == "bad" {
		return nil, errBad
	}
	return []byte(m.S), nil
}

func (m *marshaled) UnmarshalBinary(b []byte) error {
	if string(b) == "bad" {
		return errBad
	}
	m.S = string(b)
	return nil
}

var errBad = errors.New("bad value")

func (tooMuch) AppendLayout(dst []byte) ([]byte, error) { return append(dst, 1), nil }
func (*tooMuch) DecodeLayout(data []byte) (int, error)  { return len(data) + 1, nil }

func (nested) AppendLayout(dst []byte) ([]byte, error) {
	return layout.MarshalAppend(dst, &struct {
		A []byte `layout:"prefix=u8"`
	}{make([]byte, 300)})
}

func (*nested) DecodeLayout(data []byte) (int, error) {
	return layout.UnmarshalPrefix(data, &struct {
		A uint8
		B uint8 `layout:"const=1"`
	}{})
}

func (*oneWay) UnmarshalBinary(b []byte) error { return nil }

func TestMethods(t *testing.T) {
	type message struct {
		A marshaled `layout:"prefix=u8"`
		B marshaled `layout:"fixed=2"`
		C marshaled
	}
	type wrong struct {
		A uint8
		B tooMuch
	}
	type inner struct {
		A uint16
		B nested
	}
	type plain struct{ A oneWay }
	c := codec(t)
	roundTrip(t, c, &message{marshaled{"abc"}, marshaled{"de"}, marshaled{}}, "\x03abcde")
	refuse(t, c, &message{A: marshaled{"bad"}}, errBad, "bad value")
	refuse(t, c, &message{B: marshaled{"abc"}}, layout.ErrLength, "length 3 is not the fixed length 2")
	refuse(t, c, &message{A: marshaled{strings.Repeat("x", 256)}}, layout.ErrLength, "length 256 does not fit")
	refuseBytes(t, c, new(message), "\x03badde", errBad, "message.A at offset 1: bad value")
	refuseBytes(t, c, new(wrong), "\x00\x00", layout.ErrLength, "returned 2 of 1 byte")
	refuse(t, c, &inner{}, layout.ErrLength, "at offset 2: length 300 does not fit")
	refuseBytes(t, c, new(inner), "\x00\x00\x05\x07", layout.ErrConst, "at offset 3")
	roundTrip(t, c, &plain{oneWay{7}}, "\x07") // without MarshalBinary it is a struct like others
	for _, data := range []string{"\x03ba", "\x03badd"} {
		if err := c.Read(strings.NewReader(data), new(message)); err == nil || err == io.EOF {
			t.Errorf("Read of %q: %v", data, err)
		}
	}
}

// TestNativeOrder uses the byte order of the machine.
func TestNativeOrder(t *testing.T) {
	c, err := layout.New(layout.Options{Order: binary.NativeEndian})
	if err != nil {
		t.Fatal(err)
	}
	type message struct {
		A uint16
		B uint32
	}
	want := binary.NativeEndian.AppendUint32(binary.NativeEndian.AppendUint16(nil, 1), 2)
	roundTrip(t, c, &message{1, 2}, string(want))
}

// TestMaxMessage encodes and reads messages at the limit of the Codec.
func TestMaxMessage(t *testing.T) {
	c, err := layout.New(layout.Options{MaxMessage: 3})
	if err != nil {
		t.Fatal(err)
	}
	type message struct {
		A string `layout:"cstring"`
	}
	type fixed struct{ A uint32 }
	roundTrip(t, c, &message{"ab"}, "ab\x00")
	refuse(t, c, &message{"abc"}, layout.ErrLimit, "message of 4 bytes exceeds the limit of 3")
	refuse(t, c, &fixed{}, layout.ErrLimit, "limit")
	refuseBytes(t, c, new(message), "abc\x00", layout.ErrLimit, "limit")
	refuseBytes(t, c, new(fixed), "\x00\x00\x00\x00", layout.ErrLimit, "limit")
	if err := c.Read(strings.NewReader("abc\x00"), new(message)); !errors.Is(err, layout.ErrLimit) {
		t.Errorf("Read of 4 bytes: %v", err)
	}
	if err := c.Read(strings.NewReader("ab\x00"), new(message)); err != nil {
		t.Errorf("Read of 3 bytes: %v", err)
	}
}

// TestTextOfConditions describes conditions on signed and unsigned numbers, and says how much is left in a range.
func TestTextOfConditions(t *testing.T) {
	type message struct {
		N int8
		M uint64
		A uint8 `layout:"if=N==-1"`
		B uint8 `layout:"if=M!=0xffffffffffffffff"`
	}
	typed, err := layout.For[message](codec(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"if N==-1", "if M!=18446744073709551615"} {
		if text := typed.Describe(); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	type ranged struct {
		N    uint8 `layout:"len=A..B"`
		A    uint8
		B    []byte
		Tail uint8
	}
	refuseBytes(t, codec(t), new(ranged), "\x09\x00\x00", layout.ErrTruncated, "length 9 exceeds the 2 bytes left")
}

// TestMaxOfText has the option max beside every way to say how long a text is.
func TestMaxOfText(t *testing.T) {
	type message struct {
		A string `layout:"prefix=u8,max=3"`
		B []byte `layout:"prefix=u16,max=2"`
		N uint8  `layout:"len=C"`
		C []byte `layout:"max=2"`
		D string `layout:"count=u8,max=1"`
		E string `layout:"cstring,max=1"`
		F []byte `layout:"max=1"`
	}
	c, two := codec(t), []byte{7, 7}
	most := message{A: "abc", B: two, N: 2, C: two, D: "d", E: "e", F: []byte{}}
	roundTrip(t, c, &most, "\x03abc\x00\x02\x07\x07\x02\x07\x07\x01de\x00")
	for name, v := range map[string]message{
		"A": {A: "abcd"}, "B": {B: append(two, 7)}, "C": {C: append(two, 7)}, "D": {D: "dd"}, "E": {E: "ee"}, "F": {F: two},
	} {
		refuse(t, c, &v, layout.ErrLimit, "message."+name)
	}
	for name, data := range map[string]string{
		"A": "\x04abcd\x00\x00\x00\x00\x00", "B": "\x00\x00\x03\x07\x07\x07\x00\x00\x00", "C": "\x00\x00\x00\x03\x07\x07\x07\x00\x00",
		"D": "\x00\x00\x00\x00\x02dd\x00", "E": "\x00\x00\x00\x00\x00ee\x00", "F": "\x00\x00\x00\x00\x00\x00\x07\x07",
	} {
		refuseBytes(t, c, new(message), data, layout.ErrLimit, "message."+name)
	}
	type none struct {
		A []uint16 `layout:"count=u8,max=0"`
	}
	if err := c.Unmarshal([]byte{1, 7, 7}, new(none)); err == nil || !strings.Contains(err.Error(), "the number of elements 1 exceeds the maximum 0") {
		t.Error(err)
	}
}

// manyFields has 16 to the power of 5 fields, counting each use.
type (
	manyFields struct{ A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P many4 }
	many4      struct{ A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P many3 }
	many3      struct{ A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P many2 }
	many2      struct{ A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P many1 }
	many1      struct{ A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P uint8 }
)

// outerName and its recursive part use the name N for different fields.
type (
	outerName struct {
		N uint8
		R renamed
	}
	renamed struct {
		V    uint8 `layout:"if=N"`
		Next *struct {
			N uint8
			R *renamed `layout:"if=N==7"`
		} `layout:"if=N==9"`
	}
)

func TestRefusedStructures(t *testing.T) {
	c := codec(t)
	refuse(t, c, &manyFields{}, layout.ErrTag, fmt.Sprintf("more than %d fields", 1<<16))
	refuse(t, c, &outerName{}, layout.ErrTag, "the name N in the recursive type renamed refers to a different field")
	type apart struct {
		S struct{ A uint8 }
		B uint8
		N uint8 `layout:"sum8=A..B"`
	}
	refuse(t, c, &apart{}, layout.ErrTag, "A")
	type zeroElement struct {
		L []struct {
			A []byte `layout:"fixed=0"`
		} `layout:"count=u8"`
	}
	refuse(t, c, &zeroElement{L: make([]struct {
		A []byte `layout:"fixed=0"`
	}, 2)}, layout.ErrLength, "an element of a slice must take at least one byte")
	refuseBytes(t, c, new(zeroElement), "\x02", layout.ErrTruncated, "2 elements of at least 1 byte cannot fit the 0 bytes left")
	type late struct {
		T uint8
		X uint8 `layout:"if=T"`
		L []struct {
			U shape `layout:"switch=T"`
		} `layout:"count=u8"`
	}
	u, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[shape](layout.VariantOf[dot](1))}})
	if err != nil {
		t.Fatal(err)
	}
	refuse(t, u, &late{}, layout.ErrTag, "the field depends on T, which is computed from U, and that has not been written then")
}

// TestFieldsOfRange lists the fields of a range that begins with bit fields.
func TestFieldsOfRange(t *testing.T) {
	type message struct {
		H uint16
		V uint8 `layout:"bits=4"`
		W uint8 `layout:"bits=4"`
		N uint8 `layout:"len=V..B"`
		B []byte
		T uint8
	}
	var v message
	list, err := codec(t).Fields([]byte("\x00\x01\x23\x05abc\x09"), &v)
	if err != nil || string(v.B) != "abc" {
		t.Fatal(v, err)
	}
	var got []string
	for _, f := range list[1:] {
		got = append(got, fmt.Sprint(f.Name, " ", f.Offset, " ", f.Size))
	}
	if want := "H 0 2, V 2 1, W 2 1, N 3 1, B 4 3, T 7 1"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}

// TestZeroAmongConstants encodes a zero field. It means the first constant, unless zero is
// one of them.
func TestZeroAmongConstants(t *testing.T) {
	type message struct {
		First  uint8 `layout:"const=7,const=9"`
		Second uint8 `layout:"const=7,const=0"`
		Third  uint8 `layout:"const=7"`
	}
	for _, c := range []struct {
		v    message
		want string
	}{
		{message{}, "\x07\x00\x07"},
		{message{9, 7, 7}, "\x09\x07\x07"},
		{message{7, 0, 0}, "\x07\x00\x07"},
	} {
		if b, err := layout.Marshal(&c.v); err != nil || string(b) != c.want {
			t.Errorf("%+v: % x, %v, want % x", c.v, b, err, c.want)
		}
		var got message
		if err := layout.Unmarshal([]byte(c.want), &got); err != nil {
			t.Errorf("% x: %v", c.want, err)
		}
	}
	for _, bad := range []message{{First: 8}, {Second: 9}, {Third: 9}} {
		if _, err := layout.Marshal(&bad); !errors.Is(err, layout.ErrConst) {
			t.Errorf("%+v: %v, want ErrConst", bad, err)
		}
	}
}

// TestElementsWithoutBytes has slices whose elements are arrays without elements. Only such slices without elements can be
// encoded, and no bytes can be decoded into one.
func TestElementsWithoutBytes(t *testing.T) {
	type nothing struct{ A [0]uint8 }
	check := func(v any, empty, data string) {
		t.Helper()
		if b, err := layout.Marshal(v); !errors.Is(err, layout.ErrLength) {
			t.Errorf("%T: % x, %v, want ErrLength", v, b, err)
		}
		if err := layout.Unmarshal([]byte(data), v); !errors.Is(err, layout.ErrLength) {
			t.Errorf("%T: %v, want ErrLength", v, err)
		}
		if err := layout.Unmarshal([]byte(empty), v); err != nil {
			t.Errorf("%T: %v", v, err)
		}
		if b, err := layout.Marshal(v); err != nil || string(b) != empty {
			t.Errorf("%T: % x, %v, want % x", v, b, err, empty)
		}
	}
	check(&struct{ L []nothing }{make([]nothing, 2)}, "", "ab")
	check(&struct{ L [][0]uint16 }{make([][0]uint16, 2)}, "", "ab")
	check(&struct {
		L []nothing `layout:"prefix=u8"`
	}{make([]nothing, 2)}, "\x00", "\x01a")
	check(&struct {
		L []nothing `layout:"count=u8"`
	}{make([]nothing, 2)}, "\x00", "\x01a")
	if b, err := layout.Marshal(&struct {
		L [3]nothing
		A uint8
	}{A: 1}); err != nil || string(b) != "\x01" {
		t.Errorf("% x, %v", b, err)
	}
}
