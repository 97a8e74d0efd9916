package msgpack_test

import (
	"fmt"
	"reflect"

	"github.com/octet-go/octet/msgpack"
)

// reading is a type with generated code for the examples, which call one function each.
type reading struct{ Value int }

// exampleRead is what the function that decodes a reading does after the header and the key.
var exampleRead func(in *msgpack.Input, pos, depth int) (end int)

func (*reading) OctetMsgpack() msgpack.Generated[reading] {
	return msgpack.Generated[reading]{
		Fingerprint: "da3a62fa9a127c2e",
		Append: func(dst []byte, v *reading, depth int) ([]byte, bool) {
			return msgpack.AppendPart(append(dst, "\x81\xa5Value"...), &v.Value, depth-1)
		},
		Decode: func(in *msgpack.Input, pos int, v *reading, depth int) int {
			return exampleRead(in, pos+len("\x81\xa5Value"), depth-1)
		},
	}
}

// decodeReading decodes a message whose value is read by a function.
func decodeReading(value string, read func(in *msgpack.Input, pos, depth int) (end int)) {
	exampleRead = read
	_, _ = msgpack.UnmarshalPrefix([]byte("\x81\xa5Value"+value), new(reading))
}

func ExampleForm_Fingerprint() {
	type user struct {
		ID int64 `msgpack:"id"`
	}
	type tagged struct {
		ID int64 `msgpack:"id,omitempty"`
	}
	of, err := msgpack.FormOf(reflect.TypeFor[user](), nil).Fingerprint()
	other, _ := msgpack.FormOf(reflect.TypeFor[tagged](), nil).Fingerprint()
	fmt.Println(of == other, err)
	// Output: false <nil>
}

func ExampleAppendPart() {
	b, ok := msgpack.AppendPart([]byte{0x91}, &[]string{"a"}, msgpack.MaxDepth-1)
	fmt.Printf("% x %v\n", b, ok)
	// Output: 91 91 a1 61 true
}

func ExampleAppendInteger() {
	fmt.Printf("% x\n", msgpack.AppendInteger([]byte{0x91}, uint16(300)))
	// Output: 91 cd 01 2c
}

func ExampleDecodePart() {
	decodeReading("\x92\x01\x02", func(in *msgpack.Input, pos, depth int) int {
		var v []int
		end := msgpack.DecodePart(in, pos, &v, depth)
		fmt.Println(v, end-pos)
		return end
	})
	// Output: [1 2] 3
}

func ExampleResize() {
	s := msgpack.Resize([]int{1, 2, 3}[:1], 2)
	fmt.Println(s, len(msgpack.Resize(s, 9)))
	// Output: [1 0] 9
}

func ExampleNumbers() {
	decodeReading("\x92\x07\x08", func(in *msgpack.Input, pos, _ int) int {
		v, end := msgpack.Numbers(in, pos, []int8{1})
		fmt.Println(v, end-pos)
		return pos + 3
	})
	// Output: [0 0] 1
}

func ExampleNewNumber() {
	decodeReading("\x07", func(in *msgpack.Input, pos, _ int) int {
		var v *int
		if n, end := msgpack.DecodeInteger[int](in, pos); end > 0 {
			v, pos = msgpack.NewNumber[int](in, pos), end
			*v = int(n)
		}
		fmt.Println(*v)
		return pos
	})
	// Output: 7
}

func ExampleInput_Bytes() {
	decodeReading("\x07", func(in *msgpack.Input, pos, _ int) int {
		fmt.Printf("% x\n", in.Bytes()[pos:])
		return pos + 1
	})
	// Output: 07
}

func ExampleDecodeInteger() {
	decodeReading("\xd1\xff\x00", func(in *msgpack.Input, pos, _ int) int {
		v, end := msgpack.DecodeInteger[int16](in, pos)
		fmt.Println(v, end-pos)
		return end
	})
	// Output: -256 3
}

func ExampleInput_String() {
	decodeReading("\xa2hi", func(in *msgpack.Input, pos, _ int) int {
		v, end := in.String(pos)
		fmt.Println(v, end-pos)
		return end
	})
	// Output: hi 3
}

func ExampleInput_StringPointer() {
	decodeReading("\xa2hi", func(in *msgpack.Input, pos, _ int) int {
		v, end := in.StringPointer(pos, nil)
		fmt.Println(*v, end-pos)
		return end
	})
	// Output: hi 3
}

func ExampleInput_Binary() {
	decodeReading("\xc4\x02\x01\x02", func(in *msgpack.Input, pos, _ int) int {
		v, end := in.Binary(pos, nil)
		fmt.Println(v, end-pos)
		return end
	})
	// Output: [1 2] 4
}

func ExampleInput_Time() {
	decodeReading("\xd6\xff\x00\x00\x00\x01", func(in *msgpack.Input, pos, _ int) int {
		v, end := in.Time(pos)
		fmt.Println(v, end-pos)
		return end
	})
	// Output: 1970-01-01 00:00:01 +0000 UTC 6
}

func ExampleInput_Array() {
	decodeReading("\x92\x01\x02", func(in *msgpack.Input, pos, _ int) int {
		n, end := in.Array(pos, 1)
		_, no := in.Array(pos, 100)
		fmt.Println(n, end-pos, no)
		return end + n
	})
	// Output: 2 1 -1
}

func ExampleInput_Map() {
	decodeReading("\x81\xa1a\x01", func(in *msgpack.Input, pos, _ int) int {
		n, end := in.Map(pos, 2)
		fmt.Println(n, end-pos)
		return end + 3
	})
	// Output: 1 1
}
