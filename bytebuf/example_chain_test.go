package bytebuf_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"strings"

	"github.com/octet-go/octet/bytebuf"
)

func ExamplePool() {
	var buffers = bytebuf.Pool{Max: 1 << 20}

	b := buffers.Get()
	defer buffers.Put(b)
	fmt.Fprintf(b, "%d items", 3)
	fmt.Println(b.String())

	// Output:
	// 3 items
}

func ExamplePool_Get() {
	messages := bytebuf.Pool{Size: 4096}
	b := messages.Get()
	fmt.Println(b.Len(), b.Cap())

	// Output:
	// 0 4096
}

func ExamplePool_Put() {
	secrets := bytebuf.Pool{Wipe: true}
	b := secrets.Get()
	b.WriteString("password")
	p := b.Bytes() // to see what becomes of it; not otherwise, after Put
	secrets.Put(b)
	fmt.Println(p)

	// Output:
	// [0 0 0 0 0 0 0 0]
}

func ExampleChain() {
	var c bytebuf.Chain
	payload := []byte("a payload too long to be copied")
	c.Write([]byte{0, 0, 0, byte(len(payload))})
	c.Append(payload)

	var conn bytes.Buffer // or a *net.TCPConn, in one system call
	n, err := c.WriteTo(&conn)
	fmt.Println(n, err)
	fmt.Printf("%q\n", conn.String())

	// Output:
	// 35 <nil>
	// "\x00\x00\x00\x1fa payload too long to be copied"
}

func ExampleChain_Append() {
	var c bytebuf.Chain
	name := []byte("world")
	c.WriteString("hello, ")
	c.Append(name)
	fmt.Printf("%s\n", c.Bytes())

	// Output:
	// hello, world
}

func ExampleChain_Bytes() {
	var c bytebuf.Chain
	c.WriteString("one ")
	c.Append([]byte("two"))
	fmt.Printf("%s, %d bytes\n", c.Bytes(), c.Len())

	// Output:
	// one two, 7 bytes
}

func ExampleChain_Len() {
	var c bytebuf.Chain
	c.Append(make([]byte, 1<<20))
	fmt.Println(c.Len())

	// Output:
	// 1048576
}

func ExampleChain_Read() {
	var c bytebuf.Chain
	c.WriteString("hello")
	p := make([]byte, 4)
	n, err := c.Read(p)
	fmt.Printf("%s %v, %d left\n", p[:n], err, c.Len())

	// Output:
	// hell <nil>, 1 left
}

func ExampleChain_ReadFrom() {
	var c bytebuf.Chain
	n, err := c.ReadFrom(strings.NewReader("hello"))
	fmt.Println(n, err, c.Len())

	// Output:
	// 5 <nil> 5
}

func ExampleChain_Reset() {
	var c bytebuf.Chain
	c.WriteString("hello")
	c.Reset()
	fmt.Println(c.Len())

	// Output:
	// 0
}

func ExampleChain_Segments() {
	var c bytebuf.Chain
	c.WriteString("head ")
	c.Append([]byte("body"))
	sum := crc32.NewIEEE()
	for p := range c.Segments() {
		sum.Write(p)
	}
	fmt.Printf("%08x %08x\n", sum.Sum32(), crc32.ChecksumIEEE([]byte("head body")))

	// Output:
	// 1c30687a 1c30687a
}

func ExampleChain_Write() {
	var c bytebuf.Chain
	fmt.Fprintf(&c, "%d-%d", 1, 2)
	n, err := c.Write([]byte("-3"))
	fmt.Printf("%d %v %s\n", n, err, c.Bytes())

	// Output:
	// 2 <nil> 1-2-3
}

func ExampleChain_WriteByte() {
	var c bytebuf.Chain
	c.WriteByte('h')
	c.WriteByte('i')
	fmt.Printf("%s\n", c.Bytes())

	// Output:
	// hi
}

func ExampleChain_WriteString() {
	var c bytebuf.Chain
	n, err := c.WriteString("hello")
	fmt.Println(n, err)

	// Output:
	// 5 <nil>
}

func ExampleChain_WriteTo() {
	var c bytebuf.Chain
	c.WriteString("hello, ")
	c.Append([]byte("world\n"))
	n, err := c.WriteTo(os.Stdout)
	fmt.Println(n, err, c.Len())

	// Output:
	// hello, world
	// 13 <nil> 0
}
