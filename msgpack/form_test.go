package msgpack_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

func ExampleFormOf() {
	type User struct {
		Name string `msgpack:"name,required"`
		Tags []string
	}
	d, err := msgpack.FormOf(reflect.TypeFor[*User](), nil).Describe()
	fmt.Println(d.Kind, d.Nil, err)
	for _, f := range d.Fields {
		fmt.Println(f.Name, f.Form.Type(), f.Required)
	}
	// Output:
	// struct true <nil>
	// name string true
	// Tags []string false
}

func ExampleForm_Describe() {
	codec, err := msgpack.New(msgpack.Options{Time: msgpack.TimeUnix, TagKeys: []string{"json"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := msgpack.FormOf(reflect.TypeFor[map[uint16][4]byte](), codec).Describe()
	fmt.Println(d.Kind, err)
	key, _ := d.Key.Describe()
	elem, _ := d.Elem.Describe()
	fmt.Println(key.Kind, key.Bits, elem.Kind, elem.Length)
	// Output:
	// map <nil>
	// uint 16 bin 4
}

func ExampleForm_Type() {
	fmt.Println(msgpack.FormOf(reflect.TypeFor[int](), nil).Type())
	// Output: int
}

func ExampleFormKind_String() {
	fmt.Println(msgpack.FormUnion, msgpack.FormStr)
	// Output: union str
}

// TestFormsAreComparable checks that Forms can be used to find types that were described
// before. Package schema tests what the descriptions say.
func TestFormsAreComparable(t *testing.T) {
	type inner struct{ A int }
	type outer struct {
		P **inner
		V inner
		L inner `msgpack:",as_array"`
	}
	d, err := msgpack.FormOf(reflect.TypeFor[outer](), nil).Describe()
	if err != nil {
		t.Fatal(err)
	}
	base := func(f msgpack.Form) msgpack.Description {
		t.Helper()
		d, err := f.Describe()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	p, v, l := base(d.Fields[0].Form), base(d.Fields[1].Form), base(d.Fields[2].Form)
	if p.Base != v.Base || !p.Nil || v.Nil || v.Base != msgpack.FormOf(reflect.TypeFor[inner](), &msgpack.Codec{}) {
		t.Errorf("a pointer and its target are different: %v, %v", p, v)
	}
	if l.Base == v.Base || !l.AsArray || v.AsArray {
		t.Errorf("the array form and the map form are the same: %v, %v", l, v)
	}
}

// TestDescribeUnsupported checks that only the type itself is tested.
func TestDescribeUnsupported(t *testing.T) {
	if _, err := msgpack.FormOf(reflect.TypeFor[*chan int](), nil).Describe(); !errors.Is(err, msgpack.ErrUnsupported) {
		t.Errorf("a chan: %v", err)
	}
	for _, f := range []msgpack.Form{{}, msgpack.FormOf(nil, nil)} {
		_, err := f.Describe()
		if _, err2 := f.Fingerprint(); !errors.Is(err, msgpack.ErrUnsupported) || !errors.Is(err2, msgpack.ErrUnsupported) {
			t.Errorf("no type: %v, %v", err, err2)
		}
	}
	d, err := msgpack.FormOf(reflect.TypeFor[[]chan int](), nil).Describe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Elem.Describe(); !errors.Is(err, msgpack.ErrUnsupported) {
		t.Errorf("the element: %v", err)
	}
}

// TestPointersToThemselves checks types and values with pointers that never lead to
// anything else.
func TestPointersToThemselves(t *testing.T) {
	type pointer *pointer
	type outer struct {
		P pointer `msgpack:",omitempty"`
	}
	if _, err := msgpack.FormOf(reflect.TypeFor[pointer](), nil).Fingerprint(); !errors.Is(err, msgpack.ErrUnsupported) {
		t.Errorf("fingerprint of the pointer: %v", err)
	}
	if _, err := msgpack.FormOf(reflect.TypeFor[outer](), nil).Fingerprint(); err != nil {
		t.Errorf("fingerprint of the struct: %v", err)
	}
	var p pointer
	p = &p
	for rule := msgpack.EmptyRule(0); ; rule++ {
		c, err := msgpack.New(msgpack.Options{Compat: msgpack.Compat{Empty: rule}})
		if err != nil {
			if rule < 2 {
				t.Fatal(err)
			}
			return // it was the last one
		}
		_, err = c.Marshal(outer{p})
		checkError(t, err, msgpack.ErrDepth)
	}
}
