package layout

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

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
		testStraight[straightSmall](t, c, func(r *rand.Rand, v *straightSmall) {
			*v = straightSmall{uint8(r.IntN(2) * 9), uint16(r.IntN(9)), uint8(r.Uint32())}
		})
	}
}

func testStraight[T any](t *testing.T, c *Codec, fill func(*rand.Rand, *T)) {
	m, err := c.of(reflect.TypeFor[T]())
	if err != nil {
		t.Fatal(err)
	}
	if m.fast == nil {
		t.Fatalf("%s: no straight program", m.name)
	}
	general := *m
	general.fast = nil
	r := rand.New(rand.NewPCG(1, 2))
	count := [2]int{}
	buf := make([]byte, 1, 400)
	for range 2000 {
		v := new(T)
		fill(r, v)
		got, err1 := m.encode(buf, mem.PtrTo(v))
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
		n1, err1 := m.decode(data, mem.PtrTo(a))
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
