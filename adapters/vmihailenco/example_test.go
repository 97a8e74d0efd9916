package vmihailenco_test

import (
	"fmt"
	"log"

	"github.com/octet-go/octet/adapters/vmihailenco"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
	other "github.com/vmihailenco/msgpack/v5"
)

// A Color has methods for vmihailenco/msgpack.
type Color struct{ R, G, B uint8 }

func (c Color) EncodeMsgpack(e *other.Encoder) error {
	return e.EncodeString(fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B))
}

func (c *Color) DecodeMsgpack(d *other.Decoder) error {
	s, err := d.DecodeString()
	if err != nil {
		return err
	}
	_, err = fmt.Sscanf(s, "#%02x%02x%02x", &c.R, &c.G, &c.B)
	return err
}

func ExampleHooks() {
	o := profile.Vmihailenco()
	o.Types = append(o.Types, vmihailenco.Hooks())
	codec, err := msgpack.New(o)
	if err != nil {
		log.Fatal(err)
	}
	data, err := codec.Marshal(map[string]Color{"sky": {0x87, 0xce, 0xeb}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n", data)
	var back map[string]Color
	fmt.Println(codec.Unmarshal(data, &back), back)
	// Output:
	// "\x81\xa3sky\xa7#87ceeb"
	// <nil> map[sky:{135 206 235}]
}

type Count int64

func (c Count) EncodeMsgpack(e *other.Encoder) error { return e.Encode(int64(c)) }

func ExampleHooksWith() {
	// The options that the program sets on its Encoders.
	hooks := vmihailenco.HooksWith(func(e *other.Encoder) { e.UseCompactInts(true) }, nil)
	codec, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{hooks}})
	if err != nil {
		log.Fatal(err)
	}
	data, err := codec.Marshal(Count(200))
	fmt.Printf("% x %v\n", data, err)
	// Output: cc c8 <nil>
}
