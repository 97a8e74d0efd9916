package msgpack_test

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"

	"github.com/octet-go/octet/msgpack"
)

func Example() {
	type User struct {
		Name  string            `msgpack:"name"`
		Age   int               `msgpack:"age"`
		Tags  []string          `msgpack:"tags,omitempty"`
		Since time.Time         `msgpack:"since"`
		Extra map[string]string `msgpack:"extra,omitempty"`
	}
	data, err := msgpack.Marshal(User{Name: "Ada", Age: 36, Since: time.Unix(1_000_000_000, 0)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(data), "bytes")

	var user User
	if err := msgpack.Unmarshal(data, &user); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(user.Name, user.Age, user.Since)
	// Output:
	// 27 bytes
	// Ada 36 2001-09-09 01:46:40 +0000 UTC
}

func ExampleMarshal() {
	type Point struct{ X, Y int }
	data, err := msgpack.Marshal([]any{Point{1, 300}, "text", nil, 1.5, []byte{7}})
	fmt.Printf("% x, %v\n", data, err)
	// Output: 95 82 a1 58 01 a1 59 cd 01 2c a4 74 65 78 74 c0 cb 3f f8 00 00 00 00 00 00 c4 01 07, <nil>
}

func ExampleMarshal_unsupported() {
	type Job struct{ Done chan bool }
	_, err := msgpack.Marshal(map[string]Job{"a": {}})
	fmt.Println(err)
	fmt.Println(errors.Is(err, msgpack.ErrUnsupported))
	// Output:
	// msgpack: marshal ["a"].Done: found chan bool: unsupported type
	// true
}

func ExampleMarshal_tags() {
	type Address struct{ Street, City string }
	type Version struct {
		_            struct{} `msgpack:",as_array"`
		Major, Minor int
	}
	type Account struct {
		ID       int     `msgpack:"id"`
		Nickname string  `msgpack:",omitempty"`
		Password string  `msgpack:"-"`
		Home     Address `msgpack:",inline"`
		Version  Version
	}
	data, err := msgpack.Marshal(Account{ID: 1, Password: "secret", Home: Address{"Main St", "Oslo"}, Version: Version{Major: 2, Minor: 5}})
	if err != nil {
		fmt.Println(err)
		return
	}
	var fields map[string]any
	err = msgpack.Unmarshal(data, &fields)
	fmt.Println(fields, err)
	// Output: map[City:Oslo Street:Main St Version:[2 5] id:1] <nil>
}

func ExampleMarshalAppend() {
	buf := make([]byte, 0, 64)
	for _, v := range []any{1, "two", []int{3}} {
		var err error
		if buf, err = msgpack.MarshalAppend(buf, v); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Printf("% x\n", buf)
	// Output: 01 a3 74 77 6f 91 03
}

func ExampleUnmarshal() {
	// {"name": "Ada", "langs": ["en", "fr"], "more": 1}
	data := []byte("\x83\xa4name\xa3Ada\xa5langs\x92\xa2en\xa2fr\xa4more\x01")

	var user struct {
		Name  string   `msgpack:"name"`
		Langs []string `msgpack:"langs"`
	}
	err := msgpack.Unmarshal(data, &user)
	fmt.Printf("%+v %v\n", user, err)

	var anything any
	err = msgpack.Unmarshal(data, &anything)
	fmt.Println(anything, err)
	// Output:
	// {Name:Ada Langs:[en fr]} <nil>
	// map[langs:[en fr] more:1 name:Ada] <nil>
}

func ExampleUnmarshal_range() {
	var small int8
	err := msgpack.Unmarshal([]byte{0xcd, 0x01, 0x00}, &small) // 256
	fmt.Println(small, err)
	// Output: 0 msgpack: unmarshal at offset 0: found uint 16 256, want int8: number out of range
}

func ExampleUnmarshalPrefix() {
	data := []byte("\x01\xa3two\x91\x03") // three values
	for len(data) > 0 {
		var v any
		n, err := msgpack.UnmarshalPrefix(data, &v)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v, "in", n)
		data = data[n:]
	}
	// Output:
	// 1 in 1
	// two in 4
	// [3] in 2
}

func ExampleValid() {
	fmt.Println(msgpack.Valid([]byte("\x82\xa1a\x01\xa1b\x92\x02\x03")))
	fmt.Println(msgpack.Valid([]byte("\x82\xa1a\x01\xa1b\x92\x02\xc1")))
	// Output:
	// <nil>
	// msgpack: validate ["b"][1] at offset 8: found byte c1: reserved format byte c1
}

func ExampleRaw() {
	// The type says how the body is to be decoded.
	type Event struct {
		Type string      `msgpack:"type"`
		Body msgpack.Raw `msgpack:"body"`
	}
	var e Event
	if err := msgpack.Unmarshal([]byte("\x82\xa4type\xa4move\xa4body\x92\x03\x04"), &e); err != nil {
		fmt.Println(err)
		return
	}
	switch e.Type {
	case "move":
		var to [2]int
		err := msgpack.Unmarshal(e.Body, &to)
		fmt.Println("to", to, err)
	}
	// Output: to [3 4] <nil>
}

func ExampleExt() {
	data, err := msgpack.Marshal(msgpack.Ext{Type: 5, Data: []byte{1, 2}})
	fmt.Printf("% x, %v\n", data, err)

	var v any
	err = msgpack.Unmarshal(data, &v)
	fmt.Printf("%+v, %v\n", v, err)
	// Output:
	// d5 05 01 02, <nil>
	// {Type:5 Data:[1 2]}, <nil>
}

// RGB is encoded as three bytes, and as #rrggbb in text.
type RGB struct{ R, G, B uint8 }

func (c RGB) AppendMsgpack(dst []byte) ([]byte, error) {
	return msgpack.MarshalAppend(dst, [3]byte{c.R, c.G, c.B})
}

func (c *RGB) UnmarshalMsgpack(data []byte) error {
	var b [3]byte
	err := msgpack.Unmarshal(data, &b)
	*c = RGB{b[0], b[1], b[2]}
	return err
}

func ExampleAppender() {
	data, err := msgpack.Marshal([]RGB{{255, 0, 0}, {0, 0, 128}})
	fmt.Printf("% x, %v\n", data, err)
	// Output: 92 c4 03 ff 00 00 c4 03 00 00 80, <nil>
}

func ExampleUnmarshaler() {
	var colors []RGB
	err := msgpack.Unmarshal([]byte("\x92\xc4\x03\xff\x00\x00\xc4\x03\x00\x00\x80"), &colors)
	fmt.Println(colors, err)
	// Output: [{255 0 0} {0 0 128}] <nil>
}

// Level is encoded as its name.
type Level int

func (l Level) MarshalMsgpack() ([]byte, error) {
	names := []string{"low", "high"}
	if l < 0 || int(l) >= len(names) {
		return nil, fmt.Errorf("no level %d", int(l))
	}
	return msgpack.Marshal(names[l])
}

func ExampleMarshaler() {
	data, err := msgpack.Marshal(map[string]Level{"alarm": 1})
	fmt.Printf("%q, %v\n", data, err)
	_, err = msgpack.Marshal(Level(7))
	fmt.Println(err)
	// Output:
	// "\x81\xa5alarm\xa4high", <nil>
	// msgpack: marshal: found msgpack_test.Level: no level 7
}

// Methods of types in the standard library are used too.
func Example_textAndBinary() {
	data, err := msgpack.Marshal(netip.MustParseAddr("192.0.2.1"))
	fmt.Printf("% x, %v\n", data, err)

	var addr netip.Addr
	err = msgpack.Unmarshal([]byte("\xa9192.0.2.7"), &addr) // as text, from elsewhere
	fmt.Println(addr, err)
	// Output:
	// c4 04 c0 00 02 01, <nil>
	// 192.0.2.7 <nil>
}

func ExampleError() {
	type Address struct{ Zip int32 }
	type User struct{ Address Address }
	var company struct{ Users []User }

	data := []byte("\x81\xa5Users\x92\x80\x81\xa7Address\x81\xa3Zip\xa5N1C4A")
	err := msgpack.Unmarshal(data, &company)

	var e *msgpack.Error
	if errors.As(err, &e) {
		fmt.Println("path:  ", e.Path)
		fmt.Println("offset:", e.Offset)
		fmt.Println("found: ", e.Found)
		fmt.Println("want:  ", e.Want)
		fmt.Println("kind:  ", e.Header.Format.Kind())
		fmt.Println("type:  ", e.Type)
		fmt.Println("reason:", e.Err)
	}
	// Output:
	// path:   Users[1].Address.Zip
	// offset: 23
	// found:  fixstr of 5 bytes
	// want:   int32
	// kind:   str
	// type:   int32
	// reason: msgpack: value does not fit the Go type
}

func ExampleError_Error() {
	var n int
	err := msgpack.Unmarshal([]byte{0xcd, 0x01}, &n)
	fmt.Println(err.Error())
	// Output: msgpack: unmarshal at offset 0: found uint 16, 1 byte left, want int: truncated input
}

func ExampleError_Unwrap() {
	var n int
	err := msgpack.Unmarshal([]byte{0xcd, 0x01}, &n)
	fmt.Println(errors.Is(err, msgpack.ErrTruncated), errors.Is(err, msgpack.ErrRange))
	// Output: true false
}

func ExampleMaxDepth() {
	deep := strings.Repeat("\x91", msgpack.MaxDepth) + "\x01"
	fmt.Println(msgpack.Valid([]byte(deep)))
	err := msgpack.Valid([]byte("\x91" + deep))
	fmt.Println(errors.Is(err, msgpack.ErrDepth))
	// Output:
	// <nil>
	// true
}

func ExampleError_Is() {
	data := []byte("\xa2ab\xa1c\xa5de")
	for {
		var s string
		n, err := msgpack.UnmarshalPrefix(data, &s)
		if errors.Is(err, io.EOF) { // between two values
			break
		}
		if err != nil {
			fmt.Println(err, errors.Is(err, io.ErrUnexpectedEOF))
			break
		}
		fmt.Println(s)
		data = data[n:]
	}
	// Output:
	// ab
	// c
	// msgpack: unmarshal at offset 0: found fixstr of 5 bytes, 2 left, want string: truncated input true
}

// A field that was renamed, and a struct with integers as keys.
func Example_keys() {
	type User struct {
		Name string `msgpack:"name,alias=login"`
	}
	var u User
	err := msgpack.Unmarshal([]byte("\x81\xa5login\xa3Ada"), &u)
	fmt.Println(u.Name, err)

	type Point struct {
		X int `msgpack:"1,keyasint"`
		Y int `msgpack:"2,keyasint"`
	}
	data, err := msgpack.Marshal(Point{X: 7, Y: 8})
	fmt.Printf("% x %v\n", data, err)
	// Output:
	// Ada <nil>
	// 82 01 07 02 08 <nil>
}
