package randtype

import (
	"math"
	"reflect"
	"time"
)

const maxElements = 600 // maximum number of elements, entries and pointers in one value

// Value returns a random value of type t in a new variable.
func (r *Rand) Value(t reflect.Type) reflect.Value {
	r.room = maxElements
	v := reflect.New(t).Elem()
	r.fill(v)
	return v
}

func (r *Rand) fill(v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(r.time()))
		return
	}
	for _, leaf := range r.leaves {
		if leaf.Type == v.Type() {
			v.Set(leaf.Value(r))
			return
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.one(2))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(r.integer())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(r.integer()))
	case reflect.Float32:
		v.SetFloat(r.float32())
	case reflect.Float64:
		v.SetFloat(r.float64())
	case reflect.Complex64:
		v.SetComplex(complex(r.float32(), r.float32()))
	case reflect.Complex128:
		v.SetComplex(complex(r.float64(), r.float64()))
	case reflect.String:
		v.SetString(r.text())
	case reflect.Slice:
		r.fillSlice(v)
	case reflect.Array:
		for i := range v.Len() {
			r.fill(v.Index(i))
		}
	case reflect.Map:
		r.fillMap(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() || v.Type().Field(i).Anonymous && f.Kind() == reflect.Struct {
				r.fill(f)
			}
		}
	case reflect.Pointer:
		if r.room > 0 && !r.one(4) && r.Below(8) > 0 {
			r.room--
			v.Set(reflect.New(v.Type().Elem()))
			r.fill(v.Elem())
		}
	case reflect.Interface:
		if v.Type().NumMethod() == 0 {
			r.fillAny(v)
		}
	}
}

// integer returns a small number, a number next to a power of two, or any
// number.
func (r *Rand) integer() int64 {
	switch r.Below(4) {
	default:
		return int64(r.Below(256)) - 64
	case 1:
		return int64(r.Bits())
	case 2, 3:
		i := int64(1)<<pick(r, 5, 7, 8, 15, 16, 24, 31, 32, 53, 63) + int64(r.Below(3)) - 1
		if r.one(2) {
			i = -i
		}
		return i
	}
}

func (r *Rand) float64() float64 {
	switch r.Below(4) {
	default:
		return pick(r, 0, math.Copysign(0, -1), 1, -1.5, math.NaN(), math.Inf(1), math.Inf(-1),
			math.MaxFloat64, math.SmallestNonzeroFloat64, math.MaxFloat32, 1<<24+1, 1<<53, 1<<63, -1<<63, 1<<64)
	case 2:
		return float64(r.integer())
	case 3:
		return math.Float64frombits(r.Bits())
	}
}

func (r *Rand) float32() float64 {
	if r.one(4) {
		return float64(math.Float32frombits(uint32(r.draw(4))))
	}
	return float64(float32(r.float64()))
}

// text returns a string that may contain invalid UTF-8.
func (r *Rand) text() string {
	if r.one(4) {
		return string(r.Bytes())
	}
	b := make([]byte, r.contentLength())
	start := r.Below(26)
	for i := range b {
		b[i] = 'a' + byte((start+i)%26)
	}
	return string(b)
}

// time returns a time for one of the three timestamp formats.
func (r *Rand) time() time.Time {
	sec := pick[int64](r, 0, 1, 1<<31, 1<<32-1, 1<<32, 1<<34-1, 1<<34, -1, -62135596800, 253402300799)
	if r.one(2) {
		sec = int64(r.draw(5)) - 1<<39
	}
	nsec := pick[int64](r, 0, 1, 999_999_999, 500_000_000)
	return time.Unix(sec, nsec).In(pick(r, time.UTC, time.FixedZone("east", 3*3600)))
}

func (r *Rand) fillSlice(v reflect.Value) {
	if r.Below(8) == 0 {
		return // nil
	}
	n := 0
	if v.Type().Elem().Kind() == reflect.Uint8 {
		n = r.contentLength()
		if n > 1000 && v.Type().Elem() != reflect.TypeFor[byte]() {
			n = 17 // these elements are filled one by one
		}
	} else {
		n = r.elementLength()
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	if v.Type() == reflect.TypeFor[[]byte]() {
		pattern := r.Bits()
		for i := range n {
			v.Index(i).SetUint(pattern >> (i % 57) & 0xff)
		}
		return
	}
	for i := range n {
		r.fill(v.Index(i))
	}
}

func (r *Rand) fillMap(v reflect.Value) {
	if r.Below(8) == 0 {
		return // nil
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range r.elementLength() {
		key := reflect.New(v.Type().Key()).Elem()
		elem := reflect.New(v.Type().Elem()).Elem()
		r.fill(key)
		r.fill(elem)
		if key.Comparable() {
			v.SetMapIndex(key, elem)
		}
	}
}

// fillAny stores a value in an interface. Usually decoding returns a value of
// the same type.
func (r *Rand) fillAny(v reflect.Value) {
	if r.room <= 0 {
		return
	}
	r.room--
	t := pick(r, nil,
		reflect.TypeFor[bool](),
		reflect.TypeFor[int64](),
		reflect.TypeFor[float64](),
		reflect.TypeFor[string](),
		reflect.TypeFor[[]byte](),
		reflect.TypeFor[time.Time](),
		reflect.TypeFor[[]any](),
		reflect.TypeFor[map[string]any](),
		reflect.TypeFor[map[any]any](),
		reflect.TypeFor[uint64](),
	)
	if r.one(6) {
		t = r.simple()
	}
	if t == nil {
		return
	}
	x := reflect.New(t).Elem()
	r.fill(x)
	v.Set(x)
}
