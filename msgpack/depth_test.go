package msgpack_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// Types that contain themselves, one of each kind.
type (
	nestSlice    []nestSlice
	nestMap      map[string]nestMap
	nestIntMap   map[int8]nestIntMap
	nestArray    [1]*nestArray
	nestStruct   struct{ A *nestStruct }
	nestOptional struct {
		A *nestOptional `msgpack:",omitempty"`
	}
	nestAsArray struct {
		_ struct{} `msgpack:",as_array"`
		A *nestAsArray
	}
	nestField struct {
		A *nestField `msgpack:",as_array"`
	}
	nestMutual  struct{ A []nestMutual2 }
	nestMutual2 struct{ B map[string]*nestMutual }
	nestAny     struct{ A any }
	nestSliceOf []any
	nestMapKey  map[nestKey]int
	nestKey     struct{ A *nestKey }
	nestPointer *nestPointer
	nestTwice   struct{ A **nestTwice }
	nestNamed   struct{ A myAny }
)

// A nesting describes a nested message: open repeated, the inner value, and close
// repeated.
type nesting struct {
	name               string
	target             any // a pointer to the type
	open, inner, close string
	levels             int // levels that one repetition of open adds
	within             int // levels of the inner value
}

func (n nesting) message(times int) []byte {
	return []byte(strings.Repeat(n.open, times) + n.inner + strings.Repeat(n.close, times))
}

var nestings = []nesting{
	{"arrays into any", new(any), "\x91", "\x01", "", 1, 0},
	{"arrays of two into any", new(any), "\x92\x01", "\x01", "", 1, 0},
	{"arrays before others into any", new(any), "\x92", "\x01", "\x01", 1, 0},
	{"empty array in arrays into any", new(any), "\x91", "\x90", "", 1, 1},
	{"array 16 into any", new(any), "\xdc\x00\x01", "\x01", "", 1, 0},
	{"array 32 into any", new(any), "\xdd\x00\x00\x00\x01", "\x01", "", 1, 0},
	{"maps into any", new(any), "\x81\xa0", "\x01", "", 1, 0},
	{"empty map in maps into any", new(any), "\x81\xa0", "\x80", "", 1, 1},
	{"map 16 into any", new(any), "\xde\x00\x01\xa0", "\x01", "", 1, 0},
	{"map 32 into any", new(any), "\xdf\x00\x00\x00\x01\xa0", "\x01", "", 1, 0},
	{"maps by int into any", new(any), "\x81\x05", "\x01", "", 1, 0},
	{"maps by str and int into any", new(any), "\x82\xa0\x01\x05", "\x01", "", 1, 0},
	{"maps and arrays into any", new(any), "\x81\xa0\x91", "\x01", "", 2, 0},
	{"arrays into []any", new([]any), "\x91", "\x01", "", 1, 0},
	{"arrays into interfaces", new(nestSliceOf), "\x91", "\x01", "", 1, 0},
	{"maps into map[string]any", new(map[string]any), "\x81\xa0", "\x01", "", 1, 0},
	{"maps into map[any]any", new(map[any]any), "\x81\xc2", "\x01", "", 1, 0},
	{"arrays into Raw", new(msgpack.Raw), "\x91", "\x01", "", 1, 0},
	{"maps into Raw", new(msgpack.Raw), "\x81\x01", "\x01", "", 1, 0},
	{"keys into Raw", new(msgpack.Raw), "\x81", "\x01", "\x01", 1, 0},
	{"arrays into slices", new(nestSlice), "\x91", "\x90", "", 1, 1},
	{"maps into maps", new(nestMap), "\x81\xa1k", "\x80", "", 1, 1},
	{"maps into maps by int", new(nestIntMap), "\x81\x01", "\x80", "", 1, 1},
	{"skipped keys of maps", new(nestMapKey), "\x81", "\x80", "\x01", 1, 1},
	{"arrays into arrays", new(nestArray), "\x91", "\xc0", "", 1, 0},
	{"maps into structs", new(nestStruct), "\x81\xa1A", "\xc0", "", 1, 0},
	{"arrays into structs", new(nestStruct), "\x91", "\xc0", "", 1, 0},
	{"maps into structs of optional fields", new(nestOptional), "\x81\xa1A", "\xc0", "", 1, 0},
	{"arrays into structs in array form", new(nestAsArray), "\x91", "\xc0", "", 1, 0},
	{"maps into a field in array form", new(nestField), "\x81\xa1A", "\xc0", "", 1, 0},
	{"into types of one another", new(nestMutual), "\x81\xa1A\x91\x81\xa1B\x81\xa1k", "\xc0", "", 4, 0},
	{"into interfaces in structs", new(nestAny), "\x81\xa1A", "\x01", "", 1, 0},
	{"into named interfaces in structs", new(nestNamed), "\x81\xa1A", "\x01", "", 1, 0},
	{"into pointers to pointers", new(nestTwice), "\x81\xa1A", "\xc0", "", 2, 0},
	{"skipped value", new(struct{ A int }), "\x81\xa1u", "\x01", "", 1, 0},
	{"skipped arrays", new(struct{}), "\x91", "\x01", "", 1, 0},
	{"skipped keys", new(struct{}), "\x81", "\x01", "\x01", 1, 0},
	{"argument of a method", new(every), "\x91", "\x01", "", 1, 0},
	{"argument of a method of a pointer", new(*appender), "\x91", "\x01", "", 1, 0},
	{"arrays around bytes", new(any), "\x91", "\xc4\x01\x01", "", 1, 0},
	{"arrays around a timestamp", new(any), "\x91", "\xd6\xff\x00\x00\x00\x00", "", 1, 0},
}

