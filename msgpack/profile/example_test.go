package profile_test

import (
	"fmt"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
)

type Base struct{ ID int64 }

type User struct {
	Base
	Name string `msgpack:"name"`
}

// show prints the bytes of v under o.
func show(o msgpack.Options, v any) {
	codec, err := msgpack.New(o)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := codec.Marshal(v)
	fmt.Printf("% x %v\n", b, err)
}

func ExampleVmihailenco() {
	show(msgpack.Options{}, User{Base{200}, "Ada"})
	show(profile.Vmihailenco(), User{Base{200}, "Ada"})
	// Output:
	// 82 a2 49 44 cc c8 a4 6e 61 6d 65 a3 41 64 61 <nil>
	// 82 a2 49 44 d3 00 00 00 00 00 00 00 c8 a4 6e 61 6d 65 a3 41 64 61 <nil>
}

func ExampleVmihailencoV4() {
	show(profile.Vmihailenco(), []int{1})
	show(profile.VmihailencoV4(), []int{1})
	// Output:
	// 91 01 <nil>
	// 91 d3 00 00 00 00 00 00 00 01 <nil>
}

func ExampleShamaton() {
	// The fields of embedded structs come last.
	show(profile.Shamaton(), User{Base{200}, "Ada"})
	// Output: 82 a4 6e 61 6d 65 a3 41 64 61 a2 49 44 cc c8 <nil>
}

func ExampleShamatonArray() {
	show(profile.ShamatonArray(), User{Base{200}, "Ada"})
	// Output: 92 a3 41 64 61 cc c8 <nil>
}

func ExampleShamatonV2() {
	// The embedded struct is a field.
	show(profile.ShamatonV2(), User{Base{200}, "Ada"})
	// Output: 82 a4 42 61 73 65 81 a2 49 44 cc c8 a4 6e 61 6d 65 a3 41 64 61 <nil>
}

func ExampleShamatonV2Array() {
	show(profile.ShamatonV2Array(), User{Base{200}, "Ada"})
	// Output: 92 91 cc c8 a3 41 64 61 <nil>
}

func ExampleUgorji() {
	show(profile.Ugorji(), []any{200, []byte{1}, time.Unix(1, 0)})
	// Output: 93 d1 00 c8 a1 01 a4 00 00 00 01 <nil>
}

func ExampleUgorjiExt() {
	show(profile.UgorjiExt(), []any{200, []byte{1}, time.Unix(1, 0)})
	// Output: 93 d1 00 c8 c4 01 01 d6 ff 00 00 00 01 <nil>
}

func ExampleHashicorp() {
	// The fields are in the order of their names.
	show(profile.Hashicorp(), struct{ Term, Index uint64 }{1, 2})
	// Output: 82 a5 49 6e 64 65 78 02 a4 54 65 72 6d 01 <nil>
}

func ExampleMsgp() {
	// The embedded struct is a field.
	show(profile.Msgp(), User{Base{200}, "Ada"})
	// Output: 82 a4 42 61 73 65 81 a2 49 44 d1 00 c8 a4 6e 61 6d 65 a3 41 64 61 <nil>
}

// Options can be changed before msgpack.New checks them.
func Example() {
	o := profile.Vmihailenco()
	o.RejectUnknown = true
	codec, err := msgpack.New(o)
	if err != nil {
		fmt.Println(err)
		return
	}
	var u User
	fmt.Println(codec.Unmarshal([]byte("\x81\xa3age\x05"), &u))
	// Output: msgpack: unmarshal ["age"] at offset 1: found fixstr of 3 bytes, want profile_test.User: unknown field
}
