package layout_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/layout"
)

// A declared is a field of a struct: its name, a value of its type, and its tag.
type declared struct {
	name string
	typ  any
	tag  string
}

// structOf returns the type of a struct with the fields. The first name may be _.
func structOf(fields []declared) reflect.Type {
	var list []reflect.StructField
	for _, f := range fields {
		field := reflect.StructField{Name: f.name, Type: reflect.TypeOf(f.typ), Tag: reflect.StructTag(fmt.Sprintf("layout:%q", f.tag))}
		if f.name == "_" {
			field.PkgPath = "github.com/octet-go/octet/layout_test"
		}
		list = append(list, field)
	}
	return reflect.StructOf(list)
}

type (
	openLoop struct {
		Next *openLoop `layout:"if=more"`
		Rest []byte
		Tail uint8
	}
	SelfEmbed struct {
		*SelfEmbed
		A uint8
	}
	hiddenBase struct{ A uint8 }
	hidesBase  struct{ *hiddenBase }
)

// refusedTags have a declaration that is refused and a part of the error.
var refusedTags = []struct {
	want   string
	fields []declared
}{
	// The syntax of tags.
	{"option be is given twice", []declared{{"A", uint16(0), "be,be"}}},
	{"empty option in the tag", []declared{{"A", uint16(0), "be,"}}},
	{"option - allows no other options", []declared{{"A", uint16(0), "-,be"}}},
	{"both be and le", []declared{{"A", uint16(0), "be,le"}}},
	{"both msb and lsb", []declared{{"A", uint8(0), "bits=8,msb,lsb"}}},
	{`unknown option "x"`, []declared{{"A", uint8(0), "x"}}},
	{`unknown option "u12"`, []declared{{"A", uint16(0), "u12"}}},
	{`unknown option "u72"`, []declared{{"A", uint16(0), "u72"}}},
	{`unknown option "zz=1"`[:18], []declared{{"A", uint16(0), "zz=1"}}},
	{"option oct conflicts with another form", []declared{{"A", uint16(0), "u16,oct=6"}}},
	{"option varint conflicts with another form", []declared{{"A", uint16(0), "dec=6,varint"}}},
	{"dec=1: want a number from 2 to 64", []declared{{"A", uint16(0), "dec=1"}}},
	{"bits=65: want a number from 1 to 64", []declared{{"A", uint16(0), "bits=65"}}},
	{"fixed=-1: want a number", []declared{{"A", "", "fixed=-1"}}},
	{"fill=256: want a number from 0 to 255", []declared{{"A", "", "fixed=1,fill=256"}}},
	{"until=x: want a number from 0 to 255", []declared{{"A", "", "until=x"}}},
	{"count=u9: not a width; on a slice it is", []declared{{"A", []uint16{}, "count=u9"}}},
	{`order=: "" is not the name of a field`, []declared{{"A", uint16(0), "order="}}},
	{`switch=a b: "a b" is not the name`, []declared{{"A", uint16(0), "switch=a b"}}},
	{"max=many is not a number", []declared{{"A", "", "max=many"}}},
	{`raw=: "" is not the name`, []declared{{"A", []byte{}, "raw="}}},
	{"sum=crc: want sum=NAME:FIRST..LAST", []declared{{"A", uint8(0), "sum=crc"}}},
	{"sum=:A: want sum=NAME", []declared{{"A", uint8(0), "sum=:A"}}},
	{"two checksums on one number", []declared{{"A", uint32(0), "crc32=B,adler32=B"}, {"B", uint8(0), ""}}},
	{`"" is not the name of a field`, []declared{{"A", uint32(0), "crc32="}}},
	{`"" is not the name of a field`, []declared{{"A", uint32(0), "crc32=A.."}}},
	{"len=B+x: +x is not a number to add", []declared{{"A", uint8(0), "len=B+x"}, {"B", "", ""}}},
	{"len=B*0: the factor must be a number greater than 0", []declared{{"A", uint8(0), "len=B*0"}, {"B", "", ""}}},
	{"len=B*z: the factor must be", []declared{{"A", uint8(0), "len=B*z"}, {"B", "", ""}}},
	{"count=B*0: the factor must be a number greater than 0", []declared{{"A", uint8(0), "count=B*0"}, {"B", "", ""}}},
	{"count=B-x: -x is not a number to add", []declared{{"A", uint8(0), "count=B-x"}, {"B", "", ""}}},
	{"a count is of one field", []declared{{"A", uint8(0), "count=B..C"}, {"B", "", "count=A"}, {"C", uint8(0), ""}}},
	{`len=B..: "" is not the name`, []declared{{"A", uint8(0), "len=B.."}, {"B", "", ""}}},
	{`if=A&2==0: "2==0" is not a number of 64 bits; want if=F, if=F&m`, []declared{{"A", uint8(0), ""}, {"B", uint8(0), "if=A&2==0"}}},
	{`if=A>3: "A>3" is not the name of a field; want if=F, if=F&m`, []declared{{"A", uint8(0), ""}, {"B", uint8(0), "if=A>3"}}},
	{"if=A=1: want if=F, if=F&m", []declared{{"A", uint8(0), ""}, {"B", uint8(0), "if=A=1"}}},
	{`if=A==x: "x" is not a number of 64 bits`, []declared{{"A", uint8(0), ""}, {"B", uint8(0), "if=A==x"}}},
	{`if=: "" is not the name`, []declared{{"A", uint8(0), ""}, {"B", uint8(0), "if="}}},
	{`if===1: "" is not the name`, []declared{{"A", uint8(0), ""}, {"B", uint8(0), "if===1"}}},
	{`const=y: "y" is not a number of 64 bits`, []declared{{"A", uint8(0), "const=y"}}},
	{"the order after | must be be or le", []declared{{"A", uint8(0), "const=1|x"}}},
	{"magic=: want some text", []declared{{"A", "", "magic="}}},
	{`there must be \ or x and two hexadecimal digits`, []declared{{"A", "", `magic=\n`}}},
	{`"\\xzz" is not \x and two hexadecimal digits`, []declared{{"A", "", `magic=\xzz`}}},

	// Options that do not suit the type.
	{"both a byte order and order=", []declared{{"O", uint8(0), "const=1|be"}, {"A", uint16(0), "le,order=O"}}},
	{"msb, lsb and end require bits=n", []declared{{"A", uint16(0), "msb"}}},
	{"msb, lsb and end require bits=n", []declared{{"A", uint16(0), "end"}}},
	{"a bit field cannot have a condition", []declared{{"C", uint8(0), ""}, {"A", uint8(0), "bits=8,if=C"}}},
	{"more than one of prefix, count, fixed, cstring and until", []declared{{"A", "", "fixed=3,until=9"}}},
	{"fill requires fixed=n", []declared{{"A", "", "prefix=u8,fill=0"}}},
	{"form f32 cannot be used for the elements of []uint16", []declared{{"A", []uint16{}, "count=u8,f32"}}},
	{"utf16 requires a string, not []uint8", []declared{{"A", []byte{}, "prefix=u8,utf16"}}},
	{"the fixed length of a UTF-16 string is an odd number", []declared{{"A", "", "fixed=3,utf16"}}},
	{"until=zero requires a slice whose elements are not bytes", []declared{{"A", []byte{}, "until=zero"}}},
	{"until=0xNN requires bytes", []declared{{"A", []uint16{}, "until=3"}}},
	{"more than one of count, fixed and until", []declared{{"A", []uint16{}, "count=u8,fixed=2"}}},
	{"both until=end and another length", []declared{{"A", []uint16{}, "prefix=u8,until=end"}}},
	{"a constant cannot be computed", []declared{{"A", uint8(0), "const=1,len=B"}, {"B", "", ""}}},
	{"both a link and a checksum", []declared{{"A", uint8(0), "len=B,sum8=B"}, {"B", "", ""}}},
	{"links and checksums require an integer, not float32", []declared{{"A", float32(0), "len=B"}, {"B", "", ""}}},
	{"max requires an integer, bytes or a slice", []declared{{"A", float32(0), "max=3"}}},
	{"switch requires an interface or a slice of interfaces", []declared{{"T", uint8(0), ""}, {"A", []uint16{}, "count=u8,switch=T"}}},
	{"A: option align requires a field _ struct{}", []declared{{"A", []byte{}, "align=4"}}},
	{"A: option skip requires a field _ struct{}", []declared{{"A", struct{}{}, "skip=4"}}},
	{"A: the field takes what its frame leaves, but the size of B, which follows, is not known then, because C comes later; give one", []declared{{"A", "", ""}, {"B", []byte{}, ""}, {"C", uint8(0), "len=B..C"}}},
	{"A: the field takes what its frame leaves, but the size of B, which follows, is not known then, because C comes later; give one", []declared{{"A", "", ""}, {"B", []uint16{}, ""}, {"C", uint8(0), "count=B"}}},
	{"B: the field takes what its frame leaves, but the size of C, which follows, is not known then; give one of them a prefix or link, or make them variants of a union that switches on A", []declared{{"A", uint8(0), ""}, {"B", "", "if=A"}, {"C", []byte{}, "if=A==0"}}},
	{"raw requires a []byte, not string", []declared{{"B", uint8(0), ""}, {"A", "", "raw=B"}}},
	{"magic requires a field _ of type struct{}, a string, a []byte or a [2]byte, not [3]uint8", []declared{{"A", [3]byte{}, "magic=ab"}}},
	{"A: len is an option of the number that holds the length, with the name of this field", []declared{{"N", uint8(0), ""}, {"A", []byte{}, "len=N"}}},
	{"A: option len is not allowed on a type with methods (layout_test.coded)", []declared{{"A", coded{}, "len=B"}, {"B", []byte{}, ""}}},
	{"A: len is an option of the number that holds the length; for a length that never changes, use fixed=16", []declared{{"A", []byte{}, "len=16"}}},
	{"A: count=16: not a width; for a number of elements that never changes, use fixed=16", []declared{{"A", []uint16{}, "count=16"}}},
	{`B: unknown option "crc16"; for a checksum that is not built in, use sum=crc16:FIRST..LAST and Options.Sums`, []declared{{"A", uint8(0), ""}, {"B", uint16(0), "crc16=A"}}},
	{`B: unknown option "sum16"; for a checksum that`, []declared{{"A", uint8(0), ""}, {"B", uint16(0), "sum16=A"}}},
	{`B: unknown option "crc32b"; did you mean "crc32"?`, []declared{{"A", uint8(0), ""}, {"B", uint32(0), "crc32b=A"}}},
	{"the run of bits that begins here has 1 bit, not whole bytes; add a field _ uint8 with bits=7", []declared{{"A", uint8(0), "bits=1"}}},
	{"a bit field cannot have a form; remove u8", []declared{{"A", uint8(0), "bits=8,u8"}}},
	{"a bit field cannot have a form; remove dec=3", []declared{{"A", uint8(0), "bits=8,dec=3"}}},
	{"bits requires an integer or bool, not float32", []declared{{"A", float32(0), "bits=8"}}},
	{"9 bits do not fit uint8", []declared{{"A", uint8(0), "bits=9"}}},
	{"form f32 cannot be used for uint32", []declared{{"A", uint32(0), "f32"}}},
	{"const requires an integer or bool, not float64", []declared{{"A", float64(0), "const=1"}}},
	{"const=2 does not fit", []declared{{"A", false, "const=2"}}},
	{"const=-1 does not fit", []declared{{"A", uint8(0), "const=-1"}}},
	{"the elements of []string have no length", []declared{{"A", []string{}, "count=u8"}}},
	{"the byte order of a run of bits must be on its first field, A; to begin another run, add the option end to the field before", []declared{{"A", uint8(0), "bits=4"}, {"B", uint8(0), "bits=4,le"}}},
	{"msb and lsb in one run of bits", []declared{{"A", uint8(0), "bits=4,msb"}, {"B", uint8(0), "bits=4,lsb"}}},
	{"the struct embeds itself", []declared{{"A", SelfEmbed{}, ""}}},
	{"an embedded pointer to an unexported type cannot be set", []declared{{"A", hidesBase{}, ""}}},

	// Fields that tags name.
	{"switch=T: T is a float", []declared{{"T", float32(0), ""}, {"A", []body{}, "count=u8,switch=T"}}},
	{"switch=T: T is a checksum", []declared{{"B", uint8(0), ""}, {"T", uint8(0), "sum8=B"}, {"A", []body{}, "count=u8,switch=T"}}},
	{"links and checksums require an integer, not float32", []declared{{"A", float32(0), "count=u8"}}},
	{"links and checksums require an integer, not bool", []declared{{"A", false, "count=varint"}}},
	{"the tag 300 of variant layout_test.wideBody does not fit T", []declared{{"T", uint8(0), ""}, {"A", []body{}, "count=u8,switch=T"}}},
	{"if=T: T is not a number", []declared{{"T", "", "cstring"}, {"A", uint8(0), "if=T"}}},
	{"if=T: T is a float", []declared{{"T", float64(0), ""}, {"A", uint8(0), "if=T"}}},
	{"B has no number of elements", []declared{{"A", uint8(0), "count=B"}, {"B", uint8(0), ""}}},
	{"B is a UTF-16 string; use len=B", []declared{{"A", uint8(0), "count=B"}, {"B", "", "utf16"}}},
	{`Options.Sums has no sum "mine"`, []declared{{"A", uint8(0), "sum=mine:B"}, {"B", uint8(0), ""}}},
	{"no field C", []declared{{"A", uint8(0), "sum8=C"}, {"B", uint8(0), ""}}},
	{"no field C", []declared{{"A", []byte{}, "raw=C"}, {"B", uint8(0), ""}}},
	{"or the structs around it; to name a field of H, embed that struct", []declared{{"H", struct{ T uint8 }{}, ""}, {"A", []body{}, "count=u8,switch=T"}}},
	{"or the structs around it; to name a field of H, embed that struct", []declared{{"H", &struct{ T uint8 }{}, ""}, {"A", uint8(0), "if=T"}}},
	{"or the structs around it; to name a field of Date, embed that struct", []declared{{"N", uint8(0), "len=Data"}, {"Date", struct{ Data []byte }{}, ""}}},
	{"or the structs around it; did you mean Date?", []declared{{"N", uint8(0), "len=Data"}, {"Date", []struct{ Data uint8 }{}, ""}}},
	{`switch=H.T: "H.T" is not the name of a field; to name a field of a struct, embed that struct`, []declared{{"H", struct{ T uint8 }{}, ""}, {"A", []body{}, "count=u8,switch=H.T"}}},
	{`len=A..B..C: "B..C" is not the name of a field`, []declared{{"N", uint8(0), "len=A..B..C"}, {"A", "", ""}}},
	{"a checksum in an element of a slice", []declared{{"B", uint8(0), ""}, {"L", []struct {
		S uint8 `layout:"sum8=B"`
	}{}, "count=u8"}}},
	{"a checksum is a number of whole bytes, not a bit field", []declared{{"A", uint8(0), "bits=8,sum8=B"}, {"B", uint8(0), ""}}},
	{"a checksum has a fixed width", []declared{{"A", uint32(0), "varint,crc32=B"}, {"B", uint8(0), ""}}},
	{"raw: the range is outside of a slice", []declared{{"B", uint8(0), ""}, {"L", []struct {
		R []byte `layout:"raw=B"`
	}{}, "count=u8"}}},
	{"raw: the range has not ended here", []declared{{"S", struct {
		R []byte `layout:"raw=B"`
	}{}, ""}, {"B", uint8(0), ""}}},
	{"the field depends on S, a checksum, which is computed last", []declared{{"S", uint8(0), "sum8=B"}, {"B", uint8(0), ""}, {"C", uint8(0), "if=S"}}},
	{"the checksum is of", []declared{{"A", uint8(0), "sum8=B"}, {"B", uint8(0), "sum8=A"}}},
	{"fields follow the recursive openLoop", []declared{{"A", openLoop{}, ""}}},
}

