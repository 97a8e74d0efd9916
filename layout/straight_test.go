package layout

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/octet-go/octet/internal/kernel"
	"github.com/octet-go/octet/internal/mem"
)

type straightFrame struct {
	Command uint8  `layout:"const=2"`
	Length  uint32 `layout:"len=ID..Tail"`
	ID      uint8  `layout:"const=1"`
	Size    uint16 `layout:"le,len=Token"`
	Token   [33]byte
	_       struct{} `layout:"skip=3"`
	Kept    uint64   `layout:"-"`
	Data    []byte   `layout:"prefix=u16,max=90"`
	Kind    uint16   `layout:"const=0x0304"`
	Numbers [3]uint16
	Few     uint8  `layout:"len=Name"`
	Name    string `layout:"max=70"`
	Tail    uint8
	_       struct{} `layout:"magic=END"`
}

type straightBits struct {
	A uint8  `layout:"bits=4"`
	B uint16 `layout:"bits=9"`
	C bool   `layout:"bits=1"`
	D uint64 `layout:"bits=34"`
	E int32
	F uint8 `layout:"bits=3"`
	G uint8 `layout:"bits=5"`
	H uint8 `layout:"const=9"`
}

type straightSigned struct {
	_ struct{} `layout:"le"`
	A int8     `layout:"bits=3"`
	B int16    `layout:"bits=9"`
	C int32    `layout:"bits=20"`
	D bool
	E int64  `layout:"bits=39"`
	F bool   `layout:"bits=1"`
	G uint8  `layout:"bits=2"`
	_ uint32 `layout:"bits=22"`
	H [5]uint32
	I [40]uint16 `layout:"be"`
}

type straightTiny struct {
	A int8  `layout:"bits=3"`
	B uint8 `layout:"bits=5"`
	C bool
}

// straightTail has a range that ends with a text, two ranges that end in one run, and
// more texts than a kernel.Message.
type straightTail struct {
	Length  uint16 `layout:"len=Length..E"`
	Size    uint8  `layout:"len=A..Kind"`
	Another uint32 `layout:"le,len=A..Kind"`
	A       string `layout:"prefix=u8"`
	B       []byte `layout:"prefix=u32"`
	Kind    uint8  `layout:"const=7"`
	C       string `layout:"prefix=u16"`
	D       string `layout:"prefix=u16"`
	E       []byte `layout:"prefix=u8"`
}

// straightEnd has a long text at its end.
type straightEnd struct {
	Length uint32 `layout:"len=Kind..Data"`
	Kind   uint8  `layout:"const=7"`
	Flag   bool
	Data   []byte `layout:"prefix=u16"`
}

type straightSmall struct {
	A uint8  `layout:"const=9"`
	B uint16 `layout:"const=7"`
	C uint8
}

// TestStraight compares straight programs with the general ones, with values and
// messages of which some are wrong.
func TestStraight(t *testing.T) {
	for _, alias := range []bool{false, true} {
		c, err := New(Options{AliasInput: alias})
		if err != nil {
			t.Fatal(err)
		}
		testStraight[straightFrame](t, c, func(r *rand.Rand, v *straightFrame) {
			*v = straightFrame{Size: uint16(r.Uint32()), Data: make([]byte, r.IntN(100)), Numbers: [3]uint16{1, 2, uint16(r.Uint32())}, Name: string(make([]byte, r.IntN(80))), Tail: 7}
			for i := range v.Token {
				v.Token[i] = byte(r.Uint32())
			}
			v.Command, v.Kind = uint8(r.IntN(2)*2), uint16(r.IntN(2)*0x0304+r.IntN(20)/19)
		})
		testStraight[straightBits](t, c, func(r *rand.Rand, v *straightBits) {
			*v = straightBits{uint8(r.IntN(17)), uint16(r.IntN(1 << 9)), r.IntN(2) == 1, r.Uint64() >> 30, int32(r.Uint32()), uint8(r.IntN(8)), uint8(r.IntN(33)), uint8(r.IntN(11) / 10)}
		})
		testStraight[straightSigned](t, c, func(r *rand.Rand, v *straightSigned) {
			*v = straightSigned{A: int8(r.IntN(9) - 4), B: int16(r.IntN(1<<9) - 1<<8), C: int32(r.IntN(1<<20) - 1<<19), D: r.IntN(2) == 1, E: int64(r.Uint64()) >> 25, F: r.IntN(2) == 1, G: uint8(r.IntN(4))}
			v.H[r.IntN(5)], v.I[r.IntN(40)] = r.Uint32(), uint16(r.Uint32())
		})
		testStraight[straightTiny](t, c, func(r *rand.Rand, v *straightTiny) {
			*v = straightTiny{int8(r.IntN(9) - 4), uint8(r.IntN(32)), r.IntN(2) == 1}
		})
		testStraight[straightTail](t, c, func(r *rand.Rand, v *straightTail) {
			*v = straightTail{A: string(make([]byte, r.IntN(80))), B: make([]byte, r.IntN(90)), C: string(make([]byte, r.IntN(5))), E: make([]byte, r.IntN(3))}
		})
		testStraight[straightEnd](t, c, func(r *rand.Rand, v *straightEnd) {
			*v = straightEnd{Kind: uint8(r.IntN(2) * 7), Flag: r.IntN(2) == 1, Data: make([]byte, r.IntN(100)*r.IntN(30))}
		})
		testStraight[straightSmall](t, c, func(r *rand.Rand, v *straightSmall) {
			*v = straightSmall{uint8(r.IntN(2) * 9), uint16(r.IntN(9)), uint8(r.Uint32())}
		})
	}
}

