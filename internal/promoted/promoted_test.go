package promoted_test

import (
	"fmt"
	"reflect"
	"strings"
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
	around     struct{ *back }
	back       struct {
		*around
		value
	}
	none struct{}
)

func (own[T]) String() string      { return "" }
func (*ownPointer) String() string { return "" }

// TestIs asks for methods with receivers of both kinds, of generic types and of embedded pointers and interfaces.
func TestIs(t *testing.T) {
	find := func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("String") }
	for _, c := range []struct {
		of   any
		from string
	}{
		{value{}, ""}, {pointer{}, ""}, {inner{}, "value"}, {innerPointer{}, "value"}, {deep{}, "inner.value"}, {target{}, "pointer"},
		{targetOf{}, "pointer"}, {around{}, "back.value"}, {back{around: new(around)}, "value"}, {anything{}, "Stringer"}, {generic[int]{value: value{}}, "value"},
		{generic[string]{}, "value"}, {own[int]{value: value{}}, ""}, {own[string]{}, ""}, {ownPointer{pointer: pointer{}}, ""}, {none{}, ""},
	} {
		if got := promoted.Is(reflect.TypeOf(c.of), find); got != (c.from != "") {
			t.Errorf("%T: got %t", c.of, got)
		}
		if got := strings.Join(promoted.From(reflect.TypeOf(c.of), find), "."); got != c.from {
			t.Errorf("%T: from %q, want %q", c.of, got, c.from)
		}
	}
}
