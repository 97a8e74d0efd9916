package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"reflect"
	"strings"
	"time"
)

// randomTypes is the number of random types.
const randomTypes = 600

var (
	leaves = []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int64](), reflect.TypeFor[uint8](),
		reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](),
		reflect.TypeFor[[]byte](), reflect.TypeFor[[3]byte](), reflect.TypeFor[[]string](), reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](),
		reflect.TypeFor[any](), reflect.TypeFor[error](), reflect.TypeFor[map[string]any](), reflect.TypeFor[map[string]string](), reflect.TypeFor[net.IP](),
		reflect.TypeFor[row](), reflect.TypeFor[plain](), reflect.TypeFor[optional](), reflect.TypeFor[asArray](), reflect.TypeFor[omitAll](),
		reflect.TypeFor[shadow](), reflect.TypeFor[embedder](), reflect.TypeFor[nested](), reflect.TypeFor[several](), reflect.TypeFor[marshaler](), reflect.TypeFor[extension](),
	}
	keys  = []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[uint8](), reflect.TypeFor[time.Time](), reflect.TypeFor[row](), reflect.TypeFor[any]()}
	names = []string{"", "", "", "x", "id", "-", "a b", "ünï", strings.Repeat("long", 9)}
	words = []string{"", "a", "id", strings.Repeat("s", 31), strings.Repeat("t", 32), strings.Repeat("u", 256), "\xff"}
	times = []time.Time{{}, time.Unix(0, 0), time.Unix(1, 0), time.Unix(1<<33, 5), time.Unix(1<<35, 7), time.Unix(-5, 5)}
)

// randomValue returns a pointer to a value of a type that the seed selects. Another number
// selects another value of the type. A map has at most one entry, because the order of more
// is random.
func randomValue(seed, number uint64) any {
	v := reflect.New(randomStruct(rand.New(rand.NewPCG(seed, 0)), 3))
	fill(rand.New(rand.NewPCG(seed, number)), v.Elem(), 6)
	return v.Interface()
}

// randomType returns a type with at most depth types around each other.
func randomType(r *rand.Rand, depth int) reflect.Type {
	n := r.IntN(100)
	switch {
	case depth == 0 || n < 50:
		return leaves[r.IntN(len(leaves))]
	case n < 60:
		t := randomType(r, depth-1)
		if t == reflect.TypeFor[net.IP]() {
			return t // what the library writes for a pointer to a nil slice depends on what it has written before
		}
		return reflect.PointerTo(t)
	case n < 70:
		return reflect.SliceOf(randomType(r, depth-1))
	case n < 75:
		return reflect.ArrayOf(r.IntN(4), randomType(r, depth-1))
	case n < 85:
		return reflect.MapOf(keys[r.IntN(len(keys))], randomType(r, depth-1))
	}
	return randomStruct(r, depth)
}

// randomStruct returns a struct whose fields have tags with all options. No two fields have
// the same name, because the library logs those.
func randomStruct(r *rand.Rand, depth int) reflect.Type {
	var fields []reflect.StructField
	if options := []string{"", "", "", "", ",as_array", ",omitempty"}[r.IntN(6)]; options != "" {
		fields = append(fields, reflect.StructField{Name: "_msgpack", PkgPath: "main", Type: reflect.TypeFor[struct{}](), Tag: reflect.StructTag(`msgpack:"` + options + `"`)})
	}
	taken := map[string]bool{"": true}
	for i := range r.IntN(7) {
		f := reflect.StructField{Name: string(rune('A' + i)), Type: randomType(r, depth-1)}
		name := names[r.IntN(len(names))]
		if taken[name] {
			name = ""
		}
		taken[name] = true
		tag := name
		for _, option := range []string{"omitempty", "inline", "noinline", "as_array", "intern", "alias:old" + f.Name} {
			if n := r.IntN(12); (n == 0 || n < 4 && option == "omitempty") && (option != "intern" || f.Type.Kind() == reflect.String) {
				tag += "," + option
			}
		}
		if tag != "" {
			f.Tag = reflect.StructTag(`msgpack:"` + tag + `"`)
		}
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}

// fill sets v, and what it contains up to a depth, to random values.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	if depth == 0 || r.IntN(6) == 0 || !v.CanSet() {
		return
	}
	switch k := v.Kind(); {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(times[r.IntN(len(times))]))
	case v.Type() == reflect.TypeFor[net.IP]():
		v.SetBytes(net.IPv4(1, 2, 3, 4))
	case v.Type() == reflect.TypeFor[error]():
		v.Set(reflect.ValueOf(errors.New("e")))
	case v.CanInt():
		v.SetInt(r.Int64() >> r.IntN(64))
	case v.CanUint():
		v.SetUint(r.Uint64() >> r.IntN(64))
	case v.CanFloat():
		v.SetFloat(float64(r.IntN(9)-4) / 2)
	case k == reflect.Bool:
		v.SetBool(true)
	case k == reflect.String:
		v.SetString(words[r.IntN(len(words))])
	case k == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(r, v.Elem(), depth-1)
	case k == reflect.Interface:
		v.Set(reflect.ValueOf([]any{true, int8(-3), 300, "text", 2.5, []byte{1}, []any{nil, "x"}, row{1, 2}}[r.IntN(8)]))
	case k == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(r, key, 2)
		fill(r, elem, depth-1)
		if key.Comparable() {
			v.SetMapIndex(key, elem)
		}
	case k == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 4))
		fallthrough
	case k == reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i), depth-1)
		}
	case k == reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i), depth-1)
		}
	default:
		panic(fmt.Sprintf("no random value of %v", v.Type()))
	}
}
