package layout_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/octet-go/octet/layout"
)

type Move struct{ DX, DY int8 }

type Say struct {
	Text string `layout:"prefix=u8"`
}

type Command struct {
	Tag  uint8
	Body any `layout:"switch=Tag,prefix=u8"`
}

// commands returns a codec whose unions hold a Move or a Say.
func commands() *layout.Codec {
	c, err := layout.New(layout.Options{
		Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[Move](1), layout.VariantOf[*Say](2), layout.KeepUnknown())},
	})
	if err != nil {
		panic(err)
	}
	return c
}

func ExampleNew() {
	type Header struct {
		Size    uint32
		Version uint16 `layout:"be"`
	}
	c, err := layout.New(layout.Options{Order: binary.LittleEndian})
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := c.Marshal(Header{1, 2})
	fmt.Printf("% x %v\n", b, err)
	// Output: 01 00 00 00 00 02 <nil>
}

func ExampleUnion() {
	c := commands()
	b, err := c.Marshal(Command{Body: &Say{"hi"}})
	fmt.Printf("% x %v\n", b, err)
	var m Command
	err = c.Unmarshal([]byte{1, 2, 3, 4}, &m)
	fmt.Printf("%+v %v\n", m.Body, err)
	// Output:
	// 02 03 02 68 69 <nil>
	// {DX:3 DY:4} <nil>
}

func ExampleVariantOf() {
	_, err := layout.New(layout.Options{
		Unions: []layout.UnionCoder{layout.Union[fmt.Stringer](layout.VariantOf[Move](1))},
	})
	fmt.Println(err)
	// Output: layout: Options.Unions[0]: variant layout_test.Move does not implement fmt.Stringer
}

func ExampleCodec_Options() {
	o := commands().Options()
	o.MaxMessage = 3
	c, _ := layout.New(o)
	_, err := c.Marshal(&Command{Body: Move{1, -1}})
	fmt.Println(err)
	// Output: layout: Command at offset 0: message of 4 bytes exceeds the limit of 3
}

func ExampleKeepUnknown() {
	var m Command
	err := commands().Unmarshal([]byte{9, 2, 3, 4}, &m)
	fmt.Printf("%+v %v\n", m.Body, err)
	// Output: {Tag:9 Data:[3 4]} <nil>
}

func ExampleCodec_Marshal() {
	b, err := commands().Marshal(&Command{Body: Move{1, -1}})
	fmt.Printf("% x %v\n", b, err)
	// Output: 01 02 01 ff <nil>
}

func ExampleCodec_MarshalAppend() {
	b, err := commands().MarshalAppend([]byte("> "), &Command{Body: Move{1, 2}})
	fmt.Printf("%q %v\n", b, err)
	// Output: "> \x01\x02\x01\x02" <nil>
}

func ExampleCodec_Unmarshal() {
	var m Command
	err := commands().Unmarshal([]byte{2, 3, 2, 'h', 'i'}, &m)
	fmt.Println(m.Body.(*Say).Text, err)
	// Output: hi <nil>
}

func ExampleCodec_UnmarshalPrefix() {
	var m Command
	n, err := commands().UnmarshalPrefix([]byte{1, 2, 3, 4, 5}, &m)
	fmt.Println(n, m.Body, err)
	// Output: 4 {3 4} <nil>
}

func ExampleCodec_At() {
	var m Command
	n, err := commands().At([]byte{0, 0, 1, 2, 3, 4}, 2, &m)
	fmt.Println(n, m.Body, err)
	// Output: 4 {3 4} <nil>
}

func ExampleCodec_Read() {
	r := bytes.NewReader([]byte{1, 2, 3, 4, 5})
	var m Command
	err := commands().Read(r, &m)
	fmt.Println(m.Body, r.Len(), err)
	// Output: {3 4} 1 <nil>
}

func ExampleCodec_Write() {
	var w bytes.Buffer
	err := commands().Write(&w, Command{Body: &Say{"hello"}})
	fmt.Printf("%q %v\n", w.String(), err)
	// Output: "\x02\x06\x05hello" <nil>
}

