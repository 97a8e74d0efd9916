package binary_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/octet-go/octet/binary"
)

// show prints the big-endian bytes that write produces.
func show(write func(w *binary.Writer)) {
	var b bytes.Buffer
	w := binary.NewWriter(&b, binary.BigEndian)
	write(w)
	if _, err := w.End(); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("% x\n", b.Bytes())
}

func ExampleNewWriter() {
	var b bytes.Buffer
	token := []byte{0xca, 0xfe}
	n, err := binary.NewWriter(&b, binary.BigEndian).
		Uint8(2).
		Uint16ByteSlice(token).
		String("hello").
		End()
	fmt.Printf("% x, %d, %v\n", b.Bytes(), n, err)
	// Output: 02 00 02 ca fe 68 65 6c 6c 6f, 10, <nil>
}

func ExampleWriter_End() {
	n, err := binary.NewWriter(nil, binary.BigEndian).Uint16(1).Uint16(2).End()
	fmt.Println(n, err)
	// Output: 0 binary: Writer has no io.Writer
}

func ExampleWriter_Flush() {
	w := binary.NewWriter(os.Stdout, binary.BigEndian).String("now\n").Flush()
	fmt.Println("later")
	_, _ = w.String("at the end\n").End()
	// Output:
	// now
	// later
	// at the end
}

func ExampleWriter_Reset() {
	var a, b bytes.Buffer
	w := binary.NewWriter(&a, binary.BigEndian).Uint16(1)
	_, _ = w.End()
	w.Reset(&b, binary.LittleEndian)
	n, _ := w.Uint16(1).End()
	fmt.Println(a.Bytes(), b.Bytes(), n)
	// Output: [0 1] [1 0] 2
}

func ExampleWriter_Write() {
	show(func(w *binary.Writer) {
		w.Uint8(1)
		fmt.Fprintf(w, "%d%%", 50)
	})
	// Output: 01 35 30 25
}

func ExampleWriter_Bool() {
	show(func(w *binary.Writer) { w.Bool(true).Bool(false) })
	// Output: 01 00
}

func ExampleWriter_Byte() {
	show(func(w *binary.Writer) { w.Byte('A') })
	// Output: 41
}

func ExampleWriter_Uint8() {
	show(func(w *binary.Writer) { w.Uint8(0x11) })
	// Output: 11
}

func ExampleWriter_Uint16() {
	show(func(w *binary.Writer) { w.Uint16(0x1122) })
	// Output: 11 22
}

func ExampleWriter_Uint32() {
	show(func(w *binary.Writer) { w.Uint32(0x11223344) })
	// Output: 11 22 33 44
}

func ExampleWriter_Uint64() {
	show(func(w *binary.Writer) { w.Uint64(0x1122334455667788) })
	// Output: 11 22 33 44 55 66 77 88
}

func ExampleWriter_Int8() {
	show(func(w *binary.Writer) { w.Int8(-1) })
	// Output: ff
}

func ExampleWriter_Int16() {
	show(func(w *binary.Writer) { w.Int16(-2) })
	// Output: ff fe
}

func ExampleWriter_Int32() {
	show(func(w *binary.Writer) { w.Int32(-2) })
	// Output: ff ff ff fe
}

func ExampleWriter_Int64() {
	show(func(w *binary.Writer) { w.Int64(-2) })
	// Output: ff ff ff ff ff ff ff fe
}

func ExampleWriter_Float32() {
	show(func(w *binary.Writer) { w.Float32(-2) })
	// Output: c0 00 00 00
}

func ExampleWriter_Float64() {
	show(func(w *binary.Writer) { w.Float64(-2) })
	// Output: c0 00 00 00 00 00 00 00
}

func ExampleWriter_Complex64() {
	show(func(w *binary.Writer) { w.Complex64(complex(1, -2)) })
	// Output: 3f 80 00 00 c0 00 00 00
}

func ExampleWriter_Complex128() {
	show(func(w *binary.Writer) { w.Complex128(complex(1, -2)) })
	// Output: 3f f0 00 00 00 00 00 00 c0 00 00 00 00 00 00 00
}

func ExampleWriter_Rune() {
	show(func(w *binary.Writer) { w.Rune('€') })
	// Output: 00 00 20 ac
}

func ExampleWriter_Uvarint() {
	show(func(w *binary.Writer) { w.Uvarint(300) })
	// Output: ac 02
}

func ExampleWriter_Varint() {
	show(func(w *binary.Writer) { w.Varint(-1) })
	// Output: 01
}

func ExampleWriter_ByteSlice() {
	show(func(w *binary.Writer) { w.ByteSlice([]byte{1, 2, 3}) })
	// Output: 01 02 03
}

func ExampleWriter_String() {
	show(func(w *binary.Writer) { w.String("abc") })
	// Output: 61 62 63
}

func ExampleWriter_Uint16String() {
	show(func(w *binary.Writer) { w.Uint16String("abc") })
	// Output: 00 03 61 62 63
}

func ExampleWriter_UvarintString() {
	show(func(w *binary.Writer) { w.UvarintString("abc") })
	// Output: 03 61 62 63
}

func ExampleWriter_Uint16ByteSlice() {
	show(func(w *binary.Writer) { w.Uint16ByteSlice([]byte{7, 8}) })
	// Output: 00 02 07 08
}

func ExampleWriter_UvarintByteSlice() {
	show(func(w *binary.Writer) { w.UvarintByteSlice([]byte{7, 8}) })
	// Output: 02 07 08
}

func ExampleWriter_Int8Slice() {
	show(func(w *binary.Writer) { w.Int8Slice([]int8{1, -1}) })
	// Output: 01 ff
}

func ExampleWriter_Int16Slice() {
	show(func(w *binary.Writer) { w.Int16Slice([]int16{1, -1}) })
	// Output: 00 01 ff ff
}

func ExampleWriter_Int32Slice() {
	show(func(w *binary.Writer) { w.Int32Slice([]int32{1, -1}) })
	// Output: 00 00 00 01 ff ff ff ff
}

func ExampleWriter_Int64Slice() {
	show(func(w *binary.Writer) { w.Int64Slice([]int64{1}) })
	// Output: 00 00 00 00 00 00 00 01
}

func ExampleWriter_Uint16Slice() {
	show(func(w *binary.Writer) { w.Uint16Slice([]uint16{1, 2}) })
	// Output: 00 01 00 02
}

func ExampleWriter_Uint32Slice() {
	show(func(w *binary.Writer) { w.Uint32Slice([]uint32{1, 2}) })
	// Output: 00 00 00 01 00 00 00 02
}

func ExampleWriter_Uint64Slice() {
	show(func(w *binary.Writer) { w.Uint64Slice([]uint64{1}) })
	// Output: 00 00 00 00 00 00 00 01
}

func ExampleWriter_Float32Slice() {
	show(func(w *binary.Writer) { w.Float32Slice([]float32{1, -2}) })
	// Output: 3f 80 00 00 c0 00 00 00
}

func ExampleWriter_Float64Slice() {
	show(func(w *binary.Writer) { w.Float64Slice([]float64{1}) })
	// Output: 3f f0 00 00 00 00 00 00
}