type (
	body     interface{ isBody() }
	wideBody struct{ A uint8 }
)

func (wideBody) isBody() {}

func TestRefusedTags(t *testing.T) {
	codec, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[body](layout.VariantOf[wideBody](300))}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range refusedTags {
		typ := structOf(c.fields)
		_, err := codec.Marshal(reflect.New(typ).Interface())
		if !errors.Is(err, layout.ErrTag) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", typ, err, c.want)
		}
		if err := codec.Unmarshal(make([]byte, 100), reflect.New(typ).Interface()); !errors.Is(err, layout.ErrTag) {
			t.Errorf("%v: %v when decoding", typ, err)
		}
		if err := (reference.Config{}).Validate(typ); !errors.Is(err, reference.ErrTag) {
			t.Errorf("%v: the reference reports %v", typ, err)
		}
	}
}

// TestRefusedBlanks has blank fields, which reflect.StructOf cannot make.
func TestRefusedBlanks(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{&struct {
			A uint8
			_ struct{} `layout:"le"`
		}{}, "a byte order on a field _ struct{} is allowed only on the first field of a struct"},
		{&struct {
			A uint8
			_ []byte
		}{}, "a blank field of type []uint8 has no fixed size"},
		{&struct {
			_ struct {
				A uint8 `layout:"u16"`
			}
		}{}, "has no fixed size"},
		{&struct {
			_ struct{ A []uint16 }
		}{}, "has no fixed size"},
		{&struct {
			_ [2]int
		}{}, "a blank field of type [2]int has no fixed size"},
		{&struct {
			_ struct {
				B []byte
			} `layout:"if=C"`
		}{}, "has no fixed size"},
	} {
		if _, err := layout.Marshal(c.value); !errors.Is(err, layout.ErrTag) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%T: %v, want %s", c.value, err, c.want)
		}
	}
}

