package layout

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

// These are the types of the vectors. At least one of them uses each row of the table
// of tags in the documentation of package layout.
type (
	words struct {
		A uint16
		B int32
		C uint8
		D bool
		E float32
	}
	little struct {
		_ struct{} `layout:"le"`
		A uint16
		B uint32 `layout:"be"`
		C inner
		D ordered
	}
	inner   struct{ X uint16 }
	ordered struct {
		_ struct{} `layout:"be"`
		X uint16
	}
	orderOf struct {
		Data   uint8  `layout:"const=1|le,const=2|be"`
		Header inner  `layout:"order=Data"`
		Tail   uint16 `layout:"order=Data"`
		Else   uint16
	}
	widths struct {
		A uint32  `layout:"u24"`
		B int32   `layout:"i24,le"`
		C uint64  `layout:"u48"`
		D uint64  `layout:"varint"`
		E int64   `layout:"zigzag"`
		F int64   `layout:"sleb128"`
		G float64 `layout:"f32"`
		H int     `layout:"i16"`
	}
	digits struct {
		Mode uint32 `layout:"oct=8"`
		Size uint32 `layout:"dec=4"`
	}
	bitsMSB struct {
		Version uint8  `layout:"bits=4"`
		IHL     uint8  `layout:"bits=4"`
		Flags   uint8  `layout:"bits=3"`
		Offset  uint16 `layout:"bits=13"`
	}
	bitsLSB struct {
		_ struct{} `layout:"le"`
		A uint8    `layout:"bits=3"`
		B uint16   `layout:"bits=13"`
	}
	bitsMixed struct { // msb and le: the fields are those of the 16-bit number 0xA123, which is little-endian
		A uint8  `layout:"le,bits=4,msb"`
		B uint16 `layout:"le,bits=12"`
	}
	bitsEnd struct { // two numbers of 8 bits, not one of 16
		A uint8 `layout:"le,bits=4,msb"`
		B uint8 `layout:"le,bits=4,end"`
		C int8  `layout:"le,bits=7"`
		D bool  `layout:"le,bits=1"`
	}
	texts struct {
		A string `layout:"prefix=u16"`
		B []byte `layout:"prefix=varint"`
		C string `layout:"fixed=4"`
		D string `layout:"fixed=4,fill=0x20"`
		E string `layout:"cstring"`
		F []byte `layout:"until=0x0a"`
		G string `layout:"utf16,prefix=u8"`
		H string `layout:"utf16,cstring,le"`
	}
	slicesOf struct {
		A []uint16 `layout:"prefix=u16"`
		B []inner  `layout:"count=u8"`
		C []uint8  `layout:"fixed=2"`
		D []label  `layout:"until=zero"`
		E []uint16 `layout:"until=end"`
	}
	label struct {
		Text string `layout:"prefix=u8"`
	}
	ipv4 struct {
		Version  uint8 `layout:"bits=4,const=4"`
		IHL      uint8 `layout:"bits=4,len=Version..Options*4"`
		TOS      uint8
		Total    uint16 `layout:"len=Version..Payload"`
		ID       uint16
		Fragment uint16
		TTL      uint8
		Protocol uint8
		Checksum uint16 `layout:"inet=Version..Options"`
		Src, Dst [4]byte
		Options  []byte
		Payload  []byte
	}
	optionLink struct {
		IHL     uint8 `layout:"bits=4,len=Options*4-20"`
		Low     uint8 `layout:"bits=4"`
		Options []byte
	}
	trailing struct { // pcapng
		Length uint32 `layout:"le,len=Length..Copy"`
		Data   []byte `layout:"-"`
		Body   []byte
		Copy   uint32 `layout:"le,len=Length..Copy"`
	}
	counts struct {
		N    uint8 `layout:"count=Left,count=Right"`
		M    uint8 `layout:"count=Ints"`
		Left []inner
		Right,
		Ints []uint8
	}
	outward struct {
		Header struct {
			Size uint16 `layout:"len=Payload"`
			Type uint8
		}
		Payload []byte
		Sum     uint8 `layout:"sum8=Header..Payload"`
	}
	conditions struct {
		Flags uint8
		A     uint8  `layout:"if=Flags&0x80"`
		B     uint8  `layout:"if=Flags==0x81"`
		C     uint8  `layout:"if=Flags!=0x81"`
		D     *inner `layout:"if=Flags"`
		E     []byte `layout:"prefix=u8,if=more"`
	}
	tagged struct {
		Type uint8
		Body any `layout:"switch=Type,prefix=u16"`
		End  uint8
	}
	unknown struct {
		Tag  uint64
		Data []byte
	}
	constants struct {
		Magic string   `layout:"magic=\\x89PNG"`
		_     struct{} `layout:"magic=ok"`
		A     uint16   `layout:"const=0x0102,const=7"`
	}
	spaces struct {
		A uint8
		_ struct{} `layout:"skip=2"`
		B []byte   `layout:"prefix=u8"`
		_ struct{} `layout:"align=4"`
		C uint8
	}
	sums struct {
		A     [9]byte
		CRC   uint32 `layout:"crc32=A"`
		CRCC  uint32 `layout:"crc32c=A"`
		Adler uint32 `layout:"adler32=A"`
		Sum   uint8  `layout:"sum8=A"`
		Xor   uint8  `layout:"xor8=A"`
		Named uint16 `layout:"sum=count:A..Named"`
		All   uint8  `layout:"sum8=A..All"`
		Raw   []byte `layout:"raw=A"`
	}
	padded struct { // HTTP/2
		Length  uint32 `layout:"u24,len=Pad..Padding"`
		Pad     uint8  `layout:"len=Padding"`
		Data    []byte
		Padding []byte
	}
	embeds struct {
		inner
		*Embedded `layout:"le"`
		Size      uint8 `layout:"len=X..Z"`
	}
	Embedded struct {
		Y uint16
		Z []byte `layout:"prefix=u8"`
	}
	nestedSums struct {
		All  uint8 `layout:"sum8=All..X"`
		Last uint8 `layout:"sum8=X"`
		X    [2]byte
	}
	frames struct {
		A struct {
			B []byte
			C uint8
		} `layout:"prefix=u8"`
		D uint8
	}
	user struct {
		A userNumber
		B time.Time `layout:"prefix=u8"`
	}
)

