package msgp_test

import (
	"fmt"
	"log"

	"github.com/octet-go/octet/adapters/msgp"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
	other "github.com/tinylib/msgp/msgp"
)

// A Color has methods for tinylib/msgp.
type Color struct{ R, G, B uint8 }

func (c *Color) EncodeMsg(w *other.Writer) error {
	return w.WriteString(fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B))
}

func (c *Color) DecodeMsg(r *other.Reader) error {
	s, err := r.ReadString()
	if err != nil {
		return err
	}
	_, err = fmt.Sscanf(s, "#%02x%02x%02x", &c.R, &c.G, &c.B)
	return err
}

func ExampleHooks() {
	o := profile.Msgp()
	o.Types = append(o.Types, msgp.Hooks())
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

// A Flag is a bool that is written as an int.
type Flag bool

func (f Flag) MarshalMsg(b []byte) ([]byte, error) {
	if f {
		return other.AppendInt(b, 1), nil
	}
	return other.AppendInt(b, 0), nil
}

func (f *Flag) UnmarshalMsg(b []byte) (rest []byte, err error) {
	n, rest, err := other.ReadIntBytes(b)
	*f = n != 0
	return rest, err
}

func ExampleMarshalers() {
	codec, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{msgp.Marshalers()}})
	if err != nil {
		log.Fatal(err)
	}
	data, err := codec.Marshal([]Flag{true, false})
	fmt.Printf("% x %v\n", data, err)
	// Output: 92 01 00 <nil>
}
