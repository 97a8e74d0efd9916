package msgpack

import (
	"bytes"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
)

// This file has the rules of other libraries for omitempty: see [EmptyRule].

// makeIsEmptyBy is makeIsEmpty for the other rules.
func (k *compiler) makeIsEmptyBy(t reflect.Type) func(p mem.Ptr) bool {
	// Such a type is a struct whose field must be read by Load, so makeIsEmpty
	// handles it.
	if atomicValue(t) != nil {
		return makeIsEmpty(t)
	}
	switch rule := k.plans.Compat.Empty; {
	case rule == EmptyBits && t.Kind() == reflect.Pointer:
		return makeEndsInNil(t)
	case rule == EmptyBits && isMadeOfBits(t):
		n := int(t.Size())
		return func(p mem.Ptr) bool { return n == 0 || bytes.Count(mem.Slice(p, n), []byte{0}) == n }
	case rule == EmptyZero, rule == EmptyBits:
		return func(p mem.Ptr) bool { return mem.Value(t, p).IsZero() }
	case rule == EmptyEqual:
		return makeIsEqual(t)
	case rule == EmptyZeroStruct && t.Kind() != reflect.Struct:
		return makeIsEmpty(t)
	case rule == EmptyZeroStruct && (t == timeType || reflect.PointerTo(t).Implements(zeroerType)):
		return makeIsZero(t)
	case rule == EmptyZeroStruct:
		return makeEqualsZero(t)
	}
	return k.makeIsEmptyIn(t)
}

// isMadeOfBits reports whether zero values of a type can differ from others only in bits
// that == ignores.
func isMadeOfBits(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128, reflect.Array, reflect.Struct:
		return true
	}
	return false
}

// makeEndsInNil returns the test whether a pointer, or one of those that it leads to, is
// nil.
//
//go:noinline
func makeEndsInNil(t reflect.Type) func(p mem.Ptr) bool {
	return func(p mem.Ptr) bool {
		// A pointer can lead to itself. The encoder returns the error.
		for at, n := t, 0; at.Kind() == reflect.Pointer && n < maxPointers; at, n = at.Elem(), n+1 {
			if p = p.Deref(); p.IsNil() {
				return true
			}
		}
		return false
	}
}

// makeIsEqual returns the test of [EmptyEqual].
func makeIsEqual(t reflect.Type) func(p mem.Ptr) bool {
	switch kind := t.Kind(); {
	case kind == reflect.Array, kind == reflect.Struct && t.Name() == "":
		return func(mem.Ptr) bool { return false }
	case kind == reflect.Slice, kind == reflect.Map:
		return func(p mem.Ptr) bool { return mem.Value(t, p).IsNil() }
	}
	return makeEqualsZero(t)
}

// makeEqualsZero returns the test whether a value can be compared and == reports that it
// is zero. Unlike their bits, -0 is equal to 0.
func makeEqualsZero(t reflect.Type) func(p mem.Ptr) bool {
	zero := reflect.Zero(t)
	return func(p mem.Ptr) bool {
		v := mem.Value(t, p)
		return isComparable(v) && v.Equal(zero)
	}
}

// makeIsEmptyIn returns the test of [EmptyNested].
func (k *compiler) makeIsEmptyIn(t reflect.Type) func(p mem.Ptr) bool {
	switch {
	case t.Kind() == reflect.Interface:
		return func(p mem.Ptr) bool {
			v := mem.Value(t, p).Elem()
			if !v.IsValid() {
				return true
			}
			held := reflect.New(v.Type()) // a copy, because the value in an interface has no address
			held.Elem().Set(v)
			return k.isEmptyHeld(v.Type())(mem.PtrOf(held))
		}
	case t.Implements(zeroerType):
		isZero := makeIsZero(t)
		if t.Kind() != reflect.Slice && t.Kind() != reflect.Map {
			return isZero
		}
		return func(p mem.Ptr) bool { return mem.Value(t, p).IsNil() || isZero(p) }
	case t.Kind() == reflect.Struct:
		return k.makeIsEmptyNested(t)
	}
	return makeIsEmpty(t)
}

// isEmptyHeld is makeIsEmptyBy for a type that is known only when a value is encoded. The test is
// kept, because making one takes much longer than to call it.
func (k *compiler) isEmptyHeld(t reflect.Type) func(p mem.Ptr) bool {
	test, ok := k.plans.empties.Load(t)
	if !ok {
		test, _ = k.plans.empties.LoadOrStore(t, k.makeIsEmptyBy(t))
	}
	return test.(func(p mem.Ptr) bool)
}

// makeIsEmptyNested returns the test whether all fields of a struct are left out.
func (k *compiler) makeIsEmptyNested(t reflect.Type) func(p mem.Ptr) bool {
	s, err := typeplan.Fields(t, k.plans.tags)
	// The plan of t reports an error of its fields. An inline map counts as
	// content.
	if err != nil || s.Rest != nil {
		return func(mem.Ptr) bool { return false }
	}
	// So does an embedded struct that is not encoded by its fields, such as a time.Time.
	for range k.ownParts(t) {
		return func(mem.Ptr) bool { return false }
	}
	var tests []func(p mem.Ptr) bool
	for i := range s.Fields {
		f := &s.Fields[i]
		o := k.makeOmission(&s, f)
		// One field that is never left out is enough.
		if o.kind == neverOmitted {
			return func(mem.Ptr) bool { return false }
		}
		tests = append(tests, o.omits)
	}
	return func(p mem.Ptr) bool {
		for _, empty := range tests {
			if !empty(p) {
				return false
			}
		}
		return true
	}
}
