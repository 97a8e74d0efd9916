package wire_test

import (
	"fmt"
	"math"
	"time"

	"github.com/octet-go/octet/msgpack/wire"
)

func ExampleAppendNil() {
	fmt.Printf("% x\n", wire.AppendNil(nil))
	// Output: c0
}

func ExampleAppendBool() {
	b := wire.AppendBool(nil, false)
	b = wire.AppendBool(b, true)
	fmt.Printf("% x\n", b)
	// Output: c2 c3
}

func ExampleAppendInt() {
	for _, v := range []int64{7, 200, -1, -33, -40_000, math.MinInt64} {
		fmt.Printf("% x\n", wire.AppendInt(nil, v))
	}
	// Output:
	// 07
	// cc c8
	// ff
	// d0 df
	// d2 ff ff 63 c0
	// d3 80 00 00 00 00 00 00 00
}

func ExampleAppendUint() {
	for _, v := range []uint64{7, 200, 40_000, math.MaxUint64} {
		fmt.Printf("% x\n", wire.AppendUint(nil, v))
	}
	// Output:
	// 07
	// cc c8
	// cd 9c 40
	// cf ff ff ff ff ff ff ff ff
}

func ExampleAppendFloat32() {
	fmt.Printf("% x\n", wire.AppendFloat32(nil, 1.5))
	// Output: ca 3f c0 00 00
}

func ExampleAppendFloat64() {
	fmt.Printf("% x\n", wire.AppendFloat64(nil, 1.5))
	// Output: cb 3f f8 00 00 00 00 00 00
}

func ExampleAppendString() {
	fmt.Printf("% x\n", wire.AppendString(nil, "hé"))
	// Output: a3 68 c3 a9
}

// The pieces of a string go after its header, without being joined first.
func ExampleAppendStringHeader() {
	host, port := "localhost", ":80"
	b := wire.AppendStringHeader(nil, uint32(len(host)+len(port)))
	b = append(b, host...)
	b = append(b, port...)
	s, _, err := wire.ConsumeString(b)
	fmt.Printf("%s %v\n", s, err)
	// Output: localhost:80 <nil>
}

func ExampleAppendBin() {
	fmt.Printf("% x\n", wire.AppendBin(nil, []byte{1, 2, 3}))
	// Output: c4 03 01 02 03
}

func ExampleAppendBinHeader() {
	b := wire.AppendBinHeader(nil, 300)
	b = append(b, make([]byte, 300)...)
	fmt.Printf("% x … %d bytes\n", b[:3], len(b))
	// Output: c5 01 2c … 303 bytes
}

func ExampleAppendArrayHeader() {
	words := []string{"to", "be"}
	b := wire.AppendArrayHeader(nil, uint32(len(words)))
	for _, w := range words {
		b = wire.AppendString(b, w)
	}
	fmt.Printf("% x\n", b)
	// Output: 92 a2 74 6f a2 62 65
}

func ExampleAppendMapHeader() {
	b := wire.AppendMapHeader(nil, 1)
	b = wire.AppendString(b, "n")
	b = wire.AppendInt(b, 1)
	fmt.Printf("% x\n", b)
	// Output: 81 a1 6e 01
}

func ExampleAppendExt() {
	fmt.Printf("% x\n", wire.AppendExt(nil, 5, []byte{1, 2, 3, 4}))
	fmt.Printf("% x\n", wire.AppendExt(nil, 5, []byte{1, 2, 3}))
	// Output:
	// d6 05 01 02 03 04
	// c7 03 05 01 02 03
}

// A payload that is itself encoded needs its length first.
func ExampleAppendExtHeader() {
	point := wire.AppendInt(wire.AppendInt(nil, 3), -4)
	b := wire.AppendExtHeader(nil, 1, uint32(len(point)))
	b = append(b, point...)
	fmt.Printf("% x\n", b)
	// Output: d5 01 03 fc
}

func ExampleAppendTime() {
	t := time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC)
	fmt.Printf("% x\n", wire.AppendTime(nil, t))
	fmt.Printf("% x\n", wire.AppendTime(nil, t.Add(time.Nanosecond)))
	fmt.Printf("% x\n", wire.AppendTime(nil, time.Time{}))
	// Output:
	// d6 ff 69 57 35 a5
	// d7 ff 00 00 00 04 69 57 35 a5
	// c7 0c ff 00 00 00 00 ff ff ff f1 88 6e 09 00
}

func ExampleAppendTimestamp() {
	fmt.Printf("% x\n", wire.AppendTimestamp(nil, 1, 500_000_000))
	// Output: d7 ff 77 35 94 00 00 00 00 01
}