// TestRefusedNames has options that do not exist and options on fields that are not
// exported. Neither this package nor the reference ignores them.
func TestRefusedNames(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{&struct {
			N counter `layout:"len=B"`
			B []byte
		}{}, "N: option len is not allowed on a type with methods (layout_test.counter)"},
		{&struct {
			A uint8 `layout:"u16,littleendian"`
		}{}, `A: unknown option "littleendian"`},
		{&struct {
			A []byte `layout:"prefiks=u8"`
		}{}, `A: unknown option "prefiks"; did you mean "prefix"?`},
		{&struct {
			_ struct{} `layout:"bee"`
			A uint8
		}{}, `_: unknown option "bee"; did you mean "be"?`},
		{&struct {
			A uint8
			_ struct{} `layout:"skp=3"`
		}{}, `_: unknown option "skp"; did you mean "skip"?`},
		{&struct {
			A uint8
			_ uint16 `layout:"u17"`
		}{}, `_: unknown option "u17"`},
		{&struct {
			A uint8
			_ struct{} `layout:"skip=3,"`
		}{}, `_: empty option in the tag "skip=3,"`},
		{&struct {
			A uint8
			_ struct{} `layout:"max=3"`
		}{}, "_: option max is not allowed on an empty field"},
		{&struct {
			A uint8
			b uint8 `layout:"u16"`
		}{}, "b: the field is not exported"},
		{&struct {
			A uint8
			b []byte `layout:"wrong"`
		}{}, `b: unknown option "wrong"`},
		{&struct {
			A uint8
			b []byte `layout:"-,prefix=u8"`
		}{}, "b: option - allows no other options"},
		{&struct {
			hiddenNumber `layout:"u16"`
		}{}, "hiddenNumber: the field is not exported"},
		{&struct {
			hiddenBase `layout:"prefix=u8"`
		}{}, "hiddenBase: the field is not exported"},
		{&struct {
			In []struct {
				A uint8
				b uint8 `layout:"u16"`
			} `layout:"prefix=u8"`
		}{}, "In[].b: the field is not exported"},
	} {
		if _, err := layout.Marshal(c.value); !errors.Is(err, layout.ErrTag) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%T: %v, want %s", c.value, err, c.want)
		}
		if err := (reference.Config{}).Validate(reflect.TypeOf(c.value)); !errors.Is(err, reference.ErrTag) {
			t.Errorf("%T: the reference reports %v", c.value, err)
		}
	}
	type left struct {
		A          uint8
		b          uint8 `layout:"-"`
		hiddenBase `layout:"le"`
	}
	if b, err := layout.Marshal(&left{A: 1, b: 2}); err != nil || len(b) < 1 || b[0] != 1 {
		t.Errorf("% x, %v", b, err)
	}
	if err := (reference.Config{}).Validate(reflect.TypeFor[left]()); err != nil {
		t.Errorf("the reference reports %v", err)
	}
}

