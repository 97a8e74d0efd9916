package binary_test

import (
	"bytes"
	"fmt"
	"io"

	"github.com/octet-go/octet/binary"
)

// reader returns a big-endian Reader of b.
func reader(b ...byte) *binary.Reader {
	return binary.NewReader(bytes.NewReader(b), binary.BigEndian)
}

func ExampleNewReader() {
	input := bytes.NewReader([]byte("\x02\x00\x02\xca\xfehello"))
	r := binary.NewReader(input, binary.BigEndian)
	kind := r.Uint8()
	token := r.Uint16ByteSlice()
	text := r.String(5)
	n, err := r.End()
	fmt.Printf("%d %x %s, %d, %v\n", kind, token, text, n, err)
	// Output: 2 cafe hello, 10, <nil>
}

func ExampleReader_End() {
	r := reader(0, 1, 2)
	fmt.Println(r.Uint16(), r.Uint16(), r.Uint16())
	fmt.Println(r.End())
	// Output:
	// 1 0 0
	// 2 unexpected EOF
}

func ExampleReader_Limit() {
	r := reader(3, 'a', 'b', 'c', 'd', 'e')
	r.Limit(int(r.Uint8())) // a frame of 3 bytes
	for r.Left() > 0 {
		fmt.Print(string(r.Byte()), " ")
	}
	r.Byte()
	fmt.Println(r.End())
	// Output: a b c 4 EOF
}

func ExampleReader_Unlimit() {
	r := reader(1, 2, 3, 4)
	r.Limit(1)
	a := r.Uint8()
	r.Unlimit()
	fmt.Println(a, r.Uint8())
	// Output: 1 2
}

func ExampleReader_Skip() {
	r := reader(1, 2, 3, 4)
	r.Skip(3)
	fmt.Println(r.Uint8())
	// Output: 4
}

func ExampleReader_Read() {
	r := reader(1, 'r', 'e', 's', 't')
	kind := r.Uint8()
	rest, err := io.ReadAll(r)
	fmt.Println(kind, string(rest), err)
	// Output: 1 rest <nil>
}

func ExampleReader_Reset() {
	r := reader(0, 1)
	a := r.Uint16()
	r.Reset(bytes.NewReader([]byte{1, 0}), binary.LittleEndian)
	fmt.Println(a, r.Uint16())
	// Output: 1 1
}

func ExampleReader_Bool() {
	r := reader(1, 0)
	fmt.Println(r.Bool(), r.Bool())
	// Output: true false
}

func ExampleReader_Byte() {
	r := reader('A')
	fmt.Println(r.Byte())
	// Output: 65
}

func ExampleReader_Uint8() {
	r := reader(0x11)
	fmt.Println(r.Uint8())
	// Output: 17
}

func ExampleReader_Uint16() {
	r := reader(1, 2)
	fmt.Println(r.Uint16())
	// Output: 258
}

func ExampleReader_Uint32() {
	r := reader(0, 0, 1, 2)
	fmt.Println(r.Uint32())
	// Output: 258
}

func ExampleReader_Uint64() {
	r := reader(0, 0, 0, 0, 0, 0, 1, 2)
	fmt.Println(r.Uint64())
	// Output: 258
}

func ExampleReader_Int8() {
	r := reader(0xff)
	fmt.Println(r.Int8())
	// Output: -1
}

func ExampleReader_Int16() {
	r := reader(0xff, 0xfe)
	fmt.Println(r.Int16())
	// Output: -2
}

func ExampleReader_Int32() {
	r := reader(0xff, 0xff, 0xff, 0xfe)
	fmt.Println(r.Int32())
	// Output: -2
}

func ExampleReader_Int64() {
	r := reader(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe)
	fmt.Println(r.Int64())
	// Output: -2
}

func ExampleReader_Float32() {
	r := reader(0xc0, 0, 0, 0)
	fmt.Println(r.Float32())
	// Output: -2
}

