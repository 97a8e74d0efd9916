package layout_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/layout"
)

type frame struct {
	Command uint8  `layout:"const=2"`
	Length  uint32 `layout:"len=Items"`
	Items   []apnsItem
}

type apnsItem struct {
	ID     uint8
	Length uint16 `layout:"len=Data"`
	Data   []byte
}

type ipv4 struct {
	Version  uint8 `layout:"bits=4,const=4"`
	IHL      uint8 `layout:"bits=4,len=Options*4-20"`
	TOS      uint8
	Total    uint16 `layout:"len=Version..Payload"`
	ID       uint16
	Flags    uint8  `layout:"bits=3"`
	Fragment uint16 `layout:"bits=13"`
	TTL      uint8
	Protocol uint8
	Sum      uint16 `layout:"inet=Version..Options"`
	Src, Dst [4]byte
	Options  []byte
	Payload  []byte
}

type chunk struct {
	Length uint32 `layout:"len=Data"`
	Type   [4]byte
	Data   []byte
	CRC    uint32 `layout:"crc32=Type..Data"`
}

type png struct {
	_      struct{} `layout:"magic=\\x89PNG\\x0d\\x0a\\x1a\\x0a"`
	Chunks []chunk
}

type zif struct {
	Count uint32 `layout:"count=A,count=B"`
	A     []uint64
	B     []uint8
}

type elf struct {
	_      struct{} `layout:"magic=\\x7fELF"`
	Data   uint8    `layout:"const=1|le,const=2|be"`
	Class  uint8
	Header any `layout:"switch=Class,order=Data"`
}

type elf32 struct {
	Entry uint32
	Size  uint16 `layout:"len=Name"`
	Name  []byte
}
type elf64 struct{ Entry uint64 }

type label struct {
	Text string `layout:"prefix=u8,max=63"`
}

type question struct {
	Name  []label `layout:"until=zero"`
	Type  uint16
	Class uint16
}

type padded struct {
	Length  uint32 `layout:"u24,len=PadLen..Padding"`
	Flags   uint8
	PadLen  uint8 `layout:"if=Flags&8,len=Padding"`
	Data    []byte
	Padding []byte
}

type block struct {
	Type    uint32
	Length  uint32 `layout:"len=Type..Trailer"`
	Body    []byte
	Trailer uint32 `layout:"len=Type..Trailer"`
}

type mqtt struct {
	Type   uint8  `layout:"bits=4"`
	Dup    bool   `layout:"bits=1"`
	QoS    uint8  `layout:"bits=2"`
	Retain bool   `layout:"bits=1"`
	Body   packet `layout:"switch=Type,prefix=varint"`
}
type publish struct {
	Topic    string `layout:"prefix=u16"`
	PacketID uint16 `layout:"if=QoS"`
	Payload  []byte
}
type ping struct{}

type list struct {
	Value uint8
	Next  *list `layout:"if=more"`
}

type tree struct {
	Name string `layout:"cstring"`
	Kids []tree `layout:"count=u8"`
	Sum  uint8  `layout:"sum8=Name..Kids"`
}

type sizes struct {
	A int     `layout:"varint"`
	B int32   `layout:"zigzag"`
	C int64   `layout:"sleb128"`
	D uint64  `layout:"oct=8"`
	E uint16  `layout:"dec=6"`
	F float64 `layout:"f32"`
	G uint32  `layout:"u24,le"`
	H string  `layout:"fixed=5"`
	I string  `layout:"utf16,prefix=u8,le"`
	J string  `layout:"until=0x0a"`
	K bool
	L [3]uint16 `layout:"le"`
	_ uint16
	M []uint32 `layout:"u24,count=u8"`
	N struct{ X, Y int16 }
	O *struct{ Z uint8 }
	P []int8 `layout:"until=end"`
}

type packet interface{ isPacket() }

func (*publish) isPacket() {}
func (*ping) isPacket()    {}

