package trial

import (
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"strconv"
	"time"
)

// A Menu says what values are made of. Each list is drawn from evenly, so that a number that appears twice is twice as
// likely.
type Menu struct {
	Present float64 // share of the pointers, slices and maps that are not nil
	Strings []int   // bytes of a string
	Bytes   []int   // bytes of a []byte
	Slices  []int   // elements of a slice
	Maps    []int   // entries of a map
}

// RandomMenu is the menu for random types. README.md has it too.
func RandomMenu() Menu {
	return Menu{
		Present: 1,
		Strings: []int{0, 3, 5, 8, 12, 20, 31, 40, 80},
		Bytes:   []int{0, 4, 30, 100},
		Slices:  []int{0, 1, 3, 8, 30},
		Maps:    []int{0, 1, 4, 12},
	}
}

// RealMenu is the menu for types of public modules, with a share of their optional parts.
func RealMenu(present float64) Menu {
	return Menu{
		Present: present,
		Strings: []int{0, 4, 8, 12, 20, 40, 80},
		Bytes:   []int{4, 30, 100},
		Slices:  []int{1, 2, 3},
		Maps:    []int{1, 2, 3, 4},
	}
}

const (
	letters = "abcdefghijklmnopqrstuvwxyz0123456789-_/:. "
	// maxDepth is the number of types inside each other from which everything optional is absent. Types may be recursive.
	maxDepth = 6
)

// fill sets *v to a value that depends only on the seed, the name and the menu.
func fill[T any](v *T, name string, seed uint64, m Menu) {
	h := fnv.New64a()
	h.Write([]byte(name))
	filler{rand.New(rand.NewPCG(seed, h.Sum64())), m}.set(reflect.ValueOf(v).Elem(), 0)
}

type filler struct {
	*rand.Rand
	Menu
}

func (f filler) pick(list []int) int { return list[f.IntN(len(list))] }

func (f filler) present(depth int) bool { return depth < maxDepth && f.Float64() < f.Present }

func (f filler) text(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[f.IntN(len(letters))]
	}
	return b
}

// number returns a number of one of five widths, all equally likely, and at most limit bits.
func (f filler) number(limit int) uint64 {
	bits := min([]int{7, 8, 16, 31, limit}[f.IntN(5)], limit)
	return f.Uint64() >> (64 - bits)
}

func (f filler) set(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x := int64(f.number(v.Type().Bits() - 1))
		if f.Float64() < 0.3 {
			x = -x
		}
		v.SetInt(x)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(f.number(v.Type().Bits()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(f.IntN(2_000_000)-1_000_000) / 1000)
		if v.Kind() == reflect.Float32 {
			v.SetFloat(float64(float32(v.Float())))
		}
	case reflect.String:
		v.SetString(string(f.text(f.pick(f.Strings))))
	case reflect.Pointer:
		if f.present(depth) {
			v.Set(reflect.New(v.Type().Elem()))
			f.set(v.Elem(), depth+1)
		}
	case reflect.Slice:
		f.setSlice(v, depth)
	case reflect.Array:
		for i := range v.Len() {
			f.set(v.Index(i), depth+1)
		}
	case reflect.Map:
		f.setMap(v, depth)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(int64(f.IntN(1<<31-1)), int64(f.IntN(2)*f.IntN(1e9))).UTC()))
			return
		}
		for i := range v.NumField() {
			f.set(v.Field(i), depth+1)
		}
	}
}

func (f filler) setSlice(v reflect.Value, depth int) {
	if !f.present(depth) {
		return
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		v.SetBytes(f.text(f.pick(f.Bytes)))
		return
	}
	n := f.pick(f.Slices)
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		f.set(v.Index(i), depth+1)
	}
}

func (f filler) setMap(v reflect.Value, depth int) {
	if !f.present(depth) {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for i := range f.pick(f.Maps) {
		element := reflect.New(v.Type().Elem()).Elem()
		f.set(element, depth+1)
		key := "k" + strconv.Itoa(i) + "zzzzzz"[:f.IntN(6)]
		v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), element)
	}
}
