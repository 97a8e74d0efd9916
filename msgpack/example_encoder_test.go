package msgpack_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// written prints the bytes that an Encoder writes.
func written(write func(e *msgpack.Encoder) error) {
	var b bytes.Buffer
	e := msgpack.NewEncoder(&b)
	err := errors.Join(write(e), e.Flush())
	fmt.Printf("% x, %v\n", b.Bytes(), err)
}

func ExampleMarshalWrite() {
	var b bytes.Buffer // or a file, a connection, …
	err := msgpack.MarshalWrite(&b, []string{"a", "b"})
	fmt.Printf("% x, %v\n", b.Bytes(), err)
	// Output: 92 a1 61 a1 62, <nil>
}

func ExampleCodec_MarshalWrite() {
	codec, err := msgpack.New(msgpack.Options{MaxDepth: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	var b bytes.Buffer
	err = codec.MarshalWrite(&b, [][]int{{1}})
	fmt.Printf("%d bytes, %v\n", b.Len(), err)
	// Output: 0 bytes, msgpack: marshal [0]: found []int: nested too deeply
}

func ExampleNewEncoder() {
	type Event struct{ ID int }
	var b bytes.Buffer // or a file, a connection, …
	e := msgpack.NewEncoder(&b)
	for id := range 3 {
		if err := e.Encode(Event{id}); err != nil {
			fmt.Println(err)
			return
		}
	}
	err := e.Flush()
	fmt.Printf("% x, %v\n", b.Bytes(), err)
	// Output: 81 a2 49 44 00 81 a2 49 44 01 81 a2 49 44 02, <nil>
}

func ExampleCodec_NewEncoder() {
	codec, err := msgpack.New(msgpack.Options{MaxDepth: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(codec.NewEncoder(io.Discard).Encode([][]int{{1}}))
	// Output: msgpack: marshal [0]: found []int: nested too deeply
}

func ExampleEncoder_Encode() {
	written(func(e *msgpack.Encoder) error {
		// A value that cannot be encoded leaves nothing behind.
		fmt.Println(e.Encode([]any{1, func() {}}))
		return e.Encode([]any{1, 2})
	})
	// Output:
	// msgpack: marshal [1]: found func(): unsupported type
	// 92 01 02, <nil>
}

func ExampleEncoder_Flush() {
	var b bytes.Buffer
	e := msgpack.NewEncoder(&b)
	if err := e.WriteArrayHeader(3); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Flush())
	fmt.Printf("% x\n", b.Bytes())
	// Output:
	// msgpack: marshal: want 3 more values: value is incomplete
	// 93
}

func ExampleEncoder_Reset() {
	var a, b bytes.Buffer
	e := msgpack.NewEncoder(&a)
	err := errors.Join(e.Encode("first"), e.Flush())
	e.Reset(&b)
	err = errors.Join(err, e.Encode("second"), e.Flush())
	fmt.Printf("%q %q %v\n", a.String(), b.String(), err)
	// Output: "\xa5first" "\xa6second" <nil>
}

func ExampleEncoder_WriteArrayHeader() {
	written(func(e *msgpack.Encoder) error {
		err := e.WriteArrayHeader(3) // of elements that need not be in memory at once
		for i := range 3 {
			err = errors.Join(err, e.Encode(i))
		}
		return err
	})
	// Output: 93 00 01 02, <nil>
}

func ExampleEncoder_WriteMapHeader() {
	written(func(e *msgpack.Encoder) error {
		return errors.Join(e.WriteMapHeader(2), e.WriteString("a"), e.WriteInt(1), e.WriteString("b"), e.Encode([]int{2, 3}))
	})
	// Output: 82 a1 61 01 a1 62 92 02 03, <nil>
}

func ExampleEncoder_WriteNil() {
	written((*msgpack.Encoder).WriteNil)
	// Output: c0, <nil>
}

func ExampleEncoder_WriteBool() {
	written(func(e *msgpack.Encoder) error { return e.WriteBool(true) })
	// Output: c3, <nil>
}

func ExampleEncoder_WriteInt() {
	written(func(e *msgpack.Encoder) error { return e.WriteInt(-200) })
	// Output: d1 ff 38, <nil>
}

func ExampleEncoder_WriteUint() {
	written(func(e *msgpack.Encoder) error { return e.WriteUint(200) })
	// Output: cc c8, <nil>
}

func ExampleEncoder_WriteFloat() {
	written(func(e *msgpack.Encoder) error { return e.WriteFloat(1.5) })
	// Output: cb 3f f8 00 00 00 00 00 00, <nil>
}

func ExampleEncoder_WriteString() {
	written(func(e *msgpack.Encoder) error { return e.WriteString("text") })
	// Output: a4 74 65 78 74, <nil>
}

func ExampleEncoder_WriteBytes() {
	written(func(e *msgpack.Encoder) error { return e.WriteBytes([]byte{1, 2}) })
	// Output: c4 02 01 02, <nil>
}

func ExampleEncoder_WriteTime() {
	written(func(e *msgpack.Encoder) error { return e.WriteTime(time.Unix(1, 0)) })
	// Output: d6 ff 00 00 00 01, <nil>
}

func ExampleEncoder_WriteExt() {
	written(func(e *msgpack.Encoder) error { return e.WriteExt(msgpack.Ext{Type: 5, Data: []byte{7}}) })
	// Output: d4 05 07, <nil>
}

func ExampleEncoder_WriteRaw() {
	written(func(e *msgpack.Encoder) error { return e.WriteRaw(msgpack.Raw{0x92, 1, 2}) })
	written(func(e *msgpack.Encoder) error { return e.WriteRaw(msgpack.Raw{0x92, 1}) })
	// Output:
	// 92 01 02, <nil>
	// , msgpack: marshal: found Raw: not a single valid MessagePack value
}

func ExampleEncoder_WriteStringHeader() {
	text := strings.NewReader("from a file, say")
	written(func(e *msgpack.Encoder) error {
		if err := e.WriteStringHeader(uint32(text.Len())); err != nil {
			return err
		}
		_, err := io.Copy(e, text)
		return err
	})
	// Output: b0 66 72 6f 6d 20 61 20 66 69 6c 65 2c 20 73 61 79, <nil>
}

func ExampleEncoder_WriteBytesHeader() {
	written(func(e *msgpack.Encoder) error {
		if err := e.WriteBytesHeader(4); err != nil {
			return err
		}
		_, err := e.Write([]byte{1, 2})
		return err
	})
	// Output: c4 04 01 02, msgpack: marshal: want 2 more bytes: value is incomplete
}

func ExampleEncoder_WriteExtHeader() {
	written(func(e *msgpack.Encoder) error {
		if err := e.WriteExtHeader(5, 2); err != nil {
			return err
		}
		_, err := e.Write([]byte{1, 2})
		return err
	})
	// Output: d5 05 01 02, <nil>
}

func ExampleEncoder_Write() {
	written(func(e *msgpack.Encoder) error {
		if err := e.WriteBytesHeader(2); err != nil {
			return err
		}
		_, err := e.Write([]byte{1, 2, 3}) // none of them
		fmt.Println(err)
		_, err = e.Write([]byte{1, 2})
		return err
	})
	// Output:
	// msgpack: marshal: found 3 bytes, want 2 more bytes: more than the header announced
	// c4 02 01 02, <nil>
}

func ExampleEncodeSeq() {
	words := slices.Values([]string{"one", "two", "six"})
	written(func(e *msgpack.Encoder) error { return msgpack.EncodeSeq(e, 3, words) })
	written(func(e *msgpack.Encoder) error { return msgpack.EncodeSeq(e, 2, words) })
	// Output:
	// 93 a3 6f 6e 65 a3 74 77 6f a3 73 69 78, <nil>
	// , msgpack: marshal: found sequence of more than 2 elements: more than the header announced
}

func ExampleEncodeSeq2() {
	ports := map[string]int{"http": 80}
	written(func(e *msgpack.Encoder) error { return msgpack.EncodeSeq2(e, len(ports), maps.All(ports)) })
	// Output: 81 a4 68 74 74 70 50, <nil>
}

func ExampleEncoder_AutoFlush() {
	var b bytes.Buffer // or a connection whose other side waits for each value
	e := msgpack.NewEncoder(&b)
	e.AutoFlush(true)
	err := e.Encode("hi")
	fmt.Printf("% x, %v\n", b.Bytes(), err)
	// Output: a2 68 69, <nil>
}
