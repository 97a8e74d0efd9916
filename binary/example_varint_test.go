package binary_test

import (
	"bytes"
	"fmt"

	"github.com/octet-go/octet/binary"
)

func ExampleAppendUvarint() {
	fmt.Println(binary.AppendUvarint(nil, 300))
	// Output: [172 2]
}

func ExampleAppendVarint() {
	fmt.Println(binary.AppendVarint(nil, -1), binary.AppendVarint(nil, 300))
	// Output: [1] [216 4]
}

func ExamplePutUvarint() {
	b := make([]byte, binary.MaxVarintLen64)
	n := binary.PutUvarint(b, 300)
	fmt.Println(b[:n])
	// Output: [172 2]
}

func ExamplePutVarint() {
	b := make([]byte, binary.MaxVarintLen64)
	n := binary.PutVarint(b, -65)
	fmt.Println(b[:n])
	// Output: [129 1]
}

func ExampleUvarint() {
	fmt.Println(binary.Uvarint([]byte{172, 2, 7}))
	fmt.Println(binary.Uvarint([]byte{172}))
	// Output:
	// 300 2
	// 0 0
}

func ExampleVarint() {
	fmt.Println(binary.Varint([]byte{129, 1}))
	// Output: -65 2
}

func ExampleReadUvarint() {
	fmt.Println(binary.ReadUvarint(bytes.NewReader([]byte{172, 2})))
	// Output: 300 <nil>
}

func ExampleReadVarint() {
	fmt.Println(binary.ReadVarint(bytes.NewReader([]byte{129, 1})))
	// Output: -65 <nil>
}
