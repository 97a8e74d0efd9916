package layout_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/layout"
)

// Messages with forms that random types rarely have: numbers of variable width that are lengths of the fields around them,
// numbers that several options compute, and conditions on such numbers.
type (
	varintAround struct {
		Kind  uint8
		Total uint64 `layout:"varint,len=Kind..Tail"`
		Size  uint32 `layout:"zigzag,len=Data..Data+3"`
		Data  []byte
		Sum   uint32 `layout:"crc32=Total..Data"`
		Tail  uint16
	}
	slebAround struct {
		Total int32  `layout:"sleb128,len=Total..B"`
		A     []byte `layout:"prefix=varint"`
		B     []byte
	}
	bitsMeasure struct {
		Flag bool   `layout:"bits=1"`
		Size uint16 `layout:"bits=15,len=A..B"`
		A    uint8
		B    []byte
		Last uint64 `layout:"bits=64,len=A..B"`
	}
	bitsLittle struct {
		_    struct{} `layout:"le"`
		Flag uint8    `layout:"bits=4,lsb"`
		Size uint16   `layout:"bits=12,len=A..B"`
		A    uint8
		B    []byte
	}
	twoRanges struct {
		N uint8 `layout:"len=A..B,len=C..D"`
		A uint8
		B []byte `layout:"prefix=u8"`
		C uint8
		D []byte `layout:"prefix=u8"`
	}
	limitedRange struct {
		N uint16 `layout:"max=9,len=A..B"`
		A uint8
		B []byte
	}
	narrowRange struct {
		N uint8 `layout:"len=A..B"`
		A uint8
		B []byte
	}
	narrowFixed struct {
		N uint8 `layout:"bits=4,len=A..B"`
		M uint8 `layout:"bits=4"`
		A uint8
		B []byte
	}
	twoUnions struct {
		T uint16 `layout:"varint"`
		A shape  `layout:"switch=T,prefix=u8"`
		B shape  `layout:"switch=T,prefix=varint"`
	}
	unionInside struct {
		T uint16 `layout:"const=1,const=2"`
		S struct {
			A shape `layout:"switch=T"`
		}
		E uint8
	}
	deepUnion struct {
		T uint32 `layout:"zigzag"`
		P *struct {
			A shape `layout:"switch=T"`
			B uint8 `layout:"if=T==1"`
		}
	}
	alignedFrame struct {
		A uint8
		F struct {
			X uint8
			_ struct{} `layout:"align=4"`
			Y uint32
			Z []byte
		} `layout:"prefix=varint"`
		S uint8 `layout:"xor8=A..F"`
	}
	alignedZeros struct {
		H uint8
		L []evenByte `layout:"until=zero"`
		T uint8
	}
	evenByte struct {
		A uint8
		_ struct{} `layout:"align=2"`
	}
	pointerZeros struct {
		L []*struct {
			A uint8
			B string `layout:"cstring"`
		} `layout:"until=zero"`
	}
	moreFrame struct {
		F struct {
			A uint8  `layout:"if=more"`
			B uint16 `layout:"if=more"`
		} `layout:"prefix=u8"`
		T uint8
	}
	otherFloats struct {
		A float32    `layout:"f64"`
		B float64    `layout:"f32"`
		C []float64  `layout:"f32,count=u8"`
		D [2]float32 `layout:"le,f64"`
	}
	conditionalRest struct {
		F    uint8
		N    uint8 `layout:"max=3"`
		Rest []byte
		_    struct{} `layout:"skip=2"`
		A    uint16   `layout:"if=F&1"`
		B    struct {
			C uint8
			D [2]uint16
			M [2]byte `layout:"magic=ok"`
		} `layout:"if=F&2"`
		E []uint16           `layout:"fixed=2"`
		P *struct{ V uint8 } `layout:"if=F&4"`
	}
	countedRest struct {
		N    uint8 `layout:"count=Tail"`
		Rest []byte
		Tail []uint32
	}
	scaledCounts struct {
		N    uint16 `layout:"count=A-1"`
		M    uint8  `layout:"bits=4,count=T*2+1,len=S"`
		K    uint8  `layout:"bits=4"`
		V    uint64 `layout:"varint,count=P*3"`
		W    uint64 `layout:"count=L*4-4,max=9"`
		F    uint8
		C    uint8    `layout:"if=F,count=O+2"`
		Rest []byte   // before fields whose size is known from their counts
		A    []uint32 `layout:"max=5"`
		T    string
		S    []byte
		P    []line
		L    []struct{ D uint8 }
		Z    int8   `layout:"count=T*2+1"` // behind what it counts
		O    []byte `layout:"if=F"`
	}
	severalCounts struct { // the number that is present says how much follows the rest
		F    uint8
		N    uint8 `layout:"if=F,count=A,count=T+1"`
		M    uint8 `layout:"if=F==0,count=A,len=B*2"`
		L    uint8 `layout:"if=F==0,len=S"`
		K    uint8 `layout:"if=F,len=S,len=B"`
		I    uint8 `layout:"len=D..E"`
		Rest []byte
		A    []uint16
		T    string `layout:"if=F"`
		B    []byte
		S    string
		D    uint8
		E    []byte
	}
	absentLengths struct { // the numbers say 0 if what they measure is absent
		F uint8
		N uint8  `layout:"len=A"`
		M uint16 `layout:"len=B*2"`
		K uint8  `layout:"bits=4,len=C"`
		J uint8  `layout:"bits=4,len=D"`
		I uint8  `layout:"if=F&1,len=E"`
		A []byte `layout:"if=F&1"`
		B struct {
			V []uint16
		} `layout:"if=F&2"`
		C *struct{ V []byte } `layout:"if=F&4"`
		D [3]uint8            `layout:"if=F&8"`
		E string              `layout:"if=F&1"`
	}
	rangeRest struct {
		N    uint8 `layout:"len=A..B"`
		Rest []byte
		A    uint8
		B    []byte
	}
	nestedRest struct {
		F uint8
		S struct {
			Rest []byte
			T    struct {
				A uint8 `layout:"if=F"`
				B uint16
			}
		}
		U uint8
	}
	digitsBits struct {
		A uint32 `layout:"oct=4"`
		B int32  `layout:"bits=20,le"`
		C uint64 `layout:"bits=44,le"`
	}
	limits struct {
		N int8   `layout:"max=5"`
		A []byte `layout:"max=2,cstring"`
		B string `layout:"max=3"`
	}
	limitedLists struct {
		A []uint16            `layout:"count=u8,max=2"`
		B []uint8             `layout:"until=0x00,max=4"`
		C []struct{ D uint8 } `layout:"max=1"`
	}
)