// testStraight also runs the code for other processors and for rare messages.
func testStraight[T any](t *testing.T, c *Codec, fill func(*rand.Rand, *T)) {
	m, err := c.of(reflect.TypeFor[T]())
	if err != nil {
		t.Fatal(err)
	}
	if m.fast == nil {
		t.Fatalf("%s: no straight program", m.name)
	}
	t.Run(fmt.Sprint(m.typ, "/messages"), func(t *testing.T) { testStraightWay(t, *m, fill) })
	way, fast := *m, *m.fast
	fast.out, fast.in = kernel.Message{}, kernel.Message{}
	way.fast = &fast
	t.Run(fmt.Sprint(m.typ, "/permutations"), func(t *testing.T) { testStraightWay(t, way, fill) })
	fast.parts = slices.Clone(fast.parts)
	for i := range fast.parts {
		fast.parts[i].out, fast.parts[i].in = kernel.BitPermutation{}, kernel.BitPermutation{}
	}
	way.lone = noLoneRun
	t.Run(fmt.Sprint(m.typ, "/moves"), func(t *testing.T) { testStraightWay(t, way, fill) })
}

func testStraightWay[T any](t *testing.T, m message, fill func(*rand.Rand, *T)) {
	general, typed := m, Typed[T]{&m}
	general.fast, general.lone = nil, noLoneRun
	r := rand.New(rand.NewPCG(1, 2))
	count := [2]int{}
	buf := make([]byte, 1, 4000)
	for range 2000 {
		v := new(T)
		fill(r, v)
		got, err1 := typed.Append(buf, v)
		got = bytes.Clone(got)
		want, err2 := general.encode(make([]byte, 1), mem.PtrTo(v))
		if !bytes.Equal(got, want) || fmt.Sprint(err1) != fmt.Sprint(err2) {
			t.Fatalf("%+v: % x, %v, want % x, %v", v, got, err1, want, err2)
		}
		if n, ok := m.fast.store(buf, mem.PtrTo(v)); ok && n == len(want) && err2 == nil {
			count[0]++
		}
		data := want[1:]
		switch r.IntN(4) {
		case 0:
			data = data[:r.IntN(len(data)+1)]
		case 1:
			if len(data) > 0 {
				data[r.IntN(len(data))] ^= 1 << r.IntN(8)
			}
		}
		a, b := new(T), new(T)
		n1, err1 := typed.UnmarshalPrefix(data, a)
		n2, err2 := general.decode(data, mem.PtrTo(b))
		if n1 != n2 || fmt.Sprint(err1) != fmt.Sprint(err2) || err1 == nil && !reflect.DeepEqual(a, b) {
			t.Fatalf("% x: %+v, %d, %v, want %+v, %d, %v", data, a, n1, err1, b, n2, err2)
		}
		if n, ok := m.fast.load(data, mem.PtrTo(a)); ok && n == n2 && err2 == nil {
			count[1]++
		}
	}
	if count[0] < 200 || count[1] < 200 {
		t.Errorf("%s: the straight program encoded %d and decoded %d of 2000", m.name, count[0], count[1])
	}
}
