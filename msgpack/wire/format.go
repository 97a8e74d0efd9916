package wire

// A Kind is a group of formats for the same sort of value.
type Kind uint8

const (
	KindReserved Kind = iota // c1, the format byte that is never used
	KindNil
	KindBool
	KindInt // signed and unsigned, of every width
	KindFloat
	KindStr
	KindBin
	KindArray
	KindMap
	KindExt
)

var kindNames = [...]string{"reserved", "nil", "bool", "int", "float", "str", "bin", "array", "map", "ext"}

// String returns the kind's name in the specification, such as "map".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// A Format is one of the 37 formats of the specification. Its value is the lowest
// format byte that selects the format, so Format(0x93) is not FixArray. Use
// [FormatOf] to convert a format byte.
type Format uint8

const (
	PositiveFixint Format = 0x00
	FixMap         Format = 0x80
	FixArray       Format = 0x90
	FixStr         Format = 0xa0
	Nil            Format = 0xc0
	NeverUsed      Format = 0xc1
	False          Format = 0xc2
	True           Format = 0xc3
	Bin8           Format = 0xc4
	Bin16          Format = 0xc5
	Bin32          Format = 0xc6
	Ext8           Format = 0xc7
	Ext16          Format = 0xc8
	Ext32          Format = 0xc9
	Float32        Format = 0xca
	Float64        Format = 0xcb
	Uint8          Format = 0xcc
	Uint16         Format = 0xcd
	Uint32         Format = 0xce
	Uint64         Format = 0xcf
	Int8           Format = 0xd0
	Int16          Format = 0xd1
	Int32          Format = 0xd2
	Int64          Format = 0xd3
	FixExt1        Format = 0xd4
	FixExt2        Format = 0xd5
	FixExt4        Format = 0xd6
	FixExt8        Format = 0xd7
	FixExt16       Format = 0xd8
	Str8           Format = 0xd9
	Str16          Format = 0xda
	Str32          Format = 0xdb
	Array16        Format = 0xdc
	Array32        Format = 0xdd
	Map16          Format = 0xde
	Map32          Format = 0xdf
	NegativeFixint Format = 0xe0
)

// FormatOf returns the format that b selects. Every byte selects one.
func FormatOf(b byte) Format {
	switch {
	case b < 0x80:
		return PositiveFixint
	case b < 0x90:
		return FixMap
	case b < 0xa0:
		return FixArray
	case b < 0xc0:
		return FixStr
	case b < 0xe0:
		return Format(b)
	default:
		return NegativeFixint
	}
}

// Kind returns the kind of the values in this format.
func (f Format) Kind() Kind { return shapes[f].kind }

// String returns the format's name in the specification, such as "fixmap" or
// "str 8". It is not inlined, because the texts of errors are in every program.
//
//go:noinline
func (f Format) String() string {
	switch f {
	case PositiveFixint:
		return "positive fixint"
	case FixMap:
		return "fixmap"
	case FixArray:
		return "fixarray"
	case FixStr:
		return "fixstr"
	case NegativeFixint:
		return "negative fixint"
	}
	if i := int(f) - int(Nil); i >= 0 && i < len(formatNames) {
		return formatNames[i]
	}
	return "unknown"
}

// formatNames holds the names of the formats c0 to df.
var formatNames = [...]string{
	"nil", "never used", "false", "true",
	"bin 8", "bin 16", "bin 32", "ext 8", "ext 16", "ext 32",
	"float 32", "float 64",
	"uint 8", "uint 16", "uint 32", "uint 64", "int 8", "int 16", "int 32", "int 64",
	"fixext 1", "fixext 2", "fixext 4", "fixext 8", "fixext 16",
	"str 8", "str 16", "str 32", "array 16", "array 32", "map 16", "map 32",
}

// A shape is the layout of the header that begins with a format byte.
type shape struct {
	kind   Kind
	header uint8 // length of the header in bytes
	length uint8 // size of the length or count that follows the format byte, or 0
	fixed  uint8 // length of the payload, or number of elements, if length is 0
	total  uint8 // length of the value if the format byte determines it, else 0
}

// shapes is indexed by the format byte, so that reading a header takes one look-up.
var shapes = makeShapes()

func makeShapes() (t [256]shape) {
	for b := range t {
		switch {
		case b < 0x80 || b >= 0xe0:
			t[b] = shape{kind: KindInt, header: 1}
		case b < 0x90:
			t[b] = shape{kind: KindMap, header: 1, fixed: uint8(b & 0x0f)}
		case b < 0xa0:
			t[b] = shape{kind: KindArray, header: 1, fixed: uint8(b & 0x0f)}
		case b < 0xc0:
			t[b] = shape{kind: KindStr, header: 1, fixed: uint8(b & 0x1f)}
		}
	}
	t[Nil] = shape{kind: KindNil, header: 1}
	t[NeverUsed] = shape{kind: KindReserved, header: 1}
	t[False] = shape{kind: KindBool, header: 1}
	t[True] = shape{kind: KindBool, header: 1}
	t[Float32] = shape{kind: KindFloat, header: 1, fixed: 4}
	t[Float64] = shape{kind: KindFloat, header: 1, fixed: 8}
	for i := range 3 { // the formats with a length in 1, 2 and 4 bytes
		size := uint8(1) << i
		t[int(Bin8)+i] = shape{kind: KindBin, header: 1 + size, length: size}
		t[int(Ext8)+i] = shape{kind: KindExt, header: 2 + size, length: size}
		t[int(Str8)+i] = shape{kind: KindStr, header: 1 + size, length: size}
	}
	for i := range 2 {
		size := uint8(2) << i
		t[int(Array16)+i] = shape{kind: KindArray, header: 1 + size, length: size}
		t[int(Map16)+i] = shape{kind: KindMap, header: 1 + size, length: size}
	}
	for i := range 4 {
		t[int(Uint8)+i] = shape{kind: KindInt, header: 1, fixed: 1 << i}
		t[int(Int8)+i] = shape{kind: KindInt, header: 1, fixed: 1 << i}
	}
	for i := range 5 {
		t[int(FixExt1)+i] = shape{kind: KindExt, header: 2, fixed: 1 << i}
	}
	for b := range t {
		switch s := &t[b]; s.kind {
		case KindNil, KindBool, KindInt, KindFloat, KindStr:
			if s.length == 0 {
				s.total = s.header + s.fixed
			}
		}
	}
	return t
}
