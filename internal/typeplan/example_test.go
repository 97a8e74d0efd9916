package typeplan_test

import (
	"fmt"
	"reflect"

	"github.com/octet-go/octet/internal/typeplan"
)

type Place struct {
	Street string
	Zip    int32 `msgpack:"zip"`
}

type Person struct {
	_ struct{} `msgpack:",as_array"`
	*Place
	Name  string `msgpack:"name,omitempty"`
	Notes string `msgpack:"-"`
}

var tags = typeplan.Config{Keys: []string{"msgpack"}, Options: []string{"omitempty", "as_array"}}

func ExampleFields() {
	s, err := typeplan.Fields(reflect.TypeFor[Person](), tags)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Type, s.Options)
	for _, f := range s.Fields {
		fmt.Println(f.Name, f.GoName, f.Type, f.Index, len(f.Hops), f.Options)
	}
	// Output:
	// typeplan_test.Person [as_array]
	// Street Street string [1 0] 1 []
	// zip Zip int32 [1 1] 1 []
	// name Name string [2] 0 [omitempty]
}

func ExampleOptions_Has() {
	s, err := typeplan.Fields(reflect.TypeFor[Person](), tags)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Options.Has("as_array"), s.Options.Has("omitempty"))
	// Output: true false
}

func ExampleError_Error() {
	type team struct {
		Lead struct {
			Names []string `msgpack:",as_array"`
		}
	}
	err := tags.Walk(reflect.TypeFor[team](), func(string, reflect.Type) (bool, error) { return true, nil })
	fmt.Println(err)
	// Output: typeplan: type typeplan_test.team, field Lead.Names: option "as_array" on []string, which is not a struct or pointer to struct
}

func ExampleWalk() {
	type office struct {
		Staff []Person
		Doors map[string]chan int
	}
	err := typeplan.Walk(reflect.TypeFor[office](), func(path string, t reflect.Type) (descend bool, err error) {
		if t.Kind() == reflect.Chan {
			return false, fmt.Errorf("%s: cannot encode %v", path, t)
		}
		return true, nil
	})
	fmt.Println(err)
	// Output: Doors[]: cannot encode chan int
}

func ExampleConfig_Walk() {
	err := tags.Walk(reflect.TypeFor[[]Person](), func(path string, t reflect.Type) (descend bool, err error) {
		fmt.Printf("%q %v\n", path, t)
		return true, nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// "" []typeplan_test.Person
	// "[]" typeplan_test.Person
	// "[].Street" string
	// "[].Zip" int32
}