// TestDecodeDepth decodes values at the maximum depth and one level deeper.
func TestDecodeDepth(t *testing.T) {
	for _, n := range nestings {
		t.Run(n.name, func(t *testing.T) {
			decode := func(times int) error {
				return msgpack.Unmarshal(n.message(times), reflect.New(reflect.TypeOf(n.target).Elem()).Interface())
			}
			deepest := (msgpack.MaxDepth - n.within) / n.levels
			for _, times := range []int{1, deepest - 1, deepest} {
				if err := decode(times); err != nil {
					t.Errorf("%d levels: %v", times*n.levels, err)
				}
			}
			err := decode(deepest + 1)
			if e := checkError(t, err, msgpack.ErrDepth); e != nil && int(e.Offset)/len(n.open) != msgpack.MaxDepth/n.levels {
				t.Errorf("at offset %d, %d bytes for each level", e.Offset, len(n.open))
			}
			checkError(t, decode(1e6), msgpack.ErrDepth)
		})
	}
}

// TestValidDepth is TestDecodeDepth for Valid, for which pointers are not levels.
func TestValidDepth(t *testing.T) {
	for _, n := range nestings {
		containers := n.levels
		if n.name == "into pointers to pointers" {
			containers = 1
		}
		deepest := (msgpack.MaxDepth - n.within) / containers
		if err := msgpack.Valid(n.message(deepest)); err != nil {
			t.Errorf("%s: %v", n.name, err)
		}
		checkError(t, msgpack.Valid(n.message(deepest+1)), msgpack.ErrDepth)
		checkError(t, msgpack.Valid(n.message(1e6)), msgpack.ErrDepth)
	}
}

// TestComplexDepth checks that the array of a complex number counts as a level.
func TestComplexDepth(t *testing.T) {
	for levels, want := range map[int]error{511: nil, 512: msgpack.ErrDepth} {
		for _, c := range []any{complex64(1), complex(1, 1)} {
			v := c
			for range levels {
				v = []any{v}
			}
			data, err := msgpack.Marshal(v)
			if !errors.Is(err, want) {
				t.Errorf("%T below %d arrays: %v", c, levels, err)
			}
			if want == nil {
				if err := msgpack.Unmarshal(data, new(any)); err != nil {
					t.Errorf("%T below %d arrays: %v", c, levels, err)
				}
			}
		}
	}
	type nest struct {
		A *nest
		C complex64
	}
	var v *nest
	for range msgpack.MaxDepth {
		v = &nest{A: v}
	}
	_, err := msgpack.Marshal(v)
	checkError(t, err, msgpack.ErrDepth)
	data, err := msgpack.Marshal(v.A)
	if err != nil {
		t.Fatal(err)
	}
	checkError(t, msgpack.Unmarshal([]byte("\x81\xa1A"+string(data)), new(nest)), msgpack.ErrDepth)
	if err := msgpack.Unmarshal(data, new(nest)); err != nil {
		t.Error(err)
	}
}

