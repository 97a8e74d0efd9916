package cases

import (
	"reflect"
	"time"
)

// equal reports whether a decoded value equals the encoded one. Libraries may decode untyped values to different
// integer and map types. If floats is set, all decoded numbers are floats. An empty list equals a nil one, and
// times are equal if they are the same instant, because some formats do not distinguish them.
func equal(got, want any, floats bool) bool {
	return alike(reflect.ValueOf(got), reflect.ValueOf(want), floats)
}

func alike(got, want reflect.Value, floats bool) bool {
	got, want = content(got), content(want)
	if !got.IsValid() || !want.IsValid() {
		return got.IsValid() == want.IsValid()
	}
	switch {
	case want.CanInt():
		switch {
		case got.CanInt():
			return got.Int() == want.Int()
		case got.CanUint():
			return want.Int() >= 0 && got.Uint() == uint64(want.Int())
		}
		return floats && got.CanFloat() && got.Float() == float64(want.Int())
	case want.CanFloat():
		return got.CanFloat() && got.Float() == want.Float()
	case got.Kind() != want.Kind():
		return false
	}
	switch want.Kind() {
	case reflect.Slice, reflect.Array:
		if got.Len() != want.Len() {
			return false
		}
		for i := range want.Len() {
			if !alike(got.Index(i), want.Index(i), floats) {
				return false
			}
		}
		return true
	case reflect.Map:
		return got.Len() == want.Len() && includes(got, want, floats)
	case reflect.Struct:
		if instant, ok := want.Interface().(time.Time); ok {
			other, ok := got.Interface().(time.Time)
			return ok && other.Equal(instant)
		}
		for i := range want.NumField() {
			if want.Type().Field(i).IsExported() && !alike(got.Field(i), want.Field(i), floats) {
				return false
			}
		}
		return true
	case reflect.Pointer:
		return got.IsNil() == want.IsNil() && alike(got.Elem(), want.Elem(), floats)
	}
	return got.Equal(want)
}

// content returns the value in an interface, which is invalid if the interface is nil.
func content(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

// includes reports whether got has the keys of want with equal elements.
func includes(got, want reflect.Value, floats bool) bool {
	for entries := want.MapRange(); entries.Next(); {
		if !entries.Key().Type().AssignableTo(got.Type().Key()) {
			return false
		}
		element := got.MapIndex(entries.Key())
		if !element.IsValid() || !alike(element, entries.Value(), floats) {
			return false
		}
	}
	return true
}
