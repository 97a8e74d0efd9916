package layout_test

import (
	"cmp"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

type (
	errorPair   struct{ A, B uint8 }
	errorOrders struct {
		Mark uint8  `layout:"const=1|le,const=2|be,const=3"`
		N    uint16 `layout:"order=Mark"`
	}
	errorUntilZero struct {
		Items []struct {
			S string `layout:"max=1,cstring"`
		} `layout:"until=zero"`
	}
	errorUntilAligned struct {
		Items []struct {
			S string   `layout:"max=1,cstring"`
			_ struct{} `layout:"align=4"`
		} `layout:"until=zero"`
	}
)

// TestErrorsOfMessages has the whole text of errors that depend on the bytes.
func TestErrorsOfMessages(t *testing.T) {
	for _, c := range []struct {
		name   string
		target any
		data   string
		reason error
		want   string
	}{
		{"order that the constant does not name", new(errorOrders), "\x03\x01\x02", layout.ErrConst, " at offset 1: Mark does not name a byte order"},
		{"range around fields in an order", new(struct {
			Mark uint8  `layout:"const=1|le,const=2|be"`
			N    uint16 `layout:"le,len=In..Tail"`
			In   struct {
				A uint16
				B uint32
			} `layout:"order=Mark"`
			Tail uint8
		}), "\x02\x03\x00abcdefghij", layout.ErrLength, ".In.B at offset 5: 4 bytes are needed, but 1 byte is left in the fields that N measures"},
		{"more than 64 bits", new(struct {
			N uint64 `layout:"varint"`
		}), strings.Repeat("\xff", 10) + "\x01", layout.ErrRange, ".N at offset 0: the number has more than 64 bits"},
		{"varint that does not fit", new(struct {
			N uint8 `layout:"varint"`
		}), "\xff\x7f", layout.ErrRange, ".N at offset 0: 16383 does not fit the Go type"},
		{"varint over its maximum", new(struct {
			N uint16 `layout:"varint,max=9"`
		}), "\x0a", layout.ErrLimit, ".N at offset 0: 10 exceeds the maximum 9"},
		{"bits that do not fit a bool", new(struct {
			B bool  `layout:"bits=4"`
			C uint8 `layout:"bits=4"`
		}), "\x20", layout.ErrRange, ".B at offset 0: 2 does not fit the Go type"},
		{"count of what follows", new(struct {
			N    uint64 `layout:"count=Tail"`
			Rest []byte
			Tail []errorPair
		}), "\xff\xff\xff\xff\xff\xff\xff\xffabc", layout.ErrLength, ".Rest at offset 8: count 18446744073709551615 is out of range"},
		{"length of what follows", new(struct {
			N    uint64 `layout:"len=Tail"`
			Rest []byte
			Tail []byte
		}), "\xff\xff\xff\xff\xff\xff\xff\xffabc", layout.ErrLength, ".N at offset 0: 18446744073709551615 is out of range for len=Tail"},
		{"length of what follows, times a factor", new(struct {
			N    uint64 `layout:"len=Tail*8+3"`
			Rest []byte
			Tail []byte
		}), "\xff\xff\xff\xff\xff\xff\xff\xffabc", layout.ErrLength, ".N at offset 0: 18446744073709551615 is out of range for len=Tail*8+3"},
		{"length of what follows under a condition", new(struct {
			F    uint8
			N    uint64 `layout:"len=Tail"`
			Rest []byte
			Tail []byte `layout:"if=F"`
		}), "\x01\xff\xff\xff\xff\xff\xff\xff\xffabc", layout.ErrLength, ".N at offset 1: 18446744073709551615 is out of range for len=Tail"},
		{"length below zero", new(struct {
			N    int32 `layout:"len=Data"`
			Data []byte
		}), "\xff\xff\xff\xff", layout.ErrLength, ".N at offset 0: -1 is out of range for len=Data"},
		{"one byte left over in a frame", new(struct {
			P errorPair `layout:"prefix=u8"`
		}), "\x03abc", layout.ErrLength, ".P at offset 3: 1 byte is left over in P"},
		{"one byte left over in a range", new(struct {
			N uint8 `layout:"len=A"`
			A errorPair
		}), "\x03abc", layout.ErrLength, ".A at offset 3: 1 byte is left over in A"},
		{"one byte left over after the elements", new(struct {
			L []errorPair
		}), "abc", layout.ErrLength, ".L at offset 2: 1 byte is left over, but an element has 2"},
		{"UTF-16 without the second surrogate", new(struct {
			S string `layout:"prefix=u8,utf16"`
		}), "\x02\xd8\x00", layout.ErrUTF8, ".S at offset 1: the text is not valid UTF-16"},
		{"element without bytes", new(struct {
			N     uint8 `layout:"count=Items"`
			Items []struct {
				F uint8 `layout:"if=more"`
			}
		}), "\x02\x01", layout.ErrTruncated, ".Items at offset 1: 2 elements of at least 1 byte cannot fit the 1 byte left in the message"},
		{"length ends before its number", new(struct {
			N uint16 `layout:"len=N..A"`
			A []byte
		}), "\x00\x01a", layout.ErrLength, ".N at offset 0: len=N..A: length 1 ends inside this number"},
		{"length ends before the frame of its number", new(struct {
			P struct {
				N uint8 `layout:"len=P..A"`
			} `layout:"prefix=u8"`
			A []byte
		}), "\x03\x02ab", layout.ErrLength, ".P at offset 2: 2 bytes are left over in P"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := layout.Unmarshal([]byte(c.data), c.target)
			checkLayoutError(t, err, c.reason, typeName(reflect.TypeOf(c.target).Elem())+c.want)
			var codec layout.Codec
			if list, again := codec.Fields([]byte(c.data), c.target); again == nil || again.Error() != err.Error() || list != nil {
				t.Errorf("Fields: %v, %d fields", again, len(list))
			}
			// From a stream, the element that is not there is found later.
			if again := layout.Read(strings.NewReader(c.data), c.target); !errors.Is(again, c.reason) && !errors.Is(again, layout.ErrLength) {
				t.Errorf("Read: %v", again)
			}
		})
	}
}

