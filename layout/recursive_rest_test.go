package layout_test

import (
	"reflect"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/layout"
)

type (
	// ringBox is a box as in MP4: the number counts the whole box, and the contents of some are boxes again.
	ringBox struct {
		Size uint8 `layout:"len=Size..Data"`
		Type uint8
		Data any `layout:"switch=Type"`
	}
	ringBoxes struct{ Boxes []ringBox }
	ringOuter struct {
		Kind  uint8
		Large uint16 `layout:"len=Kind..Data"`
		Data  any    `layout:"switch=Kind"`
		Tail  uint8
	}
	// ringRest takes the rest, and fields follow where it is inside of itself, but not in its frame.
	ringRest struct {
		Flag uint8
		In   ringFrame `layout:"if=Flag"`
		Rest string
	}
	ringFrame struct {
		Size uint8 `layout:"len=Size..Next"`
		Next *ringRest
		Tail uint8
	}
	// ringOpen is ringRest where the number may be absent.
	ringOpen struct {
		Flag uint8
		In   ringMissing `layout:"if=Flag"`
		Rest string
	}
	ringMissing struct {
		Has  uint8
		Size uint8 `layout:"len=Size..Next,if=Has"`
		Next *ringOpen
		Tail uint8
	}
)

// TestRecursiveRanges has recursive structs that end where the ranges around them do. Each struct of a circle can be the
// outermost one.
func TestRecursiveRanges(t *testing.T) {
	c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](
		layout.VariantOf[*ringBoxes](1), layout.VariantOf[body16](2))}})
	if err != nil {
		t.Fatal(err)
	}
	ref := reference.Config{Unions: map[reflect.Type]reference.Union{reflect.TypeFor[any](): {Variants: map[uint64]reflect.Type{
		1: reflect.TypeFor[*ringBoxes](), 2: reflect.TypeFor[body16]()}}}}
	boxes := &ringBoxes{[]ringBox{{Data: body16{1}}, {Data: &ringBoxes{[]ringBox{{Data: body16{2}}, {Data: &ringBoxes{}}}}}, {Data: body16{3}}}}
	for _, v := range []any{*boxes, ringBox{Data: boxes}, ringOuter{Data: boxes, Tail: 9}, ringOuter{Data: &ringBoxes{}},
		ringRest{Rest: "c"}, ringRest{1, ringFrame{Next: &ringRest{1, ringFrame{Next: &ringRest{Rest: "a"}, Tail: 1}, "b"}, Tail: 2}, "c"},
		ringFrame{Next: &ringRest{1, ringFrame{Next: &ringRest{}}, "d"}},
	} {
		t.Run(reflect.TypeOf(v).Name(), func(t *testing.T) { compareForms(t, c, ref, v) })
	}
	refuse(t, c, &ringOpen{}, layout.ErrTag, "fields follow the recursive ringOpen")
}

type body16 struct{ N uint16 }

// TestOptionalRanges has fields that take what a range leaves, or, if the number of the range is absent, what the frame
// around it leaves.
func TestOptionalRanges(t *testing.T) {
	type one struct {
		Has  uint8
		Size uint8 `layout:"len=Size..Data,if=Has&1"`
		Data []byte
		Tail uint16
	}
	type two struct {
		N    uint8 `layout:"len=Last"`
		Has  uint8
		A    uint8 `layout:"len=A..Tail,if=Has&1"`
		B    uint8 `layout:"len=B..Data,if=Has&2"`
		C    uint8 `layout:"len=C..Data,if=Has&4"`
		Data []uint16
		Tail uint16
		Last string
	}
	type inside struct {
		Has  uint8
		Size uint8 `layout:"len=Has..In,if=Has"`
		In   struct{ Data string }
		Tail [3]uint8
	}
	type together struct { // the size of what follows is not known, and need not be
		Has  uint8
		Size uint8  `layout:"len=Size..Data,if=Has"`
		Data []byte `layout:"if=Has"`
		Tail string `layout:"prefix=u8"`
	}
	values := []any{one{0, 0, []byte("ab"), 5}, one{1, 0, []byte("ab"), 5}, one{Tail: 7},
		inside{Tail: [3]uint8{1, 2, 3}}, inside{Has: 1, In: struct{ Data string }{"text"}},
		together{0, 0, nil, "tail"}, together{1, 0, []byte("data"), "tail"}}
	for has := range uint8(8) {
		values = append(values, two{Has: has, Data: []uint16{1, 2}, Tail: 3, Last: "last"})
	}
	for _, v := range values {
		t.Run(reflect.TypeOf(v).Name(), func(t *testing.T) { compareForms(t, codec(t), reference.Config{}, v) })
	}
	type unknown struct {
		Has  uint8
		Size uint8 `layout:"len=Size..Data,if=Has"`
		Data []byte
		Tail string `layout:"prefix=u8"`
	}
	refuse(t, codec(t), &unknown{}, layout.ErrTag, "the size of Tail, which follows, is not known")
	type more struct { // the end of Head is not that of the message
		Head struct {
			Size uint8 `layout:"len=Head..Data,if=more"`
		} `layout:"prefix=u8"`
		Data struct{ Text string } `layout:"if=more"`
		Tail uint8                 `layout:"if=more"`
	}
	refuse(t, codec(t), &more{}, layout.ErrTag, "the size of Tail, which follows, is not known")
}
