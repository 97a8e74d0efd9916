package bytebuf_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/octet-go/octet/bytebuf"
)

func ExampleBuffer() {
	var b bytebuf.Buffer
	b.WriteString("Hello, ")
	b.Write([]byte("world"))
	b.WriteByte('!')
	fmt.Println(b.String(), b.Len())

	// Output:
	// Hello, world! 13
}

func ExampleNew() {
	b := bytebuf.New()
	b.WriteString("short, and not on the heap")
	fmt.Println(b.Len())

	// Output:
	// 26
}

func ExampleNewBuffer() {
	r := bytebuf.NewBuffer([]byte{0, 0, 1, 2})
	var n uint32
	binary.Read(r, binary.BigEndian, &n)
	fmt.Println(n)

	// A Buffer in existing memory.
	var array [256]byte
	w := bytebuf.NewBuffer(array[:0])
	w.WriteString("inside array")
	fmt.Println(string(array[:6]), w.Cap())

	// Output:
	// 258
	// inside 256
}

func ExampleNewBufferString() {
	r := bytebuf.NewBufferString("one two")
	var first, second string
	fmt.Fscan(r, &first, &second)
	fmt.Println(second, first)

	// Output:
	// two one
}

func ExampleBuffer_Available() {
	var b bytebuf.Buffer
	fmt.Println(b.Available())
	b.WriteString("hello")
	fmt.Println(b.Available())

	// Output:
	// 0
	// 59
}

func ExampleBuffer_AvailableBuffer() {
	var b bytebuf.Buffer
	for i := range 4 {
		p := b.AvailableBuffer()
		p = strconv.AppendInt(p, int64(i), 10)
		p = append(p, ' ')
		b.Write(p)
	}
	fmt.Println(b.String())

	// Output:
	// 0 1 2 3
}

func ExampleBuffer_Bytes() {
	var b bytebuf.Buffer
	b.WriteString("hello")
	p := b.Bytes()
	p[0] = 'j'
	fmt.Println(b.String())

	// Output:
	// jello
}

func ExampleBuffer_Cap() {
	b := bytebuf.NewBuffer(make([]byte, 0, 10))
	b.WriteString("hello")
	fmt.Println(b.Cap())

	// Output:
	// 10
}

func ExampleBuffer_Commit() {
	var b bytebuf.Buffer
	p := b.Reserve(10)
	n := copy(p, "four")
	b.Commit(n)
	fmt.Println(b.Len(), b.String())

	// Output:
	// 4 four
}

func ExampleBuffer_Grow() {
	var b bytebuf.Buffer
	b.Grow(100)
	fmt.Println(b.Available() >= 100, b.Len())

	// Output:
	// true 0
}

func ExampleBuffer_Len() {
	b := bytebuf.NewBufferString("hello")
	b.ReadByte()
	fmt.Println(b.Len())

	// Output:
	// 4
}

func ExampleBuffer_Next() {
	b := bytebuf.NewBufferString("magic rest")
	fmt.Printf("%s|%s|%s\n", b.Next(5), b.Next(100), b.Next(1))

	// Output:
	// magic| rest|
}

func ExampleBuffer_Peek() {
	b := bytebuf.NewBufferString("hello")
	p, err := b.Peek(2)
	fmt.Printf("%s %v\n", p, err)
	p, err = b.Peek(9)
	fmt.Printf("%s %v\n", p, err)

	// Output:
	// he <nil>
	// hello EOF
}

func ExampleBuffer_Read() {
	b := bytebuf.NewBufferString("hello")
	p := make([]byte, 3)
	for {
		n, err := b.Read(p)
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Printf("%s\n", p[:n])
	}

	// Output:
	// hel
	// lo
	// EOF
}

func ExampleBuffer_ReadByte() {
	b := bytebuf.NewBufferString("hi")
	c, err := b.ReadByte()
	fmt.Printf("%c %v\n", c, err)

	// Output:
	// h <nil>
}

