package msgpack

import (
	"math/bits"
	"reflect"

	"github.com/octet-go/octet/msgpack/wire"
)

// A putOp is the operation that encodes one field of a struct, one half of a map
// entry, one element of a slice, or a whole message. A getOp is the same for
// decoding. A plan holds one of each. This file holds all properties of the
// operations. [emit] and [fieldSet.decode] execute them; [appendOp] and
// [decoder.decodeOp] are their simple counterparts without unchecked memory access.
//
// The scalars come first in both lists and in the same order, so that ranges of
// operations can be tested with two comparisons.
type (
	putOp uint8
	getOp uint8
)

const (
	putCall putOp = iota // a call of the codec of the type
	putBool
	putInt8
	putInt16
	putInt32
	putInt64
	putUint8
	putUint16
	putUint32
	putUint64
	putFloat32
	putFloat64
	putString
	putTime // a time.Time as a timestamp
	// Nil, or what a pointer points to, in the order above. The format byte of a float
	// is not in a template, because the pointer may be nil.
	putBoolPointer
	putInt8Pointer
	putInt16Pointer
	putInt32Pointer
	putInt64Pointer
	putUint8Pointer
	putUint16Pointer
	putUint32Pointer
	putUint64Pointer
	putFloat32Pointer
	putFloat64Pointer
	putStringPointer
	putTimePointer
	putBytes       // a slice of bytes as bin
	putFloat32Lead // a float with its format byte, which is not in the template
	putFloat64Lead
	putBlock    // an array of up to shortString bytes as bin; the header is in the template
	putNilable  // nil if the first word is nil, otherwise a call
	putList     // a slice: nil or an empty array, otherwise a call
	putMap      // a map: nil or an empty map, otherwise a call
	putArray    // an array, whose elements become steps if they are few, otherwise a call
	putTemplate // no value, only the bytes of the template
	putFields   // the header of a struct that omits fields; the fields that are present follow
	putEnd      // the end of the steps
)

const (
	getCall getOp = iota // a call of the codec of the type
	getBool
	getInt8
	getInt16
	getInt32
	getInt64
	getUint8
	getUint16
	getUint32
	getUint64
	getFloat32
	getFloat64
	getString
	getAlias // a string that shares the memory of the input
	getTime  // a time.Time from a timestamp, in UTC
	getNil   // a pointer or map: nil, otherwise a call
	getList  // a slice: nil or an empty array, otherwise a call
)

// scalarOps returns the operations of a scalar type, and putCall and getCall for
// other types. int and uint have the operations of the integer of their width.
func scalarOps(t reflect.Type) (putOp, getOp) {
	width := bits.TrailingZeros(uint(t.Size())) // 0 to 3, the order of the operations
	switch t.Kind() {
	case reflect.Bool:
		return putBool, getBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return putInt8 + putOp(width), getInt8 + getOp(width)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return putUint8 + putOp(width), getUint8 + getOp(width)
	case reflect.Float32:
		return putFloat32, getFloat32
	case reflect.Float64:
		return putFloat64, getFloat64
	case reflect.String:
		return putString, getString
	}
	return putCall, getCall
}

// isNumber reports whether an operation is for a bool, integer or float. Memory for
// such values need not be scanned by the garbage collector.
func (o putOp) isNumber() bool { return putBool <= o && o <= putFloat64 }
func (o getOp) isNumber() bool { return getBool <= o && o <= getFloat64 }

// isScalar reports whether an operation replaces the whole variable, so that the
// variable need not be cleared first.
func (o getOp) isScalar() bool { return getBool <= o && o <= getTime }

// pointer returns the operation for a pointer to a value with operation o, or putCall if
// there is none.
func (o putOp) pointer() putOp {
	if putBool <= o && o <= putTime {
		return o - putBool + putBoolPointer
	}
	return putCall
}

const (
	// Lengths in bytes.
	maxInteger    = 9  // of a number with its format byte
	maxTime       = 15 // of a timestamp
	shortString   = 31 // of the longest string in a fixstr
	maxScalar     = 1 + shortString
	maxStrHeader  = 5
	maxHeader     = 5                            // of an array or map
	maxShortBytes = 2 + shortString              // of a short bin
	maxRoom       = templateSize + maxShortBytes // of a step

	maxNanoseconds = 1e9 - 1
)

// bound returns the maximum length of a value that emit writes without another check
// of the room. A format byte that is in the template is not included. The room of a
// step is the sum of these bounds, so a bound that is too small would write past the
// buffer.
func (o putOp) bound() int {
	if putBoolPointer <= o && o <= putTimePointer {
		return maxScalar
	}
	switch o {
	case putBool, putNilable, putList, putMap:
		return 1
	case putString:
		return maxScalar
	case putBytes:
		return maxShortBytes
	case putBlock:
		return shortString
	case putTime:
		return maxTime
	case putFields:
		return maxHeader
	}
	if o.isNumber() || o == putFloat32Lead || o == putFloat64Lead {
		return maxInteger
	}
	return 0
}

// lead returns the format byte of an operation if it is always the same. It is then
// part of the template and is stored together with the key.
func (o putOp) lead() []byte {
	switch o {
	case putFloat32:
		return []byte{byte(wire.Float32)}
	case putFloat64:
		return []byte{byte(wire.Float64)}
	}
	return nil
}

// leading returns how many bytes of the value are in the template.
func (o putOp) leading() int {
	if o == putBlock {
		return 2 // the header of a bin 8
	}
	return len(o.lead())
}

// least returns the minimum length of a value in its usual format, without the
// contents of a string. It is for estimates.
func (o getOp) least() int {
	switch o {
	case getFloat32:
		return 5
	case getFloat64:
		return 9
	case getTime:
		return 6
	}
	return 1
}