// userNumber has methods that encode it as the byte 0xee and its value.
type userNumber uint8

func (u userNumber) AppendLayout(b []byte) ([]byte, error) { return append(b, 0xee, byte(u)), nil }
func (u *userNumber) DecodeLayout(b []byte) (int, error) {
	if len(b) < 2 || b[0] != 0xee {
		return 0, errors.New("no number")
	}
	*u = userNumber(b[1])
	return 2, nil
}

func testConfig() Config {
	return Config{
		Unions: map[reflect.Type]Union{reflect.TypeFor[any](): {
			Variants: map[uint64]reflect.Type{1: reflect.TypeFor[*inner](), 2: reflect.TypeFor[label]()},
			Unknown:  reflect.TypeFor[unknown](),
		}},
		Sums: map[string]func([]byte, int, int) uint64{"count": func(data []byte, at, n int) uint64 {
			return uint64(len(data)<<8 | at<<4 | n)
		}},
	}
}

var vectors = []struct {
	name  string
	value any
	hex   string
}{
	{"words", words{0x1234, -2, 7, true, 1.5}, "1234 fffffffe 07 01 3fc00000"},
	{"order", little{A: 0x1234, B: 0x01020304, C: inner{0x0506}, D: ordered{X: 0x0708}}, "3412 01020304 0605 0708"},
	{"order of a field, le", orderOf{1, inner{0x1234}, 0x5678, 0x9abc}, "01 3412 7856 9abc"},
	{"order of a field, be", orderOf{2, inner{0x1234}, 0x5678, 0x9abc}, "02 1234 5678 9abc"},
	{"widths", widths{0x010203, -2, 0x010203040506, 300, -3, -129, 0.5, -1}, "010203 feffff 010203040506 ac02 05 ff7e 3f000000 ffff"},
	{"sleb128 of two bytes", widths{F: -65}, "000000 000000 000000000000 00 00 bf7f 00000000 0000"},
	{"digits", digits{0o644, 42}, "3030303036343400 30343200"},
	{"bits, msb", bitsMSB{4, 5, 2, 0x1001}, "45 5001"},
	{"bits, lsb", bitsLSB{A: 5, B: 0x1abc}, "e5d5"}, // 0x1abc<<3 | 5 = 0xd5e5
	{"bits, msb under le", bitsMixed{0xa, 0x123}, "23a1"},
	{"bits, end", bitsEnd{1, 2, -1, true}, "12 ff"},
	{"texts", texts{"ab", []byte{1}, "x", "yz", "c", []byte("l"), "é", "\U0001F600"},
		"0002 6162  01 01  78000000  797a2020  6300  6c0a  02 00e9  3dd800de 0000"},
	{"slices", slicesOf{[]uint16{1, 2}, []inner{{3}}, []uint8{4, 5}, []label{{"a"}, {"bc"}}, []uint16{6}},
		"0004 0001 0002  01 0003  0405  0161 026263 00  0006"},
	// The example of RFC 1071 in Wikipedia, "Internet checksum": 45 00 00 73 00 00 40 00 40 11 b8 61 c0 a8 00 01 c0 a8 00 c7.
	{"IPv4", ipv4{Version: 4, IHL: 5, Total: 0x17, Fragment: 0x4000, TTL: 0x40, Protocol: 0x11, Checksum: 0xb8bd,
		Src: [4]byte{0xc0, 0xa8, 0, 1}, Dst: [4]byte{0xc0, 0xa8, 0, 0xc7}, Options: []byte{}, Payload: []byte{1, 2, 3}},
		"45 00 0017 0000 4000 40 11 b8bd c0a80001 c0a800c7 010203"},
	{"link with factor and constant", optionLink{6, 9, []byte{1, 2, 3, 4}}, "69 01020304"},
	{"trailing length", trailing{Length: 11, Body: []byte{1, 2, 3}, Copy: 11}, "0b000000 010203 0b000000"},
	{"counts", counts{1, 2, []inner{{5}}, []uint8{6}, []uint8{7, 8}}, "01 02 0005 06 0708"},
	{"link outward", outward{Header: struct {
		Size uint16 `layout:"len=Payload"`
		Type uint8
	}{2, 9}, Payload: []byte{3, 4}, Sum: 18}, "0002 09 0304 12"},
	{"conditions", conditions{Flags: 0x81, A: 1, B: 2, D: &inner{3}, E: []byte{4}}, "81 01 02 0003 01 04"},
	{"conditions, absent", conditions{Flags: 0}, "00 00"},
	{"conditions, empty but there", conditions{Flags: 1, C: 5, D: &inner{3}, E: []byte{}}, "01 05 0003 00"},
	{"union", tagged{1, &inner{5}, 0xff}, "01 0002 0005 ff"},
	{"union of another type", tagged{2, label{"a"}, 0xff}, "02 0002 01 61 ff"},
	{"unknown variant", tagged{3, unknown{3, []byte{9}}, 0xff}, "03 0001 09 ff"},
	{"constants", constants{"\x89PNG", struct{}{}, 7}, "89504e47 6f6b 0007"},
	{"spaces", spaces{A: 1, B: []byte{2, 3}, C: 4}, "01 0000 02 0203 0000 04"},
	// The check values of the catalogs of checksums are of "123456789".
	{"sums", sums{A: [9]byte([]byte("123456789")), CRC: 0xcbf43926, CRCC: 0xe3069283, Adler: 0x091e01de, Sum: 0xdd, Xor: 0x31,
		Named: 0x1972, All: 0x98, Raw: []byte("123456789")},
		"313233343536373839 cbf43926 e3069283 091e01de dd 31 1972 98"},
	{"sum of a later sum", nestedSums{6, 3, [2]byte{1, 2}}, "06 03 0102"},
	{"rest before the end of a frame", frames{A: struct {
		B []byte
		C uint8
	}{[]byte{1, 2}, 3}, D: 4}, "03 0102 03 04"},
	{"padding", padded{8, 2, []byte{1, 2, 3, 4, 5}, []byte{0, 0}}, "000008 02 0102030405 0000"},
	{"embedded", embeds{inner{0x0102}, &Embedded{0x0304, []byte{5}}, 6}, "0102 0403 01 05 06"},
	{"user types", user{7, time.Unix(1, 0).UTC()}, "ee07 0f 01 0000000e7791f701 00000000 ffff"},
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestVectors compares messages with bytes that were derived by hand from
// specifications, and truncates and extends them.
func TestVectors(t *testing.T) {
	c := testConfig()
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			want := unhex(t, v.hex)
			got, err := c.Marshal(v.value)
			if err != nil || string(got) != string(want) {
				t.Errorf("Marshal: % x, %v, want % x", got, err, want)
			}
			back := reflect.New(reflect.TypeOf(v.value))
			if err := c.Unmarshal(want, back.Interface()); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(back.Elem().Interface(), v.value) {
				t.Errorf("Unmarshal: %+v, want %+v", back.Elem(), v.value)
			}
			for n := range want {
				short := reflect.New(reflect.TypeOf(v.value))
				if err := c.Unmarshal(want[:n], short.Interface()); err == nil && !optional(v.value) {
					t.Errorf("%d of %d bytes: decoded %+v", n, len(want), short.Elem())
				}
			}
			if err := c.Unmarshal(append(want, 0), back.Interface()); err == nil && !optional(v.value) {
				t.Errorf("with one more byte: decoded %+v", back.Elem())
			}
		})
	}
}

