package layout_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/layout"
)

// A selfMarshaled is a message whose method calls Marshal.
type selfMarshaled struct{ A, b uint8 }

func (s *selfMarshaled) MarshalBinary() ([]byte, error) {
	s.b++
	return layout.Marshal(s)
}

func (s *selfMarshaled) UnmarshalBinary(data []byte) error { return layout.Unmarshal(data, s) }

// wrongTypes have declarations that are refused, with a part of the text.
var wrongTypes = []struct {
	value any
	want  string
}{
	{struct{ A map[string]int }{}, "A: type map[string]int is not supported"},
	{struct{ A chan int }{}, "not supported"},
	{struct{ A complex64 }{}, "not supported"},
	{struct{ A int }{}, "A: type int has no width of its own; add a form such as u32 or varint"},
	{struct{ a uint8 }{}, "not exported; export it, or add the tag"},
	{struct{ A *uint8 }{}, "a pointer must point to a struct"},
	{struct{ A []string }{}, "put the string into a struct"},
	{struct {
		A uint8 `layout:"prefx=u8"`
	}{}, `unknown option "prefx"; did you mean "prefix"?`},
	{struct {
		A uint8 `layout:"u16,u32"`
	}{}, "conflicts"},
	{struct {
		A uint8 `layout:"prefix=u8"`
	}{}, "option prefix is not allowed on a number (uint8)"},
	{struct {
		A string `layout:"prefix=u12"`
	}{}, "prefix=u12: not a width; want u8, u16, u24, u32, u48, u64 or varint"},
	{struct {
		A string `layout:"prefix=u8,cstring"`
	}{}, "more than one of prefix"},
	{struct {
		A uint8 `layout:"bits=7"`
	}{}, "7 bits, not whole bytes; add a field _ uint8 with bits=1"},
	{struct {
		A uint64 `layout:"bits=60"`
		B uint8  `layout:"bits=8"`
	}{}, "more than 64 bits; add the option end"},
	{struct {
		A    uint8 `layout:"len=Dta"`
		Data []byte
	}{}, "no field Dta"},
	{struct {
		Len  uint8 `layout:"len=Dat"`
		Data []byte
	}{}, "did you mean Data?"},
	{struct {
		A uint8    `layout:"len=A.._"`
		_ struct{} `layout:"align=4"`
	}{}, "len=A.._: a field _ has no name; put it into a struct of its own, and name that"},
	{struct {
		A uint8 `layout:"if=B"`
		B uint8
	}{}, "B is not known yet, because it comes later"},
	{struct {
		A []byte
		B string `layout:"cstring"`
	}{}, "takes what its frame leaves, but the size of B"},
	{struct {
		A []struct{ B []byte } `layout:"count=u8"`
	}{}, "it is in an element of A"},
	{struct {
		A []struct {
			K uint8
			N uint8 `layout:"len=K..V,if=K!=1"`
			V []byte
		}
	}{}, "it is in an element of A; give it a prefix, link or terminator, or the conditions of N, without which there is no frame"},
	{struct {
		T uint8
		A any `layout:"switch=T"`
	}{}, "Options.Unions has no Union of interface {}"},
	{struct{ A any }{}, "an interface needs switch=FIELD"},
	{struct {
		A uint8 `layout:"sum8=A..B"`
		B uint8 `layout:"sum8=A..B"`
	}{}, "checksum"},
	{struct {
		A uint16 `layout:"crc32=B"`
		B uint8
	}{}, "32 bits, which do not fit"},
	{struct {
		A uint8 `layout:"const=256"`
	}{}, "const=256 does not fit"},
	{struct {
		A uint16 `layout:"order=B"`
		B uint8
	}{}, "B is not known yet"},
	{struct {
		B uint8
		A uint16 `layout:"order=B"`
	}{}, "B has no constants that name an order"},
	{struct {
		L []struct {
			N uint8 `layout:"len=D"`
		} `layout:"count=u8"`
		D []byte
	}{}, "cannot measure a field outside of it"},
	{struct {
		N uint8 `layout:"len=B..A"`
		A uint8
		B uint8
	}{}, "B comes after A"},
	{struct {
		N uint16 `layout:"len=A..B"`
		F uint8  `layout:"if=N"`
		A []byte
		B uint8
	}{}, "has not been written then"},
	{struct {
		N uint8              `layout:"len=V"`
		V struct{ S string } `layout:"if=N"`
	}{}, "V: the field depends on N, which is computed from V, and that has not been written then; use if=more, which asks whether N is 0"},
	{struct {
		N uint32 `layout:"varint,len=A..B"`
		A uint8
		_ struct{} `layout:"align=4"`
		B uint8
	}{}, "would depend on that"},
	{struct {
		A []struct {
			B uint8 `layout:"const=1"`
		} `layout:"until=zero"`
	}{}, "never zero, because of its field B"},
	{struct {
		A []struct {
			N uint8 `layout:"len=N..D"`
			D []byte
		} `layout:"until=zero"`
	}{}, "never zero, because of its field N"},
	{struct {
		A []struct {
			N uint16 `layout:"len=D*2-4"`
			D []byte
		} `layout:"until=zero"`
	}{}, "never zero, because of its field N"},
	{struct {
		A []struct {
			N uint16 `layout:"count=D-1"`
			D []byte
		} `layout:"until=zero"`
	}{}, "never zero, because of its field N"},
	{struct {
		A []struct {
			N uint16 `layout:"count=D+1"`
			D []byte
		} `layout:"until=zero"`
	}{}, "cannot be encoded: A[].N: count=D+1: 0 elements cannot be expressed"},
	{struct {
		A []struct {
			Z uint8
			N uint8 `layout:"const=5,if=Z==0"`
		} `layout:"until=zero"`
	}{}, "never zero, because of its field N"},
	{struct {
		A []struct {
			N uint8
			S []uint16 `layout:"fixed=2"`
		} `layout:"until=zero"`
	}{}, "cannot be encoded: A[].S: 0 elements, want 2"},
	{struct {
		A []struct {
			S []byte `layout:"fixed=2"`
		} `layout:"until=zero"`
	}{}, "cannot be encoded: A[].S: length 0 is not the fixed length 2"},
	{struct {
		A []struct {
			P *struct {
				N uint8 `layout:"len=S+2"`
				S string
			}
		} `layout:"until=zero"`
	}{}, "cannot be encoded: A[].P.N: len=S+2: 0 bytes cannot be expressed"},
	{struct {
		A []struct {
			Z uint8
			B []struct {
				N uint8  `layout:"if=Z==0"`
				S []byte `layout:"fixed=2,if=N==0"`
			} `layout:"until=zero"`
		} `layout:"until=zero"`
	}{}, "cannot be encoded: A[].B[0].S: length 0 is not the fixed length 2"},
	{struct {
		N uint8 `layout:"len=A"`
		A [300]byte
	}{}, "len=A: the length is always 300: 300 does not fit u8"},
	{struct {
		N uint8 `layout:"len=A..B*2"`
		A [2]byte
		B bool
	}{}, "the length is always 3: len=A..B*2: 3 bytes cannot be expressed"},
	{struct {
		N uint16 `layout:"max=9,len=N..A"`
		A [4]uint16
	}{}, "len=N..A: the length is always 10: 10 exceeds the maximum 9"},
	{struct {
		N uint8 `layout:"len=A..C,len=B"`
		A string
		B [300]byte
		C uint8
	}{}, "len=B: the length is always 300: 300 does not fit u8"},
	{struct {
		N uint8    `layout:"count=A,len=B"`
		A []uint16 `layout:"max=9"`
		B [300]byte
	}{}, "len=B: the length is always 300: 300 does not fit u8"},
	{struct {
		N uint8 `layout:"const=5,const=6,max=4"`
	}{}, "const=5 exceeds max=4"},
	{struct {
		A []byte `layout:"fixed=4,max=2"`
	}{}, "fixed=4 exceeds max=2"},
	{struct {
		A []uint16 `layout:"fixed=4,max=2"`
	}{}, "fixed=4 exceeds max=2"},
	{struct {
		A time.Time
	}{}, "type time.Time encodes itself only in a field with a length; add a prefix"},
	{selfMarshaled{}, "selfMarshaled.b: the field is not exported; export it"}, // no tag can give a message a length
	{struct {
		_ uint8 `layout:"skip=3"`
	}{}, "skip"},
	{struct {
		A string `layout:"sum=x:A"`
	}{}, "sum"},
	{struct{ WrongBits }{}, "A: the run of bits that begins here has 7 bits, not whole bytes"},
	{struct {
		S uint8 `layout:"sum8=A..Nope"`
		A uint8
	}{}, "S: sum8=A..Nope: no field Nope in struct"},
	{struct {
		A  uint8
		In struct {
			S uint8 `layout:"sum8=A..B"`
			B uint8
		}
	}{}, "A and B are not fields of one struct"},
	{struct {
		A  uint8
		In struct {
			_ struct{} `layout:"order=Nope"`
			B uint16
		}
	}{}, "In.B: order=Nope: no field Nope"},
	{struct {
		WrongOrder
	}{}, "}.B: order=Nope: no field Nope"},
	{struct {
		_ [2]string `layout:"count=u8"`
	}{}, "a blank field of type [2]string has no fixed size"},
	{struct {
		A []WrongBits `layout:"count=u8"`
	}{}, "A[].A: the run of bits"},
	{struct {
		A [2]WrongBits
	}{}, "A[].A: the run of bits"},
	{struct {
		A wrongLoop
		B []byte
	}{}, "A.Rest: the field takes what its frame leaves, but the size of Next, which follows, is not known then"},
}

