package wire_test

import (
	"errors"
	"fmt"
	"io"

	"github.com/octet-go/octet/msgpack/wire"
)

// A program that knows what it sends writes the message straight into its
// buffer, and reads one in the order that it expects.
func Example() {
	b := make([]byte, 0, 64)
	b = wire.AppendMapHeader(b, 2)
	b = wire.AppendString(b, "id")
	b = wire.AppendInt(b, 42)
	b = wire.AppendString(b, "tags")
	b = wire.AppendArrayHeader(b, 2)
	b = wire.AppendString(b, "new")
	b = wire.AppendString(b, "red")
	fmt.Printf("% x\n", b)

	pairs, n, err := wire.ConsumeMapHeader(b)
	for range pairs {
		if err != nil {
			break
		}
		var key []byte
		var size int
		if key, size, err = wire.ConsumeString(b[n:]); err != nil {
			break
		}
		n += size
		switch string(key) {
		case "id":
			var id int64
			id, size, err = wire.ConsumeInt(b[n:])
			fmt.Println("id is", id)
		default:
			size, err = wire.Skip(b[n:], wire.MaxDepth)
			fmt.Printf("%s takes %d bytes\n", key, size)
		}
		n += size
	}
	fmt.Println(n, "bytes read, error", err)
	// Output:
	// 82 a2 69 64 2a a4 74 61 67 73 92 a3 6e 65 77 a3 72 65 64
	// id is 42
	// tags takes 9 bytes
	// 19 bytes read, error <nil>
}

func ExampleSkip() {
	src := []byte{0x92, 0x01, 0xa2, 'h', 'i', 0xc0} // [1, "hi"], then nil
	n, err := wire.Skip(src, wire.MaxDepth)
	fmt.Println(n, err)

	// Five bytes that claim four billion elements.
	n, err = wire.Skip([]byte{0xdd, 0xff, 0xff, 0xff, 0xff}, wire.MaxDepth)
	fmt.Println(n, err)

	// The offset is that of the value at fault: here the second array.
	n, err = wire.Skip([]byte{0x91, 0x91, 0xc0}, 1)
	fmt.Println(n, err)
	// Output:
	// 5 <nil>
	// 0 msgpack: truncated input
	// 1 msgpack: nested too deeply
}

func ExampleFormatOf() {
	for _, b := range []byte{0x05, 0x93, 0xa4, 0xcd, 0xff} {
		fmt.Printf("%02x %v\n", b, wire.FormatOf(b))
	}
	// Output:
	// 05 positive fixint
	// 93 fixarray
	// a4 fixstr
	// cd uint 16
	// ff negative fixint
}

func ExampleFormat_Kind() {
	fmt.Println(wire.FixStr.Kind(), wire.Str32.Kind(), wire.FixExt4.Kind(), wire.Int16.Kind())
	// Output: str str ext int
}

func ExampleFormat_String() {
	fmt.Println(wire.Array16.String())
	// Output: array 16
}

func ExampleKind_String() {
	fmt.Println(wire.KindMap.String())
	// Output: map
}

func ExampleHeader_Values() {
	h, _, err := wire.ConsumeHeader([]byte{0xdf, 0xff, 0xff, 0xff, 0xff})
	fmt.Println(h.Count, "pairs are", h.Values(), "values", err)
	// Output: 4294967295 pairs are 8589934590 values <nil>
}

func ExampleError_Is() {
	_, _, err := wire.ConsumeInt([]byte{0xcd, 1})
	fmt.Println(errors.Is(err, wire.ErrTruncated), errors.Is(err, io.ErrUnexpectedEOF))
	// Output: true true
}

func ExampleError_Error() {
	_, _, err := wire.ConsumeInt([]byte{0xa2, 'h', 'i'})
	fmt.Println(err)
	fmt.Println(errors.Is(err, wire.ErrFormat))
	// Output:
	// msgpack: unexpected format
	// true
}
