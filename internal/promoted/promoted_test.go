package promoted_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/octet-go/octet/internal/promoted"
)

type value struct{}

func (value) String() string { return "" }

type pointer struct{}

func (*pointer) String() string { return "" }

type (
	inner          struct{ value }
	innerPointer   struct{ *value }
	deep           struct{ inner }
	target         struct{ pointer }
	targetOf       struct{ *pointer }
	anything       struct{ fmt.Stringer }
	generic[T any] struct {
		value
		V T
	}
	own[T any] struct {
		value
		V T
	}
	ownPointer struct{ pointer }
	none       struct{}
)

func (own[T]) String() string      { return "" }
func (*ownPointer) String() string { return "" }

// TestIs asks for methods with receivers of both kinds, of generic types and of embedded pointers and interfaces.
func TestIs(t *testing.T) {
	find := func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("String") }
	for _, c := range []struct {
		of   any
		want bool
	}{
		{value{}, false}, {pointer{}, false}, {inner{}, true}, {innerPointer{}, true}, {deep{}, true}, {target{}, true}, {targetOf{}, true},
		{anything{}, true}, {generic[int]{value: value{}}, true}, {generic[string]{}, true}, {own[int]{value: value{}}, false}, {own[string]{}, false}, {ownPointer{pointer: pointer{}}, false},
		{none{}, false},
	} {
		if got := promoted.Is(reflect.TypeOf(c.of), find); got != c.want {
			t.Errorf("%T: got %t", c.of, got)
		}
	}
}