func codec(t testing.TB) *layout.Codec {
	c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{
		layout.Union[any](layout.VariantOf[elf32](1), layout.VariantOf[*elf64](2), layout.KeepUnknown()),
		layout.Union[packet](layout.VariantOf[*publish](3), layout.VariantOf[*ping](12)),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// limited returns a Codec with the options of c and a limit.
func limited(t testing.TB, c *layout.Codec, limit int) *layout.Codec {
	o := c.Options()
	o.MaxMessage = limit
	c, err := layout.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var messages = []struct {
	name  string
	value any
	hex   string
}{
	{"apns", &frame{Command: 2, Length: 12, Items: []apnsItem{{1, 3, []byte("abc")}, {2, 3, []byte("xyz")}}}, "020000000c010003616263 020003 78797a"},
	{"ipv4", &ipv4{Version: 4, IHL: 6, Total: 26, TTL: 64, Flags: 2, Fragment: 5, Protocol: 17, Sum: 0x3bd7, Src: [4]byte{10, 0, 0, 1}, Dst: [4]byte{10, 0, 0, 2}, Options: []byte{1, 1, 1, 1}, Payload: []byte("hi")}, ""},
	{"png", &png{Chunks: []chunk{{Length: 3, Type: [4]byte{'I', 'E', 'N', 'D'}, Data: []byte("abc"), CRC: 0x67d19df8}, {Type: [4]byte{'I', 'E', 'N', 'D'}, Data: []byte{}, CRC: 0xae426082}}}, ""},
	{"tzif", &zif{2, []uint64{1, 2}, []uint8{3, 4}}, "00000002 0000000000000001 0000000000000002 0304"},
	{"elf le", &elf{Data: 1, Class: 1, Header: elf32{0x01020304, 2, []byte("ab")}}, "7f454c46 01 01 04030201 0200 6162"},
	{"elf be", &elf{Data: 2, Class: 2, Header: &elf64{0x01020304}}, "7f454c46 02 02 0000000001020304"},
	{"elf unknown", &elf{Data: 2, Class: 9, Header: layout.Unknown{9, []byte{1, 2}}}, "7f454c46 02 09 0102"},
	{"dns", &question{[]label{{"www"}, {"go"}}, 1, 2}, "03777777 02676f 00 0001 0002"},
	{"padded", &padded{Length: 5, Flags: 8, PadLen: 2, Data: []byte("ab"), Padding: []byte{0, 0}}, "000005 08 02 6162 0000"},
	{"not padded", &padded{Length: 2, Data: []byte("ab"), Padding: []byte{}}, "000002 00 6162"},
	{"pcapng", &block{Type: 7, Length: 16, Body: []byte{1, 2, 3, 4}, Trailer: 16}, "00000007 00000010 01020304 00000010"},
	{"mqtt", &mqtt{Type: 3, QoS: 1, Retain: true, Body: &publish{"a/b", 7, []byte("hello")}}, "33 0c 0003 612f62 0007 68656c6c6f"},
	{"mqtt qos 0", &mqtt{Type: 3, Body: &publish{"a/b", 0, []byte("hello")}}, "30 0a 0003 612f62 68656c6c6f"},
	{"mqtt ping", &mqtt{Type: 12, Body: &ping{}}, "c000"},
	{"list", &list{1, &list{2, &list{3, nil}}}, "010203"},
	{"tree", &tree{"a", []tree{{"b", []tree{}, 0x62}, {"c", []tree{{"d", []tree{}, 0x64}}, 0x2c}}, 0x1b7 & 0xff}, ""},
	{"sizes", &sizes{A: 300, B: -2, C: -200, D: 8, E: 123, F: 1.5, G: 0x010203, H: "ab", I: "hé", J: "line", K: true, L: [3]uint16{1, 2, 3}, M: []uint32{1, 2}, N: struct{ X, Y int16 }{-1, 2}, O: &struct{ Z uint8 }{9}, P: []int8{-1, 5}},
		"ac02 03 b87e 3030303030313000 303031323300 3fc00000 030201 6162000000 04 6800e900 6c696e650a 01 010002000300 0000 02 000001 000002 ffff 0002 09 ff05"},
}

func TestMessages(t *testing.T) {
	c := codec(t)
	for _, m := range messages {
		t.Run(m.name, func(t *testing.T) {
			b, err := c.Marshal(m.value)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := hex.DecodeString(strings.ReplaceAll(m.hex, " ", ""))
			if m.hex != "" && !bytes.Equal(b, want) {
				t.Errorf("got  %x\nwant %x", b, want)
			}
			v := reflect.New(reflect.TypeOf(m.value).Elem())
			if err := c.Unmarshal(b, v.Interface()); err != nil {
				t.Fatal(err, hex.EncodeToString(b))
			}
			again, err := c.Marshal(v.Interface())
			if err != nil || !bytes.Equal(again, b) {
				t.Errorf("again %x, %v", again, err)
			}
			if m.name != "ipv4" && m.name != "png" && m.name != "tree" && !reflect.DeepEqual(v.Interface(), m.value) {
				t.Errorf("decoded %+v\nwant    %+v", v.Elem(), m.value)
			}
			for n := range b {
				w := reflect.New(reflect.TypeOf(m.value).Elem())
				err := c.Unmarshal(b[:n], w.Interface())
				if err == nil && m.name != "list" && m.name != "sizes" && m.name != "png" && m.name != "elf unknown" {
					t.Errorf("prefix of %d bytes is accepted", n)
				}
			}
			for _, r := range []io.Reader{bytes.NewReader(b), iotest.OneByteReader(bytes.NewReader(b)), iotest.DataErrReader(bytes.NewReader(b))} {
				w := reflect.New(reflect.TypeOf(m.value).Elem())
				if err := c.Read(r, w.Interface()); err != nil {
					t.Fatal("Read:", err)
				}
				if !reflect.DeepEqual(w.Interface(), v.Interface()) {
					t.Errorf("read %+v", w.Elem())
				}
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	b, _ := hex.DecodeString("0200000016" + "010003616263" + "020003787980" + "031000" + "00112233445566")
	err := layout.Unmarshal(b, new(frame))
	want := "layout: frame.Items[2].Data at offset 20: length 4096 exceeds the 7 bytes left in Items"
	if err == nil || err.Error() != want || !errors.Is(err, layout.ErrLength) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestOrder(t *testing.T) {
	c, err := layout.New(layout.Options{Order: binary.LittleEndian})
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Marshal(struct {
		A uint16
		B uint32 `layout:"be"`
	}{1, 2})
	if hex.EncodeToString(b) != "010000000002" {
		t.Errorf("%x %v", b, err)
	}
}