type (
	WrongBits struct {
		A uint8 `layout:"bits=7"`
	}
	WrongOrder struct {
		_ struct{} `layout:"order=Nope"`
		B uint16
	}
	wrongLoop struct {
		Rest []byte
		Next []wrongLoop `layout:"count=u8"`
	}
)

func TestWrongDeclarations(t *testing.T) {
	for _, w := range wrongTypes {
		typ := reflect.TypeOf(w.value)
		_, err := layout.Marshal(w.value)
		reason := layout.ErrTag
		if errors.Is(err, layout.ErrUnsupported) {
			reason = layout.ErrUnsupported
		}
		if !errors.Is(err, reason) || !strings.Contains(err.Error(), w.want) || strings.Contains(err.Error(), "not supported") != (reason == layout.ErrUnsupported) {
			t.Errorf("%v: %v, want %s", typ, err, w.want)
		}
		again := layout.Unmarshal(nil, reflect.New(typ).Interface())
		if !errors.Is(again, reason) {
			t.Errorf("%v: %v when decoding", typ, again)
		}
	}
}

// TestWrongUnions has wrong declarations around a union.
func TestWrongUnions(t *testing.T) {
	c := unionCodec[*fieldsPair](t)
	reason := layout.ErrTag
	refuse := func(v any, want string) {
		t.Helper()
		if _, err := c.Marshal(v); !errors.Is(err, reason) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	refuse(struct {
		K float32
		A any `layout:"switch=K"`
	}{}, "A: switch=K: K is a float, not an integer or bool")
	refuse(struct {
		A any `layout:"switch=K"`
	}{}, "A: switch=K: no field K")
	refuse(struct {
		K string `layout:"cstring"`
		A any    `layout:"switch=K"`
	}{}, "A: switch=K: K is not a number")
	c = unionCodec[*WrongBits](t)
	refuse(struct {
		K uint8
		A any `layout:"switch=K"`
	}{}, "A: the run of bits that begins here has 7 bits")
	c, reason = unionCodec[*struct{ A chan int }](t), layout.ErrUnsupported
	refuse(struct {
		K uint8
		A any `layout:"switch=K"`
	}{}, "type chan int is not supported")
}

// unionCodec returns a Codec in which the number 1 selects T for a variable of type any.
func unionCodec[T any](t *testing.T) *layout.Codec {
	t.Helper()
	c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[T](1))}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestTruncated requires that each prefix of a message is refused at the field that