// TestEncodeDepth encodes the values of TestDecodeDepth, and one level more.
func TestEncodeDepth(t *testing.T) {
	for _, n := range nestings {
		t.Run(n.name, func(t *testing.T) {
			v := reflect.New(reflect.TypeOf(n.target).Elem())
			deepest := (msgpack.MaxDepth - n.within) / n.levels
			if err := msgpack.Unmarshal(n.message(deepest), v.Interface()); err != nil {
				t.Fatal(err)
			}
			for _, as := range []any{v.Interface(), v.Elem().Interface()} {
				if _, err := msgpack.Marshal(as); err != nil {
					t.Errorf("Marshal of %T at the maximum depth: %v", as, err)
				}
			}
			if strings.Contains(n.name, "skipped") || strings.Contains(n.name, "method") {
				return // the decoded value has fewer levels than the message
			}
			for levels := n.levels; levels > 0; levels-- {
				v = reflect.ValueOf(&[]any{v.Elem().Interface()})
			}
			_, err := msgpack.Marshal(v.Elem().Interface())
			checkError(t, err, msgpack.ErrDepth)
		})
	}
}

// TestLeavesDepth places containers of scalars at the last level and one level
// below. Loops of their own encode and decode them, and must also count the level.
func TestLeavesDepth(t *testing.T) {
	for _, leaf := range []any{
		[]int{1}, []float64{}, []string{"a"}, []bool{true}, [2]int{}, [1]string{}, []any{}, []struct{}{}, myStruct{}, asArrayStruct{},
		map[string]int{"a": 1}, map[int8]bool{}, map[string]any{}, struct{}{}, make([]int16, 20), nestOptional{},
	} {
		v := leaf
		for range msgpack.MaxDepth - 1 {
			v = []any{v}
		}
		data, err := msgpack.Marshal(v)
		if err != nil {
			t.Errorf("%T at the last level: %v", leaf, err)
		}
		if err := msgpack.Valid(data); err != nil {
			t.Errorf("%T at the last level: %v", leaf, err)
		}
		_, err = msgpack.Marshal([]any{v})
		checkError(t, err, msgpack.ErrDepth)
	}
	// A nested struct is a level even if both are encoded by one list of steps.
	type inner struct{ A int }
	type outer struct{ In inner }
	v := any(outer{})
	for range msgpack.MaxDepth - 2 {
		v = []any{v}
	}
	if _, err := msgpack.Marshal(v); err != nil {
		t.Error(err)
	}
	_, err := msgpack.Marshal([]any{v})
	checkError(t, err, msgpack.ErrDepth)
	// Bytes are not a container.
	v = []byte{1}
	for range msgpack.MaxDepth {
		v = []any{v}
	}
	if _, err := msgpack.Marshal(v); err != nil {
		t.Error(err)
	}
}

// TestEncodeCycles encodes values that contain themselves.
func TestEncodeCycles(t *testing.T) {
	pointer := &nestStruct{}
	pointer.A = pointer
	optional := &nestOptional{}
	optional.A = optional
	asArray := &nestAsArray{}
	asArray.A = asArray
	twice := &nestTwice{}
	twice.A = &twice
	slice := nestSlice{nil}
	slice[0] = slice
	anys := []any{nil}
	anys[0] = anys
	anyPointer := []any{nil}
	anyPointer[0] = &anyPointer
	m := nestMap{}
	m["k"] = m
	ints := nestIntMap{}
	ints[1] = ints
	strings := map[string]any{}
	strings["k"] = strings
	keys := map[any]any{}
	keys[&keys] = true
	array := &nestArray{}
	array[0] = array
	var self any
	self = &self
	var named nestPointer
	named = &named
	inStruct := &nestAny{}
	inStruct.A = inStruct
	mutual := &nestMutual{[]nestMutual2{{map[string]*nestMutual{}}}}
	mutual.A[0].B["k"] = mutual
	for name, v := range map[string]any{
		"pointer": pointer, "optional": optional, "array form": asArray, "pointer to pointer": twice, "slice": slice,
		"interfaces": anys, "pointer in an interface": anyPointer, "map": m, "map by int": ints, "map of interfaces": strings,
		"map key": keys, "array": array, "x = &x": self, "type P *P": named, "interface in a struct": inStruct, "types of one another": mutual,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := msgpack.Marshal(v)
			checkError(t, err, msgpack.ErrDepth)
			dst, err := msgpack.MarshalAppend([]byte("abc"), v)
			if checkError(t, err, msgpack.ErrDepth); string(dst) != "abc" {
				t.Errorf("got %q", dst)
			}
		})
	}
}

