package binary

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// Types that reflect.StructOf cannot create, or cannot name.
type (
	namedBool   bool
	namedUint16 uint16
	namedFloat  float64
	namedArray  [3]uint16

	inner struct {
		A uint8
		B uint32
	}
	unexportedField struct {
		A uint16
		b uint32
		C uint8
	}
	unexportedNothing struct {
		A uint16
		b struct{}
		c [0]uint64
	}
	embeddedStruct struct {
		inner
		Z uint16
	}
	embeddedNumber struct {
		A uint8
		namedUint16
	}
	embeddedArray struct {
		namedArray
	}
	blanks struct {
		A uint8
		_ [3]uint8
		B uint64
		_ struct{ A, b uint16 }
		C bool
		_ bool
	}
	unsupportedDeep struct {
		A uint8
		B [2]struct{ C []string }
	}
)

var declared = []reflect.Type{
	reflect.TypeFor[namedBool](), reflect.TypeFor[namedUint16](), reflect.TypeFor[namedFloat](),
	reflect.TypeFor[namedArray](), reflect.TypeFor[inner](), reflect.TypeFor[unexportedField](),
	reflect.TypeOf(unexportedNothing{1, struct{}{}, [0]uint64{}}), reflect.TypeFor[embeddedStruct](),
	reflect.TypeOf(embeddedNumber{1, 2}), reflect.TypeOf(embeddedArray{namedArray{1, 2, 3}}), reflect.TypeFor[blanks](), reflect.TypeFor[struct{}](), reflect.TypeFor[[0]uint32](),
}

var numberTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](),
	reflect.TypeFor[int64](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](),
	reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
}

var unsupportedTypes = []reflect.Type{
	reflect.TypeFor[int](), reflect.TypeFor[string](), reflect.TypeFor[*uint8](), reflect.TypeFor[map[int]int](),
	reflect.TypeFor[any](), reflect.TypeFor[uintptr](), reflect.TypeFor[[]uint8](), reflect.TypeFor[func()](),
	reflect.TypeFor[unsupportedDeep](), reflect.TypeFor[chan int](),
}

// randomType returns a random type. About one in 200 of its parts is not
// fixed-size.
func randomType(r *rand.Rand, depth int) reflect.Type {
	if r.IntN(200) == 0 {
		return unsupportedTypes[r.IntN(len(unsupportedTypes))]
	}
	switch k := r.IntN(10); {
	case depth == 0 || k < 5:
		return numberTypes[r.IntN(len(numberTypes))]
	case k < 6:
		return declared[r.IntN(len(declared))]
	case k < 7:
		n := r.IntN(6)
		if r.IntN(8) == 0 {
			n = r.IntN(200)
		}
		return reflect.ArrayOf(n, randomType(r, depth-1))
	}
	fields := make([]reflect.StructField, r.IntN(9))
	for i := range fields {
		fields[i] = reflect.StructField{Name: fmt.Sprint("F", i), Type: randomType(r, depth-1)}
		switch r.IntN(40) {
		case 0, 1, 2:
			fields[i].Name, fields[i].PkgPath = "_", "p"
		case 3:
			fields[i].Name, fields[i].PkgPath = fmt.Sprint("f", i), "p"
		}
	}
	return reflect.StructOf(fields)
}

// fillRandom stores random numbers in every settable part of v, except
// signaling NaNs, because this package handles them differently on purpose.
func fillRandom(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			fillRandom(r, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			fillRandom(r, mem.Value(f.Type(), mem.PtrOf(v.Addr()).Add(v.Type().Field(i).Offset)))
		}
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 1)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(randomFloat(r))
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(randomFloat(r), randomFloat(r)))
	}
}

func randomFloat(r *rand.Rand) float64 {
	switch r.IntN(10) {
	case 0:
		return math.NaN()
	case 1:
		return math.Inf(r.IntN(2)*2 - 1)
	case 2:
		return math.Copysign(0, -1)
	}
	return r.NormFloat64()
}

// memoryOf returns the memory of *p, including padding.
func memoryOf(p reflect.Value) []byte {
	if n := int(p.Type().Elem().Size()); n > 0 {
		return mem.Slice(mem.PtrOf(p), n)
	}
	return nil
}

// middleEndian is a custom byte order: that of the PDP-11 for 32 bits, and
// unusual ones for the other widths.
type middleEndian struct{}

func (middleEndian) String() string { return "middleEndian" }

func (middleEndian) Uint16(b []byte) uint16       { return LittleEndian.Uint16(b) ^ 0x5555 }
func (middleEndian) PutUint16(b []byte, v uint16) { LittleEndian.PutUint16(b, v^0x5555) }

func (middleEndian) Uint32(b []byte) uint32 {
	return uint32(LittleEndian.Uint16(b))<<16 | uint32(LittleEndian.Uint16(b[2:]))
}

func (middleEndian) PutUint32(b []byte, v uint32) {
	LittleEndian.PutUint16(b, uint16(v>>16))
	LittleEndian.PutUint16(b[2:], uint16(v))
}

func (o middleEndian) Uint64(b []byte) uint64 {
	return uint64(o.Uint32(b))<<32 | uint64(o.Uint32(b[4:]))
}

func (o middleEndian) PutUint64(b []byte, v uint64) {
	o.PutUint32(b, uint32(v>>32))
	o.PutUint32(b[4:], uint32(v))
}

// shadowed embeds a standard order and overrides one method.
type shadowed struct{ ByteOrder }

func (s shadowed) PutUint16(b []byte, v uint16) { s.ByteOrder.PutUint16(b, ^v) }

func (s shadowed) Uint16(b []byte) uint16 { return ^s.ByteOrder.Uint16(b) }

var orders = []ByteOrder{LittleEndian, BigEndian, NativeEndian, middleEndian{}, shadowed{BigEndian}}