// is not complete.
func TestTruncated(t *testing.T) {
	type inner struct {
		N    uint16 `layout:"len=Data"`
		Data []byte
		Tail uint32
	}
	type outer struct {
		A uint8
		B uint32
		C string  `layout:"prefix=u8"`
		D []inner `layout:"count=u8"`
		E uint16  `layout:"bits=16"`
		F string  `layout:"cstring"`
		G uint64  `layout:"varint"`
		H uint16
	}
	b, err := layout.Marshal(outer{C: "abc", D: []inner{{Data: []byte("x")}, {Data: []byte("yz")}}, F: "f", G: 300})
	if err != nil {
		t.Fatal(err)
	}
	// The offset at which each byte's field begins, and its path.
	fields := []struct {
		from int
		path string
	}{
		{0, "A"}, {1, "B"}, {5, "C"}, {6, "C"}, {9, "D"}, {10, "D[0].N"}, {12, "D[0].Data"}, {13, "D[0].Tail"}, {17, "D[1].N"}, {19, "D[1].Data"},
		{21, "D[1].Tail"}, {25, "E"}, {27, "F"}, {29, "G"}, {31, "H"},
	}
	for n := range b {
		err := layout.Unmarshal(b[:n], new(outer))
		var e *layout.Error
		if !errors.As(err, &e) || !errors.Is(err, layout.ErrTruncated) {
			t.Fatalf("%d bytes: %v", n, err)
		}
		want := fields[0]
		for _, f := range fields {
			if f.from <= n {
				want = f
			}
		}
		if n > 9 && n < 25 && e.Path == "outer.D" {
			continue // the count exceeds what is there
		}
		if errors.Is(err, io.EOF) != (n == 0) || errors.Is(err, io.ErrUnexpectedEOF) != errors.Is(err, layout.ErrTruncated) {
			t.Errorf("%d bytes: %v matches io.EOF: %v, io.ErrUnexpectedEOF: %v", n, err, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF))
		}
		if e.Path != "outer."+want.path || int(e.Offset) != want.from {
			t.Errorf("%d bytes: %v, want %s at offset %d", n, err, want.path, want.from)
		}
		if err := layout.Read(strings.NewReader(string(b[:n])), new(outer)); n == 0 && err != io.EOF || n > 0 && !errors.Is(err, layout.ErrTruncated) {
			t.Errorf("Read of %d bytes: %v", n, err)
		}
	}
}

