package msgpack_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

func ExampleUnmarshalRead() {
	var v []string
	err := msgpack.UnmarshalRead(strings.NewReader("\x92\xa1a\xa1b"), &v)
	fmt.Println(v, err)
	err = msgpack.UnmarshalRead(strings.NewReader("\x92\xa1a"), &v)
	fmt.Println(err)
	// Output:
	// [a b] <nil>
	// msgpack: unmarshal [1] at offset 3: found end of input: truncated input
}

func ExampleCodec_UnmarshalRead() {
	codec, err := msgpack.New(msgpack.Options{MaxDepth: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	var v any
	fmt.Println(codec.UnmarshalRead(strings.NewReader("\x91\x90"), &v))
	// Output: msgpack: unmarshal [0] at offset 1: found fixarray of 0 elements: nested too deeply
}

func ExampleNewDecoder() {
	type Event struct{ ID int }
	d := msgpack.NewDecoder(strings.NewReader("\x81\xa2ID\x01\x81\xa2ID\x02"))
	for d.More() {
		var e Event
		if err := d.Decode(&e); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(e.ID, "ends at", d.InputOffset())
	}
	// Output:
	// 1 ends at 5
	// 2 ends at 10
}

func ExampleCodec_NewDecoder() {
	codec, err := msgpack.New(msgpack.Options{MaxDepth: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(codec.NewDecoder(strings.NewReader("\x91\x90")).Skip())
	// Output: msgpack: unmarshal at offset 1: found fixarray of 0 elements: nested too deeply
}

func ExampleValues() {
	d := msgpack.NewDecoder(strings.NewReader("\x01\xa1a\x03"))
	for n, err := range msgpack.Values[int](d) {
		fmt.Println(n, err)
	}
	// Output:
	// 1 <nil>
	// 0 msgpack: unmarshal at offset 1: found fixstr of 1 byte, want int: value does not fit the Go type
	// 3 <nil>
}

func ExampleDecoder_Decode() {
	d := msgpack.NewDecoder(strings.NewReader("\xa1a\x02"))
	var n int
	for {
		err := d.Decode(&n)
		if err == io.EOF {
			return
		}
		fmt.Println(n, err)
	}
	// Output:
	// 0 msgpack: unmarshal at offset 0: found fixstr of 1 byte, want int: value does not fit the Go type
	// 2 <nil>
}

func ExampleDecoder_More() {
	d := msgpack.NewDecoder(strings.NewReader("\x01"))
	fmt.Println(d.More())
	fmt.Println(d.Skip(), d.More())
	// Output:
	// true
	// <nil> false
}

func ExampleDecoder_PeekKind() {
	d := msgpack.NewDecoder(strings.NewReader("\xa1a\x02"))
	for d.More() {
		switch k, err := d.PeekKind(); k {
		case wire.KindInt:
			fmt.Println(d.ReadInt())
		default:
			fmt.Println(k, err, d.Skip())
		}
	}
	// Output:
	// str <nil> <nil>
	// 2 <nil>
}

func ExampleDecoder_Skip() {
	d := msgpack.NewDecoder(strings.NewReader("\x93\x01\x02\x03\xa1a"))
	fmt.Println(d.Skip(), d.InputOffset())
	fmt.Println(d.ReadString())
	// Output:
	// <nil> 4
	// a <nil>
}

func ExampleDecoder_InputOffset() {
	d := msgpack.NewDecoder(strings.NewReader("\x92\x01\x02\x03"))
	fmt.Println(d.InputOffset(), d.Skip(), d.InputOffset())
	// Output: 0 <nil> 3
}

func ExampleDecoder_Buffered() {
	r := strings.NewReader("\x05plain text follows the number")
	d := msgpack.NewDecoder(r)
	fmt.Println(d.ReadInt())
	rest, err := io.ReadAll(io.MultiReader(d.Buffered(), r))
	fmt.Printf("%s, %v\n", rest, err)
	// Output:
	// 5 <nil>
	// plain text follows the number, <nil>
}

func ExampleDecoder_Reset() {
	d := msgpack.NewDecoder(strings.NewReader("\xc1"))
	fmt.Println(d.Skip())
	d.Reset(strings.NewReader("\x01"))
	fmt.Println(d.ReadInt())
	// Output:
	// msgpack: unmarshal at offset 0: found byte c1: reserved format byte c1
	// 1 <nil>
}

func ExampleDecoder_Tail() {
	var file bytes.Buffer // or a log file that another process writes
	d := msgpack.NewDecoder(&file)
	d.Tail(true)
	file.WriteString("\xa5he")
	fmt.Println(d.ReadString())
	file.WriteString("llo")
	fmt.Println(d.ReadString())
	// Output:
	// msgpack: unmarshal at offset 0: found fixstr of 5 bytes, 2 left: truncated input
	// hello <nil>
}

func ExampleDecoder_ReadArrayHeader() {
	d := msgpack.NewDecoder(strings.NewReader("\x93\x01\x02\x03"))
	n, err := d.ReadArrayHeader()
	sum := 0
	for range n {
		var v int // elements one at a time, however many there are
		err = errors.Join(err, d.Decode(&v))
		sum += v
	}
	fmt.Println(n, sum, err)
	// Output: 3 6 <nil>
}

func ExampleDecoder_ReadMapHeader() {
	d := msgpack.NewDecoder(strings.NewReader("\x82\xa1a\x01\xa1b\x92\x02\x03"))
	n, err := d.ReadMapHeader()
	if err != nil {
		fmt.Println(err)
		return
	}
	for range n {
		key, err := d.ReadString()
		if err != nil {
			fmt.Println(err)
			return
		}
		value, err := d.ReadRaw()
		fmt.Printf("%s: % x, %v\n", key, value, err)
	}
	// Output:
	// a: 01, <nil>
	// b: 92 02 03, <nil>
}

func ExampleDecoder_ReadNil() {
	d := msgpack.NewDecoder(strings.NewReader("\xc0"))
	fmt.Println(d.ReadNil())
	// Output: <nil>
}

func ExampleDecoder_ReadBool() {
	d := msgpack.NewDecoder(strings.NewReader("\xc3"))
	fmt.Println(d.ReadBool())
	// Output: true <nil>
}

func ExampleDecoder_ReadInt() {
	d := msgpack.NewDecoder(strings.NewReader("\xd0\x80\xa1a"))
	fmt.Println(d.ReadInt())
	fmt.Println(d.ReadInt()) // leaves the str where it is
	fmt.Println(d.ReadString())
	// Output:
	// -128 <nil>
	// 0 msgpack: unmarshal at offset 2: found fixstr of 1 byte, want int64: value does not fit the Go type
	// a <nil>
}

func ExampleDecoder_ReadUint() {
	d := msgpack.NewDecoder(strings.NewReader("\xcc\x80"))
	fmt.Println(d.ReadUint())
	// Output: 128 <nil>
}

func ExampleDecoder_ReadFloat() {
	d := msgpack.NewDecoder(strings.NewReader("\xca\x3f\xc0\x00\x00"))
	fmt.Println(d.ReadFloat())
	// Output: 1.5 <nil>
}

func ExampleDecoder_ReadString() {
	d := msgpack.NewDecoder(strings.NewReader("\xa4text"))
	fmt.Println(d.ReadString())
	// Output: text <nil>
}

func ExampleDecoder_ReadBytes() {
	d := msgpack.NewDecoder(strings.NewReader("\xc4\x02\x01\x02"))
	fmt.Println(d.ReadBytes())
	// Output: [1 2] <nil>
}

func ExampleDecoder_ReadTime() {
	d := msgpack.NewDecoder(strings.NewReader("\xd6\xff\x00\x00\x00\x01"))
	fmt.Println(d.ReadTime())
	// Output: 1970-01-01 00:00:01 +0000 UTC <nil>
}

func ExampleDecoder_ReadExt() {
	d := msgpack.NewDecoder(strings.NewReader("\xd4\x05\x07"))
	fmt.Println(d.ReadExt())
	// Output: {5 [7]} <nil>
}

func ExampleDecoder_ReadRaw() {
	d := msgpack.NewDecoder(bytes.NewReader([]byte{0x92, 1, 2, 3}))
	raw, err := d.ReadRaw()
	fmt.Printf("% x, %v\n", raw, err)
	// Output: 92 01 02, <nil>
}

func ExampleDecoder_ReadPayload() {
	d := msgpack.NewDecoder(strings.NewReader("\xd9\x1cno matter how many gigabytes"))
	h, r, err := d.ReadPayload()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(h.Format, "of", h.Payload, "bytes")
	_, err = io.Copy(os.Stdout, r)
	fmt.Printf(", %v\n", err)
	// Output:
	// str 8 of 28 bytes
	// no matter how many gigabytes, <nil>
}
