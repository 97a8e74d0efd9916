package layout_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/octet-go/octet/layout"
)

// A Record is a header and some bytes, with a checksum.
type Record struct {
	_      struct{} `layout:"magic=REC"`
	Kind   uint8
	Length uint16 `layout:"len=Data"`
	Data   []byte
	Sum    uint8 `layout:"sum8=Kind..Data"`
}

func Example() {
	b, err := layout.Marshal(&Record{Kind: 1, Data: []byte("abc")})
	fmt.Printf("%q %v\n", b, err)

	var r Record
	err = layout.Unmarshal(b, &r)
	fmt.Printf("%d %s %d %v\n", r.Kind, r.Data, r.Length, err)

	b[6] = 'x'
	fmt.Println(layout.Unmarshal(b, &r))
	// Output:
	// "REC\x01\x00\x03abc*" <nil>
	// 1 abc 3 <nil>
	// layout: Record.Sum at offset 9: sum8 is 0x2a, but the checksum of the bytes is 0x41
}

func ExampleMarshal() {
	type Point struct {
		X, Y int16
		Name string `layout:"cstring"`
	}
	b, err := layout.Marshal(Point{1, -1, "p"})
	fmt.Printf("% x %v\n", b, err)
	// Output: 00 01 ff ff 70 00 <nil>
}

// A class file of Java says one more than its constants are.
func ExampleMarshal_count() {
	type Constant struct {
		Tag  uint8  `layout:"const=1"`
		Text string `layout:"prefix=u16"`
	}
	type Class struct {
		Count     uint16 `layout:"count=Constants-1"`
		Constants []Constant
	}
	b, err := layout.Marshal(&Class{Constants: []Constant{{Text: "a"}, {Text: "b"}}})
	fmt.Printf("%q %v\n", b, err)

	fmt.Println(layout.Unmarshal([]byte{0, 0}, new(Class)))
	// Output:
	// "\x00\x03\x01\x00\x01a\x01\x00\x01b" <nil>
	// layout: Class.Count at offset 0: 0 is out of range for count=Constants-1
}

func ExampleMarshalAppend() {
	buf := make([]byte, 0, 64)
	for i := range 3 {
		var err error
		if buf, err = layout.MarshalAppend(buf, &Record{Kind: uint8(i)}); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Printf("%q\n", buf)
	// Output: "REC\x00\x00\x00\x00REC\x01\x00\x00\x01REC\x02\x00\x00\x02"
}

func ExampleUnmarshal() {
	var r Record
	err := layout.Unmarshal([]byte("REC\x01\x00\x00\x01 and more"), &r)
	fmt.Println(err)
	fmt.Println(errors.Is(err, layout.ErrTrailing))
	// Output:
	// layout: Record at offset 7: 9 bytes follow the message
	// true
}

func ExampleUnmarshalPrefix() {
	data := []byte("REC\x01\x00\x01A\x43REC\x02\x00\x01B\x45")
	for len(data) > 0 {
		var r Record
		n, err := layout.UnmarshalPrefix(data, &r)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d: %s\n", r.Kind, r.Data)
		data = data[n:]
	}
	// Output:
	// 1: A
	// 2: B
}

func ExampleAt() {
	type Header struct {
		_     struct{} `layout:"magic=DIR"`
		Where uint32
	}
	type Entry struct {
		Name string `layout:"prefix=u8"`
	}
	file := []byte("DIR\x00\x00\x00\x0a...\x05hello...")
	var h Header
	var e Entry
	if _, err := layout.UnmarshalPrefix(file, &h); err != nil {
		fmt.Println(err)
	}
	n, err := layout.At(file, int64(h.Where), &e)
	fmt.Println(e.Name, n, err)
	// Output: hello 6 <nil>
}

func ExampleRead() {
	r := bytes.NewReader([]byte("REC\x01\x00\x01A\x43 what follows"))
	var m Record
	err := layout.Read(r, &m)
	fmt.Println(err, r.Len())

	c, _ := layout.New(layout.Options{MaxMessage: 1000})
	r = bytes.NewReader([]byte("REC\x01\xff\xff"))
	fmt.Println(c.Read(r, &m))
	// Output:
	// <nil> 13
	// layout: Record.Data at offset 6: the message exceeds the limit of 1000 bytes
}

func ExampleWrite() {
	type Line struct {
		Text string `layout:"until=0x0a"`
	}
	err := layout.Write(os.Stdout, Line{"one line"})
	fmt.Println(err)
	// Output:
	// one line
	// <nil>
}

func ExampleFields() {
	type Packet struct {
		Size uint16 `layout:"len=Text"`
		Text string
	}
	list, err := layout.Fields([]byte("\x00\x02hi"), new(Packet))
	for _, f := range list[1:] {
		fmt.Println(f.Name, f.Offset, f.Size, f.Value)
	}
	fmt.Println(err)
	// Output:
	// Size 0 2 2
	// Text 2 2 hi
	// <nil>
}

func ExampleError() {
	type Item struct {
		Length uint16 `layout:"len=Data"`
		Data   []byte
	}
	type Frame struct {
		Items []Item `layout:"prefix=u16"`
	}
	err := layout.Unmarshal([]byte("\x00\x06\x00\x01A\x10\x00B"), new(Frame))
	fmt.Println(err)
	var e *layout.Error
	if errors.As(err, &e) {
		fmt.Println(e.Path, e.Offset, e.Err == layout.ErrLength)
	}
	// Output:
	// layout: Frame.Items[1].Data at offset 7: length 4096 exceeds the 1 byte left in Items
	// Frame.Items[1].Data 7 true
}

func ExampleError_Error() {
	err := layout.Error{Path: "Frame.Length", Offset: 2, Err: layout.ErrTruncated}
	fmt.Println(err.Error())
	// Output: layout: Frame.Length at offset 2: truncated input
}

func ExampleError_Is() {
	var m Record
	for _, data := range []string{"", "RE"} {
		err := layout.Unmarshal([]byte(data), &m)
		fmt.Println(errors.Is(err, layout.ErrTruncated), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF))
	}
	// Output:
	// true true true
	// true true false
}

func ExampleError_Unwrap() {
	err := layout.Unmarshal([]byte("RE"), new(Record))
	fmt.Println(errors.Unwrap(err) == layout.ErrTruncated)
	// Output: true
}
