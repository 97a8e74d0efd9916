package shapes

import (
	"io"
	"reflect"

	"github.com/octet-go/octet/layout"
)

// Publish has bits, a varint with the length of a range, a condition, and a field that takes the rest.
//
//octet:generate
type Publish struct {
	_        struct{} `layout:"be"`
	Type     uint8    `layout:"bits=4,const=3"`
	Dup      bool     `layout:"bits=1"`
	QoS      uint8    `layout:"bits=2"`
	Retain   bool     `layout:"bits=1"`
	Length   uint32   `layout:"varint,len=Topic..Body"`
	Topic    string   `layout:"prefix=u16,max=200"`
	PacketID uint16   `layout:"if=QoS"`
	Body     []byte
}

// Packet has lengths of several kinds, a checksum, alignment, and slices of structs.
//
//octet:generate
type Packet struct {
	_        struct{} `layout:"be"`
	Magic    [4]byte  `layout:"magic=PKT\\x00"`
	Version  uint8    `layout:"bits=4,const=4,const=6"`
	Words    uint8    `layout:"bits=4,len=Magic..Options*4"`
	Total    uint16   `layout:"len=Magic..Payload"`
	Checksum uint16   `layout:"inet=Magic..Options"`
	Flags    int8     `layout:"max=100"`
	ID       byte
	Count    uint8 `layout:"count=Chunks"`
	Source   [4]byte
	Options  []byte
	Chunks   []chunk
	_        struct{} `layout:"align=4"`
	Extra    *extra   `layout:"if=Flags&1"`
	Payload  []byte
	Sum      uint32 `layout:"crc32c=Magic..Sum,le"`
}

// Frames has structs and elements with lengths before them.
//
//octet:generate
type Frames struct {
	A     uint16
	Inner struct {
		Text string `layout:"cstring"`
		B    uint8
	} `layout:"prefix=varint"`
	List []Maybe `layout:"prefix=u8"`
	*Embedded
}

// Maybe is an element whose last field can be absent in the last of them.
type Maybe struct {
	A uint8
	B uint16 `layout:"if=more"`
}

// Embedded has a *Text and what its byte order is for: numbers and bits of any width.
type Embedded struct {
	Order uint8   `layout:"const=1|le,const=2|be"`
	Wide  uint32  `layout:"u24,order=Order"`
	Bits  uint8   `layout:"bits=3,order=Order"`
	Flag  bool    `layout:"bits=1"`
	Long  int64   `layout:"bits=36,end"`
	Ratio float32 `layout:"order=Order"`
	*Text
}

// Text is embedded by pointer.
type Text struct {
	Length uint8 `layout:"len=Body"`
	Body   []byte
}

// Codec is for Command.
var Codec, _ = layout.New(Options)

// Options are those of Codec.
var Options = layout.Options{Unions: []layout.UnionCoder{
	layout.Union[body](layout.VariantOf[*Text](-1), layout.VariantOf[*Maybe](2), layout.VariantOf[*checked](3), layout.VariantOf[*empty](4), layout.KeepUnknown()),
	layout.Union[any](layout.VariantOf[*Text](1), layout.VariantOf[checked](200)),
	layout.Union[last](layout.VariantOf[*list](1000), layout.VariantOf[*named](1001)),
}}

// Unions are those of Options as lists for the oracle.
var Unions = map[reflect.Type]map[uint64]reflect.Type{
	reflect.TypeFor[body](): {1<<64 - 1: reflect.TypeFor[*Text](), 2: reflect.TypeFor[*Maybe](), 3: reflect.TypeFor[*checked](), 4: reflect.TypeFor[*empty]()},
	reflect.TypeFor[any]():  {1: reflect.TypeFor[*Text](), 200: reflect.TypeFor[checked]()},
	reflect.TypeFor[last](): {1000: reflect.TypeFor[*list](), 1001: reflect.TypeFor[*named]()},
}

type (
	body any
	last any
)

// Command has unions.
//
//octet:generate Codec
type Command struct {
	Kind   int8   `layout:"i8"`
	Size   uint16 `layout:"len=Body..List"`
	Body   body   `layout:"switch=Kind,prefix=u16"`
	Select uint16 `layout:"bits=12"`
	Other  uint8  `layout:"bits=4"`
	List   []struct {
		Kind uint8
		Any  any `layout:"switch=Kind"`
	} `layout:"count=u8"`
	Last last `layout:"switch=Select"`
}

type (
	checked struct {
		A   []byte `layout:"prefix=u8"`
		Sum uint32 `layout:"crc32=A"`
		Raw []byte `layout:"raw=A..Sum"`
	}
	list  struct{ Items []Maybe }
	named struct {
		Name []struct {
			Label string `layout:"prefix=u8,max=63"`
			Parts []struct {
				Length uint8 `layout:"len=Text"`
				Text   []byte
			} `layout:"until=zero"`
		} `layout:"until=zero,max=5"`
		More uint8 `layout:"if=more"`
	}
	empty struct{}
)

// Pointers has pointers to a type with methods.
//
//octet:generate
type Pointers struct {
	N    uint8 `layout:"max=100"`
	Own  *own
	Some *own `layout:"if=N&1"`
	List []*own
}

// own has methods for package layout.
type own struct{ A uint16 }

// AppendLayout appends two bytes.
func (o own) AppendLayout(dst []byte) ([]byte, error) {
	return append(dst, byte(o.A), byte(o.A>>8)), nil
}

// DecodeLayout decodes two bytes.
func (o *own) DecodeLayout(data []byte) (int, error) {
	if len(data) < 2 {
		return 0, io.ErrUnexpectedEOF
	}
	o.A = uint16(data[0]) | uint16(data[1])<<8
	return 2, nil
}

type chunk struct {
	Kind  kind   `layout:"const=-1,const=7"`
	Value []byte `layout:"prefix=u24"`
	Note  label  `layout:"cstring"`
	local int    `layout:"-"` //lint:ignore U1000 a field that is not decoded
}

type extra struct {
	Time    uint64  `layout:"u48"`
	Ratio   float64 `layout:"f32"`
	Offset  int     `layout:"i24"`
	Big     uint    `layout:"u64"`
	Numbers []int16 `layout:"prefix=varint,le"`
	Pair    [2]struct{ X, Y uint16 }
	Name    string    `layout:"fixed=6,fill=0x20"`
	Grid    [3]uint32 `layout:"le"`
	Delta   int64     `layout:"zigzag"`
}
