package wire_test

import (
	"fmt"

	"github.com/octet-go/octet/msgpack/wire"
)

// To act on whatever comes next, look at the header first.
func ExampleConsumeHeader() {
	src := []byte{0xa2, 'h', 'i', 0x93, 1, 2, 3, 0xd4, 0x05, 0xff}
	for len(src) > 0 {
		h, n, err := wire.ConsumeHeader(src)
		if err != nil {
			fmt.Println(err)
			return
		}
		switch h.Format.Kind() {
		case wire.KindArray:
			fmt.Println(h.Format, "of", h.Count)
		case wire.KindExt:
			fmt.Println(h.Format, "of type", h.Ext)
		default:
			fmt.Println(h.Format, "of", h.Payload, "bytes after", h.Size)
		}
		n, err = wire.Skip(src, wire.MaxDepth)
		if err != nil {
			fmt.Println(err)
			return
		}
		src = src[n:]
	}
	// Output:
	// fixstr of 2 bytes after 1
	// fixarray of 3
	// fixext 1 of type 5
}

func ExampleConsumeNil() {
	n, err := wire.ConsumeNil([]byte{0xc0})
	fmt.Println(n, err)
	n, err = wire.ConsumeNil([]byte{0x00})
	fmt.Println(n, err)
	// Output:
	// 1 <nil>
	// 0 msgpack: unexpected format
}

func ExampleConsumeBool() {
	v, n, err := wire.ConsumeBool([]byte{0xc3})
	fmt.Println(v, n, err)
	// Output: true 1 <nil>
}

func ExampleConsumeInt() {
	v, n, err := wire.ConsumeInt([]byte{0xd1, 0xff, 0x7f})
	fmt.Println(v, n, err)
	// An integer above the range of int64.
	v, n, err = wire.ConsumeInt([]byte{0xcf, 0x80, 0, 0, 0, 0, 0, 0, 0})
	fmt.Println(v, n, err)
	// Output:
	// -129 3 <nil>
	// 0 0 msgpack: number out of range
}

func ExampleConsumeUint() {
	v, n, err := wire.ConsumeUint([]byte{0xcf, 0x80, 0, 0, 0, 0, 0, 0, 0})
	fmt.Println(v, n, err)
	v, n, err = wire.ConsumeUint([]byte{0xff})
	fmt.Println(v, n, err)
	// Output:
	// 9223372036854775808 9 <nil>
	// 0 0 msgpack: number out of range
}

func ExampleConsumeFloat32() {
	v, n, err := wire.ConsumeFloat32([]byte{0xca, 0x3f, 0xc0, 0, 0})
	fmt.Println(v, n, err)
	// Output: 1.5 5 <nil>
}

func ExampleConsumeFloat64() {
	v, n, err := wire.ConsumeFloat64([]byte{0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0})
	fmt.Println(v, n, err)
	v, n, err = wire.ConsumeFloat64([]byte{0xca, 0x3f, 0xc0, 0, 0})
	fmt.Println(v, n, err)
	// Output:
	// 1.5 9 <nil>
	// 1.5 5 <nil>
}

func ExampleConsumeString() {
	s, n, err := wire.ConsumeString([]byte{0xa2, 'h', 'i', 0xc0})
	fmt.Printf("%s %d %v\n", s, n, err)
	_, n, err = wire.ConsumeString([]byte{0xa2, 'h'})
	fmt.Println(n, err)
	// Output:
	// hi 3 <nil>
	// 0 msgpack: truncated input
}

func ExampleConsumeBin() {
	b, n, err := wire.ConsumeBin([]byte{0xc4, 2, 7, 8})
	fmt.Println(b, n, err)
	// Output: [7 8] 4 <nil>
}

func ExampleConsumeExt() {
	typ, data, n, err := wire.ConsumeExt([]byte{0xd5, 0x01, 0x03, 0xfc})
	fmt.Printf("type %d: % x, %d bytes, %v\n", typ, data, n, err)
	// Output: type 1: 03 fc, 4 bytes, <nil>
}

func ExampleConsumeArrayHeader() {
	src := []byte{0x92, 0x0a, 0x14}
	count, n, err := wire.ConsumeArrayHeader(src)
	sum := int64(0)
	for i := uint32(0); i < count && err == nil; i++ {
		var v int64
		var size int
		v, size, err = wire.ConsumeInt(src[n:])
		sum += v
		n += size
	}
	fmt.Println(count, "elements, sum", sum, err)
	// Output: 2 elements, sum 30 <nil>
}

func ExampleConsumeMapHeader() {
	pairs, n, err := wire.ConsumeMapHeader([]byte{0x81, 0xa1, 'n', 0x01})
	fmt.Println(pairs, n, err)
	// Output: 1 1 <nil>
}

func ExampleConsumeTime() {
	t, n, err := wire.ConsumeTime([]byte{0xd6, 0xff, 0x69, 0x57, 0x35, 0xa5})
	fmt.Println(t, n, err)
	// Output: 2026-01-02 03:04:05 +0000 UTC 6 <nil>
}

func ExampleParseTimestamp() {
	sec, nsec, err := wire.ParseTimestamp([]byte{0x77, 0x35, 0x94, 0x00, 0, 0, 0, 1})
	fmt.Println(sec, nsec, err)
	_, _, err = wire.ParseTimestamp([]byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1})
	fmt.Println(err)
	// Output:
	// 1 500000000 <nil>
	// msgpack: malformed timestamp
}

func ExampleFits() {
	// Each of the two arrays claims all the bytes that follow it.
	src := []byte{0xdc, 0x00, 0x05, 0xdc, 0x00, 0x02, 0x01, 0x02}
	outer, n, _ := wire.ConsumeHeader(src)
	fmt.Println(wire.Fits(outer.Values(), 0, len(src)-n))

	rest := src[n:]
	inner, n, _ := wire.ConsumeHeader(rest)
	fmt.Println(wire.Fits(inner.Values(), outer.Values()-1, len(rest)-n))
	// Output:
	// true
	// false
}