// typeName returns how errors name a type.
func typeName(t reflect.Type) string { return cmp.Or(t.Name(), t.String()) }

func checkLayoutError(t *testing.T, err, reason error, want string) {
	t.Helper()
	var e *layout.Error
	if !errors.Is(err, reason) || !errors.As(err, &e) || err.Error() != "layout: "+want {
		t.Errorf("got  %v\nwant layout: %s", err, want)
	}
}

// TestErrorsOfValues has the whole text of errors that depend on the value.
func TestErrorsOfValues(t *testing.T) {
	long := strings.Repeat("x", 256)
	for _, c := range []struct {
		name   string
		value  any
		reason error
		want   string
	}{
		{"order that the constant does not name", errorOrders{Mark: 3, N: 1}, layout.ErrConst, " at offset 1: Mark does not name a byte order"},
		{"length of bytes", struct {
			F uint8
			A []byte `layout:"prefix=u8,if=F"`
		}{1, []byte(long)}, layout.ErrLength, ".A at offset 1: length 256 does not fit u8"},
		{"number of bytes", struct {
			A []byte `layout:"count=u8,max=1000"`
		}{[]byte(long)}, layout.ErrLength, ".A at offset 0: length 256 does not fit u8"},
		{"constant in bits", struct {
			A uint16
			B uint8 `layout:"bits=4"`
			C uint8 `layout:"bits=4,const=1"`
		}{C: 2}, layout.ErrConst, ".C at offset 2: found 2, want 1"},
		{"negative varint", struct {
			A int `layout:"varint"`
		}{-1}, layout.ErrRange, ".A at offset 0: -1 does not fit varint"},
		{"fill at the end", struct {
			A []byte `layout:"fixed=4,fill=0x20"`
		}{[]byte("ab ")}, layout.ErrRange, ".A at offset 0: the value ends in the fill byte 0x20"},
		{"too long for a fixed length", struct {
			A string `layout:"fixed=4"`
		}{"abcde"}, layout.ErrLength, ".A at offset 0: length 5 exceeds the fixed length 4"},
		{"element of a slice that ends with zero", errorUntilZero{[]struct {
			S string `layout:"max=1,cstring"`
		}{{"a"}, {"bc"}}}, layout.ErrLimit, ".Items[1].S at offset 2: length 2 exceeds the maximum 1"},
		{"zero element", errorUntilZero{[]struct {
			S string `layout:"max=1,cstring"`
		}{{"a"}, {""}}}, layout.ErrRange, ".Items[1] at offset 2: the element is zero, which ends the slice"},
		{"zero element, aligned", errorUntilAligned{[]struct {
			S string   `layout:"max=1,cstring"`
			_ struct{} `layout:"align=4"`
		}{{S: "a"}, {S: ""}}}, layout.ErrRange, ".Items[1] at offset 4: the element is zero, which ends the slice"},
		{"zero element that cannot be written", struct {
			N uint8
			L []struct {
				S []byte `layout:"fixed=2"`
			} `layout:"until=zero,if=N"`
		}{1, []struct {
			S []byte `layout:"fixed=2"`
		}{{[]byte("ab")}}}, layout.ErrLength, ".L[1].S at offset 1: length 0 is not the fixed length 2"},
		{"zero element whose length cannot be written", struct {
			L []struct {
				Items []struct {
					N uint8 `layout:"len=S+1"`
					S string
				} `layout:"until=zero"`
			} `layout:"prefix=u8"`
		}{[]struct {
			Items []struct {
				N uint8 `layout:"len=S+1"`
				S string
			} `layout:"until=zero"`
		}{{[]struct {
			N uint8 `layout:"len=S+1"`
			S string
		}{{S: "ab"}}}}}, layout.ErrLength, ".L[0].Items[1].N at offset 1: len=S+1: 0 bytes cannot be expressed"},
		{"derived number that does not fit", struct {
			N uint8 `layout:"len=A"`
			A string
		}{0, long}, layout.ErrLength, ".N at offset 0: 256 does not fit u8"},
		{"derived number over its maximum", struct {
			N uint16 `layout:"max=255,len=A"`
			A string
		}{0, long}, layout.ErrLimit, ".N at offset 0: 256 exceeds the maximum 255"},
		{"derived number over its maximum that does not fit", struct {
			N uint8 `layout:"max=9,len=A"`
			A string
		}{0, long}, layout.ErrLength, ".N at offset 0: 256 does not fit u8"},
		{"derived varint that does not fit", struct {
			N uint8 `layout:"varint,len=N..A"`
			A string
		}{0, long}, layout.ErrLength, ".N at offset 0: 257 does not fit the Go type"},
		{"derived number of more bytes than its type", struct {
			N uint8 `layout:"u24,len=B"`
			B string
		}{0, long}, layout.ErrLength, ".N at offset 0: 256 does not fit the Go type"},
		{"derived digits that do not fit the type", struct {
			B string
			N uint8 `layout:"dec=4,len=B"`
		}{long, 0}, layout.ErrLength, ".N at offset 256: 256 does not fit the Go type"},
		{"derived number of fewer bytes than its type", struct {
			N uint16 `layout:"u8,len=B"`
			B string
		}{0, long}, layout.ErrLength, ".N at offset 0: 256 does not fit u8"},
		{"derived varint over its maximum", struct {
			N uint16 `layout:"varint,max=9,len=N..A"`
			A string
		}{0, long}, layout.ErrLimit, ".N at offset 0: 257 exceeds the maximum 9"},
		{"checksum in a constant", struct {
			A uint8
			S uint8 `layout:"sum8=A,max=3"`
		}{200, 0}, layout.ErrLimit, ".S at offset 1: 200 exceeds the maximum 3"},
		{"absent field before a method that writes a byte", struct {
			A uint8
			B uint8 `layout:"if=more"`
			C tooMuch
		}{A: 1}, layout.ErrRange, " at offset 1: a field with if=more is zero and left out, but bytes follow it; give it a value"},
		{"absent field before a method that writes a byte, in a frame", struct {
			In struct {
				B uint8 `layout:"if=more"`
				C tooMuch
			} `layout:"prefix=u8"`
		}{}, layout.ErrRange, ".In at offset 1: a field with if=more is zero and left out, but bytes follow it; give it a value"},
		{"text that is not UTF-8", struct {
			S string `layout:"prefix=u8,utf16"`
		}{"a\xff"}, layout.ErrUTF8, ".S at offset 0: the string is not valid UTF-8"},
		{"unsupported type", make(chan int), layout.ErrUnsupported, ": type chan int is not supported"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := layout.Marshal(c.value)
			checkLayoutError(t, err, c.reason, typeName(reflect.TypeOf(c.value))+c.want)
			if b, again := new(layout.Codec).MarshalAppend([]byte("before"), c.value); again == nil || string(b) != "before" {
				t.Errorf("MarshalAppend: %q, %v", b, again)
			}
		})
	}
}