// optional reports whether a message of the type of v may be longer or shorter.
func optional(v any) bool {
	switch v.(type) {
	case conditions, slicesOf:
		return true
	}
	return false
}

// TestDigits decodes numbers in digits as various TAR programs write them.
func TestDigits(t *testing.T) {
	for text, want := range map[string]digits{
		"    644\x00042\x00":                   {0o644, 42},
		"0000644 42\x00\x00":                   {0o644, 42},
		"000644 \x00  7\x00":                   {0o644, 7},
		"00000644" + "9999":                    {0o644, 9999},
		"\x00\x00\x00\x00\x00\x00\x00\x00    ": {},
	} {
		var got digits
		if err := testConfig().Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		if again, err := testConfig().Marshal(got); err != nil || len(again) != len(text) {
			t.Errorf("%q is encoded as %q, %v", text, again, err)
		}
	}
}

// TestZeroIsFirstConstant checks that a field with a constant, whose value is zero,
// is encoded as the first constant of its tag.
func TestZeroIsFirstConstant(t *testing.T) {
	got, err := testConfig().Marshal(constants{})
	if want := unhex(t, "89504e47 6f6b 0102"); err != nil || string(got) != string(want) {
		t.Errorf("% x, %v, want % x", got, err, want)
	}
}

func TestOrderOption(t *testing.T) {
	c := Config{Order: "le"}
	got, err := c.Marshal(inner{0x0102})
	if err != nil || binary.LittleEndian.Uint16(got) != 0x0102 {
		t.Errorf("% x, %v", got, err)
	}
}
