package bytebuf_test

import (
	"fmt"

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
	p := b.Bytes() // only to show the effect; do not use the memory after Put
	secrets.Put(b)
	fmt.Println(p)

	// Output:
	// [0 0 0 0 0 0 0 0]
}
