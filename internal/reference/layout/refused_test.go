package layout

import (
	"errors"
	"math"
	"reflect"
	"testing"
)

// TestMarshalRefuses encodes values that no message decodes to.
func TestMarshalRefuses(t *testing.T) {
	type short struct {
		N uint8 `layout:"len=A*2+1"`
		A []byte
	}
	type limited struct {
		N uint8    `layout:"max=3"`
		A []byte   `layout:"prefix=u8,max=2"`
		S []uint16 `layout:"count=u8,max=1"`
	}
	type more struct {
		A uint8 `layout:"if=more"`
		B uint8 `layout:"if=more"`
	}
	type twice struct {
		N uint8 `layout:"count=A,count=B"`
		A []uint8
		B []uint8
	}
	for _, c := range []struct {
		name   string
		value  any
		reason error
	}{
		{"24 bits", widths{A: 1 << 24}, ErrRange},
		{"48 bits", widths{C: 1 << 48}, ErrRange},
		{"float32", widths{G: math.Pi}, ErrRange},
		{"int16", widths{H: 1 << 15}, ErrRange},
		{"digits", digits{Mode: 0o100000000}, ErrRange},
		{"bits", bitsMSB{Version: 16}, ErrRange},
		{"signed bits", bitsEnd{C: 64}, ErrRange},
		{"fixed", texts{C: "12345"}, ErrLength},
		{"fill at the end", texts{D: "a "}, ErrRange},
		{"NUL in a cstring", texts{E: "a\x00"}, ErrRange},
		{"terminator", texts{F: []byte("\n")}, ErrRange},
		{"UTF-8", texts{G: "\xff"}, ErrUTF8},
		{"prefix", slicesOf{A: make([]uint16, 1<<15), C: make([]byte, 2)}, ErrLength},
		{"count", slicesOf{B: make([]inner, 256), C: make([]byte, 2)}, ErrLength},
		{"fixed elements", slicesOf{C: make([]byte, 1)}, ErrLength},
		{"zero element", slicesOf{C: make([]byte, 2), D: []label{{}}}, ErrRange},
		{"remainder", short{A: make([]byte, 2)}, ErrLength},
		{"below the constant", short{}, ErrLength},
		{"link that overflows", short{A: make([]byte, 513)}, ErrLength},
		{"multiple of four", optionLink{Options: make([]byte, 3)}, ErrLength},
		{"absent", conditions{A: 1}, ErrRange},
		{"nil pointer", conditions{Flags: 1}, ErrRange},
		{"present after absent", more{B: 1}, ErrRange},
		{"counts", twice{A: []uint8{1}}, ErrLength},
		{"nil union", tagged{}, ErrVariant},
		{"type of a union", tagged{Body: 1}, ErrVariant},
		{"known variant as unknown", tagged{Body: unknown{1, nil}}, ErrVariant},
		{"constant", constants{A: 8}, ErrConst},
		{"magic", constants{Magic: "PNG"}, ErrConst},
		{"order", orderOf{Data: 3}, ErrConst},
		{"max of a number", limited{N: 4}, ErrLimit},
		{"max of bytes", limited{A: make([]byte, 3)}, ErrLimit},
		{"max of elements", limited{S: make([]uint16, 2)}, ErrLimit},
		{"nil embedded pointer", embeds{}, ErrRange},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := testConfig().Marshal(c.value); !errors.Is(err, c.reason) {
				t.Errorf("% x, %v, want %v", got, err, c.reason)
			}
		})
	}
}

// TestUnmarshalRefuses decodes bytes that are not a message of the type.
func TestUnmarshalRefuses(t *testing.T) {
	type number struct {
		N uint64 `layout:"varint"`
	}
	type narrow struct {
		N uint8 `layout:"u16"`
	}
	type fixed struct {
		N uint8 `layout:"len=A"`
		A uint16
	}
	type counted struct {
		N uint8   `layout:"count=A"`
		A []uint8 `layout:"prefix=u8"`
	}
	for _, c := range []struct {
		name   string
		target any
		hex    string
		reason error
	}{
		{"bool", new(words), "0000 00000000 00 02 00000000", ErrRange},
		{"narrow type", new(narrow), "0100", ErrRange},
		{"varint", new(number), "ffffffffffffffffff02", ErrRange},
		{"varint of 11 bytes", new(number), "8080808080808080808000", ErrRange},
		{"varint without end", new(number), "80", ErrTruncated},
		{"digits", new(digits), "3030303836343400 30343200", ErrRange},
		{"version", new(ipv4), "55 00 0017 0000 4000 40 11 b8bd c0a80001 c0a800c7 010203", ErrConst},
		{"header length below 5", new(ipv4), "44 00 0017 0000 4000 40 11 b8bd c0a80001 c0a800c7 010203", ErrTruncated},
		{"checksum", new(ipv4), "45 00 0017 0000 4000 40 11 b8be c0a80001 c0a800c7 010203", ErrChecksum},
		{"negative length", new(optionLink), "10", ErrLength},
		{"copy of a length", new(trailing), "0b000000 010203 0c000000", ErrLength},
		{"shorter copy of a length", new(trailing), "0b000000 010203 0a000000", ErrLength},
		{"length of a fixed field", new(fixed), "03 000102", ErrLength},
		{"count of a framed field", new(counted), "03 020102", ErrLength},
		{"long length", new(trailing), "0c000000 010203 0b000000", ErrLength},
		{"short length", new(trailing), "07000000 0b000000", ErrLength},
		{"left in a frame", new(tagged), "01 0003 000500 ff", ErrLength},
		{"past a frame", new(tagged), "01 0001 0005 ff", ErrTruncated},
		{"order", new(orderOf), "03 1234 5678 9abc", ErrConst},
		{"magic", new(constants), "88504e47 6f6b 0007", ErrConst},
		{"blank magic", new(constants), "89504e47 6f6a 0007", ErrConst},
		{"half an element", new(slicesOf), "0003 000100 00 0405 00", ErrTruncated},
		{"claimed count", new(slicesOf), "0000 ff 0001", ErrLength},
		{"surrogate", new(texts), "0000 00 00000000 20202020 00 0a 02 d800 0000", ErrUTF8},
		{"padding", new(padded), "000003 04 0000", ErrLength},
		{"user type", new(user), "ff07", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := testConfig().Unmarshal(unhex(t, c.hex), c.target)
			if c.reason == nil && err == nil || c.reason != nil && !errors.Is(err, c.reason) {
				t.Errorf("%v, want %v", err, c.reason)
			}
		})
	}
}

