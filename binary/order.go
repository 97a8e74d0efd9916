package binary

import (
	"encoding/binary"

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
	NativeEndian = binary.NativeEndian // that of the machine
)

// endian is what the byte order of a call means on this machine.
type endian uint8

const (
	native  endian = iota // bytes go as they lie in memory
	swapped               // the bytes of each number are reversed
	custom                // a user's own ByteOrder, which has to be called
)

// The standard orders are known by their types, which have one value each and so
// need no comparison of values. A type that embeds one of them is another type,
// as it has to be: it may have methods of its own.
var (
	littleWord = mem.TypeWordOf(LittleEndian)
	bigWord    = mem.TypeWordOf(BigEndian)
	nativeWord = mem.TypeWordOf(NativeEndian)
)

// little and big are what these orders mean here.
var little, big = func() (endian, endian) {
	if NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return native, swapped
	}
	return swapped, native
}()

// endianOf returns what order means here.
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