func ExampleBuffer_ReadBytes() {
	b := bytebuf.NewBufferString("a;b")
	p, err := b.ReadBytes(';')
	fmt.Printf("%s %v\n", p, err)
	p, err = b.ReadBytes(';')
	fmt.Printf("%s %v\n", p, err)

	// Output:
	// a; <nil>
	// b EOF
}

func ExampleBuffer_ReadFrom() {
	// The capacity may be exactly the size of the data.
	b := bytebuf.NewBuffer(make([]byte, 0, 5))
	n, err := b.ReadFrom(strings.NewReader("hello"))
	fmt.Println(n, err, b.Cap())

	// Output:
	// 5 <nil> 5
}

func ExampleBuffer_ReadRune() {
	b := bytebuf.NewBufferString("é!")
	r, size, err := b.ReadRune()
	fmt.Printf("%c %d %v\n", r, size, err)

	// Output:
	// é 2 <nil>
}

func ExampleBuffer_ReadString() {
	b := bytebuf.NewBufferString("first\nsecond")
	line, err := b.ReadString('\n')
	fmt.Printf("%q %v\n", line, err)
	line, err = b.ReadString('\n')
	fmt.Printf("%q %v\n", line, err)

	// Output:
	// "first\n" <nil>
	// "second" EOF
}

func ExampleBuffer_Reserve() {
	var b bytebuf.Buffer
	const text = "a message, behind its length"
	p := b.Reserve(binary.MaxVarintLen64 + len(text))
	n := binary.PutUvarint(p, uint64(len(text)))
	n += copy(p[n:], text)
	b.Commit(n)
	fmt.Printf("%q\n", b.String())

	// Output:
	// "\x1ca message, behind its length"
}

func ExampleBuffer_Reset() {
	var b bytebuf.Buffer
	b.WriteString("hello")
	b.Reset()
	fmt.Println(b.Len(), b.Cap())

	// Output:
	// 0 64
}

func ExampleBuffer_String() {
	b := bytebuf.NewBufferString("hello")
	b.ReadByte()
	fmt.Println(b.String())
	b = nil
	fmt.Println(b.String())

	// Output:
	// ello
	// <nil>
}

func ExampleBuffer_Truncate() {
	b := bytebuf.NewBufferString("hello, world")
	b.Truncate(5)
	fmt.Println(b.String())

	// Output:
	// hello
}

func ExampleBuffer_UnreadByte() {
	b := bytebuf.NewBufferString("hello")
	b.ReadByte()
	fmt.Println(b.UnreadByte(), b.String())
	fmt.Println(b.UnreadByte())

	// Output:
	// <nil> hello
	// bytes.Buffer: UnreadByte: previous operation was not a successful read
}

func ExampleBuffer_UnreadRune() {
	b := bytebuf.NewBufferString("été")
	b.ReadRune()
	fmt.Println(b.UnreadRune(), b.String())

	// Output:
	// <nil> été
}

func ExampleBuffer_Wipe() {
	var b bytebuf.Buffer
	b.WriteString("password")
	p := b.Bytes()
	b.Wipe()
	fmt.Println(b.Len(), p)

	// Output:
	// 0 [0 0 0 0 0 0 0 0]
}

func ExampleBuffer_Write() {
	var b bytebuf.Buffer
	n, err := b.Write([]byte("hello"))
	fmt.Println(n, err)

	// Output:
	// 5 <nil>
}

func ExampleBuffer_WriteByte() {
	var b bytebuf.Buffer
	b.WriteByte('h')
	b.WriteByte('i')
	fmt.Println(b.String())

	// Output:
	// hi
}

func ExampleBuffer_WriteRune() {
	var b bytebuf.Buffer
	n, err := b.WriteRune('€')
	fmt.Println(n, err, b.String())

	// Output:
	// 3 <nil> €
}

func ExampleBuffer_WriteString() {
	var b bytebuf.Buffer
	n, err := b.WriteString("hello")
	fmt.Println(n, err)

	// Output:
	// 5 <nil>
}

func ExampleBuffer_WriteTo() {
	b := bytebuf.NewBufferString("hello\n")
	n, err := b.WriteTo(os.Stdout)
	fmt.Println(n, err, b.Len())

	// Output:
	// hello
	// 6 <nil> 0
}
