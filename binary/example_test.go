package binary_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/octet-go/octet/binary"
)

type header struct {
	Version uint8
	Urgent  bool
	_       uint16
	Length  uint32
}

func ExampleWrite() {
	var b bytes.Buffer
	err := binary.Write(&b, binary.BigEndian, header{Version: 1, Urgent: true, Length: 300})
	fmt.Printf("% x %v\n", b.Bytes(), err)
	// Output: 01 01 00 00 00 00 01 2c <nil>
}

func ExampleRead() {
	r := bytes.NewReader([]byte{1, 1, 0, 0, 0, 0, 1, 0x2c})
	var h header
	err := binary.Read(r, binary.BigEndian, &h)
	fmt.Println(h.Version, h.Urgent, h.Length, err)
	// Output: 1 true 300 <nil>
}

func ExampleAppend() {
	b, err := binary.Append([]byte{0xff}, binary.LittleEndian, []uint16{1, 2})
	fmt.Printf("% x %v\n", b, err)
	// Output: ff 01 00 02 00 <nil>
}

func ExampleEncode() {
	b := make([]byte, 8)
	n, err := binary.Encode(b, binary.BigEndian, [2]int16{-1, 1})
	fmt.Printf("%d % x %v\n", n, b, err)
	// Output: 4 ff ff 00 01 00 00 00 00 <nil>
}

func ExampleDecode() {
	var point [2]float32
	n, err := binary.Decode([]byte{0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0, 1, 2, 3}, binary.BigEndian, &point)
	fmt.Println(point, n, err)
	// Output: [1 -2] 8 <nil>
}

func ExampleSize() {
	fmt.Println(binary.Size(header{}), binary.Size([]header{{}, {}}), binary.Size("text"))
	// Output: 8 16 -1
}

func ExampleFor() {
	typed, err := binary.For[header](binary.BigEndian)
	fmt.Println(typed.Size(), err)

	_, err = binary.For[struct{ Names []string }](binary.BigEndian)
	fmt.Println(err)
	// Output:
	// 8 <nil>
	// binary: struct { Names []string }.Names of type []string: not fixed-size
}

func ExampleTyped_Size() {
	typed, _ := binary.For[[4]uint32](binary.LittleEndian)
	fmt.Println(typed.Size())
	// Output: 16
}

func ExampleTyped_Put() {
	typed, _ := binary.For[header](binary.BigEndian)
	b := make([]byte, 8)
	n := typed.Put(b, &header{Version: 2, Length: 7})
	fmt.Printf("%d % x\n", n, b)
	// Output: 8 02 00 00 00 00 00 00 07
}

func ExampleTyped_Append() {
	typed, _ := binary.For[header](binary.BigEndian)
	fmt.Printf("% x\n", typed.Append([]byte("h:"), &header{Version: 2, Length: 7}))
	// Output: 68 3a 02 00 00 00 00 00 00 07
}

func ExampleTyped_Get() {
	typed, _ := binary.For[header](binary.BigEndian)
	var h header
	n, err := typed.Get([]byte{2, 0, 0, 0, 0, 0, 0, 7, 0xff}, &h)
	fmt.Println(h.Version, h.Length, n, err)
	_, err = typed.Get([]byte{2, 0}, &h)
	fmt.Println(err)
	// Output:
	// 2 7 8 <nil>
	// buffer too small
}

func ExampleTyped_Unmarshal() {
	typed, _ := binary.For[header](binary.BigEndian)
	data := []byte{2, 0, 0, 0, 0, 0, 0, 7}
	var h header
	err := typed.Unmarshal(data, &h)
	fmt.Println(h.Version, h.Length, err)
	fmt.Println(errors.Is(typed.Unmarshal(data[:3], &h), binary.ErrTruncated))
	fmt.Println(typed.Unmarshal(append(data, 0), &h))
	// Output:
	// 2 7 <nil>
	// true
	// binary: trailing data after the value: 9 bytes, want 8
}

func ExampleTyped_UnmarshalPrefix() {
	typed, _ := binary.For[[2]uint16](binary.BigEndian)
	data := []byte{0, 1, 0, 2, 0, 3, 0, 4}
	for len(data) > 0 {
		var v [2]uint16
		n, err := typed.UnmarshalPrefix(data, &v)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v)
		data = data[n:]
	}
	// Output:
	// [1 2]
	// [3 4]
}

func ExampleTyped_AppendSlice() {
	typed, _ := binary.For[[2]uint8](binary.BigEndian)
	fmt.Println(typed.AppendSlice(nil, [][2]uint8{{1, 2}, {3, 4}}))
	// Output: [1 2 3 4]
}

func ExampleTyped_GetSlice() {
	typed, _ := binary.For[struct{ X, Y int16 }](binary.BigEndian)
	points := make([]struct{ X, Y int16 }, 2)
	n, err := typed.GetSlice([]byte{0, 1, 0, 2, 0, 3, 0, 4}, points)
	fmt.Println(points, n, err)
	// Output: [{1 2} {3 4}] 8 <nil>
}

func ExampleAppendSlice() {
	type celsius float32
	fmt.Printf("% x\n", binary.AppendSlice(nil, binary.BigEndian, []celsius{1, -2}))
	// Output: 3f 80 00 00 c0 00 00 00
}

func ExampleGetSlice() {
	s := make([]uint16, 2)
	n, err := binary.GetSlice([]byte{0, 1, 0, 2, 0, 3}, binary.BigEndian, s)
	fmt.Println(s, n, err)
	// Output: [1 2] 4 <nil>
}

func ExampleWriteSlice() {
	err := binary.WriteSlice(os.Stdout, binary.BigEndian, []uint16{0x4f63, 0x7465, 0x740a})
	fmt.Println(err)
	// Output:
	// Octet
	// <nil>
}

func ExampleReadSlice() {
	s := make([]uint32, 2)
	err := binary.ReadSlice(bytes.NewReader([]byte{0, 0, 0, 1, 0, 0, 1, 0}), binary.BigEndian, s)
	fmt.Println(s, err)
	// Output: [1 256] <nil>
}

func ExampleView() {
	b := make([]byte, 8)
	numbers, ok := binary.View[uint32](b, binary.NativeEndian)
	numbers[1] = 7
	fmt.Println(ok, binary.NativeEndian.Uint32(b[4:]))
	// Output: true 7
}

func ExampleError() {
	type message struct {
		Kind uint8
		Body struct{ Text string }
	}
	_, err := binary.For[message](binary.BigEndian)
	e := err.(*binary.Error)
	fmt.Println(e.Path, e.Part)
	// Output: Body.Text string
}

func ExampleError_Error() {
	type message struct{ Names []string }
	_, err := binary.For[message](binary.BigEndian)
	fmt.Println(err.Error())
	// Output: binary: binary_test.message.Names of type []string: not fixed-size
}

func ExampleError_Unwrap() {
	_, err := binary.For[string](binary.BigEndian)
	fmt.Println(errors.Is(err, binary.ErrUnsupported))
	// Output: true
}
