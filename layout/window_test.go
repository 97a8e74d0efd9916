package layout_test

import (
	"errors"
	"testing"

	"github.com/octet-go/octet/layout"
)

// windowHead has a constant and numbers that are encoded as one operation.
type windowHead struct {
	C uint8 `layout:"const=1"`
	A uint8 `layout:"bits=4"`
	B uint8 `layout:"bits=4"`
	D uint16
	E uint16
}

// TestErrorsBeforeLevels finds where an error is that occurs just before a slice, array,
// pointer, union or frame begins, at the root and in an element.
func TestErrorsBeforeLevels(t *testing.T) {
	type element struct {
		Head windowHead
		List []struct {
			N uint8
			S string `layout:"prefix=u8"`
		} `layout:"count=u8"`
	}
	type pointer struct {
		Head windowHead
		P    *windowHead
	}
	type array struct {
		Head windowHead
		L    [2]struct {
			S string `layout:"prefix=u8"`
		}
	}
	type framed struct {
		Head windowHead
		F    windowHead `layout:"prefix=u8"`
	}
	type linked struct {
		C uint8 `layout:"const=1"`
		N uint8 `layout:"len=F"`
		F struct {
			C uint8 `layout:"const=2"`
			D uint8
			S string
		}
	}
	type union struct {
		C uint8 `layout:"const=1"`
		K uint8
		D uint32
		U any `layout:"switch=K,prefix=u8"`
	}
	type list struct {
		Elements []element `layout:"count=u8"`
	}
	c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[*windowHead](1))}})
	if err != nil {
		t.Fatal(err)
	}
	bad := windowHead{C: 9}
	wrong := linked{}
	wrong.F.C = 9
	for _, v := range []struct {
		value  any
		path   string
		offset int64
	}{
		{&element{Head: bad}, "Head.C", 0},
		{&pointer{Head: bad, P: new(windowHead)}, "Head.C", 0},
		{&pointer{P: &bad}, "P.C", 6},
		{&array{Head: bad}, "Head.C", 0},
		{&framed{Head: bad}, "Head.C", 0},
		{&framed{F: bad}, "F.C", 7},
		{&linked{C: 9}, "C", 0},
		{&wrong, "F.C", 2},
		{&union{C: 9, U: new(windowHead)}, "C", 0},
		{&union{U: &bad}, "U.C", 7},
		{&list{[]element{{}, {Head: bad}}}, "Elements[1].Head.C", 8},
	} {
		_, err := c.Marshal(v.value)
		var e *layout.Error
		if !errors.As(err, &e) || !errors.Is(err, layout.ErrConst) {
			t.Errorf("%T: %v", v.value, err)
			continue
		}
		if n := len(e.Path) - len(v.path); n < 1 || e.Path[n-1:] != "."+v.path || e.Offset != v.offset {
			t.Errorf("%T: the error is at %s, offset %d, want %s, offset %d", v.value, e.Path, e.Offset, v.path, v.offset)
		}
	}
}
