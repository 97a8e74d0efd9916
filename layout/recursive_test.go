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
)

// TestMutualRecursion compiles types that contain each other, whose least size is computed without following loops.
func TestMutualRecursion(t *testing.T) {
	c, err := layout.For[mutualA](nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Append(nil, &mutualA{}); !errors.Is(err, layout.ErrRange) {
		t.Errorf("%v, want ErrRange", err)
	}
	if _, err := c.UnmarshalPrefix(nil, &mutualA{}); !errors.Is(err, layout.ErrDepth) && !errors.Is(err, layout.ErrLimit) {
		t.Errorf("%v, want ErrDepth", err)
	}
}
