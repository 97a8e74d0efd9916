package binary

import (
	"encoding/binary"
	"sync"

	"github.com/octet-go/octet/internal/mem"
)

// A ByteOrder specifies how to convert byte slices into 16-, 32-, or 64-bit
// unsigned integers. It is the standard library's own type, so that values of
// either package work with the other.
type ByteOrder = binary.ByteOrder

// An AppendByteOrder specifies how to append 16-, 32-, or 64-bit unsigned integers
// to a byte slice. It is the standard library's own type.
type AppendByteOrder = binary.AppendByteOrder

// The standard byte orders, each a [ByteOrder] and an [AppendByteOrder].
var (
	LittleEndian = binary.LittleEndian // the lowest byte first
	BigEndian    = binary.BigEndian    // the highest byte first
	NativeEndian = binary.NativeEndian // the order of the machine
)

// endian classifies a byte order on this machine.
type endian uint8

const (
	native  endian = iota // bytes are copied from memory unchanged
	swapped               // the bytes of each number are reversed
	custom                // a custom ByteOrder, whose methods must be called
)

// The standard orders are recognized by their types. Each type has only one
// value, so the values need no comparison. A type that embeds one of them is a
// different type, which is correct because it may have its own methods.
var (
	littleWord = mem.TypeWordOf(LittleEndian)
	bigWord    = mem.TypeWordOf(BigEndian)
	nativeWord = mem.TypeWordOf(NativeEndian)
)

// little and big are the classes of these orders on this machine.
var little, big = func() (endian, endian) {
	if NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return native, swapped
	}
	return swapped, native
}()

// endianOf returns the class of order on this machine.
func endianOf(order ByteOrder) endian {
	switch mem.TypeWordOf(order) {
	case littleWord:
		return little
	case bigWord:
		return big
	case nativeWord:
		return native
	}
	return custom
}

// numbers contains the 8 bytes that hold a number for the methods of a custom
// byte order. They are on the heap because the methods may retain them.
var numbers = sync.Pool{New: func() any { return new([8]byte) }}