// TestTags checks that every kind of wrong declaration is refused.
func TestTags(t *testing.T) {
	type loop struct {
		A uint8 `layout:"sum8=A..B"`
		B uint8 `layout:"sum8=A..B"`
	}
	for name, v := range map[string]any{
		"map":                 struct{ A map[int]int }{},
		"chan":                struct{ A chan int }{},
		"func":                struct{ A func() }{},
		"int":                 struct{ A int }{},
		"uint in a slice":     struct{ A []uint }{},
		"pointer to a number": struct{ A *uint8 }{},
		"not exported":        struct{ a uint8 }{},
		"unknown option": struct {
			A uint8 `layout:"big"`
		}{},
		"two orders": struct {
			A uint8 `layout:"be,le"`
		}{},
		"width of a string": struct {
			A string `layout:"u16"`
		}{},
		"float of an integer": struct {
			A uint32 `layout:"f32"`
		}{},
		"prefix of a number": struct {
			A uint32 `layout:"prefix=u8"`
		}{},
		"width of a prefix": struct {
			A string `layout:"prefix=u12"`
		}{},
		"two forms": struct {
			A string `layout:"prefix=u8,cstring"`
		}{},
		"seven bits": struct {
			A uint8 `layout:"bits=7"`
		}{},
		"seventy-two bits": struct {
			A, B uint64 `layout:"bits=36"`
		}{},
		"more bits than the type": struct {
			A uint8 `layout:"bits=16"`
		}{},
		"bits of two orders": struct {
			A uint8 `layout:"le,bits=4"`
			B uint8 `layout:"bits=4"`
		}{},
		"msb and lsb": struct {
			A uint8 `layout:"bits=4,msb"`
			B uint8 `layout:"bits=4,lsb"`
		}{},
		"two fields that take the rest": struct{ A, B []byte }{},
		"rest before a cstring": struct {
			A []byte
			B string `layout:"cstring"`
		}{},
		"rest before align": struct {
			A []byte
			_ struct{} `layout:"align=4"`
		}{},
		"rest in an element": struct {
			A []struct{ B []byte } `layout:"count=u8"`
		}{},
		"unknown field": struct {
			N uint8 `layout:"len=B"`
			A []byte
		}{},
		"range that ends before it begins": struct {
			N    uint8 `layout:"len=B..A"`
			A, B uint8
		}{},
		"count of a number": struct {
			N uint8 `layout:"count=A"`
			A uint8
		}{},
		"count of a UTF-16 string": struct {
			N uint8  `layout:"count=A"`
			A string `layout:"utf16"`
		}{},
		"condition on a later field": struct {
			A uint8 `layout:"if=B"`
			B uint8
		}{},
		"condition on a string": struct {
			A string `layout:"cstring"`
			B uint8  `layout:"if=A"`
		}{},
		"switch on a later field": struct {
			A any `layout:"switch=B,prefix=u8"`
			B uint8
		}{},
		"union without switch": struct{ A any }{},
		"order of a plain number": struct {
			A uint8
			B uint16 `layout:"order=A"`
		}{},
		"order that one of the constants does not name": struct {
			A uint8  `layout:"const=1|be,const=2"`
			B uint16 `layout:"order=A"`
		}{},
		"constant too large": struct {
			A uint8 `layout:"const=256"`
		}{},
		"const and len": struct {
			A uint8 `layout:"const=1,len=B"`
			B []byte
		}{},
		"align of zero": struct {
			_ struct{} `layout:"align=0"`
		}{},
		"skip with a name": struct {
			A uint8 `layout:"skip=1"`
		}{},
		"narrow checksum": struct {
			A uint16 `layout:"crc32=B"`
			B uint8
		}{},
		"unknown sum": struct {
			A uint16 `layout:"sum=none:B"`
			B uint8
		}{},
		"two checksums that cover each other": loop{},
		"elements without bytes": struct {
			A []struct{} `layout:"count=u8"`
		}{},
		"utf16 of bytes": struct {
			A []byte `layout:"utf16,prefix=u8"`
		}{},
		"odd utf16": struct {
			A string `layout:"utf16,fixed=3"`
		}{},
		"time without a length": struct {
			A user
			B uint8
			C struct {
				T []struct{ A map[int]int } `layout:"count=u8"`
			}
		}{},
	} {
		t.Run(name, func(t *testing.T) {
			if err := testConfig().Validate(reflect.TypeOf(v)); !errors.Is(err, ErrTag) {
				t.Errorf("%v", err)
			}
		})
	}
	for _, v := range vectors {
		if err := testConfig().Validate(reflect.TypeOf(v.value)); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
	}
}
