package reference_test

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/octet-go/octet/internal/reference"
)

// The types of package msgpack that the reference needs but cannot import.
type (
	Raw []byte
	Ext struct {
		Type int8
		Data []byte
	}
)

var ref = reference.MessagePack{Raw: reflect.TypeFor[Raw](), Ext: reflect.TypeFor[Ext]()}

func ExampleMessagePack_Marshal() {
	b, err := ref.Marshal(struct {
		ID   int `msgpack:"id"`
		Tags []string
		More Raw
	}{7, []string{"a"}, Raw{0xc3}})
	fmt.Printf("% x %v\n", b, err)
	// Output: 83 a2 69 64 07 a4 54 61 67 73 91 a1 61 a4 4d 6f 72 65 c3 <nil>
}

func ExampleMessagePack_Unmarshal() {
	var v struct {
		ID  uint8 `msgpack:"id"`
		Any any
	}
	err := ref.Unmarshal([]byte("\x82\xa2id\x07\xa3Any\xd4\x05\x01"), &v)
	fmt.Printf("%+v %v\n", v, err)
	err = ref.Unmarshal([]byte("\x81\xa2id\xff"), &v)
	fmt.Println(errors.Is(err, reference.ErrRange), err)
	// Output:
	// {ID:7 Any:{Type:5 Data:[1]}} <nil>
	// true reference: number out of range: -1 into uint8
}

func ExampleMessagePack_Valid() {
	fmt.Println(ref.Valid([]byte{0x92, 0x01, 0xc0}))
	fmt.Println(errors.Is(ref.Valid([]byte{0x92, 0x01}), reference.ErrTruncated))
	// Output:
	// <nil>
	// true
}

// Two encodings of the same map may have different orders of entries.
func ExampleMessagePack_SortMaps() {
	a, _ := ref.SortMaps([]byte{0x82, 0x01, 0xc2, 0x02, 0xc3})
	b, _ := ref.SortMaps([]byte{0x82, 0x02, 0xc3, 0x01, 0xc2})
	fmt.Printf("% x\n% x\n", a, b)
	// Output:
	// 82 01 c2 02 c3
	// 82 01 c2 02 c3
}
