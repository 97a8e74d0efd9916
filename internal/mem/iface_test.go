package mem_test

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"github.com/octet-go/octet/internal/mem"
)

type (
	text struct{ s string } // in an interface, by a pointer to it
	list []string
)

func (t text) String() string    { return t.s }
func (t *text) Error() string    { return t.s }
func (l list) String() string    { return l[0] }
func (l *list) GoString() string { return (*l)[0] }

// TestSetInterface stores values in variables of interfaces with and without methods, which must be those that Go stores.
func TestSetInterface(t *testing.T) {
	check := func(variable, value any) {
		t.Helper()
		v, x := reflect.ValueOf(variable), reflect.ValueOf(value)
		iface := v.Type().Elem()
		data := x
		if x.Kind() != reflect.Pointer {
			data = reflect.New(x.Type())
			data.Elem().Set(x)
		}
		mem.SetInterface(mem.PtrOf(v), mem.InterfaceWord(iface, x.Type()), mem.PtrOf(data))
		runtime.GC()
		if got := v.Elem().Elem(); got.Type() != x.Type() || !reflect.DeepEqual(got.Interface(), value) {
			t.Errorf("%v holds %v %v, want %v %v", iface, got.Type(), got, x.Type(), value)
		}
		want := reflect.New(iface).Elem()
		want.Set(x)
		if mem.TypeWordOf(v.Elem().Interface()) != mem.TypeWordOf(value) || fmt.Sprint(v.Elem()) != fmt.Sprint(want) {
			t.Errorf("%v prints %v, want %v", iface, v.Elem(), want)
		}
	}
	var x any
	var s fmt.Stringer
	var e error
	var g fmt.GoStringer
	check(&x, text{"a"})
	check(&x, &text{"b"})
	check(&x, 7)
	check(&s, text{"c"})
	check(&s, &text{"d"})
	check(&s, list{"e"})
	check(&e, &text{"f"})
	check(&g, &list{"g"})
	if s.String() != "e" || e.Error() != "f" || g.GoString() != "g" {
		t.Errorf("the methods return %q, %q and %q", s.String(), e.Error(), g.GoString())
	}
}
