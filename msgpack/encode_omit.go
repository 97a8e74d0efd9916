package msgpack

import (
	"reflect"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
)

// An omission says when a field of a struct in map form is left out: where the
// number at an offset is 0 for most types, else where a function says so.
type omission struct {
	op     putOp // putTemplate: never
	offset uintptr
	test   func(p mem.Ptr) bool // for putIf, given the struct
}

// makeOmission looks at the options of a field and at the pointers on the way
// to it, which may be nil.
func (k *compiler) makeOmission(f *typeplan.Field) omission {
	empty := f.Options.Has(optionOmitEmpty) || k.plans.OmitEmpty
	zero := f.Options.Has(optionOmitZero) || k.plans.OmitZero
	if o := zeroWord(f.Type, empty, zero); o.op != putIf && len(f.Hops) == 0 {
		o.offset += f.Offset
		return o
	}
	var tests []func(p mem.Ptr) bool
	if empty {
		tests = append(tests, makeIsEmpty(f.Type))
	}
	if zero {
		tests = append(tests, makeIsZero(f.Type))
	}
	hops, offset := f.Hops, f.Offset
	return omission{op: putIf, test: func(p mem.Ptr) bool {
		p, ok := through(hops, p)
		if !ok {
			return true
		}
		for _, test := range tests {
			if test(p.Add(offset)) {
				return true
			}
		}
		return false
	}}
}

// zeroWord returns where in a value of the type lies the number that is 0 if it
// is empty, or zero, or never where neither is asked for. The operation is putIf
// where there is no such number.
func zeroWord(t reflect.Type, empty, zero bool) omission {
	word := reflect.TypeFor[uintptr]().Size()
	if !empty && !zero {
		return omission{op: putTemplate}
	}
	if zero && reflect.PointerTo(t).Implements(zeroerType) {
		return omission{op: putIf}
	}
	switch t.Kind() {
	case reflect.String:
		return omission{op: conditionOn(word), offset: word} // its length
	case reflect.Slice:
		if empty {
			return omission{op: conditionOn(word), offset: word}
		}
		return omission{op: conditionOn(word)}
	case reflect.Interface:
		if !zero || !t.Implements(zeroerType) {
			return omission{op: conditionOn(word)} // its type
		}
	case reflect.Pointer:
		if !zero || !t.Implements(zeroerType) {
			return omission{op: conditionOn(word)}
		}
	case reflect.Map:
		if !empty {
			return omission{op: conditionOn(word)}
		}
	case reflect.Float32:
		return omission{op: putIfFloat32}
	case reflect.Float64:
		return omission{op: putIfFloat64}
	case reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return omission{op: conditionOn(t.Size())}
	}
	return omission{op: putIf}
}

// makeIsEmpty is the test of omitempty: false, 0, a nil pointer or interface,
// and anything of length 0.
func makeIsEmpty(t reflect.Type) func(p mem.Ptr) bool {
	if a, ok := atomicTypes[t]; ok {
		return a.isZero
	}
	switch t.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return func(p mem.Ptr) bool { return mem.Value(t, p).Len() == 0 }
	case reflect.Struct:
		return func(mem.Ptr) bool { return false }
	}
	return func(p mem.Ptr) bool { return mem.Value(t, p).IsZero() }
}

type zeroer interface{ IsZero() bool }

var zeroerType = reflect.TypeFor[zeroer]()

// makeIsZero is the test of omitzero: the type's own IsZero, or the zero value.
func makeIsZero(t reflect.Type) func(p mem.Ptr) bool {
	if a, ok := atomicTypes[t]; ok {
		return a.isZero
	}
	switch {
	case t == timeType:
		return func(p mem.Ptr) bool { return mem.At[time.Time](p).IsZero() }
	case (t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface) && t.Implements(zeroerType):
		return func(p mem.Ptr) bool {
			v := mem.Value(t, p)
			// A nil inside of an interface may not expect to be asked.
			if v.IsNil() || v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() {
				return true
			}
			return v.Interface().(zeroer).IsZero()
		}
	case reflect.PointerTo(t).Implements(zeroerType):
		return func(p mem.Ptr) bool { return heapCopy(t, p).Interface().(zeroer).IsZero() }
	}
	return func(p mem.Ptr) bool { return mem.Value(t, p).IsZero() }
}
