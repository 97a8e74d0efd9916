package layout_test

import (
	"bytes"
	"errors"
	"reflect"
	"runtime/debug"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/layout"
)

// TestRecursiveSlices has trees whose nodes are elements of slices and arrays. A
// number of a node is still known after its children, and depth is limited.
func TestRecursiveSlices(t *testing.T) {
	data := []byte("\x01\x02\x00\x00\x00\x01\x00\x00ab")
	var tree, want fieldsTree
	if err := layout.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	if err := (reference.Config{}).Unmarshal(data, &want); err != nil || !reflect.DeepEqual(tree, want) {
		t.Errorf("got %+v, want %+v, %v", tree, want, err)
	}
	if got, err := layout.Marshal(&tree); err != nil || !bytes.Equal(got, data) {
		t.Errorf("% x, %v", got, err)
	}
	for _, depth := range []int{400, 600, 1 << 20} {
		data := append(bytes.Repeat([]byte{0, 1}, depth), 0, 0)
		if err := layout.Unmarshal(data, &tree); errors.Is(err, layout.ErrDepth) != (depth > 512) || depth < 512 && err != nil {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
	cycle := []fieldsTree{{}}
	cycle[0].Children = cycle
	if _, err := layout.Marshal(&cycle[0]); !errors.Is(err, layout.ErrDepth) {
		t.Errorf("cycle: %v", err)
	}
}

type (
	zeroTree struct {
		Kind     uint8
		Children []zeroTree `layout:"until=zero,if=Kind"`
	}
	zeroNode struct {
		Kind     uint8
		Children []*zeroNode `layout:"until=zero,if=Kind"`
	}
	zeroDocument struct {
		Elements []zeroElement `layout:"until=zero"`
	}
	zeroElement struct {
		Type  uint8
		Name  string `layout:"cstring,if=Type"`
		Value any    `layout:"switch=Type,if=Type"`
	}
	zeroInt     struct{ V int32 }
	zeroForever struct {
		Kind     uint8
		Children []zeroForever `layout:"until=zero"`
	}
)

// TestRecursiveUntilZero has types whose lists end with an element that has only the number that says so, as in BSON,
// Thrift and NBT, and whose elements contain such lists.
func TestRecursiveUntilZero(t *testing.T) {
	c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[*zeroInt](1), layout.VariantOf[*zeroDocument](3))}})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		value any
		bytes string
	}{
		{&zeroTree{1, []zeroTree{{2, []zeroTree{}}, {3, []zeroTree{{4, []zeroTree{}}}}}}, "\x01\x02\x00\x03\x04\x00\x00\x00"},
		{&zeroTree{}, "\x00"},
		{&zeroNode{1, []*zeroNode{{2, []*zeroNode{}}, {3, []*zeroNode{}}}}, "\x01\x02\x00\x03\x00\x00"},
		{&zeroDocument{[]zeroElement{{1, "a", &zeroInt{5}}, {3, "", &zeroDocument{[]zeroElement{{1, "b", &zeroInt{6}}}}}}},
			"\x01a\x00\x00\x00\x00\x05\x03\x00\x01b\x00\x00\x00\x00\x06\x00\x00"},
	} {
		got, err := c.Marshal(v.value)
		if err != nil || string(got) != v.bytes {
			t.Errorf("%+v: % x, %v, want % x", v.value, got, err, v.bytes)
		}
		for n := range len(v.bytes) + 1 {
			back := reflect.New(reflect.TypeOf(v.value).Elem()).Interface()
			err := c.Unmarshal([]byte(v.bytes[:n]), back)
			if n == len(v.bytes) && (err != nil || !reflect.DeepEqual(back, v.value)) {
				t.Errorf("% x: %+v, %v, want %+v", v.bytes, back, err, v.value)
			} else if n < len(v.bytes) && !errors.Is(err, layout.ErrTruncated) {
				t.Errorf("% x: %v, want ErrTruncated", v.bytes[:n], err)
			}
		}
	}
	if _, err := c.Marshal(&zeroForever{1, nil}); !errors.Is(err, layout.ErrTag) {
		t.Errorf("an element that never ends: %v, want ErrTag", err)
	}
}

// TestRecursiveTypesOfOtherKinds has types that contain themselves but are no structs.
func TestRecursiveTypesOfOtherKinds(t *testing.T) {
	type pointer *pointer
	type list []list
	type both *[1]both
	for _, v := range []any{
		new(pointer), new(list), new(both), &struct{ P pointer }{}, &struct{ L list }{}, &struct{ B both }{},
	} {
		// Goroutines have small stacks on some platforms.
		old := debug.SetMaxStack(1 << 20)
		_, err := layout.Marshal(v)
		debug.SetMaxStack(old)
		if err == nil {
			t.Errorf("%T: no error", v)
		}
	}
}

// mutualA and mutualB contain each other and themselves. No value of them can be written.
type (
	mutualA struct {
		Other *mutualB
		Self  *mutualA
	}
	mutualB struct {
		Other *mutualA
		Self  *mutualB
	}
	inArray struct {
		A uint8
		P [1]struct{ Next *inArray }
	}
	inSlice struct {
		A    uint8
		List []*inSlice `layout:"fixed=2"`
	}
	inUnion struct {
		Tag  uint8
		Body any `layout:"switch=Tag"`
	}
	inVariant struct{ Other *inUnion }
	inNothing struct {
		A    uint8
		P    [0]*inNothing
		List []inNothing `layout:"fixed=0"`
	}
	inConstant struct {
		Kind uint8       `layout:"const=1,const=2"`
		Next *inConstant `layout:"if=Kind"`
	}
	inConstants struct {
		Kind uint8        `layout:"const=1,const=2"`
		Next *inConstants `layout:"if=Kind==2"`
	}
	inAbsent struct {
		A    uint8
		Kind uint8     `layout:"const=1,if=A"`
		Next *inAbsent `layout:"if=Kind"`
	}
	inCondition struct {
		A    uint8
		Next struct{ Next *inCondition } `layout:"if=A"`
	}
)

// TestEndless requires that a type whose messages would never end is refused when it is compiled.
func TestEndless(t *testing.T) {
	c := codec(t)
	refuse(t, c, &mutualA{}, layout.ErrTag, "mutualA.Other.Other: each layout_test.mutualA contains another one, so no message ends")
	refuse(t, c, &inArray{}, layout.ErrTag, "inArray.P[].Next: each layout_test.inArray contains another one")
	refuse(t, c, &inSlice{}, layout.ErrTag, "inSlice.List[]: each layout_test.inSlice contains another one")
	variants := []layout.Variant{layout.VariantOf[*inVariant](1), layout.VariantOf[inUnion](2)}
	unions := func(list ...layout.Variant) *layout.Codec {
		c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](list...)}})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	refuse(t, unions(variants...), &inUnion{}, layout.ErrTag, "each layout_test.inUnion contains another one")
	end := inUnion{Body: layout.Unknown{Tag: 9}}
	b, err := unions(append(variants, layout.KeepUnknown())...).Marshal(&inUnion{Body: &inVariant{&inUnion{Body: end}}})
	if string(b) != "\x01\x02\x09" || err != nil {
		t.Errorf("% x, %v", b, err)
	}
	refuse(t, c, &inConstant{}, layout.ErrTag, "inConstant.Next: each layout_test.inConstant contains another one")
	for v, want := range map[any]string{new(inNothing): "\x00", new(inCondition): "\x00", new(inAbsent): "\x00", new(inConstants): "\x01"} {
		if b, err := c.Marshal(v); string(b) != want || err != nil {
			t.Errorf("%T: % x, %v", v, b, err)
		}
	}
}
