package msgpack_test

import (
	"fmt"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// must returns a codec for the examples.
func must(c msgpack.Options) *msgpack.Codec {
	codec, err := msgpack.New(c)
	if err != nil {
		panic(err)
	}
	return codec
}

func ExampleCodec() {
	codec := must(msgpack.Options{SortKeys: true})
	// Its method can be used where a library takes a function that encodes.
	var encode func(any) ([]byte, error) = codec.Marshal
	b, err := encode(map[string]int{"b": 2, "a": 1})
	fmt.Printf("%q %v\n", b, err)
	// Output: "\x82\xa1a\x01\xa1b\x02" <nil>
}

func ExampleCodec_Marshal() {
	codec := must(msgpack.Options{StructAsArray: true})
	b, err := codec.Marshal(struct{ X, Y int }{3, 4})
	fmt.Printf("% x %v\n", b, err)
	// Output: 92 03 04 <nil>
}

func ExampleCodec_MarshalAppend() {
	codec := must(msgpack.Options{TypedInts: true})
	b, err := codec.MarshalAppend([]byte("> "), int16(1))
	fmt.Printf("%q %v\n", b, err)
	// Output: "> \xd1\x00\x01" <nil>
}

func ExampleCodec_Unmarshal() {
	codec := must(msgpack.Options{RejectDuplicates: true})
	var m map[string]int
	err := codec.Unmarshal([]byte("\x82\xa1a\x01\xa1a\x02"), &m)
	fmt.Println(err)
	// Output: msgpack: unmarshal [key 1] at offset 4: found fixstr of 1 byte: duplicate key
}

func ExampleCodec_UnmarshalPrefix() {
	codec := must(msgpack.Options{AnyNumber: msgpack.AnyNumberFormat})
	var v any
	n, err := codec.UnmarshalPrefix([]byte{0xcc, 200, 1, 2}, &v)
	fmt.Printf("%T %v, %d bytes, %v\n", v, v, n, err)
	// Output: uint8 200, 2 bytes, <nil>
}

func ExampleCodec_Valid() {
	codec := must(msgpack.Options{MaxBytes: 3})
	fmt.Println(codec.Valid([]byte("\xa3abc")))
	fmt.Println(codec.Valid([]byte("\xa4abcd")))
	// Output:
	// <nil>
	// msgpack: validate at offset 0: found fixstr of 4 bytes: size limit exceeded
}

func ExampleTyped() {
	type Event struct {
		ID   int
		Name string
	}
	events, err := msgpack.For[Event](nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var buf []byte
	for i := range 3 {
		if buf, err = events.Append(buf[:0], &Event{i, "tick"}); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%q\n", buf)
	}
	// Output:
	// "\x82\xa2ID\x00\xa4Name\xa4tick"
	// "\x82\xa2ID\x01\xa4Name\xa4tick"
	// "\x82\xa2ID\x02\xa4Name\xa4tick"
}

func ExampleTyped_Append() {
	ints, err := msgpack.For[[]int](nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := ints.Append(nil, &[]int{1, -1})
	fmt.Printf("% x %v\n", b, err)
	// Output: 92 01 ff <nil>
}

func ExampleTyped_Unmarshal() {
	ints, err := msgpack.For[[]int](nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var v []int
	err = ints.Unmarshal([]byte{0x92, 1, 0xff}, &v)
	fmt.Println(v, err)
	// Output: [1 -1] <nil>
}

func ExampleTyped_UnmarshalPrefix() {
	texts, err := msgpack.For[string](nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	data := []byte("\xa2ab\xa1c")
	for len(data) > 0 {
		var s string
		n, err := texts.UnmarshalPrefix(data, &s)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(n, s)
		data = data[n:]
	}
	// Output:
	// 3 ab
	// 2 c
}

func ExampleCodec_Options() {
	codec, err := msgpack.New(msgpack.Options{SortKeys: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	o := codec.Options()
	fmt.Println(o.SortKeys)
	o.StructAsArray = true // o is a copy
	fmt.Println(codec.Options().StructAsArray)
	// Output:
	// true
	// false
}

func ExampleNumber_Int64() {
	fmt.Println(msgpack.Number("\xcd\x01\x00").Int64())
	fmt.Println(msgpack.Number("\xca\x3f\xc0\x00\x00").Int64()) // 1.5
	// Output:
	// 256 true
	// 0 false
}

func ExampleNumber_Uint64() {
	fmt.Println(msgpack.Number("\xff").Uint64()) // -1
	// Output: 0 false
}

func ExampleNumber_Float64() {
	fmt.Println(msgpack.Number("\xca\x3f\xc0\x00\x00").Float64())
	// Output: 1.5 true
}

func ExampleNumber_Format() {
	fmt.Println(msgpack.Number("\xcc\x07").Format())
	// Output: uint 8
}

func ExampleNumber_String() {
	fmt.Println(msgpack.Number("\xd1\xff\x00"))
	// Output: -256
}

func ExampleTimeForm() {
	type Event struct{ At msgpack.Number }
	for _, form := range []msgpack.TimeForm{msgpack.TimeUnix, msgpack.TimeUnixMilli} {
		b, err := must(msgpack.Options{Time: form}).Marshal(map[string]any{"At": time.Unix(86400, 0)})
		if err != nil {
			fmt.Println(err)
			return
		}
		var e Event
		err = msgpack.Unmarshal(b, &e)
		fmt.Println(e.At, err)
	}
	// Output:
	// 86400 <nil>
	// 86400000 <nil>
}

func ExampleAnyMap() {
	for _, kind := range []msgpack.AnyMap{msgpack.AnyMapAuto, msgpack.AnyMapAny, msgpack.AnyMapPairs} {
		var v any
		err := must(msgpack.Options{AnyMap: kind}).Unmarshal([]byte("\x81\xa1a\x01"), &v)
		fmt.Printf("%T %v %v\n", v, v, err)
	}
	// Output:
	// map[string]interface {} map[a:1] <nil>
	// map[interface {}]interface {} map[a:1] <nil>
	// msgpack.Pairs [{a 1}] <nil>
}

func ExampleAnyNumber() {
	for _, kind := range []msgpack.AnyNumber{msgpack.AnyNumberWide, msgpack.AnyNumberFormat, msgpack.AnyNumberRaw} {
		var v any
		err := must(msgpack.Options{AnyNumber: kind}).Unmarshal([]byte{0xcd, 1, 0}, &v)
		fmt.Printf("%T %v %v\n", v, v, err)
	}
	// Output:
	// int64 256 <nil>
	// uint16 256 <nil>
	// msgpack.Number 256 <nil>
}