// A shape is the interface of unions.
type shape interface{ isShape() }

type (
	dot     struct{ X uint8 }
	line    struct{ X, Y uint16 }
	polygon struct {
		Corners []dot `layout:"count=u8"`
	}
)

func (dot) isShape()     {}
func (*line) isShape()   {}
func (polygon) isShape() {}

var long = bytes.Repeat([]byte("long"), 100)

// made returns a value whose fields are set by set.
func made[T any](set func(v *T)) any {
	var v T
	set(&v)
	return v
}

// formValues are values of these types. Some cannot be encoded.
var formValues = []any{
	varintAround{}, varintAround{Data: long[:60]}, varintAround{Data: long[:110]}, varintAround{Data: long[:114]}, varintAround{Data: long[:115]},
	varintAround{Data: long[:116]}, varintAround{Data: long[:117]}, varintAround{Kind: 1, Data: long, Tail: 9},
	slebAround{}, slebAround{A: long[:59]}, slebAround{A: long[:61]}, slebAround{A: long[:62]}, slebAround{A: long[:63]}, slebAround{A: long[:120], B: long[:3]}, slebAround{A: long, B: long},
	bitsMeasure{}, bitsMeasure{Flag: true, A: 1, B: long}, bitsLittle{Flag: 9, B: long}, bitsLittle{B: bytes.Repeat(long, 12)},
	twoRanges{}, twoRanges{B: long[:3], D: long[:3]}, twoRanges{B: long[:3], D: long[:4]},
	limitedRange{B: long[:8]}, limitedRange{B: long[:9]}, narrowRange{B: long[:254]}, narrowRange{B: long[:255]}, narrowFixed{M: 5, B: long[:14]}, narrowFixed{B: long[:15]},
	twoUnions{}, twoUnions{A: dot{1}, B: dot{2}}, twoUnions{A: dot{1}, B: polygon{}}, twoUnions{A: polygon{make([]dot, 200)}, B: polygon{make([]dot, 3)}}, twoUnions{A: &line{1, 2}, B: &line{3, 4}},
	unionInside{}, made(func(u *unionInside) { u.E, u.S.A = 4, dot{7} }), made(func(u *unionInside) { u.S.A = polygon{} }),
	deepUnion{}, alignedFrame{}, made(func(a *alignedFrame) { a.F.Z = long[:200] }), made(func(a *alignedFrame) { a.F.Z = long[:119] }), made(func(a *alignedFrame) { a.F.Z = long[:117] }),
	alignedZeros{}, alignedZeros{1, []evenByte{{A: 1}, {A: 2}, {A: 3}}, 2}, alignedZeros{1, []evenByte{{A: 1}, {}}, 2},
	pointerZeros{}, moreFrame{}, made(func(m *moreFrame) { m.T, m.F.A, m.F.B = 1, 2, 3 }), made(func(m *moreFrame) { m.F.A = 2 }),
	otherFloats{A: 1.5, B: -2.25, C: []float64{0.5, 1}, D: [2]float32{1, -1}}, otherFloats{B: 0.1}, otherFloats{C: []float64{1, 0.3}},
	conditionalRest{E: make([]uint16, 2)}, conditionalRest{F: 1, Rest: long[:5], A: 3, E: make([]uint16, 2)}, conditionalRest{E: make([]uint16, 3)},
	made(func(c *conditionalRest) {
		*c = conditionalRest{F: 7, Rest: long[:9], A: 3, E: []uint16{4, 5}, P: &struct{ V uint8 }{6}}
		c.B.C = 8
	}),
	scaledCounts{}, scaledCounts{T: "a"}, scaledCounts{T: "aaaaa", S: long[:2], A: make([]uint32, 2), Rest: long[:3], P: make([]line, 6), L: make([]struct{ D uint8 }, 8)},
	scaledCounts{T: "aaa", S: long[:1], L: make([]struct{ D uint8 }, 4), F: 1, O: long[:2]}, scaledCounts{T: "aaa", S: long[:1], F: 1, O: long[:7], Rest: long[:9]},
	scaledCounts{T: "aa", S: long[:1]}, scaledCounts{T: "aaa", S: long[:2]}, scaledCounts{T: "a", A: make([]uint32, 6)}, scaledCounts{T: "a", P: make([]line, 4)},
	scaledCounts{T: "a", L: make([]struct{ D uint8 }, 3)}, scaledCounts{T: "a", L: make([]struct{ D uint8 }, 48)}, scaledCounts{T: "a", F: 1, O: long[:1]}, scaledCounts{T: "a", C: 1},
	absentLengths{}, absentLengths{F: 1, A: long[:3], E: "e"}, absentLengths{F: 15, A: long[:1], C: &struct{ V []byte }{long[:2]}, E: "e"},
	absentLengths{F: 4, C: &struct{ V []byte }{}}, absentLengths{A: long[:1]},
	severalCounts{}, severalCounts{F: 1, A: make([]uint16, 2), T: "ttt", B: long[:4], S: "text", E: long[:2]}, severalCounts{F: 1, Rest: long[:9], T: "t", E: long[:5]},
	severalCounts{Rest: long[:4], A: make([]uint16, 2), B: long[:4], S: "s", D: 7}, severalCounts{Rest: long[:4], A: make([]uint16, 2), B: long[:5]},
	countedRest{}, countedRest{Rest: long[:5], Tail: []uint32{1, 2}}, countedRest{Tail: []uint32{1}},
	rangeRest{}, rangeRest{Rest: long[:7], A: 1, B: long[:20]}, nestedRest{}, made(func(n *nestedRest) { n.F, n.U, n.S.Rest, n.S.T.A, n.S.T.B = 1, 2, long[:3], 5, 6 }),
	digitsBits{}, digitsBits{A: 0o7777, B: -300, C: 1 << 43}, digitsBits{A: 0o10000}, digitsBits{C: 1 << 44},
	limits{N: 5}, limits{N: 6}, limits{N: -128}, limits{A: long[:2]}, limits{A: long[:3]}, limits{B: "abc"}, limits{B: "abcd"},
	limitedLists{}, limitedLists{A: make([]uint16, 2), B: long[:4]}, limitedLists{A: make([]uint16, 3)}, limitedLists{B: long[:5]},
}