type hiddenNumber uint16

// TestBlankValues skips blank fields of a fixed size and writes them as zeros.
func TestBlankValues(t *testing.T) {
	type message struct {
		_ [2]uint16
		_ struct {
			A uint8
			B [3]bool
		}
		_ struct{}
		C uint8
	}
	b, err := layout.Marshal(&message{C: 7})
	if err != nil || string(b) != "\x00\x00\x00\x00\x00\x00\x00\x00\x07" {
		t.Fatalf("% x, %v", b, err)
	}
	var back message
	copy(b, "\xff\xff\xff\xff\xff\xff\xff\xff")
	if err := layout.Unmarshal(b, &back); err != nil || back.C != 7 {
		t.Errorf("%+v, %v", back, err)
	}
}

// TestRefusedOptions has options that New refuses.
func TestRefusedOptions(t *testing.T) {
	one := layout.VariantOf[wideBody](1)
	for want, o := range map[string]layout.Options{
		"Options.Order: layout_test.oddOrder is neither":                              {Order: oddOrder{}},
		"Options.MaxMessage: -1 is negative":                                          {MaxMessage: -1},
		`Options.Sums: there is no function for "mine"`:                               {Sums: map[string]layout.Sum{"mine": nil}},
		"Options.Unions[0]: the value is empty; use Union":                            {Unions: []layout.UnionCoder{{}}},
		"a second Union of layout_test.body":                                          {Unions: []layout.UnionCoder{layout.Union[body](one), layout.Union[body](one)}},
		"the type uint8 of Union is not an interface":                                 {Unions: []layout.UnionCoder{layout.Union[uint8](one)}},
		"Union of layout_test.body has no variants":                                   {Unions: []layout.UnionCoder{layout.Union[body]()}},
		"has a zero Variant; use VariantOf":                                           {Unions: []layout.UnionCoder{layout.Union[body](layout.Variant{})}},
		"is an interface":                                                             {Unions: []layout.UnionCoder{layout.Union[body](layout.VariantOf[body](1))}},
		"does not implement layout_test.body":                                         {Unions: []layout.UnionCoder{layout.Union[body](layout.VariantOf[uint8](1))}},
		"is stored in an interface like a pointer; use *":                             {Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[struct{ P *wideBody }](1))}},
		"appears twice in the Union of layout_test.body; declare a type for each tag": {Unions: []layout.UnionCoder{layout.Union[body](one, layout.VariantOf[wideBody](2))}},
		"tag 1 appears twice in the Union of interface":                               {Unions: []layout.UnionCoder{layout.Union[any](one, layout.VariantOf[hiddenBase](1))}},
		"tag -1 appears twice":                                                        {Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[wideBody](-1), layout.VariantOf[hiddenBase](-1))}},
	} {
		if _, err := layout.New(o); !errors.Is(err, layout.ErrOptions) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A counter is an integer that encodes itself.
type counter uint8

func (c counter) AppendLayout(dst []byte) ([]byte, error) { return append(dst, byte(c)), nil }
func (c *counter) DecodeLayout(data []byte) (int, error)  { *c = counter(data[0]); return 1, nil }

// An oddOrder is neither of the byte orders.
type oddOrder struct{ binary.ByteOrder }

// TestNilValues encodes and decodes what is nil.
func TestNilValues(t *testing.T) {
	type message struct{ A uint8 }
	typed, err := layout.For[message](nil)
	if err != nil {
		t.Fatal(err)
	}
	check := func(name, want string, err error, reason error) {
		if !errors.Is(err, reason) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	_, err = layout.Marshal(nil)
	check("Marshal(nil)", "cannot encode a nil interface", err, layout.ErrUnsupported)
	_, err = layout.Marshal((*message)(nil))
	check("Marshal of a nil pointer", "cannot encode a nil pointer", err, layout.ErrRange)
	check("Write of a nil pointer", "cannot encode a nil pointer", layout.Write(io.Discard, (*message)(nil)), layout.ErrRange)
	_, err = typed.Append(nil, nil)
	check("Typed.Append", "cannot encode a nil pointer", err, layout.ErrRange)
	_, err = typed.UnmarshalPrefix([]byte{1}, nil)
	check("Typed.UnmarshalPrefix", "cannot decode into a nil pointer", err, layout.ErrTarget)
	for _, v := range []any{nil, message{}, (*message)(nil)} {
		check(fmt.Sprintf("Unmarshal into %#v", v), "cannot decode into it; want a pointer that is not nil", layout.Unmarshal([]byte{1}, v), layout.ErrTarget)
		check(fmt.Sprintf("Read into %#v", v), "want a pointer", layout.Read(strings.NewReader("1"), v), layout.ErrTarget)
	}
	for _, off := range []int64{-1, 3} {
		_, err = layout.At([]byte{1, 2}, off, new(message))
		check("At", "the offset is outside of the 2 bytes of data", err, layout.ErrTruncated)
	}
	type empty struct{}
	nothing, err := layout.For[empty](nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range nothing.Frames(strings.NewReader("x")) {
		check("Frames", "the message has no bytes, but the reader has", err, layout.ErrLength)
	}
}