func ExampleReader_Float64() {
	r := reader(0xc0, 0, 0, 0, 0, 0, 0, 0)
	fmt.Println(r.Float64())
	// Output: -2
}

func ExampleReader_Complex64() {
	r := reader(0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0)
	fmt.Println(r.Complex64())
	// Output: (1-2i)
}

func ExampleReader_Complex128() {
	r := reader(0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0)
	fmt.Println(r.Complex128())
	// Output: (1-2i)
}

func ExampleReader_Rune() {
	r := reader(0, 0, 0x20, 0xac)
	fmt.Println(string(r.Rune()))
	// Output: €
}

func ExampleReader_Uvarint() {
	r := reader(0xac, 2)
	fmt.Println(r.Uvarint())
	// Output: 300
}

func ExampleReader_Varint() {
	r := reader(1)
	fmt.Println(r.Varint())
	// Output: -1
}

func ExampleReader_ByteSlice() {
	r := reader(1, 2, 3)
	fmt.Println(r.ByteSlice(2), r.ByteSlice(1))
	// Output: [1 2] [3]
}

func ExampleReader_String() {
	r := reader('a', 'b', 'c')
	fmt.Println(r.String(2), r.String(1))
	// Output: ab c
}

func ExampleReader_Uint16String() {
	r := reader(0, 3, 'a', 'b', 'c')
	fmt.Println(r.Uint16String())
	// Output: abc
}

func ExampleReader_UvarintString() {
	r := reader(3, 'a', 'b', 'c')
	fmt.Println(r.UvarintString())
	// Output: abc
}

func ExampleReader_Uint16ByteSlice() {
	r := reader(0, 2, 7, 8)
	fmt.Println(r.Uint16ByteSlice())
	// Output: [7 8]
}

func ExampleReader_UvarintByteSlice() {
	r := reader(2, 7, 8)
	fmt.Println(r.UvarintByteSlice())
	// Output: [7 8]
}

func ExampleReader_Int8Slice() {
	r := reader(1, 0xff)
	fmt.Println(r.Int8Slice(2))
	// Output: [1 -1]
}

func ExampleReader_Int16Slice() {
	r := reader(0, 1, 0xff, 0xff)
	fmt.Println(r.Int16Slice(2))
	// Output: [1 -1]
}

func ExampleReader_Int32Slice() {
	r := reader(0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff)
	fmt.Println(r.Int32Slice(2))
	// Output: [1 -1]
}

func ExampleReader_Int64Slice() {
	r := reader(0, 0, 0, 0, 0, 0, 0, 1)
	fmt.Println(r.Int64Slice(1))
	// Output: [1]
}

func ExampleReader_Uint16Slice() {
	r := reader(0, 1, 0, 2)
	fmt.Println(r.Uint16Slice(2))
	// Output: [1 2]
}

func ExampleReader_Uint32Slice() {
	r := reader(0, 0, 0, 1, 0, 0, 0, 2)
	fmt.Println(r.Uint32Slice(2))
	// Output: [1 2]
}

func ExampleReader_Uint64Slice() {
	r := reader(0, 0, 0, 0, 0, 0, 0, 1)
	fmt.Println(r.Uint64Slice(1))
	// Output: [1]
}

func ExampleReader_Float32Slice() {
	r := reader(0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0)
	fmt.Println(r.Float32Slice(2))
	// Output: [1 -2]
}

func ExampleReader_Float64Slice() {
	r := reader(0x3f, 0xf0, 0, 0, 0, 0, 0, 0)
	fmt.Println(r.Float64Slice(1))
	// Output: [1]
}

func ExampleReader_Peek() {
	r := reader(1, 2, 3)
	fmt.Println(r.Peek(2), r.Uint8())
	// Output: [1 2] 1
}

func ExampleReader_Left() {
	r := reader(1, 2, 3)
	fmt.Println(r.Left())
	// Output: -1
}