// TestPaths checks the paths of errors in elements of elements.
func TestPaths(t *testing.T) {
	type leaf struct {
		N uint8 `layout:"max=3"`
	}
	type frame struct {
		Leaves []leaf `layout:"prefix=u8"`
	}
	type item struct {
		Kind  uint8
		Size  uint8 `layout:"len=Parts"`
		Parts []frame
	}
	type outer struct {
		Size  uint8 `layout:"len=Items"`
		Items []item
	}
	v := outer{Items: []item{{}, {Parts: []frame{{}, {Leaves: []leaf{{1}, {2}}}}}}}
	b, err := layout.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-1] = 9
	want := "layout: outer.Items[1].Parts[1].Leaves[1].N at offset 8: 9 exceeds the maximum 3"
	if err := layout.Unmarshal(b, new(outer)); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	v.Items[1].Parts[1].Leaves[1].N = 9
	if _, err := layout.Marshal(v); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	b[len(b)-1], b[len(b)-3] = 3, 7
	want = "layout: outer.Items[1].Parts[1].Leaves at offset 7: length 7 exceeds the 2 bytes left in Parts"
	if err := layout.Unmarshal(b, new(outer)); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestHiddenZero encodes an element that would end the slice when it is decoded: its
// length is computed, so that all its bytes are zero.
func TestHiddenZero(t *testing.T) {
	type item struct {
		N    uint8 `layout:"len=Data"`
		Data []byte
	}
	type message struct {
		Items []item `layout:"until=zero"`
	}
	if b, err := layout.Marshal(message{[]item{{0, []byte("a")}, {5, nil}}}); !errors.Is(err, layout.ErrRange) || !strings.Contains(err.Error(), "Items[1]") {
		t.Errorf("%x, %v", b, err)
	}
	if b, err := layout.Marshal(message{[]item{{0, []byte("a")}}}); err != nil || string(b) != "\x01a\x00" {
		t.Errorf("%x, %v", b, err)
	}
}
