package beamio

import (
	"reflect"

	"github.com/octet-go/octet/msgpack"
)

// fitsArray reports whether values of a type are the same after they were encoded with
// structs as arrays, and whether that form is the better one.
func fitsArray(t reflect.Type) bool {
	return isFixed(msgpack.FormOf(t, nil), map[msgpack.Form]bool{})
}

// isFixed reports whether the positions of all values in the messages of a Form follow
// from the Go type.
func isFixed(f msgpack.Form, seen map[msgpack.Form]bool) bool {
	if seen[f] {
		return true // it is being looked at
	}
	seen[f] = true
	d, err := f.Describe()
	if err != nil {
		return true // the codec will say so, or the value is never set
	}
	switch d.Kind {
	case msgpack.FormAny, msgpack.FormUnion:
		return false // a struct would be decoded as a slice
	case msgpack.FormArray:
		return isFixed(d.Elem, seen)
	case msgpack.FormMap:
		return isFixed(d.Key, seen) && isFixed(d.Elem, seen)
	case msgpack.FormStruct:
		if d.Rest || d.IntegerKeys {
			return false
		}
		for _, field := range d.Fields {
			// A nil embedded pointer would have a nil for each of its fields.
			if field.Nil || field.OmitNil || !isFixed(field.Form, seen) {
				return false
			}
		}
	}
	return true
}
