package layout_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/octet-go/octet/internal/reference/layout"
)

type message struct {
	Size uint16 `layout:"len=Text"`
	Text string
	Sum  uint8 `layout:"sum8=Size..Text"`
}

func ExampleConfig_Marshal() {
	data, err := layout.Config{}.Marshal(message{Text: "abc"})
	fmt.Printf("% x %v\n", data, err)
	// Output: 00 03 61 62 63 29 <nil>
}

func ExampleConfig_Unmarshal() {
	var m message
	err := layout.Config{}.Unmarshal([]byte("\x00\x03abc\x28"), &m)
	fmt.Println(err)
	// Output: wrong checksum: Sum: 40, want 41
}

func ExampleConfig_UnmarshalPrefix() {
	var m message
	n, err := layout.Config{}.UnmarshalPrefix([]byte("\x00\x03abc\x29rest"), &m)
	fmt.Println(n, m.Text, err)
	// Output: 6 abc <nil>
}

func ExampleConfig_Validate() {
	type wrong struct {
		A uint8 `layout:"bits=7"`
	}
	fmt.Println(layout.Config{}.Validate(reflect.TypeFor[wrong]()))
	// Output: wrong declaration: layout_test.wrong.A: a run of 7 bits
}

func ExampleRandomType() {
	r := rand.New(rand.NewPCG(1, 1))
	c := layout.RandomConfig(nil)
	t := layout.RandomType(r)
	v, ok := c.RandomValue(r, t)
	data, err := c.Marshal(v.Interface())
	fmt.Println(t.Kind(), ok, len(data) > 0, err)
	// Output: struct true true <nil>
}

func ExampleRandomConfig() {
	for t, u := range layout.RandomConfig(nil).Unions {
		fmt.Println(t, len(u.Variants), "variants")
	}
	// Output: interface {} 4 variants
}

func ExampleConfig_RandomValue() {
	r := rand.New(rand.NewPCG(1, 1))
	v, ok := layout.Config{}.RandomValue(r, reflect.TypeFor[message]())
	_, err := layout.Config{}.Marshal(v.Interface())
	fmt.Println(ok, err)
	// Output: true <nil>
}

func ExampleBlank() {
	fmt.Println(layout.Blank([]byte{1, 0, 0}, 1, 2) == 1+2*' ')
	// Output: true
}

func ExampleUserText_AppendLayout() {
	data, err := layout.UserText("ab").AppendLayout(nil)
	fmt.Printf("%q %v\n", data, err)
	// Output: "\x02ab" <nil>
}

func ExampleUserText_DecodeLayout() {
	var u layout.UserText
	n, err := u.DecodeLayout([]byte("\x02abc"))
	fmt.Println(u, n, err)
	// Output: ab 3 <nil>
}

func ExampleBinaryText_AppendBinary() {
	data, err := layout.BinaryText("ab").AppendBinary(nil)
	fmt.Printf("%q %v\n", data, err)
	// Output: "ab" <nil>
}

func ExampleBinaryText_UnmarshalBinary() {
	var b layout.BinaryText
	fmt.Println(b.UnmarshalBinary([]byte("a\xff")))
	// Output: not a text
}
