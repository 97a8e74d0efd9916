package layout_test

import (
	"bytes"
	"errors"
	"math/bits"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// These types have a length that is A divided by 12 or 4, less 8, in every place in which the
// loop divides. It divides only by powers of two.
type (
	alone struct {
		N uint64 `layout:"len=A*12+8"`
		A []byte
	}
	byFour struct {
		N uint64 `layout:"len=A*4+8"`
		A []byte
	}
	inWindow struct {
		C uint8  `layout:"const=1"`
		N uint32 `layout:"u56,len=A*12+8"`
		A []byte
	}
	byFourInWindow struct {
		C uint8  `layout:"const=1"`
		N uint64 `layout:"u56,len=A*4+8"`
		A []byte
	}
	byFourInBits struct {
		B uint64 `layout:"bits=2"`
		N uint64 `layout:"bits=62,len=A*4+8"`
		A []byte
	}
	byFourAfter struct {
		A []byte `layout:"prefix=u8"`
		L []struct {
			S string `layout:"prefix=u8"`
		} `layout:"count=u8"`
		N uint64 `layout:"len=A..L*4+8"`
	}
	inBits struct {
		B uint64 `layout:"bits=2"`
		N uint64 `layout:"bits=62,len=A*12+8"`
		A []byte
	}
	after struct {
		A []byte `layout:"prefix=u8"`
		L []struct {
			S string `layout:"prefix=u8"`
		} `layout:"count=u8"`
		N uint64 `layout:"len=A..L*12+8"`
	}
)

// TestDivision encodes lengths that are divided, of texts of all lengths. Those that leave
// a remainder, or would be negative, are errors, also where the number has 64 bits.
func TestDivision(t *testing.T) {
	for n := range 80 {
		a := make([]byte, n)
		for _, c := range []struct {
			v            any
			factor, more int
		}{
			{&alone{A: a}, 12, 0}, {&byFour{A: a}, 4, 0}, {&byFourInWindow{A: a}, 4, 0}, {&byFourInBits{A: a}, 4, 0}, {&byFourAfter{A: a}, 4, 2},
			{&inWindow{A: a}, 12, 0}, {&inBits{A: a}, 12, 0}, {&after{A: a}, 12, 2},
		} {
			b, err := layout.Marshal(c.v)
			length := n + c.more - 8
			if length < 0 || length%c.factor != 0 {
				if !errors.Is(err, layout.ErrLength) {
					t.Errorf("%T of %d bytes: % x, %v", c.v, n, b, err)
				}
				continue
			}
			number := append(make([]byte, 6), byte(length/c.factor))
			if err != nil || !bytes.Contains(b, number) {
				t.Errorf("%T of %d bytes: % x, %v, want %d", c.v, n, b, err, length/c.factor)
			}
		}
	}
}

// TestNegativeNumber tries a length and a count that a number below 0 would say.
func TestNegativeNumber(t *testing.T) {
	type length struct {
		N int8 `layout:"len=A+3"`
		A []byte
	}
	type count struct {
		N int8 `layout:"count=A*2+4"`
		A []uint8
	}
	for _, c := range []struct {
		v         any
		zero, two string
	}{
		{&length{A: []byte("ab")}, "\x00abc", "\xffab"},
		{&count{A: []uint8("ab")}, "\x00abcd", "\xffab"},
	} {
		if b, err := layout.Marshal(c.v); !errors.Is(err, layout.ErrLength) {
			t.Errorf("%T: % x, %v", c.v, b, err)
		}
		if err := layout.Unmarshal([]byte(c.two), c.v); !errors.Is(err, layout.ErrLength) {
			t.Errorf("%T: %v", c.v, err)
		}
		if err := layout.Unmarshal([]byte(c.zero), c.v); err != nil {
			t.Errorf("%T: %v", c.v, err)
		}
	}
}

// TestSharedNumberTooLarge encodes a number that is a count and a length. They are different,
// but the count multiplied by the factor of the length has the same 64 bits as the length.
func TestSharedNumberTooLarge(t *testing.T) {
	type message struct {
		N uint64 `layout:"count=A,len=B*128"`
		A []struct{}
		B []byte
	}
	if bits.UintSize == 32 {
		t.Skip("lengths have 32 bits")
	}
	n := 1
	n <<= 57 & (bits.UintSize - 1)
	_, err := layout.Marshal(&message{A: make([]struct{}, n)})
	if err == nil || !strings.Contains(err.Error(), "message.N at offset 0: len=B*128 and another link require different numbers, 0 and 144115188075855872") {
		t.Error(err)
	}
}