func ExampleFor() {
	t, err := layout.For[Move](nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := t.Append(nil, &Move{1, 2})
	fmt.Println(b, err)

	type Wrong struct {
		Length uint8 `layout:"len=Dat"`
		Data   []byte
	}
	_, err = layout.For[Wrong](nil)
	fmt.Println(err)
	// Output:
	// [1 2] <nil>
	// layout: Wrong.Length: len=Dat: no field Dat in Wrong or the structs around it; did you mean Data?
}

func ExampleTyped_Append() {
	t, _ := layout.For[Command](commands())
	b, err := t.Append(nil, &Command{Body: Move{1, 2}})
	fmt.Println(b, err)
	// Output: [1 2 1 2] <nil>
}

func ExampleTyped_Unmarshal() {
	t, _ := layout.For[Command](commands())
	var m Command
	err := t.Unmarshal([]byte{1, 2, 3, 4}, &m)
	fmt.Println(m.Body, err)
	fmt.Println(t.Unmarshal([]byte{1, 2, 3, 4, 5}, &m))
	// Output:
	// {3 4} <nil>
	// layout: Command at offset 4: 1 byte follows the message
}

func ExampleTyped_UnmarshalPrefix() {
	t, _ := layout.For[Command](commands())
	var m Command
	n, err := t.UnmarshalPrefix([]byte{1, 2, 3, 4, 5}, &m)
	fmt.Println(n, m.Body, err)
	// Output: 4 {3 4} <nil>
}

func ExampleTyped_Size() {
	fixed, _ := layout.For[Move](nil)
	fmt.Println(fixed.Size(nil))
	t, _ := layout.For[Command](commands())
	fmt.Println(t.Size(&Command{Body: &Say{"hello"}}))
	// Output:
	// 2 <nil>
	// 8 <nil>
}

func ExampleTyped_Describe() {
	t, _ := layout.For[Command](commands())
	fmt.Print(t.Describe())
	// Output:
	// Command: at least 2 bytes
	//
	// offset  size  field      form   meaning
	//      0     1  Tag        u8     says what Body is
	//      1  u8+n  Body       union  by Tag
	//                 Move            Tag 1
	//      0     1      DX     i8
	//      1     1      DY     i8
	//                 Say             Tag 2
	//      0  u8+n      Text   text
	//                 Unknown         Tag other
	//      0  rest      Data   bytes
}

func ExampleTyped_Frames() {
	t, _ := layout.For[Command](commands())
	for m, err := range t.Frames(strings.NewReader("\x02\x03\x02hi\x01\x02\x03\x04\x01\x02")) {
		fmt.Println(m.Tag, err)
	}
	// Output:
	// 2 <nil>
	// 1 <nil>
	// 1 layout: Command.Body.DX at offset 2: 1 byte is needed, but the input ends after 0
}

// A Celsius encodes itself in tenths of a degree.
type Celsius float64

func (c Celsius) AppendLayout(dst []byte) ([]byte, error) {
	return binary.BigEndian.AppendUint16(dst, uint16(int16(c*10))), nil
}

func (c *Celsius) DecodeLayout(data []byte) (int, error) {
	if len(data) < 2 {
		return 0, layout.ErrTruncated
	}
	*c = Celsius(int16(binary.BigEndian.Uint16(data))) / 10
	return 2, nil
}

func ExampleAppender() {
	type Weather struct{ Low, High Celsius }
	b, err := layout.Marshal(Weather{-1.5, 20})
	fmt.Printf("% x %v\n", b, err)
	// Output: ff f1 00 c8 <nil>
}

func ExampleDecoder() {
	type Weather struct{ Low, High Celsius }
	var w Weather
	fmt.Println(layout.Unmarshal([]byte{0xff, 0xf1, 0, 200}, &w), w)
	fmt.Println(layout.Unmarshal([]byte{0xff, 0xf1, 0}, &w))
	// Output:
	// <nil> {-1.5 20}
	// layout: Weather.High at offset 2: truncated input
}