// TestOracleForms compares with the reference on the values above, on all prefixes of their messages, and on messages
// with one other byte.
func TestOracleForms(t *testing.T) {
	for _, order := range []struct {
		name  string
		order binary.ByteOrder
	}{{"be", binary.BigEndian}, {"le", binary.LittleEndian}} {
		c, err := layout.New(layout.Options{
			Order: order.order,
			Unions: []layout.UnionCoder{layout.Union[shape](
				layout.VariantOf[dot](1), layout.VariantOf[*line](2), layout.VariantOf[polygon](300))},
		})
		if err != nil {
			t.Fatal(err)
		}
		ref := reference.Config{Order: order.name, Unions: map[reflect.Type]reference.Union{
			reflect.TypeFor[shape](): {Variants: map[uint64]reflect.Type{1: reflect.TypeFor[dot](), 2: reflect.TypeFor[*line](), 300: reflect.TypeFor[polygon]()}},
		}}
		for i, v := range formValues {
			typ := reflect.TypeOf(v)
			t.Run(fmt.Sprintf("%s/%d %s", order.name, i, typ.Name()), func(t *testing.T) { compareForms(t, c, ref, v) })
		}
	}
}

func compareForms(t *testing.T, c *layout.Codec, ref reference.Config, v any) {
	typ := reflect.TypeOf(v)
	pointer := reflect.New(typ)
	pointer.Elem().Set(reflect.ValueOf(v))
	want, wantErr := ref.Marshal(v)
	if errors.Is(wantErr, reference.ErrTag) {
		t.Fatal(wantErr) // there would be nothing to compare
	}
	got, gotErr := c.Marshal(pointer.Interface())
	if (gotErr == nil) != (wantErr == nil) || gotErr == nil && !bytes.Equal(got, want) || gotErr != nil && !sameReason(gotErr, wantErr) {
		t.Fatalf("% x, %v\nwant % x, %v", got, gotErr, want, wantErr)
	}
	if wantErr != nil {
		return
	}
	check := func(data []byte) {
		mine, theirs := reflect.New(typ), reflect.New(typ)
		gotN, gotErr := c.UnmarshalPrefix(data, mine.Interface())
		wantN, wantErr := ref.UnmarshalPrefix(data, theirs.Interface())
		if (gotErr == nil) != (wantErr == nil) || gotErr == nil && (gotN != wantN || !same(mine, theirs)) || gotErr != nil && !sameReason(gotErr, wantErr) {
			t.Fatalf("% x\ngot  %d, %v, %s\nwant %d, %v, %s", data, gotN, gotErr, dump(mine.Elem()), wantN, wantErr, dump(theirs.Elem()))
		}
		read := reflect.New(typ)
		err := c.Read(bytes.NewReader(data), read.Interface())
		if (err == nil) != (gotErr == nil) || err == nil && !same(read, mine) {
			t.Fatalf("% x\nRead   %v, %s\nUnmarshalPrefix %v, %s", data, err, dump(read.Elem()), gotErr, dump(mine.Elem()))
		}
	}
	check(want)
	for n := range min(len(want), 60) {
		check(want[:n])
		data := bytes.Clone(want)
		for _, b := range []byte{0, 1, 0x7f, 0x80, 0xff, want[n] + 1, want[n] - 1} {
			data[n] = b
			check(data)
		}
	}
}

