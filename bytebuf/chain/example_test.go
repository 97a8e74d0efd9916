package chain_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"strings"

	"github.com/octet-go/octet/bytebuf/chain"
)

func ExampleBuffer() {
	var b chain.Buffer
	payload := []byte("a payload too long to be copied")
	b.Write([]byte{0, 0, 0, byte(len(payload))})
	b.Append(payload)

	var conn bytes.Buffer // a *net.TCPConn would need only one system call
	n, err := b.WriteTo(&conn)
	fmt.Println(n, err)
	fmt.Printf("%q\n", conn.String())

	// Output:
	// 35 <nil>
	// "\x00\x00\x00\x1fa payload too long to be copied"
}

func ExampleBuffer_Append() {
	var b chain.Buffer
	name := []byte("world")
	b.WriteString("hello, ")
	b.Append(name)
	fmt.Printf("%s\n", b.Bytes())

	// Output:
	// hello, world
}

func ExampleBuffer_Bytes() {
	var b chain.Buffer
	b.WriteString("one ")
	b.Append([]byte("two"))
	fmt.Printf("%s, %d bytes\n", b.Bytes(), b.Len())

	// Output:
	// one two, 7 bytes
}

func ExampleBuffer_Len() {
	var b chain.Buffer
	b.Append(make([]byte, 1<<20))
	fmt.Println(b.Len())

	// Output:
	// 1048576
}

func ExampleBuffer_Read() {
	var b chain.Buffer
	b.WriteString("hello")
	p := make([]byte, 4)
	n, err := b.Read(p)
	fmt.Printf("%s %v, %d left\n", p[:n], err, b.Len())

	// Output:
	// hell <nil>, 1 left
}

func ExampleBuffer_ReadFrom() {
	var b chain.Buffer
	n, err := b.ReadFrom(strings.NewReader("hello"))
	fmt.Println(n, err, b.Len())

	// Output:
	// 5 <nil> 5
}

func ExampleBuffer_Reset() {
	var b chain.Buffer
	b.WriteString("hello")
	b.Reset()
	fmt.Println(b.Len())

	// Output:
	// 0
}

func ExampleBuffer_Segments() {
	var b chain.Buffer
	b.WriteString("head ")
	b.Append([]byte("body"))
	sum := crc32.NewIEEE()
	for p := range b.Segments() {
		sum.Write(p)
	}
	fmt.Printf("%08x %08x\n", sum.Sum32(), crc32.ChecksumIEEE([]byte("head body")))

	// Output:
	// 1c30687a 1c30687a
}

func ExampleBuffer_Write() {
	var b chain.Buffer
	fmt.Fprintf(&b, "%d-%d", 1, 2)
	n, err := b.Write([]byte("-3"))
	fmt.Printf("%d %v %s\n", n, err, b.Bytes())

	// Output:
	// 2 <nil> 1-2-3
}

func ExampleBuffer_WriteByte() {
	var b chain.Buffer
	b.WriteByte('h')
	b.WriteByte('i')
	fmt.Printf("%s\n", b.Bytes())

	// Output:
	// hi
}

func ExampleBuffer_WriteString() {
	var b chain.Buffer
	n, err := b.WriteString("hello")
	fmt.Println(n, err)

	// Output:
	// 5 <nil>
}

func ExampleBuffer_WriteTo() {
	var b chain.Buffer
	b.WriteString("hello, ")
	b.Append([]byte("world\n"))
	n, err := b.WriteTo(os.Stdout)
	fmt.Println(n, err, b.Len())

	// Output:
	// hello, world
	// 13 <nil> 0
}
