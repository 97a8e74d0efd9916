package randtype_test

import (
	"fmt"
	"reflect"

	"github.com/octet-go/octet/internal/reference/randtype"
)

func ExampleFromSeed() {
	a, b := randtype.FromSeed(42), randtype.FromSeed(42)
	fmt.Println(a.Type() == b.Type())
	// Output: true
}

func ExampleFromBytes() {
	// Without input, every choice is the simplest one.
	r := randtype.FromBytes(nil)
	t := r.Type()
	fmt.Println(t, r.Value(t))
	// Output: bool false
}

func ExampleRand_Type() {
	r := randtype.FromBytes([]byte{1, 6, 15}) // two types: a slice, of strings
	fmt.Println(r.Type())
	// Output: []string
}

func ExampleRand_Value() {
	r := randtype.FromSeed(1)
	v := r.Value(reflect.TypeFor[map[string][]any]())
	fmt.Println(v.Type(), v.CanSet())
	// Output: map[string][]interface {} true
}

// ExampleLeafOf adds a type with a function that creates its values.
func ExampleLeafOf() {
	type Temperature struct{ Kelvin float64 }
	leaf := randtype.LeafOf(func(r *randtype.Rand) Temperature {
		return Temperature{float64(r.Below(1000))}
	})
	r := randtype.FromBytes([]byte{0, 201}, leaf)
	fmt.Println(r.Value(leaf.Type))
	// Output: {201}
}

func ExampleRand_Below() {
	r := randtype.FromBytes([]byte{7, 1, 2})
	fmt.Println(r.Below(5), r.Below(1000), r.Below(5))
	// Output: 2 258 0
}

func ExampleRand_Bits() {
	r := randtype.FromBytes([]byte{0, 0, 0, 0, 0, 0, 1, 1})
	fmt.Println(r.Bits())
	// Output: 257
}

func ExampleRand_Bytes() {
	r := randtype.FromBytes([]byte{0, 3, 0, 0, 0, 0, 0, 'c', 'b', 'a'}) // short, three bytes
	fmt.Printf("%q\n", r.Bytes())
	// Output: "abc"
}

func ExampleDiff() {
	fmt.Println(randtype.Diff([]int{1, 2}, []int{1, 3}))
	fmt.Println(randtype.Diff(map[string][]int{"a": nil}, map[string][]int{"a": {}}))
	// Output:
	// [1]: want 2, got 3
	// ["a"]: want []int(nil), got []int{}
}