// TestUnionLists checks lists of unions, which the reference does not know.
func TestUnionLists(t *testing.T) {
	type list struct {
		T uint16
		L []shape `layout:"switch=T,count=u8"`
	}
	c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[shape](
		layout.VariantOf[dot](1), layout.VariantOf[*line](2), layout.VariantOf[polygon](300))}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		v    list
		want string // the message or the error
	}{
		{list{L: []shape{}}, "\x00\x00\x00"},
		{list{T: 1, L: []shape{}}, "\x00\x01\x00"},
		{list{T: 1, L: []shape{dot{1}, dot{2}}}, "\x00\x01\x02\x01\x02"},
		{list{T: 2, L: []shape{&line{1, 2}}}, "\x00\x02\x01\x00\x01\x00\x02"},
		{list{T: 300, L: []shape{polygon{[]dot{}}}}, "\x01\x2c\x01\x00"},
		{list{L: []shape{dot{1}, &line{}}}, "layout: list.L[1] at offset 0: the unions that switch on T require different tags, 1 and 2"},
		{list{L: []shape{nil}}, "layout: list.L[0] at offset 3: nil interface"},
		{list{L: []shape{(*line)(nil)}}, "layout: list.L[0] at offset 3: nil pointer"},
	} {
		b, err := c.Marshal(&test.v)
		if err != nil && err.Error() == test.want {
			continue
		}
		var got list
		if err == nil {
			err = c.Unmarshal(b, &got)
		}
		if err != nil || string(b) != test.want || !reflect.DeepEqual(got, test.v) {
			t.Errorf("%+v: %q, %v, %+v, want %q", test.v, b, err, got, test.want)
		}
	}
}
