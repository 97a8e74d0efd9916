package msgpack

import (
	"math/bits"
	"reflect"

	"github.com/octet-go/octet/msgpack/wire"
)

// A putOp is what encoding does with one field of a struct, one half of a map
// entry, one element of a slice, or a value that stands alone. A getOp is the
// same for decoding. A plan holds one of each. This file has every fact about
// them; [store] and [fieldSet.decode] carry them out, and [appendOp] and
// [decoder.decodeOp] are their plain twins.
//
// The first operations of both are the scalars, in the same order.
type (
	putOp uint8
	getOp uint8
)

const (
	putCall putOp = iota // by a call to the codec of the type
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
	putTime     // a time.Time as a timestamp
	putNilable  // nil if the first word is nil, otherwise by a call
	putList     // a slice: nil, or empty, or by a call
	putTemplate // no value
	putEnd      // there are no more steps

	// The conditions skip the steps of one field where a number at an offset is
	// 0, or where a function says so.
	putIf        // a function
	putIf8       // a number of 8 bits
	putIf16      //
	putIf32      //
	putIf64      //
	putIfFloat32 // of which there is also -0
	putIfFloat64 //
)

const (
	getCall getOp = iota // by a call to the codec of the type
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
	getNil   // a pointer or map: nil, or by a call
	getList  // a slice: nil, or empty, or by a call
)

// scalarOps returns the operations of the kinds that both sides handle without a
// call. int and uint are those of their width.
func scalarOps(t reflect.Type) (putOp, getOp) {
	width := bits.TrailingZeros(uint(t.Size()))
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

// isNumber reports whether an operation is for a bool, integer or float, whose
// memory holds no pointers.
func (o putOp) isNumber() bool { return putBool <= o && o <= putFloat64 }
func (o getOp) isNumber() bool { return getBool <= o && o <= getFloat64 }

// isScalar reports whether an operation replaces the whole variable, so that it
// need not be cleared before.
func (o getOp) isScalar() bool { return getBool <= o && o <= getAlias }

// isCondition reports whether an operation skips steps.
func (o putOp) isCondition() bool { return o >= putIf }

// conditionOn returns the condition on a number of so many bytes.
func conditionOn(size uintptr) putOp { return putIf8 + putOp(bits.TrailingZeros(uint(size))) }

const (
	maxInteger   = 9  // bytes of a number with its format byte
	maxTime      = 15 // bytes of a timestamp
	shortString  = 31 // bytes of the longest str whose length is in the format byte
	maxScalar    = 1 + shortString
	maxStrHeader = 5

	maxNanoseconds = 1e9 - 1
)

// bound returns how many bytes a value takes at most when it is written without
// a call. A lead byte that is in the template counts as part of the value.
func (o putOp) bound() uint32 {
	switch o {
	case putBool, putNilable, putList:
		return 1
	case putString:
		return maxScalar
	case putTime:
		return maxTime
	}
	if o.isNumber() {
		return maxInteger
	}
	return 0
}

// lead returns the format byte of the operations that always write the same one,
// which is stored with what precedes the value.
func (o putOp) lead() []byte {
	switch o {
	case putFloat32:
		return []byte{byte(wire.Float32)}
	case putFloat64:
		return []byte{byte(wire.Float64)}
	}
	return nil
}

// least returns how many bytes a value takes at least in its usual format, those
// of a string apart. It is for estimates.
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
