package ugorji_test

import (
	"fmt"
	"log"

	"github.com/octet-go/octet/adapters/ugorji"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
	"github.com/ugorji/go/codec"
)

// A Color has methods for ugorji/go/codec.
type Color struct{ R, G, B uint8 }

func (c *Color) CodecEncodeSelf(e *codec.Encoder) {
	e.MustEncode(fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B))
}

func (c *Color) CodecDecodeSelf(d *codec.Decoder) {
	var s string
	d.MustDecode(&s)
	if _, err := fmt.Sscanf(s, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
		panic(err)
	}
}

func ExampleHooks() {
	o := profile.Ugorji()
	o.Types = append(o.Types, ugorji.Hooks())
	c, err := msgpack.New(o)
	if err != nil {
		log.Fatal(err)
	}
	data, err := c.Marshal(map[string]Color{"sky": {0x87, 0xce, 0xeb}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n", data)
	var back map[string]Color
	fmt.Println(c.Unmarshal(data, &back), back)
	// Output:
	// "\x81\xa3sky\xa7#87ceeb"
	// <nil> map[sky:{135 206 235}]
}

// Blob writes its bytes.
type Blob struct{ b []byte }

func (b *Blob) CodecEncodeSelf(e *codec.Encoder) { e.MustEncode(b.b) }
func (b *Blob) CodecDecodeSelf(d *codec.Decoder) { d.MustDecode(&b.b) }

func ExampleHooksWith() {
	handle := new(codec.MsgpackHandle)
	handle.WriteExt = true // as in the rest of the program
	o := profile.UgorjiExt()
	o.Types = append(o.Types, ugorji.HooksWith(handle))
	c, err := msgpack.New(o)
	if err != nil {
		log.Fatal(err)
	}
	data, err := c.Marshal(&Blob{[]byte{1, 2}})
	fmt.Printf("% x %v\n", data, err)
	// Output: c4 02 01 02 <nil>
}