// TestDecodeCycles decodes into variables that lead back to themselves and into
// types that never end.
func TestDecodeCycles(t *testing.T) {
	var self any
	self = &self
	checkError(t, msgpack.Unmarshal([]byte{1}, &self), msgpack.ErrDepth)
	if err := msgpack.Unmarshal([]byte{0xc0}, &self); err != nil || self != nil {
		t.Errorf("nil: got %v, %v", self, err)
	}
	var endless nestPointer
	checkError(t, msgpack.Unmarshal([]byte{1}, &endless), msgpack.ErrDepth)
	loop := &nestStruct{}
	loop.A = loop
	if err := msgpack.Unmarshal([]byte("\x81\xa1A\x81\xa1A\xc0"), loop); err != nil || loop.A != nil {
		t.Errorf("loop: got %v, %v", loop, err)
	}
}

// TestDepthOfEmptyLists checks that an empty array counts as a level and a nil does
// not.
func TestDepthOfEmptyLists(t *testing.T) {
	type inner struct{ List []int }
	type outer struct {
		N     int
		Inner inner
	}
	for depth := 1; depth <= 4; depth++ {
		c := newCodec(t, msgpack.Options{MaxDepth: depth})
		for _, v := range []struct {
			value  any
			levels int
		}{
			{&inner{}, 1}, {&inner{[]int{}}, 2}, {&outer{}, 2}, {&outer{Inner: inner{[]int{}}}, 3}, {&outer{Inner: inner{[]int{1}}}, 3},
		} {
			for _, dst := range [][]byte{nil, make([]byte, 0, 1000)} {
				got, err := c.MarshalAppend(dst, v.value)
				if v.levels > depth {
					checkError(t, err, msgpack.ErrDepth)
				} else if want, _ := msgpack.Marshal(v.value); err != nil || string(got) != string(want) {
					t.Errorf("%+v within %d levels: % x, %v, want % x", v.value, depth, got, err, want)
				}
			}
		}
	}
}

// TestDepthOfNilAsEmpty checks that a nil slice or map that is written as an empty one
// counts as a level.
func TestDepthOfNilAsEmpty(t *testing.T) {
	type set struct {
		M map[int]struct{} `msgpack:",set"`
	}
	values := map[string]any{
		"slice": struct{ V []int }{}, "map": struct{ V map[string]int }{}, "set": set{}, "pairs": struct{ V msgpack.Pairs }{},
		"slice of any": struct{ V []any }{}, "map of any": struct{ V map[string]any }{}, "bytes": struct{ V []byte }{},
		"in any": []any{[]string(nil)}, "map in any": []any{map[string]any(nil)}, "element": [][]int{nil}, "value": map[int]map[int]int{1: nil},
	}
	for name, v := range values {
		for depth := 1; depth <= 2; depth++ {
			c := newCodec(t, msgpack.Options{MaxDepth: depth, NilSliceAsEmpty: true, NilMapAsEmpty: true})
			b, err := c.Marshal(v)
			if depth == 1 && name != "bytes" {
				checkError(t, err, msgpack.ErrDepth)
			} else if err != nil || c.Valid(b) != nil {
				t.Errorf("%s within %d levels: % x, %v, %v", name, depth, b, err, c.Valid(b))
			}
		}
	}
}
